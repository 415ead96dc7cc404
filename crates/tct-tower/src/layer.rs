//! The publisher's layer: twins, sitemap, policy and Markdown around a service that gives HTML.

use core::convert::Infallible;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::sync::Arc;

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, COOKIE, IF_MATCH,
    IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, LINK, RANGE, SET_COOKIE, VARY,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, Version};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tct::link::link_alternate;
use tct::resource::NegotiatedPage;
use tct::{Resource, SitemapBudget, SitemapEntry, write_sitemaps};
use tower_layer::Layer;
use tower_service::Service;

use crate::pages::{Cache, Made, twin_of};
use crate::settings::{POLICY_PATH, Settings};

/// Puts the protocol around a service that gives HTML.
///
/// The inner service must be `Clone`, as routers are, and take requests without a body: the layer asks it for pages by
/// itself, to make their twins.
#[derive(Debug, Clone)]
pub struct TctLayer {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    settings: Settings,
    cache: Cache,
}

impl TctLayer {
    /// A layer with these settings. Its clones share the twins that were made.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        TctLayer { shared: Arc::new(Shared { settings, cache: Cache::default() }) }
    }
}

impl<S> Layer<S> for TctLayer {
    type Service = TctService<S>;

    fn layer(&self, inner: S) -> TctService<S> {
        TctService { inner, shared: Arc::clone(&self.shared) }
    }
}

/// A service with the protocol around it.
#[derive(Debug, Clone)]
pub struct TctService<S> {
    inner: S,
    shared: Arc<Shared>,
}

/// The body of a response: the inner service's, untouched, or bytes of the layer.
#[derive(Debug)]
pub enum TctBody<B> {
    /// The inner service's own, streamed as it comes.
    Inner(B),
    /// Bytes that the layer keeps; `None` when they are sent.
    Own(Option<Bytes>),
}

impl<B: Body<Data = Bytes> + Unpin> Body for TctBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        match self.get_mut() {
            TctBody::Inner(body) => Pin::new(body).poll_frame(cx),
            TctBody::Own(bytes) => {
                let bytes = bytes.take().filter(|bytes| !bytes.is_empty());
                Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            TctBody::Inner(body) => body.is_end_stream(),
            TctBody::Own(bytes) => bytes.as_ref().is_none_or(Bytes::is_empty),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            TctBody::Inner(body) => body.size_hint(),
            TctBody::Own(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
        }
    }
}

/// What a request is for.
enum Wanted {
    Twin(String),
    Markdown(String),
    Negotiated(String),
    Sitemap,
    Policy,
    Other,
}

impl Shared {
    fn wanted(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Wanted {
        let settings = &self.settings;
        let path = uri.path();
        if path == settings.sitemap_path && !settings.pages.is_empty() {
            return Wanted::Sitemap;
        }
        if path == POLICY_PATH && settings.policy.is_some() {
            return Wanted::Policy;
        }
        let is_read = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        let with_query = |path: &str| match uri.query() {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        };
        if let Some(page) = path.strip_suffix(settings.slug.as_str()) {
            return Wanted::Twin(with_query(&format!("{page}/")));
        }
        if is_read && let Some(page) = path.strip_suffix(".md").filter(|page| !page.ends_with('/')) {
            let page =
                page.strip_suffix("/index").map_or_else(|| format!("{page}/"), |page| format!("{page}/"));
            return Wanted::Markdown(with_query(&page));
        }
        if matches!(*method, Method::GET | Method::HEAD) && NegotiatedPage::wants_markdown(headers) {
            return Wanted::Negotiated(with_query(path));
        }
        Wanted::Other
    }

    /// What the layer adds to a page on its way out. Nothing to one that is for this reader alone.
    fn add_links(&self, uri: &Uri, headers: &mut HeaderMap) {
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let Some(twin) = self.settings.page_url(path).and_then(|page| twin_of(&self.settings, &page)) else {
            return;
        };
        headers.append(LINK, link_alternate(&twin));
        if !self.settings.pages.is_empty()
            && let Some(link) = self.settings.sitemap_link()
        {
            headers.append(LINK, link);
        }
        headers.append(VARY, HeaderValue::from_static("accept"));
    }
}

/// Whether a response is a page that everybody gets: HTML, 200, neither `private` nor `no-store`, without a cookie.
fn is_public_page(status: StatusCode, headers: &HeaderMap) -> bool {
    let is_html = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
        let essence = value.split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case("text/html") || essence.eq_ignore_ascii_case("application/xhtml+xml")
    });
    if status != StatusCode::OK || !is_html || headers.contains_key(SET_COOKIE) {
        return false;
    }
    if !headers.contains_key(CACHE_CONTROL) {
        return true;
    }
    let directives = tct::cache::CacheControl::of(headers);
    !directives.private && !directives.no_store
}

