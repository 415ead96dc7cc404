//! From bytes to document, one stage after the other.

use aidocument::{StructuredData, WebUrl};

use crate::content::about::About;
use crate::content::{self, Selection};
use crate::finding::{ExtractFinding as Finding, ExtractFindingKind as FindingKind};
use crate::json_ld;
use crate::markdown::{self, Style};
use crate::meta::PageMetadata;
use crate::options::Options;
use crate::page::Facts;
use crate::structure::Structure;
use crate::tree::Tree;
use crate::visibility::{HiddenText, report};
use crate::{carried, html, meta, page, shell};

/// A page that was read, before it is made into a document.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) facts: Facts,
    pub(crate) data: StructuredData,
    pub(crate) written: markdown::Written,
    /// The content as HTML, if requested.
    pub(crate) html: String,
    /// The readers' comments, if requested.
    pub(crate) comments: Vec<content::Comment>,
    pub(crate) kind: content::PageKind,
    pub(crate) confidence: Option<f32>,
    /// The F1 that the content model expects, before calibration.
    #[cfg(feature = "training")]
    pub(crate) expected: Option<f32>,
    pub(crate) has_json_ld: bool,
    pub(crate) about: PageMetadata,
    /// Texts that were left out as hidden.
    pub(crate) hidden: Vec<HiddenText>,
    pub(crate) findings: Vec<Finding>,
}

/// Placeholder for an unknown page address; links to it are not listed.
const NOWHERE: &str = "http://page.invalid/";

/// Reads a page's text: its facts and its content, with HTML and comments if requested.
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
    let linked = json_ld::of_page(&tree, &facts.json_ld, &mut findings);
    let about = {
        let address = facts.canonical.as_ref().unwrap_or(&page_url).as_str();
        meta::read(&meta::Page { tree: &tree, facts: &facts, data: &linked, blocks: &blocks, address })
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
        let mut about = About::of(&tree, address, &facts, &linked);
        if let Some(title) = &read.about.title {
            about.title_text.clone_from(&title.value);
        }
        let mut chosen = content::select(&tree, &blocks, &structure, &about, options, given);
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
        let is_asked_for = options.whole_page || options.selector.is_some();
        let write = |tree: &Tree, structure: &Structure, selection: &Selection, length: usize| {
            let most = length.saturating_mul(2).saturating_add(500_000);
            let html = with_html.then(|| html::write(tree, structure, selection, base, options.images, most));
            (markdown::write(tree, structure, selection, base, &own, style, length), html.unwrap_or_default())
        };
        if !needs_script || is_asked_for {
            (read.written, read.html) = write(&tree, &structure, &chosen.selection, html.len());
        }
        let most = options.visibility_limits.hidden_texts;
        read.hidden = report::all(&tree, most);
        let is_missing = read.written.markdown.is_empty() && !is_asked_for;
        if let Some(body) =
            is_missing.then(|| carried::body(html, &about.title_text, about.may_be_article())).flatten()
        {
            findings.push(Finding::new(FindingKind::ReadFromData).with_count(body.words));
            let (tree, blocks) = content::visible(&body.html, options);
            let structure = Structure::of(&tree, &body.html);
            let selector_missed = chosen.selector_missed;
            chosen = content::all(&tree, &blocks, &structure, options);
            chosen.selector_missed = selector_missed;
            (read.written, read.html) = write(&tree, &structure, &chosen.selection, body.html.len());
            read.hidden.extend(report::all(&tree, most.saturating_sub(read.hidden.len() as u32)));
        }
        if read.written.markdown.is_empty() && blocks.words() > 0 {
            findings.push(Finding::new(FindingKind::NoContent));
        }
        report::findings(&read.hidden, most, &mut findings);
        if tree.seen.is_cut {
            findings.push(Finding::new(FindingKind::StylesCut));
        }
        let some = |count: u32| (count > 0).then_some(count);
        let counted = [
            (FindingKind::TooShort, chosen.too_few),
            (FindingKind::CutShort, some(chosen.words_cut)),
            (FindingKind::SelectorWithoutMatch, chosen.selector_missed.then_some(0)),
            (FindingKind::MainLeftOut, some(chosen.main_left_out)),
            (FindingKind::TablesLeftOut, some(chosen.cells_left_out)),
        ];
        let told =
            counted.into_iter().filter_map(|(kind, count)| Some(Finding::new(kind).with_count(count?)));
        findings.extend(told);
        if with_comments {
            read.comments = content::comments::all(&tree);
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
    Page { facts, data: linked, findings, ..read }
}

/// A whole page, or a fragment of one, as Markdown, without hidden text only.
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

/// A page of plain text: its lines, escaped. Spec: AIWI-AMB-9.
pub(crate) fn plain_text(text: &str, mut findings: Vec<Finding>) -> Page {
    findings.push(Finding::new(FindingKind::NoTitle));
    Page { facts: Facts::default(), written: markdown::write_plain(text), findings, ..Page::default() }
}
