//! A builder for publishers.

use alloc::string::{String, ToString};
use core::fmt::{self, Write as _};

use crate::crawler::is_token_byte;
use crate::delay::CrawlDelay;
use crate::preferences::{Preference, Signal};

/// Writes a robots.txt that reads back unchanged: no value can end a line, begin a comment or be
/// cut.
///
/// ```
/// use robots::{Preference, Robots, RobotsBuilder};
///
/// let file = RobotsBuilder::new()
///     .group(&["AIWebIndex"])
///     .disallow("/private/")
///     .allow("/private/press kit/")
///     .content_usage(None, &[("train-ai", Preference::No)])
///     .group(&["*"])
///     .disallow("/")
///     .sitemap("https://example.com/llm-sitemap.json")
///     .build()?;
/// assert_eq!(
///     file,
///     "User-agent: AIWebIndex\nDisallow: /private/\nAllow: /private/press%20kit/\nContent-Usage: train-ai=n\n\n\
///      User-agent: *\nDisallow: /\n\nSitemap: https://example.com/llm-sitemap.json\n",
/// );
/// assert!(Robots::parse(file.as_bytes()).decide("AIWebIndex", "/private/press%20kit/a").is_allowed());
/// # Ok::<(), robots::BuildError>(())
/// ```
///
/// Spec: RFC 9309, "Formal Syntax"; TCT-DISC-9, LLMI-SEC-5.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct RobotsBuilder {
    groups: String,
    sitemaps: String,
    in_group: bool,
    has_rule: bool,
    error: Option<BuildError>,
}

impl RobotsBuilder {
    /// An empty file, which allows everything.
    pub fn new() -> Self {
        RobotsBuilder::default()
    }

    /// Begins a group for these product tokens, or `*` for all crawlers without a group of their own. Without a rule
    /// the group allows everything.
    pub fn group(mut self, agents: &[&str]) -> Self {
        self.close_group();
        self.in_group = !agents.is_empty();
        for agent in agents {
            let token = !agent.is_empty() && agent.bytes().all(is_token_byte);
            self.check(token || *agent == "*", BuildErrorKind::NotAToken, agent);
            self.line("User-agent", agent);
        }
        self
    }

    /// Adds an `Allow` rule. The pattern begins with `/` or `*`; a blank, `#` and octets outside of ASCII are
    /// percent-encoded.
    pub fn allow(self, pattern: &str) -> Self {
        self.rule("Allow", pattern)
    }

    /// Adds a `Disallow` rule; see [`RobotsBuilder::allow`].
    pub fn disallow(self, pattern: &str) -> Self {
        self.rule("Disallow", pattern)
    }

    /// Adds a `Crawl-delay`, which some crawlers obey.
    pub fn crawl_delay(mut self, delay: CrawlDelay) -> Self {
        self.needs_group("Crawl-delay");
        self.line("Crawl-delay", &delay.to_string());
        self
    }

    /// Adds a `Content-Usage` rule for a path, or for all (draft-ietf-aipref-attach-05).
    pub fn content_usage(mut self, path: Option<&str>, uses: &[(&str, Preference)]) -> Self {
        self.needs_group("Content-Usage");
        let mut value = self.path_in_front(path);
        for (i, (label, preference)) in uses.iter().enumerate() {
            let key =
                label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-.*".contains(&b));
            let starts = label.bytes().next().is_some_and(|b| b.is_ascii_lowercase() || b == b'*');
            self.check(key && starts, BuildErrorKind::NotALabel, label);
            let comma = if i == 0 { "" } else { ", " };
            let token = if *preference == Preference::Yes { "y" } else { "n" };
            value.extend([comma, label, "=", token]);
        }
        self.line("Content-Usage", &value);
        self.has_rule = true;
        self
    }

