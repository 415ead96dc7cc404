use std::vec::Vec;

use super::*;

/// Every prefix of every name, and texts similar to it, against a linear search.
#[test]
fn every_name_is_found_and_no_other() {
    let names: Vec<&[u8]> = (0..VALUE_PLACES.len()).map(|at| name(at).expect("it is there")).collect();
    assert!(names.is_sorted() && names.len() == 2231);
    let places = |wanted: &[u8]| names.iter().position(|name| *name == wanted);
    for whole in &names {
        for len in 1..=whole.len() {
            let run = whole.get(..len).unwrap_or_default();
            for other in [run.to_vec(), [run, b"z"].concat(), [run, b"0"].concat(), [run, b";"].concat()] {
                let expected = places(&other).map(Name);
                assert_eq!(find(&other, other.len()), expected, "{other:?}");
                let behind = [&other[..], b"; and more"].concat();
                assert_eq!(find(&behind, other.len()), expected, "{other:?}");
                let next = names.partition_point(|name| *name <= other.as_slice());
                let starts = names.get(next).is_some_and(|name| name.starts_with(&other));
                assert_eq!(is_start(&other), starts, "{other:?}");
            }
        }
    }
}

pub(crate) fn table_bytes() -> usize {
    let places = size_of_val(&NAME_STARTS) + size_of_val(&SLOTS) + size_of_val(&VALUE_PLACES);
    places + size_of_val(&OUTCOMES) + NAME_TEXT.len() + VALUE_TEXT.len()
}
