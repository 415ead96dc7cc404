//! Opening an M-URL's response: every check from untrusted bytes to a usable text.
//!
//! Checks come in the order of [`ProblemCode`]. A status other than 200 ends them at once; a body that is not
//! well-formed JSON has no members to check. Everything else is checked, so that a report is complete.
//!
//! [`Strictness`] decides whether a problem refuses the response. Lenient (the default) accepts the deviations of
//! deployed publishers, but refuses a response for another page or without the required fields. Strict accepts
//! only what the draft allows.
//!
//! | problem | lenient | strict |
//! |---|---|---|
//! | `status`, `content-type`, `body-invalid`, `body-over-limit`, `field-missing`, `hash-malformed` | refused | refused |
//! | `canonical-missing`, `canonical-mismatch`, `canonical-conflict` between two links | refused | refused |
//! | `canonical-conflict` between link and body | taken | refused |
//! | `etag-missing`, `etag-weak`, `etag-malformed` | taken | refused |
//! | `payload-parity`, `sitemap-parity`, `markup-in-content` | taken | refused |
//!
//! The caller handles TLS: certificates must be checked against the platform's trust store (TCT-SEC-2), and a
//! response that needed credentials must be kept apart from public ones ([`cache`](crate::cache)).

use http::header::ETAG;
use http::{HeaderMap, StatusCode};
use tct_canonical_json::{Canonicalizer, JsonError, JsonErrorKind, JsonKind, JsonReader, Profile};
use tct_fingerprint::{Fingerprint, LenientEtag};
use url::Url;

use crate::CUrl;
use crate::address::TrailingSlash;
pub use crate::answer::Strictness;
use crate::answer::{PageFault, TagFault, json_type, only_line, page_of, tag_of};
use crate::held::{ContentHash, HeldTag};
use crate::payload::find_markup;
use crate::untrusted::UntrustedText;
use crate::v03::{DocumentProblem, M_URL_PROFILE, OpenedDocument};

/// How a response is judged. The default is lenient.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OpenPolicy {
    /// Which problems refuse a response.
    pub strictness: Strictness,
    /// Whether `/post` and `/post/` are one page when canonical URLs are compared.
    pub trailing_slash: TrailingSlash,
    /// Whether a suffix that a compressing server appended to the hash in the entity tag (`-gzip`, `-br`) is removed
    /// before comparing. Default: yes, since every page behind `mod_deflate` has one. It is noted in either case.
    pub strips_etag_suffix: bool,
    /// Bytes of the body, decoded; at most 268,435,455. Default: 16,777,216.
    pub max_bytes: usize,
    /// Containers inside each other in the body. Default: 128.
    pub max_depth: usize,
}

impl Default for OpenPolicy {
    fn default() -> Self {
        OpenPolicy {
            strictness: Strictness::Lenient,
            trailing_slash: TrailingSlash::Significant,
            strips_etag_suffix: true,
            max_bytes: 16 << 20,
            max_depth: 128,
        }
    }
}

impl OpenPolicy {
    /// The policy that accepts only what the draft allows.
    #[must_use]
    pub fn strict() -> Self {
        OpenPolicy { strictness: Strictness::Strict, ..Self::default() }
    }

    /// The same policy, with `/post` and `/post/` as one page (TCT-DEP-4).
    #[must_use]
    pub fn with_folded_slashes(self) -> Self {
        OpenPolicy { trailing_slash: TrailingSlash::Folded, ..self }
    }

    /// The same policy, with entity tags compared as they came: a suffix such as `-gzip` fails parity.
    #[must_use]
    pub fn keeping_etag_suffixes(self) -> Self {
        OpenPolicy { strips_etag_suffix: false, ..self }
    }

    /// The same policy with another size of the body.
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: usize) -> Self {
        OpenPolicy { max_bytes, ..self }
    }
}

