//! Planning a response: status, header fields and bytes.
//!
//! A [`Representation`] is made once, when the bytes are made: it holds their validators and the header fields as
//! ready values. [`plan_response`] then answers each request without reading the bytes:
//!
//! ```text
//! method + request headers + Representation -> ResponsePlan { status, headers, body: none | all | first..=last }
//! ```
//!
//! The fields are those of the draft's example: `Content-Type`, `ETag`, `Link`, `Last-Modified`, `Cache-Control`,
//! `Vary`, `Content-Length`. No field that concerns the connection is ever planned, whatever the HTTP version.
//!
//! Checks are made in this order: the method (405), for representations of draft -03 the content coding (406), then the
//! precondition (304, 412) and the range (206, 416). A precondition counts only where the answer without it would be a
//! success (RFC 9110, section 13.2.1).
//!
//! With axum:
//!
//! ```text
//! async fn m_url(State(page): State<Arc<Page>>, method: Method, request: HeaderMap) -> Response<Body> {
//!     plan_response(&method, &request, &page.representation)
//!         .into_http(page.body.len(), |range| Body::from(page.body.slice(range)))
//! }
//! ```
//!
//! `tests/it/axum.rs` has the complete example.

use std::ops::Range;

use http::header::{
    ACCEPT_RANGES, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG,
    LAST_MODIFIED, LINK, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use tct_fingerprint::Fingerprint;

use crate::conditional::{Validators, check_preconditions, choose_range};
use crate::etag::EntityTag;
use crate::link::link_canonical;
use crate::{CUrl, UnixSeconds};

/// The draft's recommendation for M-URLs, sitemaps and the policy: revalidate before each use.
///
/// The two `stale-` extensions contradict `must-revalidate`, which wins in caches that obey RFC 9111; the draft sends
/// all of them (TCT-AMB-19).
///
/// Spec: TCT draft-00, "Cache-Control"; TCT-CACHE-1, TCT-CACHE-6.
pub(crate) const PUBLIC_CACHE_CONTROL: &str =
    "max-age=0, must-revalidate, stale-while-revalidate=60, stale-if-error=86400";

/// The same for protected resources: no shared cache may keep them (TCT-SEC-18).
const PROTECTED_CACHE_CONTROL: &str = "private, max-age=0, must-revalidate";

/// The metadata of one resource in one coding, from which header fields are made.
///
/// ```
/// use http::{HeaderMap, Method, StatusCode, header};
/// use tct::{CUrl, Representation, plan_response};
///
/// let body = br#"{"version":1,"profile":"tct-1","items":[]}"#;
/// let page = Representation::of_bytes(body);
/// let plan = plan_response(&Method::GET, &HeaderMap::new(), &page);
/// assert_eq!(plan.status, StatusCode::OK);
///
/// let mut again = HeaderMap::new();
/// again.insert(header::IF_NONE_MATCH, plan.headers[header::ETAG].clone());
/// let plan = plan_response(&Method::GET, &again, &page);
/// assert_eq!(plan.status, StatusCode::NOT_MODIFIED);
/// assert!(plan.body.range(body.len()).is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct Representation {
    etag: HeaderValue,
    content_length: HeaderValue,
    len_bytes: u64,
    last_modified: Option<(UnixSeconds, HeaderValue)>,
    date_is_strong: bool,
    content_type: HeaderValue,
    content_encoding: Option<HeaderValue>,
    cache_control: HeaderValue,
    vary: HeaderValue,
    links: Vec<HeaderValue>,
    /// Fields of the caller's, for every response that says something of the representation.
    fields: Vec<(HeaderName, HeaderValue)>,
    content_digest: Option<HeaderValue>,
    /// Additional rules of draft -03; `None` for drafts -00 and -01.
    v03: Option<V03Rules>,
}

