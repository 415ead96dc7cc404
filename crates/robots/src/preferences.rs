//! Usage preferences: how fetched content may be used.
//!
//! Two conventions, in two places each: a response's header, and lines of robots.txt that are in a group, with an
//! optional path in front.
//!
//! ```text
//! Content-Usage: train-ai=n              IETF draft-ietf-aipref-attach-05, with the vocabulary of -vocab-08
//! Content-Usage: /blog/ train-ai=y
//! Content-Signal: search=yes, ai-train=no      contentsignals.org, published 2025-09-24
//! ```
//!
//! **Both are drafts**: names may still change, so any label with a `y` or `n` is kept.
//!
//! In robots.txt the groups that apply to the crawler are those of RFC 9309. A `User-agent` line after a preference
//! begins a new group, as after a rule. Of the preferences with a matching path the one with the most octets counts,
//! a line without a path being the shortest of all; if several are equal, or if header and file both state one, `n`
//! (`no`) beats `y` (`yes`). A `Content-Usage` line does not apply to a path that may not be fetched.
//!
//! An absent preference is unstated: neither yes nor no.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::crawler::Crawler;
use crate::dictionary;
use crate::file::Robots;
use crate::line::Field;
use crate::pattern;
use crate::request_path::RequestPath;

/// A statement about one use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Preference {
    /// The use is allowed: `y` or `yes`.
    Yes,
    /// The use is refused: `n` or `no`. Beats [`Preference::Yes`] if both are stated.
    No,
}

/// The uses that a `Content-Signal` can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Signal {
    /// `search`: a search index with links and short excerpts.
    Search,
    /// `ai-input`: input to a model, such as for an answer made on the spot.
    AiInput,
    /// `ai-train`: training or fine-tuning.
    AiTrain,
}

impl Signal {
    /// All signals.
    pub const ALL: [Signal; 3] = [Signal::Search, Signal::AiInput, Signal::AiTrain];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Signal::Search => "search",
            Signal::AiInput => "ai-input",
            Signal::AiTrain => "ai-train",
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How far a use may go, by the member `use` of `Content-Signal`: a ceiling, never a permission.
///
/// An experiment of one vendor, announced on 2026-07-01. Narrower values compare as smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum UseCeiling {
    /// `use=immediate`: for answering the current question; nothing may be kept or reused.
    Immediate,
    /// `use=reference`: an index with short excerpts and a link back.
    Reference,
    /// `use=full`: summaries and reproduction too.
    Full,
}

impl UseCeiling {
    /// The value on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            UseCeiling::Immediate => "immediate",
            UseCeiling::Reference => "reference",
            UseCeiling::Full => "full",
        }
    }

    fn of(value: &[u8]) -> Option<Self> {
        let all = [UseCeiling::Immediate, UseCeiling::Reference, UseCeiling::Full];
        all.into_iter().find(|ceiling| value.eq_ignore_ascii_case(ceiling.name().as_bytes()))
    }
}

impl fmt::Display for UseCeiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The preferences that apply to one fetched resource.
///
/// ```
/// use robots::{Preference, Preferences, Robots, Signal};
///
/// let robots = Robots::parse(b"User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /blog/ train-ai=y\n\
///     Content-Signal: search=yes\nDisallow: /private/\n");
/// let page = Preferences::of_robots(&robots, "AIWebIndex", "/blog/post");
/// assert_eq!(page.usage("train-ai"), Some(Preference::Yes));
/// assert_eq!(page.usage("search"), None, "unstated");
/// assert_eq!(page.signal(Signal::Search), Some(Preference::Yes));
///
/// let both = page.merge(Preferences::of_headers([("Content-Usage", "train-ai=n")]));
/// assert_eq!(both.usage("train-ai"), Some(Preference::No));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Preferences {
    usage: BTreeMap<String, Preference>,
    signals: BTreeMap<Signal, Preference>,
    #[cfg_attr(feature = "serde", serde(default))]
    ceiling: Option<UseCeiling>,
}

