//! Preferring HTTPS, and stopping where access is controlled.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::sync::Arc;
use core::fmt;
use core::time::Duration;

use web_values::{HostKind, UnixSeconds};

use crate::pacing::host_key;

/// Hosts that are known to support HTTPS, and until when the evidence holds.
///
/// Evidence is a `Strict-Transport-Security` field that came over HTTPS, a redirect of the same host from http to
/// https, or an https URL in the site's own sitemap or `rel="canonical"`. Evidence about an IP address, or about text
/// that is not a host, is ignored, since RFC 6797 applies to names only.
///
/// Memory: one entry a host, a million at most by default. When the limit is reached, a new host replaces the one
/// whose evidence ends first. Every call is `O(log n)`.
///
/// ```
/// use robots::{HttpsHosts, UnixSeconds};
///
/// let now = UnixSeconds(1_000_000);
/// let mut hosts = HttpsHosts::default();
/// hosts.on_hsts("example.com", "max-age=3600; includeSubDomains", now);
/// assert_eq!(hosts.upgrade("http://www.example.com/a", now), "https://www.example.com/a");
/// assert_eq!(hosts.upgrade("http://example.org/a", now), "http://example.org/a");
/// ```
///
/// Spec: AIWebIndex 1.0, "Security considerations"; AIWI-SEC-1, AIWI-AMB-37; RFC 6797.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpsHosts {
    max_hosts: usize,
    hosts: BTreeMap<Arc<str>, Policy>,
    /// The same hosts, ordered by the end of their evidence.
    ends: BTreeSet<(UnixSeconds, Arc<str>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Policy {
    until: UnixSeconds,
    subdomains: bool,
}

impl Default for HttpsHosts {
    /// An empty set for at most a million hosts.
    fn default() -> Self {
        HttpsHosts::new(1_000_000)
    }
}

impl HttpsHosts {
    /// An empty set for at most `max_hosts` hosts.
    #[must_use]
    pub const fn new(max_hosts: usize) -> Self {
        HttpsHosts { max_hosts, hosts: BTreeMap::new(), ends: BTreeSet::new() }
    }

    /// How many hosts are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hosts.len()
    }

    /// Returns true if no host is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// Takes a `Strict-Transport-Security` value that came over HTTPS: `max-age=0` removes the evidence. A value
    /// without a readable `max-age`, or with two, is ignored.
    pub fn on_hsts(&mut self, host: &str, value: &str, now: UnixSeconds) {
        let Some((max_age, subdomains)) = read_hsts(value) else { return };
        let policy = (max_age > 0).then(|| Policy { until: now.saturating_add(max_age), subdomains });
        self.set(&host_key(host), policy);
    }

    /// Takes an https URL of the host that the site itself gave: by redirect, sitemap or canonical link. The evidence
    /// holds for `lasts`, and never shortens existing evidence.
    pub fn on_https_seen(&mut self, host: &str, lasts: Duration, now: UnixSeconds) {
        let (key, until) = (host_key(host), now.after(lasts));
        let held = self.hosts.get(&*key).copied();
        let policy = held.map_or(Policy { until, subdomains: false }, |held| Policy {
            until: held.until.max(until),
            ..held
        });
        self.set(&key, Some(policy));
    }

    /// Replaces what is known of a host.
    fn set(&mut self, key: &str, policy: Option<Policy>) {
        if let Some((name, held)) = self.hosts.remove_entry(key) {
            self.ends.remove(&(held.until, name));
        }
        let kind = HostKind::of(key);
        let Some(policy) = policy.filter(|_| !kind.is_address() && kind != HostKind::Invalid) else { return };
        if self.hosts.len() >= self.max_hosts {
            match self.ends.pop_first() {
                Some((_, first)) => _ = self.hosts.remove(&first),
                None => return,
            }
        }
        let name: Arc<str> = Arc::from(key);
        self.ends.insert((policy.until, Arc::clone(&name)));
        self.hosts.insert(name, policy);
    }

    /// The URL to fetch: https where `url` is http on the default port of a host with evidence, else `url` as it is.
    #[must_use]
    pub fn upgrade<'u>(&self, url: &'u str, now: UnixSeconds) -> Cow<'u, str> {
        let rest =
            url.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("http://")).and_then(|_| url.get(7..));
        let Some(rest) = rest else { return Cow::Borrowed(url) };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
        let after = rest.get(authority.len()..).unwrap_or("");
        let authority = authority.strip_suffix(":80").unwrap_or(authority);
        let ported = authority.rsplit_once(':').is_some_and(|(_, port)| !port.ends_with(']'));
        if ported || !self.knows(&host_key(authority), now) {
            return Cow::Borrowed(url);
        }
        Cow::Owned(format!("https://{authority}{after}"))
    }

    /// Forgets evidence that has run out.
    pub fn forget_expired(&mut self, now: UnixSeconds) {
        while self.ends.first().is_some_and(|(until, _)| *until <= now) {
            if let Some((_, host)) = self.ends.pop_first() {
                self.hosts.remove(&host);
            }
        }
    }

    fn knows(&self, host: &str, now: UnixSeconds) -> bool {
        let holds = |name: &str, own: bool| {
            self.hosts.get(name).is_some_and(|policy| policy.until > now && (own || policy.subdomains))
        };
        let parents = host.match_indices('.').filter_map(|(dot, _)| host.get(dot + 1..));
        holds(host, true) || parents.into_iter().any(|parent| holds(parent, false))
    }
}

