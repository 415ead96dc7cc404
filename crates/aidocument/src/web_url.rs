//! URLs of pages, links and images.

use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use url::Url;

use crate::error::{Quoted, ValueError};

/// An absolute `http` or `https` URL without user information.
///
/// Derefs to [`Url`]. Prints and serialises as the WHATWG serialiser writes it, so `HTTP://EXAMPLE.com` comes
/// out as `http://example.com/`.
///
/// ```
/// use aidocument::WebUrl;
///
/// let url: WebUrl = "https://ada:secret@Example.com/a?b#c".parse()?;
/// assert_eq!(url.as_str(), "https://example.com/a?b#c");
/// assert!("mailto:ada@example.com".parse::<WebUrl>().is_err());
/// # Ok::<(), aidocument::ValueError>(())
/// ```
///
/// Spec: AIWebIndex 1.0, "Field definitions" and "Privacy"; AIWI-DOC-2, AIWI-DOC-24, AIWI-AMB-10.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebUrl(Url);

impl WebUrl {
    /// Takes a URL, leaving its user information out.
    ///
    /// # Errors
    /// Where the scheme is neither `http` nor `https`.
    pub fn new(mut url: Url) -> Result<Self, ValueError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(not_web(url.as_str()));
        }
        if has_credentials(&url) {
            // Both succeed on every URL with a host, which http and https URLs always have.
            let _ = url.set_username("");
            let _ = url.set_password(None);
        }
        Ok(WebUrl(url))
    }

    /// The URL without its fragment.
    #[must_use]
    pub fn without_fragment(mut self) -> Self {
        self.0.set_fragment(None);
        self
    }

    /// Whether both URLs have the same host, as the WHATWG serialiser writes it: letter case and IDNA spelling
    /// do not matter, a trailing dot and `www.` do, scheme and port are not looked at.
    ///
    /// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-12, AIWI-AMB-16.
    #[must_use]
    pub fn same_host(&self, other: &WebUrl) -> bool {
        self.0.host() == other.0.host()
    }

    /// The URL itself.
    #[must_use]
    pub fn into_url(self) -> Url {
        self.0
    }
}

/// The URL of a text that spells `scheme://` out and has no blank or control character.
pub(crate) fn parse_absolute(text: &str) -> Option<Url> {
    let (scheme, _) = text.split_once("://")?;
    let whole = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    (whole && !text.contains(|c: char| c <= ' ' || c == '\u{7f}')).then(|| Url::parse(text).ok()).flatten()
}

pub(crate) fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

#[cold]
pub(crate) fn not_web(text: &str) -> ValueError {
    ValueError::new("an absolute http or https URL", Quoted(text), "AIWI-DOC-2")
}

impl TryFrom<Url> for WebUrl {
    type Error = ValueError;

    fn try_from(url: Url) -> Result<Self, ValueError> {
        WebUrl::new(url)
    }
}

impl FromStr for WebUrl {
    type Err = ValueError;

    /// Takes a whole URL only: the WHATWG parser also takes `http:example.com` and surrounding blanks, which no
    /// producer of documents writes.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        WebUrl::new(parse_absolute(text).ok_or_else(|| not_web(text))?)
    }
}

impl Deref for WebUrl {
    type Target = Url;

    fn deref(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

crate::write::texts!(WebUrl);
