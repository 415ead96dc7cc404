//! The second pass over the blocks: a row of features from the first pass's results around each
//! block.
//!
//! The first pass classifies each block by itself. A teaser reads like an article, and a caption like a title; they
//! differ in whether their neighbours, the elements around them and similar blocks were found to be content.

use super::features::{OWN, Page, Row, WIDTH};
use super::model::{CERTAIN, chance_of};
use super::surroundings::Sums;
use super::threshold;

/// Neighbours before and after whose probabilities are separate features.
const NEIGHBOURS: [isize; 8] = [-4, -3, -2, -1, 1, 2, 3, 4];

/// Window sizes, in blocks, before and after.
const WINDOWS: [usize; 3] = [8, 20, 60];

/// Thresholds for a block that is certainly content and longer than a label.
const SURE: f64 = 0.8;
const LONG: f64 = 8.0;

/// The distance if there is no certain block.
const NOWHERE: f64 = 999.0;

/// Features of a row.
pub(crate) const FEATURES: usize = 86;

/// The first pass's result for a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct First {
    pub(crate) log_odds: f32,
    /// The head of the block's row.
    pub(crate) own: [f32; OWN],
}

impl First {
    pub(crate) fn of(row: &[f32; WIDTH], log_odds: f32) -> First {
        First { log_odds, own: row.first_chunk().copied().unwrap_or([0.0; OWN]) }
    }

    /// Returns true if the block may be content; blocks that certainly are not skip the second
    /// pass.
    fn is_open(&self) -> bool {
        self.log_odds > -CERTAIN
    }
}

/// Sums over a range of blocks.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    blocks: f64,
    words: f64,
    /// Expected words of content.
    content: f64,
    /// Sum of the chances.
    chances: f64,
}

impl Found {
    fn of(words: u32, log_odds: f32) -> Found {
        let (words, chance) = (f64::from(words), f64::from(chance_of(log_odds)));
        Found { blocks: 1.0, words, content: words * chance, chances: chance }
    }

    fn plus(self, other: Found, sign: f64) -> Found {
        Found {
            blocks: self.blocks + sign * other.blocks,
            words: self.words + sign * other.words,
            content: self.content + sign * other.content,
            chances: self.chances + sign * other.chances,
        }
    }

    /// The share of the words that is content; -1 without words.
    fn share(self) -> f64 {
        if self.words > 0.0 { self.content / self.words } else { -1.0 }
    }

    fn mean(self) -> f64 {
        self.chances / self.blocks.max(1.0)
    }
}

/// Sums over the blocks before each block; the last is over all.
struct SoFar(Vec<Found>);

impl SoFar {
    fn of(found: &[Found]) -> SoFar {
        let mut so_far = Vec::with_capacity(found.len() + 1);
        so_far.push(Found::default());
        for one in found {
            so_far.push(so_far.last().copied().unwrap_or_default().plus(*one, 1.0));
        }
        SoFar(so_far)
    }

    fn between(&self, from: usize, to: usize) -> Found {
        let at = |index: usize| self.0.get(index).or(self.0.last()).copied().unwrap_or_default();
        if from < to { at(to).plus(at(from), -1.0) } else { Found::default() }
    }

    fn within(&self, sums: Sums) -> Found {
        self.between(sums.first as usize, (sums.first + sums.blocks) as usize)
    }
}

/// The first pass's results for a page.
struct Outlook<'a> {
    page: &'a Page<'a>,
    found: Vec<Found>,
    so_far: SoFar,
    total: Found,
    /// Expected words of content, never zero.
    content: f64,
    /// The element that would make the best content as a whole, and the F1 expected of it.
    best: (Sums, f64),
    /// For each group of look-alikes, the sums over its blocks.
    alike: Vec<Found>,
}

