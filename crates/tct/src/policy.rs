//! The policy descriptor: what a publisher allows, asks for, and hints at.
//!
//! A missing statement is [`Permission::Unstated`], never allowed; if the descriptor cannot be fetched, everything is
//! unstated ([`PolicyDescriptor::default`]). An unreadable member is reported and counts as unstated; the others are
//! kept. Unknown members are ignored, since the vocabulary may change (TCT-POL-9).
//!
//! The caller must fetch the descriptor before crawling, obey it, and read the terms before commercial use
//! (TCT-POL-8), and must obey robots.txt and meta robots (TCT-SEC-15), which this crate does not read.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use tct_canonical_json::{
    Canonicalizer, JsonError, JsonKind, JsonReader, JsonValue, LineColumn, Profile, Typed,
};
use url::Url;

use crate::time::is_rfc3339;

/// A publisher's statement about a use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Permission {
    /// Allowed.
    Allowed,
    /// Not allowed.
    Denied,
    /// Not stated, or not readable.
    #[default]
    Unstated,
}

words! { name: Permission
    Allowed => "allowed";
    Denied => "denied";
    Unstated => "unstated";
}

impl Permission {
    /// The answer yes or no; `None` where nothing is stated, which is never a yes.
    #[must_use]
    pub const fn stated(self) -> Option<bool> {
        match self {
            Permission::Allowed => Some(true),
            Permission::Denied => Some(false),
            Permission::Unstated => None,
        }
    }
}

impl From<Option<bool>> for Permission {
    fn from(stated: Option<bool>) -> Self {
        match stated {
            Some(true) => Permission::Allowed,
            Some(false) => Permission::Denied,
            None => Permission::Unstated,
        }
    }
}

/// A use that a publisher can allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// The text as input of a model, to answer a question with it.
    AiInput,
    /// The text as training material.
    AiTrain,
    /// The text in a search index.
    SearchIndexing,
}

words! { name: Purpose
    AiInput => "ai-input";
    AiTrain => "ai-train";
    SearchIndexing => "search-indexing";
}

/// A limit on requests, advisory.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum RateHint {
    /// None is stated.
    #[default]
    Unstated,
    /// `null`: stated to be unlimited.
    Unlimited,
    /// At most this many; 0 means no requests at all.
    AtMost(f64),
}

/// A policy descriptor. The default states nothing.
///
/// ```
/// use tct::policy::RateHint;
/// use tct::{Permission, PolicyDescriptor, Purpose};
/// let text = br#"{"profile":"tct-policy-1","purposes":{"allow_ai_input":true,"allow_ai_train":"no"},
///                 "rate_hints":{"max_requests_per_second":null,"max_requests_per_day":10000}}"#;
/// let (policy, faults) = PolicyDescriptor::parse(text)?;
/// assert_eq!(policy.permission(Purpose::AiInput), Permission::Allowed);
/// assert_eq!(policy.permission(Purpose::AiTrain), Permission::Unstated);
/// assert_eq!(faults[0].path, "/purposes/allow_ai_train");
/// assert_eq!(policy.per_second, RateHint::Unlimited);
/// # Ok::<(), tct_canonical_json::JsonError>(())
/// ```
///
/// Spec: TCT draft-00, "Policy Descriptor"; TCT-POL-1 to TCT-POL-9.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct PolicyDescriptor {
    /// `profile`. Any value is fine.
    pub profile: Option<String>,
    /// `version`: the descriptor's revision.
    pub version: Option<u64>,
    /// `effective`: an RFC 3339 timestamp.
    pub effective: Option<String>,
    /// `updated`: an RFC 3339 timestamp.
    pub updated: Option<String>,
    /// `policy_urls.terms_of_service`: an absolute `https` or `http` URL, as all three are.
    pub terms_of_service: Option<Url>,
    /// `policy_urls.payment_info`: prices and payment.
    pub payment_info: Option<Url>,
    /// `policy_urls.contact`: whom to ask; may be `mailto`.
    pub contact: Option<Url>,
    /// `purposes.allow_ai_input`.
    pub ai_input: Permission,
    /// `purposes.allow_ai_train`.
    pub ai_train: Permission,
    /// `purposes.allow_search_indexing`.
    pub search_indexing: Permission,
    /// `requirements.attribution_required`: name the source.
    pub attribution: Option<bool>,
    /// `requirements.link_back_required`: link to the source.
    pub link_back: Option<bool>,
    /// `requirements.notice_required`: tell the publisher of commercial use.
    pub notice: Option<bool>,
    /// `rate_hints.max_requests_per_second`.
    pub per_second: RateHint,
    /// `rate_hints.max_requests_per_day`.
    pub per_day: RateHint,
    /// `rate_hints.note`: a remark for people.
    pub rate_note: Option<String>,
}

