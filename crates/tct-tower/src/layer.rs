//! The publisher's layer: twins, sitemap, policy and Markdown around a service that gives HTML.

use core::convert::Infallible;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_TYPE, ETAG, LINK, LOCATION, VARY};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use tct::Resource;
use tct::resource::NegotiatedPage;
use tower_layer::Layer;
use tower_service::Service;
use url::Position;

use crate::inner::{Page, Refusal, fetch, is_html, is_of, is_public_page, ready};
use crate::listed::Listed;
use crate::pages::{Cache, Made};
use crate::settings::{POLICY_PATH, Revisions, SECOND_SITEMAP_PATH, Settings};
use crate::sitemap::{Next, Written};

/// Puts the protocol around a service that gives HTML.
///
/// The inner service must be `Clone`, as routers are, and take requests without a body: the layer asks it for pages by
/// itself, to make their twins.
#[derive(Debug, Clone)]
pub struct TctLayer {
    shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) cache: Cache,
    pub(crate) written: Written,
    listed: RwLock<Arc<Listed>>,
}

impl TctLayer {
    /// A layer with these settings. Its clones share the twins that were made.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let listed = Arc::new(Listed::new(&settings, settings.pages.iter().map(String::as_str)));
        let (cache, written) = (Cache::new(settings.max_cache_bytes), Written::new(Arc::clone(&listed)));
        TctLayer { shared: Arc::new(Shared { settings, cache, written, listed: RwLock::new(listed) }) }
    }

    /// Lists these pages from now on, in place of those of [`Settings::with_pages`], by the same rules. The next sitemap
    /// requests the new pages; entries of the others are kept. Every service of this layer follows.
    ///
    /// ```
    /// # let nothing = |_: &url::Url, _: Option<&str>, _: &[u8]| None;
    /// let layer = tct_tower::TctLayer::new(tct_tower::Settings::new("https://example.com", nothing)?);
    /// layer.set_pages(["/", "/about/", "/a-page-added-later/"]);
    /// # Ok::<(), tct_tower::SettingsError>(())
    /// ```
    pub fn set_pages(&self, paths: impl IntoIterator<Item = impl AsRef<str>>) {
        let paths: Vec<_> = paths.into_iter().collect();
        let listed = Arc::new(Listed::new(&self.shared.settings, paths.iter().map(AsRef::as_ref)));
        let mut current = self.shared.listed.write().unwrap_or_else(PoisonError::into_inner);
        self.shared.written.list(Arc::clone(&listed));
        *current = listed;
    }

    /// Says that a listed page may have changed: it is requested before the next sitemap is answered, whatever
    /// [`Settings::with_sitemap_checks`] and the clock say. `path` is as [`Settings::with_pages`] has it; false if it is not
    /// listed, which is harmless, since twins are always made from the current page.
    #[expect(
        clippy::must_use_candidate,
        reason = "whoever tells of a change need not care whether the page is listed"
    )]
    pub fn page_changed(&self, path: &str) -> bool {
        let page = self.shared.settings.listed_page(path);
        page.is_some_and(|(_, path)| self.shared.written.tell(&path))
    }

    /// The path and query of every form of the page that is shown at `address`, and of each page if it may be of several: the
    /// page's own, its twins' and its Markdown's. An access rule around the layer must ask for all of them, or a page that
    /// it protects is read at another of its addresses. A rule about paths asks without the query: one that is not declared
    /// has no other form, and is shown at its own address all the same.
    ///
    /// ```
    /// # let nothing = |_: &url::Url, _: Option<&str>, _: &[u8]| None;
    /// let layer = tct_tower::TctLayer::new(tct_tower::Settings::new("https://example.com", nothing)?);
    /// let forms = layer.addresses_of("/members.md");
    /// assert!(forms.contains(&"/members/".to_owned()) && forms.contains(&"/members/llm/".to_owned()));
    /// # Ok::<(), tct_tower::SettingsError>(())
    /// ```
    #[must_use]
    pub fn addresses_of(&self, address: &str) -> Vec<String> {
        self.shared.listed().addresses(&self.shared.settings, address)
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
    /// The inner service's body, streamed unchanged.
    Inner(B),
    /// Bytes that the layer keeps; `None` once they are sent.
    Own(Option<Bytes>),
    /// The absent body of a 304. It has no known length: a server would otherwise write `Content-Length: 0`, which is not the
    /// page's. Not used where the request takes content codings: of a body of unknown length, a layer for compression makes a
    /// gzip stream of 20 bytes.
    NotModified,
}

