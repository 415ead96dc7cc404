//! Choosing between candidates.
//!
//! Each candidate has a weight by its kind, set by hand on labelled pages. Candidates of different kinds that agree on
//! a day increase its weight; the day with the largest weight wins, if it is large enough.

use super::page_date::PageDate;
use super::title::fold;
use super::{Found, MetadataSource, people};
use crate::letters::collapse;

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
    /// `<time>` this many lines after the title.
    Time {
        distance: u16,
        labelled: bool,
    },
    /// `<time>` before the title; next to it or further up.
    TimeBefore {
        labelled: bool,
        is_next: bool,
    },
    TimeFar {
        labelled: bool,
    },
    /// A date this many lines after the title; whether it is nearly alone on its line.
    Text {
        distance: u16,
        labelled: bool,
        alone: bool,
    },
    TextBefore {
        labelled: bool,
        is_next: bool,
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
    Relation {
        distance: u16,
        is_before: bool,
    },
    Target {
        distance: u16,
        is_before: bool,
    },
    Class {
        distance: u16,
        is_before: bool,
    },
    Byline {
        distance: u16,
        is_before: bool,
    },
    /// The line below a line with "By" alone.
    Below {
        distance: u16,
    },
    /// A box below the text.
    Far,
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
    site_name: Option<(u8, Found<String>)>,
    section: Option<(u8, Found<String>)>,
    licence: Option<(u8, Found<String>)>,
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

fn offer(place: &mut Option<(u8, Found<String>)>, rank: u8, value: &str, source: MetadataSource) {
    if place.as_ref().is_none_or(|(best, _)| rank < *best) {
        let value = collapse(value);
        if !value.is_empty() && value.len() <= 2000 {
            *place = Some((rank, Found::new(value, source, 0.9 - 0.1 * f32::from(rank))));
        }
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

    pub(super) fn name_site(&mut self, rank: u8, value: &str, source: MetadataSource) {
        offer(&mut self.site_name, rank, value, source);
    }

    pub(super) fn set_section(&mut self, rank: u8, value: &str, source: MetadataSource) {
        offer(&mut self.section, rank, value, source);
    }

    pub(super) fn set_licence(&mut self, rank: u8, value: &str, source: MetadataSource) {
        offer(&mut self.licence, rank, value, source);
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

    pub(super) fn site_name(&mut self) -> Option<Found<String>> {
        self.site_name.take().map(|(_, found)| found)
    }

    pub(super) fn section(&mut self) -> Option<Found<String>> {
        self.section.take().map(|(_, found)| found)
    }

    pub(super) fn licence(&mut self) -> Option<Found<String>> {
        self.licence.take().map(|(_, found)| found)
    }

    /// The date of publication. If the page only has a date of the last change, that one.
    pub(super) fn published(&self) -> Option<Found<PageDate>> {
        let is_list = self.is_list();
        let counts = |date: &&Date| {
            let is_listed = is_list && date.kind.is_visible();
            let is_on_sale = self.is_product && !self.is_article && !date.kind.is_near();
            !is_listed && !is_on_sale
        };
        let read: Vec<Date> = self.dates.iter().map(|date| self.in_declared_order(date)).collect();
        let published: Vec<&Date> = read
            .iter()
            .filter(|date| date.role != Role::Modified && !self.is_shown_change(date))
            .filter(counts)
            .collect();
        let best = surest(&published, 0.5).map(|best| self.on_the_publishers_day(best, &published));
        best.or_else(|| {
            let known = |date: &Date| date.role != Role::Modified && date_weight(date.kind, date.role) >= 0.5;
            let shown: Vec<&Date> =
                self.dates.iter().filter(counts).filter(|date| date.kind.is_near()).collect();
            let is_one = !is_list && !self.dates.iter().any(known) && is_one_of_few(&shown);
            let only = is_one.then(|| surest(&shown, 0.5)).flatten()?;
            Some(Found { confidence: only.confidence * 0.6, ..only })
        })
    }

    /// A shown date, with day and month swapped if the page declares that day as the publication's: 09/10/2024 beside
    /// 2024-09-10.
    fn in_declared_order(&self, date: &Date) -> Date {
        let is_declared = |day: PageDate| {
            self.dates.iter().any(|other| {
                other.role != Role::Modified && !other.kind.is_visible() && other.date.is_same_day(day)
            })
        };
        let swapped = date.date.swapped().filter(|_| date.kind.is_visible() && !is_declared(date.date));
        match swapped.filter(|day| is_declared(*day)) {
            Some(day) => Date { date: day, ..*date },
            None => *date,
        }
    }

    /// Returns true if a shown day is declared as that of the last change, and another day as the publication's.
    fn is_shown_change(&self, date: &Date) -> bool {
        let declared = |role: Role, day: Option<PageDate>| {
            self.dates.iter().any(|other| {
                other.role == role
                    && matches!(other.kind, DateKind::OpenGraph | DateKind::LinkedArticle)
                    && day.is_none_or(|day| other.date.is_same_day(day))
            })
        };
        date.kind.is_visible()
            && declared(Role::Modified, Some(date.date))
            && declared(Role::Published, None)
            && !declared(Role::Published, Some(date.date))
    }

    /// The day shown near the title, if it is the declared instant in the publisher's time zone: programs declare
    /// instants in UTC, marked or not, and late in the evening that is a day later than in America.
    fn on_the_publishers_day(&self, best: Found<PageDate>, published: &[&Date]) -> Found<PageDate> {
        let is_shown = |date: &&&Date| matches!(date.kind.group(), 1) && date.kind.is_within(16);
        let is_universal = best.value.offset_minutes().unwrap_or(0) == 0 && best.value.time().is_some();
        if !is_universal || published.iter().filter(is_shown).any(|date| date.date.is_same_day(best.value)) {
            return best;
        }
        let near = published.iter().filter(is_shown).find(|date| date.date.is_a_day_from(best.value));
        match near {
            Some(date) => Found { value: date.date, source: date.source, ..best },
            None => best,
        }
    }

    /// When it was changed, not before it was published.
    pub(super) fn modified(&self, published: Option<&Found<PageDate>>) -> Option<Found<PageDate>> {
        let fits = |date: &&Date| {
            date.role == Role::Modified
                && published
                    .is_none_or(|published| date.date.without_time() >= published.value.without_time())
        };
        surest(&self.dates.iter().filter(fits).collect::<Vec<_>>(), 0.4)
    }

    /// Whether the dates near the title are those of a list of other pages: four or more, the newest first.
    fn is_list(&self) -> bool {
        let mut days: Vec<PageDate> = Vec::new();
        for date in &self.dates {
            let fits = matches!(
                date.kind,
                DateKind::Time { .. } | DateKind::TimeFar { .. } | DateKind::Text { alone: true, .. }
            );
            if fits && date.role != Role::Modified && days.last() != Some(&date.date.without_time()) {
                days.push(date.date.without_time());
            }
        }
        // Elements `<time>` come first and lines after them, so the same dates are there twice at most.
        let (mut down, mut up) = (0, 0);
        for pair in days.windows(2) {
            if let [first, second] = pair {
                down += u32::from(first > second);
                up += u32::from(first < second);
            }
        }
        down >= 3 && down > 2 * up
    }

    /// Returns true if an author shown far below the title is the first of several authors of other
    /// pages.
    fn is_one_of_many(&self, author: &Author) -> bool {
        let Some(distance) = author.kind.distance().filter(|distance| *distance >= 10) else { return false };
        let mut names: Vec<&String> = self
            .authors
            .iter()
            .filter(|other| other.kind.distance().is_some_and(|other| other >= distance))
            .filter_map(|other| other.names.first())
            .take(FEW)
            .collect();
        names.sort_unstable();
        names.dedup();
        names.len() >= 4
    }

    /// Who wrote it.
    pub(super) fn authors(&self, site: Option<&str>, host: &str) -> Vec<Found<String>> {
        let is_list = self.is_list();
        let is_dated = || self.dates.iter().any(|date| date_weight(date.kind, date.role) >= 0.5);
        // Programs fill in the site's name, also on a page that is no article.
        let may_be_site = self.is_article || !self.is_called_other || is_dated();
        let site = site.map(fold).unwrap_or_default();
        let host = host.strip_prefix("www.").unwrap_or(host).replace(['-', '.'], "");
        let weigh = |author: &Author| {
            let weight = author_weight(author.kind);
            let joined = fold(&author.names.join(" "));
            let is_site = joined == site || (joined.len() > 3 && host.starts_with(&joined.replace(' ', "")));
            let weight = if is_site && weight > 0.46 { 0.46 } else { weight };
            let seen = author.kind.is_visible();
            let is_shown = || {
                self.authors
                    .iter()
                    .any(|other| other.kind.is_visible() && other.names.first() == author.names.first())
            };
            // Who publishes a page is declared as its author where nobody is; a reader is shown who wrote it.
            let is_group = author.kind == AuthorKind::LinkedGroup
                || author.names.iter().all(|name| people::is_company(name));
            if !seen && (is_group || (is_site && !may_be_site)) && !is_shown() {
                return 0.0;
            }
            // Beside something on sale, the box about a person is that of a reviewer.
            if author.kind == AuthorKind::Far && self.is_product && !self.is_article {
                return 0.0;
            }
            if seen && self.is_one_of_many(author) {
                return 0.0;
            }
            let weight = if seen && is_list { weight * 0.3 } else { weight };
            // Of an unlikely name the place must be sure.
            let plausible = author.names.iter().all(|name| people::looks_like_name(name));
            if seen && !plausible && !is_site { weight * 0.75 } else { weight }
        };
        let best = self.authors.iter().map(|author| (weigh(author), author)).fold(
            None,
            |best: Option<(f32, &Author)>, next| {
                if best.is_none_or(|(weight, _)| next.0 > weight) { Some(next) } else { best }
            },
        );
        let Some((weight, author)) = best.filter(|(weight, _)| *weight >= 0.4) else { return Vec::new() };
        // What the page declares has no job after the name. Where many wrote it, nobody's name is looked for.
        let few = author.names.len() <= FEW;
        let spelled = |name: &String| {
            if !few {
                return name.clone();
            }
            let longer = |other: &&String| {
                name.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with([',', ' ']))
            };
            let mut others =
                self.authors.iter().filter(|other| !other.kind.is_visible()).flat_map(|other| &other.names);
            others.find(longer).unwrap_or(name).clone()
        };
        let agree = self.authors.iter().any(|other| {
            other.kind.is_visible() != author.kind.is_visible() && other.names.first() == author.names.first()
        });
        let weight = if agree { 1.0 - (1.0 - weight) * 0.4 } else { weight };
        // The element of a property that names the author is found as a relation as well, and first.
        let is_property = |other: &&Author| {
            other.kind == AuthorKind::Property && other.names.first() == author.names.first()
        };
        let property = self.authors.iter().find(is_property);
        let source = match author.kind {
            AuthorKind::Relation { .. } => property.map_or(author.source, |other| other.source),
            _ => author.source,
        };
        author.names.iter().map(|name| Found::new(spelled(name), source, weight)).collect()
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

/// Whether dates are of two days at most.
fn is_one_of_few(dates: &[&Date]) -> bool {
    let mut days: Vec<PageDate> = dates.iter().map(|date| date.date.without_time()).collect();
    days.sort_unstable();
    days.dedup();
    days.len() <= 2
}

/// A day, its weight, and the kinds of candidates that name it.
type Day = (PageDate, f32, Vec<(DateKind, f32)>);

/// The day with the largest weight, with the most precise of its dates.
fn surest(dates: &[&Date], least: f32) -> Option<Found<PageDate>> {
    let mut days: Vec<Day> = Vec::new();
    for date in dates {
        let day = date.date.without_time();
        let weight = date_weight(date.kind, date.role);
        let place = match days.iter().position(|(known, ..)| *known == day) {
            Some(place) => place,
            None => {
                days.push((day, 0.0, Vec::new()));
                days.len() - 1
            }
        };
        let Some((_, _, kinds)) = days.get_mut(place) else { continue };
        let same = |kind: DateKind| std::mem::discriminant(&kind) == std::mem::discriminant(&date.kind);
        match kinds.iter_mut().find(|(kind, _)| same(*kind)) {
            Some((_, known)) => *known = known.max(weight),
            None => kinds.push((date.kind, weight)),
        }
    }
    for (_, sure, kinds) in &mut days {
        // What one program wrote in several places is one witness.
        let mut groups = [0.0f32; 4];
        for (kind, weight) in kinds {
            if let Some(group) = groups.get_mut(kind.group()) {
                *group = group.max(*weight);
            }
        }
        *sure = 1.0 - groups.iter().map(|weight| 1.0 - weight).product::<f32>();
    }
    // Of days that are equally sure the first that was found.
    let best = days.iter().fold(None, |best: Option<&Day>, next| {
        let is_first = |best: &Day| {
            next.1 == best.1
                && next.0 < best.0
                && [next, best].iter().all(|day| day.2.iter().all(|(kind, _)| kind.group() == 0))
        };
        if best.is_none_or(|best| next.1 > best.1 || is_first(best)) { Some(next) } else { best }
    });
    let (day, sure, _) = best.filter(|best| best.1 >= least)?;
    let of_day = || dates.iter().filter(|date| date.date.without_time() == *day);
    let source =
        of_day().max_by(|a, b| date_weight(a.kind, a.role).total_cmp(&date_weight(b.kind, b.role)))?;
    let exact =
        of_day().max_by_key(|date| (date.date.offset_minutes().is_some(), date.date.time().is_some()))?;
    Some(Found::new(exact.date, source.source, sure.min(0.99)))
}

impl DateKind {
    /// The group of a kind; kinds of one group do not add up.
    fn group(self) -> usize {
        match self {
            DateKind::Time { .. }
            | DateKind::TimeBefore { .. }
            | DateKind::Text { .. }
            | DateKind::TextBefore { .. } => 1,
            DateKind::Address => 2,
            DateKind::TimeFar { .. } | DateKind::TextFar | DateKind::First | DateKind::Dateline => 3,
            _ => 0,
        }
    }

    fn is_visible(self) -> bool {
        matches!(self.group(), 1 | 3)
    }

    /// Returns true if it is shown at most this many lines after the title.
    fn is_within(self, lines: u16) -> bool {
        match self {
            DateKind::Time { distance, .. } | DateKind::Text { distance, .. } => distance <= lines,
            _ => false,
        }
    }

    /// Whether a reader sees it next to the title.
    fn is_near(self) -> bool {
        match self {
            DateKind::Time { distance, .. } | DateKind::Text { distance, .. } => distance <= 12,
            DateKind::TimeBefore { labelled, .. } | DateKind::TextBefore { labelled, .. } => labelled,
            _ => false,
        }
    }
}

impl AuthorKind {
    /// Lines after the title.
    fn distance(self) -> Option<u16> {
        match self {
            AuthorKind::Relation { distance, is_before: false }
            | AuthorKind::Target { distance, is_before: false }
            | AuthorKind::Class { distance, is_before: false }
            | AuthorKind::Byline { distance, is_before: false }
            | AuthorKind::Below { distance } => Some(distance),
            _ => None,
        }
    }

    fn is_visible(self) -> bool {
        matches!(
            self,
            AuthorKind::Relation { .. }
                | AuthorKind::Target { .. }
                | AuthorKind::Class { .. }
                | AuthorKind::Byline { .. }
                | AuthorKind::Below { .. }
                | AuthorKind::Far
        )
    }
}

fn near(distance: u16) -> f32 {
    match distance {
        0..=6 => 1.0,
        7..=8 => 0.93,
        9..=14 => 0.8,
        15..=25 => 0.62,
        _ => 0.5,
    }
}

fn date_weight(kind: DateKind, role: Role) -> f32 {
    let either = |labelled: bool, yes: f32, no: f32| if labelled { yes } else { no };
    let weight = match kind {
        DateKind::LinkedArticle => 0.82,
        DateKind::LinkedThread => 0.95,
        DateKind::LinkedPage => 0.3,
        DateKind::LinkedWork => 0.2,
        DateKind::OpenGraph => 0.86,
        DateKind::Property | DateKind::Meta => 0.8,
        DateKind::Loose => 0.5,
        DateKind::Address => 0.85,
        DateKind::Time { distance, labelled } => near(distance) * either(labelled, 0.93, 0.9),
        DateKind::TimeBefore { is_next: true, .. } | DateKind::TextBefore { is_next: true, .. } => 0.86,
        DateKind::TimeBefore { labelled, .. } => either(labelled, 0.8, 0.6),
        DateKind::TimeFar { labelled } => either(labelled, 0.52, 0.1),
        DateKind::Text { distance, labelled, alone: true } => near(distance) * either(labelled, 0.93, 0.9),
        DateKind::Text { distance, labelled, alone: false } => near(distance) * either(labelled, 0.75, 0.55),
        DateKind::TextBefore { labelled, .. } => either(labelled, 0.8, 0.6),
        DateKind::TextFar => 0.52,
        DateKind::First => 0.96,
        DateKind::Dateline => 0.7,
    };
    if role == Role::Created { weight * 0.9 } else { weight }
}

fn author_weight(kind: AuthorKind) -> f32 {
    let place = |distance: u16, is_before: bool| {
        let near = match distance {
            0..=4 => 1.0 - 0.02 * f32::from(distance),
            5..=8 => 0.88,
            9..=14 => 0.7,
            _ => 0.4,
        };
        near * if is_before { 0.6 } else { 1.0 }
    };
    match kind {
        AuthorKind::Linked => 0.83,
        AuthorKind::LinkedGroup => 0.45,
        AuthorKind::LinkedPage => 0.5,
        AuthorKind::Meta => 0.6,
        AuthorKind::OpenGraph => 0.6,
        AuthorKind::Card => 0.7,
        AuthorKind::Cited => 0.9,
        AuthorKind::DublinCore => 0.5,
        AuthorKind::Property => 0.8,
        AuthorKind::Relation { distance, is_before } => 0.88 * place(distance, is_before),
        AuthorKind::Target { distance, is_before } => 0.8 * place(distance, is_before),
        AuthorKind::Class { distance, is_before } => 0.84 * place(distance, is_before),
        AuthorKind::Byline { distance, is_before } => 0.88 * place(distance, is_before),
        AuthorKind::Far => 0.45,
        AuthorKind::Below { distance } => 0.75 * place(distance, false),
    }
}

#[cfg(test)]
mod tests;
