//! The meaning of keys of `<meta>` and of properties, key by key.

use super::{MetadataSource as S, PageMetadata, TextDirection};
use crate::Extractor;

fn about(html: &str, head: &str, top: &str) -> PageMetadata {
    let page = format!(
        "<html {html}><head><title>Green tea in the morning</title>{head}</head>\
         <body><main><h1>Green tea in the morning</h1>{top}<p>Water for green tea should not boil.</p></main></body></html>"
    );
    Extractor::new().base_url("https://example.com/tea".parse().unwrap()).extract(&page).about
}

fn of_meta(key: &str, content: &str) -> PageMetadata {
    about("lang=en", &format!("<meta name='{key}' content='{content}'>"), "")
}

#[test]
fn keys_of_publication_and_change() {
    for (key, source) in [
        ("article:published_time", S::OpenGraph),
        ("og:article:published_time", S::OpenGraph),
        ("datePublished", S::Microdata),
        ("dateCreated", S::Microdata),
        ("citation_online_date", S::Citation),
        ("DCTERMS.created", S::DublinCore),
        ("pubdate", S::Meta),
        ("ptime", S::Meta),
        ("bt:pubDate", S::Meta),
        ("release_date", S::Meta),
        // Keys that nobody listed and that say so.
        ("blog-publish-time", S::Meta),
        ("my:pub-date", S::Meta),
    ] {
        let found = of_meta(key, "2024-03-05").published;
        let found = found.map(|it| (it.value.to_string(), it.source));
        assert_eq!(found, Some(("2024-03-05".to_owned(), source)), "{key}");
    }
    for (key, source) in [
        ("article:modified_time", S::OpenGraph),
        ("dateModified", S::Microdata),
        ("dcterms.modified", S::DublinCore),
        ("last-modified", S::Meta),
        ("utime", S::Meta),
        ("page-updated-time", S::Meta),
        ("revision-date", S::Meta),
        ("updated", S::Meta),
    ] {
        let about = of_meta(key, "2024-03-05");
        assert_eq!(about.modified.map(|it| it.source), Some(source), "{key}");
        assert!(about.published.is_none(), "{key}");
    }
    for key in [
        "publisher-date",
        "unpublish-date",
        "publish-expiry-time",
        "publish",
        "time",
        "event-date",
        "publish_date_range",
    ] {
        let about = of_meta(key, "2024-03-05");
        assert!(about.published.is_none() && about.modified.is_none(), "{key}");
    }
    // A loose key is a witness beside another one.
    for (key, is_one) in [("date", true), ("created", true), ("day", false)] {
        let head = format!("<meta name={key} content=2024-03-05>");
        let sure = |head: &str| {
            about("lang=en", head, "<p>Tea 5 March 2024 and cake</p>").published.unwrap().confidence
        };
        assert_eq!(sure(&head) > sure(""), is_one, "{key}");
    }
}

#[test]
fn keys_of_site_section_keywords_and_licence() {
    for (key, source) in [
        ("og:site_name", S::OpenGraph),
        ("application-name", S::Meta),
        ("apple-mobile-web-app-title", S::Meta),
        ("DC.publisher", S::Meta),
    ] {
        let found = of_meta(key, "Leaf").site_name.map(|it| (it.value, it.source));
        assert_eq!(found, Some(("Leaf".to_owned(), source)), "{key}");
    }
    for (key, source) in
        [("article:section", S::OpenGraph), ("parsely-section", S::Parsely), ("articleSection", S::Microdata)]
    {
        let found = of_meta(key, "Drinks").section.map(|it| (it.value, it.source));
        assert_eq!(found, Some(("Drinks".to_owned(), source)), "{key}");
    }
    for key in ["article:tag", "video:tag"] {
        assert_eq!(of_meta(key, "tea, cake").keywords, ["tea, cake"], "{key}");
    }
    for key in ["keywords", "news_keywords", "parsely-tags", "sailthru.tags", "DC.subject"] {
        assert_eq!(of_meta(key, "tea, cake").keywords, ["tea", "cake"], "{key}");
    }
    let two = |first: &str, second: &str| {
        about("", &format!("<meta name={first} content=tea><meta name={second} content=cake>"), "").keywords
    };
    assert_eq!(two("news_keywords", "keywords"), ["cake"]);
    assert_eq!(two("keywords", "news_keywords"), ["tea"]);
    for key in ["dc.rights", "dcterms.license", "licence"] {
        assert_eq!(of_meta(key, "CC0").licence.map(|it| it.value).as_deref(), Some("CC0"), "{key}");
    }
}

