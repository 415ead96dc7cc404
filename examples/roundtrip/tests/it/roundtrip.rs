//! Publisher and agent in one process, over the real sockets: every count of the three crawls. The sitemap is asked
//! for conditionally and every coding is taken.

#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use std::num::NonZeroUsize;

use clap::Parser;
use covers::covers;
use http::{HeaderMap, Method, StatusCode, Version};
use roundtrip::agent::Client;
use roundtrip::cache::Cache;
use roundtrip::progress::Progress;
use roundtrip::report::Report;
use roundtrip::{Cli, Published};
use site::files::{Site, SiteFile};
use site::publisher::Coding;

const QUIET: Progress = Progress::QUIET;

fn cli() -> Cli {
    Cli::parse_from(["roundtrip"])
}

async fn three_crawls(cli: &Cli, site: Site) -> (Report, usize) {
    let folder = tempfile::tempdir().unwrap();
    let published = Published::start(cli, site, &QUIET).await.unwrap();
    let report = published.crawl_three_times(cli, folder.path(), &QUIET).await.unwrap();
    published.server.stop().await.unwrap();
    (report, Cache::open(folder.path()).unwrap().len())
}

#[tokio::test]
#[covers("TCT-COND-11")]
async fn three_crawls_of_the_embedded_site_make_just_the_requests_they_must() {
    let site = Site::embedded().unwrap();
    let pages = site.pages.len() as u64;
    let (report, held) = three_crawls(&cli(), site).await;
    assert!(report.is_clean(), "{report}");
    assert!(report.passed_over.is_empty(), "{report}");
    let [first, second, third] = &report.crawls[..] else { panic!("{report}") };

    // The front page for its Link, the sitemap, the policy, and every page.
    assert_eq!((first.pages, first.requests, first.skipped), (pages, pages + 3, 0), "{report}");
    assert_eq!((first.ok, first.not_modified), (pages + 3, 0), "{report}");

    // The sitemap, which has not changed.
    assert_eq!((second.pages, second.requests, second.skipped), (pages, 1, pages), "{report}");
    assert_eq!((second.ok, second.not_modified), (0, 1), "{report}");
    assert!(second.received < 1000, "{report}");

    // The sitemap, the policy once more, and the pages with another text; not those with another template.
    let changed = report.changed_text.len() as u64;
    assert!(changed >= 4 && report.changed_template.len() >= 4, "{report}");
    assert_eq!((third.requests, third.skipped), (2 + changed, pages - changed), "{report}");
    assert_eq!((third.ok, third.not_modified), (1 + changed, 1), "{report}");
    assert_eq!(names(&third.fetched), names(&report.changed_text), "{report}");

    // One body a page.
    assert_eq!(held as u64, pages);
    assert_eq!(report.totals.requests, first.requests + second.requests + third.requests);
    assert!(report.totals.saved_gzip() > 0.0 && report.totals.saved_plain() > 0.0, "{report}");
    // A new template makes the HTML larger, and nobody fetched it.
    assert!(third.html.plain > first.html.plain, "{report}");
}

/// The last steps of paths, sorted; the front page as `index.html`.
fn names(paths: &[String]) -> Vec<&str> {
    let mut names: Vec<&str> = paths.iter().map(|path| path.rsplit('/').next().unwrap_or_default()).collect();
    for name in &mut names {
        if name.is_empty() {
            *name = "index.html";
        }
    }
    names.sort_unstable();
    names
}

/// The agent tells the drafts apart by what it gets.
#[tokio::test]
#[covers("TCT3-MIG-1")]
async fn draft_03_makes_the_same_requests_and_both_one_sitemap_more() {
    let pages = Site::embedded().unwrap().pages.len() as u64;
    for (draft, sitemaps) in [("03", 1), ("both", 2)] {
        let cli = Cli::parse_from(["roundtrip", "--tct", draft]);
        let (report, held) = three_crawls(&cli, Site::embedded().unwrap()).await;
        assert!(report.is_clean(), "{draft}: {report}");
        let [first, second, third] = &report.crawls[..] else { panic!("{report}") };
        // Of two twins that of draft -03 is taken.
        assert_eq!((first.requests, held as u64), (pages + 2 + sitemaps, pages), "{draft}: {report}");
        assert_eq!((second.requests, second.not_modified), (sitemaps, sitemaps), "{draft}: {report}");
        assert_eq!((third.fetched.len(), third.failed), (report.changed_text.len(), 0), "{draft}: {report}");
    }
}

#[tokio::test]
async fn a_split_sitemap_costs_one_conditional_request_a_part() {
    let mut cli = cli();
    cli.items_per_sitemap = NonZeroUsize::new(10).unwrap();
    let site = Site::embedded().unwrap();
    let parts = site.pages.len().div_ceil(10) as u64;
    let (report, held) = three_crawls(&cli, site).await;
    assert!(report.is_clean(), "{report}");
    let [first, second, third] = &report.crawls[..] else { panic!("{report}") };
    assert_eq!(first.requests, 2 + parts + first.pages, "{report}");
    assert_eq!(
        (second.requests, second.not_modified, second.skipped),
        (parts, parts, first.pages),
        "{report}"
    );
    assert_eq!(third.fetched.len(), report.changed_text.len(), "{report}");
    assert_eq!(held as u64, first.pages);
}

#[tokio::test]
#[covers("TCT-SM-11")]
async fn every_coding_brings_the_same_pages() {
    let mut received = Vec::new();
    for coding in [Coding::Identity, Coding::Gzip, Coding::Br] {
        let mut cli = cli();
        cli.coding = coding;
        let (report, _) = three_crawls(&cli, Site::embedded().unwrap()).await;
        assert!(report.is_clean(), "{report}");
        received.push(report.totals.received);
    }
    assert!(received[0] > received[1] && received[1] > received[2], "{received:?}");
}

