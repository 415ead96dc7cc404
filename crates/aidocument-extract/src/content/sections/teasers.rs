//! Teasers: what leads to other texts of a site, and boxes that ask for something.

use std::collections::HashMap;

use super::{MAX_GAP_BLOCKS, MAX_PLEA, MAX_SOURCES, MIN_ARTICLE, Work};
use crate::content::blocks::Block;
use crate::content::phrases::{self, Phrase};
use crate::rules::Rule;
use crate::tree::{NodeId, Tag, Tree};

/// Words of the teasers under a heading such as "Related".
const MAX_TEASERS: u32 = 600;

/// Words of a teaser, and of one in a list beside the only article.
const MAX_CARD: u32 = 60;
const MAX_CARD_BESIDE: u32 = 120;

/// Teasers from which on they are a list.
const MIN_CARDS: u32 = 3;

/// Kept words before a heading such as "Related" from which on articles under it are no part of the text.
const MIN_BEFORE: u32 = 100;

/// Nodes under such a heading that are looked at.
const MAX_PART: usize = 2_000;

/// Children of an element that hold teasers.
struct Cards {
    last: NodeId,
    count: u32,
}

impl Work<'_, '_> {
    /// Leaves out teasers under a heading such as "Related"; behind the text of an article also whole articles.
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
                let says = if is_head { phrases::of(&self.text(block)) } else { None };
                let is_behind = self.tree.rules.has(Rule::ArticlesUnder)
                    && is_article
                    && before >= MIN_BEFORE
                    && level.is_some()
                    && says == Some(Phrase::Related);
                let end = if is_behind { self.end_of_articles(place) } else { None };
                end.or_else(|| {
                    let is_teasers = matches!(says, Some(Phrase::Related | Phrase::Visitors));
                    is_teasers.then(|| self.end_of_teasers(place, kept))?
                })
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

    /// Where the teasers under a heading end: with the largest element that starts with the heading, or before the
    /// next heading of its level, should most of it be linked.
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
        let level = self.level(place).unwrap_or(9);
        let shared = self.tree.parent(block.container)?;
        let (_, limit) = self.range(shared);
        let end = (place + 1..limit.max(place + 1).min(place + MAX_SOURCES))
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

    /// Leaves out the teasers beside an article's text: other `<article>`s, short and of another class, each with a heading that
    /// is a link.
    pub(super) fn articles_beside(&mut self) {
        if !self.tree.has(Tag::Article) {
            return;
        }
        let articles: Vec<NodeId> =
            self.tree.descendants(Tree::ROOT).filter(|&id| self.tree.tag(id) == Tag::Article).collect();
        if articles.len() as u32 <= MIN_CARDS {
            return;
        }
        let kept: Vec<u32> = std::iter::once(0)
            .chain((0..self.keep.len()).scan(0, |sum, place| {
                *sum += self.kept_words(place, place + 1);
                Some(*sum)
            }))
            .collect();
        let kept_in = |id: NodeId| {
            let (first, end) = self.range(id);
            kept.get(end).zip(kept.get(first)).map_or(0, |(end, first)| end - first)
        };
        let Some(&text) = articles.iter().rev().max_by_key(|&&id| kept_in(id)) else { return };
        let (from, to) = self.range(text);
        let is_linked_head =
            |&place: &usize| self.level(place).is_some() && self.block(place).is_some_and(is_linked);
        // Its title may lead to itself.
        if kept_in(text) < 2 * MIN_ARTICLE || (from..to).filter(is_linked_head).nth(1).is_some() {
            return;
        }
        let tree = self.tree;
        let class =
            |id: NodeId| tree.attr(id, "class").and_then(|names| names.split_ascii_whitespace().next());
        let cards: Vec<(usize, usize)> = articles
            .iter()
            .filter(|&&id| class(id).is_none() || class(id) != class(text))
            .map(|&id| (self.page.around.sums_in(id).words, self.range(id)))
            .filter(|&(words, (first, end))| {
                (end <= from || first >= to)
                    && words <= MAX_CARD_BESIDE
                    && end - first <= MAX_GAP_BLOCKS
                    && (first..end).any(|place| is_linked_head(&place))
            })
            .map(|(_, range)| range)
            .collect();
        if cards.len() as u32 >= MIN_CARDS {
            cards.into_iter().for_each(|(first, end)| self.set(first, end, false));
        }
    }

    /// The blocks of the page's only `<article>`, should it have the text of one.
    pub(super) fn lone_article(&self) -> Option<(usize, usize)> {
        if !self.tree.has(Tag::Article) {
            return None;
        }
        let mut articles = self.tree.descendants(Tree::ROOT).filter(|&id| self.tree.tag(id) == Tag::Article);
        let (first, end) = self.range(articles.next().filter(|_| articles.next().is_none())?);
        (self.kept_words(first, end) >= MIN_ARTICLE).then_some((first, end))
    }

