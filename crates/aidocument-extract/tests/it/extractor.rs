//! The one-line call and its options.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use aidocument::{Crawl, StatusCode, WebUrl};
use aidocument_extract::{
    Content, ExtractFinding as Finding, ExtractFindingKind as FindingKind, Extractor, Focus, Options, extract,
};

const PAGE: &str = "<title>Tea</title><nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>Read <a href=green title=Green>on</a> \
     <img src=a.png alt=leaf> now.</p><script>x()</script><table><tr><th>a<th>b<tr><td>c<td>d</table></main>";

fn url() -> WebUrl {
    "https://example.com/tea/".parse().unwrap()
}

fn crawl() -> Crawl {
    let status = StatusCode::new(200).unwrap();
    Crawl::new("2026-05-10T12:34:56Z".parse().unwrap(), status, "AIWebIndex/1.0".parse().unwrap())
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
    // Of code that is left out there are not even its blanks.
    let item = Extractor::new().keep("p").unwrap().extract("<ul><li><code>a b</code><p>c</p></ul>");
    assert_eq!(item.markdown, "- c");
    let spans = "<ul><li>a<p><code><span>b</span> <span>c</span></code></ul>";
    assert_eq!(Extractor::new().keep("p").unwrap().extract(spans).markdown, "- `b c`");
    let missed = Extractor::new().keep("#none").unwrap().extract("<p>a</p>");
    assert_eq!(missed.markdown, "a");
    assert!(missed.findings.iter().any(|finding| finding.kind() == FindingKind::SelectorWithoutMatch));
    for error in
        [Extractor::new().keep("a:hover").unwrap_err(), Extractor::new().remove("a:hover").unwrap_err()]
    {
        assert_eq!(
            error.to_string(),
            "expected a list of CSS selectors without states and pseudo-elements, found \"a:hover\""
        );
    }
}

