//! Absolute http(s) URLs from untrusted input.
//!
//! The URL Standard's parser repairs many errors: it drops tabs and line ends, turns `\` into `/`, and reads
//! `https:///evil.example` as `https://evil.example/`. Two programs that repair differently see different hosts, so
//! the text is checked before it is parsed, in this order:
//!
//! 1. `http` or `https` in any case, then `://`;
//! 2. something between `//` and the path besides user information and port;
//! 3. no blank or control character anywhere, no backslash before the query; for [`UrlRules::rfc3986`] only the characters of RFC 3986
//!    where it allows them, and those beyond ASCII;
//! 4. the parser of the `url` crate, for hosts (IDN, IP addresses), ports and everything it refuses;
//! 5. user information, and the scheme `http`, as the rules say.
//!
//! Most URLs are plain ASCII with a plain host name. [`check_url`] reads each byte of such a URL once and gives the
//! same verdict without the parser.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::str::FromStr;

use url::Url;

use crate::HostKind;

/// An absolute `http` or `https` URL with a host.
///
/// Derefs to [`Url`]. Prints, compares and serialises as the URL Standard's serialiser writes it;
/// [`as_given`](Self::as_given) keeps the text that it was read from. User information is refused unless
/// [`UrlRules`] say otherwise.
///
/// ```
/// use web_values::{UrlRules, WebUrl, WebUrlErrorKind};
///
/// let url = WebUrl::parse("HTTPS://Shop.Example:443/a?b#c").unwrap();
/// assert_eq!(url.as_str(), "https://shop.example/a?b#c");
/// assert_eq!(url.as_given(), "HTTPS://Shop.Example:443/a?b#c");
/// assert_eq!(url.comparable_host(), "shop.example");
///
/// let kind = |text| WebUrl::parse(text).map_err(|error| error.kind());
/// assert_eq!(kind("https:///evil.example"), Err(WebUrlErrorKind::NoHost));
/// assert_eq!(kind("https://user@shop.example/"), Err(WebUrlErrorKind::Credentials));
///
/// let rules = UrlRules::default().dropping_credentials();
/// assert_eq!(WebUrl::parse_with("https://user@shop.example/", rules).unwrap().as_str(), "https://shop.example/");
/// ```
#[derive(Clone)]
pub struct WebUrl {
    url: Url,
    /// The text as given, if it differs from the serialised form.
    given: Option<Box<str>>,
}

/// What a [`WebUrl`] must be like. The default: the URL Standard's syntax, both schemes, no user information.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct UrlRules {
    rfc3986: bool,
    https_only: bool,
    credentials: Credentials,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
enum Credentials {
    #[default]
    Refused,
    Kept,
    Dropped,
}

impl UrlRules {
    /// Refuses ASCII characters that RFC 3986 does not allow at their place (such as `{` or a second `#`) and a `%`
    /// without two hex digits; characters beyond ASCII pass.
    #[must_use]
    pub const fn rfc3986(self) -> Self {
        UrlRules { rfc3986: true, ..self }
    }

    /// Refuses the scheme `http`.
    #[must_use]
    pub const fn https_only(self) -> Self {
        UrlRules { https_only: true, ..self }
    }

    /// Takes a URL with a user name or password, and keeps them in the value: it must not be logged.
    #[must_use]
    pub const fn keeping_credentials(self) -> Self {
        UrlRules { credentials: Credentials::Kept, ..self }
    }

    /// Takes a URL with a user name or password, and drops them.
    #[must_use]
    pub const fn dropping_credentials(self) -> Self {
        UrlRules { credentials: Credentials::Dropped, ..self }
    }
}

impl WebUrl {
    /// Reads an absolute http(s) URL without user information; nothing is trimmed.
    ///
    /// # Errors
    /// [`WebUrlError`] says which rule the text breaks, and where.
    pub fn parse(text: &str) -> Result<Self, WebUrlError> {
        WebUrl::parse_with(text, UrlRules::default())
    }

