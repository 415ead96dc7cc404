//! A site that lets only crawlers in that say who they are: with a key and a home all of it is crawled, without nothing.

#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

use crate::support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crawler::Options;
use crawler::signing::{keygen, signer};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::Value;
use support::{options, run};

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_wants_signatures_is_crawled_with_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let bot_key = folder.path().join("bot.json");
    let public = keygen(&bot_key).unwrap();
    assert!(public.contains("\"kid\"") && !public.contains("\"d\""), "{public}");
    assert!(keygen(&bot_key).is_err(), "a key is not overwritten");

    let settings = Some(write(folder.path(), "home.toml", "[bot]\nname = \"QuayBot\"\n"));
    let host = "bot.example".to_owned();
    let home = site::Options { settings, bot_key: Some(bot_key.clone()), host, ..site::Options::default() };
    let home = site::start(home).await.unwrap();
    let trust = Some(write(folder.path(), "home.pem", home.certificate_pem().unwrap()));
    let agent = home.url().as_str().trim_end_matches('/');
    // Everything but robots.txt: whoever may not read that must take everything for closed.
    let rules = format!(
        "[signatures]\nrequire = [\"/llm-sitemap.json\", \"/kite.html\", \"/azulejo.html\"]\nagents = [\"{agent}\"]\n"
    );
    let settings = Some(write(folder.path(), "site.toml", &rules));
    let resolve = vec![("bot.example".to_owned(), home.address())];
    let host = "quay.example".to_owned();
    let guarded = site::Options { settings, trust, resolve, host, ..site::Options::default() };
    let guarded = site::start(guarded).await.unwrap();

    let pem = guarded.certificate_pem().unwrap().as_bytes().to_vec();
    let certificates = CertificateDer::pem_slice_iter(&pem).collect::<Result<_, _>>().unwrap();
    let known = BTreeMap::from([("quay.example".to_owned(), guarded.address())]);
    let unsigned = Options { resolve: known, ..options(certificates) };
    let signed = Options { signer: Some(signer(&bot_key, home.url()).unwrap()), ..unsigned.clone() };
    let starts = [guarded.url().clone()];
    let twins = |lines: &[Value]| lines.iter().filter(|line| line["kind"] == "twin").count();

    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let lines = run(&starts, folders[0].path(), unsigned).await;
    assert_eq!(twins(&lines), 0, "the sitemap is closed");
    let missing = lines.iter().find(|line| line["event"] == "sitemap").unwrap();
    assert_eq!(missing["state"], "missing", "{missing}");
    let lines = run(&starts, folders[1].path(), signed).await;
    assert!(twins(&lines) >= 40, "{lines:#?}");
    assert!(!lines.iter().any(|line| line["event"] == "failed"), "{lines:#?}");
}

#[test]
fn the_program_makes_a_key_and_prints_its_public_half() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.json");
    let out = Command::new(env!("CARGO_BIN_EXE_crawler")).arg("keygen").arg(&file).output().unwrap();
    assert!(out.status.success());
    let public: Value = serde_json::from_slice(&out.stdout).unwrap();
    let private: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!((public["x"].as_str(), public.get("d")), (private["x"].as_str(), None));
}

/// `--export | head` ends without a word.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_reads_the_end_of_an_export() {
    let site = support::twins::Twins::start().await;
    let long = "A sentence that is said again and again. ".repeat(20_000);
    site.publish(&[("/a/", &long), ("/b/", &long)]);
    let _lines = site.crawl().await;
    let command =
        format!("{} --store {} --export | head -c 10", env!("CARGO_BIN_EXE_crawler"), site.store().display());
    let out = Command::new("sh").arg("-c").arg(&command).output().unwrap();
    assert_eq!((out.stdout.len(), String::from_utf8(out.stderr).unwrap().as_str()), (10, ""));
}
