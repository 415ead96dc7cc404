//! What a letter and one or two marks become, in two look-ups: for letters of Latin, Greek and Cyrillic that are written
//! with their accents apart (NFD).
//!
//! A *node* is a letter or what it became with marks. Nodes that can take one more mark come first and have a row of
//! [`NEXT`]. Node 0 is what has no other: it takes no mark.
//!
//! Letters are small ones, and what comes out is what all steps make of letter and marks. That this is the same for
//! capitals is what the tests show.

use crate::fast::data::{PAIRS, POOL};
use crate::fast::entry_below;
use crate::table::KEEP;
use crate::unicode::TEXT;

/// Letters and letters with one mark that can take one more, and node 0.
const ROWS: usize = 89;
const NODES: usize = 387;
const MARKS: usize = 29;
/// U+03B0 to U+045F.
const FIRST_OF_TWO: usize = 0x3B0;
const OF_TWO: usize = 0xB0;
/// The last mark that is looked at; the one behind it makes a letter longer.
const LAST_MARK: u16 = 0x344;

struct Accents {
    /// The node of each ASCII letter, small or not.
    latin: [u8; 128],
    of_two: [u8; OF_TWO],
    /// The column of each mark from U+0300 on, 0 for those that compose with none of the letters.
    marks: [u8; 128],
    next: [u16; ROWS * MARKS],
    /// Two or three bytes, the first one lowest, and their number in the highest byte.
    texts: [u32; NODES],
}

static ACCENTS: Accents = accents();

/// The node of an ASCII letter, small or not.
#[inline(always)]
pub(crate) fn letter(byte: u8) -> u16 {
    u16::from(ACCENTS.latin.get(usize::from(byte)).copied().unwrap_or_default())
}

/// The node of a small letter of two bytes.
#[inline(always)]
pub(crate) fn letter_of_two(lead: u8, last: u8) -> u16 {
    let code = usize::from(lead & 0x1F) << 6 | usize::from(last & 0x3F);
    u16::from(ACCENTS.of_two.get(code.wrapping_sub(FIRST_OF_TWO)).copied().unwrap_or_default())
}

/// The node that this one becomes with a mark, given by its bytes: CC 80 to CD BF.
#[inline(always)]
pub(crate) fn with(node: u16, lead: u8, last: u8) -> u16 {
    let mark = (usize::from(lead) << 6 ^ usize::from(last)) & 127;
    let mark = ACCENTS.marks.get(mark).copied().unwrap_or_default();
    ACCENTS.next.get(usize::from(node) * MARKS + usize::from(mark)).copied().unwrap_or_default()
}

/// What comes out for a node with a mark: two or three bytes, the first one lowest, and their number in the highest byte. 0
/// for node 0.
#[inline(always)]
pub(crate) fn text(node: u16) -> u32 {
    ACCENTS.texts.get(usize::from(node)).copied().unwrap_or_default()
}

/// The first pair with this first character of plane 0; those of plane 1 come last.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
const fn first_pair(code: u16) -> usize {
    let (mut start, mut end) = (0, PAIRS.len());
    while start < end {
        let middle = start.midpoint(end);
        if PAIRS[middle].3 < TEXT && PAIRS[middle].0 < code { start = middle + 1 } else { end = middle }
    }
    start
}

