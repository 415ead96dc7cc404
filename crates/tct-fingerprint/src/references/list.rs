//! The list of names as it is compiled in: all names in one text, where every 16th begins, the length of each, and the place
//! of what it stands for. A pair of string slices a name would take three times as much.

#[cfg(any(test, feature = "fast-tables"))]
use super::names::{NAME_LENGTHS, NAME_STARTS, NAME_TEXT};
use super::names::{VALUE_PLACES, VALUE_TEXT};
#[cfg(any(test, feature = "fast-tables"))]
use crate::invariant::part;
use crate::invariant::text_part;

#[cfg(any(test, feature = "fast-tables"))]
/// How many names share a place in `NAME_STARTS`.
const GROUP: usize = 16;

#[cfg(any(test, feature = "fast-tables"))]
/// The names of the HTML standard, sorted by bytes.
pub(super) struct Names;

#[cfg(any(test, feature = "fast-tables"))]
impl Names {
    /// The name with this number.
    pub(super) fn name(&self, at: usize) -> Option<&'static str> {
        let len = usize::from(*NAME_LENGTHS.get(at)?);
        let before =
            NAME_LENGTHS.get(at - at % GROUP..at)?.iter().map(|&len| usize::from(len)).sum::<usize>();
        let start = usize::from(*NAME_STARTS.get(at / GROUP)?) + before;
        Some(text_part(NAME_TEXT, start..start + len))
    }

    #[cfg(feature = "fast-tables")]
    /// How many names are not behind this text.
    pub(super) fn partition_point(&self, text: &[u8]) -> usize {
        let group = last_group(text);
        let mut start = NAME_STARTS.get(group).copied().map_or(0, usize::from);
        let mut at = group * GROUP;
        while let Some(&len) = NAME_LENGTHS.get(at) {
            let name_end = start + usize::from(len);
            if part(NAME_TEXT.as_bytes(), start..name_end) > text {
                break;
            }
            (at, start) = (at + 1, name_end);
        }
        at
    }

    /// The number of this name.
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        let group = last_group(name);
        let lengths = part(NAME_LENGTHS.as_slice(), group * GROUP..);
        let mut start = usize::from(*NAME_STARTS.get(group)?);
        for (at, &len) in (group * GROUP..).zip(lengths.iter().take(GROUP)) {
            let end = start + usize::from(len);
            // Names side by side differ at their ends, so what is compared first is the last letter.
            let is_alike = usize::from(len) == name.len()
                && NAME_TEXT.as_bytes().get(end.wrapping_sub(2)) == name.get(name.len().wrapping_sub(2));
            if is_alike && part(NAME_TEXT.as_bytes(), start..end) == name {
                return Some(at);
            }
            start = end;
        }
        None
    }
}

#[cfg(any(test, feature = "fast-tables"))]
/// The last group of which the first name is not behind this text, or the first group.
fn last_group(text: &[u8]) -> usize {
    let letter = usize::from(text.first().copied().unwrap_or_default() & 63);
    let groups = |letter: usize| GROUPS_BEFORE.get(letter).copied().map_or(0, usize::from);
    let (mut group, mut end) = (groups(letter).saturating_sub(1), groups(letter + 1));
    while group + 1 < end {
        let middle = group.midpoint(end);
        if first_of(middle).is_some_and(|first| first <= text) { group = middle } else { end = middle }
    }
    group
}

/// How many groups begin with a letter before this one, by the lower six bits of letters, which are in their order: up to 58
/// for `z`, and one more for all.
#[cfg(any(test, feature = "fast-tables"))]
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static GROUPS_BEFORE: [u8; 60] = {
    let mut before = [0; 60];
    let mut group = 0;
    while group < NAME_STARTS.len() {
        let first = NAME_TEXT.as_bytes()[NAME_STARTS[group] as usize] & 63;
        let mut letter = first as usize + 1;
        while letter < before.len() {
            before[letter] += 1;
            letter += 1;
        }
        group += 1;
    }
    before
};

#[cfg(any(test, feature = "fast-tables"))]
/// The first name of a group.
fn first_of(group: usize) -> Option<&'static [u8]> {
    let start = usize::from(*NAME_STARTS.get(group)?);
    let len = usize::from(*NAME_LENGTHS.get(group * GROUP)?);
    NAME_TEXT.as_bytes().get(start..start + len)
}

/// What the names of the list stand for.
pub(super) struct Values;

impl Values {
    /// What the name with this number stands for.
    pub(super) fn value(&self, at: usize) -> Option<&'static str> {
        let place = *VALUE_PLACES.get(at)?;
        let (from, len) = (usize::from(place >> 3), usize::from(place & 7));
        Some(text_part(VALUE_TEXT, from..from + len))
    }
}

#[cfg(test)]
pub(super) fn table_bytes() -> usize {
    size_of_val(&VALUE_PLACES) + VALUE_TEXT.len()
}

#[cfg(test)]
pub(super) fn name_bytes() -> usize {
    size_of_val(&NAME_STARTS) + size_of_val(&NAME_LENGTHS) + size_of_val(&GROUPS_BEFORE) + NAME_TEXT.len()
}

#[cfg(test)]
mod tests {
    use super::super::names::LIST;
    use super::*;

    #[test]
    fn the_packed_list_is_the_list() {
        for (at, &(name, text)) in LIST.iter().enumerate() {
            assert_eq!((Names.name(at), Values.value(at)), (Some(name), Some(text)));
            assert_eq!(Names.find(name.as_bytes()), Some(at));
        }
        assert_eq!(
            (Values.value(LIST.len()), Names.find(b"nosuchname;"), Names.find(b"zzz")),
            (None, None, None)
        );
    }
}
