//! The result of a check of the well-known file.

use core::fmt;

use crate::{Domain, NearMissKind};

/// Why a request got no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchFailure {
    /// No response in time.
    Timeout,
    /// The TLS handshake failed or the certificate is not valid for the host.
    Tls,
    /// The name did not resolve, the connection broke, the response was not HTTP.
    Network,
}

/// The result of a check, each refusal with its own reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpReason {
    /// The file holds the token.
    Verified,
    /// The expected token is too short to prove anything ([`Token::proves_nothing`](crate::Token::proves_nothing)).
    WeakToken,
    /// robots.txt forbids the fetch, and the caller asked to respect it.
    RobotsDisallow,
    /// A request got no response, so the check is undecided: try again later.
    Failed(FetchFailure),
    /// A status other than 200 and the five redirects.
    Status(u16),
    /// A redirect without `Location`.
    LocationMissing,
    /// A redirect with several `Location` fields that differ.
    LocationAmbiguous,
    /// A `Location` that is not a URL, not UTF-8, or past 8 KiB.
    BadLocation,
    /// A redirect to `http` or any other scheme than `https`.
    RedirectNotHttps,
    /// A redirect to a URL with user name or password.
    RedirectWithUserinfo,
    /// A redirect to a port that is neither the default nor the first URL's.
    RedirectToPort,
    /// AIWebIndex: a redirect to another registrable domain.
    RedirectCrossDomain,
    /// llmindex: a redirect to another host.
    RedirectCrossHost,
    /// A redirect to a URL that was asked for before.
    RedirectLoop,
    /// A fourth redirect.
    TooManyRedirects,
    /// A body of more than 64 KiB.
    BodyTooLarge,
    /// `Content-Type` is HTML: perhaps an error page, or a page that echoes its URL.
    HtmlContentType,
    /// `Content-Type` is SVG or other XML: a picture or feed that a user of the site may have put there.
    MarkupContentType,
    /// The body starts with `<`: a page, whatever its `Content-Type` says.
    HtmlBody,
    /// The body is not UTF-8.
    NotUtf8,
    /// No line is the expected one, or the body is not the challenge.
    NoMatch,
}

impl HttpReason {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            HttpReason::Verified => "verified",
            HttpReason::WeakToken => "weak-token",
            HttpReason::RobotsDisallow => "robots-disallow",
            HttpReason::Failed(FetchFailure::Timeout) => "fetch-timeout",
            HttpReason::Failed(FetchFailure::Tls) => "tls-failed",
            HttpReason::Failed(FetchFailure::Network) => "fetch-failed",
            HttpReason::Status(_) => "status-not-200",
            HttpReason::LocationMissing => "location-missing",
            HttpReason::LocationAmbiguous => "location-ambiguous",
            HttpReason::BadLocation => "location-invalid",
            HttpReason::RedirectNotHttps => "redirect-not-https",
            HttpReason::RedirectWithUserinfo => "redirect-with-userinfo",
            HttpReason::RedirectToPort => "redirect-to-port",
            HttpReason::RedirectCrossDomain => "redirect-cross-domain",
            HttpReason::RedirectCrossHost => "redirect-cross-host",
            HttpReason::RedirectLoop => "redirect-loop",
            HttpReason::TooManyRedirects => "too-many-redirects",
            HttpReason::BodyTooLarge => "body-too-large",
            HttpReason::HtmlContentType => "html-content-type",
            HttpReason::MarkupContentType => "markup-content-type",
            HttpReason::HtmlBody => "html-body",
            HttpReason::NotUtf8 => "body-not-utf8",
            HttpReason::NoMatch => "no-match",
        }
    }
}

/// A warning for the owner of a file that verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileWarning {
    /// The file was not served as `text/plain`.
    NotPlainText,
    /// The llmindex challenge reads like a file name
    /// ([`Token::looks_like_file_name`](crate::Token::looks_like_file_name)).
    ValueLooksLikeFileName,
}

impl FileWarning {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            FileWarning::NotPlainText => "not-plain-text",
            FileWarning::ValueLooksLikeFileName => "value-looks-like-file-name",
        }
    }
}

/// The result of the check.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct WellKnownReport {
    /// The domain in question.
    pub domain: Domain,
    /// The result.
    pub reason: HttpReason,
    /// The URLs that were asked for, in order; the evidence is at the last one.
    pub requests: Vec<String>,
    /// Warnings for the owner, also for a file that verified.
    pub warnings: Vec<FileWarning>,
    /// The fault of a line that is almost the expected one.
    pub near_miss: Option<NearMissKind>,
}

impl WellKnownReport {
    /// Whether the domain is verified.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        self.reason == HttpReason::Verified
    }

    /// Returns true if a request got no response or the server had an error (429, 5xx). That is not a "no": ask
    /// again later.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        matches!(self.reason, HttpReason::Failed(_) | HttpReason::Status(429 | 500..=599))
    }
}

impl fmt::Display for HttpReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HttpReason::Verified => "the file holds the token",
            HttpReason::WeakToken => "the token is too short to prove anything",
            HttpReason::RobotsDisallow => "robots.txt forbids the fetch",
            HttpReason::Failed(failure) => return failure.fmt(f),
            HttpReason::Status(status) => return write!(f, "expected status 200, found {status}"),
            HttpReason::LocationMissing => "expected a `Location` with the redirect, found none",
            HttpReason::LocationAmbiguous => "expected one `Location`, found several that differ",
            HttpReason::BadLocation => "expected a URL in `Location`, found other text",
            HttpReason::RedirectNotHttps => "expected a redirect to https, found one to another scheme",
            HttpReason::RedirectWithUserinfo => {
                "expected a redirect to a URL without user name and password, found one with them"
            }
            HttpReason::RedirectToPort => "expected a redirect to the same port, found one to another",
            HttpReason::RedirectCrossDomain => {
                "expected a redirect within the registrable domain, found one to another domain"
            }
            HttpReason::RedirectCrossHost => "expected a redirect within the host, found one to another",
            HttpReason::RedirectLoop => "expected the redirects to end, found a circle",
            HttpReason::TooManyRedirects => "expected at most three redirects, found a fourth",
            HttpReason::BodyTooLarge => "expected a file of at most 64 KiB, found a longer one",
            HttpReason::HtmlContentType => "expected plain text, found the media type of a web page",
            HttpReason::MarkupContentType => "expected plain text, found the media type of XML or a picture",
            HttpReason::HtmlBody => "expected plain text, found a body that begins with `<`",
            HttpReason::NotUtf8 => "expected UTF-8, found other bytes",
            HttpReason::NoMatch => "expected the token in the file, found other text",
        })
    }
}
