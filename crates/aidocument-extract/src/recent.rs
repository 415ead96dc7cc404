//! A cache of recent results, since pages repeat their names.

/// Results for recent texts.
#[derive(Debug)]
pub(crate) struct Recent<'a, T, const COUNT: usize = 64>([(&'a str, T); COUNT]);

impl<'a, T: Copy, const COUNT: usize> Recent<'a, T, COUNT> {
    /// `of_empty` is what holds for the empty text.
    pub(crate) fn new(of_empty: T) -> Self {
        Recent([("", of_empty); COUNT])
    }

    /// The cached result for a text, or that of `found`.
    pub(crate) fn of(&mut self, text: &'a str, found: impl FnOnce(&str) -> T) -> T {
        match self.0.get_mut(slot_of(text) % COUNT) {
            Some((known, value)) => {
                if *known != text {
                    (*known, *value) = (text, found(text));
                }
                *value
            }
            None => found(text),
        }
    }
}

/// A set of texts that may hold more than was put in: a bit for each slot, such as [`slot_of`], of 64 times `WORDS`, a power of two.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slots<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Slots<WORDS> {
    pub(crate) const NONE: Self = Slots([0; WORDS]);

    /// Whether all of another set may be in this one.
    pub(crate) fn may_have_all(&self, others: &Self) -> bool {
        self.0.iter().zip(others.0).all(|(own, other)| other & !own == 0)
    }

    /// The texts of some lists.
    pub(crate) const fn of(mut lists: &[&[&str]]) -> Self {
        let mut slots = Self::NONE;
        while let Some((list, rest)) = lists.split_first() {
            let mut list = *list;
            while let Some((text, others)) = list.split_first() {
                slots.add(slot_of(text));
                list = others;
            }
            lists = rest;
        }
        slots
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a rest is below what it is of")]
    pub(crate) const fn add(&mut self, slot: usize) {
        self.0[slot / 64 % WORDS] |= 1 << (slot % 64);
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a rest is below what it is of")]
    pub(crate) const fn may_have(&self, slot: usize) -> bool {
        self.0[slot / 64 % WORDS] >> (slot % 64) & 1 == 1
    }
}

/// A hash of a text's length, start and end. A collision only evicts an entry from the cache, so hashing the whole
/// text would be wasted.
#[inline]
pub(crate) const fn slot_of(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(29)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u32::from_le_bytes(*first) as u64) << 32 | u32::from_le_bytes(*last) as u64
    } else {
        match *bytes {
            [one, two, three] => u64::from_le_bytes([one, two, three, 0, 0, 0, 0, 0]),
            [one, two] => u64::from_le_bytes([one, two, 0, 0, 0, 0, 0, 0]),
            [one] => one as u64,
            _ => 0,
        }
    };
    let mixed = (ends ^ (bytes.len() as u64).rotate_left(56)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize
}
