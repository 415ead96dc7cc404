//! Delta feeds against a plain oracle: a map of products.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed test may panic"
)]

use std::collections::BTreeMap;

use llmindex_types::web_values::Timestamp;
use llmindex_types::{
    Availability, Code, DeltaBase, DeltaChange, DeltaError, DeltaErrorKind, DeltaReader, DeltaSummary,
    DeltaWriter, FeedOptions, FeedReader, Limits, Manifest, ManifestBuilder, ProductBuilder,
};
use proptest::prelude::*;

const KEY: [u8; 16] = [5; 16];

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_parts(1_771_000_000 + seconds, 0).unwrap()
}

fn base(since: i64, until: i64) -> DeltaBase {
    DeltaBase::new(time(since)..=time(until)).unwrap()
}

fn product(id: u8, at: i64, price: u32) -> String {
    let product = ProductBuilder::new(
        &format!("P{id}"),
        "Boots",
        "https://shoes.example/p",
        Availability::InStock,
        time(at),
    );
    product.price(&price.to_string(), "EUR").build().unwrap().to_json()
}

fn deletion(id: u8, at: i64) -> String {
    let (mut writer, mut line) = (DeltaWriter::new(KEY), Vec::new());
    writer.delete(&format!("P{id}"), time(at), &mut line).unwrap();
    String::from_utf8(line).unwrap().trim_end().to_owned()
}

/// Applies a delta, both feeds cut into chunks of so many bytes: the new feed's lines, and what came of it.
fn apply(
    held: &str,
    delta: &str,
    base: &DeltaBase,
    held_at: Timestamp,
    cut: usize,
) -> Result<(Vec<String>, DeltaSummary), DeltaError> {
    let mut reader = DeltaReader::new(KEY, base, held_at, FeedOptions::default())?;
    for mut chunk in delta.as_bytes().chunks(cut) {
        while reader.next_line(&mut chunk).is_some() {}
    }
    let _last = reader.last_line();
    let mut lines = Vec::new();
    let mut held_lines = reader.finish()?.apply();
    for mut chunk in held.as_bytes().chunks(cut) {
        while let Some(line) = held_lines.next_line(&mut chunk) {
            lines.push(line.to_owned());
        }
    }
    lines.extend(held_lines.last_line().map(str::to_owned));
    let mut changed = held_lines.changes();
    for mut chunk in delta.as_bytes().chunks(cut) {
        while let Some(line) = changed.next_line(&mut chunk) {
            lines.push(line.to_owned());
        }
    }
    lines.extend(changed.last_line().map(str::to_owned));
    Ok((lines, changed.finish()?))
}

/// One line of a delta: the product's number, its time, its price; none where it is deleted.
type Line = (u8, i64, Option<u32>);

