//! The program as its own process: conditions, content codings, and its end.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and opens sockets and files"
)]

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::support::{Serving, ask, field, get};

#[test]
fn it_answers_conditions_in_every_coding_and_stops_when_asked() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_site"))
        .args(["serve", "--plain"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    let address = first.rsplit_once("http://").unwrap().1.trim_end_matches('/').to_owned();
    assert!(lines.any(|line| line == "Ctrl-C ends it"));

    let (head, twin) = get(&address, "/kite.html/llm/", "");
    let tag = field(&head, "etag").unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && tag.starts_with("\"sha256-"), "{head}");
    for coding in ["gzip", "br"] {
        let accept = format!("Accept-Encoding: {coding}\r\n");
        let (head, body) = get(&address, "/kite.html/llm/", &accept);
        assert_eq!(
            (field(&head, "content-encoding").as_deref(), field(&head, "etag")),
            (Some(coding), Some(tag.clone()))
        );
        assert_eq!(body, twin, "{coding}");
        let again = format!("{accept}If-None-Match: {tag}\r\n");
        let (head, body) = get(&address, "/kite.html/llm/", &again);
        assert!(head.starts_with("HTTP/1.1 304") && body.is_empty(), "{head}");
    }
    let (head, robots) = get(&address, "/robots.txt", "");
    assert_eq!(field(&head, "content-type").as_deref(), Some("text/plain; charset=utf-8"));
    assert!(
        String::from_utf8_lossy(&robots).contains("Content-Signal: search=yes, ai-input=yes, ai-train=no")
    );
    assert!(get(&address, "/site.toml", "").0.starts_with("HTTP/1.1 404"));

    let asked = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(asked.success());
    assert_eq!(lines.next().as_deref(), Some("stopping"));
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_key_is_made_once_and_signs() {
    let folder = tempfile::tempdir().unwrap();
    let (key, program) = (folder.path().join("key.json"), env!("CARGO_BIN_EXE_site"));
    let keygen = || {
        let kid = ["--kid", "https://quay.example/.well-known/jwks.json"];
        Command::new(program).arg("keygen").arg(&key).args(kid).output().unwrap()
    };
    let made = keygen();
    assert!(made.status.success(), "{made:?}");
    let private = std::fs::read_to_string(&key).unwrap();
    let public = String::from_utf8(made.stdout).unwrap();
    let signing = jwk::SigningKey::from_jwk(private.as_bytes()).unwrap();
    assert_eq!(public.trim_end(), signing.to_public_jwk_set());
    // Without a name it is a crawler's key, named by its thumbprint.
    let bot = Command::new(program).arg("keygen").arg(folder.path().join("bot.json")).output().unwrap();
    let bot_key = std::fs::read(folder.path().join("bot.json")).unwrap();
    let bot_key = jwk::SigningKey::from_jwk(&bot_key).unwrap();
    assert!(bot.status.success() && bot_key.kid() == Some(&bot_key.thumbprint().to_string()), "{bot:?}");
    assert!(!keygen().status.success(), "a key is never written over");
    assert_eq!(std::fs::read_to_string(&key).unwrap(), private);
}

#[test]
fn what_cannot_work_is_said_in_one_line() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_site")).args(["serve", "/no/such/folder"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        said,
        "site: cannot read the folder /no/such/folder: No such file or directory (os error 2)\n"
    );
}

