//! The driver in a seeded world, and what it does at the edges: `TCT_SEED=17 cargo test -p tct-tower --test it drive` tells the
//! story of one life.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode, header};
use http_body::{Body, Frame};
use tct::crawl::{Pages, SiteEvent};
use tct::{CUrl, Crawl, CrawlPolicy, PageReport, PageState, SiteState, UnixSeconds};
use tct_tower::{
    CrawlClock, CrawlStore, DriveError, MemoryStore, NoRobots, RobotsGate, RobotsVerdict, StoredPage,
    Unusable, Wanted, drive,
};
use tct_world::{Ending, Reply, World};
use tower::service_fn;
use url::Url;

/// A body that comes in pieces, perhaps without an end.
#[derive(Default)]
struct Pieces(VecDeque<Result<Bytes, &'static str>>);

impl Body for Pieces {
    type Data = Bytes;
    type Error = &'static str;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Ready(self.0.pop_front().map(|piece| piece.map(Frame::data)))
    }
}

fn pieces(body: &[u8], size: usize) -> Pieces {
    Pieces(body.chunks(size.max(1)).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect())
}

/// A clock that moves when somebody waits.
struct Clock(Cell<u64>);

impl CrawlClock for Clock {
    fn now(&self) -> UnixSeconds {
        UnixSeconds(self.0.get())
    }

    async fn sleep(&self, pause: Duration) {
        self.0.set(self.0.get() + pause.as_secs());
    }
}

/// The world's own.
struct WorldClock(Rc<RefCell<World>>);

impl CrawlClock for WorldClock {
    fn now(&self) -> UnixSeconds {
        UnixSeconds(self.0.borrow().now)
    }

    async fn sleep(&self, pause: Duration) {
        self.0.borrow_mut().now += pause.as_secs();
    }
}

/// A store that the world sees too.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<MemoryStore>>);

impl CrawlStore for Shared {
    type Error = Infallible;

    fn page(&self, key: &str) -> Result<Option<Cow<'_, PageState>>, Infallible> {
        Ok(self.0.borrow().pages().page(key).map(|state| Cow::Owned(state.into_owned())))
    }

    fn after(&self, key: &str) -> Result<Option<StoredPage<'_>>, Infallible> {
        let store = self.0.borrow();
        let found = store.pages().after(key);
        Ok(found.map(|(key, state)| (Cow::Owned(key.into_owned()), Cow::Owned(state.into_owned()))))
    }

    fn count(&self) -> Result<u64, Infallible> {
        Ok(self.0.borrow().pages().count())
    }

    async fn store(&mut self, report: PageReport) -> Result<(), Infallible> {
        self.0.borrow_mut().take(report);
        Ok(())
    }

    async fn store_site(&mut self, site: SiteState) -> Result<(), Infallible> {
        self.0.borrow_mut().take_site(site);
        Ok(())
    }
}

