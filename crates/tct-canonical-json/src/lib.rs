//! Canonical JSON: one document, one sequence of bytes.
//!
//! A JSON document can be written in many ways; hashes and signatures need a single one. RFC 8785 (JCS) defines it, and TCT, which
//! hashes the JSON twins of web pages, uses it with another order of names. This crate turns JSON text or typed values into those
//! bytes.
//!
//! ```text
//! in    { "name": "Caf\u00e9", "stars": 4.50, "id": 1E2 }
//! out   {"id":100,"name":"Café","stars":4.5}
//!         members sorted, no white space, one way to write each number and each character
//! ```
//!
//! ```
//! use tct_canonical_json::{JsonErrorKind, Profile, is_canonical, to_canonical};
//!
//! let bytes = to_canonical(br#"{ "name": "Caf\u00e9", "stars": 4.50, "id": 1E2 }"#, Profile::Tct)?;
//! assert_eq!(bytes, r#"{"id":100,"name":"Café","stars":4.5}"#.as_bytes());
//! assert!(is_canonical(&bytes, Profile::Tct));
//!
//! let error = to_canonical(br#"{"id":1,"i\u0064":2}"#, Profile::Tct).unwrap_err();
//! assert_eq!(error.kind(), JsonErrorKind::DuplicateMember);
//! assert_eq!(error.to_string(), "expected each member name once at byte 8, found `id` again");
//! # Ok::<(), tct_canonical_json::JsonError>(())
//! ```
//!
//! # Reading
//!
//! [`JsonReader`] reads the same grammar and gives the values: a flat list of nodes over the text, with the span and the
//! spelling of every value, the order of members, repeated names and limits. A strict reader, which is the default, reads the texts
//! that have a canonical form, up to its limit (64 MiB by default), and refuses all others with the error of `to_canonical`.
//! [`JsonStream`] gives the events of a text that arrives in pieces, and keeps no more of it than one name or value.
//!
//! # Ways in and out
//!
//! A [`Canonicalizer`] is a profile with limits. Its methods take JSON texts, `Typed(&value)` of any `Serialize`
//! (feature `serde`) and `&serde_json::Value` (feature `serde_json`):
//!
//! | verb | gives | for texts and the default limits | typed values | trees |
//! |---|---|---|---|---|
//! | [`to_canonical`](Canonicalizer::to_canonical) | a new `Vec` | [`to_canonical()`] | `serialize::to_vec` | `value::to_vec` |
//! | [`write_canonical`](Canonicalizer::write_canonical) | bytes at the end of the caller's buffer | [`write_canonical()`] | | |
//! | [`write_to`](Canonicalizer::write_to) | pieces for a digest, formatter or stream | | | |
//! | [`check_canonical`](Canonicalizer::check_canonical) | where a text is not canonical yet, without writing one | [`check_canonical()`] | | |
//!
//! [`profiles_agree`] says whether a document has the same bytes in both profiles.
//!
//! # What it does not do
//!
//! It does not repair: a text that readers could understand in two ways has no canonical form. It refuses repeated
//! member names (however spelled), invalid UTF-8, a byte order mark, half surrogate pairs, numbers beyond the range of
//! a double, and anything after the document. It does not normalise Unicode, or decide what belongs into a
//! document: the publisher keeps request times, counters and random ids out of a hashed payload (TCT-JSON-9), and
//! writes values that a double cannot hold as strings (TCT-JSON-8).
//!
//! # Profiles
//!
//! [`Profile::Rfc8785`] sorts names by UTF-16 code units, [`Profile::Tct`] by code points, which is the order of Rust's
//! `str`. They differ only where one name has a character beyond U+FFFF and another has one from U+E000 to
//! U+FFFF. A number in a text becomes the nearest double, as RFC 8785 has it: `9007199254740993` prints as
//! `9007199254740992`. A typed integer that would change so is an error.
//!
//! # Limits and cost
//!
//! Nesting is limited to 128 levels and a text to 256 MiB, unless a [`Canonicalizer`] says otherwise. Text is read in
//! one pass without recursion, so that a higher limit needs no larger stack. Time is linear in the text, except for sorting
//! the members of objects that are out of order, `O(n log n)` comparisons; no byte is copied more than a handful of
//! times, however deep the document. Memory is the output, which may have five times the text's length (`1e20`
//! becomes 21 digits), a second output where objects out of order are nested more than three deep, and 32 bytes
//! for each open array or object and each member of an open object.
//!
//! # Features
//!
//! - `std` (default): the fastest UTF-8 check that the processor has.
//! - `serde`: typed values, module `serialize`.
//! - `serde_json`: trees, module `value`.
//!
//! Without `std` the crate needs `alloc` only. No feature changes a byte of output, neither of this crate nor of
//! serde_json. Rust 1.88 or later; no `unsafe`.
//!
//! # Specifications
//!
//! [RFC 8785](https://www.rfc-editor.org/rfc/rfc8785), [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259), and the
//! chapter "Deterministic Serialization" of the Internet-Draft *The Collaboration Tunnel Protocol*,
//! draft-jurkovikj-collab-tunnel-00. Requirement IDs such as `TCT-JSON-4` are those of the published vectors in the
//! crate `spec-vectors`.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

