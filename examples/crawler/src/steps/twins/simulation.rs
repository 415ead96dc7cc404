//! The store and what the driver tells it, in the seeded world of `tct-world`: each life is five crawls with faults that come
//! and go, killed now and then, and three in peace. `CRAWLER_LIVES=1000 cargo test -p crawler --lib simulation` plays more of
//! them, `CRAWLER_LIFE=17` tells the story of one.

#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test says what it expects in the plainest way"
)]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::ETAG;
use http::{HeaderValue, Request, Response};
use http_body::Frame;
use redb::backends::InMemoryBackend;
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use serde_json::json;
use signals::{Purpose, Signals, Verdict, decide};
use tct::UnixSeconds;
use tct::crawl::{MemoryStore, RequestKind};
use tct::policy::RateHint;
use tct_tower::{CrawlClock, NoRobots, Wanted, drive};
use tct_world::{Ending, Reply, Rng, Site, World};
use tower_service::Service;
use url::Url;

use super::{Answer, Shared, policy, store::Twins};
use crate::client::{Client, Exchange};
use crate::fetch_error::FetchErrorKind;
use crate::gate::Gate;
use crate::limits::{BodyLimit, Limits};
use crate::progress::Progress;
use crate::resolver::PublicResolver;
use crate::site::Visitor;
use crate::steps::usage;
use crate::store::{Entry, Kind, Store};
use crate::task::PageWork;
use crate::writer::{Changes, Writer, WriterThread};
use crate::{Crawl, DocumentVersion, Options, tls};

const SITE: &str = tct_world::ORIGIN;

fn options() -> Options {
    let builder = AiWebIndexAgent::builder(AiWebIndexVersion::V1).info_url("https://crawler.example/bot");
    Options {
        agent: builder.build().unwrap(),
        verifier: builder.verification(true).build().unwrap(),
        limits: Limits::default(),
        certificates: Vec::new(),
        resolve: std::collections::BTreeMap::new(),
        cooldown: Duration::ZERO,
        parallel: 1,
        max_wait: Duration::from_secs(600),
        retry_secs: 60,
        max_pages: 50,
        depth: 8,
        probe: false,
        purpose: signals::Purpose::AiInput,
        signer: None,
        document_version: DocumentVersion::V1,
        verify: false,
        tokens: Vec::new(),
        keys: None,
        resolvers: Vec::new(),
        restart: false,
    }
}

/// What the crawler's store holds of the site, as the world judges it.
fn seen(store: &Store) -> MemoryStore {
    let (mut pages, mut bodies) = (serde_json::Map::new(), serde_json::Map::new());
    let stored = store.pages(SITE).unwrap();
    stored
        .each(|key, record| {
            // What counts is what the export shows, and the page's other twins.
            let entry = store.entry(&record.state.c_url)?.filter(|entry| entry.kind == Kind::Twin);
            if entry.is_some_and(|entry| entry.source == key || entry.others.iter().any(|it| it == key))
                && let Some(body) = store.twin(SITE, key)?
            {
                bodies.insert(key.to_owned(), json!(String::from_utf8(body).unwrap()));
            }
            pages.insert(key.to_owned(), serde_json::to_value(record.state)?);
            Ok(())
        })
        .unwrap();
    let site = store.site(SITE).unwrap().tct;
    serde_json::from_value(json!({ "site": site, "pages": pages, "bodies": bodies })).unwrap()
}

/// What the export shows under a URL is the text that is held for that URL, and its hash. No line of it allows what the site's
/// last statement denies, unless the crawl was killed that was told.
fn check_export(store: &Store, world: &World, said: &Said, ending: Ending) {
    let (mut wrong, site) = (Vec::new(), store.site(SITE).unwrap());
    let check = |url: &str, entry: &Entry, _: &[u8]| {
        let state = store.page(SITE, &entry.source)?.unwrap_or_default().state;
        if state.c_url != url || state.held.map(|held| held.hash) != Some(entry.held.hash.clone()) {
            wrong.push(url.to_owned());
        }
        if ending == Ending::Killed {
            return Ok(());
        }
        let signals = usage::of_entry(&site, entry);
        let denies = |purpose| decide(&signals, purpose, &[]).verdict == Verdict::Deny;
        let is_closed = site.policy().asks_for_no_requests();
        if (world.is_denied() && !is_closed)
            || (said.heard.contains(&entry.source) && !denies(Purpose::AiTrain))
        {
            wrong.push(format!("{url} is allowed"));
        }
        Ok(())
    };
    store.each_entry(check).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}: {}", world.story());
}

