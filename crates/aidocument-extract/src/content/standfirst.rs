//! The standfirst: the line or two between a page's title and its text.
//!
//! Labels of corpora leave it out as often as the title, and so does the model. A reader of Markdown wants both, so it stays with the
//! title's heading.

use super::about::About;
use super::blocks::Block;
use super::features::Page;
use super::names::BESIDE_TEXT;
use super::title::text_of;
use crate::structure::roles::heading_at;
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

/// Keeps the standfirst among the blocks between the title and the text: what is named so, repeats the page's description, or says
/// what the title's name is for; and Javadoc's package above the title.
pub(super) fn keep(page: &Page<'_>, about: &About, between: std::ops::Range<usize>, keep: &mut [bool]) {
    let text = |place: usize| Some(text_of(page.tree, page.blocks, page.blocks.blocks.get(place)?));
    let title = between.start.checked_sub(1);
    keep_above(page, title, keep);
    // "Name — what it is for", as gtk-doc has it.
    let name = title.and_then(text);
    let is_purpose = |line: &str| {
        let rest = name.as_ref().and_then(|name| line.strip_prefix(name.as_str()));
        rest.is_some_and(|rest| rest.trim_start().starts_with(['—', '–']))
    };
    let first = between.start;
    // Some templates write it twice.
    let mut said = vec![text(between.end)];
    for place in between.take(MOST_BETWEEN) {
        let Some(block) = page.blocks.blocks.get(place) else { break };
        let counts = &block.counts;
        let is_text = WORDS.contains(&counts.words)
            && 2 * counts.link_words < counts.words
            && !is_set_apart(page, block);
        let text = text(place);
        let says_purpose =
            || place == first && counts.words <= *WORDS.end() && text.as_deref().is_some_and(is_purpose);
        if (is_text && (is_named(page, block) || is_description(page, about, block)) || says_purpose())
            && !said.contains(&text)
            && let Some(slot) = keep.get_mut(place)
        {
            said.push(text);
            *slot = true;
        }
    }
}

/// Keeps what Javadoc has right above the title: the module and the package of a class.
fn keep_above(page: &Page<'_>, title: Option<usize>, keep: &mut [bool]) {
    let title = title.and_then(|title| page.blocks.blocks.get(title));
    let Some((_, heading)) = title.and_then(|title| heading_at(page.tree, title.container)) else { return };
    let is_subtitle =
        |&id: &NodeId| page.tree.classes(id).any(|name| matches!(name, "subTitle" | "sub-title"));
    let above = page.tree.preceding(heading).filter(|&id| page.tree.is_element(id));
    for id in above.take(2).take_while(is_subtitle) {
        let sums = page.around.sums_in(id);
        if let Some(lines) = keep.get_mut(sums.first as usize..(sums.first + sums.blocks) as usize) {
            lines.fill(true);
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

    /// What a manual says after the name, however short.
    #[test]
    fn the_purpose_stays_with_the_name() {
        for (line, expected) in [
            ("<p>tea_brew — makes tea</p>", true),
            ("<div><p>tea_brew – makes tea</div>", true),
            ("<p>tea — makes tea</p>", false),
            ("<p>tea_brew makes tea</p>", false),
            ("<p>Tea</p><p>tea_brew — makes tea</p>", false),
        ] {
            let mut marked = Marked::of(&format!("<h2>tea_brew</h2>{line}<p>A text."));
            let end = marked.keep.len() - 1;
            marked.apply(|page, about, kept| keep(page, about, 1..end, kept));
            assert_eq!(marked.keep.contains(&true), expected, "{line}");
        }
    }

    #[test]
    fn the_package_stays_above_the_title() {
        let package =
            |class: &str| format!("<div class={class}><span>Package</span> <a href=/p>org.tea</a></div>");
        for (above, kept) in [
            (package("sub-title"), 1),
            (package("subTitle"), 1),
            (package("sub-title").repeat(2), 2),
            (package("sub-title").repeat(3), 2),
            (package("where"), 0),
            (format!("{}<p>Tea</p>", package("sub-title")), 0),
        ] {
            let html = format!("<div>{above}<h1>+Class Leaf</h1></div><p>+A leaf.");
            let mut marked = Marked::of(&html);
            let title = marked.keep.len() - 2;
            marked.apply(|page, about, kept| keep(page, about, title + 1..title + 1, kept));
            assert_eq!(marked.keep.iter().filter(|kept| **kept).count(), kept + 2, "{html}");
        }
    }
}
