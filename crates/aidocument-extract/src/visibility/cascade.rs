//! The cascade: which declarations of the page's style sheets and the attribute `style` win for an
//! element.
//!
//! Rules that may hide are parsed at once. Other rules are parsed only when an element matches one of those, and only if
//! they set a property that matters then.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::VisibilityLimits;
use super::names::{self, Meaning};
use super::page_names::PageNames;
use super::sheet::{self, NO_LAYER, Sheet, When};
use super::value::{self, Length, Properties, Property, Value};
use crate::recent::{Slots, slot_of};
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

/// Rules by the rarest name of what they match.
struct Index {
    /// Hashes of names with the indices of rules, and the index of the next entry of the same chain, from one. Names may
    /// share a hash: the rule is then tried without a match.
    entries: Vec<(u32, u32, u32)>,
    /// Where the chain of a number starts, by its lowest bits, from one.
    chains: Vec<u32>,
    /// By the name of an attribute that the element must have.
    attributes: Vec<(Box<str>, Vec<u32>)>,
    any: Vec<u32>,
    /// Bits of the names, so that most that are asked for are known not to be there.
    names: Slots<32>,
}

/// Places of rules by a name.
type Places<'a> = BTreeMap<Cow<'a, str>, Vec<u32>>;

impl Index {
    const EMPTY: Index = Index {
        entries: Vec::new(),
        chains: Vec::new(),
        attributes: Vec::new(),
        any: Vec::new(),
        names: Slots::NONE,
    };

    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.attributes.is_empty() && self.any.is_empty()
    }

    fn add(&mut self, key: KeyOf<'_>, place: u32) {
        let (kind, name) = match key {
            KeyOf::Id(name) => (0, name),
            KeyOf::Class(name) => (1, name),
            KeyOf::Tag(name) => (2, name),
            KeyOf::Attribute(name) => {
                let has_room = self.attributes.len() < MAX_NAMES;
                match self.attributes.iter_mut().find(|(known, _)| **known == *name) {
                    Some((_, places)) => places.push(place),
                    None if has_room => {
                        self.attributes.push((name.as_ref().into(), vec![place]));
                    }
                    None => self.any.push(place),
                }
                return;
            }
            KeyOf::Any => return self.any.push(place),
        };
        self.names.add(slot_of(&name));
        if self.chains.is_empty() {
            self.chains.resize(CHAINS, 0);
        }
        let number = number_of(kind, slot_of(&name));
        if let Some(first) = self.chains.get_mut(chain_of(number)) {
            self.entries.push((number, place, *first));
            *first = u32::try_from(self.entries.len()).unwrap_or(0);
        }
    }

    /// The rules that may match an element, each once. Each is charged to the budget; once that is spent, there are none.
    fn candidates(&self, tree: &Tree, id: NodeId, has_classes: bool, budget: &Budget, out: &mut Vec<u32>) {
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
        if has_classes && let Some(all) = tree.attr(id, "class") {
            all.split_ascii_whitespace().for_each(|name| of(1, name));
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

/// The index key of a selector: the rarest name of its last compound.
enum KeyOf<'a> {
    Id(Cow<'a, str>),
    Class(Cow<'a, str>),
    Tag(Cow<'a, str>),
    Attribute(Cow<'a, str>),
    Any,
}

/// Hands on, for each selector of a list, what finds it; with `all`, each class and id of its last compound. Selectors of
/// plain names need not be read for that.
fn keys<'a>(text: &'a str, all: bool, reading: &mut Reading, mut give: impl FnMut(KeyOf<'a>)) {
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'_' | b'.' | b'#' | b',' | b':' | b'>' | b'+' | b'~' | b'*')
            || byte.is_ascii_whitespace()
    };
    if !text.bytes().all(is_plain) {
        for complex in selector::list(text, reading).unwrap_or_default() {
            if all {
                complex.names().for_each(|name| give(KeyOf::Class(Cow::Owned(name.to_owned()))));
                continue;
            }
            if complex.is_pseudo() {
                continue;
            }
            give(match complex.key() {
                Key::Id(name) => KeyOf::Id(Cow::Owned(name.to_owned())),
                Key::Class(name) => KeyOf::Class(Cow::Owned(name.to_owned())),
                Key::Tag(name) => KeyOf::Tag(Cow::Owned(name.to_owned())),
                Key::Attribute(name) => KeyOf::Attribute(Cow::Owned(name.to_owned())),
                Key::Any => KeyOf::Any,
            });
        }
        return;
    }
    for selector in text.split(',') {
        let selector = selector.trim_ascii();
        let has_colon = memchr::memchr(b':', selector.as_bytes()).is_some();
        // In a state that the page is not in, it shows perhaps, and hides nothing.
        if !all && has_colon && [":hover", ":focus", ":active"].iter().any(|state| selector.contains(state)) {
            continue;
        }
        let is_sign = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'+' | b'~');
        let from = selector.bytes().rposition(|byte| is_sign(&byte)).map_or(0, |at| at + 1);
        let compound = selector.get(from..).unwrap_or_default();
        let (names, pseudo) =
            if has_colon { compound.split_once(':').unwrap_or((compound, "")) } else { (compound, "") };
        if pseudo.starts_with(':') || matches!(pseudo, "before" | "after") {
            continue;
        }
        let mut key = KeyOf::Any;
        let mut rest = names;
        while !rest.is_empty() {
            let end = rest.bytes().skip(1).position(|byte| matches!(byte, b'.' | b'#'));
            let end = end.map_or(rest.len(), |end| end + 1);
            let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            rest = after;
            let found = match name.as_bytes().first() {
                Some(b'#') => KeyOf::Id(Cow::Borrowed(name.get(1..).unwrap_or_default())),
                Some(b'.') => KeyOf::Class(Cow::Borrowed(name.get(1..).unwrap_or_default())),
                Some(b'*') => continue,
                _ => KeyOf::Tag(if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
                    Cow::Owned(name.to_ascii_lowercase())
                } else {
                    Cow::Borrowed(name)
                }),
            };
            if all {
                if !matches!(found, KeyOf::Tag(_)) {
                    give(found);
                }
                continue;
            }
            key = match (key, found) {
                (KeyOf::Id(name), _) | (_, KeyOf::Id(name)) => KeyOf::Id(name),
                (KeyOf::Class(name), _) | (_, KeyOf::Class(name)) => KeyOf::Class(name),
                (_, found) => found,
            };
        }
        if !all {
            give(key);
        }
    }
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
    shows: Places<'a>,
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
    classes: Vec<(&'a str, Classes)>,
    /// The same about the element that was asked for last.
    last: Option<(NodeId, Classes)>,
    filters: Filters,
}

/// What is known of a list of classes.
#[derive(Debug, Clone, Copy, Default)]
struct Classes {
    meaning: Option<Meaning>,
    /// True if a hiding rule may match one of them.
    may_hide: bool,
}

/// Steps of matching that every page may take, times the steps of a node.
const STEPS: u64 = 3_000;

/// The winning values of an element.
#[derive(Debug, Clone)]
pub(super) struct Style {
    values: [Option<(u64, Value)>; Property::COUNT],
    /// True if a hiding rule is for pages without scripts, by its class name.
    pub(super) without_scripts: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { values: [None; Property::COUNT], without_scripts: false }
    }
}

impl Style {
    pub(super) fn get(&self, property: Property) -> Option<Value> {
        self.values.get(property as usize).copied().flatten().map(|(_, value)| value)
    }

    pub(super) fn is(&self, property: Property, value: Value) -> bool {
        self.get(property) == Some(value)
    }

    pub(super) fn length(&self, property: Property) -> Option<Length> {
        match self.get(property) {
            Some(Value::Length(length)) => Some(length),
            _ => None,
        }
    }

    pub(super) fn unset(&mut self, property: Property) {
        if let Some(place) = self.values.get_mut(property as usize) {
            *place = None;
        }
    }

    /// Whether the element's own attribute has set it.
    pub(super) fn is_inline(&self, property: Property) -> bool {
        self.values.get(property as usize).copied().flatten().is_some_and(|(rank, _)| rank >> 60 & 1 == 1)
    }

    pub(super) fn set(&mut self, property: Property, value: Value, rank: u64) {
        if let Some(place) = self.values.get_mut(property as usize)
            && place.is_none_or(|(known, _)| known <= rank)
        {
            *place = Some((rank, value));
        }
    }
}

/// The rank of a declaration: importance, layers, where it is, how specific it is, the order.
fn rank(important: bool, layer: u32, in_attribute: bool, specificity: u32, order: u32) -> u64 {
    // Among important ones the layers count the other way round.
    let layer = if important { NO_LAYER - layer.min(NO_LAYER) } else { layer.min(NO_LAYER) };
    let specificity = u64::from(specificity.min((1 << 26) - 1));
    // Ten bits of specificity a kind, and 17 of the rule's place.
    u64::from(important) << 61
        | u64::from(in_attribute) << 60
        | u64::from(layer) << 44
        | specificity << 17
        | u64::from(order.min(sheet::MAX_RULES))
}

/// The properties that matter if one of these may hide.
fn needed(hides: Properties) -> Properties {
    use Property as P;
    const BOX: Properties = Properties::of(&[P::Width, P::Height, P::MaxWidth, P::MaxHeight, P::LineHeight]);
    const AWAY: Properties = Properties::of(&[
        P::Left,
        P::Top,
        P::Right,
        P::Bottom,
        P::Inset,
        P::InsetInline,
        P::InsetBlock,
        P::Margin,
        P::MarginInline,
        P::MarginBlock,
        P::MarginLeft,
        P::MarginTop,
        P::Transform,
        P::Translate,
    ]);
    const COLORS: Properties = Properties::of(&[P::Color, P::Fill, P::Background, P::Backgrounds]);
    const MOVED: Properties =
        Properties::of(&[P::Transform, P::Translate, P::Scale, P::Rotate, P::TextIndent]);
    let mut all = hides;
    if hides.meets(BOX) {
        all = all.with(BOX).with(Properties::of(&[
            P::MinWidth,
            P::MinHeight,
            P::Padding,
            P::PaddingTop,
            P::PaddingBottom,
            P::PaddingLeft,
            P::PaddingRight,
            P::Flex,
            P::Overflow,
            P::Position,
            P::Display,
            P::Animation,
            P::Transition,
        ]));
    }
    if hides.meets(AWAY) {
        all = all.with(AWAY).with(Properties::of(&[P::Position, P::Width, P::Animation, P::Transition]));
    }
    if hides.meets(COLORS) {
        all = all.with(COLORS).with(Properties::of(&[P::BackgroundImage, P::BackgroundClip]));
    }
    if hides.meets(Properties::of(&[P::Clip, P::ZIndex])) {
        all = all.with(Properties::of(&[P::Position, P::Background, P::Backgrounds, P::BackgroundImage]));
    }
    if hides.has(P::ZIndex) {
        all = all.with(AWAY).with(BOX);
    }
    if hides.meets(Properties::of(&[P::Font, P::FontSize])) {
        all = all.with(Properties::of(&[P::Font, P::FontSize]));
    }
    if hides.meets(Properties::of(&[P::TextIndent])) {
        all = all.with(Properties::of(&[P::Overflow]));
    }
    if hides.meets(MOVED) {
        all = all.with(Properties::of(&[P::Display, P::Position, P::Float]));
    }
    if hides.has(P::Paint) {
        all = all.with(Properties::of(&[P::Stroke]));
    }
    if hides.meets(Properties::of(&[P::Opacity, P::Visibility, P::Scale, P::Filter, P::ClipPath])) {
        all = all.with(Properties::of(&[P::Animation, P::Transition]));
    }
    all
}

/// Whether a value hides, or may together with others.
pub(super) fn hides(property: Property, value: Value, are_all: bool) -> bool {
    let length = |length: Length| length.pixels(16.0, 0.0);
    match (property, value) {
        (Property::BackgroundClip | Property::Overflow | Property::Flex, Value::Off) => false,
        (_, Value::Off) => true,
        (Property::Opacity, Value::Number(number)) => number <= NO_OPACITY,
        (Property::ZIndex, Value::Number(number)) => number < 0.0,
        (
            Property::Width | Property::Height | Property::MaxWidth | Property::MaxHeight,
            Value::Length(size),
        ) => size.share == 0.0 && length(size) <= 1.0,
        (Property::FontSize | Property::LineHeight, Value::Length(size)) => {
            size.share == 0.0 && size.px + 16.0 * size.em < super::LEAST_FONT
        }
        (Property::Color | Property::Fill, Value::Color(color)) => {
            value::is_clear(color) || (are_all && color.iter().take(3).all(|&part| part >= 240))
        }
        (Property::Left | Property::Top | Property::Inset | Property::TextIndent, Value::Length(far)) => {
            length(far) < -20.0 || far.share <= -1.0 || (property == Property::TextIndent && far.share >= 1.0)
        }
        (Property::MarginLeft | Property::MarginTop, Value::Length(far)) => length(far) <= -1000.0,
        (Property::ContentVisibility, Value::Moves) => true,
        (Property::Right | Property::Bottom, Value::Length(far)) => {
            length(far) < -20.0 || far.share >= 1.0 || length(far) >= super::WINDOW.1
        }
        (Property::Transform | Property::Translate, Value::Shift(x, y)) => {
            [x, y].iter().any(|far| length(*far) < -20.0 || far.share <= -1.0)
        }
        _ => false,
    }
}

/// Opacity up to which an element is invisible.
pub(super) const NO_OPACITY: f32 = 0.01;

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
            classes: vec![("", Classes::default()); 256],
            last: None,
            filters: Filters::default(),
        };
        const GROUNDS: Properties = Properties::of(&[Property::Background, Property::Backgrounds]);
        for place in 0..sheets.sheet.rules.len() {
            let Some(found) = sheets.sheet.rules.get(place) else { break };
            // Light letters are looked at where nothing else gives colours, and letters beside a ground of their own.
            let is_colored =
                (are_all && found.is_light) || (found.sets.has(Property::Color) && found.sets.meets(GROUNDS));
            if found.when == When::Now && (found.hides != Properties::default() || is_colored) {
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
            keys(&selectors, false, &mut self.reading, |key| index.add(key, number));
        } else {
            keys(found.selectors, false, &mut self.reading, |key| index.add(key, number));
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
            value::read(found.body, customs, |property, value, important| {
                if hides(property, value, are_all) {
                    rule.hides = rule.hides.with(Properties::of(&[property]));
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
                rule.hides = rule.hides.with(Properties::of(&[Property::Color]));
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
                .is_some_and(|rule| rule.when == When::Now && rule.sets.meets(properties))
            {
                self.index(place, false);
            }
        }
    }

    /// What is known of an element's classes.
    fn classes_of(&mut self, tree: &'a Tree, id: NodeId) -> Classes {
        if let Some((known, classes)) = self.last
            && known == id
        {
            return classes;
        }
        let classes = self.find_classes(tree, id);
        self.last = Some((id, classes));
        classes
    }

    fn find_classes(&mut self, tree: &'a Tree, id: NodeId) -> Classes {
        let Some(all) = tree.attr(id, "class") else { return Classes::default() };
        let slot = slot_of(all) % 256;
        if let Some((known, classes)) = self.classes.get(slot)
            && *known == all
        {
            return *classes;
        }
        let (mut may_hide, mut may_mean) = (false, false);
        for name in all.split_ascii_whitespace() {
            let slot = slot_of(name);
            may_hide |= self.hiding.names.may_have(slot);
            may_mean |= names::may_mean(name, slot);
        }
        let found = Classes { meaning: if may_mean { names::meaning(all) } else { None }, may_hide };
        if let Some(place) = self.classes.get_mut(slot) {
            *place = (all, found);
        }
        found
    }

    /// What a framework means by an element's classes.
    pub(super) fn meaning(&mut self, tree: &'a Tree, id: NodeId) -> Option<Meaning> {
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
            if self.filters.may_match(tree, id, complex.needs) && complex.matches(tree, id, &self.budget) {
                best = Some((complex.specificity, complex.has_class(is_without_scripts)));
            }
        }
        best
    }

    /// The style of an element, should anything of it hide or show. `open` are the properties that count at this place
    /// whatever the element has: those that hide what is around it and can be undone.
    pub(super) fn of(&mut self, tree: &'a Tree, id: NodeId, open: Properties) -> Option<Style> {
        let inline = tree.attr(id, "style").filter(|style| !style.is_empty());
        let (inline_sets, mut hiding) = inline.map(hints).unwrap_or_default();
        let drawn = presentation(tree, id);
        if !drawn.is_empty() {
            hiding = hiding.with(hints(&drawn).1);
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
        let colors = Properties::of(&[Property::Color, Property::Fill]);
        let is_colored = inline_sets.meets(Properties::of(&[
            Property::Color,
            Property::Fill,
            Property::Background,
            Property::Backgrounds,
        ]));
        hiding = hiding.with(Properties(inline_sets.0 & colors.0)).with(open);
        if hiding == Properties::default() && !is_colored {
            self.candidates = candidates;
            return None;
        }
        self.candidates = candidates;
        let mut style = Style::default();
        // Every rule wins over these.
        value::read(&drawn, &self.sheet.customs, |property, value, _| style.set(property, value, 0));
        self.fill(tree, id, needed(hiding), hiding, inline, &mut style);
        Some(style)
    }

    /// What an element has for these properties, as far as anything sets them.
    pub(super) fn values_of(
        &mut self,
        tree: &'a Tree,
        id: NodeId,
        properties: Properties,
        style: &mut Style,
    ) {
        let inline = tree.attr(id, "style").filter(|style| hints(style).0.meets(properties));
        self.fill(tree, id, properties, Properties::default(), inline, style);
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
                if !self.sheet.rules.get(place as usize).is_some_and(|found| found.sets.meets(properties)) {
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
            value::read(inline, &self.sheet.customs, |property, value, important| {
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
            self.shows_of = self.shows_of.with(Properties::of(&[property]));
            for (place, found) in self.sheet.rules.iter().enumerate() {
                if found.sets.has(property) && found.outer.is_none() {
                    let number = u32::try_from(place).unwrap_or(u32::MAX);
                    keys(found.selectors, true, &mut self.reading, |key| {
                        if let KeyOf::Id(name) | KeyOf::Class(name) = key {
                            let places = self.shows.entry(name).or_default();
                            if places.len() < 64 && places.last() != Some(&number) {
                                places.push(number);
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

/// Bloom filters of the names of ancestors, so that most selectors need not be tried ancestor by ancestor.
#[derive(Default)]
struct Filters {
    /// For each node, the place of its bits from one, or zero.
    places: Vec<u32>,
    bits: Vec<[u64; 4]>,
}

impl Filters {
    /// Whether the names that a selector needs around an element may be there.
    fn may_match(&mut self, tree: &Tree, id: NodeId, needs: [u64; 4]) -> bool {
        if needs == [0; 4] {
            return true;
        }
        let Some(parent) = tree.parent(id) else { return false };
        let bits = self.of(tree, parent);
        bits.iter().zip(needs).all(|(bits, needs)| needs & !bits == 0)
    }

    /// The bits of an element and all around it.
    fn of(&mut self, tree: &Tree, id: NodeId) -> [u64; 4] {
        if self.places.is_empty() {
            self.places.resize(tree.len(), 0);
        }
        let mut chain = Vec::new();
        let mut around = Some(id);
        let mut bits = [0; 4];
        while let Some(node) = around {
            let place = self.places.get(node.index()).copied().unwrap_or_default();
            if place > 0 {
                bits = self.bits.get(place as usize - 1).copied().unwrap_or_default();
                break;
            }
            chain.push(node);
            around = tree.parent(node);
        }
        for node in chain.into_iter().rev() {
            for name in ["class", "id"]
                .into_iter()
                .filter_map(|name| tree.attr(node, name))
                .flat_map(str::split_ascii_whitespace)
            {
                selector::note(&mut bits, name);
            }
            self.bits.push(bits);
            if let Some(place) = self.places.get_mut(node.index()) {
                *place = u32::try_from(self.bits.len()).unwrap_or(0);
            }
        }
        bits
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

/// What an attribute `style` sets, and what of it may hide.
fn hints(style: &str) -> (Properties, Properties) {
    if style.bytes().any(|byte| matches!(byte, b'\\' | b'*' | b'"' | b'\'' | b'{' | b'[')) {
        return (Properties(u64::MAX), Properties(u64::MAX));
    }
    let mut hints = sheet::Hints::default();
    for declaration in style.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        if let Some(property) = Property::of(name.trim_ascii()) {
            hints.note(property, value.trim_ascii());
        }
    }
    (hints.sets, hints.hides)
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

/// Whether the styles of a shadow tree hide a slot of it, in the state that the host is in.
pub(super) fn hides_slot(
    text: &str,
    tree: &Tree,
    host: NodeId,
    slot: NodeId,
    limits: &VisibilityLimits,
) -> bool {
    let mut sheet = Sheet::new(limits);
    sheet.add(text, "");
    let budget = Budget::new(10_000, tree.len());
    let matches = |selectors: &str, id: NodeId| {
        let mut reading = Reading::new(limits.compounds);
        selector::list(selectors, &mut reading)
            .is_some_and(|list| list.iter().any(|one| one.matches(tree, id, &budget)))
    };
    let is_about = |selectors: &str| match selectors.strip_prefix(":host(") {
        None => matches(selectors, slot),
        Some(rest) => {
            let mut depth = 1;
            let end = rest.find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth == 0
            });
            end.and_then(|end| Some((rest.get(..end)?, rest.get(end + 1..)?)))
                .is_some_and(|(own, inner)| matches(own, host) && matches(inner, slot))
        }
    };
    sheet.rules.iter().filter(|rule| rule.hides.has(Property::Display) && rule.when == When::Now).any(
        |rule| {
            let mut is_off = false;
            value::read(rule.body, &sheet.customs, |property, value, _| {
                is_off |= property == Property::Display && value == Value::Off;
            });
            is_off && is_about(rule.selectors)
        },
    )
}
