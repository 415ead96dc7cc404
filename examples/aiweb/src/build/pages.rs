//! Reads the pages of a folder, and decides which of them get a twin.

use std::collections::BTreeMap;
use std::path::Path;

use aidocument::{Crawl, StatusCode, Timestamp, WebUrl};
use aidocument_extract::{Options, extract};
use http::header::{CACHE_CONTROL, LINK};
use http::{HeaderMap, Method};
use robots::Directives;
use site::Revisions;
use site::html::TWIN_ENDS;
use tct::link::link_canonical;
use tct::payload::escape_markup;
use tct::v03::{MUrlDocument, as_uri};
use tct::{CUrl, MUrl, Payload, Representation, UnixSeconds, UrlPolicy, plan_response};
use tct_fingerprint::Fingerprint;
use tct_tower::PageTerms;
use url::Url;

use crate::Failure;
use crate::input::{UNFINISHED, read_file};

/// Longest name of one file on the usual file systems.
const MAX_NAME_BYTES: usize = 255;

/// A page with its twin.
#[derive(Debug)]
pub struct Page {
    /// The file below the folder.
    pub path: String,
    /// Its address.
    pub c_url: CUrl,
    /// Its title.
    pub title: String,
    /// One sentence about it, if it has one.
    pub description: Option<String>,
    /// Its text in Markdown.
    pub markdown: String,
    /// The file of that text below the folder.
    pub markdown_path: String,
    /// Its twins: one, or one for each kind of draft, the older first.
    pub twins: Vec<Twin>,
    /// When it last changed.
    pub modified: UnixSeconds,
}

impl Page {
    /// The files of its text in Markdown: other readers put `.md` in the place of `.html`.
    pub fn markdown_paths(&self) -> impl Iterator<Item = String> {
        let stem = self.path.strip_suffix(".html").or_else(|| self.path.strip_suffix(".htm"));
        [self.markdown_path.clone()].into_iter().chain(stem.map(|stem| format!("{stem}.md")))
    }
}

/// A page that was read and has no twins yet.
#[derive(Debug)]
pub struct Draft {
    path: String,
    c_url: CUrl,
    title: String,
    description: Option<String>,
    language: String,
    markdown: String,
    markdown_path: String,
    text: String,
    modified: UnixSeconds,
}

/// A page's twin.
#[derive(Debug)]
pub struct Twin {
    /// Its address.
    pub m_url: MUrl,
    /// Its bytes.
    pub resource: Resource,
}

/// Bytes that a server has to send with certain header fields.
#[derive(Debug)]
pub struct Resource {
    /// The file below the folder.
    pub path: String,
    /// Its address.
    pub url: Url,
    /// What the file holds.
    pub body: Vec<u8>,
    /// The hash that is the entity tag.
    pub fingerprint: Fingerprint,
    /// `Content-Type`.
    pub media_type: &'static str,
    /// `Cache-Control`.
    pub cache_control: String,
    /// `Link`.
    pub link: String,
    /// `Content-Digest`, for draft -03.
    pub digest: Option<String>,
}

impl Twin {
    /// Whether it is one of draft -03.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.resource.digest.is_some()
    }
}

/// A file that gets no twin, and why.
pub type LeftOut = (String, String);

/// Whether a file of this name is a page.
pub fn is_page(name: &str) -> bool {
    name.ends_with(".html") || name.ends_with(".htm")
}

