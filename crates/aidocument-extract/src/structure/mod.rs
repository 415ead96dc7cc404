//! Parts of a page that mean more than their text: found once, in a pass over the tree, and written as what they are.
//!
//! A formula comes in many forms (MathML, the output of KaTeX and MathJax, images of TeX), often in several at once;
//! [`math`] finds the element that holds all forms of one and reads its TeX.

pub(crate) mod math;
mod mathml;
pub(crate) mod noise;
pub(crate) mod notes;
pub(crate) mod tex;

use std::cell::Cell;
use std::collections::HashMap;

use crate::tree::{NodeId, Step, Tree};
use math::Formula;
use notes::{Note, Notes, Role};

/// What the source of a page hints at, so that most pages are not searched for what they do not have.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Hints {
    /// There may be formulas as elements.
    math: bool,
    /// A script that sets formulas is named.
    typesetter: bool,
    /// There may be formulas between dollars or backslashed brackets in the text.
    delimiters: bool,
    /// There may be footnotes.
    notes: bool,
}

impl Hints {
    /// Searches the source. `O(n)`.
    pub(crate) fn of(html: &str) -> Hints {
        let has = |word: &str| memchr::memmem::find(html.as_bytes(), word.as_bytes()).is_some();
        let any = |part: &str, words: &[&str]| has_any(html.as_bytes(), part, words);
        // Pages whose scripts are in one file name none, and have the elements that these are to fill.
        let typesetter =
            any("ath", &["mathjax", "MathJax", "math notranslate", "math inline", "math display"])
                || any("atex", &["katex", "arithmatex"]);
        let math = typesetter
            || any("ath", &["<math", "math/tex", "data-math", "mwe-math"])
            || any("atex", &["latex"])
            || ["%5C", "cht=tx", "codecogs"].into_iter().any(has);
        let delimiters = any("\\", &["\\(", "\\[", "\\begin{"]) || has("$$") || (has("$") && has("\\"));
        let notes = ["<sup", "note", "cite_", "<SUP"].into_iter().any(has)
            || any("#", &["#fn", "#ref", "#_ft", "#_ed"]);
        Hints { math, typesetter, delimiters, notes }
    }
}

/// Whether any of some words that have a part in common is in the source: one search, for that part. `O(n)`.
fn has_any(html: &[u8], part: &str, words: &[&str]) -> bool {
    let words: Vec<(usize, &[u8])> =
        words.iter().filter_map(|word| Some((word.find(part)?, word.as_bytes()))).collect();
    memchr::memmem::find_iter(html, part.as_bytes()).any(|at| {
        words.iter().any(|(before, word)| {
            let rest = at.checked_sub(*before).and_then(|start| html.get(start..));
            rest.is_some_and(|rest| rest.starts_with(word))
        })
    })
}

/// The formulas of a page, by the elements that hold them.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    formulas: HashMap<NodeId, Formula>,
    /// For each node, whether it is a formula or what a formula makes superfluous; empty where there is neither.
    marked: Vec<Mark>,
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
    /// Another form of what is written already.
    Superfluous,
}

impl Structure {
    /// Searches the tree. `O(n)`.
    pub(crate) fn of(tree: &Tree, hints: Hints) -> Structure {
        let mut found =
            Structure { tex_in_text: hints.delimiters && tex_in_text(tree, hints), ..Structure::default() };
        if hints.notes {
            found.notes = Notes::of(tree);
        }
        if !hints.math {
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
            if found.marked.is_empty() {
                found.marked.resize(tree.len(), Mark::None);
            }
            if let Some(place) = found.marked.get_mut(id.index()) {
                *place = mark;
            }
            walk.skip_children();
        }
        found
    }

    /// The footnotes.
    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes.all
    }

    /// What an element is to the footnotes.
    pub(crate) fn role(&self, id: NodeId) -> Option<Role> {
        if self.notes.roles.is_empty() { None } else { self.notes.roles.get(&id).copied() }
    }

    pub(crate) fn has_formulas(&self) -> bool {
        !self.formulas.is_empty()
    }

    /// The formula that an element is.
    pub(crate) fn formula(&self, id: NodeId) -> Option<&Formula> {
        match self.marked.get(id.index()) {
            Some(Mark::Formula) => self.formulas.get(&id),
            _ => None,
        }
    }

    /// Whether an element only repeats a formula that is elsewhere.
    pub(crate) fn is_superfluous(&self, id: NodeId) -> bool {
        self.marked.get(id.index()) == Some(&Mark::Superfluous)
    }
}

/// Whether text between dollars is TeX: where the page names a script that sets it, or has a command between dollars.
fn tex_in_text(tree: &Tree, hints: Hints) -> bool {
    hints.typesetter
        || tree.descendants(Tree::ROOT).any(|id| tree.text(id).is_some_and(tex::has_command_between_dollars))
}
