//! Lint: probable mistakes of publishers.
//!
//! Findings never change a decision. They show where readers may not read the file as its author
//! meant it.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use web_values::{Place, Severity};

use crate::crawler::{is_token_byte, is_wildcard};
use crate::delay::CrawlDelay;
use crate::dictionary;
use crate::file::{Robots, absolute_url};
use crate::line::{Field, Item, Line, Lines};
use crate::options::RobotsMode;
use crate::pattern;

/// A probable mistake in a file, with its line.
///
/// Prints as `line 3: expected …, found …`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct RobotsFinding {
    line: u32,
    kind: FindingKind,
    found: String,
}

/// The mistake in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum FindingKind {
    /// A line without a colon. It is ignored, unless it is a `Disallow` with a path.
    NoColon,
    /// The name looks like a misspelt one, such as `disalow`; the line is ignored.
    Misspelt(Field),
    /// The name is unknown; the line is kept as another record.
    UnknownField,
    /// A rule, delay or preference before the first `User-agent` line; it is ignored.
    BeforeAnyGroup,
    /// A `User-agent` value that is not a product token; it is cut at the first other character.
    NotAToken,
    /// A pattern that begins with neither `/` nor `*`; it matches no path.
    MissingSlash,
    /// A `%` without two hex digits; it stands for itself.
    BrokenEscape,
    /// A pattern that is not UTF-8; its octets are compared percent-encoded.
    NotUtf8,
    /// A rule that never decides, because the rule in the given line is stronger wherever this one
    /// matches.
    Unreachable {
        /// Line of the stronger rule.
        by: u32,
    },
    /// A rule about `/robots.txt`, which is always allowed.
    RobotsTxt,
    /// A `Crawl-delay` that is not a non-negative decimal number; it is ignored.
    BadDelay,
    /// A `Sitemap` that is not an absolute http or https URL; it is ignored.
    BadSitemap,
    /// A `Content-Usage` that states nothing that can be read.
    BadUsage,
    /// The file is longer than the limit; nothing is read from this line on.
    Truncated,
}

impl RobotsFinding {
    /// Line of the file, from 1.
    #[must_use]
    pub const fn line(&self) -> u32 {
        self.line
    }

    /// The mistake.
    #[must_use]
    pub const fn kind(&self) -> FindingKind {
        self.kind
    }
}

impl FindingKind {
    /// The stable name in kebab case, such as `no-colon`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            FindingKind::NoColon => "no-colon",
            FindingKind::Misspelt(_) => "misspelt",
            FindingKind::UnknownField => "unknown-field",
            FindingKind::BeforeAnyGroup => "before-any-group",
            FindingKind::NotAToken => "not-a-token",
            FindingKind::MissingSlash => "missing-slash",
            FindingKind::BrokenEscape => "broken-escape",
            FindingKind::NotUtf8 => "not-utf8",
            FindingKind::Unreachable { .. } => "unreachable",
            FindingKind::RobotsTxt => "robots-txt",
            FindingKind::BadDelay => "bad-delay",
            FindingKind::BadSitemap => "bad-sitemap",
            FindingKind::BadUsage => "bad-usage",
            FindingKind::Truncated => "truncated",
        }
    }
}

impl web_values::Finding for RobotsFinding {
    /// `Notice` for lines that do no harm, else `Warning`: no file is invalid.
    fn severity(&self) -> Severity {
        match self.kind {
            FindingKind::UnknownField | FindingKind::Unreachable { .. } | FindingKind::RobotsTxt => {
                Severity::Notice
            }
            _ => Severity::Warning,
        }
    }

    fn code(&self) -> &'static str {
        self.kind.code()
    }

    fn place(&self) -> Place<'_> {
        Place::line(self.line)
    }

    fn message(&self) -> Cow<'_, str> {
        Cow::Owned(Message(self).to_string())
    }
}

impl fmt::Display for RobotsFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, Message(self))
    }
}