/// The pages below a folder in order of their paths, and in any order what is left out, with the reason: symbolic links
/// are not followed, and nothing at or below the paths `without` is read. Names that begin with a dot are passed over.
///
/// # Errors
/// If the folder cannot be read, or nothing in it is at one of the paths `without`: a page that was to be left out would be
/// published.
pub fn list(folder: &Path, without: &[String]) -> Result<(Vec<String>, Vec<LeftOut>), Failure> {
    let without: Vec<_> = without.iter().map(|path| path.trim_matches('/')).collect();
    let (mut pages, mut left_out) = (Vec::new(), Vec::new());
    // Paths that are there and that nothing below is read of.
    let mut closed = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(below) = folders.pop() {
        let path = folder.join(&below);
        let entries = std::fs::read_dir(&path)
            .map_err(|error| Failure(format!("cannot read the folder {}: {error}", path.display())))?;
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            let Ok(name) = entry.file_name().into_string() else {
                let name = format!("{below}{}", entry.file_name().display());
                left_out.push((name, "expected a name in UTF-8".to_owned()));
                continue;
            };
            let path = format!("{below}{name}");
            if name.starts_with('.') {
                closed.push(path);
                continue;
            }
            let (is_page, is_page_in_capitals) = (is_page(&name), is_page(&name.to_ascii_lowercase()));
            if without.contains(&path.as_str()) {
                closed.push(path.clone());
                left_out.push((path, "--leave-out".to_owned()));
            } else if kind.is_dir() {
                folders.push(format!("{path}/"));
            } else if kind.is_file() && is_page {
                pages.push(path);
            } else if kind.is_file() && is_page_in_capitals {
                left_out
                    .push((path, "expected its name to end in .html or .htm, in small letters".to_owned()));
            } else if kind.is_symlink() && (is_page || entry.path().is_dir()) {
                closed.push(path.clone());
                left_out.push((path, "symbolic links are not followed".to_owned()));
            }
        }
    }
    let is_at_or_below = |path: &str, top: &str| {
        path.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    for path in without {
        if !closed.iter().any(|top| is_at_or_below(path, top)) {
            return Err(Failure(format!(
                "--leave-out {path}: expected a file or folder below {}, found none; paths begin in that folder, such as \
                 `members/` for {}, with the same letters and without `./` or `*`",
                folder.display(),
                folder.join("members").display(),
            )));
        }
    }
    pages.sort();
    // Both would have the address of the folder.
    let is_second = |path: &String| {
        (path == "index.htm" || path.ends_with("/index.htm"))
            && pages.binary_search(&format!("{path}l")).is_ok()
    };
    let (second, pages) = pages.iter().cloned().partition::<Vec<_>, _>(is_second);
    left_out.extend(second.into_iter().map(|path| (path, "its folder has an index.html".to_owned())));
    Ok((pages, left_out))
}

/// Reads a page; the inner error says why it gets no twin.
///
/// # Errors
/// If the file cannot be read.
pub fn read(folder: &Path, path: &str, origin: &Url) -> Result<Result<Draft, String>, Failure> {
    let file = folder.join(path);
    let html = read_file(&file)?;
    // A file without a date, or from before 1970, counts as the oldest there is.
    let modified =
        std::fs::metadata(&file).and_then(|facts| facts.modified()).map_or(UnixSeconds(0), UnixSeconds::from);
    Ok(draft(&html, path, origin, modified))
}

/// The page of these bytes.
fn draft(html: &[u8], path: &str, origin: &Url, changed: UnixSeconds) -> Result<Draft, String> {
    let refused = |error: &dyn std::fmt::Display| error.to_string();
    if !super::servers::is_writable(path) {
        return Err("its name has a character that servers' configurations cannot hold".to_owned());
    }
    // mdBook, MkDocs and Docusaurus write one without a word to robots.
    if matches!(path, "404.html" | "404.htm" | "404/index.html") {
        return Err("servers answer with it for what is not there".to_owned());
    }
    // Where its twin is written first.
    let end = TWIN_ENDS.map(str::len).into_iter().max().unwrap_or_default() + UNFINISHED.len();
    if path.rsplit('/').next().unwrap_or_default().len() + end > MAX_NAME_BYTES {
        return Err(format!(
            "its name is so long that its twin's would have more than {MAX_NAME_BYTES} bytes"
        ));
    }
    let url = url_of(origin, path)?;
    if let Some(limit) = limit_of(&url, html) {
        return Err(format!("it says {limit}, and a file server cannot say that of twin and Markdown"));
    }
    let agent = "AIWebIndex/1.0 (+https://localhost/; publisher)".parse().map_err(|error| refused(&error))?;
    let (status, epoch) =
        StatusCode::new(200).zip(Timestamp::from_parts(0, 0)).ok_or("no facts about a fetch")?;
    let web_url: WebUrl = url.as_str().parse().map_err(|error| refused(&error))?;
    let mut options = Options::default();
    options.selector = Some("main, [role=main]".to_owned());
    let read = extract(html, web_url, None, Crawl::new(epoch, status, agent), &options);
    let document = &read.document;
    if read.text.trim().is_empty() {
        return Err("it has no text".to_owned());
    }
    if let Some(other) = document.canonical_url().and_then(|canonical| Url::parse(canonical.as_str()).ok())
        && plain_path(&other) != plain_path(&url)
    {
        return Err(format!("its canonical URL is {other}"));
    }
    // Whether the site may be plain HTTP was said with its origin.
    let c_url = CUrl::from_url(url, &UrlPolicy::allowing_http()).map_err(|error| refused(&error))?;
    let meta = document.meta();
    let date = meta.modified.as_deref().or(meta.published.as_deref());
    let modified = date.and_then(UnixSeconds::parse_rfc3339).unwrap_or(changed);
    // Readers ask for the Markdown beside the address that the page gives itself, such as `/guide` for `guide/index.html`.
    let own = document.canonical_url().and_then(|canonical| Url::parse(canonical.as_str()).ok());
    let short = own.and_then(|own| {
        let relative = own.path().strip_prefix(origin.path())?;
        let is_plain = relative.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_/".contains(&b));
        let is_short = is_plain && !relative.is_empty() && !relative.ends_with('/');
        is_short.then(|| format!("{relative}.md"))
    });
    Ok(Draft {
        path: path.to_owned(),
        markdown_path: short.unwrap_or_else(|| format!("{path}.md")),
        c_url,
        title: document.title().to_owned(),
        description: document.description().map(str::to_owned).filter(|text| !text.trim().is_empty()),
        language: meta.language.to_string(),
        markdown: document.markdown().to_owned(),
        text: read.text,
        modified,
    })
}

