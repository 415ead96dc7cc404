//! Dates of the lines around the title, and of notes below the text.

use super::{Line, Look, NOTE};
use crate::letters::head;
use crate::meta::choose::{Candidates, DateKind, Role};
use crate::meta::date_text::dates;
use crate::meta::page_date::PageDate;
use crate::meta::{MetadataSource, people};
use crate::pairs::{Pairs, has_any};
use crate::tree::{NodeId, Tag, Tree};
use crate::words::lines::{MODIFIED, MODIFIED_CLASSES, OTHER, OTHER_CLASSES, PUBLISHED, PUBLISHED_CLASSES};
use crate::words::names::DATED;

/// Phrases before the date in such a note, in lower case.
const FIRST: &[&str] = &["originally published", "first published", "originally posted", "first posted"];

/// Attributes with the text that an element shows when it is pointed at.
const TOOLTIPS: &[&str] =
    &["title", "data-tippy-content", "data-original-title", "data-tooltip", "data-title", "aria-label"];

/// Most texts of a line whose elements are searched for a tooltip.
const TIPPED: usize = 16;

impl Look<'_, '_> {
    /// Elements `<time>`, wherever they are.
    pub(super) fn times(&self, out: &mut Candidates) {
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
                _ if self.zones.holds_title(id) => {
                    DateKind::Line { distance: 0, labelled: true, alone: true }
                }
                Some(distance) if block >= self.title => DateKind::Line { distance, labelled, alone: true },
                Some(_) => DateKind::Before { labelled, is_next: block + 2 >= self.title },
                None => DateKind::TimeFar { labelled },
            };
            out.date(date, role, kind, MetadataSource::Time);
        }
    }

    /// The role given by the line before: "Published", with the date below.
    fn label_before(&self, block: usize) -> Option<Label> {
        let before = self.page.blocks.blocks.get(block.checked_sub(1)?)?;
        if before.counts.words > 5 || before.counts.digits > 3 {
            return None;
        }
        role_of_label(&self.line(before).text)
    }

    /// Short lines beyond the window that say when the page was published: "Posted on March 5, 2024" below an article.
    pub(super) fn lines_beyond(&self, out: &mut Candidates) {
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
    pub(super) fn first_publication(&self, line: &Line, out: &mut Candidates) {
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

    pub(super) fn dates_of(
        &self,
        index: usize,
        line: &Line,
        distance: u16,
        is_before: bool,
        out: &mut Candidates,
    ) {
        let kind = |labelled: bool, alone: bool| match is_before {
            true => DateKind::Before { labelled, is_next: index + 2 >= self.title },
            false => DateKind::Line { distance, labelled, alone },
        };
        if let Some(date) = self.date_in_title(line) {
            out.date(date, Role::Published, kind(false, true), MetadataSource::Markup);
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
            let kind = kind(label.is_some(), line.text.len() - range.len() < 40);
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
    [(PUBLISHED, Label::Published), (MODIFIED, Label::Modified), (OTHER, Label::Other)]
        .into_iter()
        .filter_map(|(words, label)| Some((last(words)?, label)))
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
        let kinds = [
            (PUBLISHED_CLASSES, Label::Published),
            (MODIFIED_CLASSES, Label::Modified),
            (OTHER_CLASSES, Label::Other),
        ];
        if let Some((_, label)) = kinds.into_iter().find(|(classes, _)| has_any(value, classes)) {
            return Some(label);
        }
        if tree.tag(id) == Tag::Body {
            return None;
        }
    }
    None
}
