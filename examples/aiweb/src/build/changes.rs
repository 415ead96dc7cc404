//! Writes the files of a build: it replaces only files that an earlier build wrote, and lists those that it
//! leaves alone.
//!
//! | a file of the build | where the folder has | what happens |
//! |---|---|---|
//! | any | nothing there | it is written |
//! | any | the bytes that `.aiweb/written` lists | it is replaced, or removed where the build has it no more |
//! | `_headers`, `robots.txt` | anything | the lines between two marks are replaced, or added at the end |
//! | a twin, a sitemap, the policy | another file | the build refuses, before it has written anything |
//! | any other, such as `llms.txt` | another file | it is left, and named |
//!
//! `.aiweb/written` has the form of `sha256sum`, so `sha256sum --check .aiweb/written` tells which files were edited since.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::{File, Kind};
use crate::Failure;
use crate::input::{UNFINISHED, read_file, remove_file, write_file, write_file_of_same_time};

/// The list of files that a build wrote, each with its hash.
pub const WRITTEN: &str = ".aiweb/written";

/// Keeps other builds out of the folder until it is dropped; a build that is killed gives it up, too. `None` where the system
/// has no such locks for folders.
///
/// # Errors
/// If another build is at work in the folder.
#[expect(clippy::disallowed_methods, reason = "a folder that was named on the command line")]
pub fn lock(folder: &Path) -> Result<Option<std::fs::File>, Failure> {
    let Ok(held) = std::fs::File::open(folder) else { return Ok(None) };
    match held.try_lock() {
        Ok(()) => Ok(Some(held)),
        Err(std::fs::TryLockError::WouldBlock) => Err(Failure(format!(
            "another `aiweb build` is at work in {}; nothing was written: build again when it has ended",
            folder.display()
        ))),
        Err(std::fs::TryLockError::Error(_)) => Ok(None),
    }
}

/// The list of a build that is still running. After a killed build, the files of both lists are the
/// build's.
const WRITING: &str = ".aiweb/writing";

const BEGIN: &str =
    "# aiweb build: begin. The next build replaces these lines; write your own outside of them.";
const END: &str = "# aiweb build: end";

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The file does not exist yet.
    New,
    /// The file gets other bytes.
    Changed,
    /// The build's lines in it change; the rest stays.
    Merged,
    /// What an earlier build wrote into it goes; the rest stays.
    Unlinked,
    /// An earlier build wrote it and this one does not.
    Removed,
    /// The build did not write the file, and leaves it alone.
    Left,
    /// It has the right bytes already.
    Unchanged,
}

impl Change {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Changed => "changed",
            Change::Merged => "merged",
            Change::Unlinked => "unlinked",
            Change::Removed => "removed",
            Change::Left => "left",
            Change::Unchanged => "unchanged",
        }
    }
}

/// The changes of a build, before any of them is made.
#[derive(Debug, Default)]
pub struct Changes {
    /// Each path with its change, and the bytes to write, if any.
    pub steps: Vec<(String, Change, Vec<u8>)>,
    written: BTreeMap<String, String>,
}

