//! Who sent a request: the checks of Web Bot Auth, and the keys that they ask for.
//!
//! Everything that can be refused without a key is refused first, so that a stranger's request that fails by itself
//! never causes a fetch. What is left asks for one URL at a time:
//!
//! ```text
//! RequestCheck::new(message, policy, now)
//!   └─ wanted() ─▶ Some(url) ─▶ [ caller fetches, or looks into its cache ] ─▶ on_response / on_directory / on_failure
//!                  None ──────▶ results(), identity()
//! ```

use core::fmt;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use jwk::{Algorithm, Thumbprint};

use crate::Message;
use crate::agent::{Agent, AgentType, FoundAgent, Profile, agent_of, check_place};
use crate::base::write_base;
use crate::card::Card;
use crate::component::{Component, Derived, How};
use crate::digest::check_body;
use crate::directory::{Directory, Fetched};
use crate::labels::{Found, Labels, OnlySignature, SignatureFields};
use crate::params::{integer_param, text_param};
use crate::reason::{Outcome, Reason};
use crate::signature::{DEFAULT_SKEW_SECS, check_times, missing_component, named_algorithm, refusal_of};
use crate::structured::{Entry, InnerList};
use crate::target::{Scheme, Target};
use web_values::UnixSeconds;

/// Tag of the signatures of Web Bot Auth.
pub const TAG: &str = "web-bot-auth";

/// Longest time between `created` and `expires`, in seconds: a day.
///
/// Spec: WBA-SIG-4, WBA-AMB-18.
pub const MAX_LIFETIME_SECS: u64 = 24 * 60 * 60;

/// Most signature bases of requests are shorter.
const USUAL_BASE_BYTES: usize = 1024;

/// Thumbprints of the keys that the specifications publish with their private parts.
///
/// Spec: WBA-KEY-4.
const TEST_KEYS: [&str; 3] = [
    "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
    "oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA",
    "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
];

/// What a server asks of signatures. The default is strict.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Policy {
    /// Which text governs.
    pub profile: Profile,
    /// How far `created` may be ahead of now, in seconds; 60.
    pub skew_secs: u64,
    /// Longest time between `created` and `expires`, in seconds; a day. `None` sets no limit.
    pub max_lifetime_secs: Option<u64>,
    /// Whether there must be a nonce; false.
    pub requires_nonce: bool,
    /// Nonces that were seen before; see [`ReplayWindow`](crate::ReplayWindow).
    pub seen_nonces: BTreeSet<String>,
    /// Identifiers that must be covered, such as `"@method"`.
    pub components: Vec<String>,
    /// Whether the published test keys count; false.
    pub accepts_test_keys: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            profile: Profile::Deployed,
            skew_secs: DEFAULT_SKEW_SECS,
            max_lifetime_secs: Some(MAX_LIFETIME_SECS),
            requires_nonce: false,
            seen_nonces: BTreeSet::new(),
            components: Vec::new(),
            accepts_test_keys: false,
        }
    }
}

/// How much of a request a signature binds.
///
/// Spec: WBA-COV-1, AIWI2-AMB-30.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Coverage {
    /// Nothing that says where the request goes.
    None,
    /// The host: the signature fits every request to it.
    Authority,
    /// Method and target: this request, and replays of it.
    Request,
}

impl Coverage {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Coverage::None => "none",
            Coverage::Authority => "authority",
            Coverage::Request => "request",
        }
    }

    /// What `list` covers of `message`.
    pub(crate) fn of(message: &Message<'_>, list: &InnerList<'_>) -> Self {
        let in_request = message.is_request();
        let mut covered = 0_u16;
        for item in &list.items {
            if let Some(derived) = Component::of(item, in_request).ok().and_then(|it| it.derived()) {
                covered |= 1 << derived as u16;
            }
        }
        let covers = |derived: Derived| covered >> derived as u16 & 1 == 1;
        let has_query = message.target().is_some_and(|target| target.query.is_some());
        let by_parts =
            covers(Derived::Authority) && covers(Derived::Path) && (covers(Derived::Query) || !has_query);
        if covers(Derived::Method) && (covers(Derived::TargetUri) || by_parts) {
            Coverage::Request
        } else if covers(Derived::Authority) || covers(Derived::TargetUri) {
            Coverage::Authority
        } else {
            Coverage::None
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Coverage::None => "neither host nor request",
            Coverage::Authority => "the host",
            Coverage::Request => "the whole request",
        })
    }
}

