//! Errors that end the reading of a sitemap.

use core::fmt;

use tct_canonical_json::{JsonError, JsonErrorKind};

/// Why a sitemap could not be read, or not to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SitemapError {
    kind: SitemapErrorKind,
    offset: u64,
}

/// The kinds of a [`SitemapError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SitemapErrorKind {
    /// The text is not JSON from here on. Items before that place are valid.
    MalformedJson,
    /// The text ended within the document. Items before that place are valid.
    Truncated,
    /// The bytes are not UTF-8 from here on. Items before that place are valid.
    InvalidUtf8,
    /// The text begins with a byte order mark.
    ByteOrderMark,
    /// The document is not an object.
    NotAnObject,
    /// The object has no member `items`.
    MissingItems,
    /// The member `items` is not an array.
    ItemsNotAnArray,
    /// The object has no `items` but a list of sitemaps, or the profile of an index of draft -03: an index, whose entries
    /// no available draft describes (TCT-AMB-36b, TCT3-IDX-2).
    UnsupportedIndex,
    /// The object has a profile of draft -03, but not that of a sitemap, or another version than 2, or a member
    /// `sitemaps`. None of its items may be used.
    WrongTopLevel,
    /// A member that the reader uses appears twice.
    DuplicateMember,
    /// Limit: more bytes than [`SitemapLimits::max_bytes`](super::SitemapLimits::max_bytes), or a member's name longer
    /// than an entry may be.
    TooLarge,
    /// Limit: more items than [`SitemapLimits::max_items`](super::SitemapLimits::max_items).
    TooManyItems,
    /// Limit: nesting deeper than [`SitemapLimits::max_depth`](super::SitemapLimits::max_depth), outside of items.
    TooDeep,
    /// Caller: the events of a chunk were dropped before its last entry was asked for.
    EventsDropped,
}

impl SitemapError {
    pub(super) const fn new(kind: SitemapErrorKind, offset: u64) -> Self {
        SitemapError { kind, offset }
    }

    /// The fault of a text that is not JSON, or not within the limits.
    #[cold]
    pub(super) fn of_json(error: &JsonError) -> Self {
        let kind = match error.kind() {
            JsonErrorKind::UnexpectedEnd => SitemapErrorKind::Truncated,
            JsonErrorKind::InvalidUtf8 | JsonErrorKind::LoneSurrogate => SitemapErrorKind::InvalidUtf8,
            JsonErrorKind::ByteOrderMark => SitemapErrorKind::ByteOrderMark,
            JsonErrorKind::TooDeep => SitemapErrorKind::TooDeep,
            JsonErrorKind::TooLarge => SitemapErrorKind::TooLarge,
            _ => SitemapErrorKind::MalformedJson,
        };
        let offset = error.offset().unwrap_or_default() as u64;
        SitemapError { kind, offset }
    }

    /// What went wrong.
    #[must_use]
    pub const fn kind(&self) -> SitemapErrorKind {
        self.kind
    }

    /// Byte offset in the document.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The rule of the catalogue that was broken.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        self.words()[0]
    }

    /// The rule, what was expected and where, and what was found.
    const fn words(&self) -> [&'static str; 4] {
        use SitemapErrorKind as Kind;
        match self.kind {
            Kind::MalformedJson => ["TCT-ERR-1", "JSON", "at", "other text"],
            Kind::Truncated => ["TCT-ERR-1", "more text", "at", "the end"],
            Kind::InvalidUtf8 => ["TCT-JSON-4", "UTF-8", "at", "other bytes"],
            Kind::ByteOrderMark => ["TCT-JSON-4", "an object", "at", "a byte order mark"],
            Kind::NotAnObject => ["TCT-SM-3", "an object", "at", "another value"],
            Kind::MissingItems => ["TCT-SM-3", "a member `items`", "before", "none"],
            Kind::ItemsNotAnArray => ["TCT-SM-3", "an array", "at", "another value"],
            Kind::UnsupportedIndex => ["TCT-AMB-36b", "a member `items`", "before", "a list of sitemaps"],
            Kind::WrongTopLevel => ["TCT3-SM-11", "a sitemap of draft -03", "before", "other members"],
            Kind::DuplicateMember => ["TCT-SEC-10", "a new member", "at", "a repeated one"],
            Kind::TooLarge => ["TCT-SM-12", "the end", "at or before", "more"],
            Kind::TooManyItems => ["TCT-SM-14", "the last item", "before", "another"],
            Kind::TooDeep => ["TCT-SEC-10", "shallower nesting", "before", "deeper"],
            Kind::EventsDropped => ["TCT-ZF-1", "all events to be taken", "at", "an entry left"],
        }
    }

    /// Returns true if the items before the error can be used: the file is a sitemap that is broken from some
    /// place on, and no limit was exceeded.
    ///
    /// Spec: TCT draft-00, "Error Handling"; TCT-ERR-1.
    #[must_use]
    pub const fn leaves_items_usable(&self) -> bool {
        matches!(
            self.kind,
            SitemapErrorKind::MalformedJson | SitemapErrorKind::Truncated | SitemapErrorKind::InvalidUtf8
        )
    }
}

impl fmt::Display for SitemapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [_, expected, place, found] = self.words();
        write!(f, "expected {expected} {place} byte {}, found {found}", self.offset)
    }
}

impl core::error::Error for SitemapError {}