/// Rules for a representation whose entity tag is the hash of the bytes that are sent (draft -03).
#[derive(Debug, Clone, Copy)]
pub(crate) struct V03Rules {
    /// `Cache-Control` of the resource once it needs credentials.
    pub(crate) protected: &'static str,
}

impl Representation {
    /// JSON bytes whose strong entity tag is this fingerprint: an M-URL's body by Method A or B.
    ///
    /// Spec: TCT draft-00, "ETag Generation"; TCT-ETAG-1, TCT-ETAG-2, TCT-D01-6.
    #[must_use]
    pub fn of_fingerprint(fingerprint: &Fingerprint, len_bytes: u64) -> Self {
        Self::build(etag_field(fingerprint), len_bytes)
    }

    /// JSON bytes whose entity tag is their own SHA-256: a sitemap or a policy descriptor.
    ///
    /// Agents take the tag of a sitemap as opaque (TCT-AMB-35).
    #[must_use]
    pub fn of_bytes(body: &[u8]) -> Self {
        Self::of_fingerprint(&Fingerprint::hash(body), body.len() as u64)
    }

    /// JSON bytes with an entity tag of the caller's, strong or weak; `None` where `etag` is no entity tag.
    ///
    /// A tag that is not the payload's hash fails the agents' parity check; such tags are for other resources, or for
    /// byte caches outside of TCT (TCT-ETAG-4).
    #[must_use]
    pub fn of_etag(etag: HeaderValue, len_bytes: u64) -> Option<Self> {
        EntityTag::parse(etag.as_bytes())?;
        Some(Self::build(etag, len_bytes))
    }

    fn build(etag: HeaderValue, len_bytes: u64) -> Self {
        Representation {
            etag: shared(etag),
            content_length: HeaderValue::from(len_bytes),
            len_bytes,
            last_modified: None,
            date_is_strong: false,
            content_type: HeaderValue::from_static("application/json; charset=utf-8"),
            content_encoding: None,
            cache_control: HeaderValue::from_static(PUBLIC_CACHE_CONTROL),
            vary: HeaderValue::from_static("accept-encoding"),
            links: Vec::new(),
            fields: Vec::new(),
            content_digest: None,
            v03: None,
        }
    }

    /// JSON bytes by the rules of draft -03: a plain media type, a digest, coding judged, links on a 304.
    pub(crate) fn of_v03(
        fingerprint: &Fingerprint,
        len_bytes: u64,
        cache: &'static str,
        rules: V03Rules,
    ) -> Self {
        Representation {
            content_type: HeaderValue::from_static("application/json"),
            cache_control: HeaderValue::from_static(cache),
            content_digest: Some(shared(digest_field(fingerprint))),
            v03: Some(rules),
            ..Self::of_fingerprint(fingerprint, len_bytes)
        }
    }

    /// Adds the `Link` back to the page, which every M-URL response must carry.
    ///
    /// Spec: TCT draft-00, "M-URL Canonical Link"; TCT-CANON-1.
    #[must_use]
    pub fn with_canonical(self, page: &CUrl) -> Self {
        self.with_link(link_canonical(page))
    }

    /// Adds a `Link` line beside those that are there.
    #[must_use]
    pub fn with_link(mut self, link: HeaderValue) -> Self {
        self.links.push(shared(link));
        self
    }

    /// Adds a field of the caller's, such as `X-Robots-Tag`. It is part of 200, 206 and 304, so that a cache that updates what it
    /// holds learns of it. A name that a plan has itself would be there twice.
    #[must_use]
    pub fn with_field(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.fields.push((name, shared(value)));
        self
    }

    /// Says when the bytes last changed. A time after `now` is sent as `now`: `Last-Modified` is never later than
    /// `Date`.
    ///
    /// Spec: TCT draft-00, "304 Not Modified Response"; TCT-COND-9.
    #[must_use]
    pub fn with_last_modified(mut self, modified: UnixSeconds, now: UnixSeconds) -> Self {
        let modified = modified.min(now);
        self.last_modified = Some((modified, shared(crate::time::http_date(modified))));
        self
    }

