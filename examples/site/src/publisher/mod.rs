//! The publisher: answers requests by their path.
//!
//! ```text
//! GET /tide-tables.html        the page, with <link rel="alternate"> in its head and Link headers to the sitemaps
//! GET /tide-tables.html.md     its text as Markdown, as for `Accept: text/markdown` at its own address
//! GET /tide-tables.html/llm/   its twin: title and text as canonical JSON, under a strong entity tag
//! GET /llm-sitemap.json        every page, its twin and the twin's hash
//! GET /tide-tables.html/m/     with two drafts side by side: the twin of draft -03, and
//! GET /m-sitemap.json          its sitemap
//! GET /robots.txt and so on    the documents beside them
//! ```
//!
//! What is answered is decided by the crate `tct`; this module finds the resource and moves bytes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::body::Bytes;
use http::header::{CONTENT_TYPE, HOST, LOCATION};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Version};
use jwk::SigningKey;
use tct::UnixSeconds;
use tct::link::{html_alternate, link_alternate, link_canonical};
use tct::resource::NegotiatedPage;
use url::Url;

mod coding;
pub(crate) mod readers;
mod resource;
mod routes;
mod service;
pub(crate) mod sitemaps;
mod snapshot;
mod stream;

pub use coding::Coding;
pub use resource::{Resource, SentBody};
pub use service::{Answering, PublisherService};
use snapshot::Form;
pub use snapshot::{PublishedPage, Route, SecondTwin, Snapshot};
pub(crate) use stream::Opened;
pub use stream::Streamed;

use crate::files::{Site, SiteFile};
use crate::html::PageError;
use crate::manifest::LlmindexVersion;
use crate::settings::Settings;
use crate::{SiteError, html};

pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// So many bytes of pages and small texts are kept in memory, codings counted twice; what is past it is read each time,
/// and not coded.
pub(crate) const PAGE_MEMORY: u64 = 256 << 20;

/// A text that is no page is kept with its codings up to this length; beyond it, it is read in pieces and not coded.
const SMALL_FILE: u64 = 256 << 10;

/// A page without a twin is looked at for its charset up to this length.
const LOOKED_AT: u64 = 4 << 20;

/// What is known of a file that is not a page.
#[derive(Debug)]
enum FileForm {
    /// Its bytes with their codings.
    Kept(Arc<Resource>),
    /// What its header fields say; it is read in pieces.
    Streamed(Box<tct::Representation>),
}

/// Which drafts of TCT a site publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Revisions {
    /// Drafts -00 and -01: a twin's tag is a hash of its members, or of its text.
    #[default]
    #[value(name = "00")]
    Legacy,
    /// Draft -03: a twin's tag is the hash of its bytes. Twins and sitemap have the addresses that they had before.
    #[value(name = "03")]
    V03,
    /// Both, each under addresses of its own: one M-URL never serves two revisions.
    #[value(name = "both")]
    Both,
}

/// How a site is published.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where its URLs begin.
    pub origin: Url,
    /// The sitemap is split after so many items.
    pub items_per_sitemap: usize,
    /// Which drafts of TCT are published.
    pub revisions: Revisions,
    /// Which version of llmindex is published.
    pub llmindex: LlmindexVersion,
    /// What the protocols are told.
    pub settings: Settings,
    /// The key that signs the manifest.
    pub key: Option<SigningKey>,
}

impl Plan {
    /// The settings of the site, no signature, drafts -00 and -01, llmindex 0.1, and one sitemap for up to 50,000 pages.
    #[must_use]
    pub fn new(site: &Site, origin: Url) -> Self {
        Plan {
            origin,
            items_per_sitemap: 50_000,
            revisions: Revisions::default(),
            llmindex: LlmindexVersion::default(),
            settings: site.settings.clone(),
            key: None,
        }
    }
}

/// A site that is being published.
#[derive(Debug)]
pub struct Publisher {
    plan: Plan,
    /// How many bytes of pages may still be kept in memory.
    memory: AtomicU64,
    /// What is known of files that are not pages.
    files: stream::Known<FileForm>,
    snapshot: RwLock<Arc<Snapshot>>,
}

