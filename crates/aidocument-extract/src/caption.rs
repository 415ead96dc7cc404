//! Captions of images: the credit is often in its own element without white space before it.

use crate::tree::{NodeId, Tag, Tree};

/// Class names of credit elements.
const CREDITS: [&str; 9] = [
    "credit",
    "copyright",
    "photographer",
    "attribution",
    "byline",
    "provider",
    "agency",
    "source",
    "author",
];

/// Elements around a part of a caption.
const MAX_CLIMB: usize = 3;

/// Returns true if an element in a caption has to be separated from the text before it: it is named as a credit, or the
/// text before it ends a sentence, as in `the old road.<span>Getty Images</span>`.
pub(crate) fn is_apart(tree: &Tree, id: NodeId, before: Option<char>) -> bool {
    if !matches!(tree.tag(id), Tag::Span | Tag::Small | Tag::Cite | Tag::I | Tag::Em | Tag::A) {
        return false;
    }
    let in_caption = || tree.ancestors(id).take(MAX_CLIMB).any(|around| tree.tag(around) == Tag::Figcaption);
    let ends =
        before.is_some_and(|c| matches!(c, '.' | '!' | '?' | '…' | '”' | '"' | '»' | '。' | '！' | '？'));
    let is_credit = || {
        tree.attr(id, "class").is_some_and(|class| {
            let class = class.to_ascii_lowercase();
            CREDITS.iter().any(|name| class.contains(name))
        })
    };
    let letters =
        || tree.descendants(id).take(12).filter_map(|inner| tree.text(inner)).find(|text| !text.is_empty());
    in_caption()
        && before.is_some_and(|c| !c.is_whitespace())
        && (is_credit()
            || ends
                && letters().is_some_and(|text| {
                    text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '©' | '(' | '['))
                }))
}