/// What the agent expects of the response.
#[derive(Debug, Clone, Copy, Default)]
pub struct Expected<'a> {
    /// The page that the response must be for. Without one, the response's own claim counts only within its own
    /// origin.
    pub page: Option<&'a CUrl>,
    /// The sitemap's hash for it. Text of another form counts as a hash that no response has.
    pub sitemap_hash: Option<&'a ContentHash>,
}

/// What is wrong with a response. The names are stable; [`ProblemCode::code`] gives them in kebab case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProblemCode {
    /// The status is not 200.
    Status,
    /// `Content-Type` is not `application/json`.
    ContentType,
    /// There is no `ETag`.
    EtagMissing,
    /// The entity tag is marked weak.
    EtagWeak,
    /// `ETag` is no entity tag, or one that begins like a hash and is not a hash. Any other strong tag is well-formed and
    /// only fails parity (TCT-ETAG-4).
    EtagMalformed,
    /// The body is not one well-formed JSON object. [`Opened::json_error`] has the place.
    BodyInvalid,
    /// The body is past a limit of the [`OpenPolicy`]: its size or its depth. Its content was not checked.
    BodyOverLimit,
    /// A required field is absent, null or not a string.
    FieldMissing,
    /// The field `hash` is not `sha256-` and 64 lower-case hex digits.
    HashMalformed,
    /// The entity tag is not the payload's hash.
    PayloadParity,
    /// The entity tag is not the sitemap's hash.
    SitemapParity,
    /// There is no canonical `Link`.
    CanonicalMissing,
    /// The canonical `Link` names another page than the expected one; without one, a page of another origin.
    CanonicalMismatch,
    /// Two canonical `Link`s, or the `Link` and the body's `canonical_url`, name different pages.
    CanonicalConflict,
    /// The text has what looks like markup.
    MarkupInContent,
    /// A problem of a document of draft -03, which has its own list. Only [`Visit`](crate::Visit) and its callers
    /// report it: [`open_response`] opens payloads of the drafts before, [`open_document`](crate::v03::open_document)
    /// documents.
    V03(DocumentProblem),
}

words! { ProblemCode
    Status => "status", "TCT-ERR-3", "expected the status 200, found another";
    ContentType => "content-type", "TCT-MURL-1", "expected `application/json`, found another media type";
    EtagMissing => "etag-missing", "TCT-ETAG-1", "expected an entity tag, found none";
    EtagWeak => "etag-weak", "TCT-ETAG-2", "expected a strong entity tag, found a weak one";
    EtagMalformed => "etag-malformed", "TCT-ETAG-2", "expected one entity tag, found other text";
    BodyInvalid => "body-invalid", "TCT-SEC-10", "expected one JSON object, found another body";
    BodyOverLimit => "body-over-limit", "TCT-SEC-10", "expected a body within the limits, found a larger one";
    FieldMissing => "field-missing", "TCT-MURL-3", "expected a string, found none";
    HashMalformed => "hash-malformed", "TCT-MURL-6", "expected `sha256-` and 64 lower-case hex digits, found other text";
    PayloadParity => "payload-parity", "TCT-PAR-1", "expected the entity tag to be the payload's hash, found another";
    SitemapParity => "sitemap-parity", "TCT-PAR-1", "expected the sitemap's hash, found another entity tag";
    CanonicalMissing => "canonical-missing", "TCT-CANON-2", "expected a canonical link, found none";
    CanonicalMismatch => "canonical-mismatch", "TCT-CANON-2", "expected the canonical link of the page, found another page's";
    CanonicalConflict => "canonical-conflict", "TCT-AMB-28", "expected one canonical page, found two";
    MarkupInContent => "markup-in-content", "TCT-SRC-3", "expected text without markup, found what looks like some";
    | V03(problem) => problem;
}

impl ProblemCode {
    const fn refuses(self, strictness: Strictness) -> bool {
        match strictness {
            Strictness::Strict => true,
            Strictness::Lenient => matches!(
                self,
                ProblemCode::Status
                    | ProblemCode::ContentType
                    | ProblemCode::BodyInvalid
                    | ProblemCode::BodyOverLimit
                    | ProblemCode::FieldMissing
                    | ProblemCode::HashMalformed
                    | ProblemCode::CanonicalMissing
                    | ProblemCode::CanonicalMismatch
            ),
        }
    }
}

