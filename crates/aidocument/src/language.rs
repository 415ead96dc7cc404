//! Language tags.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use oxilangtag::LanguageTag;

use crate::error::{Quoted, ValueError};

/// A well-formed BCP 47 language tag; the text is kept as it was given.
///
/// Well-formed means the grammar of RFC 5646 with its grandfathered tags; subtags are not looked up in the
/// registry. `und` says that the language is not known.
///
/// ```
/// use aidocument::Language;
///
/// assert_eq!("zh-Hant-TW".parse::<Language>()?.as_str(), "zh-Hant-TW");
/// assert_eq!(Language::default().as_str(), "und");
/// assert_eq!(
///     "en_US".parse::<Language>().unwrap_err().to_string(),
///     r#"expected a BCP 47 language tag, found "en_US""#,
/// );
/// # Ok::<(), aidocument::ValueError>(())
/// ```
///
/// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-14, AIWI-AMB-18.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(String);

impl Language {
    /// The tag's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Language {
    /// `und`: undetermined.
    fn default() -> Self {
        Language("und".to_owned())
    }
}

impl FromStr for Language {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        match LanguageTag::parse(text) {
            Ok(_) => Ok(Language(text.to_owned())),
            Err(_) => Err(ValueError::new("a BCP 47 language tag", Quoted(text), "AIWI-DOC-14")),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

crate::write::texts!(Language);
