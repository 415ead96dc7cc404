//! Small rules at their edges, and every part of a value by itself.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests say what they expect in the plainest way"
)]

use std::cmp::Ordering;

use llmindex_types::web_values::{Language, Timestamp, WebUrl};
use llmindex_types::{
    AccessControl, Availability, Code, CommercialUse, Decimal, FeedOptions, FeedReader, Limits, Manifest,
    ManifestBuilder, ManifestState, Mode, Options, PageFileState, Price, Product, ProductBuilder, RateLimit,
    RateUnit, VerifyMethod, Version, check_https, check_origin, classify, llms_txt, secret, validate,
    validate_product,
};

fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

#[test]
fn a_decimal_is_its_text_and_its_number() {
    for (text, value, is_negative) in [
        ("0", 0.0, false),
        ("-0.0", -0.0, false),
        ("19.90", 19.9, false),
        ("-1.5e2", -150.0, true),
        ("1E-2", 0.01, false),
        ("1.7976931348623157e308", f64::MAX, false),
    ] {
        let decimal = Decimal::parse(text).unwrap();
        assert_eq!((decimal.as_str(), decimal.to_string().as_str()), (text, text));
        assert_eq!(
            (decimal.to_f64().to_bits(), decimal.is_negative()),
            (value.to_bits(), is_negative),
            "{text}"
        );
    }
    let decimal = |text: &str| Decimal::parse(text).unwrap();
    assert_eq!(decimal("2").compare(&decimal("10")), Ordering::Less);
    assert_eq!(decimal("2").compare(&decimal("2.00")), Ordering::Equal);
    assert_eq!(decimal("-2").compare(&decimal("-10")), Ordering::Greater);
    // A number of 300 digits is below the largest; with one digit more it is looked at.
    for (digits, is_one) in [(300, true), (301, true), (309, true), (310, false)] {
        assert_eq!(Decimal::parse(&"1".repeat(digits)).is_ok(), is_one, "{digits}");
    }
}

#[test]
fn names_lead_to_values_and_back() {
    for (value, name) in [
        (Availability::InStock, "in_stock"),
        (Availability::OutOfStock, "out_of_stock"),
        (Availability::Preorder, "preorder"),
    ] {
        assert_eq!(
            (value.as_str(), value.to_string().as_str(), Availability::from_name(name)),
            (name, name, Some(value))
        );
        assert_eq!(Availability::import(name), Some(value));
    }
    for (text, value) in [
        ("In Stock", Some(Availability::InStock)),
        ("https://schema.org/InStock", None),
        ("OutOfStock", Some(Availability::OutOfStock)),
        ("out-of-stock", Some(Availability::OutOfStock)),
        ("PRE-ORDER", Some(Availability::Preorder)),
        ("instock2", None),
        ("", None),
    ] {
        assert_eq!(Availability::import(text), value, "{text}");
        assert_eq!(Availability::from_name(text), None, "{text}");
    }
    for (value, name) in [
        (CommercialUse::Allowed, "allowed"),
        (CommercialUse::NonCommercial, "non-commercial"),
        (CommercialUse::ContactRequired, "contact-required"),
    ] {
        assert_eq!(
            (value.as_str(), value.to_string().as_str(), CommercialUse::from_name(name)),
            (name, name, Some(value))
        );
    }
    for (value, name) in [(VerifyMethod::DnsTxt, "dns_txt"), (VerifyMethod::HttpFile, "http_file")] {
        assert_eq!(
            (value.as_str(), value.to_string().as_str(), VerifyMethod::from_name(name)),
            (name, name, Some(value))
        );
    }
    assert_eq!((CommercialUse::from_name("Allowed"), VerifyMethod::from_name("dns-txt")), (None, None));
    for (text, count, unit) in [
        ("0/second", 0, RateUnit::Second),
        ("30/minute", 30, RateUnit::Minute),
        ("2/hour", 2, RateUnit::Hour),
        ("500/day", 500, RateUnit::Day),
        ("007/month", 7, RateUnit::Month),
    ] {
        assert_eq!(RateLimit::parse(text), Some(RateLimit { count, unit }), "{text}");
    }
    for (text, is_known) in [("0.1", true), ("0.2", true), ("0.3", false), ("0.10", false), ("", false)] {
        let version = Version::from_text(text);
        assert_eq!(
            (version.is_known(), version.as_str(), version.to_string().as_str()),
            (is_known, text, text)
        );
    }
}