/// For layers around this one that answer without a body, as those of tower-http for CORS and timeouts do.
impl<B> Default for TctBody<B> {
    fn default() -> Self {
        TctBody::Own(None)
    }
}

/// For layers around this one that answer by themselves.
impl<B> From<Bytes> for TctBody<B> {
    fn from(bytes: Bytes) -> Self {
        TctBody::Own(Some(bytes))
    }
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

/// What a request asks for. Pages are named by path and query.
enum Wanted {
    Twin(String, Draft),
    Markdown(String),
    Negotiated(String),
    Sitemap(Draft),
    Policy,
    Other,
}

/// The form of a twin or a sitemap.
#[derive(Debug, Clone, Copy)]
enum Draft {
    /// By drafts -00 and -01.
    Legacy,
    V03,
    /// By draft -03, under the second addresses.
    Second,
}

impl Shared {
    // The guard and not a clone of what it guards: two counted operations less in each request.
    fn listed(&self) -> RwLockReadGuard<'_, Arc<Listed>> {
        self.listed.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn wanted(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Wanted {
        let (settings, path) = (&self.settings, uri.path());
        let first = match settings.revisions {
            Revisions::V03 => Draft::V03,
            Revisions::Legacy | Revisions::Both => Draft::Legacy,
        };
        if path == POLICY_PATH && settings.policy.is_some() {
            return Wanted::Policy;
        }
        let listed = self.listed();
        if !listed.pages.is_empty() {
            if path == settings.sitemap_path {
                return Wanted::Sitemap(first);
            }
            if path == SECOND_SITEMAP_PATH && settings.second.is_some() {
                return Wanted::Sitemap(Draft::Second);
            }
        }
        // The rest is about reading: what else a request wants at such an address is between it and the inner service.
        if !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return Wanted::Other;
        }
        if let Some(page) = listed.page_of_twin(settings, uri, &settings.slug) {
            return Wanted::Twin(page, first);
        }
        let second = settings.second.as_ref();
        if let Some(page) = second.and_then(|second| listed.page_of_twin(settings, uri, &second.slug)) {
            return Wanted::Twin(page, Draft::Second);
        }
        if let Some(page) = listed.page_of_markdown(settings, uri) {
            return Wanted::Markdown(page);
        }
        if matches!(*method, Method::GET | Method::HEAD)
            && NegotiatedPage::wants_markdown(headers)
            && let Some(page) = listed.page(settings, path, uri.query())
        {
            return Wanted::Negotiated(page);
        }
        Wanted::Other
    }

    /// Completes a response: adds links and `Vary` to a public page, nothing to one for this reader alone, and `Vary` to a
    /// 304 and a part, which do not say whether they are of a public page. Without it a cache that updates its copy would
    /// forget that the page has two forms (RFC 9110, 15.3.7 and 15.4.5).
    fn complete(&self, target: Option<&PathAndQuery>, status: StatusCode, headers: &mut HeaderMap) {
        let vary = HeaderValue::from_static("accept");
        if matches!(status, StatusCode::NOT_MODIFIED | StatusCode::PARTIAL_CONTENT) {
            let media_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
            if media_type.is_none_or(|value| value.starts_with(b"multipart/")) || is_html(headers) {
                headers.append(VARY, vary);
            }
            return;
        }
        if !is_public_page(status, headers) {
            return;
        }
        let page = target.map_or("/", PathAndQuery::as_str);
        if let Some(line) = self.listed().line_of(&self.settings, page) {
            headers.append(LINK, line);
        }
        headers.append(VARY, vary);
    }

