//! The normal form of patterns and paths, in which they are compared, and the comparison.
//!
//! RFC 9309 compares octets after normalising percent-encoding (called levelling in this crate).
//! Both sides become:
//!
//! | octet | written |
//! |---|---|
//! | letter, digit, `-`, `.`, `_`, `~`, raw or encoded | raw |
//! | reserved (`/ ? # [ ] @ ! & ' ( ) + , ; = :`), raw | raw |
//! | reserved, encoded | `%XX`, upper case |
//! | `*` and `$`, encoded or raw (a raw `*` of a pattern and a raw `$` at its end are wildcards) | `%2A`, `%24` |
//! | any other octet, raw or encoded | `%XX`, upper case |
//! | `%` that begins no escape | `%` |
//!
//! RFC 9309 decodes unreserved octets alone, and a match ends before the first octet that differs. `Disallow: /%` is
//! therefore a prefix of `/%2F`, `/%2A` and `/%24`, which keep their `%`, and not of `/%41`, which is `/A`.
//!
//! In a pattern a raw `*` stands for any run of octets, a raw `$` at the end for the end. The wildcard is kept as
//! the byte 0, which never occurs in that form, so it cannot be confused with a literal star.
//!
//! Matching goes from left to right and takes the leftmost occurrence of the text between two wildcards. That is
//! sufficient because the next wildcard can match anything up to a later occurrence, and linear because nothing is
//! tried twice.
//!
//! Spec: RFC 9309, "The Allow and Disallow Lines" and "Special Characters"; AIWI-BOT-4, AIWI-BOT-5, AIWI-BOT-6.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use memchr::{memchr, memmem};

use crate::options::RobotsMode;

/// The byte that stands for `*` in a levelled pattern.
pub(crate) const WILDCARD: u8 = 0;

/// What levelling does to a raw byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Keep,
    Encode,
    Percent,
    Star,
    Dollar,
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler: a wrong index does not build")]
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Encode; 256];
    let keep = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?#[]@!&'()+,;=:";
    let mut i = 0;
    while i < keep.len() {
        classes[keep[i] as usize] = Class::Keep;
        i += 1;
    }
    classes[b'%' as usize] = Class::Percent;
    classes[b'*' as usize] = Class::Star;
    classes[b'$' as usize] = Class::Dollar;
    classes
};

fn class(byte: u8) -> Class {
    // A `u8` indexes 256 places: the fallback is never used, and the compiler knows.
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Encode)
}

/// A pattern in levelled form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// Whether the match must reach the end of the path.
    pub(crate) anchored: bool,
    /// Octets of the encoded pattern: the longer of two matching rules decides.
    pub(crate) octets: u32,
    /// Levelled length up to the first wildcard, or all of it.
    pub(crate) literal: u32,
}

/// A path in levelled form; borrowed if it is in that form already, which is the common case.
pub(crate) fn level_path(path: &[u8], mode: RobotsMode) -> Cow<'_, [u8]> {
    let plain = |b: &u8| class(*b) == Class::Keep;
    if mode == RobotsMode::Google || path.iter().all(plain) {
        return Cow::Borrowed(path);
    }
    let mut levelled = Vec::with_capacity(path.len() + 16);
    let mut rest = path;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match class(byte) {
            Class::Keep => levelled.push(byte),
            Class::Encode | Class::Star | Class::Dollar => push_encoded(&mut levelled, byte),
            Class::Percent => rest = push_escape(&mut levelled, tail),
        }
    }
    Cow::Owned(levelled)
}

