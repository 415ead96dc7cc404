//! Reading a sitemap from chunks of any size in constant memory.
//!
//! ```text
//! { "version": 1, "profile": "tct-1", "items": [ {"cUrl": …, "mUrl": …, "modified": …, "contentHash": …}, … ] }
//! ```
//!
//! What is accepted: members in any order, unknown ones with any value, `etag` (draft -01) beside or instead of
//! `contentHash` (draft -00), `null` for an absent member.
//!
//! What is reported and passed over: an entry that is no object, lacks a URL, has one that the policy refuses or that
//! is not the sitemap's origin, repeats a member that matters, or is too large or too deep. An entry whose hash cannot
//! be relied on is still an item, so that its page is not forgotten; it can just not be skipped.
//!
//! What ends the reading: text that is not JSON, an `items` that is absent or no array, a limit. Items read before
//! stand if [`SitemapError::leaves_items_usable`] says so.
//!
//! Sitemaps of draft -03 are read too. In canonical form their `profile` and `version` come behind the items, so whether
//! the items may be used is only known at the end: [`SitemapReader::finish`] refuses a document whose top level is wrong
//! (TCT3-SM-11). An item's hash is then its `etag`; `contentHash` has no meaning there, and an item with two different
//! ones has no hash, so that its page is asked about (TCT3-MIG-7).
//!
//! Any split into chunks gives the same events. Memory is that of the largest entry that a chunk's edge cuts, at most
//! [`SitemapLimits::max_item_bytes`]; the other entries are read where they lie. Time is linear.

use url::Url;

use super::error::{SitemapError, SitemapErrorKind as Kind};
use super::item::{
    ItemIssue, ItemScan, MAX_ITEM_BYTES, RawItem, SitemapItem, UrlJudge, decode, is_plain_text, read_item,
};
use super::scan::{Scanned, ValueScanner, space_len};
use crate::UrlPolicy;
use crate::v03::{BodyKind, Revision, kind_of_profile};

/// How much a [`SitemapReader`] takes. Bytes are decoded ones: count after undoing a content coding.
///
/// Spec: TCT draft-00, "Scalability", "Denial of Service"; TCT-SM-11, TCT-SM-12, TCT-SEC-9, TCT-AMB-44.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SitemapLimits {
    /// Bytes of the whole document. Default: 100,000,000, the draft's example in decimal megabytes.
    pub max_bytes: u64,
    /// Entries. Default: 1,000,000.
    pub max_items: u64,
    /// Bytes of one entry. Default: 2,097,152.
    pub max_item_bytes: usize,
    /// Containers inside each other in a value that the reader does not use. Default: 128.
    pub max_depth: usize,
}

impl Default for SitemapLimits {
    fn default() -> Self {
        SitemapLimits {
            max_bytes: 100_000_000,
            max_items: 1_000_000,
            max_item_bytes: 2 << 20,
            max_depth: 128,
        }
    }
}

impl SitemapLimits {
    /// The same limits with another number of bytes.
    #[must_use]
    pub const fn with_max_bytes(self, max_bytes: u64) -> Self {
        SitemapLimits { max_bytes, ..self }
    }

    /// The same limits with another number of entries.
    #[must_use]
    pub const fn with_max_items(self, max_items: u64) -> Self {
        SitemapLimits { max_items, ..self }
    }

    /// The same limits with another size of an entry.
    #[must_use]
    pub const fn with_max_item_bytes(self, max_item_bytes: usize) -> Self {
        SitemapLimits { max_item_bytes, ..self }
    }

    /// The same limits with another depth.
    #[must_use]
    pub const fn with_max_depth(self, max_depth: usize) -> Self {
        SitemapLimits { max_depth, ..self }
    }
}

/// What a piece of a sitemap holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum SitemapEvent<'a> {
    /// An entry that names a page.
    Item(SitemapItem<'a>),
    /// An entry that was passed over.
    Skipped(SkippedItem),
}

/// An entry that was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedItem {
    /// Position in the array `items`; the first is 0.
    pub index: u64,
    /// Why.
    pub issue: ItemIssue,
}

