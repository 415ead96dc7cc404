//! The twins that are kept in memory, each until its page's HTML changes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, ETAG, VARY};
use http::{HeaderMap, HeaderValue};
use tct::link::link_alternate;
use tct::resource::NegotiatedPage;
use tct::v03::{MSitemapItem, MUrlDocument};
use tct::{CUrl, MUrl, Payload, Resource, SitemapEntry};

use crate::settings::{Revisions, Settings, TwinContent};

/// What was made of one page.
#[derive(Debug)]
pub(crate) struct Made {
    /// The HTML that it was made of.
    html: Bytes,
    content_type: Option<HeaderValue>,
    /// The entity tag with which the inner service is asked for the page again, if it gives one.
    pub(crate) tag: Option<HeaderValue>,
    /// The twin of drafts -00 and -01, if the page has one and they are served.
    pub(crate) twin: Option<Resource>,
    pub(crate) entry: Option<SitemapEntry>,
    /// The twin of draft -03, if the page has one and it is served.
    pub(crate) exact: Option<Resource>,
    pub(crate) exact_item: Option<MSitemapItem>,
    /// The Markdown, if the page has any.
    pub(crate) markdown: Option<NegotiatedPage>,
}

/// What was made of each page, by path and query.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    made: Mutex<BTreeMap<String, Arc<Made>>>,
}

impl Cache {
    /// What was made of the page before.
    pub(crate) fn known(&self, path: &str) -> Option<Arc<Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    /// What was made of the page, or is made now where its HTML is new.
    pub(crate) fn of(&self, settings: &Settings, path: &str, html: &Bytes, headers: &HeaderMap) -> Arc<Made> {
        let (content_type, tag) = (headers.get(CONTENT_TYPE), tag_of(headers));
        // Comparing bytes costs less than hashing them, and is sure.
        if let Some(known) = self.known(path).filter(|known| {
            known.html == *html && known.content_type.as_ref() == content_type && known.tag == tag
        }) {
            return known;
        }
        let made = Arc::new(make(settings, path, html, content_type, tag));
        let mut all = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= settings.max_pages && !all.contains_key(path) {
            all.pop_first();
        }
        all.insert(path.to_owned(), Arc::clone(&made));
        made
    }
}

/// The tag to ask with again. None where the page has other forms for other readers: the tag would be that of one of them.
/// A date is no condition here, since a page may change twice in a second.
fn tag_of(headers: &HeaderMap) -> Option<HeaderValue> {
    let lines = headers.get_all(VARY).iter();
    let names = lines.flat_map(|line| line.to_str().unwrap_or("*").split(','));
    let known = ["", "accept", "accept-encoding"];
    let is_one_form =
        names.into_iter().all(|name| known.iter().any(|known| name.trim().eq_ignore_ascii_case(known)));
    headers.get(ETAG).filter(|_| is_one_form).cloned()
}

/// The addresses of a page's twins, that of the drafts before first.
pub(crate) fn twins_of(settings: &Settings, page: &CUrl) -> Vec<MUrl> {
    let second = settings.second.as_ref().map(|second| &second.pattern);
    let patterns = [Some(&settings.pattern), second].into_iter().flatten();
    patterns.filter_map(|pattern| pattern.m_url(page).ok()).collect()
}

fn make(
    settings: &Settings,
    path: &str,
    html: &Bytes,
    content_type: Option<&HeaderValue>,
    tag: Option<HeaderValue>,
) -> Made {
    let mut made = Made {
        html: html.clone(),
        content_type: content_type.cloned(),
        tag,
        twin: None,
        entry: None,
        exact: None,
        exact_item: None,
        markdown: None,
    };
    let Some(page) = settings.page_url(path) else { return made };
    let type_text = content_type.and_then(|value| value.to_str().ok());
    let Some(content) = settings.content.content(page.as_url(), type_text, html) else { return made };
    let twins = twins_of(settings, &page);
    let (legacy, exact) = match settings.revisions {
        Revisions::Legacy => (twins.first(), None),
        Revisions::V03 => (None, twins.first()),
        Revisions::Both => (twins.first(), twins.get(1)),
    };
    if let Some(twin) = legacy {
        // A page without text has no twin: its address answers 404.
        let text = tct::payload::escape_markup(&content.text);
        let Ok(sealed) = Payload::new(&page, content.title.as_str(), text).seal() else { return made };
        let linked = settings.site_links.iter().cloned();
        let representation = linked.fold(sealed.representation(&page), tct::Representation::with_link);
        made.entry = Some(SitemapEntry::new(page.clone(), twin.clone(), sealed.fingerprint()));
        made.twin = Some(Resource::new(sealed.into_body(), representation));
    }
    if let Some(twin) = exact {
        let Some((resource, item)) = exact_twin(settings, &page, twin, &content) else { return made };
        made.exact = Some(resource);
        made.exact_item = Some(item);
    }
    if !content.markdown.trim().is_empty() {
        let html_type = content_type.cloned().unwrap_or(HeaderValue::from_static("text/html"));
        let representation = tct::Representation::of_bytes(html).with_content_type(html_type);
        let links = twins.iter().map(link_alternate);
        let representation = links.fold(representation, tct::Representation::with_link);
        let html = Resource::new(html.clone(), representation);
        made.markdown = Some(
            NegotiatedPage::new(html, content.markdown).with_markdown_link(tct::link::link_canonical(&page)),
        );
    }
    made
}

