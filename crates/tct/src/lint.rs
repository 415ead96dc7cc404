//! Checks the header fields of your own M-URL or sitemap responses, as clients receive them.
//!
//! Frameworks, proxies and CDNs add and drop fields. These are findings for an operator, never a reason for an agent
//! to refuse anything: a field that concerns the connection is legal on the wire, it just should not come from the
//! publisher (TCT-AMB-41).

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, LAST_MODIFIED, VARY};
use http::{HeaderMap, HeaderName};
use web_values::list_members;

use crate::cache::CacheControl;
use crate::link::{is_json, links};
use crate::{EntityTag, UnixSeconds};

/// A finding about a response's header fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum HeaderFinding {
    /// `ETag` is absent (TCT-ETAG-1).
    EtagAbsent,
    /// The entity tag is weak (TCT-ETAG-2).
    EtagWeak,
    /// No canonical `Link` (TCT-CANON-1).
    CanonicalAbsent,
    /// `Content-Type` is not JSON (TCT-MURL-1).
    NotJson,
    /// `Cache-Control` is absent (TCT-CACHE-1).
    CacheControlAbsent,
    /// `Cache-Control: private` on a public resource (TCT-CACHE-3).
    Private,
    /// `must-revalidate` is absent (TCT-CACHE-6).
    MustRevalidateAbsent,
    /// `Vary` does not name `Accept-Encoding` (TCT-CACHE-4; a MUST where the body is compressed, TCT-MA-3).
    VaryAbsent,
    /// `Vary` names `User-Agent` (TCT-CACHE-5).
    VariesOnUserAgent,
    /// `Vary: *`: nothing can be cached.
    VariesOnEverything,
    /// A field that concerns the connection (TCT-COND-10).
    HopByHop,
    /// `Last-Modified` cannot be read (TCT-COND-9).
    LastModifiedUnreadable,
    /// The weekday of `Last-Modified` is not that of its date (TCT-AMB-48).
    WeekdayWrong,
    /// The body is compressed under a strong entity tag that other codings share (TCT-AMB-20).
    StrongTagOnCoded,
}

words! { HeaderFinding
    EtagAbsent => "etag-absent", "TCT-ETAG-1", "expected an entity tag, found none";
    EtagWeak => "etag-weak", "TCT-ETAG-2", "expected a strong entity tag, found a weak one";
    CanonicalAbsent => "canonical-absent", "TCT-CANON-1", "expected a canonical link, found none";
    NotJson => "not-json", "TCT-MURL-1", "expected `application/json`, found another media type";
    CacheControlAbsent => "cache-control-absent", "TCT-CACHE-1", "expected `Cache-Control`, found none";
    Private => "private", "TCT-CACHE-3", "expected a public resource, found `private`";
    MustRevalidateAbsent => "must-revalidate-absent", "TCT-CACHE-6", "expected `must-revalidate`, found other directives";
    VaryAbsent => "vary-absent", "TCT-CACHE-4", "expected `Vary: Accept-Encoding`, found none";
    VariesOnUserAgent => "varies-on-user-agent", "TCT-CACHE-5", "expected one answer for every client, found `Vary: User-Agent`";
    VariesOnEverything => "varies-on-everything", "TCT-CACHE-4", "expected `Vary: Accept-Encoding`, found `Vary: *`";
    HopByHop => "hop-by-hop", "TCT-COND-10", "expected fields of the resource alone, found one of the connection";
    LastModifiedUnreadable => "last-modified-unreadable", "TCT-COND-9", "expected an HTTP-date, found other text";
    WeekdayWrong => "weekday-wrong", "TCT-AMB-48", "expected the weekday of the date, found another";
    StrongTagOnCoded => "strong-tag-on-coded", "TCT-AMB-20", "expected a tag of this coding alone, found one that others share";
}

/// The fields that concern a connection.
const HOP_BY_HOP: [&str; 9] = [
    "connection",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
];

/// Checks the header fields of a 200 response of an M-URL. Sitemaps and policies have no canonical link: ignore
/// that finding for them.
///
/// ```
/// use tct::lint::{HeaderFinding, check_headers};
/// use tct::{Representation, plan_response};
/// let plan = plan_response(&http::Method::GET, &http::HeaderMap::new(), &Representation::of_bytes(b"{}"));
/// let found = check_headers(&plan.headers);
/// assert_eq!(found, [HeaderFinding::CanonicalAbsent]);
/// assert_eq!((found[0].code(), found[0].requirement()), ("canonical-absent", "TCT-CANON-1"));
/// assert_eq!(found[0].to_string(), "expected a canonical link, found none");
/// ```
///
/// Spec: TCT draft-00, "Cache-Control", "Deployment"; TCT-OPS-2, TCT-CACHE-3, TCT-CACHE-4, TCT-CACHE-5, TCT-COND-10.
#[must_use]
pub fn check_headers(headers: &HeaderMap) -> Vec<HeaderFinding> {
    let mut found = Vec::new();
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let is_coded = text(CONTENT_ENCODING).is_some_and(|coding| !coding.eq_ignore_ascii_case("identity"));
    match headers.get(ETAG).map(|value| EntityTag::parse(value.as_bytes())) {
        None | Some(None) => found.push(HeaderFinding::EtagAbsent),
        Some(Some(tag)) if tag.is_weak() => found.push(HeaderFinding::EtagWeak),
        Some(Some(_)) if is_coded => found.push(HeaderFinding::StrongTagOnCoded),
        Some(Some(_)) => {}
    }
    if !links(headers).any(|link| link.has_rel("canonical") && !link.is_anchored) {
        found.push(HeaderFinding::CanonicalAbsent);
    }
    if !text(CONTENT_TYPE).is_some_and(is_json) {
        found.push(HeaderFinding::NotJson);
    }
    let directives = CacheControl::of(headers);
    if !headers.contains_key(CACHE_CONTROL) {
        found.push(HeaderFinding::CacheControlAbsent);
    } else if !directives.must_revalidate {
        found.push(HeaderFinding::MustRevalidateAbsent);
    }
    if directives.private {
        found.push(HeaderFinding::Private);
    }
    let varies_on =
        |name: &str| list_members(headers, &VARY).any(|found| found.eq_ignore_ascii_case(name.as_bytes()));
    if varies_on("*") {
        found.push(HeaderFinding::VariesOnEverything);
    } else if !varies_on("accept-encoding") {
        found.push(HeaderFinding::VaryAbsent);
    }
    if varies_on("user-agent") {
        found.push(HeaderFinding::VariesOnUserAgent);
    }
    if HOP_BY_HOP.iter().any(|name| headers.contains_key(*name)) {
        found.push(HeaderFinding::HopByHop);
    }
    if let Some(line) = headers.get(LAST_MODIFIED) {
        let line = line.to_str().unwrap_or_default();
        match crate::time::parse_http_date(line) {
            None => found.push(HeaderFinding::LastModifiedUnreadable),
            Some(at) if !names_weekday_of(line, at) => found.push(HeaderFinding::WeekdayWrong),
            Some(_) => {}
        }
    }
    found.sort_unstable();
    found
}

/// Whether a date in any of the three forms begins with the weekday of the instant. The short and the long names
/// (`Sun`, `Sunday`) begin alike.
fn names_weekday_of(line: &str, at: UnixSeconds) -> bool {
    let written = line.trim_start_matches([' ', '\t']).as_bytes().get(..3).map(<[u8]>::to_vec);
    written.as_deref() == at.to_http_date().as_bytes().get(..3)
}
