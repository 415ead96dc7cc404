//! From source text to typed values.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use tct_canonical_json::{JsonKind, JsonValue};
use web_values::{Language, Timestamp, WebUrl};

use super::check::{ADDED_IN_0_2, ENDPOINTS, MEMBERS, read_and_check};
use super::{
    AccessControl, CommercialUse, Endpoints, Entity, Feeds, Localized, Manifest, Optional, RateLimit,
    UnknownMember,
};
use crate::finding::{Findings, Path};
use crate::{LlmindexTextError, Mode, Options, Report, Sig, Verify, VerifyMethod, Version};

/// The result of reading a manifest.
#[derive(Debug, Clone)]
#[must_use]
pub struct ManifestReading {
    pub(super) report: Report,
    pub(super) manifest: Option<Manifest>,
    partial: Option<PartialManifest>,
}

impl ManifestReading {
    /// Every finding.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The manifest, if it has no error.
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// The readable parts, in the lenient mode, if it is an object.
    #[must_use]
    pub fn partial(&self) -> Option<&PartialManifest> {
        self.partial.as_ref()
    }
}

/// The readable parts of a manifest, valid or not: each member that is valid by itself.
///
/// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-3, LLMI-AMB-4.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PartialManifest {
    /// The version, where it is a string.
    pub version: Option<Version>,
    /// When the manifest was last changed.
    pub updated_at: Option<Timestamp>,
    /// The entity's display name.
    pub name: Option<String>,
    /// The entity's homepage; an http(s) URL, not always one that the specification allows here.
    pub canonical_url: Option<WebUrl>,
    /// The main language.
    pub language: Option<Language>,
    /// The topics that are strings and not empty.
    pub topics: Vec<String>,
    /// The pages that are URLs, with their member names.
    pub endpoints: Vec<(&'static str, WebUrl)>,
    /// The feeds that are URLs.
    pub feeds: Option<Feeds>,
    /// How ownership is proved, where that member is whole.
    pub verify: Option<Verify<'static>>,
    /// The signature, where that member is whole.
    pub sig: Option<Sig<'static>>,
    /// The license.
    pub license: Option<String>,
    /// The languages of 0.2.
    pub languages: Vec<Language>,
    /// The pages in other languages, of 0.2.
    pub localized_endpoints: Vec<Localized>,
    /// The access rules of 0.2.
    pub access_control: Option<AccessControl>,
    /// When the feeds were last changed, of 0.2.
    pub feed_updated_at: Option<Timestamp>,
    /// The members that this crate does not know.
    pub unknown: Vec<UnknownMember>,
}

/// Why bytes are not a valid manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ManifestError {
    /// They are not a JSON text within the limits.
    Json(LlmindexTextError),
    /// They are JSON; the report has an error.
    Invalid(Report),
}

impl From<LlmindexTextError> for ManifestError {
    fn from(error: LlmindexTextError) -> Self {
        ManifestError::Json(error)
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManifestError::Json(_) => f.write_str("expected a JSON text"),
            ManifestError::Invalid(report) => {
                let count = report.errors().count();
                write!(f, "expected a valid manifest, found {count} errors")?;
                report.errors().next().map_or(Ok(()), |first| write!(f, ", the first: {first}"))
            }
        }
    }
}

impl core::error::Error for ManifestError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ManifestError::Json(error) => Some(error),
            ManifestError::Invalid(_) => None,
        }
    }
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// [`ManifestError::Json`] if the bytes are not a JSON text within the limits, [`ManifestError::Invalid`] with
    /// the whole report where the text has an error in the mode of `options`.
    ///
    /// Spec: llmindex 0.1, "Field definitions"; LLMI-MAN-1.
    pub fn parse(bytes: &[u8], options: &Options) -> Result<Self, ManifestError> {
        let ManifestReading { report, manifest, .. } = read(bytes, options)?;
        manifest.ok_or(ManifestError::Invalid(report))
    }
}

