//! One entry of a sitemap: its members and their faults.

use std::borrow::Cow;

use tct_canonical_json::{JsonValue, plain_len};
use tct_fingerprint::Fingerprint;
use url::Url;

use super::merged::key;
use crate::address::{AddressError, AddressErrorKind, key_of};
use crate::{CUrl, HeldPage, MUrl, UrlPolicy, Visit, VisitPolicy};

/// An entry of a sitemap that names a page and its twin. Borrows from the chunk or from the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SitemapItem<'a> {
    /// Position in the array `items`; the first is 0.
    pub index: u64,
    /// The page: absolute, as written.
    pub c_url: &'a str,
    /// Its machine-readable twin: absolute, as written.
    pub m_url: &'a str,
    /// The member `modified` as written, if it is a string. It need not be a timestamp (TCT-AMB-33).
    pub modified: Option<&'a str>,
    /// The member `lastModified` of draft -03 as written, if it is a string. Never a validator.
    pub last_modified: Option<&'a str>,
    /// The hash: `contentHash` of draft -00 or `etag` of draft -01, parsed. `None` where the entry has none that can be
    /// relied on; then [`SitemapItem::issue`] says why.
    pub hash: Option<Fingerprint>,
    /// Why the entry has no hash. Such a page can be fetched, but never skipped (TCT-AMB-46).
    pub issue: Option<ItemIssue>,
    /// Length of the entry's text in bytes. Publishers should stay within 2,048.
    pub len_bytes: usize,
    /// Both URLs, if the reader had to parse them to check them.
    pub(super) parsed: ParsedUrls<'a>,
}

/// Whether URLs were parsed depends on the division into chunks and does not belong to the entry's value: all are equal, and
/// none is shown in `Debug`.
#[derive(Clone, Copy)]
pub(super) struct ParsedUrls<'a>(Option<&'a [Option<Url>; 2]>);

impl<'a> ParsedUrls<'a> {
    fn page(self) -> Option<&'a Url> {
        self.0?[0].as_ref()
    }

    fn twin(self) -> Option<&'a Url> {
        self.0?[1].as_ref()
    }
}

impl PartialEq for ParsedUrls<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ParsedUrls<'_> {}

impl core::fmt::Debug for ParsedUrls<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("..")
    }
}

/// The draft's recommended largest entry; longer ones get a warning.
///
/// Spec: TCT draft-00, "Scalability"; TCT-SM-13.
const RECOMMENDED_ITEM_BYTES: usize = 2048;

impl<'a> SitemapItem<'a> {
    /// The page.
    ///
    /// # Errors
    /// An [`AddressError`] for a URL that this policy refuses, where the reader had another one.
    pub fn page(&self, policy: &UrlPolicy) -> Result<CUrl, AddressError> {
        match self.parsed.page() {
            Some(url) => CUrl::from_url(url.clone(), policy),
            None => CUrl::parse_with(self.c_url, policy),
        }
    }

    /// Its twin.
    ///
    /// # Errors
    /// As [`SitemapItem::page`].
    pub fn twin(&self, policy: &UrlPolicy) -> Result<MUrl, AddressError> {
        match self.parsed.twin() {
            Some(url) => MUrl::from_url(url.clone(), policy),
            None => MUrl::parse_with(self.m_url, policy),
        }
    }

    /// The visit of the twin, with what is held of it.
    pub(crate) fn visit(&self, held: Option<&HeldPage>, policy: VisitPolicy) -> Result<Visit, AddressError> {
        let (page, twin) = (self.page(&policy.urls)?, self.twin(&policy.urls)?);
        Ok(Visit::new(&twin, &page, self.hash, held.cloned(), policy))
    }

    /// The page's URL in normal form.
    pub(crate) fn c_key(&self) -> Cow<'a, str> {
        self.parsed.page().map_or_else(|| key(self.c_url), |url| Cow::Owned(key_of(url)))
    }

    /// Whether it lists the twin of this page.
    #[inline]
    pub(crate) fn is_of(&self, c_url: &str) -> bool {
        self.c_url == c_url || self.c_key() == key(c_url)
    }

    /// The twin's URL in normal form.
    pub(crate) fn m_key(&self) -> Cow<'a, str> {
        self.parsed.twin().map_or_else(|| key(self.m_url), |url| Cow::Owned(key_of(url)))
    }

    /// Whether the entry is longer than the draft recommends.
    #[must_use]
    pub const fn is_oversized(&self) -> bool {
        self.len_bytes > RECOMMENDED_ITEM_BYTES
    }
}

