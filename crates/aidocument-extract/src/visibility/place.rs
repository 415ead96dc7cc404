//! What its size and its place hide: boxes without an area, out of the window, behind another.

use super::pass::Pass;
use super::property::{Property, set};
use super::style::Style;
use super::value::Value;
use super::{HiddenReason, WINDOW};
use crate::tree::{NodeId, Tag, Tree};

/// Elements around one that are looked at.
const MAX_AROUND: usize = 32;

impl Pass<'_> {
    /// Whether an element is placed out of the window.
    pub(super) fn off_screen(
        &mut self,
        id: NodeId,
        style: &Style,
        font: f32,
    ) -> Option<(HiddenReason, Property)> {
        let position = style.get(Property::Position);
        let length = |property: Property| style.length(property);
        let found = |property: Property| Some((HiddenReason::OffScreen, property));
        for property in [Property::MarginLeft, Property::MarginTop] {
            let far = if property == Property::MarginLeft { -1000.0 } else { -5000.0 };
            if length(property).is_some_and(|margin| margin.pixels(font, 0.0) <= far) {
                return found(property);
            }
        }
        let shift = [Property::Transform, Property::Translate].into_iter().find_map(|property| {
            match style.get(property) {
                Some(Value::Shift(x, y)) => Some((property, (x, y))),
                _ => None,
            }
        });
        let (moves, shift) = shift.unwrap_or((Property::Transform, Default::default()));
        let shifted = (shift.0.pixels(font, 0.0), shift.1.pixels(font, 0.0));
        if shifted.0 <= -WINDOW.0 || shifted.1 <= -5000.0 || shifted.0 >= 5000.0 {
            return found(moves);
        }
        let is_relative = position == Some(Value::Relative);
        if !is_relative && !matches!(position, Some(Value::Absolute | Value::Fixed)) {
            return None;
        }
        let pixels =
            |property: Property, whole: f32| length(property).map(|length| length.pixels(font, whole));
        if is_relative {
            // The near side wins where both are given.
            let is_away = |near: Property, far: Property, most: f32| {
                if pixels(near, WINDOW.0).is_some_and(|place| place <= -most) {
                    return Some(near);
                }
                let place = pixels(far, WINDOW.0).filter(|_| length(near).is_none())?;
                (place >= most).then_some(far)
            };
            return is_away(Property::Left, Property::Right, 2000.0)
                .or_else(|| is_away(Property::Top, Property::Bottom, 9000.0))
                .and_then(found);
        }
        // Places are those of the window where nothing around the element holds it.
        let is_free = position == Some(Value::Fixed) || !self.is_contained(id);
        let text = extent(self.tree, id);
        let width = pixels(Property::Width, WINDOW.0).unwrap_or(text.min(WINDOW.0));
        let height =
            pixels(Property::Height, WINDOW.1).unwrap_or(24.0 * (text / 600.0).ceil().clamp(1.0, 100.0));
        let own = (shift.0.share * width, shift.1.share * height);
        let slack = if is_free { 0.0 } else { 400.0 };
        let ends = |from: Option<f32>, to: Option<f32>, whole: f32, size: f32| match (from, to) {
            (Some(from), _) => Some(from + size),
            (None, Some(to)) if is_free => Some(whole - to),
            _ => None,
        };
        let left = pixels(Property::Left, WINDOW.0);
        let right = ends(left, pixels(Property::Right, WINDOW.0), WINDOW.0, width);
        if let Some(right) = right.filter(|right| right + shifted.0 + own.0 + slack <= 0.0) {
            return found(match left {
                // What is moved away is shown by moving it back.
                _ if right > 0.0 => moves,
                Some(_) => Property::Left,
                None => Property::Right,
            });
        }
        let top = pixels(Property::Top, WINDOW.1);
        let bottom = ends(top, pixels(Property::Bottom, WINDOW.1), WINDOW.1, height);
        let slack = if is_free { 0.0 } else { 5000.0 };
        if let Some(bottom) = bottom.filter(|bottom| bottom + shifted.1 + own.1 + slack <= 0.0) {
            return found(match top {
                _ if bottom > 0.0 => moves,
                Some(_) => Property::Top,
                None => Property::Bottom,
            });
        }
        // To the right a reader could scroll, but not so far.
        let is_far = |place: Option<f32>| place.is_some_and(|place| place >= 4000.0);
        if is_far(left) || is_far(pixels(Property::Right, WINDOW.0).map(|place| -place)) {
            return found(Property::Left);
        }
        None
    }

    /// Whether what is around another element may be looked at.
    pub(super) fn climbs(&mut self) -> bool {
        let left = self.climbs.checked_sub(1);
        self.is_cut |= left.is_none();
        self.climbs = left.unwrap_or_default();
        left.is_some()
    }

    /// Whether an element around is what places are relative to. Each element is looked at once.
    fn is_contained(&mut self, id: NodeId) -> bool {
        let tree = self.tree;
        self.around_once(
            id,
            |pass| &mut pass.holders,
            false,
            |pass, element| {
                let position = pass.sheets.values_of(tree, element, set![Position]).get(Property::Position);
                matches!(position, Some(Value::Absolute | Value::Fixed | Value::Relative)).then_some(true)
            },
        )
    }

    /// Whether an element that is behind its surroundings is behind an opaque box, as far as that can be known without a
    /// layout: it is in the box and nothing takes it out, and no stacking context between the two brings it in front.
    pub(super) fn is_covered(&mut self, id: NodeId, style: &Style, font: f32) -> bool {
        let is_within = |property: Property, most: f32| {
            style.get(property).is_none_or(|value| match value {
                Value::Length(length) => (0.0..=most).contains(&length.pixels(font, WINDOW.0)),
                value => value == Value::Plain,
            })
        };
        let is_placed = style.is(Property::Position, Value::Absolute);
        let sides = [Property::Left, Property::Right, Property::Top, Property::Bottom, Property::MarginTop];
        let stays = sides.into_iter().all(|property| is_within(property, 0.0))
            && is_within(Property::MarginLeft, 16.0)
            && is_within(Property::Width, WINDOW.0 / 2.0)
            && style.get(Property::Height).is_none()
            && style.get(Property::Transform).or(style.get(Property::Translate)).is_none();
        if !stays || (is_placed && style.length(Property::Top).or(style.length(Property::Bottom)).is_none()) {
            return false;
        }
        if !self.climbs() {
            return false;
        }
        let tree = self.tree;
        let asked = set![
            Background Backgrounds ZIndex Position Transform Translate Scale Opacity Filter ClipPath
            ContentVisibility Stacking Display Width MaxWidth Height MaxHeight
        ];
        for around in tree.ancestors(id).take(MAX_AROUND).filter(|&around| tree.is_element(around)) {
            let style = self.sheets.values_of(tree, around, asked);
            let tag = tree.tag(around);
            if matches!(tag, Tag::Html | Tag::Body) {
                return false;
            }
            let is_ground = matches!(style.get(Property::ZIndex), Some(Value::Number(_)))
                || style.get(Property::Stacking).is_some()
                || matches!(style.get(Property::Opacity), Some(Value::Number(number)) if number < 1.0);
            let holds = matches!(style.get(Property::Position), Some(Value::Absolute | Value::Relative));
            if is_ground {
                return false;
            }
            if !matches!(style.get(Property::Background), Some(Value::Color([_, _, _, 255]))) {
                if is_placed && holds {
                    return false;
                }
                continue;
            }
            let is_wide = |property: Property| {
                style.length(property).is_none_or(|width| width.pixels(font, WINDOW.0) >= 200.0)
            };
            let is_box = match style.get(Property::Display) {
                None => tag.is_block(),
                value => value == Some(Value::Plain),
            };
            return is_box
                && is_wide(Property::Width)
                && is_wide(Property::MaxWidth)
                && style.length(Property::Height).or(style.length(Property::MaxHeight)).is_none()
                // What is placed takes no room in the box: other text must make it a line higher, in the whole window.
                && (!is_placed || (holds && {
                    let own = extent(tree, id);
                    let lines = |width: f32| width / WINDOW.0;
                    lines(extent(tree, around) - own).floor() > lines(own).ceil()
                }));
        }
        false
    }
}

