//! Test vectors of the AI-readable web's protocols, as data.
//!
//! The crate holds the JSON files of this folder and reads them into [`Set`]s of [`Case`]s. It depends on no
//! implementation: a test suite takes it to check its own code against the published vectors.
//!
//! ```
//! let set = spec_vectors::set("tct/fingerprint").expect("a published set");
//! for case in &set.cases {
//!     let text = case.input["text"].as_str();
//!     let expected = case.expected.ok().and_then(|ok| ok["hash"].as_str());
//!     // assert_eq!(my_fingerprint(text), expected, "{}", case.id);
//!     # assert!(text.is_some() && expected.is_some());
//! }
//! ```
//!
//! The README of this folder describes the shape of the files.

mod explain;
mod operation;
mod requirement;
mod story;

use serde::Deserialize;
use serde_json::{Map, Value, json};

pub use operation::{Member, MemberTypes, Operation, Operations, operations};
pub use requirement::{Catalogue, Level, Requirement, Status, catalogues};
pub use story::{Step, Story, StorySet, stories};

/// One file of vectors: the cases of one topic of one specification.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Set {
    /// JSON Schema that the file names for editors, if any.
    #[serde(rename = "$schema", default)]
    pub schema: Option<String>,
    /// Document and revision that the cases test.
    pub spec: String,
    /// Name of the file without its ending, such as `fingerprint`.
    pub topic: String,
    /// Operation of every case that names none of its own, such as `tct.fingerprint`.
    #[serde(default)]
    pub op: Option<String>,
    /// Source, revision and licence of imported cases.
    #[serde(default)]
    pub source: Option<String>,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
}

/// One vector: an operation's input and the answer that it must give.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Case {
    /// Stable name, unique over all sets: lower-case words joined by `-`.
    pub id: String,
    /// What the case is about.
    #[serde(default)]
    pub comment: Option<String>,
    /// The basis of the expectation.
    #[serde(default)]
    pub basis: Basis,
    /// Requirement IDs that the case tests, such as `TCT-FP-5`.
    pub requirements: Vec<String>,
    /// Title of the specification's section.
    #[serde(default)]
    pub section: Option<String>,
    /// Flags of the case, such as `SpecExampleDefect`.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Operation, where it is not the set's.
    #[serde(default)]
    pub op: Option<String>,
    /// Input members of the operation.
    #[serde(rename = "in")]
    pub input: Map<String, Value>,
    /// What the operation must answer.
    #[serde(flatten)]
    pub expected: Expected,
}

/// The basis of a case's expectation. Only with [`Basis::Text`] is an implementation that differs wrong.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Basis {
    /// A MUST, or another plain statement of the specification.
    #[default]
    Text,
    /// Our decision if the text is open, or leaves a choice.
    Reading,
    /// A limit of this project, such as on nesting.
    Limit,
    /// The text contradicts itself, or one of its examples is wrong.
    Errata,
}

impl Basis {
    /// The basis as it is written in the files, such as `reading`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Basis::Text => "text",
            Basis::Reading => "reading",
            Basis::Limit => "limit",
            Basis::Errata => "errata",
        }
    }
}

/// The error that an operation must end with.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ExpectedError {
    /// Kind of the error in kebab case, such as `duplicate-member`.
    pub kind: String,
}

/// What a case expects.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// The answer has at least these members with just these values.
    Ok(Map<String, Value>),
    /// The operation ends with an error of this kind.
    Err(ExpectedError),
}

impl Expected {
    /// The expected members, unless an error is expected.
    #[must_use]
    pub fn ok(&self) -> Option<&Map<String, Value>> {
        match self {
            Expected::Ok(ok) => Some(ok),
            Expected::Err(_) => None,
        }
    }

    /// Whether an answer of the line protocol, an object with `ok` or `err`, is the expected one.
    #[must_use]
    pub fn is_met_by(&self, answer: &Value) -> bool {
        match self {
            Expected::Ok(ok) => {
                let given = answer.get("ok");
                given.is_some()
                    && ok.iter().all(|(name, value)| given.and_then(|given| given.get(name)) == Some(value))
            }
            Expected::Err(err) => answer.pointer("/err/kind").and_then(Value::as_str) == Some(&err.kind),
        }
    }

    /// The expected error's kind, unless an answer is expected.
    #[must_use]
    pub fn err_kind(&self) -> Option<&str> {
        match self {
            Expected::Ok(_) => None,
            Expected::Err(err) => Some(&err.kind),
        }
    }
}

impl Case {
    /// The operation of this case in `set`, or `""` where neither names one.
    #[must_use]
    pub fn op_in<'a>(&'a self, set: &'a Set) -> &'a str {
        self.op.as_deref().or(set.op.as_deref()).unwrap_or_default()
    }

    /// The case as a request of the line protocol: an object with `id`, `op` and `in`.
    #[must_use]
    pub fn request_in(&self, set: &Set) -> Value {
        json!({ "id": self.id, "op": self.op_in(set), "in": self.input })
    }

