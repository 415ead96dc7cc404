//! Answering requests for documents of draft -03.
//!
//! ```text
//! method (405) ── content coding (406) ── exposure (404), authorization (401), size (500, 503) ── precondition (304, 412)
//! ```
//!
//! A [`Representation`] made here is answered by [`plan_response`](crate::plan_response) like any other, with the rules of
//! this draft: `application/json` without a parameter, `Content-Digest`, `no-transform`, `Vary`, content-coding
//! negotiation, and links on a 304 as on the 200. `plan_availability` adds the answers for resources that cannot be
//! served.

use http::header::{CACHE_CONTROL, CONTENT_LENGTH, RETRY_AFTER, VARY, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};

use super::finding::TctFindingCode;
use super::identity::EncodeError;
use super::profile::{M_SITEMAP_PROFILE, M_URL_PROFILE};
use super::syntax::is_http_uri;
use super::tag::BodyTag;
use crate::accept::coding_weight;
use crate::response::{
    BodyPlan, Representation, ResponsePlan, V03Rules, not_acceptable, plan_response, refuse_method,
};

/// `Cache-Control` of an M-URL: revalidate before each use, and leave the bytes as they are.
///
/// Spec: TCT draft-03; TCT3-HDR-5, TCT3-HDR-6, TCT3-AMB-26.
const M_URL_CACHE_CONTROL: &str =
    "public, max-age=0, must-revalidate, stale-while-revalidate=60, stale-if-error=86400, no-transform";

/// `Cache-Control` of an M-Sitemap: five minutes.
const M_SITEMAP_CACHE_CONTROL: &str =
    "public, max-age=300, must-revalidate, stale-if-error=86400, no-transform";

/// `Cache-Control` of an M-URL that needs credentials.
///
/// Spec: TCT draft-03; TCT3-HDR-6, TCT3-SEC-2, TCT3-SEC-3.
const PROTECTED_M_URL_CACHE_CONTROL: &str = "private, no-store, no-transform";

/// `Cache-Control` of an M-Sitemap that needs credentials.
const PROTECTED_M_SITEMAP_CACHE_CONTROL: &str = "private, max-age=0, must-revalidate, no-transform";

impl Representation {
    /// The metadata of an M-URL's bytes for header fields, with the links to the page and to the profile (RFC 6906).
    /// [`SealedDocument::representation`](super::SealedDocument::representation) takes the page from the document, so that the
    /// two cannot differ.
    ///
    /// # Errors
    /// `Fault(Url)` for a `canonical_url` that is not absolute `http` or `https`.
    ///
    /// Spec: TCT draft-03; TCT3-HDR-1 to TCT3-HDR-8.
    pub fn of_m_url(tag: &BodyTag, canonical_url: &str) -> Result<Self, EncodeError> {
        // A URI by RFC 3986 is printable ASCII without angle brackets.
        let link = HeaderValue::try_from(format!("<{canonical_url}>; rel=\"canonical\""));
        let link = link
            .ok()
            .filter(|_| is_http_uri(canonical_url))
            .ok_or_else(|| EncodeError::fault(TctFindingCode::Url, None, "canonical_url", canonical_url))?;
        let rules = V03Rules { protected: PROTECTED_M_URL_CACHE_CONTROL };
        let of_bytes = Self::of_v03(&tag.fingerprint(), tag.len_bytes(), M_URL_CACHE_CONTROL, rules);
        Ok(of_bytes.with_link(link).with_link(link_profile(M_URL_PROFILE)))
    }

    /// The metadata of an M-Sitemap's bytes, with the link to the profile.
    ///
    /// Spec: TCT draft-03; TCT3-SM-12, TCT3-TAG-3, TCT3-HDR-8.
    #[must_use]
    pub fn of_m_sitemap(tag: &BodyTag) -> Self {
        let rules = V03Rules { protected: PROTECTED_M_SITEMAP_CACHE_CONTROL };
        Self::of_v03(&tag.fingerprint(), tag.len_bytes(), M_SITEMAP_CACHE_CONTROL, rules)
            .with_link(link_profile(M_SITEMAP_PROFILE))
    }
}

fn link_profile(profile: &'static str) -> HeaderValue {
    HeaderValue::try_from(format!("<{profile}>; rel=\"profile\""))
        .unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// The availability of a publisher's resource.
// Hidden with `plan_availability`: for a server that has no statuses of its own, which no server here is.
#[doc(hidden)]
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Availability<'a> {
    /// Bytes to serve to any client.
    Served(&'a Representation),
    /// There is nothing, or its existence must not be shown: 404.
    Absent,
    /// Only for clients with credentials: 401 with this challenge.
    NeedsCredentials(HeaderValue),
    /// A document that could not be built, for instance past a limit: 500, never a part of it.
    Broken,
    /// A sitemap past a limit: 503, with the seconds after which to try again.
    TooLarge {
        /// Seconds for `Retry-After`.
        retry_after_secs: u32,
    },
}

/// Plans the response to a request for a resource, in the order of the draft: the method, the content coding, exposure and
/// authorization, the precondition.
///
/// ```
/// use http::{HeaderMap, Method, StatusCode};
/// use tct::v03::{Availability, plan_availability};
/// let plan = plan_availability(&Method::GET, &HeaderMap::new(), &Availability::TooLarge { retry_after_secs: 3600 });
/// assert_eq!(plan.status, StatusCode::SERVICE_UNAVAILABLE);
/// assert_eq!(plan.headers["retry-after"], "3600");
/// ```
///
/// Spec: TCT draft-03; TCT3-COND-7, TCT3-STAT-1 to TCT3-STAT-4, TCT3-SEC-2, TCT3-IDX-4.
#[doc(hidden)]
pub fn plan_availability(
    method: &Method,
    request: &HeaderMap,
    availability: &Availability<'_>,
) -> ResponsePlan {
    if let Availability::Served(representation) = availability {
        return plan_response(method, request, representation);
    }
    if let Some(refusal) = refuse_method(method) {
        return refusal;
    }
    let vary = HeaderValue::from_static("accept-encoding");
    if coding_weight(request, "identity") == 0 {
        return not_acceptable(&vary);
    }
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(VARY, vary);
    headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    let mut control = "no-store";
    let status = match availability {
        Availability::Served(_) | Availability::Absent => {
            // Where a protected page would be 404 as well, the answer must not tell them apart.
            StatusCode::NOT_FOUND
        }
        Availability::NeedsCredentials(challenge) => {
            headers.insert(WWW_AUTHENTICATE, challenge.clone());
            control = "private, no-store";
            StatusCode::UNAUTHORIZED
        }
        Availability::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        Availability::TooLarge { retry_after_secs } => {
            headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after_secs));
            StatusCode::SERVICE_UNAVAILABLE
        }
    };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(control));
    ResponsePlan { status, headers, body: BodyPlan::Nothing }
}
