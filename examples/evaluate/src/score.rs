//! What an answer is worth.

use std::collections::HashMap;
use std::hash::Hash;

use icu_normalizer::ComposingNormalizerBorrowed;

/// How a value compares with its label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Field {
    /// The page has a label.
    pub(crate) labelled: bool,
    /// There is an answer.
    pub(crate) found: bool,
    /// The same words.
    pub(crate) exact: bool,
    /// One holds the other.
    pub(crate) close: bool,
}

impl Field {
    /// Compares words in NFKC and lower case, without punctuation.
    pub(crate) fn of(label: &str, answer: &str) -> Field {
        let (label, answer) = (fold(label), fold(answer));
        let both = !label.is_empty() && !answer.is_empty();
        Field {
            labelled: !label.is_empty(),
            found: !answer.is_empty(),
            exact: both && label == answer,
            close: both && (label.contains(&answer) || answer.contains(&label)),
        }
    }

    /// Compares the days alone: the first ten characters.
    pub(crate) fn of_date(label: &str, answer: &str) -> Field {
        let day = |text: &str| text.chars().take(10).collect::<String>();
        Field::of(&day(label), &day(answer))
    }
}

fn fold(text: &str) -> String {
    let text = ComposingNormalizerBorrowed::new_nfkc().normalize(text).to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The runs of letters, digits and `_`, in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

fn counted<T: Hash + Eq>(items: impl Iterator<Item = T>) -> HashMap<T, u32> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

fn common<T: Hash + Eq>(a: &HashMap<T, u32>, b: &HashMap<T, u32>) -> f64 {
    a.iter().map(|(item, count)| f64::from(*count.min(b.get(item).unwrap_or(&0)))).sum()
}

/// How many words a label and an answer have, and have in common.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Overlap {
    pub(crate) label: usize,
    answer: usize,
    both: f64,
}

impl Overlap {
    pub(crate) fn of(label: &str, answer: &str) -> Overlap {
        let (label, answer) = (words(label), words(answer));
        let (labels, answers) = (label.len(), answer.len());
        let both = common(&counted(label.into_iter()), &counted(answer.into_iter()));
        Overlap { label: labels, answer: answers, both }
    }

    pub(crate) fn f1(self) -> f64 {
        if self.label == 0 {
            return f64::from(u8::from(self.answer == 0));
        }
        2.0 * self.both / (self.label + self.answer) as f64
    }

    pub(crate) fn precision(self) -> Option<f64> {
        (self.answer > 0).then(|| self.both / self.answer as f64)
    }

    pub(crate) fn recall(self) -> Option<f64> {
        (self.label > 0).then(|| self.both / self.label as f64)
    }
}

/// Precision and recall of the runs of four words; no precision without an answer, no recall without a label.
pub(crate) fn of_runs(label: &str, answer: &str) -> (Option<f64>, Option<f64>) {
    let (label, answer) = (words(label), words(answer));
    let runs = |words: &[String]| -> HashMap<Vec<String>, u32> {
        let length = words.len().min(4);
        if length == 0 { HashMap::new() } else { counted(words.windows(length).map(<[String]>::to_vec)) }
    };
    let (label, answer) = (runs(&label), runs(&answer));
    let total = |runs: &HashMap<Vec<String>, u32>| f64::from(runs.values().sum::<u32>());
    let both = common(&label, &answer);
    ((!answer.is_empty()).then(|| both / total(&answer)), (!label.is_empty()).then(|| both / total(&label)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_by_their_words() {
        let exact = Field::of("Green Tea: a guide", "green tea – A Guide");
        assert_eq!(exact, Field { labelled: true, found: true, exact: true, close: true });
        let close = Field::of("Green tea", "Green tea | Example");
        assert_eq!((close.exact, close.close), (false, true));
        let invented = Field::of("", "Jane");
        assert_eq!(invented, Field { labelled: false, found: true, exact: false, close: false });
        assert!(Field::of_date("2024-03-05", "2024-03-05T10:00:00Z").exact);
        assert!(!Field::of_date("2024-03-05", "2024-03-06").exact);
    }

    #[test]
    fn words_are_counted() {
        let f1 = |label, answer| Overlap::of(label, answer).f1();
        assert_eq!(f1("a b c d", "a b"), 2.0 * 2.0 / 6.0);
        assert_eq!(f1("a a", "a"), 2.0 / 3.0);
        assert_eq!((f1("", ""), f1("", "a")), (1.0, 0.0));
        let overlap = Overlap::of("a b c d", "a b e");
        assert_eq!((overlap.recall(), overlap.precision()), (Some(0.5), Some(2.0 / 3.0)));
        assert_eq!(of_runs("a b c d e", "a b c d"), (Some(1.0), Some(0.5)));
        assert_eq!(of_runs("a b", ""), (None, Some(0.0)));
    }
}
