//! What was read, as resources: `aiweb://page/` and the page's address, escaped.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Where the names of pages begin.
pub const PREFIX: &str = "aiweb://page/";

/// What is escaped: everything but what a URI may hold anywhere.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/').remove(b':');

/// The name of a page that is held under this key.
#[must_use]
pub fn uri_of(key: &str) -> String {
    format!("{PREFIX}{}", utf8_percent_encode(key, ESCAPED))
}

/// The key of a name; `None` where it is the name of no page.
#[must_use]
pub fn key_of(uri: &str) -> Option<String> {
    let escaped = uri.strip_prefix(PREFIX)?;
    percent_decode_str(escaped).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}
