//! The outputs of a crawl: requests, reports on pages and on the site.

use core::fmt;

use http::Request;
use url::Url;

use super::state::PageState;
use crate::sitemap::ItemIssue;
use crate::visit::{Outcome, Refusal};
use crate::{Purpose, UnixSeconds, sitemap::SitemapError};

/// Identifies a request of one [`Crawl`](super::Crawl).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub(super) u64);

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The next action of a crawl.
#[derive(Debug)]
#[non_exhaustive]
#[must_use]
pub enum CrawlNext {
    /// Send this request, follow no redirect, and answer with its id.
    Send(CrawlRequest),
    /// A page's state has changed: store it, and its body if there is one.
    Page(Box<PageReport>),
    /// Something about the site: a line for the log.
    Site(SiteEvent),
    /// Wait for an answer, for a piece of a body that is [wanted](super::Crawl::wants_chunk), or for the time of
    /// [`Crawl::wake_at`](super::Crawl::wake_at). At least one of the three will come.
    Wait,
    /// The crawl is over: store [`Crawl::site`](super::Crawl::site).
    Done,
}

/// A request to send.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CrawlRequest {
    /// Pass it back with the answer.
    pub id: RequestId,
    /// The URL of `request`, parsed.
    pub url: Url,
    /// Method, URL and the header fields of the protocol. The caller adds its own, such as `User-Agent`.
    pub request: Request<()>,
    /// Longest body that is used, decoded, in bytes. Stop reading there; for a longer one, call
    /// [`Crawl::on_unusable`](super::Crawl::on_unusable).
    pub max_bytes: u64,
    /// The kind of the request.
    pub kind: RequestKind,
}

/// What a [`CrawlRequest`] is for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestKind {
    /// The start page, to find the sitemaps.
    Start,
    /// The policy descriptor.
    Policy,
    /// A sitemap, whose body may be handed in piece by piece.
    Sitemap,
    /// A page's twin.
    Twin {
        /// The [key](PageReport::key) of the report that will follow.
        key: String,
    },
}

/// The result for one page.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
#[must_use]
pub struct PageReport {
    /// The key of the page's state: its twin's URL in normal form.
    pub key: String,
    /// The state to store under the key; `None` to remove it and the body.
    pub state: Option<PageState>,
    /// What happened.
    pub event: PageEvent,
}

/// What happened to a page.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PageEvent {
    /// Its twin was visited.
    Visited(Outcome),
    /// No sitemap lists it any more. Its body stays until the twin itself is gone.
    Unlisted,
    /// A sitemap lists it again, or with another hash, and no request is needed: its state changes, its body stays.
    Listed,
}

/// What to do with a page's stored body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum BodyChange<'a> {
    /// Replace it by these bytes.
    Store(&'a [u8]),
    /// Leave it as it is.
    Keep,
    /// Remove it.
    Forget,
}

impl PageReport {
    /// What to do with the page's stored body.
    pub fn body(&self) -> BodyChange<'_> {
        match &self.event {
            PageEvent::Visited(Outcome::Store { payload, .. }) => BodyChange::Store(payload.json()),
            _ if self.state.as_ref().is_some_and(|state| state.held.is_some()) => BodyChange::Keep,
            _ => BodyChange::Forget,
        }
    }

    /// Returns true if the twin is not available and no body is held, so that only the page's HTML is left
    /// (TCT-ERR-3).
    #[must_use]
    pub fn needs_html(&self) -> bool {
        let is_final = matches!(&self.event, PageEvent::Visited(Outcome::Refuse { .. } | Outcome::NotFound));
        is_final && self.state.as_ref().is_none_or(|state| state.held.is_none())
    }
}