/// The member `version`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SitemapVersion {
    /// There is none.
    #[default]
    Absent,
    /// An integer. Only 1 is defined; others are read like it (TCT-AMB-34).
    Number(u64),
    /// Something else, such as `"1"` or `1.0`.
    NotAnInteger,
}

/// What a sitemap says of itself.
///
/// Spec: TCT draft-00, "JSON Sitemap"; TCT-SM-1, TCT-SM-2.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SitemapSummary {
    /// The member `version`.
    pub version: SitemapVersion,
    /// The member `profile`, if it is a string. Any value is fine.
    pub profile: Option<String>,
    /// Number of entries, passed-over ones included.
    pub items: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl SitemapSummary {
    /// Whose rules the document follows, by its profile. The hints of a sitemap of draft -03 are hashes of bytes.
    ///
    /// Spec: TCT draft-03; TCT3-PROF-6, TCT3-MIG-1.
    #[must_use]
    pub fn revision(&self) -> Revision {
        match self.profile.as_deref().and_then(kind_of_profile) {
            Some(_) => Revision::V03,
            None => Revision::Legacy,
        }
    }

    /// Whether the document says that it is of version 1, as it must.
    #[must_use]
    pub fn is_current_version(&self) -> bool {
        self.version == SitemapVersion::Number(1)
    }
}

/// Reads a sitemap that arrives in chunks.
///
/// ```
/// use tct::{SitemapEvent, SitemapReader};
///
/// let text = br#"{"version":1,"items":[
///     {"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/llm/","contentHash":"sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"},
///     {"cUrl":"https://evil.example/","mUrl":"https://evil.example/llm/"}
/// ]}"#;
/// let url = url::Url::parse("https://example.com/llm-sitemap.json").unwrap();
/// let mut reader = SitemapReader::new(&url);
/// let (mut pages, mut skipped) = (Vec::new(), Vec::new());
/// for chunk in text.chunks(100) {
///     let mut events = reader.push(chunk);
///     while let Some(event) = events.next()? {
///         match event {
///             SitemapEvent::Item(item) => pages.push(item.c_url.to_owned()),
///             SitemapEvent::Skipped(entry) => skipped.push((entry.index, entry.issue.code())),
///         }
///     }
/// }
/// let summary = reader.finish()?;
/// assert!(summary.is_current_version());
/// assert_eq!(pages, ["https://example.com/a/"]);
/// assert_eq!(skipped, [(1, "other-origin")]);
/// # Ok::<(), tct::SitemapError>(())
/// ```
///
/// Spec: TCT draft-00, "JSON Sitemap"; TCT-SM-1 to TCT-SM-8, TCT-SM-12, TCT-ERR-1, TCT-AMB-30, TCT-D01-1.
#[derive(Debug, Clone)]
pub struct SitemapReader {
    limits: SitemapLimits,
    judge: UrlJudge,
    place: Place,
    /// Bytes taken so far.
    bytes: u64,
    items: u64,
    version: Option<SitemapVersion>,
    profile: Option<Option<String>>,
    has_items: bool,
    has_index: bool,
    /// Whether `sitemaps` is a member, whatever its value, and whether `version` is the number 2, however it is written.
    has_sitemaps: bool,
    is_version_2: bool,
    failed: Option<SitemapError>,
    /// Beginning of a character that a chunk's edge cuts.
    cut: Vec<u8>,
    /// An entry that the completed character ended.
    ended_by_cut: Option<SkippedItem>,
    /// A token that a chunk's edge cuts: whether there is one, what of it is kept, and where its reading stands.
    is_within_token: bool,
    carry: String,
    carry_is_dropped: bool,
    /// Whether events of a chunk were paused and not resumed.
    is_paused: bool,
    /// Whether the chunk at hand is plain text, so that no URL in it needs to be looked through again.
    is_plain: bool,
    scanner: ValueScanner,
    scratch: String,
}

/// Where in the document the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    NameOrEnd,
    Name,
    Colon(Member),
    Value(Member),
    AfterValue,
    ItemOrEnd,
    Item,
    AfterItem,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    Version,
    Profile,
    Items,
    /// A name under which an index of sitemaps might list them.
    Index,
    Unknown,
}

