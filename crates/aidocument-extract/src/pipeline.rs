//! From bytes to document, one stage after the other.

use aidocument::v2::{self, Call};
use aidocument::{Crawl, Document, LinkText, RenderMode, StatusCode, StructuredData, Timestamp, WebUrl};

use crate::content::about::About;
use crate::content::{self, Selection};
use crate::extractor::Content;
use crate::finding::{ExtractFinding as Finding, ExtractFindingKind as FindingKind};
use crate::json_ld::LinkedData;
use crate::markdown::{self, Style};
use crate::meta::PageMetadata;
use crate::options::Options;
use crate::page::Facts;
use crate::source::Source;
use crate::structure::Structure;
use crate::tree::Tree;
use crate::visibility::{HiddenText, report};
use crate::{html, meta, page, shell};

/// What [`extract`] and [`extract_v2`] give.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
pub struct Extracted<D = Document> {
    /// The document.
    pub document: D,
    /// The main content as plain text: no markup, blocks separated by empty lines. It suits the member `content` of
    /// a TCT payload.
    pub text: String,
    /// Whether the page has an element `<script type="application/ld+json">` with a text, readable or not.
    /// Spec: AIWI2-AMB-17.
    pub has_json_ld: bool,
    /// What the page says about itself, each value with its source.
    pub about: PageMetadata,
    /// What was left out since readers do not see it, as [`Content::hidden`] has it.
    pub hidden: Vec<HiddenText>,
    /// What was noticed on the way.
    pub findings: Vec<Finding>,
}

/// Extracts the document from a page, given as text or as bytes.
///
/// `url` is the address after redirects, `content_type` the whole field value if there was one, `crawl` what the
/// caller knows about the fetch. Never fails: any page makes a document. `O(n)` in the page's size.
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
    let page = read(html.into(), &url, content_type, options);
    let has_json_ld = page.has_json_ld;
    let mut content = Content::of(page, options.images);
    let document = content.take_document(url, crawl);
    Extracted {
        document,
        text: content.text,
        has_json_ld,
        about: content.about,
        hidden: content.hidden,
        findings: content.findings,
    }
}

/// What the caller knows about the fetch that a document of 2.0 is made from; everything may be absent.
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
/// `snapshot` is what the caller knows about the fetch, `call` what the cache did. Headings, links and images are
/// written as empty lists where the page has none, and left out where nobody looked, which is so with
/// [`Options::metadata_only`].
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
    let page = read(html.into(), &url, content_type, options);
    let Page { facts, data, written, .. } = page;
    let mut builder = v2::Document::builder(url, call)
        .title(facts.title)
        .language(facts.meta.language)
        .structured_data(data)
        .has_json_ld(page.has_json_ld);
    if !options.metadata_only {
        let links =
            facts.links.into_iter().map(|link| (link.url, LinkText { text: link.text, rel: link.rel }));
        builder = builder.content(written.markdown, &written.text).headings(facts.headings).links(links);
        if options.images {
            builder = builder.images(facts.images);
        }
    }
    if let Some(description) = facts.description {
        builder = builder.description(description);
    }
    if let Some(canonical) = facts.canonical {
        builder = builder.canonical_url(canonical);
    }
    if let Some(instant) = snapshot.fetched_at {
        builder = builder.fetched_at(instant);
    }
    if let Some(code) = snapshot.status_code {
        builder = builder.status_code(code);
    }
    if let Some(mode) = snapshot.render_mode {
        builder = builder.render_mode(mode);
    }
    Extracted {
        document: builder.build(),
        text: written.text,
        has_json_ld: page.has_json_ld,
        about: page.about,
        hidden: page.hidden,
        findings: page.findings,
    }
}

/// A page that was read, before it becomes a document of some version.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) facts: Facts,
    pub(crate) data: StructuredData,
    pub(crate) written: markdown::Written,
    /// The content as HTML, where it was asked for.
    pub(crate) html: String,
    /// The readers' comments, where they were asked for.
    pub(crate) comments: Vec<content::Comment>,
    pub(crate) kind: content::PageKind,
    pub(crate) confidence: Option<f32>,
    /// What the content model expects of itself, before calibration.
    #[cfg(feature = "training")]
    pub(crate) expected: Option<f32>,
    pub(crate) has_json_ld: bool,
    pub(crate) about: PageMetadata,
    /// What was left out as hidden.
    pub(crate) hidden: Vec<HiddenText>,
    pub(crate) findings: Vec<Finding>,
}

fn read(html: Source<'_>, url: &WebUrl, content_type: Option<&str>, options: &Options) -> Page {
    let (html, findings) = html.read(content_type, Some(url));
    if content_type.is_some_and(is_plain_text) {
        return plain_text(&html, findings);
    }
    read_text(&html, Some(url), options, findings, [false, false], None)
}

/// Stands for the address of a page that nobody told; links to it are not listed.
const NOWHERE: &str = "http://page.invalid/";

