//! Building a manifest that cannot be invalid.
//!
//! The builder takes text, writes the JSON, and then reads it by the strict rules like any reader. So built and
//! received manifests pass the same checks, and there is no second set of rules.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use web_values::{Severity, Timestamp, WebUrl};

use super::check::ENDPOINTS;
use super::{AccessControl, Manifest, ManifestReading, UnknownMember, read};
use crate::finding::{Code, ManifestFinding, Report};
use crate::{Mode, Options, VerifyMethod, Version, url};

/// Collects a manifest's members; [`ManifestBuilder::build`] gives a valid manifest or every reason why not.
///
/// Until they are set, the endpoints are the recommended paths of the canonical URL's origin.
///
/// ```
/// use llmindex_types::{ManifestBuilder, web_values::Timestamp};
/// let manifest = ManifestBuilder::new("Shoes", "https://shoes.example", "en")
///     .updated_at(Timestamp::parse("2026-02-20T00:00:00Z").unwrap())
///     .topic("shoes")
///     .products_feed("https://shoes.example/products.jsonl")
///     .build()?;
/// assert_eq!(manifest.endpoints().faq.as_str(), "https://shoes.example/llm/faq");
/// assert_eq!(manifest.report().findings().len(), 0);
///
/// let error = ManifestBuilder::new("", "http://shoes.example", "en_US").build().unwrap_err();
/// let faults: Vec<_> = error.report().errors().map(|finding| finding.path()).collect();
/// assert_eq!(faults, ["/updated_at", "/entity/name", "/entity/canonical_url", "/language", "/topics"]);
/// # Ok::<(), llmindex_types::LlmindexBuildError>(())
/// ```
///
/// Spec: llmindex 0.1, "Field definitions"; LLMI-MAN-1, LLMI-AMB-1, LLMI-AMB-31, LLMI-SEC-4.
#[derive(Debug, Clone)]
#[must_use]
pub struct ManifestBuilder {
    draft: Draft,
    allow_secrets: bool,
}

/// The members as text.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) version: String,
    pub(super) updated_at: Option<String>,
    pub(super) name: String,
    pub(super) canonical_url: String,
    pub(super) language: Option<String>,
    pub(super) topics: Vec<String>,
    pub(super) endpoints: [String; 4],
    pub(super) feeds: Option<Vec<(&'static str, String)>>,
    pub(super) verify: Option<(VerifyMethod, String)>,
    pub(super) license: Option<String>,
    pub(super) languages: Vec<String>,
    pub(super) localized: Vec<(String, Vec<(&'static str, String)>)>,
    pub(super) access_control: Option<AccessControl>,
    pub(super) feed_updated_at: Option<String>,
    pub(super) unknown: Vec<UnknownMember>,
}

/// Why a manifest, a product or a line was not built or written: the report of the strict check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmindexBuildError {
    report: Box<Report>,
}

impl LlmindexBuildError {
    #[cold]
    pub(crate) fn new(report: Report) -> Self {
        LlmindexBuildError { report: Box::new(report) }
    }

    /// Every finding, at the place that it would have in the JSON text.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl fmt::Display for LlmindexBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a text without errors, found {} errors", self.report.errors().count())?;
        self.report.errors().next().map_or(Ok(()), |first| write!(f, ", the first: {first}"))
    }
}

impl core::error::Error for LlmindexBuildError {}

impl ManifestBuilder {
    /// Starts a manifest of version 0.1 for the entity of that name, its https homepage and its main language.
    pub fn new(name: &str, canonical_url: &str, language: &str) -> Self {
        let endpoints = ENDPOINTS.map(|(page, _)| recommended(canonical_url, page));
        let draft = Draft {
            version: Version::V0_1.as_str().into(),
            name: name.into(),
            canonical_url: canonical_url.into(),
            language: Some(language.into()),
            endpoints,
            ..Draft::default()
        };
        ManifestBuilder { draft, allow_secrets: false }
    }

