//! Escaping of text: backslashes before everything that Markdown would read as markup.

use crate::letters::ByteKinds;
use crate::letters::is_alphanumeric;

/// The context of a piece of text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) in_table: bool,
    /// True if a renderer of formulas could read a dollar of this text and a later one (of another text, of code, or of a
    /// target) as a formula: there are formulas, or other pieces contain dollars too.
    pub(super) guards_dollars: bool,
}

/// Appends a piece of running text. `after` is the character that will follow.
pub(super) fn push_text(out: &mut String, text: &str, after: Option<char>, place: Place) {
    let mut rest = text;
    let last_closing = last_closing_dollar(text);
    while let Some(at) = rest.bytes().position(|byte| SPECIAL.of_byte(byte) != 0) {
        let (plain, marked) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let Some(c) = marked.chars().next() else { break };
        let tail = marked.get(c.len_utf8()..).unwrap_or_default();
        let previous = out.chars().next_back();
        // A no-break space may be written as a reference.
        let next = tail.chars().next().map(|c| if c == '\u{a0}' { '&' } else { c }).or(after);
        let special = match c {
            '\\' | '`' | '[' | ']' => true,
            '*' => !(is_gap(previous) && is_gap(next)),
            '_' => !(previous.is_some_and(is_alphanumeric) && next.is_some_and(is_alphanumeric)),
            '<' => opens_tag(next),
            '&' => starts_reference(tail, after),
            // About five, as in `~5`, opens nothing that anything closes.
            '~' => !(is_gap(previous) && next.is_some_and(|next| next.is_ascii_digit())),
            '|' => place.in_table,
            '$' => {
                let left = text.len() - tail.len();
                place.guards_dollars
                    || last_closing.is_some_and(|last| last >= left)
                        && next.is_some_and(|next| !next.is_whitespace() && !next.is_ascii_digit())
                        && !previous.is_some_and(|c| c.is_ascii_digit())
            }
            '!' => next == Some('[') && tail.is_empty(),
            _ => false,
        };
        if special {
            out.push('\\');
        }
        if c == '\u{a0}' && (marked.len() == text.len() || tail.is_empty()) {
            // At an edge of a paragraph or of emphasis a bare one would count as white space.
            out.push_str("&nbsp;");
        } else {
            out.push(c);
        }
        rest = tail;
    }
    out.push_str(rest);
}

/// The place of the last dollar that a renderer of formulas would read as the end of one.
fn last_closing_dollar(text: &str) -> Option<usize> {
    memchr::memrchr_iter(b'$', text.as_bytes()).find(|&at| {
        let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
        let digit = after.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
        !digit && before.chars().next_back().is_some_and(|c| !c.is_whitespace() && c != '$')
    })
}

/// Bytes that characters start with which need a closer look.
static SPECIAL: ByteKinds = ByteKinds::of(&[(1, b"\\`[]*_<&~|!$\xc2")]);

/// Whether a character makes a `<` before it the start of a tag, a comment, a declaration or an instruction.
fn opens_tag(next: Option<char>) -> bool {
    next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'))
}

fn is_gap(c: Option<char>) -> bool {
    c.is_none_or(char::is_whitespace)
}

/// Whether what follows an ampersand makes a character reference of it.
fn starts_reference(tail: &str, after: Option<char>) -> bool {
    let end = tail.find(|c: char| !c.is_ascii_alphanumeric() && c != '#');
    match end {
        Some(0) => false,
        Some(end) => end <= 32 && tail.get(end..).is_some_and(|rest| rest.starts_with(';')),
        None => !tail.is_empty() && after.is_some(),
    }
}

