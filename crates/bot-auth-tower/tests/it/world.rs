//! A site behind the layer, the agents' directories, and a clock that tests move.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::routing::any;
use bot_auth::{
    CrawlerSigner, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, Identity, Message, SignedHeaders, directory_body,
};
use bot_auth_tower::{BotLayer, BotSettings, FetchKeys, RequestVerdict};
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::Full;
use jwk::SigningKey;
use tokio::sync::Semaphore;
use tower::ServiceExt as _;
use web_values::UnixSeconds;

pub(crate) const START: u64 = 1_790_000_000;
pub(crate) const SITE: &str = "https://shop.example";
pub(crate) const AGENT: &str = "https://bot.example";

pub(crate) fn key() -> SigningKey {
    SigningKey::from_secret(&[7; 32])
}

pub(crate) fn signer() -> CrawlerSigner {
    CrawlerSigner::new(key(), AGENT).unwrap()
}

/// What is at a URL.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    Keys,
    Status(u16),
    Page,
    /// Found only by a redirect that was followed.
    Moved,
    Down,
}

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) now: Arc<AtomicU64>,
    pub(crate) places: Arc<Mutex<BTreeMap<String, Place>>>,
    pub(crate) fetched: Arc<Mutex<Vec<String>>>,
    pub(crate) verdicts: Arc<Mutex<Vec<RequestVerdict>>>,
    /// A directory comes once this has a permit.
    pub(crate) gate: Arc<Semaphore>,
}

impl World {
    pub(crate) fn new() -> Self {
        let places = BTreeMap::from([(format!("{AGENT}{DIRECTORY_PATH}"), Place::Keys)]);
        World {
            now: Arc::new(AtomicU64::new(START)),
            places: Arc::new(Mutex::new(places)),
            fetched: Arc::default(),
            verdicts: Arc::default(),
            gate: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
        }
    }

    pub(crate) fn at(&self) -> UnixSeconds {
        UnixSeconds(self.now.load(Ordering::Relaxed))
    }

    pub(crate) fn wait(&self, secs: u64) {
        self.now.fetch_add(secs, Ordering::Relaxed);
    }

    pub(crate) fn put(&self, place: Place) {
        self.places.lock().unwrap().insert(format!("{AGENT}{DIRECTORY_PATH}"), place);
    }

    pub(crate) fn settings(&self) -> BotSettings {
        let world = self.clone();
        let fetch = FetchKeys::new(move |url: String| {
            let world = world.clone();
            async move {
                world.fetched.lock().unwrap().push(url.clone());
                let permit = world.gate.acquire().await.unwrap();
                let place = world.places.lock().unwrap().get(&url).cloned().unwrap_or(Place::Status(404));
                let response = Response::builder().header("Content-Type", DIRECTORY_MEDIA_TYPE);
                let keys: Full<Bytes> = Full::from(directory_body([&key()]));
                match place {
                    Place::Keys => Ok((url, response.body(keys).unwrap())),
                    Place::Status(status) => Ok((url, response.status(status).body(keys).unwrap())),
                    Place::Page => {
                        let page = Response::builder().header("Content-Type", "text/html");
                        Ok((url, page.body(Full::from("<p>Back soon.")).unwrap()))
                    }
                    Place::Moved => {
                        Ok(("https://elsewhere.example/keys".to_owned(), response.body(keys).unwrap()))
                    }
                    Place::Down => {
                        permit.forget();
                        Err(std::io::Error::other("no answer"))
                    }
                }
            }
        });
        let (clock, verdicts) = (self.clone(), Arc::clone(&self.verdicts));
        BotSettings::new(SITE, [AGENT.parse().unwrap()], fetch, move || clock.at())
            .observe(move |verdict| verdicts.lock().unwrap().push(verdict.clone()))
    }
}

/// A site that says who came, and echoes the body.
pub(crate) fn site(layer: &BotLayer) -> Router {
    let answer = async |request: Request<Body>| {
        let who =
            request.extensions().get::<Identity>().map_or("nobody asked".to_owned(), ToString::to_string);
        let body = axum::body::to_bytes(request.into_body(), usize::MAX).await.unwrap();
        format!("{who}\n{}", String::from_utf8_lossy(&body))
    };
    Router::new().fallback(any(answer)).layer(layer.clone())
}

pub(crate) fn sign(world: &World, signer: &CrawlerSigner, path: &str, nonce: &str) -> SignedHeaders {
    let url = format!("{SITE}{path}");
    signer.sign(&Message::request("GET", &url).unwrap(), nonce.as_bytes(), world.at()).unwrap()
}

pub(crate) fn get(path: &str, signed: Option<&SignedHeaders>) -> Request<Body> {
    let mut request = Request::get(path).body(Body::empty()).unwrap();
    if let Some(signed) = signed {
        signed.add_to(request.headers_mut());
    }
    request
}

/// The answer of the site: status, code of the reason, and the first line of the body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) reason: String,
    pub(crate) headers: http::HeaderMap,
    pub(crate) text: String,
}

pub(crate) async fn ask(site: &Router, request: Request<Body>) -> Answer {
    let response = site.clone().oneshot(request).await.unwrap();
    let (head, body) = response.into_parts();
    let body: Bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let reason = head.headers.get("signature-reason").map_or("", |value| value.to_str().unwrap()).to_owned();
    Answer {
        status: head.status,
        reason,
        headers: head.headers,
        text: String::from_utf8(body.to_vec()).unwrap(),
    }
}
