//! Reading a sitemap from chunks of any size in constant memory.
//!
//! ```text
//! { "version": 1, "profile": "tct-1", "items": [ {"cUrl": …, "mUrl": …, "modified": …, "contentHash": …}, … ] }
//! ```
//!
//! What is accepted: members in any order, unknown ones with any value, `etag` (draft -01) beside or instead of
//! `contentHash` (draft -00), `null` for an absent member.
//!
//! What is reported and skipped: an entry that is not an object, lacks a URL, has one that the policy refuses or that is
//! not the sitemap's origin, repeats a member that matters, or is too large or too deep. An entry without a reliable
//! hash is still an item, so that its page is not forgotten, but it is never skipped.
//!
//! What ends the reading: text that is not JSON, an `items` that is absent or not an array, a limit. Items read
//! before are valid if [`SitemapError::leaves_items_usable`] says so.
//!
//! Sitemaps of draft -03 are read too. In canonical form their `profile` and `version` follow the items, so whether the
//! items may be used is only known at the end: [`SitemapReader::finish`] refuses a document whose top level is wrong
//! (TCT3-SM-11). An item's hash is then its `etag`; `contentHash` has no meaning there, and an item with two different
//! ones has no hash, so that its page is revalidated (TCT3-MIG-7).
//!
//! Any split into chunks gives the same events. Memory is that of the largest entry that a chunk's edge cuts, at most
//! [`SitemapLimits::max_item_bytes`]; the other entries are read in place. Time is linear.

use tct_canonical_json::{
    JsonError, JsonErrorKind, JsonEvent, JsonEvents, JsonKind, JsonReader, JsonStream, JsonValue,
};
use url::Url;

use super::error::{SitemapError, SitemapErrorKind as Kind};
use super::item::{
    Field, ItemIssue, ParsedUrls, RawItem, SitemapItem, UrlJudge, is_plain_text, read_usual_item,
};
use crate::UrlPolicy;
use crate::v03::{BodyKind, Revision, kind_of_profile};

/// The limits of a [`SitemapReader`]. Bytes are counted after decoding a content coding.
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

with_each! { SitemapLimits
    /// The same limits with another number of bytes.
    with_max_bytes: max_bytes: u64;
    /// The same limits with another number of entries.
    with_max_items: max_items: u64;
    /// The same limits with another size of an entry.
    with_max_item_bytes: max_item_bytes: usize;
    /// The same limits with another depth.
    with_max_depth: max_depth: usize;
}

/// What a piece of a sitemap holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum SitemapEvent<'a> {
    /// An entry that names a page.
    Item(SitemapItem<'a>),
    /// An entry that was skipped.
    Skipped(SkippedItem),
}

/// An entry that was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedItem {
    /// Position in the array `items`; the first is 0.
    pub index: u64,
    /// Why.
    pub issue: ItemIssue,
}