/// Directives that forbid nothing that twin and Markdown could be used for.
const HARMLESS: [&str; 12] = [
    "all",
    "follow",
    "index",
    "indexifembedded",
    "max-image-preview",
    "max-video-preview",
    "nofollow",
    "noimageindex",
    "noodp",
    "nositelinkssearchbox",
    "notranslate",
    "noydir",
];

/// What the page says against the use of its text, to all or to one crawler. `aiweb build` writes configurations for some
/// servers, and files for all: those are read without any header field.
fn limit_of(url: &Url, html: &[u8]) -> Option<String> {
    let Some(terms) = PageTerms::of_page(url, &HeaderMap::new(), html) else {
        return Some("that it has a licence of its own".to_owned());
    };
    let limits = |(name, value): &(http::HeaderName, http::HeaderValue)| {
        let value = text(value);
        let directives = || {
            let crawler = value.split(':').next().unwrap_or_default();
            Directives::of_headers([("x-robots-tag", value.as_str())], crawler)
        };
        let is_harmless = match name.as_str() {
            "tdm-reservation" => value == "0",
            "x-robots-tag" => directives().iter().all(|(name, value)| {
                HARMLESS.contains(&name) || (name, value) == ("max-snippet", Some("-1"))
            }),
            _ => false,
        };
        (!is_harmless).then(|| format!("`{name}: {value}`"))
    };
    terms.fields().iter().find_map(limits)
}

/// Gives each page a title of its own: a title that many pages share is the site's name. Such a page is called by the heading
/// that its text begins with, if it has one.
pub fn tell_apart(drafts: &mut [Draft]) {
    let mut counts = BTreeMap::new();
    for draft in &*drafts {
        *counts.entry(draft.title.clone()).or_insert(0) += 1;
    }
    for draft in drafts.iter_mut().filter(|draft| counts.get(&draft.title).is_some_and(|count| *count > 1)) {
        let heading = draft.text.split("\n\n").next().unwrap_or_default().trim();
        if draft.markdown.starts_with('#') && !heading.is_empty() {
            draft.title = heading.to_owned();
        }
    }
}

