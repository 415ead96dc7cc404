//! The Markdown of every element, and signs that mean something to Markdown wherever they stand: read back by
//! `pulldown-cmark`, they are what the page has.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a failed test may panic")]

use aidocument_extract::to_markdown;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

fn events(markdown: &str) -> Vec<Event<'_>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(markdown, options).collect()
}

/// The text that a reader of the Markdown sees.
fn text(events: &[Event<'_>]) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::Text(piece) | Event::Code(piece) => text.push_str(piece),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::Html(html) | Event::InlineHtml(html) => text.push_str(&format!("HTML {html}")),
            _ => {}
        }
    }
    text
}

fn html_of(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Texts of up to three of the signs that Markdown reads something into.
fn signs() -> impl Iterator<Item = String> {
    const SIGNS: &str = "\\`*_[]()<>&;#+-=:|!~.\"'1a";
    let one = || SIGNS.chars().map(String::from);
    let two = move || one().flat_map(|a| SIGNS.chars().map(move |b| format!("{a}{b}")));
    // Of those of three, one in seven: each pair is before and behind each sign somewhere.
    let three = two().flat_map(|a| SIGNS.chars().map(move |b| format!("{a}{b}"))).step_by(7);
    one().chain(two()).chain(three)
}

/// Longer ones, of which some are read as one thing.
const LONGER: [&str; 40] = [
    "&amp;",
    "&#35;",
    "&#x23;",
    "&copy",
    "&CounterClockwiseContourIntegral;",
    "a&b;c",
    "&;",
    "&#;",
    "&a&amp;",
    "````",
    "``` x",
    "~~~ x",
    "~~x~~",
    "**x**",
    "*x*",
    "__x__",
    "_x_ y",
    "a_b_c",
    "a*b*c",
    "***",
    "---",
    "===",
    "- x",
    "+ x",
    "* x",
    "1. x",
    "12) x",
    "1234567890. x",
    "# x",
    "####### x",
    "#x",
    "> x",
    "[x](y)",
    "![x](y)",
    "[x]: y",
    "[x]",
    "<b>x</b>",
    "<!-- x -->",
    "<https://a.example>",
    "| x | y |",
];

fn each(mut check: impl FnMut(&str)) {
    signs().for_each(|text| check(&text));
    LONGER.iter().for_each(|text| check(text));
    for a in LONGER {
        for b in ["a", " ", "`", "*", "_", "]", "\\", "&amp;"] {
            check(&format!("{a}{b}x"));
            check(&format!("x{b}{a}"));
        }
    }
}

#[test]
fn signs_in_a_paragraph_are_text() {
    each(|sign| {
        let markdown = to_markdown(&format!("<p>{}</p>", html_of(sign)), None);
        let read = events(&markdown);
        assert_eq!(text(&read).trim(), sign.trim(), "{markdown}");
        assert!(matches!(read.first(), Some(Event::Start(Tag::Paragraph))), "{sign}: {markdown}");
        let markdown = to_markdown(&format!("<p>see {} there</p>", html_of(sign)), None);
        let shown = text(&events(&markdown));
        assert_eq!(
            shown.split_whitespace().collect::<String>(),
            format!("see{sign}there").replace(' ', ""),
            "{markdown}"
        );
    });
}

#[test]
fn signs_in_a_heading_are_text() {
    each(|sign| {
        let markdown = to_markdown(&format!("<h2>{}</h2>", html_of(sign)), None);
        let read = events(&markdown);
        assert!(matches!(read.first(), Some(Event::Start(Tag::Heading { .. }))), "{sign}: {markdown}");
        assert_eq!(text(&read).trim(), sign.trim(), "{markdown}");
    });
}

#[test]
fn signs_in_code_are_code() {
    each(|sign| {
        let markdown = to_markdown(&format!("<p>a <code>{}</code> b</p>", html_of(sign)), None);
        let read = events(&markdown);
        let code: Vec<_> = read
            .iter()
            .filter_map(|event| if let Event::Code(code) = event { Some(code.trim()) } else { None })
            .collect();
        assert_eq!(code, [sign.trim()], "{markdown}");
        let markdown = to_markdown(&format!("<pre>{}\n{0}</pre>", html_of(sign)), None);
        let read = events(&markdown);
        assert!(
            matches!(&read[0], Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if info.is_empty()),
            "{markdown}"
        );
        assert_eq!(
            text(&read).trim_end_matches('\n'),
            format!("{sign}\n{sign}").trim_end_matches('\n'),
            "{markdown}"
        );
    });
}

#[test]
fn signs_in_emphasis_and_links_are_text() {
    each(|sign| {
        let inside = html_of(sign);
        let markdown = to_markdown(
            &format!("<p>a <em>{inside}</em> b <strong>{inside}</strong> c <del>{inside}</del> d"),
            None,
        );
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(
            squeezed(&text(&events(&markdown))),
            squeezed(&format!("a{sign}b{sign}c{sign}d")),
            "{markdown}"
        );
        let markdown = to_markdown(&format!("<p>a <a href=/x>{inside}</a> b"), None);
        let read = events(&markdown);
        assert_eq!(squeezed(&text(&read)), squeezed(&format!("a{sign}b")), "{markdown}");
        let links = read
            .iter()
            .filter(|event| matches!(event, Event::Start(Tag::Link { dest_url, .. }) if &**dest_url == "/x"));
        assert_eq!(links.count(), 1, "{markdown}");
    });
}

#[test]
fn signs_in_targets_and_titles_are_kept() {
    each(|sign| {
        let inside = html_of(sign);
        for html in [
            format!("<p><a href=\"/x{inside}\" title=\"T {inside}\">link</a>"),
            format!("<p><img src=\"/x{inside}\" title=\"T {inside}\" alt=link>"),
        ] {
            let markdown = to_markdown(&html, None);
            let read = events(&markdown);
            let found = read.iter().find_map(|event| match event {
                Event::Start(Tag::Link { dest_url, title, .. } | Tag::Image { dest_url, title, .. }) => {
                    Some((dest_url.to_string(), title.to_string()))
                }
                _ => None,
            });
            let (target, title) = found.unwrap_or_else(|| panic!("{markdown}"));
            assert_eq!(target, format!("/x{sign}"), "{markdown}");
            assert_eq!(title, format!("T {sign}").trim_end(), "{markdown}");
        }
    });
}

#[test]
fn signs_in_a_table_stay_in_their_cell() {
    each(|sign| {
        let inside = html_of(sign);
        let markdown = to_markdown(
            &format!(
                "<table><tr><th>H<th>I<tr><td>{inside}<td>b<tr><td><code>{inside}</code><td><a href=\"/{inside}\">c</a></table>"
            ),
            None,
        );
        let mut cells = vec![];
        for event in events(&markdown) {
            match event {
                Event::Start(Tag::TableCell) => cells.push(String::new()),
                Event::Text(piece) | Event::Code(piece) => cells.last_mut().unwrap().push_str(&piece),
                _ => {}
            }
        }
        assert_eq!(
            cells.iter().map(|cell| cell.trim()).collect::<Vec<_>>(),
            ["H", "I", sign.trim(), "b", sign.trim(), "c"],
            "{markdown}"
        );
    });
}

/// A sign may be spread over several nodes: what is escaped depends on all of it.
#[test]
fn signs_in_pieces_are_text() {
    let all: Vec<String> = signs().step_by(11).chain(LONGER.map(String::from)).collect();
    for sign in all {
        for (at, _) in sign.char_indices().skip(1) {
            let (a, b) = sign.split_at(at);
            for between in ["<!-- -->", "<span></span>", "<wbr>"] {
                let markdown = to_markdown(&format!("<p>{}{between}{}", html_of(a), html_of(b)), None);
                assert_eq!(text(&events(&markdown)).trim(), sign.trim(), "{a:?} {b:?}: {markdown}");
            }
            let markdown = to_markdown(&format!("<p>x {}<b>{}x</b>", html_of(a), html_of(b)), None);
            let shown: String = text(&events(&markdown)).split_whitespace().collect();
            assert_eq!(shown, format!("x{sign}x").replace(' ', ""), "{a:?} {b:?}: {markdown}");
        }
    }
}

/// Marks within marks, side by side and within words: whatever cannot be written is left out, and no sign of it stays.
#[test]
fn nested_marks_leave_no_signs() {
    let tags = ["em", "strong", "del", "b", "i"];
    let texts = ["a", " a", "a ", "(a)", "«a»", "", "a-", "é"];
    let mut state = 7_usize;
    let mut pick = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for _ in 0..6_000 {
        let (mut html, mut plain, mut open) = (String::from("<p>"), String::new(), Vec::new());
        for _ in 0..pick(24) {
            match pick(3) {
                0 if open.len() < 7 => {
                    let tag = tags[pick(tags.len())];
                    html.push_str(&format!("<{tag}>"));
                    open.push(tag);
                }
                1 => {
                    if let Some(tag) = open.pop() {
                        html.push_str(&format!("</{tag}>"));
                    }
                }
                _ => {
                    let text = texts[pick(texts.len())];
                    html.push_str(text);
                    plain.push_str(text);
                }
            }
        }
        let markdown = to_markdown(&html, None);
        let shown: String = text(&events(&markdown)).split_whitespace().collect();
        assert_eq!(shown, plain.split_whitespace().collect::<String>(), "{html}: {markdown}");
    }
}

/// Each case is a fragment and its Markdown.
fn check(cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        assert_eq!(to_markdown(html, None), *expected, "{html}");
    }
}

