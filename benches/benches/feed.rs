//! llmindex: the product feed beside serde_json, the checks of manifest and product beside jsonschema.
//!
//! jsonschema's peers read the bytes into a `serde_json::Value` and ask a compiled schema, formats (`uri`, `date-time`)
//! included, whether it is valid. Ours gives a report: that of a valid text is empty.
//!
//! The feed's peers read each line into a struct and check nothing; ours checks every member and every identifier. The
//! peers get the whole feed at once, ours 64 KiB chunks. `borrowed` copies no string that has no escapes, `owned` is the
//! struct that most programs would write.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::hint::black_box;

use benches::Comparison;
use llmindex_types::{
    FeedOptions, FeedReader, MANIFEST_SCHEMA, Options, PRODUCT_SCHEMA, validate, validate_product_line,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[expect(dead_code, reason = "the point is to fill them")]
struct Borrowed<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow)]
    image_url: Option<Cow<'a, str>>,
    price: Option<f64>,
    #[serde(borrow)]
    currency: Option<Cow<'a, str>>,
    price_range: Option<Range>,
    #[serde(borrow)]
    availability: Cow<'a, str>,
    #[serde(borrow)]
    brand: Option<Cow<'a, str>>,
    #[serde(borrow)]
    category: Option<Cow<'a, str>>,
    #[serde(borrow)]
    updated_at: Cow<'a, str>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "the point is to fill them")]
struct Owned {
    id: String,
    title: String,
    url: String,
    image_url: Option<String>,
    price: Option<f64>,
    currency: Option<String>,
    price_range: Option<Range>,
    availability: String,
    brand: Option<String>,
    category: Option<String>,
    updated_at: String,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "the point is to fill them")]
struct Range {
    min: f64,
    max: f64,
    currency: String,
}

/// A feed of so many products, made by a seeded generator: about 330 bytes a line, one in eight with a range, one in
/// sixteen with characters beyond ASCII, one in thirty-two with an escape.
fn feed(products: u64) -> Vec<u8> {
    let mut feed = String::new();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for n in 0..products {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = state >> 33;
        let title = match bits % 32 {
            0 => "Wool \\\"Nordic\\\" cap",
            1 | 2 => "Mütze für den Winter",
            3..=12 => "Waxed cotton jacket with a hood",
            _ => "Leather boots, waterproof",
        };
        let category = ["Shoes", "Jackets", "Hats", "Accessories"][(bits % 4) as usize];
        let cents = bits % 100;
        let euros = bits / 100 % 500;
        let _ = write!(
            feed,
            "{{\"id\":\"shop-{n:08}\",\"title\":\"{title} {n}\",\"url\":\"https://shop.example/products/{category}/{n}\",\
             \"image_url\":\"https://cdn.shop.example/img/{n}/main.jpg\","
        );
        let _ = if bits.is_multiple_of(8) {
            write!(
                feed,
                "\"price_range\":{{\"min\":{euros}.{cents:02},\"max\":{}.00,\"currency\":\"EUR\"}},",
                euros + 10
            )
        } else {
            write!(feed, "\"price\":{euros}.{cents:02},\"currency\":\"EUR\",")
        };
        let _ = writeln!(
            feed,
            "\"availability\":\"in_stock\",\"brand\":\"Northwind\",\"category\":\"{category}\",\
             \"updated_at\":\"2026-02-{:02}T{:02}:{:02}:00Z\"}}",
            1 + bits % 28,
            bits % 24,
            bits % 60
        );
    }
    feed.into_bytes()
}

fn lines(feed: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr::memchr_iter(b'\n', feed).map(move |end| {
        let line = &feed[start..end];
        start = end + 1;
        line
    })
}

fn ours(feed: &[u8], options: FeedOptions) -> u64 {
    let mut reader = FeedReader::new([3; 16], options);
    let mut products = 0;
    for mut chunk in feed.chunks(64 << 10) {
        while let Some(line) = reader.next_line(&mut chunk) {
            products += u64::from(line.is_valid() && line.findings().is_empty());
        }
    }
    assert!(reader.last_line().is_none());
    products
}

