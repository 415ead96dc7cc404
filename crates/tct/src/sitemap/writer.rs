//! Writing sitemaps within the operator's budget.
//!
//! ```text
//! {"version":1,"profile":"tct-1","items":[
//! {"cUrl":"…","mUrl":"…","modified":"…","contentHash":"sha256-…","etag":"sha256-…"},
//! …]}
//! ```
//!
//! without the line breaks. Entries carry the hash under both names, `contentHash` (draft -00) and `etag`
//! (draft -01): readers of both find it. Entries marked as protected never reach a public sitemap. An entry that
//! would exceed the budget of its file begins another one.

use tct_fingerprint::Fingerprint;

use crate::payload::PROFILE;
use crate::sealing::{SealError, SealErrorKind};
use crate::time::is_rfc3339;
use crate::{CUrl, MUrl};

/// An entry to write.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SitemapEntry {
    /// The page.
    pub page: CUrl,
    /// Its machine-readable twin.
    pub twin: MUrl,
    /// The hash of the twin's payload: [`Sealed::fingerprint`](crate::Sealed::fingerprint).
    pub hash: Fingerprint,
    /// When the content last changed: an RFC 3339 timestamp.
    pub modified: Option<String>,
    /// Whether the page needs credentials. Such an entry is left out of public sitemaps.
    pub is_protected: bool,
}

impl SitemapEntry {
    /// An entry of a public page.
    #[must_use]
    pub fn new(page: CUrl, twin: MUrl, hash: Fingerprint) -> Self {
        SitemapEntry { page, twin, hash, modified: None, is_protected: false }
    }

    /// The entry with the time of the last change, as an RFC 3339 timestamp.
    #[must_use]
    pub fn with_modified(self, modified: impl Into<String>) -> Self {
        SitemapEntry { modified: Some(modified.into()), ..self }
    }

    /// The entry, marked as one that needs credentials.
    ///
    /// Spec: TCT draft-00, "Protected Sitemaps"; TCT-SEC-8, TCT-D01-13.
    #[must_use]
    pub fn protected(self) -> Self {
        SitemapEntry { is_protected: true, ..self }
    }
}

/// Size limits of one sitemap, and whether it is protected.
///
/// Spec: TCT draft-00, "Scalability"; TCT-SM-13, TCT-SM-14.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SitemapBudget {
    /// Entries in a file. Default: 50,000, as the draft recommends.
    pub max_items: u64,
    /// Bytes of a file, uncompressed. Default: 100,000,000, which agents accept.
    pub max_bytes: u64,
    /// Bytes of one entry. Default: 2,048, as the draft recommends.
    pub max_item_bytes: usize,
    /// Whether protected entries are written: only for a sitemap with the same protection.
    pub includes_protected: bool,
}

impl Default for SitemapBudget {
    fn default() -> Self {
        SitemapBudget {
            max_items: 50_000,
            max_bytes: 100_000_000,
            max_item_bytes: 2048,
            includes_protected: false,
        }
    }
}

with_each! { SitemapBudget
    /// The same budget with another number of entries.
    with_max_items: max_items: u64;
    /// The same budget with another size of a file.
    with_max_bytes: max_bytes: u64;
    /// The same budget with another size of an entry.
    with_max_item_bytes: max_item_bytes: usize;
}

impl SitemapBudget {
    /// The same budget for a sitemap that is as protected as its entries are.
    #[must_use]
    pub const fn for_protected_sitemap(self) -> Self {
        SitemapBudget { includes_protected: true, ..self }
    }
}

const TAIL: &str = "]}";

/// A sitemap up to its first entry.
fn head() -> String {
    format!("{{\"version\":1,\"profile\":\"{PROFILE}\",\"items\":[")
}

