//! Structures that are kept or left out whole: tables, terms with their definitions, quotes, blocks of code, and
//! headings with what they are over.
//!
//! The content model judges one block at a time, by its words, and words are few in a cell or a heading. So where most
//! words of a structure are kept, all are; where few are, none. Lists are left as they are judged: filling them up costs
//! more on menus and teasers than it brings (F1 of 1,476 pages 0.8946 before, 0.8936 with).

use std::collections::HashMap;

use super::blocks::{Block, Blocks};
use crate::markdown::is_data_table;
use crate::rules::{Rule, Rules};
use crate::tree::{NodeId, Tag, Tree};

/// Elements around a block that are looked at for structures.
const MAX_AROUND: usize = 24;

/// The blocks of a structure.
#[derive(Debug, Clone, Copy)]
struct Unit {
    first: usize,
    last: usize,
    words: u32,
    kept: u32,
    kept_blocks: u32,
    link_words: u32,
}

/// Shares of the words of a structure that must be kept for the rest to be kept, and below which nothing is.
#[derive(Debug, Clone, Copy)]
struct Shares {
    fill: f32,
    clear: f32,
}

fn shares(tag: Tag, rules: Rules) -> Option<Shares> {
    let rule = match tag {
        Tag::Pre => Rule::Code,
        Tag::Dl => Rule::Terms,
        Tag::Blockquote => Rule::Quotes,
        Tag::Figcaption | Tag::Caption => Rule::WholeCaptions,
        _ => Rule::Tables,
    };
    if tag != Tag::Table && !rules.has(rule) {
        return None;
    }
    Some(match tag {
        Tag::Table => Shares { fill: 0.5, clear: 0.5 },
        Tag::Pre => Shares { fill: 0.01, clear: 0.0 },
        Tag::Dl => Shares { fill: 0.5, clear: 0.0 },
        Tag::Blockquote => Shares { fill: 0.5, clear: 0.0 },
        Tag::Figcaption | Tag::Caption => Shares { fill: 0.01, clear: 0.0 },
        _ => return None,
    })
}

/// Makes structures whole; gives the number of cells of data that are left out with their tables. `O(n)`.
pub(super) fn complete(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) -> u32 {
    let left_out = whole(tree, blocks, keep);
    if tree.rules.has(Rule::CodeBetween) {
        code(tree, blocks, keep);
    }
    if tree.rules.has(Rule::HeadingsBetween) {
        headings(tree, blocks, keep);
    }
    if tree.rules.has(Rule::HeadingsAtEnd) {
        empty_headings(tree, blocks, keep);
    }
    beside(tree, blocks, keep);
    left_out
}

/// Fills and clears structures, inner ones first.
fn whole(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) -> u32 {
    let mut left_out = 0;
    let mut units: HashMap<NodeId, Unit> = HashMap::new();
    let mut order: Vec<(NodeId, Shares)> = Vec::new();
    for (place, block) in blocks.blocks.iter().enumerate() {
        let kept = keep.get(place) == Some(&true);
        let around = std::iter::once(block.container).chain(tree.ancestors(block.container));
        for id in around.take(MAX_AROUND) {
            let Some(shares) = shares(tree.tag(id), tree.rules) else { continue };
            let unit = units.entry(id).or_insert_with(|| {
                order.push((id, shares));
                Unit { first: place, last: place, words: 0, kept: 0, kept_blocks: 0, link_words: 0 }
            });
            unit.last = place;
            unit.words += block.counts.words;
            unit.link_words += block.counts.link_words;
            unit.kept += if kept { block.counts.words } else { 0 };
            unit.kept_blocks += u32::from(kept);
        }
    }
    for (id, shares) in order {
        let Some(unit) = units.get(&id).copied() else { continue };
        let length = (unit.last - unit.first + 1) as u32;
        let is_table = tree.tag(id) == Tag::Table;
        let is_whole = unit.kept_blocks == 0 || unit.kept_blocks == length;
        if if is_table { !is_data_table(tree, id) } else { is_whole } {
            continue;
        }
        let share = unit.kept as f32 / unit.words.max(1) as f32;
        // A table in the midst of kept text, unless it is one of links.
        let is_at = |place: Option<usize>| place.and_then(|place| keep.get(place)) == Some(&true);
        let is_after = is_at(unit.first.checked_sub(1));
        let in_text = is_table && is_after && (is_at(Some(unit.last + 1)) || has_caption_or_figure(tree, id));
        let is_wanted = tree.rules.has(Rule::TablesInText)
            && in_text
            && 2 * unit.link_words < unit.words
            && unit.words <= IN_TEXT;
        let is_unwanted = is_table && tree.rules.has(Rule::TablesOfLinks) && is_menu(tree, id);
        if is_table && !is_wanted && !is_unwanted && !tree.rules.has(Rule::Tables) {
            continue;
        }
        let all = if !is_unwanted && (is_wanted || share >= shares.fill) {
            true
        } else if is_unwanted || share < shares.clear {
            false
        } else {
            continue;
        };
        if is_table && !all {
            let cells =
                tree.descendants(id).filter(|&cell| matches!(tree.tag(cell), Tag::Td | Tag::Th)).count();
            left_out += u32::try_from(cells).unwrap_or(u32::MAX);
        }
        if let Some(places) = keep.get_mut(unit.first..=unit.last) {
            places.fill(all);
        }
    }
    left_out
}

