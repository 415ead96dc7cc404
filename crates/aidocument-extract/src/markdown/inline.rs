//! Text of one paragraph, heading or cell: pieces in, one Markdown line (or several, at hard breaks) out.

use super::escape;
use crate::letters;
use crate::tree::Tag;

/// Emphasis of some kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Emphasis,
    Strong,
    Strike,
}

impl Mark {
    /// The mark that an element stands for.
    pub(super) fn of(tag: Tag) -> Option<Mark> {
        match tag {
            Tag::Em | Tag::I | Tag::Cite | Tag::Dfn => Some(Mark::Emphasis),
            Tag::Strong | Tag::B => Some(Mark::Strong),
            Tag::Del | Tag::S | Tag::Strike => Some(Mark::Strike),
            _ => None,
        }
    }
}

/// A link's target and title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) url: String,
    pub(super) title: Option<String>,
}

#[derive(Debug, Clone)]
enum Atom {
    Text(String),
    Code(String),
    Image(String, Target),
    /// Markup that is written as it is, such as a task's box.
    Raw(&'static str),
    Break,
    Open(Mark),
    Close(Mark),
    OpenLink(Target),
    CloseLink,
}

/// Stands for the delimiter of a mark that is left out, since one of its kind is open already.
const UNWRITTEN: char = '\0';

/// Marks of one kind inside one another that are written; more of the same changes nothing for a reader.
const MAX_MARKS: usize = 4;

impl Atom {
    /// A number for each kind of what opens and closes.
    fn kind(&self) -> Option<usize> {
        Some(match self {
            Atom::Open(Mark::Emphasis) | Atom::Close(Mark::Emphasis) => 0,
            Atom::Open(Mark::Strong) | Atom::Close(Mark::Strong) => 1,
            Atom::Open(Mark::Strike) | Atom::Close(Mark::Strike) => 2,
            Atom::OpenLink(_) | Atom::CloseLink => 3,
            _ => return None,
        })
    }
}

/// Collects the pieces of a paragraph; white space is folded as they come.
#[derive(Debug, Default)]
pub(super) struct Inline {
    atoms: Vec<Atom>,
    /// Marks and links that are open, outermost first; they stay open from paragraph to paragraph.
    open: Vec<Atom>,
    /// How many of `open` have been written, since content came after them.
    written: usize,
    /// Marks of each kind, then links, that were opened inside too many of theirs and are not written.
    skipped: [u32; 4],
    space: bool,
    has_content: bool,
    /// Code that is being collected.
    code: Option<String>,
    code_depth: usize,
}

impl Inline {
    pub(super) fn is_empty(&self) -> bool {
        !self.has_content
    }

    pub(super) fn text(&mut self, text: &str) {
        let mut rest = text;
        if let Some(code) = &mut self.code {
            for (index, word) in rest.split(|c: char| c.is_ascii_whitespace()).enumerate() {
                if index > 0 && !code.ends_with(' ') {
                    code.push(' ');
                }
                code.push_str(word);
            }
            return;
        }
        while !rest.is_empty() {
            let word_end = rest.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len());
            let (word, tail) = rest.split_at_checked(word_end).unwrap_or((rest, ""));
            if !word.is_empty() {
                self.flush_opens();
                match self.atoms.last_mut() {
                    Some(Atom::Text(known)) => known.push_str(word),
                    _ => self.atoms.push(Atom::Text(word.to_owned())),
                }
                self.has_content = true;
            }
            let trimmed = tail.trim_ascii_start();
            if trimmed.len() < tail.len() {
                self.space = true;
            }
            rest = trimmed;
        }
    }

    pub(super) fn space(&mut self) {
        match &mut self.code {
            Some(code) => code.push(' '),
            None => self.space = true,
        }
    }

    /// Writes the pending space, then the marks that waited for content.
    fn flush_opens(&mut self) {
        if std::mem::take(&mut self.space)
            && self.has_content
            && !matches!(self.atoms.last(), Some(Atom::Break))
        {
            match self.atoms.last_mut() {
                Some(Atom::Text(known)) => known.push(' '),
                _ => self.atoms.push(Atom::Text(" ".to_owned())),
            }
        }
        for atom in self.open.iter().skip(self.written) {
            let again = matches!(
                (self.atoms.last(), atom),
                (Some(Atom::Close(Mark::Strike)), Atom::Open(Mark::Strike))
            );
            // The end of one and the start of the next would be four tildes.
            if again {
                self.atoms.pop();
            } else {
                self.atoms.push(atom.clone());
            }
        }
        self.written = self.open.len();
    }

    fn push(&mut self, atom: Atom) {
        self.flush_opens();
        self.atoms.push(atom);
        self.has_content = true;
    }

    pub(super) fn raw(&mut self, raw: &'static str) {
        self.push(Atom::Raw(raw));
    }

