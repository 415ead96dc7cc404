//! TeX: cleaning it for output between dollars, and finding it between delimiters in running text.

use crate::letters::is_alphanumeric;

/// Longest formula in running text, in bytes; beyond it, a dollar has no partner.
const MAX_SPAN: usize = 4_000;

/// The formula in one line, without anything that a renderer of formulas or of plain CommonMark would read as markup.
/// `None` if nothing is left.
///
/// Comments, outer delimiters, a leading `\displaystyle` and inner dollars are removed, white space is folded, angle
/// brackets become `\lt` and `\gt`, and a backtick becomes `\lq`.
pub(crate) fn clean(tex: &str) -> Option<String> {
    // First of all: between two signs that are parted below, one would hide that they are.
    let tex: String = tex.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect();
    let mut out = String::with_capacity(tex.len());
    for line in tex.lines() {
        let mut rest = line;
        while let Some(at) = rest.find(['\\', '%', '<', '>', '`', '$', '\u{a0}', ']', '!']) {
            let (before, marked) = rest.split_at_checked(at).unwrap_or((rest, ""));
            out.push_str(before);
            let mut chars = marked.chars();
            let (Some(c), next) = (chars.next(), chars.clone().next()) else { break };
            rest = chars.as_str();
            match c {
                '\\' => {
                    out.push('\\');
                    // What is escaped stands for itself; an escaped dollar is no delimiter.
                    if let Some(next) = next.filter(|next| !matches!(next, '<' | '>' | '`' | '$')) {
                        out.push(next);
                        rest = rest.get(next.len_utf8()..).unwrap_or_default();
                    } else if next == Some('$') {
                        out.push_str("text{USD}");
                        rest = rest.get(1..).unwrap_or_default();
                    }
                }
                '%' => rest = "",
                '<' => out.push_str("\\lt "),
                '>' => out.push_str("\\gt "),
                '`' => out.push_str("\\lq "),
                '\u{a0}' => out.push(' '),
                ']' if next == Some('(') => out.push_str("] "),
                '!' if next == Some('[') => out.push_str("! "),
                '$' => {}
                c => out.push(c),
            }
        }
        out.push_str(rest);
        out.push(' ');
    }
    let mut folded = String::with_capacity(out.len());
    for word in out.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    let bare = bare(&folded);
    // A backslash at the end would escape the dollar behind it.
    let bare =
        if bare.ends_with('\\') && !bare.ends_with("\\\\") { bare.trim_end_matches('\\') } else { bare };
    let bare = bare.trim();
    (!bare.is_empty()).then(|| bare.to_owned())
}

/// Without delimiters, braces around the whole, and `\displaystyle` in front.
fn bare(tex: &str) -> &str {
    let mut tex = tex.trim();
    for (open, close) in [("\\(", "\\)"), ("\\[", "\\]")] {
        if let Some(inner) = tex.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            tex = inner.trim();
        }
    }
    for _ in 0..2 {
        for style in ["\\displaystyle", "\\textstyle"] {
            if let Some(rest) =
                tex.strip_prefix(style).filter(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
            {
                tex = rest.trim();
            }
        }
        if let Some(inner) = tex.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'))
            && is_balanced(inner)
        {
            tex = inner.trim();
        }
    }
    tex
}

/// Whether each closing brace has its opening one before it.
fn is_balanced(tex: &str) -> bool {
    let mut open = 0i32;
    let mut bytes = tex.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => _ = bytes.next(),
            b'{' => open += 1,
            b'}' => open -= 1,
            _ => {}
        }
        if open < 0 {
            return false;
        }
    }
    open == 0
}

/// Returns true if the text looks like TeX: it has a command, or braces after `^` or `_`.
pub(crate) fn is_tex(text: &str) -> bool {
    has_command(text) || text.contains("^{") || text.contains("_{")
}

/// Whether there is a backslash with two letters behind it.
pub(crate) fn has_command(text: &str) -> bool {
    text.match_indices('\\').any(|(at, _)| {
        text.as_bytes().get(at + 1..at + 3).is_some_and(|name| name.iter().all(u8::is_ascii_alphabetic))
    })
}

/// Whether a text has `$…$` or the like with such TeX between.
pub(crate) fn has_formula(text: &str, is_such: impl Fn(&str) -> bool) -> bool {
    memchr::memchr2(b'$', b'\\', text.as_bytes()).is_some()
        && spans(text).any(|span| span.formula.is_some_and(|(tex, _)| is_such(tex)))
}

/// A piece of running text: words, then perhaps a formula.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Span<'a> {
    pub(crate) words: &'a str,
    /// The TeX, and whether it is set on a line of its own.
    pub(crate) formula: Option<(&'a str, bool)>,
}

