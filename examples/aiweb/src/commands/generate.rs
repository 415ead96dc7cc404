//! `completions` and `man`, by clap's own tools.

use std::path::Path;

use clap::CommandFactory as _;

use crate::Failure;
use crate::cli::Cli;

/// Prints a script that completes `aiweb` in a shell.
///
/// # Errors
/// Where standard output is closed.
pub fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "aiweb", &mut script);
    Ok(std::io::Write::write_all(&mut std::io::stdout(), &script)?)
}

/// Prints the manual page of `aiweb`, or writes those of all commands to a folder.
///
/// # Errors
/// Where standard output is closed or the folder cannot be written to.
pub fn man(folder: Option<&Path>) -> Result<(), Failure> {
    match folder {
        None => Ok(clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout())?),
        Some(folder) => {
            std::fs::create_dir_all(folder)?;
            Ok(clap_mangen::generate_to(Cli::command(), folder)?)
        }
    }
}
