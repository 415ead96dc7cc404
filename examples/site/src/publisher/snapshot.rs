//! A site as it is published at one moment: every M-URL's body, the sitemaps that list them, and who answers where.
//!
//! A snapshot never changes. An edit makes a new one, which takes over the pages that stayed the same; so a sitemap and
//! the bodies it speaks of are always of one moment.

use std::collections::HashSet;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use http::{HeaderMap, HeaderValue};
use tct::address::AddressError;
use tct::link::{link_policy, link_sitemap};
use tct::pages::MUrlPattern;
use tct::payload::escape_markup;
use tct::resource::NegotiatedPage;
use tct::v03::{MUrlDocument, as_uri};
use tct::{CUrl, MUrl, Payload, Representation, UnixSeconds, UrlPolicy};
use tct_fingerprint::Fingerprint;
use tct_tower::PageTerms;
use url::Url;

use crate::SiteError;
use crate::documents::{Document, Documents, POLICY_PATH};
use crate::files::{PassedOver, Site, SiteFile};
use crate::html::{self, PageError};
use crate::paths::Prefixes;
use crate::publisher::routes::Routes;
use crate::publisher::{Plan, Resource, Revisions, readers, sitemaps};

/// A page with its machine-readable twin.
#[derive(Debug)]
pub struct PublishedPage {
    /// The page's file.
    pub file: SiteFile,
    /// The page's address.
    pub c_url: CUrl,
    /// Its twin's address.
    pub m_url: MUrl,
    /// When its text last changed.
    pub modified: UnixSeconds,
    /// Its fingerprint: the payload's hash.
    pub fingerprint: Fingerprint,
    /// The twin.
    pub payload: Resource,
    /// The twin of draft -03 beside that of the drafts before, where both are published.
    pub second: Option<SecondTwin>,
    /// Whether lists of pages may have it.
    pub(super) is_listed: bool,
    /// The forms in which it is served to readers.
    pub(super) forms: Forms,
}

/// What a folder's own page may be called.
const INDEX_NAMES: [&str; 2] = ["index.html", "index.htm"];

/// What leads to the page of a folder; nothing for the path of another page.
fn index_paths(path: &str) -> impl Iterator<Item = String> {
    INDEX_NAMES.into_iter().filter(move |_| path.ends_with('/')).map(move |name| format!("{path}{name}"))
}

impl PublishedPage {
    /// The paths of its twins.
    fn twins(&self) -> impl Iterator<Item = &str> {
        let second = self.second.as_ref().map(|second| &second.m_url);
        [Some(&self.m_url), second].into_iter().flatten().map(|twin| twin.as_url().path())
    }

    /// The paths at which some form of it is, its own first, and those that lead to a folder's page.
    fn addresses(&self) -> Vec<String> {
        let page = self.c_url.as_url();
        let own = [page.path().to_owned(), markdown_path(page)];
        let forms = own.into_iter().chain(readers::short_path(page)).chain(self.twins().map(str::to_owned));
        forms.chain(index_paths(page.path())).collect()
    }
}

/// A page as it is served to readers: each form once somebody has asked for it and there was room.
#[derive(Debug, Default)]
pub(super) struct Forms {
    pub(super) html: OnceLock<Resource>,
    /// In place of the HTML, for those who prefer it.
    pub(super) markdown: OnceLock<Resource>,
    /// Under an address of its own.
    pub(super) markdown_file: OnceLock<Resource>,
}

/// One of the forms of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As its file is, with links to its twins.
    Html,
    /// Markdown under the page's own address.
    Markdown,
    /// Markdown under an address of its own.
    MarkdownFile,
}

impl Forms {
    pub(super) const fn of(&self, form: Form) -> &OnceLock<Resource> {
        match form {
            Form::Html => &self.html,
            Form::Markdown => &self.markdown,
            Form::MarkdownFile => &self.markdown_file,
        }
    }
}

/// The twin of draft -03 beside another.
#[derive(Debug)]
pub struct SecondTwin {
    /// Its address.
    pub m_url: MUrl,
    /// The hash of its bytes.
    pub fingerprint: Fingerprint,
    /// The twin.
    pub payload: Resource,
}

