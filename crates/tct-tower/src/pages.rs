//! The products of a page's HTML: its twins, its Markdown, its sitemap entries.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, ETAG, VARY};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response};
use tct::link::link_canonical;
use tct::resource::NegotiatedPage;
use tct::v03::{MSitemapItem, MUrlDocument, as_uri};
use tct::{CUrl, Fingerprint, MUrl, Payload, Representation, Resource, SitemapEntry};
use web_values::list_members;

use crate::recent::Recent;
use crate::settings::{Revisions, Settings, TwinContent};
use crate::terms::{self, PageTerms};

/// A page's sitemap entries, and the entity tag for conditional requests.
#[derive(Debug, PartialEq)]
pub(crate) struct Entry {
    /// The entity tag that the inner service gave with the page, if any. `Last-Modified` is not used, since a page may change
    /// twice in a second.
    pub(crate) tag: Option<HeaderValue>,
    /// What the fields of the page's response say of its use.
    pub(crate) said: Vec<(HeaderName, HeaderValue)>,
    /// By drafts -00 and -01.
    pub(crate) legacy: Option<SitemapEntry>,
    /// By draft -03.
    pub(crate) v03: Option<MSitemapItem>,
}

/// The products of one page.
#[derive(Debug)]
pub(crate) struct Made {
    /// The SHA-256 of the HTML that it was made from; the HTML itself is several times as large as the
    /// products.
    html: Fingerprint,
    content_type: Option<HeaderValue>,
    /// Whether the inner service chooses by `Accept` too, and so may have Markdown of its own.
    pub(crate) varies: bool,
    pub(crate) entry: Arc<Entry>,
    /// The twin of drafts -00 and -01, if the page has one and the drafts are served.
    pub(crate) legacy: Option<Resource>,
    /// The twin of draft -03, if the page has one and it is served.
    pub(crate) v03: Option<Resource>,
    /// The Markdown, if the page has any.
    pub(crate) markdown: Option<Markdown>,
}

/// A page as Markdown.
#[derive(Debug)]
pub(crate) struct Markdown {
    /// Under a URL of its own.
    pub(crate) alone: Resource,
    /// In place of the HTML.
    instead: Resource,
}

impl Markdown {
    fn new(text: String, page: &CUrl, terms: &PageTerms) -> Self {
        let text = Bytes::from(text);
        let representation = Representation::of_bytes(&text)
            .with_content_type(HeaderValue::from_static(NegotiatedPage::MARKDOWN))
            .with_link(link_canonical(page));
        let representation = terms.on(representation);
        let instead = Resource::new(text.clone(), representation.clone().varying_on_accept());
        Markdown { alone: Resource::new(text, representation), instead }
    }

    /// The answer to a request for the page's URL, if that asks for Markdown.
    pub(crate) fn respond(&self, method: &Method, headers: &HeaderMap) -> Option<Response<Bytes>> {
        NegotiatedPage::wants_markdown(headers).then(|| self.instead.respond(method, headers))
    }
}

/// The bytes of a page's entity tags, links and other fields, beside its texts and addresses; measured by `tests/memory.rs`.
const FIELD_BYTES: usize = 5 << 10;

impl Made {
    /// Its size in memory.
    fn bytes(&self, path: &str) -> usize {
        let markdown = self.markdown.as_ref().map(|markdown| &markdown.alone);
        let texts = [self.legacy.as_ref(), self.v03.as_ref(), markdown].into_iter().flatten();
        let texts: usize = texts.map(|resource| resource.body().len()).sum();
        // The addresses of the page and its twins stand in its entries and its links.
        let said = self.entry.said.iter().map(|(_, value)| value.len()).sum::<usize>();
        texts.saturating_add(FIELD_BYTES).saturating_add(path.len().saturating_mul(12)).saturating_add(said)
    }
}

/// The products of each page, by path and query.
#[derive(Debug)]
pub(crate) struct Cache {
    made: Mutex<Recent<Arc<Made>>>,
}