    /// Leaves out grids and lists of teasers in an article, or outside of the blocks of one: neighbours of which each has a
    /// heading that leads to another page of the site.
    pub(super) fn cards(&mut self, host: &str, outside: Option<(usize, usize)>) {
        let mut found: HashMap<NodeId, Cards> = HashMap::new();
        let mut order: Vec<NodeId> = Vec::new();
        for place in 0..self.keep.len() {
            let Some(block) = self.block(place).filter(|block| self.is_teaser_head(place, block, host))
            else {
                continue;
            };
            let mut child = block.container;
            for around in self.tree.ancestors(block.container).take(8) {
                let cards = found.entry(around).or_insert_with(|| {
                    order.push(around);
                    Cards { last: child, count: 0 }
                });
                if cards.count == 0 || cards.last != child {
                    (cards.last, cards.count) = (child, cards.count + 1);
                }
                child = around;
            }
        }
        for id in order {
            let count = found.get(&id).map_or(0, |cards| cards.count);
            if count < MIN_CARDS
                || matches!(self.tree.tag(id), Tag::Body | Tag::Html | Tag::Main | Tag::Article)
            {
                continue;
            }
            let (first, end) = self.range(id);
            let words = match outside {
                // Beside the article, a list of news is one whatever else is in it.
                Some((from, to)) if end <= from || first >= to => self.kept_words(first, end),
                Some(_) => continue,
                None => self.page.around.sums_in(id).words,
            };
            let most = if outside.is_some() { MAX_CARD_BESIDE } else { MAX_CARD };
            if words <= most * count {
                self.set(first, end, false);
            }
        }
    }

    /// Whether a kept block is a heading, but no title, that leads to another page of the site.
    fn is_teaser_head(&self, place: usize, block: &Block, host: &str) -> bool {
        self.is_kept(place)
            && is_linked(block)
            && self.level(place).is_some_and(|level| level > 1)
            && self.blocks.texts_of(block).first().is_some_and(|&text| {
                let mut around = self.tree.ancestors(text).take(8);
                let link = around.find(|&around| self.tree.tag(around) == Tag::A);
                link.and_then(|link| self.tree.attr(link, "href"))
                    .is_some_and(|href| leads_within_site(href, host))
            })
    }

    /// Leaves out teasers in an article's text: an `<aside>` of a few words that begins with a heading that leads to another
    /// page of the site.
    pub(super) fn cards_aside(&mut self, host: &str) {
        for place in 1..self.keep.len() {
            let Some(block) = self.block(place).filter(|block| self.is_teaser_head(place, block, host))
            else {
                continue;
            };
            let aside = self.chain(block.container).take(6).find(|&id| self.tree.tag(id) == Tag::Aside);
            let Some((first, end)) = aside.map(|aside| self.range(aside)) else { continue };
            if self.kept_words(first, place) == 0 && self.kept_words(first, end) <= MAX_CARD {
                self.set(first, end, false);
            }
        }
    }

    /// Leaves out boxes that ask for an address (elements named for it, with something to fill in) and the tabs of tabs.
    pub(super) fn pleas(&mut self) {
        let mut place = 0;
        while place < self.keep.len() {
            let block = self.block(place).filter(|_| self.is_kept(place));
            let found = block.and_then(|block| {
                self.chain(block.container).take(6).find(|&around| {
                    let sums = self.page.around.sums_in(around);
                    let rules = self.tree.rules;
                    let is_plea = rules.has(Rule::Pleas) && self.page.marks.asks(around) && sums.controls > 0;
                    let is_tabs = rules.has(Rule::Tabs) && self.tree.attr(around, "role") == Some("tablist");
                    (is_plea || is_tabs)
                        && sums.words <= MAX_PLEA
                        && !matches!(self.tree.tag(around), Tag::Body | Tag::Html)
                })
            });
            match found.map(|plea| self.range(plea)) {
                Some((first, end)) => {
                    self.set(first, end, false);
                    place = end.max(place + 1);
                }
                None => place += 1,
            }
        }
    }
}

/// Whether all of a block is a link.
fn is_linked(block: &Block) -> bool {
    block.counts.words > 0 && block.counts.link_words == block.counts.words
}

/// Whether a link leads to another page of the same site.
fn leads_within_site(href: &str, host: &str) -> bool {
    let href = href.trim();
    if href.is_empty() || href.starts_with('#') || href.contains('#') {
        return false;
    }
    match href.split_once("//") {
        Some((_, rest)) => {
            !host.is_empty() && rest.split(['/', '?']).next().is_some_and(|found| found.ends_with(host))
        }
        None => !href.contains(':'),
    }
}