    /// Reads an absolute http(s) URL by these rules; nothing is trimmed.
    ///
    /// # Errors
    /// [`WebUrlError`] says which rule the text breaks, and where.
    pub fn parse_with(text: &str, rules: UrlRules) -> Result<Self, WebUrlError> {
        let shape = Shape::of(text, rules.rfc3986)?;
        let url = shape.parse(text)?;
        let had_credentials = !url.username().is_empty() || url.password().is_some();
        let url = WebUrl::from_url(url, rules).map_err(|error| WebUrlError {
            offset: if error.kind == WebUrlErrorKind::Credentials { shape.authority_at } else { 0 },
            ..error
        })?;
        // Dropped user information is not kept in the given text either.
        let is_kept = !(had_credentials && rules.credentials == Credentials::Dropped);
        let given = (is_kept && url.as_str() != text).then(|| text.into());
        Ok(WebUrl { given, ..url })
    }

    /// Takes a parsed URL by these rules; the syntax of its text is not looked at.
    ///
    /// # Errors
    /// Kinds `Scheme`, `NoHost`, `Insecure` and `Credentials`.
    pub fn from_url(mut url: Url, rules: UrlRules) -> Result<Self, WebUrlError> {
        let refuse = |kind| Err(WebUrlError { kind, offset: 0 });
        match url.scheme() {
            "https" => {}
            "http" if rules.https_only => return refuse(WebUrlErrorKind::Insecure),
            "http" => {}
            _ => return refuse(WebUrlErrorKind::Scheme),
        }
        if comparable_host(&url).is_empty() {
            return refuse(WebUrlErrorKind::NoHost);
        }
        if !url.username().is_empty() || url.password().is_some() {
            match rules.credentials {
                Credentials::Refused => return refuse(WebUrlErrorKind::Credentials),
                Credentials::Kept => {}
                Credentials::Dropped => {
                    // Both succeed on every URL with a host.
                    let _ = url.set_username("");
                    let _ = url.set_password(None);
                }
            }
        }
        Ok(WebUrl { url, given: None })
    }

    /// The URL as the URL Standard's serialiser writes it: ASCII only.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// The text that the URL was read from; the serialised form if it was made from a parsed URL, or if user
    /// information was dropped.
    #[must_use]
    pub fn as_given(&self) -> &str {
        self.given.as_deref().unwrap_or(self.url.as_str())
    }

    /// The parsed URL.
    #[must_use]
    pub fn as_url(&self) -> &Url {
        &self.url
    }

    /// The parsed URL, taken out.
    #[must_use]
    pub fn into_url(self) -> Url {
        self.url
    }

    /// The host as names are compared: A-labels, lower case, without a final dot; IPv6 addresses in brackets.
    #[must_use]
    pub fn comparable_host(&self) -> &str {
        comparable_host(&self.url)
    }

    /// Returns true if both URLs have the same host, compared as [`comparable_host`](Self::comparable_host) gives it;
    /// scheme and port do not matter.
    #[must_use]
    pub fn is_same_host(&self, other: &WebUrl) -> bool {
        self.comparable_host() == other.comparable_host()
    }

    /// What kind of host the URL names.
    #[must_use]
    pub fn host_kind(&self) -> HostKind {
        HostKind::of_url(&self.url)
    }

    /// Returns true if the scheme is `https`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// The URL without its fragment.
    #[must_use]
    pub fn without_fragment(mut self) -> Self {
        if self.url.fragment().is_some() {
            self.url.set_fragment(None);
            self.given = None;
        }
        self
    }
}

impl fmt::Debug for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WebUrl({})", self.as_given())
    }
}

impl fmt::Display for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq for WebUrl {
    fn eq(&self, other: &Self) -> bool {
        self.url == other.url
    }
}

impl Eq for WebUrl {}

impl PartialOrd for WebUrl {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for WebUrl {
    fn cmp(&self, other: &Self) -> Ordering {
        self.url.cmp(&other.url)
    }
}

impl Hash for WebUrl {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.url.hash(state);
    }
}

impl Deref for WebUrl {
    type Target = Url;

    fn deref(&self) -> &Url {
        &self.url
    }
}

impl AsRef<str> for WebUrl {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl FromStr for WebUrl {
    type Err = WebUrlError;

    fn from_str(text: &str) -> Result<Self, WebUrlError> {
        WebUrl::parse(text)
    }
}

impl TryFrom<Url> for WebUrl {
    type Error = WebUrlError;

