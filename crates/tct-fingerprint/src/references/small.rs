//! The list of names in fewer bytes: each as what differs from the one before, in groups of 16, without semicolons.

use super::packed::{PACKED, STARTS};
use super::{MAX_NAME, Short};
use crate::invariant::{broken, part};
use crate::table::{self, AMPERSAND, KEEP, MAP, SPACE};

/// How many names share a place in `STARTS`.
const GROUP: usize = 16;

/// A name on its way through a group.
struct Walk {
    name: [u8; MAX_NAME],
    len: usize,
    /// Its number, and where the next one begins.
    at: usize,
    next: usize,
}

impl Walk {
    /// Before the first name of a group.
    fn new(group: usize) -> Self {
        let next = STARTS.get(group).copied().map_or(PACKED.len(), usize::from);
        Walk { name: [0; MAX_NAME], len: 0, at: (group * GROUP).wrapping_sub(1), next }
    }

    /// Goes to the next name and gives it with its semicolon.
    fn step(&mut self) -> Option<&[u8]> {
        let &head = PACKED.get(self.next)?;
        let (shared, mut count) = (usize::from(head >> 3 & 15), usize::from(head & 7));
        self.next += 1;
        if count == 7 {
            count = usize::from(*PACKED.get(self.next)?);
            self.next += 1;
        }
        self.len = shared + count;
        let Some(place) = self.name.get_mut(shared..self.len) else { broken() };
        place.copy_from_slice(part(PACKED.as_slice(), self.next..self.next + count));
        self.next += count;
        self.at = self.at.wrapping_add(1);
        let with_semicolon = self.len + usize::from(head < 0x80);
        let Some(semicolon) = self.name.get_mut(self.len) else { broken() };
        *semicolon = b';';
        Some(part(&self.name, ..with_semicolon))
    }
}

/// The last group of which the first name is not behind this one, or the first group.
fn group_of(name: &[u8]) -> usize {
    let (mut group, mut end) = (0, STARTS.len());
    while group + 1 < end {
        let middle = group.midpoint(end);
        let before = Walk::new(middle).step().is_some_and(|first| first <= name);
        if before { group = middle } else { end = middle }
    }
    group
}

/// The number of this name.
pub(super) fn find(name: &[u8]) -> Option<usize> {
    let mut walk = Walk::new(group_of(name));
    for _ in 0..GROUP {
        if walk.step()? == name {
            return Some(walk.at);
        }
    }
    None
}

/// Whether a longer name begins with these letters and digits.
pub(super) fn is_start(run: &[u8]) -> bool {
    // It is the first one that is greater: in the group or the first of the next.
    let mut walk = Walk::new(group_of(run));
    for _ in 0..=GROUP {
        match walk.step() {
            Some(name) if name > run => return name.starts_with(run),
            Some(_) => {}
            None => return false,
        }
    }
    false
}

/// The name of these bytes, the first one lowest, up to the first that is 0.
pub(super) fn find_key(key: u64) -> Option<Short> {
    let bytes = key.to_le_bytes();
    let len = 8 - key.leading_zeros() as usize / 8;
    let at = find(part(&bytes, ..len))?;
    let (size, bytes) = super::Values.value(at).map(outcome).unwrap_or_default();
    Some(Short { key, index: at as u16, size, bytes })
}

/// What comes out for a text of one character, a boundary: up to four bytes and how many they are. 0 for all other texts.
fn outcome(text: &str) -> (u8, [u8; 4]) {
    let Some((code, len)) = table::single(text) else { return (0, [0; 4]) };
    let code = code as u32;
    let mut bytes = [0; 4];
    match table::entry(code) {
        KEEP | AMPERSAND => {
            for (to, &from) in bytes.iter_mut().zip(text.as_bytes()) {
                *to = from;
            }
            (len as u8, bytes)
        }
        SPACE => (1, [b' ', 0, 0, 0]),
        entry @ MAP.. => {
            let Some((bytes, len)) = table::short_replacement(code, entry) else { return (0, bytes) };
            (len as u8, bytes)
        }
        _ => (0, bytes),
    }
}

#[cfg(test)]
pub(super) fn table_bytes() -> usize {
    size_of_val(&STARTS) + size_of_val(&PACKED)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::names::LIST;
    use super::*;

    #[test]
    fn the_packed_names_are_the_list() {
        for (at, &(name, _)) in LIST.iter().enumerate() {
            assert_eq!(find(name.as_bytes()), Some(at), "{name}");
            for len in 1..=name.len() {
                let run = name.as_bytes().get(..len).unwrap_or_default();
                for other in [run.to_vec(), [run, b"z"].concat(), [run, b"0"].concat(), [run, b";"].concat()]
                {
                    let known = LIST.iter().position(|(name, _)| name.as_bytes() == other);
                    assert_eq!(find(&other), known, "{other:?}");
                    let next = LIST.partition_point(|(name, _)| name.as_bytes() <= other.as_slice());
                    let starts = LIST.get(next).is_some_and(|(name, _)| name.as_bytes().starts_with(&other));
                    assert_eq!(is_start(&other), starts, "{other:?}");
                }
            }
        }
        let none: Vec<_> = [&b""[..], b"\0", b"zzzz", b"~"].into_iter().map(find).collect();
        assert_eq!(none, [None; 4]);
    }

    #[test]
    fn short_names_are_as_in_the_fast_table() {
        let mut found = 0;
        for (name, _) in LIST.iter().filter(|(name, _)| name.len() <= 8) {
            let mut bytes = [0; 8];
            for (to, from) in bytes.iter_mut().zip(name.bytes()) {
                *to = from;
            }
            let key = u64::from_le_bytes(bytes);
            let Some(fast) = super::super::fast::find(key) else { continue };
            let small = find_key(key);
            let of = |short: &Short| {
                let bytes: Vec<u8> = short.bytes().iter().copied().take(short.size()).collect();
                (short.key, short.index, bytes)
            };
            assert_eq!(small.as_ref().map(of), Some(of(fast)), "{name}");
            found += 1;
        }
        assert!(found > 500, "{found}");
    }
}
