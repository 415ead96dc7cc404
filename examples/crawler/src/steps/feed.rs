//! A product feed: read line by line, counted, and stored unchanged.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use http::StatusCode;
use llmindex_types::{FeedOptions, FeedReader, FeedSummary};
use url::Url;

use crate::client::Request;
use crate::clock;
use crate::limits::BodyLimit;
use crate::output::{Counts, Line};
use crate::site::{Setback, Visitor};
use crate::steps::{
    conditions, confirmed, entry_of, kept, not_kept, passed, refused, robots_txt, stored, usage, without_body,
};
use crate::store::{Entry, Kind};
use crate::writer::Changes;

/// Fetches the feed, if it changed.
///
/// # Errors
/// A [`Setback`] if there is no answer now.
pub async fn run(visitor: &mut Visitor, name: &str, url: &Url) -> Result<Changes, Setback> {
    if !robots_txt::allows(visitor, url).await? {
        return Ok(passed(url.as_str(), "robots", ""));
    }
    if let Some(why) = usage::refusal(&usage::of_site(&visitor.record, url), &visitor.crawl.options) {
        return Ok(refused(url.as_str(), "usage", why));
    }
    let held = visitor.crawl.store.entry(url.as_str())?.filter(|entry| entry.kind == Kind::Feed);
    if held.as_ref().is_some_and(|held| held.is_fresh(clock::seconds())) {
        return Ok(Changes { counts: Counts { unchanged: 1, ..Counts::default() }, ..Changes::default() });
    }
    let limit = BodyLimit::Refuse(visitor.crawl.gate.client().limits().feed_bytes);
    let request = Request { headers: conditions(held.as_ref()), ..Request::get(url.clone(), limit) };
    let exchange = visitor.fetch(request).await?;
    match (exchange.status, held) {
        (StatusCode::NOT_MODIFIED, Some(held)) => {
            let entry = confirmed(visitor, held, &exchange);
            let not_kept = not_kept(visitor, url.as_str(), &entry, &exchange.headers);
            Ok(not_kept.unwrap_or_else(|| kept(url.as_str(), entry)))
        }
        (StatusCode::OK, _) => {
            let summary = count(&exchange.body);
            let entry = Entry { title: name.to_owned(), ..entry_of(Kind::Feed, &exchange) };
            if let Some(not_kept) = not_kept(visitor, url.as_str(), &entry, &exchange.headers) {
                return Ok(not_kept);
            }
            let findings = summary.findings().iter().map(ToString::to_string).collect();
            let mut changes = stored(url.as_str(), entry, exchange.body, findings);
            let (products, bad_lines) = (summary.products(), summary.bad_lines());
            changes.lines.insert(0, Line::Feed { url: url.to_string(), products, bad_lines });
            Ok(changes)
        }
        _ => without_body(visitor, url.as_str(), &exchange),
    }
}

fn count(mut feed: &[u8]) -> FeedSummary {
    // The hash of identifiers is keyed, so that no feed can be written to collide; the standard library has a random key.
    let random = || RandomState::new().build_hasher().finish();
    let key = (u128::from(random()) << 64 | u128::from(random())).to_le_bytes();
    let mut reader = FeedReader::new(key, FeedOptions::default());
    while reader.next_line(&mut feed).is_some() {}
    let _last = reader.last_line();
    reader.summary()
}
