//! The subjects of a block's own words: a line with "Subscribe" is seldom content.

use crate::words::list::Packed;
use crate::words::spoken::{LEGAL, LIST, MEANINGS as SUBJECTS, PRICES, QUESTIONS};

/// Most words of a block that are looked up: longer texts are recognised by their shape.
const LOOKED_AT: usize = 40;

/// How many words of each group a text has, and of how many words they are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Subjects {
    pub(crate) counts: [u8; SUBJECTS],
    pub(crate) words: u8,
}

impl Subjects {
    /// The share of the words in each group.
    pub(crate) fn shares(&self) -> [f32; SUBJECTS] {
        let words = f32::from(self.words.max(1));
        self.counts.map(|count| f32::from(count) / words)
    }
}

impl Subjects {
    /// Counts a word of the block; `None` stands for one that no list has.
    pub(super) fn add_word(&mut self, word: Option<Packed>) {
        if usize::from(self.words) < LOOKED_AT {
            self.words += 1;
            if let Some(meaning) = word.and_then(|word| LIST.meaning_of(word)) {
                self.count(meaning);
            }
        }
    }

    /// Counts the signs of a piece of the block's text.
    pub(super) fn add_signs(&mut self, text: &str) {
        if usize::from(self.words) >= LOOKED_AT {
            return;
        }
        let bytes = text.as_bytes();
        let mut price = memchr::memchr(b'$', bytes).is_some();
        let mut question = memchr::memchr(b'?', bytes).is_some();
        let mut legal = false;
        // What the other signs start with, and little else.
        for at in memchr::memchr3_iter(0xc2, 0xe2, 0xef, bytes) {
            match bytes.get(at..at + 3).unwrap_or(bytes.get(at..).unwrap_or_default()) {
                [0xc2, 0xa3 | 0xa5, ..] | [0xe2, 0x82, 0xac | 0xb9] => price = true, // £ ¥ € ₹
                [0xc2, 0xa9 | 0xae, ..] | [0xe2, 0x84, 0xa2] => legal = true,        // © ® ™
                [0xef, 0xbc, 0x9f] => question = true,                               // ？
                _ => {}
            }
        }
        for (meaning, _) in
            [(PRICES, price), (LEGAL, legal), (QUESTIONS, question)].iter().filter(|(_, seen)| *seen)
        {
            self.count(*meaning);
        }
    }

    fn count(&mut self, meaning: u64) {
        if let Some(place) = self.counts.get_mut(meaning as usize) {
            *place = place.saturating_add(1);
        }
    }
}
