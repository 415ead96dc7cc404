//! The checks of a manifest, in one pass over its members.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;

use tct_canonical_json::{JsonDocument, JsonKind, JsonValue};

use crate::check::{CanonicalHost, Checker, Slot};
use crate::finding::{Code, Findings, Path, excerpt};
use crate::language::{self, TagVerdict};
use crate::text::open;
use crate::{LicenseKind, LlmindexTextError, Options, Report, VerifyMethod, Version, url};

/// Checks a manifest and gives every finding at once: errors and warnings, each with its JSON Pointer, code,
/// requirement and message.
///
/// `O(n)` in the text, except for objects with repeated names, which take `O(n log n)`.
///
/// ```
/// use llmindex_types::{Options, validate};
/// let report = validate(br#"{"version": "0.1", "updated_at": "yesterday", "topics": []}"#, &Options::default())?;
/// let faults: Vec<_> = report.errors().map(|f| (f.path(), f.code().as_str())).collect();
/// assert_eq!(faults, [
///     ("/updated_at", "timestamp-malformed"),
///     ("/entity", "missing-member"),
///     ("/language", "missing-member"),
///     ("/topics", "empty"),
///     ("/endpoints", "missing-member"),
/// ]);
/// # Ok::<(), llmindex_types::LlmindexTextError>(())
/// ```
///
/// # Errors
/// [`LlmindexTextError`] if the bytes are not a JSON text within the limits. JSON that is not an object gets a report.
///
/// Spec: llmindex 0.1, "Field definitions"; LLMI-MAN-1, LLMI-ERR-2, LLMI-ERR-3, LLMI-AMB-4.
pub fn validate(bytes: &[u8], options: &Options) -> Result<Report, LlmindexTextError> {
    let mut findings = Findings::new(options.max_findings);
    read_and_check(bytes, options, &mut findings)?;
    Ok(findings.into_report())
}

/// Reads `bytes` and checks them.
pub(super) fn read_and_check<'a>(
    bytes: &'a [u8],
    options: &Options,
    findings: &mut Findings,
) -> Result<JsonDocument<'a>, LlmindexTextError> {
    let (skipped, document) = open(bytes, &options.limits.reader())?;
    let mut checker = Checker { findings, mode: options.mode, secrets: true };
    if skipped > 0 {
        let message = "expected `{` at the start, found a byte order mark";
        checker.findings.warning(Path::Root, Code::ByteOrderMark, "LLMI-ERR-2", message);
    }
    checker.manifest(document.root());
    Ok(document)
}

const ROOT: Path<'static> = Path::Root;

/// The top-level members of 0.1.
pub(super) const MEMBERS: [&str; 10] = [
    "version",
    "updated_at",
    "entity",
    "language",
    "topics",
    "endpoints",
    "feeds",
    "verify",
    "sig",
    "license",
];

/// The top-level members that 0.2 adds.
pub(super) const ADDED_IN_0_2: [&str; 4] =
    ["languages", "localized_endpoints", "access_control", "feed_updated_at"];

const MEMBERS_0_2: [&str; 14] = {
    let [v, u, e, l, t, p, f, y, s, i] = MEMBERS;
    let [a, b, c, d] = ADDED_IN_0_2;
    [v, u, e, l, t, p, f, y, s, i, a, b, c, d]
};

