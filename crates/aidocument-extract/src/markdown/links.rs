//! Links, images and what is embedded: where they lead, and what they are called.

use super::Writer;
use super::inline::Target;
use crate::tree::{NodeId, Tag};
use crate::{address, embed, image};

/// Nodes of a link that are looked at for its text.
const MAX_TITLED: usize = 200;

impl Writer<'_> {
    /// The target of a link: absolute and without user information if the page's address is known; `None` for places
    /// on this page and for schemes that are not allowed.
    pub(super) fn target(&self, href: &str) -> Option<String> {
        let is_elsewhere = !href.trim_ascii().is_empty() && !href.trim_ascii().starts_with('#');
        if self.is_full() || (self.base.is_some() && !is_elsewhere) {
            return None;
        }
        address::resolve(href, self.base)
    }

    pub(super) fn open_link(&mut self, id: NodeId) {
        let href = self.tree.attr(id, "href").filter(|_| self.style.links);
        let url = href.and_then(|href| self.target(href)).filter(|url| !self.leads_to_itself(url));
        self.open_links.push(url.is_some());
        if let Some(url) = url {
            let title = self.link_title(id).map(|title| self.in_line(title));
            self.inline.open_link(Target { url, title });
        }
    }

    /// Whether a heading leads to the page that it is on.
    pub(super) fn leads_to_itself(&self, url: &str) -> bool {
        let bare = |url: &'_ str| url.split('#').next().unwrap_or_default().trim_end_matches('/').len();
        self.heading.is_some()
            && !self.selection.is_whole()
            && self.own.iter().any(|own| own.get(..bare(own)) == url.get(..bare(url)))
    }

    /// A title in one line, unless the page is written as it is.
    pub(super) fn in_line(&self, title: &str) -> String {
        if self.selection.is_whole() {
            return title.to_owned();
        }
        title.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The title of a link, unless it repeats the link's text or the alternative text of its images.
    pub(super) fn link_title(&self, id: NodeId) -> Option<&str> {
        let title = self.tree.attr(id, "title")?;
        if self.selection.is_whole() {
            return Some(title);
        }
        let mut text = String::new();
        for inner in self.tree.descendants(id).take(MAX_TITLED) {
            text.push_str(self.tree.text(inner).unwrap_or_default().trim());
            if self.tree.tag(inner) == Tag::Img {
                text.push_str(self.tree.attr(inner, "alt").unwrap_or_default().trim());
            }
            if text.len() > 4 * title.len() + 64 {
                return Some(title);
            }
        }
        Some(title).filter(|title| !says_the_same(title, &text))
    }

    pub(super) fn image(&mut self, id: NodeId) {
        let alone = image::is_image(self.tree, id, self.tree.tag(id))
            || self.selection.is_choice()
            || image::stands_alone(self.tree, id);
        if !self.style.images || !self.selection.has(id) || !alone {
            return;
        }
        let Some(found) = image::of(self.tree, id) else { return };
        if let Some(url) = self.target(&found.source) {
            // What readers see below an image tells more than what they see in its place.
            let caption = self.selection.caption(id);
            let title = self.tree.attr(id, "title").or(caption.map(|_| &*found.alt));
            let text = caption.unwrap_or(&found.alt);
            let says_more = |title: &&str| self.selection.is_whole() || !says_the_same(title, text);
            let title = title.filter(says_more).map(|title| self.in_line(title));
            self.inline.image(text, Target { url, title });
        }
    }

    /// Writes a link to what an element embeds.
    pub(super) fn embed(&mut self, id: NodeId) {
        self.inline.space();
        if !self.style.images || self.selection.is_whole() || !self.selection.has(id) {
            return;
        }
        let Some(found) = embed::of(self.tree, id) else { return };
        if let Some(url) = self.target(&found.target) {
            self.inline.open_link(Target { url, title: None });
            self.inline.text(embed::PLAY);
            if let Some(title) = self.selection.caption(id).or(found.title) {
                self.inline.text(" ");
                self.inline.text(title);
            }
            self.inline.close_link();
            self.inline.space();
        }
    }
}

/// Returns true if a title adds nothing to the text: its letters and digits are contained in the text's.
fn says_the_same(title: &str, text: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (title, text) = (letters(title), letters(text));
    title.is_empty() || text.contains(&title)
}
