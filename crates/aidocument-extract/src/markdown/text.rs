//! Text of the tree: without marks of layout, with formulas and raised digits written as such.

use std::borrow::Cow;

use super::Writer;
use crate::structure::tex;
use crate::tree::NodeId;
use crate::visibility::characters;

impl Writer<'_> {
    /// Takes a text node; returns true if the node is one. Text that is not chosen still separates
    /// words, but makes no code of blanks.
    pub(super) fn text(&mut self, id: NodeId) -> bool {
        let Some(text) = self.tree.text(id) else { return false };
        if self.selection.has(id) && (!self.tree.seen.is_unwritten(id) || self.is_in_note()) {
            let (clean, _) = characters::clean(text);
            let clean = if self.selection.is_whole() {
                clean
            } else {
                match without_layout(&clean) {
                    Cow::Borrowed(_) => clean,
                    Cow::Owned(text) => Cow::Owned(text),
                }
            };
            // The caller has asked for it: what is hidden would be left out.
            let hidden = self.tree.seen.mark(id).kept().filter(|_| !clean.trim().is_empty());
            let clean = match hidden {
                Some(reason) => Cow::Owned(format!("[hidden: {reason}] {} [/hidden] ", clean.trim())),
                None => clean,
            };
            let text = &*clean;
            if self.structure.tex_in_text && !self.inline.is_in_code() {
                self.text_with_formulas(text);
            } else {
                self.inline.text(text);
            }
        } else if !self.inline.is_in_code() || text.trim().is_empty() {
            self.inline.space();
        }
        true
    }

    pub(super) fn text_with_formulas(&mut self, text: &str) {
        for span in tex::spans(text) {
            self.inline.text(span.words);
            if let Some((source, is_display)) = span.formula
                && let Some(tex) = tex::clean(source)
            {
                self.inline.math(tex, is_display);
            }
        }
    }

    /// Writes the formula of an element; returns true if it is a formula, or repeats one.
    pub(super) fn formula(&mut self, id: NodeId) -> bool {
        if let Some(formula) = self.structure.formula(id) {
            if self.selection.has(id) {
                self.inline.math(formula.tex.clone(), formula.is_display);
            }
            return true;
        }
        self.structure.is_superfluous(id)
    }

    /// Writes a superscript number in superscript digits, since 10⁶ would become 106; returns true
    /// if the element is one.
    pub(super) fn raised(&mut self, id: NodeId) -> bool {
        let Some(only) = self.tree.first_child(id).filter(|&child| self.tree.next_sibling(child).is_none())
        else {
            return false;
        };
        let Some(text) = self.tree.text(only).filter(|_| self.selection.has(only)) else { return false };
        let raised: Option<String> = text.trim().chars().map(raised_digit).collect();
        match raised {
            Some(raised) if !raised.is_empty() && !self.inline.is_in_code() => {
                self.inline.text(&raised);
                true
            }
            _ => false,
        }
    }
}

/// The text with plain spaces for no-break ones, and without soft hyphens and other marks of where a line may break.
fn without_layout(text: &str) -> Cow<'_, str> {
    let may_have = text.as_bytes().iter().any(|byte| matches!(byte, 0xc2 | 0xe2 | 0xef));
    if !may_have || !text.contains(['\u{a0}', '\u{ad}', '\u{200b}', '\u{feff}']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{ad}' | '\u{feff}' => {}
            // Between words of scripts that write no spaces, it is one.
            '\u{200b}'
                if !out
                    .ends_with(|last| matches!(last, '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')) => {}
            '\u{a0}' => out.push(' '),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn raised_digit(c: char) -> Option<char> {
    let place = "0123456789+-−n".chars().position(|known| known == c)?;
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ".chars().nth(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_layout_go_but_for_spaces_of_scripts_without() {
        for (text, expected) in [
            ("a\u{a0}b", "a b"),
            ("co\u{ad}op", "coop"),
            ("\u{feff}a\u{200b}b\u{200b}", "ab"),
            ("ภาษา\u{200b}ไทย", "ภาษา\u{200b}ไทย"),
            ("ភាសា\u{200b}ខ្មែរ\u{feff}", "ភាសា\u{200b}ខ្មែរ"),
            ("ᠮ\u{200b}ᠯ", "ᠮᠯ"),
            ("a\u{200d}b é “c”", "a\u{200d}b é “c”"),
        ] {
            assert_eq!(without_layout(text), expected, "{text:?}");
        }
        assert!(matches!(without_layout("é“ﬁ”"), Cow::Borrowed(_)));
    }
}