/// An event of the site. Serialised, it is an object with its code under `event`.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SiteEvent {
    /// A sitemap was read to its end, or confirmed by a 304.
    SitemapRead {
        /// Its URL.
        #[serde(serialize_with = "as_text")]
        url: Url,
        /// Whether a 304 confirmed it.
        is_unchanged: bool,
        /// Number of entries, including skipped ones.
        items: u64,
    },
    /// An entry of a sitemap is skipped, or has no usable hash.
    Item {
        /// The sitemap.
        #[serde(serialize_with = "as_text")]
        url: Url,
        /// Position in `items`; the first is 0.
        index: u64,
        /// Why.
        issue: ItemIssue,
    },
    /// A sitemap moved permanently; the new URL is remembered.
    SitemapMoved {
        /// The old URL.
        #[serde(serialize_with = "as_text")]
        from: Url,
        /// The new URL.
        #[serde(serialize_with = "as_text")]
        to: Url,
    },
    /// The response is not a sitemap, or is broken. If only a later part is broken, the entries before it count; the
    /// next crawl reads the file again.
    SitemapBroken {
        /// Its URL.
        #[serde(serialize_with = "as_text")]
        url: Url,
        /// What is wrong.
        error: SitemapError,
    },
    /// A sitemap must not be used.
    SitemapRefused {
        /// Its URL.
        #[serde(serialize_with = "as_text")]
        url: Url,
        /// Why.
        reason: Refusal,
    },
    /// A sitemap does not exist (404, 410), or is not accessible to this agent (401, 402, 403, 407,
    /// 451).
    SitemapMissing {
        /// Its URL.
        #[serde(serialize_with = "as_text")]
        url: Url,
        /// The status.
        status: u16,
    },
    /// There was no usable answer. The stored state of the sitemap stays.
    SitemapUnavailable {
        /// Its URL.
        #[serde(serialize_with = "as_text")]
        url: Url,
        /// When to try again, in another crawl.
        retry_at: UnixSeconds,
    },
    /// The start page could not be read, so the sitemaps are unknown.
    SiteUnavailable {
        /// The status; `None` without an answer.
        status: Option<u16>,
        /// True if the caller withheld the request, for example because of robots.txt.
        #[serde(skip_serializing_if = "crate::held::is_false")]
        is_withheld: bool,
    },
    /// The start page is at another origin, which needs another crawl.
    SiteMoved {
        /// Where.
        #[serde(serialize_with = "as_text")]
        to: Url,
    },
    /// Nothing names a sitemap.
    NoSitemap {
        /// Whether the start page has a twin that confirms.
        has_twin: bool,
    },
    /// A policy descriptor was read.
    Policy {
        /// Its URL.
        #[serde(serialize_with = "as_text")]
        url: Url,
    },
    /// A policy descriptor could not be read: it counts as unstated, unless the last one that was read
    /// denies.
    PolicyUnreadable {
        /// Its URL.
        #[serde(serialize_with = "as_text")]
        url: Url,
    },
    /// The policy denies the purpose or all requests: no page is visited.
    Denied {
        /// The denied purpose.
        purpose: Option<Purpose>,
    },
}

fn as_text<S: serde::Serializer>(url: &Url, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(url.as_str())
}

impl SiteEvent {
    /// The stable code, in kebab case.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            SiteEvent::SitemapRead { .. } => "sitemap-read",
            SiteEvent::Item { .. } => "item",
            SiteEvent::SitemapMoved { .. } => "sitemap-moved",
            SiteEvent::SitemapBroken { .. } => "sitemap-broken",
            SiteEvent::SitemapRefused { .. } => "sitemap-refused",
            SiteEvent::SitemapMissing { .. } => "sitemap-missing",
            SiteEvent::SitemapUnavailable { .. } => "sitemap-unavailable",
            SiteEvent::SiteUnavailable { .. } => "site-unavailable",
            SiteEvent::SiteMoved { .. } => "site-moved",
            SiteEvent::NoSitemap { .. } => "no-sitemap",
            SiteEvent::Policy { .. } => "policy",
            SiteEvent::PolicyUnreadable { .. } => "policy-unreadable",
            SiteEvent::Denied { .. } => "denied",
        }
    }
}

/// Why a crawl refused an answer: the caller misused it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrawlError {
    pub(super) kind: CrawlErrorKind,
    pub(super) id: RequestId,
}

/// The kinds of a [`CrawlError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CrawlErrorKind {
    /// No request of this id waits for an answer.
    UnknownRequest,
    /// A piece of a body for a request whose head was not taken, or that is not for a sitemap.
    UnexpectedPiece,
    /// A piece of a body while actions of the last piece are outstanding: call [`Crawl::next`](super::Crawl::next) first.
    PieceTooEarly,
}

impl CrawlError {
    /// What went wrong.
    #[must_use]
    pub const fn kind(&self) -> CrawlErrorKind {
        self.kind
    }

    /// The request.
    #[must_use]
    pub const fn id(&self) -> RequestId {
        self.id
    }
}

impl fmt::Display for CrawlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id;
        match self.kind {
            CrawlErrorKind::UnknownRequest => {
                write!(f, "expected the id of a request that waits for an answer, found {id}")
            }
            CrawlErrorKind::UnexpectedPiece => {
                write!(f, "expected a piece of a sitemap whose head was taken, found one of request {id}")
            }
            CrawlErrorKind::PieceTooEarly => {
                write!(f, "expected a call of `next` first, found another piece of request {id}")
            }
        }
    }
}

impl core::error::Error for CrawlError {}
