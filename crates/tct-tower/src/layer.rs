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
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, Version};
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use pin_project_lite::pin_project;
use tct::Resource;
use tct::resource::NegotiatedPage;
use tower_layer::Layer;
use tower_service::Service;

use crate::links::PageLinks;
use crate::pages::{Cache, Made};
use crate::settings::{POLICY_PATH, Revisions, SECOND_SITEMAP_PATH, Settings};
use crate::sitemap::{Sitemaps, Written};

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
    links: PageLinks,
    written: Written,
}

impl TctLayer {
    /// A layer with these settings. Its clones share the twins that were made.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let (cache, links, written) = (Cache::default(), PageLinks::new(&settings), Written::new(&settings));
        TctLayer { shared: Arc::new(Shared { settings, cache, links, written }) }
    }

    /// Says that a listed page may have changed: it is asked for before the next sitemap is answered, whatever
    /// [`Settings::with_sitemap_checks`] and the clock say. `path` is as [`Settings::with_pages`] has it; false where that does
    /// not list it, which is no fault, since twins are always made of the page as it is.
    #[expect(
        clippy::must_use_candidate,
        reason = "whoever tells of a change need not care whether the page is listed"
    )]
    pub fn page_changed(&self, path: &str) -> bool {
        self.shared.written.tell(path)
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
    /// The absent body of a 304. It tells no length: a server would write `Content-Length: 0` of it, which is not the page's.
    NotModified,
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
            TctBody::NotModified => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            TctBody::Inner(body) => body.is_end_stream(),
            TctBody::Own(bytes) => bytes.as_ref().is_none_or(Bytes::is_empty),
            // With an end that is known, its length would be too.
            TctBody::NotModified => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            TctBody::Inner(body) => body.size_hint(),
            TctBody::Own(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
            TctBody::NotModified => SizeHint::default(),
        }
    }
}

/// What a request is for.
enum Wanted {
    Twin(String),
    /// The twin of draft -03 beside that of the drafts before.
    SecondTwin(String),
    Markdown(String),
    Negotiated(String),
    Sitemap,
    /// The sitemap of draft -03 beside that of the drafts before.
    SecondSitemap,
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
        if path == SECOND_SITEMAP_PATH && settings.second.is_some() && !settings.pages.is_empty() {
            return Wanted::SecondSitemap;
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
            return Wanted::Twin(with_query(&self.links.page_of(path, page)));
        }
        let second = settings.second.as_ref().and_then(|second| path.strip_suffix(second.slug.as_str()));
        if let Some(page) = second {
            return Wanted::SecondTwin(with_query(&self.links.page_of(path, page)));
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

    /// What the layer adds to a response on its way out: links and `Vary` to a page that everybody gets, nothing to one that
    /// is for this reader alone, and `Vary` to a 304, which does not say of what it is. A cache that updates its copy of a
    /// page from a 304 would forget otherwise that the page has two forms.
    fn complete(&self, target: Option<&PathAndQuery>, status: StatusCode, headers: &mut HeaderMap) {
        let vary = HeaderValue::from_static("accept");
        if status == StatusCode::NOT_MODIFIED {
            if !headers.contains_key(CONTENT_TYPE) || is_html(headers) {
                headers.append(VARY, vary);
            }
            return;
        }
        if !is_public_page(status, headers) {
            return;
        }
        let path = target.map_or("/", PathAndQuery::as_str);
        if let Some(line) = self.links.of(&self.settings, path) {
            headers.append(LINK, line);
        }
        headers.append(VARY, vary);
    }
}

fn is_html(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|value| {
        let essence = value.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        essence.eq_ignore_ascii_case(b"text/html") || essence.eq_ignore_ascii_case(b"application/xhtml+xml")
    })
}

/// Whether a response is a page that everybody gets: HTML, 200, neither `private` nor `no-store`, without a cookie.
fn is_public_page(status: StatusCode, headers: &HeaderMap) -> bool {
    status == StatusCode::OK && is_html(headers) && is_for_everybody(headers)
}

