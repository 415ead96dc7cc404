//! A robots.txt file, read once.
//!
//! The file is kept unchanged; the parser adds the positions of its lines, a dozen bytes each:
//!
//! ```text
//! User-agent: a        agents  a b | *
//! User-agent: b        groups  {agents 0..2, rules 0..2}  {agents 2..3, rules 2..3}
//! Disallow: /x         rules   -/x +/x/y | -/
//! Allow: /x/y
//! Sitemap: https://…   records sitemap, crawl delay, preferences, unknown
//! User-agent: *
//! Disallow: /
//! ```
//!
//! A group begins at a `User-agent` line that follows a rule; further `User-agent` lines join it. Any other line
//! neither opens nor closes one. Rules before the first group are ignored.
//!
//! Spec: RFC 9309, "Protocol Definition"; AIWI-BOT-3.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::crawler::{Crawler, is_token_byte, is_wildcard};
use crate::delay::CrawlDelay;
use crate::line::{Field, Item, Line, Lines};
use crate::options::{ParseOptions, RobotsMode};

/// A parsed robots.txt.
///
/// Reading never fails: anything that is not a rule is skipped, including NUL bytes and invalid UTF-8. Cost: one
/// pass, and about a dozen bytes a line. The bytes are borrowed; [`Robots::into_owned`] copies them.
///
/// ```
/// use robots::Robots;
///
/// let robots = Robots::parse(b"User-agent: AIWebIndex\nDisallow: /private/\nCrawl-delay: 5\n");
/// let decision = robots.decide("AIWebIndex", "/private/page");
/// assert!(decision.is_disallowed());
/// assert_eq!(decision.rule().map(|rule| rule.line), Some(2));
/// ```
///
/// Spec: RFC 9309, "Specification"; AIWI-BOT-1, AIWI-BOT-2, AIWI-BOT-3, AIWI-BOT-8.
#[derive(Clone, PartialEq, Eq)]
pub struct Robots<'a> {
    pub(crate) text: Cow<'a, [u8]>,
    pub(crate) mode: RobotsMode,
    pub(crate) agents: Vec<AgentLine>,
    pub(crate) groups: Vec<Group>,
    pub(crate) rules: Vec<RuleLine>,
    pub(crate) records: Vec<Record>,
    pub(crate) truncated: bool,
}

/// Place of some bytes in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AgentLine {
    pub(crate) value: Span,
    pub(crate) line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RuleLine {
    pub(crate) pattern: Span,
    pub(crate) line: u32,
    pub(crate) allow: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) agents: Range<u32>,
    pub(crate) rules: Range<u32>,
}

/// A line that is neither a `User-agent` line nor a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) field: Field,
    pub(crate) name: Span,
    pub(crate) value: Span,
    pub(crate) line: u32,
    /// The group it is in, if any.
    pub(crate) group: Option<u32>,
    /// The `User-agent` lines that a preference or a licence is addressed to. For preferences, a preference line
    /// counts as a rule, as its draft says: a `User-agent` line after it begins a new group. The same holds for
    /// licences.
    pub(crate) agents: Range<u32>,
}

impl<'a> Robots<'a> {
    /// Reads a file by RFC 9309, up to 500 KiB of it.
    ///
    /// A file in UTF-16, which some editors write, is decoded first: read as UTF-8 it would have no rules and allow
    /// everything. [`Robots::as_bytes`] then gives the decoded text.
    #[must_use]
    pub fn parse(text: &'a [u8]) -> Self {
        Robots::parse_with(text, ParseOptions::default())
    }

    /// Reads a file with another mode or limit.
    #[must_use]
    pub fn parse_with(text: &'a [u8], options: ParseOptions) -> Self {
        let (text, truncated) = within(text, options.max_bytes);
        if let Some(decoded) = web_values::text_of_utf16(text).filter(|_| options.mode == RobotsMode::Rfc) {
            let unlimited = ParseOptions { max_bytes: usize::MAX, ..options };
            return Robots { truncated, ..Robots::parse_with(decoded.as_bytes(), unlimited).into_owned() };
        }
        let mut robots = Robots {
            text: Cow::Borrowed(text),
            mode: options.mode,
            agents: Vec::new(),
            groups: Vec::new(),
            rules: Vec::new(),
            records: Vec::new(),
            truncated,
        };
        let mut reader = Reader { base: text.as_ptr() as usize, ..Reader::default() };
        for item in Lines::new(text, options.mode) {
            if let Item::Field(line) = item {
                reader.line(&mut robots, &line);
            }
        }
        reader.close(&mut robots);
        robots
    }

