//! The identity of an AIWebIndex crawler.
//!
//! ```text
//! crawl          AIWebIndex/1.0 (+https://example.com/bot; acme-reader)
//! verification   AIWebIndex/1.0 verification (+https://example.com/bot)
//! ```
//!
//! An [`AiWebIndexAgent`] can only be made by [`AiWebIndexAgentBuilder::build`] or by [`AiWebIndexAgent::check`], and
//! both refuse what an operator could mistake for another client: there is no free-form prefix, no control character,
//! no second product that names a browser, a search crawler or an HTTP library.
//!
//! Every fetch of the protocol carries it: robots.txt, the page, sub-resources of rendering, and the ownership
//! check (AIWI-AMB-6).
//!
//! Versions 1.0 and 2.0 differ in the number alone. It is an argument without a default, so that no upgrade of this
//! crate changes what is sent (AIWI2-AMB-27). robots.txt knows one token for both.

mod names;

use alloc::string::String;
use core::fmt;

use names::impersonated;

/// The version of AIWebIndex that a crawler claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum AiWebIndexVersion {
    /// AIWebIndex 1.0.
    #[cfg_attr(feature = "serde", serde(rename = "1.0"))]
    V1,
    /// AIWebIndex 2.0.
    #[cfg_attr(feature = "serde", serde(rename = "2.0"))]
    V2,
}

impl AiWebIndexVersion {
    /// All versions that are known here.
    pub const ALL: [AiWebIndexVersion; 2] = [AiWebIndexVersion::V1, AiWebIndexVersion::V2];

    /// The version's number, such as `1.0`.
    #[must_use]
    pub const fn number(self) -> &'static str {
        match self {
            AiWebIndexVersion::V1 => "1.0",
            AiWebIndexVersion::V2 => "2.0",
        }
    }

    /// The product and version that every value begins with, such as `AIWebIndex/1.0`.
    #[must_use]
    pub const fn product(self) -> &'static str {
        match self {
            AiWebIndexVersion::V1 => "AIWebIndex/1.0",
            AiWebIndexVersion::V2 => "AIWebIndex/2.0",
        }
    }
}

impl fmt::Display for AiWebIndexVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}

/// The purpose of a fetch that the `User-Agent` states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum FetchPurpose {
    /// Content is read on behalf of an agent.
    Crawl,
    /// The ownership of a domain is being checked.
    Verification,
}

/// A `User-Agent` value that conforms to AIWebIndex 1.0 or 2.0.
///
/// ```
/// use web_values::{AiWebIndexAgent, AiWebIndexVersion};
///
/// let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V1)
///     .info_url("https://example.com/bot")
///     .implementation("acme-reader")
///     .build()?;
/// assert_eq!(agent.as_str(), "AIWebIndex/1.0 (+https://example.com/bot; acme-reader)");
///
/// let second = AiWebIndexAgent::builder(AiWebIndexVersion::V2);
/// let check = second.info_url("https://example.com/bot").verification(true).build()?;
/// assert_eq!(check.to_string(), "AIWebIndex/2.0 verification (+https://example.com/bot)");
/// # Ok::<(), web_values::AiWebIndexAgentError>(())
/// ```
///
/// The value is a claim that any client can send: it proves nothing about who sent it.
///
/// Spec: AIWebIndex 1.0, "User-Agent identifier"; AIWI-UA-1, AIWI-UA-2, AIWI-UA-3, AIWI-UA-4, AIWI-UA-5; AIWebIndex
/// 2.0, section 3.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AiWebIndexAgent {
    value: String,
    purpose: FetchPurpose,
    version: AiWebIndexVersion,
}

impl AiWebIndexAgent {
    /// The product token that robots.txt groups name: `AIWebIndex`.
    pub const TOKEN: &'static str = "AIWebIndex";

