//! The attacks of the README's table, each through the layer.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail where it stands")]

use std::sync::atomic::Ordering;

use axum::Router;
use axum::body::Body;
use bot_auth::{CrawlerSigner, Message, Policy, SignedHeaders, Strangers, content_digest};
use bot_auth_tower::{AgentLimit, BotLayer};
use covers::covers;
use http::header::CACHE_CONTROL;
use http::{HeaderValue, Request, Response, StatusCode};

use crate::world::{AGENT, Place, SITE, World, ask, get, key, sign, signer, site};

/// A site that requires signatures, and its world.
fn required() -> (World, BotLayer) {
    let world = World::new();
    let layer = BotLayer::require(world.settings());
    (world, layer)
}

async fn refused(world: &World, layer: &BotLayer, signed: &SignedHeaders) -> (u16, String) {
    let _ = world;
    let answer = ask(&site(layer), get("/page", Some(signed))).await;
    (answer.status.as_u16(), answer.reason)
}

fn is(status: u16, reason: &str) -> (u16, String) {
    (status, reason.to_owned())
}

#[tokio::test]
#[covers("WBA-VER-5", "WBA-VER-4")]
async fn an_honest_agent_comes_in_and_the_unsigned_are_told_what_to_sign() {
    let (world, layer) = required();
    let site = site(&layer);
    let answer = ask(&site, get("/page", Some(&sign(&world, &signer(), "/page", "a")))).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.text.starts_with("verified: https://bot.example/"), "{}", answer.text);
    let unsigned = ask(&site, get("/page", None)).await;
    assert_eq!((unsigned.status, &*unsigned.reason), (StatusCode::FORBIDDEN, "anonymous"));
    assert_eq!(unsigned.headers["accept-signature"], *Policy::default().accept_signature("sig1").unwrap());
    assert_eq!(unsigned.headers["cache-control"], "no-store");
    let counters = layer.counters();
    assert_eq!((counters.verified, counters.anonymous, counters.fetched), (1, 1, (1, 0)));
    let verdicts = world.verdicts.lock().unwrap();
    assert_eq!(verdicts.len(), 2);
    assert!(verdicts[1].to_string().ends_with("; refused with 403 [anonymous]"), "{}", verdicts[1]);
}

/// A server that is killed forgets which signatures it admitted: whoever captured one may not use it at the next.
#[tokio::test]
async fn a_restart_lets_no_captured_request_in_again() {
    let (world, layer) = required();
    world.wait(10);
    let captured = sign(&world, &signer(), "/page", "a");
    assert_eq!(refused(&world, &layer, &captured).await.0, 200);
    world.wait(5);
    let layer = BotLayer::require(world.settings());
    assert_eq!(refused(&world, &layer, &captured).await, is(401, "replayed"));
    assert_eq!(refused(&world, &layer, &sign(&world, &signer(), "/page", "b")).await.0, 200);

    // A clock that ran ahead at the start and was set right refuses no honest agent.
    world.wait(86_400);
    let layer = BotLayer::require(world.settings());
    world.now.fetch_sub(86_400, Ordering::Relaxed);
    assert_eq!(refused(&world, &layer, &sign(&world, &signer(), "/page", "c")).await.0, 200);
}

/// What one agent may read, a cache in front would hand to everybody.
#[tokio::test]
async fn no_shared_cache_keeps_what_is_for_verified_agents_alone() {
    let (world, layer) = required();
    for (said, expected) in [
        (&[][..], "private"),
        (&["max-age=60"], "private, max-age=60"),
        (&["public, max-age=60, S-MaxAge=600"], "private, max-age=60"),
        (&["public", "max-age=60"], "private, max-age=60"),
        (&["private=\"set-cookie\", max-age=60"], "private, max-age=60"),
        (&["private, no-store"], "private, no-store"),
        (&["No-Store"], "No-Store"),
    ] {
        let answer = async move || {
            let mut response = Response::new(Body::empty());
            for line in said {
                response.headers_mut().append(CACHE_CONTROL, HeaderValue::from_static(line));
            }
            response
        };
        let site = Router::new().fallback(answer).layer(layer.clone());
        let signed = sign(&world, &signer(), "/page", said.first().unwrap_or(&"nothing"));
        let answer = ask(&site, get("/page", Some(&signed))).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.headers[CACHE_CONTROL], expected, "{said:?}");
    }
}

