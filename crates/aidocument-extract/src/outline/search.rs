//! Searching a text for words.

use std::collections::VecDeque;

use super::{Outline, Section};

/// Most words of a search; further ones are ignored.
const MAX_WORDS: usize = 16;
/// Places of one section that are listed.
const MAX_PLACES: usize = 100;

/// A section in which words occur.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SectionHits<'o> {
    /// The section.
    pub section: &'o Section,
    /// Total number of occurrences in its own text.
    pub count: usize,
    /// Number of different words that occur.
    pub words: usize,
    /// Offsets of the first hundred occurrences, in order.
    pub places: Vec<usize>,
}

impl Outline {
    /// The sections in whose own text words occur: sorted by the number of different words, then of occurrences, then
    /// by their order.
    ///
    /// Words are separated by white space; `"two words"` in quotes are one. Case does not matter. A word matches at the start
    /// of a word in the text: `brew` finds `brewing`, and not `homebrew`. In scripts without spaces it is found anywhere.
    /// `O(n)` in the lengths of text and words.
    ///
    /// ```
    /// use aidocument_extract::outline::{Outline, estimate_tokens};
    /// let text = "# Tea\n\nGreen.\n\n## Brewing\n\nGreen tea at 80 °C.\n";
    /// let outline = Outline::of(text, &estimate_tokens);
    /// let found = outline.search(text, "green 80");
    /// assert_eq!((found[0].section.name.as_str(), found[0].count, found[0].words), ("brewing", 2, 2));
    /// assert_eq!(found.len(), 2);
    /// ```
    #[must_use]
    pub fn search(&self, text: &str, words: &str) -> Vec<SectionHits<'_>> {
        let words = words_of(words);
        let mut found: Vec<SectionHits<'_>> = Vec::new();
        for section in self.sections() {
            let own = text.get(section.own.clone()).unwrap_or_default();
            let (mut places, mut count, mut kinds) = (Vec::new(), 0, 0);
            for word in &words {
                let at = places_of(own, word);
                count += at.len();
                kinds += usize::from(!at.is_empty());
                places.extend(at.into_iter().map(|at| section.own.start + at));
            }
            if count > 0 {
                places.sort_unstable();
                places.truncate(MAX_PLACES);
                found.push(SectionHits { section, count, words: kinds, places });
            }
        }
        found.sort_by_key(|hits| (usize::MAX - hits.words, usize::MAX - hits.count, hits.section.own.start));
        found
    }

    /// The sentence, row or line of code around a place, without the blanks at its ends; at most about `max_bytes` of it.
    #[must_use]
    pub fn around<'t>(&self, text: &'t str, place: usize, max_bytes: usize) -> &'t str {
        let part = 0..text.len();
        let cuts: Vec<usize> = self.cuts.within(&part).map(|(offset, _)| offset).collect();
        let next = cuts.partition_point(|cut| *cut <= place);
        let mut start = next.checked_sub(1).and_then(|at| cuts.get(at)).copied().unwrap_or(0);
        let mut end = cuts.get(next).copied().unwrap_or(text.len());
        // A heading stays with the block below it, and says nothing about a place in that.
        let near = text.get(start..place.max(start)).unwrap_or_default();
        if near.starts_with('#')
            && let Some(line) = near.find('\n')
        {
            start += line + 1;
        } else if text.get(start..end).is_some_and(|near| near.starts_with('#')) {
            end = text.get(place..end).and_then(|rest| rest.find('\n')).map_or(end, |line| place + line);
        }
        if end.saturating_sub(start) > max_bytes {
            let near = text.get(start..end).unwrap_or_default();
            let at = place.saturating_sub(start);
            // A long fence: its line. A line that is long as well: what is near.
            let line = near.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
            let line_end = near.get(at..).and_then(|rest| rest.find('\n')).map_or(near.len(), |end| at + end);
            (start, end) = (start + line, start + line_end);
            if end.saturating_sub(start) > max_bytes {
                start = start.max(place.saturating_sub(max_bytes / 2));
                end = end.min(start + max_bytes);
            }
        }
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        text.get(start..end).unwrap_or_default().trim()
    }
}

/// The first [`MAX_WORDS`] words that are looked for, each once, in lower case.
fn words_of(text: &str) -> Vec<Vec<char>> {
    let mut words: Vec<Vec<char>> = Vec::new();
    for (number, part) in text.split('"').enumerate() {
        let found: Vec<&str> = match number % 2 {
            1 => vec![part.trim()],
            _ => part.split_whitespace().collect(),
        };
        for word in found {
            let word: Vec<char> = word.chars().flat_map(folded).collect();
            if word.iter().any(|letter| letter.is_alphanumeric()) && !words.contains(&word) {
                words.push(word);
                if words.len() == MAX_WORDS {
                    return words;
                }
            }
        }
    }
    words
}

/// Where the word is, whatever the case of letters; any white space is as good as a space. Linear by the automaton of Knuth,
/// Morris and Pratt, since text and word may both be a stranger's.
fn places_of(text: &str, word: &[char]) -> Vec<usize> {
    let mut borders = vec![0];
    for letter in word.iter().skip(1) {
        borders.push(step(word, &borders, borders.last().copied().unwrap_or(0), *letter));
    }
    let first = word.first().copied().unwrap_or(' ');
    let is_spaced = first.is_lowercase() || first.is_ascii();
    // Of as many letters as the word has: where each is, if a word may begin with it.
    let mut starts = VecDeque::with_capacity(word.len());
    let (mut places, mut matched, mut before) = (Vec::new(), 0, ' ');
    for (at, letter) in text.char_indices() {
        let may_begin = !is_spaced || !before.is_alphanumeric() || !first.is_alphanumeric();
        let mut start = may_begin.then_some(at);
        for lower in folded(letter) {
            if starts.len() == word.len() {
                starts.pop_front();
            }
            starts.push_back(start.take());
            matched = step(word, &borders, matched, lower);
            if matched == word.len() {
                places.extend(starts.front().copied().flatten());
            }
        }
        before = letter;
    }
    places
}

/// How much of the word the text ends with, after one more letter. `borders` has for each beginning of the word how much of it
/// is also its end.
fn step(word: &[char], borders: &[usize], mut matched: usize, letter: char) -> usize {
    while word.get(matched) != Some(&letter) {
        let Some(last) = matched.checked_sub(1) else { return 0 };
        matched = borders.get(last).copied().unwrap_or(0);
    }
    matched + 1
}

/// A letter as it is compared.
fn folded(letter: char) -> impl Iterator<Item = char> {
    if letter.is_whitespace() { ' ' } else { letter }.to_lowercase()
}