impl Checker<'_> {
    fn manifest(&mut self, root: JsonValue<'_>) {
        if !self.is_object(ROOT, root, "LLMI-MAN-1") {
            return;
        }
        // The version decides which members there are, so it is read first, wherever it is.
        let version = root.get("version").and_then(|value| value.as_str());
        let is_0_2 = version.as_deref() == Some("0.2");
        let (common, added) = if is_0_2 {
            let [v, u, e, l, t, p, f, y, s, c, languages, localized, access, feed_updated_at] =
                self.members(ROOT, root, MEMBERS_0_2);
            ([v, u, e, l, t, p, f, y, s, c], [languages, localized, access, feed_updated_at])
        } else {
            (self.members(ROOT, root, MEMBERS), [None; 4])
        };
        let [version, updated_at, entity, language, topics, endpoints, feeds, verify, sig, license] = common;
        self.version(version);
        let path = ROOT.name("updated_at");
        if let Some(text) =
            self.required_string(path, updated_at, "LLMI-MAN-3", "the time of the last change")
        {
            self.timestamp(path, &text, "LLMI-MAN-3");
        }
        let canonical_url = self.entity(entity);
        let canonical_url = canonical_url.as_deref().and_then(|text| self.canonical_url(text));
        let canonical_host = canonical_url
            .as_ref()
            .map(|(host, is_public)| CanonicalHost { name: host, is_public: *is_public });
        let language = self.language(language);
        self.topics(topics);
        self.endpoints(endpoints, canonical_host);
        self.feeds(feeds, is_0_2, canonical_host);
        self.verify(verify);
        self.sig(sig);
        self.license(license);
        if is_0_2 {
            let [languages, localized, access_control, feed_updated_at] = added;
            self.languages(languages, localized, language.as_deref());
            self.localized_endpoints(localized, languages, canonical_host);
            self.access_control(access_control);
            let path = ROOT.name("feed_updated_at");
            if let Some(text) = feed_updated_at.and_then(|value| self.string(path, value, "LLMI-V02-4")) {
                self.timestamp(path, &text, "LLMI-V02-4");
            }
        }
    }

    fn version(&mut self, slot: Slot<'_>) {
        let path = ROOT.name("version");
        let Some(text) = self.required_string(path, slot, "LLMI-MAN-2", "the version, such as `0.1`") else {
            return;
        };
        if !Version::from_text(&text).is_known() {
            let message =
                format!("expected `0.1` or `0.2`, found {}; read by the rules of 0.1", excerpt(&text));
            self.unless_strict(path, Code::UnknownVersion, "LLMI-AMB-4", message);
        }
    }

    /// Checks `entity` except for what its URL says; returns that URL.
    fn entity<'a>(&mut self, slot: Slot<'a>) -> Option<Cow<'a, str>> {
        let path = ROOT.name("entity");
        let Some(entity) = slot else {
            self.missing(path, "LLMI-MAN-4", "the object `entity`");
            return None;
        };
        if !self.is_object(path, entity, "LLMI-MAN-4") {
            return None;
        }
        let [name, canonical_url] = self.members(path, entity, ["name", "canonical_url"]);
        let name_path = path.name("name");
        if let Some(name) = self.required_string(name_path, name, "LLMI-MAN-5", "the display name")
            && self.is_filled(name_path, &name, "LLMI-MAN-5")
        {
            self.text_secrets(name_path, &name);
        }
        let path = path.name("canonical_url");
        self.required_string(path, canonical_url, "LLMI-MAN-6", "the homepage's https URL")
    }

    /// The canonical host if the URL is valid, and whether it is public.
    fn canonical_url<'a>(&mut self, text: &'a str) -> Option<(Cow<'a, str>, bool)> {
        let entity = ROOT.name("entity");
        let path = entity.name("canonical_url");
        let facts = match url::check(text) {
            Ok(facts) => facts,
            Err(error) => {
                self.url_error(path, text, error, "LLMI-MAN-6");
                return None;
            }
        };
        let good = facts.is_https && !facts.has_userinfo && !facts.has_fragment;
        if !facts.is_https {
            self.findings.error(path, Code::UrlNotHttps, "LLMI-SEC-2", "expected https, found http");
        }
        if facts.has_userinfo {
            let message = "expected no user name or password, found one";
            self.findings.error(path, Code::UrlUserinfo, "LLMI-AMB-6", message);
        }
        if facts.has_fragment {
            self.findings.error(path, Code::UrlFragment, "LLMI-AMB-6", "expected no fragment, found one");
        }
        if !(facts.is_ascii && facts.is_scheme_lower_case) {
            self.url_spelling(path, &facts);
        }
        let is_public = self.is_public_host(path, &facts);
        if facts.has_parameters
            && !facts.has_userinfo
            && let Some(suspicion) = crate::secret::in_url(text)
        {
            self.secret(path, suspicion);
        }
        good.then_some((facts.host, is_public))
    }

    fn language<'a>(&mut self, slot: Slot<'a>) -> Option<Cow<'a, str>> {
        let path = ROOT.name("language");
        let text = self.required_string(path, slot, "LLMI-MAN-7", "the main language's tag")?;
        self.tag(path, &text, "LLMI-MAN-7").then_some(text)
    }

    /// Whether the text is a language tag, with a warning where it is not as advised.
    fn tag(&mut self, path: Path<'_>, text: &str, requirement: &'static str) -> bool {
        match language::judge(text) {
            TagVerdict::Good => true,
            TagVerdict::Casing => {
                let message = format!("expected the preferred casing of the tag, found {}", excerpt(text));
                self.findings.warning(path, Code::LanguageCasing, "LLMI-AMB-7", message);
                true
            }
            TagVerdict::Uncommon => {
                let message = format!(
                    "expected a tag such as `en` or `zh-CN`, which every reader takes, found {}",
                    excerpt(text)
                );
                self.findings.warning(path, Code::LanguageUncommon, "LLMI-AMB-7", message);
                true
            }
            TagVerdict::Malformed => {
                let message = format!("expected a BCP 47 language tag, found {}", excerpt(text));
                self.findings.error(path, Code::LanguageMalformed, requirement, message);
                false
            }
        }
    }

    fn topics(&mut self, slot: Slot<'_>) {
        let path = ROOT.name("topics");
        let Some(topics) = slot else {
            return self.missing(path, "LLMI-MAN-8", "an array of topics");
        };
        if !self.is_filled_array(path, topics, "LLMI-MAN-8", "expected at least one topic, found none") {
            return;
        }
        let mut seen = Seen::new();
        for (index, item) in topics.items().enumerate() {
            let path = path.index(index);
            let Some(topic) = self.string(path, item, "LLMI-MAN-8") else { continue };
            if !self.is_filled(path, &topic, "LLMI-MAN-8") {
                continue;
            }
            self.text_secrets(path, &topic);
            if !seen.insert(topic) {
                let message = "expected each topic once, found it again";
                self.findings.warning(path, Code::DuplicateItem, "LLMI-AMB-33", message);
            }
        }
    }

    fn is_filled_array(
        &mut self,
        path: Path<'_>,
        value: JsonValue<'_>,
        requirement: &'static str,
        message: &'static str,
    ) -> bool {
        if value.kind() != JsonKind::Array {
            self.wrong_type(path, requirement, "an array", value);
            return false;
        }
        let filled = value.items().next().is_some();
        if !filled {
            self.findings.error(path, Code::Empty, requirement, message);
        }
        filled
    }

    fn endpoints(&mut self, slot: Slot<'_>, canonical_host: Option<CanonicalHost<'_>>) {
        let path = ROOT.name("endpoints");
        let Some(endpoints) = slot else {
            return self.missing(path, "LLMI-MAN-9", "the object `endpoints`");
        };
        if !self.is_object(path, endpoints, "LLMI-MAN-9") {
            return;
        }
        let slots = self.members(path, endpoints, ENDPOINTS.map(|(name, _)| name));
        for ((name, requirement), slot) in ENDPOINTS.into_iter().zip(slots) {
            let path = path.name(name);
            if let Some(text) = self.required_string(path, slot, requirement, "the URL of this page") {
                self.url(path, &text, requirement, canonical_host);
            }
        }
    }

    fn url_member(
        &mut self,
        path: Path<'_>,
        slot: Slot<'_>,
        requirement: &'static str,
        canonical_host: Option<CanonicalHost<'_>>,
    ) {
        if let Some(text) = slot.and_then(|value| self.string(path, value, requirement)) {
            self.url(path, &text, requirement, canonical_host);
        }
    }

    fn feeds(&mut self, slot: Slot<'_>, is_0_2: bool, canonical_host: Option<CanonicalHost<'_>>) {
        let path = ROOT.name("feeds");
        let Some(feeds) = slot else { return };
        if !self.is_object(path, feeds, "LLMI-MAN-14") {
            return;
        }
        let (products, offers, delta) = if is_0_2 {
            let names = ["products_jsonl", "offers_json", "products_jsonl_delta"];
            let [products, offers, delta] = self.members(path, feeds, names);
            (products, offers, delta)
        } else {
            let [products, offers] = self.members(path, feeds, ["products_jsonl", "offers_json"]);
            (products, offers, None)
        };
        self.url_member(path.name("products_jsonl"), products, "LLMI-MAN-15", canonical_host);
        self.url_member(path.name("offers_json"), offers, "LLMI-MAN-16", canonical_host);
        self.url_member(path.name("products_jsonl_delta"), delta, "LLMI-V02-4", canonical_host);
    }

    fn verify(&mut self, slot: Slot<'_>) {
        let path = ROOT.name("verify");
        let Some(verify) = slot else { return };
        if !self.is_object(path, verify, "LLMI-MAN-17") {
            return;
        }
        let [method, value] = self.members(path, verify, ["method", "value"]);
        let method_path = path.name("method");
        let method = self.required_string(method_path, method, "LLMI-AMB-9", "`dns_txt` or `http_file`");
        let known = method.as_deref().and_then(VerifyMethod::from_name);
        if let (Some(method), None) = (&method, known) {
            let message = format!("expected `dns_txt` or `http_file`, found {}", excerpt(method));
            self.findings.error(method_path, Code::VerifyMethodUnknown, "LLMI-MAN-17", message);
        }
        let path = path.name("value");
        let Some(value) = self.required_string(path, value, "LLMI-AMB-9", "the value of the proof") else {
            return;
        };
        if self.is_filled(path, &value, "LLMI-MAN-18")
            && known == Some(VerifyMethod::HttpFile)
            && looks_like_file_name(&value)
        {
            let message = "expected the content of the proof file, found what looks like the name of a file";
            self.findings.warning(path, Code::VerifyValueLooksLikeFileName, "LLMI-AMB-10", message);
        }
    }

    fn sig(&mut self, slot: Slot<'_>) {
        let path = ROOT.name("sig");
        let Some(sig) = slot else { return };
        if !self.is_object(path, sig, "LLMI-MAN-19") {
            return;
        }
        let names = ["alg", "kid", "jws"];
        let slots = self.members(path, sig, names);
        for (name, slot) in names.into_iter().zip(slots) {
            let path = path.name(name);
            let expected = "the three members of a signature";
            let Some(text) = self.required_string(path, slot, "LLMI-AMB-9", expected) else { continue };
            if self.is_filled(path, &text, "LLMI-MAN-19") && name == "alg" && text != "EdDSA" {
                let message = format!("expected `EdDSA`, found {}", excerpt(&text));
                self.findings.warning(path, Code::SigAlgorithm, "LLMI-SIG-2", message);
            }
        }
    }

    fn license(&mut self, slot: Slot<'_>) {
        let path = ROOT.name("license");
        let Some(text) = slot.and_then(|value| self.string(path, value, "LLMI-MAN-20")) else { return };
        match LicenseKind::of(&text) {
            LicenseKind::Spdx => {}
            LicenseKind::Url => {
                if let Some(suspicion) = crate::secret::in_url(&text) {
                    self.secret(path, suspicion);
                }
            }
            LicenseKind::FreeText => {
                let message =
                    format!("expected an SPDX expression or an http(s) URL, found {}", excerpt(&text));
                self.findings.warning(path, Code::LicenseFreeText, "LLMI-AMB-11", message);
                self.text_secrets(path, &text);
            }
        }
    }

    /// `languages` of 0.2.
    fn languages(&mut self, slot: Slot<'_>, localized: Slot<'_>, language: Option<&str>) {
        let path = ROOT.name("languages");
        let Some(languages) = slot else { return };
        if !self.is_filled_array(path, languages, "LLMI-V02-1", "expected at least one language, found none")
        {
            return;
        }
        let mut seen = Seen::in_any_case();
        let mut lists_language = false;
        for (index, item) in languages.items().enumerate() {
            let path = path.index(index);
            let Some(text) = self.string(path, item, "LLMI-V02-1") else { continue };
            lists_language |= language.is_some_and(|language| language.eq_ignore_ascii_case(&text));
            if self.tag(path, &text, "LLMI-V02-1") && !seen.insert(text) {
                let message = "expected each language once, found it again";
                self.findings.error(path, Code::DuplicateItem, "LLMI-V02-1", message);
            }
        }
        if language.is_some() && !lists_language {
            let message = "expected the main language in the list, found it missing";
            self.findings.warning(path, Code::LanguageNotListed, "LLMI-AMB-33", message);
        }
        if localized.is_none() {
            let message = "expected `localized_endpoints` beside it, found no such member";
            self.findings.warning(path, Code::LocalizationIncomplete, "LLMI-V02-2", message);
        }
    }

    /// `localized_endpoints` of 0.2.
    fn localized_endpoints(
        &mut self,
        slot: Slot<'_>,
        languages: Slot<'_>,
        canonical_host: Option<CanonicalHost<'_>>,
    ) {
        let path = ROOT.name("localized_endpoints");
        let Some(localized) = slot else { return };
        if !self.is_object(path, localized, "LLMI-V02-2") {
            return;
        }
        if languages.is_none() {
            let message = "expected `languages` beside it, found no such member";
            self.findings.warning(path, Code::LocalizationIncomplete, "LLMI-V02-2", message);
        }
        let mut listed = Seen::in_any_case();
        for item in languages.iter().flat_map(JsonValue::items) {
            listed.insert(item.as_str().unwrap_or_default());
        }
        for (key, pages) in localized.members() {
            let tag = key.as_str();
            let path = path.name(&tag);
            self.secret_in_name(path, &tag);
            if key.is_repeated() {
                let message = "expected each member once, found the name again";
                self.findings.error(path, Code::DuplicateMember, "LLMI-MAN-1", message);
                continue;
            }
            if self.tag(path, &tag, "LLMI-V02-2") && languages.is_some() && !listed.contains(&tag) {
                let message = "expected a language of `languages`, found another";
                self.findings.warning(path, Code::LanguageNotListed, "LLMI-V02-2", message);
            }
            if !self.is_object(path, pages, "LLMI-V02-2") {
                continue;
            }
            let slots = self.members(path, pages, ENDPOINTS.map(|(name, _)| name));
            if slots.iter().all(Option::is_none) {
                let message = "expected at least one of the four endpoints, found none";
                self.findings.error(path, Code::Empty, "LLMI-V02-2", message);
            }
            for ((name, _), slot) in ENDPOINTS.into_iter().zip(slots) {
                self.url_member(path.name(name), slot, "LLMI-V02-2", canonical_host);
            }
        }
    }

    /// `access_control` of 0.2.
    fn access_control(&mut self, slot: Slot<'_>) {
        let path = ROOT.name("access_control");
        let Some(access) = slot else { return };
        if !self.is_object(path, access, "LLMI-V02-3") {
            return;
        }
        let names = ["allow", "deny", "rate_limit", "requires_attribution", "commercial_use", "usage_terms"];
        let [allow, deny, rate_limit, attribution, commercial_use, usage_terms] =
            self.members(path, access, names);
        let mut allowed = Seen::in_any_case();
        for (name, slot) in [("allow", allow), ("deny", deny)] {
            let path = path.name(name);
            let Some(list) = slot else { continue };
            if list.kind() != JsonKind::Array {
                self.wrong_type(path, "LLMI-V02-3", "an array", list);
                continue;
            }
            for (index, item) in list.items().enumerate() {
                let path = path.index(index);
                let Some(agent) = self.string(path, item, "LLMI-V02-3") else { continue };
                if name == "allow" {
                    allowed.insert(agent);
                } else if allowed.contains(&agent) {
                    let message = "expected a name that is not allowed too, found one; the denial wins";
                    self.findings.warning(path, Code::AllowedAndDenied, "LLMI-V02-3", message);
                }
            }
        }
        let limit_path = path.name("rate_limit");
        if let Some(text) = rate_limit.and_then(|value| self.string(limit_path, value, "LLMI-V02-3"))
            && super::RateLimit::parse(&text).is_none()
        {
            let message = format!("expected a rate such as `500/day`, found {}", excerpt(&text));
            self.findings.error(limit_path, Code::RateLimitMalformed, "LLMI-V02-3", message);
        }
        if let Some(value) = attribution
            && value.kind() != JsonKind::Bool
        {
            self.wrong_type(path.name("requires_attribution"), "LLMI-V02-3", "a boolean", value);
        }
        let use_path = path.name("commercial_use");
        if let Some(text) = commercial_use.and_then(|value| self.string(use_path, value, "LLMI-V02-3"))
            && super::CommercialUse::from_name(&text).is_none()
        {
            let message = format!(
                "expected `allowed`, `non-commercial` or `contact-required`, found {}",
                excerpt(&text)
            );
            self.findings.error(use_path, Code::CommercialUseUnknown, "LLMI-V02-3", message);
        }
        let terms_path = path.name("usage_terms");
        if let Some(text) = usage_terms.and_then(|value| self.string(terms_path, value, "LLMI-V02-3")) {
            self.text_secrets(terms_path, &text);
        }
    }
}

