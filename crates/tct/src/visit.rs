//! The visit of one page: requests out, responses in, until the outcome is known.
//!
//! ```text
//! Visit --request()--> http::Request<()>                        the caller sends it, and follows no redirect
//!       <-on_response(final URL, http::Response<body>, now)--   the caller brings the answer, content coding undone
//!       -> VisitStep::Again(Visit) or VisitStep::Done(Outcome)
//! ```
//!
//! C is the hash of the held body, S the sitemap's, E the endpoint's (TCT-AMB-23):
//!
//! | situation | what happens |
//! |---|---|
//! | nothing held, 200 | E is stored; a difference from S is reported |
//! | 304, tag of a held body, S = C or unknown | C is kept and counts as confirmed |
//! | 304, but S ≠ C | requested again, bypassing all caches; if confirmed again, C is kept, and S is remembered as disputed instead of stored |
//! | 304, S is already disputed | C is kept |
//! | 304 naming a tag that was not sent, or to an unconditional request | fetched without conditions |
//! | 304 naming no tag, where a document of draft -03 is held | the same (TCT3-AGENT-14) |
//! | 200, E = S | E is stored |
//! | 200, all three differ | E is stored, S is remembered as disputed, the difference reported |
//! | 200, C = S but E ≠ C, `Last-Modified` newer than C's | E is stored: the sitemap is behind |
//! | 200, C = S but E ≠ C, otherwise | requested again, bypassing all caches; if still E, C is kept: the endpoint went back |
//!
//! E is the entity tag if that is a hash, without a coding suffix; otherwise the payload's own hash.
//!
//! | status | what happens |
//! |---|---|
//! | 200 with `Cache-Control: no-store` | the payload may be used now, and is not stored |
//! | 301, 302, 303, 307, 308 | followed within the origin, a few times |
//! | 304 | as above |
//! | 401, 402, 403, 407, 451 | [`Outcome::Forbidden`]: not a deletion |
//! | 404 | [`Outcome::NotFound`]: not a deletion |
//! | 410 | [`Outcome::Gone`] |
//! | 412 to a conditional request | fetched without conditions |
//! | 408, 421, 423, 425, 429 and 5xx but those below | [`Outcome::Unavailable`], by `Retry-After` where there is one |
//! | 501, 505, 506, 510, 511 and every other 4xx | [`Outcome::Refuse`]: a retry would not help |
//! | other 2xx and 3xx | [`Outcome::Refuse`] |
//! | a response from another origin than the request's | [`Outcome::Refuse`], whatever it holds |
//!
//! Hashes have no order: *newer* means a later `Last-Modified` (TCT-AMB-24).
//!
//! The body decides the revision: a document of draft -03 is opened by its rules and held under the hash of its bytes
//! (TCT3-ZF-4), so a page may move from one revision to the other between two visits (TCT3-MIG-1, TCT3-MIG-2).
//!
//! A visit ends after at most a handful of requests, whatever the server does.

use http::header::{ACCEPT, CACHE_CONTROL, ETAG, IF_NONE_MATCH, LAST_MODIFIED, LOCATION};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use url::Url;

use crate::address::uri_of;
use crate::cache::CacheControl;
use crate::held::{ContentHash, HeldHistory, HeldPage, HeldTag};
use crate::open::{Expected, OpenPolicy, Opened, PayloadNote, Problem, ReceivedPayload, open_parts};
use crate::retry::retry_after;
use crate::v03;
use crate::{CUrl, EntityTag, Fingerprint, MUrl, UnixSeconds, UrlPolicy};

/// The settings of a visit.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct VisitPolicy {
    /// How responses are judged.
    pub open: OpenPolicy,
    /// Which URLs redirects may lead to, beside having the same origin.
    pub urls: UrlPolicy,
    /// Send HEAD first if a body is held. Off by default: a conditional GET costs one round trip less when the page
    /// changed (TCT-AMB-42).
    pub head_first: bool,
    /// Redirects that are followed. Default: 5.
    pub max_redirects: u8,
    /// Seconds to wait after a failure for which the server names no time. Default: 60.
    pub retry_secs: u64,
    /// The longest wait that a server can request, in seconds. Default: 86,400.
    pub max_retry_secs: u64,
}

