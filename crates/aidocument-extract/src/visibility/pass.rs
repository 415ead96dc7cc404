//! The pass over the tree: what holds in an element is what holds around it, and what its own markup and style say.

use std::collections::BTreeMap;

use super::cascade::Sheets;
use super::place::{extent, no_area};
use super::property::{Properties, Property, set};
use super::style::{NO_OPACITY, Style};
use super::value::Value;
use super::{
    HiddenReason, LEAST_FONT, Left, Mark, SeenVerdict, Settings, WINDOW, characters, opens, words_in,
};
use crate::tree::{ByNode, NodeId, Step, Tag, Tree};

/// A hidden element with this many words is a part of the page, not a note.
const PART: u32 = 100;

/// Such words from which on an element counts with others of the same make, and how many of these there are at least.
const FEW: u32 = 5;
const ALIKE: u32 = 3;

/// Bytes of text that fill the window and what browsers draw in advance, more or less.
const WINDOW_LETTERS: usize = 4_000;

/// The font's size that browsers give buttons.
const BUTTON_FONT: f32 = 13.3;

/// What may show letters again that are hidden around an element.
const LETTERS: Properties = set![FontSize Font Color Fill Paint TextIndent];

/// State that an element passes on to its descendants.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context {
    /// What hides all that is inside, whatever that is.
    firm: Option<Mark>,
    /// What waits to be opened, and is content, as far as nothing inside hides.
    opens: Option<Mark>,
    /// What hides the children, except the summary.
    closed: Option<Mark>,
    /// What `visibility` hides, which children may undo.
    visibility: Option<Mark>,
    /// True if an ancestor was hidden this way and a descendant may be shown again.
    may_undo: bool,
    font: f32,
    pub(super) color: Option<[u8; 4]>,
    pub(super) fill: Option<[u8; 4]>,
    /// What the colour of the letters or their indent hides.
    pub(super) letters: Option<Mark>,
    /// Whether the background shows through the letters.
    pub(super) is_clipped: bool,
    /// In a script, a style and their like.
    is_silent: bool,
    /// In an SVG, whose letters have a colour of their own.
    is_drawn: bool,
}

