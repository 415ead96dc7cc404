//! Decisions: whether a crawler may fetch a path, and why.
//!
//! Of all matching rules in the groups that apply, the one with the most octets decides; of equal ones an `Allow`.
//! The order of the rules does not matter. Without a match, or without a group, the path is allowed.
//!
//! Spec: RFC 9309, "The Allow and Disallow Lines"; AIWI-BOT-4.

use alloc::vec::Vec;
use core::fmt;

use crate::crawler::Crawler;
use crate::file::{Robots, RuleRef};
use crate::options::RobotsMode;
use crate::pattern;
use crate::request_path::RequestPath;

/// The answer for one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[must_use]
pub struct Decision<'r> {
    reason: RobotsReason<'r>,
}

/// Why a path is allowed or disallowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RobotsReason<'r> {
    /// The longest matching rule says so.
    Rule(RuleRef<'r>),
    /// Allowed by default: groups apply, but none of their rules matches.
    NoRule,
    /// Allowed by default: no group names the crawler, and there is no group for all crawlers.
    NoGroup,
    /// Allowed: `/robots.txt` itself always is.
    RobotsTxt,
    /// Allowed: there is no robots.txt to obey (RFC 9309, "Unavailable Status").
    Unavailable,
    /// Disallowed: robots.txt cannot be reached (RFC 9309, "Unreachable Status").
    Unreachable,
    /// Disallowed: the text is neither a path nor a URL ([`RequestPath::is_valid`]), so no rule can be compared with
    /// it.
    NotAPath,
}

impl<'r> Decision<'r> {
    pub(crate) const fn new(reason: RobotsReason<'r>) -> Self {
        Decision { reason }
    }

    /// Whether the path may be fetched.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        match self.reason {
            RobotsReason::Rule(rule) => rule.is_allow,
            RobotsReason::Unreachable | RobotsReason::NotAPath => false,
            _ => true,
        }
    }

    /// Whether the path must be left alone.
    #[must_use]
    pub const fn is_disallowed(&self) -> bool {
        !self.is_allowed()
    }

    /// Returns true if no rule matched: the path is allowed because nothing forbids it.
    #[must_use]
    pub const fn is_default(&self) -> bool {
        matches!(self.reason, RobotsReason::NoRule | RobotsReason::NoGroup)
    }

    /// The rule that decided, if one did.
    #[must_use]
    pub const fn rule(&self) -> Option<RuleRef<'r>> {
        match self.reason {
            RobotsReason::Rule(rule) => Some(rule),
            _ => None,
        }
    }

    /// The reason.
    #[must_use]
    pub const fn reason(&self) -> RobotsReason<'r> {
        self.reason
    }
}

impl fmt::Display for Decision<'_> {
    /// Writes `allowed` or `disallowed`, and why.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_allowed() { "allowed" } else { "disallowed" };
        write!(f, "{verdict}: {}", self.reason)
    }
}

impl fmt::Display for RobotsReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RobotsReason::Rule(rule) => rule.fmt(f),
            RobotsReason::NoRule => f.write_str("no rule for this crawler matches"),
            RobotsReason::NoGroup => f.write_str("no group names this crawler or all crawlers"),
            RobotsReason::RobotsTxt => f.write_str("robots.txt itself may always be fetched"),
            RobotsReason::Unavailable => f.write_str("the site has no robots.txt"),
            RobotsReason::Unreachable => f.write_str("the robots.txt of the site cannot be reached"),
            RobotsReason::NotAPath => {
                f.write_str("expected a path that begins with `/` or a URL, found other text")
            }
        }
    }
}

impl<'a> Robots<'a> {
    /// Whether `crawler` may fetch `path`.
    ///
    /// The crawler is a name, several names of one crawler, or an [`AiWebIndexAgent`](crate::AiWebIndexAgent); the path
    /// is text such as `/a?b` or a URL, a [`RequestPath`], or with the features of that name a `url::Url` or an
    /// `http::Uri`. Text that is neither a path nor a URL is disallowed.
    ///
    /// Compares every rule that applies: `O(file + path)` without wildcards. For many paths, make a
    /// [`Matcher`](crate::Matcher) once.
    ///
    /// Spec: RFC 9309, "The Allow and Disallow Lines"; AIWI-BOT-1, AIWI-BOT-2, AIWI-BOT-4.
    pub fn decide<'c, 'p>(
        &self,
        crawler: impl Into<Crawler<'c>>,
        path: impl Into<RequestPath<'p>>,
    ) -> Decision<'_> {
        self.decide_for(crawler.into(), &path.into())
    }

    pub(crate) fn decide_for(&self, crawler: Crawler<'_>, path: &RequestPath<'_>) -> Decision<'_> {
        if !path.is_valid() {
            return Decision::new(RobotsReason::NotAPath);
        }
        let path = pattern::level_path(path.as_str().as_bytes(), self.mode);
        if is_robots_txt(&path, self.mode) {
            return Decision::new(RobotsReason::RobotsTxt);
        }
        let chosen = self.choose(crawler);
        if chosen.is_nothing() {
            return Decision::new(RobotsReason::NoGroup);
        }
        let mut scratch = Vec::new();
        let mut best: Option<(u32, RuleRef<'_>)> = None;
        for (index, group) in self.groups.iter().enumerate() {
            if !chosen.has_agents(&group.agents) {
                continue;
            }
            for rule in self.rules_of(group) {
                let pattern = self.bytes(rule.pattern);
                let Some(octets) = matched_octets(pattern, rule.allow, &path, self.mode, &mut scratch) else {
                    continue;
                };
                if best.is_none_or(|(most, held)| {
                    octets > most || (octets == most && rule.allow && !held.is_allow)
                }) {
                    best = Some((
                        octets,
                        RuleRef { is_allow: rule.allow, pattern, line: rule.line, group: index },
                    ));
                }
            }
        }
        Decision::new(best.map_or(RobotsReason::NoRule, |(_, rule)| RobotsReason::Rule(rule)))
    }
}

/// The octets of the rule's pattern if it matches the levelled path.
pub(crate) fn matched_octets(
    raw: &[u8],
    is_allow: bool,
    path: &[u8],
    mode: RobotsMode,
    scratch: &mut Vec<u8>,
) -> Option<u32> {
    match pattern::quick(raw, path) {
        Some(true) => return u32::try_from(raw.len()).ok(),
        Some(false) if mode != RobotsMode::Google => return None,
        _ => {}
    }
    scratch.clear();
    let shape = pattern::level_pattern(raw, mode, scratch);
    if pattern::matches(scratch, shape.anchored, path) {
        return Some(shape.octets);
    }
    let folder = index_folder(raw).filter(|_| is_allow && mode == RobotsMode::Google)?;
    scratch.clear();
    let shape = pattern::level_pattern(folder, mode, scratch);
    pattern::matches(scratch, true, path).then_some(shape.octets + 1)
}

/// The folder, with its slash, of a pattern whose last segment begins with `index.htm`.
pub(crate) fn index_folder(pattern: &[u8]) -> Option<&[u8]> {
    let slash = memchr::memrchr(b'/', pattern)?;
    let (folder, page) = pattern.split_at_checked(slash + 1)?;
    page.starts_with(b"index.htm").then_some(folder)
}

/// Whether the levelled path is the file itself, which no rule can forbid.
///
/// Spec: RFC 9309, "The Allow and Disallow Lines"; AIWI-BOT-4.
pub(crate) fn is_robots_txt(path: &[u8], mode: RobotsMode) -> bool {
    mode != RobotsMode::Google && path == b"/robots.txt"
}