/// Escapes the start of a line that would open a block.
pub(super) fn guard_line(line: &str, first: bool) -> Option<String> {
    let bytes = line.as_bytes();
    let ends_at = |at: usize| bytes.get(at).is_none_or(|&byte| byte == b' ' || byte == b'\t');
    let at = match bytes.first()? {
        b'#' => {
            let level = bytes.iter().take_while(|&&byte| byte == b'#').count();
            // Some tools read `#1` as a heading.
            (level <= 6).then_some(0)
        }
        b'>' => Some(0),
        b'+' | b'-' | b'*' if ends_at(1) => Some(0),
        b'-' | b'=' | b':' | b'|' => {
            let rule = bytes.iter().all(|byte| matches!(byte, b'-' | b'=' | b' ' | b':' | b'|' | b'\\'));
            (rule && (!first || bytes.first() == Some(&b'-'))).then_some(0)
        }
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            (digits <= 9 && matches!(bytes.get(digits), Some(b'.' | b')')) && ends_at(digits + 1))
                .then_some(digits)
        }
        _ => None,
    }?;
    let (before, rest) = line.split_at_checked(at)?;
    Some(format!("{before}\\{rest}"))
}

/// Returns true if a paragraph starts like a link reference definition, `[label]:`. That is possible if the text of
/// a link contains code, in which nothing can be escaped.
pub(super) fn is_definition(paragraph: &str) -> bool {
    let Some(label) = paragraph.strip_prefix('[') else { return false };
    let mut bytes = label.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => _ = bytes.next(),
            b'[' => return false,
            b']' => return bytes.next() == Some(b':'),
            _ => {}
        }
    }
    false
}

/// Returns true if a footnote with this start would give its mark a target in readers without footnotes, for which
/// `[^1]: word` is a link definition. Web addresses are harmless there.
pub(super) fn is_address(note: &str) -> bool {
    let (word, rest) = note.split_once([' ', '\n']).unwrap_or((note, ""));
    let is_web = ["https://", "http://"].iter().any(|start| word.starts_with(start));
    let may_define = rest.trim_start().is_empty() || rest.trim_start().starts_with(['"', '\'', '(']);
    note.starts_with('<') || (may_define && !is_web && word.contains([':', '&', '\\']))
}

/// Appends a link's or image's target and title, with their parentheses.
pub(super) fn push_target(out: &mut String, target: &str, title: Option<&str>, place: Place) {
    out.push('(');
    let pointed = target.is_empty()
        || target.starts_with('<')
        || target.chars().any(|c| c.is_ascii_control() || c == ' ')
        || !balanced(target);
    if pointed {
        out.push('<');
    }
    for (at, c) in target.char_indices() {
        match c {
            '\n' | '\r' => {}
            '\\' | '<' | '`' => out.extend(['\\', c]),
            '>' if pointed => out.push_str("\\>"),
            '|' if place.in_table => out.push_str("\\|"),
            '$' if place.guards_dollars => out.push_str("\\$"),
            '&' if starts_reference(target.get(at + 1..).unwrap_or_default(), None) => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    if pointed {
        out.push('>');
    }
    if let Some(title) = title.filter(|title| !title.trim().is_empty()) {
        out.push_str(" \"");
        for (at, c) in title.char_indices() {
            let tail = title.get(at + c.len_utf8()..).unwrap_or_default();
            match c {
                '"' | '\\' | '`' => out.extend(['\\', c]),
                '&' if starts_reference(tail, None) => out.push_str("&amp;"),
                '<' if opens_tag(tail.chars().next()) => out.push_str("\\<"),
                '|' if place.in_table => out.push_str("\\|"),
                '$' if place.guards_dollars => out.push_str("\\$"),
                // An empty line would end the paragraph, and others may start a block.
                '\n' => out.push_str("&#10;"),
                '\r' => out.push_str("&#13;"),
                c => out.push(c),
            }
        }
        out.push('"');
    }
    out.push(')');
}

fn balanced(target: &str) -> bool {
    let mut open = 0i32;
    for byte in target.bytes() {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if !(0..=8).contains(&open) {
            return false;
        }
    }
    open == 0
}

/// Plain text must not look like markup: a space is added after a `<` that would start a tag.
pub(super) fn push_plain(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        let (before, after) = rest.split_at_checked(at + 1).unwrap_or((rest, ""));
        out.push_str(before);
        if opens_tag(after.chars().next()) {
            out.push(' ');
        }
        rest = after;
    }
    out.push_str(rest);
}
