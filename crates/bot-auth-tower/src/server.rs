//! The server's layer: checks each request, then refuses it or tells the service who sent it.

use core::fmt;
use core::future::{Future, poll_fn};
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bot_auth::{
    Directory, DirectoryAnswer, Fetched, Identity, Message, MessageError, Reason, RequestCheck, Verifier,
    header_lines,
};
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt as _, Limited};
use tower_layer::Layer;
use tower_service::Service;
use web_values::UnixSeconds;

use crate::counters::Counters;
use crate::fetch::{Answer, AnswerFuture};
use crate::limits::Limits;
use crate::settings::BotSettings;

/// Requests that may wait for a directory that another one fetches; more are answered "later".
const MAX_WAITING: usize = 1_000;
/// A fetch that nobody looked after for this long, in seconds, may have failed for that reason alone.
const LEFT_SECS: u64 = 5;
/// One that nobody looked after for this long is dropped: the next request that wants the directory begins anew.
const DROPPED_SECS: u64 = 30;
/// `Retry-After` in seconds for a server's own failures.
const LATER_SECS: u64 = 60;

const ACCEPT_SIGNATURE: HeaderName = HeaderName::from_static("accept-signature");
const SIGNATURE_REASON: HeaderName = HeaderName::from_static("signature-reason");

/// Tells a service who sends its requests: an [`Identity`] is among the extensions of each request that comes through.
///
/// Clones share the keys, the used signatures, the limits and the counters. A layer is made when its server starts: it refuses
/// signatures that were made before, since an earlier process may have admitted them.
#[derive(Clone)]
pub struct BotLayer {
    shared: Arc<Shared>,
    is_required: bool,
    only: Option<Choose>,
}

/// Which requests are judged.
type Choose = Arc<dyn Fn(&Parts) -> bool + Send + Sync>;

struct Shared {
    settings: BotSettings,
    verifier: RwLock<Verifier>,
    limits: Mutex<Limits>,
    counters: Mutex<Counters>,
    waiting: Mutex<Vec<Waker>>,
    /// Fetches that were begun for clients that hung up, by URL: the next request that wants the directory goes on with it.
    left: Mutex<HashMap<String, Left>>,
    accept_signature: Option<HeaderValue>,
}

impl fmt::Debug for BotLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = &self.shared.settings;
        f.debug_struct("BotLayer")
            .field("settings", settings)
            .field("is_required", &self.is_required)
            .finish_non_exhaustive()
    }
}

/// The layer's verdict on one request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RequestVerdict {
    /// The method.
    pub method: Method,
    /// The path as received.
    pub path: String,
    /// Who sent it.
    pub identity: Identity,
    /// The status of the refusal; `None` where the service answers.
    pub refused: Option<StatusCode>,
    /// The code of the reason, as it is in the field `Signature-Reason`: `verified`, `anonymous`, `limited`,
    /// `body-too-large`, `bad-request`, or that of a [`Reason`].
    pub code: &'static str,
}

impl fmt::Display for RequestVerdict {
    /// One line for a log. The path is escaped, because it is untrusted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.method, self.path.escape_debug(), self.identity)?;
        match self.refused {
            Some(status) => write!(f, "; refused with {} [{}]", status.as_u16(), self.code),
            None => Ok(()),
        }
    }
}

impl BotLayer {
    /// Lets only verified agents through; no shared cache may keep what they get (`Cache-Control: private`). Refused requests
    /// get a status, `Signature-Reason` with a code and, where a signature would help, `Accept-Signature`:
    ///
    /// | status | request |
    /// |---|---|
    /// | 400 | signature fields that cannot be read |
    /// | 401 | a signature that is wrong, late, used, or binds too little |
    /// | 403 | no signature, or one of an agent that is not listed |
    /// | 413 | a signed body that is too large to compare with its digest |
    /// | 429 | more requests than the agent's limit |
    /// | 503 | keys that are out of reach for now, or no room to remember the signature |
    #[must_use]
    pub fn require(settings: BotSettings) -> Self {
        Self::of(settings, true)
    }