    /// A builder; without further calls it makes the bare product, such as `AIWebIndex/1.0`.
    pub const fn builder(version: AiWebIndexVersion) -> AiWebIndexAgentBuilder<'static> {
        AiWebIndexAgentBuilder { info_url: None, implementation: None, purpose: FetchPurpose::Crawl, version }
    }

    /// Checks a header field's value against a version.
    ///
    /// It must begin with the product, such as `AIWebIndex/1.0`, followed by a space or the end; consist of printable
    /// ASCII; and name no known browser, search crawler or HTTP library. The rest is free: a value of another
    /// implementation may carry more products or another comment than [`AiWebIndexAgentBuilder`] writes. `O(n)`.
    ///
    /// ```
    /// use web_values::{AiWebIndexAgent, AiWebIndexAgentErrorKind, AiWebIndexVersion, FetchPurpose};
    ///
    /// let version = AiWebIndexVersion::V1;
    /// let seen = AiWebIndexAgent::check("AIWebIndex/1.0 verification (+https://example.com/bot)", version)?;
    /// assert_eq!(seen.purpose(), FetchPurpose::Verification);
    /// let refused = AiWebIndexAgent::check("AIWebIndex/1.05", version).unwrap_err();
    /// assert_eq!(refused.kind(), AiWebIndexAgentErrorKind::NotTheProduct);
    /// # Ok::<(), web_values::AiWebIndexAgentError>(())
    /// ```
    ///
    /// # Errors
    /// `NotTheProduct`, `ForbiddenCharacter` or `Impersonation`, with the byte offset.
    ///
    /// Spec: AIWebIndex 1.0, "User-Agent identifier"; AIWI-UA-1, AIWI-UA-4, AIWI-AMB-2, AIWI-AMB-3, AIWI-AMB-5.
    pub fn check(value: &str, version: AiWebIndexVersion) -> Result<Self, AiWebIndexAgentError> {
        use AiWebIndexAgentErrorKind as Kind;
        let product = version.product();
        let error = |kind, offset| AiWebIndexAgentError { kind, offset, version };
        let common = value.bytes().zip(product.bytes()).take_while(|(a, b)| a == b).count();
        let rest = match value.strip_prefix(product) {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest,
            _ => return Err(error(Kind::NotTheProduct, common)),
        };
        if let Some(at) = value.bytes().position(|b| !matches!(b, b' '..=b'~')) {
            return Err(error(Kind::ForbiddenCharacter, at));
        }
        if let Some(at) = impersonated(value) {
            return Err(error(Kind::Impersonation, at));
        }
        let mut words = rest.split([' ', '(', ')', ';', ',']);
        let purpose = match words.any(|word| word == "verification") {
            true => FetchPurpose::Verification,
            false => FetchPurpose::Crawl,
        };
        Ok(AiWebIndexAgent { value: value.into(), purpose, version })
    }

    /// Checks a header field's value against the version that it claims; a value that claims none of the known ones
    /// is checked against 1.0, and refused.
    ///
    /// # Errors
    /// As [`AiWebIndexAgent::check`].
    pub fn check_claimed(value: &str) -> Result<Self, AiWebIndexAgentError> {
        let claimed = Self::claimed_version(value);
        let version = AiWebIndexVersion::ALL.into_iter().find(|version| claimed == Some(version.number()));
        Self::check(value, version.unwrap_or(AiWebIndexVersion::V1))
    }

    /// The version number in the product `AIWebIndex/…` at the start of a value, known or not, whatever follows it;
    /// `None` if there is no such product with a number of the form `major.minor`.
    ///
    /// ```
    /// # use web_values::AiWebIndexAgent;
    /// assert_eq!(AiWebIndexAgent::claimed_version("AIWebIndex/2.1 (+https://example.com/bot)"), Some("2.1"));
    /// assert_eq!(AiWebIndexAgent::claimed_version("AIWebIndex-Agent/2.0"), None);
    /// ```
    #[must_use]
    pub fn claimed_version(value: &str) -> Option<&str> {
        let rest = value.strip_prefix(Self::TOKEN)?.strip_prefix('/')?;
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        let number = rest.get(..rest.find(|c| !is_token(c)).unwrap_or(rest.len()))?;
        let (major, minor) = number.split_once('.')?;
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        (is_number(major) && is_number(minor)).then_some(number)
    }

    /// The version that the value claims.
    #[must_use]
    pub const fn version(&self) -> AiWebIndexVersion {
        self.version
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

impl fmt::Display for AiWebIndexAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

impl AsRef<str> for AiWebIndexAgent {
    fn as_ref(&self) -> &str {
        &self.value
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for AiWebIndexAgent {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.value)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for AiWebIndexAgent {
    /// As [`AiWebIndexAgent::check_claimed`].
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = <alloc::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        AiWebIndexAgent::check_claimed(&value).map_err(serde::de::Error::custom)
    }
}

/// Makes an [`AiWebIndexAgent`]; see there for an example.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct AiWebIndexAgentBuilder<'a> {
    info_url: Option<&'a str>,
    implementation: Option<&'a str>,
    purpose: FetchPurpose,
    version: AiWebIndexVersion,
}

impl<'a> AiWebIndexAgentBuilder<'a> {
    /// The page where site operators can read about the implementation: an absolute http or https URL.
    ///
    /// Spec: AIWebIndex 1.0, "User-Agent identifier"; AIWI-UA-2, AIWI-AMB-4.
    pub const fn info_url<'b>(self, url: &'b str) -> AiWebIndexAgentBuilder<'b>
    where
        'a: 'b,
    {
        AiWebIndexAgentBuilder { info_url: Some(url), ..self }
    }

    /// The name of the implementation, such as `acme-reader`; printable ASCII without `(`, `)`, `\` and `;`.
    ///
    /// Not the name of whoever the fetch is for (AIWI-SEC-3).
    pub const fn implementation<'b>(self, name: &'b str) -> AiWebIndexAgentBuilder<'b>
    where
        'a: 'b,
    {
        AiWebIndexAgentBuilder { implementation: Some(name), ..self }
    }

    /// Whether the value is for verification fetches. That form has the word before the comment and leaves the
    /// implementation's name out, as the example of the specification does.
    ///
    /// Spec: AIWebIndex 1.0, "User-Agent identifier"; AIWI-UA-3, AIWI-AMB-3.
    pub const fn verification(self, verification: bool) -> Self {
        let purpose = if verification { FetchPurpose::Verification } else { FetchPurpose::Crawl };
        AiWebIndexAgentBuilder { purpose, ..self }
    }

    /// Builds the value; [`AiWebIndexAgent::check`] accepts it.
    ///
    /// Both parts are checked, also where the form leaves the name out.
    ///
    /// # Errors
    /// `NotAnHttpUrl` or `EmptyName`; `ForbiddenCharacter` and `Impersonation` with the offset inside the part.
    pub fn build(self) -> Result<AiWebIndexAgent, AiWebIndexAgentError> {
        let version = self.version;
        let refused = |(kind, offset)| AiWebIndexAgentError { kind, offset, version };
        if let Some(url) = self.info_url {
            check_url(url).map_err(refused)?;
        }
        if let Some(name) = self.implementation {
            check_name(name).map_err(refused)?;
        }
        let mut value = String::from(version.product());
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
        Ok(AiWebIndexAgent { value, purpose: self.purpose, version })
    }
}