/// Everything that is read from a page's text, its content also as HTML and the comments where they are asked for.
pub(crate) fn read_text(
    html: &str,
    url: Option<&WebUrl>,
    options: &Options,
    mut findings: Vec<Finding>,
    [with_html, with_comments]: [bool; 2],
    given: Option<content::Given<'_>>,
) -> Page {
    let nowhere = || NOWHERE.parse::<WebUrl>().ok();
    let Some(page_url) = url.cloned().or_else(nowhere) else { return Page::default() };
    let (tree, blocks) = content::visible(html, options);
    let mut facts = page::read(&tree, &page_url, html.len(), !options.metadata_only);
    let linked = structured_data(&tree, &facts, &mut findings);
    let about = {
        let address = facts.canonical.as_ref().unwrap_or(&page_url).as_str();
        meta::read(&meta::Page { tree: &tree, facts: &facts, data: &linked.all, blocks: &blocks, address })
    };
    about.write_to(&mut facts.meta);
    if facts.title.is_empty() {
        findings.push(Finding::new(FindingKind::NoTitle));
    }
    if facts.lists_cut {
        findings.push(Finding::new(FindingKind::ListsCut));
    }
    let is_there = |id| !tree.text(id).unwrap_or_default().trim().is_empty();
    let has_json_ld = facts.json_ld.iter().any(|&id| is_there(id));
    let mut read = Page { has_json_ld, about, ..Page::default() };
    if !options.metadata_only {
        let structure = Structure::of(&tree, html);
        let address = facts.canonical.as_ref().unwrap_or(&page_url).as_str();
        let mut about = About::of(&tree, address, &facts, linked.for_model());
        if let Some(title) = &read.about.title {
            about.title_text.clone_from(&title.value);
        }
        let chosen = content::select(&tree, &blocks, &structure, &about, options, given);
        let style = Style {
            images: options.images,
            tables: options.tables,
            links: options.links,
            repeat_spans: options.repeat_spans,
        };
        let base = facts.base.as_ref().filter(|_| options.resolve && url.is_some());
        let own: Vec<&str> = base.map(|_| page_url.as_str()).into_iter().chain([address]).collect();
        let needs_script = shell::is_shell(&tree, &blocks);
        if needs_script {
            findings.push(Finding::new(FindingKind::NeedsScript).with_count(blocks.words()));
        }
        // What a frame shows is a menu or a notice, unless somebody has asked for just that.
        #[cfg(feature = "selectors")]
        let is_asked_for = options.whole_page || options.selector.is_some();
        #[cfg(not(feature = "selectors"))]
        let is_asked_for = options.whole_page;
        let is_empty = needs_script && !is_asked_for;
        if !is_empty {
            read.written =
                markdown::write(&tree, &structure, &chosen.selection, base, &own, style, html.len());
        }
        if read.written.markdown.is_empty() && blocks.words() > 0 {
            findings.push(Finding::new(FindingKind::NoContent));
        }
        let most = options.visibility_limits.hidden_texts;
        read.hidden = report::all(&tree, most);
        report::findings(&read.hidden, most, &mut findings);
        if tree.seen.is_cut {
            findings.push(Finding::new(FindingKind::StylesCut));
        }
        if let Some(words) = chosen.too_few {
            findings.push(Finding::new(FindingKind::TooShort).with_count(words));
        }
        if chosen.words_cut > 0 {
            findings.push(Finding::new(FindingKind::CutShort).with_count(chosen.words_cut));
        }
        if chosen.selector_missed {
            findings.push(Finding::new(FindingKind::SelectorWithoutMatch));
        }
        if chosen.cells_left_out > 0 {
            findings.push(Finding::new(FindingKind::TablesLeftOut).with_count(chosen.cells_left_out));
        }
        if with_comments {
            read.comments = content::comments::all(&tree);
        }
        if with_html && !is_empty {
            let most = html.len().saturating_mul(2).saturating_add(500_000);
            read.html = html::write(&tree, &structure, &chosen.selection, base, options.images, most);
        }
        (read.kind, read.confidence) = (chosen.kind, chosen.confidence);
        #[cfg(feature = "training")]
        {
            read.expected = chosen.expected;
        }
    }
    // The content model compares blocks with the title as it is declared.
    if let Some(title) = &read.about.title {
        facts.title.clone_from(&title.value);
    }
    if url.is_none() {
        facts.links.retain(|link| !link.url.as_str().starts_with(NOWHERE));
        facts.images.retain(|image| !image.url().starts_with(NOWHERE));
        facts.canonical = facts.canonical.filter(|canonical| !canonical.as_str().starts_with(NOWHERE));
    }
    Page { facts, data: linked.all, findings, ..read }
}

/// A whole page, or a fragment of one, as Markdown: nothing is left out but what is hidden.
///
/// Targets of links and images are resolved against `base`, or stay as written without one.
///
/// ```
/// let markdown = aidocument_extract::to_markdown("<ol><li>a<li><i>b</i></ol>", None);
/// assert_eq!(markdown, "1. a\n2. *b*");
/// ```
#[must_use]
pub fn to_markdown(html: &str, base: Option<&WebUrl>) -> String {
    let (tree, _) = content::visible(html, &Options::default());
    let style = Style { images: true, tables: true, links: true, repeat_spans: false };
    let structure = Structure::of(&tree, html);
    markdown::write(&tree, &structure, &Selection::whole(), base.map(|base| &**base), &[], style, html.len())
        .markdown
}

pub(crate) fn structured_data(tree: &Tree, facts: &Facts, findings: &mut Vec<Finding>) -> LinkedData {
    LinkedData::of(facts.json_ld.iter().map(|&id| tree.text(id).unwrap_or_default()), findings)
}

fn is_plain_text(content_type: &str) -> bool {
    content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/plain")
}

/// A page of plain text: its lines, escaped. Spec: AIWI-AMB-9.
fn plain_text(text: &str, mut findings: Vec<Finding>) -> Page {
    findings.push(Finding::new(FindingKind::NoTitle));
    Page { facts: Facts::default(), written: markdown::write_plain(text), findings, ..Page::default() }
}
