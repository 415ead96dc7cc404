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
    pub(crate) use super::vector::write_escaped;
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

    use crate::scan::{Stretch, plain_long};

    pub(crate) fn long_stretch(input: &[u8], at: usize) -> Stretch {
        plain_long(input, at, 0).into()
    }
}

pub(crate) use chosen::*;
