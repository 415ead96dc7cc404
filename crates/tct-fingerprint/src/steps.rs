//! The pipeline step by step: one pass over the text for each step of the specification.
//!
//! Draft -01 makes the steps an optional profile; there is one pipeline here for both drafts (TCT-D01-7).
//!
//! It shows at which step two programs differ, and it is the oracle for the tests of the one-pass kernel.

use alloc::string::String;

use crate::unicode::{self, Folded};
use crate::{Fingerprint, references};

/// A step of the normalisation, in the order in which they are taken.
///
/// Spec: TCT draft-00, "Content Normalization"; TCT-FP-9, TCT-AMB-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Step {
    /// Step 1: HTML character references are decoded. TCT-FP-2.
    Decoded,
    /// Step 2: Unicode normalisation form NFKC. TCT-FP-3.
    Composed,
    /// Step 3: full case folding, the same in every locale. TCT-FP-4.
    Folded,
    /// Step 4: control characters except TAB, LF and CR are dropped. TCT-FP-5.
    Cleaned,
    /// Step 5: each run of space, TAB, LF and CR becomes one space. TCT-FP-6.
    Collapsed,
    /// Step 6: the space at the start and at the end is dropped. TCT-FP-7.
    Trimmed,
}

impl Step {
    /// All steps in their order.
    pub const ALL: [Step; 6] =
        [Step::Decoded, Step::Composed, Step::Folded, Step::Cleaned, Step::Collapsed, Step::Trimmed];
}

/// A text after each of the six steps. The seventh, the hash, is [`Steps::fingerprint`].
///
/// Use this to find the step at which two implementations differ. It makes up to six copies of the text;
/// [`fingerprint`](crate::fingerprint) gives the same digest many times faster.
///
/// ```
/// use tct_fingerprint::{Step, Steps};
///
/// let steps = Steps::of("  Caf&eacute;\t\u{FB01}n ");
/// assert_eq!(steps.after(Step::Decoded), "  Café\t\u{FB01}n ");
/// assert_eq!(steps.after(Step::Composed), "  Café\tfin ");
/// assert_eq!(steps.after(Step::Folded), "  café\tfin ");
/// assert_eq!(steps.after(Step::Trimmed), "café fin");
/// assert_eq!(steps.fingerprint(), tct_fingerprint::fingerprint("café fin"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Steps {
    decoded: String,
    composed: String,
    folded: String,
    cleaned: String,
    collapsed: String,
}

impl Steps {
    /// Takes the six steps one after the other.
    pub fn of(text: &str) -> Self {
        let decoded = references::decode(text).into_owned();
        let composed = compose(&decoded);
        let folded = fold(&composed);
        let cleaned = clean(&folded);
        let collapsed = collapse(&cleaned);
        Steps { decoded, composed, folded, cleaned, collapsed }
    }

    /// The text after this step.
    #[must_use]
    pub fn after(&self, step: Step) -> &str {
        match step {
            Step::Decoded => &self.decoded,
            Step::Composed => &self.composed,
            Step::Folded => &self.folded,
            Step::Cleaned => &self.cleaned,
            Step::Collapsed => &self.collapsed,
            Step::Trimmed => trim(&self.collapsed),
        }
    }

    /// The steps with the text after each, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Step, &str)> {
        Step::ALL.into_iter().map(|step| (step, self.after(step)))
    }

    /// The fingerprint: SHA-256 over the text after the last step.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::hash(self.after(Step::Trimmed).as_bytes())
    }
}

fn compose(text: &str) -> String {
    let mut composed = String::with_capacity(text.len());
    unicode::nfkc(text, &mut |starter, marks| composed.extend(unicode::characters(starter, marks)));
    composed
}

fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        match unicode::fold(c) {
            Folded::One(c) => folded.push(c),
            Folded::Text(text) => folded.push_str(text),
        }
    }
    folded
}

fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\t' | '\n' | '\r')).collect()
}

fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    let mut in_space = false;
    for c in text.chars() {
        let is_space = matches!(c, ' ' | '\t' | '\n' | '\r');
        match is_space {
            true if in_space => {}
            true => collapsed.push(' '),
            false => collapsed.push(c),
        }
        in_space = is_space;
    }
    collapsed
}

fn trim(text: &str) -> &str {
    text.trim_matches(' ')
}
