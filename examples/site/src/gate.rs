//! Access control: paths that require a signature of Web Bot Auth, and the agents whose signatures are
//! accepted.
//!
//! ```text
//! request ──▶ is the path one of [signatures] require? ──no──▶ the site
//!                          │ yes
//!                          ▼
//!   no signature ─▶ 403, with Accept-Signature            wrong, late, replayed ─▶ 401, with the reason
//!   an agent that is not listed ─▶ 403                    an agent's URL that cannot be one ─▶ 401
//!   a listed agent whose keys cannot be had now ─▶ 503    verified ─▶ the site
//! ```
//!
//! A page is one of them under all its addresses if it is under one: `/x.html`, `/x.md` and the twin want a signature
//! whichever of them is named, and `/a/` does where `/a/index.html` is named.
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
use tct_tower::TctLayer;
use url::Url;
use web_values::UnixSeconds;

use crate::SiteError;
use crate::paths::Prefixes;
use crate::publisher::Publisher;
use crate::settings::SignatureSettings;

/// A directory that takes longer than this counts as one that cannot be had.
const FETCH_TIME: Duration = Duration::from_secs(10);

/// The gate of these settings; `trusted_pem` are certificates to trust beside the public authorities, `resolve` hosts that
/// are found at these addresses, `live` the layer that makes twins of pages as they are now.
///
/// # Errors
/// [`SiteError::Refused`] for an agent that is not an https URL, for a path that cannot be one, and without paths; [`SiteError::Tls`] for a certificate.
pub fn layer(
    settings: &SignatureSettings,
    origin: &Url,
    trusted_pem: &str,
    resolve: &[(String, SocketAddr)],
    (publisher, live): (&Arc<Publisher>, Option<TctLayer>),
) -> Result<BotLayer, SiteError> {
    let require = Prefixes::new("[signatures] require", &settings.require)?;
    if settings.require.is_empty() {
        return Err(SiteError::refused(
            "[signatures] require",
            "expected a path, found none: nothing is protected",
        ));
    }
    let mut agents = Vec::new();
    for agent in &settings.agents {
        let refused = |why: String| SiteError::refused(format!("[signatures] agent {agent}"), why);
        agents.push(agent.parse::<AgentId>().map_err(|error| refused(error.to_string()))?);
    }
    // Strangers are never asked for their keys, at whatever port. Of two agents at one host with different ports, each is
    // asked at its own: an agent is listed by its whole URL.
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
    let publisher = Arc::clone(publisher);
    let layer = BotLayer::require(settings_of_layer);
    Ok(layer.only_where(move |head| {
        let snapshot = publisher.snapshot();
        let is_required = |path: &str| {
            require.have(path) || snapshot.addresses_of(path).iter().any(|one| require.have(one))
        };
        // The layer of `--live` has more addresses than the folder's files say.
        let forms = live.as_ref().map(|layer| layer.addresses_of(head.uri.path())).unwrap_or_default();
        forms.iter().map(String::as_str).chain([head.uri.path()]).any(is_required)
    }))
}

fn log(verdict: &RequestVerdict) {
    // Nobody is left to tell if standard error is closed.
    let _closed = writeln!(std::io::stderr(), "signature: {}", line(&verdict.to_string()));
}

/// The text as one line of a log: control characters and what turns the direction of text are written as escapes.
fn line(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '\'' | '"' | '\\' => letter.to_string(),
            letter => letter.escape_debug().to_string(),
        })
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_log_has_no_character_that_acts() {
        for (text, expected) in [
            ("GET /a: \"it's\"", "GET /a: \"it's\""),
            ("a\nb\r\x1b[31m\u{7f}\u{85}", "a\\nb\\r\\u{1b}[31m\\u{7f}\\u{85}"),
            ("\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}", "\\u{202e}\\u{2066}\\u{200f}\\u{61c}\\u{2028}"),
            ("caf\u{e9} \u{6f22}", "caf\u{e9} \u{6f22}"),
        ] {
            assert_eq!(line(text), expected);
        }
    }
}
