//! The visible lines around the title: dates and bylines.
//!
//! The window starts a few lines before the title's heading and ends with the third long paragraph after it. Lines in
//! a part about something else ([`Zones`]) do not count. Elements `<time>` beyond the window are weak candidates.

use super::choose::{AuthorKind, Candidates, DateKind, Role};
use super::date_text::{DayOrder, dates};
use super::page_date::PageDate;
use super::zones::Zones;
use super::{MetadataSource, Page, head, people};
use crate::content::blocks::Block;
use crate::pairs::Pairs;
use crate::tree::{NodeId, NodeMap, Tag, Tree};
use crate::visibility::{HiddenReason, Left};
use crate::words::lines::{
    AUTHOR_CLASSES, MODIFIED, MODIFIED_CLASSES, NAME_ENDS, NO_AUTHOR_CLASSES, NO_NAME, OTHER, OTHER_CLASSES,
    PROFILES, PUBLISHED, PUBLISHED_CLASSES, REVIEWERS, WEEKDAYS,
};
use crate::words::names::{DATED, SIGNED};

/// Lines before the title that are looked at.
const BEFORE: usize = 12;

/// Lines after the title that are looked at, and long paragraphs that end it earlier.
const AFTER: usize = 60;
const PARAGRAPHS: u32 = 3;

/// Words of a long paragraph; a shorter line may be a byline as a whole.
const LONG: u32 = 40;
const SHORT: u32 = 30;

/// Most words of a note about the article's history.
const NOTE: u32 = 60;

/// Phrases before the date in such a note, in lower case.
const FIRST: &[&str] = &["originally published", "first published", "originally posted", "first posted"];

/// Bytes of a line that are read.
const MOST: usize = 400;

/// Attributes with the text that an element shows when it is pointed at.
const TOOLTIPS: &[&str] =
    &["title", "data-tippy-content", "data-original-title", "data-tooltip", "data-title", "aria-label"];

/// Most texts of a line whose elements are searched for a tooltip.
const TIPPED: usize = 16;

/// A line with its text nodes.
struct Line {
    text: String,
    /// For each text node where its text starts.
    parts: Vec<(usize, NodeId)>,
}

struct Look<'a, 'p> {
    page: &'a Page<'p>,
    zones: Zones<'a>,
    order: DayOrder,
    /// The place of the title's block, or of the first one in `<main>` where no heading is the title.
    title: usize,
    /// Whether that block is the title.
    is_headed: bool,
    /// The window around it.
    window: std::ops::Range<usize>,
    /// For each line of the window, its distance from the title, not counting lines about something
    /// else.
    distances: Vec<Option<u16>>,
}

/// Reads the lines around the title. `O(n)`.
pub(super) fn read(
    page: &Page<'_>,
    heading: Option<NodeId>,
    title: Option<&str>,
    order: DayOrder,
    out: &mut Candidates,
) {
    let Some(look) = Look::of(page, heading, order) else { return };
    look.times(out);
    look.lines(title, out);
    look.lines_beyond(out);
    look.authors_beyond(out);
}

impl<'a, 'p> Look<'a, 'p> {
    fn of(page: &'a Page<'p>, heading: Option<NodeId>, order: DayOrder) -> Option<Self> {
        let tree = page.tree;
        let clues = &page.facts.clues;
        let zones = Zones::new(tree, heading.or(clues.main));
        let first_text = |block: &Block| page.blocks.texts_of(block).first().copied();
        let anchor = heading.or(clues.main);
        let blocks = &page.blocks.blocks;
        let title = match anchor {
            Some(anchor) => blocks.partition_point(|block| first_text(block).is_some_and(|id| id < anchor)),
            None => 0,
        };
        if blocks.is_empty() {
            return None;
        }
        let from = title.saturating_sub(BEFORE);
        let mut distances = Vec::new();
        let (mut distance, mut paragraphs) = (0u16, 0);
        for (index, block) in blocks.iter().enumerate().skip(from).take(400) {
            let elsewhere = zones.is_elsewhere(block.container);
            if index > title && !elsewhere {
                distance += 1;
                paragraphs +=
                    u32::from(block.counts.words >= LONG && block.counts.link_words * 2 < block.counts.words);
            }
            distances.push((!elsewhere).then_some(distance));
            if paragraphs >= PARAGRAPHS || usize::from(distance) >= AFTER {
                break;
            }
        }
        let window = from..from + distances.len();
        Some(Look { page, zones, order, title, is_headed: heading.is_some(), window, distances })
    }

