//! The agent by hand: [`Crawl`] with everything that a caller can do to it, in any order.

use std::collections::VecDeque;

use http::Response;
use http::header::RETRY_AFTER;
use tct::crawl::{CrawlRequest, MemoryStore, RequestId, RequestKind};
use tct::{Crawl, CrawlNext, CrawlPolicy, UnixSeconds};
use url::Url;

use crate::judge::{Broken, Ending, World, start};
use crate::network::Reply;

/// More turns than any crawl of these sites needs.
const MAX_TURNS: usize = 20_000;

/// A body that is coming.
struct Body {
    id: RequestId,
    path: String,
    from: Url,
    status: u16,
    whole: Vec<u8>,
    rest: VecDeque<Vec<u8>>,
    is_cut: bool,
}

/// Lives a life of this many crawls and then two in peace. Returns the world, in which something may be broken.
#[must_use]
pub fn live(seed: u64, crawls: usize) -> World {
    let mut world = World::new(seed);
    let mut store = world.store();
    let faults = world.rng.pick(&[0, 5, 15, 30, 60]).unwrap_or(15);
    for _ in 0..crawls {
        crawl(&mut world, &mut store, true);
        // One that was killed goes on at once, now and then.
        while world.broken().is_none() && world.was_killed() && world.rng.percent(50) {
            crawl(&mut world, &mut store, true);
        }
        if world.broken().is_some() {
            return world;
        }
        world.turn(faults);
    }
    for _ in 0..3 {
        world.heal();
        crawl(&mut world, &mut store, false);
    }
    if world.broken().is_none() {
        world.check_peace(&store);
    }
    world
}

/// Lives the same life twice, with one request at a time and with several whose answers come in any order, and compares the
/// stores after each crawl.
#[must_use]
pub fn live_twice(seed: u64, crawls: usize) -> World {
    let (mut one, mut several) = (World::new(seed), World::new(seed));
    let (mut store_of_one, mut store) = (MemoryStore::default(), MemoryStore::default());
    let faults = one.rng.pick(&[0, 15, 40]).unwrap_or(0);
    for _ in 0..crawls {
        several.rng = one.rng.clone();
        for world in [&mut one, &mut several] {
            world.turn(faults);
            world.without_cuts();
        }
        several.now = one.now;
        crawl_with(&mut one, &mut store_of_one, 1, false);
        let parallel = 2 + several.rng.below(4);
        crawl_with(&mut several, &mut store, parallel, false);
        let (before, after) = (shown(&store_of_one), shown(&store));
        if before != after {
            one.tell(several.story());
            one.blame(Broken::Unlike(format!("one at a time {before}, {parallel} {after}")));
        }
        if one.broken().is_some() {
            break;
        }
    }
    one
}

/// What must not depend on the number of requests and the order of answers: all but times, since waits fall elsewhere.
fn shown(store: &MemoryStore) -> String {
    let states = store.pages().iter().map(|(key, state)| {
        let held = state.held.as_ref().map(|held| held.hash.to_string());
        format!("{key} {held:?} {:?} {} {:?}", state.listed, state.failures, state.unlisted_since.is_some())
    });
    states.collect::<Vec<_>>().join("\n") + &store.site().policy_json
}

/// One crawl, from the store into the store; a wild one is killed now and then, and its clock jumps.
pub fn crawl(world: &mut World, store: &mut MemoryStore, is_wild: bool) {
    let parallel = 1 + world.rng.below(4);
    crawl_with(world, store, parallel, is_wild);
}

