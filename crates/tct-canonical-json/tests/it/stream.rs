//! The stream: any split gives the same events, and they are those of the reader.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use crate::support;

use proptest::prelude::*;
use support::{choices, documents, spell};
use tct_canonical_json::{
    JsonErrorKind as Kind, JsonEvent, JsonEvents, JsonKind, JsonReader, JsonStream, JsonValue,
};

/// An event as text: enough to compare by.
fn note(event: &JsonEvent<'_>, offset: u64) -> String {
    match event {
        JsonEvent::ObjectStart => format!("{{@{offset}"),
        JsonEvent::ObjectEnd => format!("}}@{offset}"),
        JsonEvent::ArrayStart => format!("[@{offset}"),
        JsonEvent::ArrayEnd => format!("]@{offset}"),
        JsonEvent::Name(name) => format!("name {} {}@{offset}", name.raw(), name.as_str()),
        JsonEvent::Value(value) => format!("value {:?} {}@{offset}", value.kind(), value.raw()),
        JsonEvent::Recognised(text) => format!("value Recognised {text}@{offset}"),
        JsonEvent::Skipped => format!("skipped@{offset}"),
        JsonEvent::Refused(error) => format!("refused {:?} {:?}@{offset}", error.kind(), error.offset()),
    }
}

/// How a value is asked for, by the depth around it.
pub(crate) type Ask = fn(usize) -> u8;

fn next<'e>(
    events: &'e mut JsonEvents<'_>,
    ask: Ask,
) -> Result<Option<JsonEvent<'e>>, tct_canonical_json::JsonError> {
    match ask(events.depth()) {
        0 => events.next(),
        1 => events.next_whole(),
        _ => events.skip_next(JsonReader::DEFAULT_MAX_DEPTH),
    }
}

/// All events of a text in pieces, and the error that ended it.
fn events_of(reader: JsonReader, pieces: &[&[u8]], ask: Ask) -> (Vec<String>, Option<(Kind, usize)>) {
    run(JsonStream::new(reader), pieces, ask)
}

pub(crate) fn run(
    mut stream: JsonStream,
    pieces: &[&[u8]],
    ask: Ask,
) -> (Vec<String>, Option<(Kind, usize)>) {
    let mut notes = Vec::new();
    let place = |error: tct_canonical_json::JsonError| Some((error.kind(), error.offset().unwrap()));
    for piece in pieces {
        let mut events = stream.push(piece);
        loop {
            let noted = match next(&mut events, ask) {
                Ok(None) => break,
                Ok(Some(event)) => note(&event, 0),
                Err(error) => return (notes, place(error)),
            };
            let offset = events.offset();
            notes.push(noted.replace("@0", &format!("@{offset}")));
        }
    }
    match stream.finish() {
        Ok(None) => {}
        Ok(Some(event)) => {
            let noted = note(&event, 0);
            notes.push(noted.replace("@0", &format!("@{}", stream.offset())));
            if let Err(error) = stream.finish() {
                return (notes, place(error));
            }
        }
        Err(error) => return (notes, place(error)),
    }
    (notes, None)
}

/// The events that the values of a document amount to.
fn expected(value: JsonValue<'_>, notes: &mut Vec<String>) {
    let span = value.span();
    match value.kind() {
        JsonKind::Array => {
            notes.push(format!("[@{}", span.start));
            value.items().for_each(|item| expected(item, notes));
            notes.push(format!("]@{}", span.end - 1));
        }
        JsonKind::Object => {
            notes.push(format!("{{@{}", span.start));
            for (name, member) in value.members() {
                notes.push(format!("name {} {}@{}", name.raw(), name.as_str(), name.span().start));
                expected(member, notes);
            }
            notes.push(format!("}}@{}", span.end - 1));
        }
        kind => notes.push(format!("value {kind:?} {}@{}", value.raw(), span.start)),
    }
}

pub(crate) fn lenient() -> JsonReader {
    JsonReader::new().report_repeated_names().report_lone_surrogates().report_huge_numbers()
}

