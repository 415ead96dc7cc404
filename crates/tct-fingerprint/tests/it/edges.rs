//! Values, errors and short texts, each byte and each length by itself.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::fmt::Write as _;

use tct_fingerprint::{
    EtagErrorKind, EtagSuffix, Fingerprint, FingerprintErrorKind as Kind, Fingerprinter, LenientEtag, Step,
    Steps, StrongEtag, Utf8ErrorKind, Utf8Fingerprinter, fingerprint, fingerprint_utf8, normalize,
    normalize_utf8, write_normalized,
};

const FOO: &str = "sha256-2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

/// Every byte in place of each byte of a fingerprint: taken where it is a digit in a digit's place or the very byte, else named.
#[test]
fn every_byte_of_a_fingerprint_counts() {
    for at in 0..71 {
        for byte in 0..=u8::MAX {
            let mut text = FOO.as_bytes().to_vec();
            text[at] = byte;
            let is_digit = byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            let parsed = Fingerprint::parse_bytes(&text);
            if byte == FOO.as_bytes()[at] || (at >= 7 && is_digit) {
                let parsed = parsed.unwrap();
                assert_eq!(parsed.to_string().as_bytes(), text);
                let value =
                    u8::from_str_radix(std::str::from_utf8(&text[at.max(7)..=at.max(7)]).unwrap(), 16)
                        .unwrap();
                let own = parsed.as_bytes()[(at.max(7) - 7) / 2];
                assert_eq!(if (at.max(7) - 7) % 2 == 0 { own >> 4 } else { own & 15 }, value);
                continue;
            }
            let kind = match byte {
                b' ' | b'\t' | b'\r' | b'\n' => Kind::WhiteSpace,
                _ if at >= 7 && (b'A'..=b'F').contains(&byte) => Kind::UpperCaseDigit { found: byte },
                _ if at >= 7 => Kind::BadDigit { found: byte },
                _ if byte.eq_ignore_ascii_case(&FOO.as_bytes()[at]) => Kind::UpperCasePrefix,
                _ => Kind::MissingPrefix,
            };
            let error = parsed.unwrap_err();
            assert_eq!((error.kind(), error.offset()), (kind, at), "{byte:#x}");
        }
    }
    for len in 0..71 {
        let error = Fingerprint::parse(&FOO[..len]).unwrap_err();
        let kind = if len < 7 { Kind::MissingPrefix } else { Kind::TooShort };
        assert_eq!((error.kind(), error.offset(), error.requirement()), (kind, len, "TCT-FP-10"));
    }
    for (more, kind) in
        [("0", Kind::TooLong), ("\n", Kind::WhiteSpace), ("-gzip", Kind::TooLong), (" 0", Kind::WhiteSpace)]
    {
        let error = Fingerprint::parse(&format!("{FOO}{more}")).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, 71), "{more:?}");
    }
}

/// All ways to and from a fingerprint lead to the same 32 bytes and the same text.
#[test]
fn a_fingerprint_is_its_bytes_and_its_text() {
    let hash = Fingerprint::hash(b"foo");
    let digest: [u8; 32] = hash.into();
    assert_eq!((hash.as_bytes(), hash.as_ref()), (&digest, &digest[..]));
    assert_eq!((Fingerprint::from_digest(digest), Fingerprint::from(digest)), (hash, hash));
    assert_eq!(
        (FOO.parse(), Fingerprint::parse_bytes(FOO.as_bytes()), Fingerprint::parse(FOO)),
        (Ok(hash), Ok(hash), Ok(hash))
    );
    let mut buffer = [0; Fingerprint::TEXT_LEN];
    assert_eq!(hash.encode(&mut buffer), FOO);
    assert_eq!((hash.to_string(), format!("{hash:?}")), (FOO.to_owned(), format!("Fingerprint({FOO})")));
    assert_eq!(format!("{hash:>73}|{hash:.7}"), format!("  {FOO}|sha256-"));
    assert_eq!(Fingerprint::OF_EMPTY, Fingerprint::hash(b""));
    assert_eq!(fingerprint(""), Fingerprint::OF_EMPTY);
    let tag = hash.etag();
    assert_eq!((StrongEtag::new(hash), StrongEtag::from(hash), tag.fingerprint()), (tag, tag, hash));
    let quoted = format!("\"{FOO}\"");
    let mut buffer = [0; StrongEtag::TEXT_LEN];
    assert_eq!(
        (tag.encode(&mut buffer), tag.to_string(), quoted.parse()),
        (&*quoted, quoted.clone(), Ok(tag))
    );
    assert_eq!(format!("{tag:<75}|"), format!("{quoted}  |"));
}

