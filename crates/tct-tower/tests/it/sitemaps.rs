//! What sitemaps cost the inner service where there is a clock, in a seeded world: pages fail and recover, change and are
//! reported, and visitors want the sitemap at once, one after the other, and go before it comes.
//!
//! `SEEDS=100000 cargo test -p tct-tower --release --test it sitemaps` is a long run, `SEED=17` one seed alone.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and who starts it says how long it runs"
)]

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use tct::sitemap::Sitemap;
use tct::{SitemapReader, UnixSeconds};
use tct_tower::{Settings, TctLayer, TwinContent};
use tower::{Layer as _, ServiceExt as _};

use crate::world::{Answering, Dice};

const PAGES: usize = 6;
/// How old a sitemap may be, and how long a page that failed is left alone.
const AGE: u64 = 300;
const RETRY: u64 = 60;

#[derive(Default)]
struct Site {
    /// The text of each page; `None` while it fails.
    texts: Vec<Option<usize>>,
    /// Whether it failed at any time.
    has_failed: Vec<bool>,
    /// How often each page was asked for since the world last looked.
    asked: Vec<usize>,
    dice: usize,
}

/// Waits for a number of polls.
async fn wait(mut turns: usize) {
    std::future::poll_fn(|_| {
        if turns == 0 {
            return Poll::Ready(());
        }
        turns -= 1;
        Poll::Pending
    })
    .await;
}

async fn answer(site: Arc<Mutex<Site>>, request: Request<()>) -> Result<Response<Full<Bytes>>, Infallible> {
    let page: usize = request.uri().path().trim_matches('/').parse().unwrap();
    let turns = {
        let mut site = site.lock().unwrap();
        site.asked[page] += 1;
        site.dice += 1;
        site.dice * 7 % 5
    };
    wait(turns).await;
    let text = site.lock().unwrap().texts[page];
    wait(turns / 2).await;
    let mut response = Response::new(Full::from(format!("<p>{text:?}</p>")));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
    if text.is_none() {
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    }
    Ok(response)
}

fn content(_: &url::Url, _: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let html = std::str::from_utf8(html).ok()?;
    Some(TwinContent::new("A page", html.strip_prefix("<p>")?.strip_suffix("</p>")?, ""))
}

/// The hash of the twin of a page with this text.
fn hash(page: usize, text: usize) -> tct::Fingerprint {
    let url = tct::CUrl::parse(&format!("https://example.com/{page}/")).unwrap();
    tct::Payload::new(&url, "A page", format!("{:?}", Some(text))).seal().unwrap().fingerprint()
}

struct Asked {
    /// The text that each page had when this was asked for, if it had been reported and did not change since.
    texts: Vec<Option<usize>>,
    answer: Answering<Response<Bytes>>,
}