fn is_for_everybody(headers: &HeaderMap) -> bool {
    if headers.contains_key(SET_COOKIE) {
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
    type Future = TctFuture<S::Future, ResBody, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<ReqBody>) -> Self::Future {
        let shared = Arc::clone(&self.shared);
        let wanted = shared.wanted(request.method(), request.uri(), request.headers());
        if let Wanted::Other = wanted {
            let target = request.uri().path_and_query().cloned();
            let response = self.inner.call(request);
            return TctFuture { state: State::Passing { response, shared, target } };
        }
        // The service that was ready is the one to call; the clone takes its place.
        let clone = self.inner.clone();
        let inner = core::mem::replace(&mut self.inner, clone);
        TctFuture { state: State::Made { answer: make(inner, shared, wanted, request) } }
    }
}

pin_project! {
    /// The answer to come. What the inner service answers passes without a box around it.
    pub struct TctFuture<F, B, E> {
        #[pin]
        state: State<F, B, E>,
    }
}

impl<F, B, E> core::fmt::Debug for TctFuture<F, B, E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TctFuture").finish_non_exhaustive()
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<F, B, E> {
        Passing {
            #[pin]
            response: F,
            shared: Arc<Shared>,
            target: Option<PathAndQuery>,
        },
        Made {
            answer: AnswerFuture<B, E>,
        },
    }
}

impl<F, B, E> Future for TctFuture<F, B, E>
where
    F: Future<Output = Result<Response<B>, E>>,
{
    type Output = Result<Answer<B>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project().state.project() {
            StateProjection::Made { answer } => answer.as_mut().poll(cx),
            StateProjection::Passing { response, shared, target } => {
                response.poll(cx).map_ok(|mut response| {
                    shared.complete(target.as_ref(), response.status(), response.headers_mut());
                    response.map(TctBody::Inner)
                })
            }
        }
    }
}

/// The answer to what the layer serves by itself.
fn make<S, ReqBody, ResBody>(
    mut inner: S,
    shared: Arc<Shared>,
    wanted: Wanted,
    request: Request<ReqBody>,
) -> AnswerFuture<ResBody, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    ReqBody: Default + Send + 'static,
    ResBody: Body<Data = Bytes> + Send + Unpin + 'static,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    match wanted {
        Wanted::Other => Box::pin(async move { pass(&mut inner, &shared, request).await }),
        Wanted::Policy => {
            Box::pin(
                async move { Ok(own(shared.settings.policy.as_ref(), request.method(), request.headers())) },
            )
        }
        Wanted::Twin(path) => Box::pin(async move {
            let choose: Choose = match shared.settings.revisions {
                Revisions::V03 => |made| made.exact.as_ref(),
                Revisions::Legacy | Revisions::Both => |made| made.twin.as_ref(),
            };
            answer_twin(&mut inner, &shared, &path, request, choose).await
        }),
        Wanted::SecondTwin(path) => Box::pin(async move {
            answer_twin(&mut inner, &shared, &path, request, |made| made.exact.as_ref()).await
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
                    let page =
                        made.markdown.as_ref().map(|page| page.respond(request.method(), request.headers()));
                    Ok(page.map_or_else(|| empty(StatusCode::NOT_FOUND), with_own_body))
                }
                _ => pass(&mut inner, &shared, request).await,
            }
        }),
        Wanted::Sitemap => Box::pin(async move {
            let sitemaps = sitemaps(&mut inner, &shared, request.headers(), request.version()).await?;
            let sitemap = match shared.settings.revisions {
                Revisions::V03 => sitemaps.exact,
                Revisions::Legacy | Revisions::Both => sitemaps.legacy,
            };
            Ok(own(sitemap.as_deref(), request.method(), request.headers()))
        }),
        Wanted::SecondSitemap => Box::pin(async move {
            let sitemaps = sitemaps(&mut inner, &shared, request.headers(), request.version()).await?;
            Ok(own(sitemaps.exact.as_deref(), request.method(), request.headers()))
        }),
    }
}

/// One of a page's twins.
type Choose = fn(&Made) -> Option<&Resource>;

