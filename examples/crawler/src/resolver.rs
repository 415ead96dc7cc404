//! Resolves names to addresses, and leaves private ones out.
//!
//! A name in the public DNS may point into the network that the crawler runs in. URLs are checked as text by
//! [`tct::address::is_public_host`]; this checks what the names resolve to, at the moment of connecting.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tct::address::is_public_host;
use url::Host;

/// Resolves names, and leaves private addresses out, except for the hosts that the user has named.
#[derive(Debug, Clone, Default)]
pub struct PublicResolver {
    /// Hosts that may be private.
    pub trusted: BTreeSet<String>,
    /// Names that need not be asked for.
    pub known: BTreeMap<String, SocketAddr>,
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        if let Some(&address) = self.known.get(name.as_str()) {
            return Box::pin(std::future::ready(Ok(Box::new(std::iter::once(address)) as Addrs)));
        }
        let is_trusted = self.trusted.contains(name.as_str());
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let usable: Vec<SocketAddr> = found.filter(|address| is_trusted || is_public(address)).collect();
            if usable.is_empty() {
                return Err("expected a public address, found none".into());
            }
            Ok(Box::new(usable.into_iter()) as Addrs)
        })
    }
}

fn is_public(address: &SocketAddr) -> bool {
    is_public_host(match address {
        SocketAddr::V4(v4) => Host::Ipv4(*v4.ip()),
        SocketAddr::V6(v6) => Host::Ipv6(*v6.ip()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn private_addresses_are_for_those_who_name_them() {
        let addresses = |resolver: PublicResolver| resolver.resolve("localhost".parse().unwrap());
        assert!(addresses(PublicResolver::default()).await.is_err());
        let trusted = BTreeSet::from(["localhost".to_owned()]);
        assert!(addresses(PublicResolver { trusted, ..PublicResolver::default() }).await.is_ok());
        let known = BTreeMap::from([("localhost".to_owned(), "192.0.2.1:7".parse().unwrap())]);
        let mut found = addresses(PublicResolver { known, ..PublicResolver::default() }).await.unwrap();
        assert_eq!(found.next().unwrap().to_string(), "192.0.2.1:7");
    }
}
