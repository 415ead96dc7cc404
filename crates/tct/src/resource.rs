//! Resources that own their bytes: a publisher keeps them in memory and answers requests with them.
//!
//! ```text
//! Resource            bytes + codings made beforehand + Representation   ──respond(method, headers)──▶ Response<Bytes>
//! NegotiatedPage      HTML, and the same page as Markdown                ──respond(method, headers)──▶ Response<Bytes>
//! ```
//!
//! [`Coding::negotiate`] chooses the coding for a request; the caller compresses the bytes once. Every response names in
//! `Vary` the fields that it was chosen by, so a cache never serves a [`NegotiatedPage`] to a client that asked for the
//! other form.

use bytes::Bytes;
use http::header::{ACCEPT, ACCEPT_ENCODING};
use http::{HeaderMap, HeaderValue, Method, Response};

use crate::accept::{coding_weight, members, mention};
use crate::response::{Representation, plan_response};

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Coding {
    /// The bytes as they are.
    Identity,
    /// gzip, RFC 1952.
    Gzip,
    /// Brotli, RFC 7932.
    Br,
    /// Zstandard, RFC 8878.
    Zstd,
}

impl Coding {
    /// The name in `Content-Encoding` and `Accept-Encoding`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Coding::Identity => "identity",
            Coding::Gzip => "gzip",
            Coding::Br => "br",
            Coding::Zstd => "zstd",
        }
    }

    /// The name as a field value.
    #[must_use]
    pub fn value(self) -> HeaderValue {
        HeaderValue::from_static(self.name())
    }

    /// The coding of that name, letter case aside; `x-gzip` is gzip.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("x-gzip") {
            return Some(Coding::Gzip);
        }
        [Coding::Identity, Coding::Gzip, Coding::Br, Coding::Zstd]
            .into_iter()
            .find(|coding| name.eq_ignore_ascii_case(coding.name()))
    }

    /// The weight of the coding for the client, in thousandths: 0 is a refusal, 1,000 the maximum.
    ///
    /// `identity` is acceptable unless it has the weight 0, or `*` has it and `identity` is not named; if it is not
    /// mentioned, it has the lowest weight, so that every coding that the client names is preferred. Any other coding has
    /// to be named or covered by `*`: without the field it has the weight 0, since the client may be unable to decode it.
    /// `O(n)` in the length of the field; allocates nothing.
    ///
    /// ```
    /// use http::{HeaderMap, header};
    /// use tct::Coding;
    /// let mut request = HeaderMap::new();
    /// assert_eq!((Coding::Identity.weight(&request), Coding::Gzip.weight(&request)), (1000, 0));
    /// request.insert(header::ACCEPT_ENCODING, "br, gzip;q=0.5, *;q=0".parse().unwrap());
    /// assert_eq!((Coding::Br.weight(&request), Coding::Gzip.weight(&request)), (1000, 500));
    /// assert_eq!(Coding::Identity.weight(&request), 0);
    /// ```
    ///
    /// Spec: TCT draft-03, "Content coding"; TCT3-CODE-2, TCT3-AMB-13; RFC 9110, section 12.5.3.
    #[must_use]
    pub fn weight(self, request: &HeaderMap) -> u16 {
        coding_weight(request, self.name())
    }

    /// The coding of `available` with the highest weight in a request's `Accept-Encoding`; the first of equals.
    /// `None` if the request accepts none of them.
    ///
    /// Without the field, identity is chosen. Identity is acceptable unless it is excluded by name or by `*;q=0`, but
    /// a coding that the request names is preferred. [`Coding::weight`] reads the field.
    ///
    /// ```
    /// use http::{HeaderMap, header::ACCEPT_ENCODING};
    /// use tct::Coding;
    /// let mut request = HeaderMap::new();
    /// request.insert(ACCEPT_ENCODING, "gzip;q=0.8, br".parse().unwrap());
    /// let have = [Coding::Gzip, Coding::Br, Coding::Identity];
    /// assert_eq!(Coding::negotiate(&request, &have), Some(Coding::Br));
    /// assert_eq!(Coding::negotiate(&HeaderMap::new(), &have), Some(Coding::Identity));
    /// ```
    ///
    /// Spec: RFC 9110, "Accept-Encoding"; TCT draft-00, "Scalability"; TCT-SM-11.
    #[must_use]
    pub fn negotiate(request: &HeaderMap, available: &[Coding]) -> Option<Self> {
        if !request.contains_key(ACCEPT_ENCODING) {
            return available.iter().copied().find(|coding| *coding == Coding::Identity);
        }
        // Identity is acceptable although nothing names it, and behind everything that is named.
        let weight = |coding: Coding| match mention(request, coding.name()) {
            None => (coding == Coding::Identity).then_some((0, 0)),
            Some(weight) => (weight > 0).then_some((1, weight)),
        };
        let liked = available.iter().copied().filter_map(|coding| Some((weight(coding)?, coding)));
        liked.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, coding)| coding)
    }
}