/// Who answers for a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The page of that index.
    Page(usize),
    /// The Markdown of the page of that index.
    Markdown(usize),
    /// The page without a twin of that index.
    Plain(usize),
    /// The twin of the page of that index.
    Payload(usize),
    /// The twin of draft -03 of the page of that index, beside another.
    SecondPayload(usize),
    /// The sitemap of that index.
    Sitemap(usize),
    /// The document of that index.
    Document(usize),
    /// The file of that index in the site's list of assets.
    Asset(usize),
}

/// The site at one moment.
#[derive(Debug)]
pub struct Snapshot {
    /// The pages, in the sitemap's order.
    pub pages: Vec<Arc<PublishedPage>>,
    /// The pages that get no twin, such as one in an older charset or without text. Readers get them all the same.
    pub plain: Vec<SiteFile>,
    /// The files that are not pages.
    pub assets: Vec<SiteFile>,
    /// The sitemaps.
    pub sitemaps: Vec<Resource>,
    /// Everything else that the protocols ask for.
    pub documents: Vec<Document>,
    /// A `Link` to each sitemap, for the pages' responses.
    pub links: Vec<HeaderValue>,
    /// The pages that could not be read, and the documents that this origin cannot have.
    pub passed_over: Vec<PassedOver>,
    /// The listed pages that no signature is required for.
    open: Vec<Arc<PublishedPage>>,
    routes: Routes,
}

impl Snapshot {
    /// Reads and seals all pages, on all processors; `tick` is called once a page.
    ///
    /// # Errors
    /// [`SiteError::NothingToPublish`] if not one page can be read; [`SiteError::Refused`] where a library refuses
    /// a sitemap or a document.
    pub fn build(
        site: &Site,
        plan: &Plan,
        now: UnixSeconds,
        tick: &(dyn Fn() + Sync),
    ) -> Result<Self, SiteError> {
        let mut passed_over = site.passed_over.clone();
        let (mut pages, mut plain) = (Vec::with_capacity(site.pages.len()), Vec::new());
        for (file, page) in site.pages.iter().zip(publish_all(&site.pages, plan, now, tick)) {
            match page {
                Ok(page) => pages.push(Arc::new(page)),
                Err(why) => {
                    passed_over.push(PassedOver { what: file.name(), why: why.to_string() });
                    if !file.is_markdown() && !matches!(why, PageError::Unreadable(_)) {
                        plain.push(file.clone());
                    }
                }
            }
        }
        // What the folder has at an address is what its author wants there, also where another page's twin would be.
        let own: HashSet<String> =
            site.pages.iter().map(|file| url_of(&plan.origin, file).path().to_owned()).collect();
        let is_taken = |page: &Arc<PublishedPage>| page.twins().any(|twin| own.contains(twin));
        let (without, pages): (Vec<_>, Vec<_>) = pages.into_iter().partition(is_taken);
        for page in without {
            let why = "its twin's address is a page of the folder, so it has no twin".to_owned();
            passed_over.push(PassedOver { what: page.file.name(), why });
            plain.push(page.file.clone());
        }
        if pages.is_empty() {
            let why = passed_over
                .first()
                .map_or_else(String::new, |first| format!("{}: {}", first.what, first.why));
            return Err(SiteError::NothingToPublish {
                pages: site.pages.len(),
                site: site.name.clone(),
                why,
            });
        }
        Self::of_pages(pages, (plain, site.assets.clone()), passed_over, plan, now)
    }

    /// The snapshot with these pages in place of those with the same index.
    ///
    /// # Errors
    /// [`SiteError::Refused`] if the library refuses the sitemap.
    pub fn with_pages(
        &self,
        changed: Vec<(usize, PublishedPage)>,
        plan: &Plan,
        now: UnixSeconds,
    ) -> Result<Self, SiteError> {
        let mut pages = self.pages.clone();
        for (index, page) in changed {
            if let Some(place) = pages.get_mut(index) {
                *place = Arc::new(page);
            }
        }
        Self::of_pages(pages, (self.plain.clone(), self.assets.clone()), self.passed_over.clone(), plan, now)
    }