impl Publisher {
    /// Prepares a site for publication; `tick` is called once a page.
    ///
    /// # Errors
    /// Those of [`Snapshot::build`].
    pub fn new(
        site: &Site,
        plan: Plan,
        now: UnixSeconds,
        tick: &(dyn Fn() + Sync),
    ) -> Result<Self, SiteError> {
        let snapshot = Snapshot::build(site, &plan, now, tick)?;
        let (memory, files) = (AtomicU64::new(PAGE_MEMORY), stream::Known::default());
        Ok(Publisher { plan, memory, files, snapshot: RwLock::new(Arc::new(snapshot)) })
    }

    /// The site as it is published now.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes pages anew whose files have changed, each by its index in the snapshot and with the time of the change,
    /// and gives back the indices of those that were. A file without a text that can be read leaves its page as it is.
    ///
    /// # Errors
    /// [`SiteError::Refused`] if the library refuses the new sitemap.
    pub fn republish(
        &self,
        changed: Vec<(usize, SiteFile, UnixSeconds)>,
        now: UnixSeconds,
    ) -> Result<Vec<usize>, SiteError> {
        let publish = |(index, file, modified): (usize, SiteFile, UnixSeconds)| {
            Some((index, snapshot::publish(&file, &self.plan, Some(modified), now).ok()?))
        };
        let pages: Vec<_> = changed.into_iter().filter_map(publish).collect();
        let published = pages.iter().map(|(index, _)| *index).collect();
        let after = self.snapshot().with_pages(pages, &self.plan, now)?;
        *self.snapshot.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(after);
        Ok(published)
    }

    /// Answers for what is not in memory yet; a file that is not there any more is not found.
    fn read_elsewhere(self: &Arc<Self>, snapshot: Arc<Snapshot>, route: Route, head: Parts) -> Answering {
        let Some(file) = snapshot.file(route).cloned() else { return Answering::ready(missing()) };
        let publisher = Arc::clone(self);
        let unless_gone = |response: Response<SentBody>, file: &SiteFile| {
            let is_broken = response.status() == StatusCode::INTERNAL_SERVER_ERROR;
            if is_broken && file.is_gone() { missing() } else { response }
        };
        let is_page = matches!(route, Route::Plain(_));
        let is_made = snapshot.page(route, &head.headers).is_some() || is_page && file.is_markdown();
        if is_made {
            return Answering::read(move || {
                let (method, request) = (&head.method, &head.headers);
                let response = match snapshot.page(route, request) {
                    Some((page, form)) => publisher.page(&snapshot, page, form, method, request),
                    None => match file.html() {
                        Ok(html) => Resource::of_file(html, HTML, []).uncoded().respond(method, request),
                        Err(why) => broken(&why),
                    },
                };
                unless_gone(response, &file)
            });
        }
        Answering::read_alone(self.files.of(&file.name()), move |held| {
            let response = publisher.file(&file, held, is_page, &head.method, &head.headers);
            unless_gone(response.unwrap_or_else(|error| broken(&error)), &file)
        })
    }

    /// The response for a page: it is read, gets the link to its twin, and stays in memory with its codings as long as there is
    /// room.
    fn page(
        &self,
        snapshot: &Snapshot,
        page: &PublishedPage,
        form: Form,
        method: &Method,
        request: &HeaderMap,
    ) -> Response<SentBody> {
        let made = match form {
            Form::Html => html_of(snapshot, page),
            Form::Markdown => markdown_of(page).map(Resource::varying_on_accept),
            Form::MarkdownFile => markdown_of(page),
        };
        let made = match made {
            Ok(made) => made,
            Err(why) => return broken(&why),
        };
        if !self.take(made.body().len() as u64) {
            return made.uncoded().respond(method, request);
        }
        let response = made.respond(method, request);
        let cost = made.body().len() as u64;
        if page.forms.of(form).set(made).is_err() {
            // Another request was first.
            self.give_back(cost);
        }
        response
    }