/// Reads a manifest: findings, and typed values as far as the mode allows.
///
/// ```
/// use llmindex_types::{Mode, Options, read};
/// let bytes = br#"{"version": "0.1", "language": "de", "topics": 7}"#;
/// let reading = read(bytes, &Options::default().mode(Mode::Lenient))?;
/// assert!(!reading.report().is_valid() && reading.manifest().is_none());
/// assert_eq!(reading.partial().unwrap().language.as_ref().unwrap().as_str(), "de");
/// # Ok::<(), llmindex_types::LlmindexTextError>(())
/// ```
///
/// # Errors
/// [`LlmindexTextError`] if the bytes are not a JSON text within the limits.
///
/// Spec: llmindex 0.1, "Version policy"; LLMI-VSN-2, LLMI-ERR-3, LLMI-AMB-4.
pub fn read(bytes: &[u8], options: &Options) -> Result<ManifestReading, LlmindexTextError> {
    let mut findings = Findings::new(options.max_findings);
    let document = read_and_check(bytes, options, &mut findings)?;
    let report = findings.into_report();
    let root = document.root();
    let lenient = options.mode == Mode::Lenient && root.kind() == JsonKind::Object;
    let partial = (report.is_valid() || lenient).then(|| partial(root));
    let manifest =
        if report.is_valid() { partial.clone().and_then(|p| whole(p, bytes, &report)) } else { None };
    Ok(ManifestReading { report, manifest, partial: partial.filter(|_| lenient) })
}

/// The manifest, where no required member is missing.
fn whole(partial: PartialManifest, source: &[u8], report: &Report) -> Option<Manifest> {
    let mut pages = partial.endpoints.into_iter();
    let mut page = |name| pages.next().filter(|(found, _)| *found == name).map(|(_, url)| url);
    let endpoints = Endpoints {
        products: page("products")?,
        policies: page("policies")?,
        faq: page("faq")?,
        about: page("about")?,
    };
    Some(Manifest {
        source: Box::from(source),
        report: report.clone(),
        version: partial.version?,
        updated_at: partial.updated_at?,
        entity: Entity { name: partial.name?, canonical_url: partial.canonical_url? },
        language: partial.language?,
        topics: partial.topics,
        endpoints,
        optional: Optional {
            feeds: partial.feeds,
            verify: partial.verify,
            sig: partial.sig,
            license: partial.license,
            languages: partial.languages,
            localized: partial.localized_endpoints,
            access_control: partial.access_control,
            feed_updated_at: partial.feed_updated_at,
            unknown: partial.unknown,
        },
    })
}

fn text(value: Option<JsonValue<'_>>) -> Option<String> {
    value?.as_str().map(Cow::into_owned)
}

fn filled(value: Option<JsonValue<'_>>) -> Option<String> {
    text(value).filter(|text| !text.is_empty())
}

fn url(value: Option<JsonValue<'_>>) -> Option<WebUrl> {
    crate::url::parse(&value?.as_str()?)
}

fn timestamp(value: Option<JsonValue<'_>>) -> Option<Timestamp> {
    Timestamp::parse_without_offset(&value?.as_str()?).ok()
}

fn language(value: Option<JsonValue<'_>>) -> Option<Language> {
    Language::parse(&value?.as_str()?).ok()
}

fn strings(value: JsonValue<'_>) -> Vec<String> {
    value.items().filter_map(|item| text(Some(item))).collect()
}

/// Picks members by name and collects those of other names.
#[derive(Default)]
struct Picker {
    unknown: Vec<UnknownMember>,
}

impl Picker {
    fn pick<'a, const N: usize>(
        &mut self,
        object: Option<JsonValue<'a>>,
        path: Path<'_>,
        names: [&str; N],
    ) -> [Option<JsonValue<'a>>; N] {
        let mut slots = [None; N];
        let mut parent: Option<Arc<str>> = None;
        for (key, value) in object.iter().flat_map(JsonValue::members) {
            match names.iter().position(|name| key.is(name)) {
                Some(at) => {
                    if let Some(slot @ None) = slots.get_mut(at) {
                        *slot = Some(value);
                    }
                }
                None => self.unknown.push(UnknownMember {
                    parent: Arc::clone(parent.get_or_insert_with(|| path.to_pointer().into())),
                    name: key.as_str().into(),
                    json: value.raw().into(),
                }),
            }
        }
        slots
    }
}

