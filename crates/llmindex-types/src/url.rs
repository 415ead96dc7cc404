//! Absolute http(s) URLs, by the rules of this protocol.
//!
//! The specification says "URI" and means pages to fetch, so a value here is an absolute URL of the schemes `https` and
//! `http` with a host, in the characters that RFC 3986 allows; characters beyond ASCII pass with a note (LLMI-AMB-8).
//! User information is read, because what it means depends on the member: an error in `entity.canonical_url`, a secret
//! anywhere else.

use web_values::{UrlFacts, UrlRules, WebUrl, WebUrlError, check_url};

fn rules() -> UrlRules {
    UrlRules::default().rfc3986().keeping_credentials()
}

/// The facts of a URL, if it is one. `O(n)`; allocates only for URLs that are not plain.
#[inline]
pub(crate) fn check(text: &str) -> Result<UrlFacts<'_>, WebUrlError> {
    check_url(text, rules())
}

/// The URL, if it is one.
pub(crate) fn parse(text: &str) -> Option<WebUrl> {
    WebUrl::parse_with(text, rules()).ok()
}