    fn try_from(url: Url) -> Result<Self, WebUrlError> {
        WebUrl::from_url(url, UrlRules::default())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for WebUrl {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for WebUrl {
    /// By the default rules.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Cow<'de, str>>::deserialize(deserializer)?;
        WebUrl::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// Why a text is not a [`WebUrl`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WebUrlError {
    kind: WebUrlErrorKind,
    offset: usize,
}

/// The rule that a URL breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum WebUrlErrorKind {
    /// The text does not begin with `scheme://`: it is empty, a relative reference, or a name.
    NotAbsolute,
    /// The scheme is neither `http` nor `https`.
    Scheme,
    /// There is nothing between `//` and the path.
    NoHost,
    /// A character that no URL has at its place, or a `%` without two hex digits.
    Character,
    /// A host or port that the URL Standard refuses.
    Malformed,
    /// The scheme is `http`, which the rules refuse.
    Insecure,
    /// There is a user name or a password, which the rules refuse.
    Credentials,
}

impl WebUrlErrorKind {
    /// The kind in kebab case, such as `not-absolute`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WebUrlErrorKind::NotAbsolute => "not-absolute",
            WebUrlErrorKind::Scheme => "scheme",
            WebUrlErrorKind::NoHost => "no-host",
            WebUrlErrorKind::Character => "character",
            WebUrlErrorKind::Malformed => "malformed",
            WebUrlErrorKind::Insecure => "insecure",
            WebUrlErrorKind::Credentials => "credentials",
        }
    }
}

impl WebUrlError {
    /// The rule that the text breaks.
    #[must_use]
    pub const fn kind(&self) -> WebUrlErrorKind {
        self.kind
    }

    /// The place in bytes from the start of the text: of the character, of the host, or 0 for the scheme.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for WebUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset;
        match self.kind {
            WebUrlErrorKind::NotAbsolute => f.write_str("expected an absolute http(s) URL"),
            WebUrlErrorKind::Scheme => f.write_str("expected the scheme https or http, found another"),
            WebUrlErrorKind::NoHost => write!(f, "expected a host at byte {offset}"),
            WebUrlErrorKind::Character => {
                write!(f, "expected a character that a URL may hold at byte {offset}")
            }
            WebUrlErrorKind::Malformed => {
                write!(f, "expected a host and port that the URL Standard accepts at byte {offset}")
            }
            WebUrlErrorKind::Insecure => f.write_str("expected the scheme https, found http"),
            WebUrlErrorKind::Credentials => {
                write!(f, "expected a URL without user name and password, found some at byte {offset}")
            }
        }
    }
}

impl core::error::Error for WebUrlError {}

/// Properties of an http(s) URL, from its text alone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UrlFacts<'a> {
    /// The scheme is `https`.
    pub is_https: bool,
    /// The scheme is written in lower case.
    pub is_scheme_lower_case: bool,
    /// All characters are ASCII.
    pub is_ascii: bool,
    /// There is an `@` before the host.
    pub has_userinfo: bool,
    /// There is a `#`.
    pub has_fragment: bool,
    /// There is one of `?`, `#`, `;`, `@`, `=` after the scheme: more than host, port and plain path segments.
    pub has_parameters: bool,
    /// The host as names are compared: A-labels, lower case, without a final dot.
    pub host: Cow<'a, str>,
}

impl UrlFacts<'_> {
    /// What kind of host the URL names.
    #[must_use]
    pub fn host_kind(&self) -> HostKind {
        HostKind::of(&self.host)
    }
}

/// Decides whether `text` is an absolute http(s) URL by the rules, without keeping it: the verdict of
/// [`WebUrl::parse_with`], faster. `O(n)`; allocates only for URLs that are not plain.
///
/// ```
/// use web_values::{UrlRules, check_url};
///
/// let facts = check_url("https://shop.example/a?b", UrlRules::default()).unwrap();
/// assert!(facts.is_https && facts.has_parameters && !facts.has_fragment);
/// assert_eq!(facts.host, "shop.example");
/// ```
///
/// # Errors
/// [`WebUrlError`] says which rule the text breaks, and where.
pub fn check_url(text: &str, rules: UrlRules) -> Result<UrlFacts<'_>, WebUrlError> {
    match plain(text) {
        Some(facts) if rules.https_only && !facts.is_https => {
            Err(WebUrlError { kind: WebUrlErrorKind::Insecure, offset: 0 })
        }
        Some(facts) => Ok(facts),
        None => thorough(text, rules),
    }
}

