//! The functions over whole texts and over chunks.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::hash::{self, Hash};
use crate::invariant::{broken, part, text_part};
use crate::kernel::Kernel;
use crate::out::Sink;
use crate::utf8::{self, Chunks};
use crate::{Fingerprint, Utf8Error};

/// The fingerprint of a text: normalised, then hashed, in one pass.
///
/// Linear time, no allocation unless marks must be composed (and then as much as the longest run of marks).
///
/// ```
/// use tct_fingerprint::{Fingerprint, fingerprint};
///
/// let value = fingerprint("  Caf&eacute;\tcr\u{E8}me ");
/// assert_eq!(value, Fingerprint::hash("café crème".as_bytes()));
/// assert_eq!(value, fingerprint("CAFÉ cre\u{300}me"));
/// ```
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-1 to TCT-FP-10.
#[must_use]
pub fn fingerprint(text: &str) -> Fingerprint {
    if let Some(short) = hash::short(text) {
        return short;
    }
    let mut kernel = Kernel::default();
    let mut hash = Hash::default();
    kernel.finish(text, &mut hash);
    hash.finish()
}

/// One width of vector registers instead of the widest, for benches and tests. Not part of the API.
#[doc(hidden)]
pub mod widths {
    use super::Fingerprint;
    use crate::hash::Hash;
    use crate::kernel::Kernel;
    use crate::lanes::Width;

    /// All names, of this machine's widths and of others.
    pub const NAMES: &[&str] = &["sse2", "sse4.2", "avx2", "neon", "simd128", "plain"];

    /// The fingerprint, computed with the lanes of this name; `None` if this machine does not have them.
    #[must_use]
    pub fn fingerprint(width: &str, text: &str) -> Option<Fingerprint> {
        let mut kernel = Kernel::new(Width::named(width)?);
        let mut hash = Hash::default();
        kernel.finish(text, &mut hash);
        Some(hash.finish())
    }
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
/// The bytes are not valid UTF-8; the error has the offset. Invalid bytes are never replaced, and an error never yields
/// the digest of the empty text.
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-8, TCT-AMB-12.
pub fn fingerprint_utf8(bytes: &[u8]) -> Result<Fingerprint, Utf8Error> {
    utf8::check(bytes).map(fingerprint)
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
    kernel.finish(text, &mut compare);
    match compare.changed {
        None => Cow::Borrowed(text_part(text, ..compare.same)),
        Some(changed) => match String::from_utf8(changed) {
            Ok(changed) => Cow::Owned(changed),
            Err(_) => broken(),
        },
    }
}

/// Appends the normalised text to `out`: a `String`, a formatter, or a column that is being built.
///
/// Use it to write many texts into one buffer: no text is copied or allocated in between. Pieces are some
/// hundred bytes long.
///
/// ```
/// use tct_fingerprint::write_normalized;
///
/// let mut column = String::new();
/// for text in ["  Caf&eacute; ", "CR\u{C8}ME"] {
///     write_normalized(text, &mut column)?;
///     column.push('\n');
/// }
/// assert_eq!(column, "café\ncrème\n");
/// # Ok::<(), std::fmt::Error>(())
/// ```
///
/// # Errors
/// The error of `out`, which then gets no further pieces. A `String` has none.
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-2 to TCT-FP-7, TCT-FP-9.
pub fn write_normalized(text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
    let mut kernel = Kernel::default();
    let mut pieces = Pieces { chunks: Chunks::default(), out, written: Ok(()) };
    kernel.finish(text, &mut pieces);
    pieces.written
}

/// The normalised text of bytes.
///
/// # Errors
/// The bytes are not valid UTF-8; the error has the offset.
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-AMB-12.
pub fn normalize_utf8(bytes: &[u8]) -> Result<Cow<'_, str>, Utf8Error> {
    utf8::check(bytes).map(normalize)
}

/// Fingerprints a text that comes in chunks, which may end anywhere.
///
/// About 2 KB large, no allocation unless marks must be composed. A run of marks after one character is kept until
/// it ends, since the last mark may have to be written first; nothing else grows with the text.
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
    /// A fingerprinter for a new text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk.
    pub fn update(&mut self, chunk: &str) {
        self.kernel.update(chunk, &mut self.hash);
    }

    /// The fingerprint of all chunks.
    #[must_use]
    pub fn finish(mut self) -> Fingerprint {
        self.finish_with("")
    }

    /// The fingerprint of all chunks and a last one; the next chunk begins another text.
    pub fn finish_with(&mut self, chunk: &str) -> Fingerprint {
        self.kernel.finish(chunk, &mut self.hash);
        core::mem::take(&mut self.hash).finish()
    }
}

/// Fingerprints anything that implements `Display`, without a string in between. Never fails.
///
/// ```
/// use std::fmt::Write as _;
/// use tct_fingerprint::{Fingerprinter, fingerprint};
///
/// let mut fingerprinter = Fingerprinter::new();
/// write!(fingerprinter, "Page {} of {}", 1, 3)?;
/// assert_eq!(fingerprinter.finish(), fingerprint("page 1 of 3"));
/// # Ok::<(), std::fmt::Error>(())
/// ```
impl fmt::Write for Fingerprinter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.update(text);
        Ok(())
    }
}

/// Compares the output with the input; collects it from the first difference on.
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
            changed.extend_from_slice(part(self.input, ..self.same));
            changed.extend_from_slice(bytes);
            self.changed = Some(changed);
        }
    }
}

/// Hands the text on, whole characters at a time.
struct Pieces<'a> {
    chunks: Chunks,
    out: &'a mut dyn fmt::Write,
    written: fmt::Result,
}

impl Sink for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) {
        let taken = self.chunks.push(bytes, |piece| {
            if self.written.is_ok() {
                self.written = self.out.write_str(piece);
            }
        });
        if taken.is_err() {
            broken();
        }
    }
}
