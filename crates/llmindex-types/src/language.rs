//! Checks of language tags: full BCP 47, and the narrower pattern of the reference implementation.

use web_values::Language;

/// The verdict on a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagVerdict {
    Good,
    /// Well-formed, but the reference's pattern accepts it in another casing only.
    Casing,
    /// Well-formed, but the reference's pattern refuses it.
    Uncommon,
    Malformed,
}

/// Checks a tag. Allocates only to compare the casing.
pub(crate) fn judge(text: &str) -> TagVerdict {
    // `en` and `zh-CN` are most of what there is.
    if let [b'a'..=b'z', b'a'..=b'z'] | [b'a'..=b'z', b'a'..=b'z', b'-', b'A'..=b'Z', b'A'..=b'Z'] =
        text.as_bytes()
    {
        return TagVerdict::Good;
    }
    let Ok(tag) = Language::parse(text) else { return TagVerdict::Malformed };
    let preferred = tag.preferred();
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
            // In no casing either.
            ("ZH-hans-cn", Uncommon),
            ("ES-419", Uncommon),
            ("x-any", Uncommon),
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
