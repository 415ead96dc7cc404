//! Random texts of what hurts: one pass gives what the steps give, chunks give what the whole gives.

use proptest::prelude::*;
use tct_fingerprint::{Step, Steps, Utf8Fingerprinter, fingerprint, fingerprint_utf8, normalize};

fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "&",
            "&amp;",
            "&amp",
            "&#x301;",
            "&#769",
            "&not",
            "&notin;",
            "&nGt;",
            "&#",
            "&#x",
            ";",
            "&#0;",
            "e",
            "E",
            "\u{301}",
            "\u{323}",
            "\u{316}",
            "\u{345}",
            "\u{5b0}",
            "\u{5b4}",
            "\u{f71}",
            "\u{f73}",
            "\u{1100}",
            "\u{1161}",
            "\u{11a8}",
            "\u{ac00}",
            "\u{a0}",
            " ",
            "\t",
            "\r\n",
            "\u{7}",
            "\u{85}",
            "\u{fb01}",
            "\u{1f0}",
            "\u{390}",
            "\u{130}",
            "ß",
            "ς",
            "Σ",
            "\u{ab70}",
            "\u{13a0}",
            "\u{fdfa}",
            "\u{b4}",
            "\u{344}",
            "\u{37e}",
            "\u{aa}",
            "\u{b2}",
            "\u{17f}",
            "\u{2f800}",
            "\u{1d15e}",
            "Жизнь",
            "漢字",
            "ไทยก็",
            "नमस्ते",
            "abc def",
        ])
        .prop_map(String::from),
        any::<char>().prop_map(String::from),
        "[a-zA-Z ]{0,40}",
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn one_pass_is_the_six_steps(text in nasty()) {
        let steps = Steps::of(&text);
        prop_assert_eq!(normalize(&text), steps.after(Step::Trimmed));
        prop_assert_eq!(fingerprint(&text), steps.fingerprint());
    }

    #[test]
    fn chunks_of_bytes_are_the_whole(text in nasty(), sizes in prop::collection::vec(1usize..9, 1..20)) {
        let mut rest = text.as_bytes();
        let mut fingerprinter = Utf8Fingerprinter::new();
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, behind) = rest.split_at((*size).min(rest.len()));
            fingerprinter.update(chunk).expect("text is UTF-8");
            rest = behind;
        }
        prop_assert_eq!(fingerprinter.finish(), Ok(Steps::of(&text).fingerprint()));
    }

    #[test]
    fn invalid_bytes_are_refused_where_they_stand(text in "[a-zé漢]{0,40}", size in 1usize..9) {
        let bytes = [text.as_bytes(), b"\xFFabc"].concat();
        let mut fingerprinter = Utf8Fingerprinter::new();
        let error = bytes.chunks(size).find_map(|chunk| fingerprinter.update(chunk).err());
        prop_assert_eq!(error.map(|error| error.offset()), Some(text.len()));
    }

    #[test]
    fn bytes_in_chunks_are_judged_as_the_whole(
        bytes in prop::collection::vec(
            prop::sample::select(b"aZ\x80\x90\x9F\xA0\xBF\xC0\xC2\xDF\xE0\xE4\xED\xEF\xF0\xF1\xF4\xF5\xF8\xFF".to_vec()),
            0..8,
        ),
        size in 1usize..9,
    ) {
        let mut fingerprinter = Utf8Fingerprinter::new();
        let judged = match bytes.chunks(size).try_for_each(|chunk| fingerprinter.update(chunk)) {
            Ok(()) => fingerprinter.finish(),
            Err(error) => Err(error),
        };
        prop_assert_eq!(judged, fingerprint_utf8(&bytes));
    }
}