impl Preferences {
    /// The preferences in the header fields of a response. Several fields of a name are one list; a `Content-Usage`
    /// list that is not a dictionary is ignored.
    ///
    /// Spec: draft-ietf-aipref-attach-05, "HTTP Content-Usage Header Field".
    pub fn of_headers<'h>(headers: impl IntoIterator<Item = (&'h str, &'h str)>) -> Self {
        let mut usage = String::new();
        let mut preferences = Preferences::default();
        for (name, value) in headers {
            if name.eq_ignore_ascii_case("content-usage") {
                if !usage.is_empty() {
                    usage.push_str(", ");
                }
                usage.push_str(value);
            } else if name.eq_ignore_ascii_case("content-signal") {
                preferences.add_signals(value.as_bytes());
            }
        }
        preferences.add_usage(usage.as_bytes());
        preferences
    }

    /// The preferences in the header fields of a response, read as [`HeaderFields`](crate::HeaderFields).
    ///
    /// Spec: draft-ietf-aipref-attach-05, "HTTP Content-Usage Header Field".
    #[cfg(feature = "http")]
    pub fn of_header_map(headers: &http::HeaderMap) -> Self {
        Preferences::of_headers(crate::HeaderFields::of(headers).iter())
    }

    /// The preferences in robots.txt for `crawler` and `path`; none for text that is neither a path nor a
    /// URL.
    ///
    /// Spec: draft-ietf-aipref-attach-05, "Robots Exclusion Protocol Content-Usage Rule".
    pub fn of_robots<'c, 'p>(
        robots: &Robots<'_>,
        crawler: impl Into<Crawler<'c>>,
        path: impl Into<RequestPath<'p>>,
    ) -> Self {
        let (crawler, path) = (crawler.into(), path.into());
        let mut preferences = Preferences::default();
        if robots.decide_for(crawler, &path).is_allowed() {
            for value in statements(robots, crawler, &path, Field::ContentUsage) {
                preferences.add_usage(value);
            }
        }
        for value in statements(robots, crawler, &path, Field::ContentSignal) {
            preferences.add_signals(value);
        }
        preferences
    }

    /// Combines both: `No` if either states it, unstated if neither states anything.
    #[must_use]
    pub fn merge(mut self, other: Preferences) -> Self {
        for (label, preference) in other.usage {
            restrict(&mut self.usage, label, preference);
        }
        for (signal, preference) in other.signals {
            restrict(&mut self.signals, signal, preference);
        }
        self.lower(other.ceiling);
        self
    }

    /// The preference for a category of use, such as `train-ai`, `search` or `ai-use`; `None` if unstated.
    #[must_use]
    pub fn usage(&self, label: &str) -> Option<Preference> {
        self.usage.get(label).copied()
    }

    /// The preference of a signal; `None` if unstated.
    #[must_use]
    pub fn signal(&self, signal: Signal) -> Option<Preference> {
        self.signals.get(&signal).copied()
    }

    /// The narrowest ceiling that a `Content-Signal` states with `use`; `None` if unstated.
    ///
    /// ```
    /// use robots::{Preferences, UseCeiling};
    ///
    /// let stated = Preferences::of_headers([("Content-Signal", "Use = FULL, search=yes, use=reference")]);
    /// assert_eq!(stated.use_ceiling(), Some(UseCeiling::Reference));
    /// ```
    #[must_use]
    pub fn use_ceiling(&self) -> Option<UseCeiling> {
        self.ceiling
    }

    fn lower(&mut self, ceiling: Option<UseCeiling>) {
        self.ceiling = match (self.ceiling, ceiling) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    /// All categories stated, known to the draft or not, sorted by label.
    pub fn usages(&self) -> impl Iterator<Item = (&str, Preference)> {
        self.usage.iter().map(|(label, preference)| (label.as_str(), *preference))
    }

    /// All signals stated.
    pub fn signals(&self) -> impl Iterator<Item = (Signal, Preference)> {
        self.signals.iter().map(|(signal, preference)| (*signal, *preference))
    }

    /// Adds a dictionary; a later member of a key replaces an earlier one, and only the tokens `y` and `n` count.
    fn add_usage(&mut self, text: &[u8]) {
        let mut stated = BTreeMap::new();
        for (key, token) in dictionary::members(text).unwrap_or_default() {
            let preference = match token {
                Some(b"y") => Some(Preference::Yes),
                Some(b"n") => Some(Preference::No),
                _ => None,
            };
            stated.insert(key, preference);
        }
        for (key, preference) in stated {
            // Keys of a dictionary are ASCII.
            if let (Ok(label), Some(preference)) = (core::str::from_utf8(key), preference) {
                restrict(&mut self.usage, label.into(), preference);
            }
        }
    }

    /// Adds a list of `name=value`; entries that cannot be read are skipped.
    fn add_signals(&mut self, text: &[u8]) {
        for entry in text.split(|b| *b == b',') {
            let Some(at) = entry.iter().position(|b| *b == b'=') else { continue };
            let (name, value) = entry.split_at_checked(at).unwrap_or((entry, &[]));
            let (name, value) = (name.trim_ascii(), value.get(1..).unwrap_or(&[]).trim_ascii());
            if name.eq_ignore_ascii_case(b"use") {
                self.lower(UseCeiling::of(value));
                continue;
            }
            let preference = match value {
                value if value.eq_ignore_ascii_case(b"yes") => Preference::Yes,
                value if value.eq_ignore_ascii_case(b"no") => Preference::No,
                _ => continue,
            };
            let known =
                Signal::ALL.into_iter().find(|signal| name.eq_ignore_ascii_case(signal.name().as_bytes()));
            if let Some(signal) = known {
                restrict(&mut self.signals, signal, preference);
            }
        }
    }
}

