//! The standfirst: the line or two between a page's title and its text.
//!
//! Labels of corpora leave it out as often as the title, and so does the model. A reader of Markdown wants both, so it stays with the
//! title's heading.

use super::about::About;
use super::blocks::Block;
use super::features::Page;
use super::names::BESIDE_TEXT;
use super::title::text_of;
use crate::tree::{NodeId, Tag};
use crate::words::names::{AUTHORS, STANDFIRSTS};

/// Blocks between the title and the text that are looked at.
const MOST_BETWEEN: usize = 40;

/// Words of a standfirst.
const WORDS: std::ops::RangeInclusive<u32> = 5..=100;

/// Elements around a block whose names are asked.
const AROUND: usize = 4;

/// The share of a block's runs of three words that the page's description has if it repeats the block: descriptions are cut at
/// their end.
const SAME: f32 = 0.8;

/// Keeps the standfirst among the blocks between the title and the text: what is named so, or repeated as the page's description.
pub(super) fn keep(page: &Page<'_>, about: &About, between: std::ops::Range<usize>, keep: &mut [bool]) {
    let text = |place: usize| Some(text_of(page.tree, page.blocks, page.blocks.blocks.get(place)?));
    // Some templates write it twice.
    let mut said = vec![text(between.end)];
    for place in between.take(MOST_BETWEEN) {
        let Some(block) = page.blocks.blocks.get(place) else { break };
        let counts = &block.counts;
        let is_text = WORDS.contains(&counts.words)
            && 2 * counts.link_words < counts.words
            && !is_set_apart(page, block);
        if is_text
            && (is_named(page, block) || is_description(page, about, block))
            && let text = text(place)
            && !said.contains(&text)
            && let Some(slot) = keep.get_mut(place)
        {
            said.push(text);
            *slot = true;
        }
    }
}

/// The element of a block and those around it that hold little more.
fn around<'a>(page: &'a Page<'_>, block: &'a Block) -> impl Iterator<Item = NodeId> + 'a {
    let near = page.tree.upward(block.container).take(AROUND);
    near.take_while(|&id| page.around.sums_in(id).words <= *WORDS.end())
}

/// Whether an element has the name of a standfirst, and none of something else.
fn is_named(page: &Page<'_>, block: &Block) -> bool {
    let names = around(page, block).fold(0, |names, id| names | page.names(id));
    names & STANDFIRSTS != 0 && names & (BESIDE_TEXT | AUTHORS) == 0
}

fn is_set_apart(page: &Page<'_>, block: &Block) -> bool {
    let apart = [Tag::Nav, Tag::Aside, Tag::Footer, Tag::Figcaption, Tag::Li, Tag::Form, Tag::Button];
    around(page, block).any(|id| apart.contains(&page.tree.tag(id)))
}

fn is_description(page: &Page<'_>, about: &About, block: &Block) -> bool {
    about.words_of(page.tree, page.blocks, block).described() >= SAME
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    #[test]
    fn the_standfirst_stays_with_the_title() {
        let said = "After eleven months of repair, ships pass the old bridge again";
        let described = format!("<meta name=description content='{said}.'>");
        for (head, line, expected) in [
            ("", format!("<p class=article-dek>{said}.</p>"), true),
            // Written twice.
            ("", "<p class=article-dek>A text of more than four words.</p>".to_owned(), false),
            ("", format!("<p class=dek>{said}.</p><p class=dek>{said}.</p>"), true),
            ("", format!("<header><h2 class=subtitle>{said}</h2></header>"), true),
            ("", format!("<div class=standfirst><div><p>{said}.</p></div></div>"), true),
            (described.as_str(), format!("<div class=t7>{said}</div>"), true),
            // Nothing says what it is; set apart, named as something else, a link, too short or too long.
            ("", format!("<div class=t7>{said}</div>"), false),
            ("", format!("<aside class=summary><p>{said}.</p></aside>"), false),
            ("", format!("<div class=related><p class=subtitle>{said}.</p></div>"), false),
            ("", format!("<p class=dek><a href=/other>{said}.</a></p>"), false),
            ("", "<p class=dek>By our own reporter</p>".to_owned(), false),
            ("", format!("<p class=dek>{}</p>", "word ".repeat(101)), false),
            (described.as_str(), format!("<figure><figcaption>{said}</figcaption></figure>"), false),
        ] {
            let html = format!("{head}<h1>+The bridge opens</h1>{line}<p>A text of more than four words.");
            let mut marked = Marked::of(&html);
            if let Some(text) = marked.keep.last_mut() {
                *text = true;
            }
            let between = 1..marked.keep.len() - 1;
            marked.apply(|page, about, kept| keep(page, about, between, kept));
            assert_eq!(marked.keep.iter().filter(|kept| **kept).count() == 3, expected, "{head} {line}");
        }
    }
}
