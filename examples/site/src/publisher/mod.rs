//! The publisher: who answers for which path.
//!
//! ```text
//! GET /tide-tables.html        the page, with <link rel="alternate"> in its head and Link headers to the sitemaps
//! GET /tide-tables.html/llm/   its twin: title and text as canonical JSON, under a strong entity tag
//! GET /llm-sitemap.json        every page, its twin and the twin's hash
//! GET /robots.txt and so on    the documents beside them
//! ```
//!
//! What is answered is decided by the crate `tct`; this module finds the resource and moves bytes.

use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode};
use tct::{UnixSeconds, html_alternate, link_alternate};
use url::Url;
use verify::SigningKey;

mod coding;
mod resource;
pub(crate) mod sitemaps;
mod snapshot;

pub use coding::{Coding, gzip_len};
pub use resource::Resource;
pub(crate) use resource::respond_with_file;
pub use snapshot::{HtmlCost, PublishedPage, Route, Snapshot};

use crate::files::Site;
use crate::settings::Settings;
use crate::{SiteError, edits, html};

/// What an author adds to a page when its text is changed.
const CORRECTION: &str =
    "<p>Corrected after a reader&rsquo;s letter: the figures are those of the second edition.</p>";

const HTML: &str = "text/html; charset=utf-8";

/// How a site is published.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where its URLs begin.
    pub origin: Url,
    /// The sitemap is split after so many items.
    pub items_per_sitemap: usize,
    /// What the protocols are told.
    pub settings: Settings,
    /// The key that signs the manifest.
    pub key: Option<SigningKey>,
}

impl Plan {
    /// The settings of the site, no signature, and one sitemap for up to 50,000 pages.
    #[must_use]
    pub fn new(site: &Site, origin: Url) -> Self {
        Plan { origin, items_per_sitemap: 50_000, settings: site.settings.clone(), key: None }
    }
}

/// A site that is being published.
#[derive(Debug)]
pub struct Publisher {
    plan: Plan,
    snapshot: RwLock<Arc<Snapshot>>,
}

/// The pages that an edit changed, by file name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edits {
    /// Their text is another one.
    pub text: Vec<String>,
    /// Only their template is.
    pub template: Vec<String>,
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
        Ok(Publisher { plan, snapshot: RwLock::new(Arc::new(snapshot)) })
    }

    /// The site as it is published now.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the text of one page in ten (one in two of a small site), and only the template of as many others.
    ///
    /// # Errors
    /// [`SiteError::Refused`] where the library refuses the new sitemap.
    pub fn edit(&self, now: UnixSeconds) -> Result<Edits, SiteError> {
        let before = self.snapshot();
        let step = if before.pages.len() < 20 { 2 } else { 10 };
        let (mut edits, mut changed) = (Edits::default(), Vec::new());
        for (index, page) in before.pages.iter().enumerate() {
            let Ok(html) = page.file.html() else { continue };
            let (edited, modified, list) = match index % step {
                0 => (edits::with_paragraph(&html, CORRECTION), now, &mut edits.text),
                // A new template is no news: the date of the text stays.
                at if at == step / 2 => {
                    (edits::with_new_look(&html).ok(), page.modified, &mut edits.template)
                }
                _ => continue,
            };
            let Some(edited) = edited else { continue };
            let file = page.file.with_html(edited);
            let Ok(page) = snapshot::publish(&file, &self.plan.origin, Some(modified), now) else { continue };
            list.push(file.name());
            changed.push((index, page));
        }
        let after = before.with_pages(changed, &self.plan, now)?;
        *self.snapshot.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(after);
        Ok(edits)
    }

    /// The service to put behind a server.
    pub fn router(self: &Arc<Self>) -> Router {
        Router::new().fallback(answer).with_state(Arc::clone(self))
    }
}

async fn answer(State(publisher): State<Arc<Publisher>>, request: Request) -> Response {
    // Taken apart, nothing of the request is copied: extractors would clone the fields.
    let (head, _body) = request.into_parts();
    let (method, uri, headers) = (head.method, head.uri, head.headers);
    let snapshot = publisher.snapshot();
    let Some(route) = snapshot.route(uri.path()).copied() else {
        return match uri.path() {
            // Whoever looks for the sitemap begins here.
            "/" => resource::respond_with_file(snapshot.contents(), HTML, &snapshot.links, &method, &headers),
            _ => missing(),
        };
    };
    if let Some(resource) = snapshot.resource(route) {
        return resource.respond(&method, &headers);
    }
    // Reading and rewriting a file may take a while: not where other requests wait.
    let answered = tokio::task::spawn_blocking(move || read_and_respond(&snapshot, route, &method, &headers));
    answered.await.unwrap_or_else(|panicked| broken(&panicked))
}

fn read_and_respond(snapshot: &Snapshot, route: Route, method: &Method, request: &HeaderMap) -> Response {
    let (file, links, body) = match route {
        Route::Page(index) => {
            let Some(page) = snapshot.pages.get(index) else { return missing() };
            let html =
                page.file.html().and_then(|html| html::with_alternate(&html, &html_alternate(&page.m_url)));
            let links = snapshot.links.iter().cloned().chain([link_alternate(&page.m_url)]).collect();
            (&page.file, links, html.map(Bytes::from).map_err(|error| error.to_string()))
        }
        Route::Asset(index) => {
            let Some(asset) = snapshot.assets.get(index) else { return missing() };
            let body = asset.read().map(|bytes| Bytes::from(bytes.into_owned()));
            (asset, Vec::new(), body.map_err(|error| error.to_string()))
        }
        _ => return missing(),
    };
    match body {
        Ok(body) => resource::respond_with_file(body, file.media_type(), &links, method, request),
        Err(error) => broken(&error),
    }
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "404 Not Found\n").into_response()
}

fn broken(why: &dyn std::fmt::Display) -> Response {
    let mut response = Response::new(Body::from(format!("500 Internal Server Error\n{why}\n")));
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}
