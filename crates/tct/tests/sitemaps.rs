//! Sitemaps on both sides: budgets, splitting, homepage, protection, several files, time and memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::time::Instant;

use tct::{
    CUrl, HashMembers, ItemIssue, MUrl, Sitemap, SitemapBudget, SitemapEntry, SitemapEvent, SitemapLimits,
    SitemapReader, SitemapWriter, Written, homepage_first, write_sitemaps,
};
use tct_fingerprint::Fingerprint;

fn entry(path: &str) -> SitemapEntry {
    let page = CUrl::parse(&format!("https://example.com{path}")).unwrap();
    let twin = MUrl::parse(&format!("https://example.com{path}llm/")).unwrap();
    SitemapEntry::new(page, twin, Fingerprint::of_bytes(path.as_bytes()))
}

/// TCT-SM-14: 50,000 entries are one file, one more begins the next.
#[test]
fn the_recommended_budget_is_exact() {
    for (count, files) in [(50_000, vec![50_000]), (50_001, vec![50_000, 1])] {
        let written =
            write_sitemaps((0..count).map(|index| entry(&format!("/{index}/"))), SitemapBudget::default())
                .unwrap();
        let items: Vec<u64> = written
            .iter()
            .map(|file| Sitemap::new().read(file, SitemapReader::new()).unwrap().summary.items)
            .collect();
        assert_eq!(items, files);
    }
}

/// TCT-SM-13: 2,048 bytes are fine, 2,049 deserve a warning from the reader and are refused by the writer.
#[test]
fn entries_stay_small() {
    let of_len = |len: usize| {
        let bare = entry("/").with_modified("");
        let mut out = Vec::new();
        let mut writer = SitemapWriter::new(SitemapBudget::default(), &mut out);
        let before = out.len();
        assert_eq!(writer.write(&bare, &mut out), Ok(Written::Yes));
        entry("/").with_modified("x".repeat(len - (out.len() - before)))
    };
    assert!(write_sitemaps([of_len(2048)], SitemapBudget::default()).is_ok());
    assert!(write_sitemaps([of_len(2049)], SitemapBudget::default()).is_err());
    for (len, is_oversized) in [(2048, false), (2049, true)] {
        let file = write_sitemaps([of_len(len)], SitemapBudget::default().with_max_item_bytes(9999)).unwrap();
        let mut reader = SitemapReader::new();
        let mut events = reader.push(&file[0]);
        let Some(SitemapEvent::Item(item)) = events.next().unwrap() else { panic!() };
        assert_eq!((item.len_bytes, item.is_oversized()), (len, is_oversized));
    }
}

/// TCT-SEC-8, TCT-D01-13
#[test]
fn protected_pages_stay_out_of_public_sitemaps() {
    let entries = [entry("/a/"), entry("/secret/").protected(), entry("/b/")];
    let pages = |budget| {
        let mut sitemap = Sitemap::new();
        sitemap.read(&write_sitemaps(entries.clone(), budget).unwrap()[0], SitemapReader::new()).unwrap();
        sitemap.pages().iter().map(|page| page.c_url.clone()).collect::<Vec<_>>()
    };
    assert_eq!(pages(SitemapBudget::default()), ["https://example.com/a/", "https://example.com/b/"]);
    assert_eq!(pages(SitemapBudget::default().for_protected_sitemap()).len(), 3);
}

/// TCT-PAGE-6
#[test]
fn the_homepage_stands_first_and_once() {
    let entries = homepage_first(entry("/"), [entry("/a/"), entry("/"), entry("/b/")]);
    let paths: Vec<&str> = entries.iter().map(|entry| entry.page.as_url().path()).collect();
    assert_eq!(paths, ["/", "/a/", "/b/"]);
}

/// TCT-D01-1
#[test]
fn the_hash_stands_under_the_names_asked_for() {
    for (members, content_hash, etag) in [
        (HashMembers::Both, true, true),
        (HashMembers::ContentHash, true, false),
        (HashMembers::Etag, false, true),
    ] {
        let file = write_sitemaps([entry("/")], SitemapBudget::default().with_hash_members(members)).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&file[0]).unwrap();
        let item = &json["items"][0];
        assert_eq!((item.get("contentHash").is_some(), item.get("etag").is_some()), (content_hash, etag));
    }
}

/// TCT-SM-15, TCT-AMB-36: the same page in two files.
#[test]
fn several_files_are_merged() {
    let changed = |path: &str| {
        let mut entry = entry(path);
        entry.hash = Fingerprint::of_bytes(b"other");
        entry
    };
    let files = [
        write_sitemaps([entry("/a/"), entry("/b/"), entry("/c/")], SitemapBudget::default()).unwrap(),
        write_sitemaps([entry("/a/"), changed("/b/"), entry("/d/")], SitemapBudget::default()).unwrap(),
    ];
    let mut sitemap = Sitemap::new();
    let reports = files.map(|files| sitemap.read(&files[0], SitemapReader::new()).unwrap());
    assert!(reports[0].skipped.is_empty());
    let issues: Vec<_> = reports[1].skipped.iter().map(|entry| (entry.index, entry.issue)).collect();
    assert_eq!(issues, [(0, ItemIssue::Duplicate), (1, ItemIssue::Ambiguous)]);
    let hashes: Vec<_> =
        sitemap.pages().iter().map(|page| (page.c_url.as_str(), page.hash.is_some())).collect();
    let url = |path: &str| format!("https://example.com{path}");
    let [a, b, c, d] = ["/a/", "/b/", "/c/", "/d/"].map(url);
    assert_eq!(hashes, [(&*a, true), (&*b, false), (&*c, true), (&*d, true)]);
}

/// TCT-SEC-9, TCT-SM-12: time is linear, whatever is in a document and however it is cut.
#[test]
fn hostile_documents_take_linear_time() {
    type Document = fn(usize) -> Vec<u8>;
    let documents: [(&str, Document); 6] = [
        ("brackets", |size| [b"{\"items\":[{\"x\":".as_slice(), &b"[".repeat(size)].concat()),
        ("escapes", |size| [b"{\"items\":[{\"cUrl\":\"".as_slice(), &b"\\u0061".repeat(size / 6)].concat()),
        ("one entry", |size| [b"{\"items\":[{\"x\":\"".as_slice(), &b"a".repeat(size), b"\"}]}"].concat()),
        ("spaces", |size| [b"{\"items\":[".as_slice(), &b" ".repeat(size), b"]}"].concat()),
        ("tiny entries", |size| [b"{\"items\":[1".as_slice(), &b",1".repeat(size / 2), b"]}"].concat()),
        ("characters", |size| {
            [b"{\"x\":\"".as_slice(), &"\u{1f600}".repeat(size / 4).into_bytes(), b"\",\"items\":[]}"]
                .concat()
        }),
    ];
    for (name, document) in documents {
        for chunk in [7, 64 << 10] {
            // Milliseconds of work; a quadratic reader would need many minutes. The
            // bound is wide, since the machine may be busy with other things.
            let took = read_time(&document(800_000), chunk);
            assert!(took < std::time::Duration::from_secs(20), "{name}, {chunk}: {took:?}");
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the test measures time")]
fn read_time(bytes: &[u8], chunk: usize) -> std::time::Duration {
    let start = Instant::now();
    let mut reader = SitemapReader::new().with_limits(SitemapLimits::default().with_max_items(u64::MAX));
    'all: for chunk in bytes.chunks(chunk) {
        let mut events = reader.push(chunk);
        loop {
            match events.next() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => break 'all,
            }
        }
    }
    start.elapsed()
}
