//! Metadata in JSON-LD: the node about the page, its dates, authors, section, site.

use std::collections::HashMap;

use aidocument::{JsonKind, JsonValue};

use super::choose::{AuthorKind, Candidates, DateKind, Role};
use super::date_text::DayOrder;
use super::page_date::PageDate;
use super::title::fold;
use super::{Found, MetadataSource, people};
use crate::letters::collapse;
use crate::tree::resolve_all;

/// Nodes that are looked at, nested ones too.
const MOST: usize = 3000;

/// Values of one node that are not weighed against other sources.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) site_name: Option<Found<String>>,
    pub(super) section: Option<Found<String>>,
    pub(super) licence: Option<Found<String>>,
    pub(super) keywords: Vec<String>,
}

/// How likely a node of some type is about the page itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Article,
    /// A question or a thread.
    Thread,
    WebPage,
    /// A work of another kind: a recipe, a course, a video.
    Work,
}

fn kind_of(name: &str) -> Option<Kind> {
    Some(match name {
        "DiscussionForumPosting" | "Question" | "QAPage" => Kind::Thread,
        "WebPage" | "ItemPage" | "AboutPage" | "FAQPage" | "MedicalWebPage" | "ProfilePage" => Kind::WebPage,
        "APIReference" | "Report" | "BlogPosting" | "Blog_Posting" | "Recipe" | "HowTo" | "NewsArticle"
        | "Review" => Kind::Article,
        "CreativeWork" | "VideoObject" | "PodcastEpisode" | "Guide" | "Course" | "LearningResource"
        | "Chapter" => Kind::Work,
        name if name.ends_with("Article") || name.ends_with("Posting") && name != "JobPosting" => {
            Kind::Article
        }
        _ => return None,
    })
}

/// The types of a node, without schema.org's address.
fn kind(node: JsonValue<'_>) -> Option<Kind> {
    let one = |value: JsonValue<'_>| {
        let name = value.as_str()?;
        kind_of(name.rsplit(['/', ':', '#']).next().unwrap_or_default())
    };
    one_or_all(node.get("@type")?).take(8).filter_map(one).min()
}

fn text(node: JsonValue<'_>, name: &str) -> Option<String> {
    let value = node.get(name)?;
    let value = match value.kind() {
        JsonKind::Array => value.items().next()?,
        JsonKind::Object => value.get("@value")?,
        _ => value,
    };
    value.as_str().map(|text| plain(&text)).filter(|text| !text.is_empty())
}

/// The text without white space runs, and without the references that templates leave in: `&amp;`, `&#8217;`.
pub(super) fn plain(text: &str) -> String {
    collapse(&resolve_all(text, true))
}

