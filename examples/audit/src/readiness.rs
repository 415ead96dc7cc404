//! Agent readiness: runs the checks of the crate `ready` on this site and computes the scores.
//!
//! `ready` says which requests it needs and judges the responses; here they are sent, one at a time, within robots.txt and
//! under a limit, and the verdicts become scores.

use std::collections::BTreeSet;

use clap::ValueEnum;
use http::header::{ACCEPT, ACCEPT_ENCODING};
use ready::{ANY, Audit, Check, Group, Level, Method, Request, Response, Row, Step, Verdict};
use serde::Serialize;
use url::Url;

use crate::finding::Severity;
use crate::{AuditError, Context};

/// Requests for the first page and the site's own documents.
const MAX_REQUESTS: usize = 400;
/// Requests for each further page: its forms, its missing neighbour, links.
const MAX_REQUESTS_A_PAGE: usize = 12;

/// Which groups of checks matter to a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Documentation: finding, Markdown, llms.txt, pages, HTTP
    Docs,
    /// Any site: the same, rights and identity
    #[default]
    Site,
    /// A shop: the same, interfaces and payment
    Shop,
    /// Every group
    All,
}

impl Profile {
    /// Whether the profile has a group.
    #[must_use]
    pub fn has(self, group: Group) -> bool {
        match group {
            Group::Rights => self != Profile::Docs,
            // What is there and broken matters to everybody; what is absent is skipped.
            Group::Interfaces => self != Profile::Docs,
            Group::Payment => matches!(self, Profile::Shop | Profile::All),
            _ => true,
        }
    }
}

/// A check with its group and severity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadyCheck {
    /// The check and its verdict.
    #[serde(flatten)]
    pub check: Check,
    /// Its group.
    pub group: Group,
    /// Its severity, if it did not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
}

/// The score of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Score {
    /// The group.
    pub group: Group,
    /// 0 to 100, without skipped checks; `None` if all were skipped.
    pub points: Option<u32>,
    /// The check whose fix would raise it most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend_first: Option<Row>,
}

/// The results of the checks.
#[derive(Debug, Clone, Serialize)]
pub struct Readiness {
    /// Which groups count.
    pub profile: Profile,
    /// 0 to 100, over all groups.
    pub points: Option<u32>,
    /// The groups.
    pub scores: Vec<Score>,
    /// The three checks whose remedy would raise the points most.
    pub mend_first: Vec<Row>,
    /// The pages that were looked at.
    pub pages: Vec<String>,
    /// How many requests it took.
    pub requests: usize,
    /// The checks of the profile's groups.
    pub checks: Vec<ReadyCheck>,
}

/// The severity of a verdict: a warning is one step below a failure.
#[must_use]
pub fn severity(row: Row, verdict: Verdict) -> Option<Severity> {
    match (verdict, row.level()) {
        (Verdict::Fail, Level::Must) => Some(Severity::Error),
        (Verdict::Fail, Level::Should) | (Verdict::Warn, Level::Must) => Some(Severity::Warning),
        (Verdict::Fail | Verdict::Warn, _) => Some(Severity::Notice),
        _ => None,
    }
}

/// Twice the points that a check misses, and twice those that it could have.
fn points_of(check: &Check) -> (u32, u32) {
    let most = 2 * check.row.level().weight();
    match check.verdict {
        // An estimate of somebody else's level is no merit.
        _ if check.row == Row::Cf1 => (0, 0),
        Verdict::Pass => (0, most),
        Verdict::Warn => (most / 2, most),
        Verdict::Fail => (most, most),
        Verdict::Skip => (0, 0),
    }
}

fn score<'a>(checks: impl Iterator<Item = &'a ReadyCheck>) -> Option<u32> {
    let (missed, most) = checks
        .map(|found| points_of(&found.check))
        .fold((0, 0), |(missed, most), (a, b)| (missed + a, most + b));
    // A site that misses something has not all the points, however many checks there are.
    let points = 100 - (100 * missed).checked_div(most)?;
    Some(if missed > 0 { points.min(99) } else { points })
}