/// Twins whose answers deny a use beside the crawl's own, from some time on.
#[derive(Default)]
struct Said {
    /// The publisher says it.
    denied: BTreeSet<String>,
    /// It came with a sound answer of the present crawl.
    coming: BTreeSet<String>,
    /// It came with one of a crawl that was not killed.
    heard: BTreeSet<String>,
}

impl Said {
    /// Adds the field to a sound answer that is the twin's own.
    fn add(&mut self, world: &World, url: &Url, response: &mut Response<Vec<u8>>) {
        // Where a redirect led, the twin says the same.
        let path = url.path().strip_prefix("/elsewhere").unwrap_or(url.path());
        let twin = tct_world::url(path).to_string();
        if !self.denied.contains(&twin) {
            return;
        }
        let Some(sound) = world.site.resources().remove(path) else { return };
        let is_own = response.headers().get(ETAG).is_some_and(|tag| tag.as_bytes() == sound.etag.as_bytes());
        if is_own && (response.status() == 304 || *response.body() == sound.body) {
            response.headers_mut().insert("content-signal", HeaderValue::from_static("ai-train=no"));
            self.coming.insert(twin);
        }
    }

    /// The publisher works on it.
    fn turn(&mut self, rng: &mut Rng) {
        let twins = (0..9).flat_map(|page| [Site::twin(page, false), Site::twin(page, true)]);
        self.denied.extend(twins.filter(|_| rng.percent(10)).map(|twin| tct_world::url(&twin).to_string()));
    }
}

/// A body that comes in pieces, and perhaps breaks off.
struct Pieces(VecDeque<Result<Bytes, &'static str>>);

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = &'static str;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Ready(self.0.pop_front().map(|piece| piece.map(Frame::data)))
    }
}

/// The world as a client sees it.
struct Net<'w, 'v> {
    shared: &'w Shared<'v>,
    world: &'w Rc<RefCell<World>>,
    store: &'w Store,
    asked: &'w Cell<usize>,
    said: &'w RefCell<Said>,
}

impl Service<Request<()>> for Net<'_, '_> {
    type Response = Response<Pieces>;
    type Error = &'static str;
    type Future = std::future::Ready<Result<Response<Pieces>, &'static str>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), &'static str>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<()>) -> Self::Future {
        self.asked.set(self.asked.get() + 1);
        let mut world = self.world.borrow_mut();
        let size = 1 + world.rng.below(2000);
        std::future::ready(match world.ask(&request, &seen(self.store)) {
            Reply::Nothing => Err("no answer"),
            // The client follows no redirect, so another origin's answer is not seen.
            Reply::Answer { from, .. } if from.host_str() != Some("site.example") => Err("another origin"),
            Reply::Answer { from, mut response, cut } => {
                if cut.is_none() {
                    self.said.borrow_mut().add(&world, &from, &mut response);
                }
                let (head, body) = response.into_parts();
                if let Some(Wanted { kind: RequestKind::Twin { key }, .. }) = request.extensions().get() {
                    let (status, headers) = (head.status, head.headers.clone());
                    let (url, body, took) = (from.clone(), Vec::new(), Duration::ZERO);
                    let exchange = Exchange { url, status, headers, body, received: 0, took };
                    let answer = Answer { head: Some(exchange), failure: None };
                    self.shared.visit.try_lock().unwrap().answers.insert(key.clone(), answer);
                }
                let came = &body[..cut.unwrap_or(body.len())];
                let mut pieces: VecDeque<_> =
                    came.chunks(size).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
                match cut {
                    Some(_) => pieces.push_back(Err("cut")),
                    None => world.delivered(request.uri().path(), &from, head.status.as_u16(), &body),
                }
                Ok(Response::from_parts(head, Pieces(pieces)))
            }
        })
    }
}

