//! `manifest check`, `feed check`, `sitemap check`.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};
use llmindex_types::{FeedLine, FeedOptions, FeedReader, Options, validate};
use serde_json::json;
use tct::sitemap::Sitemap;
use tct::v03::{self, BodyLimits, Revision};
use tct::{SitemapReader, UrlPolicy};
use tct_canonical_json::{Canonicalizer, Profile};
use url::Url;

use crate::Failure;
use crate::cli::{CheckCommand, SitemapCommand, SitemapFiles};
use crate::input::Input;
use crate::place::Place;
use crate::report::{Remark, Report, Where, count};

/// Checks manifests.
///
/// # Errors
/// If a file cannot be read.
pub fn manifest(command: &CheckCommand, report: &mut Report) -> Result<(), Failure> {
    let CheckCommand::Check(arguments) = command;
    Input::each(&arguments.files, report, |input, report| {
        let checked = match validate(&input.bytes, &Options::default()) {
            Ok(checked) => checked,
            Err(error) => {
                let id = error.requirement();
                let remark =
                    Remark::broken(&input.name, &input.bytes, error.offset(), "not-json", id, &error);
                return report.remark(&remark, true);
            }
        };
        let place = |path| Place::of_pointer(&input.bytes, path);
        let mut findings: Vec<_> =
            checked.findings().iter().map(|finding| (place(finding.path()), finding)).collect();
        // As a reader meets them in the file; those of one place stay in their order.
        findings.sort_by_key(|(place, _)| place.as_ref().map(|place| place.offset));
        for (place, finding) in findings {
            let counts = finding.is_error() || arguments.strict;
            report.remark(&Remark::of(&input.name, finding, place.map(Where::from)), counts)?;
        }
        if checked.findings().is_empty() {
            let members = [("file", json!(input.name)), ("valid", json!(true))];
            report.result(&format!("{}: valid", input.name), &members)?;
        }
        Ok(())
    })
}

/// Checks feeds, line by line, in constant memory apart from the file itself.
///
/// # Errors
/// If a file cannot be read.
pub fn feed(command: &CheckCommand, report: &mut Report) -> Result<(), Failure> {
    let CheckCommand::Check(arguments) = command;
    Input::each(&arguments.files, report, |input, report| {
        let mut id_key = [0; 16];
        getrandom::fill(&mut id_key)
            .map_err(|error| Failure(format!("the system gives no random bytes: {error}")))?;
        let bar = progress(input.bytes.len());
        let mut reader = FeedReader::new(id_key, FeedOptions::default());
        let (mut rest, mut begin) = (input.bytes.as_slice(), 0);
        while let Some(line) = reader.next_line(&mut rest) {
            let end = input.bytes.len() - rest.len();
            let text = input.bytes.get(begin..end).unwrap_or_default();
            tell(&input.name, text, &line, arguments.strict, report)?;
            begin = end;
            bar.set_position(end as u64);
        }
        let text = input.bytes.get(begin..).unwrap_or_default();
        if let Some(line) = reader.last_line() {
            tell(&input.name, text, &line, arguments.strict, report)?;
        }
        bar.finish_and_clear();
        let summary = reader.summary();
        for finding in summary.findings() {
            let counts = finding.is_error() || arguments.strict;
            report.remark(&Remark::of(&input.name, finding, None), counts)?;
        }
        report.result(
            &format!(
                "{}: {}, {}",
                input.name,
                count(summary.products(), "product"),
                count(summary.bad_lines(), "bad line")
            ),
            &[
                ("file", json!(input.name)),
                ("valid", json!(summary.is_valid())),
                ("products", json!(summary.products())),
                ("bad_lines", json!(summary.bad_lines())),
            ],
        )
    })
}

fn tell(
    file: &str,
    text: &[u8],
    line: &FeedLine<'_>,
    strict: bool,
    report: &mut Report,
) -> Result<(), Failure> {
    let number = usize::try_from(line.number()).unwrap_or(usize::MAX);
    for finding in line.findings() {
        let place = Place::of_pointer(text, finding.path()).or_else(|| Place::of_fault(text));
        let place = place.map_or_else(|| Where::line(number), |place| Where::from(place).in_line(number));
        report.remark(&Remark::of(file, finding, Some(place)), finding.is_error() || strict)?;
    }
    Ok(())
}

