//! Terms of use that a site has in files of their own: `tdmrep.json`, and licences in RSL. What they mean for a text is
//! decided in [`usage`](super::usage).
//!
//! Each is asked for once in a day. Of too many, the one that was asked for longest ago goes; what it said stays beside its texts.
//! A licence of another origin is not fetched: it counts as one that cannot be read, and so as a no.

use std::collections::BTreeMap;

use http::StatusCode;
use robots::{AiWebIndexAgent, RequestPath};
use serde::{Deserialize, Serialize};
use signals::{RslLinks, RslState, TdmRep};
use tct::UnixSeconds;
use url::Url;

use crate::client::{Exchange, Request};
use crate::clock;
use crate::fetch_error::FetchErrorKind;
use crate::limits::BodyLimit;
use crate::site::{Setback, Visitor};
use crate::steps::robots_txt;
use crate::store::{Entry, SiteRecord};

/// A file is asked for again after so many seconds.
const MAX_AGE_SECS: u64 = 86_400;
/// The longest file, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Files of one site that are kept.
const MAX_FILES: usize = 16;

/// The files of a site, by their URLs.
pub type Terms = BTreeMap<String, TermsFile>;

/// A file, as it was when it was asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TermsFile {
    /// Its text; `None` where it cannot be had.
    pub text: Option<String>,
    /// The status of the answer, 0 where there was none; `None` in records of before it was kept.
    #[serde(default)]
    pub status: Option<u16>,
    /// When it was asked for.
    pub asked_at: UnixSeconds,
}

/// Fetches the terms for the whole site: `tdmrep.json`, and the licences that robots.txt names.
///
/// # Errors
/// A [`Setback`] if the site wants to be left alone.
pub async fn refresh(visitor: &mut Visitor) -> Result<(), Setback> {
    let mut urls: Vec<Url> = tdmrep_url(&visitor.origin).into_iter().collect();
    urls.extend(licences_of_site(&visitor.record));
    ask(visitor, urls).await
}

/// Asks for the licences that a response names.
///
/// # Errors
/// As [`refresh`].
pub async fn refresh_for(
    visitor: &mut Visitor,
    exchange: &Exchange,
    html: Option<&[u8]>,
) -> Result<(), Setback> {
    let urls = links(exchange, html).urls;
    ask(visitor, urls).await
}

async fn ask(visitor: &mut Visitor, urls: Vec<Url>) -> Result<(), Setback> {
    for url in urls.iter().take(MAX_FILES).cloned() {
        let now = clock::seconds();
        // Asked for later than now: under a clock that ran ahead.
        let is_known =
            |file: &TermsFile| file.asked_at <= now && now.seconds_since(file.asked_at) < MAX_AGE_SECS;
        if url.origin() != visitor.origin.origin()
            || visitor.record.terms.get(url.as_str()).is_some_and(is_known)
            || !robots_txt::allows(visitor, &url).await?
        {
            continue;
        }
        let (status, text) = match visitor
            .fetch(Request::get(url.clone(), BodyLimit::Refuse(MAX_BYTES)))
            .await
        {
            Ok(exchange) if exchange.status == StatusCode::OK => (200, String::from_utf8(exchange.body).ok()),
            Ok(exchange) => (exchange.status.as_u16(), None),
            Err(error) if error.kind() == FetchErrorKind::HostPaused => return Err(error.into()),
            // What was read before still counts.
            Err(error) if error.kind() == FetchErrorKind::Unwanted => return Ok(()),
            Err(_) => (0, None),
        };
        make_room(&mut visitor.record, &urls, &url, now);
        visitor.record.terms.insert(url.into(), TermsFile { text, status: Some(status), asked_at: now });
    }
    Ok(())
}

/// Forgets the file that was asked for longest ago, where there are too many with a new one: what is in use is asked for each
/// day. What counts for all pages stays, and so do those that are asked for together with the new one.
fn make_room(record: &mut SiteRecord, together: &[Url], new: &Url, now: UnixSeconds) {
    let of_site = licences_of_site(record);
    let stays = |url: &str| {
        let mut needed = together.iter().chain(&of_site).map(Url::as_str);
        needed.any(|needed| needed == url) || tdmrep_url(new).is_some_and(|file| file.as_str() == url)
    };
    while record.terms.len() >= MAX_FILES && !record.terms.contains_key(new.as_str()) {
        let others = record.terms.iter().filter(|(url, _)| !stays(url));
        // Under a clock that ran ahead is long ago.
        let oldest = others.min_by_key(|(_, file)| (file.asked_at <= now, file.asked_at));
        let Some(oldest) = oldest.map(|(url, _)| url.clone()) else { return };
        record.terms.remove(&oldest);
    }
}

/// Adds what `tdmrep.json` says about a page.
pub(crate) fn add_tdmrep(record: &SiteRecord, page: &Url, stated: &mut TdmRep) {
    let file = tdmrep_url(page).and_then(|url| record.terms.get(url.as_str()));
    if let Some(file) = file {
        let text = file.text.as_deref().unwrap_or_default();
        let status = file.status.unwrap_or(if file.text.is_some() { 200 } else { 404 });
        stated.add_well_known_response(status, RequestPath::of_url(page.as_str()), text.as_bytes());
    }
}

/// What the licences of the site say about a page.
pub(crate) fn licence_of_site(record: &SiteRecord, page: &Url) -> Option<RslState> {
    let far = licences_of_site(record);
    RslState::of_documents(page, NONE, far.iter().map(|url| text(record, url)))
}

/// What the licences that a response names say about its page.
pub(crate) fn licence_of_links(record: &SiteRecord, page: &Url, named: &RslLinks) -> Option<RslState> {
    let files = named.urls.iter().map(|url| text(record, url));
    RslState::of_documents(page, files.chain(named.documents.iter().map(|text| Some(text.as_str()))), NONE)
}

/// The same of those whose files are still held.
pub(crate) fn licence_by_now(record: &SiteRecord, page: &Url, named: &[Url]) -> Option<RslState> {
    let held = named.iter().filter(|url| record.terms.contains_key(url.as_str()));
    RslState::of_documents(page, held.map(|url| text(record, url)), NONE)
}

/// Whether a licence of this text could not be had when it was asked for last, because its server failed.
pub(crate) fn is_out_of_reach(record: &SiteRecord, entry: &Entry) -> bool {
    let far = licences_of_site(record);
    let mut files =
        entry.licences.iter().flatten().chain(&far).filter_map(|url| record.terms.get(url.as_str()));
    files.any(|file| matches!(file.status, Some(0 | 429 | 500..)))
}

const NONE: [Option<&str>; 0] = [];

fn text<'r>(record: &'r SiteRecord, url: &Url) -> Option<&'r str> {
    record.terms.get(url.as_str())?.text.as_deref()
}

/// The licences that a response names.
pub(crate) fn links(exchange: &Exchange, html: Option<&[u8]>) -> RslLinks {
    let mut found = RslLinks::of_headers(exchange.fields().iter());
    if let Some(html) = html {
        let in_page = RslLinks::of_html(html, &exchange.url);
        found.urls.extend(in_page.urls);
        found.documents.extend(in_page.documents);
    }
    found
}

fn licences_of_site(record: &SiteRecord) -> Vec<Url> {
    let (_, rules) = record.robots.access(clock::instant());
    let named = rules.map(|rules| rules.licenses(AiWebIndexAgent::TOKEN).urls);
    named.unwrap_or_default().into_iter().filter_map(|url| Url::parse(url).ok()).collect()
}

fn tdmrep_url(site: &Url) -> Option<Url> {
    site.join("/.well-known/tdmrep.json").ok()
}
