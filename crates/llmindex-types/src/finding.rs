//! Results of checks: one [`ManifestFinding`] for each fault.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use tct_canonical_json::JsonReader;
use web_values::{FindingRecord, Place, Severity};

use crate::json::push_token;
use crate::secret;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+) => {
        /// The stable codes of findings.
        ///
        /// A code never changes its meaning; new ones may come. The text of a code is [`Code::as_str`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// All codes, in the order of their declaration.
            pub const ALL: &'static [Code] = &[$(Code::$name,)+];

            /// The code in kebab case, such as `missing-member`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)+
                }
            }
        }
    };
}

codes! {
    /// A member that must be there is not.
    MissingMember = "missing-member",
    /// A value of another JSON type than the member has.
    WrongType = "wrong-type",
    /// The member's name is already in its object.
    DuplicateMember = "duplicate-member",
    /// A string or name with an escaped surrogate that lacks its other half.
    LoneSurrogate = "lone-surrogate",
    /// A member that this version does not define.
    UnknownMember = "unknown-member",
    /// A string, array or object is empty where that is not allowed.
    Empty = "empty",
    /// A string of white space alone.
    Blank = "blank",
    /// A value that is already in its array.
    DuplicateItem = "duplicate-item",
    /// A byte order mark before the JSON text.
    ByteOrderMark = "byte-order-mark",
    /// A version that is neither 0.1 nor 0.2.
    UnknownVersion = "unknown-version",
    /// A text that is not an RFC 3339 date and time.
    TimestampMalformed = "timestamp-malformed",
    /// A date and time without an offset, taken as UTC.
    TimestampWithoutOffset = "timestamp-without-offset",
    /// A date and time at another offset than UTC's.
    TimestampNotUtc = "timestamp-not-utc",
    /// A text that is not an absolute URL.
    UrlNotAbsolute = "url-not-absolute",
    /// A URL of a scheme that is neither https nor http.
    UrlScheme = "url-scheme",
    /// A URL without a host.
    UrlNoHost = "url-no-host",
    /// A character that no URL holds at its place.
    UrlCharacter = "url-character",
    /// A host or port that the URL standard refuses.
    UrlMalformed = "url-malformed",
    /// A canonical URL whose scheme is http.
    UrlNotHttps = "url-not-https",
    /// A canonical URL with a user name or password.
    UrlUserinfo = "url-userinfo",
    /// A canonical URL with a fragment.
    UrlFragment = "url-fragment",
    /// An http URL where https is advised.
    UrlInsecure = "url-insecure",
    /// A URL with characters beyond ASCII.
    UrlNotAscii = "url-not-ascii",
    /// A scheme in upper case.
    UrlUpperCaseScheme = "url-upper-case-scheme",
    /// A host that the public internet does not reach: an address of a special range, or a name such as `localhost`.
    UrlNotPublic = "url-not-public",
    /// A host that is not the canonical URL's.
    UrlOtherHost = "url-other-host",
    /// A text that is not a well-formed BCP 47 tag.
    LanguageMalformed = "language-malformed",
    /// A well-formed tag that the reference implementation's pattern refuses.
    LanguageUncommon = "language-uncommon",
    /// A tag in another than the preferred casing.
    LanguageCasing = "language-casing",
    /// The main language is not among the `languages`.
    LanguageNotListed = "language-not-listed",
    /// `languages` without `localized_endpoints`, or the other way round.
    LocalizationIncomplete = "localization-incomplete",
    /// A verification method that is not `dns_txt` or `http_file`.
    VerifyMethodUnknown = "verify-method-unknown",
    /// A proof value that looks like a file name; it should be the file's content.
    VerifyValueLooksLikeFileName = "verify-value-looks-like-file-name",
    /// A signature algorithm other than `EdDSA`.
    SigAlgorithm = "sig-algorithm",
    /// A license that is neither an SPDX expression nor an http(s) URL.
    LicenseFreeText = "license-free-text",
    /// A rate limit that is not `<count>/<unit>`.
    RateLimitMalformed = "rate-limit-malformed",
    /// A `commercial_use` other than the three values.
    CommercialUseUnknown = "commercial-use-unknown",
    /// A name both allowed and denied; the denial wins.
    AllowedAndDenied = "allowed-and-denied",
    /// A secret: a token, key, password or session.
    Secret = "secret",
    /// A possible secret.
    PossibleSecret = "possible-secret",
    /// A date further in the future than clock skew explains.
    TimestampInFuture = "timestamp-in-future",
    /// A feed that has not been updated for more than a week.
    FeedStale = "feed-stale",
    /// A price below zero.
    PriceNegative = "price-negative",
    /// A number beyond what a binary64 holds.
    NumberNotFinite = "number-not-finite",
    /// A currency that is not three upper-case letters.
    CurrencyMalformed = "currency-malformed",
    /// Three letters that ISO 4217 does not list.
    CurrencyUnknown = "currency-unknown",
    /// A currency without a price.
    CurrencyWithoutPrice = "currency-without-price",
    /// A price range whose minimum is above its maximum.
    RangeInverted = "range-inverted",
    /// A price and a price range; the price is preferred.
    PriceAndRange = "price-and-range",
    /// Another availability than the three values.
    AvailabilityUnknown = "availability-unknown",
    /// A product identifier that an earlier line has.
    DuplicateId = "duplicate-id",
    /// A line that is not JSON.
    NotJson = "not-json",
    /// A line that is not UTF-8.
    NotUtf8 = "not-utf8",
    /// A line or text longer than its limit.
    TooLong = "too-long",
    /// A value nested deeper than its limit.
    TooDeep = "too-deep",
    /// A feed with blank lines only.
    EmptyFeed = "empty-feed",
    /// A feed none of whose lines is a valid product.
    NoValidProduct = "no-valid-product",
    /// A feed longer than the caller's limit; the rest is not read.
    FeedTooLong = "feed-too-long",
    /// More identifiers than are remembered: one that repeats another may not have been found.
    IdsNotCompared = "ids-not-compared",
    /// More findings than are kept; the rest is counted only.
    TooManyFindings = "too-many-findings",
    /// A response without, or with another, Content-Type than JSON's.
    ContentType = "content-type",
    /// A manifest that was not fetched over https.
    NotOverHttps = "not-over-https",
    /// A manifest from another host than the one it names.
    OriginMismatch = "origin-mismatch",
    /// A response that is not a manifest.
    NotAManifest = "not-a-manifest",
    /// An endpoint that did not answer with success.
    EndpointUnavailable = "endpoint-unavailable",
    /// A feed that cannot be used.
    FeedUnavailable = "feed-unavailable",
    /// A keyword of the reference schema that the value breaks.
    ReferenceSchema = "reference-schema",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One fault: severity, place, code, requirement, and a sentence for people.
///
/// ```
/// use llmindex_types::{Code, Options, validate};
/// use llmindex_types::web_values::Severity;
/// let report = validate(br#"{"version": 0.1}"#, &Options::default()).unwrap();
/// let finding = &report.findings()[0];
/// assert_eq!(finding.severity(), Severity::Error);
/// assert_eq!((finding.path(), finding.code()), ("/version", Code::WrongType));
/// assert_eq!(finding.requirement(), "LLMI-MAN-2");
/// assert_eq!(finding.to_string(), "error at /version: expected a string, found a number");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct ManifestFinding {
    severity: Severity,
    code: Code,
    requirement: &'static str,
    path: Box<str>,
    message: Box<str>,
}

