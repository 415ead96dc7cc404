//! Two names of one object, each with each: their order, whether the second repeats the first, and where that is said.
#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use std::cmp::Ordering;

use tct_canonical_json::{
    DeviationKind, JsonErrorKind as Kind, JsonReader, Profile, check_canonical, to_canonical,
};

/// Endings of names, each with its canonical spelling and another one that means the same.
const ENDINGS: [(&str, &str, &str); 13] = [
    ("", "", ""),
    ("\n", r"\n", r"\u000a"),
    ("\u{b}", r"\u000b", r"\u000B"),
    (" ", " ", r"\u0020"),
    ("!", "!", r"\u0021"),
    ("\"", r#"\""#, r"\u0022"),
    ("/", "/", r"\/"),
    ("a", "a", r"\u0061"),
    ("\\", r"\\", r"\u005c"),
    ("]", "]", r"\u005d"),
    ("é", "é", r"\u00e9"),
    ("\u{ffff}", "\u{ffff}", r"\uffff"),
    ("\u{10000}", "\u{10000}", r"\ud800\udc00"),
];

/// What names have in front: nothing, almost as much and as much as fits into a word, and more.
const BEGINNINGS: [(&str, &str); 5] = [
    ("", ""),
    ("1234567", "1234567"),
    ("12345678", "12345678"),
    ("\n", r"\n"),
    ("item\\and more", r"item\\and more"),
];

#[test]
fn names_compare_by_what_they_mean() {
    for profile in [Profile::Tct, Profile::Rfc8785] {
        for (beginning, spelled) in BEGINNINGS {
            for a in ENDINGS {
                for b in ENDINGS {
                    pair(profile, beginning, spelled, a, b);
                }
            }
        }
    }
}

fn pair(profile: Profile, beginning: &str, spelled: &str, a: (&str, &str, &str), b: (&str, &str, &str)) {
    let (first, second) = (format!("{beginning}{}", a.0), format!("{beginning}{}", b.0));
    let order = match profile {
        Profile::Tct => first.chars().cmp(second.chars()),
        Profile::Rfc8785 => first.encode_utf16().cmp(second.encode_utf16()),
    };
    let member = |ending: &str| format!("\"{spelled}{ending}\":1");
    let object = |one: &str, other: &str| format!("{{{},{}}}", member(one), member(other));
    let text = object(a.1, b.1);
    // The opening quote of the second name.
    let quote = 1 + member(a.1).len() + 1;
    let deviation = check_canonical(text.as_bytes(), profile).map(|it| (it.kind(), it.offset()));
    let expected = match order {
        Ordering::Less => None,
        Ordering::Equal => Some((DeviationKind::Refused(Kind::DuplicateMember), quote)),
        Ordering::Greater => Some((DeviationKind::MemberOrder, quote)),
    };
    assert_eq!(deviation, expected, "{text} {profile:?}");
    // Spelled in other ways they are the same names, and come out the one right way.
    for (one, other) in [(a.1, b.1), (a.2, b.1), (a.1, b.2), (a.2, b.2)] {
        let text = object(one, other);
        let quote = 1 + member(one).len() + 1;
        let canonical =
            to_canonical(text.as_bytes(), profile).map_err(|error| (error.kind(), error.offset()));
        let marked = JsonReader::new().report_repeated_names().read(text.as_bytes()).unwrap();
        let repeated: Vec<bool> = marked.root().members().map(|(name, _)| name.is_repeated()).collect();
        match order {
            Ordering::Equal => {
                assert_eq!(canonical, Err((Kind::DuplicateMember, Some(quote))), "{text} {profile:?}");
                assert_eq!(repeated, [false, true], "{text}");
            }
            Ordering::Less => {
                assert_eq!(canonical.unwrap(), object(a.1, b.1).as_bytes(), "{text} {profile:?}")
            }
            Ordering::Greater => {
                assert_eq!(canonical.unwrap(), object(b.1, a.1).as_bytes(), "{text} {profile:?}")
            }
        }
        assert!(order == Ordering::Equal || repeated == [false, false], "{text}");
    }
}

#[test]
fn a_name_that_is_repeated_further_back_is_told_from_one_out_of_order() {
    for profile in [Profile::Tct, Profile::Rfc8785] {
        for (text, kind, offset) in [
            (r#"{"a":1,"b":2,"a":3}"#, DeviationKind::Refused(Kind::DuplicateMember), 13),
            (r#"{"\n":1," ":2,"\n":3}"#, DeviationKind::Refused(Kind::DuplicateMember), 14),
            // Escaped here and not there: the same name all the same, and the quote is in front of the escape.
            (r#"{"a":1,"b":2,"\u0061":3}"#, DeviationKind::Refused(Kind::DuplicateMember), 13),
            (r#"{"a":1,"\u0061":3}"#, DeviationKind::Refused(Kind::DuplicateMember), 7),
            // The object around it has the name, this one does not.
            (r#"{"a":1,"b":{"b":1,"a":2}}"#, DeviationKind::MemberOrder, 18),
            (r#"{"a":{"b":1},"c":2,"b":3}"#, DeviationKind::MemberOrder, 19),
            (r#"[{"a":1,"b":2},{"b":1,"a":2}]"#, DeviationKind::MemberOrder, 22),
        ] {
            let deviation = check_canonical(text.as_bytes(), profile).unwrap();
            assert_eq!((deviation.kind(), deviation.offset()), (kind, offset), "{text}");
        }
    }
}

#[test]
fn a_name_equals_the_text_it_means() {
    let read = JsonReader::new().read_str(r#"{"caf\u00e9":1}"#).unwrap();
    let (name, _) = read.root().members().next().unwrap();
    assert!(name == "café" && name == *"café" && name.is("café"));
    for other in ["", "caf", "cafe", "caf\\u00e9", "café "] {
        assert!(name != other && name != *other && !name.is(other), "{other}");
    }
}
