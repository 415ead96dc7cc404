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
fn broken_lines_within_json_are_read() {
    let head = ld(
        "{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\"headline\":\"Green\ntea\",\"datePublished\":\"2024-03-05\"}",
    );
    assert_eq!(date(&article(&head, "", "")).unwrap().0, "2024-03-05");
}
