//! Who wrote a page, when, and what else it says about itself: real-looking markup, and the answer with its source.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use aidocument_extract::{Extractor, MetadataSource, PageMetadata, TextDirection};

fn about(page: &str) -> PageMetadata {
    Extractor::new().base_url("https://example.com/tea".parse().unwrap()).extract(page).about
}

/// The page's text, long enough to end the lines around the title.
const TEXT: &str = "<p>Water for green tea should not boil. Seventy to eighty degrees are enough for most leaves, and the \
    pot is warmed before; two minutes later the first cup is ready, and a second and a third can follow from the same leaves.</p>";

fn article(head: &str, top: &str, bottom: &str) -> String {
    format!(
        "<html lang=en><head><title>Green tea | Example</title>{head}</head><body><nav><a href=/>Home</a> <a href=/login>Log in</a></nav>\
         <main><article><h1>Green tea</h1>{top}{TEXT}{TEXT}{TEXT}{TEXT}</article>{bottom}</main>\
         <footer>© 2019 Example. Last updated January 2, 2020 by Nobody Else</footer></body></html>"
    )
}

fn date(page: &str) -> Option<(String, MetadataSource)> {
    about(page).published.map(|found| (found.value.to_string(), found.source))
}

fn authors(page: &str) -> Vec<String> {
    about(page).authors.into_iter().map(|found| found.value).collect()
}

fn ld(json: &str) -> String {
    format!(r#"<script type="application/ld+json">{json}</script>"#)
}

#[test]
fn dates_that_are_declared() {
    use MetadataSource as S;
    let graph = r##"{"@context":"https://schema.org","@graph":[{"@type":"WebPage","datePublished":"2024-03-05T10:00:00+02:00"},
        {"@type":["Article","TechArticle"],"headline":"Green tea","datePublished":"2024-03-05T10:00:00+02:00","author":{"@id":"#jane"}},
        {"@type":"Person","@id":"#jane","name":"Jane Doe"}]}"##;
    for (head, expected, source) in [
        (ld(graph), "2024-03-05T10:00:00+02:00", S::JsonLd),
        (
            r#"<meta property="article:published_time" content="2024-03-05T22:30:00-05:00">"#.to_owned(),
            "2024-03-05T22:30:00-05:00",
            S::OpenGraph,
        ),
        ("<meta name=DC.date.issued content=2024-03-05>".to_owned(), "2024-03-05", S::DublinCore),
        (
            "<meta name=parsely-pub-date content=2024-03-05T10:00:00Z>".to_owned(),
            "2024-03-05T10:00:00Z",
            S::Parsely,
        ),
        (
            "<meta name=sailthru.date content='2024-03-05 10:00:00'>".to_owned(),
            "2024-03-05T10:00:00",
            S::Sailthru,
        ),
        ("<meta name=citation_publication_date content=2024/03/05>".to_owned(), "2024-03-05", S::Citation),
        ("<meta name=w-published-date content=2024-03-05>".to_owned(), "2024-03-05", S::Meta),
        ("<meta itemprop=datePublished content=2024-03-05>".to_owned(), "2024-03-05", S::Microdata),
    ] {
        assert_eq!(date(&article(&head, "", "")), Some((expected.to_owned(), source)), "{head}");
    }
    assert_eq!(authors(&article(&ld(graph), "", "")), ["Jane Doe"]);
}

#[test]
fn dates_that_are_shown() {
    use MetadataSource as S;
    for (top, source) in [
        ("<p class=meta>By Jane Doe · March 5, 2024 · 4 min read</p>", S::Text),
        ("<div>Published</div><div>5 March 2024</div>", S::Text),
        ("<p><time datetime=2024-03-05>yesterday</time></p>", S::Time),
        ("<p><span itemprop=datePublished content=2024-03-05>last week</span></p>", S::Microdata),
        ("<p><span property=schema:datePublished content=2024-03-05>last week</span></p>", S::Rdfa),
        ("<p><relative-time datetime=2024-03-05T10:00:00Z>3 days ago</relative-time></p>", S::Time),
        ("<aside><time datetime=2024-03-05>Mar 5</time></aside>", S::Time),
        ("<p>Updated: March 9, 2024. Published: March 5, 2024</p>", S::Text),
        ("<p>Updated on March 5, 2024</p>", S::Text),
    ] {
        let (found, from) = date(&article("", top, "")).unwrap_or_else(|| panic!("{top}"));
        assert_eq!((found.get(..10), from), (Some("2024-03-05"), source), "{top}");
    }
    let below = article("", "", "").replace("</article>", "<p>Posted on March 5, 2024</p></article>");
    assert_eq!(date(&below), Some(("2024-03-05".to_owned(), S::Text)));
}

