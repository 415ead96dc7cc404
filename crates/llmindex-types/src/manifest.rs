//! The manifest as typed values.
//!
//! ```text
//! bytes ─read─▶ ManifestReading ─▶ report()     every finding
//!                              ├─▶ manifest()   typed and whole, if there is no error
//!                              └─▶ partial()    typed where it can be, in the lenient mode
//! ManifestBuilder ─build─▶ Manifest ─▶ as_bytes()
//! ```
//!
//! A [`Manifest`] is immutable: its bytes are the ones that were read or built, so that a signature over them
//! stays valid. To change one, turn it into a [`ManifestBuilder`], which keeps unknown members.

mod build;
mod check;
mod dialect;
mod read;
mod write;

pub use build::{LlmindexBuildError, ManifestBuilder};
pub use check::validate;
pub use dialect::{AccessControl, CommercialUse, Localized, RateLimit, RateUnit};
pub use read::{ManifestError, ManifestReading, PartialManifest, read};

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use web_values::{Language, Severity, Timestamp, UnixSeconds, WebUrl};

use crate::{Code, Limits, ManifestFinding, Report, Sig, Verify, Version};

/// A valid manifest: every required member is present and valid.
///
/// ```
/// use llmindex_types::{Manifest, Options};
/// let bytes = br#"{"version":"0.1","updated_at":"2026-02-20T00:00:00Z","language":"en","topics":["shoes"],
///   "entity":{"name":"Shoes","canonical_url":"https://shoes.example"},
///   "endpoints":{"products":"https://shoes.example/llm/products","policies":"https://shoes.example/llm/policies",
///                "faq":"https://shoes.example/llm/faq","about":"https://shoes.example/llm/about"}}"#;
/// let manifest = Manifest::parse(bytes, &Options::default())?;
/// assert_eq!(manifest.entity().name, "Shoes");
/// assert_eq!(manifest.endpoints().faq.as_str(), "https://shoes.example/llm/faq");
/// assert_eq!(manifest.as_bytes(), bytes);
/// # Ok::<(), llmindex_types::ManifestError>(())
/// ```
///
/// Spec: llmindex 0.1, "Field definitions"; LLMI-MAN-1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    source: Box<[u8]>,
    report: Report,
    version: Version,
    updated_at: Timestamp,
    entity: Entity,
    language: Language,
    topics: Vec<String>,
    endpoints: Endpoints,
    optional: Optional,
}

/// Whom the manifest describes: a company, a brand, a person.
///
/// Spec: llmindex 0.1, "Required fields"; LLMI-MAN-4, LLMI-MAN-5, LLMI-MAN-6.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Entity {
    /// Display name, never empty.
    pub name: String,
    /// The homepage: https, without userinfo and fragment.
    pub canonical_url: WebUrl,
}

/// The four pages.
///
/// Spec: llmindex 0.1, "Required fields"; LLMI-MAN-9 to LLMI-MAN-13.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Endpoints {
    /// The product list.
    pub products: WebUrl,
    /// Shipping, returns, warranty, payment.
    pub policies: WebUrl,
    /// Questions and answers.
    pub faq: WebUrl,
    /// About the entity.
    pub about: WebUrl,
}

impl Endpoints {
    /// The pages with their member names, in the order of the specification.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &WebUrl)> {
        let pages = [
            ("products", &self.products),
            ("policies", &self.policies),
            ("faq", &self.faq),
            ("about", &self.about),
        ];
        pages.into_iter()
    }
}

/// The feeds that the manifest names.
///
/// Spec: llmindex 0.1, "Optional fields"; LLMI-MAN-14, LLMI-MAN-15, LLMI-MAN-16, LLMI-V02-4.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Feeds {
    /// The products, one JSON object a line.
    pub products_jsonl: Option<WebUrl>,
    /// Current offers; the format of the file is not specified.
    pub offers_json: Option<WebUrl>,
    /// Changed products only (0.2).
    pub products_jsonl_delta: Option<WebUrl>,
}

impl Feeds {
    /// The feeds that are there, with their member names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &WebUrl)> {
        let feeds = [
            ("products_jsonl", &self.products_jsonl),
            ("offers_json", &self.offers_json),
            ("products_jsonl_delta", &self.products_jsonl_delta),
        ];
        feeds.into_iter().filter_map(|(name, url)| Some((name, url.as_ref()?)))
    }
}

/// A member that this crate does not know, kept as it was spelled.
///
/// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-3, LLMI-AMB-1.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UnknownMember {
    /// JSON Pointer of the object that holds it; `""` is the top level. Shared by all its members.
    pub parent: Arc<str>,
    /// The member's name.
    pub name: Box<str>,
    /// The value's JSON text, byte for byte.
    pub json: Box<str>,
}

