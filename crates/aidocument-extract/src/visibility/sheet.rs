//! Splits a style sheet into rules in one pass.
//!
//! Most of a sheet only affects the look of a page and is skipped: a rule is returned with the properties that it sets and a
//! hint which of them may hide. Only rules that matter to the page are then parsed by `cssparser`. Splitting follows CSS
//! Syntax 3: comments, strings, escapes, brackets, nested rules. Unusual declarations (with an escape or a comment) count as
//! hints for every property, so that they are parsed instead of guessed.

use std::collections::BTreeMap;

use super::VisibilityLimits;
use super::conditions::{self, media_query};
use super::hints::Hints;
use super::page_names::PageNames;
use super::property::{Properties, Property};
use crate::letters::ByteKinds;

/// When a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// On the screen that the verdict is for.
    Now,
    /// On another screen, or in a container of another size.
    Elsewhere,
}

/// A rule as it was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'a> {
    /// The text of its selectors.
    pub(super) selectors: &'a str,
    /// The place of the rule that it is nested in, among the outer ones.
    pub(super) outer: Option<usize>,
    pub(super) body: &'a str,
    pub(super) hints: Hints,
    /// The layer, the first one 0; rules outside of layers are in [`NO_LAYER`].
    pub(super) layer: u32,
    pub(super) when: When,
}

/// Rules outside of layers win over those inside.
pub(super) const NO_LAYER: u32 = 0xffff;

/// What the sheets of a page hold.
#[derive(Debug, Default)]
pub(super) struct Sheet<'a> {
    pub(super) rules: Vec<Found<'a>>,
    /// Selectors of rules that others are nested in, with the outer one of each.
    pub(super) outer: Vec<(&'a str, Option<usize>)>,
    /// The layers by their names, each with the one that it is in.
    layers: Vec<(u32, &'a str)>,
    /// Their order: those in a layer come before the layer's own rules.
    layer_order: Vec<u32>,
    /// What is known of media queries: a sheet repeats a few.
    media: Vec<(&'a str, Option<When>)>,
    /// Values of custom properties by their names; `None` where they have several.
    pub(super) customs: Customs<'a>,
    /// Whether a bound was met, and the rest not read.
    pub(super) is_cut: bool,
    limits: VisibilityLimits,
    /// The names of the page, should rules about others be passed over.
    pub(super) names: Option<PageNames>,
}

/// What bytes are to the pass, as bits: it stops there; they are not in plain selectors.
const STOP: u8 = 1;
const ODD_IN_SELECTORS: u8 = 1 << 1;

static SIGNS: ByteKinds = ByteKinds::of(&[(STOP, b"{};\"'\\/()[]"), (ODD_IN_SELECTORS, b";\"'\\/()[]")]);

/// How many bytes are searched for the start of a block. The search begins anew behind each comment, so without a bound it would take
/// quadratic time.
const AHEAD: usize = 2048;

/// The next brace, if it is near.
fn next_brace(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..bytes.len().min(from + AHEAD))?;
    Some(from + memchr::memchr2(b'{', b'}', rest)?)
}

/// Where the block of a rule that starts here opens, should it be plain that the next brace opens it.
fn start_of_block(bytes: &[u8], from: usize) -> Option<usize> {
    let brace = next_brace(bytes, from)?;
    let is_plain =
        bytes.get(brace) == Some(&b'{') && SIGNS.of_all(bytes.get(from..brace)?) & ODD_IN_SELECTORS == 0;
    is_plain.then_some(brace)
}

/// The end of a block without anything but declarations, should it be plain that the next brace is its end.
fn end_of_plain_block(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let end = memchr::memchr2(b'{', b'}', rest)?;
    let body = rest.get(..end)?;
    let is_plain = rest.get(end) == Some(&b'}')
        && memchr::memchr3(b'"', b'\'', b'\\', body).is_none()
        && memchr::memchr(b'*', body).is_none()
        && memchr::memrchr(b'(', body) <= memchr::memrchr(b')', body);
    is_plain.then_some(from + end)
}

/// See [`Sheet::customs`].
pub(super) type Customs<'a> = BTreeMap<&'a str, Option<&'a str>>;

/// Rules that are kept at most, whatever the caller allows: their order is a part of a declaration's rank.
pub(super) const MAX_RULES: u32 = (1 << 17) - 1;

/// Layers that are told apart.
const MAX_LAYERS: usize = 256;

/// Media queries that are remembered.
const MAX_MEDIA: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Rules are inside: `@media`, `@supports`, `@layer`.
    Rules,
    /// Declarations are inside, and perhaps nested rules.
    Body,
    /// Nothing of interest is inside.
    Skipped,
}

