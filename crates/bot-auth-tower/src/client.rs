//! The client's layer: signs requests, always or once a server asks for it.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bot_auth::{CrawlerSigner, Message, content_digest, header_lines};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt as _, Limited};
use tower_layer::Layer;
use tower_service::Service;
use web_values::UnixSeconds;

/// Largest body that is read to be signed, in bytes: 16 MiB.
const MAX_BODY_BYTES: usize = 16 << 20;
/// Most origins remembered as asking for signatures; the one that was used least recently is forgotten, and has to ask again.
const MAX_ORIGINS: usize = 1_000;

const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");

type Signers = Arc<dyn Fn(UnixSeconds) -> Option<CrawlerSigner> + Send + Sync>;

/// Signs the requests of a client.
///
/// URIs must be absolute and https. A request with a body gets a `Content-Digest` if it has none, and the signature covers
/// it. Each request has its own signature, so put this layer inside of layers that retry or follow redirects.
#[derive(Clone)]
pub struct SignLayer {
    signers: Signers,
    clock: Arc<dyn Fn() -> UnixSeconds + Send + Sync>,
    random: Arc<dyn Fn() -> [u8; 32] + Send + Sync>,
    is_always: bool,
    asked: Arc<Mutex<Asked>>,
}

/// The `Accept-Signature` lines of servers that asked, by origin, each with the number of its last use.
#[derive(Default)]
struct Asked {
    origins: BTreeMap<String, (u64, Vec<Vec<u8>>)>,
    uses: u64,
}

impl Asked {
    fn get(&mut self, origin: &str) -> Option<Vec<Vec<u8>>> {
        let (used, lines) = self.origins.get_mut(origin)?;
        self.uses += 1;
        *used = self.uses;
        Some(lines.clone())
    }

    fn insert(&mut self, origin: &str, lines: Vec<Vec<u8>>) {
        if self.origins.len() >= MAX_ORIGINS && !self.origins.contains_key(origin) {
            let oldest = self.origins.iter().min_by_key(|(_, (used, _))| *used);
            let oldest = oldest.map(|(origin, _)| origin.clone());
            oldest.map(|oldest| self.origins.remove(&oldest));
        }
        self.uses += 1;
        self.origins.insert(origin.to_owned(), (self.uses, lines));
    }
}

impl fmt::Debug for SignLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignLayer").field("is_always", &self.is_always).finish_non_exhaustive()
    }
}

impl SignLayer {
    /// Signs every request, as its origin asks for where that is known. A request that is refused with another wish
    /// (`Accept-Signature`) is signed as asked and sent once more.
    ///
    /// `clock` gives the time, `random` fresh random bytes for a nonce.
    #[must_use]
    pub fn always(
        signer: CrawlerSigner,
        clock: impl Fn() -> UnixSeconds + Send + Sync + 'static,
        random: impl Fn() -> [u8; 32] + Send + Sync + 'static,
    ) -> Self {
        SignLayer::with_signers(move |_| Some(signer.clone()), clock, random)
    }

    /// The same with the signer for the current time, for keys that follow one another. If there is none, a request that must
    /// be signed is an error.
    ///
    /// ```
    /// use bot_auth::{CrawlerSigner, KeySchedule, ScheduledKey};
    /// use bot_auth_tower::SignLayer;
    /// use jwk::SigningKey;
    /// use web_values::UnixSeconds;
    ///
    /// let day = |n: u64| UnixSeconds(n * 86_400);
    /// let key = |secret, from, until| ScheduledKey { key: SigningKey::from_secret(&[secret; 32]), from, until };
    /// let keys = KeySchedule::new([key(1, day(0), day(30)), key(2, day(30), day(60))])?;
    /// let signers = move |now| CrawlerSigner::new(keys.signing_key(now)?.clone(), "https://bot.example").ok();
    /// let clock = || UnixSeconds(1_000_000); // yours: UnixSeconds::from(SystemTime::now())
    /// let _layer = SignLayer::with_signers(signers, clock, || [7; 32]); // yours: random bytes
    /// # Ok::<(), bot_auth::ScheduleError>(())
    /// ```
    #[must_use]
    pub fn with_signers(
        signers: impl Fn(UnixSeconds) -> Option<CrawlerSigner> + Send + Sync + 'static,
        clock: impl Fn() -> UnixSeconds + Send + Sync + 'static,
        random: impl Fn() -> [u8; 32] + Send + Sync + 'static,
    ) -> Self {
        SignLayer {
            signers: Arc::new(signers),
            clock: Arc::new(clock),
            random: Arc::new(random),
            is_always: true,
            asked: Arc::default(),
        }
    }

    /// Signs requests to servers that ask for it: the first request to an origin goes out unsigned, and once more with a
    /// signature where the answer is 401, or 403 with `Accept-Signature`. From then on requests to that origin are signed
    /// as it asks for, and once more where it has come to ask for something else.
    #[must_use]
    pub fn when_asked(self) -> Self {
        SignLayer { is_always: false, ..self }
    }