impl<'a> Outlook<'a> {
    fn of(page: &'a Page<'a>, firsts: &[First]) -> Outlook<'a> {
        let blocks = page.blocks.blocks.iter().zip(firsts);
        let found: Vec<Found> =
            blocks.map(|(block, first)| Found::of(block.counts.words, first.log_odds)).collect();
        let so_far = SoFar::of(&found);
        let total = so_far.between(0, found.len());
        let content = total.content.max(1e-3);
        let best = best_element(page, &so_far, content);
        let alike = sums_of_groups(page, &found);
        Outlook { page, found, so_far, total, content, best, alike }
    }

    fn chance(&self, index: usize) -> f64 {
        self.found.get(index).map_or(-1.0, |one| one.chances)
    }

    /// Features of the blocks before and after.
    fn neighbours(&self, index: usize, row: &mut Row) {
        row.add_wide(
            NEIGHBOURS.map(|offset| index.checked_add_signed(offset).map_or(-1.0, |near| self.chance(near))),
        );
        for size in WINDOWS {
            let after = (index + 1, (index + 1 + size).min(self.found.len()));
            for (from, to) in [(index.saturating_sub(size), index), after] {
                let window = self.so_far.between(from, to);
                row.add_wide([window.share(), window.mean()]);
            }
        }
    }

    /// Features of its ancestors and of similar blocks.
    fn company(&self, index: usize, one: Found, row: &mut Row) {
        let chain = self.page.chains.get(index).copied().unwrap_or_default();
        for sums in chain {
            let around = self.so_far.within(sums);
            row.add_wide(match sums.blocks {
                0 => [-1.0; 3],
                _ => [around.plus(one, -1.0).share(), around.content / self.content, around.mean()],
            });
        }
        let (best, f1) = self.best;
        let is_best = |sums: &Sums| sums.blocks > 0 && (sums.first, sums.blocks) == (best.first, best.blocks);
        let level = chain.iter().position(is_best).map_or(-1.0, |level| level as f64);
        let inside = (best.first..best.first + best.blocks).contains(&(index as u32));
        row.add_wide([level, f64::from(u8::from(inside)), f1]);
        let group = self.page.looks.groups.get(index).and_then(|&group| self.alike.get(group as usize));
        let group = group.copied().unwrap_or_default();
        row.add_wide([group.plus(one, -1.0).share(), group.mean(), group.content / self.content]);
    }

    /// Features of the whole page.
    fn whole(&self) -> [f64; 5] {
        let likely: f64 = self.found.iter().filter(|one| one.chances > 0.5).map(|one| one.words).sum();
        let sureness: f64 = self.found.iter().map(|one| one.words * (one.chances - 0.5).abs()).sum();
        let words = self.total.words.max(1.0);
        let highest = self.found.iter().fold(0.0f64, |highest, one| highest.max(one.chances));
        [self.total.content, self.total.content / words, highest, likely / words, sureness / words]
    }
}

/// Calls `each` with the index and the row of each block that may be content. `O(n log n)` in blocks, `O(n)` in
/// nodes.
pub(crate) fn rows(page: &Page<'_>, firsts: &[First], mut each: impl FnMut(usize, &[f32; WIDTH])) {
    let outlook = Outlook::of(page, firsts);
    let Outlook { found, so_far, content, .. } = &outlook;
    let chances: Vec<f32> = firsts.iter().map(|first| chance_of(first.log_odds)).collect();
    let best_first = threshold::best_first(&chances);
    // The chance from which on blocks would be kept.
    let threshold = f64::from(threshold::best(page.blocks, &chances, &best_first, 1.0).0);
    let whole = outlook.whole();
    let sections = sections(firsts);
    let ranks = ranks(found, &best_first, *content);
    let (before, after) = distances(found);
    let mut row = Row::default();
    for (index, (one, first)) in
        found.iter().zip(firsts).enumerate().filter(|(_, (_, first))| first.is_open())
    {
        row.clear();
        row.add_wide([one.chances]);
        outlook.neighbours(index, &mut row);
        outlook.company(index, *one, &mut row);
        row.add_wide(whole);
        let (heading, start, end) = sections.get(index).copied().unwrap_or((None, index, found.len()));
        row.add_wide([
            one.chances - threshold,
            threshold,
            so_far.between(0, index).content / content,
            so_far.between(index + 1, found.len()).content / content,
            before.get(index).copied().unwrap_or(NOWHERE),
            after.get(index).copied().unwrap_or(NOWHERE),
            heading.map_or(-1.0, |heading| outlook.chance(heading)),
            so_far.between(start, end).share(),
            so_far.between(index + 1, end).share(),
            ranks.get(index).copied().unwrap_or_default(),
        ]);
        row.add(first.own);
        debug_assert_eq!(row.length, FEATURES);
        each(index, &row.values);
    }
}