    /// The address of the twin of the page that a redirect names, where that is a page of this site with another twin.
    fn moved(&self, page: &str, draft: Draft, location: &HeaderValue) -> Option<HeaderValue> {
        let (from, _) = self.settings.listed_page(page)?;
        let to = from.as_url().join(location.to_str().ok()?).ok()?;
        let listed = self.listed();
        let to = listed
            .page(&self.settings, to.path(), to.query())
            .filter(|_| to.origin() == from.as_url().origin())?;
        let address = |page: &str| {
            let twins = self.settings.twins_of(&self.settings.page_url(page)?);
            let twin = if matches!(draft, Draft::Second) { twins.get(1) } else { twins.first() };
            Some(twin?.as_url()[Position::BeforePath..].to_owned())
        };
        let twin = address(&to)?;
        // Of `/a` nobody says that its twin is there: see `Listed::line_of`.
        let is_its_own = listed.shown(&self.settings, &twin).contains(&to);
        let is_other = address(page).is_none_or(|from| from != twin);
        HeaderValue::try_from(twin.as_str()).ok().filter(|_| is_its_own && is_other)
    }
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
    /// The future of a response. The inner service's future is not boxed.
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

/// Makes the responses that the layer serves itself.
fn make<S, ReqBody, ResBody>(
    mut inner: S,
    shared: Arc<Shared>,
    wanted: Wanted,
    request: Request<ReqBody>,
) -> AnswerFuture<ResBody, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    ReqBody: Default + Send + 'static,
    ResBody: Body<Data = Bytes> + Send + Unpin + 'static,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    Box::pin(async move {
        // Nobody said that the layer has the address of another form of a page that is not listed: what the site has there is
        // what its author wants there, also where it is for this visitor alone.
        if let Wanted::Twin(page, _) | Wanted::Markdown(page) = &wanted
            && shared.listed().place(page).is_none()
        {
            let (method, headers) = (request.method().clone(), request.headers().clone());
            let there = pass(&mut inner, &shared, request).await?;
            if there.status() != StatusCode::NOT_FOUND {
                return Ok(there);
            }
            return Ok(form(&mut inner, &shared, wanted, &method, &headers).await?.unwrap_or(there));
        }
        if let Wanted::Negotiated(page) = &wanted {
            return negotiated(&mut inner, &shared, page, request).await;
        }
        match form(&mut inner, &shared, wanted, request.method(), request.headers()).await? {
            Some(answer) => Ok(answer),
            None => pass(&mut inner, &shared, request).await,
        }
    })
}

/// The page as Markdown under its own address: the service's own where it has some, which its `Vary: accept` hints at.
async fn negotiated<S, ReqBody, ResBody>(
    inner: &mut S,
    shared: &Shared,
    page: &str,
    request: Request<ReqBody>,
) -> Result<Answer<ResBody>, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let Page::Made(made) = fetch(inner, shared, page, true).await? else {
        return pass(inner, shared, request).await;
    };
    let markdown = made.markdown.as_ref();
    let ours = markdown.and_then(|markdown| markdown.respond(request.method(), request.headers()));
    let Some(ours) = ours.map(|ours| with_own_body(ours, request.headers())) else {
        return pass(inner, shared, request).await;
    };
    if !made.varies {
        return Ok(ours);
    }
    let theirs = pass(inner, shared, request).await?;
    let is_markdown = match theirs.status() {
        // It speaks of their Markdown if its tag is not that of the HTML.
        StatusCode::NOT_MODIFIED => {
            let tag = theirs.headers().get(ETAG);
            tag.is_some() && tag != made.entry.tag.as_ref()
        }
        status => status.is_success() && is_of(theirs.headers(), &["text/markdown"]),
    };
    Ok(if is_markdown { theirs } else { ours })
}

