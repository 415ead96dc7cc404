//! Who may come in: paths that want a signature of Web Bot Auth, and the agents whose signatures count.
//!
//! ```text
//! request ──▶ is the path one of [signatures] require? ──no──▶ the site
//!                          │ yes
//!                          ▼
//!            no signature ─▶ 403, with Accept-Signature      wrong, late, replayed ─▶ 401, with the reason
//!            an agent that is not listed ─▶ 403              verified ─▶ the site
//! ```
//!
//! The decisions are those of `bot_auth_tower`'s layer with its strict policy; here are the settings, the client that
//! fetches the keys of listed agents, and a line on standard error for each of these requests.

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bot_auth::{AgentId, AgentPlaces, Policy};
use bot_auth_tower::{BotLayer, BotSettings, FetchKeys, RequestVerdict};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use url::Url;
use web_values::UnixSeconds;

use crate::SiteError;
use crate::settings::SignatureSettings;

/// A directory that takes longer than this counts as one that cannot be had.
const FETCH_TIME: Duration = Duration::from_secs(10);

/// The gate of these settings; `trusted_pem` are certificates to trust beside the public authorities, `resolve` hosts
/// that are found at these addresses.
///
/// # Errors
/// [`SiteError::Refused`] for an agent that is not an https URL, [`SiteError::Tls`] for a certificate.
pub fn layer(
    settings: &SignatureSettings,
    origin: &Url,
    trusted_pem: &str,
    resolve: &[(String, SocketAddr)],
) -> Result<BotLayer, SiteError> {
    let mut agents = Vec::new();
    for agent in &settings.agents {
        let refused = |why: String| SiteError::refused(format!("[signatures] agent {agent}"), why);
        agents.push(agent.parse::<AgentId>().map_err(|error| refused(error.to_string()))?);
    }
    // Only listed agents are asked for their keys: whoever lists one with a port wants it asked there.
    let any_port =
        settings.agents.iter().any(|agent| Url::parse(agent).is_ok_and(|url| url.port().is_some()));
    let places = AgentPlaces { any_port, ..AgentPlaces::default() };
    let client = client(trusted_pem, resolve)?;
    let fetch = FetchKeys::new(move |url: String| {
        let client = client.clone();
        async move {
            let response = client.get(url).send().await?;
            Ok::<_, reqwest::Error>((response.url().to_string(), http::Response::from(response)))
        }
    });
    let settings_of_layer = BotSettings::new(origin.as_str(), agents, fetch, || UnixSeconds(crate::now().0))
        .policy(Policy { places, ..Policy::default() })
        .observe(log);
    let require = settings.require.clone();
    Ok(BotLayer::require(settings_of_layer).only_where(move |head| is_under(head.uri.path(), &require)))
}

/// Whether this path wants a signature. Paths are compared percent-decoded, as the site compares them.
fn is_under(path: &str, prefixes: &[String]) -> bool {
    let path: Vec<u8> = percent_encoding::percent_decode_str(path).collect();
    prefixes.iter().any(|prefix| path.starts_with(prefix.as_bytes()))
}

fn log(verdict: &RequestVerdict) {
    // Nobody is left to tell if standard error is closed.
    let _closed = writeln!(std::io::stderr(), "signature: {verdict}");
}

fn client(trusted_pem: &str, resolve: &[(String, SocketAddr)]) -> Result<reqwest::Client, SiteError> {
    let tls = |error: &dyn std::fmt::Display| SiteError::Tls(error.to_string());
    let mut roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for certificate in CertificateDer::pem_slice_iter(trusted_pem.as_bytes()) {
        roots.add(certificate.map_err(|error| tls(&error))?).map_err(|error| tls(&error))?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| tls(&error))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    // A followed redirect would let an agent's directory come from elsewhere.
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(config)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .timeout(FETCH_TIME);
    let client = resolve.iter().fold(client, |client, (host, address)| client.resolve(host, *address));
    client.build().map_err(|error| tls(&error))
}