/// Appends the levelled form of `pattern` to `levelled`.
pub(crate) fn level_pattern(pattern: &[u8], mode: RobotsMode, levelled: &mut Vec<u8>) -> Shape {
    let start = levelled.len();
    let (pattern, anchored) = match pattern {
        [body @ .., b'$'] => (body, true),
        body => (body, false),
    };
    let mut rest = pattern;
    let mut literal = None;
    // What is one octet in the pattern and another number here: the anchor, wildcards in a row, raw dollars.
    let (mut more, mut fewer) = (usize::from(anchored), 0);
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match (class(byte), mode) {
            (Class::Star, _) => {
                literal.get_or_insert(levelled.len() - start);
                // Two wildcards in a row match what one does, but the rule is longer.
                if levelled.last() == Some(&WILDCARD) && levelled.len() > start {
                    more += 1;
                } else {
                    levelled.push(WILDCARD);
                }
            }
            (Class::Keep, _) | (Class::Dollar, RobotsMode::Google) => levelled.push(byte),
            (Class::Dollar, _) => {
                push_encoded(levelled, byte);
                fewer += 2;
            }
            (Class::Encode, RobotsMode::Google) if byte.is_ascii() && byte != WILDCARD => levelled.push(byte),
            (Class::Encode, _) => push_encoded(levelled, byte),
            (Class::Percent, RobotsMode::Google) => {
                levelled.push(byte);
                if let (Some([a, b]), Some(_)) = (tail.get(..2), decoded(tail)) {
                    levelled.extend([a.to_ascii_uppercase(), b.to_ascii_uppercase()]);
                    rest = tail.get(2..).unwrap_or(&[]);
                }
            }
            (Class::Percent, _) => rest = push_escape(levelled, tail),
        }
    }
    let len = levelled.len() - start;
    // Each raw dollar has put three octets into the length.
    Shape {
        anchored,
        octets: to_u32((len + more).saturating_sub(fewer)),
        literal: to_u32(literal.unwrap_or(len)),
    }
}

/// Files are cut below 4 GiB and levelling at most triples a length, so saturation does not occur in practice.
fn to_u32(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// The octet that the two hex digits at the start of `tail` stand for.
fn decoded(tail: &[u8]) -> Option<u8> {
    let digit = |b: u8| char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok());
    match tail {
        [high, low, ..] => Some(digit(*high)? * 16 + digit(*low)?),
        _ => None,
    }
}

/// Appends the levelled form of a `%` and what follows it; returns the rest.
fn push_escape<'a>(levelled: &mut Vec<u8>, tail: &'a [u8]) -> &'a [u8] {
    let Some(octet) = decoded(tail) else {
        levelled.push(b'%');
        return tail;
    };
    if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) {
        levelled.push(octet);
    } else {
        push_encoded(levelled, octet);
    }
    tail.get(2..).unwrap_or(&[])
}

fn push_encoded(levelled: &mut Vec<u8>, octet: u8) {
    let hex = |nibble: u8| nibble + if nibble < 10 { b'0' } else { b'A' - 10 };
    levelled.extend([b'%', hex(octet >> 4), hex(octet & 15)]);
}

/// Whether the levelled `pattern` matches the levelled `path` from its first octet. `O(pattern + path)`.
pub(crate) fn matches(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    let Some(star) = memchr(WILDCARD, pattern) else {
        return if anchored { path == pattern } else { path.starts_with(pattern) };
    };
    let (head, tail) = pattern.split_at_checked(star).unwrap_or((pattern, &[]));
    path.strip_prefix(head).is_some_and(|rest| matches_tail(tail, anchored, rest))
}

/// [`matches`] for a pattern that begins with a wildcard.
pub(crate) fn matches_tail(pattern: &[u8], anchored: bool, path: &[u8]) -> bool {
    let mut pieces = pattern.split(|b| *b == WILDCARD).skip(1);
    let mut rest = path;
    let Some(mut piece) = pieces.next() else { return true };
    for next in pieces {
        let Some(at) = find(rest, piece) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or(&[]);
        piece = next;
    }
    if anchored { rest.ends_with(piece) } else { find(rest, piece).is_some() }
}

fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    match piece {
        [] => Some(0),
        [byte] => memchr(*byte, text),
        _ => memmem::find(text, piece),
    }
}

