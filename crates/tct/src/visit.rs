//! One page's visit: requests out, responses in, until it is clear what to store.
//!
//! ```text
//! Visit --request()--> method, URL, header fields      the caller sends it
//!       <-on_response(status, headers, body, now)--    the caller brings the answer
//!       -> Step::Again(Visit) or Step::Done(Outcome)
//! ```
//!
//! With C for what is held, S for the sitemap's hash, E for the endpoint's (TCT-AMB-23):
//!
//! | situation | what happens |
//! |---|---|
//! | nothing held, 200 | E is stored; a difference from S is reported |
//! | 304, tag of a held body, S = C or unknown | C is kept and counts as confirmed |
//! | 304, but S ≠ C | asked once more past all caches; confirmed again: C is kept, S is *not* stored |
//! | 304 naming a tag that was not sent, or to an unconditional request | fetched without conditions |
//! | 200, E = S | E is stored |
//! | 200, all three differ | E is stored, the difference reported |
//! | 200, C = S but E ≠ C, `Last-Modified` newer than C's | E is stored: the sitemap is behind |
//! | 200, C = S but E ≠ C, otherwise | asked once more past all caches; then see below |
//! | … still E, which is older than C | C is kept: the endpoint went back |
//! | … still E, whose age cannot be told | E is stored: the sitemap is behind |
//!
//! Hashes have no order: *older* means seen before for this M-URL, or an earlier `Last-Modified` (TCT-AMB-24).
//!
//! A visit ends after at most a handful of requests, whatever the server does.

use http::header::{ACCEPT, CACHE_CONTROL, ETAG, IF_NONE_MATCH, LAST_MODIFIED, LOCATION};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use url::Url;

use crate::open::{Expected, OpenPolicy, Opened, Problem, ReceivedPayload, Response, open_response};
use crate::plan::{HeldHistory, HeldPage};
use crate::retry::retry_after;
use crate::{CUrl, EntityTag, MUrl, UnixSeconds, UrlPolicy};

/// How a visit goes about its work.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct VisitPolicy {
    /// How responses are judged.
    pub open: OpenPolicy,
    /// Which URLs redirects may lead to, beside having the same origin.
    pub urls: UrlPolicy,
    /// Ask with HEAD first where a body is held. Off by default: a conditional GET costs one round trip less when the
    /// page changed (TCT-AMB-42).
    pub head_first: bool,
    /// Redirects that are followed. Default: 5.
    pub max_redirects: u8,
    /// Seconds to wait after a failure that names no time. Default: 60.
    pub retry_secs: u64,
    /// The longest wait that a server can ask for, in seconds. Default: 86,400.
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

impl VisitPolicy {
    /// The same policy with other rules for responses.
    #[must_use]
    pub const fn with_open(self, open: OpenPolicy) -> Self {
        VisitPolicy { open, ..self }
    }

    /// The same policy with other rules for URLs.
    #[must_use]
    pub const fn with_urls(self, urls: UrlPolicy) -> Self {
        VisitPolicy { urls, ..self }
    }

    /// The same policy, asking with HEAD first (TCT-HEAD-4).
    #[must_use]
    pub const fn with_head_first(self) -> Self {
        VisitPolicy { head_first: true, ..self }
    }
}

/// The visit of one M-URL: a state machine that the caller drives.
///
/// ```
/// use http::{HeaderMap, StatusCode};
/// use tct::{CUrl, MUrl, Outcome, Payload, Step, UnixSeconds, Visit, VisitPolicy, plan_response};
///
/// let page = CUrl::parse("https://example.com/post/")?;
/// let twin = MUrl::parse("https://example.com/post/llm/")?;
/// // The server's side:
/// let sealed = Payload::new(&page, "Title", "Text").seal()?;
/// let representation = sealed.representation(&page);
/// // The agent's side:
/// let visit = Visit::new(&twin, &page, Some(&sealed.fingerprint().to_string()), None, VisitPolicy::default());
/// let request = visit.request();
/// let answer = plan_response(&request.method, &request.headers, &representation);
/// let step = visit.on_response(answer.status, &answer.headers, sealed.body(), UnixSeconds(1));
/// let Step::Done(Outcome::Store { held, payload, .. }) = step else { panic!("{step:?}") };
/// assert_eq!(held.hash, sealed.fingerprint().to_string());
/// assert_eq!(payload.title().as_untrusted_str(), "Title");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Spec: TCT draft-00, "Agent Flow", "Error Handling"; TCT-ZF-3, TCT-ZF-4, TCT-ZF-6, TCT-ZF-7, TCT-ERR-2 to
/// TCT-ERR-6, TCT-DISC-5, TCT-AMB-22, TCT-AMB-23, TCT-AMB-24, TCT-D01-9.
#[derive(Debug, Clone)]
#[must_use]
pub struct Visit {
    url: Url,
    page: CUrl,
    sitemap_hash: Option<String>,
    held: Option<HeldPage>,
    policy: VisitPolicy,
    stage: Stage,
    hops: Vec<Url>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Head,
    /// With the tags of what is held, if anything is.
    Conditional,
    /// The same past all caches.
    EndToEnd,
    /// Without conditions, past all caches.
    Unconditional,
}

