//! The report as one HTML page without scripts, fonts or images from elsewhere.

use std::path::{Path, PathBuf};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::finding::{Finding, Severity};
use crate::readiness::Readiness;
use crate::report::{Report, Savings, Use, human};

const STYLE: &str = include_str!("page.css");

/// The files of a report, the first at `path`: a page a site and, of several sites, a page that leads to them.
#[must_use]
pub fn files(reports: &[Report], path: &Path) -> Vec<(PathBuf, String)> {
    if let [report] = reports {
        return vec![(path.to_owned(), render(report, None))];
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name_of = |index: usize, report: &Report| {
        let name = report.name.unwrap_or("site").replace(' ', "-");
        format!("{stem}-{}-{name}.html", index + 1)
    };
    let names: Vec<String> =
        reports.iter().enumerate().map(|(index, report)| name_of(index, report)).collect();
    let up = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let sites = reports.iter().zip(&names);
    let sites = sites.map(|(report, name)| (path.with_file_name(name), render(report, Some(&up))));
    [(path.to_owned(), index(reports, &names))].into_iter().chain(sites).collect()
}

fn document(title: &str, main: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (main) }
                footer { "Every check says in its own row what it asks for and how to fix it." }
            }
        }
    };
    page.into_string()
}

/// The page that leads to those of several sites.
fn index(reports: &[Report], names: &[String]) -> String {
    let main = html! {
        article {
            header {
                p.kicker { "Audit" }
                h1 { (reports.len()) " sites" }
            }
            table.sites {
                thead { tr { th { "Points" } th { "Site" } th { "Findings" } th { "Fix first" } } }
                tbody {
                    @for (report, name) in reports.iter().zip(names) {
                        @let readiness = report.readiness.as_ref();
                        tr {
                            td data-label="Points" { strong { (points(readiness.and_then(|found| found.points))) } }
                            td data-label="Site" {
                                a href=(name) { (report.name.unwrap_or(&report.url)) }
                                p.place { (report.url) }
                            }
                            td data-label="Findings" { (counts(report)) }
                            td data-label="Fix first" {
                                @if let Some(row) = readiness.and_then(|found| found.mend_first.first()) { (row.mend()) }
                            }
                        }
                    }
                }
            }
        }
    };
    document(&format!("Audit of {} sites", reports.len()), &main)
}

fn counts(report: &Report) -> Markup {
    html! {
        ul.counts {
            @for severity in [Severity::Error, Severity::Warning, Severity::Notice] {
                @let count = report.count(severity);
                li class=(severity.name()) { strong { (count) } " " (severity.name()) @if count != 1 { "s" } }
            }
        }
    }
}

fn points(points: Option<u32>) -> String {
    points.map_or_else(|| "–".to_owned(), |points| points.to_string())
}

/// The page of one site; `up` is the page that leads to it.
#[must_use]
pub fn render(report: &Report, up: Option<&str>) -> String {
    let main = html! {
        article {
            header {
                p.kicker {
                    @if let Some(up) = up { a href=(up) { "All sites" } ", " }
                    "Audit" @if let Some(name) = report.name { " of the " (name) " site" }
                    ", " time datetime=(report.audited_at) { (report.audited_at) }
                }
                h1 { (report.url) }
                (counts(report))
            }
            nav aria-label="Contents" {
                ul.contents {
                    @if report.readiness.is_some() { li { a href="#ready" { "Agent readiness" } } }
                    @if !report.offers.is_empty() { li { a href="#offers" { "Protocols" } } }
                    @if !report.uses.is_empty() { li { a href="#uses" { "May it be used" } } }
                    @if report.savings.is_some() { li { a href="#bytes" { "Bytes" } } }
                    li { a href="#findings" { "Findings" } }
                }
            }
            @if let Some(found) = &report.readiness { (readiness(found)) }
            @if !report.offers.is_empty() {
                section.offers id="offers" aria-label="Protocols" {
                    @for offer in &report.offers {
                        div.offer {
                            h2 { (offer.protocol.name()) }
                            p.state { @if offer.is_offered { "offered" } @else { "not offered" } }
                            ul { @for fact in &offer.facts { li { (fact) } } }
                        }
                    }
                }
            }
            @if !report.uses.is_empty() { (uses(&report.uses)) }
            @if let Some(savings) = &report.savings { (chart(savings)) }
            (table(&report.findings))
        }
    };
    document(&format!("Audit of {}", report.url), &main)
}