impl Draft {
    /// The file below the folder.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The page with its twins; the error says why it gets none.
    ///
    /// # Errors
    /// If a text or an address cannot be that of a twin.
    pub fn seal(self, origin: &Url, revisions: Revisions) -> Result<Page, String> {
        let refused = |error: &dyn std::fmt::Display| error.to_string();
        let Draft {
            path,
            c_url,
            title,
            description,
            language,
            markdown,
            markdown_path,
            text: plain,
            modified,
        } = self;
        let address = |path: &str| {
            let url = url_of(origin, path)?;
            MUrl::from_url(url, &UrlPolicy::allowing_http()).map_err(|error| refused(&error))
        };
        let [first, second] = TWIN_ENDS.map(|end| format!("{path}{end}"));
        let mut twins = Vec::new();
        if revisions != Revisions::V03 {
            // Program text may look like markup; `content` must not.
            let content = escape_markup(&plain).into_owned();
            let sealed = Payload::new(&c_url, title.as_str(), content)
                .with_field("language", language.as_str())
                .and_then(|payload| payload.seal())
                .map_err(|error| refused(&error))?;
            let m_url = address(&first)?;
            let resource = Resource {
                path: first.clone(),
                url: m_url.as_url().clone(),
                fingerprint: sealed.fingerprint(),
                body: sealed.into_body(),
                media_type: "application/json; charset=utf-8",
                cache_control: "max-age=0, must-revalidate".to_owned(),
                link: text(&link_canonical(&c_url)),
                digest: None,
            };
            twins.push(Twin { m_url, resource });
        }
        if revisions != Revisions::Legacy {
            let sealed = MUrlDocument::new(as_uri(c_url.as_url()).as_str(), &title, &markdown)
                .and_then(|document| document.with_language(&language))
                .and_then(|document| document.with_content_media_type("text/markdown; charset=utf-8"))
                .and_then(|document| document.seal())
                .map_err(|error| refused(&error))?;
            let path = if revisions == Revisions::V03 { first } else { second };
            let m_url = as_uri(address(&path)?.as_url());
            let m_url =
                MUrl::from_url(m_url, &UrlPolicy::allowing_http()).map_err(|error| refused(&error))?;
            let (cache_control, link) = fields(&sealed.representation());
            let resource = Resource {
                path,
                url: m_url.as_url().clone(),
                fingerprint: sealed.tag().fingerprint(),
                digest: Some(text(&sealed.tag().content_digest())),
                body: sealed.into_identity().into_body(),
                media_type: "application/json",
                cache_control,
                link,
            };
            twins.push(Twin { m_url, resource });
        }
        Ok(Page { path, c_url, title, description, markdown, markdown_path, twins, modified })
    }
}