/// One crawl by the driver; killed before a request where the world wants that.
async fn crawl(world: &Rc<RefCell<World>>, store: &Shared, is_wild: bool) {
    world.borrow_mut().begin(&store.0.borrow());
    let mut policy = CrawlPolicy::default().with_parallel(1 + world.borrow_mut().rng.below(4));
    let mut kill_at = usize::MAX;
    if is_wild {
        let rng = &mut world.borrow_mut().rng;
        if rng.percent(30) {
            policy.max_queue = 1 + rng.below(4);
        }
        if rng.percent(25) {
            kill_at = rng.below(12);
        }
    }
    let mut session = Crawl::resume(&tct_world::start(), store.0.borrow().site(), policy);
    let (asked, is_killed) = (Cell::new(0), Cell::new(false));
    let mut client = service_fn(|request: Request<()>| {
        asked.set(asked.get() + 1);
        is_killed.set(asked.get() > kill_at);
        let mut world = world.borrow_mut();
        let reply = world.ask(&request, &store.0.borrow());
        let size = 1 + world.rng.below(2000);
        // Some answers take their time.
        let mut turns = world.rng.below(4);
        let answer = match reply {
            Reply::Nothing => Err("no answer"),
            // The driver trusts its client to follow no redirect, so another origin's answer is not seen here.
            Reply::Answer { from, .. } if from.host_str() != Some("site.example") => Err("another origin"),
            Reply::Answer { from, response, cut } => {
                let (head, body) = response.into_parts();
                let mut coming = pieces(&body[..cut.unwrap_or(body.len())], size);
                if cut.is_some() {
                    coming.0.push_back(Err("cut"));
                } else {
                    world.delivered(request.uri().path(), &from, head.status.as_u16(), &body);
                }
                Ok(Response::from_parts(head, coming))
            }
        };
        let mut answer = Some(answer);
        poll_fn(move |cx| {
            if turns > 0 {
                turns -= 1;
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            Poll::Ready(answer.take().unwrap())
        })
    });
    let (mut stored, clock) = (store.clone(), WorldClock(Rc::clone(world)));
    let mut robots = NoRobots;
    let mut driven = pin!(drive(&mut session, &mut client, &mut robots, &mut stored, &clock));
    let mut polls = 0;
    let ended = poll_fn(|cx| {
        polls += 1;
        if is_killed.get() || polls > 20_000 {
            return Poll::Ready(None);
        }
        driven.as_mut().poll(cx).map(Some)
    })
    .await;
    let ending = match ended {
        Some(ended) => {
            ended.unwrap();
            Ending::Done
        }
        None => {
            assert!(polls <= 20_000, "it does not end: {}", world.borrow().story());
            Ending::Killed
        }
    };
    world.borrow_mut().end(&store.0.borrow(), ending);
}

/// Five crawls with faults that come and go, and three in peace, as the agent by hand has them.
async fn live(seed: u64) -> Rc<RefCell<World>> {
    let (world, store) = (Rc::new(RefCell::new(World::new(seed))), Shared::default());
    let faults = world.borrow_mut().rng.pick(&[0, 5, 15, 30, 60]).unwrap_or(15);
    for _ in 0..5 {
        crawl(&world, &store, true).await;
        if world.borrow().broken().is_some() {
            return world;
        }
        world.borrow_mut().turn(faults);
    }
    for _ in 0..3 {
        world.borrow_mut().heal();
        crawl(&world, &store, false).await;
    }
    if world.borrow().broken().is_none() {
        world.borrow_mut().check_peace(&store.0.borrow());
    }
    world
}

fn number(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "a long run is asked for by hand")]
    std::env::var(name).ok()?.parse().ok()
}