/// What is wrong with an entry of a sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ItemIssue {
    /// The entry is not an object.
    NotAnObject,
    /// `cUrl` is absent or not a string.
    CUrlMissing,
    /// `mUrl` is absent or not a string.
    MUrlMissing,
    /// `cUrl` is not an absolute URL that the policy accepts.
    CUrlInvalid,
    /// `mUrl` is not an absolute URL that the policy accepts.
    MUrlInvalid,
    /// A URL's scheme is `http`.
    Insecure,
    /// A URL's origin is not the sitemap's.
    OtherOrigin,
    /// A member that the reader uses appears twice.
    DuplicateMember,
    /// A string holds half a surrogate pair.
    BadString,
    /// The entry is longer than [`SitemapLimits::max_item_bytes`](super::SitemapLimits::max_item_bytes).
    TooLarge,
    /// The entry is nested deeper than [`SitemapLimits::max_depth`](super::SitemapLimits::max_depth).
    TooDeep,
    /// `contentHash` and `etag` are both absent. The page stays usable, without zero-fetch.
    HashMissing,
    /// The hash is not `sha256-` and 64 lower-case hex digits. The page stays usable, without zero-fetch.
    HashMalformed,
    /// `contentHash` and `etag` differ. The page stays usable, without zero-fetch.
    HashConflict,
    /// The page is in an earlier entry with the same hash: the two are one.
    Duplicate,
    /// The page is in an earlier entry with another hash. It stays usable, without zero-fetch.
    Ambiguous,
}

words! { ItemIssue
    NotAnObject => "not-an-object", "TCT-SM-3", "expected an object, found another value";
    CUrlMissing => "c-url-missing", "TCT-SM-4", "expected a string in `cUrl`, found none";
    MUrlMissing => "m-url-missing", "TCT-SM-5", "expected a string in `mUrl`, found none";
    CUrlInvalid => "c-url-invalid", "TCT-SM-4", "expected an absolute URL in `cUrl`, found other text";
    MUrlInvalid => "m-url-invalid", "TCT-SM-5", "expected an absolute URL in `mUrl`, found other text";
    Insecure => "insecure", "TCT-SEC-1", "expected URLs with https, found one with http";
    OtherOrigin => "other-origin", "TCT-AMB-30", "expected URLs of the sitemap's origin, found one of another";
    DuplicateMember => "duplicate-member", "TCT-SEC-10", "expected each member once, found one again";
    BadString => "bad-string", "TCT-JSON-4", "expected text, found half a surrogate pair";
    TooLarge => "too-large", "TCT-SM-12", "expected an entry within the size limit, found a longer one";
    TooDeep => "too-deep", "TCT-SEC-10", "expected an entry within the depth limit, found a deeper one";
    HashMissing => "hash-missing", "TCT-SM-7", "expected a hash, found none: the page is never skipped";
    HashMalformed => "hash-malformed", "TCT-SM-7", "expected `sha256-` and 64 lower-case hex digits, found another hash: the page is never skipped";
    HashConflict => "hash-conflict", "TCT-D01-1", "expected one hash, found two different ones: the page is never skipped";
    Duplicate => "duplicate", "TCT-AMB-36", "expected each page once, found it again with the same hash";
    Ambiguous => "ambiguous", "TCT-AMB-36", "expected each page once, found it again with another hash: the page is never skipped";
}

impl ItemIssue {
    /// Returns true if the entry must be dropped, false if its page is still fetched but never skipped.
    #[must_use]
    pub const fn drops_item(self) -> bool {
        !matches!(
            self,
            ItemIssue::HashMissing
                | ItemIssue::HashMalformed
                | ItemIssue::HashConflict
                | ItemIssue::Ambiguous
        )
    }
}

/// The indices of a string of an entry. Half-size integers, because entries are passed by value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Text {
    /// In the entry's own text.
    Plain(u32, u32),
    /// In the scratch buffer, with its escapes undone.
    Decoded(u32, u32),
    /// The string is invalid: it contains half a surrogate pair.
    Bad,
}