    /// Adds a `Content-Signal` for a path, or for all.
    pub fn content_signal(mut self, path: Option<&str>, signals: &[(Signal, Preference)]) -> Self {
        self.needs_group("Content-Signal");
        let mut value = self.path_in_front(path);
        for (i, (signal, preference)) in signals.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let word = if *preference == Preference::Yes { "yes" } else { "no" };
            value.extend([comma, signal.name(), "=", word]);
        }
        self.line("Content-Signal", &value);
        self.has_rule = true;
        self
    }

    /// Adds a `Sitemap`: an absolute http or https URL, at the end of the file.
    pub fn sitemap(mut self, url: &str) -> Self {
        let host = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme));
        let plain = url.bytes().all(|b| b.is_ascii_graphic() && b != b'#');
        let good = plain && host.is_some_and(|host| !host.is_empty() && !host.starts_with(['/', '?', ':']));
        self.check(good, BuildErrorKind::NotAUrl, url);
        self.sitemaps.extend(["Sitemap: ", url, "\n"]);
        self
    }

    /// The file.
    ///
    /// # Errors
    /// The first part that was refused: `NoGroup`, `NotAToken`, `NotAPattern`, `NotALabel` or `NotAUrl`.
    pub fn build(mut self) -> Result<String, BuildError> {
        self.close_group();
        match self.error {
            Some(error) => Err(error),
            None => {
                self.groups.push_str(&self.sitemaps);
                Ok(self.groups)
            }
        }
    }

    fn rule(mut self, name: &'static str, pattern: &str) -> Self {
        self.needs_group(name);
        let pattern = self.encoded(pattern);
        self.line(name, &pattern);
        self.has_rule = true;
        self
    }

    fn path_in_front(&mut self, path: Option<&str>) -> String {
        let Some(path) = path else { return String::new() };
        self.check(path.starts_with('/'), BuildErrorKind::NotAPattern, path);
        let mut path = self.encoded(path);
        path.push(' ');
        path
    }

    /// The pattern with every character percent-encoded that cannot be in a line.
    fn encoded(&mut self, pattern: &str) -> String {
        let starts = pattern.starts_with('/') || pattern.starts_with('*');
        let controls = pattern.bytes().any(|b| b.is_ascii_control());
        self.check(starts && !controls, BuildErrorKind::NotAPattern, pattern);
        let mut encoded = String::with_capacity(pattern.len());
        for byte in pattern.bytes() {
            match byte {
                b'#' | b' ' | 0x80.. => _ = write!(encoded, "%{byte:02X}"),
                _ => encoded.push(char::from(byte)),
            }
        }
        encoded
    }

    fn needs_group(&mut self, name: &'static str) {
        self.check(self.in_group, BuildErrorKind::NoGroup, name);
    }

    /// Adds a rule to a group without one: otherwise the `User-agent` lines of the next group would
    /// join it.
    fn close_group(&mut self) {
        if self.in_group {
            if !self.has_rule {
                self.line("Disallow", "");
            }
            self.groups.push('\n');
        }
        (self.in_group, self.has_rule) = (false, false);
    }

    fn line(&mut self, name: &str, value: &str) {
        let blank = if value.is_empty() { "" } else { " " };
        self.groups.extend([name, ":", blank, value, "\n"]);
    }

    fn check(&mut self, good: bool, kind: BuildErrorKind, found: &str) {
        if !good && self.error.is_none() {
            let found = found.chars().take(40).flat_map(char::escape_default).collect();
            self.error = Some(BuildError { kind, found });
        }
    }
}

/// Why a file cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    kind: BuildErrorKind,
    found: String,
}

/// The classes of [`BuildError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BuildErrorKind {
    /// A rule or preference is before the first group.
    NoGroup,
    /// A `User-agent` value is neither `*` nor letters, `_` and `-`.
    NotAToken,
    /// A pattern begins with neither `/` nor `*`, or has a control character.
    NotAPattern,
    /// A label of `Content-Usage` is not a dictionary key.
    NotALabel,
    /// A sitemap is not an absolute http or https URL in ASCII without a fragment.
    NotAUrl,
}

impl BuildError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> BuildErrorKind {
        self.kind
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.kind {
            BuildErrorKind::NoGroup => "a group first",
            BuildErrorKind::NotAToken => "a product token or `*`",
            BuildErrorKind::NotAPattern => {
                "a pattern that begins with `/` or `*` and has no control character"
            }
            BuildErrorKind::NotALabel => "a label in lower-case ASCII",
            BuildErrorKind::NotAUrl => "an absolute http or https URL",
        };
        write!(f, "expected {expected}, found `{}`", self.found)
    }
}

impl core::error::Error for BuildError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused() {
        use BuildErrorKind::*;
        let group = || RobotsBuilder::new().group(&["a"]);
        for (builder, kind) in [
            (RobotsBuilder::new().allow("/"), NoGroup),
            (RobotsBuilder::new().group(&["a b"]), NotAToken),
            (RobotsBuilder::new().group(&["bot/1.0"]), NotAToken),
            (RobotsBuilder::new().group(&["a\nDisallow: /"]), NotAToken),
            (group().disallow("private"), NotAPattern),
            (group().disallow(""), NotAPattern),
            (group().disallow("/a\r\nAllow: /"), NotAPattern),
            (group().content_usage(Some("x"), &[]), NotAPattern),
            (group().content_usage(None, &[("Train", Preference::No)]), NotALabel),
            (group().content_usage(None, &[("", Preference::No)]), NotALabel),
            (RobotsBuilder::new().sitemap("/map.xml"), NotAUrl),
            (RobotsBuilder::new().sitemap("https:///map.xml"), NotAUrl),
            (RobotsBuilder::new().sitemap("https://e.com/\nx"), NotAUrl),
        ] {
            assert_eq!(builder.build().unwrap_err().kind(), kind);
        }
    }

    #[test]
    fn a_group_without_rules_is_closed() {
        let file = RobotsBuilder::new().group(&["a", "b"]).group(&["*"]).disallow("/").build().unwrap();
        assert_eq!(file, "User-agent: a\nUser-agent: b\nDisallow:\n\nUser-agent: *\nDisallow: /\n\n");
    }
}
