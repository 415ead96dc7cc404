//! Footnotes: the marks in the text, and the notes.
//!
//! A mark is a link with a number, letter or sign to a place further down; or a superscript number without a link, if a
//! paragraph or list item of notes further down has that number; or an element that contains the whole note, such as a
//! margin note. The link back to the mark and the number in front of the note are not written.

use std::collections::HashMap;

use super::noise;
use crate::pairs::has_any;
use crate::rules::Rule;
use crate::tree::{NodeId, NodeMap, Step, Tag, Tree};
use crate::words::list::words;

/// Bytes of a note at most: what is longer is a part of the page that a table of contents leads to.
const MAX_NOTE: usize = 6_000;

/// Nodes of a note or mark that are looked at.
const MAX_NODES: usize = 600;

/// Marks of a page at most; what comes behind them stays as it is.
const MAX_MARKS: usize = 5_000;

/// Most superscript numbers without links, since each is compared with each note.
const MAX_RAISED: usize = 1_000;

/// A note with its marks.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    /// What is between `[^` and `]`: letters, digits, hyphens.
    pub(crate) label: String,
    /// The element that holds the note.
    pub(crate) definition: NodeId,
    /// True if the note is inside its mark and has to be written elsewhere.
    pub(crate) is_inline: bool,
    pub(crate) marks: Vec<NodeId>,
}

/// What an element is to the notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A mark of a note, by its place in [`Notes::all`].
    Mark(usize),
    /// The note itself.
    Definition(usize),
    /// A number in front of a note, a link back.
    Superfluous,
}

/// The notes of a page.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) all: Vec<Note>,
    pub(crate) roles: NodeMap<Role>,
}

/// A link or raised number that may be a mark.
struct Candidate<'a> {
    id: NodeId,
    at: usize,
    text: String,
    fragment: Option<&'a str>,
}

impl Notes {
    /// Searches the tree. `O(n)`.
    pub(super) fn of(tree: &Tree) -> Notes {
        let mut search =
            Search { tree, notes: Notes::default(), labels: HashMap::new(), refused: NodeMap::default() };
        let mut candidates: Vec<Candidate<'_>> = Vec::new();
        let mut named: Named<'_> = HashMap::new();
        let mut inline: Vec<NodeId> = Vec::new();
        for (at, id) in tree.descendants(Tree::ROOT).enumerate().filter(|&(_, id)| tree.is_element(id)) {
            for name in ["id", "name"] {
                if let Some(name) = tree.attr(id, name) {
                    // Rspress 1 writes `id="#fn-1"`, which no browser follows.
                    named.entry(name.strip_prefix('#').unwrap_or(name)).or_insert((id, at));
                }
            }
            let tag = tree.tag(id);
            if let Some((text, fragment)) = candidate(tree, id, tag) {
                candidates.push(Candidate { id, at, text, fragment });
            } else if is_inline_note(tree, id, tag) {
                inline.push(id);
            }
        }
        candidates.truncate(MAX_MARKS);
        // A note that only a table marks stays in its list, where the table's reader finds it.
        let (tables, others): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|candidate| {
            tree.ancestors(candidate.id).take(12).any(|around| matches!(tree.tag(around), Tag::Td | Tag::Th))
        });
        if tree.rules.has(Rule::LinkedNotes) {
            search.linked(&others, &named, true);
            search.linked(&tables, &named, false);
        }
        let raised = others.iter().filter(|candidate| candidate.fragment.is_none());
        search.raised(raised.take(MAX_RAISED));
        inline.truncate(MAX_RAISED);
        if tree.rules.has(Rule::InlineNotes) {
            search.inline(&inline);
        }
        search.notes
    }
}

/// Whether an element may be a mark of a note, or a note.
pub(super) fn is_sign(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    candidate(tree, id, tag).is_some() || is_inline_note(tree, id, tag)
}

