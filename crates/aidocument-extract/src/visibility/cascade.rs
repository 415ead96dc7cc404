//! The cascade: which declarations of the page's style sheets and the attribute `style` win for an
//! element.
//!
//! Rules that may hide are parsed at once. Other rules are parsed only when an element matches one of those, and only if
//! they set a property that matters then.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::VisibilityLimits;
use super::hints::Hints;
use super::index::{Filters, Index, keys};
use super::page_names::PageNames;
use super::property::{Properties, Property, set};
use super::sheet::{NO_LAYER, Sheet, When};
use super::style::{Style, hides, needed, rank};
use super::value::{self, Value};
use super::{HiddenReason, names};
use crate::recent::{Recent, slot_of};
use crate::selector::{self, Budget, Complex, Key, Reading};
use crate::tree::{NodeId, Tree};

/// A rule that was read.
struct Rule {
    /// Its selectors, once it matters whether they match.
    list: Option<Vec<Complex>>,
    declarations: Vec<(Property, Value, bool)>,
    /// What it sets to a value that may hide.
    hides: Properties,
}

/// The style sheets of a page.
pub(super) struct Sheets<'a> {
    sheet: Sheet<'a>,
    /// The rules by their places, as far as they were read.
    rules: Vec<Option<Box<Rule>>>,
    /// For each rule, whether it is in an index.
    is_indexed: Vec<bool>,
    hiding: Index,
    others: Index,
    /// Rules by all classes and ids of what they are about, and the properties that these set.
    shows: BTreeMap<Box<str>, Vec<u32>>,
    shows_of: Properties,
    /// What [`Sheets::may_show`] has found, by classes, id and property.
    states: BTreeMap<(&'a str, &'a str, u8), bool>,
    /// What the rules that were indexed so far set.
    read_for: Properties,
    /// Whether the page has no other style sheets than these.
    pub(super) are_all: bool,
    budget: Budget,
    reading: Reading,
    candidates: Vec<u32>,
    /// What was found out about lists of classes.
    classes: Recent<'a, Classes, 256>,
    filters: Filters,
}

/// What is known of a list of classes.
#[derive(Debug, Clone, Copy, Default)]
struct Classes {
    meaning: Option<HiddenReason>,
    /// True if a hiding rule may match one of them.
    may_hide: bool,
}

/// Steps of matching that every page may take, times the steps of a node.
const STEPS: u64 = 3_000;