#[test]
fn code_is_a_block_where_it_has_lines() {
    check(&[
        ("<p><code>a</code>", "`a`"),
        ("<p><code>a b</code>", "`a b`"),
        ("<p><code>a<br>b</code>", "```\na\nb\n```"),
        ("<p><code>a\nb</code>", "```\na\nb\n```"),
        ("<p>x <code>a<br>b</code>", "x `a b`"),
        ("<p><code><i>a</i></code>", "`a`"),
        ("<blockquote><pre>a\n\n b</pre></blockquote>", "> ```\n> a\n>\n>  b\n> ```"),
        ("<ul><li>x<pre>a\n b</pre></ul>", "- x\n\n  ```\n  a\n   b\n  ```"),
    ]);
    // The fence is the shortest that the code does not hold.
    for ticks in [1, 2, 3, 62, 63, 64, 65, 200] {
        let code = "`".repeat(ticks);
        let markdown = to_markdown(&format!("<p>x <code>{code}</code>"), None);
        assert_eq!(
            markdown,
            if ticks == 1 { format!("x `` {code} ``") } else { format!("x ` {code} `") },
            "{ticks}"
        );
    }
}

#[test]
fn raised_digits_are_written_as_such() {
    let digits = [
        ("0", "⁰"),
        ("1", "¹"),
        ("2", "²"),
        ("3", "³"),
        ("4", "⁴"),
        ("5", "⁵"),
        ("6", "⁶"),
        ("7", "⁷"),
        ("8", "⁸"),
        ("9", "⁹"),
        ("+1", "⁺¹"),
        ("-2", "⁻²"),
        ("−3", "⁻³"),
        ("n", "ⁿ"),
        ("10", "¹⁰"),
    ];
    for (plain, raised) in digits {
        assert_eq!(
            to_markdown(&format!("<p>m<sup>{plain}</sup> x"), None),
            format!("m{raised} x"),
            "{plain}"
        );
    }
    check(&[("<p>the 1<sup>st</sup> of m<sup>x</sup>", "the 1st of mx")]);
}

