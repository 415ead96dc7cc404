//! URLs that have been checked: [`CUrl`] (the human page) and [`MUrl`] (its JSON twin).
//!
//! Every URL from outside (in a sitemap, a payload, a link) is untrusted input. A checked URL is absolute, its scheme
//! is `https` unless [`UrlPolicy`] allows `http`, it holds no credentials, and its text had no spaces, control
//! characters or angle brackets that the URL parser would have quietly removed or rewritten.
//!
//! Two C-URLs are [the same page](CUrl::is_same_page) when they are equal after what the URL Standard does by itself
//! (scheme and host in lower case, A-labels, default port and dot segments dropped), without their fragments, and with
//! percent-escapes normalised: `[` is `%5B`, the only spelling that RFC 3986 and draft -03 have. A trailing slash, the query, and
//! `http` against `https` make a difference.

use core::fmt;
use std::borrow::Cow;

use url::{Host, Position, Url};
use web_values::HostKind;

use crate::v03::is_uri_byte;

/// Which URLs are accepted. The default is the protocol's rule: `https`, any host. Plain `http` to a loopback host
/// (`localhost`, names below it, `127.0.0.0/8`, `[::1]`) counts as secure, as in browsers, because nothing leaves the
/// machine.
///
/// Spec: TCT draft-00, "Security Considerations"; TCT-SEC-1, TCT-SEC-12.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct UrlPolicy {
    /// Accept `http` from every host: for your own networks.
    pub allow_http: bool,
    /// Decides which hosts are accepted, such as [`is_public_host`], which refuses addresses of private
    /// networks written as numbers. A name may still resolve to such an address: check again when connecting.
    pub host_check: Option<fn(Host<&str>) -> bool>,
}

impl UrlPolicy {
    /// The default policy that also accepts `http`.
    #[must_use]
    pub const fn allowing_http() -> Self {
        UrlPolicy { allow_http: true, host_check: None }
    }

    /// The same policy with a check of hosts.
    #[must_use]
    pub const fn with_host_check(self, check: fn(Host<&str>) -> bool) -> Self {
        UrlPolicy { host_check: Some(check), ..self }
    }

    /// Parses and checks an absolute URL.
    ///
    /// # Errors
    /// An [`AddressError`] that names the first rule that the text breaks.
    pub fn parse(&self, text: &str) -> Result<Url, AddressError> {
        if let Some(offset) = text.find(is_forbidden) {
            return Err(AddressError { kind: AddressErrorKind::ForbiddenCharacter, offset });
        }
        let url = Url::parse(text).map_err(|error| match error {
            url::ParseError::RelativeUrlWithoutBase => AddressErrorKind::Relative.into(),
            _ => AddressError::from(AddressErrorKind::Malformed),
        })?;
        self.check(&url)?;
        Ok(url)
    }

    /// Checks a URL that has been parsed already.
    ///
    /// # Errors
    /// As [`UrlPolicy::parse`].
    pub fn check(&self, url: &Url) -> Result<(), AddressError> {
        match url.scheme() {
            "https" => {}
            "http" if self.allow_http || url.host().is_some_and(is_loopback) => {}
            "http" => return Err(AddressErrorKind::Insecure.into()),
            _ => return Err(AddressErrorKind::UnsupportedScheme.into()),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressErrorKind::Credentials.into());
        }
        if url.as_str().len() > MAX_URL_BYTES {
            return Err(AddressErrorKind::TooLong.into());
        }
        match (url.host(), self.host_check) {
            (None, _) => Err(AddressErrorKind::Malformed.into()),
            (Some(host), Some(check)) if !check(host.clone()) => Err(AddressErrorKind::RefusedHost.into()),
            _ => Ok(()),
        }
    }
}

