//! `cargo run --release -p audit -- --demo`; `--help` lists the other options.

use std::io::{IsTerminal as _, Write};
use std::process::ExitCode;

use audit::cli::{Cli, run, wants_colour};
use clap::Parser;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let colour = wants_colour(std::io::stdout().is_terminal(), |name| std::env::var_os(name));
    match run(&cli, colour, None, &mut std::io::stdout()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            // Nobody is left to tell if standard error is closed too.
            let _closed = writeln!(std::io::stderr(), "audit: {}", site::one_line(&error));
            ExitCode::from(2)
        }
    }
}
