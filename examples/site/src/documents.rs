//! The documents beside the pages: robots.txt, policy, manifest, feed, the four pages, proofs.
//!
//! ```text
//! /robots.txt                             who may fetch what, and Content-Signal           robots
//! /sitemap.xml                            every page, for readers that know no other list  written here
//! /llm-policy.json                        what may be done with the text                   tct
//! /.well-known/llmindex.json              the manifest, signed                             llmindex-types, verify
//! /.well-known/jwks.json                  the key that signed it                           verify
//! /products.jsonl                         the feed                                         llmindex-types
//! /products-delta.jsonl                   what changed in it, with version 0.2             llmindex-types
//! /llm/products /policies /faq /about     the four pages, in Markdown                      llmindex-types
//! /llms.txt                               the manifest for tools that look for that file   llmindex-types
//! /.well-known/aiwebindex-verify.txt      proof of ownership                               verify
//! /.well-known/llmindex-proof.txt         proof of ownership                               verify
//! ```
//!
//! Each library checks what it writes, so a mistake in `site.toml` is an error at start and never on the wire.

use http::HeaderValue;
use jwk::SigningKey;
use robots::{Preference, RobotsBuilder, Signal};
use tct::policy::RateHint;
use tct::{PolicyDescriptor, Representation};
use toml::value::Datetime;
use url::Url;
use verify::{BundledSuffixes, Domain, Protocol, Token, TxtToPublish};

use crate::SiteError;
use crate::files::PassedOver;
use crate::manifest::{self, LlmindexVersion};
use crate::paths;
use crate::publisher::{Resource, readers, sitemaps};
use crate::settings::{PolicySettings, RobotsSettings, Settings};

/// The path of the policy descriptor.
pub const POLICY_PATH: &str = "/llm-policy.json";

pub(crate) const PLAIN: &str = "text/plain; charset=utf-8";
pub(crate) const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// A resource with its path.
#[derive(Debug)]
pub struct Document {
    /// Where it is served.
    pub path: String,
    /// What is served there.
    pub resource: Resource,
}

impl Document {
    /// Bytes under a media type, with their own hash as entity tag.
    pub(crate) fn new(path: &str, media_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let plain = Representation::of_bytes(&body).with_content_type(HeaderValue::from_static(media_type));
        Document { path: path.to_owned(), resource: Resource::new(body, plain) }
    }
}

/// The documents, and those that this origin cannot have.
#[derive(Debug, Default)]
pub struct Documents {
    /// In no particular order.
    pub documents: Vec<Document>,
    /// What is left out, and why.
    pub left_out: Vec<PassedOver>,
}

impl Documents {
    /// Writes all documents that the settings ask for.
    ///
    /// # Errors
    /// [`SiteError::Refused`] if a setting breaks a rule of its protocol.
    pub fn write(
        settings: &Settings,
        origin: &Url,
        sitemaps: usize,
        llmindex: LlmindexVersion,
        key: Option<&SigningKey>,
    ) -> Result<Self, SiteError> {
        let mut written = Documents::default();
        written.add(Document::new("/robots.txt", PLAIN, robots_txt(&settings.robots, origin, sitemaps)?));
        if let Some(policy) = &settings.policy {
            let json = policy_of(policy, origin)?.to_json();
            let json = json.map_err(|error| SiteError::refused(POLICY_PATH, error))?;
            written.add(Document::new(POLICY_PATH, "application/json; charset=utf-8", json));
        }
        let proofs = [
            (Protocol::AiWebIndex, &settings.proofs.aiwebindex),
            (Protocol::Llmindex, &settings.proofs.llmindex),
        ];
        for (protocol, token) in proofs {
            let Some(token) = token else { continue };
            let host = origin.host_str().unwrap_or_default();
            match Domain::parse(protocol, host, &BundledSuffixes) {
                Ok(domain) => written.add(proof(protocol, token, domain)?),
                // Nobody can own it.
                Err(why) => written.leave_out(protocol.well_known_path(), why.to_string()),
            }
        }
        match &settings.llmindex {
            Some(_) if origin.scheme() != "https" => {
                let why = "a manifest speaks for an https origin; publish one by --origin".to_owned();
                written.leave_out(llmindex_types::MANIFEST_PATH, why);
            }
            Some(settings_of_it) => {
                let challenge = settings.proofs.llmindex.as_deref();
                let documents = manifest::documents(settings_of_it, llmindex, challenge, origin, key)?;
                written.documents.extend(documents);
            }
            None => {}
        }
        Ok(written)
    }

    fn add(&mut self, document: Document) {
        self.documents.push(document);
    }

