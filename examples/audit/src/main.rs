//! `cargo run --release -p audit -- --demo`, and `--help` says what else there is.

use std::io::Write;
use std::process::ExitCode;

use audit::cli::{Cli, run};
use clap::Parser;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli, &mut std::io::stdout()).await {
        Ok(true) => ExitCode::SUCCESS,
        // The demonstration is there to show findings.
        Ok(false) if cli.demo => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            // Nobody is left to tell if standard error is closed too.
            let _closed = writeln!(std::io::stderr(), "audit: {}", site::one_line(&error));
            ExitCode::from(2)
        }
    }
}