impl Default for VisitPolicy {
    fn default() -> Self {
        VisitPolicy {
            open: OpenPolicy::default(),
            urls: UrlPolicy::default(),
            head_first: false,
            max_redirects: 5,
            retry_secs: 60,
            max_retry_secs: 86_400,
        }
    }
}

with_each! { VisitPolicy
    /// The same policy with other rules for responses.
    with_open: open: OpenPolicy;
    /// The same policy with other rules for URLs.
    with_urls: urls: UrlPolicy;
}

impl VisitPolicy {
    /// The same policy, asking with HEAD first (TCT-HEAD-4).
    #[must_use]
    pub const fn with_head_first(self) -> Self {
        VisitPolicy { head_first: true, ..self }
    }
}

/// The visit of one M-URL: a state machine that the caller drives.
///
/// ```
/// use tct::{CUrl, MUrl, Outcome, Payload, UnixSeconds, Visit, VisitPolicy, VisitStep, plan_response};
///
/// let page = CUrl::parse("https://example.com/post/")?;
/// let twin = MUrl::parse("https://example.com/post/llm/")?;
/// // The server's side:
/// let sealed = Payload::new(&page, "Title", "Text").seal()?;
/// let representation = sealed.representation(&page);
/// // The agent's side:
/// let visit = Visit::new(&twin, &page, Some(sealed.fingerprint()), None, VisitPolicy::default());
/// let request = visit.request();
/// let answer = plan_response(request.method(), request.headers(), &representation)
///     .into_http(sealed.body().len(), |range| &sealed.body()[range]);
/// let step = visit.on_response(twin.as_url(), &answer, UnixSeconds(1));
/// let VisitStep::Done(Outcome::Store { held, payload, .. }) = step else { panic!("{step:?}") };
/// assert_eq!(held.hash, sealed.fingerprint());
/// assert_eq!(payload.title().as_untrusted_str(), "Title");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: TCT draft-00, "Agent Flow", "Error Handling"; TCT-ZF-3, TCT-ZF-4, TCT-ZF-6, TCT-ZF-7, TCT-ERR-2 to
/// TCT-ERR-6, TCT-DISC-5, TCT-AMB-22, TCT-AMB-23, TCT-AMB-24, TCT-D01-9.
#[derive(Debug, Clone)]
#[must_use]
pub struct Visit {
    twin: MUrl,
    page: CUrl,
    /// Where redirects led.
    moved_to: Option<Url>,
    listed: Option<Fingerprint>,
    held: Option<HeldPage>,
    policy: VisitPolicy,
    stage: Stage,
    hops: Vec<Url>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Head,
    /// With the tags of the held bodies, if any.
    Conditional,
    /// The same, bypassing all caches.
    EndToEnd,
    /// Without conditions, bypassing all caches.
    Unconditional,
}

/// What follows from a response.
#[derive(Debug, Clone)]
#[must_use]
pub enum VisitStep {
    /// Another request is needed.
    Again(Box<Visit>),
    /// The visit is over.
    Done(Outcome),
}

