//! Manifests, feeds and documents: every finding, with its place in the text.

use aidocument::{Document, Limits, v2};
use llmindex_types::{FeedLine, FeedOptions, FeedReader, Manifest, ManifestError, Options, llms_txt};
use serde::Serialize;
use tct_canonical_json::{JsonDocument, JsonReader};
use web_values::{Finding, FindingRecord};

use crate::failure::{Failure, Spot};

/// A finding, and where it is in the text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Placed {
    /// The finding. Its `place` is a JSON Pointer.
    #[serde(flatten)]
    pub finding: FindingRecord,
    /// Start of the member that it is about, or of the object that lacks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Spot>,
    /// Its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Spot>,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Whether no finding is an error.
    pub valid: bool,
    /// The findings.
    pub findings: Vec<Placed>,
}

/// The values of a text, read as leniently as JSON can be read: for places alone.
struct Places<'a> {
    text: &'a [u8],
    document: Option<JsonDocument<'a>>,
}

impl<'a> Places<'a> {
    fn of(text: &'a [u8]) -> Self {
        let reader = JsonReader::new().report_repeated_names().report_lone_surrogates().report_huge_numbers();
        let after_mark = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        Places { text: after_mark, document: reader.read(after_mark).ok() }
    }

    /// The value at a pointer, or the nearest one around the place where it should be.
    fn place(&self, finding: &impl Finding) -> Placed {
        let record = finding.to_record();
        let mut pointer = record.place.as_str();
        let span = loop {
            let found = self.document.as_ref().and_then(|document| document.pointer(pointer));
            match (found, pointer.rfind('/')) {
                (Some(value), _) => break Some(value.span()),
                (None, Some(parent)) => pointer = pointer.get(..parent).unwrap_or_default(),
                (None, None) => break None,
            }
        };
        let start = span.clone().map(|span| Spot::of(self.text, span.start));
        let end = span.map(|span| Spot::of(self.text, span.end));
        Placed { finding: record, start, end }
    }

    fn report<'f, F: Finding + 'f>(&self, findings: impl IntoIterator<Item = &'f F>) -> Report {
        let findings: Vec<Placed> = findings.into_iter().map(|finding| self.place(finding)).collect();
        let valid = !findings.iter().any(|placed| placed.finding.severity == web_values::Severity::Error);
        Report { valid, findings }
    }
}

/// Checks an llmindex manifest.
///
/// # Errors
/// A text that is not JSON.
pub fn manifest(json: &[u8]) -> Result<Report, Failure> {
    let report =
        llmindex_types::validate(json, &Options::default()).map_err(|error| text_error(json, &error))?;
    Ok(Places::of(json).report(report.findings()))
}

/// Checks one product of an llmindex feed.
///
/// # Errors
/// A text that is not JSON.
pub fn product(json: &[u8]) -> Result<Report, Failure> {
    let report = llmindex_types::validate_product_line(json, &Options::for_product())
        .map_err(|error| text_error(json, &error))?;
    Ok(Places::of(json).report(report.findings()))
}

fn text_error(json: &[u8], error: &llmindex_types::LlmindexTextError) -> Failure {
    Failure::of(&error.kind(), error, Some((json, error.offset())), Some(error.requirement()))
}

/// What a feed came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeedReport {
    /// Whether no line, nor the feed as a whole, has an error.
    pub valid: bool,
    /// Lines that are valid products.
    pub products: u64,
    /// The findings of lines, places counted from the start of the feed.
    pub lines: Vec<LineReport>,
    /// The findings about the feed as a whole.
    pub findings: Vec<FindingRecord>,
    /// How many findings there are of each severity, those that `lines` leaves out included.
    pub counts: Counts,
    /// Whether `lines` leaves some out: it holds the first thousand lines with findings.
    pub truncated: bool,
}

/// Findings by their severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Notices.
    pub notices: u64,
}

impl Counts {
    fn add(&mut self, finding: &impl Finding) {
        match finding.severity() {
            web_values::Severity::Error => self.errors += 1,
            web_values::Severity::Warning => self.warnings += 1,
            web_values::Severity::Notice => self.notices += 1,
        }
    }
}

/// The findings of one line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineReport {
    /// The line, from 1.
    pub line: u64,
    /// Its findings; places count from the line's start.
    pub findings: Vec<Placed>,
}

/// Most lines with findings that a report holds; the counts go on.
const MOST_LINES: usize = 1000;

