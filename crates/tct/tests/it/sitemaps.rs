//! Sitemaps on both sides: budgets, splitting, homepage, protection, several files, time and memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use covers::covers;

use tct::sealing::SealErrorKind;
use tct::sitemap::{ItemIssue, Sitemap, SitemapErrorKind};
use tct::{
    CUrl, MUrl, SitemapBudget, SitemapEntry, SitemapEvent, SitemapLimits, SitemapReader, write_sitemaps,
};
use tct_fingerprint::Fingerprint;

fn entry(path: &str) -> SitemapEntry {
    let page = CUrl::parse(&format!("https://example.com{path}")).unwrap();
    let twin = MUrl::parse(&format!("https://example.com{path}llm/")).unwrap();
    SitemapEntry::new(page, twin, Fingerprint::hash(path.as_bytes()))
}

/// 50,000 entries are one file, one more begins the next.
#[test]
#[covers("TCT-SM-14", "TCT-SM-10")]
fn the_recommended_budget_is_exact() {
    for (count, files) in [(50_000, vec![50_000]), (50_001, vec![50_000, 1])] {
        let written =
            write_sitemaps((0..count).map(|index| entry(&format!("/{index}/"))), SitemapBudget::default())
                .unwrap();
        let items: Vec<u64> = written
            .iter()
            .map(|file| Sitemap::new().read(file, SitemapReader::any_origin()).unwrap().summary.items)
            .collect();
        assert_eq!(items, files);
    }
}

/// What bounds a reader who says nothing.
#[test]
#[covers("TCT-SM-12", "TCT-AMB-44")]
fn a_reader_is_bounded_by_itself() {
    let limits = SitemapLimits::default();
    assert_eq!((limits.max_bytes, limits.max_items), (100_000_000, 1_000_000));
    assert_eq!((limits.max_item_bytes, limits.max_depth), (2 << 20, 128));
}

/// 2,048 bytes are fine, 2,049 deserve a warning from the reader and are refused by the writer.
#[test]
#[covers("TCT-SM-13")]
fn entries_stay_small() {
    let of_len = |len: usize| {
        let bare = entry("/").with_modified("2025-01-01T00:00:00.0Z");
        let file = write_sitemaps([bare], SitemapBudget::default()).unwrap().remove(0);
        let none = write_sitemaps([], SitemapBudget::default()).unwrap().remove(0);
        let more = len - (file.len() - none.len());
        entry("/").with_modified(format!("2025-01-01T00:00:00.0{}Z", "0".repeat(more)))
    };
    assert!(write_sitemaps([of_len(2048)], SitemapBudget::default()).is_ok());
    assert!(write_sitemaps([of_len(2049)], SitemapBudget::default()).is_err());
    for (len, is_oversized) in [(2048, false), (2049, true)] {
        let file = write_sitemaps([of_len(len)], SitemapBudget::default().with_max_item_bytes(9999)).unwrap();
        let mut reader = SitemapReader::any_origin();
        let mut events = reader.push(&file[0]);
        let Some(SitemapEvent::Item(item)) = events.next().unwrap() else { panic!() };
        assert_eq!((item.len_bytes, item.is_oversized()), (len, is_oversized));
    }
}

#[test]
#[covers("TCT-SEC-8", "TCT-D01-13")]
fn protected_pages_stay_out_of_public_sitemaps() {
    let entries = [entry("/a/"), entry("/secret/").protected(), entry("/b/")];
    let pages = |budget| {
        let mut sitemap = Sitemap::new();
        sitemap
            .read(&write_sitemaps(entries.clone(), budget).unwrap()[0], SitemapReader::any_origin())
            .unwrap();
        sitemap.pages().iter().map(|page| page.c_url.clone()).collect::<Vec<_>>()
    };
    assert_eq!(pages(SitemapBudget::default()), ["https://example.com/a/", "https://example.com/b/"]);
    assert_eq!(pages(SitemapBudget::default().for_protected_sitemap()).len(), 3);
}

/// Whoever writes the files, the homepage comes first.
#[test]
#[covers("TCT-PAGE-6")]
fn the_homepage_is_moved_to_the_front_of_the_first_file() {
    let entries = ["/a/", "/b/", "/", "/c/"].map(entry);
    let files = write_sitemaps(entries, SitemapBudget::default().with_max_items(2)).unwrap();
    let mut sitemap = Sitemap::new();
    for file in &files {
        sitemap.read(file, SitemapReader::any_origin()).unwrap();
    }
    let pages: Vec<&str> = sitemap.pages().iter().map(|page| page.c_url.as_str()).collect();
    let url = |path: &str| format!("https://example.com{path}");
    assert_eq!(pages, ["/", "/a/", "/b/", "/c/"].map(url));
}

#[test]
#[covers("TCT-SM-6")]
fn a_time_that_is_none_is_not_written() {
    for modified in ["last tuesday", "", "2025-01-01"] {
        let error =
            write_sitemaps([entry("/").with_modified(modified)], SitemapBudget::default()).unwrap_err();
        assert_eq!(error.kind(), SealErrorKind::BadTimestamp, "{modified}");
    }
}

