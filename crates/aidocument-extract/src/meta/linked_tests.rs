//! JSON-LD about a page, and about other things.

use crate::Extractor;

use super::{MetadataSource, PageMetadata};

fn about(json: &str) -> PageMetadata {
    let page = format!(
        "<html lang=en><head><title>Green tea</title><script type='application/ld+json'>{json}</script></head>\
         <body><main><h1>Green tea</h1><p>Water for green tea should not boil, and the pot is warmed before.</p></main></body></html>"
    );
    Extractor::new().base_url("https://example.com/tea".parse().unwrap()).extract(&page).about
}

/// A node of schema.org of one type, with more members.
fn node(kind: &str, more: &str) -> String {
    format!(r#"{{"@context":"https://schema.org","@type":"{kind}",{more}}}"#)
}

fn date(json: &str) -> Option<String> {
    about(json).published.map(|found| found.value.to_string())
}

fn authors(json: &str) -> Vec<String> {
    about(json).authors.into_iter().map(|found| found.value).collect()
}

#[test]
fn texts_are_plain_whatever_their_form() {
    for (text, expected) in [
        ("Tea &amp; cake", "Tea & cake"),
        ("a&nbsp;b &ndash; &#8217;", "a b – ’"),
        ("a &b; /?a=1&copy=2&", "a &b; /?a=1&copy=2&"),
        ("  a \n b ", "a b"),
        ("a &amp; \n b", "a & b"),
    ] {
        assert_eq!(super::linked::plain(text), expected, "{text}");
    }
}

#[test]
fn members_may_be_lists_and_objects() {
    for value in [r#""2024-03-05""#, r#"["2024-03-05","2020-01-01"]"#, r#"{"@value":"2024-03-05"}"#] {
        assert_eq!(
            date(&node("Article", &format!(r#""datePublished":{value}"#))).as_deref(),
            Some("2024-03-05")
        );
    }
    for value in ["5", "[]", "{}", "[5]", r#""""#] {
        assert_eq!(date(&node("Article", &format!(r#""datePublished":{value}"#))), None, "{value}");
    }
    for (author, expected) in [
        (r#""Jane Doe and John Roe""#, &["Jane Doe", "John Roe"][..]),
        (r#"["Jane Doe","John Roe"]"#, &["Jane Doe", "John Roe"]),
        (r#"{"@type":"Person","name":"Jane Doe"}"#, &["Jane Doe"]),
        (r#"{"@type":"Person","name":["Jane Doe"]}"#, &["Jane Doe"]),
        (r#"{"@type":"Person","givenName":"Jane","familyName":"Doe"}"#, &["Jane Doe"]),
        (r#"{"@type":"Person","givenName":"Jane"}"#, &[]),
        (r#"[[{"name":"Jane Doe"}]]"#, &["Jane Doe"]),
        (r#""https://example.com/jane""#, &[]),
        (r#""""#, &[]),
        (r#"{"@type":"Organization","name":"Leaf"}"#, &[]),
        (r#"{"@type":["Organization"],"name":"Leaf"}"#, &[]),
        (r#"[{"@type":"NewsMediaOrganization","name":"Leaf"}]"#, &[]),
        (r#"{"@type":"Brand","name":"Leaf"}"#, &[]),
        (r#"{"@type":"WebSite","name":"Leaf"}"#, &[]),
        (r#"{"@type":["Person","Organization"],"name":"Jane Doe"}"#, &["Jane Doe"]),
    ] {
        assert_eq!(authors(&node("Article", &format!(r#""author":{author}"#))), expected, "{author}");
    }
    // Who created it counts where nobody is named as its author.
    assert_eq!(authors(&node("Article", r#""creator":"Jane Doe""#)), ["Jane Doe"]);
    assert_eq!(authors(&node("Article", r#""author":"Ann Poe","creator":"Jane Doe""#)), ["Ann Poe"]);
    assert_eq!(authors(&node("WebPage", r#""author":"Jane Doe""#)), ["Jane Doe"]);
    assert_eq!(authors(&node("Course", r#""author":"Jane Doe""#)), [""; 0]);
}

#[test]
fn authors_are_found_by_their_identifiers() {
    let of = |id: &str, name: &str| {
        authors(&format!(
            r##"{{"@context":"https://schema.org","@graph":[{{"@type":"Article","author":{{"@id":"#j"}}}},
            {{"@type":"Person","@id":"{id}","name":"{name}"}}]}}"##
        ))
    };
    assert_eq!(of("#j", "Jane Doe"), ["Jane Doe"]);
    assert_eq!(of("#k", "Jane Doe"), [""; 0]);
}

#[test]
fn nested_nodes_about_the_page_are_read() {
    let article = r#"{"@type":"Article","datePublished":"2024-03-05"}"#;
    for (member, value, found) in [
        ("mainEntity", article.to_owned(), true),
        ("mainEntity", format!("[{article}]"), true),
        ("article", article.to_owned(), true),
        ("article", format!("[{article}]"), true),
        ("mainEntityOfPage", article.to_owned(), true),
        ("blogPost", article.to_owned(), true),
        ("hasPart", article.to_owned(), true),
        // A list of parts is a list of other pages.
        ("blogPost", format!("[{article}]"), false),
        ("hasPart", format!("[{article}]"), false),
        ("about", article.to_owned(), false),
    ] {
        let of = date(&node("WebPage", &format!(r#""{member}":{value}"#)));
        assert_eq!(of.is_some(), found, "{member} {value}");
    }
}

#[test]
fn of_several_articles_the_one_with_the_pages_title_counts() {
    let of = |articles: &[(&str, &str)]| {
        let nodes: Vec<String> = articles
            .iter()
            .map(|(name, day)| {
                format!(r#"{{"@type":"Article","headline":"{name}","datePublished":"2024-03-{day}"}}"#)
            })
            .collect();
        date(&format!(r#"{{"@context":"https://schema.org","@graph":[{}]}}"#, nodes.join(",")))
    };
    let fifth = Some("2024-03-05".to_owned());
    assert_eq!(of(&[("Black tea", "04"), ("Green tea", "05")]), fifth);
    assert_eq!(of(&[("Black tea", "04"), ("Green tea, in short", "05")]), fifth);
    assert_eq!(of(&[("Black tea", "04"), ("Tea", "05")]), fifth);
    assert_eq!(of(&[("", "04"), ("Green tea", "05")]), fifth);
    // Of two without it the first, of three none, and of one whatever its name.
    assert_eq!(of(&[("Black tea", "05"), ("White tea", "06")]), fifth);
    assert_eq!(of(&[("Black tea", "05"), ("White tea", "06"), ("Red tea", "07")]), None);
    assert_eq!(of(&[("Black tea", "05")]), fifth);
}

#[test]
fn things_on_sale_have_no_day_of_publication() {
    let of = |kinds: &[&str]| {
        let nodes: Vec<String> = kinds
            .iter()
            .map(|kind| format!(r#"{{"@type":"{kind}","name":"Green tea","datePublished":"2024-03-05"}}"#))
            .collect();
        let meta = "</script><meta property='article:published_time' content=2024-03-05><script>";
        date(&format!(r#"{{"@context":"https://schema.org","@graph":[{}]}}{meta}"#, nodes.join(",")))
            .is_some()
    };
    for kind in ["Product", "ProductGroup", "Service"] {
        assert!(!of(&[kind]), "{kind}");
        assert!(of(&[kind, "Article"]), "{kind}");
    }
    assert!(of(&["Event"]));
}

#[test]
fn kinds_of_nodes_have_dates_of_different_weight() {
    let address = |kind: &str, member: &str| {
        let json = node(kind, &format!(r#""{member}":"2024-03-05""#));
        about(&json).published.is_some()
    };
    for (kind, is_sure) in [
        ("Question", true),
        ("QAPage", true),
        ("Article", true),
        ("WebPage", false),
        ("AboutPage", false),
        ("CreativeWork", false),
        ("VideoObject", false),
        ("JobPosting", false),
    ] {
        assert_eq!(address(kind, "datePublished"), is_sure, "{kind}");
    }
    for (member, is_one) in [("dateCreated", true), ("uploadDate", true), ("dateModified", false)] {
        assert_eq!(address("Article", member), is_one, "{member}");
    }
    let changed = about(&node("Article", r#""dateModified":"2024-03-05""#)).modified.unwrap();
    assert_eq!((changed.value.to_string().as_str(), changed.source), ("2024-03-05", MetadataSource::JsonLd));
}

#[test]
fn site_section_keywords_and_licence_of_nodes() {
    let section = |kind: &str| about(&node(kind, r#""articleSection":"Tea""#)).section.map(|it| it.value);
    assert_eq!(section("Article").as_deref(), Some("Tea"));
    assert_eq!(section("WebPage"), None);
    for (licence, expected) in [
        (r#""https://example.com/l""#, Some("https://example.com/l")),
        (r#"{"url":"https://example.com/l"}"#, Some("https://example.com/l")),
        (r#"{"@id":"https://example.com/l"}"#, Some("https://example.com/l")),
        (r#"{"name":"l"}"#, None),
        (r#""""#, None),
        ("5", None),
    ] {
        let found = about(&node("Article", &format!(r#""license":{licence}"#))).licence.map(|it| it.value);
        assert_eq!(found.as_deref(), expected, "{licence}");
    }
    for (keywords, expected) in [
        (r#""tea, cake、 pot，cup,,""#, &["tea", "cake", "pot", "cup"][..]),
        (r#"["tea","cake, pot",5]"#, &["tea", "cake", "pot"]),
        (r#""""#, &[]),
        ("5", &[]),
    ] {
        let found = about(&node("Article", &format!(r#""keywords":{keywords}"#))).keywords;
        assert_eq!(found, expected, "{keywords}");
    }
    let site = |json: &str| about(json).site_name.map(|it| it.value);
    let named = r#"{"name":"Leaf"}"#;
    assert_eq!(site(&node("Article", &format!(r#""publisher":{named}"#))).as_deref(), Some("Leaf"));
    assert_eq!(site(&node("WebPage", &format!(r#""isPartOf":{named}"#))).as_deref(), Some("Leaf"));
    assert_eq!(site(&node("Course", &format!(r#""publisher":{named}"#))), None);
    let two = format!(
        r#"{{"@context":"https://schema.org","@graph":[{{"@type":"Article","publisher":{named}}},{{"@type":"WebSite","name":"Tea house"}}]}}"#
    );
    assert_eq!(site(&two).as_deref(), Some("Tea house"));
}
