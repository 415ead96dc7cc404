//! Limits on size, one byte or character around each.

use covers::covers;
use ready::{Audit, Method, Options, Response, Row, Step, Verdict};

const HTML: &str =
    "<!doctype html><title>Harbour</title><body><main><h1>Harbour</h1><p>Times</p></main></body>";

/// The verdict of a row on a site with this document, and a small page where the document is not the page.
fn verdict(row: Row, path: &str, media_type: &str, body: String) -> Verdict {
    let mut audit = Audit::new("https://site.example/".parse().unwrap(), Vec::new(), Options::default());
    loop {
        match audit.step() {
            Step::Ask(requests) => {
                for request in requests {
                    let is_page = request.url.path() == "/";
                    let (status, media_type, text) = match request.url.path() {
                        found if found == path => (200, media_type, body.as_str()),
                        _ if is_page => (200, "text/html", HTML),
                        _ => (404, "text/plain", ""),
                    };
                    let body = if request.method == Method::Get { text.into() } else { Vec::new() };
                    let headers = vec![("Content-Type".to_owned(), media_type.to_owned())];
                    audit.answer(request, Response { status, headers, body });
                }
            }
            Step::Done(checks) => return checks.iter().find(|check| check.row == row).unwrap().verdict,
        }
    }
}

/// A text with as many characters more.
fn filled(start: &str, len: usize, with: &str) -> String {
    start.to_owned() + &with.repeat(len - start.chars().count())
}

#[test]
#[covers("READY-ROBOTS-2")]
fn robots_txt_is_read_to_512_000_bytes() {
    for (len, expected) in [(512_000, Verdict::Pass), (512_001, Verdict::Warn)] {
        let body = filled("User-agent: *\n", len, "#");
        assert_eq!(verdict(Row::Robots2, "/robots.txt", "text/plain", body), expected, "{len}");
    }
}

#[test]
#[covers("READY-LLMS-3", "READY-LLMS-9", "READY-GEN-9", "READY-AMB-2")]
fn llms_txt_is_counted_in_characters() {
    for (len, expected) in
        [(50_000, Verdict::Pass), (50_001, Verdict::Warn), (100_000, Verdict::Warn), (100_001, Verdict::Fail)]
    {
        let body = filled("# Harbour\n[a](b)\n", len, "é");
        assert_eq!(verdict(Row::Llms3, "/llms.txt", "text/plain", body), expected, "{len}");
    }
    for (len, expected) in [(100_000, Verdict::Pass), (100_001, Verdict::Warn)] {
        let body = filled("# Harbour\n", len, "é");
        assert_eq!(verdict(Row::Llms9, "/llms-full.txt", "text/plain", body), expected, "{len}");
    }
}

#[test]
#[covers("READY-PAGE-3")]
fn markdown_pages_pass_under_50_000_characters() {
    for (len, expected) in
        [(49_999, Verdict::Pass), (50_000, Verdict::Warn), (100_000, Verdict::Warn), (100_001, Verdict::Fail)]
    {
        let body = filled("# Harbour\n", len, "é");
        assert_eq!(verdict(Row::Page3, "/index.md", "text/markdown", body), expected, "{len}");
    }
}

#[test]
#[covers("READY-PAGE-2", "READY-PAGE-4")]
fn pages_are_counted_in_bytes_and_in_characters_of_content() {
    let comment = |len: usize| filled("<!doctype html><!--", len - 3, "a") + "-->";
    for (len, expected) in [
        (999_999, Verdict::Pass),
        (1_000_000, Verdict::Warn),
        (10_000_000, Verdict::Warn),
        (10_000_001, Verdict::Fail),
    ] {
        assert_eq!(verdict(Row::Page4, "/", "text/html", comment(len)), expected, "{len}");
    }
    let words = |count: usize| format!("<!doctype html><p>{}</p>", "word ".repeat(count));
    let script = format!("<!doctype html><p>x</p><script>{}</script>", "a=1;".repeat(20_000));
    for (body, expected) in [
        (words(9_000), Verdict::Pass),
        (words(12_000), Verdict::Warn),
        (words(24_000), Verdict::Fail),
        (script, Verdict::Pass),
    ] {
        assert_eq!(verdict(Row::Page2, "/", "text/html", body), expected);
    }
}

#[test]
#[covers("READY-PAGE-7", "READY-PAGE-11")]
fn tabs_and_tables_count_by_themselves() {
    let tabs = |count: usize| {
        let panel = format!("<div role=tabpanel><p>{}</p></div>", "word ".repeat(count));
        format!(
            "<!doctype html><div><div role=tablist><b role=tab>A</b><b role=tab>B</b></div>{panel}{panel}</div>"
        )
    };
    for (count, expected) in [(4_000, Verdict::Pass), (6_000, Verdict::Warn), (12_000, Verdict::Fail)] {
        assert_eq!(verdict(Row::Page7, "/", "text/html", tabs(count)), expected, "{count}");
    }
    let table = |rows: usize| {
        let rows = "<tr><td>a cell of the table</td><td>another cell of it</td></tr>".repeat(rows);
        format!("<!doctype html><table><tr><th>a</th><th>b</th></tr>{rows}</table>")
    };
    let text = format!("<p>{}</p>", "word ".repeat(12_000));
    for (body, expected) in [
        (table(100), Verdict::Pass),
        (table(1_500), Verdict::Warn),
        (table(3_000), Verdict::Fail),
        (table(100) + &text, Verdict::Pass),
    ] {
        assert_eq!(verdict(Row::Page11, "/", "text/html", body), expected);
    }
}

#[test]
#[covers("READY-PAGE-8")]
fn groups_of_tabs_whose_headings_recur_are_counted() {
    let panel = |text: &str| format!("<div role=tabpanel>{text}</div>");
    let group = |panels: String| {
        format!("<div><div role=tablist><b role=tab>Rust</b><b role=tab>Go</b></div>{panels}</div>")
    };
    let recurs = group(panel("<h3>Setup</h3>").repeat(2));
    let named = group(panel("<h3>Setup in Rust</h3>") + &panel("<h3>Setup in Go</h3>"));
    for (bad, good, expected) in [
        (0, 4, Verdict::Pass),
        (1, 3, Verdict::Pass),
        (1, 2, Verdict::Warn),
        (2, 2, Verdict::Warn),
        (3, 2, Verdict::Fail),
    ] {
        let page = format!("<!doctype html>{}{}", recurs.repeat(bad), named.repeat(good));
        assert_eq!(verdict(Row::Page8, "/", "text/html", page), expected, "{bad} of {}", bad + good);
    }
}
