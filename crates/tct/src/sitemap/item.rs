//! One entry of a sitemap: its members found in the text, and what can be wrong with them.

use std::borrow::Cow;

use tct_canonical_json::{JsonValue, plain_len};
use url::Url;

use crate::UrlPolicy;

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
    /// The hash: `contentHash` of draft -00 or `etag` of draft -01, in the form `sha256-` and 64 lower-case hex
    /// digits. `None` where the entry has none that can be relied on; then [`SitemapItem::issue`] says why.
    pub hash: Option<&'a str>,
    /// Why the entry has no hash. Such a page can be fetched, but never skipped (TCT-AMB-46).
    pub issue: Option<ItemIssue>,
    /// Length of the entry's text in bytes. Publishers should stay within [`RECOMMENDED_ITEM_BYTES`].
    pub len_bytes: usize,
}

/// What the draft recommends as the largest entry; longer ones deserve a warning.
///
/// Spec: TCT draft-00, "Scalability"; TCT-SM-13.
pub const RECOMMENDED_ITEM_BYTES: usize = 2048;

impl SitemapItem<'_> {
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
    /// `cUrl` is absent or no string.
    CUrlMissing,
    /// `mUrl` is absent or no string.
    MUrlMissing,
    /// `cUrl` is no absolute URL that the policy accepts.
    CUrlInvalid,
    /// `mUrl` is no absolute URL that the policy accepts.
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
    /// Neither `contentHash` nor `etag` is there. The page stays usable, without zero-fetch.
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

impl ItemIssue {
    /// The stable code, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            ItemIssue::NotAnObject => "not-an-object",
            ItemIssue::CUrlMissing => "c-url-missing",
            ItemIssue::MUrlMissing => "m-url-missing",
            ItemIssue::CUrlInvalid => "c-url-invalid",
            ItemIssue::MUrlInvalid => "m-url-invalid",
            ItemIssue::Insecure => "insecure",
            ItemIssue::OtherOrigin => "other-origin",
            ItemIssue::DuplicateMember => "duplicate-member",
            ItemIssue::BadString => "bad-string",
            ItemIssue::TooLarge => "too-large",
            ItemIssue::TooDeep => "too-deep",
            ItemIssue::HashMissing => "hash-missing",
            ItemIssue::HashMalformed => "hash-malformed",
            ItemIssue::HashConflict => "hash-conflict",
            ItemIssue::Duplicate => "duplicate",
            ItemIssue::Ambiguous => "ambiguous",
        }
    }

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

    /// The rule of the catalogue that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            ItemIssue::NotAnObject => "TCT-SM-3",
            ItemIssue::CUrlMissing | ItemIssue::CUrlInvalid => "TCT-SM-4",
            ItemIssue::MUrlMissing | ItemIssue::MUrlInvalid => "TCT-SM-5",
            ItemIssue::Insecure => "TCT-SEC-1",
            ItemIssue::OtherOrigin => "TCT-AMB-30",
            ItemIssue::DuplicateMember | ItemIssue::TooDeep => "TCT-SEC-10",
            ItemIssue::BadString => "TCT-JSON-4",
            ItemIssue::TooLarge => "TCT-SM-12",
            ItemIssue::HashMissing | ItemIssue::HashMalformed => "TCT-SM-7",
            ItemIssue::HashConflict => "TCT-D01-1",
            ItemIssue::Duplicate | ItemIssue::Ambiguous => "TCT-AMB-36",
        }
    }
}

/// Where a string of an entry stands, as indices. Half-size integers: entries are handed about by value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Text {
    /// In the entry's own text.
    Plain(u32, u32),
    /// In the scratch buffer, with its escapes undone.
    Decoded(u32, u32),
    /// Nowhere: it holds half a surrogate pair.
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
    seen: u8,
    has_duplicate: bool,
}

/// Reads an entry in the layout that most writers use: the members in the draft's order, no escapes, no others; with or
/// without white space. `None` where the text is anything else; it is then read as JSON and looked at by
/// [`RawItem::of`]. Both give the same result where this one gives any.
#[inline]
pub(super) fn read_usual_item(text: &str) -> Option<(RawItem, usize)> {
    let mut at = 0;
    let mut raw = RawItem { c_url: usual_member(text, &mut at, b"{\"cUrl\":\"")?, ..RawItem::default() };
    let Some(m_url) = usual_member(text, &mut at, b",\"mUrl\":\"") else {
        return read_canonical_item(text, at, raw);
    };
    raw.m_url = m_url;
    if let Some(modified) = usual_member(text, &mut at, b",\"modified\":\"") {
        raw.modified = modified;
    }
    raw.content_hash = usual_member(text, &mut at, b",\"contentHash\":\"")?;
    if let Some(etag) = usual_member(text, &mut at, b",\"etag\":\"") {
        raw.etag = etag;
    }
    Some((raw, usual_end(text, at)?))
}