    /// The same file with an owned copy of its bytes.
    #[must_use]
    pub fn into_owned(self) -> Robots<'static> {
        Robots {
            text: Cow::Owned(self.text.into_owned()),
            mode: self.mode,
            agents: self.agents,
            groups: self.groups,
            rules: self.rules,
            records: self.records,
            truncated: self.truncated,
        }
    }

    /// The bytes that were read: all of the file, or the part within the limit.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.text
    }

    /// How the file was read.
    #[must_use]
    pub const fn mode(&self) -> RobotsMode {
        self.mode
    }

    /// Whether the file was longer than the limit.
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Groups in the order of the file.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = GroupRef<'_>> {
        (0..self.groups.len()).map(|index| GroupRef { robots: self, index })
    }

    /// Groups as `Content-Usage` and `Content-Signal` lines have them, in the order of the file: as [`groups`](Self::groups),
    /// but a `User-agent` line after such a line begins anew too, which `Allow` and `Disallow` lines do not see.
    /// [`Preferences`](crate::Preferences) reads these groups. `O(n log n)` for all.
    ///
    /// ```
    /// use robots::Robots;
    ///
    /// let robots = Robots::parse(b"User-agent: *\nContent-Signal: ai-train=no\nUser-agent: GPTBot\nAllow: /\n");
    /// assert_eq!(robots.groups().len(), 1);
    /// let groups: Vec<_> = robots.preference_groups().collect();
    /// assert!(groups[0].agents().eq([b"*"]) && groups[1].agents().eq([b"GPTBot"]));
    /// assert_eq!((groups[0].records().count(), groups[1].records().count()), (1, 0));
    /// ```
    ///
    /// Spec: draft-ietf-aipref-attach-05, "Robots Exclusion Protocol Content-Usage Rule".
    pub fn preference_groups(&self) -> impl Iterator<Item = PreferenceGroupRef<'_>> {
        self.groups.iter().flat_map(move |group| {
            let Range { mut start, end } = group.agents;
            core::iter::from_fn(move || {
                // The first preference after the line ends the group; its rules do at the latest.
                let at = self.records.partition_point(|record| record.agents.end <= start);
                let records = self.records.get(at..).unwrap_or(&[]);
                let preference =
                    records.iter().take_while(|record| record.agents.end <= end).find(is_preference);
                let agents = start..preference.map_or(end, |record| record.agents.end);
                start = agents.end;
                (!agents.is_empty()).then_some(PreferenceGroupRef { robots: self, agents })
            })
        })
    }

    /// The longest `Crawl-delay` of the crawler's groups, as written; `None` if they have no readable one.
    ///
    /// ```
    /// use robots::Robots;
    ///
    /// let robots = Robots::parse(b"User-agent: *\nCrawl-delay: 0.5\nDisallow: /x\nCrawl-delay: soon\n");
    /// assert_eq!(robots.crawl_delay("AIWebIndex").map(|delay| delay.as_secs_f64()), Some(0.5));
    /// ```
    ///
    /// Spec: AIWI-BOT-10, AIWI-AMB-35.
    #[must_use]
    pub fn crawl_delay<'c>(&self, crawler: impl Into<Crawler<'c>>) -> Option<CrawlDelay> {
        let chosen = self.choose(crawler.into());
        self.records
            .iter()
            .filter(|record| record.field == Field::CrawlDelay)
            .filter(|record| record.group.is_some_and(|group| chosen.has_group(self, group)))
            .filter_map(|record| CrawlDelay::read(self.bytes(record.value)))
            .max()
    }

    /// The values of `Sitemap` lines in the order of the file, whatever group they are in.
    ///
    /// Only absolute http and https URLs in UTF-8 are returned; relative values are ignored. The files may be
    /// XML sitemaps or JSON ones, and may lie on another host.
    ///
    /// Spec: RFC 9309, "Other Records"; TCT-DISC-9.
    pub fn sitemaps(&self) -> impl Iterator<Item = &str> {
        let sitemaps = self.records.iter().filter(|record| record.field == Field::Sitemap);
        sitemaps.filter_map(|record| absolute_url(self.bytes(record.value)))
    }

    /// Lines with a name and a value that are neither `User-agent` lines nor rules, in the order of the file.
    ///
    /// Spec: RFC 9309, "Other Records".
    pub fn other_records(&self) -> impl Iterator<Item = OtherRecord<'_>> {
        self.records.iter().map(|record| self.record(record))
    }

    fn record(&self, record: &Record) -> OtherRecord<'_> {
        OtherRecord {
            field: record.field,
            name: self.bytes(record.name),
            value: self.bytes(record.value),
            line: record.line,
            group: record.group.map(|group| group as usize),
        }
    }

    /// The bytes at a position; empty if it is not in the file, which the parser never produces.
    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        self.text.get(span.start as usize..).and_then(|rest| rest.get(..span.len as usize)).unwrap_or(&[])
    }

    pub(crate) fn agents_of(&self, agents: &Range<u32>) -> &[AgentLine] {
        self.agents.get(agents.start as usize..agents.end as usize).unwrap_or(&[])
    }

    pub(crate) fn rules_of(&self, group: &Group) -> &[RuleLine] {
        self.rules.get(group.rules.start as usize..group.rules.end as usize).unwrap_or(&[])
    }

    /// Chooses the `User-agent` lines that count for the crawler: those that name it, or else those for
    /// all crawlers.
    pub(crate) fn choose(&self, crawler: Crawler<'_>) -> Chosen {
        let names = |agent: &AgentLine| crawler.is_named_by(self.bytes(agent.value), self.mode);
        let speaks = |agent: &AgentLine| is_wildcard(self.bytes(agent.value), self.mode);
        let is_named = self.agents.iter().any(names);
        let mut count = 0u32;
        let counts = self.agents.iter().map(|agent| {
            count += u32::from(if is_named { names(agent) } else { speaks(agent) });
            count
        });
        let counts: Vec<u32> = counts.collect();
        Chosen { counts }
    }
}