impl Text {
    #[inline]
    pub(super) fn of<'a>(self, text: &'a str, scratch: &'a str) -> &'a str {
        match self {
            Text::Plain(from, to) => text.get(from as usize..to as usize).unwrap_or_default(),
            Text::Decoded(from, to) => scratch.get(from as usize..to as usize).unwrap_or_default(),
            Text::Bad => "",
        }
    }
}

/// A member's value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Field {
    /// Absent or null.
    #[default]
    Absent,
    Text(Text),
    /// A value of another type than a string.
    Other,
}

impl Field {
    pub(super) fn of<'a>(&self, text: &'a str, scratch: &'a str) -> Option<&'a str> {
        match self {
            Field::Text(found) => Some(found.of(text, scratch)),
            Field::Absent | Field::Other => None,
        }
    }

    fn is_bad(&self) -> bool {
        matches!(self, Field::Text(Text::Bad))
    }
}

/// An entry as it is in the text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RawItem {
    pub(super) c_url: Field,
    pub(super) m_url: Field,
    pub(super) modified: Field,
    pub(super) last_modified: Field,
    content_hash: Field,
    etag: Field,
    /// The one hash of an entry in the usual layout, parsed as it was found.
    fingerprint: Option<Fingerprint>,
    seen: u8,
    has_duplicate: bool,
}

/// Reads an entry in the layout of most writers: only the draft's members, in its order, without escapes; with or without
/// white space. Returns its length, or `None` for any other text, which is then read as JSON by [`RawItem::of`]. If this
/// function gives a result, it is the same.
#[inline]
pub(super) fn read_usual_item(text: &str, raw: &mut RawItem) -> Option<usize> {
    let mut at = 0;
    *raw = RawItem { c_url: usual_member(text, &mut at, b"{\"cUrl\":\"")?, ..RawItem::default() };
    let Some(m_url) = usual_member(text, &mut at, b",\"mUrl\":\"") else {
        return read_canonical_item(text, at, raw);
    };
    raw.m_url = m_url;
    if let Some(modified) = usual_member(text, &mut at, b",\"modified\":\"") {
        raw.modified = modified;
    }
    raw.content_hash = usual_hash(text, &mut at, b",\"contentHash\":\"", &mut raw.fingerprint)?;
    if let Some(etag) = usual_member(text, &mut at, b",\"etag\":\"") {
        raw.etag = etag;
    }
    usual_end(text, at)
}

/// The same for an entry of draft -03 in canonical form, whose `cUrl` has been read.
#[inline]
fn read_canonical_item(text: &str, mut at: usize, raw: &mut RawItem) -> Option<usize> {
    if let Some(etag) = usual_hash(text, &mut at, b",\"etag\":\"", &mut raw.fingerprint) {
        raw.etag = etag;
    }
    if let Some(modified) = usual_member(text, &mut at, b",\"lastModified\":\"") {
        raw.last_modified = modified;
    }
    raw.m_url = usual_member(text, &mut at, b",\"mUrl\":\"")?;
    usual_end(text, at)
}

/// Reads the string after `before` and moves `at` behind its closing quote. `before` is the compact text in
/// front of the string: a brace or a comma, the name between quotes, the colon and a quote.
#[inline(always)]
fn usual_member(text: &str, at: &mut usize, before: &[u8]) -> Option<Field> {
    let bytes = text.as_bytes();
    let start = match bytes.get(*at..)?.starts_with(before) {
        true => *at + before.len(),
        false => spaced(bytes, *at, before)?,
    };
    let end = start + plain_len(bytes.get(start..)?);
    if bytes.get(end) != Some(&b'"') {
        return None;
    }
    *at = end + 1;
    Some(Field::Text(Text::Plain(start as u32, end as u32)))
}

/// The same for a hash: in compact form its digits are read only once, since they can contain no escape or quote.
#[inline(always)]
fn usual_hash(
    text: &str,
    at: &mut usize,
    before: &[u8],
    fingerprint: &mut Option<Fingerprint>,
) -> Option<Field> {
    let rest = text.as_bytes().get(*at..)?;
    if let Some(rest) = rest.strip_prefix(before)
        && let Some((hash, [b'"', ..])) = rest.split_at_checked(Fingerprint::TEXT_LEN)
        && let Ok(found) = Fingerprint::parse_bytes(hash)
    {
        let start = *at + before.len();
        let end = start + Fingerprint::TEXT_LEN;
        (*at, *fingerprint) = (end + 1, Some(found));
        return Some(Field::Text(Text::Plain(start as u32, end as u32)));
    }
    usual_member(text, at, before)
}

