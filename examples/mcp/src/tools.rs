//! The tools: from arguments to results.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use aidocument_extract::outline::{Outline, Section};
use crawler::client::Request;
use crawler::clock;
use crawler::limits::BodyLimit;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use llmindex_types::{FeedOptions, FeedReader, Manifest, ManifestState, classify, manifest_url};
use robots::Access;
use tct::{UnixSeconds, discover};
use url::Url;
use web_values::Timestamp;

use crate::answers::{
    ChangedAnswer, ChangedArguments, FeedEntry, Hit, ListedEntry, ManifestEntry, MayAnswer, MayArguments,
    OutlineAnswer, OutlineArguments, ReadAnswer, ReadArguments, ReadAs, SearchAnswer, SearchArguments,
    SectionEntry, SiteAnswer, SiteArguments, TextSource,
};
use crate::net::{Errand, PRODUCT};
use crate::reading::{Read, url_of};
use crate::resources::uri_of;
use crate::sites::{Stated, key_of, origin_of, said};
use crate::store::{Said, SiteRecord};
use crate::tokens::count;
use crate::trouble::{Trouble, TroubleKind};

/// Tokens of one answer, where the caller names none.
pub const MAX_TOKENS: usize = 6_000;
/// Sections that the first page of a long text lists.
const MAX_OUTLINE: usize = 80;
/// Sections of a search.
const MAX_HITS: usize = 20;
/// Excerpts of a section.
const MAX_EXCERPTS: usize = 3;
/// Bytes of an excerpt.
const MAX_EXCERPT: usize = 300;
/// Pages and products of one answer.
const PER_PAGE: usize = 50;
/// Changed pages of one answer.
const MAX_CHANGED: usize = 200;

impl From<&Section> for SectionEntry {
    fn from(section: &Section) -> Self {
        SectionEntry {
            name: section.name.clone(),
            title: section.title.chars().take(200).collect(),
            level: section.level,
            tokens: section.tokens,
        }
    }
}

/// Does `read`.
///
/// # Errors
/// If there is no text to give.
pub async fn read(errand: &mut Errand<'_>, arguments: &ReadArguments) -> Result<ReadAnswer, Trouble> {
    let (url, fragment) = url_of(&arguments.url)?;
    let mut read = errand.read(&url, arguments.read_as.unwrap_or_default()).await?;
    // Sections that `outline` named are those of the page, where the twin has no headings.
    let wanted = arguments.section.as_ref().or(fragment.as_ref());
    if let Some(wanted) = wanted
        && is_headless(&read)
        && Outline::of(&read.text, &|_| 0).find(wanted).is_none()
    {
        read = page_itself(errand, &url, read).await?;
    }
    let max_tokens = arguments.max_tokens.unwrap_or(MAX_TOKENS);
    if !(200..=100_000).contains(&max_tokens) {
        return Err(Trouble::new(
            TroubleKind::Argument,
            "the page cannot be cut so",
            format!("max_tokens is {max_tokens}"),
            "give a number from 200 to 100000",
        ));
    }
    let outline = Outline::of(&read.text, &count);
    let mut notes = read.record.notes.clone();
    let section = match (&arguments.section, &fragment) {
        (Some(name), _) => Some(outline.find(name).ok_or_else(|| no_section(name, &outline))?),
        // A fragment may name what is no heading: it is a wish.
        (None, Some(name)) => {
            let found = outline.find(name);
            if found.is_none() && outline.tokens() > max_tokens {
                notes.push("no section has the name of the address's fragment".to_owned());
            }
            found.filter(|_| arguments.page.is_none())
        }
        (None, None) => None,
    };
    let part = section.map_or(0..read.text.len(), |section| section.whole.clone());
    let pages = outline.pages(&read.text, part, max_tokens, &count);
    let number = arguments.page.unwrap_or(1);
    let page = number.checked_sub(1).and_then(|at| pages.get(at)).ok_or_else(|| {
        Trouble::new(
            TroubleKind::Argument,
            format!("there is no page {number}"),
            format!("the text has {} pages of {max_tokens} tokens", pages.len()),
            "give one of these, and the same max_tokens as before",
        )
    })?;
    let mut markdown = page.text_of(&read.text).trim().to_owned();
    if page.is_left_out {
        markdown = String::new();
        notes.push(format!(
            "one piece of {} tokens that cannot be cut is left out here; read this page number with max_tokens {}",
            page.tokens,
            page.tokens.min(100_000)
        ));
    }
    let is_first = pages.len() > 1 && number == 1 && section.is_none();
    let listed = if is_first { short_outline(&outline) } else { Vec::new() };
    if is_first && listed.len() < outline.sections().len() {
        notes.push("deeper sections are left out of the list; `outline` has them all".to_owned());
    }
    if is_first && outline.sections().len() <= 1 && read.record.source == TextSource::Twin {
        notes.push(
            "the twin is plain text without headings; `as: html` reads the page with its headings".to_owned(),
        );
    }
    let age_s = clock::seconds().0.saturating_sub(read.record.confirmed_at);
    Ok(ReadAnswer {
        url: read.record.url.clone(),
        title: read.record.title.clone(),
        authors: read.record.authors.clone(),
        published: read.record.published.clone(),
        modified: read.record.modified.clone(),
        language: read.record.language.clone(),
        source: read.record.source,
        freshness: read.freshness,
        age_s,
        confidence: read.record.confidence,
        cost: errand.cost,
        section: section.map(|section| section.name.clone()),
        page: number,
        pages: pages.len(),
        next_page: (number < pages.len()).then_some(number + 1),
        tokens: if page.is_left_out { 0 } else { page.tokens },
        total_tokens: section.map_or(outline.tokens(), |section| section.tokens),
        outline: listed,
        hidden: read.record.hidden.clone(),
        hidden_instructions: read.record.hidden_instructions,
        conditions: read.conditions.clone(),
        notes,
        resource: read.is_held.then(|| uri_of(&read.key)),
        markdown,
    })
}

