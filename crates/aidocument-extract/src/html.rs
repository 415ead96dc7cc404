//! The chosen part of the tree as clean HTML.

use url::Url;

use crate::address;
use crate::caption;
use crate::content::Selection;
use crate::embed::PLAY;
use crate::embed::{self, Embed};
use crate::image;
use crate::structure::Structure;
use crate::tree::{NodeId, Step, Tag, Tree};
use crate::visibility::{characters, is_unseen};

/// Writes the selection, at most `most` bytes of it. `O(n)`.
pub(crate) fn write(
    tree: &Tree,
    structure: &Structure,
    selection: &Selection,
    base: Option<&Url>,
    images: bool,
    most: usize,
) -> String {
    let mut out = String::new();
    let mut walk = tree.walk(Tree::ROOT);
    // White space between blocks says nothing.
    let mut after_block = true;
    let is_chosen = |id: NodeId| selection.has(id);
    // Elements that are open and were written.
    let mut open: Vec<NodeId> = Vec::new();
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(id) => {
                if let Some(text) = tree.text(id) {
                    let blank = text.trim_ascii().is_empty();
                    if (is_chosen(id) && !tree.seen.is_unwritten(id))
                        || (blank && !after_block && !out.ends_with([' ', '\n']))
                    {
                        if text.starts_with('\n') && out.ends_with("<pre>") {
                            // The first line end in one is not read.
                            out.push('\n');
                        }
                        after_block = false;
                        push_escaped(&mut out, &characters::clean(text).0, false);
                    }
                    continue;
                }
                if !tree.is_element(id) {
                    continue;
                }
                let tag = tree.tag(id);
                if caption::is_apart(tree, id, out.chars().next_back().filter(|c| *c != '>')) {
                    out.push(' ');
                }
                if let Some(formula) = structure.formula(id) {
                    if is_chosen(id) {
                        let dollars = if formula.is_display { "$$" } else { "$" };
                        out.push_str(dollars);
                        push_escaped(&mut out, &formula.tex, false);
                        out.push_str(dollars);
                    }
                    walk.skip_children();
                } else if embed::is_embed(tree, id, tag) {
                    if images
                        && is_chosen(id)
                        && let Some(found) = embed::of(tree, id)
                    {
                        let in_link = ended_by(Tag::A, open.iter().map(|&id| tree.tag(id))).is_none();
                        push_embed(&mut out, &found, selection.caption(id), base, in_link);
                        after_block = false;
                    }
                    walk.skip_children();
                } else if tag == Tag::Noscript || image::is_image(tree, id, tag) {
                    if images
                        && is_chosen(id)
                        && let Some(found) = image::of(tree, id)
                    {
                        push_image(&mut out, &found, base);
                        after_block = false;
                    }
                    walk.skip_children();
                } else if is_unseen(tree, id, tag) || structure.is_superfluous(id) {
                    walk.skip_children();
                } else if tag == Tag::Br {
                    out.push_str("<br>");
                } else if (tag == Tag::Hr || tag.is_written()) && is_chosen(id) && out.len() < most {
                    // An element between them that is not written may have kept the two apart.
                    let Some(ends) = ended_by(tag, open.iter().map(|&id| tree.tag(id))) else { continue };
                    for ended in open.drain(open.len() - ends..).rev() {
                        push_end(&mut out, name(tree, ended));
                    }
                    if tag == Tag::Hr {
                        out.push_str("<hr>");
                        continue;
                    }
                    push_start(&mut out, tree, id, tag, base);
                    after_block = tag.is_block();
                    open.push(id);
                }
            }
            Step::Leave(id) => {
                if open.last() == Some(&id) {
                    open.pop();
                    after_block = tree.tag(id).is_block();
                    if after_block {
                        out.truncate(out.trim_end_matches(' ').len());
                    }
                    push_end(&mut out, name(tree, id));
                }
            }
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// How many of the open elements (innermost last) an HTML parser closes at the start of another; `None` if the other is
/// not allowed in them.
fn ended_by(tag: Tag, open: impl DoubleEndedIterator<Item = Tag> + Clone) -> Option<usize> {
    // The innermost such element, and what is in it.
    let up_to = |ends: fn(Tag) -> bool, keeps: fn(Tag) -> bool| {
        let around = open.clone().rev().take_while(|&tag| !keeps(tag) || ends(tag));
        around.into_iter().position(ends).map_or(0, |place| place + 1)
    };
    let heading = |tag: Tag| tag.heading_level().is_some();
    let mut ends = match tag {
        Tag::A if open.clone().rev().take_while(|&tag| !is_cell(tag)).any(|tag| tag == Tag::A) => {
            return None;
        }
        Tag::Li => up_to(|tag| tag == Tag::Li, is_special),
        Tag::Dd | Tag::Dt => up_to(|tag| matches!(tag, Tag::Dd | Tag::Dt), is_special),
        _ => 0,
    };
    if tag.is_block() && !tag.is_in_table() && tag != Tag::Caption {
        ends = ends.max(up_to(|tag| tag == Tag::P, is_cell));
    }
    // What ended a paragraph may then be right in a heading.
    if heading(tag) && open.clone().rev().nth(ends).is_some_and(heading) {
        ends += 1;
    }
    Some(ends)
}

fn is_cell(tag: Tag) -> bool {
    matches!(tag, Tag::Td | Tag::Th | Tag::Caption)
}

/// Returns true if an item that starts inside this element does not close an item around it.
fn is_special(tag: Tag) -> bool {
    tag.is_block() && !matches!(tag, Tag::Div | Tag::P)
}

/// The name under which an element is written. A kept `<noscript>` must be renamed: readers that run scripts would treat it
/// as plain text up to any `</noscript>` in an attribute, and the rest as markup.
fn name(tree: &Tree, id: NodeId) -> &str {
    match tree.name(id) {
        "noscript" => "div",
        name => name,
    }
}

fn push_end(out: &mut String, name: &str) {
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

fn push_start(out: &mut String, tree: &Tree, id: NodeId, tag: Tag, base: Option<&Url>) {
    out.push('<');
    out.push_str(name(tree, id));
    let names: &[&str] = match tag {
        Tag::A => &["href"],
        Tag::Td | Tag::Th => &["colspan", "rowspan"],
        Tag::Ol => &["start"],
        Tag::Time => &["datetime"],
        Tag::Abbr => &["title"],
        _ => &[],
    };
    for name in names {
        let Some(value) = tree.attr(id, name) else { continue };
        let value = if *name == "href" { address::resolve(value, base) } else { Some(value.to_owned()) };
        if let Some(value) = value {
            push_attribute(out, name, &value);
        }
    }
    out.push('>');
}

/// Writes a link to a video or sound; inside another link, only its text.
fn push_embed(out: &mut String, found: &Embed<'_>, caption: Option<&str>, base: Option<&Url>, in_link: bool) {
    if let Some(target) = address::resolve(&found.target, base) {
        if !in_link {
            out.push_str("<a");
            push_attribute(out, "href", &target);
            out.push('>');
        }
        out.push_str(PLAY);
        if let Some(title) = caption.or(found.title) {
            out.push(' ');
            push_escaped(out, title, false);
        }
        if !in_link {
            out.push_str("</a>");
        }
    }
}

fn push_image(out: &mut String, found: &image::Found<'_>, base: Option<&Url>) {
    if let Some(source) = address::resolve(&found.source, base) {
        out.push_str("<img");
        push_attribute(out, "src", &source);
        push_attribute(out, "alt", &found.alt);
        out.push('>');
    }
}

fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_escaped(out, value, true);
    out.push('"');
}

fn push_escaped(out: &mut String, text: &str, in_attribute: bool) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}
