//! One pass gives what the six steps give, chunks give what the whole text gives, and all of them what a pipeline of crates
//! gives that share no code or data with ours.
#![no_main]

use caseless::Caseless;
use libfuzzer_sys::fuzz_target;
use tct_fingerprint::{
    Fingerprinter, Step, Steps, Utf8Fingerprinter, fingerprint, normalize, widths, write_normalized,
};
use unicode_normalization::UnicodeNormalization;

/// What random bytes hardly ever spell; a byte of the input picks one.
const NASTY: [&str; 64] = [
    "&", "&amp;", "&#x301;", "&#769", "&not", "&notin;", "&nGt;", "&fjlig;", "&#", "&#x", ";", "&#0;", "&#128;", "&nbsp;",
    "e", "E", "a", "\u{301}", "\u{323}", "\u{316}", "\u{345}", "\u{5b0}", "\u{5b4}", "\u{f71}", "\u{f73}", "\u{1100}",
    "\u{1161}", "\u{11a8}", "\u{ac00}", "\u{ac01}", "\u{a0}", "\u{3000}", " ", "\t", "\r\n", "\u{7}", "\u{85}", "\u{0}",
    "\u{fb01}", "\u{149}", "\u{1f0}", "\u{390}", "\u{130}", "\u{df}", "\u{1e9e}", "\u{3c2}", "\u{3a3}", "\u{ab70}",
    "\u{13a0}", "\u{fdfa}", "\u{b4}", "\u{344}", "\u{37e}", "\u{aa}", "\u{b2}", "\u{17f}", "\u{212b}", "\u{1d15e}",
    "\u{2f800}", "\u{0e33}", "\u{915}\u{93c}", "\u{fb2c}", "abcdefghijklmnopqrstuvwxyz 0123456789", "жизнь 漢字 ไทย",
];

/// The steps with `htmlize`, `unicode-normalization` and `caseless`. `None` for letters that fold since Unicode 17 or 18,
/// which `caseless` does not know.
fn staged(text: &str) -> Option<String> {
    let composed: String = htmlize::unescape(text).nfkc().collect();
    let newer = |c: char| matches!(u32::from(c), 0xA7CE..=0xA7E2 | 0xAB6C..=0xAB6D | 0x16EA0..=0x16EB8 | 0x1DF40..=0x1DF7E);
    if composed.contains(newer) {
        return None;
    }
    let space = |c| matches!(c, ' ' | '\t' | '\n' | '\r');
    let cleaned: String = composed.chars().default_case_fold().filter(|&c| space(c) || !c.is_control()).collect();
    Some(cleaned.split(space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
}

fuzz_target!(|data: &[u8]| {
    let Some((&mode, data)) = data.split_first() else { return };
    // Bytes as they are; or each byte one of the nasty, one of a script's letters, or ASCII. Mostly the latter: random bytes
    // seldom show a lane a whole chunk of one script.
    let text = match (mode & 3, data.split_first_chunk()) {
        (0, _) | (_, None) => String::from_utf8_lossy(data).into_owned(),
        (1, _) => data.iter().map(|byte| NASTY[usize::from(byte % 64)]).collect(),
        (_, Some((script, data))) => {
            let base = u32::from(u16::from_be_bytes(*script));
            let mut text = String::new();
            for &byte in data {
                match byte {
                    0..0x40 => text.push_str(NASTY[usize::from(byte)]),
                    0x40..0x80 => text.push(char::from(byte)),
                    _ => text.extend(char::from_u32(base + u32::from(byte & 0x7F))),
                }
            }
            text
        }
    };
    let steps = Steps::of(&text);
    let expected = steps.after(Step::Trimmed);
    if let Some(staged) = staged(&text) {
        assert_eq!(staged, expected);
    }
    assert_eq!(normalize(&text), expected);
    let mut written = String::new();
    assert_eq!(write_normalized(&text, &mut written), Ok(()));
    assert_eq!(written, expected);
    assert_eq!(fingerprint(&text), steps.fingerprint());
    for width in widths::NAMES {
        assert!(widths::fingerprint(width, &text).is_none_or(|value| value == steps.fingerprint()), "{width}");
    }

    let size = usize::from(mode >> 1) + 1;
    let mut fingerprinter = Utf8Fingerprinter::new();
    for chunk in text.as_bytes().chunks(size) {
        fingerprinter.update(chunk).expect("text is UTF-8");
    }
    assert_eq!(fingerprinter.finish(), Ok(steps.fingerprint()));

    let mut fingerprinter = Fingerprinter::new();
    for c in text.chars() {
        let mut buffer = [0; 4];
        fingerprinter.update(c.encode_utf8(&mut buffer));
    }
    assert_eq!(fingerprinter.finish(), steps.fingerprint());
});