/// The short call compares origins.
#[test]
#[covers("TCT-AMB-30")]
fn entries_of_other_origins_are_passed_over_unless_asked_for() {
    let file = br#"{"items":[{"cUrl":"https://evil.example/","mUrl":"https://evil.example/llm/"}]}"#;
    let url = url::Url::parse("https://example.com/llm-sitemap.json").unwrap();
    let read = |reader| Sitemap::new().read(file, reader).unwrap().skipped[0].issue;
    assert_eq!(read(SitemapReader::new(&url)), ItemIssue::OtherOrigin);
    assert_eq!(read(SitemapReader::any_origin()), ItemIssue::HashMissing);
}

/// Entries that were never asked for are not lost in silence.
#[test]
fn events_dropped_early_end_the_reading() {
    let file = br#"{"items":[{"cUrl":"https://a.example/","mUrl":"https://a.example/llm/"},1] }"#;
    for taken in 0..=3 {
        for size in [7, 30, file.len()] {
            let mut reader = SitemapReader::any_origin();
            let mut left = taken;
            for chunk in file.chunks(size) {
                let mut events = reader.push(chunk);
                while left > 0 && matches!(events.next(), Ok(Some(_))) {
                    left -= 1;
                }
            }
            // All of the two entries were taken; what was left is punctuation.
            match reader.finish() {
                Ok(summary) => assert!(taken >= 2 && summary.items == 2, "{taken} {size}"),
                Err(error) => {
                    assert!(taken < 2, "{taken} {size}: {error}");
                    assert_eq!(error.kind(), SitemapErrorKind::EventsDropped, "{taken} {size}");
                }
            }
        }
    }
}

