//! The visit of a page's twin: [`tct::Visit`] says what to send and what the answers are worth.

use robots::Preferences;
use tct::open::Problem;
use tct::{CUrl, MUrl, Outcome, Visit, VisitPolicy, VisitStep};

use crate::client::{Exchange, Request};
use crate::clock;
use crate::fetch_error::FetchErrorKind;
use crate::limits::BodyLimit;
use crate::site::{Setback, Visitor};
use crate::steps::{confirmed, failed, fresh_until, kept, passed, robots_txt, sitemaps, stored};
use crate::store::{Entry, Kind};
use crate::writer::Changes;

/// Visits the twin, and stores or keeps it as its page's text.
///
/// # Errors
/// A [`Setback`] where there is no answer now.
pub async fn run(
    visitor: &mut Visitor,
    page: &str,
    twin: &str,
    hash: Option<&str>,
) -> Result<Changes, Setback> {
    let (page, twin) = match (CUrl::parse(page), MUrl::parse(twin)) {
        (Ok(page), Ok(twin)) => (page, twin),
        (Err(error), _) | (_, Err(error)) => return Ok(failed(page, "bad-url", error.to_string())),
    };
    let held = sitemaps::held_twin(visitor, &page, &twin)?;
    let mut policy = VisitPolicy::default();
    policy.retry_secs = visitor.crawl.options.retry_secs;
    let limit = BodyLimit::Refuse(visitor.crawl.gate.client().limits().twin_bytes);
    let mut visit = Visit::new(&twin, &page, hash, held, policy);
    let (outcome, exchange) = loop {
        let request = visit.request();
        if !robots_txt::allows(visitor, visit.url()).await? {
            return Ok(passed(page.as_str(), "robots", twin.as_str()));
        }
        let (parts, ()) = request.into_parts();
        let request = Request {
            method: parts.method,
            headers: parts.headers,
            ..Request::get(visit.url().clone(), limit)
        };
        let answer = visitor.fetch_page(request).await;
        let (step, exchange) = match answer {
            Ok(exchange) => {
                let mut response = http::Response::new(&exchange.body);
                *response.status_mut() = exchange.status;
                response.headers_mut().clone_from(&exchange.headers);
                let step = visit.on_response(&exchange.url, &response, clock::seconds());
                (step, exchange)
            }
            Err(error) if !error.kind().is_transient() || error.kind() == FetchErrorKind::HostPaused => {
                return Err(error.into());
            }
            Err(error) => match visit.on_failure(clock::seconds()) {
                VisitStep::Done(Outcome::Unavailable { retry_at }) => {
                    return Err(Setback::Busy {
                        retry_at,
                        detail: format!("{}: {error}", error.kind().code()),
                    });
                }
                _ => return Err(error.into()),
            },
        };
        match step {
            VisitStep::Again(next) => visit = *next,
            VisitStep::Done(outcome) => break (outcome, exchange),
        }
    };
    take(visitor, page.as_str(), twin.as_str(), outcome, exchange)
}

/// What the outcome of a visit means for the store.
fn take(
    visitor: &Visitor,
    page: &str,
    twin: &str,
    outcome: Outcome,
    exchange: Exchange,
) -> Result<Changes, Setback> {
    Ok(match outcome {
        Outcome::Store { held, payload, problems, disagreement, .. } => {
            let entry = Entry {
                kind: Kind::Twin,
                source: twin.to_owned(),
                held,
                fresh_until: fresh_until(&exchange.headers),
                title: payload.title().as_untrusted_str().to_owned(),
                usage: usage(visitor, page, &exchange),
                follows_links: false,
            };
            let findings = problems.iter().map(describe).chain(disagreement.map(|what| format!("{what:?}")));
            stored(page, entry, exchange.body, findings.collect())
        }
        Outcome::UseOnce { .. } => Changes {
            forgotten: vec![page.to_owned()],
            ..passed(page, "no-store", "the response asks not to be kept")
        },
        Outcome::Keep { held, .. } | Outcome::Restore { held, .. } => {
            match visitor.crawl.store.entry(page)? {
                Some(entry) => kept(page, Entry { held, ..confirmed(entry, &exchange.headers) }),
                None => failed(page, "not-held", "the server confirmed what is not held"),
            }
        }
        Outcome::Refuse { reason, problems } => {
            let problems: Vec<String> = problems.iter().map(describe).collect();
            failed(page, "refused-twin", format!("{reason:?}: {}", problems.join(", ")))
        }
        Outcome::Gone => Changes { forgotten: vec![page.to_owned()], ..passed(page, "gone", twin) },
        Outcome::NotFound => passed(page, "not-found", twin),
        Outcome::Forbidden => passed(page, "refused", format!("status {}", exchange.status)),
        Outcome::Unavailable { retry_at } => {
            return Err(Setback::Busy { retry_at, detail: format!("status {}", exchange.status) });
        }
        other => failed(page, "unknown-outcome", format!("{other:?}")),
    })
}

/// What the site says about the use of the page: by the response, and by robots.txt.
pub(crate) fn usage(visitor: &Visitor, page: &str, exchange: &Exchange) -> Preferences {
    let by_headers = Preferences::of_headers(exchange.fields());
    let (_, rules) = visitor.record.robots.access(clock::instant());
    match rules {
        Some(rules) => {
            let path = robots::RequestPath::of_url(page);
            by_headers.merge(Preferences::of_robots(rules, &visitor.crawl.options.agent, path))
        }
        None => by_headers,
    }
}

/// The problem's stable code, and the field that it is about.
fn describe(problem: &Problem) -> String {
    let code = problem.code.code();
    problem.field.map_or_else(|| code.to_owned(), |field| format!("{code} ({field})"))
}