impl Readiness {
    /// The scores of these verdicts for a profile.
    #[must_use]
    pub fn of(checks: Vec<Check>, profile: Profile, pages: Vec<String>, requests: usize) -> Self {
        let checks: Vec<ReadyCheck> = checks
            .into_iter()
            .filter(|check| profile.has(check.row.group()))
            .map(|check| ReadyCheck {
                group: check.row.group(),
                severity: severity(check.row, check.verdict),
                check,
            })
            .collect();
        let by_loss = |group: Option<Group>| {
            let mut found: Vec<&ReadyCheck> = checks
                .iter()
                .filter(|found| group.is_none_or(|group| found.group == group) && found.severity.is_some())
                .collect();
            found.sort_by_key(|found| std::cmp::Reverse(points_of(&found.check).0));
            found.into_iter().map(|found| found.check.row).collect::<Vec<Row>>()
        };
        let scores = Group::ALL.into_iter().filter(|group| profile.has(*group)).map(|group| Score {
            group,
            points: score(checks.iter().filter(|found| found.group == group)),
            mend_first: by_loss(Some(group)).first().copied(),
        });
        Readiness {
            profile,
            points: score(checks.iter()),
            scores: scores.collect(),
            mend_first: by_loss(None).into_iter().take(3).collect(),
            pages,
            requests,
            checks,
        }
    }

    /// The checks that did not pass, the worst first.
    #[must_use]
    pub fn to_mend(&self) -> Vec<&ReadyCheck> {
        let mut found: Vec<&ReadyCheck> =
            self.checks.iter().filter(|found| found.severity.is_some()).collect();
        found.sort_by_key(|found| found.severity);
        found
    }

    /// How many checks of this severity there are.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.checks.iter().filter(|found| found.severity == Some(severity)).count()
    }
}

/// Another checker whose check names can be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Other {
    /// The npm package afdocs, 28 checks
    Afdocs,
    /// isitagentready.com, 22 checks
    Isitagentready,
}

impl Other {
    /// The other checker's name of a check.
    #[must_use]
    pub fn name_of(self, row: Row) -> Option<&'static str> {
        match self {
            Other::Afdocs => row.afdocs(),
            Other::Isitagentready => row.isitagentready(),
        }
    }
}

/// Looks at the start page and at some of the pages that the site lists.
pub(crate) async fn run(context: &Context, profile: Profile) -> Readiness {
    let now = u64::try_from(jiff::Timestamp::now().as_second()).ok();
    let mut audit = Audit::new(context.start.url.clone(), Vec::new(), ready::Options { may_ask: false, now });
    let mut outcomes = Vec::new();
    loop {
        let requests = audit.add_listed(context.options.pages.saturating_sub(1));
        if requests.is_empty() {
            break;
        }
        answer(context, &mut audit, requests, &mut outcomes, MAX_REQUESTS).await;
    }
    let pages: Vec<String> = audit.pages().iter().map(Url::to_string).collect();
    let most = MAX_REQUESTS + pages.len() * MAX_REQUESTS_A_PAGE;
    let mut checks = loop {
        match audit.step() {
            Step::Ask(requests) => answer(context, &mut audit, requests, &mut outcomes, most).await,
            Step::Done(checks) => break checks,
        }
    };
    if let Some(check) = checks.iter_mut().find(|check| check.row == Row::Http6) {
        let (verdict, detail) = doors(&outcomes);
        *check = Check { row: Row::Http6, verdict, detail: Some(detail) };
    }
    Readiness::of(checks, profile, pages, outcomes.len())
}

/// How a request ended, to detect bot protection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Answered,
    /// No answer, or a refusal that is not about what was asked for.
    Refused,
    /// A page with a challenge such as a CAPTCHA.
    Challenged,
}

impl Ending {
    fn of(response: &Response) -> Self {
        let has = |name: &str| response.headers.iter().any(|(found, _)| found.eq_ignore_ascii_case(name));
        let is_refusal = matches!(response.status, 403 | 429 | 503);
        let start = response.body.get(..response.body.len().min(20_000)).unwrap_or_default();
        let text = String::from_utf8_lossy(start).to_ascii_lowercase();
        let marks = ["captcha", "challenge-platform", "cf-chl", "just a moment", "verify you are human"];
        match response.status {
            _ if has("cf-mitigated") => Ending::Challenged,
            _ if is_refusal && marks.iter().any(|mark| text.contains(mark)) => Ending::Challenged,
            0 => Ending::Refused,
            _ if is_refusal => Ending::Refused,
            _ => Ending::Answered,
        }
    }
}