/// How a visit ended. Serialised, it is an object with its name under `outcome`, without the text of the
/// payload.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
#[non_exhaustive]
#[must_use]
pub enum Outcome {
    /// Store the body and its facts, together.
    Store {
        /// What is known of the body.
        held: HeldPage,
        /// The body.
        payload: Box<ReceivedPayload>,
        /// Problems that did not refuse it.
        problems: Vec<Problem>,
        /// What is remarkable about it.
        notes: Vec<PayloadNote>,
        /// How sitemap, cache and endpoint disagree.
        disagreement: Option<Disagreement>,
        /// Whether the response is `private`: store it only where nobody but this agent reads it.
        is_private: bool,
    },
    /// The response says `no-store`: use the payload now if at all, store nothing, and forget what is held.
    UseOnce {
        /// The body.
        payload: Box<ReceivedPayload>,
        /// Problems that did not refuse it.
        problems: Vec<Problem>,
    },
    /// Keep the stored body and update its facts.
    Keep {
        /// What is known of the body.
        held: HeldPage,
        /// How sitemap, cache and endpoint disagree.
        disagreement: Option<Disagreement>,
    },
    /// The page went back to an earlier body that is still stored, under the entity tag of `held`: make that one the
    /// present body. Happens only if [`HeldHistory::other_versions`] has entries.
    Restore {
        /// What is known of the body that is now the present one.
        held: HeldPage,
        /// How sitemap, cache and endpoint disagree.
        disagreement: Option<Disagreement>,
    },
    /// The response must not be used. Whatever is held stays held.
    Refuse {
        /// Why.
        reason: Refusal,
        /// The problems of the response, if it was opened.
        problems: Vec<Problem>,
    },
    /// Not there at present (404): not a deletion. Whatever is held stays held.
    NotFound,
    /// Deleted for good (410): forget what is held.
    Gone,
    /// Credentials or a payment are needed, or the law forbids it (401, 402, 403, 407, 451): not a deletion
    /// (TCT-SEC-16).
    Forbidden,
    /// There was no usable answer. Whatever is held stays held.
    Unavailable {
        /// When to try again.
        retry_at: UnixSeconds,
    },
}

impl Outcome {
    /// The outcome's name in kebab case, such as `store` or `not-found`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Outcome::Store { .. } => "store",
            Outcome::UseOnce { .. } => "use-once",
            Outcome::Keep { .. } => "keep",
            Outcome::Restore { .. } => "restore",
            Outcome::Refuse { .. } => "refuse",
            Outcome::NotFound => "not-found",
            Outcome::Gone => "gone",
            Outcome::Forbidden => "forbidden",
            Outcome::Unavailable { .. } => "unavailable",
        }
    }

    /// The facts about the body that is now held, if any.
    #[must_use]
    pub const fn held(&self) -> Option<&HeldPage> {
        match self {
            Outcome::Store { held, .. } | Outcome::Keep { held, .. } | Outcome::Restore { held, .. } => {
                Some(held)
            }
            _ => None,
        }
    }
}

/// How sitemap, cache and endpoint disagree: worth a line in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Disagreement {
    /// The sitemap has a new hash that the endpoint does not have, with all caches bypassed.
    SitemapAhead,
    /// The endpoint has a hash that is neither the sitemap's nor the held one.
    SitemapDiffers,
    /// The endpoint has something newer than the sitemap.
    SitemapBehind,
    /// The endpoint went back to a version that is not newer; the held body is kept.
    Regression,
}

words! { code: Disagreement
    SitemapAhead => "sitemap-ahead", "the sitemap lists a new hash that the endpoint does not have yet";
    SitemapDiffers => "sitemap-differs", "the sitemap lists another hash than the endpoint has";
    SitemapBehind => "sitemap-behind", "the endpoint has a newer text than the sitemap lists";
    Regression => "regression", "the endpoint went back to an older text; what is held is kept";
}

/// Why a response is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// Opening it found problems that the policy does not accept.
    Problems,
    /// A status that a retry would not change.
    Status,
    /// A redirect leads to another origin or to a URL that the policy refuses, or has no target.
    Redirect,
    /// The client followed a redirect by itself, to another origin or to a URL that the policy refuses.
    OtherOrigin,
    /// Too many redirects, or a loop.
    TooManyRedirects,
    /// A 304 without an entity tag that was sent, even after an unconditional request.
    NotModifiedUnasked,
    /// The caller reported the body as too long, or its coding as broken.
    Body,
    /// The request was not sent: robots.txt or the caller's own rules forbid it.
    Withheld,
}

words! { code: Refusal
    Problems => "problems", "the response has problems that the policy does not accept";
    Status => "status", "the status is an error that stays when the request is repeated";
    Redirect => "redirect", "it redirects to another origin, to a URL that the policy refuses, or nowhere";
    OtherOrigin => "other-origin", "the client followed a redirect to another origin or to a URL that the policy refuses";
    TooManyRedirects => "too-many-redirects", "it redirects too often, or in a circle";
    NotModifiedUnasked => "not-modified-unasked", "it answered 304 for an entity tag that was not sent";
    Body => "body", "the body is too long, or its content coding is broken";
    Withheld => "withheld", "robots.txt or the caller does not allow the request";
}