/// An entry that was found: where its text lies, and what it holds.
struct Found {
    /// Its start in the chunk, or `None` where it is in the carry.
    start: Option<usize>,
    raw: RawItem,
    len: usize,
    index: u64,
    issue: Option<ItemIssue>,
}

impl SitemapReader {
    /// A reader for the sitemap that `url` answered with, after redirects: entries of other origins are passed over.
    /// Limits and policy are the defaults.
    ///
    /// Spec: TCT draft-00, "JSON Sitemap"; TCT-AMB-30.
    #[must_use]
    pub fn new(url: &Url) -> Self {
        SitemapReader { judge: UrlJudge::new(UrlPolicy::default(), Some(url)), ..Self::any_origin() }
    }

    /// A reader that takes entries of every origin. Whoever writes the sitemap can then speak for any site: for
    /// checks of files, not for crawling.
    #[must_use]
    pub fn any_origin() -> Self {
        let limits = SitemapLimits::default();
        SitemapReader {
            limits,
            judge: UrlJudge::new(UrlPolicy::default(), None),
            place: Place::Start,
            bytes: 0,
            items: 0,
            version: None,
            profile: None,
            has_items: false,
            has_index: false,
            has_sitemaps: false,
            is_version_2: false,
            failed: None,
            cut: Vec::new(),
            ended_by_cut: None,
            is_within_token: false,
            carry: String::new(),
            carry_is_dropped: false,
            is_paused: false,
            is_plain: false,
            scanner: ValueScanner::new(limits.max_depth),
            scratch: String::new(),
        }
    }

