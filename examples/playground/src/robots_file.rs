//! A robots.txt file: may this crawler fetch this URL, which line says so, and what else the file says.

use robots::{Preference, Preferences, RequestPath, Robots, RobotsReason};
use serde::Serialize;
use web_values::FindingRecord;

/// The answer for one URL.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// `rule`, `no-rule`, `no-group`, `robots-txt` or `not-a-path`.
    pub reason: &'static str,
    /// The rule that decides.
    pub rule: Option<Rule>,
    /// Path and query that the rules were compared with.
    pub path: String,
    /// Seconds between two requests that the file asks for.
    pub crawl_delay: Option<f64>,
    /// What the file says about use of the page.
    pub preferences: Stated,
}

/// A rule of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// Whether it allows.
    pub allow: bool,
    /// The pattern as written.
    pub pattern: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its group, from 0.
    pub group: usize,
}

/// Preferences about use, for one URL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stated {
    /// `Content-Usage` (AIPREF): category and whether it is allowed.
    pub usage: Vec<(String, bool)>,
    /// `Content-Signal`: signal and whether it is given.
    pub signals: Vec<(String, bool)>,
    /// `use=` of `Content-Signal`: the narrowest that is stated.
    pub ceiling: Option<&'static str>,
}

/// What a file holds, for any crawler.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contents {
    /// The groups, with the lines of their rules.
    pub groups: Vec<Group>,
    /// The values of `Sitemap` lines.
    pub sitemaps: Vec<String>,
    /// What is odd, by line.
    pub findings: Vec<FindingRecord>,
}

/// One group of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The values of its `User-agent` lines.
    pub agents: Vec<String>,
    /// The lines of its rules, from 1.
    pub lines: Vec<u32>,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The verdict of `robots` for a crawler that goes by `agents`, about a path or URL.
#[must_use]
pub fn verdict(robots: &Robots<'_>, agents: &[&str], url: &str) -> Verdict {
    let path = RequestPath::new(url);
    let decision = robots.decide(agents, path.clone());
    let reason = match decision.reason() {
        RobotsReason::Rule(_) => "rule",
        RobotsReason::NoRule => "no-rule",
        RobotsReason::NoGroup => "no-group",
        RobotsReason::RobotsTxt => "robots-txt",
        RobotsReason::NotAPath => "not-a-path",
        RobotsReason::Unavailable => "unavailable",
        // `Unreachable`, and what later versions add: nobody but a fetch of the file knows them.
        _ => "unreachable",
    };
    let rule = decision.rule().map(|rule| Rule {
        allow: rule.is_allow,
        pattern: text(rule.pattern),
        line: rule.line,
        group: rule.group,
    });
    let stated = Preferences::of_robots(robots, agents, path.clone());
    let yes = |preference| preference == Preference::Yes;
    Verdict {
        allowed: decision.is_allowed(),
        reason,
        rule,
        path: path.as_str().to_owned(),
        crawl_delay: robots.crawl_delay(agents).map(robots::CrawlDelay::as_secs_f64),
        preferences: Stated {
            usage: stated.usages().map(|(label, stated)| (label.to_owned(), yes(stated))).collect(),
            signals: stated
                .signals()
                .map(|(signal, stated)| (signal.name().to_owned(), yes(stated)))
                .collect(),
            ceiling: stated.use_ceiling().map(robots::UseCeiling::name),
        },
    }
}

/// Groups, sitemaps and lint of a file.
#[must_use]
pub fn contents(robots: &Robots<'_>) -> Contents {
    let groups = robots.groups().map(|group| Group {
        agents: group.agents().map(text).collect(),
        lines: group.rules().map(|rule| rule.line).collect(),
    });
    Contents {
        groups: groups.collect(),
        sitemaps: robots.sitemaps().map(str::to_owned).collect(),
        findings: robots.check_lint().iter().map(web_values::Finding::to_record).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "User-agent: *\nDisallow: /private/\nContent-Usage: train-ai=n\n\
        Content-Signal: search=yes, ai-train=no\nCrawl-delay: 2.5\nDisalow: /x\n";

    #[test]
    fn a_verdict_names_its_line_and_the_preferences() {
        let robots = Robots::parse(FILE.as_bytes());
        let found = verdict(&robots, &["AIWebIndex"], "https://example.com/private/a");
        assert!(!found.allowed);
        assert_eq!((found.reason, found.rule.unwrap().line), ("rule", 2));
        let found = verdict(&robots, &["AIWebIndex"], "https://example.com/a?b");
        assert_eq!((found.allowed, found.path.as_str(), found.crawl_delay), (true, "/a?b", Some(2.5)));
        assert_eq!(found.preferences.usage, [("train-ai".to_owned(), false)]);
        assert_eq!(found.preferences.signals.len(), 2);
        assert_eq!(verdict(&robots, &["AIWebIndex"], "example.com").reason, "not-a-path");
    }

    #[test]
    fn lint_has_lines() {
        let found = contents(&Robots::parse(FILE.as_bytes()));
        assert_eq!((found.groups.len(), found.findings.len()), (1, 1));
        assert_eq!(found.findings[0].line, Some(6));
    }
}
