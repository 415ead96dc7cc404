//! One fault has one kind and one offset: whether a text is read, made canonical, or asked whether it is canonical.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use crate::support;

use proptest::prelude::*;
use support::{choices, documents, spell};
use tct_canonical_json::{Canonicalizer, DeviationKind, JsonErrorKind as Kind, JsonReader, Profile};

/// The error that all give, if there is one.
fn fault(text: &[u8], depth: usize) -> Option<(Kind, usize)> {
    let read = JsonReader::new().max_depth(depth).read(text).err();
    for profile in [Profile::Tct, Profile::Rfc8785] {
        let canonicalizer = Canonicalizer::new(profile).max_depth(depth);
        let written = canonicalizer.to_canonical(text).err();
        // Kind, offset, pointer and message.
        assert_eq!(read, written, "{}", text.escape_ascii());
        let at = |error: &tct_canonical_json::JsonError| (error.kind(), error.offset().unwrap());
        match (canonicalizer.check_canonical(text), &written) {
            (Some(deviation), Some(error)) => match deviation.kind() {
                DeviationKind::Refused(kind) => {
                    assert_eq!((kind, deviation.offset()), at(error), "{}", text.escape_ascii());
                }
                // Any other difference is at an earlier place.
                _ => assert!(Some(deviation.offset()) < error.offset(), "{}", text.escape_ascii()),
            },
            (Some(deviation), None) => {
                assert!(!matches!(deviation.kind(), DeviationKind::Refused(_)), "{}", text.escape_ascii());
            }
            (None, error) => assert_eq!(error, &None, "{}", text.escape_ascii()),
        }
    }
    read.map(|error| (error.kind(), error.offset().unwrap()))
}

#[test]
fn faults_of_every_kind() {
    for (text, kind, at) in [
        (&b"\"\\u12"[..], Kind::UnexpectedEnd, 5),
        (b"\"\\u12\"", Kind::InvalidEscape, 5),
        (b"\"\\x\"", Kind::InvalidEscape, 2),
        (b"\"\\", Kind::UnexpectedEnd, 2),
        (b"\"\xED\xA0\x80\"", Kind::LoneSurrogate, 1),
        (b"\xED\xA0\x80", Kind::LoneSurrogate, 0),
        (b"[\xFF]", Kind::InvalidUtf8, 1),
        (b"\"\xFF\\x\"", Kind::InvalidUtf8, 1),
        (b"\"\xFF\\u0041\"", Kind::InvalidUtf8, 1),
        (b"\"\\x\xFF\"", Kind::InvalidEscape, 2),
        (b"\"a\xFF\n\"", Kind::InvalidUtf8, 2),
        (b"\"\n\xFF\"", Kind::ControlCharacter, 1),
        (b"\"\xE2\x82", Kind::InvalidUtf8, 1),
        (b"1\xFF", Kind::InvalidUtf8, 1),
        (b"1.\xFF", Kind::InvalidUtf8, 2),
        (b"tr\xFF", Kind::InvalidUtf8, 2),
        (b"\"\\u1\xFF\"", Kind::InvalidUtf8, 4),
        (b"\"\\\xFF\"", Kind::InvalidUtf8, 2),
        (b"1\xC2\xA0", Kind::TrailingData, 1),
        (b"[1,]", Kind::UnexpectedByte, 3),
        (b"[1,]\xFF", Kind::UnexpectedByte, 3),
        (b"{\"a\":1,\"a\":2", Kind::DuplicateMember, 7),
        (b"{\"a\":1,\"a\":{\"b\":1,\"b\":2}}", Kind::DuplicateMember, 7),
        (b"{\"a\":1,\"b\":2,\"a\":[x", Kind::DuplicateMember, 13),
        (b"{\"a\":1,\"a\":\"\xFF", Kind::DuplicateMember, 7),
        (b"{\"a\":1,\"a\":\"\\ud800\"}", Kind::DuplicateMember, 7),
        (b"{\"\\ud800\":1,\"a\":2,\"a\":3}", Kind::LoneSurrogate, 2),
        (b"[1e999,x]", Kind::NumberOverflow, 1),
        (b"[1e999x]", Kind::NumberOverflow, 1),
        (b"[[[[1]]]]", Kind::TooDeep, 3),
        (b"{\"a\":1,\"a\":[[[[1]]]]}", Kind::DuplicateMember, 7),
        (b"\xEF\xBB\xBF", Kind::ByteOrderMark, 0),
        (b"", Kind::UnexpectedEnd, 0),
    ] {
        assert_eq!(fault(text, 3), Some((kind, at)), "{}", text.escape_ascii());
    }
}

