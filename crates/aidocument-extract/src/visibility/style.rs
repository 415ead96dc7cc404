//! The winning values of an element, and which of them matter to what is seen.

use super::parts::Length;
use super::property::{Properties, Property};
use super::sheet::{self, NO_LAYER};
use super::value::{self, Value};

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
pub(super) fn rank(important: bool, layer: u32, in_attribute: bool, specificity: u32, order: u32) -> u64 {
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
pub(super) fn needed(hides: Properties) -> Properties {
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
    use Property as P;
    let length = |length: Length| length.pixels(16.0, 0.0);
    match (property, value) {
        (P::BackgroundClip | P::Overflow | P::Flex, Value::Off) => false,
        (_, Value::Off) => true,
        (P::Opacity, Value::Number(number)) => number <= NO_OPACITY,
        (P::ZIndex, Value::Number(number)) => number < 0.0,
        (P::Width | P::Height | P::MaxWidth | P::MaxHeight, Value::Length(size)) => {
            size.share == 0.0 && length(size) <= 1.0
        }
        (P::FontSize | P::LineHeight, Value::Length(size)) => {
            size.share == 0.0 && size.px + 16.0 * size.em < super::LEAST_FONT
        }
        (P::Color | P::Fill, Value::Color(color)) => {
            value::is_clear(color) || (are_all && color.iter().take(3).all(|&part| part >= 240))
        }
        (P::Left | P::Top | P::Inset | P::TextIndent, Value::Length(far)) => {
            length(far) < -20.0 || far.share <= -1.0 || (property == P::TextIndent && far.share >= 1.0)
        }
        (P::MarginLeft | P::MarginTop, Value::Length(far)) => length(far) <= -1000.0,
        (P::ContentVisibility, Value::Moves) => true,
        (P::Right | P::Bottom, Value::Length(far)) => {
            length(far) < -20.0 || far.share >= 1.0 || length(far) >= super::WINDOW.1
        }
        (P::Transform | P::Translate, Value::Shift(x, y)) => {
            [x, y].iter().any(|far| length(*far) < -20.0 || far.share <= -1.0)
        }
        _ => false,
    }
}

/// Opacity up to which an element is invisible.
pub(super) const NO_OPACITY: f32 = 0.01;
