//! The estimated level: a rung counts where all below it hold.

use covers::covers;
use ready::{Audit, Method, Options, Response, Row, Step};

const AGENTS: &str = "User-agent: *\nAllow: /\n";
const SIGNALS: &str = "User-agent: *\nContent-Signal: search=yes\nAllow: /\n";
const MAP: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://site.example/</loc></url></urlset>"#;

fn level(files: &[(&str, &str, &str)]) -> String {
    let mut audit = Audit::new("https://site.example/".parse().unwrap(), Vec::new(), Options::default());
    loop {
        match audit.step() {
            Step::Ask(requests) => {
                for request in requests {
                    let found = files.iter().find(|(path, ..)| *path == request.url.path());
                    let (status, media_type, text) = found
                        .map_or((404, "text/plain", ""), |(_, media_type, text)| (200, *media_type, *text));
                    let body = if request.method == Method::Get { text.into() } else { Vec::new() };
                    let headers = vec![("Content-Type".to_owned(), media_type.to_owned())];
                    audit.answer(request, Response { status, headers, body });
                }
            }
            Step::Done(checks) => {
                return checks.iter().find(|check| check.row == Row::Cf1).unwrap().detail.clone().unwrap();
            }
        }
    }
}

#[test]
#[covers("READY-CF-1")]
fn a_rung_counts_where_all_below_it_hold() {
    let home = ("/", "text/html", "<!doctype html><title>Harbour</title><h1>Harbour</h1><p>Times</p>");
    let map = ("/sitemap.xml", "application/xml", MAP);
    let (agents, signals) = (("/robots.txt", "text/plain", AGENTS), ("/robots.txt", "text/plain", SIGNALS));
    let catalogue =
        ("/.well-known/api-catalog", "application/linkset+json", r#"{"linkset": [{"anchor": "/api"}]}"#);
    for (files, expected) in [
        (vec![home], "level 0"),
        (vec![home, map], "level 0"),
        (vec![home, agents], "level 0"),
        (vec![home, agents, map], "level 1"),
        (vec![home, signals], "level 0"),
        (vec![home, signals, map], "level 2"),
        // An interface is the fourth rung: without the third, Markdown, it lifts nobody.
        (vec![home, signals, map, catalogue], "level 2"),
    ] {
        assert_eq!(level(&files), expected, "{files:?}");
    }
}
