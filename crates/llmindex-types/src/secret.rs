//! Recognising secrets, without ever printing one.
//!
//! A published manifest is world-readable, so a token in it is a leaked token. Two grades (LLMI-AMB-25):
//!
//! - **certain**: a user name or password in a URL; a query parameter, path parameter (`;jsessionid=`) or unknown
//!   member with the name of a secret; a value that begins like the keys of well-known services, or is a JWT;
//! - **suspected**: parameters named `key`, `sig`, `signature` or `code`, and 32 characters or more that look random.
//!
//! Readers warn of both. Writers refuse the certain ones unless overridden and warn of the others.
//!
//! A parameter's value may be a percent-encoded URL with parameters of its own (`?next=https%3A%2F%2F…`). Such values
//! are decoded at most three levels deep and at most 256 KiB in all; deeper values are checked without decoding. Time is
//! linear in the text, and the stack is limited to four levels, however deep the text nests.

use alloc::borrow::Cow;
use core::fmt;

use percent_encoding::percent_decode_str;

/// How sure the detector is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Certainty {
    /// May be a secret.
    Suspected,
    /// Has the form of a secret.
    Certain,
}

/// Why a text looks like a secret. Contains no part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Suspicion {
    /// A user name or password in a URL.
    Userinfo,
    /// A parameter or member with this name, as the list of names spells it.
    Name(&'static str),
    /// A value that begins with this.
    Prefix(&'static str),
    /// Three base64url parts, the first of them a JSON object: a JSON Web Token.
    Jwt,
    /// Many characters that look random.
    Random,
}

impl Suspicion {
    /// How sure the detector is.
    ///
    /// Spec: llmindex 0.1, "Security considerations"; LLMI-AMB-25.
    #[must_use]
    pub fn certainty(self) -> Certainty {
        match self {
            Suspicion::Name("key" | "sig" | "signature" | "code") | Suspicion::Random => Certainty::Suspected,
            _ => Certainty::Certain,
        }
    }
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Suspicion::Userinfo => f.write_str("a user name or password"),
            Suspicion::Name(name) => write!(f, "a value named `{name}`"),
            Suspicion::Prefix(prefix) => write!(f, "a value that begins with `{prefix}`"),
            Suspicion::Jwt => f.write_str("a JSON Web Token"),
            Suspicion::Random => f.write_str("a long value that looks random"),
        }
    }
}

/// Names of secrets, in the order certain, suspected. Compared in lower case without `-` and `_`.
const NAMES: [&str; 25] = [
    "token",
    "access_token",
    "id_token",
    "refresh_token",
    "auth",
    "auth_token",
    "api_key",
    "secret",
    "client_secret",
    "password",
    "passwd",
    "pwd",
    "session",
    "session_id",
    "sid",
    "jsessionid",
    "phpsessid",
    "jwt",
    "x_amz_signature",
    "x_amz_credential",
    "x_goog_signature",
    "key",
    "sig",
    "signature",
    "code",
];

/// Starts of well-known keys, each with how many key characters must follow: `sk-` begins other words too
/// (`sk-ii`, a brand; `sk-SK`, a language), the other prefixes do not.
const PREFIXES: [(&str, usize); 8] = [
    ("sk-", 6),
    ("ghp_", 1),
    ("github_pat_", 1),
    ("glpat-", 1),
    ("xoxb-", 1),
    ("AKIA", 1),
    ("AIza", 1),
    ("-----BEGIN", 0),
];

/// A URL without any of these has neither userinfo nor parameters.
pub(crate) const MARKS: [u8; 5] = *b"?#;@=";

/// Looks for a secret in a URL: userinfo, parameters of the query, of the fragment and of path segments.
///
/// ```
/// use llmindex_types::secret;
/// assert!(secret::in_url("https://example.com/feed?Api-Key=x").is_some());
/// assert!(secret::in_url("https://example.com/feed?since=2026-02-21T00:00:00Z&page=2").is_none());
/// ```
///
/// Spec: llmindex 0.1, "Security considerations"; LLMI-SEC-4, LLMI-AMB-25.
#[must_use]
pub fn in_url(url: &str) -> Option<Suspicion> {
    Detector::new().in_url(url, MAX_LEVELS)
}

/// Looks for a secret in a text that is not a URL; URLs inside it are looked at as URLs.
///
/// Spec: llmindex 0.1, "Security considerations"; LLMI-SEC-4, LLMI-AMB-25.
#[must_use]
pub fn in_value(value: &str) -> Option<Suspicion> {
    Detector::new().in_value(value, MAX_LEVELS)
}