type Answer<B> = Response<TctBody<B>>;
type AnswerFuture<B, E> = Pin<Box<dyn Future<Output = Result<Answer<B>, E>> + Send>>;

impl<S, ReqBody, ResBody> Service<Request<ReqBody>> for TctService<S>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    ReqBody: Default + Send + 'static,
    ResBody: Body<Data = Bytes> + Send + Unpin + 'static,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Answer<ResBody>;
    type Error = S::Error;
    type Future = AnswerFuture<ResBody, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<ReqBody>) -> Self::Future {
        // The service that was ready is the one to call; the clone takes its place.
        let clone = self.inner.clone();
        let mut inner = core::mem::replace(&mut self.inner, clone);
        let shared = Arc::clone(&self.shared);
        match shared.wanted(request.method(), request.uri(), request.headers()) {
            Wanted::Other => {
                let uri = request.uri().clone();
                let response = inner.call(request);
                Box::pin(async move {
                    let mut response = response.await?;
                    if is_public_page(response.status(), response.headers()) {
                        shared.add_links(&uri, response.headers_mut());
                    }
                    Ok(response.map(TctBody::Inner))
                })
            }
            Wanted::Policy => Box::pin(async move {
                Ok(own(shared.settings.policy.as_ref(), request.method(), request.headers()))
            }),
            Wanted::Twin(path) => Box::pin(async move {
                match fetch(&mut inner, &shared, &path, request.headers(), request.version()).await? {
                    Page::Made(made) => Ok(own(made.twin.as_ref(), request.method(), request.headers())),
                    // The page itself may have such a path, or the path names nothing.
                    Page::NotPublic(status) => match status {
                        StatusCode::OK | StatusCode::NOT_FOUND => pass(&mut inner, &shared, request).await,
                        status => Ok(empty(status)),
                    },
                }
            }),
            Wanted::Markdown(path) => Box::pin(async move {
                match fetch(&mut inner, &shared, &path, request.headers(), request.version()).await? {
                    Page::Made(made) if made.markdown.is_some() => {
                        let markdown = made.markdown.as_ref().map(NegotiatedPage::markdown);
                        Ok(own(markdown, request.method(), request.headers()))
                    }
                    // A file of that name.
                    _ => pass(&mut inner, &shared, request).await,
                }
            }),
            Wanted::Negotiated(path) => Box::pin(async move {
                match fetch(&mut inner, &shared, &path, request.headers(), request.version()).await? {
                    Page::Made(made) if made.markdown.is_some() => {
                        let page = made
                            .markdown
                            .as_ref()
                            .map(|page| page.respond(request.method(), request.headers()));
                        Ok(page.map_or_else(
                            || empty(StatusCode::NOT_FOUND),
                            |page| page.map(|bytes| TctBody::Own(Some(bytes))),
                        ))
                    }
                    _ => pass(&mut inner, &shared, request).await,
                }
            }),
            Wanted::Sitemap => Box::pin(async move {
                let mut entries: Vec<SitemapEntry> = Vec::new();
                for path in &shared.settings.pages {
                    if let Page::Made(made) =
                        fetch(&mut inner, &shared, path, request.headers(), request.version()).await?
                    {
                        entries.extend(made.entry.clone());
                    }
                }
                // One file: a site beyond the budget writes its sitemaps beforehand.
                let files = write_sitemaps(entries, SitemapBudget::default());
                let file = files.ok().and_then(|files| files.into_iter().next()).unwrap_or_default();
                let links = shared.settings.site_links.iter().cloned();
                let representation =
                    links.fold(tct::Representation::of_bytes(&file), tct::Representation::with_link);
                let sitemap = Resource::new(file, representation);
                Ok(own(Some(&sitemap), request.method(), request.headers()))
            }),
        }
    }
}