/// The clause of a finding without its line.
struct Message<'a>(&'a RobotsFinding);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RobotsFinding { kind, found, .. } = self.0;
        match kind {
            FindingKind::NoColon => write!(f, "expected a name and a colon, found `{found}`"),
            FindingKind::Misspelt(field) => {
                write!(f, "expected `{}`, found `{found}`", field.name())
            }
            FindingKind::UnknownField => write!(f, "expected a known name, found `{found}`"),
            FindingKind::BeforeAnyGroup => {
                write!(f, "expected a `User-agent` line first, found `{found}`")
            }
            FindingKind::NotAToken => {
                write!(f, "expected a product token or `*`, found `{found}`")
            }
            FindingKind::MissingSlash => write!(f, "expected `/` or `*` first, found `{found}`"),
            FindingKind::BrokenEscape => {
                write!(f, "expected two hex digits after `%`, found `{found}`")
            }
            FindingKind::NotUtf8 => write!(f, "expected UTF-8, found `{found}`"),
            FindingKind::Unreachable { by } => {
                write!(f, "expected a rule that can decide, found `{found}` overruled by line {by}")
            }
            FindingKind::RobotsTxt => {
                write!(f, "expected a path other than /robots.txt, which is always allowed, found `{found}`")
            }
            FindingKind::BadDelay => {
                write!(f, "expected seconds as a decimal number, found `{found}`")
            }
            FindingKind::BadSitemap => write!(f, "expected an absolute URL, found `{found}`"),
            FindingKind::BadUsage => {
                write!(f, "expected members such as `train-ai=n`, found `{found}`")
            }
            FindingKind::Truncated => write!(f, "expected a file within the limit"),
        }
    }
}

impl Robots<'_> {
    /// Findings in the order of their lines. `O(n log n)`.
    ///
    /// ```
    /// use robots::Robots;
    ///
    /// let robots = Robots::parse(b"Disallow: /a\nUser-agent: *\nDisalow: /b\nDisallow: c\n");
    /// let findings: Vec<String> = robots.check_lint().iter().map(|finding| finding.to_string()).collect();
    /// assert_eq!(findings, [
    ///     "line 1: expected a `User-agent` line first, found `/a`",
    ///     "line 3: expected `Disallow`, found `Disalow`",
    ///     "line 4: expected `/` or `*` first, found `c`",
    /// ]);
    /// ```
    pub fn check_lint(&self) -> Vec<RobotsFinding> {
        let mut findings = Vec::new();
        let mut in_group = false;
        let mut last = 0;
        for item in Lines::new(&self.text, self.mode) {
            match item {
                Item::NoColon { number, text } => {
                    last = number;
                    findings.push(finding(number, FindingKind::NoColon, text));
                }
                Item::Field(line) => {
                    last = line.number;
                    in_group |= line.field == Field::UserAgent;
                    if let Some(text) = line.without_colon {
                        findings.push(finding(line.number, FindingKind::NoColon, text));
                    }
                    check_line(&line, in_group, self.mode, &mut findings);
                }
            }
        }
        self.check_reach(&mut findings);
        if self.is_truncated() {
            findings.push(finding(last + 1, FindingKind::Truncated, b""));
        }
        findings.sort_by_key(|finding| finding.line);
        findings
    }

    /// Finds rules of a group that have the same pattern as another rule, or the same pattern
    /// followed by `*`.
    fn check_reach(&self, findings: &mut Vec<RobotsFinding>) {
        for group in &self.groups {
            // By what is matched: the strongest rule, as (octets, allows), and its line.
            let mut strongest: BTreeMap<Vec<u8>, (u32, bool, u32)> = BTreeMap::new();
            let mut rules = Vec::new();
            for rule in self.rules_of(group) {
                let mut matched = Vec::new();
                let shape = pattern::level_pattern(self.bytes(rule.pattern), self.mode, &mut matched);
                match (shape.anchored, matched.last()) {
                    // No levelled pattern has a raw line end: it stands for the anchor.
                    (true, _) => matched.push(b'\n'),
                    (false, Some(&pattern::WILDCARD)) => _ = matched.pop(),
                    _ => {}
                }
                let held = strongest.entry(matched.clone()).or_insert((shape.octets, rule.allow, rule.line));
                if (shape.octets, rule.allow) > (held.0, held.1) {
                    *held = (shape.octets, rule.allow, rule.line);
                }
                rules.push((matched, rule));
            }
            for (matched, rule) in rules {
                let winner = strongest.get(&matched).map(|(_, _, line)| *line);
                if let Some(by) = winner.filter(|line| *line != rule.line) {
                    let raw = self.bytes(rule.pattern);
                    findings.push(finding(rule.line, FindingKind::Unreachable { by }, raw));
                }
            }
        }
    }
}

