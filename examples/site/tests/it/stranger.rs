//! What a stranger tries: odd paths, framing of two meanings, conditions and ranges on every kind of resource, settings that
//! could protect less than they say, and files that are not what they seem.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and makes files"
)]

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use crate::support::{Serving, ask, field, get};

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn status(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or_default()
}

/// Each kind of resource: a page, its twin and Markdown, a plain page, sitemap, document, kept file, streamed file.
const KINDS: [&str; 10] = [
    "/a.html",
    "/a.html/llm/",
    "/a.html.md",
    "/a.md",
    "/old.html",
    "/llm-sitemap.json",
    "/llms.txt",
    "/robots.txt",
    "/style.css",
    "/photo.jpg",
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.html", "<title>A</title><p>Two cups, please.");
    write(folder.path(), "old.html", b"<meta charset=iso-8859-1><title>Alt</title><p>Stra\xdfe");
    write(folder.path(), "style.css", "p { color: black }\n".repeat(20));
    write(folder.path(), "photo.jpg", [7; 5000]);
    folder
}

#[test]
fn every_kind_of_resource_answers_conditions_ranges_and_head_alike() {
    let folder = folder();
    let site = Serving::start(Some(folder.path()));
    for path in KINDS {
        // Twice: when it is made, and from memory.
        for _ in 0..2 {
            let (head, body) = get(&site.1, path, "");
            assert_eq!(status(&head), "200", "{path}: {head}");
            let (tag, len) = (field(&head, "etag").unwrap(), body.len());
            let same = |other: &str| {
                let lines = |head: &str| {
                    let mut lines: Vec<_> =
                        head.lines().filter(|line| !line.starts_with("date")).map(str::to_owned).collect();
                    lines.sort();
                    lines
                };
                assert_eq!(lines(other), lines(&head), "{path}");
            };
            let request = |method: &str, fields: &str| {
                let head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}");
                ask(&site.1, &head)
            };
            let (of_head, nothing) = request("HEAD", "");
            same(&of_head);
            assert!(nothing.is_empty());
            let future = "Fri, 31 Dec 2100 23:59:59 GMT";
            for (fields, expected) in [
                (format!("If-None-Match: {tag}"), "304"),
                (format!("If-None-Match: W/{tag}"), "304"),
                (format!("If-None-Match: \"a\", \"b\", {tag}"), "304"),
                (format!("If-None-Match: \"a\"\r\nIf-None-Match: {tag}"), "304"),
                ("If-None-Match: *".to_owned(), "304"),
                (format!("If-None-Match: \"a\"\r\nIf-Modified-Since: {future}"), "200"),
                (format!("If-Match: {tag}"), "200"),
                ("If-Match: \"a\"".to_owned(), "412"),
                (format!("If-Match: W/{tag}"), "412"),
                (format!("If-Match: \"a\"\r\nIf-None-Match: {tag}"), "412"),
            ] {
                for method in ["GET", "HEAD"] {
                    let (head, body) = request(method, &format!("{fields}\r\n"));
                    assert_eq!(status(&head), expected, "{method} {path} {fields}: {head}");
                    assert!(body.is_empty() || expected == "200" && method == "GET", "{path} {fields}");
                    assert_eq!(field(&head, "etag").as_ref(), Some(&tag), "{path} {fields}");
                }
            }
            let long = len + 10;
            for (fields, expected, first, last) in [
                ("Range: bytes=0-0".to_owned(), "206", 0, 1),
                ("Range: bytes=1-".to_owned(), "206", 1, len),
                (format!("Range: bytes=1-{long}"), "206", 1, len),
                ("Range: bytes=-2".to_owned(), "206", len - 2, len),
                (format!("Range: bytes=-{long}"), "206", 0, len),
                ("Range: bytes=-99999999999999999999999".to_owned(), "206", 0, len),
                ("Range: bytes=0-0,1-1".to_owned(), "200", 0, len),
                (format!("Range: bytes={}0-", "0-,".repeat(2000)), "200", 0, len),
                ("Range: bytes=0-1\r\nRange: bytes=1-2".to_owned(), "200", 0, len),
                ("Range: bytes=2-1".to_owned(), "200", 0, len),
                ("Range: lines=0-1".to_owned(), "200", 0, len),
                ("Range: bytes=0x0-1".to_owned(), "200", 0, len),
                (format!("Range: bytes={len}-"), "416", 0, 0),
                ("Range: bytes=-0".to_owned(), "416", 0, 0),
                (format!("Range: bytes=0-1\r\nIf-Range: {tag}"), "206", 0, 2),
                (format!("Range: bytes=0-1\r\nIf-Range: W/{tag}"), "200", 0, len),
                (format!("Range: bytes=0-1\r\nIf-Range: {future}"), "200", 0, len),
                (format!("Range: bytes=0-1\r\nIf-None-Match: {tag}"), "304", 0, 0),
            ] {
                let (head, part) = request("GET", &format!("{fields}\r\n"));
                assert_eq!(status(&head), expected, "{path} {fields}: {head}");
                assert_eq!(part, body[first..last], "{path} {fields}");
                if expected == "206" {
                    let range = format!("bytes {first}-{}/{len}", last - 1);
                    assert_eq!(field(&head, "content-range"), Some(range), "{path} {fields}");
                }
                let (of_head, nothing) = request("HEAD", &format!("{fields}\r\n"));
                assert!(
                    nothing.is_empty() && ["200", "304"].contains(&status(&of_head)),
                    "{path}: {of_head}"
                );
            }
            for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE"] {
                let (head, _) = request(method, "");
                assert_eq!(
                    (status(&head), field(&head, "allow").as_deref()),
                    ("405", Some("GET, HEAD, OPTIONS")),
                    "{method} {path}"
                );
            }
        }
    }
}

