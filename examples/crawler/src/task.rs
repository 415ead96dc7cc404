//! Tasks, which stay in the store until they are done.

use serde::{Deserialize, Serialize};
use url::Url;

/// A piece of work on one site. One that was begun and not finished is done again: nothing of it was stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The work.
    pub work: Work,
    /// How often it was tried.
    pub tries: u32,
    /// Not to be done before this time, in seconds since 1970.
    pub not_before: u64,
}

/// The kinds of work, in the order in which a site's are done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// A start URL: find out whether its site speaks TCT, and visit the twins that need it.
    Start(PageWork),
    /// Read the llmindex manifest.
    Manifest,
    /// Read a product feed.
    Feed {
        /// Its name in the manifest.
        name: String,
        /// Its address.
        url: Url,
    },
    /// Prove who owns the domain.
    Ownership,
    /// Fetch a page, and extract its document.
    Page(PageWork),
}

/// A page to fetch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageWork {
    /// Its address.
    pub url: Url,
    /// Links between it and the start.
    pub depth: u32,
    /// The addresses that redirected here.
    pub trail: Vec<Url>,
}

impl PageWork {
    /// A page at the end of that many links.
    #[must_use]
    pub fn new(mut url: Url, depth: u32) -> Self {
        url.set_fragment(None);
        PageWork { url, depth, trail: Vec::new() }
    }
}

impl Work {
    /// The place in the order of a site's work.
    #[must_use]
    pub const fn priority(&self) -> u8 {
        match self {
            Work::Start(_) => 0,
            Work::Manifest => 1,
            Work::Ownership => 2,
            Work::Feed { .. } => 3,
            Work::Page(_) => 4,
        }
    }

    /// Whether the crawl of a site begins with it, as opposed to what was found there.
    #[must_use]
    pub const fn is_first(&self) -> bool {
        matches!(self, Work::Start(_) | Work::Manifest | Work::Ownership)
    }

    /// What is done only once in a crawl.
    #[must_use]
    pub fn once(&self, site: &str) -> String {
        match self {
            Work::Start(start) => format!("start {}", start.url),
            Work::Manifest => format!("manifest {site}"),
            Work::Ownership => format!("ownership {site}"),
            Work::Feed { url, .. } => format!("feed {url}"),
            Work::Page(page) => page.url.to_string(),
        }
    }

    /// What the work is about, for a line of the output.
    #[must_use]
    pub fn subject(&self, origin: &Url) -> String {
        match self {
            Work::Start(page) | Work::Page(page) => page.url.to_string(),
            Work::Manifest | Work::Ownership => llmindex_types::manifest_url(origin).to_string(),
            Work::Feed { url, .. } => url.to_string(),
        }
    }
}

impl From<Work> for Task {
    fn from(work: Work) -> Self {
        Task { work, tries: 0, not_before: 0 }
    }
}
