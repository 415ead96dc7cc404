//! A store that cannot be used: a full disk, another process, another version. Each ends with a message, and nothing is lost.

#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way, and make files"
)]

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crawler::progress::Progress;
use crawler::store::Store;
use crawler::{CrawlerError, crawl};
use redb::StorageBackend;
use redb::backends::InMemoryBackend;

use crate::support::options;

/// A disk with so many bytes, whose content outlives the store that is on it.
#[derive(Debug, Clone)]
struct Disk {
    bytes: Arc<InMemoryBackend>,
    size: Arc<AtomicU64>,
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        self.bytes.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.bytes.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        if len > self.size.load(Ordering::Relaxed) {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        self.bytes.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.bytes.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.bytes.write(offset, data)
    }
}

/// The site is crawled until the disk is full; with more room the same crawl goes on, and in the end everything is held.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_ends_the_crawl_with_a_message_and_loses_nothing() {
    let site = site::start(site::Options { tls: false, ..site::Options::default() }).await.unwrap();
    let starts = [site.url().clone()];
    let count = |store: &Store| {
        let mut held = 0;
        store
            .each_entry(|_, _, body| {
                held += usize::from(!body.is_empty());
                Ok(())
            })
            .unwrap();
        held
    };
    let whole = Store::on(InMemoryBackend::new()).unwrap();
    let quietly = || Box::new(io::sink());
    crawl(&starts, whole.clone(), options(Vec::new()), quietly(), Progress::hidden()).await.unwrap();
    let expected = count(&whole);
    assert!(expected >= 40, "{expected}");

    let disk = Disk { bytes: Arc::new(InMemoryBackend::new()), size: Arc::default() };
    disk.size.store(256 << 10, Ordering::Relaxed);
    let (mut failures, mut held_before) = (0, 0);
    loop {
        let ended = match Store::on(disk.clone()) {
            Ok(store) => {
                let ended =
                    crawl(&starts, store.clone(), options(Vec::new()), quietly(), Progress::hidden()).await;
                ended.map(|_| store)
            }
            Err(error) => Err(error),
        };
        match ended {
            Ok(store) => {
                assert_eq!(count(&store), expected);
                break;
            }
            Err(error) => {
                assert!(matches!(error, CrawlerError::DiskFull), "{error:?}");
                assert!(error.one_line().starts_with("the disk is full"), "{error}");
                failures += 1;
                disk.size.fetch_add(128 << 10, Ordering::Relaxed);
                if let Ok(store) = Store::on(disk.clone()) {
                    let held = count(&store);
                    assert!(held >= held_before, "{held} after {held_before}");
                    held_before = held;
                }
            }
        }
        assert!(failures < 100);
    }
    assert!(failures > 0, "there was room from the first");
    site.stop().await.unwrap();
}

/// `--export` to a disk that is full: the output is at fault, and the store is as it was.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_output_that_cannot_be_written_is_told_as_one() {
    let site = site::start(site::Options { tls: false, ..site::Options::default() }).await.unwrap();
    let store = Store::on(InMemoryBackend::new()).unwrap();
    let (starts, quietly) = ([site.url().clone()], Box::new(io::sink()));
    crawl(&starts, store.clone(), options(Vec::new()), quietly, Progress::hidden()).await.unwrap();
    let mut full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = crawler::export::export(&store, &mut full).unwrap_err();
    assert!(error.one_line().starts_with("cannot write the output: No space left"), "{error:?}");
    let mut all = Vec::new();
    crawler::export::export(&store, &mut all).unwrap();
    assert!(all.split(|byte| *byte == b'\n').count() > 40);
    site.stop().await.unwrap();
}

#[test]
fn a_store_that_another_process_has_open_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crawl.redb");
    let _open = Store::open(&path).unwrap();
    let refused = Store::open(&path).unwrap_err();
    assert!(matches!(refused, CrawlerError::Locked), "{refused:?}");
    assert_eq!(refused.one_line(), "the store is in use by another process: one crawl at a time has it");
}

#[test]
fn a_store_of_another_version_stays_as_it_is() {
    const ABOUT: redb::TableDefinition<'_, &str, u64> = redb::TableDefinition::new("about");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crawl.redb");
    drop(Store::open(&path).unwrap());
    let database = redb::Database::open(&path).unwrap();
    let change = database.begin_write().unwrap();
    change.open_table(ABOUT).unwrap().insert("version", 99).unwrap();
    change.commit().unwrap();
    drop(database);
    let refused = Store::open(&path).unwrap_err();
    assert!(refused.one_line().contains("another version of this program (its form is 99)"), "{refused}");

    let other = folder.path().join("notes.txt");
    std::fs::write(&other, "Shopping: milk, bread, and a file that is no store.").unwrap();
    let refused = Store::open(&other).unwrap_err();
    assert!(refused.one_line().starts_with(&format!("cannot use {}: ", other.display())), "{refused}");
    assert!(std::fs::read_to_string(&other).unwrap().starts_with("Shopping"), "it is left as it was");
}

