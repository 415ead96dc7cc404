//! Who sent a request, in one call.

use web_values::UnixSeconds;

use crate::Message;
use crate::agent::AgentType;
use crate::directory::Directory;
use crate::identity::Identity;
use crate::labels::{OnlySignature, SignatureFields};
use crate::policy::Policy;
use crate::prepare::{Rules, USUAL_BASE_BYTES};
use crate::reason::Reason;
use crate::request_check::RequestCheck;

/// Who sent a request, in one call: for servers that hold key directories. It does not detect replays;
/// [`Verifier`](crate::Verifier) does.
///
/// `directory` returns the directory held for a URL. If it returns none, the signature is unverified, and the second
/// value names the URL to fetch before the agent comes again.
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
/// assert!(identity.agent().is_some_and(|agent| agent.is("https://bot.example")));
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

/// As [`identify`], with buffers that are reused for all requests: a request allocates only the agent's URL, which is
/// returned.
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
    /// Reused buffer for signature bases.
    base: String,
}

impl Identifier {
    /// An identifier with this policy.
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

    /// The policy, to be changed, such as the nonces that were seen.
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

/// As [`identify`], for requests with exactly one signature, as nearly all signed ones have: copies only the
/// agent's URL and the signature base.
fn identify_only<'d>(
    message: &Message<'_>,
    only: &OnlySignature<'_>,
    directory: impl Fn(&str) -> Option<&'d Directory>,
    policy: &Policy,
    now: UnixSeconds,
    base: &mut String,
) -> (Identity, Option<String>) {
    let (agent, facts) = match only.prepare(message, Rules { policy, used: None, now }, base) {
        Ok(ready) => ready,
        Err((Reason::Tag, _)) => return (Identity::Anonymous, None),
        Err((reason, _)) => return (Identity::Unverified(reason), None),
    };
    let answer = (|| {
        let Some(held) = directory(&agent.fetch) else {
            return (Identity::Unverified(Reason::DirectoryLater), Some(agent.fetch));
        };
        // A card is not a directory, and one of another URL is another agent's.
        if agent.agent_type == AgentType::Card || held.url() != agent.fetch {
            return (Identity::Unverified(Reason::DirectoryFailed), None);
        }
        match (facts.judge(&only.signature, held, now), facts.thumbprint) {
            (Ok(()), Some(key)) => (Identity::Verified(facts.verified(key, agent.into_identifier())), None),
            (Ok(()), None) => (Identity::Unverified(Reason::KeyUnknown), None),
            (Err(reason), _) => (Identity::Unverified(reason), None),
        }
    })();
    *base = facts.base;
    answer
}
