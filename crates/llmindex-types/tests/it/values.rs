//! What a reader, a report and a text say of themselves, and both sides of small rules.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests say what they expect in the plainest way"
)]

use std::cmp::Ordering;

use llmindex_types::web_values::{Timestamp, UnixSeconds};
use llmindex_types::{
    Code, FeedOptions, FeedReader, Limits, LlmindexTextErrorKind, ManifestBuilder, ManifestText, Mode,
    Options, Version, read, secret, validate,
};

const VALID: &str = r#"{"version":"0.1","updated_at":"2026-02-20T00:00:00Z","entity":{"name":"A","canonical_url":"https://a.example"},"language":"en","topics":["t"],"endpoints":{"products":"https://a.example/p","policies":"https://a.example/o","faq":"https://a.example/f","about":"https://a.example/a"}}"#;
const PRODUCT: &str = r#"{"id":"1","title":"t","url":"https://a.example/1","price":1,"currency":"EUR","availability":"in_stock","updated_at":"2026-02-20T00:00:00Z","x":1}"#;

/// A missing number is 0, and the first that differs decides.
#[test]
fn versions_are_compared_number_by_number() {
    for (a, b, order) in [
        ("0.1", "0.1", Ordering::Equal),
        ("0.1", "0.1.0", Ordering::Equal),
        ("0.1", "0.1.1", Ordering::Less),
        ("0.10", "0.9", Ordering::Greater),
        ("1", "0.9.9", Ordering::Greater),
    ] {
        let (one, other) = (Version::from_text(a), Version::from_text(b));
        assert_eq!(one.compare(&other), Some(order), "{a} {b}");
        assert_eq!(other.compare(&one), Some(order.reverse()), "{b} {a}");
    }
}

/// A valid manifest is whole; what can be read of a broken one is handed out in the lenient mode alone.
#[test]
fn a_reading_has_its_parts() {
    let broken = VALID.replace("\"language\":\"en\",", "");
    for (mode, text, is_whole, is_partial) in [
        (Mode::Strict, VALID, true, false),
        (Mode::Strict, &broken, false, false),
        (Mode::Lenient, VALID, true, true),
        (Mode::Lenient, &broken, false, true),
        (Mode::Lenient, "[]", false, false),
    ] {
        let reading = read(text.as_bytes(), &Options::default().mode(mode)).unwrap();
        assert_eq!(reading.manifest().is_some(), is_whole, "{text}");
        assert_eq!(reading.report().is_valid(), is_whole, "{text}");
        assert_eq!(reading.partial().is_some(), is_partial, "{text}");
        assert!(reading.report().findings().iter().all(|finding| finding.message().starts_with("expected ")));
    }
}

#[test]
fn a_text_gives_its_members_before_it_is_checked() {
    let text = ManifestText::parse(VALID.as_bytes(), &Limits::MANIFEST).unwrap();
    assert_eq!(text.string("version").as_deref(), Some("0.1"));
    assert_eq!((text.string("topics"), text.string("none")), (None, None));
    assert_eq!(text.updated_at(), Timestamp::parse("2026-02-20T00:00:00Z").ok());
}

/// Half a character as an escape is text that JSON allows; as three bytes it is not UTF-8.
#[test]
fn half_a_character_is_told_by_how_it_is_written() {
    let kind = |bytes: &[u8]| ManifestText::parse(bytes, &Limits::MANIFEST).map(drop).unwrap_err().kind();
    assert_eq!(kind(b"{\"a\":\"\xed\xa0\x80\"}"), LlmindexTextErrorKind::NotUtf8);
}

/// The mode of a feed's reader is that of its lines.
#[test]
fn a_feed_is_read_in_its_mode() {
    for (mode, is_valid) in [(Mode::Strict, false), (Mode::Lenient, true)] {
        let mut reader = FeedReader::new([0; 16], FeedOptions::default().mode(mode));
        let mut rest = PRODUCT.as_bytes();
        assert!(reader.next_line(&mut rest).is_none());
        let line = reader.last_line().unwrap();
        let errors = line.findings().iter().any(web_values::Finding::is_error);
        assert_eq!(!errors, is_valid, "{mode:?} {:?}", line.findings());
    }
}

/// A date may be five minutes ahead, and a feed seven days old.
#[test]
fn ages_have_their_bounds() {
    let updated = Timestamp::parse("2026-02-20T00:00:00Z").unwrap();
    let manifest = ManifestBuilder::new("Shoes", "https://shoes.example", "en")
        .updated_at(updated)
        .topic("shoes")
        .version_0_2()
        .products_feed("https://shoes.example/feed")
        .feed_updated_at(updated)
        .build()
        .unwrap();
    let at = u64::try_from(updated.unix_seconds()).unwrap();
    let week = 7 * 24 * 60 * 60;
    for (now, codes) in [
        (at - 301, &[Code::TimestampInFuture, Code::TimestampInFuture][..]),
        (at - 300, &[]),
        (at + week, &[]),
        (at + week + 1, &[Code::FeedStale]),
    ] {
        let found: Vec<_> =
            manifest.check_age(UnixSeconds(now)).iter().map(llmindex_types::ManifestFinding::code).collect();
        assert_eq!(found, codes, "{now}");
    }
}

/// However long a list is, a name that it has twice is told.
#[test]
fn a_name_is_found_again_in_a_long_list() {
    let topics = |names: &[String]| {
        let list: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let text = VALID.replace("[\"t\"]", &format!("[{}]", list.join(",")));
        validate(text.as_bytes(), &Options::default()).unwrap().findings().len()
    };
    let names: Vec<String> = (0..12).map(|n| format!("topic {n}")).collect();
    assert_eq!(topics(&names), 0);
    for repeated in [0, 7, 8, 10, 11] {
        let mut names = names.clone();
        names.push(names[repeated].clone());
        assert_eq!(topics(&names), 1, "{repeated}");
    }
}

/// Case that changes as it does in no word tells a key from a text.
#[test]
fn letters_of_either_case_in_turns_are_no_word() {
    assert!(secret::in_value("aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF").is_some());
    assert!(secret::in_value("abcdefghijklmnopqrstuvwxyzabcdef").is_none());
    assert!(secret::in_value("AbsolutelyNothingHereIsSecretYouKnow").is_none());
}
