//! A folder from which only files below it can be read.
//!
//! ```text
//! a.html, img/b.png            given out
//! img/c.png -> ../a.png        a link to a file inside: given out
//! pw.txt -> /etc/passwd        a link that leads out: never
//! .env, .git/config            names that begin with a dot: never, also not through a link
//! .well-known/x.txt            the one exception, as RFC 8615 has it
//! ```
//!
//! The rules are asked twice. [`Folder::files`] resolves every link once, when the site is listed. [`Folder::read`] then
//! opens the resolved name step by step and follows no link at all, so a file or a folder that somebody swaps for a link
//! while the site runs is an error and not a leak.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};

use crate::files::PassedOver;

/// The one folder whose name may begin with a dot, at the root only.
const WELL_KNOWN: &str = ".well-known";

/// A folder, held open.
#[derive(Debug, Clone)]
pub struct Folder {
    dir: Arc<Dir>,
    path: PathBuf,
}

/// A file of the folder: the name under which it was found, and where it is once its links are resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name below the folder, as a visitor asks for it.
    pub name: PathBuf,
    /// The name below the folder of the file itself; another one where `name` is a link.
    pub resolved: PathBuf,
}

impl Folder {
    /// Opens the folder.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(path: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())?;
        dir.entries()?;
        Ok(Folder { dir: Arc::new(dir), path: path.to_owned() })
    }

    /// The full name of a file below it, for people.
    #[must_use]
    pub fn path_of(&self, name: &Path) -> PathBuf {
        self.path.join(name)
    }

    /// The names in the folder itself that are this one in some case, whatever they name.
    pub(crate) fn entries_called(&self, name: &str) -> Vec<OsString> {
        let entries = self.dir.entries().into_iter().flatten().filter_map(Result::ok);
        entries.map(|entry| entry.file_name()).filter(|found| found.eq_ignore_ascii_case(name)).collect()
    }

    /// The files below the folder that may be given out, and what was passed over. Links to folders are not followed.
    #[must_use]
    pub fn files(&self) -> (Vec<Listed>, Vec<PassedOver>) {
        let (mut files, mut passed_over) = (Vec::new(), Vec::new());
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            let mut pass_over = |name: &Path, why: &dyn std::fmt::Display| {
                let name = if name.as_os_str().is_empty() { &self.path } else { name };
                passed_over.push(PassedOver { what: name.display().to_string(), why: why.to_string() });
            };
            let entries = match self.open_folder(&folder).and_then(|dir| dir.entries()) {
                Ok(entries) => entries,
                Err(error) => {
                    pass_over(&folder, &error);
                    continue;
                }
            };
            for entry in entries {
                let kind = entry.and_then(|entry| Ok((folder.join(entry.file_name()), entry.file_type()?)));
                match kind {
                    Err(error) => pass_over(&folder, &error),
                    Ok((name, _)) if is_hidden(&name) => {
                        pass_over(&name, &"names that begin with a dot are not published");
                    }
                    Ok((name, kind)) if kind.is_dir() => folders.push(name),
                    Ok((name, kind)) if kind.is_file() => {
                        files.push(Listed { resolved: name.clone(), name });
                    }
                    Ok((name, kind)) if kind.is_symlink() => match self.resolve(&name) {
                        Ok(resolved) => files.push(Listed { name, resolved }),
                        Err(error) => pass_over(&name, &error),
                    },
                    Ok((name, _)) => pass_over(&name, &"expected a file"),
                }
            }
        }
        (files, passed_over)
    }

    /// The file that a link leads to.
    fn resolve(&self, link: &Path) -> io::Result<PathBuf> {
        // Refuses what leads out of the folder.
        let resolved = self.dir.canonicalize(link)?;
        if is_hidden(&resolved) {
            return Err(io::Error::other("expected a link to a published file, found one to a hidden one"));
        }
        self.open_file(&resolved)?;
        Ok(resolved)
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// If a step of the name is a link by now, where it is not a regular file, and those of the system.
    pub fn read(&self, resolved: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open_file(resolved)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The file itself, under the same rules as [`Folder::read`].
    pub(crate) fn open_plain(&self, resolved: &Path) -> io::Result<std::fs::File> {
        self.open_file(resolved).map(File::into_std)
    }

    /// When a file last changed, in seconds since 1970.
    #[must_use]
    pub fn modified_s(&self, resolved: &Path) -> Option<u64> {
        let modified = self.open_file(resolved).ok()?.metadata().ok()?.modified().ok()?.into_std();
        Some(modified.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs())
    }

    fn open_file(&self, resolved: &Path) -> io::Result<File> {
        let name = resolved.file_name().ok_or_else(|| io::Error::other("expected the name of a file"))?;
        let folder = self.open_folder(resolved.parent().unwrap_or(Path::new("")))?;
        let mut options = OpenOptions::new();
        // Without waiting: a pipe in the place of the file would hold the thread for ever.
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = folder.open_with(name, &options)?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("expected a file")) }
    }

    /// Opens a folder below this one, a step at a time, without following a link.
    fn open_folder(&self, name: &Path) -> io::Result<Dir> {
        let mut dir = self.dir.try_clone()?;
        for step in name.components() {
            match step {
                Component::Normal(step) => dir = dir.open_dir_nofollow(step)?,
                _ => return Err(io::Error::other("expected a plain name below the folder")),
            }
        }
        Ok(dir)
    }
}

