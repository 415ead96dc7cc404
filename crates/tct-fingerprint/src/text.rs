//! The functions over whole texts and over chunks.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use sha2::{Digest, Sha256};

use crate::kernel::{Kernel, Sink};
use crate::lanes::dispatch;
use crate::{Fingerprint, Utf8Error, utf8};

/// The fingerprint of a text: normalised, then hashed, in one pass.
///
/// Linear time, no allocation unless marks must be composed (and then as much as the longest run of marks).
///
/// ```
/// use tct_fingerprint::{Fingerprint, fingerprint};
///
/// let value = fingerprint("  Caf&eacute;\tcr\u{E8}me ");
/// assert_eq!(value, Fingerprint::of_bytes("café crème".as_bytes()));
/// assert_eq!(value, fingerprint("CAFÉ cre\u{300}me"));
/// ```
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-1 to TCT-FP-10.
#[must_use]
pub fn fingerprint(text: &str) -> Fingerprint {
    let mut kernel = Kernel::default();
    let mut hash = Hash::default();
    dispatch!(bulk => kernel.finish(bulk, text, &mut hash));
    hash.finish()
}

/// The fingerprint of a text given as bytes.
///
/// ```
/// use tct_fingerprint::{fingerprint, fingerprint_utf8};
///
/// assert_eq!(fingerprint_utf8("Café".as_bytes()), Ok(fingerprint("Café")));
/// assert_eq!(fingerprint_utf8(b"Caf\xE9 ").unwrap_err().offset(), 3);
/// ```
///
/// # Errors
/// The bytes are no UTF-8; the error has the offset. Nothing is replaced, and no digest of an empty text comes out.
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-8, TCT-AMB-12.
pub fn fingerprint_utf8(bytes: &[u8]) -> Result<Fingerprint, Utf8Error> {
    utf8::check(bytes).map(fingerprint)
}

/// The fingerprints of many texts, in their order, with one buffer for all of them.
///
/// ```
/// use tct_fingerprint::{fingerprint, fingerprint_all};
///
/// let texts = ["One", "two", ""];
/// assert!(fingerprint_all(texts).eq(texts.map(fingerprint)));
/// ```
pub fn fingerprint_all<T: AsRef<str>>(
    texts: impl IntoIterator<Item = T>,
) -> impl Iterator<Item = Fingerprint> {
    let mut fingerprinter = Fingerprinter::new();
    texts.into_iter().map(move |text| fingerprinter.finish_with(text.as_ref()))
}

/// The normalised text: steps 1 to 6. Borrowed when they change nothing.
///
/// ```
/// use std::borrow::Cow;
/// use tct_fingerprint::normalize;
///
/// assert_eq!(normalize("Stra\u{DF}e &amp;\u{A0} \u{FB01}n"), "strasse & fin");
/// assert!(matches!(normalize("already normal"), Cow::Borrowed(_)));
/// ```
///
/// Normalising twice is not the same as normalising once: `&amp;amp;` becomes `&amp;`, and that `&`.
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-2 to TCT-FP-7, TCT-FP-9.
#[must_use]
pub fn normalize(text: &str) -> Cow<'_, str> {
    let mut kernel = Kernel::default();
    let mut compare = Compare { input: text.as_bytes(), same: 0, changed: None };
    dispatch!(bulk => kernel.finish(bulk, text, &mut compare));
    match compare.changed {
        None => Cow::Borrowed(text.get(..compare.same).unwrap_or_default()),
        // What the kernel writes is UTF-8; were it not, the text would show it and nothing would break.
        Some(changed) => Cow::Owned(
            String::from_utf8(changed)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        ),
    }
}

/// The normalised text of bytes.
///
/// # Errors
/// The bytes are no UTF-8; the error has the offset.
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-AMB-12.
pub fn normalize_utf8(bytes: &[u8]) -> Result<Cow<'_, str>, Utf8Error> {
    utf8::check(bytes).map(normalize)
}