/// An unreadable member, which counts as unstated.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyFault {
    /// JSON Pointer to the member.
    pub path: String,
    /// What is wrong.
    pub code: PolicyFaultCode,
    /// Index of the value's first byte in the text.
    pub offset: usize,
    /// Line and column of that byte.
    pub at: LineColumn,
}

/// What is wrong with a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PolicyFaultCode {
    /// The document or a group is not an object.
    NotAnObject,
    /// The value has another type than the member's.
    WrongType,
    /// The text is not an RFC 3339 timestamp.
    BadTimestamp,
    /// The text is not an absolute URL, or its scheme is not allowed.
    BadUrl,
    /// The number is negative.
    Negative,
}

words! { code: PolicyFaultCode
    NotAnObject => "not-an-object", "expected an object, found another value";
    WrongType => "wrong-type", "expected another type of value";
    BadTimestamp => "bad-timestamp", "expected an RFC 3339 timestamp, found other text";
    BadUrl => "bad-url", "expected an absolute https or http URL, found other text";
    Negative => "negative", "expected a number of at least 0, found a negative one";
}

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 120;
/// Largest descriptor that is read, in bytes.
const MAX_BYTES: usize = 4 << 20;

impl PolicyDescriptor {
    /// The value of `profile` in policy descriptors.
    pub const PROFILE: &str = "tct-policy-1";

    /// Reads a descriptor: its statements, and its unreadable members.
    ///
    /// # Errors
    /// Text that is not well-formed JSON, repeats a member, or is past 4 MiB or 120 levels. A document that is not an
    /// object states nothing and has one fault.
    pub fn parse(json: &[u8]) -> Result<(Self, Vec<PolicyFault>), JsonError> {
        let reader = JsonReader::new().max_bytes(MAX_BYTES).max_depth(MAX_DEPTH);
        let document = reader.read(json)?;
        let mut faults = Vec::new();
        let policy = Self::of(document.root(), json, &mut faults);
        Ok((policy, faults))
    }