    /// The place of the block in which an element starts.
    fn block_of(&self, id: NodeId) -> usize {
        let blocks = &self.page.blocks.blocks;
        let first = |block: &Block| self.page.blocks.texts_of(block).first().copied();
        let at = blocks.partition_point(|block| first(block).is_some_and(|text| text <= id));
        // An element with text of its own starts before it.
        let next = blocks.get(at).and_then(first);
        if next.is_some_and(|text| self.page.tree.ancestors(text).take(4).any(|around| around == id)) {
            at
        } else {
            at.saturating_sub(1)
        }
    }

    fn distance(&self, block: usize) -> Option<u16> {
        let place = block.checked_sub(self.window.start)?;
        self.distances.get(place).copied().flatten()
    }

    /// Elements `<time>`, wherever they are.
    fn times(&self, out: &mut Candidates) {
        let tree = self.page.tree;
        for &id in &self.page.facts.clues.times {
            let value = tree
                .attr(id, "datetime")
                .or_else(|| tree.attr(id, "content"))
                .or_else(|| tree.attr(id, "created-timestamp"))
                .unwrap_or_default();
            let date = PageDate::of_value(value, self.order)
                .or_else(|| PageDate::of_value(&crate::page::text_of_short(tree, id), self.order));
            let Some(date) = date else { continue };
            let block = self.block_of(id);
            let line = self.page.blocks.blocks.get(block).map(|block| self.line(block));
            let before = line.as_ref().and_then(|line| {
                let place = line
                    .parts
                    .iter()
                    .find(|(_, text)| tree.ancestors(*text).take(4).any(|around| around == id))?
                    .0;
                line.text.get(..place)
            });
            let shown = crate::page::text_of_short(tree, id);
            let own = dates(&shown, self.order)
                .next()
                .and_then(|(_, range)| role_of_label(shown.get(..range.start)?));
            let role = own
                .or_else(|| role_of_class(tree, id))
                .or_else(|| before.and_then(role_of_label))
                .or_else(|| self.label_before(block));
            if role == Some(Label::Other) || self.zones.is_elsewhere(id) {
                continue;
            }
            let labelled = role.is_some();
            let role = if role == Some(Label::Modified) { Role::Modified } else { Role::Published };
            let kind = match self.distance(block) {
                // An element around the title that says when it was made: it is the thing that the page shows.
                _ if self.zones.holds_title(id) => DateKind::Time { distance: 0, labelled: true },
                Some(distance) if block >= self.title => DateKind::Time { distance, labelled },
                Some(_) => DateKind::TimeBefore { labelled, is_next: block + 2 >= self.title },
                None => DateKind::TimeFar { labelled },
            };
            out.date(date, role, kind, MetadataSource::Time);
        }
    }

