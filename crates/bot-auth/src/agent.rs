//! `Signature-Agent`: the URL of the signer's keys, which is also its identity.
//!
//! ```text
//! Signature-Agent: sig1="https://bot.example"            a dictionary, one member a signature
//! Signature-Agent: "https://bot.example"                 the older form: one member without a name
//! ```
//!
//! Implementations read the URL in two ways: in current deployments an origin stands for the key directory at its
//! well-known path, in the working group's draft -01 the URL is always that of the key set itself. [`Profile`] says
//! which reading applies. A URL with a path is a key set in both.

use core::fmt;

use smallvec::SmallVec;

use crate::component::{Component, How};
use crate::params::text_param;
use crate::reason::Reason;
use crate::structured::{Dictionary, Entry, InnerList, Item, dictionary, item};
use crate::target::{Scheme, Target, UrlFault};
use crate::{AgentId, Message, labels};
use web_values::HostKind;

/// Path of the key directory.
pub const DIRECTORY_PATH: &str = "/.well-known/http-message-signatures-directory";

/// Which specification applies where the published ones differ.
///
/// Spec: WBA-AMB-19, WBA-AMB-21, WBA-AMB-23, WBA-AMB-26.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Profile {
    /// The behaviour of crawlers and verifiers in 2026: an origin stands for its key directory, a parameter `type`
    /// is read.
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