    fn of<'a>(document: JsonValue<'a>, json: &'a [u8], faults: &mut Vec<PolicyFault>) -> Self {
        if document.kind() != JsonKind::Object {
            let (code, offset) = (PolicyFaultCode::NotAnObject, document.span().start);
            faults.push(PolicyFault { path: String::new(), code, offset, at: LineColumn::of(json, offset) });
            return Self::default();
        }
        let mut root = Group { members: Some(document), json, path: "", faults };
        let (profile, version) = (root.text("profile"), root.integer("version"));
        let (effective, updated) = (root.timestamp("effective"), root.timestamp("updated"));
        let mut policy = PolicyDescriptor { profile, version, effective, updated, ..Self::default() };
        let mut group = root.group("policy_urls", "/policy_urls");
        policy.terms_of_service = group.url("terms_of_service", false);
        policy.payment_info = group.url("payment_info", false);
        policy.contact = group.url("contact", true);
        let mut group = root.group("purposes", "/purposes");
        let mut permission = |name| group.boolean(name).into();
        (policy.ai_input, policy.ai_train) = (permission("allow_ai_input"), permission("allow_ai_train"));
        policy.search_indexing = permission("allow_search_indexing");
        let mut group = root.group("requirements", "/requirements");
        policy.attribution = group.boolean("attribution_required");
        policy.link_back = group.boolean("link_back_required");
        policy.notice = group.boolean("notice_required");
        let mut group = root.group("rate_hints", "/rate_hints");
        policy.per_second = group.rate("max_requests_per_second");
        policy.per_day = group.rate("max_requests_per_day");
        policy.rate_note = group.text("note");
        policy
    }

    /// Whether a rate hint of 0 asks for no requests at all. The descriptor itself is asked for still, since it may change.
    ///
    /// Spec: TCT draft-00, "Policy Descriptor"; TCT-POL-7.
    #[must_use]
    pub fn asks_for_no_requests(&self) -> bool {
        let is_none = |hint| matches!(hint, RateHint::AtMost(rate) if rate <= 0.0);
        is_none(self.per_second) || is_none(self.per_day)
    }

    /// The publisher's statement about a use.
    #[must_use]
    pub fn permission(&self, purpose: Purpose) -> Permission {
        match purpose {
            Purpose::AiInput => self.ai_input,
            Purpose::AiTrain => self.ai_train,
            Purpose::SearchIndexing => self.search_indexing,
        }
    }

    /// The descriptor as canonical JSON, for a publisher to serve at a permanent URL. Unstated members are left out.
    ///
    /// # Errors
    /// A rate that is not a finite number of at least 0.
    pub fn to_json(&self) -> Result<Vec<u8>, JsonError> {
        Canonicalizer::new(Profile::Tct).to_canonical(Typed(self))
    }
}

/// The members of one object of the document.
struct Group<'a, 'f> {
    members: Option<JsonValue<'a>>,
    /// The whole descriptor.
    json: &'a [u8],
    path: &'static str,
    faults: &'f mut Vec<PolicyFault>,
}

impl<'a> Group<'a, '_> {
    fn fault(&mut self, name: &str, code: PolicyFaultCode) {
        let offset = self.get(name).map_or(0, |value| value.span().start);
        let at = LineColumn::of(self.json, offset);
        self.faults.push(PolicyFault { path: format!("{}/{name}", self.path), code, offset, at });
    }

    fn get(&self, name: &str) -> Option<JsonValue<'a>> {
        self.members?.get(name)
    }

    /// The member as `read` reads it; a fault where it is there, not null, and unreadable.
    fn read<T>(&mut self, name: &str, read: impl FnOnce(JsonValue<'a>) -> Option<T>) -> Option<T> {
        let value = self.get(name).filter(|value| !value.is_null())?;
        let found = read(value);
        if found.is_none() {
            self.fault(name, PolicyFaultCode::WrongType);
        }
        found
    }

    fn group<'g>(&'g mut self, name: &str, path: &'static str) -> Group<'a, 'g> {
        let value = self.get(name).filter(|value| !value.is_null());
        let members = value.filter(|value| value.kind() == JsonKind::Object);
        if value.is_some() && members.is_none() {
            self.fault(name, PolicyFaultCode::NotAnObject);
        }
        Group { members, json: self.json, path, faults: self.faults }
    }

    fn text(&mut self, name: &str) -> Option<String> {
        self.read(name, |value| Some(value.as_str()?.into_owned()))
    }

    fn integer(&mut self, name: &str) -> Option<u64> {
        self.read(name, |value| value.as_u64())
    }

    fn boolean(&mut self, name: &str) -> Option<bool> {
        self.read(name, |value| value.as_bool())
    }

    fn timestamp(&mut self, name: &str) -> Option<String> {
        let text = self.text(name)?;
        if is_rfc3339(&text) {
            return Some(text);
        }
        self.fault(name, PolicyFaultCode::BadTimestamp);
        None
    }

    fn url(&mut self, name: &str, may_be_mail: bool) -> Option<Url> {
        // Deployed descriptors write an empty string for "none".
        let text = self.text(name).filter(|text| !text.trim().is_empty())?;
        let url = Url::parse(&text).ok().filter(|url| match url.scheme() {
            "https" | "http" => url.username().is_empty() && url.password().is_none(),
            "mailto" => may_be_mail,
            _ => false,
        });
        if url.is_none() {
            self.fault(name, PolicyFaultCode::BadUrl);
        }
        url
    }

    fn rate(&mut self, name: &str) -> RateHint {
        match self.get(name) {
            None => RateHint::Unstated,
            Some(value) if value.is_null() => RateHint::Unlimited,
            Some(value) => match value.as_f64() {
                // The absolute value of `-0` is 0 as well.
                Some(rate) if rate >= 0.0 => RateHint::AtMost(rate.abs()),
                Some(_) => {
                    self.fault(name, PolicyFaultCode::Negative);
                    RateHint::Unstated
                }
                None => {
                    self.fault(name, PolicyFaultCode::WrongType);
                    RateHint::Unstated
                }
            },
        }
    }
}

