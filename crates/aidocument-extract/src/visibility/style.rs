//! The winning values of an element, and which of them matter to what is seen.

use super::parts::Length;
use super::property::{Properties, Property, set};
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
    const BOX: Properties = set![Width Height MaxWidth MaxHeight LineHeight];
    const IN_BOX: Properties = set![
        MinWidth MinHeight Padding PaddingTop PaddingBottom PaddingLeft PaddingRight
        Flex Overflow Position Display Animation Transition
    ];
    const AWAY: Properties = set![
        Left Top Right Bottom Inset InsetInline InsetBlock
        Margin MarginInline MarginBlock MarginLeft MarginTop Transform Translate
    ];
    const COLORS: Properties = set![Color Fill Background Backgrounds];
    const FONT: Properties = set![Font FontSize];
    const BESIDE: [(Properties, Properties); 10] = [
        (BOX, BOX.with(IN_BOX)),
        (AWAY, AWAY.with(set![Position Width Animation Transition])),
        (COLORS, COLORS.with(set![BackgroundImage BackgroundClip])),
        (set![Clip ZIndex], set![Position Background Backgrounds BackgroundImage]),
        (set![ZIndex], AWAY.with(BOX)),
        (FONT, FONT),
        (set![TextIndent], set![Overflow]),
        (set![Transform Translate Scale Rotate TextIndent], set![Display Position Float]),
        (set![Paint], set![Stroke]),
        (set![Opacity Visibility Scale Filter ClipPath], set![Animation Transition]),
    ];
    BESIDE.iter().filter(|(any, _)| hides.meets(*any)).fold(hides, |all, (_, more)| all.with(*more))
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
