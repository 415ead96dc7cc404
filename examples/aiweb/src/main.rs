//! `aiweb --help` says what there is; everything happens in the library.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    aiweb::run(&aiweb::cli::Cli::parse())
}
