//! The identity of an AIWebIndex crawler.
//!
//! ```text
//! crawl          AIWebIndex/1.0 (+https://example.com/bot; acme-reader)
//! verification   AIWebIndex/1.0 verification (+https://example.com/bot)
//! ```
//!
//! A [`UserAgent`] can only be made by [`UserAgentBuilder::build`] or by [`UserAgent::check`], and both refuse what
//! an operator could mistake for another client: there is no free-form prefix, no control character, no second
//! product that names a browser, a search crawler or an HTTP library.
//!
//! Every fetch of the protocol carries it: robots.txt, the page, sub-resources of rendering, and the ownership
//! check (AIWI-AMB-6).

use alloc::string::String;
use core::fmt;

/// The product and version that every value begins with.
const PRODUCT: &str = "AIWebIndex/1.0";

/// What a fetch is for, as far as the `User-Agent` tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum FetchPurpose {
    /// Content is read on behalf of an agent.
    Crawl,
    /// The ownership of a domain is being checked.
    Verification,
}

/// A `User-Agent` value that conforms to AIWebIndex 1.0.
///
/// ```
/// use robots::UserAgent;
///
/// let agent = UserAgent::builder()
///     .info_url("https://example.com/bot")
///     .implementation("acme-reader")
///     .build()?;
/// assert_eq!(agent.as_str(), "AIWebIndex/1.0 (+https://example.com/bot; acme-reader)");
///
/// let check = UserAgent::builder().info_url("https://example.com/bot").verification(true).build()?;
/// assert_eq!(check.to_string(), "AIWebIndex/1.0 verification (+https://example.com/bot)");
/// # Ok::<(), robots::UserAgentError>(())
/// ```
///
/// Spec: AIWebIndex 1.0, "User-Agent identifier"; AIWI-UA-1, AIWI-UA-2, AIWI-UA-3, AIWI-UA-4, AIWI-UA-5.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UserAgent {
    value: String,
    purpose: FetchPurpose,
}

impl UserAgent {
    /// The product token that robots.txt groups name: `AIWebIndex`.
    pub const TOKEN: &'static str = "AIWebIndex";

    /// A builder; without further calls it makes the bare `AIWebIndex/1.0`.
    pub const fn builder() -> UserAgentBuilder<'static> {
        UserAgentBuilder { info_url: None, implementation: None, purpose: FetchPurpose::Crawl }
    }

    /// Checks a value as it stands in a header field.
    ///
    /// It must begin with `AIWebIndex/1.0`, followed by a space or the end; consist of printable ASCII; and name no
    /// known browser, search crawler or HTTP library. The rest is free: a value of another implementation may carry
    /// more products or another comment than [`UserAgentBuilder`] writes. `O(n)`.
    ///
    /// ```
    /// use robots::{FetchPurpose, UserAgent, UserAgentErrorKind};
    ///
    /// let seen = UserAgent::check("AIWebIndex/1.0 verification (+https://example.com/bot)")?;
    /// assert_eq!(seen.purpose(), FetchPurpose::Verification);
    /// let refused = UserAgent::check("AIWebIndex/1.05").unwrap_err();
    /// assert_eq!(refused.kind(), UserAgentErrorKind::NotTheProduct);
    /// # Ok::<(), robots::UserAgentError>(())
    /// ```
    ///
    /// # Errors
    /// `NotTheProduct`, `ForbiddenCharacter` or `Impersonation`, with the byte offset.
    ///
    /// Spec: AIWebIndex 1.0, "User-Agent identifier"; AIWI-UA-1, AIWI-UA-4, AIWI-AMB-2, AIWI-AMB-3, AIWI-AMB-5.
    pub fn check(value: &str) -> Result<Self, UserAgentError> {
        use UserAgentErrorKind as Kind;
        let common = value.bytes().zip(PRODUCT.bytes()).take_while(|(a, b)| a == b).count();
        let rest = match value.strip_prefix(PRODUCT) {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest,
            _ => return Err(UserAgentError::new(Kind::NotTheProduct, common)),
        };
        if let Some(at) = value.bytes().position(|b| !matches!(b, b' '..=b'~')) {
            return Err(UserAgentError::new(Kind::ForbiddenCharacter, at));
        }
        if let Some(at) = impersonated(value) {
            return Err(UserAgentError::new(Kind::Impersonation, at));
        }
        let mut words = rest.split([' ', '(', ')', ';', ',']);
        let purpose = match words.any(|word| word == "verification") {
            true => FetchPurpose::Verification,
            false => FetchPurpose::Crawl,
        };
        Ok(UserAgent { value: value.into(), purpose })
    }

    /// The value as it goes into the header field.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.value
    }

    /// What fetches with this value are for.
    #[must_use]
    pub const fn purpose(&self) -> FetchPurpose {
        self.purpose
    }

    /// All header fields that a fetch of the protocol needs: the identity, and nothing that could tell who asked.
    ///
    /// No cookie, no `From`, no `X-Forwarded-For`, no credentials: adding such a field is what AIWI-SEC-2 and
    /// AIWI-SEC-3 forbid. Query strings of the URLs fetched are the caller's duty (AIWI-AMB-39).
    ///
    /// Spec: AIWebIndex 1.0, "Privacy considerations"; AIWI-SEC-3, AIWI-AMB-39.
    #[must_use]
    pub fn request_headers(&self) -> [(&'static str, &str); 1] {
        [("user-agent", &self.value)]
    }
}

