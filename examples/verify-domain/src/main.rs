//! The whole verification of a domain, over real DNS and real HTTPS.
//!
//! ```text
//! verify-domain                              both protocols on loopback: success and every refusal, as a table
//! verify-domain --knot                       the same, with the honest records served by Debian's knot
//! verify-domain example.com                  issues a token and says what to publish
//! verify-domain example.com --token TOKEN    checks a real domain, by DNS and by file
//! ```

#![allow(clippy::disallowed_methods, reason = "a program has a clock and sockets")]

mod demonstration;
mod name_server;
mod web_client;
mod web_server;

use std::net::{IpAddr, SocketAddr};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use lexopt::prelude::*;
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use rustls::RootCertStore;
use verify::{
    BundledSuffixes, DEFAULT_MIN_ANSWERS, Domain, EXAMPLE_RESOLVERS, ProofOutcome, Protocol, Quorum,
    QuorumPolicy, Status, Token, TxtToPublish, WellKnownCheck, names_by_mistake, well_known_url,
};
use verify_domain::resolvers;
use web_client::WebClient;
use web_values::UnixSeconds;

/// Any error ends the program with its text.
pub type Fallible<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const USAGE: &str = "\
usage: verify-domain [--knot]
       verify-domain DOMAIN [--token TOKEN] [--protocol aiwebindex|llmindex]
                     [--policy any|majority|all] [--resolver ADDRESS]...

Without DOMAIN: runs every case on loopback and prints a table.
With DOMAIN alone: issues a token and says what to publish; with TOKEN: checks it by DNS and by file.";

#[derive(Debug)]
struct Arguments {
    domain: Option<String>,
    token: Option<String>,
    protocol: Protocol,
    policy: QuorumPolicy,
    resolvers: Vec<IpAddr>,
    is_knot: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("verify-domain: {error}");
            ExitCode::from(2)
        }
    }
}

async fn run() -> Fallible<bool> {
    let arguments = parse_arguments()?;
    match (&arguments.domain, &arguments.token) {
        (None, _) => demonstration::run(arguments.is_knot).await,
        (Some(domain), None) => issue(domain, arguments.protocol),
        (Some(domain), Some(token)) => check(domain, token, &arguments).await,
    }
}

fn parse_arguments() -> Fallible<Arguments> {
    let mut arguments = Arguments {
        domain: None,
        token: None,
        protocol: Protocol::AiWebIndex,
        policy: QuorumPolicy::default(),
        resolvers: Vec::new(),
        is_knot: false,
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("knot") => arguments.is_knot = true,
            Long("token") => arguments.token = Some(parser.value()?.string()?),
            Long("resolver") => arguments.resolvers.push(parser.value()?.parse()?),
            Long("protocol") => {
                arguments.protocol = match parser.value()?.string()?.as_str() {
                    "aiwebindex" => Protocol::AiWebIndex,
                    "llmindex" => Protocol::Llmindex,
                    other => return Err(format!("no such protocol: {other}").into()),
                }
            }
            Long("policy") => {
                arguments.policy = match parser.value()?.string()?.as_str() {
                    "any" => QuorumPolicy::Any,
                    "majority" => QuorumPolicy::Majority,
                    "all" => QuorumPolicy::All,
                    other => return Err(format!("no such policy: {other}").into()),
                }
            }
            Value(domain) if arguments.domain.is_none() => arguments.domain = Some(domain.string()?),
            _ => return Err(format!("{}\n{USAGE}", argument.unexpected()).into()),
        }
    }
    if arguments.resolvers.is_empty() {
        arguments.resolvers =
            EXAMPLE_RESOLVERS.iter().map(|address| address.parse()).collect::<Result<_, _>>()?;
    }
    Ok(arguments)
}

/// Tells the owner what to publish.
fn issue(domain: &str, protocol: Protocol) -> Fallible<bool> {
    let domain = Domain::parse(protocol, domain, &BundledSuffixes)?;
    let token = Token::issue_from_system(domain.clone())?;
    let record = TxtToPublish::new(&token);
    println!("token: {}\n\nEither this TXT record:\n  {}", token.expose(), record.zone_line(300));
    println!("\nor this line in {}:\n  {}", well_known_url(&domain), record.value());
    println!("\nThen: verify-domain {domain} --token {}", token.expose());
    Ok(true)
}

/// Checks a real domain by both methods. True where either succeeds.
async fn check(domain: &str, token: &str, arguments: &Arguments) -> Fallible<bool> {
    let domain = Domain::parse(arguments.protocol, domain, &BundledSuffixes)?;
    let token = Token::expect(domain.clone(), token)?;
    let resolvers: Vec<_> = arguments.resolvers.iter().map(|&ip| SocketAddr::new(ip, 53)).collect();
    let now = UnixSeconds(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs());

    // Whoever names one resolver on the command line trusts it alone.
    let quorum = Quorum::new(arguments.policy).min_answers(resolvers.len().min(DEFAULT_MIN_ANSWERS));
    let mut answers = resolvers::ask_for_proof(&resolvers, &domain).await?;
    if !verify::evaluate_dns(&token, &answers, quorum)?.is_verified() {
        for name in names_by_mistake(&domain) {
            let elsewhere = resolvers::ask_all(&resolvers, &name).await?;
            answers.extend(elsewhere.into_iter().map(|answer| answer.asked_for(&name)));
        }
    }
    let report = verify::evaluate_dns(&token, &answers, quorum)?;
    for miss in &report.near_misses {
        println!("{}: almost: {}", miss.resolver, miss.kind.code());
    }
    let by_dns = report.outcome(now);
    print_outcome(&by_dns)?;

    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.into() };
    let check = WellKnownCheck::new(token, &verification_agent()?, &BundledSuffixes)?;
    let by_file = WebClient::new(roots, None).run(check).await?.outcome(now);
    print_outcome(&by_file)?;
    Ok([by_dns.status, by_file.status].contains(&Status::Verified))
}

/// The User-Agent of verification fetches.
fn verification_agent() -> Fallible<AiWebIndexAgent> {
    Ok(AiWebIndexAgent::builder(AiWebIndexVersion::V1)
        .info_url("https://crawler.example/bot")
        .verification(true)
        .build()?)
}

fn print_outcome(outcome: &ProofOutcome) -> Fallible<()> {
    println!("{}", serde_json::to_string_pretty(outcome)?);
    if outcome.status == Status::Verified {
        for caveat in outcome.caveats() {
            println!("note: {caveat}");
        }
    }
    Ok(())
}
