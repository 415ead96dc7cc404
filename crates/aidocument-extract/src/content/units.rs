//! Tables of data, which are kept or left out whole, and what is beside code and in forms.
//!
//! The content model classifies one block at a time by its words, and cells have few words. So if most words of a table
//! are kept, all are; if few are, none. Lists are not changed: completing them costs more on menus and teasers than it
//! gains (F1 of 1,476 pages: 0.8946 without, 0.8936 with).

use std::collections::BTreeSet;

use super::blocks::{Block, Blocks};
use super::features::Page;
use crate::code::boxes;
use crate::code::declaration::is_declaration;
use crate::rules::Rule;
use crate::structure::roles::heading_at;
use crate::structure::tables::is_data;
use crate::tree::{NodeId, NodeMap, Tag, Tree};

/// Elements around a block that are looked at for structures.
const MAX_AROUND: usize = 24;

/// The blocks of a table.
#[derive(Debug, Clone, Copy)]
struct Unit {
    first: usize,
    last: usize,
    words: u32,
    kept: u32,
    link_words: u32,
}

/// Makes structures whole; gives the number of cells of data that are left out with their tables. `O(n)`.
pub(super) fn complete(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) -> u32 {
    let left_out = if tree.has(Tag::Table) { tables(tree, blocks, keep) } else { 0 };
    if tree.rules.has(Rule::Buttons) {
        if tree.has(Tag::Button) {
            buttons(tree, blocks, keep);
        }
        if tree.has(Tag::Option) {
            options(tree, blocks, keep);
        }
    }
    if tree.has(Tag::Pre) && tree.rules.has(Rule::CodeLabels) {
        code_labels(tree, blocks, keep);
    }
    left_out
}

