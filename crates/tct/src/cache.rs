//! What may be kept, under which key, and for how long it may be used.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
pub use web_values::CacheControl;

use crate::{MUrl, UrlPolicy, address::AddressError};

/// Whose credentials a response was got with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum CredentialScope {
    /// Nobody's: anybody would have got it.
    #[default]
    Public,
    /// Those of the account that the caller calls so. Never the credentials themselves.
    Private(String),
}

/// The key of a stored page: origin, M-URL and credentials.
///
/// Equal hashes at two origins prove nothing, and what one account may read another may not: neither ever shares an
/// entry. The derived order and hash are stable. As text, and so as the key of a JSON object, it is the M-URL, followed
/// by a space and the account where there is one.
///
/// ```
/// use tct::cache::{CacheKey, CredentialScope};
/// use tct::MUrl;
/// let twin = MUrl::parse("https://example.com/post/llm/").unwrap();
/// let public = CacheKey::new(&twin, CredentialScope::Public);
/// let private = CacheKey::new(&twin, CredentialScope::Private("reader-7".into()));
/// assert_ne!(public, private);
/// assert_eq!(private.to_string(), "https://example.com/post/llm/ reader-7");
/// assert_eq!(private.to_string().parse(), Ok(private));
/// ```
///
/// Spec: TCT draft-00, "Authenticated Content Caching"; TCT-SEC-17, TCT-SEC-18, TCT-D01-11.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CacheKey {
    m_url: String,
    scope: CredentialScope,
}

impl CacheKey {
    /// The key of what was got from `twin` with these credentials. A URL begins with its origin.
    #[must_use]
    pub fn new(twin: &MUrl, scope: CredentialScope) -> Self {
        CacheKey { m_url: twin.as_str().to_owned(), scope }
    }

    /// The M-URL.
    #[must_use]
    pub fn m_url(&self) -> &str {
        &self.m_url
    }

    /// Whose credentials it was got with.
    #[must_use]
    pub fn scope(&self) -> &CredentialScope {
        &self.scope
    }
}

impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.m_url)?;
        match &self.scope {
            CredentialScope::Public => Ok(()),
            CredentialScope::Private(account) => write!(f, " {account}"),
        }
    }
}

impl FromStr for CacheKey {
    type Err = AddressError;

    /// Reads what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// An [`AddressError`] where the text does not begin with an M-URL; `http` ones are taken.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (m_url, scope) = match text.split_once(' ') {
            None => (text, CredentialScope::Public),
            Some((m_url, account)) => (m_url, CredentialScope::Private(account.to_owned())),
        };
        Ok(CacheKey::new(&MUrl::parse_with(m_url, &UrlPolicy::allowing_http())?, scope))
    }
}

impl TryFrom<String> for CacheKey {
    type Error = AddressError;

    fn try_from(text: String) -> Result<Self, AddressError> {
        text.parse()
    }
}

impl From<CacheKey> for String {
    fn from(key: CacheKey) -> String {
        key.to_string()
    }
}

/// Whether credentials for the origin of `known` may be sent to `next`: only to the same origin.
///
/// Spec: TCT draft-00, "Authenticated Sitemaps"; TCT-SEC-19.
#[must_use]
pub fn may_send_credentials(known: &url::Url, next: &url::Url) -> bool {
    known.origin() == next.origin() && known.scheme() == next.scheme()
}

#[cfg(test)]
mod tests {
    use super::*;
    use covers::covers;

    fn directives(lines: &[&'static str]) -> CacheControl {
        CacheControl::parse(lines.iter().copied())
    }

    #[test]
    fn a_map_of_keys_is_written_as_json_and_read_back() {
        let twin = MUrl::parse("https://example.com/a/llm/").unwrap();
        let keys = [
            CacheKey::new(&twin, CredentialScope::Public),
            CacheKey::new(&twin, CredentialScope::Private("reader 7".into())),
        ];
        let map: std::collections::BTreeMap<CacheKey, u8> = keys.into_iter().zip(0..).collect();
        let json = serde_json::to_string(&map).unwrap();
        assert_eq!(json, r#"{"https://example.com/a/llm/":0,"https://example.com/a/llm/ reader 7":1}"#);
        assert_eq!(serde_json::from_str::<std::collections::BTreeMap<CacheKey, u8>>(&json).unwrap(), map);
        assert!(serde_json::from_str::<CacheKey>("\"no url\"").is_err());
    }

    #[test]
    fn one_line_and_three_lines_are_the_same() {
        let one = directives(&[crate::response::PUBLIC_CACHE_CONTROL]);
        assert_eq!(
            one,
            directives(&["max-age=0, must-revalidate", "stale-while-revalidate=60", "stale-if-error=86400"])
        );
        assert_eq!((one.max_age_secs, one.stale_if_error_secs), (Some(0), Some(86_400)));
        assert!(!one.is_fresh(0));
        assert!(!one.may_use_stale(1, true), "must-revalidate outranks stale-if-error");
    }

    #[test]
    #[covers("TCT-SEC-15", "TCT-SEC-18")]
    fn private_and_no_store_are_told_apart() {
        assert!(directives(&["private"]).may_store_privately());
        assert!(!directives(&["private"]).may_store_shared());
        assert!(!directives(&["no-store"]).may_store_privately());
    }
}