/// Cuts running text at its formulas: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, and `\begin{equation}…` and the like. `O(n)`.
pub(crate) fn spans(text: &str) -> impl Iterator<Item = Span<'_>> {
    let mut rest = text;
    // A delimiter that is never closed is not searched for again.
    let mut unclosed = [false; 4];
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut from = 0;
        while let Some(found) =
            rest.get(from..).and_then(|tail| memchr::memchr2(b'$', b'\\', tail.as_bytes()))
        {
            let at = from + found;
            let (words, marked) = rest.split_at_checked(at)?;
            if let Some((tex, is_display, length)) = formula_at(words, marked, &mut unclosed) {
                rest = marked.get(length..).unwrap_or_default();
                return Some(Span { words, formula: Some((tex, is_display)) });
            }
            // Past the character that was looked at, and the one that it escapes.
            let escapes = marked.starts_with('\\') && marked.as_bytes().get(1).is_some_and(u8::is_ascii);
            from = at + 1 + usize::from(escapes);
        }
        Some(Span { words: std::mem::take(&mut rest), formula: None })
    })
}

/// The formula that a text starts with, and its length with the delimiters.
fn formula_at<'a>(before: &str, text: &'a str, unclosed: &mut [bool; 4]) -> Option<(&'a str, bool, usize)> {
    let delimited = [("$$", "$$", true), ("\\(", "\\)", false), ("\\[", "\\]", true), ("\\begin{", "", true)];
    for ((open, close, is_display), unclosed) in delimited.into_iter().zip(unclosed) {
        let Some(inner) = text.strip_prefix(open).filter(|_| !*unclosed) else { continue };
        if close.is_empty() {
            let (name, _) = inner.split_once('}')?;
            let plain = name.trim_end_matches('*');
            if !matches!(
                plain,
                "equation" | "align" | "gather" | "eqnarray" | "multline" | "aligned" | "displaymath"
            ) {
                return None;
            }
            let end = format!("\\end{{{name}}}");
            let Some(length) = memchr::memmem::find(inner.as_bytes(), end.as_bytes()) else {
                *unclosed = true;
                return None;
            };
            let length = open.len() + length + end.len();
            return Some((text.get(..length)?, true, length));
        }
        let Some(end) = memchr::memmem::find(inner.as_bytes(), close.as_bytes()) else {
            *unclosed = true;
            return None;
        };
        let tex = inner.get(..end)?;
        let is_formula = !tex.trim().is_empty() && end <= MAX_SPAN && !tex.contains("\n\n");
        return is_formula.then_some((tex, is_display, open.len() + end + close.len()));
    }
    let inner = text.strip_prefix('$')?;
    let opens = !before.ends_with(is_alphanumeric) && !before.ends_with(['\\', '$']);
    let mut end = None;
    let mut bytes = inner.bytes().enumerate().take(MAX_SPAN);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => _ = bytes.next(),
            b'$' => {
                end = Some(at);
                break;
            }
            _ => {}
        }
    }
    let tex = inner.get(..end?)?;
    let after = inner.get(end? + 1..)?.chars().next();
    let tight = !tex.starts_with(char::is_whitespace) || is_tex(tex);
    let closes = !tex.ends_with(char::is_whitespace) || is_tex(tex);
    let is_formula = opens
        && tight
        && closes
        && !tex.trim().is_empty()
        && !after.is_some_and(|c| is_alphanumeric(c) || c == '$')
        && !tex.contains("\n\n");
    is_formula.then_some((tex, false, end? + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formulas(text: &str) -> Vec<(&str, bool)> {
        spans(text).filter_map(|span| span.formula).collect()
    }

    #[test]
    fn delimiters_in_text_are_found() {
        assert_eq!(formulas("let $x$ and \\(y\\) be"), [("x", false), ("y", false)]);
        assert_eq!(formulas("so $$a$$ and \\[b\\]."), [("a", true), ("b", true)]);
        assert_eq!(formulas("$ A \\subseteq B $"), [(" A \\subseteq B ", false)]);
        assert_eq!(formulas("\\begin{align}x\\end{align} y"), [("\\begin{align}x\\end{align}", true)]);
        for words in
            ["$5 and $10", "NZ$ and US$", "a \\$x$ b", "$", "$$", "\\( x", "price: $5", "x$y$z", "$x $"]
        {
            assert_eq!(formulas(words), [], "{words}");
        }
        let spans: Vec<Span<'_>> = spans("a $b$ c").collect();
        assert_eq!(spans[0], Span { words: "a ", formula: Some(("b", false)) });
        assert_eq!(spans[1], Span { words: " c", formula: None });
    }

    #[test]
    fn formulas_are_cleaned() {
        for (tex, expected) in [
            ("{\\displaystyle x^{2}}", "x^{2}"),
            (" a\n  + b % note\n c", "a + b c"),
            ("50\\% \\$", "50\\% \\text{USD}"),
            ("a<b>c", "a\\lt b\\gt c"),
            ("x](javascript:y)", "x] (javascript:y)"),
            ("\\[x\\]", "x"),
            ("`x", "\\lq x"),
            ("a\\", "a"),
            ("{a}+{b}", "{a}+{b}"),
            ("x\\\\ y", "x\\\\ y"),
            ("a $b$", "a b"),
        ] {
            assert_eq!(clean(tex).as_deref(), Some(expected), "{tex}");
        }
        assert_eq!(clean(" % only a comment"), None);
    }
}