/// The points of each group, what to fix first, and every check that did not pass.
fn readiness(found: &Readiness) -> Markup {
    html! {
        section.readiness id="ready" {
            h2 { "Agent readiness: " (points(found.points)) " of 100" }
            p { (found.pages.len()) " pages, " (found.requests) " requests" }
            dl.scores {
                @for score in &found.scores {
                    dt { (score.group.name()) }
                    dd {
                        span.track { span.bar style=(format!("width:{}%", score.points.unwrap_or(0))) {} }
                        span.figure {
                            @match score.points {
                                Some(points) => (points),
                                None => small { "not offered, nothing to judge" },
                            }
                            @if let Some(row) = score.mend_first { " " small { a href=(format!("#{}", row.id())) { (row.mend()) } } }
                        }
                    }
                }
            }
            @if !found.mend_first.is_empty() {
                h3 { "Fix these first" }
                ol { @for row in &found.mend_first { li { (row.mend()) " " a.requirement href=(format!("#{}", row.id())) { (row.id()) } } } }
            }
            @let rest = found.to_mend();
            @if !rest.is_empty() {
                table {
                    thead { tr { th { "Severity" } th { "Check" } th { "Asked and found" } th { "To fix it" } } }
                    tbody {
                        @for found in rest {
                            @let severity = found.severity.unwrap_or(Severity::Notice);
                            tr id=(found.check.row.id()) {
                                td data-label="Severity" { span class=(format!("badge {}", severity.name())) { (severity.name()) } }
                                td data-label="Check" { code { (found.check.row.id()) } br; span.requirement { (found.group.name()) } }
                                td data-label="Asked and found" {
                                    (found.check.row.asks())
                                    @if let Some(detail) = &found.check.detail { p.place { "Found: " (detail) } }
                                }
                                td data-label="To fix it" { (found.check.row.mend()) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn uses(uses: &[Use]) -> Markup {
    html! {
        section.uses id="uses" {
            h2 { "May it be used" }
            table {
                thead { tr { th { "Purpose" } th { "Decision" } th { "Why" } } }
                tbody {
                    @for verdict in uses {
                        tr {
                            td data-label="Purpose" { (verdict.purpose) }
                            td data-label="Decision" { strong { (verdict.decision) } }
                            td data-label="Why" {
                                @for reason in &verdict.decided_by { p.decided { "Decided by " strong { (reason) } } }
                                @for reason in verdict.others() { p.place { "Beside it: " (reason) } }
                                @for text in &verdict.obligations { p.place { "Obliged to: " (text) } }
                                @for text in &verdict.caveats { p.place { "Note: " (text) } }
                                @if verdict.reasons.is_empty() { p.place { "Nothing is said about it." } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn chart(savings: &Savings) -> Markup {
    let bars = savings.bars();
    let longest = bars.iter().map(|bar| bar.bytes).max().unwrap_or(1).max(1) as f64;
    html! {
        section.chart id="bytes" {
            h2 { "Bytes an agent receives" }
            p { (savings.pages_measured) " of " (savings.pages_listed) " pages, bodies in gzip or br" }
            dl {
                @for bar in bars {
                    @let share = bar.bytes as f64 / longest * 100.0;
                    dt { (bar.name) }
                    dd {
                        span.track { span.bar style=(format!("width:{share:.2}%")) {} }
                        span.figure {
                            (human(bar.bytes))
                            @if bar.saved > 0.0 { " " small { (format!("{:.1} % saved", bar.saved * 100.0)) } }
                        }
                    }
                }
            }
        }
    }
}

fn table(findings: &[Finding]) -> Markup {
    html! {
        section.findings id="findings" {
            h2 { "Findings" }
            @if findings.is_empty() {
                p { "None." }
            } @else {
                table {
                    thead { tr { th { "Severity" } th { "Finding" } th { "Expected and found" } th { "To fix it" } } }
                    tbody { @for finding in findings { (row(finding)) } }
                }
            }
        }
    }
}

fn row(finding: &Finding) -> Markup {
    html! {
        tr {
            td data-label="Severity" { span class=(format!("badge {}", finding.severity.name())) { (finding.severity.name()) } }
            td data-label="Finding" {
                code { (finding.check.code()) }
                br;
                (finding.check.about())
                br;
                span.requirement { (finding.protocol.name()) ", " (finding.requirement) }
            }
            td data-label="Expected and found" {
                "Expected " (finding.expected) ", found " strong { (finding.found) } "."
                @if let [place] = finding.places.as_slice() {
                    p.place { (place) }
                } @else {
                    details {
                        summary { (finding.count) " places" }
                        ul { @for place in &finding.places { li { (place) } } }
                        @if finding.count > finding.places.len() as u64 { p { "and more" } }
                    }
                }
            }
            td data-label="To fix it" { (finding.mend) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Check, Findings};

    #[test]
    fn the_page_needs_nothing_else_and_escapes_strangers() {
        let mut findings = Findings::default();
        findings.add(Check::TwinProblem, "https://x.example/<script>", "a tag", "\"><img src=x onerror=y>");
        let savings = Savings {
            pages_listed: 2,
            pages_measured: 2,
            html_bytes: 0,
            twin_bytes: 0,
            sitemap_bytes: 0,
            sitemap_again_bytes: 0,
        };
        let report = Report {
            name: None,
            url: "https://x.example/".to_owned(),
            audited_at: "2026-11-21T09:00:00Z".to_owned(),
            offers: Vec::new(),
            uses: Vec::new(),
            savings: Some(savings),
            readiness: None,
            findings: findings.into_sorted(),
        };
        let page = render(&report, None);
        assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
        for outside in ["src=\"", "url(", "@import", "<link", "href=\"h", "href=\"/"] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(page.contains("width:0.00%"), "{page}");
        let sites = [report.clone(), Report { name: Some("soft 404"), ..report }];
        let files = files(&sites, Path::new("out/report.html"));
        let names: Vec<_> = files.iter().map(|(path, _)| path.to_string_lossy().into_owned()).collect();
        assert_eq!(names, ["out/report.html", "out/report-1-site.html", "out/report-2-soft-404.html"]);
        assert!(files[0].1.contains("href=\"report-2-soft-404.html\""), "{}", files[0].1);
        assert!(files[2].1.contains("href=\"report.html\""), "{}", files[2].1);
    }

    #[test]
    fn the_page_says_what_decided_and_leads_to_it() {
        let text = |text: &str| vec![text.to_owned()];
        let verdict = Use {
            purpose: "ai-train",
            decision: "deny",
            decided_by: text("tdmrep says no"),
            reasons: vec!["robots says yes".to_owned(), "tdmrep says no".to_owned()],
            obligations: Vec::new(),
            caveats: Vec::new(),
        };
        let page = uses(&[verdict]).into_string();
        assert!(page.contains("Decided by <strong>tdmrep says no</strong>"), "{page}");
        assert!(page.contains("Beside it: robots says yes") && page.matches("tdmrep").count() == 1, "{page}");
        let check = ready::Check { row: ready::Row::Map1, verdict: ready::Verdict::Fail, detail: None };
        let found = Readiness::of(vec![check], crate::readiness::Profile::Site, Vec::new(), 0);
        let page = readiness(&found).into_string();
        assert!(page.contains("href=\"#READY-MAP-1\"") && page.contains("id=\"READY-MAP-1\""), "{page}");
    }
}
