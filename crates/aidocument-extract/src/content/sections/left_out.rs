//! Rules that leave out chosen text: tables of contents, teasers under a heading such as "Related", forms.

use std::collections::HashSet;

use super::Work;
use crate::content::blocks::Block;
use crate::tree::{NodeId, Tag, Tree};
use crate::words::labels::{self, Phrase};
use crate::words::names::{BREADCRUMBS, SIGN_UPS};

/// Words of the teasers under a heading such as "Related".
const MAX_TEASERS: u32 = 600;

/// Most words of a line that names another text.
const MAX_LINE: u32 = 30;

/// Most words of a subscription box.
const MAX_PLEA: u32 = 80;

/// Most words of a row of links to the next and the previous page, and those outside of links; a table has the titles of both too.
const MAX_TURNING: u32 = 60;
const MAX_TURNING_LABELS: u32 = 6;

/// Most cells of a row of buttons.
const MAX_PANEL: usize = 16;

/// What is kept of navigation is beside a text where all that is kept has so many times as many words.
const NAVIGATION: u32 = 4;

/// With this many kept words before such a heading, articles under it are not part of the text.
const MIN_BEFORE: u32 = 100;

/// Nodes and blocks under such a heading that are looked at.
const MAX_PART: usize = 2_000;

/// Elements around such a link up to the row.
const MAX_ROW: usize = 8;

/// The level of a line that is a heading without being marked as one.
const LINE: u8 = 9;

impl Work<'_, '_> {
    /// Leaves out teasers under a heading such as "Related"; after the text of an article also whole articles.
    pub(super) fn teasers(&mut self, is_article: bool) {
        let kept: u32 = self.kept_words(0, self.keep.len());
        let mut before = 0;
        // Behind the last kept block there is nothing to leave out.
        let last = self.keep.iter().rposition(|&kept| kept).map_or(0, |last| last + 1);
        let mut place = 0;
        while place < last {
            let end = self.block(place).filter(|block| block.counts.words <= 9).and_then(|block| {
                let level = self.level(place);
                let is_head = level.is_some() || block.counts.bold_words > 0 || {
                    let tag = self.tree.tag(block.container);
                    matches!(tag, Tag::P | Tag::Div | Tag::Span | Tag::Header | Tag::Summary)
                };
                let says = if is_head { self.says(block) } else { None };
                let is_behind =
                    is_article && before >= MIN_BEFORE && level.is_some() && says == Some(Phrase::Related);
                let end = if is_behind { self.end_of_articles(place) } else { None };
                end.or_else(|| (says == Some(Phrase::Related)).then(|| self.end_of_teasers(place, kept))?)
            });
            match end {
                Some(end) => {
                    self.set(place, end, false);
                    place = end;
                }
                None => {
                    before += self.kept_words(place, place + 1);
                    place += 1;
                }
            }
        }
    }

    /// Leaves out lines of an article that name another text behind a label: `Related: Another text`.
    pub(super) fn links_to_more(&mut self) {
        self.leave_out_parts(|work, place| {
            let is_line = |block: &&Block| {
                block.counts.words <= MAX_LINE && 2 * block.counts.link_words >= block.counts.words
            };
            let text = work.text(work.block(place).filter(is_line)?);
            let (label, rest) = text.split_once(':')?;
            let is_to_more = labels::leads_to_more(label) && rest.contains(char::is_alphanumeric);
            is_to_more.then_some((place, place + 1))
        });
    }

    /// Where the teasers under a heading end: with the largest element that starts with the heading, or before the
    /// next heading of its level if most of the text is linked.
    fn end_of_teasers(&self, place: usize, kept: u32) -> Option<usize> {
        let block = self.block(place)?;
        let mut end = None;
        for around in self.chain(block.container) {
            let sums = self.page.around.sums_in(around);
            let (first, last) = self.range(around);
            if first != place || matches!(self.tree.tag(around), Tag::Body | Tag::Main | Tag::Article) {
                break;
            }
            if last > place + 1 && sums.words <= MAX_TEASERS && 3 * sums.words <= kept {
                end = Some((last, sums.words, sums.link_words));
            }
        }
        if let Some((end, words, linked)) = end
            && 3 * linked >= words
        {
            return Some(end);
        }
        let level = self.level(place).unwrap_or(LINE);
        let shared = self.tree.parent(block.container)?;
        let (_, limit) = self.range(shared);
        let end = (place + 1..limit.max(place + 1).min(place + MAX_PART))
            .find(|&next| self.level(next).is_some_and(|next| next <= level))
            .unwrap_or(limit);
        let run = self.blocks.blocks.get(place + 1..end)?;
        let (words, linked) = run.iter().fold((0, 0), |(words, linked), block| {
            (words + block.counts.words, linked + block.counts.link_words)
        });
        (words > 0 && words <= MAX_TEASERS && 3 * words <= kept && 2 * linked > words).then_some(end)
    }