/// The members that may be absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Optional {
    pub(crate) feeds: Option<Feeds>,
    pub(crate) verify: Option<Verify<'static>>,
    pub(crate) sig: Option<Sig<'static>>,
    pub(crate) license: Option<String>,
    pub(crate) languages: Vec<Language>,
    pub(crate) localized: Vec<Localized>,
    pub(crate) access_control: Option<AccessControl>,
    pub(crate) feed_updated_at: Option<Timestamp>,
    pub(crate) unknown: Vec<UnknownMember>,
}

impl Manifest {
    /// The bytes that were read or built.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.source
    }

    /// The warnings that came with reading or building it; a valid manifest has no errors.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// When the manifest was last changed.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.updated_at
    }

    /// Whom it describes.
    #[must_use]
    pub fn entity(&self) -> &Entity {
        &self.entity
    }

    /// The main language.
    #[must_use]
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// Its topics; at least one.
    #[must_use]
    pub fn topics(&self) -> &[String] {
        &self.topics
    }

    /// The four pages.
    #[must_use]
    pub fn endpoints(&self) -> &Endpoints {
        &self.endpoints
    }

    /// The feeds, if there are any.
    #[must_use]
    pub fn feeds(&self) -> Option<&Feeds> {
        self.optional.feeds.as_ref()
    }

    /// How ownership is proved.
    #[must_use]
    pub fn verify(&self) -> Option<&Verify<'static>> {
        self.optional.verify.as_ref()
    }

    /// The signature, unchecked.
    #[must_use]
    pub fn sig(&self) -> Option<&Sig<'static>> {
        self.optional.sig.as_ref()
    }

    /// The license: an SPDX expression, a URL, or other text; see [`LicenseKind`](crate::LicenseKind).
    #[must_use]
    pub fn license(&self) -> Option<&str> {
        self.optional.license.as_deref()
    }

    /// All languages (0.2).
    #[must_use]
    pub fn languages(&self) -> &[Language] {
        &self.optional.languages
    }

    /// The pages in other languages (0.2).
    #[must_use]
    pub fn localized_endpoints(&self) -> &[Localized] {
        &self.optional.localized
    }

    /// Who may use the content, and how (0.2).
    #[must_use]
    pub fn access_control(&self) -> Option<&AccessControl> {
        self.optional.access_control.as_ref()
    }

    /// When the feeds were last changed (0.2).
    #[must_use]
    pub fn feed_updated_at(&self) -> Option<Timestamp> {
        self.optional.feed_updated_at
    }

    /// The members that this crate does not know, at every level; those of 0.2 in a manifest of another version too.
    #[must_use]
    pub fn unknown(&self) -> &[UnknownMember] {
        &self.optional.unknown
    }

    /// The URL that the manifest must be served at: the canonical URL's origin with the fixed path.
    ///
    /// ```
    /// # use llmindex_types::{manifest_url, web_values::WebUrl};
    /// let home = WebUrl::parse("https://shoes.example:8443/shop/").unwrap();
    /// assert_eq!(manifest_url(&home).as_str(), "https://shoes.example:8443/.well-known/llmindex.json");
    /// ```
    ///
    /// Spec: llmindex 0.1, "Entry point"; LLMI-ENT-1.
    #[must_use]
    pub fn manifest_url(&self) -> url::Url {
        crate::manifest_url(&self.entity.canonical_url)
    }

    /// The URLs that the manifest names, each with its JSON Pointer: the canonical URL, the pages, the feeds, the pages in
    /// other languages. The manifest's author chose them: before fetching one, check that its host is public
    /// ([`WebUrl::host_kind`]), and check the address that its name resolves to as well
    /// ([`HostKind::of_ip`](web_values::HostKind::of_ip)).
    ///
    /// ```
    /// # use llmindex_types::{ManifestBuilder, web_values::Timestamp};
    /// let manifest = ManifestBuilder::new("Shoes", "https://shoes.example", "en")
    ///     .updated_at(Timestamp::parse("2026-02-20T00:00:00Z").unwrap())
    ///     .topic("shoes")
    ///     .products_feed("https://169.254.169.254/latest/meta-data")
    ///     .build()
    ///     .unwrap();
    /// let private: Vec<_> = manifest.urls().filter(|(_, url)| !url.host_kind().is_public()).collect();
    /// assert_eq!(private[0].0, "/feeds/products_jsonl");
    /// assert_eq!(manifest.report().findings()[0].code().as_str(), "url-not-public");
    /// ```
    ///
    /// Spec: llmindex 0.1; LLMI-AMB-34.
    pub fn urls(&self) -> impl Iterator<Item = (String, &WebUrl)> {
        let canonical = [(String::from("/entity/canonical_url"), &self.entity.canonical_url)];
        let pages = self.endpoints.iter().map(|(name, url)| (alloc::format!("/endpoints/{name}"), url));
        let feeds = self.feeds().into_iter().flat_map(Feeds::iter);
        let feeds = feeds.map(|(name, url)| (alloc::format!("/feeds/{name}"), url));
        let localized = self.localized_endpoints().iter().flat_map(|localized| {
            let parent = alloc::format!("/localized_endpoints/{}", localized.language);
            localized.pages.iter().map(move |(name, url)| (alloc::format!("{parent}/{name}"), url))
        });
        canonical.into_iter().chain(pages).chain(feeds).chain(localized)
    }

    /// The four pages for a reader of this language: of each, the one that `localized_endpoints` names for the language
    /// or for a shorter form of its tag (RFC 4647, "Lookup"), else the one of `endpoints`.
    ///
    /// ```
    /// # use llmindex_types::{ManifestBuilder, web_values::{Language, Timestamp}};
    /// let manifest = ManifestBuilder::new("Shoes", "https://shoes.example", "en")
    ///     .updated_at(Timestamp::parse("2026-02-20T00:00:00Z").unwrap())
    ///     .topic("shoes")
    ///     .version_0_2()
    ///     .also_in("en")
    ///     .also_in("de")
    ///     .localized("de", &[("faq", "https://shoes.example/de/faq")])
    ///     .build()
    ///     .unwrap();
    /// let pages = manifest.pages_in(&Language::parse("de-AT").unwrap());
    /// assert_eq!(pages.map(|(_, url)| url.path().to_owned()), ["/llm/products", "/llm/policies", "/de/faq", "/llm/about"]);
    /// ```
    ///
    /// Spec: llmindex 0.2, "localized_endpoints"; LLMI-V02-2.
    #[must_use]
    pub fn pages_in(&self, language: &Language) -> [(&'static str, &WebUrl); 4] {
        let ends = &self.endpoints;
        let main = [
            ("products", &ends.products),
            ("policies", &ends.policies),
            ("faq", &ends.faq),
            ("about", &ends.about),
        ];
        main.map(|(name, url)| {
            let mut range = language.as_str();
            loop {
                let is_it = |localized: &&Localized| localized.language.as_str().eq_ignore_ascii_case(range);
                let mut pages = self.localized_endpoints().iter().filter(is_it).flat_map(|l| &l.pages);
                if let Some((_, localized)) = pages.find(|(page, _)| *page == name) {
                    return (name, localized);
                }
                let Some((shorter, _)) = range.rsplit_once('-') else { return (name, url) };
                // A single letter or digit belongs to what follows it.
                range = match shorter.rsplit_once('-') {
                    Some((before, single)) if single.len() == 1 => before,
                    _ => shorter,
                };
            }
        })
    }

    /// Whether this manifest is older than one seen before, whose `updated_at` was `last_seen`: a sign that an old
    /// copy is being served. A manifest does not expire, so the caller stores that time.
    ///
    /// Spec: llmindex 0.1, "Required fields"; LLMI-AMB-27.
    #[must_use]
    pub fn is_rollback(&self, last_seen: Timestamp) -> bool {
        self.updated_at.instant() < last_seen.instant()
    }

    /// Findings about the manifest's age at `now`: dates more than five minutes ahead, and a `feed_updated_at`
    /// more than seven days back. Warnings, apart from [`validate`], which knows no clock.
    ///
    /// Spec: llmindex 0.1, "Required fields"; LLMI-AMB-27, LLMI-V02-4.
    pub fn check_age(&self, now: UnixSeconds) -> Vec<ManifestFinding> {
        const AHEAD_SECONDS: i64 = 5 * 60;
        const STALE_SECONDS: i64 = 7 * 24 * 60 * 60;
        let now = i64::try_from(now.0).unwrap_or(i64::MAX);
        let mut findings = Vec::new();
        let dates = [("/updated_at", Some(self.updated_at)), ("/feed_updated_at", self.feed_updated_at())];
        for (path, date) in dates {
            if date.is_some_and(|date| date.unix_seconds() > now.saturating_add(AHEAD_SECONDS)) {
                let message = "expected a time that has come, found one in the future";
                let code = Code::TimestampInFuture;
                findings.push(ManifestFinding::new(Severity::Warning, code, "LLMI-AMB-27", path, message));
            }
        }
        if self.feed_updated_at().is_some_and(|date| date.unix_seconds() < now.saturating_sub(STALE_SECONDS))
        {
            let (path, code) = ("/feed_updated_at", Code::FeedStale);
            let message = "expected a feed changed within seven days, found an older one";
            findings.push(ManifestFinding::new(Severity::Warning, code, "LLMI-V02-4", path, message));
        }
        findings
    }

    /// The default limits of [`Manifest::parse`].
    pub const DEFAULT_LIMITS: Limits = Limits::MANIFEST;
}
