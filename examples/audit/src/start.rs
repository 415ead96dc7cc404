//! Where an audit begins: a host name, a page, a twin or a sitemap.

use http::StatusCode;
use tct::OpenPolicy;
use tct::discovery::discover_in_headers;
use tct::open::{Expected, open_response};
use tct::v03::{BodyKind, classify};
use url::Url;

use crate::AuditError;
use crate::fetch::{Answer, Client};

/// Whether a site is on this machine, by the text of its URL.
#[must_use]
pub fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// The URL of a text from the command line: `blog.example` is `https://blog.example/`.
///
/// # Errors
/// What is neither a host name nor an `http` or `https` URL.
pub fn parse_start(text: &str) -> Result<Url, String> {
    let text = text.trim();
    let url = match text.contains("://") {
        true => Url::parse(text),
        false => Url::parse(&format!("https://{text}")),
    };
    let url = url.map_err(|error| format!("expected a host name or a URL, found `{text}` ({error})"))?;
    match url.scheme() {
        "https" | "http" => Ok(url),
        other => Err(format!("expected https or http, found `{other}`")),
    }
}

/// The page to look at, and what the beginning of the audit says beside it.
#[derive(Debug)]
pub(crate) struct Start {
    /// The page.
    pub(crate) page: Answer,
    /// The sitemap that the audit began with.
    pub(crate) sitemap: Option<Url>,
    /// The twin that the audit began with.
    pub(crate) twin: Option<Url>,
}

impl Start {
    /// Fetches the URL, and the page behind it where it is a twin or a sitemap.
    ///
    /// # Errors
    /// If there is no page to look at.
    pub(crate) async fn fetch(client: &Client, url: &Url) -> Result<Self, AuditError> {
        let answer = client.get(url).await?;
        let is_json = answer.body.trim_ascii_start().starts_with(b"{");
        let kind = if is_json { classify(&answer.body).ok().flatten() } else { None };
        let (page, sitemap, twin) = match kind {
            Some((BodyKind::MUrl, _)) => {
                let page = page_of(&answer)?;
                (page, None, Some(answer.url))
            }
            Some((BodyKind::MSitemap, _)) => {
                let home = answer.url.join("/").map_err(|error| AuditError::Argument(error.to_string()))?;
                (home, Some(answer.url), None)
            }
            _ => {
                return match answer.status.is_success() {
                    true => Ok(Start { page: answer, sitemap: None, twin: None }),
                    false => Err(missing(url, answer.status)),
                };
            }
        };
        let answer = client.get(&page).await?;
        match answer.status.is_success() {
            true => Ok(Start { page: answer, sitemap, twin }),
            false => Err(missing(&page, answer.status)),
        }
    }
}

fn missing(url: &Url, status: StatusCode) -> AuditError {
    AuditError::Status { url: url.to_string(), status: status.as_u16() }
}

/// The page that a twin speaks for, on its own origin.
fn page_of(twin: &Answer) -> Result<Url, AuditError> {
    let response = twin.to_response();
    let opened = open_response(&twin.url, &response, &Expected::default(), &OpenPolicy::default());
    let page = opened.into_payload().map(|payload| payload.page().as_url().clone());
    // A twin that agents refuse may name its page all the same.
    let named = page
        .or_else(|| discover_in_headers(&twin.url, &twin.headers).canonical)
        .filter(|page| page.origin() == twin.url.origin());
    named.ok_or_else(|| {
        let why = "expected a twin that names its page by a canonical link, found none of this origin";
        AuditError::Argument(format!("{}: {why}", twin.url))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_host_means_https() {
        for (text, expected) in [
            ("blog.example", "https://blog.example/"),
            ("blog.example:8443/a", "https://blog.example:8443/a"),
            ("http://blog.example", "http://blog.example/"),
            (" https://blog.example/llm/ ", "https://blog.example/llm/"),
        ] {
            assert_eq!(parse_start(text).unwrap().as_str(), expected);
        }
        for text in ["", "ftp://blog.example/", "two words.example", "https://"] {
            assert!(parse_start(text).is_err(), "{text}");
        }
    }
}