#[test]
fn no_spelling_of_a_path_leads_out_of_the_folder() {
    let outer = tempfile::tempdir().unwrap();
    write(outer.path(), "secret.txt", "hidden from everybody");
    let folder = outer.path().join("pages");
    write(&folder, "a.html", "<title>A</title><p>Two cups, please.");
    write(&folder, "sub/b.html", "<title>B</title><p>A pot.");
    write(&folder, ".env", "hidden from everybody");
    std::os::unix::fs::symlink(outer.path(), folder.join("up")).unwrap();
    std::os::unix::fs::symlink("../secret.txt", folder.join("link.txt")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.bin")).unwrap();
    std::os::unix::fs::symlink("/proc/self/environ", folder.join("environ.txt")).unwrap();
    let made = Command::new("mkfifo").arg(folder.join("pipe.txt")).status().unwrap();
    assert!(made.success());
    let site = Serving::start(Some(&folder));
    let ups = [
        "..",
        "%2e%2e",
        ".%2e",
        "%2E.",
        "..%00",
        "..%20",
        "...",
        "..;",
        "%252e%252e",
        "%c0%ae%c0%ae",
        "..%c0%af",
        "%uff0e%uff0e",
        "\u{ff0e}\u{ff0e}",
        "%ef%bc%8e%ef%bc%8e",
        ".\t.",
        "..\\",
        "..%5c",
        "%2e%2e%2f",
        "..%2f",
    ];
    let mut paths: Vec<String> = ups
        .iter()
        .flat_map(|up| {
            [
                format!("/{up}/secret.txt"),
                format!("/sub/{up}/{up}/secret.txt"),
                format!("//{up}/secret.txt"),
                format!("/sub/{up}/a.html"),
            ]
        })
        .collect();
    paths.extend(
        [
            "/up/secret.txt",
            "/link.txt",
            "/zero.bin",
            "/environ.txt",
            "/pipe.txt",
            "/.env",
            "/%2eenv",
            "/./.env",
            "/a.html%00",
            "/a.html%00.md",
            "/a.html.",
            "/a.html%20",
            "/a.html/",
            "/A.HTML",
            "/a.html::$DATA",
            "/sub%2fb.html",
            "/sub\\b.html",
            "/sub%5cb.html",
            "/sub//b.html",
            "/./a.html",
            "file:///etc/passwd",
            "/%",
            "/%2",
            "/%zz",
            "/%ff",
            "/\u{e9}",
            "*",
        ]
        .map(str::to_owned),
    );
    for path in paths {
        let (head, body) = get(&site.1, &path, "");
        assert!(["400", "404"].contains(&status(&head)), "{path}: {head}");
        assert!(!String::from_utf8_lossy(&body).contains("hidden"), "{path}");
    }
    for path in ["/a.html", "/%61.html", "/a.html?../secret.txt", "http://elsewhere.example/a.html"] {
        assert_eq!(status(&get(&site.1, path, "").0), "200", "{path}");
    }
}

/// All that comes back for these bytes on one connection.
fn raw(address: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // Who is refused early may find the connection closed, and the response lost with it.
    let _closed = stream.write_all(bytes).and_then(|()| stream.shutdown(Shutdown::Write));
    let mut response = Vec::new();
    let _reset = stream.read_to_end(&mut response);
    String::from_utf8_lossy(&response).into_owned()
}

/// The statuses of the responses in it.
fn statuses(responses: &str) -> Vec<&str> {
    responses.split("HTTP/1.1 ").skip(1).map(|response| &response[..3]).collect()
}

#[test]
fn no_framing_has_two_meanings() {
    let folder = folder();
    let site = Serving::start(Some(folder.path()));
    let inner = "GET /robots.txt HTTP/1.1\r\nHost: inner\r\n\r\n";
    let len = inner.len();
    // What one server takes for a body another takes for a request: here it is refused, or is the body.
    for fields in [
        format!("Content-Length: {len}\r\nContent-Length: 0"),
        format!("Content-Length: 0\r\nContent-Length: {len}"),
        format!("Content-Length: {len}, 0"),
        format!("Content-Length: +{len}"),
        format!("Content-Length: -{len}"),
        format!("Content-Length: 0x{len:x}"),
        format!("Content-Length : {len}"),
        format!("Content-Length\t: {len}"),
        format!("Content-Length: {len} 0"),
        "Content-Length: 18446744073709551616".to_owned(),
        "Content-Length:".to_owned(),
        "Transfer-Encoding: identity".to_owned(),
        "Transfer-Encoding: xchunked".to_owned(),
        "Transfer-Encoding: chunked, identity".to_owned(),
        "Transfer-Encoding: gzip".to_owned(),
        "Transfer-Encoding : chunked".to_owned(),
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity".to_owned(),
        " Transfer-Encoding: chunked".to_owned(),
        "X: a\r\n Content-Length: 5".to_owned(),
        "X: a\0b".to_owned(),
        "X: a\rContent-Length: 5".to_owned(),
        "X: a\r\rb".to_owned(),
        "X y: a".to_owned(),
        ": a".to_owned(),
        "no colon".to_owned(),
    ] {
        let answer =
            raw(&site.1, format!("POST /a.html HTTP/1.1\r\nHost: a\r\n{fields}\r\n\r\n{inner}").as_bytes());
        assert_eq!(statuses(&answer), ["400"], "{fields:?}: {answer}");
    }
    for (request, expected) in [
        // The body is what the framing says, and what follows is the next request.
        (format!("POST /a.html HTTP/1.1\r\nHost: a\r\nContent-Length: {len}\r\n\r\n{inner}"), &["405"][..]),
        (format!("GET /a.html HTTP/1.1\r\nHost: a\r\nContent-Length: {len}\r\n\r\n{inner}"), &["200"]),
        (format!("GET /a.html HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n{inner}"), &["200", "200"]),
        (
            format!(
                "POST /a.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n{len:x}\r\n{inner}\r\n0\r\n\r\n"
            ),
            &["405"],
        ),
        (
            format!(
                "POST /a.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n{inner}"
            ),
            &["405"],
        ),
        (
            format!(
                "POST /a.html HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{inner}"
            ),
            &["405"],
        ),
        (
            format!(
                "GET /a.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n{inner}"
            ),
            &["200"],
        ),
        (
            format!("POST /a.html HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{inner}"),
            &["405"],
        ),
        (
            format!("GET /a.html HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n{inner}"),
            &["200", "200"],
        ),
    ] {
        let answer = raw(&site.1, request.as_bytes());
        let found = statuses(&answer);
        assert!(found == expected || found == ["400"], "{request:?}: {found:?}");
        assert!(!answer.contains("inner"), "{answer}");
    }
    for request in [
        "GET  /a.html HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a.html  HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a b.html HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a.html HTTP/1.2\r\nHost: a\r\n\r\n",
        "GET /a.html HTTP/3.0\r\nHost: a\r\n\r\n",
        "GET a.html HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a.html HTTP/1.1\nHost: a\r\nHost: b\n\n",
        "\0\0\0",
    ] {
        let answer = raw(&site.1, request.as_bytes());
        assert!(!answer.starts_with("HTTP/1.1 200"), "{request:?}: {answer}");
    }
    let many = "X-Field: a\r\n".repeat(2000);
    let answer = raw(&site.1, format!("GET /a.html HTTP/1.1\r\nHost: a\r\n{many}\r\n").as_bytes());
    assert!(["431"].starts_with(&statuses(&answer)), "{answer}");
    let long = "a".repeat(100_000);
    let answer = raw(&site.1, format!("GET /a.html HTTP/1.1\r\nHost: a\r\nX: {long}\r\n\r\n").as_bytes());
    assert!(["431"].starts_with(&statuses(&answer)), "{answer}");
    let answer = raw(&site.1, format!("GET /{long} HTTP/1.1\r\nHost: a\r\n\r\n").as_bytes());
    assert!(statuses(&answer).iter().all(|status| ["414", "431"].contains(status)), "{answer}");
    // And the server answers still.
    assert_eq!(status(&get(&site.1, "/a.html", "").0), "200");
}

#[test]
fn names_that_fit_no_address_and_names_that_want_the_same_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let page = |text: &str| format!("<title>{text}</title><p>{text}, told at length.");
    for (name, text) in [
        ("index.html", "Home"),
        ("index.htm", "Old home"),
        ("llm/index.html", "Models"),
        ("ab.html", "Good"),
        ("a\tb.html", "Tab"),
        ("a\nb.html", "Line"),
        ("q?x.html", "Question"),
        ("h#x.html", "Hash"),
        ("p%20x.html", "Percent"),
        ("p x.html", "Space"),
        ("back\\slash.html", "Backslash"),
        ("cafe\u{301}.html", "Apart"),
        ("caf\u{e9}.html", "Composed"),
    ] {
        write(folder.path(), name, page(text));
    }
    let site = Serving::start(Some(folder.path()));
    for (path, text) in [
        ("/", "Home"),
        ("/ab.html", "Good"),
        ("/q%3Fx.html", "Question"),
        ("/h%23x.html", "Hash"),
        ("/p%2520x.html", "Percent"),
        ("/p%20x.html", "Space"),
        ("/caf%C3%A9.html", "Composed"),
        ("/cafe%CC%81.html", "Apart"),
    ] {
        let (head, body) = get(&site.1, path, "");
        assert!(String::from_utf8_lossy(&body).contains(&format!("{text}, told")), "{path}: {head}");
    }
    // What the sitemap says of a page and its twin is so.
    let (_, sitemap) = get(&site.1, "/llm-sitemap.json", "");
    let sitemap: serde_json::Value = serde_json::from_slice(&sitemap).unwrap();
    let items = sitemap["items"].as_array().unwrap();
    let mut addresses: Vec<_> = items
        .iter()
        .flat_map(|item| [item["cUrl"].as_str().unwrap(), item["mUrl"].as_str().unwrap()])
        .collect();
    let count = addresses.len();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), count, "each address is of one resource: {sitemap}");
    for item in items {
        let path =
            |name: &str| item[name].as_str().unwrap().split_once("//").unwrap().1.split_once('/').unwrap().1;
        let (head, _) = get(&site.1, &format!("/{}", path("mUrl")), "");
        let hash = item["contentHash"].as_str().unwrap();
        assert!(field(&head, "etag").unwrap_or_default().contains(hash), "{item}: {head}");
    }
}