#[tokio::test]
async fn every_invariant_holds_in_every_life_that_is_driven() {
    let first = number("TCT_SEED");
    let seeds = first.map_or(0..number("TCT_SEEDS").unwrap_or(1000), |seed| seed..seed + 1);
    let mut broken = Vec::new();
    for seed in seeds {
        let world = live(seed).await;
        let world = world.borrow();
        if let Some(fault) = world.broken() {
            if broken.is_empty() {
                println!("{}", world.story());
            }
            broken.push((seed, fault.to_string()));
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}

fn start() -> CUrl {
    CUrl::parse("https://example.com/").unwrap()
}

fn answer(fields: &[(header::HeaderName, &str)], body: Pieces) -> Response<Pieces> {
    let mut response = Response::new(body);
    for (name, value) in fields {
        response.headers_mut().append(name.clone(), value.parse().unwrap());
    }
    response
}

/// A crawl that is dropped while it waits leaves in the store until when the server wants no requests.
#[tokio::test]
async fn a_pause_that_a_server_asks_for_outlives_the_crawl() {
    /// One that never wakes.
    struct Still;
    impl CrawlClock for Still {
        fn now(&self) -> UnixSeconds {
            UnixSeconds(1000)
        }
        async fn sleep(&self, _pause: Duration) {
            std::future::pending().await
        }
    }
    let mut client = service_fn(|_: Request<()>| async {
        let mut busy = answer(&[(header::RETRY_AFTER, "300")], Pieces::default());
        *busy.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        Ok::<_, Infallible>(busy)
    });
    let (mut store, mut robots) = (MemoryStore::default(), NoRobots);
    let mut crawl = Crawl::new(&start(), CrawlPolicy::default());
    let driving = drive(&mut crawl, &mut client, &mut robots, &mut store, &Still);
    assert!(tokio::time::timeout(Duration::from_millis(10), driving).await.is_err());
    assert_eq!(store.site().not_before, Some(UnixSeconds(1300)));
}

fn sitemap() -> Url {
    Url::parse("https://example.com/s.json").unwrap()
}

/// A policy that the sitemap links, as TCT recommends: it is read, and the pages come.
#[tokio::test]
async fn a_policy_that_the_sitemap_links_is_read() {
    let link = "</p.json>; rel=\"describedby\"; type=\"application/json\"";
    for (policy, expected) in [(r#"{}"#, 1), (r#"{"purposes":{"allow_ai_input":false}}"#, 0)] {
        let page = CUrl::parse("https://example.com/a/").unwrap();
        let sealed = tct::Payload::new(&page, "A", "Text.").seal().unwrap();
        let body = format!(
            r#"{{"items":[{{"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/llm/","contentHash":"{}"}}],"version":1}}"#,
            sealed.fingerprint()
        );
        let tag = format!("\"{}\"", sealed.fingerprint());
        let mut client = service_fn(|request: Request<()>| {
            let json = (header::CONTENT_TYPE, "application/json");
            let canonical = (header::LINK, "<https://example.com/a/>; rel=canonical");
            let answer = match request.uri().path() {
                "/s.json" => answer(&[json, (header::LINK, link)], pieces(body.as_bytes(), 7)),
                "/p.json" => answer(&[json], pieces(policy.as_bytes(), 2)),
                _ => answer(&[json, canonical, (header::ETAG, &tag)], pieces(sealed.body(), 100)),
            };
            async move { Ok::<_, Infallible>(answer) }
        });
        let (mut store, clock) = (MemoryStore::default(), Clock(Cell::new(1_000_000)));
        let mut crawl = Crawl::resume(&start(), store.site(), CrawlPolicy::default()).with_sitemap(sitemap());
        drive(&mut crawl, &mut client, &mut NoRobots, &mut store, &clock).await.unwrap();
        assert_eq!(store.pages().len(), expected, "{policy}");
    }
}

/// A body without an end is read as far as it is of use, and not asked for again.
#[tokio::test]
async fn downloads_end_where_they_are_of_no_use() {
    struct Endless(Rc<Cell<u64>>);
    impl Body for Endless {
        type Data = Bytes;
        type Error = Infallible;
        fn poll_frame(
            self: Pin<&mut Self>,
            _cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            self.0.set(self.0.get() + 1000);
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b' '; 1000])))))
        }
    }
    let limits = tct::SitemapLimits::default().with_max_bytes(10_000);
    let policy = CrawlPolicy::default().with_sitemap_limits(limits);
    let (taken, requests) = (Rc::new(Cell::new(0)), Rc::new(RefCell::new(Vec::new())));
    let mut client = service_fn(|request: Request<()>| {
        requests.borrow_mut().push(request.uri().path().to_owned());
        let answer = Response::new(Endless(Rc::clone(&taken)));
        async move { Ok::<_, Infallible>(answer) }
    });
    let (mut store, clock) = (MemoryStore::default(), Clock(Cell::new(1_000_000)));
    let mut crawl = Crawl::resume(&start(), store.site(), policy).with_sitemap(sitemap());
    drive(&mut crawl, &mut client, &mut NoRobots, &mut store, &clock).await.unwrap();
    assert_eq!(*requests.borrow(), ["/s.json", "/"]);
    assert!(taken.get() < 10_000 + (4 << 20) + 3000, "{}", taken.get());
}

/// robots.txt is fetched first, forbids, slows down and cannot be had; nothing is sent against it.
#[tokio::test]
async fn the_gate_is_asked_before_each_request() {
    #[derive(Default)]
    struct Gate {
        is_read: bool,
        fails: u32,
        last: Option<UnixSeconds>,
    }
    impl RobotsGate for Gate {
        fn ask(&mut self, url: &Url, now: UnixSeconds) -> RobotsVerdict {
            if !self.is_read {
                return RobotsVerdict::Fetch(url.join("/robots.txt").unwrap());
            }
            if self.fails > 0 {
                self.fails -= 1;
                return RobotsVerdict::NotNow;
            }
            if url.path() == "/2.json" {
                return RobotsVerdict::NotThis;
            }
            match self.last.replace(now) {
                Some(last) if now < last.saturating_add(10) => {
                    self.last = Some(last);
                    RobotsVerdict::After(last.saturating_add(10))
                }
                _ => RobotsVerdict::Send,
            }
        }

        fn on_answer(&mut self, answer: Option<&Response<Bytes>>, _now: UnixSeconds) {
            assert_eq!(answer.unwrap().body(), "rules");
            self.is_read = true;
        }
    }
    let asked = RefCell::new(Vec::new());
    let clock = Clock(Cell::new(1_000_000));
    let mut client = service_fn(|request: Request<()>| {
        asked.borrow_mut().push((request.uri().path().to_owned(), clock.0.get() - 1_000_000));
        let mut answer = answer(&[], pieces(b"rules", 2));
        if request.uri().path() != "/robots.txt" {
            *answer.status_mut() = StatusCode::NOT_FOUND;
        }
        async move { Ok::<_, Infallible>(answer) }
    });
    let mut store = MemoryStore::default();
    let second = Url::parse("https://example.com/2.json").unwrap();
    let crawl = Crawl::resume(&start(), store.site(), CrawlPolicy::default());
    let mut crawl = crawl.with_sitemap(sitemap()).with_sitemap(second);
    let mut gate = Gate { fails: 1, ..Gate::default() };
    drive(&mut crawl, &mut client, &mut gate, &mut store, &clock).await.unwrap();
    let expected = [("/robots.txt", 0), ("/s.json", 60), ("/", 70)].map(|(path, at)| (path.to_owned(), at));
    assert_eq!(*asked.borrow(), expected);
}

