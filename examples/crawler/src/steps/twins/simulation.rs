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
use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::Frame;
use redb::backends::InMemoryBackend;
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use serde_json::json;
use tct::UnixSeconds;
use tct::crawl::MemoryStore;
use tct_tower::{CrawlClock, NoRobots, drive};
use tct_world::{Ending, Reply, World};
use tower_service::Service;

use super::{Shared, policy, store::Twins};
use crate::client::Client;
use crate::gate::Gate;
use crate::limits::Limits;
use crate::progress::Progress;
use crate::resolver::PublicResolver;
use crate::site::Visitor;
use crate::store::{Entry, Kind, Store};
use crate::task::PageWork;
use crate::writer::Writer;
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

/// What the export shows under a URL is the text that is held for that URL, and its hash.
fn check_export(store: &Store, world: &World) {
    let mut wrong = Vec::new();
    let check = |url: &str, entry: &Entry, _: &[u8]| {
        let state = store.page(SITE, &entry.source)?.unwrap_or_default().state;
        if state.c_url != url || state.held.map(|held| held.hash) != Some(entry.held.hash.clone()) {
            wrong.push(url.to_owned());
        }
        Ok(())
    };
    store.each_entry(check).unwrap();
    assert!(wrong.is_empty(), "{wrong:?}: {}", world.story());
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
struct Net<'w> {
    world: &'w Rc<RefCell<World>>,
    store: &'w Store,
    asked: &'w Cell<usize>,
}

impl Service<Request<()>> for Net<'_> {
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
            Reply::Answer { from, response, cut } => {
                let (head, body) = response.into_parts();
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
async fn crawl(world: &Rc<RefCell<World>>, shared_crawl: &Arc<Crawl>, is_wild: bool) {
    let store = shared_crawl.store.clone();
    world.borrow_mut().begin(&seen(&store));
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
    let mut client = Net { world, store: &store, asked: &asked };
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
    let ending = match ended {
        Some(Ok(())) => Ending::Done,
        Some(Err(error)) => panic!("{error:?}: {}", world.borrow().story()),
        None => Ending::Killed,
    };
    // What was handed to the writer before the end is written, or is not: here it is.
    shared_crawl.writer.commit(crate::writer::Changes::default()).await.unwrap();
    world.borrow_mut().end(&seen(&store), ending);
    check_export(&store, &world.borrow());
}

async fn live(seed: u64) -> Rc<RefCell<World>> {
    let world = Rc::new(RefCell::new(World::new(seed)));
    let store = Store::on(InMemoryBackend::new()).unwrap();
    let options = options();
    let tls = tls::client_config(&[]).unwrap();
    let client = Client::new(&options.agent, tls, PublicResolver::default(), options.limits).unwrap();
    let gate = Gate::new(client, options.cooldown, options.parallel, options.max_wait);
    let (writer, thread) =
        Writer::start(store.clone(), Box::new(std::io::sink()), Progress::hidden(), options.max_pages);
    let (new_sites, _arrivals) = tokio::sync::mpsc::unbounded_channel();
    let shared = Arc::new(Crawl { store: store.clone(), writer, gate, options, new_sites });
    let faults = world.borrow_mut().rng.pick(&[0, 5, 15, 30, 60]).unwrap_or(15);
    for _ in 0..5 {
        crawl(&world, &shared, true).await;
        if world.borrow().broken().is_some() {
            break;
        }
        world.borrow_mut().turn(faults);
    }
    if world.borrow().broken().is_none() {
        for _ in 0..3 {
            world.borrow_mut().heal();
            crawl(&world, &shared, false).await;
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