/// The sections down to the level that leaves few enough.
fn short_outline(outline: &Outline) -> Vec<SectionEntry> {
    let sections = outline.sections();
    let fits = |level: u8| sections.iter().filter(|section| section.level <= level).count() <= MAX_OUTLINE;
    let deepest = (1..=6).rev().find(|level| fits(*level)).unwrap_or(1);
    sections
        .iter()
        .filter(|section| section.level <= deepest)
        .take(MAX_OUTLINE)
        .map(SectionEntry::from)
        .collect()
}

/// The names themselves are the page's words, and an error has no marks.
fn no_section(name: &str, outline: &Outline) -> Trouble {
    let shown: String = name.chars().take(80).collect();
    Trouble::new(
        TroubleKind::Argument,
        format!("there is no section `{shown}`"),
        format!("none of the page's {} sections has that name", outline.sections().len()),
        "call `outline` for all names",
    )
}

/// Whether the text is of a twin without headings: plain text.
fn is_headless(read: &Read) -> bool {
    read.record.source == TextSource::Twin && Outline::of(&read.text, &|_| 0).sections().len() <= 1
}

/// A page's text with its headings: where the twin has none, that of the page itself.
async fn with_headings(errand: &mut Errand<'_>, url: &Url) -> Result<Read, Trouble> {
    let read = errand.read(url, ReadAs::Auto).await?;
    match is_headless(&read) {
        true => page_itself(errand, url, read).await,
        false => Ok(read),
    }
}

/// The page in place of its twin, where it can be had. Where the site refuses it to models, its twin is the same text.
async fn page_itself(errand: &mut Errand<'_>, url: &Url, twin: Read) -> Result<Read, Trouble> {
    match errand.read(url, ReadAs::Html).await {
        Err(trouble) if !matches!(trouble.kind(), TroubleKind::Robots | TroubleKind::Signals) => Ok(twin),
        ended => ended,
    }
}