/// A problem that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Problem {
    /// What is wrong.
    pub code: ProblemCode,
    /// The field of the payload that it is about, if any.
    pub field: Option<&'static str>,
    /// Returns true if it refuses the response, false if it is only reported.
    pub is_fatal: bool,
}

/// An observation about a response that is not a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PayloadNote {
    /// The payload has no `profile`, or one that is not a string (TCT-MURL-8).
    ProfileAbsent,
    /// The `profile` is not `tct-1` (TCT-MURL-8).
    ProfileUnknown,
    /// The text is blank (TCT-ERR-3).
    BlankContent,
    /// The hash is that of the empty text, most likely from a broken publisher (TCT-AMB-12).
    HashOfNothing,
    /// The entity tag has a suffix that a compressing server or cache put there (TCT-AMB-21).
    EtagSuffix,
    /// The entity tag is not a hash: the payload's own hash stands in for it in zero-fetch (TCT-ETAG-4).
    EtagOfOtherForm,
    /// The body is not in canonical form, so it cannot be what the publisher hashed (TCT-MA-2).
    NotCanonical,
}

words! { PayloadNote
    ProfileAbsent => "profile-absent", "TCT-MURL-8", "expected a `profile`, found none";
    ProfileUnknown => "profile-unknown", "TCT-MURL-8", "expected the profile `tct-1`, found another";
    BlankContent => "blank-content", "TCT-ERR-3", "expected text, found none";
    HashOfNothing => "hash-of-nothing", "TCT-AMB-12", "expected the hash of a text, found that of the empty one";
    EtagSuffix => "etag-suffix", "TCT-AMB-21", "expected the hash alone, found a suffix of a compressing server";
    EtagOfOtherForm => "etag-of-other-form", "TCT-ETAG-4", "expected a hash, found another entity tag";
    NotCanonical => "not-canonical", "TCT-MA-2", "expected bytes in canonical form, found others";
}

/// The outcome of opening a response.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Opened {
    problems: Vec<Problem>,
    notes: Vec<PayloadNote>,
    /// The hash in the tag, and the tag as received.
    etag: Option<Tag>,
    json_error: Option<JsonError>,
    payload: Option<ReceivedPayload>,
}

/// The one entity tag of a response.
#[derive(Debug, Clone, PartialEq)]
struct Tag {
    clean: ContentHash,
    raw: HeldTag,
}

impl Opened {
    /// A document of draft -03 in the form of a payload, for callers that accept both.
    ///
    /// The hash is always that of the bytes; the entity tag that came is for `If-None-Match` only.
    pub(crate) fn of_document(opened: OpenedDocument, headers: &HeaderMap, strictness: Strictness) -> Self {
        let problem = |code: &DocumentProblem| Problem {
            code: ProblemCode::V03(*code),
            field: None,
            is_fatal: code.is_fatal(strictness),
        };
        let problems = opened.problems().iter().map(problem).collect();
        let raw = only_line(headers, ETAG).and_then(|line| line.to_str().ok()).and_then(HeldTag::parse);
        // A document that was not hashed is not accepted.
        let hash = opened.tag().map(crate::v03::BodyTag::fingerprint);
        let etag = raw.zip(hash).map(|(raw, hash)| Tag { clean: hash.into(), raw });
        let json_error = opened.json_error().cloned();
        let payload = opened.into_document().zip(hash).map(|(document, hash)| {
            let (json, page, title, content) = document.into_parts();
            ReceivedPayload { json, page, title, content, hash, profile: Some(M_URL_PROFILE.to_owned()) }
        });
        Opened { problems, notes: Vec::new(), etag, json_error, payload }
    }

