//! Pages whose tree says where their text is.
//!
//! The labels that the model was trained on end early on long pages, and so does what it chooses. A page of documentation with
//! thousands of words has one element with nearly all of them, and nothing speaks against a part of it but what that part's
//! markup says.

use super::features::Page;
use super::names::BESIDE_TEXT;
use crate::structure::roles::{generator, is_main};
use crate::tree::{NodeId, Tag, Tree};
use crate::words::names::meanings;

/// Words of the main element from which on a page is long. With 1,500 collections and forums lose 0.006 and 0.010 of F1; below 6,000
/// words documentation has as much with either.
const LONG: u32 = 3_000;

/// The same on a page that a program made which writes manuals alone.
const MANUAL: u32 = 100;

/// How such programs name themselves. Without those that mark no main element: of Doxygen and DocBook the column would be taken, which
/// loses up to 0.025 of F1 by their menus.
const MANUALS: [&str; 6] = ["docutils", "exdoc", "javadoc", "mkdocs", "pdoc", "rustdoc"];

/// Words of the main element from which on it is told that most of it is left out.
const TOLD: u32 = 1_000;

/// Of so many words of the page at most one is outside of its main element.
const MOST_OUTSIDE: u32 = 3;

/// Of so many words of the main element at least one is chosen: of a page of cards, hardly any are. With 3, a page of a thousand methods,
/// each of a line, is left as it is.
const LEAST_CHOSEN: u32 = 5;

/// Of so many words of the main element at most one is in a link: more make a list of other pages.
const LINKS: u32 = 2;

/// What share of the words of a list or table are in links if it leads to other pages: four of five.
const ALL_LINKS: (u32, u32) = (5, 4);

/// Keeps the blocks of a long page's main element, without those that its markup calls something else.
pub(super) fn fill(page: &Page<'_>, main: NodeId, keep: &mut [bool]) {
    let (words, chosen) = words_of(page, main, keep);
    let is_manual = page.around.has_main && is_manual(page.tree);
    let least = if is_manual { MANUAL } else { LONG };
    if words < least || LEAST_CHOSEN * chosen < words {
        return;
    }
    // Lists of other pages are a manual's contents.
    let beside = super::marked_in(page.tree, main, |id| id != main && is_beside(page, id, !is_manual));
    let inside = page.around.sums_in(main);
    let blocks = page.blocks.blocks.iter().zip(keep).skip(inside.first as usize).take(inside.blocks as usize);
    for (block, kept) in blocks {
        *kept |= !beside[block.container];
    }
}

/// The words of a main element that are not kept, where they are most of it.
pub(super) fn left_out(page: &Page<'_>, main: NodeId, keep: &[bool]) -> u32 {
    let (words, kept) = words_of(page, main, keep);
    if words >= TOLD && 2 * kept < words { words - kept } else { 0 }
}

/// The words in an element, and those of them that are kept.
fn words_of(page: &Page<'_>, id: NodeId, keep: &[bool]) -> (u32, u32) {
    let inside = page.around.sums_in(id);
    let blocks = page.blocks.blocks.iter().zip(keep).skip(inside.first as usize).take(inside.blocks as usize);
    (inside.words, blocks.filter(|(_, kept)| **kept).map(|(block, _)| block.counts.words).sum())
}

/// The element that has the page's text, if one has: `<main>`, a lone `<article>`, or the column that has nearly all words.
pub(super) fn of(page: &Page<'_>) -> Option<NodeId> {
    let tree = page.tree;
    let total = page.around.sums_in(Tree::ROOT);
    if total.words < MANUAL {
        return None;
    }
    let has_main = page.around.has_main;
    let is_it = |&id: &NodeId| if has_main { is_main(tree, id) } else { tree.tag(id) == Tag::Article };
    let is_named = has_main || page.around.articles == 1;
    let named = is_named.then(|| tree.descendants(Tree::ROOT).find(is_it)).flatten();
    let found = named.unwrap_or_else(|| column(page));
    let inside = page.around.sums_in(found);
    let is_text = MOST_OUTSIDE * (total.words - inside.words) <= total.words
        && (is_manual(tree) || LINKS * inside.link_words <= inside.words);
    is_text.then_some(found)
}

/// Whether a program that writes manuals made the page.
pub(super) fn is_manual(tree: &Tree) -> bool {
    generator(tree).is_some_and(|name| MANUALS.contains(&&*name))
}

/// The innermost element that has nine of ten words of the page.
fn column(page: &Page<'_>) -> NodeId {
    let words = page.around.sums_in(Tree::ROOT).words;
    let has_most = |id: &NodeId| 10 * page.around.sums_in(*id).words >= 9 * words;
    let mut at = Tree::ROOT;
    while let Some(inner) = page.tree.children(at).find(has_most) {
        at = inner;
    }
    at
}

