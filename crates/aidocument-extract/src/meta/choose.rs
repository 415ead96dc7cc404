//! Choosing between candidates.
//!
//! Each candidate has a weight by its kind, set by hand on labelled pages. Candidates of different kinds that agree on
//! a day increase its weight; the day with the largest weight wins, if it is large enough.

use super::page_date::PageDate;
use super::{Found, MetadataSource, people};
use crate::letters::collapse;

mod authors;
mod dates;

/// The role of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Published,
    Created,
    Modified,
}

/// The kind of place at which a date was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DateKind {
    LinkedArticle,
    LinkedThread,
    LinkedPage,
    LinkedWork,
    OpenGraph,
    /// Microdata or RDFa.
    Property,
    /// A key of `<meta>` that says published or modified.
    Meta,
    /// A key of `<meta>` that says "date".
    Loose,
    Address,
    /// This many lines after the title; whether it is `<time>` or nearly alone on its line.
    Line {
        distance: u16,
        labelled: bool,
        alone: bool,
    },
    /// Before the title; next to it or further up.
    Before {
        labelled: bool,
        is_next: bool,
    },
    TimeFar {
        labelled: bool,
    },
    /// A line beyond the window.
    TextFar,
    /// "Originally published on", wherever it is.
    First,
    Dateline,
}

/// The kind of place at which an author was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AuthorKind {
    Linked,
    /// An organisation.
    LinkedGroup,
    LinkedPage,
    Meta,
    OpenGraph,
    /// Cards, Parsely, Sailthru.
    Card,
    Cited,
    DublinCore,
    Property,
    /// Near the title, this many lines before or after it.
    Shown {
        way: Way,
        distance: u16,
        is_before: bool,
    },
    /// A box below the text.
    Far,
}

/// How an author near the title is marked; of marks around one name, the last counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    Class,
    /// A link to a profile.
    Target,
    Relation,
    Byline,
    /// The line below a line with "By" alone.
    Below,
}

#[derive(Debug, Clone, Copy)]
struct Date {
    date: PageDate,
    role: Role,
    kind: DateKind,
    source: MetadataSource,
}

#[derive(Debug)]
struct Author {
    names: Vec<String>,
    kind: AuthorKind,
    source: MetadataSource,
}

/// Candidates of a kind that are kept.
const MOST: usize = 300;

/// Most authors whose names are compared with those from other places.
const FEW: usize = 20;

/// All candidates.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    dates: Vec<Date>,
    authors: Vec<Author>,
    pub(super) site_name: Ranked,
    pub(super) section: Ranked,
    pub(super) licence: Ranked,
    pub(super) keywords: Vec<String>,
    /// Declared dates of publication and of the last change that could not be read.
    pub(super) unread: [Option<String>; 2],
    /// There is a node of JSON-LD for an article.
    pub(super) is_article: bool,
    /// Open Graph calls the page something else, such as a product.
    pub(super) is_called_other: bool,
    /// There is a node of JSON-LD for something on sale.
    pub(super) is_product: bool,
    has_plain_keywords: bool,
}

/// The value of the least rank, and of several of that rank the first.
#[derive(Debug, Default)]
pub(super) struct Ranked(Option<(u8, Found<String>)>);

impl Ranked {
    pub(super) fn offer(&mut self, rank: u8, value: &str, source: MetadataSource) {
        if self.0.as_ref().is_none_or(|(best, _)| rank < *best) {
            let value = collapse(value);
            if !value.is_empty() && value.len() <= 2000 {
                self.0 = Some((rank, Found::new(value, source, 0.9 - 0.1 * f32::from(rank))));
            }
        }
    }

    pub(super) fn take(&mut self) -> Option<Found<String>> {
        self.0.take().map(|(_, found)| found)
    }
}

impl Candidates {
    pub(super) fn date(&mut self, date: PageDate, role: Role, kind: DateKind, source: MetadataSource) {
        if self.dates.len() < MOST {
            self.dates.push(Date { date, role, kind, source });
        }
    }

    /// Keeps the text of an unreadable date from Open Graph, because documents may contain it
    /// unchanged.
    pub(super) fn unread_date(&mut self, text: &str, role: Role, kind: DateKind) {
        let [published, modified] = &mut self.unread;
        let place = if role == Role::Modified { modified } else { published };
        if kind == DateKind::OpenGraph && place.is_none() && text.len() <= 200 {
            *place = Some(collapse(text)).filter(|text| !text.is_empty());
        }
    }

    pub(super) fn author(&mut self, names: &[String], kind: AuthorKind, source: MetadataSource) {
        if !names.is_empty() && self.authors.len() < MOST {
            self.authors.push(Author { names: people::distinct(names), kind, source });
        }
    }

    /// A keyword of its own element.
    pub(super) fn tag(&mut self, value: &str) {
        let value = collapse(value);
        if !self.has_plain_keywords && !value.is_empty() && self.keywords.len() < MOST {
            self.keywords.push(value);
        }
    }

    /// A list of keywords; the plain element `keywords` comes first, and of several the first.
    pub(super) fn keywords_of(&mut self, value: &str, is_plain: bool) {
        if self.has_plain_keywords || (!is_plain && !self.keywords.is_empty()) {
            return;
        }
        let words: Vec<String> =
            value.split([',', '、', '，']).map(collapse).filter(|word| !word.is_empty()).collect();
        if !words.is_empty() {
            self.keywords = words;
            self.has_plain_keywords = is_plain;
        }
    }

    /// All candidates, for evaluation.
    #[cfg(feature = "training")]
    pub(super) fn lines(&self) -> Vec<String> {
        let dates = self
            .dates
            .iter()
            .map(|date| format!("date {} {:?} {:?}", date.date.without_time(), date.role, date.kind));
        let authors =
            self.authors.iter().map(|author| format!("author {} {:?}", author.names.join(", "), author.kind));
        dates.chain(authors).collect()
    }
}

#[cfg(test)]
mod tests;
