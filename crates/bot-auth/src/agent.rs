//! `Signature-Agent`: where the signer's keys are, and thereby who it is.
//!
//! ```text
//! Signature-Agent: sig1="https://bot.example"            a dictionary, one member a signature
//! Signature-Agent: "https://bot.example"                 the older form: one member without a name
//! ```
//!
//! One URL cannot serve everybody: in what is deployed today an origin stands for the key directory at its well-known
//! place, in the working group's draft -01 the URL is that of the key set itself, whatever it looks like. [`Profile`]
//! says which reading applies. A URL with a path is a key set in both.

use core::fmt;

use smallvec::SmallVec;

use crate::component::{Component, How};
use crate::params::text_param;
use crate::reason::Reason;
use crate::structured::{Dictionary, Entry, InnerList, Item, dictionary, item};
use crate::target::{Scheme, Target, UrlFault};
use crate::{Message, labels};

/// Path of the key directory.
pub const DIRECTORY_PATH: &str = "/.well-known/http-message-signatures-directory";

/// Which text governs where the published ones differ.
///
/// Spec: WBA-AMB-19, WBA-AMB-21, WBA-AMB-23, WBA-AMB-26.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Profile {
    /// What crawlers and verifiers do in 2026: an origin stands for its key directory, a parameter `type` is read.
    #[default]
    Deployed,
    /// draft-ietf-webbotauth-httpsig-protocol-01: the URL is the key set's, a member with parameters is ignored.
    #[cfg_attr(feature = "serde", serde(rename = "ietf-01"))]
    Ietf01,
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Profile::Deployed => "deployed",
            Profile::Ietf01 => "ietf-01",
        })
    }
}

/// What is found at the URL of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum AgentType {
    /// An origin, with its key directory at the well-known place.
    #[cfg_attr(feature = "serde", serde(rename = "directory"))]
    Directory,
    /// A JWK Set.
    #[cfg_attr(feature = "serde", serde(rename = "jwks_uri"))]
    JwksUri,
    /// A signature agent card.
    #[cfg_attr(feature = "serde", serde(rename = "cimd"))]
    Card,
}

impl AgentType {
    /// Name of the value of the parameter `type`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            AgentType::Directory => "directory",
            AgentType::JwksUri => "jwks_uri",
            AgentType::Card => "cimd",
        }
    }
}

impl fmt::Display for AgentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// One member of `Signature-Agent`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentMember {
    /// Its name; `None` in the older form.
    pub key: Option<String>,
    /// The URL as written; `None` where the member is not a text.
    pub url: Option<String>,
    /// What is at the URL, or why the member cannot be followed.
    pub agent: Result<Agent, Reason>,
}

/// A member that can be followed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Agent {
    /// What is at the URL.
    pub agent_type: AgentType,
    /// The URL to fetch.
    pub fetch: String,
    /// The identity: the fetched URL without query, in normal form.
    pub identifier: String,
}

/// The field in one of its two forms.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct SignatureAgent {
    /// Whether it is a dictionary; the older form is a single text.
    pub is_dictionary: bool,
    /// The members in order.
    pub members: Vec<AgentMember>,
}

impl SignatureAgent {
    /// Reads the values of all lines of the field.
    ///
    /// # Errors
    /// [`Reason::AgentMalformed`] where the lines together are neither a dictionary nor a single String.
    ///
    /// Spec: WBA-AGENT-1, WBA-AGENT-2, WBA-AMB-20.
    pub fn parse(lines: &[impl AsRef<[u8]>], profile: Profile) -> Result<Self, Reason> {
        let joined = crate::message::combined(lines.iter().map(AsRef::as_ref)).unwrap_or_default();
        Ok(match Field::read(&joined)? {
            Field::Dictionary(members) => SignatureAgent {
                is_dictionary: true,
                members: members.iter().map(|(key, entry, _)| member(Some(key), entry, profile)).collect(),
            },
            Field::Text(entry) => {
                SignatureAgent { is_dictionary: false, members: vec![member(None, &entry, profile)] }
            }
        })
    }
}

