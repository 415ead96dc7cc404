//! Facts of the page: title, description, canonical address, headings, links, images, metadata.

use aidocument::{Heading, HeadingLevel, Image, Language, Meta, WebUrl};
use url::{Position, Url};
use web_values::UrlRules;

use crate::clues::Clues;
use crate::image;
use crate::letters::{collapse, head};
use crate::structure::noise;
use crate::tree::{NodeId, Step, Tag, Tree};
use crate::visibility::{HiddenReason, Left, characters};

/// Longest `<base href>` that is used: a longer one would be repeated in every link.
const MAX_BASE: usize = 2048;

/// The facts of the page's head and lists, collected in one walk.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) base: Option<Url>,
    pub(crate) title: String,
    /// Whether `og:title` declares it.
    pub(crate) is_title_declared: bool,
    pub(crate) description: Option<String>,
    pub(crate) canonical: Option<WebUrl>,
    pub(crate) headings: Vec<Heading>,
    pub(crate) links: Vec<FoundLink>,
    pub(crate) images: Vec<Image>,
    pub(crate) meta: Meta,
    /// The elements that show the kind of page: `<meta property>` and JSON-LD.
    pub(crate) tellers: Vec<NodeId>,
    /// The elements with author, dates and other metadata.
    pub(crate) clues: Clues,
    /// Text of each JSON-LD block.
    pub(crate) json_ld: Vec<NodeId>,
    /// True if headings, links or images were left out because they exceed the allowance for the page's size.
    pub(crate) lists_cut: bool,
}

/// A link of the page, in parts that the document takes over.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(crate) struct FoundLink {
    pub(crate) url: WebUrl,
    pub(crate) text: Option<String>,
    pub(crate) rel: Option<String>,
}

/// Candidates in order of preference; blank ones do not count.
#[derive(Debug, Default)]
struct Best(Option<(usize, String)>);

impl Best {
    fn offer(&mut self, rank: usize, value: &str) {
        if self.0.as_ref().is_none_or(|(best, _)| rank < *best) {
            let value = collapse(value);
            if !value.is_empty() {
                self.0 = Some((rank, value));
            }
        }
    }

    fn take(self) -> Option<String> {
        self.0.map(|(_, value)| value)
    }
}

/// Bytes of JSON that an entry of a list has beside its values: names of members, quotes, commas.
const ENTRY: usize = 48;

/// Bytes that may still be listed. Nested elements repeat text: a text in ten headings and links is listed ten times.
#[derive(Debug)]
pub(crate) struct Allowance {
    left: usize,
    /// Whether something was too long.
    cut: bool,
}

impl Allowance {
    /// The allowance for a page of this size: twice the page and half a megabyte.
    fn of(input_len: usize) -> Allowance {
        Allowance { left: input_len.saturating_mul(2).saturating_add(500_000), cut: false }
    }

    /// Takes this many bytes, if they are left.
    fn take(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.cut |= left.is_none();
        self.left = left.unwrap_or_default();
        left.is_some()
    }

    /// The text, if so many bytes are left.
    fn text(&mut self, text: String) -> Option<String> {
        self.take(text.len()).then_some(text)
    }
}

/// Text of an element without silent elements; `None` beyond the allowance, from which its nodes and bytes are taken.
pub(crate) fn text_of(tree: &Tree, id: NodeId, allowance: &mut Allowance) -> Option<String> {
    // The title of the page is in no window, and meant to be read.
    let is_title = tree.tag(id) == Tag::Title;
    let is_unread = |node: NodeId| {
        let mark = tree.seen.mark(node);
        !is_title && mark.left != Left::No && mark.verdict.reason() != Some(HiddenReason::NotRendered)
    };
    // Most elements whose text is asked for hold one piece of it and nothing else.
    if let Some(child) = tree.first_child(id)
        && tree.next_sibling(child).is_none()
        && let Some(text) = tree.text(child)
    {
        let text = if is_unread(child) { "" } else { text };
        return allowance.take(text.len()).then(|| collapse(&characters::clean(text).0));
    }
    let mut out = String::new();
    let in_heading = tree.tag(id).heading_level().is_some();
    let mut walk = tree.walk(id);
    while let Some(step) = walk.next() {
        if let Step::Enter(node) = step {
            if !allowance.take(1 + tree.text(node).map_or(0, str::len)) {
                return None;
            }
            if let Some(text) = tree.text(node) {
                if !is_unread(node) {
                    out.push_str(&characters::clean(text).0);
                }
            } else if node != id && tree.is_element(node) {
                let tag = tree.tag(node);
                // SVG has styles and scripts of its own.
                let foreign = tree.is_foreign(node) && matches!(tree.name(node), "style" | "script");
                if tag.is_silent() || foreign || (in_heading && noise::is_noise(tree, node, tag, true)) {
                    walk.skip_children();
                } else if tag == Tag::Br || tag.is_block() {
                    out.push(' ');
                }
            }
        }
    }
    Some(collapse(&out))
}

