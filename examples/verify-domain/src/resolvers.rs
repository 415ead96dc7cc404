//! Asks several resolvers in parallel, each through its own hickory-resolver, and hands what they say to `verify`.

use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;

use hickory_resolver::Resolver;
use hickory_resolver::config::{NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::rr::RData;
use verify::{Domain, LookupFailure, NoRecords, TxtAnswer, TxtRecord, record_name, wildcard_probe_name};

const TIMEOUT: Duration = Duration::from_secs(3);

/// The TXT records at `name`, from each resolver at the same time.
///
/// # Errors
/// If a resolver cannot be set up. What it answers, or that it does not, is an answer.
pub async fn ask_all(
    resolvers: &[SocketAddr],
    name: &str,
) -> Result<Vec<TxtAnswer>, Box<dyn Error + Send + Sync>> {
    let mut questions = Vec::new();
    for &resolver in resolvers {
        let name = format!("{name}.");
        questions.push(tokio::spawn(async move { ask(resolver, &name).await }));
    }
    let mut answers = Vec::new();
    for question in questions {
        answers.push(question.await??);
    }
    Ok(answers)
}

/// The TXT records of the domain's proof, and those at a name that nobody published: what is there too is a wildcard record's,
/// and proves nothing.
///
/// # Errors
/// As [`ask_all`]; or the system has no random bytes.
pub async fn ask_for_proof(
    resolvers: &[SocketAddr],
    domain: &Domain,
) -> Result<Vec<TxtAnswer>, Box<dyn Error + Send + Sync>> {
    let random = getrandom::u64()?.to_be_bytes();
    let name = record_name(domain);
    let Some(probe) = wildcard_probe_name(domain, &random) else { return ask_all(resolvers, &name).await };
    let (mut answers, probes) = tokio::try_join!(ask_all(resolvers, &name), ask_all(resolvers, &probe))?;
    answers.extend(probes.into_iter().map(TxtAnswer::as_wildcard_probe));
    Ok(answers)
}

async fn ask(address: SocketAddr, name: &str) -> Result<TxtAnswer, NetError> {
    let mut server = NameServerConfig::udp_and_tcp(address.ip());
    for connection in &mut server.connections {
        connection.port = address.port();
    }
    let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
    let mut builder = Resolver::builder_with_config(config, TokioRuntimeProvider::default());
    let options = builder.options_mut();
    options.timeout = TIMEOUT;
    options.attempts = 1;
    options.cache_size = 0;
    let resolver = builder.build()?;
    let label = address.to_string();
    Ok(match resolver.txt_lookup(name).await {
        Ok(lookup) => {
            let records = lookup.answers().iter().filter_map(|record| match &record.data {
                RData::TXT(txt) => Some(TxtRecord::new(txt.txt_data.iter())),
                _ => None,
            });
            let alias = lookup.answers().iter().find_map(|record| match &record.data {
                RData::CNAME(target) => Some(target.0.to_string()),
                _ => None,
            });
            let answer = TxtAnswer::records(label, records);
            match alias {
                Some(alias) => answer.via_canonical_name(alias),
                None => answer,
            }
        }
        // An empty answer is one only by its code: hickory also calls a SERVFAIL without records that.
        Err(NetError::Dns(DnsError::NoRecordsFound(empty))) => {
            TxtAnswer::without_records(label, NoRecords::of_code(&format!("{:?}", empty.response_code)))
        }
        Err(NetError::Dns(DnsError::ResponseCode(code))) => {
            TxtAnswer::without_records(label, NoRecords::of_code(&format!("{code:?}")))
        }
        Err(NetError::Timeout) => TxtAnswer::failed(label, LookupFailure::Timeout),
        Err(_) => TxtAnswer::failed(label, LookupFailure::Other),
    })
}