/// `max-age` in seconds, and whether subdomains are included.
fn read_hsts(value: &str) -> Option<(u64, bool)> {
    let (mut max_age, mut subdomains) = (None, false);
    for directive in value.split(';') {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        let (name, value) = (name.trim_ascii(), value.trim_ascii());
        if name.eq_ignore_ascii_case("max-age") {
            let digits = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
            if max_age.is_some() || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            max_age = Some(digits.parse().unwrap_or(u64::MAX));
        }
        subdomains |= name.eq_ignore_ascii_case("includesubdomains");
    }
    Some((max_age?, subdomains))
}

/// A response that denies access. A crawler of the protocol stops here and tries nothing else.
///
/// ```
/// assert_eq!(robots::AccessBarrier::from_status(402), Some(robots::AccessBarrier::Payment));
/// assert_eq!(robots::AccessBarrier::from_status(404), None);
/// ```
///
/// Spec: AIWebIndex 1.0, "Security considerations"; AIWI-SEC-2, AIWI-UA-5, TCT-SEC-15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AccessBarrier {
    /// 401 and 407: a login.
    Login,
    /// 402: a paywall.
    Payment,
    /// 403 and 451: refused, perhaps to this crawler only. A crawler must not try another
    /// `User-Agent`.
    Refused,
}

impl fmt::Display for AccessBarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessBarrier::Login => "a login is required",
            AccessBarrier::Payment => "a payment is required",
            AccessBarrier::Refused => "access is refused",
        })
    }
}

impl AccessBarrier {
    /// The barrier that a status stands for, if any.
    #[must_use]
    pub const fn from_status(status: u16) -> Option<Self> {
        match status {
            401 | 407 => Some(AccessBarrier::Login),
            402 => Some(AccessBarrier::Payment),
            403 | 451 => Some(AccessBarrier::Refused),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixSeconds = UnixSeconds(1000);

    fn upgraded(hsts: &str, url: &str, now: u64) -> bool {
        let mut hosts = HttpsHosts::default();
        hosts.on_hsts("Example.com", hsts, NOW);
        hosts.upgrade(url, UnixSeconds(now)).starts_with("https:")
    }

    #[test]
    fn evidence_and_its_reach() {
        for (hsts, url, now, expected) in [
            ("max-age=10", "http://example.com/", 1000, true),
            ("max-age=10", "HTTP://EXAMPLE.COM:80/a", 1009, true),
            ("max-age=10", "http://example.com/", 1010, false),
            ("max-age=10", "http://example.com:8080/", 1000, false),
            ("max-age=10", "http://www.example.com/", 1000, false),
            ("Max-Age=\"10\" ; IncludeSubDomains", "http://a.b.example.com", 1000, true),
            ("max-age=10; includeSubDomains", "http://badexample.com/", 1000, false),
            ("max-age=0", "http://example.com/", 1000, false),
            ("includeSubDomains", "http://example.com/", 1000, false),
            ("max-age=1; max-age=2", "http://example.com/", 1000, false),
            ("max-age=ten", "http://example.com/", 1000, false),
            ("max-age=99999999999999999999", "http://example.com/", u64::MAX - 1, true),
            ("max-age=10", "ftp://example.com/", 1000, false),
        ] {
            assert_eq!(upgraded(hsts, url, now), expected, "{hsts} {url} {now}");
        }
    }

    #[test]
    fn evidence_is_taken_back_and_runs_out() {
        let mut hosts = HttpsHosts::default();
        hosts.on_https_seen("http://example.com/", Duration::from_secs(60), NOW);
        hosts.on_https_seen("example.com", Duration::from_secs(1), NOW);
        assert_eq!(hosts.upgrade("http://example.com:80?q", UnixSeconds(1059)), "https://example.com?q");
        hosts.on_hsts("example.com", "max-age=0", NOW);
        assert_eq!(hosts, HttpsHosts::default());
        hosts.on_https_seen("example.com", Duration::from_secs(60), NOW);
        hosts.forget_expired(UnixSeconds(1060));
        assert_eq!(hosts, HttpsHosts::default());
    }

    #[test]
    fn addresses_and_what_is_no_host_are_not_remembered() {
        let mut hosts = HttpsHosts::default();
        for host in ["192.0.2.1", "[2001:db8::1]", "8.8.8.8:443", "", "a..b", "a b", &"a".repeat(300)] {
            hosts.on_hsts(host, "max-age=60; includeSubDomains", NOW);
            hosts.on_https_seen(host, Duration::from_secs(60), NOW);
            assert!(hosts.is_empty(), "{host}");
        }
        assert_eq!(hosts.upgrade("http://8.8.8.8/", NOW), "http://8.8.8.8/");
        hosts.on_hsts("localhost", "max-age=60", NOW);
        assert_eq!(hosts.len(), 1);
    }

    #[test]
    fn memory_is_bounded_and_the_evidence_that_ends_first_goes() {
        let mut hosts = HttpsHosts::new(2);
        hosts.on_hsts("a.example", "max-age=30", NOW);
        hosts.on_hsts("b.example", "max-age=20", NOW);
        hosts.on_hsts("c.example", "max-age=10", NOW);
        hosts.on_hsts("c.example", "max-age=40", NOW);
        assert_eq!(hosts.len(), 2);
        let upgraded = |hosts: &HttpsHosts, url| hosts.upgrade(url, NOW).starts_with("https");
        assert!(upgraded(&hosts, "http://a.example/") && upgraded(&hosts, "http://c.example/"));
        assert!(!upgraded(&hosts, "http://b.example/"));
        for host in 0..1000 {
            hosts.on_https_seen(&format!("h{host}.example"), Duration::from_secs(host), NOW);
            assert!(hosts.len() <= 2 && hosts.ends.len() == hosts.hosts.len());
        }
        let mut none = HttpsHosts::new(0);
        none.on_hsts("a.example", "max-age=30", NOW);
        assert!(none.is_empty());
    }
}
