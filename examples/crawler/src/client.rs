//! Sends one request and receives its response within [`Limits`].
//!
//! No redirect is followed here, no cookie kept, no credential sent, nothing tried again: what an answer means is
//! decided by the libraries, and by the steps that ask them.

use std::io::Write;
use std::time::{Duration, Instant};

use bot_auth::CrawlerSigner;
use http::header::{ACCEPT_ENCODING, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use robots::{AiWebIndexAgent, HeaderFields};
use tokio::time::timeout;
use url::Url;

use crate::CrawlerError;
use crate::body::BodyReader;
use crate::fetch_error::{FetchError, FetchErrorKind as Kind};
use crate::limits::{BodyLimit, Limits};
use crate::resolver::PublicResolver;
use crate::{clock, signing};

/// A request to send.
#[derive(Debug, Clone)]
pub struct Request {
    /// GET or HEAD.
    pub method: Method,
    /// Where to.
    pub url: Url,
    /// What the step has to say. The identity is added unless it is there.
    pub headers: HeaderMap,
    /// How much of the body is taken.
    pub limit: BodyLimit,
    /// Whether the body is wanted, by the head. Only that of a success is ever read.
    pub wants: fn(&HeaderMap) -> bool,
}

impl Request {
    /// A plain GET.
    #[must_use]
    pub fn get(url: Url, limit: BodyLimit) -> Self {
        Request { method: Method::GET, url, headers: HeaderMap::new(), limit, wants: |_| true }
    }
}

/// A response that arrived in full, or up to the length that was wanted.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The URL that was asked for.
    pub url: Url,
    /// The status.
    pub status: StatusCode,
    /// The header fields.
    pub headers: HeaderMap,
    /// The body without its coding.
    pub body: Vec<u8>,
    /// Bytes of the body as they came.
    pub received: u64,
    /// How long it all took.
    pub took: Duration,
}

impl Exchange {
    /// A header field's value, where it is text.
    #[must_use]
    pub fn field(&self, name: impl http::header::AsHeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Names and values of all fields, as the crates `robots` and `signals` take them.
    #[must_use]
    pub fn fields(&self) -> HeaderFields<'_> {
        HeaderFields::of(&self.headers)
    }
}

/// The HTTP client.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    limits: Limits,
    identity: HeaderValue,
    signer: Option<CrawlerSigner>,
}

impl Client {
    /// A client that introduces itself as `agent`.
    ///
    /// # Errors
    /// [`CrawlerError::Client`] if the settings are refused.
    pub fn new(
        agent: &AiWebIndexAgent,
        tls: rustls::ClientConfig,
        resolver: PublicResolver,
        limits: Limits,
    ) -> Result<Self, CrawlerError> {
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(resolver)
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(limits.connect)
            .http1_max_headers(limits.head_fields)
            .pool_max_idle_per_host(1)
            .build()
            .map_err(|error| CrawlerError::Client(error.to_string()))?;
        let identity =
            HeaderValue::from_str(agent.as_str()).map_err(|e| CrawlerError::Client(e.to_string()))?;
        Ok(Client { http, limits, identity, signer: None })
    }

    /// The same client, signing each https request.
    #[must_use]
    pub fn signed_by(self, signer: Option<CrawlerSigner>) -> Self {
        Client { signer, ..self }
    }

    /// The limits of every request.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Sends the request and waits for the whole response.
    ///
    /// # Errors
    /// A [`FetchError`] if there is none within the limits.
    pub async fn send(&self, request: Request) -> Result<Exchange, FetchError> {
        let (exchange, body) = self.send_into(request, Vec::new()).await?;
        Ok(Exchange { body, ..exchange })
    }

    /// The same with the body in a sink, for one that need not fit into memory.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn send_into<W: Write>(&self, request: Request, sink: W) -> Result<(Exchange, W), FetchError> {
        #[expect(clippy::disallowed_methods, reason = "how long it took is a fact about the fetch")]
        let started = Instant::now();
        let total = self.limits.total;
        let exchange = timeout(total, self.exchange(request, sink, started)).await;
        exchange.unwrap_or_else(|_| {
            Err(FetchError::new(Kind::BodyTimeout, format!("expected the end within {total:?}, found none")))
        })
    }

    async fn exchange<W: Write>(
        &self,
        request: Request,
        sink: W,
        started: Instant,
    ) -> Result<(Exchange, W), FetchError> {
        let Request { method, url, mut headers, limit, wants } = request;
        headers.entry(USER_AGENT).or_insert_with(|| self.identity.clone());
        headers.entry(ACCEPT_ENCODING).or_insert(HeaderValue::from_static("gzip"));
        if let Some(signer) = self.signer.as_ref().filter(|_| url.scheme() == "https") {
            signing::sign(signer, method.as_str(), &url, &mut headers, clock::seconds())
                .map_err(|why| FetchError::new(Kind::NotSigned, why))?;
        }
        let head = self.http.request(method, url.clone()).headers(headers).send();
        let patience = self.limits.head;
        let Ok(head) = timeout(patience, head).await else {
            return Err(FetchError::new(
                Kind::HeadTimeout,
                format!("expected a whole head within {patience:?}, found none"),
            ));
        };
        let mut response = head.map_err(FetchError::of_reqwest)?;
        let (status, headers) = (response.status(), response.headers().clone());
        if !status.is_success() || !wants(&headers) {
            let (body, took) = (Vec::new(), started.elapsed());
            return Ok((Exchange { url, status, headers, body, received: 0, took }, sink));
        }
        let mut body = BodyReader::new(&headers, limit, sink)?;
        let patience = self.limits.idle;
        loop {
            let piece = timeout(patience, response.chunk()).await.map_err(|_| {
                FetchError::new(
                    Kind::BodyStalled,
                    format!("expected more within {patience:?}, found nothing"),
                )
            })?;
            match piece.map_err(FetchError::of_reqwest)? {
                Some(piece) if body.push(&piece)? => {}
                _ => break,
            }
        }
        let body = body.finish()?;
        let (received, took) = (body.received, started.elapsed());
        Ok((Exchange { url, status, headers, body: Vec::new(), received, took }, body.sink))
    }
}