#[test]
fn who_is_named_is_who_may() {
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    for (allow, deny, agent, is_allowed) in [
        (None, &[][..], "a", true),
        (Some(&["A", "b"][..]), &[], "a", true),
        (Some(&["*"]), &[], "a", true),
        (Some(&["*"]), &["a"], "a", false),
        (Some(&["*"]), &["a"], "b", true),
        (Some(&["b"]), &[], "a", false),
        (None, &["*"], "a", false),
        (None, &["ab"], "a", true),
    ] {
        let rules = AccessControl { allow: allow.map(names), deny: names(deny), ..AccessControl::default() };
        assert_eq!(rules.is_allowed(agent), is_allowed, "{allow:?} {deny:?} {agent}");
    }
}

const LINE: &str = r#"{"id":"1","title":"Tea","url":"https://a.example/1","image_url":"https://a.example/1.png","price":19.90,"currency":"EUR","availability":"in_stock","brand":"B","category":"C","updated_at":"2026-02-20T00:00:00Z"}"#;

fn read(line: &str) -> Option<Product> {
    let mut reader = FeedReader::new([7; 16], FeedOptions::default());
    let read = reader.line(line.as_bytes()).unwrap();
    read.product().unwrap().to_product()
}

/// A line is a product where each of its parts is there and right.
#[test]
fn every_part_of_a_line_is_part_of_its_product() {
    let mut reader = FeedReader::new([7; 16], FeedOptions::default());
    let line = reader.line(LINE.as_bytes()).unwrap();
    assert_eq!((line.number(), line.is_valid(), line.findings().len()), (1, true, 0));
    let view = line.product().unwrap();
    assert_eq!((view.json(), view.text("title").as_deref(), view.text("price")), (LINE, Some("Tea"), None));
    assert_eq!(
        (view.member_json("price"), view.member_json("title"), view.member_json("x")),
        (Some("19.90"), Some("\"Tea\""), None)
    );
    assert_eq!((view.availability_text().as_deref(), view.is_deletion()), (Some("in_stock"), false));
    assert_eq!(view.updated_at(), Some(time("2026-02-20T00:00:00Z")));
    let amount = |text: &str| Decimal::parse(text).unwrap();
    let price = Price::Amount { amount: amount("19.90"), currency: "EUR".into() };
    assert_eq!((view.price().as_ref(), price.to_string().as_str()), (Some(&price), "19.90 EUR"));
    let whole = view.to_product().unwrap();
    let expected = ProductBuilder::new(
        "1",
        "Tea",
        "https://a.example/1",
        Availability::InStock,
        time("2026-02-20T00:00:00Z"),
    )
    .price("19.90", "EUR")
    .image_url("https://a.example/1.png")
    .brand("B")
    .category("C");
    assert_eq!(expected.build().unwrap(), whole);
    assert_eq!(whole.to_json(), LINE);
    assert_eq!((whole.id.as_str(), whole.title.as_str(), whole.price), ("1", "Tea", price));
    // What a product needs, missing, empty or wrong.
    for (part, others) in [
        ("\"id\":\"1\",", &["", "\"id\":\"\",", "\"id\":1,"][..]),
        ("\"title\":\"Tea\",", &["", "\"title\":\"\",", "\"title\":null,"]),
        ("\"url\":\"https://a.example/1\",", &["", "\"url\":\"/1\",", "\"url\":7,"]),
        ("\"price\":19.90,", &["", "\"price\":-1,", "\"price\":\"19.90\",", "\"price\":1e999,"]),
        (
            "\"currency\":\"EUR\",",
            &["", "\"currency\":\"eur\",", "\"currency\":\"EURO\",", "\"currency\":978,"],
        ),
        ("\"availability\":\"in_stock\",", &["", "\"availability\":\"In Stock\",", "\"availability\":true,"]),
        (",\"updated_at\":\"2026-02-20T00:00:00Z\"", &["", ",\"updated_at\":\"today\"", ",\"updated_at\":1"]),
    ] {
        assert!(LINE.contains(part), "{part}");
        for other in others {
            assert_eq!(read(&LINE.replace(part, other)), None, "{part} {other}");
        }
    }
    // What it does not need.
    for (part, field) in [
        (",\"brand\":\"B\"", 0),
        (",\"category\":\"C\"", 1),
        (",\"image_url\":\"https://a.example/1.png\"", 2),
    ] {
        let product = read(&LINE.replace(part, "")).unwrap();
        let there = [product.brand.is_some(), product.category.is_some(), product.image_url.is_some()];
        assert_eq!(there, [0, 1, 2].map(|at| at != field), "{part}");
    }
    for (json, is_deletion) in
        [("true", true), ("false", false), ("\"true\"", false), ("1", false), ("null", false)]
    {
        let mut reader = FeedReader::new([7; 16], FeedOptions::default());
        let text = format!("{{\"id\":\"1\",\"deleted\":{json}}}");
        let line = reader.line(text.as_bytes()).unwrap();
        assert_eq!(line.product().unwrap().is_deletion(), is_deletion, "{json}");
    }
}