/// Whether the markup calls an element something else than the text, or with `leads_away` it is a list that leads to other pages. Ids are
/// not asked: those of documentation are its headings'.
fn is_beside(page: &Page<'_>, id: NodeId, leads_away: bool) -> bool {
    let sums = page.around.sums_in(id);
    let is_list = matches!(page.tree.tag(id), Tag::Ul | Tag::Ol | Tag::Table);
    page.is_boilerplate(id)
        || (leads_away && is_list && ALL_LINKS.0 * sums.link_words >= ALL_LINKS.1 * sums.words)
        || matches!(page.tree.tag(id), Tag::Form | Tag::Textarea | Tag::Option)
        || meanings(page.tree.attr(id, "class").unwrap_or_default()) & BESIDE_TEXT != 0
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    /// A paragraph of a hundred words, kept or not.
    fn text(mark: &str) -> String {
        format!("<p>{mark}{}", "word ".repeat(100))
    }

    /// How many paragraphs are kept, and the words that are told to be left out of what was chosen.
    fn filled(html: &str) -> (usize, u32) {
        let mut page = Marked::of(html);
        let facts = Page::of(&page.tree, &page.blocks);
        let main = of(&facts);
        let told = main.map_or(0, |main| left_out(&facts, main, &page.keep));
        if let Some(main) = main {
            fill(&facts, main, &mut page.keep);
        }
        (page.keep.iter().filter(|kept| **kept).count(), told)
    }

    #[test]
    fn the_main_element_of_a_long_page_is_kept_whole() {
        let (kept, rest) = (text("+").repeat(10), text("").repeat(20));
        let links = format!("<p><a href=a>{}</a>", "word ".repeat(100)).repeat(20);
        for (html, expected) in [
            (format!("<nav>{}</nav><main>{kept}{rest}</main>", text("")), 30),
            (format!("<div>{}</div><div role=main>{kept}{rest}</div>", text("")), 30),
            (format!("<div>{}</div><article>{kept}{rest}</article>", text("").repeat(4)), 30),
            // No element is called so: the column that has nearly all words.
            (format!("<div>{}</div><div id=x>{kept}{rest}</div>", text("")), 30),
            (format!("<div>{}</div><div id=x>{kept}{rest}</div>", text("").repeat(8)), 38),
            // What is called something else stays as it was.
            (
                format!(
                    "<main>{kept}{rest}<aside>{}</aside><div class=comments>{}</div></main>",
                    text(""),
                    text("")
                ),
                30,
            ),
            (format!("<main>{kept}{rest}<div id=comments>{}</div></main>", text("")), 31),
            // So does a list that leads to other pages.
            (format!("<main>{kept}{rest}<ul>{}</ul></main>", "<li><a href=a>A page</a>".repeat(9)), 30),
            (format!("<main>{kept}{rest}<ul>{}</ul></main>", "<li><a href=a>A page</a> on it".repeat(9)), 39),
            // Too short, too little of it chosen, too much outside of it, too many links.
            (format!("<main>{kept}{}</main>", text("").repeat(19)), 10),
            (format!("<main>{}{rest}{rest}</main>", text("+").repeat(9)), 9),
            (format!("<main>{kept}{rest}</main><div>{}</div>", text("").repeat(16)), 10),
            (format!("<main>{kept}{links}</main>"), 10),
        ] {
            assert_eq!(filled(&html).0, expected, "{}", html.replace("word ", ""));
        }
    }

    #[test]
    fn a_program_for_manuals_has_no_other_text_in_its_main_element() {
        let page = |maker: &str| {
            let (kept, rest) = (text("+"), text("").repeat(2));
            format!(
                "<meta name=Generator content='{maker}'><body><nav>{rest}</nav><main>{kept}{rest}<aside>{rest}</aside></main>"
            )
        };
        for maker in ["javadoc/ClassWriterImpl", "rustdoc", "Docutils 0.19: https://d.example/"] {
            assert_eq!(filled(&page(maker)).0, 3, "{maker}");
        }
        for maker in ["WordPress 6", "", "a javadoc", "Doxygen 1.9"] {
            assert_eq!(filled(&page(maker)).0, 1, "{maker}");
        }
        // Its lists of pages are the contents of the manual, even where they are most of a page.
        let list = "<li><a href=a>A page of the manual</a>".repeat(30);
        let front = |maker: &str| {
            format!("<meta name=generator content='{maker}'><main>{}<ul>{list}</ul></main>", text("+"))
        };
        assert_eq!(filled(&front("Docutils 0.19: https://d.example/")).0, 31);
        assert_eq!(filled(&front("WordPress 6")).0, 1);
    }

    #[test]
    fn it_is_told_where_most_of_the_main_element_is_left_out() {
        for (kept, rest, told) in [(4, 6, 600), (5, 5, 0), (0, 10, 1_000), (4, 5, 0)] {
            let html = format!("<main>{}{}</main>", text("+").repeat(kept), text("").repeat(rest));
            assert_eq!(filled(&html).1, told, "{kept} {rest}");
        }
    }
}
