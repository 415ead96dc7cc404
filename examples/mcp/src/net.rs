//! Sends all requests; every check is made in one place.
//!
//! ```text
//! URL ─▶ scheme, host ─▶ robots.txt ─▶ pace ─▶ name to public address ─▶ server
//!                        of its site    of its host
//! ```
//!
//! `Errand::send` is the one function that sends. Redirects are followed by the callers, each with a call of its own.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use crawler::CrawlerError;
use crawler::client::{Client, Exchange, Request};
use crawler::fetch_error::{FetchError, FetchErrorKind};
use crawler::gate::{Gate, host_of};
use crawler::resolver::PublicResolver;
use crawler::tls;
use http::HeaderValue;
use http::header::USER_AGENT;
use robots::{AiWebIndexAgent, AiWebIndexVersion, CrawlDelay};
use tct::address::is_public_host;
use tokio::sync::mpsc::UnboundedSender;
use url::Url;

use crate::answers::Cost;
use crate::options::Options;
use crate::store::Store;
use crate::trouble::{Trouble, TroubleKind};

/// The name that robots.txt can speak to.
pub const PRODUCT: &str = "aiweb-mcp";

/// Requests under way at a time, all hosts together.
const PARALLEL: usize = 8;

/// Everything that calls share.
#[derive(Debug)]
pub struct Agent {
    /// What is held.
    pub store: Store,
    /// How to go about it.
    pub options: Options,
    /// For hosts of the public web.
    public: Gate,
    /// For hosts that the user has named: they are his, and wait for nothing but their Crawl-delay.
    named: Gate,
    user_agent: HeaderValue,
    locks: Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>,
}

/// One call: what it cost, and what happened.
#[derive(Debug)]
pub struct Errand<'a> {
    /// What all calls share.
    pub agent: &'a Agent,
    /// What was sent and received so far.
    pub cost: Cost,
    /// What happened, for people.
    pub steps: Vec<String>,
    progress: Option<UnboundedSender<String>>,
}

impl Agent {
    /// An agent with this store.
    ///
    /// # Errors
    /// If the settings are refused.
    pub fn new(store: Store, options: Options) -> Result<Self, Trouble> {
        let refused = |error: CrawlerError| {
            let why = error.one_line();
            Trouble::new(TroubleKind::Argument, "no request can be sent", why, "change the options")
        };
        let user_agent = format!("{PRODUCT}/{} (+{})", env!("CARGO_PKG_VERSION"), options.info_url);
        let user_agent = HeaderValue::try_from(user_agent)
            .map_err(|error| refused(CrawlerError::Client(error.to_string())))?;
        let gate = |pause: Duration| -> Result<Gate, CrawlerError> {
            let resolver = PublicResolver {
                trusted: options
                    .private
                    .iter()
                    .map(|host| host_alone(host).to_owned())
                    .collect::<BTreeSet<_>>(),
                known: options.resolve.clone(),
            };
            let config = tls::client_config(&options.certificates)?;
            // Each request carries a User-Agent of its own; the client asks for one all the same.
            let agent =
                AiWebIndexAgent::builder(AiWebIndexVersion::V1).info_url(&options.info_url).build()?;
            let client = Client::new(&agent, config, resolver, options.limits)?;
            Ok(Gate::new(client.signed_by(options.signer.clone()), pause, PARALLEL, options.max_wait))
        };
        let (public, named) = (gate(options.pause).map_err(refused)?, gate(Duration::ZERO).map_err(refused)?);
        Ok(Agent { store, options, public, named, user_agent, locks: Mutex::default() })
    }

    /// A call. Lines about what it waits for go to `progress`.
    #[must_use]
    pub fn errand(&self, progress: Option<UnboundedSender<String>>) -> Errand<'_> {
        Errand { agent: self, cost: Cost::default(), steps: Vec::new(), progress }
    }

    /// An http or https URL of the public web, or of a host that the user has named; without its fragment.
    ///
    /// # Errors
    /// `Argument` or `Address`.
    pub fn check(&self, url: &Url) -> Result<(), Trouble> {
        if !matches!(url.scheme(), "http" | "https") {
            let why = format!("its scheme is {}, and only http and https are read", url.scheme());
            return Err(Trouble::new(
                TroubleKind::Address,
                "the address is refused",
                why,
                "give an https address",
            ));
        }
        if !url.username().is_empty() || url.password().is_some() {
            let why = "it holds a user name or a password, which are never sent";
            return Err(Trouble::new(TroubleKind::Address, "the address is refused", why, "leave them out"));
        }
        if self.is_named(url) || url.host().is_some_and(is_public_host) {
            return Ok(());
        }
        let host = url.host_str().unwrap_or_default();
        let why = format!("{host} is on this machine or in a private network");
        let advice = format!("use a public address, or ask the user to start `aiweb mcp --private {host}`");
        Err(Trouble::new(TroubleKind::Address, "the address is refused", why, advice))
    }

    /// Whether the user has named the host of this URL as one that may be private, or its address.
    #[must_use]
    pub fn is_named(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else { return false };
        let with_port = format!("{host}:{}", url.port_or_known_default().unwrap_or_default());
        let is_private = |name: &String| name == host || *name == with_port;
        self.options.private.iter().any(is_private) || self.options.resolve.contains_key(host)
    }

    /// Whether the user has answered for the site of this URL.
    #[must_use]
    pub fn is_own_site(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let with_port = format!("{host}:{}", url.port_or_known_default().unwrap_or_default());
        self.options.own_sites.iter().any(|name| name == host || *name == with_port)
    }

    /// One at a time for each name: calls that want the same page or site share what the first one brings.
    pub(crate) async fn turn(&self, name: &str) -> tokio::sync::OwnedMutexGuard<()> {
        let lock = {
            let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
            let known = locks.get(name).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                locks.retain(|_, lock| lock.strong_count() > 0);
                let new = Arc::new(tokio::sync::Mutex::new(()));
                locks.insert(name.to_owned(), Arc::downgrade(&new));
                new
            })
        };
        lock.lock_owned().await
    }

    fn gate(&self, url: &Url) -> &Gate {
        if self.is_named(url) { &self.named } else { &self.public }
    }
}

