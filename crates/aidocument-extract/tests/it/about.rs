//! How sure the answers about a page are, and which of several is taken.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test may panic")]

use aidocument_extract::{Extractor, PageMetadata};

const TEXT: &str = "<p>Water for green tea should not boil. Seventy to eighty degrees are enough for most leaves, and the \
    pot is warmed before; two minutes later the first cup is ready, and a second and a third can follow from the same leaves.</p>";

fn about_at(url: &str, head: &str, top: &str, bottom: &str) -> PageMetadata {
    let page = format!(
        "<html lang=en><head><title>Green tea | Example</title>{head}</head><body><nav><a href=/>Home</a></nav>\
         <main><article><h1>Green tea</h1>{top}{TEXT}{TEXT}{TEXT}{TEXT}{bottom}</article></main></body></html>"
    );
    Extractor::new().base_url(url.parse().unwrap()).extract(&page).about
}

fn about(head: &str, top: &str, bottom: &str) -> PageMetadata {
    about_at("https://example.com/tea", head, top, bottom)
}

fn authors(page: PageMetadata) -> Vec<String> {
    page.authors.into_iter().map(|found| found.value).collect()
}

/// How sure a date is, which is the fifth of March.
fn sureness(page: &PageMetadata) -> f32 {
    let found = page.published.as_ref().unwrap();
    assert!(found.value.to_string().starts_with("2024-03-05"), "{found:?}");
    assert!((0.0..=0.99).contains(&found.confidence), "{found:?}");
    found.confidence
}

/// Kinds that know of each other are one witness, others make an answer surer.
#[test]
fn places_that_agree_make_a_date_surer() {
    let meta = "<meta property=article:published_time content=2024-03-05>";
    let (day, plain) = ("https://example.com/2024/03/05/tea", "https://example.com/tea");
    let shown = "<p>March 5, 2024</p>";
    let declared = sureness(&about_at(plain, meta, "", ""));
    let in_address = sureness(&about_at(day, meta, "", ""));
    let seen = sureness(&about_at(plain, meta, shown, ""));
    let all = sureness(&about_at(day, meta, shown, ""));
    assert!(
        declared < in_address && declared < seen && in_address < all && seen < all,
        "{declared} {in_address} {seen} {all}"
    );
    let twice =
        "<meta property=article:published_time content=2024-03-05><meta name=date content=2024-03-05>";
    assert_eq!(sureness(&about_at(plain, twice, "", "")), declared);
}

/// A date or a name is the surer the nearer it is to the title, and with a word of what it is.
#[test]
fn what_is_nearer_to_the_title_is_surer() {
    let lines = |count: usize| "<p>Short line.</p>".repeat(count);
    let dated = |line: &str, count: usize| sureness(&about("", &format!("{}{line}", lines(count)), ""));
    for (plain, labelled) in [
        ("<p>March 5, 2024</p>", "<p>Published March 5, 2024</p>"),
        (
            "<p><time datetime=2024-03-05>Tuesday</time></p>",
            "<p>Published <time datetime=2024-03-05>Tuesday</time></p>",
        ),
        ("<p>March 5, 2024, four minutes</p>", "<p>Published March 5, 2024, four minutes</p>"),
    ] {
        let sure: Vec<f32> = [0, 2, 5, 8].map(|count| dated(plain, count)).to_vec();
        assert!(sure.is_sorted_by(|a, b| a >= b) && sure.first() > sure.last(), "{plain}: {sure:?}");
        for count in [0, 2, 5] {
            assert!(dated(labelled, count) > dated(plain, count), "{plain} {count}");
        }
    }
    for line in [
        "<p>By Jane Doe</p>",
        "<p class=author>Jane Doe</p>",
        "<p><a rel=author href=/jane>Jane Doe</a></p>",
        "<p><a href=/author/jane>Jane Doe</a></p>",
    ] {
        let sure: Vec<f32> = [0, 2, 5]
            .map(|count| {
                let page = about("", &format!("{}{line}", lines(count)), "");
                let found = page.authors.first().unwrap_or_else(|| panic!("{line} {count}"));
                assert_eq!(found.value, "Jane Doe");
                found.confidence
            })
            .to_vec();
        assert!(
            sure.is_sorted_by(|a, b| a > b) && sure.iter().all(|sure| (0.4..0.9).contains(sure)),
            "{line}: {sure:?}"
        );
    }
}