    fn line(&self, block: &Block) -> Line {
        let texts = self.page.blocks.texts_of(block);
        let mut line =
            Line { text: String::with_capacity(MOST + 4), parts: Vec::with_capacity(texts.len().min(64)) };
        let mut last = None;
        // White space and empty texts count here alone: a line of them is read for each element in it.
        let mut left = 20 * MOST;
        for &id in texts {
            // Labels that are read out ("Posted on") tell what a line is.
            let mark = self.page.tree.seen.mark(id);
            if mark.left != Left::No && mark.verdict.reason() != Some(HiddenReason::ClassReadOut) {
                continue;
            }
            let text = head(self.page.tree.text(id).unwrap_or_default(), left);
            left = left.saturating_sub(text.len() + 8);
            if left == 0 {
                return line;
            }
            let parent = self.page.tree.parent(id);
            if last.is_some_and(|last| last != parent) {
                line.text.push(' ');
            }
            last = Some(parent);
            let start = line.text.len();
            line.parts.push((start, id));
            for piece in text.split_inclusive(char::is_whitespace) {
                let word = piece.trim_end();
                line.text.push_str(word);
                if word.len() < piece.len() && !line.text.ends_with(' ') {
                    line.text.push(' ');
                }
                if line.text.len() > MOST {
                    let mut ends = MOST.max(start) + 1..line.text.len();
                    if let Some(end) = ends.find(|&end| line.text.is_char_boundary(end)) {
                        line.text.truncate(end);
                    }
                    return line;
                }
            }
        }
        line
    }

    /// The role given by the line before: "Published", with the date below.
    fn label_before(&self, block: usize) -> Option<Label> {
        let before = self.page.blocks.blocks.get(block.checked_sub(1)?)?;
        if before.counts.words > 5 || before.counts.digits > 3 {
            return None;
        }
        role_of_label(&self.line(before).text)
    }

    fn lines(&self, title: Option<&str>, out: &mut Candidates) {
        let title = title.unwrap_or_default();
        let blocks = &self.page.blocks.blocks;
        let mut byline_waits = false;
        // Lines that follow each other are in the same elements.
        let mut marks_of = NodeMap::default();
        for index in self.window.clone() {
            let (Some(block), Some(distance)) = (blocks.get(index), self.distance(index)) else { continue };
            if index == self.title && self.is_headed && !title.is_empty() {
                continue;
            }
            let line = self.line(block);
            if line.text.trim() == title {
                continue;
            }
            let is_before = index < self.title;
            if block.counts.words <= NOTE && (3..=12).contains(&block.counts.digits) {
                self.first_publication(&line, out);
            }
            if block.counts.words <= SHORT {
                self.dates_of(index, &line, distance, is_before, out);
                let marked = self.marked_authors(&line, distance, is_before, &mut marks_of, out);
                let lead = self.byline(&line, distance, is_before, byline_waits, out);
                byline_waits = lead && !marked;
            } else {
                byline_waits = false;
                // A report starts with its place and day.
                let start =
                    line.text.get(..line.text.char_indices().nth(90).map_or(line.text.len(), |(at, _)| at));
                let found = start.and_then(|start| {
                    dates(start, self.order).next().map(|(date, range)| (date, range, start))
                });
                if let Some((date, range, start)) = found
                    && !is_before
                    && start.get(range.end..).is_some_and(|rest| {
                        rest.trim_start_matches([' ', ')', ',']).starts_with(['–', '—', '-', '/', ':', '('])
                    })
                {
                    out.date(date, Role::Published, DateKind::Dateline, MetadataSource::Text);
                }
            }
        }
    }

