//! The rules of a site's robots.txt. It is fetched again when the stored copy is a day old.

use std::time::Duration;

use http::header::LOCATION;
use robots::{Access, DelayOutcome, ParseOptions, RobotsAction, RobotsReason, RobotsResponse};
use tct::UnixSeconds;
use tct::address::is_public_host;
use tct::cache::CacheControl;
use url::Url;

use crate::client::{Exchange, Request};
use crate::clock;
use crate::fetch_error::{FetchError, FetchErrorKind};
use crate::gate::{host_of, pause};
use crate::limits::BodyLimit;
use crate::output::Line;
use crate::site::{Setback, Visitor};

/// One byte more than is read, so that the library knows that there is more.
pub(crate) const LIMIT: BodyLimit = BodyLimit::Cut(ParseOptions::MAX_BYTES + 1);

/// Whether the crawler may fetch this URL of the site.
///
/// # Errors
/// `Busy` if robots.txt cannot be reached, and nothing may be fetched before it can.
pub async fn allows(visitor: &mut Visitor, url: &Url) -> Result<bool, Setback> {
    let mut refresh = Refresh::default();
    while let Some(url) = refresh.next(visitor) {
        match visitor.fetch_robots(Request::get(url, LIMIT)).await {
            Err(error) if error.kind() == FetchErrorKind::HostPaused => return Err(error.into()),
            answer => refresh.take(visitor, answer.as_ref()),
        }
    }
    decide(visitor, url)
}

/// Decides by the stored rules.
///
/// # Errors
/// As [`allows`].
pub(crate) fn decide(visitor: &Visitor, url: &Url) -> Result<bool, Setback> {
    let now = clock::instant();
    let decision = visitor.record.robots.decide(&visitor.crawl.options.agent, url, now);
    if decision.reason() == RobotsReason::Unreachable {
        let RobotsAction::Use { until } = visitor.record.robots.next_action(now) else { return Ok(false) };
        return Err(Setback::Busy {
            retry_at: UnixSeconds(until.0),
            detail: "robots.txt cannot be reached".to_owned(),
        });
    }
    Ok(decision.is_allowed())
}

/// What [`robots::SiteRobots`] asks for, until it knows enough.
#[derive(Debug, Default)]
pub(crate) struct Refresh {
    at: Option<Url>,
    problem: Option<String>,
}

impl Refresh {
    /// What to fetch next; `None` where the rules are known.
    pub(crate) fn next(&mut self, visitor: &mut Visitor) -> Option<Url> {
        loop {
            let next = match visitor.record.robots.next_action(clock::instant()) {
                RobotsAction::Use { .. } => {
                    if self.at.take().is_some() {
                        report(visitor, self.problem.take());
                    }
                    return None;
                }
                RobotsAction::Fetch => visitor.origin.join("/robots.txt").ok(),
                RobotsAction::Follow(location) => {
                    let base = self.at.as_ref().unwrap_or(&visitor.origin);
                    base.join(location).ok().filter(|url| may_follow(&visitor.origin, url))
                }
            };
            if let Some(url) = next {
                self.at = Some(url.clone());
                return Some(url);
            }
            self.problem =
                Some("expected a redirect to a public http or https URL, found another".to_owned());
            let nowhere = RobotsResponse { status: 302, ..RobotsResponse::default() };
            visitor.record.robots.on_response(&nowhere, clock::instant());
        }
    }

    /// Evaluates the response.
    pub(crate) fn take(&mut self, visitor: &mut Visitor, answer: Result<&Exchange, &FetchError>) {
        let now = clock::instant();
        match answer {
            Ok(exchange) => visitor.record.robots.on_response(&response_of(exchange, now), now),
            Err(error) => {
                self.problem = Some(format!("{}: {error}", error.kind().code()));
                visitor.record.robots.on_response(&RobotsResponse::default(), now);
            }
        }
    }
}

/// Rules may come from another host (RFC 9309), but not from inside somebody's network.
fn may_follow(origin: &Url, next: &Url) -> bool {
    let is_public = next.host().is_some_and(|host| is_public_host(host));
    matches!(next.scheme(), "http" | "https") && (next.host() == origin.host() || is_public)
}

fn response_of(exchange: &Exchange, now: robots::UnixSeconds) -> RobotsResponse<'_> {
    let max_age = CacheControl::of(&exchange.headers).max_age_secs;
    RobotsResponse {
        status: exchange.status.as_u16(),
        location: exchange.field(LOCATION),
        body: &exchange.body,
        max_age: max_age.map(Duration::from_secs),
        retry_after: pause(exchange, now),
    }
}

/// Sets the pace that the rules ask for, and tells what they allow.
fn report(visitor: &mut Visitor, mut problem: Option<String>) {
    let (access, rules) = visitor.record.robots.access(clock::instant());
    let delay = rules.and_then(|rules| rules.crawl_delay(&visitor.crawl.options.agent));
    match visitor.crawl.gate.set_crawl_delay(&host_of(&visitor.origin), delay) {
        Ok(DelayOutcome::Capped { asked }) => {
            problem = Some(format!("expected a crawl delay of an hour at most, found {asked:?}"));
        }
        Ok(_) => {}
        Err(error) => problem = Some(error.to_string()),
    }
    let line = Line::Robots {
        site: visitor.origin.origin().ascii_serialization(),
        access: match access {
            Access::Rules => "rules",
            Access::AllowAll => "allow-all",
            _ => "disallow-all",
        },
        crawl_delay_s: delay.map(robots::CrawlDelay::as_secs_f64),
        why: problem,
    };
    visitor.tell(line);
}