/// A request to send.
#[derive(Debug, Clone)]
pub struct VisitRequest {
    /// GET or HEAD.
    pub method: Method,
    /// Where to.
    pub url: Url,
    /// The fields that matter to the protocol. The caller adds its own, such as `User-Agent` and `Accept-Encoding`.
    pub headers: HeaderMap,
}

/// What follows from a response.
#[derive(Debug, Clone)]
#[must_use]
pub enum Step {
    /// Another request is needed.
    Again(Box<Visit>),
    /// The visit is over.
    Done(Outcome),
}

/// How a visit ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[must_use]
pub enum Outcome {
    /// Store the body and what is known of it, together.
    Store {
        /// What is known of the body.
        held: HeldPage,
        /// The body.
        payload: Box<ReceivedPayload>,
        /// What was wrong with it, though not badly enough to refuse it.
        problems: Vec<Problem>,
        /// What sitemap, cache and endpoint disagree on.
        disagreement: Option<Disagreement>,
    },
    /// Keep the stored body; what is known of it is new.
    Keep {
        /// What is known of the body.
        held: HeldPage,
        /// What sitemap, cache and endpoint disagree on.
        disagreement: Option<Disagreement>,
    },
    /// The response must not be used. Whatever is held stays held.
    Refuse {
        /// Why.
        reason: Refusal,
        /// What was wrong with the response, if it was opened.
        problems: Vec<Problem>,
    },
    /// Nothing there at present (404): not a deletion. Whatever is held stays held.
    NotFound,
    /// Deleted for good (410): forget what is held.
    Gone,
    /// Credentials are needed or do not suffice (401, 403): not a deletion (TCT-SEC-16).
    Forbidden,
    /// No answer to work with. Whatever is held stays held.
    Unavailable {
        /// When to try again.
        retry_at: UnixSeconds,
    },
}

/// What sitemap, cache and endpoint disagree on: worth a line in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Disagreement {
    /// The sitemap has a new hash that the endpoint, asked past all caches, does not have.
    SitemapAhead,
    /// The endpoint has a hash that is neither the sitemap's nor the held one.
    SitemapDiffers,
    /// The endpoint has something newer than the sitemap.
    SitemapBehind,
    /// The endpoint went back to something older; what is held is kept.
    Regression,
}

/// Why a response is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// Opening it found problems that the policy does not accept.
    Problems,
    /// A redirect leads to another origin, to a URL that the policy refuses, or nowhere.
    Redirect,
    /// Too many redirects, or a loop.
    TooManyRedirects,
    /// 304 without an entity tag that was sent, even to an unconditional request.
    NotModifiedUnasked,
}

impl Visit {
    /// A visit of `twin` for `page`, with the sitemap's hash and what the cache holds.
    pub fn new(
        twin: &MUrl,
        page: &CUrl,
        sitemap_hash: Option<&str>,
        held: Option<HeldPage>,
        policy: VisitPolicy,
    ) -> Self {
        let has_tags = held.as_ref().is_some_and(|held| held.tags().next().is_some());
        Visit {
            url: twin.as_url().clone(),
            page: page.clone(),
            sitemap_hash: sitemap_hash.map(str::to_owned),
            held,
            policy,
            stage: if policy.head_first && has_tags { Stage::Head } else { Stage::Conditional },
            hops: Vec::new(),
        }
    }

    /// The request to send now.
    #[must_use]
    pub fn request(&self) -> VisitRequest {
        let mut headers = HeaderMap::with_capacity(4);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if self.stage != Stage::Unconditional
            && let Some(tags) = self.held.as_ref().and_then(HeldPage::if_none_match)
        {
            headers.insert(IF_NONE_MATCH, tags);
        }
        if matches!(self.stage, Stage::EndToEnd | Stage::Unconditional) {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        }
        let method = if self.stage == Stage::Head { Method::HEAD } else { Method::GET };
        VisitRequest { method, url: self.url.clone(), headers }
    }