    /// Whether the payload may be used as the expected page's.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.payload.is_some()
    }

    /// The problems, in the order of [`ProblemCode`].
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The distinct codes of the problems, in order.
    pub fn codes(&self) -> impl Iterator<Item = &'static str> {
        let mut codes: Vec<_> = self.problems.iter().map(|problem| problem.code).collect();
        codes.dedup();
        codes.into_iter().map(ProblemCode::code)
    }

    /// What is remarkable.
    #[must_use]
    pub fn notes(&self) -> &[PayloadNote] {
        &self.notes
    }

    /// The entity tag without quotes and weak mark: the value that parity is about.
    #[must_use]
    pub fn clean_etag(&self) -> Option<&ContentHash> {
        self.etag.as_ref().map(|tag| &tag.clean)
    }

    /// The entity tag as it came, for a later `If-None-Match`. `None` where the response has no `ETag`, more than one,
    /// or one that is not an entity tag.
    #[must_use]
    pub fn etag(&self) -> Option<&HeldTag> {
        self.etag.as_ref().map(|tag| &tag.raw)
    }

    /// What is wrong with the body as JSON, with kind and byte offset, where that is the problem.
    #[must_use]
    pub fn json_error(&self) -> Option<&JsonError> {
        self.json_error.as_ref()
    }

    /// The payload, if the response is accepted.
    #[must_use]
    pub fn payload(&self) -> Option<&ReceivedPayload> {
        self.payload.as_ref()
    }

    /// The payload, if the response is accepted.
    #[must_use]
    pub fn into_payload(self) -> Option<ReceivedPayload> {
        self.payload
    }
}

/// A payload whose response was accepted. Its content is still untrusted.
///
/// The fields that people may see are [`UntrustedText`]; URLs inside must pass a [`UrlPolicy`](crate::UrlPolicy) before use.
///
/// Spec: TCT draft-00, "Security Considerations"; TCT-SEC-10, TCT-SEC-11, TCT-SEC-12.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedPayload {
    json: Vec<u8>,
    page: CUrl,
    title: UntrustedText,
    content: UntrustedText,
    hash: Fingerprint,
    profile: Option<String>,
}

impl ReceivedPayload {
    /// The body as received, including unknown fields, so that its hash can be checked again.
    ///
    /// Spec: TCT draft-00, "M-URL Response"; TCT-MURL-7.
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

    /// The hash of the body: the field `hash`, or the SHA-256 of the bytes where the draft has no such field (-02 and
    /// -03).
    #[must_use]
    pub const fn hash(&self) -> Fingerprint {
        self.hash
    }

    /// The field `profile`, if it is a string.
    #[must_use]
    pub fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }
}

/// Checks a response and opens its payload.
///
/// `url` is the URL that answered, after redirects: relative links are resolved against it. The body must be
/// decoded. `O(n)` in the length of the body, which is parsed once.
///
/// Spec: TCT draft-00, "Canonical Verification", "Parity", "M-URL Response"; TCT-CANON-2, TCT-CANON-3, TCT-PAR-1,
/// TCT-PAR-3, TCT-PAR-4, TCT-ETAG-1, TCT-ETAG-2, TCT-MURL-1 to TCT-MURL-8, TCT-AMB-28, TCT-AMB-29. TCT draft-03,
/// "Migration"; TCT3-MIG-5.
pub fn open_response(
    url: &Url,
    response: &http::Response<impl AsRef<[u8]>>,
    expected: &Expected<'_>,
    policy: &OpenPolicy,
) -> Opened {
    open_parts(url, response.status(), response.headers(), response.body().as_ref(), expected, policy)
}

