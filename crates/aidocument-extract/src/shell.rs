//! Pages without text of their own: an element that a script fills, and little else.

use crate::content::blocks::Blocks;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// Words up to which a page may be such a frame.
const MOST_WORDS: u32 = 60;

/// A block with this many words outside of links is text written for readers.
const TEXT: u32 = 12;

/// Ids of the elements that frameworks fill.
const MOUNTS: [&str; 14] = words(
    "root app __next __nuxt ___gatsby react-root app-root q-app svelte mount main-app ember-application \
    application remix-root",
);

/// Nodes of such an element that are looked at for text.
const MAX_NODES: usize = 200;

/// Returns true if only scripts fill the page: it has scripts, next to no text, and an empty element with the id of a
/// framework's mount point, or a note in `<noscript>` with the word JavaScript, which is the same in all languages.
pub(crate) fn is_shell(tree: &Tree, blocks: &Blocks) -> bool {
    let has_text =
        |counts: &crate::content::blocks::Counts| counts.words.saturating_sub(counts.link_words) >= TEXT;
    if blocks.words() > MOST_WORDS || blocks.blocks.iter().any(|block| has_text(&block.counts)) {
        return false;
    }
    let (mut has_script, mut is_mount, mut is_asked) = (false, false, false);
    for id in tree.descendants(Tree::ROOT) {
        match tree.tag(id) {
            Tag::Script => {
                let kind = tree.attr(id, "type").unwrap_or_default();
                has_script |= kind.is_empty() || kind.contains("javascript") || kind == "module";
            }
            Tag::Noscript => {
                let note = tree.first_child(id).and_then(|note| tree.text(note)).unwrap_or_default();
                is_asked |= note.get(..note.len().min(4_000)).unwrap_or(note).contains("avaScript");
            }
            Tag::Div | Tag::Main | Tag::Section | Tag::Other | Tag::Body if !is_mount => {
                is_mount = is_named(tree, id) && is_empty(tree, id);
            }
            _ => {}
        }
    }
    has_script && (is_mount || is_asked)
}

/// Whether an element is called as frameworks call the one that they fill.
fn is_named(tree: &Tree, id: NodeId) -> bool {
    tree.attr(id, "id").is_some_and(|name| MOUNTS.contains(&name))
        || tree.name(id) == "app-root"
        || ["ng-app", "data-reactroot", "data-ember-extension"]
            .iter()
            .any(|name| tree.attr(id, name).is_some())
}

/// Whether an element has no text, image or field.
fn is_empty(tree: &Tree, id: NodeId) -> bool {
    tree.descendants(id).take(MAX_NODES).all(|inner| {
        let is_silent = tree.parent(inner).is_some_and(|around| tree.tag(around).is_silent());
        (is_silent || tree.text(inner).is_none_or(|text| text.trim().is_empty()))
            && !matches!(tree.tag(inner), Tag::Img | Tag::Input | Tag::Textarea | Tag::Video)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_told_from_small_pages() {
        let menu = "<nav><a href=/a>Home</a> <a href=/b>About us</a></nav>";
        for (html, expected) in [
            (format!("{menu}<div id=root></div><script src=a.js></script>"), true),
            ("<app-root></app-root><script type=module src=a.js></script>".to_owned(), true),
            (
                format!(
                    "{menu}<noscript>You need to enable JavaScript to run this app.</noscript><script>a()</script>"
                ),
                true,
            ),
            ("<div id=__next><div class=spinner></div></div><script src=a.js></script>".to_owned(), true),
            // Nothing that a script would fill, or no script.
            (format!("{menu}<script src=a.js></script>"), false),
            (format!("{menu}<div id=root></div>"), false),
            ("<div id=root></div><script type='application/ld+json'>{}</script>".to_owned(), false),
            // The element is filled, or there is a text beside it.
            ("<div id=root><h1>Tea</h1></div><script src=a.js></script>".to_owned(), false),
            (format!("<div id=app></div><script src=a.js></script><p>{}", "word ".repeat(12)), false),
            (format!("<div id=app></div><script src=a.js></script>{}", "<p>a word".repeat(31)), false),
        ] {
            let tree = Tree::parse(&html);
            assert_eq!(is_shell(&tree, &Blocks::of(&tree)), expected, "{html}");
        }
    }
}
