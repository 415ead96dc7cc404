//! Several keys, as RFC 7517 publishes them.

use alloc::vec::Vec;

use tct_canonical_json::{JsonKind, JsonValue};

use crate::json::object;
use crate::{Jwk, JwkError, JwkErrorKind, PublicKey, Thumbprint};

/// Largest set that is read, in bytes.
pub const MAX_SET_BYTES: usize = 1024 * 1024;

/// Public keys in the order of their publication.
///
/// ```
/// use jwk::JwkSet;
///
/// let set = JwkSet::parse(br#"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"2026-a","d":"never kept",
///     "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#)?;
/// assert_eq!(set.keys().len(), 1);
/// assert!(!format!("{set:?}").contains("never"));
/// # Ok::<(), jwk::JwkError>(())
/// ```
///
/// Spec: RFC 7517, section 5; LLMI-SIG-4, WBA-DIR-1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JwkSet {
    keys: Vec<Jwk>,
}

impl JwkSet {
    /// Reads a JWK Set: an object with the array `keys`, at most 1 MiB. `O(n log n)`.
    ///
    /// # Errors
    /// [`NotJson`](JwkErrorKind::NotJson) and [`NoKeys`](JwkErrorKind::NoKeys), the latter also for an entry that is
    /// not an object. Faults of a single key are reported when it is used.
    pub fn parse(json: &[u8]) -> Result<Self, JwkError> {
        Self::read(json, MAX_SET_BYTES, true)
    }

    /// As [`parse`](JwkSet::parse), with another size limit; an entry that is not an object counts as an unusable
    /// key, so one bad entry does not invalidate the set.
    ///
    /// # Errors
    /// [`NotJson`](JwkErrorKind::NotJson) and [`NoKeys`](JwkErrorKind::NoKeys).
    ///
    /// Spec: WBA-DIR-1, WBA-DIR-3.
    pub fn parse_lenient(json: &[u8], max_bytes: usize) -> Result<Self, JwkError> {
        Self::read(json, max_bytes, false)
    }

    fn read(json: &[u8], max_bytes: usize, is_strict: bool) -> Result<Self, JwkError> {
        let document = object(json, max_bytes).ok_or(JwkErrorKind::NotJson)?;
        let keys = document.root().get("keys").filter(|keys| keys.kind() == JsonKind::Array);
        Self::of_items(&keys.ok_or(JwkErrorKind::NoKeys)?, is_strict)
    }

    fn of_items(keys: &JsonValue<'_>, is_strict: bool) -> Result<Self, JwkError> {
        if is_strict && keys.items().any(|key| key.kind() != JsonKind::Object) {
            return Err(JwkErrorKind::NoKeys.into());
        }
        Ok(JwkSet { keys: keys.items().map(|key| Jwk::of_object(&key)).collect() })
    }

    /// The keys, in the order of the text.
    #[must_use]
    pub fn keys(&self) -> &[Jwk] {
        &self.keys
    }

    /// The keys with this `kid`. A caller that finds two must take neither.
    pub fn with_kid<'a>(&'a self, kid: &'a str) -> impl Iterator<Item = &'a Jwk> {
        self.keys.iter().filter(move |key| key.kid() == Some(kid))
    }

    /// The keys with this thumbprint: more than one only if a set lists the same key twice.
    pub fn with_thumbprint(&self, thumbprint: Thumbprint) -> impl Iterator<Item = &Jwk> {
        self.keys.iter().filter(move |key| key.thumbprint() == Some(thumbprint))
    }

    /// The key of a set that has just one, whatever its `kid`.
    ///
    /// # Errors
    /// [`NotOneKey`](JwkErrorKind::NotOneKey), and [`Unusable`](JwkErrorKind::Unusable) with the fault.
    pub fn only_key(&self) -> Result<PublicKey, JwkError> {
        match self.keys.as_slice() {
            [key] => Ok(key.public_key()?),
            keys => Err(JwkErrorKind::NotOneKey { keys: keys.len() }.into()),
        }
    }
}

impl FromIterator<Jwk> for JwkSet {
    fn from_iter<I: IntoIterator<Item = Jwk>>(keys: I) -> Self {
        JwkSet { keys: keys.into_iter().collect() }
    }
}
