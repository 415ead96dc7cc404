//! Pages that are read at each request: an edit shows at once, in page, twin and sitemap.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and edits files"
)]

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH, VARY,
};
use http::{HeaderMap, HeaderName, Request, StatusCode};
use site::{Options, Revisions};
use tct::link::links;
use tct::{SitemapEvent, SitemapReader};
use tower::ServiceExt as _;
use url::Url;

async fn ask(router: &Router, path: &str, fields: &[(HeaderName, &str)]) -> (StatusCode, HeaderMap, Bytes) {
    let mut request = Request::builder().uri(path).header(HOST, "quay.example");
    for (name, value) in fields {
        request = request.header(name, *value);
    }
    let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    (head.status, head.headers, to_bytes(body, usize::MAX).await.unwrap())
}

fn pages(sitemap: &[u8]) -> Vec<(String, String)> {
    let mut reader = SitemapReader::new(&Url::parse("https://quay.example/llm-sitemap.json").unwrap());
    let (mut events, mut pages) = (reader.push(sitemap), Vec::new());
    while let Some(event) = events.next().unwrap() {
        let SitemapEvent::Item(item) = event else { panic!("{event:?}") };
        pages.push((item.c_url.to_owned(), item.hash.unwrap().to_string()));
    }
    pages
}

#[tokio::test]
async fn an_edit_shows_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("tides.html", "<html lang=en><title>Tides</title><main><p>High water at six.</main>");
    write("boats.md", "# Boats\n\nThey leave at the full hour.\n");
    write("site.toml", "[policy]\nai-train = false\n");
    let options = Options {
        live: true,
        origin: Some(Url::parse("https://quay.example/").unwrap()),
        folder: Some(folder.path().to_owned()),
        tct: Revisions::Both,
        ..Options::default()
    };
    let router = site::prepare(options).await.unwrap().router();

    let (status, fields, page) = ask(&router, "/tides.html", &[]).await;
    assert_eq!((status, page.ends_with(b"six.</main>")), (StatusCode::OK, true));
    let targets: Vec<_> = links(&fields).map(|link| link.target.to_string()).collect();
    let expected = ["tides.html/llm/", "tides.html/m/", "llm-sitemap.json", "m-sitemap.json"];
    assert_eq!(targets, expected.map(|path| format!("https://quay.example/{path}")));
    let (_, coded, _) = ask(&router, "/tides.html", &[(ACCEPT_ENCODING, "br")]).await;
    assert_eq!((&coded[CONTENT_ENCODING], &coded[ETAG]), (&"br".parse().unwrap(), &fields[ETAG]));

    // Twin and sitemap say the same, and name the page as it is: without a slash behind it.
    let (_, twin, body) = ask(&router, "/tides.html/llm/", &[]).await;
    assert!(
        links(&twin)
            .any(|link| link.has_rel("canonical") && link.target == "https://quay.example/tides.html")
    );
    assert!(String::from_utf8_lossy(&body).contains("High water at six."), "{body:?}");
    let tag = twin[ETAG].to_str().unwrap().to_owned();
    let (_, listed, sitemap) = ask(&router, "/llm-sitemap.json", &[]).await;
    assert!(links(&listed).any(|link| link.has_rel("describedby")));
    let of_page = |sitemap: &[u8], page: &str| {
        pages(sitemap).into_iter().find(|(url, _)| url.ends_with(page)).unwrap().1
    };
    assert_eq!(format!("\"{}\"", of_page(&sitemap, "/tides.html")), tag);
    let boats = of_page(&sitemap, "/boats.html");
    assert_eq!(ask(&router, "/tides.html/llm/", &[(IF_NONE_MATCH, &tag)]).await.0, StatusCode::NOT_MODIFIED);

    // A kind edit: the other page's twin stays as it is.
    write("tides.html", "<html lang=en><title>Tides</title><main><p>High water at seven.</main>");
    let (status, other, body) = ask(&router, "/tides.html/llm/", &[(IF_NONE_MATCH, &tag)]).await;
    assert_eq!((status, other[ETAG] == tag), (StatusCode::OK, false));
    assert!(String::from_utf8_lossy(&body).contains("High water at seven."));
    assert!(ask(&router, "/tides.html", &[]).await.2.ends_with(b"seven.</main>"));
    tokio::time::sleep(std::time::Duration::from_millis(2100)).await;
    let (_, _, sitemap) = ask(&router, "/llm-sitemap.json", &[]).await;
    assert_eq!(format!("\"{}\"", of_page(&sitemap, "/tides.html")), other[ETAG].to_str().unwrap());
    assert_eq!(of_page(&sitemap, "/boats.html"), boats);

    // One page in two forms, and what stands beside the pages.
    let (_, fields, markdown) = ask(&router, "/tides.html", &[(ACCEPT, "text/markdown")]).await;
    assert_eq!(fields[CONTENT_TYPE], "text/markdown; charset=utf-8");
    assert!(
        fields[VARY].to_str().unwrap().contains("accept") && markdown.trim_ascii_end().ends_with(b"seven.")
    );
    for (path, status) in [
        ("/boats.html", 200),
        ("/llm-policy.json", 200),
        ("/robots.txt", 200),
        ("/m-sitemap.json", 200),
        ("/tides.html/m/", 200),
        ("/", 200),
        ("/missing", 404),
        ("/missing/llm/", 404),
        ("/site.toml", 404),
    ] {
        assert_eq!(ask(&router, path, &[]).await.0, status, "{path}");
    }
}

/// What the folder has at an address is what its author wants there, also where another page's twin would be.
#[tokio::test]
async fn a_page_of_the_folder_is_not_hidden_by_a_twin() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("topics/llm")).unwrap();
    let page = |text: &str| format!("<html lang=en><title>T</title><main><p>{text}</main>");
    std::fs::write(folder.path().join("index.html"), page("Front.")).unwrap();
    std::fs::write(folder.path().join("topics/index.html"), page("All topics.")).unwrap();
    std::fs::write(folder.path().join("topics/llm/index.html"), page("Language models.")).unwrap();
    for live in [false, true] {
        let options = Options { live, folder: Some(folder.path().to_owned()), ..Options::default() };
        let router = site::prepare(options).await.unwrap().router();
        for (path, text) in [("/topics/", "<p>All topics."), ("/topics/llm/", "<p>Language models.")] {
            let (status, _, body) = ask(&router, path, &[]).await;
            assert_eq!(status, StatusCode::OK, "live {live}: {path}");
            assert!(String::from_utf8_lossy(&body).contains(text), "live {live}: {path}: {body:?}");
        }
    }
}
