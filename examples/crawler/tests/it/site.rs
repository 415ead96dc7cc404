//! The embedded site of `examples/site`, crawled twice: the second time no page is asked for.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

use crate::support;

use std::collections::BTreeMap;

use crawler::Options;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::Value;
use support::{options, run};
use verify::{BundledSuffixes, Domain, Protocol, Token};

const HOST: &str = "quay.example";

fn of<'a>(lines: &'a [Value], event: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["event"] == event).collect()
}

/// Trusts the site's certificate, and expects the token that its owner published.
fn options_for(site: &site::Running) -> Options {
    let pem = site.certificate_pem().unwrap().as_bytes().to_vec();
    let certificates = CertificateDer::pem_slice_iter(&pem).collect::<Result<_, _>>().unwrap();
    let proofs = site::files::Site::embedded().unwrap().settings.proofs;
    let domain = Domain::parse(Protocol::AiWebIndex, HOST, &BundledSuffixes).unwrap();
    Options {
        resolve: BTreeMap::from([(HOST.to_owned(), site.address())]),
        verify: true,
        tokens: vec![Token::expect(domain, &proofs.aiwebindex.unwrap()).unwrap()],
        ..options(certificates)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_crawl_asks_for_no_page() {
    let site =
        site::start(site::Options { host: HOST.to_owned(), ..site::Options::default() }).await.unwrap();
    let (folder, starts) = (tempfile::tempdir().unwrap(), [site.url().clone()]);

    let first = run(&starts, folder.path(), options_for(&site)).await;
    let (stored, sitemaps) = (of(&first, "stored"), of(&first, "sitemaps"));
    let pages = sitemaps[0]["pages"].as_u64().unwrap();
    assert!(pages >= 40, "{sitemaps:?}");
    let kind = |kind: &str| stored.iter().filter(|line| line["kind"] == kind).count();
    assert_eq!((kind("twin") as u64, kind("manifest"), kind("feed")), (pages, 1, 1), "{stored:#?}");
    assert_eq!(kind("document"), 4, "the four pages of llmindex, which are no pages of TCT");
    assert_eq!(of(&first, "manifest")[0]["valid"], true, "{first:#?}");
    assert!(of(&first, "feed")[0]["products"].as_u64() > Some(0));
    assert!(of(&first, "failed").is_empty() && of(&first, "postponed").is_empty(), "{first:#?}");
    let proven: Vec<_> =
        of(&first, "ownership").iter().map(|line| (&line["protocol"], &line["verified"])).collect();
    assert_eq!(
        format!("{proven:?}"),
        r#"[(String("llmindex 0.1"), Bool(true)), (String("AIWebIndex 1.0"), Bool(true))]"#
    );

    let second = run(&starts, folder.path(), options_for(&site)).await;
    let done = &of(&second, "done")[0];
    // Of the 44 pages none; the four of llmindex, for which TCT does not speak, are asked about, and answer 304.
    let kept: Vec<_> =
        of(&second, "kept").iter().map(|line| &line["kind"]).filter(|kind| *kind == "document").collect();
    assert_eq!((&done["counts"]["page_requests"], kept.len()), (&4.into(), 4), "{second:#?}");
    assert_eq!(of(&second, "sitemaps")[0]["unchanged"], pages);
    assert!(of(&second, "stored").is_empty(), "{second:#?}");

    // What changed is fetched, and nothing else.
    let edits = test_sites::edit(site.publisher(), site::now()).unwrap();
    let third = run(&starts, folder.path(), options_for(&site)).await;
    let twins = of(&third, "stored").iter().filter(|line| line["kind"] == "twin").count();
    assert_eq!(twins, edits.text.len(), "{third:#?}");
    site.stop().await.unwrap();
}

/// Over http on this machine, as anybody would try it first: the twins are read, and what is not used is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_on_loopback_is_crawled_like_https() {
    let site = site::start(site::Options { tls: false, ..site::Options::default() }).await.unwrap();
    assert_eq!(site.url().scheme(), "http");
    let (folder, starts) = (tempfile::tempdir().unwrap(), [site.url().clone()]);
    let first = run(&starts, folder.path(), options(Vec::new())).await;
    let twins = of(&first, "stored").iter().filter(|line| line["kind"] == "twin").count() as u64;
    assert_eq!(of(&first, "sitemaps")[0]["pages"], twins, "{first:#?}");
    assert!(twins >= 40 && of(&first, "failed").is_empty(), "{first:#?}");
    let unused: Vec<_> = of(&first, "passed").into_iter().filter(|line| line["why"] == "not-https").collect();
    assert_eq!(unused.len(), 1, "{first:#?}");
    let second = run(&starts, folder.path(), options(Vec::new())).await;
    assert_eq!(of(&second, "sitemaps")[0]["unchanged"], twins, "{second:#?}");
    assert_eq!(of(&second, "done")[0]["counts"]["page_requests"], 0, "{second:#?}");
    site.stop().await.unwrap();

    // Elsewhere it is not, and a line says why.
    let mut elsewhere = options(Vec::new());
    let start = [url::Url::parse("http://plain.example/").unwrap()];
    let site = site::start(site::Options { tls: false, ..site::Options::default() }).await.unwrap();
    elsewhere.resolve.insert("plain.example".to_owned(), site.address());
    let folder = tempfile::tempdir().unwrap();
    let lines = run(&start, folder.path(), elsewhere).await;
    assert!(of(&lines, "no-twins")[0]["why"].as_str().unwrap().contains("over https"), "{lines:#?}");
    assert!(!of(&lines, "stored").is_empty(), "its pages are read as HTML: {lines:#?}");
    site.stop().await.unwrap();
}
