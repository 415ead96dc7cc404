//! Sitemap reading, planning and conditional requests beside their peers.
//!
//! `cargo bench -p benches --bench sitemap`
//!
//! The input is made from a seed: items of about 222 bytes with both URLs, a timestamp and a hash. Every reader adds
//! up the lengths of what it found, so that none can pass over anything.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hint::black_box;
use std::io::Read;

use benches::Comparison;
use http::{HeaderMap, Method, header};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use tct::plan::SitemapDate;
use tct::{
    CUrl, Crawl, CrawlNext, CrawlPolicy, Fingerprint, HeldPage, PageState, PlanPolicy, Planner,
    Representation, SitemapEvent, SitemapLimits, SitemapReader, UnixSeconds,
};
use url::Url;

fn main() {
    let url = Url::parse("https://www.example.com/llm-sitemap.json").unwrap();
    let text = sitemap(50_000);
    println!("input: 50000 items, {} bytes, {} bytes an item", text.len(), text.len() / 50_000);
    million(&text, &url);
    Comparison::new("sitemap", "50k-chunks-64k")
        .rounds(20)
        .ours("tct", || read_chunks(&text, &url))
        .peer("serde_json-visitor", || read_serde_json(&text[..]))
        .run();
    Comparison::new("sitemap", "50k-memory")
        .rounds(20)
        .ours("tct", || read_memory(&text, &url))
        .peer("sonic-rs-vec-str", || read_sonic(&text))
        .run();
    planning(&text);
    session(&text, &url);
    conditional();
}

/// Items with the paths, timestamps and hashes of a seeded generator.
fn sitemap(items: usize) -> Vec<u8> {
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let mut out = String::from(r#"{"version":1,"profile":"tct-1","items":["#);
    for index in 0..items {
        let separator = if index == 0 { "" } else { "," };
        let path = format!("a/{:08x}", next() % 0xFFFF_FFFF);
        let hash = format!("{:016x}{:016x}{:016x}{:016x}", next(), next(), next(), next());
        let (month, day) = (next() % 12 + 1, next() % 28 + 1);
        out.push_str(&format!(
            r#"{separator}{{"cUrl":"https://www.example.com/{path}/","mUrl":"https://www.example.com/{path}/llm/","modified":"2025-{month:02}-{day:02}T12:34:56Z","contentHash":"sha256-{hash}"}}"#
        ));
    }
    out.push_str("]}");
    out.into_bytes()
}

/// What every reader adds up: items, and the lengths of their strings.
type Sum = (u64, usize);

fn add<const N: usize>(sum: &mut Sum, strings: [Option<&str>; N]) {
    sum.0 += 1;
    sum.1 += strings.iter().flatten().map(|text| text.len()).sum::<usize>();
}

/// The length of the text that a hash was parsed from: the peers leave it as text.
fn hash_len(hash: Option<Fingerprint>) -> usize {
    black_box(hash).map_or(0, |_| Fingerprint::TEXT_LEN)
}

fn read_chunks(bytes: &[u8], url: &Url) -> Sum {
    let mut reader = SitemapReader::new(url);
    let mut sum = (0, 0);
    for chunk in bytes.chunks(64 << 10) {
        take(&mut reader, chunk, &mut sum);
    }
    reader.finish().unwrap();
    sum
}

fn take(reader: &mut SitemapReader, chunk: &[u8], sum: &mut Sum) {
    let mut events = reader.push(chunk);
    while let Some(event) = events.next().unwrap() {
        let SitemapEvent::Item(item) = event else { panic!("an entry was passed over") };
        add(sum, [Some(item.c_url), Some(item.m_url), item.modified]);
        sum.1 += hash_len(item.hash);
    }
}

/// From memory into a vector, as the peer does.
fn read_memory(bytes: &[u8], url: &Url) -> Sum {
    let mut reader = SitemapReader::new(url);
    let mut items = Vec::new();
    let mut events = reader.push(bytes);
    while let Some(event) = events.next().unwrap() {
        let SitemapEvent::Item(item) = event else { panic!("an entry was passed over") };
        let len = |text: Option<&str>| text.map_or(0, str::len);
        items.push([item.c_url.len(), item.m_url.len(), len(item.modified), hash_len(item.hash)]);
    }
    (items.len() as u64, items.iter().flatten().sum())
}

#[derive(Deserialize)]
struct SonicFile<'a> {
    #[serde(borrow)]
    items: Vec<SonicItem<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SonicItem<'a> {
    c_url: &'a str,
    m_url: &'a str,
    modified: Option<&'a str>,
    content_hash: Option<&'a str>,
}

