//! Checks of AIWebIndex: robots.txt, extraction of the page, ownership of the domain.

use aidocument::v2::Call;
use aidocument::{Crawl, StatusCode};
use aidocument_extract::{ExtractFindingKind, Options, Snapshot, extract, extract_v2};
use robots::{AiWebIndexAgent, AiWebIndexVersion, Preferences};
use verify::{Action, BundledSuffixes, Domain, FetchFailure, Protocol as Proof, Token, WellKnownCheck};

use crate::fetch::Answer;
use crate::finding::{Check, Protocol};
use crate::report::Offer;
use crate::{Context, offer};

pub(crate) async fn run(context: &mut Context, robots: Option<&Answer>) -> Offer {
    let mut facts = Vec::new();
    check_robots(context, robots, &mut facts);
    check_extraction(context, &mut facts);
    if let Some(token) = context.options.token.clone() {
        check_ownership(context, &token, &mut facts).await;
    }
    offer(Protocol::AiWebIndex, facts)
}

fn check_robots(context: &mut Context, robots: Option<&Answer>, facts: &mut Vec<String>) {
    let place = context.at("/robots.txt").map(String::from).unwrap_or_default();
    match robots {
        None => context.findings.add(Check::RobotsMissing, &place, "a robots.txt", "none"),
        // A page that is sent for everything would be one finding a line.
        Some(answer) if answer.content_type().is_some_and(|found| found.starts_with("text/html")) => {
            context.findings.add(Check::RobotsLine, &place, "plain text", "an HTML page");
        }
        Some(_) => {
            for line in context.robots.check_lint() {
                let requirement = Check::RobotsLine.requirement();
                context.findings.add_sentence(Check::RobotsLine, requirement, &place, &line.to_string());
            }
        }
    }
    let stated = Preferences::of_robots(&context.robots, &context.agent, &context.start.url);
    let mut words: Vec<String> = Vec::new();
    words.extend(stated.signals().map(|(signal, yes)| format!("{}={yes:?}", signal.name())));
    words.extend(stated.usages().map(|(label, yes)| format!("{label}={yes:?}")));
    match words.is_empty() {
        true => {
            let expected = "Content-Signal or Content-Usage for this page";
            context.findings.add(Check::PreferencesMissing, &place, expected, "neither");
        }
        false => facts.push(format!("robots.txt states {}", words.join(", ").to_lowercase())),
    }
}

fn check_extraction(context: &mut Context, facts: &mut Vec<String>) {
    let page = &context.start;
    let (Ok(url), Some(status), Ok(agent)) =
        (page.url.as_str().parse(), StatusCode::new(page.status.as_u16()), context.agent.as_str().parse())
    else {
        return;
    };
    let Ok(now) = jiff::Timestamp::now().to_string().parse() else { return };
    let crawl = Crawl::new(now, status, agent);
    let read = extract(&page.body[..], url, page.content_type(), crawl, &Options::default());
    // A page may hide text; only what tells a reader what to do is worth a word to its owner.
    let is_of_interest =
        |kind| !matches!(kind, ExtractFindingKind::HiddenText | ExtractFindingKind::HiddenSentence);
    for finding in read.findings.iter().filter(|finding| is_of_interest(finding.kind())) {
        let place = page.url.to_string();
        let sentence = finding.to_string();
        context.findings.add_sentence(Check::PageExtraction, finding.requirement(), &place, &sentence);
    }
    let meta = read.document.meta();
    if meta.word_count > 0 {
        facts.push(format!(
            "the page reads as \"{}\": {} words in {}",
            read.document.title(),
            meta.word_count,
            meta.language.as_str()
        ));
    }
    // A document of 2.0 says how well the page is made for those who read it without a browser.
    if let Ok(url) = page.url.as_str().parse() {
        let snapshot = Snapshot { fetched_at: Some(now), status_code: Some(status), render_mode: None };
        let options = Options::default();
        let read = extract_v2(&page.body[..], url, page.content_type(), snapshot, Call::Refreshed, &options);
        let signals = read.document.signals();
        let order = if signals.heading_hierarchy_ok { "in order" } else { "out of order" };
        let json_ld = if signals.has_json_ld { "with" } else { "without" };
        facts.push(format!("as a document of 2.0: headings {order}, {json_ld} JSON-LD"));
    }
}

async fn check_ownership(context: &mut Context, token: &str, facts: &mut Vec<String>) {
    let host = context.start.url.host_str().unwrap_or_default();
    let place = format!("https://{host}{}", Proof::AiWebIndex.well_known_path());
    let expected = "the line aiwi-verify=<token>";
    let proven = async {
        let domain = Domain::parse(Proof::AiWebIndex, host, &BundledSuffixes).map_err(|e| e.to_string())?;
        let token = Token::expect(domain, token).map_err(|e| e.to_string())?;
        let check = WellKnownCheck::new(token, &verification_agent()?, &BundledSuffixes)
            .map_err(|e| e.to_string())?;
        let check = match context.start.url.port() {
            Some(port) => check.at_port(port),
            None => check,
        };
        play(context, check).await
    };
    match proven.await {
        Ok(()) => facts.push(format!("the token proves that {host} is its owner's")),
        Err(found) => context.findings.add_found(Check::OwnershipUnproven, &place, expected, &found),
    }
}

/// The `User-Agent` for requests of ownership proofs.
pub(super) fn verification_agent() -> Result<AiWebIndexAgent, String> {
    AiWebIndexAgent::builder(AiWebIndexVersion::V1)
        .info_url(env!("CARGO_PKG_REPOSITORY"))
        .verification(true)
        .build()
        .map_err(|error| error.to_string())
}

/// Sends the requests of an ownership check; returns the reason if it fails.
pub(super) async fn play(context: &Context, check: WellKnownCheck<'_>) -> Result<(), String> {
    let mut check = check.asking_robots();
    loop {
        let moved = match check.next_action() {
            Action::Done(report) if report.is_verified() => return Ok(()),
            Action::Done(report) => return Err(report.reason.to_string()),
            Action::AskRobots { url } => {
                let url = url.parse().map_err(|error: url::ParseError| error.to_string())?;
                let is_allowed = context.client.may_fetch(&url).await.is_ok();
                check.on_robots(is_allowed)
            }
            Action::Send(request) => match context.client.send_direct(request).await {
                Ok(answer) => {
                    let mut response = http::Response::new(answer.body);
                    *response.status_mut() = answer.status;
                    *response.headers_mut() = answer.headers;
                    check.on_response(&response)
                }
                Err(_) => check.on_failure(FetchFailure::Network),
            },
        };
        moved.map_err(|error| error.to_string())?;
    }
}