#[test]
fn names_are_found_in_every_form() {
    let ld = |json: &str| {
        format!(
            r#"<script type="application/ld+json">{{"@context":"https://schema.org","@type":"Article",{json}}}</script>"#
        )
    };
    let person = r#""author":{"@type":"Person","name":"Jane Doe"}"#;
    let group = r#""author":{"@type":"Organization","name":"Tea Circle"}"#;
    for (head, top, expected) in [
        (ld(person), "", &["Jane Doe"][..]),
        // A group that nobody is shown is the publisher; one that is shown wrote it.
        (ld(group), "", &[]),
        (ld(group), "<p>By Tea Circle</p>", &["Tea Circle"]),
        (
            String::new(),
            "<div itemprop=author itemscope><meta itemprop=name content='Jane Doe'></div>",
            &["Jane Doe"],
        ),
        (
            String::new(),
            "<div itemprop=author itemscope><b itemprop=name>Jane Doe</b>, who brews</div>",
            &["Jane Doe"],
        ),
        (
            String::new(),
            "<div property=schema:author typeof=Person><b property=schema:name>Jane Doe</b> brews</div>",
            &["Jane Doe"],
        ),
        (String::new(), "<p>By</p><p>Jane Doe</p>", &["Jane Doe"]),
        (String::new(), "<p>By:</p><p>Jane Doe</p>", &["Jane Doe"]),
        (String::new(), "<p>Jane Doe</p>", &[]),
        (String::new(), "<p>By Jane Doe | March 5, 2024</p>", &["Jane Doe"]),
        (String::new(), "<p>March 5, 2024 | By Jane Doe</p>", &["Jane Doe"]),
        (String::new(), "<p>By Jane Doe on Tuesday</p>", &["Jane Doe"]),
        (String::new(), "<p>By Dr. Jane Miller. She brews.</p>", &["Dr. Jane Miller"]),
        (String::new(), "<p>by hand</p>", &[]),
        (String::new(), "<p class=author>Follow us</p>", &[]),
        (String::new(), "<p class=author>Editor in chief</p>", &[]),
        (String::new(), "<p>By admin</p>", &[]),
        (String::new(), "<p>By jane@example.com</p>", &[]),
    ] {
        assert_eq!(authors(about(&head, top, "")), expected, "{head} {top}");
    }
}

/// References that a template left in a text are read, also next to letters of several bytes.
#[test]
fn references_in_declared_texts_are_read() {
    let section = |text: &str| {
        let json =
            format!(r#"{{"@context":"https://schema.org","@type":"Article","articleSection":"{text}"}}"#);
        about(&format!(r#"<script type="application/ld+json">{json}</script>"#), "", "")
            .section
            .map(|found| found.value)
    };
    for (text, expected) in [
        ("Tea &amp; cake", "Tea & cake"),
        ("Tea &amp;ŻŻŻŻŻ", "Tea &ŻŻŻŻŻ"),
        ("Tea &#8211; ŻŻŻŻŻ", "Tea – ŻŻŻŻŻ"),
        ("Tea & cake", "Tea & cake"),
        ("Tea &ŻŻŻŻŻ; cake", "Tea &ŻŻŻŻŻ; cake"),
        ("Tea &unknown; cake", "Tea &unknown; cake"),
    ] {
        assert_eq!(section(text).as_deref(), Some(expected), "{text}");
    }
}

/// Below the text, a line says when the page was published by its words or by its element's name; several say nothing.
#[test]
fn dates_below_the_text() {
    let filler = TEXT.repeat(6);
    let date = |bottom: &str| {
        about("", "", &format!("{filler}{bottom}")).published.map(|found| found.value.to_string())
    };
    let (day, none) = (Some("2024-03-05".to_owned()), None);
    for (bottom, expected) in [
        ("<p>Posted on March 5, 2024</p>", &day),
        ("<p>First published: 5 March 2024</p>", &day),
        ("<p class=date>March 5, 2024</p>", &day),
        ("<div class=timestamp><p>March 5, 2024</p></div>", &day),
        ("<p>Published</p><p>March 5, 2024</p>", &day),
        ("<p>March 5, 2024</p>", &none),
        ("<p>It was on March 5, 2024 that we opened</p>", &none),
        ("<p class=date>March 5, 2024</p><p class=date>March 6, 2024</p>", &none),
        ("<p class=date>March 5, 2024</p><p class=date>March 5, 2024</p>", &day),
        ("<p>Posted on March 5, 2024</p><p>Posted on March 6, 2024</p><p>Posted on March 7, 2024</p>", &none),
        ("<p>Posted on March 5, 2024 by one who has more to say than twelve words</p>", &none),
        ("<p>Call 555 1234 5678 or write until March 5, 2024</p>", &none),
    ] {
        assert_eq!(date(bottom), *expected, "{bottom}");
    }
}
