//! The documents of llmindex: manifest, key, feed, the four pages, `/llms.txt`.

use http::HeaderValue;
use jwk::SigningKey;
use llmindex_types::web_values::{self, Timestamp};
use llmindex_types::{
    About, AccessControl, Availability, CommercialUse, DeltaWriter, FaqTopic, FeedWriter, MANIFEST_PATH,
    Manifest, ManifestBuilder, Options, Policies, Product, ProductBuilder, RateLimit, VerifyMethod,
    about_page, faq_page, llms_txt, policies_page, products_page, response_headers,
};
use tct::{Representation, UnixSeconds};
use toml::value::Datetime;
use url::Url;
use verify::{JwsForm, sign_manifest};

use crate::SiteError;
use crate::documents::{Document, MARKDOWN, PLAIN, rfc3339};
use crate::paths;
use crate::publisher::Resource;
use crate::settings::{
    AccessSettings, AvailabilitySettings, LlmindexSettings, ProductSettings, Version02Settings,
};

/// The path of the feed.
pub const FEED_PATH: &str = "/products.jsonl";
/// The path of the feed of changed products, of version 0.2.
pub const DELTA_PATH: &str = "/products-delta.jsonl";
/// The path of the public key.
pub const KEYS_PATH: &str = "/.well-known/jwks.json";

/// Which version of llmindex a site publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum LlmindexVersion {
    /// 0.1: the manifest with its pages and its feed.
    #[default]
    #[value(name = "0.1")]
    V0_1,
    /// 0.2: languages, access rules, when the feed changed, and the changes alone as a second feed.
    #[value(name = "0.2")]
    V0_2,
}

/// All of them.
///
/// # Errors
/// [`SiteError::Refused`] with the first rule that a setting breaks.
pub(crate) fn documents(
    settings: &LlmindexSettings,
    version: LlmindexVersion,
    challenge: Option<&str>,
    origin: &Url,
    key: Option<&SigningKey>,
) -> Result<Vec<Document>, SiteError> {
    let products = settings.products.iter().map(|product| build_product(product, origin));
    let products = products.collect::<Result<Vec<_>, _>>()?;
    let newer = match version {
        LlmindexVersion::V0_1 => None,
        LlmindexVersion::V0_2 => Some(settings.version_0_2.clone().unwrap_or_default()),
    };
    let newer = newer.as_ref();
    let manifest = build_manifest(settings, newer, challenge, origin, !products.is_empty())?;
    let mut documents = vec![
        Document::new("/llms.txt", PLAIN, llms_txt(&manifest)),
        Document::new("/llm/products", MARKDOWN, products_page(&settings.name, &products)),
        Document::new("/llm/policies", MARKDOWN, policies(settings)),
        Document::new("/llm/faq", MARKDOWN, faq(settings)),
        Document::new("/llm/about", MARKDOWN, about(settings)),
    ];
    if !products.is_empty() {
        let feed = write_feed(&products)?;
        documents.push(Document::new(FEED_PATH, "application/x-ndjson; charset=utf-8", feed));
    }
    if let Some(newer) = newer
        && let Some(since) = &newer.delta_since
    {
        let delta = write_delta(&products, timestamp(since, DELTA_PATH)?, newer)?;
        documents.push(Document::new(DELTA_PATH, "application/x-ndjson; charset=utf-8", delta));
    }
    let manifest = match key {
        Some(key) => {
            documents.push(Document::new(KEYS_PATH, "application/jwk-set+json", key.to_public_jwk_set()));
            sign(&manifest, key)?
        }
        None => manifest,
    };
    documents.push(served(&manifest));
    Ok(documents)
}

