//! The settings of a run: profile and limits.

use alloc::vec::Vec;

use crate::JsonError;
use crate::arrange::Arrangement;
use crate::check::{self, Deviation};
use crate::input::CanonicalInput;
use crate::profile::Profile;
use crate::write_error::WriteError;

/// A profile and the limits on hostile input, with four methods.
///
/// [`to_canonical`](Self::to_canonical), [`write_canonical`](Self::write_canonical) and [`write_to`](Self::write_to) take
/// texts, typed values and trees alike; [`check_canonical`](Self::check_canonical) asks whether a text is canonical already.
///
/// ```
/// use tct_canonical_json::{JsonErrorKind, Canonicalizer, Profile};
///
/// let strict = Canonicalizer::new(Profile::Tct).max_depth(2).max_input(1000);
/// assert_eq!(strict.to_canonical(b"[[ 1.0 ]]")?, b"[[1]]");
/// let error = strict.to_canonical(b"[[[1]]]").unwrap_err();
/// assert_eq!(error.kind(), JsonErrorKind::TooDeep);
/// # Ok::<(), tct_canonical_json::JsonError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canonicalizer {
    pub(crate) profile: Profile,
    pub(crate) limits: Limits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) max_depth: usize,
    pub(crate) max_input: usize,
    pub(crate) max_output: usize,
}

impl Canonicalizer {
    /// The depth limit of a new canonicalizer: 128 arrays and objects, one inside the other.
    pub const DEFAULT_MAX_DEPTH: usize = 128;
    /// The limit of a new canonicalizer on a text: 256 MiB.
    pub const DEFAULT_MAX_INPUT: usize = 256 << 20;
    /// The limit of a new canonicalizer on the canonical form: 1280 MiB, five times the longest text, which is the most
    /// that a text can grow. Less on targets whose `usize` is smaller.
    pub const DEFAULT_MAX_OUTPUT: usize = Self::DEFAULT_MAX_INPUT.saturating_mul(5);

    /// A canonicalizer for this profile with the default limits.
    #[must_use]
    pub const fn new(profile: Profile) -> Self {
        let limits = Limits {
            max_depth: Self::DEFAULT_MAX_DEPTH,
            max_input: Self::DEFAULT_MAX_INPUT,
            max_output: Self::DEFAULT_MAX_OUTPUT,
        };
        Canonicalizer { profile, limits }
    }

    /// Sets how many arrays and objects may be one inside the other.
    #[must_use]
    pub const fn max_depth(mut self, levels: usize) -> Self {
        self.limits.max_depth = levels;
        self
    }

    /// Sets how many bytes a text may have, in any verb that takes one.
    #[must_use]
    pub const fn max_input(mut self, bytes: usize) -> Self {
        self.limits.max_input = bytes;
        self
    }

    /// Sets how many bytes the canonical form of one text or value may have.
    #[must_use]
    pub const fn max_output(mut self, bytes: usize) -> Self {
        self.limits.max_output = bytes;
        self
    }

    /// The canonical form of a JSON text, a typed value or a tree: see [`CanonicalInput`].
    ///
    /// # Errors
    /// Of a text, every kind of [`JsonErrorKind`](crate::JsonErrorKind) that texts can have. Of a value, `UnsafeInteger`,
    /// `NotFinite`, `NameNotText`, `DuplicateMember`, `TooDeep`, `TooLarge`, or `Unserializable` with the message of a
    /// `Serialize` implementation, all with the path.
    pub fn to_canonical(&self, input: impl CanonicalInput) -> Result<Vec<u8>, JsonError> {
        let mut out = Vec::new();
        self.write_canonical(input, &mut out)?;
        Ok(out)
    }

    /// Appends the canonical form to `out`, which is as it was after an error.
    ///
    /// # Errors
    /// As [`to_canonical`](Self::to_canonical).
    pub fn write_canonical(&self, input: impl CanonicalInput, out: &mut Vec<u8>) -> Result<(), JsonError> {
        let before = out.len();
        match input.append(self, out) {
            Ok(arrangement) => arrange_in_place(out, before, &arrangement),
            Err(error) => {
                out.truncate(before);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Hands the canonical form piece by piece to a function: to a digest, a formatter or a stream.
    ///
    /// Pieces come in order, only after the whole input was found to be good, and end between characters. They may be as
    /// short as a byte: a file or socket wants a `BufWriter` around it.
    ///
    /// ```
    /// use core::convert::Infallible;
    /// use sha2::{Digest, Sha256};
    /// use tct_canonical_json::{Canonicalizer, Profile};
    ///
    /// let (text, mut digest) = (br#"{ "b": 1.0, "a": "\u0041" }"#, Sha256::new());
    /// Canonicalizer::new(Profile::Tct).write_to(text, |piece| {
    ///     digest.update(piece);
    ///     Ok::<(), Infallible>(())
    /// })?;
    /// assert_eq!(digest.finalize(), Sha256::digest(br#"{"a":"A","b":1}"#));
    ///
    /// let mut file = Vec::new(); // or any other `std::io::Write`
    /// Canonicalizer::new(Profile::Tct).write_to(text, |piece| std::io::Write::write_all(&mut file, piece))?;
    /// assert_eq!(file, br#"{"a":"A","b":1}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError::Input`] as [`to_canonical`](Self::to_canonical), before anything was handed out;
    /// [`WriteError::Output`] with the function's own error, after which it is not called again.
    pub fn write_to<E>(
        &self,
        input: impl CanonicalInput,
        piece: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), WriteError<E>> {
        let mut out = Vec::new();
        let arrangement = input.append(self, &mut out)?;
        arrangement.emit(&out, 0, piece).map_err(WriteError::Output)
    }

    /// Whether both profiles give the document the same bytes.
    ///
    /// They differ only on objects with a name beyond the Basic Multilingual Plane beside one from U+E000 to U+FFFF. The
    /// answer does not depend on the profile of this canonicalizer.
    ///
    /// # Errors
    /// As [`to_canonical`](Self::to_canonical).
    ///
    /// Spec: TCT-AMB-6.
    pub fn profiles_agree(&self, json: &[u8]) -> Result<bool, JsonError> {
        let canonical = Canonicalizer { profile: Profile::Tct, ..*self }.to_canonical(json)?;
        // It is canonical in one profile: only the order can differ in the other, and no limit is passed that was not.
        let limits = Limits { max_input: usize::MAX, ..self.limits };
        Ok(check::check(&canonical, Profile::Rfc8785, &limits).is_ok())
    }

    /// Where `json` is not its own canonical form, or `None` where it is.
    ///
    /// The first deviation in the order of the text. Needs one pass and no heap, unless `max_depth` was set beyond
    /// the default and the text makes use of it.
    #[must_use]
    pub fn check_canonical(&self, json: &[u8]) -> Option<Deviation> {
        check::check(json, self.profile, &self.limits).err()
    }
}

/// Runs the last pass over what was appended to `out`.
pub(crate) fn arrange_in_place(out: &mut Vec<u8>, from: usize, arrangement: &Arrangement) {
    if arrangement.is_empty() {
        return;
    }
    let mut arranged = Vec::with_capacity(out.len() - from);
    let Ok(()) = arrangement.emit(out, from, |piece| {
        arranged.extend_from_slice(piece);
        Ok::<(), core::convert::Infallible>(())
    });
    if from == 0 {
        *out = arranged;
    } else {
        // What is before may be a thousand documents long: it is not copied for each of them.
        out.truncate(from);
        out.extend_from_slice(&arranged);
    }
}
