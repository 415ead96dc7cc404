//! `conformance < requests.jsonl > answers.jsonl`

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    match conformance::run(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the answers has gone: nobody is left to tell.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("conformance: {error}");
            ExitCode::FAILURE
        }
    }
}
