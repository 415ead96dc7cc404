//! `License` lines: where the licence of a site's content is (Really Simple Licensing).
//!
//! ```text
//! License: https://example.com/license.xml     before the first group: for everybody
//! User-agent: ExampleBot
//! License: https://example.com/bot.xml         in a group: for its crawlers, in place of the first
//! ```
//!
//! A licence never changes what may be fetched. A `User-agent` line after a `License` line begins a new group for
//! licences, as it does for `Content-Usage`; for `Allow` and `Disallow` the `License` line is ignored.

use alloc::vec::Vec;

use crate::crawler::Crawler;
use crate::file::{Robots, absolute_url};
use crate::line::Field;

/// Where the licences that apply were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum LicenseScope {
    /// The crawler's own groups name them.
    Group,
    /// They are outside of groups and apply to everybody.
    Global,
    /// There are none for this crawler.
    #[default]
    None,
}

impl LicenseScope {
    /// The name in lower case: `group`, `global` or `none`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LicenseScope::Group => "group",
            LicenseScope::Global => "global",
            LicenseScope::None => "none",
        }
    }
}

impl core::fmt::Display for LicenseScope {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// The licences that robots.txt names for one crawler.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Licenses<'r> {
    /// Absolute http(s) URLs as written, in the order of the file, each once.
    pub urls: Vec<&'r str>,
    /// Where they were found.
    pub scope: LicenseScope,
    /// Number of licence lines in the groups of other crawlers, if no licence applies. A line at the end of the file is
    /// often meant for everybody but belongs to the last group, so a caller may want to warn.
    pub elsewhere: usize,
}

impl Robots<'_> {
    /// The licences for `crawler`: those of its own groups, else those outside of groups.
    ///
    /// Relative URLs are ignored. Cost: one pass over the lines.
    ///
    /// ```
    /// use robots::{LicenseScope, Robots};
    ///
    /// let robots = Robots::parse(b"License: https://example.com/all.xml\nUser-agent: a\nLicense: https://example.com/a.xml\n");
    /// let own = robots.licenses("a");
    /// assert_eq!((own.scope, own.urls), (LicenseScope::Group, vec!["https://example.com/a.xml"]));
    /// let other = robots.licenses("b");
    /// assert_eq!((other.scope, other.urls), (LicenseScope::Global, vec!["https://example.com/all.xml"]));
    /// ```
    ///
    /// Spec: RSL 1.0, "Robots.txt".
    #[must_use]
    pub fn licenses<'c>(&self, crawler: impl Into<Crawler<'c>>) -> Licenses<'_> {
        let chosen = self.choose(crawler.into());
        let (mut own, mut global, mut elsewhere) = (Vec::new(), Vec::new(), 0);
        for record in self.records.iter().filter(|record| record.field == Field::License) {
            let Some(url) = absolute_url(self.bytes(record.value)) else { continue };
            let list = if record.agents.is_empty() {
                &mut global
            } else if chosen.has_agents(&record.agents) {
                &mut own
            } else {
                elsewhere += 1;
                continue;
            };
            list.push(url);
        }
        let (scope, mut urls) = match (own.is_empty(), global.is_empty()) {
            (false, _) => (LicenseScope::Group, own),
            (true, false) => (LicenseScope::Global, global),
            (true, true) => (LicenseScope::None, Vec::new()),
        };
        let mut seen = alloc::collections::BTreeSet::new();
        urls.retain(|url| seen.insert(*url));
        let elsewhere = if scope == LicenseScope::None { elsewhere } else { 0 };
        Licenses { urls, scope, elsewhere }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn licenses(file: &str, agent: &str) -> (alloc::string::String, alloc::string::String, usize) {
        let robots = Robots::parse(file.as_bytes());
        let found = robots.licenses(agent);
        (found.scope.to_string(), found.urls.join(" "), found.elsewhere)
    }

    #[test]
    fn own_groups_replace_the_global_ones() {
        let case = |file: &str, agent: &str, scope: &str, urls: &str, elsewhere: usize| {
            assert_eq!(licenses(file, agent), (scope.into(), urls.into(), elsewhere), "{file} {agent}");
        };
        case(
            "License: https://e.x/1 # why\nLICENSE: https://e.x/1\nlicense:https://e.x/2\n",
            "a",
            "global",
            "https://e.x/1 https://e.x/2",
            0,
        );
        case("License: /rel\nLicense: mailto:a@b\n", "a", "none", "", 0);
        case("License: https://e.x/1\nUser-agent: a\nLicense: rel\n", "a", "global", "https://e.x/1", 0);
        // In two groups of one crawler, both count.
        case(
            "User-agent: a\nLicense: https://e.x/1\nUser-agent: b\nDisallow:\nUser-agent: a\nLicense: https://e.x/2",
            "a",
            "group",
            "https://e.x/1 https://e.x/2",
            0,
        );
        // The line ends the run of User-agent lines for licences, not for rules.
        let file =
            "User-agent: a\nLicense: https://e.x/1\nUser-agent: b\nLicense: https://e.x/2\nDisallow: /x\n";
        case(file, "a", "group", "https://e.x/1", 0);
        case(file, "b", "group", "https://e.x/2", 0);
        assert!(Robots::parse(file.as_bytes()).decide("a", "/x").is_disallowed());
        // A preference does not end it.
        let file = "User-agent: a\nContent-Signal: search=yes\nUser-agent: b\nLicense: https://e.x/2\n";
        case(file, "a", "group", "https://e.x/2", 0);
        case("User-agent: *\nLicense: https://e.x/2\n", "a", "group", "https://e.x/2", 0);
        case("User-agent: b\nDisallow: /\n\nLicense: https://e.x/2\n", "a", "none", "", 1);
    }
}
