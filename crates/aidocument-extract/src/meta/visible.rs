//! The visible lines around the title: dates and bylines.
//!
//! The window starts a few lines before the title's heading and ends with the third long paragraph after it. Lines in
//! a part about something else ([`Zones`]) do not count. Elements `<time>` beyond the window are weak candidates.

use super::choose::{Candidates, DateKind, Role};
use super::date_text::{DayOrder, dates};
use super::zones::Zones;
use super::{MetadataSource, Page};
use crate::content::blocks::Block;
use crate::letters::has_single_spaces;
use crate::letters::head;
use crate::tree::{NodeId, NodeMap};
use crate::visibility::{HiddenReason, Left};

mod authors;
mod dates;

/// Lines before the title that are looked at.
const BEFORE: usize = 12;

/// Lines after the title that are looked at, and long paragraphs that end it earlier.
const AFTER: usize = 60;
const PARAGRAPHS: u32 = 3;

/// Words of a long paragraph; a shorter line may be a byline as a whole.
const LONG: u32 = 40;
const SHORT: u32 = 30;

/// Most words of a note about the article's history.
const NOTE: u32 = 60;

/// Bytes of a line that are read.
const MOST: usize = 400;

/// A line with its text nodes.
struct Line {
    text: String,
    /// For each text node where its text starts.
    parts: Vec<(usize, NodeId)>,
}

struct Look<'a, 'p> {
    page: &'a Page<'p>,
    zones: Zones<'a>,
    order: DayOrder,
    /// The place of the title's block, or of the first one in `<main>` where no heading is the title.
    title: usize,
    /// Whether that block is the title.
    is_headed: bool,
    /// The window around it.
    window: std::ops::Range<usize>,
    /// For each line of the window, its distance from the title, not counting lines about something
    /// else.
    distances: Vec<Option<u16>>,
}

/// Reads the lines around the title. `O(n)`.
pub(super) fn read(
    page: &Page<'_>,
    heading: Option<NodeId>,
    title: Option<&str>,
    order: DayOrder,
    out: &mut Candidates,
) {
    let Some(look) = Look::of(page, heading, order) else { return };
    look.times(out);
    look.lines(title, out);
    look.lines_beyond(out);
    look.authors_beyond(out);
}

impl<'a, 'p> Look<'a, 'p> {
    fn of(page: &'a Page<'p>, heading: Option<NodeId>, order: DayOrder) -> Option<Self> {
        let tree = page.tree;
        let clues = &page.facts.clues;
        let zones = Zones::new(tree, heading.or(clues.main));
        let first_text = |block: &Block| page.blocks.texts_of(block).first().copied();
        let anchor = heading.or(clues.main);
        let blocks = &page.blocks.blocks;
        let title = match anchor {
            Some(anchor) => blocks.partition_point(|block| first_text(block).is_some_and(|id| id < anchor)),
            None => 0,
        };
        if blocks.is_empty() {
            return None;
        }
        let from = title.saturating_sub(BEFORE);
        let mut distances = Vec::new();
        let (mut distance, mut paragraphs) = (0u16, 0);
        for (index, block) in blocks.iter().enumerate().skip(from).take(400) {
            let elsewhere = zones.is_elsewhere(block.container);
            if index > title && !elsewhere {
                distance += 1;
                paragraphs +=
                    u32::from(block.counts.words >= LONG && block.counts.link_words * 2 < block.counts.words);
            }
            distances.push((!elsewhere).then_some(distance));
            if paragraphs >= PARAGRAPHS || usize::from(distance) >= AFTER {
                break;
            }
        }
        let window = from..from + distances.len();
        Some(Look { page, zones, order, title, is_headed: heading.is_some(), window, distances })
    }

