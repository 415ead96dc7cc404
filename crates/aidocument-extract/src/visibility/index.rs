//! Finds the rules that may match an element without trying all of them.

use super::plain;
use crate::recent::{Slots, slot_of};
use crate::selector::{self, Budget, Key, Reading};
use crate::tree::{ByNode, NodeId, Tree};

/// Rules by the rarest name of what they match.
pub(super) struct Index {
    /// Hashes of names with the indices of rules, and the index of the next entry of the same chain, from one. Names may
    /// share a hash: the rule is then tried without a match.
    entries: Vec<(u32, u32, u32)>,
    /// Where the chain of a number starts, by its lowest bits, from one.
    chains: Vec<u32>,
    /// By the name of an attribute that the element must have.
    attributes: Vec<(Box<str>, Vec<u32>)>,
    any: Vec<u32>,
    /// Bits of the names, so that most that are asked for are known not to be there.
    pub(super) names: Slots<32>,
}

impl Index {
    pub(super) const EMPTY: Index = Index {
        entries: Vec::new(),
        chains: Vec::new(),
        attributes: Vec::new(),
        any: Vec::new(),
        names: Slots::NONE,
    };

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.attributes.is_empty() && self.any.is_empty()
    }

    pub(super) fn add(&mut self, key: Key<'_>, place: u32) {
        let (kind, name) = match key {
            Key::Id(name) => (0, name),
            Key::Class(name) => (1, name),
            Key::Tag(name) => (2, name),
            Key::Attribute(name) => {
                let has_room = self.attributes.len() < MAX_NAMES;
                match self.attributes.iter_mut().find(|(known, _)| **known == *name) {
                    Some((_, places)) => places.push(place),
                    None if has_room => self.attributes.push((name.into(), vec![place])),
                    None => self.any.push(place),
                }
                return;
            }
            Key::Any => return self.any.push(place),
        };
        self.names.add(slot_of(name));
        if self.chains.is_empty() {
            self.chains.resize(CHAINS, 0);
        }
        let number = number_of(kind, slot_of(name));
        if let Some(first) = self.chains.get_mut(chain_of(number)) {
            self.entries.push((number, place, *first));
            *first = u32::try_from(self.entries.len()).unwrap_or(0);
        }
    }

    /// The rules that may match an element, each once. Each is charged to the budget; once that is spent, there are none.
    pub(super) fn candidates(
        &self,
        tree: &Tree,
        id: NodeId,
        has_classes: bool,
        budget: &Budget,
        out: &mut Vec<u32>,
    ) {
        if budget.is_spent() {
            return;
        }
        let known = out.len();
        out.extend_from_slice(&self.any);
        for (name, places) in &self.attributes {
            if tree.attr(id, name).is_some() {
                out.extend_from_slice(places);
            }
        }
        let mut of = |kind: u32, name: &str| {
            let slot = slot_of(name);
            if !self.names.may_have(slot) {
                return;
            }
            let number = number_of(kind, slot);
            let mut next = self.chains.get(chain_of(number)).copied().unwrap_or_default();
            while let Some(&(known, place, after)) =
                (next as usize).checked_sub(1).and_then(|place| self.entries.get(place))
            {
                if known == number {
                    out.push(place);
                } else if !budget.step() {
                    return;
                }
                next = after;
            }
        };
        of(2, tree.name(id));
        if let Some(name) = tree.attr(id, "id") {
            of(0, name);
        }
        if has_classes {
            tree.classes(id).for_each(|name| of(1, name));
        }
        budget.steps((out.len() - known) as u64);
        if out.len() > 1 {
            out.sort_unstable();
            out.dedup();
        }
    }
}

/// Chains of an index, a power of two.
const CHAINS: usize = 1024;

fn chain_of(number: u32) -> usize {
    (number >> 2) as usize % CHAINS
}

/// Names of attributes that rules are found by.
const MAX_NAMES: usize = 32;

/// A number for a name of a kind, by its slot.
fn number_of(kind: u32, slot: usize) -> u32 {
    (slot as u32 & 0x3fff_ffff) << 2 | kind
}

/// Hands on, for each selector of a list, what finds it; with `all`, each class and id of its last compound. Selectors of plain
/// names need not be read for that.
pub(super) fn keys(text: &str, all: bool, reading: &mut Reading, give: &mut dyn FnMut(Key<'_>)) {
    // A compound without a name outside of its brackets may be found by one inside, which the library reads.
    let is_named = |list: &str| {
        list.split(',').all(|one| !matches!(plain::last_compound(one).as_bytes(), [] | [b':' | b'*', ..]))
    };
    let Some(list) = plain::selectors(text).filter(|list| list.len() == text.len() || is_named(list)) else {
        for complex in selector::list(text, reading).unwrap_or_default() {
            if complex.is_pseudo() {
                continue;
            }
            if all {
                complex.names().for_each(|name| give(Key::Class(name)));
            } else {
                give(complex.key());
            }
        }
        return;
    };
    for selector in list.split(',') {
        // In a state that the page is not in, it shows perhaps, and hides nothing.
        let mut states = selector.split(':').skip(1);
        if !all && states.any(|state| ["hover", "focus", "active"].iter().any(|it| state.starts_with(it))) {
            continue;
        }
        let compound = plain::last_compound(selector);
        if plain::parts(compound).any(plain::is_pseudo) {
            continue;
        }
        let names = plain::parts(compound).map(|part| match part.split_at_checked(1) {
            Some(("#", name)) => Key::Id(name),
            Some((".", name)) => Key::Class(name),
            None | Some((":" | "*", _)) => Key::Any,
            _ => Key::Tag(part),
        });
        if all {
            names.filter(|key| matches!(key, Key::Id(_) | Key::Class(_))).for_each(&mut *give);
            continue;
        }
        match names.min() {
            Some(Key::Tag(name)) if name.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                give(Key::Tag(&name.to_ascii_lowercase()));
            }
            key => give(key.unwrap_or(Key::Any)),
        }
    }
}

/// Bloom filters of the names of ancestors, so that most selectors need not be tried ancestor by ancestor.
#[derive(Default)]
pub(super) struct Filters {
    /// For each node, the place of its bits from one, or zero.
    places: ByNode<u32>,
    bits: Vec<Slots<4>>,
}

impl Filters {
    /// Whether the names that a selector needs around an element may be there.
    pub(super) fn may_match(&mut self, tree: &Tree, id: NodeId, needs: &Slots<4>) -> bool {
        Slots::NONE.may_have_all(needs)
            || tree.parent(id).is_some_and(|parent| self.of(tree, parent).may_have_all(needs))
    }

    /// The bits of an element and all around it.
    fn of(&mut self, tree: &Tree, id: NodeId) -> Slots<4> {
        self.places.fill(tree);
        let mut chain = Vec::new();
        let mut around = Some(id);
        let mut bits = Slots::NONE;
        while let Some(node) = around {
            let place = self.places[node];
            if place > 0 {
                bits = self.bits.get(place as usize - 1).copied().unwrap_or(bits);
                break;
            }
            chain.push(node);
            around = tree.parent(node);
        }
        for node in chain.into_iter().rev() {
            let names = ["class", "id"].into_iter().filter_map(|name| tree.attr(node, name));
            names.flat_map(str::split_ascii_whitespace).for_each(|name| bits.add(slot_of(name)));
            self.bits.push(bits);
            self.places[node] = u32::try_from(self.bits.len()).unwrap_or(0);
        }
        bits
    }
}
