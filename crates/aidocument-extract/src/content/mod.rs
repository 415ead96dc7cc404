//! Which parts of the page are its content.
//!
//! The page is cut into [`blocks`]; each block gets a row of [`features`], and the [`model`] computes from a row the
//! probability that a reader would call the block content, with separate trees for articles and for other pages. A
//! second pass ([`second_look`]) corrects these probabilities by those of the surrounding blocks. The kept blocks are
//! those that maximise the expected F1. A page with hardly any text is kept whole except for what its own markup calls
//! navigation.

pub(crate) mod about;
pub(crate) mod blocks;
pub(crate) mod calibration;
pub(crate) mod comments;
pub(crate) mod features;
#[cfg(any(test, feature = "training"))]
pub(crate) mod fingerprint;
mod likeness;
mod main_element;
mod media;
mod members;
pub(crate) mod model;
mod names;
mod posts;
mod price;
pub(crate) mod second_look;
mod sections;
mod selection;
mod standfirst;
mod surroundings;
#[cfg(test)]
mod testing;
mod threshold;
pub(crate) mod title;
mod units;
mod vocabulary;
mod witnesses;

use crate::options::{Focus, Options};
use crate::rules::Rule;
use crate::selector::Asked;
use crate::structure::Structure;
use crate::structure::roles::{is_boilerplate, is_main};
use crate::tree::{ByNode, NodeId, Tag, Tree};
use crate::visibility::{Settings, Visibility};
pub use comments::Comment;
pub(crate) use selection::Selection;

use about::About;
use blocks::Blocks;
use features::Page;
use model::Kind;
use second_look::First;

/// A page with fewer words may be only a frame that scripts fill.
const FEW_WORDS: u32 = 150;

/// Words that `<noscript>` must hold to be the page and not a notice.
const MANY_WORDS: u32 = 60;

/// Up to this many words the markup alone decides, since the model was trained on whole pages only.
const SMALL_PAGE: u32 = 60;

/// The page's tree and visible text.
///
/// Pages that show little or nothing except menus until their scripts have run are read as if they had run: pages with
/// their content in `<noscript>`, and pages that hide it by a `style`. On all other pages both are ignored.
pub(crate) fn visible(html: &str, options: &Options) -> (Tree, Blocks) {
    let mut tree = Tree::parse(html);
    #[cfg(feature = "training")]
    {
        tree.rules = options.rules;
    }
    let rules = tree.rules;
    let mut settings = Settings {
        ignores_collapsed: !options.collapsed,
        keeps_hidden: options.hidden,
        limits: options.visibility_limits.clone(),
        ..Settings::default()
    };
    tree.seen = Visibility::of(&tree, &settings);
    let mut blocks = Blocks::of(&tree);
    settings.revealed = blocks.awaited();
    if !settings.revealed.is_empty() && rules.has(Rule::AwaitedParts) {
        tree.seen = Visibility::of(&tree, &settings);
        blocks = Blocks::of(&tree);
    }
    let shown = blocks.words();
    if shown >= FEW_WORDS || !tree.has(Tag::Noscript) {
        return (tree, blocks);
    }
    let many = 3 * shown + MANY_WORDS + 1;
    let in_noscript: usize = tree
        .descendants(Tree::ROOT)
        .filter(|&id| tree.tag(id) == Tag::Noscript)
        .filter_map(|id| tree.first_child(id).and_then(|child| tree.text(child)))
        .map(str::len)
        .sum();
    if in_noscript > 8 * MANY_WORDS as usize && rules.has(Rule::NoscriptPage) {
        let mut other_tree = Tree::parse_without_scripting(html);
        other_tree.rules = rules;
        other_tree.seen = Visibility::of(&other_tree, &settings);
        let other = Blocks::of(&other_tree);
        if other.words() >= many {
            return (other_tree, other);
        }
    }
    (tree, blocks)
}

named! {
    /// The kind of a page as the model classified it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
    #[non_exhaustive]
    pub enum PageKind
    /// The name, in lower case.
    [pub fn as_str]
    /// An article: news, a post, a chapter.
    Article "article",
    /// Anything else: a list, a shop, a forum, a page of a few words.
    #[default]
    Other "other",
}

