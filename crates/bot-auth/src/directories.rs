//! The key directories of a server, shared by all its requests.
//!
//! ```text
//! ask(url, key, now) ──▶ Use(directory)
//!                        Fetch ──▶ [ caller fetches ] ──▶ on_response / on_failure / on_cancel
//!                        Wait      another request is fetching it
//!                        No(reason)
//! ```
//!
//! Whatever happens:
//!
//! - Nothing is fetched for an agent that is not listed, unless strangers are allowed.
//! - A URL is fetched by one request at a time; a fetch without an answer is handed out again after 30
//!   seconds.
//! - A listed agent's directory is fetched again after a minute at the earliest, whatever keys are named; where the fetch
//!   before it was given back or lost, after 5 seconds.
//! - For strangers, at most 60 fetches an hour go to one host, however many of its URLs are named. A fetch that is refused
//!   counts nowhere.
//! - Strangers never displace or delay a listed agent; their directories are limited in number and bytes, and the
//!   least recently used are dropped first.
//! - Directories expire ([`KeyCache`]): withdrawn keys are not used for ever.
//! - A clock that ran ahead locks nobody out, and keeps no key longer, once it is right.

use std::collections::BTreeMap;
use std::sync::Arc;

use jwk::Thumbprint;
use web_values::UnixSeconds;

use crate::AgentId;
use crate::agent::Profile;
use crate::cache::{CacheAction, HOUR, Held, KeyCache, MINUTE};
use crate::directory::{Directory, DirectoryError, Fetched};
use crate::reason::Reason;
use crate::target::Target;

/// A fetch that took longer is lost, in seconds.
const FETCH_SECS: u64 = 30;
/// No URL is fetched again within this time, in seconds, also where the fetch was given back.
const PAUSE_SECS: u64 = 5;
/// Fetches for strangers from one host in an hour.
const FETCHES_OF_HOST: u32 = 60;
/// Hosts whose fetches are counted; above this number, no new host is fetched from for a stranger.
const MAX_HOSTS: usize = 10_000;

/// Limits on what agents that are not listed may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Strangers {
    /// How many of their directories are held; 1,000.
    pub max_directories: usize,
    /// How many bytes these have together, as they were fetched; 4 MiB. In memory they take a few times as much.
    pub max_bytes: usize,
    /// How many are fetched in a minute from all hosts together; 60. The sender of a request chooses the
    /// target of such a fetch.
    pub fetches_a_minute: u32,
}

impl Default for Strangers {
    fn default() -> Self {
        Strangers { max_directories: 1_000, max_bytes: 4 * 1024 * 1024, fetches_a_minute: 60 }
    }
}

/// The answer to [`Directories::ask`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum DirectoryAnswer {
    /// Verify with this directory.
    Use(Arc<Directory>),
    /// Fetch it, with GET and without following redirects, and hand the response in. No other request is told to fetch
    /// it until you do, or until half a minute has passed.
    Fetch,
    /// Another request is fetching it: ask again when that has finished, or refuse with
    /// [`Reason::DirectoryLater`].
    Wait,
    /// There is none, for this reason.
    No(Reason),
}

/// The key directories of listed agents and, where they are allowed, of strangers.
///
/// ```
/// use bot_auth::{Directories, DirectoryAnswer, Reason};
/// use web_values::UnixSeconds;
///
/// let mut held = Directories::of_agents(["https://bot.example".parse()?]);
/// let (url, now) = ("https://bot.example/.well-known/http-message-signatures-directory", UnixSeconds(0));
/// assert_eq!(held.ask(url, None, now), DirectoryAnswer::Fetch);
/// assert_eq!(held.ask(url, None, now), DirectoryAnswer::Wait);
/// held.on_failure(url, now);
/// assert_eq!(held.ask(url, None, now), DirectoryAnswer::No(Reason::DirectoryLater));
/// let stranger = "https://other.example/.well-known/http-message-signatures-directory";
/// assert_eq!(held.ask(stranger, None, now), DirectoryAnswer::No(Reason::AgentUnknown));
/// # Ok::<(), bot_auth::AgentIdError>(())
/// ```
///
/// Spec: WBA-DISC-2, WBA-CACHE-1 to WBA-CACHE-4, WBA-SSRF-1.
#[derive(Debug, Clone)]
pub struct Directories {
    listed: BTreeMap<String, Entry>,
    others: BTreeMap<String, Entry>,
    strangers: Option<Strangers>,
    /// Fetches for strangers in this minute.
    of_strangers: Count,
    /// Fetches for strangers in an hour, by host.
    hosts: BTreeMap<String, Count>,
    profile: Profile,
    /// Counter of uses, for the least recently used.
    uses: u64,
}

#[derive(Debug, Clone, Default)]
struct Entry {
    times: KeyCache,
    directory: Option<Arc<Directory>>,
    bytes: usize,
    /// When a fetch was last handed out.
    begun_at: Option<UnixSeconds>,
    /// Whether it was neither answered nor given back.
    is_open: bool,
    /// Why the last fetch gave no directory.
    failed: bool,
    used: u64,
}

