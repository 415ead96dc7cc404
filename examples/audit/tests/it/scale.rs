//! Two hundred pages in one run, and the run after it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and makes files"
)]

use std::sync::{Arc, Mutex};

use audit::demo::{HOST, options_for};
use audit::fetch::{Observer, Progress};

/// A folder of 200 pages, each of a few sentences.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for page in 0..200 {
        let name = if page == 0 { "index".to_owned() } else { format!("page-{page}") };
        let text = format!(
            "Berth {page} lies behind crane {}, and ships of {page} metres find room there.",
            page * 7
        );
        let html = format!(
            "<!doctype html><html lang=en><head><title>Berth {page}</title></head><body><main><h1>Berth {page}</h1><p>{text}</p></main></body></html>"
        );
        std::fs::write(folder.path().join(format!("{name}.html")), html).unwrap();
    }
    folder
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_pages_take_a_bounded_number_of_requests_and_half_of_them_the_next_time() {
    let (pages, cache) = (folder(), tempfile::tempdir().unwrap());
    let options = site::Options {
        host: HOST.to_owned(),
        folder: Some(pages.path().to_owned()),
        ..site::Options::default()
    };
    let running = site::start(options).await.unwrap();
    let mut runs = Vec::new();
    for _ in 0..2 {
        let told = Arc::new(Mutex::new(Vec::<Progress>::new()));
        let mut options = options_for(&running, 200);
        options.client.stored = Some(cache.path().to_owned());
        let tell = Arc::clone(&told);
        options.client.observe = Some(Observer::new(move |progress| tell.lock().unwrap().push(progress)));
        let report = audit::audit(running.url(), options).await.unwrap();
        let told = told.lock().unwrap().clone();
        // One at a time, each told once, and never more than is known to come.
        assert!(told.windows(2).all(|two| two[1].answered == two[0].answered + 1), "one by one");
        assert!(told.iter().all(|progress| progress.answered <= progress.expected));
        let readiness = report.readiness.unwrap();
        assert_eq!(readiness.pages.len(), 200);
        assert!(readiness.requests <= 400 + 12 * 200, "{}", readiness.requests);
        runs.push((told.last().copied().unwrap(), report.findings, readiness.checks));
    }
    let [(first, findings, checks), (second, findings_again, checks_again)] = &runs[..] else {
        panic!("{} runs", runs.len())
    };
    eprintln!("first {first:?}, second {second:?}");
    assert_eq!(first.unchanged, 0);
    assert!(second.unchanged > 2 * 200, "pages and twins: {second:?}");
    assert_eq!((findings, checks), (findings_again, checks_again), "what did not change is judged the same");
    running.stop().await.unwrap();
}
