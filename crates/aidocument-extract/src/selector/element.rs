//! An element of the page, as the library asks about it.

use std::fmt;

use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;
use selectors::{Element, OpaqueElement};

use super::grammar::{Name, Names, PseudoClass, PseudoElement};
use super::{Budget, MAX_OF};
use crate::tree::{NodeId, Tag, Tree};

/// Bytes of an attribute that are looked at in one step.
const BYTES_OF_A_STEP: usize = 64;

#[derive(Clone, Copy)]
pub(super) struct ElementOf<'a> {
    pub(super) tree: &'a Tree,
    pub(super) id: NodeId,
    pub(super) budget: &'a Budget,
}

impl fmt::Debug for ElementOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}

impl<'a> ElementOf<'a> {
    /// The nearest element that `step` leads to from here.
    fn toward(self, step: impl Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
        let mut next = step(self.id);
        while let Some(id) = next
            && self.budget.step()
        {
            if self.tree.is_element(id) {
                return Some(ElementOf { id, ..self });
            }
            next = step(id);
        }
        None
    }

    /// The value of an attribute, if the budget has the steps to read it once.
    fn value(&self, name: &str) -> Option<&'a str> {
        let value = self.tree.attr(self.id, name);
        self.budget.steps(value.map_or(1, steps_of)).then_some(value)?
    }

    /// What `told` finds for this element, or for the nearest one around it for which it finds something.
    fn inherited<T>(&self, told: impl Fn(NodeId) -> Option<T>) -> Option<T> {
        let around = self.tree.upward(self.id);
        around.take_while(|_| self.budget.step()).find_map(told)
    }
}

impl Element for ElementOf<'_> {
    type Impl = Names;

    fn opaque(&self) -> OpaqueElement {
        self.tree.opaque(self.id)
    }

    fn parent_element(&self) -> Option<Self> {
        let parent =
            self.tree.parent(self.id).filter(|&id| self.tree.is_element(id) && self.budget.step())?;
        Some(ElementOf { id: parent, ..*self })
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.toward(|id| self.tree.prev_sibling(id))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.toward(|id| self.tree.next_sibling(id))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.toward(|id| if id == self.id { self.tree.first_child(id) } else { self.tree.next_sibling(id) })
    }

    fn is_html_element_in_html_document(&self) -> bool {
        !self.tree.is_foreign(self.id)
    }

    fn has_local_name(&self, name: &Name) -> bool {
        self.budget.step() && self.tree.name(self.id) == &*name.0
    }

    fn has_namespace(&self, namespace: &Name) -> bool {
        namespace.0.is_empty()
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.tree.name(self.id) == self.tree.name(other.id)
            && self.tree.is_foreign(self.id) == self.tree.is_foreign(other.id)
    }

    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&Name>,
        name: &Name,
        operation: &AttrSelectorOperation<&Name>,
    ) -> bool {
        matches!(namespace, NamespaceConstraint::Any | NamespaceConstraint::Specific(Name(_)))
            && self.value(&name.0).is_some_and(|value| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(&self, class: &PseudoClass, _: &mut MatchingContext<'_, Names>) -> bool {
        let (tree, id) = (self.tree, self.id);
        self.budget.step()
            && match class {
                PseudoClass::Link => {
                    matches!(tree.tag(id), Tag::A | Tag::Area) && tree.attr(id, "href").is_some()
                }
                PseudoClass::Checked => {
                    tree.attr(id, "checked").is_some() || tree.attr(id, "selected").is_some()
                }
                PseudoClass::Disabled(is_off) => {
                    let can = matches!(
                        tree.tag(id),
                        Tag::Button | Tag::Input | Tag::Select | Tag::Textarea | Tag::Fieldset | Tag::Option
                    );
                    can && tree.attr(id, "disabled").is_some() == *is_off
                }
                PseudoClass::Defined => tree.is_foreign(id) || !tree.name(id).contains('-'),
                PseudoClass::Lang(ranges) => {
                    let own = self.inherited(|around| tree.attr(around, "lang")).unwrap_or_default();
                    ranges.iter().take_while(|_| self.budget.step()).any(|range| is_within(own, range))
                }
                PseudoClass::Dir { is_right } => {
                    let own = self.inherited(|around| {
                        let dir = tree.attr(around, "dir")?;
                        ["rtl", "ltr", "auto"].into_iter().find(|known| dir.eq_ignore_ascii_case(known))
                    });
                    // What `auto` comes to depends on the letters.
                    own.unwrap_or("ltr") == if *is_right { "rtl" } else { "ltr" }
                }
                PseudoClass::State => false,
            }
    }

    fn match_pseudo_element(&self, _: &PseudoElement, _: &mut MatchingContext<'_, Names>) -> bool {
        false
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        false
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        self.value("id").is_some_and(|value| case.eq(value.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &Name, case: CaseSensitivity) -> bool {
        self.value("class").is_some_and(|all| {
            all.split_ascii_whitespace().any(|class| case.eq(class.as_bytes(), name.0.as_bytes()))
        })
    }

    fn has_custom_state(&self, _: &Name) -> bool {
        false
    }

    fn imported_part(&self, _: &Name) -> Option<Name> {
        None
    }

    fn is_part(&self, _: &Name) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.tree.children(self.id).all(|id| {
            self.budget.step() && !self.tree.is_element(id) && self.tree.text(id).is_none_or(str::is_empty)
        })
    }

    fn is_root(&self) -> bool {
        self.tree.parent(self.id) == Some(Tree::ROOT)
    }

    /// The library asks this before it looks for a place among siblings, so the cost of that is made sure of here.
    fn ignores_nth_child_selectors(&self) -> bool {
        let parent = self.tree.parent(self.id).filter(|_| self.budget.has_of.get());
        let siblings = parent.into_iter().flat_map(|parent| self.tree.children(parent));
        let cost: u64 = siblings
            .map(|id| 1 + self.tree.attributes(id).map(|(_, value)| steps_of(value)).sum::<u64>())
            .sum();
        self.budget.steps(cost);
        !self.budget.has(cost.saturating_mul(3 * MAX_OF as u64))
    }

    /// False makes the library go without its filters.
    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}

fn steps_of(value: &str) -> u64 {
    (value.len() / BYTES_OF_A_STEP) as u64 + 1
}

/// Whether a language is the range, or one within it.
fn is_within(language: &str, range: &str) -> bool {
    let own = language.as_bytes();
    own.get(..range.len()).is_some_and(|start| start.eq_ignore_ascii_case(range.as_bytes()))
        && own.get(range.len()).is_none_or(|&next| next == b'-')
}