/// The content of a page, and how it was chosen.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    pub(crate) selection: Selection,
    /// The element that is the page's title without being a heading.
    pub(crate) title_line: Option<NodeId>,
    pub(crate) kind: PageKind,
    /// The F1 to expect, by words.
    pub(crate) confidence: Option<f32>,
    /// The F1 that the model expects.
    pub(crate) expected: Option<f32>,
    /// Cells of tables of data that are not chosen.
    pub(crate) cells_left_out: u32,
    /// Words of the main element that are not chosen, where they are most of it.
    pub(crate) main_left_out: u32,
    /// True if a selector matched nothing.
    pub(crate) selector_missed: bool,
    /// Words of chosen blocks that are left out for the limit.
    pub(crate) words_cut: u32,
    /// The number of words of the chosen blocks, if there are too few.
    pub(crate) too_few: Option<u32>,
}

/// The kind of a page and the log-odds of its blocks from another model than the crate's, for evaluation: pages from
/// the training set need a model that was trained without them.
pub(crate) type Given<'a> = (PageKind, &'a [f32]);

/// Chooses the content of a page.
pub(crate) fn select(
    tree: &Tree,
    blocks: &Blocks,
    structure: &Structure,
    about: &About,
    options: &Options,
    given: Option<Given<'_>>,
) -> Choice {
    let mut choice = Choice::default();
    if options.whole_page {
        return choice;
    }
    let mut allowed: Vec<bool> = vec![true; blocks.blocks.len()];
    by_selectors(tree, blocks, options, &mut allowed, &mut choice);
    if !options.comments {
        leave_out(blocks, &comments::marked(tree), &mut allowed);
    }
    let hinted = allowed.contains(&false) && options.selector.is_some();
    let is_bounded = options.min_words > 0 || options.max_words.is_some();
    let is_small = blocks.words() <= SMALL_PAGE && tree.rules.has(Rule::SmallPages);
    let mut keep = if is_small || hinted {
        let keep = by_markup(tree, blocks, &allowed, is_small);
        if !is_bounded && keep.iter().all(|&kept| kept) && !has_boilerplate(tree) {
            choice.selection = Selection::tidy();
            return choice;
        }
        keep
    } else {
        by_model(tree, blocks, about, &allowed, options, given, &mut choice)
    };
    if is_bounded {
        bound(blocks, options, &mut keep, &mut choice);
    }
    only_written(tree, blocks, &mut keep);
    choice.selection = Selection::of(tree, blocks, structure, &keep, &about.address_name);
    choice
}

/// Chooses all of a page that is nothing but content, within the caller's limits.
pub(crate) fn all(tree: &Tree, blocks: &Blocks, structure: &Structure, options: &Options) -> Choice {
    let mut choice = Choice::default();
    let mut keep = vec![true; blocks.blocks.len()];
    bound(blocks, options, &mut keep, &mut choice);
    choice.selection = Selection::of(tree, blocks, structure, &keep, "");
    choice
}

/// Forbids the blocks that the caller's selectors leave out.
fn by_selectors(tree: &Tree, blocks: &Blocks, options: &Options, allowed: &mut [bool], choice: &mut Choice) {
    let mut inside = |selector: &str| {
        let hits = Asked::parse(selector)?.find(tree);
        choice.selector_missed |= hits.is_none();
        hits.map(|hits| marked(tree, |id| hits[id]))
    };
    let kept = options.selector.as_deref().and_then(&mut inside);
    let unwanted = options.remove.as_deref().and_then(inside);
    if let Some(inside) = kept {
        let hit: Vec<_> = blocks.blocks.iter().map(|block| inside[block.container]).collect();
        if hit.contains(&true) {
            allowed.copy_from_slice(&hit);
        } else {
            choice.selector_missed = true;
        }
    }
    if let Some(inside) = unwanted {
        leave_out(blocks, &inside, allowed);
    }
}

/// Forbids the blocks in elements that are marked.
fn leave_out(blocks: &Blocks, inside: &ByNode<bool>, allowed: &mut [bool]) {
    for (allowed, block) in allowed.iter_mut().zip(&blocks.blocks) {
        *allowed &= !inside[block.container];
    }
}

/// Leaves out the blocks that are hidden from readers: the model judges them, since it was trained with them, but they are not written.
fn only_written(tree: &Tree, blocks: &Blocks, keep: &mut [bool]) {
    for (kept, block) in keep.iter_mut().zip(&blocks.blocks) {
        *kept &= blocks.texts_of(block).iter().any(|&id| !tree.seen.is_unwritten(id));
    }
}

