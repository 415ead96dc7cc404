//! The audit against sites of our own: nothing to say about the sound one, and everything that it can say somewhere.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::collections::BTreeSet;

use audit::finding::{Check, Protocol, Severity};
use audit::report::Report;

fn codes(report: &Report) -> BTreeSet<&'static str> {
    report.findings.iter().map(|finding| finding.check.code()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_finding_has_its_site_and_the_sound_one_has_none() {
    let reports = audit::demo::run(50).await.unwrap();
    let [sound, unsigned, broken, plugin, activated, llmindex, soft, bare] = &reports[..] else {
        panic!("{reports:?}")
    };
    assert_eq!(codes(sound), BTreeSet::new(), "{:#?}", sound.findings);
    assert!(sound.offers.iter().all(|offer| offer.is_offered), "{:?}", sound.offers);
    let savings = sound.savings.unwrap();
    assert_eq!(savings.pages_measured, savings.pages_listed);
    assert!(savings.bars()[1].saved > 0.3 && savings.bars()[2].saved == 1.0, "{savings:?}");

    assert_eq!(codes(unsigned), BTreeSet::from(["manifest-unsigned"]), "{:#?}", unsigned.findings);
    assert!(codes(soft).contains("manifest-unreadable"), "{:#?}", soft.findings);
    let offered = |report: &Report, protocol| {
        report.offers.iter().any(|offer| offer.protocol == protocol && offer.is_offered)
    };
    assert!(!offered(bare, Protocol::Llmindex) && !offered(bare, Protocol::Tct), "{:?}", bare.offers);

    // A site without TCT is told so once.
    let tct = llmindex.findings.iter().filter(|finding| finding.protocol == Protocol::Tct);
    assert_eq!(tct.map(|finding| finding.check.code()).collect::<Vec<_>>(), ["tct-missing"]);
    assert!(offered(llmindex, Protocol::Llmindex), "{:?}", llmindex.offers);

    plugin_findings(plugin);
    assert!(codes(activated).contains("sitemap-status"), "{:#?}", activated.findings);
    // Nothing but the second changes there: it takes another one to see it.
    let unstable = activated.findings.iter().find(|found| found.check == Check::TwinUnstable);
    assert_eq!(unstable.map(|found| found.found.as_str()), Some("others: generated_at"), "{activated:#?}");
    assert_eq!(activated.savings.unwrap().pages_listed, savings.pages_listed);

    let found: BTreeSet<_> =
        [unsigned, broken, plugin, activated, llmindex, soft, bare].into_iter().flat_map(codes).collect();
    let all: BTreeSet<_> = Check::ALL.iter().map(|check| check.code()).collect();
    let missing: Vec<_> = all.difference(&found).collect();
    assert!(missing.is_empty(), "never found: {missing:?}\n{:#?}", broken.findings);
}

/// What matters most about the plugin is said, each with its own cause and once.
fn plugin_findings(report: &Report) {
    let of = |code: &str| {
        let found: Vec<_> = report.findings.iter().filter(|found| found.check.code() == code).collect();
        assert_eq!(found.len(), 1, "{code}: {found:#?}");
        found[0]
    };
    let secret = of("twin-says-more");
    assert_eq!((secret.severity, secret.count), (Severity::Error, 1));
    assert!(secret.places[0].contains("/ledger/llm/"), "{:?}", secret.places);
    let unstable = of("twin-unstable");
    assert_eq!(unstable.found, "others: generated_at, views");
    assert!(unstable.count >= 40, "{unstable:?}");
    let method = of("twin-method");
    assert_eq!(
        method.found,
        "author, categories, excerpt, featured_image and 10 more beside a hash of the text (method B)"
    );
    let references: BTreeSet<_> = report
        .findings
        .iter()
        .filter(|found| found.check == Check::TwinReferences)
        .map(|found| (found.expected.as_str(), found.found.as_str()))
        .collect();
    let expected = [
        ("a content in plain text", "a character reference (&#8217;)"),
        ("a title in plain text", "a character reference (&#038;)"),
    ];
    assert_eq!(references, BTreeSet::from(expected));
    assert!(of("twin-not-conditional").count >= 40, "a tag in quotes gets no 304");
    assert!(of("twin-of-list").places[0].contains("/llm/ (page "), "{:?}", of("twin-of-list"));
    assert!(of("sitemap-link-missing").found.contains("usual place"));
    let problems: Vec<_> = report.findings.iter().filter(|found| found.check == Check::TwinProblem).collect();
    let canonical =
        problems.iter().find(|found| found.found == "the same except for its final slash").unwrap();
    assert!(canonical.count >= 40, "{canonical:?}");
    for place in &canonical.places {
        let (_, pages) = place.split_once("(links ").unwrap();
        let (named, expected) = pages.trim_end_matches(')').split_once(", the page is ").unwrap();
        assert_eq!(format!("{named}/"), expected, "both are shown: {place}");
    }
    assert!(!codes(report).contains("twin-coding-differs") && !codes(report).contains("policy-missing"));
    assert!(!report.findings.iter().any(|found| found.requirement == "TCT-MA-2"), "the method is B");
}
