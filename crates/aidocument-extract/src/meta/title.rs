//! The title without the name of the site.

use super::{Found, MetadataSource, Page};
use crate::page::{collapse, text_of_short};
use crate::tree::{NodeId, Tree};

/// Signs that set the name of a site apart from a title.
const PARTING: &[&str] = &[
    " | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " / ", " ‹ ", " > ", " ~ ", "｜", " _ ",
    "_",
];

/// Bytes of a heading and of a site's name that are compared.
const LONG: usize = 2000;

/// The title of the page, and its heading: the one with its text, else the first `h1`. `headline` is that of the JSON-LD.
///
/// A heading that agrees with what the page declares is best: it is what a reader sees.
pub(super) fn of(page: &Page<'_>, headline: Option<String>) -> (Option<Found<String>>, Option<NodeId>) {
    let title = text(page, headline);
    let folded = title.as_ref().map(|title| fold(&title.value)).unwrap_or_default();
    let clues = &page.facts.clues;
    let equal = clues.headings.iter().take(60).find(|&&id| fold(&text_of_short(page.tree, id)) == folded);
    let first =
        || headings(page).find(|&(id, _)| page.tree.tag(id).heading_level() == Some(1)).map(|(id, _)| id);
    (title, equal.copied().or_else(first))
}

fn text(page: &Page<'_>, headline: Option<String>) -> Option<Found<String>> {
    let declared = page.facts.clues.declared_title(page.tree);
    let element =
        page.facts.clues.title.map(|id| text_of_short(page.tree, id)).filter(|text| !text.is_empty());
    let site = site_name(page);
    // No heading is as long as a title past these bytes, nor are they read for every heading.
    let told = [declared.as_deref(), headline.as_deref(), element.as_deref()].into_iter().flatten();
    let told: Vec<String> = told.filter(|told| told.len() <= 2 * LONG).map(fold).collect();
    // The longest: an `h1` may be the site's name, with which the declared title starts.
    let headings = headings(page).map(|(id, text)| (id, fold(&text), text));
    let known = headings.filter(|(_, folded, _)| told.iter().any(|told| agrees(folded, told, &site)));
    let is_first = |id: NodeId| page.tree.tag(id).heading_level() == Some(1);
    if let Some((_, _, heading)) = known.max_by_key(|(id, folded, _)| (folded.len(), is_first(*id))) {
        return Some(Found::new(heading, MetadataSource::Heading, 0.8));
    }
    if let Some(title) = declared {
        return Some(Found::new(without_site(&title, &site), MetadataSource::OpenGraph, 0.6));
    }
    let title = &page.facts.title;
    if title.is_empty() {
        return headline.map(|title| Found::new(title, MetadataSource::JsonLd, 0.6));
    }
    if element.as_ref() == Some(title) {
        return Some(Found::new(without_site(title, &site), MetadataSource::TitleElement, 0.5));
    }
    Some(Found::new(title.clone(), MetadataSource::Heading, 0.5))
}

/// The headings that may be the title, and their texts: the first forty of the three upper levels.
fn headings<'a>(page: &'a Page<'_>) -> impl Iterator<Item = (NodeId, String)> + 'a {
    page.facts
        .clues
        .headings
        .iter()
        .take(40)
        .map(|&id| (id, text_of_short(page.tree, id)))
        .filter(|(_, text)| !text.is_empty())
}

/// Whether a heading is the told title, as it is or with the site's name; both are folded.
fn agrees(heading: &str, told: &str, site: &[String]) -> bool {
    if heading == told && !heading.is_empty() {
        return true;
    }
    let is_site = |text: &str| site.iter().any(|name| has_letters_of(text, name));
    if heading.len() < 4 || is_site(heading) {
        return false;
    }
    match (told.strip_prefix(heading), told.strip_suffix(heading)) {
        (Some(rest), _) => is_site(rest) || (rest.len() < 60 && heading.len() >= 12),
        // The site's name comes last, more often than first.
        (_, Some(rest)) => is_site(rest) || (rest.len() < 30 && heading.len() >= 16),
        _ => false,
    }
}

/// Whether two folded texts are the same except for spaces.
fn has_letters_of(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|text| text.bytes().filter(|byte| *byte != b' '));
    one.eq(other)
}

/// Letters and digits in lower case, words parted by spaces.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in crate::letters::words(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}

/// The names that the page has for its site, folded: `og:site_name` and the like, and the host's own word.
fn site_name(page: &Page<'_>) -> Vec<String> {
    let declared = page.facts.meta.site_name.iter().filter(|name| name.len() <= LONG);
    let mut names: Vec<String> = declared.map(|name| fold(name)).collect();
    let host = super::language::host_of(page.address);
    names.push(fold(host.strip_prefix("www.").unwrap_or(host)));
    let mut labels = host.rsplit('.');
    let (_, second) = (labels.next(), labels.next().unwrap_or_default());
    let label = if second.len() <= 3 { labels.next().unwrap_or(second) } else { second };
    names.push(label.replace('-', " "));
    names.retain(|name| !name.is_empty());
    names
}

/// The title without the part that names the site, at either end.
fn without_site(title: &str, site: &[String]) -> String {
    let is_site = |part: &str| {
        let folded = fold(part);
        !folded.is_empty() && site.iter().any(|name| has_letters_of(&folded, name))
    };
    let mut best = title;
    for sign in PARTING {
        if let Some((rest, last)) = best.rsplit_once(sign)
            && !rest.trim().is_empty()
            && (is_site(last) || (matches!(*sign, " | " | "｜" | " :: " | " » ") && last.len() < rest.len()))
        {
            best = rest;
        }
        if let Some((first, rest)) = best.split_once(sign)
            && !rest.trim().is_empty()
            && is_site(first)
        {
            best = rest;
        }
    }
    collapse(best)
}

impl super::clues::Clues {
    /// `og:title`.
    fn declared_title(&self, tree: &Tree) -> Option<String> {
        self.metas.iter().find_map(|&id| {
            let keys = [tree.attr(id, "property"), tree.attr(id, "name"), tree.attr(id, "itemprop")];
            let is_it = keys.into_iter().flatten().any(|key| key.trim().eq_ignore_ascii_case("og:title"));
            is_it
                .then(|| collapse(tree.attr(id, "content").unwrap_or_default()))
                .filter(|text| !text.is_empty())
        })
    }
}
