//! The command line and its options.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use bot_auth::CrawlerSigner;
use clap::Args;
use crawler::limits::Limits;
use rustls::pki_types::CertificateDer;
use url::Url;

use crate::trouble::{Trouble, TroubleKind};

/// Serve web pages to an agent by the Model Context Protocol (MCP)
///
/// Standard input and output are the transport, so that a client starts the program by itself. A page's machine-readable twin
/// is preferred to its HTML; robots.txt and signals about use are obeyed; hidden text is left out. What was read is stored in
/// one file. See docs/agent-tool.md.
#[derive(Debug, Clone, Args)]
pub struct Cli {
    /// Print what an agent would get for this page, and why, and serve nothing
    #[arg(long, value_name = "URL")]
    pub explain: Option<String>,
    /// Store what is read in this file [default: aiweb/mcp.redb in the user's cache folder]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Serve streamable HTTP at this loopback address and the path /mcp, instead of standard input
    /// and output
    #[arg(long, value_name = "ADDRESS", value_parser = loopback)]
    pub http: Option<SocketAddr>,
    /// Allow this host although it is on this machine or in a private network, as HOST or HOST:PORT; may be repeated
    #[arg(long, value_name = "HOST", value_parser = named_host)]
    pub private: Vec<String>,
    /// The host of your own site: refusals by its robots.txt and signals are reported, but not obeyed; may be repeated
    #[arg(long, value_name = "HOST", value_parser = named_host)]
    pub own_site: Vec<String>,
    /// Seconds for which a page that was read is not requested again
    #[arg(long, value_name = "SECONDS", default_value = "600")]
    pub trust: u64,
    /// Milliseconds between two requests to one public host; a longer Crawl-delay is respected
    #[arg(long, value_name = "MS", default_value = "250", value_parser = clap::value_parser!(u64).range(100..))]
    pub pause: u64,
    /// The longest wait for a host in one call, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub max_wait: u64,
    /// The URL of a page about the operator, for the User-Agent
    #[arg(long, value_name = "URL", default_value = env!("CARGO_PKG_REPOSITORY"))]
    pub info_url: Url,
    /// Trust the certificates of this PEM file, beside those that this machine trusts
    #[arg(long, value_name = "FILE")]
    pub ca: Vec<PathBuf>,
    /// Connect to this address for this host, as with curl: shop.example=127.0.0.1:8443
    #[arg(long, value_name = "NAME=ADDRESS", value_parser = read_override)]
    pub resolve: Vec<(String, SocketAddr)>,
    /// Sign each https request with the private JWK in this file, by Web Bot Auth
    #[arg(long, value_name = "FILE", requires = "signature_agent")]
    pub key: Option<PathBuf>,
    /// The https URL of the home that publishes the key's public half
    #[arg(long, value_name = "URL", requires = "key")]
    pub signature_agent: Option<Url>,
}

/// The options of the agent.
#[derive(Debug, Clone)]
pub struct Options {
    /// The limits of one request.
    pub limits: Limits,
    /// Certificates to trust beside those of the platform.
    pub certificates: Vec<CertificateDer<'static>>,
    /// Names whose addresses are known.
    pub resolve: BTreeMap<String, SocketAddr>,
    /// Hosts that may be private, as `host` or `host:port`.
    pub private: Vec<String>,
    /// Hosts whose owner has answered for them.
    pub own_sites: Vec<String>,
    /// Seconds for which a page that was read is not asked for again.
    pub trust_secs: u64,
    /// Between two requests to one public host.
    pub pause: Duration,
    /// The longest wait for a host in one call.
    pub max_wait: Duration,
    /// The page that the User-Agent names.
    pub info_url: String,
    /// Signs each https request, where there is a key.
    pub signer: Option<CrawlerSigner>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            limits: Limits { total: Duration::from_secs(60), sitemap_bytes: 16 << 20, ..Limits::default() },
            certificates: Vec::new(),
            resolve: BTreeMap::new(),
            private: Vec::new(),
            own_sites: Vec::new(),
            trust_secs: 600,
            pause: Duration::from_millis(250),
            max_wait: Duration::from_secs(60),
            info_url: env!("CARGO_PKG_REPOSITORY").to_owned(),
            signer: None,
        }
    }
}

impl Cli {
    /// The options, with the files that the command line names read.
    ///
    /// # Errors
    /// If one of them cannot be read or used.
    pub fn options(&self) -> Result<Options, Trouble> {
        let refused = |error: crawler::CrawlerError| {
            let why = error.one_line();
            Trouble::new(
                TroubleKind::Argument,
                "a file of the command line cannot be used",
                why,
                "name another one",
            )
        };
        let mut certificates = Vec::new();
        for path in &self.ca {
            certificates.extend(crawler::tls::certificates(path).map_err(refused)?);
        }
        let signer = match (&self.key, &self.signature_agent) {
            (Some(file), Some(agent)) => Some(crawler::signing::signer(file, agent).map_err(refused)?),
            _ => None,
        };
        Ok(Options {
            certificates,
            resolve: self.resolve.iter().cloned().collect(),
            private: self.private.clone(),
            own_sites: self.own_site.clone(),
            trust_secs: self.trust,
            pause: Duration::from_millis(self.pause),
            max_wait: Duration::from_secs(self.max_wait),
            info_url: self.info_url.to_string(),
            signer,
            ..Options::default()
        })
    }
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr =
        text.parse().map_err(|_| "expected an address such as 127.0.0.1:8808".to_owned())?;
    match address.ip().is_loopback() {
        true => Ok(address),
        false => {
            Err("expected a loopback address: whoever reaches the server reads with this user's store"
                .to_owned())
        }
    }
}

fn named_host(text: &str) -> Result<String, String> {
    let is_name =
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    match is_name {
        true => Ok(text.to_ascii_lowercase()),
        false => {
            Err("expected one host by its name, such as intranet.example; there is no pattern for several"
                .to_owned())
        }
    }
}

fn read_override(text: &str) -> Result<(String, SocketAddr), String> {
    let (name, address) = text.split_once('=').ok_or("expected NAME=ADDRESS:PORT")?;
    let address = address.parse().map_err(|error| format!("{error}"))?;
    Ok((name.to_ascii_lowercase(), address))
}