/// What marks an entity tag, as strict and as lenient readers take it.
#[test]
fn marks_of_an_entity_tag_are_told() {
    let hash = Fingerprint::parse(FOO).unwrap();
    let suffixes = [
        ("", None),
        ("-gzip", Some(EtagSuffix::Gzip)),
        ("--gzip", Some(EtagSuffix::JettyGzip)),
        (";gzip", Some(EtagSuffix::SemicolonGzip)),
        ("-br", Some(EtagSuffix::Brotli)),
        ("-deflate", Some(EtagSuffix::Deflate)),
        ("-zstd", Some(EtagSuffix::Zstd)),
    ];
    for (text, suffix) in suffixes {
        for weak in [false, true] {
            let value = format!("{}\"{FOO}{text}\"", if weak { "W/" } else { "" });
            let tag = LenientEtag::parse(&value).unwrap();
            assert_eq!((tag.fingerprint(), tag.is_weak(), tag.suffix()), (hash, weak, suffix), "{value}");
            assert_eq!(tag.is_strict(), !weak && suffix.is_none(), "{value}");
            let strict = StrongEtag::parse(&value)
                .map(|tag| tag.fingerprint())
                .map_err(|error| (error.kind(), error.offset()));
            let expected = match (weak, suffix) {
                (true, _) => Err((EtagErrorKind::Weak, 0)),
                (_, Some(_)) => Err((EtagErrorKind::Suffix, 72)),
                _ => Ok(hash),
            };
            assert_eq!(strict, expected, "{value}");
        }
        assert_eq!(suffix.map_or("", EtagSuffix::as_str), text);
    }
    let fault = |kind| EtagErrorKind::Fingerprint(kind);
    // (value, its fault for the lenient reader, at which byte)
    for (value, kind, offset) in [
        (String::new(), EtagErrorKind::Empty, 0),
        ("W/".into(), EtagErrorKind::Empty, 2),
        ("W".into(), EtagErrorKind::Unquoted, 0),
        ("W/x".into(), EtagErrorKind::Unquoted, 2),
        ("'x'".into(), EtagErrorKind::SingleQuotes, 0),
        ("W/'x'".into(), EtagErrorKind::SingleQuotes, 2),
        ("\"x".into(), EtagErrorKind::Unclosed, 2),
        ("W/\"xyz".into(), EtagErrorKind::Unclosed, 6),
        (format!("\"{FOO}\"x"), EtagErrorKind::TrailingBytes, 73),
        (format!("W/\"{FOO}\"x"), EtagErrorKind::TrailingBytes, 75),
        (format!("\"{FOO}-rot13\""), fault(Kind::TooLong), 72),
        (format!("W/\"{FOO}-gzi\""), fault(Kind::TooLong), 74),
        ("\"\"".into(), fault(Kind::MissingPrefix), 1),
        ("W/\"sha256-A\"".into(), fault(Kind::UpperCaseDigit { found: b'A' }), 10),
    ] {
        let error = LenientEtag::parse(&value).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, offset), "{value}");
        let rule = if matches!(kind, EtagErrorKind::Fingerprint(_)) { "TCT-FP-10" } else { "TCT-ETAG-2" };
        assert_eq!(error.requirement(), rule, "{value}");
    }
}