/// Does `outline`.
///
/// # Errors
/// As [`read`].
pub async fn outline(
    errand: &mut Errand<'_>,
    arguments: &OutlineArguments,
) -> Result<OutlineAnswer, Trouble> {
    let (url, _) = url_of(&arguments.url)?;
    let read = with_headings(errand, &url).await?;
    let outline = Outline::of(&read.text, &count);
    Ok(OutlineAnswer {
        url: read.record.url.clone(),
        title: read.record.title.clone(),
        source: read.record.source,
        freshness: read.freshness,
        cost: errand.cost,
        total_tokens: outline.tokens(),
        sections: outline.sections().iter().take(500).map(SectionEntry::from).collect(),
    })
}

/// Does `search_in`.
///
/// # Errors
/// As [`read`], and where there are no words.
pub async fn search_in(
    errand: &mut Errand<'_>,
    arguments: &SearchArguments,
) -> Result<SearchAnswer, Trouble> {
    let (url, _) = url_of(&arguments.url)?;
    if !arguments.words.chars().any(char::is_alphanumeric) {
        return Err(Trouble::new(
            TroubleKind::Argument,
            "nothing can be looked for",
            "`words` has no letters and no digits",
            "give one word or more",
        ));
    }
    let Read { record, text, .. } = with_headings(errand, &url).await?;
    let outline = Outline::of(&text, &count);
    let found = outline.search(&text, &arguments.words);
    let hits = found.iter().take(MAX_HITS).map(|hits| {
        let mut excerpts: Vec<String> = Vec::new();
        for place in &hits.places {
            let excerpt = outline.around(&text, *place, MAX_EXCERPT).to_owned();
            // A heading is told already.
            if excerpts.len() < MAX_EXCERPTS && !excerpt.starts_with('#') && !excerpts.contains(&excerpt) {
                excerpts.push(excerpt);
            }
        }
        Hit {
            section: hits.section.name.clone(),
            title: hits.section.title.chars().take(200).collect(),
            count: hits.count,
            words: hits.words,
            tokens: hits.section.own_tokens,
            excerpts,
        }
    });
    Ok(SearchAnswer {
        hits: hits.collect(),
        url: record.url,
        title: record.title,
        cost: errand.cost,
        sections_found: found.len(),
    })
}

/// A site of which the address is any page, and its record with its sitemaps looked for.
async fn site_with_sitemaps(errand: &mut Errand<'_>, url: &Url) -> Result<SiteRecord, Trouble> {
    errand.agent.check(url)?;
    let mut record = errand.site(url).await?;
    errand.refresh_sitemaps(url, &mut record, true).await?;
    Ok(record)
}