    /// The place of the block in which an element starts.
    fn block_of(&self, id: NodeId) -> usize {
        let blocks = &self.page.blocks.blocks;
        let first = |block: &Block| self.page.blocks.texts_of(block).first().copied();
        let at = blocks.partition_point(|block| first(block).is_some_and(|text| text <= id));
        // An element with text of its own starts before it.
        let next = blocks.get(at).and_then(first);
        if next.is_some_and(|text| self.page.tree.ancestors(text).take(4).any(|around| around == id)) {
            at
        } else {
            at.saturating_sub(1)
        }
    }

    fn distance(&self, block: usize) -> Option<u16> {
        let place = block.checked_sub(self.window.start)?;
        self.distances.get(place).copied().flatten()
    }

    fn line(&self, block: &Block) -> Line {
        let texts = self.page.blocks.texts_of(block);
        let mut line =
            Line { text: String::with_capacity(MOST + 4), parts: Vec::with_capacity(texts.len().min(64)) };
        let mut last = None;
        // White space and empty texts count here alone: a line of them is read for each element in it.
        let mut left = 20 * MOST;
        for &id in texts {
            // Labels that are read out ("Posted on") tell what a line is.
            let mark = self.page.tree.seen.mark(id);
            if mark.left != Left::No && mark.verdict.reason() != Some(HiddenReason::ClassReadOut) {
                continue;
            }
            let text = head(self.page.tree.text(id).unwrap_or_default(), left);
            left = left.saturating_sub(text.len() + 8);
            if left == 0 {
                return line;
            }
            let parent = self.page.tree.parent(id);
            if last.is_some_and(|last| last != parent) {
                line.text.push(' ');
            }
            last = Some(parent);
            let start = line.text.len();
            line.parts.push((start, id));
            // Enough of it to go past the end.
            let first = head(text, MOST + 8);
            if has_single_spaces(first) && !(line.text.ends_with(' ') && first.starts_with(' ')) {
                line.text.push_str(first);
            } else {
                for piece in text.split_inclusive(char::is_whitespace) {
                    let word = piece.trim_end();
                    line.text.push_str(word);
                    if word.len() < piece.len() && !line.text.ends_with(' ') {
                        line.text.push(' ');
                    }
                }
            }
            if line.text.len() > MOST {
                let mut ends = MOST.max(start) + 1..line.text.len();
                if let Some(end) = ends.find(|&end| line.text.is_char_boundary(end)) {
                    line.text.truncate(end);
                }
                return line;
            }
        }
        line
    }

    fn lines(&self, title: Option<&str>, out: &mut Candidates) {
        let title = title.unwrap_or_default();
        let blocks = &self.page.blocks.blocks;
        let mut byline_waits = false;
        // Lines that follow each other are in the same elements.
        let mut marks_of = NodeMap::default();
        for index in self.window.clone() {
            let (Some(block), Some(distance)) = (blocks.get(index), self.distance(index)) else { continue };
            if index == self.title && self.is_headed && !title.is_empty() {
                continue;
            }
            let line = self.line(block);
            if line.text.trim() == title {
                continue;
            }
            let is_before = index < self.title;
            if block.counts.words <= NOTE && (3..=12).contains(&block.counts.digits) {
                self.first_publication(&line, out);
            }
            if block.counts.words <= SHORT {
                self.dates_of(index, &line, distance, is_before, out);
                let marked = self.marked_authors(&line, distance, is_before, &mut marks_of, out);
                let lead = self.byline(&line, distance, is_before, byline_waits, out);
                byline_waits = lead && !marked;
            } else {
                byline_waits = false;
                // A report starts with its place and day.
                let start =
                    line.text.get(..line.text.char_indices().nth(90).map_or(line.text.len(), |(at, _)| at));
                let found = start.and_then(|start| {
                    dates(start, self.order).next().map(|(date, range)| (date, range, start))
                });
                if let Some((date, range, start)) = found
                    && !is_before
                    && start.get(range.end..).is_some_and(|rest| {
                        rest.trim_start_matches([' ', ')', ',']).starts_with(['–', '—', '-', '/', ':', '('])
                    })
                {
                    out.date(date, Role::Published, DateKind::Dateline, MetadataSource::Text);
                }
            }
        }
    }
}