impl ManifestFinding {
    pub(crate) fn new(
        severity: Severity,
        code: Code,
        requirement: &'static str,
        path: impl Into<Box<str>>,
        message: impl Into<Box<str>>,
    ) -> Self {
        ManifestFinding { severity, code, requirement, path: path.into(), message: message.into() }
    }

    /// The severity.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Whether it is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The JSON Pointer of the faulty member, or of the place of a missing one; `""` is the whole text. It ends before
    /// a member name that looks like a secret, so that no log shows it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The ID of the requirement or decision behind it, such as `LLMI-MAN-3`.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        self.requirement
    }

    pub(crate) fn into_error(self) -> Self {
        ManifestFinding { severity: Severity::Error, ..self }
    }

    /// What was expected and what was found, for people. Never holds a value that looks like a secret.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl web_values::Finding for ManifestFinding {
    fn severity(&self) -> Severity {
        self.severity
    }

    fn code(&self) -> &'static str {
        self.code.as_str()
    }

    fn place(&self) -> Place<'_> {
        Place::named(&self.path)
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(self.requirement)
    }

    fn message(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.message)
    }
}

impl fmt::Display for ManifestFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.path {
            "" => write!(f, "{}: {}", self.severity, self.message),
            path => write!(f, "{} at {path}: {}", self.severity, self.message),
        }
    }
}

