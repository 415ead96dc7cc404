//! `cargo run --release -p crawler`, and `--help` says what else there is.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use crawler::Cli;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    // Listening begins with the first poll.
    let stopped = tokio::select! {
        ended = crawler::run(&cli) => ended,
        Ok(()) = tokio::signal::ctrl_c() => Ok("stopped; the same command goes on from here".to_owned()),
    };
    let (text, code) = match stopped {
        Err(error) if error.is_broken_pipe() => return ExitCode::SUCCESS,
        Ok(text) => (text, ExitCode::SUCCESS),
        Err(error) => (error.one_line(), ExitCode::FAILURE),
    };
    // Nobody is left to tell if standard error is closed too.
    let _closed = writeln!(std::io::stderr(), "crawler: {text}");
    code
}
