//! The summary of a whole feed.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use web_values::Severity;

use crate::finding::{Code, ManifestFinding};

/// How often a code was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FindingCount {
    /// The code.
    pub code: Code,
    /// Its severity.
    pub severity: Severity,
    /// How often.
    pub count: u64,
}

/// The counts of a feed, and the findings about it as a whole.
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-1, LLMI-AMB-13, LLMI-ERR-5.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use]
pub struct FeedSummary {
    products: u64,
    bad_lines: u64,
    /// Errors first.
    counts: BTreeMap<(Reverse<Severity>, Code), u64>,
    findings: Vec<ManifestFinding>,
}

impl core::fmt::Display for FeedSummary {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} products, {} bad lines", self.products, self.bad_lines)?;
        self.findings.iter().try_for_each(|finding| write!(f, "; {finding}"))
    }
}

impl FeedSummary {
    /// How many lines are valid products.
    #[must_use]
    pub fn products(&self) -> u64 {
        self.products
    }

    /// How many lines have an error.
    #[must_use]
    pub fn bad_lines(&self) -> u64 {
        self.bad_lines
    }

    /// Whether no line, nor the feed as a whole, has an error.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.bad_lines == 0 && !self.findings.iter().any(ManifestFinding::is_error)
    }

    /// Returns true if the feed has a valid product. Otherwise rely on the pages.
    ///
    /// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-5.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.products > 0
    }

    /// How often each code was found in the lines: errors first, then by code.
    pub fn counts(&self) -> impl Iterator<Item = FindingCount> + '_ {
        self.counts.iter().map(|(&(Reverse(severity), code), &count)| FindingCount { code, severity, count })
    }

    /// The findings about the feed as a whole: it is empty, has no valid product, or was not read to its end.
    pub fn findings(&self) -> &[ManifestFinding] {
        &self.findings
    }

    /// Counts one line; whether it has no error.
    pub(super) fn count(&mut self, findings: &[ManifestFinding]) -> bool {
        let mut valid = true;
        for finding in findings {
            valid &= !finding.is_error();
            *self.counts.entry((Reverse(finding.severity()), finding.code())).or_default() += 1;
        }
        if valid {
            self.products += 1;
        } else {
            self.bad_lines += 1;
        }
        valid
    }

    pub(super) fn conclude(&mut self, ids_overflowed: bool, too_long: bool) {
        let mut add = |severity, code, requirement, message: &str| {
            self.findings.push(ManifestFinding::new(severity, code, requirement, "", message));
        };
        if too_long {
            let message = "expected a feed within the limit, found a longer one; the rest was not read";
            add(Severity::Error, Code::FeedTooLong, "LLMI-AMB-13", message);
        }
        if ids_overflowed {
            let message = "expected identifiers within the limit, found more; not all were compared";
            add(Severity::Warning, Code::IdsNotCompared, "LLMI-FEED-2", message);
        }
        match (self.products, self.bad_lines) {
            (0, 0) if !too_long => {
                let message = "expected at least one product, found an empty feed";
                add(Severity::Warning, Code::EmptyFeed, "LLMI-AMB-13", message);
            }
            (0, bad) if bad > 0 => {
                let message = "expected at least one valid product, found none; rely on the pages";
                add(Severity::Warning, Code::NoValidProduct, "LLMI-ERR-5", message);
            }
            _ => {}
        }
    }
}