/// Who sent a request, as far as its signatures show.
///
/// Identity is not permission: what a verified agent may do is the server's own decision.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[must_use]
pub enum Identity {
    /// The holder of this key, which this agent publishes, signed the request.
    Verified {
        /// The agent: the URL that its keys were fetched from, without query, in normal form.
        agent: String,
        /// The key.
        key: Thumbprint,
        /// How much of the request is bound.
        coverage: Coverage,
    },
    /// There is a signature, and it shows nothing: it is wrong, or cannot be decided.
    Unverified(Reason),
    /// There is no signature of Web Bot Auth. That is neither good nor bad.
    Anonymous,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identity::Verified { agent, key, coverage } => {
                write!(f, "verified: {agent} by key {key}, covering {coverage}")
            }
            Identity::Unverified(reason) => write!(f, "unverified: {reason}"),
            Identity::Anonymous => f.write_str("anonymous: the request has no signature of Web Bot Auth"),
        }
    }
}

/// What came of one member of `Signature-Input`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct BotSignature {
    /// The label; `None` where the fields could not be read at all.
    pub label: Option<String>,
    /// Why the signature was not accepted; `None` for a verified one.
    pub reason: Option<Reason>,
    /// What the reason speaks of, where that is a component.
    pub component: Option<String>,
    /// The agent's identity, of a verified signature only.
    pub identifier: Option<String>,
    /// `keyid`, where it is a text: a claim unless the signature is verified.
    pub keyid: Option<String>,
    /// How much of the request is bound; `None` unless verified.
    pub coverage: Coverage,
    /// `nonce`, where it is a text: remember it with `keyid` until `expires`.
    pub nonce: Option<String>,
    /// `expires`, where it is a number.
    pub expires: Option<i64>,
}

impl BotSignature {
    /// What the reason means.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.reason.map_or(Outcome::Verified, Reason::outcome)
    }
}

/// The check of one request: asks for keys, one URL at a time, and judges.
///
/// It owns all that it needs, except for directories that are handed in, so it can wait for a response without the
/// message. See [`identify`] for servers that
/// have their directories at hand.
///
/// Spec: WBA-VER-1 to WBA-VER-5, WBA-DISC-1 to WBA-DISC-4, WBA-MULTI-1.
#[derive(Debug, Clone)]
pub struct RequestCheck<'d> {
    signatures: Vec<Pending>,
    fetched: BTreeMap<String, Option<KeySource<'d>>>,
    requests: Vec<String>,
    profile: Profile,
    now: UnixSeconds,
}

/// What a URL gave.
#[derive(Debug, Clone)]
enum KeySource<'d> {
    Keys(Cow<'d, Directory>),
    Card(Box<Card>),
}

#[derive(Debug, Clone)]
struct Pending {
    result: BotSignature,
    /// What is left to be done once the keys are there; `None` where the reason is known.
    rest: Option<Rest>,
}

#[derive(Debug, Clone)]
struct Rest {
    agent: Agent,
    facts: Facts,
    signature: Vec<u8>,
}

/// A signature that passed all checks which need no key.
#[derive(Debug)]
struct Ready<'s> {
    agent: FoundAgent,
    facts: Facts,
    signature: &'s [u8],
}

/// What the check with the key needs.
#[derive(Debug, Clone)]
struct Facts {
    /// `None` for a text of the right form that is not one: no key has it.
    thumbprint: Option<Thumbprint>,
    alg: Option<Algorithm>,
    base: String,
    body: Result<(), Reason>,
    coverage: Coverage,
}

