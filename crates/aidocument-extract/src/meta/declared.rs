//! Metadata declared for programs: `<meta>`, microdata, RDFa, relations, and the address.

use url::Url;

use super::MetadataSource as S;
use super::choose::{AuthorKind, Candidates, DateKind, Role};
use super::date_text::DayOrder;
use super::page_date::PageDate;
use super::zones::Zones;
use super::{Page, months, people};
use crate::clues::Property;
use crate::letters::collapse;
use crate::page::{name_in, value_of};
use crate::pairs::has_any;
use crate::tree::{NodeId, Tree};

/// Reads everything that is declared outside of JSON-LD. `O(n)`.
pub(super) fn read(page: &Page<'_>, heading: Option<NodeId>, order: DayOrder, out: &mut Candidates) {
    metas(page, order, out);
    properties(page, heading, order, out);
    relations(page, out);
    if let Some(date) = date_of_address(page.address) {
        out.date(date, Role::Published, DateKind::Address, S::Url);
    }
}

fn metas(page: &Page<'_>, order: DayOrder, out: &mut Candidates) {
    let tree = page.tree;
    // Cards for Twitter come as a label and its value: `twitter:label1` "Written by", `twitter:data1` "Jane Doe".
    // Several authors come as several elements of one key.
    let mut listed: Vec<(AuthorKind, S, Vec<String>)> = Vec::new();
    let mut labels: [Option<String>; 2] = [None, None];
    let mut data: [Option<String>; 2] = [None, None];
    let zones = Zones::new(tree, None);
    for &id in &page.facts.clues.metas {
        let content = tree.attr(id, "content").unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let keys = [tree.attr(id, "property"), tree.attr(id, "name"), tree.attr(id, "itemprop")];
        let is_microdata = keys[0].is_none() && keys[1].is_none();
        for key in keys.into_iter().flatten() {
            let key = key.trim().to_ascii_lowercase();
            match key.as_str() {
                "twitter:label1" => labels[0] = Some(content.to_ascii_lowercase()),
                "twitter:label2" => labels[1] = Some(content.to_ascii_lowercase()),
                "twitter:data1" => data[0] = Some(collapse(content)),
                "twitter:data2" => data[1] = Some(collapse(content)),
                _ => {}
            }
            if is_microdata && zones.is_elsewhere(id) {
                continue;
            }
            if let Some((role, kind, source)) = date_key(&key) {
                match PageDate::of_value(content, order) {
                    Some(date) => out.date(date, role, kind, source),
                    None => out.unread_date(content, role, kind),
                }
            }
            if let Some((kind, source)) = author_key(&key) {
                let names = people::names(content);
                match listed.iter_mut().find(|(known, ..)| *known == kind) {
                    Some((_, _, all)) => all.extend(names),
                    None => listed.push((kind, source, names)),
                }
            }
            match key.as_str() {
                "og:type" => {
                    out.is_called_other |= !content.trim_start().to_ascii_lowercase().starts_with("article")
                }
                "og:site_name" => out.site_name.offer(0, content, S::OpenGraph),
                "application-name" => out.site_name.offer(1, content, S::Meta),
                "apple-mobile-web-app-title" | "dc.publisher" | "citation_journal_title" => {
                    out.site_name.offer(2, content, S::Meta);
                }
                "article:section" | "og:article:section" => out.section.offer(0, content, S::OpenGraph),
                "parsely-section" => out.section.offer(1, content, S::Parsely),
                "articlesection" => out.section.offer(2, content, S::Microdata),
                "article:tag" | "og:article:tag" | "video:tag" => out.tag(content),
                "keywords" | "news_keywords" | "parsely-tags" | "sailthru.tags" => {
                    out.keywords_of(content, key == "keywords");
                }
                // One element for each, or all in one.
                "dc.subject" | "dcterms.subject" => content.split(',').for_each(|word| out.tag(word)),
                "dc.rights" | "dcterms.rights" | "dcterms.license" | "dc.rights.license" | "license"
                | "licence" => {
                    out.licence.offer(1, content, S::DublinCore);
                }
                _ => {}
            }
        }
    }
    for (kind, source, names) in listed {
        let names: Vec<String> = if kind == AuthorKind::Cited {
            names.iter().map(|name| people::in_order(name)).collect()
        } else {
            names
        };
        out.author(&names, kind, source);
    }
    for (label, value) in labels.iter().zip(&data) {
        if let (Some(label), Some(value)) = (label, value)
            && people::is_writer_label(label)
        {
            out.author(&people::names(value), AuthorKind::Card, S::Meta);
        }
    }
}

