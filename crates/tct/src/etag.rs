//! Entity tags as HTTP compares them, and the lists of them in conditional request fields.
//!
//! ```text
//! entity-tag = [ "W/" ] DQUOTE *etagc DQUOTE        etagc: any byte but DQUOTE, controls, space, DEL
//! list       = "*" / #entity-tag                    over all lines of the field
//! ```
//!
//! Empty members are passed over, as RFC 9110 asks. A comma inside a tag belongs to the tag. A field with anything else
//! in it (unquoted, unterminated, in single quotes, a `*` beside tags, two tags without a comma) is not a list and
//! matches nothing: after a broken quote the next tag's start is unknown, and sending the whole representation is
//! always safe (TCT3-AMB-11, TCT3-AMB-12).
//!
//! Tags are opaque here; [`tct_fingerprint`] tells whether a tag is the *TCT* tag of a payload.

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
    /// Reads a whole field value as a tag; `None` if it is not one. White space around it is allowed.
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

    /// Whether the lines of an `If-None-Match` field name this tag: weak comparison with each member, `*` alone names every
    /// tag, and a field that is not a list of entity tags names none.
    ///
    /// [`plan_response`](crate::plan_response) uses this; it is public for servers that answer by other means.
    ///
    /// Spec: TCT draft-03; TCT3-COND-1, TCT3-COND-2, TCT3-COND-3, TCT3-AMB-11, TCT3-AMB-12.
    #[must_use]
    pub fn is_named_by<'l>(&self, if_none_match: impl IntoIterator<Item = &'l [u8]>) -> bool {
        list_matches(if_none_match.into_iter(), |tag| tag.weak_eq(self))
    }

    /// Weak comparison: equal byte for byte, whatever the marks.
    #[must_use]
    pub fn weak_eq(&self, other: &EntityTag<'_>) -> bool {
        self.opaque == other.opaque
    }
}

/// A stored entity tag, to be sent back unchanged in `If-None-Match`; its syntax was checked on
/// receipt.
///
/// ```
/// use tct::held::HeldTag;
/// let tag = HeldTag::parse("W/\"abc\"").unwrap();
/// assert_eq!(tag.as_str(), "W/\"abc\"");
/// assert_eq!(HeldTag::parse("abc"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HeldTag(Box<str>);

impl HeldTag {
    /// Reads a text as a tag; `None` if it is not one. White space around it is allowed, and dropped.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_ascii();
        EntityTag::parse(text.as_bytes()).map(|_| HeldTag(text.into()))
    }

    /// The tag with its quotes, and its mark where it is weak.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its parts. `O(1)`.
    pub(crate) fn as_tag(&self) -> EntityTag<'_> {
        let weak = self.0.starts_with('W');
        // What was checked: the mark, a quote, the opaque bytes, a quote.
        let from = if weak { 3 } else { 1 };
        let opaque = self.0.as_bytes().get(from..self.0.len().saturating_sub(1)).unwrap_or_default();
        EntityTag { weak, opaque }
    }
}

impl core::fmt::Display for HeldTag {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(&self.0)
    }
}

impl serde::Serialize for HeldTag {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// Matches the lines of an `If-Match` or `If-None-Match` field against a tag.
///
/// `*` counts where it is all that the field says. A field that is not a list of tags matches nothing.
pub(crate) fn list_matches<'a>(
    lines: impl Iterator<Item = &'a [u8]>,
    mut is_match: impl FnMut(EntityTag<'a>) -> bool,
) -> bool {
    let (mut tags, mut stars, mut found) = (0_usize, 0_usize, false);
    for line in lines {
        let mut rest = line;
        loop {
            while let [b' ' | b'\t' | b',', tail @ ..] = rest {
                rest = tail;
            }
            rest = match rest {
                [] => break,
                [b'*', tail @ ..] => {
                    stars += 1;
                    tail
                }
                _ => {
                    let Some((tag, tail)) = take_tag(rest) else { return false };
                    tags += 1;
                    found |= is_match(tag);
                    tail
                }
            };
            while let [b' ' | b'\t', tail @ ..] = rest {
                rest = tail;
            }
            if !matches!(rest, [] | [b',', ..]) {
                return false;
            }
        }
    }
    match (stars, tags) {
        (0, _) => found,
        (1, 0) => true,
        _ => false,
    }
}

/// A tag at the start of `bytes`, and what follows it.
fn take_tag(bytes: &[u8]) -> Option<(EntityTag<'_>, &[u8])> {
    let (weak, rest) = match bytes {
        [b'W', b'/', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let rest = rest.strip_prefix(b"\"")?;
    let (opaque, tail) = rest.split_at_checked(memchr::memchr(b'"', rest)?)?;
    // Without an early end, so that it is done for many bytes at once.
    let is_opaque = opaque.iter().fold(true, |so_far, byte| so_far & (*byte > b' ') & (*byte != 0x7F));
    is_opaque.then_some((EntityTag { weak, opaque }, tail.get(1..)?))
}