/// Every split into pieces of one size, and splits into two.
fn check_splits(reader: JsonReader, text: &[u8], ask: Ask) -> (Vec<String>, Option<(Kind, usize)>) {
    let whole = events_of(reader, &[text], ask);
    for size in [1, 2, 3, 7] {
        let pieces: Vec<&[u8]> = text.chunks(size).collect();
        assert_eq!(events_of(reader, &pieces, ask), whole, "{size}: {}", text.escape_ascii());
    }
    for at in 0..text.len() {
        let pieces = [&text[..at], b"", &text[at..]];
        assert_eq!(events_of(reader, &pieces, ask), whole, "{at}: {}", text.escape_ascii());
    }
    whole
}

#[test]
fn faults_are_those_of_the_reader() {
    for text in [
        &b"[1,]"[..],
        b"{\"a\":1,}",
        b"{\"a\" 1}",
        b"{\"a\":}",
        b"{1:2}",
        b"[1 2]",
        b"[tru]",
        b"nul",
        b"{} x",
        b"1\n2",
        b"",
        b" ",
        b"\xEF\xBB\xBF{}",
        b"[\xFF]",
        b"\"\xC0\xAF\"",
        b"{\"a\":\"\xE2\x82\"}",
        b"\"\xED\xA0\x80\"",
        b"[\xED\xA0\x80",
        b"[\xED\xA0",
        b"\xED",
        b"\"\xED\xA0x\"",
        b"{\"k\":\"\\ud800\"}",
        b"{\"\\udc00\":1}",
        b"\"\\ud800\\u0041\"",
        b"\"a\nb\"",
        b"\"\\x41\"",
        b"\"\\u12\"",
        b"\"\\u12",
        b"\"abc",
        b"01",
        b"-",
        b"1.",
        b"1e+",
        b"1e",
        b"+1",
        b".5",
        b"1.x",
        b"-x",
        b"[1e999]",
        b"1e999",
        b"-1e999",
        b"1-2",
        b"[1.5.5]",
        b"\"caf\xC3\xA9\"\xC2\xA0",
        b"[\xC2\xA0]",
        b"1\xC3\xA9",
        b"[1\xC3\xA9",
        b"[1\xFF",
        b"\"\\ud800\\",
        b"\"\\ud800\\u",
        b"\"\\ud800\\ud8",
        b"\"\\ud800\\ud800\\udc00\"",
        b"\"\\ud800\\n\"",
        b"\"\\ud800\\ux\"",
        b"\"\\ud800",
        b"\"\\ud800x",
        b"\"\\ud800\\\xFF",
        b"]",
        b"[}",
        b"{]",
        b"{\"a\":1]",
        b"{\"a\"",
        b"{\"a\":",
        b"{\"a\":1",
        b"[",
        b"{",
        b"[1",
        b"[1,",
        b"{\"a\":1,",
        b"\"\xC3",
        b"12\xC3",
        b"nu\xC3",
        b"\"\\\xC3\xA9\"",
        b"\"\\u00\xC3\xA9\"",
    ] {
        for reader in [JsonReader::new(), lenient()] {
            let (_, error) = check_splits(reader, text, |_| 0);
            let read = reader.read(text).err().map(|error| (error.kind(), error.offset().unwrap()));
            assert_eq!(error, read, "{}", text.escape_ascii());
        }
        check_splits(lenient(), text, |_| 1);
        check_splits(lenient(), text, |_| 2);
    }
}

#[test]
fn whole_values_are_kept_skipped_or_refused() {
    let text = br#"{"a":[1,{"b":[2]}],"c":"x","d":[[3,[4]],"long long string",5,"\ud800",{"e":1,"e":2}]}"#;
    let (notes, error) =
        check_splits(JsonReader::new().max_bytes(16), text, |depth| if depth == 2 { 1 } else { 0 });
    assert_eq!(error, None);
    let long = text.iter().position(|&byte| byte == b'l').unwrap() - 1;
    assert_eq!(
        notes[8..].iter().map(|note| note.split('@').next().unwrap()).collect::<Vec<_>>(),
        [
            "name \"d\" d",
            "[",
            "value Array [3,[4]]",
            &format!("refused TooLarge Some({})", long + 16),
            "value Number 5",
            &format!("refused LoneSurrogate Some({})", long + 22),
            &format!("refused DuplicateMember Some({})", long + 37),
            "]",
            "}"
        ]
    );
    let (notes, _) = check_splits(JsonReader::new(), text, |depth| if depth == 1 { 2 } else { 0 });
    let kinds: Vec<_> = notes.iter().map(|note| note.split('@').next().unwrap()).collect();
    assert_eq!(
        kinds,
        ["{", "name \"a\" a", "skipped", "name \"c\" c", "skipped", "name \"d\" d", "skipped", "}"]
    );
    let deep = b"[[[1]],[[[2]]],[3]]";
    let (notes, _) =
        check_splits(JsonReader::new().max_depth(2), deep, |depth| if depth == 1 { 1 } else { 0 });
    assert_eq!(notes[2], "refused TooDeep Some(9)@7");
    let (_, error) = check_splits(JsonReader::new().max_depth(2), deep, |_| 0);
    assert_eq!(error, Some((Kind::TooDeep, 2)));
}