fn check_line(line: &Line<'_>, in_group: bool, mode: RobotsMode, findings: &mut Vec<RobotsFinding>) {
    use FindingKind as Kind;
    let mut report = |kind, found: &[u8]| findings.push(finding(line.number, kind, found));
    let addressed =
        !matches!(line.field, Field::UserAgent | Field::Sitemap | Field::License | Field::Unknown);
    if addressed && !in_group {
        return report(Kind::BeforeAnyGroup, line.value);
    }
    match line.field {
        Field::UserAgent => {
            let token = !line.value.is_empty() && line.value.iter().all(|b| is_token_byte(*b));
            if !token && !is_wildcard(line.value, RobotsMode::Strict) {
                report(Kind::NotAToken, line.value);
            }
        }
        Field::Allow | Field::Disallow => {
            if !line.value.is_empty() && !matches!(line.value.first(), Some(b'/' | b'*')) {
                report(Kind::MissingSlash, line.value);
            }
            if line.value == b"/robots.txt" || line.value == b"/robots.txt$" {
                report(Kind::RobotsTxt, line.value);
            }
            let hex = |b: Option<&u8>| b.is_some_and(u8::is_ascii_hexdigit);
            let mut escapes = memchr::memchr_iter(b'%', line.value);
            if escapes.any(|at| !hex(line.value.get(at + 1)) || !hex(line.value.get(at + 2))) {
                report(Kind::BrokenEscape, line.value);
            }
            if core::str::from_utf8(line.value).is_err() {
                report(Kind::NotUtf8, line.value);
            }
        }
        Field::CrawlDelay if CrawlDelay::read(line.value).is_none() => report(Kind::BadDelay, line.value),
        Field::Sitemap if absolute_url(line.value).is_none() => report(Kind::BadSitemap, line.value),
        Field::ContentUsage => {
            let statement =
                match (line.value.first(), line.value.iter().position(|b| matches!(b, b' ' | b'\t'))) {
                    (Some(b'/'), Some(blank)) => line.value.get(blank..).unwrap_or(&[]),
                    _ => line.value,
                };
            let states = |members: Vec<(&[u8], Option<&[u8]>)>| {
                members.iter().any(|(_, token)| matches!(token, Some(b"y" | b"n")))
            };
            if !dictionary::members(statement).is_some_and(states) {
                report(Kind::BadUsage, line.value);
            }
        }
        Field::Unknown => match meant(line.name) {
            Some(field) => report(Kind::Misspelt(field), line.name),
            None if mode != RobotsMode::Google => report(Kind::UnknownField, line.name),
            None => {}
        },
        _ => {}
    }
}

fn finding(line: u32, kind: FindingKind, found: &[u8]) -> RobotsFinding {
    let found = found.get(..40).unwrap_or(found);
    RobotsFinding { line, kind, found: found.escape_ascii().to_string() }
}

/// The name that a misspelt one probably stands for: blanks, `-` and `_` apart, at most two letters differ.
fn meant(name: &[u8]) -> Option<Field> {
    const FIELDS: [Field; 7] = [
        Field::UserAgent,
        Field::Disallow,
        Field::Allow,
        Field::Sitemap,
        Field::CrawlDelay,
        Field::ContentUsage,
        Field::ContentSignal,
    ];
    if name.len() > 20 {
        return None;
    }
    let letters = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    let name = letters(name);
    FIELDS
        .into_iter()
        .map(|field| (distance(&name, &letters(field.name().as_bytes())), field))
        .filter(|(distance, field)| *distance <= if *field == Field::Allow { 1 } else { 2 })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, field)| field)
}

/// Insertions, deletions and replacements from one word to another; both are short.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b) {
            let replaced = diagonal + usize::from(x != y);
            diagonal = *cell;
            left = replaced.min(*cell + 1).min(left + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(a.len())
}