impl<'d> RequestCheck<'d> {
    /// Makes all checks that need no key.
    ///
    /// Spec: WBA-VER-3.
    #[must_use]
    pub fn new(message: &Message<'_>, policy: &Policy, now: UnixSeconds) -> Self {
        let fields = SignatureFields::of(message);
        let signatures = match fields.read() {
            Err(reason) => vec![Pending { result: nameless(reason), rest: None }],
            Ok(labels) => {
                let found = labels.all();
                let inputs = found.iter().filter(|found| found.input.is_some());
                inputs.map(|found| pending(message, found, &labels, policy, now)).collect()
            }
        };
        let mut check = RequestCheck {
            signatures,
            fetched: BTreeMap::new(),
            requests: Vec::new(),
            profile: policy.profile,
            now,
        };
        check.go_on();
        check
    }

    /// The URL to fetch next, with GET and without following redirects. `None` once everything is decided.
    #[must_use]
    pub fn wanted(&self) -> Option<&str> {
        self.requests.last().map(String::as_str).filter(|url| !self.fetched.contains_key(*url))
    }

    /// The URLs that were wanted so far, in order, each once.
    #[must_use]
    pub fn requests(&self) -> &[String] {
        &self.requests
    }

    /// Hands in the response for the [wanted](RequestCheck::wanted) URL. A response from another URL, which is what a
    /// followed redirect gives, counts as a failed fetch. No effect where nothing is wanted.
    pub fn on_response(&mut self, response: &Fetched<'_>) {
        let Some(url) = self.wanted().map(str::to_owned) else { return };
        let source = if self.wants_card(&url) {
            let is_card = response.status == 200 && response.url == url;
            let card = if is_card { Card::parse(&url, response.body).ok() } else { None };
            card.map(|card| KeySource::Card(Box::new(card)))
        } else {
            Directory::read(&url, response, self.profile, self.now)
                .ok()
                .map(|keys| KeySource::Keys(Cow::Owned(keys)))
        };
        self.fetched.insert(url, source);
        self.go_on();
    }

    /// Hands in a directory that the caller holds for the wanted URL. One that was read from another URL counts as a
    /// failed fetch.
    pub fn on_directory(&mut self, directory: &'d Directory) {
        let Some(url) = self.wanted().map(str::to_owned) else { return };
        let is_right = directory.url() == url && !self.wants_card(&url);
        let source = is_right.then_some(KeySource::Keys(Cow::Borrowed(directory)));
        self.fetched.insert(url, source);
        self.go_on();
    }

    /// The wanted URL could not be fetched.
    pub fn on_failure(&mut self) {
        let Some(url) = self.wanted().map(str::to_owned) else { return };
        self.fetched.insert(url, None);
        self.go_on();
    }

    /// What came of each member of `Signature-Input`, in order. A signature whose keys are still wanted is
    /// [`DirectoryFailed`](Reason::DirectoryFailed).
    pub fn results(&self) -> impl Iterator<Item = &BotSignature> {
        self.signatures.iter().map(|pending| &pending.result)
    }

    /// Who sent the request: the first agent that is verified; otherwise the first reason why a signature of Web Bot
    /// Auth was not accepted.
    pub fn identity(&self) -> Identity {
        let verified = self.results().find_map(|result| {
            let (None, Some(agent), Some(keyid)) = (result.reason, &result.identifier, &result.keyid) else {
                return None;
            };
            let key = keyid.parse().ok()?;
            Some(Identity::Verified { agent: agent.clone(), key, coverage: result.coverage })
        });
        let refused = || {
            let reasons = self.results().filter_map(|result| result.reason);
            reasons.into_iter().find(|reason| *reason != Reason::Tag).map(Identity::Unverified)
        };
        verified.or_else(refused).unwrap_or(Identity::Anonymous)
    }

    fn wants_card(&self, url: &str) -> bool {
        self.signatures
            .iter()
            .filter_map(|pending| pending.rest.as_ref())
            .any(|rest| rest.agent.agent_type == AgentType::Card && rest.agent.fetch == url)
    }