/// Leaves out all blocks if they have too few words, or those beyond the limit.
fn bound(blocks: &Blocks, options: &Options, keep: &mut [bool], choice: &mut Choice) {
    let most = options.max_words.unwrap_or(u32::MAX);
    let mut words = 0u32;
    for (block, kept) in blocks.blocks.iter().zip(keep.iter_mut()).filter(|(_, kept)| **kept) {
        if words >= most {
            *kept = false;
            choice.words_cut = choice.words_cut.saturating_add(block.counts.words);
        } else {
            words = words.saturating_add(block.counts.words);
        }
    }
    if words < options.min_words {
        keep.fill(false);
        choice.too_few = Some(words);
    }
}

/// For each node, whether it is in an element for which `is_it` holds.
fn marked(tree: &Tree, is_it: impl FnMut(NodeId) -> bool) -> ByNode<bool> {
    marked_in(tree, Tree::ROOT, is_it)
}

/// The same of the nodes in an element; all others are not.
fn marked_in(tree: &Tree, within: NodeId, mut is_it: impl FnMut(NodeId) -> bool) -> ByNode<bool> {
    let mut inside = ByNode::new(tree);
    for id in tree.descendants(within) {
        let is_inside = tree.parent(id).is_some_and(|parent| inside[parent]);
        inside[id] = is_inside || (tree.is_element(id) && is_it(id));
    }
    inside
}

fn has_boilerplate(tree: &Tree) -> bool {
    tree.descendants(Tree::ROOT).any(|id| tree.is_element(id) && is_boilerplate(tree, id))
}

/// Chooses everything that the markup does not call navigation, inside `<main>` if there is one; everything if
/// nothing would be left. With `by_names`, so is what is named as something beside a text.
fn by_markup(tree: &Tree, blocks: &Blocks, allowed: &[bool], by_names: bool) -> Vec<bool> {
    let is_beside = |id| {
        let tag = tree.tag(id);
        let is_text = matches!(tag, Tag::Html | Tag::Body | Tag::Main | Tag::Article | Tag::Blockquote)
            || tag.heading_level().is_some();
        by_names && !is_text && names::groups_of(tree, id) & names::BESIDE_SHORT_TEXT != 0
    };
    let boilerplate =
        marked(tree, |id| names::is_boilerplate(tree, id, names::groups_of(tree, id)) || is_beside(id));
    let main = marked(tree, |id| is_main(tree, id));
    let choose = |needs_main: bool| -> Vec<bool> {
        let fits = |id: NodeId| !boilerplate[id] && (!needs_main || main[id]);
        blocks.blocks.iter().zip(allowed).map(|(block, &allowed)| allowed && fits(block.container)).collect()
    };
    let choices = [true, false].into_iter().map(choose);
    choices.into_iter().find(|choice| choice.contains(&true)).unwrap_or_else(|| allowed.to_vec())
}