/// Decides from the raw bytes up to the first difference whether the pattern can match: most rules are about
/// another folder, so levelling is not needed. `None` if the whole comparison is needed.
pub(crate) fn quick(pattern: &[u8], path: &[u8]) -> Option<bool> {
    let common = pattern.iter().zip(path).take_while(|(a, b)| a == b).count();
    let seen = pattern.get(..=common).unwrap_or(pattern);
    seen.iter().all(|b| class(*b) == Class::Keep).then_some(common == pattern.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    fn check(pattern: &str, path: &str) -> bool {
        let mut levelled = Vec::new();
        let shape = level_pattern(pattern.as_bytes(), RobotsMode::Rfc, &mut levelled);
        let path = level_path(path.as_bytes(), RobotsMode::Rfc);
        let whole = matches(&levelled, shape.anchored, &path);
        if let Some(quick) = quick(pattern.as_bytes(), &path) {
            assert_eq!(quick, whole, "{pattern} {path:?}");
        }
        whole
    }

    fn level(path: &str) -> String {
        String::from_utf8(level_path(path.as_bytes(), RobotsMode::Rfc).into_owned()).unwrap().to_string()
    }

    /// The short cut does not change an answer; it only has to apply to most rules.
    #[test]
    fn most_rules_are_settled_by_their_bytes() {
        assert_eq!(quick(b"/private/", b"/public/"), Some(false));
        assert_eq!(quick(b"/private/", b"/private/a"), Some(true));
        assert_eq!(quick(b"/private/", b"/private"), Some(false));
        // Behind a star, a dollar or an escape the whole comparison decides, and before it bytes do.
        assert_eq!((quick(b"/*a", b"/b"), quick(b"/%41", b"/A"), quick(b"/a$", b"/a")), (None, None, None));
        assert_eq!(quick(b"/ab*", b"/c"), Some(false));
    }

    #[test]
    fn paths_are_levelled() {
        for (path, levelled) in [
            ("/a~b?c=d&e", "/a~b?c=d&e"),
            ("/%7euser/%41", "/~user/A"),
            ("/ツ", "/%E3%83%84"),
            ("/%e3%83%84", "/%E3%83%84"),
            ("/a%2fb", "/a%2Fb"),
            ("/a b", "/a%20b"),
            ("/%G1%", "/%G1%"),
            ("/%2a%24*$", "/%2A%24%2A%24"),
            ("/%00", "/%00"),
        ] {
            assert_eq!(level(path), levelled);
        }
    }

    #[test]
    fn patterns_match_from_the_first_octet() {
        for (pattern, path, expected) in [
            ("/", "/any", true),
            ("/p", "/page", true),
            ("/P", "/page", false),
            ("/*.php$", "/a/b.php", true),
            ("/*.php$", "/a.php?x", false),
            ("/*.php", "/a.php?x", true),
            ("/a*b*c", "/a1b2c3", true),
            ("/a*b*c", "/acb", false),
            ("/a$b", "/a$b", true),
            ("/a$b", "/a%24b", true),
            ("/a$", "/a", true),
            ("/a$", "/ab", false),
            ("/a*$", "/abc", true),
            ("*", "/", true),
            ("*$", "/x", true),
            ("**/b", "/a/b", true),
            ("foo", "/foo", false),
            ("/a-%2A", "/a-*", true),
            ("/a-%2A", "/a-b", false),
            ("/a-%24", "/a-$", true),
            ("/a-%2A", "/a-%2a", true),
            ("/%7e", "/~", true),
            ("/~", "/%7E", true),
            ("/a%2Fb", "/a/b", false),
            ("/a/b", "/a%2Fb", false),
            ("/a%2fb", "/a%2Fb", true),
            ("/ツ", "/%E3%83%84", true),
            ("/%E3%83%84", "/ツ", true),
            ("/%G1", "/%G1", true),
            ("/%", "/%41", false),
            ("/%", "/%2F", true),
            ("/%", "/%24", true),
            ("/%", "/%2A", true),
            ("/%", "/%2a", true),
            ("/%2", "/%2A", true),
            ("/%2", "/%2f", true),
            ("/%$", "/%24", false),
            ("/a%*b", "/a%2Axb", true),
            ("/a b", "/a%20b", true),
            ("/x$", "/x%24", false),
            ("/aab*ab$", "/aab", false),
            ("/*a*a*a$", "/aa", false),
        ] {
            assert_eq!(check(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn octets_are_those_of_the_encoded_pattern() {
        for (pattern, octets) in [
            ("/", 1),
            ("/a*$", 4),
            ("/%7e", 2),
            ("/ツ", 10),
            ("/%2A", 4),
            ("/**", 3),
            ("/a b", 6),
            ("$", 1),
            ("/a$b", 4),
            ("/%24$", 5),
        ] {
            let shape = level_pattern(pattern.as_bytes(), RobotsMode::Rfc, &mut Vec::new());
            assert_eq!(shape.octets, octets, "{pattern}");
        }
    }
}
