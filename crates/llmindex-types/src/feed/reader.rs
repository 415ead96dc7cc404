//! The reader.

use alloc::vec::Vec;

use tct_canonical_json::{JsonKind, JsonReader, JsonTape};

use super::{FeedSummary, IdSet, line_finding};
use crate::finding::{Code, Findings, ManifestFinding, Path};
use crate::product::{check_change, check_product};
use crate::text::strip_bom;
use crate::{Limits, LlmindexTextError, Mode, Options, ProductView};

/// The mode and the bounds of reading a feed.
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-1, LLMI-AMB-13.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeedOptions {
    /// The mode; `Lenient` acts like `Default` here.
    pub mode: Mode,
    /// Bounds on one line; by default [`Limits::PRODUCT`].
    pub line_limits: Limits,
    /// How many findings of one line are kept; by default 100.
    pub max_findings: usize,
    /// Length of the feed in bytes; the rest is not read. Unbounded by default.
    pub max_bytes: u64,
    /// How many identifiers are remembered; by default 4,194,304, which takes 76 MB at most, and 113 MB for the moment
    /// in which the set last doubles. When the set is full, repetitions of remembered identifiers are still found.
    /// With 0 the reader finds no repeated identifiers.
    pub max_ids: usize,
}

impl Default for FeedOptions {
    fn default() -> Self {
        FeedOptions {
            mode: Mode::Default,
            line_limits: Limits::PRODUCT,
            max_findings: 100,
            max_bytes: u64::MAX,
            max_ids: 1 << 22,
        }
    }
}

impl FeedOptions {
    /// These options in another mode.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// These options with other bounds on a line.
    #[must_use]
    pub fn line_limits(mut self, limits: Limits) -> Self {
        self.line_limits = limits;
        self
    }

    /// These options with a bound on the feed.
    #[must_use]
    pub fn max_bytes(mut self, max_bytes: u64) -> Self {
        self.max_bytes = max_bytes;
        self
    }

    /// These options with another bound on the identifiers.
    #[must_use]
    pub fn max_ids(mut self, max_ids: usize) -> Self {
        self.max_ids = max_ids;
        self
    }
}

/// Reads a feed from chunks of bytes, in memory that does not grow with the lines.
///
/// ```
/// use llmindex_types::{FeedOptions, FeedReader};
/// let feed = b"{\"id\":\"P1\"\n\n{\"id\":\"P2\",\"title\":\"Boots\",\"url\":\"https://shoes.example/p2\",\"price\":89.90,\
///     \"currency\":\"EUR\",\"availability\":\"in_stock\",\"updated_at\":\"2026-02-15T08:00:00Z\"}\n";
/// let mut reader = FeedReader::new([7; 16], FeedOptions::default());
/// let mut good = Vec::new();
/// for mut chunk in feed.chunks(64) {
///     while let Some(line) = reader.next_line(&mut chunk) {
///         match line.product() {
///             Some(product) if line.is_valid() => good.push((line.number(), product.text("id").unwrap().into_owned())),
///             _ => assert_eq!(line.findings()[0].to_string(), "error: expected `,` or `}` at byte 10, found the end"),
///         }
///     }
/// }
/// assert!(reader.last_line().is_none());
/// assert_eq!(good, [(3, "P2".to_owned())]);
/// assert_eq!((reader.summary().products(), reader.summary().bad_lines()), (1, 1));
/// ```
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-1, LLMI-FEED-2, LLMI-AMB-13.
#[derive(Debug, Clone)]
pub struct FeedReader {
    options: FeedOptions,
    line_options: Options,
    /// Whether the lines are those of a delta.
    is_delta: bool,
    /// The start of a line whose end has not come.
    partial: Vec<u8>,
    /// A line that was joined from chunks, while it is checked.
    whole: Vec<u8>,
    /// The current line is longer than allowed, and its bytes are skipped.
    passing_over: bool,
    bytes: u64,
    line: u64,
    json: JsonReader,
    tape: JsonTape,
    findings: Findings,
    ids: IdSet,
    summary: FeedSummary,
}

/// One line that is not blank.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct FeedLine<'a> {
    number: u64,
    product: Option<ProductView<'a>>,
    findings: &'a [ManifestFinding],
    valid: bool,
}

