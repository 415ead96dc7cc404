//! Opening a twin's response: every check from untrusted bytes to a usable text.
//!
//! The body's `profile` tells which draft it follows, and only the rules of that draft apply. A status other than 200 ends the
//! checks at once; any other failed check skips only the checks that depend on it, so that a report is complete. Problems come
//! in this order: status, media type, coding, the body of draft -03, entity tag, digest and length, delivery, the
//! payload of the drafts before, canonical link, hint, markup.
//!
//! [`OpenPolicy::is_strict`] decides whether a problem refuses the response. Lenient (the default) accepts the deviations of
//! deployed publishers, but refuses a response for another page or without the required fields. Strict accepts
//! only what the draft allows.
//!
//! | problem | lenient | strict |
//! |---|---|---|
//! | `status`, `content-type`, `body-invalid`, `body-over-limit`, `field-missing`, `hash-malformed` | refused | refused |
//! | `content-coding`, `profile`, `schema`, `digest-mismatch` | refused | refused |
//! | `canonical-missing`, `canonical-mismatch`, `canonical-conflict` between two links, or in draft -03 | refused | refused |
//! | `canonical-conflict` between link and body, before draft -03 | taken | refused |
//! | `etag-…`, `payload-parity`, `sitemap-parity`, `markup-in-content` | taken | refused |
//! | `content-type-parameters`, `not-canonical`, `digest-missing`, `length-mismatch` | taken | refused |
//! | `vary-missing`, `no-transform-missing`, `profile-link-missing` | taken | refused |
//! | `hint-mismatch` | taken | taken |
//!
//! A document of draft -03 whose tag is not its hash is held under its own hash, and that tag is never compared with a hint.
//!
//! The caller handles TLS: certificates must be checked against the platform's trust store (TCT-SEC-2), and a
//! response that needed credentials must be kept apart from public ones ([`cache`](crate::cache)).

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, VARY};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tct_canonical_json::{
    Canonicalizer, JsonDocument, JsonError, JsonErrorKind, JsonKind, JsonReader, JsonValue, Profile,
};
use tct_fingerprint::{Fingerprint, LenientEtag};
use url::Url;
use web_values::list_members;

use crate::address::is_same_page;
use crate::held::{ContentHash, HeldTag};
use crate::link::{is_json, links};
use crate::payload::find_markup;
use crate::untrusted::UntrustedText;
use crate::v03::{self, BodyLimits, BodyTag, M_URL_PROFILE, Revision, TctFinding};
use crate::{CUrl, EntityTag, UrlPolicy};

/// How a response is judged. The default is lenient.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OpenPolicy {
    /// Accept only what the draft allows. Draft -01 makes the checks optional; here each has a code and a severity, and the
    /// caller chooses (TCT-D01-5, TCT-PAR-4).
    pub is_strict: bool,
    /// Take `/post` and `/post/` for one page when canonical URLs are compared (TCT-DEP-4).
    pub folds_slashes: bool,
    /// Whether a suffix that a compressing server appended to the hash in the entity tag (`-gzip`, `-br`) is removed
    /// before comparing. Default: yes, since every page behind `mod_deflate` has one. It is noted in either case.
    pub strips_etag_suffix: bool,
    /// Whose rules the response is judged by. `None`, the default, leaves it to the body, and believes the caller that a
    /// content coding was undone whatever the fields say. With a revision, a document of another one is a problem, and in
    /// draft -03 so is a coding that the fields still name.
    pub revision: Option<Revision>,
    /// Bytes of the body, decoded; at most 268,435,455. Default: 16,777,216.
    pub max_bytes: usize,
    /// Containers inside each other in the body. Default: 128. A document of draft -03 has never more than its own default
    /// ([`BodyLimits`]), as for everything else.
    pub max_depth: usize,
}

impl Default for OpenPolicy {
    fn default() -> Self {
        OpenPolicy {
            is_strict: false,
            folds_slashes: false,
            strips_etag_suffix: true,
            revision: None,
            max_bytes: 16 << 20,
            max_depth: 128,
        }
    }
}

