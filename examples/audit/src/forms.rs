//! The report for other programs: JSON lines, SARIF for CI, a badge.

use maud::html;
use ready::Verdict;
use serde_json::{Value, json};

use crate::finding::Severity;
use crate::readiness::Other;
use crate::report::Report;

/// One JSON object a line: the site, then each finding and each check.
#[must_use]
pub fn lines(report: &Report) -> String {
    let points = report.readiness.as_ref().and_then(|found| found.points);
    let mut lines = vec![json!({
        "event": "site", "url": report.url, "audited_at": report.audited_at, "points": points,
        "errors": report.count(Severity::Error), "warnings": report.count(Severity::Warning),
    })];
    let with = |event: &str, value: Value| {
        let mut value = value;
        if let Some(members) = value.as_object_mut() {
            members.insert("event".to_owned(), event.into());
            members.insert("url".to_owned(), report.url.as_str().into());
        }
        value
    };
    lines.extend(report.findings.iter().map(|finding| with("finding", json!(finding))));
    let checks = report.readiness.iter().flat_map(|found| &found.checks);
    lines.extend(checks.map(|check| with("check", json!(check))));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The findings of all reports as SARIF 2.1.0.
#[must_use]
pub fn sarif(reports: &[Report]) -> String {
    let level = |severity: Severity| match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Notice => "note",
    };
    let mut rules: Vec<Value> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    let mut add_rule = |id: &str, text: &str, help: &str| {
        if !rules.iter().any(|rule| rule["id"] == id) {
            rules.push(json!({ "id": id, "shortDescription": { "text": text }, "help": { "text": help } }));
        }
    };
    let place = |uri: &str| json!([{ "physicalLocation": { "artifactLocation": { "uri": uri } } }]);
    for report in reports {
        for finding in &report.findings {
            let code = finding.check.code();
            add_rule(code, finding.check.about(), finding.mend);
            let message = format!("expected {}, found {}", finding.expected, finding.found);
            let uri = finding.places.first().and_then(|place| place.split(' ').next()).unwrap_or(&report.url);
            results.push(json!({
                "ruleId": code, "level": level(finding.severity), "message": { "text": message }, "locations": place(uri),
            }));
        }
        for found in report.readiness.iter().flat_map(|readiness| readiness.to_mend()) {
            let row = found.check.row;
            add_rule(row.id(), row.asks(), row.mend());
            let detail = found.check.detail.as_deref().unwrap_or(row.asks());
            let severity = found.severity.unwrap_or(Severity::Notice);
            results.push(json!({
                "ruleId": row.id(), "level": level(severity), "message": { "text": detail }, "locations": place(&report.url),
            }));
        }
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": { "name": "aiweb audit", "rules": rules } }, "results": results }],
    });
    format!("{log:#}\n")
}

/// The points as a picture for a README.
#[must_use]
pub fn badge(report: &Report) -> String {
    let points = report.readiness.as_ref().and_then(|found| found.points);
    let text = points.map_or_else(|| "unknown".to_owned(), |points| format!("{points} / 100"));
    let colour = match points {
        Some(90..) => "#2c7a3f",
        Some(60..) => "#8a5a00",
        Some(_) => "#a4262c",
        None => "#566069",
    };
    let label = format!("agent readiness: {text}");
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width="190" height="20" role="img" aria-label=(label) {
            title { (label) }
            rect width="118" height="20" fill="#3b4449" {}
            rect x="118" width="72" height="20" fill=(colour) {}
            g fill="#fff" text-anchor="middle" font-family="Verdana,sans-serif" font-size="11" {
                text x="59" y="14" { "agent readiness" }
                text x="154" y="14" { (text) }
            }
        }
    };
    svg.into_string() + "\n"
}

/// The verdicts under the names of another checker.
#[must_use]
pub fn comparison(report: &Report, other: Other) -> String {
    let mut text = String::new();
    for found in report.readiness.iter().flat_map(|readiness| &readiness.checks) {
        let Some(name) = other.name_of(found.check.row) else { continue };
        let mark = match found.check.verdict {
            Verdict::Pass => "pass",
            Verdict::Warn => "warn",
            Verdict::Fail => "FAIL",
            Verdict::Skip => "skip",
        };
        let detail = found.check.detail.as_deref().unwrap_or_default();
        let detail: String = detail.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        text.push_str(format!("{mark}  {name:<30} {:<16} {detail}", found.check.row.id()).trim_end());
        text.push('\n');
    }
    text
}