pub(super) struct Pass<'a> {
    pub(super) tree: &'a Tree,
    pub(super) settings: &'a Settings,
    pub(super) sheets: Sheets<'a>,
    pub(super) marks: ByNode<Mark>,
    pub(super) climbs: u32,
    /// Whether a limit was met.
    pub(super) is_cut: bool,
    /// Elements that are hidden by what scripts take away.
    waiting: Vec<(NodeId, HiddenReason)>,
    /// Bytes of text that are shown so far.
    pub(super) letters: usize,
    /// What is behind what is in an element, once it was asked for: a colour, or one that is not known.
    pub(super) grounds: ByNode<Option<Option<[u8; 4]>>>,
    /// Whether what is in an element is placed by one around, once it was asked for.
    pub(super) holders: ByNode<Option<bool>>,
    /// Texts that are told of, see [`Visibility::told`].
    pub(super) told: Vec<Option<NodeId>>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(tree: &'a Tree, settings: &'a Settings, sheets: Sheets<'a>, is_cut: bool) -> Pass<'a> {
        Pass {
            tree,
            settings,
            sheets,
            marks: ByNode::new(tree),
            climbs: settings.limits.surroundings,
            is_cut,
            waiting: Vec::new(),
            letters: 0,
            grounds: ByNode::default(),
            holders: ByNode::default(),
            told: Vec::new(),
        }
    }

    pub(super) fn run(&mut self) {
        let tree = self.tree;
        let color = self.sheets.are_all.then_some([0, 0, 0, 255]);
        let mut stack = vec![Context { font: 16.0, color, ..Context::default() }];
        for step in tree.walk(Tree::ROOT) {
            match step {
                Step::Enter(id) => {
                    let Some(around) = stack.last() else { return };
                    if tree.is_element(id) {
                        let tag = tree.tag(id);
                        self.part(tag);
                        let mut context = self.element(id, tag, *around);
                        context.is_silent |= tag.is_silent();
                        if let Some(mark) = context.firm.or(context.visibility).or(context.opens) {
                            self.set(id, mark);
                        }
                        stack.push(context);
                    } else if let Some(text) = tree.text(id) {
                        let is_tiny = around.font < LEAST_FONT;
                        let size = is_tiny.then(|| Mark::hidden(HiddenReason::FontSize));
                        let mark = around.firm.or(around.visibility).or(size).or(around.letters);
                        let mark = mark.or(around.closed).or(around.opens);
                        if let Some(mark) = mark {
                            self.set(id, mark);
                        }
                        if mark.is_none() {
                            self.letters += text.len();
                        }
                        if !around.is_silent {
                            self.tell(id, mark, text);
                        }
                        if around.may_undo && mark.is_none_or(|mark| mark.left == Left::No) {
                            self.show(id);
                        }
                    }
                }
                Step::Leave(id) => {
                    self.part(tree.tag(id));
                    stack.pop();
                }
            }
        }
    }

    /// Notes that a block starts or ends, or a line.
    fn part(&mut self, tag: Tag) {
        if matches!(self.told.last(), Some(Some(_))) && (tag.is_block() || tag == Tag::Br) {
            self.told.push(None);
        }
    }

    /// Notes a text that is to be told of, perhaps: what is left out is settled at the end.
    fn tell(&mut self, id: NodeId, mark: Option<Mark>, text: &str) {
        let is_unseen = mark.is_some_and(|mark| mark.verdict.reason() != Some(HiddenReason::NotRendered));
        if is_unseen || characters::may_hide(text) {
            self.told.push(Some(id));
        } else if matches!(self.told.last(), Some(Some(_))) {
            self.told.push(None);
        }
    }

    fn set(&mut self, id: NodeId, mark: Mark) {
        let is_kept = self.settings.keeps_hidden && mark.verdict.reason() != Some(HiddenReason::NotRendered);
        self.marks[id] = Mark { left: if is_kept { Left::No } else { mark.left }, is_kept, ..mark };
    }

    /// Keeps what is hidden by something that scripts take away and is a part of the page by its size: as many words as no
    /// note has, alone or with others of the same make.
    pub(super) fn keep_parts(&mut self) {
        let tree = self.tree;
        let mut groups: BTreeMap<(&str, u8), (u32, u32)> = BTreeMap::new();
        // What is moved in or faded in is told by that, whatever it is called.
        let group = |id: NodeId, reason: HiddenReason| {
            let is_named = matches!(
                reason,
                HiddenReason::Display | HiddenReason::Visibility | HiddenReason::ClassHidden
            );
            let class = tree.attr(id, "class").filter(|_| is_named);
            (class.unwrap_or_default(), reason as u8)
        };
        let counted: Vec<(NodeId, HiddenReason, u32)> =
            self.waiting.iter().map(|&(id, reason)| (id, reason, words_in(tree, id).0)).collect();
        for &(id, reason, words) in counted.iter().filter(|(_, _, words)| *words >= FEW) {
            let sums = groups.entry(group(id, reason)).or_default();
            *sums = (sums.0 + 1, sums.1.saturating_add(words));
        }
        for (id, reason, words) in counted {
            let sums = groups.get(&group(id, reason)).copied().unwrap_or_default();
            // Without words it is an image, say, that shows once it is loaded.
            let is_part = words >= PART || (words >= FEW && sums.0 >= ALIKE && sums.1 >= PART);
            if words > 0 && !is_part {
                continue;
            }
            for inner in tree.descendants(id) {
                let mark = &mut self.marks[inner];
                if mark.left == Left::Unwritten && mark.verdict == SeenVerdict::Hidden(reason) {
                    *mark = Mark::opens(reason);
                }
            }
        }
    }

    /// What is around a text that is shown is not left out, even if its own text would not be shown.
    fn show(&mut self, id: NodeId) {
        for around in self.tree.ancestors(id) {
            self.marks[around].left = Left::No;
        }
    }

    /// What holds in an element.
    fn element(&mut self, id: NodeId, tag: Tag, around: Context) -> Context {
        let tree = self.tree;
        if around.firm.is_some() {
            return around;
        }
        let mut inside = Context { closed: None, ..around };
        if tag == Tag::Other && tree.is_foreign(id) {
            match tree.name(id) {
                "svg" => {
                    inside.is_drawn = true;
                    // The colour of letters around a drawing is not that of those in it.
                    inside.letters = inside.letters.filter(|mark| !mark.is_by_color());
                }
                "foreignObject" => inside.is_drawn = false,
                _ => {}
            }
        }
        let is_first = || tree.preceding(id).into_iter().all(|sibling| tree.tag(sibling) != Tag::Summary);
        if around.closed.is_some() && !(tag == Tag::Summary && is_first()) {
            inside.opens = around.closed;
        }
        if let Some(mark) = self.by_element(id, tag)
            && inside.settle(mark)
        {
            return inside;
        }
        if tag == Tag::Details && tree.attr(id, "open").is_none() {
            inside.closed = Some(Mark::opens(HiddenReason::ClosedDetails));
        }
        if let Some(mark) = self.by_slot(id)
            && inside.settle(mark)
        {
            return inside;
        }
        let hidden = tree.attr(id, "hidden").filter(|_| !tree.is_foreign(id));
        let mut open = Properties::default();
        if hidden.is_some() {
            open = open.with(set![Display]);
        }
        if around.visibility.is_some() {
            open = open.with(set![Visibility]);
        }
        if around.font < LEAST_FONT || around.letters.is_some() {
            open = open.with(LETTERS);
        }
        let colors = self.attributes_of_color(id, tag);
        let style = self.sheets.of(tree, id, open);
        inside.dress(tree, id, tag, style.as_ref());
        if let Some(value) = hidden {
            let is_overridden = style
                .as_ref()
                .is_some_and(|style| style.get(Property::Display).is_some_and(|value| value != Value::Off));
            if !is_overridden && !matches!(tag, Tag::Html | Tag::Body) {
                let mark = self.by_hidden(id, value);
                if inside.settle(mark) {
                    return inside;
                }
            }
        }
        if let Some(style) = &style {
            self.by_style(id, tag, style, &around, &mut inside);
        }
        if inside.is_drawn {
            self.by_paint(id, style.as_ref(), &mut inside);
        } else if style.is_some() || colors != (None, None) {
            self.by_color(id, style.as_ref(), colors, &around, &mut inside);
        }
        if matches!(tag, Tag::Html | Tag::Body) {
            // A page that hides itself shows itself by a script.
            let kept = |mark: Mark| Mark { left: Left::No, ..mark };
            inside.opens = inside.firm.take().map(kept).or(inside.opens);
            inside.visibility = inside.visibility.map(kept);
            return inside;
        }
        if inside.firm.is_none() {
            let has_display = style.as_ref().is_some_and(|style| style.get(Property::Display).is_some());
            if let Some(mark) = self.by_class(id, has_display) {
                inside.settle(mark);
            }
        }
        inside.may_undo |= inside.visibility.is_some();
        let own = inside.firm.or(inside.visibility.filter(|_| inside.visibility != around.visibility));
        if let Some(mark) = own
            && mark.left == Left::Unwritten
            && let Some(reason) = mark.verdict.reason()
            && reason.waits()
        {
            self.waiting.push((id, reason));
        }
        inside
    }

    /// What a style hides, and how far it is content all the same.
    pub(super) fn hides(
        &mut self,
        id: NodeId,
        reason: HiddenReason,
        property: Property,
        style: &Style,
    ) -> Mark {
        let tree = self.tree;
        let ignores = self.settings.ignores_collapsed;
        // The plainest ways: nobody counts on such text, and it was never looked at.
        let is_plain =
            matches!(property, Property::Display | Property::Visibility) && style.is_inline(property);
        let mark = if opens::is_collapsed(tree, id) {
            Mark::opens(reason).wholly_if(ignores)
        } else if style.without_scripts || self.sheets.may_show(tree, id, property) {
            // A rule for another state shows it.
            Mark::opens(reason).wholly_if(is_plain || ignores)
        } else if property != Property::Display && opens::is_awaited(tree, id, style) {
            Mark::opens(reason).wholly_if(is_plain)
        } else {
            Mark::hidden(reason).wholly_if(is_plain)
        };
        if self.settings.revealed.binary_search(&id).is_ok() {
            return Mark { left: Left::No, ..mark };
        }
        mark
    }

    fn by_style(&mut self, id: NodeId, tag: Tag, style: &Style, around: &Context, inside: &mut Context) {
        let tree = self.tree;
        const MOVED: [Property; 5] = [
            Property::Transform,
            Property::Translate,
            Property::Scale,
            Property::Rotate,
            Property::TextIndent,
        ];
        let mut unmoved = None;
        if MOVED.into_iter().any(|property| style.get(property).is_some()) && self.is_in_line(id, tag, style)
        {
            let still = unmoved.insert(style.clone());
            MOVED.into_iter().for_each(|property| still.unset(property));
        }
        let style = unmoved.as_ref().unwrap_or(style);
        match style.get(Property::FontSize) {
            // Shares are of the parent's font.
            Some(Value::Length(size)) => inside.font = size.pixels(around.font, around.font).max(0.0),
            Some(Value::Plain | Value::Unknown) => inside.font = 16.0,
            _ => {}
        }
        match style.get(Property::Visibility) {
            Some(Value::Off) => {
                inside.visibility =
                    Some(self.hides(id, HiddenReason::Visibility, Property::Visibility, style));
            }
            Some(Value::Plain | Value::Unknown) => inside.visibility = None,
            _ => {}
        }
        if style.is(Property::Display, Value::Off) {
            let mark = self.hides(id, HiddenReason::Display, Property::Display, style);
            if inside.settle(mark) {
                return;
            }
        }
        let opacity = match style.get(Property::Opacity) {
            Some(Value::Number(number)) => number,
            _ => 1.0,
        };
        let position = style.get(Property::Position);
        let is_placed = matches!(position, Some(Value::Absolute | Value::Fixed));
        let found = if opacity <= NO_OPACITY {
            Some((HiddenReason::Opacity, Property::Opacity))
        } else if style.is(Property::ContentVisibility, Value::Off) {
            Some((HiddenReason::ContentVisibility, Property::ContentVisibility))
        } else if style.is(Property::Filter, Value::Off) {
            Some((HiddenReason::Filter, Property::Filter))
        } else if style.is(Property::ClipPath, Value::Off) {
            Some((HiddenReason::ClipPath, Property::ClipPath))
        } else if is_placed && style.is(Property::Clip, Value::Off) {
            Some((HiddenReason::Clip, Property::Clip))
        } else if [Property::Transform, Property::Scale, Property::Rotate]
            .into_iter()
            .any(|property| style.is(property, Value::Off))
        {
            Some((HiddenReason::Transform, Property::Transform))
        } else {
            let is_block = is_placed
                || match style.get(Property::Display) {
                    Some(display) => display == Value::Plain,
                    None => tag.is_block() && tag != Tag::Table && !tag.is_in_table(),
                };
            no_area(style, is_block, inside.font).or_else(|| self.off_screen(id, style, inside.font))
        };
        if let Some((reason, property)) = found {
            let mark = self.hides(id, reason, property, style);
            if inside.settle(mark) {
                return;
            }
        } else if style.is(Property::ContentVisibility, Value::Moves) && self.letters >= WINDOW_LETTERS {
            // Drawn once it comes near the window.
            inside.settle(Mark::opens(HiddenReason::ContentVisibility));
        }
        if matches!(style.get(Property::ZIndex), Some(Value::Number(number)) if number < 0.0)
            && matches!(position, Some(Value::Absolute | Value::Relative))
            && self.is_covered(id, style, inside.font)
        {
            let mark = self.hides(id, HiddenReason::Behind, Property::ZIndex, style);
            if inside.settle(mark) {
                return;
            }
        }
        if let Some(indent) = style.length(Property::TextIndent) {
            let cuts = style.is(Property::Overflow, Value::Off);
            let pixels = indent.pixels(inside.font, 0.0);
            let width = extent(tree, id);
            let is_out = (pixels < 0.0 && pixels + width <= 0.0)
                || (indent.share >= 1.0 && cuts)
                || (pixels > WINDOW.0 && cuts);
            let mark = is_out.then(|| self.hides(id, HiddenReason::TextIndent, Property::TextIndent, style));
            inside.letters = mark
                .or(inside.letters.filter(|mark| mark.verdict.reason() != Some(HiddenReason::TextIndent)));
        }
    }
}

impl Context {
    /// Takes over what holds for all inside; whether nothing inside can be seen.
    fn settle(&mut self, mark: Mark) -> bool {
        if mark.left == Left::No {
            self.opens = Some(mark);
            return false;
        }
        self.firm = Some(mark);
        true
    }

    /// Takes over what browsers give links and buttons: a colour, and buttons a size.
    fn dress(&mut self, tree: &Tree, id: NodeId, tag: Tag, style: Option<&Style>) {
        let is_set = |property: Property| style.is_some_and(|style| style.get(property).is_some());
        let is_button = matches!(tag, Tag::Button | Tag::Select | Tag::Textarea);
        if !is_button && (tag != Tag::A || tree.attr(id, "href").is_none()) {
            return;
        }
        if is_button && self.font < LEAST_FONT && !is_set(Property::FontSize) {
            self.font = BUTTON_FONT;
        }
        if self.fill.is_none()
            && self.letters.as_ref().is_some_and(Mark::is_by_color)
            && !is_set(Property::Color)
        {
            self.color = Some(if is_button { [0, 0, 0, 255] } else { [0, 0, 238, 255] });
            self.letters = None;
        }
    }
}
