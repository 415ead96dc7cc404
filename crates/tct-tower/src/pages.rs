//! The twins that are kept in memory, each until its page's HTML changes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::HeaderValue;
use tct::link::link_alternate;
use tct::resource::NegotiatedPage;
use tct::{CUrl, MUrl, Payload, Resource, SitemapEntry};

use crate::settings::Settings;

/// What was made of one page.
#[derive(Debug)]
pub(crate) struct Made {
    /// The HTML that it was made of.
    html: Bytes,
    content_type: Option<HeaderValue>,
    /// The twin, if the page has one.
    pub(crate) twin: Option<Resource>,
    pub(crate) entry: Option<SitemapEntry>,
    /// The Markdown, if the page has any.
    pub(crate) markdown: Option<NegotiatedPage>,
}

/// What was made of each page, by path and query.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    made: Mutex<BTreeMap<String, Arc<Made>>>,
}

impl Cache {
    /// What was made of the page, or is made now where its HTML is new.
    pub(crate) fn of(
        &self,
        settings: &Settings,
        path: &str,
        html: &Bytes,
        content_type: Option<&HeaderValue>,
    ) -> Arc<Made> {
        let lock = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(path).cloned();
        // Comparing bytes costs less than hashing them, and is sure.
        if let Some(known) =
            known.filter(|known| known.html == *html && known.content_type.as_ref() == content_type)
        {
            return known;
        }
        let made = Arc::new(make(settings, path, html, content_type));
        let mut all = lock();
        if all.len() >= settings.max_pages && !all.contains_key(path) {
            all.pop_first();
        }
        all.insert(path.to_owned(), Arc::clone(&made));
        made
    }
}

/// The address of a page's twin.
pub(crate) fn twin_of(settings: &Settings, page: &CUrl) -> Option<MUrl> {
    settings.pattern.m_url(page).ok()
}

fn make(settings: &Settings, path: &str, html: &Bytes, content_type: Option<&HeaderValue>) -> Made {
    let mut made = Made {
        html: html.clone(),
        content_type: content_type.cloned(),
        twin: None,
        entry: None,
        markdown: None,
    };
    let Some(page) = settings.page_url(path) else { return made };
    let type_text = content_type.and_then(|value| value.to_str().ok());
    let Some(content) = settings.content.content(page.as_url(), type_text, html) else { return made };
    let Some(twin) = twin_of(settings, &page) else { return made };
    let text = tct::payload::escape_markup(&content.text);
    // A page without text has no twin: its address answers 404.
    let Ok(sealed) = Payload::new(&page, content.title.as_str(), text).seal() else { return made };
    let linked = settings.site_links.iter().cloned();
    let representation = linked.fold(sealed.representation(&page), tct::Representation::with_link);
    made.entry = Some(SitemapEntry::new(page.clone(), twin.clone(), sealed.fingerprint()));
    made.twin = Some(Resource::new(sealed.into_body(), representation));
    if !content.markdown.trim().is_empty() {
        let representation = tct::Representation::of_bytes(html)
            .with_content_type(content_type.cloned().unwrap_or(HeaderValue::from_static("text/html")))
            .with_link(link_alternate(&twin));
        let html = Resource::new(html.clone(), representation);
        made.markdown = Some(
            NegotiatedPage::new(html, content.markdown).with_markdown_link(tct::link::link_canonical(&page)),
        );
    }
    made
}
