//! Files for readers without these protocols: `/sitemap.xml`, and the pages in `/llms.txt`.

use std::fmt::Write as _;
use std::sync::Arc;

use url::Url;

use crate::documents::Document;
use crate::markdown;
use crate::publisher::PublishedPage;
use crate::publisher::snapshot::markdown_path;

/// Where the list of pages in XML is.
pub(crate) const SITEMAP: &str = "/sitemap.xml";
/// Where the list of pages for language models is.
pub(super) const LLMS_TXT: &str = "/llms.txt";
/// What a page says about that list, to those who read its HTML.
pub(super) const POINTER: &str =
    r#"<p hidden>For agents: <a href="/llms.txt">/llms.txt</a> lists all pages as Markdown.</p>"#;

/// A sitemap has no more entries.
const MAX_ENTRIES: usize = 50_000;
/// Readers cut what is longer.
const MAX_LIST: usize = 50_000;

/// The other addresses at which readers look for a page's Markdown: `/x.md` for `/x.html`, `/index.md` for `/`.
pub(super) fn short_path(page: &Url) -> Option<String> {
    let path = page.path();
    let stem = path.strip_suffix(".html").or_else(|| path.strip_suffix(".htm"));
    match path.ends_with('/') {
        true => Some(format!("{path}index.md")),
        false => stem.map(|stem| format!("{stem}.md")),
    }
}

/// Adds the sitemap, and the list of pages to that of the manifest.
pub(super) fn add(documents: &mut Vec<Document>, pages: &[Arc<PublishedPage>], origin: &Url) {
    documents.push(Document::new(SITEMAP, "application/xml; charset=utf-8", sitemap(pages)));
    let place = documents.iter().position(|document| document.path == LLMS_TXT);
    let of_manifest = place.map(|place| documents.swap_remove(place));
    let text = of_manifest.map(|list| String::from_utf8_lossy(list.resource.body()).into_owned());
    let text = text.unwrap_or_else(|| {
        let name = pages.first().map(|page| markdown::line(&title(page))).unwrap_or_default();
        format!("# {name}\n\n> All pages of {}, as Markdown.\n", origin.host_str().unwrap_or_default())
    });
    documents.push(Document::new(LLMS_TXT, crate::documents::PLAIN, with_pages(text, pages, origin)));
}

fn sitemap(pages: &[Arc<PublishedPage>]) -> String {
    let mut xml = concat!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    )
    .to_owned();
    for page in pages.iter().take(MAX_ENTRIES) {
        let at = i64::try_from(page.modified.0).ok().and_then(|at| jiff::Timestamp::from_second(at).ok());
        let date = at.map(|at| format!("<lastmod>{at}</lastmod>")).unwrap_or_default();
        // Of what XML reserves, an address has the ampersand alone.
        let url = page.c_url.as_str().replace('&', "&amp;").replace('\'', "&apos;");
        let _written = writeln!(xml, "<url><loc>{url}</loc>{date}</url>");
    }
    xml + "</urlset>\n"
}

/// The list with a section of pages, as many as there is room for.
fn with_pages(mut text: String, pages: &[Arc<PublishedPage>], origin: &Url) -> String {
    text.truncate(text.trim_end().len());
    text.push_str("\n\n## Pages\n\n");
    let mut left = MAX_LIST.saturating_sub(text.chars().count());
    for page in pages {
        let Ok(url) = origin.join(&markdown_path(page.c_url.as_url())) else { continue };
        let line = format!("- {}\n", markdown::link(&title(page), &url));
        match left.checked_sub(line.chars().count()) {
            Some(rest) => left = rest,
            None => break,
        }
        text.push_str(&line);
    }
    text
}

/// The title that the twin has.
fn title(page: &PublishedPage) -> String {
    let twin = serde_json::from_slice::<serde_json::Value>(page.payload.body()).ok();
    let title = twin.as_ref().and_then(|twin| twin.get("title")?.as_str()).unwrap_or_default();
    if title.trim().is_empty() { page.c_url.as_url().path().to_owned() } else { title.to_owned() }
}
