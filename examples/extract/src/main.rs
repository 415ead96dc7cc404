//! `extract --help` says what there is; `aiweb extract` is the same.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let cli = extract::cli::Cli::parse();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match extract::run(&cli, &mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("extract: {error}");
            ExitCode::from(2)
        }
    }
}
