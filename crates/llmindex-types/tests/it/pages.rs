//! Published pages say just what the template and the values say: a Markdown reader finds the template's headings and
//! links, and every value as text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a failed test may panic"
)]

use std::fmt::Write as _;

use llmindex_types::web_values::Timestamp;
use llmindex_types::{
    About, Availability, FaqTopic, Manifest, ManifestBuilder, Options, Policies, ProductBuilder, about_page,
    faq_page, llms_txt, policies_page, products_page,
};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options as Markdown, Parser, Tag, TagEnd};

/// What a Markdown reader sees: blocks of text, headings marked with their level, links as `<text|target>`.
fn seen(markdown: &str, options: Markdown) -> Result<Vec<String>, String> {
    let (mut blocks, mut text, mut targets) = (Vec::new(), String::new(), Vec::new());
    let end = |blocks: &mut Vec<String>, text: &mut String| {
        if !text.is_empty() {
            blocks.push(std::mem::take(text));
        }
    };
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                end(&mut blocks, &mut text);
                write!(text, "h{} ", level as u8).unwrap();
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                targets.push(dest_url.to_string());
                text.push('<');
            }
            Event::End(TagEnd::Link) => write!(text, "|{}>", targets.pop().unwrap()).unwrap(),
            Event::Text(piece) => text.push_str(&piece),
            Event::Start(Tag::Paragraph | Tag::List(None) | Tag::Item | Tag::BlockQuote(None))
            | Event::End(
                TagEnd::Paragraph
                | TagEnd::List(false)
                | TagEnd::Item
                | TagEnd::BlockQuote(None)
                | TagEnd::Heading(_),
            ) => end(&mut blocks, &mut text),
            other => return Err(format!("{other:?}")),
        }
    }
    Ok(blocks)
}

fn check(page: &str, expected: &[String]) -> Result<(), TestCaseError> {
    let extended = Markdown::ENABLE_TABLES
        | Markdown::ENABLE_STRIKETHROUGH
        | Markdown::ENABLE_TASKLISTS
        | Markdown::ENABLE_FOOTNOTES;
    let expected: Vec<_> = expected.iter().filter(|block| !block.is_empty()).cloned().collect();
    for options in [Markdown::empty(), extended] {
        let seen =
            seen(page, options).map_err(|other| TestCaseError::fail(format!("{other} in {page:?}")))?;
        prop_assert_eq!(&seen, &expected, "{:?}", page);
    }
    Ok(())
}

