//! `cargo run --release -p test-sites -- serve --variant plugin`, and `--help` says what else there is.

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use site::cli::Serve;
use site::{SiteError, one_line};
use test_sites::Variant;

mod attack;
mod bench;
mod soak;

use attack::Attack;
use bench::Bench;
use soak::Soak;

/// Serves the example site with mistakes, or puts it under load.
#[derive(Debug, Parser)]
#[command(name = "test-sites", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve a variant of a site until Ctrl-C
    #[command(name = "serve")]
    Start {
        /// What is wrong with it
        #[arg(long, value_enum, default_value_t)]
        variant: Variant,
        #[command(flatten)]
        serve: Box<Serve>,
    },
    /// Measure under load from `wrk`, beside somebody who does the same without the library
    Bench(Bench),
    /// Stand silent, slow and broken clients while others are answered: 10,000 of them, a second process, loopback alone
    Attack(Attack),
    /// Let the crawler loose on a mix of all faults, and watch its memory
    Soak(Soak),
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Cli::parse(), &mut std::io::stdout()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if standard error is closed too.
            let _closed = writeln!(std::io::stderr(), "test-sites: {}", one_line(&error));
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: &Cli, out: &mut (dyn Write + Send)) -> Result<(), SiteError> {
    match &cli.command {
        Command::Bench(bench) => bench::run(bench, out).await,
        Command::Attack(attack) => attack::run(attack, out).await,
        Command::Soak(soak) => soak::run(soak, out).await,
        Command::Start { variant, serve } => {
            let running = test_sites::start(serve.options(), *variant).await?;
            site::cli::serve_until_stopped(serve, running, out).await
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
        let cli = ["test-sites", "serve", "--variant", "plugin", "--plain"];
        assert!(Cli::try_parse_from(cli).is_ok());
        assert!(Cli::try_parse_from(["test-sites", "bench", "layer-304"]).is_ok());
        assert!(Cli::try_parse_from(["test-sites", "attack", "--seconds", "3600"]).is_ok());
        assert!(Cli::try_parse_from(["test-sites", "attack", "--attackers", "10001"]).is_err());
    }
}