    /// Lets every request through, except those over an agent's limit: the service looks at the [`Identity`] and decides.
    /// Responses to others than verified agents get `Accept-Signature`, and `Signature-Reason` where there was a
    /// signature. No shared cache may keep an answer to a request with a signature, good or bad; what it keeps of the others it
    /// may hand to agents too, unless the service says `Vary: Signature-Input`.
    #[must_use]
    pub fn prefer(settings: BotSettings) -> Self {
        Self::of(settings, false)
    }

    fn of(settings: BotSettings, is_required: bool) -> Self {
        let accept_signature = settings.verifier.asks_for().accept_signature("sig1");
        let shared = Shared {
            // Which signatures an earlier process has admitted, nobody knows.
            verifier: RwLock::new(settings.verifier.clone().starting_at((settings.clock)())),
            settings,
            limits: Mutex::default(),
            counters: Mutex::default(),
            waiting: Mutex::default(),
            left: Mutex::default(),
            accept_signature: accept_signature.ok().and_then(|value| HeaderValue::try_from(value).ok()),
        };
        BotLayer { shared: Arc::new(shared), is_required, only: None }
    }

    /// Judges only these requests; the others come through as they are, without an [`Identity`].
    #[must_use]
    pub fn only_where(self, only: impl Fn(&Parts) -> bool + Send + Sync + 'static) -> Self {
        BotLayer { only: Some(Arc::new(only)), ..self }
    }

    /// The verdicts so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        lock(&self.shared.counters).clone()
    }

    /// How many directories are held with how many bytes, and how many used signatures are remembered.
    #[must_use]
    pub fn held(&self) -> (usize, usize, usize) {
        let verifier = self.shared.read();
        let (directories, bytes) = verifier.directories().size();
        (directories, bytes, verifier.remembered())
    }
}

impl<S> Layer<S> for BotLayer {
    type Service = BotService<S>;

    fn layer(&self, inner: S) -> BotService<S> {
        BotService { inner, layer: self.clone() }
    }
}

/// A service whose requests are judged.
#[derive(Debug, Clone)]
pub struct BotService<S> {
    inner: S,
    layer: BotLayer,
}

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl<S, ReqBody, ResBody> Service<Request<ReqBody>> for BotService<S>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone + Send + 'static,
    S::Future: Send,
    ReqBody: Body<Data = Bytes> + From<Bytes> + Send + 'static,
    ReqBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    ResBody: From<Bytes>,
{
    type Response = Response<ResBody>;
    type Error = S::Error;
    type Future = BoxFuture<Result<Response<ResBody>, S::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<ReqBody>) -> Self::Future {
        // The service that was ready is the one to call; the clone takes its place.
        let clone = self.inner.clone();
        let mut inner = core::mem::replace(&mut self.inner, clone);
        let layer = self.layer.clone();
        Box::pin(async move {
            let (mut head, body) = request.into_parts();
            // Nobody but this layer says who it is.
            head.extensions.remove::<Identity>();
            if layer.only.as_ref().is_some_and(|only| !only(&head)) {
                return inner.call(Request::from_parts(head, body)).await;
            }
            let (verdict, refusal, body) = layer.judge(&head, body).await;
            if let Some(observe) = &layer.shared.settings.observe {
                observe(&verdict);
            }
            if let Some(refusal) = refusal {
                return Ok(refusal.map(ResBody::from));
            }
            let identity = verdict.identity;
            head.extensions.insert(identity.clone());
            let mut response = inner.call(Request::from_parts(head, body)).await?;
            layer.shared.invite(&identity, response.headers_mut());
            // The service may have looked at it.
            if identity != Identity::Anonymous {
                keep_private(response.headers_mut());
            }
            Ok(response)
        })
    }
}