/// The members of a sitemap besides its items.
///
/// Spec: TCT draft-00, "JSON Sitemap"; TCT-SM-1, TCT-SM-2.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct SitemapSummary {
    /// The member `version`, if it is an integer; `"1"` and `1.0` are none. Only 1 is defined; others are read like it
    /// (TCT-AMB-34).
    pub version: Option<u64>,
    /// The member `profile`, if it is a string. Any value is fine.
    pub profile: Option<String>,
    /// Number of entries, including skipped ones.
    pub items: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl SitemapSummary {
    /// The revision that the document follows, by its profile. The hints of a sitemap of draft -03 are hashes of
    /// bytes.
    ///
    /// Spec: TCT draft-03; TCT3-PROF-6, TCT3-MIG-1.
    #[must_use]
    pub fn revision(&self) -> Revision {
        match self.profile.as_deref().and_then(kind_of_profile) {
            Some(_) => Revision::V03,
            None => Revision::Legacy,
        }
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
/// assert_eq!(summary.version, Some(1));
/// assert_eq!(pages, ["https://example.com/a/"]);
/// assert_eq!(skipped, [(1, "other-origin")]);
/// # Ok::<(), tct::sitemap::SitemapError>(())
/// ```
///
/// Spec: TCT draft-00, "JSON Sitemap"; TCT-SM-1 to TCT-SM-8, TCT-SM-12, TCT-ERR-1, TCT-AMB-30, TCT-D01-1.
#[derive(Debug, Clone)]
pub struct SitemapReader {
    stream: JsonStream,
    state: State,
}

/// The state of the reader, apart from its position in the text.
#[derive(Debug, Clone)]
struct State {
    limits: SitemapLimits,
    judge: UrlJudge,
    place: Place,
    items: u64,
    version: Option<Option<u64>>,
    profile: Option<Option<String>>,
    has_items: bool,
    has_index: bool,
    /// Whether `sitemaps` is a member, whatever its value, and whether `version` is the number 2, however it is written.
    has_sitemaps: bool,
    is_version_2: bool,
    failed: Option<SitemapError>,
    /// Whether events of a chunk were paused and not resumed.
    is_paused: bool,
    /// True if the current chunk is plain text, so that its URLs need no further check.
    is_plain: bool,
    scratch: String,
}

/// Where in the document the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    /// Before a member's name, or the end of the object.
    Name,
    Value(Member),
    /// In the array `items`, before an entry or its end.
    Items,
    /// Within an entry that a chunk's edge cuts.
    Item,
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

/// Names up to this length are read whatever the limit on entries is; the names in use are shorter.
const MIN_KEPT_BYTES: usize = 1024;

/// The JSON stream with these limits. Repeated names and the like are faults of the entry, not of the document.
fn stream(limits: &SitemapLimits) -> JsonStream {
    let reader = JsonReader::new()
        .max_bytes(limits.max_item_bytes.max(MIN_KEPT_BYTES))
        // The limit is for the values of an entry's members.
        .max_depth(limits.max_depth.saturating_add(1))
        .report_repeated_names()
        .report_lone_surrogates()
        .report_huge_numbers();
    JsonStream::new(reader).max_total_bytes(limits.max_bytes)
}

impl SitemapReader {
    /// A reader for the sitemap that `url` answered with, after redirects: entries of other origins are passed over.
    /// Limits and policy are the defaults.
    ///
    /// Spec: TCT draft-00, "JSON Sitemap"; TCT-AMB-30.
    #[must_use]
    pub fn new(url: &Url) -> Self {
        Self::of(UrlJudge::new(UrlPolicy::default(), Some(url)))
    }

    /// A reader that takes entries of every origin. The author of the sitemap can then list pages of any site:
    /// use it to check files, not to crawl.
    #[must_use]
    pub fn any_origin() -> Self {
        Self::of(UrlJudge::new(UrlPolicy::default(), None))
    }

    fn of(judge: UrlJudge) -> Self {
        let limits = SitemapLimits::default();
        let state = State {
            limits,
            judge,
            place: Place::Start,
            items: 0,
            version: None,
            profile: None,
            has_items: false,
            has_index: false,
            has_sitemaps: false,
            is_version_2: false,
            failed: None,
            is_paused: false,
            is_plain: false,
            scratch: String::new(),
        };
        SitemapReader { stream: stream(&limits), state }
    }

    /// The reader with other limits; call it before the first chunk.
    #[must_use]
    pub fn with_limits(mut self, limits: SitemapLimits) -> Self {
        self.state.limits = limits;
        self.stream = stream(&limits);
        self
    }

    /// The reader with another policy for URLs. The origin that they must have stays the same.
    #[must_use]
    pub fn with_policy(mut self, policy: UrlPolicy) -> Self {
        self.state.judge.set_policy(policy);
        self
    }

    /// Takes the next chunk, of any length. Take its events until there are none: dropping events with entries
    /// left in them ends the reading with [`EventsDropped`](Kind::EventsDropped).
    pub fn push<'r>(&'r mut self, chunk: &'r [u8]) -> SitemapEvents<'r> {
        if self.state.is_paused {
            let error = SitemapError::new(Kind::EventsDropped, self.stream.len_bytes());
            self.state.failed.get_or_insert(error);
        }
        self.events(chunk, 0)
    }

    /// Continues the events of a chunk after [`SitemapEvents::pause`].
    pub(crate) fn resume<'r>(&'r mut self, paused: &'r PausedEvents) -> SitemapEvents<'r> {
        self.state.is_paused = false;
        self.events(&paused.bytes, paused.at)
    }

    /// The events of a chunk from an index on.
    fn events<'r>(&'r mut self, chunk: &'r [u8], from: usize) -> SitemapEvents<'r> {
        let rest = chunk.get(from..).unwrap_or_default();
        self.state.is_plain = is_plain_text(rest);
        SitemapEvents { state: &mut self.state, events: self.stream.push(rest), len: chunk.len() }
    }

    /// Ends the document.
    ///
    /// # Errors
    /// The error that ended the reading before, or `Truncated`, `MissingItems` or `UnsupportedIndex`.
    pub fn finish(mut self) -> Result<SitemapSummary, SitemapError> {
        if let Some(error) = self.state.failed {
            return Err(error);
        }
        let offset = self.stream.len_bytes();
        let fail = |kind| Err(SitemapError::new(kind, offset));
        if self.state.is_paused {
            return fail(Kind::EventsDropped);
        }
        // A text that ends within a character is one that ends too early.
        if self.state.place != Place::End || self.stream.finish().is_err() {
            return fail(Kind::Truncated);
        }
        let state = &self.state;
        let kind = state.profile.as_ref().and_then(|profile| kind_of_profile(profile.as_deref()?));
        match kind {
            Some(BodyKind::MSitemapIndex) => return fail(Kind::UnsupportedIndex),
            Some(BodyKind::MSitemap) if state.is_version_2 && !state.has_sitemaps => {}
            Some(_) => return fail(Kind::WrongTopLevel),
            None => {}
        }
        if !state.has_items {
            return fail(if state.has_index { Kind::UnsupportedIndex } else { Kind::MissingItems });
        }
        Ok(self.into_partial_summary())
    }

    /// The summary so far, for the items of a file that is broken further on.
    pub(super) fn into_partial_summary(self) -> SitemapSummary {
        SitemapSummary {
            version: self.state.version.flatten(),
            profile: self.state.profile.flatten(),
            items: self.state.items,
            bytes: self.stream.len_bytes(),
        }
    }

    /// Returns true if the document may be of draft -03: its profile says so, or has not been read yet.
    pub(crate) fn may_be_v03(&self) -> bool {
        let profile = self.state.profile.as_ref();
        profile.is_none_or(|profile| profile.as_deref().is_some_and(|it| kind_of_profile(it).is_some()))
    }

    /// Whether the array `items` has been reached.
    #[must_use]
    pub fn has_items(&self) -> bool {
        self.state.has_items
    }
}

impl State {
    #[cold]
    fn fail(&mut self, error: &JsonError) -> SitemapError {
        *self.failed.get_or_insert(SitemapError::of_json(error))
    }

    #[cold]
    fn fail_at(&mut self, kind: Kind, offset: u64) -> SitemapError {
        *self.failed.get_or_insert(SitemapError::new(kind, offset))
    }

    /// A member's name. False where the document has it already.
    fn name(&mut self, name: &str) -> bool {
        let member = Member::of(name);
        self.has_sitemaps |= name == "sitemaps";
        self.place = Place::Value(member);
        match member {
            Member::Version => self.version.is_none(),
            Member::Profile => self.profile.is_none(),
            Member::Items => !self.has_items,
            Member::Index | Member::Unknown => true,
        }
    }

    /// The value of a member that is not a container, or `None` for any other.
    fn value(&mut self, member: Member, value: Option<JsonValue<'_>>) {
        match member {
            Member::Version => {
                let text = value.map_or("", |value| value.raw());
                self.is_version_2 = text.parse() == Ok(2.0);
                let is_integer = text.bytes().all(|byte| byte.is_ascii_digit());
                self.version = Some(text.parse().ok().filter(|_| is_integer));
            }
            Member::Profile => {
                let text = value.filter(|value| !value.has_lone_surrogate());
                self.profile = Some(text.and_then(|text| Some(text.as_str()?.into_owned())));
            }
            Member::Items | Member::Index | Member::Unknown => {}
        }
        self.place = Place::Name;
    }

    /// The fault that makes an entry unusable, if any.
    #[inline]
    fn issue_of(&mut self, text: &str, raw: &RawItem, is_plain: bool) -> Option<ItemIssue> {
        if text.len() > self.limits.max_item_bytes {
            return Some(ItemIssue::TooLarge);
        }
        if let Some(issue) = raw.shape_issue() {
            return Some(issue);
        }
        let url = |field: &Field| field.of(text, &self.scratch).unwrap_or_default();
        let (c_url, m_url) = (url(&raw.c_url), url(&raw.m_url));
        self.judge.issue(c_url, m_url, is_plain)
    }

    /// The event of an entry that was read.
    #[inline]
    fn event<'a>(&'a mut self, index: u64, text: &'a str, raw: &RawItem, is_plain: bool) -> SitemapEvent<'a> {
        match self.issue_of(text, raw, is_plain) {
            Some(issue) => SitemapEvent::Skipped(SkippedItem { index, issue }),
            None => SitemapEvent::Item(raw.item(index, text, &self.scratch, self.judge.parsed())),
        }
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
pub struct SitemapEvents<'r> {
    state: &'r mut State,
    events: JsonEvents<'r>,
    /// Length of the chunk, or of its rest for resumed events.
    len: usize,
}

/// The remaining events of a chunk. Made by [`SitemapEvents::pause`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub(crate) struct PausedEvents {
    bytes: Vec<u8>,
    at: usize,
}

impl PausedEvents {
    /// Moves to where the resumed events stopped again.
    pub(crate) fn advance_to(&mut self, at: usize) {
        self.at = at;
    }
}

impl SitemapEvents<'_> {
    /// The next event, or `None` when the chunk is used up.
    ///
    /// # Errors
    /// Whatever ends the reading. From then on every call returns that error.
    #[expect(
        clippy::should_implement_trait,
        reason = "events borrow from the reader, which an iterator's cannot"
    )]
    pub fn next(&mut self) -> Result<Option<SitemapEvent<'_>>, SitemapError> {
        if let Some(error) = self.state.failed {
            return Err(error);
        }
        if !self.reach_item()? {
            return Ok(None);
        }
        let max_len = self.state.limits.max_item_bytes;
        let mut usual = RawItem::default();
        let read = self
            .events
            .next_recognised(|rest| read_usual_item(rest, &mut usual).filter(|len| *len <= max_len));
        let event = match read {
            Ok(Some(event)) => event,
            Ok(None) => {
                self.state.place = Place::Item;
                return Ok(None);
            }
            Err(error) => return Err(self.state.fail(&error)),
        };
        self.state.place = Place::Items;
        let index = self.state.items;
        self.state.items += 1;
        let skipped = |issue| SitemapEvent::Skipped(SkippedItem { index, issue });
        Ok(Some(match event {
            JsonEvent::Recognised(text) => {
                let is_plain = self.state.is_plain;
                self.state.event(index, text, &usual, is_plain)
            }
            JsonEvent::Value(value) if value.kind() == JsonKind::Object => {
                let raw = RawItem::of(value, &mut self.state.scratch);
                self.state.event(index, value.raw(), &raw, false)
            }
            JsonEvent::Refused(error) if error.kind() == JsonErrorKind::TooDeep => {
                skipped(ItemIssue::TooDeep)
            }
            JsonEvent::Refused(_) => skipped(ItemIssue::TooLarge),
            _ => skipped(ItemIssue::NotAnObject),
        }))
    }

    /// Reads on to the next entry. Returns false where the chunk or the document has no more.
    #[inline]
    fn reach_item(&mut self) -> Result<bool, SitemapError> {
        loop {
            match self.state.place {
                Place::Item => return Ok(true),
                Place::Items if self.events.next_kind().is_some() => {
                    if self.state.items >= self.state.limits.max_items {
                        return Err(self.state.fail_at(Kind::TooManyItems, self.events.offset()));
                    }
                    return Ok(true);
                }
                _ => {
                    if !self.step()? {
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Reads a part of the document that is not an entry. Returns false where the chunk has no more.
    fn step(&mut self) -> Result<bool, SitemapError> {
        let max_depth = self.state.limits.max_depth;
        let kind = match self.state.place {
            Place::Start | Place::Value(_) => self.events.next_kind(),
            _ => None,
        };
        let wrong = match (self.state.place, kind) {
            (Place::Start, Some(kind)) if kind != JsonKind::Object => Some(Kind::NotAnObject),
            (Place::Value(Member::Items), Some(kind)) if kind != JsonKind::Array => {
                Some(Kind::ItemsNotAnArray)
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            return Err(self.state.fail_at(wrong, self.events.offset()));
        }
        let is_container = matches!(kind, Some(JsonKind::Array | JsonKind::Object));
        let read = match self.state.place {
            Place::Value(Member::Version | Member::Profile) if !is_container => self.events.next_whole(),
            Place::Value(Member::Items) => self.events.next(),
            Place::Value(member) => {
                self.state.has_index |= member == Member::Index && kind == Some(JsonKind::Array);
                self.events.skip_next(max_depth)
            }
            _ => self.events.next(),
        };
        let event = match read {
            Ok(Some(event)) => event,
            Ok(None) => return Ok(false),
            Err(error) => return Err(self.state.fail(&error)),
        };
        match (self.state.place, event) {
            (Place::Start, JsonEvent::ObjectStart) => self.state.place = Place::Name,
            (Place::Name, JsonEvent::Name(name)) => {
                if !self.state.name(&name.as_str()) {
                    return Err(self.state.fail_at(Kind::DuplicateMember, self.events.offset()));
                }
            }
            (Place::Name, _) => self.state.place = Place::End,
            (Place::Value(Member::Items), _) => {
                self.state.has_items = true;
                self.state.place = Place::Items;
            }
            (Place::Value(_), JsonEvent::Refused(error)) if error.kind() == JsonErrorKind::TooDeep => {
                return Err(self.state.fail(&error));
            }
            (Place::Value(member), JsonEvent::Value(value)) => self.state.value(member, Some(value)),
            (Place::Value(member), _) => self.state.value(member, None),
            // The end of the array.
            (Place::Items | Place::Item, _) => self.state.place = Place::Name,
            (Place::Start | Place::End, _) => {}
        }
        Ok(true)
    }

    /// Stops here, to continue later with [`SitemapReader::resume`]. Copies the rest of the chunk, in `O(n)`.
    pub(crate) fn pause(mut self) -> PausedEvents {
        self.state.is_paused = true;
        PausedEvents { bytes: self.events.stop().to_vec(), at: 0 }
    }

    /// Stops resumed events again; returns their position. Copies nothing.
    pub(crate) fn pause_again(mut self) -> usize {
        self.state.is_paused = true;
        self.len - self.events.stop().len()
    }
}

impl Drop for SitemapEvents<'_> {
    /// Reads to the end of the chunk. If an entry was never handed out, the reading fails instead of silently losing
    /// it.
    fn drop(&mut self) {
        if self.state.failed.is_some() || self.state.is_paused {
            return;
        }
        if matches!(self.next(), Ok(Some(_))) {
            self.state.fail_at(Kind::EventsDropped, self.events.offset());
        }
    }
}

impl RawItem {
    #[inline]
    fn item<'a>(
        &self,
        index: u64,
        text: &'a str,
        scratch: &'a str,
        parsed: ParsedUrls<'a>,
    ) -> SitemapItem<'a> {
        let field = |field: &Field| field.of(text, scratch);
        let (hash, issue) = match self.hash(text, scratch) {
            Ok(hash) => (Some(hash), None),
            Err(issue) => (None, Some(issue)),
        };
        SitemapItem {
            index,
            c_url: field(&self.c_url).unwrap_or_default(),
            m_url: field(&self.m_url).unwrap_or_default(),
            modified: field(&self.modified),
            last_modified: field(&self.last_modified),
            hash,
            issue,
            len_bytes: text.len(),
            parsed,
        }
    }
}