/// The place behind `before` with white space between its tokens.
fn spaced(bytes: &[u8], at: usize, before: &[u8]) -> Option<usize> {
    let (&first, rest) = before.split_first()?;
    let name = rest.strip_suffix(b":\"")?;
    let mut at = space_end(bytes, at);
    for token in [&[first][..], name, b":", b"\""] {
        bytes.get(at..)?.starts_with(token).then_some(())?;
        at += token.len();
        if token != b"\"" {
            at = space_end(bytes, at);
        }
    }
    Some(at)
}

/// The place behind the closing brace.
#[inline]
fn usual_end(text: &str, at: usize) -> Option<usize> {
    let at = space_end(text.as_bytes(), at);
    (text.as_bytes().get(at) == Some(&b'}')).then_some(at + 1)
}

/// Index of the first byte from `at` on that is not white space.
#[inline]
fn space_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The members that the reader uses.
#[derive(Clone, Copy)]
enum Name {
    CUrl,
    MUrl,
    Modified,
    LastModified,
    ContentHash,
    Etag,
    Unknown,
}

impl Name {
    fn of(name: &str) -> Self {
        match name.as_bytes() {
            b"cUrl" => Name::CUrl,
            b"mUrl" => Name::MUrl,
            b"modified" => Name::Modified,
            b"lastModified" => Name::LastModified,
            b"contentHash" => Name::ContentHash,
            b"etag" => Name::Etag,
            _ => Name::Unknown,
        }
    }
}

impl RawItem {
    /// The entry that is this object. Strings with escapes are decoded into `scratch`, which is cleared first; the
    /// others are where they are in the object's text.
    pub(super) fn of(entry: JsonValue<'_>, scratch: &mut String) -> Self {
        scratch.clear();
        let start = entry.span().start;
        let mut raw = RawItem::default();
        for (name, value) in entry.members() {
            let name = Name::of(&name.as_str());
            let field = match value.as_str() {
                Some(Cow::Borrowed(text)) => {
                    let from = (value.span().start + 1 - start) as u32;
                    Field::Text(Text::Plain(from, from + text.len() as u32))
                }
                Some(Cow::Owned(_)) if value.has_lone_surrogate() => Field::Text(Text::Bad),
                Some(Cow::Owned(text)) => {
                    let from = scratch.len() as u32;
                    scratch.push_str(&text);
                    Field::Text(Text::Decoded(from, scratch.len() as u32))
                }
                None if value.is_null() => Field::Absent,
                None => Field::Other,
            };
            raw.put(name, field);
        }
        raw
    }

    #[inline]
    fn put(&mut self, name: Name, value: Field) {
        let place = match name {
            Name::CUrl => &mut self.c_url,
            Name::MUrl => &mut self.m_url,
            Name::Modified => &mut self.modified,
            Name::LastModified => &mut self.last_modified,
            Name::ContentHash => &mut self.content_hash,
            Name::Etag => &mut self.etag,
            Name::Unknown => return,
        };
        *place = value;
        let bit = 1 << name as u8;
        self.has_duplicate |= self.seen & bit != 0;
        self.seen |= bit;
    }

    /// The fault of the entry's members that makes it unusable, apart from its URLs.
    pub(super) fn shape_issue(&self) -> Option<ItemIssue> {
        if self.has_duplicate {
            return Some(ItemIssue::DuplicateMember);
        }
        if self.c_url.is_bad() || self.m_url.is_bad() {
            return Some(ItemIssue::BadString);
        }
        match (&self.c_url, &self.m_url) {
            (Field::Text(_), Field::Text(_)) => None,
            (Field::Text(_), _) => Some(ItemIssue::MUrlMissing),
            _ => Some(ItemIssue::CUrlMissing),
        }
    }