#[test]
fn limits_do_not_depend_on_the_split() {
    for text in [
        &b"[\"0123456789\",1]"[..],
        b"{\"0123456789\":1}",
        b"[1234567890]",
        b"[\"012345678\n\"]",
        b"[\"0\\nb\n",
    ] {
        for limit in 1..14 {
            check_splits(JsonReader::new().max_bytes(limit), text, |_| 0);
            check_splits(JsonReader::new().max_bytes(limit), text, |depth| u8::from(depth == 1));
            check_splits(JsonReader::new().max_string_bytes(limit).max_name_bytes(limit), text, |_| 0);
        }
    }
    let (_, error) = check_splits(JsonReader::new().max_bytes(8), b"[\"0123456789\"]", |_| 0);
    assert_eq!(error, Some((Kind::TooLarge, 9)));
    let mut stream = JsonStream::new(JsonReader::new()).max_total_bytes(5);
    drop(stream.push(b"[1,"));
    drop(stream.push(b"2,3]"));
    let error = stream.finish().unwrap_err();
    assert_eq!((error.kind(), error.offset()), (Kind::TooLarge, Some(5)));
    assert_eq!(stream.finish().unwrap_err(), error);
}

#[test]
fn events_that_are_not_asked_for_do_not_derail_the_text() {
    let mut stream = JsonStream::new(JsonReader::new());
    drop(stream.push(b"[1,{\"a\":\"x"));
    let mut events = stream.push(b"yz\"},2]");
    assert!(matches!(events.next(), Ok(Some(JsonEvent::Value(value))) if value.is_str("xyz")));
    drop(events);
    assert!(stream.finish().unwrap().is_none());
}

#[test]
fn known_values_are_handed_out_as_they_are() {
    // Not JSON, which shows that it is not looked at.
    let known = |text: &str| text.starts_with('<').then_some(3);
    let mut stream = JsonStream::new(JsonReader::new());
    let mut notes = Vec::new();
    for piece in [&b"[<a>, <b> ,1,{\"x\":"[..], b"2}", b",<c>]"] {
        let mut events = stream.push(piece);
        loop {
            let event = if events.depth() == 0 { events.next() } else { events.next_recognised(known) };
            let Some(event) = event.unwrap() else { break };
            notes.push(note(&event, 0));
        }
    }
    assert!(stream.finish().unwrap().is_none());
    assert_eq!(
        notes,
        [
            "[@0",
            "value Recognised <a>@0",
            "value Recognised <b>@0",
            "value Number 1@0",
            "value Object {\"x\":2}@0",
            "value Recognised <c>@0",
            "]@0"
        ]
    );
}

/// What is given back at a stop is read when it is pushed again, wherever the text was cut and stopped.
#[test]
fn a_stopped_piece_goes_on_where_it_stopped() {
    let text = "[1,{\"\u{e9}\":[\"x\\u00e9\u{1f600}\",null]} , true,-5e3]".as_bytes();
    let mut all = Vec::new();
    let mut stream = JsonStream::new(JsonReader::new());
    let mut events = stream.push(text);
    while let Some(event) = events.next().unwrap() {
        all.push(note(&event, 0));
    }
    for cut in 0..=text.len() {
        for stop_after in 1..all.len() {
            let (mut notes, mut stream) = (Vec::new(), JsonStream::new(JsonReader::new()));
            for piece in [&text[..cut], &text[cut..]] {
                let mut rest = piece.to_vec();
                loop {
                    let mut events = stream.push(&rest);
                    let mut taken = 0;
                    while taken < stop_after
                        && let Some(event) = events.next().unwrap()
                    {
                        notes.push(note(&event, 0));
                        taken += 1;
                    }
                    let left = events.stop().to_vec();
                    drop(events);
                    if taken < stop_after {
                        assert_eq!(left, b"");
                        break;
                    }
                    rest = left;
                }
            }
            assert!(stream.finish().unwrap().is_none());
            assert_eq!(notes, all, "{cut} {stop_after}");
            assert_eq!(stream.len_bytes(), text.len() as u64);
        }
    }
}