/// Classes of statuses without a usable body, for any resource of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusClass {
    Ok,
    NotModified,
    Redirect,
    NotFound,
    Gone,
    Forbidden,
    /// Ask again later.
    Busy,
    /// A retry would not help.
    Final,
}

impl StatusClass {
    pub(crate) fn of(status: StatusCode) -> Self {
        match status.as_u16() {
            200 => StatusClass::Ok,
            304 => StatusClass::NotModified,
            301 | 302 | 303 | 307 | 308 => StatusClass::Redirect,
            401 | 402 | 403 | 407 | 451 => StatusClass::Forbidden,
            404 => StatusClass::NotFound,
            410 => StatusClass::Gone,
            408 | 421 | 423 | 425 | 429 => StatusClass::Busy,
            501 | 505 | 506 | 510 | 511 => StatusClass::Final,
            500..=599 => StatusClass::Busy,
            _ => StatusClass::Final,
        }
    }
}

impl Visit {
    /// A visit of `twin` for `page`, with the sitemap's hash and the cache entry.
    pub fn new(
        twin: &MUrl,
        page: &CUrl,
        sitemap_hash: Option<Fingerprint>,
        held: Option<HeldPage>,
        policy: VisitPolicy,
    ) -> Self {
        let has_tags = held.as_ref().is_some_and(HeldPage::has_tags);
        Visit {
            twin: twin.clone(),
            page: page.clone(),
            moved_to: None,
            listed: sitemap_hash,
            held,
            policy,
            stage: if policy.head_first && has_tags { Stage::Head } else { Stage::Conditional },
            hops: Vec::new(),
        }
    }

    /// The request to send now: GET or HEAD, with the fields that matter to the protocol. The caller adds its own, such
    /// as `User-Agent` and `Accept-Encoding`.
    #[must_use]
    pub fn request(&self) -> Request<()> {
        let mut request = Request::new(());
        *request.uri_mut() = uri_of(self.url());
        if self.stage == Stage::Head {
            *request.method_mut() = Method::HEAD;
        }
        let headers = request.headers_mut();
        headers.reserve(4);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(tags) = self.asked().and_then(HeldPage::if_none_match) {
            headers.insert(IF_NONE_MATCH, tags);
        }
        if matches!(self.stage, Stage::EndToEnd | Stage::Unconditional) {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        }
        request
    }

    /// The URL of [`Visit::request`].
    #[must_use]
    pub fn url(&self) -> &Url {
        self.moved_to.as_ref().unwrap_or(self.twin.as_url())
    }

    /// The page.
    pub(crate) fn page(&self) -> &CUrl {
        &self.page
    }

    /// Its twin, wherever redirects led.
    pub(crate) fn twin(&self) -> &MUrl {
        &self.twin
    }

    /// The sitemap's hash.
    pub(crate) fn listed(&self) -> Option<Fingerprint> {
        self.listed
    }

    /// The cache entry before the visit.
    pub(crate) fn held(&self) -> Option<&HeldPage> {
        self.held.as_ref()
    }

    /// What follows from the response to [`Visit::request`].
    ///
    /// `url` is the one that answered: it differs from [`Visit::url`] if the HTTP client follows redirects by itself,
    /// and a response from another origin is then refused. The body must be decoded; it is read for a 200 only.
    pub fn on_response(
        mut self,
        url: &Url,
        response: &Response<impl AsRef<[u8]>>,
        now: UnixSeconds,
    ) -> VisitStep {
        let body = response.body().as_ref();
        match self.on_parts(url, response.status(), response.headers(), body, now) {
            None => VisitStep::Again(Box::new(self)),
            Some(outcome) => VisitStep::Done(outcome),
        }
    }