/// Where a service may answer by the identity, no cache hands that answer to others: neither what it shows an agent nor what
/// it says of a bad signature.
#[tokio::test]
async fn no_shared_cache_keeps_what_depends_on_a_signature() {
    let world = World::new();
    let answer = async || {
        let mut response = Response::new(Body::empty());
        for (name, value) in [
            ("cache-control", "public, max-age=60"),
            ("cdn-cache-control", "max-age=600"),
            ("shop-cdn-cache-control", "max-age=600"),
            ("surrogate-control", "max-age=600"),
            ("edge-control", "max-age=600"),
            ("x-accel-expires", "600"),
        ] {
            response.headers_mut().append(name, HeaderValue::from_static(value));
        }
        response
    };
    let router = |layer: BotLayer| Router::new().fallback(answer).layer(layer);
    let prefer = router(BotLayer::prefer(world.settings()));
    let signed = sign(&world, &signer(), "/page", "a");
    for (signed, reason, expected, fields) in [
        (Some(&signed), "", "private, max-age=60", 1),
        (Some(&signed), "replayed", "private, max-age=60", 1),
        (None, "", "public, max-age=60", 6),
    ] {
        let answer = ask(&prefer, get("/page", signed)).await;
        assert_eq!((answer.status, &*answer.reason), (StatusCode::OK, reason));
        assert_eq!(answer.headers[CACHE_CONTROL], expected, "{reason}");
        let is_of_caches = |name: &str| name.ends_with("-control") || name.ends_with("-expires");
        let of_caches = answer.headers.keys().filter(|name| is_of_caches(name.as_str()));
        assert_eq!(of_caches.count(), fields, "{reason}: {:?}", answer.headers);
    }
    // What a browser must not store, a cache that has a field of its own still would.
    let answer = async || [("cache-control", "no-store"), ("cdn-cache-control", "max-age=600")];
    let require = Router::new().fallback(answer).layer(BotLayer::require(world.settings()));
    let answer = ask(&require, get("/page", Some(&sign(&world, &signer(), "/page", "b")))).await;
    assert_eq!(
        (answer.status, &answer.headers[CACHE_CONTROL]),
        (StatusCode::OK, &"no-store".parse().unwrap())
    );
    assert!(!answer.headers.contains_key("cdn-cache-control"));
}

#[tokio::test]
#[covers("WBA-NONCE-1")]
async fn a_captured_request_is_used_once_whatever_is_added() {
    let world = World::new();
    let layer = BotLayer::require(world.settings().replay_window(50, 20));
    let site = site(&layer);
    let captured = sign(&world, &signer(), "/page", "captured");
    assert_eq!(ask(&site, get("/page", Some(&captured))).await.status, StatusCode::OK);
    for n in 0..1_040 {
        let mut forged = captured.clone();
        for junk in 0..20 {
            forged.signature_input += &format!(
                ", j{junk}=(\"@authority\" \"signature-agent\";key=\"sig1\");created=1790000000;expires=1790003600;keyid=\"{}\";nonce=\"{n}-{junk}\";tag=\"web-bot-auth\"",
                key().thumbprint(),
            );
            forged.signature += &format!(", j{junk}=:AAAA:");
        }
        assert_eq!(refused(&world, &layer, &forged).await, is(401, "replayed"));
    }
    assert_eq!(layer.held().2, 1, "one signature is remembered");
    let fresh = sign(&world, &signer(), "/page", "fresh");
    assert_eq!(ask(&site, get("/page", Some(&fresh))).await.status, StatusCode::OK);
    assert_eq!(layer.counters().unverified["replayed"], 1_040);
}

#[tokio::test]
#[covers("WBA-COV-1")]
async fn a_signature_over_the_host_alone_opens_nothing() {
    let (world, layer) = required();
    let host_alone = signer().only_components(Vec::<String>::new());
    let signed = sign(&world, &host_alone, "/other", "a");
    assert_eq!(refused(&world, &layer, &signed).await, is(401, "coverage-too-small"));
    assert!(world.fetched.lock().unwrap().is_empty());
    // Where it is accepted by name, it is used once.
    let layer = BotLayer::require(world.settings().policy(Policy::host_alone()));
    assert_eq!(ask(&site(&layer), get("/page", Some(&signed))).await.status, StatusCode::OK);
    assert_eq!(refused(&world, &layer, &signed).await, is(401, "replayed"));
}

