//! The checks that need no key, in the order of the reasons.

use std::collections::BTreeSet;

use jwk::{Algorithm, Thumbprint};
use web_values::UnixSeconds;

use crate::agent::{FoundAgent, agent_of};
use crate::base::{Queries, write_base_with};
use crate::component::{Component, How};
use crate::digest::{BodyDigests, covers_digest};
use crate::directory::Directory;
use crate::identity::{Coverage, Verified};
use crate::labels::{Found, Labels, OnlySignature};
use crate::params::{integer_param, text_param};
use crate::policy::{Policy, TAG};
use crate::reason::Reason;
use crate::replay::ReplayId;
use crate::signature::{check_times, missing_component, named_algorithm, refusal_of};
use crate::structured::{Entry, InnerList};
use crate::target::Scheme;
use crate::{AgentId, Message};

/// Most signature bases of requests are shorter.
pub(crate) const USUAL_BASE_BYTES: usize = 1024;

/// The server's policy and state.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'r> {
    pub(crate) policy: &'r Policy,
    /// Tells whether a signature was used before.
    pub(crate) used: Option<&'r dyn Fn(ReplayId) -> bool>,
    pub(crate) now: UnixSeconds,
}

/// A signature that passed all checks which need no key.
#[derive(Debug)]
pub(crate) struct Ready<'s> {
    pub(crate) agent: FoundAgent,
    pub(crate) facts: Facts,
    pub(crate) signature: &'s [u8],
}

/// What the check with the key needs, and the facts that it establishes.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    /// `None` if `keyid` has the right form but is not a thumbprint of any key.
    pub(crate) thumbprint: Option<Thumbprint>,
    alg: Option<Algorithm>,
    pub(crate) base: String,
    body: Result<(), Reason>,
    coverage: Coverage,
    /// Of the nonce; `None` where there is none.
    nonce: Option<ReplayId>,
    created: i64,
    expires: i64,
}

impl Facts {
    /// Verifies with the key.
    ///
    /// Spec: WBA-KEY-1, SIG9421-ALG-1, WBA-BODY-1.
    pub(crate) fn judge(
        &self,
        signature: &[u8],
        directory: &Directory,
        now: UnixSeconds,
    ) -> Result<(), Reason> {
        let key = directory.key(self.thumbprint.ok_or(Reason::KeyUnknown)?, now)?;
        if self.alg.is_some_and(|alg| alg != key.algorithm()) {
            return Err(Reason::AlgMismatch);
        }
        if !key.verifies(self.base.as_bytes(), signature) {
            return Err(Reason::Signature);
        }
        self.body
    }

    /// The result once [`judge`](Facts::judge) has succeeded.
    pub(crate) fn verified(&self, key: Thumbprint, agent: AgentId) -> Verified {
        Verified {
            agent,
            key,
            coverage: self.coverage,
            id: self.nonce.unwrap_or_else(|| ReplayId::of_base(key, &self.base)),
            has_nonce: self.nonce.is_some(),
            created: self.created,
            expires: self.expires,
        }
    }
}

/// Why a signature is refused without a key, and the component that the reason is about.
pub(crate) type Refusal = (Reason, Option<String>);

/// What the signatures of one message have in common, read once.
#[derive(Debug, Default)]
pub(crate) struct Common {
    queries: Queries,
    digests: BodyDigests,
}

/// All checks up to the keys, in the order of the reasons.
pub(crate) fn prepare<'s>(
    message: &Message<'_>,
    found: &Found<'s, '_>,
    labels: &Labels<'_>,
    rules: Rules<'_>,
    common: &mut Common,
) -> Result<Ready<'s>, Refusal> {
    let tag = found.params().and_then(|params| text_param(params, "tag"));
    check_kind(message, found.is_repeated, tag)?;
    let (list, signature) = found.parts().map_err(|reason| (reason, None))?;
    let input_of = |label: &str| match labels.inputs.get(label) {
        Some(Entry::Inner(list)) => Some(&**list),
        _ => None,
    };
    let base = &mut String::new();
    let (agent, facts) = prepare_parts(message, found.label, list, input_of, rules, common, base)?;
    Ok(Ready { agent, facts, signature })
}

impl OnlySignature<'_> {
    /// As [`prepare`], copying only the agent's URL and the base, which is written to `base` and taken from there.
    pub(crate) fn prepare(
        &self,
        message: &Message<'_>,
        rules: Rules<'_>,
        base: &mut String,
    ) -> Result<(FoundAgent, Facts), Refusal> {
        let OnlySignature { label, list, .. } = self;
        let input_of = |other: &str| (other == *label).then_some(list);
        check_kind(message, false, text_param(&list.params, "tag"))?;
        prepare_parts(message, label, list, input_of, rules, &mut Common::default(), base)
    }
}