/// The name of a secret that `name` is a spelling of.
///
/// Spec: llmindex 0.1, "Security considerations"; LLMI-AMB-25.
#[must_use]
pub fn in_name(name: &str) -> Option<Suspicion> {
    // The name in lower case, without what does not count: at most as long as the longest name that is known.
    let mut folded = [0; LONGEST_NAME];
    let mut len = 0;
    for byte in name.bytes().filter(|byte| !matches!(byte, b'-' | b'_')) {
        *folded.get_mut(len)? = byte.to_ascii_lowercase();
        len += 1;
    }
    let folded = folded.get(..len)?;
    let is_spelling_of = |known: &&str| {
        known.as_bytes().first() == folded.first()
            && known.bytes().filter(|&byte| byte != b'_').eq(folded.iter().copied())
    };
    NAMES.into_iter().find(is_spelling_of).map(Suspicion::Name)
}

/// Length of the longest of [`NAMES`] that has no `_`, or more.
const LONGEST_NAME: usize = 16;

/// How often a value inside a value is percent-decoded.
const MAX_LEVELS: u8 = 3;

/// How many bytes one call decodes, over all levels.
const MAX_DECODED_BYTES: usize = 256 << 10;

/// The remaining allowance of one call. Each recursion lowers the level by one, so [`MAX_LEVELS`] bounds the stack.
struct Detector {
    bytes_left: usize,
}

impl Detector {
    fn new() -> Self {
        Detector { bytes_left: MAX_DECODED_BYTES }
    }

    fn in_url(&mut self, url: &str, levels: u8) -> Option<Suspicion> {
        if !url.bytes().any(|byte| MARKS.contains(&byte)) {
            return None;
        }
        let rest = behind_slashes(url).unwrap_or(url);
        let authority_end = memchr::memchr3(b'/', b'?', b'#', rest.as_bytes());
        let (authority, tail) = rest.split_at(authority_end.unwrap_or(rest.len()));
        if authority.contains('@') {
            return Some(Suspicion::Userinfo);
        }
        let path_end = memchr::memchr2(b'?', b'#', tail.as_bytes());
        let (path, query) = tail.split_at(path_end.unwrap_or(tail.len()));
        let segments = path.contains(';').then(|| path.split('/')).into_iter().flatten();
        let path_parameters = segments.flat_map(|segment| segment.split(';').skip(1));
        let parameters = path_parameters.chain(query.split(['?', '&', ';', '#']).skip(1));
        worst(parameters.filter_map(|parameter| self.in_parameter(parameter, levels)))
    }

    fn in_value(&mut self, value: &str, levels: u8) -> Option<Suspicion> {
        let value = value.trim();
        if let Some(suspicion) = starts_like_a_key(value) {
            return Some(suspicion);
        }
        if holds_url(value) {
            let urls = value.split_whitespace().filter(|word| holds_url(word));
            return worst(urls.filter_map(|url| self.in_url(url, levels)));
        }
        looks_random(value).then_some(Suspicion::Random)
    }

    fn in_parameter(&mut self, parameter: &str, levels: u8) -> Option<Suspicion> {
        let (name, value) = parameter.split_once('=').unwrap_or(("", parameter));
        let by_name = in_name(&self.decode(name, levels));
        let value = self.decode(value, levels);
        let by_value = match levels.checked_sub(1) {
            Some(levels) => self.in_value(&value, levels),
            None => starts_like_a_key(&value).or_else(|| looks_random(&value).then_some(Suspicion::Random)),
        };
        worst(by_name.into_iter().chain(by_value))
    }

    /// The text with its percent escapes decoded, or unchanged once the allowance is used up.
    fn decode<'t>(&mut self, text: &'t str, levels: u8) -> Cow<'t, str> {
        if levels == 0 || !text.contains('%') {
            return Cow::Borrowed(text);
        }
        match self.bytes_left.checked_sub(text.len()) {
            Some(left) => {
                self.bytes_left = left;
                percent_decode_str(text).decode_utf8_lossy()
            }
            None => Cow::Borrowed(text),
        }
    }
}

/// What follows the first `//`.
fn behind_slashes(text: &str) -> Option<&str> {
    let mut slashes = memchr::memchr_iter(b'/', text.as_bytes());
    slashes.find_map(|at| text.get(at + 1..)?.strip_prefix('/'))
}

/// Whether there is `://`.
fn holds_url(text: &str) -> bool {
    // Most texts have no colon, which is found out faster.
    text.contains(':') && text.contains("://")
}

