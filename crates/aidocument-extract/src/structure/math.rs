//! Formulas: the elements that hold one, and their TeX.

use std::cell::Cell;

use percent_encoding::percent_decode_str;

use super::{mathml, tex};
use crate::pairs::Pairs;
use crate::recent::Recent;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Formula {
    /// In one line, fit to stand between dollars: see [`tex::clean`].
    pub(crate) tex: String,
    /// Whether it is set on a line of its own.
    pub(crate) is_display: bool,
}

/// Attributes in which scripts and editors keep the TeX source.
const SOURCES: [&str; 8] =
    words("data-tex data-latex data-math data-katex data-formula data-expr data-entry data-original-tex");

/// Classes of formulas on lines of their own.
const DISPLAYS: [&str; 6] =
    ["katex-display", "math-display", "math-block", "MathJax_Display", "MathJax_SVG_Display", "MJXc-display"];

/// Prefixes of the classes of rendered formulas.
const OUTPUTS: [&str; 4] = ["katex", "mwe-math-element", "MathJax", "MJX"];

/// Returns true if an element may be a formula, or another form of one.
pub(super) fn is_sign<'a>(tree: &'a Tree, id: NodeId, tag: Tag, outputs: &mut Recent<'a, bool>) -> bool {
    match tag {
        Tag::Img => of_image(tree, id).is_some(),
        Tag::Script => of_script(tree, id).is_some(),
        Tag::Other if matches!(tree.name(id), "math" | "mjx-container") => true,
        _ => tree.attributes(id).any(|(name, value)| {
            if name == "class" {
                outputs.of(value, is_output)
            } else {
                name.starts_with("data-") && SOURCES.contains(&name)
            }
        }),
    }
}

/// Whether a class is one of an element that a script has set.
fn is_output(class: &str) -> bool {
    let mut names = class.split_ascii_whitespace().filter(|name| name.starts_with(['k', 'm', 'M']));
    names.any(|name| OUTPUTS.iter().any(|start| name.starts_with(start)))
}

/// Searches for formulas; the total number of steps is bounded, even if candidate elements are nested.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    pub(super) tree: &'a Tree,
    /// Nodes that may still be looked at.
    pub(super) steps: Cell<usize>,
}

impl Finder<'_> {
    /// The formula that an element holds with all of its forms.
    pub(super) fn formula(&self, id: NodeId) -> Option<Formula> {
        let tree = self.tree;
        if tree.is_foreign(id) {
            return if tree.name(id) == "math" { self.of_math(id) } else { None };
        }
        match tree.tag(id) {
            Tag::Img => return of_image(tree, id),
            Tag::Script => return of_script(tree, id),
            _ => {}
        }
        if tree.name(id) == "mjx-container" {
            return self.of_forms(id, tree.attr(id, "display") == Some("true"));
        }
        let class = tree.attr(id, "class").unwrap_or_default();
        let names = |part: &str| class.split_ascii_whitespace().any(|name| name.starts_with(part));
        let is_display = DISPLAYS.into_iter().any(names) || class.contains("fallback-image-display");
        if is_output(class) {
            return self.of_forms(id, is_display);
        }
        // An element that a script has set, or that it was to set.
        let source = source_of(tree, id)?;
        let lower = class.to_ascii_lowercase();
        let says_so = ["math", "tex", "equation", "formula"].iter().any(|word| lower.contains(word))
            || self.descendants(id).any(|inner| is_math(tree, inner));
        if !says_so {
            return None;
        }
        let is_display = is_display || lower.contains("display") || lower.contains("block");
        Some(Formula { tex: tex::clean(source)?, is_display })
    }

    /// The nodes of a subtree without its root, as far as steps are left.
    fn descendants(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.tree.descendants(id).skip(1).take_while(|_| {
            let left = self.steps.get();
            self.steps.set(left.saturating_sub(1));
            left > 0
        })
    }

    /// The TeX of one of the forms in an element; `None` for an element with two formulas.
    fn of_forms(&self, id: NodeId, is_display: bool) -> Option<Formula> {
        let tree = self.tree;
        let mut found: Option<Formula> = source_of(tree, id).and_then(tex::clean).map(Formula::inline);
        let mut display = is_display;
        let (mut elements, mut scripts) = (0, 0);
        for inner in self.descendants(id).filter(|&inner| tree.is_element(inner)) {
            let form = if is_math(tree, inner) {
                elements += 1;
                self.of_math(inner)
            } else if tree.tag(inner) == Tag::Script {
                let script = of_script(tree, inner);
                scripts += usize::from(script.is_some());
                script
            } else if tree.tag(inner) == Tag::Img {
                of_image(tree, inner)
            } else if let Some(source) = source_of(tree, inner) {
                tex::clean(source).map(Formula::inline)
            } else if let Some(source) = tree.attr(inner, "data-mathml") {
                of_source(source)
            } else {
                display |= tree.classes(inner).any(|name| DISPLAYS.contains(&name));
                None
            };
            if elements > 1 || scripts > 1 {
                return None;
            }
            found = found.or(form);
        }
        found.map(|formula| Formula { is_display: formula.is_display || display, ..formula })
    }

    /// The TeX of a `<math>`: from an annotation, from `alttext`, or converted.
    fn of_math(&self, id: NodeId) -> Option<Formula> {
        let tree = self.tree;
        let is_display =
            tree.attr(id, "display") == Some("block") || tree.attr(id, "mode") == Some("display");
        let annotation = self
            .descendants(id)
            .filter(|&inner| tree.name(inner) == "annotation")
            .find(|&inner| {
                tree.attr(inner, "encoding").is_some_and(|kind| kind.to_ascii_lowercase().contains("tex"))
            })
            .map(|inner| tree.children(inner).filter_map(|text| tree.text(text)).collect::<String>())
            .and_then(|source| tex::clean(&source));
        let tex = annotation
            .or_else(|| tree.attr(id, "alttext").and_then(tex::clean))
            .or_else(|| tex::clean(&mathml::to_tex(tree, id)))?;
        Some(Formula { tex, is_display })
    }
}

