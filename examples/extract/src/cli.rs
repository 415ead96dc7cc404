//! The command line.

use std::path::PathBuf;

use aidocument::WebUrl;
use clap::Parser;

/// Turns HTML into an AIDocument, Markdown or plain text.
///
/// A file gives the document as JSON, or with --markdown or --text its main content alone. Without --url the targets in
/// the Markdown stay as the page has them. A folder gives one line of JSON for each of its .html and .html.gz files,
/// {"id": …, "text": …}, with the file's name before .html; there the page's h1 is left out of the text unless it is
/// content itself, as scorers of main content expect. With --json the line's second member is the document.
#[derive(Debug, Clone, Parser)]
#[command(name = "extract", version)]
pub struct Cli {
    /// A file, a folder, or `-` for standard input
    #[arg(value_name = "FILE|FOLDER", default_value = "-")]
    pub input: PathBuf,
    /// The page's URL
    #[arg(long, value_name = "URL")]
    pub url: Option<WebUrl>,
    /// The value of the Content-Type field, which may name the encoding
    #[arg(long, value_name = "TYPE")]
    pub content_type: Option<String>,
    /// Print the main content as Markdown
    #[arg(long, conflicts_with_all = ["text", "json"])]
    pub markdown: bool,
    /// Print the main content as plain text
    #[arg(long, conflicts_with = "json")]
    pub text: bool,
    /// Print the whole document as JSON (the default)
    #[arg(long)]
    pub json: bool,
    /// The version of AIWebIndex that the document follows
    #[arg(long, value_name = "VERSION", value_parser = ["1.0", "2.0"], default_value = "1.0")]
    pub document_version: String,
    /// Take the content of the first element that this selects: main, #id, .class, [attribute=value]
    #[arg(long, value_name = "CSS")]
    pub selector: Option<String>,
    /// Leave the page's h1 out, unless it is content itself
    #[arg(long)]
    pub no_title: bool,
}
