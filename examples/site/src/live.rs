//! A site whose pages are read from their files at each request, behind [`tct_tower::TctLayer`].
//!
//! ```text
//! request ──▶ TctLayer ──▶ Live: the file as it is now
//!                │ /a.html         passes, with links to its twin and the sitemap
//!                │ /a.html/llm/    the twin: the layer asks Live for the page, and keeps what it made of it until its bytes change
//!                └ /llm-sitemap.json, /llm-policy.json, Accept: text/markdown
//! ```
//!
//! The publisher beside it seals every page when the program starts: twins cost nothing then, and an edit shows after a
//! restart. Here an edit shows at once. Which pages there are is decided at start in both.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::Router;
use http::{Request, Response};
use tct::UrlPolicy;
use tct_tower::{Settings, TctLayer, TwinContent};
use tower_layer::Layer as _;
use tower_service::Service;
use url::Url;

use crate::documents::policy_of;
use crate::files::SiteFile;
use crate::publisher::{
    Answering, HTML, Plan, Publisher, Resource, Route, SentBody, broken, missing, moved, refuse,
};
use crate::{Revisions, SiteError, html, now};

/// Sitemaps are answered from memory for so long: an agent that asks for several gets them of one moment.
const SITEMAP_SECONDS: u64 = 1;

/// The service for a whole site: the publisher's documents and files, its pages as they are now, and the layer; and the layer,
/// which knows the addresses of its forms.
///
/// # Errors
/// [`SiteError::Refused`] if the layer refuses the origin or the policy.
pub(crate) fn router(publisher: &Arc<Publisher>, plan: &Plan) -> Result<(Router, TctLayer), SiteError> {
    let refused = |error: tct_tower::SettingsError| SiteError::refused("the layer of TCT", error);
    let urls = UrlPolicy::allowing_http();
    let settings = Settings::with_urls(plan.origin.as_str(), urls, content).map_err(refused)?;
    let snapshot = publisher.snapshot();
    let pages = snapshot.pages.iter().map(|page| page.c_url.as_url().path().to_owned());
    let mut settings = settings
        .with_pages(pages)
        .with_sitemap_age(SITEMAP_SECONDS, now)
        .with_revisions(match plan.revisions {
            Revisions::Legacy => tct_tower::Revisions::Legacy,
            Revisions::V03 => tct_tower::Revisions::V03,
            Revisions::Both => tct_tower::Revisions::Both,
        })
        .map_err(refused)?;
    if let Some(policy) = &plan.settings.policy {
        settings = settings.with_policy(&policy_of(policy, &plan.origin)?).map_err(refused)?;
    }
    let live = Live { publisher: Arc::clone(publisher), read: Arc::default() };
    let layer = TctLayer::new(settings);
    Ok((Router::new().fallback_service(layer.layer(live)), layer))
}

/// What the layer makes twins of.
fn content(url: &Url, _content_type: Option<&str>, page: &[u8]) -> Option<TwinContent> {
    let text = html::read_at(html::decode(page).ok()?, url).ok()?;
    Some(TwinContent::new(text.title, text.content, text.markdown).with_language(text.language))
}

/// Pages, files and documents, without anything of the protocol.
#[derive(Debug, Clone)]
struct Live {
    publisher: Arc<Publisher>,
    /// By the file's name, of which a path has many spellings: hashed and compressed once for each state of the file, as long
    /// as the publisher has room.
    read: Arc<Mutex<HashMap<String, Arc<Resource>>>>,
}

impl<B> Service<Request<B>> for Live {
    type Response = Response<SentBody>;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Answering {
        let (head, _body) = request.into_parts();
        if let Some(refused) = refuse(&head) {
            return Answering::ready(refused);
        }
        let snapshot = self.publisher.snapshot();
        let path = head.uri.path();
        let file = match snapshot.route(path) {
            Some(Route::Page(index)) => snapshot.pages.get(*index).map(|page| page.file.clone()),
            Some(Route::Plain(index)) => snapshot.plain.get(*index).cloned(),
            Some(route @ (Route::Document(_) | Route::Asset(_))) => {
                return self.publisher.respond(&snapshot, *route, head);
            }
            // Twins and sitemaps are the layer's.
            _ => None,
        };
        let Some(file) = file else {
            return Answering::ready(match snapshot.redirect(path) {
                Some(to) => moved(&to, head.uri.query()),
                None if path == "/" => {
                    let contents = Resource::of_file(snapshot.contents(), HTML, []);
                    contents.respond(&head.method, &head.headers)
                }
                None => missing(),
            });
        };
        let live = self.clone();
        Answering::read(move || match live.page(&file) {
            Ok(resource) => resource.respond(&head.method, &head.headers),
            Err(_) if file.is_gone() => missing(),
            Err(error) => broken(&error),
        })
    }
}

