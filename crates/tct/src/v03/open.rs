//! Opening an M-URL's response of draft -03: every check from untrusted bytes to a usable text.
//!
//! Checks come in the order of [`DocumentProblem`]: transport and status, field syntax, content coding, the body (UTF-8,
//! JSON, profile, members, canonical form), then entity tag, digest, length, the fields of delivery, links, and last the
//! sitemap's hint. A failed check skips only the checks that depend on it, so that a report is complete.
//!
//! | problem | lenient | strict |
//! |---|---|---|
//! | `status`, `content-type`, `content-coding`, `body-invalid`, `profile`, `schema` | refused | refused |
//! | `digest-mismatch`, `canonical-missing`, `canonical-mismatch`, `canonical-conflict` | refused | refused |
//! | `content-type-parameters`, `not-canonical`, `etag-…`, `digest-missing`, `length-mismatch` | taken | refused |
//! | `vary-missing`, `no-transform-missing`, `profile-link-missing` | taken | refused |
//! | `hint-mismatch` | taken | taken |
//!
//! A body whose tag is not its hash is held under its own hash, and that tag is never compared with a hint. Coded bytes
//! are neither hashed nor parsed: send `Accept-Encoding: identity`, or decode the body and remove the field.

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, VARY};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tct_canonical_json::{JsonDocument, JsonError, JsonKind, JsonValue};
use url::Url;

use super::check::{Members, read_document};
use super::finding::TctFinding;
use super::limits::BodyLimits;
use super::profile::M_URL_PROFILE;
use super::tag::{BodyTag, DigestCheck, hint_matches};
use crate::address::{CUrl, TrailingSlash};
use crate::answer::{PageFault, Strictness, TagFault, json_type, page_of, tag_of};
use crate::held::ContentHash;
use crate::link::links;
use crate::untrusted::UntrustedText;

/// How a response is judged. The default is lenient.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct DocumentPolicy {
    /// Which problems refuse a response.
    pub strictness: Strictness,
    /// Whether `/post` and `/post/` are one page when canonical URLs are compared.
    pub trailing_slash: TrailingSlash,
    /// How large the body may be.
    pub limits: BodyLimits,
}

impl DocumentPolicy {
    /// The policy that accepts only what the draft allows.
    #[must_use]
    pub fn strict() -> Self {
        DocumentPolicy { strictness: Strictness::Strict, ..Self::default() }
    }

    /// The same policy, with `/post` and `/post/` as one page.
    #[must_use]
    pub fn with_folded_slashes(self) -> Self {
        DocumentPolicy { trailing_slash: TrailingSlash::Folded, ..self }
    }

    /// The same policy with other limits.
    #[must_use]
    pub fn with_limits(self, limits: BodyLimits) -> Self {
        DocumentPolicy { limits, ..self }
    }
}

/// What the agent expects of the response.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExpectedDocument<'a> {
    /// The page that the response must be for. Without one, the response's own claim counts only within its own
    /// origin.
    pub page: Option<&'a CUrl>,
    /// The sitemap's hint for it. Text of another form counts as a hint that names no bytes.
    pub hint: Option<&'a ContentHash>,
}

/// What is wrong with a response. The names are stable; [`DocumentProblem::code`] gives them in kebab case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DocumentProblem {
    /// The status is not 200. Nothing else is checked.
    Status,
    /// `Content-Type` is not `application/json`.
    ContentType,
    /// `Content-Type` has a parameter, such as a charset.
    ContentTypeParameters,
    /// A content coding is still there.
    ContentCoding,
    /// The body is not one JSON object with one meaning, or is past a limit.
    BodyInvalid,
    /// `profile` is not the URI of an M-URL document.
    Profile,
    /// Another member is missing or of the wrong form.
    Schema,
    /// The bytes are not their own RFC 8785 form.
    NotCanonical,
    /// There is no `ETag`.
    EtagMissing,
    /// `ETag` is not one entity tag.
    EtagMalformed,
    /// The entity tag is marked weak: most likely by an intermediary.
    EtagWeak,
    /// The entity tag, whatever its mark, is not the hash of the bytes.
    EtagMismatch,
    /// There is no `Content-Digest` with a SHA-256 that can be read.
    DigestMissing,
    /// `Content-Digest` does not match: the bytes are corrupted or truncated.
    DigestMismatch,
    /// `Content-Length` is another number.
    LengthMismatch,
    /// `Vary` does not list `Accept-Encoding`.
    VaryMissing,
    /// `Cache-Control` has no `no-transform`.
    NoTransformMissing,
    /// There is no `Link` to the profile.
    ProfileLinkMissing,
    /// There is no canonical `Link`.
    CanonicalMissing,
    /// The canonical `Link` names another page than the expected one; without one, a page of another origin.
    CanonicalMismatch,
    /// Two canonical `Link`s, or the `Link` and the body's `canonical_url`, name different pages.
    CanonicalConflict,
    /// The sitemap's hint names other bytes. Either may be newer.
    HintMismatch,
}

