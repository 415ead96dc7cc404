//! Sends requests one after the other, with pauses and limits: time, redirects, bytes as received and decoded.
//!
//! ```text
//! URL ─▶ robots.txt of its host ─▶ pause of its host ─▶ answer ─▶ a redirect? the same for its target
//! ```
//!
//! Every request, each step of a redirect included, is asked about at the robots.txt of the host that gets it, which is read
//! once, and keeps to that host's Crawl-delay. No answer makes the audit wait longer than `max_wait` for a request.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, DATE, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LOCATION, RETRY_AFTER,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use reqwest::redirect::Policy;
use robots::{
    Access, AiWebIndexAgent, CrawlDelay, HeaderFields, Pacer, PacingOptions, RetryAfter, Robots, UnixSeconds,
};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use site::publisher::Coding;
use tct::address::is_public_host;
use tokio::sync::Mutex;
use url::Url;

use crate::AuditError;
use crate::stored::{Stored, validators};

/// No body may be larger than this, on the wire or decoded.
pub const MAX_BODY_BYTES: usize = 16 << 20;
const MAX_REDIRECTS: usize = 5;
const TIMEOUT: Duration = Duration::from_secs(20);
/// The longest wait for a host before one request, unless the caller names another.
pub const MAX_WAIT: Duration = Duration::from_secs(60);

/// Additional certificates and addresses, pacing, stored responses, and the progress observer.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// Certificates to trust beside the public authorities, in PEM form.
    pub trusted_pem: Vec<String>,
    /// Hosts that are found at these addresses.
    pub resolve: HashMap<String, SocketAddr>,
    /// How fast requests may follow each other.
    pub pacing: PacingOptions,
    /// The longest wait for a host before one request. Where it asks for more, by Retry-After or Crawl-delay, the request is
    /// not sent and counts as unanswered.
    pub max_wait: Duration,
    /// A folder with the responses of earlier audits: their validators are sent with requests.
    pub stored: Option<PathBuf>,
    /// Gets the progress.
    pub observe: Option<Observer>,
}

impl Default for ClientOptions {
    /// The public authorities and addresses, two seconds between requests, [`MAX_WAIT`], and nothing stored.
    fn default() -> Self {
        ClientOptions {
            trusted_pem: Vec::new(),
            resolve: HashMap::new(),
            pacing: PacingOptions::default(),
            max_wait: MAX_WAIT,
            stored: None,
            observe: None,
        }
    }
}

/// The progress of an audit. The number of requests to come grows during the audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Requests that were answered, or failed.
    pub answered: usize,
    /// Those and the ones still to be sent, as far as known.
    pub expected: usize,
    /// Responses with status 304: the stored response is still current.
    pub unchanged: usize,
}

/// A function that gets the progress of an audit.
#[derive(Clone)]
pub struct Observer(Arc<dyn Fn(Progress) + Send + Sync>);

impl Observer {
    /// One that calls this function after every response.
    pub fn new(tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Observer(Arc::new(tell))
    }
}

impl std::fmt::Debug for Observer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Observer")
    }
}

/// A client of the audit.
#[derive(Debug, Clone)]
pub struct Client {
    /// It follows no redirect.
    http: reqwest::Client,
    agent: AiWebIndexAgent,
    /// By origin.
    rules: Arc<Mutex<HashMap<String, Arc<Rules>>>>,
    pacer: Arc<Mutex<Pacer>>,
    max_wait: Duration,
    stored: Option<Arc<std::sync::Mutex<Stored>>>,
    progress: Arc<std::sync::Mutex<Progress>>,
    observe: Option<Observer>,
}

/// What the robots.txt of an origin says.
#[derive(Debug)]
pub struct Rules {
    /// What may be fetched by the outcome of its fetch.
    access: Access,
    /// The rules, none where there is no file.
    pub robots: Robots<'static>,
    /// The answer that they came with.
    pub answer: Option<Answer>,
}

impl Rules {
    fn of(answer: Option<Answer>) -> Self {
        let status = answer.as_ref().map_or(0, |answer| answer.status.as_u16());
        let access = Access::from_status(status, Duration::ZERO);
        let answer = answer.filter(|_| access == Access::Rules);
        let text = answer.as_ref().map(|answer| &answer.body[..]).unwrap_or_default();
        Rules { access, robots: Robots::parse(text).into_owned(), answer }
    }
}