/// As [`open_response`], without the type of the body.
pub(crate) fn open_parts(
    url: &Url,
    status: StatusCode,
    headers: &HeaderMap,
    bytes: &[u8],
    expected: &Expected<'_>,
    policy: &OpenPolicy,
) -> Opened {
    let mut check = Check { policy, problems: Vec::new(), notes: Vec::new(), json_error: None };
    if status != StatusCode::OK {
        check.problem(ProblemCode::Status, None);
        return check.finish(None, None);
    }
    check.content_type(headers);
    let etag = check.etag(headers);
    let body = check.body(bytes);
    let clean = etag.as_ref().map(|tag| &tag.clean);
    if let (Some(etag), Some(body)) = (clean, &body)
        && body.hash.as_ref().is_some_and(|hash| hash != etag)
    {
        check.problem(ProblemCode::PayloadParity, Some("hash"));
    }
    if let (Some(etag), Some(hash)) = (clean, expected.sitemap_hash)
        && etag != hash
    {
        check.problem(ProblemCode::SitemapParity, None);
    }
    let claimed = body.as_ref().and_then(|body| body.canonical_url.as_deref());
    let page = check.canonical(url, headers, expected.page, claimed);
    if let Some(Body { content: Some(content), .. }) = &body
        && find_markup(content).is_some()
    {
        check.problem(ProblemCode::MarkupInContent, Some("content"));
    }
    let payload = body.and_then(|body| {
        Some(ReceivedPayload {
            json: bytes.to_vec(),
            page: page?,
            title: UntrustedText::new(body.title?),
            content: UntrustedText::new(body.content?),
            hash: match body.hash {
                None if body.is_of_draft_02 => Fingerprint::hash(bytes),
                hash => hash?.fingerprint()?,
            },
            profile: body.profile,
        })
    });
    check.finish(etag, payload)
}

/// The fields of a body, each if it is a string.
struct Body {
    canonical_url: Option<String>,
    title: Option<String>,
    content: Option<String>,
    hash: Option<ContentHash>,
    profile: Option<String>,
    /// Draft -02 dropped `hash` and brought `content_media_type`, under the same profile. Only both together tell it from
    /// a document of -00 or -01 that lacks its hash.
    is_of_draft_02: bool,
}

struct Check<'a> {
    policy: &'a OpenPolicy,
    problems: Vec<Problem>,
    notes: Vec<PayloadNote>,
    json_error: Option<JsonError>,
}

