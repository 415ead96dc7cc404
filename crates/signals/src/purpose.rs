//! Purposes of use.

use core::fmt;
use core::str::FromStr;

/// A use of a fetched resource. Decide each purpose by itself: no signal covers combinations, and a program with
/// two purposes needs both answers.
///
/// The text form is the name in kebab case, as in `ai-input`.
///
/// Spec: catalogue of signals, "One decision"; SIGNAL-D-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Purpose {
    /// A search index with links and short excerpts.
    Search,
    /// Given to a model for one answer.
    AiInput,
    /// Stored for such answers: embeddings, a retrieval store.
    AiIndex,
    /// Changes a model: training, fine-tuning.
    AiTrain,
    /// Automated analysis that is none of these.
    Tdm,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Purpose; 5] =
        [Purpose::Search, Purpose::AiInput, Purpose::AiIndex, Purpose::AiTrain, Purpose::Tdm];

    /// The name: `search`, `ai-input`, `ai-index`, `ai-train` or `tdm`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Purpose::Search => "search",
            Purpose::AiInput => "ai-input",
            Purpose::AiIndex => "ai-index",
            Purpose::AiTrain => "ai-train",
            Purpose::Tdm => "tdm",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PurposeError;

impl fmt::Display for PurposeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of search, ai-input, ai-index, ai-train, tdm")
    }
}

impl core::error::Error for PurposeError {}

impl FromStr for Purpose {
    type Err = PurposeError;

    fn from_str(text: &str) -> Result<Self, PurposeError> {
        Purpose::ALL.into_iter().find(|purpose| purpose.name() == text).ok_or(PurposeError)
    }
}

/// One value for each purpose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(default, rename_all = "kebab-case", bound(deserialize = "T: Default + serde::Deserialize<'de>"))
)]
pub struct ByPurpose<T> {
    /// For [`Purpose::Search`].
    pub search: T,
    /// For [`Purpose::AiInput`].
    pub ai_input: T,
    /// For [`Purpose::AiIndex`].
    pub ai_index: T,
    /// For [`Purpose::AiTrain`].
    pub ai_train: T,
    /// For [`Purpose::Tdm`].
    pub tdm: T,
}

impl<T> ByPurpose<T> {
    /// A value made for each purpose.
    pub fn from_fn(mut make: impl FnMut(Purpose) -> T) -> Self {
        ByPurpose {
            search: make(Purpose::Search),
            ai_input: make(Purpose::AiInput),
            ai_index: make(Purpose::AiIndex),
            ai_train: make(Purpose::AiTrain),
            tdm: make(Purpose::Tdm),
        }
    }

    /// The value for a purpose.
    pub const fn get(&self, purpose: Purpose) -> &T {
        match purpose {
            Purpose::Search => &self.search,
            Purpose::AiInput => &self.ai_input,
            Purpose::AiIndex => &self.ai_index,
            Purpose::AiTrain => &self.ai_train,
            Purpose::Tdm => &self.tdm,
        }
    }

    /// The value for a purpose, to change it.
    pub const fn get_mut(&mut self, purpose: Purpose) -> &mut T {
        match purpose {
            Purpose::Search => &mut self.search,
            Purpose::AiInput => &mut self.ai_input,
            Purpose::AiIndex => &mut self.ai_index,
            Purpose::AiTrain => &mut self.ai_train,
            Purpose::Tdm => &mut self.tdm,
        }
    }

    /// Purposes with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Purpose, &T)> {
        Purpose::ALL.into_iter().map(|purpose| (purpose, self.get(purpose)))
    }
}
