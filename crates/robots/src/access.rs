//! What the result of fetching robots.txt allows, and for how long it is used.
//!
//! ```text
//! 2xx                   the rules in the body           for 24 h, or less where the response says so
//! 3xx                   follow, five times at the least; then as 4xx
//! 304                   the copy that is held goes on; without one as 5xx
//! 4xx                   everything may be fetched       for 24 h
//! 429, 5xx, no answer   nothing may be fetched, unless a copy is held: then its rules
//!                       after 30 days without a copy: everything
//! ```
//!
//! A copy is used for a day, and longer only while the file cannot be reached. It is used for at least ten minutes even
//! if the response says less (`Cache-Control: max-age=0` is common), so that a crawler which asks before each page does
//! not fetch robots.txt for each page.
//!
//! Spec: RFC 9309, "Access Results" and "Caching"; AIWI-BOT-7, AIWI-BOT-8, AIWI-AMB-33.

use alloc::string::{String, ToString};
use core::fmt;
use core::time::Duration;

use web_values::{RetryAfter, UnixSeconds};

use crate::crawler::Crawler;
use crate::decision::{Decision, RobotsReason};
use crate::file::Robots;
use crate::options::ParseOptions;
use crate::request_path::RequestPath;

/// What may be fetched from a site, by the outcome of the fetch of its robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Access {
    /// The rules of the file decide.
    Rules,
    /// Everything: there is no file ("unavailable").
    AllowAll,
    /// Nothing: the file cannot be reached ("unreachable").
    DisallowAll,
}

/// How long a site without a reachable robots.txt is left alone: 30 days, the figure that RFC 9309 gives.
pub const RELAX_AFTER: Duration = Duration::from_secs(30 * 86_400);

/// How long a copy is used: 24 hours.
pub const MAX_COPY_AGE: Duration = Duration::from_secs(86_400);

/// How long an answer is used at the least, whatever its `Cache-Control` says: 10 minutes by default.
pub const MIN_COPY_AGE: Duration = Duration::from_secs(600);

impl Access {
    /// The access that the last status of a fetch gives; 0 stands for no answer (DNS, connection, TLS,
    /// time-out).
    ///
    /// A 3xx is the last status if the redirect has no usable target or the limit of redirects is reached.
    /// `unreachable_for` is how long the file has been unreachable: from [`RELAX_AFTER`] on everything is allowed.
    ///
    /// ```
    /// use robots::Access;
    /// use std::time::Duration;
    ///
    /// assert_eq!(Access::from_status(200, Duration::ZERO), Access::Rules);
    /// assert_eq!(Access::from_status(403, Duration::ZERO), Access::AllowAll);
    /// assert_eq!(Access::from_status(429, Duration::ZERO), Access::DisallowAll);
    /// assert_eq!(Access::from_status(503, robots::RELAX_AFTER), Access::AllowAll);
    /// ```
    ///
    /// Spec: RFC 9309, "Access Results"; AIWI-BOT-7, AIWI-AMB-33.
    #[must_use]
    pub const fn from_status(status: u16, unreachable_for: Duration) -> Self {
        match status {
            200..=299 => Access::Rules,
            // A 304 is no answer to a request without a condition: the file that it speaks of is not known here.
            304 | 429 => Access::unreachable(unreachable_for),
            300..=499 => Access::AllowAll,
            _ => Access::unreachable(unreachable_for),
        }
    }

    const fn unreachable(unreachable_for: Duration) -> Self {
        if unreachable_for.as_secs() >= RELAX_AFTER.as_secs() {
            Access::AllowAll
        } else {
            Access::DisallowAll
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Rules => "the rules of robots.txt decide",
            Access::AllowAll => "everything may be fetched: there is no robots.txt",
            Access::DisallowAll => "nothing may be fetched: robots.txt cannot be reached",
        })
    }
}

/// What to do about a site's robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum RobotsAction<'s> {
    /// Fetch `/robots.txt` of the site.
    Fetch,
    /// Fetch the target of this `Location` value, resolved against the URL fetched last. The rules found there
    /// apply to the site that was asked first.
    Follow(&'s str),
    /// Fetch nothing: decide with [`SiteRobots::decide`], and ask again at that time.
    Use {
        /// When the state is to be refreshed.
        until: UnixSeconds,
    },
}