impl Cache {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Cache { made: Mutex::new(Recent::new(max_bytes)) }
    }

    /// The cached products of the page.
    pub(crate) fn known(&self, path: &str) -> Option<Arc<Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).get(path)
    }

    /// The products of the page, made anew if its HTML has changed.
    pub(crate) fn of(&self, settings: &Settings, path: &str, html: &[u8], headers: &HeaderMap) -> Arc<Made> {
        let (content_type, tag, hash) =
            (headers.get(CONTENT_TYPE), headers.get(ETAG), Fingerprint::hash(html));
        let (said, varies) = (settings.said(path, headers), varies(headers));
        if let Some(known) = self.known(path).filter(|known| {
            known.html == hash
                && known.content_type.as_ref() == content_type
                && known.varies == varies
                && known.entry.tag.as_ref() == tag
                && known.entry.said == said
        }) {
            return known;
        }
        let entry = Entry { tag: tag.cloned(), said, legacy: None, v03: None };
        let made = Arc::new(make(settings, path, html, hash, headers, entry));
        let bytes = made.bytes(path);
        self.made.lock().unwrap_or_else(PoisonError::into_inner).insert(path, Arc::clone(&made), bytes);
        made
    }
}

fn make(
    settings: &Settings,
    path: &str,
    html: &[u8],
    hash: Fingerprint,
    headers: &HeaderMap,
    mut entry: Entry,
) -> Made {
    let content_type = headers.get(CONTENT_TYPE);
    let (mut legacy, mut v03, mut markdown) = (None, None, None);
    let type_text = content_type.and_then(|value| value.to_str().ok());
    if let Some(page) = settings.page_url(path)
        && let Some(terms) = PageTerms::of_page(page.as_url(), headers, html)
        && let Some(content) = settings.content.content(page.as_url(), type_text, html)
    {
        let twins = settings.twins_of(&page);
        let (legacy_url, v03_url) = match settings.revisions {
            Revisions::Legacy => (twins.first(), None),
            Revisions::V03 => (None, twins.first()),
            Revisions::Both => (twins.first(), twins.get(1)),
        };
        // A page without text has no twin, whatever its Markdown says.
        let made = legacy_url.map(|url| legacy_twin(settings, &page, url, &content, &terms));
        let made_v03 = v03_url.map(|url| v03_twin(settings, &page, url, &content, &terms));
        if made.as_ref().is_none_or(Option::is_some) && made_v03.as_ref().is_none_or(Option::is_some) {
            (legacy, entry.legacy) = made.flatten().unzip();
            (v03, entry.v03) = made_v03.flatten().unzip();
            if !terms.may_be_listed() {
                (entry.legacy, entry.v03) = (None, None);
            }
            markdown =
                (!content.markdown.trim().is_empty()).then(|| Markdown::new(content.markdown, &page, &terms));
        }
    }
    let (content_type, varies) = (content_type.cloned(), varies(headers));
    Made { html: hash, content_type, varies, entry: Arc::new(entry), legacy, v03, markdown }
}

fn varies(headers: &HeaderMap) -> bool {
    list_members(headers, &VARY).any(|name| name.eq_ignore_ascii_case(b"accept"))
}

impl Settings {
    /// What the fields of a response for a page say of its use.
    pub(crate) fn said(&self, path: &str, headers: &HeaderMap) -> Vec<(HeaderName, HeaderValue)> {
        self.page_url(path).map_or_else(Vec::new, |page| terms::of_headers(page.as_url(), headers))
    }
}

fn linked(settings: &Settings, representation: Representation) -> Representation {
    settings.site_links.iter().cloned().fold(representation, Representation::with_link)
}

/// The twin of drafts -00 and -01. `None` for a page without text.
fn legacy_twin(
    settings: &Settings,
    page: &CUrl,
    twin: &MUrl,
    content: &TwinContent,
    terms: &PageTerms,
) -> Option<(Resource, SitemapEntry)> {
    let text = tct::payload::escape_markup(&content.text);
    let sealed = Payload::new(page, content.title.as_str(), text).seal().ok()?;
    let representation = terms.on(linked(settings, sealed.representation(page)));
    let entry = SitemapEntry::new(page.clone(), twin.clone(), sealed.fingerprint());
    Some((Resource::new(sealed.into_body(), representation), entry))
}