    /// Decides signatures in order until one lacks keys.
    fn go_on(&mut self) {
        for pending in &mut self.signatures {
            let Some(rest) = &pending.rest else { continue };
            match step(rest, &self.fetched, self.now) {
                Step::Fetch(url) => {
                    self.requests.push(url);
                    return;
                }
                Step::Done(Ok(())) => {
                    pending.result.reason = None;
                    pending.result.identifier = Some(rest.agent.identifier.clone());
                    pending.result.coverage = rest.facts.coverage;
                    pending.rest = None;
                }
                Step::Done(Err(reason)) => {
                    pending.result.reason = Some(reason);
                    pending.rest = None;
                }
            }
        }
    }
}

enum Step {
    Fetch(String),
    Done(Result<(), Reason>),
}

fn step(rest: &Rest, fetched: &BTreeMap<String, Option<KeySource<'_>>>, now: UnixSeconds) -> Step {
    let failed = Step::Done(Err(Reason::DirectoryFailed));
    match fetched.get(&rest.agent.fetch) {
        None => Step::Fetch(rest.agent.fetch.clone()),
        Some(None) => failed,
        Some(Some(KeySource::Keys(directory))) => {
            Step::Done(judge(&rest.facts, &rest.signature, directory, now))
        }
        Some(Some(KeySource::Card(card))) => {
            if !card.is_valid() {
                return failed;
            }
            if let Some(directory) = card.inline_directory() {
                return Step::Done(judge(&rest.facts, &rest.signature, directory, now));
            }
            let Some(uri) = &card.jwks_uri else { return failed };
            let Ok(target) = Target::parse(uri) else { return failed };
            if let Err(reason) = check_place(&target) {
                return Step::Done(Err(if reason == Reason::AgentHost {
                    reason
                } else {
                    Reason::DirectoryFailed
                }));
            }
            let mut url = String::new();
            target.write_uri(&mut url);
            match fetched.get(&url) {
                None => Step::Fetch(url),
                Some(Some(KeySource::Keys(directory))) => {
                    Step::Done(judge(&rest.facts, &rest.signature, directory, now))
                }
                Some(_) => failed,
            }
        }
    }
}

/// Spec: WBA-KEY-1, SIG9421-ALG-1, WBA-BODY-1.
fn judge(facts: &Facts, signature: &[u8], directory: &Directory, now: UnixSeconds) -> Result<(), Reason> {
    let key = directory.key(facts.thumbprint.ok_or(Reason::KeyUnknown)?, now)?;
    if facts.alg.is_some_and(|alg| alg != key.algorithm()) {
        return Err(Reason::AlgMismatch);
    }
    if !key.verifies(facts.base.as_bytes(), signature) {
        return Err(Reason::Signature);
    }
    facts.body
}

fn nameless(reason: Reason) -> BotSignature {
    BotSignature {
        label: None,
        reason: Some(reason),
        component: None,
        identifier: None,
        keyid: None,
        coverage: Coverage::None,
        nonce: None,
        expires: None,
    }
}

fn pending(
    message: &Message<'_>,
    found: &Found<'_, '_>,
    labels: &Labels<'_>,
    policy: &Policy,
    now: UnixSeconds,
) -> Pending {
    let text = |name| found.params().and_then(|params| text_param(params, name)).map(str::to_owned);
    let mut result = BotSignature {
        label: Some(found.label.to_owned()),
        keyid: text("keyid"),
        nonce: text("nonce"),
        expires: found.params().and_then(|params| integer_param(params, "expires")),
        ..nameless(Reason::DirectoryFailed)
    };
    let mut base = String::new();
    let rest = match prepare(message, found, labels, policy, now, &mut base) {
        Ok(Ready { agent, facts, signature }) => {
            Some(Rest { agent: agent.into_agent(), facts, signature: signature.to_vec() })
        }
        Err((reason, component)) => {
            (result.reason, result.component) = (Some(reason), component);
            None
        }
    };
    Pending { result, rest }
}