#[test]
fn what_is_behind_a_limit_is_given_back_too() {
    let mut stream = JsonStream::new(JsonReader::new()).max_total_bytes(4);
    let mut events = stream.push(b"[1,23]");
    assert!(matches!(events.next(), Ok(Some(JsonEvent::ArrayStart))));
    let rest = events.stop().to_vec();
    drop(events);
    assert_eq!(rest, b"1,23]");
    let mut events = stream.push(&rest);
    assert!(events.next().is_ok());
    assert_eq!(events.next().unwrap_err().offset(), Some(4));
}

#[test]
fn the_type_of_the_next_value_is_known_by_its_first_byte() {
    let mut stream = JsonStream::new(JsonReader::new());
    let mut events = stream.push(b"{ \"a\" : [ 1, \"x\", {}, null, false, -1, x");
    assert_eq!(events.next_kind(), Some(JsonKind::Object));
    assert!(events.next().is_ok());
    assert_eq!(events.next_kind(), None);
    assert!(matches!(events.next(), Ok(Some(JsonEvent::Name(_)))));
    assert_eq!((events.next_kind(), events.offset()), (Some(JsonKind::Array), 8));
    assert!(events.next().is_ok());
    for (kind, offset) in [
        (JsonKind::Number, 10),
        (JsonKind::String, 13),
        (JsonKind::Object, 18),
        (JsonKind::Null, 22),
        (JsonKind::Bool, 28),
        (JsonKind::Number, 35),
    ] {
        assert_eq!((events.next_kind(), events.offset()), (Some(kind), offset));
        assert!(matches!(events.next_whole(), Ok(Some(JsonEvent::Value(value))) if value.kind() == kind));
    }
    assert_eq!(events.next_kind(), None);
    assert_eq!(events.next().unwrap_err().offset(), Some(39));
}

#[test]
fn a_skipped_value_may_have_a_depth_of_its_own() {
    for (text, is_refused) in [("[[[]]]", false), ("[[[[]]]]", true)] {
        for size in 1..=text.len() {
            let mut stream = JsonStream::new(JsonReader::new().max_depth(2));
            let mut seen = None;
            for piece in text.as_bytes().chunks(size) {
                let mut events = stream.push(piece);
                while let Some(event) = events.skip_next(3).unwrap() {
                    seen = Some(matches!(event, JsonEvent::Refused(_)));
                }
            }
            assert_eq!(seen, Some(is_refused), "{text} {size}");
        }
    }
}

/// A long text in pieces of one byte: linear, and memory that does not grow with it.
#[test]
fn memory_is_that_of_one_value() {
    let item = format!("{{\"url\":\"https://example.com/{}\"}},", "a".repeat(500));
    let text = format!("{{\"items\":[{}0],\"skipped\":[{}0]}}", item.repeat(400), item.repeat(400));
    for size in [1, 1000, usize::MAX] {
        let used = allocation_counter::measure(|| {
            let mut stream = JsonStream::new(JsonReader::new());
            let mut items = 0;
            for piece in text.as_bytes().chunks(size.min(text.len())) {
                let mut events = stream.push(piece);
                loop {
                    let event = if events.depth() == 2 { events.next_whole() } else { events.next() };
                    let Some(event) = event.unwrap() else { break };
                    items += usize::from(matches!(event, JsonEvent::Value(_)));
                }
            }
            assert!(stream.finish().unwrap().is_none());
            assert_eq!(items, 802);
        });
        assert!(used.bytes_max < 10_000, "{size}: {}", used.bytes_max);
    }
}