#[tokio::test]
#[covers("WBA-AGENT-7")]
async fn an_agent_is_its_well_known_place_alone() {
    let (world, layer) = required();
    for agent in
        ["https://bot.example.evil.example", "https://bot.example/share/keys.json", "https://evil.example"]
    {
        let stranger = CrawlerSigner::new(key(), agent).unwrap();
        let signed = sign(&world, &stranger, "/page", agent);
        assert_eq!(refused(&world, &layer, &signed).await, is(403, "agent-unknown"), "{agent}");
    }
    assert!(world.fetched.lock().unwrap().is_empty());
}

#[tokio::test]
#[covers("WBA-SSRF-1")]
async fn no_place_is_knocked_at_for_a_stranger() {
    let world = World::new();
    let layer = BotLayer::require(world.settings().with_strangers(Strangers::default()));
    for (agent, reason) in [
        ("https://shared.example/attacker/%2e%2e/victim/keys.json", "agent-malformed"),
        ("https://shared.example/attacker/../victim/keys.json", "agent-malformed"),
        ("https://metadata", "agent-host"),
        ("https://keys.internal", "agent-host"),
        ("https://nas.local/keys", "agent-host"),
        ("https://shared.example:22", "agent-host"),
        ("https://169.254.169.254/keys", "agent-host"),
        ("https://[::1]", "agent-host"),
        ("http://shared.example", "agent-not-https"),
    ] {
        let signed = sign(&world, &signer(), "/page", "a");
        let signed = SignedHeaders { signature_agent: format!("sig1=\"{agent}\""), ..signed };
        assert_eq!(refused(&world, &layer, &signed).await, is(401, reason), "{agent}");
    }
    assert!(world.fetched.lock().unwrap().is_empty());
    // What is fetched is who it is.
    let other = CrawlerSigner::new(key(), "https://other.example/%6Beys").unwrap();
    world.places.lock().unwrap().insert("https://other.example/keys".to_owned(), Place::Keys);
    let answer = ask(&site(&layer), get("/page", Some(&sign(&world, &other, "/page", "b")))).await;
    assert!(answer.text.starts_with("verified: https://other.example/keys by key"), "{answer:?}");
}

#[tokio::test]
async fn a_thousand_strangers_cost_what_they_may() {
    let world = World::new();
    let strangers = Strangers { fetches_a_minute: 20, max_directories: 5, ..Strangers::default() };
    let layer = BotLayer::require(world.settings().with_strangers(strangers));
    for n in 0..1_000 {
        let stranger = CrawlerSigner::new(key(), &format!("https://s{n}.example")).unwrap();
        let (status, _) = refused(&world, &layer, &sign(&world, &stranger, "/page", "a")).await;
        assert!(matches!(status, 401 | 503), "{status}");
    }
    assert_eq!(world.fetched.lock().unwrap().len(), 20);
    // They are nobody, so nothing is remembered of them, and the listed agent has its own place.
    assert_eq!(layer.held().2, 0);
    let answer = ask(&site(&layer), get("/page", Some(&sign(&world, &signer(), "/page", "a")))).await;
    assert_eq!(answer.status, StatusCode::OK);
}