/// The blocks that maximise the expected F1, given each block's probability of being content.
fn by_model(
    tree: &Tree,
    blocks: &Blocks,
    about: &About,
    allowed: &[bool],
    options: &Options,
    given: Option<Given<'_>>,
    choice: &mut Choice,
) -> Vec<bool> {
    let page = Page::of(tree, blocks);
    let (kind, log_odds) = match given {
        Some((kind, log_odds)) if log_odds.len() == allowed.len() => (kind, log_odds.to_vec()),
        _ => judge(&page, about),
    };
    let chances: Vec<f32> = log_odds
        .iter()
        .zip(allowed)
        .map(|(&log_odds, &allowed)| if allowed { model::chance_of(log_odds) } else { 0.0 })
        .collect();
    let best_first = threshold::best_first(&chances);
    let (mut threshold, expected) = threshold::best(blocks, &chances, &best_first, 1.0);
    choice.expected = Some(expected.clamp(0.0, 1.0) as f32);
    choice.confidence =
        choice.expected.map(|expected| calibration::calibrated(expected, calibration::CONTENT));
    if options.focus != Focus::Balanced {
        threshold = threshold::best(blocks, &chances, &best_first, options.focus.beta_squared()).0;
    }
    choice.kind = kind;
    let mut keep: Vec<bool> =
        chances.iter().zip(allowed).map(|(&chance, &allowed)| allowed && chance >= threshold).collect();
    let main = main_element::of(&page);
    let names_itself = about.kind & about::TOLD_OTHERWISE != 0;
    if let Some(main) =
        main.filter(|_| kind == PageKind::Other && !names_itself && tree.rules.has(Rule::MainElement))
    {
        main_element::fill(&page, main, &mut keep);
    }
    choice.cells_left_out = units::complete(tree, blocks, &mut keep);
    about.witnesses.keep(&page, &mut keep);
    let authors = if kind == PageKind::Other { posts::authors(&page, about) } else { None };
    if authors.is_some() && tree.rules.has(Rule::Posts) {
        posts::fill(&page, &mut keep);
    }
    let mut nearly: Vec<bool> =
        chances.iter().map(|&chance| chance >= sections::NEARLY * threshold).collect();
    // A hidden copy must not make the shown one a repetition, nor be the text that a title is looked for before.
    only_written(tree, blocks, &mut keep);
    only_written(tree, blocks, &mut nearly);
    sections::tend(&page, kind == PageKind::Article, &nearly, &mut keep);
    if tree.rules.has(Rule::Members) {
        members::leave_out(&page, &mut keep);
    }
    if let Some(names) = authors.filter(|_| tree.rules.has(Rule::Authors)) {
        posts::keep_authors(&page, &names, &mut keep);
    }
    only_written(tree, blocks, &mut keep);
    if options.title
        && let Some(title) = title::keep(&page, &about.title_text, &mut keep)
    {
        choice.title_line = title.line;
        if tree.rules.has(Rule::Standfirst) {
            standfirst::keep(&page, about, title.between.clone(), &mut keep);
            price::keep(&page, about, title.between, &mut keep);
        }
    }
    if kind == PageKind::Other && tree.rules.has(Rule::Prices) {
        price::keep_in_lists(&page, about, &mut keep);
    }
    if tree.rules.has(Rule::CodeBeside) {
        units::lines_of_code(&page, &mut keep);
    }
    for (kept, &allowed) in keep.iter_mut().zip(allowed) {
        *kept &= allowed;
    }
    if let Some(main) = main.filter(|_| !allowed.contains(&false)) {
        choice.main_left_out = main_element::left_out(&page, main, &keep);
    }
    keep
}

/// The model's classification of a page, and the log-odds of its blocks.
fn judge(page: &Page<'_>, about: &About) -> (PageKind, Vec<f32>) {
    let mut firsts: Vec<First> = Vec::with_capacity(page.blocks.blocks.len());
    let mut kind = None;
    features::rows(page, about, |row, _| {
        let kind = *kind.get_or_insert_with(|| Kind::of(row));
        firsts.push(First::of(row, kind.first_look(row)));
    });
    let kind = kind.unwrap_or(Kind::Other);
    let mut log_odds: Vec<f32> = firsts.iter().map(|first| first.log_odds).collect();
    second_look::rows(page, &firsts, |index, row| {
        if let Some(place) = log_odds.get_mut(index) {
            *place = kind.second_look(row, *place);
        }
    });
    (if kind == Kind::Article { PageKind::Article } else { PageKind::Other }, log_odds)
}

#[cfg(test)]
mod tests {
    use super::testing::Marked;
    use super::*;

    /// The text chosen by markup from a page of few words.
    fn marked_up(html: &str) -> String {
        let mut page = Marked::of(html);
        page.keep = by_markup(&page.tree, &page.blocks, &vec![true; page.texts.len()], true);
        page.kept()
    }