    /// What follows from the response to [`Visit::request`]. `body` is decoded; it is looked at for a 200 only.
    pub fn on_response(self, status: StatusCode, headers: &HeaderMap, body: &[u8], now: UnixSeconds) -> Step {
        match status {
            StatusCode::NOT_MODIFIED => self.on_not_modified(headers, now),
            StatusCode::OK if self.stage == Stage::Head => self.on_head(headers, now),
            StatusCode::OK => self.on_body(headers, body, now),
            StatusCode::GONE => Step::Done(Outcome::Gone),
            StatusCode::NOT_FOUND => Step::Done(Outcome::NotFound),
            // A firewall may know GET alone.
            _ if self.stage == Stage::Head
                && status.is_client_error()
                && status != StatusCode::TOO_MANY_REQUESTS =>
            {
                self.again(Stage::Conditional)
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Step::Done(Outcome::Forbidden),
            StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT => self.on_redirect(headers),
            _ if status.is_success() => {
                let opened = self.open(status, headers, body);
                Step::Done(Outcome::Refuse {
                    reason: Refusal::Problems,
                    problems: opened.problems().to_vec(),
                })
            }
            _ => self.unavailable(headers, now),
        }
    }

    /// What follows when no response came: the connection failed, or broke before the body's end.
    pub fn on_failure(self, now: UnixSeconds) -> Step {
        self.unavailable(&HeaderMap::new(), now)
    }

    fn again(mut self, stage: Stage) -> Step {
        self.stage = stage;
        Step::Again(Box::new(self))
    }

    fn unavailable(&self, headers: &HeaderMap, now: UnixSeconds) -> Step {
        let latest = now.saturating_add(self.policy.max_retry_secs);
        let retry_at =
            retry_after(headers, now).unwrap_or_else(|| now.saturating_add(self.policy.retry_secs));
        Step::Done(Outcome::Unavailable { retry_at: retry_at.min(latest) })
    }

    fn on_redirect(mut self, headers: &HeaderMap) -> Step {
        let refuse = |reason| Step::Done(Outcome::Refuse { reason, problems: Vec::new() });
        let location = headers.get(LOCATION).and_then(|value| core::str::from_utf8(value.as_bytes()).ok());
        let Some(mut next) = location.and_then(|location| self.url.join(location).ok()) else {
            return refuse(Refusal::Redirect);
        };
        next.set_fragment(None);
        if next.origin() != self.url.origin() || self.policy.urls.check(&next).is_err() {
            return refuse(Refusal::Redirect);
        }
        if next == self.url
            || self.hops.contains(&next)
            || self.hops.len() >= usize::from(self.policy.max_redirects)
        {
            return refuse(Refusal::TooManyRedirects);
        }
        self.hops.push(core::mem::replace(&mut self.url, next));
        Step::Again(Box::new(self))
    }

    fn on_head(self, headers: &HeaderMap, now: UnixSeconds) -> Step {
        let etag = headers.get(ETAG).and_then(|value| EntityTag::parse(value.as_bytes()));
        let is_held = |held: &HeldPage| {
            let own = held.etag.as_deref().and_then(|own| EntityTag::parse(own.as_bytes()));
            matches!((own, etag), (Some(own), Some(etag)) if own.weak_eq(&etag))
        };
        match self.held {
            Some(ref held) if is_held(held) && !self.sitemap_differs_from(&held.hash) => {
                let held = HeldPage { validated_at: now, ..held.clone() };
                Step::Done(Outcome::Keep { held, disagreement: None })
            }
            _ => self.again(Stage::Conditional),
        }
    }

    fn sitemap_differs_from(&self, hash: &str) -> bool {
        self.sitemap_hash.as_deref().is_some_and(|sitemap| sitemap != hash)
    }

    fn on_not_modified(self, headers: &HeaderMap, now: UnixSeconds) -> Step {
        let sent = if self.stage == Stage::Unconditional { None } else { self.held.as_ref() };
        let Some(held) = sent.and_then(|held| confirmed(held, headers)) else {
            return match self.stage {
                Stage::Unconditional => {
                    Step::Done(Outcome::Refuse { reason: Refusal::NotModifiedUnasked, problems: Vec::new() })
                }
                _ => self.again(Stage::Unconditional),
            };
        };
        let differs = self.sitemap_differs_from(&held.hash);
        if differs && self.stage != Stage::EndToEnd {
            return self.again(Stage::EndToEnd);
        }
        let held = HeldPage { validated_at: now, ..held };
        Step::Done(Outcome::Keep { held, disagreement: differs.then_some(Disagreement::SitemapAhead) })
    }

    fn open(&self, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Opened {
        let response = Response { url: &self.url, status, headers, body };
        let expected = Expected { page: Some(&self.page), sitemap_hash: self.sitemap_hash.as_deref() };
        open_response(&response, &expected, &self.policy.open)
    }

    fn on_body(self, headers: &HeaderMap, body: &[u8], now: UnixSeconds) -> Step {
        let opened = self.open(StatusCode::OK, headers, body);
        let problems = opened.problems().to_vec();
        let clean_etag = opened.clean_etag().map(str::to_owned);
        let Some(payload) = opened.into_payload() else {
            return Step::Done(Outcome::Refuse { reason: Refusal::Problems, problems });
        };
        // Without an entity tag, or with one that says nothing, the payload's own word is all there is.
        let hash = clean_etag.filter(|etag| !etag.is_empty()).unwrap_or_else(|| payload.hash().to_owned());
        let last_modified =
            headers.get(LAST_MODIFIED).and_then(|value| UnixSeconds::parse_http_date(value.to_str().ok()?));
        let disagreement = match self.judge(&hash, last_modified) {
            Judgement::Take(disagreement) => disagreement,
            Judgement::AskAgain => return self.again(Stage::EndToEnd),
            Judgement::KeepHeld(held) => {
                let held = HeldPage { validated_at: now, ..held };
                return Step::Done(Outcome::Keep { held, disagreement: Some(Disagreement::Regression) });
            }
        };
        let etag =
            headers.get(ETAG).and_then(|value| value.to_str().ok()).map(|value| value.trim().to_owned());
        let held = HeldPage {
            history: Box::new(HeldHistory {
                last_modified,
                earlier: earlier(self.held.as_ref(), &hash),
                other_versions: Vec::new(),
            }),
            hash,
            etag,
            validated_at: now,
        };
        Step::Done(Outcome::Store { held, payload: Box::new(payload), problems, disagreement })
    }

    /// What the endpoint's hash means beside the sitemap's and the held one.
    fn judge(&self, endpoint: &str, last_modified: Option<UnixSeconds>) -> Judgement {
        let differs = self.sitemap_differs_from(endpoint);
        let Some(held) = self.held.as_ref().filter(|held| held.hash != endpoint) else {
            return Judgement::Take(differs.then_some(Disagreement::SitemapDiffers));
        };
        if self.sitemap_hash.as_deref() != Some(held.hash.as_str()) {
            return Judgement::Take(differs.then_some(Disagreement::SitemapDiffers));
        }
        let age = match (last_modified, held.history.last_modified) {
            (Some(now), Some(then)) => now.cmp(&then),
            _ => core::cmp::Ordering::Equal,
        };
        if age.is_gt() {
            return Judgement::Take(Some(Disagreement::SitemapBehind));
        }
        if !matches!(self.stage, Stage::EndToEnd | Stage::Unconditional) {
            return Judgement::AskAgain;
        }
        if age.is_lt() || held.history.earlier.iter().any(|earlier| earlier == endpoint) {
            return Judgement::KeepHeld(held.clone());
        }
        Judgement::Take(Some(Disagreement::SitemapBehind))
    }
}

enum Judgement {
    Take(Option<Disagreement>),
    AskAgain,
    KeepHeld(HeldPage),
}

/// The held body that a 304 confirms, or `None` where it names none of them.
fn confirmed(held: &HeldPage, headers: &HeaderMap) -> Option<HeldPage> {
    let mut tags = held.tags();
    let (first, second) = (tags.next()?, tags.next());
    let named = match headers.get(ETAG) {
        Some(value) => EntityTag::parse(value.as_bytes())?,
        // Only one body can be meant.
        None if second.is_none() => EntityTag::parse(first.as_bytes())?,
        None => return None,
    };
    let is_named = |tag: &str| EntityTag::parse(tag.as_bytes()).is_some_and(|tag| tag.weak_eq(&named));
    if held.etag.as_deref().is_some_and(is_named) {
        return Some(held.clone());
    }
    // The page went back to an earlier body that is still stored.
    let version = held.history.other_versions.iter().position(|tag| is_named(tag))?;
    let mut now = held.clone();
    let etag = now.history.other_versions.remove(version);
    now.history.other_versions.extend(now.etag.take());
    now.hash = String::from_utf8_lossy(EntityTag::parse(etag.as_bytes())?.opaque()).into_owned();
    now.etag = Some(etag);
    now.history.last_modified = None;
    now.history.earlier = earlier(Some(held), &now.hash);
    Some(now)
}

/// The hashes that an M-URL had before `hash`.
fn earlier(held: Option<&HeldPage>, hash: &str) -> Vec<String> {
    let Some(held) = held else { return Vec::new() };
    let mut earlier = held.history.earlier.clone();
    if held.hash != hash {
        earlier.push(held.hash.clone());
    }
    // A hash that came back is the present one, not an earlier one.
    earlier.retain(|other| other != hash);
    let surplus = earlier.len().saturating_sub(HeldPage::MAX_EARLIER);
    earlier.drain(..surplus);
    earlier
}
