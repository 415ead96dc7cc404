//! Declarations in the documentation of an API, which their markup names but does not write as code.
//!
//! An element is one if its class says so (`member-signature`, `methodsynopsis`, `memproto`) and either parts of it are named as
//! those of a declaration or a parenthesis follows a name: the `signature` of a post has neither.

use super::boxes::{has_word, is_beside, is_blank};
use crate::rules::Rule;
use crate::structure::noise;
use crate::structure::roles::generator;
use crate::tree::{NodeId, Step, Tag, Tree};
use crate::visibility::is_unseen;
use crate::words::list::words;

/// Most nodes and bytes of a declaration.
const MAX_NODES: usize = 600;
const MAX_DECLARATION: usize = 4_000;

/// Words in the classes of the parts of a declaration.
const PARTS: [&str; 26] = words(
    "def element enum fn function identifier keyword kw kwrd memname method methodname methodparam \
    modifier modifiers param parameter parameters paramname params paramtype primitive struct trait type \
    typename",
);

/// What the class of an element says: that it is a declaration, or that it may be one.
fn says_declaration(class: &str) -> Option<bool> {
    let names = class.split_ascii_whitespace().map(str::to_ascii_lowercase);
    let ends = ["signature", "synopsis", "prototype", "memproto"];
    let mut said = names.filter_map(|name| {
        let end = ends.iter().find(|end| name.ends_with(**end));
        match end {
            Some(end) => Some(name.len() > end.len() || *end == "memproto"),
            None if name == "code-header" => Some(true),
            None => matches!(name.as_str(), "src" | "fn" | "symbol").then_some(false),
        }
    });
    let first = said.next()?;
    Some(first || said.any(|is_sure| is_sure))
}

/// Words that declarations begin with.
const KEYWORDS: [&str; 44] = words(
    "abstract async bool boolean char class const data def default double enum extern final float fn fun \
    func function impl inline instance int interface let module newtype override private protected pub \
    public record sealed static struct template trait type typedef union unsafe val void",
);

/// Whether an element is a declaration: it is named as one, or holds a name with its signature.
pub(crate) fn is_declaration(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    let said = tree.attr(id, "class").and_then(says_declaration);
    let has_signature = || {
        let mut parts = tree.children(id).take(8).filter(|&part| tree.tag(part) == Tag::Span);
        parts.any(|part| tree.classes(part).any(|name| name.ends_with("signature")))
    };
    if (said.is_none() && !has_signature()) || !tree.rules.has(Rule::Declarations) {
        return false;
    }
    let Some((text, has_parts)) = text_of(tree, id) else { return false };
    let first = text.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty());
    let is_sure = said == Some(true);
    let has_signs = (is_sure && text.contains(": "))
        || ["(", "::", "=", "->", "<"].iter().any(|sign| text.contains(sign));
    let is_word = tag.heading_level().is_some() && !text.contains(' ');
    let is_shaped = has_signs || is_word || first.is_some_and(|word| KEYWORDS.contains(&word));
    let calls = text.find('(').is_some_and(|at| {
        text.get(..at)
            .is_some_and(|name| name.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '>')))
    });
    !text.is_empty() && is_shaped && (has_parts || is_sure && (calls || is_word))
}

/// Whether a cell of a table of members is named as a declaration or a part of one, as Doxygen names them.
pub(crate) fn is_declared_in(tree: &Tree, cell: NodeId) -> bool {
    tree.classes(cell).any(|name| name.starts_with("memItem") || name.starts_with("memTempl"))
        && tree.rules.has(Rule::Declarations)
}

/// The text of a declaration, without links to its source, and whether parts of it are named; `None` for other structure. It
/// looks at a bounded number of nodes.
pub(crate) fn text_of(tree: &Tree, id: NodeId) -> Option<(String, bool)> {
    let (mut text, mut has_parts, mut looked_at, mut in_cells) = (String::new(), false, 0, false);
    // javadoc's style sheet shows its lines as they are.
    let has_lines = tree.classes(id).any(|name| matches!(name, "member-signature" | "type-signature"));
    let mut walk = tree.walk(id);
    while let Some(step) = walk.next() {
        let node = match step {
            Step::Enter(node) => node,
            Step::Leave(node) => {
                if node != id && tree.tag(node) == Tag::Div {
                    text.push('\n');
                }
                continue;
            }
        };
        looked_at += 1;
        if looked_at > MAX_NODES || text.len() > MAX_DECLARATION {
            return None;
        }
        if let Some(piece) = tree.text(node) {
            text.extend(
                piece
                    .chars()
                    .take(MAX_DECLARATION)
                    .filter(|&c| c != '\u{200b}')
                    .map(|c| if c.is_whitespace() && !(has_lines && c == '\n') { ' ' } else { c }),
            );
            continue;
        }
        if node == id || !tree.is_element(node) {
            continue;
        }
        let tag = tree.tag(node);
        let is_source = tag == Tag::A && noise::says_source(tree, node);
        has_parts |= is_source;
        if is_source
            || is_unseen(tree, node, tag)
            || is_beside(tree, node, tag)
            || (tag == Tag::A && noise::is_noise(tree, node, tag, true))
        {
            walk.skip_children();
            continue;
        }
        let class = tree.attr(node, "class");
        match tag {
            // A box of several, each of which is one.
            Tag::Div if class.and_then(says_declaration) == Some(true) => return None,
            Tag::Br | Tag::Div => text.push('\n'),
            Tag::Td | Tag::Tr => {
                in_cells = true;
                text.push(' ');
            }
            Tag::Table | Tag::Tbody => {}
            _ if tag.is_block() => return None,
            _ => {}
        }
        has_parts |= has_word(tree, node, &PARTS);
    }
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let indent = if has_lines { line.len() - line.trim_start_matches(' ').len() } else { 0 };
        let words = line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let mut line = " ".repeat(indent) + &words;
        if in_cells {
            line = line.replace("( ", "(").replace(" )", ")").replace(" (", "(");
        }
        if !line.trim().is_empty() {
            lines.push(line);
        }
    }
    Some((lines.join("\n"), has_parts))
}

/// The language of the declarations on a page of a program that documents one language alone.
pub(crate) fn language(tree: &Tree) -> Option<String> {
    let language = match generator(tree)?.as_str() {
        "exdoc" => "elixir",
        "javadoc" => "java",
        "pdoc" | "pydoctor" => "python",
        "rustdoc" => "rust",
        _ => return None,
    };
    Some(language.to_owned())
}

/// Returns true if an element stands beside a declaration in a box of both: since when it is there, and links to its source.
pub(crate) fn is_beside_declaration(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    if !matches!(tag, Tag::A | Tag::Span) || !tree.rules.has(Rule::Declarations) {
        return false;
    }
    let next = tree.following(id);
    let next =
        next.take(4).find(|&next| !matches!(tree.tag(next), Tag::A | Tag::Span) && !is_blank(tree, next));
    next.is_some_and(|next| {
        let tag = tree.tag(next);
        tag.heading_level().is_some() && is_declaration(tree, next, tag)
    })
}