    /// The fields of a request with a signature, as the server wants it.
    fn sign(&self, head: &Parts, body: &Bytes, asked: Option<&[Vec<u8>]>) -> Result<HeaderMap, String> {
        let now = (self.clock)();
        let signer = (self.signers)(now).ok_or("expected a key that signs now, found none")?;
        let signer = match asked {
            Some(lines) if !lines.is_empty() => signer.answering(lines).map_err(|error| error.to_string())?,
            _ => signer,
        };
        let mut headers = head.headers.clone();
        if !body.is_empty() && !headers.contains_key(CONTENT_DIGEST) {
            let digest = HeaderValue::try_from(content_digest(body)).map_err(|error| error.to_string())?;
            headers.insert(CONTENT_DIGEST, digest);
        }
        let url = head.uri.to_string();
        let message = Message::request(head.method.as_str(), &url).map_err(|error| error.to_string())?;
        let message = message.headers(header_lines(&headers)).body(body);
        let signed = signer.sign(&message, &(self.random)(), now).map_err(|error| error.to_string())?;
        drop(message);
        signed.add_to(&mut headers);
        Ok(headers)
    }

    fn asked_by(&self, origin: &str) -> Option<Vec<Vec<u8>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).get(origin)
    }

    fn remember(&self, origin: &str, lines: Vec<Vec<u8>>) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(origin, lines);
    }
}

impl<S> Layer<S> for SignLayer {
    type Service = SignService<S>;

    fn layer(&self, inner: S) -> SignService<S> {
        SignService { inner, layer: self.clone() }
    }
}

/// A client that signs its requests.
#[derive(Debug, Clone)]
pub struct SignService<S> {
    inner: S,
    layer: SignLayer,
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;
type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl<S, ReqBody, ResBody> Service<Request<ReqBody>> for SignService<S>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<BoxError>,
    ReqBody: Body<Data = Bytes> + From<Bytes> + Send + 'static,
    ReqBody::Error: Into<BoxError>,
    ResBody: Send,
{
    type Response = Response<ResBody>;
    type Error = BoxError;
    type Future = BoxFuture<Result<Response<ResBody>, BoxError>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, request: Request<ReqBody>) -> Self::Future {
        // The service that was ready is the one to call; the clone takes its place.
        let clone = self.inner.clone();
        let mut inner = core::mem::replace(&mut self.inner, clone);
        let layer = self.layer.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = Limited::new(body, MAX_BODY_BYTES).collect().await?.to_bytes();
            let origin = format!(
                "{}://{}",
                head.uri.scheme_str().unwrap_or_default(),
                head.uri.authority().map_or("", |authority| authority.as_str())
            );
            let asked = layer.asked_by(&origin);
            let send = |headers: HeaderMap| {
                let mut head = head.clone();
                head.headers = headers;
                Request::from_parts(head, ReqBody::from(body.clone()))
            };
            // What the origin asked for of another request may not be there to sign in this one.
            let signed = asked.as_ref().and_then(|asked| layer.sign(&head, &body, Some(asked)).ok());
            let answered = asked.filter(|_| signed.is_some());
            let signed = match signed {
                None if layer.is_always => Some(layer.sign(&head, &body, None)?),
                signed => signed,
            };
            let is_signed = signed.is_some();
            let first = send(signed.unwrap_or_else(|| head.headers.clone()));
            let response = inner.call(first).await.map_err(Into::into)?;
            let lines = response.headers().get_all("accept-signature").iter();
            let lines: Vec<Vec<u8>> = lines.map(|line| line.as_bytes().to_vec()).collect();
            // What it asks for and did not get. A 401 without a wish asks for any signature.
            let is_wish = !lines.is_empty() && answered.as_ref() != Some(&lines);
            let is_refused = is_refusal(response.status());
            let is_bare = response.status() == StatusCode::UNAUTHORIZED && lines.is_empty() && !is_signed;
            if !is_wish && !is_bare {
                return Ok(response);
            }
            // What cannot be signed as it is asked for stays as it is.
            let Ok(headers) = layer.sign(&head, &body, Some(&lines)) else { return Ok(response) };
            if !is_refused {
                // A wish beside an answer is one for the next time.
                layer.remember(&origin, lines);
                return Ok(response);
            }
            core::future::poll_fn(|cx| inner.poll_ready(cx)).await.map_err(Into::into)?;
            let response = inner.call(send(headers)).await.map_err(Into::into)?;
            // Where all requests are signed, a wish is answered at once from now on, even if that did not help here: each
            // request would go out twice.
            if is_signed || !is_refusal(response.status()) {
                layer.remember(&origin, lines);
            }
            Ok(response)
        })
    }
}

/// Returns true for the statuses by which a server asks for another signature.
fn is_refusal(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}
