//! robots.txt, checked before each request of a crawl.

use bytes::Bytes;
use http::Response;
use tct::UnixSeconds;
use url::Url;

/// Decides whether and when a request may be sent; called before each one. It does no I/O: [`drive`](crate::drive) fetches
/// robots.txt for it, with the same client.
pub trait RobotsGate {
    /// Whether this URL may be requested now. After [`RobotsVerdict::Send`] the request goes out.
    fn ask(&mut self, url: &Url, now: UnixSeconds) -> RobotsVerdict;

    /// Takes the answer to a [`RobotsVerdict::Fetch`], with at most 500 KiB of its body; `None` if there was
    /// none.
    fn on_answer(&mut self, answer: Option<&Response<Bytes>>, now: UnixSeconds);
}

/// The answer of [`RobotsGate::ask`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum RobotsVerdict {
    /// Send it.
    Send,
    /// Do not send it in this crawl.
    NotThis,
    /// Do not send it now: it counts as a request without an answer, and is tried again.
    NotNow,
    /// Wait for the pace: ask again at this time.
    After(UnixSeconds),
    /// Fetch this first, and ask again.
    Fetch(Url),
}

/// Ignores robots.txt: for your own site.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoRobots;

impl RobotsGate for NoRobots {
    fn ask(&mut self, _url: &Url, _now: UnixSeconds) -> RobotsVerdict {
        RobotsVerdict::Send
    }

    fn on_answer(&mut self, _answer: Option<&Response<Bytes>>, _now: UnixSeconds) {}
}

#[cfg(feature = "robots")]
mod txt {
    use std::time::Duration;

    use robots::{RobotsAction, RobotsReason, RobotsResponse, SiteRobots};
    use url::Origin;

    use super::{Bytes, Response, RobotsGate, RobotsVerdict, UnixSeconds, Url};

    /// The longest `Crawl-delay` that is obeyed, in seconds: an hour.
    const MAX_DELAY_SECS: u64 = 3600;

    /// The robots.txt of one site, by the crate `aiweb-robots`: its rules, its `Crawl-delay`, and the rules for an unreachable
    /// file. Asked about another site, it forgets the first one's file and wants that site's.
    ///
    /// ```
    /// use tct_tower::RobotsTxt;
    /// let _robots = RobotsTxt::new("examplebot");
    /// ```
    #[derive(Debug, Clone)]
    pub struct RobotsTxt {
        agent: String,
        site: SiteRobots,
        /// The site that this is about.
        origin: Option<Origin>,
        /// The URL that is requested, and the one that answered last, from which its redirect leads on.
        asked: Option<Url>,
        at: Option<Url>,
        last: Option<UnixSeconds>,
        pause_secs: u64,
    }

    impl RobotsTxt {
        /// Applies the rules for the crawler of this name: a product token, or a whole
        /// `User-Agent`.
        #[must_use]
        pub fn new(agent: impl Into<String>) -> Self {
            RobotsTxt {
                agent: agent.into(),
                site: SiteRobots::default(),
                origin: None,
                asked: None,
                at: None,
                last: None,
                pause_secs: 0,
            }
        }

        /// The least pause between two requests, in seconds, where `Crawl-delay` asks for none that is longer; 0 by default.
        #[must_use]
        pub fn with_pause(self, secs: u64) -> Self {
            RobotsTxt { pause_secs: secs.min(MAX_DELAY_SECS), ..self }
        }

        /// The values of the `Sitemap:` lines, once the file was read: for
        /// [`Crawl::with_robots_lines`](tct::Crawl::with_robots_lines).
        #[must_use]
        pub fn sitemaps(&self, now: UnixSeconds) -> Vec<String> {
            let (_, rules) = self.site.access(now);
            rules.into_iter().flat_map(robots::Robots::sitemaps).map(str::to_owned).collect()
        }
    }

    impl RobotsTxt {
        /// The parsed file, for its other statements: usage preferences, licences. `None` where there is none.
        #[must_use]
        pub fn file(&self, now: UnixSeconds) -> Option<&robots::Robots<'static>> {
            self.site.access(now).1
        }
    }

    impl RobotsGate for RobotsTxt {
        fn ask(&mut self, url: &Url, now: UnixSeconds) -> RobotsVerdict {
            let origin = Some(url.origin());
            if self.origin != origin {
                // What one site allows says nothing about another.
                let new = RobotsTxt::new(core::mem::take(&mut self.agent)).with_pause(self.pause_secs);
                *self = RobotsTxt { origin, ..new };
            }
            let next = match self.site.next_action(now) {
                RobotsAction::Fetch => url.join("/robots.txt").ok(),
                RobotsAction::Follow(location) => {
                    let base = self.at.as_ref().unwrap_or(url);
                    // Rules may stand on another host, not in somebody's network.
                    base.join(location).ok().filter(|to| {
                        let is_public = || to.host().is_some_and(tct::address::is_public_host);
                        matches!(to.scheme(), "http" | "https") && (to.host() == url.host() || is_public())
                    })
                }
                RobotsAction::Use { .. } => {
                    let decision = self.site.decide(self.agent.as_str(), url, now);
                    match decision.reason() {
                        RobotsReason::Unreachable => return RobotsVerdict::NotNow,
                        _ if decision.is_disallowed() => return RobotsVerdict::NotThis,
                        _ => {}
                    }
                    let delay = self.file(now).and_then(|rules| rules.crawl_delay(self.agent.as_str()));
                    let delay = delay.map_or(Duration::ZERO, robots::CrawlDelay::as_duration);
                    let secs = delay.as_secs() + u64::from(delay.subsec_nanos() > 0);
                    let secs = secs.min(MAX_DELAY_SECS).max(self.pause_secs);
                    let ready_at = self.last.map_or(now, |last| last.saturating_add(secs));
                    // A time that is further away was set by a clock that ran ahead.
                    if ready_at > now && ready_at.seconds_since(now) <= secs {
                        return RobotsVerdict::After(ready_at);
                    }
                    self.last = Some(now);
                    return RobotsVerdict::Send;
                }
            };
            match next {
                Some(next) => {
                    self.asked = Some(next.clone());
                    RobotsVerdict::Fetch(next)
                }
                None => {
                    let nowhere = RobotsResponse { status: 302, ..RobotsResponse::default() };
                    self.site.on_response(&nowhere, now);
                    self.ask(url, now)
                }
            }
        }

        fn on_answer(&mut self, answer: Option<&Response<Bytes>>, now: UnixSeconds) {
            self.at = self.asked.take();
            match answer {
                Some(answer) => self.site.on_response(answer, now),
                None => self.site.on_response(&RobotsResponse::default(), now),
            }
        }
    }
}

#[cfg(feature = "robots")]
pub use txt::RobotsTxt;
