//! The crawler's output: JSON lines, each printed after its change is committed to the store.
//!
//! So a line comes at most once: where the program is killed between commit and line, what it would have told is stored and not
//! told. `done` alone comes at least once: it is told before the crawl is closed, so that nobody waits for it in vain.

use std::fmt;

use serde::{Deserialize, Serialize};

use signals::TctPolicy;

use crate::steps::usage::Rates;
use crate::store::Kind;

/// A line of the output.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Line {
    /// A site's robots.txt was read, or taken from the store.
    Robots {
        /// The site's origin.
        site: String,
        /// What may be fetched: `rules`, `allow-all`, `disallow-all`.
        access: &'static str,
        /// Seconds between two fetches that it asks for.
        #[serde(skip_serializing_if = "Option::is_none")]
        crawl_delay_s: Option<f64>,
        /// A problem with the request, such as a timeout.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// An llmindex manifest was asked for.
    Manifest {
        /// Its URL.
        url: String,
        /// The state that follows from the response, such as `supported`.
        state: String,
        /// The version in the manifest, such as `0.2`.
        #[serde(skip_serializing_if = "Option::is_none")]
        version: Option<String>,
        /// Whether it is valid, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        valid: Option<bool>,
        /// The result of checking its signature, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<&'static str>,
        /// Errors and warnings about it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        findings: Vec<String>,
    },
    /// A product feed was read.
    Feed {
        /// Its URL.
        url: String,
        /// Lines that hold a valid product.
        products: u64,
        /// Lines that do not.
        bad_lines: u64,
    },
    /// The ownership of a domain was checked.
    Ownership {
        /// The domain.
        domain: String,
        /// The protocol, such as `llmindex 0.2`.
        protocol: String,
        /// `dns` or `file`.
        by: &'static str,
        /// Whether it is proven.
        verified: bool,
        /// The reason's stable name.
        why: String,
    },
    /// A sitemap, or the policy, was asked for.
    Sitemap {
        /// Its URL.
        url: String,
        /// The result, such as `read`, `unchanged`, `missing`, `broken`; `item` is about one entry.
        state: &'static str,
        /// How many entries it has.
        #[serde(skip_serializing_if = "Option::is_none")]
        items: Option<u64>,
        /// An error or a warning.
        #[serde(skip_serializing_if = "String::is_empty")]
        why: String,
    },
    /// The site's policy was read.
    Policy {
        /// The site's origin.
        site: String,
        /// What it says about use.
        usage: TctPolicy,
        /// The request rates that it states.
        rates: Rates,
    },
    /// All twins of a site that need a visit were visited.
    Sitemaps {
        /// The site's origin.
        site: String,
        /// How many sitemaps it has.
        sitemaps: usize,
        /// How many pages they list.
        pages: u64,
        /// Pages that are held and needed no request.
        unchanged: u64,
        /// Pages that were asked about.
        visited: u64,
    },
    /// Twins of a site were refused for this reason, and their pages are read as HTML.
    TwinsRefused {
        /// The site's origin.
        site: String,
        /// How many.
        twins: u64,
        /// The first of the pages.
        first: String,
        /// The reason.
        why: String,
    },
    /// A site has no twins, as far as can be seen.
    NoTwins {
        /// The site's origin.
        site: String,
        /// The places that were tried.
        why: String,
    },
    /// No sitemap lists the page any more. Its text stays stored, and is requested again from time
    /// to time.
    Unlisted {
        /// The page.
        url: String,
    },
    /// The page's twin is gone: as its server says (410; the text goes too), or because no sitemap lists it and it is not
    /// there (404; the text stays, marked in the export).
    Gone {
        /// The page.
        url: String,
        /// The status.
        status: u16,
    },
    /// A body is in the store.
    Stored {
        /// The URL that it is held under.
        url: String,
        /// What it is.
        kind: Kind,
        /// Where it came from, if not from that URL.
        #[serde(skip_serializing_if = "Option::is_none")]
        source: Option<String>,
        /// Its title.
        #[serde(skip_serializing_if = "String::is_empty")]
        title: String,
        /// Its length.
        bytes: usize,
        /// Warnings about it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        findings: Vec<String>,
    },
    /// The stored body is current: the server answered 304 or sent the same bytes.
    Kept {
        /// The URL that it is held under.
        url: String,
        /// What it is.
        kind: Kind,
    },
    /// The page leads to another one, which is queued.
    Redirected {
        /// The page.
        url: String,
        /// The other one.
        to: String,
    },
    /// A page could not be fetched or may not be stored, which is not a failure.
    Passed {
        /// Its URL.
        url: String,
        /// Why, such as `robots`, `not-found`, `noindex`.
        why: &'static str,
        /// The same in a sentence for people.
        #[serde(skip_serializing_if = "String::is_empty")]
        detail: String,
    },
    /// Something went wrong.
    Failed {
        /// The URL.
        url: String,
        /// Why: the stable name.
        why: &'static str,
        /// The same for people.
        detail: String,
        /// How often it was tried.
        tries: u32,
    },
    /// The site is left for a later run; what is still to do on it stays in the store.
    Postponed {
        /// The site's origin.
        site: String,
        /// Why.
        why: String,
    },
    /// Everything is done.
    Done {
        /// The number of the crawl.
        crawl: u64,
        /// Whether it is finished, or sites were postponed.
        finished: bool,
        /// The counts since the crawl's first start.
        counts: Counts,
    },
}

/// The counts of a crawl.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Tasks that were queued.
    pub queued: u64,
    /// Tasks that are done.
    pub done: u64,
    /// Requests whose tasks are done.
    pub requests: u64,
    /// Those among them for pages and their twins.
    pub page_requests: u64,
    /// Bytes of bodies, as they came.
    pub received: u64,
    /// Bodies stored.
    pub stored: u64,
    /// Bodies that the server confirmed.
    pub kept: u64,
    /// Pages that needed no request.
    pub unchanged: u64,
    /// Pages that could not be fetched or may not be stored, without an error.
    pub passed: u64,
    /// Failed tasks.
    pub failed: u64,
    /// Links that were left out: the site has more pages than allowed.
    pub left_out: u64,
}

impl Counts {
    /// Adds the other counts.
    pub fn add(&mut self, other: &Counts) {
        self.queued += other.queued;
        self.done += other.done;
        self.requests += other.requests;
        self.page_requests += other.page_requests;
        self.received += other.received;
        self.stored += other.stored;
        self.kept += other.kept;
        self.unchanged += other.unchanged;
        self.passed += other.passed;
        self.failed += other.failed;
        self.left_out += other.left_out;
    }
}

impl fmt::Display for Counts {
    /// What came of the pages, as far as there were any, then the requests: `366 pages unchanged, 1 request`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcomes = [
            (self.stored, "stored"),
            (self.kept, "kept after a request"),
            (self.unchanged, "unchanged"),
            (self.passed, "passed over"),
            (self.failed, "failed"),
        ];
        let mut noun = " pages";
        for (number, outcome) in outcomes.into_iter().filter(|(number, _)| *number > 0) {
            let noun = std::mem::take(&mut noun);
            let noun = if number == 1 { noun.trim_end_matches('s') } else { noun };
            write!(f, "{number}{noun} {outcome}, ")?;
        }
        match self.requests {
            1 => f.write_str("1 request")?,
            number => write!(f, "{number} requests")?,
        }
        match self.received {
            0 => Ok(()),
            bytes => write!(f, ", {bytes} bytes"),
        }
    }
}
