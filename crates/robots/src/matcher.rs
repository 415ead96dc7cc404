//! Decisions for many paths: the rules of one crawler, sorted once.
//!
//! Every rule belongs to the node for its text up to the first wildcard. Nodes are sorted, and each links to the
//! longest other node that is a prefix of it:
//!
//! ```text
//! rules                         nodes (sorted)      begins with
//! Disallow: /a                  /a       -          none
//! Allow:    /a/b                /a/b     +          /a
//! Disallow: /a/b*.gif$          /a/b     -*.gif$    (the same node)
//! Disallow: /c$                 /c       -$         none
//! ```
//!
//! A radix tree over the nodes' texts finds the longest node that is a prefix of a path. Following the links
//! upwards from there visits all such nodes, longest first. The first plain rule on the way is the longest plain
//! rule; wildcard rules are tried longest first, and only as long as they could still win.
//!
//! Cost: `O(n log n)` to build; a decision reads each octet of the path once, and tries the wildcard rules whose
//! text before the first wildcard is a prefix of the path. The number of other rules makes no difference.

use alloc::vec::Vec;

use crate::crawler::Crawler;
use crate::decision::{Decision, RobotsReason, index_folder, is_robots_txt};
use crate::file::{Robots, RuleRef};
use crate::options::RobotsMode;
use crate::pattern::{self, Shape};
use crate::request_path::RequestPath;
use crate::tree::Tree;

/// The rules of one crawler, ready for many paths. Owns its data, is `Send + Sync`, and immutable.
///
/// ```
/// use robots::Robots;
///
/// let robots = Robots::parse(b"User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.gif$\n");
/// let matcher = robots.matcher("AIWebIndex");
/// assert!(matcher.decide("/a/x").is_disallowed());
/// assert!(matcher.decide("/a/b/c").is_allowed());
/// assert_eq!(matcher.decide("/x.gif").rule().map(|rule| rule.line), Some(4));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matcher {
    mode: RobotsMode,
    has_group: bool,
    /// Patterns as written, followed by their normal forms.
    text: Vec<u8>,
    rules: Vec<Rule>,
    nodes: Vec<Node>,
    wild: Vec<Wild>,
    tree: Tree,
}

/// A rule that won against all of the same pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rule {
    start: u32,
    len: u32,
    octets: u32,
    line: u32,
    group: u32,
    allow: bool,
}

/// All rules whose text up to the first wildcard is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    start: u32,
    len: u32,
    /// The longest other node whose text is a prefix of this one's.
    parent: u32,
    /// The rule without wildcards of this node, or of the nearest node above that has one.
    plain: u32,
    /// The rule for just this path.
    exact: u32,
    /// The nearest node with wildcard rules, this one or one above.
    wild_node: u32,
    wild_start: u32,
    wild_end: u32,
}

/// A wildcard rule: what follows the node's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wild {
    start: u32,
    len: u32,
    octets: u32,
    rule: u32,
    anchored: bool,
}

/// No node, no rule.
const NONE: u32 = u32::MAX;

/// A pattern on its way into the index.
struct Entry {
    start: usize,
    len: usize,
    shape: Shape,
    rule: Rule,
}

impl<'a> Robots<'a> {
    /// The rules that apply to `crawler`, sorted for many decisions.
    #[must_use]
    pub fn matcher<'c>(&self, crawler: impl Into<Crawler<'c>>) -> Matcher {
        let chosen = self.choose(crawler.into());
        let mut matcher = Matcher {
            mode: self.mode,
            has_group: !chosen.is_nothing(),
            text: Vec::new(),
            rules: Vec::new(),
            nodes: Vec::new(),
            wild: Vec::new(),
            tree: Tree::default(),
        };
        let mut entries = Vec::new();
        for (group, parsed) in (0u32..).zip(&self.groups) {
            if !chosen.has_agents(&parsed.agents) {
                continue;
            }
            for line in self.rules_of(parsed) {
                let raw = self.bytes(line.pattern);
                let rule = Rule {
                    start: place(matcher.text.len()),
                    len: place(raw.len()),
                    octets: 0,
                    line: line.line,
                    group,
                    allow: line.allow,
                };
                matcher.text.extend_from_slice(raw);
                matcher.level(raw, rule, false, &mut entries);
                if let Some(folder) =
                    index_folder(raw).filter(|_| line.allow && self.mode == RobotsMode::Google)
                {
                    matcher.level(folder, rule, true, &mut entries);
                }
            }
        }
        matcher.build(entries);
        matcher
    }
}