    fn of_pages(
        pages: Vec<Arc<PublishedPage>>,
        (plain, assets): (Vec<SiteFile>, Vec<SiteFile>),
        mut passed_over: Vec<PassedOver>,
        plan: &Plan,
        now: UnixSeconds,
    ) -> Result<Self, SiteError> {
        let origin = &plan.origin;
        let listed: Vec<_> = pages.iter().filter(|page| page.is_listed).cloned().collect();
        let written = match plan.revisions {
            Revisions::V03 => Vec::new(),
            Revisions::Legacy | Revisions::Both => sitemaps::write(&listed, plan.items_per_sitemap)?,
        };
        let exact = match plan.revisions {
            Revisions::Legacy => None,
            Revisions::V03 => Some(sitemaps::write_exact(&listed, |page| (&page.m_url, page.fingerprint))?),
            Revisions::Both => Some(sitemaps::write_exact(&listed, |page| match &page.second {
                Some(second) => (&second.m_url, second.fingerprint),
                None => (&page.m_url, page.fingerprint),
            })?),
        };
        let Documents { mut documents, left_out } =
            Documents::write(&plan.settings, origin, written.len().max(1), plan.llmindex, plan.key.as_ref())?;
        // What not everybody may read is not in the lists for everybody.
        let require = plan.settings.signatures.as_ref().map_or(&[][..], |signatures| &signatures.require);
        let require = Prefixes::new("[signatures] require", require)?;
        let is_open = |page: &&Arc<PublishedPage>| !page.addresses().iter().any(|path| require.have(path));
        let open: Vec<_> = listed.iter().filter(is_open).cloned().collect();
        readers::add(&mut documents, &open, origin);
        passed_over.retain(|item| !left_out.contains(item));
        passed_over.extend(left_out);

        let mut routes = Routes::default();
        for (index, document) in documents.iter().enumerate() {
            routes.insert(&document.path, Route::Document(index));
        }
        for (index, page) in pages.iter().enumerate() {
            if let Some(path) = readers::short_path(page.c_url.as_url()) {
                routes.insert(&path, Route::Markdown(index));
            }
        }
        for (index, page) in pages.iter().enumerate() {
            routes.insert(&markdown_path(page.c_url.as_url()), Route::Markdown(index));
        }
        for (index, asset) in assets.iter().enumerate() {
            // A file of the folder is what its author wants at that path.
            routes.insert(url_of(origin, asset).path(), Route::Asset(index));
        }
        for (index, page) in plain.iter().enumerate() {
            routes.insert(url_of(origin, page).path(), Route::Plain(index));
        }
        for (index, page) in pages.iter().enumerate() {
            routes.insert(page.c_url.as_url().path(), Route::Page(index));
            routes.insert(page.m_url.as_url().path(), Route::Payload(index));
            if let Some(second) = &page.second {
                routes.insert(second.m_url.as_url().path(), Route::SecondPayload(index));
            }
        }
        for prefix in plan.settings.signatures.iter().flat_map(|signatures| &signatures.require) {
            let what = format!("[signatures] require: `{}`", prefix.escape_debug());
            let why = "no page and no file is there, so nothing is protected".to_owned();
            let item = PassedOver { what, why };
            if !routes.have_any_below(prefix) && !passed_over.contains(&item) {
                passed_over.push(item);
            }
        }
        let mut links = Vec::new();
        let mut urls: Vec<_> = (0..written.len()).map(|index| sitemaps::url_of(origin, index)).collect();
        if exact.is_some() {
            let is_alone = urls.is_empty();
            urls.push(if is_alone { sitemaps::url_of(origin, 0) } else { sitemaps::second_url_of(origin) });
        }
        for (index, url) in urls.iter().enumerate() {
            routes.insert(url.path(), Route::Sitemap(index));
            links.push(link_sitemap(url));
        }
        // Each sitemap names them all, so that an agent that knows one finds those that were added; and the policy.
        let policy = documents.iter().any(|document| document.path == POLICY_PATH);
        let policy = policy.then(|| origin.join(POLICY_PATH).ok()).flatten();
        let sitemap_links: Vec<_> = links.iter().cloned().chain(policy.iter().map(link_policy)).collect();
        let sitemaps = written.into_iter().map(|body| {
            // The pages' dates say less: one that goes, or comes back older, changes the sitemap as well.
            let plain = Representation::of_bytes(&body).with_last_modified(now, now);
            let plain = sitemap_links.iter().cloned().fold(plain, Representation::with_link);
            Resource::new(body, plain)
        });
        let exact = exact.map(|sealed| {
            let plain = Representation::of_m_sitemap(sealed.tag()).with_last_modified(now, now);
            let plain = sitemap_links.iter().cloned().fold(plain, Representation::with_link);
            Resource::exact(sealed.into_body(), plain)
        });
        let sitemaps = sitemaps.chain(exact).collect();
        Ok(Snapshot { pages, plain, assets, sitemaps, documents, links, passed_over, open, routes })
    }

