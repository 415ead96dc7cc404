//! What a server does for every request takes no memory but the header map that it returns, and a crawl of any number of pages no
//! more than a few mebibytes.
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::borrow::Cow;
use std::fmt::Write as _;

use http::{HeaderMap, Method, Response, StatusCode, header};
use tct::crawl::Pages;
use tct::v03::BodyKind;
use tct::{
    CUrl, Crawl, CrawlNext, CrawlPolicy, Fingerprint, HeldPage, PageState, Representation, UnixSeconds,
    plan_response,
};
use url::Url;

const EXACT: &str = BodyKind::MSitemap.profile();

#[test]
fn a_304_allocates_its_header_map_and_nothing_else() {
    let page = CUrl::parse("https://example.com/post/").unwrap();
    let page = Representation::of_bytes(b"body")
        .with_canonical(&page)
        .with_last_modified(UnixSeconds(1_760_000_000), UnixSeconds(1_760_000_001));
    let mut request = HeaderMap::new();
    let tags = format!("\"other\", W/\"weak\", {}", page.etag().to_str().unwrap());
    request.insert(header::IF_NONE_MATCH, tags.parse().unwrap());
    request.insert(header::IF_MODIFIED_SINCE, "Tue, 21 Oct 2025 07:28:00 GMT".parse().unwrap());
    request.insert(header::ACCEPT_ENCODING, "gzip, br".parse().unwrap());
    // The map that a caller would have to build by hand, with room for the four fields of a 304.
    let map = allocation_counter::measure(|| drop(HeaderMap::<header::HeaderValue>::with_capacity(4)));
    let planned = allocation_counter::measure(|| {
        let plan = plan_response(&Method::GET, &request, &page);
        assert_eq!(plan.status, StatusCode::NOT_MODIFIED);
    });
    assert_eq!((planned.count_total, planned.bytes_total), (map.count_total, map.bytes_total));
    assert_eq!(planned.count_current, 0);
}

/// A cache in which every twin is held, with the same text.
struct AllHeld {
    state: PageState,
    count: u64,
}

impl Pages for AllHeld {
    fn page(&self, key: &str) -> Option<Cow<'_, PageState>> {
        let mut state = self.state.clone();
        key.trim_end_matches(['l', 'm', '/']).clone_into(&mut state.c_url);
        state.c_url.push('/');
        Some(Cow::Owned(state))
    }

    fn after(&self, _key: &str) -> Option<(Cow<'_, str>, Cow<'_, PageState>)> {
        None
    }

    fn count(&self) -> u64 {
        self.count
    }
}

/// Reads two sitemaps of so many pages, one of draft -03 and one of the drafts before, in pieces. Returns the pages that were
/// skipped.
fn crawl(pages: &AllHeld) -> u64 {
    let now = UnixSeconds(1_760_000_000);
    let start = CUrl::parse("https://example.com/").unwrap();
    let sitemaps =
        ["https://example.com/m.json", "https://example.com/llm.json"].map(|url| Url::parse(url).unwrap());
    let [exact, legacy] = sitemaps.clone();
    let mut crawl = Crawl::new(&start, CrawlPolicy::default()).with_sitemap(exact).with_sitemap(legacy);
    let hash = pages.state.held.as_ref().unwrap().hash.to_string();
    let mut piece = String::with_capacity(1 << 16);
    loop {
        let wanted = match crawl.next(pages, now) {
            CrawlNext::Send(wanted) => wanted,
            CrawlNext::Done => return crawl.counters().skipped,
            _ => continue,
        };
        let is_exact = wanted.url == sitemaps[0];
        assert!(crawl.on_head(wanted.id, &wanted.url, &Response::new(()), now).unwrap());
        let (head, tail) = match is_exact {
            true => ("{".to_owned(), format!(r#","profile":"{EXACT}","version":2}}"#)),
            false => (r#"{"version":1,"profile":"tct-1","#.to_owned(), "}".to_owned()),
        };
        let (twin, name) = if is_exact { ("m", "etag") } else { ("llm", "contentHash") };
        piece.clear();
        write!(piece, "{head}\"items\":[").unwrap();
        for index in 0..pages.count {
            let comma = if index == 0 { "" } else { "," };
            let page = format_args!("https://example.com/{index}/");
            write!(piece, r#"{comma}{{"cUrl":"{page}","mUrl":"{page}{twin}/","{name}":"{hash}"}}"#).unwrap();
            if piece.len() > 60_000 {
                crawl.on_chunk(wanted.id, piece.as_bytes(), pages, now).unwrap();
                piece.clear();
            }
        }
        write!(piece, "]{tail}").unwrap();
        crawl.on_chunk(wanted.id, piece.as_bytes(), pages, now).unwrap();
        crawl.on_chunks_end(wanted.id, now).unwrap();
    }
}

/// Beside the caller's own store, that is: more pages than are told apart take no more memory. Room for each page of both
/// sitemaps would be twice that.
#[test]
fn a_crawl_of_any_number_of_pages_takes_a_few_mebibytes() {
    let mut state = PageState::default();
    state.held = Some(HeldPage::new(Fingerprint::hash(b"text"), UnixSeconds(1_760_000_000)));
    let pages = AllHeld { state, count: 200_000 };
    let taken = allocation_counter::measure(|| assert_eq!(crawl(&pages), 400_000));
    assert!(taken.bytes_max < 4_000_000, "{}", taken.bytes_max);
    assert_eq!(taken.bytes_current, 0);
}