    /// The response for a file that is not a page with a twin.
    fn file(
        &self,
        file: &SiteFile,
        mut held: stream::Held<FileForm>,
        is_page: bool,
        method: &Method,
        request: &HeaderMap,
    ) -> std::io::Result<Response<SentBody>> {
        let Some(mut opened) = file.open()? else {
            let media_type = file.media_type();
            return Ok(Resource::of_file(file.read()?.into_owned(), media_type, []).respond(method, request));
        };
        let facts = opened.facts.clone();
        if let Some((known, form)) = &*held
            && *known == facts
        {
            return match form {
                FileForm::Kept(resource) => {
                    let resource = Arc::clone(resource);
                    drop(held);
                    Ok(resource.respond(method, request))
                }
                FileForm::Streamed(representation) => {
                    let representation = representation.clone();
                    drop(held);
                    stream::respond(opened, &representation, method, request)
                }
            };
        }
        if let Some((known, FileForm::Kept(_))) = held.take() {
            self.give_back(known.len);
        }
        let mut media_type = file.media_type();
        if is_page && (facts.len > LOOKED_AT || html::decode(&opened.bytes()?).is_err()) {
            // The page itself says in which charset it is, where it is not UTF-8.
            media_type = "text/html";
        }
        if resource::is_text(media_type) && facts.len <= SMALL_FILE && self.take(facts.len) {
            let resource = match opened.bytes() {
                Ok(bytes) => Arc::new(Resource::of_file(bytes, media_type, [])),
                Err(error) => {
                    self.give_back(facts.len);
                    return Err(error);
                }
            };
            let len = facts.len;
            stream::remember(&mut held, facts, FileForm::Kept(Arc::clone(&resource)));
            if held.is_none() {
                self.give_back(len);
            }
            drop(held);
            return Ok(resource.respond(method, request));
        }
        let representation = stream::describe(&mut opened, media_type)?;
        stream::remember(&mut held, facts, FileForm::Streamed(Box::new(representation.clone())));
        drop(held);
        stream::respond(opened, &representation, method, request)
    }

    /// Takes room for something of this length and its codings; false where there is none.
    pub(crate) fn take(&self, len: u64) -> bool {
        let take = |left: u64| left.checked_sub(len.saturating_mul(3));
        self.memory.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }

    pub(crate) fn give_back(&self, len: u64) {
        self.memory.fetch_add(len.saturating_mul(3), Ordering::Relaxed);
    }

    /// The service to put behind a server.
    #[must_use]
    pub fn service(self: &Arc<Self>) -> PublisherService {
        PublisherService(Arc::clone(self))
    }

    /// The same as a router, to be merged with others or to get layers.
    pub fn router(self: &Arc<Self>) -> Router {
        Router::new().fallback_service(self.service())
    }
}

impl Publisher {
    /// The answer for one route, whatever path it is asked under.
    pub(crate) fn respond(
        self: &Arc<Self>,
        snapshot: &Arc<Snapshot>,
        route: Route,
        head: Parts,
    ) -> Answering {
        if let Some(resource) = snapshot.resource(route) {
            return Answering::ready(resource.respond(&head.method, &head.headers));
        }
        self.read_elsewhere(Arc::clone(snapshot), route, head)
    }
}

/// What follows from the head of a request.
enum Answer {
    /// This response.
    Ready(Response<SentBody>),
    /// A file is to be read first.
    Read(Arc<Snapshot>, Route),
}

