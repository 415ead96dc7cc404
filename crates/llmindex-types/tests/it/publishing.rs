//! What a publisher serves.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests say what they expect in the plainest way"
)]

use covers::covers;
use llmindex_types::web_values::{Language, Severity, Timestamp, UnixSeconds};
use llmindex_types::{
    About, Availability, CACHE_CONTROL, CONTENT_TYPE, FaqTopic, Manifest, ManifestBuilder, Policies,
    ProductBuilder, about_page, faq_page, manifest_url, policies_page, products_page, response_headers,
};

fn changed() -> Timestamp {
    Timestamp::parse("2026-02-20T01:00:00+01:00").unwrap()
}

fn manifest(name: &str) -> Manifest {
    let builder = ManifestBuilder::new(name, "https://shoes.example:8443/shop", "en").updated_at(changed());
    builder.topic("shoes").build().unwrap()
}

#[test]
#[covers("LLMI-ENT-1")]
fn the_manifest_stands_at_the_root_of_its_origin() {
    // A path is left behind, a port stays.
    for (url, expected) in [
        ("https://shoes.example", "https://shoes.example/.well-known/llmindex.json"),
        ("https://shoes.example:8443/shop/?a=b#c", "https://shoes.example:8443/.well-known/llmindex.json"),
        ("https://ada:pw@shoes.example/", "https://shoes.example/.well-known/llmindex.json"),
    ] {
        assert_eq!(manifest_url(&url.parse().unwrap()).as_str(), expected);
    }
    assert_eq!(
        manifest("Shoes").manifest_url().as_str(),
        "https://shoes.example:8443/.well-known/llmindex.json"
    );
}

#[test]
#[covers("LLMI-ENT-2", "LLMI-AMB-2", "LLMI-ENT-3", "LLMI-ENT-4")]
fn the_response_carries_type_validators_and_caching() {
    // The response's own header.
    assert_eq!(CONTENT_TYPE, "application/json; charset=utf-8");
    assert_eq!(CACHE_CONTROL, "max-age=3600, must-revalidate");
    let later = UnixSeconds(1_900_000_000);
    let headers = response_headers(&manifest("Shoes"), later);
    let names: Vec<_> = headers.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["content-type", "etag", "last-modified", "cache-control"]);
    assert_eq!(headers.last_modified.as_deref(), Some("Fri, 20 Feb 2026 00:00:00 GMT"));
    assert!(headers.etag.starts_with("\"sha256-") && headers.etag.len() == 73, "{}", headers.etag);
    assert_eq!(response_headers(&manifest("Shoes"), later).etag, headers.etag);
    assert_ne!(response_headers(&manifest("Boots"), later).etag, headers.etag);
    // Never later than the response itself.
    let early = response_headers(&manifest("Shoes"), UnixSeconds(0));
    assert_eq!(early.last_modified.as_deref(), Some("Thu, 01 Jan 1970 00:00:00 GMT"));
}

#[test]
#[covers("LLMI-AMB-3")]
fn the_top_level_of_0_1_has_ten_members_and_no_rule_counts_them() {
    // A 0.2 manifest may have fourteen.
    let base = String::from_utf8(manifest("Shoes").as_bytes().to_vec()).unwrap();
    let extra: String = (0..20).map(|n| format!("\"x{n}\":{n},")).collect();
    let json = base.replacen('{', &format!("{{{extra}"), 1);
    let report = llmindex_types::validate(json.as_bytes(), &llmindex_types::Options::default()).unwrap();
    assert!(report.findings().iter().all(|finding| finding.severity() == Severity::Warning));
}

#[test]
#[covers("LLMI-PAGE-5", "LLMI-PAGE-2")]
fn products_stand_by_category_with_name_price_and_link() {
    let product = |id: &str, category: &str| {
        let builder =
            ProductBuilder::new(id, id, "https://shoes.example/p", Availability::InStock, changed());
        builder.price("9.90", "EUR").category(category).build().unwrap()
    };
    let page = products_page(
        "Shop",
        &[product("Boot", "Winter"), product("Clog", "Summer"), product("Ski", "Winter")],
    );
    let headings: Vec<_> = page.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(headings, ["## Winter", "## Summer"]);
    assert!(page.contains("- [Ski](https://shoes.example/p): 9.90 EUR"), "{page}");
}