words! { DocumentProblem
    Status => "status", "TCT3-AGENT-3", "expected the status 200, found another";
    ContentType => "content-type", "TCT3-HDR-1", "expected `application/json`, found another media type";
    ContentTypeParameters => "content-type-parameters", "TCT3-HDR-2", "expected `application/json` alone, found a parameter";
    ContentCoding => "content-coding", "TCT3-CODE-6", "expected a body without content coding, found a coded one";
    BodyInvalid => "body-invalid", "TCT3-AGENT-5", "expected one JSON object within the limits, found another body";
    Profile => "profile", "TCT3-PROF-4", "expected the profile of an M-URL document of draft -03, found another";
    Schema => "schema", "TCT3-AGENT-8", "expected the members of an M-URL document, found a fault in one";
    NotCanonical => "not-canonical", "TCT3-AGENT-9", "expected bytes in canonical form, found others";
    EtagMissing => "etag-missing", "TCT3-AGENT-10", "expected an entity tag, found none";
    EtagMalformed => "etag-malformed", "TCT3-AGENT-10", "expected one entity tag, found other text";
    EtagWeak => "etag-weak", "TCT3-AGENT-10", "expected a strong entity tag, found a weak one";
    EtagMismatch => "etag-mismatch", "TCT3-AGENT-10", "expected the tag to be the hash of the bytes, found another";
    DigestMissing => "digest-missing", "TCT3-AGENT-11", "expected a SHA-256 in `Content-Digest`, found none";
    DigestMismatch => "digest-mismatch", "TCT3-AGENT-11", "expected the bytes of `Content-Digest`, found others";
    LengthMismatch => "length-mismatch", "TCT3-TAG-8", "expected as many bytes as `Content-Length` says, found another number";
    VaryMissing => "vary-missing", "TCT3-HDR-4", "expected `Vary: Accept-Encoding`, found none";
    NoTransformMissing => "no-transform-missing", "TCT3-HDR-5", "expected `no-transform`, found other directives";
    ProfileLinkMissing => "profile-link-missing", "TCT3-HDR-8", "expected a link to the profile, found none";
    CanonicalMissing => "canonical-missing", "TCT3-AGENT-12", "expected a canonical link, found none";
    CanonicalMismatch => "canonical-mismatch", "TCT3-AGENT-12", "expected the canonical link of the page, found another page's";
    CanonicalConflict => "canonical-conflict", "TCT3-AGENT-12", "expected one canonical page, found two";
    HintMismatch => "hint-mismatch", "TCT3-AGENT-13", "expected the bytes that the sitemap names, found others";
}

impl DocumentProblem {
    /// Whether the problem refuses a response.
    ///
    /// Spec: TCT draft-03; TCT3-AGENT-2.
    #[must_use]
    pub const fn is_fatal(self, strictness: Strictness) -> bool {
        match strictness {
            Strictness::Strict => !matches!(self, DocumentProblem::HintMismatch),
            Strictness::Lenient => matches!(
                self,
                DocumentProblem::Status
                    | DocumentProblem::ContentType
                    | DocumentProblem::ContentCoding
                    | DocumentProblem::BodyInvalid
                    | DocumentProblem::Profile
                    | DocumentProblem::Schema
                    | DocumentProblem::DigestMismatch
                    | DocumentProblem::CanonicalMissing
                    | DocumentProblem::CanonicalMismatch
                    | DocumentProblem::CanonicalConflict
            ),
        }
    }
}