/// Text of an element as [`text_of`] gives it; empty where it is long.
pub(crate) fn text_of_short(tree: &Tree, id: NodeId) -> String {
    text_of(tree, id, &mut Allowance { left: 2000, cut: false }).unwrap_or_default()
}

/// The value of a property's element.
pub(crate) fn value_of(tree: &Tree, id: NodeId) -> String {
    for name in ["content", "datetime", "title"] {
        if name == "title" && tree.tag(id) != Tag::Abbr {
            continue;
        }
        if let Some(value) = tree.attr(id, name).filter(|value| !value.trim().is_empty()) {
            return value.trim().to_owned();
        }
    }
    text_of_short(tree, id)
}

/// The name in the element of an author: that of a nested `name`, else all of its text.
pub(crate) fn name_in(tree: &Tree, id: NodeId) -> String {
    let mut inner = tree.descendants(id).skip(1).take(200);
    let name = inner.find(|&node| {
        let is_name = |attribute: Option<&str>| {
            attribute.is_some_and(|value| {
                head(value, 300)
                    .split_ascii_whitespace()
                    .any(|word| matches!(word, "name" | "schema:name" | "foaf:name"))
            })
        };
        is_name(tree.attr(node, "itemprop")) || is_name(tree.attr(node, "property"))
    });
    value_of(tree, name.unwrap_or(id))
}

/// Reads the page's facts. `O(n)`.
pub(crate) fn read(tree: &Tree, page: &WebUrl, input_len: usize, lists: bool) -> Facts {
    let mut facts = Facts::default();
    let base = base(tree, page);
    let (mut title, mut description, mut language) = (Best::default(), Best::default(), Vec::new());
    let (mut site, mut image) = (Best::default(), Best::default());
    let mut canonical_seen = false;
    let mut h1_seen = false;
    let mut allowance = Allowance::of(input_len);
    // Apart, so that the title is the same whether there are lists or not.
    let mut title_allowance = Allowance::of(input_len);
    for id in tree.descendants(Tree::ROOT) {
        let tag = tree.tag(id);
        facts.clues.see(tree, id, tag);
        match tag {
            Tag::Html => {
                for (rank, name) in ["lang", "xml:lang"].into_iter().enumerate() {
                    if let Some(value) = tree.attr(id, name) {
                        language.push((rank, value));
                    }
                }
            }
            Tag::Title => title.offer(2, &text_of(tree, id, &mut title_allowance).unwrap_or_default()),
            Tag::Meta => {
                let content = tree.attr(id, "content").unwrap_or_default();
                let keys = [tree.attr(id, "property"), tree.attr(id, "name"), tree.attr(id, "itemprop")];
                facts.tellers.extend(keys[0].map(|_| id));
                for key in keys.into_iter().flatten() {
                    let key = key.trim().to_ascii_lowercase();
                    match key.as_str() {
                        "og:title" => title.offer(0, content),
                        // The meta element comes first: AIWI-AMB-13.
                        "description" => description.offer(0, content),
                        "og:description" => description.offer(1, content),
                        "og:locale" => language.push((3, content)),
                        "og:site_name" => site.offer(0, content),
                        "application-name" => site.offer(1, content),
                        "og:image" | "og:image:url" => image.offer(0, content),
                        "og:image:secure_url" => image.offer(1, content),
                        _ => {}
                    }
                }
                if tree
                    .attr(id, "http-equiv")
                    .is_some_and(|name| name.trim().eq_ignore_ascii_case("content-language"))
                {
                    language.push((2, content));
                }
            }
            Tag::Link if !canonical_seen && has_token(tree, id, "rel", "canonical") => {
                if let Some(href) = tree.attr(id, "href").map(str::trim).filter(|href| !href.is_empty()) {
                    canonical_seen = true;
                    facts.canonical = web_url(&base, href);
                }
            }
            Tag::Script => {
                let kind = tree.attr(id, "type").unwrap_or_default();
                facts.tellers.extend(kind.contains("ld+json").then_some(id));
                let kind = kind.split(';').next().unwrap_or_default().trim();
                if kind.eq_ignore_ascii_case("application/ld+json") {
                    facts.json_ld.extend(tree.first_child(id));
                }
            }
            Tag::A if lists => {
                if let Some(href) = tree.attr(id, "href") {
                    facts.links.extend(link(tree, id, href, &base, page, &mut allowance));
                }
            }
            Tag::Img if lists => {
                let found = image::of(tree, id);
                let url = found.and_then(|found| web_url(&base, &found.source));
                if let Some(url) = url.filter(|url| allowance.take(ENTRY + url.as_str().len())) {
                    let mut image = Image::new(&url);
                    // What an image says that nobody sees, nobody reads.
                    let alt = tree.attr(id, "alt").filter(|_| !tree.seen.is_unwritten(id));
                    image.alt = alt.and_then(|alt| allowance.text(alt.to_owned()));
                    facts.images.push(image);
                }
            }
            _ => {
                let Some(level) = tag.heading_level() else { continue };
                if level == 1 && !h1_seen {
                    let text = text_of(tree, id, &mut title_allowance).unwrap_or_default();
                    let text =
                        if text.is_empty() { image_text(tree, id, &mut title_allowance) } else { text };
                    h1_seen = !text.is_empty();
                    title.offer(1, &text);
                }
                if lists
                    && let Some(level) = HeadingLevel::new(level)
                    && let Some(text) = text_of(tree, id, &mut allowance).filter(|text| !text.is_empty())
                    && allowance.take(ENTRY)
                {
                    let mut heading = Heading::new(level, text);
                    let name = tree.attr(id, "id").filter(|id| !id.is_empty());
                    heading.id = name.and_then(|name| allowance.text(name.to_owned()));
                    facts.headings.push(heading);
                }
            }
        }
    }
    facts.lists_cut = allowance.cut;
    facts.is_title_declared = title.0.as_ref().is_some_and(|(rank, _)| *rank == 0);
    facts.title = title.take().unwrap_or_default();
    facts.description = description.take();
    language.sort_by_key(|(rank, _)| *rank);
    facts.meta.language = language.iter().find_map(|(_, value)| language_tag(value)).unwrap_or_default();
    facts.meta.site_name = site.take();
    facts.meta.og_image =
        image.take().map(|value| web_url(&base, &value).map_or(value, |url| url.as_str().to_owned()));
    facts.base = Some(base);
    facts
}