with_each! { OpenPolicy
    /// The same policy with another size of the body.
    with_max_bytes: max_bytes: usize;
    /// The same policy with another depth of the body.
    with_max_depth: max_depth: usize;
}

impl OpenPolicy {
    /// The policy that accepts only what the draft allows.
    #[must_use]
    pub fn strict() -> Self {
        OpenPolicy { is_strict: true, ..Self::default() }
    }

    /// The same policy for documents of one revision.
    #[must_use]
    pub fn for_revision(self, revision: Revision) -> Self {
        OpenPolicy { revision: Some(revision), ..self }
    }

    /// The same policy, with `/post` and `/post/` as one page.
    #[must_use]
    pub fn with_folded_slashes(self) -> Self {
        OpenPolicy { folds_slashes: true, ..self }
    }

    /// The same policy, with entity tags compared as they came: a suffix such as `-gzip` fails parity.
    #[must_use]
    pub fn keeping_etag_suffixes(self) -> Self {
        OpenPolicy { strips_etag_suffix: false, ..self }
    }

    /// Whether two URLs name the same page; fragments do not count.
    #[must_use]
    pub fn is_same_page(&self, a: &Url, b: &Url) -> bool {
        is_same_page(a, b, self.folds_slashes)
    }

    /// The limits of documents of draft -03.
    fn limits(&self) -> BodyLimits {
        let default = BodyLimits::default();
        default.with_max_bytes(self.max_bytes).with_max_depth(self.max_depth.min(default.max_depth))
    }
}

/// What the agent expects of the response.
#[derive(Debug, Clone, Copy, Default)]
pub struct Expected<'a> {
    /// The page that the response must be for. Without one, the response's own claim counts only within its own
    /// origin.
    pub page: Option<&'a CUrl>,
    /// The sitemap's hash for it, which in draft -03 is a hint. Text of another form counts as a hash that no response has.
    pub sitemap_hash: Option<&'a ContentHash>,
}

/// What is wrong with a response. The names are stable; [`ProblemCode::code`] gives them in kebab case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProblemCode {
    /// The status is not 200. Nothing else is checked.
    Status,
    /// `Content-Type` is not `application/json`.
    ContentType,
    /// Draft -03: `Content-Type` has a parameter, such as a charset.
    ContentTypeParameters,
    /// Draft -03: a content coding is still there. Coded bytes are neither hashed nor parsed: send
    /// `Accept-Encoding: identity`, or decode the body and remove the field.
    ContentCoding,
    /// The body is not one well-formed JSON object. [`Opened::json_error`] has the place. In draft -03 also a
    /// body past a limit.
    BodyInvalid,
    /// The body is past a limit of the [`OpenPolicy`]: its size or its depth. Its content was not checked.
    BodyOverLimit,
    /// Draft -03: `profile` is not the URI of an M-URL document.
    Profile,
    /// Draft -03: another member is missing or of the wrong form. [`Opened::findings`] says which.
    Schema,
    /// Draft -03: the bytes are not their own RFC 8785 form.
    NotCanonical,
    /// There is no `ETag`.
    EtagMissing,
    /// The entity tag is marked weak: most likely by an intermediary.
    EtagWeak,
    /// `ETag` is no entity tag, or before draft -03 one that begins like a hash and is not a hash. Any other strong tag is
    /// well-formed there and only fails parity (TCT-ETAG-4).
    EtagMalformed,
    /// Draft -03: the entity tag, whatever its mark, is not the hash of the bytes.
    EtagMismatch,
    /// Draft -03: there is no `Content-Digest` with a SHA-256 that can be read.
    DigestMissing,
    /// Draft -03: `Content-Digest` does not match: the bytes are corrupted or truncated.
    DigestMismatch,
    /// Draft -03: `Content-Length` is another number.
    LengthMismatch,
    /// Draft -03: `Vary` does not list `Accept-Encoding`.
    VaryMissing,
    /// Draft -03: `Cache-Control` has no `no-transform`.
    NoTransformMissing,
    /// Draft -03: there is no `Link` to the profile.
    ProfileLinkMissing,
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
    /// Draft -03: the sitemap's hint names other bytes. Either may be newer.
    HintMismatch,
    /// The text has what looks like markup.
    MarkupInContent,
}

