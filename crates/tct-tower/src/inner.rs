//! Requests to the inner service, and which answers may be used.
//!
//! ```text
//! GET path and declared query     Host: the site's, Accept: text/html, If-None-Match: the page's own tag
//! ```
//!
//! The layer sends its own requests, without anything from a visitor's request, so the answer belongs to no visitor. A page that
//! is marked as not public is still not used.

use core::time::Duration;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HOST,
    IF_NONE_MATCH, LOCATION, RETRY_AFTER, SET_COOKIE, VARY, WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, Uri};
use http_body::Body;
use http_body_util::{BodyExt, Collected, LengthLimitError, Limited};
use tower_service::Service;

use web_values::list_members;

use crate::layer::Shared;
use crate::pages::{Entry, Made};
use crate::terms;

/// `Retry-After` if the inner service gives none: a request a minute is no load.
const WAIT: Duration = Duration::from_secs(60);

/// The result of requesting a page.
#[derive(Debug)]
pub(crate) enum Page {
    Made(Arc<Made>),
    /// The listed page is unchanged since its entry was made; its text is not in memory.
    Unchanged(Arc<Entry>),
    /// The page is not public, or not a page: the inner service answers at the address of its twin.
    None,
    /// A redirect.
    Moved(StatusCode, HeaderValue),
    /// It is not available, or not now.
    Refused(Refusal),
}

impl Page {
    /// What to record for the sitemap: the page's entry, that there is none, or nothing. A page that is not available now
    /// stays listed unchanged.
    pub(crate) fn answer(&self) -> Option<Option<&Arc<Entry>>> {
        match self {
            Page::Made(made) => Some(Some(&made.entry)),
            Page::Unchanged(entry) => Some(Some(entry)),
            Page::Refused(refusal) if refusal.passes() => None,
            Page::None | Page::Moved(..) | Page::Refused(_) => Some(None),
        }
    }
}

/// A status and the header field that it needs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) field: Option<(HeaderName, HeaderValue)>,
}

impl Refusal {
    pub(crate) fn later() -> Self {
        Refusal::of(StatusCode::SERVICE_UNAVAILABLE, &HeaderMap::new())
    }

    /// Whether the next request may be answered.
    pub(crate) fn passes(&self) -> bool {
        self.status.is_server_error() || is_busy(self.status)
    }

    /// Copies the status and the one header field that it needs, since a refusal must not contain
    /// anything of another visitor either.
    fn of(status: StatusCode, headers: &HeaderMap) -> Self {
        let field = |name: HeaderName| headers.get(&name).cloned().map(|value| (name, value));
        match status {
            StatusCode::UNAUTHORIZED => match field(WWW_AUTHENTICATE) {
                None => Refusal { status: StatusCode::FORBIDDEN, field: None },
                challenge => Refusal { status, field: challenge },
            },
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                let wait = field(RETRY_AFTER);
                let wait = wait.unwrap_or_else(|| (RETRY_AFTER, HeaderValue::from(WAIT.as_secs())));
                Refusal { status, field: Some(wait) }
            }
            status => Refusal { status, field: None },
        }
    }
}

/// The statuses below 500 of a page that is there, but not now; tower-http's timeout answers 408. `tct::visit` has the same.
fn is_busy(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 421 | 423 | 425 | 429)
}

/// Returns true if a response is of one of these media types.
pub(crate) fn is_of(headers: &HeaderMap, types: &[&str]) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|value| {
        let essence = value.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        types.iter().any(|known| essence.eq_ignore_ascii_case(known.as_bytes()))
    })
}

pub(crate) fn is_html(headers: &HeaderMap) -> bool {
    is_of(headers, &["text/html", "application/xhtml+xml"])
}

/// Returns true if the body is in a content coding.
fn is_coded(headers: &HeaderMap) -> bool {
    list_members(headers, &CONTENT_ENCODING)
        .any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity"))
}

/// Returns false if a body ended before its length: half a page is no page.
fn is_whole(headers: &HeaderMap, len: usize) -> bool {
    let told = headers.get(CONTENT_LENGTH).and_then(|told| told.to_str().ok()?.parse().ok());
    told.is_none_or(|told: u64| told == len as u64)
}

/// Returns true if a response is a public page.
pub(crate) fn is_public_page(status: StatusCode, headers: &HeaderMap) -> bool {
    status == StatusCode::OK && is_html(headers) && is_for_everybody(headers)
}

/// Returns true if a response is the same for every visitor: neither `private` nor `no-store`, without a cookie, and varying
/// by `Accept` and `Accept-Encoding` only. An unreadable field counts as not public.
pub(crate) fn is_for_everybody(headers: &HeaderMap) -> bool {
    let is_form = |name: &[u8]| {
        name.is_empty()
            || [ACCEPT, ACCEPT_ENCODING]
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known.as_str().as_bytes()))
    };
    if !list_members(headers, &VARY).all(is_form) || headers.contains_key(SET_COOKIE) {
        return false;
    }
    if !headers.contains_key(CACHE_CONTROL) {
        return true;
    }
    let is_readable = headers.get_all(CACHE_CONTROL).iter().all(|line| line.to_str().is_ok());
    let directives = tct::cache::CacheControl::of(headers);
    is_readable && !directives.private && !directives.no_store
}