impl BotLayer {
    /// The verdict on a request: the refusal, if any, and the body to pass on.
    async fn judge<B>(&self, head: &Parts, body: B) -> (RequestVerdict, Option<Response<Bytes>>, B)
    where
        B: Body<Data = Bytes> + From<Bytes> + Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let shared = &self.shared;
        let (found, body) = shared.identify(head, body).await;
        let now = (shared.settings.clock)();
        let identity = match &found {
            Ok(identity) => identity.clone(),
            Err(_) => Identity::Unverified(Reason::BodyUnknown),
        };
        let limited = identity
            .agent()
            .zip(shared.settings.limit)
            .and_then(|(agent, limit)| lock(&shared.limits).take(agent, limit, now).err());
        {
            let mut counters = lock(&shared.counters);
            counters.count(&identity);
            counters.limited += u64::from(limited.is_some());
        }
        let (refused, code) = match (&found, limited) {
            (Err(refused), _) => (Some(refused.0), refused.1),
            (Ok(_), Some(_)) => (Some(StatusCode::TOO_MANY_REQUESTS), "limited"),
            (Ok(Identity::Verified(_)), None) => (None, "verified"),
            (Ok(Identity::Anonymous), None) => (Some(StatusCode::FORBIDDEN), "anonymous"),
            (Ok(Identity::Unverified(reason)), None) => (Some(status_of(*reason)), reason.code()),
        };
        // A body that was read in part cannot be passed on.
        let is_final = found.is_err() || limited.is_some() || self.is_required;
        let refused = refused.filter(|_| is_final);
        let path = head.uri.path().to_owned();
        let verdict = RequestVerdict { method: head.method.clone(), path, identity, refused, code };
        let refusal = refused.map(|status| shared.refusal(status, &verdict, limited));
        (verdict, refusal, body)
    }
}

fn status_of(reason: Reason) -> StatusCode {
    match reason {
        Reason::MalformedField => StatusCode::BAD_REQUEST,
        Reason::AgentUnknown => StatusCode::FORBIDDEN,
        Reason::DirectoryLater | Reason::ReplayFull => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::UNAUTHORIZED,
    }
}

