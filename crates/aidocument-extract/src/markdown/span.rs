//! The pieces of a paragraph as Markdown.
//!
//! Whether a delimiter of emphasis opens or closes depends on its neighbours, on the lengths of the runs and on other
//! open delimiters. So the paragraph is written, its delimiters are read back by the rules of CommonMark
//! ([`delimiter::misread`]): first with stars alone, as linters want them, then with underscores beside them, and marks that would
//! be misread are left out in another try.

use super::delimiter::{self, Delimiter, Shape, Side, side};
use super::escape::{self, Place};
use super::inline::{Atom, Mark, Target};
use crate::letters::is_alphanumeric;

/// Most tries to write a paragraph before all emphasis is left out.
const MAX_TRIES: usize = 6;

/// The paragraph's Markdown, with as much of its emphasis as can be read back.
pub(super) fn markdown(atoms: &mut Vec<Atom>, in_table: bool, is_exact: bool) -> String {
    if !is_exact {
        unmark_signs(atoms);
        // Three stars on either side may swap emphasis and what is strong in it.
        let (out, delimiters) = write(atoms, in_table, true);
        if delimiter::misread(&out, &delimiters).is_empty() {
            return out;
        }
    }
    for _ in 0..MAX_TRIES {
        let (out, delimiters) = write(atoms, in_table, false);
        let wrong = delimiter::misread(&out, &delimiters);
        if wrong.is_empty() {
            return out;
        }
        leave_out(atoms, &wrong);
    }
    let out: Vec<bool> = atoms.iter().map(|atom| matches!(atom, Atom::Open(_) | Atom::Close(_))).collect();
    remove(atoms, out);
    write(atoms, in_table, true).0
}

/// Removes pieces. Texts that then stand together become one, which is escaped as a whole.
fn remove(atoms: &mut Vec<Atom>, out: Vec<bool>) {
    let mut out = out.into_iter();
    atoms.retain(|_| !out.next().unwrap_or_default());
    atoms.dedup_by(|next, known| match (next, known) {
        (Atom::Text(next), Atom::Text(known)) => {
            known.push_str(next);
            true
        }
        _ => false,
    });
}

/// Removes marks around signs alone that touch a letter, such as a bold quotation mark: the letter would have to be written as a reference.
fn unmark_signs(atoms: &mut Vec<Atom>) {
    let touches = |at: usize, edge: fn(&str) -> Option<char>| match atoms.get(at) {
        Some(Atom::Text(text)) => edge(text).is_some_and(is_alphanumeric),
        _ => false,
    };
    let mut out = vec![false; atoms.len()];
    for (at, three) in atoms.windows(3).enumerate() {
        if let [Atom::Open(_), Atom::Text(text), Atom::Close(_)] = three
            && !text.contains(is_alphanumeric)
            && (at.checked_sub(1).is_some_and(|before| touches(before, |text| text.chars().next_back()))
                || touches(at + 3, |text| text.chars().next()))
            && let Some([open, _, close]) = out.get_mut(at..at + 3)
        {
            (*open, *close) = (true, true);
        }
    }
    remove(atoms, out);
}

/// Removes marks that would be misread, first those whose absence is invisible: the end of a mark right before the
/// start of the next of the same kind, then nested marks of the same kind, then all of them. `wrong` lists them in
/// order.
fn leave_out(atoms: &mut Vec<Atom>, wrong: &[usize]) {
    let mut out = vec![false; atoms.len()];
    let mut take = |at: usize| out.get_mut(at).map(|slot| *slot = true).is_some();
    let mut found = false;
    let mut last = None;
    for &at in wrong {
        let before = at.checked_sub(1).filter(|_| last == at.checked_sub(1));
        let pair = before.and_then(|before| Some((before, atoms.get(before)?, atoms.get(at)?)));
        last = Some(at);
        if let Some((before, Atom::Close(closed), Atom::Open(opened))) = pair
            && closed == opened
        {
            found |= take(before) && take(at);
        }
    }
    if !found {
        let mut open: Vec<(Mark, bool)> = Vec::new();
        let mut wrong = wrong.iter().copied().peekable();
        for (at, atom) in atoms.iter().enumerate() {
            let is_wrong = wrong.next_if_eq(&at).is_some();
            match atom {
                Atom::Open(mark) => {
                    let inside = is_wrong && open.iter().any(|(known, _)| known == mark);
                    open.push((*mark, inside));
                    found |= inside && take(at);
                }
                Atom::Close(mark) => {
                    let place = open.iter().rposition(|(known, _)| known == mark);
                    if place.is_some_and(|place| open.remove(place).1) {
                        take(at);
                    }
                }
                _ => {}
            }
        }
    }
    if !found {
        for &at in wrong {
            take(at);
        }
    }
    remove(atoms, out);
}