/// A response that arrived in full.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The URL that answered, after redirects.
    pub url: Url,
    /// The status.
    pub status: StatusCode,
    /// The header fields.
    pub headers: HeaderMap,
    /// The body without content coding.
    pub body: Bytes,
    /// Bytes of the body as it came.
    pub received: u64,
}

impl Answer {
    /// The value of a field, if it is text.
    #[must_use]
    pub fn field(&self, name: http::HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The same as a value of the crate `http`, as the libraries take it.
    #[must_use]
    pub fn to_response(&self) -> http::Response<Bytes> {
        let mut response = http::Response::new(self.body.clone());
        *response.status_mut() = self.status;
        response.headers_mut().clone_from(&self.headers);
        response
    }

    /// The header fields as text, as the crates `robots` and `signals` take them.
    #[must_use]
    pub fn fields(&self) -> HeaderFields<'_> {
        HeaderFields::of(&self.headers)
    }

    /// The media type with its parameters.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.field(CONTENT_TYPE)
    }
}

impl Client {
    /// A client with the audit's `User-Agent`.
    ///
    /// # Errors
    /// [`AuditError::Tls`] if a certificate cannot be read.
    pub fn new(options: &ClientOptions, agent: &AiWebIndexAgent) -> Result<Self, AuditError> {
        let tls = |error: &dyn std::fmt::Display| AuditError::Tls(error.to_string());
        let mut roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        for pem in &options.trusted_pem {
            for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
                roots.add(certificate.map_err(|error| tls(&error))?).map_err(|error| tls(&error))?;
            }
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| tls(&error))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(config)
            .user_agent(agent.as_str())
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(TIMEOUT)
            .timeout(TIMEOUT);
        for (host, address) in &options.resolve {
            builder = builder.resolve(host, *address);
        }
        let stored =
            options.stored.as_deref().map(|folder| {
                let opened = Stored::open(folder);
                opened
                    .map(|stored| Arc::new(std::sync::Mutex::new(stored)))
                    .map_err(|source| AuditError::File { action: "use", path: folder.to_owned(), source })
            });
        let stored = stored.transpose()?;
        Ok(Client {
            http: builder.build().map_err(|error| tls(&error))?,
            agent: agent.clone(),
            rules: Arc::default(),
            pacer: Arc::new(Mutex::new(Pacer::new(options.pacing))),
            max_wait: options.max_wait,
            stored,
            progress: Arc::default(),
            observe: options.observe.clone(),
        })
    }

    /// GET in gzip or br, redirects followed.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn get(&self, url: &Url) -> Result<Answer, AuditError> {
        self.send(Method::GET, url, HeaderMap::new(), "gzip, br").await
    }

    /// A request with these fields, in the content codings of `accept`; redirects are followed.
    ///
    /// # Errors
    /// [`AuditError::Closed`] if the robots.txt of a host on the way does not allow it, [`AuditError::Fetch`] if there is no
    /// whole response, or it is past a limit.
    pub async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: HeaderMap,
        accept: &'static str,
    ) -> Result<Answer, AuditError> {
        let mut at = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            self.may_fetch(&at).await?;
            let request = self.http.request(method.clone(), at.clone()).headers(headers.clone());
            let request = request.header(ACCEPT_ENCODING, HeaderValue::from_static(accept));
            let answer = self.exchange(&at, request).await?;
            match target_of(&at, &answer)? {
                Some(target) => at = target,
                None => return Ok(answer),
            }
        }
        Err(too_many_redirects(url))
    }

    /// A request as it is: for checks that follow redirects themselves.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn send_direct(&self, request: http::Request<()>) -> Result<Answer, AuditError> {
        let (head, ()) = request.into_parts();
        let url: Url = head.uri.to_string().parse().map_err(|error: url::ParseError| AuditError::Fetch {
            url: head.uri.to_string(),
            source: error.into(),
        })?;
        self.may_fetch(&url).await?;
        let request = self.http.request(head.method, url.clone()).headers(head.headers);
        self.exchange(&url, request).await
    }

    /// Asks the robots.txt of the URL's host; that file itself may always be fetched.
    ///
    /// # Errors
    /// [`AuditError::Closed`], and [`AuditError::Fetch`] if there is no answer to the request for robots.txt.
    pub async fn may_fetch(&self, url: &Url) -> Result<(), AuditError> {
        if url.path() == "/robots.txt" {
            return Ok(());
        }
        let rules = self.rules_of(url).await?;
        let closed = |why| Err(AuditError::Closed { url: url.to_string(), why });
        match rules.access {
            Access::Rules if rules.robots.decide(&self.agent, url).is_disallowed() => {
                closed("robots.txt disallows it")
            }
            Access::Rules | Access::AllowAll => Ok(()),
            _ => closed("robots.txt cannot be reached"),
        }
    }

    /// The rules of the URL's origin, fetched the first time.
    ///
    /// # Errors
    /// [`AuditError::Fetch`] the first time that there is no answer.
    pub async fn rules_of(&self, url: &Url) -> Result<Arc<Rules>, AuditError> {
        let origin = url.origin().ascii_serialization();
        // Held until the answer is there: nothing is fetched beside it.
        let mut known = self.rules.lock().await;
        if let Some(rules) = known.get(&origin) {
            return Ok(Arc::clone(rules));
        }
        let answer = self.fetch_robots(url).await;
        let (answer, failed) = match answer {
            Ok(answer) => (Some(answer), None),
            Err(error) => (None, Some(error)),
        };
        let rules = Arc::new(Rules::of(answer));
        known.insert(origin, Arc::clone(&rules));
        if let Some(error) = failed {
            return Err(error);
        }
        // Two origins of one host share its pace: what one of them asks for, the other does not take back.
        if let Some(delay) = rules.robots.crawl_delay(&self.agent) {
            self.set_crawl_delay(url, delay).await;
        }
        Ok(rules)
    }

    /// The answer for robots.txt. Its redirects are followed without asking further rules, as RFC 9309 has it.
    async fn fetch_robots(&self, url: &Url) -> Result<Answer, AuditError> {
        let mut at = url.join("/robots.txt").map_err(|error| AuditError::Argument(error.to_string()))?;
        for _ in 0..=MAX_REDIRECTS {
            let request = self.http.get(at.clone()).header(ACCEPT_ENCODING, "gzip, br");
            let answer = self.exchange(&at, request).await?;
            match target_of(&at, &answer)? {
                Some(target) => at = target,
                None => return Ok(answer),
            }
        }
        Err(too_many_redirects(url))
    }

    /// Keeps the distance that the site's robots.txt asks for, if that is more than the usual one.
    async fn set_crawl_delay(&self, url: &Url, delay: CrawlDelay) {
        let host = url.host_str().unwrap_or_default();
        let _outcome = self.pacer.lock().await.set_crawl_delay(host, Some(delay));
    }

    /// Announces this many further requests.
    pub fn expect(&self, requests: usize) {
        let mut progress = lock(&self.progress);
        progress.expected = progress.expected.max(progress.answered + requests);
    }

    /// How far the audit is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        *lock(&self.progress)
    }

    fn note(&self, is_unchanged: bool) {
        let progress = {
            let mut progress = lock(&self.progress);
            progress.answered += 1;
            progress.expected = progress.expected.max(progress.answered);
            progress.unchanged += usize::from(is_unchanged);
            *progress
        };
        if let Some(Observer(tell)) = &self.observe {
            tell(progress);
        }
    }

    /// Asks, with the validators of an earlier run where there are some: a 304 is the answer of that run.
    async fn exchange(&self, url: &Url, request: reqwest::RequestBuilder) -> Result<Answer, AuditError> {
        let key = self.stored.is_some().then(|| key_of(&request)).flatten();
        let (Some(stored), Some(key)) = (&self.stored, key) else {
            let answer = self.paced(url, request).await;
            self.note(false);
            return answer;
        };
        let held = lock(stored).take(&key);
        let fields = held.as_ref().map(validators).unwrap_or_default();
        let answer = self.paced(url, request.headers(fields)).await;
        let answer = match (answer, held) {
            (Ok(answer), Some(held)) if answer.status == StatusCode::NOT_MODIFIED => {
                self.note(true);
                return Ok(held);
            }
            (answer, _) => answer,
        };
        self.note(false);
        if let Ok(answer) = &answer {
            lock(stored).keep(&key, answer);
        }
        answer
    }

    /// Waits until the host may be requested, sends the request, and records time and outcome for the pacing. A wait that
    /// would be too long is not begun: the request fails at once.
    async fn paced(&self, url: &Url, request: reqwest::RequestBuilder) -> Result<Answer, AuditError> {
        let host = url.host_str().unwrap_or_default();
        // Held until the answer is there: one request at a time.
        let mut pacer = self.pacer.lock().await;
        loop {
            let now = now();
            let ready_at = pacer.ready_at(host, now);
            let wait = ready_at.saturating_sub(now);
            if wait.is_zero() {
                break;
            }
            if wait > self.max_wait {
                let (wait, most) = (wait.as_secs(), self.max_wait.as_secs());
                let why = format!("{host} asks for a pause of {wait} s, and {most} s is the longest wait");
                return Err(AuditError::Fetch { url: url.to_string(), source: why.into() });
            }
            tokio::time::sleep(wait).await;
        }
        let answer = self.receive(url, request).await;
        let told = match &answer {
            Ok(answer) => {
                let fields =
                    answer.headers.get_all(RETRY_AFTER).iter().filter_map(|value| value.to_str().ok());
                let pause = RetryAfter::parse(fields, answer.field(DATE), UnixSeconds(now().as_secs()));
                pacer.on_response(host, answer.status.as_u16(), pause, now())
            }
            Err(_) => pacer.on_fetch(host, now()),
        };
        told.map_err(|error| AuditError::Fetch { url: url.to_string(), source: error.into() })?;
        answer
    }

    async fn receive(&self, url: &Url, request: reqwest::RequestBuilder) -> Result<Answer, AuditError> {
        let failed = |source| AuditError::Fetch { url: url.to_string(), source };
        let mut response = request.send().await.map_err(|error| failed(error.without_url().into()))?;
        let mut coded = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| failed(error.without_url().into()))? {
            if coded.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(failed(format!("expected at most {MAX_BODY_BYTES} bytes, found more").into()));
            }
            coded.extend_from_slice(&chunk);
        }
        let received = coded.len() as u64;
        let name = response.headers().get(CONTENT_ENCODING).and_then(|name| name.to_str().ok());
        // The head of an answer without a body still names the coding that the body would have.
        let coding = match name.filter(|_| received > 0) {
            None => Coding::Identity,
            Some(name) => Coding::of_name(name).ok_or_else(|| {
                failed(format!("expected gzip or br as content coding, found {name}").into())
            })?,
        };
        let body = coding.decode(coded.into(), MAX_BODY_BYTES).map_err(|error| failed(error.into()))?;
        Ok(Answer {
            url: response.url().clone(),
            status: response.status(),
            headers: response.headers().clone(),
            body,
            received,
        })
    }
}

