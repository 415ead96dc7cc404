//! A text in pieces: any split gives the same events and the same error, whatever the limits and however values are asked
//! for; and where nothing but the grammar speaks, the error is that of the reader.
//!
//! The first byte picks the limits and the way to ask, the next eight say where the text is cut.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tct_canonical_json::{JsonError, JsonErrorKind as Kind, JsonEvent, JsonReader, JsonStream};

fuzz_target!(|input: &[u8]| {
    let Some((&settings, rest)) = input.split_first() else { return };
    let Some((cuts, text)) = rest.split_first_chunk::<8>() else { return };
    let cuts = u64::from_le_bytes(*cuts);
    let ask = settings & 3;
    let small = usize::from(settings >> 4);
    let reader = match settings >> 2 & 3 {
        0 => JsonReader::new(),
        1 => JsonReader::new().report_repeated_names().report_lone_surrogates().report_huge_numbers(),
        2 => JsonReader::new().max_bytes(small).max_depth(3),
        _ => JsonReader::new().max_string_bytes(small).max_name_bytes(small / 2).max_values(4),
    };
    let mut stream = JsonStream::new(reader);
    if settings == u8::MAX {
        stream = stream.max_total_bytes(text.len() as u64 / 2);
    }
    let whole = events_of(stream.clone(), &[text], ask);
    assert_eq!(events_of(stream.clone(), &pieces(text, cuts), ask), whole);
    let bytes: Vec<&[u8]> = text.chunks(1).collect();
    assert_eq!(events_of(stream, &bytes, ask), whole);
    if ask == 0 && settings >> 2 & 3 < 2 && settings != u8::MAX {
        let read = reader.read(text).err().map(|error| (error.kind(), error.offset()));
        // A stream does not keep the names that it has handed out.
        if read.is_none_or(|(kind, _)| kind != Kind::DuplicateMember) {
            assert_eq!(whole.1, read);
        }
    }
});

/// The text cut behind the bytes whose bits are set, from the first one again behind each 64.
fn pieces(text: &[u8], cuts: u64) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for at in (1..text.len()).filter(|at| cuts >> (at % 64) & 1 == 1) {
        pieces.push(&text[start..at]);
        start = at;
    }
    pieces.push(&text[start..]);
    pieces
}

/// The events as texts with their offsets, and what ended them.
fn events_of(mut stream: JsonStream, pieces: &[&[u8]], ask: u8) -> (Vec<String>, Option<(Kind, Option<usize>)>) {
    let mut seen = Vec::new();
    let place = |error: JsonError| Some((error.kind(), error.offset()));
    for piece in pieces {
        let mut events = stream.push(piece);
        loop {
            let event = match ask {
                0 => events.next(),
                1 => events.next_whole(),
                2 => events.skip_next(2),
                _ if events.depth() == 1 => events.next_whole(),
                _ => events.next(),
            };
            let noted = match event {
                Ok(None) => break,
                Ok(Some(event)) => note(&event),
                Err(error) => return (seen, place(error)),
            };
            seen.push(format!("{noted} at {}", events.offset()));
        }
    }
    loop {
        let noted = match stream.finish() {
            Ok(None) => return (seen, None),
            Ok(Some(event)) => note(&event),
            Err(error) => return (seen, place(error)),
        };
        seen.push(format!("{noted} at {}", stream.offset()));
    }
}

fn note(event: &JsonEvent<'_>) -> String {
    match event {
        JsonEvent::Name(name) => format!("name {}", name.raw()),
        JsonEvent::Value(value) => format!("value {}", value.raw()),
        JsonEvent::Refused(error) => format!("refused {error}"),
        event => format!("{event:?}"),
    }
}