#[test]
fn a_file_that_goes_while_the_site_runs_is_not_found() {
    let folder = folder();
    let site = Serving::start(Some(folder.path()));
    let open = get(&site.1, "/style.css", "").1;
    for name in ["a.html", "old.html", "style.css", "photo.jpg"] {
        std::fs::remove_file(folder.path().join(name)).unwrap();
    }
    for path in ["/a.html", "/a.md", "/old.html", "/style.css", "/photo.jpg"] {
        assert_eq!(status(&get(&site.1, path, "").0), "404", "{path}");
    }
    // What is made at start stays, and a file that is there again is served.
    assert_eq!(status(&get(&site.1, "/a.html/llm/", "").0), "200");
    write(folder.path(), "style.css", &open);
    assert_eq!(get(&site.1, "/style.css", "").1, open);
    // Another thing in its place is not.
    std::fs::create_dir(folder.path().join("photo.jpg")).unwrap();
    let made = Command::new("mkfifo").arg(folder.path().join("a.html")).status().unwrap();
    assert!(made.success());
    for path in ["/a.html", "/photo.jpg"] {
        assert_eq!(status(&get(&site.1, path, "").0), "500", "{path}");
    }
}

fn start(folder: &Path, origin: &str) -> Output {
    // A site that starts runs until it is ended.
    let program = env!("CARGO_BIN_EXE_site");
    let arguments = ["20", program, "serve", "--plain", "--origin", origin];
    Command::new("timeout").args(arguments).arg(folder).output().unwrap()
}