/// The label of a possible mark, and the fragment that it leads to.
fn candidate(tree: &Tree, id: NodeId, tag: Tag) -> Option<(String, Option<&str>)> {
    match tag {
        Tag::A => {
            let (before, fragment) = tree.attr(id, "href")?.split_once('#')?;
            let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
            let may_lead = !fragment.is_empty() && (before.is_empty() || hints_at_note(fragment));
            may_lead.then(|| mark(tree, id)).flatten().map(|text| (text, Some(fragment)))
        }
        Tag::Sup if tree.descendants(id).skip(1).take(8).all(|inner| tree.tag(inner) != Tag::A) => {
            let is_linked = tree.ancestors(id).take(3).any(|around| tree.tag(around) == Tag::A);
            let text = (!is_linked).then(|| mark(tree, id)).flatten()?;
            (!text.contains(char::is_alphabetic)).then_some((text, None))
        }
        _ => None,
    }
}

/// Elements by their names, each with its place in the page's order.
type Named<'a> = HashMap<&'a str, (NodeId, usize)>;

struct Search<'a> {
    tree: &'a Tree,
    notes: Notes,
    labels: HashMap<String, usize>,
    /// Elements that are too large for a note.
    refused: NodeMap<()>,
}

impl Search<'_> {
    fn add(&mut self, text: &str, definition: NodeId, is_inline: bool, mark: NodeId) {
        let mut label: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
        if label.is_empty() {
            label = format!("note{}", self.notes.all.len() + 1);
        }
        let count = self.labels.entry(label.clone()).or_default();
        *count += 1;
        if *count > 1 {
            label = format!("{label}-{count}");
        }
        let place = self.notes.all.len();
        self.notes.roles.insert(definition, Role::Definition(place));
        self.notes.roles.insert(mark, Role::Mark(place));
        self.notes.all.push(Note { label, definition, is_inline, marks: vec![mark] });
    }

    /// Links to a place further down; only to notes that are known, unless new ones may be `added`.
    fn linked(&mut self, candidates: &[Candidate<'_>], named: &Named<'_>, added: bool) {
        let tree = self.tree;
        for candidate in candidates {
            let Some(fragment) = candidate.fragment else { continue };
            let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
            let Some(&(target, at)) = named.get(fragment).or_else(|| named.get(&*decoded)) else { continue };
            if at <= candidate.at || self.notes.roles.contains_key(&candidate.id) {
                continue;
            }
            let Some(definition) = definition_at(tree, target) else { continue };
            if tree.ancestors(candidate.id).any(|around| around == definition) {
                continue;
            }
            match self.notes.roles.get(&definition) {
                Some(&Role::Definition(place)) => {
                    if let Some(note) = self.notes.all.get_mut(place) {
                        note.marks.push(candidate.id);
                        self.notes.roles.insert(candidate.id, Role::Mark(place));
                    }
                }
                Some(_) => {}
                None if added => {
                    let inside = tree
                        .ancestors(definition)
                        .take(12)
                        .any(|around| matches!(self.notes.roles.get(&around), Some(Role::Definition(_))));
                    if !inside
                        && !self.refused.contains_key(&definition)
                        && is_note(tree, candidate, definition, fragment)
                    {
                        self.add(&candidate.text, definition, false, candidate.id);
                        self.clear(definition, &candidate.text);
                        let number = tree.ancestors(target).find(|&around| tree.tag(around).is_block());
                        if let Some(number) = number.filter(|&id| below_number(tree, id, target).is_some()) {
                            self.notes.roles.insert(number, Role::Superfluous);
                        }
                    } else {
                        self.refused.insert(definition, ());
                    }
                }
                None => {}
            }
        }
    }

    /// Marks the number in front of a note and the links back as redundant.
    fn clear(&mut self, definition: NodeId, label: &str) {
        let tree = self.tree;
        let mut is_front = true;
        let mut walk = tree.walk(definition);
        let mut seen = 0;
        while let Some(step) = walk.next() {
            let Step::Enter(id) = step else { continue };
            seen += 1;
            if seen > MAX_NODES {
                break;
            }
            if let Some(text) = tree.text(id) {
                is_front &= text.chars().all(|c| !c.is_alphanumeric());
            } else if id != definition && tree.is_element(id) {
                let own = || squeezed(tree, id, 24);
                let is_number = || {
                    let text = own();
                    text.as_deref()
                        .is_some_and(|text| bare(text) == label || (bare(text).is_empty() && text != "“"))
                };
                let is_inline =
                    matches!(tree.tag(id), Tag::A | Tag::Sup | Tag::Span | Tag::B | Tag::Strong | Tag::Cite);
                let leads_back = tree.tag(id) == Tag::A && is_back_link(tree, id);
                let is_kind = || tree.classes(id).any(|name| name == KIND);
                if leads_back
                    || (is_front && is_inline && tree.first_child(id).is_some() && (is_number() || is_kind()))
                {
                    self.notes.roles.entry(id).or_insert(Role::Superfluous);
                    walk.skip_children();
                }
            }
        }
    }

    /// Raised numbers without links.
    fn raised<'c>(&mut self, candidates: impl Iterator<Item = &'c Candidate<'c>>) {
        let tree = self.tree;
        let (mut marks, mut notes): (Vec<&Candidate<'_>>, Vec<(&Candidate<'_>, NodeId)>) =
            (Vec::new(), Vec::new());
        for candidate in candidates {
            match block_that_starts_with(tree, candidate.id) {
                Some(block) => notes.push((candidate, block)),
                None => marks.push(candidate),
            }
        }
        if marks.is_empty() {
            return;
        }
        for mark in marks {
            let known = self.notes.all.iter().position(|note| {
                !note.is_inline
                    && note.marks.iter().all(|&other| tree.tag(other) == Tag::Sup)
                    && bare(&note.label) == mark.text
            });
            if let Some(place) = known {
                if let Some(note) = self.notes.all.get_mut(place) {
                    note.marks.push(mark.id);
                    self.notes.roles.insert(mark.id, Role::Mark(place));
                }
                continue;
            }
            let started = notes.iter().find(|(note, block)| {
                note.at > mark.at && note.text == mark.text && !self.notes.roles.contains_key(block)
            });
            if let Some((number, block)) = started.filter(|_| tree.rules.has(Rule::RaisedNotes)) {
                self.add(&mark.text, *block, false, mark.id);
                self.notes.roles.insert(number.id, Role::Superfluous);
            }
        }
    }

    /// Elements that hold their notes.
    fn inline(&mut self, found: &[NodeId]) {
        let tree = self.tree;
        for &content in found {
            let (mut whole, mut number) = (content, None);
            for around in tree.ancestors(content).take(3) {
                if !matches!(tree.tag(around), Tag::Span | Tag::Sup) || !around_is_mark(tree, around, whole) {
                    break;
                }
                let parts = tree.children(around).filter(|&part| part != whole);
                number = number.or_else(|| {
                    parts
                        .filter_map(|part| squeezed(tree, part, 8))
                        .map(|text| bare(&text).to_owned())
                        .find(|text| !text.is_empty() && !text.contains(char::is_alphabetic))
                });
                whole = around;
            }
            if tree.ancestors(content).take(4).any(|around| self.notes.roles.contains_key(&around)) {
                continue;
            }
            // A note in the margin that repeats one below it is not written twice.
            let is_apart = |id| tree.text(id).is_some_and(|text| text.contains(char::is_alphanumeric));
            let repeats = tree.preceding(whole).take(3).take_while(|&id| !is_apart(id)).any(|id| {
                tree.descendants(id).take(6).any(|inner| match self.notes.roles.get(&inner) {
                    Some(&Role::Mark(place)) => self.notes.all.get(place).is_some_and(|note| !note.is_inline),
                    _ => false,
                })
            });
            if repeats {
                self.notes.roles.insert(whole, Role::Superfluous);
                continue;
            }
            let text = number.unwrap_or_else(|| (self.notes.all.len() + 1).to_string());
            // An element may be its own mark; what is in it is the note.
            self.add(&text, content, true, whole);
            self.clear(content, &text);
        }
    }
}

