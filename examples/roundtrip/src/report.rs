//! What a crawl did, and what it saved: as a table for people, as JSON for programs.
//!
//! What counts:
//!
//! - *Received* are the bytes of all responses that the agent got: their bodies as they came, and their heads written
//!   out as in HTTP/1.1 (HTTP/2 sends them smaller). *Unpacked* is the same with the bodies decoded.
//! - *HTML* is what a crawler without the protocol would have fetched: the body of every published page, plain and in
//!   gzip. Its heads are left out, which favours the HTML.
//! - *Saved* compares like with like: what was received in gzip with the HTML in gzip, unpacked with plain.

use std::fmt;
use std::time::Duration;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use serde::Serialize;

use site::files::PassedOver;
use site::publisher::Coding;
use test_sites::costs::HtmlCost;

/// What one crawl did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CrawlReport {
    /// Which crawl it was.
    pub name: String,
    /// Pages that the sitemaps list.
    pub pages: u64,
    /// Requests sent.
    pub requests: u64,
    /// Pages for which no request was needed.
    pub skipped: u64,
    /// Responses with status 304.
    pub not_modified: u64,
    /// Responses with status 200.
    pub ok: u64,
    /// Responses with any other status, and requests without a response.
    pub failed: u64,
    /// Bytes received: bodies as they came, and heads.
    pub received: u64,
    /// The same with the bodies decoded.
    pub unpacked: u64,
    /// What the HTML would have cost.
    pub html: HtmlCost,
    /// The pages that were fetched and stored.
    pub fetched: Vec<String>,
    /// What the checks of responses and sitemaps found, with the URL in front.
    pub findings: Vec<PassedOver>,
    /// How long it took.
    pub seconds: f64,
}

impl CrawlReport {
    /// Share of the plain HTML's bytes that were not needed, in percent; negative where it was more.
    #[must_use]
    pub fn saved_plain(&self) -> f64 {
        saved(self.unpacked, self.html.plain)
    }

    /// Share of the bytes of the HTML in gzip that were not needed, in percent.
    #[must_use]
    pub fn saved_gzip(&self) -> f64 {
        saved(self.received, self.html.gzip)
    }

    fn add(&mut self, other: &CrawlReport) {
        self.pages += other.pages;
        self.requests += other.requests;
        self.skipped += other.skipped;
        self.not_modified += other.not_modified;
        self.ok += other.ok;
        self.failed += other.failed;
        self.received += other.received;
        self.unpacked += other.unpacked;
        self.html.plain += other.html.plain;
        self.html.gzip += other.html.gzip;
        self.seconds += other.seconds;
    }
}

#[expect(clippy::cast_precision_loss, reason = "a percentage of two digits")]
fn saved(received: u64, html: u64) -> f64 {
    if html == 0 { 0.0 } else { 100.0 * (1.0 - received as f64 / html as f64) }
}

/// The whole run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The site's name.
    pub site: String,
    /// The coding that the agent asked for.
    pub coding: Coding,
    /// HTML files found, readable or not.
    pub files: u64,
    /// Those that are not published, and why.
    pub passed_over: Vec<PassedOver>,
    /// Pages whose text was changed before the third crawl.
    pub changed_text: Vec<String>,
    /// Pages whose template was changed before the third crawl.
    pub changed_template: Vec<String>,
    /// The crawls in order.
    pub crawls: Vec<CrawlReport>,
    /// Their sum.
    pub totals: CrawlReport,
}

impl Report {
    /// Adds a crawl to the list and to the totals.
    pub fn push(&mut self, crawl: CrawlReport) {
        self.totals.name = "total".to_owned();
        self.totals.add(&crawl);
        self.crawls.push(crawl);
    }

    /// Whether every crawl got what it asked for, without a finding.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.crawls.iter().all(|crawl| crawl.failed == 0 && crawl.findings.is_empty())
    }
}