    /// The reader with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: SitemapLimits) -> Self {
        self.limits = limits;
        self.limits.max_item_bytes = limits.max_item_bytes.min(MAX_ITEM_BYTES);
        self.scanner = ValueScanner::new(limits.max_depth);
        self
    }

    /// The reader with another policy for URLs. The origin that they must have stays the same.
    #[must_use]
    pub fn with_policy(mut self, policy: UrlPolicy) -> Self {
        self.judge.set_policy(policy);
        self
    }

    /// Takes the next chunk, of any length. Ask for its events until there is none: events that are dropped with
    /// entries left in them end the reading with [`EventsDropped`](Kind::EventsDropped).
    pub fn push<'r, 'c>(&'r mut self, chunk: &'c [u8]) -> SitemapEvents<'r, 'c> {
        let allowed = usize::try_from(self.limits.max_bytes.saturating_sub(self.bytes)).unwrap_or(usize::MAX);
        let (chunk, mut then) = match chunk.split_at_checked(allowed) {
            Some((allowed, beyond)) if !beyond.is_empty() => (allowed, Some(Kind::TooLarge)),
            _ => (chunk, None),
        };
        let offset = self.bytes;
        if self.is_paused {
            self.failed.get_or_insert(SitemapError { kind: Kind::EventsDropped, offset });
        }
        self.bytes = self.bytes.saturating_add(chunk.len() as u64);
        self.ended_by_cut = None;
        let rest = self.complete_cut_character(chunk, offset);
        let start = offset + (chunk.len() - rest.len()) as u64;
        let text = match core::str::from_utf8(rest) {
            Ok(text) => text,
            Err(error) => {
                let (valid, invalid) = rest.split_at_checked(error.valid_up_to()).unwrap_or((rest, &[]));
                match error.error_len() {
                    None => self.cut.extend_from_slice(invalid),
                    Some(_) => then = Some(Kind::InvalidUtf8),
                }
                core::str::from_utf8(valid).unwrap_or_default()
            }
        };
        self.is_plain = is_plain_text(text.as_bytes());
        SitemapEvents { reader: self, text, at: 0, offset: start, then }
    }

    /// Goes on with the events of a chunk where [`SitemapEvents::pause`] left them.
    pub fn resume<'r, 'c>(&'r mut self, paused: &'c PausedEvents) -> SitemapEvents<'r, 'c> {
        self.is_paused = false;
        SitemapEvents {
            reader: self,
            text: &paused.text,
            at: paused.at,
            offset: paused.offset,
            then: paused.then,
        }
    }

    /// Ends the document.
    ///
    /// # Errors
    /// The error that ended the reading before, or `Truncated`, `MissingItems` or `UnsupportedIndex`.
    pub fn finish(mut self) -> Result<SitemapSummary, SitemapError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let fail = |kind| Err(SitemapError { kind, offset: self.bytes });
        if self.is_paused {
            return fail(Kind::EventsDropped);
        }
        if self.place != Place::End || !self.cut.is_empty() {
            return fail(Kind::Truncated);
        }
        let kind = self.profile.as_ref().and_then(|profile| kind_of_profile(profile.as_deref()?));
        match kind {
            Some(BodyKind::MSitemapIndex) => return fail(Kind::UnsupportedIndex),
            Some(BodyKind::MSitemap) if self.is_version_2 && !self.has_sitemaps => {}
            Some(_) => return fail(Kind::WrongTopLevel),
            None => {}
        }
        if !self.has_items {
            return fail(if self.has_index { Kind::UnsupportedIndex } else { Kind::MissingItems });
        }
        Ok(self.take_summary())
    }

    /// What has been read so far. For those who use the items of a file that is broken further on.
    #[must_use]
    pub fn into_partial_summary(mut self) -> SitemapSummary {
        self.take_summary()
    }

    /// Whether the array `items` has been reached.
    #[must_use]
    pub fn has_items(&self) -> bool {
        self.has_items
    }

    fn take_summary(&mut self) -> SitemapSummary {
        SitemapSummary {
            version: self.version.unwrap_or_default(),
            profile: self.profile.take().flatten(),
            items: self.items,
            bytes: self.bytes,
        }
    }

    /// Completes the character that the last chunk cut, and returns what follows it.
    fn complete_cut_character<'c>(&mut self, chunk: &'c [u8], offset: u64) -> &'c [u8] {
        // The character may be cut more than once: it starts where its first byte was.
        let start = offset.saturating_sub(self.cut.len() as u64);
        let mut rest = chunk;
        while !self.cut.is_empty()
            && let Some((&byte, tail)) = rest.split_first()
        {
            let mut bytes = core::mem::take(&mut self.cut);
            bytes.push(byte);
            match core::str::from_utf8(&bytes) {
                Ok(character) => match self.advance(character, 0, start) {
                    Ok((_, None)) => {}
                    Ok((_, Some(found))) => {
                        // A character beyond ASCII ends numbers alone, and can stand behind none.
                        let skipped = |issue| SkippedItem { index: found.index, issue };
                        self.ended_by_cut = found.issue.map(skipped);
                        self.failed = Some(SitemapError { kind: Kind::MalformedJson, offset: start });
                    }
                    Err(error) => self.failed = Some(error),
                },
                Err(error) if error.error_len().is_none() => {
                    self.cut = bytes;
                }
                Err(_) => {
                    self.failed.get_or_insert(SitemapError { kind: Kind::InvalidUtf8, offset: start });
                    return &[];
                }
            }
            rest = tail;
        }
        rest
    }

    /// Reads `text` from the index `at` to the end of the next entry, or to its own end. Returns where it stopped.
    fn advance(
        &mut self,
        text: &str,
        mut at: usize,
        offset: u64,
    ) -> Result<(usize, Option<Found>), SitemapError> {
        let bytes = text.as_bytes();
        let fail = |kind, at: usize| Err(SitemapError { kind, offset: offset + at as u64 });
        loop {
            if self.is_within_token {
                let rest = text.get(at..).unwrap_or_default();
                let (len, is_complete) = match self.scanner.feed(rest.as_bytes()) {
                    Scanned::End(len) => (len, true),
                    Scanned::More => (rest.len(), false),
                    Scanned::Fault(index) => return fail(Kind::MalformedJson, at + index),
                };
                self.keep(rest.get(..len).unwrap_or_default());
                at += len;
                if !is_complete {
                    return Ok((at, None));
                }
                self.is_within_token = false;
                if let Some(found) = self.token_ended(offset + at as u64)? {
                    return Ok((at, Some(found)));
                }
                continue;
            }
            at += space_len(bytes.get(at..).unwrap_or_default());
            let Some(&byte) = bytes.get(at) else { return Ok((at, None)) };
            match (self.place, byte) {
                (Place::AfterItem, b',') => {
                    self.place = Place::Item;
                    at += 1;
                }
                (Place::Item, _)
                | (Place::ItemOrEnd, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                    self.place = Place::Item;
                    if self.items >= self.limits.max_items {
                        return fail(Kind::TooManyItems, at);
                    }
                    if byte != b'{' {
                        self.start_token(true);
                        continue;
                    }
                    let rest = text.get(at..).unwrap_or_default();
                    if rest.len() > MAX_ITEM_BYTES {
                        // Longer than an index can point to: found by the scanner alone, piece by piece.
                        self.start_entry();
                        continue;
                    }
                    match read_item(rest, &mut self.scratch, &mut self.scanner) {
                        ItemScan::Complete(raw, len) => {
                            let issue = self.issue_of(rest, &raw, len, self.is_plain);
                            return Ok((at + len, Some(self.found(Some(at), raw, len, issue))));
                        }
                        ItemScan::More => self.start_entry(),
                        ItemScan::Fault(index) => return fail(Kind::MalformedJson, at + index),
                    }
                }
                (Place::AfterItem | Place::ItemOrEnd, b']') => {
                    self.place = Place::AfterValue;
                    at += 1;
                }
                (Place::Start, b'{') => {
                    self.place = Place::NameOrEnd;
                    at += 1;
                }
                (Place::Start, b'\xEF') if offset + at as u64 == 0 && text.starts_with('\u{feff}') => {
                    return fail(Kind::ByteOrderMark, at);
                }
                (Place::Start, b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                    return fail(Kind::NotAnObject, at);
                }
                (Place::Name | Place::NameOrEnd, b'"') => {
                    self.place = Place::Name;
                    self.start_token(true);
                }
                (Place::AfterValue | Place::NameOrEnd, b'}') => {
                    self.place = Place::End;
                    at += 1;
                }
                (Place::AfterValue, b',') => {
                    self.place = Place::Name;
                    at += 1;
                }
                (Place::Colon(member), b':') => {
                    self.place = Place::Value(member);
                    at += 1;
                }
                (Place::Value(Member::Items), b'[') => {
                    self.has_items = true;
                    self.place = Place::ItemOrEnd;
                    at += 1;
                }
                (Place::Value(Member::Items), b'{' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                    return fail(Kind::ItemsNotAnArray, at);
                }
                (Place::Value(member), _) => {
                    self.has_index |= member == Member::Index && byte == b'[';
                    self.start_token(matches!(member, Member::Version | Member::Profile));
                }
                _ => return fail(Kind::MalformedJson, at),
            }
        }
    }

    fn start_token(&mut self, is_kept: bool) {
        self.is_within_token = true;
        self.carry.clear();
        self.carry_is_dropped = !is_kept;
        self.scanner.reset();
    }

    /// Starts an entry that is an object. The limit on depth is for the values of its members.
    fn start_entry(&mut self) {
        self.start_token(true);
        self.scanner.reset_within(1);
    }

    fn keep(&mut self, piece: &str) {
        if self.carry_is_dropped {
            return;
        }
        if self.carry.len() + piece.len() > self.limits.max_item_bytes {
            self.carry = String::new();
            self.carry_is_dropped = true;
            return;
        }
        self.carry.push_str(piece);
    }

    /// A token is complete in the carry, unless that was dropped.
    fn token_ended(&mut self, offset: u64) -> Result<Option<Found>, SitemapError> {
        let fail = |kind| Err(SitemapError { kind, offset });
        match self.place {
            Place::Item => {
                let mut issue = None;
                let mut raw = RawItem::default();
                if self.carry_is_dropped {
                    issue = Some(ItemIssue::TooLarge);
                } else if self.carry.starts_with('{') {
                    let text = core::mem::take(&mut self.carry);
                    if let ItemScan::Complete(item, len) =
                        read_item(&text, &mut self.scratch, &mut self.scanner)
                    {
                        raw = item;
                        issue = self.issue_of(&text, &raw, len, false);
                    }
                    self.carry = text;
                } else {
                    issue = Some(ItemIssue::NotAnObject);
                }
                let len = self.carry.len();
                return Ok(Some(self.found(None, raw, len, issue)));
            }
            Place::Name => {
                let inner = self.carry.get(1..self.carry.len().saturating_sub(1)).unwrap_or_default();
                self.scratch.clear();
                let member = match decode(inner, &mut self.scratch) {
                    Some(()) => Member::of(&self.scratch),
                    None => Member::Unknown,
                };
                self.has_sitemaps |= member == Member::Index && self.scratch == "sitemaps";
                let is_repeated = match member {
                    Member::Version => self.version.is_some(),
                    Member::Profile => self.profile.is_some(),
                    Member::Items => self.has_items,
                    Member::Index | Member::Unknown => false,
                };
                if is_repeated {
                    return fail(Kind::DuplicateMember);
                }
                self.place = Place::Colon(member);
            }
            Place::Value(member) => {
                if self.scanner.is_too_deep() {
                    return fail(Kind::TooDeep);
                }
                let text = if self.carry_is_dropped { "" } else { self.carry.as_str() };
                match member {
                    Member::Version => {
                        self.is_version_2 = text.parse() == Ok(2.0);
                        let is_integer = text.bytes().all(|byte| byte.is_ascii_digit());
                        let number = text.parse().ok().filter(|_| is_integer);
                        let other = match text {
                            "null" => SitemapVersion::Absent,
                            _ => SitemapVersion::NotAnInteger,
                        };
                        self.version = Some(number.map_or(other, SitemapVersion::Number));
                    }
                    Member::Profile => {
                        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                        let mut profile = String::new();
                        let profile = inner.and_then(|inner| decode(inner, &mut profile).map(|()| profile));
                        self.profile = Some(profile);
                    }
                    Member::Items | Member::Index | Member::Unknown => {}
                }
                self.place = Place::AfterValue;
            }
            _ => return fail(Kind::MalformedJson),
        }
        Ok(None)
    }

    /// What keeps an entry from being used.
    #[inline]
    fn issue_of(&mut self, text: &str, raw: &RawItem, len: usize, is_plain: bool) -> Option<ItemIssue> {
        if len > self.limits.max_item_bytes {
            return Some(ItemIssue::TooLarge);
        }
        if let Some(issue) = raw.shape_issue() {
            return Some(issue);
        }
        let url = |field: &super::item::Field| field.of(text, &self.scratch).unwrap_or_default();
        let (c_url, m_url) = (url(&raw.c_url), url(&raw.m_url));
        self.judge
            .issue(c_url, is_plain, ItemIssue::CUrlInvalid)
            .or_else(|| self.judge.issue(m_url, is_plain, ItemIssue::MUrlInvalid))
    }

    fn found(&mut self, start: Option<usize>, raw: RawItem, len: usize, issue: Option<ItemIssue>) -> Found {
        let index = self.items;
        self.items += 1;
        self.place = Place::AfterItem;
        Found { start, raw, len, index, issue }
    }
}

