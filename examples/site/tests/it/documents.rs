//! What the site publishes beside its pages, each read back by the library that a client would use.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and makes files"
)]

use std::path::Path;

use http::{HeaderMap, Method};
use jwk::JwkSet;
use llmindex_types::{
    DeltaBase, DeltaReader, FeedOptions, FeedReader, Limits, Manifest, ManifestText, validate,
};
use robots::{Preference, Preferences, Robots, Signal};
use site::LlmindexVersion;
use site::files::Site;
use site::publisher::{Plan, Publisher, Snapshot};
use site::settings::Settings;
use tct::discovery::discover_in_headers;
use tct::sitemap::Sitemap;
use tct::{Permission, PolicyDescriptor, Purpose, SitemapReader};
use url::Url;
use verify::{BundledSuffixes, ManifestProof, ManifestVerifier, Origin};
use web_values::Timestamp;

const ORIGIN: &str = "https://quay.example/";

fn snapshot(origin: &str) -> std::sync::Arc<Snapshot> {
    let (site, origin) = (Site::embedded().unwrap(), Url::parse(origin).unwrap());
    let key = site::new_key("https://quay.example/.well-known/jwks.json").unwrap();
    let plan = Plan { key: Some(key), ..Plan::new(&site, origin) };
    Publisher::new(&site, plan, site::now(), &|| ()).unwrap().snapshot()
}

fn body(snapshot: &Snapshot, path: &str) -> Vec<u8> {
    let found = snapshot.documents.iter().find(|document| document.path == path);
    found.unwrap_or_else(|| panic!("there is no {path}")).resource.body().to_vec()
}

fn text(snapshot: &Snapshot, path: &str) -> String {
    String::from_utf8(body(snapshot, path)).unwrap()
}

#[test]
fn the_manifest_is_valid_signed_and_leads_to_pages_that_are_there() {
    let snapshot = snapshot(ORIGIN);
    let manifest = body(&snapshot, llmindex_types::MANIFEST_PATH);
    let report = validate(&manifest, &llmindex_types::Options::default()).unwrap();
    assert_eq!(report.findings(), []);

    let keys = JwkSet::parse(&body(&snapshot, site::manifest::KEYS_PATH)).unwrap();
    let verdict =
        ManifestVerifier::new(&keys, Origin::FetchedFrom("quay.example")).verify(&manifest).unwrap();
    assert!(verdict.is_valid(), "{:?}", verdict.reason);

    let reading = llmindex_types::read(&manifest, &llmindex_types::Options::default()).unwrap();
    let manifest = reading.manifest().unwrap();
    let feeds = manifest.feeds().unwrap();
    for (name, url) in manifest.endpoints().iter().chain(feeds.iter()) {
        assert!(!body(&snapshot, url.path()).is_empty(), "{name}: {}", url.as_str());
    }
    assert!(text(&snapshot, "/llms.txt").starts_with("# The Quay Notebook\n"));
    assert!(text(&snapshot, "/llm/faq").contains("### May I copy a page?"));
}

#[test]
fn the_feed_is_valid() {
    let snapshot = snapshot(ORIGIN);
    let feed = body(&snapshot, site::manifest::FEED_PATH);
    let mut reader = FeedReader::new([1; 16], FeedOptions::default());
    for line in feed.split(|&byte| byte == b'\n') {
        if let Some(line) = reader.line(line) {
            assert_eq!(line.findings(), []);
        }
    }
    assert_eq!((reader.summary().products(), reader.summary().bad_lines()), (5, 0));
}