    pub(super) fn line_break(&mut self) {
        if let Some(code) = &mut self.code {
            code.push(' ');
        } else if self.has_content {
            self.space = false;
            self.atoms.push(Atom::Break);
        }
    }

    pub(super) fn image(&mut self, alt: &str, target: Target) {
        if let Some(code) = &mut self.code {
            code.push_str(alt);
            return;
        }
        let alt = alt.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        self.push(Atom::Image(alt, target));
    }

    pub(super) fn open(&mut self, mark: Mark) {
        self.open_atom(Atom::Open(mark));
    }

    pub(super) fn close(&mut self, mark: Mark) {
        self.close_atom(Atom::Close(mark));
    }

    pub(super) fn open_link(&mut self, target: Target) {
        self.open_atom(Atom::OpenLink(target));
    }

    /// Closes the link; one without content is written only where `keep_empty`.
    pub(super) fn close_link(&mut self, keep_empty: bool) {
        if keep_empty && self.code.is_none() && self.written < self.open.len() {
            self.flush_opens();
            self.has_content = true;
        }
        self.close_atom(Atom::CloseLink);
    }

    fn open_atom(&mut self, atom: Atom) {
        let kind = atom.kind();
        if self.open.iter().filter(|open| open.kind() == kind).count() < MAX_MARKS {
            self.open.push(atom);
        } else if let Some(skipped) = kind.and_then(|kind| self.skipped.get_mut(kind)) {
            *skipped += 1;
        }
    }

    fn close_atom(&mut self, close: Atom) {
        let kind = close.kind();
        if let Some(skipped) =
            kind.and_then(|kind| self.skipped.get_mut(kind)).filter(|skipped| **skipped > 0)
        {
            *skipped -= 1;
            return;
        }
        let Some(place) = self.open.iter().rposition(|open| open.kind() == kind) else { return };
        self.open.remove(place);
        if place < self.written {
            self.written -= 1;
            // Behind a line break, a delimiter closes nothing.
            let breaks = self.atoms.iter().rev().take_while(|atom| matches!(atom, Atom::Break)).count();
            self.atoms.insert(self.atoms.len() - breaks, close);
        }
    }

    pub(super) fn open_code(&mut self) {
        self.code_depth += 1;
        self.code.get_or_insert_default();
    }

    pub(super) fn close_code(&mut self) {
        self.code_depth = self.code_depth.saturating_sub(1);
        if self.code_depth == 0
            && let Some(code) = self.code.take()
            && !code.is_empty()
        {
            self.push(Atom::Code(code));
        }
    }

    /// The paragraph's Markdown and plain text; what is open goes on in the next one.
    pub(super) fn take(&mut self, in_table: bool) -> (String, String) {
        if let Some(code) = self.code.take() {
            if !code.trim_ascii().is_empty() {
                self.push(Atom::Code(code));
            }
            self.code = Some(String::new());
        }
        let mut atoms = std::mem::take(&mut self.atoms);
        for atom in self.open.iter().take(self.written).rev() {
            atoms.push(match atom {
                Atom::Open(mark) => Atom::Close(*mark),
                _ => Atom::CloseLink,
            });
        }
        self.written = 0;
        self.space = false;
        self.has_content = false;
        while let Some(at) = last_content(&atoms).filter(|&at| matches!(atoms.get(at), Some(Atom::Break))) {
            atoms.remove(at);
        }
        (markdown(&atoms, in_table), plain(&atoms))
    }
}

fn last_content(atoms: &[Atom]) -> Option<usize> {
    atoms.iter().rposition(|atom| !matches!(atom, Atom::Close(_) | Atom::CloseLink))
}

fn plain(atoms: &[Atom]) -> String {
    let mut out = String::new();
    for atom in atoms {
        match atom {
            Atom::Text(text) | Atom::Code(text) => out.push_str(text),
            Atom::Break => out.push('\n'),
            _ => {}
        }
    }
    out.trim().to_owned()
}

/// What the neighbour of a delimiter looks like to the rules of emphasis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Space,
    Punctuation,
    Letter,
}

fn side(c: Option<char>) -> Side {
    match c {
        None => Side::Space,
        Some(c) if c.is_whitespace() => Side::Space,
        Some(c) if letters::is_alphanumeric(c) => Side::Letter,
        // Symbols count as punctuation in CommonMark 0.31; marks and the like are letters here.
        Some(c) if c.is_ascii() || is_punctuation(c) => Side::Punctuation,
        Some(_) => Side::Letter,
    }
}