/// The `User-agent` lines that count for a crawler, as prefix sums: for each line, how many count up to it. Any range
/// of lines is then checked in constant time.
///
/// Spec: RFC 9309, "The User-Agent Line"; AIWI-BOT-2.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    counts: Vec<u32>,
}

impl Chosen {
    /// Returns true if no line counts.
    pub(crate) fn is_nothing(&self) -> bool {
        self.up_to(self.counts.len()) == 0
    }

    pub(crate) fn has_agents(&self, agents: &Range<u32>) -> bool {
        self.up_to(agents.end as usize) > self.up_to(agents.start as usize)
    }

    fn up_to(&self, end: usize) -> u32 {
        let last = end.min(self.counts.len()).checked_sub(1);
        last.and_then(|last| self.counts.get(last)).copied().unwrap_or(0)
    }

    fn has_group(&self, robots: &Robots<'_>, group: u32) -> bool {
        robots.groups.get(group as usize).is_some_and(|group| self.has_agents(&group.agents))
    }
}

impl fmt::Debug for Robots<'_> {
    /// Shows the start of the file as text, and counts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.text.get(..200).unwrap_or(&self.text);
        f.debug_struct("Robots")
            .field("mode", &self.mode)
            .field("bytes", &self.text.len())
            .field("groups", &self.groups.len())
            .field("rules", &self.rules.len())
            .field("records", &self.records.len())
            .field("is_truncated", &self.truncated)
            .field("start", &Text(start))
            .finish()
    }
}

/// Bytes that print as escaped text.
struct Text<'a>(&'a [u8]);

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// One group of a file as preferences have them: its `User-agent` lines, and its `Content-Usage` and `Content-Signal` lines.
#[derive(Debug, Clone)]
pub struct PreferenceGroupRef<'r> {
    robots: &'r Robots<'r>,
    agents: Range<u32>,
}

