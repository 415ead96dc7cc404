//! The pages of one or several sitemap files, each once.
//!
//! A page that appears twice with the same hash is one page. With different hashes the right one is unknown, so the page
//! has none: it is revalidated instead of skipped. The same goes for one C-URL with two M-URLs. URLs are compared in
//! their normal form: `https://EXAMPLE.com:443/a/` and `https://example.com/a/` are one (TCT-AMB-28, TCT-AMB-36).

use std::borrow::Cow;
use std::collections::HashMap;

use tct_fingerprint::Fingerprint;
use url::Url;

use super::{ItemIssue, SitemapError, SitemapEvent, SitemapItem, SitemapReader, SitemapSummary, SkippedItem};

/// A page that a sitemap lists.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct ListedPage {
    /// Position of its entry in the array `items` of its file; the first is 0.
    pub index: u64,
    /// The page: absolute, as written.
    pub c_url: String,
    /// Its machine-readable twin: absolute, as written.
    pub m_url: String,
    /// The member `modified` as written, or `lastModified` of draft -03.
    pub modified: Option<String>,
    /// The hash that allows zero-fetch, if there is one.
    pub hash: Option<Fingerprint>,
    /// Why there is none.
    pub issue: Option<ItemIssue>,
}

/// The pages of one or several sitemap files, in the order in which they first came.
///
/// Memory grows with the number of pages; to read in constant memory, use [`SitemapReader`].
///
/// ```
/// use tct::sitemap::Sitemap;
/// use tct::SitemapReader;
/// let file = br#"{"version":1,"items":[
///     {"cUrl":"https://example.com/","mUrl":"https://example.com/llm/","contentHash":"sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}
/// ]}"#;
/// let mut sitemap = Sitemap::new();
/// let report = sitemap.read(file, SitemapReader::any_origin())?;
/// assert!(report.skipped.is_empty());
/// assert_eq!(sitemap.pages()[0].m_url, "https://example.com/llm/");
/// # Ok::<(), tct::sitemap::SitemapError>(())
/// ```
///
/// Spec: TCT draft-00, "Scalability"; TCT-SM-15, TCT-AMB-36.
#[derive(Debug, Clone, Default)]
pub struct Sitemap {
    pages: Vec<ListedPage>,
    by_m_url: HashMap<String, usize>,
    by_c_url: HashMap<String, usize>,
}

/// The result of reading a whole file, besides its pages.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SitemapReport {
    /// The file's own members.
    pub summary: SitemapSummary,
    /// Entries that were skipped, merged with earlier ones, or left without a hash; in the order of the file.
    pub skipped: Vec<SkippedItem>,
    /// Where the file is broken. The pages before that place were read.
    pub broken: Option<SitemapError>,
}

impl Sitemap {
    /// No pages yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The pages.
    #[must_use]
    pub fn pages(&self) -> &[ListedPage] {
        &self.pages
    }

    /// Adds an entry. Returns an issue if it has no usable hash, or if its page was listed before.
    pub fn add(&mut self, item: &SitemapItem<'_>) -> Option<ItemIssue> {
        let (m_key, c_key) = (item.m_key(), item.c_key());
        let known = self.by_m_url.get(&*m_key).or_else(|| self.by_c_url.get(&*c_key)).copied();
        let Some(page) = known.and_then(|index| self.pages.get_mut(index)) else {
            self.insert(item, m_key, c_key);
            return item.issue;
        };
        if page.hash.is_some() && page.hash == item.hash {
            return Some(ItemIssue::Duplicate);
        }
        page.hash = None;
        page.issue = Some(ItemIssue::Ambiguous);
        if key(&page.m_url) != m_key {
            // Another twin of a known page: both stay, neither can be skipped.
            self.insert(item, m_key, c_key);
            if let Some(page) = self.pages.last_mut() {
                page.hash = None;
                page.issue = Some(ItemIssue::Ambiguous);
            }
        }
        Some(ItemIssue::Ambiguous)
    }

    fn insert(&mut self, item: &SitemapItem<'_>, m_key: Cow<'_, str>, c_key: Cow<'_, str>) {
        let index = self.pages.len();
        self.by_m_url.insert(m_key.into_owned(), index);
        self.by_c_url.entry(c_key.into_owned()).or_insert(index);
        self.pages.push(ListedPage {
            index: item.index,
            c_url: item.c_url.to_owned(),
            m_url: item.m_url.to_owned(),
            modified: item.modified.or(item.last_modified).map(str::to_owned),
            hash: item.hash,
            issue: item.issue,
        });
    }

    /// Adds all entries of a whole file.
    ///
    /// A file that is broken somewhere inside `items` is not an error: the entries before that place count.
    ///
    /// # Errors
    /// A file that is not a sitemap, or past a limit.
    ///
    /// Spec: TCT draft-00, "Error Handling"; TCT-ERR-1.
    pub fn read(&mut self, file: &[u8], mut reader: SitemapReader) -> Result<SitemapReport, SitemapError> {
        let mut skipped = Vec::new();
        let mut events = reader.push(file);
        let ended = loop {
            match events.next() {
                Ok(Some(SitemapEvent::Item(item))) => {
                    if let Some(issue) = self.add(&item) {
                        skipped.push(SkippedItem { index: item.index, issue });
                    }
                }
                Ok(Some(SitemapEvent::Skipped(entry))) => skipped.push(entry),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        drop(events);
        let partial = reader.clone();
        match ended.map_or_else(|| reader.finish(), Err) {
            Ok(summary) => Ok(SitemapReport { summary, skipped, broken: None }),
            Err(error) if error.leaves_items_usable() && partial.has_items() => {
                Ok(SitemapReport { summary: partial.into_partial_summary(), skipped, broken: Some(error) })
            }
            Err(error) => Err(error),
        }
    }
}

/// A URL's normal form. Most sitemaps use it already: lower-case letters, no port, no escapes, no dot
/// segments.
pub(crate) fn key(text: &str) -> Cow<'_, str> {
    let rest = text.strip_prefix("https://").unwrap_or_default();
    let (host, path) = rest.split_at_checked(rest.find('/').unwrap_or(rest.len())).unwrap_or((rest, ""));
    let is_plain_host = host.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'))
        // Numbers as last label are another way to write an address.
        && host.rsplit('.').next().is_some_and(|label| label.starts_with(|c: char| c.is_ascii_lowercase()));
    let is_plain_path = !path.is_empty()
        && !path.contains("/.")
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.~?=&+,:@".contains(&byte));
    if is_plain_host && is_plain_path {
        return Cow::Borrowed(text);
    }
    Url::parse(text).map_or(Cow::Borrowed(text), |url| Cow::Owned(crate::address::key_of(&url)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_normal_forms() {
        for (text, expected) in [
            ("https://example.com/a/llm/", "https://example.com/a/llm/"),
            ("https://EXAMPLE.com:443/a/llm/", "https://example.com/a/llm/"),
            ("HTTPS://example.com/a/llm/", "https://example.com/a/llm/"),
            ("https://example.com/a/../b", "https://example.com/b"),
            ("https://example.com", "https://example.com/"),
            ("https://example.com/%7ea", "https://example.com/~a"),
            ("https://example.com/a#b", "https://example.com/a"),
            ("https://127.1/a", "https://127.0.0.1/a"),
            ("https://0x7f.1/a", "https://127.0.0.1/a"),
        ] {
            assert_eq!(key(text), expected, "{text}");
        }
    }
}