    /// Whether an answer of the line protocol, an object with `ok` or `err`, is what the case expects: all the expected
    /// members with just these values, whatever stands beside them, or an error of the expected kind.
    ///
    /// ```
    /// use serde_json::json;
    /// let set = spec_vectors::set("tct/fingerprint").expect("a published set");
    /// let case = &set.cases[0];
    /// assert!(case.passes(&json!({ "ok": case.expected.ok() })));
    /// assert!(!case.passes(&json!({ "err": { "kind": "unknown-op" } })));
    /// ```
    #[must_use]
    pub fn passes(&self, answer: &Value) -> bool {
        self.expected.is_met_by(answer)
    }

    /// The story of this case and of an answer that fails it: why the case is there, its input, what was expected and
    /// found, where the two differ first, and the requirements with their sentences. Lines, without one at the end.
    ///
    /// `name` is the set's, as [`names`] has it. `None` says that there was no answer. Members that end in `_b64` are
    /// decoded, long values are shortened in their middle, and characters that cannot be seen are escaped.
    ///
    /// ```
    /// use serde_json::json;
    /// let set = spec_vectors::set("tct/normalize").expect("a published set");
    /// let told = set.cases[0].explain("tct/normalize", &set, Some(&json!({ "ok": { "text": "hello\u{a0}world" } })));
    /// assert!(told.contains("differs   /text: at character 5"));
    /// ```
    #[must_use]
    pub fn explain(&self, name: &str, set: &Set, answer: Option<&Value>) -> String {
        explain::story(name, self.op_in(set), self, answer)
    }
}

/// Names of all sets, such as `tct/fingerprint`, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    SETS.iter().map(|(name, _)| *name)
}

/// The set of that name, or `None` where there is none. Reads the JSON at each call.
#[must_use]
pub fn set(name: &str) -> Option<Set> {
    serde_json::from_str(text(name)?).ok()
}

/// The JSON text of the set of that name, as it is in the file.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    SETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// All sets with their names, in the order of [`names`].
pub fn all() -> impl Iterator<Item = (&'static str, Set)> {
    names().filter_map(|name| Some((name, set(name)?)))
}

/// The text of the JSON Schema (2020-12) of a published shape, such as `aidocument`.
#[must_use]
pub fn schema(name: &str) -> Option<&'static str> {
    SCHEMAS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// One line a file, sorted by name; a test fails when a file is missing here.
