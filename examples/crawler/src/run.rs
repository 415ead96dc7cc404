//! Runs a crawl with the options of the command line.

use std::io::Write;

use jwk::JwkSet;
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use url::Url;
use verify::{BundledSuffixes, Domain, EXAMPLE_RESOLVERS, Protocol, Token};

use crate::cli::{Cli, Command, DocumentVersion};
use crate::client::{Client, Request};
use crate::limits::{BodyLimit, Limits};
use crate::output::Counts;
use crate::progress::Progress;
use crate::resolver::PublicResolver;
use crate::store::Store;
use crate::{CrawlerError, Options, crawl, export, signing, tls};

/// The summary at the end, and what the exit status needs.
#[derive(Debug)]
pub struct Summary {
    /// A line for people.
    pub text: String,
    /// How many tasks failed or are left: pages that could not be fetched or read, and tasks of sites that did not
    /// answer.
    pub failed: u64,
}

impl Summary {
    fn of(text: impl Into<String>) -> Self {
        Summary { text: text.into(), failed: 0 }
    }

    /// The line to print if the crawl was stopped from the terminal.
    #[must_use]
    pub fn stopped() -> Self {
        Summary::of("stopped; run the same command again to continue")
    }
}

/// Where the lines of a crawl go.
pub type Output = dyn Fn() -> Box<dyn Write + Send>;

/// Runs the command line; lines go to standard output.
///
/// # Errors
/// As [`run_to`].
pub async fn run(cli: &Cli) -> Result<Summary, CrawlerError> {
    run_to(cli, &|| Box::new(std::io::stdout())).await
}

/// As [`run`], with the lines of the crawl to where `out` says.
///
/// # Errors
/// What cannot work: a wrong option, a store that is open elsewhere, an output that is closed.
pub async fn run_to(cli: &Cli, out: &Output) -> Result<Summary, CrawlerError> {
    if let Some(Command::Keygen { file }) = &cli.command {
        let public = signing::keygen(file)?;
        std::io::stdout().write_all(format!("{public}\n").as_bytes())?;
        return Ok(Summary::of(format!("the private key is in {}; keep it to yourself", file.display())));
    }
    let starts = cli.starts()?;
    if let Some(path) = cli.store.clone().filter(|_| starts.is_empty() && !cli.export) {
        let why = "expected a URL to crawl into it; the demonstration, without a URL, has a store of its own"
            .to_owned();
        return Err(CrawlerError::File { path, why });
    }
    let temporary;
    let path = match &cli.store {
        Some(path) => path.clone(),
        None => {
            temporary = tempfile::tempdir()?;
            temporary.path().join("crawl.redb")
        }
    };
    if cli.export && !path.exists() {
        return Err(CrawlerError::File { path, why: "expected a store, found no file".to_owned() });
    }
    let store = Store::open(&path)?;
    if cli.export {
        return Ok(Summary::of(export::export(&store, &mut std::io::stdout().lock())?));
    }
    if starts.is_empty() {
        return demonstrate(cli, &store, out).await;
    }
    let options = options(cli, &starts)?;
    let counts = once(&starts, &store, options, out()).await?;
    Ok(Summary { text: counts.to_string(), failed: left(&counts) })
}

/// Describes failed and remaining tasks.
const fn left(counts: &Counts) -> u64 {
    counts.failed + counts.queued.saturating_sub(counts.done)
}

async fn once(
    starts: &[Url],
    store: &Store,
    options: Options,
    out: Box<dyn Write + Send>,
) -> Result<Counts, CrawlerError> {
    let progress = Progress::on_terminal();
    let counts = crawl(starts, store.clone(), options, out, progress.clone()).await;
    progress.finish();
    counts
}