    /// The visit's outcome, or `None` if another request is needed.
    pub(crate) fn on_parts(
        &mut self,
        url: &Url,
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
        now: UnixSeconds,
    ) -> Option<Outcome> {
        if is_same_but_fragment(url, self.url()) {
            return self.on_answer(status, headers, body, now);
        }
        if url.origin() != self.url().origin() || self.policy.urls.check(url).is_err() {
            return refuse(Refusal::OtherOrigin);
        }
        let mut url = url.clone();
        url.set_fragment(None);
        let before = self.moved_to.clone();
        self.move_to(url);
        let outcome = self.on_answer(status, headers, body, now);
        if let Some(Outcome::Unavailable { .. }) = outcome {
            // What is tried again is the request that was sent.
            self.moved_to = before;
            self.hops.pop();
        }
        outcome
    }

    /// The same for a response of the URL that was asked, or that a redirect within the origin led to.
    fn on_answer(
        &mut self,
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
        now: UnixSeconds,
    ) -> Option<Outcome> {
        match StatusClass::of(status) {
            StatusClass::Ok if self.stage == Stage::Head => self.on_head(headers, now),
            StatusClass::Ok => self.on_body(headers, body, now),
            StatusClass::NotModified => self.on_not_modified(headers, now),
            StatusClass::Gone => Some(Outcome::Gone),
            StatusClass::NotFound => Some(Outcome::NotFound),
            // A firewall may know GET alone.
            _ if self.stage == Stage::Head
                && status.is_client_error()
                && status != StatusCode::TOO_MANY_REQUESTS =>
            {
                self.again(Stage::Conditional)
            }
            StatusClass::Forbidden => Some(Outcome::Forbidden),
            StatusClass::Redirect => self.on_redirect(headers),
            StatusClass::Busy => Some(self.unavailable(headers, now)),
            StatusClass::Final if status == StatusCode::PRECONDITION_FAILED && self.is_conditional() => {
                self.again(Stage::Unconditional)
            }
            StatusClass::Final if status.is_success() => {
                let opened = self.open(status, headers, body);
                let problems = opened.problems().to_vec();
                Some(Outcome::Refuse { reason: Refusal::Problems, problems })
            }
            StatusClass::Final if status.is_redirection() => refuse(Refusal::Redirect),
            StatusClass::Final => refuse(Refusal::Status),
        }
    }

    /// What follows when no response came: the connection failed, or broke before the body's end.
    pub fn on_failure(self, now: UnixSeconds) -> VisitStep {
        VisitStep::Done(self.unavailable(&HeaderMap::new(), now))
    }

    fn is_conditional(&self) -> bool {
        self.asked().is_some_and(HeldPage::has_tags)
    }

    /// The held tags to send. A tag belongs to the URL that it came from: at a redirect's target another body may have
    /// the same tag.
    fn asked(&self) -> Option<&HeldPage> {
        let may_ask = self.stage != Stage::Unconditional && self.moved_to.is_none();
        self.held.as_ref().filter(|_| may_ask)
    }

    /// Goes on in this stage.
    fn again(&mut self, stage: Stage) -> Option<Outcome> {
        self.stage = stage;
        None
    }

    fn move_to(&mut self, url: Url) {
        let from = self.moved_to.replace(url).unwrap_or_else(|| self.twin.as_url().clone());
        self.hops.push(from);
    }

    fn unavailable(&self, headers: &HeaderMap, now: UnixSeconds) -> Outcome {
        let latest = now.saturating_add(self.policy.max_retry_secs);
        let retry_at =
            retry_after(headers, now).unwrap_or_else(|| now.saturating_add(self.policy.retry_secs));
        Outcome::Unavailable { retry_at: retry_at.min(latest) }
    }

    fn on_redirect(&mut self, headers: &HeaderMap) -> Option<Outcome> {
        let next = match redirect_target(self.url(), headers, &self.policy.urls) {
            Some(next) if next.origin() == self.url().origin() => next,
            _ => return refuse(Refusal::Redirect),
        };
        if next == *self.url()
            || self.hops.contains(&next)
            || self.hops.len() >= usize::from(self.policy.max_redirects)
        {
            return refuse(Refusal::TooManyRedirects);
        }
        self.move_to(next);
        None
    }