/// Returns true if requests to this host stay on the machine (W3C Secure Contexts, "Is origin potentially
/// trustworthy?").
fn is_loopback(host: Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

/// Longest URL in bytes, the limit of [`http::Uri`].
pub(crate) const MAX_URL_BYTES: usize = 65_534;

fn is_forbidden(c: char) -> bool {
    c.is_control() || matches!(c, ' ' | '<' | '>' | '"' | '\\' | '`')
}

/// Returns true if a host, judged by its text, is on the public web: neither an address of this machine or of a private
/// or special network, nor a name of one label or of a special-use domain. [`web_values::HostKind`] says which of these
/// it is.
///
/// A [`UrlPolicy::host_check`] for agents that crawl the public web.
///
/// ```
/// use tct::address::is_public_host;
/// use tct::{CUrl, UrlPolicy};
/// let public = UrlPolicy::default().with_host_check(is_public_host);
/// assert!(CUrl::parse_with("https://example.com/", &public).is_ok());
/// assert!(CUrl::parse_with("https://127.0.0.1/", &public).is_err());
/// assert!(CUrl::parse_with("https://[::1]/", &public).is_err());
/// assert!(CUrl::parse_with("https://localhost/", &public).is_err());
/// ```
#[must_use]
pub fn is_public_host(host: Host<&str>) -> bool {
    HostKind::of_host(&host).is_public()
}

macro_rules! checked_url {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Url);

        impl $name {
            /// Parses an absolute `https` URL; its fragment is dropped.
            ///
            /// # Errors
            /// An [`AddressError`] that names the first rule that the text breaks.
            pub fn parse(text: &str) -> Result<Self, AddressError> {
                Self::parse_with(text, &UrlPolicy::default())
            }

            /// Parses an absolute URL that `policy` accepts; its fragment is dropped.
            ///
            /// # Errors
            /// An [`AddressError`] that names the first rule that the text breaks.
            pub fn parse_with(text: &str, policy: &UrlPolicy) -> Result<Self, AddressError> {
                policy.parse(text).map(Self::without_fragment)
            }

            /// Takes a URL that `policy` accepts; its fragment is dropped.
            ///
            /// # Errors
            /// An [`AddressError`] that names the first rule that the URL breaks.
            pub fn from_url(url: Url, policy: &UrlPolicy) -> Result<Self, AddressError> {
                policy.check(&url)?;
                Ok(Self::without_fragment(url))
            }

            fn without_fragment(mut url: Url) -> Self {
                url.set_fragment(None);
                $name(url)
            }

            /// The URL as text: ASCII, in the form of the URL Standard.
            #[must_use]
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }

            /// The URL.
            #[must_use]
            pub fn as_url(&self) -> &Url {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.0.as_str())
            }
        }
    };
}

checked_url! {
    /// The canonical, human-readable URL of a page.
    ///
    /// ```
    /// use tct::address::AddressErrorKind;
    /// use tct::CUrl;
    /// let page = CUrl::parse("https://Example.com:443/caf\u{e9}/#top").unwrap();
    /// assert_eq!(page.as_str(), "https://example.com/caf%C3%A9/");
    /// let error = CUrl::parse("http://example.com/").unwrap_err();
    /// assert_eq!(error.kind(), AddressErrorKind::Insecure);
    /// ```
    CUrl
}

checked_url! {
    /// The URL of a page's machine-readable twin.
    MUrl
}

impl CUrl {
    /// Whether both URLs name the same page: scheme, host and port, path and query are compared after escapes and dots are
    /// resolved; fragments are ignored.
    ///
    /// ```
    /// # use tct::CUrl;
    /// let page = |text| CUrl::parse(text).unwrap();
    /// assert!(page("https://example.com/%7euser/").is_same_page(&page("https://EXAMPLE.com/~user/#top")));
    /// assert!(!page("https://example.com/post").is_same_page(&page("https://example.com/post/")));
    /// ```
    ///
    /// Spec: TCT draft-00, "M-URL Canonical Link"; TCT-CANON-2, TCT-AMB-28.
    #[must_use]
    pub fn is_same_page(&self, other: &CUrl) -> bool {
        is_same_page(&self.0, &other.0, false)
    }
}

/// The URL as a key: two URLs that name the same resource give equal texts. Escapes are normalised beyond what the URL
/// Standard does by itself.
pub(crate) fn key_of(url: &Url) -> String {
    let origin = &url[..Position::BeforePath];
    format!("{origin}{}", normalize_escapes(&url[Position::BeforePath..Position::AfterQuery]))
}

/// A checked URL as a request carries it.
pub(crate) fn uri_of(url: &Url) -> http::Uri {
    // `UrlPolicy::check` bounds the length; everything else that a `Url` writes behind http(s) is a URI.
    http::Uri::try_from(url.as_str()).unwrap_or_default()
}

