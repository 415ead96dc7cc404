//! A site's llmindex manifest: asked for at its one place, checked, and followed to its feeds and pages.

use http::header::{CONTENT_TYPE, LOCATION};
use llmindex_types::web_values::{UnixSeconds, WebUrl};
use llmindex_types::{Limits, Manifest, ManifestState, Options, check_origin, classify, manifest_url, read};
use url::Url;
use verify::{ManifestVerifier, Origin};

use crate::client::{Exchange, Request};
use crate::clock;
use crate::limits::BodyLimit;
use crate::output::Line;
use crate::site::{Setback, Visitor};
use crate::steps::{conditions, confirmed, entry_of, kept, robots_txt, stored};
use crate::store::{Entry, Kind};
use crate::task::{PageWork, Task, Work};
use crate::writer::Changes;

/// Asks for the manifest and follows it.
///
/// # Errors
/// A [`Setback`] if it is not known whether there is one.
pub async fn run(visitor: &mut Visitor) -> Result<Changes, Setback> {
    let url = manifest_url(&visitor.origin);
    let held = visitor.crawl.store.entry(url.as_str())?.filter(|entry| entry.kind == Kind::Manifest);
    if held.as_ref().is_some_and(|held| held.is_fresh(clock::seconds())) {
        let manifest = visitor.crawl.store.body(url.as_str())?;
        let tasks = follow(visitor, &manifest);
        return Ok(Changes { tasks, ..told(&url, "fresh", &[]) });
    }
    let Some(exchange) = fetch(visitor, &url, held.as_ref()).await? else {
        return Ok(told(&url, "robots", &[]));
    };
    // A 304 of another resource than the one that sent the body confirms nothing.
    let held = held.filter(|held| held.source == exchange.url.as_str());
    let limits = Limits::MANIFEST;
    let outcome = classify(exchange.status.as_u16(), exchange.field(CONTENT_TYPE), &exchange.body, &limits);
    let warnings: Vec<String> = outcome.findings().iter().map(ToString::to_string).collect();
    match (outcome.state(), held) {
        (ManifestState::Supported, _) => {
            let (line, title) = check(visitor, &url, &exchange.body, warnings);
            let tasks = follow(visitor, &exchange.body);
            let entry = Entry { title, ..entry_of(Kind::Manifest, &exchange) };
            let mut changes = stored(url.as_str(), entry, exchange.body, Vec::new());
            changes.lines.insert(0, line);
            Ok(Changes { tasks, ..changes })
        }
        (ManifestState::NotModified, Some(held)) => {
            let manifest = visitor.crawl.store.body(url.as_str())?;
            let tasks = follow(visitor, &manifest);
            Ok(Changes { tasks, ..kept(url.as_str(), confirmed(visitor, held, &exchange)) })
        }
        (ManifestState::RetryLater, _) => Err(visitor.busy(&exchange)),
        (ManifestState::Refused, _) => Ok(told(&url, "refused", &warnings)),
        (ManifestState::Redirect, _) => Ok(told(&url, "redirect-elsewhere", &warnings)),
        (_, _) => Ok(told(&url, "unsupported", &warnings)),
    }
}

/// The response for the manifest, after redirects; they stay on the origin, whose manifest it is. `None` where robots.txt
/// closes its place. Validators are sent to the URL that gave them, and to no other (RFC 9110, 8.8).
async fn fetch(visitor: &mut Visitor, url: &Url, held: Option<&Entry>) -> Result<Option<Exchange>, Setback> {
    let limit = BodyLimit::Refuse(Limits::MANIFEST.max_bytes);
    let (mut at, mut hops) = (url.clone(), 0);
    loop {
        if !robots_txt::allows(visitor, &at).await? {
            return Ok(None);
        }
        let held = held.filter(|held| held.source == at.as_str());
        let request = Request { headers: conditions(held), ..Request::get(at.clone(), limit) };
        let exchange = visitor.fetch(request).await?;
        let next = exchange.field(LOCATION).and_then(|location| at.join(location).ok());
        match next.filter(|next| next.origin() == at.origin()) {
            Some(next)
                if exchange.status.is_redirection()
                    && hops < visitor.crawl.gate.client().limits().redirects =>
            {
                hops += 1;
                at = next;
            }
            _ => return Ok(Some(exchange)),
        }
    }
}

/// Everything that is to say about a manifest, and whom it is about.
fn check(visitor: &Visitor, url: &Url, manifest: &[u8], mut findings: Vec<String>) -> (Line, String) {
    let (mut title, mut version) = (String::new(), None);
    let mut is_valid = false;
    if let Ok(reading) = read(manifest, &Options::default()) {
        findings.extend(reading.report().findings().iter().map(ToString::to_string));
        if let Some(manifest) = reading.manifest() {
            is_valid = true;
            title.clone_from(&manifest.entity().name);
            version = Some(manifest.version().to_string());
            let now = UnixSeconds(clock::seconds().0);
            findings.extend(manifest.check_age(now).iter().map(ToString::to_string));
            let fetched_from = WebUrl::parse(url.as_str()).ok();
            let foreign = fetched_from.and_then(|url| check_origin(manifest, &url));
            findings.extend(foreign.iter().map(ToString::to_string));
        }
    }
    let signature = visitor.crawl.options.keys.as_ref().and_then(|keys| {
        let verifier = ManifestVerifier::new(keys, Origin::FetchedFrom(url.as_str()));
        Some(verifier.verify(manifest).ok()?.reason.code())
    });
    let (url, state) = (url.to_string(), "supported".to_owned());
    (Line::Manifest { url, state, version, valid: Some(is_valid), signature, findings }, title)
}

/// The feeds and pages that a valid manifest names, those of its own origin.
fn follow(visitor: &Visitor, manifest: &[u8]) -> Vec<Task> {
    let Ok(manifest) = Manifest::parse(manifest, &Options::default()) else { return Vec::new() };
    let is_here = |url: &Url| url.origin() == visitor.origin.origin();
    let feeds = manifest.feeds().into_iter().flat_map(llmindex_types::Feeds::iter);
    // What `offers_json` holds is not specified.
    let feeds = feeds.filter(|(name, url)| *name != "offers_json" && is_here(url));
    let feeds = feeds.map(|(name, url)| Work::Feed { name: name.to_owned(), url: url.as_url().clone() });
    let pages = manifest.endpoints().iter().filter(|(_, url)| is_here(url));
    let pages =
        pages.map(|(_, url)| Work::Page(PageWork::new(url.as_url().clone(), visitor.crawl.options.depth)));
    feeds.chain(pages).map(Task::from).collect()
}

fn told(url: &Url, state: &str, warnings: &[String]) -> Changes {
    Changes::line(Line::Manifest {
        url: url.to_string(),
        state: state.to_owned(),
        version: None,
        valid: None,
        signature: None,
        findings: warnings.to_vec(),
    })
}
