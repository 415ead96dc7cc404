//! The publisher as the system's `curl` sees it: a client that shares no code with it.

#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use std::process::Command;

use clap::Parser;
use roundtrip::progress::Progress;
use roundtrip::{Cli, Published};
use site::files::Site;

/// A response: its status line and fields, and its body.
struct Answer {
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn status(&self) -> &str {
        self.head.split_ascii_whitespace().nth(1).unwrap_or_default()
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (field, value) = line.split_once(':')?;
            field.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

fn curl(certificate: &std::path::Path, arguments: &[&str], url: &str) -> Answer {
    let output = Command::new("curl")
        .args(["--silent", "--show-error", "--include", "--noproxy", "*", "--max-time", "20", "--cacert"])
        .arg(certificate)
        .args(arguments)
        .arg(url)
        .output()
        .unwrap();
    assert!(output.status.success(), "{url}: {}", String::from_utf8_lossy(&output.stderr));
    let end = output.stdout.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let (head, body) = output.stdout.split_at(end + 4);
    Answer { head: String::from_utf8(head.to_vec()).unwrap(), body: body.to_vec() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn curl_gets_what_the_protocol_promises() {
    let Ok(version) = Command::new("curl").arg("--version").output() else {
        println!("not run: there is no curl here");
        return;
    };
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.pem");
    let cli = Cli::parse_from(["roundtrip"]);
    let published = Published::start(&cli, Site::embedded().unwrap(), &Progress::QUIET).await.unwrap();
    published.write_certificate(&certificate).unwrap();
    let snapshot = published.publisher.snapshot();
    let page = snapshot.pages.iter().find(|page| page.file.name() == "utf8.html").unwrap();
    let (c_url, m_url) = (page.c_url.as_str(), page.m_url.as_str());
    let sitemap = published.origin.join("/llm-sitemap.json").unwrap();

    let mut versions = vec!["--http1.1"];
    if version.contains("HTTP2") {
        versions.push("--http2");
    }
    for http in versions {
        let get = |arguments: &[&str], url: &str| curl(&certificate, &[&[http], arguments].concat(), url);

        // The page leads to its twin and to the sitemap.
        let html = get(&[], c_url);
        assert_eq!(html.status(), "200", "{}", html.head);
        assert!(html.head.contains(&format!("<{sitemap}>; rel=\"index\"")), "{}", html.head);
        let text = String::from_utf8(html.body).unwrap();
        let link = format!(r#"<link rel="alternate" type="application/json" href="{m_url}">"#);
        assert!(text.split("</head>").next().is_some_and(|head| head.contains(&link)), "{text}");

        // The twin: JSON, a strong tag, the way back.
        let twin = get(&[], m_url);
        assert_eq!(twin.status(), "200", "{}", twin.head);
        assert_eq!(twin.field("content-type"), Some("application/json; charset=utf-8"));
        assert_eq!(twin.field("link"), Some(format!("<{c_url}>; rel=\"canonical\"").as_str()));
        assert_eq!(twin.body, *page.payload.body());
        let etag = twin.field("etag").unwrap().to_owned();
        assert_eq!(etag, format!("\"{}\"", page.fingerprint));
        for field in ["connection", "keep-alive", "transfer-encoding", "trailer", "upgrade"] {
            assert_eq!(twin.field(field), None, "{}", twin.head);
        }

        // HEAD: the same fields, no body.
        let head = get(&["--head"], m_url);
        assert_eq!((head.status(), head.body.len()), ("200", 0));
        for field in
            ["etag", "content-type", "content-length", "cache-control", "vary", "last-modified", "link"]
        {
            assert_eq!(head.field(field), twin.field(field), "{field}");
        }

        // Conditions: nothing is sent again.
        let given = format!("If-None-Match: \"other\", W/{etag}");
        for arguments in [&["-H", given.as_str()][..], &["-H", given.as_str(), "--head"]] {
            let unchanged = get(arguments, m_url);
            assert_eq!((unchanged.status(), unchanged.body.len()), ("304", 0), "{}", unchanged.head);
            assert_eq!(unchanged.field("etag"), Some(etag.as_str()));
        }
        let changed = get(
            &["-H", "If-None-Match: \"other\"", "-H", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT"],
            m_url,
        );
        assert_eq!(changed.status(), "200", "a date must not outrank a tag");

        // Codings: the same tag, and what comes out is the same.
        let coded = get(&["--compressed"], m_url);
        assert!(coded.field("content-encoding").is_some(), "{}", coded.head);
        assert_eq!(
            (coded.field("etag"), coded.body.as_slice()),
            (Some(etag.as_str()), &page.payload.body()[..])
        );

        // Ranges of the plain body; never of a coded one.
        let part = get(&["--range", "2-9"], m_url);
        assert_eq!((part.status(), part.body.as_slice()), ("206", &page.payload.body()[2..10]));
        let whole = get(&["--range", "2-9", "-H", "Accept-Encoding: gzip"], m_url);
        assert_eq!((whole.status(), whole.field("content-encoding")), ("200", Some("gzip")));

        let list = get(&[], sitemap.as_str());
        assert_eq!(list.status(), "200");
        assert!(String::from_utf8_lossy(&list.body).contains(&page.fingerprint.to_string()));
        let etag = format!("If-None-Match: {}", list.field("etag").unwrap());
        assert_eq!(get(&["-H", &etag], sitemap.as_str()).status(), "304");

        let image = get(&[], published.origin.join("/img/quay.svg").unwrap().as_str());
        assert_eq!((image.status(), image.field("content-type")), ("200", Some("image/svg+xml")));
        assert_eq!(get(&[], published.origin.join("/missing.html").unwrap().as_str()).status(), "404");
        assert_eq!(get(&["--request", "DELETE"], m_url).status(), "405");
    }
    published.server.stop().await.unwrap();
}