/// The answer to a fetch that [`SiteRobots::next_action`] asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RobotsResponse<'r> {
    /// The HTTP status; 0 for no answer.
    pub status: u16,
    /// The `Location` field, if any.
    pub location: Option<&'r str>,
    /// The body; read with a 2xx only.
    pub body: &'r [u8],
    /// The `max-age` of its `Cache-Control`, if any.
    pub max_age: Option<Duration>,
    /// The pause that its `Retry-After` fields ask for, if any.
    pub retry_after: Option<RetryAfter>,
}

/// What [`SiteRobots::on_response`] takes: a [`RobotsResponse`], or with the feature `http` an `http::Response` with a
/// body of bytes.
pub trait RobotsAnswer {
    /// The facts of the response, which arrived at `now`.
    fn to_response(&self, now: UnixSeconds) -> RobotsResponse<'_>;
}

impl RobotsAnswer for RobotsResponse<'_> {
    fn to_response(&self, _: UnixSeconds) -> RobotsResponse<'_> {
        *self
    }
}

/// The settings of a [`SiteRobots`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AccessOptions {
    parse: ParseOptions,
    max_redirects: u32,
    retry_every: Duration,
    min_copy_age: Duration,
}

impl Default for AccessOptions {
    /// Reads files by RFC 9309, follows five redirects, tries again every ten minutes while the file is unreachable,
    /// and uses every answer for at least ten minutes.
    fn default() -> Self {
        AccessOptions {
            parse: ParseOptions::default(),
            max_redirects: 5,
            retry_every: Duration::from_secs(600),
            min_copy_age: MIN_COPY_AGE,
        }
    }
}

impl AccessOptions {
    /// Sets how the file is read.
    #[must_use]
    pub const fn parse(self, parse: ParseOptions) -> Self {
        AccessOptions { parse, ..self }
    }

    /// Sets how many redirects are followed; fewer than five are raised to five, which RFC 9309 asks for.
    #[must_use]
    pub const fn max_redirects(self, max_redirects: u32) -> Self {
        AccessOptions { max_redirects: if max_redirects < 5 { 5 } else { max_redirects }, ..self }
    }

    /// Sets the time between two tries while the file is unreachable; a longer `Retry-After` counts, a shorter one
    /// does not. At least one second.
    #[must_use]
    pub const fn retry_every(self, retry_every: Duration) -> Self {
        AccessOptions { retry_every: at_least_a_second(retry_every), ..self }
    }

    /// Sets how long an answer is used at the least, whatever its `Cache-Control` says. At least one second,
    /// because a crawler that asks before each page would otherwise fetch for ever; at most [`MAX_COPY_AGE`].
    #[must_use]
    pub const fn min_copy_age(self, min_copy_age: Duration) -> Self {
        let age = at_least_a_second(min_copy_age);
        let age = if age.as_nanos() > MAX_COPY_AGE.as_nanos() { MAX_COPY_AGE } else { age };
        AccessOptions { min_copy_age: age, ..self }
    }
}

const fn at_least_a_second(span: Duration) -> Duration {
    if span.as_secs() == 0 { Duration::from_secs(1) } else { span }
}

/// The robots.txt of one site over time.
///
/// ```
/// use robots::{RobotsAction, RobotsResponse, SiteRobots, UnixSeconds};
///
/// let at = UnixSeconds;
/// let mut site = SiteRobots::default();
/// assert_eq!(site.next_action(at(0)), RobotsAction::Fetch);
/// assert!(site.decide("AIWebIndex", "/", at(0)).is_disallowed(), "nothing is known yet");
///
/// let response = RobotsResponse { status: 301, location: Some("/txt"), ..RobotsResponse::default() };
/// site.on_response(&response, at(1));
/// assert_eq!(site.next_action(at(1)), RobotsAction::Follow("/txt"));
///
/// let body = b"User-agent: *\nDisallow: /private/";
/// site.on_response(&RobotsResponse { status: 200, body, ..RobotsResponse::default() }, at(2));
/// assert_eq!(site.next_action(at(3)), RobotsAction::Use { until: at(2 + 86_400) });
/// assert!(site.decide("AIWebIndex", "/", at(3)).is_allowed());
/// ```
///
/// With the feature `serde` the state can be stored between two runs of a crawler: rules, ages and outages are kept. A redirect
/// that was being followed is not: the next run asks for `/robots.txt` again.
///
/// Spec: RFC 9309, "Access Results" and "Caching"; AIWI-BOT-7, AIWI-BOT-8.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SiteRobots {
    options: AccessOptions,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "State::begun_anew"))]
    state: State,
    copy: Option<HeldCopy>,
    unreachable_since: Option<UnixSeconds>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
