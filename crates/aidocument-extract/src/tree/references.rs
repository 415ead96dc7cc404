//! Character references: `&amp;`, `&#38;` and the like.

use std::borrow::Cow;

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// Bytes of a name at most; the longest that the standard knows has 32.
const MAX_NAME: usize = 40;

/// The one or two characters that a reference stands for.
#[derive(Debug, Clone, Copy)]
struct Resolved(char, Option<char>);

/// The references that most pages use; a name ends at its semicolon.
const COMMON: [(&str, char); 6] =
    [("amp;", '&'), ("nbsp;", '\u{a0}'), ("quot;", '"'), ("lt;", '<'), ("gt;", '>'), ("copy;", '©')];

/// Resolves the reference after an ampersand; returns its characters and its length without the ampersand, or `None`
/// and zero.
fn resolve(rest: &str, in_attribute: bool) -> (Option<Resolved>, usize) {
    match rest.strip_prefix('#') {
        Some(digits) => match numeric(digits) {
            Some((c, length)) => (Some(Resolved(c, None)), 1 + length),
            None => (None, 0),
        },
        None => named(rest, in_attribute),
    }
}

/// The text with all references resolved.
pub(crate) fn resolve_all<'a>(text: &'a str, in_attribute: bool) -> Cow<'a, str> {
    let mut resolved: Option<String> = None;
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let resolved = resolved.get_or_insert_with(|| String::with_capacity(text.len()));
        resolved.push_str(before);
        let (found, length) = resolve(after, in_attribute);
        let Resolved(first, second) = found.unwrap_or(Resolved('&', None));
        resolved.push(first);
        resolved.extend(second);
        rest = after.get(length..).unwrap_or_default();
    }
    match resolved {
        None => Cow::Borrowed(text),
        Some(mut resolved) => {
            resolved.push_str(rest);
            Cow::Owned(resolved)
        }
    }
}

/// The longest name that the standard knows. One without a semicolon is not a reference in an attribute where more of a word or
/// an equals sign follows: `?a=1&copy=2`.
fn named(rest: &str, in_attribute: bool) -> (Option<Resolved>, usize) {
    if let Some((name, c)) = COMMON.iter().find(|(name, _)| rest.starts_with(name)) {
        return (Some(Resolved(*c, None)), name.len());
    }
    let end = rest.bytes().take(MAX_NAME).position(|byte| !byte.is_ascii_alphanumeric());
    if let Some(length) = end.filter(|&end| rest.as_bytes().get(end) == Some(&b';')).map(|end| end + 1)
        && let Some(&(first, second)) = rest.get(..length).and_then(|name| NAMED_ENTITIES.get(name))
        && first != 0
    {
        return (resolved(first, second), length);
    }
    if in_attribute {
        // Only a whole word counts, and most are names in the query of an address.
        let length = end.unwrap_or(rest.len().min(MAX_NAME));
        let is_whole = !matches!(rest.as_bytes().get(length), Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'=' | b';'));
        return match rest.get(..length).filter(|_| is_whole).and_then(|name| NAMED_ENTITIES.get(name)) {
            Some(&(first, second)) if first != 0 => (resolved(first, second), length),
            _ => (None, 0),
        };
    }
    let mut found = None;
    for (at, byte) in rest.bytes().enumerate().take(MAX_NAME) {
        let name = if byte.is_ascii_alphanumeric() || byte == b';' { rest.get(..=at) } else { None };
        match name.and_then(|name| NAMED_ENTITIES.get(name)) {
            None => break,
            // The start of a name that goes on.
            Some((0, _)) => {}
            Some(&pair) => found = Some((pair, at + 1)),
        }
    }
    let Some(((first, second), length)) = found else { return (None, 0) };
    (resolved(first, second), length)
}

/// The two characters of html5ever's table, of which the second may be none.
fn resolved(first: u32, second: u32) -> Option<Resolved> {
    Some(Resolved(char::from_u32(first)?, char::from_u32(second).filter(|c| *c != '\0')))
}

/// The character of the digits behind `&#`, and their length with the semicolon.
fn numeric(digits: &str) -> Option<(char, usize)> {
    let (radix, start) = if digits.starts_with(['x', 'X']) { (16, 1) } else { (10, 0) };
    let rest = digits.get(start..)?;
    let mut code: u32 = 0;
    let mut length = 0;
    for digit in rest.chars().map_while(|c| c.to_digit(radix)) {
        code = code.saturating_mul(radix).saturating_add(digit);
        length += 1;
    }
    if length == 0 {
        return None;
    }
    let semicolon = usize::from(rest.as_bytes().get(length) == Some(&b';'));
    let c = match code {
        0 => '\u{fffd}',
        0x80..=0x9f => C1_REPLACEMENTS
            .get(code as usize - 0x80)
            .copied()
            .flatten()
            .or(char::from_u32(code))
            .unwrap_or('\u{fffd}'),
        code => char::from_u32(code).unwrap_or('\u{fffd}'),
    };
    Some((c, start + length + semicolon))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_as_browsers_do() {
        for (text, expected) in [
            ("a &amp; b", "a & b"),
            ("&lt;p&gt;&nbsp;&copy", "<p>\u{a0}©"),
            ("&notit; &notin; &unknown; &;", "¬it; ∉ &unknown; &;"),
            ("&#65;&#x42;&#X43 &#0;&#x80;&#xD800;&#x110000;", "ABC \u{fffd}€\u{fffd}\u{fffd}"),
            ("&#;&#x;&#xg", "&#;&#x;&#xg"),
            ("&NotEqualTilde;", "\u{2242}\u{338}"),
            ("&", "&"),
        ] {
            assert_eq!(resolve_all(text, false), expected);
        }
        assert_eq!(resolve_all("?a=1&copy=2&copyx&copy&copy;&amp;b", true), "?a=1&copy=2&copyx©©&b");
    }

    #[test]
    fn the_longest_known_name_is_taken() {
        let known = |name: &str| NAMED_ENTITIES.get(name).copied().filter(|(first, _)| *first != 0);
        for name in NAMED_ENTITIES.keys().filter(|name| known(name).is_some()) {
            for after in ["", ";", "x", "xyz;", "=1", " ; "] {
                let rest = format!("{name}{after}");
                let (end, (first, second)) =
                    (1..=rest.len()).rev().find_map(|end| Some((end, known(&rest[..end])?))).unwrap();
                let stands_for = [first, second].map(|code| char::from_u32(code).filter(|c| *c != '\0'));
                let expected: String = stands_for.into_iter().flatten().chain(rest[end..].chars()).collect();
                assert_eq!(resolve_all(&format!("&{rest}"), false), expected, "{rest}");
            }
        }
    }
}