fn text_of(lines: &[Line]) -> String {
    let line =
        |&(id, at, price): &Line| price.map_or_else(|| deletion(id, at), |price| product(id, at, price));
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What the rules say, product by product.
fn expected(held: &BTreeMap<u8, (i64, u32)>, delta: &[Line]) -> BTreeMap<u8, (i64, u32)> {
    let mut newest: BTreeMap<u8, (i64, Option<u32>)> = BTreeMap::new();
    for &(id, at, price) in delta {
        let entry = newest.entry(id).or_insert((at, price));
        if at >= entry.0 {
            *entry = (at, price);
        }
    }
    let mut all = held.clone();
    for (id, (at, price)) in newest {
        if held.get(&id).is_some_and(|held| held.0 > at) {
            continue;
        }
        match price {
            Some(price) => all.insert(id, (at, price)),
            None => all.remove(&id),
        };
    }
    all
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

proptest! {
    #[test]
    fn a_delta_does_what_the_oracle_does(
        held in proptest::collection::btree_map(0_u8..8, (0_i64..20, 1_u32..5), 0..8),
        delta in proptest::collection::vec((0_u8..10, 0_i64..20, proptest::option::of(1_u32..5)), 0..12),
        cut in 1_usize..300,
        blank in any::<bool>(),
    ) {
        let held_lines: Vec<_> = held.iter().map(|(&id, &(at, price))| product(id, at, price)).collect();
        let mut held_text = held_lines.join("\n");
        let mut delta_text = text_of(&delta);
        if blank {
            // Blank lines, line ends of other systems and a byte order mark change nothing.
            held_text = format!("\u{feff}{}\r\n\n", held_text.replace('\n', "\r\n"));
            delta_text = format!("{}\n \n", delta_text.replace('\n', "\n\n"));
        }
        let base = base(0, 20);
        let (lines, summary) = apply(&held_text, &delta_text, &base, time(0), cut).unwrap();
        let products = expected(&held, &delta);
        let wanted: Vec<_> = products.iter().map(|(&id, &(at, price))| product(id, at, price)).collect();
        prop_assert_eq!(sorted(lines.clone()), sorted(wanted));
        prop_assert_eq!(summary.kept + summary.replaced + summary.added, lines.len() as u64);
        prop_assert_eq!(summary.kept + summary.replaced + summary.deleted, held.len() as u64);
        prop_assert_eq!(summary.feed_updated_at.instant(), time(20).instant());
        // Held lines that stay come first and keep their order.
        let kept: Vec<_> = held_lines.iter().filter(|line| lines[..summary.kept as usize].contains(line)).collect();
        prop_assert_eq!(kept, lines[..summary.kept as usize].iter().collect::<Vec<_>>());
        // A second time changes nothing, from the state that the first one led to.
        let (again, second) = apply(&lines.join("\n"), &delta_text, &base, summary.feed_updated_at, cut).unwrap();
        prop_assert_eq!(&again, &lines);
        prop_assert_eq!((second.added, second.deleted), (0, 0));
    }
}

#[test]
fn a_delta_against_another_state_is_refused_before_it_is_read() {
    for (since, until, held, verdict) in [
        (10, 20, 9, Err(DeltaErrorKind::Gap)),
        (10, 20, 10, Ok(())),
        (10, 20, 20, Ok(())),
        (10, 20, 21, Err(DeltaErrorKind::Older)),
    ] {
        let reader = DeltaReader::new(KEY, &base(since, until), time(held), FeedOptions::default());
        assert_eq!(reader.map(drop).map_err(|error| error.kind()), verdict, "{since}..{until} on {held}");
    }
    let inverted = DeltaBase::new(time(2)..=time(1)).unwrap_err();
    assert_eq!(inverted.kind(), DeltaErrorKind::Inverted);
    assert!(inverted.to_string().contains("expected a delta that ends after 2026-"), "{inverted}");
}

fn manifest(delta: Option<&str>, updated: bool) -> Manifest {
    let mut builder = ManifestBuilder::new("Shoes", "https://shoes.example", "en")
        .updated_at(time(0))
        .topic("shoes")
        .version_0_2();
    if let Some(delta) = delta {
        builder = builder.delta_feed(delta);
    }
    if updated {
        builder = builder.feed_updated_at(time(100));
    }
    builder.build().unwrap()
}

#[test]
fn the_manifest_says_what_a_delta_covers() {
    for (delta, updated, verdict) in [
        (Some("https://a.example/d?since=2026-02-13T16:26:45Z"), true, Ok(())),
        (Some("https://a.example/d?x=1&since=2026-02-13T17%3A26%3A45%2B01:00"), true, Ok(())),
        (Some("https://a.example/d?since=2026-02-13T17:26:45+01:00"), true, Ok(())),
        (Some("https://a.example/d"), true, Err(DeltaErrorKind::NoSince)),
        (Some("https://a.example/d?since=yesterday"), true, Err(DeltaErrorKind::NoSince)),
        (
            Some("https://a.example/d?since=2026-02-13T16:26:45Z&since=2026-02-13T16:26:45Z"),
            true,
            Err(DeltaErrorKind::NoSince),
        ),
        (Some("https://a.example/d?since=2026-02-13T16:26:45Z"), false, Err(DeltaErrorKind::NoUntil)),
        (Some("https://a.example/d?since=2027-02-13T16:26:45Z"), true, Err(DeltaErrorKind::Inverted)),
        (None, true, Err(DeltaErrorKind::NoDelta)),
    ] {
        let base: Result<DeltaBase, DeltaError> = DeltaBase::of_manifest(&manifest(delta, updated));
        assert_eq!(base.as_ref().map(drop).map_err(DeltaError::kind), verdict, "{delta:?}");
        if let Ok(base) = base {
            assert_eq!(
                (base.since().instant(), base.until().instant()),
                (time(5).instant(), time(100).instant())
            );
        }
    }
}

#[test]
fn lines_with_an_error_change_nothing_and_the_state_stays_old() {
    let held = product(1, 1, 1);
    for (bad, path, code) in [
        ("{", "", Code::NotJson),
        (r#"{"id":"P1","deleted":true}"#, "/updated_at", Code::MissingMember),
        (r#"{"deleted":true,"updated_at":"2026-02-21T00:00:00Z"}"#, "/id", Code::MissingMember),
        (r#"{"id":"P1","deleted":"true","updated_at":"2026-02-21T00:00:00Z"}"#, "/deleted", Code::WrongType),
        (r#"{"id":"P1","deleted":true,"updated_at":"today"}"#, "/updated_at", Code::TimestampMalformed),
    ] {
        let delta = format!("{bad}\n{}", product(2, 5, 2));
        let mut reader = DeltaReader::new(KEY, &base(0, 9), time(0), FeedOptions::default()).unwrap();
        let mut chunk = delta.as_bytes();
        let line = reader.next_line(&mut chunk).unwrap();
        let found: Vec<_> = line.findings().iter().map(|finding| (finding.path(), finding.code())).collect();
        assert_eq!(found, [(path, code)], "{bad}");
        assert!(line.change().is_none());
        let (lines, summary) = apply(&held, &delta, &base(0, 9), time(0), 64).unwrap();
        assert_eq!(lines, [held.clone(), product(2, 5, 2)]);
        assert_eq!(summary.feed_updated_at, time(0));
    }
    // What is no product any more is dropped from the held feed.
    let (lines, summary) = apply("{}\nno json", &product(2, 5, 2), &base(0, 9), time(0), 9).unwrap();
    assert_eq!((lines.len(), summary.dropped), (1, 2));
    assert!(
        summary.to_string().starts_with("0 kept, 0 replaced, 0 deleted, 1 added, 0 stale, 2 dropped, as of ")
    );
}

#[test]
fn a_line_says_what_it_changes() {
    let delta = format!("{}\n{}\n", product(1, 1, 1), deletion(2, 1));
    let mut reader = DeltaReader::new(KEY, &base(0, 9), time(0), FeedOptions::default()).unwrap();
    let mut chunk = delta.as_bytes();
    let put = reader.next_line(&mut chunk).and_then(|line| line.change()).unwrap();
    assert!(matches!(put, DeltaChange::Put(product) if product.text("id").unwrap() == "P1"));
    let delete = reader.next_line(&mut chunk).and_then(|line| line.change()).unwrap();
    assert!(matches!(delete, DeltaChange::Delete(id) if id == "P2"));
    assert_eq!(reader.summary().products(), 2);
    let delta = reader.finish().unwrap();
    assert_eq!((delta.len(), delta.is_empty()), (2, false));
    let nothing =
        DeltaReader::new(KEY, &base(0, 9), time(0), FeedOptions::default()).unwrap().finish().unwrap();
    assert_eq!((nothing.len(), nothing.is_empty()), (0, true));
    // To a reader of whole feeds a deletion is a line that is no product.
    let mut feed = FeedReader::new(KEY, FeedOptions::default());
    assert!(!feed.line(deletion(2, 1).as_bytes()).unwrap().is_valid());
}

#[test]
fn part_of_a_delta_is_never_applied() {
    let delta = [product(1, 1, 1), product(2, 1, 1)].join("\n");
    let finish = |options: FeedOptions| {
        let mut reader = DeltaReader::new(KEY, &base(0, 9), time(0), options).unwrap();
        let mut chunk = delta.as_bytes();
        while reader.next_line(&mut chunk).is_some() {}
        let _last = reader.last_line();
        reader.finish().map(drop).map_err(|error| error.kind())
    };
    assert_eq!(finish(FeedOptions::default().max_ids(2)), Ok(()));
    assert_eq!(finish(FeedOptions::default().max_ids(1)), Err(DeltaErrorKind::TooManyIds));
    assert_eq!(
        finish(FeedOptions::default().max_bytes(delta.len() as u64 - 1)),
        Err(DeltaErrorKind::TooLong)
    );

    // A second reading that gives something else is noticed.
    let mut reader = DeltaReader::new(KEY, &base(0, 9), time(0), FeedOptions::default()).unwrap();
    let mut chunk = delta.as_bytes();
    while reader.next_line(&mut chunk).is_some() {}
    let _last = reader.last_line();
    let mut changed = reader.finish().unwrap().apply().changes();
    let other = product(3, 1, 1);
    assert_eq!(changed.next_line(&mut &*format!("{other}\n").into_bytes()), None);
    assert_eq!(changed.finish().unwrap_err().kind(), DeltaErrorKind::Changed);
}

#[test]
fn memory_is_that_of_the_deltas_identifiers() {
    let wide = |n: u32| product((n % 200) as u8, 1, n).replace("\"P", &format!("\"{n}-P"));
    let delta: String = (0..1_000).map(|n| wide(n) + "\n").collect();
    let peak = |held: u32| {
        let used = allocation_counter::measure(|| {
            let mut reader = DeltaReader::new(KEY, &base(0, 9), time(0), FeedOptions::default()).unwrap();
            let mut chunk = delta.as_bytes();
            while reader.next_line(&mut chunk).is_some() {}
            let mut lines = reader.finish().unwrap().apply();
            for n in 0..held {
                let line = wide(n) + "\n";
                let _line = lines.next_line(&mut line.as_bytes());
            }
            let mut changed = lines.changes();
            let mut chunk = delta.as_bytes();
            while changed.next_line(&mut chunk).is_some() {}
            assert_eq!(changed.finish().unwrap().replaced, u64::from(held.min(1_000)));
        });
        used.bytes_max
    };
    let (small, large) = (peak(1_000), peak(4_000));
    assert!(large <= small + 4_096, "{small} bytes became {large} with four times the held products");
    assert!(large <= 138 * 1_000 + (16 << 10), "{large} bytes");
}

#[test]
fn a_written_delta_reads_back() {
    let (mut writer, mut delta) = (DeltaWriter::new(KEY), Vec::new());
    writer.delete("P1", time(3), &mut delta).unwrap();
    let error = writer.delete("P1", time(4), &mut delta).unwrap_err();
    assert_eq!(error.report().findings()[0].code(), Code::DuplicateId);
    assert!(writer.delete("", time(3), &mut delta).is_err());
    let boots = ProductBuilder::new("P2", "Boots", "https://a.example/p", Availability::Preorder, time(3));
    writer.put(&boots.price("1", "EUR").build().unwrap(), &mut delta).unwrap();
    let text = String::from_utf8(delta).unwrap();
    assert_eq!(text.lines().count(), 2);
    let held = product(1, 1, 1);
    let (lines, summary) = apply(&held, &text, &base(0, 9), time(0), 7).unwrap();
    assert_eq!((lines.len(), summary.deleted, summary.added), (1, 1, 1));
    let limits = Limits::PRODUCT.with_max_bytes(10);
    let options = FeedOptions::default().line_limits(limits);
    let mut reader = DeltaReader::new(KEY, &base(0, 9), time(0), options).unwrap();
    let mut chunk = text.as_bytes();
    assert_eq!(reader.next_line(&mut chunk).unwrap().findings()[0].code(), Code::TooLong);
}

/// A delta that does not fit says which times it compared.
#[test]
fn a_delta_for_another_state_says_since_when() {
    let words =
        |since: i64, until: i64, held: i64| base(since, until).check(time(held)).unwrap_err().to_string();
    let at = |seconds: i64| time(seconds).to_string();
    assert_eq!(
        words(10, 20, 9),
        format!("expected a delta since {} or earlier, found one since {}", at(9), at(10))
    );
    assert_eq!(
        words(10, 20, 21),
        format!("expected a delta until {} or later, found one until {}", at(21), at(20))
    );
    let inverted = DeltaBase::new(time(20)..=time(10)).unwrap_err().to_string();
    assert_eq!(inverted, format!("expected a delta that ends after {}, found one until {}", at(20), at(10)));
}
