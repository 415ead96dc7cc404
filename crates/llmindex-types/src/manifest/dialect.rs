//! What version 0.2 adds.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use web_values::{Language, WebUrl};

/// The pages in one more language: a non-empty part of the four.
///
/// Spec: llmindex 0.2, "localized_endpoints"; LLMI-V02-2.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Localized {
    /// The language.
    pub language: Language,
    /// The pages with their member names, in the order of the four endpoints.
    pub pages: Vec<(&'static str, WebUrl)>,
}

/// Who may use the content, and how.
///
/// Spec: llmindex 0.2, "access_control"; LLMI-V02-3.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct AccessControl {
    /// Names of agents that may; `*` is every agent. Absent: every agent that is not denied.
    pub allow: Option<Vec<String>>,
    /// Names of agents that may not; `*` is every agent.
    pub deny: Vec<String>,
    /// How often one agent may fetch.
    pub rate_limit: Option<RateLimit>,
    /// Whether the source must be named.
    pub requires_attribution: Option<bool>,
    /// Whether the content may be used commercially.
    pub commercial_use: Option<CommercialUse>,
    /// Terms in words.
    pub usage_terms: Option<String>,
}

impl AccessControl {
    /// Whether the agent of this name may use the content. A denial wins; names compare without case.
    ///
    /// ```
    /// use llmindex_types::AccessControl;
    /// let access = AccessControl { allow: Some(vec!["*".into()]), deny: vec!["BadBot".into()], ..Default::default() };
    /// assert!(access.is_allowed("GoodBot") && !access.is_allowed("badbot"));
    /// ```
    ///
    /// Spec: llmindex 0.2, "access_control"; LLMI-V02-3.
    #[must_use]
    pub fn is_allowed(&self, agent: &str) -> bool {
        let lists =
            |names: &[String]| names.iter().any(|name| name == "*" || name.eq_ignore_ascii_case(agent));
        !lists(&self.deny) && self.allow.as_deref().is_none_or(lists)
    }
}

/// A count in a span of time: `500/day`.
///
/// Spec: llmindex 0.2, "access_control"; LLMI-V02-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RateLimit {
    /// How many requests; one that does not fit 64 bits counts as the largest that does.
    pub count: u64,
    /// In which span.
    pub unit: RateUnit,
}

/// The span of a [`RateLimit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RateUnit {
    /// A second.
    Second,
    /// A minute.
    Minute,
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A month.
    Month,
}

impl RateUnit {
    const ALL: [(&'static str, RateUnit); 5] = [
        ("second", RateUnit::Second),
        ("minute", RateUnit::Minute),
        ("hour", RateUnit::Hour),
        ("day", RateUnit::Day),
        ("month", RateUnit::Month),
    ];
}

impl RateLimit {
    /// Reads `<count>/<unit>`: digits, a slash, and `second`, `minute`, `hour`, `day` or `month`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (count, unit) = text.split_once('/')?;
        if count.is_empty() || !count.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (_, unit) = RateUnit::ALL.into_iter().find(|(name, _)| *name == unit)?;
        Some(RateLimit { count: count.parse().unwrap_or(u64::MAX), unit })
    }
}

impl fmt::Display for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name =
            RateUnit::ALL.into_iter().find(|(_, unit)| *unit == self.unit).map_or("", |(name, _)| name);
        write!(f, "{}/{name}", self.count)
    }
}

/// Whether the content may be used commercially.
///
/// Spec: llmindex 0.2, "access_control"; LLMI-V02-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum CommercialUse {
    /// `allowed`
    Allowed,
    /// `non-commercial`: not allowed.
    NonCommercial,
    /// `contact-required`: by agreement.
    ContactRequired,
}

impl fmt::Display for CommercialUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl CommercialUse {
    /// The member's value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            CommercialUse::Allowed => "allowed",
            CommercialUse::NonCommercial => "non-commercial",
            CommercialUse::ContactRequired => "contact-required",
        }
    }

    /// The value of that name, spelled just so.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [CommercialUse::Allowed, CommercialUse::NonCommercial, CommercialUse::ContactRequired];
        all.into_iter().find(|value| value.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn rate_limits() {
        for good in ["500/day", "0/second", "1/month", "30/minute", "2/hour"] {
            assert_eq!(RateLimit::parse(good).unwrap_or_else(|| panic!("{good}")).to_string(), good);
        }
        for bad in ["500 per day", "500/week", "/day", "-1/day", "1.5/day", "500/Day", "500/day ", "500", ""]
        {
            assert_eq!(RateLimit::parse(bad), None, "{bad}");
        }
        assert_eq!(RateLimit::parse("99999999999999999999/day").map(|limit| limit.count), Some(u64::MAX));
    }

    #[test]
    fn denial_wins() {
        let names = |list: &[&str]| list.iter().map(|name| String::from(*name)).collect::<Vec<_>>();
        let access = |allow: Option<&[&str]>, deny: &[&str]| AccessControl {
            allow: allow.map(names),
            deny: names(deny),
            ..AccessControl::default()
        };
        assert!(access(None, &[]).is_allowed("a"));
        assert!(!access(None, &["*"]).is_allowed("a"));
        assert!(!access(Some(&["a"]), &["A"]).is_allowed("a"));
        assert!(!access(Some(&["b"]), &[]).is_allowed("a"));
        assert!(!access(Some(&[]), &[]).is_allowed("a"));
    }
}