/// Whether a box has no area and cuts what does not fit.
pub(super) fn no_area(style: &Style, is_block: bool, font: f32) -> Option<(HiddenReason, Property)> {
    if !is_block || !style.is(Property::Overflow, Value::Off) {
        return None;
    }
    if matches!(style.get(Property::Flex), Some(Value::Number(number)) if number > 0.0) {
        return None;
    }
    let pixels = |property: Property| match style.get(property) {
        Some(Value::Length(length)) if length.share == 0.0 => Some(length.pixels(font, 0.0)),
        Some(Value::Length(_) | Value::Unknown) => Some(f32::INFINITY),
        _ => None,
    };
    let is_nothing = |size: Property, most: Property, least: Property, padding: [Property; 2]| {
        let own = pixels(size).unwrap_or(f32::INFINITY).min(pixels(most).unwrap_or(f32::INFINITY));
        let own = own.max(pixels(least).unwrap_or(0.0));
        own + padding.into_iter().filter_map(pixels).sum::<f32>() <= 1.0
    };
    let is_flat = is_nothing(
        Property::Height,
        Property::MaxHeight,
        Property::MinHeight,
        [Property::PaddingTop, Property::PaddingBottom],
    ) || (style.get(Property::Height).is_none()
        && style.length(Property::LineHeight).is_some_and(|height| height.pixels(font, font) < 1.0));
    let is_narrow = is_nothing(
        Property::Width,
        Property::MaxWidth,
        Property::MinWidth,
        [Property::PaddingLeft, Property::PaddingRight],
    );
    let property = if is_flat {
        if style.get(Property::Height).is_some() { Property::Height } else { Property::MaxHeight }
    } else if is_narrow {
        Property::Width
    } else {
        return None;
    };
    Some((HiddenReason::NoArea, property))
}

/// About how wide the text of an element is on one line.
pub(super) fn extent(tree: &Tree, id: NodeId) -> f32 {
    let mut letters = 0_usize;
    for inner in tree.descendants(id).take(60) {
        if let Some(text) = tree.text(inner) {
            letters += text.split_ascii_whitespace().map(|word| word.len() + 1).sum::<usize>();
        }
        if letters > 2_000 {
            break;
        }
    }
    8.0 * letters as f32
}