/// Does `site`.
///
/// # Errors
/// If the site cannot be asked.
pub async fn site(errand: &mut Errand<'_>, arguments: &SiteArguments) -> Result<SiteAnswer, Trouble> {
    let (url, _) = url_of(&arguments.url)?;
    errand.agent.check(&url)?;
    let origin = origin_of(&url);
    let mut record = errand.site(&url).await?;
    let mut notes = Vec::new();
    let home = url.join("/").unwrap_or_else(|_| url.clone());
    // The front page names sitemap and policy in its header fields and its head.
    if record.linked_sitemaps.is_empty()
        && record.sitemaps.is_empty()
        && errand.allowed(&record, &home).is_ok()
    {
        let limit = BodyLimit::Cut(256 << 10);
        if let Ok(exchange) = errand.send(Request::get(home.clone(), limit)).await
            && exchange.status == StatusCode::OK
        {
            let found = discover(&home, &exchange.headers, &exchange.body);
            errand.learn(&home, &mut record, &found)?;
        }
    }
    errand.refresh_sitemaps(&url, &mut record, true).await?;
    errand.refresh_terms(&url, &mut record, &[]).await?;
    let mut listed = errand.agent.store.all_listed(&origin)?;
    listed.sort_by(|(a, one), (b, two)| (&two.modified, a).cmp(&(&one.modified, b)));
    let manifest = match manifest(errand, &url, &mut record, &mut notes).await {
        // Whoever asks for a feed is told why there is none.
        Err(trouble) if trouble.kind() != TroubleKind::Busy && arguments.feed.is_none() => {
            notes.push(trouble.to_string().trim_end_matches('.').to_owned());
            None
        }
        manifest => manifest?,
    };
    let page = arguments.page.unwrap_or(1).max(1);
    let skip = (page - 1).saturating_mul(PER_PAGE);
    let (mut products, mut products_total) = (Vec::new(), None);
    if let Some(name) = &arguments.feed {
        let feeds = manifest.as_ref().map(|manifest| manifest.feeds.as_slice()).unwrap_or_default();
        let feed = feeds.iter().find(|feed| feed.name == *name).ok_or_else(|| {
            let names: Vec<&str> = feeds.iter().map(|feed| feed.name.as_str()).collect();
            let why = match names.is_empty() {
                true => "the site has no feeds".to_owned(),
                false => format!("the site has {}", names.join(", ")),
            };
            Trouble::new(
                TroubleKind::Argument,
                "there is no such feed",
                why,
                "give one of these names, or none",
            )
        })?;
        let all = feed_of(errand, &mut record, &url, &feed.url).await?;
        products_total = Some(all.len());
        products = all.into_iter().skip(skip).take(PER_PAGE).collect();
    }
    let llms_txt = llms_txt(errand, &url, &record).await?;
    let total = products_total.unwrap_or(listed.len());
    let stated = Stated::of(&record, &home, None);
    let (access, rules) = record.robots.access(clock::instant());
    let pages = match arguments.feed {
        Some(_) => Vec::new(),
        None => listed
            .iter()
            .skip(skip)
            .take(PER_PAGE)
            .map(|(url, record)| ListedEntry {
                url: url.clone(),
                // A date, and no other text: it is given of a site that refuses its texts as well.
                modified: record.modified.clone().filter(|date| time_of(date).is_some()),
            })
            .collect(),
    };
    Ok(SiteAnswer {
        site: origin,
        cost: errand.cost,
        robots: match access {
            Access::Rules => "rules",
            Access::AllowAll => "allow-all",
            _ => "disallow-all",
        }
        .to_owned(),
        crawl_delay_s: rules
            .and_then(|rules| rules.crawl_delay(PRODUCT))
            .map(robots::CrawlDelay::as_secs_f64),
        ai_input: stated.decide(signals::Purpose::AiInput).to_string(),
        sitemaps: record.sitemaps.iter().map(|sitemap| sitemap.url.clone()).collect(),
        pages_listed: listed.len(),
        pages,
        manifest,
        products,
        products_total,
        llms_txt,
        policy: record.policies.first().cloned(),
        next_page: (skip.saturating_add(PER_PAGE) < total).then_some(page.saturating_add(1)),
        notes,
    })
}

async fn manifest(
    errand: &mut Errand<'_>,
    url: &Url,
    record: &mut SiteRecord,
    notes: &mut Vec<String>,
) -> Result<Option<ManifestEntry>, Trouble> {
    let at = manifest_url(url);
    errand.allowed(record, &at)?;
    errand.may_use(record, &at, None)?;
    let limits = llmindex_types::Limits::MANIFEST;
    let exchange = match errand.send(Request::get(at.clone(), BodyLimit::Refuse(limits.max_bytes))).await {
        Ok(exchange) => exchange,
        Err(trouble) if trouble.kind() == TroubleKind::Busy => return Err(trouble),
        Err(_) => return Ok(None),
    };
    let outcome = classify(exchange.status.as_u16(), exchange.field(CONTENT_TYPE), &exchange.body, &limits);
    if outcome.state() != ManifestState::Supported {
        return Ok(None);
    }
    let said = said(&exchange, None);
    errand.refresh_terms(&at, record, &said.licences).await?;
    errand.may_use(record, &at, Some(&said))?;
    let Ok(manifest) = Manifest::parse(&exchange.body, &llmindex_types::Options::default()) else {
        notes.push("the llmindex manifest is not valid".to_owned());
        return Ok(None);
    };
    let endpoints: BTreeMap<String, String> =
        manifest.endpoints().iter().map(|(name, url)| (name.to_owned(), url.to_string())).collect();
    let feeds = manifest.feeds().into_iter().flat_map(llmindex_types::Feeds::iter);
    Ok(Some(ManifestEntry {
        name: manifest.entity().name.clone(),
        version: manifest.version().to_string(),
        updated_at: manifest.updated_at().to_string(),
        topics: manifest.topics().to_vec(),
        endpoints,
        feeds: feeds.map(|(name, url)| FeedEntry { name: name.to_owned(), url: url.to_string() }).collect(),
    }))
}