#[test]
fn headings_keep_their_lines_and_cells_are_one() {
    check(&[
        ("<h2>a<br>b</h2>", "a\\\nb\n---"),
        (
            "<table><tr><th>h<th>i<tr><td><div>a</div>b<td>c<p>d</table>",
            "| h | i |\n| --- | --- |\n| a b | c d |",
        ),
        (
            "<table><tr><th>h<th>i<tr><td><pre>a b</pre><td><img src=/c.png alt=c></table>",
            "| h | i |\n| --- | --- |\n| `a b` | ![c](/c.png) |",
        ),
    ]);
}

/// Boxes whose classes say their column, as javadoc has them since 16.
#[test]
fn boxes_in_columns_are_a_table() {
    let html = "<div class=caption>Fields</div><div class='summary-table three-column-summary'>\
        <div class='table-header col-first'>Type</div> <div class='table-header col-second'>Field</div>\
        <div class='table-header col-last'>Description</div>\
        <div class='col-first even-row-color'><code>int</code></div><div class='col-second even-row-color'>size</div>\
        <div class='col-last even-row-color'><div class=block>How many.</div></div>\
        <div class='col-first odd-row-color'><code>long</code></div><div class='col-second odd-row-color'>sum</div>\
        <div class='col-last odd-row-color'></div></div><p>After.";
    let expected = "Fields\n\n| Type | Field | Description |\n| --- | --- | --- |\n| `int` | size | How many. |\n\
        | `long` | sum | |\n\nAfter.";
    assert_eq!(to_markdown(html, None), expected);
    let posts = "<div class=post-odd>one</div><div class=post-even>two</div>";
    assert!(!to_markdown(&format!("<div>{posts}{posts}</div>"), None).contains('|'));
}