    /// Where the largest element ends that starts with a heading and has several articles in it.
    fn end_of_articles(&self, place: usize) -> Option<usize> {
        if !self.tree.has(Tag::Article) {
            return None;
        }
        let block = self.block(place)?;
        let part = self
            .chain(block.container)
            .take_while(|&id| {
                !matches!(self.tree.tag(id), Tag::Body | Tag::Html | Tag::Main) && self.range(id).0 == place
            })
            .last()?;
        let is_article = |&id: &NodeId| self.tree.tag(id) == Tag::Article;
        let mut inside = self
            .tree
            .descendants(part)
            .take(MAX_PART)
            .filter(is_article)
            .filter(|&id| self.range(id).0 > place);
        inside.nth(1)?;
        Some(self.range(part).1)
    }

    /// Leaves out the parts that `at` finds at a kept block, each with its end.
    fn leave_out_parts(&mut self, at: impl Fn(&Self, usize) -> Option<(usize, usize)>) {
        let mut place = 0;
        while place < self.keep.len() {
            let found = if self.is_kept(place) { at(self, place) } else { None };
            if let Some((first, end)) = found {
                self.set(first, end, false);
            }
            place = found.map_or(0, |(_, end)| end).max(place + 1);
        }
    }

    /// Leaves out subscription boxes (elements named so, with a form field) and the labels of tabs.
    pub(super) fn pleas(&mut self) {
        self.leave_out_parts(|work, place| {
            let found = work.chain(work.block(place)?.container).take(6).find(|&around| {
                let sums = work.page.around.sums_in(around);
                let is_plea = work.page.names(around) & SIGN_UPS != 0 && sums.controls > 0;
                (is_plea || work.tree.attr(around, "role") == Some("tablist"))
                    && sums.words <= MAX_PLEA
                    && !work.is_page(around)
            });
            found.map(|plea| work.range(plea))
        });
    }

    /// Leaves out navigation beside a text, whatever the model takes it for: `<nav>`, lists of where the page is, and dialogs that wait.
    pub(super) fn navigation(&mut self) {
        let all = self.kept_words(0, self.keep.len());
        self.leave_out_parts(|work, place| {
            let is_one = |&id: &NodeId| match work.tree.tag(id) {
                Tag::Nav => true,
                Tag::Ul | Tag::Ol => work.page.names(id) & BREADCRUMBS != 0,
                Tag::Table => work.is_panel(id),
                _ => is_hidden_dialog(work.tree, id),
            };
            let found = work.chain(work.block(place)?.container).find(is_one)?;
            let (first, end) = work.range(found);
            (NAVIGATION * work.kept_words(first, end) <= all).then_some((first, end))
        });
    }

    /// Whether a table is a row of buttons in brackets, as texi2html has them: `[ << ]`, `[Contents]`.
    fn is_panel(&self, id: NodeId) -> bool {
        let (first, end) = self.range(id);
        let is_button = |block: &Block| {
            let text = self.text(block);
            let text = text.trim();
            text.is_empty() || (text.starts_with('[') && text.ends_with(']'))
        };
        let buttons =
            self.blocks.blocks.get(first..end).filter(|cells| (3..=MAX_PANEL).contains(&cells.len()));
        buttons.is_some_and(|cells| cells.iter().all(is_button))
    }

    /// Leaves out tables of contents: lists whose links lead to places on the page, with the label over them.
    pub(super) fn contents(&mut self) {
        self.leave_out_parts(Self::contents_at);
    }

