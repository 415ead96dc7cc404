//! Absolute http(s) URLs whose text is kept.
//!
//! The specification says "URI" and means pages to fetch, so a value here is an absolute URL of the schemes
//! `https` and `http` with a host (LLMI-AMB-8). What counts is decided in this order:
//!
//! 1. a scheme, `//`, and characters that RFC 3986 allows where they stand; characters beyond ASCII pass, with a
//!    note, control characters do not;
//! 2. the WHATWG parser of the `url` crate, for hosts (IDN, IP addresses), ports and everything it refuses.
//!
//! Most URLs are plain ASCII with a plain host name. Those are decided by one look at each byte, with the same
//! verdict; the parser then runs only when somebody asks for a [`Url`].

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::ToString;
use core::fmt;

use url::Url;

/// An absolute http(s) URL with a host: the text as the source had it, and the parsed form.
///
/// Spec: llmindex 0.1, "Required fields"; LLMI-MAN-10, LLMI-AMB-8.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct WebUrl {
    text: Box<str>,
    url: Url,
}

impl WebUrl {
    /// Reads an absolute http(s) URL; nothing is trimmed.
    ///
    /// ```
    /// use llmindex_types::WebUrl;
    /// let url = WebUrl::parse("https://Shop.example:8443/llm/faq").unwrap();
    /// assert_eq!(url.as_str(), "https://Shop.example:8443/llm/faq");
    /// assert_eq!(url.host(), "shop.example");
    /// assert_eq!(WebUrl::parse("/llm/faq").unwrap_err().to_string(), "expected an absolute http(s) URL");
    /// ```
    ///
    /// # Errors
    /// [`WebUrlError`] says which part is at fault.
    ///
    /// Spec: llmindex 0.1, "Required fields"; LLMI-AMB-8.
    pub fn parse(text: &str) -> Result<Self, WebUrlError> {
        check(text)?;
        let url = Url::parse(text).map_err(|_| WebUrlError::Malformed)?;
        Ok(WebUrl { text: text.into(), url })
    }

    /// The text as the source had it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The parsed form.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The host as names are compared: A-labels, lower case, without a final dot.
    #[must_use]
    pub fn host(&self) -> &str {
        comparable_host(&self.url)
    }

    /// Whether the scheme is `https`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }
}

impl fmt::Debug for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WebUrl({})", self.text)
    }
}

impl fmt::Display for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a text is no absolute http(s) URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WebUrlError {
    /// No `scheme://` at the start: empty, a relative reference, a name.
    NotAbsolute,
    /// Another scheme than `http` and `https`.
    Scheme,
    /// Nothing between `//` and the path.
    NoHost,
    /// A character that no URL holds at its place, or a `%` without two hex digits.
    Character,
    /// A host or port that the URL standard refuses.
    Malformed,
}

impl fmt::Display for WebUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WebUrlError::NotAbsolute => "expected an absolute http(s) URL",
            WebUrlError::Scheme => "expected the scheme https or http",
            WebUrlError::NoHost => "expected a host after `//`",
            WebUrlError::Character => "expected only characters that a URL may hold",
            WebUrlError::Malformed => "expected a host and port that the URL standard accepts",
        })
    }
}

impl core::error::Error for WebUrlError {}

/// What the checks of members ask about a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UrlFacts<'a> {
    pub(crate) https: bool,
    pub(crate) lower_case_scheme: bool,
    pub(crate) ascii: bool,
    pub(crate) userinfo: bool,
    pub(crate) fragment: bool,
    /// Whether there is anything besides scheme, host, port and plain path segments: what may hold a secret.
    pub(crate) marks: bool,
    /// As names are compared: A-labels, lower case, without a final dot.
    pub(crate) host: Cow<'a, str>,
}

/// Decides whether `text` is an absolute http(s) URL. `O(n)`; allocates only off the plain path.
pub(crate) fn check(text: &str) -> Result<UrlFacts<'_>, WebUrlError> {
    match plain(text) {
        Some(facts) => Ok(facts),
        None => thorough(text),
    }
}

