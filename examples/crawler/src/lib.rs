//! A polite crawler of the AI-readable web, small enough to be copied.
//!
//! ```text
//!            ┌──────────── frontier: what is still to do ◀───────────┐
//!            ▼                                                       │ one transaction
//!  site ──▶ step ──▶ gate ──▶ client ══════▶ server                  │ per task
//!            │        wait     limits                                │
//!            └──▶ what to store, what else to do, what to tell ──▶ writer ──▶ line of JSON
//! ```
//!
//! The libraries apply the protocols: `robots` says what may be fetched and when, `tct` which pages need a request and what an
//! answer is worth, `llmindex-types` what a manifest says, `verify` what is proven, `signals` what may be done with a text,
//! `bot-auth` how a request is signed, `aidocument-extract` what is on a page. The modules here wait, send, count and store:
//!
//! | module | its task |
//! |---|---|
//! | [`cli`] | the command line |
//! | [`site`](mod@site) | one site: task after task, what to try again, when to give up |
//! | [`steps`] | what is done for each kind of task |
//! | [`gate`] | one request at a time for each host, after the pause that it asks for |
//! | [`client`], [`body`], [`limits`] | one exchange, whatever the server does |
//! | [`tls`], [`resolver`] | whom to trust, where names lead |
//! | [`signing`] | requests that say who sends them |
//! | [`store`], [`task`], [`writer`] | what is held and what is to do, in one crash-safe file |
//! | [`output`], [`progress`] | what it tells |
//! | [`export`] | what it holds, for whoever goes on with it |
//!
//! [`crawl`] joins them, and the tests do the same with their own servers.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bot_auth::CrawlerSigner;
use jwk::JwkSet;
use robots::{AiWebIndexAgent, UnixSeconds};
use rustls::pki_types::CertificateDer;
use tct::address::is_public_host;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::JoinSet;
use url::Url;
use verify::Token;

pub mod body;
pub mod cli;
pub mod client;
pub mod clock;
mod error;
pub mod export;
pub mod fetch_error;
pub mod gate;
pub mod limits;
pub mod output;
pub mod progress;
pub mod resolver;
mod run;
pub mod signing;
pub mod site;
pub mod steps;
pub mod store;
pub mod task;
pub mod tls;
pub mod writer;

pub use cli::{Cli, DocumentVersion};
pub use error::CrawlerError;
pub use run::{Output, Summary, run, run_to};

use client::Client;
use gate::Gate;
use limits::Limits;
use output::{Counts, Line};
use progress::Progress;
use resolver::PublicResolver;
use site::Visitor;
use store::Store;
use task::{PageWork, Task, Work};
use writer::{Changes, Writer};

/// The options of a crawl.
#[derive(Debug, Clone)]
pub struct Options {
    /// The identity of the requests.
    pub agent: AiWebIndexAgent,
    /// The identity of requests for proofs of ownership.
    pub verifier: AiWebIndexAgent,
    /// The limits of one request.
    pub limits: Limits,
    /// Certificates to trust beside those of the platform.
    pub certificates: Vec<CertificateDer<'static>>,
    /// Names whose addresses are known.
    pub resolve: BTreeMap<String, SocketAddr>,
    /// Between two requests to one host.
    pub cooldown: Duration,
    /// Requests under way at a time.
    pub parallel: usize,
    /// How long a host is waited for.
    pub max_wait: Duration,
    /// Until a task is tried again whose server named no time, in seconds.
    pub retry_secs: u64,
    /// Pages of one site in one crawl, beside those of its sitemaps.
    pub max_pages: u64,
    /// Links that are followed from the start.
    pub depth: u32,
    /// Whether to look for sitemaps at their usual paths.
    pub probe: bool,
    /// What the texts are for.
    pub purpose: signals::Purpose,
    /// Signs each https request, where there is a key.
    pub signer: Option<CrawlerSigner>,
    /// The version of the documents that are made of pages.
    pub document_version: DocumentVersion,
    /// Whether to check what manifests announce as proof of ownership.
    pub verify: bool,
    /// AIWebIndex tokens that owners are expected to have published.
    pub tokens: Vec<Token>,
    /// Keys for the signatures of manifests.
    pub keys: Option<JwkSet>,
    /// DNS resolvers for TXT records.
    pub resolvers: Vec<SocketAddr>,
    /// Whether to forget what is left to do.
    pub restart: bool,
}

/// What all sites of a crawl share.
#[derive(Debug)]
pub struct Crawl {
    /// What is held.
    pub store: Store,
    /// Writes it.
    pub writer: Writer,
    /// Sends requests.
    pub gate: Gate,
    /// How to go about it.
    pub options: Options,
    /// Origins that turned out to have something to do.
    pub new_sites: UnboundedSender<String>,
}

impl Options {
    /// The first tasks of a site; what llmindex has to say is asked over https alone.
    #[must_use]
    pub fn first_tasks(&self, start: PageWork) -> Vec<Task> {
        let is_https = start.url.scheme() == "https";
        let mut tasks = vec![Work::Start(start)];
        if is_https {
            tasks.push(Work::Manifest);
        }
        if is_https && (self.verify || !self.tokens.is_empty()) {
            tasks.push(Work::Ownership);
        }
        tasks.into_iter().map(Task::from).collect()
    }
}

