//! The checks of Web Bot Auth, and the key URLs that they need.
//!
//! Everything that can be refused without a key is refused first, so a request that fails without one never causes
//! a fetch. The remaining checks ask for one URL at a time:
//!
//! ```text
//! RequestCheck::new(message, policy, now)
//!   └─ wanted() ─▶ Some(url) ─▶ [ caller fetches, or looks into its cache ] ─▶ on_response / on_directory / on_failure
//!                  None ──────▶ results(), identity()
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use jwk::Thumbprint;
use web_values::UnixSeconds;

use crate::Message;
use crate::agent::{Agent, AgentPlaces, AgentType, FoundAgent, Profile, check_place};
use crate::card::Card;
use crate::directory::{Directory, Fetched};
use crate::identity::{BotSignature, Identity, Verified};
use crate::labels::{Found, Labels, OnlySignature, SignatureFields};
use crate::params::text_param;
use crate::policy::Policy;
use crate::prepare::{Common, Facts, Ready, Refusal, Rules, prepare};
use crate::reason::Reason;
use crate::replay::{Replay, ReplayId, ReplayWindow};
use crate::target::Target;

/// URLs that one request may have its receiver fetch, whatever number of signatures it has.
const MAX_DIRECTORIES: usize = 4;

/// The check of one request: asks for keys, one URL at a time, and gives the results.
///
/// It borrows neither the message nor anything else, so it can wait for a response on its own. See
/// [`identify`](crate::identify) for servers that have their directories at hand.
///
/// Spec: WBA-VER-1 to WBA-VER-5, WBA-DISC-1 to WBA-DISC-4, WBA-MULTI-1.
#[derive(Debug, Clone)]
pub struct RequestCheck<'d> {
    signatures: Vec<Pending>,
    fetched: BTreeMap<String, Result<KeySource<'d>, Reason>>,
    requests: Vec<String>,
    profile: Profile,
    places: AgentPlaces,
    now: UnixSeconds,
}

/// The result of fetching a URL.
#[derive(Debug, Clone)]
enum KeySource<'d> {
    Keys(Cow<'d, Directory>),
    Shared(Arc<Directory>),
    Card(Box<Card>),
}

#[derive(Debug, Clone)]
struct Pending {
    result: BotSignature,
    /// The checks that need the keys; `None` if the reason is known.
    rest: Option<Rest>,
}

#[derive(Debug, Clone)]
struct Rest {
    agent: Agent,
    facts: Facts,
    signature: Vec<u8>,
}

impl<'d> RequestCheck<'d> {
    /// Makes all checks that need no key.
    ///
    /// Spec: WBA-VER-3.
    #[must_use]
    pub fn new(message: &Message<'_>, policy: &Policy, now: UnixSeconds) -> Self {
        Self::with_rules(message, Rules { policy, used: None, now })
    }

    /// As [`new`](RequestCheck::new), but refuses signatures that `is_used` knows at once: a replay costs neither a
    /// verification nor a fetch. Call [`admit`](RequestCheck::admit) once no URL is wanted any more.
    ///
    /// `is_used` is asked at most once a signature, and nothing else looks at what was used. A window behind a lock is locked
    /// in it, so that nobody waits while this reads the message, hashes its body and writes what was signed.
    #[must_use]
    pub fn unused(
        message: &Message<'_>,
        policy: &Policy,
        is_used: impl Fn(ReplayId) -> bool,
        now: UnixSeconds,
    ) -> Self {
        Self::with_rules(message, Rules { policy, used: Some(&is_used), now })
    }

    fn with_rules(message: &Message<'_>, rules: Rules<'_>) -> Self {
        let Rules { policy, now, .. } = rules;
        let fields = SignatureFields::of(message);
        let signatures = match fields.read_only() {
            Some(only) => vec![pending_only(message, &only, rules)],
            None => match fields.read() {
                Err(reason) => vec![Pending { result: nameless(reason), rest: None }],
                Ok(labels) => {
                    let found = labels.all();
                    let inputs = found.iter().filter(|found| found.input.is_some());
                    let mut common = Common::default();
                    inputs.map(|found| pending(message, found, &labels, rules, &mut common)).collect()
                }
            },
        };
        let mut check = RequestCheck {
            signatures,
            fetched: BTreeMap::new(),
            requests: Vec::new(),
            profile: policy.profile,
            places: policy.places,
            now,
        };
        check.go_on();
        check
    }

