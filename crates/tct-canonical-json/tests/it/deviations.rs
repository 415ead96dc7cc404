//! `check_canonical` names the first byte that differs: beside encoding and comparing, for all short texts.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use tct_canonical_json::{
    DeviationKind as Kind, JsonKind, JsonReader, JsonValue, Profile, check_canonical, to_canonical,
};

/// The canonical form with the members in the order of the text, and the quote of the first name that is out of order.
fn in_text_order(value: JsonValue<'_>, out: &mut Vec<u8>, misplaced: &mut Option<usize>) {
    let token = |raw: &str| to_canonical(raw.as_bytes(), Profile::Tct).unwrap();
    match value.kind() {
        JsonKind::Array => {
            out.push(b'[');
            for (index, item) in value.items().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                in_text_order(item, out, misplaced);
            }
            out.push(b']');
        }
        JsonKind::Object => {
            out.push(b'{');
            let mut last: Option<String> = None;
            for (name, member) in value.members() {
                if let Some(last) = &last {
                    out.push(b',');
                    if last.as_str() > &*name.as_str() {
                        misplaced.get_or_insert(name.span().start);
                    }
                }
                last = Some(name.as_str().into_owned());
                out.extend(token(&format!("\"{}\"", name.raw().trim_matches('"'))));
                out.push(b':');
                in_text_order(member, out, misplaced);
            }
            out.push(b'}');
        }
        _ => out.extend(token(value.raw())),
    }
}

/// Asserts where the text, which has a canonical form, is not it. Returns the kind of the deviation.
fn check(text: &[u8]) -> Option<Kind> {
    let document = JsonReader::new().read(text).unwrap();
    let (mut form, mut misplaced) = (Vec::new(), None);
    in_text_order(document.root(), &mut form, &mut misplaced);
    let same = text.iter().zip(&form).take_while(|(a, b)| a == b).count();
    let differs = (text != form).then_some(same);
    let shown = text.escape_ascii();
    let Some(deviation) = check_canonical(text, Profile::Tct) else {
        assert_eq!((differs, misplaced), (None, None), "{shown}");
        return None;
    };
    let expected = [differs, misplaced].into_iter().flatten().min();
    assert_eq!(Some(deviation.offset()), expected, "{shown}");
    let is_right = match deviation.kind() {
        Kind::MemberOrder => misplaced == expected,
        Kind::WhiteSpace => b" \n\r\t".contains(&text[same]) && differs == expected,
        Kind::Escape => text[..=same].contains(&b'\\') && differs == expected,
        Kind::NumberForm => b"+-.0123456789eE".contains(&text[same]) && differs == expected,
        _ => false,
    };
    assert!(is_right, "{deviation:?} {shown}");
    Some(deviation.kind())
}

/// Every escape of one code unit, in small and in large digits, alone and behind other text, as a value and as a name.
#[test]
fn every_escape() {
    let offset = |text: &[u8]| check_canonical(text, Profile::Tct).unwrap().offset();
    assert_eq!((offset(br#""\u001F""#), offset(br#""\u000a""#), offset(br#""\u0041""#)), (6, 2, 1));
    let mut kinds = [0, 0];
    let mut count = |kind: Option<Kind>| match kind {
        None => kinds[0] += 1,
        Some(Kind::Escape) => kinds[1] += 1,
        kind => panic!("{kind:?}"),
    };
    for unit in (0..=0xFFFF_u32).filter(|unit| !(0xD800..0xE000).contains(unit)) {
        for escape in [format!("\\u{unit:04x}"), format!("\\u{unit:04X}")] {
            count(check(format!("\"{escape}\"").as_bytes()));
            if unit < 0x100 || unit % 61 == 0 {
                count(check(format!("[\"é\\n\\u001f {escape}\\/\"]").as_bytes()));
                count(check(format!("{{\"a{escape}\":1}}").as_bytes()));
            }
        }
    }
    for high in (0xD800..0xDC00).step_by(17) {
        for low in (0xDC00..0xE000).step_by(19) {
            count(check(format!("[\"\\u{high:x}\\u{low:X}\"]").as_bytes()));
        }
    }
    for letter in ["\"", "\\", "/", "b", "f", "n", "r", "t"] {
        count(check(format!("\"\\{letter}\"").as_bytes()));
    }
    assert!(kinds[0] > 50 && kinds[1] > 120_000, "{kinds:?}");
}

/// Every number of up to five characters, alone and with something behind it, and those around the borders.
#[test]
fn every_short_number() {
    let mut texts: Vec<String> = vec![String::new()];
    let mut numbers = 0;
    for _ in 0..5 {
        texts =
            texts.iter().flat_map(|text| "0159-.eE+".chars().map(move |c| format!("{text}{c}"))).collect();
        for text in texts.iter().filter(|text| JsonReader::new().read(text.as_bytes()).is_ok()) {
            check(text.as_bytes());
            check(format!("[{text},0]").as_bytes());
            numbers += 1;
        }
    }
    assert!(numbers > 4_000, "{numbers}");
    for digits in [
        "1",
        "12",
        "1.5",
        "10",
        "100",
        "123456789012345",
        "1234567890123456",
        "12345678901234567",
        "0.1",
        "0.10",
        "9.99999999999999999",
    ] {
        for zeros in 0..25 {
            for sign in ["", "-"] {
                let zeros = "0".repeat(zeros);
                check(format!("{sign}{digits}{}", if digits.contains('.') { &zeros } else { "" }).as_bytes());
                check(format!("{sign}0.{zeros}{}", digits.replace('.', "")).as_bytes());
                check(format!("[{sign}{}{zeros}]", digits.replace("0.", "").replace('.', "")).as_bytes());
            }
        }
        for exponent in -40..40 {
            for e in ["e", "E", "e+", "e0"] {
                let text = format!("{digits}{e}{exponent}");
                if JsonReader::new().read(text.as_bytes()).is_ok() {
                    check(text.as_bytes());
                }
            }
        }
    }
}

/// Every document of up to eight of these parts.
#[test]
fn every_short_document() {
    const PARTS: [&str; 13] =
        ["{", "}", "[", "]", ",", " ", "\"a\":", "\"b\":", "\"\\u0062\":", "\"\\/\":", "1", "1.0", "\"\\t\""];
    fn grow(text: &mut String, left: usize, kinds: &mut [usize; 5]) {
        match JsonReader::new().read(text.as_bytes()) {
            Ok(_) => {
                let index = match check(text.as_bytes()) {
                    None => 0,
                    Some(Kind::WhiteSpace) => 1,
                    Some(Kind::Escape) => 2,
                    Some(Kind::NumberForm) => 3,
                    _ => 4,
                };
                kinds[index] += 1;
            }
            // It can still become a document, unless the fault is before its end.
            Err(error) if error.offset() == Some(text.len()) => {}
            Err(_) => return,
        }
        if left == 0 {
            return;
        }
        for part in PARTS {
            if part == " " && text.ends_with(' ') {
                continue;
            }
            text.push_str(part);
            grow(text, left - 1, kinds);
            text.truncate(text.len() - part.len());
        }
    }
    let mut kinds = [0; 5];
    grow(&mut String::new(), 8, &mut kinds);
    assert!(kinds.iter().all(|&count| count > 50), "{kinds:?}");
}