impl<'r> PreferenceGroupRef<'r> {
    /// Values of the `User-agent` lines, as written.
    pub fn agents(&self) -> impl Iterator<Item = &'r [u8]> {
        let robots = self.robots;
        robots.agents_of(&self.agents).iter().map(move |agent| robots.bytes(agent.value))
    }

    /// The `Content-Usage` and `Content-Signal` lines, in the order of the file.
    pub fn records(&self) -> impl Iterator<Item = OtherRecord<'r>> {
        let (robots, end) = (self.robots, self.agents.end);
        let at = robots.records.partition_point(|record| record.agents.end < end);
        let records = robots.records.get(at..).unwrap_or(&[]).iter();
        records
            .take_while(move |record| record.agents.end == end)
            .filter(is_preference)
            .map(move |record| robots.record(record))
    }
}

fn is_preference(record: &&Record) -> bool {
    matches!(record.field, Field::ContentUsage | Field::ContentSignal)
}

/// One group of a file: its `User-agent` lines and its rules.
#[derive(Debug, Clone, Copy)]
pub struct GroupRef<'r> {
    robots: &'r Robots<'r>,
    index: usize,
}

impl<'r> GroupRef<'r> {
    fn group(&self) -> Option<&'r Group> {
        self.robots.groups.get(self.index)
    }

    /// Position among the groups of the file, from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Values of the `User-agent` lines, as written.
    pub fn agents(&self) -> impl Iterator<Item = &'r [u8]> {
        let robots = self.robots;
        let agents = self.group().map_or(&[][..], |group| robots.agents_of(&group.agents));
        agents.iter().map(move |agent| robots.bytes(agent.value))
    }

    /// Rules in the order of the file; a line with an empty value is not a rule.
    pub fn rules(&self) -> impl Iterator<Item = RuleRef<'r>> {
        let (robots, group) = (self.robots, self.index);
        let rules = self.group().map_or(&[][..], |group| robots.rules_of(group));
        rules.iter().map(move |rule| RuleRef {
            is_allow: rule.allow,
            pattern: robots.bytes(rule.pattern),
            line: rule.line,
            group,
        })
    }
}

/// One `Allow` or `Disallow` line. Prints as `Disallow: /private/ (line 3)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleRef<'r> {
    /// Whether it allows; otherwise it disallows.
    pub is_allow: bool,
    /// The pattern as written, never empty.
    pub pattern: &'r [u8],
    /// Line of the file, from 1.
    pub line: u32,
    /// Group of the file, from 0.
    pub group: usize,
}

impl fmt::Display for RuleRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.is_allow { "Allow" } else { "Disallow" };
        write!(f, "{name}: {} (line {})", self.pattern.escape_ascii(), self.line)
    }
}

impl fmt::Debug for RuleRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleRef")
            .field("is_allow", &self.is_allow)
            .field("pattern", &Text(self.pattern))
            .field("line", &self.line)
            .field("group", &self.group)
            .finish()
    }
}

/// A line that is neither a `User-agent` line nor a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OtherRecord<'r> {
    /// What it is about.
    pub field: Field,
    /// The name as written.
    pub name: &'r [u8],
    /// The value as written.
    pub value: &'r [u8],
    /// Line of the file, from 1.
    pub line: u32,
    /// Group that it is in, from 0.
    pub group: Option<usize>,
}

impl fmt::Debug for OtherRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OtherRecord")
            .field("field", &self.field)
            .field("name", &Text(self.name))
            .field("value", &Text(self.value))
            .field("line", &self.line)
            .field("group", &self.group)
            .finish()
    }
}

/// The part of `text` within the limit, without a line that the limit cuts.
fn within(text: &[u8], max_bytes: usize) -> (&[u8], bool) {
    let max_bytes = max_bytes.min(u32::MAX as usize);
    let Some((start, rest)) = text.split_at_checked(max_bytes) else { return (text, false) };
    let ends_line = |b: &u8| matches!(b, b'\n' | b'\r');
    match rest.first() {
        None => (text, false),
        Some(next) if ends_line(next) || start.last().is_some_and(ends_line) => (start, true),
        Some(_) => {
            let end = memchr::memrchr2(b'\n', b'\r', start).map_or(0, |at| at + 1);
            (start.get(..end).unwrap_or(start), true)
        }
    }
}