/// The weight of a media type in a request's `Accept`, in thousandths, and whether it is named in full.
fn accepts(request: &HeaderMap, essence: &str) -> (u16, bool) {
    if !request.contains_key(ACCEPT) {
        return (1000, false);
    }
    let kind = essence.split('/').next().unwrap_or_default();
    let mut best: Option<(u8, u16)> = None;
    for (range, weight) in members(request, &ACCEPT) {
        let Ok(range) = core::str::from_utf8(range) else { continue };
        let precision = if range.eq_ignore_ascii_case(essence) {
            3
        } else if range.strip_suffix("/*").is_some_and(|found| found.eq_ignore_ascii_case(kind)) {
            2
        } else if range == "*/*" {
            1
        } else {
            continue;
        };
        if best.is_none_or(|(found, _)| precision > found) {
            best = Some((precision, weight));
        }
    }
    best.map_or((0, false), |(precision, weight)| (weight, precision == 3))
}

/// Bytes to serve, with their compressed variants.
///
/// ```
/// use http::{HeaderMap, Method, StatusCode, header};
/// use tct::Resource;
///
/// let sitemap = Resource::json(br#"{"version":1,"items":[]}"#.as_slice());
/// let first = sitemap.respond(&Method::GET, &HeaderMap::new());
/// assert_eq!(first.body().len(), 24);
/// let mut again = HeaderMap::new();
/// again.insert(header::IF_NONE_MATCH, first.headers()[header::ETAG].clone());
/// assert_eq!(sitemap.respond(&Method::GET, &again).status(), StatusCode::NOT_MODIFIED);
/// ```
///
/// Spec: TCT draft-00, "Conditional Requests", "HEAD Requests"; TCT-COND-1, TCT-HEAD-1, TCT-MA-3.
#[derive(Debug, Clone)]
pub struct Resource {
    plain: Variant,
    coded: Vec<(Coding, Variant)>,
    available: Vec<Coding>,
}

#[derive(Debug, Clone)]
struct Variant {
    body: Bytes,
    representation: Representation,
}

impl Variant {
    fn respond(&self, method: &Method, request: &HeaderMap) -> Response<Bytes> {
        let plan = plan_response(method, request, &self.representation);
        plan.into_http(self.body.len(), |range| self.body.slice(range))
    }
}

impl Resource {
    /// These bytes, described by `representation`, which must be of them.
    #[must_use]
    pub fn new(body: impl Into<Bytes>, representation: Representation) -> Self {
        Resource {
            plain: Variant { body: body.into(), representation },
            coded: Vec::new(),
            available: vec![Coding::Identity],
        }
    }

    /// JSON bytes whose entity tag is their own SHA-256: a sitemap or a policy descriptor.
    #[must_use]
    pub fn json(body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let representation = Representation::of_bytes(&body);
        Self::new(body, representation)
    }

    /// Bytes of this media type, whose entity tag is their own SHA-256.
    #[must_use]
    pub fn of(body: impl Into<Bytes>, content_type: HeaderValue) -> Self {
        let body = body.into();
        let representation = Representation::of_bytes(&body).with_content_type(content_type);
        Self::new(body, representation)
    }

    /// Adds the same bytes in a coding. Codings that were added first are preferred among equals. A document of draft -03
    /// in a coding has a tag and a digest of its own.
    #[must_use]
    pub fn with_coding(mut self, coding: Coding, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let plain = &self.plain.representation;
        let representation = match plain.is_v03() {
            true => plain.coded_bytes(coding.value(), &body),
            false => plain.coded(coding.value(), body.len() as u64),
        };
        self.coded.push((coding, Variant { body, representation }));
        // Before identity: who names a coding can read it.
        self.available.insert(self.available.len() - 1, coding);
        self
    }