/// Whether a table is set apart as a figure, or has a caption: then it belongs to the text before it.
fn has_caption_or_figure(tree: &Tree, id: NodeId) -> bool {
    tree.ancestors(id).take(2).any(|around| tree.tag(around) == Tag::Figure)
        || tree.children(id).any(|child| tree.tag(child) == Tag::Caption)
}

/// Words of a table that is kept for what is around it alone.
const IN_TEXT: u32 = 600;

/// Whether a table is one of links to other pages, by its names.
fn is_menu(tree: &Tree, id: NodeId) -> bool {
    std::iter::once(id).chain(tree.ancestors(id).take(2)).any(|around| {
        tree.attr(around, "role") == Some("navigation")
            || tree.attr(around, "class").is_some_and(|class| {
                class
                    .split_ascii_whitespace()
                    .any(|name| matches!(name, "navbox" | "vertical-navbox" | "sidebar-nav"))
            })
    })
}

/// One word in so many of a paragraph of code may be outside of `<code>`: logs have signs that end it.
const PLAIN_IN_CODE: usize = 20;

/// Whether a block is one of code: in `<pre>`, or a paragraph of hardly anything but `<code>`.
fn is_code(tree: &Tree, blocks: &Blocks, block: &Block) -> bool {
    let around = std::iter::once(block.container).chain(tree.ancestors(block.container));
    if around.take(4).any(|id| tree.tag(id) == Tag::Pre) {
        return true;
    }
    let (mut words, mut in_code) = (0, 0);
    for &id in blocks.texts_of(block) {
        let count = tree.text(id).map_or(0, |text| text.split_ascii_whitespace().count());
        let mut inside = tree.ancestors(id).take_while(|&id| id != block.container).take(4);
        words += count;
        in_code += if inside.any(|id| tree.tag(id) == Tag::Code) { count } else { 0 };
    }
    in_code > 0 && PLAIN_IN_CODE * (words - in_code) <= words
}

/// Keeps blocks of code between kept text.
fn code(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) {
    let is_code = |place: usize| blocks.blocks.get(place).is_some_and(|block| is_code(tree, blocks, block));
    let mut start = None;
    for place in 0..=keep.len() {
        let gap = keep.get(place) == Some(&false) && is_code(place);
        match (start, gap) {
            (None, true) => start = Some(place),
            (Some(from), false) => {
                let before = from.checked_sub(1).and_then(|before| keep.get(before)) == Some(&true);
                if before
                    && keep.get(place) == Some(&true)
                    && let Some(places) = keep.get_mut(from..place)
                {
                    places.fill(true);
                }
                start = None;
            }
            _ => {}
        }
    }
}

/// The level of the heading that a block is.
fn level(tree: &Tree, blocks: &Blocks, place: usize) -> Option<u8> {
    let block = blocks.blocks.get(place)?;
    let around = std::iter::once(block.container).chain(tree.ancestors(block.container));
    around.take(3).find_map(|id| tree.tag(id).heading_level())
}

/// Keeps headings right over kept text.
fn headings(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) {
    for place in (0..keep.len()).rev() {
        if keep.get(place) != Some(&false) || level(tree, blocks, place).is_none_or(|level| level == 1) {
            continue;
        }
        let before = place.checked_sub(1).and_then(|before| keep.get(before)) == Some(&true);
        let after = keep.get(place + 1) == Some(&true);
        if before
            && after
            && let Some(slot) = keep.get_mut(place)
        {
            *slot = true;
        }
    }
}