/// All checks up to the keys, in the order of the reasons. The base is written to `base` and taken from there.
fn prepare<'s>(
    message: &Message<'_>,
    found: &Found<'s, '_>,
    labels: &Labels<'_>,
    policy: &Policy,
    now: UnixSeconds,
    base: &mut String,
) -> Result<Ready<'s>, (Reason, Option<String>)> {
    let tag = found.params().and_then(|params| text_param(params, "tag"));
    check_kind(message, found.is_repeated, tag)?;
    let (list, signature) = found.parts().map_err(|reason| (reason, None))?;
    let input_of = |label: &str| match labels.inputs.get(label) {
        Some(Entry::Inner(list)) => Some(&**list),
        _ => None,
    };
    let (agent, facts) = prepare_parts(message, found.label, list, input_of, policy, now, base)?;
    Ok(Ready { agent, facts, signature })
}

/// Whether it is a signature of Web Bot Auth at all, on a request that came safely.
fn check_kind(
    message: &Message<'_>,
    is_repeated: bool,
    tag: Option<&str>,
) -> Result<(), (Reason, Option<String>)> {
    if !is_repeated && tag != Some(TAG) {
        return Err((Reason::Tag, None));
    }
    if message.target().is_none_or(|target| target.scheme != Scheme::Https) {
        return Err((Reason::InsecureTransport, None));
    }
    Ok(())
}

/// The checks behind those of form, of what is signed under a label. `input_of` gives the list of any label.
fn prepare_parts<'l, 'a: 'l>(
    message: &Message<'_>,
    label: &str,
    list: &InnerList<'_>,
    input_of: impl Fn(&str) -> Option<&'l InnerList<'a>>,
    policy: &Policy,
    now: UnixSeconds,
    base: &mut String,
) -> Result<(FoundAgent, Facts), (Reason, Option<String>)> {
    let plain = |reason| (reason, None);
    let wanted = ["created", "expires", "keyid", "nonce"];
    let wanted = if policy.requires_nonce { &wanted[..] } else { &wanted[..3] };
    if let Some(missing) = wanted.iter().find(|name| list.params.get(name).is_none()) {
        return Err((Reason::MissingParam, Some((*missing).to_owned())));
    }
    let coverage = Coverage::of(message, list);
    if coverage == Coverage::None {
        return Err(plain(Reason::TargetNotCovered));
    }
    let required = policy.components.iter().map(String::as_str);
    if let Some(missing) = missing_component(message, list, required) {
        return Err((Reason::Requirement, Some(missing)));
    }
    let agent = agent_of(message, label, list, policy.profile).map_err(plain)?;
    check_lifetime(list, policy, now).map_err(plain)?;
    if text_param(&list.params, "nonce").is_some_and(|nonce| policy.seen_nonces.contains(nonce)) {
        return Err(plain(Reason::Replayed));
    }
    let keyid = text_param(&list.params, "keyid").unwrap_or_default();
    let has_form =
        keyid.len() == 43 && keyid.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    if !has_form {
        return Err(plain(Reason::KeyidNotThumbprint));
    }
    let thumbprint = keyid.parse().ok();
    let alg = check_algorithm(text_param(&list.params, "alg")).map_err(plain)?;
    if !policy.accepts_test_keys && TEST_KEYS.contains(&keyid) {
        return Err(plain(Reason::TestKey));
    }
    check_chain(message, list, input_of).map_err(plain)?;
    base.clear();
    base.reserve(USUAL_BASE_BYTES);
    write_base(message, list, base).map_err(|error| refusal_of(&error))?;
    let body = check_body(message, list);
    Ok((agent, Facts { thumbprint, alg, base: core::mem::take(base), body, coverage }))
}

/// Spec: WBA-TIME-1.
fn check_lifetime(list: &InnerList<'_>, policy: &Policy, now: UnixSeconds) -> Result<(), Reason> {
    check_times(list, policy.skew_secs, None, now)?;
    let param = |name| integer_param(&list.params, name).unwrap_or_default();
    let lifetime = param("expires").saturating_sub(param("created"));
    if lifetime <= 0 {
        return Err(Reason::BadTimes);
    }
    let is_too_long = |max: u64| u64::try_from(lifetime).is_ok_and(|lifetime| lifetime > max);
    if policy.max_lifetime_secs.is_some_and(is_too_long) { Err(Reason::LifetimeTooLong) } else { Ok(()) }
}