/// How many sitemaps came, and how many requests the service got.
fn play(seed: u64) -> (usize, usize) {
    let mut dice = Dice::new(seed);
    let is_down = dice.roll(3) == 0;
    let first = |page| if is_down { None } else { Some(page) };
    let site = Site {
        texts: (0..PAGES).map(first).collect(),
        has_failed: vec![is_down; PAGES],
        asked: vec![0; PAGES],
        dice: dice.roll(100),
    };
    let (site, now) = (Arc::new(Mutex::new(site)), Arc::new(Mutex::new(1_000_u64)));
    let clock = Arc::clone(&now);
    let settings = Settings::new("https://example.com", content).unwrap();
    let settings = settings.with_pages((0..PAGES).map(|page| format!("/{page}/")));
    let layer = TctLayer::new(settings.with_sitemap_age(AGE, move || UnixSeconds(*clock.lock().unwrap())));
    let inner = Arc::clone(&site);
    let service = layer.layer(tower::service_fn(move |request| {
        let site = Arc::clone(&inner);
        Box::pin(answer(site, request)) as Answering<Result<_, Infallible>>
    }));
    let mut flight: Vec<Asked> = Vec::new();
    let (mut sitemaps, mut requests) = (0, 0);
    // What may be asked for in this moment: reports of each page, and requests that were given up.
    let (mut reports, mut given_up) = (vec![0; PAGES], 0);
    // When all pages were last asked for, and each.
    let (mut checked, mut tried) = (None::<u64>, [None::<u64>; PAGES]);
    for _ in 0..400 {
        match dice.roll(12) {
            0 => {
                let page = dice.roll(PAGES);
                let mut site = site.lock().unwrap();
                let is_failing = dice.roll(3) == 0;
                site.has_failed[page] |= is_failing;
                site.texts[page] = if is_failing { None } else { Some(dice.roll(1000)) };
                drop(site);
                for asked in &mut flight {
                    asked.texts[page] = None;
                }
                assert!(layer.page_changed(&format!("/{page}/")));
                reports[page] += 1;
            }
            1 if !flight.is_empty() => {
                let place = dice.roll(flight.len());
                drop(flight.swap_remove(place));
                // The page that it asked for is asked for again, and the check that it may have begun is begun anew.
                given_up += 2;
            }
            2 => {
                // Nothing is under way while time goes by.
                while !flight.is_empty() {
                    let place = dice.roll(flight.len());
                    sitemaps += usize::from(advance(seed, &mut flight, place));
                }
                let at = *now.lock().unwrap();
                let is_past = |last: Option<u64>, secs| last.is_none_or(|last| at - last >= secs);
                let may_check = is_past(checked, AGE);
                let mut site = site.lock().unwrap();
                // A check asks for all.
                if may_check && site.asked.iter().all(|asked| *asked > 0) {
                    checked = Some(at);
                }
                for page in 0..PAGES {
                    let asked = core::mem::take(&mut site.asked[page]);
                    let others = reports[page] + given_up;
                    let may_ask = may_check || (is_past(tried[page], RETRY) && site.has_failed[page]);
                    assert!(
                        asked <= others + usize::from(may_ask),
                        "seed {seed}: page {page} was asked for {asked} times at {at}, {others} explained, the last {:?}",
                        tried[page]
                    );
                    if asked > others {
                        tried[page] = Some(at);
                    }
                    // A page that was reported is due until it is asked for.
                    let free = given_up + usize::from(may_ask);
                    reports[page] = reports[page].saturating_sub(asked.saturating_sub(free)).min(1);
                    requests += asked;
                }
                // The check may have been given up.
                checked = checked.filter(|_| given_up == 0);
                given_up = 0;
                *now.lock().unwrap() += [1, 20, 70, 310][dice.roll(4)];
            }
            3..6 if flight.len() < 8 => {
                let request = Request::builder().uri("/llm-sitemap.json").body(()).unwrap();
                let service = service.clone();
                let texts = site.lock().unwrap().texts.clone();
                flight.push(Asked {
                    texts,
                    answer: Box::pin(async move {
                        let (head, body) = service.oneshot(request).await.unwrap().into_parts();
                        Response::from_parts(head, body.collect().await.unwrap().to_bytes())
                    }),
                });
            }
            _ if !flight.is_empty() => {
                let place = dice.roll(flight.len());
                sitemaps += usize::from(advance(seed, &mut flight, place));
            }
            _ => {}
        }
    }
    (sitemaps, requests)
}

/// Polls one request, and judges its sitemap.
fn advance(seed: u64, flight: &mut Vec<Asked>, place: usize) -> bool {
    let polled = flight[place].answer.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    let Poll::Ready(answer) = polled else { return false };
    let asked = flight.swap_remove(place);
    if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
        assert!(answer.headers().contains_key(RETRY_AFTER));
        return false;
    }
    assert_eq!(answer.status(), StatusCode::OK);
    let mut listed = Sitemap::new();
    listed.read(answer.body(), SitemapReader::any_origin()).unwrap();
    for (page, text) in asked.texts.iter().enumerate() {
        let Some(text) = text else { continue };
        let url = format!("https://example.com/{page}/");
        let found = listed.pages().iter().find(|item| item.c_url == url).and_then(|item| item.hash);
        assert_eq!(found, Some(hash(page, *text)), "seed {seed}: page {page} was reported, or never failed");
    }
    true
}

#[test]
fn sitemaps_cost_a_request_a_page_in_their_age_however_many_want_them() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let seeds = match number("SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("SEEDS").unwrap_or(100),
    };
    let is_long = seeds.end - seeds.start >= 100;
    let (mut sitemaps, mut requests) = (0, 0);
    for seed in seeds.clone() {
        let (came, cost) = play(seed);
        (sitemaps, requests) = (sitemaps + came, requests + cost);
    }
    println!("{} seeds: {sitemaps} sitemaps, {requests} requests", seeds.end - seeds.start);
    assert!(!is_long || (sitemaps > 2_000 && requests > 2_000), "{sitemaps}, {requests}");
}
