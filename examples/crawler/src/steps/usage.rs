//! The site's statements about the use of a text, and whether this crawl may use it.
//!
//! The decision is that of [`signals::decide`]. A text that the crawl's purpose may not use is not kept. One about which
//! nothing is stated is kept, and the export says so.

use robots::{AiWebIndexAgent, Directives, Preferences};
use serde::Serialize;
use sha2::{Digest, Sha256};
use signals::{RslState, Signals, TctPolicy, TdmRep, UsePrice, Verdict, decide};
use tct::PolicyDescriptor;
use tct::policy::RateHint;
use url::Url;

use crate::client::Exchange;
use crate::site::Visitor;
use crate::steps::{passed, terms, twins};
use crate::store::{Entry, Kind, SiteRecord};
use crate::writer::Changes;
use crate::{CrawlerError, Options, clock};

/// Whom the statements are for.
const CRAWLER: &str = AiWebIndexAgent::TOKEN;
/// Entries that are looked through at a time.
const CHUNK: usize = 256;

/// What a response says by its header fields; they are not the site's, and no licence is read.
pub(crate) fn of_headers(exchange: &Exchange) -> Signals {
    let fields = exchange.fields();
    let mut tdmrep = TdmRep::default();
    tdmrep.add_headers(fields.iter());
    Signals {
        may_fetch: Some(true),
        preferences: Preferences::of_headers(fields.iter()),
        tdmrep,
        directives: Directives::of_headers(fields.iter(), CRAWLER),
        price: UsePrice::of_response(exchange.status.as_u16(), fields.iter()),
        ..Signals::default()
    }
}

/// What a response says, by its header fields and in the page, and the licences that it names. `html` is the page, where it is
/// one.
pub(crate) fn of_response(
    record: &SiteRecord,
    exchange: &Exchange,
    html: Option<&[u8]>,
) -> (Signals, Vec<Url>) {
    let mut signals = of_headers(exchange);
    if let Some(html) = html {
        signals.directives.add_html(html, CRAWLER);
        signals.tdmrep.add_html(html);
    }
    let links = terms::links(exchange, html);
    signals.rsl = terms::licence_of_links(record, &exchange.url, &links);
    (signals, links.urls)
}

/// Adds what a later answer about a held text says, without the text: a 304. Which of the earlier fields it replaces is not
/// known by now, so the stricter ones count.
pub(crate) fn add_fields(record: &SiteRecord, entry: &mut Entry, exchange: &Exchange) {
    let (said, licences) = of_response(record, exchange, None);
    let usage = &mut entry.usage;
    // Its licences are read here.
    let rsl = stricter(usage.rsl.take(), said.rsl);
    *usage = Signals { rsl, ..std::mem::take(usage).with_header_map(&exchange.headers, CRAWLER) };
    let known = entry.licences.iter_mut();
    known.for_each(|known| {
        let new: Vec<Url> = licences.iter().filter(|url| !known.contains(url)).cloned().collect();
        known.extend(new);
    });
}

/// Adds what is known of the page itself to what its twin's response says: whoever serves the twin may have left it out. The
/// stricter of both counts.
pub(crate) fn add_page(usage: &mut Signals, said: Signals) {
    usage.preferences = std::mem::take(&mut usage.preferences).merge(said.preferences);
    for (name, value) in said.directives.iter() {
        let stated = value.map_or_else(|| name.to_owned(), |value| format!("{name}: {value}"));
        usage.directives.add_meta("robots", &stated, CRAWLER);
    }
    if said.tdmrep.reservation() == Some(true) && usage.tdmrep.reservation() != Some(true) {
        let policy = said.tdmrep.policy().map(|policy| ("tdm-policy", policy.as_str()));
        usage.tdmrep.add_headers([("tdm-reservation", "1")].into_iter().chain(policy));
    }
    usage.rsl = stricter(usage.rsl.take(), said.rsl);
}

/// What the site says about a URL: by robots.txt, by its policy, and by its files.
pub(crate) fn of_site(record: &SiteRecord, url: &Url) -> Signals {
    let (_, rules) = record.robots.access(clock::instant());
    let mut tdmrep = TdmRep::default();
    terms::add_tdmrep(record, url, &mut tdmrep);
    Signals {
        may_fetch: Some(true),
        preferences: rules.map(|rules| Preferences::of_robots(rules, CRAWLER, url)).unwrap_or_default(),
        tct: of_policy(&record.policy()),
        tdmrep,
        rsl: terms::licence_of_site(record, url),
        ..Signals::default()
    }
}

