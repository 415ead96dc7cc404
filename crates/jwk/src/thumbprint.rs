//! Thumbprints: names computed from the keys themselves.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// Length of a thumbprint's text: 32 bytes in base64url without padding.
const TEXT_LEN: usize = 43;

/// The SHA-256 thumbprint of a key, RFC 7638: 32 bytes, written as 43 characters of base64url.
///
/// It covers the required members of the key alone (`crv`, `kty`, `x` for Ed25519); names, purposes and private
/// members make no difference.
///
/// ```
/// use jwk::{Jwk, Thumbprint};
///
/// let key = Jwk::parse(br#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#)?;
/// let thumbprint = key.thumbprint().unwrap();
/// assert_eq!(thumbprint.to_string(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
/// assert_eq!("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k".parse(), Ok(thumbprint));
/// assert!("key-1".parse::<Thumbprint>().is_err());
/// # Ok::<(), jwk::JwkError>(())
/// ```
///
/// Spec: RFC 7638, section 3; SIG9421-KEY-2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Thumbprint([u8; 32]);

impl Thumbprint {
    /// The 32 bytes of the digest.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The thumbprint of the required members, in the order of their names. No value has a character that JSON would
    /// escape, see [`is_plain`].
    pub(crate) fn of(members: &[(&str, impl AsRef<str>)]) -> Self {
        let mut text = String::from("{");
        for (index, (name, value)) in members.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            text.extend([comma, "\"", name, "\":\"", value.as_ref(), "\""]);
        }
        text.push('}');
        Thumbprint(Sha256::digest(text.as_bytes()).into())
    }
}

/// Whether a text stands in JSON as it is: key material and the names of curves do.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~') && b != b'"' && b != b'\\')
}

impl FromStr for Thumbprint {
    type Err = ThumbprintError;

    /// Reads 43 characters of base64url.
    ///
    /// # Errors
    /// [`ThumbprintError`] for every other text, a second spelling of the same bytes included.
    fn from_str(text: &str) -> Result<Self, ThumbprintError> {
        let mut bytes = [0; 32];
        // The engine asks for whole groups of space: 43 characters are 33 bytes to it.
        let mut space = [0; 33];
        let len =
            if text.len() == TEXT_LEN { URL_SAFE_NO_PAD.decode_slice(text, &mut space).ok() } else { None };
        match (len, space.first_chunk::<32>()) {
            (Some(32), Some(read)) => {
                bytes.copy_from_slice(read);
                Ok(Thumbprint(bytes))
            }
            _ => Err(ThumbprintError { len: text.len() }),
        }
    }
}

impl fmt::Display for Thumbprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; TEXT_LEN];
        let len = URL_SAFE_NO_PAD.encode_slice(self.0, &mut text).map_err(|_| fmt::Error)?;
        f.write_str(text.get(..len).and_then(|text| core::str::from_utf8(text).ok()).ok_or(fmt::Error)?)
    }
}

impl fmt::Debug for Thumbprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Thumbprint({self})")
    }
}

/// As its text.
#[cfg(feature = "serde")]
impl serde::Serialize for Thumbprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Thumbprint {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = alloc::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A text that is not a thumbprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThumbprintError {
    len: usize,
}

impl ThumbprintError {
    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        "SIG9421-KEY-2"
    }
}

impl fmt::Display for ThumbprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len == TEXT_LEN {
            f.write_str("expected base64url of 32 bytes, found another character or stray bits")
        } else {
            write!(f, "expected a thumbprint of {TEXT_LEN} characters, found {}", self.len)
        }
    }
}

impl core::error::Error for ThumbprintError {}
