//! Header fields that are lists.

use http::{HeaderMap, HeaderName, HeaderValue};

/// The members of a field that is a list, from all of its lines and without the blanks around them; empty ones too. A comma in
/// a quoted string divides as well, so it is for lists of names, such as `Vary` (RFC 9110, 5.6.1).
///
/// ```
/// use http::header::{HeaderMap, VARY};
/// use web_values::list_members;
///
/// let mut headers = HeaderMap::new();
/// headers.append(VARY, "accept ,Cookie".parse().unwrap());
/// headers.append(VARY, "origin".parse().unwrap());
/// assert!(list_members(&headers, &VARY).eq([&b"accept"[..], b"Cookie", b"origin"]));
/// ```
pub fn list_members<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a [u8]> + use<'a> {
    let lines = headers.get_all(name).into_iter().map(HeaderValue::as_bytes);
    lines.flat_map(|line| line.split(|byte| *byte == b',')).map(<[u8]>::trim_ascii)
}