impl Serialize for PolicyDescriptor {
    /// Writes the members under the names of the draft, leaving out what is not stated. JSON has no number for a rate that is
    /// not finite, and `null` would lift the limit: that is an error.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_rate = |hint| !matches!(hint, RateHint::AtMost(rate) if !(rate.is_finite() && rate >= 0.0));
        if !(is_rate(self.per_second) && is_rate(self.per_day)) {
            return Err(serde::ser::Error::custom(
                "expected a finite rate of at least 0, found another number",
            ));
        }
        let url = |url: &Option<Url>| url.as_ref().map(|url| json!(url.as_str()));
        let text = |text: &Option<String>| text.as_ref().map(|text| json!(text));
        let flag = |flag: Option<bool>| flag.map(Value::Bool);
        let rate = |rate| match rate {
            RateHint::Unstated => None,
            RateHint::Unlimited => Some(Value::Null),
            // A whole number is written as one, whoever prints it.
            RateHint::AtMost(rate) if rate.fract() == 0.0 && rate < 9e15 => Some(json!(rate as u64)),
            RateHint::AtMost(rate) => Some(json!(rate)),
        };
        let group = |members: Vec<(&str, Option<Value>)>| {
            let stated: Map<String, Value> =
                members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
            (!stated.is_empty()).then_some(Value::Object(stated))
        };
        let members = [
            ("profile", text(&self.profile)),
            ("version", self.version.map(|version| json!(version))),
            ("effective", text(&self.effective)),
            ("updated", text(&self.updated)),
            (
                "policy_urls",
                group(vec![
                    ("terms_of_service", url(&self.terms_of_service)),
                    ("payment_info", url(&self.payment_info)),
                    ("contact", url(&self.contact)),
                ]),
            ),
            (
                "purposes",
                group(vec![
                    ("allow_ai_input", flag(self.ai_input.stated())),
                    ("allow_ai_train", flag(self.ai_train.stated())),
                    ("allow_search_indexing", flag(self.search_indexing.stated())),
                ]),
            ),
            (
                "requirements",
                group(vec![
                    ("attribution_required", flag(self.attribution)),
                    ("link_back_required", flag(self.link_back)),
                    ("notice_required", flag(self.notice)),
                ]),
            ),
            (
                "rate_hints",
                group(vec![
                    ("max_requests_per_second", rate(self.per_second)),
                    ("max_requests_per_day", rate(self.per_day)),
                    ("note", text(&self.rate_note)),
                ]),
            ),
        ];
        let mut map = serializer.serialize_map(None)?;
        members
            .iter()
            .filter_map(|(name, value)| Some((name, value.as_ref()?)))
            .try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}
