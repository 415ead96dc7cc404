//! The report as data: what `--json` prints.

use serde::Serialize;

use crate::finding::{Finding, Protocol, Severity};
use crate::readiness::Readiness;

/// The result of an audit.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The site's name in the demonstration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'static str>,
    /// The page that the audit began with.
    pub url: String,
    /// When, as RFC 3339.
    pub audited_at: String,
    /// Each protocol, with whether the site offers it.
    pub offers: Vec<Offer>,
    /// For each purpose, whether the page may be used.
    pub uses: Vec<Use>,
    /// What agents save by twins, if there are any.
    pub savings: Option<Savings>,
    /// Whether the site is ready for agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readiness: Option<Readiness>,
    /// The findings, the worst first.
    pub findings: Vec<Finding>,
}

/// A protocol on this site.
#[derive(Debug, Clone, Serialize)]
pub struct Offer {
    /// The protocol.
    pub protocol: Protocol,
    /// Whether the site offers any part of it.
    pub is_offered: bool,
    /// The parts that were found.
    pub facts: Vec<String>,
}

/// Whether the page may be used for a purpose, by everything that the site says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Use {
    /// The purpose, such as `ai-train`.
    pub purpose: &'static str,
    /// `allow`, `deny`, `conditional` or `unstated`.
    pub decision: &'static str,
    /// The statements that decided it, in the signals' own words.
    pub decided_by: Vec<String>,
    /// Every statement about it, those that decided it among them.
    pub reasons: Vec<String>,
    /// Conditions that the user must meet.
    pub obligations: Vec<String>,
    /// What a reader should know beside the decision.
    pub caveats: Vec<String>,
}

impl Use {
    /// The statements that did not decide it.
    #[must_use]
    pub fn others(&self) -> Vec<String> {
        self.reasons.iter().filter(|reason| !self.decided_by.contains(reason)).cloned().collect()
    }

    /// The reasons, obligations and caveats for people, on one line: first what decided it.
    #[must_use]
    pub fn why(&self) -> String {
        let list = |name: &str, items: &[String]| match items {
            [] => None,
            items => Some(format!("{name} {}", items.join(", "))),
        };
        let parts = [
            Some(self.decided_by.join("; ")).filter(|reasons| !reasons.is_empty()),
            list("beside it", &self.others()),
            list("obliged to", &self.obligations),
            list("note:", &self.caveats),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// Bytes of bodies as they came, in gzip or br.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Savings {
    /// Pages that the sitemap lists.
    pub pages_listed: u64,
    /// Pages that were fetched in both forms.
    pub pages_measured: u64,
    /// Those pages as HTML.
    pub html_bytes: u64,
    /// Their twins.
    pub twin_bytes: u64,
    /// The whole sitemap.
    pub sitemap_bytes: u64,
    /// The sitemap, asked for again.
    pub sitemap_again_bytes: u64,
}

impl Report {
    /// How many findings of this severity there are, checks of readiness among them.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        let found = self.findings.iter().filter(|finding| finding.severity == severity).count();
        found + self.readiness.as_ref().map_or(0, |readiness| readiness.count(severity))
    }
}

impl Savings {
    /// The three visits to compare: a name, the bytes, and the share that is saved.
    #[must_use]
    pub fn bars(&self) -> [Bar; 3] {
        let bar = |name, bytes| Bar { name, bytes, saved: share_saved(bytes, self.html_bytes) };
        [
            bar("pages as HTML", self.html_bytes),
            bar("first visit: sitemap and twins", self.sitemap_bytes + self.twin_bytes),
            bar("each visit while nothing changes", self.sitemap_again_bytes),
        ]
    }
}

/// One line of the comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// What is fetched.
    pub name: &'static str,
    /// How much that is.
    pub bytes: u64,
    /// The share of the HTML that is saved; negative where it is more.
    pub saved: f64,
}

fn share_saved(bytes: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { 1.0 - bytes as f64 / of as f64 }
}

/// Bytes for people.
#[must_use]
pub fn human(bytes: u64) -> String {
    match bytes {
        0..=999 => format!("{bytes} B"),
        1_000..=999_999 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_compare_with_the_html() {
        let savings = Savings {
            pages_listed: 4,
            pages_measured: 2,
            html_bytes: 2000,
            twin_bytes: 800,
            sitemap_bytes: 200,
            sitemap_again_bytes: 0,
        };
        let [html, first, again] = savings.bars();
        assert_eq!((html.bytes, html.saved), (2000, 0.0));
        assert_eq!((first.bytes, first.saved), (1000, 0.5));
        assert_eq!((again.bytes, again.saved), (0, 1.0));
        assert_eq!(Savings { html_bytes: 0, ..savings }.bars()[1].saved, 0.0);
        assert_eq!(
            (human(999), human(1500), human(2_340_000)),
            ("999 B".into(), "1.5 kB".into(), "2.3 MB".into())
        );
    }
}