#[test]
fn dates_of_other_things_are_not_the_pages() {
    let comments =
        "<div class=comments><p>Ann, <time datetime=2024-03-06>March 6, 2024</time>: Thanks!</p></div>";
    let teasers = "<section class=related-posts><h2>More</h2><p>March 7, 2024</p><p>Black tea</p></section>";
    assert_eq!(date(&article("", "", "")), None, "a footer");
    assert_eq!(date(&article("", "", comments)), None, "a comment");
    assert_eq!(date(&article("", "", teasers)), None, "a teaser");
    assert_eq!(date(&article("", "<p>Release date:</p><p>March 5, 2024</p>", "")), None, "a release");
    let days: String = (1..9)
        .map(|day| format!("<article><h3>Tea {day}</h3><p>March {}, 2024</p></article>", 20 - day))
        .collect();
    let list = format!("<title>Blog</title><main><h1>Blog</h1>{days}</main>");
    assert_eq!(date(&list), None, "a list of other pages");
    let product = ld(r#"{"@context":"https://schema.org","@type":"Product","name":"Green tea"}"#)
        + r#"<meta property="article:published_time" content="2018-03-05T22:30:00Z">"#;
    assert_eq!(date(&article(&product, "", "")), None, "a page of a shop");
    let page =
        ld(r#"{"@context":"https://schema.org","@type":"WebPage","datePublished":"2018-03-05T22:30:00Z"}"#);
    assert_eq!(date(&article(&page, "", "")), None, "when a page was made that is not an article");
}

#[test]
fn publication_and_change_are_apart() {
    let page = about(&article("", "<p>Published March 5, 2024 | Last updated: May 6, 2024</p>", ""));
    assert_eq!(page.published.unwrap().value.to_string(), "2024-03-05");
    assert_eq!(page.modified.unwrap().value.to_string(), "2024-05-06");
    let sure = about(&article(
        "<meta property=article:published_time content=2024-03-05T08:00:00Z>",
        "<p>March 5, 2024</p>",
        "",
    ));
    let unsure = about(&article("", "<p>Updated March 5, 2024</p>", ""));
    assert!(sure.published.unwrap().confidence > 0.9);
    assert!(unsure.published.unwrap().confidence < 0.6);
}

#[test]
fn the_declared_day_of_the_change_is_not_that_of_the_publication() {
    let declared = |published: &str, modified: &str| {
        format!(
            "<meta property=article:published_time content={published}><meta property=article:modified_time content={modified}>"
        )
    };
    let shown = "<p><time>March 5, 2024</time></p>";
    // What readers are shown without a word beside it is declared as the change.
    let page = article(&declared("2021-07-22", "2024-03-05"), shown, "");
    assert_eq!(date(&page), Some(("2021-07-22".to_owned(), MetadataSource::OpenGraph)));
    assert_eq!(about(&page).modified.unwrap().value.to_string(), "2024-03-05");
    // It is not, where nothing else is declared as the publication, or the same.
    for head in [
        declared("2024-03-05", "2024-03-05"),
        declared("2021-07-22", "2024-03-07"),
        declared("", "2024-03-05"),
    ] {
        assert_eq!(date(&article(&head, shown, "")).unwrap().0, "2024-03-05", "{head}");
    }
}

#[test]
fn the_day_is_that_of_the_pages_language() {
    let page =
        |language: &str| article("", "<p>03/05/2024</p>", "").replace("lang=en", &format!("lang={language}"));
    assert_eq!(date(&page("en-US")).unwrap().0, "2024-03-05");
    assert_eq!(date(&page("en-GB")).unwrap().0, "2024-05-03");
    assert_eq!(date(&page("fr")).unwrap().0, "2024-05-03");
    let address: aidocument::WebUrl = "https://example.com/2024/03/05/tea".parse().unwrap();
    let content = Extractor::new().base_url(address).extract(&article("", "", ""));
    assert_eq!(content.about.published.unwrap().source, MetadataSource::Url);
}

#[test]
fn authors_are_a_list() {
    for (head, top, expected) in [
        ("<meta name=author content='Jane Doe and John Roe'>", "", &["Jane Doe", "John Roe"][..]),
        (
            "<meta name=citation_author content='Doe, Jane'><meta name=citation_author content='Roe, John'>",
            "",
            &["Jane Doe", "John Roe"],
        ),
        (
            "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Jane Doe'>",
            "",
            &["Jane Doe"],
        ),
        ("", "<p>By Jane Doe, Senior Editor</p>", &["Jane Doe"]),
        (
            "",
            "<p>Written by <a href=/author/jane rel=author>Jane Doe</a> on March 5, 2024</p>",
            &["Jane Doe"],
        ),
        (
            "",
            "<div class=byline><span>By</span> <a href=/people/jane>Jane Doe</a>, <a href=/people/john>John Roe</a></div>",
            &["Jane Doe", "John Roe"],
        ),
        (
            "",
            "<div itemprop=author itemscope><span itemprop=name>Jane Doe</span> <span>Editor</span></div>",
            &["Jane Doe"],
        ),
        ("", "<p>Von Erika Mustermann, 5. März 2024</p>", &["Erika Mustermann"]),
        ("<meta name=author content=admin>", "<p>By Jane Doe</p>", &["Jane Doe"]),
        ("<meta name=author content=Example>", "<p>By Jane Doe</p>", &["Jane Doe"]),
    ] {
        assert_eq!(authors(&article(head, top, "")), expected, "{head}{top}");
    }
}

#[test]
fn every_source_of_authors_is_named_with_a_confidence() {
    use MetadataSource as S;
    let graph = ld(r#"{"@context":"https://schema.org","@type":"NewsArticle","headline":"Green tea",
        "author":[{"@type":"Person","name":"Jane Doe"},{"@type":"Person","name":"John Roe"}]}"#);
    let two = &["Jane Doe", "John Roe"][..];
    let one = &["Jane Doe"][..];
    for (head, top, expected, source) in [
        (graph.as_str(), "", two, S::JsonLd),
        ("<meta property=article:author content='Jane Doe'>", "", one, S::OpenGraph),
        ("<meta name=DC.creator content='Jane Doe'>", "", one, S::DublinCore),
        ("<meta name=parsely-author content='Jane Doe'>", "", one, S::Parsely),
        ("<meta name=sailthru.author content='Jane Doe'>", "", one, S::Sailthru),
        ("<meta name=citation_author content='Doe, Jane'>", "", one, S::Citation),
        ("<meta name=author content='Jane Doe'>", "", one, S::Meta),
        ("", "<p itemprop=author itemscope><span itemprop=name>Jane Doe</span></p>", one, S::Microdata),
        ("", "<p property=schema:author><span property=schema:name>Jane Doe</span></p>", one, S::Rdfa),
        ("", "<p><a rel=author href=/jane>Jane Doe</a></p>", one, S::Markup),
        ("", "<p>By Jane Doe</p>", one, S::Text),
    ] {
        let found = about(&article(head, top, "")).authors;
        let names: Vec<&str> = found.iter().map(|author| author.value.as_str()).collect();
        assert_eq!(names, expected, "{head}{top}");
        for author in &found {
            assert_eq!(author.source, source, "{head}{top}");
            assert!((0.4..1.0).contains(&author.confidence), "{head}{top}: {}", author.confidence);
        }
    }
}

#[test]
fn all_types_of_articles_have_dates_and_no_other_type() {
    let of = |name: &str| {
        let head = ld(&format!(
            r#"{{"@context":"https://schema.org","@type":"{name}","headline":"Green tea","datePublished":"2024-03-05"}}"#
        ));
        date(&article(&head, "", "")).map(|(day, _)| day)
    };
    for name in [
        "Article",
        "NewsArticle",
        "AnalysisNewsArticle",
        "BackgroundNewsArticle",
        "OpinionNewsArticle",
        "ReportageNewsArticle",
        "ReviewNewsArticle",
        "AskPublicNewsArticle",
        "AdvertiserContentArticle",
        "SatiricalArticle",
        "ScholarlyArticle",
        "MedicalScholarlyArticle",
        "TechArticle",
        "APIReference",
        "Report",
        "BlogPosting",
        "LiveBlogPosting",
        "SocialMediaPosting",
        "DiscussionForumPosting",
        "Recipe",
        "HowTo",
        "Review",
        "http://schema.org/NewsArticle",
        "schema:NewsArticle",
    ] {
        assert_eq!(of(name).as_deref(), Some("2024-03-05"), "{name}");
    }
    for name in ["JobPosting", "Product", "WebPage", "Organization", "ImageObject", "Event"] {
        assert_eq!(of(name), None, "{name}");
    }
}

#[test]
fn a_report_starts_with_its_place_and_day() {
    for start in
        ["LONDON, March 5, 2024 – ", "Tokyo (March 5, 2024) — ", "PARIS, March 5, 2024 /PRNewswire/ -- "]
    {
        let page = article("", &TEXT.replacen("<p>", &format!("<p>{start}"), 1), "");
        assert_eq!(date(&page), Some(("2024-03-05".to_owned(), MetadataSource::Text)), "{start}");
    }
    let within = article("", &TEXT.replacen("<p>", "<p>On March 5, 2024 we drank tea. ", 1), "");
    assert_eq!(date(&within), None, "a day that the text is about");
}

#[test]
fn the_day_that_readers_see_is_the_publishers() {
    let shown = "<p>March 5, 2024</p>";
    let head =
        ld(r#"{"@context":"https://schema.org","@type":"DiscussionForumPosting","headline":"Green tea",
        "datePublished":"2024-03-06T03:05:48Z"}"#);
    assert_eq!(
        date(&article(&head, shown, "")).unwrap().0,
        "2024-03-05",
        "in UTC it was the next day already"
    );
    assert_eq!(
        date(&article(&head, "<p>March 2, 2024</p>", "")).unwrap().0,
        "2024-03-06T03:05:48Z",
        "another day"
    );
    let without_zone = head.replace("48Z", "48");
    assert_eq!(date(&article(&without_zone, shown, "")).unwrap().0, "2024-03-05", "in UTC without saying so");
    let in_a_zone = head.replace("48Z", "48+02:00");
    assert_eq!(
        date(&article(&in_a_zone, shown, "")).unwrap().0,
        "2024-03-06T03:05:48+02:00",
        "the publisher's own"
    );
    let day = head.replace("T03:05:48Z", "");
    assert_eq!(
        date(&article(&day, shown, "")).unwrap().0,
        "2024-03-06",
        "a day without a time is in no zone"
    );
}

#[test]
fn dates_of_boxes_beside_the_text_and_of_tooltips() {
    let aside = "<aside class=side-col role=complementary><p>March 5, 2024</p></aside>";
    assert_eq!(date(&article("", aside, "")).unwrap().0, "2024-03-05");
    let tooltip =
        "<p><span data-tippy-content='Tuesday, March 5th, 2024 at 3:43:10 PM'>1 year ago</span></p>";
    assert_eq!(date(&article("", tooltip, "")).unwrap().0, "2024-03-05");
    let line = tooltip.replace("<span", &format!("{} · <span", "<b>a</b> <i>b</i> ".repeat(3)));
    assert_eq!(date(&article("", &line, "")).unwrap().0, "2024-03-05", "after other texts of the line");
    let post = "<title>Tea</title><main><x-post created-timestamp=2024-03-05T09:47:05Z><h1>Green tea</h1><p>Which?</p></x-post></main>";
    assert_eq!(date(post).unwrap().0, "2024-03-05T09:47:05Z");
    let below = |lines: &str| article("", "", "").replace("</article>", &format!("{lines}</article>"));
    assert_eq!(date(&below("<p class=date>March 5, 2024</p>")).unwrap().0, "2024-03-05");
    assert_eq!(
        date(&below("<p class=date>March 5, 2024</p><p class=date>March 6, 2024</p>")),
        None,
        "which?"
    );
}

#[test]
fn publishers_are_not_authors() {
    let group = ld(r#"{"@context":"https://schema.org","@type":"Article","headline":"Green tea",
        "author":{"@type":"Organization","name":"Tea Board"}}"#);
    assert!(authors(&article(&group, "", "")).is_empty(), "an organisation that is declared alone");
    assert_eq!(authors(&article(&group, "<p>By Tea Board</p>", "")), ["Tea Board"], "that readers are shown");
    assert!(authors(&article("<meta name=author content='Teapots Inc.'>", "", "")).is_empty());
    let posts: String = ["Ann Poe", "Bo Roe", "Cy Doe", "Di Low", "Ed Moe"]
        .map(|name| format!("<h3>Tea</h3><p>Leaves</p><p>Hot water</p><p>By {name}</p>"))
        .concat();
    let list = format!(
        "<title>Blog</title><main><h1>Blog</h1>{}{posts}</main>",
        "<p>Tea and more tea</p>".repeat(9)
    );
    assert!(authors(&list).is_empty(), "a list of other pages");
}

#[test]
fn who_did_not_write_the_page_is_not_its_author() {
    let comment = "<div class=comment><p>By <a class=author href=/user/ann>Ann Poe</a></p></div>";
    let reviewed = "<p class=author-line>Medically reviewed by Ann Poe</p>";
    assert!(authors(&article("", "", "")).is_empty(), "a footer");
    assert!(authors(&article("", "", comment)).is_empty(), "a comment");
    assert!(authors(&article("", reviewed, "")).is_empty(), "a reviewer");
}

#[test]
fn titles_are_without_the_sites_name() {
    for (page, expected) in [
        (
            "<meta property=og:title content='Green tea - Example'><meta property=og:site_name content=Example>",
            "Green tea",
        ),
        (
            "<meta property=og:title content='Green tea: a guide'><h1>Green tea: a guide</h1>",
            "Green tea: a guide",
        ),
        (
            "<title>Example Blog: How to brew green tea</title><h1>Example Blog</h1><h2>How to brew green tea</h2>",
            "How to brew green tea",
        ),
        ("<title>Tea - and more - example.com</title>", "Tea - and more"),
        ("<title>A - B</title>", "A - B"),
    ] {
        assert_eq!(about(page).title.unwrap().value, expected, "{page}");
    }
}

/// A heading is the title where the page's other titles have it, with the site's name before or behind it.
/// The shapes that generators of documentation give a page: the name of the set is a heading too, and ends the `<title>`.
#[test]
fn titles_of_documentation_are_the_pages_own() {
    let at = "https://docs.example/set/page.html";
    for (html, expected) in [
        // mdBook: a bar over the page. The page's own heading may be another than in the contents.
        (
            "<title>if let - The Book</title><h1 class=menu-title>The Book</h1><main><h1>if let</h1><p>Text.</main>",
            "if let",
        ),
        (
            "<title>Testing - The Book</title><h1 class=menu-title>The Book</h1><main><h1>Writing Tests</h1><p>Text.</main>",
            "Writing Tests",
        ),
        // Its older pages have no heading of the first level, and leave the word in front of the letter out of `<title>`.
        (
            "<title>G - How It Is Made - The Book</title><h1 class=menu-title>The Book</h1><main>\
             <h2>Appendix G - How It Is Made</h2><h3>The Mill</h3><p>Text.</main>",
            "Appendix G - How It Is Made",
        ),
        (
            "<title>Install from the Shop - The Book</title><h1 class=menu-title>The Book</h1><main>\
             <h2>Installing Tools</h2><h3>The Mill</h3><p>Text.</main>",
            "Installing Tools",
        ),
        // Texinfo: the manual's name in brackets, and headings of the level that the section has in the book.
        ("<title>Units (Tea (version 7))</title><h4>A.1.8 Units</h4><p>Text.<h4>Pounds</h4>", "A.1.8 Units"),
        // javadoc: a constructor has the name of its class.
        ("<title>Tea (Library 3)</title><h1>Class Tea&lt;T&gt;</h1><h3>Tea</h3><p>Text.", "Class Tea<T>"),
        // Haddock, SQLite: the title is a line, and the headings are the chapters'.
        (
            "<title>Data.Tea</title><div id=module-header><p class=caption>Data.Tea</p></div><h1>Documentation</h1><p>Text.",
            "Data.Tea",
        ),
        ("<title>Data.Tea</title><h1>Documentation</h1><p>Data.Tea</p><p>Text.", "Documentation"),
        // Node: of a lower level, with a sign that leads to itself.
        (
            "<title>URL | Engine v18 Documentation</title><h1>Engine v18 documentation</h1>\
             <h2>URL<span><a class=mark href=#url id=url>#</a></span></h2><p>Text.",
            "URL",
        ),
        // Sphinx of old: the set's name is a link to its start, in any spelling.
        (
            "<title>tea.utils — Tea 3.2 documentation</title><h1><a href=../../index.html>Tea 3.2 documentation</a></h1>\
             <h1>Source code for tea.utils</h1><pre>x</pre>",
            "Source code for tea.utils",
        ),
        // Doxygen: not a heading, and the set's name first.
        (
            "<title>Tea: Pot Class Reference</title><div id=projectname>Tea</div><div class=headertitle>\
             <div class=title>tea::Pot Class Reference<div class=ingroups><a href=m.html>Module</a></div></div></div><p>Text.",
            "tea::Pot Class Reference",
        ),
        // gtk-doc: the set's name is told by a link of the head.
        (
            "<title>Pots: Tea Reference Manual</title><link rel=home href=index.html title='Tea Reference Manual'>\
             <h2><span>Pots</span></h2><p>Text.",
            "Pots",
        ),
        // javadoc: a chapter has the class's name, the page's heading more.
        (
            "<title>DefaultListModel (Tea SE 17)</title><main><h1>Class DefaultListModel&lt;E></h1><p>Text.\
             <h3>DefaultListModel</h3><p>Creates one.</main>",
            "Class DefaultListModel<E>",
        ),
        // rustdoc: the sidebar's heading is not the page's.
        (
            "<title>UnixDatagram in tea::net - Rust</title><nav><h2>UnixDatagram</h2></nav>\
             <main><h1>Struct tea::net::UnixDatagram</h1><p>Text.</main>",
            "Struct tea::net::UnixDatagram",
        ),
        // A number in front belongs to the heading.
        (
            "<title>Variables — Tea Guide</title><h1>Tea Guide</h1><h1>3.1. Variables</h1><p>Text.",
            "3.1. Variables",
        ),
        // A line over the heading is no title, though the declared one begins with it.
        (
            "<title>Politics - The bridge opens again</title><h2>Politics</h2><h1>The bridge opens again</h1>",
            "The bridge opens again",
        ),
        // A site that is told with a colon: on its front page, that is the title.
        ("<title>Tea: green and black</title><a href=/>Tea</a><p>Text.", "green and black"),
    ] {
        let page = Extractor::new().base_url(at.parse().unwrap()).extract(html);
        assert_eq!(page.title, expected, "{html}");
    }
    let front = Extractor::new().base_url("https://tea.example/".parse().unwrap());
    let html = "<title>Tea: green and black</title><a href=/>Tea</a><p>Text.";
    assert_eq!(front.extract(html).title, "Tea: green and black");
}

#[test]
fn a_heading_that_a_title_repeats_is_the_title() {
    use MetadataSource::{Heading, JsonLd, OpenGraph, TitleElement};
    let ld = ld(r#"{"@context":"https://schema.org","@type":"Article","headline":"Green tea at home"}"#);
    let site = "<meta property=og:site_name content='Tea House'>";
    for (page, expected, source) in [
        ("<title>Green tea - Tea House</title><h1>Green tea</h1>".to_owned(), "Green tea", Heading),
        (format!("{site}<title>Brew - Tea House</title><h1>Brew</h1>"), "Brew", Heading),
        (format!("{site}<title>Teahouse: Brew</title><h1>Brew</h1>"), "Brew", Heading),
        (format!("{site}<title>Brew - Tea House</title><h2>Brew</h2>"), "Brew", Heading),
        (
            "<title>Brewing green tea, a short guide to the leaves</title><h2>Brewing green tea</h2>".to_owned(),
            "Brewing green tea",
            Heading,
        ),
        (
            "<title>Brewing green tea, a guide to the leaves that has more words than any title should have</title><h2>Brewing green tea</h2>"
                .to_owned(),
            "Brewing green tea, a guide to the leaves that has more words than any title should have",
            TitleElement,
        ),
        // Short as it is, the sign behind it in `<title>` tells it from any other word.
        (format!("{site}<title>Tea - Tea House</title><h2>Tea</h2>"), "Tea", Heading),
        // The site's name as a heading is not the title.
        (format!("{site}<title>Tea House - Brewing at home</title><h2>Tea House</h2>"), "Brewing at home", TitleElement),
        // A long heading needs no name of the site behind it.
        ("<title>Brewing green tea, a short guide to the leaves</title><h1>Brewing green tea</h1>".to_owned(), "Brewing green tea", Heading),
        ("<title>Brew tea, a short guide to the leaves</title><h2>Brew tea</h2>".to_owned(), "Brew tea, a short guide to the leaves", TitleElement),
        ("<title>The guide: Brewing green tea</title><h1>Brewing green tea</h1>".to_owned(), "Brewing green tea", Heading),
        ("<title>The guide: Brewing tea</title><h2>Brewing tea</h2>".to_owned(), "The guide: Brewing tea", TitleElement),
        // Of several the longest, and of two of one length the first heading of all.
        ("<title>Brewing green tea at home</title><h1>Brewing green tea</h1><h2>Brewing green tea at home</h2>".to_owned(), "Brewing green tea at home", Heading),
        ("<title>Green Tea</title><h2>Green Tea</h2><h1>Green tea</h1>".to_owned(), "Green tea", Heading),
        // Where there is no such heading: what the page declares, then its title, then its JSON-LD.
        ("<meta property=og:title content='Green tea'><title>Tea</title><h1>Welcome</h1>".to_owned(), "Green tea", OpenGraph),
        ("<meta name=' OG:Title ' content='Green tea'>".to_owned(), "Green tea", OpenGraph),
        (ld.clone(), "Green tea at home", JsonLd),
        (format!("{ld}<title>Welcome</title>"), "Welcome", TitleElement),
        (format!("{ld}<h1>Green tea at home</h1>"), "Green tea at home", Heading),
        ("<h1>Green tea</h1>".to_owned(), "Green tea", Heading),
        // Signs that part a title, and those that are within it.
        ("<title>Green tea | Shop</title>".to_owned(), "Green tea", TitleElement),
        ("<title>Tea | The shop of all teas</title>".to_owned(), "Tea | The shop of all teas", TitleElement),
        ("<title>Green tea - Leaves</title>".to_owned(), "Green tea - Leaves", TitleElement),
        (format!("{site}<title>Tea House - Green tea - Leaves</title>"), "Green tea - Leaves", TitleElement),
        (format!("{site}<title>Tea House | </title>"), "Tea House |", TitleElement),
    ] {
        let found = about(&page).title.unwrap();
        assert_eq!((found.value.as_str(), found.source), (expected, source), "{page}");
    }
}

#[test]
fn site_section_keywords_licence_and_direction() {
    let head = ld(
        r#"{"@context":"https://schema.org","@type":"NewsArticle","headline":"Green tea","articleSection":"Drinks",
        "keywords":["tea","leaves, water"],"license":"https://creativecommons.org/licenses/by/4.0/","publisher":{"@type":"Organization","name":"Tea &amp; Co"}}"#,
    );
    let page = about(&article(&head, "", ""));
    assert_eq!(page.site_name.unwrap().value, "Tea & Co");
    assert_eq!(page.section.unwrap().value, "Drinks");
    assert_eq!(page.keywords, ["tea", "leaves", "water"]);
    assert_eq!(page.licence.unwrap().value, "https://creativecommons.org/licenses/by/4.0/");
    assert_eq!(page.direction.unwrap().value, TextDirection::LeftToRight);
    let page =
        about("<html lang=ar><title>شاي</title><a rel=license href=https://example.com/by>CC</a><p>شاي</p>");
    assert_eq!(page.direction.unwrap().value, TextDirection::RightToLeft);
    assert_eq!(page.licence.unwrap().value, "https://example.com/by");
}

#[test]
fn day_and_month_are_in_the_order_that_the_page_declares() {
    let shown = "<p class=post-date>09.10.2024</p>";
    let declared = |day: &str| {
        ld(&format!(
            r#"{{"@context":"https://schema.org","@type":"Article","headline":"Green tea","datePublished":"{day}"}}"#
        ))
    };
    let day = |page: &str| date(page).unwrap().0;
    assert_eq!(day(&article(&declared("2024-09-10"), shown, "")), "2024-09-10");
    assert_eq!(day(&article(&declared("2024-09-11"), shown, "")), "2024-10-09", "another day is declared");
    let modified = declared("2024-09-10").replace("datePublished", "dateModified");
    assert_eq!(day(&article(&modified, shown, "")), "2024-10-09", "declared as the change");
    let at = |address: &str, top: &str| {
        let address = address.parse().unwrap();
        let about = Extractor::new().base_url(address).extract(&article("", top, "")).about;
        about.published.map(|found| found.value.to_string())
    };
    let blog = "https://example.com/blog/2023/october/03/tea";
    assert_eq!(at(blog, "<p>03/10/2023</p>").as_deref(), Some("2023-10-03"));
    assert_eq!(at(blog, "").as_deref(), Some("2023-10-03"));
    assert_eq!(at("https://example.com/blog/2023/tea/03", ""), None);
}

#[test]
fn the_first_publication_that_a_note_tells_is_the_publications() {
    let note = |text: &str| article("", "<p>Published March 5, 2024</p>", &format!("<p>{text}</p>"));
    for text in [
        "This article was originally published on 26 Sep 2019 but has been updated to keep the information current.",
        "Originally published: 26 September 2019",
        "* First published on September 26, 2019.",
    ] {
        assert_eq!(date(&note(text)).unwrap().0, "2019-09-26", "{text}");
    }
    for text in [
        "Her book of tea was first published on 26 Sep 2019 and has been read since.",
        "This article first appeared with others; the tea of 26 Sep 2019 was good.",
    ] {
        assert_eq!(date(&note(text)).unwrap().0, "2024-03-05", "{text}");
    }
    let comment = "</p><div class=comments><p>Originally published 26 Sep 2019</p></div><p>";
    assert_eq!(date(&note(comment)).unwrap().0, "2024-03-05", "a comment");
}

#[test]
fn the_words_in_an_element_say_more_than_its_class() {
    let of = |text: &str| {
        let time = format!("<p><time class=published-date datetime=2025-04-10>{text}</time></p>");
        about(&article("<meta property=article:published_time content=2024-04-18>", &time, ""))
    };
    let page = of("<span>Updated April 10, 2025</span>");
    assert_eq!(page.published.unwrap().value.to_string(), "2024-04-18");
    assert_eq!(page.modified.unwrap().value.to_string(), "2025-04-10");
    assert_eq!(of("April 10, 2025").published.unwrap().value.to_string(), "2025-04-10");
}

#[test]
fn dates_of_posts_and_of_their_pages() {
    let post = "<div class=post_head><span class=post_date>2024-03-05, 09:14 PM <span>(This post was last modified: \
        2024-05-06, 03:27 AM by Jane.)</span></span></div>";
    let reply = "<div class=post_head><span>2024-03-06, 10:00 PM</span></div>";
    assert_eq!(date(&article("", post, reply)).unwrap().0, "2024-03-05");
    // The original post is in a part that is named after both, the replies in one of their own.
    let thread = |class: &str| {
        format!(
            "<title>Tea</title><h1>Green tea</h1><div id={class}><article><p>Which?</p><time datetime=2024-03-05>Mar 5</time></article></div>"
        )
    };
    assert_eq!(date(&thread("postAndReplies")).unwrap().0, "2024-03-05");
    assert_eq!(date(&thread("post-and-replies")).unwrap().0, "2024-03-05");
    assert_eq!(date(&thread("brandReplies")), None);
    assert_eq!(date(&thread("postReplies")), None);
    let age = "<p>this post was submitted on <time datetime=2024-03-05>Mar 5</time></p>\
        <p>a community for <time datetime=2006-10-18>19 years</time></p>";
    assert_eq!(date(&article("", age, "")).unwrap().0, "2024-03-05");
    let trending: String = (1..4)
        .map(|day| format!("<h3>Tea {day}</h3><p><time itemprop=datePublished datetime=2026-02-0{day}>a week ago</time></p>"))
        .collect();
    let head = ld(
        r#"{"@context":"https://schema.org","@type":"Article","headline":"Green tea","datePublished":"2024-03-05"}"#,
    );
    assert_eq!(date(&article(&head, "", &trending)).unwrap().0, "2024-03-05", "properties of nothing");
}

#[test]
fn dates_above_the_title_and_below_the_byline() {
    let page = article("", "", "").replace("<h1>", "<p>blog | February 1, 2022</p><h1>");
    assert_eq!(date(&page).unwrap().0, "2022-02-01");
    let page = page.replace("<h1>", "<h4>").replace("</h1>", "</h4>");
    assert_eq!(date(&page).unwrap().0, "2022-02-01", "no heading is the title");
    let below = "<div><p>By <a href=/jane>Jane Doe</a></p><p>April 8, 2024</p></div>";
    assert_eq!(date(&article("", "", below)).unwrap().0, "2024-04-08");
    assert_eq!(date(&article("", "", &below.replace("By ", ""))), None, "a date alone");
    let two = format!("{below}{}", below.replace("April 8", "April 9"));
    assert_eq!(date(&article("", "", &two)), None, "which?");
}

#[test]
fn a_change_that_is_told_below_the_text_is_the_change() {
    let page = about(&article("", "", "<p>Last updated: November 13, 2025</p>"));
    assert_eq!(page.modified.unwrap().value.to_string(), "2025-11-13");
    assert_eq!(page.published, None);
    let two = "<p>Updated: November 13, 2025</p><p>Updated: November 14, 2025</p>";
    assert_eq!(about(&article("", "", two)).modified, None, "those of other pages");
}

#[test]
fn footers_of_articles_and_of_pages() {
    let footer =
        "<footer class=block><div class=article-footer-main><p>Posted on March 5, 2024</p></div></footer>";
    let within = article("", "", "").replace("</article>", &format!("{footer}</article>"));
    assert_eq!(date(&within).unwrap().0, "2024-03-05");
    let below = article("", "", "").replace("</body>", &format!("{footer}</body>"));
    assert_eq!(date(&below), None);
}

#[test]
fn of_two_declared_days_the_first_is_the_publication() {
    let page = article(
        "<meta name=published-time content=2026-03-09><meta name=published-date content=2021-02-16>",
        "",
        "",
    );
    assert_eq!(date(&page).unwrap().0, "2021-02-16");
}

#[test]
fn sections_keywords_site_and_licence_from_each_place() {
    use MetadataSource as S;
    let of = |head: &str| about(&article(head, "", ""));
    for (head, source) in [
        ("<meta property=article:section content=Drinks>", S::OpenGraph),
        ("<meta name=parsely-section content=Drinks>", S::Parsely),
        ("<meta itemprop=articleSection content=Drinks>", S::Microdata),
    ] {
        let found = of(head).section.unwrap();
        assert_eq!((found.value.as_str(), found.source), ("Drinks", source), "{head}");
        assert!((0.4..1.0).contains(&found.confidence), "{head}");
    }
    for head in [
        "<meta name=keywords content='tea, leaves'>",
        "<meta name=news_keywords content='tea, leaves'>",
        "<meta name=parsely-tags content='tea,leaves'>",
        "<meta name=sailthru.tags content='tea, leaves'>",
        "<meta name=dc.subject content=tea><meta name=dc.subject content=leaves>",
        "<meta property=article:tag content=tea><meta property=article:tag content=leaves>",
    ] {
        assert_eq!(of(head).keywords, ["tea", "leaves"], "{head}");
    }
    for (head, source) in [
        ("<meta property=og:site_name content=Teapot>", S::OpenGraph),
        ("<meta name=application-name content=Teapot>", S::Meta),
    ] {
        let found = of(head).site_name.unwrap();
        assert_eq!((found.value.as_str(), found.source), ("Teapot", source), "{head}");
    }
    let licence = "https://creativecommons.org/licenses/by/4.0/";
    for (head, top, source) in [
        (format!("<link rel=license href={licence}>"), String::new(), S::Markup),
        (format!("<meta name=dcterms.license content={licence}>"), String::new(), S::DublinCore),
        (String::new(), format!("<p><a property=schema:license href={licence}>CC BY</a></p>"), S::Rdfa),
        (String::new(), format!("<p><a itemprop=license href={licence}>CC BY</a></p>"), S::Microdata),
    ] {
        let found = about(&article(&head, &top, "")).licence.unwrap();
        assert_eq!((found.value.as_str(), found.source), (licence, source), "{head}{top}");
    }
    let modified = of("<meta name=dcterms.modified content=2024-05-06>").modified.unwrap();
    assert_eq!((modified.value.to_string().as_str(), modified.source), ("2024-05-06", S::DublinCore));
    let direction = about("<html dir=rtl lang=en><title>Tea</title><p>Tea</p>").direction.unwrap();
    assert_eq!((direction.value, direction.source), (TextDirection::RightToLeft, S::Attribute));
}

#[test]
fn broken_lines_within_json_are_read() {
    let head = ld(
        "{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\"headline\":\"Green\ntea\",\"datePublished\":\"2024-03-05\"}",
    );
    assert_eq!(date(&article(&head, "", "")).unwrap().0, "2024-03-05");
}

#[test]
fn a_byline_has_people_alone() {
    let page = |top: &str| article("", top, "");
    for (top, expected) in [
        ("<p>By Jane Doe Monday, March 4, 2024</p>", &["Jane Doe"][..]),
        ("<p>By Rick Monday</p>", &["Rick Monday"]),
        ("<p>By JANE DOE, MARY ANN POE and JOHN ROE</p>", &["JANE DOE", "MARY ANN POE", "JOHN ROE"]),
        ("<p>By Jane Doe and Agencies</p>", &["Jane Doe"]),
        ("<p class=byline><span>Jane Doe</span> <span>JANE DOE</span></p>", &["Jane Doe"]),
        ("<p>By Getty Images</p>", &[]),
        ("<p>By Ann Lee with Bob Ray</p>", &["Ann Lee", "Bob Ray"]),
        ("<p>By Ann Lee, with Bob Ray</p>", &["Ann Lee", "Bob Ray"]),
        ("<p>By Ann Lee</p><p>With Bob Ray</p>", &["Ann Lee"]),
        ("<p class=byline>With <a href=/author/bob>Bob Ray</a></p>", &["Bob Ray"]),
        ("<p class=author>Ann Lee and Reuters</p>", &["Ann Lee", "Reuters"]),
        ("<p>By Ann Lee, Bob Ray, and Agencies</p>", &["Ann Lee", "Bob Ray"]),
        ("<p>By ANN LEE and Ann Lee</p>", &["ANN LEE"]),
        (
            "<div class=author><a href=/author/ann>Ann Lee</a><a href=/author/ann>ANN LEE</a></div>",
            &["Ann Lee"],
        ),
        ("<p class=byline>Ann Lee<br>Getty Images</p>", &["Ann Lee"]),
        ("<p class=byline>By Ann Lee / Getty Images</p>", &["Ann Lee"]),
        ("<p class=byline>By Ann Lee and Bob Ray, Staff Writers</p>", &["Ann Lee", "Bob Ray"]),
        ("<p class=byline>By Ann Lee · Photos by Bob Ray</p>", &["Ann Lee"]),
    ] {
        assert_eq!(authors(&page(top)), expected, "{top}");
    }
    let linked = r#"{"@type":"NewsArticle","author":[{"@type":"Person","name":"Jane Doe and John Roe"},"Staff Writer"]}"#;
    assert_eq!(authors(&article(&ld(linked), "", "")), ["Jane Doe", "John Roe"]);
}

#[test]
fn a_site_is_no_author_of_what_is_called_no_article() {
    let page = |kind: &str, more: &str| {
        article(
            &format!(
                "<meta property=og:site_name content=Example><meta name=author content=Example>{kind}{more}"
            ),
            "",
            "",
        )
    };
    let product = "<meta property=og:type content=product>";
    let day = "<meta property=article:published_time content=2024-03-05>";
    assert_eq!(authors(&page(product, "")), Vec::<String>::new());
    assert_eq!(authors(&page(product, day)), ["Example"]);
    assert_eq!(authors(&page("", "")), ["Example"]);
    assert_eq!(authors(&page("<meta property=og:type content=article>", "")), ["Example"]);
}
