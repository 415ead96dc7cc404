//! What a crawl must keep to, judged by the world.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use http::Request;
use http::header::IF_NONE_MATCH;
use tct::PolicyDescriptor;
use tct::crawl::{MemoryStore, PageState, Pages};
use tct::policy::RateHint;
use url::Url;

use crate::network::{Fault, Network, Reply};
use crate::rng::Rng;
use crate::site::{ORIGIN, PolicyPlace, PolicyText, Resource, SLOW_SECS, Site, url};

const DAY: u64 = 86_400;

/// Origins whose keys are right before and behind the site's.
const OTHERS: &[&str] = &[
    "https://a.example",
    "https://site.example-a.example",
    "https://site.example.example",
    "https://site.example:1",
];

/// An invariant that does not hold, with what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// A request leaves the origin, or what is stored of another site is touched.
    LeavesTheOrigin(String),
    /// A crawl takes more requests than a constant and four a listed page.
    TooManyRequests(usize),
    /// What is unchanged and checked within the trust window costs a request.
    Needless(String),
    /// A page that is sound, listed in a readable sitemap and reachable is not held with the hash of now.
    NotHeld(String),
    /// Something is held that was never confirmed, or under another hash than its body's.
    Unconfirmed(String),
    /// `If-None-Match` names a tag that no stored body of that URL has.
    ForeignTag(String),
    /// Something about a twin is sent after a denial.
    AfterDenial(String),
    /// Something is sent before the time that a server named, or too soon after another request by its policy, also by a crawl that
    /// goes on after a kill.
    TooSoon(String),
    /// What is gone is still held.
    NotGone(String),
    /// The crawl waits for nothing, or does not end.
    Stuck(String),
    /// A call that comes twice, or unasked, is taken for something.
    Misled(String),
    /// With several requests at a time, other things are stored than with one.
    Unlike(String),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// How a crawl ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It is done.
    Done,
    /// It was killed.
    Killed,
}

/// A site, the network before it, a clock, and what is known of one crawl.
#[derive(Debug)]
pub struct World {
    /// The publisher.
    pub site: Site,
    /// Chance.
    pub rng: Rng,
    /// The clock, in seconds since 1970.
    pub now: u64,
    network: Network,
    resources: BTreeMap<String, Resource>,
    /// Other sites whose pages are in the store.
    others: &'static [&'static str],
    story: Vec<String>,
    broken: Option<Broken>,
    // Of the present crawl:
    before: BTreeMap<String, PageState>,
    quiet: BTreeSet<String>,
    requests: usize,
    listed: usize,
    is_denied: bool,
    readable: BTreeSet<usize>,
    /// Those of them that were not read anew: a 304 does not say again which page a twin is of.
    confirmed: BTreeSet<usize>,
    /// Sitemaps that said that they did not change, and did, since they were read.
    lied: BTreeSet<usize>,
    /// The earliest that the clock showed in it.
    earliest: u64,
    /// Bodies that were served, by path.
    served: BTreeMap<String, BTreeSet<Vec<u8>>>,
    /// Sitemaps that were missing at some time.
    missed: BTreeSet<usize>,
    /// Until when the site asked for no requests: as it was heard, and as it was stored.
    paused: u64,
    closed_until: u64,
    /// Whether the last policy that the crawl was given wants requests seconds apart, and when the last one under it was sent.
    is_slow: bool,
    last_sent: u64,
    was_killed: bool,
}

