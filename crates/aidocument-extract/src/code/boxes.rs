//! Which elements other than `<pre>` hold code: boxes whose lines are elements, rows, or end in `<br>`.
//!
//! A box is told by its class or style, or by the class of its lines, and by what its text looks like: `highlight` and `code` are
//! also classes of notes and vouchers, and `line` that of a verse.

use super::declaration::is_declaration;
use crate::rules::Rule;
use crate::tree::{NodeId, Tag, Tree};
use crate::visibility::is_unseen;
use crate::words::list::words;

/// How an element holds code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// White space counts, as in `<pre>`.
    Verbatim,
    /// Elements and `<br>` make the lines; a line end in the source is a blank.
    Lines,
    /// A declaration, on one line where no element parts it.
    Declaration,
}

/// Most nodes of a `<code>` that are searched for a line break.
const MAX_LOOKED_AT: usize = 2_000;

/// Most nodes of a box whose text is looked at.
const MAX_SAMPLE: usize = 240;

/// Words in the class of a box of code.
const BOXES: [&str; 27] = words(
    "ace blob cm code codeblock codehilite codesnippet console diff dp editor fragment highlight \
    highlighter hljs linenums listing prettyprint program programlisting shell snippet source sourcecode \
    syntax syntaxhighlighter terminal",
);

/// Words in the class of a line, and of a cell that is one.
const LINES: [&str; 4] = ["codeline", "line", "lines", "loc"];
const CELLS: [&str; 6] = ["code", "codeline", "line", "lines", "loc", "src"];

/// What an element holds, if it is code. `O(n)` in its children, and in a bounded number of nodes below them.
pub(crate) fn of(tree: &Tree, id: NodeId, tag: Tag) -> Option<Code> {
    let is_container = matches!(tag, Tag::Div | Tag::P | Tag::Li | Tag::Dd | Tag::Section | Tag::Figure);
    if (is_container || tag.heading_level().is_some()) && is_declaration(tree, id, tag) {
        return Some(Code::Declaration);
    }
    match tag {
        Tag::Code if is_alone(tree, id) => alone(tree, id),
        Tag::Div if is_sample(tree, id) => Some(Code::Verbatim),
        _ if !tree.rules.has(Rule::CodeLines) => None,
        Tag::Table => is_table(tree, id).then_some(Code::Lines),
        _ if is_container && is_run_of_code(tree, id) => Some(Code::Lines),
        Tag::Td | Tag::Ol | Tag::Ul => boxed(tree, id),
        _ if is_container => boxed(tree, id),
        _ => None,
    }
}