fn build_manifest(
    settings: &LlmindexSettings,
    newer: Option<&Version02Settings>,
    challenge: Option<&str>,
    origin: &Url,
    has_feed: bool,
) -> Result<Manifest, SiteError> {
    let url = |path: &str| origin.join(path).map_or_else(|_| String::new(), String::from);
    let mut builder = ManifestBuilder::new(&settings.name, origin.as_str(), &settings.language)
        .updated_at(timestamp(&settings.updated, MANIFEST_PATH)?);
    for topic in &settings.topics {
        builder = builder.topic(topic);
    }
    if has_feed {
        builder = builder.products_feed(&url(FEED_PATH));
    }
    if let Some(license) = &settings.license {
        builder = builder.license(license);
    }
    if let Some(challenge) = challenge {
        builder = builder.verify(VerifyMethod::HttpFile, challenge);
    }
    if let Some(newer) = newer {
        builder = with_version_0_2(builder, settings, newer, origin)?;
    }
    builder.build().map_err(|error| SiteError::refused(MANIFEST_PATH, error))
}

/// What version 0.2 adds. The feeds' own time is that of the last change of a product.
fn with_version_0_2(
    builder: ManifestBuilder,
    settings: &LlmindexSettings,
    newer: &Version02Settings,
    origin: &Url,
) -> Result<ManifestBuilder, SiteError> {
    let mut builder = builder.version_0_2();
    for language in &newer.languages {
        builder = builder.also_in(language);
    }
    for (language, pages) in &newer.localized {
        let of_site = |page: &str| paths::link("[llmindex] localized", page, origin, &["https", "http"]);
        let pages = pages.iter().map(|(name, page)| Ok((name.as_str(), of_site(page)?)));
        let pages = pages.collect::<Result<Vec<_>, SiteError>>()?;
        let pages: Vec<_> = pages.iter().map(|(name, page)| (*name, page.as_str())).collect();
        builder = builder.localized(language, &pages);
    }
    let changes = settings.products.iter().map(|product| &product.updated);
    let changes = changes.chain(newer.deleted.iter().map(|(_, at)| at));
    let changes = changes.map(|at| timestamp(at, MANIFEST_PATH)).collect::<Result<Vec<_>, _>>()?;
    if let Some(last) = changes.into_iter().max_by_key(Timestamp::instant) {
        builder = builder.feed_updated_at(last);
    }
    if let Some(since) = &newer.delta_since {
        let since = timestamp(since, DELTA_PATH)?.to_string();
        let mut delta = origin.join(DELTA_PATH).map_err(|error| SiteError::refused(DELTA_PATH, error))?;
        delta.query_pairs_mut().append_pair("since", &since);
        builder = builder.delta_feed(delta.as_str());
    }
    if let Some(access) = &newer.access {
        builder = builder.access_control(access_control(access)?);
    }
    Ok(builder)
}

fn access_control(access: &AccessSettings) -> Result<AccessControl, SiteError> {
    let refused = |member: &str, expected: &str, found: &str| {
        SiteError::refused(format!("access.{member}"), format!("expected {expected}, found `{found}`"))
    };
    let rate_limit = access.rate_limit.as_deref().map(|text| {
        RateLimit::parse(text).ok_or_else(|| refused("rate-limit", "a count in a span, as in 500/day", text))
    });
    let commercial_use = access.commercial_use.as_deref().map(|text| {
        let expected = "allowed, non-commercial or contact-required";
        CommercialUse::from_name(text).ok_or_else(|| refused("commercial-use", expected, text))
    });
    Ok(AccessControl {
        allow: access.allow.clone(),
        deny: access.deny.clone(),
        rate_limit: rate_limit.transpose()?,
        requires_attribution: access.requires_attribution,
        commercial_use: commercial_use.transpose()?,
        usage_terms: access.usage_terms.clone(),
    })
}

/// The manifest with its signature: the JWS holds no second copy of what is beside it.
fn sign(manifest: &Manifest, key: &SigningKey) -> Result<Manifest, SiteError> {
    let refused = |why: String| SiteError::refused(MANIFEST_PATH, why);
    let signed = sign_manifest(manifest.as_bytes(), key, JwsForm::Detached)
        .map_err(|error| refused(error.to_string()))?;
    llmindex_types::read(signed.as_bytes(), &Options::default())
        .map_err(|error| refused(error.to_string()))?
        .manifest()
        .cloned()
        .ok_or_else(|| refused("the signed manifest is not valid any more".to_owned()))
}

