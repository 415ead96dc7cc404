//! What a person sees of a page: one verdict a node, found in one pass over the tree and asked for by all.
//!
//! The verdict is about the page as it was delivered: in a window of 1280 by 900 pixels, without scripts, with the page's own
//! style sheets. It comes from, in this order: what browsers never show ([`HiddenReason::NotRendered`]), attributes of HTML, the
//! attribute `style` and the rules of `<style>` by the cascade ([`cascade`]), classes that frameworks give a fixed meaning
//! ([`names`]), and ARIA. Classes and ARIA speak only where no style of the page does.
//!
//! What is *left out* of the content is another question. Text that a reader opens (a panel, an answer, a closed
//! `<details>`) is content, and so is what a page hides until its script has run; [`opens`] tells these.

mod cascade;
pub(crate) mod characters;
mod names;
mod opens;
mod page_names;
pub(crate) mod report;
mod select;
mod sheet;
mod value;

use std::collections::BTreeMap;

pub(crate) use report::HiddenText;

use crate::letters::collapse;
use crate::source::Source;
pub(crate) use crate::tree::seen::Visibility;
pub use crate::tree::seen::{HiddenReason, SeenVerdict};
pub(crate) use crate::tree::seen::{Left, Mark};
use crate::tree::{NodeId, Step, Tag, Tree};
use cascade::{Sheets, Style};
use value::{Properties, Property, Value};

/// The window that the verdict is for, in pixels.
const WINDOW: (f32, f32) = (1280.0, 900.0);

/// Pixels below which letters are not seen.
const LEAST_FONT: f32 = 2.0;

/// Whether an element and all in it is not written: it is hidden, or a drawing.
pub(crate) fn is_unseen(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    tag.is_silent() || is_drawing(tree, id, tag) || tree.seen.is_unwritten(id)
}

/// Whether an element and all in it is there for nobody, or a drawing.
pub(crate) fn is_hidden(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    tag.is_silent() || is_drawing(tree, id, tag) || tree.seen.is_left_out(id)
}

/// Whether the element is an SVG.
pub(crate) fn is_drawing(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    tag == Tag::Svg || tree.is_foreign(id) && tree.name(id) == "svg"
}

/// Words of the text in a hidden element, scripts and the like apart: all of them, and those outside of links.
pub(crate) fn words_in(tree: &Tree, id: NodeId) -> (u32, u32) {
    let (mut words, mut link_words, mut links) = (0, 0, 0_u32);
    let mut walk = tree.walk(id);
    while let Some(step) = walk.next() {
        match step {
            Step::Enter(inner) => {
                if let Some(text) = tree.text(inner) {
                    let count = text.split_ascii_whitespace().count();
                    words += count;
                    link_words += if links > 0 { count } else { 0 };
                } else if tree.tag(inner).is_silent() || tree.tag(inner) == Tag::Svg || tree.is_foreign(inner)
                {
                    walk.skip_children();
                } else if tree.tag(inner) == Tag::A {
                    links += 1;
                }
            }
            Step::Leave(inner) if tree.tag(inner) == Tag::A => links = links.saturating_sub(1),
            Step::Leave(_) => {}
        }
    }
    let count = |words: usize| u32::try_from(words).unwrap_or(u32::MAX);
    (count(words), count(words - link_words))
}

/// A text of a page, and whether it is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SeenText {
    /// The text, with every run of white space as one space.
    pub text: String,
    /// Whether it is seen.
    pub verdict: SeenVerdict,
}

