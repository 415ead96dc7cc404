//! Which parts of a page are about something else: footers, sidebars, comments, teasers.

use std::collections::HashSet;

use super::words::{BESIDE, ELSEWHERE};
use crate::tree::{NodeId, Tag, Tree};

/// The page's title, and the elements around it.
pub(super) struct Zones<'a> {
    tree: &'a Tree,
    /// The title's heading and all around it. What holds the title is not beside the matter, whatever its class says.
    around: HashSet<NodeId>,
}

/// Ancestors that are asked.
const MOST: usize = 64;

/// Words up to which a part beside the text may be about it.
const SMALL: usize = 60;

/// Words from which on a part that is named "has-sidebar" and the like is the page.
const WHOLE: usize = 600;

impl<'a> Zones<'a> {
    pub(super) fn new(tree: &'a Tree, title: Option<NodeId>) -> Self {
        let around = title.into_iter().flat_map(|id| std::iter::once(id).chain(tree.ancestors(id))).collect();
        Zones { tree, around }
    }

    /// Whether an element holds the title.
    pub(super) fn holds_title(&self, id: NodeId) -> bool {
        self.around.contains(&id)
    }

    /// Whether a node lies in a part that is about something else.
    pub(super) fn is_elsewhere(&self, id: NodeId) -> bool {
        let parts = std::iter::once(id).chain(self.tree.ancestors(id)).take(MOST);
        for part in parts.take_while(|part| !self.around.contains(part)) {
            match self.tree.tag(part) {
                Tag::Nav | Tag::Form | Tag::Select | Tag::Dialog => return true,
                Tag::Aside if self.is_large(part) => return true,
                Tag::Footer if !self.is_in_article(part) => return true,
                Tag::Html | Tag::Body => break,
                _ => {}
            }
            let is_article_footer = self.tree.tag(part) == Tag::Footer;
            if self.tree.attributes(part).any(|(name, value)| match name {
                "class" | "id" => {
                    has_word(value, |word| {
                        ELSEWHERE.contains(&word) && !(is_article_footer && word == "footer")
                    }) || (has_word(value, |word| BESIDE.contains(&word)) && self.is_large(part))
                }
                "role" => matches!(value, "navigation" | "complementary" | "contentinfo" | "search"),
                "itemtype" => {
                    value.ends_with("/Comment")
                        || value.ends_with("/UserComments")
                        || value.ends_with("/Answer")
                }
                _ => false,
            }) {
                return true;
            }
        }
        false
    }

    /// Whether a part beside the text has so many words that it is not about the text, and is not the page as a whole.
    fn is_large(&self, id: NodeId) -> bool {
        let texts = self.tree.descendants(id).take(8 * WHOLE).filter_map(|id| self.tree.text(id));
        let words = texts.flat_map(str::split_whitespace).take(WHOLE).count();
        (SMALL..WHOLE).contains(&words)
    }

    /// Whether a footer is that of an article.
    fn is_in_article(&self, footer: NodeId) -> bool {
        self.tree.ancestors(footer).take(12).any(|id| matches!(self.tree.tag(id), Tag::Article | Tag::Main))
    }
}

/// Whether one of the words in a class or an id is such. Words are parted by signs and by capitals: `relatedPosts`.
pub(super) fn has_word(value: &str, is_such: impl Fn(&str) -> bool) -> bool {
    let value = value.get(..value.len().min(300)).unwrap_or_default();
    let mut word = String::new();
    let mut was_small = false;
    // "has-sidebar", "no-comments": a page around such a part, or without it.
    let named = value
        .split_ascii_whitespace()
        .filter(|name| !["has-", "with-", "no-", "beside"].iter().any(|start| name.starts_with(start)));
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
