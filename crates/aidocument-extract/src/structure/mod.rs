//! Parts of a page with a special structure, such as formulas and footnotes, found in one pass over the tree.
//!
//! A formula comes in many forms (MathML, the output of KaTeX and MathJax, images of TeX), often in several at once;
//! [`math`] finds the element that holds all forms of one and reads its TeX.

pub(crate) mod math;
mod mathml;
pub(crate) mod noise;
pub(crate) mod notes;
pub(crate) mod roles;
pub(crate) mod tables;
pub(crate) mod tex;

use std::cell::Cell;

use crate::recent::Recent;
use crate::rules::Rule;
use crate::tree::{ByNode, NodeId, NodeMap, Step, Tree};
use math::Formula;
use notes::{Note, Notes, Role};

/// Structures that a page may have, by its tree: most pages have none, and are not searched.
#[derive(Debug, Clone, Copy, Default)]
struct Signs {
    /// There may be formulas as elements.
    math: bool,
    /// There is text between dollars or the like.
    delimiters: bool,
    /// There may be footnotes.
    notes: bool,
}

impl Signs {
    /// `O(n)`.
    fn of(tree: &Tree, html: &str) -> Signs {
        let may_have_tex = memchr::memchr2(b'$', b'\\', html.as_bytes()).is_some();
        let mut signs = Signs::default();
        let mut outputs = Recent::new(false);
        for id in tree.descendants(Tree::ROOT) {
            if let Some(text) = tree.text(id) {
                signs.delimiters = signs.delimiters || (may_have_tex && tex::has_formula(text, |_| true));
            } else if tree.is_element(id) {
                let tag = tree.tag(id);
                signs.notes = signs.notes || notes::is_sign(tree, id, tag);
                signs.math = signs.math || math::is_sign(tree, id, tag, &mut outputs);
            }
        }
        signs
    }
}

/// The source of a page, searched for words without which it has no formulas or notes. Each search is `O(n)`.
#[derive(Debug, Clone, Copy)]
struct Source<'a>(&'a [u8]);

impl Source<'_> {
    fn has(self, word: &str) -> bool {
        memchr::memmem::find(self.0, word.as_bytes()).is_some()
    }

    fn has_any(self, words: &[&str]) -> bool {
        words.iter().any(|word| self.has(word))
    }

    /// Returns true if a formula-rendering script is named. Pages with bundled scripts name none, but have the elements
    /// that the script fills.
    fn names_typesetter(self) -> bool {
        self.has_any(&[
            "mathjax",
            "MathJax",
            "katex",
            "arithmatex",
            "math notranslate",
            "math inline",
            "math display",
        ])
    }

    fn has_math(self) -> bool {
        self.has_any(&["<math", "math/tex", "data-math", "mwe-math", "latex", "%5C", "cht=tx", "codecogs"])
            || self.names_typesetter()
    }

    fn has_delimiters(self) -> bool {
        self.has_any(&["\\(", "\\[", "\\begin{", "$$"]) || (self.has("$") && self.has("\\"))
    }

    fn has_notes(self) -> bool {
        self.has_any(&["<sup", "note", "#fn", "#ref", "cite_", "<SUP", "#_ft", "#_ed"])
    }
}

/// The formulas of a page, by the elements that hold them.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    formulas: NodeMap<Formula>,
    /// For each node, whether it is a formula or a redundant form of one; empty if there is neither.
    marked: ByNode<Mark>,
    notes: Notes,
    /// Whether text between dollars is TeX.
    pub(crate) tex_in_text: bool,
}

/// What is known of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mark {
    #[default]
    None,
    Formula,
    /// A redundant form of something that is written already.
    Superfluous,
}

impl Structure {
    /// Searches the tree of a page with this source. `O(n)`.
    pub(crate) fn of(tree: &Tree, html: &str) -> Structure {
        let (signs, source) = (Signs::of(tree, html), Source(html.as_bytes()));
        let mut found = Structure {
            tex_in_text: tree.rules.has(Rule::TexInText)
                && signs.delimiters
                && source.has_delimiters()
                && is_tex_in_text(tree, source),
            ..Structure::default()
        };
        if signs.notes && source.has_notes() {
            found.notes = Notes::of(tree);
        }
        if !signs.math || !source.has_math() || !tree.rules.has(Rule::Formulas) {
            return found;
        }
        let finder = math::Finder { tree, steps: Cell::new(8 * tree.len()) };
        let mut walk = tree.walk(Tree::ROOT);
        while let Some(step) = walk.next() {
            let Step::Enter(id) = step else { continue };
            if !tree.is_element(id) {
                continue;
            }
            let mark = if math::is_superfluous(tree, id) {
                Mark::Superfluous
            } else if let Some(formula) = finder.formula(id) {
                found.formulas.insert(id, formula);
                Mark::Formula
            } else {
                continue;
            };
            found.marked.fill(tree);
            found.marked[id] = mark;
            walk.skip_children();
        }
        found
    }

    /// The footnotes.
    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes.all
    }

    /// The role of an element for footnotes.
    pub(crate) fn role(&self, id: NodeId) -> Option<Role> {
        if self.notes.roles.is_empty() { None } else { self.notes.roles.get(&id).copied() }
    }

    pub(crate) fn has_formulas(&self) -> bool {
        !self.formulas.is_empty()
    }

    /// The formula that an element is.
    pub(crate) fn formula(&self, id: NodeId) -> Option<&Formula> {
        (self.marked[id] == Mark::Formula).then(|| self.formulas.get(&id))?
    }

    /// Whether an element only repeats a formula that is elsewhere.
    pub(crate) fn is_superfluous(&self, id: NodeId) -> bool {
        self.marked[id] == Mark::Superfluous
    }
}

/// Whether text between dollars is TeX: where the page names a script that sets it, or has a command between dollars.
fn is_tex_in_text(tree: &Tree, source: Source<'_>) -> bool {
    source.names_typesetter()
        || tree
            .descendants(Tree::ROOT)
            .any(|id| tree.text(id).is_some_and(|text| tex::has_formula(text, tex::has_command)))
}
