//! The one-line call and its options.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use aidocument::{Crawl, StatusCode, WebUrl};
use aidocument_extract::{Extractor, Finding, FindingKind, Options, extract};

const PAGE: &str = "<title>Tea</title><nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>Read <a href=green title=Green>on</a> \
     <img src=a.png alt=leaf> now.</p><script>x()</script><table><tr><th>a<th>b<tr><td>c<td>d</table></main>";

fn url() -> WebUrl {
    "https://example.com/tea/".parse().unwrap()
}

#[test]
fn text_is_text_and_bytes_are_decoded() {
    let page = "<meta charset=windows-1252><title>Thé</title><p>Thé";
    assert_eq!(Extractor::new().extract(page).title, "Thé");
    assert_eq!(Extractor::new().extract(b"<meta charset=windows-1252><title>Th\xe9</title>").title, "Thé");
    let broken = Extractor::new().extract(b"<meta charset=utf-8><title>Th\xe9</title>");
    assert!(broken.findings.iter().any(|finding| finding.kind() == FindingKind::MalformedBytes));
}

#[test]
fn options_leave_out_what_they_say() {
    let all = Extractor::new().extract(PAGE);
    assert_eq!(
        all.markdown,
        "# Tea\n\nRead [on](green \"Green\") ![leaf](a.png) now.\n\n| a | b |\n| --- | --- |\n| c | d |"
    );
    assert_eq!(
        all.html,
        "<main><h1>Tea</h1><p>Read <a href=\"green\">on</a> <img src=\"a.png\" alt=\"leaf\"> now.</p>\
         <table><tbody><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></tbody></table></main>"
    );
    let bare = Extractor::new().links(false).images(false).tables(false).extract(PAGE);
    assert_eq!(bare.markdown, "# Tea\n\nRead on now.\n\na\n\nb\n\nc\n\nd");
    assert!(bare.images.is_empty());
    let whole = Extractor::new().whole_page(true).extract(PAGE);
    assert!(whole.markdown.contains("Home"));
}

#[test]
fn addresses_need_a_base() {
    let page = "<p><a href=x>a</a> <a href=https://other.example/>b</a>";
    let content = Extractor::new().extract(page);
    assert_eq!(content.links().map(|(url, _)| url.as_str()).collect::<Vec<_>>(), ["https://other.example/"]);
    let content = Extractor::new().base_url(url()).extract(page);
    assert_eq!(content.markdown, "[a](https://example.com/tea/x) [b](https://other.example/)");
    assert_eq!(content.links().count(), 2);
}

#[test]
fn selectors_are_checked() {
    let inside = Extractor::new().keep("p.intro, #x").unwrap().extract("<p>a</p><p class=intro>b</p>");
    assert_eq!(inside.markdown, "b");
    let missed = Extractor::new().keep("#none").unwrap().extract("<p>a</p>");
    assert_eq!(missed.markdown, "a");
    assert!(missed.findings.iter().any(|finding| finding.kind() == FindingKind::SelectorWithoutMatch));
    let error = Extractor::new().keep("a > b").unwrap_err().to_string();
    assert_eq!(
        error,
        "expected names, #ids, .classes and [attributes] joined, or several parted by commas, found \"a > b\""
    );
}

#[test]
fn a_content_is_a_document_in_one_call() {
    let crawl = || {
        let status = StatusCode::new(200).unwrap();
        Crawl::new("2026-05-10T12:34:56Z".parse().unwrap(), status, "AIWebIndex/1.0".parse().unwrap())
    };
    let content = Extractor::new().base_url(url()).extract(PAGE.as_bytes());
    let document = extract(PAGE.as_bytes(), url(), None, crawl(), &Options::default()).document;
    assert_eq!(content.into_document(url(), crawl()), document);
}

#[test]
fn html_has_no_scripts_and_no_handlers() {
    let page = "<main><p onclick=x() class=a>a &lt;b&gt; <a href='javascript:x()'>c</a><svg><script>y</script></svg>";
    assert_eq!(Extractor::new().extract(page).html, "<main><p>a &lt;b&gt; <a>c</a></p></main>");
}

#[test]
fn tables_that_are_left_out_are_counted() {
    let rows = "<tr><th>Topic</th><th>Replies</th></tr><tr><td><a href=/1>Flour</a></td><td>14</td></tr>";
    let words =
        "The dough rises slowly in a cold kitchen, and so it needs more time than in summer. ".repeat(12);
    let page = format!(
        "<article><h1>Dough</h1><p>{words}</p><p>{words}</p></article><div class=related><h3>Related</h3><table>{rows}</table></div>"
    );
    let found = Extractor::new().extract(&page);
    assert!(!found.markdown.contains("Flour"), "{}", found.markdown);
    let cells: Vec<u32> = found
        .findings
        .iter()
        .filter(|finding| finding.kind() == FindingKind::TablesLeftOut)
        .map(Finding::count)
        .collect();
    assert_eq!(cells, [4]);
    assert!(found.confidence.is_some_and(|confidence| confidence > 0.5));
}