/// Checks one part of the builder: the first fault and its offset in that part.
type Refused = (AiWebIndexAgentErrorKind, usize);

fn check_name(name: &str) -> Result<(), Refused> {
    use AiWebIndexAgentErrorKind as Kind;
    if name.trim().is_empty() {
        return Err((Kind::EmptyName, 0));
    }
    check_comment(name, b";")?;
    // A word of its own is how the form says what the fetch is for.
    if let Some(at) = name.split(' ').position(|word| word == "verification") {
        let before: usize = name.split(' ').take(at).map(|word| word.len() + 1).sum();
        return Err((Kind::ReservedWord, before));
    }
    Ok(())
}

fn check_url(url: &str) -> Result<(), Refused> {
    use AiWebIndexAgentErrorKind as Kind;
    check_comment(url, b" \"<>`{|}^")?;
    let after_scheme = ["https://", "http://"]
        .iter()
        .find(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
        .ok_or((Kind::NotAnHttpUrl, 0))?
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
        false => Err((Kind::NotAnHttpUrl, after_scheme)),
    }
}

/// Accepts printable ASCII, except for the characters that would end or escape a comment and those
/// in `also`.
///
/// Spec: AIWI-AMB-4.
fn check_comment(part: &str, also: &[u8]) -> Result<(), Refused> {
    let refused = |b: u8| !matches!(b, b' '..=b'~') || matches!(b, b'(' | b')' | b'\\') || also.contains(&b);
    if let Some(at) = part.bytes().position(refused) {
        return Err((AiWebIndexAgentErrorKind::ForbiddenCharacter, at));
    }
    match impersonated(part) {
        Some(at) => Err((AiWebIndexAgentErrorKind::Impersonation, at)),
        None => Ok(()),
    }
}