#[test]
fn a_folder_is_served_as_a_reader_expects_and_nothing_else_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("index.html", b"<title>Home</title><p>Two cups, please.");
    write("sub/index.html", b"<title>Below</title><p>A pot.");
    write("b\u{fc}cher.html", b"<title>Books</title><p>Three of them.");
    write("old.html", b"<meta charset=iso-8859-1><title>Alt</title><p>Stra\xdfe");
    write("empty.html", b"<title>Nothing yet</title>");
    write("made.html", b"<title>Made</title><p>Once.");
    write("made.html.md", b"# Made\n\nOnce, by hand.\n");
    write(".env", b"SECRET=1");
    write(".git/config", b"[core]");
    write(".well-known/security.txt", b"Contact: mailto:x@example.org");
    let site = Serving::start(Some(folder.path()));
    let status = |path: &str| get(&site.1, path, "").0.split(' ').nth(1).unwrap().to_owned();

    for path in ["/.env", "/.git/config", "/%2eenv", "/%2Egit/config", "/site.toml", "/../etc/passwd"] {
        assert_eq!(status(path), "404", "{path}");
    }
    for path in ["/b%C3%BCcher.html", "/b%c3%bccher%2ehtml", "/.well-known/security.txt", "/"] {
        assert_eq!(status(path), "200", "{path}");
    }
    for (path, to) in [
        ("/sub", "/sub/"),
        ("/sub?x=1", "/sub/?x=1"),
        ("/sub/index.html", "/sub/"),
        ("/index.html", "/"),
        ("//sub", ""),
    ] {
        let head = get(&site.1, path, "").0;
        let location = field(&head, "location").unwrap_or_default();
        assert_eq!((location.as_str(), head.starts_with("HTTP/1.1 308")), (to, !to.is_empty()), "{path}");
    }
    // Pages without a twin are there for readers.
    let (head, body) = get(&site.1, "/old.html", "");
    assert!(head.starts_with("HTTP/1.1 200") && body.ends_with(b"Stra\xdfe"), "{head}");
    assert_eq!(field(&head, "content-type").as_deref(), Some("text/html"));
    assert_eq!(status("/empty.html"), "200");
    assert_eq!(status("/empty.html/llm/"), "404");
    // A page's Markdown that is in the folder is not a page.
    let (head, body) = get(&site.1, "/made.html.md", "");
    assert_eq!(field(&head, "content-type").as_deref(), Some("text/markdown; charset=utf-8"));
    assert_eq!(
        (body.as_slice(), status("/made.html.html").as_str()),
        (&b"# Made\n\nOnce, by hand.\n"[..], "404")
    );
    // The second time a page comes from memory, in every coding.
    for coding in ["gzip", "br", "identity", "gzip"] {
        let (head, body) = get(&site.1, "/sub/", &format!("Accept-Encoding: {coding}\r\n"));
        assert!(body.ends_with(b"<p>A pot."), "{head}");
        assert!(String::from_utf8_lossy(&body).contains("rel=\"alternate\""));
    }
}

#[test]
fn requests_are_answered_as_http_has_it() {
    let site = Serving::start(None);
    let status = |head: &str| ask(&site.1, head).0.split(' ').nth(1).unwrap().to_owned();
    let close = "Connection: close\r\n";
    for (request, expected) in [
        ("GET / HTTP/1.1\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: a\r\n", "200"),
        ("GET / HTTP/1.0\r\n", "200"),
        ("BREW / HTTP/1.1\r\nHost: a\r\n", "501"),
        ("DELETE /kite.html HTTP/1.1\r\nHost: a\r\n", "405"),
    ] {
        assert_eq!(status(&format!("{request}{close}")), expected, "{request}");
    }
    for path in ["/kite.html", "/kite.html/llm/", "/robots.txt"] {
        let tag = field(&get(&site.1, path, "").0, "etag").unwrap();
        for method in ["HEAD", "GET"] {
            let request = format!("{method} {path} HTTP/1.1\r\nHost: a\r\n{close}If-None-Match: {tag}\r\n");
            let (head, _) = ask(&site.1, &request);
            assert!(head.starts_with("HTTP/1.1 304"), "{method} {path}: {head}");
            assert_eq!(field(&head, "content-length"), None, "{method} {path}");
            assert_eq!(field(&head, "transfer-encoding"), None, "{method} {path}");
        }
    }
}

#[test]
fn whoever_prefers_markdown_gets_it() {
    let site = Serving::start(None);
    let page = |accept: &str, more: &str| get(&site.1, "/kite.html", &format!("Accept: {accept}\r\n{more}"));
    let (html_head, html) = page("text/html, text/markdown;q=0.9", "");
    assert!(html.starts_with(b"<!") && html_head.contains("content-type: text/html"), "{html_head}");
    let (head, markdown) = page("text/markdown, text/html;q=0.8", "");
    let text = String::from_utf8_lossy(&markdown);
    assert!(text.starts_with("> All pages: http://") && text.contains("/llms.txt\n\n# "), "{text}");
    assert_eq!(field(&head, "content-type").as_deref(), Some("text/markdown; charset=utf-8"));
    assert!(field(&head, "link").unwrap().ends_with("/kite.html>; rel=\"canonical\""), "{head}");
    // A cache must not hand one reader's form to the other, whatever it was told first.
    for (head, accept) in [(&html_head, "text/html"), (&head, "text/markdown")] {
        assert_eq!(field(head, "vary").as_deref(), Some("accept, accept-encoding"));
        let tag = field(head, "etag").unwrap();
        let (unchanged, _) = page(accept, &format!("If-None-Match: {tag}\r\n"));
        assert!(unchanged.starts_with("HTTP/1.1 304"), "{unchanged}");
        assert_eq!(field(&unchanged, "vary").as_deref(), Some("accept, accept-encoding"));
    }
    assert_ne!(field(&html_head, "etag"), field(&head, "etag"));
    // Under an address of its own nothing is chosen.
    let (head, own) = get(&site.1, "/kite.html.md", "Accept: text/html\r\n");
    assert_eq!((own, field(&head, "vary").as_deref()), (markdown, Some("accept-encoding")));
    assert!(get(&site.1, "/index.html.md", "").0.starts_with("HTTP/1.1 200"));
}
