//! Language tags: BCP 47 (RFC 5646), well-formed, grandfathered and private-use ones too.

use alloc::string::String;
use core::fmt;

use oxilangtag::LanguageTag;

/// A well-formed language tag, spelled as the source had it.
///
/// Tags that differ in case only are equal in meaning; see [`Language::is_same`].
///
/// ```
/// use llmindex_types::Language;
/// let tag = Language::parse("zh-hans-cn").unwrap();
/// assert_eq!((tag.as_str(), tag.preferred().as_str()), ("zh-hans-cn", "zh-Hans-CN"));
/// assert_eq!(Language::parse("en_US").unwrap_err().to_string(), "expected a BCP 47 language tag");
/// ```
///
/// Spec: llmindex 0.1, "Required fields"; LLMI-MAN-7, LLMI-AMB-7.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Language(LanguageTag<String>);

impl Language {
    /// Reads a tag.
    ///
    /// # Errors
    /// [`LanguageError`] where the text is not well-formed.
    pub fn parse(text: &str) -> Result<Self, LanguageError> {
        LanguageTag::parse(String::from(text)).map(Language).map_err(|_| LanguageError)
    }

    /// The tag as the source had it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The tag in the casing that RFC 5646 prefers: `zh-Hans-CN`.
    #[must_use]
    pub fn preferred(&self) -> Language {
        match LanguageTag::parse_and_normalize(self.0.as_str()) {
            Ok(tag) => Language(tag),
            Err(_) => self.clone(),
        }
    }

    /// Whether both name the same language: the spelling apart from case.
    #[must_use]
    pub fn is_same(&self, other: &Language) -> bool {
        self.as_str().eq_ignore_ascii_case(other.as_str())
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is no language tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LanguageError;

impl fmt::Display for LanguageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a BCP 47 language tag")
    }
}

impl core::error::Error for LanguageError {}

/// What is to say about a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagVerdict {
    Good,
    /// Good, but the reference's pattern takes it in another casing only.
    Casing,
    /// Good, but the reference's pattern does not take it.
    Uncommon,
    Malformed,
}

/// Judges a tag. Allocates only where the casing is looked at.
pub(crate) fn judge(text: &str) -> TagVerdict {
    // `en` and `zh-CN` are most of what there is.
    if let [b'a'..=b'z', b'a'..=b'z'] | [b'a'..=b'z', b'a'..=b'z', b'-', b'A'..=b'Z', b'A'..=b'Z'] =
        text.as_bytes()
    {
        return TagVerdict::Good;
    }
    if LanguageTag::parse(text).is_err() {
        return TagVerdict::Malformed;
    }
    let Ok(preferred) = LanguageTag::parse_and_normalize(text) else { return TagVerdict::Malformed };
    match (is_common(text), preferred.as_str() == text) {
        (true, true) => TagVerdict::Good,
        (true, false) => TagVerdict::Casing,
        (false, false) if is_common(preferred.as_str()) => TagVerdict::Casing,
        (false, _) => TagVerdict::Uncommon,
    }
}

/// The reference's pattern: two or three lower-case letters, then perhaps `-`, an upper-case letter and one to
/// seven letters.
///
/// Spec: llmindex 0.1, reference schema; LLMI-REF-1.
pub(crate) fn is_common(text: &str) -> bool {
    let (language, region) = match text.split_once('-') {
        Some((language, region)) => (language, Some(region)),
        None => (text, None),
    };
    let region_is_common = |region: &str| {
        (2..=8).contains(&region.len())
            && region.starts_with(|c: char| c.is_ascii_uppercase())
            && region.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && region.is_none_or(region_is_common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TagVerdict::*;

    #[test]
    fn the_table_of_the_catalogue_and_the_grammar() {
        for (text, verdict) in [
            ("en", Good),
            ("zh-CN", Good),
            ("zh-Hans", Good),
            ("yue-HK", Good),
            ("ja", Good),
            ("en-us", Casing),
            ("EN", Casing),
            ("zh-HANS", Casing),
            ("zh-Hans-CN", Uncommon),
            ("es-419", Uncommon),
            ("sr-Latn-RS", Uncommon),
            ("x-klingon", Uncommon),
            ("x-foo", Uncommon),
            ("i-klingon", Uncommon),
            ("de-1996", Uncommon),
            ("de-CH-1901", Uncommon),
            ("en-GB-oed", Uncommon),
            ("sgn-BE-FR", Uncommon),
            ("zh-min-nan", Uncommon),
            ("sl-rozaj-biske-1994", Uncommon),
            ("en-u-co-phonebk", Uncommon),
            ("de-x-private", Uncommon),
            ("en-a-bbb-a-ccc", Uncommon), // repeated singleton: well-formed, not valid
            ("abcdefgh", Uncommon),
            ("en_US", Malformed),
            ("123", Malformed),
            ("", Malformed),
            ("123-invalid", Malformed),
            ("e", Malformed),
            ("en-", Malformed),
            ("-en", Malformed),
            ("en--US", Malformed),
            ("abcdefghi", Malformed),
            ("en-a", Malformed),
            ("en-x", Malformed),
            ("x-", Malformed),
            ("x", Malformed),
            ("i-unknown", Malformed),
            ("en US", Malformed),
            (" en", Malformed),
            ("日本", Malformed),
            ("en-ü", Malformed),
            ("*", Malformed),
        ] {
            assert_eq!(judge(text), verdict, "{text}");
        }
    }

    #[test]
    fn every_grandfathered_tag_is_well_formed() {
        for tag in "en-GB-oed i-ami i-bnn i-default i-enochian i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay \
                    i-tsu sgn-BE-FR sgn-BE-NL sgn-CH-DE art-lojban cel-gaulish no-bok no-nyn zh-guoyu zh-hakka zh-min \
                    zh-min-nan zh-xiang"
            .split_whitespace()
        {
            assert!(Language::parse(tag).is_ok(), "{tag}");
            assert!(Language::parse(&tag.to_ascii_uppercase()).is_ok(), "{tag}");
        }
    }
}