    /// Declares `Last-Modified` a strong validator: the bytes did not and will not change twice within that second.
    #[must_use]
    pub fn with_strong_date(mut self) -> Self {
        self.date_is_strong = true;
        self
    }

    /// Replaces the media type, which is that of JSON: for pages, feeds and texts that are served by the same rules
    /// beside the protocol's own resources.
    #[must_use]
    pub fn with_content_type(mut self, value: HeaderValue) -> Self {
        self.content_type = shared(value);
        self
    }

    /// Says that the page has another form for other values of `Accept`, as one has that is also there as Markdown. Every
    /// status that a cache may keep names both fields in `Vary` then.
    ///
    /// Spec: RFC 9110, "Vary".
    #[must_use]
    pub fn varying_on_accept(mut self) -> Self {
        self.vary = shared(HeaderValue::from_static("accept, accept-encoding"));
        self
    }

    /// Replaces `Cache-Control`. A representation of draft -03 keeps the directive `no-transform` in any case, since an
    /// intermediary that changes its bytes breaks its tag.
    #[must_use]
    pub fn with_cache_control(mut self, value: HeaderValue) -> Self {
        self.cache_control = shared(match self.v03 {
            Some(_) => with_no_transform(value),
            None => value,
        });
        self
    }

    /// Marks the resource as one that needs credentials: shared caches must not keep it.
    ///
    /// Spec: TCT draft-00, "Access Control"; TCT-CACHE-3, TCT-SEC-18.
    #[must_use]
    pub fn protected(self) -> Self {
        let value = self.v03.map_or(PROTECTED_CACHE_CONTROL, |rules| rules.protected);
        self.with_cache_control(HeaderValue::from_static(value))
    }

    /// The same resource compressed: `coding` is the `Content-Encoding`, `len_bytes` the compressed length.
    ///
    /// Ranges are never served of it: a client that holds a part in another coding under the same tag would join
    /// bytes that do not belong together.
    ///
    /// The tag is kept, as the drafts before -03 allow and their strict agents need. [`Representation::with_weak_tag`] marks
    /// it weak, as HTTP requires when several codings share one tag. The coded variant of a draft -03 representation never
    /// has its strong tag or its digest: the tag is marked weak, and there is no digest. [`Representation::coded_bytes`] gives the variant its own.
    ///
    /// Spec: TCT draft-00, "Method A"; TCT-MA-3, TCT-COND-5, TCT-AMB-20; TCT draft-03, TCT3-TAG-10.
    #[must_use]
    pub fn coded(&self, coding: HeaderValue, len_bytes: u64) -> Self {
        let mut coded = self.clone();
        coded.content_encoding = Some(shared(coding));
        coded.len_bytes = len_bytes;
        coded.content_length = HeaderValue::from(len_bytes);
        coded.content_digest = None;
        if self.is_v03() { coded.with_weak_tag() } else { coded }
    }

    /// Marks the entity tag weak.
    ///
    /// Spec: TCT draft-00, "Method A"; TCT-AMB-20.
    #[must_use]
    pub fn with_weak_tag(mut self) -> Self {
        if !self.etag.as_bytes().starts_with(b"W/") {
            let weak = [b"W/", self.etag.as_bytes()].concat();
            self.etag = HeaderValue::from_bytes(&weak).map_or(self.etag, shared);
        }
        self
    }

