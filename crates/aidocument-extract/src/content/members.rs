//! Member cards of forums (author of a post, number of posts, date of joining), and the row of links for replies.
//!
//! Labelled pages disagree on whether they are content, so the content model cannot learn it. For readers they are not,
//! since the same lines are beside each post. They are recognised by the class names of forum software.

use super::features::Page;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// Words of a card.
const MAX_CARD: u32 = 40;

/// Elements from a block up to its card.
const MAX_CLIMB: usize = 10;

/// Names of cards before a post, in lower case and without signs: phpBB, MyBB, XenForo, SMF, PunBB, Invision.
const CARDS: [&str; 10] = words(
    "postprofile postauthor authorinformation authorstatistics messageuser messageuserinfo \
    messagecelluser poster postleft cauthorpane",
);

/// Names of cards before a post (vBulletin) or behind it (Stack Exchange), and of what can be done with a post.
const OTHERS: [&str; 5] = words("userinfo postbuttons profileicons postcontrols messageactionbar");

/// Leaves out kept cards, if there are several. `O(n)` in blocks.
pub(super) fn leave_out(page: &Page<'_>, keep: &mut [bool]) {
    let card_of = |place: usize| -> Option<NodeId> {
        let container = page.blocks.blocks.get(place)?.container;
        let chain = page.tree.upward(container).take(MAX_CLIMB);
        chain
            .take_while(|&around| is_small(page, around))
            .filter(|&around| is_left_out(page.tree, around))
            .last()
    };
    let mut cards: Vec<(usize, NodeId)> = Vec::new();
    for (place, _) in keep.iter().enumerate().filter(|(_, kept)| **kept) {
        cards.extend(card_of(place).map(|card| (place, card)));
    }
    let first = cards.first().map(|(_, card)| *card);
    let kept = keep.iter().filter(|kept| **kept).count();
    if kept == cards.len() || cards.iter().all(|(_, card)| Some(*card) == first) {
        return;
    }
    for (place, _) in cards {
        if let Some(kept) = keep.get_mut(place) {
            *kept = false;
        }
    }
}

fn is_small(page: &Page<'_>, id: NodeId) -> bool {
    let sums = page.around.sums_in(id);
    sums.words <= MAX_CARD && sums.prose == 0
}

fn is_left_out(tree: &Tree, id: NodeId) -> bool {
    is_card(tree, id) || is_named(tree, id, &OTHERS)
}

/// Whether an element is the card of a post's author, before the post.
pub(super) fn is_card(tree: &Tree, id: NodeId) -> bool {
    is_named(tree, id, &CARDS)
}

fn is_named(tree: &Tree, id: NodeId, names: &[&str]) -> bool {
    // A byline is in the line of the text, a card beside it.
    if matches!(tree.tag(id), Tag::Span | Tag::A | Tag::Strong | Tag::B | Tag::P) {
        return false;
    }
    tree.classes(id).any(|name| {
        let letters = name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase());
        names.iter().any(|known| letters.clone().eq(known.bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    fn kept(html: &str) -> String {
        let mut page = Marked::of(html);
        let (tree, blocks) = (&page.tree, &page.blocks);
        leave_out(&Page::of(tree, blocks), &mut page.keep);
        page.kept()
    }

    fn post(card: &str, text: &str) -> String {
        format!(
            "<div class=post><div class='{card}'><b>+Ann</b><ul><li>+Posts: 5<li>Since 2019</ul></div><p>+{text}</p></div>"
        )
    }

    #[test]
    fn cards_about_members_go() {
        for name in ["postprofile", "author_information", "message-user", "x message-userInfo", "userinfo"] {
            let page = [post(name, "first"), post(name, "second")].concat();
            assert_eq!(kept(&page), "first|second", "{name}");
        }
    }

    #[test]
    fn what_is_no_card_stays() {
        // One alone, another name, a byline, a text of its own, and a page of nothing else.
        assert_eq!(kept(&post("postprofile", "first")), "Ann|Posts: 5|first");
        let page = [post("person", "first"), post("person", "second")].concat();
        assert_eq!(kept(&page), "Ann|Posts: 5|first|Ann|Posts: 5|second");
        assert_eq!(kept(&"<p class=poster>+by Ann<p>+text".repeat(2)), "by Ann|text|by Ann|text");
        let long = format!("<div class=poster><p>+{}</div><p>+text", "word ".repeat(41));
        assert!(kept(&long.repeat(2)).starts_with("word"));
        assert_eq!(kept(&"<div class=userinfo>+Ann</div>".repeat(2)), "Ann|Ann");
    }
}
