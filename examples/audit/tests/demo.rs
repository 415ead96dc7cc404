//! The audit against sites of our own: nothing to say about the sound one, and everything that it can say somewhere.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what it expects in the plainest way")]

use std::collections::BTreeSet;

use audit::finding::{Check, Protocol};
use audit::report::Report;

fn codes(report: &Report) -> BTreeSet<&'static str> {
    report.findings.iter().map(|finding| finding.check.code()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_finding_has_its_site_and_the_sound_one_has_none() {
    let reports = audit::demo::run(50).await.unwrap();
    let [sound, unsigned, broken, soft, bare] = &reports[..] else { panic!("{reports:?}") };
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

    let found: BTreeSet<_> = [unsigned, broken, soft, bare].into_iter().flat_map(codes).collect();
    let all: BTreeSet<_> = Check::ALL.iter().map(|check| check.code()).collect();
    let missing: Vec<_> = all.difference(&found).collect();
    assert!(missing.is_empty(), "never found: {missing:?}\n{:#?}", broken.findings);
}