impl Changes {
    /// Compares the files of a build with what the folder holds. Nothing is written.
    ///
    /// # Errors
    /// If a file cannot be read, or one that the sitemap vouches for is there and not the build's.
    pub fn plan(folder: &Path, files: Vec<File>) -> Result<Self, Failure> {
        let earlier = Earlier::read(folder)?;
        let mut changes = Changes::default();
        let mut in_the_way = Vec::new();
        let mut paths = BTreeSet::new();
        for File { path, bytes, kind } in files {
            paths.insert(path.clone());
            let there = read_plain(&folder.join(&path))?;
            let (change, bytes) = match (&there, kind) {
                (There::Nothing, Kind::Block) => (Change::New, with_block("", &bytes).into_bytes()),
                (There::File(old), Kind::Block) => match std::str::from_utf8(old) {
                    Ok(old) => merged(old, with_block(old, &bytes)),
                    Err(_) => (Change::Left, bytes),
                },
                (There::Nothing, _) => (Change::New, bytes),
                (There::File(old), _) if *old == bytes => (Change::Unchanged, bytes),
                (There::File(old), _) if earlier.has(&path, old) => (Change::Changed, bytes),
                (_, Kind::Vouched) => {
                    in_the_way.push(path);
                    continue;
                }
                _ => (Change::Left, bytes),
            };
            if kind != Kind::Block && change != Change::Left {
                changes.written.insert(path.clone(), hash(&bytes));
            }
            changes.steps.push((path, change, bytes));
        }
        if let Some(first) = in_the_way.first() {
            let others = in_the_way.len() - 1;
            let others = if others == 0 { String::new() } else { format!(" and {others} more") };
            return Err(Failure(format!(
                "{first}{others}: there already, and not as an earlier build left it; the sitemap would vouch for a \
                 text that is not the page's. Move it away and build again; nothing was written"
            )));
        }
        for path in earlier.0.keys().filter(|path| !paths.contains(*path)) {
            let change = match read_plain(&folder.join(path))? {
                There::Nothing => continue,
                There::File(bytes) if earlier.has(path, &bytes) => Change::Removed,
                _ => Change::Left,
            };
            changes.steps.push((path.clone(), change, Vec::new()));
        }
        Ok(changes)
    }

    /// Adds a page that gets other bytes: the reader's own file, with a link in its head.
    pub fn link(&mut self, path: &str, bytes: Vec<u8>) {
        self.steps.push((path.to_owned(), Change::Merged, bytes));
    }

    /// Adds a page that has no twin any more, without the links that an earlier build put into it.
    pub fn unlink(&mut self, path: &str, bytes: Vec<u8>) {
        self.steps.push((path.to_owned(), Change::Unlinked, bytes));
    }

    /// Takes an earlier build's lines out of a file that gets none any more; a file that held nothing else goes.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn take_out_block(&mut self, folder: &Path, path: &str) -> Result<(), Failure> {
        let There::File(bytes) = read_plain(&folder.join(path))? else { return Ok(()) };
        let Some((before, after)) = std::str::from_utf8(&bytes).ok().and_then(around_block) else {
            return Ok(());
        };
        let after = after.trim_start_matches(['\r', '\n']);
        let before = if after.is_empty() { before.trim_end_matches('\n') } else { before };
        let step = match [before, after].concat() {
            rest if rest.trim().is_empty() => (path.to_owned(), Change::Removed, Vec::new()),
            rest if after.is_empty() => (path.to_owned(), Change::Unlinked, (rest + "\n").into_bytes()),
            rest => (path.to_owned(), Change::Unlinked, rest.into_bytes()),
        };
        self.steps.push(step);
        Ok(())
    }

    /// The files that an earlier build wrote and this one does not.
    pub fn removed(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter(|(_, change, _)| *change == Change::Removed).map(|(path, ..)| path.as_str())
    }

    /// How many files this happens to.
    #[must_use]
    pub fn count(&self, change: Change) -> usize {
        self.steps.iter().filter(|(_, each, _)| *each == change).count()
    }

    /// Makes the changes. Each file is written beside its place and renamed into it. The list of them is there before the
    /// first, beside those of builds that were killed, and takes the last one's place after the last. So however many builds
    /// are killed, the next takes nothing of theirs for another's, and removes what they left half written. A page loses its
    /// links before its twin goes: the next build would not know of a twin that is gone.
    ///
    /// # Errors
    /// If a file cannot be written or removed.
    pub fn make(&self, folder: &Path) -> Result<(), Failure> {
        let lines: String = self.written.iter().map(|(path, hash)| format!("{hash}  {path}\n")).collect();
        let (writing, written) = (folder.join(WRITING), folder.join(WRITTEN));
        let killed = match read_plain(&writing)? {
            There::File(bytes) => {
                remove_unfinished(folder)?;
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => String::new(),
        };
        let both: BTreeSet<&str> = killed.lines().chain(lines.lines()).collect();
        let both: String = both.into_iter().map(|line| format!("{line}\n")).collect();
        write_file(&writing, both.as_bytes())?;
        let is_first = |(_, change, _): &&(String, Change, Vec<u8>)| *change == Change::Unlinked;
        let others = self.steps.iter().filter(|step| !is_first(step));
        for (path, change, bytes) in self.steps.iter().filter(is_first).chain(others) {
            match change {
                Change::New | Change::Changed => write_file(&folder.join(path), bytes)?,
                // A page without a date of its own was changed when its file was, and a link in its head is no news.
                Change::Merged | Change::Unlinked => write_file_of_same_time(&folder.join(path), bytes)?,
                Change::Removed => remove_file(&folder.join(path))?,
                Change::Left | Change::Unchanged => {}
            }
        }
        write_file(&written, lines.as_bytes())?;
        remove_file(&writing)
    }
}