/// Whether bot protection blocked the audit during the run. Spec: READY-HTTP-6.
fn doors(endings: &[Ending]) -> (Verdict, String) {
    let bad = |part: &[Ending]| part.iter().filter(|ending| **ending != Ending::Answered).count();
    let all = endings.len();
    let challenged = endings.iter().position(|ending| *ending == Ending::Challenged);
    if let Some(after) = challenged.and_then(|at| endings.get(at..)) {
        let failed = bad(after);
        let is_closed = after.len() >= 10 && failed >= 5 && 2 * failed >= after.len();
        let verdict = if is_closed { Verdict::Fail } else { Verdict::Warn };
        return (
            verdict,
            format!("a challenge, and {failed} of {} requests from there refused", after.len()),
        );
    }
    let third = all / 3;
    let (first, last) = (endings.get(..third), endings.get(all - third..));
    let (first, last) = (first.map_or(0, bad), last.map_or(0, bad));
    if all >= 20 && 5 * last >= third && last >= 3 * first.max(1) {
        return (Verdict::Warn, format!("{last} of the last {third} requests refused, {first} of the first"));
    }
    (Verdict::Pass, format!("{} of {all} requests answered", all - bad(endings)))
}

/// Sends requests. Those past the limit count as unanswered.
async fn answer(
    context: &Context,
    audit: &mut Audit,
    requests: Vec<Request>,
    endings: &mut Vec<Ending>,
    most: usize,
) {
    context.client.expect(requests.len());
    for request in requests {
        let response = match endings.len() < most {
            true => send(context, &request).await,
            false => None,
        };
        endings.extend(response.as_ref().map(Ending::of));
        audit.answer(request, response.unwrap_or_default());
    }
}

/// The response to a request, an empty one where nobody answers; `None` where the robots.txt of its host forbids it.
async fn send(context: &Context, request: &Request) -> Option<Response> {
    let method = if request.method == Method::Head { http::Method::HEAD } else { http::Method::GET };
    let built = http::Request::builder()
        .method(method)
        .uri(request.url.as_str())
        .header(ACCEPT, request.accept)
        .header(ACCEPT_ENCODING, "gzip, br")
        .body(());
    let answer = match context.client.send_direct(built.ok()?).await {
        Ok(answer) => answer,
        Err(AuditError::Closed { .. }) => return None,
        Err(_) => return Some(Response::default()),
    };
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    Some(Response {
        status: answer.status.as_u16(),
        headers: answer.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect(),
        body: answer.body.to_vec(),
    })
}

/// Checks that need a server's responses, which a folder of files does not have.
const OF_SERVERS: [Row; 16] = [
    Row::Cs3,
    Row::Link1,
    Row::Link2,
    Row::Md1,
    Row::Md2,
    Row::Md3,
    Row::Md4,
    Row::Http1,
    Row::Http3,
    Row::Api2,
    Row::Api3,
    Row::Api5,
    Row::Wba2,
    Row::Mcp3,
    Row::Mcp4,
    Row::OAuth5,
];

