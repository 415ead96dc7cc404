//! Applying a delta: the held lines that stay, followed by the delta's valid lines.

use super::reader::Fate;
use super::{DeltaError, DeltaErrorKind, FeedDelta};
use web_values::Timestamp;

use crate::{FeedLine, FeedOptions, FeedReader};

/// The held feed, without the lines that the delta replaces or deletes.
#[derive(Debug, Clone)]
pub struct HeldLines {
    reader: FeedReader,
    delta: FeedDelta,
    counts: Counts,
}

/// The delta's lines that are part of the new feed.
#[derive(Debug, Clone)]
pub struct ChangedLines {
    reader: FeedReader,
    delta: FeedDelta,
    counts: Counts,
    /// The number of expected lines, and of those seen so far.
    expected: u64,
    seen: u64,
}

/// The result of applying a delta.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[must_use]
pub struct DeltaSummary {
    /// Held products that stayed.
    pub kept: u64,
    /// Held products that were replaced.
    pub replaced: u64,
    /// Held products that were deleted.
    pub deleted: u64,
    /// Products that were not held before.
    pub added: u64,
    /// Changes that were older than the held product, which stayed.
    pub stale: u64,
    /// Held lines that are not a valid product, and were dropped.
    pub dropped: u64,
    /// The state of the new feed: the delta's end, or the old state if a line of the delta had an error.
    pub feed_updated_at: Timestamp,
}

impl core::fmt::Display for DeltaSummary {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let DeltaSummary { kept, replaced, deleted, added, stale, dropped, feed_updated_at } = self;
        write!(f, "{kept} kept, {replaced} replaced, {deleted} deleted, {added} added, {stale} stale, ")?;
        write!(f, "{dropped} dropped, as of {feed_updated_at}")
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    kept: u64,
    replaced: u64,
    deleted: u64,
    stale: u64,
    dropped: u64,
}

/// Returns true if a held line stays.
fn stays(line: &FeedLine<'_>, delta: &mut FeedDelta, counts: &mut Counts) -> bool {
    let Some(product) = line.product().filter(|_| line.is_valid()) else {
        counts.dropped += 1;
        return false;
    };
    let at = product.updated_at().map(|time| time.instant());
    let Some(change) = delta.change_of(&product) else {
        counts.kept += 1;
        return true;
    };
    if at > Some(change.at) {
        change.fate = Fate::Stale;
        counts.kept += 1;
        counts.stale += 1;
        return true;
    }
    change.fate = Fate::Held;
    if change.is_deletion {
        counts.deleted += 1;
    } else {
        counts.replaced += 1;
    }
    false
}

impl HeldLines {
    pub(super) fn new(delta: FeedDelta) -> Self {
        // The held feed was read before; its identifiers are not compared again.
        let options = FeedOptions { max_ids: 0, max_bytes: u64::MAX, ..delta.options };
        HeldLines { reader: FeedReader::new([0; 16], options), delta, counts: Counts::default() }
    }

    /// The next held line that stays and ends in `chunk`, without its line feed; takes bytes off the front as
    /// [`FeedReader::next_line`].
    pub fn next_line<'r, 'c: 'r>(&'r mut self, chunk: &mut &'c [u8]) -> Option<&'r str> {
        let HeldLines { reader, delta, counts } = self;
        reader.next_json(chunk, |line| stays(line, delta, counts))
    }

    /// The line that the end of the held feed ends, if it stays. Call it once after the last chunk.
    pub fn last_line(&mut self) -> Option<&str> {
        let HeldLines { reader, delta, counts } = self;
        reader.last_json(|line| stays(line, delta, counts))
    }

    /// Continues with the delta's own lines, after the last held one.
    #[must_use]
    pub fn changes(self) -> ChangedLines {
        let HeldLines { delta, counts, .. } = self;
        let counted = |change: &super::reader::Change| !change.is_deletion && change.fate != Fate::Stale;
        let expected = delta.changes.values().filter(|change| counted(change)).count() as u64;
        ChangedLines { reader: FeedReader::of_delta(delta.options), delta, counts, expected, seen: 0 }
    }
}

impl ChangedLines {
    /// The next line of the delta that is part of the new feed and ends in `chunk`, without its line feed. Give it the
    /// same bytes as [`DeltaReader`](crate::DeltaReader), cut as you like.
    pub fn next_line<'r, 'c: 'r>(&'r mut self, chunk: &mut &'c [u8]) -> Option<&'r str> {
        let ChangedLines { reader, delta, seen, .. } = self;
        reader.next_json(chunk, |line| counts(line, delta, seen))
    }

    /// The line that the end of the delta ends, if it is part of the new feed. Call it once after the last chunk.
    pub fn last_line(&mut self) -> Option<&str> {
        let ChangedLines { reader, delta, seen, .. } = self;
        reader.last_json(|line| counts(line, delta, seen))
    }

    /// The result, after the last line.
    ///
    /// # Errors
    /// [`DeltaErrorKind::Changed`] if the delta was not the one that was read first: discard the feed written so
    /// far.
    pub fn finish(self) -> Result<DeltaSummary, DeltaError> {
        let ChangedLines { delta, counts, expected, seen, .. } = self;
        if seen != expected {
            return Err(DeltaError::of(DeltaErrorKind::Changed));
        }
        Ok(DeltaSummary {
            kept: counts.kept,
            replaced: counts.replaced,
            deleted: counts.deleted,
            added: expected.saturating_sub(counts.replaced),
            stale: counts.stale,
            dropped: counts.dropped,
            feed_updated_at: delta.leads_to,
        })
    }
}

/// Whether a line of the delta is the one that counts for its identifier.
fn counts(line: &FeedLine<'_>, delta: &mut FeedDelta, seen: &mut u64) -> bool {
    let number = line.number();
    let change =
        line.product().filter(|_| line.is_valid()).and_then(|product| delta.change_of(&product).copied());
    let counts = change
        .is_some_and(|change| change.line == number && !change.is_deletion && change.fate != Fate::Stale);
    *seen += u64::from(counts);
    counts
}