/// The texts of a page with a letter or digit, in its order, each with whether a person sees it.
///
/// The verdict is on the page as delivered, without scripts, in a window of 1280 by 900 pixels; style sheets outside of the
/// page are not known. What [`extract`](crate::extract()) keeps is another question: see the crate's front page. Texts in
/// scripts, styles, templates, `<noscript>`, the head, embedded frames and form fields are not listed. `O(n)`.
///
/// ```
/// use aidocument_extract::{SeenVerdict, seen_texts};
///
/// let texts = seen_texts("<style>.x { opacity: 0 }</style><p>Green.<p class=x>Buy!", None);
/// assert_eq!(texts[0].verdict, SeenVerdict::Shown);
/// assert_eq!(texts[1].verdict.reason().map(|reason| reason.code()), Some("opacity"));
/// ```
#[must_use]
pub fn seen_texts<'a>(html: impl Into<Source<'a>>, content_type: Option<&str>) -> Vec<SeenText> {
    let (html, _) = html.into().read(content_type, None);
    let mut tree = Tree::parse_without_scripting(&html);
    tree.seen = Visibility::of(&tree, &Settings::default());
    let mut texts = Vec::new();
    let mut walk = tree.walk(Tree::ROOT);
    while let Some(step) = walk.next() {
        let Step::Enter(id) = step else { continue };
        if let Some(text) = tree.text(id) {
            if text.chars().any(crate::letters::is_alphanumeric) {
                texts.push(SeenText { text: collapse(text), verdict: tree.seen.mark(id).verdict });
            }
            continue;
        }
        let is_apart = matches!(
            tree.tag(id),
            Tag::Script
                | Tag::Style
                | Tag::Template
                | Tag::Noscript
                | Tag::Head
                | Tag::Iframe
                | Tag::Object
                | Tag::Select
                | Tag::Textarea
        );
        if is_apart
            || (tree.is_foreign(id) && matches!(tree.name(id), "script" | "style" | "title" | "annotation"))
        {
            walk.skip_children();
        }
    }
    texts
}

/// How much work is done to find what readers do not see.
///
/// A page that goes beyond one of these has a [`StylesCut`](crate::ExtractFindingKind::StylesCut) finding: what it hides in a way
/// that was not read may be content.
///
/// ```
/// use aidocument_extract::{ExtractFindingKind, Extractor, VisibilityLimits};
///
/// let mut limits = VisibilityLimits::default();
/// limits.style_bytes = 10;
/// let content = Extractor::new().visibility_limits(limits).extract("<style>.x { opacity: 0 }</style><p class=x>Green.");
/// assert_eq!(content.text, "Green.");
/// assert!(content.findings.iter().any(|finding| finding.kind() == ExtractFindingKind::StylesCut));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct VisibilityLimits {
    /// Bytes of `<style>` that are read: 4,000,000. A sheet that goes beyond is not read at all.
    pub style_bytes: u32,
    /// Rules that are kept: 100,000, and never more than 131,071.
    pub rules: u32,
    /// Custom properties (`--name`) whose values are known: 10,000.
    pub custom_properties: u32,
    /// Blocks inside one another (`@media`, nested rules) that are read: 32.
    pub nested_blocks: u32,
    /// Compounds of one selector, such as the three of `.a .b > .c`: 16, and never more than 64. A longer selector matches
    /// nothing.
    pub compounds: u32,
    /// Steps of matching selectors for each node of the page, and for 3,000 more: 300. Once they are spent, nothing matches.
    pub steps_per_node: u32,
    /// Elements whose surroundings are looked at, for `z-index` and declarative shadow trees: 2,000.
    pub surroundings: u32,
    /// Hidden texts that are listed, and findings about them: 1,000. A [`HiddenText`](crate::ExtractFindingKind::HiddenText)
    /// finding tells that there may be more.
    pub hidden_texts: u32,
}

impl Default for VisibilityLimits {
    fn default() -> Self {
        VisibilityLimits {
            style_bytes: 4_000_000,
            rules: 100_000,
            custom_properties: 10_000,
            nested_blocks: 32,
            compounds: 16,
            steps_per_node: 300,
            surroundings: 2_000,
            hidden_texts: 1_000,
        }
    }
}

/// How the verdict is used.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    /// What a reader has to open is no content.
    pub(crate) ignores_collapsed: bool,
    /// What is hidden stays content.
    pub(crate) keeps_hidden: bool,
    /// Elements that are content though their style hides them, in the order of their numbers.
    pub(crate) revealed: Vec<NodeId>,
    pub(crate) limits: VisibilityLimits,
}

impl Visibility {
    /// What is known of a node.
    pub(crate) fn mark(&self, id: NodeId) -> Mark {
        self.marks.get(id.index()).copied().unwrap_or_default()
    }

    /// Whether a node is there for nobody: it and, if it is an element, all in it.
    #[inline]
    pub(crate) fn is_left_out(&self, id: NodeId) -> bool {
        self.marks.get(id.index()).is_some_and(|mark| mark.left == Left::Wholly)
    }

    /// Whether a node is not written: it and, if it is an element, all in it.
    #[inline]
    pub(crate) fn is_unwritten(&self, id: NodeId) -> bool {
        self.marks.get(id.index()).is_some_and(|mark| mark.left != Left::No)
    }

