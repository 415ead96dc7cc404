//! How tokens are counted: by the estimate of `aidocument-extract`, or with the feature `exact-tokens` by the vocabulary
//! `o200k_base`.

/// The tokens of a text.
#[cfg(not(feature = "exact-tokens"))]
#[must_use]
pub fn count(text: &str) -> usize {
    aidocument_extract::outline::estimate_tokens(text)
}

/// The tokens of a text.
#[cfg(feature = "exact-tokens")]
#[must_use]
pub fn count(text: &str) -> usize {
    exact(text)
}

/// The tokens of a text, by the vocabulary.
#[cfg(feature = "exact-tokens")]
#[must_use]
pub fn exact(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}