    fn on_head(&mut self, headers: &HeaderMap, now: UnixSeconds) -> Option<Outcome> {
        let etag = one_tag(headers);
        let is_held = |held: &HeldPage| {
            let own = held.etag.as_ref().map(HeldTag::as_tag);
            matches!((own, etag), (Some(own), Some(etag)) if own.weak_eq(&etag))
        };
        match self.asked() {
            Some(held) if is_held(held) && !self.sitemap_differs_from(&held.hash) => {
                let held = HeldPage { validated_at: now, ..held.clone() };
                Some(Outcome::Keep { held, disagreement: None })
            }
            _ => self.again(Stage::Conditional),
        }
    }

    fn sitemap_differs_from(&self, hash: &ContentHash) -> bool {
        self.listed.is_some_and(|listed| *hash != listed)
    }

    fn on_not_modified(&mut self, headers: &HeaderMap, now: UnixSeconds) -> Option<Outcome> {
        let Some((mut held, is_present)) = self.asked().and_then(|held| confirmed(held, headers)) else {
            return match self.stage {
                Stage::Unconditional => refuse(Refusal::NotModifiedUnasked),
                _ => self.again(Stage::Unconditional),
            };
        };
        let differs = self.sitemap_differs_from(&held.hash);
        let is_settled = differs && held.history.disputed == self.listed;
        if differs && !is_settled && self.stage != Stage::EndToEnd {
            return self.again(Stage::EndToEnd);
        }
        held.validated_at = now;
        held.history.disputed = self.listed.filter(|_| differs);
        if let Some(modified) = last_modified(headers) {
            held.history.last_modified = Some(modified);
        }
        let disagreement = differs.then_some(Disagreement::SitemapAhead);
        Some(match is_present {
            true => Outcome::Keep { held, disagreement },
            false => Outcome::Restore { held, disagreement },
        })
    }

    fn open(&self, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Opened {
        let listed = self.listed.map(ContentHash::from);
        let expected = Expected { page: Some(&self.page), sitemap_hash: listed.as_ref() };
        open_parts(self.url(), status, headers, body, &expected, &self.policy.open)
    }

    fn on_body(&mut self, headers: &HeaderMap, body: &[u8], now: UnixSeconds) -> Option<Outcome> {
        let opened = self.open(StatusCode::OK, headers, body);
        let (problems, notes) = (opened.problems().to_vec(), opened.notes().to_vec());
        let tagged = opened.clean_etag().and_then(ContentHash::fingerprint);
        let etag = opened.etag().cloned();
        let Some(payload) = opened.into_payload() else {
            return Some(Outcome::Refuse { reason: Refusal::Problems, problems });
        };
        let payload = Box::new(payload);
        let directives = CacheControl::of(headers);
        if directives.no_store {
            return Some(Outcome::UseOnce { payload, problems });
        }
        // Where the tag is not a hash, the payload's own word is all there is.
        let hash = tagged.unwrap_or_else(|| payload.hash());
        let last_modified = last_modified(headers);
        let disagreement = match self.judge(hash, last_modified) {
            Judgement::Take(disagreement) => disagreement,
            Judgement::AskAgain => return self.again(Stage::EndToEnd),
            Judgement::KeepHeld(held) => {
                let held = HeldPage { validated_at: now, ..held };
                return Some(Outcome::Keep { held, disagreement: Some(Disagreement::Regression) });
            }
        };
        let held = HeldPage {
            history: Box::new(HeldHistory {
                last_modified,
                earlier: earlier(self.held.as_ref(), &hash.into()),
                other_versions: Vec::new(),
                disputed: self.listed.filter(|listed| *listed != hash),
                is_v03: payload.profile().and_then(v03::kind_of_profile).is_some(),
            }),
            hash: hash.into(),
            etag,
            validated_at: now,
        };
        Some(Outcome::Store { held, payload, problems, notes, disagreement, is_private: directives.private })
    }

    /// Compares the endpoint's hash with the sitemap's and the held one.
    fn judge(&self, endpoint: Fingerprint, last_modified: Option<UnixSeconds>) -> Judgement {
        let differs = self.listed.is_some_and(|listed| listed != endpoint);
        let Some(held) = self.held.as_ref().filter(|held| held.hash != endpoint) else {
            return Judgement::Take(differs.then_some(Disagreement::SitemapDiffers));
        };
        if self.listed.is_none_or(|listed| held.hash != listed) {
            return Judgement::Take(differs.then_some(Disagreement::SitemapDiffers));
        }
        if matches!((last_modified, held.history.last_modified), (Some(now), Some(then)) if now > then) {
            return Judgement::Take(Some(Disagreement::SitemapBehind));
        }
        match self.stage {
            Stage::EndToEnd | Stage::Unconditional => Judgement::KeepHeld(held.clone()),
            Stage::Head | Stage::Conditional => Judgement::AskAgain,
        }
    }
}

enum Judgement {
    Take(Option<Disagreement>),
    AskAgain,
    KeepHeld(HeldPage),
}

#[expect(clippy::unnecessary_wraps, reason = "an end among answers that may not be one")]
fn refuse(reason: Refusal) -> Option<Outcome> {
    Some(Outcome::Refuse { reason, problems: Vec::new() })
}

/// Whether both are the same URL, fragments aside.
pub(crate) fn is_same_but_fragment(a: &Url, b: &Url) -> bool {
    let text = |url: &'_ Url| url.as_str().len() - url.fragment().map_or(0, |fragment| fragment.len() + 1);
    a.as_str().get(..text(a)) == b.as_str().get(..text(b))
}

/// The URL that a redirect's `Location` names, without its fragment, if the policy accepts it.
pub(crate) fn redirect_target(from: &Url, headers: &HeaderMap, policy: &UrlPolicy) -> Option<Url> {
    let location = core::str::from_utf8(headers.get(LOCATION)?.as_bytes()).ok()?;
    let mut next = from.join(location).ok()?;
    next.set_fragment(None);
    policy.check(&next).is_ok().then_some(next)
}

/// The entity tag of a response that has just one.
fn one_tag(headers: &HeaderMap) -> Option<EntityTag<'_>> {
    let mut lines = headers.get_all(ETAG).iter();
    match (lines.next(), lines.next()) {
        (Some(line), None) => EntityTag::parse(line.as_bytes()),
        _ => None,
    }
}

