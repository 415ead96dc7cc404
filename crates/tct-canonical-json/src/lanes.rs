//! Long strings: in the lanes of vector registers where the feature `lanes` is on and the target has them, and else in
//! words. A feature changes no byte and no verdict.

#[cfg(all(
    feature = "lanes",
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )
))]
mod vector;

#[cfg(all(
    feature = "lanes",
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )
))]
mod chosen {
    pub(crate) use super::vector::stretch as long_stretch;
    pub(crate) use super::vector::{SHORT, STEP, step_at, write_escaped};
}

#[cfg(not(all(
    feature = "lanes",
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )
)))]
mod chosen {
    pub(crate) use crate::string::write_escaped_plainly as write_escaped;

    use crate::scan::{HIGHS, Step, Stretch, plain_long, special_bytes, word_at};

    /// Bytes that are looked at in one step.
    pub(crate) const STEP: usize = 8;
    /// Up to this many bytes a string is short.
    pub(crate) const SHORT: usize = 16;

    #[inline(always)]
    pub(crate) fn step_at(input: &[u8], at: usize) -> Option<Step> {
        let word = word_at(input, at)?;
        let special = special_bytes(word);
        let stop = (special != 0).then(|| (special.trailing_zeros() / 8) as usize);
        // Only the lowest bit of `special` is exact: those below it, or all.
        let before = special.wrapping_sub(1) & !special;
        Some(Step { stop, high: word & HIGHS & before })
    }

    pub(crate) fn long_stretch(input: &[u8], at: usize) -> Stretch {
        plain_long(input, at, 0).into()
    }
}

pub(crate) use chosen::*;