/// Fills and clears tables of data, inner ones first.
fn tables(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) -> u32 {
    let mut left_out = 0;
    let mut units: NodeMap<Unit> = NodeMap::default();
    let mut order: Vec<NodeId> = Vec::new();
    for (place, block) in blocks.blocks.iter().enumerate() {
        let kept = keep.get(place) == Some(&true);
        let around = tree.upward(block.container);
        for id in around.take(MAX_AROUND).filter(|&id| tree.tag(id) == Tag::Table) {
            let unit = units.entry(id).or_insert_with(|| {
                order.push(id);
                Unit { first: place, last: place, words: 0, kept: 0, link_words: 0 }
            });
            unit.last = place;
            unit.words += block.counts.words;
            unit.link_words += block.counts.link_words;
            unit.kept += if kept { block.counts.words } else { 0 };
        }
    }
    for id in order {
        let Some(unit) = units.get(&id).copied().filter(|_| is_data(tree, id)) else { continue };
        // A table in the midst of kept text, unless it is one of links.
        let is_at = |place: Option<usize>| place.and_then(|place| keep.get(place)) == Some(&true);
        let is_after = is_at(unit.first.checked_sub(1));
        let in_text = is_after && (is_at(Some(unit.last + 1)) || has_caption_or_figure(tree, id));
        let is_wanted = tree.rules.has(Rule::TablesInText)
            && in_text
            && 2 * unit.link_words < unit.words
            && unit.words <= IN_TEXT;
        if !is_wanted && !tree.rules.has(Rule::Tables) {
            continue;
        }
        let all = is_wanted || 2 * unit.kept >= unit.words;
        if !all {
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

/// Returns true if a table is a figure or has a caption: then it belongs to the text before it.
fn has_caption_or_figure(tree: &Tree, id: NodeId) -> bool {
    tree.ancestors(id).take(2).any(|around| tree.tag(around) == Tag::Figure)
        || tree.children(id).any(|child| tree.tag(child) == Tag::Caption)
}

/// Most words of a table that is kept only because of its surroundings.
const IN_TEXT: u32 = 600;

/// Whether a block is one of code.
fn is_code(tree: &Tree, block: &Block) -> bool {
    let mut around = tree.upward(block.container).take(4);
    around.any(|id| tree.tag(id) == Tag::Pre)
}

/// Keeps paragraphs that are nothing but code beside kept text, such as the file to include: to the model a link in one is most of
/// its words. Also a paragraph right before kept code, which says what that shows.
pub(super) fn lines_of_code(page: &Page<'_>, keep: &mut [bool]) {
    let Some(first) = keep.iter().position(|&kept| kept) else { return };
    let last = keep.iter().rposition(|&kept| kept).unwrap_or(first);
    let (tree, blocks) = (page.tree, &page.blocks.blocks);
    for place in first + 1..last {
        let is_kept = |place: usize| keep.get(place) == Some(&true);
        let is_beside = !is_kept(place) && (is_kept(place - 1) || is_kept(place + 1));
        let is_line = |block: &Block| {
            let texts = page.blocks.texts_of(block);
            let in_code = |&text: &NodeId| {
                let mut around =
                    tree.ancestors(text).take(MAX_AROUND).take_while(|&around| around != block.container);
                around.any(|around| tree.tag(around) == Tag::Code)
            };
            let mut around = tree.upward(block.container).take(MAX_AROUND);
            let tag = tree.tag(block.container);
            let is_text = 2 * block.counts.link_words <= block.counts.words && is_kept(place + 1);
            let is_known = || {
                texts.iter().all(in_code)
                    || (is_text
                        && blocks.get(place + 1).is_some_and(|next| is_before_code(tree, block, next)))
            };
            (tag == Tag::P && is_known() || is_declaration(tree, block.container, tag))
                && !around.any(|around| page.is_beside(around))
        };
        if is_beside
            && blocks.get(place).is_some_and(is_line)
            && let Some(slot) = keep.get_mut(place)
        {
            *slot = true;
        }
    }
}

/// Whether code follows a block, both in one element. It is asked of the block right before, so once for all code.
fn is_before_code(tree: &Tree, block: &Block, next: &Block) -> bool {
    let mut around = tree.upward(next.container).take(4);
    let beside = around.find(|&id| tree.parent(id) == tree.parent(block.container));
    beside.is_some_and(|id| tree.tag(id) == Tag::Pre || boxes::of(tree, id, tree.tag(id)).is_some())
}

/// Leaves out buttons of a few words that open nothing.
fn buttons(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) {
    for (block, slot) in blocks.blocks.iter().zip(keep).filter(|(_, slot)| **slot) {
        if block.counts.words > 3 || tree.tag(block.container) != Tag::Button {
            continue;
        }
        let opens = tree.attr(block.container, "aria-controls").is_some()
            || tree.attr(block.container, "aria-expanded").is_some()
            || heading_at(tree, block.container).is_some();
        *slot = opens;
    }
}

/// Leaves out the options of choices and their labels, unless much of what is kept is options.
fn options(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) {
    let is_option = |block: &Block| tree.tag(block.container) == Tag::Option;
    let (mut words, mut all) = (0, 0);
    for (block, _) in blocks.blocks.iter().zip(&*keep).filter(|(_, kept)| **kept) {
        all += block.counts.words;
        words += if is_option(block) { block.counts.words } else { 0 };
    }
    if OPTIONS * words > all {
        return;
    }
    let selects: BTreeSet<&str> = tree
        .elements()
        .filter(|(_, tag)| *tag == Tag::Select)
        .filter_map(|(id, _)| tree.attr(id, "id"))
        .collect();
    for (block, slot) in blocks.blocks.iter().zip(keep).filter(|(_, slot)| **slot) {
        let is_label = tree.tag(block.container) == Tag::Label
            && tree.attr(block.container, "for").is_some_and(|of| selects.contains(of));
        *slot = !is_label && !is_option(block);
    }
}

/// Options are not content of a page that has so many times as many other words.
const OPTIONS: u32 = 5;

/// Leaves out a word right before code that repeats the language in its class.
fn code_labels(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) {
    for place in 0..keep.len() {
        let is_kept = keep.get(place) == Some(&true);
        // A section about a language is headed by its name.
        let is_label =
            |block: &&Block| block.counts.words == 1 && heading_at(tree, block.container).is_none();
        let Some(block) = blocks.blocks.get(place).filter(|_| is_kept).filter(is_label) else { continue };
        // A button to copy the code may be between.
        let mut behind = blocks.blocks.iter().skip(place + 1).take(2);
        let Some(next) = behind.find(|next| is_code(tree, next)) else { continue };
        let text: String = blocks.texts_of(block).iter().filter_map(|&id| tree.text(id)).collect();
        let word = text.trim_matches(|c: char| !c.is_alphanumeric());
        let mut around = tree.upward(next.container).take(4);
        let is_named = |class: &str| languages(class).any(|language| language.eq_ignore_ascii_case(word));
        if around.any(|id| tree.attr(id, "class").is_some_and(is_named))
            && let Some(slot) = keep.get_mut(place)
        {
            *slot = false;
        }
    }
}

/// The languages in a class, as HTML's own section on code (`language-js`) and SyntaxHighlighter (`brush: js`) name them.
fn languages(class: &str) -> impl Iterator<Item = &str> {
    let mut words = class.split_ascii_whitespace();
    let prefixed = words.clone().filter_map(|word| word.strip_prefix("language-"));
    let brush = words.find(|&word| word == "brush:").and_then(|_| words.next());
    prefixed.chain(brush)
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
    fn lines_of_code_beside_kept_text_are_kept() {
        let line = "<p><code>#include &lt;<a href=/tea>tea.h</a>&gt;</code>";
        let said = "#include <tea.h>";
        for (html, expected) in [
            (format!("<p>+a{line}<p>+b"), format!("a|{said}|b")),
            (format!("<p>+a<p>c{line}<p>+b"), format!("a|{said}|b")),
            (format!("<p>+a<p>c{line}<p>d<p>+b"), "a|b".to_owned()),
            (format!("{line}<p>+a<p>+b"), "a|b".to_owned()),
            (format!("<p>+a<p>+b{line}"), "a|b".to_owned()),
            (format!("<p>+a<aside>{line}</aside><p>+b"), "a|b".to_owned()),
            (format!("<p>+a{line} or so<p>+b"), "a|b".to_owned()),
            ("<p>+a<ul><li><code>tea</code></ul><p>+b".to_owned(), "a|b".to_owned()),
            // A line that says what code shows, and one that leads elsewhere.
            ("<h1>+a</h1><p>b<pre>+c</pre><p>d<p>+e".to_owned(), "a|b|c|e".to_owned()),
            (
                "<h1>+a</h1><p>b<div class=fragment><div class=line>+c;</div></div><p>+d".to_owned(),
                "a|b|c;|d".to_owned(),
            ),
            ("<h1>+a</h1><p><a href=/b>b</a><pre>+c</pre><p>+d".to_owned(), "a|c|d".to_owned()),
            ("<h1>+a</h1><aside><p>b</aside><pre>+c</pre><p>+d".to_owned(), "a|c|d".to_owned()),
            // Haddock's, which may have links in every word.
            (
                "<p>c<p class=src>data <a class=def>Tea</a></p><p>+a<p>+b<p>c<p>+d".to_owned(),
                "a|b|d".to_owned(),
            ),
            (
                "<p>+a<p class=src>data <a class=def>Tea</a></p><p>+b<p class=src>Tea</p><p>+c".to_owned(),
                "a|data Tea|b|c".to_owned(),
            ),
        ] {
            let mut page = Marked::of(&html);
            lines_of_code(&Page::of(&page.tree, &page.blocks), &mut page.keep);
            assert_eq!(page.kept(), expected, "{html}");
        }
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
        ]);
        let long = |words: usize| {
            completed(&format!("<p>+A{}<p>+B", none.replace(">d", &format!("> {}", "d ".repeat(words))))).0
        };
        assert_ne!(long(595), "A|B");
        assert_eq!(long(596), "A|B");
    }

    #[test]
    fn what_is_beside_code_is_left_out() {
        check(&[
            ("<p>+A<div><button>+Copy</button><pre>+b</pre></div>", "A|b"),
            ("<p>+A<button>+Buy it now</button>", "A"),
            ("<p>+A<button>+Buy it now please</button>", "A|Buy it now please"),
            ("<p>+A<button aria-controls=x>+More</button><p>+B", "A|More|B"),
            ("<p>+A<button aria-expanded=false>+More</button><p>+B", "A|More|B"),
            ("<p>+A<h2><button>+More</button></h2><p>+B", "A|More|B"),
            ("<p>+A<div class=language-rust><span>+Rust</span><pre>+b</pre></div>", "A|b"),
            ("<p>+A<div><p>+js</p><pre class='brush: js'>+b</pre></div>", "A|b"),
            ("<h3>+Rust</h3><div class=language-rust><pre>+b</pre></div>", "Rust|b"),
            ("<p>+A<div class=language-rust><span>+Listing</span><pre>+b</pre></div>", "A|Listing|b"),
            ("<p>+A<div class=language-rust><p>+Rust here</p><pre>+b</pre></div>", "A|Rust here|b"),
            ("<p>+A<div class='admonition note'><p>+Note</p><pre>+b</pre></div>", "A|Note|b"),
            ("<p>+A<div class=rust><p>+Rust</p><p>+b</div>", "A|Rust|b"),
        ]);
    }

    #[test]
    fn options_are_left_out_with_their_labels() {
        let text = "<p>+Tea of green leaves, and one of black ones for the evening";
        let sort = "<label for=by>+Sort by</label><select id=by><option>+Name<option>+Price</select>";
        let said = "Tea of green leaves, and one of black ones for the evening";
        check(&[
            (&format!("{text}{sort}"), said),
            (&format!("{text}<label for=q>+Name</label><input id=q>"), &format!("{said}|Name")),
            (&format!("{text}<label for=q>+Name</label>{sort}"), &format!("{said}|Name")),
            // A page that is a choice.
            (&format!("<p>+Tea{sort}"), "Tea|Sort by|Name|Price"),
        ]);
    }
}