words! { ProblemCode
    Status => "status", "TCT-ERR-3", "expected the status 200, found another";
    ContentType => "content-type", "TCT-MURL-1", "expected `application/json`, found another media type";
    ContentTypeParameters => "content-type-parameters", "TCT3-HDR-2", "expected `application/json` alone, found a parameter";
    ContentCoding => "content-coding", "TCT3-CODE-6", "expected a body without content coding, found a coded one";
    BodyInvalid => "body-invalid", "TCT-SEC-10", "expected one JSON object, found another body";
    BodyOverLimit => "body-over-limit", "TCT-SEC-10", "expected a body within the limits, found a larger one";
    Profile => "profile", "TCT3-PROF-4", "expected the profile of an M-URL document of draft -03, found another";
    Schema => "schema", "TCT3-AGENT-8", "expected the members of an M-URL document, found a fault in one";
    NotCanonical => "not-canonical", "TCT3-AGENT-9", "expected bytes in canonical form, found others";
    EtagMissing => "etag-missing", "TCT-ETAG-1", "expected an entity tag, found none";
    EtagWeak => "etag-weak", "TCT-ETAG-2", "expected a strong entity tag, found a weak one";
    EtagMalformed => "etag-malformed", "TCT-ETAG-2", "expected one entity tag, found other text";
    EtagMismatch => "etag-mismatch", "TCT3-AGENT-10", "expected the tag to be the hash of the bytes, found another";
    DigestMissing => "digest-missing", "TCT3-AGENT-11", "expected a SHA-256 in `Content-Digest`, found none";
    DigestMismatch => "digest-mismatch", "TCT3-AGENT-11", "expected the bytes of `Content-Digest`, found others";
    LengthMismatch => "length-mismatch", "TCT3-TAG-8", "expected as many bytes as `Content-Length` says, found another number";
    VaryMissing => "vary-missing", "TCT3-HDR-4", "expected `Vary: Accept-Encoding`, found none";
    NoTransformMissing => "no-transform-missing", "TCT3-HDR-5", "expected `no-transform`, found other directives";
    ProfileLinkMissing => "profile-link-missing", "TCT3-HDR-8", "expected a link to the profile, found none";
    FieldMissing => "field-missing", "TCT-MURL-3", "expected a string, found none";
    HashMalformed => "hash-malformed", "TCT-MURL-6", "expected `sha256-` and 64 lower-case hex digits, found other text";
    PayloadParity => "payload-parity", "TCT-PAR-1", "expected the entity tag to be the payload's hash, found another";
    SitemapParity => "sitemap-parity", "TCT-PAR-1", "expected the sitemap's hash, found another entity tag";
    CanonicalMissing => "canonical-missing", "TCT-CANON-2", "expected a canonical link, found none";
    CanonicalMismatch => "canonical-mismatch", "TCT-CANON-2", "expected the canonical link of the page, found another page's";
    CanonicalConflict => "canonical-conflict", "TCT-AMB-28", "expected one canonical page, found two";
    HintMismatch => "hint-mismatch", "TCT3-AGENT-13", "expected the bytes that the sitemap names, found others";
    MarkupInContent => "markup-in-content", "TCT-SRC-3", "expected text without markup, found what looks like some";
}