/// A value as text: its words.
fn folded(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// A heading, or nothing where there is no text for it.
fn heading(level: u8, text: &str) -> String {
    let text = folded(text);
    if text.is_empty() { String::new() } else { format!("h{level} {text}") }
}

fn link(text: &str, url: &str) -> String {
    format!("<{}|{}>", folded(text), url.replace('(', "%28").replace(')', "%29"))
}

/// Pieces of Markdown, HTML and line ends, in any order.
fn nasty() -> impl Strategy<Value = String> {
    let pieces = vec![
        "# ",
        "#",
        " #",
        " ##",
        "\n",
        "\n\n",
        "\r\n",
        "- ",
        "* ",
        "+ ",
        "1. ",
        "2) ",
        "12345678901. ",
        "> ",
        "[evil](https://evil.example)",
        "[a]: https://evil.example",
        "[a]",
        "![i](https://evil.example/i.png)",
        "<https://evil.example>",
        "<b>",
        "</b>",
        "<!--",
        "<script>",
        "`",
        "```",
        "~~~",
        "~",
        "~~",
        "*",
        "**",
        "_",
        "__",
        "&amp;",
        "&#60;",
        "&#x3c;",
        "&copy",
        "&",
        ";",
        "\\",
        "|",
        "|-|",
        "---",
        "===",
        "=",
        "    ",
        "\t",
        "\u{a0}",
        "\u{2028}",
        "\u{0}",
        "\u{85}",
        "é",
        "a",
        "b c",
        "1",
        "https://x.example/",
        "x://y",
        "see x://y\n\n## Injected\n\n- [evil](https://evil.example)",
        "[^1]",
        "[^1]: x",
        ":",
        "$x$",
        "{#id}",
        "[x] ",
        "[ ] ",
        "!",
        "(",
        ")",
        "\u{feff}",
        "www.a.example",
        "'",
        "\"",
    ];
    proptest::collection::vec(proptest::sample::select(pieces), 0..7).prop_map(|pieces| pieces.concat())
}

/// Like [`nasty`] with something in it.
fn filled() -> impl Strategy<Value = String> {
    nasty().prop_filter("holds something", |text| !text.is_empty())
}

/// A URL that the library takes, with the characters that Markdown knows.
fn url() -> impl Strategy<Value = String> {
    let pieces = vec![
        "*", "_", "~", "&", "amp;", ";", "(", ")", "!", "a", "_b_", "%20", "?", "=", "'", "$", ":", "//",
        "é", ",", ".",
    ];
    proptest::collection::vec(proptest::sample::select(pieces), 0..8)
        .prop_map(|pieces| format!("https://x.example/{}", pieces.concat()))
}

fn lines_of(manifest: &Manifest) -> Vec<String> {
    let mut lines = vec![heading(1, &manifest.entity().name)];
    let topics: Vec<_> =
        manifest.topics().iter().map(|topic| folded(topic)).filter(|topic| !topic.is_empty()).collect();
    lines.push(topics.join(", "));
    lines.push(format!("Homepage: {}", folded(manifest.entity().canonical_url.as_given())));
    lines.push(format!("Language: {}", manifest.language().as_str()));
    lines.push(format!("Updated: {}", manifest.updated_at()));
    if let Some(license) = manifest.license() {
        lines.push(format!("License: {}", folded(license)).trim_end().into());
    }
    lines.push("h2 Pages".into());
    let item = |member: &str, url: &str, lines: &mut Vec<String>| {
        let (title, about) = match member {
            "products" => ("Products", "products by category, with prices"),
            "policies" => ("Policies", "shipping, returns, warranty, payment"),
            "faq" => ("FAQ", "questions and answers"),
            "about" => ("About", "who this is and how to get in touch"),
            "products_jsonl" => ("Product feed", "all products, one JSON object a line"),
            "offers_json" => ("Offers", "current offers as JSON"),
            "products_jsonl_delta" => ("Product changes", "changed products, one JSON object a line"),
            _ => ("llmindex manifest", "this index for programs"),
        };
        lines.push(format!("{}: {about}", link(title, url)));
    };
    for (name, url) in manifest.endpoints().iter() {
        item(name, url.as_given(), &mut lines);
    }
    for localized in manifest.localized_endpoints() {
        lines.push(format!("h2 Pages in {}", localized.language.as_str()));
        for (name, url) in &localized.pages {
            item(name, url.as_given(), &mut lines);
        }
    }
    if let Some(feeds) = manifest.feeds() {
        lines.push("h2 Feeds".into());
        for (name, url) in feeds.iter() {
            item(name, url.as_given(), &mut lines);
        }
    }
    lines.push("h2 Optional".into());
    item("manifest", manifest.manifest_url().as_str(), &mut lines);
    lines
}

fn changed() -> Timestamp {
    Timestamp::parse("2026-02-20T00:00:00Z").unwrap()
}

proptest! {
    #[test]
    fn llms_txt_holds_the_templates_headings_and_links(
        name in filled(),
        topics in proptest::collection::vec(filled(), 1..4),
        license in nasty(),
        urls in proptest::collection::vec(url(), 7),
        read_back in any::<bool>(),
    ) {
        let [home, products, policies, faq, about, feed, license_url] = urls.try_into().unwrap();
        let mut builder = ManifestBuilder::new(&name, &home, "en").updated_at(changed()).allow_secrets();
        for topic in &topics {
            builder = builder.topic(topic);
        }
        builder = builder.products(&products).policies(&policies).faq(&faq).about(&about).products_feed(&feed);
        builder = builder.version_0_2().also_in("en").localized("de", &[("faq", &faq)]);
        builder = builder.license(if license.is_empty() { &license_url } else { &license });
        let Ok(mut manifest) = builder.build() else { return Err(TestCaseError::reject("not valid")) };
        if read_back {
            manifest = Manifest::parse(manifest.as_bytes(), &Options::default()).unwrap();
        }
        check(&llms_txt(&manifest), &lines_of(&manifest))?;
    }

    #[test]
    fn the_page_of_products_holds_the_products(
        title in nasty(), name in filled(), category in nasty(), brand in nasty(), url in url(),
    ) {
        let product = ProductBuilder::new("1", &name, &url, Availability::InStock, changed())
            .price("9.90", "EUR")
            .brand(&brand)
            .category(&category)
            .build();
        let Ok(product) = product else { return Err(TestCaseError::reject("not valid")) };
        let page = products_page(&title, std::slice::from_ref(&product));
        let category = folded(&category);
        let section = if category.is_empty() { "h2 All products".into() } else { heading(2, &category) };
        let in_category = if category.is_empty() { String::new() } else { format!(", {category}") };
        let line = format!("{}: 9.90 EUR{in_category}, in stock", link(&name, &url));
        check(&page, &[heading(1, &title), section, line])?;
    }

    #[test]
    fn the_other_pages_hold_their_texts(title in nasty(), label in filled(), text in nasty(), more in nasty()) {
        let paragraphs = |text: &str| -> Vec<String> {
            let mut all = vec![String::new()];
            for line in text.lines() {
                if line.trim().is_empty() {
                    all.push(String::new());
                } else {
                    let last = all.last_mut().unwrap();
                    last.push_str(line);
                    last.push(' ');
                }
            }
            all.iter().map(|paragraph| folded(paragraph)).collect()
        };
        let section = |name: &str, text: &str| {
            if text.trim().is_empty() { Vec::new() } else { [vec![heading(2, name)], paragraphs(text)].concat() }
        };
        let policies = Policies { shipping: &text, returns: &more, warranty: "", payment: &label };
        let expected = [
            vec![heading(1, &title)],
            section("Shipping", &text),
            section("Returns", &more),
            section("Payment", &label),
        ];
        check(&policies_page(&title, &policies), &expected.concat())?;

        let topics = [FaqTopic { topic: &label, questions: &[(&title, &text), (&more, &label)] }];
        let expected = [
            vec![heading(1, &title), heading(2, &label), heading(3, &title)],
            paragraphs(&text),
            vec![heading(3, &more)],
            paragraphs(&label),
        ];
        check(&faq_page(&title, &topics), &expected.concat())?;

        let about = About { story: &text, company: &[(&label, &more)], contact: &[(&title, &text)] };
        let fact = |label: &str, value: &str| format!("{}: {}", folded(label), folded(value)).trim().to_owned();
        let expected = [
            vec![heading(1, &title)],
            section("Story", &text),
            vec!["h2 Company".into(), fact(&label, &more), "h2 Contact".into(), fact(&title, &text)],
        ];
        check(&about_page(&title, &about), &expected.concat())?;
    }
}

#[test]
fn a_license_is_one_line_of_text() {
    let license = "see x://y\n\n## Injected\n\n- [evil](https://evil.example)";
    let manifest =
        ManifestBuilder::new("Shoes", "https://x.example", "en").updated_at(changed()).topic("# shoes");
    let manifest = manifest.license(license).build().unwrap();
    let text = llms_txt(&manifest);
    assert!(
        text.contains("\n- License: see x://y ## Injected - \\[evil\\](https://evil.example)\n"),
        "{text}"
    );
    assert!(text.contains("\n> \\# shoes\n"), "{text}");
    check(&text, &lines_of(&manifest)).unwrap();
}

#[test]
fn a_page_of_marks_takes_linear_time() {
    linear::assert_linear("marks", [90_000, 900_000], |marks| {
        let topic = "&".repeat(marks);
        let manifest =
            ManifestBuilder::new("Shoes", "https://x.example", "en").updated_at(changed()).topic(&topic);
        let manifest = manifest.build().unwrap();
        assert_eq!(llms_txt(&manifest).matches('&').count(), marks);
    });
}