impl Matcher {
    /// Whether the crawler may fetch `path`; see [`Robots::decide`], which gives the same answer.
    pub fn decide<'p>(&self, path: impl Into<RequestPath<'p>>) -> Decision<'_> {
        let path = path.into();
        if !path.is_valid() {
            return Decision::new(RobotsReason::NotAPath);
        }
        let path = pattern::level_path(path.as_str().as_bytes(), self.mode);
        if is_robots_txt(&path, self.mode) {
            return Decision::new(RobotsReason::RobotsTxt);
        }
        let reason = match self.longest(&path) {
            Some(rule) => RobotsReason::Rule(self.rule_ref(rule)),
            None if self.has_group => RobotsReason::NoRule,
            None => RobotsReason::NoGroup,
        };
        Decision::new(reason)
    }

    fn longest(&self, path: &[u8]) -> Option<&Rule> {
        let mut node = self.nodes.get(self.tree.longest_prefix(&self.text, path)? as usize)?;
        let mut best = self.rules.get(node.plain as usize);
        if node.len as usize == path.len() {
            best = longer(best, self.rules.get(node.exact as usize));
        }
        while let Some(wild_node) = self.nodes.get(node.wild_node as usize) {
            let rest = path.get(wild_node.len as usize..).unwrap_or(&[]);
            let wild =
                self.wild.get(wild_node.wild_start as usize..wild_node.wild_end as usize).unwrap_or(&[]);
            for wild in wild {
                if best.is_some_and(|best| best.octets > wild.octets) {
                    break;
                }
                if pattern::matches_tail(self.text_of(wild.start, wild.len), wild.anchored, rest) {
                    best = longer(best, self.rules.get(wild.rule as usize));
                    break;
                }
            }
            match self.nodes.get(wild_node.parent as usize) {
                Some(parent) => node = parent,
                None => break,
            }
        }
        best
    }

    fn text_of(&self, start: u32, len: u32) -> &[u8] {
        self.text.get(start as usize..).and_then(|rest| rest.get(..len as usize)).unwrap_or(&[])
    }

    fn rule_ref(&self, rule: &Rule) -> RuleRef<'_> {
        RuleRef {
            is_allow: rule.allow,
            pattern: self.text_of(rule.start, rule.len),
            line: rule.line,
            group: rule.group as usize,
        }
    }

    /// Adds the levelled form of `raw`.
    fn level(&mut self, raw: &[u8], rule: Rule, anchor: bool, entries: &mut Vec<Entry>) {
        let start = self.text.len();
        let mut shape = pattern::level_pattern(raw, self.mode, &mut self.text);
        if anchor {
            shape = Shape { anchored: true, octets: shape.octets + 1, ..shape };
        }
        let rule = Rule { octets: shape.octets, ..rule };
        entries.push(Entry { start, len: self.text.len() - start, shape, rule });
    }

    /// Sorts the entries into nodes and links them.
    fn build(&mut self, mut entries: Vec<Entry>) {
        let text = core::mem::take(&mut self.text);
        let of = |start: usize, len: usize| text.get(start..).and_then(|rest| rest.get(..len)).unwrap_or(&[]);
        let head = |entry: &Entry| of(entry.start, entry.shape.literal as usize);
        let is_wild = |entry: &Entry| entry.shape.literal as usize != entry.len;
        // Within a node the strongest rule comes first: more octets, then an `Allow`, then the earlier line.
        entries.sort_unstable_by(|a, b| {
            head(a)
                .cmp(head(b))
                .then(b.rule.octets.cmp(&a.rule.octets))
                .then(b.rule.allow.cmp(&a.rule.allow))
                .then(a.rule.line.cmp(&b.rule.line))
        });
        // Nodes that begin the present one, outermost first.
        let mut above: Vec<u32> = Vec::new();
        for members in entries.chunk_by(|a, b| head(a) == head(b)) {
            let Some(first) = members.first() else { continue };
            let text_here = head(first);
            let begins = |outer: &u32| {
                self.nodes
                    .get(*outer as usize)
                    .is_some_and(|node| text_here.starts_with(of(node.start as usize, node.len as usize)))
            };
            while above.last().is_some_and(|outer| !begins(outer)) {
                above.pop();
            }
            let index = place(self.nodes.len());
            let parent = above.last().copied().unwrap_or(NONE);
            let outer = self.nodes.get(parent as usize).copied();
            let mut node = Node {
                start: place(first.start),
                len: first.shape.literal,
                parent,
                plain: NONE,
                exact: NONE,
                wild_node: outer.map_or(NONE, |outer| outer.wild_node),
                wild_start: place(self.wild.len()),
                wild_end: 0,
            };
            for entry in members {
                let rule = place(self.rules.len());
                if is_wild(entry) {
                    self.wild.push(Wild {
                        start: place(entry.start + text_here.len()),
                        len: place(entry.len - text_here.len()),
                        octets: entry.rule.octets,
                        rule,
                        anchored: entry.shape.anchored,
                    });
                    node.wild_node = index;
                } else {
                    let slot = if entry.shape.anchored { &mut node.exact } else { &mut node.plain };
                    if *slot != NONE {
                        continue;
                    }
                    *slot = rule;
                }
                self.rules.push(entry.rule);
            }
            if node.plain == NONE {
                node.plain = outer.map_or(NONE, |outer| outer.plain);
            }
            node.wild_end = place(self.wild.len());
            self.nodes.push(node);
            above.push(index);
        }
        self.text = text;
        let texts: Vec<&[u8]> = self.nodes.iter().map(|node| self.text_of(node.start, node.len)).collect();
        let starts: Vec<u32> = self.nodes.iter().map(|node| node.start).collect();
        self.tree = Tree::new(&texts, &starts);
    }
}

/// The stronger of two matching rules.
fn longer<'m>(held: Option<&'m Rule>, other: Option<&'m Rule>) -> Option<&'m Rule> {
    match (held, other) {
        (Some(a), Some(b)) => {
            let key = |rule: &Rule| (rule.octets, rule.allow, core::cmp::Reverse(rule.line));
            Some(if key(b) > key(a) { b } else { a })
        }
        (held, other) => held.or(other),
    }
}

/// Files are cut below 4 GiB, so an offset always fits.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}
