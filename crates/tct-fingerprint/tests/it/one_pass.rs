//! The one-pass kernel gives what the six steps give, one after the other.

use std::fmt;

use tct_fingerprint::{Fingerprinter, Step, Steps, normalize, write_normalized};

fn check(text: &str) {
    let steps = Steps::of(text);
    let expected = steps.after(Step::Trimmed);
    let normalized = normalize(text);
    assert!(normalized == expected, "{text:?}: expected {expected:?}, found {normalized:?}");
    let mut written = String::from("before ");
    assert_eq!(write_normalized(text, &mut written), Ok(()));
    assert!(
        written.strip_prefix("before ") == Some(expected),
        "{text:?}: expected {expected:?}, found {written:?}"
    );
}

fn check_streamed<'a>(text: &str, chunks: impl IntoIterator<Item = &'a str> + Clone) {
    let steps = Steps::of(text);
    let shown: Vec<_> = chunks.clone().into_iter().collect();
    let mut fingerprinter = Fingerprinter::new();
    chunks.into_iter().for_each(|chunk| fingerprinter.update(chunk));
    assert_eq!(fingerprinter.finish(), steps.fingerprint(), "{shown:?}");
}

/// `Ϊ` and `Ϋ` compose with no further mark, though `ϊ` and `ϋ` do.
#[test]
fn capitals_with_a_diaeresis_keep_their_second_mark() {
    for letter in ['Ι', 'ι', 'Υ', 'υ'] {
        for second in ['\u{300}', '\u{301}', '\u{342}'] {
            for pad in 0..70 {
                check(&format!("{}{letter}\u{308}{second}x", " .".repeat(pad)));
            }
        }
    }
    assert_eq!(normalize("\u{399}\u{308}\u{301}x"), "\u{3CA}\u{301}x");
    assert_eq!(normalize("\u{3B9}\u{308}\u{301}x"), "\u{3B9}\u{308}\u{301}x");
}

/// Every code point in each context: many to a text, since a context separates them from each other.
#[test]
fn every_code_point_alone_and_in_contexts() {
    const CONTEXTS: [(&str, &str); 13] = [
        ("", ""),
        ("a", "b"),
        ("", "\u{301}"),
        ("e", "\u{301}"),
        ("\u{323}", ""),
        ("q\u{323}", "q"),
        (" ", " "),
        ("\u{3b1}", "\u{345}"),
        ("\u{1100}", "\u{11a8}"),
        ("abcdefghijklmnopqrstuvwxyzäöü", "абвгдежзийклмнопрстуф漢字漢字漢字ไทยไทย"),
        ("\u{5d0}\u{5b0}", "\u{5b0}"),
        ("&amp", "amp;"),
        ("\u{915}", "\u{93c}"),
    ];
    for c in '\0'..=char::MAX {
        for (before, after) in CONTEXTS {
            // Most code points are letters without any ado; a part of the contexts is enough for them.
            let sparse = matches!(c, '\u{20000}'..'\u{2F000}' | '\u{2FA20}'..'\u{E0000}' | '\u{E0200}'..);
            if sparse && u32::from(c) % 64 != 0 && !before.is_empty() {
                continue;
            }
            check(&format!("{before}{c}{after}"));
        }
        if u32::from(c) < 0x30000 && u32::from(c) % 4 == 0 {
            check(&format!("{c}{c}"));
        }
    }
}

/// A number may have any number of digits, of which only the sum is kept between chunks.
#[test]
fn numbers_of_any_length_in_pieces() {
    for start in ["#", "#x", "#X", "#0x"] {
        for zeros in [0, 1, 2, 3, 13, 14, 15, 16, 17, 40] {
            for digits in
                ["", "4", "41", "0041", "10FFFF", "110000", "1114111", "1114112", "99999999999999999"]
            {
                for end in ["", ";", ";;", "g", " ", "&", "&amp;", "é", "0;", "\u{301}", "#"] {
                    let text = format!("e&{start}{}{digits}{end}", "0".repeat(zeros));
                    for size in [1, 2, 7, 16, 17] {
                        let pieces: Vec<String> = text
                            .chars()
                            .collect::<Vec<_>>()
                            .chunks(size)
                            .map(|piece| piece.iter().collect())
                            .collect();
                        check_streamed(&text, pieces.iter().map(String::as_str));
                    }
                }
            }
        }
    }
}

