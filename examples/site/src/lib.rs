//! A publisher with TCT, llmindex and AIWebIndex for one folder of HTML or Markdown.
//!
//! ```text
//!  *.html, *.md ──┐                             ┌─ page, twin, sitemaps, policy      TCT
//!  site.toml ─────┼─▶ Snapshot ─▶ Publisher ─▶ ─┼─ manifest, feed, four pages        llmindex
//!  signing key ───┘                             └─ robots.txt, proofs                AIWebIndex
//! ```
//!
//! The libraries apply the protocols; the modules here read files and answer requests:
//!
//! | module | its task |
//! |---|---|
//! | [`files`] | the pages: in the binary, or in a folder |
//! | [`folder`] | what of a folder may be given out at all |
//! | [`settings`] | `site.toml` |
//! | [`html`], [`markdown`] | title and text of a page, and the link in its head |
//! | [`documents`] | everything beside the pages; [`manifest`] has those of llmindex |
//! | [`bots`] | what the home of a crawler publishes: keys, card, addresses |
//! | [`gate`] | who may come in: paths that want a signature |
//! | [`publisher`] | who answers for a path, in which content coding |
//! | `live` | the same with pages that are read at each request, behind the layer of `tct-tower` |
//! | [`server`], [`tls`] | sockets and certificate |
//!
//! [`start`] joins them: a test or another program has a whole site in one line. [`prepare`] stops before the site answers,
//! for those who put a service of their own around it: the package `test-sites` spoils sites that way.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jwk::SigningKey;
use tct::UnixSeconds;
use url::Url;

pub mod bots;
pub mod cli;
pub mod documents;
mod error;
pub mod files;
pub mod folder;
pub mod gate;
pub mod html;
mod live;
pub mod manifest;
pub mod markdown;
mod paths;
pub mod publisher;
pub mod server;
pub mod settings;
pub mod tls;

pub use error::{SiteError, one_line};

use axum::Router;
use axum::body::Bytes;
use bots::Bot;
use files::Site;
pub use manifest::LlmindexVersion;
pub use publisher::Revisions;
use publisher::{Plan, Publisher};
use server::{Answers, Limits, Listener, Server};
use settings::Settings;
use tls::Certificate;

/// What is published, and where. The default: the embedded site over TLS, on a free port of 127.0.0.1.
#[derive(Debug, Clone)]
pub struct Options {
    /// Address and port to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The host in the site's URLs. An address proves no ownership: with one, there are no proof files.
    pub host: String,
    /// Where the site's URLs begin, if not at `host` and the port: the address of a proxy in front.
    pub origin: Option<Url>,
    /// A folder of pages, perhaps with a `site.toml`; `None` for the embedded site.
    pub folder: Option<PathBuf>,
    /// Settings in place of the folder's own.
    pub settings: Option<PathBuf>,
    /// The private JWK that signs the manifest; without one, a key is made for this run.
    pub key: Option<PathBuf>,
    /// Whether the manifest is signed.
    pub sign: bool,
    /// Whether to speak TLS.
    pub tls: bool,
    /// Certificate chain and private key in PEM files; without them, a certificate is made for this run.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// The sitemap is split after so many items.
    pub items_per_sitemap: usize,
    /// The private JWK of the crawler that the settings describe; without one, nothing is published of it.
    pub bot_key: Option<PathBuf>,
    /// The key that follows it, from the moment that `[bot]` names.
    pub next_bot_key: Option<PathBuf>,
    /// Certificates to trust beside the public authorities when keys of crawlers are fetched, in a PEM file.
    pub trust: Option<PathBuf>,
    /// Hosts that are found at these addresses when keys of crawlers are fetched.
    pub resolve: Vec<(String, SocketAddr)>,
    /// Which drafts of TCT are published.
    pub tct: Revisions,
    /// Which version of llmindex is published.
    pub llmindex: LlmindexVersion,
    /// Whether pages are read at each request, so that edits show at once, and their twins are made by `tct-tower`'s layer.
    pub live: bool,
    /// What a client may cost, in place of `[server]` in the settings.
    pub limits: Option<Limits>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            host: Ipv4Addr::LOCALHOST.to_string(),
            origin: None,
            folder: None,
            settings: None,
            key: None,
            sign: true,
            tls: true,
            certificate: None,
            items_per_sitemap: 50_000,
            bot_key: None,
            next_bot_key: None,
            trust: None,
            resolve: Vec::new(),
            tct: Revisions::default(),
            llmindex: LlmindexVersion::default(),
            live: false,
            limits: None,
        }
    }
}