/// Why a request cannot be checked.
type Unread = (StatusCode, &'static str);

impl Shared {
    fn read(&self) -> RwLockReadGuard<'_, Verifier> {
        self.verifier.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Verifier> {
        self.verifier.write().unwrap_or_else(PoisonError::into_inner)
    }

    async fn identify<B>(self: &Arc<Self>, head: &Parts, body: B) -> (Result<Identity, Unread>, B)
    where
        B: Body<Data = Bytes> + From<Bytes> + Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let is_signed =
            head.headers.contains_key("signature-input") || head.headers.contains_key("signature");
        if !is_signed {
            return (Ok(Identity::Anonymous), body);
        }
        let target = head.uri.path_and_query().map_or("/", |target| target.as_str());
        let url = format!("{}{target}", self.settings.origin);
        let known_body: Option<&[u8]> = if body.is_end_stream() { Some(b"") } else { None };
        let Ok(check) = self.begin(head, &url, known_body) else {
            return (Err((StatusCode::BAD_REQUEST, "bad-request")), body);
        };
        if known_body.is_some() {
            return (Ok(self.finish(check).await), body);
        }
        // What is refused whatever the body is costs no reading of it.
        if let (None, Identity::Unverified(reason)) = (check.wanted(), check.identity())
            && reason != Reason::BodyUnknown
        {
            return (Ok(Identity::Unverified(reason)), body);
        }
        let Ok(read) = Limited::new(body, self.settings.max_body_bytes).collect().await else {
            return (Err((StatusCode::PAYLOAD_TOO_LARGE, "body-too-large")), B::from(Bytes::new()));
        };
        let read = read.to_bytes();
        let found = match self.begin(head, &url, Some(&read)) {
            Ok(check) => Ok(self.finish(check).await),
            Err(_) => Err((StatusCode::BAD_REQUEST, "bad-request")),
        };
        (found, B::from(read))
    }

    fn begin(
        &self,
        head: &Parts,
        url: &str,
        body: Option<&[u8]>,
    ) -> Result<RequestCheck<'static>, MessageError> {
        let now = (self.settings.clock)();
        let message = Message::request(head.method.as_str(), url)?.headers(header_lines(&head.headers));
        let message = match body {
            Some(body) => message.body(body),
            None => message,
        };
        let is_used = |id| self.read().has_used(id);
        Ok(RequestCheck::unused(&message, self.settings.verifier.asks_for(), is_used, now))
    }

    /// Gets the keys that the check wants, and ends it. The verifier is locked only for look-ups, never while a request is
    /// read, a signature verified or a directory fetched.
    async fn finish(self: &Arc<Self>, mut check: RequestCheck<'static>) -> Identity {
        while let Some(url) = check.wanted().map(str::to_owned) {
            let now = (self.settings.clock)();
            if let Some(left) = self.take_left(&url, now) {
                self.fetch(&url, left.answer, Some(left.since)).await;
                continue;
            }
            let answer = self.write().ask(&check, now);
            match answer {
                DirectoryAnswer::Use(directory) => check.on_shared(directory),
                DirectoryAnswer::No(reason) => check.on_refusal(reason),
                DirectoryAnswer::Fetch => {
                    self.fetch(&url, self.settings.fetch.fetch(url.clone()), None).await;
                }
                DirectoryAnswer::Wait => {
                    if !self.wait(&url).await {
                        check.on_refusal(Reason::DirectoryLater);
                    }
                }
            }
        }
        self.write().finish(check, (self.settings.clock)())
    }

    fn take_left(&self, url: &str, now: UnixSeconds) -> Option<Left> {
        // An old one is dropped without the lock: a client's future may do anything then.
        let left = lock(&self.left).remove(url);
        left.filter(|left| now.0.abs_diff(left.since.0) < DROPPED_SECS)
    }

    /// Ends a fetch, which may have been left by another request at that time.
    async fn fetch(self: &Arc<Self>, url: &str, answer: AnswerFuture, left: Option<UnixSeconds>) {
        let mut fetch = Fetch { shared: self, url, answer: Some(answer), is_done: false };
        let answer = fetch.end().await;
        fetch.is_done = true;
        let now = (self.settings.clock)();
        let is_read = match &answer {
            None if left.is_some_and(|since| now.0.abs_diff(since.0) >= LEFT_SECS) => {
                self.write().on_cancel(url);
                false
            }
            None => {
                self.write().on_failure(url, now);
                false
            }
            Some((from, response)) => {
                let headers = header_lines(response.headers());
                let status = response.status().as_u16();
                let fetched = Fetched { url: from, status, headers: &headers, body: response.body() };
                let profile = self.settings.verifier.asks_for().profile;
                let read = Directory::read(url, &fetched, profile, now);
                self.write().on_read(url, &fetched, read, now).is_ok()
            }
        };
        drop(fetch);
        let mut counters = lock(&self.counters);
        counters.fetched.0 += 1;
        counters.fetched.1 += u64::from(!is_read);
    }

    /// Waits for a fetch of another request. False where too many wait already.
    async fn wait(&self, url: &str) -> bool {
        let mut is_first = true;
        poll_fn(|cx| {
            {
                // Before looking: a fetch that ends in between wakes this one too.
                let mut waiting = lock(&self.waiting);
                if waiting.len() >= MAX_WAITING && is_first {
                    return Poll::Ready(false);
                }
                waiting.retain(|waker| !waker.will_wake(cx.waker()));
                waiting.push(cx.waker().clone());
            }
            is_first = false;
            let is_in_flight = self.read().directories().is_in_flight(url, (self.settings.clock)());
            if is_in_flight && !lock(&self.left).contains_key(url) {
                Poll::Pending
            } else {
                Poll::Ready(true)
            }
        })
        .await
    }

    fn refusal(
        &self,
        status: StatusCode,
        verdict: &RequestVerdict,
        retry_after: Option<u64>,
    ) -> Response<Bytes> {
        let why = match (&verdict.identity, verdict.code) {
            (_, "limited") => "expected fewer requests of this agent".to_owned(),
            (_, "body-too-large") => "expected a shorter body with a signature".to_owned(),
            (_, "bad-request") => "expected another url".to_owned(),
            (Identity::Anonymous, _) => "expected a signature of web bot auth, found none".to_owned(),
            (Identity::Unverified(reason), _) => reason.to_string(),
            (Identity::Verified(_), code) => code.to_owned(),
        };
        let mut response = Response::new(Bytes::from(format!("{status}\n{why}\n")));
        *response.status_mut() = status;
        let fields = response.headers_mut();
        fields.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        // It is about this one signature.
        fields.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        fields.insert(SIGNATURE_REASON, HeaderValue::from_static(verdict.code));
        let retry_after = retry_after.or((status == StatusCode::SERVICE_UNAVAILABLE).then_some(LATER_SECS));
        if let Some(secs) = retry_after {
            fields.insert(RETRY_AFTER, HeaderValue::from(secs));
        }
        if status == StatusCode::UNAUTHORIZED {
            fields.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Signature realm=\"crawlers\""));
        }
        if let (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, Some(wanted)) =
            (status, &self.accept_signature)
        {
            fields.insert(ACCEPT_SIGNATURE, wanted.clone());
        }
        response
    }

    /// Adds `Accept-Signature` to responses to clients that are not verified.
    fn invite(&self, identity: &Identity, fields: &mut HeaderMap) {
        if let Identity::Unverified(reason) = identity {
            fields.insert(SIGNATURE_REASON, HeaderValue::from_static(reason.code()));
        }
        if let (None, Some(wanted)) = (identity.agent(), &self.accept_signature) {
            fields.entry(ACCEPT_SIGNATURE).or_insert_with(|| wanted.clone());
        }
    }
}

