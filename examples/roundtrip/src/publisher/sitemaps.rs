//! The sitemaps: where they are and what stands in them.

use std::sync::Arc;

use tct::{SitemapBudget, SitemapEntry, write_sitemaps};
use url::Url;

use crate::RoundtripError;
use crate::publisher::PublishedPage;

/// The bodies of as many sitemaps as the pages need, in the pages' order.
///
/// # Errors
/// [`RoundtripError::Protocol`] where an entry alone is past the library's budget.
pub(super) fn write(
    pages: &[Arc<PublishedPage>],
    items_per_sitemap: usize,
) -> Result<Vec<Vec<u8>>, RoundtripError> {
    let budget = SitemapBudget::default().with_max_items(items_per_sitemap as u64);
    let entries =
        pages.iter().map(|page| SitemapEntry::new(page.c_url.clone(), page.m_url.clone(), page.fingerprint));
    write_sitemaps(entries, budget).map_err(|error| RoundtripError::Protocol(error.to_string()))
}

/// The address of a sitemap: the first has the draft's own name, the others are numbered.
pub(super) fn url_of(origin: &Url, index: usize) -> Url {
    let mut url = origin.clone();
    match index {
        0 => url.set_path("/llm-sitemap.json"),
        index => url.set_path(&format!("/llm-sitemap-{}.json", index + 1)),
    }
    url
}
