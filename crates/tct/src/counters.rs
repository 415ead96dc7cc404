//! The numbers of a crawl.

use core::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::visit::Outcome;

/// Counts of one crawl or of several: plain sums, which [`AddAssign`] adds up.
///
/// ```
/// use tct::counters::Counters;
/// use tct::Plan;
/// let mut counters = Counters::default();
/// counters.count_plan(&Plan::Skip);
/// counters.count_plan(&Plan::Fetch);
/// counters.count_exchange(200, 17_700);
/// assert_eq!(counters.skip_share(), Some(0.5));
/// assert_eq!(counters.bytes_received, 17_700);
/// ```
///
/// Spec: TCT draft-00, "Energy"; TCT-OPS-3, TCT-OPS-4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Counters {
    /// Pages planned.
    pub pages: u64,
    /// Pages skipped without a request.
    pub skipped: u64,
    /// Requests answered.
    pub requests: u64,
    /// Responses with status 304.
    pub not_modified: u64,
    /// Responses with status 200.
    pub fetched: u64,
    /// Bytes of bodies as they came over the wire.
    pub bytes_received: u64,
    /// Pages whose new body was stored, or used once.
    pub stored: u64,
    /// Pages whose stored body was kept.
    pub kept: u64,
    /// Pages whose response was refused.
    pub refused: u64,
    /// Pages that were gone, missing, forbidden or without an answer.
    pub unavailable: u64,
}

impl Counters {
    /// Counts a page's plan.
    pub fn count_plan(&mut self, plan: &Plan<'_>) {
        self.pages += 1;
        self.skipped += u64::from(*plan == Plan::Skip);
    }

    /// Counts a response: its status, and the bytes of its body on the wire.
    pub fn count_exchange(&mut self, status: u16, body_bytes: u64) {
        self.requests += 1;
        self.not_modified += u64::from(status == 304);
        self.fetched += u64::from(status == 200);
        self.bytes_received = self.bytes_received.saturating_add(body_bytes);
    }

    /// Counts the end of a visit.
    pub fn count_outcome(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Store { .. } | Outcome::UseOnce { .. } => self.stored += 1,
            Outcome::Keep { .. } | Outcome::Restore { .. } => self.kept += 1,
            Outcome::Refuse { .. } => self.refused += 1,
            _ => self.unavailable += 1,
        }
    }

    /// Share of pages that were skipped; `None` without pages.
    #[must_use]
    pub fn skip_share(&self) -> Option<f64> {
        share(self.skipped, self.pages)
    }

    /// Share of responses that were 304; `None` without responses.
    #[must_use]
    pub fn not_modified_share(&self) -> Option<f64> {
        share(self.not_modified, self.requests)
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        self.pages += other.pages;
        self.skipped += other.skipped;
        self.requests += other.requests;
        self.not_modified += other.not_modified;
        self.fetched += other.fetched;
        self.bytes_received = self.bytes_received.saturating_add(other.bytes_received);
        self.stored += other.stored;
        self.kept += other.kept;
        self.refused += other.refused;
        self.unavailable += other.unavailable;
    }
}
