//! The sitemaps: where they are and what stands in them.

use std::sync::Arc;

use tct::{SitemapBudget, SitemapEntry, write_sitemaps};
use url::Url;

use crate::SiteError;
use crate::publisher::PublishedPage;

/// The bodies of as many sitemaps as the pages need, in the pages' order.
///
/// # Errors
/// [`SiteError::Refused`] where an entry alone is past the library's budget.
pub(super) fn write(
    pages: &[Arc<PublishedPage>],
    items_per_sitemap: usize,
) -> Result<Vec<Vec<u8>>, SiteError> {
    let budget = SitemapBudget::default().with_max_items(items_per_sitemap as u64);
    let entries = pages.iter().map(|page| {
        let entry = SitemapEntry::new(page.c_url.clone(), page.m_url.clone(), page.fingerprint);
        let seconds = i64::try_from(page.modified.0).unwrap_or(i64::MAX);
        match jiff::Timestamp::from_second(seconds) {
            Ok(modified) => entry.with_modified(modified.to_string()),
            Err(_) => entry,
        }
    });
    write_sitemaps(entries, budget).map_err(|error| SiteError::refused("/llm-sitemap.json", error))
}

/// The address of a sitemap: the first has the draft's own name, the others are numbered.
pub(crate) fn url_of(origin: &Url, index: usize) -> Url {
    let mut url = origin.clone();
    match index {
        0 => url.set_path("/llm-sitemap.json"),
        index => url.set_path(&format!("/llm-sitemap-{}.json", index + 1)),
    }
    url
}
