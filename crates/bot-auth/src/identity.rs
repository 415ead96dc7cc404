//! Who sent a request, according to its signatures.

use core::fmt;

use jwk::Thumbprint;

use crate::component::{Component, Derived};
use crate::reason::{Outcome, Reason};
use crate::replay::ReplayId;
use crate::structured::InnerList;
use crate::{AgentId, Message};

/// How much of a request a signature binds.
///
/// Spec: WBA-COV-1, AIWI2-AMB-30.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Coverage {
    /// Nothing that identifies the target.
    None,
    /// The host: the signature is valid for every request to it.
    Authority,
    /// Method, host and path: the signature is valid for every query.
    Path,
    /// Method and target: only this request and its replays.
    Request,
}

impl Coverage {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Coverage::None => "none",
            Coverage::Authority => "authority",
            Coverage::Path => "path",
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
        let by_path = covers(Derived::Authority) && covers(Derived::Path);
        let by_parts = by_path && (covers(Derived::Query) || !has_query);
        if covers(Derived::Method) && (covers(Derived::TargetUri) || by_parts) {
            Coverage::Request
        } else if covers(Derived::Method) && by_path {
            Coverage::Path
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
            Coverage::Path => "method, host and path",
            Coverage::Request => "the whole request",
        })
    }
}

/// A signature that was verified: who made it, how much it binds, and what replay protection needs. Only this crate makes
/// one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Verified {
    /// The agent that publishes the key.
    pub agent: AgentId,
    /// The key.
    pub key: Thumbprint,
    /// How much of the request is bound.
    pub coverage: Coverage,
    /// Distinguishes this signature from others of the same key; see
    /// [`ReplayWindow`](crate::ReplayWindow).
    pub id: ReplayId,
    /// Whether it has a nonce.
    pub has_nonce: bool,
    /// `created`, in seconds.
    pub created: i64,
    /// `expires`, in seconds: remember `id` until then.
    pub expires: i64,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by key {}, covering {}", self.agent, self.key, self.coverage)
    }
}

/// Who sent a request, according to its signatures.
///
/// Identity is not permission: the server decides what a verified agent may do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[must_use]
pub enum Identity {
    /// The holder of a key that this agent publishes signed the request. The same request may have been seen before:
    /// ask a [`ReplayWindow`](crate::ReplayWindow), as [`Verifier`](crate::Verifier) does.
    Verified(Verified),
    /// There is a signature, but it is invalid or cannot be decided.
    Unverified(Reason),
    /// There is no signature of Web Bot Auth.
    Anonymous,
}

impl Identity {
    /// The agent, if the request is verified.
    #[must_use]
    pub fn agent(&self) -> Option<&AgentId> {
        match self {
            Identity::Verified(verified) => Some(&verified.agent),
            _ => None,
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identity::Verified(verified) => write!(f, "verified: {verified}"),
            Identity::Unverified(reason) => write!(f, "unverified: {reason}"),
            Identity::Anonymous => f.write_str("anonymous: the request has no signature of Web Bot Auth"),
        }
    }
}

/// The result for one member of `Signature-Input`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct BotSignature {
    /// The label; `None` where the fields could not be read at all.
    pub label: Option<String>,
    /// Why the signature was not accepted; `None` for a verified one.
    pub reason: Option<Reason>,
    /// The component that the reason is about, if any.
    pub component: Option<String>,
    /// `keyid`, where it is a text: a claim unless the signature is verified.
    pub keyid: Option<String>,
    /// Who made it and what it binds; only for a verified signature.
    pub verified: Option<Verified>,
}

impl BotSignature {
    /// The outcome that the reason leads to.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.reason.map_or(Outcome::Verified, Reason::outcome)
    }
}