/// Removes what killed builds left beside files that they were writing: some of it is of pages that are left out by now.
fn remove_unfinished(folder: &Path) -> Result<(), Failure> {
    let mut folders = vec![folder.to_owned()];
    while let Some(below) = folders.pop() {
        let entries = std::fs::read_dir(&below)
            .map_err(|error| Failure(format!("cannot read the folder {}: {error}", below.display())))?;
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() && entry.file_name().to_string_lossy().ends_with(UNFINISHED) {
                remove_file(&entry.path())?;
            }
        }
    }
    Ok(())
}

/// What is at a path.
enum There {
    Nothing,
    File(Vec<u8>),
    /// A folder, a link: nothing that a build writes through.
    Other,
}

fn read_plain(path: &Path) -> Result<There, Failure> {
    match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(There::Nothing),
        Err(error) => Err(Failure(format!("cannot read {}: {error}", path.display()))),
        Ok(facts) if facts.is_file() => Ok(There::File(read_file(path)?)),
        Ok(_) => Ok(There::Other),
    }
}

/// What earlier builds wrote: for each path, the hashes that the file may have if it has not been edited since.
struct Earlier(BTreeMap<String, Vec<String>>);

impl Earlier {
    /// Reads the lists. Lines of another form, and paths that lead out of the folder, are passed over: somebody may have
    /// written into them.
    fn read(folder: &Path) -> Result<Self, Failure> {
        let mut earlier = BTreeMap::<String, Vec<String>>::new();
        for list in [WRITTEN, WRITING] {
            let There::File(list) = read_plain(&folder.join(list))? else { continue };
            for (hash, path) in
                String::from_utf8_lossy(&list).lines().filter_map(|line| line.split_once("  "))
            {
                if hash.len() == 64 && path.split('/').all(|step| !matches!(step, "" | "." | "..")) {
                    earlier.entry(path.to_owned()).or_default().push(hash.to_owned());
                }
            }
        }
        Ok(Earlier(earlier))
    }

