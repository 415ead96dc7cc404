//! Collects every signal about the use of the page, and decides for each purpose.

use http::StatusCode;
use robots::{Directives, Preferences, RequestPath};
use signals::{
    Purpose, RslDocument, RslLinks, RslState, Says, SignalReason, Signals, TctPolicy, TdmRep, UsePrice,
    Verdict, decide,
};
use tct::PolicyDescriptor;
use url::Url;

use crate::Context;
use crate::finding::Check;
use crate::report::Use;

/// No more licences than this are read.
const MAX_LICENSES: usize = 5;

pub(crate) async fn run(context: &mut Context) -> Vec<Use> {
    let start = context.start.clone();
    let fields = start.fields();
    let mut directives = Directives::of_headers(fields.iter(), &context.agent);
    directives.add_html(&start.body, &context.agent);
    let stated = Preferences::of_robots(&context.robots, &context.agent, &start.url);
    let signals = Signals {
        may_fetch: Some(context.robots.decide(&context.agent, &start.url).is_allowed()),
        preferences: stated.merge(Preferences::of_headers(fields.iter())),
        rsl: read_licenses(context).await,
        tdmrep: read_tdmrep(context).await,
        directives,
        tct: context.policy.as_ref().map(tct_policy).unwrap_or_default(),
        price: UsePrice::of_response(start.status.as_u16(), fields.iter()),
    };
    let judge = |purpose: Purpose| {
        // The audit has a contract with nobody.
        let decision = decide(&signals, purpose, &[]);
        // Of a source that decided, not every statement did: a refusal owes nothing to a condition.
        let decides = |reason: &SignalReason| {
            decision.by.contains(&reason.source)
                && match (decision.verdict, &reason.says) {
                    (Verdict::Deny, says) => *says == Says::No,
                    (Verdict::Later, says) => *says == Says::Unknown,
                    _ => true,
                }
        };
        let decided = decision.reasons.iter().filter(|reason| decides(reason));
        Use {
            purpose: purpose.name(),
            decision: decision.verdict.name(),
            decided_by: decided.map(ToString::to_string).collect(),
            reasons: decision.reasons.iter().map(ToString::to_string).collect(),
            obligations: decision.obligations.into_iter().collect(),
            caveats: decision.caveats.into_iter().collect(),
        }
    };
    Purpose::ALL.into_iter().map(judge).collect()
}

/// Reads `tdmrep.json`, then the page's own fields and elements, which take precedence.
async fn read_tdmrep(context: &mut Context) -> TdmRep {
    let mut stated = TdmRep::default();
    let start = context.start.clone();
    if let Some(url) = context.at("/.well-known/tdmrep.json") {
        // Nobody offered this file, so robots.txt may close it: what it says is unknown then, as it is without an answer.
        let may_fetch = context.robots.decide(&context.agent, &url).is_allowed();
        let answer = if may_fetch { context.client.get(&url).await.ok() } else { None };
        let (status, body) =
            answer.as_ref().map_or((0, &[][..]), |answer| (answer.status.as_u16(), &answer.body[..]));
        stated.add_well_known_response(status, RequestPath::of_url(start.url.as_str()), body);
        let found = match status {
            _ if stated.is_file_unreadable() => Some("something else".to_owned()),
            _ if stated.is_file_out_of_reach() && status != 0 => Some(format!("status {status}")),
            _ => None,
        };
        if let Some(found) = found {
            let expected = "a JSON array of reservations, or 404";
            context.findings.add(Check::TdmRepUnreadable, url.as_str(), expected, &found);
        }
    }
    stated.add_headers(start.fields().iter());
    stated.add_html(&start.body);
    stated
}

/// The licences of the page itself, and behind them those of robots.txt; `None` where none is announced.
async fn read_licenses(context: &mut Context) -> Option<RslState> {
    let start = context.start.clone();
    let (fields, html) =
        (RslLinks::of_headers(start.fields().iter()), RslLinks::of_html(&start.body, &start.url));
    let lines = context.robots.licenses(&context.agent);
    let far: Vec<Url> = lines.urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
    let mut near: Vec<Option<String>> = html
        .documents
        .into_iter()
        .chain(fields.documents)
        .map(|text| readable(context, start.url.as_str(), Ok(text)))
        .collect();
    near.extend(documents(context, [fields.urls, html.urls].concat()).await);
    let far = documents(context, far).await;
    RslState::of_documents(&start.url, near, far)
}

/// Fetches the documents at these addresses; one that cannot be fetched or read is `None`, and a
/// finding.
async fn documents(context: &mut Context, urls: Vec<Url>) -> Vec<Option<String>> {
    let mut found = Vec::new();
    for url in urls.into_iter().take(MAX_LICENSES) {
        let text = match context.get(&url).await {
            Some(answer) if answer.status == StatusCode::OK => {
                Ok(String::from_utf8_lossy(&answer.body).into_owned())
            }
            Some(answer) => Err(format!("status {}", answer.status.as_u16())),
            None => Err("no answer".to_owned()),
        };
        found.push(readable(context, url.as_str(), text));
    }
    found
}

fn readable(context: &mut Context, place: &str, text: Result<String, String>) -> Option<String> {
    let checked = text.and_then(|text| match RslDocument::parse(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(error.to_string()),
    });
    checked
        .map_err(|found| {
            context.findings.add(Check::LicenseUnreadable, place, "a valid RSL document", &found)
        })
        .ok()
}

fn tct_policy(policy: &PolicyDescriptor) -> TctPolicy {
    TctPolicy {
        allow_search_indexing: policy.search_indexing.stated(),
        allow_ai_input: policy.ai_input.stated(),
        allow_ai_train: policy.ai_train.stated(),
        requires_attribution: policy.attribution == Some(true),
        requires_link_back: policy.link_back == Some(true),
        requires_notice: policy.notice == Some(true),
    }
}
