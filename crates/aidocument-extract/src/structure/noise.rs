//! Noise in the text for some readers only: links from a heading to itself and to edit its section, for mouse users; invisible
//! labels for screen readers.

use crate::rules::Rule;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// Classes of links and boxes that belong to no heading's text; the last five open a long quote in a forum,
/// and a method's code in RDoc, lead from a declaration to itself in Haddock, open its details, and name a graph in Doxygen.
const CLASSES: [&str; 19] = words(
    "mw-editsection headerlink header-anchor heading-anchor anchor-link anchorjs-link hash-link permalink \
    permalink-widget octicon-link zeroclipboard-container heading-link headinglink sl-anchor-link \
    bbCodeBlock-expandLink method-click-advice selflink hide-when-js-enabled dynheader",
);

/// Signs that lead to their heading.
const SIGNS: [&str; 9] = ["#", "¶", "§", "🔗", "⚓", "∞", "⌘", "→#", "\u{f0c1}"];

/// Prefixes of the texts of such links, in lower case.
const SAYINGS: [&str; 9] = [
    "permalink",
    "permanent link",
    "link to this",
    "link to heading",
    "direct link to",
    "copy link",
    "section titled",
    "anchor link",
    "jump to heading",
];

/// Texts of links from a declaration to its source, in lower case.
const SOURCES: [&str; 5] = ["source", "[source]", "src", "[src]", "view source"];

/// Parts of the addresses to which such links lead.
const SOURCE_FOLDERS: [&str; 2] = ["src/", "_modules/"];

/// Returns true if an element is noise: anywhere by its class or a pilcrow, in a heading also by its text.
pub(crate) fn is_noise(tree: &Tree, id: NodeId, tag: Tag, in_heading: bool) -> bool {
    // What renderers of Markdown put over the notes for readers who hear the page.
    if tag.heading_level().is_some() {
        return tree.attr(id, "id").is_some_and(|id| id.ends_with("footnote-label"));
    }
    if tag == Tag::Summary && tree.rules.has(Rule::SaidNoise) && only_folds(tree, id) {
        return true;
    }
    let tags = [Tag::A, Tag::Span, Tag::Button, Tag::Div, Tag::Small, Tag::Sup, Tag::Summary];
    if !tags.contains(&tag) {
        return false;
    }
    let is_named = tree.rules.has(Rule::NamedNoise);
    let is_whole = match tag {
        Tag::A if tree.rules.has(Rule::LinksBack) && leads_back(tree, id) => true,
        Tag::A => is_named && tree.attr(id, "href").is_some_and(leads_to_source) && says_source(tree, id),
        Tag::Div => is_named && (is_folded_source(tree, id) || is_search_of_book(tree, id)),
        Tag::Span => is_named && is_mark_again(tree, id),
        _ => false,
    };
    if is_whole {
        return true;
    }
    if is_named && tree.classes(id).any(|name| CLASSES.contains(&name)) {
        // A title that leads to itself, and a post's date that leads to the post, have such classes too.
        return tag != Tag::A || is_sign(tree, id) || text_of(tree, id).is_some_and(|text| says(&text));
    }
    if !tree.rules.has(Rule::SaidNoise) {
        return false;
    }
    if !in_heading {
        // A pilcrow leads to itself wherever it stands; other signs may be what a text is about.
        return tag == Tag::A
            && tree.attr(id, "href").is_some_and(|href| href.starts_with('#'))
            && text_of(tree, id).is_some_and(|text| text.trim() == "¶");
    }
    if tag == Tag::Button {
        // The heading of an accordion is a button that opens what is below.
        let says_so = ["aria-controls", "aria-expanded"].iter().any(|name| tree.attr(id, name).is_some());
        return !says_so && !is_all_of_heading(tree, id);
    }
    let leads_here = tag == Tag::A && tree.attr(id, "href").is_some_and(|href| href.contains('#'));
    if leads_here {
        return is_sign(tree, id) || text_of(tree, id).is_some_and(|text| says(&text));
    }
    false
}