fn read_sonic(bytes: &[u8]) -> Sum {
    let file: SonicFile<'_> = sonic_rs::from_slice(bytes).unwrap();
    let mut sum = (0, 0);
    for item in &file.items {
        add(&mut sum, [Some(item.c_url), Some(item.m_url), item.modified, item.content_hash]);
    }
    sum
}

/// The bounded-memory peer: serde_json over a reader, each item handled and dropped inside the visitor.
fn read_serde_json(bytes: impl Read) -> Sum {
    let mut sum = (0, 0);
    let reader = std::io::BufReader::with_capacity(64 << 10, bytes);
    File(&mut sum).deserialize(&mut serde_json::Deserializer::from_reader(reader)).unwrap();
    sum
}

struct File<'a>(&'a mut Sum);
struct Items<'a>(&'a mut Sum);

impl<'de> DeserializeSeed<'de> for File<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for File<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sitemap")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "items" => map.next_value_seed(Items(self.0))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Items<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Items<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("items")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Item {
            c_url: String,
            m_url: String,
            modified: Option<String>,
            content_hash: Option<String>,
        }
        while let Some(item) = seq.next_element::<Item>()? {
            let strings =
                [Some(&item.c_url), Some(&item.m_url), item.modified.as_ref(), item.content_hash.as_ref()];
            add(self.0, strings.map(|text| text.map(String::as_str)));
        }
        Ok(())
    }
}

/// Bytes a second, and a million items in constant memory. Runs first: peak memory only ever grows.
fn million(part: &[u8], url: &Url) {
    let head = br#"{"version":1,"profile":"tct-1","items":["#;
    // The same items again and again: the whole input is never in memory.
    let body = part.strip_prefix(head).and_then(|rest| rest.strip_suffix(b"]}")).unwrap();
    let limits = SitemapLimits::default().with_max_bytes(u64::MAX).with_max_items(u64::MAX);
    let run = || {
        let mut reader = SitemapReader::new(url).with_limits(limits);
        let mut sum = (0, 0);
        take(&mut reader, head, &mut sum);
        for round in 0..20 {
            take(&mut reader, if round == 0 { b"" } else { b"," }, &mut sum);
            body.chunks(64 << 10).for_each(|chunk| take(&mut reader, chunk, &mut sum));
        }
        take(&mut reader, b"]}", &mut sum);
        let summary = reader.finish().unwrap();
        assert_eq!((summary.items, sum.0), (1_000_000, 1_000_000));
        summary.bytes
    };
    let before = peak_kib();
    let bytes = run();
    let grown = peak_kib().saturating_sub(before);
    let fastest = (0..10).map(|_| seconds(run)).fold(f64::MAX, f64::min);
    println!(
        "sitemap/1M-chunks-64k: {bytes} bytes, {:.2} GB/s, peak memory grew by {grown} KiB",
        bytes as f64 / fastest / 1e9
    );
}