/// Fingerprints a text that comes in chunks, which may end anywhere.
///
/// About 4 KB large, no allocation unless marks must be composed. A run of marks behind one character is kept until
/// it ends, since the last may have to stand first; nothing else grows with the text.
///
/// ```
/// use tct_fingerprint::{Fingerprinter, fingerprint};
///
/// let mut fingerprinter = Fingerprinter::new();
/// for chunk in ["Cafe", "\u{301} &am", "p; ", " \u{1100}", "\u{1161}"] {
///     fingerprinter.update(chunk);
/// }
/// assert_eq!(fingerprinter.finish(), fingerprint("café & 가"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Fingerprinter {
    kernel: Kernel,
    hash: Hash,
}

impl Fingerprinter {
    /// A fingerprinter that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk.
    pub fn update(&mut self, chunk: &str) {
        dispatch!(bulk => self.kernel.update(bulk, chunk, &mut self.hash));
    }

    /// The fingerprint of all chunks.
    #[must_use]
    pub fn finish(mut self) -> Fingerprint {
        self.finish_with("")
    }

    /// The fingerprint of all chunks and a last one; the next chunk begins another text.
    pub fn finish_with(&mut self, chunk: &str) -> Fingerprint {
        dispatch!(bulk => self.kernel.finish(bulk, chunk, &mut self.hash));
        core::mem::take(&mut self.hash).finish()
    }
}

/// Normalises a text that comes in chunks, which may end anywhere.
///
/// ```
/// use tct_fingerprint::Normalizer;
///
/// let mut normalizer = Normalizer::new();
/// let mut out = String::new();
/// for chunk in ["CAFE", "\u{301} &am", "p;\t", "\tTea\n"] {
///     normalizer.update(chunk, &mut out);
/// }
/// normalizer.finish(&mut out);
/// assert_eq!(out, "café & tea");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Normalizer {
    kernel: Kernel,
    /// The start of a character whose other bytes are still in the kernel.
    split: Vec<u8>,
}

impl Normalizer {
    /// A normaliser that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk and appends to `out` what is certain of the normalised text; the last few hundred bytes
    /// usually wait.
    pub fn update(&mut self, chunk: &str, out: &mut String) {
        let mut append = Append { out, split: &mut self.split };
        dispatch!(bulk => self.kernel.update(bulk, chunk, &mut append));
    }

    /// Appends the rest of the normalised text to `out`.
    pub fn finish(mut self, out: &mut String) {
        let mut append = Append { out, split: &mut self.split };
        dispatch!(bulk => self.kernel.finish(bulk, "", &mut append));
    }
}

#[derive(Debug, Clone, Default)]
struct Hash(Sha256);

impl Hash {
    fn finish(self) -> Fingerprint {
        Fingerprint::from_bytes(self.0.finalize().into())
    }
}

impl Sink for Hash {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

/// Compares with the input as long as it is the same, then collects.
struct Compare<'a> {
    input: &'a [u8],
    same: usize,
    changed: Option<Vec<u8>>,
}

impl Sink for Compare<'_> {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(changed) = &mut self.changed {
            changed.extend_from_slice(bytes);
        } else if self.input.get(self.same..).is_some_and(|rest| rest.starts_with(bytes)) {
            self.same += bytes.len();
        } else {
            let mut changed = Vec::with_capacity(self.input.len());
            changed.extend_from_slice(self.input.get(..self.same).unwrap_or_default());
            changed.extend_from_slice(bytes);
            self.changed = Some(changed);
        }
    }
}

/// Appends to a string, whole characters at a time.
struct Append<'a> {
    out: &'a mut String,
    split: &'a mut Vec<u8>,
}

impl Sink for Append<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.split.extend_from_slice(bytes);
        let valid = match core::str::from_utf8(self.split) {
            Ok(text) => text,
            Err(error) => {
                let whole = self.split.get(..error.valid_up_to()).unwrap_or_default();
                core::str::from_utf8(whole).unwrap_or_default()
            }
        };
        self.out.push_str(valid);
        let len = valid.len();
        self.split.drain(..len);
    }
}
