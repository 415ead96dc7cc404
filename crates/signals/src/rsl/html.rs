//! Licence elements of a page, found without building a tree.

use alloc::string::String;
use alloc::vec::Vec;

use html5gum::emitters::callback::CallbackEvent;
use web_values::read_page;

use super::places::is_rsl;

/// An element that names or holds a licence, or says where one is.
pub(super) enum Element {
    /// The target of a `<link>`, as written.
    Link(String),
    /// The text of a `<script>`.
    Script(String),
    /// What links are relative to: the target of a `<base>`, as written.
    Base(String),
}

/// A start tag that is being read.
#[derive(Default)]
struct Tag {
    is_script: bool,
    is_base: bool,
    rel: Option<String>,
    media_type: Option<String>,
    href: Option<String>,
}

#[derive(Default)]
struct State {
    open: Option<Tag>,
    attribute: Option<&'static str>,
    /// The text of the script that is open, if it is a licence.
    script: Option<String>,
}

impl State {
    fn on(&mut self, event: CallbackEvent<'_>, in_template: bool) -> Option<Element> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                let (is_script, is_base) = (name == b"script", name == b"base");
                let counts = !in_template && (is_script || is_base || name == b"link");
                self.open = counts.then(|| Tag { is_script, is_base, ..Tag::default() });
                None
            }
            CallbackEvent::AttributeName { name } => {
                self.attribute = ["rel", "type", "href"].into_iter().find(|known| known.as_bytes() == name);
                None
            }
            CallbackEvent::AttributeValue { value } => {
                let tag = self.open.as_mut()?;
                let slot = match self.attribute? {
                    "rel" => &mut tag.rel,
                    "type" => &mut tag.media_type,
                    _ => &mut tag.href,
                };
                slot.get_or_insert_with(|| String::from_utf8_lossy(value).into_owned());
                None
            }
            CallbackEvent::CloseStartTag { .. } => {
                let tag = self.open.take()?;
                if tag.is_base {
                    return tag.href.map(Element::Base);
                }
                if !tag.media_type.as_deref().is_some_and(is_rsl) {
                    return None;
                }
                if tag.is_script {
                    self.script = Some(String::new());
                    return None;
                }
                let has_rel =
                    tag.rel?.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("license"));
                Some(Element::Link(tag.href.filter(|_| has_rel)?))
            }
            CallbackEvent::String { value } => {
                if let Some(script) = &mut self.script {
                    script.push_str(&String::from_utf8_lossy(value));
                }
                None
            }
            CallbackEvent::EndTag { name: b"script" } => self.script.take().map(Element::Script),
            _ => None,
        }
    }
}

/// Every such element of the page, in order.
pub(super) fn read(html: &[u8]) -> Vec<Element> {
    let mut state = State::default();
    read_page(html, |event, in_template| state.on(event, in_template))
}
