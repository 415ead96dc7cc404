//! `tct.visit` and `tct.crawl`: the agent's state machines, played against the answers of a request's `in`.

use std::collections::{BTreeMap, VecDeque};

use http::header::{CACHE_CONTROL, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use serde_json::{Value, json};
use tct::crawl::{PageEvent, SiteEvent};
use tct::visit::Disagreement;
use tct::{
    CUrl, Crawl, CrawlNext, CrawlPolicy, Fingerprint, HeldPage, MUrl, Outcome, PageState, SiteState,
    UnixSeconds, Visit, VisitPolicy, VisitStep,
};
use url::Url;

use crate::{Input, Op, OpError, text};

/// The operations of this module.
pub const OPS: &[(&str, Op)] =
    &[("tct.crawl", |input| text(crawl(input))), ("tct.visit", |input| text(visit(input)))];

/// More turns than any case needs.
const MAX_TURNS: usize = 10_000;

/// What answers a request: `null` stands for no answer.
struct Answer {
    from: Option<Url>,
    response: Response<Vec<u8>>,
}

fn answer(value: &Value) -> Result<Option<Answer>, OpError> {
    let Some(members) = value.as_object() else { return Ok(None) };
    let input = Input::new(members);
    let mut response = Response::new(input.bytes_opt("body_b64")?.unwrap_or_default());
    let status = input.u64_opt("status")?.and_then(|status| u16::try_from(status).ok()).unwrap_or(200);
    *response.status_mut() =
        StatusCode::from_u16(status).map_err(|error| OpError::new("bad-request", error))?;
    let headers: &mut HeaderMap = response.headers_mut();
    for (name, value) in input.pairs("headers")? {
        let name =
            HeaderName::from_bytes(name.as_bytes()).map_err(|error| OpError::new("bad-request", error))?;
        headers
            .append(name, HeaderValue::from_str(value).map_err(|error| OpError::new("bad-request", error))?);
    }
    let from = input.text_opt("url")?.map(Url::parse).transpose();
    let from = from.map_err(|error| OpError::new("bad-request", error))?;
    Ok(Some(Answer { from, response }))
}

fn described(request: &http::Request<()>) -> Value {
    let field = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    json!({
        "method": request.method().as_str(),
        "url": request.uri().to_string(),
        "if_none_match": field(IF_NONE_MATCH),
        "no_cache": field(CACHE_CONTROL) == Some("no-cache"),
    })
}

fn bad(error: impl std::fmt::Display) -> OpError {
    OpError::new("bad-request", error)
}

fn visit(input: &Input<'_>) -> Result<Value, OpError> {
    let twin = MUrl::parse(input.text("m_url")?).map_err(|error| OpError::of(error.kind(), error))?;
    let page = CUrl::parse(input.text("c_url")?).map_err(|error| OpError::of(error.kind(), error))?;
    let held = input.get("held").map(|held| serde_json::from_value::<HeldPage>(held.clone()));
    let held = held.transpose().map_err(bad)?;
    let now = UnixSeconds(input.u64_opt("now_s")?.unwrap_or(0));
    let mut answers: VecDeque<&Value> = input.array("answers")?.iter().collect();
    let listed = input.text_opt("sitemap_hash")?.map(Fingerprint::parse).transpose().map_err(bad)?;
    let mut visit = Visit::new(&twin, &page, listed, held, VisitPolicy::default());
    let mut requests = Vec::new();
    let outcome = loop {
        requests.push(described(&visit.request()));
        let next = answers.pop_front().ok_or_else(|| bad("in.answers: expected one more, found the end"))?;
        let step = match answer(next)? {
            None => visit.on_failure(now),
            Some(Answer { from, response }) => {
                let from = from.unwrap_or_else(|| visit.url().clone());
                visit.on_response(&from, &response, now)
            }
        };
        match step {
            VisitStep::Again(next) => visit = *next,
            VisitStep::Done(outcome) => break outcome,
        }
    };
    let mut ok = json!({ "requests": requests });
    if let (Some(ok), Value::Object(said)) = (ok.as_object_mut(), said(&outcome)?) {
        ok.extend(said);
    }
    Ok(ok)
}

/// An outcome's parts.
fn said(outcome: &Outcome) -> Result<Value, OpError> {
    let (mut problems, mut notes, mut reason, mut disagreement) = (Vec::new(), Vec::new(), None, None);
    let (mut retry_at, mut is_private) = (None, false);
    match outcome {
        Outcome::Store {
            problems: found, notes: remarks, disagreement: what, is_private: private, ..
        } => {
            problems = found.iter().map(|problem| problem.code.code()).collect();
            notes = remarks.iter().map(|note| note.code()).collect();
            (disagreement, is_private) = (*what, *private);
        }
        Outcome::UseOnce { problems: found, .. } => {
            problems = found.iter().map(|problem| problem.code.code()).collect();
        }
        Outcome::Keep { disagreement: what, .. } | Outcome::Restore { disagreement: what, .. } => {
            disagreement = *what;
        }
        Outcome::Refuse { reason: why, problems: found } => {
            problems = found.iter().map(|problem| problem.code.code()).collect();
            reason = Some(why.code());
        }
        Outcome::Unavailable { retry_at: at } => retry_at = Some(at.0),
        _ => {}
    }
    Ok(json!({
        "outcome": outcome.name(),
        "reason": reason,
        "problems": problems,
        "notes": notes,
        "disagreement": disagreement.map(Disagreement::code),
        "retry_at_s": retry_at,
        "private": is_private,
        "held": serde_json::to_value(outcome.held()).map_err(bad)?,
    }))
}

fn crawl(input: &Input<'_>) -> Result<Value, OpError> {
    let start = CUrl::parse(input.text("start")?).map_err(|error| OpError::of(error.kind(), error))?;
    let from_json = |name: &str| input.get(name).cloned().unwrap_or_else(|| json!({}));
    let mut pages: BTreeMap<String, PageState> = serde_json::from_value(from_json("pages")).map_err(bad)?;
    let site: SiteState = serde_json::from_value(from_json("site")).map_err(bad)?;
    let mut now = UnixSeconds(input.u64_opt("now_s")?.unwrap_or(0));
    let mut policy = CrawlPolicy::default();
    if input.bool_opt("probe")?.unwrap_or(false) {
        policy = policy.with_probes();
    }
    let none = serde_json::Map::new();
    let answers = input.object_opt("answers")?.unwrap_or(&none);
    let mut answers: BTreeMap<&str, VecDeque<&Value>> = answers
        .iter()
        .map(|(url, value)| match value.as_array() {
            Some(several) => (url.as_str(), several.iter().collect()),
            None => (url.as_str(), VecDeque::from([value])),
        })
        .collect();
    let mut crawl = Crawl::resume(&start, site, policy).with_robots_lines(input.texts("robots")?);
    let (mut requests, mut events, mut reports) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..MAX_TURNS {
        match crawl.next(&pages, now) {
            CrawlNext::Send(wanted) => {
                requests.push(described(&wanted.request));
                let url = wanted.request.uri().to_string();
                // The last answer of a URL stays; what is not there is 404.
                let queue = answers.get_mut(url.as_str());
                let next = queue.and_then(|queue| match queue.len() {
                    0 | 1 => queue.front().copied(),
                    _ => queue.pop_front(),
                });
                let missing = json!({ "status": 404 });
                match answer(next.unwrap_or(&missing))? {
                    None => crawl.on_failure(wanted.id, now).map_err(bad)?,
                    Some(Answer { from, response }) => {
                        let from = from.map_or_else(|| Url::parse(&url), Ok).map_err(bad)?;
                        crawl.on_response(wanted.id, &from, &response, &pages, now).map_err(bad)?;
                    }
                }
            }
            CrawlNext::Page(report) => {
                let event = match &report.event {
                    PageEvent::Visited(outcome) => outcome.name(),
                    _ => "unlisted",
                };
                reports.push(json!({ "key": report.key, "event": event }));
                match report.state {
                    Some(state) => pages.insert(report.key, state),
                    None => pages.remove(&report.key),
                };
            }
            CrawlNext::Site(event) => events.push(SiteEvent::code(&event)),
            CrawlNext::Wait => match crawl.wake_at(now) {
                Some(at) => now = at,
                None => return Err(OpError::new("internal", "the crawl waits for nothing")),
            },
            CrawlNext::Done => {
                return Ok(json!({
                    "requests": requests,
                    "events": events,
                    "reports": reports,
                    "pages": serde_json::to_value(&pages).map_err(bad)?,
                    "site": serde_json::to_value(crawl.site()).map_err(bad)?,
                    "now_s": now.0,
                }));
            }
            _ => return Err(OpError::new("internal", "the crawl asks for something unknown")),
        }
    }
    Err(OpError::new("internal", "the crawl does not end"))
}
