//! The requirements that the vectors test.

use serde::Deserialize;

/// One row of a specification's catalogue: the requirement, the role that it binds, and who has to
/// meet it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Requirement {
    /// ID, such as `TCT-FP-5`.
    pub id: String,
    /// How binding it is.
    pub level: Level,
    /// The role that it binds, such as `publisher` or `agent`.
    pub role: String,
    /// Chapter of the catalogue.
    pub section: String,
    /// The open question of the specification, if this is a decision.
    #[serde(default)]
    pub problem: Option<String>,
    /// The requirement, or the decision, in our words.
    pub text: String,
    /// Who has to meet it.
    pub status: Status,
    /// Why the library does not have to meet it.
    #[serde(default)]
    pub reason: Option<String>,
}

/// How binding a [`Requirement`] is: the words of BCP 14 and three more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Level {
    /// MUST.
    Must,
    /// MUST NOT.
    #[serde(rename = "MUST NOT")]
    MustNot,
    /// SHOULD.
    Should,
    /// SHOULD NOT.
    #[serde(rename = "SHOULD NOT")]
    ShouldNot,
    /// MAY.
    May,
    /// A statement without keyword.
    Info,
    /// This project's decision on an open question of the text.
    Decision,
    /// Published data.
    Vector,
}

impl Level {
    /// Whether it is a MUST, MUST NOT, SHOULD or SHOULD NOT.
    #[must_use]
    pub const fn is_binding(self) -> bool {
        matches!(self, Level::Must | Level::MustNot | Level::Should | Level::ShouldNot)
    }

    /// The level as it is written, such as `MUST NOT`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Must => "MUST",
            Level::MustNot => "MUST NOT",
            Level::Should => "SHOULD",
            Level::ShouldNot => "SHOULD NOT",
            Level::May => "MAY",
            Level::Info => "INFO",
            Level::Decision => "DECISION",
            Level::Vector => "VECTOR",
        }
    }
}

/// Who has to meet a [`Requirement`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Status {
    /// A library can do it: a vector or a test names it.
    Library,
    /// It is the duty of whoever runs a server, a client or a DNS zone; the documentation says so.
    DutyOfOthers,
    /// There is nothing to do.
    NotApplicable,
}

/// The requirements of one specification, in the order of its catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Catalogue {
    /// JSON Schema that the file names for editors.
    #[serde(rename = "$schema", default)]
    pub schema: Option<String>,
    /// Document and revision.
    pub spec: String,
    /// The rows.
    pub requirements: Vec<Requirement>,
}

/// The requirements of each specification and revision, those of one protocol side by side. Reads the JSON at each call.
pub fn catalogues() -> impl Iterator<Item = Catalogue> {
    CATALOGUES.iter().filter_map(|text| serde_json::from_str(text).ok())
}

const CATALOGUES: &[&str] = &[
    include_str!("../requirements/tct.json"),
    include_str!("../requirements/tct-03.json"),
    include_str!("../requirements/aiwebindex.json"),
    include_str!("../requirements/aiwebindex-2.json"),
    include_str!("../requirements/llmindex.json"),
    include_str!("../requirements/signals.json"),
    include_str!("../requirements/web-bot-auth.json"),
    include_str!("../requirements/agent-ready.json"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_catalogue_reads() {
        for text in CATALOGUES {
            let catalogue: Catalogue = serde_json::from_str(text).unwrap();
            for row in &catalogue.requirements {
                assert_eq!(row.reason.is_none(), row.status == Status::Library, "{}", row.id);
                assert_eq!(
                    row.problem.is_some(),
                    row.level == Level::Decision && !row.id.contains("-D01-"),
                    "{}",
                    row.id
                );
            }
        }
    }
}
