//! Single strings, and a fast path for canonical objects that hold only strings.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::invariant::broken;
use crate::profile::Profile;
use crate::scan::string_run;
use crate::string::write_quoted;

/// Appends `text` as a JSON string literal in canonical form: quotes, backslashes and control characters escaped, the
/// rest as it is.
///
/// ```
/// let mut out = String::new();
/// tct_canonical_json::write_string("say \"é\"\n", &mut out);
/// assert_eq!(out, r#""say \"é\"\n""#);
/// ```
pub fn write_string(text: &str, out: &mut String) {
    let mut literal = Vec::with_capacity(text.len() + 16);
    write_quoted(text, &mut literal);
    match core::str::from_utf8(&literal) {
        Ok(literal) => out.push_str(literal),
        Err(_) => broken(),
    }
}

/// Appends `text` to bytes, as [`write_string`] does to text. The fastest way to write a long string.
///
/// ```
/// let mut out = Vec::new();
/// tct_canonical_json::write_string_bytes("say \"é\"\n", &mut out);
/// assert_eq!(out, r#""say \"é\"\n""#.as_bytes());
/// ```
pub fn write_string_bytes(text: &str, out: &mut Vec<u8>) {
    write_quoted(text, out);
}

/// Reads the object that is all of `json`, if that is its own canonical form, holds nothing but strings and has names
/// without escapes: each name, and its value as it is spelled between the quotes.
///
/// Returns true if the text is such an object and `member` returned true for each of its members, at least one. Returns
/// false for any other text, as soon as that is known: discard what `member` was given then, and use a
/// [`JsonReader`](crate::JsonReader). One pass besides the UTF-8 check, and no heap.
///
/// ```
/// use tct_canonical_json::{Profile, read_canonical_strings};
///
/// let mut members = Vec::new();
/// assert!(read_canonical_strings(br#"{"a":"b","c":"\n"}"#, Profile::Rfc8785, |name, spelled| {
///     members.push((name, spelled));
///     true
/// }));
/// assert_eq!(members, [("a", "b"), ("c", r"\n")]);
///
/// let is_one = |json: &str| read_canonical_strings(json.as_bytes(), Profile::Rfc8785, |_, _| true);
/// assert!(!is_one(r#"{"c":"","a":""}"#) && !is_one(r#"{"a":"\/"}"#) && !is_one(r#"{"a":1}"#) && !is_one(r#"{"a":"" }"#));
/// ```
pub fn read_canonical_strings<'t>(
    json: &'t [u8],
    profile: Profile,
    mut member: impl FnMut(&'t str, &'t str) -> bool,
) -> bool {
    if json.first() != Some(&b'{') {
        return false;
    }
    let Ok(text) = simdutf8::basic::from_utf8(json) else { return false };
    let (mut at, mut last) = (1, None);
    loop {
        let Some((name, after_name)) = literal(text, at, false) else { return false };
        if last.is_some_and(|last| profile.compare_names(last, name) != Ordering::Less)
            || json.get(after_name) != Some(&b':')
        {
            return false;
        }
        let Some((spelled, after_value)) = literal(text, after_name + 1, true) else { return false };
        if !member(name, spelled) {
            return false;
        }
        match json.get(after_value) {
            Some(b',') => at = after_value + 1,
            Some(b'}') => return after_value + 1 == json.len(),
            _ => return false,
        }
        last = Some(name);
    }
}

/// The inside of the literal that begins at `quote`, if its escapes are those of the canonical form and of one letter,
/// and where its closing quote has ended.
#[inline(always)]
fn literal(text: &str, quote: usize, may_escape: bool) -> Option<(&str, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let mut run = string_run(bytes, quote + 1);
    loop {
        if run.has_escapes && !may_escape {
            return None;
        }
        match bytes.get(run.end..)? {
            [b'"', ..] => return Some((text.get(quote + 1..run.end)?, run.end + 1)),
            [b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] if may_escape => {
                run = string_run(bytes, run.end + 2);
            }
            _ => return None,
        }
    }
}