impl Member {
    fn of(name: &str) -> Self {
        match name {
            "version" => Member::Version,
            "profile" => Member::Profile,
            "items" => Member::Items,
            "sitemaps" | "sitemap" | "index" | "sitemapindex" => Member::Index,
            _ => Member::Unknown,
        }
    }
}

/// The events of one chunk.
#[derive(Debug)]
#[must_use]
pub struct SitemapEvents<'r, 'c> {
    reader: &'r mut SitemapReader,
    text: &'c str,
    at: usize,
    /// Offset of `text` in the document.
    offset: u64,
    /// What is wrong behind `text`.
    then: Option<Kind>,
}

/// The events of a chunk that are still to be asked for. Made by [`SitemapEvents::pause`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct PausedEvents {
    text: String,
    at: usize,
    offset: u64,
    then: Option<Kind>,
}

impl PausedEvents {
    /// Where the events that were resumed from these stopped again.
    pub(crate) fn advance_to(&mut self, at: usize) {
        self.at = at;
    }
}

impl SitemapEvents<'_, '_> {
    /// The next event, or `None` when the chunk is used up.
    ///
    /// # Errors
    /// Whatever ends the reading. From then on every call returns that error.
    #[expect(
        clippy::should_implement_trait,
        reason = "events borrow from the reader, which an iterator's cannot"
    )]
    pub fn next(&mut self) -> Result<Option<SitemapEvent<'_>>, SitemapError> {
        if let Some(skipped) = self.reader.ended_by_cut.take() {
            return Ok(Some(SitemapEvent::Skipped(skipped)));
        }
        if let Some(error) = self.reader.failed {
            return Err(error);
        }
        let (at, found) = match self.reader.advance(self.text, self.at, self.offset) {
            Ok(advanced) => advanced,
            Err(error) => return Err(self.fail(error)),
        };
        self.at = at;
        let Some(found) = found else {
            return match self.then {
                Some(kind) => {
                    let offset = self.offset + self.text.len() as u64;
                    Err(self.fail(SitemapError { kind, offset }))
                }
                None => Ok(None),
            };
        };
        if let Some(issue) = found.issue {
            return Ok(Some(SitemapEvent::Skipped(SkippedItem { index: found.index, issue })));
        }
        let text = match found.start {
            Some(start) => self.text.get(start..).unwrap_or_default(),
            None => self.reader.carry.as_str(),
        };
        let scratch = self.reader.scratch.as_str();
        Ok(Some(SitemapEvent::Item(found.into_item(text, scratch))))
    }

    /// Stops here, to go on later with [`SitemapReader::resume`]. Copies what is left of the chunk; `O(n)` in that.
    pub fn pause(mut self) -> PausedEvents {
        let text = self.text.get(self.at..).unwrap_or_default().to_owned();
        let offset = self.offset + self.at as u64;
        self.reader.is_paused = true;
        PausedEvents { text, at: 0, offset, then: self.then.take() }
    }

    /// Stops here once more; the place in what these events were resumed from. Copies nothing.
    pub(crate) fn pause_again(self) -> usize {
        self.reader.is_paused = true;
        self.at
    }

    fn fail(&mut self, error: SitemapError) -> SitemapError {
        self.reader.failed = Some(error);
        error
    }
}