/// Byte classes of RFC 3986.
const HOST: u8 = 1; // of a plain host name: lower-case letters, digits, `-`, `.`
const PATH: u8 = 2; // of a path, query or fragment without escapes
const PLAIN: u8 = 4; // of these, what opens no query and no parameter
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        let host = b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.');
        let path = b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+'
            )
            || matches!(b, b',' | b';' | b'=' | b':' | b'@' | b'/' | b'?');
        #[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
        {
            class[byte] = match (host, path, matches!(b, b'?' | b';' | b'=' | b'@')) {
                (true, ..) => HOST | PATH | PLAIN,
                (_, true, false) => PATH | PLAIN,
                (_, true, true) => PATH,
                _ => 0,
            };
        }
        byte += 1;
    }
    class
};

#[inline]
fn classes(byte: u8) -> u8 {
    CLASS.get(usize::from(byte)).copied().unwrap_or_default()
}

#[inline]
fn is_class(byte: u8, class: u8) -> bool {
    classes(byte) & class != 0
}

/// The facts of a URL with a lower-case scheme, a plain host name and no port, escape or fragment.
#[inline]
fn plain(text: &str) -> Option<UrlFacts<'_>> {
    let (https, rest) = match text.strip_prefix("https://") {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix("http://")?),
    };
    let bytes = rest.as_bytes();
    let host_len = bytes.iter().position(|&byte| !is_class(byte, HOST)).unwrap_or(bytes.len());
    let (host, tail) = (rest.get(..host_len)?, bytes.get(host_len..)?);
    if !matches!(tail.first(), None | Some(b'/' | b'?')) || !is_plain_host(host) {
        return None;
    }
    let common = tail.iter().fold(PATH | PLAIN, |common, &byte| common & classes(byte));
    if common & PATH == 0 {
        return None;
    }
    let (marks, host) = (common & PLAIN == 0, Cow::Borrowed(host));
    Some(UrlFacts {
        https,
        lower_case_scheme: true,
        ascii: true,
        userinfo: false,
        fragment: false,
        marks,
        host,
    })
}

/// Whether the URL standard takes the name as it is: no empty label, nothing Punycode, no number at the end.
#[inline]
fn is_plain_host(host: &str) -> bool {
    let mut before = b'.';
    let mut label_starts_with_letter = false;
    for byte in host.bytes() {
        if before == b'.' {
            label_starts_with_letter = byte.is_ascii_lowercase();
        }
        if (byte == b'.' || byte == b'-') && (before == b'.' || before == b'-') {
            return false;
        }
        before = byte;
    }
    before.is_ascii_alphanumeric() && label_starts_with_letter && host.len() <= 253
}

#[cold]
fn thorough(text: &str) -> Result<UrlFacts<'_>, WebUrlError> {
    let (scheme, rest) = text.split_once(':').ok_or(WebUrlError::NotAbsolute)?;
    let scheme_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(scheme_char) {
        return Err(WebUrlError::NotAbsolute);
    }
    let https = scheme.eq_ignore_ascii_case("https");
    if !https && !scheme.eq_ignore_ascii_case("http") {
        return Err(WebUrlError::Scheme);
    }
    let rest = rest.strip_prefix("//").ok_or(WebUrlError::NotAbsolute)?;
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (userinfo, host_port) = match authority.rsplit_once('@') {
        Some((userinfo, host_port)) => (Some(userinfo), host_port),
        None => (None, authority),
    };
    if host_port.is_empty() || host_port.starts_with(':') {
        return Err(WebUrlError::NoHost);
    }
    let (before_fragment, fragment) = match tail.split_once('#') {
        Some((before, fragment)) => (before, Some(fragment)),
        None => (tail, None),
    };
    let parts = [userinfo.unwrap_or(""), before_fragment, fragment.unwrap_or("")];
    if !parts.into_iter().all(|part| has_only_url_characters(part, false))
        || !has_only_url_characters(host_port, true)
        || userinfo.is_some_and(|userinfo| userinfo.contains('@'))
    {
        return Err(WebUrlError::Character);
    }
    let url = Url::parse(text).map_err(|_| WebUrlError::Malformed)?;
    let host = comparable_host(&url);
    if host.is_empty() {
        return Err(WebUrlError::NoHost);
    }
    Ok(UrlFacts {
        https,
        lower_case_scheme: !scheme.bytes().any(|byte| byte.is_ascii_uppercase()),
        ascii: text.is_ascii(),
        userinfo: userinfo.is_some(),
        fragment: fragment.is_some(),
        marks: text.bytes().any(|byte| crate::secret::MARKS.contains(&byte)),
        host: Cow::Owned(host.to_string()),
    })
}

