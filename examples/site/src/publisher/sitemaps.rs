//! The sitemaps: where they are and what they say.

use std::sync::Arc;

use tct::v03::{BodyLimits, Identity, MSitemap, MSitemapItem, as_uri};
use tct::{MUrl, SitemapBudget, SitemapEntry, write_sitemaps};
use tct_fingerprint::Fingerprint;
use url::Url;

use crate::SiteError;
use crate::publisher::PublishedPage;

/// The bodies of as many sitemaps as the pages need, in the pages' order.
///
/// # Errors
/// [`SiteError::Refused`] if an entry alone is past the library's budget.
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

/// The sitemap of draft -03, of the twins that `twin_of` picks.
///
/// # Errors
/// [`SiteError::Refused`] past the limits of the draft's reference, near 20,000 pages: the form of an index is not known.
pub(super) fn write_exact<'a>(
    pages: &'a [Arc<PublishedPage>],
    twin_of: impl Fn(&'a PublishedPage) -> (&'a MUrl, Fingerprint),
) -> Result<Identity, SiteError> {
    let mut sitemap = MSitemap::with_limits(BodyLimits::default().with_max_items(100_000));
    let add = |sitemap: &mut MSitemap, page: &'a PublishedPage| {
        let (m_url, fingerprint) = twin_of(page);
        let mut item =
            MSitemapItem::new(as_uri(page.c_url.as_url()).as_str(), m_url.as_str())?.with_hint(fingerprint);
        let seconds = i64::try_from(page.modified.0).unwrap_or(i64::MAX);
        if let Ok(modified) = jiff::Timestamp::from_second(seconds) {
            item = item.with_last_modified(modified.to_string())?;
        }
        sitemap.push(item)
    };
    let added = pages.iter().try_for_each(|page| add(&mut sitemap, page));
    added.and_then(|()| sitemap.seal()).map_err(|error| SiteError::refused("the sitemap of draft -03", error))
}

/// The address of the sitemap of draft -03 beside that of the drafts before.
pub(crate) fn second_url_of(origin: &Url) -> Url {
    let mut url = origin.clone();
    url.set_path("/m-sitemap.json");
    url
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
