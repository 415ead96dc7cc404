//! A page's text by aidocument-extract.

use aidocument::{Crawl, StatusCode};
use aidocument_extract::{Options, extract};
use url::Url;

use crate::settings::{PageContent, TwinContent};

/// Finds the main content of any page, by markup and a small model. Needs the feature `extract`.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExtractContent;

impl PageContent for ExtractContent {
    fn content(&self, url: &Url, content_type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
        // The facts of a fetch are no part of what is taken from the document: they are the same each time.
        let facts = Crawl::new(
            "1970-01-01T00:00:00Z".parse().ok()?,
            StatusCode::new(200)?,
            "AIWebIndex/1.0 (+https://example.com/bot)".parse().ok()?,
        );
        let rules = aidocument::UrlRules::default().dropping_credentials();
        let page = aidocument::WebUrl::from_url(url.clone(), rules).ok()?;
        let extracted = extract(html, page, content_type, facts, &Options::default());
        let document = &extracted.document;
        (!extracted.text.trim().is_empty()).then(|| {
            TwinContent::new(document.title(), extracted.text.as_str(), document.markdown())
                .with_language(document.meta().language.as_str())
        })
    }
}
