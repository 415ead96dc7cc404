//! A whole polite crawler: a site's twins if it has TCT, else its HTML; what each text may be used for; a store that outlives the
//! run. `cargo run -p short --bin polite_crawler -- https://example.com/ pages.json`; `examples/crawler` reads more about use.
#![expect(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, reason = "a program does")]
use aidocument_extract::Extractor;
use http::{Request, Response, header};
use robots::Preferences;
use signals::{Purpose, RslState::Unlicensed, Signals, TctPolicy, decide};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, SystemTime};
use tct::{CUrl, Crawl, CrawlPolicy, Permission, UnixSeconds, UrlPolicy};
use tct_tower::{MemoryStore, RobotsTxt, drive, fetch};
use url::Url;

const BOT: &str = "examplebot/1.0 (+https://example.com/bot)";
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A page of HTML: its text as Markdown, its links, and its statements about use.
#[derive(Default, Clone, serde::Serialize, serde::Deserialize)]
struct Page {
    text: String,
    etag: Option<String>,
    links: Vec<Url>,
    signals: Signals,
}

fn read(response: &Response<bytes::Bytes>, url: &Url) -> Result<Page, Failure> {
    let signals = Signals::of_page(response, url, BOT);
    let extractor = Extractor::new().base_url(url.as_str().parse()?);
    let content_type = field(response, header::CONTENT_TYPE).unwrap_or_default();
    let content = extractor.content_type(content_type).extract(&response.body()[..]);
    let links = content.links().filter(|_| !signals.directives.has("nofollow"));
    let links = links.filter_map(|(link, _)| link.as_str().split('#').next()?.parse().ok()).collect();
    Ok(Page { text: content.markdown, etag: field(response, header::ETAG), links, signals })
}

fn field(response: &Response<bytes::Bytes>, name: header::HeaderName) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

/// One file, replaced as a whole: a crash loses the pages of the last minutes. Large sites need a database instead.
fn save(path: &str, store: &(&MemoryStore, &BTreeMap<Url, Page>)) -> Result<(), Failure> {
    std::fs::write(format!("{path}.new"), serde_json::to_vec(store)?)?;
    Ok(std::fs::rename(format!("{path}.new"), path)?)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [start, path] = &*arguments else { return Err("usage: polite_crawler URL FILE".into()) };
    let urls = UrlPolicy::allowing_http(); // for a site on one's own machine; `CrawlPolicy::default()` wants https
    let start = CUrl::parse_with(start, &urls).map_err(|why| why.to_string())?;
    let _first = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).user_agent(BOT);
    let http = http.timeout(Duration::from_secs(60)).build()?;
    let mut client = tower::service_fn(move |request: Request<reqwest::Body>| {
        let sent = request.try_into().map(|request| http.execute(request));
        async { Ok::<Response<_>, Failure>(sent?.await.inspect_err(|why| eprintln!("{why}"))?.into()) }
    });
    let clock = (|| UnixSeconds::from(SystemTime::now()), tokio::time::sleep);
    let is_public = start.as_url().host().is_some_and(tct::address::is_public_host);
    let mut robots = RobotsTxt::new(BOT).with_pause(if is_public { 2 } else { 0 });
    let stored = if std::fs::exists(path)? { std::fs::read(path)? } else { b"[{}, {}]".to_vec() };
    let (mut twins, mut pages): (MemoryStore, BTreeMap<Url, Page>) = serde_json::from_slice(&stored)?;
    // Twins. A crawl may be dropped at any moment: the next one goes on from the store.
    let crawl = loop {
        let mut crawl = Crawl::resume(&start, twins.site(), CrawlPolicy::default().with_urls(urls));
        let crawling = drive(&mut crawl, &mut client, &mut robots, &mut twins, &clock);
        let ended = tokio::time::timeout(Duration::from_secs(600), crawling).await;
        save(path, &(&twins, &pages))?;
        if let Ok(ended) = ended {
            break ended.map(|()| crawl)?;
        }
    };
    let done = crawl.counters();
    println!("twins: {} new, {} unchanged, {} requests", done.stored, done.skipped, done.requests);
    // HTML, where there are no twins: a thousand pages at most, one after the other.
    let has_twins = !twins.pages().is_empty() || crawl.descriptor().ai_input == Permission::Denied;
    let (mut left, mut seen) = (VecDeque::from([start.as_url().clone()]), BTreeSet::new());
    while let Some(url) = left.pop_front().filter(|_| !has_twins && seen.len() < 1000) {
        if url.origin() != start.as_url().origin() || !seen.insert(url.clone()) {
            continue;
        }
        let held = pages.get(&url).cloned().unwrap_or_default();
        let request = Request::get(url.as_str());
        let request = held.etag.iter().fold(request, |to, tag| to.header(header::IF_NONE_MATCH, tag));
        let reply = fetch(request.body(Default::default())?, 4 << 20, &mut client, &mut robots, &clock).await;
        let Ok(response) = reply.inspect_err(|why| println!("{url}: {why}")) else { continue };
        let of = |name| field(&response, name).unwrap_or_default();
        let page = match response.status().as_u16() {
            200 if of(header::CONTENT_TYPE).starts_with("text/html") => read(&response, &url)?,
            304 => Page { signals: held.signals.with_header_map(response.headers(), BOT), ..held },
            301..=308 => Page { links: Vec::from_iter(url.join(&of(header::LOCATION))), ..Page::default() },
            200 | 404 | 410 => Page::default(),
            429 | 503 => break, // come back another day
            _ => held,
        };
        left.extend(page.links.iter().cloned());
        pages.insert(url, page);
        save(path, &(&twins, &pages))?;
    }
    // What a text may be used for is asked when it is used, of the robots.txt and the policy of that day.
    let (rules, policy) = (robots.file(clock.0()), crawl.descriptor());
    let licence = rules.filter(|it| !it.licenses(BOT).urls.is_empty()).map(|_| Unlicensed); // not read here: a no
    let mut tct = TctPolicy { allow_ai_input: policy.ai_input.stated(), ..TctPolicy::default() };
    let limits = [policy.attribution, policy.link_back, policy.notice].map(|limit| limit == Some(true));
    [tct.requires_attribution, tct.requires_link_back, tct.requires_notice] = limits;
    let tell = |url: &str, text: &str, mut signals: Signals| {
        let stated = rules.map(|rules| Preferences::of_robots(rules, BOT, url)).unwrap_or_default();
        (signals.preferences, signals.tct) = (signals.preferences.merge(stated), tct);
        signals.rsl = signals.rsl.or(licence.clone());
        let decision = decide(&signals, Purpose::AiInput, &[]);
        println!("{url}: {} words, {decision}", text.split_whitespace().count());
    };
    for (key, state) in twins.pages() {
        let twin: serde_json::Value = serde_json::from_slice(twins.body(key).unwrap_or(b"null"))?;
        tell(&state.c_url, twin.get("content").and_then(|it| it.as_str()).unwrap_or(""), Signals::default());
    }
    pages.into_iter().for_each(|(url, page)| tell(url.as_str(), &page.text, page.signals));
    Ok(())
}
