//! The pages that are looked at beside the first.

use covers::covers;
use ready::{Audit, Options, Response};

/// The paths of the pages that are found on a site with these files.
fn listed(files: &[(&str, &str, String)], max: usize) -> Vec<String> {
    let mut audit = Audit::new("https://site.example/".parse().unwrap(), Vec::new(), Options::default());
    loop {
        let requests = audit.add_listed(max);
        if requests.is_empty() {
            return audit.pages().iter().map(|page| page.path().to_owned()).collect();
        }
        for request in requests {
            let found = files.iter().find(|(path, ..)| *path == request.url.path());
            let (status, media_type, text) = found
                .map_or((404, "text/plain", ""), |(_, media_type, text)| (200, *media_type, text.as_str()));
            let headers = vec![("Content-Type".to_owned(), media_type.to_owned())];
            audit.answer(request, Response { status, headers, body: text.into() });
        }
    }
}

fn entries(root: &str, entry: &str, paths: &[&str]) -> String {
    let locs = paths.iter().map(|path| format!("<{entry}><loc>https://site.example{path}</loc></{entry}>"));
    format!("<{root}>{}</{root}>", locs.collect::<String>())
}

/// As WordPress has it: the sitemap is an index, and the home page shows the newest posts alone.
#[test]
#[covers("READY-GEN-1")]
fn pages_come_from_the_parts_of_an_index_before_the_links_of_the_page() {
    let home = ("/", "text/html", "<!doctype html><a href=/newest>Newest</a>".to_owned());
    let index =
        ("/sitemap.xml", "text/xml", entries("sitemapindex", "sitemap", &["/posts.xml", "/pages.xml"]));
    let posts = ("/posts.xml", "text/xml", entries("urlset", "url", &["/", "/a", "/b", "/c.pdf"]));
    let pages = ("/pages.xml", "text/xml", entries("urlset", "url", &["/about"]));
    let all = [home.clone(), index, posts, pages];
    assert_eq!(listed(&all, 10), ["/", "/a", "/b", "/about"]);
    assert_eq!(listed(&all, 2), ["/", "/a", "/b"]);
    assert_eq!(listed(&all, 0), ["/"]);
    assert_eq!(listed(&[home], 10), ["/", "/newest"]);
}
