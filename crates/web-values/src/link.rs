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

/// The links of one `Link` line, in order. `O(n)` for all of them.
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
pub fn links_in(line: &str) -> impl Iterator<Item = LinkValue<'_>> {
    let mut cursor = Cursor(line);
    core::iter::from_fn(move || {
        loop {
            cursor.skip(|c| is_ows(c) || c == ',');
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

fn is_ows(c: char) -> bool {
    c == ' ' || c == '\t'
}

struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        self.0 = self.0.trim_start_matches(is_skipped);
    }

    fn eat(&mut self, c: char) -> bool {
        self.0.strip_prefix(c).inspect(|rest| self.0 = rest).is_some()
    }

    fn take_until(&mut self, is_end: impl Fn(char) -> bool) -> &'a str {
        let (taken, rest) =
            self.0.split_at_checked(self.0.find(is_end).unwrap_or(self.0.len())).unwrap_or((self.0, ""));
        self.0 = rest;
        taken
    }

    /// Skips to the next comma outside of quoted strings.
    fn skip_to_comma(&mut self) {
        while !self.0.is_empty() && !self.0.starts_with(',') {
            if self.0.starts_with('"') {
                self.quoted();
            } else {
                self.take_until(|c| c == ',' || c == '"');
            }
        }
    }

    fn link(&mut self) -> Option<LinkValue<'a>> {
        if !self.eat('<') {
            return None;
        }
        let Some((target, rest)) = self.0.split_once('>') else {
            // No link can end any more: looking for its end behind each comma would take quadratic time.
            self.0 = "";
            return None;
        };
        self.0 = rest;
        let mut link = LinkValue {
            target: target.trim_matches(is_ows),
            rel: "".into(),
            media_type: None,
            is_anchored: false,
        };
        let mut rel = None;
        loop {
            self.skip(is_ows);
            if !self.eat(';') {
                // Text between a link and the next comma belongs to no parameter.
                self.skip_to_comma();
                link.rel = rel.unwrap_or_default();
                return Some(link);
            }
            self.skip(is_ows);
            let name = self.take_until(|c| is_ows(c) || matches!(c, '=' | ';' | ','));
            self.skip(is_ows);
            let value = if self.eat('=') {
                self.skip(is_ows);
                self.value()
            } else {
                "".into()
            };
            if name.eq_ignore_ascii_case("rel") {
                rel.get_or_insert(value);
            } else if name.eq_ignore_ascii_case("type") {
                link.media_type.get_or_insert(value);
            } else if name.eq_ignore_ascii_case("anchor") || name.eq_ignore_ascii_case("anchor*") {
                link.is_anchored = true;
            }
        }
    }

    fn value(&mut self) -> Cow<'a, str> {
        if self.0.starts_with('"') {
            self.quoted()
        } else {
            self.take_until(|c| is_ows(c) || c == ';' || c == ',').into()
        }
    }

    /// A quoted string at the cursor, its escapes undone; an unterminated one reaches to the end of the line.
    fn quoted(&mut self) -> Cow<'a, str> {
        self.eat('"');
        let mut value = Cow::Borrowed(self.take_until(|c| c == '"' || c == '\\'));
        while self.eat('\\') {
            let mut rest = self.0.chars();
            if let Some(escaped) = rest.next() {
                value.to_mut().push(escaped);
            }
            self.0 = rest.as_str();
            let more = self.take_until(|c| c == '"' || c == '\\');
            value.to_mut().push_str(more);
        }
        self.eat('"');
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
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
    fn types_and_anchors() {
        let line = "<a>; type=\"Application/JSON; charset=utf-8\", <b>; type=text/json; anchor=\"#x\"";
        let found: Vec<_> = links_in(line).map(|link| (link.is_json(), link.is_anchored)).collect();
        assert_eq!(found, [(true, false), (false, true)]);
    }
}
