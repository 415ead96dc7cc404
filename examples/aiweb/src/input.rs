//! Files and standard input.

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::Failure;

/// Bytes with the name of where they came from.
#[derive(Debug)]
pub struct Input {
    /// The file as it was named, or `-` for standard input.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl Input {
    /// Reads the file, or standard input where there is none or it is called `-`.
    ///
    /// # Errors
    /// Where it cannot be read, with the file's name.
    pub fn read(file: Option<&Path>) -> Result<Self, Failure> {
        match file.filter(|file| *file != Path::new("-")) {
            Some(file) => {
                let bytes = read_file(file)?;
                Ok(Input { name: file.display().to_string(), bytes })
            }
            None => {
                let stdin = std::io::stdin();
                if stdin.is_terminal() {
                    let _closed = writeln!(std::io::stderr(), "aiweb: reading what you type; Ctrl-D ends it");
                }
                let mut bytes = Vec::new();
                let read = stdin.lock().read_to_end(&mut bytes);
                read.map_err(|error| Failure(format!("cannot read standard input: {error}")))?;
                Ok(Input { name: "-".to_owned(), bytes })
            }
        }
    }

    /// Reads all of these files; standard input where there is none.
    ///
    /// # Errors
    /// Those of [`Input::read`].
    pub fn read_all(files: &[PathBuf]) -> Result<Vec<Self>, Failure> {
        match files {
            [] => Ok(vec![Input::read(None)?]),
            files => files.iter().map(|file| Input::read(Some(file))).collect(),
        }
    }
}

/// The bytes of a file.
///
/// # Errors
/// Where it cannot be read, with the file's name.
#[expect(clippy::disallowed_methods, reason = "a file that was named on the command line")]
pub fn read_file(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file).map_err(|error| Failure(format!("cannot read {}: {error}", file.display())))
}

/// Writes a file, with the folders above it.
///
/// # Errors
/// Where it cannot be written, with the file's name.
#[expect(clippy::disallowed_methods, reason = "a file that the command is asked for")]
pub fn write_file(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = made.and_then(|()| std::fs::write(file, bytes));
    written.map_err(|error| Failure(format!("cannot write {}: {error}", file.display())))
}

/// Writes a new file that only its owner may read; one that is there already is kept.
///
/// # Errors
/// Where it cannot be written, or is there already, with the file's name.
pub fn write_secret(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut open = std::fs::OpenOptions::new();
    open.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    let written = open.open(file).and_then(|mut file| file.write_all(bytes));
    let name = file.display();
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Failure(format!("{name} exists; a key is never overwritten: name another file, or remove it"))
        }
        _ => Failure(format!("cannot write {name}: {error}")),
    })
}