/// The inner service's own answer.
async fn pass<S, ReqBody, ResBody>(
    inner: &mut S,
    shared: &Shared,
    request: Request<ReqBody>,
) -> Result<Answer<ResBody>, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
{
    let uri = request.uri().clone();
    ready(inner).await?;
    let mut response = inner.call(request).await?;
    if is_public_page(response.status(), response.headers()) {
        shared.add_links(&uri, response.headers_mut());
    }
    Ok(response.map(TctBody::Inner))
}

/// What became of asking for a page.
enum Page {
    Made(Arc<Made>),
    NotPublic(StatusCode),
}

/// Asks the inner service for a page as anybody would get it, and makes its twin.
async fn fetch<S, ReqBody, ResBody>(
    inner: &mut S,
    shared: &Shared,
    path: &str,
    headers: &HeaderMap,
    version: Version,
) -> Result<Page, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let Ok(uri) = path.parse::<Uri>() else { return Ok(Page::NotPublic(StatusCode::NOT_FOUND)) };
    let mut ask = Request::new(ReqBody::default());
    *ask.uri_mut() = uri;
    *ask.version_mut() = version;
    ask.headers_mut().clone_from(headers);
    for name in [
        // Of the whole page, uncoded and unconditionally; and as a stranger, so that nobody's own page is published.
        ACCEPT_ENCODING,
        IF_MATCH,
        IF_NONE_MATCH,
        IF_MODIFIED_SINCE,
        IF_UNMODIFIED_SINCE,
        IF_RANGE,
        RANGE,
        AUTHORIZATION,
        COOKIE,
    ] {
        ask.headers_mut().remove(name);
    }
    ask.headers_mut().insert(ACCEPT, HeaderValue::from_static("text/html"));
    ready(inner).await?;
    let (head, body) = inner.call(ask).await?.into_parts();
    if !is_public_page(head.status, &head.headers) || head.headers.contains_key(CONTENT_ENCODING) {
        return Ok(Page::NotPublic(head.status));
    }
    match Limited::new(body, shared.settings.max_html_bytes).collect().await {
        Ok(html) => {
            let content_type = head.headers.get(CONTENT_TYPE);
            Ok(Page::Made(shared.cache.of(&shared.settings, path, &html.to_bytes(), content_type)))
        }
        Err(error) if error.is::<LengthLimitError>() => Ok(Page::NotPublic(StatusCode::NOT_FOUND)),
        Err(_) => Ok(Page::NotPublic(StatusCode::BAD_GATEWAY)),
    }
}

async fn ready<S: Service<R>, R>(service: &mut S) -> Result<(), S::Error> {
    core::future::poll_fn(|cx| service.poll_ready(cx)).await
}

fn own<B>(resource: Option<&Resource>, method: &Method, headers: &HeaderMap) -> Answer<B> {
    match resource {
        Some(resource) => resource.respond(method, headers).map(|bytes| TctBody::Own(Some(bytes))),
        None => empty(StatusCode::NOT_FOUND),
    }
}

fn empty<B>(status: StatusCode) -> Answer<B> {
    let mut response = Response::new(TctBody::Own(None));
    *response.status_mut() = status;
    response
}

const _: fn() = || {
    // Bytes of the layer cannot fail.
    fn assert<T: Send + Sync>() {}
    assert::<TctBody<Infallible>>();
};
