//! `cargo run --release -p crawler`; `--help` lists the options.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use crawler::{Cli, Summary};

#[tokio::main]
async fn main() -> ExitCode {
    // A panic of the store's engine becomes an error, which says what a user can do.
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.location().is_none_or(|at| !at.file().contains("/redb-")) {
            tell(panic);
        }
    }));
    let cli = Cli::parse();
    // Listening begins with the first poll.
    let stopped = tokio::select! {
        ended = crawler::run(&cli) => ended,
        Ok(()) = tokio::signal::ctrl_c() => Ok(Summary::stopped()),
    };
    let (text, code) = match stopped {
        Err(error) if error.is_broken_pipe() => return ExitCode::SUCCESS,
        // 1: something of the sites could not be had; 2: the command could not do its work.
        Ok(Summary { text, failed }) => (text, ExitCode::from(u8::from(failed > 0))),
        Err(error) => (error.one_line(), ExitCode::from(2)),
    };
    // Nobody is left to tell if standard error is closed too.
    let _closed = writeln!(std::io::stderr(), "crawler: {text}");
    code
}
