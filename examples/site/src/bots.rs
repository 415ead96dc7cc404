//! What the home of a crawler publishes so that others recognise its requests: keys, card, addresses.
//!
//! ```text
//! /.well-known/http-message-signatures-directory   the public keys, signed by each of them
//! /signature-agent-card.json                       what the crawler says about itself
//! /crawler-addresses.json                          where its requests come from
//! ```
//!
//! A request's `Signature-Agent` names this site's origin; whoever gets it reads the directory and checks the signature.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use bot_auth::{
    AddressList, Card, DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH, DIRECTORY_TAG, KeySchedule, Message,
    ScheduledKey, SignatureParams, directory_body, sign,
};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use jwk::SigningKey;
use serde_json::json;
use tct::v03::BodyTag;
use url::Url;
use web_values::UnixSeconds;

use crate::SiteError;
use crate::documents::rfc3339;
use crate::publisher::Resource;
use crate::settings::BotSettings;

/// Where the card is.
pub const CARD_PATH: &str = "/signature-agent-card.json";
/// Where the addresses are.
pub const ADDRESSES_PATH: &str = "/crawler-addresses.json";

/// The signature of a directory holds for as long as the directory may be kept.
const DIRECTORY_SECONDS: u64 = 3600;

/// A crawler whose home is here.
#[derive(Debug)]
pub struct Bot {
    keys: Keys,
    /// The directory's URL: what its signatures speak of.
    url: String,
    card: Resource,
    addresses: Option<Resource>,
}

/// The keys of a crawler.
#[derive(Debug)]
enum Keys {
    /// One, until further notice.
    One(Box<SigningKey>),
    /// Two, one after the other.
    Two(KeySchedule),
}

impl Keys {
    fn new(settings: &BotSettings, key: SigningKey, next: Option<SigningKey>) -> Result<Self, SiteError> {
        let refused = |why: &dyn std::fmt::Display| SiteError::refused("[bot] next-key-from", why);
        let (next, from) = match (next, &settings.next_key_from) {
            (None, None) => return Ok(Keys::One(Box::new(key))),
            (Some(next), Some(from)) => (next, from),
            (Some(_), None) => return Err(refused(&"expected the time from which the second key signs")),
            (None, Some(_)) => return Err(refused(&"expected a second key, by --next-bot-key")),
        };
        let from = rfc3339(from).parse::<jiff::Timestamp>().map_err(|error| refused(&error))?;
        let from = UnixSeconds(u64::try_from(from.as_second()).map_err(|error| refused(&error))?);
        let (start, end) = (UnixSeconds(0), from.saturating_add(LAST_KEY_SECONDS));
        let keys =
            [ScheduledKey { key, from: start, until: from }, ScheduledKey { key: next, from, until: end }];
        KeySchedule::new(keys).map(Keys::Two).map_err(|error| refused(&error))
    }

    /// Those that are published now, and the directory that has them.
    fn published(&self, now: UnixSeconds) -> (Vec<&SigningKey>, String) {
        match self {
            Keys::One(key) => (vec![key], directory_body([&**key])),
            Keys::Two(keys) => (keys.published(now).map(|(key, _)| key).collect(), keys.directory_body(now)),
        }
    }
}

/// The second of two keys is published for ten years; a third would follow it before.
const LAST_KEY_SECONDS: u64 = 10 * 365 * 86_400;

impl Bot {
    /// The crawler of these settings, whose requests this key signs, and from `next-key-from` on the next one.
    ///
    /// # Errors
    /// [`SiteError::Refused`] if a setting breaks a rule of the protocol, in the library's words.
    pub fn new(
        settings: &BotSettings,
        key: SigningKey,
        next: Option<SigningKey>,
        origin: &Url,
    ) -> Result<Self, SiteError> {
        let url = |path: &str| origin.join(path).map(String::from);
        let refused = |what: &'static str| move |why: String| SiteError::refused(what, why);
        let urls = [DIRECTORY_PATH, CARD_PATH, ADDRESSES_PATH].map(url);
        let [Ok(directory_url), Ok(card_url), Ok(addresses_url)] = urls else {
            return Err(refused("[bot]")("expected an origin with a host".to_owned()));
        };
        // A member without a value is left out.
        let ips_uri = (!settings.addresses.is_empty()).then_some(&addresses_url);
        let about = [
            ("expected-user-agent", Some(json!(settings.name))),
            ("rfc9309-product-token", Some(json!(settings.product_token.as_ref().unwrap_or(&settings.name)))),
            ("rfc9309-compliance", Some(json!(true))),
            ("trigger", Some(json!("crawler"))),
            ("ips_uri", ips_uri.map(|url| json!(url))),
        ];
        let about: serde_json::Map<_, _> =
            about.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        let card = json!({
            "client_id": card_url, "client_name": settings.name, "jwks_uri": directory_url, "web_bot_auth": about,
        });
        let card = card.to_string();
        let read =
            Card::parse(&card_url, card.as_bytes()).map_err(|error| refused(CARD_PATH)(error.to_string()))?;
        if let Some(fault) = read.faults().first() {
            return Err(refused(CARD_PATH)(fault.to_string()));
        }
        let addresses = match settings.addresses.is_empty() {
            true => None,
            false => Some(Resource::of_file(addresses_json(&settings.addresses)?, "application/json", [])),
        };
        Ok(Bot {
            card: Resource::of_file(card, "application/json", []),
            url: directory_url,
            addresses,
            keys: Keys::new(settings, key, next)?,
        })
    }

