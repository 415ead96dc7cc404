//! The client's layer against the server's.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail where it stands")]

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use bot_auth::{CrawlerSigner, KeySchedule, Policy, ScheduledKey};
use bot_auth_tower::{BotLayer, SignLayer};
use http::{HeaderValue, Request, Response, StatusCode};
use jwk::SigningKey;
use tower::{Layer as _, ServiceExt as _, service_fn};
use web_values::UnixSeconds;

use crate::world::{AGENT, SITE, START, World, signer, site};

/// A layer that signs with fresh bytes each time.
fn layer(world: &World, signer: CrawlerSigner) -> SignLayer {
    let (world, count) = (world.clone(), AtomicU8::new(0));
    SignLayer::always(signer, move || world.at(), move || [count.fetch_add(1, Ordering::Relaxed); 32])
}

fn request(path: &str, body: &'static str) -> Request<Body> {
    Request::post(format!("{SITE}{path}")).body(Body::from(body)).unwrap()
}

#[tokio::test]
async fn what_the_client_signs_the_server_verifies() {
    let world = World::new();
    let site = site(&BotLayer::require(world.settings()));
    let client = layer(&world, signer()).layer(site);
    for body in ["", "7 cups"] {
        for _ in 0..2 {
            let response = client.clone().oneshot(request("/order?a=1", body)).await.unwrap();
            assert_eq!(response.status(), StatusCode::OK, "{body}");
        }
    }
    // Nothing goes out unsigned, and nothing is signed in the clear.
    let plain = Request::get("http://shop.example/").body(Body::empty()).unwrap();
    let error = client.clone().oneshot(plain).await.unwrap_err();
    assert!(error.to_string().contains("https"), "{error}");
}

#[tokio::test]
async fn a_client_signs_when_it_is_asked() {
    let world = World::new();
    let sent = Arc::new(AtomicUsize::new(0));
    let policy =
        Policy { components: vec!["\"x-tenant\"".into()], requires_nonce: true, ..Policy::default() };
    let site = site(&BotLayer::require(world.settings().policy(policy)));
    let counted = {
        let sent = Arc::clone(&sent);
        service_fn(move |request: Request<Body>| {
            sent.fetch_add(1, Ordering::Relaxed);
            site.clone().oneshot(request)
        })
    };
    let client = layer(&world, signer()).when_asked().layer(counted);
    let ask = async |path: &str| {
        let mut request = request(path, "7 cups");
        request.headers_mut().insert("x-tenant", HeaderValue::from_static("7"));
        client.clone().oneshot(request).await.unwrap().status()
    };
    assert_eq!((ask("/a").await, sent.load(Ordering::Relaxed)), (StatusCode::OK, 2));
    // From then on it signs at once.
    assert_eq!((ask("/b").await, sent.load(Ordering::Relaxed)), (StatusCode::OK, 3));
}

/// A site that asks for more than it did is heard without a restart of the client, whether it refuses or only says so.
#[tokio::test]
async fn a_changed_wish_is_heard() {
    for (is_required, is_always) in [(true, false), (true, true), (false, false), (false, true)] {
        let world = World::new();
        let of = |components: &[&str]| {
            let components = components.iter().map(|&name| name.into()).collect();
            let settings = world.settings().policy(Policy { components, ..Policy::default() });
            site(&if is_required { BotLayer::require(settings) } else { BotLayer::prefer(settings) })
        };
        let sites = [of(&["\"x-first\""]), of(&["\"x-second\""])];
        let (policy, sent) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let server = {
            let (policy, sent) = (Arc::clone(&policy), Arc::clone(&sent));
            service_fn(move |request: Request<Body>| {
                sent.fetch_add(1, Ordering::Relaxed);
                sites[policy.load(Ordering::Relaxed)].clone().oneshot(request)
            })
        };
        let client = layer(&world, signer());
        let client = if is_always { client } else { client.when_asked() }.layer(server);
        let ask = async || {
            let mut request = request("/", "");
            for name in ["x-first", "x-second"] {
                request.headers_mut().insert(name, HeaderValue::from_static("7"));
            }
            let before = sent.load(Ordering::Relaxed);
            let response = client.clone().oneshot(request).await.unwrap();
            let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
            (body.starts_with(b"verified"), sent.load(Ordering::Relaxed) - before)
        };
        for wish in 0..2 {
            policy.store(wish, Ordering::Relaxed);
            // A refused request goes out once more; beside an answer, the wish is for the next one.
            let first = if is_required { (true, 2) } else { (false, 1) };
            assert_eq!(ask().await, first, "{is_required} {is_always} {wish}");
            assert_eq!(ask().await, (true, 1), "{is_required} {is_always} {wish}");
        }
    }
}

/// A server that asks for something else each time gets two requests for each, one that asks for the same again one.
#[tokio::test]
async fn a_wish_is_answered_once() {
    let world = World::new();
    for (is_changing, expected) in [(true, [2, 2, 2]), (false, [2, 1, 1])] {
        let sent = Arc::new(AtomicUsize::new(0));
        let server = {
            let sent = Arc::clone(&sent);
            service_fn(move |_: Request<Body>| {
                let count = sent.fetch_add(1, Ordering::Relaxed);
                let label = if is_changing { count } else { 0 };
                let response = Response::builder().status(403);
                let response =
                    response.header("Accept-Signature", format!("a{label}=();tag=\"web-bot-auth\""));
                async move { Ok::<_, std::io::Error>(response.body(Body::empty()).unwrap()) }
            })
        };
        let client = layer(&world, signer()).layer(server);
        for expected in expected {
            let before = sent.load(Ordering::Relaxed);
            let response = client.clone().oneshot(request("/", "")).await.unwrap();
            assert_eq!(response.status(), StatusCode::FORBIDDEN);
            assert_eq!(sent.load(Ordering::Relaxed) - before, expected, "{is_changing}");
        }
    }
}