/// The blocks of Unicode that hold punctuation and symbols, roughly: a letter taken for one is written as a
/// character reference, which reads the same.
fn is_punctuation(c: char) -> bool {
    matches!(c, '\u{a1}'..='\u{bf}' | '×' | '÷' | '\u{2010}'..='\u{2bff}' | '\u{2e00}'..='\u{2e7f}'
        | '\u{3001}'..='\u{303f}' | '\u{30fb}' | '\u{fe10}'..='\u{fe1f}' | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}'
        | '\u{ff5b}'..='\u{ff65}' | '\u{1f000}'..='\u{1faff}')
}

fn first_char(atoms: &[Atom]) -> Option<char> {
    atoms.iter().find_map(|atom| match atom {
        // A no-break space at an edge is written as a reference.
        Atom::Text(text) => text.chars().next().map(|c| if c == '\u{a0}' { '&' } else { c }),
        Atom::Code(_) => Some('`'),
        Atom::Image(..) => Some('!'),
        Atom::Raw(raw) => raw.chars().next(),
        Atom::Break => Some('\\'),
        Atom::Open(Mark::Strike) | Atom::Close(Mark::Strike) => Some('~'),
        Atom::Open(_) | Atom::Close(_) => Some('*'),
        Atom::OpenLink(_) => Some('['),
        Atom::CloseLink => Some(']'),
    })
}

fn markdown(atoms: &[Atom], in_table: bool) -> String {
    let mut out = String::new();
    // Marks that are open: the delimiter, and whether it might be read as a closing one.
    let mut delimiters: Vec<(Mark, char, bool)> = Vec::new();
    let mut targets: Vec<&Target> = Vec::new();
    // The next character of text must not be taken for a letter beside a delimiter.
    let mut encode_next = false;
    // Where the last span of code ended.
    let mut code_end = None;
    let closers = closers(atoms);
    for (at, atom) in atoms.iter().enumerate() {
        let tail = atoms.get(at + 1..).unwrap_or_default();
        match atom {
            Atom::Text(text) => {
                let mut text = text.as_str();
                if encode_next && let Some(c) = text.chars().next() {
                    out.push_str(&format!("&#{};", u32::from(c)));
                    text = text.get(c.len_utf8()..).unwrap_or_default();
                }
                escape::push_text(&mut out, text, first_char(tail), in_table);
            }
            Atom::Code(code) => {
                let after_code = code_end == Some(out.len());
                push_code(&mut out, code, in_table, after_code);
                code_end = Some(out.len());
            }
            Atom::Image(alt, target) => {
                out.push_str("![");
                escape::push_text(&mut out, alt, Some(']'), in_table);
                out.push(']');
                escape::push_target(&mut out, &target.url, target.title.as_deref(), in_table);
            }
            Atom::Raw(raw) => out.push_str(raw),
            Atom::Break if in_table => out.push(' '),
            Atom::Break => out.push_str("\\\n"),
            Atom::OpenLink(target) => {
                targets.push(target);
                out.push('[');
            }
            Atom::CloseLink => {
                out.push(']');
                if let Some(target) = targets.pop() {
                    escape::push_target(&mut out, &target.url, target.title.as_deref(), in_table);
                }
            }
            Atom::Open(mark) => {
                let previous = out.chars().next_back();
                let close = closers.get(at).copied().unwrap_or(atoms.len());
                let is_open = |mark: &Mark| delimiters.iter().any(|(open, ..)| open == mark);
                let behind = atoms.get(close + 1..).unwrap_or_default();
                // A mark inside one of its kind is seldom written.
                let unwritten = |atom: &&Atom| matches!(atom, Atom::Open(inner) if is_open(inner));
                let skipped = behind.iter().take_while(unwritten).count();
                let after = first_char(behind.get(skipped..).unwrap_or_default());
                let touches = previous == Some('*') && ends_with_delimiter(atoms, at);
                let delimiter = match mark {
                    Mark::Strike => '~',
                    _ if touches && side(after) != Side::Letter => '_',
                    _ => '*',
                };
                // Inside a mark of its kind, the delimiter must not be able to close that one, two stars in a row be
                // another mark, or four tildes a fence.
                let before = at.checked_sub(1).and_then(|at| atoms.get(at));
                let twin = matches!(before, Some(Atom::Open(open)) if open == mark);
                let clear = match mark {
                    Mark::Strike => false,
                    Mark::Strong if twin && !starts_with_letter(tail) => {
                        let known = |(open, used, _): &(Mark, char, bool)| open == mark && *used == delimiter;
                        side(after) != Side::Letter && !delimiters.iter().any(known)
                    }
                    Mark::Strong if twin => side(after) != Side::Letter,
                    Mark::Emphasis if twin => delimiter == '_',
                    _ if matches!(before, Some(Atom::Open(_) | Atom::Close(_))) => false,
                    _ if ends_in_doubt(atoms, close, &delimiters) => false,
                    _ => match side(previous) {
                        Side::Space => true,
                        Side::Punctuation => side(first_char(tail)) == Side::Letter,
                        Side::Letter => false,
                    },
                };
                if !clear && is_open(mark) {
                    delimiters.push((*mark, UNWRITTEN, false));
                    continue;
                }
                if side(first_char(tail)) == Side::Punctuation
                    && side(previous) == Side::Letter
                    && let Some(c) = out.pop()
                {
                    out.push_str(&format!("&#{};", u32::from(c)));
                }
                push_delimiter(&mut out, *mark, delimiter);
                delimiters.push((*mark, delimiter, side(previous) != Side::Space));
            }
            Atom::Close(mark) => {
                let delimiter = match delimiters.iter().rposition(|(open, ..)| open == mark) {
                    Some(place) => delimiters.remove(place).1,
                    None => '*',
                };
                if delimiter == UNWRITTEN {
                    continue;
                }
                let previous = side(out.chars().next_back());
                push_delimiter(&mut out, *mark, delimiter);
                encode_next = previous == Side::Punctuation
                    && matches!(tail.first(), Some(Atom::Text(text)) if side(text.chars().next()) == Side::Letter);
                continue;
            }
        }
        encode_next = false;
    }
    out
}

