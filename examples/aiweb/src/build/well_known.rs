//! Documents at well-known places, for sites that have what they speak of: an API, or a bot that signs.

use jwk::JwkSet;
use serde_json::json;
use url::Url;

use super::Build;
use crate::Failure;
use crate::input::read_file;

/// Descriptions of an API where tools write them. The first that is there counts.
const DESCRIPTIONS: [(&str, &str); 3] = [
    ("openapi.json", "application/json"),
    ("openapi.yaml", "application/yaml"),
    ("openapi.yml", "application/yaml"),
];

/// A document that a server has to send under a media type of its own.
#[derive(Debug)]
pub struct WellKnown {
    /// The path below the host.
    pub path: &'static str,
    /// What it holds.
    pub body: Vec<u8>,
    /// `Content-Type`.
    pub media_type: &'static str,
    /// `Link`.
    pub link: Option<String>,
}

/// The documents of a site at the root of its host: `/.well-known/` is there and nowhere else.
///
/// # Errors
/// If the keys cannot be read, or one of them is private or has a name that a key directory may not give it.
pub fn documents(arguments: &Build, origin: &Url) -> Result<Vec<WellKnown>, Failure> {
    let mut documents = Vec::new();
    if origin.path() != "/" {
        return Ok(documents);
    }
    let described = DESCRIPTIONS.iter().find(|(name, _)| arguments.folder.join(name).is_file());
    if let Some((name, media_type)) = described {
        let description = json!({ "href": origin.join(name)?, "type": media_type });
        let catalog = json!({ "linkset": [{ "anchor": origin, "service-desc": [description] }] });
        let path = ".well-known/api-catalog";
        documents.push(WellKnown {
            path,
            body: format!("{catalog}\n").into_bytes(),
            media_type: "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"",
            link: Some(format!("<{}>; rel=\"api-catalog\"", origin.join(path)?)),
        });
    }
    if let Some(file) = &arguments.bot_keys {
        let body = read_file(file)?;
        let refused = |why: &str| Failure(format!("{}: {why}", file.display()));
        let keys = JwkSet::parse(&body).map_err(|error| refused(&error.to_string()))?;
        if keys.keys().is_empty() {
            return Err(refused("expected a key set with keys, found none"));
        }
        if keys.keys().iter().any(jwk::Jwk::has_private_members) {
            return Err(refused("expected public keys alone, found a private one"));
        }
        if !keys.keys().iter().all(jwk::Jwk::is_named_by_thumbprint) {
            return Err(refused(
                "expected keys without `kid`, or with their thumbprint as `kid`: sites do not take others from this place; \
                 `aiweb crawl keygen` makes such a key",
            ));
        }
        documents.push(WellKnown {
            path: ".well-known/http-message-signatures-directory",
            body,
            media_type: "application/http-message-signatures-directory+json",
            link: None,
        });
    }
    Ok(documents)
}
