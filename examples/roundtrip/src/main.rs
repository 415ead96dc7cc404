//! `cargo run -p roundtrip`, and `--help` says what else there is.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use roundtrip::Cli;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    match roundtrip::run(&cli, &mut std::io::stdout()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if standard error is closed too.
            let _closed = writeln!(std::io::stderr(), "roundtrip: {}", site::one_line(&error));
            ExitCode::FAILURE
        }
    }
}