    /// The reliable hash, or why there is none.
    pub(super) fn hash(&self, text: &str, scratch: &str) -> Result<Fingerprint, ItemIssue> {
        if let (Some(fingerprint), Field::Absent, _) | (Some(fingerprint), _, Field::Absent) =
            (self.fingerprint, self.content_hash, self.etag)
        {
            return Ok(fingerprint);
        }
        let field = |field: &Field| match field {
            Field::Absent => Ok(None),
            Field::Other => Err(ItemIssue::HashMalformed),
            Field::Text(found) => Ok(Some(found.of(text, scratch))),
        };
        let hash = match (field(&self.content_hash)?, field(&self.etag)?) {
            (Some(hash), Some(etag)) if hash != etag => return Err(ItemIssue::HashConflict),
            (Some(hash), _) | (None, Some(hash)) => hash,
            (None, None) => return Err(ItemIssue::HashMissing),
        };
        Fingerprint::parse(hash).map_err(|_| ItemIssue::HashMalformed)
    }
}

/// After a known origin, plain text of this length stays within the limit on URLs, since an escape has three
/// bytes.
const MAX_PLAIN_BYTES: usize = crate::address::MAX_URL_BYTES / 4;

/// Judges the URLs of entries.
#[derive(Debug, Clone)]
pub(super) struct UrlJudge {
    policy: UrlPolicy,
    /// The required origin of URLs, if any, without a path.
    origin: Option<url::Origin>,
    /// An accepted origin followed by a slash. A URL with this prefix needs no parsing.
    known: String,
    /// The parsed URLs of the last entry, and whether there are any.
    parsed: [Option<Url>; 2],
    has_parsed: bool,
}

impl UrlJudge {
    pub(super) fn new(policy: UrlPolicy, sitemap_url: Option<&Url>) -> Self {
        UrlJudge {
            policy,
            origin: sitemap_url.map(Url::origin),
            known: String::new(),
            parsed: [None, None],
            has_parsed: false,
        }
    }

    pub(super) fn set_policy(&mut self, policy: UrlPolicy) {
        self.policy = policy;
        self.known.clear();
    }

    /// The fault of an entry's URLs, if any. `is_plain` says that their text is known to be
    /// [plain](is_plain_text).
    #[inline]
    pub(super) fn issue(&mut self, c_url: &str, m_url: &str, is_plain: bool) -> Option<ItemIssue> {
        let is_known = [c_url, m_url].map(|url| self.is_known(url, is_plain));
        match is_known {
            [true, true] if !self.has_parsed => None,
            _ => self.issue_of_parsed([c_url, m_url], is_known),
        }
    }

    /// Returns true if a URL needs no parsing: it begins with an accepted origin, and the rest cannot be wrong.
    #[inline]
    fn is_known(&self, url: &str, is_plain: bool) -> bool {
        !self.known.is_empty()
            && url.as_bytes().strip_prefix(self.known.as_bytes()).is_some_and(|rest| {
                (is_plain || (is_plain_text(rest) && !rest.contains(&b'"'))) && rest.len() < MAX_PLAIN_BYTES
            })
    }

    /// The URLs of the last entry, if they had to be parsed.
    pub(super) fn parsed(&self) -> ParsedUrls<'_> {
        ParsedUrls(self.has_parsed.then_some(&self.parsed))
    }

    #[cold]
    fn issue_of_parsed(&mut self, texts: [&str; 2], is_known: [bool; 2]) -> Option<ItemIssue> {
        let [c_url, m_url] = texts;
        let [is_page_known, is_twin_known] = is_known;
        let page = (!is_page_known).then(|| self.parse(c_url, ItemIssue::CUrlInvalid));
        // The page's origin may be that of the twin.
        let page = match page.transpose() {
            Ok(page) => page,
            Err(issue) => return Some(issue),
        };
        let is_twin_known = is_twin_known || self.is_known(m_url, false);
        let twin = (!is_twin_known).then(|| self.parse(m_url, ItemIssue::MUrlInvalid));
        match twin.transpose() {
            Ok(twin) => self.parsed = [page, twin],
            Err(issue) => return Some(issue),
        }
        self.has_parsed = self.parsed.iter().any(Option::is_some);
        None
    }

    fn parse(&mut self, text: &str, invalid: ItemIssue) -> Result<Url, ItemIssue> {
        let url = self.policy.parse(text).map_err(|error| match error.kind() {
            AddressErrorKind::Insecure => ItemIssue::Insecure,
            _ => invalid,
        })?;
        if self.origin.as_ref().is_some_and(|origin| *origin != url.origin()) {
            return Err(ItemIssue::OtherOrigin);
        }
        let known = url.origin().ascii_serialization() + "/";
        // Only text in that very form is sure to have this origin.
        if text.starts_with(&known) {
            self.known = known;
        }
        Ok(url)
    }
}