/// Leaves out headings behind the last kept text: what they are over is left out.
fn empty_headings(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) {
    while let Some(last) = keep.iter().rposition(|&kept| kept) {
        let is_over_nothing =
            last + 1 < keep.len() && level(tree, blocks, last).is_some_and(|level| level > 1);
        match keep.get_mut(last) {
            Some(slot) if is_over_nothing => *slot = false,
            _ => break,
        }
    }
}

/// Leaves out the parts beside code: buttons that copy it, the name of its language; and other buttons of a few words
/// that open nothing.
fn beside(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) {
    for (block, slot) in blocks.blocks.iter().zip(keep).filter(|(_, slot)| **slot) {
        if block.counts.words > 3 {
            continue;
        }
        let tag = tree.tag(block.container);
        let near = || std::iter::once(block.container).chain(tree.ancestors(block.container)).take(4);
        let is_label = tree.rules.has(Rule::BesideCode)
            && block.counts.words <= 2
            && tag == Tag::Div
            && names_language(tree, blocks, block);
        if is_label && near().any(|around| has_code(tree, around)) {
            *slot = false;
        }
        let opens = || {
            tree.attr(block.container, "aria-controls").is_some()
                || tree.attr(block.container, "aria-expanded").is_some()
                || near().any(|around| tree.tag(around).heading_level().is_some())
        };
        if tag == Tag::Button
            && tree.rules.has(Rule::Buttons)
            && (!opens() || near().any(|around| has_code(tree, around)))
        {
            *slot = false;
        }
    }
}

/// Whether a block is in an element that is named for languages.
fn names_language(tree: &Tree, blocks: &Blocks, block: &Block) -> bool {
    let text = blocks.texts_of(block).first();
    text.is_some_and(|&text| {
        tree.ancestors(text).take(2).any(|around| {
            tree.attr(around, "class").is_some_and(|class| {
                class.split_ascii_whitespace().any(|name| {
                    matches!(name, "lang" | "language" | "language-name" | "code-lang" | "code-language")
                })
            })
        })
    })
}

