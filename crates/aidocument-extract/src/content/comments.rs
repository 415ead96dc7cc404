//! Readers' comments, separate from the content: each with its author and time.

use crate::letters::collapse;
use crate::tree::{ByNode, NodeId, Step, Tag, Tree};
use crate::visibility::is_unseen;
use crate::words::list::words;
use crate::words::names::{COMMENTS, meanings};

/// A reader's comment on a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Comment {
    /// The author's name.
    pub author: Option<String>,
    /// The time, from the attribute `datetime` if there is one, otherwise as shown.
    pub time: Option<String>,
    /// The comment as plain text, paragraphs separated by empty lines.
    pub text: String,
    /// Depth of the thread: 0 for a comment on the page itself.
    pub depth: u32,
}

/// Most comments of a page that are listed.
const MAX_COMMENTS: usize = 5_000;

/// Most nodes of a comment that are read.
const MAX_NODES: usize = 4_000;

/// For each node, whether it is in an element that is named for comments.
pub(crate) fn marked(tree: &Tree) -> ByNode<bool> {
    super::marked(tree, |id| is_section(tree, id))
}

fn is_section(tree: &Tree, id: NodeId) -> bool {
    if matches!(tree.tag(id), Tag::Body | Tag::Html | Tag::Main) {
        return false;
    }
    let names = ["class", "id"].iter().filter_map(|name| tree.attr(id, name));
    names.fold(0, |set, value| set | meanings(value)) & COMMENTS != 0 || is_comment(tree, id)
}

/// Classes of comments, of their authors and times, and of what can be done with them.
const COMMENT_CLASSES: [&str; 7] =
    words("comment comment-item commentitem comment__item comtr js-comment wp-block-comment");
const AUTHOR_CLASSES: [&str; 11] = words(
    "fn author comment-author comment__author username user-name hnuser comment-user commenter \
    comment-author-name wp-block-comment-author-name",
);
const TIME_CLASSES: [&str; 10] = words(
    "age date comment-date comment__date comment-time timestamp comment-metadata comment-meta \
    wp-block-comment-date relative-time",
);
const CONTROL_CLASSES: [&str; 10] =
    words("reply comment-reply-link actions comment-actions says votes score navs comment-footer badge");

fn is_one(classes: &[&str], name: &str) -> bool {
    classes.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether an element is one comment.
fn is_comment(tree: &Tree, id: NodeId) -> bool {
    if !matches!(tree.tag(id), Tag::Li | Tag::Article | Tag::Div | Tag::Section | Tag::Tr) {
        return false;
    }
    let has_type = tree.attr(id, "itemtype").is_some_and(|kind| {
        kind.ends_with("schema.org/Comment") || kind.ends_with("schema.org/UserComments")
    });
    has_type
        || tree.attr(id, "itemprop") == Some("comment")
        || tree.classes(id).any(|name| is_one(&COMMENT_CLASSES, name))
}

/// The comments of a page, in its order. `O(n)`.
pub(crate) fn all(tree: &Tree) -> Vec<Comment> {
    let mut found: Vec<(Comment, Body)> = Vec::new();
    // The comments that are open, as places in `found`; a comment on another comment is inside it or a neighbour.
    let mut open: Vec<(NodeId, usize)> = Vec::new();
    let mut walk = tree.walk(Tree::ROOT);
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(id) => {
                if let Some(text) = tree.text(id) {
                    if let Some((_, body)) = open.last().and_then(|&(_, place)| found.get_mut(place)) {
                        body.text(text);
                    }
                    continue;
                }
                if !tree.is_element(id) {
                    continue;
                }
                let tag = tree.tag(id);
                if is_unseen(tree, id, tag)
                    || matches!(tag, Tag::Form | Tag::Button | Tag::Nav | Tag::Textarea)
                {
                    walk.skip_children();
                    continue;
                }
                if is_comment(tree, id) && found.len() < MAX_COMMENTS {
                    let depth = u32::try_from(open.len()).unwrap_or(u32::MAX);
                    open.push((id, found.len()));
                    found.push((Comment { depth, ..Comment::default() }, Body::default()));
                    continue;
                }
                let Some((comment, body)) = open.last().and_then(|&(_, place)| found.get_mut(place)) else {
                    continue;
                };
                body.nodes += 1;
                match part_of(tree, id, tag) {
                    _ if body.nodes > MAX_NODES => walk.skip_children(),
                    Some(Part::Author) if comment.author.is_none() && body.is_empty() => {
                        comment.author =
                            Some(text_of(tree, id)).filter(|name| !name.is_empty() && name.len() <= 100);
                        walk.skip_children();
                    }
                    Some(Part::Time) if comment.time.is_none() && body.is_empty() => {
                        let time = tree.attr(id, "datetime").or_else(|| inner_datetime(tree, id));
                        let time = time.map(collapse).filter(|time| !time.is_empty());
                        comment.time =
                            time.or_else(|| Some(text_of(tree, id)).filter(|time| !time.is_empty()));
                        walk.skip_children();
                    }
                    Some(_) => walk.skip_children(),
                    None if tag.is_block() || tag == Tag::Br => body.end(),
                    None => {}
                }
            }
            Step::Leave(id) => {
                if open.last().is_some_and(|&(last, _)| last == id) {
                    open.pop();
                } else if tree.tag(id).is_block()
                    && let Some((_, body)) = open.last().and_then(|&(_, place)| found.get_mut(place))
                {
                    body.end();
                }
            }
        }
    }
    let done = found.into_iter().map(|(comment, body)| Comment { text: body.finish(), ..comment });
    done.filter(|comment| !comment.text.is_empty()).collect()
}

