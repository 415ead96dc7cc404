//! Documents: the content of a page with the caller's facts about the fetch.

use std::mem::take;

use aidocument::v2::{self, Call};
use aidocument::{Crawl, Document, LinkText, RenderMode, StatusCode, Timestamp, WebUrl};

use crate::finding::ExtractFinding as Finding;
use crate::meta::PageMetadata;
use crate::options::Options;
use crate::pipeline::{self, Content, Page, with};
use crate::source::Source;
use crate::visibility::HiddenText;

/// The result of [`extract`] and [`extract_v2`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
pub struct Extracted<D = Document> {
    /// The document.
    pub document: D,
    /// The main content as plain text: no markup, blocks separated by empty lines. Suitable for the member
    /// `content` of a TCT payload.
    pub text: String,
    /// Whether the page has an element `<script type="application/ld+json">` with a text, readable or not.
    /// Spec: AIWI2-AMB-17.
    pub has_json_ld: bool,
    /// The page's metadata, each value with its source.
    pub about: PageMetadata,
    /// Texts that were left out because readers do not see them, as in [`Content::hidden`].
    pub hidden: Vec<HiddenText>,
    /// Findings of the extraction.
    pub findings: Vec<Finding>,
}

/// Extracts the document from a page, given as text or as bytes.
///
/// `url` is the address after redirects, `content_type` the whole field value if there was one, `crawl` the
/// facts of the fetch. Never fails: every page gives a document. `O(n)` in the page's size.
///
/// ```
/// use aidocument::{Crawl, StatusCode};
/// use aidocument_extract::{Options, extract};
///
/// let html = b"<title>Tea</title><nav>Home</nav><main><h1>Tea</h1><p>Green, <b>black</b>.</main>";
/// let crawl = Crawl::new(
///     "2026-05-10T12:34:56Z".parse()?,
///     StatusCode::new(200).ok_or("status")?,
///     "AIWebIndex/1.0 (+https://example.com/bot)".parse()?,
/// );
/// let page = extract(html, "https://example.com/tea".parse()?, None, crawl, &Options::default());
/// assert_eq!(page.document.title(), "Tea");
/// assert_eq!(page.document.markdown(), "# Tea\n\nGreen, **black**.");
/// assert_eq!(page.text, "Tea\n\nGreen, black.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: AIWebIndex 1.0, "Field definitions"; AIWI-DOC-1 to AIWI-DOC-17, AIWI-DOC-24.
pub fn extract<'a>(
    html: impl Into<Source<'a>>,
    url: WebUrl,
    content_type: Option<&str>,
    crawl: Crawl,
    options: &Options,
) -> Extracted {
    let Page { mut content, has_json_ld, .. } = read(html.into(), &url, content_type, options);
    let document = content.take_document(url, crawl);
    Extracted::of(document, content, has_json_ld)
}

impl<D> Extracted<D> {
    fn of(document: D, content: Content, has_json_ld: bool) -> Self {
        let Content { text, about, hidden, findings, .. } = content;
        Extracted { document, text, has_json_ld, about, hidden, findings }
    }
}

/// The caller's facts about the fetch for a document of 2.0; all are optional.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// When the page was fetched.
    pub fetched_at: Option<Timestamp>,
    /// HTTP status of the fetch.
    pub status_code: Option<StatusCode>,
    /// Whether scripts ran before the page was read.
    pub render_mode: Option<RenderMode>,
}

/// Extracts a document of AIWebIndex 2.0 from a page, as [`extract`] does one of 1.0.
///
/// `snapshot` holds the facts of the fetch, `call` the action of the cache. Headings, links and images are empty
/// lists if the page has none, and left out if they were not searched for, as with [`Options::metadata_only`].
///
/// ```
/// use aidocument::v2::Call;
/// use aidocument_extract::{Options, Snapshot, extract_v2};
///
/// let html = b"<title>Tea</title><main><h1>Tea</h1><p>Green, <b>black</b>.</main>";
/// let url = "https://example.com/tea".parse()?;
/// let page = extract_v2(html, url, None, Snapshot::default(), Call::Refreshed, &Options::default());
/// assert_eq!(page.document.identity().title.as_deref(), Some("Tea"));
/// assert!(page.document.signals().heading_hierarchy_ok && !page.document.signals().has_json_ld);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: AIWebIndex 2.0, "Field definitions"; AIWI2-DOC-1 to AIWI2-DOC-30, AIWI2-AMB-9, AIWI2-AMB-16, AIWI2-AMB-17.
pub fn extract_v2<'a>(
    html: impl Into<Source<'a>>,
    url: WebUrl,
    content_type: Option<&str>,
    snapshot: Snapshot,
    call: Call,
    options: &Options,
) -> Extracted<v2::Document> {
    let Page { mut content, has_json_ld, .. } = read(html.into(), &url, content_type, options);
    let mut builder = v2::Document::builder(url, call)
        .title(take(&mut content.title))
        .language(take(&mut content.metadata).language)
        .structured_data(take(&mut content.structured_data))
        .has_json_ld(has_json_ld);
    if !options.metadata_only {
        let links = take(&mut content.links);
        let links = links.into_iter().map(|link| (link.url, LinkText { text: link.text, rel: link.rel }));
        builder = builder.content(take(&mut content.markdown), &content.text);
        builder = builder.headings(take(&mut content.headings)).links(links);
        if options.images {
            builder = builder.images(take(&mut content.images));
        }
    }
    builder = with(builder, content.description.take(), v2::DocumentBuilder::description);
    builder = with(builder, content.canonical_url.take(), v2::DocumentBuilder::canonical_url);
    builder = with(builder, snapshot.fetched_at, v2::DocumentBuilder::fetched_at);
    builder = with(builder, snapshot.status_code, v2::DocumentBuilder::status_code);
    builder = with(builder, snapshot.render_mode, v2::DocumentBuilder::render_mode);
    Extracted::of(builder.build(), content, has_json_ld)
}

fn read(html: Source<'_>, url: &WebUrl, content_type: Option<&str>, options: &Options) -> Page {
    let (html, findings) = html.read(content_type, Some(url));
    if content_type.is_some_and(is_plain_text) {
        return pipeline::plain_text(&html, findings);
    }
    pipeline::read_text(&html, Some(url), options, findings, [false, false], None)
}

fn is_plain_text(content_type: &str) -> bool {
    content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/plain")
}
