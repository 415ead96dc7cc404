//! The meaning of responses: the specification's error table as pure functions.
//!
//! | response for the manifest | meaning |
//! |---|---|
//! | success with a JSON object | supported, whatever the Content-Type says (a warning where it is wrong) |
//! | success with anything else | unsupported, with a warning |
//! | 404, 410 and other client errors | unsupported |
//! | 401, 403, 451 | refused |
//! | 304 | not modified: the held copy is current |
//! | other redirects | follow, over https only |
//! | 408, 425, 429, 5xx, no response | unknown: retry later, keep the held copy |
//!
//! The caller fetches, follows redirects and logs. A status of 0 means that there was no response.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::finding::{Code, ManifestFinding, Path};
use web_values::{MediaType, Severity, WebUrl};

use crate::{Limits, LlmindexTextErrorKind, Manifest, Options, validate};

/// The state of a site's manifest according to a response.
///
/// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-1, LLMI-ERR-2, LLMI-AMB-23.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ManifestState {
    /// The body is a JSON object: read it.
    Supported,
    /// The site does not support llmindex.
    Unsupported,
    /// The site refuses this client.
    Refused,
    /// Unknown: ask again later, and keep the held copy until then.
    RetryLater,
    /// The held copy is current.
    NotModified,
    /// The manifest is elsewhere: follow `Location`, over https only; see [`check_https`].
    Redirect,
}

impl fmt::Display for ManifestState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ManifestState::Supported => "the site has a manifest",
            ManifestState::Unsupported => "the site has no manifest",
            ManifestState::Refused => "the site refuses this client its manifest",
            ManifestState::RetryLater => "no usable answer: keep what is held, and ask again later",
            ManifestState::NotModified => "unchanged: the held manifest is the present one",
            ManifestState::Redirect => "the manifest is elsewhere: follow the redirect",
        })
    }
}

/// The state, with findings to log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
pub struct ManifestOutcome {
    state: ManifestState,
    findings: Vec<ManifestFinding>,
}

impl fmt::Display for ManifestOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.state)?;
        self.findings.iter().try_for_each(|finding| write!(f, "; {finding}"))
    }
}

impl ManifestOutcome {
    /// The state.
    #[must_use]
    pub fn state(&self) -> ManifestState {
        self.state
    }

    /// Warnings to log.
    pub fn findings(&self) -> &[ManifestFinding] {
        &self.findings
    }
}

/// Classifies the response to a request for a manifest. The body is read if the status is a success.
///
/// ```
/// use llmindex_types::{Limits, ManifestState, classify};
/// let soft_404 = classify(200, Some("text/html"), b"<!doctype html>", &Limits::MANIFEST);
/// assert_eq!(soft_404.state(), ManifestState::Unsupported);
/// assert_eq!(soft_404.findings().len(), 1); // to be logged
/// assert_eq!(classify(503, None, b"", &Limits::MANIFEST).state(), ManifestState::RetryLater);
/// ```
///
/// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-1, LLMI-ERR-2, LLMI-ENT-2, LLMI-AMB-23.
pub fn classify(status: u16, content_type: Option<&str>, body: &[u8], limits: &Limits) -> ManifestOutcome {
    let state = match status {
        200..=299 => return classify_body(content_type, body, limits),
        304 => ManifestState::NotModified,
        300..=399 => ManifestState::Redirect,
        401 | 403 | 451 => ManifestState::Refused,
        408 | 425 | 429 => ManifestState::RetryLater,
        400..=499 => ManifestState::Unsupported,
        _ => ManifestState::RetryLater,
    };
    ManifestOutcome { state, findings: Vec::new() }
}

/// [`classify`] for a response of the `http` crate.
///
/// ```
/// use llmindex_types::{Limits, ManifestState, classify_response};
///
/// let response = http::Response::builder().status(404).body("")?;
/// assert_eq!(classify_response(&response, &Limits::MANIFEST).state(), ManifestState::Unsupported);
/// # Ok::<(), http::Error>(())
/// ```
///
/// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-1, LLMI-ERR-2.
#[cfg(feature = "http")]
pub fn classify_response(response: &http::Response<impl AsRef<[u8]>>, limits: &Limits) -> ManifestOutcome {
    let content_type = response.headers().get(http::header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| core::str::from_utf8(value.as_bytes()).ok());
    classify(response.status().as_u16(), content_type, response.body().as_ref(), limits)
}