fn restrict<K: Ord>(stated: &mut BTreeMap<K, Preference>, key: K, preference: Preference) {
    stated.entry(key).and_modify(|held| *held = preference.max(*held)).or_insert(preference);
}

/// The statements of the longest matching path, without the path.
fn statements<'r>(
    robots: &'r Robots<'_>,
    crawler: Crawler<'_>,
    path: &RequestPath<'_>,
    field: Field,
) -> Vec<&'r [u8]> {
    if !path.is_valid() {
        return Vec::new();
    }
    let chosen = robots.choose(crawler);
    let path = pattern::level_path(path.as_str().as_bytes(), robots.mode);
    let mut scratch = Vec::new();
    let (mut most, mut statements) = (0, Vec::new());
    for record in robots.records.iter().filter(|record| record.field == field) {
        if !chosen.has_agents(&record.agents) {
            continue;
        }
        let value = robots.bytes(record.value);
        let blank = value.iter().position(|b| matches!(b, b' ' | b'\t'));
        let (pattern, statement) = match (value.first(), blank) {
            (Some(b'/'), blank) => {
                value.split_at_checked(blank.unwrap_or(value.len())).unwrap_or((value, &[]))
            }
            _ => (&[][..], value),
        };
        scratch.clear();
        let shape = pattern::level_pattern(pattern, robots.mode, &mut scratch);
        if shape.octets < most || !pattern::matches(&scratch, shape.anchored, &path) {
            continue;
        }
        if shape.octets > most {
            statements.clear();
            most = shape.octets;
        }
        statements.push(statement);
    }
    statements
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn stated(file: &str, agent: &str, path: &str) -> String {
        let preferences = Preferences::of_robots(&Robots::parse(file.as_bytes()), agent, path);
        let usage = preferences.usages().map(|(label, preference)| format!("{label}:{preference:?} "));
        let signals = preferences.signals().map(|(signal, preference)| format!("{signal}:{preference:?} "));
        usage.chain(signals).collect::<String>().trim().into()
    }

    #[test]
    fn the_example_of_the_draft() {
        let file = "User-Agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: train-ai=n\n\
            Content-Usage: /ai-ok/ train-ai=y\n\nUser-Agent: ExampleBot\nAllow: /\nContent-Usage: train-ai=y\n";
        for (agent, path, expected) in [
            ("other", "/test", "train-ai:No"),
            ("other", "/never/test", ""),
            ("other", "/ai-ok/test", "train-ai:Yes"),
            ("ExampleBot", "/never/test", "train-ai:Yes"),
        ] {
            assert_eq!(stated(file, agent, path), expected, "{agent} {path}");
        }
    }

    #[test]
    fn statements_and_how_they_combine() {
        for (lines, expected) in [
            ("Content-Usage: train-ai=n, search=y", "search:Yes train-ai:No"),
            ("content-usage:\ttrain-ai=n # why", "train-ai:No"),
            ("Content-Usage: train-ai=y\nContent-Usage: train-ai=n", "train-ai:No"),
            ("Content-Usage: train-ai=n\nContent-Usage: train-ai=y", "train-ai:No"),
            ("Content-Usage: train-ai=n\nContent-Usage: /p search=y", "search:Yes"),
            ("Content-Usage: /p train-ai=n\nContent-Usage: /P train-ai=y", "train-ai:No"),
            ("Content-Usage: /*e$\ttrain-ai=n", "train-ai:No"),
            ("Content-Usage: /other train-ai=n", ""),
            ("Content-Usage: train-ai=no", ""),
            ("Content-Usage: train-ai = n", ""),
            ("Content-Usage: train-ai=n, broken=", ""),
            ("Content-Usage: train-ai=y, train-ai=n", "train-ai:No"),
            ("Content-Usage: train-ai=n, train-ai=maybe", ""),
            ("Content-Usage: /page", ""),
            ("Content-Usage: other=y;x=1", "other:Yes"),
            ("Content-Signal: search=yes, ai-train=no", "search:Yes ai-train:No"),
            (
                "Content-signal: Search=YES,ai-input = no,use=reference,foo=yes,ai-train=maybe",
                "search:Yes ai-input:No",
            ),
            ("Content-Signal: /blog/ search=no\nContent-Signal: search=yes", "search:Yes"),
            ("Content-Signal: search=yes\nContent-Signal: search=no", "search:No"),
        ] {
            assert_eq!(stated(&format!("User-agent: *\n{lines}\n"), "any", "/page"), expected, "{lines}");
        }
        assert_eq!(stated("Content-Usage: train-ai=n\n", "any", "/"), "", "outside of a group");
    }

    #[test]
    fn a_user_agent_line_after_a_preference_begins_anew() {
        let file = "User-agent: a\nContent-Usage: train-ai=n\nUser-agent: b\nContent-Usage: train-ai=y\n";
        assert_eq!(
            (stated(file, "a", "/").as_str(), stated(file, "b", "/").as_str()),
            ("train-ai:No", "train-ai:Yes")
        );
        let shared = "User-agent: a\nUser-agent: b\nContent-Usage: train-ai=n\n";
        assert_eq!(stated(shared, "a", "/"), stated(shared, "b", "/"));
    }

    /// `preference_groups` shows the groups that are read here: a name has a preference if one of its groups has a line.
    #[test]
    fn the_groups_are_those_that_are_shown() {
        let lines = [
            "User-agent: a\n",
            "User-agent: b\n",
            "Content-Signal: search=no\n",
            "Allow: /\n",
            "License: x\n",
        ];
        for number in 0..5_usize.pow(6) {
            let file: String = (0..6).map(|place| lines[number / 5_usize.pow(place) % 5]).collect();
            let robots = Robots::parse(file.as_bytes());
            let groups: Vec<_> = robots.preference_groups().collect();
            assert!(groups.iter().all(|group| group.agents().count() > 0), "{file}");
            let shown: Vec<_> = groups.iter().flat_map(|group| group.agents().collect::<Vec<_>>()).collect();
            let all: Vec<_> = robots.groups().flat_map(|group| group.agents().collect::<Vec<_>>()).collect();
            assert_eq!(shown, all, "{file}");
            for name in ["a", "b"] {
                let own = groups.iter().filter(|group| group.agents().any(|agent| agent == name.as_bytes()));
                let records: usize = own.map(|group| group.records().count()).sum();
                assert_eq!(records > 0, !stated(&file, name, "/").is_empty(), "{name}: {file}");
            }
        }
    }

    #[test]
    fn header_fields_are_one_list() {
        let read =
            |headers: &[(&'static str, &'static str)]| Preferences::of_headers(headers.iter().copied());
        let both = read(&[("content-usage", "train-ai=y"), ("Content-Usage", "search=n")]);
        assert_eq!(
            (both.usage("train-ai"), both.usage("search")),
            (Some(Preference::Yes), Some(Preference::No))
        );
        assert_eq!(
            read(&[("Content-Usage", "train-ai=n"), ("Content-Usage", "Bad=n")]),
            Preferences::default()
        );
        let signals = read(&[("Content-Signal", "ai-train=yes"), ("Content-Signal", "ai-train=no")]);
        assert_eq!(signals.signal(Signal::AiTrain), Some(Preference::No));
    }
}
