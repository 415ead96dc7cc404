use std::io;
use std::path::PathBuf;

use site::SiteError;

/// Why the whole run ends. What happens to a single page is a line of the report instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RoundtripError {
    /// The site cannot be published.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// A file or folder that we write to is closed to us.
    #[error("cannot {action} {}", path.display())]
    File {
        /// What was tried, such as "write".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The cache's index is no index of ours.
    #[error("the cache index {} cannot be used", path.display())]
    CacheIndex {
        /// The index file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The TLS settings were refused.
    #[error("cannot set up TLS: {0}")]
    Tls(String),
    /// A task of ours ended before its time.
    #[error("a task ended early: {0}")]
    Task(String),
    /// The publisher cannot be reached.
    #[error("cannot fetch {url}")]
    Fetch {
        /// The URL.
        url: String,
        /// What the client says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The policy descriptor forbids what we came for.
    #[error("the policy of {site} does not allow its text as a model's input")]
    Denied {
        /// The front page.
        site: String,
    },
    /// No sitemap is linked from the front page.
    #[error("{url} links no JSON sitemap (rel=\"index\")")]
    NoSitemap {
        /// The front page.
        url: String,
    },
}
