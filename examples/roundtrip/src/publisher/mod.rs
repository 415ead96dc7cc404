//! The publisher: a site with TCT, behind HTTPS.
//!
//! ```text
//! GET /tide-tables.html        the page, with <link rel="alternate"> in its head and Link headers to the sitemaps
//! GET /tide-tables.html/llm/   its twin: title and text as canonical JSON, under a strong entity tag
//! GET /llm-sitemap.json        every page, its twin and the twin's hash
//! ```
//!
//! What is answered is decided by the crate `tct`; this module finds the resource and moves bytes.

use std::sync::{Arc, PoisonError, RwLock};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode, Uri};
use tct::{UnixSeconds, html_alternate, link_alternate};
use url::Url;

mod coding;
mod resource;
mod server;
mod sitemaps;
mod snapshot;
mod tls;

pub use coding::Coding;
pub use resource::Resource;
pub use server::{Listener, Server};
pub use snapshot::{PublishedPage, Route, Snapshot};
pub use tls::Certificate;

use crate::RoundtripError;
use crate::html;
use crate::site::Site;

/// What an author adds to a page when its text is changed.
const CORRECTION: &str =
    "<p>Corrected after a reader&rsquo;s letter: the figures are those of the second edition.</p>";

const HTML: &str = "text/html; charset=utf-8";

/// A site that is being published.
#[derive(Debug)]
pub struct Publisher {
    origin: Url,
    items_per_sitemap: usize,
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
    /// Prepares a site for publication below `origin`; `tick` is called once a page.
    ///
    /// # Errors
    /// Those of [`Snapshot::build`].
    pub fn new(
        site: &Site,
        origin: &Url,
        items_per_sitemap: usize,
        now: UnixSeconds,
        tick: &(dyn Fn() + Sync),
    ) -> Result<Self, RoundtripError> {
        let snapshot = Snapshot::build(site, origin, items_per_sitemap, now, tick)?;
        Ok(Publisher { origin: origin.clone(), items_per_sitemap, snapshot: RwLock::new(Arc::new(snapshot)) })
    }

    /// The site as it is published now.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the text of one page in ten (one in two of a small site), and only the template of as many others.
    ///
    /// # Errors
    /// [`RoundtripError::Protocol`] where the library refuses the new sitemap.
    pub fn edit(&self, now: UnixSeconds) -> Result<Edits, RoundtripError> {
        let before = self.snapshot();
        let step = if before.pages.len() < 20 { 2 } else { 10 };
        let (mut edits, mut changed) = (Edits::default(), Vec::new());
        for (index, page) in before.pages.iter().enumerate() {
            let Ok(bytes) = page.file.read() else { continue };
            let Ok(html) = html::decode(&bytes) else { continue };
            let (edited, modified, list) = match index % step {
                0 => (html::with_paragraph(html, CORRECTION), now, &mut edits.text),
                // A new template is no news: the date of the text stays.
                at if at == step / 2 => (html::with_new_look(html).ok(), page.modified, &mut edits.template),
                _ => continue,
            };
            let Some(edited) = edited else { continue };
            let file = page.file.with_contents(edited.into_bytes());
            let Ok(page) = snapshot::publish(&file, &self.origin, modified) else { continue };
            list.push(file.name());
            changed.push((index, page));
        }
        let after = before.with_pages(changed, &self.origin, self.items_per_sitemap)?;
        *self.snapshot.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(after);
        Ok(edits)
    }

    /// The service to put behind a server.
    pub fn router(self: &Arc<Self>) -> Router {
        Router::new().fallback(answer).with_state(Arc::clone(self))
    }
}

async fn answer(
    State(publisher): State<Arc<Publisher>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let snapshot = publisher.snapshot();
    let Some(route) = snapshot.route(uri.path()).cloned() else {
        return match uri.path() {
            // Whoever looks for the sitemap begins here.
            "/" => resource::respond_with_file(snapshot.contents(), HTML, &snapshot.links, &method, &headers),
            _ => missing(),
        };
    };
    match route {
        Route::Payload(index) => {
            snapshot.pages.get(index).map(|page| page.payload.respond(&method, &headers))
        }
        Route::Sitemap(index) => {
            snapshot.sitemaps.get(index).map(|sitemap| sitemap.respond(&method, &headers))
        }
        // Reading and rewriting a file may take a while: not where other requests wait.
        Route::Page(_) | Route::Asset(_) => {
            let answered =
                tokio::task::spawn_blocking(move || respond_with(&snapshot, &route, &method, &headers));
            answered.await.unwrap_or_else(|panicked| Some(broken(&panicked)))
        }
    }
    .unwrap_or_else(missing)
}

fn respond_with(
    snapshot: &Snapshot,
    route: &Route,
    method: &Method,
    request: &HeaderMap,
) -> Option<Response> {
    match *route {
        Route::Page(index) => {
            let page = snapshot.pages.get(index)?;
            let rewritten = page.file.read().map_err(|error| error.to_string()).and_then(|bytes| {
                let html = html::decode(&bytes).map_err(|error| error.to_string())?;
                html::with_alternate(html, &html_alternate(&page.m_url)).map_err(|error| error.to_string())
            });
            let mut links = snapshot.links.clone();
            links.push(link_alternate(&page.m_url));
            Some(match rewritten {
                Ok(html) => {
                    resource::respond_with_file(html, page.file.media_type(), &links, method, request)
                }
                Err(error) => broken(&error),
            })
        }
        Route::Asset(index) => {
            let asset = snapshot.assets.get(index)?;
            Some(match asset.read() {
                Ok(bytes) => {
                    resource::respond_with_file(bytes.into_owned(), asset.media_type(), &[], method, request)
                }
                Err(error) => broken(&error),
            })
        }
        Route::Payload(_) | Route::Sitemap(_) => None,
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