impl Publisher {
    fn answer(&self, head: &Parts) -> Answer {
        if let Some(refused) = refuse(head) {
            return Answer::Ready(refused);
        }
        let (method, uri, headers) = (&head.method, &head.uri, &head.headers);
        let snapshot = self.snapshot();
        let Some(route) = snapshot.route(uri.path()).copied() else {
            return Answer::Ready(match snapshot.redirect(uri.path()) {
                Some(path) => moved(&path, uri.query()),
                // An agent that looks for the sitemap begins here.
                None if uri.path() == "/" => {
                    Resource::of_file(snapshot.contents(), HTML, snapshot.links.iter().cloned())
                        .respond(method, headers)
                }
                None => missing(),
            });
        };
        if let Some(resource) = snapshot.resource(route) {
            return Answer::Ready(resource.respond(method, headers));
        }
        let page = snapshot.page(route, headers);
        if let Some(made) = page.and_then(|(page, form)| page.forms.of(form).get()) {
            return Answer::Ready(made.respond(method, headers));
        }
        Answer::Read(snapshot, route)
    }
}

/// The answer to a request that is refused whatever it asks for.
///
/// Spec: RFC 9112, "Request Target" (one `Host`); RFC 9110, "501 Not Implemented".
pub(crate) fn refuse(head: &Parts) -> Option<Response<SentBody>> {
    let hosts = head.headers.get_all(HOST).iter().count();
    let is_named = match head.version {
        Version::HTTP_10 | Version::HTTP_09 => hosts <= 1,
        Version::HTTP_11 => hosts == 1,
        _ => hosts <= 1 && (hosts == 1 || head.uri.authority().is_some()),
    };
    if !is_named {
        return Some(text(StatusCode::BAD_REQUEST, "400 Bad Request: expected one Host\n"));
    }
    let is_known = matches!(
        head.method,
        Method::GET
            | Method::HEAD
            | Method::POST
            | Method::PUT
            | Method::DELETE
            | Method::OPTIONS
            | Method::PATCH
            | Method::TRACE
            | Method::CONNECT
    );
    (!is_known).then(|| text(StatusCode::NOT_IMPLEMENTED, "501 Not Implemented\n"))
}

/// A redirect that keeps the query.
pub(crate) fn moved(path: &str, query: Option<&str>) -> Response<SentBody> {
    let to = query.map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let mut response = Response::new(SentBody::Bytes(Bytes::new()));
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    if let Ok(to) = HeaderValue::try_from(to) {
        response.headers_mut().insert(LOCATION, to);
    }
    response
}

/// The page as readers get it.
fn html_of(snapshot: &Snapshot, page: &PublishedPage) -> Result<Resource, PageError> {
    let second = page.second.as_ref().map(|second| &second.m_url);
    let elements: String = [Some(&page.m_url), second].into_iter().flatten().map(html_alternate).collect();
    let html = html::with_alternate(&page.file.html()?, &elements)?;
    let html = html::with_pointer(&html, readers::POINTER)?;
    let alternates = [Some(&page.m_url), second].into_iter().flatten().map(link_alternate);
    let links = snapshot.links.iter().cloned().chain(alternates);
    Ok(Resource::of_file(html, page.file.media_type(), links).varying_on_accept())
}

/// The page's text as Markdown, with a link to the page.
fn markdown_of(page: &PublishedPage) -> Result<Resource, PageError> {
    let (html, url) = (page.file.html()?, page.c_url.as_url());
    let text = html::read_at(&html, url)?;
    let list = url.join(readers::LLMS_TXT);
    let pointer = list.map(|list| format!("> All pages: {list}\n\n")).unwrap_or_default();
    Ok(Resource::of_file(
        pointer + &text.markdown + "\n",
        NegotiatedPage::MARKDOWN,
        [link_canonical(&page.c_url)],
    )
    .with_terms(&snapshot::terms_of(url, &html)?))
}

pub(crate) fn missing() -> Response<SentBody> {
    text(StatusCode::NOT_FOUND, "404 Not Found\n")
}

pub(crate) fn broken(why: &dyn std::fmt::Display) -> Response<SentBody> {
    text(StatusCode::INTERNAL_SERVER_ERROR, format!("500 Internal Server Error\n{why}\n"))
}

fn text(status: StatusCode, text: impl Into<Bytes>) -> Response<SentBody> {
    let mut response = Response::new(SentBody::Bytes(text.into()));
    *response.status_mut() = status;
    let media_type = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}