/// Peak resident memory of the process so far, where the system tells.
#[expect(clippy::disallowed_methods, reason = "a bench may read what the system says of it")]
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// Planning against a bare lookup and comparison of the same strings.
fn planning(text: &[u8]) {
    let now = UnixSeconds(1_760_000_000);
    let mut reader = SitemapReader::any_origin();
    let mut items: Vec<(String, Fingerprint)> = Vec::new();
    let mut events = reader.push(text);
    while let Some(SitemapEvent::Item(item)) = events.next().unwrap() {
        items.push((item.m_url.to_owned(), item.hash.unwrap()));
    }
    // Every tenth page has changed.
    let known = |index: usize, hash: Fingerprint| {
        if index.is_multiple_of(10) { Fingerprint::hash(b"old") } else { hash }
    };
    // The peer compares text with text.
    let texts: Vec<(String, String)> =
        items.iter().map(|(m_url, hash)| (m_url.clone(), hash.to_string())).collect();
    let of_text = |index, hash| known(index, hash).to_string();
    let bare: HashMap<String, String> =
        items.iter().enumerate().map(|(at, (m_url, hash))| (m_url.clone(), of_text(at, *hash))).collect();
    // In the order of the sitemap like the other one, so that neither's strings lie better in memory.
    let held: HashMap<String, HeldPage> = items
        .iter()
        .enumerate()
        .map(|(index, (m_url, hash))| (m_url.clone(), HeldPage::new(known(index, *hash), now)))
        .collect();
    let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
    let plan = || {
        let plans = items.iter().map(|(m_url, hash)| planner.plan(Some(*hash), held.get(m_url.as_str())));
        plans.filter(|plan| plan.name() == "skip").count()
    };
    Comparison::new("plan", "50k")
        .rounds(40)
        .ours("tct", plan)
        .peer("lookup-and-compare", || {
            texts
                .iter()
                .filter(|(m_url, hash)| bare.get(m_url.as_str()).is_some_and(|held| held == hash))
                .count()
        })
        .run();
    let fastest = (0..40).map(|_| seconds(plan)).fold(f64::MAX, f64::min);
    println!("plan/50k: {:.1} ns an item", fastest / 50_000.0 * 1e9);
}

/// A crawl session that finds every page unchanged, against the reader and the planner called by hand.
fn session(text: &[u8], url: &Url) {
    let now = UnixSeconds(1_760_000_000);
    let mut pages = BTreeMap::new();
    let mut reader = SitemapReader::new(url);
    let mut events = reader.push(text);
    while let Some(SitemapEvent::Item(item)) = events.next().unwrap() {
        let mut state = PageState::default();
        item.c_url.clone_into(&mut state.c_url);
        state.held = Some(HeldPage::new(item.hash.unwrap(), now));
        pages.insert(item.m_url.to_owned(), state);
    }
    drop(events);
    let start = CUrl::parse("https://www.example.com/").unwrap();
    let response = http::Response::new(text);
    Comparison::new("session", "50k-unchanged")
        .rounds(20)
        .ours("tct-crawl", || {
            let mut crawl = Crawl::new(&start, CrawlPolicy::default()).with_sitemap(url.clone());
            loop {
                match crawl.next(&pages, now) {
                    CrawlNext::Send(wanted) => {
                        crawl.on_response(wanted.id, url, &response, &pages, now).unwrap();
                    }
                    CrawlNext::Done => return crawl.counters().skipped,
                    _ => {}
                }
            }
        })
        .peer("reader-and-planner", || {
            let planner = Planner::new(PlanPolicy::default(), SitemapDate(now), now);
            let (mut reader, mut skipped) = (SitemapReader::new(url), 0_u64);
            let mut events = reader.push(text);
            while let Some(event) = events.next().unwrap() {
                let SitemapEvent::Item(item) = event else { panic!("an entry was passed over") };
                let held = pages.get(item.m_url).and_then(|state| state.held.as_ref());
                skipped += u64::from(planner.plan(item.hash, held) == tct::Plan::Skip);
            }
            drop(events);
            reader.finish().unwrap();
            skipped
        })
        .run();
}

/// One request answered 304.
fn conditional() {
    let page = Representation::of_bytes(b"body").with_last_modified(UnixSeconds(1), UnixSeconds(2));
    let mut request = HeaderMap::new();
    request.insert(header::IF_NONE_MATCH, page.etag().clone());
    request.insert(header::ACCEPT_ENCODING, "gzip, br".parse().unwrap());
    let run = || {
        for _ in 0..1000 {
            let _plan = black_box(tct::plan_response(&Method::GET, &request, &page));
        }
    };
    let fastest = (0..100).map(|_| seconds(run)).fold(f64::MAX, f64::min);
    println!("conditional/304: {:.0} ns a request", fastest / 1000.0 * 1e9);
}

#[expect(clippy::disallowed_methods, reason = "measuring time is what a bench is for")]
fn seconds<T>(run: impl Fn() -> T) -> f64 {
    let start = std::time::Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64()
}