#[expect(
    clippy::large_enum_variant,
    reason = "it lives for one request; a box would cost an allocation each"
)]
enum Field<'a> {
    Dictionary(Dictionary<'a>),
    Text(Entry<'a>),
}

impl<'a> Field<'a> {
    fn read(value: &'a [u8]) -> Result<Self, Reason> {
        if let Ok(members) = dictionary(value)
            && members.len() <= labels::MAX_SIGNATURES
        {
            return Ok(Field::Dictionary(members));
        }
        match item(value) {
            Ok(text @ Item { .. }) if text.text().is_some() => Ok(Field::Text(Entry::Item(text))),
            _ => Err(Reason::AgentMalformed),
        }
    }
}

fn member(key: Option<&str>, entry: &Entry<'_>, profile: Profile) -> AgentMember {
    AgentMember {
        key: key.map(str::to_owned),
        url: url_in(entry).map(str::to_owned),
        agent: agent_in(entry, profile).map(FoundAgent::into_agent),
    }
}

fn url_in<'s>(entry: &'s Entry<'_>) -> Option<&'s str> {
    match entry {
        Entry::Item(item) => item.text(),
        Entry::Inner(_) => None,
    }
}

fn agent_in(entry: &Entry<'_>, profile: Profile) -> Result<FoundAgent, Reason> {
    agent(url_in(entry).ok_or(Reason::AgentMalformed)?, entry, profile)
}

/// An [`Agent`] whose identity is mostly the URL to fetch.
#[derive(Debug, Clone)]
pub(crate) struct FoundAgent {
    pub(crate) agent_type: AgentType,
    pub(crate) fetch: String,
    /// `None` if it is `fetch`.
    identifier: Option<String>,
}

impl FoundAgent {
    pub(crate) fn into_agent(self) -> Agent {
        let FoundAgent { agent_type, fetch, identifier } = self;
        Agent { agent_type, identifier: identifier.unwrap_or_else(|| fetch.clone()), fetch }
    }

    pub(crate) fn into_identifier(self) -> String {
        self.identifier.unwrap_or(self.fetch)
    }
}

/// Spec: WBA-AGENT-4 to WBA-AGENT-7, WBA-DISC-1, WBA-SSRF-1, WBA-AMB-21, WBA-AMB-23.
fn agent(url: &str, entry: &Entry<'_>, profile: Profile) -> Result<FoundAgent, Reason> {
    let params = entry.params();
    let told = match profile {
        Profile::Ietf01 if entry.has_params() => return Err(Reason::AgentIgnored),
        Profile::Ietf01 => Some(AgentType::JwksUri),
        Profile::Deployed => match params.value("type") {
            None => None,
            Some(value) => {
                let token = value.as_token().map(sfv::TokenRef::as_str);
                Some(match token.or_else(|| text_param(params, "type")) {
                    Some("directory") => AgentType::Directory,
                    Some("jwks_uri") => AgentType::JwksUri,
                    Some("cimd") => AgentType::Card,
                    _ => return Err(Reason::AgentType),
                })
            }
        },
    };
    let target = Target::parse(url).map_err(|(fault, _)| match fault {
        UrlFault::Scheme => Reason::AgentNotHttps,
        // `data:` and other URLs without an authority are URLs too.
        UrlFault::NotAbsolute if has_other_scheme(url) => Reason::AgentNotHttps,
        _ => Reason::AgentMalformed,
    })?;
    let default = if target.is_origin() { AgentType::Directory } else { AgentType::JwksUri };
    let agent_type = told.unwrap_or(default);
    if agent_type == AgentType::Directory && !target.is_origin() {
        return Err(Reason::AgentMalformed);
    }
    check_place(&target)?;
    Ok(match agent_type {
        AgentType::Directory => {
            let mut fetch = String::with_capacity(url.len() + DIRECTORY_PATH.len());
            fetch.push_str("https://");
            target.write_authority(&mut fetch);
            fetch.push_str(DIRECTORY_PATH);
            FoundAgent { agent_type, fetch, identifier: None }
        }
        AgentType::JwksUri | AgentType::Card => {
            let mut fetch = String::with_capacity(url.len() + 1);
            target.write_uri(&mut fetch);
            FoundAgent { agent_type, fetch, identifier: Some(target.identity()) }
        }
    })
}

/// Checks that keys may be fetched from there at all.
pub(crate) fn check_place(target: &Target<'_>) -> Result<(), Reason> {
    if target.scheme != Scheme::Https {
        return Err(Reason::AgentNotHttps);
    }
    if target.is_local_or_literal() { Err(Reason::AgentHost) } else { Ok(()) }
}

fn has_other_scheme(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-'))
    })
}

/// The agent of the signature with this label: that of the member which the signature covers.
///
/// Spec: WBA-AGENT-2, WBA-AGENT-3, WBA-AGENT-8, WBA-AMB-22.
pub(crate) fn agent_of(
    message: &Message<'_>,
    label: &str,
    list: &InnerList<'_>,
    profile: Profile,
) -> Result<FoundAgent, Reason> {
    let in_request = message.is_request();
    let mut covers_all = false;
    let mut keys: SmallVec<[&str; 4]> = SmallVec::new();
    for item in &list.items {
        let covered = Component::of(item, in_request).ok();
        match covered.and_then(|component| component.covers_field("signature-agent")) {
            Some(How::Member { key }) => keys.push(key),
            Some(How::AsSent | How::Strict | How::Bytes) => covers_all = true,
            None => {}
        }
    }
    let Some(value) = message.joined("signature-agent") else {
        let is_covered = covers_all || !keys.is_empty();
        let missing = Reason::Base(crate::BaseErrorKind::MissingComponent);
        return Err(if is_covered { missing } else { Reason::AgentAbsent });
    };
    let field = Field::read(&value)?;
    if !covers_all && keys.is_empty() {
        return Err(Reason::AgentNotCovered);
    }
    let members = match field {
        Field::Text(entry) => {
            if !covers_all {
                return Err(Reason::AgentMemberMissing);
            }
            return agent_in(&entry, profile);
        }
        Field::Dictionary(members) => members,
    };
    if keys.iter().any(|key| members.get(key).is_none()) {
        return Err(Reason::AgentMemberMissing);
    }
    let is_candidate = |key: &str| covers_all || keys.contains(&key);
    if is_candidate(label)
        && let Some(entry) = members.get(label)
    {
        return agent_in(entry, profile);
    }
    let mut candidates = members.iter().filter(|(key, _, _)| is_candidate(key));
    match (candidates.next(), candidates.next()) {
        (Some((_, entry, _)), None) => agent_in(entry, profile),
        (Some(_), Some(_)) => Err(Reason::AgentAmbiguous),
        (None, _) => Err(Reason::AgentMemberMissing),
    }
}
