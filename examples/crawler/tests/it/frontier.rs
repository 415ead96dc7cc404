//! What is to do, played from seeds: runs of three sites whose hosts and pages ask for pauses, killed now and then. The judge
//! beside it keeps no numbers of crawls: it knows what was visited since a site's start, and when each page may be.
//! `CRAWLER_LIVES=1000 cargo test -p crawler --test it frontier` plays more of them.

#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "tests say what they expect in the plainest way"
)]

use std::collections::{BTreeMap, BTreeSet};

use crawler::progress::Progress;
use crawler::store::Store;
use crawler::task::{PageWork, Task, Work};
use crawler::writer::{Changes, Writer};
use redb::backends::InMemoryBackend;
use url::Url;

const SITES: [&str; 3] = ["https://a.example", "https://b.example", "https://c.example"];
const MAX_WAIT: u64 = 300;
const DAY: u64 = 86_400;

struct Life {
    store: Store,
    writer: Writer,
    random: u64,
    now: u64,
    /// Pages that were visited since the site's start was.
    visited: BTreeMap<&'static str, BTreeSet<String>>,
    /// When a page may be visited that asked for a later time.
    not_before: BTreeMap<String, u64>,
}

impl Life {
    fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 33) % bound
    }

    fn page(site: &str, number: u64) -> PageWork {
        PageWork::new(Url::parse(&format!("{site}/{number}")).unwrap(), number.min(1) as u32)
    }

    /// What is left of the site that is a page and may be visited now, or soon.
    fn has_page(&self, site: &str) -> bool {
        // With the first steps aside, the first task is the one that is due soonest.
        let (_, task) = match self.store.next_task(site, self.now).unwrap() {
            Some((_, Task { work: Work::Start(_), .. })) | None => return false,
            Some(found) => found,
        };
        task.not_before <= self.now + MAX_WAIT
    }

    /// A run, with faults or without. Returns whether it came to its end.
    async fn run(&mut self, seed: u64, is_wild: bool) -> bool {
        let crawl = self.store.crawl().unwrap();
        let is_new = crawl.has_ended || crawl.number == 0;
        let goes_on: Vec<bool> = SITES.iter().map(|site| self.has_page(site)).collect();
        if is_new {
            self.store.begin_crawl(false, self.now, MAX_WAIT).unwrap();
        }
        for site in SITES {
            let tasks = vec![Work::Start(Self::page(site, 0)).into()];
            self.writer.commit(Changes { site: site.to_owned(), tasks, ..Changes::default() }).await.unwrap();
        }
        for (site, goes_on) in SITES.into_iter().zip(goes_on) {
            let (mut has_started, mut is_paused) = (false, false);
            while let Some((key, task)) = self.store.next_task(site, self.now).unwrap() {
                if is_wild && self.percent(2) {
                    return false;
                }
                // Its host asks for a long pause.
                is_paused = is_wild && self.percent(5);
                if is_paused || task.not_before > self.now + MAX_WAIT {
                    break;
                }
                self.now = self.now.max(task.not_before);
                let url = task.work.once(site);
                let due = self.not_before.remove(&url).unwrap_or(0);
                assert!(due <= self.now, "seed {seed}: {url} was visited {} s early", due - self.now);
                let mut changes = Changes { site: site.to_owned(), done: Some(key), ..Changes::default() };
                if matches!(task.work, Work::Page(_)) && is_wild && self.percent(15) {
                    let not_before = self.now + self.below(3 * DAY);
                    self.not_before.insert(url, not_before);
                    changes.again = Some(Task { not_before, ..task });
                } else {
                    let visited = self.visited.entry(site).or_default();
                    if matches!(task.work, Work::Start(_)) {
                        has_started = true;
                        visited.clear();
                    }
                    assert!(visited.insert(url.clone()), "seed {seed}: {url} was visited twice");
                    changes.tasks =
                        (0..3).map(|_| Work::Page(Self::page(site, 1 + self.below(9))).into()).collect();
                }
                self.writer.commit(changes).await.unwrap();
            }
            let must_start = is_new && !goes_on && !is_paused;
            assert!(has_started || !must_start, "seed {seed}: {site} was not crawled anew");
            assert!(!(is_new && goes_on && has_started), "seed {seed}: {site} began anew before its pages");
        }
        let (left, tasks) = self.store.sites_with_tasks().unwrap();
        let counts = self.store.crawl().unwrap().counts;
        assert_eq!(counts.queued - counts.done, tasks, "seed {seed}: {left:?}");
        self.writer.update_crawl(|crawl| crawl.has_ended = true).await.unwrap();
        true
    }
}

#[tokio::test]
async fn every_site_is_crawled_anew_unless_it_goes_on_and_nothing_is_visited_twice_or_early() {
    let lives = std::env::var("CRAWLER_LIVES").map_or(6, |lives| lives.parse().unwrap());
    for seed in 0..lives {
        let store = Store::on(InMemoryBackend::new()).unwrap();
        let (writer, thread) =
            Writer::start(store.clone(), Box::new(std::io::sink()), Progress::hidden(), 50);
        let (visited, not_before) = (BTreeMap::new(), BTreeMap::new());
        let mut life = Life { store, writer, random: seed, now: 1_800_000_000, visited, not_before };
        for _ in 0..12 {
            life.run(seed, true).await;
            life.now += [1, 60, DAY / 2, DAY][life.below(4) as usize];
        }
        // In peace: what was interrupted, what was left, and one crawl of everything.
        for _ in 0..3 {
            life.now += 8 * DAY;
            assert!(life.run(seed, false).await);
            assert_eq!(life.store.sites_with_tasks().unwrap().1, 0, "seed {seed}");
        }
        drop(life);
        thread.join().unwrap();
    }
}
