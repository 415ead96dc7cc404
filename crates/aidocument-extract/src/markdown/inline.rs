//! Text of one paragraph, heading or cell: pieces in, one Markdown line (or several, at hard breaks) out.

use super::span;
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

    /// The characters of its delimiter.
    pub(super) fn length(self) -> usize {
        match self {
            Mark::Emphasis => 1,
            Mark::Strong | Mark::Strike => 2,
        }
    }
}

/// A link's target and title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) url: String,
    pub(super) title: Option<String>,
}

/// A piece of a paragraph.
#[derive(Debug, Clone)]
pub(super) enum Atom {
    Text(String),
    Code(String),
    Image(String, Target),
    /// TeX, and whether it is set on a line of its own.
    Math(String, bool),
    /// The mark of a footnote, which is written as it is.
    Note(String),
    /// Markup that is written as it is, such as a task's box.
    Raw(&'static str),
    Break,
    Open(Mark),
    Close(Mark),
    OpenLink(Target),
    CloseLink,
}

/// Most nested marks of one kind that are written; further ones change nothing for a reader. A link inside another is
/// not a link in Markdown.
const MAX_OPEN: [usize; 4] = [4, 4, 1, 1];

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
    /// Number of marks of each kind, then of links, that are nested too deep and not written.
    skipped: [u32; 4],
    space: bool,
    has_content: bool,
    /// Code that is being collected.
    code: Option<String>,
    code_depth: usize,
    /// Whether links in code stay links, with code before, in and behind them.
    keeps_links: bool,
    /// Whether to keep what no reader sees: marks in marks of their kind, where one ends and the next begins, links without text.
    is_exact: bool,
}

