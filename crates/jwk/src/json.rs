//! The members of a JSON object in which each name appears once at every level.

use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};
use tct_canonical_json::{Canonicalizer, Profile};

pub(crate) type Members = Map<alloc::string::String, Value>;

/// Reads an object strictly: valid UTF-8, no byte order mark, no repeated name, nothing after it.
pub(crate) fn object(json: &[u8], max_bytes: usize, max_depth: usize) -> Option<Members> {
    let strict = Canonicalizer::new(Profile::Rfc8785).max_bytes(max_bytes).max_depth(max_depth);
    let canonical = strict.to_canonical(json).ok()?;
    match serde_json::from_slice(&canonical) {
        Ok(Value::Object(members)) => Some(members),
        _ => None,
    }
}

/// Strict base64url: no padding, no white space, no other alphabet, no stray bits at the end.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

pub(crate) fn encode(bytes: &[u8]) -> alloc::string::String {
    URL_SAFE_NO_PAD.encode(bytes)
}
