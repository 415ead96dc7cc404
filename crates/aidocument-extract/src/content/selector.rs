//! CSS selectors of the caller, parsed and matched by the library that Firefox uses.

use std::fmt;

use cssparser::ToCss;
use precomputed_hash::PrecomputedHash;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::matching::{
    ElementSelectorFlags, MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags,
    QuirksMode, SelectorCaches, matches_selector,
};
use selectors::parser::{ParseRelative, SelectorParseErrorKind};
use selectors::{Element, OpaqueElement, SelectorList};

use super::marked;
use crate::tree::{NodeId, Tag, Tree};

/// Alternatives such as `main > .post:not(.draft), #content`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selector(SelectorList<Names>);

impl Selector {
    /// `None` where the text is not a selector that is known here.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parser = cssparser::Parser::new(text);
        let list = SelectorList::parse(&Grammar, &mut parser, ParseRelative::No).ok()?;
        parser.is_exhausted().then_some(Selector(list))
    }

    /// For each node, whether it is in a matching element; `None` where no element matches.
    pub(crate) fn mark(&self, tree: &Tree) -> Option<Vec<bool>> {
        let mut caches = SelectorCaches::default();
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let mut is_hit = false;
        let inside = marked(tree, |id| {
            let element = ElementOf { tree, id };
            let hit = self.0.slice().iter().any(|one| matches_selector(one, 0, None, &element, &mut context));
            is_hit |= hit;
            hit
        });
        is_hit.then_some(inside)
    }
}

/// The supported grammar: no pseudo-elements, no states such as `:hover`, no `:has`, which may take quadratic
/// time.
struct Grammar;

impl selectors::Parser<'_> for Grammar {
    type Impl = Names;
    type Error = SelectorParseErrorKind;

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn allow_forgiving_selectors(&self) -> bool {
        false
    }
}

/// The kinds of names in selectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names;

impl selectors::SelectorImpl for Names {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = Never;
    type PseudoElement = Never;
}

/// A name or value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Name(Box<str>);

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(text.into())
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl PrecomputedHash for Name {
    /// For filters of ancestors, which are not in use here.
    fn precomputed_hash(&self) -> u32 {
        0
    }
}

/// Pseudo-classes of states and pseudo-elements, which a static page does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Never {}

impl ToCss for Never {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl selectors::parser::NonTSPseudoClass for Never {
    fn is_active_or_hover(&self) -> bool {
        match *self {}
    }

    fn is_user_action_state(&self) -> bool {
        match *self {}
    }
}

impl selectors::parser::PseudoElement for Never {}

/// An element of the page, as the library asks about it.
#[derive(Debug, Clone, Copy)]
struct ElementOf<'a> {
    tree: &'a Tree,
    id: NodeId,
}

impl ElementOf<'_> {
    fn at(self, id: NodeId) -> Self {
        ElementOf { id, ..self }
    }

    fn classes(&self) -> impl Iterator<Item = &str> {
        self.tree.attr(self.id, "class").unwrap_or_default().split_ascii_whitespace()
    }
}

impl Element for ElementOf<'_> {
    type Impl = Names;

    fn opaque(&self) -> OpaqueElement {
        self.tree.opaque(self.id)
    }

    fn parent_element(&self) -> Option<Self> {
        self.tree.parent(self.id).filter(|&id| self.tree.is_element(id)).map(|id| self.at(id))
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
        let mut before =
            std::iter::successors(self.tree.previous_sibling(self.id), |&id| self.tree.previous_sibling(id));
        before.find(|&id| self.tree.is_element(id)).map(|id| self.at(id))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let mut after =
            std::iter::successors(self.tree.next_sibling(self.id), |&id| self.tree.next_sibling(id));
        after.find(|&id| self.tree.is_element(id)).map(|id| self.at(id))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.tree.children(self.id).find(|&id| self.tree.is_element(id)).map(|id| self.at(id))
    }

    fn is_html_element_in_html_document(&self) -> bool {
        !self.tree.is_foreign(self.id)
    }

    fn has_local_name(&self, name: &Name) -> bool {
        self.tree.name(self.id) == &*name.0
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
            && self.tree.attr(self.id, &name.0).is_some_and(|value| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(&self, class: &Never, _: &mut MatchingContext<'_, Names>) -> bool {
        match *class {}
    }

    fn match_pseudo_element(&self, element: &Never, _: &mut MatchingContext<'_, Names>) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        matches!(self.tree.tag(self.id), Tag::A | Tag::Link) && self.tree.attr(self.id, "href").is_some()
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        self.tree.attr(self.id, "id").is_some_and(|value| case.eq(value.as_bytes(), id.0.as_bytes()))
    }

    fn has_class(&self, name: &Name, case: CaseSensitivity) -> bool {
        self.classes().any(|class| case.eq(class.as_bytes(), name.0.as_bytes()))
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
        self.tree
            .children(self.id)
            .all(|id| !self.tree.is_element(id) && self.tree.text(id).is_none_or(str::is_empty))
    }

    fn is_root(&self) -> bool {
        self.tree.parent(self.id) == Some(Tree::ROOT)
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(selector: &str, html: &str) -> Option<String> {
        let tree = Tree::parse(html);
        let inside = Selector::parse(selector)?.mark(&tree)?;
        let texts = tree.descendants(Tree::ROOT).filter(|id| inside[id.index()]);
        Some(texts.filter_map(|id| tree.text(id)).collect())
    }

    #[test]
    fn selectors_are_those_of_css() {
        let html = "<main><div id=a class='x y' lang=en><p>1<p>2</div><div><p>3</div></main><p>4";
        for (selector, expected) in [
            ("#a", "12"),
            ("div.x.y[lang=en]", "12"),
            ("main > div + div p", "3"),
            ("div:not(.x) p, body > p", "34"),
            ("p:nth-child(2)", "24"),
            ("[lang^=e] p:first-child", "1"),
            (":is(#a, .z) > p", "12"),
            ("MAIN p", "123"),
            ("*", "1234"),
            ("div ~ div", "3"),
            ("p:first-of-type", "134"),
            ("div p:last-of-type", "23"),
            ("body > :only-of-type", "1234"),
            (":root p", "1234"),
            ("main:not(:empty)", "123"),
            // Of those that another selector finds; the element that is in no other.
            ("p:nth-child(1 of :not(:first-child))", "24"),
            ("div:nth-last-child(1 of #a)", "12"),
            (":root > body > p", "4"),
            (":not(:root) > p", "1234"),
            ("html:root", "1234"),
            // A list of alternatives within, none of them or all.
            (":where(#a, body) > p", "124"),
            (":is(main, body) > :not(div)", "1234"),
            ("[LANG=en] p, [lang=EN i] p", "12"),
            ("*|p:only-child", "3"),
        ] {
            assert_eq!(hits(selector, html).as_deref(), Some(expected), "{selector}");
        }
        for nothing in
            [".none", ":root > p", "p:root", "main:root", "div:empty", "p:nth-child(1 of .x)", ".X", "#A"]
        {
            assert_eq!(hits(nothing, html), None, "{nothing}");
        }
    }

    #[test]
    fn what_is_not_a_selector_is_refused() {
        for bad in ["", "a >", ",", "..", "a:hover", "a::before", ":has(p)", "a }", "svg|a"] {
            assert_eq!(Selector::parse(bad), None, "{bad}");
        }
    }
}
