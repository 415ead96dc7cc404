//! The agent's driver: a [`Crawl`] over any service that sends requests.
//!
//! Each request in flight owns its state: a response's head, a body that is collected, a sitemap that is passed on as it arrives.
//! The loop asks the session for requests until it has to wait, then handles whichever comes first: an answer, a piece that the
//! session wants, a service that is ready, a point in time.

use core::cell::RefCell;
use core::convert::Infallible;
use core::fmt;
use core::future::{Future, poll_fn};
use core::pin::{Pin, pin};
use core::task::{Context, Poll};
use core::time::Duration;
use std::borrow::Cow;
use std::collections::VecDeque;

use bytes::Bytes;
use http::response::Parts;
use http::{HeaderValue, Request, Response, header};
use http_body::Body;
use tct::crawl::{CrawlRequest, MemoryStore, Pages, RequestId, RequestKind, SiteEvent};
use tct::{Crawl, CrawlNext, PageReport, PageState, SiteState, UnixSeconds};
use tower_service::Service;
use url::Url;

use crate::robots::{RobotsGate, RobotsVerdict};

/// Stores the pages and the site of a crawl. An error of any method ends the crawl. Each site has a store of its own, and one
/// crawl at a time: the state of the site that is stored last is the one that counts.
pub trait CrawlStore {
    /// Why something could not be read or stored.
    type Error;

    /// The stored state of the page with this key.
    ///
    /// # Errors
    /// An error ends the crawl.
    fn page(&self, key: &str) -> Result<Option<Cow<'_, PageState>>, Self::Error>;

    /// The first key after `key` in ascending order of bytes, with its stored state. Nothing need be stored under `key` itself.
    ///
    /// # Errors
    /// An error ends the crawl.
    fn after(&self, key: &str) -> Result<Option<StoredPage<'_>>, Self::Error>;

    /// How many pages of the site are stored.
    ///
    /// # Errors
    /// An error ends the crawl.
    fn count(&self) -> Result<u64, Self::Error>;

    /// Stores a page: its body first, then its state.
    ///
    /// # Errors
    /// An error ends the crawl.
    fn store(&mut self, report: PageReport) -> impl Future<Output = Result<(), Self::Error>>;

    /// Stores the state of the site. The next crawl begins with the state stored last.
    ///
    /// # Errors
    /// An error ends the crawl.
    fn store_site(&mut self, site: SiteState) -> impl Future<Output = Result<(), Self::Error>>;

    /// Called with each event of the site, after it was stored. Does nothing by default.
    fn event(&mut self, _event: SiteEvent) {}
}

/// A stored page's key and state.
pub type StoredPage<'a> = (Cow<'a, str>, Cow<'a, PageState>);

impl CrawlStore for MemoryStore {
    type Error = Infallible;

    fn page(&self, key: &str) -> Result<Option<Cow<'_, PageState>>, Infallible> {
        Ok(Pages::page(self, key))
    }

    fn after(&self, key: &str) -> Result<Option<StoredPage<'_>>, Infallible> {
        Ok(Pages::after(self, key))
    }

    fn count(&self) -> Result<u64, Infallible> {
        Ok(Pages::count(self))
    }

    async fn store(&mut self, report: PageReport) -> Result<(), Infallible> {
        self.take(report);
        Ok(())
    }

    async fn store_site(&mut self, site: SiteState) -> Result<(), Infallible> {
        self.take_site(site);
        Ok(())
    }
}

/// Gives the time and waits.
pub trait CrawlClock {
    /// The time now.
    fn now(&self) -> UnixSeconds;

    /// Waits.
    fn sleep(&self, pause: Duration) -> impl Future<Output = ()>;
}

/// What a request of the crawl is for: set in its [extensions](http::Request::extensions), for clients with different limits
/// for each kind. The request for robots.txt has none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wanted {
    /// The kind of the request.
    pub kind: RequestKind,
    /// Longest body that is used, decoded, in bytes.
    pub max_bytes: u64,
}

/// A client puts this into a response's [extensions](http::Response::extensions) if the response is unusable and a retry would
/// not help: an invalid certificate, a broken content coding. The request is not sent again in this crawl, whereas an error of
/// the client counts as no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unusable;