/// The findings of a check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use]
pub struct Report {
    findings: Vec<ManifestFinding>,
}

impl fmt::Display for Report {
    /// Writes one line for each finding; nothing if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut findings = self.findings.iter();
        findings.next().map_or(Ok(()), |first| write!(f, "{first}"))?;
        findings.try_for_each(|finding| write!(f, "\n{finding}"))
    }
}

impl Report {
    /// Returns true if there is no error; warnings do not count.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.errors().next().is_none()
    }

    /// The findings, in the order of the checks.
    pub fn findings(&self) -> &[ManifestFinding] {
        &self.findings
    }

    /// The findings as plain records with offset, line and column in `json`, the text that was checked: for editors, CI
    /// and logs. `O(length + findings * length)`; a report has few findings.
    ///
    /// ```
    /// use llmindex_types::{Options, validate};
    ///
    /// let json = b"{\n  \"version\": \"0.1\",\n  \"language\": \"en_US\"\n}";
    /// let records = validate(json, &Options::default())?.to_records(json);
    /// let language = records.iter().find(|record| record.place == "/language").ok_or("no finding")?;
    /// assert_eq!((language.line, language.column), (Some(3), Some(15)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_records(&self, json: &[u8]) -> Vec<FindingRecord> {
        let reader = JsonReader::new().report_repeated_names().report_lone_surrogates().report_huge_numbers();
        let document = reader.read(json).ok();
        let record = |finding: &ManifestFinding| {
            let mut record = web_values::Finding::to_record(finding);
            if let Some(document) = &document {
                let (offset, place) = document.locate(finding.path());
                record.offset = Some(offset);
                record.line = u32::try_from(place.line).ok();
                record.column = u32::try_from(place.column).ok();
            }
            record
        };
        self.findings.iter().map(record).collect()
    }

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &ManifestFinding> {
        self.findings.iter().filter(|finding| finding.is_error())
    }

    /// The warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &ManifestFinding> {
        self.findings.iter().filter(|finding| !finding.is_error())
    }

    pub(crate) fn from_findings(findings: Vec<ManifestFinding>) -> Self {
        Report { findings }
    }
}

/// A place in a value: the chain of names and indices to it. A pointer is made from it only for a finding.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Path<'p> {
    Root,
    Name(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
}

impl<'p> Path<'p> {
    pub(crate) fn name(&'p self, name: &'p str) -> Path<'p> {
        Path::Name(self, name)
    }

    pub(crate) fn index(&'p self, index: usize) -> Path<'p> {
        Path::Index(self, index)
    }

    /// The JSON Pointer. The chain is as deep as the checks nest, a handful of levels, however deep
    /// the text nests.
    pub(crate) fn to_pointer(self) -> String {
        let mut pointer = String::new();
        self.push(&mut pointer, false);
        pointer
    }

    /// The JSON Pointer up to a name that looks like a secret, and whether it is complete.
    pub(crate) fn to_shown_pointer(self) -> (String, bool) {
        let mut pointer = String::new();
        let is_whole = self.push(&mut pointer, true);
        (pointer, is_whole)
    }

    /// Appends the tokens; false where one was left out, and all after it.
    fn push(self, pointer: &mut String, shown: bool) -> bool {
        match self {
            Path::Root => true,
            Path::Name(parent, name) => {
                let whole = parent.push(pointer, shown) && !(shown && is_secret_name(name));
                if whole {
                    push_token(pointer, name);
                }
                whole
            }
            Path::Index(parent, index) => {
                let whole = parent.push(pointer, shown);
                if whole {
                    push_token(pointer, &index.to_string());
                }
                whole
            }
        }
    }

    /// Length of all names of the chain, which is the cost of its pointer.
    fn name_bytes(self) -> usize {
        match self {
            Path::Root => 0,
            Path::Name(parent, name) => parent.name_bytes().saturating_add(name.len()),
            Path::Index(parent, _) => parent.name_bytes(),
        }
    }
}

/// Whether a member's name looks like a secret itself, and so must not be shown.
pub(crate) fn is_secret_name(name: &str) -> bool {
    secret::in_value(name).is_some()
}

