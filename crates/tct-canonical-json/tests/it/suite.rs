//! JSONTestSuite: what a parser of RFC 8259 must take (`y_`), must refuse (`n_`), and may do as it likes (`i_`), and texts on
//! which parsers differ (`t_`). `data/json-test-suite.txt` says where they come from.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use tct_canonical_json::{JsonErrorKind, JsonReader, Profile, check_canonical, to_canonical};

/// Name and text of each case.
fn cases() -> Vec<(&'static str, String)> {
    let lines = include_str!("../data/json-test-suite.txt").lines().filter(|line| !line.starts_with('#'));
    let case = |line: &'static str| {
        let (name, text) = line.split_once('\t').unwrap();
        let (count, text) = match text.split_once('*') {
            Some((count, text)) if !count.starts_with('"') => (count.parse().unwrap(), text),
            _ => (1, text),
        };
        (name, serde_json::from_str::<String>(text).unwrap().repeat(count))
    };
    lines.map(case).collect()
}

/// What `read` and `to_canonical` say: the kind of the error, if there is one.
fn verdicts(text: &str) -> (Option<JsonErrorKind>, Option<JsonErrorKind>) {
    let read = JsonReader::new().max_depth(1_000).report_repeated_names().read_str(text);
    let canonical = to_canonical(text.as_bytes(), Profile::Rfc8785);
    (read.err().map(|error| error.kind()), canonical.err().map(|error| error.kind()))
}

#[test]
fn what_must_be_taken_is_taken() {
    let mut refused = Vec::new();
    let mut count = 0;
    for (name, text) in cases().into_iter().filter(|(name, _)| name.starts_with("y_")) {
        let (read, canonical) = verdicts(&text);
        assert_eq!(read, None, "{name}");
        refused.extend(canonical.map(|kind| (name, kind)));
        count += 1;
    }
    assert_eq!(count, 95);
    // A canonical form is of I-JSON: no name twice.
    let twice = ["y_object_duplicated_key", "y_object_duplicated_key_and_value"];
    assert_eq!(refused, twice.map(|name| (name, JsonErrorKind::DuplicateMember)));
}

#[test]
fn what_must_be_refused_is_refused() {
    let mut count = 0;
    for (name, text) in cases().into_iter().filter(|(name, _)| name.starts_with("n_")) {
        let (read, canonical) = verdicts(&text);
        assert!(read.is_some() && canonical.is_some(), "{name}: {read:?} {canonical:?}");
        assert!(check_canonical(text.as_bytes(), Profile::Rfc8785).is_some(), "{name}");
        count += 1;
    }
    assert_eq!(count, 176);
}

#[test]
fn where_parsers_may_differ_the_choice_is_fixed() {
    let mut told = String::new();
    for (name, text) in cases().into_iter().filter(|(name, _)| name.starts_with(['i', 't'])) {
        let (read, canonical) = verdicts(&text);
        let word = |kind: Option<JsonErrorKind>| kind.map_or("taken".to_owned(), |kind| format!("{kind:?}"));
        told += &format!("{name}: read {}, canonical {}\n", word(read), word(canonical));
    }
    insta::assert_snapshot!(told);
}
