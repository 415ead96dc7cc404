//! Finds a copy of html5lib-tests, the tests of the HTML standard, which are not in this repository.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The files of one folder with an ending, sorted, each with its name.
///
/// The environment variable `HTML5LIB_TESTS` names the copy: a folder with `encoding`, `tokenizer` and
/// `tree-construction`. Where it is not set, the output of the test has a line `skipped: …`.
#[expect(clippy::disallowed_methods, reason = "the tests stand outside the repository")]
pub(crate) fn files(folder: &str, ending: &str) -> Vec<(String, Vec<u8>)> {
    let Some(root) = std::env::var_os("HTML5LIB_TESTS") else {
        // Past the test harness, which shows nothing of a test that passes.
        let line = format!("skipped: {folder} of html5lib-tests, HTML5LIB_TESTS names no copy\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(Path::new(&root).join(folder))
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    paths.retain(|path| path.extension().is_some_and(|end| end == ending));
    paths.sort();
    // Who names a folder wants its tests.
    assert!(!paths.is_empty(), "HTML5LIB_TESTS has no {folder}/*.{ending}");
    paths.iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}