impl Inline {
    pub(super) fn new(is_exact: bool) -> Inline {
        Inline { is_exact, ..Inline::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.has_content
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            for (index, word) in text.split(|c: char| c.is_ascii_whitespace()).enumerate() {
                if index > 0 && !code.ends_with(' ') {
                    code.push(' ');
                }
                code.push_str(word);
            }
            return;
        }
        self.space |= text.starts_with(|c: char| c.is_ascii_whitespace());
        // Editors fill empty paragraphs with joiners.
        if text.chars().all(is_unseen) {
            return;
        }
        let mut words = text.split_ascii_whitespace();
        let Some(first) = words.next() else { return };
        self.flush_opens();
        self.has_content = true;
        self.space = text.ends_with(|c: char| c.is_ascii_whitespace());
        if !matches!(self.atoms.last(), Some(Atom::Text(_))) {
            self.atoms.push(Atom::Text(String::new()));
        }
        if let Some(Atom::Text(known)) = self.atoms.last_mut() {
            known.reserve(text.len());
            known.push_str(first);
            for word in words {
                known.push(' ');
                known.push_str(word);
            }
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
            let again = match (self.atoms.last(), atom) {
                (Some(Atom::Close(closed)), Atom::Open(opened)) => {
                    // The end of one and the start of the next would be four tildes.
                    closed == opened && (*opened == Mark::Strike || !self.is_exact)
                }
                _ => false,
            };
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
        if self.is_in_code() {
            self.text(alt);
            return;
        }
        let alt = alt.trim_matches(|c: char| c.is_whitespace() || is_unseen(c));
        let alt = alt.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        self.push(Atom::Image(alt, target));
    }

    pub(super) fn math(&mut self, tex: String, is_display: bool) {
        if self.is_in_code() {
            self.text(&tex);
            return;
        }
        self.push(Atom::Math(tex, is_display));
    }

    /// Adds a footnote mark right after the word before it.
    pub(super) fn note(&mut self, mark: String) {
        if self.is_in_code() {
            self.text(&mark);
            return;
        }
        self.space &= !self.has_content;
        self.push(Atom::Note(mark));
    }

    /// The last character of the text so far, if nothing separates it from the next.
    pub(super) fn last_char(&self) -> Option<char> {
        match self.atoms.last() {
            Some(Atom::Text(text)) if !self.space => text.chars().next_back(),
            // Only past what ends here: to look further back at each of many empty links would take quadratic time.
            Some(Atom::Close(_) | Atom::CloseLink) if !self.space => {
                match self.atoms.iter().rev().find(|atom| !matches!(atom, Atom::Close(_) | Atom::CloseLink)) {
                    Some(Atom::Text(text)) => text.chars().next_back(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn ends_in_break(&self) -> bool {
        matches!(self.atoms.last(), Some(Atom::Break))
    }

    pub(super) fn is_in_code(&self) -> bool {
        self.code.is_some()
    }

    pub(super) fn open(&mut self, mark: Mark) {
        self.open_atom(Atom::Open(mark));
    }

    pub(super) fn close(&mut self, mark: Mark) {
        self.close_atom(Atom::Close(mark));
    }

    pub(super) fn open_link(&mut self, target: Target) {
        self.between_code(|inline| inline.open_atom(Atom::OpenLink(target)));
    }

    /// Closes the link.
    pub(super) fn close_link(&mut self) {
        self.between_code(Inline::end_link);
    }

    /// Makes what comes a declaration, or ends it.
    pub(super) fn set_declaration(&mut self, is_on: bool) {
        if is_on {
            self.keeps_links = true;
            self.open_code();
        } else if self.keeps_links {
            self.close_code();
            self.keeps_links = false;
        }
    }

    fn between_code(&mut self, act: impl FnOnce(&mut Inline)) {
        let is_parted = self.keeps_links;
        if is_parted {
            self.close_code();
        }
        act(self);
        if is_parted {
            self.open_code();
        }
    }

    fn end_link(&mut self) {
        if self.is_exact && self.code.is_none() && self.written < self.open.len() {
            self.flush_opens();
            self.has_content = true;
        }
        self.trim_end();
        self.close_atom(Atom::CloseLink);
    }

    /// Puts blanks that are kept elsewhere, such as one that no line breaks at, outside of the link that ends here.
    fn trim_end(&mut self) {
        if let Some(Atom::Text(text)) = self.atoms.last_mut()
            && !self.is_exact
        {
            let kept = text.trim_end().len();
            if kept > 0 && kept < text.len() {
                text.truncate(kept);
                self.space = true;
            }
        }
    }

    fn open_atom(&mut self, atom: Atom) {
        let kind = atom.kind();
        let Some((skipped, most)) =
            kind.and_then(|kind| Some((self.skipped.get_mut(kind)?, *MAX_OPEN.get(kind)?)))
        else {
            return;
        };
        let most = if self.is_exact { most } else { 1 };
        if self.open.iter().filter(|open| open.kind() == kind).count() < most {
            self.open.push(atom);
        } else {
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

    /// Ends code. Blanks at its edges are outside of it, where that changes nothing for a reader.
    pub(super) fn close_code(&mut self) {
        self.code_depth = self.code_depth.saturating_sub(1);
        if self.code_depth == 0
            && let Some(code) = self.code.take()
            && !code.is_empty()
        {
            let inner = code.trim_matches(' ');
            if self.keeps_links && inner.is_empty() {
                self.space = true;
                return;
            }
            if (self.is_exact && !self.keeps_links) || inner.is_empty() {
                self.push(Atom::Code(code));
                return;
            }
            self.space |= code.starts_with(' ');
            self.push(Atom::Code(inner.to_owned()));
            self.space = code.ends_with(' ');
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
        self.trim_end();
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
        let text = plain(&atoms);
        let markdown = span::markdown(&mut atoms, in_table, self.is_exact);
        atoms.clear();
        self.atoms = atoms;
        (markdown, text)
    }
}

/// Returns true if a character is ASCII white space or has no width: zero-width spaces and joiners, a byte order
/// mark.
fn is_unseen(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

fn last_content(atoms: &[Atom]) -> Option<usize> {
    atoms.iter().rposition(|atom| !matches!(atom, Atom::Close(_) | Atom::CloseLink))
}

fn plain(atoms: &[Atom]) -> String {
    let parts = || {
        atoms.iter().filter_map(|atom| match atom {
            Atom::Text(text) | Atom::Code(text) | Atom::Math(text, _) | Atom::Note(text) => {
                Some(text.as_str())
            }
            Atom::Break => Some("\n"),
            _ => None,
        })
    };
    let mut out = String::with_capacity(parts().map(str::len).sum());
    out.extend(parts());
    out.truncate(out.trim_end().len());
    out.drain(..out.len() - out.trim_start().len());
    out
}
