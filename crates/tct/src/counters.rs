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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UnixSeconds;
    use crate::visit::Refusal;

    #[test]
    fn each_exchange_and_each_end_of_a_visit_is_counted_once() {
        let mut counters = Counters::default();
        assert_eq!((counters.skip_share(), counters.not_modified_share()), (None, None));
        counters.count_plan(&Plan::Skip);
        for (status, bytes) in [(304, 0), (304, 0), (200, 100), (404, 10), (503, 1)] {
            counters.count_exchange(status, bytes);
        }
        assert_eq!((counters.skip_share(), counters.not_modified_share()), (Some(1.0), Some(0.4)));
        counters.count_plan(&Plan::Fetch);
        counters.count_plan(&Plan::Fetch);
        counters.count_outcome(&Outcome::Refuse { reason: Refusal::Status, problems: Vec::new() });
        let held = crate::HeldPage::new("x", UnixSeconds(1));
        for _ in 0..2 {
            counters.count_outcome(&Outcome::Keep { held: held.clone(), disagreement: None });
            counters.count_outcome(&Outcome::Restore { held: held.clone(), disagreement: None });
        }
        let retry_at = UnixSeconds(9);
        for outcome in
            [Outcome::NotFound, Outcome::Gone, Outcome::Forbidden, Outcome::Unavailable { retry_at }]
        {
            counters.count_outcome(&outcome);
        }
        let once = Counters {
            pages: 3,
            skipped: 1,
            requests: 5,
            not_modified: 2,
            fetched: 1,
            bytes_received: 111,
            stored: 0,
            kept: 4,
            refused: 1,
            unavailable: 4,
        };
        assert_eq!(counters, once);
        let mut twice = Counters { stored: 7, ..once };
        twice += Counters { stored: 5, ..once };
        let sum = Counters {
            pages: 6,
            skipped: 2,
            requests: 10,
            not_modified: 4,
            fetched: 2,
            bytes_received: 222,
            stored: 12,
            kept: 8,
            refused: 2,
            unavailable: 8,
        };
        assert_eq!(twice, sum);
        counters.bytes_received = u64::MAX;
        counters.count_exchange(200, 1);
        counters += once;
        assert_eq!(counters.bytes_received, u64::MAX, "no overflow");
    }
}