impl ProblemCode {
    /// Whether the lenient policy refuses a response for it.
    const fn refuses(self, revision: Revision) -> bool {
        match self {
            ProblemCode::Status
            | ProblemCode::ContentType
            | ProblemCode::ContentCoding
            | ProblemCode::BodyInvalid
            | ProblemCode::BodyOverLimit
            | ProblemCode::Profile
            | ProblemCode::Schema
            | ProblemCode::DigestMismatch
            | ProblemCode::FieldMissing
            | ProblemCode::HashMalformed
            | ProblemCode::CanonicalMissing
            | ProblemCode::CanonicalMismatch => true,
            ProblemCode::CanonicalConflict => matches!(revision, Revision::V03),
            _ => false,
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
    /// Whose rule is broken.
    pub revision: Revision,
}

impl Problem {
    /// The rule of the catalogue that was broken: for what both drafts ask for, that of the response's own.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        match (self.revision, self.code) {
            (Revision::V03, ProblemCode::Status) => "TCT3-AGENT-3",
            (Revision::V03, ProblemCode::ContentType) => "TCT3-HDR-1",
            (Revision::V03, ProblemCode::BodyInvalid) => "TCT3-AGENT-5",
            (
                Revision::V03,
                ProblemCode::EtagMissing | ProblemCode::EtagWeak | ProblemCode::EtagMalformed,
            ) => "TCT3-AGENT-10",
            (
                Revision::V03,
                ProblemCode::CanonicalMissing
                | ProblemCode::CanonicalMismatch
                | ProblemCode::CanonicalConflict,
            ) => "TCT3-AGENT-12",
            (_, code) => code.requirement(),
        }
    }
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
    findings: Vec<TctFinding>,
    /// The hash in the tag, and the tag as received.
    etag: Option<(ContentHash, HeldTag)>,
    /// Of a document of draft -03.
    body_tag: Option<BodyTag>,
    is_tag_of_bytes: bool,
    hint_matches: Option<bool>,
    json_error: Option<JsonError>,
    payload: Option<ReceivedPayload>,
}

impl Opened {
    /// Whether the payload may be used as the expected page's.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.payload.is_some()
    }

    /// The problems, in the order of the checks.
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

    /// The faults of a document of draft -03 behind the problems `profile` and `schema`.
    #[must_use]
    pub fn findings(&self) -> &[TctFinding] {
        &self.findings
    }

    /// The value that parity is about: the entity tag without quotes and weak mark, in draft -03 the hash of the bytes.
    pub(crate) fn clean_etag(&self) -> Option<&ContentHash> {
        self.etag.as_ref().map(|(clean, _)| clean)
    }

    /// The entity tag as it came, for a later `If-None-Match`. `None` where the response has no `ETag`, more than one,
    /// or one that is not an entity tag.
    #[must_use]
    pub fn etag(&self) -> Option<&HeldTag> {
        self.etag.as_ref().map(|(_, raw)| raw)
    }

    /// Draft -03: the tag of the bytes; `None` if they were not hashed.
    ///
    /// Store the body under this hash, and compare hints with it, never with the entity tag of the
    /// response.
    ///
    /// Spec: TCT draft-03; TCT3-ZF-4, TCT3-AMB-20, TCT3-AMB-29.
    #[must_use]
    pub fn tag(&self) -> Option<&BodyTag> {
        self.body_tag.as_ref()
    }

    /// Draft -03: whether the response's entity tag is strong and the hash of the bytes.
    #[must_use]
    pub fn is_tag_of_bytes(&self) -> bool {
        self.is_tag_of_bytes
    }

    /// Draft -03: whether the bytes match the sitemap's hint; `None` without a hint, or if they were not hashed.
    #[must_use]
    pub fn hint_matches(&self) -> Option<bool> {
        self.hint_matches
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

/// A payload whose response was accepted. Its content is still untrusted, whatever its media type.
///
/// The fields that people may see are [`UntrustedText`]; URLs inside must pass a [`UrlPolicy`] before use.
///
/// Spec: TCT draft-00, "Security Considerations"; TCT-SEC-10, TCT-SEC-11, TCT-SEC-12; TCT draft-03, TCT3-SEC-4, TCT3-AMB-4.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedPayload {
    json: Vec<u8>,
    page: CUrl,
    title: UntrustedText,
    content: UntrustedText,
    hash: Fingerprint,
    profile: Option<String>,
    language: Option<String>,
    content_media_type: Option<String>,
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

    /// Draft -03: the language of title and text, a well-formed tag.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// Draft -03: what the text is written in; plain text where it is absent.
    #[must_use]
    pub fn content_media_type(&self) -> Option<&str> {
        self.content_media_type.as_deref()
    }
}