/// The serialised text of a [`WebUrl`] without the parsed parts, for programs that keep many: see
/// [`serialize_url`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SerializedUrl<'a> {
    text: Cow<'a, str>,
    /// Byte range of the host in the text.
    host: core::ops::Range<usize>,
    has_dropped_credentials: bool,
}

impl<'a> SerializedUrl<'a> {
    /// The URL as the URL Standard's serialiser writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same, borrowed where the source's text was in that form.
    #[must_use]
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// The host as the serialiser writes it, with a final dot if there is one.
    #[must_use]
    pub fn host(&self) -> &str {
        self.text.get(self.host.clone()).unwrap_or_default()
    }

    /// Returns true if the source's text had user information that the rules dropped.
    #[must_use]
    pub fn has_dropped_credentials(&self) -> bool {
        self.has_dropped_credentials
    }
}

/// Returns the text that [`WebUrl::parse_with`] would serialise under the same rules, with the same verdict,
/// but faster: `O(n)`, without allocation for plain URLs that are already serialised, as most are.
///
/// ```
/// use web_values::{UrlRules, serialize_url};
///
/// let url = serialize_url("HTTPS://Shop.Example/a b", UrlRules::default());
/// assert!(url.is_err());
/// let url = serialize_url("HTTPS://Shop.Example", UrlRules::default()).unwrap();
/// assert_eq!((url.as_str(), url.host()), ("https://shop.example/", "shop.example"));
/// ```
///
/// # Errors
/// [`WebUrlError`] says which rule the text breaks, and where.
pub fn serialize_url(text: &str, rules: UrlRules) -> Result<SerializedUrl<'_>, WebUrlError> {
    if let Some(host) = serialized_host(text, rules) {
        return Ok(SerializedUrl { text: Cow::Borrowed(text), host, has_dropped_credentials: false });
    }
    let kept = UrlRules { credentials: Credentials::Kept, ..rules };
    let has_credentials = match rules.credentials {
        Credentials::Dropped => {
            let url = WebUrl::parse_with(text, kept)?;
            !url.username().is_empty() || url.password().is_some()
        }
        _ => false,
    };
    let url = WebUrl::parse_with(text, rules)?.into_url();
    let (before, host) =
        (&url[..url::Position::BeforeHost], &url[url::Position::BeforeHost..url::Position::AfterHost]);
    let host = before.len()..before.len() + host.len();
    Ok(SerializedUrl { text: Cow::Owned(url.into()), host, has_dropped_credentials: has_credentials })
}

/// The byte range of the host, if the text is certainly a URL in serialised form.
fn serialized_host(text: &str, rules: UrlRules) -> Option<core::ops::Range<usize>> {
    let (start, rest) = match text.strip_prefix("https://") {
        Some(rest) => (8, rest),
        None if rules.https_only => return None,
        None => (7, text.strip_prefix("http://")?),
    };
    let host_len = plain_host_len(rest.as_bytes())?;
    let tail = rest.as_bytes().get(host_len..)?;
    if tail.first() != Some(&b'/') {
        return None;
    }
    (is_unchanged(text.as_bytes()) || is_unchanged_tail(tail, rules)).then_some(start..start + host_len)
}

/// Returns true if the parser certainly keeps the text behind the host as it is. The parser escapes `'` in queries, and
/// undoes segments of dots; nothing else of these characters changes.
fn is_unchanged_tail(tail: &[u8], rules: UrlRules) -> bool {
    let (tail, fragment) = match tail.iter().position(|&byte| byte == b'#') {
        Some(at) => tail.split_at(at),
        None => (tail, &[][..]),
    };
    let mut before = 0;
    for &byte in tail {
        let is_dot_segment = byte == b'.' && before == b'/';
        let is_escape = byte == b'%' && !rules.rfc3986;
        // An escaped dot may make such a segment too.
        let is_escaped_dot = byte == b'2' && before == b'%';
        if is_dot_segment || is_escaped_dot || byte == b'\'' || !(is_class(byte, PATH) || is_escape) {
            return false;
        }
        before = byte;
    }
    fragment.iter().skip(1).all(|&byte| is_class(byte, PATH))
}