/// The words of a class: `CodeMirror-line` has `Code`, `Mirror` and `line`.
fn words_in(class: &str) -> impl Iterator<Item = &str> {
    let mut rest = class;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        let mut before = ' ';
        let end = rest.find(|c: char| {
            let ends = !c.is_ascii_alphanumeric() || (before.is_ascii_lowercase() && c.is_ascii_uppercase());
            before = c;
            ends
        });
        let (word, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

pub(crate) fn has_word(tree: &Tree, id: NodeId, list: &[&str]) -> bool {
    let is_listed = |word: &str| list.iter().any(|known| known.eq_ignore_ascii_case(word));
    tree.attr(id, "class").is_some_and(|class| words_in(class).any(is_listed))
}

/// Returns true for white space and comments.
pub(crate) fn is_blank(tree: &Tree, id: NodeId) -> bool {
    tree.text(id).map_or(!tree.is_element(id), |text| text.trim_ascii().is_empty())
}

/// Whether an element is all that its block holds.
fn is_alone(tree: &Tree, id: NodeId) -> bool {
    tree.parent(id).is_some_and(|around| {
        tree.tag(around).is_block() && tree.children(around).all(|part| part == id || is_blank(tree, part))
    })
}

/// A `<code>` alone in its block is code if it has several lines.
fn alone(tree: &Tree, id: NodeId) -> Option<Code> {
    if tree.children(id).any(|child| tree.tag(child).is_block()) {
        let inside = Inside::of(tree, id)?;
        return (inside.rows > 1 && tree.rules.has(Rule::CodeLines)).then_some(Code::Lines);
    }
    let is_long = tree.descendants(id).take(MAX_LOOKED_AT).any(|part| {
        tree.tag(part) == Tag::Br || tree.text(part).is_some_and(|text| text.trim().contains('\n'))
    });
    is_long.then_some(Code::Verbatim)
}

/// Whether a box names a language and contains only text.
fn is_sample(tree: &Tree, id: NodeId) -> bool {
    ["data-lang", "data-language"].iter().any(|name| tree.attr(id, name).is_some())
        && tree.attr(id, "class").is_some_and(|class| class.contains("code"))
        && tree.children(id).all(|child| !tree.tag(child).is_block())
        && tree.children(id).any(|child| tree.text(child).is_some())
}

/// Whether an element holds only `<code>` and the like, with `<br>` between.
fn is_run_of_code(tree: &Tree, id: NodeId) -> bool {
    let (mut lines, mut ended) = (0, true);
    for child in tree.children(id) {
        match tree.tag(child) {
            Tag::Br => ended = true,
            Tag::Code | Tag::Tt | Tag::Samp | Tag::Kbd => lines += usize::from(std::mem::take(&mut ended)),
            _ if is_blank(tree, child) => {}
            _ => return false,
        }
    }
    lines > 1
}

/// What a box holds, if it may be lines of code.
#[derive(Debug, Default)]
struct Inside {
    rows: usize,
    /// Rows whose class is that of a line.
    named: usize,
    breaks: usize,
    /// Whether there is text outside of rows.
    loose: bool,
}

impl Inside {
    /// `None` if there is other structure than lines.
    fn of(tree: &Tree, id: NodeId) -> Option<Inside> {
        let mut inside = Inside::default();
        let mut shape = None;
        for child in tree.children(id).filter(|&child| !is_blank(tree, child)) {
            let tag = tree.tag(child);
            if tag == Tag::Br {
                inside.breaks += 1;
            } else if tree.is_element(child) && (is_unseen(tree, child, tag) || is_beside(tree, child, tag)) {
            } else if matches!(tag, Tag::Div | Tag::P | Tag::Li) || is_line(tree, child) {
                if *shape.get_or_insert(tag) != tag || !is_row(tree, child) {
                    return None;
                }
                inside.rows += 1;
                inside.named += usize::from(has_word(tree, child, &LINES));
            } else if tag.is_block() {
                return None;
            } else {
                inside.loose = true;
            }
        }
        (inside.rows == 0 || !inside.loose).then_some(inside)
    }
}

/// Whether an element may be a line: it holds no blocks, except one that holds none, behind the line's number.
fn is_row(tree: &Tree, id: NodeId) -> bool {
    let blocks = |id| tree.children(id).filter(|&part| tree.tag(part).is_block());
    let mut inner = blocks(id);
    let first = inner.next();
    inner.next().is_none()
        && first.is_none_or(|first| tree.tag(first) == Tag::Div && blocks(first).next().is_none())
}

/// A box of lines, as far as its markup says that they are code.
fn boxed(tree: &Tree, id: NodeId) -> Option<Code> {
    let style = tree.attr(id, "style").map(|style| style.to_ascii_lowercase().replace(' ', ""));
    let style = style.unwrap_or_default();
    let is_set =
        ["monospace", "courier", "consolas", "menlo", "monaco"].iter().any(|font| style.contains(font));
    let is_said = is_set || has_word(tree, id, &BOXES);
    let mut parts =
        tree.children(id).filter(|&part| !is_blank(tree, part) && !is_beside(tree, part, tree.tag(part)));
    let first = parts.next()?;
    if is_said && tree.tag(first) == Tag::Table && parts.next().is_none() {
        return is_table(tree, first).then_some(Code::Lines);
    }
    // Verses have lines too.
    let is_named = || has_word(tree, first, &LINES) && tree.attr(first, "class") != Some("line");
    if !is_said && !is_named() {
        return None;
    }
    let inside = Inside::of(tree, id)?;
    let is_pre = style.contains("white-space:pre");
    if inside.rows == 0 && inside.breaks == 0 && !is_pre {
        return None;
    }
    let is_fragment = inside.named > 0 && tree.attr(id, "class") == Some("fragment");
    let is_code = is_fragment || (inside.rows != 1 && looks_like_code(tree, id));
    is_code.then_some(if inside.rows == 0 && is_pre { Code::Verbatim } else { Code::Lines })
}

/// Whether a table's rows are lines of code: the last cell of each is one, and those before count them, or are empty.
fn is_table(tree: &Tree, table: NodeId) -> bool {
    let is_cell = |&cell: &NodeId| matches!(tree.tag(cell), Tag::Td | Tag::Th);
    let groups = tree.children(table).filter(|&group| !is_blank(tree, group));
    let (mut rows, mut counted, mut said) = (0, 0, 0);
    for row in groups.flat_map(|group| tree.children(group)).filter(|&row| !is_blank(tree, row)) {
        if tree.tag(row) != Tag::Tr {
            return false;
        }
        let cells: Vec<NodeId> = tree.children(row).filter(is_cell).take(4).collect();
        let Some((&code, before)) = cells.split_last() else { continue };
        if cells.len() > 3 || tree.children(code).any(|part| matches!(tree.tag(part), Tag::Table | Tag::Pre))
        {
            return false;
        }
        if !before.iter().all(|&cell| is_number(tree, cell) || is_gutter(tree, cell)) {
            return false;
        }
        rows += 1;
        counted += usize::from(!before.is_empty());
        said += usize::from(has_word(tree, code, &CELLS));
    }
    let is_said = 2 * said > rows || has_word(tree, table, &BOXES);
    counted == rows && rows > 0 && is_said && (2 * said > rows || looks_like_code(tree, table))
}

/// Whether a cell has nothing but the number of a line.
fn is_number(tree: &Tree, cell: NodeId) -> bool {
    let text =
        |node| tree.text(node).map(|text| text.trim().parse::<u32>().is_ok() || text.trim().is_empty());
    tree.descendants(cell).take(8).filter_map(text).all(|is_number| is_number)
        && (tree.descendants(cell).nth(1).is_some() || tree.attr(cell, "data-line-number").is_some())
}

/// Whether an element is the column of line numbers of a block of code that a table lays out.
pub(crate) fn is_gutter(tree: &Tree, id: NodeId) -> bool {
    let cell = tree.upward(id).take(4).find(|&around| tree.tag(around) == Tag::Td);
    let Some(cell) = cell else { return false };
    let has_next = tree.following(cell).any(|next| tree.tag(next) == Tag::Td);
    let numbers = || {
        let mut texts = tree.descendants(id).filter_map(|part| tree.text(part)).take(MAX_LOOKED_AT);
        let mut expected = None;
        texts.by_ref().flat_map(str::split_ascii_whitespace).all(|word| {
            let number = word.parse::<u32>().ok();
            let fits = number.is_some() && (expected.is_none() || number == expected);
            expected = number.and_then(|number| number.checked_add(1));
            fits
        }) && expected.is_some()
    };
    has_next && numbers()
}

/// Classes of elements in code that are not part of it.
const BESIDE: [&str; 19] = [
    "lineno",
    "linenos",
    "linenodiv",
    "ln",
    "lnt",
    "gutter",
    "rouge-gutter",
    "blob-num",
    "hljs-ln-numbers",
    "copybtn",
    "clipboard",
    "code-lang",
    "code__header",
    "code-toolbar__header",
    "toolbar",
    // What Doxygen shows over a name, and beside a declaration.
    "ttc",
    "mlabel",
    "linenr",
    "signature-attributes",
];

/// Returns true if an element in code is not part of it: a line number, a button or label, a header, a summary that unfolds a part.
pub(crate) fn is_beside(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    if matches!(tag, Tag::Button | Tag::Label | Tag::Summary) {
        return true;
    }
    let style = tree.attr(id, "style").unwrap_or_default();
    let class = tree.attr(id, "class").unwrap_or_default();
    let is_named = class.split_ascii_whitespace().any(|name| {
        let name = name.to_ascii_lowercase();
        BESIDE.contains(&name.as_str())
            || name.contains("linenumber")
            || name.contains("line-number")
            || (name.contains("copy") && name.contains("button"))
            || (name.contains("header") && name.contains("code"))
    });
    is_named || style.replace(' ', "").contains("user-select:none")
}

/// Classes of `<span>` that are lines: of Shiki, Prism, Gatsby and others.
const SPANS_OF_LINES: [&str; 5] =
    ["line", "code-line", "token-line", "view-line", "gatsby-highlight-code-line"];

/// Whether an element is named as a line of code.
pub(crate) fn is_line(tree: &Tree, id: NodeId) -> bool {
    tree.classes(id).any(|name| SPANS_OF_LINES.contains(&name))
}

/// Whether a third of the lines of a box have signs that code has and prose has not. Looks at its first nodes.
fn looks_like_code(tree: &Tree, id: NodeId) -> bool {
    let mut text = String::new();
    for node in tree.descendants(id).take(MAX_SAMPLE) {
        let tag = tree.tag(node);
        if tag == Tag::Br || (tag.is_block() && tag != Tag::Td) || is_line(tree, node) {
            text.push('\n');
        }
        text.extend(
            tree.text(node).unwrap_or_default().chars().take(400).map(|c| if c == '\n' { ' ' } else { c }),
        );
    }
    let lines = text.lines().map(str::trim).filter(|line| line.chars().any(|c| !c.is_ascii_digit()));
    let (all, code) =
        lines.fold((0, 0), |(all, code), line| (all + 1, code + usize::from(is_code_line(line))));
    code > 0 && 3 * code >= all
}

/// Whether a line has signs of code.
fn is_code_line(line: &str) -> bool {
    let ends = [";", "{", "}", "})", "()", "):", "=>", "\\", "*/", "/>"];
    let starts = ["$ ", "//", "/*", "#include", "#!", "<?", "</", "@", "}", "import ", "def ", "--"];
    let inside = [
        "();", " = ", " == ", " := ", " += ", " != ", " && ", " || ", "::", "->", " => ", "</", "/>", "=\"",
        "({",
    ];
    ends.iter().any(|end| line.ends_with(end))
        || starts.iter().any(|start| line.starts_with(start))
        || inside.iter().any(|sign| line.contains(sign))
}
