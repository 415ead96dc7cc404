//! Which parts of a page are about something else: footers, sidebars, comments, teasers.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::head;
use super::words::{BESIDE, ELSEWHERE};
use crate::tree::{NodeId, Tag, Tree};

/// The page's title, and the elements around it.
pub(super) struct Zones<'a> {
    tree: &'a Tree,
    /// The title's heading and all around it. What holds the title is not beside the matter, whatever its class says.
    around: HashSet<NodeId>,
    /// What was asked already: most parts hold many of the nodes that are asked about.
    known: RefCell<HashMap<NodeId, bool>>,
}

/// Ancestors that are asked.
const MOST: usize = 64;

/// Words up to which a part beside the text may be about it.
const SMALL: usize = 60;

/// Bytes of a part that are read for counting its words; scripts are among them.
const MOST_BYTES: usize = 200_000;

/// Words from which on a part that is named "has-sidebar" and the like is the page.
const WHOLE: usize = 600;

impl<'a> Zones<'a> {
    pub(super) fn new(tree: &'a Tree, title: Option<NodeId>) -> Self {
        let around = title.into_iter().flat_map(|id| std::iter::once(id).chain(tree.ancestors(id))).collect();
        Zones { tree, around, known: RefCell::default() }
    }

    /// Whether an element holds the title.
    pub(super) fn holds_title(&self, id: NodeId) -> bool {
        self.around.contains(&id)
    }

    /// Whether a node lies in a part that is about something else.
    pub(super) fn is_elsewhere(&self, id: NodeId) -> bool {
        let parts = std::iter::once(id).chain(self.tree.ancestors(id)).take(MOST);
        for part in parts.take_while(|part| !self.around.contains(part)) {
            if let Some(&known) = self.known.borrow().get(&part) {
                if known {
                    return true;
                }
                continue;
            }
            let found = self.is_something_else(part);
            self.known.borrow_mut().insert(part, found);
            if found {
                return true;
            }
            if matches!(self.tree.tag(part), Tag::Html | Tag::Body) {
                break;
            }
        }
        false
    }

    /// Whether a part is about something else by its own name.
    fn is_something_else(&self, part: NodeId) -> bool {
        match self.tree.tag(part) {
            Tag::Nav | Tag::Form | Tag::Select | Tag::Dialog => return true,
            Tag::Aside if self.is_large(part) => return true,
            Tag::Footer if !self.is_in_article(part) => return true,
            Tag::Html | Tag::Body => return false,
            _ => {}
        }
        let is_article_footer = self.tree.tag(part) == Tag::Footer || self.is_in_footer(part);
        self.tree.attributes(part).any(|(name, value)| match name {
            "class" | "id" => {
                has_word(value, |word| ELSEWHERE.contains(&word) && !(is_article_footer && word == "footer"))
                    || (has_word(value, |word| BESIDE.contains(&word)) && self.is_large(part))
            }
            "role" => {
                matches!(value, "navigation" | "contentinfo" | "search")
                    || (value == "complementary" && self.is_large(part))
            }
            "itemtype" => {
                value.ends_with("/Comment") || value.ends_with("/UserComments") || value.ends_with("/Answer")
            }
            _ => false,
        })
    }

    /// Whether a part beside the text has so many words that it is not about the text, and is not the page as a whole.
    fn is_large(&self, id: NodeId) -> bool {
        let texts = self.tree.descendants(id).take(8 * WHOLE).filter_map(|id| self.tree.text(id));
        let mut left = MOST_BYTES;
        let texts = texts.map_while(|text| {
            let text = (left > 0).then(|| head(text, left))?;
            left -= text.len().max(1);
            Some(text)
        });
        let words = texts.flat_map(str::split_whitespace).take(WHOLE).count();
        (SMALL..WHOLE).contains(&words)
    }

    /// Whether a part is in the footer of an article.
    fn is_in_footer(&self, part: NodeId) -> bool {
        let footer = self.tree.ancestors(part).take(8).find(|&id| self.tree.tag(id) == Tag::Footer);
        footer.is_some_and(|footer| self.is_in_article(footer))
    }

    /// Whether a footer is that of an article.
    fn is_in_article(&self, footer: NodeId) -> bool {
        self.tree.ancestors(footer).take(12).any(|id| matches!(self.tree.tag(id), Tag::Article | Tag::Main))
    }
}

/// Whether a name is that of two things: "PostAndReplies", "post-and-replies".
fn is_pair(name: &str) -> bool {
    let around = |at: usize| {
        let before = name.get(..at).and_then(|head| head.chars().next_back())?;
        Some((before, name.get(at + 3..).and_then(|rest| rest.chars().next())?))
    };
    let is_between =
        |(before, after): (char, char)| before.is_ascii_lowercase() && after.is_ascii_uppercase();
    let is_parted = |(before, after): (char, char)| before == after && matches!(after, '-' | '_');
    name.match_indices("And").filter_map(|(at, _)| around(at)).any(is_between)
        || name.match_indices("and").filter_map(|(at, _)| around(at)).any(is_parted)
}

/// Whether one of the words in a class or an id is such. Words are parted by signs and by capitals: `relatedPosts`.
pub(super) fn has_word(value: &str, is_such: impl Fn(&str) -> bool) -> bool {
    let value = head(value, 300);
    let mut word = String::new();
    let mut was_small = false;
    // "has-sidebar", "no-comments", "PostAndReplies": a page around such a part, or without it.
    let named = value.split_ascii_whitespace().filter(|name| {
        !["has-", "with-", "no-", "beside"].iter().any(|start| name.starts_with(start)) && !is_pair(name)
    });
    for c in named.flat_map(|name| name.chars().chain([' '])) {
        let parts = !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && was_small);
        if parts && !word.is_empty() {
            if is_such(&word) {
                return true;
            }
            word.clear();
        }
        was_small = c.is_ascii_lowercase();
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
    }
    false
}