    /// Starts from a manifest: everything except `sig`, which would no longer be valid. Times are written in UTC. Unknown members
    /// are kept and written back; the builder itself adds none.
    pub fn from_manifest(manifest: &Manifest) -> Self {
        let text = |url: &WebUrl| url.as_given().to_string();
        let ends = &manifest.endpoints;
        let draft = Draft {
            version: manifest.version.as_str().into(),
            updated_at: Some(manifest.updated_at.spelled().to_string()),
            name: manifest.entity.name.clone(),
            canonical_url: text(&manifest.entity.canonical_url),
            language: Some(manifest.language.as_str().into()),
            topics: manifest.topics.clone(),
            endpoints: [&ends.products, &ends.policies, &ends.faq, &ends.about].map(text),
            feeds: manifest.feeds().map(|feeds| feeds.iter().map(|(name, url)| (name, text(url))).collect()),
            verify: manifest.verify().map(|verify| (verify.method, verify.value.clone().into_owned())),
            license: manifest.license().map(Into::into),
            languages: manifest.languages().iter().map(|tag| tag.as_str().into()).collect(),
            localized: manifest
                .localized_endpoints()
                .iter()
                .map(|l| {
                    let pages = l.pages.iter().map(|(name, url)| (*name, text(url))).collect();
                    (l.language.as_str().into(), pages)
                })
                .collect(),
            access_control: manifest.access_control().cloned(),
            feed_updated_at: manifest.feed_updated_at().map(|time| time.spelled().to_string()),
            unknown: manifest.unknown().iter().filter(|member| &*member.parent != "/sig").cloned().collect(),
        };
        ManifestBuilder { draft, allow_secrets: false }
    }

    /// Writes version 0.2, whose members are then allowed.
    pub fn version_0_2(mut self) -> Self {
        self.draft.version = Version::V0_2.as_str().into();
        self
    }

    /// Sets when the manifest was last changed.
    pub fn updated_at(mut self, time: Timestamp) -> Self {
        self.draft.updated_at = Some(time.spelled().to_string());
        self
    }

    /// Adds a topic; a manifest needs at least one.
    pub fn topic(mut self, topic: &str) -> Self {
        self.draft.topics.push(topic.into());
        self
    }

    /// Sets the URL of the product list.
    pub fn products(self, url: &str) -> Self {
        self.endpoint(0, url)
    }

    /// Sets the URL of the policies.
    pub fn policies(self, url: &str) -> Self {
        self.endpoint(1, url)
    }

    /// Sets the URL of the questions and answers.
    pub fn faq(self, url: &str) -> Self {
        self.endpoint(2, url)
    }

    /// Sets the URL of the page about the entity.
    pub fn about(self, url: &str) -> Self {
        self.endpoint(3, url)
    }

    fn endpoint(mut self, index: usize, url: &str) -> Self {
        if let Some(endpoint) = self.draft.endpoints.get_mut(index) {
            *endpoint = url.into();
        }
        self
    }

    /// Sets the URL of the product feed.
    pub fn products_feed(self, url: &str) -> Self {
        self.feed("products_jsonl", url)
    }

    /// Sets the URL of the offers.
    pub fn offers_feed(self, url: &str) -> Self {
        self.feed("offers_json", url)
    }

    /// Sets the URL of the feed of changed products (0.2).
    pub fn delta_feed(self, url: &str) -> Self {
        self.feed("products_jsonl_delta", url)
    }

    fn feed(mut self, name: &'static str, url: &str) -> Self {
        let feeds = self.draft.feeds.get_or_insert_default();
        feeds.retain(|(known, _)| *known != name);
        feeds.push((name, url.into()));
        self
    }

    /// Sets how ownership is proved.
    pub fn verify(mut self, method: VerifyMethod, value: &str) -> Self {
        self.draft.verify = Some((method, value.into()));
        self
    }