/// The same with the rules of a file.
#[cfg(feature = "robots")]
#[tokio::test]
async fn a_robots_txt_is_obeyed() {
    let rules = b"User-agent: *\nCrawl-delay: 3\nDisallow: /s.json\n";
    for (status, expected) in [
        (
            200,
            &[("/robots.txt", 0), ("/", 0), ("/.well-known/llm-sitemap.json", 3), ("/llm-sitemap.json", 6)][..],
        ),
        (
            404,
            &[
                ("/robots.txt", 0),
                ("/s.json", 0),
                ("/", 0),
                ("/.well-known/llm-sitemap.json", 0),
                ("/llm-sitemap.json", 0),
            ],
        ),
        (503, &[("/robots.txt", 0)]),
    ] {
        let (asked, clock) = (RefCell::new(Vec::new()), Clock(Cell::new(1_000_000)));
        let mut client = service_fn(|request: Request<()>| {
            asked.borrow_mut().push((request.uri().path().to_owned(), clock.0.get() - 1_000_000));
            let mut answer = answer(&[], pieces(rules, 10));
            let is_robots = request.uri().path() == "/robots.txt";
            let code = if is_robots { status } else { 404 };
            *answer.status_mut() = StatusCode::from_u16(code).unwrap();
            async move { Ok::<_, Infallible>(answer) }
        });
        let mut store = MemoryStore::default();
        let policy = CrawlPolicy::default().with_probes();
        let mut crawl = Crawl::resume(&start(), store.site(), policy).with_sitemap(sitemap());
        let mut robots = tct_tower::RobotsTxt::new("examplebot");
        drive(&mut crawl, &mut client, &mut robots, &mut store, &clock).await.unwrap();
        let expected: Vec<_> = expected.iter().map(|(path, at)| ((*path).to_owned(), *at)).collect();
        assert_eq!(*asked.borrow(), expected, "{status}");
    }
}

/// A store that fails at each of its calls: the crawl ends with the store's own error.
#[tokio::test]
async fn a_store_that_fails_ends_the_crawl_and_is_named() {
    struct Failing(&'static str);
    impl Failing {
        fn fails<T>(&self, call: &str, else_found: T) -> Result<T, String> {
            if self.0 == call { Err(format!("{call} failed")) } else { Ok(else_found) }
        }
    }
    impl CrawlStore for Failing {
        type Error = String;
        fn page(&self, _key: &str) -> Result<Option<Cow<'_, PageState>>, String> {
            self.fails("page", None)
        }
        fn after(&self, _key: &str) -> Result<Option<StoredPage<'_>>, String> {
            self.fails("after", None)
        }
        fn count(&self) -> Result<u64, String> {
            self.fails("count", 7)
        }
        async fn store(&mut self, _report: PageReport) -> Result<(), String> {
            self.fails("store", ())
        }
        async fn store_site(&mut self, _site: SiteState) -> Result<(), String> {
            self.fails("store_site", ())
        }
        fn event(&mut self, _event: SiteEvent) {}
    }
    let answers = BTreeMap::from([(
        "/s.json",
        r#"{"items":[{"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/llm/"}],"version":1}"#,
    )]);
    for call in ["page", "after", "count", "store", "store_site"] {
        let mut client = service_fn(|request: Request<()>| {
            let body = answers.get(request.uri().path()).copied().unwrap_or_default();
            let answer = answer(&[(header::CONTENT_TYPE, "application/json")], pieces(body.as_bytes(), 9));
            async move { Ok::<_, Infallible>(answer) }
        });
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(sitemap());
        let clock = Clock(Cell::new(1_000_000));
        let failed =
            drive(&mut crawl, &mut client, &mut NoRobots, &mut Failing(call), &clock).await.unwrap_err();
        assert!(matches!(&failed, DriveError::Store(_)), "{call}");
        assert_eq!(failed.to_string(), format!("the store failed: {call} failed"));
    }
    assert_eq!(DriveError::<&str>::Broken.to_string(), "the crawl waits for nothing");
}

