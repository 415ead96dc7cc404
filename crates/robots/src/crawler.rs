//! Which `User-agent` lines apply to a crawler.
//!
//! A crawler has one or more names. Only the part of a name before its first `/`, space or tab counts, so both a
//! product token and a whole `User-Agent` value can be given. The value in robots.txt is cut at its first
//! character outside of `A-Z a-z _ -`; equal without regard to ASCII case is a match, a mere prefix is not. A
//! value that is equal to the crawler's whole name matches too, for names with digits such as `AI2Bot`.
//!
//! ```text
//! crawler AIWebIndex    AIWebIndex  aiwebindex  AIWebIndex/1.0  AIWebIndex (notes)    match
//!                       AIWeb  AIWebIndexBot  AIWebIndex-Agent                        do not
//! ```
//!
//! Spec: RFC 9309, "The User-Agent Line"; AIWI-BOT-1, AIWI-AMB-32.

use web_values::AiWebIndexAgent;

use crate::options::RobotsMode;

/// The names of one crawler: product tokens or whole `User-Agent` values.
///
/// Groups that name any of them apply together, as if they were one group.
///
/// ```
/// use robots::{Crawler, Robots};
///
/// let robots = Robots::parse(b"User-agent: acmebot\nDisallow: /a\n\nUser-agent: AIWebIndex\nDisallow: /b\n");
/// let both = ["acmebot", "AIWebIndex/1.0 (+https://example.com/bot)"];
/// assert!(robots.decide(&both, "/a").is_disallowed() && robots.decide(&both, "/b").is_disallowed());
/// assert!(robots.decide(Crawler::from("AIWebIndex"), "/a").is_allowed());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Crawler<'a>(Names<'a>);

#[derive(Debug, Clone, Copy)]
enum Names<'a> {
    One(&'a str),
    Many(&'a [&'a str]),
}

impl<'a> From<&'a str> for Crawler<'a> {
    fn from(name: &'a str) -> Self {
        Crawler(Names::One(name))
    }
}

impl<'a> From<&'a [&'a str]> for Crawler<'a> {
    fn from(names: &'a [&'a str]) -> Self {
        Crawler(Names::Many(names))
    }
}

impl<'a, const N: usize> From<&'a [&'a str; N]> for Crawler<'a> {
    fn from(names: &'a [&'a str; N]) -> Self {
        Crawler(Names::Many(names))
    }
}

impl<'a> From<&'a AiWebIndexAgent> for Crawler<'a> {
    /// The AIWebIndex crawler: its groups are those that name `AIWebIndex`.
    ///
    /// Both versions have one token.
    ///
    /// Spec: AIWebIndex 1.0, "robots.txt compliance"; AIWI-BOT-1; AIWebIndex 2.0, section 6.1; AIWI2-BOT-1.
    fn from(_: &'a AiWebIndexAgent) -> Self {
        Crawler(Names::One(AiWebIndexAgent::TOKEN))
    }
}

impl<'a> Crawler<'a> {
    fn names(&self) -> &[&'a str] {
        match &self.0 {
            Names::One(name) => core::slice::from_ref(name),
            Names::Many(names) => names,
        }
    }

    /// Whether a `User-agent` line of this value names the crawler.
    pub(crate) fn is_named_by(&self, value: &[u8], mode: RobotsMode) -> bool {
        self.names().iter().any(|name| match mode {
            // There the name is taken as it is: a caller passes a product token.
            RobotsMode::Google => !name.is_empty() && token_of(value).eq_ignore_ascii_case(name.as_bytes()),
            RobotsMode::Rfc => name_of(name, value.len()).is_some_and(|name| {
                token_of(value).eq_ignore_ascii_case(name) || value.eq_ignore_ascii_case(name)
            }),
            RobotsMode::Strict => {
                name_of(name, value.len()).is_some_and(|name| value.eq_ignore_ascii_case(name))
            }
        })
    }
}

/// Returns true if a `User-agent` line with this value applies to every crawler.
pub(crate) fn is_wildcard(value: &[u8], mode: RobotsMode) -> bool {
    match value {
        [b'*'] => true,
        [b'*', next, ..] => mode != RobotsMode::Strict && next.is_ascii_whitespace(),
        _ => false,
    }
}

/// The product token at the start of a `User-agent` line's value; empty where it starts with something else.
pub(crate) fn token_of(value: &[u8]) -> &[u8] {
    let end = value.iter().position(|b| !is_token_byte(*b)).unwrap_or(value.len());
    value.split_at_checked(end).map_or(value, |(token, _)| token)
}

pub(crate) fn is_token_byte(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'-'
}

/// The part of a crawler's name that counts; `None` if it is empty or longer than `longest`, since longer names cannot
/// match.
fn name_of(name: &str, longest: usize) -> Option<&[u8]> {
    let name = name.trim_ascii_start().as_bytes();
    let near = name.get(..=longest).unwrap_or(name);
    let end = near.iter().position(|byte| matches!(byte, b'/' | b' ' | b'\t')).unwrap_or(near.len());
    near.get(..end).filter(|name| !name.is_empty() && name.len() <= longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_name_the_crawler() {
        for (value, name, expected) in [
            ("AIWebIndex", "AIWebIndex", true),
            ("aiwebindex", "AIWebIndex", true),
            ("AIWebIndex/1.0", "AIWebIndex", true),
            ("AIWebIndex/1.0", "AIWebIndex/1.0 (+https://example.com/bot)", true),
            ("AIWebIndexBot", "AIWebIndex", false),
            ("AIWeb", "AIWebIndex", false),
            ("AIWebIndex-Agent", "AIWebIndex", false),
            ("AI2Bot", "AI2Bot", true),
            ("ai2bot", "AI2Bot/2.0", true),
            ("AI2Bot", "AI", true),
            ("AI", "AI2Bot", false),
            ("Foo Bar", "Foo", true),
            ("", "", false),
            ("*", "", false),
            ("/", "/", false),
        ] {
            assert_eq!(
                Crawler::from(name).is_named_by(value.as_bytes(), RobotsMode::Rfc),
                expected,
                "{value:?} {name:?}"
            );
        }
    }

    #[test]
    fn a_star_stands_alone() {
        assert!(is_wildcard(b"*", RobotsMode::Strict) && is_wildcard(b"* all", RobotsMode::Rfc));
        assert!(
            !is_wildcard(b"*bot", RobotsMode::Rfc)
                && !is_wildcard(b"* all", RobotsMode::Strict)
                && !is_wildcard(b"", RobotsMode::Rfc)
        );
    }
}
