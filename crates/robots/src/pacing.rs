//! When each host may be fetched from next.
//!
//! ```text
//! crawler                                  Pacer
//!   want("example.com")          ──►   waits in line
//!   next_ready(now)              ──►   Some("example.com"): fetch it; its cooldown starts
//!   on_response(host, 503, …)    ──►   paused; no later answer shortens that
//!   wake_at()                    ──►   when to call next_ready again
//! ```
//!
//! Between two fetches of a host lies the longest of: the cooldown (2 s), its `Crawl-delay` up to the cap, and the
//! pause that a 429 or 503 asked for (60 s where it named none). The cooldown counts from the end of a fetch. A host
//! is a name: scheme and port make no difference, and fetches of robots.txt and redirects to the host count too.
//!
//! There is no clock. Time only enters as `now`. It may stand still or run backwards: a pause that was set stays. It is
//! the span since a start that the caller chooses: 1970, or the start of the program on a monotonic clock. It has
//! fractions of a second, since a cooldown may be shorter than a second.
//!
//! Spec: AIWebIndex 1.0, "Rate limiting" and "Backoff"; AIWI-BOT-9, AIWI-BOT-10, AIWI-BOT-11, AIWI-BOT-12,
//! AIWI-AMB-34, AIWI-AMB-35, AIWI-AMB-36.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use core::fmt;
use core::time::Duration;

use web_values::RetryAfter;

use crate::delay::CrawlDelay;

/// The settings of a [`Pacer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacingOptions {
    cooldown: Duration,
    crawl_delay_cap: Duration,
    default_pause: Duration,
    max_hosts: usize,
}

impl Default for PacingOptions {
    /// 2 s between fetches, `Crawl-delay` up to one hour, 60 s of pause, and a million hosts.
    fn default() -> Self {
        PacingOptions {
            cooldown: Duration::from_secs(2),
            crawl_delay_cap: Duration::from_secs(3600),
            default_pause: Duration::from_secs(60),
            max_hosts: 1_000_000,
        }
    }
}

impl PacingOptions {
    /// Sets the least time between the end of a fetch and the next one; 2 s by default.
    #[must_use]
    pub const fn cooldown(self, cooldown: Duration) -> Self {
        PacingOptions { cooldown, ..self }
    }

    /// Sets how much of a `Crawl-delay` is obeyed; one hour by default. [`Pacer::set_crawl_delay`] reports a longer
    /// one, so that the caller can drop the host instead.
    #[must_use]
    pub const fn crawl_delay_cap(self, crawl_delay_cap: Duration) -> Self {
        PacingOptions { crawl_delay_cap, ..self }
    }

    /// Sets how many hosts are remembered; a million by default. See [`Pacer::want`].
    #[must_use]
    pub const fn max_hosts(self, max_hosts: usize) -> Self {
        PacingOptions { max_hosts, ..self }
    }
}

/// Schedules the fetches of many hosts.
///
/// Every call is `O(log n)` in the number of hosts. Memory: one entry a host, at most
/// [`PacingOptions::max_hosts`] of them; hosts that are not in line and may be fetched from again are forgotten
/// when room is needed or on [`Pacer::forget_idle`], those that have been idle longest first.
///
/// ```
/// use robots::{Pacer, RetryAfter};
/// use std::time::Duration;
///
/// let at = Duration::from_secs;
/// let mut pacer = Pacer::default();
/// pacer.want("example.com")?;
/// pacer.want("example.org")?;
/// assert_eq!(pacer.next_ready(at(100)).as_deref(), Some("example.com"));
/// pacer.on_response("example.com", 503, Some(RetryAfter::from_secs(30)), at(101))?;
/// pacer.want("example.com")?;
/// assert_eq!(pacer.next_ready(at(101)).as_deref(), Some("example.org"));
/// assert_eq!(pacer.next_ready(at(101)), None);
/// assert_eq!(pacer.wake_at(), Some(at(131)));
/// # Ok::<(), robots::PacerFull>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pacer {
    options: PacingOptions,
    hosts: BTreeMap<Arc<str>, Host>,
    /// Hosts in line, by the time at which they are ready.
    waiting: BTreeSet<(Duration, Arc<str>)>,
    /// All other hosts, by the time after which they can be forgotten.
    idle: BTreeSet<(Duration, Arc<str>)>,
    /// The latest `now` of any call.
    latest: Duration,
}

