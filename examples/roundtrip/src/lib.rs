//! The main job, running: a publisher and an agent speak the Collaboration Tunnel Protocol over real HTTPS on loopback.
//!
//! ```text
//!  HTML files --> publisher ==================== TLS, HTTP/2 ====================> agent --> cache folder
//!                 page, twin, sitemap     conditional requests, gzip and br      plan, check, keep
//! ```
//!
//! Everything that the protocol decides is a call of the crate `tct`: which bytes and fields a response has, which
//! pages need a request, what a response is worth. What is left for this package are the things that a library without
//! I/O leaves to its caller:
//!
//! | module | its task |
//! |---|---|
//! | the package [`site`] | the publisher: pages, certificate, sockets, content codings, who answers for a path |
//! | [`agent`] | the HTTP client, requests side by side, waiting and trying again |
//! | [`cache`] | what the agent holds, in a folder that survives a restart |
//! | [`report`] | counts, table, JSON |
//! | [`cli`] | the command line |
//!
//! [`run`] joins them, and the tests do the same with their own sites.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use site::SiteError;
use site::files::Site;
use site::publisher::{Plan, Publisher, Snapshot};
use site::server::{Listener, Server};
use site::settings::Settings;
use site::tls::Certificate;
use test_sites::Edits;
use test_sites::costs::html_cost;
use url::Url;

pub mod agent;
pub mod cache;
pub mod cli;
mod error;
pub mod progress;
pub mod report;

pub use cli::Cli;
pub use error::RoundtripError;

use agent::{Agent, AgentOptions};
use cache::Cache;
use progress::Progress;
use report::{CrawlReport, Report};

/// Does what the command line asks for; tables and JSON go to `out`, progress to the terminal if there is one.
///
/// # Errors
/// Whatever ends the run early. Problems of single pages are lines of the report instead.
pub async fn run(cli: &Cli, out: &mut (dyn Write + Send)) -> Result<(), RoundtripError> {
    let print = |text: &str, out: &mut (dyn Write + Send)| {
        let write = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        write.map_err(|source| RoundtripError::File {
            action: "write to",
            path: "standard output".into(),
            source,
        })
    };
    let site = match &cli.site {
        Some(folder) => Site::folder(folder)?,
        None => Site::embedded()?,
    };
    let quiet = !std::io::stderr().is_terminal();
    let published = Published::start(cli, site, &Progress::new(quiet)).await?;

    if cli.serve {
        let temporary =
            tempfile::Builder::new().prefix("roundtrip-").suffix(".pem").tempfile().map_err(|source| {
                RoundtripError::File { action: "make a file in", path: std::env::temp_dir(), source }
            })?;
        let path = cli.cert.as_deref().unwrap_or(temporary.path());
        published.write_certificate(path)?;
        // Listening begins with the first poll, and has to before anybody is told of Ctrl-C.
        let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
        let stopped = tokio::select! {
            biased;
            stopped = &mut stop => Some(stopped),
            () = std::future::ready(()) => None,
        };
        print(&published.introduction(path), out)?;
        let stopped = match stopped {
            Some(stopped) => stopped,
            None => stop.await,
        };
        // Without signals there is no Ctrl-C to wait for, and the process is ended in another way.
        if stopped.is_err() {
            std::future::pending::<()>().await;
        }
        print("\nstopping\n", out)?;
        published.server.stop().await?;
        return Ok(());
    }

    if let Some(path) = &cli.cert {
        published.write_certificate(path)?;
    }
    let temporary = tempfile::tempdir().map_err(|source| RoundtripError::File {
        action: "make a folder in",
        path: std::env::temp_dir(),
        source,
    })?;
    let folder = cli.cache.as_deref().unwrap_or(temporary.path());
    let report = published.crawl_three_times(cli, folder, &Progress::new(quiet)).await?;
    published.server.stop().await?;
    let text = match cli.json {
        true => serde_json::to_string_pretty(&report).unwrap_or_default() + "\n",
        false => format!("{}: {} pages\n{report}", report.site, report.files),
    };
    print(&text, out)
}

/// A site with its publisher and server, running.
#[derive(Debug)]
pub struct Published {
    /// The site's name.
    pub name: String,
    /// The number of HTML files, readable or not.
    pub files: u64,
    /// Where the site begins.
    pub origin: Url,
    /// The certificate to trust.
    pub certificate: Certificate,
    /// What is published.
    pub publisher: Arc<Publisher>,
    /// The server.
    pub server: Server,
}