struct WorldClock<'w>(&'w Rc<RefCell<World>>);

impl CrawlClock for WorldClock<'_> {
    fn now(&self) -> UnixSeconds {
        UnixSeconds(self.0.borrow().now)
    }

    async fn sleep(&self, pause: Duration) {
        self.0.borrow_mut().now += pause.as_secs();
    }
}

/// One crawl. A wild one is killed now and then: at a request, or while something is being written.
async fn crawl(world: &Rc<RefCell<World>>, shared_crawl: &Arc<Crawl>, said: &RefCell<Said>, is_wild: bool) {
    let store = shared_crawl.store.clone();
    world.borrow_mut().begin(&seen(&store));
    said.borrow_mut().coming.clear();
    let (mut kill_at, mut polls_left) = (usize::MAX, usize::MAX);
    if is_wild {
        let rng = &mut world.borrow_mut().rng;
        match rng.below(6) {
            0 => kill_at = rng.below(12),
            1 => polls_left = 1 + rng.below(40),
            _ => {}
        }
    }
    let mut visitor = Visitor::new(Arc::clone(shared_crawl), SITE.to_owned()).unwrap();
    let first = tct_world::start();
    let mut session = tct::Crawl::resume(&first, visitor.record.tct.clone(), policy(&shared_crawl.options));
    let shared = Shared::new(&mut visitor, &PageWork::new(first.as_url().clone(), 0));
    let mut twins = Twins { shared: &shared, crawl: Arc::clone(shared_crawl), site: SITE.to_owned() };
    let (asked, clock) = (Cell::new(0), WorldClock(world));
    let mut client = Net { shared: &shared, world, store: &store, asked: &asked, said };
    let mut robots = NoRobots;
    let ended = {
        let mut driving = pin!(drive(&mut session, &mut client, &mut robots, &mut twins, &clock));
        poll_fn(|cx| {
            if asked.get() > kill_at || polls_left == 0 {
                return Poll::Ready(None);
            }
            polls_left -= 1;
            driving.as_mut().poll(cx).map(Some)
        })
        .await
    };
    let is_denied = shared.visit.into_inner().is_denied;
    let ending = match ended {
        Some(Ok(())) => Ending::Done,
        Some(Err(error)) => panic!("{error:?}: {}", world.borrow().story()),
        None => Ending::Killed,
    };
    if ending == Ending::Done {
        usage::forget_refused(&mut visitor, is_denied).await.unwrap();
        for (url, entry) in store.entries_after(SITE, "", usize::MAX).unwrap() {
            let refusal = usage::refusal_of(&visitor, &entry);
            assert_eq!(refusal, None, "{url} is held: {}", world.borrow().story());
        }
        visitor.commit(Changes::default()).await.unwrap();
        let is_closed = matches!(visitor.record.policy().per_day, RateHint::AtMost(0.0));
        assert!(!is_closed || world.borrow().is_denied(), "{}", world.borrow().story());
        if is_closed {
            // What comes after the twins sends nothing either.
            let url = first.as_url().clone();
            let answer = visitor.fetch(crate::client::Request::get(url, BodyLimit::Refuse(1))).await;
            assert_eq!(answer.unwrap_err().kind(), FetchErrorKind::Unwanted);
        }
        let mut said = said.borrow_mut();
        let came = std::mem::take(&mut said.coming);
        said.heard.extend(came);
    }
    // What was handed to the writer before the end is written, or is not: here it is.
    shared_crawl.writer.commit(Changes::default()).await.unwrap();
    world.borrow_mut().end(&seen(&store), ending);
    check_export(&store, &world.borrow(), &said.borrow(), ending);
}

