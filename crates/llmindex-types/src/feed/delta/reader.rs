//! Reading a delta for the first time: what it changes.

use alloc::borrow::Cow;
use core::hash::BuildHasherDefault;

use hashbrown::HashMap;
use siphasher::sip::SipHasher13;
use web_values::Timestamp;

use super::{DeltaBase, DeltaError, DeltaErrorKind, HeldLines};
use crate::feed::AlreadyHashed;
use crate::finding::ManifestFinding;
use crate::{FeedLine, FeedOptions, FeedReader, FeedSummary, ProductView};

/// Reads a delta from chunks of bytes and notes which products it changes.
///
/// ```
/// use llmindex_types::{DeltaBase, DeltaReader, FeedOptions, web_values::Timestamp};
/// let time = |text| Timestamp::parse(text).unwrap();
/// let product = |id: &str, price: u32, day: u32| format!(
///     "{{\"id\":\"{id}\",\"title\":\"Boots\",\"url\":\"https://shoes.example/{id}\",\"price\":{price},\"currency\":\"EUR\",\
///      \"availability\":\"in_stock\",\"updated_at\":\"2026-02-{day:02}T08:00:00Z\"}}\n"
/// );
/// let held = [product("P1", 80, 1), product("P2", 90, 1), product("P3", 95, 1)].concat();
/// let deleted = "{\"id\":\"P3\",\"deleted\":true,\"updated_at\":\"2026-02-21T09:00:00Z\"}\n";
/// let delta = [product("P4", 70, 21), product("P1", 75, 21), deleted.to_owned()].concat();
///
/// // The delta covers the changes since the held state.
/// let base = DeltaBase::new(time("2026-02-20T00:00:00Z")..=time("2026-02-22T00:00:00Z"))?;
/// let options = FeedOptions::default();
/// let mut reader = DeltaReader::new([7; 16], &base, time("2026-02-20T12:00:00Z"), options)?;
/// let mut chunk = delta.as_bytes();
/// while let Some(line) = reader.next_line(&mut chunk) {
///     assert!(line.is_valid());
/// }
/// assert!(reader.last_line().is_none());
///
/// // The held feed's lines that stay, then the delta's once more.
/// let mut feed = Vec::new();
/// let mut held_lines = reader.finish()?.apply();
/// let mut chunk = held.as_bytes();
/// while let Some(line) = held_lines.next_line(&mut chunk) {
///     feed.push(line.to_owned());
/// }
/// feed.extend(held_lines.last_line().map(str::to_owned));
/// let mut changed = held_lines.changes();
/// let mut chunk = delta.as_bytes();
/// while let Some(line) = changed.next_line(&mut chunk) {
///     feed.push(line.to_owned());
/// }
/// feed.extend(changed.last_line().map(str::to_owned));
/// let summary = changed.finish()?;
///
/// let expected = [product("P2", 90, 1), product("P4", 70, 21), product("P1", 75, 21)].concat();
/// assert_eq!(feed.join("\n") + "\n", expected);
/// assert_eq!((summary.kept, summary.replaced, summary.deleted, summary.added), (1, 1, 1, 1));
/// assert_eq!(summary.feed_updated_at.to_string(), "2026-02-22T00:00:00Z");
/// # Ok::<(), llmindex_types::DeltaError>(())
/// ```
///
/// Spec: llmindex 0.2, "feeds.products_jsonl_delta"; LLMI-V02-4.
#[derive(Debug, Clone)]
pub struct DeltaReader {
    reader: FeedReader,
    delta: FeedDelta,
    overflowed: bool,
}

/// One line of a delta that is not blank.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct DeltaLine<'a>(FeedLine<'a>);

/// The change in a line of a delta.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum DeltaChange<'a> {
    /// The product is new or has changed.
    Put(ProductView<'a>),
    /// The product of this identifier is gone.
    Delete(Cow<'a, str>),
}

impl<'a> DeltaLine<'a> {
    /// The line's number; the first is 1, and blank lines count.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.0.number()
    }

    /// The change, if the line has no error.
    #[must_use]
    pub fn change(&self) -> Option<DeltaChange<'a>> {
        let view = self.0.product().filter(|_| self.0.is_valid())?;
        Some(if view.is_deletion() { DeltaChange::Delete(view.text("id")?) } else { DeltaChange::Put(view) })
    }

    /// The findings about the line. Paths are JSON Pointers into it.
    pub fn findings(&self) -> &'a [ManifestFinding] {
        self.0.findings()
    }

    /// Returns true if the line has no error. A line with an error changes nothing.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.0.is_valid()
    }
}