/// Reads the site, takes the port and starts to answer.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), site::SiteError> {
/// let site = site::start(site::Options::default()).await?;
/// assert!(site.url().as_str().starts_with("https://127.0.0.1:"));
/// assert!(site.certificate_pem().is_some_and(|pem| pem.starts_with("-----BEGIN CERTIFICATE-----")));
/// site.stop().await
/// # }
/// ```
///
/// # Errors
/// If the folder, a file, the port or a setting cannot be used.
pub async fn start(options: Options) -> Result<Running, SiteError> {
    let prepared = prepare(options).await?;
    match prepared.beside.clone() {
        // Without anything beside the pages there is nothing to route.
        None => {
            let service = prepared.publisher.service();
            prepared.serve_with(service)
        }
        Some(router) => prepared.serve(router),
    }
}

/// Reads the site and takes the port; no request is answered yet.
///
/// # Errors
/// Those of [`start`].
pub async fn prepare(options: Options) -> Result<Prepared, SiteError> {
    let mut site = match &options.folder {
        Some(folder) => Site::folder(folder)?,
        None => Site::embedded()?,
    };
    if let Some(path) = &options.settings {
        site.settings = Settings::parse(&read(path)?, path)?;
    }
    let certificate = match &options.certificate {
        _ if !options.tls => None,
        Some((chain, key)) => Some(Certificate::from_pem(read(chain)?, read(key)?)?),
        None => Some(Certificate::generate(&options.host)?),
    };
    let limits = options.limits.clone().unwrap_or_else(|| site.settings.server.clone());
    let listener = Listener::bind(options.listen).await?.with_limits(limits);
    let origin = match &options.origin {
        // URLs are made of its scheme, host and port: what else it says would be lost.
        Some(origin)
            if Url::parse(&format!("{}/", origin.origin().ascii_serialization())).ok().as_ref()
                != Some(origin) =>
        {
            return Err(SiteError::refused(
                origin.as_str(),
                "expected an origin such as https://quay.example/",
            ));
        }
        Some(origin) => origin.clone(),
        None => origin_of(options.tls, &options.host, listener.address.port())?,
    };
    let key = match &options.key {
        _ if !options.sign => None,
        Some(path) => Some(read_key(path)?),
        None => Some(generate_key(&origin)?),
    };
    let bot = match (&site.settings.bot, &options.bot_key) {
        (Some(settings), Some(path)) => {
            let next = options.next_bot_key.as_deref().map(read_key).transpose()?;
            Some(Bot::new(settings, read_key(path)?, next, &origin)?)
        }
        (None, Some(path)) => {
            let why = "expected [bot] in the settings, found a key alone";
            return Err(SiteError::refused(path.display().to_string(), why));
        }
        (Some(_), None) => {
            let why = "expected --bot-key, found no key, so nothing of the crawler is published".to_owned();
            site.passed_over.push(files::PassedOver { what: "[bot]".to_owned(), why });
            None
        }
        (None, None) => None,
    };
    let (signatures, trust) = (site.settings.signatures.clone(), options.trust.as_deref());
    let trusted = trust.map(read).transpose()?.unwrap_or_default();
    let items_per_sitemap = options.items_per_sitemap;
    let (revisions, llmindex) = (options.tct, options.llmindex);
    let plan = Plan { items_per_sitemap, revisions, llmindex, key, ..Plan::new(&site, origin.clone()) };
    let live_plan = options.live.then(|| plan.clone());
    let built = tokio::task::spawn_blocking(move || Publisher::new(&site, plan, now(), &|| ()));
    let publisher = Arc::new(built.await.map_err(|error| SiteError::Task(error.to_string()))??);
    let (mut router, live) = match live_plan {
        Some(plan) => live::router(&publisher, &plan).map(|(router, layer)| (router, Some(layer)))?,
        None => (publisher.router(), None),
    };
    let gate = |settings| gate::layer(settings, &origin, &trusted, &options.resolve, (&publisher, live));
    let gate = signatures.as_ref().map(gate).transpose()?;
    let has_more = bot.is_some() || gate.is_some() || options.live;
    if let Some(bot) = bot {
        router = router.merge(bots::router(bot));
    }
    if let Some(gate) = gate {
        router = router.layer(gate);
    }
    let beside = has_more.then_some(router);
    Ok(Prepared { origin, certificate, publisher, listener, beside })
}

