//! The tokenizer of the HTML standard, for complete pages.
//!
//! html5ever's own tokenizer accepts a page in pieces and reads it character by character. This one has the whole
//! page, so it finds the end of each construct by byte search and passes slices of the page's buffer to the tree
//! builder. html5ever reads the doctypes. The text of scripts, often half of a page, is left out with
//! [`Scripts::Skipped`], except for JSON-LD and TeX, because it is not needed.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    Tag as TagToken, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};

use super::references;
use crate::words::list::{LONGEST, Packed};

/// What to do with the text of `<script>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scripts {
    /// It is left out, except for JSON-LD.
    Skipped,
    Kept,
}

/// Bytes of a page whose slices share its buffer; a tendril counts in 32 bits.
const MAX_SHARED: usize = 1 << 31;

/// Bytes of one token's text.
const MAX_TEXT: usize = 1 << 30;

/// Sends all tokens of a page, then the end. Attributes take `room` where the sink leaves some there.
pub(super) fn run<S: TokenSink>(html: &str, sink: &S, room: &RefCell<Vec<Attribute>>, scripts: Scripts) {
    let html = unify_newlines(html);
    let shared = (html.len() < MAX_SHARED).then(|| StrTendril::from_slice(&html));
    let names = Names::default();
    let has_nul = memchr::memchr(0, html.as_bytes()).is_some();
    let reference = Cell::new(memchr::memchr(b'&', html.as_bytes()).unwrap_or(usize::MAX));
    let mut page = Page {
        html: &html,
        bytes: html.as_bytes(),
        shared,
        has_nul,
        reference,
        at: 0,
        names,
        sink,
        room,
        scripts,
    };
    while page.at < page.bytes.len() {
        page.step();
    }
    page.send(Token::EOFToken);
    sink.end();
}

/// The page with `\n` at the end of each line.
fn unify_newlines(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut unified = String::new();
    let mut from = 0;
    for at in memchr::memchr_iter(b'\r', bytes) {
        if unified.is_empty() {
            unified.reserve_exact(html.len());
        }
        unified.push_str(html.get(from..at).unwrap_or_default());
        unified.push('\n');
        from = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'\n'));
    }
    if from == 0 {
        return Cow::Borrowed(html);
    }
    unified.push_str(html.get(from..).unwrap_or_default());
    Cow::Owned(unified)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b' ')
}

/// A cache of frequent and recent names, each with its key: a page uses few, and looking one up among all HTML names takes
/// longer.
struct Names([(u128, LocalName); 128]);

/// A number for a name that no other name has; zero for long ones, which share it.
fn key_of(name: &str) -> u128 {
    match Packed::number(name.as_bytes()) {
        Some(number) if name.len() < LONGEST => number | (name.len() as u128) << 120,
        _ => 0,
    }
}

