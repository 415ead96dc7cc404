//! Who may come in: paths that want a signature of Web Bot Auth, and the agents whose signatures count.
//!
//! ```text
//! request ──▶ is the path one of [signatures] require? ──no──▶ the site
//!                          │ yes
//!                          ▼
//!            no signature ─▶ 403, with Accept-Signature      wrong, late, replayed ─▶ 401, with the reason
//!            an agent that is not listed ─▶ 403              verified ─▶ the site
//! ```
//!
//! Each of these requests is a line on standard error. The keys of an agent are fetched from its own directory, which the
//! settings name: a stranger's request never makes this server fetch anything. A signature that covers the host alone
//! would fit every request to it, so method and target must be covered too.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use bot_auth::{
    CacheAction, Coverage, DIRECTORY_PATH, Directory, Fetched, Identity, KeyCache, MAX_DIRECTORY_BYTES,
    Message, Policy, Profile, Reason, Replay, ReplayWindow, RequestCheck, accept_signature, identify,
};
use http::header::WWW_AUTHENTICATE;
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use url::Url;
use web_values::UnixSeconds;

use crate::SiteError;
use crate::settings::SignatureSettings;

/// A directory that takes longer than this counts as one that cannot be had.
const FETCH_TIME: Duration = Duration::from_secs(10);
/// So many signatures are remembered until they expire; beyond that, new ones are refused.
const MAX_NONCES: usize = 100_000;

/// What is asked of requests.
#[derive(Debug)]
pub struct Gate {
    origin: String,
    require: Vec<String>,
    /// By the URL of the agent's directory.
    agents: BTreeMap<String, tokio::sync::Mutex<Keys>>,
    seen: Mutex<ReplayWindow>,
    client: reqwest::Client,
}

/// An agent's keys, as they were last fetched.
#[derive(Debug, Default)]
struct Keys {
    times: KeyCache,
    directory: Option<Arc<Directory>>,
}

/// What the gate says to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    Enter(String),
    Refuse(StatusCode, String),
}

impl Gate {
    /// The gate of these settings; `trusted_pem` are certificates to trust beside the public authorities, `resolve` hosts
    /// that are found at these addresses.
    ///
    /// # Errors
    /// [`SiteError::Refused`] for an agent that is not an https URL, [`SiteError::Tls`] for a certificate.
    pub fn new(
        settings: &SignatureSettings,
        origin: &Url,
        trusted_pem: &str,
        resolve: &[(String, SocketAddr)],
    ) -> Result<Self, SiteError> {
        let mut agents = BTreeMap::new();
        for agent in &settings.agents {
            let refused = |why: String| SiteError::refused(format!("[signatures] agent {agent}"), why);
            let url = Url::parse(agent).map_err(|error| refused(error.to_string()))?;
            if url.scheme() != "https" {
                return Err(refused("expected https".to_owned()));
            }
            // An origin stands for its directory at the well-known place.
            let url = match url.path() {
                "/" => url.join(DIRECTORY_PATH).map_err(|error| refused(error.to_string()))?,
                _ => url,
            };
            agents.insert(url.into(), tokio::sync::Mutex::new(Keys::default()));
        }
        Ok(Gate {
            origin: origin.as_str().trim_end_matches('/').to_owned(),
            require: settings.require.clone(),
            agents,
            seen: Mutex::new(ReplayWindow::new(MAX_NONCES)),
            client: client(trusted_pem, resolve)?,
        })
    }

    /// Whether this path wants a signature. Paths are compared percent-decoded, as the site compares them.
    fn wants_signature(&self, path: &str) -> bool {
        let path: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
        self.require.iter().any(|prefix| path.starts_with(prefix.as_bytes()))
    }

    async fn judge(&self, head: &Parts, now: UnixSeconds) -> Answer {
        let target = head.uri.path_and_query().map_or("/", |target| target.as_str());
        let url = format!("{}{target}", self.origin);
        let fields: Vec<(&str, &[u8])> =
            head.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let Ok(message) = Message::request(head.method.as_str(), &url) else {
            return Answer::Refuse(StatusCode::BAD_REQUEST, "expected another URL".to_owned());
        };
        let message = message.headers(fields);
        let policy = Policy { requires_nonce: true, ..Policy::default() };
        let mut identity = self.identify(&message, &policy, now).await;
        if let Identity::Verified { coverage, .. } = &identity
            && *coverage == Coverage::Request
            && self.is_replayed(&message, &policy, now)
        {
            identity = Identity::Unverified(Reason::Replayed);
        }
        match identity {
            Identity::Anonymous => Answer::Refuse(
                StatusCode::FORBIDDEN,
                "expected a signature of Web Bot Auth, found none".to_owned(),
            ),
            Identity::Unverified(Reason::DirectoryFailed) => {
                let check = RequestCheck::new(&message, &policy, now);
                match check.requests().iter().find(|url| !self.agents.contains_key(*url)) {
                    Some(url) => Answer::Refuse(
                        StatusCode::FORBIDDEN,
                        format!("expected an agent that is known here, found {url}"),
                    ),
                    None => Answer::Refuse(StatusCode::UNAUTHORIZED, Reason::DirectoryFailed.to_string()),
                }
            }
            Identity::Unverified(reason) => Answer::Refuse(StatusCode::UNAUTHORIZED, reason.to_string()),
            Identity::Verified { coverage: Coverage::Request, agent, key } => {
                Answer::Enter(format!("{agent} by key {key}"))
            }
            Identity::Verified { coverage, .. } => {
                let why = format!("expected method and target to be covered, found {coverage}");
                Answer::Refuse(StatusCode::UNAUTHORIZED, why)
            }
        }
    }