impl<'a> FeedLine<'a> {
    /// The line's number; the first is 1, and blank lines count.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The product as it was read, valid or not; `None` if the line is not a JSON object.
    #[must_use]
    pub fn product(&self) -> Option<ProductView<'a>> {
        self.product
    }

    /// The findings about the line. Paths are JSON Pointers into it.
    pub fn findings(&self) -> &'a [ManifestFinding] {
        self.findings
    }

    /// Whether the line has no error.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.valid
    }
}

/// Where the next line's bytes are.
#[derive(Clone, Copy)]
enum Found<'c> {
    InChunk(&'c [u8]),
    PutTogether,
    TooLong,
}

impl FeedReader {
    /// A reader at the start of a feed. `id_key` keys the hashes that stand for the identifiers: any 16 bytes for
    /// your own feed, random ones for an untrusted feed, whose author could otherwise choose colliding identifiers.
    #[must_use]
    pub fn new(id_key: [u8; 16], options: FeedOptions) -> Self {
        let line_options = Options::for_product()
            .mode(options.mode)
            .limits(options.line_limits)
            .max_findings(options.max_findings);
        FeedReader {
            options,
            line_options,
            is_delta: false,
            partial: Vec::new(),
            whole: Vec::new(),
            passing_over: false,
            bytes: 0,
            line: 0,
            json: options.line_limits.reader(),
            tape: JsonTape::default(),
            findings: Findings::new(options.max_findings),
            ids: IdSet::new(id_key, options.max_ids),
            summary: FeedSummary::default(),
        }
    }

    /// A reader at the start of a delta, whose lines may repeat an identifier and delete products.
    pub(super) fn of_delta(options: FeedOptions) -> Self {
        let mut reader = FeedReader::new([0; 16], FeedOptions { max_ids: 0, ..options });
        reader.is_delta = true;
        reader
    }

    /// Whether the feed is longer than allowed, and its end was not read.
    pub(super) fn is_too_long(&self) -> bool {
        self.bytes > self.options.max_bytes
    }

    /// The next line that is not blank and ends in `chunk`; takes its bytes off the front. `None` once the chunk is
    /// used up: call again with the next one. `O(n)` in the chunk over all calls.
    pub fn next_line<'r, 'c: 'r>(&'r mut self, chunk: &mut &'c [u8]) -> Option<FeedLine<'r>> {
        let found = self.next_found(chunk)?;
        Some(self.look_at(found))
    }