impl Published {
    /// Takes the port, seals the pages and starts to answer.
    ///
    /// # Errors
    /// Those of [`Listener::bind`], [`Publisher::new`] and [`Listener::serve`].
    pub async fn start(cli: &Cli, site: Site, progress: &Progress) -> Result<Self, RoundtripError> {
        let listener = Listener::bind(cli.address()).await?;
        let origin = match &cli.origin {
            Some(origin) => origin.clone(),
            None => origin_of(listener.address)?,
        };
        let certificate = Certificate::generate(&cli.address().ip().to_string())?;
        let (name, files) = (site.name.clone(), site.pages.len() as u64);
        let bar = progress.bar("sealing", files);
        // TCT alone: what the other protocols ask of a site is not part of this demonstration.
        let settings = Settings { policy: site.settings.policy.clone(), ..Settings::default() };
        let items_per_sitemap = cli.items_per_sitemap.get();
        let revisions = cli.tct;
        let plan = Plan { settings, items_per_sitemap, revisions, ..Plan::new(&site, origin.clone()) };
        let built = tokio::task::spawn_blocking(move || {
            let publisher = Publisher::new(&site, plan, now(), &|| bar.tick());
            bar.finish();
            publisher
        });
        let publisher = built.await.map_err(|error| RoundtripError::Task(error.to_string()))??;
        let publisher = Arc::new(publisher);
        let server = listener.serve(publisher.router(), Some(&certificate))?;
        Ok(Published { name, files, origin, certificate, publisher, server })
    }

    /// The run: everything, nothing changed, some changed.
    ///
    /// # Errors
    /// Those of [`Cache::open`] and [`Agent::crawl`].
    pub async fn crawl_three_times(
        &self,
        cli: &Cli,
        folder: &Path,
        progress: &Progress,
    ) -> Result<Report, RoundtripError> {
        let mut agent = self.agent(cli, folder)?;
        let mut report = Report {
            site: self.name.clone(),
            coding: cli.coding,
            files: self.files,
            passed_over: self.publisher.snapshot().passed_over.clone(),
            changed_text: Vec::new(),
            changed_template: Vec::new(),
            crawls: Vec::new(),
            totals: CrawlReport::default(),
        };
        for name in ["1: everything", "2: unchanged", "3: some changed"] {
            if report.crawls.len() == 2 {
                let publisher = Arc::clone(&self.publisher);
                let edited = tokio::task::spawn_blocking(move || test_sites::edit(&publisher, now())).await;
                let edits: Edits = edited.map_err(|error| RoundtripError::Task(error.to_string()))??;
                (report.changed_text, report.changed_template) = (edits.text, edits.template);
            }
            let mut crawl = agent.crawl(&|pages| progress.bar(name, pages)).await?;
            name.clone_into(&mut crawl.name);
            crawl.html = html_cost(&self.publisher.snapshot());
            report.push(crawl);
        }
        Ok(report)
    }

    /// An agent that trusts this publisher.
    ///
    /// # Errors
    /// Those of [`Cache::open`] and [`Agent::new`].
    pub fn agent(&self, cli: &Cli, folder: &Path) -> Result<Agent, RoundtripError> {
        let options = AgentOptions { coding: cli.coding, parallel: cli.parallel.get() };
        Agent::new(&self.origin, &self.certificate, Cache::open(folder)?, options)
    }

    /// Writes the certificate for clients that are to trust it.
    ///
    /// # Errors
    /// [`RoundtripError::File`].
    #[expect(clippy::disallowed_methods, reason = "writing a file is what was asked for")]
    pub fn write_certificate(&self, path: &Path) -> Result<(), RoundtripError> {
        std::fs::write(path, &self.certificate.pem).map_err(|source| RoundtripError::File {
            action: "write",
            path: path.to_owned(),
            source,
        })
    }

    fn introduction(&self, certificate: &Path) -> String {
        let snapshot: Arc<Snapshot> = self.publisher.snapshot();
        let (origin, path) = (&self.origin, certificate.display());
        let first = snapshot.pages.first();
        let (page, twin) =
            (first.map_or("", |page| page.c_url.as_str()), first.map_or("", |page| page.m_url.as_str()));
        format!(
            "publishing {} of the {} pages of {}\n\
             page     {page}\n\
             twin     {twin}\n\
             sitemap  {origin}llm-sitemap.json\n\
             try      curl --cacert {path} -i {origin}llm-sitemap.json\n\
             Ctrl-C ends it\n",
            snapshot.pages.len(),
            self.files,
            self.name,
        )
    }
}

fn origin_of(address: SocketAddr) -> Result<Url, RoundtripError> {
    let text = format!("https://{address}/");
    Ok(Url::parse(&text).map_err(|error| SiteError::Refused { what: text, why: error.to_string() })?)
}

pub use site::now;
