//! The day of publication, and that of the last change.

use std::collections::BTreeSet;

use super::{Candidates, Date, DateKind, Role};
use crate::meta::Found;
use crate::meta::page_date::PageDate;

impl Candidates {
    /// The date of publication. If the page only has a date of the last change, that one.
    pub(in crate::meta) fn published(&self) -> Option<Found<PageDate>> {
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
    pub(in crate::meta) fn modified(&self, published: Option<&Found<PageDate>>) -> Option<Found<PageDate>> {
        let fits = |date: &&Date| {
            date.role == Role::Modified
                && published
                    .is_none_or(|published| date.date.without_time() >= published.value.without_time())
        };
        surest(&self.dates.iter().filter(fits).collect::<Vec<_>>(), 0.4)
    }

    /// Whether the dates near the title are those of a list of other pages: four or more, the newest first.
    pub(super) fn is_list(&self) -> bool {
        let mut days: Vec<PageDate> = Vec::new();
        for date in &self.dates {
            let fits = matches!(date.kind, DateKind::Line { alone: true, .. } | DateKind::TimeFar { .. });
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
}

/// Whether dates are of two days at most.
fn is_one_of_few(dates: &[&Date]) -> bool {
    dates.iter().map(|date| date.date.without_time()).collect::<BTreeSet<_>>().len() <= 2
}

/// A day, and the largest weight in each group: what one program wrote in several places is one witness.
type Day = (PageDate, [f32; 4]);

/// The day with the largest weight, with the most precise of its dates.
fn surest(dates: &[&Date], least: f32) -> Option<Found<PageDate>> {
    let mut days: Vec<Day> = Vec::new();
    for date in dates {
        let day = date.date.without_time();
        let place = days.iter().position(|(known, _)| *known == day).unwrap_or_else(|| {
            days.push((day, [0.0; 4]));
            days.len() - 1
        });
        if let Some(group) = days.get_mut(place).and_then(|(_, groups)| groups.get_mut(date.kind.group())) {
            *group = group.max(date_weight(date.kind, date.role));
        }
    }
    let sure = |day: &Day| 1.0 - day.1.iter().map(|weight| 1.0 - weight).product::<f32>();
    // Of days that are equally sure the first that was found, and of those that only programs name the earlier.
    let best = days.iter().fold(None, |best: Option<&Day>, next| {
        let is_first = |best: &Day| {
            sure(next) == sure(best)
                && next.0 < best.0
                && [next, best].iter().all(|day| day.1[1..] == [0.0; 3])
        };
        if best.is_none_or(|best| sure(next) > sure(best) || is_first(best)) { Some(next) } else { best }
    });
    let best = best.filter(|best| sure(best) >= least)?;
    let of_day = || dates.iter().filter(|date| date.date.without_time() == best.0);
    let source =
        of_day().max_by(|a, b| date_weight(a.kind, a.role).total_cmp(&date_weight(b.kind, b.role)))?;
    let exact =
        of_day().max_by_key(|date| (date.date.offset_minutes().is_some(), date.date.time().is_some()))?;
    Some(Found::new(exact.date, source.source, sure(best).min(0.99)))
}

impl DateKind {
    /// The group of a kind; kinds of one group do not add up.
    fn group(self) -> usize {
        match self {
            DateKind::Line { .. } | DateKind::Before { .. } => 1,
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
        matches!(self, DateKind::Line { distance, .. } if distance <= lines)
    }

    /// Whether a reader sees it next to the title.
    fn is_near(self) -> bool {
        self.is_within(12) || matches!(self, DateKind::Before { labelled: true, .. })
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

pub(super) fn date_weight(kind: DateKind, role: Role) -> f32 {
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
        DateKind::Before { is_next: true, .. } => 0.86,
        DateKind::Before { labelled, .. } => either(labelled, 0.8, 0.6),
        DateKind::TimeFar { labelled } => either(labelled, 0.52, 0.1),
        DateKind::Line { distance, labelled, alone: true } => near(distance) * either(labelled, 0.93, 0.9),
        DateKind::Line { distance, labelled, alone: false } => near(distance) * either(labelled, 0.75, 0.55),
        DateKind::TextFar => 0.52,
        DateKind::First => 0.96,
        DateKind::Dateline => 0.7,
    };
    if role == Role::Created { weight * 0.9 } else { weight }
}
