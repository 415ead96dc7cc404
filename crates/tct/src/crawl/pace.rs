//! When the next request may be sent: by the policy's rate hints, the RateLimit fields and `Retry-After`.

use http::{HeaderMap, StatusCode};

use super::state::SiteState;
use crate::policy::RateHint;
use crate::retry::RateLimit;
use crate::{PolicyDescriptor, UnixSeconds, VisitPolicy};

const DAY: u64 = 86_400;

/// The pace of one site's requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Nothing is sent before this time, by the server's request.
    paused_until: Option<UnixSeconds>,
    /// Requests that were sent in this second.
    second: UnixSeconds,
    sent: u64,
    day: u64,
    today: u64,
}

impl Pace {
    pub(super) fn new(site: &SiteState) -> Self {
        let (paused_until, day, today) = (site.not_before, site.day, site.requests_today);
        Pace { paused_until, second: UnixSeconds(0), sent: 0, day, today }
    }

    /// When the next request may be sent: `now`, or up to `longest` seconds later. A longer pause was stored under a clock
    /// that ran ahead, and is ignored.
    pub(super) fn ready_at(&self, hints: &PolicyDescriptor, longest: u64, now: UnixSeconds) -> UnixSeconds {
        let is_set = |at: &UnixSeconds| *at > now && at.seconds_since(now) <= longest;
        let mut at = self.paused_until.filter(is_set).unwrap_or(now);
        if let Some((rate, seconds)) = self.distance(hints, longest) {
            let is_spent = seconds > 1 || (self.second == now && self.sent as f64 >= rate.floor());
            let next = self.second.saturating_add(seconds);
            if is_spent && next.seconds_since(now) <= seconds {
                at = at.max(next);
            }
        }
        match hints.per_day {
            RateHint::AtMost(rate) if self.day == now.0 / DAY && self.today as f64 >= rate => {
                at = at.max(UnixSeconds((now.0 / DAY).saturating_add(1).saturating_mul(DAY)));
            }
            _ => {}
        }
        at
    }

    /// Requests a second, and the seconds from one to the next: several a second are sent within the second, fewer than one are
    /// so many seconds apart. `None` before the first request.
    fn distance(&self, hints: &PolicyDescriptor, longest: u64) -> Option<(f64, u64)> {
        match hints.per_second {
            RateHint::AtMost(rate) if rate > 0.0 && self.sent > 0 => {
                Some((rate, (1.0 / rate).ceil().clamp(1.0, longest.max(1) as f64) as u64))
            }
            _ => None,
        }
    }

    /// When a crawl that is killed now may send again, by the server's pause and by a policy that wants requests seconds apart.
    pub(super) fn not_before(&self, hints: &PolicyDescriptor, longest: u64) -> Option<UnixSeconds> {
        let apart = self.distance(hints, longest).filter(|(_, seconds)| *seconds > 1);
        // What a clock that ran ahead wrote down hides nothing.
        let is_meant = |at: &UnixSeconds| self.sent == 0 || at.seconds_since(self.second) <= longest;
        let known = self.paused_until.filter(is_meant);
        known.max(apart.map(|(_, seconds)| self.second.saturating_add(seconds)))
    }

    /// Counts a request.
    pub(super) fn count(&mut self, site: &mut SiteState, now: UnixSeconds) {
        if self.second != now {
            (self.second, self.sent) = (now, 0);
        }
        self.sent += 1;
        let day = now.0 / DAY;
        if self.day != day {
            (self.day, self.today) = (day, 0);
        }
        self.today += 1;
        (site.day, site.requests_today) = (self.day, self.today);
    }

    /// Uncounts a request that was not sent.
    pub(super) fn discount(&mut self, site: &mut SiteState) {
        (self.sent, self.today) = (self.sent.saturating_sub(1), self.today.saturating_sub(1));
        site.requests_today = self.today;
    }

    /// Applies a response's statements about the pace: 429 and 503 apply to the whole site.
    pub(super) fn note(
        &mut self,
        status: StatusCode,
        headers: &HeaderMap,
        policy: &VisitPolicy,
        now: UnixSeconds,
    ) {
        let latest = now.saturating_add(policy.max_retry_secs);
        let is_busy = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let asked = if is_busy { crate::retry::retry_after(headers, now) } else { None };
        let budget = RateLimit::of(headers).map(|limit| limit.next_request_at(now));
        if let Some(at) = asked.max(budget).filter(|at| *at > now) {
            // What a clock that ran ahead wrote down does not outlast it.
            let known = self.paused_until.filter(|at| *at <= latest);
            self.paused_until = known.max(Some(at.min(latest)));
        }
    }

