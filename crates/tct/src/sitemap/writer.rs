//! Writing sitemaps: one entry after the other, in constant memory, within the operator's budget.
//!
//! ```text
//! {"version":1,"profile":"tct-1","items":[
//! {"cUrl":"…","mUrl":"…","modified":"…","contentHash":"sha256-…","etag":"sha256-…"},
//! …]}
//! ```
//!
//! without the line breaks. Entries carry the hash under both names, `contentHash` (draft -00) and `etag`
//! (draft -01): readers of both find it. Entries marked as protected never reach a public sitemap. When the next entry
//! would break the budget, the writer says so, and the caller begins another file: see [`write_sitemaps`].

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

/// The result of writing an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
enum Written {
    /// It was written.
    Yes,
    /// It is protected and the sitemap is not: it was left out.
    LeftOut,
    /// It would exceed the budget of this file: finish it and write the entry to the next one.
    Full,
}

/// Writes one sitemap. Memory is that of one entry.
#[derive(Debug, Clone)]
struct SitemapWriter {
    budget: SitemapBudget,
    items: u64,
    bytes: u64,
    scratch: Vec<u8>,
}

const HEAD: &[u8] = b"{\"version\":1,\"profile\":\"";
const OPEN: &[u8] = b"\",\"items\":[";
const TAIL: &[u8] = b"]}";

impl SitemapWriter {
    /// Begins a sitemap at the end of `out`.
    fn new(budget: SitemapBudget, out: &mut Vec<u8>) -> Self {
        let before = out.len();
        out.extend_from_slice(HEAD);
        out.extend_from_slice(PROFILE.as_bytes());
        out.extend_from_slice(OPEN);
        SitemapWriter { budget, items: 0, bytes: (out.len() - before) as u64, scratch: Vec::new() }
    }

    /// Appends an entry to `out`, unless it is protected or the file is full.
    ///
    /// # Errors
    /// `EntryTooLarge` where the entry alone is past the budget of an entry, or of an empty file; `BadTimestamp` where
    /// its `modified` is not an RFC 3339 timestamp.
    fn write(&mut self, entry: &SitemapEntry, out: &mut Vec<u8>) -> Result<Written, SealError> {
        if entry.is_protected && !self.budget.includes_protected {
            return Ok(Written::LeftOut);
        }
        if entry.modified.as_deref().is_some_and(|modified| !is_rfc3339(modified)) {
            return Err(SealErrorKind::BadTimestamp.into());
        }
        self.scratch.clear();
        put_entry(entry, &mut self.scratch);
        let len = self.scratch.len() as u64;
        let fixed = (HEAD.len() + PROFILE.len() + OPEN.len() + TAIL.len()) as u64;
        if self.scratch.len() > self.budget.max_item_bytes || fixed + len > self.budget.max_bytes {
            return Err(SealError::of_entry(self.scratch.len()));
        }
        let separator = u64::from(self.items > 0);
        let ends_at = self.bytes + separator + len + TAIL.len() as u64;
        if self.items >= self.budget.max_items || ends_at > self.budget.max_bytes {
            return Ok(Written::Full);
        }
        if separator > 0 {
            out.push(b',');
        }
        out.extend_from_slice(&self.scratch);
        self.items += 1;
        self.bytes += separator + len;
        Ok(Written::Yes)
    }

    /// Ends the sitemap.
    fn finish(self, out: &mut Vec<u8>) {
        out.extend_from_slice(TAIL);
    }
}

