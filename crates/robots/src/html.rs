//! `<meta>` elements of a page, found without building a tree.

use alloc::string::String;
use alloc::vec::Vec;

use html5gum::emitters::callback::CallbackEvent;
use web_values::read_page;

use crate::crawler::Crawler;
use crate::directives::Directives;

impl Directives {
    /// Adds the directives for `crawler` in the `<meta>` elements of a page.
    ///
    /// The bytes go through an HTML tokenizer once, `O(n)`: elements in comments, scripts, styles and templates do not
    /// count. Those in `<noscript>` count, as for every reader without scripts. Inside of SVG and MathML, tags follow the
    /// rules of those languages: a `<title/>` or `<style/>` of an image does not hide the rest of the page. The whole page
    /// is read, because a late `<meta>` counts too. Invalid UTF-8 is replaced; names and directives are ASCII, so every
    /// encoding that extends ASCII works, and UTF-16.
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

/// A `<meta>` start tag that is being read.
#[derive(Default)]
struct Meta {
    name: Option<String>,
    content: Option<String>,
}

/// Name and content of every `<meta>` that has both, in the order of the page; of a repeated attribute the first counts.
///
/// Skips the same parts, at the same cost, as [`Directives::add_html`]. Names are as written.
#[must_use]
pub fn meta_elements(html: &[u8]) -> Vec<(String, String)> {
    let mut meta: Option<Meta> = None;
    let mut is_name = None;
    read_page(html, |event, in_template| {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                meta = (name == b"meta" && !in_template).then(Meta::default);
            }
            CallbackEvent::AttributeName { name } => {
                is_name = matches!(name, b"name" | b"content").then_some(name == b"name");
            }
            CallbackEvent::AttributeValue { value } => {
                let meta = meta.as_mut()?;
                let slot = if is_name? { &mut meta.name } else { &mut meta.content };
                slot.get_or_insert_with(|| String::from_utf8_lossy(value).into_owned());
            }
            CallbackEvent::CloseStartTag { .. } => {
                let meta = meta.take()?;
                return Some((meta.name?, meta.content?));
            }
            _ => {}
        }
        None
    })
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
            ("<noscript><meta name=robots content=noindex></noscript>", true),
            ("<head><noscript><style>x</style><meta name=robots content=noindex></noscript>", true),
            ("<svg><title/></svg><meta name=robots content=noindex>", true),
            ("<svg><title>x</title></svg><meta name=robots content=noindex>", true),
            ("<svg><title>x<meta name=robots content=noindex></title></svg>", true),
            ("<svg><style/><path></svg><meta name=robots content=noindex>", true),
            ("<svg><script/></svg><meta name=robots content=noindex>", true),
            ("<svg><g><meta name=robots content=noindex>", true),
            ("<svg><![CDATA[<meta name=robots content=noindex>]]></svg>", false),
            ("<svg></svg><![CDATA[><meta name=robots content=noindex>]]>", true),
            (
                "<svg><foreignObject><style><meta name=robots content=noindex></style></foreignObject></svg>",
                false,
            ),
            ("<svg/><style><meta name=robots content=noindex></style>", false),
            ("<svg></svg><title><meta name=robots content=noindex></title>", false),
            ("<math><mi><title><meta name=robots content=noindex></title></mi></math>", false),
            (
                "<math><annotation-xml><svg></math></svg></annotation-xml></math><style><meta name=robots content=noindex></style>",
                false,
            ),
            ("<svg><template></svg><meta name=robots content=noindex>", true),
            ("<template><svg></template><meta name=robots content=noindex>", true),
            ("<template><svg></svg><meta name=robots content=noindex></template>", false),
            ("<svg></p><style><meta name=robots content=noindex></style>", false),
            ("<noframes><meta name=robots content=noindex></noframes>", false),
            ("<script><!--<script></script><meta name=robots content=noindex>--></script>", false),
        ] {
            let mut directives = Directives::default();
            directives.add_html(html.as_bytes(), "AIWebIndex");
            assert_eq!(directives.has("noindex"), expected, "{html}");
        }
    }
}