/// The four endpoints with their requirements.
pub(super) const ENDPOINTS: [(&str, &str); 4] = [
    ("products", "LLMI-MAN-10"),
    ("policies", "LLMI-MAN-11"),
    ("faq", "LLMI-MAN-12"),
    ("about", "LLMI-MAN-13"),
];

/// Texts seen so far; a few are compared one by one, more are kept in a set.
struct Seen<'a> {
    /// Whether the case of ASCII letters does not matter.
    folds_case: bool,
    few: [&'a str; 8],
    /// How many of the few there are.
    len: usize,
    many: BTreeSet<Cow<'a, str>>,
}

impl<'a> Seen<'a> {
    fn new() -> Self {
        Seen { folds_case: false, few: [""; 8], len: 0, many: BTreeSet::new() }
    }

    fn in_any_case() -> Self {
        Seen { folds_case: true, ..Seen::new() }
    }

    /// Adds the text; false where it was there.
    fn insert(&mut self, text: Cow<'a, str>) -> bool {
        if self.contains(&text) {
            return false;
        }
        match (text, self.few.get_mut(self.len)) {
            (Cow::Borrowed(text), Some(free)) => {
                *free = text;
                self.len += 1;
            }
            (text, _) if self.folds_case => {
                self.many.insert(Cow::Owned(text.to_ascii_lowercase()));
            }
            (text, _) => {
                self.many.insert(text);
            }
        }
        true
    }

    fn contains(&self, text: &str) -> bool {
        let mut few = self.few.iter().take(self.len);
        let is_one_of_few = match self.folds_case {
            true => few.any(|seen| seen.eq_ignore_ascii_case(text)),
            false => few.any(|seen| *seen == text),
        };
        is_one_of_few || !self.many.is_empty() && self.is_one_of_many(text)
    }

    fn is_one_of_many(&self, text: &str) -> bool {
        match self.folds_case {
            true => self.many.contains(text.to_ascii_lowercase().as_str()),
            false => self.many.contains(text),
        }
    }
}

/// A slash, or a point and up to five letters or digits at the end, as names of files have them.
fn looks_like_file_name(value: &str) -> bool {
    let extension =
        value.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, extension)| extension);
    value.contains(['/', '\\'])
        || extension.is_some_and(|extension| {
            (1..=5).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}
