//! What a text has shown so far: scripts with lanes of their own, and blocks of 64 characters with a table each.

use crate::table;

/// Scripts and blocks that a text has shown. Their lanes run on all of the rest of the text.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
pub(crate) struct Scripts {
    met: u32,
    two: Blocks<6>,
    three: Blocks<4>,
    /// The last ones that were asked for: characters that no lane handles come again and again.
    last: [(u8, u8); 2],
}

/// Up to `N` blocks; characters of further ones are handled one by one.
#[derive(Debug, Clone, Copy)]
struct Blocks<const N: usize> {
    count: usize,
    blocks: [Block; N],
}

impl<const N: usize> Default for Blocks<N> {
    fn default() -> Self {
        Blocks {
            count: 0,
            blocks: [Block { lead: 0, next: 0, behind: 0, has_marks: false, stays: table::NO_STAYS }; N],
        }
    }
}

/// 64 characters whose bytes are the same up to the last one, or several such blocks in a row with the same table.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
pub(super) struct Block {
    /// The first byte.
    pub(super) lead: u8,
    /// The second of three, of the first block.
    pub(super) next: u8,
    /// How many more blocks there are.
    pub(super) behind: u8,
    /// Whether any of the characters is a mark or sign that stays behind most letters.
    pub(super) has_marks: bool,
    /// See [`table::stays`].
    pub(super) stays: table::Stays,
}

#[cfg_attr(not(test), allow(dead_code, reason = "of use where there are lanes"))]
impl Scripts {
    pub(super) const LATIN: u32 = 1;
    pub(super) const CYRILLIC: u32 = 2;
    pub(super) const GREEK: u32 = 4;
    pub(super) const HEBREW_AND_ARABIC: u32 = 8;
    pub(super) const QUOTES: u32 = 16;
    pub(super) const CHINESE_AND_JAPANESE: u32 = 32;
    pub(super) const WIDE: u32 = 64;
    pub(super) const KOREAN: u32 = 128;
    /// The scripts of India, Sri Lanka, Thailand and Laos.
    pub(super) const SOUTH_ASIAN: u32 = 256;
    pub(super) const ARMENIAN: u32 = 512;
    pub(super) const LATIN_EXTENDED: u32 = 1024;
    /// Vietnamese, Georgian, Ethiopic, Burmese and Khmer.
    pub(super) const OF_E1: u32 = 2048;
    /// At least one block of characters of two bytes, of three bytes.
    pub(super) const BLOCKS_OF_TWO: u32 = 4096;
    pub(super) const BLOCKS_OF_THREE: u32 = 8192;
    /// Marks that letters with accents are made of.
    pub(super) const ACCENTS: u32 = 16384;
    /// Letters that syllables of Korean are made of.
    pub(super) const JAMO: u32 = 32768;
    /// `ß` of German, which becomes two letters.
    pub(super) const SHARP_S: u32 = 65536;
    pub(super) const OF_THREE_BYTES: u32 = Self::JAMO
        | Self::QUOTES
        | Self::CHINESE_AND_JAPANESE
        | Self::WIDE
        | Self::KOREAN
        | Self::SOUTH_ASIAN
        | Self::OF_E1
        | Self::BLOCKS_OF_THREE;

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.met == 0
    }

    /// As it was at a text's start.
    #[inline]
    pub(crate) fn forget(&mut self) {
        (self.met, self.two.count, self.three.count, self.last) = (0, 0, 0, Default::default());
    }

    /// Whether any of these has been met.
    #[inline(always)]
    pub(super) fn has(&self, scripts: u32) -> bool {
        self.met & scripts != 0
    }

    /// The blocks of characters of two bytes.
    #[inline(always)]
    pub(super) fn two(&self) -> &[Block] {
        self.two.blocks.get(..self.two.count).unwrap_or_default()
    }

    /// The blocks of characters of three bytes.
    #[inline(always)]
    pub(super) fn three(&self) -> &[Block] {
        self.three.blocks.get(..self.three.count).unwrap_or_default()
    }

    /// Adds the script or, `with_blocks`, the block of a character that begins with these bytes.
    #[inline(always)]
    pub(super) fn meet(&mut self, lead: u8, next: u8, with_blocks: bool) {
        if !self.last.contains(&(lead, next)) {
            let [_, last] = self.last;
            self.last = [last, (lead, next)];
            self.add(lead, next, with_blocks);
        }
    }

    #[inline(never)]
    fn add(&mut self, lead: u8, next: u8, with_blocks: bool) {
        let letters = match lead {
            0xC3 if next == 0x9F => Self::LATIN | Self::SHARP_S,
            0xC3 => Self::LATIN,
            0xCE | 0xCF => Self::GREEK,
            0xD0 | 0xD1 => Self::CYRILLIC,
            0xE3..=0xE9 => Self::CHINESE_AND_JAPANESE,
            0xEA if next >= 0xB0 => Self::KOREAN,
            0xEB..=0xED => Self::KOREAN,
            0xEF => Self::WIDE,
            0xCC | 0xCD => Self::ACCENTS,
            0xE1 if matches!(next, 0x84..=0x87) => Self::JAMO,
            0xC4 | 0xC5 if with_blocks => {
                let stays = table::latin_extended(lead == 0xC5);
                self.met |= self.two.add(lead, 0, stays, Self::BLOCKS_OF_TWO | Self::LATIN_EXTENDED);
                return;
            }
            0xC2..=0xDF if with_blocks => {
                let code = u32::from(lead & 0x1F) << 6;
                self.met |= self.two.add(lead, 0, table::stays(code), Self::BLOCKS_OF_TWO);
                return;
            }
            0xE0..=0xEF if with_blocks => {
                let code = u32::from(lead & 0x0F) << 12 | u32::from(next & 0x3F) << 6;
                self.met |= self.three.add(lead, next, table::stays(code), Self::BLOCKS_OF_THREE);
                return;
            }
            0xD7..=0xD9 => Self::HEBREW_AND_ARABIC,
            0xC4..=0xC6 => Self::LATIN_EXTENDED,
            0xD5 | 0xD6 => Self::ARMENIAN,
            0xE0 => Self::SOUTH_ASIAN,
            0xE1 => Self::OF_E1,
            0xE2 => Self::QUOTES,
            _ => 0,
        };
        self.met |= letters;
    }
}

impl<const N: usize> Blocks<N> {
    /// Adds a block unless it is there or has no character that stays; gives `met` back if there is one block now.
    #[inline(never)]
    fn add(&mut self, lead: u8, next: u8, stays: table::Stays, met: u32) -> u32 {
        let blocks = self.blocks.get_mut(..self.count).unwrap_or_default();
        // Most often it is there: what was met is one of its characters that change.
        if blocks.iter().any(|block| block.lead == lead && next.wrapping_sub(block.next) <= block.behind)
            || stays.iter().all(|rows| rows & 0x0F == 0)
        {
            return 0;
        }
        for block in blocks.iter_mut().filter(|block| block.lead == lead) {
            // All Chinese and most Ethiopic blocks are alike.
            if block.stays == stays && next == block.next + block.behind + 1 {
                block.behind += 1;
                return met;
            }
            if block.stays == stays && next + 1 == block.next {
                block.next = next;
                block.behind += 1;
                return met;
            }
        }
        let Some(free) = self.blocks.get_mut(self.count) else { return 0 };
        let has_marks = stays.iter().any(|rows| rows & 0xF0 != 0);
        *free = Block { lead, next, behind: 0, has_marks, stays };
        self.count += 1;
        met
    }
}