    fn contents_at(&self, place: usize) -> Option<(usize, usize)> {
        let block = self.block(place).filter(|block| block.counts.links > 0)?;
        let list = self
            .chain(block.container)
            .take(6)
            .filter(|&around| matches!(self.tree.tag(around), Tag::Ul | Tag::Ol | Tag::Dl | Tag::Table))
            .last()?;
        let sums = self.page.around.sums_in(list);
        let (first, end) = self.range(list);
        let is_label = |before: usize| {
            self.block(before)
                .is_some_and(|block| block.counts.words <= 8 && self.says(block) == Some(Phrase::Contents))
        };
        // The first of them may be ones that were not kept.
        let is_link = |before: usize| {
            self.block(before).is_some_and(|block| block.counts.link_words == block.counts.words)
        };
        let is_first = (first..place).all(|before| !self.is_kept(before) && is_link(before));
        if !is_first || 10 * sums.link_words < 8 * sums.words {
            return None;
        }
        let (mut here, mut all) = (0u32, 0u32);
        for id in self.tree.descendants(list).filter(|&id| self.tree.tag(id) == Tag::A) {
            let Some(href) = self.tree.attr(id, "href").map(str::trim) else { continue };
            all += 1;
            here += u32::from(href.len() > 1 && href.starts_with('#'));
        }
        if here < 3 || 10 * here < 8 * all {
            return None;
        }
        // Its label stands right before. A list that a sentence announces is part of the text.
        let before = first.checked_sub(1);
        let label = before.filter(|&before| is_label(before));
        if label.is_none() && before.is_some_and(|before| self.announces(before)) {
            return None;
        }
        Some((label.unwrap_or(first), end))
    }

    /// Leaves out rows of links to the next and the previous page.
    pub(super) fn turning(&mut self) {
        let all = || self.tree.descendants(Tree::ROOT);
        // Manuals say it of the page, in links without text. Their tables of contents lead there as well.
        let leads = all().filter(|&id| self.tree.tag(id) == Tag::Link && has_turning_rel(self.tree, id));
        let targets: HashSet<&str> =
            leads.filter_map(|id| self.tree.attr(id, "href")).filter(|href| !href.is_empty()).collect();
        let is_target = |id| {
            self.tree.attr(id, "href").is_some_and(|href| targets.contains(href))
                && !self.tree.ancestors(id).take(MAX_ROW).any(|around| self.tree.tag(around) == Tag::Li)
        };
        let turns: Vec<NodeId> = all()
            .filter(|&id| self.tree.tag(id) == Tag::A && (turns(self.tree, id) || is_target(id)))
            .collect();
        let mut left_out = 0;
        for pair in turns.windows(2) {
            let &[first, second] = pair else { continue };
            let shared = |&around: &NodeId| self.tree.ancestors(second).take(MAX_ROW).any(|id| id == around);
            let Some(row) = self.chain(first).find(shared) else { continue };
            let is_small = |&around: &NodeId| self.page.around.sums_in(around).words <= MAX_TURNING;
            let is_table = |around: &NodeId| self.tree.tag(*around) == Tag::Table;
            let table = self.chain(row).take_while(is_small).find(is_table);
            let sums = self.page.around.sums_in(row);
            let labels = sums.words.saturating_sub(sums.link_words);
            let Some(row) = table.or_else(|| (is_small(&row) && labels <= MAX_TURNING_LABELS).then_some(row))
            else {
                continue;
            };
            let (from, end) = self.range(row);
            if from >= left_out {
                self.set(from, end, false);
                left_out = end;
            }
        }
    }
}

fn is_hidden_dialog(tree: &Tree, id: NodeId) -> bool {
    tree.attr(id, "role") == Some("dialog") && tree.attr(id, "aria-hidden") == Some("true")
}

/// Whether a link is marked as one to the next, the previous or the upper page.
fn turns(tree: &Tree, id: NodeId) -> bool {
    has_turning_rel(tree, id)
        || begins_with(tree, id, "accesskey", &["n", "p", "u"])
        || begins_with(tree, id, "title", &["next", "previous"])
}

fn has_turning_rel(tree: &Tree, id: NodeId) -> bool {
    begins_with(tree, id, "rel", &["next", "prev", "previous", "up"])
}

/// Whether the first word of an attribute is one of these.
fn begins_with(tree: &Tree, id: NodeId, name: &str, words: &[&str]) -> bool {
    let first = tree.attr(id, name).and_then(|value| value.split_ascii_whitespace().next());
    first.is_some_and(|first| words.iter().any(|word| word.eq_ignore_ascii_case(first)))
}
