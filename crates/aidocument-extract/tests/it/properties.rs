//! Extraction on pages that nobody wrote: random bytes, and trees of HTML put together from a nasty alphabet.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may say what they expect in the plainest way")]

use aidocument::{Crawl, StatusCode};
use aidocument_extract::{ExtractFindingKind as FindingKind, Extracted, Options, extract};
use covers::covers;
use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

fn run(html: &[u8], options: &Options) -> Extracted {
    let status = StatusCode::new(200).unwrap();
    let crawl =
        Crawl::new("2026-05-10T12:34:56Z".parse().unwrap(), status, "AIWebIndex/1.0".parse().unwrap());
    extract(html, "https://example.com/page".parse().unwrap(), None, crawl, options)
}

fn whole_page() -> Options {
    let mut options = Options::default();
    options.whole_page = true;
    options
}

/// What a reader sees of Markdown, each run of white space as one space.
fn text_of(markdown: &str) -> String {
    let options = pulldown_cmark::Options::ENABLE_TABLES
        | pulldown_cmark::Options::ENABLE_STRIKETHROUGH
        | pulldown_cmark::Options::ENABLE_TASKLISTS;
    let mut text = String::new();
    let mut images = 0;
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images -= 1,
            // The plain text has no alternative texts.
            _ if images > 0 => {}
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::Html(part) | Event::InlineHtml(part) => panic!("raw HTML: {part}"),
            Event::SoftBreak
            | Event::HardBreak
            | Event::Start(Tag::Item | Tag::Paragraph | Tag::Heading { .. }) => {
                text.push(' ');
            }
            Event::End(
                TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock,
            ) => text.push(' '),
            _ => {}
        }
    }
    letters(&text)
}

/// The text without white space, which Markdown moves about, and without what the writer adds on purpose: a space that
/// keeps `<` from looking like a tag, and an empty mark between two spans of code.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\u{200b}').collect()
}

/// Text in which every character means something to Markdown or HTML somewhere.
fn nasty_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("word"),
        Just("a"),
        Just("1."),
        Just("1)"),
        Just("-"),
        Just("+"),
        Just("*"),
        Just("**"),
        Just("_"),
        Just("__x__"),
        Just("#"),
        Just("##"),
        Just("`"),
        Just("``"),
        Just("~~"),
        Just("~"),
        Just("|"),
        Just("---"),
        Just("==="),
        Just("&gt;"),
        Just("&lt;b&gt;"),
        Just("&amp;amp;"),
        Just("&amp;"),
        Just("["),
        Just("]"),
        Just("]("),
        Just("!["),
        Just("("),
        Just(")"),
        Just("\\"),
        Just("\\*"),
        Just(":"),
        Just("[x]"),
        Just("[ ]"),
        Just("http://x.example/_a_"),
        Just("é"),
        Just("語"),
        Just("“"),
        Just("!"),
        Just("."),
        Just("\u{a0}"),
        Just(" "),
        Just(" "),
        Just(" "),
        Just("\n"),
        Just("<br>"),
    ];
    prop::collection::vec(piece, 1..9).prop_map(|pieces| pieces.concat())
}

/// A tree of elements, closed as they should be.
fn tree() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => nasty_text(),
        1 => Just("<img src=\"/i.png\" alt=\"pic *a*\">".to_owned()),
        1 => Just("<hr>".to_owned()),
        1 => nasty_text().prop_map(|text| format!("<code>{text}</code>")),
        1 => nasty_text().prop_map(|text| format!("<pre><code class=\"language-rust\">{text}</code></pre>")),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let many = prop::collection::vec(inner, 1..5).prop_map(|parts| parts.concat());
        let element = prop_oneof![
            Just("p"),
            Just("div"),
            Just("span"),
            Just("b"),
            Just("i"),
            Just("em"),
            Just("strong"),
            Just("del"),
            Just("ul"),
            Just("ol"),
            Just("li"),
            Just("blockquote"),
            Just("h1"),
            Just("h2"),
            Just("h5"),
            Just("table"),
            Just("tr"),
            Just("td"),
            Just("th"),
            Just("a href=\"/x y\""),
            Just("section"),
            Just("dl"),
            Just("dt"),
            Just("dd"),
            Just("figure"),
            Just("figcaption"),
        ];
        (element, many).prop_map(|(element, inner)| {
            let name = element.split(' ').next().unwrap_or_default();
            format!("<{element}>{inner}</{name}>")
        })
    })
}

