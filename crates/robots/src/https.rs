//! Preferring HTTPS, and stopping where access is controlled.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use core::time::Duration;

use crate::pacing::host_key;
use crate::time::UnixTime;

/// Hosts that are known to speak HTTPS, and since which evidence.
///
/// Evidence is a `Strict-Transport-Security` field that came over HTTPS, a redirect of the same host from http to
/// https, or an https URL in the site's own sitemap or `rel="canonical"`.
///
/// ```
/// use robots::{HttpsHosts, UnixTime};
///
/// let now = UnixTime::from_secs(1_000_000);
/// let mut hosts = HttpsHosts::default();
/// hosts.on_hsts("example.com", "max-age=3600; includeSubDomains", now);
/// assert_eq!(hosts.upgrade("http://www.example.com/a", now), "https://www.example.com/a");
/// assert_eq!(hosts.upgrade("http://example.org/a", now), "http://example.org/a");
/// ```
///
/// Spec: AIWebIndex 1.0, "Security considerations"; AIWI-SEC-1, AIWI-AMB-37; RFC 6797.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HttpsHosts {
    hosts: BTreeMap<String, Policy>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Policy {
    until: UnixTime,
    subdomains: bool,
}

impl HttpsHosts {
    /// Takes a `Strict-Transport-Security` value that came over HTTPS: `max-age=0` takes the evidence back. A value
    /// without a readable `max-age`, or with two, says nothing.
    pub fn on_hsts(&mut self, host: &str, value: &str, now: UnixTime) {
        let Some((max_age, subdomains)) = read_hsts(value) else { return };
        let host = host_key(host).into_owned();
        if max_age.is_zero() {
            self.hosts.remove(&host);
        } else {
            self.hosts.insert(host, Policy { until: now.saturating_add(max_age), subdomains });
        }
    }

    /// Takes an https URL of the host that the site itself gave: by redirect, sitemap or canonical link. It holds for
    /// `lasts`, and never shortens what is known.
    pub fn on_https_seen(&mut self, host: &str, lasts: Duration, now: UnixTime) {
        let until = now.saturating_add(lasts);
        let seen = Policy { until, subdomains: false };
        let held = self.hosts.entry(host_key(host).into_owned()).or_insert(seen);
        held.until = held.until.max(until);
    }

    /// The URL to fetch: https where `url` is http on the default port of a host with evidence, else `url` as it is.
    #[must_use]
    pub fn upgrade<'u>(&self, url: &'u str, now: UnixTime) -> Cow<'u, str> {
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
    pub fn forget_expired(&mut self, now: UnixTime) {
        self.hosts.retain(|_, policy| policy.until > now);
    }

    fn knows(&self, host: &str, now: UnixTime) -> bool {
        let holds = |name: &str, own: bool| {
            self.hosts.get(name).is_some_and(|policy| policy.until > now && (own || policy.subdomains))
        };
        let parents = host.match_indices('.').filter_map(|(dot, _)| host.get(dot + 1..));
        holds(host, true) || parents.into_iter().any(|parent| holds(parent, false))
    }
}

fn read_hsts(value: &str) -> Option<(Duration, bool)> {
    let (mut max_age, mut subdomains) = (None, false);
    for directive in value.split(';') {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        let (name, value) = (name.trim_ascii(), value.trim_ascii());
        if name.eq_ignore_ascii_case("max-age") {
            let digits = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
            if max_age.is_some() || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            max_age = Some(Duration::from_secs(digits.parse().unwrap_or(u64::MAX)));
        }
        subdomains |= name.eq_ignore_ascii_case("includesubdomains");
    }
    Some((max_age?, subdomains))
}

/// A response that says: not for you. There is nothing to try instead; a crawler of the protocol stops here.
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
    /// 403 and 451: refused, also to this crawler alone. Another `User-Agent` is no way around it.
    Refused,
}

impl AccessBarrier {
    /// The barrier that a status stands for, if it stands for one.
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

    const NOW: UnixTime = UnixTime::from_secs(1000);

    fn upgraded(hsts: &str, url: &str, now: u64) -> bool {
        let mut hosts = HttpsHosts::default();
        hosts.on_hsts("Example.com", hsts, NOW);
        hosts.upgrade(url, UnixTime::from_secs(now)).starts_with("https:")
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
        assert_eq!(
            hosts.upgrade("http://example.com:80?q", UnixTime::from_secs(1059)),
            "https://example.com?q"
        );
        hosts.on_hsts("example.com", "max-age=0", NOW);
        assert_eq!(hosts, HttpsHosts::default());
        hosts.on_https_seen("example.com", Duration::from_secs(60), NOW);
        hosts.forget_expired(UnixTime::from_secs(1060));
        assert_eq!(hosts, HttpsHosts::default());
    }
}