/// A range of prices rises, and has a currency of its own.
#[test]
fn a_range_of_prices_rises() {
    let line = |range: &str| {
        LINE.replace("\"price\":19.90,\"currency\":\"EUR\"", &format!("\"price_range\":{range}"))
    };
    for (range, expected) in [
        (r#"{"min":1,"max":2,"currency":"EUR"}"#, Some("1 to 2 EUR")),
        (r#"{"min":2,"max":2.0,"currency":"EUR"}"#, Some("2 to 2.0 EUR")),
        (r#"{"min":2,"max":1,"currency":"EUR"}"#, None),
        (r#"{"min":-1,"max":1,"currency":"EUR"}"#, None),
        (r#"{"max":1,"currency":"EUR"}"#, None),
        (r#"{"min":1,"currency":"EUR"}"#, None),
        (r#"{"min":1,"max":2}"#, None),
        (r#"{"min":1,"max":2,"currency":"€"}"#, None),
        ("[1,2]", None),
    ] {
        let product = read(&line(range));
        assert_eq!(product.as_ref().map(|product| product.price.to_string()).as_deref(), expected, "{range}");
        if let Some(product) = product {
            assert_eq!(product.to_json(), line(range));
        }
        let report = validate_product(&line(range), &Options::for_product()).unwrap();
        assert_eq!(report.is_valid(), expected.is_some(), "{range}");
    }
    let changed = time("2026-02-20T00:00:00Z");
    let builder =
        |id: &str| ProductBuilder::new(id, "Tea", "https://a.example/1", Availability::Preorder, changed);
    let product = builder("1").price_range("1.50", "20", "USD").build().unwrap();
    assert_eq!(product.price.to_string(), "1.50 to 20 USD");
    assert!(builder("1").build().is_err(), "a price is needed");
    assert!(builder("1").price_range("3", "2", "USD").build().is_err());
    assert!(builder("1").price("ten", "USD").build().is_err());
}

/// All that a manifest can say, built and read back: each part in its place.
#[test]
fn a_manifest_has_what_its_builder_was_given() {
    let rules = AccessControl {
        allow: Some(vec!["a".into()]),
        deny: vec!["b".into()],
        rate_limit: RateLimit::parse("5/minute"),
        requires_attribution: Some(true),
        commercial_use: Some(CommercialUse::ContactRequired),
        usage_terms: Some("https://a.example/terms".into()),
    };
    let builder = ManifestBuilder::new("A", "https://a.example/shop", "en")
        .version_0_2()
        .updated_at(time("2026-02-20T00:00:00Z"))
        .topic("t")
        .topic("u")
        .products("https://a.example/1")
        .policies("https://a.example/2")
        .faq("https://a.example/3")
        .about("https://a.example/4")
        .products_feed("https://a.example/5")
        .offers_feed("https://a.example/6")
        .offers_feed("https://a.example/8")
        .delta_feed("https://a.example/7")
        .verify(VerifyMethod::DnsTxt, "v")
        .license("MIT")
        .also_in("de")
        .localized("de", &[("faq", "https://a.example/de/3"), ("unknown", "https://a.example/de/9")])
        .access_control(rules.clone())
        .feed_updated_at(time("2026-02-21T00:00:00Z"));
    let manifest = builder.build().unwrap();
    let parsed = Manifest::parse(manifest.as_bytes(), &Options::default()).unwrap();
    let again = ManifestBuilder::from_manifest(&parsed).build().unwrap();
    assert!(again.as_bytes() == manifest.as_bytes(), "{}", String::from_utf8_lossy(again.as_bytes()));
    for manifest in [&manifest, &parsed, &again] {
        assert_eq!(
            (manifest.version(), manifest.language().as_str(), manifest.license()),
            (&Version::V0_2, "en", Some("MIT"))
        );
        assert_eq!(
            (manifest.entity().name.as_str(), manifest.entity().canonical_url.as_given()),
            ("A", "https://a.example/shop")
        );
        assert_eq!(
            (manifest.updated_at(), manifest.feed_updated_at()),
            (time("2026-02-20T00:00:00Z"), Some(time("2026-02-21T00:00:00Z")))
        );
        assert_eq!(manifest.topics(), ["t", "u"]);
        let given = |(name, url): (&'static str, &WebUrl)| format!("{name} {}", url.as_given());
        let pages: Vec<_> = manifest.endpoints().iter().map(given).collect();
        assert_eq!(
            pages,
            [
                "products https://a.example/1",
                "policies https://a.example/2",
                "faq https://a.example/3",
                "about https://a.example/4"
            ]
        );
        let feeds: Vec<_> = manifest.feeds().unwrap().iter().map(given).collect();
        assert_eq!(
            feeds,
            [
                "products_jsonl https://a.example/5",
                "offers_json https://a.example/8",
                "products_jsonl_delta https://a.example/7"
            ]
        );
        let verify = manifest.verify().unwrap();
        assert_eq!((verify.method, &*verify.value), (VerifyMethod::DnsTxt, "v"));
        assert_eq!(manifest.languages().iter().map(Language::as_str).collect::<Vec<_>>(), ["de"]);
        assert_eq!(manifest.access_control(), Some(&rules));
        let [localized] = manifest.localized_endpoints() else { panic!() };
        assert_eq!((localized.language.as_str(), localized.pages.len()), ("de", 1));
        let german = manifest.pages_in(&"de".parse().unwrap()).map(given);
        assert_eq!(
            german,
            [
                "products https://a.example/1",
                "policies https://a.example/2",
                "faq https://a.example/de/3",
                "about https://a.example/4"
            ]
        );
        assert!(manifest.sig().is_none() && manifest.unknown().is_empty() && manifest.report().is_valid());
        assert_eq!(manifest.manifest_url().as_str(), "https://a.example/.well-known/llmindex.json");
        assert!(
            manifest.is_rollback(time("2026-02-20T00:00:01Z"))
                && !manifest.is_rollback(time("2026-02-20T00:00:00Z"))
        );
    }
    let least = ManifestBuilder::new("A", "https://a.example", "en")
        .updated_at(time("2026-02-20T00:00:00Z"))
        .topic("t")
        .build()
        .unwrap();
    assert_eq!(
        (least.version(), least.feeds(), least.verify(), least.license()),
        (&Version::V0_1, None, None, None)
    );
    assert!(least.languages().is_empty() && least.localized_endpoints().is_empty());
    assert_eq!((least.access_control(), least.feed_updated_at()), (None, None));
    let pages: Vec<_> = least.endpoints().iter().map(|(name, url)| (name, url.as_given())).collect();
    assert_eq!(pages[0], ("products", "https://a.example/llm/products"));
    assert_eq!(least.urls().count(), 5, "the home page and four others");
}

/// Each status, at the edges of its class.
#[test]
fn statuses_at_the_edges_of_their_classes() {
    let json_type = "application/json; charset=utf-8";
    let json = Some(json_type);
    for (status, state) in [
        (199, ManifestState::RetryLater),
        (200, ManifestState::Supported),
        (299, ManifestState::Supported),
        (300, ManifestState::Redirect),
        (303, ManifestState::Redirect),
        (304, ManifestState::NotModified),
        (399, ManifestState::Redirect),
        (400, ManifestState::Unsupported),
        (401, ManifestState::Refused),
        (402, ManifestState::Unsupported),
        (403, ManifestState::Refused),
        (408, ManifestState::RetryLater),
        (425, ManifestState::RetryLater),
        (429, ManifestState::RetryLater),
        (451, ManifestState::Refused),
        (499, ManifestState::Unsupported),
        (500, ManifestState::RetryLater),
        (599, ManifestState::RetryLater),
    ] {
        assert_eq!(classify(status, json, b"{}", &Limits::MANIFEST).state(), state, "{status}");
    }
    for (status, state) in [
        (199, PageFileState::Unavailable),
        (200, PageFileState::Available),
        (299, PageFileState::Available),
        (300, PageFileState::Unavailable),
        (401, PageFileState::Refused),
        (403, PageFileState::Refused),
        (429, PageFileState::RateLimited),
        (500, PageFileState::Unavailable),
    ] {
        assert_eq!(PageFileState::of_status(status), state, "{status}");
        let mut response = http::Response::new(());
        *response.status_mut() = http::StatusCode::from_u16(status).unwrap();
        assert_eq!(PageFileState::of_response(&response), state, "{status}");
    }
    let mut response = http::Response::new("{}");
    assert_eq!(llmindex_types::classify_response(&response, &Limits::MANIFEST).findings().len(), 1);
    response.headers_mut().insert("content-type", json_type.parse().unwrap());
    let outcome = llmindex_types::classify_response(&response, &Limits::MANIFEST);
    assert_eq!((outcome.state(), outcome.findings().len()), (ManifestState::Supported, 0));
}

/// Where an insecure hop is, and whether a manifest is from its own site.
#[test]
fn hops_and_origins_are_named() {
    let found =
        check_https(&["https://a.example", "http://a.example", "https://a.example", "ftp://a.example"]);
    assert_eq!(found.len(), 2);
    assert!(
        found.iter().all(|finding| finding.is_error() && finding.requirement() == "LLMI-SEC-1"),
        "{found:?}"
    );
    let manifest = ManifestBuilder::new("A", "https://a.example/shop", "en")
        .updated_at(time("2026-02-20T00:00:00Z"))
        .topic("t")
        .build()
        .unwrap();
    for (from, is_own) in [
        ("https://a.example/.well-known/llmindex.json", true),
        ("https://A.example:443/", true),
        ("https://b.example/", false),
    ] {
        let finding = check_origin(&manifest, &WebUrl::parse(from).unwrap());
        assert_eq!(finding.is_none(), is_own, "{from}: {finding:?}");
    }
}

/// A report is as long as it may be, and knows where in the text each finding is.
#[test]
fn a_report_tells_errors_from_warnings() {
    let text = "{\n \"version\": 7,\n \"topics\": []\n}";
    let report = validate(text.as_bytes(), &Options::default()).unwrap();
    let errors = report.errors().count();
    assert_eq!(errors + report.warnings().count(), report.findings().len());
    assert!(errors > 0 && !report.is_valid());
    let records = report.to_records(text.as_bytes());
    assert_eq!(records.len(), report.findings().len());
    let version = records.iter().find(|record| record.place == "/version").unwrap();
    assert_eq!((version.offset, version.line, version.column), (Some(14), Some(2), Some(13)));
    for mode in [Mode::Strict, Mode::Default, Mode::Lenient] {
        let options = Options::default().mode(mode).max_findings(2);
        let report = validate(text.as_bytes(), &options).unwrap();
        assert_eq!(report.findings().len(), 3, "two, and the word that there are more");
    }
}

#[test]
fn what_looks_like_a_secret_is_told_by_where_it_stands() {
    for (url, is_one) in [
        ("https://a.example/?token=x", true),
        ("https://a.example/?a=b&api_key=x", true),
        ("https://a.example/token", false),
        ("https://me:pw@a.example/", true),
        ("https://a.example/?page=2", false),
    ] {
        assert_eq!(secret::in_url(url).is_some(), is_one, "{url}");
    }
    assert!(secret::in_value("ghp_0123456789abcdefghijklmnopqrstuvwxyz").is_some());
    assert!(secret::in_value("a plain text").is_none());
    assert!(secret::in_name("password").is_some() && secret::in_name("title").is_none());
}

#[test]
fn a_token_has_three_parts_and_a_url_two_slashes() {
    for (text, is_one) in [
        ("eyJhbGciOiJFZERTQSJ9.eyJhIjoxfQ.c2ln", true),
        ("eyJa.b.c", true),
        ("eyJa_-9.b.", true),
        ("eyJa.b", false),
        ("eyJa.b.c.d", false),
        ("eyJa.b c.d", false),
        ("eyJ!.b.c", false),
        ("eyJa.!.c", false),
        ("eyJa.b.!", false),
        ("eya.b.c", false),
        ("see https://a.example/?token=x", true),
        ("see: a.example/?page=x", false),
        ("note: 1//2", false),
    ] {
        assert_eq!(secret::in_value(text).is_some(), is_one, "{text}");
    }
}

/// A feed is read to its limit, to the byte, however it comes.
#[test]
fn a_feed_is_read_to_its_limit() {
    let feed = format!("{LINE}\n{}\n", LINE.replace("\"1\"", "\"2\""));
    let len = feed.len() as u64;
    for (max_bytes, products, is_too_long) in
        [(len + 1, 2, false), (len, 2, false), (len - 1, 1, true), (len / 2, 1, true), (len / 2 - 1, 0, true)]
    {
        for size in [1, 100, feed.len()] {
            let mut reader = FeedReader::new([7; 16], FeedOptions::default().max_bytes(max_bytes));
            let mut read = 0;
            for mut chunk in feed.as_bytes().chunks(size) {
                while reader.next_line(&mut chunk).is_some() {
                    read += 1;
                }
            }
            let _ = reader.last_line();
            let summary = reader.summary();
            assert_eq!((read, summary.products()), (products, products), "{max_bytes} by {size}");
            let found = summary.findings().iter().any(|finding| finding.code() == Code::FeedTooLong);
            assert_eq!((found, summary.is_valid()), (is_too_long, !is_too_long), "{max_bytes} by {size}");
        }
    }
}

/// Each page and feed under its own title.
#[test]
fn llms_txt_names_each_feed() {
    let builder = ManifestBuilder::new("A", "https://a.example", "en")
        .updated_at(time("2026-02-20T00:00:00Z"))
        .topic("t");
    let manifest = builder
        .version_0_2()
        .products_feed("https://a.example/1")
        .offers_feed("https://a.example/2")
        .delta_feed("https://a.example/3")
        .localized("de", &[("faq", "https://a.example/de")])
        .build()
        .unwrap();
    let text = llms_txt(&manifest);
    let (_, behind) = text.split_once("## Pages\n\n").unwrap();
    let expected = "\
- [Products](https://a.example/llm/products): products by category, with prices
- [Policies](https://a.example/llm/policies): shipping, returns, warranty, payment
- [FAQ](https://a.example/llm/faq): questions and answers
- [About](https://a.example/llm/about): who this is and how to get in touch

## Pages in de

- [FAQ](https://a.example/de): questions and answers

## Feeds

- [Product feed](https://a.example/1): all products, one JSON object a line
- [Offers](https://a.example/2): current offers as JSON
- [Product changes](https://a.example/3): changed products, one JSON object a line

## Optional

- [llmindex manifest](https://a.example/.well-known/llmindex.json): this index for programs
";
    assert_eq!(behind, expected);
}
