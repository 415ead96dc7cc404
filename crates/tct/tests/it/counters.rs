//! The counts of a crawl.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use tct::counters::Counters;
use tct::visit::Refusal;
use tct::{HeldPage, Outcome, Plan, UnixSeconds};

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
    let held = HeldPage::new("x", UnixSeconds(1));
    for _ in 0..2 {
        counters.count_outcome(&Outcome::Keep { held: held.clone(), disagreement: None });
        counters.count_outcome(&Outcome::Restore { held: held.clone(), disagreement: None });
    }
    let retry_at = UnixSeconds(9);
    for outcome in [Outcome::NotFound, Outcome::Gone, Outcome::Forbidden, Outcome::Unavailable { retry_at }] {
        counters.count_outcome(&outcome);
    }
    let all = |counters: &Counters| {
        let Counters { pages, skipped, requests, not_modified, fetched, bytes_received, .. } = *counters;
        let ended = [counters.stored, counters.kept, counters.refused, counters.unavailable];
        ([pages, skipped, requests, not_modified, fetched, bytes_received], ended)
    };
    let once = counters;
    assert_eq!(all(&once), ([3, 1, 5, 2, 1, 111], [0, 4, 1, 4]));
    let (mut twice, mut other) = (once, once);
    (twice.stored, other.stored) = (7, 5);
    twice += other;
    assert_eq!(all(&twice), ([6, 2, 10, 4, 2, 222], [12, 8, 2, 8]));
    counters.bytes_received = u64::MAX;
    counters.count_exchange(200, 1);
    counters += once;
    assert_eq!(counters.bytes_received, u64::MAX, "no overflow");
}