/// Whether an address's fragment is named as those of notes are.
fn hints_at_note(fragment: &str) -> bool {
    has_any(fragment, &["fn", "foot", "note", "cite", "ref", "bib", "ftn", "edn"])
}

/// The text of an element without white space at its ends, if it is at most so many bytes.
fn squeezed(tree: &Tree, id: NodeId, most: usize) -> Option<String> {
    let mut text = String::new();
    for inner in tree.descendants(id).take(24) {
        text.push_str(tree.text(inner).unwrap_or_default().trim());
        if text.len() > most {
            return None;
        }
    }
    Some(text)
}

/// A mark without brackets and stops.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '*' | '†' | '‡' | '§'))
}

/// The label of a mark: a number, a letter or a sign.
fn mark(tree: &Tree, id: NodeId) -> Option<String> {
    let text = squeezed(tree, id, 12)?;
    let name = bare(&text);
    let lower = name.to_ascii_lowercase();
    let number = ["note ", "nb ", "n ", "note", "nb"]
        .iter()
        .find_map(|start| lower.strip_prefix(start))
        .unwrap_or(&lower)
        .trim();
    let is_number =
        !number.is_empty() && number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    let raised = || {
        tree.upward(id).take(3).any(|around| tree.tag(around) == Tag::Sup)
            || tree.descendants(id).take(4).any(|inner| tree.tag(inner) == Tag::Sup)
    };
    let is_letter = lower.len() == 1
        && lower.bytes().all(|byte| byte.is_ascii_lowercase())
        && (raised() || text.starts_with('['));
    let is_sign = !name.is_empty()
        && name.chars().all(|c| matches!(c, '*' | '†' | '‡' | '§'))
        && name.chars().count() <= 3;
    (is_number || is_letter || is_sign).then(|| name.to_owned())
}