/// Checks a response and opens its payload.
///
/// `url` is the URL that answered, after redirects: relative links are resolved against it. The body must be decoded. `O(n)`
/// in the length of the body.
///
/// ```
/// use http::{HeaderMap, Method};
/// use tct::open::{Expected, open_response};
/// use tct::v03::MUrlDocument;
/// use tct::{CUrl, OpenPolicy, plan_response};
///
/// let sealed = MUrlDocument::new("https://example.com/post/", "Example", "Hello")?.seal()?;
/// let plan = plan_response(&Method::GET, &HeaderMap::new(), &sealed.representation());
/// let response = plan.into_http(sealed.body().len(), |range| sealed.body()[range].to_vec());
///
/// let page = CUrl::parse("https://example.com/post/")?;
/// let url = url::Url::parse("https://example.com/post/llm/")?;
/// let expected = Expected { page: Some(&page), sitemap_hash: None };
/// let opened = open_response(&url, &response, &expected, &OpenPolicy::strict());
/// assert!(opened.is_accepted() && opened.problems().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: TCT draft-00, "Canonical Verification", "Parity", "M-URL Response"; TCT-CANON-2, TCT-CANON-3, TCT-PAR-1,
/// TCT-PAR-3, TCT-PAR-4, TCT-ETAG-1, TCT-ETAG-2, TCT-MURL-1 to TCT-MURL-8, TCT-AMB-28, TCT-AMB-29; TCT draft-03, TCT3-MIG-5,
/// TCT3-AGENT-1 to TCT3-AGENT-13, TCT3-CODE-5, TCT3-CODE-6, TCT3-HDR-2, TCT3-AMB-14, TCT3-AMB-20 to TCT3-AMB-22, TCT3-AMB-28.
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
    let is_v03 = || status == StatusCode::OK && v03::is_m_url_document(bytes, &policy.limits());
    let of_body = || if is_v03() { Revision::V03 } else { Revision::Legacy };
    let revision = policy.revision.unwrap_or_else(of_body);
    let opened = Opened {
        problems: Vec::new(),
        notes: Vec::new(),
        findings: Vec::new(),
        etag: None,
        body_tag: None,
        is_tag_of_bytes: false,
        hint_matches: None,
        json_error: None,
        payload: None,
    };
    let mut check = Check { policy, revision, url, headers, expected, opened };
    if status != StatusCode::OK {
        check.problem(ProblemCode::Status);
        return check.opened;
    }
    let payload = match revision {
        Revision::Legacy => check.payload(bytes),
        Revision::V03 => check.document(bytes),
    };
    let is_refused = check.opened.problems.iter().any(|problem| problem.is_fatal);
    Opened { payload: payload.filter(|_| !is_refused), ..check.opened }
}

/// The fields of a payload, each if it is a string.
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
    revision: Revision,
    url: &'a Url,
    headers: &'a HeaderMap,
    expected: &'a Expected<'a>,
    opened: Opened,
}

impl<'a> Check<'a> {
    fn problem(&mut self, code: ProblemCode) {
        self.problem_in(None, code);
    }

    fn problem_in(&mut self, field: Option<&'static str>, code: ProblemCode) {
        let is_fatal = match self.policy.is_strict {
            true => code != ProblemCode::HintMismatch,
            false => code.refuses(self.revision),
        };
        self.push(Problem { code, field, is_fatal, revision: self.revision });
    }

    fn push(&mut self, problem: Problem) {
        // A document has its faults in the findings, and here each code once.
        if self.revision == Revision::Legacy || !self.opened.problems.contains(&problem) {
            self.opened.problems.push(problem);
        }
    }

    fn add(&mut self, is_so: bool, code: ProblemCode) {
        if is_so {
            self.problem(code);
        }
    }