#[test]
fn cards_have_labels_and_values() {
    let card = |n: u8, label: &str| {
        let head = format!(
            "<meta name=twitter:label{n} content='{label}'><meta name=twitter:data{n} content='Jane Doe'>"
        );
        about("", &head, "").authors.into_iter().map(|it| it.value).collect::<Vec<_>>()
    };
    assert_eq!(card(1, "Written by"), ["Jane Doe"]);
    assert_eq!(card(2, "Written by"), ["Jane Doe"]);
    assert_eq!(card(1, "Reading time"), [""; 0]);
    assert_eq!(card(2, "Reading time"), [""; 0]);
}

#[test]
fn properties_tell_what_they_are_named_for() {
    let of = |top: &str| about("", "", top);
    for property in [
        "datePublished",
        "schema:datePublished",
        "https://schema.org/datePublished",
        "x dateCreated",
        "dc:date",
    ] {
        let found = of(&format!("<p property='{property}' content=2024-03-05>a</p>")).published;
        assert_eq!(found.map(|it| it.source), Some(S::Rdfa), "{property}");
    }
    for (name, found) in [("date", false), ("published", false), ("issued", true), ("uploadDate", true)] {
        let about = of(&format!("<p itemprop='{name}' content=2024-03-05>a</p>"));
        assert_eq!(about.published.is_some(), found, "{name}");
    }
    let changed = of("<p itemprop=dateModified content=2024-03-05>a</p>");
    assert_eq!((changed.modified.is_some(), changed.published.is_some()), (true, false));
    let licence = |top: &str| of(top).licence.map(|it| it.value);
    assert_eq!(licence("<a itemprop=license href=/l>a</a>").as_deref(), Some("/l"));
    assert_eq!(licence("<p itemprop=license content=/l>a</p>").as_deref(), Some("/l"));
    assert_eq!(
        of("<p itemprop=articleSection>Drinks</p>").section.map(|it| it.value).as_deref(),
        Some("Drinks")
    );
    // The value: what the attributes say, the title of an abbreviation, the text.
    for (top, expected) in [
        ("<p itemprop=articleSection content=a datetime=b title=c>d</p>", "a"),
        ("<p itemprop=articleSection datetime=b title=c>d</p>", "b"),
        ("<p itemprop=articleSection title=c>d</p>", "d"),
        ("<abbr itemprop=articleSection title=c>d</abbr>", "c"),
        ("<p itemprop=articleSection content=' '>d</p>", "d"),
    ] {
        assert_eq!(of(top).section.map(|it| it.value).as_deref(), Some(expected), "{top}");
    }
    // The values of one thing, not those of the next.
    let two = |first: &str, second: &str| {
        let date = |scope: &str, day: u8| {
            format!("<div {scope}><p itemprop=datePublished content=2024-03-0{day}>a</p></div>")
        };
        of(&format!("{}{}", date(first, 5), date(second, 4))).published.map(|it| it.value.to_string())
    };
    assert_eq!(two("itemscope", "itemscope").as_deref(), Some("2024-03-05"));
    assert_eq!(two("typeof=a", "itemscope").as_deref(), Some("2024-03-05"));
}

#[test]
fn directions_are_declared_or_those_of_the_language() {
    use TextDirection::{LeftToRight as Left, RightToLeft as Right};
    for (html, expected) in [
        ("dir=rtl", Some(Right)),
        ("dir=LTR lang=ar", Some(Left)),
        ("dir=auto lang=ar", Some(Right)),
        ("lang=ar-Latn", Some(Left)),
        ("lang=en dir=' RTL '", Some(Right)),
        ("lang=he", Some(Right)),
        ("lang=en", Some(Left)),
    ] {
        assert_eq!(about(html, "", "").direction.map(|it| it.value), expected, "{html}");
    }
}

#[test]
fn titles_lose_the_sites_name_and_no_more() {
    let title = |title: &str, heading: &str| {
        let page = format!(
            "<html lang=en><head><title>{title}</title></head><body><main><h1>{heading}</h1><p>Tea is warm.</p></main>"
        );
        let url = "https://www.green-leaf.com/tea".parse().unwrap();
        Extractor::new().base_url(url).extract(&page).about.title.map(|it| it.value).unwrap_or_default()
    };
    for (told, heading, expected) in [
        ("Tea at noon - Green Leaf", "", "Tea at noon"),
        ("Green Leaf - Tea at noon", "", "Tea at noon"),
        ("Tea at noon - GreenLeaf", "", "Tea at noon"),
        ("Tea at noon - Black Leaf", "", "Tea at noon - Black Leaf"),
        ("Tea at noon | Shop", "", "Tea at noon"),
        ("Tea | All about cups", "", "Tea | All about cups"),
        ("Green Leaf", "", "Green Leaf"),
        // A heading that is the title, as it is or with a name.
        ("Tea at noon - Black Leaf", "Tea at noon", "Tea at noon"),
        ("Tea in the afternoon - Black Leaf", "Tea in the afternoon", "Tea in the afternoon"),
    ] {
        assert_eq!(title(told, heading), expected, "{told} {heading}");
    }
}
