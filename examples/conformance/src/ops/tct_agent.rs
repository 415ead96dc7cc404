//! `tct.visit` and `tct.crawl`: the agent's state machines, played against the answers of a request's `in`.

use std::collections::{BTreeMap, VecDeque};

use http::header::{CACHE_CONTROL, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use serde_json::{Value, json};
use tct::crawl::{CrawlRequest, MemoryStore, PageEvent, Pages, RequestId, RequestKind, SiteEvent};
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
const MAX_TURNS: usize = 1_000_000;

/// What answers a request: `null` stands for no answer.
struct Answer {
    from: Option<Url>,
    response: Response<Vec<u8>>,
    /// After how many bytes of the body the connection ends, where it does.
    cut: Option<usize>,
}

fn answer(value: &Value) -> Result<Option<Answer>, OpError> {
    let members = match value {
        Value::Null => return Ok(None),
        Value::Object(members) => members,
        other => return Err(bad(format!("in.answers: expected an object or null, found {other}"))),
    };
    let input = Input::new(members);
    let mut response = Response::new(input.bytes_opt("body_b64")?.unwrap_or_default());
    let status = u16::try_from(input.u64_opt("status")?.unwrap_or(200)).map_err(bad)?;
    *response.status_mut() = StatusCode::from_u16(status).map_err(bad)?;
    let headers: &mut HeaderMap = response.headers_mut();
    for (name, value) in input.pairs_opt("headers")? {
        let name =
            HeaderName::from_bytes(name.as_bytes()).map_err(|error| OpError::new("bad-request", error))?;
        headers
            .append(name, HeaderValue::from_str(value).map_err(|error| OpError::new("bad-request", error))?);
    }
    let from = input.text_opt("url")?.map(Url::parse).transpose();
    let from = from.map_err(|error| OpError::new("bad-request", error))?;
    let cut = input.u64_opt("cut")?.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    Ok(Some(Answer { from, response, cut }))
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
    // As objects alone: serde would read a record from an array, too.
    let held = input.object_opt("held")?.cloned().map(|held| serde_json::from_value::<HeldPage>(held.into()));
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
            None | Some(Answer { cut: Some(_), .. }) => visit.on_failure(now),
            Some(Answer { from, response, .. }) => {
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

/// How a crawl's answers come.
struct Network<'a> {
    /// What answers each URL: the last one stays, and what is not there is 404.
    answers: BTreeMap<&'a str, VecDeque<&'a Value>>,
    withheld: Vec<&'a str>,
    parallel: usize,
    is_last_first: bool,
    pieces: usize,
    /// Requests that are not answered, in the order in which they were asked.
    asked: VecDeque<CrawlRequest>,
    /// Bodies that are coming, in the order of their turns.
    bodies: VecDeque<Body>,
    /// Whether a piece comes before an answer where both could.
    is_turn_of_bodies: bool,
}

/// A body that is coming.
struct Body {
    id: RequestId,
    rest: VecDeque<Vec<u8>>,
    is_cut: bool,
}

impl<'a> Network<'a> {
    fn of(input: &Input<'a>) -> Result<Self, OpError> {
        let listed = |value: &'a Value| match value.as_array() {
            Some(several) => several.iter().collect(),
            None => VecDeque::from([value]),
        };
        let answers = input.object("answers")?.iter();
        let number = |name| {
            let found = input.u64_opt(name)?.unwrap_or(1);
            Ok::<_, OpError>(usize::try_from(found).unwrap_or(usize::MAX).max(1))
        };
        Ok(Network {
            answers: answers.map(|(url, value)| (url.as_str(), listed(value))).collect(),
            withheld: input.texts_opt("withheld")?,
            parallel: number("parallel")?,
            is_last_first: match input.text_opt("order")? {
                None | Some("first") => false,
                Some("last") => true,
                Some(other) => return Err(bad(format!("in.order: expected first or last, found {other:?}"))),
            },
            pieces: number("pieces")?,
            asked: VecDeque::new(),
            bodies: VecDeque::new(),
            is_turn_of_bodies: true,
        })
    }

    fn is_withheld(&self, wanted: &CrawlRequest) -> bool {
        self.withheld.iter().any(|beginning| wanted.url.as_str().starts_with(beginning))
    }

    fn answer(&mut self, url: &str) -> Result<Option<Answer>, OpError> {
        let next = self.answers.get_mut(url).and_then(|queue| match queue.len() {
            0 | 1 => queue.front().copied(),
            _ => queue.pop_front(),
        });
        next.map_or_else(|| answer(&json!({ "status": 404 })), answer)
    }

    /// Lets one thing happen: a piece of a body, or an answer. Returns false where there is neither.
    fn step(&mut self, crawl: &mut Crawl, pages: &MemoryStore, now: UnixSeconds) -> Result<bool, OpError> {
        let body = self.bodies.iter().position(|body| crawl.wants_chunk(body.id));
        self.is_turn_of_bodies = !self.is_turn_of_bodies;
        match body {
            Some(body) if self.is_turn_of_bodies || self.asked.is_empty() => {
                // The one that had its turn goes behind the others.
                if let Some(mut body) = self.bodies.remove(body)
                    && body.next(crawl, pages, now)?
                {
                    self.bodies.push_back(body);
                }
            }
            _ if self.asked.is_empty() => return Ok(false),
            _ => self.respond(crawl, pages, now)?,
        }
        Ok(true)
    }

    fn respond(&mut self, crawl: &mut Crawl, pages: &MemoryStore, now: UnixSeconds) -> Result<(), OpError> {
        let next = if self.is_last_first { self.asked.pop_back() } else { self.asked.pop_front() };
        let Some(CrawlRequest { id, url, request, kind, .. }) = next else { return Ok(()) };
        let Some(Answer { from, response, cut }) = self.answer(&request.uri().to_string())? else {
            return crawl.on_failure(id, now).map_err(bad);
        };
        let from = from.unwrap_or(url);
        if kind != RequestKind::Sitemap {
            return match cut {
                Some(_) => crawl.on_failure(id, now),
                None => crawl.on_response(id, &from, &response, pages, now),
            }
            .map_err(bad);
        }
        let (head, mut body) = response.into_parts();
        body.truncate(cut.unwrap_or(body.len()));
        if crawl.on_head(id, &from, &Response::from_parts(head, ()), now).map_err(bad)? {
            let size = body.len().div_ceil(self.pieces).max(1);
            let rest = body.chunks(size).map(<[u8]>::to_vec).collect();
            let mut body = Body { id, rest, is_cut: cut.is_some() };
            if self.pieces > 1 {
                self.bodies.push_back(body);
                return Ok(());
            }
            // A whole body comes with its head.
            while body.next(crawl, pages, now)? {}
        }
        Ok(())
    }
}

impl Body {
    /// Hands in the next piece, or the end. Returns whether more is to come.
    fn next(&mut self, crawl: &mut Crawl, pages: &MemoryStore, now: UnixSeconds) -> Result<bool, OpError> {
        let piece = self.rest.pop_front();
        match &piece {
            Some(piece) => crawl.on_chunk(self.id, piece, pages, now),
            None if self.is_cut => crawl.on_failure(self.id, now),
            None => crawl.on_chunks_end(self.id, now),
        }
        .map_err(bad)?;
        Ok(piece.is_some())
    }
}

fn crawl(input: &Input<'_>) -> Result<Value, OpError> {
    let start = CUrl::parse(input.text("start")?).map_err(|error| OpError::of(error.kind(), error))?;
    let from_json =
        |name| Ok::<_, OpError>(Value::from(input.object_opt(name)?.cloned().unwrap_or_default()));
    let mut pages = MemoryStore::default();
    for (key, state) in
        serde_json::from_value::<BTreeMap<String, PageState>>(from_json("pages")?).map_err(bad)?
    {
        pages.insert(key, state);
    }
    let site: SiteState = serde_json::from_value(from_json("site")?).map_err(bad)?;
    let mut now = UnixSeconds(input.u64_opt("now_s")?.unwrap_or(0));
    let mut network = Network::of(input)?;
    let mut policy = CrawlPolicy::default().with_parallel(network.parallel);
    if input.bool_opt("probe")?.unwrap_or(false) {
        policy = policy.with_probes();
    }
    let mut crawl = Crawl::resume(&start, site, policy).with_robots_lines(input.texts_opt("robots")?);
    let (mut requests, mut events, mut reports) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..MAX_TURNS {
        let is_open = network.asked.len() >= network.parallel;
        if is_open && network.step(&mut crawl, &pages, now)? {
            continue;
        }
        match crawl.next(&pages, now) {
            CrawlNext::Send(wanted) if network.is_withheld(&wanted) => {
                crawl.on_withheld(wanted.id, now).map_err(bad)?;
            }
            CrawlNext::Send(wanted) => {
                requests.push(described(&wanted.request));
                network.asked.push_back(wanted);
            }
            CrawlNext::Page(report) => {
                let was_unlisted =
                    pages.page(&report.key).is_some_and(|state| state.unlisted_since.is_some());
                let event = match &report.event {
                    PageEvent::Visited(outcome) => Some(outcome.name()),
                    PageEvent::Unlisted => Some("unlisted"),
                    // A hash that is new to a page's state alone is not worth a line.
                    _ => was_unlisted.then_some("listed"),
                };
                reports.extend(event.map(|event| json!({ "key": report.key, "event": event })));
                pages.take(*report);
            }
            CrawlNext::Site(event) => events.push(SiteEvent::code(&event)),
            CrawlNext::Wait => {
                if !network.step(&mut crawl, &pages, now)? {
                    now = match crawl.wake_at(now) {
                        Some(at) if at > now => at,
                        _ => return Err(OpError::new("internal", "the crawl waits for nothing")),
                    };
                }
            }
            CrawlNext::Done => {
                return Ok(json!({
                    "requests": requests,
                    "events": events,
                    "reports": reports,
                    "pages": serde_json::to_value(pages.pages()).map_err(bad)?,
                    "site": serde_json::to_value(crawl.site()).map_err(bad)?,
                    "now_s": now.0,
                }));
            }
            _ => return Err(OpError::new("internal", "the crawl asks for something unknown")),
        }
    }
    Err(OpError::new("internal", "the crawl does not end"))
}