/// The place of a key among 128; long names have one together.
fn place_of(key: u128) -> usize {
    ((key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57) as usize
}

/// Names that hardly a page lacks.
const COMMON: [LocalName; 36] = [
    local_name!("a"),
    local_name!("alt"),
    local_name!("article"),
    local_name!("aside"),
    local_name!("body"),
    local_name!("br"),
    local_name!("charset"),
    local_name!("class"),
    local_name!("content"),
    local_name!("div"),
    local_name!("footer"),
    local_name!("form"),
    local_name!("h1"),
    local_name!("h2"),
    local_name!("head"),
    local_name!("header"),
    local_name!("href"),
    local_name!("html"),
    local_name!("id"),
    local_name!("img"),
    local_name!("input"),
    local_name!("lang"),
    local_name!("li"),
    local_name!("link"),
    local_name!("meta"),
    local_name!("name"),
    local_name!("nav"),
    local_name!("p"),
    local_name!("property"),
    local_name!("rel"),
    local_name!("script"),
    local_name!("span"),
    local_name!("src"),
    local_name!("title"),
    local_name!("type"),
    local_name!("ul"),
];

impl Default for Names {
    fn default() -> Self {
        let mut names = Names([const { (0, local_name!("")) }; 128]);
        for name in COMMON {
            let key = key_of(&name);
            if let Some(place) = names.0.get_mut(place_of(key)) {
                *place = (key, name);
            }
        }
        names
    }
}

impl Names {
    /// A name in lower case.
    fn of(&mut self, name: &str) -> LocalName {
        let key = key_of(name);
        let Some((known_key, known)) = self.0.get_mut(place_of(key)) else { return LocalName::from(name) };
        if *known_key != key || (key == 0 && &**known != name) {
            if name.bytes().any(|byte| byte.is_ascii_uppercase() || byte == 0) {
                return LocalName::from(without_nul(name).to_ascii_lowercase());
            }
            (*known_key, *known) = (key, LocalName::from(name));
        }
        known.clone()
    }
}

struct Page<'a, S> {
    html: &'a str,
    bytes: &'a [u8],
    shared: Option<StrTendril>,
    has_nul: bool,
    /// The first ampersand from some place on, which is asked for in the page's order.
    reference: Cell<usize>,
    /// Where the next construct starts.
    at: usize,
    names: Names,
    sink: &'a S,
    room: &'a RefCell<Vec<Attribute>>,
    scripts: Scripts,
}