    /// Short lines beyond the window that say when the page was published: "Posted on March 5, 2024" below an article.
    fn lines_beyond(&self, out: &mut Candidates) {
        let blocks = self.page.blocks.blocks.iter().enumerate().skip(self.window.end);
        let mut found: Vec<PageDate> = Vec::new();
        // Dates in elements that are named as one, without a word of what it is the date of.
        let mut named: Vec<PageDate> = Vec::new();
        let mut changed: Vec<PageDate> = Vec::new();
        for (index, block) in blocks {
            let counts = block.counts;
            if counts.words > NOTE
                || !(3..=12).contains(&counts.digits)
                || self.zones.is_elsewhere(block.container)
            {
                continue;
            }
            let line = self.line(block);
            self.first_publication(&line, out);
            if counts.words > 12 {
                continue;
            }
            let Some((date, range)) = dates(&line.text, self.order).next() else { continue };
            let label = role_of_label(line.text.get(..range.start).unwrap_or_default())
                .or_else(|| role_of_class(self.page.tree, block.container))
                .or_else(|| if range.start < 3 { self.label_before(index) } else { None });
            if label == Some(Label::Modified) && !changed.contains(&date) {
                changed.push(date);
            } else if label == Some(Label::Published) && !found.contains(&date) {
                found.push(date);
                // Several are those of other pages or of comments.
                if found.len() > 2 {
                    return;
                }
            } else if label.is_none()
                && range.start < 12
                && named.len() < 2
                && !named.contains(&date)
                && (self.is_named_date(block.container) || self.is_below_byline(index))
            {
                named.push(date);
            }
        }
        if let Some(&date) = found.first().or(named.first().filter(|_| named.len() == 1)) {
            out.date(date, Role::Published, DateKind::TextFar, MetadataSource::Text);
        }
        if let [date] = *changed.as_slice() {
            out.date(date, Role::Modified, DateKind::TextFar, MetadataSource::Text);
        }
    }

    /// "This article was originally published on March 5, 2024."
    fn first_publication(&self, line: &Line, out: &mut Candidates) {
        if !has_any(&line.text, FIRST) {
            return;
        }
        let Some((date, range)) = dates(&line.text, self.order).next() else { return };
        let before = line.text.get(..range.start).unwrap_or_default().to_lowercase();
        // Not the book that the text is about: "This article was …", or nothing before it.
        let is_such = |words: &&str| {
            before.rfind(*words).is_some_and(|at| {
                let subject =
                    before.get(..at).unwrap_or_default().trim_start_matches(|c: char| !c.is_alphanumeric());
                before.len() - at <= words.len() + 6 && (subject.is_empty() || subject.starts_with("this "))
            })
        };
        if FIRST.iter().any(is_such) {
            out.date(date, Role::Published, DateKind::First, MetadataSource::Text);
        }
    }

