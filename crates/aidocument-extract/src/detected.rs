//! The language of a text by its words, where the page declares none.

use aidocument::Language;

use crate::letters::head;
use crate::meta::{Found, MetadataSource};
use crate::pipeline::Content;

/// Most bytes of a text that are read; more do not improve the result.
const MOST: usize = 20_000;

/// Three-letter codes with the two-letter codes that BCP 47 requires; sorted.
#[rustfmt::skip]
const CODES: &[(&str, &str)] = &[
    ("afr", "af"), ("aka", "ak"), ("amh", "am"), ("ara", "ar"), ("aze", "az"), ("bel", "be"), ("ben", "bn"),
    ("bul", "bg"), ("cat", "ca"), ("ces", "cs"), ("cmn", "zh"), ("cym", "cy"), ("dan", "da"), ("deu", "de"),
    ("ell", "el"), ("eng", "en"), ("epo", "eo"), ("est", "et"), ("fin", "fi"), ("fra", "fr"), ("guj", "gu"),
    ("heb", "he"), ("hin", "hi"), ("hrv", "hr"), ("hun", "hu"), ("hye", "hy"), ("ind", "id"), ("ita", "it"),
    ("jav", "jv"), ("jpn", "ja"), ("kan", "kn"), ("kat", "ka"), ("khm", "km"), ("kor", "ko"), ("lat", "la"),
    ("lav", "lv"), ("lit", "lt"), ("mal", "ml"), ("mar", "mr"), ("mkd", "mk"), ("mya", "my"), ("nep", "ne"),
    ("nld", "nl"), ("nob", "nb"), ("ori", "or"), ("pan", "pa"), ("pes", "fa"), ("pol", "pl"), ("por", "pt"),
    ("ron", "ro"), ("rus", "ru"), ("sin", "si"), ("slk", "sk"), ("slv", "sl"), ("sna", "sn"), ("spa", "es"),
    ("srp", "sr"), ("swe", "sv"), ("tam", "ta"), ("tel", "te"), ("tgl", "tl"), ("tha", "th"), ("tuk", "tk"),
    ("tur", "tr"), ("ukr", "uk"), ("urd", "ur"), ("uzb", "uz"), ("vie", "vi"), ("yid", "yi"), ("zul", "zu"),
];

impl Content {
    /// The language of the content's words, by trigrams (`whatlang`, 69 languages); `None` if it is uncertain, as in texts
    /// of a few words. The language that the page declares is in [`PageMetadata::language`](crate::PageMetadata::language),
    /// and is not used. `O(n)` in the first 20 kB.
    ///
    /// ```
    /// use aidocument_extract::Extractor;
    ///
    /// let page = "<p>Der Tee zieht zwei Minuten in Wasser, das nicht mehr kocht, und wird danach sofort getrunken.";
    /// let found = Extractor::new().extract(page).detected_language().ok_or("a language")?;
    /// assert_eq!(found.value.as_str(), "de");
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn detected_language(&self) -> Option<Found<Language>> {
        let found = whatlang::detect(head(&self.text, MOST)).filter(whatlang::Info::is_reliable)?;
        let place = CODES.binary_search_by_key(&found.lang().code(), |(code, _)| code).ok()?;
        let language = CODES.get(place)?.1.parse().ok()?;
        Some(Found::new(language, MetadataSource::Detected, found.confidence() as f32))
    }
}

#[cfg(test)]
mod tests {
    use crate::Extractor;

    #[test]
    fn every_language_of_the_library_has_a_tag() {
        for lang in whatlang::Lang::all() {
            assert!(super::CODES.iter().any(|(code, _)| *code == lang.code()), "{lang:?}");
        }
        assert!(super::CODES.is_sorted());
    }

    #[test]
    fn a_few_words_have_no_language() {
        assert_eq!(Extractor::new().extract("<p>Tea").detected_language(), None);
        assert_eq!(Extractor::new().extract("").detected_language(), None);
    }
}
