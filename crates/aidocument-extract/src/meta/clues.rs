//! The elements that may tell something about the page, gathered on the way.

use crate::tree::{NodeId, Tag, Tree};

/// Elements of a kind that are kept; a page that has more is a list of other pages.
const MOST: usize = 2000;

/// Places of the elements, in document order.
#[derive(Debug, Default)]
pub(crate) struct Clues {
    /// `<meta>`.
    pub(super) metas: Vec<NodeId>,
    /// `<link>` and `<a>` with a relation that tells something.
    pub(super) links: Vec<NodeId>,
    /// Elements with `itemprop` or `property` outside of `<meta>`.
    pub(super) properties: Vec<NodeId>,
    /// `<time>`, and other elements with `datetime`.
    pub(super) times: Vec<NodeId>,
    /// `<h1>` to `<h3>`.
    pub(super) headings: Vec<NodeId>,
    pub(super) title: Option<NodeId>,
    pub(super) html: Option<NodeId>,
    pub(super) body: Option<NodeId>,
    /// The first `<main>`, or the first `<article>` of a page without.
    pub(super) main: Option<NodeId>,
}

impl Clues {
    /// Looks at an element. Cheap: it is done to every one.
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
            _ => {}
        }
        let (mut is_property, mut is_time) = (false, false);
        for (name, value) in tree.attributes(id) {
            match name {
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

/// What a property of microdata or RDFa tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Published,
    Created,
    Modified,
    Author,
    Licence,
    Section,
}

impl Property {
    /// The first word of the attribute that is known, whatever its prefix.
    pub(super) fn of(value: &str) -> Option<Property> {
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