/// Where keys may be fetched from. The default is strict: https at port 443, a host that has a public name, a path without
/// dot segments. Addresses, `localhost` and the names under it are refused whatever is set here.
///
/// A public name may resolve to a private address: judge the address too when connecting
/// (`web_values::HostKind::of_ip`).
///
/// Spec: WBA-SSRF-1, WBA-AMB-28.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct AgentPlaces {
    /// Allows other ports than 443: any client can then make this server connect to any port of a
    /// host.
    pub any_port: bool,
    /// Allows names that are not public, such as `keys.internal`, `metadata` or `bot.test`: for a private
    /// network.
    pub private_names: bool,
    /// Allows URLs with dot segments and with a query at the well-known path. The normal form is fetched, never the text as
    /// written.
    pub unusual_paths: bool,
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
    /// The URL to fetch, in normal form, from which the identity is derived too.
    pub fetch: String,
    /// The identity: the fetched URL without query.
    pub identifier: AgentId,
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
    /// [`Reason::AgentMalformed`] if the lines together are neither a dictionary nor a single String.
    ///
    /// Spec: WBA-AGENT-1, WBA-AGENT-2, WBA-AMB-20.
    pub fn parse(lines: &[impl AsRef<[u8]>], profile: Profile) -> Result<Self, Reason> {
        Self::parse_in(lines, profile, AgentPlaces::default())
    }

    /// As [`parse`](SignatureAgent::parse), with other places.
    ///
    /// # Errors
    /// As [`parse`](SignatureAgent::parse).
    pub fn parse_in(
        lines: &[impl AsRef<[u8]>],
        profile: Profile,
        places: AgentPlaces,
    ) -> Result<Self, Reason> {
        let rules = (profile, places);
        let joined = crate::message::combined(lines.iter().map(AsRef::as_ref)).unwrap_or_default();
        Ok(match Field::read(&joined)? {
            Field::Dictionary(members) => SignatureAgent {
                is_dictionary: true,
                members: members.iter().map(|(key, entry, _)| member(Some(key), entry, rules)).collect(),
            },
            Field::Text(entry) => {
                SignatureAgent { is_dictionary: false, members: vec![member(None, &entry, rules)] }
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

/// Which specification applies, and where keys may be fetched from.
pub(crate) type AgentRules = (Profile, AgentPlaces);

fn member(key: Option<&str>, entry: &Entry<'_>, rules: AgentRules) -> AgentMember {
    AgentMember {
        key: key.map(str::to_owned),
        url: url_in(entry).map(str::to_owned),
        agent: agent_in(entry, rules).map(FoundAgent::into_agent),
    }
}

fn url_in<'s>(entry: &'s Entry<'_>) -> Option<&'s str> {
    match entry {
        Entry::Item(item) => item.text(),
        Entry::Inner(_) => None,
    }
}

fn agent_in(entry: &Entry<'_>, rules: AgentRules) -> Result<FoundAgent, Reason> {
    agent(url_in(entry).ok_or(Reason::AgentMalformed)?, entry, rules)
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
        let identifier = AgentId::of_normal(identifier.unwrap_or_else(|| fetch.clone()));
        Agent { agent_type, identifier, fetch }
    }

    pub(crate) fn into_identifier(self) -> AgentId {
        AgentId::of_normal(self.identifier.unwrap_or(self.fetch))
    }
}

/// Spec: WBA-AGENT-4 to WBA-AGENT-7, WBA-DISC-1, WBA-SSRF-1, WBA-AMB-21, WBA-AMB-23.
fn agent(url: &str, entry: &Entry<'_>, (profile, places): AgentRules) -> Result<FoundAgent, Reason> {
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
    check_place(&target, places)?;
    Ok(match agent_type {
        AgentType::Directory => {
            let mut fetch = String::with_capacity(url.len() + DIRECTORY_PATH.len());
            fetch.push_str("https://");
            target.write_authority(&mut fetch);
            fetch.push_str(DIRECTORY_PATH);
            FoundAgent { agent_type, fetch, identifier: None }
        }
        AgentType::JwksUri | AgentType::Card => {
            let identity = target.identity();
            match target.query {
                None => FoundAgent { agent_type, fetch: identity, identifier: None },
                Some(_) => {
                    let mut fetch = identity.clone();
                    target.write_query(&mut fetch);
                    FoundAgent { agent_type, fetch, identifier: Some(identity) }
                }
            }
        }
    })
}

/// Checks that keys may be fetched from this URL.
pub(crate) fn check_place(target: &Target<'_>, places: AgentPlaces) -> Result<(), Reason> {
    if target.scheme != Scheme::Https {
        return Err(Reason::AgentNotHttps);
    }
    // An escape in a host is decoded by most readers of URLs, and what it then names is theirs to say.
    let kind = HostKind::of(target.host);
    let is_named = kind.is_public() && !kind.is_address();
    let is_right_host = if places.private_names { !target.is_local_or_literal() } else { is_named };
    let is_right_port = places.any_port || target.port.is_none_or(|port| port == 443);
    if !is_right_host || !is_right_port {
        return Err(Reason::AgentHost);
    }
    // A key set at the well-known place speaks for the origin: no query may choose which one it is.
    let chooses = || target.query.is_some() && target.normal_path() == DIRECTORY_PATH;
    if !places.unusual_paths && (is_dotted(target.path()) || chooses()) {
        return Err(Reason::AgentMalformed);
    }
    Ok(())
}

/// Returns true if some URL parser may read a segment of the path as `.` or `..`: escaped, escaped twice, after an
/// escaped slash or a backslash, or followed by a parameter. Parsers would disagree about the target of
/// `https://host/attacker/%2e%2e/victim`.
pub(crate) fn is_dotted(path: &str) -> bool {
    let mut rest = path.as_bytes();
    let (mut dots, mut others, mut has_param) = (0_u32, false, false);
    let is_segment = |dots: u32, others: bool| !others && matches!(dots, 1 | 2);
    while let [first, behind @ ..] = rest {
        let (byte, behind) = match (first, behind) {
            (b'%', _) => {
                let mut digits = behind;
                while let [b'2', b'5', more @ ..] = digits {
                    digits = more;
                }
                match digits {
                    [b'2', b'e' | b'E', more @ ..] => (b'.', more),
                    [b'2', b'f' | b'F', more @ ..] | [b'5', b'c' | b'C', more @ ..] => (b'/', more),
                    [b'3', b'b' | b'B', more @ ..] => (b';', more),
                    _ => (b'%', behind),
                }
            }
            (b'\\', _) => (b'/', behind),
            (byte, _) => (*byte, behind),
        };
        match byte {
            b'/' => {
                if is_segment(dots, others) {
                    return true;
                }
                (dots, others, has_param) = (0, false, false);
            }
            b';' => has_param = true,
            _ if has_param => {}
            b'.' => dots += 1,
            _ => others = true,
        }
        rest = behind;
    }
    is_segment(dots, others)
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
    rules: AgentRules,
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
            return agent_in(&entry, rules);
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
        return agent_in(entry, rules);
    }
    let mut candidates = members.iter().filter(|(key, _, _)| is_candidate(key));
    match (candidates.next(), candidates.next()) {
        (Some((_, entry, _)), None) => agent_in(entry, rules),
        (Some(_), Some(_)) => Err(Reason::AgentAmbiguous),
        (None, _) => Err(Reason::AgentMemberMissing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_segments_are_seen_in_any_spelling() {
        for path in [
            "/a/../b",
            "/a/..",
            "/./b",
            "/a/%2e%2e/b",
            "/a/.%2E/b",
            "/a/%252e%252e/b",
            "/a/..%2fb",
            "/a%2F../b",
            "/a/..%5cb",
            "/a\\..\\b",
            "/a/..;x=1/b",
            "/a/..%3bx/b",
            "/.",
            "/a/%25252e./b",
        ] {
            assert!(is_dotted(path), "{path}");
        }
        for path in [
            "/",
            "/a.b/c",
            "/...",
            "/a/..b",
            "/.well-known/x",
            "/a;..",
            "/%2ewell-known",
            "/a/%2e%2e%2e",
            "/%",
            "//",
        ] {
            assert!(!is_dotted(path), "{path}");
        }
    }

    #[test]
    fn what_is_fetched_is_who_it_is() {
        let agent = |url: &str, places| {
            let value = format!("a=\"{url}\"");
            SignatureAgent::parse_in(&[value], Profile::Deployed, places).unwrap().members.remove(0).agent
        };
        let lax = AgentPlaces { any_port: true, private_names: true, unusual_paths: true };
        let found = agent("https://Shared.example/attacker/%2e%2e/victim/%6Beys?x", lax).unwrap();
        assert_eq!(found.fetch, "https://shared.example/victim/keys?x");
        assert!(found.identifier.is("https://shared.example/victim/keys"));
        let strict = AgentPlaces::default();
        assert_eq!(
            agent("https://shared.example/%6Beys", strict).unwrap().fetch,
            "https://shared.example/keys"
        );
        for (url, reason) in [
            ("https://shared.example/attacker/%2e%2e/victim/keys", Reason::AgentMalformed),
            (
                "https://bot.example/.well-known/http-message-signatures-directory?user=eve",
                Reason::AgentMalformed,
            ),
            ("https://metadata/", Reason::AgentHost),
            ("https://keys.internal", Reason::AgentHost),
            ("https://printer.local", Reason::AgentHost),
            ("https://bot.example:22", Reason::AgentHost),
            ("https://10.0.0.1", Reason::AgentHost),
            ("https://93.184.215.14", Reason::AgentHost),
            ("https://[::1]", Reason::AgentHost),
            ("https://127%2e0.0.1", Reason::AgentHost),
        ] {
            assert_eq!(agent(url, strict).unwrap_err(), reason, "{url}");
        }
        for url in ["https://localhost", "https://10.0.0.1", "https://127%2e0.0.1", "https://0x7f.1"] {
            assert_eq!(agent(url, lax).unwrap_err(), Reason::AgentHost, "{url}");
        }
    }
}
