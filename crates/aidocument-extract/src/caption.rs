//! Captions of images: the credit is often in its own element without white space before it.

use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// Class names of credit elements.
const CREDITS: [&str; 9] =
    words("credit copyright photographer attribution byline provider agency source author");

/// Elements around a part of a caption.
const MAX_CLIMB: usize = 3;

/// Letters of a part of a caption at least: fewer are a part of a word, as in a large initial or a formula.
const MIN_PART: usize = 3;

/// Returns true if an element in a caption has to be separated from the text before it: it is named as a credit, the text before
/// it ends a sentence, or it is one of several elements side by side, as in `<span>The old road</span><span>Ann Lee</span>`.
pub(crate) fn is_apart(tree: &Tree, id: NodeId, before: Option<char>) -> bool {
    let tag = tree.tag(id);
    let may_be_part = |tag| matches!(tag, Tag::Span | Tag::Small | Tag::Cite);
    if !may_be_part(tag) && !matches!(tag, Tag::I | Tag::Em | Tag::A) {
        return false;
    }
    let Some(before) = before.filter(|c| !c.is_whitespace()) else { return false };
    let is_caption =
        |around: NodeId| tree.tag(around) == Tag::Figcaption || tree.is_called(around, &["caption"]);
    if !tree.ancestors(id).take(MAX_CLIMB).any(is_caption) {
        return false;
    }
    let is_credit = tree.is_called(id, &CREDITS);
    let first_text =
        || tree.descendants(id).take(12).filter_map(|inner| tree.text(inner)).find(|text| !text.is_empty());
    let starts = first_text()
        .is_some_and(|text| text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '©' | '(' | '[')));
    // A straight quote before a link may be one that opens.
    let ends = matches!(before, '.' | '!' | '?' | '…' | '”' | '»' | '。' | '！' | '？')
        || (before == '"' && tag != Tag::A);
    let is_part = |id: NodeId| {
        let texts = tree.descendants(id).take(12).filter_map(|inner| tree.text(inner));
        texts.flat_map(str::chars).filter(|c| c.is_alphabetic()).nth(MIN_PART - 1).is_some()
    };
    let is_beside = || {
        let neighbour = tree.prev_sibling(id).filter(|&other| tree.is_element(other));
        may_be_part(tag)
            && (tag == Tag::Cite
                || neighbour.is_some_and(|other| may_be_part(tree.tag(other)) && is_part(other)))
            && before.is_alphanumeric()
            && is_part(id)
    };
    is_credit || (starts && (ends || is_beside()))
}