/// A faster check for most texts, sixteen bytes at a time: accepts only the characters that most URLs consist of, and no
/// segment that begins with a dot. A scheme and a plain host pass too.
#[inline]
fn is_unchanged(text: &[u8]) -> bool {
    let row = |at: usize| text.get(at..)?.first_chunk::<16>();
    // The last row overlaps the one before it.
    let Some(last) = text.len().checked_sub(16).filter(|&last| last > 0) else { return false };
    let mut at = 1;
    loop {
        match row(at).zip(row(at - 1)) {
            Some((bytes, before)) if is_unchanged_row(bytes, before) => {}
            _ => return false,
        }
        if at == last {
            return true;
        }
        at = last.min(at + 16);
    }
}

/// Written so that compilers turn it into vector instructions.
#[inline]
fn is_unchanged_row(bytes: &[u8; 16], before: &[u8; 16]) -> bool {
    let odd = |byte: u8, before: u8| {
        let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let is_mark = byte.wrapping_sub(b'-') <= b';' - b'-'; // digits and `-./:;`
        let is_other = (byte == b'_') | (byte == b'=') | (byte == b'?') | (byte == b'&');
        u8::from(!(is_letter | is_mark | is_other) | ((byte == b'.') & (before == b'/')))
    };
    bytes.iter().zip(before).fold(0, |all, (&byte, &before)| all | odd(byte, before)) == 0
}

/// Length of the host name at the start, up to a character of another kind; `None` unless the URL Standard certainly takes
/// it as it is: no empty label, nothing Punycode, no number at the end.
#[inline]
fn plain_host_len(bytes: &[u8]) -> Option<usize> {
    let (mut before, mut label_starts_with_letter, mut len) = (b'.', false, 0);
    while let Some(&byte) = bytes.get(len).filter(|&&byte| is_class(byte, HOST)) {
        if before == b'.' {
            label_starts_with_letter = byte.is_ascii_lowercase();
        }
        if (byte == b'.' || byte == b'-') && (before == b'.' || before == b'-') {
            return None;
        }
        before = byte;
        len += 1;
    }
    (before.is_ascii_alphanumeric() && label_starts_with_letter && len <= 253).then_some(len)
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

/// Properties of a URL with a lower-case scheme, a plain host name and no port, escape or fragment.
#[inline]
fn plain(text: &str) -> Option<UrlFacts<'_>> {
    let (is_https, rest) = match text.strip_prefix("https://") {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix("http://")?),
    };
    let bytes = rest.as_bytes();
    let host_len = plain_host_len(bytes)?;
    let (host, tail) = (rest.get(..host_len)?, bytes.get(host_len..)?);
    if !matches!(tail.first(), None | Some(b'/' | b'?')) {
        return None;
    }
    let common = tail.iter().fold(PATH | PLAIN, |common, &byte| common & classes(byte));
    (common & PATH != 0).then_some(UrlFacts {
        is_https,
        is_scheme_lower_case: true,
        is_ascii: true,
        has_userinfo: false,
        has_fragment: false,
        has_parameters: common & PLAIN == 0,
        host: Cow::Borrowed(host),
    })
}

#[cold]
fn thorough(text: &str, rules: UrlRules) -> Result<UrlFacts<'_>, WebUrlError> {
    let shape = Shape::of(text, rules.rfc3986)?;
    let url = shape.parse(text)?;
    if rules.https_only && !shape.is_https {
        return Err(WebUrlError { kind: WebUrlErrorKind::Insecure, offset: 0 });
    }
    if rules.credentials == Credentials::Refused && (!url.username().is_empty() || url.password().is_some()) {
        return Err(WebUrlError { kind: WebUrlErrorKind::Credentials, offset: shape.authority_at });
    }
    let after_scheme = text.get(shape.authority_at..).unwrap_or_default();
    Ok(UrlFacts {
        is_https: shape.is_https,
        is_scheme_lower_case: shape.is_scheme_lower_case,
        is_ascii: text.is_ascii(),
        has_userinfo: shape.has_userinfo,
        has_fragment: shape.has_fragment,
        has_parameters: after_scheme.bytes().any(|byte| b"?#;@=".contains(&byte)),
        host: Cow::Owned(String::from(comparable_host(&url))),
    })
}