/// The entry as JSON. Serialised URLs are printable ASCII without quotes and backslashes, and so are timestamps.
fn json_of(entry: &SitemapEntry) -> String {
    let SitemapEntry { page, twin, modified, .. } = entry;
    let hash = entry.hash.to_string();
    let modified = modified.as_ref().map(|modified| format!("\"modified\":\"{modified}\","));
    let modified = modified.unwrap_or_default();
    format!(
        "{{\"cUrl\":\"{page}\",\"mUrl\":\"{twin}\",{modified}\"contentHash\":\"{hash}\",\"etag\":\"{hash}\"}}"
    )
}

/// Writes as many sitemaps as the budget needs, homepage first: the first entry whose page is the root of its origin is
/// moved to the front, the others keep their order.
///
/// The draft has no form for an index of sitemaps (TCT-AMB-36b): list the files' URLs in several `Link` lines.
///
/// ```
/// use tct::{CUrl, Fingerprint, MUrl, SitemapBudget, SitemapEntry, write_sitemaps};
/// let entry = |path: &str| {
///     let page = CUrl::parse(&format!("https://example.com{path}")).unwrap();
///     let twin = MUrl::parse(&format!("https://example.com{path}llm/")).unwrap();
///     SitemapEntry::new(page, twin, Fingerprint::hash(path.as_bytes()))
/// };
/// let files = write_sitemaps([entry("/a/"), entry("/b/"), entry("/")], SitemapBudget::default().with_max_items(2))?;
/// assert_eq!(files.len(), 2);
/// assert!(files[0].starts_with(br#"{"version":1,"profile":"tct-1","items":[{"cUrl":"https://example.com/","#));
/// # Ok::<(), tct::sealing::SealError>(())
/// ```
///
/// The homepage belongs into a sitemap only if its text is stable. If it changes with every article, list a written
/// overview or an "about" page instead. The server must replace the old file by the new one atomically (TCT-PAR-6).
///
/// # Errors
/// `EntryTooLarge` if an entry alone is past the budget of an entry, or of an empty file; `BadTimestamp` where its
/// `modified` is not an RFC 3339 timestamp.
///
/// Spec: TCT draft-00, "JSON Sitemap", "Scalability", "Homepage Handling"; TCT-SM-1 to TCT-SM-7, TCT-SM-10, TCT-SM-14,
/// TCT-SEC-8, TCT-PAGE-5 to TCT-PAGE-7, TCT-AMB-37, TCT-D01-1.
pub fn write_sitemaps(
    entries: impl IntoIterator<Item = SitemapEntry>,
    budget: SitemapBudget,
) -> Result<Vec<Vec<u8>>, SealError> {
    let mut entries: Vec<SitemapEntry> = entries.into_iter().collect();
    let is_home = |entry: &SitemapEntry| {
        let url = entry.page.as_url();
        url.path() == "/" && url.query().is_none()
    };
    if let Some(home) = entries.iter().position(is_home)
        && let Some(front) = entries.get_mut(..=home)
    {
        front.rotate_right(1);
    }
    let is_past = |bytes: usize| bytes as u64 > budget.max_bytes;
    let (mut files, mut file, mut items) = (Vec::new(), head(), 0);
    for entry in entries.iter().filter(|entry| budget.includes_protected || !entry.is_protected) {
        if entry.modified.as_deref().is_some_and(|modified| !is_rfc3339(modified)) {
            return Err(SealErrorKind::BadTimestamp.into());
        }
        let text = json_of(entry);
        let alone = head().len() + text.len() + TAIL.len();
        if text.len() > budget.max_item_bytes || is_past(alone) || budget.max_items == 0 {
            return Err(SealError::of_entry(text.len()));
        }
        let separator = if items > 0 { "," } else { "" };
        if items == budget.max_items || is_past(file.len() + separator.len() + text.len() + TAIL.len()) {
            file.push_str(TAIL);
            files.push(core::mem::replace(&mut file, head() + &text).into_bytes());
            items = 1;
        } else {
            file.extend([separator, &text]);
            items += 1;
        }
    }
    file.push_str(TAIL);
    files.push(file.into_bytes());
    Ok(files)
}