/// Each request says what it is for. What cannot be used is not asked for again, what did not come is.
#[tokio::test]
async fn requests_say_what_they_are_for_and_what_is_unusable_is_not_asked_again() {
    let listed =
        r#"{"items":[{"cUrl":"https://example.com/a/","mUrl":"https://example.com/a/llm/"}],"version":1}"#;
    for (sitemap_status, is_unusable, expected) in [
        (200, true, &["/s.json Sitemap", "/a/llm/ Twin"][..]),
        (200, false, &["/s.json Sitemap", "/a/llm/ Twin", "/a/llm/ Twin", "/a/llm/ Twin"]),
        (0, true, &["/s.json Sitemap", "/ Start"]),
    ] {
        let asked = RefCell::new(Vec::new());
        let mut client = service_fn(|request: Request<()>| {
            let wanted = request.extensions().get::<Wanted>().unwrap();
            assert!(wanted.max_bytes > 1_000_000, "{wanted:?}");
            let kind = format!("{:?}", wanted.kind);
            let kind = kind.split(' ').next().unwrap();
            asked.borrow_mut().push(format!("{} {kind}", request.uri().path()));
            let mut came =
                answer(&[(header::CONTENT_TYPE, "application/json")], pieces(listed.as_bytes(), 9));
            if sitemap_status == 0 || request.uri().path() != "/s.json" {
                came.extensions_mut().insert(Unusable);
            }
            let is_lost = !is_unusable && request.uri().path() != "/s.json";
            async move { if is_lost { Err("no answer") } else { Ok(came) } }
        });
        let (mut store, clock) = (MemoryStore::default(), Clock(Cell::new(1_000_000)));
        let mut crawl = Crawl::new(&start(), CrawlPolicy::default()).with_sitemap(sitemap());
        drive(&mut crawl, &mut client, &mut NoRobots, &mut store, &clock).await.unwrap();
        assert_eq!(*asked.borrow(), expected);
    }
}

