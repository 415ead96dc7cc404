//! Any split of a text into pieces gives the same events and the same error.
//!
//! All splits of all short texts of the bytes that matter, behind beginnings that lead into every place of the grammar,
//! with limits so small that they meet the faults. `SPLIT_BYTES=3 cargo test --release` takes texts that are longer by a
//! byte, which are some twenty times as many.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use proptest::prelude::*;
use tct_canonical_json::{JsonErrorKind as Kind, JsonReader, JsonStream};

use crate::stream::{Ask, lenient, run};
use crate::support::{choices, documents, spell};

const EVENTS: Ask = |_| 0;
const WHOLE: Ask = |_| 1;
const SKIP: Ask = |_| 2;
/// The items of the outermost array as a whole.
const ITEMS: Ask = |depth| u8::from(depth == 1);

type Seen = (Vec<String>, Option<(Kind, usize)>);

/// Asserts that all pieces give what the text as one piece gives; bit `n` of `cuts` cuts before the byte `n + 1`.
fn check_split(stream: &JsonStream, text: &[u8], cuts: u64, ask: Ask, whole: &Seen) {
    let mut pieces: Vec<&[u8]> = Vec::new();
    let mut start = 0;
    for at in (1..text.len()).filter(|at| cuts >> ((at - 1) % 64) & 1 == 1) {
        pieces.push(&text[start..at]);
        start = at;
    }
    pieces.push(&text[start..]);
    let seen = run(stream.clone(), &pieces, ask);
    assert_eq!(&seen, whole, "{} in {pieces:?}", text.escape_ascii());
}

fn check_all_splits(stream: &JsonStream, text: &[u8], ask: Ask) -> Seen {
    let whole = run(stream.clone(), &[text], ask);
    for cuts in 1..1 << text.len().saturating_sub(1) {
        check_split(stream, text, cuts, ask, &whole);
    }
    whole
}

/// The streams and the ways to ask that texts are read in.
fn settings() -> Vec<(JsonStream, Ask)> {
    let strict = JsonReader::new();
    let mut all = vec![
        (JsonStream::new(strict), EVENTS),
        (JsonStream::new(lenient()), EVENTS),
        (JsonStream::new(strict), WHOLE),
        (JsonStream::new(strict.max_depth(1)), SKIP),
        (JsonStream::new(strict.max_depth(1).max_bytes(4)), ITEMS),
        (JsonStream::new(strict.max_depth(1).max_string_bytes(1).max_name_bytes(1)), EVENTS),
    ];
    for limit in [1, 3, 6] {
        all.push((JsonStream::new(strict.max_bytes(limit)), EVENTS));
        all.push((JsonStream::new(lenient().max_bytes(limit)), WHOLE));
        all.push((JsonStream::new(strict).max_total_bytes(limit as u64), EVENTS));
    }
    all
}

