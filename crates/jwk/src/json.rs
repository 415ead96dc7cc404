//! JSON objects in which each name appears once at every level, and base64url.

use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tct_canonical_json::{JsonDocument, JsonKind, JsonReader};

/// Reads an object strictly: valid UTF-8, no byte order mark, no repeated name, nothing after it, at most 128 levels.
pub(crate) fn object(json: &[u8], max_bytes: usize) -> Option<JsonDocument<'_>> {
    let document = JsonReader::new().max_bytes(max_bytes).read(json).ok()?;
    if document.root().kind() == JsonKind::Object { Some(document) } else { None }
}

/// Strict base64url: no padding, no white space, no other alphabet, no stray bits at the end.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

pub(crate) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