impl fmt::Display for UserAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

impl AsRef<str> for UserAgent {
    fn as_ref(&self) -> &str {
        &self.value
    }
}

impl core::str::FromStr for UserAgent {
    type Err = UserAgentError;

    /// The same as [`UserAgent::check`].
    fn from_str(value: &str) -> Result<Self, UserAgentError> {
        UserAgent::check(value)
    }
}

/// Makes a [`UserAgent`]; see there for an example.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct UserAgentBuilder<'a> {
    info_url: Option<&'a str>,
    implementation: Option<&'a str>,
    purpose: FetchPurpose,
}

impl<'a> UserAgentBuilder<'a> {
    /// The page where site operators can read about the implementation: an absolute http or https URL.
    ///
    /// Spec: AIWebIndex 1.0, "User-Agent identifier"; AIWI-UA-2, AIWI-AMB-4.
    pub const fn info_url<'b>(self, url: &'b str) -> UserAgentBuilder<'b>
    where
        'a: 'b,
    {
        UserAgentBuilder { info_url: Some(url), ..self }
    }

    /// The name of the implementation, such as `acme-reader`; printable ASCII without `(`, `)`, `\` and `;`.
    ///
    /// Not the name of whoever the fetch is for (AIWI-SEC-3).
    pub const fn implementation<'b>(self, name: &'b str) -> UserAgentBuilder<'b>
    where
        'a: 'b,
    {
        UserAgentBuilder { implementation: Some(name), ..self }
    }

    /// Whether the value is for verification fetches. That form has the word before the comment and leaves the
    /// implementation's name out, as the example of the specification does.
    ///
    /// Spec: AIWebIndex 1.0, "User-Agent identifier"; AIWI-UA-3, AIWI-AMB-3.
    pub const fn verification(self, verification: bool) -> Self {
        let purpose = if verification { FetchPurpose::Verification } else { FetchPurpose::Crawl };
        UserAgentBuilder { purpose, ..self }
    }

    /// The value, which [`UserAgent::check`] accepts.
    ///
    /// Both parts are checked, also where the form leaves the name out.
    ///
    /// # Errors
    /// `NotAnHttpUrl` or `EmptyName`; `ForbiddenCharacter` and `Impersonation` with the offset inside the part.
    pub fn build(self) -> Result<UserAgent, UserAgentError> {
        if let Some(url) = self.info_url {
            check_url(url)?;
        }
        if let Some(name) = self.implementation {
            check_name(name)?;
        }
        let mut value = String::from(PRODUCT);
        let mut name = self.implementation;
        if self.purpose == FetchPurpose::Verification {
            value.push_str(" verification");
            name = None;
        }
        let comment: [&[&str]; 4] = match (&self.info_url, &name) {
            (None, None) => [&[], &[], &[], &[]],
            (Some(url), None) => [&[" (+"], core::slice::from_ref(url), &[], &[")"]],
            (None, Some(name)) => [&[" ("], &[], core::slice::from_ref(name), &[")"]],
            (Some(url), Some(name)) => [&[" (+", url], &["; "], core::slice::from_ref(name), &[")"]],
        };
        value.extend(comment.into_iter().flatten().copied());
        Ok(UserAgent { value, purpose: self.purpose })
    }
}