#[derive(Debug, Clone, Copy, Default)]
struct Host {
    ready_at: Duration,
    crawl_delay: Duration,
    /// The end of the last reported fetch.
    fetched_at: Option<Duration>,
    waited_for: bool,
}

/// What became of a `Crawl-delay`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum DelayOutcome {
    /// It is obeyed; a shorter one than the cooldown changes nothing.
    Obeyed,
    /// It is longer than the cap, and the cap is obeyed: the caller decides whether to visit the host at all.
    Capped {
        /// The delay that was asked for.
        asked: Duration,
    },
}

impl fmt::Display for DelayOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DelayOutcome::Obeyed => f.write_str("the crawl delay is obeyed"),
            DelayOutcome::Capped { asked } => write!(f, "the crawl delay of {asked:?} is cut to the cap"),
        }
    }
}

/// No room for another host: every remembered one is in line, cooling down or paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacerFull {
    max_hosts: usize,
}

impl fmt::Display for PacerFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected at most {} busy hosts, found one more", self.max_hosts)
    }
}

impl core::error::Error for PacerFull {}

impl Pacer {
    /// A pacer that knows no host yet.
    #[must_use]
    pub fn new(options: PacingOptions) -> Self {
        Pacer { options, ..Pacer::default() }
    }

    /// How many hosts are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hosts.len()
    }

    /// Whether no host is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// The earliest time, not before `now`, at which `host` may be fetched.
    ///
    /// Spec: AIWI-BOT-9.
    #[must_use]
    pub fn ready_at(&self, host: &str, now: Duration) -> Duration {
        self.hosts.get(&*host_key(host)).map_or(now, |host| host.ready_at.max(now))
    }

    /// Puts `host` in line, unless it is there already.
    ///
    /// A new host may replace the one that has been idle longest, if that one was ready at the latest `now` of
    /// any call.
    ///
    /// # Errors
    /// [`PacerFull`] if every remembered host is in line or not yet ready. The new host is not put in line; no
    /// pause is forgotten.
    pub fn want(&mut self, host: &str) -> Result<(), PacerFull> {
        let key = host_key(host);
        self.make_room(&key)?;
        self.change(&key, |host| host.waited_for = true);
        Ok(())
    }

    /// Takes the host that has been ready longest out of the line: the caller now fetches from it.
    ///
    /// That counts as a fetch at `now`; report its end with [`Pacer::on_fetch`] or [`Pacer::on_response`]. `None`
    /// where no host in line is ready: [`Pacer::wake_at`] says when one will be.
    pub fn next_ready(&mut self, now: Duration) -> Option<Arc<str>> {
        let (ready_at, host) = self.waiting.first()?.clone();
        if ready_at > now {
            return None;
        }
        self.change(&host, |host| host.waited_for = false);
        // A host in line is remembered, so that there is room for it.
        self.pause(&host, Duration::ZERO, now).ok()?;
        Some(host)
    }

    /// When the next host in line is ready; `None` where the line is empty. Ask again after each call that changes
    /// something.
    #[must_use]
    pub fn wake_at(&self) -> Option<Duration> {
        self.waiting.first().map(|(ready_at, _)| *ready_at)
    }

    /// A fetch from `host`, robots.txt and redirects to it included, began or ended at `now`.
    ///
    /// # Errors
    /// [`PacerFull`] if the host is new and there is no room for it: it is not remembered, and cannot be paced. This
    /// never happens if [`Pacer::want`] is called before the first fetch from a host.
    pub fn on_fetch(&mut self, host: &str, now: Duration) -> Result<(), PacerFull> {
        self.pause(host, Duration::ZERO, now)
    }

    /// The response to a fetch from `host` ended at `now`.
    ///
    /// `pause` is what its `Retry-After` fields ask for. It counts with 429 and 503 only, 60 s where it is absent, and
    /// neither a cap nor a later response shortens it.
    ///
    /// # Errors
    /// As [`Pacer::on_fetch`].
    ///
    /// Spec: AIWI-BOT-11, AIWI-BOT-12, AIWI-AMB-36, TCT-ERR-6.
    pub fn on_response(
        &mut self,
        host: &str,
        status: u16,
        pause: Option<RetryAfter>,
        now: Duration,
    ) -> Result<(), PacerFull> {
        let busy = matches!(status, 429 | 503);
        let asked = pause.map_or(self.options.default_pause, RetryAfter::as_duration);
        self.pause(host, if busy { asked } else { Duration::ZERO }, now)
    }

    fn pause(&mut self, host: &str, pause: Duration, now: Duration) -> Result<(), PacerFull> {
        let cooldown = self.options.cooldown;
        let key = host_key(host);
        self.latest = self.latest.max(now);
        self.make_room(&key)?;
        self.change(&key, |host| {
            host.fetched_at = host.fetched_at.max(Some(now));
            let wait = cooldown.max(host.crawl_delay).max(pause);
            host.ready_at = host.ready_at.max(now.saturating_add(wait));
        });
        Ok(())
    }

    /// Sets the `Crawl-delay` of `host`, as its robots.txt has it for this crawler. A longer one counts from the last
    /// fetch, which may have been that of robots.txt; a shorter one from the next fetch on.
    ///
    /// # Errors
    /// As [`Pacer::on_fetch`].
    ///
    /// Spec: AIWI-BOT-10, AIWI-AMB-35.
    pub fn set_crawl_delay(
        &mut self,
        host: &str,
        delay: Option<CrawlDelay>,
    ) -> Result<DelayOutcome, PacerFull> {
        let asked = delay.map_or(Duration::ZERO, CrawlDelay::as_duration);
        let cap = self.options.crawl_delay_cap;
        let key = host_key(host);
        self.make_room(&key)?;
        self.change(&key, |host| {
            host.crawl_delay = asked.min(cap);
            let due = host.fetched_at.map_or(host.ready_at, |at| at.saturating_add(host.crawl_delay));
            host.ready_at = host.ready_at.max(due);
        });
        Ok(if asked > cap { DelayOutcome::Capped { asked } } else { DelayOutcome::Obeyed })
    }

    /// Forgets all hosts that are not in line and were ready at or before `before`; returns how many.
    ///
    /// A forgotten host may be fetched at once and has lost its `Crawl-delay`: pass a time some minutes back, so that
    /// hosts in use keep theirs.
    pub fn forget_idle(&mut self, before: Duration) -> usize {
        let mut forgotten = 0;
        while self.idle.first().is_some_and(|(ready_at, _)| *ready_at <= before) {
            self.forget_first();
            forgotten += 1;
        }
        forgotten
    }

    fn forget_first(&mut self) {
        if let Some((_, host)) = self.idle.pop_first() {
            self.hosts.remove(&host);
        }
    }

    /// Forgets a host that is ready and idle, if `key` is new and the limit is reached.
    fn make_room(&mut self, key: &str) -> Result<(), PacerFull> {
        let max_hosts = self.options.max_hosts;
        if self.hosts.len() < max_hosts || self.hosts.contains_key(key) {
            return Ok(());
        }
        if self.idle.first().is_some_and(|(ready_at, _)| *ready_at <= self.latest) {
            self.forget_first();
        }
        if self.hosts.len() < max_hosts { Ok(()) } else { Err(PacerFull { max_hosts }) }
    }

    /// Changes a host, known or new, and its place in line.
    fn change(&mut self, key: &str, change: impl FnOnce(&mut Host)) {
        let (name, mut host) = match self.hosts.get_key_value(key) {
            Some((name, host)) => {
                let (name, host) = (Arc::clone(name), *host);
                let place = (host.ready_at, name);
                let line = if host.waited_for { &mut self.waiting } else { &mut self.idle };
                line.remove(&place);
                (place.1, host)
            }
            None => (Arc::from(key), Host::default()),
        };
        change(&mut host);
        let line = if host.waited_for { &mut self.waiting } else { &mut self.idle };
        line.insert((host.ready_at, Arc::clone(&name)));
        self.hosts.insert(name, host);
    }
}