const ORIGIN: &str = "https://quay.example/";

#[test]
fn an_origin_with_more_than_an_origin_is_refused() {
    let folder = folder();
    for origin in [
        "https://quay.example/docs/",
        "https://quay.example/?a",
        "https://quay.example/#a",
        "https://me@quay.example/",
        "https://:secret@quay.example/",
        "file:///",
        "mailto:a@quay.example",
    ] {
        let output = start(folder.path(), origin);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{origin}: {said}");
        assert!(said.contains("expected an origin"), "{origin}: {said}");
    }
}

#[test]
fn settings_that_cannot_be_read_stop_the_site() {
    for name in
        ["a link out of the folder", "a pipe", "a folder", "another case", "not UTF-8", "a broken link"]
    {
        let outer = tempfile::tempdir().unwrap();
        let rules = "[signatures]\nrequire = [\"/a.html\"]\n";
        write(outer.path(), "elsewhere.toml", rules);
        let folder = outer.path().join("pages");
        write(&folder, "a.html", "<title>A</title><p>Two cups, please.");
        let settings = folder.join("site.toml");
        match name {
            "a link out of the folder" => {
                std::os::unix::fs::symlink("../elsewhere.toml", &settings).unwrap();
            }
            "a broken link" => std::os::unix::fs::symlink("nothing.toml", &settings).unwrap(),
            "a pipe" => {
                let made = Command::new("mkfifo").arg(&settings).status().unwrap();
                assert!(made.success());
            }
            "a folder" => write(&folder, "site.toml/x.txt", "x"),
            "another case" => write(&folder, "Site.toml", rules),
            _ => write(&folder, "site.toml", b"[signatures]\nrequire = [\"/caf\xe9/\"]\n"),
        }
        let output = start(&folder, ORIGIN);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{name}: {said}{}",
            String::from_utf8_lossy(&output.stdout)
        );
        assert!(said.lines().count() == 1 && said.to_lowercase().contains("site.toml"), "{name}: {said}");
    }
}