    /// The bytes without content coding.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        &self.plain.body
    }

    /// What the header fields say.
    #[must_use]
    pub fn representation(&self) -> &Representation {
        &self.plain.representation
    }

    /// The response to a request. A request that accepts none of the codings gets the plain bytes.
    #[must_use]
    pub fn respond(&self, method: &Method, request: &HeaderMap) -> Response<Bytes> {
        let variant = match self.coded.is_empty() {
            true => None,
            false => Coding::negotiate(request, &self.available)
                .and_then(|wanted| self.coded.iter().find(|(coding, _)| *coding == wanted)),
        };
        variant.map_or(&self.plain, |(_, variant)| variant).respond(method, request)
    }

    /// The same, chosen by `Accept` too.
    fn varying_on_accept(mut self) -> Self {
        let variants = self.coded.iter_mut().map(|(_, variant)| variant).chain([&mut self.plain]);
        for variant in variants {
            variant.representation = variant.representation.clone().varying_on_accept();
        }
        self
    }
}

/// A page in two forms under one URL: HTML, and Markdown for clients that ask for it.
///
/// Markdown is sent if `Accept` names `text/markdown` with at least the weight of HTML; `*/*` or no field means HTML.
/// Both forms have `Vary: accept, accept-encoding`, with every status that a cache may store.
///
/// ```
/// use http::{HeaderMap, Method, header};
/// use tct::resource::{NegotiatedPage, Resource};
///
/// let html = Resource::of("<h1>Tea</h1>", "text/html; charset=utf-8".parse()?);
/// let page = NegotiatedPage::new(html, "# Tea");
/// let mut request = HeaderMap::new();
/// request.insert(header::ACCEPT, "text/markdown, text/html;q=0.8".parse()?);
/// let answer = page.respond(&Method::GET, &request);
/// assert_eq!(answer.body(), "# Tea");
/// assert_eq!(answer.headers()[header::VARY], "accept, accept-encoding");
/// assert_eq!(page.respond(&Method::GET, &HeaderMap::new()).body(), "<h1>Tea</h1>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct NegotiatedPage {
    html: Resource,
    /// The Markdown in place of the HTML.
    instead: Resource,
    /// The Markdown under a URL of its own.
    markdown: Resource,
}

impl NegotiatedPage {
    /// The media type of Markdown, RFC 7763.
    pub const MARKDOWN: &str = "text/markdown; charset=utf-8";

    /// The page's HTML and its Markdown.
    #[must_use]
    pub fn new(html: Resource, markdown: impl Into<Bytes>) -> Self {
        let markdown = Resource::of(markdown, HeaderValue::from_static(Self::MARKDOWN));
        NegotiatedPage {
            html: html.varying_on_accept(),
            instead: markdown.clone().varying_on_accept(),
            markdown,
        }
    }

    /// The same page, whose Markdown links to the page itself: [`link_canonical`](crate::link::link_canonical).
    #[must_use]
    pub fn with_markdown_link(mut self, link: HeaderValue) -> Self {
        for resource in [&mut self.instead, &mut self.markdown] {
            resource.plain.representation = resource.plain.representation.clone().with_link(link.clone());
        }
        self
    }

    /// Whether a request for the page's URL asks for Markdown.
    #[must_use]
    pub fn wants_markdown(request: &HeaderMap) -> bool {
        let (markdown, is_named) = accepts(request, "text/markdown");
        is_named && markdown > 0 && markdown >= accepts(request, "text/html").0
    }

    /// The response to a request for the page's URL.
    #[must_use]
    pub fn respond(&self, method: &Method, request: &HeaderMap) -> Response<Bytes> {
        let form = if Self::wants_markdown(request) { &self.instead } else { &self.html };
        form.respond(method, request)
    }

    /// The Markdown under a URL of its own, such as the page's with `.md` behind it: nothing is chosen by `Accept`.
    #[must_use]
    pub fn markdown(&self) -> &Resource {
        &self.markdown
    }
}
