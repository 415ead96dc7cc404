//! Splitting a text into pages of a token budget.

use std::ops::Range;

use super::Outline;

/// A part that cannot be cut and is this many times as large as the budget is left out.
const MAX_TIMES: usize = 4;

/// One page of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextPage {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// Range of the head of the table that the page continues, to be written before the page.
    pub head: Option<Range<usize>>,
    /// The size of the page.
    pub tokens: usize,
    /// True if the page is one piece that cannot be cut (a fence, a row, a sentence) and is so much larger than the budget
    /// that its text is left out: [`TextPage::text_of`] then gives none.
    pub is_left_out: bool,
}

impl TextPage {
    /// The page's text, with the head of a table that goes on; empty where it is left out.
    #[must_use]
    pub fn text_of(&self, text: &str) -> String {
        if self.is_left_out {
            return String::new();
        }
        let part = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
        let head = self.head.as_ref().map(part).unwrap_or_default();
        let mut page = String::with_capacity(head.len() + self.range.len());
        page.push_str(head);
        page.push_str(part(&self.range));
        page
    }
}

/// A part of the text between two places where it may be cut.
struct Piece {
    range: Range<usize>,
    head: Option<Range<usize>>,
    tokens: usize,
    /// Whether a section begins with it.
    is_section: bool,
}

impl Outline {
    /// The part of `text` in pages of at most `max_tokens`, as `count` counts: at least one, and together their bytes are the
    /// whole part. The outline must be of the same text.
    ///
    /// A page ends between two sections if a section ends in its second half, otherwise between two blocks, items or rows of
    /// a table, otherwise after a sentence; never within a sentence, a row or a fence. A piece that is longer than a page
    /// becomes a page; one of more than four times the budget is [left out](TextPage::is_left_out). The same text, part and
    /// budget give the same pages. `O(n)`, apart from `count`, which sees each piece once.
    ///
    /// ```
    /// use aidocument_extract::outline::{Outline, estimate_tokens};
    /// let text = "One is here. Two is there.\n\n## Three\n\nIs a section.\n";
    /// let outline = Outline::of(text, &estimate_tokens);
    /// let pages = outline.pages(text, 0..text.len(), 10, &estimate_tokens);
    /// let texts: Vec<String> = pages.iter().map(|page| page.text_of(text)).collect();
    /// assert_eq!(texts, ["One is here. Two is there.\n\n", "## Three\n\nIs a section.\n"]);
    /// ```
    #[must_use]
    pub fn pages(
        &self,
        text: &str,
        part: Range<usize>,
        max_tokens: usize,
        count: &dyn Fn(&str) -> usize,
    ) -> Vec<TextPage> {
        let max = max_tokens.max(1);
        let pieces = self.pieces(text, &part, count);
        let mut pages = Vec::new();
        let mut from = 0;
        while from < pieces.len() {
            let to = Outline::end_of_page(&pieces, from, max);
            let taken = pieces.get(from..to).unwrap_or_default();
            let (Some(first), Some(last)) = (taken.first(), taken.last()) else { break };
            let tokens = taken.iter().map(|piece| piece.tokens).sum();
            pages.push(TextPage {
                range: first.range.start..last.range.end,
                head: first.head.clone(),
                tokens,
                is_left_out: taken.len() == 1 && tokens > max.saturating_mul(MAX_TIMES),
            });
            from = to;
        }
        if pages.is_empty() {
            pages.push(TextPage { range: part, head: None, tokens: 0, is_left_out: false });
        }
        pages
    }

    /// The piece after the last one of the page that begins with the piece `from`.
    fn end_of_page(pieces: &[Piece], from: usize, max: usize) -> usize {
        let (mut to, mut tokens, mut section) = (from, 0_usize, None);
        for piece in pieces.get(from..).unwrap_or_default() {
            if piece.is_section && to > from && tokens.saturating_mul(2) >= max {
                section = Some(to);
            }
            if to > from && tokens.saturating_add(piece.tokens) > max {
                return section.unwrap_or(to);
            }
            tokens = tokens.saturating_add(piece.tokens);
            to += 1;
        }
        to
    }

    fn pieces(&self, text: &str, part: &Range<usize>, count: &dyn Fn(&str) -> usize) -> Vec<Piece> {
        let starts: Vec<usize> = self.sections().iter().map(|section| section.own.start).collect();
        let cuts = [(part.start, None)].into_iter().chain(self.cuts.within(part));
        let mut pieces: Vec<Piece> = Vec::new();
        for (start, head) in cuts {
            if let Some(before) = pieces.last_mut() {
                before.range.end = start;
            }
            let is_section = starts.binary_search(&start).is_ok();
            pieces.push(Piece { range: start..part.end, head, tokens: 0, is_section });
        }
        pieces.retain(|piece| !piece.range.is_empty());
        for piece in &mut pieces {
            piece.tokens = count(text.get(piece.range.clone()).unwrap_or_default());
        }
        pieces
    }
}
