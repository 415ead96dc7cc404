//! One entry of a sitemap: its members found in the text, and what can be wrong with them.

use url::Url;

use super::scan::{Scanned, ValueScanner, plain_len, space_len};
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
    /// The entry is no object.
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
    /// A member that the reader uses stands twice.
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
    /// The page stood in an earlier entry with the same hash: the two are one.
    Duplicate,
    /// The page stood in an earlier entry with another hash. It stays usable, without zero-fetch.
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

    /// Whether the entry names no page that can be used, as opposed to one that just cannot be skipped.
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

/// The longest entry whose strings [`Text`] can point to.
pub(super) const MAX_ITEM_BYTES: usize = u32::MAX as usize;

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

/// An entry as it stands in the text.
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
    is_too_deep: bool,
}

/// Where reading an entry ended.
#[derive(Debug)]
pub(super) enum ItemScan {
    /// The entry, and the length of its text.
    Complete(RawItem, usize),
    /// The text ends within the entry.
    More,
    /// The byte at this index cannot stand there.
    Fault(usize),
}

/// Reads the object at the start of `text`. Escaped strings are decoded into `scratch`, which is cleared first.
pub(super) fn read_item(text: &str, scratch: &mut String, scanner: &mut ValueScanner) -> ItemScan {
    if let Some((raw, len)) = read_usual_item(text) {
        return ItemScan::Complete(raw, len);
    }
    scratch.clear();
    let mut raw = RawItem::default();
    let mut cursor = Cursor { text, at: 1 };
    match cursor.members(&mut raw, scratch, scanner) {
        Ok(()) => ItemScan::Complete(raw, cursor.at),
        Err(Stop::More) => ItemScan::More,
        Err(Stop::Fault(at)) => ItemScan::Fault(at),
    }
}

/// Reads an entry in the layout that most writers use: compact, the members in the draft's order, no escapes, no
/// others. `None` where the text is anything else; [`Cursor::members`] then reads it from the start. Both give the
/// same result where this one gives any.
#[inline]
fn read_usual_item(text: &str) -> Option<(RawItem, usize)> {
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
    (text.as_bytes().get(at) == Some(&b'}')).then_some((raw, at + 1))
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
    (text.as_bytes().get(at) == Some(&b'}')).then_some((raw, at + 1))
}

/// The string behind `name` at `at`, which then stands behind its quote.
#[inline(always)]
fn usual_member(text: &str, at: &mut usize, name: &[u8]) -> Option<Field> {
    let rest = text.as_bytes().get(*at..)?.strip_prefix(name)?;
    let len = plain_len(rest);
    if rest.get(len) != Some(&b'"') {
        return None;
    }
    let start = *at + name.len();
    *at = start + len + 1;
    Some(Field::Text(Text::Plain(start as u32, (start + len) as u32)))
}

enum Stop {
    More,
    Fault(usize),
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &[u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// The next byte that is no white space; the cursor stays on it.
    #[inline]
    fn peek(&mut self) -> Result<u8, Stop> {
        match self.text.as_bytes().get(self.at) {
            // White space is the exception: deployed sitemaps are compact.
            Some(&byte) if byte > b' ' => Ok(byte),
            _ => {
                self.at += space_len(self.rest());
                self.text.as_bytes().get(self.at).copied().ok_or(Stop::More)
            }
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Stop> {
        if self.peek()? != byte {
            return Err(Stop::Fault(self.at));
        }
        self.at += 1;
        Ok(())
    }

    fn members(
        &mut self,
        raw: &mut RawItem,
        scratch: &mut String,
        scanner: &mut ValueScanner,
    ) -> Result<(), Stop> {
        if self.peek()? == b'}' {
            self.at += 1;
            return Ok(());
        }
        loop {
            if self.peek()? != b'"' {
                return Err(Stop::Fault(self.at));
            }
            let name = self.string(scratch, scanner)?;
            let name = Name::of(name.of(self.text, scratch));
            self.expect(b':')?;
            let value = match self.peek()? {
                b'"' => Field::Text(self.string(scratch, scanner)?),
                first => {
                    self.skip_value(scanner)?;
                    raw.is_too_deep |= scanner.is_too_deep();
                    if first == b'n' { Field::Absent } else { Field::Other }
                }
            };
            raw.put(name, value);
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(Stop::Fault(self.at)),
            }
        }
    }

    fn skip_value(&mut self, scanner: &mut ValueScanner) -> Result<(), Stop> {
        scanner.reset();
        match scanner.feed(self.rest()) {
            Scanned::End(len) => self.at += len,
            Scanned::More => return Err(Stop::More),
            Scanned::Fault(at) => return Err(Stop::Fault(self.at + at)),
        }
        Ok(())
    }

    /// The string at the cursor, which stands on its quote.
    #[inline]
    fn string(&mut self, scratch: &mut String, scanner: &mut ValueScanner) -> Result<Text, Stop> {
        let start = self.at + 1;
        let end = start + plain_len(self.text.as_bytes().get(start..).unwrap_or_default());
        match self.text.as_bytes().get(end) {
            Some(b'"') => {
                self.at = end + 1;
                Ok(Text::Plain(start as u32, end as u32))
            }
            Some(b'\\') => self.escaped_string(scratch, scanner),
            Some(_) => Err(Stop::Fault(end)),
            None => Err(Stop::More),
        }
    }

    #[cold]
    fn escaped_string(&mut self, scratch: &mut String, scanner: &mut ValueScanner) -> Result<Text, Stop> {
        let start = self.at + 1;
        self.skip_value(scanner)?;
        let inner = self.text.get(start..self.at - 1).unwrap_or_default();
        let from = scratch.len();
        match decode(inner, scratch) {
            Some(()) => Ok(Text::Decoded(from as u32, scratch.len() as u32)),
            None => Ok(Text::Bad),
        }
    }
}

/// Appends the text that `inner`, the inside of a well-formed JSON string, stands for. `None` where it holds half a
/// surrogate pair.
pub(super) fn decode(inner: &str, out: &mut String) -> Option<()> {
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at_checked(at)?;
        out.push_str(plain);
        let letter = escape.as_bytes().get(1)?;
        rest = escape.get(2..)?;
        out.push(match letter {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = hex4(&mut rest)?;
                match first {
                    0xD800..=0xDBFF => {
                        rest = rest.strip_prefix("\\u")?;
                        let second = hex4(&mut rest)?;
                        let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
                        char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + low)?
                    }
                    _ => char::from_u32(first)?,
                }
            }
            other => char::from(*other),
        });
    }
    out.push_str(rest);
    Some(())
}

fn hex4(rest: &mut &str) -> Option<u32> {
    let (digits, tail) = rest.split_at_checked(4)?;
    *rest = tail;
    u32::from_str_radix(digits, 16).ok()
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
        if self.is_too_deep {
            return Some(ItemIssue::TooDeep);
        }
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
            && (is_plain || is_plain_text(rest))
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