#[test]
fn version_0_2_has_languages_access_and_a_delta_that_applies() {
    let mut site = Site::embedded().unwrap();
    let newer = r#"
        languages = ["en", "de"]
        localized = { de = { faq = "/de/faq" } }
        delta-since = 2026-02-01T00:00:00Z
        deleted = [["OLD-1", 2026-02-26T09:00:00Z]]
        access = { deny = ["BadBot"], rate-limit = "500/day", commercial-use = "allowed" }
    "#;
    site.settings.llmindex.as_mut().unwrap().version_0_2 = Some(toml::from_str(newer).unwrap());
    let key = site::new_key("https://quay.example/.well-known/jwks.json").unwrap();
    let llmindex = LlmindexVersion::V0_2;
    let plan = Plan { key: Some(key), llmindex, ..Plan::new(&site, Url::parse(ORIGIN).unwrap()) };
    let snapshot = Publisher::new(&site, plan, site::now(), &|| ()).unwrap().snapshot();
    let bytes = body(&snapshot, llmindex_types::MANIFEST_PATH);
    let manifest = Manifest::parse(&bytes, &llmindex_types::Options::default()).unwrap();
    assert_eq!(manifest.report().findings(), []);
    assert_eq!((manifest.version().as_str(), manifest.languages().len()), ("0.2", 2));
    assert!(!manifest.access_control().unwrap().is_allowed("badbot"));
    let keys = JwkSet::parse(&body(&snapshot, site::manifest::KEYS_PATH)).unwrap();
    let verdict = ManifestVerifier::new(&keys, Origin::FetchedFrom("quay.example")).verify(&bytes).unwrap();
    assert!(verdict.is_valid(), "{:?}", verdict.reason);

    // Whoever held the feed of the first of February comes to the same products.
    let base = DeltaBase::of_manifest(&manifest).unwrap();
    let delta = body(&snapshot, site::manifest::DELTA_PATH);
    let feed = body(&snapshot, site::manifest::FEED_PATH);
    let held = String::from_utf8(feed.clone()).unwrap().lines().filter(|line| line.contains("2026-01")).fold(
        String::from("{\"id\":\"OLD-1\",\"title\":\"t\",\"url\":\"https://quay.example/\",\"price\":1,\"currency\":\"EUR\",\"availability\":\"in_stock\",\"updated_at\":\"2026-01-01T00:00:00Z\"}\n"),
        |held, line| held + line + "\n",
    );
    let mut reader = DeltaReader::new([1; 16], &base, base.since(), FeedOptions::default()).unwrap();
    let mut chunk = delta.as_slice();
    while let Some(line) = reader.next_line(&mut chunk) {
        assert_eq!(line.findings(), []);
    }
    let mut lines = Vec::new();
    let mut held_lines = reader.finish().unwrap().apply();
    let mut chunk = held.as_bytes();
    while let Some(line) = held_lines.next_line(&mut chunk) {
        lines.push(line.to_owned());
    }
    let mut changed = held_lines.changes();
    let mut chunk = delta.as_slice();
    while let Some(line) = changed.next_line(&mut chunk) {
        lines.push(line.to_owned());
    }
    let summary = changed.finish().unwrap();
    assert_eq!((summary.kept, summary.added, summary.deleted), (3, 2, 1));
    let mut whole: Vec<_> = String::from_utf8(feed).unwrap().lines().map(str::to_owned).collect();
    whole.sort();
    lines.sort();
    assert_eq!(lines, whole);
}

#[test]
fn ownership_is_proven_where_there_is_a_domain() {
    let snapshot = snapshot(ORIGIN);
    let manifest = body(&snapshot, llmindex_types::MANIFEST_PATH);
    let manifest = ManifestText::parse(&manifest, &Limits::MANIFEST).unwrap();
    let proof = ManifestProof::of(&manifest, "quay.example", &BundledSuffixes).unwrap();
    assert_eq!(text(&snapshot, "/.well-known/llmindex-proof.txt"), proof.token().expose());
    assert!(text(&snapshot, "/.well-known/aiwebindex-verify.txt").starts_with("aiwi-verify="));

    // An address has no owner; the rest is published all the same.
    let loopback = self::snapshot("https://127.0.0.1:8443/");
    let left_out: Vec<_> = loopback.passed_over.iter().map(|item| item.what.as_str()).collect();
    assert_eq!(left_out, ["/.well-known/aiwebindex-verify.txt", "/.well-known/llmindex-proof.txt"]);
    assert_eq!(loopback.documents.len(), snapshot.documents.len() - 2);
}

#[test]
fn robots_and_policy_say_the_same() {
    let snapshot = snapshot(ORIGIN);
    let robots = body(&snapshot, "/robots.txt");
    let robots = Robots::parse(&robots);
    assert!(robots.decide("AIWebIndex", "/drafts/new.html").is_disallowed());
    assert!(robots.decide("AIWebIndex", "/llm/").is_allowed());
    assert_eq!(robots.check_lint().len(), 0);
    let stated = Preferences::of_robots(&robots, "AIWebIndex", "/");
    assert_eq!(stated.signal(Signal::AiInput), Some(Preference::Yes));
    assert_eq!(stated.signal(Signal::AiTrain), Some(Preference::No));

    let (policy, faults) = PolicyDescriptor::parse(&body(&snapshot, "/llm-policy.json")).unwrap();
    assert_eq!(faults, []);
    assert_eq!(policy.permission(Purpose::AiInput), Permission::Allowed);
    assert_eq!(policy.permission(Purpose::AiTrain), Permission::Denied);
    assert_eq!(policy.terms_of_service.unwrap().as_str(), "https://quay.example/about.html");
}