/// The key for pacing: the host of a host name, an authority or a whole URL, in lower case without a final dot.
///
/// ```
/// for text in ["example.com", "EXAMPLE.com:8080", "https://example.com./a?b", "user@example.com"] {
///     assert_eq!(robots::host_key(text), "example.com");
/// }
/// assert_eq!(robots::host_key("http://[2001:DB8::1]:80/"), "[2001:db8::1]");
/// ```
///
/// Spec: AIWI-AMB-34.
#[must_use]
pub fn host_key(text: &str) -> Cow<'_, str> {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((name, port))
            if port.bytes().all(|b| b.is_ascii_digit()) && (name.ends_with(']') || !name.contains(':')) =>
        {
            name
        }
        _ => host,
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.bytes().any(|b| b.is_ascii_uppercase()) {
        Cow::Owned(host.to_ascii_lowercase())
    } else {
        Cow::Borrowed(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    fn secs(pacer: &Pacer, host: &str) -> u64 {
        pacer.ready_at(host, at(0)).as_secs()
    }

    #[test]
    fn one_host_whatever_the_scheme_and_the_port() {
        let mut pacer = Pacer::default();
        pacer.on_fetch("https://example.com/a", at(10)).unwrap();
        assert_eq!(secs(&pacer, "http://EXAMPLE.com:8080"), 12);
        assert_eq!(secs(&pacer, "example.org"), 0);
        assert_eq!(pacer.ready_at("example.com", at(50)), at(50));
    }

    #[test]
    fn the_longest_of_all_reasons_counts() {
        let mut pacer = Pacer::default();
        pacer.on_response("a", 200, Some(RetryAfter::from_secs(99)), at(0)).unwrap();
        assert_eq!(secs(&pacer, "a"), 2, "Retry-After counts with 429 and 503 only");
        pacer.on_response("a", 429, None, at(10)).unwrap();
        assert_eq!(secs(&pacer, "a"), 70);
        pacer.on_response("a", 503, Some(RetryAfter::from_secs(5)), at(20)).unwrap();
        assert_eq!(secs(&pacer, "a"), 70, "a second one never shortens the pause");
        pacer.on_response("a", 200, None, at(30)).unwrap();
        assert_eq!(secs(&pacer, "a"), 70, "nor does a good answer");
        pacer.on_response("b", 429, Some(RetryAfter::from_secs(0)), at(10)).unwrap();
        assert_eq!(secs(&pacer, "b"), 12, "zero leaves the cooldown");
        pacer.on_response("c", 429, Some(RetryAfter::from_secs(u64::MAX)), at(10)).unwrap();
        assert_eq!(pacer.ready_at("c", at(0)), Duration::MAX);
    }

    #[test]
    fn crawl_delay_lengthens_up_to_the_cap() {
        let mut pacer = Pacer::default();
        let delay = |secs| Some(CrawlDelay::from(Duration::from_secs(secs)));
        pacer.on_fetch("a", at(100)).unwrap();
        assert_eq!(pacer.set_crawl_delay("a", delay(10)), Ok(DelayOutcome::Obeyed));
        assert_eq!(secs(&pacer, "a"), 110, "from the fetch of robots.txt on");
        assert_eq!(pacer.set_crawl_delay("a", delay(1)), Ok(DelayOutcome::Obeyed));
        pacer.on_fetch("a", at(200)).unwrap();
        assert_eq!(secs(&pacer, "a"), 202, "shorter than the cooldown");
        let outcome = pacer.set_crawl_delay("a", delay(86_400));
        assert_eq!(outcome, Ok(DelayOutcome::Capped { asked: Duration::from_secs(86_400) }));
        assert_eq!(secs(&pacer, "a"), 3800);
    }

    #[test]
    fn a_clock_that_runs_backwards_shortens_nothing() {
        let mut pacer = Pacer::default();
        pacer.on_fetch("a", at(100)).unwrap();
        pacer.on_fetch("a", at(50)).unwrap();
        assert_eq!(secs(&pacer, "a"), 102);
    }

    #[test]
    fn memory_is_bounded_and_promises_are_kept() {
        let mut pacer = Pacer::new(PacingOptions::default().max_hosts(2));
        pacer.on_response("paused", 429, None, at(0)).unwrap();
        pacer.on_fetch("idle", at(0)).unwrap();
        assert!(pacer.want("new").is_err(), "both have a time to come");
        let full = PacerFull { max_hosts: 2 };
        assert_eq!(pacer.on_fetch("new", at(0)), Err(full));
        assert_eq!(pacer.on_response("new", 503, None, at(0)), Err(full));
        assert_eq!(pacer.set_crawl_delay("new", None), Err(full));
        assert_eq!((pacer.len(), pacer.ready_at("new", at(0))), (2, at(0)));
        pacer.on_fetch("idle", at(10)).unwrap();
        pacer.on_fetch("paused", at(20)).unwrap();
        pacer.want("new").unwrap();
        assert_eq!((pacer.len(), secs(&pacer, "paused"), secs(&pacer, "idle")), (2, 60, 0));
        assert_eq!(pacer.forget_idle(at(59)), 0);
        assert_eq!(pacer.forget_idle(at(60)), 1);
        assert_eq!(pacer.next_ready(at(60)).as_deref(), Some("new"));
        assert_eq!(pacer.forget_idle(at(62)), 1);
        assert!(pacer.is_empty());
    }
}