use alloc::vec::Vec;

mod arrange;
mod canonicalizer;
mod check;
mod error;
mod fault;
mod grammar;
mod input;
mod invariant;
mod number;
mod profile;
mod reader;
mod scan;
#[cfg(feature = "serde")]
pub mod serialize;
mod stream;
mod string;
mod strings;
mod text;
mod unescape;
#[cfg(feature = "serde_json")]
pub mod value;
mod write_error;
mod writer;

pub use canonicalizer::Canonicalizer;
pub use check::{Deviation, DeviationKind};
pub use error::{JsonError, JsonErrorKind};
pub use input::CanonicalInput;
#[cfg(feature = "serde")]
pub use input::Typed;
pub use profile::Profile;
pub use reader::{
    JsonDocument, JsonItems, JsonKind, JsonMembers, JsonName, JsonReader, JsonTape, JsonValue, LineColumn,
};
pub use scan::plain_len;
pub use stream::{JsonEvent, JsonEvents, JsonStream};
pub use strings::{read_canonical_strings, write_string, write_string_bytes};
pub use write_error::WriteError;

/// The canonical form of one JSON document, with the default limits.
///
/// Spec: RFC 8785; TCT draft-00, "Deterministic Serialization"; TCT-JSON-1 to TCT-JSON-8, TCT-JSON-10, TCT-SEC-10.
///
/// # Errors
/// A text that is not JSON or holds what JSON leaves open: see [`JsonErrorKind`].
pub fn to_canonical(json: &[u8], profile: Profile) -> Result<Vec<u8>, JsonError> {
    Canonicalizer::new(profile).to_canonical(json)
}

/// Appends the canonical form of one JSON document to `out`, with the default limits.
///
/// # Errors
/// As [`to_canonical`]; then `out` is as it was.
pub fn write_canonical(json: &[u8], profile: Profile, out: &mut Vec<u8>) -> Result<(), JsonError> {
    Canonicalizer::new(profile).write_canonical(json, out)
}

/// Where `json` is not its own canonical form, or `None` where it is. Uses no heap.
pub fn check_canonical(json: &[u8], profile: Profile) -> Option<Deviation> {
    Canonicalizer::new(profile).check_canonical(json)
}

/// Whether `json` is its own canonical form. Uses no heap.
#[must_use]
pub fn is_canonical(json: &[u8], profile: Profile) -> bool {
    check_canonical(json, profile).is_none()
}

/// Whether both profiles give the document the same bytes.
///
/// They differ only on objects with a name beyond the Basic Multilingual Plane beside one from U+E000 to U+FFFF.
///
/// # Errors
/// As [`to_canonical`].
///
/// Spec: TCT-AMB-6.
pub fn profiles_agree(json: &[u8]) -> Result<bool, JsonError> {
    Canonicalizer::new(Profile::Tct).profiles_agree(json)
}

#[cfg(docsrs)]
#[doc = include_str!("../docs/design.md")]
pub mod design {}

/// Runs the code of the README.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