/// The headline of the first article.
pub(super) fn headline(nodes: &[(JsonValue<'_>, Kind)]) -> Option<String> {
    nodes.iter().filter(|(_, kind)| *kind <= Kind::Thread).find_map(|(node, _)| text(*node, "headline"))
}

/// The nodes that may be about the page, nested ones after those around them; the surest kinds first.
pub(super) fn nodes(root: JsonValue<'_>) -> Vec<(JsonValue<'_>, Kind)> {
    let mut found = Vec::new();
    let mut level: Vec<JsonValue<'_>> = root.members().map(|(_, list)| list).collect();
    let mut seen = 0;
    while !level.is_empty() && seen < MOST {
        let mut next = Vec::new();
        for value in level {
            seen += 1;
            if seen > MOST {
                break;
            }
            match value.kind() {
                JsonKind::Array => next.extend(value.items().take(MOST)),
                JsonKind::Object => {
                    if let Some(kind) = kind(value) {
                        found.push((value, kind));
                    }
                    for name in ["mainEntity", "@graph", "article", "mainEntityOfPage", "blogPost", "hasPart"]
                    {
                        // A list of parts is a list of other pages; one part is the page's own.
                        next.extend(value.get(name).filter(|inner| {
                            name != "blogPost" && name != "hasPart" || inner.kind() == JsonKind::Object
                        }));
                    }
                }
                _ => {}
            }
        }
        level = next;
    }
    found.sort_by_key(|(_, kind)| *kind);
    found
}

/// Reads the nodes about the page. `O(n)`.
pub(super) fn read(
    root: JsonValue<'_>,
    mut nodes: Vec<(JsonValue<'_>, Kind)>,
    title: Option<&str>,
    order: DayOrder,
    out: &mut Candidates,
) -> Told {
    let known = known(root);
    let title = title.filter(|title| title.len() <= LONG_NAME).map(fold).unwrap_or_default();
    let is_titled = |node: JsonValue<'_>| {
        ["headline", "name"].iter().filter_map(|name| text(node, name)).any(|name| {
            let name = fold(&name);
            !name.is_empty()
                && !title.is_empty()
                && (name == title || name.contains(&title) || title.contains(&name))
        })
    };
    // Of several articles, the one that has the page's title; of many without it, none.
    let articles = nodes.iter().filter(|(_, kind)| *kind == Kind::Article).count();
    if articles > 1 {
        let any = nodes.iter().any(|(node, kind)| *kind == Kind::Article && is_titled(*node));
        nodes.retain(|(node, kind)| {
            *kind != Kind::Article || if any { is_titled(*node) } else { articles < 3 }
        });
    }
    out.is_product |=
        root.members().any(|(name, _)| name.is("Product") || name.is("ProductGroup") || name.is("Service"));
    let mut told = Told::default();
    for (node, kind) in nodes.iter().take(12) {
        let date_kind = match kind {
            Kind::Article => DateKind::LinkedArticle,
            Kind::Thread => DateKind::LinkedThread,
            Kind::WebPage => DateKind::LinkedPage,
            Kind::Work => DateKind::LinkedWork,
        };
        out.is_article |= *kind == Kind::Article;
        for (name, role) in [
            ("datePublished", Role::Published),
            ("dateCreated", Role::Created),
            ("uploadDate", Role::Created),
            ("dateModified", Role::Modified),
        ] {
            if let Some(date) = text(*node, name).and_then(|text| PageDate::of_value(&text, order)) {
                out.date(date, role, date_kind, MetadataSource::JsonLd);
            }
        }
        if *kind <= Kind::Thread || *kind == Kind::WebPage {
            for name in ["author", "creator"] {
                let Some(value) = node.get(name) else { continue };
                let names = authors(&known, value);
                let author = match kind {
                    Kind::WebPage => AuthorKind::LinkedPage,
                    _ if is_organisation(value) => AuthorKind::LinkedGroup,
                    _ => AuthorKind::Linked,
                };
                out.author(&names, author, MetadataSource::JsonLd);
                if !names.is_empty() {
                    break;
                }
            }
        }
        let found = |text: String| Found::new(text, MetadataSource::JsonLd, 0.9);
        if *kind == Kind::Article {
            told.section = told.section.take().or_else(|| text(*node, "articleSection").map(found));
        }
        told.licence = told.licence.take().or_else(|| {
            let value = node.get("license")?;
            let value =
                if value.kind() == JsonKind::Object { value.get("url").or(value.get("@id"))? } else { value };
            value.as_str().map(|text| collapse(&text)).filter(|text| !text.is_empty()).map(found)
        });
        if told.keywords.is_empty()
            && let Some(words) = node.get("keywords")
        {
            for text in one_or_all(words).take(200).filter_map(|words| words.as_str()) {
                let words = text.split([',', '、', '，']).map(plain);
                told.keywords.extend(words.filter(|word| !word.is_empty()));
            }
        }
        let publisher = node.get("publisher").or_else(|| node.get("isPartOf"));
        if told.site_name.is_none() && *kind != Kind::Work {
            told.site_name = publisher
                .and_then(|value| name_of(&known, value))
                .map(|name| Found::new(name, MetadataSource::JsonLd, 0.8));
        }
    }
    if let Some(site) = site_node(root) {
        told.site_name = Some(Found::new(site, MetadataSource::JsonLd, 0.9));
    }
    told
}

/// The name of a node of type `WebSite`.
fn site_node(root: JsonValue<'_>) -> Option<String> {
    let (_, list) = root.members().find(|(name, _)| name.is("WebSite"))?;
    one_or_all(list).find_map(|node| text(node, "name"))
}

/// Whether the first author is not a person.
fn is_organisation(value: JsonValue<'_>) -> bool {
    let kind = one_or_all(value).next().and_then(|first| one_or_all(first.get("@type")?).next()?.as_str());
    kind.is_some_and(|name| name.ends_with("Organization") || &*name == "Brand" || &*name == "WebSite")
}

/// The names of an author or of several.
fn authors(known: &Known, value: JsonValue<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for item in one_or_all(value).take(50) {
        // One person's name may be that of several: "Jane Doe and John Roe".
        if let Some(name) = name_of(known, item) {
            names.extend(people::names(&name));
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The names of the nodes that others refer to by `@id`.
type Known = HashMap<String, String>;

/// Bytes of a name that is referred to, and of a title that names are compared with.
const LONG_NAME: usize = 2000;

/// Nodes that others may refer to.
const MOST_KNOWN: usize = 500;

/// The values of a list, or one alone.
fn one_or_all(value: JsonValue<'_>) -> impl Iterator<Item = JsonValue<'_>> {
    let one = (value.kind() != JsonKind::Array).then_some(value);
    one.into_iter().chain(value.items())
}

fn known(root: JsonValue<'_>) -> Known {
    let nodes = root.members().flat_map(|(_, list)| one_or_all(list)).take(MOST_KNOWN);
    // A long name would be copied for every reference to it.
    let named = nodes.filter_map(|node| Some((node.get("@id")?.as_str()?.into_owned(), text(node, "name")?)));
    named.filter(|(_, name)| name.len() <= LONG_NAME).collect()
}

/// The name of a person or an organisation: its own, that of the node it refers to, or the text.
fn name_of(known: &Known, value: JsonValue<'_>) -> Option<String> {
    let value = one_or_all(value).next()?;
    match value.kind() {
        JsonKind::Object => text(value, "name")
            .or_else(|| Some(format!("{} {}", text(value, "givenName")?, text(value, "familyName")?)))
            .or_else(|| known.get(&*value.get("@id")?.as_str()?).cloned()),
        _ => value.as_str().map(|text| plain(&text)).filter(|text| !text.is_empty() && !text.contains("://")),
    }
}