enum State {
    Ask,
    Follow {
        location: String,
        hops: u32,
    },
    /// The result of the last fetch, when it came and until when it is used. If it came in the future, a clock ran ahead,
    /// and it is used no longer.
    Settled {
        status: u16,
        #[cfg_attr(feature = "serde", serde(default))]
        at: UnixSeconds,
        until: UnixSeconds,
    },
}

#[cfg(feature = "serde")]
impl State {
    /// The state of an earlier run. A redirect of that time may lead elsewhere by now, and the URL against which its target is
    /// resolved is not in the state.
    fn begun_anew<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        Ok(match serde::Deserialize::deserialize(reader)? {
            State::Follow { .. } => State::Ask,
            state => state,
        })
    }
}

/// A file and when it was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct HeldCopy {
    robots: Robots<'static>,
    fetched_at: UnixSeconds,
}

impl Default for SiteRobots {
    /// A site whose robots.txt has not been fetched, with [`AccessOptions::default`].
    fn default() -> Self {
        SiteRobots::new(AccessOptions::default())
    }
}

impl SiteRobots {
    /// A site whose robots.txt has not been fetched.
    #[must_use]
    pub const fn new(options: AccessOptions) -> Self {
        SiteRobots { options, state: State::Ask, copy: None, unreachable_since: None }
    }

    /// What to do now. A repeated call gives the same answer until a response or time changes it.
    pub fn next_action(&self, now: UnixSeconds) -> RobotsAction<'_> {
        match &self.state {
            State::Ask => RobotsAction::Fetch,
            State::Follow { location, .. } => RobotsAction::Follow(location),
            State::Settled { at, until, .. } if now >= *until || now < *at => RobotsAction::Fetch,
            State::Settled { until, .. } => RobotsAction::Use { until: *until },
        }
    }

    /// Takes the answer to the fetch asked for.
    ///
    /// A 304 renews the copy that is held; without one the file counts as unreachable. An answer that was not asked for is
    /// accepted too, because it is newer. A fetch without an answer is a [`RobotsResponse`] of status 0, its default.
    pub fn on_response(&mut self, response: &impl RobotsAnswer, now: UnixSeconds) {
        self.take(&response.to_response(now), now);
    }

    fn take(&mut self, response: &RobotsResponse<'_>, now: UnixSeconds) {
        let hops = match &self.state {
            State::Follow { hops, .. } => *hops,
            _ => 0,
        };
        let max_age = response.max_age.unwrap_or(MAX_COPY_AGE).clamp(self.options.min_copy_age, MAX_COPY_AGE);
        let is_renewed =
            response.status == 304 && self.copy.as_mut().map(|copy| copy.fetched_at = now).is_some();
        let lasts = match (response.status, response.location) {
            (301 | 302 | 303 | 307 | 308, Some(location)) if hops < self.options.max_redirects => {
                self.state = State::Follow { location: location.to_string(), hops: hops + 1 };
                return;
            }
            (304, _) if is_renewed => {
                self.unreachable_since = None;
                max_age
            }
            (200..=299, _) => {
                let robots = Robots::parse_with(response.body, self.options.parse).into_owned();
                self.copy = Some(HeldCopy { robots, fetched_at: now });
                self.unreachable_since = None;
                max_age
            }
            // A 304 that renews nothing says as little as no answer.
            (304 | 429, _) | (0..=299, _) | (500.., _) => {
                self.unreachable_since = Some(self.unreachable_since.map_or(now, |since| since.min(now)));
                // A site that names no time of its own is asked again soon: it is closed until it answers.
                let busy = matches!(response.status, 429 | 503).then_some(response.retry_after).flatten();
                busy.map_or(Duration::ZERO, RetryAfter::as_duration).max(self.options.retry_every)
            }
            _ => {
                self.copy = None;
                self.unreachable_since = None;
                max_age
            }
        };
        self.state = State::Settled { status: response.status, at: now, until: now.after(lasts) };
    }

    /// The rules held, if any, and what may be fetched at `now`.
    ///
    /// Before the first answer nothing may be fetched. While the file is unreachable the copy stays in use,
    /// however old it is; without a copy nothing may be fetched for 30 days.
    #[must_use]
    pub fn access(&self, now: UnixSeconds) -> (Access, Option<&Robots<'static>>) {
        let unreachable_for = self.unreachable_since.map_or(Duration::ZERO, |since| now.since(since));
        match (&self.copy, &self.state) {
            (Some(copy), _) => (Access::Rules, Some(&copy.robots)),
            (None, State::Settled { status, .. }) => (Access::from_status(*status, unreachable_for), None),
            (None, _) if unreachable_for >= RELAX_AFTER => (Access::AllowAll, None),
            (None, _) => (Access::DisallowAll, None),
        }
    }

    /// Whether `crawler` may fetch `path` at `now`.
    pub fn decide<'c, 'p>(
        &self,
        crawler: impl Into<Crawler<'c>>,
        path: impl Into<RequestPath<'p>>,
        now: UnixSeconds,
    ) -> Decision<'_> {
        match self.access(now) {
            (_, Some(robots)) => robots.decide(crawler, path),
            (Access::AllowAll, None) => Decision::new(RobotsReason::Unavailable),
            (_, None) => Decision::new(RobotsReason::Unreachable),
        }
    }

    /// The age of the copy that is in use at `now`; `None` without a copy.
    #[must_use]
    pub fn copy_age(&self, now: UnixSeconds) -> Option<Duration> {
        self.copy.as_ref().map(|copy| now.since(copy.fetched_at))
    }
}

