//! Audits a site: which protocols for agents it offers, its errors, and how to fix them.
//!
//! ```text
//! URL ─▶ robots.txt ─▶ page ─┬─▶ extraction, ownership     aiwebindex
//!                            ├─▶ manifest, pages, feed     llmindex
//!                            ├─▶ sitemap, policy, twins    tct
//!                            └─▶ may it be used            signals     ─▶ Report ─▶ terminal, JSON, HTML
//! ```
//!
//! The libraries judge; this program decides which request to send next, how severe a finding is, and how to explain
//! it to the site's owner.
//!
//! | module | its task |
//! |---|---|
//! | [`start`] | where to begin: a host name, a page, a twin, a sitemap |
//! | [`finding`] | every type of finding, with its rule and its remedy |
//! | [`checks`] | the three protocols, one after the other |
//! | [`fetch`] | requests under limits |
//! | [`readiness`], [`folder`] | the checks of the crate `ready`, on a site and on files |
//! | [`report`], [`terminal`], [`page`], [`forms`] | the result, as data, as text, as a page, for other programs |
//! | [`demo`] | the same against a site of our own |
//! | [`cli`] | the command line |

use std::time::Duration;

use robots::{AiWebIndexAgent, AiWebIndexVersion, Robots};
use url::Url;

pub mod checks;
pub mod cli;
pub mod demo;
pub mod fetch;
pub mod finding;
pub mod folder;
pub mod forms;
pub mod page;
pub mod readiness;
pub mod report;
pub mod start;
mod stored;
pub mod terminal;

use fetch::{Answer, Client, ClientOptions};
use finding::{Check, Findings};
use readiness::Profile;
use report::{Offer, Report};
use start::Start;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// There was no response, or an incomplete one.
    #[error("cannot fetch {url}")]
    Fetch {
        /// The URL.
        url: String,
        /// What the client says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// robots.txt forbids the request.
    #[error("{url} must not be fetched: {why} (AIWI-BOT-7)")]
    Closed {
        /// The URL.
        url: String,
        /// What robots.txt says.
        why: &'static str,
    },
    /// The page is not there.
    #[error("expected status 200 at {url}, found {status}")]
    Status {
        /// The URL.
        url: String,
        /// The status.
        status: u16,
    },
    /// A certificate cannot be read.
    #[error("cannot set up TLS: {0}")]
    Tls(String),
    /// An argument cannot be used.
    #[error("{0}")]
    Argument(String),
    /// A file that was named cannot be read or written.
    #[error("cannot {action} {}", path.display())]
    File {
        /// What was tried, such as "read".
        action: &'static str,
        /// The file.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A site of the demonstration does not start.
    #[error(transparent)]
    Site(#[from] site::SiteError),
}

/// The options of an audit.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many of the pages that the sitemap lists are checked.
    pub pages: usize,
    /// The token that an AIWebIndex crawler issued for this domain.
    pub token: Option<String>,
    /// Which checks of agent readiness count.
    pub profile: Profile,
    /// Whom to trust and where to connect.
    pub client: ClientOptions,
}

impl Default for Options {
    fn default() -> Self {
        Options { pages: 10, token: None, profile: Profile::default(), client: ClientOptions::default() }
    }
}

/// What the checks share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) client: Client,
    pub(crate) findings: Findings,
    pub(crate) robots: Robots<'static>,
    pub(crate) agent: AiWebIndexAgent,
    /// The page that the audit began with.
    pub(crate) start: Answer,
    /// The sitemap that the audit began with.
    pub(crate) sitemap: Option<Url>,
    /// The twin that the audit began with.
    pub(crate) twin: Option<Url>,
    /// The policy descriptor, once it was read.
    pub(crate) policy: Option<tct::PolicyDescriptor>,
    pub(crate) options: Options,
}

impl Context {
    /// The URL of a path on the site.
    pub(crate) fn at(&self, path: &str) -> Option<Url> {
        self.start.url.join(path).ok()
    }

    /// Whether the site's robots.txt allows the URL; if not, a finding, since this URL was offered to agents. What another host
    /// says of its URLs is asked by the client.
    pub(crate) fn may_fetch(&mut self, url: &Url) -> bool {
        if url.origin() != self.start.url.origin() {
            return true;
        }
        let decision = self.robots.decide(&self.agent, url);
        if let Some(rule) = decision.rule().filter(|_| decision.is_disallowed()) {
            let found = format!("line {}: Disallow: {}", rule.line, String::from_utf8_lossy(rule.pattern));
            self.findings.add(Check::RobotsBlocks, url.as_str(), "a path that agents may fetch", &found);
        }
        decision.is_allowed()
    }

    /// Sends GET if robots.txt allows it; `None` if there is no response.
    pub(crate) async fn get(&mut self, url: &Url) -> Option<Answer> {
        if !self.may_fetch(url) {
            return None;
        }
        self.client.get(url).await.ok()
    }
}

/// Audits a site.
///
/// # Errors
/// If the page cannot be fetched, or robots.txt forbids it.
pub async fn audit(url: &Url, options: Options) -> Result<Report, AuditError> {
    let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V1)
        .info_url(env!("CARGO_PKG_REPOSITORY"))
        .implementation("audit")
        .build()
        .map_err(|error| AuditError::Argument(error.to_string()))?;
    let client = Client::new(&options.client, &agent)?;
    let mut findings = Findings::default();
    let Start { page: start, sitemap, twin } = Start::fetch(&client, url).await?;
    // Those of the host that the page is on in the end.
    let rules = client.rules_of(&start.url).await?;
    let robots = rules.robots.clone();
    // Plain http counts as secure where it stays on this machine.
    if start.url.scheme() != "https" && tct::UrlPolicy::default().parse(start.url.as_str()).is_err() {
        findings.add(Check::NotHttps, start.url.as_str(), "https", "http");
    }
    let policy = None;
    let mut context = Context { client, findings, robots, agent, start, sitemap, twin, policy, options };
    let aiwebindex = checks::aiwebindex::run(&mut context, rules.answer.as_ref()).await;
    let llmindex = checks::llmindex::run(&mut context).await;
    let (tct, savings) = checks::tct::run(&mut context).await;
    // The policy of TCT has its say too.
    let uses = checks::usage::run(&mut context).await;
    let readiness = readiness::run(&context, context.options.profile).await;
    Ok(Report {
        name: None,
        url: context.start.url.to_string(),
        audited_at: jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_default().to_string(),
        offers: vec![aiwebindex, llmindex, tct],
        uses,
        savings,
        readiness: Some(readiness),
        findings: context.findings.into_sorted(),
    })
}

/// Fetches one page as an audit would: robots.txt is asked first, of each place that a redirect leads to as well, and so is its
/// Crawl-delay.
///
/// # Errors
/// If robots.txt does not allow it, or there is no answer.
pub async fn read_page(url: &Url, agent: &AiWebIndexAgent) -> Result<Answer, AuditError> {
    let mut options = ClientOptions::default();
    if start::is_here(url) {
        options.pacing = options.pacing.cooldown(Duration::ZERO);
    }
    Client::new(&options, agent)?.get(url).await
}

/// A protocol's part of the report.
pub(crate) fn offer(protocol: finding::Protocol, facts: Vec<String>) -> Offer {
    Offer { protocol, is_offered: !facts.is_empty(), facts }
}
