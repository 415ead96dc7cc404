//! The texts of a page, each with its verdict.

use super::{SeenVerdict, Settings, Visibility};
use crate::letters::collapse;
use crate::source::Source;
use crate::tree::{Step, Tag, Tree};

/// A text of a page, and whether it is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SeenText {
    /// The text, with every run of white space as one space.
    pub text: String,
    /// Whether it is seen.
    pub verdict: SeenVerdict,
}

/// The texts of a page that contain a letter or digit, in order, each with its visibility.
///
/// The verdict is on the page as delivered, without scripts, in a window of 1280 by 900 pixels; style sheets outside of the
/// page are not known. [`extract`](crate::extract()) decides separately what it keeps: see the crate's front page. Texts in
/// scripts, styles, templates, `<noscript>`, the head, embedded frames and form fields are not listed. `O(n)`.
///
/// ```
/// use aidocument_extract::{SeenVerdict, seen_texts};
///
/// let texts = seen_texts("<style>.x { opacity: 0 }</style><p>Green.<p class=x>Buy!", None);
/// assert_eq!(texts[0].verdict, SeenVerdict::Shown);
/// assert_eq!(texts[1].verdict.reason().map(|reason| reason.code()), Some("opacity"));
/// ```
#[must_use]
pub fn seen_texts<'a>(html: impl Into<Source<'a>>, content_type: Option<&str>) -> Vec<SeenText> {
    let (html, _) = html.into().read(content_type, None);
    let mut tree = Tree::parse_without_scripting(&html);
    tree.seen = Visibility::of(&tree, &Settings::default());
    let mut texts = Vec::new();
    let mut walk = tree.walk(Tree::ROOT);
    while let Some(step) = walk.next() {
        let Step::Enter(id) = step else { continue };
        if let Some(text) = tree.text(id) {
            if text.chars().any(crate::letters::is_alphanumeric) {
                texts.push(SeenText { text: collapse(text), verdict: tree.seen.mark(id).verdict });
            }
            continue;
        }
        let is_apart = matches!(
            tree.tag(id),
            Tag::Script
                | Tag::Style
                | Tag::Template
                | Tag::Noscript
                | Tag::Head
                | Tag::Iframe
                | Tag::Object
                | Tag::Select
                | Tag::Textarea
        );
        if is_apart
            || (tree.is_foreign(id) && matches!(tree.name(id), "script" | "style" | "title" | "annotation"))
        {
            walk.skip_children();
        }
    }
    texts
}
