//! What colours hide: letters that are clear, or of the colour behind them.

use super::cascade::Sheets;
use super::pass::{Context, Pass};
use super::property::{Property, set};
use super::style::Style;
use super::value::{self, Value, is_clear, is_same};
use super::{HiddenReason, Mark};
use crate::tree::{ByNode, NodeId, Tag};

/// Elements around one whose lines may draw its letters.
const MAX_STROKED: usize = 32;

impl Pass<'_> {
    /// The colours that attributes of HTML give: of letters and of what is behind them.
    pub(super) fn attributes_of_color(&self, id: NodeId, tag: Tag) -> (Option<[u8; 4]>, Option<[u8; 4]>) {
        let name = match tag {
            Tag::Font => "color",
            Tag::Body => "text",
            _ => "",
        };
        let has_ground = matches!(tag, Tag::Body | Tag::Table | Tag::Td | Tag::Th | Tag::Tr);
        let color = |name: &str| self.tree.attr(id, name).and_then(value::color);
        (if name.is_empty() { None } else { color(name) }, if has_ground { color("bgcolor") } else { None })
    }

    /// Hiding by colours.
    pub(super) fn by_color(
        &mut self,
        id: NodeId,
        style: Option<&Style>,
        attributes: (Option<[u8; 4]>, Option<[u8; 4]>),
        around: &Context,
        inside: &mut Context,
    ) {
        let given = |property: Property| style.and_then(|style| style.get(property));
        let mut is_set = attributes.0.is_some();
        inside.color = attributes.0.or(inside.color);
        for (property, own) in [(Property::Color, &mut inside.color), (Property::Fill, &mut inside.fill)] {
            match given(property) {
                Some(Value::Color(color)) => (*own, is_set) = (Some(color), true),
                Some(Value::Inherit) | None => {}
                Some(_) => (*own, is_set) = (None, true),
            }
        }
        inside.is_clipped |= given(Property::BackgroundClip) == Some(Value::Off);
        let own_ground = match given(Property::Background) {
            Some(Value::Color(color)) => Some(color),
            Some(_) => None,
            None => attributes.1,
        };
        if !is_set && own_ground.is_none() {
            return;
        }
        let colored = |mark: Option<Mark>| mark.filter(|mark| !mark.is_by_color());
        let Some(letters) = inside.fill.or(inside.color) else {
            inside.letters = colored(around.letters);
            return;
        };
        let default = Style::default();
        let style = style.unwrap_or(&default);
        if is_clear(letters) {
            if is_set && !inside.is_clipped {
                inside.letters = Some(self.hides(id, HiddenReason::NoColor, Property::Color, style));
            }
            return;
        }
        let ground = self.ground(id, style, own_ground);
        inside.letters = colored(inside.letters);
        if ground.is_some_and(|ground| is_same(letters, ground)) && !inside.is_clipped {
            inside.letters = Some(self.hides(id, HiddenReason::SameColor, Property::Color, style));
        }
    }

    /// Hiding by the paint of letters in a drawing.
    pub(super) fn by_paint(&mut self, id: NodeId, style: Option<&Style>, inside: &mut Context) {
        let Some(style) = style else { return };
        let Some(paint) = style.get(Property::Paint).filter(|paint| *paint != Value::Inherit) else { return };
        let tree = self.tree;
        let is_stroked = || {
            style.get(Property::Stroke).is_some_and(|stroke| stroke != Value::Off)
                || tree.ancestors(id).take(MAX_STROKED).any(|around| tree.attr(around, "stroke").is_some())
        };
        inside.letters = (paint == Value::Off && !is_stroked())
            .then(|| self.hides(id, HiddenReason::NoColor, Property::Color, style));
    }

    /// The colour behind an element, where it is known.
    fn ground(&mut self, id: NodeId, style: &Style, own: Option<[u8; 4]>) -> Option<[u8; 4]> {
        if style.is(Property::BackgroundImage, Value::Unknown) {
            return None;
        }
        match own {
            Some(color) if color[3] == 255 => return Some(color),
            Some(color) if !is_clear(color) => return None,
            _ => {}
        }
        let tree = self.tree;
        let is_known = |sheets: &Sheets<'_>, id: NodeId| {
            sheets.are_all || (tree.attr(id, "class").is_none() && tree.attr(id, "id").is_none())
        };
        if !is_known(&self.sheets, id) {
            return None;
        }
        let page = self.sheets.are_all.then_some([255; 4]);
        self.around_once(
            id,
            |pass| &mut pass.grounds,
            page,
            |pass, element| {
                let asked = set![Background Backgrounds BackgroundImage];
                let style = pass.sheets.values_of(tree, element, asked);
                let attribute = pass.attributes_of_color(element, tree.tag(element)).1;
                if style.is(Property::BackgroundImage, Value::Unknown)
                    || tree.attr(element, "background").is_some()
                {
                    return Some(None);
                }
                match (style.get(Property::Background), attribute) {
                    (Some(Value::Color(color)), _) | (None, Some(color)) if color[3] == 255 => {
                        Some(Some(color))
                    }
                    (Some(Value::Color(color)), _) if !is_clear(color) => Some(None),
                    (Some(Value::Color(_)) | None, _) => (!is_known(&pass.sheets, element)).then_some(None),
                    _ => Some(None),
                }
            },
        )
    }

    /// What `look` finds at the nearest element around one, or `none`; each element is looked at once, and what is found is noted for
    /// all on the way.
    pub(super) fn around_once<T: Copy>(
        &mut self,
        id: NodeId,
        known: impl Fn(&mut Self) -> &mut ByNode<Option<T>>,
        none: T,
        mut look: impl FnMut(&mut Self, NodeId) -> Option<T>,
    ) -> T {
        let tree = self.tree;
        known(self).fill(tree);
        let mut chain = Vec::new();
        let mut around = tree.parent(id);
        let found = loop {
            let Some(element) = around.filter(|&around| tree.is_element(around)) else { break none };
            if let Some(found) = known(self)[element] {
                break found;
            }
            chain.push(element);
            if let Some(found) = look(self, element) {
                break found;
            }
            around = tree.parent(element);
        };
        chain.into_iter().for_each(|element| known(self)[element] = Some(found));
        found
    }
}