impl Check<'_> {
    fn problem(&mut self, code: ProblemCode, field: Option<&'static str>) {
        let is_fatal = code.refuses(self.policy.strictness);
        self.problems.push(Problem { code, field, is_fatal });
    }

    fn finish(mut self, etag: Option<Tag>, payload: Option<ReceivedPayload>) -> Opened {
        self.problems.sort_by_key(|problem| problem.code);
        let is_refused = self.problems.iter().any(|problem| problem.is_fatal);
        let payload = payload.filter(|_| !is_refused);
        Opened { problems: self.problems, notes: self.notes, etag, json_error: self.json_error, payload }
    }

    fn content_type(&mut self, headers: &HeaderMap) {
        if json_type(headers).is_none() {
            self.problem(ProblemCode::ContentType, None);
        }
    }

    /// The entity tag as it came, and without quotes, weak mark and, by policy, suffix.
    fn etag(&mut self, headers: &HeaderMap) -> Option<Tag> {
        let (tag, line) = match tag_of(headers) {
            Ok(found) => found,
            Err(TagFault::Missing) => {
                self.problem(ProblemCode::EtagMissing, None);
                return None;
            }
            Err(TagFault::Malformed) => {
                self.problem(ProblemCode::EtagMalformed, None);
                return None;
            }
        };
        if tag.is_weak() {
            self.problem(ProblemCode::EtagWeak, None);
        }
        let raw = HeldTag::parse(&String::from_utf8_lossy(line.as_bytes()))?;
        let clean = ContentHash::from(&*String::from_utf8_lossy(tag.opaque()));
        if clean.fingerprint().is_some() {
            return Some(Tag { clean, raw });
        }
        if !tag.opaque().starts_with(b"sha256-") {
            self.notes.push(PayloadNote::EtagOfOtherForm);
            return Some(Tag { clean, raw });
        }
        match LenientEtag::parse(line.as_bytes().trim_ascii()) {
            Ok(lenient) => {
                self.notes.push(PayloadNote::EtagSuffix);
                if self.policy.strips_etag_suffix {
                    return Some(Tag { clean: lenient.fingerprint().into(), raw });
                }
            }
            Err(_) => self.problem(ProblemCode::EtagMalformed, None),
        }
        Some(Tag { clean, raw })
    }

    fn body(&mut self, bytes: &[u8]) -> Option<Body> {
        let OpenPolicy { max_bytes, max_depth, .. } = *self.policy;
        let document = match JsonReader::new().max_bytes(max_bytes).max_depth(max_depth).read(bytes) {
            Ok(document) => document,
            Err(error) => {
                let is_limit = matches!(error.kind(), JsonErrorKind::TooDeep | JsonErrorKind::TooLarge);
                let code = if is_limit { ProblemCode::BodyOverLimit } else { ProblemCode::BodyInvalid };
                self.problem(code, None);
                self.json_error = Some(error);
                return None;
            }
        };
        if document.root().kind() != JsonKind::Object {
            self.problem(ProblemCode::BodyInvalid, None);
            return None;
        }
        let canonicalizer = Canonicalizer::new(Profile::Tct).max_depth(max_depth).max_input(max_bytes);
        if canonicalizer.check_canonical(bytes).is_some() {
            self.notes.push(PayloadNote::NotCanonical);
        }
        let text = |name| Some(document.root().get(name)?.as_str()?.into_owned());
        let (hash, profile) = (document.root().get("hash"), text("profile"));
        let body = Body {
            is_of_draft_02: hash.is_none()
                && profile.as_deref() == Some(crate::payload::PROFILE)
                && text("content_media_type").is_some(),
            canonical_url: text("canonical_url"),
            title: text("title"),
            content: text("content"),
            hash: text("hash").map(ContentHash::from),
            profile,
        };
        self.fields(&body);
        Some(body)
    }

    fn fields(&mut self, body: &Body) {
        let required = [
            ("canonical_url", body.canonical_url.is_some()),
            ("title", body.title.is_some()),
            ("content", body.content.is_some()),
            ("hash", body.hash.is_some() || body.is_of_draft_02),
        ];
        for (name, _) in required.iter().filter(|(_, is_there)| !is_there) {
            self.problem(ProblemCode::FieldMissing, Some(name));
        }
        if body.hash.as_ref().is_some_and(|hash| hash.fingerprint().is_none()) {
            self.problem(ProblemCode::HashMalformed, Some("hash"));
        }
        match body.profile.as_deref() {
            Some(crate::payload::PROFILE) => {}
            Some(_) => self.notes.push(PayloadNote::ProfileUnknown),
            None => self.notes.push(PayloadNote::ProfileAbsent),
        }
        if body.content.as_deref().is_some_and(|content| content.trim().is_empty()) {
            self.notes.push(PayloadNote::BlankContent);
        }
        if body.hash.as_ref().is_some_and(|hash| *hash == Fingerprint::OF_EMPTY) {
            self.notes.push(PayloadNote::HashOfNothing);
        }
    }

    /// The page of the response, if its canonical link names exactly one, and the expected one.
    fn canonical(
        &mut self,
        url: &Url,
        headers: &HeaderMap,
        expected: Option<&CUrl>,
        claimed: Option<&str>,
    ) -> Option<CUrl> {
        page_of(url, headers, expected, claimed, self.policy.trailing_slash, |fault| match fault {
            PageFault::Missing => self.problem(ProblemCode::CanonicalMissing, None),
            // Fatal under every policy.
            PageFault::Ambiguous => {
                let (code, field) = (ProblemCode::CanonicalConflict, None);
                self.problems.push(Problem { code, field, is_fatal: true });
            }
            PageFault::Mismatch => self.problem(ProblemCode::CanonicalMismatch, None),
            PageFault::Conflict => self.problem(ProblemCode::CanonicalConflict, Some("canonical_url")),
        })
    }
}