    /// Whether the line before one is a byline: "By Jane Doe", and the date below.
    fn is_below_byline(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.page.blocks.blocks.get(before));
        before.filter(|block| block.counts.words <= 8).is_some_and(|block| {
            let line = self.line(block);
            let text = line.text.trim();
            people::lead(text).is_some_and(|end| end < text.len())
        })
    }

    /// Whether an element, or one just around it, is named as a date.
    fn is_named_date(&self, id: NodeId) -> bool {
        let tree = self.page.tree;
        std::iter::once(id)
            .chain(tree.ancestors(id))
            .take(2)
            .any(|id| tree.attr(id, "class").is_some_and(|class| self.zones.groups_in(class) & DATED != 0))
    }

    /// The name in a box about the author below the text, if there is exactly one.
    fn authors_beyond(&self, out: &mut Candidates) {
        let tree = self.page.tree;
        let mut found: Vec<String> = Vec::new();
        let mut boxes: NodeMap<bool> = NodeMap::default();
        for block in self.page.blocks.blocks.iter().skip(self.window.end) {
            if block.counts.words > 8 || block.counts.digits > 4 || self.zones.is_elsewhere(block.container) {
                continue;
            }
            let mut around = std::iter::once(block.container).chain(tree.ancestors(block.container)).take(5);
            let is_box = around.any(|id| {
                *boxes.entry(id).or_insert_with(|| {
                    tree.attributes(id).any(|(name, value)| match name {
                        "class" => self.zones.groups_in(value) & SIGNED != 0,
                        "itemprop" => value == "author",
                        _ => false,
                    })
                })
            });
            if !is_box {
                continue;
            }
            for name in people::names(&self.line(block).text) {
                if people::looks_like_name(&name) && is_class_name(&name) && !found.contains(&name) {
                    found.push(name);
                }
            }
            if found.len() > 3 {
                return;
            }
        }
        if let [name] = found.as_slice() {
            out.author(std::slice::from_ref(name), AuthorKind::Far, MetadataSource::Markup);
        }
    }

    fn dates_of(&self, index: usize, line: &Line, distance: u16, is_before: bool, out: &mut Candidates) {
        if let Some(date) = self.date_in_title(line) {
            let kind = if is_before {
                DateKind::TextBefore { labelled: false, is_next: index + 2 >= self.title }
            } else {
                DateKind::Text { distance, labelled: false, alone: true }
            };
            out.date(date, Role::Published, kind, MetadataSource::Markup);
        }
        let mut from = 0;
        for (date, range) in dates(&line.text, self.order).take(4) {
            let before = line.text.get(from..range.start).unwrap_or_default();
            from = range.end;
            let label = role_of_label(before).or_else(|| {
                let node = line.parts.iter().rev().find(|(start, _)| *start <= range.start)?.1;
                self.page
                    .tree
                    .ancestors(node)
                    .take(3)
                    .take_while(|&id| !self.zones.holds_title(id))
                    .find_map(|id| role_of_class(self.page.tree, id))
            });
            let label =
                if label.is_none() && before.trim().is_empty() { self.label_before(index) } else { label };
            if label == Some(Label::Other) {
                continue;
            }
            let role = if label == Some(Label::Modified) { Role::Modified } else { Role::Published };
            let labelled = label.is_some();
            let alone = line.text.len() - range.len() < 40;
            let kind = if is_before {
                DateKind::TextBefore { labelled, is_next: index + 2 >= self.title }
            } else {
                DateKind::Text { distance, labelled, alone }
            };
            out.date(date, role, kind, MetadataSource::Text);
        }
    }

    /// The date in the tooltip of an element that shows "3 days ago".
    fn date_in_title(&self, line: &Line) -> Option<PageDate> {
        let tree = self.page.tree;
        line.parts.iter().take(TIPPED).find_map(|(_, id)| {
            let around = tree
                .ancestors(*id)
                .take(2)
                .find(|&around| matches!(tree.tag(around), Tag::Span | Tag::A | Tag::Abbr | Tag::Div))?;
            TOOLTIPS.iter().find_map(|name| {
                let title = tree.attr(around, name).filter(|title| title.len() < 80)?;
                PageDate::of_value(title, self.order)
            })
        })
    }

    /// Names in elements whose class, relation or target marks an author.
    fn marked_authors(
        &self,
        line: &Line,
        distance: u16,
        is_before: bool,
        marks_of: &mut NodeMap<Option<AuthorMark>>,
        out: &mut Candidates,
    ) -> bool {
        let tree = self.page.tree;
        let mut found: Vec<(AuthorMark, String)> = Vec::new();
        for (place, (start, id)) in line.parts.iter().enumerate() {
            let end = line.parts.get(place + 1).map_or(line.text.len(), |(next, _)| *next);
            let text = line.text.get(*start..end).unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            let around = tree.ancestors(*id).take(6).take_while(|&around| !self.zones.holds_title(around));
            let marks: Vec<AuthorMark> = around
                .filter_map(|around| *marks_of.entry(around).or_insert_with(|| author_mark(tree, around)))
                .collect();
            let Some(&mark) = marks.iter().max() else { continue };
            let text_before = line.text.trim_start();
            if REVIEWERS.iter().any(|lead| people::end_of_lead(text_before, lead).is_some()) {
                return false;
            }
            if dates(text, self.order).next().is_some() {
                continue;
            }
            for name in people::names(text) {
                if found.iter().any(|(_, known)| known == name.trim_matches(['(', ')'])) {
                    continue;
                }
                let words = name.split_whitespace().count();
                let fits = match mark {
                    AuthorMark::Class => is_class_name(&name),
                    // A link to a profile may be one to the reader's own.
                    AuthorMark::Target => {
                        let is_marked = marks.contains(&AuthorMark::Class) && is_class_name(&name);
                        let is_user = distance > 0 && !is_before && words == 1;
                        words <= 6 && (people::looks_like_name(&name) || is_user || is_marked)
                    }
                    AuthorMark::Relation => words <= 6,
                };
                if fits && !found.iter().any(|(_, known)| *known == name) {
                    found.push((mark, name));
                }
            }
        }
        let Some(best) = found.iter().map(|(mark, _)| *mark).max() else { return false };
        let names: Vec<String> =
            found.into_iter().filter(|(mark, _)| *mark == best).map(|(_, name)| name).collect();
        let kind = match best {
            AuthorMark::Class => AuthorKind::Class { distance, is_before },
            AuthorMark::Target => AuthorKind::Target { distance, is_before },
            AuthorMark::Relation => AuthorKind::Relation { distance, is_before },
        };
        out.author(&names, kind, MetadataSource::Markup);
        true
    }

    /// Reads "By Jane Doe", or a name below a line with "By" alone; returns true if the line is
    /// one.
    fn byline(&self, line: &Line, distance: u16, is_before: bool, waits: bool, out: &mut Candidates) -> bool {
        let text = line.text.trim();
        let pieces = text.split(['|', '•', '·', '—', '–', '\u{2022}', '⋅']);
        for piece in pieces.take(6) {
            let end = people::lead(piece);
            if end.is_none() && !waits {
                continue;
            }
            let rest = piece.get(end.unwrap_or_default()..).unwrap_or_default();
            let rest = until_name_ends(rest, self.order);
            if rest.trim_matches([' ', ':']).is_empty() {
                return end.is_some();
            }
            let names = people::names(rest);
            let fits = |name: &String| {
                people::looks_like_name(name)
                    || (name.split_whitespace().count() == 1
                        && name.chars().next().is_some_and(|c| !c.is_lowercase()))
            };
            let names: Vec<String> = names.into_iter().filter(fits).collect();
            if !names.is_empty() {
                let kind = if waits && end.is_none() {
                    AuthorKind::Below { distance }
                } else {
                    AuthorKind::Byline { distance, is_before }
                };
                out.author(&names, kind, MetadataSource::Text);
                return false;
            }
        }
        false
    }
}