    /// Sets the license: an SPDX expression or the URL of the text.
    pub fn license(mut self, license: &str) -> Self {
        self.draft.license = Some(license.into());
        self
    }

    /// Adds a language to the list of all (0.2).
    pub fn also_in(mut self, language: &str) -> Self {
        self.draft.languages.push(language.into());
        self
    }

    /// Adds the pages in one more language (0.2), each with its member name: `products`, `policies`, `faq` or
    /// `about`; other names are left out.
    pub fn localized(mut self, language: &str, pages: &[(&str, &str)]) -> Self {
        let known = |(name, url): &(&str, &str)| {
            let (name, _) = ENDPOINTS.into_iter().find(|(known, _)| known == name)?;
            Some((name, String::from(*url)))
        };
        self.draft.localized.push((language.into(), pages.iter().filter_map(known).collect()));
        self
    }

    /// Sets who may use the content, and how (0.2).
    pub fn access_control(mut self, rules: AccessControl) -> Self {
        self.draft.access_control = Some(rules);
        self
    }

    /// Sets when the feeds were last changed (0.2).
    pub fn feed_updated_at(mut self, time: Timestamp) -> Self {
        self.draft.feed_updated_at = Some(time.spelled().to_string());
        self
    }

    /// Accepts texts that look like secrets, which the caller knows to be harmless. Without this, a certain secret
    /// makes [`ManifestBuilder::build`] fail.
    ///
    /// Spec: llmindex 0.1, "Security considerations"; LLMI-SEC-4, LLMI-AMB-25.
    pub fn allow_secrets(mut self) -> Self {
        self.allow_secrets = true;
        self
    }

    /// Writes the manifest and checks it by the strict rules.
    ///
    /// The JSON is indented by two blanks, members in the order of the specification, with a final line feed. `sign_manifest` of
    /// `aiweb-verify` adds a signature to those bytes; a signature made elsewhere is added with
    /// [`ManifestText::with_sig`](crate::ManifestText::with_sig).
    ///
    /// # Errors
    /// [`LlmindexBuildError`] with every finding; a certain secret is an error here.
    ///
    /// Spec: llmindex 0.1, "Field definitions"; LLMI-MAN-1, LLMI-AMB-1, LLMI-AMB-25.
    pub fn build(self) -> Result<Manifest, LlmindexBuildError> {
        let json = self.draft.to_json();
        // Unknown members came from a manifest that was read; only the builder's own are held to the letter.
        let mode = if self.draft.unknown.is_empty() { Mode::Strict } else { Mode::Default };
        let failed = LlmindexBuildError::new;
        let reading = read(json.as_bytes(), &Options::default().mode(mode)).map_err(|error| {
            let message = error.to_string();
            let finding =
                ManifestFinding::new(Severity::Error, Code::TooLong, error.requirement(), "", message);
            failed(Report::from_findings(alloc::vec![finding]))
        })?;
        let ManifestReading { report, manifest, .. } = reading;
        let manifest = manifest.ok_or_else(|| failed(report))?;
        let leaks = manifest.report.findings().iter().any(|finding| finding.code() == Code::Secret);
        if leaks && !self.allow_secrets {
            let refused = manifest.report.findings().iter().cloned().map(|finding| match finding.code() {
                Code::Secret => finding.into_error(),
                _ => finding,
            });
            return Err(failed(Report::from_findings(refused.collect())));
        }
        Ok(manifest)
    }
}

/// The recommended URL of a page: the origin with `/llm/` and the page's name; empty if there is no origin.
///
/// Spec: llmindex 0.1, "Required pages"; LLMI-PAGE-5 to LLMI-PAGE-8, LLMI-AMB-12.
fn recommended(canonical_url: &str, page: &str) -> String {
    match url::parse(canonical_url) {
        Some(url) => alloc::format!("{}/llm/{page}", url.origin().ascii_serialization()),
        _ => String::new(),
    }
}