/// The twin of draft -03: Markdown where the page has any, else plain text. `None` for a page without text.
fn exact_twin(
    settings: &Settings,
    page: &CUrl,
    twin: &MUrl,
    content: &TwinContent,
) -> Option<(Resource, MSitemapItem)> {
    let (text, media_type) = match content.markdown.trim() {
        "" => (&content.text, "text/plain; charset=utf-8"),
        _ => (&content.markdown, "text/markdown; charset=utf-8"),
    };
    let document = MUrlDocument::new(page.as_str(), &content.title, text).ok()?;
    let mut document = document.with_content_media_type(media_type).ok()?.refusing_blank_content().ok()?;
    if let Some(language) = &content.language {
        // A tag that is none is left out: the text does not depend on it.
        document = document.clone().with_language(language).unwrap_or(document);
    }
    let sealed = document.seal().ok()?;
    let item = MSitemapItem::of(&sealed, twin.as_str()).ok()?;
    let linked = settings.site_links.iter().cloned();
    let representation = linked.fold(sealed.representation(), tct::Representation::with_link);
    Some((Resource::new(sealed.into_identity().into_body(), representation), item))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::TwinContent;

    /// Settings that count how often a page's content is looked for.
    fn counting(max_pages: usize) -> (Settings, Arc<AtomicUsize>) {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let content = move |_: &url::Url, _: Option<&str>, _: &[u8]| {
            counted.fetch_add(1, Ordering::Relaxed);
            Some(TwinContent::new("Title", "Text.", "# Title"))
        };
        (Settings::new("https://example.com", content).unwrap().with_max_pages(max_pages), count)
    }

    fn headers(fields: &[(http::HeaderName, &'static str)]) -> HeaderMap {
        fields.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn a_page_is_made_anew_where_anything_of_it_changes() {
        let ((settings, count), cache) = (counting(9), Cache::default());
        let (html, other) = (Bytes::from_static(b"<p>Text."), Bytes::from_static(b"<p>Other."));
        let typed = headers(&[(CONTENT_TYPE, "text/html"), (ETAG, "\"1\"")]);
        let another_type = headers(&[(CONTENT_TYPE, "text/html; charset=utf-8"), (ETAG, "\"1\"")]);
        let another_tag = headers(&[(CONTENT_TYPE, "text/html"), (ETAG, "\"2\"")]);
        for (path, html, fields, made) in [
            ("/", &html, &typed, 1),
            ("/", &html, &typed, 1),
            ("/a/", &html, &typed, 2),
            ("/", &html, &typed, 2),
            ("/", &other, &typed, 3),
            ("/", &html, &typed, 4),
            ("/", &html, &another_type, 5),
            ("/", &html, &another_type, 5),
            ("/", &html, &another_tag, 6),
            ("/", &html, &another_tag, 6),
            ("/a/", &html, &typed, 6),
        ] {
            let page = cache.of(&settings, path, html, fields);
            assert_eq!(count.load(Ordering::Relaxed), made, "{path} {fields:?}");
            assert_eq!((&page.html, page.content_type.as_ref()), (html, fields.get(CONTENT_TYPE)));
            assert!(Arc::ptr_eq(&page, &cache.known(path).unwrap()));
        }
    }

    #[test]
    fn no_more_pages_are_remembered_than_may_be() {
        let ((settings, _), cache) = (counting(2), Cache::default());
        let html = Bytes::from_static(b"<p>Text.");
        let known = || ["/a/", "/b/", "/c/"].map(|path| cache.known(path).is_some());
        let ask = |path: &str, html: &Bytes| drop(cache.of(&settings, path, html, &HeaderMap::new()));
        ask("/a/", &html);
        ask("/b/", &html);
        assert_eq!(known(), [true, true, false]);
        // A page that is made anew takes nobody's place.
        ask("/b/", &Bytes::from_static(b"<p>Other."));
        assert_eq!(known(), [true, true, false]);
        ask("/c/", &html);
        assert_eq!(known(), [false, true, true]);
    }

    #[test]
    fn a_page_of_many_forms_is_not_asked_for_by_its_tag() {
        for (vary, is_kept) in [
            (&[][..], true),
            (&["accept"], true),
            (&["Accept, ACCEPT-ENCODING,"], true),
            (&["accept", "accept-encoding"], true),
            (&["cookie"], false),
            (&["accept", "user-agent"], false),
            (&["*"], false),
            (&["accept, *"], false),
        ] {
            let mut fields = headers(&[(ETAG, "\"1\"")]);
            for line in vary {
                fields.append(VARY, HeaderValue::from_static(line));
            }
            assert_eq!(tag_of(&fields).is_some(), is_kept, "{vary:?}");
        }
        assert_eq!(tag_of(&HeaderMap::new()), None);
    }
}