/// Texts of all lengths by all ways: at once, in pieces, one after the other with one fingerprinter, as bytes.
#[test]
fn every_way_leads_to_the_same_fingerprint() {
    let pieces =
        ["a", " ", "B&amp;", "\u{e9}e\u{301}", "\n\t", "&#x41;", "\u{1f600}", "&", "\u{ad}\u{7}", "\u{fb01}"];
    let mut texts = vec![String::new(), " ".into(), " a ".into()];
    for len in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144] {
        for from in 0..pieces.len() {
            texts.push(pieces.iter().cycle().skip(from).step_by(3).take(len).copied().collect());
            texts.push(pieces[from].repeat(len));
        }
    }
    let expected: Vec<Fingerprint> = texts.iter().map(|text| Steps::of(text).fingerprint()).collect();
    assert_eq!(texts.iter().map(|text| fingerprint(text)).collect::<Vec<_>>(), expected);
    let mut reused = Fingerprinter::new();
    for (text, expected) in texts.iter().zip(&expected) {
        assert_eq!(fingerprint_utf8(text.as_bytes()), Ok(*expected), "{text:?}");
        let (before, behind) =
            text.split_at(text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at));
        reused.write_str(before).unwrap();
        assert_eq!(reused.finish_with(behind), *expected, "{text:?}");
        let (mut pieces, mut bytes) = (Fingerprinter::new(), Utf8Fingerprinter::new());
        let mut written = String::new();
        for c in text.chars() {
            pieces.update(c.encode_utf8(&mut [0; 4]));
        }
        for byte in text.as_bytes() {
            bytes.update(&[*byte]).unwrap();
        }
        assert_eq!((pieces.finish(), bytes.finish()), (*expected, Ok(*expected)), "{text:?}");
        write_normalized(text, &mut written).unwrap();
        let steps = Steps::of(text);
        for found in [&*normalize(text), &*normalize_utf8(text.as_bytes()).unwrap(), &written] {
            assert_eq!(found, steps.after(Step::Trimmed), "{text:?}");
        }
        assert_eq!(steps.iter().map(|(step, _)| step).collect::<Vec<_>>(), Step::ALL);
        assert_eq!(steps.iter().last(), Some((Step::Trimmed, steps.after(Step::Trimmed))));
    }
}

/// Each step's own work, and what it leaves to the others.
#[test]
fn each_step_does_its_own_work() {
    let text = " &Agrave;&#x0A;\u{c5}\u{ff21}\u{7f}\u{85}\t\r\n b ";
    let steps = Steps::of(text);
    let expected = [
        (Step::Decoded, " \u{c0}\n\u{c5}\u{ff21}\u{7f}\u{85}\t\r\n b "),
        (Step::Composed, " \u{c0}\n\u{c5}A\u{7f}\u{85}\t\r\n b "),
        (Step::Folded, " \u{e0}\n\u{e5}a\u{7f}\u{85}\t\r\n b "),
        (Step::Cleaned, " \u{e0}\n\u{e5}a\t\r\n b "),
        (Step::Collapsed, " \u{e0} \u{e5}a b "),
        (Step::Trimmed, "\u{e0} \u{e5}a b"),
    ];
    assert_eq!(steps.iter().collect::<Vec<_>>(), expected);
    // What is normal already is not copied.
    for (text, is_borrowed) in
        [("plain text", true), ("", true), ("a b ", true), ("A", false), ("a  b", false), (" a", false)]
    {
        assert_eq!(matches!(normalize(text), std::borrow::Cow::Borrowed(_)), is_borrowed, "{text:?}");
    }
}

