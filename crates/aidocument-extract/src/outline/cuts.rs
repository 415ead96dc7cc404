//! Places where a Markdown text may be cut: between blocks, items and rows, and after sentences.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

/// The places where a text may be cut, in order.
#[derive(Debug, Clone)]
pub(super) struct Cuts {
    /// Offset, and for a cut within a table the index of its head in `heads`.
    places: Vec<(usize, Option<usize>)>,
    heads: Vec<Range<usize>>,
    text: String,
    /// The table that is being read: where it begins, and whether its first row of data has come.
    table: Option<(usize, bool)>,
    /// Blocks in which no cut is right: code, HTML, footnotes, headings, links, images and emphasis.
    closed: usize,
    /// The end of the last piece of plain text.
    plain_end: usize,
    /// Whether the last block was a heading: what follows stays with it.
    is_after_heading: bool,
}

impl Cuts {
    pub(super) fn new(text: &str) -> Self {
        Cuts {
            places: Vec::new(),
            heads: Vec::new(),
            text: text.to_owned(),
            table: None,
            closed: 0,
            plain_end: 0,
            is_after_heading: false,
        }
    }

    /// Takes the next event of the reader; `depth` is the number of elements around it.
    pub(super) fn see(&mut self, event: &Event<'_>, range: &Range<usize>, depth: usize) {
        if let Event::Start(tag) = event {
            let is_open = self.closed == 0;
            match tag {
                Tag::Table(_) => self.table = Some((range.start, false)),
                Tag::TableRow if is_open => self.row(range.start),
                _ => {}
            }
            // A block or an item begins: of blocks in quotes and items, only those of the first level are sure to begin a
            // line of their own.
            let is_heading = matches!(tag, Tag::Heading { .. });
            if (depth == 0 || matches!(tag, Tag::Item)) && is_open && (is_heading || !self.is_after_heading) {
                self.cut(range.start, None);
            }
            // The list's first item stays with the heading, too.
            if !matches!(tag, Tag::List(_)) {
                self.is_after_heading = is_heading;
            }
            self.closed += usize::from(is_closed(tag.to_end()));
        }
        match event {
            Event::Text(_) if self.closed == 0 && self.table.is_none() => self.sentences(range.clone()),
            Event::Rule | Event::Html(_) if depth == 0 => self.cut(range.start, None),
            Event::End(TagEnd::Table) => self.table = None,
            Event::End(end) => self.closed = self.closed.saturating_sub(usize::from(is_closed(*end))),
            _ => {}
        }
    }

    pub(super) fn finish(&mut self) {
        self.places.sort_unstable();
        // Of two cuts at one place the one without a head comes first: a table's own start.
        self.places.dedup_by_key(|(offset, _)| *offset);
        self.places.retain(|(offset, _)| *offset > 0 && *offset < self.text.len());
        self.text = String::new();
    }

    /// The cuts after `start` and before `end`.
    pub(super) fn within(
        &self,
        range: &Range<usize>,
    ) -> impl Iterator<Item = (usize, Option<Range<usize>>)> + '_ {
        let from = self.places.partition_point(|(offset, _)| *offset <= range.start);
        let to = self.places.partition_point(|(offset, _)| *offset < range.end);
        let places = self.places.get(from..to).unwrap_or_default().iter();
        places.map(|(offset, head)| (*offset, head.and_then(|head| self.heads.get(head).cloned())))
    }

    fn cut(&mut self, offset: usize, head: Option<usize>) {
        // An item and a row begin after their indentation or their `>`: the line is theirs.
        let line = self.text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        self.places.push((line.min(offset), head));
    }

    fn row(&mut self, start: usize) {
        let Some((table, has_rows)) = &mut self.table else { return };
        let head = *table..start;
        if !*has_rows {
            *has_rows = true;
            // The head and its rule; a table that goes on after a cut needs both.
            self.heads.push(head);
            return;
        }
        let head = self.heads.len().checked_sub(1);
        self.cut(start, head);
    }

    /// Cuts after each sentence of a piece of plain text.
    fn sentences(&mut self, range: Range<usize>) {
        let Some(text) = self.text.get(range.clone()) else { return };
        let mut found = Vec::new();
        // A sentence may end with a piece, and the next one begin after a line end that is an event of its own.
        if self.plain_end < range.start
            && let Some(before) = self.text.get(..self.plain_end)
            && self
                .text
                .get(self.plain_end..range.start)
                .is_some_and(|gap| gap.trim().is_empty() && !gap.is_empty())
            && ends_sentence(before, text)
        {
            found.push(range.start);
        }
        for (at, letter) in text.char_indices() {
            if is_wide_stop(letter) {
                let end = at + letter.len_utf8();
                let rest = text.get(end..).unwrap_or_default();
                if !rest.is_empty() && !rest.starts_with(|c: char| is_closing(c) || is_wide_stop(c)) {
                    found.push(range.start + end);
                }
            } else if letter == ' ' {
                let rest = text.get(at + 1..).unwrap_or_default();
                let before = self.text.get(..range.start + at).unwrap_or_default();
                if ends_sentence(before, rest) {
                    found.push(range.start + at + 1);
                }
            }
        }
        self.plain_end = range.end;
        self.places.extend(found.into_iter().map(|offset| (offset, None)));
    }
}

/// Returns true if a sentence ends before the space between these texts: a full stop after a word of at least three
/// letters or a closing sign, followed by a capital, a digit or a letter without case. In doubt it does not end: not in
/// `e.g. this`, `Dr. No`, `3. May` and `J. S. Bach`.
fn ends_sentence(before: &str, rest: &str) -> bool {
    let before = before.trim_end_matches(is_closing);
    let Some(stop) =
        before.chars().next_back().filter(|stop| matches!(stop, '.' | '!' | '?' | '…' | '।' | '؟' | '۔'))
    else {
        return false;
    };
    let before = before.get(..before.len() - stop.len_utf8()).unwrap_or_default();
    let word = before.chars().rev().take_while(|letter| letter.is_alphanumeric()).take(3).count();
    let last = before.chars().next_back();
    let is_long =
        stop != '.' || word >= 3 || last.is_some_and(|last| is_closing(last) || matches!(last, '`' | '%'));
    let starts = rest.trim_start_matches(|c: char| is_opening(c) || c == ' ').chars().next();
    is_long
        && starts.is_some_and(|first| (first.is_alphabetic() && !first.is_lowercase()) || first.is_numeric())
}

const fn is_wide_stop(letter: char) -> bool {
    matches!(letter, '。' | '！' | '？' | '｡')
}

const fn is_closing(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '」' | '』' | '）' | '*' | '_')
}

const fn is_opening(letter: char) -> bool {
    matches!(
        letter,
        '"' | '\'' | '“' | '‘' | '«' | '(' | '[' | '「' | '『' | '（' | '*' | '_' | '„' | '¿' | '¡'
    )
}

/// Whether no cut is right in what ends so.
const fn is_closed(end: TagEnd) -> bool {
    matches!(
        end,
        TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::FootnoteDefinition
            | TagEnd::Heading(_)
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Link
            | TagEnd::Image
    )
}
