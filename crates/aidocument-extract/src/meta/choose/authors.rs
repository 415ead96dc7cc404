//! Who wrote the page.

use std::collections::BTreeSet;

use super::dates::date_weight;
use super::{Author, AuthorKind, Candidates, FEW, Way};
use crate::meta::title::fold;
use crate::meta::{Found, people};

impl Candidates {
    /// Returns true if an author shown far below the title is the first of several authors of other
    /// pages.
    fn is_one_of_many(&self, author: &Author) -> bool {
        let Some(distance) = author.kind.distance().filter(|distance| *distance >= 10) else { return false };
        let names: BTreeSet<&String> = self
            .authors
            .iter()
            .filter(|other| other.kind.distance().is_some_and(|other| other >= distance))
            .filter_map(|other| other.names.first())
            .take(FEW)
            .collect();
        names.len() >= 4
    }

    /// Who wrote it.
    pub(in crate::meta) fn authors(&self, site: Option<&str>, host: &str) -> Vec<Found<String>> {
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
            AuthorKind::Shown { way: Way::Relation, .. } => {
                property.map_or(author.source, |other| other.source)
            }
            _ => author.source,
        };
        author.names.iter().map(|name| Found::new(spelled(name), source, weight)).collect()
    }
}

impl AuthorKind {
    /// Lines after the title.
    fn distance(self) -> Option<u16> {
        match self {
            AuthorKind::Shown { distance, is_before: false, .. } => Some(distance),
            _ => None,
        }
    }

    fn is_visible(self) -> bool {
        matches!(self, AuthorKind::Shown { .. } | AuthorKind::Far)
    }
}

fn author_weight(kind: AuthorKind) -> f32 {
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
        AuthorKind::Far => 0.45,
        AuthorKind::Shown { way, distance, is_before } => {
            let near = match distance {
                0..=4 => 1.0 - 0.02 * f32::from(distance),
                5..=8 => 0.88,
                9..=14 => 0.7,
                _ => 0.4,
            };
            let place = near * if is_before { 0.6 } else { 1.0 };
            place
                * match way {
                    Way::Class => 0.84,
                    Way::Target => 0.8,
                    Way::Relation | Way::Byline => 0.88,
                    Way::Below => 0.75,
                }
        }
    }
}