/// A writer that is full says so, and nothing is written behind that.
#[test]
fn a_writer_that_fails_is_told() {
    struct Full(String, usize);
    impl std::fmt::Write for Full {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            if self.0.len() + text.len() > self.1 {
                return Err(std::fmt::Error);
            }
            self.0.push_str(text);
            Ok(())
        }
    }
    let text = "Some text. ".repeat(2000);
    let normal = normalize(&text);
    for room in [0, 1, normal.len() - 1] {
        let mut out = Full(String::new(), room);
        assert!(write_normalized(&text, &mut out).is_err(), "{room}");
        assert!(normal.starts_with(&out.0));
    }
    let mut out = Full(String::new(), normal.len());
    assert!(write_normalized(&text, &mut out).is_ok());
    assert_eq!(out.0, normal);
}

/// Bytes that are not UTF-8, whole and in pieces of each size: the same fault at the same byte.
#[test]
fn a_fault_is_at_its_byte_however_the_bytes_come() {
    use Utf8ErrorKind::{Invalid, Truncated};
    for (bytes, kind, offset) in [
        (&b"ab\xFFc"[..], Invalid, 2),
        (b"\x80", Invalid, 0),
        (b"a\xC3", Truncated, 1),
        (b"a\xC3(", Invalid, 1),
        (b"\xC3\xA9\xE2\x82", Truncated, 2),
        (b"\xE2\x82(", Invalid, 0),
        (b"x\xE2(\xA1", Invalid, 1),
        (b"\xF0\x9F\x98", Truncated, 0),
        (b"\xF0\x9F\x98a", Invalid, 0),
        (b"\xF0\x9F\x98\x80\xF0", Truncated, 4),
        (b"\xF4\x90\x80\x80", Invalid, 0),
        (b"\xF5\x80\x80\x80", Invalid, 0),
        (b"\xED\xA0\x80", Invalid, 0),
        (b"\xC0\xAF", Invalid, 0),
        (b"\xE0\x80\x80", Invalid, 0),
        (b"\xF8", Invalid, 0),
        (b"abc\xDF", Truncated, 3),
        (b"abc\xEF", Truncated, 3),
        (b"abc\xEF\xBF", Truncated, 3),
    ] {
        let shown = bytes.escape_ascii();
        let error = fingerprint_utf8(bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, offset), "{shown}");
        for size in 1..=bytes.len() {
            let mut hash = Utf8Fingerprinter::new();
            let hashed =
                bytes.chunks(size).try_for_each(|piece| hash.update(piece)).and_then(|()| hash.finish());
            let error = hashed.unwrap_err();
            assert_eq!((error.kind(), error.offset()), (kind, offset), "{shown} by {size}");
        }
    }
    // As a writer of bytes.
    let mut hash = Utf8Fingerprinter::new();
    assert_eq!(std::io::Write::write(&mut hash, b"fo").unwrap(), 2);
    std::io::Write::write_all(&mut hash, b"o").unwrap();
    std::io::Write::flush(&mut hash).unwrap();
    assert_eq!(hash.clone().finish().unwrap().to_string(), FOO);
    let error = std::io::Write::write(&mut hash, b"\xFF").unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string()),
        (std::io::ErrorKind::InvalidData, "expected UTF-8 at byte 3, found an invalid sequence".to_owned())
    );
}

