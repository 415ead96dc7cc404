//! The agent's HTTP: one request, one exchange, every byte counted.

use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING};
use http::{HeaderMap, Method, StatusCode, Version};
use url::Url;

use crate::RoundtripError;
use site::publisher::Coding;
use site::tls::Certificate;

/// No body may be larger than this when it is decoded: the draft's own figure for sitemaps.
pub const MAX_BODY_BYTES: usize = 100_000_000;

/// A response that arrived in full.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The status.
    pub status: StatusCode,
    /// The header fields.
    pub headers: HeaderMap,
    /// The body without content coding.
    pub body: Bytes,
    /// The protocol's version.
    pub version: Version,
    /// The length of the head as HTTP/1.1 writes it, and of the body as it came.
    pub received: u64,
    /// The same with the body decoded.
    pub unpacked: u64,
}

impl Exchange {
    /// The response as the `http` crate has it, without content coding.
    #[must_use]
    pub fn into_http(self) -> http::Response<Bytes> {
        let mut response = http::Response::new(self.body);
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}

/// A client that trusts one certificate.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    coding: Coding,
}

impl Client {
    /// A client that asks for this coding.
    ///
    /// # Errors
    /// [`RoundtripError::Tls`] if the settings are refused.
    pub fn new(certificate: &Certificate, coding: Coding) -> Result<Self, RoundtripError> {
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(certificate.client_config()?)
            .https_only(true)
            .no_proxy()
            // A redirect is a response like others: the library says what follows from it.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("aiweb-roundtrip/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(5))
            .timeout(Duration::from_secs(60))
            .build()
            .map_err(|error| RoundtripError::Tls(error.to_string()))?;
        Ok(Client { http, coding })
    }

    /// Sends one request and waits for the whole response.
    ///
    /// # Errors
    /// [`RoundtripError::Fetch`] if there is no whole response, its coding is unknown, or it is past
    /// [`MAX_BODY_BYTES`].
    pub async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
    ) -> Result<Exchange, RoundtripError> {
        let failed = |source| RoundtripError::Fetch { url: url.to_string(), source };
        let request = self.http.request(method, url.clone()).headers(headers);
        let request = request.header(ACCEPT_ENCODING, self.coding.value());
        let mut response = request.send().await.map_err(|error| failed(error.without_url().into()))?;
        let mut coded = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| failed(error.without_url().into()))? {
            if coded.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(failed(format!("expected at most {MAX_BODY_BYTES} bytes, found more").into()));
            }
            coded.extend_from_slice(&chunk);
        }
        let coding = coding_of(response.headers()).map_err(|error| failed(error.into()))?;
        let head = head_len(response.status(), response.headers());
        let received = head + coded.len() as u64;
        // The head of an answer without a body still names the coding that the body would have.
        let coding = if coded.is_empty() { Coding::Identity } else { coding };
        let body = coding.decode(Bytes::from(coded), MAX_BODY_BYTES).map_err(|error| failed(error.into()))?;
        Ok(Exchange {
            status: response.status(),
            headers: response.headers().clone(),
            unpacked: head + body.len() as u64,
            version: response.version(),
            body,
            received,
        })
    }
}

fn coding_of(headers: &HeaderMap) -> Result<Coding, String> {
    let Some(field) = headers.get(CONTENT_ENCODING) else { return Ok(Coding::Identity) };
    let known = field.to_str().ok().and_then(Coding::of_name);
    known.ok_or_else(|| format!("expected gzip or br as content coding, found {field:?}"))
}

/// The length of a response head in the form of HTTP/1.1, its empty line included.
fn head_len(status: StatusCode, headers: &HeaderMap) -> u64 {
    let reason = status.canonical_reason().unwrap_or_default();
    let first = "HTTP/1.1 200 \r\n".len() + reason.len();
    let fields: usize =
        headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum();
    (first + fields + "\r\n".len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_counted_as_it_would_be_written() {
        let mut headers = HeaderMap::new();
        headers.insert("etag", "\"x\"".parse().unwrap());
        headers.append("link", "<a>".parse().unwrap());
        headers.append("link", "<b>".parse().unwrap());
        let written = "HTTP/1.1 304 Not Modified\r\netag: \"x\"\r\nlink: <a>\r\nlink: <b>\r\n\r\n";
        assert_eq!(head_len(StatusCode::NOT_MODIFIED, &headers), written.len() as u64);
    }

    #[test]
    fn codings_are_those_that_were_asked_for() {
        let mut headers = HeaderMap::new();
        assert_eq!(coding_of(&headers), Ok(Coding::Identity));
        headers.insert(CONTENT_ENCODING, "BR".parse().unwrap());
        assert_eq!(coding_of(&headers), Ok(Coding::Br));
        headers.insert(CONTENT_ENCODING, "zstd".parse().unwrap());
        assert!(coding_of(&headers).unwrap_err().contains("zstd"));
    }
}
