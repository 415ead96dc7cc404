//! Writes `CONFORMANCE.md` and `DECISIONS.md` anew: `cargo run -p spec-vectors --example report`.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool that writes two pages and says so"
)]

#[path = "../tests/it/report/mod.rs"]
mod report;

use std::process::ExitCode;

fn main() -> ExitCode {
    for (path, text) in report::pages() {
        if let Err(error) = std::fs::write(&path, text) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
        println!("wrote {}", path.display());
    }
    ExitCode::SUCCESS
}
