//! `<meta>` elements of a page, found without building a tree.

use alloc::string::String;
use alloc::vec::Vec;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use crate::crawler::Crawler;
use crate::directives::Directives;

impl Directives {
    /// Adds what the `<meta>` elements of a page say to `crawler`.
    ///
    /// The bytes go through an HTML tokenizer once, `O(n)`: elements in comments, scripts, styles and templates are
    /// none. The whole page is read, as a parser moves a late `<meta>` nowhere. Bytes that are not UTF-8 are replaced;
    /// names and directives are ASCII, so that any encoding which contains ASCII does.
    ///
    /// ```
    /// use robots::Directives;
    ///
    /// let mut directives = Directives::default();
    /// directives.add_html(b"<!-- <meta name=robots content=noai> --><meta content='noindex' NAME=robots>", "AIWebIndex");
    /// assert!(directives.has("noindex") && !directives.has("noai"));
    /// ```
    ///
    /// Spec: TCT-SEC-15.
    pub fn add_html<'c>(&mut self, html: &[u8], crawler: impl Into<Crawler<'c>>) {
        let crawler = crawler.into();
        for (name, content) in meta_elements(html) {
            self.add_meta(&name, &content, crawler);
        }
    }
}

/// A `<meta>` start tag in the making.
#[derive(Default)]
struct Meta {
    name: Option<String>,
    content: Option<String>,
}

/// Name and content of every `<meta>` that has both, in the order of the page; of a repeated attribute the first counts.
///
/// What is skipped, and the cost, are those of [`Directives::add_html`]. Names are as written.
#[must_use]
pub fn meta_elements(html: &[u8]) -> Vec<(String, String)> {
    let mut templates = 0u32;
    let mut open: Option<Meta> = None;
    let mut attribute: Option<&'static str> = None;
    let mut emitter = CallbackEmitter::new(move |event: CallbackEvent<'_>, _: Span<()>| match event {
        CallbackEvent::OpenStartTag { name } => {
            templates += u32::from(name == b"template");
            open = (name == b"meta" && templates == 0).then(Meta::default);
            None
        }
        CallbackEvent::AttributeName { name } => {
            attribute = match name {
                b"name" => Some("name"),
                b"content" => Some("content"),
                _ => None,
            };
            None
        }
        CallbackEvent::AttributeValue { value } => {
            let meta = open.as_mut()?;
            let slot = match attribute? {
                "name" => &mut meta.name,
                _ => &mut meta.content,
            };
            slot.get_or_insert_with(|| String::from_utf8_lossy(value).into_owned());
            None
        }
        CallbackEvent::CloseStartTag { .. } => {
            let meta = open.take()?;
            Some((meta.name?, meta.content?))
        }
        CallbackEvent::EndTag { name } => {
            templates = templates.saturating_sub(u32::from(name == b"template"));
            None
        }
        _ => None,
    });
    emitter.naively_switch_states(true);
    // Reading from memory cannot fail.
    Tokenizer::new_with_emitter(html, emitter).map_while(Result::ok).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_count() {
        for (html, expected) in [
            ("<meta name=robots content=noindex>", true),
            ("<META NAME='Robots' CONTENT=\"NOINDEX\"/>", true),
            ("<body><p>late<meta content=noindex name=robots>", true),
            ("<meta name=robots content='a&comma;noindex'>", true),
            ("<meta name=AIWebIndex content=noindex>", true),
            ("<meta name=robots name=x content=noindex>", true),
            ("<!-- <meta name=robots content=noindex> -->", false),
            ("<script>'<meta name=robots content=noindex>'</script>", false),
            ("<style><meta name=robots content=noindex></style>", false),
            ("<title><meta name=robots content=noindex></title>", false),
            ("<template><meta name=robots content=noindex></template>", false),
            ("<meta name=otherbot content=noindex>", false),
            ("<meta property=robots content=noindex>", false),
            ("<meta name=robots><p content=noindex>", false),
            ("<meta name=robots content=noindex", false),
        ] {
            let mut directives = Directives::default();
            directives.add_html(html.as_bytes(), "AIWebIndex");
            assert_eq!(directives.has("noindex"), expected, "{html}");
        }
    }
}
