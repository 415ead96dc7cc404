use super::*;

pub(crate) fn data_bytes() -> usize {
    use core::mem::size_of_val;

    [
        size_of_val(&PAGES),
        size_of_val(&BLOCKS),
        size_of_val(&TOP),
        size_of_val(&MID),
        size_of_val(&PAIRS),
        size_of_val(&PAIR_SLOTS),
        size_of_val(&FOLDINGS),
        size_of_val(&FULL_FOLDINGS),
        POOL.len(),
    ]
    .iter()
    .sum()
}
