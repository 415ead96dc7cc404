//! The identity of an agent: an opaque value for comparison.

use core::fmt;
use core::str::FromStr;

use crate::agent::{DIRECTORY_PATH, is_dotted};
use crate::target::{Scheme, Target};

/// The identity of an agent: the URL that its keys are fetched from, without query, in normal form.
///
/// It deliberately does not dereference to `str`: `https://chatgpt.com.evil.example` starts with `https://chatgpt.com`, and so
/// does the URL of a key set that somebody uploaded to that host. [`is`](AgentId::is) compares whole identities, and an origin
/// stands for the key directory at its well-known place alone.
///
/// ```
/// use bot_auth::AgentId;
///
/// let agent: AgentId = "https://chatgpt.com".parse()?;
/// assert_eq!(agent.to_string(), "https://chatgpt.com/.well-known/http-message-signatures-directory");
/// assert!(agent.is("https://chatgpt.com") && agent.is("https://ChatGPT.com:443/"));
///
/// let uploaded: AgentId = "https://chatgpt.com/share/keys.json".parse()?;
/// assert!(!uploaded.is("https://chatgpt.com"));
/// assert!(uploaded.is("https://chatgpt.com/share/keys.json"));
/// # Ok::<(), bot_auth::AgentIdError>(())
/// ```
///
/// Spec: WBA-AGENT-7, WBA-AMB-27.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "String", into = "String")
)]
pub struct AgentId(Box<str>);

/// The text is not the URL of an agent: an https URL without dot segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentIdError;

impl fmt::Display for AgentIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an https URL without `..` or fragment, such as `https://bot.example`, found another text")
    }
}

impl core::error::Error for AgentIdError {}

impl AgentId {
    /// An identity that is in its form already.
    pub(crate) fn of_normal(url: String) -> Self {
        AgentId(url.into())
    }

    /// Returns true if this is that agent: an origin such as `https://bot.example`, which stands for its key directory
    /// at the well-known place and for nothing else on that host, or the URL of a key set. False for any other text.
    #[must_use]
    pub fn is(&self, agent: &str) -> bool {
        agent.parse::<AgentId>().is_ok_and(|agent| agent == *self)
    }

    pub(crate) fn url(&self) -> &str {
        &self.0
    }
}

impl FromStr for AgentId {
    type Err = AgentIdError;

    fn from_str(text: &str) -> Result<Self, AgentIdError> {
        let target = Target::parse(text).map_err(|_| AgentIdError)?;
        if target.scheme != Scheme::Https || text.contains('#') || is_dotted(target.path()) {
            return Err(AgentIdError);
        }
        if target.is_origin() {
            let mut url = String::from("https://");
            target.write_authority(&mut url);
            url.push_str(DIRECTORY_PATH);
            return Ok(AgentId(url.into()));
        }
        Ok(AgentId(target.identity().into()))
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for AgentId {
    type Error = AgentIdError;

    fn try_from(text: String) -> Result<Self, AgentIdError> {
        text.parse()
    }
}

impl From<AgentId> for String {
    fn from(agent: AgentId) -> String {
        agent.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_its_well_known_place_and_nothing_beside_it() {
        let agent: AgentId = "https://chatgpt.com".parse().unwrap();
        for same in [
            "https://chatgpt.com/",
            "https://CHATGPT.com:443",
            "https://chatgpt.com/.well-known/http-message-signatures-directory",
            "https://chatgpt.com/%2Ewell-known/http-message-signatures-directory",
        ] {
            assert!(agent.is(same), "{same}");
        }
        for other in [
            "",
            "https://chatgpt.com.evil.example",
            "https://chatgpt.com/keys",
            "http://chatgpt.com",
            "https://chatgpt.com:8443",
            "https://chatgpt.com/x/../.well-known/http-message-signatures-directory",
            "https://chatgpt.com/#a",
            "chatgpt.com",
        ] {
            assert!(!agent.is(other), "{other}");
        }
    }
}