/// The value of a header field, which is ASCII as `tct` writes it.
pub(super) fn text(value: &http::HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

/// The caching fields and the links of a representation.
pub(super) fn fields(representation: &Representation) -> (String, String) {
    let headers = plan_response(&Method::GET, &HeaderMap::new(), representation).headers;
    let values = |name| headers.get_all(name).iter().map(text).collect::<Vec<_>>().join(", ");
    (values(CACHE_CONTROL), values(LINK))
}

/// The address of a file below the origin; `index.html` is its folder.
///
/// # Errors
/// If the origin cannot have paths.
pub fn url_of(origin: &Url, path: &str) -> Result<Url, String> {
    let mut url = origin.clone();
    let path = match path.strip_suffix("index.html").or_else(|| path.strip_suffix("index.htm")) {
        Some(folder) if folder.is_empty() || folder.ends_with('/') => folder,
        _ => path,
    };
    url.path_segments_mut()
        .map_err(|()| "expected a URL that has a path")?
        .pop_if_empty()
        .extend(path.split('/'));
    Ok(url)
}

/// The path without what servers add or leave out: `index.html`, `.html`, a slash at the end. Decoded, since generators
/// encode more or less of it, such as `C%2B%2B`.
fn plain_path(url: &Url) -> String {
    let path = percent_encoding::percent_decode_str(url.path()).decode_utf8_lossy();
    let path = path.strip_suffix("index.html").unwrap_or(&path);
    path.strip_suffix(".html").unwrap_or(path).trim_end_matches('/').to_owned()
}

/// The page with links to its twins and to the sitemaps in its head, in place of those of an earlier build, or `None` where nothing
/// changes; and why it has no links.
///
/// # Errors
/// If the file cannot be read.
pub fn linked(
    folder: &Path,
    page: &Page,
    sitemaps: &[Url],
    list: &Url,
) -> Result<(Option<Vec<u8>>, Option<&'static str>), Failure> {
    let html = read_file(&folder.join(&page.path))?;
    let Ok(html) = std::str::from_utf8(&html) else {
        return Ok((None, Some("it is not in UTF-8, and its bytes could not be kept")));
    };
    let twins = page.twins.iter().map(|twin| tct::link::html_alternate(&twin.m_url));
    let sitemaps = sitemaps.iter().map(|url| {
        let href = url.as_str().replace('&', "&amp;");
        format!(r#"<link rel="index" type="application/json" href="{href}">"#)
    });
    let elements: String = twins.chain(sitemaps).collect();
    let bare = bare(html, &page.path)?;
    let linked = site::html::with_alternate(&bare, &elements)?;
    let why = (linked == bare).then_some("its head names a twin already");
    let linked = site::html::with_pointer(&linked, &pointer(list))?;
    Ok(((linked != html).then(|| linked.into_bytes()), why))
}

/// The page without the links and the pointer of an earlier build; `None` where it has none, or is not there.
///
/// # Errors
/// If the file cannot be read.
pub fn unlinked(folder: &Path, path: &str) -> Result<Option<Vec<u8>>, Failure> {
    let file = folder.join(path);
    if !file.is_file() {
        return Ok(None);
    }
    let html = read_file(&file)?;
    let Ok(html) = std::str::from_utf8(&html) else { return Ok(None) };
    let bare = bare(html, path)?;
    Ok((bare != html).then(|| bare.into_bytes()))
}

/// The page of a twin's file or address.
#[must_use]
pub fn page_of_twin(twin: &str) -> Option<&str> {
    TWIN_ENDS.iter().find_map(|end| twin.strip_suffix(end))
}

/// The page without what [`linked`] has added to it, for whatever origin that was.
fn bare(html: &str, path: &str) -> Result<String, Failure> {
    // An address has the path as a URL spells it, or as draft -03 does.
    let url = url_of_file(path)?;
    let encoded = [as_uri(&url), url].map(|url| url.path().trim_start_matches('/').to_owned());
    let is_twin = move |href: &str| {
        let page = page_of_twin(href);
        let before = page.and_then(|page| encoded.iter().find_map(|path| page.strip_suffix(path.as_str())));
        before.is_some_and(|before| before.ends_with('/'))
    };
    let is_sitemap = |href: &str| {
        let name = href.rsplit('/').next().unwrap_or_default();
        name.starts_with("llm-sitemap") || name.starts_with("m-sitemap")
    };
    let html = site::html::without_links(html, "alternate", is_twin)?;
    let mut html = site::html::without_links(&html, "index", is_sitemap)?;
    let (begin, end) = POINTER;
    while let Some(at) = html.find(begin) {
        let rest = html.get(at + begin.len()..).unwrap_or_default();
        let Some(len) =
            rest.find(end).filter(|len| !rest.get(..*len).unwrap_or_default().contains(['"', '<']))
        else {
            break;
        };
        html.replace_range(at..at + begin.len() + len + end.len(), "");
    }
    Ok(html)
}

/// A URL whose path is that of a file.
fn url_of_file(path: &str) -> Result<Url, Failure> {
    let mut url = Url::parse("file:///")?;
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path.split('/'));
    }
    Ok(url)
}

/// What is around the address in the pointer to the list of pages.
const POINTER: (&str, &str) =
    ("<p hidden>For agents: <a href=\"", "\">llms.txt</a> lists all pages as Markdown.</p>");

/// The pointer to the list of pages that is put into the HTML.
fn pointer(list: &Url) -> String {
    let (begin, end) = POINTER;
    let href = list.as_str().replace('&', "&amp;");
    format!("{begin}{href}{end}")
}

