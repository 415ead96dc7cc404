//! Entity tags as HTTP compares them, and the lists of them in conditional request fields.
//!
//! ```text
//! entity-tag = [ "W/" ] DQUOTE *etagc DQUOTE        etagc: any byte but DQUOTE, controls, space, DEL
//! list       = "*" / #entity-tag                    over all lines of the field
//! ```
//!
//! Lists are read forgivingly: a member that is no entity tag (unquoted, unterminated, single quotes) is passed
//! over, and the members beside it still count. A comma inside a tag belongs to the tag.
//!
//! Whether a tag is the *TCT* tag of a payload is a question for [`tct_fingerprint`]; here a tag is opaque.

use http::HeaderValue;

/// One entity tag: its opaque bytes without the quotes, and whether it is weak.
///
/// ```
/// use tct::EntityTag;
/// let strong = EntityTag::parse(b"\"abc\"").unwrap();
/// let weak = EntityTag::parse(b"W/\"abc\"").unwrap();
/// assert!(weak.weak_eq(&strong));
/// assert!(!weak.strong_eq(&strong));
/// assert_eq!(EntityTag::parse(b"abc"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntityTag<'a> {
    weak: bool,
    opaque: &'a [u8],
}

impl<'a> EntityTag<'a> {
    /// The tag that a whole field value is, or `None` where it is none. White space around it is allowed.
    #[must_use]
    pub fn parse(value: &'a [u8]) -> Option<Self> {
        match take_tag(value.trim_ascii())? {
            (tag, []) => Some(tag),
            _ => None,
        }
    }

    /// Whether the tag is marked `W/`.
    #[must_use]
    pub const fn is_weak(&self) -> bool {
        self.weak
    }

    /// The bytes between the quotes.
    #[must_use]
    pub const fn opaque(&self) -> &'a [u8] {
        self.opaque
    }

    /// Strong comparison: both strong, and equal byte for byte.
    #[must_use]
    pub fn strong_eq(&self, other: &EntityTag<'_>) -> bool {
        !self.weak && !other.weak && self.opaque == other.opaque
    }

    /// Weak comparison: equal byte for byte, whatever the marks.
    #[must_use]
    pub fn weak_eq(&self, other: &EntityTag<'_>) -> bool {
        self.opaque == other.opaque
    }
}

/// A member of a conditional field's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member<'a> {
    Any,
    Tag(EntityTag<'a>),
    Junk,
}

/// What the lines of an `If-Match` or `If-None-Match` field say about a tag.
///
/// `*` counts where it is all that the field says. An empty field, or one without any entity tag, matches nothing.
pub(crate) fn list_matches<'a>(
    lines: impl Iterator<Item = &'a HeaderValue>,
    mut is_match: impl FnMut(EntityTag<'a>) -> bool,
) -> bool {
    let mut members = 0_u32;
    let mut any = false;
    for line in lines {
        let mut rest = line.as_bytes();
        while let Some(member) = next_member(&mut rest) {
            members = members.saturating_add(1);
            match member {
                Member::Tag(tag) if is_match(tag) => return true,
                Member::Any => any = true,
                Member::Tag(_) | Member::Junk => {}
            }
        }
    }
    any && members == 1
}

/// Takes the next member from a comma-separated list; `None` at its end.
fn next_member<'a>(rest: &mut &'a [u8]) -> Option<Member<'a>> {
    while let [b' ' | b'\t' | b',', tail @ ..] = *rest {
        *rest = tail;
    }
    if rest.is_empty() {
        return None;
    }
    if let Some((tag, tail)) = take_tag(rest) {
        *rest = tail;
        return Some(Member::Tag(tag));
    }
    let end = end_of_junk(rest);
    let (junk, tail) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    *rest = tail;
    Some(if junk.trim_ascii() == b"*" { Member::Any } else { Member::Junk })
}

/// Where a member that is no tag ends: at the next comma outside quotes.
fn end_of_junk(bytes: &[u8]) -> usize {
    let mut quoted = false;
    bytes
        .iter()
        .position(|&byte| {
            quoted ^= byte == b'"';
            byte == b',' && !quoted
        })
        .unwrap_or(bytes.len())
}

/// A tag at the start of `bytes`, and what follows it.
fn take_tag(bytes: &[u8]) -> Option<(EntityTag<'_>, &[u8])> {
    let (weak, rest) = match bytes {
        [b'W', b'/', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let rest = rest.strip_prefix(b"\"")?;
    let (opaque, tail) = rest.split_at_checked(memchr::memchr(b'"', rest)?)?;
    let is_opaque = |byte: &u8| *byte > b' ' && *byte != 0x7F;
    opaque.iter().all(is_opaque).then_some((EntityTag { weak, opaque }, tail.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(lines: &[&'static str], tag: &str) -> bool {
        let lines: Vec<HeaderValue> = lines.iter().map(|line| HeaderValue::from_static(line)).collect();
        let tag = EntityTag::parse(tag.as_bytes()).unwrap();
        list_matches(lines.iter(), |member| member.weak_eq(&tag))
    }

    #[test]
    fn a_list_is_read_over_commas_lines_and_junk() {
        assert!(matches(&["\"a\", \"b\""], "\"b\""));
        assert!(matches(&["\"a\"", "W/\"b\""], "\"b\""));
        assert!(matches(&["junk, 'b', \"b\""], "\"b\""));
        assert!(matches(&["\"x,b,y\", \"c\""], "\"c\""));
        assert!(matches(&[",, \"b\" ,"], "\"b\""));
        assert!(!matches(&["\"x,b,y\""], "\"b\""));
        assert!(!matches(&["b"], "\"b\""));
        assert!(!matches(&["\"b"], "\"b\""));
        assert!(!matches(&["w/\"b\""], "\"b\""));
        assert!(!matches(&["junk \"b\""], "\"b\""));
        assert!(!matches(&[""], "\"b\""));
    }

    #[test]
    fn a_star_counts_when_it_stands_alone() {
        assert!(matches(&["*"], "\"b\""));
        assert!(matches(&[" * "], "\"b\""));
        assert!(!matches(&["*, \"c\""], "\"b\""));
        assert!(!matches(&["*", "\"c\""], "\"b\""));
        assert!(!matches(&["\"*\""], "\"b\""));
    }
}