impl Formula {
    fn inline(tex: String) -> Formula {
        Formula { tex, is_display: false }
    }
}

/// The formula of MathML in an attribute.
fn of_source(source: &str) -> Option<Formula> {
    let tree = Tree::parse(source);
    let math = tree.descendants(Tree::ROOT).find(|&id| is_math(&tree, id))?;
    Finder { tree: &tree, steps: Cell::new(2 * tree.len()) }.of_math(math)
}

/// The source of an element from an attribute.
fn source_of(tree: &Tree, id: NodeId) -> Option<&str> {
    let source = SOURCES.iter().find_map(|name| tree.attr(id, name))?;
    Some(source).filter(|source| !source.trim().is_empty())
}

/// Returns true if an element is the rendering of a TeX script beside it.
pub(super) fn is_superfluous(tree: &Tree, id: NodeId) -> bool {
    let is_output = tree.classes(id).any(|name| name.starts_with("MathJax") || name.starts_with("MJX"));
    let after = || tree.following(id);
    is_output
        && after().filter(|&next| tree.is_element(next)).take(3).any(|next| of_script(tree, next).is_some())
}

fn is_math(tree: &Tree, id: NodeId) -> bool {
    tree.is_foreign(id) && tree.name(id) == "math"
}

/// `<script type="math/tex">`, the source that MathJax 2 leaves in the page.
fn of_script(tree: &Tree, id: NodeId) -> Option<Formula> {
    let kind = tree.attr(id, "type").filter(|_| tree.tag(id) == Tag::Script)?;
    let rest = kind.trim().strip_prefix("math/tex")?;
    let tex = tex::clean(tree.first_child(id).and_then(|child| tree.text(child))?)?;
    Some(Formula { tex, is_display: rest.contains("display") })
}

/// An image of TeX: drawn by a service from its address, or with the TeX as its alternative text.
fn of_image(tree: &Tree, id: NodeId) -> Option<Formula> {
    let source = tree.attr(id, "src").unwrap_or_default();
    let class = tree.attr(id, "class").unwrap_or_default();
    let is_display = class.contains("fallback-image-display");
    let from_address = || of_address(source);
    let alt = tree.attr(id, "alt").unwrap_or_default();
    let lower = class.to_ascii_lowercase();
    let says_so = ["latex", "mwe-math", "tex", "math-image", "equation"].iter().any(|name| {
        lower.split_ascii_whitespace().any(|word| word == *name || (name.len() > 3 && word.starts_with(name)))
    }) || Pairs::of(source)
        .among(&["latex.php", "/math/render/", "codecogs.com", "mathtex", "mimetex", "/latex/"])
        .any(|service| source.contains(service));
    let tex = if !alt.trim().is_empty() && (says_so || (has_two(alt) && tex::is_tex(alt))) {
        Some(alt.to_owned())
    } else {
        from_address()
    }?;
    Some(Formula { tex: tex::clean(&tex)?, is_display })
}

/// Returns true if a text has two signs of TeX, which text with a single backslash does not.
fn has_two(text: &str) -> bool {
    text.contains(['{', '^', '_', '=']) && !text.contains(":\\")
}

/// The TeX in the address of a service that draws it: percent-encoded, in the query or as the last part of the path.
fn of_address(source: &str) -> Option<String> {
    let (path, query) = source.split_once('?').unwrap_or((source, ""));
    if path.contains("latex.codecogs.com/") && !query.is_empty() && !query.contains('=') {
        return percent_decode_str(query).decode_utf8().ok().map(std::borrow::Cow::into_owned);
    }
    if !(source.contains("%5C") || source.contains("%5c") || source.contains('\\'))
        || source.starts_with("data:")
    {
        return None;
    }
    let mut pieces = query.split('&').map(|pair| match pair.split_once('=') {
        Some(("latex" | "tex" | "chl" | "math" | "eq" | "f" | "formula", value)) => value,
        _ => pair,
    });
    let piece =
        pieces.find(|piece| piece.contains("%5C") || piece.contains("%5c") || piece.contains('\\')).or_else(
            || path.rsplit('/').next().filter(|last| last.contains("%5C") || last.contains("%5c")),
        )?;
    // WordPress writes a plus sign as %2B, codecogs as +.
    let has_blanks = !query.is_empty() && (source.contains("latex.php") || source.contains("chl="));
    let spaced = if has_blanks { piece.replace('+', " ") } else { piece.to_owned() };
    let decoded = percent_decode_str(&spaced).decode_utf8().ok()?.into_owned();
    tex::is_tex(&decoded).then_some(decoded)
}