/// Whether two URLs name the same page; fragments do not count, and slashes at the end perhaps not.
pub(crate) fn is_same_page(a: &Url, b: &Url, folds_slashes: bool) -> bool {
    let path = |url: &Url| {
        let path = if folds_slashes { url.path().trim_end_matches('/') } else { url.path() };
        normalize_escapes(path).into_owned()
    };
    // Equal text is the common case, and needs no normalising.
    a.as_str() == b.as_str()
        || (a.scheme() == b.scheme()
            && a.host() == b.host()
            && a.port_or_known_default() == b.port_or_known_default()
            && a.username() == b.username()
            && a.password() == b.password()
            && path(a) == path(b)
            && a.query().map(normalize_escapes) == b.query().map(normalize_escapes))
}

/// A path or query with escapes in upper case, none for a character that never needs one, and one for each that RFC 3986 allows
/// only so: the URL Standard leaves signs such as `[` and `|` as they are.
fn normalize_escapes(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_uri_byte) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(&byte) = text.as_bytes().get(at) {
        let digits =
            text.get(at + 1..at + 3).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let escaped = digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (meant, is_bare) = match escaped {
            Some(meant) => (meant, meant.is_ascii_alphanumeric() || b"-._~".contains(&meant)),
            None => (byte, byte == b'%' || is_uri_byte(byte)),
        };
        at += if escaped.is_some() { 3 } else { 1 };
        if is_bare {
            out.push(char::from(meant));
        } else {
            out.push_str(&format!("%{meant:02X}"));
        }
    }
    Cow::Owned(out)
}

/// Why a URL was refused, or could not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressError {
    kind: AddressErrorKind,
    offset: usize,
}

/// The rule that a URL breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressErrorKind {
    /// The text holds a character that no URL has: a space, a control character, `<`, `>`, `"`, `` ` `` or `\`.
    ForbiddenCharacter,
    /// The text is a relative reference.
    Relative,
    /// The text is not a URL.
    Malformed,
    /// The URL is longer than 65,534 bytes.
    TooLong,
    /// The scheme is `http`.
    Insecure,
    /// The scheme is neither `https` nor `http`.
    UnsupportedScheme,
    /// The URL holds a user name or a password.
    Credentials,
    /// The caller's check refused the host.
    RefusedHost,
    /// The slug of an [`MUrlPattern`](crate::pages::MUrlPattern) is not a path.
    BadSlug,
    /// The page's own path has the form of an M-URL.
    Collision,
}

impl AddressError {
    /// The rule that the URL breaks.
    #[must_use]
    pub const fn kind(&self) -> AddressErrorKind {
        self.kind
    }

    /// Byte offset of a forbidden character; 0 for every other kind.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The rule of the catalogue that was broken.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        match self.kind {
            AddressErrorKind::Insecure => "TCT-SEC-1",
            AddressErrorKind::ForbiddenCharacter => "TCT-CANON-1",
            AddressErrorKind::BadSlug | AddressErrorKind::Collision => "TCT-DISC-4",
            _ => "TCT-SEC-12",
        }
    }
}

impl From<AddressErrorKind> for AddressError {
    fn from(kind: AddressErrorKind) -> Self {
        AddressError { kind, offset: 0 }
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            AddressErrorKind::ForbiddenCharacter => {
                write!(f, "expected a URL, found a character that none may hold at byte {}", self.offset)
            }
            AddressErrorKind::Relative => f.write_str("expected an absolute URL, found a relative one"),
            AddressErrorKind::Malformed => f.write_str("expected a URL, found other text"),
            AddressErrorKind::TooLong => {
                write!(f, "expected a URL of at most {MAX_URL_BYTES} bytes, found a longer one")
            }
            AddressErrorKind::Insecure => f.write_str("expected the scheme https, found http"),
            AddressErrorKind::UnsupportedScheme => f.write_str("expected the scheme https, found another"),
            AddressErrorKind::Credentials => f.write_str("expected a URL without credentials, found some"),
            AddressErrorKind::RefusedHost => {
                f.write_str("expected a host that the policy accepts, found another")
            }
            AddressErrorKind::BadSlug => {
                f.write_str("expected a slug of letters, digits, `-`, `_` and `.`, found another text")
            }
            AddressErrorKind::Collision => {
                f.write_str("expected a page's own path, found one that has the form of an M-URL")
            }
        }
    }
}

impl core::error::Error for AddressError {}
