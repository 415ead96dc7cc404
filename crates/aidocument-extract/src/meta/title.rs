//! The title without the name of the site.

use super::{Found, MetadataSource, Page};
use crate::address::leads_home;
use crate::letters::{collapse, lower, words};
use crate::page::text_of_short;
use crate::structure::roles::is_main;
use crate::tree::{NodeId, Tag, Tree};

/// Signs that set the name of a site apart from a title.
const PARTING: &[&str] = &[
    " | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " / ", " ‹ ", " > ", " ~ ", "｜", " _ ",
    "_",
];

/// Signs that are only followed by the name of a site.
const BEFORE_SITE: &[&str] = &[" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " : ", "｜"];

/// Texts of links to the front page that are not a site's name.
#[rustfmt::skip]
const HOMES: [&str; 12] = [
    "home", "homepage", "home page", "main page", "start", "index", "contents", "docs", "documentation", "top",
    "back", "main",
];

/// Bytes of the name of a site.
const MAX_NAME: usize = 80;

/// Blocks among which the line of a title is looked for, and its words.
const MOST_LINES: usize = 80;
const MAX_LINE: u32 = 30;

/// Ancestors that are looked at for a menu.
const MAX_CLIMB: usize = 24;

/// Bytes of a heading and of a site's name that are compared.
const LONG: usize = 2000;

/// The title of the page, and its heading: the one with the same text, else the first `h1`. `headline` is that of the
/// JSON-LD.
///
/// A heading that agrees with the declared title is preferred, because readers see it.
pub(super) fn of(page: &Page<'_>, headline: Option<String>) -> (Option<Found<String>>, Option<NodeId>) {
    let title = text(page, headline).map(|title| spelled(page, title));
    let folded = title.as_ref().map(|title| fold(&title.value)).unwrap_or_default();
    let clues = &page.facts.clues;
    let equal = clues.headings.iter().take(60).find(|&&id| fold(&text_of_short(page.tree, id)) == folded);
    let first =
        || headings(page).find(|&(id, _)| page.tree.tag(id).heading_level() == Some(1)).map(|(id, _)| id);
    (title, equal.copied().or_else(first))
}

/// The title as `<title>` spells it, where a style sheet draws what parts its words in the heading: gi-docgen has `Json.Object`.
fn spelled(page: &Page<'_>, title: Found<String>) -> Found<String> {
    let Some(element) = page.facts.clues.title.map(|id| text_of_short(page.tree, id)) else { return title };
    let [own, other] = [&title.value, &element].map(|text| fold(text));
    let is_parted = own.len() < other.len() && has_letters_of(&own, &other);
    if is_parted { Found { value: element, source: MetadataSource::TitleElement, ..title } } else { title }
}

fn text(page: &Page<'_>, headline: Option<String>) -> Option<Found<String>> {
    let declared = page.facts.is_title_declared.then(|| page.facts.title.clone());
    let element =
        page.facts.clues.title.map(|id| text_of_short(page.tree, id)).filter(|text| !text.is_empty());
    let site = site_name(page);
    let is_front = page.address.path() == "/";
    if let Some(title) = page.facts.clues.headertitle.map(|id| line_of(page.tree, id))
        && !title.is_empty()
    {
        return Some(Found::new(title, MetadataSource::Heading, 0.8));
    }
    // No heading is as long as a title past these bytes, nor are they read for every heading.
    let said = [declared.as_deref(), headline.as_deref(), element.as_deref()].into_iter().flatten();
    let said: Vec<&str> = said.filter(|said| said.len() <= 2 * LONG).collect();
    let told: Vec<String> = said.iter().map(|said| fold(said)).collect();
    let mut starts: Vec<String> = said.iter().flat_map(|said| starts_of(said, &site)).collect();
    let headings: Vec<Candidate> = headings(page)
        .filter(|(id, _)| !is_in_menu(page.tree, *id))
        .map(|(id, text)| Candidate::new(page.tree, id, text))
        .collect();
    // The name of the book may be in brackets: only the first heading is what is before, since others name what is in brackets, too.
    let before_brackets =
        said.iter().filter(|said| said.ends_with(')')).filter_map(|said| said.split_once(" ("));
    let is_first =
        |start: &String| headings.first().is_some_and(|first| first.forms().contains(&start.as_str()));
    starts.extend(before_brackets.map(|(start, _)| fold(start)).filter(is_first));
    if let Some(heading) = chosen(&headings, &told, &starts, &site) {
        return Some(Found::new(heading.text.clone(), MetadataSource::Heading, 0.8));
    }
    if let Some(element) = element.as_ref().filter(|element| declared.is_none() && is_shown(page, element)) {
        return Some(Found::new(element.clone(), MetadataSource::TitleElement, 0.8));
    }
    if let Some(title) = declared {
        return Some(Found::new(without_site(&title, &site, is_front), MetadataSource::OpenGraph, 0.6));
    }
    let title = &page.facts.title;
    if title.is_empty() {
        return headline.map(|title| Found::new(title, MetadataSource::JsonLd, 0.6));
    }
    let folded = fold(title);
    let is_site = is_name(&folded, &site);
    if !is_front && element.as_ref() != Some(title) {
        // Where the first heading names the site, or stands over the page and ends `<title>`, another one is the page's.
        let is_over = !headings.iter().any(|heading| heading.in_main && heading.folded == folded)
            && told.iter().any(|told| told.ends_with(&folded));
        let level = top_level_in_main(&headings);
        let own = |heading: &&Candidate| {
            let is_page = if is_site { !is_name(&heading.folded, &site) } else { is_over && heading.in_main };
            (heading.level == 1 || (heading.in_main && heading.level == level))
                && !heading.leads_home
                && is_page
        };
        if let Some(heading) = headings.iter().find(own) {
            return Some(Found::new(heading.text.clone(), MetadataSource::Heading, 0.5));
        }
        if let Some(element) = element.as_ref().filter(|_| is_site) {
            return Some(Found::new(
                without_site(element, &site, is_front),
                MetadataSource::TitleElement,
                0.5,
            ));
        }
    }
    if element.as_ref() == Some(title) {
        return Some(Found::new(without_site(title, &site, is_front), MetadataSource::TitleElement, 0.5));
    }
    Some(Found::new(title.clone(), MetadataSource::Heading, 0.5))
}

/// A heading that may be the title.
struct Candidate {
    text: String,
    folded: String,
    level: u8,
    /// Whether it is a link to the site's front page.
    leads_home: bool,
    /// Whether it is in the page's `<main>`.
    in_main: bool,
}

impl Candidate {
    fn new(tree: &Tree, id: NodeId, text: String) -> Candidate {
        let level = tree.tag(id).heading_level().unwrap_or(6);
        let in_main = tree.ancestors(id).take(MAX_CLIMB).any(|id| is_main(tree, id));
        Candidate { folded: fold(&text), level, leads_home: leads_home(tree, id), in_main, text }
    }

    /// Its words, also without the number in front, which titles leave out in part: "4.1 Ownership", "Chapter 3. Types",
    /// "Appendix A.2 Units".
    fn forms(&self) -> [&str; 3] {
        let without = |text: &'_ str, is_it: fn(&str) -> bool| -> usize {
            let head = text.split_once(' ').filter(|(first, _)| is_it(first));
            head.map_or(0, |(first, _)| first.len() + 1)
        };
        let whole = self.folded.as_str();
        let is_kind = |word: &str| matches!(word, "chapter" | "appendix" | "section" | "part");
        let unnamed = whole.get(without(whole, is_kind)..).unwrap_or(whole);
        let is_letter = |word: &str| word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let mut rest = unnamed.get(without(unnamed, is_letter)..).unwrap_or(unnamed);
        while let Some((first, tail)) = rest.split_once(' ')
            && first.bytes().all(|byte| byte.is_ascii_digit())
        {
            rest = tail;
        }
        [whole, unnamed, rest]
    }
}