/// Why a crawl ended early.
#[derive(Debug)]
pub enum DriveError<E> {
    /// The store failed.
    Store(E),
    /// The crawl waits without a reason, or does not know its own request: a bug of this crate.
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

/// Drives a crawl to its end: sends its requests as far as robots.txt allows, reads sitemaps as they arrive, and stores the
/// results.
///
/// `client` must follow no redirect, and undo content codings where it asks for them. [`CrawlPolicy::parallel`](tct::CrawlPolicy)
/// limits the number of requests in flight. A body is read only as far as it is used. An incomplete response counts as no answer;
/// one that is marked as [`Unusable`] is not requested again. Each request says what it is [`Wanted`] for. The state of the site
/// is stored as soon as it changes, so a crawl that is killed or dropped at any moment and resumed from the store loses nothing, not
/// even a pause that the server asked for.
///
/// # Errors
/// `Store` if something could not be read or stored. Resume the crawl from the store then.
pub async fn drive<S, ReqBody, ResBody, R, St, C>(
    crawl: &mut Crawl,
    client: &mut S,
    robots: &mut R,
    store: &mut St,
    clock: &C,
) -> Result<(), DriveError<St::Error>>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    R: RobotsGate,
    St: CrawlStore,
    C: CrawlClock,
{
    let mut network = Network::new();
    loop {
        let next = read(store, |pages| crawl.next(pages, clock.now()))?;
        if let Some(site) = crawl.take_news() {
            store.store_site(site).await.map_err(DriveError::Store)?;
        }
        match next {
            CrawlNext::Send(wanted) => network.held.push_back(wanted),
            CrawlNext::Page(report) => store.store(*report).await.map_err(DriveError::Store)?,
            CrawlNext::Site(event) => store.event(event),
            CrawlNext::Done => return Ok(()),
            CrawlNext::Wait => {
                if network.admit(crawl, robots, clock.now())? {
                    continue;
                }
                let now = clock.now();
                let until = [crawl.wake_at(now), network.held_until].into_iter().flatten().min();
                if until.is_none() && network.is_idle() {
                    return Err(DriveError::Broken);
                }
                let pause = until.map_or(0, |at| at.seconds_since(now).max(1));
                let mut sleep = pin!(clock.sleep(Duration::from_secs(pause)));
                let happened = poll_fn(|cx| {
                    if let Poll::Ready(happened) = network.poll(client, crawl, cx) {
                        return Poll::Ready(Some(happened));
                    }
                    if until.is_some() { sleep.as_mut().poll(cx).map(|()| None) } else { Poll::Pending }
                });
                if let Some(happened) = happened.await {
                    let now = clock.now();
                    read(store, |pages| network.take(happened, client, crawl, robots, pages, now))??;
                }
            }
            _ => return Err(DriveError::Broken),
        }
    }
}

/// Lets the crawl read the store; an error of the store ends the crawl before its answer is used.
fn read<St: CrawlStore, T>(
    store: &St,
    act: impl FnOnce(&Reader<'_, St>) -> T,
) -> Result<T, DriveError<St::Error>> {
    let reader = Reader { store, failure: RefCell::new(None) };
    let said = act(&reader);
    match reader.failure.into_inner() {
        Some(error) => Err(DriveError::Store(error)),
        None => Ok(said),
    }
}

/// A store as the session reads it, and its first error.
struct Reader<'s, St: CrawlStore> {
    store: &'s St,
    failure: RefCell<Option<St::Error>>,
}

impl<St: CrawlStore> Reader<'_, St> {
    fn told<T>(&self, read: Result<T, St::Error>) -> Option<T> {
        match read {
            Ok(found) => Some(found),
            Err(error) => {
                self.failure.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}

impl<St: CrawlStore> Pages for Reader<'_, St> {
    fn page(&self, key: &str) -> Option<Cow<'_, PageState>> {
        self.told(self.store.page(key))?
    }

    fn after(&self, key: &str) -> Option<StoredPage<'_>> {
        self.told(self.store.after(key))?
    }

    fn count(&self) -> u64 {
        self.told(self.store.count()).unwrap_or_default()
    }
}

/// What a request is for.
enum Purpose {
    Crawl(RequestId, RequestKind),
    Robots,
}

/// A request in flight.
struct Exchange<F, B> {
    purpose: Purpose,
    url: Url,
    /// Bytes of the body that may still be read.
    left: u64,
    stage: Stage<F, B>,
}

enum Stage<F, B> {
    /// Waits for the client to be ready.
    Queued(Request<()>),
    Head(Pin<Box<F>>),
    /// A body that is collected.
    Body(Parts, B, Vec<u8>),
    /// A sitemap whose pieces are passed on as the session wants them.
    Stream(B),
}

/// An event of the exchange with this number.
enum Happened<B, E> {
    /// The client is ready for the request, or has failed.
    Ready(usize, bool),
    Head(usize, Result<Response<B>, E>),
    /// A piece; `None` is the end.
    Piece(usize, Option<Result<Bytes, ()>>),
}

