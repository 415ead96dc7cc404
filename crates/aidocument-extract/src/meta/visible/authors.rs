//! Authors of the lines around the title, and of a box below the text.

use super::{Line, Look};
use crate::letters::head;
use crate::meta::choose::{AuthorKind, Candidates, Way};
use crate::meta::date_text::{DayOrder, dates};
use crate::meta::{MetadataSource, people};
use crate::pairs::has_any;
use crate::tree::{NodeId, NodeMap, Tree};
use crate::words::lines::{
    AUTHOR_CLASSES, NAME_ENDS, NO_AUTHOR_CLASSES, NO_NAME, PROFILES, REVIEWERS, WEEKDAYS,
};
use crate::words::names::SIGNED;

impl Look<'_, '_> {
    /// The name in a box about the author below the text, if there is exactly one.
    pub(super) fn authors_beyond(&self, out: &mut Candidates) {
        let tree = self.page.tree;
        let mut found: Vec<String> = Vec::new();
        let mut boxes: NodeMap<bool> = NodeMap::default();
        for block in self.page.blocks.blocks.iter().skip(self.window.end) {
            if block.counts.words > 8 || block.counts.digits > 4 || self.zones.is_elsewhere(block.container) {
                continue;
            }
            let mut around = tree.upward(block.container).take(5);
            let is_box = around.any(|id| {
                *boxes.entry(id).or_insert_with(|| {
                    tree.attributes(id).any(|(name, value)| match name {
                        "class" => self.zones.groups_in(value) & SIGNED != 0,
                        "itemprop" => value == "author",
                        _ => false,
                    })
                })
            });
            if !is_box {
                continue;
            }
            for name in people::names(&self.line(block).text) {
                if people::looks_like_name(&name) && is_class_name(&name) && !found.contains(&name) {
                    found.push(name);
                }
            }
            if found.len() > 3 {
                return;
            }
        }
        if let [name] = found.as_slice() {
            out.author(std::slice::from_ref(name), AuthorKind::Far, MetadataSource::Markup);
        }
    }

    /// Names in elements whose class, relation or target marks an author.
    pub(super) fn marked_authors(
        &self,
        line: &Line,
        distance: u16,
        is_before: bool,
        marks_of: &mut NodeMap<Option<Way>>,
        out: &mut Candidates,
    ) -> bool {
        let tree = self.page.tree;
        let mut found: Vec<(Way, String)> = Vec::new();
        for (place, (start, id)) in line.parts.iter().enumerate() {
            let end = line.parts.get(place + 1).map_or(line.text.len(), |(next, _)| *next);
            let text = line.text.get(*start..end).unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            let around = tree.ancestors(*id).take(6).take_while(|&around| !self.zones.holds_title(around));
            let marks: Vec<Way> = around
                .filter_map(|around| *marks_of.entry(around).or_insert_with(|| author_mark(tree, around)))
                .collect();
            let Some(&mark) = marks.iter().max() else { continue };
            let text_before = line.text.trim_start();
            if REVIEWERS.iter().any(|lead| people::end_of_lead(text_before, lead).is_some()) {
                return false;
            }
            if dates(text, self.order).next().is_some() {
                continue;
            }
            for name in people::names(text) {
                if found.iter().any(|(_, known)| known == name.trim_matches(['(', ')'])) {
                    continue;
                }
                let words = name.split_whitespace().count();
                let fits = match mark {
                    Way::Class => is_class_name(&name),
                    // A link to a profile may be one to the reader's own.
                    Way::Target => {
                        let is_marked = marks.contains(&Way::Class) && is_class_name(&name);
                        let is_user = distance > 0 && !is_before && words == 1;
                        words <= 6 && (people::looks_like_name(&name) || is_user || is_marked)
                    }
                    _ => words <= 6,
                };
                if fits && !found.iter().any(|(_, known)| *known == name) {
                    found.push((mark, name));
                }
            }
        }
        let Some(way) = found.iter().map(|(mark, _)| *mark).max() else { return false };
        let names: Vec<String> =
            found.into_iter().filter(|(mark, _)| *mark == way).map(|(_, name)| name).collect();
        out.author(&names, AuthorKind::Shown { way, distance, is_before }, MetadataSource::Markup);
        true
    }