/// Spec: WBA-ALG-1, WBA-ALG-2.
fn check_algorithm(alg: Option<&str>) -> Result<Option<Algorithm>, Reason> {
    match named_algorithm(alg)? {
        Some(Algorithm::HmacSha256) => Err(Reason::AlgForbidden),
        Some(alg) if !alg.is_built_in() => Err(Reason::AlgUnsupported),
        alg => Ok(alg),
    }
}

/// Whoever covers another signature covers what that one is about: its member of `Signature-Input` and every
/// component in it.
///
/// Spec: WBA-MULTI-2.
pub(crate) fn check_chain<'l, 'a: 'l>(
    message: &Message<'_>,
    list: &InnerList<'_>,
    input_of: impl Fn(&str) -> Option<&'l InnerList<'a>>,
) -> Result<(), Reason> {
    let in_request = message.is_request();
    let components = || list.items.iter().filter_map(|item| Component::of(item, in_request).ok());
    if !components().any(|it| matches!(it.covers_field("signature"), Some(How::Member { .. }))) {
        return Ok(());
    }
    let own: Vec<Component<'_>> = components().collect();
    let covered: BTreeSet<_> = own.iter().map(Component::sort_key).collect();
    for component in &own {
        let Some(How::Member { key }) = component.covers_field("signature") else { continue };
        let has_input = own.iter().any(
            |it| matches!(it.covers_field("signature-input"), Some(How::Member { key: of }) if of == key),
        );
        let Some(inner) = input_of(key) else { return Err(Reason::ChainIncomplete) };
        let is_covered =
            |item| Component::of(item, in_request).is_ok_and(|it| covered.contains(&it.sort_key()));
        if !has_input || !inner.items.iter().all(is_covered) {
            return Err(Reason::ChainIncomplete);
        }
    }
    Ok(())
}

/// Who sent a request, in one call: for servers that hold key directories.
///
/// `directory` gives the directory that is held for a URL. Where it gives none, the signature is unverified, and the
/// second value names the URL to fetch before the agent comes again.
///
/// ```
/// use bot_auth::{CrawlerSigner, Directory, Identity, Message, Policy, identify};
/// # use bot_auth::{DIRECTORY_MEDIA_TYPE, Fetched, Profile, directory_body};
/// use jwk::SigningKey;
/// use web_values::UnixSeconds;
///
/// # let key = SigningKey::from_secret(&[7; 32]);
/// # let url = "https://bot.example/.well-known/http-message-signatures-directory";
/// # let body = directory_body([&key]);
/// # let headers = [("content-type", DIRECTORY_MEDIA_TYPE.as_bytes())];
/// # let response = Fetched { url, status: 200, headers: &headers, body: body.as_bytes() };
/// # let now = UnixSeconds(1_790_000_000);
/// # let held = Directory::read(url, &response, Profile::Deployed, now)?;
/// # let signer = CrawlerSigner::new(key, "https://bot.example")?;
/// # let request = Message::request("GET", "https://shop.example/a")?;
/// # let signed = signer.sign(&request, &[0; 32], now)?;
/// let request = Message::request("GET", "https://shop.example/a")?
///     .header("Signature-Agent", &signed.signature_agent)
///     .header("Signature-Input", &signed.signature_input)
///     .header("Signature", &signed.signature);
/// let (identity, wanted) =
///     identify(&request, |url| (url == held.url()).then_some(&held), &Policy::default(), now);
/// assert!(matches!(identity, Identity::Verified { agent, .. } if agent == held.url()));
/// assert_eq!(wanted, None);
///
/// let unsigned = Message::request("GET", "https://shop.example/a")?;
/// assert_eq!(identify(&unsigned, |_| None, &Policy::default(), now).0, Identity::Anonymous);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Spec: WBA-VER-1, WBA-VER-5, WBA-DISC-4.
pub fn identify<'d>(
    message: &Message<'_>,
    directory: impl Fn(&str) -> Option<&'d Directory>,
    policy: &Policy,
    now: UnixSeconds,
) -> (Identity, Option<String>) {
    identify_in(message, directory, policy, now, &mut String::new())
}