    /// Who sent the request, by the keys that are held; they are fetched first, or once more, where that may help.
    async fn identify(&self, message: &Message<'_>, policy: &Policy, now: UnixSeconds) -> Identity {
        let mut held: BTreeMap<String, Arc<Directory>> = BTreeMap::new();
        for is_last in [false, true] {
            let asked = RefCell::new(Vec::new());
            let directory = |url: &str| {
                asked.borrow_mut().push(url.to_owned());
                held.get(url).map(Arc::as_ref)
            };
            let (identity, _) = identify(message, directory, policy, now);
            let asked = asked.into_inner();
            if is_last || asked.is_empty() {
                return identity;
            }
            for url in asked {
                if let Some(keys) = self.keys(&url, message, policy, now).await {
                    held.insert(url, keys);
                }
            }
        }
        Identity::Anonymous
    }

    /// The directory of a listed agent: the one that is held, or a new one where it is old or lacks the key.
    async fn keys(
        &self,
        url: &str,
        message: &Message<'_>,
        policy: &Policy,
        now: UnixSeconds,
    ) -> Option<Arc<Directory>> {
        let mut keys = self.agents.get(url)?.lock().await;
        let is_known = keys.directory.as_deref().is_some_and(|directory| {
            let (identity, _) = identify(message, |asked| (asked == url).then_some(directory), policy, now);
            identity != Identity::Unverified(Reason::KeyUnknown)
        });
        if keys.times.ask(is_known, now).1 == CacheAction::Fetch {
            match self.fetch(url, &mut keys.times, now).await {
                Some(directory) => keys.directory = Some(Arc::new(directory)),
                None => log(&format!("cannot fetch {url}")),
            }
        }
        keys.directory.clone()
    }

    async fn fetch(&self, url: &str, times: &mut KeyCache, now: UnixSeconds) -> Option<Directory> {
        let fetched = async {
            let mut response = self.client.get(url).send().await.ok()?;
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await.ok()? {
                body.extend_from_slice(&chunk);
                if body.len() > MAX_DIRECTORY_BYTES {
                    break;
                }
            }
            Some((response, body))
        };
        let Some((response, body)) = fetched.await else {
            times.on_failure(now);
            return None;
        };
        let fields: Vec<(&str, &[u8])> =
            response.headers().iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let status = response.status().as_u16();
        let came_from = response.url().as_str();
        let fetched = Fetched { url: came_from, status, headers: &fields, body: &body };
        let directory = Directory::read(url, &fetched, Profile::Deployed, now).ok();
        match directory {
            Some(_) => times.on_response(status, &fields, now),
            None => times.on_failure(now),
        }
        directory
    }

    /// Whether the signature was used before. The policy wants a nonce in each.
    fn is_replayed(&self, message: &Message<'_>, policy: &Policy, now: UnixSeconds) -> bool {
        let check = RequestCheck::new(message, policy, now);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        check.results().any(|result| match (&result.nonce, &result.keyid, result.expires) {
            (Some(nonce), Some(keyid), Some(expires)) => {
                seen.admit(keyid, nonce, expires, now) != Replay::Fresh
            }
            _ => false,
        })
    }
}

/// Judges a request before the site answers it.
pub(crate) async fn check(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    if !gate.wants_signature(request.uri().path()) {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let now = UnixSeconds(crate::now().0);
    let answer = gate.judge(&head, now).await;
    let what = format!("{} {}", head.method, head.uri.path());
    match answer {
        Answer::Enter(who) => {
            log(&format!("{what}: verified {who}"));
            next.run(Request::from_parts(head, body)).await
        }
        Answer::Refuse(status, why) => {
            log(&format!("{what}: refused with {}: {why}", status.as_u16()));
            refusal(status, &why)
        }
    }
}

fn refusal(status: StatusCode, why: &str) -> Response {
    let mut response = Response::new(Body::from(format!("{status}\n{why}\n")));
    *response.status_mut() = status;
    let fields = response.headers_mut();
    if status == StatusCode::UNAUTHORIZED {
        fields.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Signature realm=\"crawlers\""));
    }
    let wanted = ["\"@authority\"", "\"@method\"", "\"@path\"", "\"@query\""];
    if let Ok(wanted) = accept_signature("sig1", &wanted)
        && let Ok(wanted) = HeaderValue::try_from(wanted)
    {
        fields.insert(HeaderName::from_static("accept-signature"), wanted);
    }
    response
}

fn log(line: &str) {
    // Nobody is left to tell if standard error is closed.
    let _closed = writeln!(std::io::stderr(), "signature: {line}");
}

fn client(trusted_pem: &str, resolve: &[(String, SocketAddr)]) -> Result<reqwest::Client, SiteError> {
    let tls = |error: &dyn std::fmt::Display| SiteError::Tls(error.to_string());
    let mut roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for certificate in CertificateDer::pem_slice_iter(trusted_pem.as_bytes()) {
        roots.add(certificate.map_err(|error| tls(&error))?).map_err(|error| tls(&error))?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| tls(&error))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    // A followed redirect would let an agent's directory come from elsewhere.
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(config)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .timeout(FETCH_TIME);
    let client = resolve.iter().fold(client, |client, (host, address)| client.resolve(host, *address));
    client.build().map_err(|error| tls(&error))
}
