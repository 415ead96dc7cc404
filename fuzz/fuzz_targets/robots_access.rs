//! The robots.txt of a site over time, whatever its server answers: redirects end, no fetch is asked for before its
//! time, the answer while unreachable opens nothing before 30 days, and a copy decides as the file itself would.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use robots::{
    Access, AccessOptions, ParseOptions, RetryAfter, Robots, RobotsAction, RobotsResponse, SiteRobots, UnixSeconds,
};

const STATUSES: [u16; 12] = [200, 301, 302, 307, 308, 304, 404, 403, 429, 500, 503, 0];

fuzz_target!(|answers: Vec<(u8, Option<String>, Vec<u8>, Option<u32>, Option<u32>, u32)>| {
    let options = ParseOptions::default().max_bytes(1 << 12);
    let mut site = SiteRobots::new(AccessOptions::default().parse(options).max_redirects(0));
    let mut now = 0_u64;
    let mut hops = 0;
    let mut unreachable_since = None;
    let mut held: Option<Vec<u8>> = None;
    for (status, location, body, max_age, retry_after, pause) in answers {
        now += u64::from(pause % (1 << 22));
        let at = UnixSeconds(now);
        assert_eq!(site.next_action(at), site.next_action(at));
        match site.next_action(at) {
            RobotsAction::Follow(_) => hops += 1,
            RobotsAction::Fetch => hops = 0,
            // The answer comes unasked, and begins anew.
            RobotsAction::Use { until } => {
                assert!(until > at);
                hops = 0;
            }
        }
        assert!(hops <= 5, "redirects do not end");
        let response = RobotsResponse {
            status: STATUSES[usize::from(status) % STATUSES.len()],
            location: location.as_deref(),
            body: &body,
            max_age: max_age.map(|seconds| Duration::from_secs(seconds.into())),
            retry_after: retry_after.map(|seconds| RetryAfter::from_secs(seconds.into())),
        };
        site.on_response(&response, at);
        if matches!(site.next_action(at), RobotsAction::Follow(_)) {
            continue;
        }
        match response.status {
            304 if held.is_some() => unreachable_since = None,
            0..300 if response.status >= 200 => (held, unreachable_since) = (Some(body), None),
            429 | 500.. | 0 => _ = unreachable_since.get_or_insert(now),
            // A 304 without a copy is an answer too, which opens nothing.
            _ => (held, unreachable_since) = (None, None),
        }
        let decision = site.decide("AIWebIndex", "/a", at);
        match (site.access(at), &held) {
            ((Access::Rules, Some(_)), Some(file)) => {
                let alone = Robots::parse_with(file, options);
                assert_eq!(decision.is_allowed(), alone.decide("AIWebIndex", "/a").is_allowed());
                assert!(site.copy_age(at).is_some());
            }
            ((access, None), None) => {
                assert_eq!(access == Access::AllowAll, decision.is_allowed());
                if let Some(since) = unreachable_since {
                    assert_eq!(decision.is_allowed(), now - since >= 30 * 86_400);
                }
            }
            (access, held) => panic!("{access:?} with {held:?}"),
        }
    }
});