/// Checks that it is a signature of Web Bot Auth, on a request over https.
fn check_kind(message: &Message<'_>, is_repeated: bool, tag: Option<&str>) -> Result<(), Refusal> {
    if !is_repeated && tag != Some(TAG) {
        return Err((Reason::Tag, None));
    }
    if message.target().is_none_or(|target| target.scheme != Scheme::Https) {
        return Err((Reason::InsecureTransport, None));
    }
    Ok(())
}

/// The checks that follow those of the form. `input_of` gives the list of any label.
fn prepare_parts<'l, 'a: 'l>(
    message: &Message<'_>,
    label: &str,
    list: &InnerList<'_>,
    input_of: impl Fn(&str) -> Option<&'l InnerList<'a>>,
    rules: Rules<'_>,
    common: &mut Common,
    base: &mut String,
) -> Result<(FoundAgent, Facts), Refusal> {
    let plain = |reason| (reason, None);
    let Rules { policy, used, now } = rules;
    let wanted = ["created", "expires", "keyid", "nonce"];
    let wanted = if policy.requires_nonce { &wanted[..] } else { &wanted[..3] };
    if let Some(missing) = wanted.iter().find(|name| list.params.get(name).is_none()) {
        return Err((Reason::MissingParam, Some((*missing).to_owned())));
    }
    let coverage = Coverage::of(message, list);
    if coverage == Coverage::None {
        return Err(plain(Reason::TargetNotCovered));
    }
    if coverage < policy.min_coverage {
        return Err(plain(Reason::CoverageTooSmall(coverage)));
    }
    if policy.min_coverage == Coverage::Request && message.has_body() {
        if !covers_digest(message, list) {
            return Err(plain(Reason::BodyNotCovered));
        }
        if message.known_body().is_none() {
            return Err(plain(Reason::BodyUnknown));
        }
    }
    let required = policy.components.iter().map(String::as_str);
    if let Some(missing) = missing_component(message, list, required) {
        return Err((Reason::Requirement, Some(missing)));
    }
    let agent = agent_of(message, label, list, policy.rules()).map_err(plain)?;
    check_lifetime(list, policy, now).map_err(plain)?;
    let nonce = text_param(&list.params, "nonce");
    if nonce.is_some_and(|nonce| policy.seen_nonces.contains(nonce)) {
        return Err(plain(Reason::Replayed));
    }
    let keyid = text_param(&list.params, "keyid").unwrap_or_default();
    let has_form =
        keyid.len() == 43 && keyid.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    if !has_form {
        return Err(plain(Reason::KeyidNotThumbprint));
    }
    let thumbprint: Option<Thumbprint> = keyid.parse().ok();
    // Whoever is in the window was verified: a replay of it needs no key and no base to be told.
    let nonce = nonce.zip(thumbprint).map(|(nonce, key)| ReplayId::of_nonce(key, nonce));
    let is_used = |id: ReplayId| used.is_some_and(|used| used(id));
    if nonce.is_some_and(is_used) {
        return Err(plain(Reason::Replayed));
    }
    let alg = check_algorithm(text_param(&list.params, "alg")).map_err(plain)?;
    if policy.refuses_key(thumbprint, keyid) {
        return Err(plain(Reason::TestKey));
    }
    check_chain(message, list, input_of).map_err(plain)?;
    base.clear();
    base.reserve(USUAL_BASE_BYTES);
    write_base_with(message, list, &mut common.queries, base).map_err(|error| refusal_of(&error))?;
    if nonce.is_none() && thumbprint.is_some_and(|key| is_used(ReplayId::of_base(key, base))) {
        return Err(plain(Reason::Replayed));
    }
    let body = common.digests.check(message, list);
    let time = |name| integer_param(&list.params, name).unwrap_or_default();
    let (created, expires, base) = (time("created"), time("expires"), core::mem::take(base));
    Ok((agent, Facts { thumbprint, alg, base, body, coverage, nonce, created, expires }))
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

/// A signature that covers another one must also cover that one's member of `Signature-Input` and every
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
    let covered: BTreeSet<_> = components().map(|it| it.sort_key()).collect();
    // Each once: a component may be repeated, and the lists are long.
    let members = |field: &'static str| {
        components()
            .filter_map(move |it| match it.covers_field(field) {
                Some(How::Member { key }) => Some(key),
                _ => None,
            })
            .collect::<BTreeSet<_>>()
    };
    let inputs = members("signature-input");
    let is_covered = |item| Component::of(item, in_request).is_ok_and(|it| covered.contains(&it.sort_key()));
    let is_whole = |key: &str| {
        inputs.contains(key) && input_of(key).is_some_and(|inner| inner.items.iter().all(is_covered))
    };
    if members("signature").into_iter().all(is_whole) { Ok(()) } else { Err(Reason::ChainIncomplete) }
}