/// Of a repeated name, however it is spelled and wherever the first one is, all say the same.
#[test]
fn repeated_names_count_at_their_quote() {
    for (text, kind, at) in [
        (&br#"{"a":1,"a":2}"#[..], DeviationKind::Refused(Kind::DuplicateMember), 7),
        (br#"{"a":1,"\u0061":2}"#, DeviationKind::Refused(Kind::DuplicateMember), 7),
        (br#"{"a":1,"c":2,"a":3}"#, DeviationKind::Refused(Kind::DuplicateMember), 13),
        (br#"{"a":1,"c":{"b":1},"\u0061":3}"#, DeviationKind::Refused(Kind::DuplicateMember), 19),
        (br#"[{"a":1,"c":[{}],"a":3}]"#, DeviationKind::Refused(Kind::DuplicateMember), 17),
        // Not repeated in its own object.
        (br#"{"a":1,"c":{"b":1},"b":3}"#, DeviationKind::MemberOrder, 19),
        (br#"{"b":1,"\u0061":2}"#, DeviationKind::MemberOrder, 7),
        (br#"{"a":1,"\u0062":2}"#, DeviationKind::Escape, 8),
        // Names with escapes that the canonical form does not have, of characters beyond ASCII and beyond U+FFFF.
        (br#"{"\u0004":1,"\u8004":2}"#, DeviationKind::Escape, 13),
        (br#"{"\u0004":1,"\u0004":2}"#, DeviationKind::Refused(Kind::DuplicateMember), 12),
        (br#"{"\u001f":1,"\u001F":2}"#, DeviationKind::Refused(Kind::DuplicateMember), 12),
        ("{\"é\":1,\"\\u00e9\":2}".as_bytes(), DeviationKind::Refused(Kind::DuplicateMember), 8),
        ("{\"é\":1,\"\\u00e8\":2}".as_bytes(), DeviationKind::MemberOrder, 8),
        ("{\"é\":1,\"\\u00ea\":2}".as_bytes(), DeviationKind::Escape, 9),
        ("{\"🗿\":1,\"\\ud83d\\uddff\":2}".as_bytes(), DeviationKind::Refused(Kind::DuplicateMember), 10),
        ("{\"🗿\":1,\"\\ud83d\\ude00\":2}".as_bytes(), DeviationKind::Escape, 11),
        (b"{\"abcdefg\":1,\"abcdefg\\/\":2}", DeviationKind::Escape, 21),
        (b"{\"abcdefg/\":1,\"abcdefg\\/\":2}", DeviationKind::Refused(Kind::DuplicateMember), 14),
        // The escape is before what is wrong with the rest of the name.
        (br#"{"a":1,"\u0061\x":2}"#, DeviationKind::Escape, 8),
        (b"{\"a\":1,\"\\u0061\n\":2}", DeviationKind::Escape, 8),
        (b"{\"a\":1,\"\\u0061\xFF\":2}", DeviationKind::Escape, 8),
        (b"{\"a\":1,\"\xFF\\u0061\":2}", DeviationKind::Refused(Kind::InvalidUtf8), 8),
        (br#"{"a":1, "a":2}"#, DeviationKind::WhiteSpace, 7),
    ] {
        fault(text, 128);
        let deviation = tct_canonical_json::check_canonical(text, Profile::Tct).unwrap();
        assert_eq!((deviation.kind(), deviation.offset()), (kind, at), "{}", text.escape_ascii());
    }
}

proptest! {
    #[test]
    fn faults_of_damaged_texts(
        document in documents(), seed in any::<u64>(), bytes in prop::collection::vec(any::<u8>(), 0..3)
    ) {
        let mut text = String::new();
        let mut choices = choices(seed);
        spell(&document, &mut choices, &mut text);
        let mut damaged = text.into_bytes();
        // The canonical form is damaged too: there, `check_canonical` gets further.
        if choices(2) == 0 && let Ok(canonical) = tct_canonical_json::to_canonical(&damaged, Profile::Tct) {
            damaged = canonical;
        }
        for _ in 0..=choices(2) {
            let at = choices(damaged.len().max(1)).min(damaged.len());
            match choices(4) {
                0 => damaged.truncate(at),
                1 if at < damaged.len() => damaged.splice(at..=at, bytes.iter().copied()).for_each(drop),
                2 => {
                    // A part twice, which repeats names.
                    let end = (at + choices(12)).min(damaged.len());
                    let part = damaged[at..end].to_vec();
                    damaged.splice(at..at, part).for_each(drop);
                }
                _ => damaged.splice(at..at, bytes.iter().copied()).for_each(drop),
            }
        }
        fault(&damaged, 3);
        fault(&damaged, 128);
    }

    /// Texts of the few bytes that matter.
    #[test]
    fn faults_of_short_texts(text in "[\\[\\]{}\",:\\\\u01.e \\-atd89n\u{e9}]{0,14}", at in 0..15_usize, byte in 0x80_u8..) {
        fault(text.as_bytes(), 3);
        let mut invalid = text.into_bytes();
        invalid.insert(at.min(invalid.len()), byte);
        fault(&invalid, 3);
    }
}