    /// The JSON text of the next line for which `keep` returns true.
    pub(super) fn next_json<'r, 'c: 'r>(
        &'r mut self,
        chunk: &mut &'c [u8],
        mut keep: impl FnMut(&FeedLine<'_>) -> bool,
    ) -> Option<&'r str> {
        loop {
            let found = self.next_found(chunk)?;
            if keep(&self.look_at(found)) {
                return Some(self.json_of(found));
            }
        }
    }

    /// The same of the line that the end of the feed ends.
    pub(super) fn last_json(&mut self, mut keep: impl FnMut(&FeedLine<'_>) -> bool) -> Option<&str> {
        let found = self.last_found()?;
        keep(&self.look_at(found)).then(|| self.json_of(found))
    }

    fn next_found<'c>(&mut self, chunk: &mut &'c [u8]) -> Option<Found<'c>> {
        loop {
            let bytes = *chunk;
            let Some(end) = memchr::memchr(b'\n', bytes) else {
                *chunk = &[];
                self.keep(bytes);
                return None;
            };
            let (line, rest) = bytes.split_at_checked(end).unwrap_or((bytes, &[]));
            *chunk = rest.get(1..).unwrap_or_default();
            if let Some(found) = self.line_ends(line, 1) {
                return Some(found);
            }
        }
    }

    fn last_found(&mut self) -> Option<Found<'static>> {
        if self.partial.is_empty() && !self.passing_over {
            return None;
        }
        self.line_ends(&[], 0)
    }

    /// The text of the line checked last, without white space around it.
    fn json_of<'r, 'c: 'r>(&'r self, found: Found<'c>) -> &'r str {
        let line = match found {
            Found::InChunk(line) => line,
            Found::PutTogether => &self.whole,
            Found::TooLong => &[],
        };
        core::str::from_utf8(content(line, self.line).trim_ascii()).unwrap_or_default()
    }

    /// One line without its line feed, for callers that have lines already. `None` where it is blank.
    pub fn line<'r, 'c: 'r>(&'r mut self, line: &'c [u8]) -> Option<FeedLine<'r>> {
        let found = self.line_ends(line, 1)?;
        Some(self.look_at(found))
    }

    /// The line that the end of the feed ends, if it is not blank. Call it once after the last chunk.
    pub fn last_line(&mut self) -> Option<FeedLine<'_>> {
        let found = self.last_found()?;
        Some(self.look_at(found))
    }

    /// The counts so far, and the findings about the feed as a whole; complete after [`FeedReader::last_line`].
    pub fn summary(&self) -> FeedSummary {
        let mut summary = self.summary.clone();
        summary.conclude(self.ids.overflowed && self.options.max_ids > 0, self.is_too_long());
        summary
    }

    /// How many identifiers are remembered.
    #[must_use]
    pub fn remembered_ids(&self) -> usize {
        self.ids.seen.len()
    }

    /// Keeps the start of a line, unless it is longer than allowed.
    fn keep(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if self.passing_over || self.bytes > self.options.max_bytes {
            return;
        }
        // A carriage return and a byte order mark do not count; the exact bound is the JSON reader's.
        let room = self.options.line_limits.max_bytes.saturating_add(4);
        if self.partial.len().saturating_add(bytes.len()) > room {
            self.passing_over = true;
            self.partial.clear();
        } else {
            self.partial.extend_from_slice(bytes);
        }
    }

    /// Counts a line whose last bytes are `end`; returns where it is, unless it is blank.
    fn line_ends<'c>(&mut self, end: &'c [u8], line_feed: u64) -> Option<Found<'c>> {
        self.bytes = self.bytes.saturating_add(end.len() as u64 + line_feed);
        if self.bytes > self.options.max_bytes {
            return None;
        }
        self.line += 1;
        if self.passing_over {
            self.passing_over = false;
            return Some(Found::TooLong);
        }
        if self.partial.is_empty() {
            return self.found(end, Found::InChunk(end));
        }
        core::mem::swap(&mut self.partial, &mut self.whole);
        self.partial.clear();
        self.whole.extend_from_slice(end);
        self.found(&self.whole, Found::PutTogether)
    }

    /// Handles a complete line. Its length is checked first, so that the verdict does not depend on the chunks.
    fn found<'c>(&self, line: &[u8], place: Found<'c>) -> Option<Found<'c>> {
        let content = content(line, self.line);
        if content.len() > self.options.line_limits.max_bytes {
            return Some(Found::TooLong);
        }
        (!content.trim_ascii().is_empty()).then_some(place)
    }

    fn look_at<'r, 'c: 'r>(&'r mut self, found: Found<'c>) -> FeedLine<'r> {
        self.findings.clear();
        let number = self.line;
        let line = match found {
            Found::InChunk(line) => Some(content(line, number)),
            Found::PutTogether => Some(content(&self.whole, number)),
            Found::TooLong => None,
        };
        let read = match line {
            Some(line) => self
                .json
                .read_into(line, &mut self.tape)
                .map_err(|error| LlmindexTextError::of_json(error, line, 0)),
            None => Err(LlmindexTextError::too_long(self.options.line_limits.max_bytes)),
        };
        let product = match read {
            Ok(value) if self.is_delta => {
                check_change(value, &self.line_options, &mut self.findings);
                Some(value)
            }
            Ok(value) => {
                let id = check_product(value, &self.line_options, &mut self.findings);
                if self.options.max_ids > 0 && id.is_some_and(|id| !self.ids.insert(&id)) {
                    let message = "expected an identifier that no earlier line has, found it again";
                    let path = Path::Root.name("id");
                    self.findings.error(path, Code::DuplicateId, "LLMI-FEED-2", message);
                }
                Some(value)
            }
            Err(error) => {
                self.findings.push(line_finding(&error));
                None
            }
        };
        let product = product.filter(|value| value.kind() == JsonKind::Object).map(ProductView::new);
        self.findings.finish();
        let valid = self.summary.count(self.findings.list());
        FeedLine { number, product, findings: self.findings.list(), valid }
    }
}

/// The line without the byte order mark of the first one, and without a carriage return at the end.
fn content(line: &[u8], number: u64) -> &[u8] {
    let line = if number == 1 { strip_bom(line).1 } else { line };
    line.strip_suffix(b"\r").unwrap_or(line)
}
