//! Elements with metadata about the page, collected during the walk over the tree.

use crate::address::is_root;
use crate::tree::{NodeId, Tag, Tree};

/// Most elements of a kind that are kept; a page with more is a list of other pages.
const MOST: usize = 2000;

/// Places of the elements, in document order.
#[derive(Debug, Default)]
pub(crate) struct Clues {
    /// `<meta>`.
    pub(crate) metas: Vec<NodeId>,
    /// `<link>` and `<a>` with a known relation.
    pub(crate) links: Vec<NodeId>,
    /// Elements with `itemprop` or `property` outside of `<meta>`.
    pub(crate) properties: Vec<NodeId>,
    /// `<time>`, and other elements with `datetime`.
    pub(crate) times: Vec<NodeId>,
    /// `<h1>` to `<h3>`, and one of a lower level that comes before all of them.
    pub(crate) headings: Vec<NodeId>,
    /// Elements with the name of the site: links to its front page, `<link rel=home>`, and Doxygen's project name.
    pub(crate) homes: Vec<NodeId>,
    /// The title of a page of Doxygen's, which is not a heading.
    pub(crate) headertitle: Option<NodeId>,
    pub(crate) title: Option<NodeId>,
    pub(crate) html: Option<NodeId>,
    pub(crate) body: Option<NodeId>,
    /// The first `<main>`, or the first `<article>` of a page without.
    pub(crate) main: Option<NodeId>,
}

impl Clues {
    /// Checks an element. Must be cheap, since it is called for every one.
    pub(crate) fn see(&mut self, tree: &Tree, id: NodeId, tag: Tag) {
        let add = |list: &mut Vec<NodeId>| {
            if list.len() < MOST {
                list.push(id);
            }
        };
        match tag {
            Tag::Meta => add(&mut self.metas),
            Tag::Time => add(&mut self.times),
            Tag::H1 | Tag::H2 | Tag::H3 => add(&mut self.headings),
            Tag::H4 | Tag::H5 | Tag::H6 if self.headings.is_empty() => add(&mut self.headings),
            Tag::Title if self.title.is_none() && !tree.is_foreign(id) => self.title = Some(id),
            Tag::Html if self.html.is_none() => self.html = Some(id),
            Tag::Body if self.body.is_none() => self.body = Some(id),
            Tag::Main if self.main.is_none() => self.main = Some(id),
            Tag::Link | Tag::A
                if tree
                    .attr(id, "rel")
                    .is_some_and(|rel| rel.contains("licen") || rel.contains("author")) =>
            {
                add(&mut self.links);
            }
            Tag::Link
                if self.homes.len() < MOST_HOMES
                    && tree.attr(id, "rel").is_some_and(|rel| {
                        rel.split_ascii_whitespace().any(|rel| matches!(rel, "home" | "start" | "top"))
                    }) =>
            {
                self.homes.push(id);
            }
            Tag::A if self.homes.len() < MOST_HOMES && tree.attr(id, "href").is_some_and(is_root) => {
                self.homes.push(id);
            }
            _ => {}
        }
        let (mut is_property, mut is_time) = (false, false);
        for (name, value) in tree.attributes(id) {
            match name {
                "id" if value == "projectname" => self.homes.push(id),
                "class" if value == "title" && tag == Tag::Div => {
                    let around = tree.parent(id).and_then(|around| tree.attr(around, "class"));
                    if around == Some("headertitle") && self.headertitle.is_none() {
                        self.headertitle = Some(id);
                    }
                }
                "itemprop" | "property" => is_property |= tag != Tag::Meta && Property::of(value).is_some(),
                // Elements of scripts that write "3 days ago".
                "datetime" | "created-timestamp" => {
                    is_time |= !matches!(tag, Tag::Time | Tag::Del | Tag::Ins)
                }
                _ => {}
            }
        }
        if is_property {
            add(&mut self.properties);
        }
        if is_time {
            add(&mut self.times);
        }
    }
}

/// Links to the front page that are kept.
const MOST_HOMES: usize = 12;

/// The meaning of a microdata or RDFa property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Property {
    Published,
    Created,
    Modified,
    Author,
    Licence,
    Section,
}

impl Property {
    /// The first word of the attribute that is known, whatever its prefix.
    pub(crate) fn of(value: &str) -> Option<Property> {
        value.split_ascii_whitespace().take(4).find_map(|word| {
            let name = word.rsplit([':', '/', '#']).next().unwrap_or_default();
            Some(match name {
                "datePublished" | "datepublished" | "issued" | "pubDate" | "pubdate" => Property::Published,
                "dateCreated" | "datecreated" | "created" | "uploadDate" => Property::Created,
                "date" if word.len() > 4 => Property::Created,
                "dateModified" | "datemodified" | "modified" => Property::Modified,
                "author" | "creator" => Property::Author,
                "license" => Property::Licence,
                "articleSection" => Property::Section,
                _ => return None,
            })
        })
    }
}