    /// The directory, signed now by each key in it.
    fn directory(&self) -> Response {
        let now = UnixSeconds(crate::now().0);
        let (keys, directory) = self.keys.published(now);
        let digest = BodyTag::of_bytes(directory.as_bytes()).content_digest();
        let mut response = Response::new(Body::from(directory));
        let fields = response.headers_mut();
        fields.insert(CONTENT_TYPE, HeaderValue::from_static(DIRECTORY_MEDIA_TYPE));
        fields.insert(CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
        // Without proofs the keys count as well: they only show that whoever publishes them has them.
        for (index, key) in keys.into_iter().enumerate() {
            if let Some((input, signature)) = self.proof(key, &format!("sig{}", index + 1), &digest, now) {
                fields.append(HeaderName::from_static("signature-input"), input);
                fields.append(HeaderName::from_static("signature"), signature);
            }
        }
        fields.insert(HeaderName::from_static("content-digest"), digest);
        response
    }

    fn proof(
        &self,
        key: &SigningKey,
        label: &str,
        digest: &HeaderValue,
        now: UnixSeconds,
    ) -> Option<(HeaderValue, HeaderValue)> {
        let (UnixSeconds(now), name) = (now, key.thumbprint());
        let expires = now + DIRECTORY_SECONDS;
        let params = format!(
            "(\"@authority\";req \"content-digest\");created={now};expires={expires};keyid=\"{name}\";\
             tag=\"{DIRECTORY_TAG}\""
        );
        let params = SignatureParams::parse(&params).ok()?;
        let request = Message::request("GET", &self.url).ok()?;
        let message =
            Message::response(200).ok()?.answering(&request).header("content-digest", digest.as_bytes());
        let signed = sign(&message, label, &params, key).ok()?;
        let field = |text: String| HeaderValue::try_from(text).ok();
        Some((field(signed.signature_input)?, field(signed.signature)?))
    }
}

/// The list as crawlers publish it; the library reads it back, so a prefix with a slip of the pen is an error at start.
fn addresses_json(addresses: &[String]) -> Result<String, SiteError> {
    let prefixes = addresses.iter().map(|prefix| match prefix.contains(':') {
        true => json!({ "ipv6Prefix": prefix }),
        false => json!({ "ipv4Prefix": prefix }),
    });
    let created = jiff::Timestamp::from_second(i64::try_from(crate::now().0).unwrap_or_default());
    let list = json!({
        "formatVersion": "1.0",
        "creationTime": created.unwrap_or_default().to_string(),
        "prefixes": prefixes.collect::<Vec<_>>(),
    });
    let list = list.to_string();
    let refused = |why: String| SiteError::refused(ADDRESSES_PATH, why);
    let read = AddressList::parse(list.as_bytes(), None).map_err(|error| refused(error.to_string()))?;
    match read.skipped() {
        0 => Ok(list),
        skipped => {
            Err(refused(format!("expected prefixes such as 192.0.2.0/24, found {skipped} that are none")))
        }
    }
}

/// The service for the three addresses.
pub(crate) fn router(bot: Bot) -> Router {
    let has_addresses = bot.addresses.is_some();
    let card = async |State(bot): State<Arc<Bot>>, method: Method, fields: HeaderMap| {
        bot.card.respond(&method, &fields)
    };
    let router = Router::new()
        .route(DIRECTORY_PATH, get(async |State(bot): State<Arc<Bot>>| bot.directory()))
        .route(CARD_PATH, get(card));
    let router = match has_addresses {
        false => router,
        true => router.route(ADDRESSES_PATH, get(addresses)),
    };
    router.with_state(Arc::new(bot))
}

async fn addresses(State(bot): State<Arc<Bot>>, method: Method, fields: HeaderMap) -> Response {
    match &bot.addresses {
        Some(addresses) => addresses.respond(&method, &fields).into_response(),
        None => Response::new(Body::empty()),
    }
}