impl Errand<'_> {
    /// Notes what happened, and tells a client that listens.
    pub fn step(&mut self, line: impl Into<String>) {
        let line = line.into();
        if let Some(progress) = &self.progress {
            // Nobody listens any more when the call has been cancelled.
            let _gone = progress.send(line.clone());
        }
        self.steps.push(line);
    }

    /// Keeps to the pause that a site's robots.txt asks for.
    pub(crate) fn set_crawl_delay(&self, url: &Url, delay: Option<CrawlDelay>) {
        // Where there is no room for one more host, the request itself says so.
        let _told = self.agent.gate(url).set_crawl_delay(&host_of(url), delay);
    }

    /// Sends a request when it is its turn. Whether robots.txt allows it was asked before; the address is checked here.
    ///
    /// # Errors
    /// If there is no response.
    pub(crate) async fn send(&mut self, mut request: Request) -> Result<Exchange, Trouble> {
        let gate = self.agent.gate(&request.url);
        request.url = gate.upgrade(request.url);
        self.agent.check(&request.url)?;
        request.headers.insert(USER_AGENT, self.agent.user_agent.clone());
        let url = request.url.clone();
        let wait = gate.ready_at(&host_of(&url)).saturating_sub(crawler::clock::now());
        if wait > Duration::from_secs(1) {
            let line = format!("waiting {} s for {}", wait.as_secs(), host_of(&url));
            self.step(line);
        }
        self.step(format!("{} {}", request.method, shown_url(&url)));
        self.cost.requests += 1;
        let answer = self.agent.gate(&url).send(request).await;
        match answer {
            Ok(exchange) => {
                self.cost.bytes += exchange.received;
                self.step(format!("  {}, {} bytes", exchange.status.as_u16(), exchange.received));
                Ok(exchange)
            }
            Err(error) => {
                self.step(format!("  {}: {error}", error.kind().code()));
                if error.kind() == FetchErrorKind::HostPaused {
                    // It was not sent.
                    self.cost.requests -= 1;
                }
                Err(trouble(&url, &error))
            }
        }
    }
}

/// A URL for a log or an error: without its query, where secrets are.
#[must_use]
pub fn shown_url(url: &Url) -> String {
    let mut shown = url.clone();
    let had_query = url.query().is_some();
    shown.set_query(None);
    shown.set_fragment(None);
    let text: String = shown.as_str().chars().take(160).collect();
    let is_cut = text.len() < shown.as_str().len();
    format!("{text}{}{}", if is_cut { "…" } else { "" }, if had_query { "?…" } else { "" })
}

fn host_alone(name: &str) -> &str {
    match name.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !host.ends_with(':') => host,
        _ => name,
    }
}

/// What a failed exchange means for a model.
fn trouble(url: &Url, error: &FetchError) -> Trouble {
    let what = format!("{} cannot be fetched", shown_url(url));
    let host = url.host_str().unwrap_or_default();
    let (kind, advice) = match error.kind() {
        FetchErrorKind::Connect if error.to_string().contains("public address") => (
            TroubleKind::Address,
            format!("use another site, or ask the user to start `aiweb mcp --private {host}`"),
        ),
        FetchErrorKind::HostPaused => {
            (TroubleKind::Busy, "come back later, or read another site meanwhile".to_owned())
        }
        FetchErrorKind::Connect => {
            (TroubleKind::Network, "check the host's name, or try once more later".to_owned())
        }
        FetchErrorKind::Tls => (
            TroubleKind::Network,
            "do not go on with this site unless the user knows its certificate".to_owned(),
        ),
        FetchErrorKind::BodyTooLarge | FetchErrorKind::HeadTooLarge => {
            (TroubleKind::Unsupported, "look for a smaller page on the same subject".to_owned())
        }
        FetchErrorKind::CodingBroken | FetchErrorKind::CodingUnknown | FetchErrorKind::NotHttp => {
            (TroubleKind::Network, "the server is broken: read another site".to_owned())
        }
        _ => (TroubleKind::Network, "try once more, and another site after that".to_owned()),
    };
    let why = match error.kind() {
        // What a server wrote into a field is in the detail.
        FetchErrorKind::CodingUnknown | FetchErrorKind::NotHttp => {
            "the server does not speak HTTP as asked".to_owned()
        }
        _ => error.to_string(),
    };
    Trouble::new(kind, what, format!("{}: {why}", error.kind().code()), advice)
}
