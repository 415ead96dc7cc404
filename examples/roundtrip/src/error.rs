use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why the whole run ends. What happens to a single page is a line of the report instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RoundtripError {
    /// The site's folder is missing or closed to us.
    #[error("cannot read the folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The site's folder has no pages.
    #[error("expected HTML files (*.html, *.htm) in {}, found none", path.display())]
    NoPages {
        /// The folder.
        path: PathBuf,
    },
    /// No page of the site can be published.
    #[error("none of the {pages} pages of {site} can be read; the first: {why}")]
    NothingToPublish {
        /// How many there are.
        pages: usize,
        /// The site's name.
        site: String,
        /// The first page's problem.
        why: String,
    },
    /// The address is taken or not ours.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address asked for.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
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
    /// The certificate or the TLS settings were refused.
    #[error("cannot set up TLS: {0}")]
    Tls(String),
    /// A library call of the protocol refused what we gave it.
    #[error("{0}")]
    Protocol(String),
    /// The publisher cannot be reached.
    #[error("cannot fetch {url}")]
    Fetch {
        /// The URL.
        url: String,
        /// What the client says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// No sitemap is linked from the front page.
    #[error("{url} links no JSON sitemap (rel=\"index\")")]
    NoSitemap {
        /// The front page.
        url: String,
    },
}

impl RoundtripError {
    /// The error and what caused it, on one line.
    #[must_use]
    pub fn one_line(&self) -> String {
        let mut line = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            let text = error.to_string();
            // Some libraries repeat their source's text.
            if !line.ends_with(&text) {
                line.push_str(": ");
                line.push_str(&text);
            }
            cause = error.source();
        }
        line
    }
}