/// As [`identify`], for server after server's request with memory that is taken once: a request costs the agent's URL,
/// which is given back, and nothing else of the heap.
///
/// ```
/// use bot_auth::{Identifier, Identity, Message, Policy};
/// use web_values::UnixSeconds;
///
/// let mut identifier = Identifier::new(Policy::default());
/// let request = Message::request("GET", "https://shop.example/a")?;
/// let (identity, wanted) = identifier.identify(&request, |_url| None, UnixSeconds(1_790_000_000));
/// assert_eq!((identity, wanted), (Identity::Anonymous, None));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Identifier {
    policy: Policy,
    /// The memory of the texts that were signed.
    base: String,
}

impl Identifier {
    /// One that asks for this.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Identifier { policy, base: String::with_capacity(USUAL_BASE_BYTES) }
    }

    /// Who sent a request; see [`identify`].
    pub fn identify<'d>(
        &mut self,
        message: &Message<'_>,
        directory: impl Fn(&str) -> Option<&'d Directory>,
        now: UnixSeconds,
    ) -> (Identity, Option<String>) {
        identify_in(message, directory, &self.policy, now, &mut self.base)
    }

    /// What is asked of signatures, such as the nonces that were seen.
    pub fn policy_mut(&mut self) -> &mut Policy {
        &mut self.policy
    }
}

fn identify_in<'d>(
    message: &Message<'_>,
    directory: impl Fn(&str) -> Option<&'d Directory>,
    policy: &Policy,
    now: UnixSeconds,
    base: &mut String,
) -> (Identity, Option<String>) {
    let fields = SignatureFields::of(message);
    if let Some(only) = fields.read_only() {
        return identify_only(message, &only, directory, policy, now, base);
    }
    let mut check = RequestCheck::new(message, policy, now);
    let mut missing = None;
    while let Some(url) = check.wanted() {
        match directory(url) {
            Some(held) => check.on_directory(held),
            None => {
                missing = missing.or_else(|| Some(url.to_owned()));
                check.on_failure();
            }
        }
    }
    (check.identity(), missing)
}

/// As [`identify`], for the one signature that nearly all signed requests have: without a copy of anything but the
/// agent's URL and the text that was signed.
fn identify_only<'d>(
    message: &Message<'_>,
    only: &OnlySignature<'_>,
    directory: impl Fn(&str) -> Option<&'d Directory>,
    policy: &Policy,
    now: UnixSeconds,
    base: &mut String,
) -> (Identity, Option<String>) {
    let OnlySignature { label, list, signature } = only;
    let input_of = |other: &str| (other == *label).then_some(list);
    let prepared = check_kind(message, false, text_param(&list.params, "tag"))
        .and_then(|()| prepare_parts(message, label, list, input_of, policy, now, base));
    let (agent, facts) = match prepared {
        Ok(ready) => ready,
        Err((Reason::Tag, _)) => return (Identity::Anonymous, None),
        Err((reason, _)) => return (Identity::Unverified(reason), None),
    };
    let answer = (|| {
        let Some(held) = directory(&agent.fetch) else {
            return (Identity::Unverified(Reason::DirectoryFailed), Some(agent.fetch));
        };
        // A card is not a directory, and one of another URL is another agent's.
        if agent.agent_type == AgentType::Card || held.url() != agent.fetch {
            return (Identity::Unverified(Reason::DirectoryFailed), None);
        }
        match (judge(&facts, signature, held, now), facts.thumbprint) {
            (Ok(()), Some(key)) => {
                let (agent, coverage) = (agent.into_identifier(), facts.coverage);
                (Identity::Verified { agent, key, coverage }, None)
            }
            (Ok(()), None) => (Identity::Unverified(Reason::KeyUnknown), None),
            (Err(reason), _) => (Identity::Unverified(reason), None),
        }
    })();
    *base = facts.base;
    answer
}