    /// Who answers for the path of a request. Paths are compared percent-decoded.
    #[must_use]
    pub fn route(&self, path: &str) -> Option<&Route> {
        self.routes.find(path)
    }

    /// All paths of the page that a path shows in some form: its own, those of its Markdown, those of its twins, and what
    /// leads to a folder's page.
    pub(crate) fn addresses_of(&self, path: &str) -> Vec<String> {
        match self.routes.find(path) {
            Some(
                Route::Page(index)
                | Route::Markdown(index)
                | Route::Payload(index)
                | Route::SecondPayload(index),
            ) => self.pages.get(*index).map_or_else(Vec::new, |page| page.addresses()),
            Some(Route::Plain(_)) => std::iter::once(path.to_owned()).chain(index_paths(path)).collect(),
            _ => Vec::new(),
        }
    }

    /// Where the path of a request leads to instead: `/sub` to `/sub/`, and `/sub/index.html` to `/sub/`.
    #[must_use]
    pub fn redirect(&self, path: &str) -> Option<String> {
        if self.routes.find(path).is_some() {
            return None;
        }
        let of_index = INDEX_NAMES.iter().find_map(|name| path.strip_suffix(name));
        let folder = match of_index.filter(|folder| folder.ends_with('/')) {
            Some(folder) => folder.to_owned(),
            None => format!("{path}/"),
        };
        // A path that begins with two slashes would name a host.
        let leads_somewhere = !folder.starts_with("//") && self.routes.find(&folder).is_some();
        leads_somewhere.then_some(folder)
    }

    /// The page of a route and its form for this request, if it is a page with a twin.
    pub(super) fn page(&self, route: Route, request: &HeaderMap) -> Option<(&PublishedPage, Form)> {
        let (index, form) = match route {
            Route::Page(index) if NegotiatedPage::wants_markdown(request) => (index, Form::Markdown),
            Route::Page(index) => (index, Form::Html),
            Route::Markdown(index) => (index, Form::MarkdownFile),
            _ => return None,
        };
        self.pages.get(index).map(|page| (page.as_ref(), form))
    }

    /// The file that is read for a route.
    pub(super) fn file(&self, route: Route) -> Option<&SiteFile> {
        match route {
            Route::Page(index) | Route::Markdown(index) => self.pages.get(index).map(|page| &page.file),
            Route::Plain(index) => self.plain.get(index),
            Route::Asset(index) => self.assets.get(index),
            _ => None,
        }
    }

    /// What is ready to be sent for a route; `None` where a file has to be read first.
    #[must_use]
    pub fn resource(&self, route: Route) -> Option<&Resource> {
        match route {
            Route::Payload(index) => self.pages.get(index).map(|page| &page.payload),
            Route::SecondPayload(index) => {
                self.pages.get(index)?.second.as_ref().map(|second| &second.payload)
            }
            Route::Sitemap(index) => self.sitemaps.get(index),
            Route::Document(index) => self.documents.get(index).map(|document| &document.resource),
            Route::Page(_) | Route::Markdown(_) | Route::Plain(_) | Route::Asset(_) => None,
        }
    }

    /// A list of the pages that everybody may read: the front page of a folder that has none.
    #[must_use]
    pub fn contents(&self) -> String {
        let mut html = "<!DOCTYPE html>\n<html><head><title>Pages</title></head><body><ul>\n".to_owned();
        for page in &self.open {
            // The path of a URL has no quotes and no angle brackets.
            let path = page.c_url.as_url().path().replace('&', "&amp;");
            html.push_str(&format!("<li><a href=\"{path}\">{path}</a></li>\n"));
        }
        html + "</ul></body></html>\n"
    }
}

