//! CSS selectors: those of a page's style sheets, and the caller's.
//!
//! They are read and matched by `selectors`, the library of Firefox; [`grammar`] says which pseudo-classes there are, and
//! [`element`] answers what the library asks of an element. Every answer is charged to a [`Budget`] that depends on the
//! page's size, since the library has no bound: `a ~ b` or `:has()` may take quadratic time.

mod element;
mod grammar;

use std::cell::{Cell, RefCell};

use selectors::SelectorList;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::matches_selector;
use selectors::parser::{Component, ParseRelative, Selector};

use crate::recent::{Slots, slot_of};
use crate::tree::{ByNode, NodeId, Tree};
use element::ElementOf;
use grammar::{Grammar, Names};

/// Compounds of a selector that are matched at most, whatever the caller allows: a match goes as deep as it has compounds.
const MAX_COMPOUNDS: u32 = 64;

/// Selectors inside selectors: the library calls itself for each.
const MAX_NESTED: u32 = 8;

/// Simple selectors of a selector, with those inside of it.
const MAX_PARTS: usize = 1000;

/// Simple selectors in a list behind `of`, which is matched with each sibling.
const MAX_OF: usize = 8;

/// Steps of matching the caller's selectors on any page. `h2 ~ p` looks at all siblings before each: these are enough for 4,000.
const STEPS: u64 = 20_000_000;

/// The same for each node of the page.
const STEPS_PER_NODE: u64 = 300;

/// How selectors are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    /// Compounds of a selector; a longer one is dropped.
    pub(crate) compounds: u32,
    /// Whether one was longer, or nested deeper than is read.
    pub(crate) is_cut: bool,
}

impl Reading {
    pub(crate) fn new(compounds: u32) -> Self {
        Reading { compounds: compounds.min(MAX_COMPOUNDS), is_cut: false }
    }
}

/// A selector of a list.
#[derive(Debug, Clone)]
pub(crate) struct Complex {
    selector: Selector<Names>,
    pub(crate) specificity: u32,
    /// Bits of the classes and ids that must be around the element.
    pub(crate) needs: Slots<4>,
    /// Whether the library would remember something for each pair of an element and this selector.
    is_remembered: bool,
    /// Whether it has a list behind `of`.
    has_of: bool,
}

/// What finds a compound among all: the rarest of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key<'a> {
    Id(&'a str),
    Class(&'a str),
    Attribute(&'a str),
    Tag(&'a str),
    Any,
}

/// Reads a list of selectors of a style sheet; `None` where it is not one, and browsers drop the rule.
pub(crate) fn list(text: &str, reading: &mut Reading) -> Option<Vec<Complex>> {
    read(text, Grammar::Sheet, reading)
}

fn read(text: &str, grammar: Grammar, reading: &mut Reading) -> Option<Vec<Complex>> {
    let mut depth = 0u32;
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTED {
            reading.is_cut = true;
            return None;
        }
    }
    let mut parser = cssparser::Parser::new(text);
    let list = SelectorList::parse(&grammar, &mut parser, ParseRelative::No).ok()?;
    if !parser.is_exhausted() {
        return None;
    }
    let most = reading.compounds as usize;
    let is_read = |one: &Selector<Names>| {
        one.iter_raw_match_order().filter(|part| part.is_combinator()).count() < most
            && parts(one) <= MAX_PARTS
            && has_short_lists(one)
    };
    if !list.slice().iter().all(is_read) {
        reading.is_cut = true;
        return None;
    }
    Some(list.slice().iter().cloned().map(Complex::of).collect())
}

/// The selectors that a part of a selector holds.
fn within(part: &Component<Names>) -> Vec<&Selector<Names>> {
    match part {
        Component::Negation(list) | Component::Is(list) | Component::Where(list) => {
            list.slice().iter().collect()
        }
        Component::NthOf(of) => of.selectors().iter().collect(),
        Component::Has(all) => all.iter().map(|one| &one.selector).collect(),
        _ => Vec::new(),
    }
}

fn parts(selector: &Selector<Names>) -> usize {
    selector.iter_raw_match_order().map(|part| 1 + within(part).into_iter().map(parts).sum::<usize>()).sum()
}

/// Whether all lists behind `of` are of a few names, so that the cost of matching them is known beforehand.
fn has_short_lists(selector: &Selector<Names>) -> bool {
    selector.iter_raw_match_order().all(|part| {
        let inner = within(part);
        let is_short = !matches!(part, Component::NthOf(_))
            || inner
                .iter()
                .try_fold(0, |count, one| names_in(count, one))
                .is_some_and(|names| names <= MAX_OF);
        is_short && inner.into_iter().all(has_short_lists)
    })
}

/// How many names a selector without combinators has, and those before; `None` where it asks for more than names.
fn names_in(before: usize, selector: &Selector<Names>) -> Option<usize> {
    selector.iter_raw_match_order().try_fold(before, |count, part| match part {
        Component::LocalName(_)
        | Component::ID(_)
        | Component::Class(_)
        | Component::AttributeInNoNamespaceExists { .. }
        | Component::AttributeInNoNamespace { .. }
        | Component::ExplicitUniversalType => Some(count + 1),
        Component::Negation(_) | Component::Is(_) | Component::Where(_) => {
            within(part).into_iter().try_fold(count, names_in)
        }
        _ => None,
    })
}

/// Steps that matching may still take, and what the library remembers between matches.
pub(crate) struct Budget {
    left: Cell<u64>,
    /// How many steps are needed at most to find an element's place among its siblings; they are kept back for one that is being
    /// looked for when the others are spent. The library must not be stopped while it counts: in debug builds it counts twice and
    /// panics if the two differ.
    reserve: u64,
    /// Whether the selector that is matched has a list behind `of`.
    has_of: Cell<bool>,
    /// Places among siblings.
    caches: RefCell<SelectorCaches>,
}

impl Budget {
    /// As many steps, for a tree of so many nodes.
    pub(crate) fn new(steps: u64, nodes: usize) -> Self {
        let reserve = 3 * (nodes as u64 + 1);
        let left = Cell::new(steps.saturating_add(reserve));
        Budget { left, reserve, has_of: Cell::new(false), caches: RefCell::default() }
    }

    /// Takes a step; false if not even the reserve has one.
    pub(crate) fn step(&self) -> bool {
        self.steps(1)
    }

    /// The same for several.
    pub(crate) fn steps(&self, steps: u64) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(steps));
        left >= steps
    }

    /// Whether so many steps are left beside the reserve. If not, the budget is spent from now on.
    fn has(&self, steps: u64) -> bool {
        let is_enough = self.left.get() > self.reserve.saturating_add(steps);
        if !is_enough {
            self.left.set(0);
        }
        is_enough
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() <= self.reserve
    }
}