/// The level of the highest headings in `<main>`; 1 where it has none.
fn top_level_in_main(headings: &[Candidate]) -> u8 {
    headings.iter().filter(|heading| heading.in_main).map(|heading| heading.level).min().unwrap_or(1)
}

/// The heading that is the title, of those in document order.
///
/// Chooses the longest heading that agrees with the declared title, since an `h1` may be the site's name with which the declared
/// title starts. Two exceptions: if the chosen heading is the end of the declared title and a heading further down its beginning,
/// the latter is the page's title and the former the site's (`Ownership - The Rust Book`). And a heading that only agrees in part
/// is a chapter if the page's `h1` has all of its words.
fn chosen<'a>(
    headings: &'a [Candidate],
    told: &[String],
    starts: &[String],
    site: &[String],
) -> Option<&'a Candidate> {
    let best = |among: &mut dyn Iterator<Item = (usize, &'a Candidate)>| {
        among.max_by_key(|(_, heading)| (heading.folded.len(), heading.level == 1))
    };
    let known = |heading: &Candidate| told.iter().any(|told| agrees(&heading.folded, told, site));
    let all = || headings.iter().enumerate().filter(|(_, heading)| known(heading));
    let agreed = best(&mut all().filter(|(_, heading)| !heading.leads_home)).or_else(|| best(&mut all()));
    let begins = |heading: &Candidate| {
        !heading.leads_home && heading.forms().iter().any(|form| starts.iter().any(|start| start == form))
    };
    let first = best(&mut headings.iter().enumerate().filter(|(_, heading)| begins(heading)));
    let Some((place, agreed)) = agreed else { return first.map(|(_, heading)| heading) };
    let is_whole = told.contains(&agreed.folded);
    if is_whole || begins(agreed) {
        return Some(agreed);
    }
    let ends = told.iter().any(|told| told.ends_with(&agreed.folded) && !told.starts_with(&agreed.folded));
    if let Some((_, first)) = first.filter(|(other, _)| ends && (agreed.leads_home || *other > place)) {
        return Some(first);
    }
    // What names the site stands over the page, whose own heading may be called otherwise than the declared title.
    let is_over = agreed.leads_home || (ends && !agreed.in_main);
    let level = top_level_in_main(headings);
    let own = |heading: &&Candidate| {
        let is_page = heading.in_main || (agreed.leads_home && heading.level == 1);
        is_page && (heading.level == 1 || heading.level == level) && !heading.leads_home
    };
    if let Some(heading) = headings.iter().skip(place + 1).find(own).filter(|_| is_over) {
        return Some(heading);
    }
    let holds = |heading: &&Candidate| {
        let words = format!(" {} ", heading.folded);
        heading.level == 1 && !heading.leads_home && words.contains(&format!(" {} ", agreed.folded))
    };
    headings.iter().find(holds).filter(|_| agreed.level > 1).or(Some(agreed))
}

