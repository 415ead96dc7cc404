//! `cargo run --release -p site -- serve`; `--help` lists the options.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use site::cli::{Cli, run};

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli, &mut std::io::stdout()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if standard error is closed too.
            let _closed = writeln!(std::io::stderr(), "site: {}", site::one_line(&error));
            ExitCode::FAILURE
        }
    }
}
