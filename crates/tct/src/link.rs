//! `Link` header fields: written for publishers, read for agents.
//!
//! ```text
//! Link: </llm-sitemap.json>; rel="index"; type="application/json", <https://example.com/post/>; rel=canonical
//! ```
//!
//! Reading is that of [`web_values::links_in`].
//!
//! Only registered relation types are used: `alternate`, `index`, `describedby` and `canonical` (TCT-DISC-11).

use http::header::LINK;
use http::{HeaderMap, HeaderValue};
use url::Url;
use web_values::{LinkValue, links_in};
pub(crate) use web_values::{has_token, is_json};

use crate::{CUrl, MUrl};

/// The links of all `Link` lines, in order.
///
/// ```
/// use http::{HeaderMap, header};
/// let mut headers = HeaderMap::new();
/// headers.insert(header::LINK, "<a,b>; rel=\"alternate x\"; type=application/json, <c>; rel=canonical".parse().unwrap());
/// let links: Vec<_> = tct::link::links(&headers).collect();
/// assert_eq!(links[0].target, "a,b");
/// assert!(links[0].has_rel("alternate") && links[0].is_json());
/// assert!(links[1].has_rel("canonical"));
/// ```
///
/// Spec: TCT draft-00, "M-URL Discovery"; TCT-DISC-2.
pub fn links(headers: &HeaderMap) -> impl Iterator<Item = LinkValue<'_>> {
    headers.get_all(LINK).iter().flat_map(links_in)
}

/// The link from an M-URL back to its page: `<https://example.com/post/>; rel="canonical"`.
///
/// ```
/// use tct::link::link_canonical;
/// use tct::CUrl;
/// let page = CUrl::parse("https://example.com/post/").unwrap();
/// assert_eq!(link_canonical(&page), "<https://example.com/post/>; rel=\"canonical\"");
/// ```
///
/// Spec: TCT draft-00, "M-URL Canonical Link"; TCT-CANON-1.
#[must_use]
pub fn link_canonical(page: &CUrl) -> HeaderValue {
    link_value(page.as_url(), "canonical", false)
}

/// The link from a page to its M-URL.
///
/// Spec: TCT draft-00, "C-URL HTML Link"; TCT-DISC-1, TCT-DISC-2, TCT-D01-4.
#[must_use]
pub fn link_alternate(twin: &MUrl) -> HeaderValue {
    link_value(twin.as_url(), "alternate", true)
}

/// The link from the homepage, or from any page, to the JSON sitemap.
///
/// Spec: TCT draft-00, "Sitemap Discovery"; TCT-DISC-6, TCT-D01-3.
#[must_use]
pub fn link_sitemap(sitemap: &Url) -> HeaderValue {
    link_value(sitemap, "index", true)
}

/// The link from the sitemap to the policy descriptor.
///
/// Spec: TCT draft-00, "Policy Descriptor"; TCT-POL-2.
#[must_use]
pub fn link_policy(policy: &Url) -> HeaderValue {
    link_value(policy, "describedby", true)
}

fn link_value(target: &Url, rel: &str, is_json: bool) -> HeaderValue {
    // A serialised URL is printable ASCII; a `>` could still stand in the path of a URL with an unusual scheme.
    let target = target.as_str().replace('>', "%3E");
    let media_type = if is_json { "; type=\"application/json\"" } else { "" };
    HeaderValue::try_from(format!("<{target}>; rel=\"{rel}\"{media_type}"))
        .unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// The HTML element for a page's `<head>` that leads to its M-URL.
///
/// ```
/// use tct::link::html_alternate;
/// use tct::MUrl;
/// let twin = MUrl::parse("https://example.com/llm/?a=1&b=2").unwrap();
/// assert_eq!(
///     html_alternate(&twin),
///     r#"<link rel="alternate" type="application/json" href="https://example.com/llm/?a=1&amp;b=2">"#
/// );
/// ```
///
/// Spec: TCT draft-00, "C-URL HTML Link"; TCT-DISC-1.
#[must_use]
pub fn html_alternate(twin: &MUrl) -> String {
    // `"` never stands in a serialised URL, `&` does.
    let href = twin.as_str().replace('&', "&amp;");
    format!(r#"<link rel="alternate" type="application/json" href="{href}">"#)
}
