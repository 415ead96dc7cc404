//! The product feed: one JSON object a line, of any length.
//!
//! ```text
//! chunk ─▶ next_line(&mut chunk) ─▶ FeedLine { number, product, findings }   until the chunk is used up
//! …
//! end   ─▶ last_line()           ─▶ the line that no line feed ended
//!          summary()             ─▶ counts, and findings about the whole feed
//! ```
//!
//! - Lines end in LF or CRLF; the last one may end in nothing. One byte order mark at the start is skipped.
//!   Lines of white space alone are skipped, and counted in the line numbers.
//! - A line that is not JSON, not UTF-8, too long or too deep is reported and skipped.
//! - A line that is entirely in one chunk is read in place. Only lines that span chunks are copied.
//!
//! # Memory
//!
//! A reader holds one line at most ([`Limits::max_bytes`](crate::Limits), 1 MiB by default, and nothing of a longer one), that
//! line's nodes and findings, and of every identifier a 64-bit keyed hash (SipHash-1-3), up to [`FeedOptions::max_ids`] of them.
//! The set of hashes takes 10 to 21 bytes an identifier, and up to 31 for the moment in which it doubles, because the old table
//! is still there then. The probability that two of n different identifiers collide is about n²/2⁶⁵ (3·10⁻⁸ for a million), if
//! the feed's author does not know the key.

mod delta;
mod reader;
mod summary;
mod writer;

pub use delta::{
    ChangedLines, DeltaBase, DeltaChange, DeltaError, DeltaErrorKind, DeltaLine, DeltaReader, DeltaSummary,
    DeltaWriter, FeedDelta, HeldLines,
};
pub use reader::{FeedLine, FeedOptions, FeedReader};
pub use summary::{FeedSummary, FindingCount};
pub use writer::FeedWriter;

use alloc::string::ToString;
use core::hash::{BuildHasherDefault, Hasher};

use hashbrown::HashSet;
use siphasher::sip::SipHasher13;

use crate::finding::{Code, ManifestFinding};
use web_values::Severity;

use crate::{LlmindexTextError, LlmindexTextErrorKind};

/// The finding for a line that could not be read at all.
pub(crate) fn line_finding(error: &LlmindexTextError) -> ManifestFinding {
    let (code, requirement) = match error.kind() {
        LlmindexTextErrorKind::NotUtf8 => (Code::NotUtf8, "LLMI-FEED-1"),
        LlmindexTextErrorKind::TooLong => (Code::TooLong, "LLMI-AMB-13"),
        LlmindexTextErrorKind::TooDeep => (Code::TooDeep, "LLMI-AMB-29"),
        _ => (Code::NotJson, "LLMI-FEED-1"),
    };
    ManifestFinding::new(Severity::Error, code, requirement, "", error.to_string())
}

/// The identifiers seen so far, as keyed hashes.
#[derive(Debug, Clone)]
struct IdSet {
    hasher: SipHasher13,
    seen: HashSet<u64, BuildHasherDefault<AlreadyHashed>>,
    max: usize,
    /// Set if there was no room for an identifier.
    overflowed: bool,
}

impl IdSet {
    fn new(key: [u8; 16], max: usize) -> Self {
        IdSet { hasher: SipHasher13::new_with_key(&key), seen: HashSet::default(), max, overflowed: false }
    }

    /// Adds an identifier; returns false if it was there.
    #[inline]
    fn insert(&mut self, id: &str) -> bool {
        let hash = self.hasher.hash(id.as_bytes());
        if self.seen.len() >= self.max {
            let known = self.seen.contains(&hash);
            self.overflowed |= !known;
            return !known;
        }
        self.seen.insert(hash)
    }
}

/// The keys are hashes already.
#[derive(Debug, Clone, Copy, Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
