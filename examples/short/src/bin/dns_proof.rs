//! A customer proves that a domain is theirs, before a service does anything in the domain's name.
//! `dns_proof example.com` makes a token and the record to publish; `dns_proof example.com TOKEN` asks three resolvers.

use std::net::SocketAddr;
use std::process::ExitCode;

use hickory_resolver::config::{NameServerConfig, ResolverConfig};
use hickory_resolver::net::{DnsError, NetError, runtime::TokioRuntimeProvider};
use hickory_resolver::{Resolver, proto::rr::RData};
use verify::{BundledSuffixes, Domain, LookupFailure, NoRecords, Protocol, QuorumPolicy, Token};
use verify::{TxtAnswer, TxtRecord, TxtToPublish, evaluate_dns, record_name};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Asks one resolver; returns the answer in the types of `verify`.
async fn ask(address: SocketAddr, name: &str) -> Result<TxtAnswer, Failure> {
    let mut server = NameServerConfig::udp_and_tcp(address.ip());
    server.connections.iter_mut().for_each(|connection| connection.port = address.port());
    let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
    let resolver = Resolver::builder_with_config(config, TokioRuntimeProvider::default()).build()?;
    let label = address.to_string();
    Ok(match resolver.txt_lookup(format!("{name}.")).await {
        Ok(found) => {
            let records = found.answers().iter().filter_map(|record| match &record.data {
                RData::TXT(txt) => Some(TxtRecord::new(txt.txt_data.iter())),
                _ => None,
            });
            TxtAnswer::records(label, records)
        }
        Err(NetError::Dns(DnsError::NoRecordsFound(found))) => {
            TxtAnswer::without_records(label, NoRecords::of_code(&format!("{:?}", found.response_code)))
        }
        Err(_) => TxtAnswer::failed(label, LookupFailure::Other),
    })
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a program prints its answer")]
async fn main() -> Result<ExitCode, Failure> {
    let mut arguments = std::env::args().skip(1);
    let domain = arguments.next().ok_or("usage: dns_proof DOMAIN [TOKEN [RESOLVER:PORT...]]")?;
    let domain = Domain::parse(Protocol::AiWebIndex, &domain, &BundledSuffixes)?;
    let Some(token) = arguments.next() else {
        let token = Token::issue_from_system(domain)?;
        println!("token {}\n{}", token.expose(), TxtToPublish::new(&token).zone_line(3600));
        return Ok(ExitCode::SUCCESS);
    };
    let (name, token) = (record_name(&domain), Token::expect(domain, &token)?);
    let mut resolvers: Vec<String> = arguments.collect();
    if resolvers.is_empty() {
        resolvers = verify::EXAMPLE_RESOLVERS.map(|ip| format!("{ip}:53")).to_vec();
    }
    let mut answers = Vec::new();
    for resolver in resolvers {
        answers.push(ask(resolver.parse()?, &name).await?);
    }
    let report = evaluate_dns(&token, &answers, QuorumPolicy::default())?;
    println!("{}", report.reason);
    Ok(ExitCode::from(u8::from(!report.is_verified())))
}