/// A paragraph of emphasis inside and beside emphasis.
fn emphasis() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec![
        "a", "b c", " ", "(", ".", "_", "*", "~", "é", "語", "،", "“", "\u{a0}", "<br>", "&amp;", "amp;",
        "lt;", "1", "!", "`",
    ]);
    let leaf = prop_oneof![8 => text.prop_map(str::to_owned), 1 => Just("<code>x</code>".to_owned())];
    leaf.prop_recursive(5, 30, 5, |inner| {
        let element = prop::sample::select(vec!["b", "i", "em", "strong", "del", "a href=/x", "span"]);
        (element, prop::collection::vec(inner, 1..5)).prop_map(|(element, parts)| {
            let name = element.split(' ').next().unwrap_or_default();
            format!("<{element}>{}</{name}>", parts.concat())
        })
    })
}

/// Markup in pieces that do not fit together.
fn rubble() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => nasty_text(),
        2 => tree(),
        4 => prop_oneof![
            Just("<"), Just("</"), Just("<!"), Just("<!--"), Just("-->"), Just("--!>"), Just("<!-->"), Just("<?x"),
            Just("</p>"), Just("</table>"), Just("<table>"), Just("<tr>"), Just("<td>"), Just("<svg>"),
            Just("<math><mi>"), Just("<![CDATA["), Just("]]>"), Just("<script>"), Just("</script>"), Just("<style>"),
            Just("</style "), Just("<title>"), Just("<textarea>"), Just("</textarea>"), Just("<select><option>"),
            Just("<template>"), Just("</template>"), Just("<a href='"), Just("'>"), Just("<b a=\""), Just("\">"),
            Just("\0"), Just("\r\n"), Just("\r"), Just("&#0;"), Just("&#x80;"), Just("&notit;"), Just("&copy"),
            Just("<plaintext>"), Just("<frameset>"), Just("<noscript>"), Just("</noscript>"), Just("<A B=c/>"),
            Just("<!doctype html>"), Just("<body lang=x>"), Just("<form><form>"), Just("<button>"), Just("<nobr>"),
        ].prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn is_sound(html: &[u8], page: &Extracted) {
    let limit = 4 * html.len() + 1_000_000;
    assert!(page.document.markdown().len() <= limit && page.text.len() <= limit);
    for finding in &page.findings {
        assert!(!finding.to_string().is_empty() && finding.requirement().starts_with("AIWI-"));
    }
}

proptest! {
    #[test]
    #[covers("AIWI-DOC-6")]
    fn markdown_shows_the_plain_text(html in tree()) {
        let page = run(html.as_bytes(), &whole_page());
        let shown = text_of(page.document.markdown());
        prop_assert_eq!(shown, letters(&page.text), "{}\n{}", html, page.document.markdown());
    }

    #[test]
    fn emphasis_shows_the_plain_text(html in prop::collection::vec(emphasis(), 1..5)) {
        // As it is, and as it is written for readers.
        for options in [whole_page(), Options::default()] {
            let page = run(html.concat().as_bytes(), &options);
            let shown = text_of(page.document.markdown());
            prop_assert_eq!(shown, letters(&page.text), "{}\n{}", html.concat(), page.document.markdown());
        }
    }

    #[test]
    fn rubble_is_extracted_the_same_each_time(html in rubble()) {
        let page = run(html.as_bytes(), &Options::default());
        is_sound(html.as_bytes(), &page);
        prop_assert_eq!(&page, &run(html.as_bytes(), &Options::default()));
    }

    #[test]
    fn any_bytes_are_a_page(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        is_sound(&bytes, &run(&bytes, &Options::default()));
        // Text in front of the bytes is read, whatever they are.
        let page = [b"<p>Seen before</p>".as_slice(), &bytes].concat();
        let page = run(&page, &whole_page());
        prop_assert!(page.text.starts_with("Seen before"), "{:?}", page.text);
        prop_assert!(page.document.markdown().starts_with("Seen before"), "{:?}", page.document.markdown());
    }

    /// What no reader sees stays out of the document's content, wherever it stands.
    #[test]
    fn hidden_text_never_leaks(before in tree(), after in tree(), wrapper in 0usize..9) {
        let (open, close) = [
            ("<script>", "</script>"), ("<style>", "</style>"), ("<template>", "</template>"),
            ("<div hidden>", "</div>"), ("<p style=\"color:red; DISPLAY : none\">", "</p>"),
            ("<div style='visibility:hidden'>", "</div>"), ("<dialog>", "</dialog>"),
            ("<iframe>", "</iframe>"), ("<!-- ", " -->"),
        ][wrapper];
        let html = format!("<p>seen</p><div>{before}</div>{open}hush{close}<div>{after}</div>");
        for options in [whole_page(), Options::default()] {
            let page = run(html.as_bytes(), &options);
            prop_assert!(!page.text.contains("hush") && !page.document.markdown().contains("hush"), "{}", html);
        }
    }

    #[test]
    fn metadata_alone_is_that_of_the_whole(html in rubble()) {
        let mut options = Options::default();
        options.metadata_only = true;
        let alone = run(html.as_bytes(), &options);
        let whole = run(html.as_bytes(), &Options::default());
        prop_assert_eq!(alone.document.title(), whole.document.title());
        let counted = |page: &Extracted| {
            let mut meta = page.document.meta().clone();
            (meta.word_count, meta.reading_time) = (0, 0);
            meta
        };
        prop_assert_eq!(counted(&alone), counted(&whole));
        prop_assert!(alone.text.is_empty());
    }
}

