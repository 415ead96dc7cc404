//! The program as a process: what it says when it is called wrongly, how much memory it takes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use corpus::generate;

use crate::PROGRAM;

/// Runs the program in a folder.
fn corpus(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn a_wrong_call_says_what_is_wrong_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (
            &["local", "--job", "change"][..],
            "corpus: expected one of the jobs fingerprints, duplicates, changes, savings, allowed, found \"change\"\n",
        ),
        (&["local", "--table", "mine"], "corpus: expected --table NAME=FOLDER, found \"mine\"\n"),
        (
            &["cluster", "--sql", "mine.sql"],
            "corpus: reading mine.sql: No such file or directory (os error 2)\n",
        ),
        (
            &["local", "--data", "crawls"],
            "corpus: expected Parquet files for the table pages in crawls: No such file or directory (os error 2)\n",
        ),
        (
            &["local", "--document-version", "first"],
            "error: invalid value 'first' for '--document-version <VERSION>'\n  [possible values: 1.0, 2.0]\n\n\
             For more information, try '--help'.\n",
        ),
        (&["generate", "--site", "site"], "corpus: reading site: No such file or directory (os error 2)\n"),
        (
            &["executor", "--scheduler", "here", "--work", "work"],
            "corpus: expected host:port of a scheduler, found \"here\"\n",
        ),
    ] {
        let output = corpus(folder.path(), arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected, "{arguments:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A corpus ten times as large as the memory for the engine, sorted as a whole: the process stays small.
#[test]
fn memory_stays_bounded_when_the_corpus_does_not_fit() {
    const LIMIT_MB: u64 = 16;
    let folder = tempfile::tempdir().unwrap();
    let written = generate::seeded(34_000, 5, &folder.path().join("data"), |_| {}).unwrap();
    assert!(written.html_bytes > 10 * (LIMIT_MB << 20), "{}", written.html_bytes);
    let query = "SELECT tct_fingerprint(html) AS print, html FROM pages ORDER BY print";
    fs::write(folder.path().join("sorted.sql"), query).unwrap();
    let limit = LIMIT_MB.to_string();
    let output = corpus(
        folder.path(),
        &["local", "--memory", &limit, "--partitions", "1", "--data", "data", "--sql", "sorted.sql"],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains(&format!("the first 10 of {} rows", written.rows)), "{text}");
    // Only Linux tells.
    let Some((_, peak)) = text.split_once("peak memory of this process: ") else {
        assert_ne!(std::env::consts::OS, "linux", "{text}");
        return;
    };
    let peak: u64 = peak.split(' ').next().unwrap().parse().unwrap();
    // The program itself is about 100 MB of that.
    assert!(peak < 230, "{peak} MB");
}
