//! `Link` header fields, read.
//!
//! ```text
//! Link: </llm-sitemap.json>; rel="index"; type="application/json", <https://example.com/post/>; rel=canonical
//! ```
//!
//! Reading follows RFC 8288: several links in one line or one a line, values as tokens or quoted strings, the first
//! `rel` and the first `type` of a link count, relation types are compared without letter case. A link with an
//! `anchor` is about another resource and is marked as such. A malformed link is skipped up to the next comma.

use alloc::borrow::Cow;
use alloc::string::String;

/// One link of a `Link` field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkValue<'a> {
    /// The target as written, absolute or relative.
    pub target: &'a str,
    /// The relation types, separated by spaces, as written.
    pub rel: Cow<'a, str>,
    /// The media type that the link claims for its target.
    pub media_type: Option<Cow<'a, str>>,
    /// Whether the link is about another resource than the response.
    pub is_anchored: bool,
}

impl LinkValue<'_> {
    /// Whether the link has this relation type, given in lower case.
    #[must_use]
    pub fn has_rel(&self, rel: &str) -> bool {
        has_token(&self.rel, rel)
    }

    /// The target resolved against the URL of the response, or `None` where that gives no URL.
    #[cfg(feature = "url")]
    #[must_use]
    pub fn resolve(&self, base: &url::Url) -> Option<url::Url> {
        base.join(self.target).ok()
    }

    /// Whether the link claims that its target is `application/json`, with any parameters.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.media_type.as_deref().is_some_and(is_json)
    }
}

/// Returns true if a list separated by white space, such as the `rel` of a link, contains `token`; letter
/// case is ignored.
#[must_use]
pub fn has_token(list: &str, token: &str) -> bool {
    list.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(token))
}

/// Returns true if a media type is `application/json`, in any letter case and with any parameters.
#[must_use]
pub fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim_matches([' ', '\t', '\n', '\r', '\x0C']).eq_ignore_ascii_case("application/json")
}

/// The links of one `Link` line, text or bytes, in order. `O(n)` for all of them.
///
/// Bytes that are not UTF-8 hide nothing beside them: in a relation or a media type they become U+FFFD, and a link with such a
/// target is skipped.
///
/// ```
/// let links: Vec<_> =
///     web_values::links_in("<a,b>; rel=\"alternate x\"; type=application/json, <c>; rel=canonical").collect();
/// assert_eq!(links[0].target, "a,b");
/// assert!(links[0].has_rel("alternate") && links[0].is_json());
/// assert!(links[1].has_rel("canonical"));
/// ```
///
/// Spec: RFC 8288, "Link Serialisation in HTTP Headers".
pub fn links_in<L: AsRef<[u8]> + ?Sized>(line: &L) -> impl Iterator<Item = LinkValue<'_>> {
    let mut cursor = Cursor(line.as_ref());
    core::iter::from_fn(move || {
        loop {
            cursor.skip(|byte| is_ows(byte) || byte == b',');
            if cursor.0.is_empty() {
                return None;
            }
            if let Some(link) = cursor.link() {
                return Some(link);
            }
            cursor.skip_to_comma();
        }
    })
}

