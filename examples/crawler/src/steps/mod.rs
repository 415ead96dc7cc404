//! The steps for each kind of task. A step asks the libraries what to send and how to judge a response, and returns
//! what to store.

pub mod feed;
pub mod manifest;
pub mod ownership;
pub mod page;
pub mod robots_txt;
pub mod start;
pub mod terms;
pub mod twins;
pub mod usage;

use http::header::{ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED};
use http::{HeaderMap, StatusCode};
use robots::AccessBarrier;
use tct::HeldPage;
use tct::cache::CacheControl;
use tct::held::HeldTag;

use crate::client::Exchange;
use crate::clock;
use crate::output::{Counts, Line};
use crate::site::{Setback, Visitor};
use crate::store::{Entry, Kind};
use crate::task::{Task, Work};
use crate::writer::Changes;

/// Does a task, and returns the changes to store.
///
/// # Errors
/// A [`Setback`] if it cannot be done now.
pub async fn work(visitor: &mut Visitor, task: &Task) -> Result<Changes, Setback> {
    match &task.work {
        Work::Start(start) => start::run(visitor, start).await,
        Work::Manifest => manifest::run(visitor).await,
        Work::Feed { name, url } => feed::run(visitor, name, url).await,
        Work::Ownership => ownership::run(visitor).await,
        Work::Page(page) => page::run(visitor, page).await,
    }
}

/// The header fields of a conditional request for a stored body.
pub(crate) fn conditions(held: Option<&Entry>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let Some(held) = held.map(|entry| &entry.held) else { return headers };
    if let Some(tags) = held.if_none_match() {
        headers.insert(IF_NONE_MATCH, tags);
    } else if let Some(modified) = held.history.last_modified {
        headers.insert(IF_MODIFIED_SINCE, modified.http_date().into());
    }
    headers
}

/// What is known of a body that just came; manifests, feeds and documents have no hash of their own.
pub(crate) fn entry_of(kind: Kind, exchange: &Exchange) -> Entry {
    let mut held = HeldPage::new("", clock::seconds());
    held.etag = exchange.field(ETAG).and_then(HeldTag::parse);
    held.history.last_modified = exchange.field(LAST_MODIFIED).and_then(tct::time::parse_http_date);
    Entry {
        kind,
        source: exchange.url.to_string(),
        others: Vec::new(),
        held,
        fresh_until: fresh_until(&exchange.headers),
        title: String::new(),
        usage: usage::of_headers(exchange),
        licences: Some(Vec::new()),
        follows_links: true,
    }
}

/// The same entry after the server confirmed it. What the fields of the 304 say counts as if they had come with the text (RFC
/// 9111, 3.2).
pub(crate) fn confirmed(visitor: &Visitor, mut entry: Entry, exchange: &Exchange) -> Entry {
    entry.held.validated_at = clock::seconds();
    entry.fresh_until = fresh_until(&exchange.headers);
    usage::add_fields(&visitor.record, &mut entry, exchange);
    entry.follows_links &= !entry.usage.directives.has("nofollow");
    entry
}

/// What is told where page, response or site ask that a text is not kept; the stored copy is removed. `None` where it may be.
pub(crate) fn not_kept(visitor: &Visitor, url: &str, entry: &Entry, headers: &HeaderMap) -> Option<Changes> {
    let directive = ["noindex", "noai"].into_iter().find(|name| entry.usage.directives.has(name));
    Some(match directive {
        Some(directive) => refused(url, directive, "the page asks not to be kept"),
        None if !CacheControl::of(headers).may_store_privately() => {
            refused(url, "no-store", "the response asks not to be kept")
        }
        None => refused(url, "usage", usage::refusal_of(visitor, entry)?),
    })
}

/// A text that is not kept; the stored copy is removed.
pub(crate) fn refused(url: &str, why: &'static str, detail: impl Into<String>) -> Changes {
    Changes { forgotten: vec![(url.to_owned(), url.to_owned())], ..passed(url, why, detail) }
}

/// Until when a response may be used without asking.
pub(crate) fn fresh_until(headers: &HeaderMap) -> u64 {
    let (directives, now) = (CacheControl::of(headers), clock::seconds());
    match directives.max_age_secs {
        Some(max_age) if directives.is_fresh(0) => now.saturating_add(max_age).0,
        _ => now.0,
    }
}

/// The changes for a status without a body to store.
pub(crate) fn without_body(visitor: &Visitor, url: &str, exchange: &Exchange) -> Result<Changes, Setback> {
    let status = exchange.status;
    let detail = format!("status {status}");
    if AccessBarrier::from_status(status.as_u16()).is_some() {
        return Ok(passed(url, barrier(status.as_u16()), detail));
    }
    match status {
        StatusCode::GONE => Ok(refused(url, "gone", detail)),
        StatusCode::NOT_FOUND => Ok(passed(url, "not-found", detail)),
        _ if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() => {
            Err(visitor.busy(exchange))
        }
        _ => Ok(passed(url, "status", detail)),
    }
}

/// The barrier that a status means: `login`, `payment` or `refused`.
pub(crate) fn barrier(status: u16) -> &'static str {
    match AccessBarrier::from_status(status) {
        Some(AccessBarrier::Login) => "login",
        Some(AccessBarrier::Payment) => "payment",
        _ => "refused",
    }
}

/// A line about a page that could not be fetched or may not be stored.
pub(crate) fn passed(url: &str, why: &'static str, detail: impl Into<String>) -> Changes {
    let line = Line::Passed { url: url.to_owned(), why, detail: detail.into() };
    Changes { counts: Counts { passed: 1, ..Counts::default() }, ..Changes::line(line) }
}

/// A failure for which a retry is useless.
pub(crate) fn failed(url: &str, why: &'static str, detail: impl Into<String>) -> Changes {
    let line = Line::Failed { url: url.to_owned(), why, detail: detail.into(), tries: 1 };
    Changes { counts: Counts { failed: 1, ..Counts::default() }, ..Changes::line(line) }
}

/// A body to store, with its line.
pub(crate) fn stored(url: &str, entry: Entry, body: Vec<u8>, findings: Vec<String>) -> Changes {
    let line = Line::Stored {
        url: url.to_owned(),
        kind: entry.kind,
        source: (entry.source != url).then(|| entry.source.clone()),
        title: entry.title.clone(),
        bytes: body.len(),
        findings,
    };
    Changes {
        entries: vec![(url.to_owned(), entry, Some(body))],
        counts: Counts { stored: 1, ..Counts::default() },
        ..Changes::line(line)
    }
}

/// A body that stays, with its line.
pub(crate) fn kept(url: &str, entry: Entry) -> Changes {
    let line = Line::Kept { url: url.to_owned(), kind: entry.kind };
    Changes {
        entries: vec![(url.to_owned(), entry, None)],
        counts: Counts { kept: 1, ..Counts::default() },
        ..Changes::line(line)
    }
}