fn crawl_on(store: &Store) -> (Arc<Crawl>, WriterThread) {
    let options = options();
    let tls = tls::client_config(&[]).unwrap();
    let client = Client::new(&options.agent, tls, PublicResolver::default(), options.limits).unwrap();
    let gate = Gate::new(client, options.cooldown, options.parallel, options.max_wait);
    let (writer, thread) =
        Writer::start(store.clone(), Box::new(std::io::sink()), Progress::hidden(), options.max_pages);
    let (new_sites, _arrivals) = tokio::sync::mpsc::unbounded_channel();
    (Arc::new(Crawl { store: store.clone(), writer, gate, options, new_sites }), thread)
}

async fn live(seed: u64) -> Rc<RefCell<World>> {
    let world = Rc::new(RefCell::new(World::new(seed)));
    let store = Store::on(InMemoryBackend::new()).unwrap();
    let (shared, thread) = crawl_on(&store);
    // Of its own, so that the world is the same with it and without.
    let (mut rng, said) = (Rng::new(seed), RefCell::<Said>::default());
    let faults = world.borrow_mut().rng.pick(&[0, 5, 15, 30, 60]).unwrap_or(15);
    for _ in 0..5 {
        crawl(&world, &shared, &said, true).await;
        if world.borrow().broken().is_some() {
            break;
        }
        world.borrow_mut().turn(faults);
        said.borrow_mut().turn(&mut rng);
    }
    if world.borrow().broken().is_none() {
        for _ in 0..3 {
            world.borrow_mut().heal();
            crawl(&world, &shared, &said, false).await;
        }
    }
    if world.borrow().broken().is_none() {
        world.borrow_mut().check_peace(&seen(&store));
    }
    drop(shared);
    thread.join().unwrap();
    world
}

fn number(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "a long run is asked for by hand")]
    std::env::var(name).ok()?.parse().ok()
}

#[tokio::test]
async fn every_invariant_holds_in_every_life_that_the_store_keeps() {
    let lives = match number("CRAWLER_LIFE") {
        Some(life) => life..life + 1,
        None => 0..number("CRAWLER_LIVES").unwrap_or(60),
    };
    let mut broken = Vec::new();
    for life in lives.clone() {
        let world = live(life).await;
        let world = world.borrow();
        if lives.end - lives.start == 1 {
            println!("{}", world.story());
        }
        if let Some(fault) = world.broken() {
            broken.push((life, fault.to_string()));
        }
    }
    assert!(broken.is_empty(), "{} lives: {broken:#?}", broken.len());
}

/// As after a crawl that was killed behind the text of a site that allowed its use for a while.
#[tokio::test]
async fn a_text_that_was_stored_by_other_statements_is_looked_through() {
    let store = Store::on(InMemoryBackend::new()).unwrap();
    let (shared, thread) = crawl_on(&store);
    let mut visitor = Visitor::new(Arc::clone(&shared), SITE.to_owned()).unwrap();
    let policy = |may: bool| format!(r#"{{"purposes":{{"allow_ai_input":{may}}}}}"#);
    visitor.record.tct.policy_json = policy(false);
    usage::forget_refused(&mut visitor, true).await.unwrap();
    visitor.record.tct.policy_json = policy(true);
    let url = format!("{SITE}/a");
    let entry = Entry {
        kind: Kind::Document,
        source: url.clone(),
        others: Vec::new(),
        held: tct::HeldPage::new("a", UnixSeconds(1)),
        fresh_until: 0,
        title: String::new(),
        usage: Signals::default(),
        licences: Some(Vec::new()),
        follows_links: false,
    };
    let entries = vec![(url.clone(), entry, Some(b"a".to_vec()))];
    visitor.commit(Changes { entries, ..Changes::default() }).await.unwrap();
    assert!(store.entry(&url).unwrap().is_some());
    visitor.record.tct.policy_json = policy(false);
    usage::forget_refused(&mut visitor, true).await.unwrap();
    assert!(store.entry(&url).unwrap().is_none());
    drop((visitor, shared));
    thread.join().unwrap();
}