fn classify_body(content_type: Option<&str>, body: &[u8], limits: &Limits) -> ManifestOutcome {
    let mut findings = Vec::new();
    let mut warn = |code, requirement, message: String| {
        findings.push(ManifestFinding::new(Severity::Warning, code, requirement, "", message));
    };
    let is_object = match validate(body, &Options::default().limits(*limits).max_findings(4)) {
        Ok(report) => {
            let found_other = report
                .findings()
                .iter()
                .any(|finding| finding.path().is_empty() && finding.code() == Code::WrongType);
            if found_other {
                warn(Code::NotAManifest, "LLMI-AMB-23", "expected a JSON object, found other JSON".into());
            }
            !found_other
        }
        Err(error) => {
            let (code, requirement) = match error.kind() {
                LlmindexTextErrorKind::TooLong => (Code::TooLong, "LLMI-AMB-29"),
                LlmindexTextErrorKind::TooDeep => (Code::TooDeep, "LLMI-AMB-29"),
                _ => (Code::NotAManifest, "LLMI-ERR-2"),
            };
            warn(code, requirement, format!("expected a JSON object, found none: {error}"));
            false
        }
    };
    if !is_object {
        return ManifestOutcome { state: ManifestState::Unsupported, findings };
    }
    if !content_type.is_some_and(is_json_utf8) {
        let found = content_type.map_or_else(|| "none".into(), crate::finding::excerpt);
        let message = format!("expected the Content-Type `{}`, found {found}", crate::CONTENT_TYPE);
        warn(Code::ContentType, "LLMI-ENT-2", message);
    }
    ManifestOutcome { state: ManifestState::Supported, findings }
}

/// Whether a Content-Type is JSON's with the charset UTF-8; names compare without case.
fn is_json_utf8(content_type: &str) -> bool {
    MediaType::parse(content_type).is_some_and(|found| {
        found.essence() == "application/json"
            && found.charset().is_some_and(|charset| charset.eq_ignore_ascii_case("utf-8"))
    })
}

/// Findings about the URLs that a manifest was fetched from: the first one and each redirect target. All must be
/// https. The caller checks the certificates.
///
/// ```
/// use llmindex_types::check_https;
/// let hops = ["https://a.example/.well-known/llmindex.json", "http://a.example/llmindex.json"];
/// assert_eq!(check_https(&hops)[0].to_string(), "error at /1: expected https, found another scheme");
/// ```
///
/// Spec: llmindex 0.1, "Security considerations"; LLMI-SEC-1.
pub fn check_https(hops: &[&str]) -> Vec<ManifestFinding> {
    let is_https = |url: &str| crate::url::check(url).is_ok_and(|facts| facts.is_https);
    let insecure = hops.iter().enumerate().filter(|(_, url)| !is_https(url));
    let finding = |(index, _)| {
        let path = Path::Root.index(index).to_pointer();
        let message = "expected https, found another scheme";
        ManifestFinding::new(Severity::Error, Code::NotOverHttps, "LLMI-SEC-1", path, message)
    };
    insecure.map(finding).collect()
}

/// The finding if a manifest names another host than the one it was fetched from: fatal for a proof of ownership
/// or a signature, since a signed manifest could otherwise be served from elsewhere.
///
/// Spec: llmindex 0.1, "Verification"; LLMI-AMB-6, LLMI-VER-4.
#[must_use]
pub fn check_origin(manifest: &Manifest, fetched_from: &WebUrl) -> Option<ManifestFinding> {
    let message = "expected the host that the manifest came from, found another";
    let path = "/entity/canonical_url";
    (!manifest.entity().canonical_url.is_same_host(fetched_from))
        .then(|| ManifestFinding::new(Severity::Warning, Code::OriginMismatch, "LLMI-AMB-6", path, message))
}

/// Whether a page or feed can be used.
///
/// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-4, LLMI-AMB-24, LLMI-PAGE-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum PageFileState {
    /// It answered with success.
    Available,
    /// The final status is not a success, or there was no response.
    Unavailable,
    /// It requires a login or refuses this client: 401, 403.
    Refused,
    /// It limits the rate: 429.
    RateLimited,
}

impl fmt::Display for PageFileState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PageFileState::Available => "available",
            PageFileState::Unavailable => "unavailable",
            PageFileState::Refused => "refused",
            PageFileState::RateLimited => "rate limited",
        })
    }
}

impl PageFileState {
    /// Classifies the final response for a page or a feed.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn of_response<B>(response: &http::Response<B>) -> Self {
        Self::of_status(response.status().as_u16())
    }

    /// Classifies the final status; 0 means no response.
    #[must_use]
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => PageFileState::Available,
            401 | 403 => PageFileState::Refused,
            429 => PageFileState::RateLimited,
            _ => PageFileState::Unavailable,
        }
    }
}

