//! Files that are larger than the memory that may be spent on them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and makes files"
)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::support::{Serving, field};

const LEN: u64 = 200 << 20;

fn begin(address: &str, method: &str, path: &str, fields: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{fields}\r\n").unwrap();
    stream
}

fn ask(address: &str, method: &str, path: &str, fields: &str) -> (String, Vec<u8>) {
    let mut response = Vec::new();
    begin(address, method, path, fields).read_to_end(&mut response).unwrap();
    let end = response.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    (String::from_utf8_lossy(&response[..end]).into_owned(), response[end..].to_vec())
}

/// A folder with a page and a file of zeros that ends with a few letters; it takes no room on the disk.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.html"), "<title>A</title><p>Page.").unwrap();
    let mut large = std::fs::File::create(folder.path().join("large.bin")).unwrap();
    large.set_len(LEN - 3).unwrap();
    std::io::Seek::seek(&mut large, std::io::SeekFrom::End(0)).unwrap();
    large.write_all(b"end").unwrap();
    folder
}

#[test]
fn ranges_and_heads_of_a_large_file_cost_no_memory() {
    let folder = folder();
    let site = Serving::start(Some(folder.path()));
    let address = &site.1;
    let (head, body) = ask(address, "HEAD", "/large.bin", "");
    assert!(head.starts_with("HTTP/1.1 200") && body.is_empty(), "{head}");
    assert_eq!(field(&head, "content-length"), Some(LEN.to_string()));
    let tag = field(&head, "etag").unwrap();
    for (range, status, expected) in [
        ("bytes=0-0", "206", &b"\0"[..]),
        ("bytes=-3", "206", b"end"),
        (&format!("bytes={}-", LEN - 5), "206", b"\0\0end"),
        (&format!("bytes={LEN}-"), "416", b""),
    ] {
        let (head, body) = ask(address, "GET", "/large.bin", &format!("Range: {range}\r\n"));
        assert_eq!((head.split(' ').nth(1), body.as_slice()), (Some(status), expected), "{range}");
        assert_eq!(field(&head, "etag").as_ref(), Some(&tag));
    }
    let (head, _) = ask(address, "GET", "/large.bin", &format!("If-None-Match: {tag}\r\n"));
    assert!(head.starts_with("HTTP/1.1 304"), "{head}");
    // Readers that take a little and then nothing.
    let readers: Vec<_> = (0..6)
        .map(|_| {
            let mut stream = begin(address, "GET", "/large.bin", "");
            stream.read_exact(&mut [0; 100_000]).unwrap();
            stream
        })
        .collect();
    let (head, body) = ask(address, "GET", "/large.bin", "");
    assert!(body.len() as u64 == LEN && body.ends_with(b"\0end"), "{head}");
    drop(readers);
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{}/status", site.0.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < 64 << 10, "expected less than 64 MiB, found {peak} kB");
    }
}

#[test]
fn a_file_that_changes_gets_another_tag_and_a_response_never_mixes_two_states() {
    let folder = folder();
    let site = Serving::start(Some(folder.path()));
    let (address, other) = (&site.1, folder.path().join("large.bin"));
    // A download is under way when the file becomes another of the same length.
    let mut download = begin(address, "GET", "/large.bin", "");
    download.read_exact(&mut [0; 1000]).unwrap();
    let tag = field(&ask(address, "HEAD", "/large.bin", "").0, "etag").unwrap();
    let mut changed = std::fs::OpenOptions::new().write(true).open(&other).unwrap();
    changed.write_all(b"beginning").unwrap();
    drop(changed);
    let mut rest = Vec::new();
    let ended = download.read_to_end(&mut rest);
    assert!(ended.is_err() || (rest.len() as u64) < LEN - 1000, "the response must not look whole");
    let (head, body) = ask(address, "GET", "/large.bin", "Range: bytes=0-8\r\n");
    assert_ne!(field(&head, "etag"), Some(tag));
    assert_eq!(body, b"beginning");
}

/// While a file is read for its tag, all who ask for it wait; who asks for another does not.
#[test]
fn requests_that_wait_for_one_file_hold_up_no_other() {
    let folder = folder();
    let vast = std::fs::File::create(folder.path().join("vast.bin")).unwrap();
    vast.set_len(200 * LEN).unwrap();
    std::fs::write(folder.path().join("small.txt"), "small").unwrap();
    let site = Serving::start(Some(folder.path()));
    let mut waiting: Vec<_> =
        (0..150).map(|_| begin(&site.1, "GET", "/vast.bin", "Range: bytes=0-8\r\n")).collect();
    let (head, body) = ask(&site.1, "GET", "/small.txt", "");
    assert!(head.starts_with("HTTP/1.1 200") && body == b"small", "{head}");
    let has_none = |stream: &mut TcpStream| {
        stream.set_nonblocking(true).unwrap();
        stream.read(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    assert!(waiting.iter_mut().all(has_none), "one was answered or refused before");
}

/// 80 files may be open, and 200 clients come, each for a file that it does not take. The others wait, and nothing ends.
#[cfg(unix)]
#[test]
fn a_server_without_files_left_answers_again() {
    let folder = folder();
    std::fs::write(folder.path().join("site.toml"), "[server]\nwrite-seconds = 2\nidle-seconds = 2\n")
        .unwrap();
    let mut site = Serving::start_with("ulimit -n 80", Some(folder.path()));
    let address = site.1.clone();
    let taken: Vec<_> = (0..200)
        .filter_map(|_| {
            let mut stream = TcpStream::connect(&address).ok()?;
            write!(stream, "GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n").ok()?;
            Some(stream)
        })
        .collect();
    assert!(taken.len() > 100, "{}", taken.len());
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(site.0.try_wait().unwrap().is_none(), "it has ended");
    // Whoever does not take a response is closed, and whoever comes before that finds no place.
    let answer = (0..300).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let mut stream = TcpStream::connect(&address).ok()?;
        write!(stream, "GET /a.html HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").ok()?;
        let mut response = String::new();
        stream.read_to_string(&mut response).ok()?;
        (!response.is_empty()).then_some(response)
    });
    assert!(answer.as_ref().is_some_and(|answer| answer.starts_with("HTTP/1.1 200")), "{answer:?}");
    drop(taken);
    let (head, body) = ask(&address, "GET", "/large.bin", "Range: bytes=-3\r\n");
    assert!(head.starts_with("HTTP/1.1 206") && body == b"end", "{head}");
}