/// Keys of `<meta>` that stand for dates, with blanks between.
#[rustfmt::skip]
const DATE_KEYS: [(Role, DateKind, S, &str); 13] = [
    (Role::Published, DateKind::OpenGraph, S::OpenGraph,
        "article:published_time og:published_time og:article:published_time article:published"),
    (Role::Modified, DateKind::OpenGraph, S::OpenGraph,
        "article:modified_time og:updated_time og:modified_time article:modified og:article:modified_time"),
    (Role::Published, DateKind::Property, S::Microdata, "datepublished"),
    (Role::Created, DateKind::Property, S::Microdata, "datecreated"),
    (Role::Modified, DateKind::Property, S::Microdata, "datemodified"),
    (Role::Published, DateKind::Meta, S::Parsely, "parsely-pub-date"),
    (Role::Published, DateKind::Meta, S::Sailthru, "sailthru.date"),
    (Role::Published, DateKind::Meta, S::Citation, "citation_publication_date citation_date citation_online_date"),
    (Role::Published, DateKind::Meta, S::DublinCore,
        "dc.date dc.date.issued dcterms.issued dcterms.date dc.date.created dcterms.created dc:date dcterms:date dc.created \
            dc:created"),
    (Role::Modified, DateKind::Meta, S::DublinCore, "dcterms.modified dc.date.modified dc:modified"),
    (Role::Published, DateKind::Meta, S::Meta,
        "pubdate publishdate publish_date publish-date publication_date published_date published date_published \
            article_date_original originalpublicationdate ptime displaydate cxenseparse:recs:publishtime article.published \
            bt:pubdate rbpubdate pub_date publish_time og:pubdate published_time release_date article:post_date \
            first_published datepublish cse_published"),
    (Role::Created, DateKind::Loose, S::Meta, "date created article.created created_at og:created"),
    (Role::Modified, DateKind::Meta, S::Meta,
        "last-modified lastmod modified revised article.updated updated_time lastupdated utime bt:moddate last-updated \
            updated_at last_updated_date article_date_updated"),
];

/// One of these is in each of the keys, and in few others.
const IN_DATE_KEYS: &[&str] = &["date", "time", "publ", "modif", "created", "lastmod", "issued", "revised"];

/// The date that a key of `<meta>` stands for.
fn date_key(key: &str) -> Option<(Role, DateKind, S)> {
    if !has_any(key, IN_DATE_KEYS) {
        return None;
    }
    let known = |keys: &str| keys.split(' ').any(|known| known == key);
    if let Some((role, kind, source, _)) = DATE_KEYS.into_iter().find(|(.., keys)| known(keys)) {
        return Some((role, kind, source));
    }
    let is_date = ["date", "time"].iter().any(|word| key.contains(word)) && !key.contains("date_range");
    let has = |words: &[&str]| words.iter().any(|word| key.contains(word));
    let role = match () {
        () if !is_date => return None,
        () if has(&["publish", "pubdate", "pub-date"]) && !has(&["publisher", "unpublish", "expir"]) => {
            Role::Published
        }
        () if has(&["modif", "updated", "revis"]) => Role::Modified,
        () => return None,
    };
    Some((role, DateKind::Meta, S::Meta))
}

fn author_key(key: &str) -> Option<(AuthorKind, S)> {
    Some(match key {
        "author" | "byl" | "byline" | "authors" | "article.author" | "article_author" | "dcsext.author"
        | "writer" => (AuthorKind::Meta, S::Meta),
        "article:author" | "og:author" | "og:article:author" | "article:author_name" | "book:author" => {
            (AuthorKind::OpenGraph, S::OpenGraph)
        }
        "parsely-author" => (AuthorKind::Card, S::Parsely),
        "sailthru.author" => (AuthorKind::Card, S::Sailthru),
        "citation_author" => (AuthorKind::Cited, S::Citation),
        "dc.creator" | "dc:creator" | "dcterms.creator" | "dcterms:creator" => {
            (AuthorKind::DublinCore, S::DublinCore)
        }
        _ => return None,
    })
}

/// Microdata and RDFa outside of `<meta>`.
fn properties(page: &Page<'_>, heading: Option<NodeId>, order: DayOrder, out: &mut Candidates) {
    let tree = page.tree;
    let zones = Zones::new(tree, heading);
    let mut authors = Vec::new();
    let mut author_source = None;
    let mut scope = None;
    let mut dates: Vec<(PageDate, Role, S)> = Vec::new();
    for &id in &page.facts.clues.properties {
        let (attribute, source) = match tree.attr(id, "itemprop") {
            Some(value) => (value, S::Microdata),
            None => (tree.attr(id, "property").unwrap_or_default(), S::Rdfa),
        };
        let Some(property) = Property::of(attribute) else { continue };
        if zones.is_elsewhere(id) {
            continue;
        }
        // The values of one thing: those of the next article, post or answer are about that.
        let own = owner(tree, id);
        if *scope.get_or_insert(own) != own {
            continue;
        }
        let role = match property {
            Property::Published => Role::Published,
            Property::Created => Role::Created,
            Property::Modified => Role::Modified,
            Property::Author => {
                let names = people::names(&name_in(tree, id));
                let before = authors.len();
                authors.extend(names.into_iter().filter(|name| !name.is_empty()));
                if authors.len() > before {
                    author_source.get_or_insert(source);
                }
                continue;
            }
            Property::Licence => {
                let value = tree.attr(id, "href").or(tree.attr(id, "content")).unwrap_or_default();
                out.licence.offer(0, value, source);
                continue;
            }
            Property::Section => {
                out.section.offer(2, &value_of(tree, id), source);
                continue;
            }
        };
        if let Some(date) = PageDate::of_value(&value_of(tree, id), order) {
            dates.push((date, role, source));
        }
    }
    // Properties of nothing, of several days: those of other pages.
    let mut days: Vec<PageDate> = dates
        .iter()
        .filter(|(_, role, _)| *role != Role::Modified)
        .map(|(date, ..)| date.without_time())
        .collect();
    days.sort_unstable();
    days.dedup();
    if days.len() < 3 || scope != Some(None) {
        for (date, role, source) in dates {
            out.date(date, role, DateKind::Property, source);
        }
    }
    let source = author_source.unwrap_or(S::Microdata);
    out.author(&authors, AuthorKind::Property, source);
}