/// The outcome of opening a response.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct OpenedDocument {
    strictness: Strictness,
    problems: Vec<DocumentProblem>,
    findings: Vec<TctFinding>,
    json_error: Option<JsonError>,
    tag: Option<BodyTag>,
    is_tag_of_bytes: bool,
    hint_matches: Option<bool>,
    document: Option<ReceivedDocument>,
}

impl OpenedDocument {
    /// Whether the document may be used as the expected page's.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.document.is_some()
    }

    /// The problems, each once, in the order of [`DocumentProblem`].
    #[must_use]
    pub fn problems(&self) -> &[DocumentProblem] {
        &self.problems
    }

    /// The problems that refuse the response.
    pub fn fatal(&self) -> impl Iterator<Item = DocumentProblem> + '_ {
        self.problems.iter().copied().filter(|problem| problem.is_fatal(self.strictness))
    }

    /// The faults of the document behind `profile` and `schema`.
    #[must_use]
    pub fn findings(&self) -> &[TctFinding] {
        &self.findings
    }

    /// Where and why the body is not JSON within the limits.
    #[must_use]
    pub fn json_error(&self) -> Option<&JsonError> {
        self.json_error.as_ref()
    }

    /// The tag of the bytes; `None` if they were not hashed.
    ///
    /// Store the body under this hash, and compare hints with it, never with the entity tag of the
    /// response.
    ///
    /// Spec: TCT draft-03; TCT3-ZF-4, TCT3-AMB-20, TCT3-AMB-29.
    #[must_use]
    pub fn tag(&self) -> Option<&BodyTag> {
        self.tag.as_ref()
    }

    /// Whether the response's entity tag is strong and the hash of the bytes.
    #[must_use]
    pub fn is_tag_of_bytes(&self) -> bool {
        self.is_tag_of_bytes
    }

    /// Whether the bytes match the sitemap's hint; `None` without a hint, or if they were not hashed.
    #[must_use]
    pub fn hint_matches(&self) -> Option<bool> {
        self.hint_matches
    }

    /// The document, if the response is accepted.
    #[must_use]
    pub fn document(&self) -> Option<&ReceivedDocument> {
        self.document.as_ref()
    }

    /// The document, if the response is accepted.
    #[must_use]
    pub fn into_document(self) -> Option<ReceivedDocument> {
        self.document
    }
}

/// A document whose response was accepted. Its content is still untrusted, whatever its media type.
///
/// Spec: TCT draft-03; TCT3-SEC-4, TCT3-AMB-4.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedDocument {
    json: Vec<u8>,
    page: CUrl,
    title: UntrustedText,
    content: UntrustedText,
    language: Option<String>,
    content_media_type: Option<String>,
}

impl ReceivedDocument {
    pub(crate) fn into_parts(self) -> (Vec<u8>, CUrl, UntrustedText, UntrustedText) {
        (self.json, self.page, self.title, self.content)
    }

    /// The body as received, including unknown members.
    #[must_use]
    pub fn json(&self) -> &[u8] {
        &self.json
    }