/// The kind of a part of a comment other than its text.
enum Part {
    Author,
    Time,
    /// Links to reply and to report, votes, titles of members.
    Control,
}

fn part_of(tree: &Tree, id: NodeId, tag: Tag) -> Option<Part> {
    if tag == Tag::Time {
        return Some(Part::Time);
    }
    let itemprop = tree.attr(id, "itemprop").unwrap_or_default();
    match itemprop {
        "author" | "creator" => return Some(Part::Author),
        "dateCreated" | "datePublished" | "commentTime" => return Some(Part::Time),
        _ => {}
    }
    for name in tree.classes(id) {
        if is_one(&AUTHOR_CLASSES, name) {
            return Some(Part::Author);
        }
        if is_one(&TIME_CLASSES, name) {
            // Some put the author into the line of the date.
            let holds_author = tree.descendants(id).skip(1).take(20).any(|inner| names_author(tree, inner));
            return (!holds_author).then_some(Part::Time);
        }
        if is_one(&CONTROL_CLASSES, name) {
            return Some(Part::Control);
        }
    }
    None
}

/// Whether an element is named as the author of a comment.
fn names_author(tree: &Tree, id: NodeId) -> bool {
    tree.classes(id).any(|name| matches!(name, "fn" | "author" | "username" | "comment-author"))
}

fn inner_datetime(tree: &Tree, id: NodeId) -> Option<&str> {
    tree.descendants(id).take(20).find_map(|inner| tree.attr(inner, "datetime"))
}

fn text_of(tree: &Tree, id: NodeId) -> String {
    let texts: Vec<&str> = tree.descendants(id).take(60).filter_map(|inner| tree.text(inner)).collect();
    let text = collapse(&texts.join(" "));
    text.trim_end_matches([':', ',']).trim_end_matches(" says").trim().to_owned()
}

/// Collects the text of a comment.
#[derive(Debug, Default)]
struct Body {
    paragraphs: Vec<String>,
    line: String,
    nodes: usize,
}

impl Body {
    fn is_empty(&self) -> bool {
        self.paragraphs.is_empty() && self.line.trim().is_empty()
    }

    fn text(&mut self, text: &str) {
        self.line.push_str(text);
    }

    fn end(&mut self) {
        let line = collapse(&std::mem::take(&mut self.line));
        if line.chars().any(char::is_alphanumeric) {
            self.paragraphs.push(line);
        }
    }

    fn finish(mut self) -> String {
        self.end();
        self.paragraphs.join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_have_author_time_and_depth() {
        let tree = Tree::parse(
            "<article><p>The text.</article><ol class=comment-list><li class='comment depth-1'><article>\
             <footer class=comment-meta><b class=fn>Ann Ode</b> <span class=says>says:</span> <time datetime=2026-03-01T10:00>\
             1 March</time></footer><div class=comment-content><p>First.<p>And <i>more</i>.</div>\
             <div class=reply><a href=#>Reply</a></div></article>\
             <ol><li class=comment><cite class=fn>Bo</cite><div class=comment-metadata><a href=#c>2 March 2026</a></div>\
             <p>I agree.</ol><li class=comment><form><textarea>x</textarea></form></ol>",
        );
        let found = all(&tree);
        let expected = [
            ("Ann Ode", "2026-03-01T10:00", "First.\n\nAnd more.", 0),
            ("Bo", "2 March 2026", "I agree.", 1),
        ];
        let found: Vec<_> = found
            .iter()
            .map(|comment| {
                let author = comment.author.as_deref().unwrap_or_default();
                (author, comment.time.as_deref().unwrap_or_default(), comment.text.as_str(), comment.depth)
            })
            .collect();
        assert_eq!(found, expected);
    }
}
