//! `completions` and `man`, by clap's own tools.

use std::path::Path;

use clap::CommandFactory as _;

use crate::Failure;
use crate::cli::Cli;
use crate::report::Report;

/// Prints a script that completes `aiweb` in a shell.
///
/// # Errors
/// If standard output is closed.
pub fn completions(shell: clap_complete::Shell, report: &mut Report) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "aiweb", &mut script);
    report.write(&script)
}

/// Prints the manual page of `aiweb`, or writes those of all commands to a folder.
///
/// # Errors
/// If standard output is closed or the folder cannot be written to.
pub fn man(folder: Option<&Path>, report: &mut Report) -> Result<(), Failure> {
    match folder {
        None => Ok(clap_mangen::Man::new(Cli::command()).render(report)?),
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
            .map_err(|error| Failure(format!("cannot write to {}: {error}", folder.display()))),
    }
}