    /// Whether the file at this path has the bytes that a build wrote.
    fn has(&self, path: &str, bytes: &[u8]) -> bool {
        self.0.get(path).is_some_and(|hashes| hashes.contains(&hash(bytes)))
    }
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn merged(old: &str, new: String) -> (Change, Vec<u8>) {
    let change = if old == new { Change::Unchanged } else { Change::Merged };
    (change, new.into_bytes())
}

/// The lines of a file outside the build's marks; empty if there is no such file.
#[must_use]
pub fn outside_of_marks(folder: &Path, path: &str) -> String {
    let text = text_of(folder, path);
    match around_block(&text) {
        Some((before, after)) => [before, after].concat(),
        None => text,
    }
}

/// What is before and behind the build's marks. Of several beginnings the last counts: what follows one whose end somebody
/// removed is not the build's.
fn around_block(text: &str) -> Option<(&str, &str)> {
    let (before, rest) = text.rsplit_once(BEGIN)?;
    Some((before, rest.split_once(END)?.1))
}

fn text_of(folder: &Path, path: &str) -> String {
    read_file(&folder.join(path))
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default()
}

/// Whether the folder has a file at this path that no earlier build wrote.
#[must_use]
pub fn is_of_others(folder: &Path, path: &str) -> bool {
    let lists = [WRITTEN, WRITING].map(|list| text_of(folder, list));
    let is_ours = lists
        .iter()
        .flat_map(|list| list.lines())
        .any(|line| line.split_once("  ").is_some_and(|(_, name)| name == path));
    !is_ours && folder.join(path).exists()
}

/// The text with these lines between the build's marks: in the place of those of an earlier build, or at the end.
fn with_block(text: &str, lines: &[u8]) -> String {
    let lines = String::from_utf8_lossy(lines);
    let block = format!("{BEGIN}\n{}\n{END}\n", lines.trim_end());
    match around_block(text) {
        Some((before, after)) => [before, &block, after.strip_prefix('\n').unwrap_or(after)].concat(),
        None if text.trim().is_empty() => block,
        None => format!("{}\n\n{block}", text.trim_end_matches('\n')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_others_stay_around_the_block() {
        let first = with_block("/*\n  X-Mine: 1\n", b"/a\n  Link: <b>\n");
        assert_eq!(first, format!("/*\n  X-Mine: 1\n\n{BEGIN}\n/a\n  Link: <b>\n{END}\n"));
        let edited = format!("{first}\n/z\n  X-Mine: 2\n");
        let second = with_block(&edited, b"/c\n");
        assert_eq!(second, format!("/*\n  X-Mine: 1\n\n{BEGIN}\n/c\n{END}\n\n/z\n  X-Mine: 2\n"));
        assert_eq!(with_block(&second, b"/c\n"), second, "a build over a build changes nothing");
        assert_eq!(with_block("", b"x"), format!("{BEGIN}\nx\n{END}\n"));
    }

    #[test]
    fn a_mark_that_somebody_removed_takes_no_lines_of_theirs_with_it() {
        for lost in [END, BEGIN] {
            let mut text = with_block("", b"/a\n").replace(&format!("{lost}\n"), "") + "/mine\n  X-Mine: 1\n";
            for _ in 0..3 {
                text = with_block(&text, b"/b\n");
                assert!(text.contains("/mine\n  X-Mine: 1\n"), "{text}");
            }
            assert_eq!(text.matches("/b\n").count(), 1, "{text}");
        }
    }

    #[test]
    fn builds_that_are_killed_one_after_another_leave_their_files_to_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        std::fs::create_dir(folder.join(".aiweb")).unwrap();
        write_file(&folder.join("a.json"), b"first").unwrap();
        write_file(&folder.join(WRITING), format!("{}  a.json\n", hash(b"first")).as_bytes()).unwrap();
        let plan = |text: &[u8]| {
            let file = |path: &str| File { path: path.to_owned(), bytes: text.to_vec(), kind: Kind::Vouched };
            Changes::plan(folder, vec![file("b/b.json"), file("a.json")]).unwrap()
        };
        let second = plan(b"second");
        write_file(&folder.join("b"), b"in the way").unwrap();
        second.make(folder).unwrap_err();
        std::fs::remove_file(folder.join("b")).unwrap();
        plan(b"third").make(folder).unwrap();
        let hash = hash(b"third");
        assert_eq!(text_of(folder, WRITTEN), format!("{hash}  a.json\n{hash}  b/b.json\n"));
        assert!(!folder.join(WRITING).exists());
    }

    #[test]
    fn a_list_is_not_obeyed_where_it_leads_out_of_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(".aiweb")).unwrap();
        let hash = hash(b"x");
        let list = format!("{hash}  ../a\n{hash}  /etc/b\n{hash}  c//d\nbook.js\n{hash}  e/f.md\n");
        write_file(&dir.path().join(WRITTEN), list.as_bytes()).unwrap();
        let read: Vec<String> = Earlier::read(dir.path()).unwrap().0.into_keys().collect();
        assert_eq!(read, ["e/f.md"]);
    }
}