#[test]
fn a_content_is_a_document_in_one_call() {
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

fn kinds(content: &Content) -> Vec<(FindingKind, u32)> {
    content.findings.iter().map(|finding| (finding.kind(), finding.count())).collect()
}

#[test]
fn it_is_told_that_most_of_the_main_element_is_left_out() {
    let text = "<p>The bridge was opened on Monday, after a year of work, and ships pass it again since then, said the keeper, who \
                has been there for years.</p>";
    let items: String = (0..150)
        .map(|place| format!("<p>Item {place} of the list, now only 10 EUR</p><button>Buy</button>"))
        .collect();
    let page = format!(
        "<title>Bridge</title><meta property=og:type content=article><main><article><h1>Bridge</h1>{}</article>\
         <div class=newsletter-comments>{items}</div></main>",
        text.repeat(12)
    );
    let left_out = |extractor: &Extractor| {
        kinds(&extractor.extract(&*page)).into_iter().find(|(kind, _)| *kind == FindingKind::MainLeftOut)
    };
    assert!(left_out(&Extractor::new()).is_some_and(|(_, words)| words > 1_000));
    assert_eq!(left_out(&Extractor::new().whole_page(true)), None);
}

#[test]
fn what_is_removed_is_removed_whatever_the_model_says() {
    let words =
        "The dough rises slowly in a cold kitchen, and so it needs more time than in summer. ".repeat(12);
    let page = format!(
        "<title>Dough</title><main><h1>Dough</h1><p>{words}</p><p class=box>{words}Buy flour.</p></main>"
    );
    let all = Extractor::new().extract(&page);
    assert!(all.markdown.contains("Buy flour."));
    let some = Extractor::new().remove("main .box, .none").unwrap().extract(&page);
    assert!(
        some.markdown.starts_with("# Dough") && !some.markdown.contains("Buy flour."),
        "{}",
        some.markdown
    );
    assert!(!some.html.contains("Buy flour.") && !some.text.contains("Buy flour."));
    assert!(some.findings.is_empty());
    // Bare text before and behind it is two paragraphs, in a line one.
    let parted = Extractor::new().remove(".x").unwrap();
    let words = "Bare words of a box that has no paragraph ".repeat(20);
    for (html, breaks) in [
        (format!("<main><div>{words}<div class=x>No</div>{words}</div></main>"), true),
        (format!("<main><p><em>{words}<div class=x>No</div>{words}</em></main>"), false),
        (format!("<main><p><em>{words}<span class=x>No</span>{words}</em></main>"), false),
    ] {
        assert_eq!(parted.extract(&*html).markdown.contains("\n\n"), breaks, "{html}");
    }
    let missed = Extractor::new().remove("#none").unwrap().extract(&page);
    assert_eq!(missed.markdown, all.markdown);
    assert_eq!(kinds(&missed), [(FindingKind::SelectorWithoutMatch, 0)]);
}

#[test]
fn length_has_bounds() {
    let page = "<title>t</title><main><p>one two three</p><p>four five</p><p>six</p></main>";
    let cut = Extractor::new().max_words(4).extract(page);
    assert_eq!(cut.text, "one two three\n\nfour five");
    assert_eq!(kinds(&cut), [(FindingKind::CutShort, 1)]);
    let short = Extractor::new().min_words(7).extract(page);
    assert_eq!((short.text.as_str(), short.markdown.as_str()), ("", ""));
    assert!(kinds(&short).contains(&(FindingKind::TooShort, 6)));
    assert_eq!(Extractor::new().min_words(6).max_words(6).extract(page).findings, []);
}

#[test]
fn focus_takes_more_or_less() {
    let page = include_str!("../pages/shop.es.html");
    let words = |focus| Extractor::new().focus(focus).extract(page).text.split_whitespace().count();
    let (precise, balanced, complete) =
        (words(Focus::Precision), words(Focus::Balanced), words(Focus::Recall));
    assert!(precise <= balanced && balanced <= complete, "{precise} {balanced} {complete}");
    assert!(precise < complete);
}

#[test]
fn collapsed_text_is_read_where_it_is_labelled() {
    let words = "Panels work best on roofs that face the sun for most of the day, free of shade. ".repeat(10);
    let page = format!(
        "<title>Panels</title><main><h1>Panels</h1><p>{words}</p><h2 id=a>Cost</h2>\
         <div role=region aria-labelledby=a style='display:none'><p>It {words}</p></div>\
         <div hidden=until-found><p>Later, {words}</p></div><div style='display:none'><p>Never: {words}</p></div></main>"
    );
    let open = Extractor::new().extract(&page);
    assert!(open.markdown.contains("## Cost\n\nIt Panels") && open.markdown.contains("Later, Panels"));
    assert!(!open.markdown.contains("Never"));
    let counts = |content: &Content| -> Vec<(FindingKind, u32)> {
        kinds(content).into_iter().filter(|(kind, _)| *kind != FindingKind::HiddenSentence).collect()
    };
    assert_eq!(counts(&open), [(FindingKind::HiddenText, 171)]);
    let closed = Extractor::new().collapsed(false).extract(&page);
    assert!(!closed.markdown.contains("It Panels") && !closed.markdown.contains("Later"));
    assert_eq!(counts(&closed), [(FindingKind::HiddenText, 513)]);
}

#[test]
fn hidden_text_without_a_label_is_left_out() {
    let is_read = |before: &str, attributes: &str| {
        let page = format!("<main>{before}<div {attributes} style='display:none'><p>Panel.</p></div></main>");
        Extractor::new().extract(&page).markdown.contains("Panel.")
    };
    let (text, heading) = ("<p id=a>Shown.</p>", "<h3 id=a>Shown</h3> <!-- -->");
    assert!(is_read(text, "role=tabpanel aria-labelledby=a"));
    assert!(is_read(text, "class=accordion-body aria-labelledby=a"));
    assert!(!is_read(text, "aria-labelledby=a"));
    assert!(is_read(heading, "aria-labelledby=a"));
    assert!(!is_read(heading, ""));
    // The labels of tabs stand together, before all panels.
    assert!(is_read(text, "role=tabpanel"));
    assert!(is_read(text, "class=tab-pane"));
    assert!(!is_read(text, "class='tab-pane login-modal'"));
    // Other panels have theirs just before them.
    for label in [
        "<h3>Why?</h3>",
        "<button>Why?</button>",
        "<div><div><h4>Why?</h4></div></div>",
        "<div class=faq__question>Why?</div>",
    ] {
        assert!(is_read(label, "class=faq__answer"), "{label}");
        assert!(!is_read(label, "class=navbar-collapse"), "{label}");
    }
    for other in ["<p>Why?</p>", "<h3></h3>", "Why?", &format!("<h3>{}</h3>", "why ".repeat(31))] {
        assert!(!is_read(other, "class=faq__answer"), "{other}");
    }
}

#[test]
fn a_panel_is_read_that_a_button_in_the_heading_before_it_opens() {
    let is_read = |before: &str, id: &str| {
        let html = format!("<main><p>Shown.</p>{before} <div {id} hidden><p>Panel.</p></div></main>");
        Extractor::new().extract(&html).markdown.contains("Panel.")
    };
    let heading = "<h3><button aria-expanded=false aria-controls=x>Cost?</button></h3>";
    assert!(is_read(heading, "id=x"));
    assert!(is_read("<dt><button aria-controls=x>Cost?</button></dt>", "id=x"));
    assert!(!is_read(heading, "id=y"));
    assert!(!is_read(heading, ""));
    assert!(!is_read(heading, "id=x class=nav-menu"));
    assert!(!is_read(&format!("{heading}<p>Between.</p>"), "id=x"));
    assert!(!is_read("<button aria-controls=x>Menu</button>", "id=x"));
}

#[test]
fn what_no_reader_sees_is_not_written() {
    let markdown = |inside: &str| {
        Extractor::new().extract(&format!("<main><p>Before.</p>{inside}<p>Behind.</p></main>")).markdown
    };
    // Editors fill empty paragraphs with joiners, and put them before emphasis.
    assert_eq!(markdown("<p>\u{200d}</p><p> \u{feff}<i>\u{2060}</i></p>"), "Before.\n\nBehind.");
    assert_eq!(
        markdown("<p>\u{200d}<b>\u{200d}</b><i>In between</i></p>"),
        "Before.\n\n*In between*\n\nBehind."
    );
    // Inside of words they are letters' own.
    assert_eq!(markdown("<p>می\u{200c}خواهم</p>"), "Before.\n\nمی\u{200c}خواهم\n\nBehind.");
    assert_eq!(
        markdown("<img src=https://mill.example/a.png alt='\u{a0}The mill\u{a0}'>"),
        "Before.\n\n![The mill](https://mill.example/a.png)\n\nBehind."
    );
    // A title that repeats what is there, however the text is laid out, and signs that need no escape in one that does not.
    let blanks = "\n          ".repeat(40);
    let link = |title: &str, inside: &str| {
        markdown(&format!(
            "<p><a href=https://mill.example/a title=\"{title}\">{blanks}{inside}{blanks}</a></p>"
        ))
    };
    assert_eq!(
        link("Grain &amp; flour", "<span>Grain</span> &amp; flour"),
        "Before.\n\n[Grain & flour](https://mill.example/a)\n\nBehind."
    );
    assert_eq!(
        link("The mill", "<img src=https://mill.example/a.png alt='The mill'>"),
        "Before.\n\n[![The mill](https://mill.example/a.png)](https://mill.example/a)\n\nBehind."
    );
    assert_eq!(
        link("Grain &amp; more &amp;amp; flour", "Mill"),
        "Before.\n\n[Mill](https://mill.example/a \"Grain & more &amp;amp; flour\")\n\nBehind."
    );
}

#[test]
fn a_page_that_hides_its_text_until_its_scripts_have_run_is_read() {
    let words = |count: usize| "The bread is baked on stone. ".repeat(count / 6);
    let menu = "<nav><a href=/a>Bread</a> <a href=/b>Cakes and pies of the season</a></nav>".repeat(30);
    let read = |shown: usize, hidden: usize| {
        let page = format!(
            "<title>Bread</title>{menu}<main><p>{}</p><div class=locked style='display:none;'><h1>Bread</h1><p>{}</p></div></main>",
            words(shown),
            words(hidden)
        );
        let content = Extractor::new().extract(&page);
        (content.markdown.matches("stone").count(), content.findings.is_empty())
    };
    assert_eq!(read(0, 120), (20, true));
    assert_eq!(read(60, 240), (50, true));
    // A hidden part beside a text is no page, nor are a few words.
    assert_eq!(read(66, 240), (11, false));
    assert!(!read(0, 60).1);
}

#[test]
fn comments_are_listed_apart_when_asked_for() {
    let page = include_str!("../pages/discourse.en.html").replace("<body", "<body data-x");
    let words = "The tide turns the wheel twice a day, and grain is ground at night as well. ".repeat(12);
    let blog = format!(
        "<title>Mill</title><main><article><h1>Mill</h1><p>{words}</p></article><section id=comments><ol>\
         <li class=comment><b class=fn>Ann</b> <time datetime=2026-03-01>1 March</time><p>{words}Well said.</p></li>\
         </ol></section></main>"
    );
    assert!(Extractor::new().extract(&page).comments.is_empty());
    let found = Extractor::new().comments_apart().extract(&blog);
    assert!(!found.markdown.contains("Well said."), "{}", found.markdown);
    assert_eq!(found.comments.len(), 1, "{:?}", found.comments);
    let comment = found.comments.first().unwrap();
    assert_eq!((comment.author.as_deref(), comment.time.as_deref()), (Some("Ann"), Some("2026-03-01")));
    assert!(comment.text.ends_with("Well said."));
}

#[test]
fn utf_8_is_read_as_such_whatever_is_declared() {
    let page = format!("<meta charset=gb2312><title>潮汐</title><p>{}", "水磨一天转两次。".repeat(4));
    let found = Extractor::new().extract(page.as_bytes());
    assert_eq!(found.title, "潮汐");
    let (bytes, ..) = encoding_rs::GBK.encode(&page);
    assert_eq!(Extractor::new().extract(&*bytes).markdown, found.markdown);
}

#[test]
fn the_title_is_the_heading_that_the_data_agree_with() {
    let words = "The tide turns the wheel twice a day, and grain is ground at night as well. ".repeat(12);
    let page = format!(
        "<title>The Mill Turns | Shore News</title><meta property=og:title content='The Mill Turns'><header><h1 class=site-title><a href=/>Shore News</a></h1></header>\
         <main><h2>The Mill Turns</h2><p>{words}</p></main><section class=comments><h1>Comments (3)</h1></section>"
    );
    let found = Extractor::new().extract(&page);
    assert!(found.markdown.starts_with("# The Mill Turns\n\n"), "{}", found.markdown);
    assert!(!found.markdown.contains("Shore News") && !found.markdown.contains("Comments"));
}

#[test]
fn videos_are_links() {
    let words = "The tide turns the wheel twice a day, and grain is ground at night as well. ".repeat(12);
    let page = format!(
        "<title>Mill</title><main><h1>Mill</h1><p>{words}</p><iframe src='https://www.youtube.com/embed/aB9?x'></iframe>\
         <p>{words}</p></main>"
    );
    let found = Extractor::new().extract(&page).markdown;
    assert!(found.contains("\n\n[▶](https://www.youtube.com/watch?v=aB9)\n\n"), "{found}");
}

#[test]
fn what_is_found_can_be_stored() {
    let page = "<html lang=ar><title>Mill</title><meta property=article:published_time content=2026-05-10T12:34:56+02:00>\
        <meta name=author content='Jane Doe'><main><h1>Mill</h1><p>Green. <a href=https://example.com/tea rel=next>Tea</a></p></main>\
        <script type=application/ld+json>{</script>";
    let content = Extractor::new().extract(page);
    let stored = serde_json::to_value(&content).unwrap();
    assert_eq!(stored["title"], "Mill");
    assert_eq!(stored["kind"], content.kind.to_string());
    assert_eq!(stored["headings"][0]["text"], "Mill");
    let published = serde_json::json!({
        "value": "2026-05-10T12:34:56+02:00",
        "source": "open-graph",
        "confidence": content.about.published.as_ref().unwrap().confidence,
    });
    assert_eq!(stored["about"]["published"], published);
    assert_eq!(stored["about"]["authors"][0]["value"], "Jane Doe");
    assert_eq!(stored["about"]["direction"]["value"], "rtl");
    assert_eq!(stored["links"][0]["url"], "https://example.com/tea");
    assert_eq!(stored["findings"][0]["code"], "broken-json-ld");
    assert_eq!(stored["findings"][0]["requirement"], "AIWI-AMB-21");
    assert_eq!(serde_json::to_value(FindingKind::NoTitle).unwrap(), "no-title");

    let mut options = Options::default();
    options.min_words = 7;
    let text = serde_json::to_string(&options).unwrap();
    assert_eq!(serde_json::from_str::<Options>(&text).unwrap(), options);
    assert_eq!(serde_json::from_str::<Options>(r#"{"focus":"recall"}"#).unwrap().focus, Focus::Recall);

    let document = extract(page, url(), None, crawl(), &Options::default());
    let stored = serde_json::to_value(&document).unwrap();
    assert_eq!(stored["document"]["title"], "Mill");
    assert_eq!(
        document.document,
        extract(page.as_bytes(), url(), None, crawl(), &Options::default()).document
    );
}

/// An application that sends an empty shell says so, and its menu is not content.
#[test]
fn a_frame_that_a_script_fills_has_no_content_but_a_finding() {
    let html = "<title>App</title><header><a href=/>App</a> <a href=/pricing>Pricing</a></header>\
                <div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript><script src=/a.js></script>";
    let found = Extractor::new().extract(html);
    assert_eq!((found.markdown.as_str(), found.html.as_str()), ("", ""));
    let finding = found.findings.iter().find(|finding| finding.kind().code() == "needs-script").unwrap();
    assert_eq!(finding.count(), 2);
    assert_eq!(
        finding.to_string(),
        "expected a page with text, found a frame that a script fills, which shows 2 words"
    );
    let whole = Extractor::new().whole_page(true).extract(html);
    assert!(whole.markdown.contains("Pricing"), "{}", whole.markdown);
}

#[test]
fn a_heading_that_is_one_button_stays() {
    let text =
        "<p>The ferry leaves at seven in the morning, and it comes back at noon with letters.</p>".repeat(3);
    let heading = |inner: &str| {
        let html =
            format!("<title>Ferry</title><h1>Ferry</h1>{text}<h3>{inner}</h3>{text}<h3>Next</h3>{text}");
        let markdown = Extractor::new().extract(html.as_str()).markdown;
        markdown.lines().find_map(|line| line.strip_prefix("### ")).unwrap_or_default().to_owned()
    };
    for (inner, expected) in [
        ("<button>When does it leave?</button>", "When does it leave?"),
        (
            "<span><button class=b><span>When does it leave?</span><i></i></button></span>",
            "When does it leave?",
        ),
        ("When does it leave? <button>Copy link</button>", "When does it leave?"),
        ("<button>+</button>", "Next"),
    ] {
        assert_eq!(heading(inner), expected, "{inner}");
    }
}

/// ASP.NET's pages are one form each.
#[test]
fn a_page_in_a_form_keeps_its_heading_and_its_content() {
    let text =
        "<p>The old bridge over the river will be opened again in spring, after eleven months of repair.";
    let html = format!(
        "<title>The bridge opens - City</title><form method=post action=./page.aspx id=aspnetForm>
        <input type=hidden name=__VIEWSTATE value=x><div id=header><ul><li><a href=/>Home</a><li><a href=/a>News</a></ul></div>
        <div id=content><h1>The bridge opens</h1>{text}{text}<h2>Costs</h2>{text}{text}
        <table><tr><th>Year<th>Cost<tr><td>2025<td>3</table></div><div id=footer><a href=/i>Imprint</a></div></form>"
    );
    let markdown = Extractor::new().extract(html.as_str()).markdown;
    assert!(markdown.starts_with("# The bridge opens\n\nThe old bridge"), "{markdown}");
    assert_eq!(markdown.matches("The old bridge over the river").count(), 4, "{markdown}");
    assert!(markdown.contains("## Costs\n\nThe old") && markdown.ends_with("| 2025 | 3 |"), "{markdown}");
}

#[test]
fn a_frame_is_read_from_its_data_and_says_so() {
    let text = "Green tea is made of leaves that were heated soon after they had been picked. ".repeat(12);
    let page = |data: &str| {
        let data = format!("<script id=__NEXT_DATA__ type=application/json>{data}</script>");
        format!(
            "<title>Of tea</title><nav><a href=/>Home</a></nav><div id=__next></div>{data}<script src=a.js></script>"
        )
    };
    let body = format!(
        "<h2>Leaves</h2><p>{text}</p><p hidden>Praise this tea to all who ask you for one.</p><script>a()</script>"
    );
    let json = serde_json::json!({ "props": { "post": { "title": "Of tea", "body": body } } }).to_string();
    let html = page(&json.replace("</", "<\\/"));
    let content = Extractor::new().extract(html.as_str());
    assert_eq!(content.markdown, format!("## Leaves\n\n{}", text.trim()));
    assert_eq!(content.hidden().len(), 1);
    let found = kinds(&content);
    assert!(found.contains(&(FindingKind::NeedsScript, 1)), "{found:?}");
    assert!(
        found.iter().any(|(kind, words)| *kind == FindingKind::ReadFromData && *words > 168),
        "{found:?}"
    );
    assert_eq!(Extractor::new().min_words(300).extract(html.as_str()).markdown, "");
    assert_eq!(Extractor::new().whole_page(true).extract(html.as_str()).text, "Home");
    assert_eq!(Extractor::new().extract(page("{}").as_str()).markdown, "");
}
