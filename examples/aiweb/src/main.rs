//! `aiweb --help` lists the commands; the library does the work.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    aiweb::run(&aiweb::cli::Cli::parse())
}