/// Emphasis in emphasis of its kind that ends with it, between punctuation.
#[test]
fn joined_ends_of_emphasis_close_what_they_should() {
    for html in [
        "<del><strong>word<b> 1.</b></strong></del>",
        "<del><b>word <strong>1.</strong></b></del>",
        "<del><i>word <em>1.</em></i></del>",
        "<p>(<i>word <b><i>1.</i></b></i>)</p>",
        "<p>(<b>word <b><code>x</code></b></b>)</p>",
        "<ul>word<b>word <strong>word</strong></b></ul>",
        "<p>word<i>word <i>word</i></i></p>",
        "<strong><strong><b>-</b></strong></strong>",
        "<b><b><b>word</b></b></b>",
        "<del><b>word</b><b>word</b>http://x.example/_a_</del>",
        "<p>x<b>a</b><b>b</b>y<i>a</i><i>b</i>y",
        "<strong><i>“</i><b>word</b></strong>",
        "<p><b>سلام،</b>سلام",
        "<p><b>नमस्ते।</b>न<i>(a_b</i><b>[c]</b>d_e",
        "<a href=x><table><tr><td>a<a href=y>b</a><td>c</table></a>",
    ] {
        let page = run(html.as_bytes(), &whole_page());
        assert_eq!(text_of(page.document.markdown()), letters(&page.text), "{}", page.document.markdown());
    }
}

/// The second mark is not written, so that a letter follows the first.
#[test]
fn underscores_do_not_close_before_a_letter() {
    let page = run(b"<i><b>word</b><i>http://x.example/_a_</i></i>", &whole_page());
    assert_eq!(text_of(page.document.markdown()), letters(&page.text), "{}", page.document.markdown());
}

/// Text between two items ends the list, or the next item would be a line of it.
#[test]
fn text_between_items_stays_apart() {
    for html in ["<ol><li>word</li>word<li>word</li></ol>", "<ol><li>a</li><b>b</b><li>c</li></ol>"] {
        let page = run(html.as_bytes(), &whole_page());
        assert_eq!(text_of(page.document.markdown()), letters(&page.text), "{}", page.document.markdown());
    }
}

/// A link that starts a paragraph is not the definition of one, whatever its code holds.
#[test]
fn code_in_a_link_defines_nothing() {
    for html in ["<a href=x><code>]:</code></a>", "<h2><a href=x>a<br><code>]: b</code></a></h2>"] {
        let page = run(html.as_bytes(), &whole_page());
        assert_eq!(text_of(page.document.markdown()), letters(&page.text), "{}", page.document.markdown());
    }
}

#[test]
fn styles_of_drawings_are_no_text() {
    let html = b"<title>t</title><h1><svg><style>.a{b:c}</style><title>Sun</title></svg>Tea</h1>\
                 <a href=/x><svg><script>d()</script></svg>on</a>";
    let document = run(html, &Options::default()).document;
    assert_eq!(document.headings()[0].text, "SunTea");
    assert_eq!(document.links()[0].text(), Some("on"));
}

#[test]
fn findings_say_what_was_expected_and_found() {
    let kinds = [
        FindingKind::NoTitle,
        FindingKind::BrokenJsonLd,
        FindingKind::UntypedJsonLd,
        FindingKind::MalformedBytes,
        FindingKind::ListsCut,
        FindingKind::NoContent,
    ];
    let mut no_comments = Options::default();
    no_comments.comments = false;
    // A long base makes the addresses of many short links larger than the page allows.
    let long =
        format!("<title>t</title><base href=/{}/>{}", "b".repeat(2000), "<a href=y>z</a>".repeat(2000));
    let pages: [(&[u8], Options); 6] = [
        (b"<p>text", Options::default()),
        (b"<title>t</title><script type=application/ld+json>{</script>", Options::default()),
        (
            b"<title>t</title><script type=application/ld+json>{\"@type\":\"x:y\"}</script>",
            Options::default(),
        ),
        (b"<meta charset=utf-8><title>\xff</title>", Options::default()),
        (long.as_bytes(), Options::default()),
        (b"<title>t</title><div class=comments><p>Well said.</div>", no_comments),
    ];
    let mut seen = String::new();
    let mut found = Vec::new();
    for (html, options) in pages {
        let page = run(html, &options);
        for finding in page.findings {
            found.push(finding.kind());
            seen.push_str(&format!("{:?} {}: {finding}\n", finding.kind(), finding.requirement()));
        }
    }
    assert_eq!(found, kinds);
    insta::assert_snapshot!(seen);
}