impl<S: TokenSink> Page<'_, S> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn find(&self, byte: u8, from: usize) -> Option<usize> {
        memchr::memchr(byte, self.bytes.get(from..)?).map(|found| from + found)
    }

    fn find_text(&self, text: &[u8], from: usize) -> Option<usize> {
        memchr::memmem::find(self.bytes.get(from..)?, text).map(|found| from + found)
    }

    /// Sends a token that is not a tag, whose answer can be ignored.
    fn send(&self, token: Token) {
        let _: TokenSinkResult<S::Handle> = self.sink.process_token(token, 1);
    }

    /// A part of the page.
    fn slice(&self, from: usize, to: usize) -> StrTendril {
        let to = to.min(from + MAX_TEXT);
        let sizes = (u32::try_from(from), u32::try_from(to.saturating_sub(from)));
        // Shorter texts are in the tendril itself, and copied faster than they are shared.
        if to.saturating_sub(from) > 8
            && let (Some(shared), (Ok(from), Ok(length))) = (&self.shared, sizes)
            && let Ok(part) = shared.try_subtendril(from, length)
        {
            return part;
        }
        StrTendril::from_slice(self.html.get(from..to).unwrap_or_default())
    }

    /// One run of text, or one construct that `<` starts.
    fn step(&mut self) {
        let start = self.at;
        if self.byte(start) != Some(b'<') {
            let end = self.find(b'<', start).unwrap_or(self.bytes.len());
            self.text(start, end, true);
            self.at = end;
            return;
        }
        match self.byte(start + 1) {
            Some(byte) if byte.is_ascii_alphabetic() => self.tag(start + 1, TagKind::StartTag),
            Some(b'/') => match self.byte(start + 2) {
                Some(byte) if byte.is_ascii_alphabetic() => self.tag(start + 2, TagKind::EndTag),
                Some(b'>') => self.at = start + 3,
                Some(_) => self.bogus_comment(start + 2),
                None => {
                    self.text(start, start + 2, false);
                    self.at = start + 2;
                }
            },
            Some(b'!') => self.declaration(start + 2),
            Some(b'?') => self.bogus_comment(start + 1),
            _ => {
                let end = self.find(b'<', start + 1).unwrap_or(self.bytes.len());
                self.text(start, end, true);
                self.at = end;
            }
        }
    }

    /// Sends text of the page's body: character references are resolved if `resolve`, each NUL is a token of its own.
    fn text(&self, from: usize, to: usize, resolve: bool) {
        let mut at = from;
        while at < to {
            let part = self.bytes.get(at..to).unwrap_or_default();
            let nul = if self.has_nul { memchr::memchr(0, part) } else { None };
            let mut end = nul.map_or(to, |found| at + found).min(at + MAX_TEXT);
            while !self.html.is_char_boundary(end) {
                end -= 1;
            }
            if end > at {
                self.send(Token::CharacterTokens(self.resolved(at, end, resolve, false)));
                at = end;
            } else {
                self.send(Token::NullCharacterToken);
                at += 1;
            }
        }
    }

    /// A part of the page in which NUL is U+FFFD and character references are resolved if `resolve`.
    fn resolved(&self, from: usize, to: usize, resolve: bool, in_attribute: bool) -> StrTendril {
        let bytes = self.bytes.get(from..to).unwrap_or_default();
        let has_references = resolve && self.has_reference(from, to);
        let has_nul = self.has_nul && memchr::memchr(0, bytes).is_some();
        if !has_references && !has_nul {
            return self.slice(from, to);
        }
        let text = without_nul(self.html.get(from..to).unwrap_or_default());
        StrTendril::from_slice(&if resolve { references::resolve_all(&text, in_attribute) } else { text })
    }

    /// Whether there is an ampersand from a place up to another.
    fn has_reference(&self, from: usize, to: usize) -> bool {
        if self.reference.get() < from {
            self.reference.set(self.find(b'&', from).unwrap_or(usize::MAX));
        }
        self.reference.get() < to
    }

    /// A tag whose name starts at `name`, then the raw text that it may begin.
    fn tag(&mut self, name: usize, kind: TagKind) {
        let mut at = name;
        while self.byte(at).is_some_and(|byte| !is_space(byte) && !matches!(byte, b'/' | b'>')) {
            at += 1;
        }
        let mut tag = TagToken {
            kind,
            name: self.name(name, at),
            self_closing: false,
            attrs: if kind == TagKind::StartTag { self.room.take() } else { Vec::new() },
            had_duplicate_attributes: false,
        };
        let Some(end) = self.attributes(at, &mut tag) else {
            // The page ends inside the tag, which is dropped.
            self.at = self.bytes.len();
            return;
        };
        self.at = end;
        let silent = self.scripts == Scripts::Skipped && is_silent(&tag);
        match self.sink.process_token(Token::TagToken(tag), 1) {
            TokenSinkResult::RawData(raw) => {
                self.raw(raw, self.bytes.get(name..at).unwrap_or_default(), silent)
            }
            TokenSinkResult::Plaintext => {
                self.raw_text(self.at, self.bytes.len(), false);
                self.at = self.bytes.len();
            }
            // Nobody runs scripts or changes the encoding here.
            TokenSinkResult::Continue
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => {}
        }
    }

    /// Reads the attributes from behind the tag's name; gives the place behind its `>`.
    fn attributes(&mut self, from: usize, tag: &mut TagToken) -> Option<usize> {
        let mut at = from;
        loop {
            match self.byte(at)? {
                byte if is_space(byte) => at += 1,
                b'>' => return Some(at + 1),
                b'/' if self.byte(at + 1)? == b'>' => {
                    tag.self_closing = true;
                    return Some(at + 2);
                }
                b'/' => at += 1,
                _ => {
                    let name = at;
                    // An equals sign at the start belongs to the name.
                    at += 1;
                    while self
                        .byte(at)
                        .is_some_and(|byte| !is_space(byte) && !matches!(byte, b'/' | b'>' | b'='))
                    {
                        at += 1;
                    }
                    let name = (name, at);
                    while is_space(self.byte(at)?) {
                        at += 1;
                    }
                    let mut value = (at, at);
                    if self.byte(at)? == b'=' {
                        at += 1;
                        while is_space(self.byte(at)?) {
                            at += 1;
                        }
                        (value, at) = self.value(at)?;
                    }
                    self.add_attribute(tag, name, value);
                }
            }
        }
    }

    /// Where an attribute's value stands, and the place behind it.
    fn value(&self, at: usize) -> Option<((usize, usize), usize)> {
        match self.byte(at)? {
            quote @ (b'"' | b'\'') => {
                let end = self.find(quote, at + 1)?;
                Some(((at + 1, end), end + 1))
            }
            b'>' => Some(((at, at), at)),
            _ => {
                let rest = self.bytes.get(at..)?;
                let end = at + rest.iter().position(|&byte| is_space(byte) || byte == b'>')?;
                Some(((at, end), end))
            }
        }
    }

    fn add_attribute(&mut self, tag: &mut TagToken, name: (usize, usize), value: (usize, usize)) {
        if tag.kind == TagKind::EndTag || tag.attrs.len() >= super::MAX_ATTRIBUTES {
            return;
        }
        let name = QualName::new(None, ns!(), self.name(name.0, name.1));
        if tag.attrs.iter().any(|known| known.name.local == name.local) {
            tag.had_duplicate_attributes = true;
            return;
        }
        let is_name = matches!(name.local, local_name!("class") | local_name!("id"));
        let end = if is_name { self.end_of_names(value) } else { value.1 };
        let value = self.resolved(value.0, end, true, true);
        tag.attrs.push(Attribute { name, value });
    }

    /// Where the names end that are kept: those that are whole within [`MAX_NAMES`](super::MAX_NAMES).
    fn end_of_names(&self, (from, to): (usize, usize)) -> usize {
        if to - from <= super::MAX_NAMES {
            return to;
        }
        let kept = self.bytes.get(from..from + super::MAX_NAMES).unwrap_or_default();
        from + kept.iter().rposition(|&byte| is_space(byte)).unwrap_or(0)
    }

    /// The name of a tag or attribute, in lower case.
    fn name(&mut self, from: usize, to: usize) -> LocalName {
        self.names.of(self.html.get(from..to).unwrap_or_default())
    }

    /// The text of an element that holds nothing else; its end tag is the next construct.
    fn raw(&mut self, kind: RawKind, name: &[u8], silent: bool) {
        let end = match kind {
            RawKind::ScriptData => self.end_of_script(name),
            _ => self.end_tag(name, self.at),
        };
        let end = end.unwrap_or(self.bytes.len());
        if !silent {
            self.raw_text(self.at, end, kind == RawKind::Rcdata);
        }
        self.at = end;
    }

    /// Sends raw text, in which NUL is U+FFFD.
    fn raw_text(&self, from: usize, to: usize, resolve: bool) {
        let mut at = from;
        while at < to {
            let mut end = to.min(at + MAX_TEXT);
            while !self.html.is_char_boundary(end) {
                end -= 1;
            }
            let text = self.resolved(at, end, resolve, false);
            self.send(Token::CharacterTokens(text));
            at = end;
        }
    }

    /// Whether a name and its end stand at a place, in any case.
    fn has_name(&self, at: usize, name: &[u8]) -> bool {
        let found = self.bytes.get(at..at + name.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(name))
            && self.byte(at + name.len()).is_some_and(|byte| is_space(byte) || matches!(byte, b'/' | b'>'))
    }

    /// Where the element's end tag stands.
    fn end_tag(&self, name: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            at = self.find_text(b"</", at)?;
            if self.has_name(at + 2, name) {
                return Some(at);
            }
            at += 2;
        }
    }

    /// Where a script's end tag stands. One in a comment that a script in the script has opened does not count.
    fn end_of_script(&self, name: &[u8]) -> Option<usize> {
        let (mut in_comment, mut in_script) = (false, false);
        let mut at = self.at;
        loop {
            let rest = self.bytes.get(at..)?;
            at += if in_comment { memchr::memchr2(b'<', b'-', rest) } else { memchr::memchr(b'<', rest) }?;
            let rest = self.bytes.get(at..)?;
            if in_comment && rest.starts_with(b"-->") {
                (in_comment, in_script) = (false, false);
                at += 3;
            } else if !in_comment && rest.starts_with(b"<!--") {
                // Its dashes may be those of its end as well.
                in_comment = true;
                at += 2;
            } else if rest.starts_with(b"</") && self.has_name(at + 2, name) {
                if !in_script {
                    return Some(at);
                }
                in_script = false;
                at += 2;
            } else if in_comment && rest.starts_with(b"<") && self.has_name(at + 1, name) {
                in_script = true;
                at += 1;
            } else {
                at += 1;
            }
        }
    }

    /// What `<!` starts.
    fn declaration(&mut self, at: usize) {
        let rest = self.bytes.get(at..).unwrap_or_default();
        if rest.starts_with(b"--") {
            self.comment(at);
        } else if rest.get(..7).is_some_and(|start| start.eq_ignore_ascii_case(b"doctype")) {
            let end = self.find(b'>', at).map_or(self.bytes.len(), |end| end + 1);
            self.doctype(at - 2, end);
            self.at = end;
        } else if rest.starts_with(b"[CDATA[")
            && self.sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            let end = self.find_text(b"]]>", at + 7);
            self.text(at + 7, end.unwrap_or(self.bytes.len()), false);
            self.at = end.map_or(self.bytes.len(), |end| end + 3);
        } else {
            self.bogus_comment(at);
        }
    }

    /// A comment whose dashes start at a place. Its end may overlap them: `<!-->` is one.
    fn comment(&mut self, dashes: usize) {
        let start = dashes + 2;
        let plain = self.find_text(b"-->", dashes);
        let limit = plain.unwrap_or(self.bytes.len());
        let odd = self.bytes.get(start..limit).and_then(|text| memchr::memmem::find(text, b"--!>"));
        let (end, next) = match (odd, plain) {
            (Some(odd), _) => (start + odd, start + odd + 4),
            (None, Some(plain)) => (plain, plain + 3),
            (None, None) => {
                let text = self.bytes.get(start..).unwrap_or_default();
                let tail = [&b"--!"[..], b"--", b"-"].into_iter().find(|tail| text.ends_with(tail));
                (self.bytes.len() - tail.map_or(0, <[u8]>::len), self.bytes.len())
            }
        };
        self.send_comment(start, end.max(start));
        self.at = next;
    }

    fn bogus_comment(&mut self, start: usize) {
        let end = self.find(b'>', start).unwrap_or(self.bytes.len());
        self.send_comment(start, end);
        self.at = end + 1;
    }

    fn send_comment(&self, from: usize, to: usize) {
        self.send(Token::CommentToken(self.resolved(from, to, false, false)));
    }

    fn doctype(&self, from: usize, to: usize) {
        let found = Doctype::default();
        let options = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
        let tokenizer = Tokenizer::new(found, options);
        let input = BufferQueue::default();
        input.push_back(self.slice(from, to));
        // One token cannot pause.
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        if let Some(doctype) = tokenizer.sink.0.take() {
            self.send(doctype);
        }
    }
}

/// Keeps the first token that html5ever's tokenizer sends.
#[derive(Default)]
struct Doctype(Cell<Option<Token>>);

impl TokenSink for Doctype {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::DoctypeToken(_) = token {
            self.0.set(Some(token));
        }
        TokenSinkResult::Continue
    }
}

fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// Whether nobody reads the text that this start tag begins.
fn is_silent(tag: &TagToken) -> bool {
    match tag.name {
        local_name!("script") => {
            let kind = tag.attrs.iter().find(|attr| attr.name.local == local_name!("type"));
            !kind.is_some_and(|kind| {
                let kind = kind.value.to_ascii_lowercase();
                kind.contains("ld+json") || kind.contains("math/tex")
            })
        }
        _ => false,
    }
}
