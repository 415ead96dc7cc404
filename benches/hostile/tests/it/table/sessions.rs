//! tct's session and tct-tower's layer: a site that answers everything with the input.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use http_body_util::{BodyExt as _, Empty, Full};
use tct::crawl::{Crawl, CrawlNext, CrawlPolicy, PageState};
use tct::{CUrl, UnixSeconds};
use tct_tower::{ExtractContent, Settings, TctLayer, TwinContent};
use tower::{Layer as _, Service, service_fn};

use super::{Function, nothing, row};
use crate::run::Case;

const NONE: (u64, u64) = (0, 0);
/// Answers in one crawl: each of them costs what the input is long.
const ANSWERS: usize = 24;

/// A crawl whose start page, sitemaps, policy and twins are all the input; what the reports hold counts as output.
fn crawl(case: &Case, sitemap: bool) -> usize {
    let start = CUrl::parse("https://a.example/").expect("it is a URL");
    let mut crawl = Crawl::new(&start, CrawlPolicy::default()).with_robots_lines([case.text.as_str()]);
    if sitemap {
        crawl = crawl.with_sitemap("https://a.example/llm-sitemap.json".parse().expect("it is a URL"));
    }
    let mut pages: BTreeMap<String, PageState> = BTreeMap::new();
    let (mut now, mut answers, mut said) = (UnixSeconds(1_760_000_000), 0, 0);
    while answers < ANSWERS {
        match crawl.next(&pages, now) {
            CrawlNext::Send(wanted) => {
                answers += 1;
                let mut response = Response::new(case.bytes.as_slice());
                let kind = if answers == 1 && !sitemap { "text/html" } else { "application/json" };
                let fields = response.headers_mut();
                fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
                for name in [header::LINK, header::ETAG, header::LOCATION, header::RETRY_AFTER] {
                    fields.insert(name, case.field.clone());
                }
                crawl.on_response(wanted.id, &wanted.url, &response, &pages, now).expect("it was asked for");
            }
            CrawlNext::Page(report) => {
                said += report.key.len();
                match report.state {
                    Some(state) => drop(pages.insert(report.key, state)),
                    None => drop(pages.remove(&report.key)),
                }
            }
            CrawlNext::Site(event) => said += event.to_string().len(),
            CrawlNext::Wait => match crawl.wake_at(now) {
                Some(at) if at > now => now = at,
                _ => break,
            },
            _ => break,
        }
    }
    nothing(serde_json::to_string(crawl.site()).map(|text| text.len()));
    said
}

/// What a future that never waits comes to.
fn finished<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => unreachable!("nothing here waits"),
    }
}

/// The layer around a router whose every page is the input; the bytes of the answers to a page, its Markdown, its twins,
/// the sitemaps and a page by the input's own name.
fn layer(case: &Case, settings: Settings) -> usize {
    let (body, field) = (Bytes::from(case.bytes.clone()), case.field.clone());
    let inner = service_fn(move |_: Request<Empty<Bytes>>| {
        let mut response = Response::new(Full::new(body.clone()));
        let fields = response.headers_mut();
        fields.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
        fields.insert(header::ETAG, field.clone());
        fields.insert(header::LINK, field.clone());
        std::future::ready(Ok::<_, Infallible>(response))
    });
    let mut service = TctLayer::new(settings).layer(inner);
    let odd = format!("/{}", case.text.replace(|c: char| !c.is_ascii_graphic(), "-"));
    let targets = ["/", "/index.md", "/llm/", "/tct/", "/llm-sitemap.json", "/llm/", "/?q=1", odd.as_str()];
    let mut longest = 0;
    for target in targets {
        let request = Request::get(target)
            .header(header::ACCEPT, case.field.clone())
            .header(header::IF_NONE_MATCH, case.field.clone())
            .body(Empty::new());
        let Ok(request) = request else { continue };
        let Ok(response) = finished(service.call(request));
        let Ok(body) = finished(response.into_body().collect());
        longest = longest.max(body.to_bytes().len());
    }
    longest
}

fn plain(_url: &url::Url, _type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let text = String::from_utf8_lossy(html);
    Some(TwinContent::new("Title", text.clone(), text))
}

pub const FUNCTIONS: &[Function] = &[
    row("tct", "Crawl, 24 answers, from its start page", (400, 2 << 20), (8, 64 << 10), |case| {
        crawl(case, false)
    }),
    row("tct", "Crawl, 24 answers, from a sitemap", (400, 2 << 20), (8, 64 << 10), |case| crawl(case, true)),
    row("tct-tower", "TctLayer, the page itself as content", (38, 2 << 20), (12, 16 << 10), |case| {
        layer(case, Settings::new("https://a.example", plain).expect("it is an origin").with_pages(["/"]))
    }),
    row("tct-tower", "TctLayer with ExtractContent", (309, 4 << 20), (12, 16 << 10), |case| {
        let settings = Settings::new("https://a.example", ExtractContent).expect("it is an origin");
        layer(case, settings.with_pages(["/"]))
    }),
    row("tct-tower", "Settings", (10, 16 << 10), NONE, |case| {
        nothing(Settings::new(&case.text, plain).is_ok());
        let settings = Settings::new("https://a.example", plain).expect("it is an origin");
        nothing(settings.with_pages([case.text.as_str()]).with_slug(&case.text).is_ok())
    }),
];