/// Collects findings within a bound on their number and on the bytes of their pointers, so that a small hostile
/// text cannot exhaust memory or time with long pointers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    list: Vec<ManifestFinding>,
    max: usize,
    /// Bytes of the names in all pointers, those that are not shown too.
    pointer_bytes: usize,
    omitted: u64,
}

/// Bound on the bytes of all names in the pointers of one report.
const MAX_POINTER_BYTES: usize = 4 << 20;

impl Findings {
    pub(crate) fn new(max: usize) -> Self {
        Findings { max, ..Findings::default() }
    }

    /// Returns true if no more findings are kept. Check it before building a pointer: many faults below one long
    /// name would each cost its length.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= self.max || self.pointer_bytes > MAX_POINTER_BYTES
    }

    /// Counts a finding without room to keep it.
    pub(crate) fn omit(&mut self) {
        self.omitted += 1;
    }

    #[cold]
    pub(crate) fn push(&mut self, finding: ManifestFinding) {
        if self.is_full() {
            self.omitted += 1;
        } else {
            self.pointer_bytes += finding.path.len();
            self.list.push(finding);
        }
    }

    #[cold]
    pub(crate) fn add(
        &mut self,
        severity: Severity,
        path: Path<'_>,
        code: Code,
        requirement: &'static str,
        message: impl Into<Box<str>>,
    ) {
        if self.is_full() {
            self.omitted += 1;
        } else {
            let (shown, _) = path.to_shown_pointer();
            self.pointer_bytes =
                self.pointer_bytes.saturating_add(path.name_bytes().saturating_sub(shown.len()));
            self.push(ManifestFinding::new(severity, code, requirement, shown, message));
        }
    }

    #[cold]
    pub(crate) fn error(
        &mut self,
        path: Path<'_>,
        code: Code,
        requirement: &'static str,
        message: impl Into<Box<str>>,
    ) {
        self.add(Severity::Error, path, code, requirement, message);
    }

    #[cold]
    pub(crate) fn warning(
        &mut self,
        path: Path<'_>,
        code: Code,
        requirement: &'static str,
        message: impl Into<Box<str>>,
    ) {
        self.add(Severity::Warning, path, code, requirement, message);
    }

    /// The findings; where some were omitted, a last one says how many. It is an error, because one of them may have been.
    pub(crate) fn finish(&mut self) {
        if self.omitted > 0 {
            let message = format!(
                "expected at most {} findings, found {} more at least",
                self.list.len(),
                self.omitted
            );
            self.list.push(ManifestFinding::new(
                Severity::Error,
                Code::TooManyFindings,
                "LLMI-AMB-29",
                "",
                message,
            ));
        }
    }

    pub(crate) fn list(&self) -> &[ManifestFinding] {
        &self.list
    }

    pub(crate) fn into_report(mut self) -> Report {
        self.finish();
        Report::from_findings(self.list)
    }

    /// Forgets all, keeping the buffer.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.pointer_bytes = 0;
        self.omitted = 0;
    }
}

/// `text` for a message: quoted, escaped, cut after 32 characters; a text that looks like a secret is not shown.
#[cold]
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 32;
    if secret::in_value(text).is_some() || text.contains(['@', '?']) {
        return format!("a string of {} bytes", text.len());
    }
    let mut out = String::from("`");
    for (count, c) in text.chars().enumerate() {
        if count == LONGEST {
            out.push('…');
            break;
        }
        if c == '"' || c == '\'' { out.push(c) } else { out.extend(c.escape_debug()) }
    }
    out.push('`');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_short_and_shows_no_secret() {
        let long = "é".repeat(32);
        for (text, expected) in [
            ("", "``"),
            ("a b", "`a b`"),
            ("it's \"so\"", "`it's \"so\"`"),
            ("a\nb\u{202e}c\\", "`a\\nb\\u{202e}c\\\\`"),
            (&*long, &*format!("`{long}`")),
            (&*format!("{long}x"), &*format!("`{long}…`")),
            (&*format!("{long}xyz"), &*format!("`{long}…`")),
            ("ada@a.example", "a string of 13 bytes"),
            ("/path?token=x", "a string of 13 bytes"),
            ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "a string of 40 bytes"),
        ] {
            assert_eq!(excerpt(text), expected, "{text}");
        }
    }
}