#[tokio::test]
async fn the_cache_survives_a_restart_of_the_agent() {
    let (cli, folder) = (cli(), tempfile::tempdir().unwrap());
    let published = Published::start(&cli, Site::embedded().unwrap(), &QUIET).await.unwrap();
    let first =
        published.agent(&cli, folder.path()).unwrap().crawl(&|pages| QUIET.bar("", pages)).await.unwrap();
    assert_eq!(first.skipped, 0);

    // Another agent, the same folder.
    let mut agent = published.agent(&cli, folder.path()).unwrap();
    let again = agent.crawl(&|pages| QUIET.bar("", pages)).await.unwrap();
    assert_eq!((again.requests, again.not_modified, again.skipped), (1, 1, first.pages));

    // A body that was lost is fetched again, once the policy has been confirmed; and nothing else.
    drop(agent);
    let lost = published.publisher.snapshot().pages[3].m_url.clone();
    let mut cache = Cache::open(folder.path()).unwrap();
    cache.forget(lost.as_str());
    cache.save().unwrap();
    let mut agent = published.agent(&cli, folder.path()).unwrap();
    let again = agent.crawl(&|pages| QUIET.bar("", pages)).await.unwrap();
    assert_eq!((again.requests, again.ok, again.skipped), (3, 1, first.pages - 1));
    assert_eq!(
        agent.cache().body(lost.as_str()).unwrap(),
        published.publisher.snapshot().pages[3].payload.body()
    );
    published.server.stop().await.unwrap();
}

#[tokio::test]
async fn an_agent_that_reads_a_page_finds_its_twin_and_the_sitemap() {
    let mut site = Site { name: "a small site".to_owned(), ..Site::default() };
    let page = |name: &str, html: &str| SiteFile::in_memory(&[name], html.as_bytes().to_vec());
    site.pages = vec![
        page("a & b.html", "<html><head><title>x</title></head><p>text"),
        page("caf\u{e9} \"100%\".html", "<p>no head at all"),
        page("commented.html", "<!-- <head> --><title>x</title><body><p>text"),
    ];
    let published = Published::start(&cli(), site, &QUIET).await.unwrap();
    let client = Client::new(&published.certificate, Coding::Br).unwrap();
    for page in &published.publisher.snapshot().pages {
        let url = page.c_url.as_url();
        let answer = client.send(Method::GET, url, HeaderMap::new()).await.unwrap();
        assert_eq!((answer.status, answer.version), (StatusCode::OK, Version::HTTP_2));
        // In the page's own head, without the help of header fields; and in the header fields.
        let in_html = tct::discover(url, &HeaderMap::new(), &answer.body);
        assert_eq!(
            in_html.m_urls,
            [page.m_url.as_url().clone()],
            "{}",
            String::from_utf8_lossy(&answer.body)
        );
        let in_headers = tct::discovery::discover_in_headers(url, &answer.headers);
        assert_eq!(in_headers.m_urls, in_html.m_urls);
        assert_eq!(in_headers.sitemaps, [published.origin.join("/llm-sitemap.json").unwrap()]);
    }
    // There is no front page in the folder: the publisher makes a list, and the sitemap is found all the same.
    let answer = client.send(Method::GET, &published.origin, HeaderMap::new()).await.unwrap();
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(tct::discovery::discover_in_headers(&published.origin, &answer.headers).sitemaps.len(), 1);
    published.server.stop().await.unwrap();
}

#[tokio::test]
async fn a_policy_that_forbids_it_ends_the_crawl_before_a_page_is_fetched() {
    let mut site = Site::embedded().unwrap();
    site.settings.policy.as_mut().unwrap().ai_input = Some(false);
    let folder = tempfile::tempdir().unwrap();
    let published = Published::start(&cli(), site, &QUIET).await.unwrap();
    let mut agent = published.agent(&cli(), folder.path()).unwrap();
    let error = agent.crawl(&|pages| QUIET.bar("", pages)).await.unwrap_err();
    assert!(error.to_string().contains("does not allow"), "{error}");
    assert!(agent.cache().is_empty());
    published.server.stop().await.unwrap();
}

#[tokio::test]
async fn pages_that_cannot_be_read_are_reported_and_the_rest_is_crawled() {
    let page = |name: &str, html: &[u8]| SiteFile::in_memory(&[name], html.to_vec());
    let mut site = Site { name: "a small site".to_owned(), ..Site::default() };
    site.pages = vec![
        page("index.html", b"<title>Home</title><p>Welcome &amp; hello"),
        page("broken.html", b"<p>caf\xe9"),
        page("empty.html", b"<script>location = 'index.html'</script>"),
        page("with space & \u{e9}.html", "<p>ça va".as_bytes()),
        page("no-head.html", b"just some text"),
        page("odd \"quotes\" 100%.html", b"<p>x < y, said <b>he</b>"),
    ];
    let (report, _) = three_crawls(&cli(), site).await;
    assert_eq!(names_of(&report), ["broken.html", "empty.html"], "{report}");
    assert!(report.is_clean(), "{report}");
    assert_eq!((report.files, report.crawls[0].pages), (6, 4), "{report}");
    assert_eq!(report.crawls[2].fetched.len(), report.changed_text.len(), "{report}");
}

fn names_of(report: &Report) -> Vec<&str> {
    report.passed_over.iter().map(|item| item.what.as_str()).collect()
}
