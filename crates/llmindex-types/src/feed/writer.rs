//! The writer.

use alloc::vec::Vec;

use tct_canonical_json::JsonTape;

use super::{IdSet, line_finding};
use crate::finding::{Code, Findings, Path};
use crate::product::{check_change, check_product};
use crate::{LlmindexBuildError, LlmindexTextError, Mode, Options, Product};

/// Writes products as lines, each checked by the strict rules, each identifier once.
///
/// ```
/// use llmindex_types::{Availability, FeedWriter, ProductBuilder, web_values::Timestamp};
/// let changed = Timestamp::parse("2026-02-15T08:00:00Z").unwrap();
/// let boots = ProductBuilder::new("P1", "Boots", "https://shoes.example/p1", Availability::InStock, changed)
///     .price_range("80", "90", "EUR")
///     .build()
///     .unwrap();
/// let mut feed = Vec::new();
/// let mut writer = FeedWriter::new([7; 16]);
/// writer.write(&boots, &mut feed).unwrap();
/// assert_eq!(feed.last(), Some(&b'\n'));
/// let error = writer.write(&boots, &mut feed).unwrap_err();
/// assert_eq!(error.report().findings()[0].code().as_str(), "duplicate-id");
/// ```
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-1, LLMI-FEED-2, LLMI-AMB-15.
#[derive(Debug, Clone)]
pub struct FeedWriter {
    tape: JsonTape,
    ids: IdSet,
}

impl FeedWriter {
    /// A writer at the start of a feed. `id_key` keys the hashes that stand for the identifiers; see
    /// [`FeedReader::new`](crate::FeedReader::new).
    #[must_use]
    pub fn new(id_key: [u8; 16]) -> Self {
        FeedWriter { tape: JsonTape::default(), ids: IdSet::new(id_key, usize::MAX) }
    }

    /// Appends the product's line with its line feed to `out`.
    ///
    /// # Errors
    /// [`LlmindexBuildError`] if the product, whose members are public, breaks a rule, or its identifier was written before;
    /// `out` is left as it was.
    pub fn write(&mut self, product: &Product, out: &mut Vec<u8>) -> Result<(), LlmindexBuildError> {
        self.write_line(&product.to_json(), &product.id, false, out)
    }

    /// Checks a line about the product `id` and appends it.
    pub(super) fn write_line(
        &mut self,
        line: &str,
        id: &str,
        is_change: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), LlmindexBuildError> {
        let options = Options::for_product().mode(Mode::Strict);
        let mut findings = Findings::new(options.max_findings);
        match options.limits.reader().read_str_into(line, &mut self.tape) {
            Ok(value) if is_change => check_change(value, &options, &mut findings),
            Ok(value) => {
                check_product(value, &options, &mut findings);
            }
            Err(error) => {
                findings.push(line_finding(&LlmindexTextError::of_json(error, line.as_bytes(), 0)));
            }
        }
        let mut report = findings.into_report();
        if report.is_valid() && !self.ids.insert(id) {
            let mut findings = Findings::new(1);
            let message = "expected an identifier that no earlier line has, found it again";
            findings.error(Path::Root.name("id"), Code::DuplicateId, "LLMI-FEED-2", message);
            report = findings.into_report();
        }
        if !report.is_valid() {
            return Err(LlmindexBuildError::new(report));
        }
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
        Ok(())
    }
}