    /// The same resource compressed, as a representation of its own: the tag is the SHA-256 of the coded bytes, and where
    /// the resource has a digest, it is of them too. The sitemap's hint keeps naming the bytes without coding.
    ///
    /// ```
    /// use http::HeaderValue;
    /// use tct::Representation;
    /// let plain = Representation::of_bytes(b"{}");
    /// let coded = plain.coded_bytes(HeaderValue::from_static("gzip"), b"(as if compressed)");
    /// assert_ne!(coded.etag(), plain.etag());
    /// ```
    ///
    /// Spec: TCT draft-03, "Content coding"; TCT3-CODE-4, TCT3-TAG-10, TCT3-AMB-15.
    #[must_use]
    pub fn coded_bytes(&self, coding: HeaderValue, bytes: &[u8]) -> Self {
        let fingerprint = Fingerprint::hash(bytes);
        let mut coded = self.coded(coding, bytes.len() as u64);
        coded.etag = shared(etag_field(&fingerprint));
        coded.content_digest = self.content_digest.as_ref().map(|_| shared(digest_field(&fingerprint)));
        coded
    }

    /// Whether the entity tag is the hash of just the bytes that are sent (draft -03).
    pub(crate) const fn is_v03(&self) -> bool {
        self.v03.is_some()
    }

    /// The value of the `ETag` field.
    #[must_use]
    pub fn etag(&self) -> &HeaderValue {
        &self.etag
    }

    /// The number of bytes.
    #[must_use]
    pub fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    fn validators(&self) -> Validators<'_> {
        Validators {
            etag: EntityTag::parse(self.etag.as_bytes()),
            last_modified: self.last_modified.as_ref().map(|(at, _)| *at),
            date_is_strong: self.date_is_strong,
        }
    }
}

/// The value with shared bytes, so that cloning it for later plans allocates nothing.
fn shared(value: HeaderValue) -> HeaderValue {
    // The first clone of a value made from a vector moves it behind a counter.
    let _first = value.clone();
    value
}

/// A planned response: send `status` and `headers`, then the bytes that `body` says.
#[derive(Debug, Clone)]
#[must_use]
pub struct ResponsePlan {
    /// The status.
    pub status: StatusCode,
    /// All header fields except `Date`, which the server adds. Never one that concerns the
    /// connection.
    pub headers: HeaderMap,
    /// Which of the representation's bytes to send.
    pub body: BodyPlan,
}

impl ResponsePlan {
    /// The planned response as the `http` crate has it. `body` makes a body of the bytes in a range, which may be
    /// empty; `len` is how many there are.
    ///
    /// ```
    /// use http::{HeaderMap, Method};
    /// use tct::{Representation, plan_response};
    /// let bytes = b"{}";
    /// let plan = plan_response(&Method::HEAD, &HeaderMap::new(), &Representation::of_bytes(bytes));
    /// let response: http::Response<Vec<u8>> = plan.into_http(bytes.len(), |range| bytes[range].to_vec());
    /// assert!(response.body().is_empty());
    /// ```
    pub fn into_http<B>(self, len: usize, body: impl FnOnce(Range<usize>) -> B) -> http::Response<B> {
        let mut response = http::Response::new(body(self.body.range(len)));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}

/// Which bytes of a representation a response carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyPlan {
    /// None.
    Nothing,
    /// All of them.
    Whole,
    /// Those from `first` to `last`, both included.
    Part {
        /// Index of the first byte.
        first: u64,
        /// Index of the last byte.
        last: u64,
    },
}

impl BodyPlan {
    /// The planned bytes as a range of indices into a body of `len` bytes; never beyond its end.
    #[must_use]
    pub fn range(&self, len: usize) -> Range<usize> {
        match *self {
            BodyPlan::Nothing => 0..0,
            BodyPlan::Whole => 0..len,
            BodyPlan::Part { first, last } => {
                let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(len);
                index(first)..index(last.saturating_add(1)).max(index(first))
            }
        }
    }
}