/// A table is one of data by its headers, its columns and how many blocks its cells hold.
#[test]
fn tables_of_data_are_told_from_layout() {
    let is_table = |html: &str| to_markdown(html, None).contains("| --- |");
    let cell = |blocks: usize| format!("<td>{}", "<p>x".repeat(blocks));
    let table = |head: &str, blocks: [usize; 2]| {
        format!("<table><tr>{head}<tr>{}{}</table>", cell(blocks[0]), cell(blocks[1]))
    };
    for (head, blocks, expected) in [
        // With headers, two blocks a cell.
        ("<th>a<th>b", [0, 0], true),
        ("<th>a<th>b", [4, 4], true),
        ("<th>a<th>b", [5, 4], false),
        // Without, one.
        ("<td>a<td>b", [2, 2], true),
        ("<td>a<td>b", [3, 2], false),
    ] {
        assert_eq!(is_table(&table(head, blocks)), expected, "{head} {blocks:?}");
    }
    for (html, expected) in [
        ("<table><tr><td>a<tr><td>b</table>", false),
        ("<table><tr><th>a<tr><td>b</table>", true),
        ("<table><tr><th>a</table>", false),
        ("<table><tr><th>a<th>b</table>", true),
        ("<table role=presentation><tr><th>a<th>b<tr><td>c<td>d</table>", false),
        ("<table role=none><tr><th>a<th>b<tr><td>c<td>d</table>", false),
        ("<table class=equation><tr><td>a<td>b</table>", false),
        ("<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e</table></table>", false),
        // A block of code counts as two.
        ("<table><tr><td><pre>a</pre><td><p>b<tr><td><p>c<td>d</table>", true),
        ("<table><tr><td><pre>a</pre><td><p>b<tr><td><p>c<td><p>d</table>", false),
        // One row without a header sets things side by side,
        ("<table><tr><td>a<td>b</table>", false),
        ("<table><tr><td class=c>a<td class=c>b</table>", false),
        // unless its cells have a class each, as Doxygen's and gtk-doc's, and the first is a name.
        ("<table><tr><td class=paramname>a<td>b</table>", true),
        ("<table><tr><td class=name><p>a<td class=description><p>b<td class=annotations></table>", true),
        ("<table><tr><td class=name><td class=description>b</table>", false),
        (&format!("<table><tr><td class=name>{}<td>b</table>", "a".repeat(80)), true),
        (&format!("<table><tr><td class=name>{}<td>b</table>", "a".repeat(81)), false),
        ("<table><tr><td class=icon>Note<td class=content>b</table>", false),
        ("<table><tr><td class=label>[1]<td>b</table>", false),
        ("<table><tr><td class=gutter><pre>1</pre><td class=code><pre>b</pre></table>", false),
        // One column is lines, an image fills one.
        ("<table><tr><td>a<td>&nbsp;<tr><td>b<td></table>", false),
        ("<table><tr><td>a<td><img src=/c.png alt=c><tr><td>b<td></table>", true),
    ] {
        // The inner table of one that is laid out may be data.
        let markdown = to_markdown(html, None);
        assert_eq!(markdown.starts_with('|'), expected, "{html}: {markdown}");
    }
}

