//! What the store holds, one JSON object a line: each text with what its site says about its use, and what that means.

use std::borrow::Cow;
use std::io::Write;

use serde::Serialize;
use serde_json::value::RawValue;
use signals::{ByPurpose, Signals, UseDecision, decide};
use tct::UnixSeconds;
use tct::held::ContentHash;

use crate::CrawlerError;
use crate::steps::usage::{self, Rates};
use crate::store::{Entry, Kind, PageRecord, SiteRecord, Store, origin_of};

/// A line of the export.
#[derive(Serialize)]
struct Held<'a> {
    url: &'a str,
    kind: Kind,
    source: &'a str,
    title: &'a str,
    hash: &'a ContentHash,
    /// Of a twin: whether the site still lists the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Listing>,
    /// Since when it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<UnixSeconds>,
    usage: Usage,
    decisions: ByPurpose<UseDecision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
}

/// What the site says about use and pace.
#[derive(Serialize)]
struct Usage {
    #[serde(flatten)]
    signals: Signals,
    rates: Rates,
}

/// Whether a site lists a page.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Listing {
    /// It does.
    Listed,
    /// No sitemap lists it; the twin is there.
    Unlisted,
    /// No sitemap lists it, and the twin answers 404.
    Gone,
}

/// Prints everything that is held. Returns what to say at the end.
///
/// # Errors
/// Those of reading the store, and of writing to `out`.
pub fn export(store: &Store, out: &mut impl Write) -> Result<String, CrawlerError> {
    let mut out = std::io::BufWriter::new(out);
    // The URLs of a site follow one another.
    let mut of = (String::new(), SiteRecord::default());
    let mut held = 0;
    store.each_entry(|url, entry, body| {
        let site = origin_of(url);
        if of.0 != site {
            of = (site.clone(), store.site(&site)?);
        }
        let page = match entry.kind {
            Kind::Twin => store.page(&site, &entry.source)?,
            _ => None,
        };
        // What goes wrong here is the output's, not the record's.
        serde_json::to_writer(&mut out, &line(url, entry, body, page.as_ref(), &of.1))
            .map_err(std::io::Error::from)?;
        out.write_all(b"\n")?;
        held += 1;
        Ok(())
    })?;
    out.flush()?;
    Ok(format!("{held} bodies held"))
}

fn line<'a>(
    url: &'a str,
    entry: &'a Entry,
    body: &'a [u8],
    page: Option<&PageRecord>,
    site: &SiteRecord,
) -> Held<'a> {
    let text = String::from_utf8_lossy(body);
    // JSON stays as it came, byte for byte, unless it would break the line.
    let fits = !body.contains(&b'\n') && !body.contains(&b'\r');
    let json: Option<&RawValue> = fits.then(|| serde_json::from_slice(body).ok()).flatten();
    let since = page.and_then(|page| page.state.unlisted_since);
    let state = page.map(|page| match since {
        None => Listing::Listed,
        Some(_) if page.is_gone() => Listing::Gone,
        Some(_) => Listing::Unlisted,
    });
    let signals = usage::of_entry(site, entry);
    Held {
        url,
        kind: entry.kind,
        source: &entry.source,
        title: &entry.title,
        hash: &entry.held.hash,
        state,
        since,
        decisions: ByPurpose::from_fn(|purpose| decide(&signals, purpose, &[])),
        usage: Usage { signals, rates: Rates::of(&site.policy()) },
        json,
        text: json.is_none().then_some(text),
    }
}