/// The twin of a page that everybody gets, or the inner service's own answer where there is none.
async fn answer_twin<S, ReqBody, ResBody>(
    inner: &mut S,
    shared: &Shared,
    path: &str,
    request: Request<ReqBody>,
    choose: Choose,
) -> Result<Answer<ResBody>, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    match fetch(inner, shared, path, request.headers(), request.version()).await? {
        Page::Made(made) => Ok(own(choose(&made), request.method(), request.headers())),
        // The page itself may have such a path, or the path names nothing.
        Page::NotPublic(StatusCode::OK | StatusCode::NOT_FOUND) => pass(inner, shared, request).await,
        Page::NotPublic(status) => Ok(empty(status)),
    }
}

/// The sitemaps of the listed pages, after as many of them were asked for as the settings say.
async fn sitemaps<S, ReqBody, ResBody>(
    inner: &mut S,
    shared: &Shared,
    headers: &HeaderMap,
    version: Version,
) -> Result<Sitemaps, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut due = shared.written.due(&shared.settings);
    while let Some(place) = due.place() {
        if let Some(path) = shared.settings.pages.get(place) {
            let page = fetch(inner, shared, path, headers, version).await?;
            due.done(page.is_answer());
        } else {
            due.done(true);
        }
    }
    drop(due);
    Ok(shared.written.sitemaps(&shared.settings))
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
    let target = request.uri().path_and_query().cloned();
    ready(inner).await?;
    let mut response = inner.call(request).await?;
    shared.complete(target.as_ref(), response.status(), response.headers_mut());
    Ok(response.map(TctBody::Inner))
}

/// What became of asking for a page.
enum Page {
    Made(Arc<Made>),
    NotPublic(StatusCode),
}

impl Page {
    /// Whether the answer says something about the page. One that cannot be had now stays listed as it was.
    fn is_answer(&self) -> bool {
        match self {
            Page::Made(_) => true,
            Page::NotPublic(status) => !status.is_server_error() && *status != StatusCode::TOO_MANY_REQUESTS,
        }
    }

    fn made(&self) -> Option<&Arc<Made>> {
        match self {
            Page::Made(made) => Some(made),
            Page::NotPublic(_) => None,
        }
    }
}

/// Asks the inner service for a page as anybody would get it, makes its twin, and lets the sitemap know.
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
    let page = fetch_page(inner, shared, path, headers, version).await?;
    if page.is_answer() {
        shared.written.note(path, page.made());
    }
    Ok(page)
}

async fn fetch_page<S, ReqBody, ResBody>(
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
    let known = shared.cache.known(path);
    if let Some(tag) = known.as_ref().and_then(|known| known.tag.clone()) {
        ask.headers_mut().insert(IF_NONE_MATCH, tag);
    }
    ready(inner).await?;
    let (head, body) = inner.call(ask).await?.into_parts();
    if let Some(known) = known.filter(|_| head.status == StatusCode::NOT_MODIFIED) {
        // A page that has become somebody's own says so with its 304 too.
        return Ok(match is_for_everybody(&head.headers) {
            true => Page::Made(known),
            false => Page::NotPublic(StatusCode::NOT_FOUND),
        });
    }
    if !is_public_page(head.status, &head.headers) || head.headers.contains_key(CONTENT_ENCODING) {
        return Ok(Page::NotPublic(head.status));
    }
    match Limited::new(body, shared.settings.max_html_bytes).collect().await {
        Ok(html) => Ok(Page::Made(shared.cache.of(&shared.settings, path, &html.to_bytes(), &head.headers))),
        Err(error) if error.is::<LengthLimitError>() => Ok(Page::NotPublic(StatusCode::NOT_FOUND)),
        Err(_) => Ok(Page::NotPublic(StatusCode::BAD_GATEWAY)),
    }
}

async fn ready<S: Service<R>, R>(service: &mut S) -> Result<(), S::Error> {
    core::future::poll_fn(|cx| service.poll_ready(cx)).await
}

fn own<B>(resource: Option<&Resource>, method: &Method, headers: &HeaderMap) -> Answer<B> {
    match resource {
        Some(resource) => with_own_body(resource.respond(method, headers)),
        None => empty(StatusCode::NOT_FOUND),
    }
}

fn with_own_body<B>(response: Response<Bytes>) -> Answer<B> {
    let is_unchanged = response.status() == StatusCode::NOT_MODIFIED;
    response.map(|bytes| if is_unchanged { TctBody::NotModified } else { TctBody::Own(Some(bytes)) })
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