/// Plans the response to a request for `page`.
///
/// GET and HEAD are answered with 200, 206, 304, 412 or 416, for representations of draft -03 also with 406; OPTIONS
/// with 204; any other method with 405, whatever its preconditions. `O(n)` in the length of the request's conditional
/// fields; allocates nothing except the header map.
///
/// Spec: TCT draft-00, "Conditional Requests", "304 Not Modified Response", "HEAD Requests"; TCT-COND-1 to
/// TCT-COND-10, TCT-HEAD-1, TCT-HEAD-2, TCT-HEAD-3, TCT-AMB-18, TCT-AMB-41; TCT draft-03, TCT3-COND-4 to TCT3-COND-8,
/// TCT3-CODE-3, TCT3-STAT-1, TCT3-AMB-23, TCT3-AMB-24, TCT3-AMB-25, TCT3-AMB-27, TCT3-AMB-37.
pub fn plan_response(method: &Method, request: &HeaderMap, page: &Representation) -> ResponsePlan {
    if let Some(refusal) = refuse_request(method, request, page) {
        return refusal;
    }
    let validators = page.validators();
    match check_preconditions(request, &validators) {
        Some(StatusCode::NOT_MODIFIED) => {
            let mut headers = page.shared_fields(4);
            if page.v03.is_some() {
                page.append_links(&mut headers);
            }
            return ResponsePlan { status: StatusCode::NOT_MODIFIED, headers, body: BodyPlan::Nothing };
        }
        Some(failed) => return page.refusal(failed),
        None => {}
    }
    // A range means nothing to HEAD: it shows what a plain GET would.
    if *method == Method::HEAD {
        return page.whole(BodyPlan::Nothing);
    }
    // A coded variant may share its tag with other codings: only the whole of it may be sent.
    if page.content_encoding.is_some() {
        return page.whole(BodyPlan::Whole);
    }
    match choose_range(request, &validators, page.len_bytes) {
        Some(BodyPlan::Part { first, last }) => page.part(first, last),
        Some(_) => page.whole(BodyPlan::Whole),
        None => {
            let mut plan = page.refusal(StatusCode::RANGE_NOT_SATISFIABLE);
            plan.headers.insert(CONTENT_RANGE, content_range(format!("bytes */{}", page.len_bytes)));
            plan
        }
    }
}

/// The answer to a request that selects no representation: 204, 405 or, for draft -03, 406.
fn refuse_request(method: &Method, request: &HeaderMap, page: &Representation) -> Option<ResponsePlan> {
    refuse_method(method).or_else(|| {
        page.v03?;
        let coding = page.content_encoding.as_ref().and_then(|coding| coding.to_str().ok());
        (crate::accept::coding_weight(request, coding.unwrap_or("identity")) == 0)
            .then(|| not_acceptable(&page.vary))
    })
}