    /// The page of the response, by its canonical `Link`.
    #[must_use]
    pub fn page(&self) -> &CUrl {
        &self.page
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> &UntrustedText {
        &self.title
    }

    /// The text.
    #[must_use]
    pub fn content(&self) -> &UntrustedText {
        &self.content
    }

    /// The language of title and text: a well-formed tag.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// What the text is written in; plain text where it is absent.
    #[must_use]
    pub fn content_media_type(&self) -> Option<&str> {
        self.content_media_type.as_deref()
    }
}

/// Checks a response and opens its document. `url` is the URL that answered, after redirects.
///
/// `O(n)` in the length of the body.
///
/// ```
/// use http::{HeaderMap, Method};
/// use tct::v03::{DocumentPolicy, ExpectedDocument, MUrlDocument, open_document};
/// use tct::{CUrl, plan_response};
///
/// let sealed = MUrlDocument::new("https://example.com/post/", "Example", "Hello")?.seal()?;
/// let plan = plan_response(&Method::GET, &HeaderMap::new(), &sealed.representation());
/// let response = plan.into_http(sealed.body().len(), |range| sealed.body()[range].to_vec());
///
/// let page = CUrl::parse("https://example.com/post/")?;
/// let url = url::Url::parse("https://example.com/post/llm/")?;
/// let expected = ExpectedDocument { page: Some(&page), hint: None };
/// let opened = open_document(&url, &response, &expected, &DocumentPolicy::strict());
/// assert!(opened.is_accepted() && opened.problems().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: TCT draft-03; TCT3-AGENT-1 to TCT3-AGENT-13, TCT3-CODE-5, TCT3-CODE-6, TCT3-HDR-2, TCT3-AMB-14, TCT3-AMB-20 to
/// TCT3-AMB-22, TCT3-AMB-28.
pub fn open_document<B: AsRef<[u8]>>(
    url: &Url,
    response: &http::Response<B>,
    expected: &ExpectedDocument<'_>,
    policy: &DocumentPolicy,
) -> OpenedDocument {
    open_parts(url, response.status(), response.headers(), response.body().as_ref(), expected, policy)
}

/// As [`open_document`], from the parts of a response.
pub(crate) fn open_parts(
    url: &Url,
    status: StatusCode,
    headers: &HeaderMap,
    bytes: &[u8],
    expected: &ExpectedDocument<'_>,
    policy: &DocumentPolicy,
) -> OpenedDocument {
    let mut check = Check {
        policy,
        problems: Vec::new(),
        findings: Vec::new(),
        json_error: None,
        is_tag_of_bytes: false,
    };
    if status != StatusCode::OK {
        check.problems.push(DocumentProblem::Status);
        return check.finish(None, None, None);
    }
    check.content_type(headers);
    let is_coded = is_coded(headers);
    check.add(is_coded, DocumentProblem::ContentCoding);
    let tag = (!is_coded).then(|| BodyTag::of_bytes(bytes));
    let json = if is_coded { None } else { check.json(bytes) };
    let members = json.as_ref().map(|json| check.members(json));
    check.etag(headers, tag.as_ref());
    check.digest(headers, tag.as_ref());
    check.delivery(headers);
    let is_valid = check.findings.is_empty();
    let claimed = members.as_ref().filter(|_| is_valid).and_then(|members| members.canonical_url);
    let page = check.page(url, headers, expected.page, claimed);
    let hint_matches = expected.hint.zip(tag.as_ref()).map(|(hint, tag)| *hint == tag.fingerprint());
    check.add(hint_matches == Some(false), DocumentProblem::HintMismatch);
    let is_refused = check.problems.iter().any(|problem| problem.is_fatal(policy.strictness));
    let document = members.filter(|_| !is_refused).and_then(|members| {
        let text = |value: Option<JsonValue<'_>>| Some(value?.as_str()?.into_owned());
        Some(ReceivedDocument {
            json: bytes.to_vec(),
            page: page?,
            title: UntrustedText::new(text(members.title)?),
            content: UntrustedText::new(text(members.content)?),
            language: text(members.language),
            content_media_type: text(members.content_media_type),
        })
    });
    check.finish(tag, hint_matches, document)
}

struct Check<'a> {
    policy: &'a DocumentPolicy,
    problems: Vec<DocumentProblem>,
    findings: Vec<TctFinding>,
    json_error: Option<JsonError>,
    is_tag_of_bytes: bool,
}