const fn is_ows(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        self.take_until(|byte| !is_skipped(byte));
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.0.strip_prefix(&[byte]).inspect(|rest| self.0 = rest).is_some()
    }

    fn take_until(&mut self, is_end: impl Fn(u8) -> bool) -> &'a [u8] {
        let len = self.0.iter().position(|byte| is_end(*byte)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at_checked(len).unwrap_or((self.0, &[]));
        self.0 = rest;
        taken
    }

    /// Skips to the next comma outside of quoted strings.
    fn skip_to_comma(&mut self) {
        while self.0.first().is_some_and(|byte| *byte != b',') {
            if self.0.starts_with(b"\"") {
                self.quoted();
            } else {
                self.take_until(|byte| matches!(byte, b',' | b'"'));
            }
        }
    }

    fn link(&mut self) -> Option<LinkValue<'a>> {
        if !self.eat(b'<') {
            return None;
        }
        let target = self.take_until(|byte| byte == b'>');
        if !self.eat(b'>') {
            // No link can end any more: looking for its end behind each comma would take quadratic time.
            return None;
        }
        let mut link = LinkValue {
            target: core::str::from_utf8(target).ok()?.trim_matches([' ', '\t']),
            rel: "".into(),
            media_type: None,
            is_anchored: false,
        };
        let mut rel = None;
        loop {
            self.skip(is_ows);
            if !self.eat(b';') {
                // Text between a link and the next comma belongs to no parameter.
                self.skip_to_comma();
                link.rel = rel.unwrap_or_default();
                return Some(link);
            }
            self.skip(is_ows);
            let name = self.take_until(|byte| is_ows(byte) || matches!(byte, b'=' | b';' | b','));
            self.skip(is_ows);
            let value = if self.eat(b'=') {
                self.skip(is_ows);
                self.value()
            } else {
                "".into()
            };
            if name.eq_ignore_ascii_case(b"rel") {
                rel.get_or_insert(value);
            } else if name.eq_ignore_ascii_case(b"type") {
                link.media_type.get_or_insert(value);
            } else if name.eq_ignore_ascii_case(b"anchor") || name.eq_ignore_ascii_case(b"anchor*") {
                link.is_anchored = true;
            }
        }
    }

    fn value(&mut self) -> Cow<'a, str> {
        if self.0.starts_with(b"\"") {
            self.quoted()
        } else {
            String::from_utf8_lossy(self.take_until(|byte| is_ows(byte) || matches!(byte, b';' | b',')))
        }
    }

    /// A quoted string at the cursor, its escapes undone; an unterminated one reaches to the end of the line.
    fn quoted(&mut self) -> Cow<'a, str> {
        let is_end = |byte| matches!(byte, b'"' | b'\\');
        self.eat(b'"');
        let mut value = Cow::Borrowed(self.take_until(is_end));
        while self.eat(b'\\') {
            if let Some((escaped, rest)) = self.0.split_first() {
                value.to_mut().push(*escaped);
                self.0 = rest;
            }
            let more = self.take_until(is_end);
            value.to_mut().extend_from_slice(more);
        }
        self.eat(b'"');
        match value {
            Cow::Borrowed(value) => String::from_utf8_lossy(value),
            Cow::Owned(value) => String::from_utf8_lossy(&value).into_owned().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn targets(line: &str, rel: &str) -> Vec<String> {
        links_in(line).filter(|link| link.has_rel(rel)).map(|link| link.target.into()).collect()
    }

    #[test]
    fn links_of_a_line() {
        for (line, expected) in [
            ("<a>; rel=next", &["a"][..]),
            ("<a>; rel=\"prev next\", <b>;rel=NEXT , <c>; rel=prev", &["a", "b"]),
            ("<a,b>; title=\"x, <c>; rel=next\"; rel=next", &["a,b"]),
            ("<a>; rel=prev; rel=next", &[]),
            ("junk, <a>; rel=next", &["a"]),
            ("<a; rel=next", &[]),
            ("<a> trailing, <b>; rel=\"ne\\xt\"", &["b"]),
            ("<a>; rel=\"next", &["a"]),
            (", ,<a>;rel = next", &["a"]),
        ] {
            assert_eq!(targets(line, "next"), expected, "{line}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_hide_nothing_beside_them() {
        let line = b"<a>; title=\"caf\xe9, <x>; rel=y\"; rel=\"next \xff\", <\xe9>; rel=next, <b>; t=\xe9; rel=\"ne\\xt\"; type=\xff";
        let found: Vec<_> = links_in(line).map(|link| (link.target, link.has_rel("next"))).collect();
        assert_eq!(found, [("a", true), ("b", true)]);
    }

    #[test]
    fn types_and_anchors() {
        let line = "<a>; type=\"Application/JSON; charset=utf-8\", <b>; type=text/json; anchor=\"#x\"";
        let found: Vec<_> = links_in(line).map(|link| (link.is_json(), link.is_anchored)).collect();
        assert_eq!(found, [(true, false), (false, true)]);
    }
}
