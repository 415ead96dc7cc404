//! Licence elements of a page, found without building a tree.

use alloc::string::String;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use web_values::PageReader;

use super::places::is_rsl;

/// An element that names or holds a licence.
pub(super) enum Element {
    /// The target of a `<link>`, as written.
    Link(String),
    /// The text of a `<script>`.
    Script(String),
}

/// A start tag that is being read.
#[derive(Default)]
struct Tag {
    is_script: bool,
    rel: Option<String>,
    media_type: Option<String>,
    href: Option<String>,
}

#[derive(Default)]
struct State {
    templates: u32,
    open: Option<Tag>,
    attribute: Option<&'static str>,
    /// The text of the script that is open, if it is a licence.
    script: Option<String>,
}

impl State {
    fn on(&mut self, event: CallbackEvent<'_>) -> Option<Element> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.templates += u32::from(name == b"template");
                let is_script = name == b"script";
                let counts = self.templates == 0 && (is_script || name == b"link");
                self.open = counts.then(|| Tag { is_script, ..Tag::default() });
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
                let tag = self.open.take().filter(|tag| tag.media_type.as_deref().is_some_and(is_rsl))?;
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
            CallbackEvent::EndTag { name } => {
                self.templates = self.templates.saturating_sub(u32::from(name == b"template"));
                if name == b"script" { self.script.take().map(Element::Script) } else { None }
            }
            _ => None,
        }
    }
}

/// Hands every licence element of the page to `found`, in order.
pub(super) fn read(html: &[u8], found: impl FnMut(Element)) {
    let mut state = State::default();
    let mut emitter = CallbackEmitter::new(move |event: CallbackEvent<'_>, _: Span<()>| state.on(event));
    emitter.naively_switch_states(true);
    // The only errors are interruptions.
    Tokenizer::new_with_emitter(PageReader::new(html), emitter).filter_map(Result::ok).for_each(found);
}