/// The file of a page's Markdown, which begins with a line about the list of pages.
#[must_use]
pub fn markdown_file(page: &Page, list: &Url) -> String {
    format!("> For agents: [llms.txt]({list}) lists all pages as Markdown.\n\n{}\n", page.markdown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Result<Page, String> {
        let origin = Url::parse("https://x.example/book/").unwrap();
        draft(html.as_bytes(), "a b/tea.html", &origin, UnixSeconds(7))?.seal(&origin, Revisions::Both)
    }

    #[test]
    fn addresses_are_those_of_a_plain_file_server() {
        let origin = Url::parse("https://x.example/book/").unwrap();
        for (path, expected) in [
            ("index.html", "https://x.example/book/"),
            ("a/index.html", "https://x.example/book/a/"),
            ("a/my index.html", "https://x.example/book/a/my%20index.html"),
            ("é.html", "https://x.example/book/%C3%A9.html"),
        ] {
            assert_eq!(url_of(&origin, path).unwrap().as_str(), expected);
        }
        let page = page("<title>Tea</title><main><h1>Tea</h1><p>Two cups.</main>").unwrap();
        assert_eq!(page.c_url.as_str(), "https://x.example/book/a%20b/tea.html");
        let twins: Vec<_> = page.twins.iter().map(|twin| (twin.m_url.as_str(), twin.is_exact())).collect();
        assert_eq!(
            twins,
            [
                ("https://x.example/book/a%20b/tea.html.llm.json", false),
                ("https://x.example/book/a%20b/tea.html.m.json", true)
            ]
        );
        assert_eq!((page.title.as_str(), page.modified), ("Tea", UnixSeconds(7)));
        assert_eq!(page.markdown_path, "a b/tea.html.md");
        let short = "<link rel=canonical href='https://x.example/book/guide/tea'><main>x</main>";
        let origin = Url::parse("https://x.example/book/").unwrap();
        let short = draft(short.as_bytes(), "guide/tea/index.html", &origin, UnixSeconds(7)).unwrap();
        assert_eq!(short.markdown_path, "guide/tea.md");
    }

    /// Some sites have one `title` for all pages; a page that begins with a heading is called by it.
    #[test]
    fn a_title_that_pages_share_is_not_theirs() {
        let origin = Url::parse("https://x.example/").unwrap();
        let read = |path: &str, body: &str| {
            let html = format!("<title>The Book</title><main>{body}<p>Text.</main>");
            draft(html.as_bytes(), path, &origin, UnixSeconds(0)).unwrap()
        };
        let mut drafts = [
            read("index.html", "<h1>The Book</h1>"),
            read("brewing.html", "<h2>Brewing <em>tea</em></h2>"),
            read("pots.html", "<h2>Pots</h2>"),
            read("colophon.html", ""),
        ];
        let titles = |drafts: &[Draft]| drafts.iter().map(|draft| draft.title.clone()).collect::<Vec<_>>();
        assert_eq!(titles(&drafts), ["The Book"; 4]);
        tell_apart(&mut drafts);
        assert_eq!(titles(&drafts), ["The Book", "Brewing tea", "Pots", "The Book"]);
    }

    /// mdBook writes the book's name as the first `h1` of each page: it is no page's title.
    #[test]
    fn pages_of_a_book_have_their_chapters_titles() {
        let origin = Url::parse("https://x.example/").unwrap();
        let mut drafts = [("brewing.html", "How to Brew", "Brewing tea"), ("pots.html", "All Pots", "Pots")].map(
            |(path, title, heading)| {
                let html = format!(
                    "<title>{title} - The Book</title><div><h1>The Book</h1></div><main><h2>{heading}</h2><p>Text.</main>"
                );
                draft(html.as_bytes(), path, &origin, UnixSeconds(0)).unwrap()
            },
        );
        tell_apart(&mut drafts);
        assert_eq!(drafts.map(|draft| draft.title), ["Brewing tea", "Pots"]);
    }

    #[test]
    fn what_is_not_to_be_found_gets_no_twin() {
        let why = |html: &str| page(html).unwrap_err();
        assert!(why("<meta name=robots content='noindex,follow'><main>x</main>").contains("noindex"));
        for limit in [
            "<meta name=robots content=noai>",
            "<meta name=robots content='max-snippet:50'>",
            "<meta name=GPTBot content=noindex>",
            "<meta name=tdm-reservation content=1>",
            "<link rel=license type=application/rsl+xml href=/l.xml>",
            "<script type=application/rsl+xml><rsl/></script>",
            "<link rel=license type=application/rsl+xml href='data:application/rsl+xml,'>",
        ] {
            assert!(why(&format!("{limit}<main>x</main>")).contains("cannot say that"), "{limit}");
        }
        // What WordPress writes on each page.
        let usual = "index, follow, max-image-preview:large, max-snippet:-1, max-video-preview:-1";
        assert!(
            page(&format!(
                "<meta name=robots content='{usual}'><meta name=googlebot content='{usual}'><main>x</main>"
            ))
            .is_ok()
        );
        let origin = Url::parse("https://x.example/").unwrap();
        let named = draft(b"<main>x</main>", "a$b.html", &origin, UnixSeconds(0)).unwrap_err();
        assert!(named.contains("name"), "{named}");
        assert!(why("<script>x</script>").contains("no text"));
        let other = "<link rel=canonical href=https://x.example/book/other.html><main>x</main>";
        assert!(why(other).contains("other.html"));
        for same in ["https://y.example/book/a b/tea", "https://x.example/book/a%20b/te%61.html"] {
            assert!(page(&format!("<link rel=canonical href='{same}'><main>x</main>")).is_ok(), "{same}");
        }
    }
}