impl fmt::Display for Report {
    /// The table, and below it what was passed over or found, the first few of each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED);
        let received = format!("received\n{}", self.coding.name());
        table.set_header([
            "crawl",
            "pages",
            "requests",
            "skipped",
            "304",
            "200",
            "failed",
            received.as_str(),
            "HTML\ngzip",
            "saved",
            "received\nunpacked",
            "HTML\nplain",
            "saved",
            "time",
        ]);
        for crawl in self.crawls.iter().chain([&self.totals]) {
            table.add_row([
                crawl.name.clone(),
                crawl.pages.to_string(),
                crawl.requests.to_string(),
                crawl.skipped.to_string(),
                crawl.not_modified.to_string(),
                crawl.ok.to_string(),
                crawl.failed.to_string(),
                bytes(crawl.received),
                bytes(crawl.html.gzip),
                percent(crawl.saved_gzip()),
                bytes(crawl.unpacked),
                bytes(crawl.html.plain),
                percent(crawl.saved_plain()),
                format!("{:.1?}", Duration::try_from_secs_f64(crawl.seconds).unwrap_or_default()),
            ]);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(f, "{table}")?;
        let changes = (self.changed_text.len(), self.changed_template.len());
        writeln!(
            f,
            "changed before crawl 3: the text of {} pages, only the template of {}",
            changes.0, changes.1
        )?;
        list(f, "left out", &self.passed_over)?;
        for crawl in &self.crawls {
            list(f, &format!("found in {}", crawl.name), &crawl.findings)?;
        }
        Ok(())
    }
}

fn list(f: &mut fmt::Formatter<'_>, heading: &str, items: &[PassedOver]) -> fmt::Result {
    const SHOWN: usize = 5;
    if items.is_empty() {
        return Ok(());
    }
    writeln!(f, "{heading}: {}", items.len())?;
    for item in items.iter().take(SHOWN) {
        writeln!(f, "  {}: {}", item.what, item.why)?;
    }
    if items.len() > SHOWN {
        writeln!(f, "  … and {} more (all of them with --json)", items.len() - SHOWN)?;
    }
    Ok(())
}

/// A share for people, rounded down: only what is all is 100 %.
fn percent(share: f64) -> String {
    format!("{:.1} %", (share * 10.0).floor() / 10.0)
}

/// A number of bytes for people, in decimal units.
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.2} GB", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let mut report = Report {
            site: "a site".to_owned(),
            coding: Coding::Gzip,
            files: 3,
            passed_over: vec![PassedOver { what: "empty.html".to_owned(), why: "no text".to_owned() }],
            changed_text: vec!["a.html".to_owned()],
            changed_template: Vec::new(),
            crawls: Vec::new(),
            totals: CrawlReport::default(),
        };
        let html = HtmlCost { plain: 4000, gzip: 1000 };
        let name = "first".to_owned();
        report.push(CrawlReport {
            name,
            pages: 2,
            requests: 4,
            ok: 4,
            received: 600,
            unpacked: 1200,
            html,
            ..Default::default()
        });
        let name = "again".to_owned();
        report.push(CrawlReport {
            name,
            pages: 2,
            requests: 1,
            skipped: 2,
            not_modified: 1,
            received: 50,
            unpacked: 50,
            html,
            ..Default::default()
        });
        report
    }

    #[test]
    fn totals_are_sums_and_shares_compare_like_with_like() {
        let report = report();
        assert_eq!((report.totals.pages, report.totals.requests, report.totals.skipped), (4, 5, 2));
        assert!((report.crawls[0].saved_gzip() - 40.0).abs() < 1e-9);
        assert!((report.crawls[0].saved_plain() - 70.0).abs() < 1e-9);
        assert!((report.totals.saved_gzip() - 67.5).abs() < 1e-9);
        assert!(report.is_clean());
    }

    #[test]
    fn the_table_shows_every_crawl_and_what_was_passed_over() {
        let text = report().to_string();
        for part in ["first", "again", "total", "67.5 %", "empty.html: no text", "the text of 1 pages"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert_eq!((percent(99.999), percent(100.0)), ("99.9 %".to_owned(), "100.0 %".to_owned()));
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1_500_000), "1.5 MB");
    }
}