/// The result of fetching a feed.
///
/// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum FeedState {
    /// The final status, if it is not a success; 0 means no response.
    Failed(u16),
    /// It was read, with this many valid products.
    Read {
        /// How many lines were valid.
        products: u64,
    },
}

impl fmt::Display for FeedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FeedState::Failed(0) => f.write_str("failed without a response"),
            FeedState::Failed(status) => write!(f, "failed with status {status}"),
            FeedState::Read { products } => write!(f, "read, {products} products"),
        }
    }
}

/// The usable parts of a manifest.
///
/// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-4, LLMI-ERR-5.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
pub struct Survey<'a> {
    /// The endpoints that answered.
    pub endpoints: Vec<&'a str>,
    /// The feeds that gave products. Where there is none, rely on the pages.
    pub feeds: Vec<&'a str>,
    /// A warning for each that failed.
    pub findings: Vec<ManifestFinding>,
}

impl fmt::Display for Survey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} pages and {} feeds to use", self.endpoints.len(), self.feeds.len())?;
        self.findings.iter().try_for_each(|finding| write!(f, "; {finding}"))
    }
}

/// Sums up the fetches of a manifest's pages and feeds, given by their member names: failed ones are reported, the
/// others stay usable.
///
/// ```
/// use llmindex_types::{FeedState, survey};
/// let pages = [("products", 200), ("policies", 404), ("faq", 200), ("about", 0)];
/// let left = survey(&pages, &[("products_jsonl", FeedState::Failed(503))]);
/// assert_eq!(left.endpoints, ["products", "faq"]);
/// assert!(left.feeds.is_empty());
/// let paths: Vec<_> = left.findings.iter().map(|finding| finding.path()).collect();
/// assert_eq!(paths, ["/endpoints/policies", "/endpoints/about", "/feeds/products_jsonl"]);
/// ```
///
/// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-4, LLMI-ERR-5, LLMI-AMB-24.
pub fn survey<'a>(endpoints: &[(&'a str, u16)], feeds: &[(&'a str, FeedState)]) -> Survey<'a> {
    let mut survey = Survey { endpoints: Vec::new(), feeds: Vec::new(), findings: Vec::new() };
    for &(name, status) in endpoints {
        let found = match PageFileState::of_status(status) {
            PageFileState::Available => {
                survey.endpoints.push(name);
                continue;
            }
            PageFileState::Refused => "a refusal",
            PageFileState::RateLimited => "a rate limit",
            PageFileState::Unavailable => "none",
        };
        let path = Path::Root.name("endpoints").name(name).to_pointer();
        let message = format!("expected a page, found {found} (status {status})");
        let code = Code::EndpointUnavailable;
        survey.findings.push(ManifestFinding::new(Severity::Warning, code, "LLMI-ERR-4", path, message));
    }
    for &(name, state) in feeds {
        let message = match state {
            FeedState::Read { products: 1.. } => {
                survey.feeds.push(name);
                continue;
            }
            FeedState::Read { products: 0 } => String::from("expected products, found no valid line"),
            FeedState::Failed(status) => format!("expected a feed, found none (status {status})"),
        };
        let path = Path::Root.name("feeds").name(name).to_pointer();
        let code = Code::FeedUnavailable;
        survey.findings.push(ManifestFinding::new(Severity::Warning, code, "LLMI-ERR-5", path, message));
    }
    survey
}

#[cfg(all(test, feature = "http"))]
mod tests {
    use super::*;

    #[test]
    fn responses_of_the_http_crate() {
        let answer = |status: u16, content_type: &[u8], body: &'static str| {
            let content_type = http::HeaderValue::from_bytes(content_type).unwrap();
            let response = http::Response::builder().status(status).header("Content-Type", content_type);
            response.body(body).unwrap()
        };
        for (response, expected, findings) in [
            (answer(200, b"application/json; charset=utf-8", "{}"), ManifestState::Supported, 0),
            (answer(200, b"text/html\xff", "{}"), ManifestState::Supported, 1),
            (answer(200, b"text/html", "<p>"), ManifestState::Unsupported, 1),
            (answer(403, b"text/html", "{}"), ManifestState::Refused, 0),
            (answer(503, b"text/html", ""), ManifestState::RetryLater, 0),
        ] {
            let outcome = classify_response(&response, &Limits::MANIFEST);
            assert_eq!((outcome.state(), outcome.findings().len()), (expected, findings), "{response:?}");
        }
        assert_eq!(PageFileState::of_response(&answer(429, b"x/y", "")), PageFileState::RateLimited);
    }
}
