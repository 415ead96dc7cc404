//! Fingerprints, and the six steps of the normalisation behind them with what each changed.

use serde::Serialize;
use tct_fingerprint::{Step, Steps};

/// The fingerprint of a text: `sha256-` and 64 hex digits.
#[must_use]
pub fn fingerprint(text: &str) -> String {
    tct_fingerprint::fingerprint(text).to_string()
}

/// The normalised text, whose SHA-256 the fingerprint is.
#[must_use]
pub fn normalize(text: &str) -> String {
    tct_fingerprint::normalize(text).into_owned()
}

/// One step of the normalisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepTaken {
    /// `decoded`, `composed`, `folded`, `cleaned`, `collapsed` or `trimmed`.
    pub name: &'static str,
    /// The text after the step.
    pub text: String,
    /// What it changed, in order: start and end before, start and end after, in UTF-16 code units.
    pub changes: Vec<[usize; 4]>,
}

/// The six steps and the fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepsTaken {
    /// The steps in their order.
    pub steps: Vec<StepTaken>,
    /// The fingerprint of the text after the last.
    pub fingerprint: String,
}

/// The six steps, one after the other. `O(n)`, six copies of the text.
#[must_use]
pub fn steps(text: &str) -> StepsTaken {
    let taken = Steps::of(text);
    let mut before = text;
    let mut steps = Vec::with_capacity(Step::ALL.len());
    for (step, after) in taken.iter() {
        // How far apart the two sides of one change can be: the longest character reference with what it stands for, the
        // longest decomposition with its marks, the longest folding.
        let (name, reach) = match step {
            Step::Decoded => ("decoded", REFERENCE),
            Step::Composed => ("composed", 24),
            Step::Folded => ("folded", 6),
            Step::Cleaned => ("cleaned", 0),
            Step::Collapsed => ("collapsed", 0),
            _ => ("trimmed", 0),
        };
        let changes = match reach {
            0 => removals(before, after),
            reach => changes(before, after, reach),
        };
        steps.push(StepTaken { name, text: after.to_owned(), changes });
        before = after;
    }
    StepsTaken { steps, fingerprint: taken.fingerprint().to_string() }
}

/// No character reference with what it stands for is longer.
const REFERENCE: usize = 40;

/// Characters with the places where two texts are read.
struct Cursor<'a> {
    chars: &'a [char],
    at: usize,
    units: usize,
}