/// One page in two spellings with two hashes is one page, and ambiguous.
#[test]
#[covers("TCT-AMB-28", "TCT-AMB-36")]
fn spellings_of_one_url_are_one_page() {
    let item = |url: &str, digit: &str| {
        format!(r#"{{"cUrl":"{url}","mUrl":"{url}llm/","contentHash":"sha256-{}"}}"#, digit.repeat(64))
    };
    let file = format!(
        r#"{{"items":[{},{}]}}"#,
        item("https://EXAMPLE.com:443/a/", "0"),
        item("https://example.com/a/", "1")
    );
    let mut sitemap = Sitemap::new();
    let report = sitemap.read(file.as_bytes(), SitemapReader::any_origin()).unwrap();
    assert_eq!(report.skipped[0].issue, ItemIssue::Ambiguous);
    assert_eq!((sitemap.pages().len(), sitemap.pages()[0].hash), (1, None));
}

/// Null is an absent member, for `version` too.
#[test]
#[covers("TCT-SM-1")]
fn a_version_of_null_is_absent() {
    let mut sitemap = Sitemap::new();
    let report = sitemap.read(br#"{"version":null,"items":[]}"#, SitemapReader::any_origin()).unwrap();
    assert_eq!(report.summary.version, None);
}

#[test]
#[covers("TCT-D01-1")]
fn the_hash_stands_under_both_names() {
    let file = write_sitemaps([entry("/")], SitemapBudget::default()).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&file[0]).unwrap();
    let item = &json["items"][0];
    assert!(item["etag"].is_string() && item["etag"] == item["contentHash"]);
}

/// The same page in two files.
#[test]
#[covers("TCT-SM-15", "TCT-AMB-36")]
fn several_files_are_merged() {
    let changed = |path: &str| {
        let mut entry = entry(path);
        entry.hash = Fingerprint::hash(b"other");
        entry
    };
    let files = [
        write_sitemaps([entry("/a/"), entry("/b/"), entry("/c/")], SitemapBudget::default()).unwrap(),
        write_sitemaps([entry("/a/"), changed("/b/"), entry("/d/")], SitemapBudget::default()).unwrap(),
    ];
    let mut sitemap = Sitemap::new();
    let reports = files.map(|files| sitemap.read(&files[0], SitemapReader::any_origin()).unwrap());
    assert!(reports[0].skipped.is_empty());
    let issues: Vec<_> = reports[1].skipped.iter().map(|entry| (entry.index, entry.issue)).collect();
    assert_eq!(issues, [(0, ItemIssue::Duplicate), (1, ItemIssue::Ambiguous)]);
    let hashes: Vec<_> =
        sitemap.pages().iter().map(|page| (page.c_url.as_str(), page.hash.is_some())).collect();
    let url = |path: &str| format!("https://example.com{path}");
    let [a, b, c, d] = ["/a/", "/b/", "/c/", "/d/"].map(url);
    assert_eq!(hashes, [(&*a, true), (&*b, false), (&*c, true), (&*d, true)]);
}

/// Four times the document takes about four times the time, whatever is in it and however it is cut, and what is read
/// of it is as large as it should be.
#[test]
#[covers("TCT-SEC-9", "TCT-SM-12")]
fn hostile_documents_take_linear_time() {
    type Document = fn(usize) -> Vec<u8>;
    type Expected = fn(usize) -> Read;
    let cases: [(&str, Document, Expected); 6] = [
        (
            "brackets",
            |size| [b"{\"items\":[{\"x\":".as_slice(), &b"[".repeat(size)].concat(),
            |_| Read { entries: 0, error: Some(SitemapErrorKind::Truncated) },
        ),
        (
            "escapes",
            |size| [b"{\"items\":[{\"cUrl\":\"".as_slice(), &b"\\u0061".repeat(size / 6)].concat(),
            |_| Read { entries: 0, error: Some(SitemapErrorKind::Truncated) },
        ),
        (
            "one entry",
            |size| [b"{\"items\":[{\"x\":\"".as_slice(), &b"a".repeat(size), b"\"}]}"].concat(),
            |_| Read { entries: 1, error: None },
        ),
        (
            "spaces",
            |size| [b"{\"items\":[".as_slice(), &b" ".repeat(size), b"]}"].concat(),
            |_| Read { entries: 0, error: None },
        ),
        (
            "tiny entries",
            |size| [b"{\"items\":[1".as_slice(), &b",1".repeat(size / 2), b"]}"].concat(),
            |size| Read { entries: size / 2 + 1, error: None },
        ),
        (
            "characters",
            |size| {
                let text = "\u{1f600}".repeat(size / 4).into_bytes();
                [b"{\"x\":\"".as_slice(), &text, b"\",\"items\":[]}"].concat()
            },
            |_| Read { entries: 0, error: None },
        ),
    ];
    for (name, document, expected) in cases {
        for chunk in [7, 64 << 10] {
            linear::assert_linear(&format!("{name}, {chunk}"), [100_000, 400_000], |size| {
                assert_eq!(read_all(&document(size), chunk), expected(size), "{name}, {chunk}, {size}");
            });
        }
    }
}

/// What is read of a document: how many entries, used or passed over, and what ended the reading.
#[derive(Debug, PartialEq)]
struct Read {
    entries: usize,
    error: Option<SitemapErrorKind>,
}

fn read_all(bytes: &[u8], chunk: usize) -> Read {
    let mut reader =
        SitemapReader::any_origin().with_limits(SitemapLimits::default().with_max_items(u64::MAX));
    let mut entries = 0;
    for chunk in bytes.chunks(chunk) {
        let mut events = reader.push(chunk);
        loop {
            match events.next() {
                Ok(Some(_)) => entries += 1,
                Ok(None) => break,
                Err(error) => return Read { entries, error: Some(error.kind()) },
            }
        }
    }
    Read { entries, error: reader.finish().err().map(|error| error.kind()) }
}

/// A file is filled up to the last byte of its budget, and up to the last entry.
#[test]
#[covers("TCT-SM-14")]
fn a_file_is_filled_to_its_last_byte() {
    let write = |budget: SitemapBudget| write_sitemaps([entry("/a/"), entry("/b/"), entry("/c/")], budget);
    let sizes = |budget| {
        let files = write(budget).map_err(|error| (error.kind(), error.len_bytes()))?;
        let count = |file: &Vec<u8>| file.windows(6).filter(|at| *at == b"\"cUrl\"").count();
        Ok(files.iter().map(|file| (count(file), file.len())).collect::<Vec<_>>())
    };
    let all = write(SitemapBudget::default()).unwrap()[0].len();
    let one = write_sitemaps([entry("/a/")], SitemapBudget::default()).unwrap()[0].len();
    let len = (all - one - 2) / 2;
    assert_eq!(all, one + 2 * (len + 1), "a comma and an entry each");
    let (two, too_large) = (one + len + 1, Err((SealErrorKind::EntryTooLarge, len)));
    for (max_bytes, expected) in [
        (all, Ok(vec![(3, all)])),
        (all - 1, Ok(vec![(2, two), (1, one)])),
        (two, Ok(vec![(2, two), (1, one)])),
        (two - 1, Ok(vec![(1, one); 3])),
        (one, Ok(vec![(1, one); 3])),
        (one - 1, too_large.clone()),
    ] {
        let budget = SitemapBudget::default().with_max_bytes(max_bytes as u64);
        assert_eq!(sizes(budget), expected, "{max_bytes}");
    }
    let of_entry = |max| sizes(SitemapBudget::default().with_max_item_bytes(max));
    assert_eq!((of_entry(len), of_entry(len - 1)), (Ok(vec![(3, all)]), too_large.clone()));
    let of_items = |max| sizes(SitemapBudget::default().with_max_items(max));
    assert_eq!((of_items(2), of_items(0)), (Ok(vec![(2, two), (1, one)]), too_large));
    let dated = entry("/a/").with_modified("2025-10-21T12:34:56Z");
    let dated = write_sitemaps([dated], SitemapBudget::default()).unwrap();
    assert_eq!(dated[0].len(), one + ",\"modified\":\"2025-10-21T12:34:56Z\"".len());
}