fn check_name(name: &str) -> Result<(), UserAgentError> {
    use UserAgentErrorKind as Kind;
    if name.trim().is_empty() {
        return Err(UserAgentError::new(Kind::EmptyName, 0));
    }
    check_comment(name, b";")?;
    // A word of its own is how the form says what the fetch is for.
    if let Some(at) = name.split(' ').position(|word| word == "verification") {
        let before: usize = name.split(' ').take(at).map(|word| word.len() + 1).sum();
        return Err(UserAgentError::new(Kind::ReservedWord, before));
    }
    Ok(())
}

fn check_url(url: &str) -> Result<(), UserAgentError> {
    use UserAgentErrorKind as Kind;
    check_comment(url, b" \"<>`{|}^")?;
    let after_scheme = ["https://", "http://"]
        .iter()
        .find(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
        .ok_or(UserAgentError::new(Kind::NotAnHttpUrl, 0))?
        .len();
    let authority = url.get(after_scheme..).unwrap_or("").split(['/', '?', '#']).next().unwrap_or("");
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, ""),
    };
    // Credentials in a URL that is sent to every site would be a leak at best.
    let good = !host.is_empty() && !host.contains('@') && port.len() <= 5;
    match good && port.bytes().all(|b| b.is_ascii_digit()) {
        true => Ok(()),
        false => Err(UserAgentError::new(Kind::NotAnHttpUrl, after_scheme)),
    }
}

/// Printable ASCII without the characters that would end or escape a comment, and without `also`.
///
/// Spec: AIWI-AMB-4.
fn check_comment(part: &str, also: &[u8]) -> Result<(), UserAgentError> {
    let refused = |b: u8| !matches!(b, b' '..=b'~') || matches!(b, b'(' | b')' | b'\\') || also.contains(&b);
    if let Some(at) = part.bytes().position(refused) {
        return Err(UserAgentError::new(UserAgentErrorKind::ForbiddenCharacter, at));
    }
    match impersonated(part) {
        Some(at) => Err(UserAgentError::new(UserAgentErrorKind::Impersonation, at)),
        None => Ok(()),
    }
}

/// Names of clients that operators look for anywhere in the value, whatever stands around them.
const DISTINCT: &[&str] = &[
    "mozilla/",
    "applewebkit",
    "googlebot",
    "google-extended",
    "bingbot",
    "duckduckbot",
    "yandexbot",
    "baiduspider",
    "applebot",
    "gptbot",
    "chatgpt-user",
    "oai-searchbot",
    "claudebot",
    "claude-user",
    "perplexitybot",
    "ccbot",
    "amazonbot",
    "bytespider",
    "facebookexternalhit",
    "meta-externalagent",
    "headlesschrome",
    "yahoo! slurp",
    "ahrefsbot",
    "semrushbot",
    "petalbot",
    "twitterbot",
    "linkedinbot",
    "python-requests",
    "python-urllib",
    "go-http-client",
    "libwww-perl",
    "apache-httpclient",
    "postmanruntime",
    "node-fetch",
    "okhttp",
    "aiohttp",
];

/// Names that are also words or parts of words: they count as a whole word outside of a URL.
const WORDS: &[&str] = &[
    "mozilla",
    "chrome",
    "chromium",
    "crios",
    "safari",
    "firefox",
    "fxios",
    "gecko",
    "khtml",
    "msie",
    "trident",
    "edg",
    "edge",
    "opera",
    "opr",
    "vivaldi",
    "samsungbrowser",
    "msnbot",
    "slurp",
    "curl",
    "wget",
    "axios",
    "undici",
    "scrapy",
    "java",
    "reqwest",
    "httpx",
    "guzzlehttp",
];

