//! The report as one HTML page that needs nothing else: no script, no font, no picture from anywhere.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::finding::{Finding, Severity};
use crate::readiness::Readiness;
use crate::report::{Report, Savings, Use, human};

const STYLE: &str = include_str!("page.css");

/// The page for one report or several.
#[must_use]
pub fn render(reports: &[Report]) -> String {
    let title = match reports {
        [report] => report.url.as_str(),
        _ => "several sites",
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Audit of " (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    @if reports.len() > 1 {
                        nav aria-label="Sites" {
                            ol { @for (index, report) in reports.iter().enumerate() {
                                li { a href=(format!("#site-{index}")) { (report.url) } @if let Some(name) = report.name { " (" (name) ")" } }
                            } }
                        }
                    }
                    @for (index, report) in reports.iter().enumerate() { (site(report, index)) }
                }
                footer { "Every check says in its own row what it asks for and how to mend it." }
            }
        }
    };
    page.into_string()
}

fn site(report: &Report, index: usize) -> Markup {
    let here = |part: &str| format!("{part}-{index}");
    html! {
        article id=(here("site")) {
            header {
                p.kicker { "Audit" @if let Some(name) = report.name { " of the " (name) " site" } ", " time datetime=(report.audited_at) { (report.audited_at) } }
                h1 { (report.url) }
                ul.counts {
                    @for severity in [Severity::Error, Severity::Warning, Severity::Notice] {
                        @let count = report.count(severity);
                        li class=(severity.name()) { strong { (count) } " " (severity.name()) @if count != 1 { "s" } }
                    }
                }
            }
            nav aria-label="Contents" {
                ul.contents {
                    @if report.readiness.is_some() { li { a href=(format!("#{}", here("ready"))) { "Agent readiness" } } }
                    li { a href=(format!("#{}", here("offers"))) { "Protocols" } }
                    @if !report.uses.is_empty() { li { a href=(format!("#{}", here("uses"))) { "May it be used" } } }
                    li { a href=(format!("#{}", here("findings"))) { "Findings" } }
                }
            }
            @if let Some(found) = &report.readiness { (readiness(found, &here("ready"))) }
            section.offers id=(here("offers")) aria-label="Protocols" {
                @for offer in &report.offers {
                    div.offer {
                        h2 { (offer.protocol.name()) }
                        p.state { @if offer.is_offered { "offered" } @else { "not offered" } }
                        ul { @for fact in &offer.facts { li { (fact) } } }
                    }
                }
            }
            @if !report.uses.is_empty() { (uses(&report.uses, &here("uses"))) }
            @if let Some(savings) = &report.savings { (chart(savings)) }
            (table(&report.findings, &here("findings")))
        }
    }
}

/// Points a group, what to mend first, and every check with something to mend.
fn readiness(found: &Readiness, id: &str) -> Markup {
    let points = |points: Option<u32>| points.map_or_else(|| "–".to_owned(), |points| points.to_string());
    html! {
        section.readiness id=(id) {
            h2 { "Agent readiness: " (points(found.points)) " of 100" }
            p { (found.pages.len()) " pages, " (found.requests) " requests" }
            dl.scores {
                @for score in &found.scores {
                    dt { (score.group.name()) }
                    dd {
                        span.track { span.bar style=(format!("width:{}%", score.points.unwrap_or(0))) {} }
                        span.figure {
                            (points(score.points))
                            @if let Some(row) = score.mend_first { " " small { (row.mend()) } }
                        }
                    }
                }
            }
            @if !found.mend_first.is_empty() {
                h3 { "Mend these first" }
                ol { @for row in &found.mend_first { li { (row.mend()) " " span.requirement { (row.id()) } } } }
            }
            @let rest = found.to_mend();
            @if !rest.is_empty() {
                table {
                    thead { tr { th { "Severity" } th { "Check" } th { "Asked and found" } th { "To mend it" } } }
                    tbody {
                        @for found in rest {
                            @let severity = found.severity.unwrap_or(Severity::Notice);
                            tr {
                                td data-label="Severity" { span class=(format!("badge {}", severity.name())) { (severity.name()) } }
                                td data-label="Check" { code { (found.check.row.id()) } br; span.requirement { (found.group.name()) } }
                                td data-label="Asked and found" {
                                    (found.check.row.asks())
                                    @if let Some(detail) = &found.check.detail { p.place { "Found: " (detail) } }
                                }
                                td data-label="To mend it" { (found.check.row.mend()) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn uses(uses: &[Use], id: &str) -> Markup {
    html! {
        section.uses id=(id) {
            h2 { "May it be used" }
            table {
                thead { tr { th { "Purpose" } th { "Decision" } th { "Why" } } }
                tbody {
                    @for verdict in uses {
                        tr {
                            td data-label="Purpose" { (verdict.purpose) }
                            td data-label="Decision" { strong { (verdict.decision) } }
                            td data-label="Why" { (verdict.why()) }
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
        section.chart {
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

fn table(findings: &[Finding], id: &str) -> Markup {
    html! {
        section.findings id=(id) {
            h2 { "Findings" }
            @if findings.is_empty() {
                p { "None." }
            } @else {
                table {
                    thead { tr { th { "Severity" } th { "Finding" } th { "Expected and found" } th { "To mend it" } } }
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
            td data-label="To mend it" { (finding.mend) }
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
        let page = render(&[report]);
        assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
        for outside in ["src=\"", "url(", "@import", "<link", "href=\"h", "href=\"/"] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(page.contains("width:0.00%"), "{page}");
    }
}