impl Complex {
    fn of(selector: Selector<Names>) -> Self {
        let mut needs = Slots::NONE;
        let mut is_around = false;
        let (mut is_remembered, mut has_of) = (false, false);
        for part in selector.iter_raw_match_order() {
            match part {
                Component::Combinator(combinator) => is_around = combinator.is_ancestor(),
                Component::Class(name) | Component::ID(name) if is_around => needs.add(slot_of(&name.0)),
                Component::NthOf(_) => (is_remembered, has_of) = (true, true),
                Component::Has(_) => is_remembered = true,
                // Anything may be in these.
                part if !within(part).is_empty() => (is_remembered, has_of) = (true, true),
                _ => {}
            }
        }
        Complex { specificity: selector.specificity(), selector, needs, is_remembered, has_of }
    }

    /// Whether it is about a pseudo-element, which has none of the page's text.
    pub(crate) fn is_pseudo(&self) -> bool {
        self.selector.has_pseudo_element()
    }

    /// The name by which the rightmost compound is found.
    pub(crate) fn key(&self) -> Key<'_> {
        let names = self.selector.iter().map(|part| match part {
            Component::ID(name) => Key::Id(&name.0),
            Component::Class(name) => Key::Class(&name.0),
            Component::LocalName(name) => Key::Tag(&name.lower_name.0),
            Component::AttributeInNoNamespaceExists { local_name_lower, .. } => {
                Key::Attribute(&local_name_lower.0)
            }
            Component::AttributeInNoNamespace { local_name, .. } => Key::Attribute(&local_name.0),
            _ => Key::Any,
        });
        names.min().unwrap_or(Key::Any)
    }

    /// The classes and ids of the rightmost compound; of the element that a pseudo-element belongs to.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let is_outside =
            |part: &&Component<Names>| part.as_combinator().is_some_and(|sign| !sign.is_pseudo_element());
        let parts = self.selector.iter_raw_match_order().take_while(move |part| !is_outside(part));
        parts.filter_map(|part| match part {
            Component::ID(name) | Component::Class(name) => Some(&*name.0),
            _ => None,
        })
    }

    /// Whether one of its compounds names a class for which `is_it` holds.
    pub(crate) fn has_class(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.selector
            .iter_raw_match_order()
            .any(|part| matches!(part, Component::Class(name) if is_it(&name.0)))
    }

    /// Whether the element is one of those that are meant; not once the budget is spent.
    pub(crate) fn matches(&self, tree: &Tree, id: NodeId, budget: &Budget) -> bool {
        if self.is_pseudo() || budget.is_spent() || !budget.step() {
            return false;
        }
        budget.has_of.set(self.has_of);
        if self.is_remembered {
            // Kept between matches, that would take more memory than the page.
            return self.matches_with(&mut SelectorCaches::default(), tree, id, budget);
        }
        self.matches_with(&mut budget.caches.borrow_mut(), tree, id, budget)
    }

    fn matches_with(&self, caches: &mut SelectorCaches, tree: &Tree, id: NodeId, budget: &Budget) -> bool {
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let element = ElementOf { tree, id, budget };
        matches_selector(&self.selector, 0, None, &element, &mut context) && !budget.is_spent()
    }
}

/// The caller's alternatives, such as `main > .post:not(.draft), #content`.
#[derive(Debug, Clone)]
pub(crate) struct Asked(Vec<Complex>);

impl Asked {
    /// `None` where the text is not a selector that is known here.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        read(text, Grammar::Caller, &mut Reading::new(MAX_COMPOUNDS)).map(Asked)
    }

    /// For each node, whether it matches; `None` where none does, or where to find out takes more steps than a page of this
    /// size has.
    pub(crate) fn find(&self, tree: &Tree) -> Option<ByNode<bool>> {
        let steps = STEPS_PER_NODE.saturating_mul(tree.len() as u64).saturating_add(STEPS);
        let budget = Budget::new(steps, tree.len());
        let mut hits = ByNode::new(tree);
        for id in tree.descendants(Tree::ROOT).filter(|&id| tree.is_element(id)) {
            hits[id] = self.0.iter().any(|one| one.matches(tree, id, &budget));
        }
        (hits.values().contains(&true) && !budget.is_spent()).then_some(hits)
    }
}

#[cfg(test)]
mod tests;
