//! The bulk of the text, 64 bytes at a time: all that does not get longer.
//!
//! A [`Bulk`] reads 64 bytes, writes what they become, and says how many bytes that was, read and written. What it
//! stops at (a character that gets longer, a mark in doubt, a control character, a rare reference) is the kernel's.
//!
//! ```text
//! the text        É        _  _  b  _  &  l  t  ;  c
//! src             C3  89  20 20 62 20 26 6C 74 3B 63
//! its results     C3  A9  20 20 62 20 3C  …  …  … 63     each where its character begins
//! gone             ·   ·   ·  x  ·  ·  ·  x  x  x  ·     the rest moves together in the end
//! out             C3  A9  20 62 20 3C 63
//! ```
//!
//! There are two: [`Lanes`] where the target has vector registers, [`Plain`] everywhere else, since the portable
//! fallback of lanes is slower than a loop over bytes. Both hand what is special to the same [`Chunk`].

mod blocks;
mod chunk;
mod plain;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod vector;

pub(crate) use blocks::Scripts;
pub(crate) use chunk::MAX_MARKS;
#[cfg_attr(
    any(
        target_arch = "x86_64",
        target_arch = "x86",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    ),
    cfg_attr(not(test), allow(unused_imports, reason = "where there are lanes, only the tests use it"))
)]
pub(crate) use plain::Plain;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) use vector::Lanes;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[cfg(test)]
pub(crate) use vector::{COMPOSE_WITH_SIGNS, KINDS_OF_LAST, KINDS_OF_NEXT_TO_LAST};

/// Bytes handled at a time.
pub(crate) const CHUNK: usize = 64;

/// Bytes looked at before the chunk: one character.
pub(crate) const BEFORE: usize = 4;

/// Bytes looked at behind the chunk, as far as a short reference reaches.
pub(crate) const AHEAD: usize = 11;

/// Bytes looked at.
pub(crate) const VIEW: usize = BEFORE + CHUNK + AHEAD;

/// Stands in the view behind the text's end. No text has this byte.
pub(crate) const END: u8 = 0xFF;

/// A bulk path that stops later than this may have stopped for no other reason than the chunk's end.
pub(crate) const NEAR_END: usize = CHUNK - 12;

/// Handles the longest start of a chunk in which nothing gets longer.
pub(crate) trait Bulk: Copy {
    /// How many bytes should be hashed at a time.
    ///
    /// The hash waits for itself, and the processor does the next chunks' work meanwhile, as much of it as it can look
    /// ahead. One block of the hash at a time leaves more room for that, though each call costs a little.
    fn group(self) -> usize;

    /// Writes to `out` what the text from byte [`BEFORE`] of `src` becomes.
    ///
    /// What is before that must be NULs if it is not to be looked at: at the text's start and behind a reference. Behind
    /// the text's end is [`END`]. `after_space` says that what was written last is a
    /// space, so that white space at the start goes away. What is in `out` behind the bytes written may be anything.
    /// `scripts` are those that the text has shown so far.
    fn bulk(
        self,
        src: &[u8; VIEW],
        out: &mut [u8; CHUNK],
        after_space: bool,
        scripts: &mut Scripts,
    ) -> Handled;
}

/// How far a bulk path came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Handled {
    /// Bytes read. Where it is less than a whole chunk, a character begins there.
    pub(crate) read: usize,
    /// Bytes written.
    pub(crate) written: usize,
    /// Whether what was written last is a space.
    pub(crate) after_space: bool,
}

#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod width {
    use fearless_simd::Level;

    /// How wide the vector registers are that a text is handled with.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Width(pub(crate) Level);

    impl Default for Width {
        /// The widest that this machine has; without `std`, the widest that the compiled target has.
        #[inline]
        fn default() -> Self {
            #[cfg(feature = "std")]
            return Width(Level::new());
            #[cfg(not(feature = "std"))]
            return Width(Level::baseline());
        }
    }

    impl Width {
        /// The width of this name, if this machine has it.
        pub(crate) fn named(name: &str) -> Option<Self> {
            let widest = Self::default().0;
            match name {
                #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
                "sse2" => widest.as_sse2().map(Level::Sse2),
                #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
                "sse4.2" => widest.as_sse4_2().map(Level::Sse4_2),
                #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
                "avx2" => widest.as_avx2().map(Level::Avx2),
                #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
                "avx512" => widest.as_avx512().map(Level::Avx512),
                #[cfg(target_arch = "aarch64")]
                "neon" => widest.as_neon().map(Level::Neon),
                #[cfg(target_arch = "wasm32")]
                "simd128" => widest.as_wasm_simd128().map(Level::WasmSimd128),
                _ => None,
            }
            .map(Width)
        }
    }

    /// Runs an expression with the lanes of a width. Everything inside is compiled once a width.
    macro_rules! dispatch {
        ($width:expr, $bulk:ident => $run:expr) => {{
            fearless_simd::dispatch!($width.0, simd => {
                let $bulk = crate::lanes::Lanes(simd);
                $run
            })
        }};
    }

    pub(crate) use dispatch;
}

#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
mod width {
    /// There is only the loop over bytes: this target has no lanes.
    #[derive(Debug, Clone, Copy, Default)]
    pub(crate) struct Width;

    impl Width {
        pub(crate) fn named(name: &str) -> Option<Self> {
            (name == "plain").then_some(Width)
        }
    }

    /// Runs an expression with the loop over bytes.
    macro_rules! dispatch {
        ($width:expr, $bulk:ident => $run:expr) => {{
            let _ = $width;
            let $bulk = crate::lanes::Plain;
            $run
        }};
    }

    pub(crate) use dispatch;
}

pub(crate) use width::{Width, dispatch};

#[cfg(test)]
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod tests;
