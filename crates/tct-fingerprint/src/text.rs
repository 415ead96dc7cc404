//! The functions over whole texts and over chunks.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::{Fingerprint, Step, Steps, Utf8Error, utf8};

/// The fingerprint of a text: normalised, then hashed.
#[must_use]
pub fn fingerprint(text: &str) -> Fingerprint {
    Steps::of(text).fingerprint()
}

/// The fingerprint of a text given as bytes.
///
/// # Errors
/// The bytes are no UTF-8.
pub fn fingerprint_utf8(bytes: &[u8]) -> Result<Fingerprint, Utf8Error> {
    utf8::check(bytes).map(fingerprint)
}

/// The fingerprints of many texts, in their order.
pub fn fingerprint_all<T: AsRef<str>>(
    texts: impl IntoIterator<Item = T>,
) -> impl Iterator<Item = Fingerprint> {
    texts.into_iter().map(|text| fingerprint(text.as_ref()))
}

/// The normalised text; borrowed when normalisation changes nothing.
#[must_use]
pub fn normalize(text: &str) -> Cow<'_, str> {
    let steps = Steps::of(text);
    match steps.after(Step::Trimmed) {
        same if same == text => Cow::Borrowed(text),
        other => Cow::Owned(other.into()),
    }
}

/// The normalised text of bytes.
///
/// # Errors
/// The bytes are no UTF-8.
pub fn normalize_utf8(bytes: &[u8]) -> Result<Cow<'_, str>, Utf8Error> {
    utf8::check(bytes).map(normalize)
}

/// Fingerprints a text that comes in chunks.
#[derive(Debug, Clone, Default)]
pub struct Fingerprinter {
    text: String,
}

impl Fingerprinter {
    /// A fingerprinter that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk.
    pub fn update(&mut self, chunk: &str) {
        self.text.push_str(chunk);
    }

    /// The fingerprint of all chunks.
    #[must_use]
    pub fn finish(self) -> Fingerprint {
        fingerprint(&self.text)
    }
}

/// Normalises a text that comes in chunks.
#[derive(Debug, Clone, Default)]
pub struct Normalizer {
    text: String,
}

impl Normalizer {
    /// A normaliser that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk and appends what is certain of the normalised text to `out`.
    pub fn update(&mut self, chunk: &str, out: &mut String) {
        let _ = out;
        self.text.push_str(chunk);
    }

    /// Appends the rest of the normalised text to `out`.
    pub fn finish(self, out: &mut String) {
        out.push_str(&normalize(&self.text));
    }
}