/// What was asked of one request need not be in the next: it goes out unsigned, or signed as a client always signs.
#[tokio::test]
async fn a_wish_that_does_not_fit_stops_no_request() {
    let world = World::new();
    for is_always in [false, true] {
        let server = service_fn(|request: Request<Body>| async move {
            let asked = "a=(\"@method\" \"x-tenant\");tag=\"web-bot-auth\"";
            let is_signed = request.headers().contains_key("signature");
            let response = Response::builder().header("Accept-Signature", asked);
            response.status(if is_signed { 200 } else { 401 }).body(Body::empty())
        });
        let client = layer(&world, signer());
        let client = if is_always { client } else { client.when_asked() }.layer(server);
        let mut first = request("/a", "");
        first.headers_mut().insert("x-tenant", HeaderValue::from_static("7"));
        assert_eq!(client.clone().oneshot(first).await.unwrap().status(), StatusCode::OK);
        let second = client.oneshot(request("/b", "")).await.unwrap();
        assert_eq!(second.status() == StatusCode::OK, is_always);
    }
}

/// A server that asks for what cannot be signed, or asks again and again, gets one answer.
#[tokio::test]
async fn a_hostile_challenge_is_answered_once_or_not_at_all() {
    let world = World::new();
    for (status, asked, expected) in [
        (401, Some("a=(\"@method\" \"x-absent\");tag=\"web-bot-auth\""), 1),
        (401, Some("a=(\"@method\");tag=\"other\""), 1),
        (403, Some("(("), 1),
        (403, None, 1),
        (200, None, 1),
        (401, None, 2),
        (403, Some("a=(\"@method\" \"signature-agent\");tag=\"web-bot-auth\""), 2),
    ] {
        let sent = Arc::new(Mutex::new(Vec::new()));
        let server = {
            let sent = Arc::clone(&sent);
            service_fn(move |request: Request<Body>| {
                sent.lock().unwrap().push(request.headers().contains_key("signature"));
                let response = Response::builder().status(status);
                let response =
                    asked.into_iter().fold(response, |it, asked| it.header("Accept-Signature", asked));
                async move { Ok::<_, std::io::Error>(response.body(Body::empty()).unwrap()) }
            })
        };
        let client = layer(&world, signer()).when_asked().layer(server);
        let response = client.oneshot(request("/", "")).await.unwrap();
        assert_eq!(response.status().as_u16(), status);
        let sent = sent.lock().unwrap();
        assert_eq!(sent.len(), expected, "{status} {asked:?}");
        assert!(!sent[0] && sent.iter().skip(1).all(|signed| *signed));
    }
}

#[tokio::test]
async fn a_schedule_of_keys_signs_by_its_time() {
    let world = World::new();
    let keys = [7, 8].map(|secret: u8| ScheduledKey {
        key: SigningKey::from_secret(&[secret; 32]),
        from: UnixSeconds(START + u64::from(secret - 7) * 100),
        until: UnixSeconds(START + u64::from(secret - 6) * 100),
    });
    let keys = KeySchedule::new(keys).unwrap();
    let signers = move |now| CrawlerSigner::new(keys.signing_key(now)?.clone(), AGENT).ok();
    let site = site(&BotLayer::prefer(world.settings()));
    let clock = {
        let world = world.clone();
        move || world.at()
    };
    let count = AtomicU8::new(0);
    let random = move || [count.fetch_add(1, Ordering::Relaxed); 32];
    let client = SignLayer::with_signers(signers, clock, random).layer(site);
    let ask = async || {
        let response = client.clone().oneshot(request("/", "")).await?;
        let body = axum::body::to_bytes(response.into_body(), 10_000).await?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(String::from_utf8(body.to_vec())?)
    };
    assert!(ask().await.unwrap().starts_with("verified"));
    world.wait(100);
    // The directory of this world has the first key alone.
    assert!(ask().await.unwrap().contains("expected one key of that name"));
    world.wait(100);
    assert!(ask().await.is_err(), "a retired key signs nothing");
}

/// A client of more servers than it can remember: those that it does not ask any more are forgotten, not those that it asks.
#[tokio::test]
async fn the_servers_that_are_asked_are_remembered() {
    let sent = Arc::new(AtomicUsize::new(0));
    let server = {
        let sent = Arc::clone(&sent);
        service_fn(move |request: Request<Body>| {
            sent.fetch_add(1, Ordering::Relaxed);
            let status = match request.headers().contains_key("signature") {
                true => StatusCode::OK,
                false => StatusCode::UNAUTHORIZED,
            };
            async move { Response::builder().status(status).body(Body::empty()) }
        })
    };
    let client = layer(&World::new(), signer()).when_asked().layer(server);
    let ask = async |host: String| {
        let before = sent.load(Ordering::Relaxed);
        let request = Request::get(format!("https://{host}.example/")).body(Body::empty()).unwrap();
        assert_eq!(client.clone().oneshot(request).await.unwrap().status(), StatusCode::OK, "{host}");
        sent.load(Ordering::Relaxed) - before
    };
    for n in 0..1_000 {
        assert_eq!(ask(format!("once{n}")).await, 2);
    }
    for host in ["a", "b"] {
        assert_eq!(ask(host.to_owned()).await, 2, "{host}");
    }
    for _ in 0..3 {
        for host in ["a", "b"] {
            assert_eq!(ask(host.to_owned()).await, 1, "{host}");
        }
    }
}