/// The text up to the end of a name: a date, a number, " on ", " in ", a comma before a lower-case word.
fn until_name_ends(text: &str, order: DayOrder) -> &str {
    let date = dates(text, order).next().map(|(_, range)| range.start);
    let mut end = date.unwrap_or(text.len());
    if let Some(at) = text.find(|c: char| c.is_numeric() || matches!(c, '(' | '|' | '…' | '“' | '"')) {
        end = end.min(at);
    }
    for word in NAME_ENDS {
        // A second name goes on with the list.
        let goes_on = |at: usize| {
            *word == " with " && text.get(at + word.len()..).is_some_and(people::starts_with_name)
        };
        if let Some(at) = text.find(word).filter(|&at| !goes_on(at)) {
            end = end.min(at);
        }
    }
    // A full stop ends it, except after an initial or "Dr".
    for (at, _) in text.match_indices(". ") {
        let word = text.get(..at).and_then(|head| head.rsplit(' ').next()).unwrap_or_default();
        if word.chars().count() > 3 {
            end = end.min(at);
            break;
        }
    }
    let edges = [' ', ',', '/', '-', '.'];
    let head = text.get(..end).unwrap_or(text).trim_end_matches(&edges[..4]);
    let weekday = |(name, day): &(&str, &str)| {
        date == Some(end)
            && !name.is_empty()
            && WEEKDAYS.contains(&day.trim_end_matches('.').to_lowercase().as_str())
    };
    // "Jane Doe Monday, March 9": the day is the date's.
    head.rsplit_once(' ').filter(weekday).map_or(head, |(name, _)| name.trim_end_matches(edges))
}