#[test]
fn settings_that_say_nothing_or_what_cannot_be_are_refused() {
    let folder = folder();
    for rules in [
        "[signatures]",
        "[signatures]\nrequire = []",
        "[signatures]\nagents = [\"https://bot.example\"]",
        "[signatures]\nrequires = [\"/a.html\"]",
        "[signatures]\nrequire = \"/a.html\"",
        "[signature]\nrequire = [\"/a.html\"]",
        "[signatures]\nrequire = [\"/a.html\"]\nagents = [\"http://bot.example\"]",
        "[signatures]\nrequire = [\"/a.html\"]\nagents = [\"\"]",
        "[signatures]\nrequire = [\"/a.html\"]\nagents = [\"bot.example\"]",
        "[signatures]\nrequire = [\"/a.html\"]\n[signatures]\nrequire = []",
        "[robots]\ndisallow = [\"\"]",
        "[robots]\ndisallow = [\" /a\"]",
        "[robots]\ndisallow = [\"/a\\nAllow: /\"]",
        "[robots]\ndisallow = [\"a.html\"]",
        "[robots]\nai-train = \"no\"",
        "[policy]\nrequests-per-second = -1.0",
        "[policy]\nrequests-per-second = nan",
        "[policy]\nrequests-per-second = inf",
        "[policy]\nai-train = \"false\"",
        "[policy]\nai_train = false",
        "[proofs]\naiwebindex = \"\"",
        "[proofs]\naiwebindex = \"a\\nb\"",
        "[server]\nconnections = 0",
        "[server]\nidle-seconds = -1",
        "[server]\nidle-seconds = nan",
        "[server]\nidle-second = 5",
        "[server]\nstreams = 4294967296",
        "[unknown]",
        "unknown = 1",
    ] {
        write(folder.path(), "site.toml", rules);
        let output = start(folder.path(), ORIGIN);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{rules}: {said}");
        assert!(said.starts_with("site: "), "{rules}: {said}");
    }
}