/// Forbids shared caches to keep what only some may read: they would hand it to everybody.
///
/// Fields that a kind of cache obeys in place of `Cache-Control` are removed: those of RFC 9213, whose names end alike, and
/// those that are older.
fn keep_private(fields: &mut HeaderMap) {
    let is_targeted = |name: &&HeaderName| {
        let name = name.as_str();
        name.ends_with("-cache-control")
            || matches!(name, "surrogate-control" | "edge-control" | "x-accel-expires")
    };
    for name in fields.keys().filter(is_targeted).cloned().collect::<Vec<_>>() {
        fields.remove(name);
    }
    let lines: Vec<_> = fields.get_all(CACHE_CONTROL).iter().filter_map(|line| line.to_str().ok()).collect();
    let list = lines.join(",");
    let of = |directive: &str| directive.split('=').next().unwrap_or_default().trim().to_ascii_lowercase();
    // `no-store` says more. `private="field"` is of that field alone.
    if list.split(',').any(|directive| of(directive) == "no-store") {
        return;
    }
    let kept = list.split(',').map(str::trim).filter(|directive| {
        !directive.is_empty() && !matches!(of(directive).as_str(), "public" | "s-maxage" | "private")
    });
    let value = ["private"].into_iter().chain(kept).collect::<Vec<_>>().join(", ");
    fields.insert(CACHE_CONTROL, HeaderValue::try_from(value).unwrap_or(HeaderValue::from_static("private")));
}

/// A fetch that a client began which hung up.
struct Left {
    answer: AnswerFuture,
    since: UnixSeconds,
}

/// A fetch by one request, for all requests that wait for the same URL. Where its client hangs up, the next one goes on with
/// it: clients that come and go have no connection begun for each of them.
struct Fetch<'s> {
    shared: &'s Shared,
    url: &'s str,
    /// `None` once it has ended, or while it is polled.
    answer: Option<AnswerFuture>,
    is_done: bool,
}

impl Fetch<'_> {
    async fn end(&mut self) -> Answer {
        poll_fn(|cx| {
            // Out of its place while it is polled: one that panics is not left to the next request.
            let Some(mut answer) = self.answer.take() else { return Poll::Ready(None) };
            let polled = answer.as_mut().poll(cx);
            if polled.is_pending() {
                self.answer = Some(answer);
            }
            polled
        })
        .await
    }
}

impl Drop for Fetch<'_> {
    fn drop(&mut self) {
        let mut dropped = Vec::new();
        if let Some(answer) = self.answer.take() {
            let since = (self.shared.settings.clock)();
            let mut left = lock(&self.shared.left);
            let is_old = |_: &String, left: &mut Left| since.0.abs_diff(left.since.0) >= DROPPED_SECS;
            // Dropped without the lock: a client's future may do anything then.
            dropped.extend(left.extract_if(is_old).map(|(_, left)| left.answer));
            dropped.extend(left.insert(self.url.to_owned(), Left { answer, since }).map(|left| left.answer));
        } else if !self.is_done {
            self.shared.write().on_cancel(self.url);
        }
        let waiting = core::mem::take(&mut *lock(&self.shared.waiting));
        waiting.into_iter().for_each(Waker::wake);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
