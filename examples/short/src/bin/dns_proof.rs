//! A customer proves that a domain is theirs, before a service does anything in the domain's name.
//! `dns_proof example.com` makes a token and the record to publish; `dns_proof example.com TOKEN` asks three resolvers.

use std::net::SocketAddr;
use std::process::ExitCode;

use hickory_resolver::config::{NameServerConfig, ResolverConfig};
use hickory_resolver::net::{DnsError, NetError, runtime::TokioRuntimeProvider};
use hickory_resolver::{Resolver, proto::rr::RData};
use verify::{BundledSuffixes, Domain, LookupFailure, NoRecords, Protocol, QuorumPolicy, Token};
use verify::{TxtAnswer, TxtRecord, TxtToPublish, evaluate_dns, record_name, wildcard_probe_name};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Asks one resolver; returns the answer in the types of `verify`.
async fn ask(address: SocketAddr, name: &str) -> Result<TxtAnswer, Failure> {
    let mut server = NameServerConfig::udp_and_tcp(address.ip());
    server.connections.iter_mut().for_each(|connection| connection.port = address.port());
    let (config, label) = (ResolverConfig::from_parts(None, Vec::new(), vec![server]), address.to_string());
    let resolver = Resolver::builder_with_config(config, TokioRuntimeProvider::default()).build()?;
    Ok(match resolver.txt_lookup(format!("{name}.")).await {
        Ok(found) => {
            let records = found.answers().iter().filter_map(|record| {
                let RData::TXT(txt) = &record.data else { return None };
                Some(TxtRecord::new(txt.txt_data.iter()))
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
    let name = arguments.next().ok_or("usage: dns_proof DOMAIN [TOKEN [RESOLVER:PORT...]]")?;
    let domain = Domain::parse(Protocol::AiWebIndex, &name, &BundledSuffixes)?;
    let Some(token) = arguments.next() else {
        let token = Token::issue_from_system(domain)?;
        println!("token {}\n{}", token.expose(), TxtToPublish::new(&token).zone_line(3600));
        return Ok(ExitCode::SUCCESS);
    };
    // A name that nobody published: if the token is there too, a wildcard record answers, which proves nothing.
    let probe = wildcard_probe_name(&domain, &getrandom::u64()?.to_be_bytes()).ok_or("too long a name")?;
    let (name, token) = (record_name(&domain), Token::expect(domain, &token)?);
    let known = verify::EXAMPLE_RESOLVERS.map(|ip| format!("{ip}:53")).to_vec();
    let resolvers = if arguments.len() == 0 { known } else { arguments.collect() };
    let mut answers = Vec::new();
    for resolver in resolvers {
        answers.push(ask(resolver.parse()?, &name).await?);
        answers.push(ask(resolver.parse()?, &probe).await?.as_wildcard_probe());
    }
    let report = evaluate_dns(&token, &answers, QuorumPolicy::default())?;
    println!("{}", report.reason);
    Ok(ExitCode::from(u8::from(!report.is_verified())))
}