#[test]
fn the_sitemap_says_when_pages_changed_and_links_the_policy() {
    let snapshot = snapshot(ORIGIN);
    let sitemap = &snapshot.sitemaps[0];
    let mut listed = Sitemap::new();
    let report = listed.read(sitemap.body(), SitemapReader::any_origin()).unwrap();
    assert!(report.skipped.is_empty() && report.broken.is_none(), "{report:?}");
    assert_eq!(listed.pages().len(), snapshot.pages.len());
    for page in listed.pages() {
        assert!(page.modified.as_deref().is_some_and(|at| Timestamp::parse(at).is_ok()), "{page:?}");
    }
    let response = sitemap.respond(&Method::GET, &HeaderMap::new());
    let found = discover_in_headers(&Url::parse(ORIGIN).unwrap(), response.headers());
    assert_eq!(found.policies, [Url::parse("https://quay.example/llm-policy.json").unwrap()]);
}

#[test]
fn a_folder_of_markdown_is_a_site() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("index.md", "# Welcome\n\nTo a small site.\n");
    write("tea.md", "# Tea\n\nTwo *cups*, please.\n");
    write("cup.txt", "not a page\n");
    write("both.md", "# Both\n\nThe source.\n");
    write("both.html", "<title>Both</title><p>The page.");
    write("site.toml", "[policy]\nai-train = false\n");
    let site = Site::folder(folder.path()).unwrap();
    let names: Vec<_> = site.assets.iter().map(site::files::SiteFile::name).collect();
    assert_eq!(names, ["cup.txt"], "the settings are not for everybody");
    let doubles: Vec<_> =
        site.passed_over.iter().map(|item| (item.what.as_str(), item.why.as_str())).collect();
    assert_eq!(doubles, [("both.md", "both.html is there too")]);
    let plan = Plan::new(&site, Url::parse(ORIGIN).unwrap());
    let snapshot = Publisher::new(&site, plan, site::now(), &|| ()).unwrap().snapshot();
    let urls: Vec<_> = snapshot.pages.iter().map(|page| page.c_url.as_str()).collect();
    assert_eq!(urls, ["", "both.html", "tea.html"].map(|path| format!("{ORIGIN}{path}")));
    let twin = String::from_utf8(snapshot.pages[2].payload.body().to_vec()).unwrap();
    assert!(twin.contains(r#""content":"Tea\n\nTwo cups, please.""#), "{twin}");
    let paths: Vec<_> = snapshot.documents.iter().map(|document| document.path.as_str()).collect();
    assert_eq!(paths, ["/robots.txt", "/llm-policy.json", "/sitemap.xml", "/llms.txt"]);
}

#[test]
fn settings_that_break_a_rule_are_refused_by_name() {
    let site = Site::embedded().unwrap();
    for (from, to, expected) in [
        ("language = \"en\"", "language = \"en_US\"", "language"),
        ("price = \"9.50\"", "price = \"nine\"", "QN-2026-1"),
        ("id = \"QN-2026-2\"", "id = \"QN-2026-1\"", "QN-2026-1"),
        ("disallow = [\"/drafts/\"]", "disallow = [\"drafts\"]", "/robots.txt"),
        ("disallow = [\"/drafts/\"]", "disallow = [\"https://quay.example/drafts/\"]", "/robots.txt"),
        ("terms = \"/about.html\"", "terms = \"about.html\"", "[policy] terms"),
        ("url = \"/tide-tables.html\"", "url = \"tide-tables.html\"", "tide-tables.html"),
    ] {
        let text = include_str!("../../pages/site.toml");
        assert!(text.contains(from), "{from}");
        let settings = Settings::parse(&text.replacen(from, to, 1), Path::new("site.toml")).unwrap();
        let plan = Plan { settings, ..Plan::new(&site, Url::parse(ORIGIN).unwrap()) };
        let error = Publisher::new(&site, plan, site::now(), &|| ()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn the_settings_of_the_readme_are_good() {
    let readme = include_str!("../../README.md");
    let (_, toml) = readme.split_once("```toml\n").unwrap();
    let (toml, _) = toml.split_once("```").unwrap();
    let settings = Settings::parse(toml, Path::new("README.md")).unwrap();
    let site = Site::embedded().unwrap();
    let plan = Plan { settings, ..Plan::new(&site, Url::parse(ORIGIN).unwrap()) };
    let snapshot = Publisher::new(&site, plan, site::now(), &|| ()).unwrap().snapshot();
    assert!(text(&snapshot, "/robots.txt").contains("Content-Signal: ai-input=yes, ai-train=no"));
    assert!(text(&snapshot, site::manifest::FEED_PATH).contains("QN-2026-1"));
}