/// The same for an entry of draft -03 in canonical form, whose `cUrl` has been read.
#[inline]
fn read_canonical_item(text: &str, mut at: usize, mut raw: RawItem) -> Option<(RawItem, usize)> {
    if let Some(etag) = usual_member(text, &mut at, b",\"etag\":\"") {
        raw.etag = etag;
    }
    if let Some(modified) = usual_member(text, &mut at, b",\"lastModified\":\"") {
        raw.last_modified = modified;
    }
    raw.m_url = usual_member(text, &mut at, b",\"mUrl\":\"")?;
    Some((raw, usual_end(text, at)?))
}

/// The string behind `before` at `at`, which then follows its quote. `before` is what is in front of the string
/// in compact form: a brace or a comma, the name between quotes, the colon and a quote.
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

    /// What keeps the entry from naming a page, URLs aside.
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

    /// The hash to rely on, or why there is none.
    pub(super) fn hash<'a>(&self, text: &'a str, scratch: &'a str) -> Result<&'a str, ItemIssue> {
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
        if is_hash(hash) { Ok(hash) } else { Err(ItemIssue::HashMalformed) }
    }
}

/// Whether a text is `sha256-` and 64 lower-case hex digits.
pub(crate) fn is_hash(text: &str) -> bool {
    let Some(digits) = text.as_bytes().strip_prefix(b"sha256-") else { return false };
    let Ok(digits) = <&[u8; 64]>::try_from(digits) else { return false };
    // No early exit and bytes for truth values: the loop becomes a few vector instructions.
    let is_other = |byte: u8| u8::from(byte.wrapping_sub(b'0') > 9) & u8::from(byte.wrapping_sub(b'a') > 5);
    digits.iter().fold(0, |others, byte| others | is_other(*byte)) == 0
}

/// Behind a known origin, plain text of this length stays within the limit on URLs: an escape is three bytes.
const MAX_PLAIN_BYTES: usize = crate::address::MAX_URL_BYTES / 4;

/// Judges the URLs of entries.
#[derive(Debug, Clone)]
pub(super) struct UrlJudge {
    policy: UrlPolicy,
    /// The origin that URLs must have, if any, in the form that ends before the path.
    origin: Option<url::Origin>,
    /// An accepted origin with the slash behind it. A URL that begins so needs no parsing.
    known: String,
}

impl UrlJudge {
    pub(super) fn new(policy: UrlPolicy, sitemap_url: Option<&Url>) -> Self {
        UrlJudge { policy, origin: sitemap_url.map(Url::origin), known: String::new() }
    }

    pub(super) fn set_policy(&mut self, policy: UrlPolicy) {
        self.policy = policy;
        self.known.clear();
    }

    /// What is wrong with a URL, if anything; `invalid` is the issue where it is no acceptable URL. `is_plain` says
    /// that its text is known to be [plain](is_plain_text).
    #[inline]
    pub(super) fn issue(&mut self, url: &str, is_plain: bool, invalid: ItemIssue) -> Option<ItemIssue> {
        if !self.known.is_empty()
            && let Some(rest) = url.as_bytes().strip_prefix(self.known.as_bytes())
            && (is_plain || (is_plain_text(rest) && !rest.contains(&b'"')))
            && rest.len() < MAX_PLAIN_BYTES
        {
            return None;
        }
        self.issue_of_parsed(url, invalid)
    }

    #[cold]
    fn issue_of_parsed(&mut self, text: &str, invalid: ItemIssue) -> Option<ItemIssue> {
        let url = match self.policy.parse(text) {
            Ok(url) => url,
            Err(error) if error.kind() == crate::address::AddressErrorKind::Insecure => {
                return Some(ItemIssue::Insecure);
            }
            Err(_) => return Some(invalid),
        };
        if self.origin.as_ref().is_some_and(|origin| *origin != url.origin()) {
            return Some(ItemIssue::OtherOrigin);
        }
        let known = url.origin().ascii_serialization() + "/";
        // Only text in that very form is sure to have this origin.
        if text.starts_with(&known) {
            self.known = known;
        }
        None
    }
}

/// Whether bytes are printable ASCII that, behind an origin, changes neither the origin nor the verdict on the URL.
/// Quotes are not looked at: none stands inside a string without an escape.
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