#[test]
fn comments_and_declarations_are_no_text() {
    for odd in [
        "<!x>",
        "<!-- x -->",
        "<!-->",
        "<!--->",
        "<!-- x --!>",
        "<?x?>",
        "</!x>",
        "</ x>",
        "<!doctype x>",
        "<!DOCTYPE html>",
        "<![CDATA[x]]>",
    ] {
        assert_eq!(to_markdown(&format!("<p>a{odd}b"), None), "ab", "{odd}");
    }
    check(&[
        ("<p>a<!x", "a"),
        ("<p>a<!-- x", "a"),
        ("<svg><text>]]></text><text><![CDATA[x]]></text></svg>", ""),
        ("<math><mtext>]]><![CDATA[x>y]]></mtext></math>", "$\\text{]]\\gt x\\gt y}$"),
    ]);
}

/// Markdown as people's tools like it: a list stands apart from what is before it, and so does every block.
#[test]
fn blocks_stand_apart() {
    check(&[
        ("<h2>a</h2><ul><li>b<li>c</ul><p>d", "## a\n\n- b\n- c\n\nd"),
        ("<p>a<ol><li>b</ol>", "a\n\n1. b"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "- a\n  - b\n  - c\n- d"),
        ("<ul><li><ul><li>a</ul></ul>b", "- - a\n\nb"),
        // A list right in a list is a part of the item before it.
        (
            "<ol start=9><li>a</li><ol><li>b</li></ol><ol><li>c</li></ol><li>d</li></ol><p>e",
            "9. a\n   1. b\n   1) c\n10. d\n\ne",
        ),
        ("<ul><ul><li>a</ul><li>b</ul>", "- a\n\n- b"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<ul><li>a<li></ul><p>b", "- a\n-\n\nb"),
        ("<blockquote>a<ul><li>b<li>c</ul></blockquote>", "> a\n>\n> - b\n> - c"),
    ]);
}

#[test]
fn spanned_cells_are_empty_or_repeat() {
    let rows = |html: &str, repeat: bool| {
        let page = format!("<table><tr><th>A<th>B<th>C{html}</table>");
        let found = aidocument_extract::Extractor::new().repeat_spans(repeat).extract(&*page);
        let rows = found.markdown.lines().skip(2).map(String::from).collect::<Vec<_>>();
        (rows, found.text)
    };
    for (html, empty, repeated) in [
        ("<tr><td colspan=2>x<td>y", ["| x | | y |"].as_slice(), ["| x | x | y |"].as_slice()),
        (
            "<tr><td rowspan=2>x<td>y<td>z<tr><td>v<td>w",
            &["| x | y | z |", "| | v | w |"],
            &["| x | y | z |", "| x | v | w |"],
        ),
        (
            "<tr><td>x<td>y<td rowspan=2>z<tr><td>v<td>w",
            &["| x | y | z |", "| v | w | |"],
            &["| x | y | z |", "| v | w | z |"],
        ),
        (
            "<tr><td rowspan=2 colspan=2>x<td>y<tr><td>z",
            &["| x | | y |", "| | | z |"],
            &["| x | x | y |", "| x | x | z |"],
        ),
    ] {
        assert_eq!(rows(html, false).0, empty, "{html}");
        assert_eq!(rows(html, true).0, repeated, "{html}");
    }
    assert!(rows("<tr><td colspan=2>x<td>y", true).1.ends_with("x\tx\ty"));
}

/// A few bytes that ask for half a million cells do not get them, and a long value is not repeated without end.
#[test]
fn spans_are_bounded() {
    let wide = "<tr><td colspan=500 rowspan=1000>x<td>y".repeat(20) + &"<tr><td>z".repeat(2_000);
    let long = format!("<tr><td colspan=400>{}<td>y", "word ".repeat(2_000));
    for rows in [wide, long] {
        let page = format!("<table><tr><th>A<th>B{rows}</table>");
        for repeat in [false, true] {
            let found = aidocument_extract::Extractor::new().repeat_spans(repeat).extract(&*page);
            assert!(found.markdown.len() < 8 * page.len() + 260_000, "{}", found.markdown.len());
            assert!(found.text.len() < 8 * page.len() + 260_000, "{}", found.text.len());
        }
    }
}