/// The held copy of a page, for which the inner service may answer 304.
enum Held {
    Made(Arc<Made>),
    Entry(Arc<Entry>),
}

impl Held {
    fn entry(&self) -> &Arc<Entry> {
        match self {
            Held::Made(made) => &made.entry,
            Held::Entry(entry) => entry,
        }
    }
}

/// Requests a page from the inner service without anything of a visitor, makes its twin, and updates the sitemap. If its
/// entry is enough, an unchanged page need not be sent again.
///
/// # Errors
/// Those of the inner service.
pub(crate) async fn fetch<S, ReqBody, ResBody>(
    inner: &mut S,
    shared: &Shared,
    path: &str,
    needs_text: bool,
) -> Result<Page, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let begun = shared.written.begin();
    let held = shared.cache.known(path).map(Held::Made);
    let held = held.or_else(|| shared.written.entry(path).filter(|_| !needs_text).map(Held::Entry));
    let mut page = ask(inner, shared, path, held).await?;
    if page.is_none() {
        page = ask(inner, shared, path, None).await?;
    }
    // A 304 that nobody asked for is a fault, and says nothing of the page.
    let broken = || Page::Refused(Refusal::of(StatusCode::BAD_GATEWAY, &HeaderMap::new()));
    let page = page.unwrap_or_else(broken);
    if let Some(answer) = page.answer() {
        shared.written.note(path, begun, answer);
    }
    Ok(page)
}

/// Sends one request; `None` if the answer is a 304 without a held copy.
async fn ask<S, ReqBody, ResBody>(
    inner: &mut S,
    shared: &Shared,
    path: &str,
    held: Option<Held>,
) -> Result<Option<Page>, S::Error>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    ReqBody: Default,
    ResBody: Body<Data = Bytes> + Unpin,
    ResBody::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let Ok(uri) = path.parse::<Uri>() else { return Ok(Some(Page::None)) };
    let mut request = Request::new(ReqBody::default());
    *request.uri_mut() = uri;
    let fields = request.headers_mut();
    // Extended by an optional field, an empty map has room for that one alone, and grows with each further one.
    fields.reserve(6);
    fields.extend(shared.settings.host.clone().map(|host| (HOST, host)));
    fields.insert(ACCEPT, HeaderValue::from_static("text/html"));
    let condition = held.and_then(|held| Some((held.entry().tag.clone()?, held)));
    fields.extend(condition.iter().map(|(tag, _)| (IF_NONE_MATCH, tag.clone())));
    ready(inner).await?;
    let (head, body) = inner.call(request).await?.into_parts();
    let fields = &head.headers;
    Ok(Some(match head.status {
        StatusCode::NOT_MODIFIED => {
            let Some((tag, held)) = condition else { return Ok(None) };
            // The tag of another state than the one that is held.
            if fields.get(ETAG).is_some_and(|found| opaque(found) != opaque(&tag)) {
                return Ok(None);
            }
            // The page has other terms now, and only its whole response says all of them.
            if terms::differ(&held.entry().said, &shared.settings.said(path, fields)) {
                return Ok(None);
            }
            // A page that has become somebody's own says so with its 304 too.
            match held {
                _ if !is_for_everybody(fields) => Page::None,
                Held::Made(made) => Page::Made(made),
                Held::Entry(entry) => Page::Unchanged(entry),
            }
        }
        StatusCode::OK if is_public_page(head.status, fields) && !is_coded(fields) => {
            match Limited::new(body, shared.settings.max_html_bytes).collect().await.map(Collected::to_bytes)
            {
                Ok(html) if is_whole(fields, html.len()) => {
                    Page::Made(shared.cache.of(&shared.settings, path, &html, fields))
                }
                Err(error) if error.is::<LengthLimitError>() => Page::None,
                _ => Page::Refused(Refusal::of(StatusCode::BAD_GATEWAY, fields)),
            }
        }
        StatusCode::MOVED_PERMANENTLY
        | StatusCode::FOUND
        | StatusCode::SEE_OTHER
        | StatusCode::TEMPORARY_REDIRECT
        | StatusCode::PERMANENT_REDIRECT => match fields.get(LOCATION).filter(|_| is_for_everybody(fields)) {
            Some(location) => Page::Moved(head.status, location.clone()),
            None => Page::None,
        },
        StatusCode::UNAUTHORIZED
        | StatusCode::FORBIDDEN
        | StatusCode::GONE
        | StatusCode::UNAVAILABLE_FOR_LEGAL_REASONS => Page::Refused(Refusal::of(head.status, fields)),
        status if status.is_server_error() || is_busy(status) => Page::Refused(Refusal::of(status, fields)),
        _ => Page::None,
    }))
}

/// A tag without the mark of a weak one.
fn opaque(tag: &HeaderValue) -> &[u8] {
    tag.as_bytes().strip_prefix(b"W/").unwrap_or(tag.as_bytes())
}

pub(crate) async fn ready<S: Service<R>, R>(service: &mut S) -> Result<(), S::Error> {
    core::future::poll_fn(|cx| service.poll_ready(cx)).await
}