/// Returns true for what LaTeXML writes into the mark of a note that stands elsewhere.
pub(crate) fn is_mark_again(tree: &Tree, id: NodeId) -> bool {
    tree.ancestors(id).take(2).any(|around| tree.classes(around).any(|name| name == "ltx_role_footnotemark"))
        && tree.classes(id).any(|name| matches!(name, "ltx_note_outer" | "ltx_note_content"))
}

/// Returns true if a button has all the words of its heading.
fn is_all_of_heading(tree: &Tree, id: NodeId) -> bool {
    let heading = tree.ancestors(id).take(4).find(|&around| tree.tag(around).heading_level().is_some());
    let said = |id| text_of(tree, id).filter(|text| text.contains(char::is_alphanumeric));
    heading.and_then(said).is_some_and(|all| said(id).is_some_and(|own| own.trim() == all.trim()))
}

/// Returns true for the part of a page of GitBook or HonKit that a script fills with what a search has found.
fn is_search_of_book(tree: &Tree, id: NodeId) -> bool {
    tree.classes(id).any(|name| name == "search-results")
        && tree.parent(id).is_some_and(|around| tree.attr(around, "id") == Some("book-search-results"))
}

/// Returns true for code that is folded under a box to tick for the source of what is declared there.
fn is_folded_source(tree: &Tree, id: NodeId) -> bool {
    let class = |id| tree.attr(id, "class").unwrap_or_default();
    let mut before = tree.preceding(id).take(9);
    class(id).contains("code")
        && before.any(|before| tree.tag(before) == Tag::Input && class(before).contains("source"))
}

/// Returns true if the summary of open details only says how to fold them.
fn only_folds(tree: &Tree, id: NodeId) -> bool {
    let is_open = tree.parent(id).is_some_and(|around| tree.attr(around, "open").is_some());
    is_open
        && text_of(tree, id).is_some_and(|text| {
            let mut words = text.split_ascii_whitespace();
            let first = words.next().unwrap_or_default().to_ascii_lowercase();
            matches!(first.as_str(), "expand" | "collapse" | "show" | "hide" | "toggle") && words.count() <= 2
        })
}

/// Returns true if a link only leads from a note back to its mark.
fn leads_back(tree: &Tree, id: NodeId) -> bool {
    tree.attr(id, "href").is_some_and(|href| href.contains('#'))
        && text_of(tree, id).is_some_and(|text| {
            let text = text.trim();
            matches!(text, "^" | "↑" | "↩" | "↩︎" | "⏎") || text.starts_with("Jump up")
        })
}

/// Returns true for an address in a folder of sources, or of a line of a file.
fn leads_to_source(href: &str) -> bool {
    let line = href.split_once("#L").map_or("", |(_, line)| line);
    line.starts_with(|first: char| first.is_ascii_digit())
        || SOURCE_FOLDERS.iter().any(|folder| href.contains(folder))
}

/// Returns true if a link says that it leads to the source of something.
pub(crate) fn says_source(tree: &Tree, id: NodeId) -> bool {
    text_of(tree, id).is_some_and(|text| SOURCES.contains(&&*text.trim().to_ascii_lowercase()))
}

fn says(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    SAYINGS.iter().any(|saying| text.starts_with(saying))
}

/// The text of a few nodes.
pub(crate) fn text_of(tree: &Tree, id: NodeId) -> Option<String> {
    let mut text = String::new();
    for inner in tree.descendants(id).take(24) {
        let next = tree.text(inner).unwrap_or_default();
        if text.len() + next.len() > 400 {
            return None;
        }
        text.push_str(next);
    }
    Some(text)
}

/// Whether a link has no more than a sign.
fn is_sign(tree: &Tree, id: NodeId) -> bool {
    text_of(tree, id).is_some_and(|text| {
        let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}'));
        text.is_empty() || SIGNS.contains(&text) || text == "[edit]" || text == "edit"
    })
}
