//! Signs requests by Web Bot Auth, with the crate `bot-auth`.
//!
//! The key is a private JWK in a file, made by `crawler keygen`. Its public half belongs into the key directory of the
//! crawler's home, which `--signature-agent` names; `examples/site` publishes one (`[bot]` in its settings).

use std::io::Write as _;
use std::path::Path;

use bot_auth::{AgentPlaces, CrawlerSigner, Message};
use http::{HeaderMap, HeaderName, HeaderValue};
use jwk::SigningKey;
use url::Url;
use web_values::UnixSeconds;

use crate::CrawlerError;

/// Bytes of a nonce.
const NONCE_BYTES: usize = 32;

/// A signer with the key of this file, for the agent at this URL.
///
/// # Errors
/// [`CrawlerError::File`] if the file holds no private key, or the URL is none of an agent.
pub fn signer(file: &Path, agent: &Url) -> Result<CrawlerSigner, CrawlerError> {
    let refused = |why: String| CrawlerError::File { path: file.to_owned(), why };
    #[expect(clippy::disallowed_methods, reason = "a program reads files")]
    let json = std::fs::read(file).map_err(|error| refused(error.to_string()))?;
    let key = SigningKey::from_jwk(&json).map_err(|error| refused(error.to_string()))?;
    // A port that the user wrote is meant.
    let places = AgentPlaces { any_port: agent.port().is_some(), ..AgentPlaces::default() };
    let agent = agent.as_str().trim_end_matches('/');
    CrawlerSigner::new_in(key, agent, places).map_err(|error| refused(format!("{agent}: {error}")))
}

/// Adds a signature to the fields of a request. Each request has its own, with a nonce that is used once.
///
/// # Errors
/// Why it cannot be signed. The request is then not sent: every request of this crawler is signed.
pub fn sign(
    signer: &CrawlerSigner,
    method: &str,
    url: &Url,
    headers: &mut HeaderMap,
    now: UnixSeconds,
) -> Result<(), String> {
    let mut nonce = [0; NONCE_BYTES];
    getrandom::fill(&mut nonce).map_err(|error| error.to_string())?;
    let fields: Vec<(&str, &[u8])> =
        headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let message = Message::request(method, url.as_str()).map_err(|error| error.to_string())?.headers(fields);
    let signed = signer.sign(&message, &nonce, now).map_err(|error| error.to_string())?;
    for (name, value) in signed.lines() {
        let name = HeaderName::try_from(name).map_err(|error| error.to_string())?;
        headers.append(name, HeaderValue::try_from(value).map_err(|error| error.to_string())?);
    }
    Ok(())
}

/// Makes a key: the private half goes to a new file that only its owner can read, the public one is returned.
///
/// # Errors
/// [`CrawlerError::File`] if the file is there already, or cannot be written.
pub fn keygen(file: &Path) -> Result<String, CrawlerError> {
    let refused = |why: String| CrawlerError::File { path: file.to_owned(), why };
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(|error| refused(error.to_string()))?;
    let key = SigningKey::from_secret(&secret);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut out = options.open(file).map_err(|error| refused(error.to_string()))?;
    out.write_all(key.to_private_jwk().as_bytes()).map_err(|error| refused(error.to_string()))?;
    Ok(key.to_directory_jwk())
}