fn base(tree: &Tree, page: &Url) -> Url {
    if !tree.has(Tag::Base) {
        return page.clone();
    }
    tree.descendants(Tree::ROOT)
        .filter(|&id| tree.tag(id) == Tag::Base)
        .find_map(|id| tree.attr(id, "href"))
        .filter(|href| href.len() <= MAX_BASE)
        .and_then(|href| page.join(href.trim()).ok())
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .unwrap_or_else(|| page.clone())
}

fn web_url(base: &Url, href: &str) -> Option<WebUrl> {
    let url = base.join(href.trim()).ok()?;
    WebUrl::from_url(url, UrlRules::default().dropping_credentials()).ok()
}

fn link(
    tree: &Tree,
    id: NodeId,
    href: &str,
    base: &Url,
    page: &WebUrl,
    allowance: &mut Allowance,
) -> Option<FoundLink> {
    let url = web_url(base, href)?;
    if url.fragment().is_some() && url[..Position::AfterQuery] == page[..Position::AfterQuery] {
        return None;
    }
    if !allowance.take(ENTRY + url.as_str().len()) {
        return None;
    }
    let text = Some(text_of(tree, id, allowance)?).filter(|text| !text.is_empty());
    let rel = tree.attr(id, "rel").map(collapse).filter(|rel| !rel.is_empty());
    let rel = rel.and_then(|rel| allowance.text(rel));
    Some(FoundLink { url, text, rel })
}

fn has_token(tree: &Tree, id: NodeId, attr: &str, token: &str) -> bool {
    tree.attr(id, attr)
        .is_some_and(|value| value.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(token)))
}

/// The alternative texts of the images in an element, as far as the allowance goes.
fn image_text(tree: &Tree, id: NodeId, allowance: &mut Allowance) -> String {
    let mut alts = String::new();
    for node in tree.descendants(id) {
        let alt = tree.attr(node, "alt").filter(|_| tree.tag(node) == Tag::Img).unwrap_or_default();
        if !allowance.take(1 + alt.len()) {
            break;
        }
        alts.push(' ');
        alts.push_str(alt);
    }
    collapse(&alts)
}

fn language_tag(value: &str) -> Option<Language> {
    let tag = value.trim().replace('_', "-");
    tag.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_taken_as_it_is_has_nothing_to_collapse() {
        for c in '\0'..=char::MAX {
            for text in [format!("{c}"), format!("a{c}b"), format!("a {c}"), format!("{c} é")] {
                let words: Vec<String> = text
                    .split_whitespace()
                    .map(|word| word.chars().filter(|c| !c.is_control()).collect())
                    .filter(|word: &String| !word.is_empty())
                    .collect();
                assert_eq!(collapse(&text), words.join(" "), "{text:?}");
            }
        }
        assert_eq!(collapse(""), "");
        assert_eq!(collapse("  a \u{a0} b\u{1}\n"), "a b");
    }
}