impl Drop for SitemapEvents<'_, '_> {
    /// Reads on to the end of the chunk. An entry in it was never handed out: the reading fails rather than go on as if
    /// it were not there.
    fn drop(&mut self) {
        if self.reader.failed.is_some() || self.reader.is_paused {
            return;
        }
        let mut lost = self.reader.ended_by_cut.take().is_some();
        if !lost {
            match self.reader.advance(self.text, self.at, self.offset) {
                Ok((at, found)) => {
                    self.at = at;
                    lost = found.is_some();
                }
                Err(error) => self.reader.failed = Some(error),
            }
        }
        let offset = self.offset + self.at as u64;
        if lost {
            self.reader.failed = Some(SitemapError { kind: Kind::EventsDropped, offset });
        } else if let (Some(kind), None) = (self.then, self.reader.failed) {
            self.reader.failed = Some(SitemapError { kind, offset });
        }
    }
}

impl Found {
    fn into_item<'a>(self, text: &'a str, scratch: &'a str) -> SitemapItem<'a> {
        let field = |field: &super::item::Field| field.of(text, scratch);
        let (hash, issue) = match self.raw.hash(text, scratch) {
            Ok(hash) => (Some(hash), None),
            Err(issue) => (None, Some(issue)),
        };
        SitemapItem {
            index: self.index,
            c_url: field(&self.raw.c_url).unwrap_or_default(),
            m_url: field(&self.raw.m_url).unwrap_or_default(),
            modified: field(&self.raw.modified),
            last_modified: field(&self.raw.last_modified),
            hash,
            issue,
            len_bytes: self.len,
        }
    }
}