/// Checks an llmindex feed: a product a line.
#[must_use]
pub fn feed(jsonl: &[u8]) -> FeedReport {
    // Repeated identifiers are found through keyed hashes; a page has nobody who would try to guess the key.
    let mut reader = FeedReader::new([0; 16], FeedOptions::default());
    let (mut lines, mut counts, mut truncated) = (Vec::new(), Counts::default(), false);
    // Lines end with a line feed, and those that hold nothing are counted too.
    let sources: Vec<&[u8]> = jsonl.split(|byte| *byte == b'\n').collect();
    let mut take = |line: FeedLine<'_>| {
        line.findings().iter().for_each(|finding| counts.add(finding));
        if line.findings().is_empty() {
            return;
        }
        if lines.len() >= MOST_LINES {
            truncated = true;
            return;
        }
        let at = usize::try_from(line.number()).unwrap_or(usize::MAX).saturating_sub(1);
        let places = Places::of(sources.get(at).copied().unwrap_or_default());
        let findings = line.findings().iter().map(|finding| places.place(finding)).collect();
        lines.push(LineReport { line: line.number(), findings });
    };
    let mut rest = jsonl;
    while let Some(line) = reader.next_line(&mut rest) {
        take(line);
    }
    if let Some(line) = reader.last_line() {
        take(line);
    }
    let summary = reader.summary();
    summary.findings().iter().for_each(|finding| counts.add(finding));
    FeedReport {
        valid: summary.is_valid(),
        products: summary.products(),
        lines,
        findings: summary.findings().iter().map(Finding::to_record).collect(),
        counts,
        truncated,
    }
}

/// Checks an AIDocument of 1.0 or 2.0, whichever it says it is.
///
/// # Errors
/// A text that is not JSON, or not a document of a version that is known.
pub fn document(json: &[u8]) -> Result<Report, Failure> {
    let failed = |error: aidocument::DocumentError| {
        Failure::of(&error.kind(), &error, error.offset().map(|offset| (json, offset)), None)
    };
    let (limits, places) = (Limits::default(), Places::of(json));
    let is_second = aidocument::detect(json).is_ok_and(|shape| shape.version() == Some("2.0"));
    match is_second {
        true => {
            v2::Document::read(json, &limits).map_err(failed).map(|found| places.report(found.findings()))
        }
        false => Document::read(json, &limits).map_err(failed).map(|found| places.report(found.findings())),
    }
}

/// The text of `/llms.txt` that a manifest makes.
///
/// # Errors
/// A text that is not JSON, or a manifest with errors.
pub fn llms_txt_of(json: &[u8]) -> Result<String, Failure> {
    let manifest = Manifest::parse(json, &Options::default()).map_err(|error| match error {
        ManifestError::Json(error) => text_error(json, &error),
        error @ ManifestError::Invalid(_) => Failure::new("invalid-manifest", error),
    })?;
    Ok(llms_txt(&manifest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_has_its_place_in_the_text() {
        let json = "{\n  \"é\": 1,\n  \"version\": 0.1\n}".as_bytes();
        let report = manifest(json).unwrap();
        assert!(!report.valid);
        let found = report.findings.iter().find(|placed| placed.finding.place == "/version").unwrap();
        let (start, end) = (found.start.unwrap(), found.end.unwrap());
        assert_eq!((start.line, start.column, end.offset - start.offset), (3, 14, 3));
        assert_eq!(start.offset - start.index, 1);
        // A member that is missing: the object around it.
        let missing = report.findings.iter().find(|placed| placed.finding.code == "missing-member").unwrap();
        assert_eq!(missing.start.unwrap().offset, 0);
        assert_eq!(manifest(b"{").unwrap_err().spot.unwrap().offset, 1);
    }

    #[test]
    fn a_feed_tells_lines() {
        let report = feed(b"\n{\"id\":\"a\"}\n\nnope\n");
        assert_eq!(report.lines.iter().map(|line| line.line).collect::<Vec<_>>(), [2, 4]);
        assert!(!report.valid && report.products == 0 && !report.truncated);
        let findings =
            report.lines.iter().map(|line| line.findings.len()).sum::<usize>() + report.findings.len();
        let Counts { errors, warnings, notices } = report.counts;
        assert_eq!(errors + warnings + notices, findings as u64);
    }

    #[test]
    fn a_feed_of_many_bad_lines_is_counted_whole() {
        let errors = |lines: usize| feed("nope\n".repeat(lines).as_bytes()).counts.errors;
        let many = feed("nope\n".repeat(75_000).as_bytes());
        let a_line = errors(3) - errors(2);
        assert!(a_line >= 1);
        assert_eq!(many.counts.errors, errors(2) + 74_998 * a_line);
        assert!(many.truncated && many.lines.len() == MOST_LINES, "{}", many.lines.len());
    }
}