/// What comes out for a pair of plane 0 whose second is one of the marks U+0300 to U+0344, packed as in the table; 0 for
/// others and for longer texts.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
const fn packed(pair: usize) -> u32 {
    let (_, mark, _, place) = PAIRS[pair];
    if place >= TEXT || mark < 0x300 || mark > LAST_MARK {
        return 0;
    }
    let (text, start) = (POOL.as_bytes(), place as usize + 1);
    match text[start - 1] {
        2 => u32::from_le_bytes([text[start], text[start + 1], 0, 2]),
        3 => u32::from_le_bytes([text[start], text[start + 1], text[start + 2], 3]),
        _ => 0,
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
const fn takes_a_mark(code: u16) -> bool {
    let mut pair = first_pair(code);
    while pair < PAIRS.len() && PAIRS[pair].0 == code {
        if packed(pair) != 0 {
            return true;
        }
        pair += 1;
    }
    false
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
const fn accents() -> Accents {
    let mut all = Accents {
        latin: [0; 128],
        of_two: [0; OF_TWO],
        marks: [0; 128],
        next: [0; ROWS * MARKS],
        texts: [0; NODES],
    };
    let (mut codes, mut rows, mut nodes, mut marks) = ([0; ROWS], 1, ROWS, 1);
    let mut code = b'a' as usize;
    while code < FIRST_OF_TWO + OF_TWO {
        if takes_a_mark(code as u16) && entry_below(code) == KEEP {
            if code <= b'z' as usize {
                (all.latin[code], all.latin[code & !0x20]) = (rows as u8, rows as u8);
            } else {
                all.of_two[code - FIRST_OF_TWO] = rows as u8;
            }
            codes[rows] = code as u16;
            rows += 1;
        }
        code = if code == b'z' as usize { FIRST_OF_TWO } else { code + 1 };
    }
    let mut row = 1;
    while row < rows {
        let mut pair = first_pair(codes[row]);
        while pair < PAIRS.len() && PAIRS[pair].0 == codes[row] {
            let (_, mark, composed, _) = PAIRS[pair];
            let text = packed(pair);
            if text != 0 {
                let mark = (mark & 127) as usize;
                if all.marks[mark] == 0 {
                    all.marks[mark] = marks;
                    marks += 1;
                }
                let node = if takes_a_mark(composed) {
                    codes[rows] = composed;
                    rows += 1;
                    rows - 1
                } else {
                    nodes += 1;
                    nodes - 1
                };
                all.next[row * MARKS + all.marks[mark] as usize] = node as u16;
                all.texts[node] = text;
            }
            pair += 1;
        }
        row += 1;
    }
    assert!(rows == ROWS && nodes == NODES && marks as usize <= MARKS);
    all
}

#[cfg(test)]
pub(crate) fn table_bytes() -> usize {
    size_of::<Accents>()
}

#[cfg(test)]
mod tests {
    use std::string::String;

    use super::*;
    use crate::fast::Fast;
    use crate::unicode::Data;
    use crate::{Step, Steps, normalize};

    /// Every letter, small or not, with every mark and every two marks, by the steps one after the other.
    #[test]
    fn letters_with_marks_become_what_the_steps_make_of_them() {
        let letters = ('A'..='z').chain('\u{390}'..='\u{3D2}').chain('\u{400}'..='\u{45F}');
        let mut composed = 0;
        for letter in letters {
            let mut text = String::new();
            for first in '\u{300}'..='\u{345}' {
                text.extend([letter, first, ' ']);
                for second in '\u{300}'..='\u{345}' {
                    text.extend([letter, first, second, 'x']);
                    composed += usize::from(of(letter, &[first, second]).is_some());
                }
            }
            let (all, steps) = (normalize(&text), Steps::of(&text));
            let differs = all.split('x').zip(steps.after(Step::Trimmed).split('x')).find(|(a, b)| a != b);
            assert_eq!(differs, None, "{letter}");
        }
        assert!(composed > 150, "{composed}");
    }

    fn of(letter: char, marks: &[char]) -> Option<[u8; 4]> {
        let mut bytes = [0; 4];
        let letter: String = letter.to_lowercase().collect();
        let mut node = match *letter.as_bytes() {
            [byte] => super::letter(byte),
            [lead, last] => letter_of_two(lead, last),
            _ => return None,
        };
        for mark in marks {
            mark.encode_utf8(&mut bytes);
            node = with(node, bytes[0], bytes[1]);
        }
        Some(text(node).to_le_bytes()).filter(|text| text[3] != 0)
    }

    #[test]
    fn one_mark_is_as_the_pair_says() {
        for letter in ('a'..='z').chain('\u{3B1}'..='\u{3C9}').chain('\u{430}'..='\u{45F}') {
            for mark in '\u{300}'..='\u{37F}' {
                let pair = Fast::pair(u32::from(letter), u32::from(mark));
                let text = of(letter, &[mark]);
                let text = text.as_ref().and_then(|text| text.get(..usize::from(text[3])));
                assert_eq!(text, pair.filter(|pair| pair.len() <= 3), "{letter} {mark:?}");
            }
        }
    }
}
