//! The protocols of the AI-readable web on the command line, as one program: `aiweb`.
//!
//! ```text
//! arguments ─▶ cli ─▶ commands ─┬─▶ a crate's verdict ─▶ findings ─▶ report ─▶ a terminal: text with carets
//!      files, pipe ─▶ input ────┘                                          └─▶ a pipe: one JSON object a line
//! ```
//!
//! | module | its task |
//! |---|---|
//! | [`cli`] | the command line |
//! | [`input`] | files and standard input |
//! | [`place`] | line, column, and the line of text with a caret under the byte |
//! | [`people`] | the crawler's lines, for people |
//! | [`report`] | results and findings, as text or as JSON lines |
//! | [`commands`] | one function for each command |
//! | [`build`] | what `aiweb build` writes beside a finished static site |
//!
//! The exit status is 0 where everything is fine, 1 where a check found something or pages of a crawl failed, 2 where the
//! command could not do its work: a wrong argument, a file that cannot be read.

use std::io::Write as _;
use std::process::ExitCode;

pub mod build;
pub mod cli;
pub mod commands;
pub mod input;
pub mod people;
pub mod place;
pub mod report;

use cli::{Cli, Command};
use report::Report;

/// Why a command could not do its work, in one sentence.
#[derive(Debug)]
pub struct Failure(pub String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure(site::one_line(&error))
    }
}

/// Runs the command line, and returns its exit status.
#[must_use]
pub fn run(cli: &Cli) -> ExitCode {
    let mut report = Report::new(cli.format, cli.color);
    let ended = match &cli.command {
        Command::Fingerprint(arguments) => commands::text::fingerprint(arguments, &mut report),
        Command::Normalize(arguments) => commands::text::normalize(arguments, &mut report),
        Command::Canonical(arguments) => commands::text::canonical(arguments, &mut report),
        Command::Extract(arguments) => commands::extract(arguments, cli.format, &mut report),
        Command::Robots(arguments) => commands::robots(&arguments.command, &mut report),
        Command::Manifest(arguments) => commands::check::manifest(&arguments.command, &mut report),
        Command::Feed(arguments) => commands::check::feed(&arguments.command, &mut report),
        Command::Sitemap(arguments) => commands::check::sitemap(&arguments.command, &mut report),
        Command::Token(arguments) => commands::proof::token(arguments, &mut report),
        Command::Keygen(arguments) => commands::proof::keygen(arguments, &mut report),
        Command::Sign(arguments) => commands::proof::sign(arguments, &mut report),
        Command::Verify(arguments) => commands::proof::verify(arguments, &mut report),
        Command::Audit(arguments) => commands::network::audit(arguments, &mut report),
        Command::Serve(arguments) => commands::network::serve(arguments),
        Command::Crawl(arguments) => commands::network::crawl(arguments, &mut report),
        Command::Mcp(arguments) => commands::network::mcp(arguments, &mut report),
        Command::Build(arguments) => build::run(arguments, &mut report),
        Command::Completions { shell } => commands::generate::completions(*shell, &mut report),
        Command::Man { folder } => commands::generate::man(folder.as_deref(), &mut report),
    };
    match ended.and_then(|()| report.flush()) {
        Ok(()) if report.has_findings() => ExitCode::from(1),
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough, such as `head`, has closed the pipe.
        Err(_) if report.is_closed() => ExitCode::SUCCESS,
        Err(Failure(why)) => {
            // With standard error closed too, there is nowhere left to write to.
            let _closed = writeln!(std::io::stderr(), "aiweb: {why}");
            ExitCode::from(2)
        }
    }
}
