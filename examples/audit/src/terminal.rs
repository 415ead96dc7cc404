//! The report for a terminal, with colour if wanted.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use crate::finding::Severity;
use crate::readiness::Readiness;
use crate::report::{Report, human};

/// The width of the longest bar.
const BAR_WIDTH: f64 = 40.0;

/// The report as text.
#[must_use]
pub fn render(report: &Report, colour: bool) -> String {
    let mut out = String::new();
    // Writing to memory cannot fail.
    let _written = write(&mut out, report, &Paint { colour });
    out
}

struct Paint {
    colour: bool,
}

impl Paint {
    fn paint(&self, style: Style, text: &str) -> String {
        if self.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn bold(&self, text: &str) -> String {
        self.paint(Style::new().bold(), text)
    }

    fn dim(&self, text: &str) -> String {
        self.paint(Style::new().dimmed(), text)
    }

    fn severity(&self, severity: Severity) -> String {
        let colour = match severity {
            Severity::Error => AnsiColor::Red,
            Severity::Warning => AnsiColor::Yellow,
            Severity::Notice => AnsiColor::Cyan,
        };
        self.paint(colour.on_default().bold(), severity.name())
    }
}

fn write(out: &mut String, report: &Report, paint: &Paint) -> std::fmt::Result {
    let name = report.name.map(|name| format!(" ({name})")).unwrap_or_default();
    writeln!(out, "{}{name}\n", paint.bold(&plain(&report.url)))?;
    for offer in &report.offers {
        let mark = if offer.is_offered { "yes" } else { "no " };
        let facts = if offer.facts.is_empty() { "nothing found".to_owned() } else { offer.facts.join("; ") };
        writeln!(out, "{:<11} {mark}  {}", offer.protocol.name(), plain(&facts))?;
    }
    if !report.uses.is_empty() {
        writeln!(out, "\nmay it be used:")?;
    }
    for verdict in &report.uses {
        let line = format!("  {:<9} {:<12} {}", verdict.purpose, verdict.decision, plain(&verdict.why()));
        writeln!(out, "{}", line.trim_end())?;
    }
    if let Some(savings) = &report.savings {
        writeln!(
            out,
            "\n{} of {} pages, bodies in gzip or br:",
            savings.pages_measured, savings.pages_listed
        )?;
        let bars = savings.bars();
        let longest = bars.iter().map(|bar| bar.bytes).max().unwrap_or(1).max(1) as f64;
        for bar in bars {
            let width = (bar.bytes as f64 / longest * BAR_WIDTH).ceil() as usize;
            let saved = format!("{:>6.1} % saved", bar.saved * 100.0);
            writeln!(
                out,
                "  {:<33} {:>9}  {saved}  {}",
                bar.name,
                human(bar.bytes),
                paint.dim(&"▇".repeat(width))
            )?;
        }
    }
    let counts = [Severity::Error, Severity::Warning, Severity::Notice].map(|severity| {
        let count = report.count(severity);
        format!("{count} {}{}", severity.name(), if count == 1 { "" } else { "s" })
    });
    writeln!(out, "\n{}", counts.join(", "))?;
    if let Some(readiness) = &report.readiness {
        write_readiness(out, readiness, paint)?;
    }
    for finding in &report.findings {
        let (severity, code) = (paint.severity(finding.severity), paint.bold(finding.check.code()));
        writeln!(out, "\n{severity} {code} {}", paint.dim(finding.requirement))?;
        writeln!(out, "  expected {}, found {}", plain(&finding.expected), plain(&finding.found))?;
        for place in &finding.places {
            writeln!(out, "  at {}", plain(place))?;
        }
        let more = finding.count.saturating_sub(finding.places.len() as u64);
        if more > 0 {
            writeln!(out, "  and at {more} more places")?;
        }
        writeln!(out, "  {} {}", paint.dim("fix:"), finding.mend)?;
    }
    Ok(())
}

/// The points of each group, what to fix first, and the checks that did not pass.
fn write_readiness(out: &mut String, readiness: &Readiness, paint: &Paint) -> std::fmt::Result {
    let points =
        |points: Option<u32>| points.map_or_else(|| "  –".to_owned(), |points| format!("{points:>3}"));
    writeln!(
        out,
        "\n{} {} of 100, {} pages",
        paint.bold("agent readiness"),
        points(readiness.points).trim(),
        readiness.pages.len()
    )?;
    for score in &readiness.scores {
        let width = score.points.unwrap_or(0) as usize / 5;
        let bar = format!("{}{}", "▇".repeat(width), "·".repeat(20 - width.min(20)));
        let first = score.mend_first.map(|row| format!("  {row}")).unwrap_or_default();
        writeln!(out, "  {:<22} {} {}{}", score.group.name(), points(score.points), paint.dim(&bar), first)?;
    }
    if !readiness.mend_first.is_empty() {
        writeln!(out, "\n{}", paint.bold("fix these first"))?;
    }
    for row in &readiness.mend_first {
        writeln!(out, "  {row}: {}", row.mend())?;
    }
    for found in readiness.to_mend() {
        let (Some(severity), row) = (found.severity, found.check.row) else { continue };
        writeln!(out, "\n{} {} {}", paint.severity(severity), paint.bold(row.id()), row.asks())?;
        if let Some(detail) = &found.check.detail {
            writeln!(out, "  found {}", plain(detail))?;
        }
        writeln!(out, "  {} {}", paint.dim("fix:"), row.mend())?;
    }
    Ok(())
}

/// A site's text without control characters, which a terminal would obey.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Check, Findings};

    #[test]
    fn strangers_cannot_paint_the_terminal() {
        let mut findings = Findings::default();
        findings.add(Check::TwinProblem, "https://x.example/\u{1b}[2J", "a tag", "\u{1b}[31mnone\n");
        let report = Report {
            name: None,
            url: "https://x.example/".to_owned(),
            audited_at: String::new(),
            offers: Vec::new(),
            uses: Vec::new(),
            savings: None,
            readiness: None,
            findings: findings.into_sorted(),
        };
        let text = render(&report, false);
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(
            text.contains("error twin-problem TCT-PAR-1\n  expected a tag, found \u{fffd}[31mnone"),
            "{text}"
        );
        assert!(render(&report, true).contains("\u{1b}[1m\u{1b}[31merror"), "{:?}", render(&report, true));
    }
}