    /// The URL to fetch next, with GET and without following redirects. `None` once everything is decided. There are four at
    /// most, cards included: a request may name a hundred agents, and costs each of them as much as its receiver. A signature
    /// that wants another one is [`DirectoryLater`](Reason::DirectoryLater).
    #[must_use]
    pub fn wanted(&self) -> Option<&str> {
        self.requests.last().map(String::as_str).filter(|url| !self.fetched.contains_key(*url))
    }

    /// The URLs that were wanted so far, in order, each once.
    #[must_use]
    pub fn requests(&self) -> &[String] {
        &self.requests
    }

    /// The key that the wanted directory should have; `None` if no URL is wanted, or no key can match.
    #[must_use]
    pub fn wanted_key(&self) -> Option<Thumbprint> {
        self.wanted()?;
        let waiting = self.signatures.iter().find_map(|pending| pending.rest.as_ref());
        waiting.and_then(|rest| rest.facts.thumbprint)
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
            let keys = Directory::read(&url, response, self.profile, self.now).ok();
            keys.map(|keys| KeySource::Keys(Cow::Owned(keys)))
        };
        let why = if response.is_later() { Reason::DirectoryLater } else { Reason::DirectoryFailed };
        let source = source.ok_or(why);
        self.fetched.insert(url, source);
        self.go_on();
    }

    /// Hands in a directory that the caller holds for the wanted URL. One that was read from another URL counts as a
    /// failed fetch.
    pub fn on_directory(&mut self, directory: &'d Directory) {
        let Some(url) = self.wanted().map(str::to_owned) else { return };
        let is_right = directory.url() == url && !self.wants_card(&url);
        let source = if is_right {
            Ok(KeySource::Keys(Cow::Borrowed(directory)))
        } else {
            Err(Reason::DirectoryFailed)
        };
        self.fetched.insert(url, source);
        self.go_on();
    }

    /// As [`on_directory`](RequestCheck::on_directory), with a directory shared by many requests.
    pub fn on_shared(&mut self, directory: Arc<Directory>) {
        let Some(url) = self.wanted().map(str::to_owned) else { return };
        let is_right = directory.url() == url && !self.wants_card(&url);
        let source = if is_right { Ok(KeySource::Shared(directory)) } else { Err(Reason::DirectoryFailed) };
        self.fetched.insert(url, source);
        self.go_on();
    }

    /// Remembers the verified signatures as used, and refuses those that were used before, with
    /// [`Replayed`](Reason::Replayed), and those that cannot be remembered, with [`ReplayFull`](Reason::ReplayFull).
    /// Call it once, when no URL is wanted any more.
    ///
    /// Spec: WBA-NONCE-1.
    pub fn admit(&mut self, used: &mut ReplayWindow, now: UnixSeconds) {
        self.admit_by(|verified| used.admit(verified, now));
    }

    pub(crate) fn admit_by(&mut self, mut admit: impl FnMut(&Verified) -> Replay) {
        for Pending { result, .. } in &mut self.signatures {
            let Some(verified) = &result.verified else { continue };
            let refusal = match admit(verified) {
                Replay::Fresh => continue,
                Replay::Seen => Reason::Replayed,
                Replay::Full => Reason::ReplayFull,
            };
            (result.reason, result.verified) = (Some(refusal), None);
        }
    }

    /// Call this if the wanted URL could not be fetched.
    pub fn on_failure(&mut self) {
        self.on_refusal(Reason::DirectoryLater);
    }

    /// Call this if the wanted URL is not fetched, with the reason.
    pub fn on_refusal(&mut self, reason: Reason) {
        let Some(url) = self.wanted().map(str::to_owned) else { return };
        self.fetched.insert(url, Err(reason));
        self.go_on();
    }

    /// The result for each member of `Signature-Input`, in order. A signature whose keys are still wanted
    /// is [`DirectoryLater`](Reason::DirectoryLater).
    pub fn results(&self) -> impl Iterator<Item = &BotSignature> {
        self.signatures.iter().map(|pending| &pending.result)
    }

    /// Who sent the request: the first agent that is verified; otherwise the first reason why a signature of Web Bot
    /// Auth was not accepted.
    pub fn identity(&self) -> Identity {
        let verified = self.results().find_map(|result| result.verified.clone()).map(Identity::Verified);
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
            match step(rest, &self.fetched, self.places, self.now) {
                Step::Fetch(url) if self.requests.len() < MAX_DIRECTORIES => {
                    self.requests.push(url);
                    return;
                }
                Step::Fetch(_) => pending.rest = None,
                Step::Done(Ok(())) => {
                    let agent = rest.agent.identifier.clone();
                    let verified = rest.facts.thumbprint.map(|key| rest.facts.verified(key, agent));
                    pending.result.reason = verified.is_none().then_some(Reason::KeyUnknown);
                    pending.result.verified = verified;
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

fn step(
    rest: &Rest,
    fetched: &BTreeMap<String, Result<KeySource<'_>, Reason>>,
    places: AgentPlaces,
    now: UnixSeconds,
) -> Step {
    let failed = Step::Done(Err(Reason::DirectoryFailed));
    match fetched.get(&rest.agent.fetch) {
        None => Step::Fetch(rest.agent.fetch.clone()),
        Some(Err(reason)) => Step::Done(Err(*reason)),
        Some(Ok(KeySource::Keys(directory))) => Step::Done(rest.facts.judge(&rest.signature, directory, now)),
        Some(Ok(KeySource::Shared(directory))) => {
            Step::Done(rest.facts.judge(&rest.signature, directory, now))
        }
        Some(Ok(KeySource::Card(card))) => {
            if !card.is_valid() {
                return failed;
            }
            if let Some(directory) = card.inline_directory() {
                return Step::Done(rest.facts.judge(&rest.signature, directory, now));
            }
            let Some(uri) = &card.jwks_uri else { return failed };
            let Ok(target) = Target::parse(uri) else { return failed };
            if let Err(reason) = check_place(&target, places) {
                return Step::Done(Err(if reason == Reason::AgentHost {
                    reason
                } else {
                    Reason::DirectoryFailed
                }));
            }
            let mut url = target.identity();
            if target.query.is_some() {
                target.write_query(&mut url);
            }
            match fetched.get(&url) {
                None => Step::Fetch(url),
                Some(Ok(KeySource::Keys(directory))) => {
                    Step::Done(rest.facts.judge(&rest.signature, directory, now))
                }
                Some(Ok(KeySource::Shared(directory))) => {
                    Step::Done(rest.facts.judge(&rest.signature, directory, now))
                }
                Some(Err(reason)) => Step::Done(Err(*reason)),
                Some(Ok(KeySource::Card(_))) => failed,
            }
        }
    }
}

fn nameless(reason: Reason) -> BotSignature {
    BotSignature { label: None, reason: Some(reason), component: None, keyid: None, verified: None }
}

fn pending(
    message: &Message<'_>,
    found: &Found<'_, '_>,
    labels: &Labels<'_>,
    rules: Rules<'_>,
    common: &mut Common,
) -> Pending {
    let keyid = found.params().and_then(|params| text_param(params, "keyid"));
    let ready = prepare(message, found, labels, rules, common);
    let ready = ready.map(|Ready { agent, facts, signature }| (agent, facts, signature.to_vec()));
    pending_of(found.label, keyid, ready)
}

/// As [`pending`], for requests with exactly one signature: detects a replay without allocating a list.
fn pending_only(message: &Message<'_>, only: &OnlySignature<'_>, rules: Rules<'_>) -> Pending {
    let ready = only.prepare(message, rules, &mut String::new());
    let ready = ready.map(|(agent, facts)| (agent, facts, only.signature.to_vec()));
    pending_of(only.label, text_param(&only.list.params, "keyid"), ready)
}

fn pending_of(
    label: &str,
    keyid: Option<&str>,
    ready: Result<(FoundAgent, Facts, Vec<u8>), Refusal>,
) -> Pending {
    let (label, keyid) = (Some(label.to_owned()), keyid.map(str::to_owned));
    let result = BotSignature { label, keyid, ..nameless(Reason::DirectoryLater) };
    match ready {
        Ok((agent, facts, signature)) => {
            Pending { result, rest: Some(Rest { agent: agent.into_agent(), facts, signature }) }
        }
        Err((reason, component)) => {
            Pending { result: BotSignature { reason: Some(reason), component, ..result }, rest: None }
        }
    }
}
