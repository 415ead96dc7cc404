//! The settings of a run, and what can be run with them.

use alloc::vec::Vec;

use crate::arrange::Arrangement;
use crate::check::{self, Deviation};
use crate::profile::Profile;
use crate::sink::{Sink, WriteError};
use crate::{JsonError, text};

/// A profile and the limits that hostile input meets.
///
/// ```
/// use tct_canonical_json::{JsonErrorKind, Canonicalizer, Profile};
///
/// let strict = Canonicalizer::new(Profile::Tct).max_depth(2).max_bytes(1000);
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
    pub(crate) max_bytes: usize,
}

impl Canonicalizer {
    /// The depth limit of a new canonicalizer: 128 arrays and objects, one inside the other.
    pub const DEFAULT_MAX_DEPTH: usize = 128;
    /// The size limit of a new canonicalizer: 256 MiB.
    pub const DEFAULT_MAX_BYTES: usize = 256 << 20;

    /// A canonicalizer for this profile with the default limits.
    #[must_use]
    pub const fn new(profile: Profile) -> Self {
        let limits = Limits { max_depth: Self::DEFAULT_MAX_DEPTH, max_bytes: Self::DEFAULT_MAX_BYTES };
        Canonicalizer { profile, limits }
    }

    /// Sets how many arrays and objects may stand one inside the other.
    #[must_use]
    pub const fn max_depth(mut self, levels: usize) -> Self {
        self.limits.max_depth = levels;
        self
    }

    /// Sets how many bytes a text may have, or the output of a typed value.
    #[must_use]
    pub const fn max_bytes(mut self, bytes: usize) -> Self {
        self.limits.max_bytes = bytes;
        self
    }

    /// The profile.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The canonical form of one JSON document.
    ///
    /// # Errors
    /// Every kind of [`JsonErrorKind`](crate::JsonErrorKind) that texts can have.
    pub fn to_canonical(&self, json: &[u8]) -> Result<Vec<u8>, JsonError> {
        let mut out = Vec::new();
        self.write_canonical(json, &mut out)?;
        Ok(out)
    }

    /// Appends the canonical form of one JSON document to `out`, which is as it was after an error.
    ///
    /// # Errors
    /// As [`to_canonical`](Self::to_canonical).
    pub fn write_canonical(&self, json: &[u8], out: &mut Vec<u8>) -> Result<(), JsonError> {
        let before = out.len();
        match text::canonicalize(json, self.profile, &self.limits, out) {
            Ok(arrangement) => arrange_in_place(out, before, &arrangement),
            Err(error) => {
                out.truncate(before);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Hands the canonical form of one JSON document to a digest, a formatter or a stream.
    ///
    /// # Errors
    /// [`WriteError::Input`] as [`to_canonical`](Self::to_canonical), before the sink got anything;
    /// [`WriteError::Sink`] with the sink's own error.
    pub fn write_to<S: Sink>(&self, json: &[u8], mut sink: S) -> Result<(), WriteError<S::Error>> {
        let mut out = Vec::new();
        let arrangement = text::canonicalize(json, self.profile, &self.limits, &mut out)?;
        arrangement.emit(&out, 0, |piece| sink.write_piece(piece)).map_err(WriteError::Sink)
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
        // What stands before may be a thousand documents long: it is not copied for each of them.
        out.truncate(from);
        out.extend_from_slice(&arranged);
    }
}