/// Why a value or a part of it was refused.
///
/// ```
/// use web_values::{AiWebIndexAgent, AiWebIndexVersion};
///
/// let builder = AiWebIndexAgent::builder(AiWebIndexVersion::V1);
/// let refused = builder.implementation("acme\r\nCookie: id=1").build().unwrap_err();
/// assert_eq!(refused.to_string(), "expected printable ASCII without `(`, `)`, `\\` and separators at byte 4");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AiWebIndexAgentError {
    kind: AiWebIndexAgentErrorKind,
    offset: usize,
    version: AiWebIndexVersion,
}

/// The classes of [`AiWebIndexAgentError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AiWebIndexAgentErrorKind {
    /// The value does not begin with the version's product, such as `AIWebIndex/1.0`, and a space or the end.
    NotTheProduct,
    /// A byte outside of printable ASCII, or one that would end the comment.
    ForbiddenCharacter,
    /// The name of a browser, a search crawler or an HTTP library.
    Impersonation,
    /// The information URL is not an absolute http or https URL with a host and without
    /// credentials.
    NotAnHttpUrl,
    /// The implementation's name is empty or blank.
    EmptyName,
    /// The implementation's name has the word `verification`, which tells the two forms apart.
    ReservedWord,
}

impl AiWebIndexAgentError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> AiWebIndexAgentErrorKind {
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
        use AiWebIndexAgentErrorKind as Kind;
        match (self.kind, self.version) {
            (Kind::NotTheProduct, AiWebIndexVersion::V1) => "AIWI-UA-1",
            (Kind::NotTheProduct, AiWebIndexVersion::V2) => "AIWI2-UA-1",
            (Kind::Impersonation, AiWebIndexVersion::V1) => "AIWI-UA-4",
            (Kind::Impersonation, AiWebIndexVersion::V2) => "AIWI2-UA-4",
            (Kind::ReservedWord, AiWebIndexVersion::V1) => "AIWI-UA-3",
            (Kind::ReservedWord, AiWebIndexVersion::V2) => "AIWI2-UA-3",
            (_, AiWebIndexVersion::V1) => "AIWI-UA-2",
            (_, AiWebIndexVersion::V2) => "AIWI2-UA-2",
        }
    }
}

impl fmt::Display for AiWebIndexAgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.kind {
            AiWebIndexAgentErrorKind::NotTheProduct => {
                let (product, offset) = (self.version.product(), self.offset);
                return write!(f, "expected `{product}` and then a space or the end at byte {offset}");
            }
            AiWebIndexAgentErrorKind::ForbiddenCharacter => {
                "printable ASCII without `(`, `)`, `\\` and separators"
            }
            AiWebIndexAgentErrorKind::Impersonation => "no name of a browser, search crawler or HTTP library",
            AiWebIndexAgentErrorKind::NotAnHttpUrl => "an absolute http or https URL with a host",
            AiWebIndexAgentErrorKind::EmptyName => "a name of at least one visible character",
            AiWebIndexAgentErrorKind::ReservedWord => "a name without the word `verification`",
        };
        write!(f, "expected {expected} at byte {}", self.offset)
    }
}

impl core::error::Error for AiWebIndexAgentError {}

#[cfg(test)]
mod tests;