#[test]
#[covers("LLMI-PAGE-6", "LLMI-PAGE-7", "LLMI-PAGE-8")]
fn policies_faq_and_about_have_their_sections() {
    let policies =
        Policies { shipping: "Two days.", returns: "Thirty days.", warranty: "Two years.", payment: "Card." };
    let page = policies_page("Policies", &policies);
    let headings: Vec<_> = page.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(headings, ["## Shipping", "## Returns", "## Warranty", "## Payment"]);
    let topics = [
        FaqTopic { topic: "Size", questions: &[("Too small?", "Send it back.")] },
        FaqTopic { topic: "Care", questions: &[("Wash?", "By hand."), ("Dry?", "In the shade.")] },
    ];
    let page = faq_page("FAQ", &topics);
    assert!(page.find("## Size").unwrap() < page.find("### Too small?").unwrap());
    assert!(page.find("## Care").unwrap() < page.find("### Dry?").unwrap());
    let about = About {
        story: "Since 1900.",
        company: &[("Name", "Shoes Ltd")],
        contact: &[("E-mail", "a@shoes.example")],
    };
    let page = about_page("About", &about);
    for part in ["## Story", "Since 1900.", "- Name: Shoes Ltd", "## Contact"] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[test]
#[covers("LLMI-AMB-27")]
fn a_manifest_that_is_older_than_one_seen_is_a_rollback() {
    let at = |text: &str| Timestamp::parse(text).unwrap();
    let manifest = manifest("Shoes");
    for (last_seen, is_rollback) in [
        ("2026-02-19T23:59:59Z", false),
        // The same moment, however it is spelled.
        ("2026-02-20T00:00:00Z", false),
        ("2026-02-20T02:00:00+02:00", false),
        ("2026-02-20T00:00:01Z", true),
        ("2026-02-20T00:30:00+00:00", true),
        ("2026-02-20T00:30:00+01:00", false),
    ] {
        assert_eq!(manifest.is_rollback(at(last_seen)), is_rollback, "{last_seen}");
    }
}

/// The page of a language, or of a shorter form of its tag; else the main one.
#[test]
fn a_reader_is_led_to_the_pages_of_its_language() {
    let page = |language: &str, name: &str| format!("https://shoes.example/{language}/{name}");
    let builder =
        ManifestBuilder::new("Shoes", "https://shoes.example", "en").updated_at(changed()).topic("shoes");
    let mut builder = builder.version_0_2().also_in("en");
    for (language, names) in [
        ("de", &["products", "policies", "faq", "about"][..]),
        ("de-AT", &["faq"]),
        ("zh-Hant", &["about", "nothing-known"]),
    ] {
        let urls: Vec<_> = names.iter().map(|name| (*name, page(language, name))).collect();
        let pages: Vec<_> = urls.iter().map(|(name, url)| (*name, url.as_str())).collect();
        builder = builder.also_in(language).localized(language, &pages);
    }
    let manifest = builder.build().unwrap();
    let main = |name: &str| format!("https://shoes.example/llm/{name}");
    for (language, expected) in [
        ("en", [main("products"), main("policies"), main("faq"), main("about")]),
        ("de", [page("de", "products"), page("de", "policies"), page("de", "faq"), page("de", "about")]),
        (
            "de-at",
            [page("de", "products"), page("de", "policies"), page("de-AT", "faq"), page("de", "about")],
        ),
        ("zh-Hant-TW", [main("products"), main("policies"), main("faq"), page("zh-Hant", "about")]),
        (
            "de-CH-1996",
            [page("de", "products"), page("de", "policies"), page("de", "faq"), page("de", "about")],
        ),
        ("zh-Hant-x-any", [main("products"), main("policies"), main("faq"), page("zh-Hant", "about")]),
        ("zh", [main("products"), main("policies"), main("faq"), main("about")]),
    ] {
        let found = manifest.pages_in(&Language::parse(language).unwrap());
        assert_eq!(found.map(|(name, _)| name), ["products", "policies", "faq", "about"]);
        assert_eq!(found.map(|(_, url)| url.as_str().to_owned()), expected, "{language}");
    }
}