impl Entry {
    /// Returns true while a fetch is handed out. One of long ago is lost, and so is one that a clock far ahead handed out.
    fn is_in_flight(&self, now: UnixSeconds) -> bool {
        self.is_open && self.begun_within(FETCH_SECS, now)
    }

    fn begun_within(&self, secs: u64, now: UnixSeconds) -> bool {
        self.begun_at.is_some_and(|begun| now.0.abs_diff(begun.0) < secs)
    }
}

/// A number of events since a time.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    since: UnixSeconds,
    count: u32,
}

impl Count {
    /// Returns true unless there were `max` events within `secs`.
    fn is_left(&mut self, max: u32, secs: u64, now: UnixSeconds) -> bool {
        // A clock that jumped back begins anew.
        if now < self.since || now.seconds_since(self.since) >= secs {
            *self = Count { since: now, count: 0 };
        }
        self.count < max
    }
}

impl Default for Directories {
    /// No agent is listed, and nothing is ever fetched.
    fn default() -> Self {
        Directories::of_agents([])
    }
}

impl Directories {
    /// The directories of these agents, which are fetched when they are first needed. Others are refused with
    /// [`Reason::AgentUnknown`].
    #[must_use]
    pub fn of_agents(agents: impl IntoIterator<Item = AgentId>) -> Self {
        Directories {
            listed: agents.into_iter().map(|agent| (agent.into(), Entry::default())).collect(),
            others: BTreeMap::new(),
            strangers: None,
            of_strangers: Count::default(),
            hosts: BTreeMap::new(),
            profile: Profile::default(),
            uses: 0,
        }
    }

    /// Also fetches the directories of agents that are not listed: the senders of requests then decide what this server
    /// fetches, within these limits.
    #[must_use]
    pub fn with_strangers(self, strangers: Strangers) -> Self {
        Directories { strangers: Some(strangers), ..self }
    }