/// A site that is ready to be served.
#[derive(Debug)]
pub struct Prepared {
    origin: Url,
    certificate: Option<Certificate>,
    publisher: Arc<Publisher>,
    listener: Listener,
    /// The service for what is beside the pages, or before them; `None` without any.
    beside: Option<Router>,
}

impl Prepared {
    /// The whole service: the publisher's, what is published of a crawler, and the gate before both.
    pub fn router(&self) -> Router {
        self.beside.clone().unwrap_or_else(|| self.publisher.router())
    }

    /// Where the site will begin.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.origin
    }

    /// What is published.
    #[must_use]
    pub fn publisher(&self) -> &Arc<Publisher> {
        &self.publisher
    }

    /// Starts to answer with this router, such as [`Prepared::router`] with a layer of your own around it.
    ///
    /// # Errors
    /// [`SiteError::Tls`] if the certificate is refused.
    pub fn serve(self, router: Router) -> Result<Running, SiteError> {
        self.serve_with(router)
    }

    fn serve_with<S, B>(self, service: S) -> Result<Running, SiteError>
    where
        S: Answers<B>,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let Prepared { origin, certificate, publisher, listener, .. } = self;
        let server = listener.serve(service, certificate.as_ref())?;
        Ok(Running { origin, certificate, publisher, server })
    }
}

/// A site that is being served.
#[derive(Debug)]
pub struct Running {
    origin: Url,
    certificate: Option<Certificate>,
    publisher: Arc<Publisher>,
    server: Server,
}

impl Running {
    /// Where the site begins.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.origin
    }

    /// Where it listens: what a client that cannot resolve the host is told to connect to.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// The certificate to trust, where the site speaks TLS.
    #[must_use]
    pub fn certificate_pem(&self) -> Option<&str> {
        self.certificate.as_ref().map(|certificate| certificate.pem.as_str())
    }

    /// What is published; [`Publisher::republish`] changes some of it.
    #[must_use]
    pub fn publisher(&self) -> &Arc<Publisher> {
        &self.publisher
    }

    /// Stops taking connections and waits for the open ones, for a few seconds at most.
    ///
    /// # Errors
    /// [`SiteError::Task`] if the server had ended before.
    pub async fn stop(self) -> Result<(), SiteError> {
        self.server.stop().await
    }
}

fn read_key(path: &Path) -> Result<SigningKey, SiteError> {
    let key = SigningKey::from_jwk(read(path)?.as_bytes());
    key.map_err(|error| SiteError::refused(path.display().to_string(), error))
}

/// A new signing key, named by the address at which the site serves its public half.
fn generate_key(origin: &Url) -> Result<SigningKey, SiteError> {
    let url = origin.join(manifest::KEYS_PATH).map_err(|error| SiteError::refused("a signing key", error))?;
    new_key(url.as_str())
}

/// A new signing key of this name; an empty one stands for the key's thumbprint, as crawlers name theirs.
///
/// # Errors
/// [`SiteError::Refused`] if the system gives no randomness.
pub fn new_key(kid: &str) -> Result<SigningKey, SiteError> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(|error| SiteError::refused("a signing key", error))?;
    let key = SigningKey::from_secret(&secret);
    let kid = if kid.is_empty() { key.thumbprint().to_string() } else { kid.to_owned() };
    Ok(key.with_kid(&kid))
}

fn origin_of(tls: bool, host: &str, port: u16) -> Result<Url, SiteError> {
    let scheme = if tls { "https" } else { "http" };
    let text = format!("{scheme}://{host}:{port}/");
    Url::parse(&text).map_err(|error| SiteError::refused(text, error))
}

#[expect(clippy::disallowed_methods, reason = "files that were named on the command line")]
fn read(path: &Path) -> Result<String, SiteError> {
    std::fs::read_to_string(path).map_err(|source| SiteError::File {
        action: "read",
        path: path.to_owned(),
        source,
    })
}

/// The time, for the libraries, which have no clock.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the program around the libraries is where the clock is")]
pub fn now() -> UnixSeconds {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    UnixSeconds(since.map_or(0, |since| since.as_secs()))
}
