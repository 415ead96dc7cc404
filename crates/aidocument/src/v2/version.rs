//! `schema.version` and `schema.ref`.

use alloc::boxed::Box;
use alloc::format;
use core::fmt;
use core::str::FromStr;

use crate::error::{Quoted, ValueError};
use crate::write::texts;

/// A version of the format: major and minor number, such as `2.0`.
///
/// Two decimal numbers without leading zeros and one dot; the text is kept, however large the numbers are.
///
/// ```
/// use aidocument::v2::Version;
///
/// let version: Version = "2.10".parse()?;
/// assert_eq!((version.major(), version.minor()), (2, 10));
/// assert!("2".parse::<Version>().is_err() && "2.00".parse::<Version>().is_err());
/// # Ok::<(), aidocument::ValueError>(())
/// ```
///
/// Spec: AIWebIndex 2.0, "Field definitions"; AIWI2-DOC-6, AIWI2-AMB-4.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version(Box<str>);

impl Version {
    /// The version that the builder writes, `2.0`.
    #[must_use]
    pub fn v2_0() -> Self {
        Version("2.0".into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number before the dot; `u64::MAX` stands for all larger ones.
    #[must_use]
    pub fn major(&self) -> u64 {
        self.numbers().0
    }

    /// The number after the dot; `u64::MAX` stands for all larger ones.
    #[must_use]
    pub fn minor(&self) -> u64 {
        self.numbers().1
    }

    fn numbers(&self) -> (u64, u64) {
        let (major, minor) = self.0.split_once('.').unwrap_or((&self.0, ""));
        (major.parse().unwrap_or(u64::MAX), minor.parse().unwrap_or(u64::MAX))
    }
}

impl FromStr for Version {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let is_number = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_digit())
                && (text == "0" || !text.starts_with('0'))
        };
        match text.split_once('.') {
            Some((major, minor)) if is_number(major) && is_number(minor) => Ok(Version(text.into())),
            _ => Err(ValueError::new("a version such as 2.0", Quoted(text), "AIWI2-DOC-6")),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An opaque identifier of a document's content: `aidoc:` and visible ASCII characters after it.
///
/// It stays the same across cache states and across new fetches of an unchanged page. Compare refs only between
/// documents of one producer: how a ref is computed is not specified, so this crate never computes one by itself.
///
/// ```
/// use aidocument::v2::Ref;
///
/// let own = Ref::of_digest([0xab; 16]);
/// assert_eq!(own.as_str(), "aidoc:sha256:abababababababababababababababab");
/// assert!("aidoc:".parse::<Ref>().is_err());
/// ```
///
/// Spec: AIWebIndex 2.0, "Field definitions"; AIWI2-DOC-7, AIWI2-DOC-8, AIWI2-AMB-7, AIWI2-AMB-8.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ref(Box<str>);

impl Ref {
    /// The recommended form: `aidoc:sha256:` and the first 128 bits of a SHA-256 as 32 lower-case hex digits. What is
    /// hashed is the caller's choice.
    #[must_use]
    pub fn of_digest(digest: [u8; 16]) -> Self {
        Ref(format!("aidoc:sha256:{:032x}", u128::from_be_bytes(digest)).into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true for `aidoc:sha256:` without 32 lower-case hex digits after it.
    pub(crate) fn is_odd(&self) -> bool {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let digest = self.0.strip_prefix("aidoc:sha256:");
        digest.is_some_and(|digest| digest.len() != 32 || !digest.bytes().all(is_digit))
    }
}

impl FromStr for Ref {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let id = text.strip_prefix("aidoc:");
        match id.is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic())) {
            true => Ok(Ref(text.into())),
            false => {
                let expected = "\"aidoc:\" and visible ASCII characters after it";
                Err(ValueError::new(expected, Quoted(text), "AIWI2-DOC-7"))
            }
        }
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

texts!(Version, Ref);