/// The element that would make the best content as a whole, and the F1 expected of it.
fn best_element(page: &Page<'_>, so_far: &SoFar, content: f64) -> (Sums, f64) {
    let mut best = (Sums::default(), -1.0);
    for sums in page.around.sums().iter().filter(|sums| sums.blocks > 0) {
        let found = so_far.within(*sums);
        let f1 = 2.0 * found.content / (found.words + content);
        if f1 > best.1 {
            best = (*sums, f1);
        }
    }
    best
}

/// For each group of look-alikes, the sums over its blocks.
fn sums_of_groups(page: &Page<'_>, found: &[Found]) -> Vec<Found> {
    let mut sums = vec![Found::default(); page.looks.sums.len()];
    for (one, &group) in found.iter().zip(&page.looks.groups) {
        if let Some(place) = sums.get_mut(group as usize) {
            *place = place.plus(*one, 1.0);
        }
    }
    sums
}

/// For each block the heading of its section, where there is one, and the section's blocks.
fn sections(firsts: &[First]) -> Vec<(Option<usize>, usize, usize)> {
    let is_heading = |first: &First| first.own.get(LEVEL).is_some_and(|&level| level > 0.0);
    let mut found = Vec::with_capacity(firsts.len());
    let mut heading = None;
    for (index, first) in firsts.iter().enumerate() {
        if is_heading(first) {
            heading = Some(index);
        }
        found.push((heading, heading.unwrap_or_default(), firsts.len()));
    }
    let mut end = firsts.len();
    for (index, (place, first)) in found.iter_mut().zip(firsts).enumerate().rev() {
        place.2 = end;
        if is_heading(first) {
            end = index;
        }
    }
    found
}

/// The place of a heading's level in [`First::own`].
const LEVEL: usize = 16;

/// For each block, the words of blocks with better chances, as a share of the expected content.
fn ranks(found: &[Found], best_first: &[(f32, usize)], content: f64) -> Vec<f64> {
    let mut ranks = vec![0.0; found.len()];
    let mut words = 0.0;
    for &(_, index) in best_first {
        if let (Some(place), Some(one)) = (ranks.get_mut(index), found.get(index)) {
            *place = words / content;
            words += one.words;
        }
    }
    ranks
}

/// For each block, the words between it and the nearest sure block before and after.
fn distances(found: &[Found]) -> (Vec<f64>, Vec<f64>) {
    let step = |distance: &mut f64, one: &Found| {
        let now = *distance;
        *distance = if one.chances > SURE && one.words > LONG { 0.0 } else { now + one.words };
        Some(now)
    };
    let mut before = Vec::with_capacity(found.len());
    before.extend(found.iter().scan(NOWHERE, step));
    let mut after: Vec<f64> = Vec::with_capacity(found.len());
    after.extend(found.iter().rev().scan(NOWHERE, step));
    after.reverse();
    (before, after)
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    /// The element that would be the best content, for blocks that are content so surely (log odds): its first block and how many.
    fn best(html: &str, log_odds: &[f32]) -> (u32, u32) {
        let page = Marked::of(html);
        let page = Page::of(&page.tree, &page.blocks);
        let firsts = page.blocks.blocks.iter().zip(log_odds);
        let found = firsts.map(|(block, odds)| Found::of(block.counts.words, *odds));
        let so_far = SoFar::of(&found.collect::<Vec<_>>());
        let content = so_far.between(0, log_odds.len()).content;
        let (sums, f1) = best_element(&page, &so_far, content);
        assert!((0.0..=1.0).contains(&f1), "{f1}");
        (sums.first, sums.blocks)
    }

    #[test]
    fn the_best_element_holds_most_content_and_little_else() {
        let text = "<p>one two three four";
        let (sure, never) = (9.0, -9.0);
        assert_eq!(best(&format!("<div>{text}{text}</div><div>{text}</div>"), &[sure, sure, never]), (0, 2));
        assert_eq!(best(&format!("<div>{text}</div><div>{text}{text}</div>"), &[never, sure, sure]), (1, 2));
        assert_eq!(best(&format!("<div>{text}</div><div>{text}</div>"), &[sure, sure]), (0, 2));
        // Of two that are as good the first, and the page where nothing else holds both.
        let noise = format!("<p>{}", "noise ".repeat(90));
        assert_eq!(best(&format!("<div>{text}</div>{noise}<div>{text}</div>"), &[sure, never, sure]), (0, 1));
        assert_eq!(
            best(&format!("<div>{text}</div><p>noise<div>{text}</div>"), &[sure, never, sure]),
            (0, 3)
        );
    }
}
