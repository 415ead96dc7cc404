//! Language tags: BCP 47 (RFC 5646), well-formed; grandfathered and private-use ones too.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use oxilangtag::LanguageTag;

/// A well-formed language tag, spelled as the source had it.
///
/// Well-formed means the grammar of RFC 5646 with its grandfathered tags; subtags are not looked up in the registry.
/// The default is `und`, undetermined. The derived equality compares spellings; [`is_same`](Self::is_same) ignores
/// case.
///
/// ```
/// use web_values::Language;
///
/// let tag = Language::parse("zh-hans-cn").unwrap();
/// assert_eq!((tag.as_str(), tag.preferred().as_str()), ("zh-hans-cn", "zh-Hans-CN"));
/// assert_eq!(Language::parse("en_US").unwrap_err().to_string(), "expected a BCP 47 language tag such as en-US");
/// assert_eq!(Language::default().as_str(), "und");
/// ```
///
/// Spec: RFC 5646, "Classes of Conformance" (well-formed).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(String);

impl Language {
    /// Reads a tag; nothing is trimmed.
    ///
    /// # Errors
    /// [`LanguageError`] if the text is not well-formed.
    pub fn parse(text: &str) -> Result<Self, LanguageError> {
        if Language::is_well_formed(text) { Ok(Language(text.to_owned())) } else { Err(LanguageError) }
    }

    /// Returns true if the text is a well-formed tag. `O(n)`, no allocation.
    #[must_use]
    pub fn is_well_formed(text: &str) -> bool {
        LanguageTag::parse(text).is_ok()
    }

    /// The tag as the source had it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The tag in the casing that RFC 5646 prefers: `zh-Hans-CN`.
    #[must_use]
    pub fn preferred(&self) -> Language {
        match LanguageTag::parse_and_normalize(&self.0) {
            Ok(tag) => Language(tag.into_inner()),
            Err(_) => self.clone(),
        }
    }

    /// The primary language subtag in lower case, such as `zh`; the whole tag for grandfathered and private-use ones.
    #[must_use]
    pub fn primary(&self) -> Cow<'_, str> {
        let primary = LanguageTag::parse(self.0.as_str()).map_or(0, |tag| tag.primary_language().len());
        let primary = self.0.get(..primary).unwrap_or(&self.0);
        if primary.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(primary.to_ascii_lowercase())
        } else {
            Cow::Borrowed(primary)
        }
    }

    /// Returns true if both tags differ in case at most.
    #[must_use]
    pub fn is_same(&self, other: &Language) -> bool {
        self.as_str().eq_ignore_ascii_case(other.as_str())
    }
}

impl Default for Language {
    /// `und`: undetermined.
    fn default() -> Self {
        Language("und".to_owned())
    }
}

impl FromStr for Language {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, LanguageError> {
        Language::parse(text)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Language {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Language {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Language {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Cow<'de, str>>::deserialize(deserializer)?;
        Language::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// A text that is not a well-formed language tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LanguageError;

impl fmt::Display for LanguageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a BCP 47 language tag such as en-US")
    }
}

impl core::error::Error for LanguageError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar() {
        for text in [
            "en",
            "zh-CN",
            "zh-Hans",
            "es-419",
            "sr-Latn-RS",
            "x-klingon",
            "i-klingon",
            "de-1996",
            "de-CH-1901",
            "en-u-co-phonebk",
            "de-x-private",
            "en-a-bbb-a-ccc",
            "abcdefgh",
            "EN",
            "zh-HANS",
            "art-lojban",
            "I-AMI",
        ] {
            assert!(Language::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "en_US",
            "123",
            "e",
            "en-",
            "-en",
            "en--US",
            "abcdefghi",
            "en-a",
            "en-x",
            "x-",
            "x",
            "i-unknown",
            "en US",
            " en",
            "日本",
            "en-ü",
            "*",
        ] {
            assert_eq!(Language::parse(text), Err(LanguageError), "{text}");
        }
    }

    #[test]
    fn parts_and_casing() {
        let tag = |text| Language::parse(text).unwrap();
        assert_eq!(tag("ZH-hans").primary(), "zh");
        assert_eq!(tag("x-klingon").primary(), "x-klingon");
        assert_eq!(tag("EN-us").preferred().as_str(), "en-US");
        assert!(tag("EN-us").is_same(&tag("en-US")) && tag("EN-us") != tag("en-US"));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn json() {
        assert_eq!(serde_json::to_string(&Language::default()).unwrap(), "\"und\"");
        assert!(serde_json::from_str::<Language>("\"en_US\"").is_err());
    }
}