/// Returns true if a line before the first heading has the words of `<title>`: then it is the page's title, and the headings are
/// those of chapters.
fn is_shown(page: &Page<'_>, element: &str) -> bool {
    let title = fold(element);
    let first = page.facts.clues.headings.first().map(|id| id.index());
    let mut lines = page.blocks.blocks.iter().take(MOST_LINES).filter(|block| block.counts.words <= MAX_LINE);
    !title.is_empty()
        && lines.any(|block| {
            let texts = page.blocks.texts_of(block).iter().filter_map(|&id| page.tree.text(id));
            let is_before = first.is_none_or(|first| block.container.index() < first);
            is_before && block.counts.link_words == 0 && fold(&texts.collect::<String>()) == title
        })
}

/// The possible titles before the name of a site, folded.
fn starts_of(title: &str, site: &[String]) -> Vec<String> {
    let mut starts = Vec::new();
    for sign in BEFORE_SITE.iter().filter(|sign| title.contains(**sign)) {
        let parts = title.match_indices(sign).take(4);
        starts.extend(parts.filter_map(|(at, _)| title.get(..at)).map(fold));
    }
    let before_name = title.rsplit_once(": ").filter(|(_, rest)| is_name(&fold(rest), site));
    starts.extend(before_name.map(|(start, _)| fold(start)));
    starts.retain(|start| !start.is_empty() && !is_name(start, site));
    starts
}

/// Whether a heading is in a menu or beside the page.
fn is_in_menu(tree: &Tree, id: NodeId) -> bool {
    tree.ancestors(id).take(MAX_CLIMB).any(|around| tree.tag(around) == Tag::Nav)
}

/// Whether a folded text is a name of the site.
fn is_name(folded: &str, site: &[String]) -> bool {
    !folded.is_empty() && site.iter().any(|name| has_letters_of(folded, name))
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

/// Returns true if a heading is the declared title, with or without the site's name; both are
/// folded.
fn agrees(heading: &str, told: &str, site: &[String]) -> bool {
    if heading == told && !heading.is_empty() {
        return true;
    }
    let is_site = |text: &str| is_name(text, site);
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
    for word in words(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        word.chars().for_each(|c| lower(c, |c| out.push(c)));
    }
    out
}

/// The names of the site on the page, folded: `og:site_name` and the like, and the main label of the host.
fn site_name(page: &Page<'_>) -> Vec<String> {
    let declared = page.facts.meta.site_name.iter().filter(|name| name.len() <= LONG);
    let mut names: Vec<String> = declared.map(|name| fold(name)).collect();
    let host = page.address.host_str().unwrap_or_default();
    names.push(fold(host.strip_prefix("www.").unwrap_or(host)));
    let mut labels = host.rsplit('.');
    let (_, second) = (labels.next(), labels.next().unwrap_or_default());
    let label = if second.len() <= 3 { labels.next().unwrap_or(second) } else { second };
    names.push(label.replace('-', " "));
    names.extend(page.facts.clues.homes.iter().filter_map(|&id| name_of_home(page.tree, id)));
    names.retain(|name| !name.is_empty());
    names
}

/// The text of an element up to the first block in it.
fn line_of(tree: &Tree, id: NodeId) -> String {
    let inner = tree.descendants(id).skip(1).take(200).take_while(|&inner| !tree.tag(inner).is_block());
    collapse(&inner.filter_map(|inner| tree.text(inner)).collect::<String>())
}

/// What a link to the front page calls the site, folded.
fn name_of_home(tree: &Tree, id: NodeId) -> Option<String> {
    let name = match tree.tag(id) {
        Tag::Link => tree.attr(id, "title")?.to_owned(),
        _ => {
            let text = text_of_short(tree, id);
            let image = || tree.descendants(id).take(12).find_map(|image| tree.attr(image, "alt"));
            if text.is_empty() { image()?.to_owned() } else { text }
        }
    };
    let folded = fold(&name);
    (name.len() <= MAX_NAME && !HOMES.contains(&folded.as_str())).then_some(folded)
}

/// The title without the part that names the site, at either end.
///
/// A colon is a part of the titles of front pages, which begin with the site's name: "Figma: The Collaborative Interface".
fn without_site(title: &str, site: &[String], is_front: bool) -> String {
    let is_site = |part: &str| is_name(&fold(part), site);
    let mut best = title;
    let colon: &[&str] = if is_front { &[] } else { &[": "] };
    for sign in PARTING.iter().chain(colon) {
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