/// What is said about a held text by now: what its response said, with what the site says.
pub(crate) fn of_entry(record: &SiteRecord, entry: &Entry) -> Signals {
    let mut signals = entry.usage.clone();
    let Ok(url) = Url::parse(&entry.source) else { return signals };
    let site = of_site(record, &url);
    signals.preferences = signals.preferences.merge(site.preferences);
    signals.tct = site.tct;
    // The nearest place counts, whatever is added last: file, header field, page.
    terms::add_tdmrep(record, &url, &mut signals.tdmrep);
    // A licence may have changed since the response named it.
    let named = entry.licences.as_deref().unwrap_or_default();
    let near = stricter(signals.rsl.take(), terms::licence_by_now(record, &url, named));
    signals.rsl = match (near, site.rsl) {
        (Some(near), Some(far)) if entry.licences.is_some() => Some(near.or_farther(far)),
        (near, far) => stricter(near, far),
    };
    signals
}

fn stricter(one: Option<RslState>, other: Option<RslState>) -> Option<RslState> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.restricted_by(other)),
        (one, other) => one.or(other),
    }
}

/// What TCT's policy descriptor says about use.
pub(crate) fn of_policy(policy: &PolicyDescriptor) -> TctPolicy {
    TctPolicy {
        allow_search_indexing: policy.search_indexing.stated(),
        allow_ai_input: policy.ai_input.stated(),
        allow_ai_train: policy.ai_train.stated(),
        requires_attribution: policy.attribution == Some(true),
        requires_link_back: policy.link_back == Some(true),
        requires_notice: policy.notice == Some(true),
    }
}

/// What TCT's policy descriptor says about pace: requests at most, `null` where nothing is stated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Rates {
    /// In a second.
    pub per_second: Option<f64>,
    /// In a day.
    pub per_day: Option<f64>,
}

impl Rates {
    /// The rates of a descriptor.
    #[must_use]
    pub fn of(policy: &PolicyDescriptor) -> Self {
        let at_most = |hint| match hint {
            RateHint::AtMost(rate) => Some(rate),
            RateHint::Unstated | RateHint::Unlimited => None,
        };
        let hints = policy;
        Rates { per_second: at_most(hints.per_second), per_day: at_most(hints.per_day) }
    }
}

/// Why the crawl's purpose may not use the text, or may not keep it; `None` where it may.
pub(crate) fn refusal(signals: &Signals, options: &Options) -> Option<String> {
    let decision = decide(signals, options.purpose, &[]);
    let may_not_keep = decision.obligations.contains("no-store");
    (decision.verdict == Verdict::Deny || may_not_keep).then(|| format!("{}: {decision}", options.purpose))
}

/// Why a text is not held, by what its response and its site say; `None` where it may be.
pub(crate) fn refusal_of(visitor: &Visitor, entry: &Entry) -> Option<String> {
    refusal(&of_entry(&visitor.record, entry), &visitor.crawl.options)
}

/// A hash of all that the site says about use in files of their own, and of the purpose.
pub(crate) fn statements(record: &SiteRecord, options: &Options) -> String {
    let (_, rules) = record.robots.access(clock::instant());
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    };
    add(options.purpose.to_string().as_bytes());
    add(record.tct.policy_json.as_bytes());
    add(rules.map_or(&[][..], |rules| rules.as_bytes()));
    for (url, file) in &record.terms {
        add(url.as_bytes());
        add(&file.status.unwrap_or_default().to_be_bytes());
        add(file.text.as_deref().unwrap_or_default().as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Forgets the texts of the site that it does not want to be used for the crawl's purpose any more, and tells of each. Where a
/// licence cannot be read for now, that is no reason to. A site that says what it said before is not looked through again.
///
/// # Errors
/// Those of reading and writing the store.
pub(crate) async fn forget_refused(visitor: &mut Visitor, is_denied: bool) -> Result<(), CrawlerError> {
    let heard = statements(&visitor.record, &visitor.crawl.options);
    if visitor.record.heard == heard {
        return Ok(());
    }
    // As a twin whose response refuses the use. Where the policy denies all, nothing is asked anyway, and everything once it
    // does not.
    let later = twins::refused_secs(&visitor.crawl.options);
    let not_before = (!is_denied).then(|| clock::seconds().saturating_add(later));
    let mut after = String::new();
    loop {
        let entries = visitor.crawl.store.entries_after(&visitor.site, &after, CHUNK)?;
        let Some((last, _)) = entries.last() else { break };
        after.clone_from(last);
        let mut changes = Changes::default();
        for (url, entry) in entries {
            // Manifests are about the site.
            if entry.kind == Kind::Manifest || terms::is_out_of_reach(&visitor.record, &entry) {
                continue;
            }
            let Some(why) = refusal_of(visitor, &entry) else { continue };
            let sources = std::iter::once(entry.source).chain(entry.others);
            for source in sources {
                if let Some(mut record) = visitor.crawl.store.page(&visitor.site, &source)? {
                    record.refuse_use(not_before);
                    changes.pages.push((source.clone(), Some(record)));
                }
                changes.forgotten.push((url.clone(), source));
            }
            let told = passed(&url, "usage", why);
            changes.lines.extend(told.lines);
            changes.counts.add(&told.counts);
        }
        if !changes.forgotten.is_empty() {
            visitor.commit(changes).await?;
        }
    }
    visitor.record.heard = heard;
    Ok(())
}