fn partial(root: JsonValue<'_>) -> PartialManifest {
    let mut picker = Picker::default();
    let version = text(root.get("version")).map(|text| Version::from_text(&text));
    let is_0_2 = version == Some(Version::V0_2);
    let known = |name: &'static str| if is_0_2 { name } else { "version" };
    let [a, b, c, d] = ADDED_IN_0_2.map(known);
    let [v, u, e, l, t, p, f, y, s, i] = MEMBERS;
    // In other versions the four names of 0.2 are unknown. `version` takes their place; it is found only once.
    let [
        _,
        updated_at,
        entity,
        lang,
        topics,
        endpoints,
        feeds,
        verify,
        sig,
        license,
        langs,
        localized,
        access,
        fed,
    ] = picker.pick(Some(root), Path::Root, [v, u, e, l, t, p, f, y, s, i, a, b, c, d]);
    let [name, canonical_url] = picker.pick(entity, Path::Root.name("entity"), ["name", "canonical_url"]);
    let pages = picker.pick(endpoints, Path::Root.name("endpoints"), ENDPOINTS.map(|(name, _)| name));
    let delta = if is_0_2 { "products_jsonl_delta" } else { "products_jsonl" };
    let [jsonl, offers, delta] =
        picker.pick(feeds, Path::Root.name("feeds"), ["products_jsonl", "offers_json", delta]);
    let [method, proof] = picker.pick(verify, Path::Root.name("verify"), ["method", "value"]);
    let [alg, kid, jws] = picker.pick(sig, Path::Root.name("sig"), ["alg", "kid", "jws"]);
    let rules = access.filter(|value| value.kind() == JsonKind::Object);
    let access_names =
        ["allow", "deny", "rate_limit", "requires_attribution", "commercial_use", "usage_terms"];
    let [allow, deny, rate, attribution, commercial, terms] =
        picker.pick(rules, Path::Root.name("access_control"), access_names);
    let mut localized_endpoints = Vec::new();
    for (key, value) in localized.iter().flat_map(JsonValue::members) {
        let tag = key.as_str();
        let parent = Path::Root.name("localized_endpoints");
        let slots = picker.pick(Some(value), parent.name(&tag), ENDPOINTS.map(|(name, _)| name));
        if let (Ok(language), false) = (Language::parse(&tag), key.is_repeated()) {
            let pages =
                ENDPOINTS.into_iter().zip(slots).filter_map(|((name, _), slot)| Some((name, url(slot)?)));
            localized_endpoints.push(Localized { language, pages: pages.collect() });
        }
    }
    let method = text(method).and_then(|name| VerifyMethod::from_name(&name));
    let verify = method.zip(filled(proof)).map(|(method, value)| Verify { method, value: Cow::Owned(value) });
    let sig = match (filled(alg), filled(kid), filled(jws)) {
        (Some(alg), Some(kid), Some(jws)) => Some(Sig { alg: alg.into(), kid: kid.into(), jws: jws.into() }),
        _ => None,
    };
    PartialManifest {
        version,
        updated_at: timestamp(updated_at),
        name: filled(name),
        canonical_url: url(canonical_url),
        language: language(lang),
        topics: topics.iter().flat_map(JsonValue::items).filter_map(|item| filled(Some(item))).collect(),
        endpoints: ENDPOINTS
            .into_iter()
            .zip(pages)
            .filter_map(|((name, _), slot)| Some((name, url(slot)?)))
            .collect(),
        feeds: feeds.filter(|value| value.kind() == JsonKind::Object).map(|_| Feeds {
            products_jsonl: url(jsonl),
            offers_json: url(offers),
            products_jsonl_delta: url(delta),
        }),
        verify,
        sig,
        license: text(license),
        languages: langs.iter().flat_map(JsonValue::items).filter_map(|item| language(Some(item))).collect(),
        localized_endpoints,
        access_control: rules.map(|_| AccessControl {
            allow: allow.map(strings),
            deny: deny.map(strings).unwrap_or_default(),
            rate_limit: text(rate).and_then(|text| RateLimit::parse(&text)),
            requires_attribution: attribution.and_then(|value| value.as_bool()),
            commercial_use: text(commercial).and_then(|text| CommercialUse::from_name(&text)),
            usage_terms: text(terms),
        }),
        feed_updated_at: timestamp(fed),
        unknown: picker.unknown,
    }
}