#[derive(Debug, Clone, Copy)]
struct Frame<'a> {
    kind: Kind,
    selectors: &'a str,
    outer: Option<usize>,
    /// The place of this rule among the outer ones, once it has a nested one.
    own: Option<usize>,
    when: When,
    layer: u32,
}

impl<'a> Sheet<'a> {
    /// A sheet without rules, of which so much is read.
    pub(super) fn new(limits: &VisibilityLimits) -> Self {
        Sheet { limits: limits.clone(), ..Sheet::default() }
    }

    /// Adds the rules of a `<style>` with such an attribute `media`. `O(n)`.
    pub(super) fn add(&mut self, text: &'a str, media: &str) {
        let Some(when) = media_query(media) else { return };
        let bytes = text.as_bytes();
        let root = Frame { kind: Kind::Rules, selectors: "", outer: None, own: None, when, layer: NO_LAYER };
        let mut frame = root;
        let mut stack: Vec<Frame<'a>> = Vec::new();
        let mut skipped = 0_usize;
        // Where the selectors or the declaration began, where the rule's declarations did, and what is known of them.
        let (mut start, mut body, mut odd) = (0, 0, false);
        let mut hints = Hints::default();
        let mut brackets = 0_usize;
        let mut at = 0;
        loop {
            if at == start && frame.kind == Kind::Rules {
                if let Some(end) = self.end_of_other_rule(text, at) {
                    (at, start) = (end, end);
                    continue;
                }
                at = start_of_block(bytes, at).unwrap_or(at);
            }
            let is_stop = |&byte: &u8| SIGNS.of_byte(byte) & STOP != 0;
            let Some(next) = bytes.get(at..).and_then(|rest| rest.iter().position(is_stop)) else { break };
            at += next;
            let Some(&byte) = bytes.get(at) else { break };
            match byte {
                b'/' if bytes.get(at + 1) == Some(&b'*') => {
                    let rest = bytes.get(at + 2..).unwrap_or_default();
                    let end = memchr::memmem::find(rest, b"*/").map_or(bytes.len(), |end| at + end + 4);
                    let before = text.get(start..at).unwrap_or_default();
                    if before.trim_ascii().is_empty() && brackets == 0 {
                        start = end;
                    } else {
                        odd = true;
                    }
                    at = end;
                    continue;
                }
                b'\\' => {
                    odd = true;
                    at += 1;
                }
                b'"' | b'\'' => {
                    at = end_of_string(bytes, at);
                    continue;
                }
                b'(' => {
                    if let Some(end) = end_of_url(bytes, at) {
                        at = end;
                        continue;
                    }
                    brackets += 1;
                }
                b'[' => brackets += 1,
                b')' | b']' => brackets = brackets.saturating_sub(1),
                _ if brackets > 0 => {}
                b';' => match frame.kind {
                    Kind::Body => {
                        self.note(text, (start, at), odd, &mut hints);
                        (start, odd) = (at + 1, false);
                    }
                    Kind::Rules => {
                        start = start_of_prelude(text, start, at);
                        let statement = text.get(start..at).unwrap_or_default().trim_ascii_end();
                        if statement.starts_with('@') {
                            self.statement(frame.layer, statement);
                            (start, odd) = (at + 1, false);
                        }
                    }
                    Kind::Skipped => {}
                },
                b'{' if frame.kind == Kind::Skipped => skipped += 1,
                b'{' => {
                    start = start_of_prelude(text, start, at);
                    let selectors = text.get(start..at).unwrap_or_default().trim_ascii_end();
                    if frame.kind == Kind::Body {
                        self.flush(&frame, text, body, start, hints);
                        hints = Hints::default();
                        if frame.own.is_none() {
                            frame.own = Some(self.outer.len());
                            self.outer.push((frame.selectors, frame.outer));
                        }
                    }
                    let inner = if stack.len() >= self.limits.nested_blocks as usize {
                        self.is_cut = true;
                        Frame { kind: Kind::Skipped, ..frame }
                    } else {
                        self.open(&frame, selectors)
                    };
                    stack.push(frame);
                    (frame, skipped) = (inner, 0);
                    (start, body, odd) = (at + 1, at + 1, false);
                }
                b'}' if frame.kind == Kind::Skipped && skipped > 0 => skipped -= 1,
                b'}' => {
                    if frame.kind == Kind::Body {
                        self.note(text, (start, at), odd, &mut hints);
                        self.flush(&frame, text, body, at, hints);
                        hints = Hints::default();
                    }
                    // One too many belongs to the next selectors, which it makes invalid.
                    if let Some(around) = stack.pop() {
                        frame = around;
                        (start, body, odd) = (at + 1, at + 1, false);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        if frame.kind == Kind::Body {
            self.note(text, (start, bytes.len()), odd, &mut hints);
            self.flush(&frame, text, body, bytes.len(), hints);
        }
    }

    /// The end of the rule that starts here, should it be plain that it is about no element of the page.
    fn end_of_other_rule(&self, text: &str, from: usize) -> Option<usize> {
        let names = self.names.as_ref()?;
        let bytes = text.as_bytes();
        let brace = next_brace(bytes, from)?;
        let is_other = bytes.get(brace) == Some(&b'{') && !names.may_match(text.get(from..brace)?);
        if is_other { Some(end_of_plain_block(bytes, brace + 1)? + 1) } else { None }
    }

    /// What a block opens whose text before it is this.
    fn open(&mut self, around: &Frame<'a>, selectors: &'a str) -> Frame<'a> {
        let Some(rule) = selectors.strip_prefix('@') else {
            // The value of a custom property.
            let kind = if selectors.starts_with("--") { Kind::Skipped } else { Kind::Body };
            return Frame { kind, selectors, outer: around.own, own: None, ..*around };
        };
        let end = rule.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rule.len());
        let (name, rest) = rule.split_at_checked(end).unwrap_or((rule, ""));
        let skipped = Frame { kind: Kind::Skipped, ..*around };
        // Around declarations it is of the same rule.
        let inside = Frame { own: around.own.filter(|_| around.kind == Kind::Rules), ..*around };
        match name.to_ascii_lowercase().as_str() {
            "media" => match self.media(rest) {
                None => skipped,
                Some(When::Now) => inside,
                Some(When::Elsewhere) => Frame { when: When::Elsewhere, ..inside },
            },
            "supports" => {
                if conditions::supports(&rest.to_ascii_lowercase()) {
                    inside
                } else {
                    skipped
                }
            }
            "scope" if !rest.contains(" to") => {
                // Its rules are about what is in there, as if they were nested in it.
                let root = rest.trim_ascii().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                let Some(root) = root else { return skipped };
                self.outer.push((root, around.own));
                Frame { own: Some(self.outer.len() - 1), ..inside }
            }
            "container" => Frame { when: When::Elsewhere, ..inside },
            "layer" => Frame { layer: self.layer(around.layer, rest.trim()), ..inside },
            _ => skipped,
        }
    }

    fn media(&mut self, text: &'a str) -> Option<When> {
        if let Some((_, known)) = self.media.iter().find(|(known, _)| *known == text) {
            return *known;
        }
        let found = media_query(text);
        if self.media.len() < MAX_MEDIA {
            self.media.push((text, found));
        }
        found
    }

    /// A rule without a block: `@layer` may name layers in advance.
    fn statement(&mut self, around: u32, text: &'a str) {
        if let Some(names) = text.strip_prefix("@layer") {
            for name in names.split(',') {
                self.layer(around, name.trim());
            }
        }
    }

    /// The layer of a name, such as `base.forms`, in another.
    fn layer(&mut self, around: u32, name: &'a str) -> u32 {
        let mut layer = around;
        for part in name.split('.') {
            let known = self.layers.iter().position(|known| *known == (layer, part) && !part.is_empty());
            let place = match known {
                Some(place) => place,
                None if self.layers.len() >= MAX_LAYERS => {
                    self.is_cut = true;
                    return layer;
                }
                None => {
                    let place = self.layers.len();
                    let before = self.layer_order.iter().position(|&other| other == layer);
                    let before = before.unwrap_or(self.layer_order.len());
                    self.layer_order.insert(before, place as u32);
                    self.layers.push((layer, part));
                    place
                }
            };
            layer = place as u32;
        }
        layer
    }

    /// Gives the rules the places of their layers, once all of these are known.
    pub(super) fn order_layers(&mut self) {
        let mut places = vec![0; self.layers.len()];
        for (place, &layer) in self.layer_order.iter().enumerate() {
            if let Some(slot) = places.get_mut(layer as usize) {
                *slot = place as u32;
            }
        }
        for rule in &mut self.rules {
            rule.layer = places.get(rule.layer as usize).copied().unwrap_or(NO_LAYER);
        }
    }

    /// Notes what a declaration sets, and whether it may hide.
    fn note(&mut self, text: &'a str, (from, to): (usize, usize), odd: bool, hints: &mut Hints) {
        if odd {
            *hints = Hints::ALL;
            return;
        }
        let declaration = text.get(from..to).unwrap_or_default();
        // Names are short.
        let Some(colon) = declaration.bytes().position(|byte| byte == b':') else { return };
        let (name, value) = declaration.split_at_checked(colon).unwrap_or_default();
        let (name, value) = (name.trim_ascii(), value.get(1..).unwrap_or_default().trim_ascii());
        if !name.starts_with("--") {
            if let Some(property) = Property::of(name) {
                hints.note(property, value);
            }
        } else if self.customs.len() >= self.limits.custom_properties as usize {
            self.is_cut = true;
        } else {
            let known = self.customs.entry(name).or_insert(Some(value));
            if known.is_some_and(|known| known != value) {
                *known = None;
            }
        }
    }

    fn flush(&mut self, frame: &Frame<'a>, text: &'a str, from: usize, to: usize, hints: Hints) {
        if hints.sets == Properties::default() {
            return;
        }
        if self.rules.len() >= self.limits.rules.min(MAX_RULES) as usize {
            self.is_cut = true;
            return;
        }
        self.rules.push(Found {
            selectors: frame.selectors,
            outer: frame.outer,
            body: text.get(from..to).unwrap_or_default(),
            hints,
            layer: frame.layer,
            when: frame.when,
        });
    }
}

/// Where the text before a block or an end begins, without the marks of comments that old pages put around their styles.
fn start_of_prelude(text: &str, from: usize, to: usize) -> usize {
    let mut prelude = text.get(from..to).unwrap_or_default().trim_ascii_start();
    while let Some(rest) = prelude.strip_prefix("<!--").or_else(|| prelude.strip_prefix("-->")) {
        prelude = rest.trim_ascii_start();
    }
    to - prelude.len()
}

fn end_of_string(bytes: &[u8], from: usize) -> usize {
    let quote = bytes.get(from).copied().unwrap_or_default();
    let mut at = from + 1;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(found) = memchr::memchr3(quote, b'\\', b'\n', rest) else { return bytes.len() };
        at += found;
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            // A line's end ends what was not closed.
            _ => return at + 1,
        }
    }
}

/// The end of an address without quotes whose bracket opens here.
fn end_of_url(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes.get(at.checked_sub(3)?..at)?;
    if !before.eq_ignore_ascii_case(b"url") {
        return None;
    }
    let rest = bytes.get(at + 1..)?;
    let first = rest.iter().find(|byte| !byte.is_ascii_whitespace())?;
    if matches!(first, b'"' | b'\'') {
        return None;
    }
    let mut end = at + 1;
    loop {
        let found = bytes.get(end..).and_then(|rest| memchr::memchr2(b')', b'\\', rest));
        // Without an end, it is all that follows.
        let Some(found) = found else { return Some(bytes.len()) };
        end += found;
        if bytes.get(end) == Some(&b')') {
            return Some(end + 1);
        }
        end += 2;
    }
}