/// The Markdown of all pieces, and where its delimiters stand: all of them stars, or underscores where stars would be one run.
fn write(atoms: &[Atom], in_table: bool, are_stars: bool) -> (String, Vec<Delimiter>) {
    let text = atoms.iter().map(|atom| if let Atom::Text(text) = atom { text.len() } else { 16 });
    let mut out = String::with_capacity(text.sum::<usize>() + 16);
    let mut delimiters: Vec<Delimiter> = Vec::new();
    // What is open: the places of their delimiters.
    let mut marks: Vec<(Mark, usize)> = Vec::new();
    let mut targets: Vec<&Target> = Vec::new();
    // The next character of text must not be taken for a letter beside a delimiter.
    let mut encode_next = false;
    // Where the last span of code ended.
    let mut code_end = None;
    let closers = closers(atoms);
    let place = Place { in_table, guards_dollars: has_dollars_apart(atoms) };
    for (at, atom) in atoms.iter().enumerate() {
        let tail = atoms.get(at + 1..).unwrap_or_default();
        let encode = std::mem::take(&mut encode_next);
        match atom {
            Atom::Text(text) => {
                let mut text = text.as_str();
                if encode && let Some(c) = text.chars().next() {
                    out.push_str(&format!("&#{};", u32::from(c)));
                    text = text.get(c.len_utf8()..).unwrap_or_default();
                }
                if matches!(before(atoms, at), Some(Atom::Note(_))) && text.starts_with('(') {
                    // Without footnotes, a mark and this would be a link.
                    out.push('\\');
                }
                if matches!(before(atoms, at), Some(Atom::Math(..)))
                    && text.starts_with(|c: char| c.is_ascii_digit())
                {
                    out.push(' ');
                }
                escape::push_text(&mut out, text, first_char(tail), place);
            }
            Atom::Code(code) => {
                let after_code = code_end == Some(out.len());
                push_code(&mut out, code, in_table, after_code);
                code_end = Some(out.len());
            }
            Atom::Image(alt, target) => {
                out.push_str("![");
                escape::push_text(&mut out, alt, Some(']'), place);
                out.push(']');
                escape::push_target(&mut out, &target.url, target.title.as_deref(), place);
            }
            Atom::Math(tex, is_display) => push_math(&mut out, tex, *is_display, in_table),
            Atom::Note(mark) => out.push_str(mark),
            Atom::Raw(raw) => out.push_str(raw),
            Atom::Break if in_table => out.push(' '),
            Atom::Break => out.push_str("\\\n"),
            Atom::OpenLink(target) => {
                targets.push(target);
                delimiters.push(Delimiter { start: out.len(), atom: at, shape: Shape::OpenLink });
                out.push('[');
            }
            Atom::CloseLink => {
                delimiters.push(Delimiter { start: out.len(), atom: at, shape: Shape::CloseLink });
                out.push(']');
                if let Some(target) = targets.pop() {
                    escape::push_target(&mut out, &target.url, target.title.as_deref(), place);
                }
            }
            Atom::Open(mark) => {
                if side(first_char(tail)) == Side::Punctuation
                    && side(out.chars().next_back()) == Side::Letter
                {
                    encode_last(&mut out, before(atoms, at));
                }
                let close = closers.get(at).copied().unwrap_or(atoms.len());
                let after = first_char(atoms.get(close + 1..).unwrap_or_default());
                // Right behind another delimiter, stars would make one run with it.
                let behind = matches!(before(atoms, at), Some(Atom::Open(_) | Atom::Close(_)));
                let touches = behind && out.ends_with('*');
                let character = match mark {
                    Mark::Strike => '~',
                    _ if !are_stars && touches && side(after) != Side::Letter => '_',
                    _ => '*',
                };
                marks.push((*mark, delimiters.len()));
                push_delimiter(
                    &mut out,
                    &mut delimiters,
                    at,
                    Shape::Open { character, length: mark.length() },
                );
            }
            Atom::Close(mark) => {
                let Some(place) = marks.iter().rposition(|(open, _)| open == mark) else { continue };
                let (_, opener) = marks.remove(place);
                let Some(Shape::Open { character, length }) =
                    delimiters.get(opener).map(|opener| opener.shape)
                else {
                    continue;
                };
                encode_next = side(out.chars().next_back()) == Side::Punctuation
                    && matches!(tail.first(), Some(Atom::Text(text)) if side(text.chars().next()) == Side::Letter);
                push_delimiter(&mut out, &mut delimiters, at, Shape::Close { character, length, opener });
            }
        }
    }
    (out, delimiters)
}

