//! Which parts of a page are about something else: footers, sidebars, comments, teasers.

use std::cell::{Cell, RefCell};

use crate::letters::head;
use crate::recent::Recent;
use crate::tree::{ByNode, NodeId, Tag, Tree};
use crate::words::names::{BESIDE, ELSEWHERE, FOOTER, meanings};

/// The page's title, and the elements around it.
pub(super) struct Zones<'a> {
    tree: &'a Tree,
    /// Cached answers for nodes, since most parts contain many of the nodes in question.
    known: ByNode<Cell<Known>>,
    recent: RefCell<Recent<'a, u64>>,
    /// Room for the nodes that a question is about.
    new: RefCell<Vec<NodeId>>,
}

/// What is known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Known {
    #[default]
    Nothing,
    /// The title's heading, or an element around it. Such an element is about the page, whatever its class.
    HoldsTitle,
    /// In a part that is about something else, or in none.
    Elsewhere(bool),
}

/// A part beside the text with at most this many words may be about the page.
const SMALL: usize = 60;

/// Bytes of a part that are read for counting its words; scripts are among them.
const MOST_BYTES: usize = 200_000;

/// A part with this many words and a name such as "has-sidebar" is the page itself.
const WHOLE: usize = 600;

impl<'a> Zones<'a> {
    pub(super) fn new(tree: &'a Tree, title: Option<NodeId>) -> Self {
        let (known, recent) = (ByNode::new(tree), RefCell::new(Recent::new(0)));
        let zones = Zones { tree, known, recent, new: RefCell::default() };
        for around in title.into_iter().flat_map(|id| tree.upward(id)) {
            zones.known[around].set(Known::HoldsTitle);
        }
        zones
    }

    /// Whether an element holds the title.
    pub(super) fn holds_title(&self, id: NodeId) -> bool {
        self.known[id].get() == Known::HoldsTitle
    }

    /// Whether a node lies in a part that is about something else.
    pub(super) fn is_elsewhere(&self, id: NodeId) -> bool {
        let parts = || self.tree.upward(id);
        let mut new = self.new.borrow_mut();
        new.extend(parts().take_while(|&part| self.known[part].get() == Known::Nothing));
        let above = parts().nth(new.len()).map(|part| self.known[part].get());
        let mut is_elsewhere = above == Some(Known::Elsewhere(true));
        while let Some(part) = new.pop() {
            is_elsewhere = is_elsewhere || self.is_something_else(part);
            self.known[part].set(Known::Elsewhere(is_elsewhere));
        }
        is_elsewhere
    }

    /// The groups of the words in a class or an id, as bits.
    pub(super) fn groups_in(&self, value: &'a str) -> u64 {
        self.recent.borrow_mut().of(value, groups_in)
    }

    /// Whether a part is about something else by its own name.
    fn is_something_else(&self, part: NodeId) -> bool {
        match self.tree.tag(part) {
            Tag::Nav | Tag::Select | Tag::Dialog => return true,
            // Some servers put the page as a whole into one form.
            Tag::Form => return self.words_in(part) < WHOLE,
            Tag::Aside if self.is_large(part) => return true,
            Tag::Footer if !self.is_in_article(part) => return true,
            Tag::Html | Tag::Body => return false,
            _ => {}
        }
        self.tree.attributes(part).any(|(name, value)| match name {
            "class" | "id" => {
                let named = self.groups_in(value);
                named & ELSEWHERE != 0
                    || (named & FOOTER != 0 && !self.is_article_footer(part))
                    || (named & BESIDE != 0 && self.is_large(part))
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

    /// Returns true if a part beside the text is too large to be about the text, but is not the whole page.
    fn is_large(&self, id: NodeId) -> bool {
        (SMALL..WHOLE).contains(&self.words_in(id))
    }

    /// Words in an element, up to those of a page as a whole.
    fn words_in(&self, id: NodeId) -> usize {
        let texts = self.tree.descendants(id).take(8 * WHOLE).filter_map(|id| self.tree.text(id));
        let mut left = MOST_BYTES;
        let texts = texts.map_while(|text| {
            let text = (left > 0).then(|| head(text, left))?;
            left -= text.len().max(1);
            Some(text)
        });
        texts.flat_map(str::split_whitespace).take(WHOLE).count()
    }

    /// Whether a part is a footer that was not left out, or in the footer of an article.
    fn is_article_footer(&self, part: NodeId) -> bool {
        if self.tree.tag(part) == Tag::Footer {
            return true;
        }
        let footer = self.tree.ancestors(part).take(8).find(|&id| self.tree.tag(id) == Tag::Footer);
        footer.is_some_and(|footer| self.is_in_article(footer))
    }

    /// Whether a footer is that of an article.
    fn is_in_article(&self, footer: NodeId) -> bool {
        self.tree.ancestors(footer).take(12).any(|id| matches!(self.tree.tag(id), Tag::Article | Tag::Main))
    }
}

/// What the words in a class or an id mean, as bits: "has-sidebar", "no-comments", "PostAndReplies" name a page around such a
/// part, or without it.
pub(super) fn groups_in(value: &str) -> u64 {
    let is_of_page = |name: &str| {
        ["has-", "with-", "no-", "beside"].iter().any(|start| name.starts_with(start)) || is_pair(name)
    };
    let names = head(value, 300).split_ascii_whitespace().filter(|name| !is_of_page(name));
    names.fold(0, |set, name| set | meanings(name))
}

/// Returns true if a name joins two things: "PostAndReplies", "post-and-replies".
fn is_pair(name: &str) -> bool {
    name.as_bytes().windows(5).any(|bytes| match *bytes {
        [before, b'A', b'n', b'd', after] => before.is_ascii_lowercase() && after.is_ascii_uppercase(),
        [before, b'a', b'n', b'd', after] => before == after && matches!(after, b'-' | b'_'),
        _ => false,
    })
}
