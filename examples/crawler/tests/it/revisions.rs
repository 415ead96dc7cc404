//! Draft -03 of TCT: a site that publishes it, one that moves to it, and one of both. And the second versions of llmindex
//! and AIWebIndex.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

use crate::support;

use covers::covers;
use std::collections::BTreeMap;
use std::path::Path;

use crawler::{DocumentVersion, Options};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::Value;
use site::Revisions;
use site::manifest::LlmindexVersion;
use support::twins::held;
use support::{options, run};

const HOST: &str = "quay.example";

struct Crawled {
    lines: Vec<Value>,
}

impl Crawled {
    fn count(&self, event: &str, kind: &str) -> u64 {
        self.lines.iter().filter(|line| line["event"] == event && line["kind"] == kind).count() as u64
    }

    fn pages(&self) -> u64 {
        self.lines
            .iter()
            .filter(|line| line["event"] == "sitemaps")
            .map(|line| line["pages"].as_u64().unwrap())
            .sum()
    }

    /// Requests for pages and twins, without the four pages of llmindex.
    fn page_requests(&self) -> u64 {
        let done = self.lines.iter().find(|line| line["event"] == "done").unwrap();
        let documents = self.count("stored", "document") + self.count("kept", "document");
        done["counts"]["page_requests"].as_u64().unwrap() - documents
    }
}

async fn start(port: u16, tct: Revisions) -> site::Running {
    let listen = ([127, 0, 0, 1], port).into();
    site::start(site::Options { host: HOST.to_owned(), listen, tct, ..site::Options::default() })
        .await
        .unwrap()
}

async fn crawl(site: &site::Running, folder: &Path, change: impl FnOnce(&mut Options)) -> Crawled {
    let pem = site.certificate_pem().unwrap().as_bytes().to_vec();
    let certificates = CertificateDer::pem_slice_iter(&pem).collect::<Result<_, _>>().unwrap();
    let resolve = BTreeMap::from([(HOST.to_owned(), site.address())]);
    let mut options = Options { resolve, ..options(certificates) };
    change(&mut options);
    let lines = run(&[site.url().clone()], folder, options).await;
    assert!(!lines.iter().any(|line| line["event"] == "failed"), "{lines:#?}");
    Crawled { lines }
}

/// How many of the held twins are of draft -03, and of the drafts before.
fn revisions(folder: &Path) -> (u64, u64) {
    let held = held(folder);
    let twins = held.values().filter(|entry| entry["kind"] == "twin");
    let is_v03 =
        |entry: &&Value| entry["json"]["profile"].as_str().is_some_and(|profile| profile.contains(':'));
    let (new, old): (Vec<_>, Vec<_>) = twins.partition(is_v03);
    (new.len() as u64, old.len() as u64)
}

/// Each twin is asked about once after the move, and what is held is replaced by its answer.
#[covers("TCT3-MIG-1", "TCT3-MIG-2")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_migrates_is_asked_once_for_each_page() {
    let folder = tempfile::tempdir().unwrap();
    let site = start(0, Revisions::Legacy).await;
    let port = site.address().port();
    let first = crawl(&site, folder.path(), |_| ()).await;
    let pages = first.pages();
    assert!(pages >= 40);
    assert_eq!(revisions(folder.path()), (0, pages));
    site.stop().await.unwrap();

    let site = start(port, Revisions::V03).await;
    let moved = crawl(&site, folder.path(), |_| ()).await;
    assert_eq!((moved.page_requests(), moved.count("stored", "twin")), (pages, pages));
    assert_eq!(revisions(folder.path()), (pages, 0));
    let after = crawl(&site, folder.path(), |_| ()).await;
    assert_eq!((after.page_requests(), after.count("stored", "twin")), (0, 0));
    site.stop().await.unwrap();
}

/// Of a site of both, each page is visited by its twin of draft -03 alone.
#[covers("TCT3-AMB-31")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_of_both_is_crawled_by_draft_03() {
    let folder = tempfile::tempdir().unwrap();
    let site = start(0, Revisions::Both).await;
    let first = crawl(&site, folder.path(), |_| ()).await;
    let (new, old) = revisions(folder.path());
    assert!(new >= 40 && old == 0, "{new} and {old}");
    // The start page is asked for once, to find the sitemaps.
    assert_eq!(first.page_requests(), new + 1);
    let second = crawl(&site, folder.path(), |_| ()).await;
    assert_eq!((second.page_requests(), second.count("stored", "twin")), (0, 0));
    site.stop().await.unwrap();
}

/// Manifests of llmindex 0.2 are called so, and pages become documents of AIWebIndex 2.0 where that is asked for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_versions_of_llmindex_and_aiwebindex() {
    let folder = tempfile::tempdir().unwrap();
    let llmindex = LlmindexVersion::V0_2;
    let settings = site::Options { host: HOST.to_owned(), llmindex, ..site::Options::default() };
    let site = site::start(settings).await.unwrap();
    let crawled = crawl(&site, folder.path(), |options| {
        options.verify = true;
        options.document_version = DocumentVersion::V2;
    })
    .await;
    let of = |event: &str| crawled.lines.iter().find(|line| line["event"] == event).unwrap();
    assert_eq!(
        (of("manifest")["valid"].as_bool(), of("manifest")["version"].as_str()),
        (Some(true), Some("0.2"))
    );
    assert_eq!(of("ownership")["protocol"], "llmindex 0.2");
    let held = held(folder.path());
    let documents: Vec<_> = held.values().filter(|entry| entry["kind"] == "document").collect();
    assert_eq!(documents.len(), 4);
    for document in documents {
        assert_eq!(document["json"]["schema"]["version"], "2.0", "{document}");
        aidocument::v2::Document::parse(document["json"].to_string().as_bytes()).unwrap();
    }
    site.stop().await.unwrap();
}
