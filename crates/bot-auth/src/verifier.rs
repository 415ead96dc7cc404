//! A server's complete check: signature, keys and replay.

use web_values::UnixSeconds;

use crate::directories::{Directories, DirectoryAnswer, Strangers};
use crate::directory::{Directory, DirectoryError, Fetched};
use crate::identity::Identity;
use crate::policy::Policy;
use crate::reason::Reason;
use crate::replay::{ReplayId, ReplayWindow};
use crate::request_check::RequestCheck;
use crate::{AgentId, Message};

/// The answer of [`Verifier::check`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Check {
    /// Who sent the request. A verified signature has been remembered as used.
    Done(Identity),
    /// Fetch this key directory, hand the response in with [`Verifier::on_response`], then check the request again.
    Fetch(String),
    /// Another request is fetching this directory: check again when that has finished, or answer
    /// "later".
    Wait(String),
}

/// Identifies the senders of requests for a server: keeps the key directories and refuses replays.
///
/// ```
/// # use bot_auth::{CrawlerSigner, DIRECTORY_MEDIA_TYPE, directory_body};
/// use bot_auth::{Check, Fetched, Identity, Message, Reason, Verifier};
/// use web_values::UnixSeconds;
///
/// # let key = jwk::SigningKey::from_secret(&[7; 32]);
/// # let now = UnixSeconds(1_790_000_000);
/// # let body = directory_body([&key]);
/// # let headers = [("content-type", DIRECTORY_MEDIA_TYPE.as_bytes())];
/// # let signed = CrawlerSigner::new(key, "https://bot.example")?
/// #     .sign(&Message::request("GET", "https://shop.example/a")?, &[0; 32], now)?;
/// let mut verifier = Verifier::of_agents(["https://bot.example".parse()?]);
/// let request = Message::request("GET", "https://shop.example/a")?
///     .header("Signature-Agent", &signed.signature_agent)
///     .header("Signature-Input", &signed.signature_input)
///     .header("Signature", &signed.signature);
///
/// let Check::Fetch(url) = verifier.check(&request, now) else { panic!() };
/// # let response = Fetched { url: &url, status: 200, headers: &headers, body: body.as_bytes() };
/// verifier.on_response(&url, &response, now)?; // what the program fetched from there
/// let Check::Done(Identity::Verified(verified)) = verifier.check(&request, now) else { panic!() };
/// assert!(verified.agent.is("https://bot.example"));
/// assert_eq!(verifier.check(&request, now), Check::Done(Identity::Unverified(Reason::Replayed)));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Spec: WBA-VER-1 to WBA-VER-5, WBA-NONCE-1, WBA-DISC-2.
#[derive(Debug, Clone, Default)]
pub struct Verifier {
    policy: Policy,
    directories: Directories,
    /// Signatures of listed agents that were used.
    used: ReplayWindow,
    /// Those of strangers, apart so that they cannot fill the window of listed agents.
    used_by_strangers: ReplayWindow,
}

impl Verifier {
    /// A verifier that knows these agents and no others, with the strict policy.
    #[must_use]
    pub fn of_agents(agents: impl IntoIterator<Item = AgentId>) -> Self {
        Verifier { directories: Directories::of_agents(agents), ..Verifier::default() }
    }

