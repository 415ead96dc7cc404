//! Names by tables that are made for speed.

use super::Short;
use super::list::Names;
use super::names::LIST;
use crate::table::single;

/// The number of this name.
pub(super) fn find_name(name: &[u8]) -> Option<usize> {
    Names.find(name)
}

/// Whether a longer name begins with these letters and digits.
#[cfg(feature = "fast-tables")]
pub(super) fn is_start(run: &[u8]) -> bool {
    if run.first_chunk().is_some_and(|first| !is_start_of_long(first)) {
        return false;
    }
    // It is the first one that is greater.
    let from = Names.partition_point(run);
    Names.name(from).is_some_and(|name| name.as_bytes().starts_with(run))
}

/// Whether a name of eight bytes or more may begin with these; most that begin no name are known by that.
pub(crate) fn is_start_of_long(first: &[u8; 8]) -> bool {
    LONG_NAMES.get(long_slot(first)).is_none_or(|bits| bits >> long_bit(first) & 1 != 0)
}

const fn long_hash(first: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*first).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

const fn long_slot(first: &[u8; 8]) -> usize {
    (long_hash(first) >> 58) as usize
}

const fn long_bit(first: &[u8; 8]) -> u32 {
    (long_hash(first) >> 52 & 63) as u32
}

/// A bit for the first eight bytes of each name that has as many. Most texts that are not a name have none.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static LONG_NAMES: [u64; 64] = {
    let mut bits = [0; 64];
    let mut at = 0;
    while at < LIST.len() {
        if let Some(first) = LIST[at].0.as_bytes().first_chunk() {
            bits[long_slot(first)] |= 1 << long_bit(first);
        }
        at += 1;
    }
    bits
};

#[inline(always)]
pub(super) fn find(key: u64) -> Option<&'static Short> {
    let mut slot = short_slot(key);
    loop {
        let short = SHORT_NAMES.get(slot)?;
        if short.key == key {
            return Some(short);
        }
        if short.key == 0 {
            return None;
        }
        slot = (slot + 1) % SHORT_NAMES.len();
    }
}

/// The same for a name without semicolon. Where there is none, a few slots tell: these names have the first ones.
#[inline(always)]
pub(super) fn find_old(key: u64) -> Option<&'static Short> {
    let slots = (0..OLD_PROBES).map(|next| (short_slot(key) + next) % SHORT_NAMES.len());
    slots.filter_map(|slot| SHORT_NAMES.get(slot)).find(|short| short.key == key)
}

/// How far names without semicolon are at most from the slots that are theirs, and one more.
const OLD_PROBES: usize = 3;

/// Whether the name goes into the table of short names: it needs no semicolon, or it has at most seven letters and stands
/// for a letter of Latin or Greek, punctuation, an arrow, `€` or `™`. Names of other signs are found in the list.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
const fn is_short(name: &[u8], text: &str) -> bool {
    let last = name[name.len() - 1];
    if last != b';' || name.len() > 8 {
        return last != b';';
    }
    matches!(
        single(text),
        Some((0..0x180 | 0x370..0x400 | 0x2000..0x2070 | 0x20AC | 0x2122 | 0x2190..0x2196, _))
    )
}

const fn short_slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54) as usize
}

/// A hash table of the short names, with free slots behind every run. Those without semicolon are placed first.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static SHORT_NAMES: [Short; 1024] = {
    let mut slots = [Short { key: 0, index: 0, size: 0, bytes: [0; 4] }; 1024];
    let mut at = 0;
    while at < 2 * LIST.len() {
        let place = at % LIST.len();
        let (name, text) = LIST[place];
        let name = name.as_bytes();
        let is_old = name[name.len() - 1] != b';';
        let is_first_round = at < LIST.len();
        at += 1;
        if is_old != is_first_round || !is_short(name, text) {
            continue;
        }
        let mut key = 0;
        let mut byte = 0;
        while byte < name.len() {
            key |= (name[byte] as u64) << (8 * byte);
            byte += 1;
        }
        let mut slot = short_slot(key);
        let mut probes = 1;
        while slots[slot].key != 0 {
            slot = (slot + 1) % slots.len();
            probes += 1;
        }
        assert!(!is_old || probes <= OLD_PROBES);
        let (size, bytes) = crate::fast::outcome(text);
        slots[slot] = Short { key, index: place as u16, size, bytes };
    }
    slots
};

#[cfg(test)]
pub(super) fn table_bytes() -> usize {
    size_of_val(&SHORT_NAMES) + size_of_val(&LONG_NAMES) + super::list::name_bytes()
}
