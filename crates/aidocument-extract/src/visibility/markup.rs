//! What an element's own markup hides: its tag, its attributes, the place that a shadow tree gives it, its classes.

use super::pass::Pass;
use super::property::{Property, set};
use super::sheet::{Sheet, When};
use super::style::Style;
use super::value::{self, Value};
use super::{HiddenReason, Mark, VisibilityLimits, opens};
use crate::selector::{self, Budget, Reading};
use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// Elements of SVG and MathML that are not drawn where they stand.
const DEFINITIONS: [&str; 16] = words(
    "defs symbol clipPath mask marker pattern linearGradient radialGradient title desc metadata script \
    style annotation annotation-xml mphantom",
);

/// Nodes of a shadow tree, and bytes of its styles, that are looked at.
const MAX_SHADOW: usize = 200;
const MAX_SHADOW_STYLE: usize = 4_000;

impl Pass<'_> {
    /// What browsers never show, and what waits for something.
    pub(super) fn by_element(&mut self, id: NodeId, tag: Tag) -> Option<Mark> {
        let tree = self.tree;
        let silent = Mark::hidden(HiddenReason::NotRendered).wholly();
        if tag.is_silent()
            || matches!(tag, Tag::Datalist | Tag::Area | Tag::Param | Tag::Progress | Tag::Meter)
        {
            return Some(silent);
        }
        if tag == Tag::Dialog && tree.attr(id, "open").is_none() && !self.is_displayed(id) {
            return Some(Mark::opens(HiddenReason::ClosedDialog).wholly());
        }
        if tree.is_foreign(id) {
            return DEFINITIONS.contains(&tree.name(id)).then_some(silent);
        }
        if tree.attr(id, "popover").is_some() && !self.is_displayed(id) {
            return Some(Mark::opens(HiddenReason::Popover));
        }
        None
    }

    /// Whether the page's own styles show an element that browsers do not.
    pub(super) fn is_displayed(&mut self, id: NodeId) -> bool {
        let style = self.sheets.values_of(self.tree, id, set![Display]);
        style.get(Property::Display).is_some_and(|value| !matches!(value, Value::Off | Value::Unknown))
    }

    /// Whether an element is a part of a line, which nothing moves, turns or scales: where all style sheets are known.
    pub(super) fn is_in_line(&mut self, id: NodeId, tag: Tag, style: &Style) -> bool {
        let tree = self.tree;
        let is_plain = matches!(style.get(Property::Position), None | Some(Value::Plain | Value::Relative))
            && matches!(style.get(Property::Display), None | Some(Value::Inline))
            && matches!(style.get(Property::Float), None | Some(Value::Plain));
        if !self.sheets.are_all || !tag.is_in_line() || !is_plain {
            return false;
        }
        // In a flex box or a grid it would be a box.
        tree.parent(id).is_some_and(|parent| {
            let around = self.sheets.values_of(tree, parent, set![Display]);
            matches!(around.get(Property::Display), None | Some(Value::Inline))
        })
    }

    /// What a declarative shadow tree makes of a child of its host: it shows where there is a slot for it that shows.
    pub(super) fn by_slot(&mut self, id: NodeId) -> Option<Mark> {
        let tree = self.tree;
        let is_custom = |&host: &NodeId| tree.tag(host) == Tag::Other && tree.name(host).contains('-');
        let host = tree.parent(id).filter(is_custom)?;
        if !self.climbs() {
            return None;
        }
        let template = tree.children(host).take(8).find(|&child| {
            tree.tag(child) == Tag::Template && tree.attr(child, "shadowrootmode").is_some()
        })?;
        let root = tree.template(template)?;
        let wanted = tree.attr(id, "slot").unwrap_or_default();
        let inner: Vec<NodeId> = tree.descendants(root).take(MAX_SHADOW).collect();
        let is_slot =
            |id: NodeId| tree.tag(id) == Tag::Slot && tree.attr(id, "name").unwrap_or_default() == wanted;
        let Some(&slot) = inner.iter().find(|&&id| is_slot(id)) else {
            return (inner.len() < MAX_SHADOW).then_some(Mark::hidden(HiddenReason::NotRendered));
        };
        let styles = inner.iter().filter(|&&id| tree.tag(id) == Tag::Style);
        let texts: Vec<&str> =
            styles.filter_map(|&id| tree.first_child(id).and_then(|child| tree.text(child))).collect();
        texts
            .iter()
            .any(|text| {
                text.len() <= MAX_SHADOW_STYLE && hides_slot(text, tree, host, slot, &self.settings.limits)
            })
            .then_some(Mark::opens(HiddenReason::Display))
    }

    pub(super) fn by_hidden(&self, id: NodeId, value: &str) -> Mark {
        if value.trim().eq_ignore_ascii_case("until-found") {
            return Mark::opens(HiddenReason::UntilFound).wholly_if(self.settings.ignores_collapsed);
        }
        // React streams parts of a page in hidden boxes and puts them in place by a script of one line.
        let is_streamed = self.tree.attr(id, "id").is_some_and(|id| id.starts_with("S:"));
        if is_streamed {
            return Mark::opens(HiddenReason::HiddenAttribute);
        }
        if opens::is_collapsed(self.tree, id) {
            return Mark::opens(HiddenReason::HiddenAttribute).wholly_if(self.settings.ignores_collapsed);
        }
        Mark::hidden(HiddenReason::HiddenAttribute).wholly()
    }

    /// What a class says, or ARIA, where no style does.
    pub(super) fn by_class(&mut self, id: NodeId, has_display: bool) -> Option<Mark> {
        let tree = self.tree;
        if let Some(reason) = self.sheets.meaning(tree, id)
            && !(has_display && reason != HiddenReason::ClassReadOut)
        {
            let opens = match reason {
                HiddenReason::ClassHidden => opens::is_collapsed(tree, id),
                _ => reason == HiddenReason::ClassOpens,
            };
            return Some(if opens { Mark::opens(reason) } else { Mark::hidden(reason) });
        }
        let is_hidden =
            tree.attr(id, "aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true"));
        let role = || tree.attr(id, "role").unwrap_or_default();
        if is_hidden
            && matches!(role(), "dialog" | "alertdialog" | "tabpanel" | "menu" | "tooltip" | "listbox")
        {
            return Some(Mark::opens(HiddenReason::AriaHidden));
        }
        None
    }
}

/// Whether the styles of a shadow tree hide a slot of it, in the state that the host is in.
fn hides_slot(text: &str, tree: &Tree, host: NodeId, slot: NodeId, limits: &VisibilityLimits) -> bool {
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
    sheet.rules.iter().filter(|rule| rule.hints.hides.has(Property::Display) && rule.when == When::Now).any(
        |rule| {
            let mut is_off = false;
            value::read(rule.body, &sheet.customs, &mut |property, value, _| {
                is_off |= property == Property::Display && value == Value::Off;
            });
            is_off && is_about(rule.selectors)
        },
    )
}