    /// Reads directories by this profile.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Directories { profile, ..self }
    }

    /// Returns true if the agent is listed.
    #[must_use]
    pub fn is_listed(&self, agent: &AgentId) -> bool {
        self.listed.contains_key(agent.url())
    }

    /// How many directories are held, and their bytes as they were fetched.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let entries = || self.listed.values().chain(self.others.values());
        let held = entries().filter(|entry| entry.directory.is_some()).count();
        (held, entries().map(|entry| entry.bytes).sum())
    }

    /// What to do for a signature by this key, whose directory is at `url`. `O(log n)`.
    pub fn ask(&mut self, url: &str, key: Option<Thumbprint>, now: UnixSeconds) -> DirectoryAnswer {
        self.uses += 1;
        if !self.listed.contains_key(url) && !self.others.contains_key(url) {
            if self.strangers.is_none() {
                return DirectoryAnswer::No(Reason::AgentUnknown);
            }
            if !self.may_fetch(url, now) {
                return DirectoryAnswer::No(Reason::DirectoryLater);
            }
            let entry = Entry { begun_at: Some(now), is_open: true, used: self.uses, ..Entry::default() };
            self.others.insert(url.to_owned(), entry);
            self.make_room(url);
            return DirectoryAnswer::Fetch;
        }
        let uses = self.uses;
        let Some(entry) = self.entry(url) else { return DirectoryAnswer::No(Reason::AgentUnknown) };
        entry.used = uses;
        // What has ended is forgotten.
        if entry.times.ask(true, now).0 == Held::None {
            (entry.directory, entry.bytes) = (None, 0);
        }
        let lacks = |directory: &Arc<Directory>| {
            let found = key.map(|key| directory.key(key, now));
            matches!(found, Some(Err(Reason::KeyUnknown | Reason::KeyNotCurrent)))
        };
        let held = entry.directory.clone();
        let is_known = held.as_ref().is_some_and(|directory| !lacks(directory));
        let (is_in_flight, is_early) = (entry.is_in_flight(now), entry.begun_within(PAUSE_SECS, now));
        let action = entry.times.ask(is_known, now).1;
        let failed = entry.failed;
        let otherwise = |held: Option<Arc<Directory>>| match held {
            Some(directory) => DirectoryAnswer::Use(directory),
            None if failed => DirectoryAnswer::No(Reason::DirectoryFailed),
            None => DirectoryAnswer::No(Reason::DirectoryLater),
        };
        match action {
            CacheAction::Use | CacheAction::Wait => otherwise(held),
            CacheAction::Fetch if is_in_flight && is_known => otherwise(held),
            CacheAction::Fetch if is_in_flight => DirectoryAnswer::Wait,
            CacheAction::Fetch if is_early => otherwise(held),
            CacheAction::Fetch if self.may_fetch(url, now) => {
                if let Some(entry) = self.entry(url) {
                    (entry.begun_at, entry.is_open) = (Some(now), true);
                }
                DirectoryAnswer::Fetch
            }
            CacheAction::Fetch => otherwise(held),
        }
    }

    /// Takes the response to a fetch that was handed out. A response that is not a directory evicts nothing; one for a URL
    /// that is not being fetched has no effect.
    ///
    /// # Errors
    /// Why it is not a directory, to be logged.
    pub fn on_response(
        &mut self,
        url: &str,
        response: &Fetched<'_>,
        now: UnixSeconds,
    ) -> Result<(), DirectoryError> {
        self.on_read(url, response, Directory::read(url, response, self.profile, now), now)
    }

    /// As [`on_response`](Directories::on_response), with what [`Directory::read`] made of the response: for servers that keep
    /// this behind a lock, since reading takes time and may verify signatures.
    ///
    /// # Errors
    /// That of `read`.
    pub fn on_read(
        &mut self,
        url: &str,
        response: &Fetched<'_>,
        read: Result<Directory, DirectoryError>,
        now: UnixSeconds,
    ) -> Result<(), DirectoryError> {
        let Some(entry) = self.entry(url) else { return Ok(()) };
        entry.is_open = false;
        match read {
            Ok(directory) => {
                entry.times.on_read(response.headers, now);
                (entry.directory, entry.bytes) = (Some(Arc::new(directory)), response.body.len());
                entry.failed = false;
                self.make_room(url);
                Ok(())
            }
            Err(error) => {
                // A status of success with something else in it is no statement that there is no directory.
                entry.failed = !response.is_later();
                entry.times.on_response(response.status, response.headers, now);
                Err(error)
            }
        }
    }

    /// Call this if a fetch that was handed out got no response.
    pub fn on_failure(&mut self, url: &str, now: UnixSeconds) {
        if let Some(entry) = self.entry(url) {
            (entry.is_open, entry.failed) = (false, false);
            entry.times.on_failure(now);
        }
    }

    /// Gives back a fetch that was not completed. It may be made again 5 seconds after it was handed out: whoever can have it
    /// given back, by a client that disconnects, could otherwise have this server connect to the agent's host without end.
    /// So that such clients delay nobody, keep the fetch for the next request that wants it, as `bot-auth-tower` does.
    pub fn on_cancel(&mut self, url: &str) {
        if let Some(entry) = self.entry(url) {
            entry.is_open = false;
        }
    }

    /// Returns true while a fetch is handed out.
    #[must_use]
    pub fn is_in_flight(&self, url: &str, now: UnixSeconds) -> bool {
        let entry = self.listed.get(url).or_else(|| self.others.get(url));
        entry.is_some_and(|entry| entry.is_in_flight(now))
    }

    fn entry(&mut self, url: &str) -> Option<&mut Entry> {
        match self.listed.get_mut(url) {
            Some(entry) => Some(entry),
            None => self.others.get_mut(url),
        }
    }

    /// Counts a fetch for a stranger, unless the quota of all strangers or of the host is used up.
    ///
    /// Listed agents have no quota: requests in their name, which anybody sends, would use it up. Their URLs are the
    /// operator's choice, and [`KeyCache`] says how often they are fetched.
    fn may_fetch(&mut self, url: &str, now: UnixSeconds) -> bool {
        if self.listed.contains_key(url) {
            return true;
        }
        let (Some(strangers), Ok(target)) = (self.strangers, Target::parse(url)) else { return false };
        // Before the host, so that there are never more hosts than fetches.
        if !self.of_strangers.is_left(strangers.fetches_a_minute, MINUTE, now) {
            return false;
        }
        let mut host = String::new();
        target.write_authority(&mut host);
        if self.hosts.len() >= MAX_HOSTS && !self.hosts.contains_key(&host) {
            self.hosts.retain(|_, count| now >= count.since && now.seconds_since(count.since) < HOUR);
            if self.hosts.len() >= MAX_HOSTS {
                return false;
            }
        }
        let of_host = self.hosts.entry(host).or_default();
        let is_left = of_host.is_left(FETCHES_OF_HOST, HOUR, now);
        if is_left {
            of_host.count += 1;
            self.of_strangers.count += 1;
        }
        is_left
    }

    /// Drops the least recently used directories of strangers, except this one, until the rest fit.
    fn make_room(&mut self, url: &str) {
        let Some(Strangers { max_directories, max_bytes, .. }) = self.strangers else { return };
        loop {
            let bytes: usize = self.others.values().map(|entry| entry.bytes).sum();
            if self.others.len() <= max_directories && bytes <= max_bytes {
                return;
            }
            let oldest = self.others.iter().filter(|(other, _)| **other != url).min_by_key(|(_, it)| it.used);
            let Some(oldest) = oldest.map(|(other, _)| other.clone()) else { return };
            self.others.remove(&oldest);
        }
    }
}