fn has_only_url_characters(part: &str, brackets: bool) -> bool {
    let bytes = part.as_bytes();
    let hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    part.char_indices().all(|(at, c)| match c {
        '%' => hex(at + 1) && hex(at + 2),
        '[' | ']' => brackets,
        c if c.is_ascii() => is_class(c as u8, PATH),
        c => !c.is_control(),
    })
}

fn comparable_host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_suffix('.').unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        use WebUrlError::*;
        for (text, error) in [
            ("", NotAbsolute),
            ("not-a-url", NotAbsolute),
            ("also not valid", NotAbsolute),
            ("://broken", NotAbsolute),
            ("/llm/faq", NotAbsolute),
            ("//host/llm", NotAbsolute),
            ("https:example.com", NotAbsolute),
            ("https:/example.com", NotAbsolute),
            ("https:\\\\example.com", NotAbsolute),
            (" https://example.com", NotAbsolute),
            ("ftp://example.com", Scheme),
            ("javascript:alert(1)", Scheme),
            ("data:text/plain,x", Scheme),
            ("file:///etc/passwd", Scheme),
            ("https://", NoHost),
            ("https:///path", NoHost),
            ("https://?q", NoHost),
            ("https://:443/", NoHost),
            ("https://user@/", NoHost),
            ("https://./", NoHost),
            ("https://example.com ", Character),
            ("https://example.com/a b", Character),
            ("https://exam ple.com/", Character),
            ("https://example.com/\u{7}", Character),
            ("https://example.com/a\tb", Character),
            ("https://example.com/%zz", Character),
            ("https://example.com/{id}", Character),
            ("https://example.com/a\\b", Character),
            ("https://example.com/#a#b", Character),
            ("https://example.com:99999/", Malformed),
            ("https://example.com:port/", Malformed),
            ("https://[::1/", Malformed),
            ("https://1.2.3.400/", Malformed),
            ("https://xn--a/", Malformed),
        ] {
            assert_eq!(check(text).map(|_| ()), Err(error), "{text}");
        }
        for (text, host) in [
            ("https://example.com", "example.com"),
            ("HTTPS://EXAMPLE.com./", "example.com"),
            ("http://example.com:8080/a?b=c#d", "example.com"),
            ("https://müller.example/ü", "xn--mller-kva.example"),
            ("https://xn--mller-kva.example/", "xn--mller-kva.example"),
            ("https://user:pw@example.com/", "example.com"),
            ("https://[::1]:8443/x", "[::1]"),
            ("https://127.0.0.1/", "127.0.0.1"),
            ("https://localhost/%41?a=%20", "localhost"),
        ] {
            assert_eq!(check(text).map(|facts| facts.host.into_owned()), Ok(host.into()), "{text}");
        }
    }

    #[test]
    fn facts() {
        let facts = check("HTTPS://u@b.example/ü#").unwrap();
        assert_eq!(
            (facts.https, facts.lower_case_scheme, facts.ascii, facts.userinfo, facts.fragment),
            (true, false, false, true, true)
        );
    }

    proptest::proptest! {
        #[test]
        fn the_plain_path_gives_the_thorough_verdict(text in "https?://[a-z0-9.-]{0,12}[/?]?[a-zA-Z0-9/?&=%.~:@-]{0,8}") {
            if let Some(facts) = plain(&text) {
                proptest::prop_assert_eq!(Ok(facts), thorough(&text));
            }
        }
    }
}