    /// Reads "By Jane Doe", or a name below a line with "By" alone; returns true if the line is
    /// one.
    pub(super) fn byline(
        &self,
        line: &Line,
        distance: u16,
        is_before: bool,
        waits: bool,
        out: &mut Candidates,
    ) -> bool {
        let text = line.text.trim();
        let pieces = text.split(['|', '•', '·', '—', '–', '\u{2022}', '⋅']);
        for piece in pieces.take(6) {
            let end = people::lead(piece);
            if end.is_none() && !waits {
                continue;
            }
            let rest = piece.get(end.unwrap_or_default()..).unwrap_or_default();
            let rest = until_name_ends(rest, self.order);
            if rest.trim_matches([' ', ':']).is_empty() {
                return end.is_some();
            }
            let names = people::names(rest);
            let fits = |name: &String| {
                people::looks_like_name(name)
                    || (name.split_whitespace().count() == 1
                        && name.chars().next().is_some_and(|c| !c.is_lowercase()))
            };
            let names: Vec<String> = names.into_iter().filter(fits).collect();
            if !names.is_empty() {
                let (way, is_before) =
                    if waits && end.is_none() { (Way::Below, false) } else { (Way::Byline, is_before) };
                out.author(&names, AuthorKind::Shown { way, distance, is_before }, MetadataSource::Text);
                return false;
            }
        }
        false
    }
}

/// The text up to the end of a name: a date, a number, " on ", " in ", a comma before a lower-case word.
fn until_name_ends(text: &str, order: DayOrder) -> &str {
    let date = dates(text, order).next().map(|(_, range)| range.start);
    let mut end = date.unwrap_or(text.len());
    if let Some(at) = text.find(|c: char| c.is_numeric() || matches!(c, '(' | '|' | '…' | '“' | '"')) {
        end = end.min(at);
    }
    for word in NAME_ENDS {
        // A second name goes on with the list.
        let goes_on = |at: usize| {
            *word == " with " && text.get(at + word.len()..).is_some_and(people::starts_with_name)
        };
        if let Some(at) = text.find(word).filter(|&at| !goes_on(at)) {
            end = end.min(at);
        }
    }
    // A full stop ends it, except after an initial or "Dr".
    for (at, _) in text.match_indices(". ") {
        let word = text.get(..at).and_then(|head| head.rsplit(' ').next()).unwrap_or_default();
        if word.chars().count() > 3 {
            end = end.min(at);
            break;
        }
    }
    let edges = [' ', ',', '/', '-', '.'];
    let head = text.get(..end).unwrap_or(text).trim_end_matches(&edges[..4]);
    let weekday = |(name, day): &(&str, &str)| {
        date == Some(end)
            && !name.is_empty()
            && WEEKDAYS.contains(&day.trim_end_matches('.').to_lowercase().as_str())
    };
    // "Jane Doe Monday, March 9": the day is the date's.
    head.rsplit_once(' ').filter(weekday).map_or(head, |(name, _)| name.trim_end_matches(edges))
}

/// Returns true if a text in an element with an author's class may be a name, not a job, a count or
/// a label.
fn is_class_name(name: &str) -> bool {
    let mut words = name.split_whitespace();
    words.clone().count() <= 4
        && !words.any(|word| NO_NAME.contains(&word.to_lowercase().as_str()))
        && !people::has_job(name)
}

fn author_mark(tree: &Tree, id: NodeId) -> Option<Way> {
    let mut mark = None;
    for (name, value) in tree.attributes(id) {
        let mut words = head(value, 200).split_ascii_whitespace();
        let found = match name {
            "rel" if words.any(|word| word.eq_ignore_ascii_case("author")) => Some(Way::Relation),
            "itemprop" if words.any(|word| matches!(word, "author" | "creator")) => Some(Way::Relation),
            "href" if has_any(head(value, 200), PROFILES) => Some(Way::Target),
            "class" | "id" | "data-testid" | "data-qa" if is_author_class(value) => Some(Way::Class),
            _ => None,
        };
        mark = mark.max(found);
    }
    mark
}

fn is_author_class(value: &str) -> bool {
    let value = head(value, 300);
    has_any(value, AUTHOR_CLASSES)
        && value
            .split_ascii_whitespace()
            .any(|class| has_any(class, AUTHOR_CLASSES) && !has_any(class, NO_AUTHOR_CLASSES))
}