/// Returns true if the bytes are printable ASCII that, after an origin, changes neither the origin nor the verdict
/// on the URL. Quotes are not checked: a string without escapes contains none.
pub(super) fn is_plain_text(bytes: &[u8]) -> bool {
    let is_other = |byte: u8| {
        u8::from(byte.wrapping_sub(0x21) > 0x5D)
            | u8::from(byte == b'<')
            | u8::from(byte == b'>')
            | u8::from(byte == b'\\')
            | u8::from(byte == b'`')
    };
    // No early exit within a block: each becomes a few vector instructions.
    let any = |bytes: &[u8]| bytes.iter().fold(0, |others, byte| others | is_other(*byte));
    let (blocks, tail) = bytes.as_chunks::<64>();
    blocks.iter().all(|block| any(block) == 0) && any(tail) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fast path reads the usual layouts, with any white space and without; the JSON reader reads all others.
    #[test]
    fn the_usual_layouts_are_read_the_short_way() {
        let hash = Fingerprint::hash(b"text").to_string();
        let layouts = [
            format!(
                r#"{{"cUrl":"https://a.example/","mUrl":"https://a.example/llm/","contentHash":"{hash}"}}"#
            ),
            format!(
                r#"{{"cUrl":"c","mUrl":"m","modified":"2025-01-01T00:00:00Z","contentHash":"{hash}","etag":"{hash}"}}"#
            ),
            format!(r#"{{"cUrl":"c","etag":"{hash}","lastModified":"2025-01-01T00:00:00Z","mUrl":"m"}}"#),
            r#"{"cUrl":"c","mUrl":"m"}"#.into(),
        ];
        let is_short = |text: &str| {
            let mut raw = RawItem::default();
            let len = read_usual_item(text, &mut raw)?;
            let part = |field: &Field| field.of(text, "").map(String::from);
            Some((len, [part(&raw.c_url), part(&raw.m_url), part(&raw.content_hash), part(&raw.etag)]))
        };
        for (number, text) in layouts.iter().enumerate() {
            let Some((len, found)) = is_short(text) else {
                assert_eq!(number, 3, "{text}");
                continue;
            };
            assert_eq!(len, text.len());
            let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
            let expected = ["cUrl", "mUrl", "contentHash", "etag"]
                .map(|name| json.get(name).and_then(|value| value.as_str()).map(String::from));
            assert_eq!(found, expected, "{text}");
            for space in [" ", "\n", "\r\n", "\t", "\n    "] {
                let spaced = text
                    .replace("\",\"", &format!("\"{space},{space}\""))
                    .replace("\":\"", &format!("\"{space}:{space}\""))
                    .replace('{', &format!("{{{space}"))
                    .replace('}', &format!("{space}}}"));
                assert_eq!(is_short(&spaced), Some((spaced.len(), expected.clone())), "{spaced:?}");
            }
            // What follows is not looked at; what is cut is not taken.
            assert_eq!(is_short(&format!("{text},{{")), Some((text.len(), expected)));
            for cut in 0..text.len() {
                assert_eq!(is_short(&text[..cut]), None, "{}", &text[..cut]);
            }
            assert_eq!(is_short(&text.replace("\"c", "\"\\u0063")), None, "escaped");
        }
    }

    /// Each byte at each place of texts around a block's length.
    #[test]
    fn plain_text_is_printable_and_leaves_urls_as_they_are() {
        for byte in 0..=u8::MAX {
            let is_plain = byte.is_ascii_graphic() && !b"<>\\`".contains(&byte);
            assert_eq!(is_plain_text(&[byte]), is_plain, "{byte:#x}");
            for len in [2, 63, 64, 65, 130] {
                for at in [0, 1, len / 2, len - 1] {
                    let mut text = std::vec![b'a'; len];
                    text[at] = byte;
                    assert_eq!(is_plain_text(&text), is_plain, "{byte:#x} at {at} of {len}");
                }
            }
        }
        assert!(is_plain_text(b""));
    }
}