/// The two texts that showed that it was not so: a limit against a limit, and a number that is too large in front of a
/// character that is cut.
#[test]
fn texts_that_gave_two_errors() {
    let stream = JsonStream::new(JsonReader::new().max_depth(2).max_bytes(5));
    for ask in [WHOLE, EVENTS, SKIP, ITEMS] {
        check_all_splits(&stream, b"[1,2,3,4,[[5]]]", ask);
    }
    let (events, error) = check_all_splits(&stream, b"[1,2,3,4,[[5]]]", WHOLE);
    assert_eq!((events, error), (vec!["refused TooLarge Some(5)@0".to_owned()], None));

    let number = b"8e233000018600000000441827";
    let text = [&number[..], b"1\xD0\x95\xECe\r\0"].concat();
    let stream = JsonStream::new(JsonReader::new());
    for text in [&text[..], &[&number[..], b"\xD0\x95\xECe\r\0"].concat()] {
        let whole = run(stream.clone(), &[text], EVENTS);
        let read = JsonReader::new().read(text).unwrap_err();
        assert_eq!(whole.1, Some((read.kind(), read.offset().unwrap())));
        assert_eq!(whole.1, Some((Kind::NumberOverflow, 0)));
        for at in number.len() - 2..text.len() {
            for cuts in 0..8 {
                check_split(&stream, text, cuts << at, EVENTS, &whole);
            }
        }
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "how long a test may take is its caller's to say")]
fn all_splits_of_all_short_texts() {
    let bytes = b"[]{},:\"\\u1e-.0tn \nDd8\xC3\xA9\xED\xA0\xFF";
    let longest = std::env::var("SPLIT_BYTES").ok().and_then(|bytes| bytes.parse().ok()).unwrap_or(2);
    let beginnings: [&[u8]; 18] = [
        b"",
        b"[",
        b"[1,",
        b"{",
        b"{\"a\"",
        b"{\"a\":",
        b"{\"a\":1",
        b"\"",
        b"\"\\",
        b"\"\\u0",
        b"\"\\ud8",
        b"\"\\ud800",
        b"[1",
        b"[1e",
        b"tru",
        b"[[",
        b"\xEF\xBB",
        b"[\"\xE2",
    ];
    let settings = settings();
    let mut splits = 0_u64;
    for beginning in beginnings {
        // The texts behind it, counted through.
        let mut ends: Vec<Vec<u8>> = vec![Vec::new()];
        for len in 0..=longest {
            for end in &ends {
                let text = [beginning, end].concat();
                // The many texts of the last length in fewer ways.
                let step = if len == longest { 9 } else { 1 };
                for (stream, ask) in settings.iter().skip(text.len() % step).step_by(step) {
                    check_all_splits(stream, &text, *ask);
                    splits += 1 << text.len().saturating_sub(1);
                }
                let (_, error) = run(settings[0].0.clone(), &[&text], EVENTS);
                let read =
                    JsonReader::new().read(&text).err().map(|error| (error.kind(), error.offset().unwrap()));
                // A stream does not look for repeated names.
                if read.is_none_or(|(kind, _)| kind != Kind::DuplicateMember) {
                    assert_eq!(error, read, "{}", text.escape_ascii());
                }
            }
            ends =
                ends.iter().flat_map(|end| bytes.iter().map(|byte| [&end[..], &[*byte]].concat())).collect();
        }
    }
    println!("{splits} splits");
    assert!(splits > 500_000);
}

proptest! {
    /// Documents, whole and damaged, in pieces of any length, with limits that may be small.
    #[test]
    fn splits_of_documents(
        document in documents(), seed in any::<u64>(), bytes in prop::collection::vec(any::<u8>(), 0..4),
        cuts in prop::collection::vec(any::<u64>(), 1), limits in (0..40_usize, 0..5_usize, 0..80_u64)
    ) {
        let (mut text, mut choices) = (String::new(), choices(seed));
        spell(&document, &mut choices, &mut text);
        let mut text = text.into_bytes();
        text.truncate(300);
        let at = choices(text.len() + 1);
        text.splice(at..at, bytes).for_each(drop);
        let (max_bytes, max_depth, max_total) = limits;
        for reader in [lenient(), JsonReader::new(), JsonReader::new().max_bytes(max_bytes), lenient().max_depth(max_depth).max_bytes(max_bytes)] {
            for stream in [JsonStream::new(reader), JsonStream::new(reader).max_total_bytes(max_total)] {
                for ask in [EVENTS, WHOLE, SKIP, ITEMS] {
                    let whole = run(stream.clone(), &[&text], ask);
                    for cuts in &cuts {
                        // Few cuts, about half, and nearly all.
                        for cuts in [cuts & cuts.rotate_left(7) & cuts.rotate_left(23), *cuts, !(cuts & cuts.rotate_left(9))] {
                            check_split(&stream, &text, cuts, ask, &whole);
                        }
                    }
                }
            }
        }
    }
}