/// The products of a feed whose lines are valid.
async fn feed_of(
    errand: &mut Errand<'_>,
    record: &mut SiteRecord,
    site: &Url,
    feed: &str,
) -> Result<Vec<serde_json::Map<String, serde_json::Value>>, Trouble> {
    let url = Url::parse(feed).ok().filter(|url| url.origin() == site.origin()).ok_or_else(|| {
        Trouble::new(
            TroubleKind::Address,
            "the feed is not read",
            "it is on another site",
            "call `site` for that one",
        )
    })?;
    errand.allowed(record, &url)?;
    errand.may_use(record, &url, None)?;
    let limit = BodyLimit::Refuse(16 << 20);
    let exchange = errand.send(Request::get(url.clone(), limit)).await?;
    if exchange.status != StatusCode::OK {
        let why = format!("the server answered with status {}", exchange.status);
        return Err(Trouble::new(
            TroubleKind::Missing,
            "the feed cannot be read",
            why,
            "try once more later",
        ));
    }
    let said = said(&exchange, None);
    errand.refresh_terms(&url, record, &said.licences).await?;
    errand.may_use(record, &url, Some(&said))?;
    // The table of identifiers is keyed, so that no feed can be written to collide.
    let random = || RandomState::new().build_hasher().finish();
    let key = (u128::from(random()) << 64 | u128::from(random())).to_le_bytes();
    let mut reader = FeedReader::new(key, FeedOptions::default());
    let mut products = Vec::new();
    for line in exchange.body.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii();
        let is_valid = reader.line(text).is_some_and(|line| line.is_valid() && line.product().is_some());
        if is_valid && let Ok(product) = serde_json::from_slice(text) {
            products.push(product);
        }
    }
    Ok(products)
}

/// Where llms.txt is, where the site has one.
async fn llms_txt(
    errand: &mut Errand<'_>,
    url: &Url,
    record: &SiteRecord,
) -> Result<Option<String>, Trouble> {
    let Ok(at) = url.join("/llms.txt") else { return Ok(None) };
    if errand.allowed(record, &at).is_err() {
        return Ok(None);
    }
    let request = Request { method: http::Method::HEAD, ..Request::get(at.clone(), BodyLimit::Cut(1)) };
    match errand.send(request).await {
        Ok(exchange) => {
            // A page for everything is no llms.txt.
            let is_text = exchange.field(CONTENT_TYPE).is_some_and(|kind| !kind.starts_with("text/html"));
            Ok((exchange.status == StatusCode::OK && is_text).then(|| at.to_string()))
        }
        Err(trouble) if trouble.kind() == TroubleKind::Busy => Err(trouble),
        Err(_) => Ok(None),
    }
}

/// A time as an argument or a sitemap has it: RFC 3339, or a day.
fn time_of(text: &str) -> Option<UnixSeconds> {
    let text = text.trim();
    let day = || Timestamp::parse(&format!("{text}T00:00:00Z")).ok();
    let plain = || Timestamp::parse_without_offset(text).ok();
    let time = Timestamp::parse(text).ok().or_else(day).or_else(plain)?;
    time.to_unix_seconds()
}