/// Appends the entry as JSON. URLs are serialised ones: printable ASCII without quotes and backslashes.
fn put_entry(entry: &SitemapEntry, out: &mut Vec<u8>) {
    let mut put = |name: &str, value: &str| {
        out.push(if out.is_empty() { b'{' } else { b',' });
        out.push(b'"');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":\"");
        for c in value.chars() {
            match c {
                '"' | '\\' => out.extend_from_slice(&[b'\\', c as u8]),
                ..'\u{20}' => out.extend_from_slice(format!("\\u{:04x}", u32::from(c)).as_bytes()),
                c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        out.push(b'"');
    };
    put("cUrl", entry.page.as_str());
    put("mUrl", entry.twin.as_str());
    if let Some(modified) = &entry.modified {
        put("modified", modified);
    }
    let hash = entry.hash.to_string();
    put("contentHash", &hash);
    put("etag", &hash);
    out.push(b'}');
}

/// Writes as many sitemaps as the budget needs, homepage first: the first entry whose page is the root of its origin is
/// moved to the front, the others keep their order.
///
/// The draft has no form for an index of sitemaps (TCT-AMB-36b): list the files' URLs in several `Link` lines.
///
/// ```
/// use tct::{CUrl, MUrl, SitemapBudget, SitemapEntry, write_sitemaps};
/// use tct_fingerprint::Fingerprint;
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
/// `EntryTooLarge` where an entry alone is past the budget of an entry, or of an empty file; `BadTimestamp` where its
/// `modified` is not an RFC 3339 timestamp.
///
/// Spec: TCT draft-00, "JSON Sitemap", "Scalability", "Homepage Handling"; TCT-SM-1 to TCT-SM-7, TCT-SM-10, TCT-SM-14,
/// TCT-SEC-8, TCT-PAGE-5 to TCT-PAGE-7, TCT-AMB-37, TCT-D01-1.
pub fn write_sitemaps(
    entries: impl IntoIterator<Item = SitemapEntry>,
    budget: SitemapBudget,
) -> Result<Vec<Vec<u8>>, SealError> {
    let mut files = Vec::new();
    let mut out = Vec::new();
    let mut writer = SitemapWriter::new(budget, &mut out);
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
    for entry in entries {
        if writer.write(&entry, &mut out)? == Written::Full {
            let mut next = Vec::new();
            let full = core::mem::replace(&mut writer, SitemapWriter::new(budget, &mut next));
            full.finish(&mut out);
            files.push(core::mem::replace(&mut out, next));
            // An empty file takes any entry that is within the budget of an entry, unless it takes none at all.
            if writer.write(&entry, &mut out)? == Written::Full {
                return Err(SealError::of_entry(writer.scratch.len()));
            }
        }
    }
    writer.finish(&mut out);
    files.push(out);
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file is filled up to the last byte of its budget, and up to the last entry.
    #[test]
    fn a_sitemap_file_is_filled_to_its_last_byte() {
        let entry = |name: &str| {
            let page = CUrl::parse(&format!("https://example.com/{name}/")).unwrap();
            let twin = MUrl::parse(&format!("https://example.com/{name}/llm/")).unwrap();
            SitemapEntry::new(page, twin, Fingerprint::hash(name.as_bytes()))
        };
        // What each entry comes to, how many were counted, and the file.
        let write = |budget: SitemapBudget| {
            let mut out = b"before".to_vec();
            let mut writer = SitemapWriter::new(budget, &mut out);
            let mut told = Vec::new();
            for name in ["a", "b", "c"] {
                told.push(
                    writer.write(&entry(name), &mut out).map_err(|error| (error.kind(), error.len_bytes())),
                );
            }
            let items = writer.items;
            writer.finish(&mut out);
            assert_eq!(&out[..6], b"before");
            (told, items, out.len() - 6)
        };
        let (told, items, all) = write(SitemapBudget::default());
        assert_eq!((told, items), (vec![Ok(Written::Yes); 3], 3));
        let sealed = write_sitemaps([entry("a")], SitemapBudget::default()).unwrap().remove(0);
        let one = sealed.len();
        let len = (all - one - 2) / 2;
        assert_eq!(all, one + 2 * (len + 1), "a comma and an entry each");
        let too_large = Err((SealErrorKind::EntryTooLarge, len));
        for (max_bytes, expected, files) in [
            (all, vec![Ok(Written::Yes); 3], 3),
            (all - 1, vec![Ok(Written::Yes), Ok(Written::Yes), Ok(Written::Full)], 2),
            (all - len - 1, vec![Ok(Written::Yes), Ok(Written::Yes), Ok(Written::Full)], 2),
            (all - len - 2, vec![Ok(Written::Yes), Ok(Written::Full), Ok(Written::Full)], 1),
            (one, vec![Ok(Written::Yes), Ok(Written::Full), Ok(Written::Full)], 1),
            (one - 1, vec![too_large; 3], 0),
        ] {
            let (told, items, len) = write(SitemapBudget::default().with_max_bytes(max_bytes as u64));
            assert_eq!((told, items), (expected, files), "{max_bytes}");
            assert!(len <= max_bytes, "{max_bytes}: {len}");
        }
        for (max_item_bytes, expected) in [(len, Ok(Written::Yes)), (len - 1, too_large)] {
            let (told, _, _) = write(SitemapBudget::default().with_max_item_bytes(max_item_bytes));
            assert_eq!(told, vec![expected; 3], "{max_item_bytes}");
        }
        let (told, items, _) = write(SitemapBudget::default().with_max_items(2));
        assert_eq!((told, items), (vec![Ok(Written::Yes), Ok(Written::Yes), Ok(Written::Full)], 2));
        let none = write_sitemaps([entry("a")], SitemapBudget::default().with_max_items(0)).unwrap_err();
        assert_eq!((none.kind(), none.len_bytes()), (SealErrorKind::EntryTooLarge, len));
        let dated = |when: &str| write_sitemaps([entry("a").with_modified(when)], SitemapBudget::default());
        let bad = dated("today").unwrap_err();
        assert_eq!((bad.kind(), bad.requirement()), (SealErrorKind::BadTimestamp, "TCT-SM-6"));
        assert_eq!(
            dated("2025-10-21T12:34:56Z").unwrap()[0].len(),
            one + ",\"modified\":\"2025-10-21T12:34:56Z\"".len()
        );
    }
}