impl<'a> Cursor<'a> {
    fn new(chars: &'a [char]) -> Self {
        Cursor { chars, at: 0, units: 0 }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn advance(&mut self, by: usize) {
        for _ in 0..by {
            self.units += self.peek(0).map_or(0, char::len_utf16);
            self.at += 1;
        }
    }

    fn rest(&self) -> usize {
        self.chars.len().saturating_sub(self.at)
    }
}

/// Where two texts differ that were made from each other by local changes: after each difference, the nearest place
/// where three characters agree again. At most `reach` squared steps a character.
fn changes(before: &str, after: &str, reach: usize) -> Vec<[usize; 4]> {
    if before == after {
        return Vec::new();
    }
    let (a, b): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    let (mut a, mut b) = (Cursor::new(&a), Cursor::new(&b));
    let mut found: Vec<[usize; 4]> = Vec::new();
    loop {
        while a.peek(0).is_some() && a.peek(0) == b.peek(0) && !opens_reference(&a, &b, reach) {
            a.advance(1);
            b.advance(1);
        }
        if a.rest() == 0 && b.rest() == 0 {
            return found;
        }
        let (from, to) = (a.units, b.units);
        let (steps_a, steps_b) = meeting(&a, &b, reach);
        a.advance(steps_a);
        b.advance(steps_b);
        match found.last_mut() {
            Some([_, end, _, end_after]) if *end == from && *end_after == to => {
                (*end, *end_after) = (a.units, b.units);
            }
            _ => found.push([from, a.units, to, b.units]),
        }
    }
}

/// `&amp;` and the `&` that it stands for begin alike, and are shown as a whole.
fn opens_reference(a: &Cursor<'_>, b: &Cursor<'_>, reach: usize) -> bool {
    reach == REFERENCE && a.peek(0) == Some('&') && a.peek(1).is_some() && a.peek(1) != b.peek(1)
}

/// How many characters of each text lie before the nearest place where both go on alike.
fn meeting(a: &Cursor<'_>, b: &Cursor<'_>, reach: usize) -> (usize, usize) {
    // A reference that ends with `;` stands for one or two characters.
    if reach == REFERENCE
        && a.peek(0) == Some('&')
        && let Some(end) = (2..reach).find(|at| a.peek(*at) == Some(';'))
        && let Some(j) = (1..=2).find(|j| a.peek(end + 1) == b.peek(*j))
    {
        return (end + 1, j);
    }
    let agree = |i: usize, j: usize| (0..3).all(|k| a.peek(i + k) == b.peek(j + k));
    for sum in 1..=reach {
        for j in 0..=sum.min(b.rest()) {
            let i = sum - j;
            if i <= a.rest() && agree(i, j) {
                return (i, j);
            }
        }
    }
    (a.rest().min(1), b.rest().min(1))
}

/// The same where characters were only removed, or became a space each.
fn removals(before: &str, after: &str) -> Vec<[usize; 4]> {
    if before == after {
        return Vec::new();
    }
    let (a, b): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    let (mut a, mut b) = (Cursor::new(&a), Cursor::new(&b));
    let mut found: Vec<[usize; 4]> = Vec::new();
    // Nothing but spaces is removed at the end, so that the first of equal spaces may be taken for the one that is left,
    // except before the text begins.
    let leading = before.chars().take_while(|c| *c == ' ').count();
    let mut removed = if after.starts_with(' ') || leading == 0 { 0 } else { leading };
    while a.rest() > 0 {
        let (from, to) = (a.units, b.units);
        if removed == 0 && a.peek(0) == b.peek(0) {
            a.advance(1);
            b.advance(1);
            continue;
        }
        let becomes_space =
            removed == 0 && b.peek(0) == Some(' ') && matches!(a.peek(0), Some('\t' | '\n' | '\r'));
        a.advance(1);
        b.advance(usize::from(becomes_space));
        removed = removed.saturating_sub(1);
        match found.last_mut() {
            Some([_, end, _, end_after]) if *end == from && *end_after == to => {
                (*end, *end_after) = (a.units, b.units);
            }
            _ => found.push([from, a.units, to, b.units]),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The changes as pairs of texts, and the text that they make of the one before: it must be the one after.
    fn told(before: &str, step: &StepTaken) -> Vec<(String, String)> {
        let (a, b): (Vec<u16>, Vec<u16>) =
            (before.encode_utf16().collect(), step.text.encode_utf16().collect());
        let (mut made, mut at) = (Vec::new(), 0);
        let mut pairs = Vec::new();
        for [from, end, to, end_after] in &step.changes {
            made.extend_from_slice(&a[at..*from]);
            assert_eq!(made.len(), *to, "{before:?} {step:?}");
            made.extend_from_slice(&b[*to..*end_after]);
            at = *end;
            pairs.push((
                String::from_utf16_lossy(&a[*from..*end]),
                String::from_utf16_lossy(&b[*to..*end_after]),
            ));
        }
        made.extend_from_slice(&a[at..]);
        assert_eq!(made, b, "{before:?} {step:?}");
        pairs
    }

    fn all(text: &str) -> Vec<Vec<(String, String)>> {
        let taken = steps(text);
        let mut before = text.to_owned();
        let mut lists = Vec::new();
        for step in &taken.steps {
            lists.push(told(&before, step));
            before.clone_from(&step.text);
        }
        assert_eq!(before, normalize(text));
        assert_eq!(taken.fingerprint, fingerprint(text));
        lists
    }

    #[test]
    fn each_step_says_what_it_changed() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let lists = all("  Caf&eacute; &amp; Stra\u{df}e\u{7}\t\u{fb01}n\n ");
        assert_eq!(lists[0], [pair("&eacute;", "é"), pair("&amp;", "&")]);
        assert_eq!(lists[1], [pair("\u{fb01}", "fi")]);
        assert_eq!(lists[2], [pair("C", "c"), pair("S", "s"), pair("\u{df}", "ss")]);
        assert_eq!(lists[3], [pair("\u{7}", "")]);
        assert_eq!(lists[4], [pair(" ", ""), pair("\t", " "), pair("\n ", " ")]);
        assert_eq!(lists[5], [pair(" ", ""), pair(" ", "")]);
    }

    #[test]
    fn the_changes_of_every_vector_make_the_next_text() {
        let set = spec_vectors::set("tct/normalize").unwrap();
        for case in &set.cases {
            let _ = all(case.input["text"].as_str().unwrap());
        }
        for text in [
            "",
            "&",
            "&&amp;",
            "😀&#x1F600;😀",
            "ABC DEF GHI",
            "  \t ",
            "a\u{300}\u{301}b",
            "\u{1}\u{1} x \u{1} ",
        ] {
            let _ = all(text);
        }
    }

    #[test]
    fn time_is_linear_in_the_text() {
        let text = "&eacute;A\u{fb01}\u{df} \t".repeat(20_000);
        let taken = steps(&text);
        assert_eq!(taken.steps.len(), 6);
    }
}