/// Numbers of characters at the edges of their ranges, in each form and at each end.
#[test]
fn numbers_of_characters_at_their_edges() {
    for (code, expected) in [
        (0, '\u{FFFD}'),
        (1, '\u{1}'),
        (0x7F, '\u{7F}'),
        (0x80, '€'),
        (0x81, '\u{81}'),
        (0x9F, 'Ÿ'),
        (0xA0, '\u{A0}'),
        (0xD7FF, '\u{D7FF}'),
        (0xD800, '\u{FFFD}'),
        (0xDFFF, '\u{FFFD}'),
        (0xE000, '\u{E000}'),
        (0x10_FFFF, '\u{10FFFF}'),
        (0x11_0000, '\u{FFFD}'),
        (0xFFFF_FFFF_u32, '\u{FFFD}'),
    ] {
        for reference in [
            format!("&#{code};"),
            format!("&#00{code};"),
            format!("&#x{code:x};"),
            format!("&#X{code:X};"),
            format!("&#x000{code:x};"),
        ] {
            // Behind it a sign that is no digit, for the forms without a semicolon.
            let bare = reference.trim_end_matches(';');
            for (text, rest) in [
                (reference.clone(), ""),
                (bare.to_owned(), ""),
                (format!("{bare}!"), "!"),
                (format!("{reference}x"), "x"),
            ] {
                let decoded = Steps::of(&text).after(Step::Decoded).to_owned();
                assert_eq!(decoded, format!("{expected}{rest}"), "{text}");
                assert_eq!(fingerprint(&text), Steps::of(&text).fingerprint(), "{text}");
                let long = format!("{:x<70}{text} {:y<70}", "", "");
                assert_eq!(fingerprint(&long), Steps::of(&long).fingerprint(), "{long}");
            }
        }
    }
    for text in ["&#;", "&#x;", "&#xg;", "&#a;", "&;", "&", "& amp;", "&#", "&#x", "&#X"] {
        assert_eq!(Steps::of(text).after(Step::Decoded), text);
        let folded = text.to_lowercase();
        assert_eq!(
            (&*normalize(text), fingerprint(text)),
            (&*folded, Steps::of(text).fingerprint()),
            "{text}"
        );
    }
}

/// A mark that a number stands for composes with the letter right before it, if that is one and nothing else composes with it.
/// In front of each text are as many bytes as bring it to every place of a block.
#[test]
fn marks_by_their_numbers_compose_as_marks_do() {
    let cases = [
        ("e&#x301;", "é"),
        ("E&#769;", "é"),
        ("e&#x301;e&#x301;", "éé"),
        ("e&#x301 x", "é x"),
        ("e&#x301;&#x323;", "ẹ\u{301}"),
        ("e&#x301;\u{323}", "ẹ\u{301}"),
        ("\u{3b1}&#x301;", "ά"),
        ("\u{411}&#x306;", "б\u{306}"),
        ("\u{418}&#x306;", "й"),
        ("&eacute;&#x323;", "ẹ\u{301}"),
        // The letter before the number ends a name, and is none of the text.
        ("&amp&#x301;", "&\u{301}"),
        ("&Eacute&#x323;", "ẹ\u{301}"),
        ("&ampe&#x301;", "&é"),
        ("&#101;&#x301;", "é"),
        // It is the letter of a name that is none.
        ("&nosuch&#x301;", "&nosuch\u{301}"),
        ("&no&#x301;", "&nó"),
        ("x&#x301;", "x\u{301}"),
        (" &#x301;", " \u{301}"),
        ("e&#x31;", "e1"),
        ("e&#x301;&", "é&"),
        ("e&#x301;&amp;", "é&"),
        ("e&#x301;&#0;", "é\u{fffd}"),
        ("e&#7;&#x301;", "e\u{301}"),
        ("\u{fb01}&#x301;", "f\u{ed}"),
        ("\u{1100}&#x1161;", "가"),
        ("\u{1100}\u{1161}&#x11A8;", "각"),
        ("&nGt;&nGt;", "≫\u{20d2}≫\u{20d2}"),
        ("e&nGt;\u{301}", "e≫\u{20d2}\u{301}"),
    ];
    for (text, expected) in cases {
        for before in 0..=130 {
            for behind in ["", "z", " 9", "zzzzzzzzzzzzzzzzzzzzzzzz"] {
                let long = format!("{}{text}{behind}", "y".repeat(before));
                let wanted = Steps::of(&long);
                assert_eq!(normalize(&long), wanted.after(Step::Trimmed), "{long}");
                assert_eq!(fingerprint(&long), wanted.fingerprint(), "{long}");
            }
        }
        let text = format!("y{text}z");
        assert_eq!(normalize(&text), format!("y{expected}z"), "{text}");
    }
}