/// A bar on standard error, where that is a terminal and there is something to wait for.
fn progress(bytes: usize) -> ProgressBar {
    if bytes < 1 << 22 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(bytes as u64);
    let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {elapsed}");
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

/// Checks sitemaps.
///
/// # Errors
/// If a file cannot be read.
pub fn sitemap(command: &SitemapCommand, report: &mut Report) -> Result<(), Failure> {
    let SitemapCommand::Check(SitemapFiles { files: check, url }) = command;
    Input::each(&check.files, report, |input, report| {
        if let Ok(Some((_, Revision::V03))) = v03::classify(&input.bytes) {
            return exact_sitemap(&input, url.as_ref(), report);
        }
        let reader = match url {
            Some(url) if url.scheme() == "http" => {
                SitemapReader::new(url).with_policy(UrlPolicy::allowing_http())
            }
            Some(url) => SitemapReader::new(url),
            None => SitemapReader::any_origin(),
        };
        let mut sitemap = Sitemap::new();
        let read = match sitemap.read(&input.bytes, reader) {
            Ok(read) => read,
            Err(error) => return broken(&input, &error, report),
        };
        let is_fine = read.broken.is_none() && !read.skipped.iter().any(|entry| entry.issue.drops_item());
        for entry in &read.skipped {
            let path = format!("/items/{}", entry.index);
            let remark = Remark {
                file: &input.name,
                severity: if entry.issue.drops_item() { "error" } else { "warning" },
                code: entry.issue.code(),
                message: entry.issue.to_string(),
                requirement: Some(entry.issue.requirement()),
                path: &path,
                place: Place::of_pointer(&input.bytes, &path).map(Where::from),
            };
            report.remark(&remark, entry.issue.drops_item() || check.strict)?;
        }
        if let Some(error) = &read.broken {
            broken(&input, error, report)?;
        }
        let pages = sitemap.pages().len();
        let members = [("file", json!(input.name)), ("valid", json!(is_fine)), ("pages", json!(pages))];
        report.result(&format!("{}: {}", input.name, count(pages, "page")), &members)
    })
}

/// Checks a sitemap of draft -03.
fn exact_sitemap(input: &Input, url: Option<&Url>, report: &mut Report) -> Result<(), Failure> {
    let checked = match v03::check_sitemap(&input.bytes, url, &BodyLimits::default()) {
        Ok(checked) => checked,
        Err(error) => {
            let (offset, id) = (error.offset().unwrap_or_default(), error.requirement());
            let remark = Remark::broken(&input.name, &input.bytes, offset, "broken-sitemap", id, &error);
            return report.remark(&remark, true);
        }
    };
    for finding in checked.findings() {
        let place = Place::of_pointer(&input.bytes, finding.path()).map(Where::from);
        report.remark(&Remark::of(&input.name, finding, place), true)?;
    }
    if !checked.is_canonical() {
        let at = Canonicalizer::new(Profile::Rfc8785).check_canonical(&input.bytes);
        let offset = at.as_ref().map_or(0, tct_canonical_json::Deviation::offset);
        let message = "expected canonical JSON (`aiweb canonical` writes it), found another form";
        let remark =
            Remark::broken(&input.name, &input.bytes, offset, "not-canonical", "TCT3-SM-12", message);
        report.remark(&remark, true)?;
    }
    let (pages, is_fine) = (checked.items().len(), checked.is_valid() && checked.is_canonical());
    let members = [("file", json!(input.name)), ("valid", json!(is_fine)), ("pages", json!(pages))];
    report.result(&format!("{}: {}", input.name, count(pages, "page")), &members)
}

fn broken(input: &Input, error: &tct::sitemap::SitemapError, report: &mut Report) -> Result<(), Failure> {
    let offset = usize::try_from(error.offset()).unwrap_or(usize::MAX);
    let remark =
        Remark::broken(&input.name, &input.bytes, offset, "broken-sitemap", error.requirement(), error);
    report.remark(&remark, true)
}