/// Where `value` names a known browser, search crawler or HTTP library.
///
/// Spec: AIWI-UA-4, AIWI-AMB-5.
fn impersonated(value: &str) -> Option<usize> {
    let lower = value.to_ascii_lowercase();
    let distinct = DISTINCT.iter().filter_map(|name| lower.find(name)).min();
    let mut start = 0;
    let mut word = None;
    for chunk in lower.split(' ') {
        if !chunk.contains("://") {
            let mut at = start;
            for piece in chunk.split(|c: char| !c.is_ascii_alphanumeric()) {
                if WORDS.contains(&piece) {
                    word = word.or(Some(at));
                }
                at += piece.len() + 1;
            }
        }
        start += chunk.len() + 1;
    }
    distinct.into_iter().chain(word).min()
}

/// Why a value or a part of it was refused.
///
/// ```
/// let refused = robots::UserAgent::builder().implementation("acme\r\nCookie: id=1").build().unwrap_err();
/// assert_eq!(refused.to_string(), "expected printable ASCII without `(`, `)`, `\\` and separators at byte 4");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserAgentError {
    kind: UserAgentErrorKind,
    offset: usize,
}

/// The classes of [`UserAgentError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UserAgentErrorKind {
    /// The value does not begin with `AIWebIndex/1.0` and a space or the end.
    NotTheProduct,
    /// A byte outside of printable ASCII, or one that would end the comment.
    ForbiddenCharacter,
    /// The name of a browser, a search crawler or an HTTP library.
    Impersonation,
    /// The information URL is no absolute http or https URL with a host and without credentials.
    NotAnHttpUrl,
    /// The implementation's name is empty or blank.
    EmptyName,
    /// The implementation's name has the word `verification`, which tells the two forms apart.
    ReservedWord,
}

impl UserAgentError {
    const fn new(kind: UserAgentErrorKind, offset: usize) -> Self {
        UserAgentError { kind, offset }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> UserAgentErrorKind {
        self.kind
    }

    /// The byte offset in the value checked, or in the part given to the builder.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The requirement that the text breaks.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        match self.kind {
            UserAgentErrorKind::NotTheProduct => "AIWI-UA-1",
            UserAgentErrorKind::Impersonation => "AIWI-UA-4",
            UserAgentErrorKind::ReservedWord => "AIWI-UA-3",
            UserAgentErrorKind::ForbiddenCharacter
            | UserAgentErrorKind::NotAnHttpUrl
            | UserAgentErrorKind::EmptyName => "AIWI-UA-2",
        }
    }
}

impl fmt::Display for UserAgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.kind {
            UserAgentErrorKind::NotTheProduct => "`AIWebIndex/1.0` and then a space or the end",
            UserAgentErrorKind::ForbiddenCharacter => "printable ASCII without `(`, `)`, `\\` and separators",
            UserAgentErrorKind::Impersonation => "no name of a browser, search crawler or HTTP library",
            UserAgentErrorKind::NotAnHttpUrl => "an absolute http or https URL with a host",
            UserAgentErrorKind::EmptyName => "a name of at least one visible character",
            UserAgentErrorKind::ReservedWord => "a name without the word `verification`",
        };
        write!(f, "expected {expected} at byte {}", self.offset)
    }
}

impl core::error::Error for UserAgentError {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn forms_of_the_builder() {
        let bare = UserAgent::builder();
        let url = bare.info_url("https://example.com/bot");
        let both = url.implementation("acme");
        for (builder, expected) in [
            (bare, "AIWebIndex/1.0"),
            (url, "AIWebIndex/1.0 (+https://example.com/bot)"),
            (bare.implementation("acme 2"), "AIWebIndex/1.0 (acme 2)"),
            (both, "AIWebIndex/1.0 (+https://example.com/bot; acme)"),
            (bare.verification(true), "AIWebIndex/1.0 verification"),
            (both.verification(true), "AIWebIndex/1.0 verification (+https://example.com/bot)"),
        ] {
            let agent = builder.build().unwrap();
            assert_eq!(agent.as_str(), expected);
            assert_eq!(UserAgent::check(expected).unwrap(), agent, "the checker agrees");
        }
    }

