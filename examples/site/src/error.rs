use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a site cannot be published. Errors of a single page are in [`Site::passed_over`].
///
/// [`Site::passed_over`]: crate::files::Site::passed_over
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// The site's folder is missing or closed to us.
    #[error("cannot read the folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The site's folder has no pages.
    #[error("expected pages (*.html, *.htm, *.md) in {}, found none", path.display())]
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
    /// A file that was named cannot be read or written.
    #[error("cannot {action} {}", path.display())]
    File {
        /// What was tried, such as "read".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The settings are no TOML, or not of the form that `site.toml` has.
    #[error("the settings {} cannot be used", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<toml::de::Error>,
    },
    /// Something that the settings ask for breaks a rule of its protocol.
    #[error("{what}: {why}")]
    Refused {
        /// What was to be published, such as "/.well-known/llmindex.json".
        what: String,
        /// What the library says.
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
    /// The certificate or the TLS settings were refused.
    #[error("cannot set up TLS: {0}")]
    Tls(String),
    /// A task of ours ended before its time.
    #[error("a task ended early: {0}")]
    Task(String),
}

impl SiteError {
    /// Something that a library refused to publish.
    pub(crate) fn refused(what: impl Into<String>, why: impl ToString) -> Self {
        SiteError::Refused { what: what.into(), why: why.to_string() }
    }
}

/// An error and what caused it, on one line.
#[must_use]
pub fn one_line(error: &dyn std::error::Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Some libraries repeat their source's text.
        if !line.ends_with(&text) {
            line.push_str(": ");
            line.push_str(text.trim_end());
        }
        cause = error.source();
    }
    line
}