/// Texts at which the chunks' ends hurt.
const HARD: &[&str] = &[
    "Hello  World\n\t\nTesting",
    "e\u{301}e\u{323}\u{301}e\u{301}\u{323} E\u{301}\u{345}",
    "\u{1100}\u{1161}\u{11a8}\u{1100}\u{1161} \u{ac00}\u{11a8}\u{ac01}\u{11a8}",
    "a\r\nb\r\n\r\n c \u{a0} \u{3000}d",
    "&amp;amp; &notit; &notin; &not &CounterClockwiseContourIntegral; &CounterClockwiseContourIntegra",
    "&#128;&#x99;&#x81;&#0;&#xD800;&#x110000;&#99999999999999999999;&#;&#x;&#xg&#X41;&#x41&#65g&",
    "e&#x301;e&#769 &nGt;&nGt;\u{301}&fjlig;\u{301}&#x1100;&#x1161;&#x11a8; &#x345;&amp&#x301;",
    "&#00000000000000000000000000000000000000000000000000000065;&am&amp;p;&&&amp&;&lt&gt",
    "\u{7}\u{301}a\u{7}\u{301} \u{301}\u{20dd}&#7;\u{301}\u{fdfa}\u{301}\u{b4}\u{323}\u{149}\u{301}",
    "\u{fb01}\u{301}\u{ff21}\u{301}\u{1e9e}ß\u{130}\u{ab70}ςΣ\u{2126}\u{212b}\u{1f0}\u{390}\u{1e96}\u{37e}",
    "x\u{316}\u{316}\u{316}\u{316}\u{316}\u{316}\u{316}\u{316}\u{316}\u{316}\u{301}\u{316}y",
    "\u{5d0}\u{5b0}\u{5b1}\u{5b2}\u{5b3}\u{5b4}\u{5b5}\u{5b6}\u{5b7}\u{5b8}\u{5b9}\u{5bb}\u{5bc}\u{5bd}\u{5bf}",
    "    \u{2000}\u{85}\u{1c}\u{feff}\u{200b}   ",
    "\u{0e19}\u{0e49}\u{0e33} \u{0915}\u{093c}\u{094d}\u{0937} \u{0628}\u{0651}\u{064e}\u{064e}\u{0651}",
    "\u{915}\u{93c}\u{93f} \u{928}\u{93c}\u{930}\u{93c}a\u{93c} \u{929}\u{93c} \u{915}\u{93c}\u{93c}b \u{958}\u{93c} &#x915;\u{93c}c",
    "\u{304b}\u{3099}\u{304d}\u{3099}\u{3099} \u{ff76}\u{ff9e} \u{ff21}\u{301}\u{3000}\u{3000}\u{a0} \u{ff06}amp\u{ff1b}",
    "a&#39;&#160;&#x301;&nbsp;b &lt;&gt;&#x338;&amp; &quot;&NoSuchName;&eacute;&#x323;&lt;",
    "&Eacute;&eacute\u{323}&nbsp;&nbsp &hellip;&mldr;&frac12;&#8260;&thinsp;&zwj;&shy;&NewLine;&Tab;&ThickSpace;",
];

#[test]
fn hard_texts() {
    for text in HARD {
        check(text);
        for pad in 0..70 {
            check(&format!("{}{text}{}", "x".repeat(pad), "é y".repeat(30)));
        }
    }
}

#[test]
fn chunks_may_end_anywhere() {
    for text in HARD {
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        for &first in &ends {
            check_streamed(text, [&text[..first], &text[first..]]);
            for &second in ends.iter().filter(|&&end| end >= first) {
                check_streamed(text, [&text[..first], &text[first..second], &text[second..]]);
            }
        }
        let single: Vec<&str> = ends.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
        check_streamed(text, single.iter().copied());
    }
}