/// Returns true if there are formulas, or dollars in more than one piece.
fn has_dollars_apart(atoms: &[Atom]) -> bool {
    let has = |text: &str| text.contains('$');
    let mut with_dollars = atoms.iter().filter(|atom| match atom {
        Atom::Math(..) => true,
        Atom::Text(text) | Atom::Code(text) => has(text),
        Atom::Image(alt, target) => has(alt) || has(&target.url) || target.title.as_deref().is_some_and(has),
        Atom::OpenLink(target) => has(&target.url) || target.title.as_deref().is_some_and(has),
        _ => false,
    });
    match with_dollars.next() {
        None => false,
        // An image, and a link with its target, are of several texts themselves.
        Some(Atom::Math(..) | Atom::Image(..) | Atom::OpenLink(_)) => true,
        Some(_) => with_dollars.next().is_some(),
    }
}

fn before(atoms: &[Atom], at: usize) -> Option<&Atom> {
    atoms.get(at.checked_sub(1)?)
}

fn push_delimiter(out: &mut String, delimiters: &mut Vec<Delimiter>, atom: usize, shape: Shape) {
    delimiters.push(Delimiter { start: out.len(), atom, shape });
    if let Shape::Open { character, length } | Shape::Close { character, length, .. } = shape {
        out.extend(std::iter::repeat_n(character, length));
    }
}

/// Writes the last letter as a character reference, which counts as punctuation.
fn encode_last(out: &mut String, before: Option<&Atom>) {
    let Some(c) = out.pop() else { return };
    // Between letters an underscore needs no escape; now it is at an edge.
    let is_text = matches!(before, Some(Atom::Text(text)) if text.chars().nth_back(1) == Some('_'));
    if is_text && !out.ends_with("\\_") {
        out.insert(out.len() - 1, '\\');
    }
    out.push_str(&format!("&#{};", u32::from(c)));
}

/// The character that the pieces start with.
fn first_char(atoms: &[Atom]) -> Option<char> {
    atoms.iter().find_map(|atom| match atom {
        // A no-break space at an edge is written as a reference.
        Atom::Text(text) => text.chars().next().map(|c| if c == '\u{a0}' { '&' } else { c }),
        Atom::Code(_) => Some('`'),
        Atom::Image(..) => Some('!'),
        Atom::Math(..) => Some('$'),
        Atom::Note(_) => Some('['),
        Atom::Raw(raw) => raw.chars().next(),
        Atom::Break => Some('\\'),
        Atom::Open(Mark::Strike) | Atom::Close(Mark::Strike) => Some('~'),
        Atom::Open(_) | Atom::Close(_) => Some('*'),
        Atom::OpenLink(_) => Some('['),
        Atom::CloseLink => Some(']'),
    })
}

/// For each opening mark, where it is closed; nothing where there is none.
fn closers(atoms: &[Atom]) -> Vec<usize> {
    if !atoms.iter().any(|atom| matches!(atom, Atom::Open(_))) {
        return Vec::new();
    }
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

/// Writes a formula between dollars, which count only where there is no digit beside them. In a table, a bar would end
/// the cell.
fn push_math(out: &mut String, tex: &str, is_display: bool, in_table: bool) {
    if out.ends_with(|c: char| c.is_ascii_digit() || c == '$') {
        out.push(' ');
    }
    let dollars = if is_display { "$$" } else { "$" };
    out.push_str(dollars);
    if in_table && tex.contains('|') {
        out.push_str(tex.replace("\\|", "\\Vert ").replace('|', "\\vert ").trim_end());
    } else {
        out.push_str(tex);
    }
    out.push_str(dollars);
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
