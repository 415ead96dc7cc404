use std::path::PathBuf;

/// Why the whole crawl ends. Errors of a single page are lines of the output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrawlerError {
    /// A start URL is not a URL.
    #[error("expected an https or http URL without credentials, found {text:?}")]
    Start {
        /// What was given.
        text: String,
    },
    /// The crawler's identity is refused by the specification.
    #[error("cannot introduce the crawler")]
    Identity(#[from] robots::AiWebIndexAgentError),
    /// More hosts asked for a pause than are remembered.
    #[error(transparent)]
    Pauses(#[from] robots::PacerFull),
    /// A pace that is allowed only for this machine.
    #[error("expected a cooldown of 2 s or more, found {found_s} s: less is for loopback addresses alone")]
    Cooldown {
        /// What was asked for.
        found_s: f64,
    },
    /// An expected ownership token is not `DOMAIN=TOKEN`, or one of the two is refused.
    #[error("cannot use {text:?} as DOMAIN=TOKEN: {why}")]
    Token {
        /// What was given, without the token.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file that was named on the command line.
    #[error("cannot use {}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// TLS or the HTTP client cannot be set up.
    #[error("cannot set up the client: {0}")]
    Client(String),
    /// Another process has the store open.
    #[error("the store is in use by another process: one crawl at a time has it")]
    Locked,
    /// Another version of this program made the store. It is left as it is.
    #[error(
        "the store was made by another version of this program (its form is {found}): nothing in it was changed"
    )]
    Version {
        /// The number of its form.
        found: String,
    },
    /// There is no more room for the store.
    #[error(
        "the disk is full: everything reported as stored is stored; free some space and run the same command again to continue"
    )]
    DiskFull,
    /// The file of the store is not what was written to it.
    #[error(
        "the store is damaged: nothing more was written to it; `--export` prints what can still be read, and another file begins anew"
    )]
    Damaged,
    /// The store cannot be opened, read or written.
    #[error("the store failed")]
    Store(#[source] redb::Error),
    /// A record of the store cannot be decoded.
    #[error("the store holds a record that cannot be read")]
    Record(#[from] serde_json::Error),
    /// Lines cannot be written any more.
    #[error("cannot write the output")]
    Output(#[from] std::io::Error),
    /// The site to be crawled by default cannot be started.
    #[error("cannot start the embedded site: {0}")]
    Site(String),
    /// A part of the program ended before its time.
    #[error("{0} ended before its time")]
    Ended(&'static str),
}

impl From<redb::Error> for CrawlerError {
    fn from(error: redb::Error) -> Self {
        match error {
            redb::Error::DatabaseAlreadyOpen => CrawlerError::Locked,
            redb::Error::UpgradeRequired(version) => {
                CrawlerError::Version { found: format!("file {version}") }
            }
            redb::Error::Corrupted(_) => CrawlerError::Damaged,
            redb::Error::Io(error) if error.kind() == std::io::ErrorKind::StorageFull => {
                CrawlerError::DiskFull
            }
            error => CrawlerError::Store(error),
        }
    }
}

macro_rules! from_redb {
    ($($error:ident),*) => {
        $(impl From<redb::$error> for CrawlerError {
            fn from(error: redb::$error) -> Self {
                redb::Error::from(error).into()
            }
        })*
    };
}

from_redb!(CommitError, DatabaseError, StorageError, TableError, TransactionError);

impl CrawlerError {
    /// Whether nobody reads the output any more, as behind `| head`: the end of the program, and not a fault.
    #[must_use]
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, CrawlerError::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }

    /// The error and what caused it, on one line.
    #[must_use]
    pub fn one_line(&self) -> String {
        let mut line = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            let text = error.to_string();
            if !line.ends_with(&text) {
                line.push_str(": ");
                line.push_str(&text);
            }
            cause = error.source();
        }
        line
    }
}