#[cfg(test)]
mod tests {
    use covers::covers;

    use super::*;

    const fn at(secs: u64) -> UnixSeconds {
        UnixSeconds(secs)
    }

    fn answer(status: u16) -> RobotsResponse<'static> {
        RobotsResponse { status, body: b"User-agent: *\nDisallow: /x", ..RobotsResponse::default() }
    }

    fn access(site: &SiteRobots, now: u64) -> Access {
        site.access(at(now)).0
    }

    #[test]
    fn statuses() {
        for (status, expected) in [
            (200, Access::Rules),
            (204, Access::Rules),
            (301, Access::AllowAll),
            (304, Access::DisallowAll),
            (400, Access::AllowAll),
            (401, Access::AllowAll),
            (403, Access::AllowAll),
            (404, Access::AllowAll),
            (410, Access::AllowAll),
            (429, Access::DisallowAll),
            (500, Access::DisallowAll),
            (503, Access::DisallowAll),
            (0, Access::DisallowAll),
            (100, Access::DisallowAll),
            (999, Access::DisallowAll),
        ] {
            assert_eq!(Access::from_status(status, Duration::ZERO), expected, "{status}");
            let mut site = SiteRobots::default();
            site.on_response(&answer(status), at(0));
            assert_eq!(access(&site, 0), expected, "{status}");
        }
        let just_before = RELAX_AFTER.checked_sub(Duration::from_secs(1)).unwrap();
        assert_eq!(Access::from_status(500, just_before), Access::DisallowAll);
        assert_eq!(Access::from_status(0, RELAX_AFTER), Access::AllowAll);
    }

    #[test]
    #[covers("AIWI-BOT-8")]
    fn what_a_clock_that_ran_ahead_has_set_does_not_last() {
        let year = 365 * 86_400;
        let mut site = SiteRobots::default();
        site.on_response(&answer(404), at(year));
        assert_eq!(site.next_action(at(year)), RobotsAction::Use { until: at(year + 86_400) });
        assert_eq!(site.next_action(at(0)), RobotsAction::Fetch);
        site.on_response(&answer(500), at(year));
        site.on_response(&answer(500), at(0));
        assert_eq!(access(&site, RELAX_AFTER.as_secs()), Access::AllowAll);
    }

    #[test]
    #[covers("AIWI-BOT-7")]
    fn five_redirects_are_followed_and_the_sixth_is_not() {
        let mut site = SiteRobots::default();
        let redirect = RobotsResponse { status: 302, location: Some("/next"), ..RobotsResponse::default() };
        for hop in 0..5 {
            site.on_response(&redirect, at(hop));
            assert_eq!(site.next_action(at(hop)), RobotsAction::Follow("/next"));
        }
        let mut reached = site.clone();
        reached.on_response(&answer(200), at(5));
        assert_eq!(access(&reached, 5), Access::Rules);
        site.on_response(&redirect, at(5));
        assert_eq!(access(&site, 5), Access::AllowAll);
        assert_eq!(site.next_action(at(6)), RobotsAction::Use { until: at(5 + 86_400) });
    }

    #[test]
    #[covers("AIWI-BOT-8")]
    fn a_copy_is_used_for_a_day_and_longer_while_the_file_is_unreachable() {
        let mut site = SiteRobots::default();
        site.on_response(&answer(200), at(0));
        assert_eq!(site.next_action(at(86_399)), RobotsAction::Use { until: at(86_400) });
        assert_eq!(site.next_action(at(86_400)), RobotsAction::Fetch);
        site.on_response(&answer(503), at(86_400));
        assert!(site.decide("any", "/x", at(86_401)).is_disallowed());
        assert!(site.decide("any", "/y", at(86_401)).is_allowed(), "by the old copy");
        assert_eq!(site.next_action(at(86_401)), RobotsAction::Use { until: at(87_000) });
        assert_eq!(site.copy_age(at(86_401)), Some(Duration::from_secs(86_401)));
        site.on_response(&answer(304), at(87_000));
        assert_eq!(site.copy_age(at(87_001)), Some(Duration::from_secs(1)));
        site.on_response(&answer(404), at(200_000));
        assert!(site.decide("any", "/x", at(200_000)).is_allowed(), "the file is gone");
    }

    /// A server that answers 304 to a request without a condition.
    #[test]
    #[covers("AIWI-BOT-7")]
    fn a_copy_that_nobody_holds_is_not_renewed() {
        let mut site = SiteRobots::default();
        site.on_response(&answer(304), at(0));
        assert_eq!(access(&site, 1), Access::DisallowAll);
        assert_eq!(site.next_action(at(599)), RobotsAction::Use { until: at(600) });
        assert_eq!(site.next_action(at(600)), RobotsAction::Fetch, "asked again soon");
        site.on_response(&answer(304), at(30 * 86_400));
        assert_eq!(access(&site, 30 * 86_400), Access::AllowAll, "as after thirty days without an answer");
        site.on_response(&answer(200), at(30 * 86_400 + 600));
        assert_eq!(access(&site, 30 * 86_400 + 600), Access::Rules);
    }

    #[test]
    #[covers("AIWI-BOT-7")]
    fn without_a_copy_the_site_opens_after_thirty_days() {
        let mut site = SiteRobots::default();
        site.on_response(&answer(0), at(0));
        site.on_response(&answer(500), at(86_400));
        assert_eq!(access(&site, 30 * 86_400 - 1), Access::DisallowAll);
        assert_eq!(access(&site, 30 * 86_400), Access::AllowAll, "counted from the first failure");
        site.on_response(&answer(200), at(30 * 86_400));
        site.on_response(
            &RobotsResponse { max_age: Some(Duration::from_secs(6000)), ..answer(200) },
            at(30 * 86_400),
        );
        assert_eq!(
            site.next_action(at(30 * 86_400 + 5999)),
            RobotsAction::Use { until: at(30 * 86_400 + 6000) }
        );
        assert_eq!(site.next_action(at(30 * 86_400 + 6000)), RobotsAction::Fetch);
    }

    /// Just before and just after 30 days, in each state that fetches: RFC 9309, "Unreachable
    /// Status".
    #[test]
    fn the_thirty_days_count_while_a_redirect_is_followed_too() {
        let redirect = RobotsResponse { status: 302, location: Some("/next"), ..RobotsResponse::default() };
        let mut site = SiteRobots::default();
        site.on_response(&answer(500), at(100));
        site.on_response(&redirect, at(200));
        assert_eq!(site.next_action(at(200)), RobotsAction::Follow("/next"));
        let edge = 100 + 30 * 86_400;
        assert_eq!(access(&site, edge - 1), Access::DisallowAll);
        assert!(site.decide("any", "/", at(edge - 1)).is_disallowed());
        assert_eq!(access(&site, edge), Access::AllowAll);
        assert!(site.decide("any", "/", at(edge)).is_allowed());
        site.on_response(&answer(503), at(edge));
        assert_eq!((access(&site, edge - 1), access(&site, edge)), (Access::DisallowAll, Access::AllowAll));
        let never = SiteRobots::default();
        assert_eq!(access(&never, u64::MAX), Access::DisallowAll, "not asked is not unreachable");
    }

    /// A crawler's loop over `next_action` ends, whatever a site says about caching.
    #[test]
    fn an_answer_is_used_for_some_time_whatever_its_cache_control() {
        for max_age in [Duration::ZERO, Duration::from_millis(1), Duration::from_secs(599)] {
            for status in [200, 304, 404, 301] {
                let mut site = SiteRobots::default();
                site.on_response(&answer(200), at(0));
                site.on_response(&RobotsResponse { max_age: Some(max_age), ..answer(status) }, at(0));
                assert_eq!(site.next_action(at(599)), RobotsAction::Use { until: at(600) }, "{status}");
                assert_eq!(site.next_action(at(600)), RobotsAction::Fetch);
            }
        }
        let options = AccessOptions::default().min_copy_age(Duration::ZERO).retry_every(Duration::ZERO);
        let mut site = SiteRobots::new(options);
        for response in [RobotsResponse { max_age: Some(Duration::ZERO), ..answer(200) }, answer(503)] {
            site.on_response(&response, at(5));
            assert_eq!(site.next_action(at(5)), RobotsAction::Use { until: at(6) });
        }
        let mut site = SiteRobots::new(AccessOptions::default().min_copy_age(Duration::MAX));
        site.on_response(&answer(404), at(0));
        assert_eq!(site.next_action(at(1)), RobotsAction::Use { until: at(86_400) });
    }

    #[test]
    fn a_busy_site_is_asked_again_when_it_said() {
        let mut site = SiteRobots::default();
        let busy = RobotsResponse { retry_after: Some(RetryAfter::from_secs(7200)), ..answer(429) };
        site.on_response(&busy, at(0));
        assert_eq!(site.next_action(at(1)), RobotsAction::Use { until: at(7200) });
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_site_survives_a_restart() {
        let options = AccessOptions::default().parse(ParseOptions::default().max_bytes(1 << 20));
        let mut site = SiteRobots::new(options.max_redirects(7).retry_every(Duration::from_secs(60)));
        for (response, secs) in [(answer(200), 1), (answer(503), 90_000), (answer(404), 95_000)] {
            let json = serde_json::to_string(&site).unwrap();
            let mut restarted: SiteRobots = serde_json::from_str(&json).unwrap();
            assert_eq!(restarted, site, "{json}");
            site.on_response(&response, at(secs));
            restarted.on_response(&response, at(secs));
            assert_eq!(restarted, site, "{json}");
            assert_eq!(restarted.next_action(at(secs + 50)), site.next_action(at(secs + 50)));
        }
    }

    /// However often a run ends before the redirect was followed, the next one begins at `/robots.txt`, and the copy that is held
    /// stays in use.
    #[cfg(feature = "serde")]
    #[test]
    #[covers("AIWI-BOT-7")]
    fn a_redirect_of_an_earlier_run_is_not_followed() {
        let redirect = RobotsResponse { status: 302, location: Some("next"), ..RobotsResponse::default() };
        let mut site = SiteRobots::default();
        site.on_response(&answer(200), at(0));
        for run in 1..10 {
            let day = run * 86_400;
            assert_eq!(site.next_action(at(day)), RobotsAction::Fetch);
            site.on_response(&redirect, at(day));
            assert_eq!(site.next_action(at(day)), RobotsAction::Follow("next"));
            let json = serde_json::to_string(&site).unwrap();
            site = serde_json::from_str(&json).unwrap();
            assert!(site.decide("any", "/x", at(day)).is_disallowed(), "{json}");
        }
    }
}