/// Structure of the text, found before it is parsed.
#[derive(Debug, Clone, Copy)]
struct Shape {
    is_https: bool,
    is_scheme_lower_case: bool,
    has_userinfo: bool,
    has_fragment: bool,
    authority_at: usize,
    host_at: usize,
}

impl Shape {
    fn of(text: &str, rfc3986: bool) -> Result<Self, WebUrlError> {
        let at = |kind, offset| WebUrlError { kind, offset };
        let (scheme, rest) = text.split_once(':').ok_or(at(WebUrlErrorKind::NotAbsolute, 0))?;
        let scheme_char = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(scheme_char) {
            return Err(at(WebUrlErrorKind::NotAbsolute, 0));
        }
        let is_https = scheme.eq_ignore_ascii_case("https");
        if !is_https && !scheme.eq_ignore_ascii_case("http") {
            return Err(at(WebUrlErrorKind::Scheme, 0));
        }
        let rest = rest.strip_prefix("//").ok_or(at(WebUrlErrorKind::NotAbsolute, scheme.len() + 1))?;
        let authority_at = scheme.len() + 3;
        let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let (userinfo, host_port) = match authority.rsplit_once('@') {
            Some((userinfo, host_port)) => (Some(userinfo), host_port),
            None => (None, authority),
        };
        let host_at = authority_at + userinfo.map_or(0, |userinfo| userinfo.len() + 1);
        if host_port.is_empty() || host_port.starts_with(':') {
            return Err(at(WebUrlErrorKind::NoHost, host_at));
        }
        let fragment_at = tail.find('#');
        let bad = if rfc3986 {
            let (before, fragment) = tail.split_at(fragment_at.unwrap_or(tail.len()));
            let tail_at = host_at + host_port.len();
            let fragment = fragment.get(1..).unwrap_or_default();
            let userinfo = userinfo.unwrap_or_default();
            let bad_userinfo = userinfo
                .find('@')
                .into_iter()
                .chain(first_bad(userinfo, false))
                .min()
                .map(|bad| authority_at + bad);
            bad_userinfo
                .or_else(|| first_bad(host_port, true).map(|bad| host_at + bad))
                .or_else(|| first_bad(before, false).map(|bad| tail_at + bad))
                .or_else(|| first_bad(fragment, false).map(|bad| tail_at + before.len() + 1 + bad))
        } else {
            // From the query on a backslash is a character like any other, which the serialiser writes as it is.
            let plain_from = text.len() - tail.len() + tail.find(['?', '#']).unwrap_or(tail.len());
            let is_bad =
                |&(at, c): &(usize, char)| c.is_control() || c == ' ' || c == '\\' && at < plain_from;
            text.char_indices().find(is_bad).map(|(at, _)| at)
        };
        if let Some(bad) = bad {
            return Err(at(WebUrlErrorKind::Character, bad));
        }
        Ok(Shape {
            is_https,
            is_scheme_lower_case: !scheme.bytes().any(|byte| byte.is_ascii_uppercase()),
            has_userinfo: userinfo.is_some(),
            has_fragment: fragment_at.is_some(),
            authority_at,
            host_at,
        })
    }

    fn parse(&self, text: &str) -> Result<Url, WebUrlError> {
        let url = Url::parse(text)
            .map_err(|_| WebUrlError { kind: WebUrlErrorKind::Malformed, offset: self.host_at })?;
        if comparable_host(&url).is_empty() {
            return Err(WebUrlError { kind: WebUrlErrorKind::NoHost, offset: self.host_at });
        }
        Ok(url)
    }
}

/// The offset of the first character that RFC 3986 does not allow; characters beyond ASCII pass.
fn first_bad(part: &str, brackets: bool) -> Option<usize> {
    let bytes = part.as_bytes();
    let hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    let is_good = |(at, c): (usize, char)| match c {
        '%' => hex(at + 1) && hex(at + 2),
        '[' | ']' => brackets,
        c if c.is_ascii() => is_class(c as u8, PATH),
        c => !c.is_control(),
    };
    part.char_indices().find(|&found| !is_good(found)).map(|(at, _)| at)
}

fn comparable_host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_suffix('.').unwrap_or(host)
}

impl From<WebUrl> for String {
    fn from(url: WebUrl) -> String {
        url.as_str().to_string()
    }
}

#[cfg(test)]
mod tests;
