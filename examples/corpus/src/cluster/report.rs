//! What an executor tells about its functions, a line of JSON at a time.

use std::collections::BTreeMap;
use std::pin::pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::functions::Counts;

/// How often an executor looks whether it has something to tell.
const INTERVAL: Duration = Duration::from_millis(250);

/// The counts of one executor since it began.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Report {
    /// Rows that its functions were asked about.
    pub(super) asked: u64,
    /// Rows that functions could not answer.
    pub(super) warnings: BTreeMap<String, u64>,
}

impl Report {
    fn of(counts: &Counts) -> Self {
        let warnings = counts.warnings().into_iter().map(|(function, rows)| (function.to_owned(), rows));
        Report { asked: counts.asked(), warnings: warnings.collect() }
    }
}

/// Prints a report whenever the counts have changed, the last one at the end.
pub(super) async fn print(counts: &Counts, end: impl Future<Output = ()>) {
    let mut end = pin!(end);
    let mut last = Report::default();
    let mut goes_on = true;
    while goes_on {
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = &mut end => goes_on = false,
        }
        let report = Report::of(counts);
        if report != last
            && let Ok(line) = serde_json::to_string(&report)
        {
            println!("{line}");
            last = report;
        }
    }
}