    /// A payload of the drafts before -03.
    fn payload(&mut self, bytes: &[u8]) -> Option<ReceivedPayload> {
        self.add(json_type(self.headers).is_none(), ProblemCode::ContentType);
        let etag = self.etag();
        let body = self.body(bytes);
        let clean = etag.as_ref().map(|(clean, _)| clean);
        if let (Some(etag), Some(body)) = (clean, &body)
            && body.hash.as_ref().is_some_and(|hash| hash != etag)
        {
            self.problem_in(Some("hash"), ProblemCode::PayloadParity);
        }
        let differs = clean.zip(self.expected.sitemap_hash).is_some_and(|(etag, hash)| etag != hash);
        self.add(differs, ProblemCode::SitemapParity);
        self.opened.etag = etag;
        let page = self.page(body.as_ref().and_then(|body| body.canonical_url.as_deref()));
        if body.as_ref().and_then(|body| find_markup(body.content.as_deref()?)).is_some() {
            self.problem_in(Some("content"), ProblemCode::MarkupInContent);
        }
        let body = body?;
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
            language: None,
            content_media_type: None,
        })
    }

    /// A document of draft -03.
    fn document(&mut self, bytes: &[u8]) -> Option<ReceivedPayload> {
        match json_type(self.headers) {
            Some(line) => self.add(line.contains(';'), ProblemCode::ContentTypeParameters),
            None => self.problem(ProblemCode::ContentType),
        }
        let names_coding = is_coded(self.headers);
        // A body that was told for a document is JSON, so a coding that the fields still name has been undone: what they say
        // of length and digest is about other bytes.
        let is_undone = names_coding && self.policy.revision.is_none();
        let is_coded = names_coding && !is_undone;
        self.add(is_coded, ProblemCode::ContentCoding);
        let tag = (!is_coded).then(|| BodyTag::of_bytes(bytes));
        let limits = self.policy.limits();
        let json = if is_coded { None } else { self.json(bytes, &limits) };
        let members = json.as_ref().map(|json| self.members(json, &limits));
        self.document_etag(tag.as_ref());
        self.digest(tag.as_ref(), is_undone);
        self.delivery();
        let is_valid = self.opened.findings.is_empty();
        let claimed =
            members.as_ref().filter(|_| is_valid).and_then(|members| members.canonical_url?.as_str());
        let page = self.page(claimed.as_deref());
        let hint = self.expected.sitemap_hash.zip(tag.as_ref());
        self.opened.hint_matches = hint.map(|(hint, tag)| *hint == tag.fingerprint());
        self.add(self.opened.hint_matches == Some(false), ProblemCode::HintMismatch);
        self.opened.body_tag = tag;
        let raw = only_line(self.headers, ETAG).and_then(|line| HeldTag::parse(line.to_str().ok()?));
        let hash = tag?.fingerprint();
        self.opened.etag = raw.map(|raw| (hash.into(), raw));
        let members = members?;
        let text = |value: Option<JsonValue<'_>>| Some(value?.as_str()?.into_owned());
        Some(ReceivedPayload {
            json: bytes.to_vec(),
            page: page?,
            title: UntrustedText::new(text(members.title)?),
            content: UntrustedText::new(text(members.content)?),
            hash,
            profile: Some(M_URL_PROFILE.to_owned()),
            language: text(members.language),
            content_media_type: text(members.content_media_type),
        })
    }

    /// The one entity tag of the response, and its line.
    fn tag(&mut self) -> Option<(EntityTag<'a>, &'a HeaderValue)> {
        let headers = self.headers;
        if !headers.contains_key(ETAG) {
            self.problem(ProblemCode::EtagMissing);
            return None;
        }
        let line = only_line(headers, ETAG);
        let Some((tag, line)) = line.and_then(|line| Some((EntityTag::parse(line.as_bytes())?, line))) else {
            self.problem(ProblemCode::EtagMalformed);
            return None;
        };
        self.add(tag.is_weak(), ProblemCode::EtagWeak);
        Some((tag, line))
    }

    /// The entity tag without quotes, weak mark and, by policy, suffix; and as it came.
    fn etag(&mut self) -> Option<(ContentHash, HeldTag)> {
        let (tag, line) = self.tag()?;
        let raw = HeldTag::parse(&String::from_utf8_lossy(line.as_bytes()))?;
        let clean = ContentHash::from(&*String::from_utf8_lossy(tag.opaque()));
        if clean.fingerprint().is_some() {
            return Some((clean, raw));
        }
        if !tag.opaque().starts_with(b"sha256-") {
            self.opened.notes.push(PayloadNote::EtagOfOtherForm);
            return Some((clean, raw));
        }
        match LenientEtag::parse(line.as_bytes().trim_ascii()) {
            Ok(lenient) => {
                self.opened.notes.push(PayloadNote::EtagSuffix);
                if self.policy.strips_etag_suffix {
                    return Some((lenient.fingerprint().into(), raw));
                }
            }
            Err(_) => self.problem(ProblemCode::EtagMalformed),
        }
        Some((clean, raw))
    }

    fn body(&mut self, bytes: &[u8]) -> Option<Body> {
        let OpenPolicy { max_bytes, max_depth, .. } = *self.policy;
        let document = match JsonReader::new().max_bytes(max_bytes).max_depth(max_depth).read(bytes) {
            Ok(document) => document,
            Err(error) => {
                let is_limit = matches!(error.kind(), JsonErrorKind::TooDeep | JsonErrorKind::TooLarge);
                self.problem(if is_limit { ProblemCode::BodyOverLimit } else { ProblemCode::BodyInvalid });
                self.opened.json_error = Some(error);
                return None;
            }
        };
        if document.root().kind() != JsonKind::Object {
            self.problem(ProblemCode::BodyInvalid);
            return None;
        }
        let canonicalizer = Canonicalizer::new(Profile::Tct).max_depth(max_depth).max_input(max_bytes);
        if canonicalizer.check_canonical(bytes).is_some() {
            self.opened.notes.push(PayloadNote::NotCanonical);
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
            self.problem_in(Some(name), ProblemCode::FieldMissing);
        }
        if body.hash.as_ref().is_some_and(|hash| hash.fingerprint().is_none()) {
            self.problem_in(Some("hash"), ProblemCode::HashMalformed);
        }
        let notes = &mut self.opened.notes;
        match body.profile.as_deref() {
            Some(crate::payload::PROFILE) => {}
            Some(_) => notes.push(PayloadNote::ProfileUnknown),
            None => notes.push(PayloadNote::ProfileAbsent),
        }
        if body.content.as_deref().is_some_and(|content| content.trim().is_empty()) {
            notes.push(PayloadNote::BlankContent);
        }
        if body.hash.as_ref().is_some_and(|hash| *hash == Fingerprint::OF_EMPTY) {
            notes.push(PayloadNote::HashOfNothing);
        }
    }

    /// A document that is one JSON object within the limits.
    fn json<'b>(&mut self, bytes: &'b [u8], limits: &BodyLimits) -> Option<JsonDocument<'b>> {
        match limits.reader().read(bytes) {
            Ok(json) if json.root().kind() == JsonKind::Object => return Some(json),
            Ok(_) => {}
            Err(error) => self.opened.json_error = Some(error),
        }
        self.problem(ProblemCode::BodyInvalid);
        None
    }

    fn members<'b>(&mut self, json: &'b JsonDocument<'_>, limits: &BodyLimits) -> v03::Members<'b> {
        let (members, findings) = v03::read_document(json.root());
        for finding in &findings {
            let is_profile = finding.path() == "/profile";
            self.problem(if is_profile { ProblemCode::Profile } else { ProblemCode::Schema });
        }
        self.opened.findings = findings;
        self.add(!limits.is_canonical(json), ProblemCode::NotCanonical);
        members
    }

    fn document_etag(&mut self, body: Option<&BodyTag>) {
        if let (Some((tag, _)), Some(body)) = (self.tag(), body) {
            let is_hash = tag.opaque() == body.hint().as_bytes();
            self.add(!is_hash, ProblemCode::EtagMismatch);
            self.opened.is_tag_of_bytes = is_hash && !tag.is_weak();
        }
    }

    fn digest(&mut self, body: Option<&BodyTag>, is_undone: bool) {
        // Of coded bytes nothing is compared, but the field can be looked for.
        let found = body.copied().unwrap_or_else(|| BodyTag::of_bytes(b"")).check_digest(self.headers);
        match found.filter(|_| !is_undone) {
            None => self.problem(ProblemCode::DigestMissing),
            Some(matches) => self.add(!matches && body.is_some(), ProblemCode::DigestMismatch),
        }
        let mut lengths = self.headers.get_all(CONTENT_LENGTH).iter().map(|line| {
            let digits = line.to_str().ok()?.trim();
            // Without the look at its bytes, `+5` would be a number.
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_: &u64| is_number)
        });
        if let Some(body) = body.filter(|_| !is_undone) {
            let differs = lengths.any(|length| length != Some(body.len_bytes()));
            self.add(differs, ProblemCode::LengthMismatch);
        }
    }

    fn delivery(&mut self) {
        let headers = self.headers;
        self.add(!has_member(headers, VARY, "accept-encoding"), ProblemCode::VaryMissing);
        self.add(!has_member(headers, CACHE_CONTROL, "no-transform"), ProblemCode::NoTransformMissing);
        let mut profiles = links(headers).filter(|link| link.has_rel("profile") && !link.is_anchored);
        self.add(!profiles.any(|link| link.target == M_URL_PROFILE), ProblemCode::ProfileLinkMissing);
    }

    /// The page of the response, if its canonical links name exactly one. `claimed` is the body's `canonical_url`.
    fn page(&mut self, claimed: Option<&str>) -> Option<CUrl> {
        let any_scheme = UrlPolicy::allowing_http();
        let mut pages = links(self.headers)
            .filter(|link| link.has_rel("canonical") && !link.is_anchored)
            .filter_map(|link| CUrl::from_url(link.resolve(self.url)?, &any_scheme).ok());
        let Some(page) = pages.next() else {
            self.problem(ProblemCode::CanonicalMissing);
            return None;
        };
        let is_same = |other: &CUrl| self.policy.is_same_page(page.as_url(), other.as_url());
        if !pages.all(|other| is_same(&other)) {
            // Whose this is cannot be told: fatal under every policy.
            let (code, field, revision) = (ProblemCode::CanonicalConflict, None, self.revision);
            self.push(Problem { code, field, is_fatal: true, revision });
            return None;
        }
        let is_own = || page.as_url().origin() == self.url.origin();
        self.add(!self.expected.page.map_or_else(is_own, is_same), ProblemCode::CanonicalMismatch);
        let claimed = claimed.map(|claimed| CUrl::parse_with(claimed, &any_scheme));
        if claimed.is_some_and(|claimed| !claimed.is_ok_and(|claimed| is_same(&claimed))) {
            let is_v03 = self.revision == Revision::V03;
            self.problem_in((!is_v03).then_some("canonical_url"), ProblemCode::CanonicalConflict);
        }
        Some(page)
    }
}

/// The one line of a field; `None` where there is none, or more than one.
fn only_line(headers: &HeaderMap, name: HeaderName) -> Option<&HeaderValue> {
    let mut lines = headers.get_all(name).iter();
    lines.next().filter(|_| lines.next().is_none())
}

/// The media type of a response, if it is JSON.
fn json_type(headers: &HeaderMap) -> Option<&str> {
    only_line(headers, CONTENT_TYPE)?.to_str().ok().filter(|line| is_json(line))
}

/// Whether a content coding other than `identity` is still there.
fn is_coded(headers: &HeaderMap) -> bool {
    list_members(headers, &CONTENT_ENCODING)
        .any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity"))
}

/// Whether a field that is a comma list names `member`, letter case aside.
fn has_member(headers: &HeaderMap, name: HeaderName, member: &str) -> bool {
    list_members(headers, &name).any(|found| found.eq_ignore_ascii_case(member.as_bytes()))
}