/// Publishes one page from its file. It counts as changed when the file was; one in memory when it says so itself.
///
/// # Errors
/// Why it cannot be.
pub(super) fn publish(
    file: &SiteFile,
    plan: &Plan,
    modified: Option<UnixSeconds>,
    now: UnixSeconds,
) -> Result<PublishedPage, PageError> {
    let html = file.html()?;
    let url = url_of(&plan.origin, file);
    let text = html::read_at(&html, &url)?;
    let terms = terms_of(&url, &html)?;
    let is_listed = terms.may_be_listed();
    let modified = modified.or(text.modified).unwrap_or(now).min(now);
    let no_twin = |error: &dyn std::fmt::Display| PageError::NoTwin(error.to_string());
    // Whether the origin may be plain HTTP is a question that has been answered when the server was set up.
    let policy = UrlPolicy::allowing_http();
    let c_url = CUrl::from_url(url, &policy).map_err(|error| no_twin(&error))?;
    let m_url = twin_of(&c_url, "llm").map_err(|error| no_twin(&error))?;
    let exact = |m_url: MUrl, text: &html::PageText| {
        let m_url = MUrl::from_url(as_uri(m_url.as_url()), &policy).map_err(|error| no_twin(&error))?;
        let sealed = MUrlDocument::new(as_uri(c_url.as_url()).as_str(), &text.title, &text.markdown)
            .and_then(|document| document.with_language(&text.language))
            .and_then(|document| document.with_content_media_type("text/markdown; charset=utf-8"))
            .and_then(|document| document.seal())
            .map_err(|error| no_twin(&error))?;
        let representation = terms.on(sealed.representation().with_last_modified(modified, now));
        let fingerprint = sealed.tag().fingerprint();
        let payload = Resource::exact(sealed.into_identity().into_body(), representation);
        Ok(SecondTwin { m_url, fingerprint, payload })
    };
    let second = match plan.revisions {
        Revisions::Legacy => None,
        Revisions::V03 => {
            let SecondTwin { m_url, fingerprint, payload } = exact(m_url, &text)?;
            let (file, forms) = (file.clone(), Forms::default());
            return Ok(PublishedPage {
                file,
                fingerprint,
                payload,
                second: None,
                is_listed,
                forms,
                c_url,
                m_url,
                modified,
            });
        }
        Revisions::Both => {
            let m_url = twin_of(&c_url, "m").map_err(|error| no_twin(&error))?;
            Some(exact(m_url, &text)?)
        }
    };
    // Program text may look like markup; `content` must not.
    let content = escape_markup(&text.content).into_owned();
    let sealed = Payload::new(&c_url, text.title, content)
        .with_field("language", text.language)
        .and_then(|payload| payload.seal())
        .map_err(|error| no_twin(&error))?;
    let representation = terms.on(sealed.representation(&c_url).with_last_modified(modified, now));
    Ok(PublishedPage {
        second,
        is_listed,
        file: file.clone(),
        fingerprint: sealed.fingerprint(),
        payload: Resource::new(sealed.into_body(), representation),
        forms: Forms::default(),
        c_url,
        m_url,
        modified,
    })
}

/// What a page says of its own use, as fields for its other forms.
///
/// # Errors
/// [`PageError::NoTwin`] where no field says it.
pub(super) fn terms_of(url: &Url, html: &str) -> Result<PageTerms, PageError> {
    let why = "it holds a licence, which no header field of a twin says";
    PageTerms::of_page(url, &HeaderMap::new(), html.as_bytes())
        .ok_or_else(|| PageError::NoTwin(why.to_owned()))
}

/// The results in the files' order, made by as many threads as there are processors.
fn publish_all(
    files: &[SiteFile],
    plan: &Plan,
    now: UnixSeconds,
    tick: &(dyn Fn() + Sync),
) -> Vec<Result<PublishedPage, PageError>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(index) else { return done };
            done.push((index, publish(file, plan, file.modified_s().map(UnixSeconds), now)));
            tick();
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.flatten().collect::<Vec<_>>()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, page)| page).collect()
}

/// The address of a file below the origin, escaped as the URL Standard has it.
fn url_of(origin: &Url, file: &SiteFile) -> Url {
    let mut url = origin.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.clear().extend(file.url_segments());
    }
    url
}

/// The path of a page's Markdown: the page's with `.md` behind it, and its file's name where a folder's address has none.
pub(super) fn markdown_path(page: &Url) -> String {
    let path = page.path();
    let name = if path.ends_with('/') { "index.html" } else { "" };
    format!("{path}{name}.md")
}

/// The address of a page's twin: one step below the page.
fn twin_of(page: &CUrl, segment: &str) -> Result<MUrl, AddressError> {
    MUrlPattern::append(segment)?.m_url(page)
}
