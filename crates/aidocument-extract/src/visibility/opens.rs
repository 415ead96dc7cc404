//! Elements that a reader opens, or that a script shows once it has run: hidden as delivered, but content.

use super::property::Property;
use super::style::Style;
use super::value::Value;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// Names of tab panels. Their labels are together, before all panels.
const TABS: [&str; 5] = ["tab-pane", "tabpanel", "tab-content", "tab__content", "tabcontent"];

/// Names of panels with a label right before them: answers to questions, parts of an accordion.
const PANELS: [&str; 5] = ["accordion", "collaps", "faq", "expander", "toggle"];

/// Names of elements that open but are not part of the text.
const OVERLAYS: [&str; 12] = [
    "nav", "menu", "banner", "modal", "dialog", "popup", "drawer", "cookie", "filter", "cart", "search",
    "form",
];

/// Whether a hidden element waits for a reader to open it, under a label: the panel of a tab or of an accordion.
pub(super) fn is_collapsed(tree: &Tree, id: NodeId) -> bool {
    let role = tree.attr(id, "role").unwrap_or_default().trim();
    if role == "tabpanel" {
        return true;
    }
    let (is_tab, is_panel) = (tree.is_called(id, &TABS), tree.is_called(id, &PANELS));
    let is_labelled = tree.attr(id, "aria-labelledby").is_some_and(|label| !label.trim().is_empty());
    if is_labelled && (role == "region" || is_tab || is_panel) {
        return true;
    }
    !tree.is_called(id, &OVERLAYS)
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
    tree.preceding(id).find(|&id| tree.is_element(id))
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
    let is_called =
        || tree.is_called(label, &["question", "header", "heading", "title", "toggle", "trigger"]);
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

/// Attributes of what scripts bring in as a reader scrolls: the libraries AOS, Webflow, Framer, ScrollReveal, sal, GSAP's
/// kits, Elementor.
const ENTRANCES: [&str; 12] = words(
    "data-aos data-w-id data-framer-appear-id data-sr-id data-sal data-animate data-animation \
    data-animation-type data-scroll data-reveal data-wow-delay data-projection-id",
);

/// Classes of such.
const ENTERING: [&str; 14] = words(
    "wow animated aos-init fade-in fadein reveal elementor-invisible animate-on-scroll js-reveal sr-item \
    et-waypoint wpb_animate_when_almost_visible scroll-reveal will-animate",
);

/// Whether an element is brought in by a script or an animation of the page, by its own marks.
pub(super) fn is_awaited(tree: &Tree, id: NodeId, style: &Style) -> bool {
    if style.is(Property::Animation, Value::Moves) {
        return true;
    }
    tree.attributes(id).any(|(name, _)| ENTRANCES.contains(&name))
        || tree.classes(id).any(|name| ENTERING.contains(&name))
}