/// The element with `itemscope` or `typeof` that a property belongs to.
fn owner(tree: &Tree, id: NodeId) -> Option<NodeId> {
    tree.ancestors(id).find(|&id| tree.attr(id, "itemscope").is_some() || tree.attr(id, "typeof").is_some())
}

fn relations(page: &Page<'_>, out: &mut Candidates) {
    let tree = page.tree;
    for &id in &page.facts.clues.links {
        let rel = tree.attr(id, "rel").unwrap_or_default();
        let has = |wanted: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(wanted));
        if has("license") || has("licence") {
            out.licence.offer(0, tree.attr(id, "href").unwrap_or_default(), S::Markup);
        }
    }
}

/// The day that an address names: `/2024/03/05/`, `/2024-03-05-`, `/20240305/`.
fn date_of_address(address: &Url) -> Option<PageDate> {
    let path = address.path().strip_prefix('/')?;
    let path = path.get(..path.len().min(400)).unwrap_or(path);
    let mut end = 0;
    // An address is of ASCII.
    let pieces = path.split(|c: char| !c.is_ascii_digit()).map(|text| {
        end += text.len() + 1;
        (end - text.len() - 1, text)
    });
    let numbers: Vec<(usize, &str)> = pieces.filter(|(_, text)| !text.is_empty()).collect();
    let year =
        |text: &str| text.parse::<u32>().ok().filter(|year| text.len() == 4 && (1990..=2099).contains(year));
    for (index, &(at, text)) in numbers.iter().enumerate() {
        let starts =
            at == 0 || path.as_bytes().get(at - 1).is_some_and(|byte| matches!(byte, b'/' | b'-' | b'_'));
        if !starts {
            continue;
        }
        if text.len() == 8
            && let Some(year) = text.get(..4).and_then(year)
        {
            let (month, day) = (text.get(4..6)?.parse().ok()?, text.get(6..)?.parse().ok()?);
            if let Some(date) = PageDate::of_day(year.into(), month, day) {
                return Some(date);
            }
        }
        let Some(year) = year(text) else { continue };
        if let Some(date) = named_day(path, at + 4, year) {
            return Some(date);
        }
        let (Some(&(second, month)), Some(&(third, day))) = (numbers.get(index + 1), numbers.get(index + 2))
        else {
            continue;
        };
        let parted = |from: usize, to: usize| {
            from + 1 == to && path.as_bytes().get(from).is_some_and(|byte| matches!(byte, b'/' | b'-' | b'_'))
        };
        if parted(at + 4, second) && parted(second + month.len(), third) && month.len() <= 2 && day.len() <= 2
        {
            return PageDate::of_day(year.into(), month.parse().ok()?, day.parse().ok()?);
        }
    }
    None
}

/// The day in an address that names the month, `/2024/mar/05/`, whose year ends at a place.
fn named_day(path: &str, at: usize, year: u32) -> Option<PageDate> {
    let sign = path.get(at..)?.chars().next().filter(|sign| matches!(sign, '/' | '-' | '_'))?;
    let mut parts = path.get(at + 1..)?.split(sign);
    let (month, day) = (parts.next()?, parts.next()?);
    let is_day = (1..=2).contains(&day.len()) && day.bytes().all(|byte| byte.is_ascii_digit());
    let month = months::month_of(&month.to_ascii_lowercase()).filter(|month| is_day && *month <= 12)?;
    PageDate::of_day(year.into(), month.into(), day.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_addresses() {
        for (address, date) in [
            ("https://example.com/2024/03/05/tea", Some("2024-03-05")),
            ("https://example.com/blog/2024-3-5-tea.html", Some("2024-03-05")),
            ("https://example.com/a/20240305/tea", Some("2024-03-05")),
            ("https://example.com/2024/03/tea-5", None),
            ("https://example.com/tea-2024-99-05", None),
            ("https://example.com/x?d=2024/03/05", None),
            ("https://example.com/12024/03/05", None),
            ("https://example.com", None),
        ] {
            let day = date_of_address(&address.parse().unwrap());
            assert_eq!(day.map(|date| date.to_string()).as_deref(), date, "{address}");
        }
    }

    #[test]
    fn every_key_of_a_date_is_known() {
        for (role, kind, source, keys) in DATE_KEYS {
            assert!(keys.split(' ').all(|key| date_key(key) == Some((role, kind, source))), "{keys}");
        }
    }
}