/// Everything between the session and the client.
struct Network<F, B> {
    exchanges: Vec<Exchange<F, B>>,
    /// Requests that robots.txt has not allowed yet, and until when they wait.
    held: VecDeque<CrawlRequest>,
    held_until: Option<UnixSeconds>,
}

/// The longest robots.txt that is read: the limit of RFC 9309 and one byte more, which shows the reader that the file is
/// longer.
const MAX_ROBOTS_BYTES: u64 = (500 << 10) + 1;

impl<F, B> Network<F, B> {
    const fn new() -> Self {
        Network { exchanges: Vec::new(), held: VecDeque::new(), held_until: None }
    }

    fn is_idle(&self) -> bool {
        self.exchanges.is_empty()
    }

    /// Checks the session's requests against robots.txt. Returns true if the session has new answers.
    fn admit<E>(
        &mut self,
        crawl: &mut Crawl,
        robots: &mut impl RobotsGate,
        now: UnixSeconds,
    ) -> Result<bool, DriveError<E>> {
        self.held_until = None;
        let is_robots_asked = self.exchanges.iter().any(|other| matches!(other.purpose, Purpose::Robots));
        while let Some(wanted) = self.held.pop_front() {
            let verdict = if is_robots_asked { None } else { Some(robots.ask(&wanted.url, now)) };
            match verdict {
                Some(RobotsVerdict::Send) => {
                    let CrawlRequest { id, url, mut request, max_bytes, kind, .. } = wanted;
                    request.extensions_mut().insert(Wanted { kind: kind.clone(), max_bytes });
                    let stage = Stage::Queued(request);
                    let purpose = Purpose::Crawl(id, kind);
                    self.exchanges.push(Exchange { purpose, url, left: max_bytes, stage });
                }
                Some(RobotsVerdict::NotThis) => {
                    crawl.on_withheld(wanted.id, now).map_err(|_| DriveError::Broken)?;
                    return Ok(true);
                }
                Some(RobotsVerdict::NotNow) => {
                    crawl.on_failure(wanted.id, now).map_err(|_| DriveError::Broken)?;
                    return Ok(true);
                }
                Some(RobotsVerdict::After(at)) => {
                    // Bounded, whatever a clock or a file says.
                    self.held_until = Some(at.min(now.saturating_add(86_400)));
                    self.held.push_front(wanted);
                    return Ok(false);
                }
                Some(RobotsVerdict::Fetch(url)) => {
                    self.held.push_front(wanted);
                    self.fetch_robots(url, robots, now);
                    return Ok(false);
                }
                None => {
                    self.held.push_front(wanted);
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    fn fetch_robots(&mut self, url: Url, robots: &mut impl RobotsGate, now: UnixSeconds) {
        let Ok(uri) = http::Uri::try_from(url.as_str()) else { return robots.on_answer(None, now) };
        let mut request = Request::new(());
        *request.uri_mut() = uri;
        request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static("text/plain, */*;q=0.1"));
        let stage = Stage::Queued(request);
        self.exchanges.push(Exchange { purpose: Purpose::Robots, url, left: MAX_ROBOTS_BYTES, stage });
    }

    /// Handles one event.
    fn poll<S, ReqBody>(
        &mut self,
        client: &mut S,
        crawl: &Crawl,
        cx: &mut Context<'_>,
    ) -> Poll<Happened<B, S::Error>>
    where
        S: Service<Request<ReqBody>, Response = Response<B>, Future = F>,
        F: Future<Output = Result<Response<B>, S::Error>>,
        B: Body<Data = Bytes> + Unpin,
    {
        let mut is_first_queued = true;
        for (number, exchange) in self.exchanges.iter_mut().enumerate() {
            let happened = match &mut exchange.stage {
                Stage::Queued(_) if core::mem::take(&mut is_first_queued) => {
                    client.poll_ready(cx).map(|ready| Happened::Ready(number, ready.is_ok()))
                }
                Stage::Queued(_) => Poll::Pending,
                Stage::Head(answer) => answer.as_mut().poll(cx).map(|answer| Happened::Head(number, answer)),
                Stage::Body(_, body, _) => poll_piece(body, cx).map(|piece| Happened::Piece(number, piece)),
                Stage::Stream(body) => match exchange.purpose {
                    Purpose::Crawl(id, _) if crawl.wants_chunk(id) => {
                        poll_piece(body, cx).map(|piece| Happened::Piece(number, piece))
                    }
                    _ => Poll::Pending,
                },
            };
            if happened.is_ready() {
                return happened;
            }
        }
        Poll::Pending
    }

    /// Passes an event to its exchange.
    fn take<S, ReqBody, E>(
        &mut self,
        happened: Happened<B, S::Error>,
        client: &mut S,
        crawl: &mut Crawl,
        robots: &mut impl RobotsGate,
        pages: &impl Pages,
        now: UnixSeconds,
    ) -> Result<(), DriveError<E>>
    where
        S: Service<Request<ReqBody>, Response = Response<B>, Future = F>,
        ReqBody: Default,
        B: Body<Data = Bytes> + Unpin,
    {
        let (Happened::Ready(number, _) | Happened::Head(number, _) | Happened::Piece(number, _)) = &happened;
        let mut exchange = self.exchanges.remove(*number);
        let end = match (happened, exchange.stage) {
            (Happened::Ready(_, true), Stage::Queued(request)) => {
                let sent = client.call(request.map(|()| ReqBody::default()));
                exchange.stage = Stage::Head(Box::pin(sent));
                self.exchanges.push(exchange);
                return Ok(());
            }
            (Happened::Head(_, Ok(response)), _) if response.extensions().get::<Unusable>().is_some() => {
                End::Unusable
            }
            (Happened::Head(_, Ok(response)), _) => {
                let (head, body) = response.into_parts();
                if let Purpose::Crawl(id, RequestKind::Sitemap) = exchange.purpose {
                    let head = Response::from_parts(head, ());
                    if crawl.on_head(id, &exchange.url, &head, now).map_err(|_| DriveError::Broken)? {
                        exchange.stage = Stage::Stream(body);
                        self.exchanges.push(exchange);
                    }
                    return Ok(());
                }
                exchange.stage = Stage::Body(head, body, Vec::new());
                self.exchanges.push(exchange);
                return Ok(());
            }
            (Happened::Piece(_, Some(Ok(piece))), stage) => {
                let left = exchange.left.checked_sub(piece.len() as u64);
                match (left, stage) {
                    (Some(left), Stage::Body(head, body, mut collected)) => {
                        collected.extend_from_slice(&piece);
                        let stage = Stage::Body(head, body, collected);
                        self.exchanges.push(Exchange { left, stage, ..exchange });
                        return Ok(());
                    }
                    (Some(left), Stage::Stream(body)) => {
                        if let Purpose::Crawl(id, _) = exchange.purpose {
                            crawl.on_chunk(id, &piece, pages, now).map_err(|_| DriveError::Broken)?;
                        }
                        self.exchanges.push(Exchange { left, stage: Stage::Stream(body), ..exchange });
                        return Ok(());
                    }
                    // Of robots.txt, what is past the limit is not read; of all else, nothing is of use then.
                    (None, Stage::Body(head, _, collected))
                        if matches!(exchange.purpose, Purpose::Robots) =>
                    {
                        End::Whole(head, collected)
                    }
                    _ => End::Unusable,
                }
            }
            (Happened::Piece(_, None), Stage::Body(head, _, collected)) => End::Whole(head, collected),
            (Happened::Piece(_, None), _) => End::Streamed,
            _ => End::Nothing,
        };
        let Exchange { purpose, url, .. } = exchange;
        match (purpose, end) {
            (Purpose::Robots, End::Whole(head, body)) => {
                robots.on_answer(Some(&Response::from_parts(head, Bytes::from(body))), now);
                return Ok(());
            }
            (Purpose::Robots, _) => {
                robots.on_answer(None, now);
                return Ok(());
            }
            (Purpose::Crawl(id, _), End::Whole(head, body)) => {
                crawl.on_response(id, &url, &Response::from_parts(head, body), pages, now)
            }
            (Purpose::Crawl(id, _), End::Streamed) => crawl.on_chunks_end(id, now),
            (Purpose::Crawl(id, _), End::Unusable) => crawl.on_unusable(id, now),
            (Purpose::Crawl(id, _), End::Nothing) => crawl.on_failure(id, now),
        }
        .map_err(|_| DriveError::Broken)
    }
}

/// How an exchange ended.
enum End {
    Whole(Parts, Vec<u8>),
    Streamed,
    Unusable,
    Nothing,
}

/// The next bytes of a body; trailers are skipped.
fn poll_piece<B: Body<Data = Bytes> + Unpin>(
    body: &mut B,
    cx: &mut Context<'_>,
) -> Poll<Option<Result<Bytes, ()>>> {
    loop {
        match core::task::ready!(Pin::new(&mut *body).poll_frame(cx)) {
            None => return Poll::Ready(None),
            Some(Err(_)) => return Poll::Ready(Some(Err(()))),
            Some(Ok(frame)) => {
                if let Ok(piece) = frame.into_data() {
                    return Poll::Ready(Some(Ok(piece)));
                }
            }
        }
    }
}