/// Starts the site of `examples/site` under a name of its own, and crawls it twice.
async fn demonstrate(cli: &Cli, store: &Store, out: &Output) -> Result<Summary, CrawlerError> {
    let failed = |error: site::SiteError| CrawlerError::Site(site::one_line(&error));
    let host = "quay.example";
    let mut options = options(cli, &[])?;
    // It is this machine's own site: it need not be spared, and its owner's token is known.
    options.cooldown = std::time::Duration::ZERO;
    options.verify = true;
    let proofs = site::files::Site::embedded().map_err(failed)?.settings.proofs;
    options.tokens =
        proofs.aiwebindex.iter().map(|text| token(&format!("{host}={text}"))).collect::<Result<_, _>>()?;
    options.resolvers.clear();

    let site = site::start(site::Options { host: host.to_owned(), ..site::Options::default() })
        .await
        .map_err(failed)?;
    options.resolve.insert(host.to_owned(), site.address());
    options.certificates = tls::certificates_of(site.certificate_pem().unwrap_or_default().as_bytes())
        .map_err(CrawlerError::Site)?;
    options.keys = Some(keys_of(&site, &options).await?);
    let starts = [site.url().clone()];
    let first = once(&starts, store, options.clone(), out()).await?;
    let second = once(&starts, store, options, out()).await?;
    site.stop().await.map_err(failed)?;
    let text = format!("first crawl:  {first}\ncrawler: second crawl: {second}");
    Ok(Summary { text, failed: left(&first) + left(&second) })
}

/// The key that signed the manifest, from the site itself: to be trusted here, where the site is our own.
async fn keys_of(site: &site::Running, options: &Options) -> Result<JwkSet, CrawlerError> {
    let resolver = PublicResolver { known: options.resolve.clone(), ..PublicResolver::default() };
    let tls = tls::client_config(&options.certificates)?;
    let client = Client::new(&options.agent, tls, resolver, options.limits)?;
    let failed = |error: &dyn std::fmt::Display| CrawlerError::Site(error.to_string());
    let url = site.url().join(site::manifest::KEYS_PATH).map_err(|error| failed(&error))?;
    let keys =
        client.send(Request::get(url, BodyLimit::Refuse(1 << 20))).await.map_err(|error| failed(&error))?;
    JwkSet::parse(&keys.body).map_err(|error| failed(&error))
}

fn options(cli: &Cli, starts: &[Url]) -> Result<Options, CrawlerError> {
    let version = match cli.document_version {
        DocumentVersion::V1 => AiWebIndexVersion::V1,
        DocumentVersion::V2 => AiWebIndexVersion::V2,
    };
    let builder = AiWebIndexAgent::builder(version).info_url(&cli.info_url).implementation("aiweb-crawler");
    let mut certificates = Vec::new();
    for path in &cli.ca {
        certificates.extend(tls::certificates(path)?);
    }
    let resolvers = match cli.resolver.is_empty() {
        false => cli.resolver.clone(),
        true => EXAMPLE_RESOLVERS
            .iter()
            .filter_map(|ip| Some((ip.parse::<std::net::IpAddr>().ok()?, 53).into()))
            .collect(),
    };
    Ok(Options {
        agent: builder.build()?,
        verifier: builder.verification(true).build()?,
        limits: Limits::default(),
        certificates,
        resolve: cli.resolve.iter().cloned().collect(),
        cooldown: cli.cooldown(starts)?,
        parallel: cli.parallel,
        max_wait: std::time::Duration::from_secs(cli.max_wait),
        retry_secs: cli.retry,
        max_pages: cli.max_pages,
        depth: cli.depth,
        probe: cli.probe,
        purpose: cli.purpose,
        signer: match (&cli.key, &cli.signature_agent) {
            (Some(file), Some(agent)) => Some(signing::signer(file, agent)?),
            _ => None,
        },
        document_version: cli.document_version,
        verify: cli.verify,
        tokens: cli.token.iter().map(|text| token(text)).collect::<Result<_, _>>()?,
        keys: cli.keys.as_deref().map(keys).transpose()?,
        resolvers,
        restart: cli.restart,
    })
}

fn token(text: &str) -> Result<Token, CrawlerError> {
    let (domain, token) = text.split_once('=').unwrap_or((text, ""));
    // The token is a secret until it is published, and stays out of messages.
    let refused = |why: String| CrawlerError::Token { text: domain.to_owned(), why };
    let domain =
        Domain::parse(Protocol::AiWebIndex, domain, &BundledSuffixes).map_err(|e| refused(e.to_string()))?;
    Token::expect(domain, token).map_err(|error| refused(error.to_string()))
}

#[expect(clippy::disallowed_methods, reason = "a program reads files")]
fn keys(path: &std::path::Path) -> Result<JwkSet, CrawlerError> {
    let refused = |why: String| CrawlerError::File { path: path.to_owned(), why };
    let json = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
    JwkSet::parse(&json).map_err(|error| refused(error.to_string()))
}