/// A text that begins like the keys of well-known services, or is a JSON Web Token.
fn starts_like_a_key(value: &str) -> Option<Suspicion> {
    let first = value.as_bytes().first();
    let prefix = PREFIXES.iter().find(|(prefix, more)| {
        // The first byte rules most of them out.
        let rest = if prefix.as_bytes().first() == first { value.strip_prefix(prefix) } else { None };
        rest.is_some_and(|rest| rest.bytes().take(*more).filter(|&byte| is_key_byte(byte)).count() >= *more)
    });
    match prefix {
        Some((prefix, _)) => Some(Suspicion::Prefix(prefix)),
        None => is_jwt(value).then_some(Suspicion::Jwt),
    }
}

fn worst(suspicions: impl Iterator<Item = Suspicion>) -> Option<Suspicion> {
    suspicions.reduce(|worst, other| if other.certainty() > worst.certainty() { other } else { worst })
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Three base64url parts; the first two begin as the base64url of `{"` does.
fn is_jwt(value: &str) -> bool {
    if !value.starts_with("eyJ") {
        return false;
    }
    let mut parts = value.split('.');
    let part = |part: Option<&str>| part.is_some_and(|part| part.bytes().all(is_key_byte));
    part(parts.next()) && part(parts.next()) && part(parts.next()) && parts.next().is_none()
}

/// 32 characters of a base64 alphabet or more, without a break, in which letters and digits, or upper and lower
/// case, alternate more often than in words: at least every fifth character is of another class than the one
/// before.
fn looks_random(value: &str) -> bool {
    let random_run = |run: &str| {
        let class = |byte: u8| match byte {
            b'0'..=b'9' => Some(0),
            b'a'..=b'z' => Some(1),
            b'A'..=b'Z' => Some(2),
            _ => None,
        };
        let neighbours = run.bytes().zip(run.bytes().skip(1));
        let changes = neighbours.filter(|&(a, b)| match (class(a), class(b)) {
            // `Ab` is how words begin, so the change from upper to lower case tells nothing.
            (Some(2), Some(1)) => false,
            (Some(a), Some(b)) => a != b,
            _ => false,
        });
        changes.count() * 5 >= run.len()
    };
    let in_alphabet = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '_' | '-' | '=');
    value.len() >= 32 && value.split(|c| !in_alphabet(c)).any(|run| run.len() >= 32 && random_run(run))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        for (query, name) in [
            ("?token=", "token"),
            ("?a=b&API-KEY=x", "api_key"),
            ("?X-Amz-Signature=1", "x_amz_signature"),
            ("?%74oken=x", "token"),
            ("/a;jsessionid=12/b", "jsessionid"),
            ("?a=b;sid=2", "sid"),
            ("#access_token=x", "access_token"),
            ("?AccessToken=x", "access_token"),
        ] {
            let url = alloc::format!("https://example.com/{query}");
            assert_eq!(in_url(&url), Some(Suspicion::Name(name)), "{url}");
        }
        for benign in [
            "https://example.com/",
            "https://example.com/?since=2026-02-21T00:00:00Z",
            "https://example.com/?page=2&lang=de",
            "https://example.com/token/auth?tokens=2",
            "https://example.com/@maker/?q=a@b",
            "https://example.com/?token",
        ] {
            assert_eq!(in_url(benign), None, "{benign}");
        }
        assert_eq!(in_url("https://me:pw@example.com/"), Some(Suspicion::Userinfo));
        assert_eq!(
            in_url("https://example.com/?code=1").map(Suspicion::certainty),
            Some(Certainty::Suspected)
        );
        let both = in_url("https://example.com/?key=1&token=2");
        assert_eq!(both, Some(Suspicion::Name("token")));
    }

    #[test]
    fn the_longest_name_is_long_enough() {
        for name in NAMES {
            assert!(name.replace('_', "").len() <= LONGEST_NAME);
            assert_eq!(in_name(&name.replace('_', "-").to_ascii_uppercase()), Some(Suspicion::Name(name)));
            assert_eq!(in_name(&alloc::format!("{name}s")), None);
        }
    }

    #[test]
    fn values() {
        for certain in [
            "sk-abcdef123456",
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "-----BEGIN PRIVATE KEY-----",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
            "see https://a.example/?token=1",
        ] {
            assert_eq!(in_value(certain).map(Suspicion::certainty), Some(Certainty::Certain), "{certain}");
        }
        assert_eq!(in_value("Zk9wLq83mVnT2xYb7RsE4uHc1JdG6oPa"), Some(Suspicion::Random));
        assert_eq!(in_value("15205d4bb3897bd51863c3b3770eb395"), Some(Suspicion::Random));
        for benign in [
            "general",
            "sk-ii",
            "sk-SK",
            "a-very-long-topic-about-shoes-and-boots-2026-for-winter",
            "InternationalAssociationOfShoemakersAndCobblers",
            "00000000000000000000000000000000000000",
            "https://example.com/llm/about",
        ] {
            assert_eq!(in_value(benign), None, "{benign}");
        }
    }
}
