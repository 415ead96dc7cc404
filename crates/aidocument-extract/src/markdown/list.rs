//! Lists: their markers, and whether an empty line separates their items.

use super::Writer;
use super::lines::Container;
use crate::rules::Rule;
use crate::structure::noise;
use crate::tree::{NodeId, Step, Tag};
use crate::words::list::words;

/// Nodes of an item that are searched for a heading.
const MOST_LOOKED_AT: usize = 60;

/// A list that is open.
#[derive(Debug)]
pub(super) struct List {
    pub(super) ordered: bool,
    number: u64,
    pub(super) delimiter: char,
    tight: bool,
    /// Whether no item of it was written.
    pub(super) is_new: bool,
    /// Whether it stands right in another list, as a part of the item before it.
    pub(super) continues_item: bool,
}

/// Bullets that pages write themselves.
const BULLETS: [&str; 11] = words("• ◦ ▪ ‣ ● ■ · ► – * -");

/// The first numbers as they are counted in Roman letters.
const ROMAN: [&str; 12] = words("i ii iii iv v vi vii viii ix x xi xii");

/// Whether a text is a number, as digits, as a letter or in Roman letters, with or without brackets and a stop.
fn is_number(text: &str, number: u64) -> bool {
    let text = text.trim_matches(['(', ')', '.']).to_ascii_lowercase();
    let place = usize::try_from(number).unwrap_or_default().wrapping_sub(1);
    let letter = b"abcdefghijklmnopqrstuvwxyz".get(place);
    text == number.to_string()
        || ROMAN.get(place).is_some_and(|roman| *roman == text)
        || letter.is_some_and(|letter| text.as_bytes() == [*letter])
}

impl List {
    fn marker(&self, number: u64) -> String {
        if self.ordered { format!("{number}{} ", self.delimiter) } else { format!("{} ", self.delimiter) }
    }
}

/// Whether an element is a list with items.
pub(super) const fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir)
}

impl Writer<'_> {
    pub(super) fn open_list(&mut self, id: NodeId, ordered: bool) {
        let start = self.tree.attr(id, "start").and_then(|start| start.trim().parse().ok());
        let mut delimiter = if ordered { '.' } else { '-' };
        let tight = self.is_tight(id);
        let mut is_new = true;
        let is_in_list = self.tree.parent(id).is_some_and(|parent| is_list(self.tree.tag(parent)));
        let around = self.lists.last().filter(|around| is_in_list && !around.is_new);
        let continues_item = around.is_some();
        if let Some(around) = around {
            let marker = around.marker(around.number.saturating_sub(1));
            self.nest(Container::Item { marker, fresh: false, tight: around.tight, list: None });
        }
        if let Some((before, depth)) = &self.closed_list
            && before.ordered == ordered
            && before.delimiter == delimiter
            && *depth == self.containers.len()
        {
            // Two lists in a row must not become one, except where the marks of a document are to be all alike.
            if ordered || self.selection.is_whole() {
                delimiter = if ordered { ')' } else { '*' };
            } else {
                is_new = !(tight && before.tight);
            }
        }
        let number = start.filter(|start| *start <= 999_999_999u64).unwrap_or(1);
        self.lists.push(List { ordered, number, delimiter, tight, is_new, continues_item });
    }

    /// True if no item has more than a line and nested lists, and nothing is between items: a paragraph there
    /// would absorb the next item as a continuation line.
    fn is_tight(&self, list: NodeId) -> bool {
        self.tree.children(list).all(|item| {
            let tag = self.tree.tag(item);
            let blank = self.tree.text(item).is_none_or(|text| text.trim_ascii().is_empty());
            let between = self.tree.is_element(item) && !tag.is_block() && !tag.is_silent();
            blank
                && !between
                && (if is_list(tag) {
                    self.is_line(item)
                } else {
                    self.tree.children(item).all(|child| self.is_line(child))
                })
                && !self.has_heading(item)
        })
    }

    /// Whether an item has a heading, which stands apart from what is around it, other than in a list of its own.
    fn has_heading(&self, item: NodeId) -> bool {
        let mut walk = self.tree.walk(item);
        let mut left = MOST_LOOKED_AT;
        while let Some(step) = walk.next().filter(|_| left > 0) {
            let Step::Enter(id) = step else { continue };
            left -= 1;
            match self.tree.tag(id) {
                tag if is_list(tag) => walk.skip_children(),
                tag if tag.heading_level().is_some() => return true,
                _ => {}
            }
        }
        false
    }

    /// Whether a list is a box of a page, and no answer in a thread: it has one item, which begins with a heading.
    pub(super) fn is_box(&self, list: NodeId) -> bool {
        if self.selection.is_whole() || !self.lists.is_empty() {
            return false;
        }
        let mut items = self.tree.children(list).filter(|&item| self.tree.is_element(item));
        let (Some(item), None) = (items.next(), items.next()) else { return false };
        let mut inside = self.tree.descendants(item).take(MOST_LOOKED_AT);
        let first = inside.find(|&id| self.tree.text(id).is_some_and(|text| !text.trim().is_empty()));
        first.is_some_and(|text| {
            let mut around = self.tree.ancestors(text).take_while(|&around| around != item);
            around.any(|around| self.tree.tag(around).heading_level().is_some())
        })
    }

    /// Whether an item is the only one of such a list.
    pub(super) fn is_in_box(&self, item: NodeId) -> bool {
        self.tree.parent(item).is_some_and(|list| is_list(self.tree.tag(list)) && self.is_box(list))
    }

    /// Whether a part of an item is on its line, or a list that needs no empty line before it.
    fn is_line(&self, child: NodeId) -> bool {
        let tag = self.tree.tag(child);
        match tag {
            Tag::Ul => true,
            Tag::Ol => self.tree.attr(child, "start").is_none_or(|start| start == "1"),
            Tag::Div => self.tree.children(child).all(|inner| !self.tree.tag(inner).is_block()),
            _ => !tag.is_block(),
        }
    }

    /// Whether an element only repeats the mark of the item that it begins: a bullet, or the item's number.
    pub(super) fn is_mark_of_item(&self, id: NodeId, tag: Tag) -> bool {
        let Some(Container::Item { fresh: true, list: Some(place), .. }) = self.containers.last() else {
            return false;
        };
        let Some(list) = self.lists.get(*place).filter(|_| self.inline.is_empty()) else { return false };
        let has_text =
            |id| self.tree.is_element(id) || self.tree.text(id).is_some_and(|text| !text.trim().is_empty());
        self.tree.rules.has(Rule::SaidNoise)
            && matches!(tag, Tag::Span | Tag::Div | Tag::B | Tag::Strong)
            && self.tree.following(id).any(has_text)
            && !self.tree.preceding(id).any(has_text)
            && noise::text_of(self.tree, id).is_some_and(|text| {
                let text = text.trim();
                BULLETS.contains(&text) || (list.ordered && is_number(text, list.number.saturating_sub(1)))
            })
    }

    pub(super) fn open_item(&mut self) {
        let place = self.lists.len().checked_sub(1);
        let item = match self.lists.last_mut() {
            Some(list) => {
                let marker = list.marker(list.number);
                list.number = (list.number + 1).min(999_999_999);
                Container::Item { marker, fresh: true, tight: list.tight, list: place }
            }
            None => Container::Item { marker: "- ".to_owned(), fresh: true, tight: false, list: None },
        };
        self.nest(item);
    }
}
