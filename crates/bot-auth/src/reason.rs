//! Why a signature is accepted or not.

use crate::identity::Coverage;
use core::fmt;

use jwk::KeyFault;

use crate::base::BaseErrorKind;

/// Why a signature was not accepted. The first fault in the order of the checks is the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// `Signature-Input` or `Signature` is not a dictionary: no signature of the message is judged.
    MalformedField,
    /// The signature is not one of Web Bot Auth: it has another tag, or none.
    Tag,
    /// The request came over plain http.
    InsecureTransport,
    /// The label comes twice in one of the two fields.
    DuplicateLabel,
    /// The label is in one of the two fields only.
    LabelMismatch,
    /// Not an inner list of texts, no bytes, or a parameter that repeats or has the wrong type.
    Malformed,
    /// `created`, `expires`, `keyid` or, where the policy wants one, `nonce` is missing.
    MissingParam,
    /// Neither `@authority` nor `@target-uri` is covered.
    TargetNotCovered,
    /// The signature binds only this much of the request, and the policy asks for more.
    CoverageTooSmall(Coverage),
    /// The request has a body, and its `Content-Digest` is not covered.
    BodyNotCovered,
    /// The request has a body with a covered digest, but the caller did not set the body.
    BodyUnknown,
    /// A component that the caller requires is not covered or missing.
    Requirement,
    /// There is no `Signature-Agent`, and none is covered.
    AgentAbsent,
    /// `Signature-Agent` or the member in question is not a URL in a dictionary or string.
    AgentMalformed,
    /// `Signature-Agent` is there and not covered.
    AgentNotCovered,
    /// A covered member of `Signature-Agent` does not exist.
    AgentMemberMissing,
    /// Several members are covered and none has the signature's label.
    AgentAmbiguous,
    /// The member has parameters, and the profile `ietf-01` ignores such members.
    AgentIgnored,
    /// The member's `type` is not known.
    AgentType,
    /// The agent's URL is not https.
    AgentNotHttps,
    /// The agent's host is a literal address or this machine.
    AgentHost,
    /// `created` is further ahead of now than the skew allows.
    CreatedInFuture,
    /// `expires` is not after now.
    Expired,
    /// `created` is missing or older than the caller's maximum.
    TooOld,
    /// `expires` is not after `created`.
    BadTimes,
    /// More time between `created` and `expires` than the policy allows.
    LifetimeTooLong,
    /// The nonce was seen before.
    Replayed,
    /// The signature is valid, but there is no room to remember that it was used.
    ReplayFull,
    /// `keyid` does not have the form of a thumbprint: 43 characters of base64url.
    KeyidNotThumbprint,
    /// A symmetric algorithm.
    AlgForbidden,
    /// An algorithm that this build does not verify.
    AlgUnsupported,
    /// The key does not say which algorithm it is for.
    AlgUndetermined,
    /// The key is one of the published test keys.
    TestKey,
    /// Another signature is covered, but not everything that it covers.
    ChainIncomplete,
    /// There is no signature base.
    Base(BaseErrorKind),
    /// The agent is not one that this server knows.
    AgentUnknown,
    /// There is no valid key directory at the agent's URL.
    DirectoryFailed,
    /// The key directory is not available: it was not fetched, or its server failed. Ask again later; this is not a
    /// verdict on the agent.
    DirectoryLater,
    /// No key of that name, or several.
    KeyUnknown,
    /// The key's own `nbf` or `exp` excludes now.
    KeyNotCurrent,
    /// The key cannot be used: for the fault given, or because its directory contains its private part or a wrong
    /// `kid`.
    KeyUnusable(Option<KeyFault>),
    /// `alg` names another algorithm than the key's.
    AlgMismatch,
    /// The signature is not one of this key over this message.
    Signature,
    /// The body is not the one of the covered `Content-Digest`.
    DigestMismatch,
    /// The covered `Content-Digest` has no digest that can be compared.
    DigestUnsupported,
}

/// The outcome that a [`Reason`] leads to.
///
/// Spec: WBA-VER-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Outcome {
    /// The holder of the key signed this message.
    Verified,
    /// The signature is invalid: in itself, in what it covers, in its key or its time.
    Invalid,
    /// It cannot be decided.
    Unverified,
    /// Not a signature of Web Bot Auth.
    Ignored,
}