    /// Finds the verdicts. `O(n)`.
    pub(crate) fn of(tree: &Tree, settings: &Settings) -> Visibility {
        let mut texts: Vec<(&str, &str)> = Vec::new();
        let mut size = 0_usize;
        let mut is_cut = false;
        let mut are_all = true;
        for (id, tag) in tree.elements() {
            match tag {
                Tag::Style => {
                    // One in a template is not of the page.
                    if tree.ancestors(id).last() != Some(Tree::ROOT) {
                        continue;
                    }
                    let media = tree.attr(id, "media").unwrap_or_default();
                    for text in tree.children(id).filter_map(|child| tree.text(child)) {
                        size = size.saturating_add(text.len());
                        if size > settings.limits.style_bytes as usize {
                            is_cut = true;
                        } else {
                            texts.push((text, media));
                        }
                    }
                }
                Tag::Link => {
                    let rel = tree.attr(id, "rel").unwrap_or_default();
                    are_all &= !rel.to_ascii_lowercase().contains("style");
                }
                _ => {}
            }
        }
        // Of large sheets most rules are about what the page does not have.
        let names = (size >= LARGE_STYLE).then(|| page_names::PageNames::of(tree));
        let sheets = Sheets::new(&texts, are_all, tree.len(), &settings.limits, names);
        let mut pass = Pass {
            tree,
            settings,
            sheets,
            marks: vec![Mark::default(); tree.len()],
            climbs: settings.limits.surroundings,
            is_cut,
            waiting: Vec::new(),
            letters: 0,
            grounds: Vec::new(),
            holders: Vec::new(),
            told: Vec::new(),
        };
        pass.run();
        pass.keep_parts();
        Visibility { is_cut: pass.is_cut || pass.sheets.are_cut(), marks: pass.marks, told: pass.told }
    }
}

/// Bytes of style sheets from which on the page's names are gathered first.
const LARGE_STYLE: usize = 10_000;

/// Words from which on a hidden element is a part of the page, and not a note in it.
const PART: u32 = 100;

/// Such words from which on an element counts with others of the same make, and how many of these there are at least.
const FEW: u32 = 5;
const ALIKE: u32 = 3;

/// Bytes of text that fill the window and what browsers draw in advance, more or less.
const WINDOW_LETTERS: usize = 4_000;

/// Nodes of a shadow tree, and bytes of its styles, that are looked at.
const MAX_SHADOW: usize = 200;
const MAX_SHADOW_STYLE: usize = 4_000;

/// Elements around one that are looked at.
const MAX_AROUND: usize = 32;

/// What holds in an element for what is in it.
#[derive(Debug, Clone, Copy)]
struct Context {
    /// What hides all that is inside, whatever that is.
    firm: Option<Mark>,
    /// What waits to be opened, and is content, as far as nothing inside hides.
    opens: Option<Mark>,
    /// What hides the children, except the summary.
    closed: Option<Mark>,
    /// What `visibility` hides, which children may undo.
    visibility: Option<Mark>,
    /// Whether something around was so hidden, by the time that it is shown again.
    may_undo: bool,
    font: f32,
    color: Option<[u8; 4]>,
    fill: Option<[u8; 4]>,
    /// What the colour of the letters or their indent hides.
    letters: Option<Mark>,
    /// Whether the background shows through the letters.
    is_clipped: bool,
    /// In a script, a style and their like.
    is_silent: bool,
}

struct Pass<'a> {
    tree: &'a Tree,
    settings: &'a Settings,
    sheets: Sheets<'a>,
    marks: Vec<Mark>,
    climbs: u32,
    /// Whether a limit was met.
    is_cut: bool,
    /// Elements that are hidden by what scripts take away.
    waiting: Vec<(NodeId, HiddenReason)>,
    /// Bytes of text that are shown so far.
    letters: usize,
    /// What is behind what is in an element, once it was asked for: a colour, or one that is not known.
    grounds: Vec<Option<Option<[u8; 4]>>>,
    /// Whether what is in an element is placed by one around, once it was asked for.
    holders: Vec<Option<bool>>,
    /// Texts that are told of, see [`Visibility::told`].
    told: Vec<Option<NodeId>>,
}