    fn leave_out(&mut self, what: &str, why: String) {
        self.left_out.push(PassedOver { what: what.to_owned(), why });
    }
}

fn robots_txt(settings: &RobotsSettings, origin: &Url, sitemaps: usize) -> Result<String, SiteError> {
    let mut robots = RobotsBuilder::new().group(&["*"]);
    for pattern in &settings.disallow {
        robots = robots.disallow(pattern);
    }
    let preference = |yes| if yes { Preference::Yes } else { Preference::No };
    let signals: Vec<_> = [
        (Signal::Search, settings.search),
        (Signal::AiInput, settings.ai_input),
        (Signal::AiTrain, settings.ai_train),
    ]
    .into_iter()
    .filter_map(|(signal, stated)| Some((signal, preference(stated?))))
    .collect();
    if !signals.is_empty() {
        robots = robots.content_signal(None, &signals);
    }
    let list = origin.join(readers::SITEMAP).map_err(|error| SiteError::refused("/robots.txt", error))?;
    robots = robots.sitemap(list.as_str());
    for index in 0..sitemaps {
        robots = robots.sitemap(sitemaps::url_of(origin, index).as_str());
    }
    robots.build().map_err(|error| SiteError::refused("/robots.txt", error))
}

/// The policy that the settings state.
///
/// # Errors
/// [`SiteError::Refused`] for terms or a contact that are neither a path of this site nor a URL.
pub(crate) fn policy_of(settings: &PolicySettings, origin: &Url) -> Result<PolicyDescriptor, SiteError> {
    let rate = |stated: Option<f64>| stated.map_or(RateHint::Unstated, RateHint::AtMost);
    let link = |name: &str, text: &Option<String>| {
        let schemes = ["https", "http", "mailto"];
        text.as_deref().map(|text| paths::link(name, text, origin, &schemes)).transpose()
    };
    let mut policy = PolicyDescriptor::default();
    policy.profile = Some(PolicyDescriptor::PROFILE.to_owned());
    policy.version = settings.version;
    policy.effective = settings.effective.map(|at| rfc3339(&at));
    policy.ai_input = settings.ai_input.into();
    policy.ai_train = settings.ai_train.into();
    policy.search_indexing = settings.search_indexing.into();
    policy.attribution = settings.attribution;
    policy.link_back = settings.link_back;
    policy.terms_of_service = link("[policy] terms", &settings.terms)?;
    policy.contact = link("[policy] contact", &settings.contact)?;
    policy.per_second = rate(settings.requests_per_second);
    policy.per_day = rate(settings.requests_per_day);
    Ok(policy)
}

/// The proof file.
fn proof(protocol: Protocol, token: &str, domain: Domain) -> Result<Document, SiteError> {
    let refused = |why: &dyn std::fmt::Display| SiteError::refused(protocol.well_known_path(), why);
    let token = Token::expect(domain, token).map_err(|error| refused(&error))?;
    if token.proves_nothing() {
        return Err(refused(&"expected a token that proves something, found one that is too short"));
    }
    // The file says what a TXT record would say.
    let value = TxtToPublish::new(&token).value().to_owned();
    Ok(Document::new(protocol.well_known_path(), PLAIN, value))
}

/// A date of the settings as RFC 3339; a day alone begins at midnight UTC.
pub(crate) fn rfc3339(at: &Datetime) -> String {
    let text = at.to_string();
    match (at.time, at.offset) {
        (None, _) => format!("{text}T00:00:00Z"),
        (Some(_), None) => format!("{text}Z"),
        (Some(_), Some(_)) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_get_a_time_and_an_offset() {
        for (written, expected) in [
            ("2026-02-20", "2026-02-20T00:00:00Z"),
            ("2026-02-20T08:00:00", "2026-02-20T08:00:00Z"),
            ("2026-02-20T08:00:00+01:00", "2026-02-20T08:00:00+01:00"),
        ] {
            assert_eq!(rfc3339(&written.parse().unwrap()), expected);
        }
    }

    #[test]
    fn a_token_that_proves_nothing_is_refused() {
        let proof = |token: &str| {
            let domain = Domain::parse(Protocol::AiWebIndex, "quay.example", &BundledSuffixes).unwrap();
            proof(Protocol::AiWebIndex, token, domain)
        };
        let token = "8a".repeat(16);
        assert_eq!(proof(&token).unwrap().resource.body(), format!("aiwi-verify={token}").as_bytes());
        for token in ["", "a", "a\nb", " "] {
            assert!(proof(token).is_err(), "{token:?}");
        }
    }
}
