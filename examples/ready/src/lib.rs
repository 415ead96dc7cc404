//! Checks whether a site is ready for agents. It asks for requests, takes their responses, and
//! returns verdicts.
//!
//! ```text
//! URL, pages ─▶ Audit ─▶ step() ─▶ Ask(requests) ─▶ the caller's client ─▶ answer() ─┐
//!                          ▲                                                          │
//!                          └──────────────────────────────────────────────────────────┘
//!                                  Done(checks): 93 of them, each pass, warn, fail or skip
//! ```
//!
//! The checks are those of three public lists and some of our own: robots.txt and its AI groups, Content-Signal,
//! sitemaps, Link fields, Markdown, llms.txt, what is in the pages, status codes and caching, licences, keys, and the
//! documents for agents that act. What a site does not offer and nobody needs is skipped, never failed.
//!
//! Nothing here opens a socket or reads a clock. A step looks at the responses that are there and either judges them or asks
//! for what is missing; so each check is written from its first request to its verdict in one place. What is costly (a page's
//! elements, its Markdown) is worked out once a response.
//!
//! ```
//! use ready::{Audit, Options, Response, Row, Step, Verdict};
//!
//! let mut audit = Audit::new("https://site.example/".parse()?, Vec::new(), Options::default());
//! let checks = loop {
//!     match audit.step() {
//!         Step::Ask(requests) => {
//!             for request in requests {
//!                 // A client would send it here.
//!                 let (status, body) = match request.url.path() {
//!                     "/robots.txt" => (200, "User-agent: *\nContent-Signal: search=yes\n"),
//!                     _ => (404, ""),
//!                 };
//!                 let headers = vec![("Content-Type".to_owned(), "text/plain".to_owned())];
//!                 audit.answer(request, Response { status, headers, body: body.into() });
//!             }
//!         }
//!         Step::Done(checks) => break checks,
//!     }
//! };
//! let verdict = |row| checks.iter().find(|check| check.row == row).map(|check| check.verdict);
//! assert_eq!(verdict(Row::Cs1), Some(Verdict::Pass));
//! assert_eq!(verdict(Row::Llms1), Some(Verdict::Fail));
//! assert_eq!(verdict(Row::Mcp1), Some(Verdict::Skip));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Limits: 5 redirects, 50 links of llms.txt and of Markdown pages each, 5 sitemaps and 20 parts of an index, 1 MiB of
//! JSON. A body's size is the caller's to limit.

mod among;
mod checks;
mod exchange;
mod html;
mod markdown;
mod rows;
mod sniff;
mod xml;

use serde::Serialize;
use url::Url;

pub use exchange::{ANY, MARKDOWN, Method, Request, Response};
pub use rows::{Group, Level, Row};

/// A regular expression that is compiled once.
macro_rules! pattern {
    ($text:literal) => {{
        static PATTERN: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::compiled($text));
        &*PATTERN
    }};
}
pub(crate) use pattern;

#[expect(clippy::expect_used, reason = "a literal of this crate, and every one is used by a test")]
fn compiled(text: &str) -> regex::Regex {
    regex::Regex::new(text).expect("a literal")
}

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The check passed.
    Pass,
    /// The check does not apply, or its document is not offered or could not be fetched.
    Skip,
    /// Present with a flaw, or partly present.
    Warn,
    /// Missing or wrong.
    Fail,
}

impl Verdict {
    /// The name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Skip => "skip",
            Verdict::Warn => "warn",
            Verdict::Fail => "fail",
        }
    }
}

/// A check's verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The check.
    #[serde(rename = "id")]
    pub row: Row,
    /// Its verdict.
    pub verdict: Verdict,
    /// What was found, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Step {
    /// These requests are still unanswered.
    Ask(Vec<Request>),
    /// All checks, in the order of the catalogue.
    Done(Vec<Check>),
}

/// The options of an audit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether `/ask` may be asked a question, which may cost the site a model call.
    pub may_ask: bool,
    /// The present time in seconds since 1970, for `Expires`. Without it a response's `Date` counts.
    pub now: Option<u64>,
}

/// An audit of a site: what is looked at, and the responses so far.
#[derive(Debug)]
pub struct Audit {
    url: Url,
    pages: Vec<Url>,
    options: Options,
    web: exchange::Web,
}

impl Audit {
    /// An audit of the page at `url` and its site, and of further pages. Fragments are dropped, repeated pages too.
    #[must_use]
    pub fn new(mut url: Url, pages: Vec<Url>, options: Options) -> Self {
        url.set_fragment(None);
        let mut audit = Audit { pages: vec![url.clone()], url, options, web: exchange::Web::default() };
        audit.look_at(pages);
        audit
    }

    fn look_at(&mut self, pages: Vec<Url>) {
        let mut seen: std::collections::HashSet<Url> = self.pages.iter().cloned().collect();
        for mut page in pages {
            page.set_fragment(None);
            if seen.insert(page.clone()) {
                self.pages.push(page);
            }
        }
    }

    /// The pages that are looked at, the first one first.
    #[must_use]
    pub fn pages(&self) -> &[Url] {
        &self.pages
    }

    /// Adds up to `max` pages of the site, evenly spaced among those that the sitemap lists, else among those that llms.txt
    /// or the page links. Returns the requests that are needed to find them, and adds none until they are answered.
    #[must_use]
    pub fn add_listed(&mut self, max: usize) -> Vec<Request> {
        let look = checks::Look::new(self);
        let listed = look.listed(max);
        let wanted = look.into_wanted();
        if wanted.is_empty() {
            self.look_at(listed);
        }
        wanted.into_iter().collect()
    }

    /// The checks, or the requests that they still need.
    ///
    /// The number of steps is bounded: by chains of five redirects, and by what one document leads to another.
    pub fn step(&self) -> Step {
        let look = checks::Look::new(self);
        let checks = look.checks();
        let wanted = look.into_wanted();
        match wanted.is_empty() {
            true => Step::Done(checks),
            false => Step::Ask(wanted.into_iter().collect()),
        }
    }

    /// Records the response to a request. No answer is a response with status 0.
    pub fn answer(&mut self, request: Request, response: Response) {
        self.web.insert(request, response);
    }
}