    /// Sets the policy for signatures.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        let directories = self.directories.profile(policy.profile);
        Verifier { policy, directories, ..self }
    }

    /// Also verifies agents that are not listed; see [`Directories::with_strangers`].
    #[must_use]
    pub fn with_strangers(self, strangers: Strangers) -> Self {
        let directories = self.directories.with_strangers(strangers);
        Verifier { directories, ..self }
    }

    /// Sets how many used signatures are remembered; see [`ReplayWindow::new`]. Strangers have a window of the same size.
    #[must_use]
    pub fn replay_window(self, max: usize, max_of_key: usize) -> Self {
        let used = ReplayWindow::new(max, max_of_key);
        Verifier { used_by_strangers: used.clone(), used, ..self }
    }

    /// Refuses signatures made before this second, which an earlier process may have admitted; see
    /// [`ReplayWindow::starting_at`]. Call it last.
    #[must_use]
    pub fn starting_at(self, now: UnixSeconds) -> Self {
        let (used, used_by_strangers) = (self.used.starting_at(now), self.used_by_strangers.starting_at(now));
        Verifier { used, used_by_strangers, ..self }
    }

    /// The policy for signatures.
    #[must_use]
    pub fn asks_for(&self) -> &Policy {
        &self.policy
    }

    /// Checks a request: an unsigned one is [`Identity::Anonymous`], a replay is refused before its signature is looked at.
    pub fn check(&mut self, message: &Message<'_>, now: UnixSeconds) -> Check {
        let mut check = RequestCheck::unused(message, &self.policy, |id| self.has_used(id), now);
        while let Some(url) = check.wanted().map(str::to_owned) {
            match self.ask(&check, now) {
                DirectoryAnswer::Use(directory) => check.on_shared(directory),
                DirectoryAnswer::Fetch => return Check::Fetch(url),
                DirectoryAnswer::Wait => return Check::Wait(url),
                DirectoryAnswer::No(reason) => check.on_refusal(reason),
            }
        }
        Check::Done(self.finish(check, now))
    }

    /// Returns true if this signature was used; see [`ReplayWindow::has`].
    ///
    /// For servers that keep the verifier behind a lock, and lock it for look-ups alone: [`RequestCheck::unused`] makes all
    /// checks that need no key, with the policy and this. Then, as long as [`RequestCheck::wanted`] gives a URL,
    /// [`ask`](Verifier::ask) for it and hand the directory to the check, which verifies without the verifier; a directory that
    /// was fetched is [read](Directory::read) without it too. At last [`finish`](Verifier::finish).
    #[must_use]
    pub fn has_used(&self, id: ReplayId) -> bool {
        self.used.has(id) || self.used_by_strangers.has(id)
    }

    /// The directory that a check wants.
    pub fn ask(&mut self, check: &RequestCheck<'_>, now: UnixSeconds) -> DirectoryAnswer {
        let Some(url) = check.wanted() else { return DirectoryAnswer::No(Reason::DirectoryLater) };
        self.directories.ask(url, check.wanted_key(), now)
    }

    /// Remembers the verified signatures as used and returns who sent the request.
    pub fn finish(&mut self, mut check: RequestCheck<'_>, now: UnixSeconds) -> Identity {
        let (directories, used, others) = (&self.directories, &mut self.used, &mut self.used_by_strangers);
        check.admit_by(|verified| {
            let window = if directories.is_listed(&verified.agent) { &mut *used } else { &mut *others };
            window.admit(verified, now)
        });
        check.identity()
    }

    /// Takes the response to a fetch; see [`Directories::on_response`].
    ///
    /// # Errors
    /// Why it is not a directory, to be logged.
    pub fn on_response(
        &mut self,
        url: &str,
        response: &Fetched<'_>,
        now: UnixSeconds,
    ) -> Result<(), DirectoryError> {
        self.directories.on_response(url, response, now)
    }

    /// Takes a response that was read without the verifier; see [`Directories::on_read`].
    ///
    /// # Errors
    /// That of `read`.
    pub fn on_read(
        &mut self,
        url: &str,
        response: &Fetched<'_>,
        read: Result<Directory, DirectoryError>,
        now: UnixSeconds,
    ) -> Result<(), DirectoryError> {
        self.directories.on_read(url, response, read, now)
    }

    /// Call this if a fetch got no response.
    pub fn on_failure(&mut self, url: &str, now: UnixSeconds) {
        self.directories.on_failure(url, now);
    }

    /// Gives back a fetch; see [`Directories::on_cancel`].
    pub fn on_cancel(&mut self, url: &str) {
        self.directories.on_cancel(url);
    }

    /// The directories, read-only.
    #[must_use]
    pub fn directories(&self) -> &Directories {
        &self.directories
    }

    /// How many used signatures are remembered, of all agents.
    #[must_use]
    pub fn remembered(&self) -> usize {
        self.used.len() + self.used_by_strangers.len()
    }
}