proptest! {
    #[test]
    fn events_are_those_of_the_reader(document in documents(), seed in any::<u64>()) {
        let mut text = String::new();
        spell(&document, &mut choices(seed), &mut text);
        let read = lenient().read(text.as_bytes()).unwrap();
        let mut notes = Vec::new();
        expected(read.root(), &mut notes);
        if text.len() < 300 {
            prop_assert_eq!(check_splits(lenient(), text.as_bytes(), |_| 0), (notes, None));
            check_splits(lenient(), text.as_bytes(), |depth| u8::from(depth == 1));
            check_splits(lenient(), text.as_bytes(), |depth| if depth == 1 { 2 } else { 0 });
        } else {
            prop_assert_eq!(events_of(lenient(), &[text.as_bytes()], |_| 0), (notes, None));
        }
    }

    #[test]
    fn damaged_texts_stop_where_the_reader_stops(
        document in documents(), seed in any::<u64>(), bytes in prop::collection::vec(any::<u8>(), 0..3)
    ) {
        let mut text = String::new();
        let mut choices = choices(seed);
        spell(&document, &mut choices, &mut text);
        let mut damaged = text.into_bytes();
        damaged.truncate(200);
        let at = choices(damaged.len());
        match choices(3) {
            0 => damaged.truncate(at),
            1 => damaged.splice(at..=at, bytes.iter().copied()).for_each(drop),
            _ => damaged.splice(at..at, bytes.iter().copied()).for_each(drop),
        }
        for reader in [lenient(), JsonReader::new().report_repeated_names()] {
            let (_, error) = check_splits(reader, &damaged, |_| 0);
            let read = reader.read(&damaged).err().map(|error| (error.kind(), error.offset().unwrap()));
            prop_assert_eq!(error, read, "{}", damaged.escape_ascii());
            // A whole value's grammar comes before what it is refused for.
            check_splits(reader, &damaged, |_| 1);
            check_splits(reader, &damaged, |_| 2);
        }
    }
}

/// Found by the fuzz target `tct_canonical_json_text`: a number past the doubles, and a byte behind it that is not UTF-8.
#[test]
fn a_number_is_judged_before_the_byte_that_ends_it() {
    for text in [&b"[1e999\x9a]"[..], b"1e999\xff", b"0.01E500\x9a1", b"[1e999,\xff]", b"[1e9\xff]"] {
        let read = JsonReader::new().read(text).unwrap_err();
        for piece in [1, 3, 100] {
            let mut stream = JsonStream::new(JsonReader::new());
            let error = 'found: {
                for piece in text.chunks(piece) {
                    let mut events = stream.push(piece);
                    loop {
                        match events.next() {
                            Ok(Some(_)) => {}
                            Ok(None) => break,
                            Err(error) => break 'found error,
                        }
                    }
                }
                stream.finish().unwrap_err()
            };
            assert_eq!(
                (error.kind(), error.offset()),
                (read.kind(), read.offset()),
                "{} {piece}",
                text.escape_ascii()
            );
        }
    }
}

/// Where the text or a piece ends within a character, too: found by fuzzing.
#[test]
fn a_number_is_judged_before_a_character_that_a_cut_goes_through() {
    for (text, expected) in [
        (&b"2e2102\xec"[..], (Kind::NumberOverflow, Some(0))),
        (b"2e21\xec\x80", (Kind::InvalidUtf8, Some(4))),
        (b"[2e2102\xec", (Kind::NumberOverflow, Some(1))),
        // The character is complete in the next piece.
        (b"8e2330\xd0\x95\0", (Kind::NumberOverflow, Some(0))),
        (b"[8e233, 8e2330\xec\x80\x80]", (Kind::NumberOverflow, Some(8))),
        (b"8e23\xd0\x95\0", (Kind::TrailingData, Some(4))),
        (b"[8e23\xd0\x95\0", (Kind::UnexpectedByte, Some(5))),
    ] {
        let of_reader = JsonReader::new().read(text).unwrap_err();
        assert_eq!((of_reader.kind(), of_reader.offset()), expected, "{text:?}");
        for at in 0..=text.len() {
            let mut stream = JsonStream::new(JsonReader::new());
            let (before, behind) = text.split_at(at);
            let pushed = [before, behind].iter().find_map(|piece| {
                let mut events = stream.push(piece);
                loop {
                    match events.next() {
                        Ok(None) => return None,
                        Ok(Some(_)) => {}
                        Err(error) => return Some(error),
                    }
                }
            });
            let error = pushed.unwrap_or_else(|| stream.finish().map(|_| ()).unwrap_err());
            assert_eq!((error.kind(), error.offset()), expected, "{text:?} at {at}");
        }
    }
}