/// The answer with what is wanted; `None` where there is none of it, which leaves the address to the inner service.
async fn form<S, ReqBody, ResBody>(
    inner: &mut S,
    shared: &Shared,
    wanted: Wanted,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Option<Answer<ResBody>>, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    Ok(match wanted {
        Wanted::Other | Wanted::Negotiated(_) => None,
        Wanted::Policy => shared.settings.policy.as_ref().map(|policy| own(policy, method, headers)),
        Wanted::Twin(page, draft) => match fetch(inner, shared, &page, true).await? {
            Page::Made(made) => Some(match twin(&made, draft) {
                Some(twin) => own(twin, method, headers),
                None => refusal(Refusal { status: StatusCode::NOT_FOUND, field: None }),
            }),
            Page::Refused(refused) => Some(refusal(refused)),
            Page::Moved(status, location) => shared
                .moved(&page, draft, &location)
                .map(|location| refusal(Refusal { status, field: Some((LOCATION, location)) })),
            // The path names nothing.
            Page::None | Page::Unchanged(_) => None,
        },
        Wanted::Markdown(page) => match fetch(inner, shared, &page, true).await? {
            Page::Made(made) => made.markdown.as_ref().map(|markdown| own(&markdown.alone, method, headers)),
            // A page that fails for now has not lost its Markdown.
            Page::Refused(refused) if refused.passes() => Some(refusal(refused)),
            // A file of that name.
            _ => None,
        },
        Wanted::Sitemap(draft) => {
            let sitemap = sitemap(inner, shared, draft).await?;
            Some(sitemap.map_or_else(|| refusal(Refusal::later()), |sitemap| own(&sitemap, method, headers)))
        }
    })
}

fn twin(made: &Made, draft: Draft) -> Option<&Resource> {
    match draft {
        Draft::Legacy => made.legacy.as_ref(),
        Draft::V03 | Draft::Second => made.v03.as_ref(),
    }
}

/// The sitemap of the listed pages, after requesting as many of them as the settings say.
async fn sitemap<S, ReqBody, ResBody>(
    inner: &mut S,
    shared: &Shared,
    draft: Draft,
) -> Result<Option<Arc<Resource>>, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut due = shared.written.due(&shared.settings);
    loop {
        match due.next() {
            Next::Ask(page) => {
                // A service that is not ready any more answers nobody; one that fails for a page leaves that one as it was.
                ready(inner).await?;
                let _failed_page = fetch(inner, shared, &page, false).await.is_err();
            }
            Next::Wait(page) => {
                // One that is ready may hold a place that the other request waits for.
                *inner = inner.clone();
                due.answered(&page).await;
            }
            Next::Done => break,
        }
    }
    drop(due);
    let sitemaps = shared.written.sitemaps(&shared.settings);
    Ok(sitemaps.and_then(|sitemaps| match draft {
        Draft::Legacy => sitemaps.legacy,
        Draft::V03 | Draft::Second => sitemaps.v03,
    }))
}

/// Passes the request to the inner service.
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

fn own<B>(resource: &Resource, method: &Method, headers: &HeaderMap) -> Answer<B> {
    with_own_body(resource.respond(method, headers), headers)
}

fn with_own_body<B>(response: Response<Bytes>, request: &HeaderMap) -> Answer<B> {
    let is_unknown = response.status() == StatusCode::NOT_MODIFIED && !request.contains_key(ACCEPT_ENCODING);
    response.map(|bytes| if is_unknown { TctBody::NotModified } else { TctBody::Own(Some(bytes)) })
}

/// A status and its field, not to be cached: the next answer may differ.
fn refusal<B>(refusal: Refusal) -> Answer<B> {
    let mut response = Response::new(TctBody::Own(None));
    *response.status_mut() = refusal.status;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().extend(refusal.field.map(|(name, value)| (Some(name), value)));
    response
}

const _: fn() = || {
    // Bytes of the layer cannot fail.
    fn assert<T: Send + Sync>() {}
    assert::<TctBody<Infallible>>();
};
