//! What both forms of a twin's response have in common: strictness, entity tag, and the page that the response is for.
//!
//! [`open`](crate::open) and [`v03`](crate::v03) apply the rules of their drafts to these parts.

use http::header::{CONTENT_TYPE, ETAG};
use http::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use crate::address::{TrailingSlash, is_same_page};
use crate::link::{is_json, links};
use crate::{CUrl, EntityTag, UrlPolicy};

/// How strictly responses are checked.
///
/// Draft -01 makes the checks optional; here each has a code and a severity, and the caller chooses.
///
/// Spec: TCT draft-01, "Validation"; TCT-D01-5, TCT-PAR-4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Deviations of deployed publishers are accepted and reported.
    #[default]
    Lenient,
    /// Only responses that the draft allows are accepted.
    Strict,
}

/// The one line of a field; `None` where there is none, or more than one.
pub(crate) fn only_line(headers: &HeaderMap, name: HeaderName) -> Option<&HeaderValue> {
    let mut lines = headers.get_all(name).iter();
    lines.next().filter(|_| lines.next().is_none())
}

/// The media type of a response, if it is JSON.
pub(crate) fn json_type(headers: &HeaderMap) -> Option<&str> {
    only_line(headers, CONTENT_TYPE)?.to_str().ok().filter(|line| is_json(line))
}

/// Why a response has no entity tag.
pub(crate) enum TagFault {
    Missing,
    Malformed,
}

/// The one entity tag of a response, and its line.
pub(crate) fn tag_of(headers: &HeaderMap) -> Result<(EntityTag<'_>, &HeaderValue), TagFault> {
    if !headers.contains_key(ETAG) {
        return Err(TagFault::Missing);
    }
    let line = only_line(headers, ETAG).ok_or(TagFault::Malformed)?;
    EntityTag::parse(line.as_bytes()).map(|tag| (tag, line)).ok_or(TagFault::Malformed)
}

/// Faults of the page that a response names as its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageFault {
    /// There is no canonical link.
    Missing,
    /// Two canonical links name different pages, so the page is unknown.
    Ambiguous,
    /// It is another page than the expected one; without one, a page of another origin.
    Mismatch,
    /// The body's `canonical_url` names another page than the link.
    Conflict,
}

/// The page that the response's canonical links name, if they name exactly one, and its faults.
///
/// `url` is the one that answered; `claimed` is the body's `canonical_url`.
pub(crate) fn page_of(
    url: &Url,
    headers: &HeaderMap,
    expected: Option<&CUrl>,
    claimed: Option<&str>,
    slash: TrailingSlash,
    mut fault: impl FnMut(PageFault),
) -> Option<CUrl> {
    let any_scheme = UrlPolicy::allowing_http();
    let mut pages = links(headers)
        .filter(|link| link.has_rel("canonical") && !link.is_anchored)
        .filter_map(|link| CUrl::from_url(link.resolve(url)?, &any_scheme).ok());
    let Some(page) = pages.next() else {
        fault(PageFault::Missing);
        return None;
    };
    let is_same = |other: &CUrl| is_same_page(page.as_url(), other.as_url(), slash);
    if !pages.all(|other| is_same(&other)) {
        fault(PageFault::Ambiguous);
        return None;
    }
    if !expected.map_or_else(|| page.as_url().origin() == url.origin(), is_same) {
        fault(PageFault::Mismatch);
    }
    let claimed = claimed.map(|claimed| CUrl::parse_with(claimed, &any_scheme));
    if claimed.is_some_and(|claimed| !claimed.is_ok_and(|claimed| is_same(&claimed))) {
        fault(PageFault::Conflict);
    }
    Some(page)
}
