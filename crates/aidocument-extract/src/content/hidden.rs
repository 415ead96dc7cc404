//! What a page does not show, and what of that its readers will see all the same.

use crate::tree::{NodeId, Step, Tag, Tree};

/// Whether the element and all in it is not shown.
pub(crate) fn is_hidden(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    if tag.is_silent() {
        return true;
    }
    if tag == Tag::Dialog && tree.attr(id, "open").is_none() {
        return true;
    }
    if is_drawing(tree, id, tag) {
        return true;
    }
    if matches!(tag, Tag::Html | Tag::Body) {
        // A page that hides itself shows itself by a script.
        return false;
    }
    if let Some(value) = tree.attr(id, "hidden") {
        // React streams parts of a page in hidden boxes and puts them in place by a script of one line.
        let is_streamed = tree.attr(id, "id").is_some_and(|id| id.starts_with("S:"));
        let opens = !tree.ignores_collapsed
            && (value.trim().eq_ignore_ascii_case("until-found") || is_collapsed(tree, id));
        return !is_streamed && !opens;
    }
    is_hidden_by_style(tree, id)
}

/// Whether the element is an SVG.
pub(crate) fn is_drawing(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    tag == Tag::Svg || tree.is_foreign(id) && tree.name(id) == "svg"
}

/// Whether the element's `style` hides it.
pub(crate) fn is_hidden_by_style(tree: &Tree, id: NodeId) -> bool {
    !tree.ignores_style
        && tree.attr(id, "style").is_some_and(style_hides)
        && (tree.ignores_collapsed || !is_collapsed(tree, id))
        && tree.revealed.binary_search(&id).is_err()
}

fn style_hides(style: &str) -> bool {
    // Both properties end so, and few others have the letter.
    let may_hide = memchr::memchr2(b'y', b'Y', style.as_bytes()).is_some();
    may_hide
        && style.split(';').any(|declaration| {
            let Some((name, value)) = declaration.split_once(':') else { return false };
            let value = value.trim_ascii().split_ascii_whitespace().next().unwrap_or_default();
            let value = value.strip_suffix("!important").unwrap_or(value);
            let name = name.trim_ascii();
            (name.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none"))
                || (name.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden"))
        })
}

/// What the panels of tabs are called. Their labels stand together, before all of them.
const TABS: [&str; 5] = ["tab-pane", "tabpanel", "tab-content", "tab__content", "tabcontent"];

/// What panels are called that a reader opens by the label before them: answers to questions, parts of an accordion.
const PANELS: [&str; 5] = ["accordion", "collaps", "faq", "expander", "toggle"];

/// What is opened as well, and is not part of the text.
const OVERLAYS: [&str; 12] = [
    "nav", "menu", "banner", "modal", "dialog", "popup", "drawer", "cookie", "filter", "cart", "search",
    "form",
];

/// Whether a hidden element waits for a reader to open it, under a label: the panel of a tab or of an accordion.
fn is_collapsed(tree: &Tree, id: NodeId) -> bool {
    let role = tree.attr(id, "role").unwrap_or_default().trim();
    if role == "tabpanel" {
        return true;
    }
    let class = tree.attr(id, "class").unwrap_or_default().to_ascii_lowercase();
    let is_called = |names: &[&str]| names.iter().any(|name| class.contains(name));
    let (is_tab, is_panel) = (is_called(&TABS), is_called(&PANELS));
    let is_labelled = tree.attr(id, "aria-labelledby").is_some_and(|label| !label.trim().is_empty());
    if is_labelled && (role == "region" || is_tab || is_panel) {
        return true;
    }
    !is_called(&OVERLAYS)
        && (is_tab
            || ((is_labelled || is_panel) && follows_a_label(tree, id))
            || is_under_its_heading(tree, id))
}

/// Whether the heading or term just before an element has a button that opens it.
fn is_under_its_heading(tree: &Tree, id: NodeId) -> bool {
    let Some(own) = tree.attr(id, "id").filter(|own| !own.is_empty()) else { return false };
    let heading = element_before(tree, id)
        .filter(|&heading| tree.tag(heading).heading_level().is_some() || tree.tag(heading) == Tag::Dt);
    heading.is_some_and(|heading| {
        tree.descendants(heading).take(8).any(|inner| tree.attr(inner, "aria-controls") == Some(own))
    })
}

/// The element before this one, whatever text and comments lie between.
fn element_before(tree: &Tree, id: NodeId) -> Option<NodeId> {
    std::iter::successors(tree.prev_sibling(id), |&id| tree.prev_sibling(id)).find(|&id| tree.is_element(id))
}

/// The most words of a label, and the most nodes.
const LABEL_WORDS: usize = 30;
const LABEL_NODES: usize = 100;

/// Whether the element before this one is what opens it: a heading or a button, or something that holds one.
fn follows_a_label(tree: &Tree, id: NodeId) -> bool {
    let Some(label) = element_before(tree, id) else { return false };
    let opens = |tag: Tag| {
        matches!(tag, Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::Button | Tag::Dt | Tag::Summary)
    };
    let is_called = || {
        let class = tree.attr(label, "class").unwrap_or_default().to_ascii_lowercase();
        ["question", "header", "heading", "title", "toggle", "trigger"]
            .iter()
            .any(|name| class.contains(name))
    };
    let (mut words, mut has_opener) = (0, false);
    for (nodes, id) in tree.descendants(label).enumerate() {
        words += tree.text(id).map_or(0, |text| text.split_ascii_whitespace().count());
        if words > LABEL_WORDS || nodes >= LABEL_NODES {
            return false;
        }
        has_opener |= opens(tree.tag(id));
    }
    words > 0 && (has_opener || opens(tree.tag(label)) || is_called())
}

/// Words of the text in a hidden element, scripts and the like apart: all of them, and those outside of links.
pub(crate) fn words_in(tree: &Tree, id: NodeId) -> (u32, u32) {
    let (mut words, mut link_words, mut links) = (0, 0, 0_u32);
    let mut walk = tree.walk(id);
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(inner) => {
                if let Some(text) = tree.text(inner) {
                    let count = text.split_ascii_whitespace().count();
                    words += count;
                    link_words += if links > 0 { count } else { 0 };
                } else if tree.tag(inner).is_silent() || tree.tag(inner) == Tag::Svg || tree.is_foreign(inner)
                {
                    walk.skip_children();
                } else if tree.tag(inner) == Tag::A {
                    links += 1;
                }
            }
            Step::Leave(inner) if tree.tag(inner) == Tag::A => links = links.saturating_sub(1),
            Step::Leave(_) => {}
        }
    }
    let count = |words: usize| u32::try_from(words).unwrap_or(u32::MAX);
    (count(words), count(words - link_words))
}