const SETS: &[(&str, &str)] = &[
    ("agent-ready/discovery", include_str!("../agent-ready/discovery.json")),
    ("agent-ready/http", include_str!("../agent-ready/http.json")),
    ("agent-ready/interfaces", include_str!("../agent-ready/interfaces.json")),
    ("agent-ready/llms-txt", include_str!("../agent-ready/llms-txt.json")),
    ("agent-ready/markdown", include_str!("../agent-ready/markdown.json")),
    ("agent-ready/pages", include_str!("../agent-ready/pages.json")),
    ("agent-ready/payment", include_str!("../agent-ready/payment.json")),
    ("agent-ready/rights", include_str!("../agent-ready/rights.json")),
    ("agent-ready/site", include_str!("../agent-ready/site.json")),
    ("aidocument/extract-document", include_str!("../aidocument/extract-document.json")),
    ("aidocument/extract-markdown", include_str!("../aidocument/extract-markdown.json")),
    ("aidocument/validate", include_str!("../aidocument/validate.json")),
    ("aiwebindex/check-user-agent", include_str!("../aiwebindex/check-user-agent.json")),
    ("aiwebindex/user-agent", include_str!("../aiwebindex/user-agent.json")),
    ("aiwebindex2/check-user-agent", include_str!("../aiwebindex2/check-user-agent.json")),
    ("aiwebindex2/robots-token", include_str!("../aiwebindex2/robots-token.json")),
    ("aiwebindex2/sign", include_str!("../aiwebindex2/sign.json")),
    ("aiwebindex2/user-agent", include_str!("../aiwebindex2/user-agent.json")),
    ("aiwi2/check", include_str!("../aiwi2/check.json")),
    ("aiwi2/detect", include_str!("../aiwi2/detect.json")),
    ("aiwi2/downgrade", include_str!("../aiwi2/downgrade.json")),
    ("aiwi2/extract", include_str!("../aiwi2/extract.json")),
    ("aiwi2/proof", include_str!("../aiwi2/proof.json")),
    ("aiwi2/rewrite", include_str!("../aiwi2/rewrite.json")),
    ("aiwi2/upgrade", include_str!("../aiwi2/upgrade.json")),
    ("bot-auth/addresses", include_str!("../bot-auth/addresses.json")),
    ("bot-auth/agent", include_str!("../bot-auth/agent.json")),
    ("bot-auth/base", include_str!("../bot-auth/base.json")),
    ("bot-auth/cache", include_str!("../bot-auth/cache.json")),
    ("bot-auth/card", include_str!("../bot-auth/card.json")),
    ("bot-auth/directory", include_str!("../bot-auth/directory.json")),
    ("bot-auth/new-signature", include_str!("../bot-auth/new-signature.json")),
    ("bot-auth/request", include_str!("../bot-auth/request.json")),
    ("bot-auth/reverse-dns", include_str!("../bot-auth/reverse-dns.json")),
    ("bot-auth/sign", include_str!("../bot-auth/sign.json")),
    ("bot-auth/structured-fields", include_str!("../bot-auth/structured-fields.json")),
    ("bot-auth/thumbprint", include_str!("../bot-auth/thumbprint.json")),
    ("bot-auth/verify", include_str!("../bot-auth/verify.json")),
    ("bot-auth/verify-changed", include_str!("../bot-auth/verify-changed.json")),
    ("llmindex/delta", include_str!("../llmindex/delta.json")),
    ("llmindex/feed", include_str!("../llmindex/feed.json")),
    ("llmindex/llms-txt", include_str!("../llmindex/llms-txt.json")),
    ("llmindex/manifest", include_str!("../llmindex/manifest.json")),
    ("llmindex/product", include_str!("../llmindex/product.json")),
    ("robots/access", include_str!("../robots/access.json")),
    ("robots/crawl-delay", include_str!("../robots/crawl-delay.json")),
    ("robots/encoding", include_str!("../robots/encoding.json")),
    ("robots/groups", include_str!("../robots/groups.json")),
    ("robots/matching", include_str!("../robots/matching.json")),
    ("robots/pacing", include_str!("../robots/pacing.json")),
    ("robots/page-directives", include_str!("../robots/page-directives.json")),
    ("robots/parsing", include_str!("../robots/parsing.json")),
    ("robots/preferences", include_str!("../robots/preferences.json")),
    ("robots/rfc9309", include_str!("../robots/rfc9309.json")),
    ("signals/content-signal", include_str!("../signals/content-signal.json")),
    ("signals/decide", include_str!("../signals/decide.json")),
    ("signals/license", include_str!("../signals/license.json")),
    ("signals/price", include_str!("../signals/price.json")),
    ("signals/rsl", include_str!("../signals/rsl.json")),
    ("signals/tdmrep", include_str!("../signals/tdmrep.json")),
    ("tct/canonical-json", include_str!("../tct/canonical-json.json")),
    ("tct/conditional", include_str!("../tct/conditional.json")),
    ("tct/crawl", include_str!("../tct/crawl.json")),
    ("tct/discover", include_str!("../tct/discover.json")),
    ("tct/fingerprint", include_str!("../tct/fingerprint.json")),
    ("tct/normalize", include_str!("../tct/normalize.json")),
    ("tct/open", include_str!("../tct/open.json")),
    ("tct/plan", include_str!("../tct/plan.json")),
    ("tct/policy", include_str!("../tct/policy.json")),
    ("tct/seal", include_str!("../tct/seal.json")),
    ("tct/sitemap", include_str!("../tct/sitemap.json")),
    ("tct/visit", include_str!("../tct/visit.json")),
    ("tct03/accept-encoding", include_str!("../tct03/accept-encoding.json")),
    ("tct03/classify", include_str!("../tct03/classify.json")),
    ("tct03/content-digest", include_str!("../tct03/content-digest.json")),
    ("tct03/crawl", include_str!("../tct03/crawl.json")),
    ("tct03/document-check", include_str!("../tct03/document-check.json")),
    ("tct03/document-encode", include_str!("../tct03/document-encode.json")),
    ("tct03/hint", include_str!("../tct03/hint.json")),
    ("tct03/identity", include_str!("../tct03/identity.json")),
    ("tct03/open", include_str!("../tct03/open.json")),
    ("tct03/plan", include_str!("../tct03/plan.json")),
    ("tct03/precondition", include_str!("../tct03/precondition.json")),
    ("tct03/respond", include_str!("../tct03/respond.json")),
    ("tct03/sitemap-check", include_str!("../tct03/sitemap-check.json")),
    ("tct03/sitemap-encode", include_str!("../tct03/sitemap-encode.json")),
    ("tct03/tags", include_str!("../tct03/tags.json")),
    ("verify/dns", include_str!("../verify/dns.json")),
    ("verify/http", include_str!("../verify/http.json")),
    ("verify/jws", include_str!("../verify/jws.json")),
    ("verify/token", include_str!("../verify/token.json")),
];

/// One line a published shape, sorted by name.
const SCHEMAS: &[(&str, &str)] = &[
    ("aidocument", include_str!("../schema/aidocument.schema.json")),
    ("aidocument-2", include_str!("../schema/aidocument-2.schema.json")),
    ("llmindex-manifest", include_str!("../schema/llmindex-manifest.schema.json")),
    ("llmindex-product", include_str!("../schema/llmindex-product.schema.json")),
    ("operations", include_str!("../schema/operations.schema.json")),
    ("requirements", include_str!("../schema/requirements.schema.json")),
    ("stories", include_str!("../schema/stories.schema.json")),
    ("tct-payload", include_str!("../schema/tct-payload.schema.json")),
    ("tct-policy", include_str!("../schema/tct-policy.schema.json")),
    ("tct-sitemap", include_str!("../schema/tct-sitemap.schema.json")),
    ("vectors", include_str!("../schema/vectors.schema.json")),
];