impl<'a> Sheets<'a> {
    /// The sheets of a page: texts of `<style>`, each with its attribute `media`.
    pub(super) fn new(
        texts: &[(&'a str, &str)],
        are_all: bool,
        nodes: usize,
        limits: &VisibilityLimits,
        names: Option<PageNames>,
    ) -> Self {
        let mut sheet = Sheet::new(limits);
        sheet.names = names;
        for (text, media) in texts {
            sheet.add(text, media);
        }
        sheet.order_layers();
        let steps = u64::from(limits.steps_per_node).saturating_mul(nodes as u64 + STEPS);
        let mut sheets = Sheets {
            rules: (0..sheet.rules.len()).map(|_| None).collect(),
            is_indexed: vec![false; sheet.rules.len()],
            sheet,
            hiding: Index::EMPTY,
            others: Index::EMPTY,
            shows: BTreeMap::new(),
            shows_of: Properties::default(),
            states: BTreeMap::new(),
            read_for: Properties::default(),
            are_all,
            budget: Budget::new(steps, nodes),
            reading: Reading::new(limits.compounds),
            candidates: Vec::new(),
            classes: Recent::new(Classes::default()),
            filters: Filters::default(),
        };
        const GROUNDS: Properties = set![Background Backgrounds];
        for place in 0..sheets.sheet.rules.len() {
            let Some(found) = sheets.sheet.rules.get(place) else { break };
            // Light letters are looked at where nothing else gives colours, and letters beside a ground of their own.
            let is_colored = (are_all && found.hints.is_light)
                || (found.hints.sets.has(Property::Color) && found.hints.sets.meets(GROUNDS));
            if found.when == When::Now && (found.hints.hides != Properties::default() || is_colored) {
                sheets.index(place, true);
            }
        }
        sheets
    }

    /// Whether a bound was met, and not all was read or matched.
    pub(super) fn are_cut(&self) -> bool {
        self.sheet.is_cut || self.reading.is_cut || self.budget.is_spent()
    }

    /// Puts a rule where it is found.
    fn index(&mut self, place: usize, is_hiding: bool) {
        let (Some(found), Some(is_indexed)) = (self.sheet.rules.get(place), self.is_indexed.get_mut(place))
        else {
            return;
        };
        if std::mem::replace(is_indexed, true) {
            return;
        }
        let index = if is_hiding { &mut self.hiding } else { &mut self.others };
        let number = u32::try_from(place).unwrap_or(u32::MAX);
        if let Some(outer) = found.outer {
            let selectors =
                nested(&self.sheet.outer, outer, found.selectors, &self.budget, &mut self.reading);
            keys(&selectors, false, &mut self.reading, &mut |key| index.add(key, number));
        } else {
            keys(found.selectors, false, &mut self.reading, &mut |key| index.add(key, number));
        }
    }

    /// Reads a rule, once.
    fn read(&mut self, place: u32) -> Option<&Rule> {
        let place = place as usize;
        let slot = self.rules.get_mut(place)?;
        if slot.is_none() {
            let found = self.sheet.rules.get(place)?;
            let (are_all, customs) = (self.are_all, &self.sheet.customs);
            let mut rule = Rule { list: None, declarations: Vec::new(), hides: Properties::default() };
            let mut colors = [None; 2];
            value::read(found.body, customs, &mut |property, value, important| {
                if hides(property, value, are_all) {
                    rule.hides = rule.hides.with(Properties::one(property));
                }
                match (property, value) {
                    (Property::Color, Value::Color(color)) => colors[0] = Some(color),
                    (Property::Background, Value::Color(color)) => colors[1] = Some(color),
                    _ => {}
                }
                rule.declarations.push((property, value, important));
            });
            if let [Some(text), Some(ground)] = colors
                && value::is_same(text, ground)
            {
                rule.hides = rule.hides.with(set![Color]);
            }
            *slot = Some(Box::new(rule));
        }
        slot.as_deref()
    }

    /// Indexes the rules that set any of these.
    fn index_all(&mut self, properties: Properties) {
        if properties.0 & !self.read_for.0 == 0 {
            return;
        }
        self.read_for = self.read_for.with(properties);
        for place in 0..self.sheet.rules.len() {
            if self
                .sheet
                .rules
                .get(place)
                .is_some_and(|rule| rule.when == When::Now && rule.hints.sets.meets(properties))
            {
                self.index(place, false);
            }
        }
    }

    /// What is known of an element's classes.
    fn classes_of(&mut self, tree: &'a Tree, id: NodeId) -> Classes {
        let class = tree.attr(id, "class").unwrap_or_default();
        if class.is_empty() {
            return Classes::default();
        }
        let hiding = &self.hiding.names;
        self.classes.of(class, |all| {
            let (mut may_hide, mut may_mean) = (false, false);
            for name in all.split_ascii_whitespace() {
                let slot = slot_of(name);
                may_hide |= hiding.may_have(slot);
                may_mean |= names::may_mean(name, slot);
            }
            Classes { meaning: if may_mean { names::meaning(all) } else { None }, may_hide }
        })
    }

    /// What a framework means by an element's classes.
    pub(super) fn meaning(&mut self, tree: &'a Tree, id: NodeId) -> Option<HiddenReason> {
        self.classes_of(tree, id).meaning
    }

    /// The specificity with which a rule matches an element, and whether it is one for pages without scripts.
    fn matched(&mut self, tree: &'a Tree, id: NodeId, place: u32) -> Option<(u32, bool)> {
        self.read(place)?;
        let rule = self.rules.get_mut(place as usize)?.as_deref_mut()?;
        let mut best: Option<(u32, bool)> = None;
        if rule.list.is_none() {
            let found = self.sheet.rules.get(place as usize)?;
            let selectors = match found.outer {
                None => Cow::Borrowed(found.selectors),
                Some(outer) => {
                    nested(&self.sheet.outer, outer, found.selectors, &self.budget, &mut self.reading).into()
                }
            };
            rule.list = Some(selector::list(&selectors, &mut self.reading).unwrap_or_default());
        }
        for complex in rule.list.iter().flatten() {
            if best.is_some_and(|(known, _)| known >= complex.specificity) {
                continue;
            }
            if self.filters.may_match(tree, id, &complex.needs) && complex.matches(tree, id, &self.budget) {
                best = Some((complex.specificity, complex.has_class(is_without_scripts)));
            }
        }
        best
    }

    /// The style of an element, should anything of it hide or show. `open` are the properties that count at this place
    /// whatever the element has: those that hide what is around it and can be undone.
    pub(super) fn of(&mut self, tree: &'a Tree, id: NodeId, open: Properties) -> Option<Style> {
        let inline = tree.attr(id, "style").filter(|style| !style.is_empty());
        let Hints { sets: inline_sets, hides: mut hiding, .. } = inline.map(Hints::of).unwrap_or_default();
        let drawn = presentation(tree, id);
        if !drawn.is_empty() {
            hiding = hiding.with(Hints::of(&drawn).hides);
        }
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        if !self.hiding.is_empty() {
            let may_hide = self.classes_of(tree, id).may_hide;
            self.hiding.candidates(tree, id, may_hide, &self.budget, &mut candidates);
        }
        for &place in &candidates {
            // Most of what looked as if it could hide does not, once it is read.
            let hides = self.read(place).map(|rule| rule.hides).unwrap_or_default();
            if hides.0 & !hiding.0 != 0 && self.matched(tree, id, place).is_some() {
                hiding = hiding.with(hides);
            }
        }
        let colors = set![Color Fill];
        let is_colored = inline_sets.meets(set![Color Fill Background Backgrounds]);
        hiding = hiding.with(Properties(inline_sets.0 & colors.0)).with(open);
        self.candidates = candidates;
        if hiding == Properties::default() && !is_colored {
            return None;
        }
        let mut style = Style::default();
        // Every rule wins over these.
        value::read(&drawn, &self.sheet.customs, &mut |property, value, _| style.set(property, value, 0));
        self.fill(tree, id, needed(hiding), hiding, inline, &mut style);
        Some(style)
    }

    /// What an element has for these properties, as far as anything sets them.
    pub(super) fn values_of(&mut self, tree: &'a Tree, id: NodeId, properties: Properties) -> Style {
        let inline = tree.attr(id, "style").filter(|style| Hints::of(style).sets.meets(properties));
        let mut style = Style::default();
        self.fill(tree, id, properties, Properties::default(), inline, &mut style);
        style
    }

    /// Fills in the winning values: of the rules that set any of these properties, and of the attribute.
    fn fill(
        &mut self,
        tree: &'a Tree,
        id: NodeId,
        properties: Properties,
        hiding: Properties,
        inline: Option<&str>,
        style: &mut Style,
    ) {
        if !self.rules.is_empty() {
            self.index_all(properties);
            let mut candidates = std::mem::take(&mut self.candidates);
            candidates.clear();
            self.hiding.candidates(tree, id, true, &self.budget, &mut candidates);
            self.others.candidates(tree, id, true, &self.budget, &mut candidates);
            for &place in &candidates {
                if !self
                    .sheet
                    .rules
                    .get(place as usize)
                    .is_some_and(|found| found.hints.sets.meets(properties))
                {
                    continue;
                }
                let Some((specificity, without_scripts)) = self.matched(tree, id, place) else { continue };
                let (Some(found), Some(Some(rule))) =
                    (self.sheet.rules.get(place as usize), self.rules.get(place as usize))
                else {
                    continue;
                };
                style.without_scripts |= without_scripts && rule.hides.meets(hiding);
                for &(property, value, important) in &rule.declarations {
                    style.set(property, value, rank(important, found.layer, false, specificity, place));
                }
            }
            self.candidates = candidates;
        }
        if let Some(inline) = inline {
            value::read(inline, &self.sheet.customs, &mut |property, value, important| {
                style.set(property, value, rank(important, NO_LAYER, true, 0, 0));
            });
        }
    }

    /// Returns true if a rule for another state or screen shows what this property hides now.
    pub(super) fn may_show(&mut self, tree: &'a Tree, id: NodeId, property: Property) -> bool {
        // Elements of the same names are in the same state, nearly always.
        let key = (
            tree.attr(id, "class").unwrap_or_default(),
            tree.attr(id, "id").unwrap_or_default(),
            property as u8,
        );
        if key.0.is_empty() && key.1.is_empty() {
            return false;
        }
        if let Some(known) = self.states.get(&key) {
            return *known;
        }
        let found = self.finds_state(tree, id, property);
        self.states.insert(key, found);
        found
    }

    fn finds_state(&mut self, tree: &'a Tree, id: NodeId, property: Property) -> bool {
        if !self.shows_of.has(property) {
            self.shows_of = self.shows_of.with(Properties::one(property));
            for (place, found) in self.sheet.rules.iter().enumerate() {
                if found.hints.sets.has(property) && found.outer.is_none() {
                    let number = u32::try_from(place).unwrap_or(u32::MAX);
                    keys(found.selectors, true, &mut self.reading, &mut |key| {
                        if let Key::Id(name) | Key::Class(name) = key {
                            match self.shows.get_mut(name) {
                                None => drop(self.shows.insert(name.into(), vec![number])),
                                Some(places) if places.len() < 64 && places.last() != Some(&number) => {
                                    places.push(number);
                                }
                                Some(_) => {}
                            }
                        }
                    });
                }
            }
        }
        let names = ["class", "id"].into_iter().filter_map(|name| tree.attr(id, name));
        for name in names.flat_map(str::split_ascii_whitespace) {
            let Some(places) = self.shows.get(name).cloned() else { continue };
            for place in places {
                let shows = self.read(place).is_some_and(|rule| {
                    rule.declarations.iter().any(|&(set, value, _)| {
                        set == property && value != Value::Unknown && !hides(set, value, false)
                    })
                });
                let is_elsewhere =
                    self.sheet.rules.get(place as usize).is_some_and(|found| found.when == When::Elsewhere);
                if shows && (is_elsewhere || self.matched(tree, id, place).is_none()) {
                    return true;
                }
            }
        }
        false
    }
}

/// Classes of pages whose scripts did not run.
fn is_without_scripts(class: &str) -> bool {
    matches!(class, "no-js" | "nojs" | "no-javascript" | "js-disabled" | "client-nojs" | "nojs-html")
}

/// The attributes of an element of a drawing that stand for declarations, as these.
fn presentation(tree: &Tree, id: NodeId) -> String {
    let mut text = String::new();
    if tree.is_foreign(id) {
        for name in ["display", "visibility", "opacity", "font-size", "fill", "stroke"] {
            if let Some(value) = tree.attr(id, name).filter(|value| !value.contains([';', '!'])) {
                text.extend([name, ":", value, ";"]);
            }
        }
    }
    text
}

/// Selectors with those of the rules around them put in.
fn nested(
    outer: &[(&str, Option<usize>)],
    place: usize,
    selectors: &str,
    budget: &Budget,
    reading: &mut Reading,
) -> String {
    let mut chain = Vec::new();
    let mut around = Some(place);
    while let Some((text, next)) = around.and_then(|place| outer.get(place))
        && chain.len() < 4
    {
        chain.push(*text);
        around = *next;
    }
    let mut text = String::new();
    for inner in chain.into_iter().rev().chain(Some(selectors)) {
        if text.is_empty() {
            inner.clone_into(&mut text);
            continue;
        }
        if inner.is_empty() || inner.starts_with('@') {
            continue;
        }
        let around = format!(":is({text})");
        text = if inner.contains('&') {
            inner.replace('&', &around)
        } else {
            inner.split(',').map(|one| format!("{around} {one}")).collect::<Vec<_>>().join(",")
        };
        // No person writes selectors this long, and no page so many long ones: the rule matches nothing.
        if text.len() > 10_000 || !budget.steps(text.len() as u64) {
            reading.is_cut = true;
            return String::new();
        }
    }
    text
}
