//! The agent's driver: a [`Crawl`] over any service that sends requests.

use core::fmt;
use core::future::Future;
use core::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use http_body_util::{BodyExt, Limited};
use tct::crawl::{CrawlRequest, Pages, RequestKind, SiteEvent};
use tct::{Crawl, CrawlNext, PageReport, UnixSeconds};
use tower_service::Service;

/// Where a crawl's pages are stored.
pub trait CrawlStore: Pages {
    /// Why something could not be stored.
    type Error;

    /// Stores what became of a page: its body first, then its state.
    ///
    /// # Errors
    /// What ends the crawl.
    fn store(&mut self, report: PageReport) -> Result<(), Self::Error>;

    /// Takes what became known of the site. Does nothing by default.
    fn event(&mut self, _event: SiteEvent) {}
}

/// Why a crawl ended early.
#[derive(Debug)]
pub enum DriveError<E> {
    /// The store failed.
    Store(E),
    /// The crawl waits for nothing, or does not know its own request: a fault of this crate.
    Broken,
}

impl<E: fmt::Display> fmt::Display for DriveError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DriveError::Store(error) => write!(f, "the store failed: {error}"),
            DriveError::Broken => f.write_str("the crawl waits for nothing"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for DriveError<E> {}

/// Drives a crawl to its end: sends its requests one after the other, reads sitemaps as they arrive, stores what comes.
///
/// `service` must follow no redirect, and undo content codings where it asks for them. `now` is the clock, `sleep` waits.
/// A response that does not come whole counts as no answer. Save [`Crawl::site`] afterwards.
///
/// # Errors
/// `Store` where a page could not be stored.
pub async fn drive<S, ReqBody, ResBody, St, Sleep>(
    crawl: &mut Crawl,
    service: &mut S,
    store: &mut St,
    now: impl Fn() -> UnixSeconds,
    mut sleep: impl FnMut(Duration) -> Sleep,
) -> Result<(), DriveError<St::Error>>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    St: CrawlStore,
    Sleep: Future<Output = ()>,
{
    // A sitemap whose body is still coming, and the bytes that may come.
    let mut stream: Option<(CrawlRequest, ResBody, u64)> = None;
    let broken = |_| DriveError::Broken;
    loop {
        match crawl.next(store, now()) {
            CrawlNext::Send(wanted) => {
                let url = wanted.url.clone();
                let request = wanted.request.clone().map(|()| ReqBody::default());
                let Some(response) = send(service, request).await else {
                    crawl.on_failure(wanted.id, now()).map_err(broken)?;
                    continue;
                };
                let (head, body) = response.into_parts();
                if wanted.kind == RequestKind::Sitemap {
                    let head = Response::from_parts(head, ());
                    if crawl.on_head(wanted.id, &url, &head, now()).map_err(broken)? {
                        let left = wanted.max_bytes;
                        stream = Some((wanted, body, left));
                    }
                    continue;
                }
                let limit = usize::try_from(wanted.max_bytes).unwrap_or(usize::MAX);
                match Limited::new(body, limit).collect().await {
                    Ok(body) => {
                        let response = Response::from_parts(head, body.to_bytes());
                        crawl.on_response(wanted.id, &url, &response, store, now()).map_err(broken)?;
                    }
                    Err(_) => crawl.on_failure(wanted.id, now()).map_err(broken)?,
                }
            }
            CrawlNext::Page(report) => store.store(*report).map_err(DriveError::Store)?,
            CrawlNext::Site(event) => store.event(event),
            CrawlNext::Wait => {
                let Some((wanted, body, left)) =
                    stream.as_mut().filter(|(wanted, ..)| crawl.wants_chunk(wanted.id))
                else {
                    let Some(at) = crawl.wake_at(now()) else { return Err(DriveError::Broken) };
                    sleep(Duration::from_secs(at.seconds_since(now()).max(1))).await;
                    continue;
                };
                let id = wanted.id;
                match body.frame().await {
                    None => {
                        crawl.on_chunks_end(id, now()).map_err(broken)?;
                        stream = None;
                    }
                    Some(Err(_)) => {
                        crawl.on_failure(id, now()).map_err(broken)?;
                        stream = None;
                    }
                    Some(Ok(frame)) => {
                        let Ok(data) = frame.into_data() else { continue };
                        // The reader has the same limit and says where it was passed.
                        let _left = core::mem::replace(left, left.saturating_sub(data.len() as u64));
                        crawl.on_chunk(id, &data, store, now()).map_err(broken)?;
                    }
                }
            }
            CrawlNext::Done => return Ok(()),
            _ => return Err(DriveError::Broken),
        }
    }
}

/// The response, or `None` where there is none.
async fn send<S, B, R>(service: &mut S, request: Request<B>) -> Option<Response<R>>
where
    S: Service<Request<B>, Response = Response<R>>,
{
    core::future::poll_fn(|cx| service.poll_ready(cx)).await.ok()?;
    service.call(request).await.ok()
}