/// The answer to a method other than GET and HEAD.
pub(crate) fn refuse_method(method: &Method) -> Option<ResponsePlan> {
    let status = match *method {
        Method::GET | Method::HEAD => return None,
        Method::OPTIONS => StatusCode::NO_CONTENT,
        _ => StatusCode::METHOD_NOT_ALLOWED,
    };
    let mut headers = HeaderMap::new();
    headers.insert(ALLOW, HeaderValue::from_static("GET, HEAD, OPTIONS"));
    if status != StatusCode::NO_CONTENT {
        headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    Some(ResponsePlan { status, headers, body: BodyPlan::Nothing })
}

/// The answer where no representation has a coding that the client takes. It carries no validator: none was selected.
pub(crate) fn not_acceptable(vary: &HeaderValue) -> ResponsePlan {
    let mut headers = HeaderMap::with_capacity(2);
    headers.insert(VARY, vary.clone());
    headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    ResponsePlan { status: StatusCode::NOT_ACCEPTABLE, headers, body: BodyPlan::Nothing }
}

impl Representation {
    /// The fields that 200, 206 and 304 have in common, in a map with room for so many.
    fn shared_fields(&self, capacity: usize) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(capacity.saturating_add(self.fields.len()));
        headers.insert(ETAG, self.etag.clone());
        if let Some((_, date)) = &self.last_modified {
            headers.insert(LAST_MODIFIED, date.clone());
        }
        headers.insert(CACHE_CONTROL, self.cache_control.clone());
        headers.insert(VARY, self.vary.clone());
        for (name, value) in &self.fields {
            headers.append(name, value.clone());
        }
        headers
    }

    fn whole(&self, body: BodyPlan) -> ResponsePlan {
        let mut headers = self.shared_fields(12);
        headers.insert(CONTENT_TYPE, self.content_type.clone());
        headers.insert(CONTENT_LENGTH, self.content_length.clone());
        match &self.content_encoding {
            Some(coding) => headers.insert(CONTENT_ENCODING, coding.clone()),
            None => headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        };
        if let Some(digest) = &self.content_digest {
            headers.insert("content-digest", digest.clone());
        }
        self.append_links(&mut headers);
        ResponsePlan { status: StatusCode::OK, headers, body }
    }

    fn append_links(&self, headers: &mut HeaderMap) {
        for link in &self.links {
            headers.append(LINK, link.clone());
        }
    }

    fn part(&self, first: u64, last: u64) -> ResponsePlan {
        let mut plan = self.whole(BodyPlan::Part { first, last });
        plan.status = StatusCode::PARTIAL_CONTENT;
        // The digest is of the bytes in the message, and here these are not all.
        plan.headers.remove("content-digest");
        let len = last.saturating_sub(first).saturating_add(1);
        plan.headers.insert(CONTENT_LENGTH, HeaderValue::from(len));
        plan.headers.insert(CONTENT_RANGE, content_range(format!("bytes {first}-{last}/{}", self.len_bytes)));
        plan
    }

    /// A response without the representation. It carries the tag, so that the client learns the current version,
    /// but no freshness, since a refusal must not be cached.
    fn refusal(&self, status: StatusCode) -> ResponsePlan {
        let mut headers = HeaderMap::with_capacity(4);
        headers.insert(ETAG, self.etag.clone());
        headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        ResponsePlan { status, headers, body: BodyPlan::Nothing }
    }
}

/// The value of `Content-Digest` or `Repr-Digest` (RFC 9530) for these bytes: optional, outside of the protocol's core.
///
/// `Repr-Digest` is of the whole representation and survives ranges: prefer it, over the bytes before any coding.
///
/// ```
/// let value = tct::response::content_digest(br#"{"hello": "world"}"#);
/// assert_eq!(value, "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:");
/// ```
///
/// Spec: TCT draft-00, "Content Digest"; TCT-SEC-14, TCT-AMB-40.
#[must_use]
pub fn content_digest(bytes: &[u8]) -> HeaderValue {
    digest_field(&Fingerprint::hash(bytes))
}

/// The same for bytes whose SHA-256 is known.
pub(crate) fn digest_field(fingerprint: &Fingerprint) -> HeaderValue {
    let mut members = sfv::DictSerializer::new();
    let _parameters = members.bare_item(sfv::key_ref("sha-256"), fingerprint.as_bytes().as_slice());
    // A dictionary with one member is never empty, and always ASCII.
    let text = members.finish().unwrap_or_default();
    HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

fn etag_field(fingerprint: &Fingerprint) -> HeaderValue {
    // Printable ASCII by construction.
    HeaderValue::try_from(format!("\"{fingerprint}\"")).unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

/// The value with the directive `no-transform`, added if it is missing.
fn with_no_transform(value: HeaderValue) -> HeaderValue {
    let is_there = value
        .as_bytes()
        .split(|byte| *byte == b',')
        .any(|directive| directive.trim_ascii().eq_ignore_ascii_case(b"no-transform"));
    if is_there {
        return value;
    }
    let longer = match value.as_bytes() {
        [] => b"no-transform".to_vec(),
        directives => [directives, b", no-transform"].concat(),
    };
    HeaderValue::from_bytes(&longer).unwrap_or(value)
}

fn content_range(text: String) -> HeaderValue {
    // Digits and ASCII punctuation only.
    HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("bytes */*"))
}