impl Crawl {
    /// Whether a redirect may lead the crawl to this URL: not from the public web into somebody's network.
    #[must_use]
    pub fn may_visit(&self, url: &Url) -> bool {
        let is_known = url.host_str().is_some_and(|host| self.options.resolve.contains_key(host));
        is_known || url.host().is_some_and(is_public_host)
    }
}

/// Crawls from these URLs on, or goes on with the crawl that the store has begun; returns what it came to.
///
/// # Errors
/// What ends the crawl early. What happens to a page is a line of the output instead.
pub async fn crawl(
    starts: &[Url],
    store: Store,
    options: Options,
    out: Box<dyn Write + Send>,
    progress: Progress,
) -> Result<Counts, CrawlerError> {
    let private = starts.iter().filter(|url| url.host().is_some_and(|host| !is_public_host(host)));
    let resolver = PublicResolver {
        trusted: private.filter_map(|url| url.host_str().map(str::to_owned)).collect::<BTreeSet<_>>(),
        known: options.resolve.clone(),
    };
    let tls = tls::client_config(&options.certificates)?;
    let client =
        Client::new(&options.agent, tls, resolver, options.limits)?.signed_by(options.signer.clone());
    let gate = Gate::new(client, options.cooldown, options.parallel, options.max_wait);
    for (host, until) in store.pauses(clock::seconds().0)? {
        gate.remember_pause(&host, UnixSeconds(until))?;
    }
    let (writer, thread) = Writer::start(store.clone(), out, progress, options.max_pages);
    let (new_sites, mut arrivals) = tokio::sync::mpsc::unbounded_channel();
    let ended = async {
        begin(starts, &store, &writer, &options).await?;
        let crawl = Crawl { store: store.clone(), writer: writer.clone(), gate, options, new_sites };
        visit_all(Arc::new(crawl), &mut arrivals).await?;
        end(&store, &writer).await
    };
    let ended = ended.await;
    drop(writer);
    // Where the writer failed, all others failed for want of it.
    thread.join()?;
    ended?;
    Ok(store.crawl()?.counts)
}

/// Visits all sites that have something to do, also those that turn up meanwhile.
async fn visit_all(crawl: Arc<Crawl>, arrivals: &mut UnboundedReceiver<String>) -> Result<(), CrawlerError> {
    let (mut visits, mut under_way) = (JoinSet::new(), BTreeSet::new());
    let (sites, _) = crawl.store.sites_with_tasks()?;
    for site in sites {
        under_way.insert(site.clone());
        visits.spawn(visit(Arc::clone(&crawl), site));
    }
    let ended = loop {
        tokio::select! {
            // First what came, then who left: a visit that ends has told before of what it found.
            biased;
            Some(site) = arrivals.recv() => {
                if under_way.insert(site.clone()) {
                    visits.spawn(visit(Arc::clone(&crawl), site));
                }
            }
            ended = visits.join_next() => match ended {
                None => break Ok(()),
                // Something may have come for the site while its visit ended.
                Some(Ok(Ok((site, true)))) if crawl.store.next_task(&site, 0)?.is_some() => {
                    visits.spawn(visit(Arc::clone(&crawl), site));
                }
                Some(Ok(Ok((site, _)))) => {
                    under_way.remove(&site);
                }
                Some(Ok(Err(error))) => break Err(error),
                Some(Err(_)) => break Err(CrawlerError::Ended("a visit")),
            },
        }
    };
    visits.shutdown().await;
    ended
}

/// Visits a site; tells which, and whether nothing is left to do there.
async fn visit(crawl: Arc<Crawl>, site: String) -> Result<(String, bool), CrawlerError> {
    let is_done = Visitor::new(crawl, site.clone())?.run().await?;
    Ok((site, is_done))
}

/// Opens a crawl, unless one was interrupted, and queues its starts.
async fn begin(
    starts: &[Url],
    store: &Store,
    writer: &Writer,
    options: &Options,
) -> Result<(), CrawlerError> {
    let begun = store.crawl()?;
    if options.restart || begun.has_ended || begun.number == 0 {
        store.begin_crawl(options.restart, clock::seconds().0, options.max_wait.as_secs())?;
    }
    for start in starts {
        let site = start.origin().ascii_serialization();
        let tasks = options.first_tasks(PageWork::new(start.clone(), 0));
        writer.commit(Changes { site, tasks, ..Changes::default() }).await?;
    }
    Ok(())
}

/// Closes the crawl; what is left to do waits for its hosts, and keeps no other site from being crawled anew.
async fn end(store: &Store, writer: &Writer) -> Result<(), CrawlerError> {
    let (left, _) = store.sites_with_tasks()?;
    let (finished, crawl) = (left.is_empty(), store.crawl()?);
    let line = Line::Done { crawl: crawl.number, finished, counts: crawl.counts };
    // Told first, written down then: a crash in between makes the next run tell it again, and not begin a new crawl.
    writer.commit(Changes::line(line)).await?;
    writer.update_crawl(|crawl| crawl.has_ended = true).await
}