impl Outcome {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Outcome::Verified => "verified",
            Outcome::Invalid => "invalid",
            Outcome::Unverified => "unverified",
            Outcome::Ignored => "ignored",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Reason {
    /// The outcome for a signature of Web Bot Auth.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Reason::Tag => Outcome::Ignored,
            Reason::InsecureTransport
            | Reason::AgentAbsent
            | Reason::AgentIgnored
            | Reason::AgentType
            | Reason::AgentHost
            | Reason::AlgUnsupported
            | Reason::AlgUndetermined
            | Reason::BodyUnknown
            | Reason::ReplayFull
            | Reason::AgentUnknown
            | Reason::DirectoryFailed
            | Reason::DirectoryLater
            | Reason::KeyUnknown
            | Reason::KeyNotCurrent
            | Reason::KeyUnusable(_)
            | Reason::DigestUnsupported => Outcome::Unverified,
            _ => Outcome::Invalid,
        }
    }

    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Reason::MalformedField => "malformed-field",
            Reason::Tag => "tag",
            Reason::InsecureTransport => "insecure-transport",
            Reason::DuplicateLabel => "duplicate-label",
            Reason::LabelMismatch => "label-mismatch",
            Reason::Malformed => "malformed",
            Reason::MissingParam => "missing-param",
            Reason::TargetNotCovered => "target-not-covered",
            Reason::CoverageTooSmall(_) => "coverage-too-small",
            Reason::BodyNotCovered => "body-not-covered",
            Reason::BodyUnknown => "body-unknown",
            Reason::Requirement => "requirement",
            Reason::AgentAbsent => "agent-absent",
            Reason::AgentMalformed => "agent-malformed",
            Reason::AgentNotCovered => "agent-not-covered",
            Reason::AgentMemberMissing => "agent-member-missing",
            Reason::AgentAmbiguous => "agent-ambiguous",
            Reason::AgentIgnored => "agent-ignored",
            Reason::AgentType => "agent-type",
            Reason::AgentNotHttps => "agent-not-https",
            Reason::AgentHost => "agent-host",
            Reason::CreatedInFuture => "created-in-future",
            Reason::Expired => "expired",
            Reason::TooOld => "too-old",
            Reason::BadTimes => "bad-times",
            Reason::LifetimeTooLong => "lifetime-too-long",
            Reason::Replayed => "replayed",
            Reason::ReplayFull => "replay-full",
            Reason::KeyidNotThumbprint => "keyid-not-thumbprint",
            Reason::AlgForbidden => "alg-forbidden",
            Reason::AlgUnsupported => "alg-unsupported",
            Reason::AlgUndetermined => "alg-undetermined",
            Reason::TestKey => "test-key",
            Reason::ChainIncomplete => "chain-incomplete",
            Reason::Base(kind) => kind.code(),
            Reason::AgentUnknown => "agent-unknown",
            Reason::DirectoryFailed => "directory-failed",
            Reason::DirectoryLater => "directory-later",
            Reason::KeyUnknown => "key-unknown",
            Reason::KeyNotCurrent => "key-not-current",
            Reason::KeyUnusable(_) => "key-unusable",
            Reason::AlgMismatch => "alg-mismatch",
            Reason::Signature => "signature",
            Reason::DigestMismatch => "digest-mismatch",
            Reason::DigestUnsupported => "digest-unsupported",
        }
    }

    /// One clause for people: what was expected, and what was found.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Reason::MalformedField => {
                "expected `signature-input` and `signature` to be dictionaries of at most 100 members, found another value"
            }
            Reason::Tag => "expected the tag of web bot auth, found another or none",
            Reason::InsecureTransport => "expected a request over https, found one over http",
            Reason::DuplicateLabel => "expected each label once, found it again",
            Reason::LabelMismatch => "expected the label in both fields, found it in one",
            Reason::Malformed => {
                "expected an inner list with typed parameters and a byte sequence, found another value"
            }
            Reason::MissingParam => {
                "expected `created`, `expires`, `keyid` and a wanted `nonce`, found one missing"
            }
            Reason::TargetNotCovered => "expected `@authority` or `@target-uri` to be covered, found neither",
            Reason::CoverageTooSmall(Coverage::Authority) => {
                "expected method and target to be covered, found the host alone"
            }
            Reason::CoverageTooSmall(_) => "expected method and target to be covered, found less",
            Reason::BodyNotCovered => {
                "expected the body's `content-digest` to be covered, found it uncovered"
            }
            Reason::BodyUnknown => "expected the body, to compare it with its digest, found none",
            Reason::Requirement => "expected a component that the policy requires, found it missing",
            Reason::AgentAbsent => "expected a `signature-agent`, found none",
            Reason::AgentMalformed => "expected a url in `signature-agent`, found another value",
            Reason::AgentNotCovered => "expected `signature-agent` to be covered, found it uncovered",
            Reason::AgentMemberMissing => "expected the covered member of `signature-agent`, found none",
            Reason::AgentAmbiguous => {
                "expected one member of `signature-agent` for the signature, found several"
            }
            Reason::AgentIgnored => {
                "expected a member of `signature-agent` without parameters, found one with some"
            }
            Reason::AgentType => {
                "expected `directory`, `jwks_uri` or `cimd` as type of the agent, found another value"
            }
            Reason::AgentNotHttps => "expected an https url as agent, found another",
            Reason::AgentHost => "expected a public host name as agent, found an address or a local name",
            Reason::CreatedInFuture => "expected `created` not after now, found a later time",
            Reason::Expired => "expected `expires` after now, found an earlier time",
            Reason::TooOld => "expected `created` within the maximal age, found it missing or older",
            Reason::BadTimes => "expected `expires` after `created`, found it before",
            Reason::LifetimeTooLong => "expected a lifetime within the maximum, found a longer one",
            Reason::Replayed => "expected a signature that was not used, found one that was",
            Reason::ReplayFull => "expected room to remember the signature, found none",
            Reason::KeyidNotThumbprint => "expected a thumbprint as `keyid`, found another text",
            Reason::AlgForbidden => "expected an asymmetric algorithm, found a symmetric one",
            Reason::AlgUnsupported => "expected an algorithm that this build verifies, found another",
            Reason::AlgUndetermined => "expected a key with a known algorithm, found one without",
            Reason::TestKey => "expected a private key that is secret, found a published test key",
            Reason::ChainIncomplete => {
                "expected the components of the covered signature to be covered too, found less"
            }
            Reason::AgentUnknown => "expected an agent that is known here, found another",
            Reason::DirectoryFailed => "expected the key directory of the agent, found none",
            Reason::DirectoryLater => "expected the key directory of the agent, found it unavailable for now",
            Reason::KeyUnknown => "expected one key of that name, found none or several",
            Reason::KeyNotCurrent => "expected a key that is current, found one outside of its time",
            Reason::KeyUnusable(_) => "expected a key that can be used, found one with a fault",
            Reason::AlgMismatch => "expected the algorithm of the key, found another in `alg`",
            Reason::Signature => "expected a signature of this key over this message, found another",
            Reason::DigestMismatch => "expected the body of the covered `content-digest`, found another",
            Reason::DigestUnsupported => "expected a digest that can be compared, found none",
            Reason::Base(kind) => kind.message(),
        }
    }

    /// The requirement behind the refusal.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            Reason::MalformedField => "SIG9421-LAB-3",
            Reason::Tag | Reason::MissingParam => "WBA-SIG-3",
            Reason::InsecureTransport => "WBA-VER-2",
            Reason::DuplicateLabel | Reason::LabelMismatch => "SIG9421-LAB-1",
            Reason::Malformed => "SIG9421-PAR-3",
            Reason::TargetNotCovered => "WBA-SIG-1",
            Reason::CoverageTooSmall(_) => "WBA-COV-1",
            Reason::Requirement => "SIG9421-VER-2",
            Reason::AgentAbsent => "WBA-AGENT-8",
            Reason::AgentMalformed => "WBA-AGENT-1",
            Reason::AgentNotCovered | Reason::AgentMemberMissing | Reason::AgentAmbiguous => "WBA-AGENT-3",
            Reason::AgentIgnored => "WBA-AGENT-5",
            Reason::AgentType => "WBA-AGENT-6",
            Reason::AgentNotHttps => "WBA-AGENT-4",
            Reason::AgentHost => "WBA-SSRF-1",
            Reason::CreatedInFuture | Reason::Expired | Reason::TooOld => "SIG9421-TIME-1",
            Reason::BadTimes | Reason::LifetimeTooLong => "WBA-TIME-1",
            Reason::Replayed | Reason::ReplayFull => "WBA-NONCE-1",
            Reason::KeyidNotThumbprint => "WBA-KEY-1",
            Reason::AlgForbidden => "WBA-ALG-2",
            Reason::AlgUnsupported => "SIG9421-ALG-6",
            Reason::AlgUndetermined => "SIG9421-ALG-5",
            Reason::AlgMismatch => "SIG9421-ALG-1",
            Reason::TestKey => "WBA-KEY-4",
            Reason::ChainIncomplete => "WBA-MULTI-2",
            Reason::Base(kind) => kind.requirement(),
            Reason::AgentUnknown | Reason::DirectoryFailed | Reason::DirectoryLater => "WBA-DISC-4",
            Reason::KeyUnknown => "SIG9421-VER-3",
            Reason::KeyNotCurrent => "WBA-DIR-5",
            Reason::KeyUnusable(_) => "SIG9421-KEY-1",
            Reason::Signature => "SIG9421-VER-9",
            Reason::BodyNotCovered
            | Reason::BodyUnknown
            | Reason::DigestMismatch
            | Reason::DigestUnsupported => "WBA-BODY-1",
        }
    }
}

impl fmt::Display for Reason {
    /// Writes [`Reason::message`], with the fault of the key where there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
        match self {
            Reason::KeyUnusable(Some(fault)) => write!(f, ": {fault}"),
            _ => Ok(()),
        }
    }
}