/// Whether an element has a block of code among its first nodes, beside what a highlighter puts there.
fn has_code(tree: &Tree, around: NodeId) -> bool {
    !matches!(tree.tag(around), Tag::Body | Tag::Main | Tag::Article)
        && tree.children(around).take(8).any(|child| tree.tag(child) == Tag::Pre)
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    /// What is kept in the end, and the cells that are left out.
    fn completed(html: &str) -> (String, u32) {
        let mut page = Marked::of(html);
        let cells = complete(&page.tree, &page.blocks, &mut page.keep);
        (page.kept(), cells)
    }

    fn check(cases: &[(&str, &str)]) {
        for (html, expected) in cases {
            assert_eq!(completed(html).0, *expected, "{html}");
        }
    }

    fn table(rows: &[[&str; 2]]) -> String {
        let row = |row: &[&str; 2]| format!("<tr><td>{}<td>{}", row[0], row[1]);
        format!("<table><tr><th>+x<th>y{}</table>", rows.iter().map(row).collect::<String>())
    }

    #[test]
    fn tables_of_data_are_kept_or_left_out_whole() {
        let half = table(&[["+a", "b"], ["+c", "d"]]);
        assert_eq!(completed(&half), ("x|y|a|b|c|d".to_owned(), 0));
        let less = table(&[["a", "b"], ["+c", "d"]]);
        assert_eq!(completed(&less), (String::new(), 6));
        // Between kept text, or behind it with a caption or as a figure, a table is kept unless it is one of links.
        let none = less.replace('+', "");
        let all = "x|y|a|b|c|d";
        check(&[
            (&format!("<p>+A{none}<p>+B"), &format!("A|{all}|B")),
            (&format!("<p>+A{none}<p>b"), "A"),
            (&format!("<p>a{none}<p>+B"), "B"),
            (&format!("<p>+A<figure>{none}</figure>"), &format!("A|{all}")),
            (&format!("<p>+A<figure><div>{none}</div></figure>"), &format!("A|{all}")),
            (&format!("<p>+A<figure><div><div>{none}</div></div></figure>"), "A"),
            (
                &format!("<p>+A{}", none.replace("<table>", "<table><caption>Tab</caption>")),
                &format!("A|Tab|{all}"),
            ),
            (&format!("<p>a<figure>{none}</figure>"), ""),
            (&format!("<p>+A{}<p>+B", none.replace(">a", "><a href=/a>a</a>")), &format!("A|{all}|B")),
            (
                &format!(
                    "<p>+A{}<p>+B",
                    none.replace(">a", "><a href=/a>a</a>")
                        .replace(">b", "><a href=/b>b</a>")
                        .replace(">c", "><a href=/c>c</a>")
                ),
                "A|B",
            ),
            (&format!("<p>+A{}<p>+B", half.replace("<table>", "<table class='x navbox'>")), "A|B"),
            (&format!("<p>+A<div role=navigation>{half}</div><p>+B"), "A|B"),
            (&format!("<p>+A<div class=sidebar-nav><div>{half}</div></div><p>+B"), "A|B"),
            (
                &format!("<p>+A<div class=navbox><p><div><div>{half}</div></div></div><p>+B"),
                &format!("A|{all}|B"),
            ),
        ]);
        let long = |words: usize| {
            completed(&format!("<p>+A{}<p>+B", none.replace(">d", &format!("> {}", "d ".repeat(words))))).0
        };
        assert_ne!(long(595), "A|B");
        assert_eq!(long(596), "A|B");
    }

    #[test]
    fn other_structures_are_filled_where_half_is_kept() {
        check(&[
            ("<dl><dt>+a<dd>b</dl>", "a|b"),
            ("<dl><dt>+a<dd>b c</dl>", "a"),
            ("<blockquote><p>+a<p>b</blockquote>", "a|b"),
            ("<blockquote><p>+a<p>b c</blockquote>", "a"),
            ("<figure><figcaption><p>+a<p>b c d e</figcaption></figure>", "a|b c d e"),
            ("<div><p>+a<p>b</div>", "a"),
        ]);
    }

    #[test]
    fn code_and_headings_between_kept_text_are_kept() {
        check(&[
            ("<p>+A<pre>b</pre><p>+C", "A|b|C"),
            ("<p>+A<pre>b</pre><pre>c</pre><p>+D", "A|b|c|D"),
            ("<p>+A<pre>b</pre><p>c", "A"),
            ("<p>a<pre>b</pre><p>+C", "C"),
            ("<pre>b</pre><p>+C", "C"),
            ("<p>+A<pre>b</pre>", "A"),
            ("<p>+A<pre>b</pre><p>c<p>+D", "A|D"),
            ("<p>+A<p><code>b</code><p>+C", "A|b|C"),
            ("<p>+A<p>b <code>c</code><p>+D", "A|D"),
            ("<p>+A<h2>b</h2><p>+C", "A|b|C"),
            ("<p>+A<h2>b</h2><h3>c</h3><p>+D", "A|D"),
            ("<p>+A<h1>b</h1><p>+C", "A|C"),
            ("<p>a<h2>b</h2><p>+C", "C"),
            ("<p>+A<h2>b</h2><p>c", "A"),
        ]);
    }

    #[test]
    fn headings_behind_the_last_text_are_left_out() {
        check(&[
            ("<p>+A<h2>+b</h2><h3>+c</h3><p>d", "A"),
            ("<p>+A<h2>+b</h2>", "A|b"),
            ("<p>+A<h1>+b</h1><p>c", "A|b"),
            ("<p>+A<p>b", "A"),
            ("<h2>+a</h2><p>b", ""),
        ]);
    }

    #[test]
    fn what_is_beside_code_is_left_out() {
        check(&[
            ("<p>+A<div><button>+Copy</button><pre>+b</pre></div>", "A|b"),
            ("<p>+A<div><button aria-controls=x>+Copy</button><pre>+b</pre></div>", "A|b"),
            ("<p>+A<button>+Buy it now</button>", "A"),
            ("<p>+A<button>+Buy it now please</button>", "A|Buy it now please"),
            ("<p>+A<button aria-controls=x>+More</button><p>+B", "A|More|B"),
            ("<p>+A<button aria-expanded=false>+More</button><p>+B", "A|More|B"),
            ("<p>+A<h2><button>+More</button></h2><p>+B", "A|More|B"),
            ("<p>+A<div><div class=lang>+Rust</div><pre>+b</pre></div>", "A|b"),
            ("<p>+A<div><div class='x code-language'>+Plain text</div><pre>+b</pre></div>", "A|b"),
            ("<p>+A<div><div class=lang>+A longer label</div><pre>+b</pre></div>", "A|A longer label|b"),
            ("<p>+A<div><div class=name>+Rust</div><pre>+b</pre></div>", "A|Rust|b"),
            ("<p>+A<div><p class=lang>+Rust</p><pre>+b</pre></div>", "A|Rust|b"),
            ("<p>+A<div><div class=lang>+Rust</div><p>+b</div>", "A|Rust|b"),
            ("<main><p>+A<div class=lang>+Rust</div><pre>+b</pre></main>", "A|Rust|b"),
        ]);
    }
}