impl<'a> Pass<'a> {
    fn run(&mut self) {
        let tree = self.tree;
        let mut stack = vec![Context {
            firm: None,
            opens: None,
            closed: None,
            visibility: None,
            may_undo: false,
            font: 16.0,
            color: self.sheets.are_all.then_some([0, 0, 0, 255]),
            fill: None,
            letters: None,
            is_clipped: false,
            is_silent: false,
        }];
        for step in tree.walk(Tree::ROOT) {
            match step {
                Step::Enter(id) => {
                    let Some(&around) = stack.last() else { return };
                    if tree.is_element(id) {
                        self.part(tree.tag(id));
                        let mut context = self.element(id, around);
                        context.is_silent |= tree.tag(id).is_silent();
                        if let Some(mark) = context.firm.or(context.visibility).or(context.opens) {
                            self.set(id, mark);
                        }
                        stack.push(context);
                    } else if let Some(text) = tree.text(id) {
                        let mark = around.firm.or(around.visibility).or_else(|| around.of_text());
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
        if let Some(place) = self.marks.get_mut(id.index()) {
            *place = Mark { left: if is_kept { Left::No } else { mark.left }, is_kept, ..mark };
        }
    }

    /// Keeps what is hidden by something that scripts take away and is a part of the page by its size: as many words as no
    /// note has, alone or with others of the same make.
    fn keep_parts(&mut self) {
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
                if let Some(mark) = self.marks.get_mut(inner.index())
                    && mark.left == Left::Unwritten
                    && mark.verdict == SeenVerdict::Hidden(reason)
                {
                    *mark = Mark::opens(reason);
                }
            }
        }
    }

    /// What is around a text that is shown is not left out, even if its own text would not be shown.
    fn show(&mut self, id: NodeId) {
        for around in self.tree.ancestors(id) {
            if let Some(mark) = self.marks.get_mut(around.index()) {
                mark.left = Left::No;
            }
        }
    }

    /// What holds in an element.
    fn element(&mut self, id: NodeId, around: Context) -> Context {
        let tree = self.tree;
        let tag = tree.tag(id);
        if around.firm.is_some() {
            return around;
        }
        let mut inside = Context { closed: None, ..around };
        if around.closed.is_some() && !(tag == Tag::Summary && is_first_summary(tree, id)) {
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
        if hidden.is_some()
            || around.visibility.is_some()
            || around.font < LEAST_FONT
            || around.letters.is_some()
        {
            open = open.with(if hidden.is_some() { Properties::of(&[Property::Display]) } else { open });
            open = open.with(if around.visibility.is_some() {
                Properties::of(&[Property::Visibility])
            } else {
                open
            });
            let letters = Properties::of(&[
                Property::FontSize,
                Property::Font,
                Property::Color,
                Property::Fill,
                Property::TextIndent,
            ]);
            open =
                open.with(if around.font < LEAST_FONT || around.letters.is_some() { letters } else { open });
        }
        let colors = self.attributes_of_color(id, tag);
        let style = self.sheets.of(tree, id, open);
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
        if style.is_some() || colors != (None, None) {
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

    /// What browsers never show, and what waits for something.
    fn by_element(&self, id: NodeId, tag: Tag) -> Option<Mark> {
        let tree = self.tree;
        let silent = Mark::hidden(HiddenReason::NotRendered).wholly();
        if tag.is_silent() || matches!(tag, Tag::Datalist | Tag::Area | Tag::Param) {
            return Some(silent);
        }
        if tag == Tag::Dialog && tree.attr(id, "open").is_none() {
            return Some(Mark::opens(HiddenReason::ClosedDialog).wholly());
        }
        if tree.is_foreign(id) {
            let defines = matches!(
                tree.name(id),
                "defs"
                    | "symbol"
                    | "clipPath"
                    | "mask"
                    | "marker"
                    | "pattern"
                    | "linearGradient"
                    | "radialGradient"
                    | "title"
                    | "desc"
                    | "metadata"
                    | "script"
                    | "style"
                    | "annotation"
                    | "annotation-xml"
            );
            return defines.then_some(silent);
        }
        if tree.attr(id, "popover").is_some() {
            return Some(Mark::opens(HiddenReason::Popover));
        }
        None
    }

    /// What a declarative shadow tree makes of a child of its host: it shows where there is a slot for it that shows.
    fn by_slot(&mut self, id: NodeId) -> Option<Mark> {
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
                text.len() <= MAX_SHADOW_STYLE
                    && cascade::hides_slot(text, tree, host, slot, &self.settings.limits)
            })
            .then_some(Mark::opens(HiddenReason::Display))
    }

    fn by_hidden(&self, id: NodeId, value: &str) -> Mark {
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

    /// What a style hides, and how far it is content all the same.
    fn hides(&mut self, id: NodeId, reason: HiddenReason, property: Property, style: &Style) -> Mark {
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
        if let Some(Value::Length(size)) = style.get(Property::FontSize) {
            // Shares are of the parent's font.
            inside.font = size.pixels(around.font, around.font).max(0.0);
        } else if style
            .get(Property::FontSize)
            .is_some_and(|value| matches!(value, Value::Plain | Value::Unknown))
        {
            inside.font = 16.0;
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
        let found = if opacity <= cascade::NO_OPACITY {
            Some((HiddenReason::Opacity, Property::Opacity))
        } else if style.is(Property::ContentVisibility, Value::Off) {
            Some((HiddenReason::ContentVisibility, Property::ContentVisibility))
        } else if style.is(Property::Filter, Value::Off) {
            Some((HiddenReason::Filter, Property::Filter))
        } else if style.is(Property::ClipPath, Value::Off) {
            Some((HiddenReason::ClipPath, Property::ClipPath))
        } else if is_placed && style.is(Property::Clip, Value::Off) {
            Some((HiddenReason::Clip, Property::Clip))
        } else if style.is(Property::Transform, Value::Off) || style.is(Property::Scale, Value::Off) {
            Some((HiddenReason::Transform, Property::Transform))
        } else {
            let is_block = is_placed
                || match style.get(Property::Display) {
                    Some(Value::Plain) => true,
                    Some(_) => false,
                    None => {
                        tag.is_block()
                            && !matches!(
                                tag,
                                Tag::Table
                                    | Tag::Tr
                                    | Tag::Td
                                    | Tag::Th
                                    | Tag::Tbody
                                    | Tag::Thead
                                    | Tag::Tfoot
                            )
                    }
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

    /// Whether an element is placed out of the window.
    fn off_screen(&mut self, id: NodeId, style: &Style, font: f32) -> Option<(HiddenReason, Property)> {
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
                Some(Value::Shift(x, y)) => Some((x, y)),
                _ => None,
            }
        });
        let shift = shift.unwrap_or_default();
        let shifted = (shift.0.pixels(font, 0.0), shift.1.pixels(font, 0.0));
        if shifted.0 <= -2000.0 || shifted.1 <= -5000.0 || shifted.0 >= 5000.0 {
            return found(Property::Transform);
        }
        let is_relative = position == Some(Value::Relative);
        if !is_relative && !matches!(position, Some(Value::Absolute | Value::Fixed)) {
            return None;
        }
        let pixels =
            |property: Property, whole: f32| length(property).map(|length| length.pixels(font, whole));
        if is_relative {
            let is_away =
                |property: Property, far: f32| pixels(property, WINDOW.0).is_some_and(|place| place <= far);
            let property = if is_away(Property::Left, -2000.0) {
                Property::Left
            } else if is_away(Property::Top, -9000.0) {
                Property::Top
            } else {
                return None;
            };
            return found(property);
        }
        // Places are those of the window where nothing around the element holds it.
        let is_free = position == Some(Value::Fixed) || !self.is_contained(id);
        let text = extent(self.tree, id);
        let width = pixels(Property::Width, WINDOW.0).unwrap_or(text.min(WINDOW.0));
        let height =
            pixels(Property::Height, WINDOW.1).unwrap_or(24.0 * (text / 600.0).ceil().clamp(1.0, 100.0));
        let own = (shift.0.share * width, shift.1.share * height);
        let slack = if is_free { 0.0 } else { 400.0 };
        let ends = |from: Option<f32>, to: Option<f32>, whole: f32, size: f32, moved: f32| match (from, to) {
            (Some(from), _) => Some(from + size + moved),
            (None, Some(to)) if is_free => Some(whole - to + moved),
            _ => None,
        };
        let right = ends(
            pixels(Property::Left, WINDOW.0),
            pixels(Property::Right, WINDOW.0),
            WINDOW.0,
            width,
            shifted.0 + own.0,
        );
        if right.is_some_and(|right| right + slack <= 0.0) {
            return found(if style.get(Property::Left).is_some() { Property::Left } else { Property::Right });
        }
        let bottom = ends(
            pixels(Property::Top, WINDOW.1),
            pixels(Property::Bottom, WINDOW.1),
            WINDOW.1,
            height,
            shifted.1 + own.1,
        );
        let slack = if is_free { 0.0 } else { 5000.0 };
        if bottom.is_some_and(|bottom| bottom + slack <= 0.0) {
            return found(if style.get(Property::Top).is_some() { Property::Top } else { Property::Bottom });
        }
        // To the right a reader could scroll, but not so far.
        let is_far = |place: Option<f32>| place.is_some_and(|place| place >= 4000.0);
        if is_far(pixels(Property::Left, WINDOW.0))
            || is_far(pixels(Property::Right, WINDOW.0).map(|place| -place))
        {
            return found(Property::Left);
        }
        None
    }

    /// Whether what is around another element may be looked at.
    fn climbs(&mut self) -> bool {
        let left = self.climbs.checked_sub(1);
        self.is_cut |= left.is_none();
        self.climbs = left.unwrap_or_default();
        left.is_some()
    }

    /// The styles of the elements around one, for the properties that are asked for.
    fn around(&mut self, id: NodeId, properties: Properties) -> Vec<(NodeId, Style)> {
        if !self.climbs() {
            return Vec::new();
        }
        let tree = self.tree;
        let all: Vec<NodeId> =
            tree.ancestors(id).take(MAX_AROUND).filter(|&around| tree.is_element(around)).collect();
        all.into_iter()
            .map(|around| {
                let mut style = Style::default();
                self.sheets.values_of(tree, around, properties, &mut style);
                (around, style)
            })
            .collect()
    }

    /// Whether an element around is what places are relative to. Each element is looked at once.
    fn is_contained(&mut self, id: NodeId) -> bool {
        let tree = self.tree;
        self.holders.resize(tree.len(), None);
        let mut chain = Vec::new();
        let mut around = tree.parent(id);
        let found = loop {
            let Some(element) = around.filter(|&around| tree.is_element(around)) else { break false };
            if let Some(known) = self.holders.get(element.index()).copied().flatten() {
                break known;
            }
            chain.push(element);
            let mut style = Style::default();
            self.sheets.values_of(tree, element, Properties::of(&[Property::Position]), &mut style);
            if matches!(style.get(Property::Position), Some(Value::Absolute | Value::Fixed | Value::Relative))
            {
                break true;
            }
            around = tree.parent(element);
        };
        for element in chain {
            if let Some(place) = self.holders.get_mut(element.index()) {
                *place = Some(found);
            }
        }
        found
    }

    /// Whether an element that is behind its surroundings is behind an opaque box, as far as that can be known without a
    /// layout: it is in the box and nothing takes it out, and no stacking context between the two brings it in front.
    fn is_covered(&mut self, id: NodeId, style: &Style, font: f32) -> bool {
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
        let asked = Properties::of(&[
            Property::Background,
            Property::Backgrounds,
            Property::ZIndex,
            Property::Position,
            Property::Transform,
            Property::Translate,
            Property::Scale,
            Property::Opacity,
            Property::Filter,
            Property::ClipPath,
            Property::ContentVisibility,
            Property::Stacking,
            Property::Display,
            Property::Width,
            Property::MaxWidth,
            Property::Height,
            Property::MaxHeight,
        ]);
        for (around, style) in self.around(id, asked) {
            let tag = self.tree.tag(around);
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
                    let own = extent(self.tree, id);
                    let lines = |width: f32| width / WINDOW.0;
                    lines(extent(self.tree, around) - own).floor() > lines(own).ceil()
                }));
        }
        false
    }

    /// The colours that attributes of HTML give: of letters and of what is behind them.
    fn attributes_of_color(&self, id: NodeId, tag: Tag) -> (Option<[u8; 4]>, Option<[u8; 4]>) {
        let name = match tag {
            Tag::Font => "color",
            Tag::Body => "text",
            _ => "",
        };
        let has_ground = matches!(tag, Tag::Body | Tag::Table | Tag::Td | Tag::Th | Tag::Tr);
        let color = |name: &str| self.tree.attr(id, name).and_then(value::color);
        (if name.is_empty() { None } else { color(name) }, if has_ground { color("bgcolor") } else { None })
    }

    /// What colours hide.
    fn by_color(
        &mut self,
        id: NodeId,
        style: Option<&Style>,
        attributes: (Option<[u8; 4]>, Option<[u8; 4]>),
        around: &Context,
        inside: &mut Context,
    ) {
        let given = |property: Property| style.and_then(|style| style.get(property));
        let mut is_set = attributes.0.is_some();
        if let Some(color) = attributes.0 {
            inside.color = Some(color);
        }
        match given(Property::Color) {
            Some(Value::Color(color)) => (inside.color, is_set) = (Some(color), true),
            Some(Value::Inherit) | None => {}
            Some(_) => (inside.color, is_set) = (None, true),
        }
        match given(Property::Fill) {
            Some(Value::Color(color)) => (inside.fill, is_set) = (Some(color), true),
            Some(Value::Inherit) | None => {}
            Some(_) => (inside.fill, is_set) = (None, true),
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
        let colored = |mark: Option<Mark>| {
            mark.filter(|mark| {
                !matches!(mark.verdict.reason(), Some(HiddenReason::NoColor | HiddenReason::SameColor))
            })
        };
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
        // Each element is looked at once: what shows through one is behind all that it is in.
        self.grounds.resize(tree.len(), None);
        let mut chain = Vec::new();
        let mut around = tree.parent(id);
        let found = loop {
            let Some(element) = around.filter(|&around| tree.is_element(around)) else {
                break self.sheets.are_all.then_some([255; 4]);
            };
            if let Some(known) = self.grounds.get(element.index()).copied().flatten() {
                break known;
            }
            chain.push(element);
            let asked =
                Properties::of(&[Property::Background, Property::Backgrounds, Property::BackgroundImage]);
            let mut style = Style::default();
            self.sheets.values_of(tree, element, asked, &mut style);
            let attribute = self.attributes_of_color(element, tree.tag(element)).1;
            if style.is(Property::BackgroundImage, Value::Unknown)
                || tree.attr(element, "background").is_some()
            {
                break None;
            }
            match (style.get(Property::Background), attribute) {
                (Some(Value::Color(color)), _) | (None, Some(color)) if color[3] == 255 => break Some(color),
                (Some(Value::Color(color)), _) if is_clear(color) => {}
                (Some(_), _) => break None,
                _ => {}
            }
            if !is_known(&self.sheets, element) {
                break None;
            }
            around = tree.parent(element);
        };
        for element in chain {
            if let Some(place) = self.grounds.get_mut(element.index()) {
                *place = Some(found);
            }
        }
        found
    }

    /// What a class says, or ARIA, where no style does.
    fn by_class(&mut self, id: NodeId, has_display: bool) -> Option<Mark> {
        let tree = self.tree;
        if let Some(meaning) = self.sheets.meaning(tree, id)
            && !(has_display && meaning != names::Meaning::ReadOut)
        {
            return Some(match meaning {
                names::Meaning::Hidden => {
                    if opens::is_collapsed(tree, id) {
                        Mark::opens(HiddenReason::ClassHidden)
                    } else {
                        Mark::hidden(HiddenReason::ClassHidden)
                    }
                }
                names::Meaning::ReadOut => Mark::hidden(HiddenReason::ClassReadOut),
                names::Meaning::Opens => Mark::opens(HiddenReason::ClassOpens),
            });
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

    /// What hides letters.
    fn of_text(&self) -> Option<Mark> {
        if self.font < LEAST_FONT {
            return Some(Mark::hidden(HiddenReason::FontSize));
        }
        self.letters
    }
}

fn is_first_summary(tree: &Tree, id: NodeId) -> bool {
    let mut before = tree.prev_sibling(id);
    while let Some(sibling) = before {
        if tree.tag(sibling) == Tag::Summary {
            return false;
        }
        before = tree.prev_sibling(sibling);
    }
    true
}

/// Whether a colour is not seen on anything.
fn is_clear(color: [u8; 4]) -> bool {
    color[3] <= 5
}

/// Whether letters of one colour are not seen on another.
fn is_same(letters: [u8; 4], ground: [u8; 4]) -> bool {
    let alpha = f32::from(letters[3]) / 255.0;
    ground[3] == 255
        && letters
            .iter()
            .zip(ground)
            .take(3)
            .all(|(&letter, ground)| (alpha * (f32::from(letter) - f32::from(ground))).abs() <= SAME)
}

/// How far two colours differ at most that no reader tells apart, of 255 a part.
const SAME: f32 = 8.0;

/// Whether a box has no area and cuts what does not fit.
fn no_area(style: &Style, is_block: bool, font: f32) -> Option<(HiddenReason, Property)> {
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
fn extent(tree: &Tree, id: NodeId) -> f32 {
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
