//! Files and standard input.

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::Failure;
use crate::report::Report;

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
    /// If it cannot be read, with the file's name.
    pub fn read(file: Option<&Path>) -> Result<Self, Failure> {
        let (name, mut from) = open(file)?;
        let mut bytes = Vec::new();
        match from.read_to_end(&mut bytes) {
            Ok(_) => Ok(Input { name, bytes }),
            Err(error) => Err(Failure(format!("cannot read {name}: {error}"))),
        }
    }

    /// Reads these files one after the other, standard input where there is none, and hands each on before the next is read.
    /// Of several, one that cannot be read is named on standard error and the others are read all the same.
    ///
    /// # Errors
    /// Those of [`Input::read`] where there is no other file, and those of `each`.
    pub fn each(
        files: &[PathBuf],
        report: &mut Report,
        mut each: impl FnMut(Input, &mut Report) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let [] | [_] = files {
            return each(Input::read(files.first().map(PathBuf::as_path))?, report);
        }
        for file in files {
            match Input::read(Some(file)) {
                Ok(input) => each(input, report)?,
                Err(why) => report.unreadable(&why)?,
            }
        }
        Ok(())
    }
}

/// A file or standard input, opened, with its name.
///
/// # Errors
/// If it cannot be opened, with the file's name.
#[expect(clippy::disallowed_methods, reason = "a file that was named on the command line")]
pub fn open(file: Option<&Path>) -> Result<(String, Box<dyn std::io::Read>), Failure> {
    match file.filter(|file| *file != Path::new("-")) {
        Some(file) => {
            let name = file.display().to_string();
            match std::fs::File::open(file) {
                Ok(file) => Ok((name, Box::new(file))),
                Err(error) => Err(Failure(format!("cannot read {name}: {error}"))),
            }
        }
        None => {
            if std::io::stdin().is_terminal() {
                let _closed = writeln!(std::io::stderr(), "aiweb: reading what you type; Ctrl-D ends it");
            }
            Ok(("-".to_owned(), Box::new(std::io::stdin().lock())))
        }
    }
}

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read, with the file's name.
#[expect(clippy::disallowed_methods, reason = "a file that was named on the command line")]
pub fn read_file(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file).map_err(|error| Failure(format!("cannot read {}: {error}", file.display())))
}

/// What the name of a file that is still being written ends in.
pub const UNFINISHED: &str = ".aiweb-new";

/// Writes a file, with the folders above it: first beside its place, then renamed into it, so that a reader sees the old
/// bytes or the new ones. A file that is replaced keeps its permissions.
///
/// # Errors
/// If it cannot be written, with the file's name.
pub fn write_file(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_with(file, bytes, None)
}

/// The same with the time of the file that is replaced. The new file has it before it is in its place: a build that is
/// killed in between leaves no new time behind, and afterwards a file that is read-only could not be opened to set it.
///
/// # Errors
/// If it cannot be written, with the file's name.
pub fn write_file_of_same_time(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_with(file, bytes, std::fs::metadata(file).and_then(|facts| facts.modified()).ok())
}

fn write_with(file: &Path, bytes: &[u8], time: Option<SystemTime>) -> Result<(), Failure> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(UNFINISHED);
    let beside = PathBuf::from(beside);
    let write = || {
        file.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        let mut new = std::fs::File::create(&beside)?;
        new.write_all(bytes)?;
        time.map_or(Ok(()), |time| new.set_modified(time))?;
        if let Ok(facts) = std::fs::metadata(file) {
            new.set_permissions(facts.permissions())?;
        }
        drop(new);
        std::fs::rename(&beside, file)
    };
    write().map_err(|error| {
        // What is left of it, if anything is; the reason is told.
        let _removed = std::fs::remove_file(&beside);
        Failure(format!("cannot write {}: {error}", file.display()))
    })
}

/// Removes a file.
///
/// # Errors
/// If it cannot be removed, with the file's name.
pub fn remove_file(file: &Path) -> Result<(), Failure> {
    std::fs::remove_file(file).map_err(|error| Failure(format!("cannot remove {}: {error}", file.display())))
}

/// Writes a new file that only its owner may read; one that is there already is kept.
///
/// # Errors
/// If it cannot be written, or is there already, with the file's name.
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