/// The twin of draft -03: Markdown where the page has any, else plain text. `None` for a page without text.
fn v03_twin(
    settings: &Settings,
    page: &CUrl,
    twin: &MUrl,
    content: &TwinContent,
    terms: &PageTerms,
) -> Option<(Resource, MSitemapItem)> {
    let (text, media_type) = match content.markdown.trim() {
        "" => (&content.text, "text/plain; charset=utf-8"),
        _ => (&content.markdown, "text/markdown; charset=utf-8"),
    };
    let document = MUrlDocument::new(as_uri(page.as_url()).as_str(), &content.title, text).ok()?;
    let mut document = document.with_content_media_type(media_type).ok()?.refusing_blank_content().ok()?;
    if let Some(language) = &content.language {
        // A tag that is none is left out: the text does not depend on it.
        document = document.clone().with_language(language).unwrap_or(document);
    }
    let sealed = document.seal().ok()?;
    let item = MSitemapItem::of(&sealed, twin.as_str()).ok()?;
    let representation = terms.on(linked(settings, sealed.representation()));
    Some((Resource::new(sealed.into_identity().into_body(), representation), item))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::TwinContent;

    /// Settings that count how often content is extracted.
    fn counting() -> (Settings, Arc<AtomicUsize>) {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let content = move |_: &url::Url, _: Option<&str>, _: &[u8]| {
            counted.fetch_add(1, Ordering::Relaxed);
            Some(TwinContent::new("Title", "Text.", "# Title"))
        };
        (Settings::new("https://example.com", content).unwrap(), count)
    }

    fn headers(fields: &[(http::HeaderName, &'static str)]) -> HeaderMap {
        fields.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn a_page_is_made_anew_where_anything_of_it_changes() {
        let ((settings, count), cache) = (counting(), Cache::new(1 << 20));
        let (html, other) = (b"<p>Text.".as_slice(), b"<p>Other.".as_slice());
        let typed = headers(&[(CONTENT_TYPE, "text/html"), (ETAG, "\"1\"")]);
        let another_type = headers(&[(CONTENT_TYPE, "text/html; charset=utf-8"), (ETAG, "\"1\"")]);
        let another_tag = headers(&[(CONTENT_TYPE, "text/html"), (ETAG, "\"2\"")]);
        for (path, html, fields, made) in [
            ("/", html, &typed, 1),
            ("/", html, &typed, 1),
            ("/a/", html, &typed, 2),
            ("/", html, &typed, 2),
            ("/", other, &typed, 3),
            ("/", html, &typed, 4),
            ("/", html, &another_type, 5),
            ("/", html, &another_type, 5),
            ("/", html, &another_tag, 6),
            ("/", html, &another_tag, 6),
            ("/a/", html, &typed, 6),
        ] {
            let page = cache.of(&settings, path, html, fields);
            assert_eq!(count.load(Ordering::Relaxed), made, "{path} {fields:?}");
            let of = (page.html, page.content_type.as_ref(), page.entry.tag.as_ref());
            assert_eq!(of, (Fingerprint::hash(html), fields.get(CONTENT_TYPE), fields.get(ETAG)));
            assert!(Arc::ptr_eq(&page, &cache.known(path).unwrap()));
        }
    }

    /// A page larger than the cache is answered, and made again for the next request.
    #[test]
    fn a_page_larger_than_the_cache_is_answered_and_not_kept() {
        let ((settings, count), cache) = (counting(), Cache::new(FIELD_BYTES));
        for made in 1..3 {
            let page = cache.of(&settings, "/a/", b"<p>Text.", &HeaderMap::new());
            assert!(page.legacy.is_some() && cache.known("/a/").is_none());
            assert_eq!(count.load(Ordering::Relaxed), made);
        }
    }
}
