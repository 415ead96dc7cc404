//! What may be kept, under which key, and for how long it may be used.

use core::fmt;
use core::str::FromStr;
use http::HeaderMap;
use http::header::CACHE_CONTROL;

use serde::{Deserialize, Serialize};

use crate::{AddressError, MUrl, UrlPolicy};

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

/// The directives of `Cache-Control` that matter here, over all lines of the field.
///
/// Unknown directives are ignored, quoted numbers read, numbers past 2^31 count as 2^31 as RFC 9111 has it. Of a
/// directive that stands twice the stricter value counts; a `max-age` that cannot be read counts as 0.
///
/// ```
/// use http::{HeaderMap, header::CACHE_CONTROL};
/// use tct::cache::CacheDirectives;
/// let mut headers = HeaderMap::new();
/// headers.append(CACHE_CONTROL, "max-age=0, must-revalidate".parse().unwrap());
/// headers.append(CACHE_CONTROL, "stale-while-revalidate=60".parse().unwrap());
/// let directives = CacheDirectives::of(&headers);
/// assert_eq!(directives.stale_while_revalidate_secs, Some(60));
/// assert!(!directives.may_use_stale(1, false)); // must-revalidate wins
/// ```
///
/// Spec: TCT draft-00, "Cache-Control"; TCT-CACHE-2, TCT-AMB-19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CacheDirectives {
    /// `no-store`: nothing may be kept.
    pub no_store: bool,
    /// `no-cache`: nothing may be used without asking.
    pub no_cache: bool,
    /// `private`: no shared cache may keep it.
    pub private: bool,
    /// `must-revalidate`: nothing stale may be used, whatever else is said.
    pub must_revalidate: bool,
    /// `max-age`.
    pub max_age_secs: Option<u64>,
    /// `stale-while-revalidate`.
    pub stale_while_revalidate_secs: Option<u64>,
    /// `stale-if-error`.
    pub stale_if_error_secs: Option<u64>,
}

impl CacheDirectives {
    /// Reads all `Cache-Control` lines.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        let mut found = CacheDirectives::default();
        for line in headers.get_all(CACHE_CONTROL) {
            for directive in String::from_utf8_lossy(line.as_bytes()).split(',') {
                let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
                let value = value.trim().trim_matches('"');
                let seconds = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
                    Some(value.parse::<u64>().unwrap_or(u64::MAX).min(1 << 31))
                } else {
                    None
                };
                let least = |old: Option<u64>| Some(old.unwrap_or(u64::MAX).min(seconds.unwrap_or(0)));
                match name.trim().to_ascii_lowercase().as_str() {
                    "no-store" => found.no_store = true,
                    "no-cache" => found.no_cache = true,
                    "private" => found.private = true,
                    "must-revalidate" => found.must_revalidate = true,
                    "max-age" => found.max_age_secs = least(found.max_age_secs),
                    "stale-while-revalidate" => {
                        found.stale_while_revalidate_secs = least(found.stale_while_revalidate_secs);
                    }
                    "stale-if-error" => found.stale_if_error_secs = least(found.stale_if_error_secs),
                    _ => {}
                }
            }
        }
        found
    }

    /// Whether a response of this age may be used without asking the server.
    #[must_use]
    pub fn is_fresh(&self, age_secs: u64) -> bool {
        !self.no_store && !self.no_cache && self.max_age_secs.is_some_and(|max_age| age_secs < max_age)
    }

    /// Whether a response may be used although it is stale, by `stale_secs`: while it is being revalidated, or
    /// because the server failed.
    #[must_use]
    pub fn may_use_stale(&self, stale_secs: u64, server_failed: bool) -> bool {
        let window = if server_failed { self.stale_if_error_secs } else { self.stale_while_revalidate_secs };
        !(self.no_store || self.no_cache || self.must_revalidate)
            && window.is_some_and(|window| stale_secs <= window)
    }

    /// Whether the response may be stored where only this agent reads it.
    ///
    /// Spec: TCT draft-00, "Privacy"; TCT-SEC-15.
    #[must_use]
    pub fn may_store_privately(&self) -> bool {
        !self.no_store
    }

    /// Whether the response may be stored where others read it: not `private`, and got without credentials.
    #[must_use]
    pub fn may_store_shared(&self, scope: &CredentialScope) -> bool {
        !self.no_store && !self.private && *scope == CredentialScope::Public
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directives(lines: &[&'static str]) -> CacheDirectives {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(CACHE_CONTROL, line.parse().unwrap());
        }
        CacheDirectives::of(&headers)
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
    fn odd_directives_are_read_on_the_safe_side() {
        assert_eq!(directives(&["Max-Age=\"60\", x=1, public"]).max_age_secs, Some(60));
        assert_eq!(directives(&["max-age=60, max-age=10"]).max_age_secs, Some(10));
        assert_eq!(directives(&["max-age=soon"]).max_age_secs, Some(0));
        assert_eq!(directives(&["max-age=99999999999999999999"]).max_age_secs, Some(1 << 31));
        assert_eq!(directives(&[",,"]), CacheDirectives::default());
        let loose = directives(&["max-age=10, stale-while-revalidate=60, stale-if-error=600"]);
        assert!(loose.is_fresh(9) && !loose.is_fresh(10));
        assert!(
            loose.may_use_stale(60, false)
                && !loose.may_use_stale(61, false)
                && loose.may_use_stale(61, true)
        );
        assert!(directives(&["private"]).may_store_privately());
        assert!(!directives(&["private"]).may_store_shared(&CredentialScope::Public));
        assert!(!directives(&["public"]).may_store_shared(&CredentialScope::Private("a".into())));
        assert!(!directives(&["no-store"]).may_store_privately());
    }
}