    pub(super) fn paused_until(&self) -> Option<UnixSeconds> {
        self.paused_until
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use covers::covers;

    fn hints(per_second: RateHint, per_day: RateHint) -> PolicyDescriptor {
        PolicyDescriptor { per_second, per_day, ..PolicyDescriptor::default() }
    }

    #[test]
    #[covers("TCT-POL-7", "TCT-POL-8")]
    fn rate_hints_set_the_pace() {
        let mut site = SiteState::default();
        let mut pace = Pace::new(&site);
        let slow = hints(RateHint::AtMost(0.5), RateHint::Unstated);
        let now = UnixSeconds(1000);
        assert_eq!(pace.ready_at(&slow, DAY, now), now);
        pace.count(&mut site, now);
        assert_eq!(pace.ready_at(&slow, DAY, now), UnixSeconds(1002));
        assert_eq!(pace.ready_at(&slow, DAY, UnixSeconds(1001)), UnixSeconds(1002));
        assert_eq!(pace.ready_at(&slow, DAY, UnixSeconds(1003)), UnixSeconds(1003));
        let two = hints(RateHint::AtMost(2.0), RateHint::Unlimited);
        assert_eq!(pace.ready_at(&two, DAY, now), now);
        pace.count(&mut site, now);
        assert_eq!(pace.ready_at(&two, DAY, now), UnixSeconds(1001));
        assert_eq!(pace.ready_at(&two, DAY, UnixSeconds(1001)), UnixSeconds(1001));
        let day = hints(RateHint::Unstated, RateHint::AtMost(2.0));
        assert_eq!(pace.ready_at(&day, DAY, now), UnixSeconds(86_400));
        assert_eq!(Pace::new(&site).ready_at(&day, DAY, now), UnixSeconds(86_400), "the count is stored");
        assert_eq!(pace.ready_at(&day, DAY, UnixSeconds(86_400)), UnixSeconds(86_400));
    }

    #[test]
    #[covers("TCT-ERR-6", "TCT-SEC-3", "TCT-AMB-39")]
    fn servers_that_ask_for_patience_get_it() {
        let mut pace = Pace::new(&SiteState::default());
        let (now, none) = (UnixSeconds(1000), PolicyDescriptor::default());
        let headers = |name: &'static str, value: &str| {
            [(http::HeaderName::from_static(name), value.parse().unwrap())].into_iter().collect::<HeaderMap>()
        };
        let policy = VisitPolicy::default();
        pace.note(StatusCode::OK, &headers("retry-after", "50"), &policy, now);
        assert_eq!(pace.ready_at(&none, DAY, now), now, "only 429 and 503 speak for the site");
        pace.note(StatusCode::OK, &headers("ratelimit", "\"a\";r=0;t=30"), &policy, now);
        assert_eq!(pace.ready_at(&none, DAY, now), UnixSeconds(1030));
        pace.note(StatusCode::TOO_MANY_REQUESTS, &headers("retry-after", "50"), &policy, now);
        assert_eq!(pace.ready_at(&none, DAY, now), UnixSeconds(1050));
    }
    /// Whatever a hint, a server or a clock says, no wait is longer than a day.
    #[test]
    fn every_wait_is_bounded() {
        let (now, mut site) = (UnixSeconds(1_000_000), SiteState::default());
        let far = UnixSeconds(now.0 + 10 * 365 * DAY);
        site.not_before = Some(far);
        let none = PolicyDescriptor::default();
        let mut pace = Pace::new(&site);
        assert_eq!(pace.ready_at(&none, DAY, now), now, "a clock that ran ahead");
        let slow = hints(RateHint::AtMost(0.5), RateHint::Unstated);
        pace.count(&mut site, now);
        assert_eq!(
            pace.not_before(&slow, DAY),
            Some(UnixSeconds(now.0 + 2)),
            "nor does it hide another wait"
        );
        let mut pace = Pace::new(&SiteState::default());
        let slow = hints(RateHint::AtMost(1e-9), RateHint::Unstated);
        pace.count(&mut site, now);
        assert_eq!(pace.ready_at(&slow, DAY, now), UnixSeconds(now.0 + DAY));
        pace.count(&mut site, far);
        assert_eq!(pace.ready_at(&slow, DAY, now), now, "the clock was set right");
        for rate in [f64::MIN_POSITIVE, 1e300, f64::INFINITY, f64::NAN] {
            let at = pace.ready_at(&hints(RateHint::AtMost(rate), RateHint::AtMost(rate)), DAY, now);
            assert!(at.seconds_since(now) <= DAY, "{rate}");
        }
        pace.discount(&mut site);
        assert_eq!(site.requests_today, 0);
    }
}