/// Runs the checks on a folder as if a plain server served it at `url`. Checks of a server's responses are skipped.
pub fn of_files(
    url: &Url,
    profile: Profile,
    pages: usize,
    file: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Readiness {
    let mut audit = Audit::new(url.clone(), Vec::new(), ready::Options::default());
    let mut seen = BTreeSet::new();
    let mut answer = |audit: &mut Audit, requests: Vec<Request>| {
        for request in requests {
            seen.insert(request.url.clone());
            let response = serve(url, &request, file);
            audit.answer(request, response);
        }
    };
    loop {
        let requests = audit.add_listed(pages.saturating_sub(1));
        if requests.is_empty() {
            break;
        }
        answer(&mut audit, requests);
    }
    let mut checks = loop {
        match audit.step() {
            Step::Ask(requests) => answer(&mut audit, requests),
            Step::Done(checks) => break checks,
        }
    };
    let names = audit.pages().iter().map(Url::to_string).collect();
    let is_root = url.path() == "/";
    let is_untold = |row: Row| OF_SERVERS.contains(&row) || !is_root && row.group() == Group::Discovery;
    for check in checks.iter_mut().filter(|check| is_untold(check.row)) {
        check.verdict = Verdict::Skip;
        check.detail = Some("a folder cannot tell".to_owned());
    }
    Readiness::of(checks, profile, names, seen.len())
}

/// The files that a plain server looks for.
pub(crate) fn candidates(path: &str) -> Vec<String> {
    match path.ends_with('/') {
        true => vec![format!("{path}index.html")],
        false => vec![path.to_owned(), format!("{path}.html"), format!("{path}/index.html")],
    }
}

/// A plain server's answer: index files for folders, `.html` for pages without an ending.
fn serve(url: &Url, request: &Request, file: &dyn Fn(&str) -> Option<Vec<u8>>) -> Response {
    let missing = || Response {
        status: 404,
        headers: vec![("Content-Type".into(), "text/plain".into())],
        body: Vec::new(),
    };
    if request.url.origin() != url.origin() {
        return Response::default();
    }
    // Whoever asks for another form gets what there is.
    debug_assert!(request.accept.contains('/') || request.accept == ANY);
    let path = percent_encoding::percent_decode_str(request.url.path()).decode_utf8_lossy().into_owned();
    let Some((name, body)) =
        candidates(&path).into_iter().find_map(|name| Some((name.clone(), file(&name)?)))
    else {
        return missing();
    };
    let ending = name.rsplit('.').next().unwrap_or_default();
    let media_type = match ending {
        "html" | "htm" => "text/html; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "xml" => "application/xml",
        "json" => "application/json",
        _ => "application/octet-stream",
    };
    let body = if request.method == Method::Head { Vec::new() } else { body };
    Response { status: 200, headers: vec![("Content-Type".into(), media_type.into())], body }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(row: Row, verdict: Verdict) -> Check {
        Check { row, verdict, detail: None }
    }

    #[test]
    fn points_are_weighed_and_skips_do_not_count() {
        let checks = vec![
            check(Row::Robots1, Verdict::Pass),
            check(Row::Map1, Verdict::Fail),
            check(Row::Link1, Verdict::Warn),
            check(Row::Mcp1, Verdict::Skip),
            check(Row::Pay2, Verdict::Fail),
        ];
        let found = Readiness::of(checks, Profile::Site, Vec::new(), 0);
        // 4 of 4, 0 of 4 and 1.5 of 3 points.
        assert_eq!(found.points, Some(50));
        assert_eq!(found.mend_first, [Row::Map1, Row::Link1]);
        let interfaces = found.scores.iter().find(|score| score.group == Group::Interfaces).unwrap();
        assert_eq!((interfaces.points, interfaces.mend_first), (None, None));
        assert_eq!((found.count(Severity::Error), found.count(Severity::Notice)), (1, 1));
        let whole = Readiness::of(vec![check(Row::Robots1, Verdict::Pass)], Profile::Docs, Vec::new(), 0);
        assert_eq!(whole.points, Some(100));
    }

    #[test]
    fn a_wall_is_told_from_single_refusals() {
        use Ending::{Answered, Challenged, Refused};
        let run = |parts: &[(Ending, usize)]| {
            let endings: Vec<Ending> =
                parts.iter().flat_map(|(ending, times)| std::iter::repeat_n(*ending, *times)).collect();
            doors(&endings).0
        };
        assert_eq!(run(&[(Answered, 30)]), Verdict::Pass);
        assert_eq!(run(&[(Refused, 3), (Answered, 30)]), Verdict::Pass);
        assert_eq!(run(&[(Answered, 20), (Refused, 10)]), Verdict::Warn);
        assert_eq!(run(&[(Answered, 20), (Challenged, 1), (Answered, 20)]), Verdict::Warn);
        assert_eq!(run(&[(Answered, 20), (Challenged, 1), (Refused, 9)]), Verdict::Fail);
        assert_eq!(run(&[]), Verdict::Pass);
        let response = |status, body: &str| Response { status, headers: Vec::new(), body: body.into() };
        assert_eq!(Ending::of(&response(404, "captcha")), Answered);
        assert_eq!(Ending::of(&response(403, "<p>Members only")), Refused);
        assert_eq!(Ending::of(&response(403, "<title>Just a moment...")), Challenged);
    }

    #[test]
    fn a_folder_is_judged_without_a_server() {
        let file = |name: &str| {
            let text = match name {
                "/index.html" => {
                    "<!doctype html><title>x</title><h1>Harbour</h1><p>The ferry leaves at seven every morning."
                }
                "/llms.txt" => "# Harbour\n\n> Times\n\n## Pages\n\n- [Times](/times.md)\n",
                "/robots.txt" => "User-agent: *\nContent-Signal: search=yes\n",
                _ => return None,
            };
            Some(text.as_bytes().to_vec())
        };
        let url = Url::parse("https://site.example/").unwrap();
        let found = of_files(&url, Profile::All, 5, &file);
        let verdict = |row| found.checks.iter().find(|found| found.check.row == row).unwrap().check.verdict;
        assert_eq!(verdict(Row::Md1), Verdict::Skip);
        assert_eq!(verdict(Row::Llms1), Verdict::Pass);
        assert_eq!(verdict(Row::Llms4), Verdict::Fail, "the link is dead before it is deployed");
        assert_eq!(verdict(Row::Cs1), Verdict::Pass);
        assert!(found.mend_first.contains(&Row::Map1), "{:?}", found.mend_first);
    }
}