/// The same site and store under kills: a crawl is dropped after each of its polls, with the store and the gate kept, and the
/// next one ends it. A store that fails at each of its calls is a kill too.
#[cfg(feature = "robots")]
#[tokio::test]
async fn a_crawl_that_is_dropped_at_any_poll_or_by_any_failure_of_its_store_is_ended_by_the_next() {
    /// A store whose writes take a turn before and after, and that may fail at one of its calls.
    struct Slow {
        inner: MemoryStore,
        calls: Cell<usize>,
        fails_at: usize,
    }
    impl Slow {
        fn call(&self) -> Result<(), &'static str> {
            self.calls.set(self.calls.get() + 1);
            if self.calls.get() == self.fails_at { Err("full") } else { Ok(()) }
        }
    }
    async fn turn() {
        let mut is_first = true;
        poll_fn(move |cx| {
            cx.waker().wake_by_ref();
            if core::mem::take(&mut is_first) { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
    }
    impl CrawlStore for Slow {
        type Error = &'static str;
        fn page(&self, key: &str) -> Result<Option<Cow<'_, PageState>>, &'static str> {
            self.call().map(|()| Pages::page(&self.inner, key))
        }
        fn after(&self, key: &str) -> Result<Option<StoredPage<'_>>, &'static str> {
            self.call().map(|()| Pages::after(&self.inner, key))
        }
        fn count(&self) -> Result<u64, &'static str> {
            self.call().map(|()| Pages::count(&self.inner))
        }
        async fn store(&mut self, report: PageReport) -> Result<(), &'static str> {
            turn().await;
            self.call()?;
            self.inner.take(report);
            turn().await;
            Ok(())
        }
        async fn store_site(&mut self, site: SiteState) -> Result<(), &'static str> {
            turn().await;
            self.call()?;
            self.inner.take_site(site);
            turn().await;
            Ok(())
        }
    }
    let pages = ["a", "b", "c"].map(|name| {
        let page = CUrl::parse(&format!("https://example.com/{name}/")).unwrap();
        let sealed = tct::Payload::new(&page, "A", format!("Text of {name}.")).seal().unwrap();
        (name, page, sealed)
    });
    let items: Vec<_> = pages.iter().map(|(name, _, sealed)| {
        let hash = sealed.fingerprint();
        format!(r#"{{"cUrl":"https://example.com/{name}/","mUrl":"https://example.com/{name}/llm/","contentHash":"{hash}"}}"#)
    }).collect();
    let listed = format!(r#"{{"items":[{}],"version":1}}"#, items.join(","));
    let told = RefCell::new(Vec::new());
    let mut client = service_fn(|request: Request<()>| {
        let path = request.uri().path().to_owned();
        told.borrow_mut().push(path.clone());
        let json = (header::CONTENT_TYPE, "application/json");
        let response = match path.as_str() {
            // A relative redirect: it leads on from the URL that answered.
            "/robots.txt" => {
                let mut moved = answer(&[(header::LOCATION, "rules/robots.txt")], Pieces::default());
                *moved.status_mut() = StatusCode::FOUND;
                moved
            }
            "/rules/robots.txt" => answer(&[], pieces(b"User-agent: *\nDisallow: /c/\n", 9)),
            "/s.json" => answer(&[json], pieces(listed.as_bytes(), 50)),
            _ => match pages.iter().find(|(name, ..)| path == format!("/{name}/llm/")) {
                Some((_, page, sealed)) => {
                    let (link, tag) =
                        (format!("<{page}>; rel=canonical"), format!("\"{}\"", sealed.fingerprint()));
                    answer(&[json, (header::LINK, &link), (header::ETAG, &tag)], pieces(sealed.body(), 30))
                }
                None => {
                    let mut missing = answer(&[], Pieces::default());
                    *missing.status_mut() = StatusCode::NOT_FOUND;
                    missing
                }
            },
        };
        async move {
            turn().await;
            Ok::<_, Infallible>(response)
        }
    });
    let mut reference = None;
    for (kill_after, fails_at) in (0..400).map(|n| (n, 0)).chain((1..40).map(|n| (usize::MAX, n))) {
        told.borrow_mut().clear();
        let clock = Clock(Cell::new(1_000_000));
        let mut robots = tct_tower::RobotsTxt::new("examplebot");
        let mut store = Slow { inner: MemoryStore::default(), calls: Cell::new(0), fails_at };
        let mut is_killed = false;
        for run in 0..2 {
            let crawl = Crawl::resume(&start(), store.inner.site(), CrawlPolicy::default());
            let mut crawl = crawl.with_sitemap(sitemap());
            let mut driven = pin!(drive(&mut crawl, &mut client, &mut robots, &mut store, &clock));
            let mut polls = 0;
            let ended = poll_fn(|cx| {
                polls += 1;
                assert!(polls < 10_000, "killed after {kill_after}: it does not end");
                if run == 0 && polls > kill_after {
                    return Poll::Ready(None);
                }
                driven.as_mut().poll(cx).map(Some)
            })
            .await;
            is_killed |= !matches!(ended, Some(Ok(())));
            if !is_killed {
                break;
            }
        }
        let of = |name: &str| {
            Some(store.inner.pages().page(&format!("https://example.com/{name}/llm/"))?.into_owned())
        };
        let found = (["a", "b", "c"].map(of), store.inner.site().sitemaps);
        let asked = &*told.borrow();
        for path in ["/rules/rules/robots.txt", "/c/llm/"] {
            assert!(
                !asked.iter().any(|known| known == path),
                "killed after {kill_after}, {fails_at}: {asked:?}"
            );
        }
        if kill_after == 0 {
            assert!(found.0[..2].iter().all(Option::is_some), "{asked:?}");
            reference = Some(found);
        } else {
            assert_eq!(Some(&found), reference.as_ref(), "killed after {kill_after}, {fails_at}: {asked:?}");
        }
    }
}