/// The first form had quotas of earlier crawls, and another word for the end of a crawl.
#[test]
fn a_store_of_the_first_form_is_read_and_goes_on() {
    const ABOUT: redb::TableDefinition<'_, &str, u64> = redb::TableDefinition::new("about");
    const CRAWL: redb::TableDefinition<'_, &str, &[u8]> = redb::TableDefinition::new("crawl");
    const QUOTAS: redb::TableDefinition<'_, &str, (u64, u64)> = redb::TableDefinition::new("quotas");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crawl.redb");
    drop(Store::open(&path).unwrap());
    let database = redb::Database::open(&path).unwrap();
    let change = database.begin_write().unwrap();
    change.open_table(ABOUT).unwrap().insert("version", 1).unwrap();
    let counts = serde_json::to_value(crawler::output::Counts::default()).unwrap();
    let crawl = serde_json::json!({ "number": 4, "is_finished": true, "next_task": 9, "counts": counts });
    change.open_table(CRAWL).unwrap().insert("current", crawl.to_string().as_bytes()).unwrap();
    for (site, crawl) in [("https://a.example", 3), ("https://b.example", 4)] {
        change.open_table(QUOTAS).unwrap().insert(site, (crawl, 7)).unwrap();
    }
    change.commit().unwrap();
    drop(database);
    let store = Store::open(&path).unwrap();
    let crawl = store.crawl().unwrap();
    assert_eq!((crawl.number, crawl.has_ended, crawl.next_task), (4, true, 9));
    assert_eq!(store.crawl_of("https://a.example").unwrap(), 4, "its last pages were of another crawl");
    assert_eq!(store.crawl_of("https://b.example").unwrap(), 4);
    store.begin_crawl(false, 0, 0).unwrap();
    assert_eq!(store.crawl_of("https://b.example").unwrap(), 5);
    drop(store);
    assert_eq!(Store::open(&path).unwrap().crawl().unwrap().number, 5);
}

/// A store whose file was damaged by somebody else: `--export` and the next crawl end with a message and status 2, or did not
/// come across the damage. `CRAWLER_DAMAGES` is the number of copies.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_store_is_told_as_one() {
    let copies = std::env::var("CRAWLER_DAMAGES").map_or(45, |copies| copies.parse().unwrap());
    let site = site::start(site::Options { tls: false, ..site::Options::default() }).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (sound, copy) = (folder.path().join("sound.redb"), folder.path().join("copy.redb"));
    let store = Store::open(&sound).unwrap();
    let quietly = Box::new(io::sink());
    crawl(&[site.url().clone()], store, options(Vec::new()), quietly, Progress::hidden()).await.unwrap();
    let sound = std::fs::read(&sound).unwrap();
    let mut seed = 46_u64;
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % bound
    };
    let mut told = 0;
    for number in 0..copies {
        let mut bytes = sound.clone();
        match number % 3 {
            0 => (0..20).for_each(|_| bytes[below(sound.len())] ^= 1 << below(8)),
            1 => {
                let page = below(sound.len() / 4096) * 4096;
                bytes[page..page + 4096].fill(0);
            }
            _ => bytes.truncate(below(sound.len())),
        }
        for arguments in [vec!["--export"], vec!["--max-wait", "0", "--retry", "9", site.url().as_str()]] {
            std::fs::write(&copy, &bytes).unwrap();
            let mut program = tokio::process::Command::new(env!("CARGO_BIN_EXE_crawler"));
            let ended = program.arg("--store").arg(&copy).args(&arguments).output();
            let ended =
                tokio::time::timeout(std::time::Duration::from_secs(60), ended).await.unwrap().unwrap();
            let said = String::from_utf8(ended.stderr).unwrap();
            let code = ended.status.code();
            assert!(matches!(code, Some(0..=2)), "copy {number}, {arguments:?}: {:?}: {said}", ended.status);
            assert!(!said.contains("panicked"), "copy {number}, {arguments:?}: {said}");
            assert_eq!(said.lines().count(), 1, "copy {number}, {arguments:?}: {said}");
            told += usize::from(code == Some(2));
        }
    }
    assert!(told >= copies, "{told} of {}", 2 * copies);
    println!("{copies} damaged copies, exported and crawled: {told} of {} runs named the damage", 2 * copies);
    site.stop().await.unwrap();
}

/// The demonstration's pages in a store that somebody keeps would be crawled and exported with his.
#[test]
fn the_demonstration_is_not_crawled_into_a_store() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("mine.redb");
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_crawler")).arg("--store").arg(&store).output();
    let output = output.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("expected a URL") && said.lines().count() == 1, "{said}");
    assert!(output.stdout.is_empty() && !store.exists());
}