    #[test]
    fn parts_that_the_builder_refuses() {
        use UserAgentErrorKind::*;
        for (name, kind) in [
            ("a(b", ForbiddenCharacter),
            ("a)b", ForbiddenCharacter),
            ("a\\b", ForbiddenCharacter),
            ("a;b", ForbiddenCharacter),
            ("a\rb", ForbiddenCharacter),
            ("a\nb", ForbiddenCharacter),
            ("a\0b", ForbiddenCharacter),
            ("ä", ForbiddenCharacter),
            ("", EmptyName),
            ("  ", EmptyName),
            ("Googlebot/2.1", Impersonation),
            ("like Gecko", Impersonation),
            ("my verification bot", ReservedWord),
        ] {
            let error = UserAgent::builder().implementation(name).build().unwrap_err();
            assert_eq!(error.kind(), kind, "{name:?}");
        }
        for (url, kind) in [
            ("example.com/bot", NotAnHttpUrl),
            ("ftp://example.com/", NotAnHttpUrl),
            ("https://", NotAnHttpUrl),
            ("https:///bot", NotAnHttpUrl),
            ("https://:80/", NotAnHttpUrl),
            ("https://example.com:port/", NotAnHttpUrl),
            ("https://me:secret@example.com/", NotAnHttpUrl),
            ("https://example.com/a b", ForbiddenCharacter),
            ("https://example.com/(a", ForbiddenCharacter),
            ("https://example.com/a\r\n", ForbiddenCharacter),
            ("https://exämple.com/", ForbiddenCharacter),
            ("https://example.com/googlebot", Impersonation),
        ] {
            let error = UserAgent::builder().info_url(url).build().unwrap_err();
            assert_eq!(error.kind(), kind, "{url:?}");
        }
        for url in
            ["http://example.com", "HTTPS://example.com:8443/a;b?c#d", "https://[::1]/bot", "https://a.b:1/"]
        {
            assert!(UserAgent::builder().info_url(url).build().is_ok(), "{url}");
        }
    }

    #[test]
    fn values_that_the_checker_refuses() {
        for value in [
            "",
            " AIWebIndex/1.0",
            "aiwebindex/1.0",
            "AIWebIndex/1.01",
            "AIWebIndex/1.0.1",
            "AIWebIndexBot/1.0",
            "AIWebIndex/1",
            "AIWebIndex/1.0\tx",
            "AIWebIndex/1.0;",
            "AIWebIndex/1.0 \r\nX: y",
            "AIWebIndex/1.0 é",
            "Mozilla/5.0 (compatible; AIWebIndex/1.0)",
            "Googlebot/2.1",
            "curl/8",
            "AIWebIndex/1.0 Mozilla/5.0",
            "AIWebIndex/1.0 (+https://a.b/) Chrome/99",
            "AIWebIndex/1.0 curl/8.1",
            "AIWebIndex/1.0 (GoogleBot)",
        ] {
            assert!(UserAgent::check(value).is_err(), "{value:?}");
        }
    }

    #[test]
    fn the_word_counts_as_a_word_only() {
        for (value, purpose) in [
            ("AIWebIndex/1.0 verification", FetchPurpose::Verification),
            ("AIWebIndex/1.0 (+https://a.b/; acme) verification", FetchPurpose::Verification),
            ("AIWebIndex/1.0 (+https://a.b/; verification)", FetchPurpose::Verification),
            ("AIWebIndex/1.0 (+https://a.b/verification)", FetchPurpose::Crawl),
            ("AIWebIndex/1.0 verifications", FetchPurpose::Crawl),
            ("AIWebIndex/1.0", FetchPurpose::Crawl),
            ("AIWebIndex/1.0 ", FetchPurpose::Crawl),
        ] {
            assert_eq!(UserAgent::check(value).unwrap().purpose(), purpose, "{value}");
        }
    }

    #[test]
    fn an_offset_names_the_byte() {
        let error = UserAgent::check("AIWebIndex/1.0 (+https://a.b/) Chrome/99").unwrap_err();
        assert_eq!((error.offset(), error.requirement()), (31, "AIWI-UA-4"));
        assert_eq!(UserAgent::check("AIWebIndey/1.0").unwrap_err().offset(), 9);
        assert!(error.to_string().ends_with("at byte 31"));
    }
}