    #[test]
    fn small_pages_go_by_their_markup() {
        for (html, expected) in [
            ("<nav>a</nav><p>b</p><footer>c</footer>", "b"),
            ("<p>a<main><p>b<nav>c</nav></main>", "b"),
            ("<p>a<div role=main><p>b</div>", "b"),
            ("<p>a<div role=navigation>b</div><div role=search>c</div><div role=dialog>d</div>", "a"),
            ("<p>a<div role=banner>b</div><div role=contentinfo>c</div><div role=complementary>d</div>", "a"),
            ("<p>a<aside>b</aside><button>c</button><div role=note>d</div>", "a|d"),
            ("<header>a</header><article><header>b</header><p>c<footer>d</footer></article>", "b|c|d"),
            ("<section><header>a</header></section><main><footer>b</footer></main>", "b"),
            ("<main><nav>a</nav></main><p>b", "b"),
            ("<nav>a</nav><aside>b</aside>", "a|b"),
            ("<p>a<div class=col-sidebar><p>b</div><ul class=breadcrumb><li>c</ul><p class=comment>d", "a|d"),
            (
                "<p>a<div class=footer>b</div><div id=cookie-banner>c</div><div class=advertisement>d</div>",
                "a",
            ),
            (
                "<p>a<aside class=note>b</aside><div class=callout>c</div><blockquote class=twitter-tweet>d</blockquote>\
                 <aside role=note>e</aside><nav class=note>f</nav>",
                "a|b|c|d|e",
            ),
            ("<body class=has-sidebar><main class=legal><h1 id=share>a</h1><p>b</main>", "a|b"),
            ("<h1>a</h1><section class='chapter h1-related'><p>b</section>", "a|b"),
            ("<h1>a</h1><table><tr><td class=sidebar>b<td>c</table>", "a|c"),
        ] {
            assert_eq!(marked_up(html), expected, "{html}");
        }
        let page = Marked::of("<p>a<p>b");
        assert_eq!(by_markup(&page.tree, &page.blocks, &[false, true], true), [false, true]);
        assert!(has_boilerplate(&Marked::of("<p>a<aside>b</aside>").tree));
        assert!(!has_boilerplate(&Marked::of("<p>a<article><header>b</header></article>").tree));
    }

    #[test]
    fn bounds_count_whole_blocks() {
        let bound_to = |least: u32, most: Option<u32>| {
            let mut page = Marked::of("<p>+one two<p>three<p>+four five six<p>+seven");
            let options = Options { min_words: least, max_words: most, ..Options::default() };
            let mut choice = Choice::default();
            bound(&page.blocks, &options, &mut page.keep, &mut choice);
            (page.kept(), choice.words_cut, choice.too_few)
        };
        let all = "one two|four five six|seven".to_owned();
        assert_eq!(bound_to(0, None), (all.clone(), 0, None));
        assert_eq!(bound_to(6, None), (all.clone(), 0, None));
        assert_eq!(bound_to(7, None), (String::new(), 0, Some(6)));
        assert_eq!(bound_to(0, Some(2)), ("one two".to_owned(), 4, None));
        assert_eq!(bound_to(0, Some(3)), ("one two|four five six".to_owned(), 1, None));
        assert_eq!(bound_to(0, Some(6)), (all, 0, None));
        assert_eq!(bound_to(3, Some(1)), (String::new(), 4, Some(2)));
    }

    #[test]
    fn selections_know_what_they_are() {
        let (whole, tidy) = (Selection::whole(), Selection::tidy());
        assert!(whole.is_whole() && !whole.is_choice() && whole.has(Tree::ROOT) && whole.has_note(7));
        assert!(!tidy.is_whole() && !tidy.is_choice() && tidy.has(Tree::ROOT) && tidy.has_note(0));
        let page = Marked::of("<p>+a<p>b<hr><p>+c");
        let structure = Structure::of(&page.tree, "");
        let chosen = Selection::of(&page.tree, &page.blocks, &structure, &page.keep, "");
        assert!(chosen.is_choice() && !chosen.is_whole() && !chosen.has_note(0));
        let has = |name: &str| {
            let mut all = page.tree.descendants(Tree::ROOT);
            chosen.has(all.find(|&id| page.tree.text(id) == Some(name)).expect("a text"))
        };
        assert_eq!([has("+a"), has("b"), has("+c")], [true, false, true]);
    }

    #[test]
    fn pages_without_scripts_are_read_from_noscript() {
        let text = |html: &str| Marked::of(html).texts.join("|");
        let words = |count: usize| "word ".repeat(count);
        let page = |shown: usize, hidden: usize| {
            format!("<p>{}<noscript><p>{}</noscript>", words(shown), words(hidden))
        };
        // More than three times what is shown, and more than a notice.
        assert_eq!(text(&page(1, 200)).matches("word").count(), 201);
        assert_eq!(text(&page(1, 50)).matches("word").count(), 1);
        assert_eq!(text(&page(149, 359)).matches("word").count(), 508);
        assert_eq!(text(&page(149, 358)).matches("word").count(), 149);
        assert_eq!(text(&page(150, 900)).matches("word").count(), 150);
    }
}