impl Live {
    /// The page as its file is now.
    fn page(&self, file: &SiteFile) -> std::io::Result<Arc<Resource>> {
        let bytes = match file.is_markdown() {
            true => file.html().map_err(std::io::Error::other)?.into_bytes(),
            false => file.read()?.into_owned(),
        };
        let (name, len) = (file.name(), bytes.len() as u64);
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        match read.get(&name) {
            Some(known) if **known.body() == *bytes => return Ok(Arc::clone(known)),
            Some(known) => self.publisher.give_back(known.body().len() as u64),
            None => {}
        }
        let media_type = if html::decode(&bytes).is_ok() { file.media_type() } else { "text/html" };
        let resource = Resource::of_file(bytes, media_type, []);
        if !self.publisher.take(len) {
            read.remove(&name);
            return Ok(Arc::new(resource.uncoded()));
        }
        let resource = Arc::new(resource);
        read.insert(name, Arc::clone(&resource));
        Ok(resource)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make files")]
mod tests {
    use super::*;
    use crate::files::Site;
    use crate::publisher::PAGE_MEMORY;

    /// A site of one page in a folder, and what it keeps.
    fn live(folder: &std::path::Path) -> (Live, SiteFile) {
        let page = "<html><head><title>Tides</title></head><body><main><p>What the tide brings it takes again.</p></main></body></html>";
        std::fs::write(folder.join("caf\u{e9}.html"), page).unwrap();
        let site = Site::folder(folder).unwrap();
        let plan = Plan::new(&site, Url::parse("https://quay.example/").unwrap());
        let publisher = Publisher::new(&site, plan, now(), &|| ()).unwrap();
        let file = publisher.snapshot().pages[0].file.clone();
        (Live { publisher: Arc::new(publisher), read: Arc::default() }, file)
    }

    #[tokio::test]
    async fn a_page_is_kept_once_whatever_its_path_is_spelled_like() {
        let folder = tempfile::tempdir().unwrap();
        let (mut live, _) = live(folder.path());
        for path in ["/caf%C3%A9.html", "/caf%c3%a9.html", "/%63af%C3%A9.html", "/caf%C3%A9.htm%6c"] {
            let request = Request::get(path).header("host", "quay.example").body(()).unwrap();
            assert_eq!(live.call(request).await.unwrap().status(), 200, "{path}");
        }
        assert_eq!(live.read.lock().unwrap().len(), 1);
    }

    #[test]
    fn pages_are_kept_as_long_as_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let (live, file) = live(folder.path());
        let kept = || live.read.lock().unwrap().len();
        let first = live.page(&file).unwrap();
        assert!(Arc::ptr_eq(&first, &live.page(&file).unwrap()));
        // An edit takes the room of what it replaces.
        let all = PAGE_MEMORY / 3 - first.body().len() as u64;
        assert!(live.publisher.take(all) && !live.publisher.take(1));
        let edited = String::from_utf8(first.body().to_vec()).unwrap().replace("again", "AGAIN");
        std::fs::write(folder.path().join("caf\u{e9}.html"), &edited).unwrap();
        assert_eq!(live.page(&file).unwrap().body(), edited.as_bytes());
        assert_eq!(kept(), 1);
        std::fs::write(folder.path().join("caf\u{e9}.html"), edited.clone() + "longer").unwrap();
        assert_eq!(live.page(&file).unwrap().body().len(), edited.len() + 6);
        assert_eq!(kept(), 0, "there is no room");
        live.publisher.give_back(all);
        live.page(&file).unwrap();
        assert_eq!(kept(), 1);
    }
}