/// Where an answer leads; `None` where it is the last one.
fn target_of(at: &Url, answer: &Answer) -> Result<Option<Url>, AuditError> {
    if !matches!(answer.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let target = answer.field(LOCATION).and_then(|target| at.join(target).ok());
    let Some(target) = target.filter(|target| matches!(target.scheme(), "http" | "https")) else {
        return Ok(None);
    };
    // A site of the public web says nothing about this machine and its network.
    let is_public = |url: &Url| url.host().is_some_and(is_public_host);
    if is_public(at) && !is_public(&target) {
        let why =
            format!("it redirects to {}, which is not a public host", target.host_str().unwrap_or_default());
        return Err(AuditError::Fetch { url: at.to_string(), source: why.into() });
    }
    Ok(Some(target))
}

fn too_many_redirects(url: &Url) -> AuditError {
    let why = format!("expected at most {MAX_REDIRECTS} redirects, found more");
    AuditError::Fetch { url: url.to_string(), source: why.into() }
}

/// What tells a GET from others; `None` for what is not asked with validators: another method, or a condition of its own.
fn key_of(request: &reqwest::RequestBuilder) -> Option<String> {
    let request = request.try_clone()?.build().ok()?;
    let field = |name| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if request.method() != Method::GET
        || !field(IF_NONE_MATCH).is_empty()
        || !field(IF_MODIFIED_SINCE).is_empty()
    {
        return None;
    }
    Some(format!("GET {}\n{}\n{}", request.url(), field(ACCEPT), field(ACCEPT_ENCODING)))
}

fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The time since 1970.
fn now() -> Duration {
    let millis = u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default();
    Duration::from_millis(millis)
}