/// Does `changed_since`.
///
/// # Errors
/// If the site has no sitemap of twins, or cannot be asked.
pub async fn changed_since(
    errand: &mut Errand<'_>,
    arguments: &ChangedArguments,
) -> Result<ChangedAnswer, Trouble> {
    let (url, _) = url_of(&arguments.url)?;
    let since = time_of(&arguments.time).ok_or_else(|| {
        Trouble::new(
            TroubleKind::Argument,
            "the time cannot be read",
            "it is neither a day nor a time of RFC 3339",
            "give it as 2026-11-01 or 2026-11-01T12:00:00Z",
        )
    })?;
    let record = site_with_sitemaps(errand, &url).await?;
    let origin = origin_of(&url);
    let confirmed_at = record.sitemaps.iter().map(|sitemap| sitemap.confirmed_at).min().ok_or_else(|| {
        Trouble::new(
            TroubleKind::Missing,
            format!("it is not known what changed on {origin}"),
            "the site names no sitemap of twins",
            "`read` the page once more: an unchanged one costs one small request",
        )
    })?;
    let (mut changed, mut unchanged, mut undated, mut since_read) = (Vec::new(), 0, 0, Vec::new());
    for (page, listed) in errand.agent.store.all_listed(&origin)? {
        let held = errand.agent.store.page(&page)?.and_then(|held| held.twin);
        if let (Some(held), Some(hash)) = (held, listed.hash)
            && held.held.hash != hash
        {
            since_read.push(page.clone());
        }
        match listed.modified.as_deref().and_then(time_of) {
            Some(time) if time > since => {
                changed.push((time, ListedEntry { url: page, modified: listed.modified }))
            }
            Some(_) => unchanged += 1,
            None => undated += 1,
        }
    }
    changed.sort_by(|(a, one), (b, two)| (b, &one.url).cmp(&(a, &two.url)));
    Ok(ChangedAnswer {
        site: origin,
        cost: errand.cost,
        sitemap_age_s: clock::seconds().0.saturating_sub(confirmed_at),
        changed_total: changed.len(),
        changed: changed.into_iter().take(MAX_CHANGED).map(|(_, entry)| entry).collect(),
        unchanged,
        undated,
        changed_since_read: since_read,
    })
}

/// Does `may`.
///
/// # Errors
/// If the site cannot be asked.
pub async fn may(errand: &mut Errand<'_>, arguments: &MayArguments) -> Result<MayAnswer, Trouble> {
    let (url, _) = url_of(&arguments.url)?;
    errand.agent.check(&url)?;
    let mut record = errand.site(&url).await?;
    let is_allowed = record.robots.decide(PRODUCT, &url, clock::instant()).is_allowed();
    errand.refresh_terms(&url, &mut record, &[]).await?;
    // What the response says is known where the page was read lately; else the page is asked for, and nothing of it kept.
    let held = errand.agent.store.page(&key_of(&url))?;
    let is_known = !is_allowed || held.as_ref().is_some_and(|page| errand.is_trusted(page));
    let held = held.map(|page| page.said);
    let response: Option<Said> = match is_known {
        true => held,
        false => {
            let limit = BodyLimit::Cut(errand.agent.options.limits.page_bytes);
            let exchange = errand.send(Request::get(url.clone(), limit)).await?;
            let html = exchange.field(CONTENT_TYPE).is_none_or(|kind| kind.contains("html"));
            let said = said(&exchange, html.then_some(exchange.body.as_slice()));
            let html_body = if html { exchange.body.as_slice() } else { &[] };
            let found = discover(&url, &exchange.headers, html_body);
            errand.learn(&url, &mut record, &found)?;
            if !exchange.status.is_success() {
                let trouble = errand.barrier(&url, &exchange);
                drop(errand.forgotten(&url, ReadAs::Html, trouble));
            }
            // An error takes nothing back.
            held.filter(|_| !matches!(exchange.status.as_u16(), 200 | 402)).or(Some(said))
        }
    };
    let licences = response.as_ref().map(|said| said.licences.clone()).unwrap_or_default();
    errand.refresh_terms(&url, &mut record, &licences).await?;
    // Whatever the question was: what the site refuses to models by this answer is not held on.
    drop(errand.allowed(&record, &url).and_then(|()| errand.may_use(&record, &url, response.as_ref())));
    let purpose = arguments.purpose.into();
    let stated = Stated::of(&record, &url, response.as_ref()).fetched(is_allowed);
    let decision = stated.decide(purpose);
    Ok(MayAnswer {
        url: key_of(&url),
        purpose: purpose.to_string(),
        verdict: decision.verdict.to_string(),
        obligations: decision.obligations.iter().cloned().collect(),
        caveats: decision.caveats.iter().cloned().collect(),
        reasons: stated.reasons(&record, &url, purpose),
        cost: errand.cost,
    })
}