pub(crate) fn last_modified(headers: &HeaderMap) -> Option<UnixSeconds> {
    headers.get(LAST_MODIFIED).and_then(|value| crate::time::parse_http_date(value.to_str().ok()?))
}

/// The held body that a 304 confirms, and whether it is the present one; `None` where the 304 names none of them.
fn confirmed(held: &HeldPage, headers: &HeaderMap) -> Option<(HeldPage, bool)> {
    let mut tags = held.tags();
    let (first, second) = (tags.next()?, tags.next());
    let named = match headers.contains_key(ETAG) {
        true => one_tag(headers)?,
        // Only one body can be meant. Draft -03 wants it named all the same: its servers do.
        false if second.is_none() && !held.history.is_v03 => first.as_tag(),
        false => return None,
    };
    let is_named = |tag: &HeldTag| tag.as_tag().weak_eq(&named);
    if held.etag.as_ref().is_some_and(is_named) {
        return Some((held.clone(), true));
    }
    // The page went back to an earlier body that is still stored.
    let version = held.history.other_versions.iter().position(is_named)?;
    let mut now = held.clone();
    let etag = now.history.other_versions.remove(version);
    now.history.other_versions.extend(now.etag.take());
    now.hash = ContentHash::from(&*String::from_utf8_lossy(etag.as_tag().opaque()));
    now.etag = Some(etag);
    now.history.last_modified = None;
    now.history.earlier = earlier(Some(held), &now.hash);
    Some((now, false))
}

/// How many earlier hashes of a page are remembered.
const MAX_EARLIER: usize = 16;

/// The hashes that an M-URL had before `hash`.
fn earlier(held: Option<&HeldPage>, hash: &ContentHash) -> Vec<ContentHash> {
    let Some(held) = held else { return Vec::new() };
    let mut earlier = held.history.earlier.clone();
    if held.hash != *hash {
        earlier.push(held.hash.clone());
    }
    // A hash that came back is the present one, not an earlier one.
    earlier.retain(|other| other != hash);
    let surplus = earlier.len().saturating_sub(MAX_EARLIER);
    earlier.drain(..surplus);
    earlier
}
