//! `ready`: the audit of a recorded site.

use ::ready::{Audit, Method, Options, Request, Response, Step};
use serde_json::{Map, Value, json};
use url::Url;

use crate::op::text;
use crate::{Input, Op, OpError};

pub(super) const OPS: &[(&str, Op)] = &[("audit.ready", audit)];

/// A recorded response, and the request that it answers.
struct Entry<'a> {
    url: Url,
    method: Method,
    request_headers: Vec<(&'a str, &'a str)>,
    response: Response,
}

fn audit(input: &Input<'_>) -> Result<String, OpError> {
    let url = |text: &str| {
        Url::parse(text).map_err(|error| OpError::new("bad-request", format!("{text}: {error}")))
    };
    let mut entries = Vec::new();
    for item in input.objects("responses")? {
        let method = match item.text_opt("method")? {
            None | Some("GET") => Method::Get,
            Some("HEAD") => Method::Head,
            // No check sends another.
            Some(_) => continue,
        };
        let status = item.status("status")?;
        let headers =
            item.pairs("headers")?.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let body = item.bytes("body_b64")?;
        let mut at = url(item.text("url")?)?;
        at.set_fragment(None);
        let response = Response { status, headers: headers.collect(), body };
        entries.push(Entry {
            url: at,
            method,
            request_headers: item.pairs_opt("request_headers")?,
            response,
        });
    }
    let pages = input.texts_opt("pages")?.into_iter().map(url).collect::<Result<Vec<_>, _>>()?;
    // What was recorded costs nobody a model call.
    let options = Options { may_ask: true, ..Options::default() };
    let mut audit = Audit::new(url(input.text("url")?)?, pages, options);
    let checks = loop {
        match audit.step() {
            Step::Ask(requests) => {
                for request in requests {
                    let response = find(&entries, &request);
                    audit.answer(request, response);
                }
            }
            Step::Done(checks) => break checks,
        }
    };
    // Of the checks that a case is about, the verdicts alone.
    let verdicts: Map<String, Value> = input
        .texts_opt("ids")?
        .into_iter()
        .filter_map(|id| checks.iter().find(|check| check.row.id() == id))
        .map(|check| (check.row.id().to_owned(), check.verdict.name().into()))
        .collect();
    let checks: Vec<Value> = checks.iter().map(|check| json!(check)).collect();
    text(Ok(json!({ "checks": checks, "verdicts": verdicts })))
}

/// The answer to a request: entries with request headers go before those without, HEAD is answered from GET.
fn find(entries: &[Entry<'_>], request: &Request) -> Response {
    let sent = [("accept", request.accept)];
    let is_sent = |(name, value): &(&str, &str)| {
        sent.iter().any(|(known, wanted)| name.eq_ignore_ascii_case(known) && value == wanted)
    };
    let of_method = |method: Method| {
        let same = entries.iter().filter(move |entry| entry.method == method && entry.url == request.url);
        let fitting: Vec<&Entry<'_>> =
            same.filter(|entry| entry.request_headers.iter().all(is_sent)).collect();
        let special = fitting.iter().find(|entry| !entry.request_headers.is_empty());
        special.or(fitting.first()).map(|entry| entry.response.clone())
    };
    let found = of_method(request.method);
    let found = found.or_else(|| (request.method == Method::Head).then(|| of_method(Method::Get)).flatten());
    match found {
        Some(response) if request.method == Method::Head => Response { body: Vec::new(), ..response },
        Some(response) => response,
        None => Response {
            status: 404,
            headers: vec![("Content-Type".to_owned(), "text/plain".to_owned())],
            body: Vec::new(),
        },
    }
}
