//! Proofs of ownership, asked for by the user: the one that an llmindex manifest announces, and the AIWebIndex tokens of
//! `--token`. By DNS through several resolvers, by file over HTTPS; what the answers prove is decided by `verify`.

use llmindex_types::{Limits, Manifest, ManifestText, Options, VerifyMethod, manifest_url};
use verify::{
    Action, BundledSuffixes, DEFAULT_MIN_ANSWERS, FetchFailure, MAX_BODY_BYTES, ManifestProof, ProofOutcome,
    Protocol, Quorum, QuorumPolicy, Status, Token, WellKnownCheck, record_name,
};
use verify_domain::resolvers;
use web_values::UnixSeconds;

use crate::client::Request;
use crate::fetch_error::FetchErrorKind;
use crate::limits::BodyLimit;
use crate::output::Line;
use crate::site::{Setback, Visitor};
use crate::writer::Changes;
use crate::{CrawlerError, clock};

/// One byte more than is read, so that the library knows that there is more.
const LIMIT: BodyLimit = BodyLimit::Cut(MAX_BODY_BYTES + 1);

/// Checks every proof that the site announces or the user expects.
///
/// # Errors
/// A [`Setback`] if the site wants to be left alone for too long.
pub async fn run(visitor: &mut Visitor) -> Result<Changes, Setback> {
    let mut lines = Vec::new();
    let host = visitor.origin.host_str().unwrap_or_default().to_owned();
    let manifest = visitor.crawl.store.body(manifest_url(&visitor.origin).as_str())?;
    if visitor.crawl.options.verify && !manifest.is_empty() {
        let mut line = announced(visitor, &host, &manifest).await?;
        // The proof is the same in all versions; it is named after that of the manifest.
        if let Line::Ownership { protocol, .. } = &mut line
            && let Ok(manifest) = Manifest::parse(&manifest, &Options::default())
        {
            *protocol = format!("llmindex {}", manifest.version());
        }
        lines.push(line);
    }
    let tokens = &visitor.crawl.options.tokens;
    let issued: Vec<Token> = tokens.iter().filter(|token| token.domain().as_str() == host).cloned().collect();
    for token in issued {
        if !visitor.crawl.options.resolvers.is_empty() {
            lines.push(by_dns(visitor, &token).await?);
        }
        let check = WellKnownCheck::new(token, &visitor.crawl.options.verifier, &BundledSuffixes)
            .map_err(internal)?;
        lines.push(by_file(visitor, check).await?);
    }
    Ok(Changes { lines, ..Changes::default() })
}

/// The proof that the manifest announces.
async fn announced(visitor: &mut Visitor, host: &str, json: &[u8]) -> Result<Line, Setback> {
    let proof = match ManifestText::parse(json, &Limits::MANIFEST) {
        Ok(manifest) => {
            ManifestProof::of(&manifest, host, &BundledSuffixes).map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    match proof {
        Ok(proof) if proof.method() == VerifyMethod::DnsTxt => by_dns(visitor, proof.token()).await,
        Ok(proof) => {
            let check = proof
                .well_known_check(&visitor.crawl.options.verifier, &BundledSuffixes)
                .map_err(internal)?;
            by_file(visitor, check).await
        }
        Err(why) => Ok(Line::Ownership {
            domain: host.to_owned(),
            protocol: Protocol::Llmindex.name().to_owned(),
            by: "manifest",
            verified: false,
            why,
        }),
    }
}

async fn by_dns(visitor: &Visitor, token: &Token) -> Result<Line, Setback> {
    let resolvers = &visitor.crawl.options.resolvers;
    let answers = resolvers::ask_all(resolvers, &record_name(token.domain())).await.map_err(internal)?;
    // Whoever configures one resolver trusts it alone.
    let quorum = Quorum::new(QuorumPolicy::Majority).min_answers(resolvers.len().min(DEFAULT_MIN_ANSWERS));
    let report = verify::evaluate_dns(token, &answers, quorum).map_err(internal)?;
    Ok(line("dns", &report.outcome(UnixSeconds(clock::seconds().0))))
}

/// Plays a check of the well-known file to its end. The owner asked for it, so robots.txt is not (AIWI-AMB-31).
async fn by_file(visitor: &mut Visitor, mut check: WellKnownCheck<'static>) -> Result<Line, Setback> {
    loop {
        match check.next_action() {
            Action::Done(report) => {
                return Ok(line("file", &report.outcome(UnixSeconds(clock::seconds().0))));
            }
            Action::AskRobots { .. } => check.on_robots(true).map_err(internal)?,
            Action::Send(request) => {
                let url = request.uri().to_string().parse().map_err(internal)?;
                let headers = request.headers().clone();
                match visitor.fetch(Request { headers, ..Request::get(url, LIMIT) }).await {
                    Ok(exchange) => {
                        let mut response = http::Response::new(exchange.body);
                        *response.status_mut() = exchange.status;
                        *response.headers_mut() = exchange.headers;
                        check.on_response(&response).map_err(internal)?;
                    }
                    Err(error)
                        if matches!(error.kind(), FetchErrorKind::HostPaused | FetchErrorKind::Unwanted) =>
                    {
                        return Err(error.into());
                    }
                    Err(error) => check.on_failure(failure(error.kind())).map_err(internal)?,
                }
            }
        }
    }
}

fn failure(kind: FetchErrorKind) -> FetchFailure {
    match kind {
        FetchErrorKind::Tls => FetchFailure::Tls,
        FetchErrorKind::HeadTimeout | FetchErrorKind::BodyStalled | FetchErrorKind::BodyTimeout => {
            FetchFailure::Timeout
        }
        _ => FetchFailure::Network,
    }
}

fn line(by: &'static str, outcome: &ProofOutcome) -> Line {
    Line::Ownership {
        domain: outcome.domain.clone(),
        protocol: outcome.protocol.name().to_owned(),
        by,
        verified: outcome.status == Status::Verified,
        why: outcome.reason.clone(),
    }
}

/// An error of a call that the code above makes in the right order.
fn internal(error: impl std::fmt::Display) -> Setback {
    Setback::Run(CrawlerError::Client(error.to_string()))
}
