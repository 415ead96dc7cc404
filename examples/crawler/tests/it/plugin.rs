//! The site as the reference plugin for WordPress serves it: every twin is stored, and the second crawl asks for none.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests say what they expect in the plainest way, and make files"
)]

use crate::support;

use covers::covers;
use std::collections::BTreeMap;

use crawler::Options;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::Value;
use support::twins::held;
use support::{options, run};
use test_sites::Variant;

const HOST: &str = "quay.example";

async fn start(variant: Variant) -> (site::Running, Options) {
    start_with(site::Options { host: HOST.to_owned(), ..site::Options::default() }, variant).await
}

async fn start_with(settings: site::Options, variant: Variant) -> (site::Running, Options) {
    let site = test_sites::start(settings, variant).await.unwrap();
    let pem = site.certificate_pem().unwrap().as_bytes().to_vec();
    let certificates = CertificateDer::pem_slice_iter(&pem).collect::<Result<_, _>>().unwrap();
    let resolve = BTreeMap::from([(HOST.to_owned(), site.address())]);
    (site, Options { resolve, ..options(certificates) })
}

fn of<'a>(lines: &'a [Value], event: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["event"] == event).collect()
}

#[covers("TCT-DEP-1", "TCT-DEP-3", "TCT-DEP-4", "TCT-DEP-5")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_twin_is_stored_and_the_second_crawl_asks_for_none() {
    let (site, options) = start(Variant::Plugin).await;
    let (folder, starts) = (tempfile::tempdir().unwrap(), [site.url().clone()]);
    let first = run(&starts, folder.path(), options.clone()).await;
    let pages = of(&first, "sitemaps")[0]["pages"].as_u64().unwrap();
    let twins = of(&first, "stored").iter().filter(|line| line["kind"] == "twin").count() as u64;
    assert!(pages >= 40 && twins == pages, "{twins} of {pages}: {first:#?}");
    assert!(of(&first, "failed").is_empty() && of(&first, "no-twins").is_empty(), "{first:#?}");
    // The policy is linked by the twins alone, and counts.
    assert_eq!(of(&first, "policy").len(), 1, "{first:#?}");
    let held = held(folder.path());
    let entry = held.values().find(|entry| entry["kind"] == "twin").unwrap();
    assert_eq!(entry["decisions"]["ai-train"]["verdict"], "deny", "{entry}");
    assert!(entry["title"].as_str().unwrap().ends_with(" &#038; more"), "{entry}");

    let second = run(&starts, folder.path(), options).await;
    let done = &of(&second, "done")[0]["counts"];
    assert_eq!(of(&second, "sitemaps")[0]["unchanged"], pages, "{second:#?}");
    assert!(of(&second, "stored").is_empty() && of(&second, "failed").is_empty(), "{second:#?}");
    assert!(done["page_requests"].as_u64() <= Some(1), "{done}");
    site.stop().await.unwrap();
}

/// Right after activation the sitemap has status 404 with a valid body: it is not used, and the pages are read as HTML.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plugin_that_was_activated_just_now_is_read_as_html() {
    let (site, options) = start(Variant::PluginActivated).await;
    let (folder, starts) = (tempfile::tempdir().unwrap(), [site.url().clone()]);
    let lines = run(&starts, folder.path(), options.clone()).await;
    assert_eq!(of(&lines, "no-twins").len(), 1, "{lines:#?}");
    // The twin of the start speaks for that page alone: the links of the page are followed.
    assert_eq!(held(folder.path())["/"]["kind"], "twin");
    let followed =
        lines.iter().filter(|line| line["why"] == "not-found" && line["event"] == "passed").count();
    assert!(followed >= 10, "{followed}: {lines:#?}");
    assert!(of(&lines, "failed").is_empty(), "{lines:#?}");
    // The pages have no validators and come again; none of them is told as new.
    let documents = |lines: &[Value], event: &str| {
        of(lines, event).iter().filter(|line| line["kind"] == "document").count()
    };
    let first = documents(&lines, "stored");
    for version in [crawler::DocumentVersion::V1, crawler::DocumentVersion::V2] {
        let options = Options { document_version: version, ..options.clone() };
        if version == crawler::DocumentVersion::V2 {
            run(&starts, folder.path(), options.clone()).await;
        }
        let again = run(&starts, folder.path(), options).await;
        assert_eq!((documents(&again, "stored"), documents(&again, "kept")), (0, first), "{again:#?}");
    }
    site.stop().await.unwrap();
}

/// The plugin lists the newest 200 pages. One that a newer one pushes out is not deleted: it is reported, asked about, and kept.
#[covers("TCT-ERR-5")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_leaves_the_newest_two_hundred_is_kept() {
    let pages = tempfile::tempdir().unwrap();
    for index in 0..203 {
        let html =
            format!("<title>Page {index}</title><main><p>The text of page {index}, of its own.</main>");
        std::fs::write(pages.path().join(format!("p{index:03}.html")), html).unwrap();
    }
    let home = "<html><head><title>Home</title></head><body><main><p>The newest pages of all.</main>";
    std::fs::write(pages.path().join("index.html"), home).unwrap();
    let folder = Some(pages.path().to_owned());
    let settings = site::Options { host: HOST.to_owned(), folder, ..site::Options::default() };
    let (site, options) = start_with(settings, Variant::Plugin).await;
    let at = |index: usize| tct::UnixSeconds(1_760_000_000 + index as u64);
    let dated = |newest: usize| {
        let snapshot = site.publisher().snapshot();
        let page = |(index, page): (usize, &std::sync::Arc<site::publisher::PublishedPage>)| {
            (index, page.file.clone(), if index == newest { at(1000) } else { at(index) })
        };
        let changed = snapshot.pages.iter().enumerate().map(page).collect();
        site.publisher().republish(changed, site::now()).unwrap();
    };
    // The homepage comes first in the snapshot, and is always listed.
    dated(203);
    let (store, starts) = (tempfile::tempdir().unwrap(), [site.url().clone()]);
    let first = run(&starts, store.path(), options.clone()).await;
    assert_eq!(of(&first, "sitemaps").first().map(|line| &line["pages"]), Some(&200.into()), "{first:#?}");
    let twins = |lines: &[Value]| of(lines, "stored").iter().filter(|line| line["kind"] == "twin").count();
    assert_eq!(twins(&first), 200);

    // The oldest page is published anew: it is the newest now, and page 4 is listed no more.
    dated(1);
    let second = run(&starts, store.path(), options).await;
    assert_eq!(of(&second, "sitemaps")[0]["pages"], 200, "{second:#?}");
    let unlisted: Vec<_> = of(&second, "unlisted").iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!(unlisted, [site.url().join("p004/").unwrap().as_str()]);
    // The new one, and the one that was asked about: the plugin answers no quoted tag with 304.
    assert_eq!((twins(&second), of(&second, "gone").len()), (2, 0), "{second:#?}");
    let held = held(store.path());
    assert_eq!((&held["/p004/"]["state"], &held["/p000/"]["state"]), (&"unlisted".into(), &"listed".into()));
    assert!(held["/p004/"]["json"]["content"].as_str().unwrap().contains("page 4"), "nothing is lost");
    site.stop().await.unwrap();
}