fn crawl_with(world: &mut World, store: &mut MemoryStore, parallel: usize, is_wild: bool) {
    world.begin(store);
    let mut policy = CrawlPolicy::default().with_parallel(parallel);
    if is_wild && world.rng.percent(30) {
        policy.max_queue = 1 + world.rng.below(4);
    }
    let kill_at = if is_wild && world.rng.percent(25) { world.rng.below(60) } else { usize::MAX };
    let mut crawl = Crawl::resume(&start(), store.site(), policy);
    let (mut asked, mut bodies) = (Vec::<(CrawlRequest, Reply)>::new(), Vec::<Body>::new());
    for turn in 0..MAX_TURNS {
        if turn == kill_at {
            if world.rng.percent(50) {
                store.take_site(crawl.site_so_far());
            }
            return world.end(store, Ending::Killed);
        }
        if is_wild && world.rng.percent(1) {
            world.jump();
        }
        let now = UnixSeconds(world.now);
        // An answer or a piece may come before the crawl is asked again.
        let is_early = world.rng.percent(30);
        let next = if is_early { CrawlNext::Wait } else { crawl.next(store, now) };
        if let Some(site) = crawl.take_news() {
            store.take_site(site);
        }
        world.stored();
        match next {
            CrawlNext::Send(wanted) => {
                let reply = world.ask(&wanted.request, store);
                asked.push((wanted, reply));
            }
            CrawlNext::Page(report) => {
                let outcome = serde_json::to_string(&report.event).unwrap_or_default();
                let line = format!("report {} {}", report.key, outcome.chars().take(60).collect::<String>());
                world.tell(line);
                store.take(*report);
            }
            CrawlNext::Site(event) => world.tell(format!("event {event}")),
            CrawlNext::Done => {
                store.take_site(crawl.site().clone());
                return world.end(store, Ending::Done);
            }
            CrawlNext::Wait => {
                let wanted: Vec<usize> =
                    (0..bodies.len()).filter(|body| crawl.wants_chunk(bodies[*body].id)).collect();
                if !asked.is_empty() && (wanted.is_empty() || world.rng.percent(50)) {
                    let index = world.rng.below(asked.len());
                    let wanted = asked.swap_remove(index);
                    bodies.extend(respond(world, store, &mut crawl, wanted, now));
                } else if let Some(body) = world.rng.pick(&wanted) {
                    if !piece(world, store, &mut crawl, &mut bodies[body], now) {
                        bodies.swap_remove(body);
                    }
                } else if !is_early {
                    match crawl.wake_at(now) {
                        Some(at) if at > now && at.0 - now.0 <= 86_400 => world.now = at.0,
                        at => return world.blame(Broken::Stuck(format!("wake_at {at:?} at {now:?}"))),
                    }
                }
            }
            other => return world.blame(Broken::Stuck(format!("{other:?}"))),
        }
    }
    world.blame(Broken::Stuck("it does not end".to_owned()));
}

/// Hands in what comes back for a request; a body that is coming where it comes in pieces.
fn respond(
    world: &mut World,
    store: &MemoryStore,
    crawl: &mut Crawl,
    (wanted, reply): (CrawlRequest, Reply),
    now: UnixSeconds,
) -> Option<Body> {
    let CrawlRequest { id, url, kind, .. } = wanted;
    let Reply::Answer { from, response, cut } = reply else {
        crawl.on_failure(id, now).map_err(|error| world.blame(Broken::Misled(error.to_string()))).ok();
        return None;
    };
    let (path, status) = (url.path().to_owned(), response.status().as_u16());
    let pause = response.headers().get(RETRY_AFTER).and_then(|secs| secs.to_str().ok()?.parse().ok());
    if let Some(secs) = pause.filter(|_| cut.is_none()) {
        world.pause(secs);
    }
    if kind == RequestKind::Sitemap && world.rng.percent(70) {
        let (head, mut whole) = response.into_parts();
        let is_wanted = crawl.on_head(id, &from, &Response::from_parts(head, ()), now);
        if is_wanted != Ok(true) {
            world.delivered(&path, &from, status, &whole);
            return None;
        }
        whole.truncate(cut.unwrap_or(whole.len()));
        let size = 1 + world.rng.below(whole.len().max(1));
        let rest = whole.chunks(size).map(<[u8]>::to_vec).collect();
        return Some(Body { id, path, from, status, whole, rest, is_cut: cut.is_some() });
    }
    if cut.is_some() {
        crawl.on_failure(id, now).map_err(|error| world.blame(Broken::Misled(error.to_string()))).ok();
        return None;
    }
    world.delivered(&path, &from, status, response.body());
    if let Err(error) = crawl.on_response(id, &from, &response, store, now) {
        world.blame(Broken::Misled(error.to_string()));
    }
    // What comes twice changes nothing.
    if world.rng.percent(10) && crawl.on_response(id, &from, &response, store, now).is_ok() {
        world.blame(Broken::Misled(format!("two answers for {path}")));
    }
    if world.rng.percent(5)
        && (crawl.on_failure(id, now).is_ok() || crawl.on_chunk(id, b"{", store, now).is_ok())
    {
        // A sitemap for which there was no room is still being read, and cannot fail any more.
        world.blame(Broken::Misled(format!("an answer and a failure for {path}")));
    }
    None
}

/// Hands in the next piece. Returns false behind the last.
fn piece(
    world: &mut World,
    store: &MemoryStore,
    crawl: &mut Crawl,
    body: &mut Body,
    now: UnixSeconds,
) -> bool {
    let taken = match body.rest.pop_front() {
        Some(piece) => {
            if let Err(error) = crawl.on_chunk(body.id, &piece, store, now) {
                world.blame(Broken::Misled(error.to_string()));
            }
            return true;
        }
        None if body.is_cut => crawl.on_failure(body.id, now),
        None => {
            world.delivered(&body.path, &body.from, body.status, &body.whole);
            crawl.on_chunks_end(body.id, now)
        }
    };
    if let Err(error) = taken {
        world.blame(Broken::Misled(error.to_string()));
    }
    false
}