/// State of the one pass over the lines.
#[derive(Debug, Default)]
struct Reader {
    base: usize,
    /// Where the lines of the current group begin.
    first_agent: u32,
    first_rule: u32,
    /// Where the `User-agent` lines of the next preference begin.
    first_addressee: u32,
    seen_rule: bool,
    seen_preference: bool,
    /// The same for licences.
    first_licensee: u32,
    seen_license: bool,
}

impl Reader {
    fn span(&self, part: &[u8]) -> Span {
        let start = (part.as_ptr() as usize).wrapping_sub(self.base);
        // Files are cut at `u32::MAX` bytes before they are read.
        Span { start: u32::try_from(start).unwrap_or(u32::MAX), len: u32::try_from(part.len()).unwrap_or(0) }
    }

    fn line(&mut self, robots: &mut Robots<'_>, line: &Line<'_>) {
        match line.field {
            Field::UserAgent => self.agent(robots, line),
            Field::Allow | Field::Disallow => self.rule(robots, line),
            field => {
                let agents = count(&robots.agents);
                let preference = matches!(field, Field::ContentUsage | Field::ContentSignal);
                self.seen_preference |= preference;
                self.seen_license |= field == Field::License;
                let first = if field == Field::License { self.first_licensee } else { self.first_addressee };
                robots.records.push(Record {
                    field,
                    name: self.span(line.name),
                    value: self.span(line.value),
                    line: line.number,
                    group: (agents > 0).then(|| count(&robots.groups)),
                    agents: first..agents,
                });
            }
        }
    }

    fn agent(&mut self, robots: &mut Robots<'_>, line: &Line<'_>) {
        if self.seen_rule {
            self.close(robots);
        }
        if self.seen_rule || self.seen_preference {
            self.first_addressee = count(&robots.agents);
        }
        if self.seen_rule || self.seen_license {
            self.first_licensee = count(&robots.agents);
        }
        (self.seen_rule, self.seen_preference, self.seen_license) = (false, false, false);
        let strict = robots.mode == RobotsMode::Strict;
        let conforms =
            line.value == b"*" || (!line.value.is_empty() && line.value.iter().all(|b| is_token_byte(*b)));
        let value = if strict && !conforms { &[] } else { line.value };
        let value = if value.is_empty() { Span { start: 0, len: 0 } } else { self.span(value) };
        robots.agents.push(AgentLine { value, line: line.number });
    }

    fn rule(&mut self, robots: &mut Robots<'_>, line: &Line<'_>) {
        let strict = robots.mode == RobotsMode::Strict;
        if robots.agents.is_empty() || (strict && !line.value.is_empty() && !is_strict_path(line.value)) {
            return;
        }
        self.seen_rule = true;
        if !line.value.is_empty() {
            let allow = line.field == Field::Allow;
            robots.rules.push(RuleLine { pattern: self.span(line.value), line: line.number, allow });
        }
    }

    /// Ends the current group, if there is one.
    fn close(&mut self, robots: &mut Robots<'_>) {
        let (agents, rules) = (count(&robots.agents), count(&robots.rules));
        if agents > self.first_agent {
            robots.groups.push(Group { agents: self.first_agent..agents, rules: self.first_rule..rules });
        }
        (self.first_agent, self.first_rule) = (agents, rules);
    }
}

/// A path by the grammar: begins with `/`, is UTF-8 without controls and blanks.
pub(crate) fn is_strict_path(value: &[u8]) -> bool {
    value.first() == Some(&b'/')
        && !value.iter().any(|b| b.is_ascii_control() || *b == b' ')
        && core::str::from_utf8(value).is_ok()
}

/// The value of a `Sitemap` or `License` line as text, if it is an absolute http or https URL.
pub(crate) fn absolute_url(value: &[u8]) -> Option<&str> {
    let value = core::str::from_utf8(value).ok()?;
    let (scheme, rest) = value.split_once("://")?;
    let web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    (web && !host.is_empty()).then_some(value)
}

/// A file of less than 4 GiB has fewer lines than that.
fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