impl Check<'_> {
    fn add(&mut self, is_so: bool, problem: DocumentProblem) {
        if is_so {
            self.problems.push(problem);
        }
    }

    fn finish(
        mut self,
        tag: Option<BodyTag>,
        hint_matches: Option<bool>,
        document: Option<ReceivedDocument>,
    ) -> OpenedDocument {
        self.problems.sort_unstable();
        self.problems.dedup();
        OpenedDocument {
            strictness: self.policy.strictness,
            problems: self.problems,
            findings: self.findings,
            json_error: self.json_error,
            tag,
            is_tag_of_bytes: self.is_tag_of_bytes,
            hint_matches,
            document,
        }
    }

    fn content_type(&mut self, headers: &HeaderMap) {
        match json_type(headers) {
            Some(line) => self.add(line.contains(';'), DocumentProblem::ContentTypeParameters),
            None => self.problems.push(DocumentProblem::ContentType),
        }
    }

    /// A body that is one JSON object within the limits.
    fn json<'a>(&mut self, bytes: &'a [u8]) -> Option<JsonDocument<'a>> {
        match self.policy.limits.reader().read(bytes) {
            Ok(json) if json.root().kind() == JsonKind::Object => {
                self.add(!self.policy.limits.is_canonical(&json), DocumentProblem::NotCanonical);
                return Some(json);
            }
            Ok(_) => {}
            Err(error) => self.json_error = Some(error),
        }
        self.problems.push(DocumentProblem::BodyInvalid);
        None
    }

    fn members<'a>(&mut self, json: &'a JsonDocument<'_>) -> Members<'a> {
        let (members, findings) = read_document(json.root());
        for finding in &findings {
            let is_profile = finding.path() == "/profile";
            self.problems.push(if is_profile { DocumentProblem::Profile } else { DocumentProblem::Schema });
        }
        self.findings = findings;
        members
    }

    fn etag(&mut self, headers: &HeaderMap, body: Option<&BodyTag>) {
        let (tag, line) = match tag_of(headers) {
            Ok(found) => found,
            Err(TagFault::Missing) => return self.problems.push(DocumentProblem::EtagMissing),
            Err(TagFault::Malformed) => return self.problems.push(DocumentProblem::EtagMalformed),
        };
        self.add(tag.is_weak(), DocumentProblem::EtagWeak);
        if let Some(body) = body {
            let is_hash = tag.opaque() == body.hint().as_bytes();
            self.add(!is_hash, DocumentProblem::EtagMismatch);
            self.is_tag_of_bytes = is_hash && hint_matches(&body.hint(), line.as_bytes());
        }
    }

    fn digest(&mut self, headers: &HeaderMap, body: Option<&BodyTag>) {
        // Of coded bytes nothing is compared, but the field can be looked for.
        match body.copied().unwrap_or_else(|| BodyTag::of_bytes(b"")).check_digest(headers) {
            DigestCheck::Unusable => self.problems.push(DocumentProblem::DigestMissing),
            DigestCheck::Mismatch => self.add(body.is_some(), DocumentProblem::DigestMismatch),
            DigestCheck::Match => {}
        }
        let mut lengths = headers.get_all(CONTENT_LENGTH).iter().map(|line| {
            let digits = line.to_str().ok()?.trim();
            // Without the look at its bytes, `+5` would be a number.
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_: &u64| is_number)
        });
        if let Some(body) = body {
            let differs = lengths.any(|length| length != Some(body.len_bytes()));
            self.add(differs, DocumentProblem::LengthMismatch);
        }
    }

    fn delivery(&mut self, headers: &HeaderMap) {
        self.add(!has_member(headers, VARY, "accept-encoding"), DocumentProblem::VaryMissing);
        self.add(!has_member(headers, CACHE_CONTROL, "no-transform"), DocumentProblem::NoTransformMissing);
        let mut profiles = links(headers).filter(|link| link.has_rel("profile") && !link.is_anchored);
        self.add(!profiles.any(|link| link.target == M_URL_PROFILE), DocumentProblem::ProfileLinkMissing);
    }

    /// The page of the response, if its canonical link names exactly one.
    fn page(
        &mut self,
        url: &Url,
        headers: &HeaderMap,
        expected: Option<&CUrl>,
        claimed: Option<JsonValue<'_>>,
    ) -> Option<CUrl> {
        let claimed = claimed.and_then(|claimed| claimed.as_str());
        page_of(url, headers, expected, claimed.as_deref(), self.policy.trailing_slash, |fault| {
            self.problems.push(match fault {
                PageFault::Missing => DocumentProblem::CanonicalMissing,
                PageFault::Mismatch => DocumentProblem::CanonicalMismatch,
                PageFault::Ambiguous | PageFault::Conflict => DocumentProblem::CanonicalConflict,
            });
        })
    }
}

/// Whether a content coding other than `identity` is still there.
pub(crate) fn is_coded(headers: &HeaderMap) -> bool {
    headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .flat_map(|line| line.as_bytes().split(|byte| *byte == b','))
        .map(<[u8]>::trim_ascii)
        .any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity"))
}

/// Whether a field that is a comma list names `member`, letter case aside, with or without an argument.
fn has_member(headers: &HeaderMap, name: HeaderName, member: &str) -> bool {
    headers
        .get_all(name)
        .iter()
        .map(HeaderValue::as_bytes)
        .flat_map(|line| line.split(|byte| *byte == b','))
        .any(|found| found.trim_ascii().eq_ignore_ascii_case(member.as_bytes()))
}