fn feeds() {
    for products in [10_000, 1_000_000] {
        let feed = feed(products);
        Comparison::new("feed", format!("{products} products"))
            .rounds(if products > 100_000 { 4 } else { 30 })
            .ours("llmindex-types", || ours(&feed, FeedOptions::default()))
            .ours("llmindex-types, ids not compared", || ours(&feed, FeedOptions::default().max_ids(0)))
            .peer("serde_json owned", || {
                lines(&feed).filter(|line| black_box(serde_json::from_slice::<Owned>(line)).is_ok()).count()
                    as u64
            })
            .peer("serde_json borrowed", || {
                lines(&feed)
                    .filter(|line| black_box(serde_json::from_slice::<Borrowed<'_>>(line)).is_ok())
                    .count() as u64
            })
            .run();
    }
}

const MINIMAL: &str = r#"{"version":"0.1","updated_at":"2026-02-20T00:00:00Z","entity":{"name":"Minimal Example",
"canonical_url":"https://example.com"},"language":"en","topics":["general"],"endpoints":{
"products":"https://example.com/llm/products","policies":"https://example.com/llm/policies",
"faq":"https://example.com/llm/faq","about":"https://example.com/llm/about"}}"#;

const FULL: &str = r#"{
  "version": "0.2",
  "updated_at": "2026-02-22T10:00:00Z",
  "feed_updated_at": "2026-02-22T08:00:00Z",
  "entity": { "name": "Full Example", "canonical_url": "https://shop.example" },
  "language": "en",
  "languages": ["en", "es", "zh-CN"],
  "topics": ["shoes", "repair", "winter sports"],
  "endpoints": {
    "products": "https://shop.example/llm/products",
    "policies": "https://shop.example/llm/policies",
    "faq": "https://shop.example/llm/faq",
    "about": "https://shop.example/llm/about"
  },
  "localized_endpoints": {
    "es": { "products": "https://shop.example/llm/es/products", "about": "https://shop.example/llm/es/about" },
    "zh-CN": { "products": "https://shop.example/llm/zh/products" }
  },
  "feeds": {
    "products_jsonl": "https://shop.example/feed/products.jsonl",
    "products_jsonl_delta": "https://shop.example/feed/delta.jsonl?since=2026-02-21T00:00:00Z",
    "offers_json": "https://shop.example/feed/offers.json"
  },
  "access_control": {
    "allow": ["*"], "deny": ["BadBot"], "rate_limit": "1000/day", "requires_attribution": true,
    "commercial_use": "allowed"
  },
  "license": "CC-BY-4.0",
  "verify": { "method": "dns_txt", "value": "shop-example-challenge" },
  "sig": { "alg": "EdDSA", "kid": "2026-01", "jws": "e30..c2ln" }
}"#;

const PRODUCT: &str = r#"{"id":"shop-00000001","title":"Leather boots, waterproof 1",
"url":"https://shop.example/products/Shoes/1","image_url":"https://cdn.shop.example/img/1/main.jpg","price":129.95,
"currency":"EUR","availability":"in_stock","brand":"Northwind","category":"Shoes","updated_at":"2026-02-15T08:00:00Z"}"#;

fn compiled(schema: &str) -> jsonschema::Validator {
    let schema = serde_json::from_str(schema).expect("our schema is JSON");
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("our schema is one")
}

/// Both from bytes.
fn products() {
    let compiled = compiled(PRODUCT_SCHEMA);
    Comparison::new("product", "one line")
        .rounds(200)
        .ours("llmindex-types", || {
            validate_product_line(PRODUCT.as_bytes(), &Options::for_product())
                .is_ok_and(|report| report.is_valid())
        })
        .peer("jsonschema from bytes", || {
            serde_json::from_slice(PRODUCT.as_bytes()).is_ok_and(|json| compiled.is_valid(&json))
        })
        .run();
}

/// Both from bytes, and the schema beside it on a tree that was read before.
fn manifests() {
    let compiled = compiled(MANIFEST_SCHEMA);
    for (case, text) in [("minimal", MINIMAL), ("full 0.2", FULL)] {
        let tree: serde_json::Value = serde_json::from_str(text).expect("it is JSON");
        Comparison::new("manifest", case)
            .rounds(200)
            .ours("llmindex-types", || {
                validate(text.as_bytes(), &Options::default()).is_ok_and(|report| report.is_valid())
            })
            .peer("jsonschema from bytes", || {
                serde_json::from_slice(text.as_bytes()).is_ok_and(|json| compiled.is_valid(&json))
            })
            .peer("jsonschema from bytes, all errors", || {
                serde_json::from_slice(text.as_bytes())
                    .is_ok_and(|json| compiled.iter_errors(&json).next().is_none())
            })
            .peer("jsonschema on a tree", || compiled.is_valid(&tree))
            .run();
    }
}

fn main() {
    manifests();
    products();
    feeds();
}