/// The element that holds the note which a link's target belongs to.
fn definition_at(tree: &Tree, target: NodeId) -> Option<NodeId> {
    let tag = tree.tag(target);
    let is_holder = |tag: Tag| {
        matches!(tag, Tag::Li | Tag::P | Tag::Div | Tag::Dd | Tag::Aside | Tag::Blockquote | Tag::Section)
    };
    if is_holder(tag) {
        return Some(target);
    }
    if tag.is_block() {
        return None;
    }
    let text = squeezed(tree, target, 24);
    if text.is_none() && tag == Tag::Span {
        return None;
    }
    let around = tree.ancestors(target).find(|&around| tree.tag(around).is_block())?;
    if let Some(holder) = below_number(tree, around, target) {
        return Some(holder);
    }
    let holder = Some(around).filter(|&around| is_holder(tree.tag(around)))?;
    // The target is in front of the note.
    let mut front = true;
    for id in tree.descendants(holder).take(MAX_NODES) {
        if id == target {
            return front.then_some(holder);
        }
        front &= tree.text(id).is_none_or(|text| !text.contains(char::is_alphanumeric));
    }
    None
}

/// The paragraph below a heading, or the definition of a term, that is the number of a note, as Texinfo and HeVeA write them.
fn below_number(tree: &Tree, heading: NodeId, target: NodeId) -> Option<NodeId> {
    let below = match tree.tag(heading) {
        Tag::Dt => Tag::Dd,
        tag => tag.heading_level().map(|_| Tag::P)?,
    };
    mark(tree, heading).filter(|_| tree.attr(target, "href").is_some_and(|href| href.starts_with('#')))?;
    let behind = tree.following(heading);
    behind.take(2).find(|&next| tree.is_element(next)).filter(|&next| tree.tag(next) == below)
}

