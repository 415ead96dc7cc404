//! The command line.

use std::path::PathBuf;

use aidocument::{SentUserAgent, StatusCode, Timestamp, WebUrl};
use clap::Parser;

/// Turns HTML into Markdown, plain text or an AIDocument.
///
/// A file gives its main content as Markdown. Without --url the targets in the Markdown stay as the page has them. With --json
/// it gives the whole document, whose URL has to be told: nobody saw where the file came from. A folder gives one line of JSON for
/// each of its .html and .html.gz files, {"id": …, "text": …}, with the file's name before .html; there the page's h1 is left out of
/// the text unless it is content itself, as scorers of main content expect. With --json the line's second member is the document, and
/// --url is the address of the folder.
#[derive(Debug, Clone, Parser)]
#[command(name = "extract", version)]
pub struct Cli {
    /// A file, a folder, or `-` for standard input; `aiweb extract` takes a URL as well, and fetches it as robots.txt allows
    #[arg(value_name = "FILE|FOLDER|URL", default_value = "-")]
    pub input: PathBuf,
    /// The page's URL
    #[arg(long, value_name = "URL")]
    pub url: Option<WebUrl>,
    /// The value of the Content-Type field, which may name the encoding
    #[arg(long, value_name = "TYPE")]
    pub content_type: Option<String>,
    /// Print the main content as Markdown (the default)
    #[arg(long, conflicts_with_all = ["text", "json"])]
    pub markdown: bool,
    /// Print the main content as plain text
    #[arg(long, conflicts_with = "json")]
    pub text: bool,
    /// Print the whole document as JSON
    #[arg(long)]
    pub json: bool,
    /// The version of AIWebIndex that the document follows; 1.0 has to be told --fetched-at, --status and --user-agent
    #[arg(long, value_name = "VERSION", value_parser = ["1.0", "2.0"], default_value = "2.0")]
    pub document_version: String,
    /// When the page was fetched, such as 2026-11-23T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub fetched_at: Option<Timestamp>,
    /// The status that the page came with
    #[arg(long, value_name = "STATUS", value_parser = status)]
    pub status: Option<StatusCode>,
    /// The User-Agent that asked for it: that of an AIWebIndex crawler
    #[arg(long, value_name = "VALUE")]
    pub user_agent: Option<SentUserAgent>,
    /// Take the content of the first element that this CSS selector matches
    #[arg(long, value_name = "CSS")]
    pub selector: Option<String>,
    /// Print what is left out since readers do not see it: why, how long, where, and the text
    #[arg(long, conflicts_with_all = ["text", "json", "markdown"])]
    pub hidden: bool,
    /// Leave the page's h1 out, unless it is content itself
    #[arg(long)]
    pub no_title: bool,
}

impl Cli {
    /// The input, where it is a URL and not a file.
    #[must_use]
    pub fn url_to_fetch(&self) -> Option<&str> {
        self.input.to_str().filter(|text| text.starts_with("https://") || text.starts_with("http://"))
    }
}

/// Reads a status.
fn status(text: &str) -> Result<StatusCode, String> {
    let number = text.parse().ok().and_then(StatusCode::new);
    number.ok_or_else(|| format!("expected a status from 100 to 599, found `{text}`"))
}