/// Returns true if a text in an element with an author's class may be a name, not a job, a count or
/// a label.
fn is_class_name(name: &str) -> bool {
    name.split_whitespace().count() <= 4 && !has_verb(name) && !people::has_job(name)
}

fn has_verb(name: &str) -> bool {
    name.split_whitespace().any(|word| NO_NAME.contains(&word.to_lowercase().as_str()))
}

/// How a class, a relation or a link marks an author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AuthorMark {
    Class,
    Target,
    Relation,
}

fn author_mark(tree: &Tree, id: NodeId) -> Option<AuthorMark> {
    let mut mark = None;
    for (name, value) in tree.attributes(id) {
        let found = match name {
            "rel"
                if head(value, 200)
                    .split_ascii_whitespace()
                    .any(|word| word.eq_ignore_ascii_case("author")) =>
            {
                Some(AuthorMark::Relation)
            }
            "itemprop"
                if head(value, 200)
                    .split_ascii_whitespace()
                    .any(|word| matches!(word, "author" | "creator")) =>
            {
                Some(AuthorMark::Relation)
            }
            "href" if is_profile(value) => Some(AuthorMark::Target),
            "class" | "id" | "data-testid" | "data-qa" if is_author_class(value) => Some(AuthorMark::Class),
            _ => None,
        };
        mark = mark.max(found);
    }
    mark
}

fn is_profile(href: &str) -> bool {
    has_any(head(href, 200), PROFILES)
}

fn is_author_class(value: &str) -> bool {
    let value = head(value, 300);
    has_any(value, AUTHOR_CLASSES)
        && value
            .split_ascii_whitespace()
            .any(|class| has_any(class, AUTHOR_CLASSES) && !has_any(class, NO_AUTHOR_CLASSES))
}

/// Returns true if a text, in any case, contains one of these lower-case words.
fn has_any(text: &str, words: &[&str]) -> bool {
    let pairs = Pairs::of(text);
    let mut among = pairs.among(words).peekable();
    among.peek().is_some() && {
        let text = text.to_ascii_lowercase();
        among.any(|word| text.contains(word))
    }
}

/// The meaning of a label before a date, or of its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Published,
    Modified,
    /// An event, a birthday, the day on which a member joined.
    Other,
}

/// The role that the words just before a date give it: the last of them counts.
fn role_of_label(before: &str) -> Option<Label> {
    if before.trim_ascii().is_empty() {
        return None;
    }
    let start = before.char_indices().rev().nth(60).map_or(0, |(at, _)| at);
    let before = before.get(start..)?.to_lowercase();
    let pairs = Pairs::of(&before);
    let last = |words: &[&str]| {
        let find = |word: &str| memchr::memmem::rfind(before.as_bytes(), word.as_bytes());
        pairs.among(words).filter_map(|word| find(word).map(|at| at + word.len())).max()
    };
    let found =
        [(last(PUBLISHED), Label::Published), (last(MODIFIED), Label::Modified), (last(OTHER), Label::Other)];
    found
        .into_iter()
        .filter_map(|(place, label)| place.map(|place| (place, label)))
        .max_by_key(|(place, _)| *place)
        .map(|(_, label)| label)
}

fn role_of_class(tree: &Tree, id: NodeId) -> Option<Label> {
    if tree.attr(id, "pubdate").is_some() {
        return Some(Label::Published);
    }
    for name in ["itemprop", "class", "id"] {
        let Some(value) = tree.attr(id, name) else { continue };
        let value = head(value, 200);
        // WordPress gives a date that was never changed both classes.
        if has_any(value, PUBLISHED_CLASSES) {
            return Some(Label::Published);
        }
        if has_any(value, MODIFIED_CLASSES) {
            return Some(Label::Modified);
        }
        if has_any(value, OTHER_CLASSES) {
            return Some(Label::Other);
        }
        if tree.tag(id) == Tag::Body {
            return None;
        }
    }
    None
}