impl World {
    /// The world of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut site = Site::new(&mut rng);
        // A chance of its own, so that older seeds keep their stories.
        let mut chance = Rng::new(!seed);
        let others = if Rng::new(seed.rotate_left(32)).percent(10) { OTHERS } else { &[] };
        if chance.percent(15) {
            site.policy_place = PolicyPlace::TwinsOf(chance.below(9));
            if chance.percent(50) {
                site.policy = PolicyText::Denies;
            }
        }
        World {
            resources: site.resources(),
            others,
            site,
            rng,
            now: 1_760_000_000,
            network: Network::default(),
            story: vec![format!("seed {seed}")],
            broken: None,
            before: BTreeMap::new(),
            quiet: BTreeSet::new(),
            requests: 0,
            listed: 0,
            is_denied: false,
            readable: BTreeSet::new(),
            confirmed: BTreeSet::new(),
            lied: BTreeSet::new(),
            earliest: 0,
            served: BTreeMap::new(),
            missed: BTreeSet::new(),
            paused: 0,
            closed_until: 0,
            is_slow: false,
            last_sent: 0,
            was_killed: false,
        }
    }

    /// What happened, a line for each thing.
    #[must_use]
    pub fn story(&self) -> String {
        self.story.join("\n")
    }

    /// Adds a line to the story.
    pub fn tell(&mut self, line: String) {
        self.story.push(line);
    }

    /// The first invariant that was broken.
    #[must_use]
    pub fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// Whether the last policy that the crawl was given denies its purpose, or all requests.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        self.is_denied
    }

    /// Notes that an invariant is broken.
    pub fn blame(&mut self, broken: Broken) {
        self.tell(format!("!!! {broken}"));
        self.broken.get_or_insert(broken);
    }

    /// The clock jumps in the middle of a crawl.
    pub fn jump(&mut self) {
        let by = 1 + self.rng.below(100_000) as u64;
        if self.rng.percent(50) {
            self.now += by;
        } else {
            // A confirmation that lies in the future proves nothing.
            self.now = self.now.saturating_sub(by);
            self.earliest = self.earliest.min(self.now);
            self.quiet.clear();
            (self.paused, self.closed_until, self.last_sent) = (0, 0, 0);
        }
        self.tell(format!("the clock jumps to {}", self.now));
    }

    /// Time passes, the publisher works, and other faults come.
    pub fn turn(&mut self, faults: usize) {
        self.site.edit(&mut self.rng);
        self.now += match self.rng.below(10) {
            0 => 9 * DAY,
            1 | 2 => DAY + 10,
            _ => 60 + self.rng.below(7200) as u64,
        };
        self.network = Network::new(&mut self.rng, &self.site, faults);
        self.resources = self.site.resources();
    }

    /// Answers come whole or not at all: what comes of half a sitemap depends on how its pieces are handed in.
    pub fn without_cuts(&mut self) {
        self.network.faults.retain(|_, (fault, _)| *fault != Fault::Cut);
    }

    /// All faults are gone, and more time has passed than anything is left alone for.
    pub fn heal(&mut self) {
        self.now += 8 * DAY;
        self.network = Network::default();
    }

    /// The store before the first crawl: of some worlds, one that another site's crawl was given too, before and behind the site's own
    /// keys.
    #[must_use]
    pub fn store(&self) -> MemoryStore {
        let mut store = MemoryStore::default();
        for key in self.others.iter().map(|origin| format!("{origin}/0/llm/")) {
            let mut state = PageState::default();
            (state.c_url, state.m_url) = (key.replace("llm/", ""), key.clone());
            store.insert(key, state);
        }
        store
    }

    /// A crawl begins with this store.
    pub fn begin(&mut self, store: &MemoryStore) {
        self.before = store.pages().clone();
        self.earliest = self.now;
        self.paused = self.closed_until;
        (self.requests, self.readable, self.confirmed) = (0, BTreeSet::new(), BTreeSet::new());
        let policy = store.site().policy_json;
        (self.is_denied, self.is_slow) = (denies(policy.as_bytes()), is_slow(policy.as_bytes()));
        let faults: Vec<String> = self
            .network
            .faults
            .iter()
            .map(|(path, (fault, times))| format!("{path} {fault:?} x{times}"))
            .collect();
        let pages: Vec<String> = self
            .site
            .pages
            .iter()
            .enumerate()
            .map(|(page, state)| {
                format!(
                    "{page}: text {} gone {} listed {:?} misnamed {}",
                    state.text, state.is_gone, state.listed, state.is_misnamed
                )
            })
            .collect();
        self.tell(format!(
            "--- crawl at {}, v03 {:?}, policy {:?} at {:?}, denied {}\n    pages {pages:?}\n    faults {faults:?}",
            self.now, self.site.sitemaps, self.site.policy, self.site.policy_place, self.is_denied
        ));
        for number in 0..self.site.sitemaps.len() {
            let fault = self.network.faults.get(&Site::sitemap(number)).map(|(fault, _)| *fault);
            if matches!(fault, Some(Fault::Status(404, _))) {
                self.missed.insert(number);
            }
        }
        self.quiet = self.quiet_twins(store);
        let now_listed: usize =
            self.site.pages.iter().map(|page| page.listed.iter().filter(|it| **it).count()).sum();
        self.listed = now_listed + self.before.len();
    }

    /// Twins that nothing is to be asked about.
    fn quiet_twins(&self, store: &MemoryStore) -> BTreeSet<String> {
        let mut quiet = BTreeSet::new();
        for page in 0..self.site.pages.len() {
            for (twin, sitemap) in self.site.listings(page) {
                let Some(state) = store.pages().get(url(&twin).as_str()) else { continue };
                let is_known = state.held.as_ref().is_some_and(|held| {
                    let age = self.now.checked_sub(held.validated_at.0);
                    state.listed.is_some_and(|listed| held.hash == listed)
                        && age.is_some_and(|age| age < 6 * DAY)
                        && held.history.disputed.is_none()
                });
                let body = store.body(url(&twin).as_str());
                let is_current = body == self.resources.get(&twin).map(|it| it.body.as_slice());
                let is_plain = state.unlisted_since.is_none()
                    && !self.missed.contains(&sitemap)
                    && state.c_url == url(&format!("/{page}/")).as_str();
                if is_known && is_current && is_plain {
                    quiet.insert(twin);
                }
            }
        }
        quiet
    }

    /// A request goes out.
    pub fn ask(&mut self, request: &Request<()>, store: &MemoryStore) -> Reply {
        let asked = request.uri().to_string();
        let tags = request.headers().get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
        self.requests += 1;
        let Ok(asked_url) = Url::parse(&asked) else {
            self.blame(Broken::LeavesTheOrigin(asked));
            return Reply::Nothing;
        };
        self.tell(format!("{} ask {} {}", self.now, asked_url.path(), tags.unwrap_or_default()));
        if asked_url.origin() != url("/").origin() {
            self.blame(Broken::LeavesTheOrigin(asked.clone()));
        }
        if self.now < self.closed_until {
            self.blame(Broken::TooSoon(format!("{asked}, before {}", self.closed_until)));
        }
        if self.is_slow {
            if self.now < self.last_sent + SLOW_SECS {
                self.blame(Broken::TooSoon(format!("{asked}, after one at {}", self.last_sent)));
            }
            self.last_sent = self.now;
        }
        let path = Network::path_of(asked_url.path()).to_owned();
        let is_twin = path.ends_with("m/");
        if self.is_denied && (is_twin || path.starts_with("/sitemap")) {
            self.blame(Broken::AfterDenial(asked.clone()));
        }
        if is_twin {
            if self.quiet.contains(&path) {
                self.blame(Broken::Needless(asked.clone()));
            }
            let held = store.page(&asked).and_then(|state| state.held.clone());
            let own = held.and_then(|held| held.etag).map(|tag| tag.as_str().to_owned());
            let has_body = store.body(&asked).is_some();
            if tags.is_some_and(|tags| !has_body || own.as_deref() != Some(tags)) {
                self.blame(Broken::ForeignTag(asked));
            }
        }
        let most = 30 + 14 * self.site.sitemaps.len() + 4 * self.listed;
        if self.requests > most {
            self.blame(Broken::TooManyRequests(self.requests));
        }
        let reply = self.network.answer(request, &self.resources);
        if let Reply::Answer { response, .. } = &reply
            && response.status() == 200
            && is_twin
        {
            self.served.entry(path).or_default().insert(response.body().clone());
        }
        reply
    }

    /// A reply was handed to the crawl, whole.
    pub fn delivered(&mut self, path: &str, from: &Url, status: u16, body: &[u8]) {
        let path = Network::path_of(path);
        self.tell(format!("{} got {path} {status}", self.now));
        let is_own = from.origin() == url("/").origin();
        if path == "/policy.json" && (!is_own || status != 304) {
            // Where it cannot be read, it states nothing; only a denial holds on.
            self.is_slow = is_own && status == 200 && is_slow(body);
        }
        if !is_own {
            return;
        }
        if path == "/policy.json" && status == 200 && PolicyDescriptor::parse(body).is_ok() {
            self.is_denied = denies(body);
        }
        let number = path.strip_prefix("/sitemap-").and_then(|rest| rest.strip_suffix(".json"));
        if let Some(number) = number.and_then(|number| number.parse::<usize>().ok()) {
            let is_whole = self.resources.get(path).is_some_and(|it| it.body == body);
            let is_lie = matches!(self.network.faults.get(path), Some((Fault::Unchanged, _)));
            if status == 304 && is_lie {
                self.lied.insert(number);
            } else if status == 200 && is_whole {
                self.lied.remove(&number);
            }
            if (status == 200 && is_whole) || (status == 304 && !is_lie) {
                self.readable.insert(number);
                if status == 304 {
                    self.confirmed.insert(number);
                }
            }
        }
    }

    /// The crawl was asked to send nothing for so long.
    pub fn pause(&mut self, secs: u64) {
        self.paused = self.paused.max(self.now + secs);
    }

    /// All that the crawl was told is stored.
    pub fn stored(&mut self) {
        self.closed_until = self.paused;
    }

    /// Whether the last crawl was killed.
    #[must_use]
    pub fn was_killed(&self) -> bool {
        self.was_killed
    }

    /// A crawl ends, and this is what is stored.
    pub fn end(&mut self, store: &MemoryStore, ending: Ending) {
        self.tell(format!(
            "{} {ending:?}, {} requests, site {}",
            self.now,
            self.requests,
            serde_json::to_string(&store.site()).unwrap_or_default()
        ));
        for (key, state) in store.pages() {
            self.tell(format!("    {key} {}", serde_json::to_string(state).unwrap_or_default()));
        }
        self.was_killed = ending == Ending::Killed;
        let other = self.before.iter().find(|(key, state)| {
            !key.starts_with(&format!("{ORIGIN}/")) && store.pages().get(*key) != Some(*state)
        });
        if let Some(key) = other.map(|(key, _)| key.clone()) {
            self.blame(Broken::LeavesTheOrigin(key));
        }
        self.check_bodies(store);
        if ending == Ending::Done && !self.is_denied {
            let missing = (0..self.site.pages.len())
                .find(|page| !self.is_held(*page, store) && self.must_be_held(*page));
            if let Some(page) = missing {
                self.blame(Broken::NotHeld(format!("page {page}")));
            }
        }
    }

    /// Each body was served at its URL, is of the page under which it is held, and is what counts as held.
    fn check_bodies(&mut self, store: &MemoryStore) {
        for (key, state) in store.pages() {
            let body = store.body(key);
            let is_right = match (&state.held, body) {
                (None, None) => true,
                (Some(held), Some(body)) => {
                    let path = Url::parse(key).map(|url| url.path().to_owned()).unwrap_or_default();
                    let was_served = self.served.get(&path).is_some_and(|served| served.contains(body));
                    let page = format!("\"{}\"", state.c_url);
                    was_served
                        && Some(held.hash.to_string()) == hash_of(body)
                        && body.windows(page.len()).any(|part| part == page.as_bytes())
                }
                _ => false,
            };
            if !is_right {
                self.blame(Broken::Unconfirmed(key.clone()));
                return;
            }
        }
    }

    fn is_held(&self, page: usize, store: &MemoryStore) -> bool {
        [false, true].into_iter().map(|is_v03| Site::twin(page, is_v03)).any(|twin| {
            let now = self.resources.get(&twin).map(|it| it.body.as_slice());
            now.is_some() && store.body(url(&twin).as_str()) == now
        })
    }

    /// Whether a twin of the page is listed in a sitemap that was read, can be had, and was not left alone for cause.
    fn must_be_held(&self, page: usize) -> bool {
        // Nobody can tell that a sitemap says that it did not change, and did: then its twins count as they were, for a week.
        let lies =
            |number| matches!(self.network.faults.get(&Site::sitemap(number)), Some((Fault::Unchanged, _)));
        if self.site.sitemaps.iter().enumerate().any(|(number, is_v03)| *is_v03 && lies(number)) {
            return false;
        }
        self.site.listings(page).any(|(twin, sitemap)| {
            let state = self.before.get(url(&twin).as_str());
            let is_free = state.is_none_or(|state| {
                let is_left = state.not_before.is_some_and(|at| at.0 > self.earliest);
                let is_disputed = state.held.as_ref().is_some_and(|held| held.history.disputed.is_some());
                let is_named = state.c_url == url(&format!("/{page}/")).as_str();
                let is_told = is_named && !self.lied.contains(&sitemap);
                !is_left && !is_disputed && (is_told || !self.confirmed.contains(&sitemap))
            });
            self.readable.contains(&sitemap) && self.network.is_reachable(&twin) && is_free
        })
    }

    /// After the last crawls without faults: everything is as the publisher has it.
    pub fn check_peace(&mut self, store: &MemoryStore) {
        let is_against = matches!(self.site.policy, PolicyText::Denies | PolicyText::Closes);
        if is_against && self.site.policy_place != PolicyPlace::Nowhere {
            return;
        }
        for page in 0..self.site.pages.len() {
            let is_listed = self.site.listings(page).next().is_some();
            if is_listed && !self.is_held(page, store) {
                self.blame(Broken::NotHeld(format!("page {page}, in peace")));
            }
            let is_gone = self.site.pages.get(page).is_some_and(|page| page.is_gone);
            let twins = [Site::twin(page, false), Site::twin(page, true)];
            if is_gone && twins.iter().any(|twin| store.body(url(twin).as_str()).is_some()) {
                self.blame(Broken::NotGone(format!("page {page}")));
            }
        }
    }
}

/// The hash under which a body is held: its own word, or that of its bytes.
fn hash_of(body: &[u8]) -> Option<String> {
    let json: serde_json::Value = serde_json::from_slice(body).ok()?;
    match json.get("hash") {
        Some(hash) => hash.as_str().map(str::to_owned),
        None => Some(tct::v03::BodyTag::of_bytes(body).fingerprint().to_string()),
    }
}

fn denies(policy: &[u8]) -> bool {
    let none = |hint| matches!(hint, RateHint::AtMost(rate) if rate == 0.0);
    PolicyDescriptor::parse(policy).is_ok_and(|(policy, _)| {
        let is_denied = policy.permission(tct::Purpose::AiInput) == tct::Permission::Denied;
        is_denied || none(policy.per_second) || none(policy.per_day)
    })
}

fn is_slow(policy: &[u8]) -> bool {
    PolicyDescriptor::parse(policy)
        .is_ok_and(|(policy, _)| policy.per_second == RateHint::AtMost(1.0 / SLOW_SECS as f64))
}

/// The start of every crawl.
#[must_use]
pub fn start() -> tct::CUrl {
    tct::CUrl::parse(&format!("{ORIGIN}/")).expect("a constant")
}