/// Returns true if a step of the name begins with a dot, `.well-known` at the root excepted.
fn is_hidden(name: &Path) -> bool {
    let is_dotted = |step: &OsStr| step.as_encoded_bytes().starts_with(b".");
    name.iter().enumerate().any(|(at, step)| is_dotted(step) && !(at == 0 && step == WELL_KNOWN))
}

#[cfg(test)]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "the tests write files to read")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A folder with a secret beside it.
    fn folder() -> (tempfile::TempDir, PathBuf) {
        let outer = tempfile::tempdir().unwrap();
        fs::write(outer.path().join("secret"), "secret").unwrap();
        let root = outer.path().join("site");
        for folder in ["img", ".git", ".well-known", "a/.well-known"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in
            ["a.html", ".env", ".git/config", ".well-known/x.txt", ".well-known/.y", "a/.well-known/z"]
        {
            fs::write(root.join(file), "open").unwrap();
        }
        (outer, root)
    }

    fn names(root: &Path) -> Vec<String> {
        let mut names: Vec<_> = Folder::open(root)
            .unwrap()
            .files()
            .0
            .into_iter()
            .map(|file| file.name.display().to_string())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn hidden_names_and_links_out_of_the_folder_are_left_out() {
        let (_outer, root) = folder();
        symlink("../secret", root.join("up.txt")).unwrap();
        symlink("/etc/passwd", root.join("pw.txt")).unwrap();
        symlink(".git/config", root.join("config.txt")).unwrap();
        symlink("/etc", root.join("etc")).unwrap();
        symlink("../a.html", root.join("img/a.html")).unwrap();
        symlink("nothing", root.join("broken.txt")).unwrap();
        assert_eq!(names(&root), [".well-known/x.txt", "a.html", "img/a.html"]);
        let passed_over = Folder::open(&root).unwrap().files().1;
        for name in
            [".env", ".git", "up.txt", "pw.txt", "config.txt", "etc", "broken.txt", ".y", "a/.well-known"]
        {
            assert!(passed_over.iter().any(|item| item.what.ends_with(name)), "{name}: {passed_over:?}");
        }
    }

    #[test]
    fn a_link_made_after_the_listing_is_not_followed() {
        let (outer, root) = folder();
        fs::write(root.join("img/b.txt"), "open").unwrap();
        let folder = Folder::open(&root).unwrap();
        assert_eq!(folder.read(Path::new("img/b.txt")).unwrap(), b"open");
        // The file becomes a link.
        fs::remove_file(root.join("a.html")).unwrap();
        symlink("../secret", root.join("a.html")).unwrap();
        assert!(folder.read(Path::new("a.html")).is_err());
        // Its folder becomes one.
        fs::write(outer.path().join("b.txt"), "secret").unwrap();
        fs::remove_dir_all(root.join("img")).unwrap();
        symlink("..", root.join("img")).unwrap();
        assert!(folder.read(Path::new("img/b.txt")).is_err());
        assert!(folder.read(Path::new("../secret")).is_err());
        assert!(folder.read(Path::new("/etc/passwd")).is_err());
    }

    #[test]
    fn links_swapped_while_it_reads_never_leak() {
        let (outer, root) = folder();
        let folder = Folder::open(&root).unwrap();
        let is_done = AtomicBool::new(false);
        let (page, spare) = (root.join("a.html"), outer.path().join("spare"));
        let reads = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    let _ = fs::remove_file(&spare);
                    symlink("../secret", &spare).unwrap();
                    fs::rename(&spare, &page).unwrap();
                    fs::write(&spare, "open").unwrap();
                    fs::rename(&spare, &page).unwrap();
                }
            });
            let reads: Vec<_> = (0..2_000).map(|_| folder.read(Path::new("a.html"))).collect();
            is_done.store(true, Ordering::Relaxed);
            reads
        });
        assert!(reads.iter().flatten().all(|bytes| bytes != b"secret"));
        // The last swap put the file back.
        assert_eq!(folder.read(Path::new("a.html")).unwrap(), b"open");
    }
}
