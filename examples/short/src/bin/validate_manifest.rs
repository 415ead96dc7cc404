//! Checks a manifest of llmindex in CI.
//!
//! ```text
//! $ cargo run -p short --bin validate_manifest -- .well-known/llmindex.json
//! .well-known/llmindex.json: error at /language: expected a BCP 47 language tag, found `en_US` (LLMI-MAN-7)
//! ```
//!
//! The exit status is 0 if the manifest is valid, 1 if it has an error (with `--strict`: any finding), 2 if it cannot be
//! read.

use std::process::ExitCode;

use llmindex_types::{Options, validate};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program prints its answer")]
#[expect(clippy::disallowed_methods, reason = "the file that was named")]
fn main() -> ExitCode {
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let is_strict = flags == ["--strict"];
    if files.is_empty() || !(flags.is_empty() || is_strict) {
        eprintln!("usage: validate_manifest [--strict] FILE...");
        return ExitCode::from(2);
    }
    let mut is_good = true;
    for file in &files {
        let report = std::fs::read(file)
            .map_err(|error| error.to_string())
            .and_then(|bytes| validate(&bytes, &Options::default()).map_err(|error| error.to_string()));
        let report = match report {
            Ok(report) => report,
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        };
        for finding in report.findings() {
            println!("{file}: {finding} ({})", finding.requirement());
        }
        is_good &= if is_strict { report.findings().is_empty() } else { report.is_valid() };
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