/// For each opening mark, where it is closed.
fn closers(atoms: &[Atom]) -> Vec<usize> {
    let mut found = vec![atoms.len(); atoms.len()];
    let mut open: Vec<(Mark, usize)> = Vec::new();
    for (at, atom) in atoms.iter().enumerate() {
        match atom {
            Atom::Open(mark) => open.push((*mark, at)),
            Atom::Close(mark) => {
                if let Some(place) = open.iter().rposition(|(known, _)| known == mark)
                    && let Some(slot) = found.get_mut(open.remove(place).1)
                {
                    *slot = at;
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether the marks that open here are followed by a letter, so that their delimiters cannot close anything.
fn starts_with_letter(atoms: &[Atom]) -> bool {
    let opens = atoms.iter().take_while(|atom| matches!(atom, Atom::Open(_))).count();
    side(first_char(atoms.get(opens..).unwrap_or_default())) == Side::Letter
}

/// Whether the delimiter that closes at a place ends together with one around it, and one of them could open as well as
/// close: then the lengths of opening and closing must not add up to a multiple of three.
fn ends_in_doubt(atoms: &[Atom], close: usize, delimiters: &[(Mark, char, bool)]) -> bool {
    let stars = |atom: &&Atom| matches!(atom, Atom::Close(Mark::Emphasis | Mark::Strong));
    let behind = atoms.get(close + 1..).unwrap_or_default();
    let joined = behind.iter().take_while(stars).count();
    let after = first_char(behind.get(joined..).unwrap_or_default());
    let inside = match close.checked_sub(1).and_then(|last| atoms.get(last)) {
        Some(Atom::Text(text)) => side(text.chars().next_back()),
        _ => Side::Punctuation,
    };
    let may_open = inside == Side::Punctuation && side(after) == Side::Punctuation;
    let may_close = delimiters.iter().rev().take(joined).any(|(.., may_close)| *may_close);
    joined > 0 && (may_open || may_close)
}

/// Whether a delimiter stands right before the atom.
fn ends_with_delimiter(atoms: &[Atom], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| atoms.get(before))
        .is_some_and(|atom| matches!(atom, Atom::Open(_) | Atom::Close(_)))
}

fn push_delimiter(out: &mut String, mark: Mark, delimiter: char) {
    out.push(delimiter);
    if mark != Mark::Emphasis {
        out.push(delimiter);
    }
}

fn push_code(out: &mut String, code: &str, in_table: bool, after_code: bool) {
    let mut longest = 0;
    let mut run = 0;
    let mut runs: u64 = 0;
    for byte in code.bytes().chain(std::iter::once(b' ')) {
        if byte == b'`' {
            run += 1;
        } else {
            if run > 0 && run < 64 {
                runs |= 1 << run;
            }
            longest = longest.max(run);
            run = 0;
        }
    }
    // The shortest fence that the code does not hold itself.
    let fence = (1..64usize).find(|length| runs & (1 << length) == 0).unwrap_or(longest + 1);
    let pad = code.starts_with('`')
        || code.ends_with('`')
        || (code.starts_with(' ') && code.ends_with(' ') && !code.trim_ascii().is_empty());
    if after_code {
        // Two spans in a row would join their fences.
        out.push_str("&#8203;");
    }
    out.extend(std::iter::repeat_n('`', fence));
    if pad {
        out.push(' ');
    }
    for c in code.chars() {
        if c == '|' && in_table {
            out.push('\\');
        }
        out.push(c);
    }
    if pad {
        out.push(' ');
    }
    out.extend(std::iter::repeat_n('`', fence));
}