/// The manifest under the header fields of its own protocol.
fn served(manifest: &Manifest) -> Document {
    let now = crate::now();
    let headers = response_headers(manifest, web_values::UnixSeconds(now.0));
    let body = manifest.as_bytes().to_vec();
    let etag = HeaderValue::try_from(headers.etag).ok();
    let plain = etag
        .and_then(|etag| Representation::of_etag(etag, body.len() as u64))
        .unwrap_or_else(|| Representation::of_bytes(&body))
        .with_cache_control(HeaderValue::from_static(llmindex_types::CACHE_CONTROL));
    let changed = manifest.updated_at().to_unix_seconds().map(|changed| UnixSeconds(changed.0));
    let plain = match changed {
        Some(changed) => plain.with_last_modified(changed, now),
        None => plain,
    };
    Document { path: MANIFEST_PATH.to_owned(), resource: Resource::new(body, plain) }
}

fn build_product(product: &ProductSettings, origin: &Url) -> Result<Product, SiteError> {
    let what = || format!("product {}", product.id);
    let url = paths::link(&what(), &product.url, origin, &["https", "http"])?;
    let availability = match product.availability {
        AvailabilitySettings::InStock => Availability::InStock,
        AvailabilitySettings::OutOfStock => Availability::OutOfStock,
        AvailabilitySettings::Preorder => Availability::Preorder,
    };
    let updated = timestamp(&product.updated, &what())?;
    let builder = ProductBuilder::new(&product.id, &product.title, url.as_str(), availability, updated)
        .price(&product.price, &product.currency);
    let builder = match &product.category {
        Some(category) => builder.category(category),
        None => builder,
    };
    builder.build().map_err(|error| SiteError::refused(what(), error))
}

fn write_feed(products: &[Product]) -> Result<Vec<u8>, SiteError> {
    // The identifiers are the publisher's own: nobody chooses them to collide.
    let (mut writer, mut feed) = (FeedWriter::new([0; 16]), Vec::new());
    for product in products {
        writer
            .write(product, &mut feed)
            .map_err(|error| SiteError::refused(format!("product {}", product.id), error))?;
    }
    Ok(feed)
}

/// The products that have changed since then, and those that are gone.
fn write_delta(
    products: &[Product],
    since: Timestamp,
    newer: &Version02Settings,
) -> Result<Vec<u8>, SiteError> {
    let (mut writer, mut delta) = (DeltaWriter::new([0; 16]), Vec::new());
    let refused = |error| SiteError::refused(DELTA_PATH, error);
    for product in products.iter().filter(|product| product.updated_at.instant() > since.instant()) {
        writer.put(product, &mut delta).map_err(refused)?;
    }
    for (id, at) in &newer.deleted {
        writer.delete(id, timestamp(at, DELTA_PATH)?, &mut delta).map_err(refused)?;
    }
    Ok(delta)
}

fn policies(settings: &LlmindexSettings) -> String {
    let policies = &settings.policies;
    let texts = Policies {
        shipping: &policies.shipping,
        returns: &policies.returns,
        warranty: &policies.warranty,
        payment: &policies.payment,
    };
    policies_page(&settings.name, &texts)
}

fn faq(settings: &LlmindexSettings) -> String {
    let questions: Vec<Vec<(&str, &str)>> =
        settings.faq.iter().map(|topic| pairs(&topic.questions)).collect();
    let topics: Vec<_> = settings
        .faq
        .iter()
        .zip(&questions)
        .map(|(topic, questions)| FaqTopic { topic: &topic.topic, questions })
        .collect();
    faq_page(&settings.name, &topics)
}

fn about(settings: &LlmindexSettings) -> String {
    let (company, contact) = (pairs(&settings.about.company), pairs(&settings.about.contact));
    about_page(&settings.name, &About { story: &settings.about.story, company: &company, contact: &contact })
}

fn pairs(texts: &[(String, String)]) -> Vec<(&str, &str)> {
    texts.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect()
}

fn timestamp(at: &Datetime, what: &str) -> Result<Timestamp, SiteError> {
    Timestamp::parse(&rfc3339(at)).map_err(|error| SiteError::refused(what, error))
}
