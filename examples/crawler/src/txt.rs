//! TXT records, from several resolvers at the same time, each asked by itself.

use std::net::SocketAddr;
use std::time::Duration;

use hickory_resolver::Resolver;
use hickory_resolver::config::{NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::rr::RData;
use verify::{LookupFailure, TxtAnswer, TxtRecord};

use crate::CrawlerError;

const TIMEOUT: Duration = Duration::from_secs(3);

/// What each resolver says about the TXT records at `name`.
///
/// # Errors
/// [`CrawlerError::Client`] where a resolver cannot be set up; one that does not answer is an answer.
pub async fn ask_all(resolvers: &[SocketAddr], name: &str) -> Result<Vec<TxtAnswer>, CrawlerError> {
    let mut questions = Vec::new();
    for &resolver in resolvers {
        let name = format!("{name}.");
        questions.push(tokio::spawn(async move { ask(resolver, &name).await }));
    }
    let mut answers = Vec::new();
    for question in questions {
        let answer = question.await.map_err(|_| CrawlerError::Ended("a DNS question"))?;
        answers.push(answer.map_err(|error| CrawlerError::Client(error.to_string()))?);
    }
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
            TxtAnswer::records(label, records)
        }
        // An empty answer is one only by its code: hickory also calls a SERVFAIL without records that.
        Err(NetError::Dns(DnsError::NoRecordsFound(empty))) => {
            TxtAnswer::without_records(label, &format!("{:?}", empty.response_code))
        }
        Err(NetError::Dns(DnsError::ResponseCode(code))) => {
            TxtAnswer::without_records(label, &format!("{code:?}"))
        }
        Err(NetError::Timeout) => TxtAnswer::failed(label, LookupFailure::Timeout),
        Err(_) => TxtAnswer::failed(label, LookupFailure::Other),
    })
}