/// The changes of a delta: for each identifier the line that counts.
#[derive(Debug, Clone)]
pub struct FeedDelta {
    pub(super) changes: HashMap<u64, Change, BuildHasherDefault<AlreadyHashed>>,
    pub(super) hasher: SipHasher13,
    pub(super) options: FeedOptions,
    /// The state of the result.
    pub(super) leads_to: Timestamp,
    held_at: Timestamp,
}

/// The line about one identifier that counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) at: (i64, u32),
    pub(super) line: u64,
    pub(super) is_deletion: bool,
    pub(super) fate: Fate,
}

/// The held product with the identifier of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Nothing.
    New,
    /// An earlier or equally old product.
    Held,
    /// A later product, which stays.
    Stale,
}

impl FeedDelta {
    pub(super) fn change_of(&mut self, product: &ProductView<'_>) -> Option<&mut Change> {
        self.changes.get_mut(&self.hasher.hash(product.text("id")?.as_bytes()))
    }

    /// How many products the delta changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Whether the delta changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Begins to apply the delta to the held feed.
    #[must_use]
    pub fn apply(self) -> HeldLines {
        HeldLines::new(self)
    }

    /// Records a line; returns false if there is no room for its identifier.
    fn note(&mut self, line: &DeltaLine<'_>) -> bool {
        let Some(view) = line.0.product().filter(|_| line.is_valid()) else { return true };
        let (Some(id), Some(at)) = (view.text("id"), view.updated_at()) else { return true };
        let change = Change {
            at: at.instant(),
            line: line.number(),
            is_deletion: view.is_deletion(),
            fate: Fate::New,
        };
        let hash = self.hasher.hash(id.as_bytes());
        if let Some(known) = self.changes.get_mut(&hash) {
            if change.at >= known.at {
                *known = change;
            }
        } else if self.changes.len() < self.options.max_ids {
            self.changes.insert(hash, change);
        } else {
            return false;
        }
        true
    }
}

impl DeltaReader {
    /// A reader at the start of a delta that `base` describes, for a feed held in the state of `held_at`. `id_key` keys
    /// the hashes that stand for the identifiers, as in [`FeedReader::new`].
    ///
    /// # Errors
    /// Those of [`DeltaBase::check`]: a delta against another state is refused before a line is read.
    pub fn new(
        id_key: [u8; 16],
        base: &DeltaBase,
        held_at: Timestamp,
        options: FeedOptions,
    ) -> Result<Self, DeltaError> {
        base.check(held_at)?;
        let delta = FeedDelta {
            changes: HashMap::default(),
            hasher: SipHasher13::new_with_key(&id_key),
            options,
            leads_to: base.until(),
            held_at,
        };
        Ok(DeltaReader { reader: FeedReader::of_delta(options), delta, overflowed: false })
    }

    /// The next line that is not blank and ends in `chunk`, as [`FeedReader::next_line`].
    pub fn next_line<'r, 'c: 'r>(&'r mut self, chunk: &mut &'c [u8]) -> Option<DeltaLine<'r>> {
        let line = DeltaLine(self.reader.next_line(chunk)?);
        self.overflowed |= !self.delta.note(&line);
        Some(line)
    }

    /// The line that the end of the delta ends, if it is not blank. Call it once after the last chunk.
    pub fn last_line(&mut self) -> Option<DeltaLine<'_>> {
        let line = DeltaLine(self.reader.last_line()?);
        self.overflowed |= !self.delta.note(&line);
        Some(line)
    }

    /// The counts so far; lines without an error count as products, deletions too.
    pub fn summary(&self) -> FeedSummary {
        self.reader.summary()
    }

    /// The changes of the delta, after its last line.
    ///
    /// Lines with an error change nothing. Where there was one, applying the delta leaves the held feed at its old
    /// `feed_updated_at`, so that the next delta covers the missing changes again.
    ///
    /// # Errors
    /// [`DeltaErrorKind::TooManyIds`] and [`DeltaErrorKind::TooLong`]: a part of a delta is never applied.
    pub fn finish(self) -> Result<FeedDelta, DeltaError> {
        let DeltaReader { reader, mut delta, overflowed } = self;
        if overflowed {
            return Err(DeltaError::of(DeltaErrorKind::TooManyIds));
        }
        if reader.is_too_long() {
            return Err(DeltaError::of(DeltaErrorKind::TooLong));
        }
        if reader.summary().bad_lines() > 0 {
            delta.leads_to = delta.held_at;
        }
        Ok(delta)
    }
}
