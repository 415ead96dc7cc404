//! The top-level members of an object in canonical form.
//!
//! Canonical bytes are compact and known to be well-formed, so a member ends where the brackets outside strings
//! balance: no parser, no tree, one pass.

use tct_fingerprint::Fingerprint;

/// One member: its name and its value as they stand in the text; the name without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) value: &'a [u8],
}

/// The members of a canonical object, or `None` where the bytes are no object.
pub(crate) fn members(canonical: &[u8]) -> Option<impl Iterator<Item = Member<'_>>> {
    let mut rest = canonical.strip_prefix(b"{")?.strip_suffix(b"}")?;
    Some(core::iter::from_fn(move || {
        let (name, after) = rest.split_at_checked(string_len(rest)?)?;
        let after = after.strip_prefix(b":")?;
        let (value, after) = after.split_at_checked(value_len(after))?;
        rest = after.strip_prefix(b",").unwrap_or(after);
        Some(Member { name: name.get(1..name.len() - 1)?, value })
    }))
}

/// Length of the string at the start, quotes included.
fn string_len(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'"') {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Length of the value at the start: up to the comma that is outside of strings and brackets.
fn value_len(bytes: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += bytes.get(at..).and_then(string_len).unwrap_or(bytes.len());
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The object without its member `hash`: what Method A takes the digest of.
pub(crate) fn without_hash<'a>(members: impl Iterator<Item = Member<'a>>, capacity: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(capacity);
    out.push(b'{');
    members.filter(|member| member.name != b"hash").for_each(|member| push(&mut out, member));
    out.push(b'}');
    out
}

/// The object with `hash` in its place among the sorted names, instead of any that it had.
///
/// Names are compared as they are written. An escape begins with a backslash and stands for a quote, a backslash or a
/// control character: all of them sort before the letters of `hash`, so the order is that of the decoded names.
pub(crate) fn with_hash<'a>(
    members: impl Iterator<Item = Member<'a>>,
    hash: &Fingerprint,
    capacity: usize,
) -> Vec<u8> {
    let value = format!("\"{hash}\"");
    let mut own = Some(Member { name: b"hash", value: value.as_bytes() });
    let mut out = Vec::with_capacity(capacity + 90);
    out.push(b'{');
    for member in members.filter(|member| member.name != b"hash") {
        if let Some(hash) = own.take_if(|hash| member.name > hash.name) {
            push(&mut out, hash);
        }
        push(&mut out, member);
    }
    if let Some(hash) = own {
        push(&mut out, hash);
    }
    out.push(b'}');
    out
}

fn push(out: &mut Vec<u8>, member: Member<'_>) {
    if out.len() > 1 {
        out.push(b',');
    }
    out.push(b'"');
    out.extend_from_slice(member.name);
    out.extend_from_slice(b"\":");
    out.extend_from_slice(member.value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(canonical: &str) -> Vec<(&str, &str)> {
        let text = |bytes| core::str::from_utf8(bytes).unwrap();
        members(canonical.as_bytes()).unwrap().map(|member| (text(member.name), text(member.value))).collect()
    }

    #[test]
    fn members_end_where_brackets_balance() {
        assert_eq!(names("{}"), []);
        assert_eq!(
            names(r#"{"\"a,":[1,{"b":"]}"},"\\"],"b":"x\\","c":-1.5e+30,"d":{"hash":1}}"#),
            [
                ("\\\"a,", r#"[1,{"b":"]}"},"\\"]"#),
                ("b", r#""x\\""#),
                ("c", "-1.5e+30"),
                ("d", r#"{"hash":1}"#)
            ]
        );
        assert!(members(b"[1]").is_none());
    }

    #[test]
    fn hash_takes_its_place_in_the_order() {
        let hash = Fingerprint::hash(b"");
        let order = |canonical: &str| {
            let body = with_hash(members(canonical.as_bytes()).unwrap(), &hash, 0);
            names(core::str::from_utf8(&body).unwrap())
                .iter()
                .map(|(name, _)| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(order("{}"), ["hash"]);
        assert_eq!(
            order(r#"{"":1,"a":1,"ha\n":1,"has\"h":1,"hash":2,"hash!":1,"i":1}"#),
            ["", "a", "ha\\n", "has\\\"h", "hash", "hash!", "i"]
        );
        assert_eq!(order(r#"{"a":{"hash":1}}"#), ["a", "hash"]);
    }

    #[test]
    fn only_the_top_level_hash_goes() {
        let text = br#"{"a":{"hash":1},"hash":2,"z":3}"#;
        assert_eq!(without_hash(members(text).unwrap(), 0), br#"{"a":{"hash":1},"z":3}"#);
    }
}