#[tokio::test]
#[covers("WBA-CACHE-2")]
async fn keys_end_with_their_directory() {
    for (place, status, reason) in [
        (Place::Status(410), 401, "directory-failed"),
        (Place::Status(404), 401, "directory-failed"),
        (Place::Page, 401, "directory-failed"),
        (Place::Moved, 401, "directory-failed"),
        (Place::Status(500), 503, "directory-later"),
        (Place::Status(403), 401, "directory-failed"),
        (Place::Down, 503, "directory-later"),
    ] {
        let (world, layer) = required();
        let site = site(&layer);
        let first = sign(&world, &signer(), "/page", "0");
        assert_eq!(ask(&site, get("/page", Some(&first))).await.status, StatusCode::OK);
        world.put(place.clone());
        let mut last = (0, String::new());
        for hour in 0..90 * 24 {
            world.wait(3_600);
            last = refused(&world, &layer, &sign(&world, &signer(), "/page", &hour.to_string())).await;
            assert!(hour < 26 || last.0 != 200, "{place:?} after {hour} hours");
        }
        assert_eq!(last, is(status, reason), "{place:?}");
        // It comes back by itself.
        world.put(Place::Keys);
        world.wait(3_600);
        let again = sign(&world, &signer(), "/page", "again");
        assert_eq!(ask(&site, get("/page", Some(&again))).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn a_failing_directory_is_later_and_says_when() {
    let (world, layer) = required();
    for place in [Place::Status(503), Place::Status(429), Place::Down] {
        world.put(place);
        world.wait(3_600);
        let answer = ask(&site(&layer), get("/page", Some(&sign(&world, &signer(), "/page", "a")))).await;
        assert_eq!((answer.status, &*answer.reason), (StatusCode::SERVICE_UNAVAILABLE, "directory-later"));
        assert_eq!(answer.headers["retry-after"], "60");
    }
}

fn post(signed: &SignedHeaders, digest: Option<&str>, body: &'static str) -> Request<Body> {
    let mut request = Request::post("/order").body(Body::from(body)).unwrap();
    if let Some(digest) = digest {
        request.headers_mut().insert("content-digest", digest.parse().unwrap());
    }
    signed.add_to(request.headers_mut());
    request
}

#[tokio::test]
#[covers("WBA-BODY-1")]
async fn a_signature_is_for_one_body() {
    let world = World::new();
    let layer = BotLayer::require(world.settings().max_body_bytes(64));
    let site = site(&layer);
    let digest = content_digest(b"7 cups");
    let url = format!("{SITE}/order");
    let order = |nonce: &[u8], digest: Option<&str>| {
        let message = Message::request("POST", &url).unwrap();
        let message = match digest {
            Some(digest) => message.header("Content-Digest", digest),
            None => message,
        };
        signer().sign(&message, nonce, world.at()).unwrap()
    };
    let digest = Some(digest.as_str());
    let answer = ask(&site, post(&order(b"a", digest), digest, "7 cups")).await;
    assert_eq!((answer.status, answer.text.ends_with("\n7 cups")), (StatusCode::OK, true));
    let answer = ask(&site, post(&order(b"b", digest), digest, "9 cups")).await;
    assert_eq!((answer.status.as_u16(), &*answer.reason), (401, "digest-mismatch"));
    let answer = ask(&site, post(&order(b"c", None), None, "7 cups")).await;
    assert_eq!((answer.status.as_u16(), &*answer.reason), (401, "body-not-covered"));
    let long = "7 cups, please, and a pot, and what else there is on the shelf there";
    let answer = ask(&site, post(&order(b"d", digest), digest, long)).await;
    assert_eq!((answer.status.as_u16(), &*answer.reason), (413, "body-too-large"));
    // An unsigned body is none of this layer's business.
    let prefer = BotLayer::prefer(world.settings().max_body_bytes(4));
    let request = Request::post("/order").body(Body::from(long)).unwrap();
    let answer = ask(&crate::world::site(&prefer), request).await;
    assert_eq!((answer.status, answer.text.ends_with(long)), (StatusCode::OK, true));
}

#[tokio::test]
async fn an_agent_has_a_limit_and_strangers_have_none_to_use_up() {
    let world = World::new();
    let layer = BotLayer::prefer(world.settings().limit(AgentLimit { requests: 2, secs: 60 }));
    let site = site(&layer);
    for n in 0..50 {
        // A wrong signature in the agent's name.
        let thief = CrawlerSigner::new(jwk::SigningKey::from_secret(&[8; 32]), AGENT).unwrap();
        let answer = ask(&site, get("/page", Some(&sign(&world, &thief, "/page", &n.to_string())))).await;
        assert_eq!((answer.status, &*answer.reason), (StatusCode::OK, "key-unknown"));
        assert!(answer.text.starts_with("unverified"), "{answer:?}");
        assert!(answer.headers.contains_key("accept-signature"));
    }
    for (n, status) in [(0, 200), (1, 200), (2, 429)] {
        let answer =
            ask(&site, get("/page", Some(&sign(&world, &signer(), "/page", &format!("n{n}"))))).await;
        assert_eq!(answer.status.as_u16(), status, "{n}");
        if status == 429 {
            assert_eq!(
                (&*answer.reason, &answer.headers["retry-after"]),
                ("limited", &"60".parse().unwrap())
            );
        }
    }
    assert_eq!(layer.counters().limited, 1);
    assert_eq!(ask(&site, get("/page", None)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn nobody_else_says_who_it_is() {
    let (world, layer) = required();
    let prefer = BotLayer::prefer(world.settings()).only_where(|head| head.uri.path() != "/free");
    let _ = layer;
    for (path, text) in [("/free", "nobody asked"), ("/page", "anonymous")] {
        let mut request = get(path, None);
        let verified = r#"{"forged":true}"#;
        request.headers_mut().insert("x-identity", verified.parse().unwrap());
        request.extensions_mut().insert(bot_auth::Identity::Unverified(bot_auth::Reason::Tag));
        let answer = ask(&site(&prefer), request).await;
        assert!(answer.text.starts_with(text), "{answer:?}");
    }
}

/// One fetch for all that wait; where its client hangs up, another one ends it.
#[tokio::test]
async fn a_client_that_hangs_up_stops_nobody() {
    let (world, layer) = required();
    let site = site(&layer);
    let closed = world.gate.forget_permits(usize::MAX >> 3);
    assert_eq!(world.gate.available_permits(), 0, "{closed}");
    let start = |nonce: &'static str| {
        let (site, signed) = (site.clone(), sign(&world, &signer(), "/page", nonce));
        tokio::spawn(async move { ask(&site, get("/page", Some(&signed))).await.status })
    };
    let settle = async || {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    };
    let first = start("first");
    settle().await;
    let waiting: Vec<_> = ["a", "b", "c", "d"].into_iter().map(start).collect();
    settle().await;
    assert_eq!(world.fetched.lock().unwrap().len(), 1);
    first.abort();
    settle().await;
    world.gate.add_permits(100);
    for answer in waiting {
        assert_eq!(answer.await.unwrap(), StatusCode::OK);
    }
    assert_eq!(world.fetched.lock().unwrap().len(), 1, "another one ends it");
}

/// Whoever names a listed agent and hangs up, again and again, has its host asked a few times a minute, and the agent comes in
/// at any time.
#[tokio::test]
async fn clients_that_hang_up_cost_a_listed_agents_host_a_few_fetches_a_minute() {
    for is_failing in [false, true] {
        let (world, layer) = required();
        let site = site(&layer);
        world.gate.forget_permits(usize::MAX >> 3);
        // A minute, in which nobody looks after the fetch for six seconds at a time, or for one.
        for _ in 0..if is_failing { 10 } else { 60 } {
            for _ in 0..50 {
                let signed = sign(&world, &signer(), "/page", "hang up");
                let begun = tokio::spawn({
                    let site = site.clone();
                    async move { ask(&site, get("/page", Some(&signed))).await.status }
                });
                for _ in 0..5 {
                    tokio::task::yield_now().await;
                }
                begun.abort();
                assert!(begun.await.unwrap_err().is_cancelled());
            }
            world.wait(if is_failing { 6 } else { 1 });
            if is_failing {
                world.put(Place::Down);
                world.gate.add_permits(1);
            }
        }
        let fetched = world.fetched.lock().unwrap().len();
        assert!((1..=13).contains(&fetched), "{fetched} fetches in a minute, {is_failing}");
        world.put(Place::Keys);
        world.gate.add_permits(100);
        let signed = sign(&world, &signer(), "/page", "honest");
        assert_eq!(ask(&site, get("/page", Some(&signed))).await.status, StatusCode::OK, "{is_failing}");
    }
}

/// A storm through the layer: memory stays, and time is printed.
#[tokio::test]
async fn a_storm_of_replays_is_refused() {
    let (world, layer) = required();
    let site = site(&layer);
    let signed = sign(&world, &signer(), "/page", "a");
    assert_eq!(ask(&site, get("/page", Some(&signed))).await.status, StatusCode::OK);
    let storm = if cfg!(debug_assertions) { 2_000 } else { 200_000 };
    #[expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]
    let start = std::time::Instant::now();
    world.verdicts.lock().unwrap().clear();
    for _ in 0..storm {
        assert_eq!(ask(&site, get("/page", Some(&signed))).await.status, StatusCode::UNAUTHORIZED);
        world.verdicts.lock().unwrap().clear();
    }
    assert_eq!(layer.held().2, 1);
    eprintln!("{storm} replays through the layer and a router: {:?} each", start.elapsed() / storm);
}
