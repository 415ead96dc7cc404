//! The scripts and blocks of 64 characters that a text has used so far; each has its own lane or table.
//!
//! Each lane costs time on every chunk, so only the lanes of scripts that the text uses are run. Scripts are never
//! removed before the text ends: a branch on whether the next 64 bytes have an accent or a quotation mark would be
//! mispredicted.
//!
//! The set of scripts decides which characters are *claimed*, never the *result*: the kernel handles the others with
//! the same result.

use crate::table::{self, KEEP, MAP};

/// The last bytes of the characters of a block that are claimed: byte `n` is for those that end in the four bits `n`, and
/// its bits 0 to 3 for last bytes `8n`, `9n`, `An` and `Bn`.
pub(super) type Rows = [u8; 16];

/// Scripts and blocks that a text has shown.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scripts {
    met: u32,
    two: Blocks<6>,
    three: Blocks<4>,
    /// The last ones that were asked for: characters that no lane claims come again and again.
    last: [(u8, u8); 2],
}

/// Up to `N` blocks; characters of further ones are the kernel's.
#[derive(Debug, Clone, Copy)]
struct Blocks<const N: usize> {
    count: usize,
    blocks: [Block; N],
}

/// 64 characters whose bytes are the same up to the last one, or several such blocks in a row with the same table.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Block {
    /// The first byte.
    pub(super) lead: u8,
    /// The second of three bytes, of the first block; 0 where there are two.
    pub(super) next: u8,
    /// How many more blocks there are: only with three bytes.
    pub(super) behind: u8,
    pub(super) rows: Rows,
}

impl<const N: usize> Default for Blocks<N> {
    fn default() -> Self {
        Blocks { count: 0, blocks: [Block::default(); N] }
    }
}

#[allow(dead_code, reason = "of use where there are vector registers")]
impl Scripts {
    pub(super) const LATIN: u32 = 1;
    pub(super) const CYRILLIC: u32 = 2;
    pub(super) const GREEK: u32 = 4;
    pub(super) const CHINESE_AND_JAPANESE: u32 = 8;
    pub(super) const KOREAN: u32 = 16;
    /// Latin beyond U+00FF: its small letters are claimed as those of any block, its capitals are made small.
    pub(super) const LATIN_EXTENDED: u32 = 32;
    /// At least one block of characters of two bytes, of three bytes.
    pub(super) const BLOCKS_OF_TWO: u32 = 64;
    pub(super) const BLOCKS_OF_THREE: u32 = 128;
    pub(super) const OF_THREE_BYTES: u32 = Self::CHINESE_AND_JAPANESE | Self::KOREAN | Self::BLOCKS_OF_THREE;

    /// Forgets all scripts, as at the start of a text.
    #[inline]
    pub(crate) fn forget(&mut self) {
        (self.met, self.two.count, self.three.count, self.last) = (0, 0, 0, Default::default());
    }

    /// How many bytes should be hashed at a time.
    ///
    /// The processor works on the next chunks while the hash waits for its own rounds, as far as its window reaches. Hashing
    /// one block at a time leaves more room for that, though each call costs a little: only plain ASCII has so few
    /// instructions a chunk that two blocks pay (1.08 in place of 1.13 times the hash alone; Russian 1.26 in place of 1.15).
    #[inline(always)]
    pub(crate) fn group(&self) -> usize {
        if self.is_empty() { 128 } else { 64 }
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.met == 0
    }

    /// Whether any of these has been met.
    #[inline(always)]
    pub(super) fn has(&self, scripts: u32) -> bool {
        self.met & scripts != 0
    }

    #[inline(always)]
    pub(super) fn two(&self) -> &[Block] {
        self.two.blocks.get(..self.two.count).unwrap_or_default()
    }

    #[inline(always)]
    pub(super) fn three(&self) -> &[Block] {
        self.three.blocks.get(..self.three.count).unwrap_or_default()
    }

    /// Adds what the character that begins with these bytes is of; `false` if nothing is new.
    #[inline]
    pub(crate) fn meet(&mut self, lead: u8, next: u8) -> bool {
        let next = if lead < 0xE0 { 0 } else { next };
        if lead < 0xC0 || self.last.contains(&(lead, next)) {
            return false;
        }
        let [_, last] = self.last;
        self.last = [last, (lead, next)];
        self.add(lead, next)
    }

    #[inline(never)]
    fn add(&mut self, lead: u8, next: u8) -> bool {
        let new = match lead {
            0xC3 => Self::LATIN,
            0xCE | 0xCF => Self::GREEK,
            0xD0 | 0xD1 => Self::CYRILLIC,
            0xE3..=0xE9 => Self::CHINESE_AND_JAPANESE,
            0xEA if next >= 0xB0 => Self::KOREAN,
            0xEB..=0xED => Self::KOREAN,
            0xC4 | 0xC5 if self.two.add(lead, 0) => {
                self.met |= Self::LATIN_EXTENDED | Self::BLOCKS_OF_TWO;
                return true;
            }
            0xC2..=0xDF if self.two.add(lead, 0) => {
                self.met |= Self::BLOCKS_OF_TWO;
                return true;
            }
            0xE0..=0xEF if self.three.add(lead, next) => {
                self.met |= Self::BLOCKS_OF_THREE;
                return true;
            }
            _ => 0,
        };
        let is_new = new & !self.met != 0;
        self.met |= new;
        is_new
    }
}

impl<const N: usize> Blocks<N> {
    /// Adds a block; `false` if it is there, has no character that can be claimed, or finds no room.
    fn add(&mut self, lead: u8, next: u8) -> bool {
        let blocks = self.blocks.get_mut(..self.count).unwrap_or_default();
        let is_there = |block: &Block| block.lead == lead && next.wrapping_sub(block.next) <= block.behind;
        if blocks.iter().any(is_there) {
            return false;
        }
        let rows = rows(lead, next);
        if rows == [0; 16] {
            return false;
        }
        // Blocks side by side may have one table: all of Yi, most of Ethiopic.
        for block in blocks.iter_mut().filter(|block| next != 0 && block.lead == lead && block.rows == rows) {
            if next == block.next + block.behind + 1 || next + 1 == block.next {
                block.next = block.next.min(next);
                block.behind += 1;
                return true;
            }
        }
        let Some(free) = self.blocks.get_mut(self.count) else { return false };
        *free = Block { lead, next, behind: 0, rows };
        self.count += 1;
        true
    }
}

/// The characters of a block that stand for themselves, and in C4 and C5 the capitals whose small letter is the next
/// character of the same block.
fn rows(lead: u8, next: u8) -> Rows {
    let first = match lead {
        ..0xE0 => u32::from(lead & 0x1F) << 6,
        _ => u32::from(lead & 0x0F) << 12 | u32::from(next & 0x3F) << 6,
    };
    let is_latin_extended = matches!(lead, 0xC4 | 0xC5);
    let mut rows = [0; 16];
    for last in 0..64_u8 {
        let code = first | u32::from(last);
        let is_claimed = match table::entry(code) {
            KEEP => true,
            entry @ MAP.. => is_latin_extended && *table::replacement(code, entry) == [lead, 0x81 + last],
            _ => false,
        };
        if let Some(row) = rows.get_mut(usize::from(last & 15)) {
            *row |= u8::from(is_claimed) << (last >> 4);
        }
    }
    rows
}