/// Whether the parts of a link to a place are named as notes, or that place leads back.
fn is_note(tree: &Tree, candidate: &Candidate<'_>, definition: NodeId, fragment: &str) -> bool {
    let mut words = 0;
    for id in tree.descendants(definition).take(4 * MAX_NODES) {
        words += tree.text(id).map_or(0, str::len);
        if tree.tag(id).heading_level().is_some() || words > MAX_NOTE {
            return false;
        }
    }
    let mut chain = tree.upward(candidate.id).take(3);
    let named = chain.any(|id| {
        tree.tag(id) == Tag::Sup
            || ["class", "role", "rel", "data-type", "id"].iter().any(|name| {
                tree.attr(id, name).is_some_and(|value| {
                    let value = value.to_ascii_lowercase();
                    ["footnote", "noteref", "fnref", "endnote", "reference", "citation"]
                        .iter()
                        .any(|hint| value.contains(hint))
                })
            })
    });
    words > 0 && (named || hints_at_note(fragment))
}

/// Parts of the classes of links back.
const BACK: [&str; 6] = words("backref backlink back-link reversefootnote footnote-back footnote-return");

/// Whether a link leads from a note back to its mark.
fn is_back_link(tree: &Tree, id: NodeId) -> bool {
    let Some(href) = tree.attr(id, "href").filter(|href| href.contains('#')) else { return false };
    let named = tree.is_called(id, &BACK)
        || tree.attr(id, "role") == Some("doc-backlink")
        || tree.attr(id, "data-footnote-backref").is_some();
    let text = squeezed(tree, id, 24).unwrap_or_else(|| "long".to_owned());
    let is_sign = !text.is_empty()
        && text.chars().all(|c| matches!(c, '↩' | '↑' | '^' | '⤴' | '↵' | '⏎' | '\u{fe0e}' | '\u{fe0f}'));
    let is_short = bare(&text).len() <= 3 && (href.starts_with('#') || hints_at_note(href));
    named
        || is_sign
        || (is_short && hints_at_note(href) && href.contains("ref"))
        || text.starts_with("Jump up")
}

/// The block that starts with an element and has more content.
fn block_that_starts_with(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let block = tree.ancestors(id).find(|&around| tree.tag(around).is_block())?;
    if !matches!(tree.tag(block), Tag::P | Tag::Li | Tag::Div | Tag::Dd) {
        return None;
    }
    let mut before = tree.descendants(block).take(MAX_NODES).take_while(|&inner| inner != id);
    let starts = before.all(|inner| tree.text(inner).is_none_or(|text| text.trim().is_empty()));
    let more = tree
        .descendants(block)
        .take(MAX_NODES)
        .filter_map(|inner| tree.text(inner))
        .map(|text| text.trim().len())
        .sum::<usize>()
        > 8;
    (starts && more).then_some(block)
}

/// Classes of elements with the whole note in them.
const INLINE: [&str; 8] = words(
    "footnote sidenote marginnote footnotecontent footnote-content sidenote-content margin-note ltx_note_content",
);

/// The class of what LaTeXML says a note is.
const KIND: &str = "ltx_note_type";

/// Whether an element in a line holds a note of its own.
fn is_inline_note(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    if !matches!(tag, Tag::Span | Tag::Small) {
        return false;
    }
    let named = tree.classes(id).any(|name| INLINE.iter().any(|note| note.eq_ignore_ascii_case(name)));
    let in_line = || {
        tree.ancestors(id).take(5).map(|around| tree.tag(around)).any(|tag| {
            matches!(tag, Tag::P | Tag::Li | Tag::Dd | Tag::Blockquote | Tag::Td | Tag::Th | Tag::Figcaption)
                || tag.heading_level().is_some()
        })
    };
    let words = || {
        let texts = tree.descendants(id).take(MAX_NODES).filter_map(|inner| tree.text(inner));
        texts.map(|text| text.split_ascii_whitespace().count()).sum::<usize>()
    };
    named && in_line() && words() >= 3 && !noise::is_mark_again(tree, id)
}

/// Whether an element has nothing beside a note but its number.
fn around_is_mark(tree: &Tree, around: NodeId, content: NodeId) -> bool {
    tree.children(around)
        .filter(|&part| part != content)
        .all(|part| squeezed(tree, part, 8).is_some_and(|text| bare(&text).len() <= 3))
}