/// Takes a few pieces and then no more.
struct Full {
    taken: String,
    room: usize,
    refused: usize,
}

impl fmt::Write for Full {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        match self.room.checked_sub(1) {
            Some(room) => {
                self.room = room;
                self.taken.push_str(piece);
                Ok(())
            }
            None => {
                self.refused += 1;
                Err(fmt::Error)
            }
        }
    }
}

#[test]
fn a_writer_that_takes_no_more_gets_no_more() {
    let text = "漢字 and  LETTERS, 한국어 ".repeat(200);
    let mut full = Full { taken: String::new(), room: 2, refused: 0 };
    assert_eq!(write_normalized(&text, &mut full), Err(fmt::Error));
    assert_eq!(full.refused, 1);
    assert!(!full.taken.is_empty() && normalize(&text).starts_with(&full.taken));
}

/// Signs of class 0 that compose with some letters and stand for themselves behind all others: every neighbour of their
/// scripts before and after them, at a distance that moves through the chunks, whole and in pieces.
#[test]
fn signs_that_compose_with_few_letters() {
    const SIGNS: [char; 17] = [
        '\u{9BE}', '\u{9D7}', '\u{B3E}', '\u{B56}', '\u{B57}', '\u{BBE}', '\u{BD7}', '\u{CC2}', '\u{CD5}',
        '\u{CD6}', '\u{D3E}', '\u{D57}', '\u{DCA}', '\u{DCF}', '\u{DDF}', '\u{102E}', '\u{C56}',
    ];
    let neighbours = ('\u{900}'..='\u{DFF}').chain('\u{1020}'..='\u{103F}').chain("a&é\u{301}漢 ".chars());
    for (at, neighbour) in neighbours.enumerate() {
        let filler = &"abcdefghij klmnopqrstuvwxyz abcdefghijklmnop qrstuvwxyz 0123456789"[at % 64..];
        let mut text = String::new();
        for sign in SIGNS {
            text.extend([neighbour, sign, 'ক', sign, neighbour, sign, sign, neighbour]);
            text.push_str(filler);
            text.extend([sign, neighbour, '\u{93C}', sign, '\u{301}', neighbour, sign]);
            text.push_str(&format!(
                "&#{};{sign}{neighbour}{sign}&#{};{sign} ",
                u32::from(neighbour),
                u32::from(sign)
            ));
        }
        check(&text);
        let middle =
            text.char_indices().map(|(at, _)| at).nth(text.chars().count() / 2 + at % 7).unwrap_or(0);
        let (first, second) = text.split_at(middle);
        check_streamed(&text, [first, second]);
    }
}

/// All letters with all pairs of the marks that letters with accents are made of, in order and out of it.
#[test]
fn letters_with_two_accents() {
    for letter in "aeiouAEIOUcCdlnrstyYzhHjwkKüÜőŐâÂêÊôÔơƠăĂαωΩйк".chars() {
        for first in '\u{300}'..='\u{345}' {
            let mut text = String::new();
            for second in '\u{300}'..='\u{345}' {
                text.extend([letter, first, second, 'x', letter, second, ' ', letter, first]);
                if u32::from(second) % 5 == 0 {
                    text.extend([second, '\u{316}', '.', '\u{301}']);
                }
            }
            check(&text);
        }
    }
}

/// Korean in single letters: every kind of syllable, and what only looks like one.
#[test]
fn syllables_of_single_letters() {
    let leads = "\u{10FF}\u{1100}\u{1112}\u{1113}\u{AC00}\u{AC01}".chars();
    for (at, lead) in leads.enumerate() {
        for vowel in "\u{1160}\u{1161}\u{1175}\u{1176}a".chars() {
            let mut text = "x".repeat(at);
            for last in "\u{11A7}\u{11A8}\u{11C2}\u{11C3} \u{1161}\u{1100}\u{301}&".chars() {
                text.extend([lead, vowel, last, lead, vowel, '\u{1100}', '\u{1161}', '\u{11A8}', lead, last]);
            }
            check(&text);
        }
    }
}
