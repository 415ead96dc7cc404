//! A server's requirements on signatures.

use std::collections::BTreeSet;

use jwk::Thumbprint;

use crate::agent::{AgentPlaces, AgentRules, Profile};
use crate::identity::Coverage;
use crate::signature::DEFAULT_SKEW_SECS;
use crate::signer::{SignError, accept_signature};

/// Tag of the signatures of Web Bot Auth.
pub const TAG: &str = "web-bot-auth";

/// Longest time between `created` and `expires` that a signer may set, in seconds: a day.
///
/// Spec: WBA-SIG-4, WBA-AMB-18.
pub const MAX_LIFETIME_SECS: u64 = 24 * 60 * 60;

/// Longest time between `created` and `expires` that a server accepts unless it says otherwise, in seconds: an hour.
///
/// Used signatures have to be remembered that long. Deployed agents use shorter times.
///
/// Spec: WBA-TIME-1.
pub const DEFAULT_MAX_LIFETIME_SECS: u64 = 60 * 60;

/// Thumbprints of the keys that the specifications publish with their private parts.
///
/// Spec: WBA-KEY-4.
pub(crate) const TEST_KEYS: [&str; 3] = [
    "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",
    "oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA",
    "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
];

/// A server's requirements on signatures. The default is strict: a signature binds method and target, and the body's
/// digest where there is a body; it is valid for an hour at most; its keys come from a public host.
///
/// The methods that accept weaker signatures, as deployed agents send them, are named after what
/// they give up.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Policy {
    /// Which specification applies.
    pub profile: Profile,
    /// Where keys may be fetched from.
    pub places: AgentPlaces,
    /// How much of the request must be bound: [`Coverage::Request`], which asks for the body's digest too.
    /// [`Coverage::None`] asks for as much as [`Coverage::Authority`].
    pub min_coverage: Coverage,
    /// How far `created` may be ahead of now, in seconds; 60.
    pub skew_secs: u64,
    /// Longest time between `created` and `expires`, in seconds; an hour. `None` sets no limit.
    pub max_lifetime_secs: Option<u64>,
    /// Whether there must be a nonce; false. Without one, a signature is identified by everything that it covers, so
    /// two equal requests within one second count as a replay.
    pub requires_nonce: bool,
    /// Nonces that were seen before, if you keep them yourself; not needed with a
    /// [`ReplayWindow`](crate::ReplayWindow).
    pub seen_nonces: BTreeSet<String>,
    /// Further identifiers that must be covered, such as `"x-tenant"`.
    pub components: Vec<String>,
    /// Whether the published test keys count; false.
    pub accepts_test_keys: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            profile: Profile::Deployed,
            places: AgentPlaces::default(),
            min_coverage: Coverage::Request,
            skew_secs: DEFAULT_SKEW_SECS,
            max_lifetime_secs: Some(DEFAULT_MAX_LIFETIME_SECS),
            requires_nonce: false,
            seen_nonces: BTreeSet::new(),
            components: Vec::new(),
            accepts_test_keys: false,
        }
    }
}

impl Policy {
    /// Accepts signatures over method, host and path, as ChatGPT's agent makes them: whoever captures such a
    /// signature can reuse it with another query and another body.
    #[must_use]
    pub fn path_alone() -> Self {
        Policy { min_coverage: Coverage::Path, ..Policy::default() }
    }

    /// Accepts signatures over the host alone, as the examples of Web Bot Auth and Cloudflare's signers make them: whoever
    /// captures such a signature can send any request to this host until it has been used or has expired. Never without a
    /// [`ReplayWindow`](crate::ReplayWindow).
    #[must_use]
    pub fn host_alone() -> Self {
        Policy { min_coverage: Coverage::Authority, ..Policy::default() }
    }

    /// The value of an `Accept-Signature` line that states this policy's requirements.
    ///
    /// ```
    /// assert_eq!(
    ///     bot_auth::Policy::default().accept_signature("sig1")?,
    ///     r#"sig1=("@authority" "@method" "@path" "@query" "signature-agent";key="sig1");created;expires;keyid;tag="web-bot-auth""#,
    /// );
    /// # Ok::<(), bot_auth::SignError>(())
    /// ```
    ///
    /// # Errors
    /// As [`accept_signature`].
    ///
    /// Spec: RFC 9421, section 5.1; WBA-VER-4.
    pub fn accept_signature(&self, label: &str) -> Result<String, SignError> {
        let own: &[&str] = match self.min_coverage {
            Coverage::Request => &["\"@authority\"", "\"@method\"", "\"@path\"", "\"@query\""],
            Coverage::Path => &["\"@authority\"", "\"@method\"", "\"@path\""],
            Coverage::Authority | Coverage::None => &["\"@authority\""],
        };
        let more = self.components.iter().map(String::as_str).filter(|wanted| !own.contains(wanted));
        let identifiers: Vec<&str> = own.iter().copied().chain(more).collect();
        let line = accept_signature(label, &identifiers)?;
        Ok(if self.requires_nonce { line.replacen(";keyid;", ";keyid;nonce;", 1) } else { line })
    }

    pub(crate) fn rules(&self) -> AgentRules {
        (self.profile, self.places)
    }

    pub(crate) fn refuses_key(&self, thumbprint: Option<Thumbprint>, keyid: &str) -> bool {
        thumbprint.is_some() && !self.accepts_test_keys && TEST_KEYS.contains(&keyid)
    }
}
