//! Key rotation: a schedule that says which key signs and which keys are published.
//!
//! ```text
//!              publish_before      from            until     keep_after
//! old key  ────────────────────────signs────────────┤─────────┤ gone from the directory
//! new key         ├─────────────────┤ published     ├──signs──────────────
//! ```
//!
//! Verifiers know a new key before its first signature, and an old one for as long as its signatures are valid.

use core::fmt;

use jwk::SigningKey;
use web_values::UnixSeconds;

use crate::directory::MAX_DIRECTORY_KEYS;
use crate::policy::MAX_LIFETIME_SECS;

/// A key and the time in which it signs.
#[derive(Debug, Clone)]
pub struct ScheduledKey {
    /// The key.
    pub key: SigningKey,
    /// It signs from this second on.
    pub from: UnixSeconds,
    /// It stops signing at this second.
    pub until: UnixSeconds,
}

/// The keys of one agent over time. At any second one key signs; around each change two are published.
///
/// ```
/// use bot_auth::{KeySchedule, ScheduledKey};
/// use jwk::SigningKey;
/// use web_values::UnixSeconds;
///
/// let key = |secret, from, until| ScheduledKey {
///     key: SigningKey::from_secret(&[secret; 32]),
///     from: UnixSeconds(from),
///     until: UnixSeconds(until),
/// };
/// let day = 86_400;
/// let keys = KeySchedule::new([key(1, 0, 30 * day), key(2, 30 * day, 60 * day)])?;
/// let published = |now| keys.published(UnixSeconds(now)).count();
/// assert_eq!((published(28 * day), published(29 * day), published(31 * day)), (1, 2, 1));
/// let signing = keys.signing_key(UnixSeconds(30 * day)).unwrap();
/// assert_eq!(signing.thumbprint(), SigningKey::from_secret(&[2; 32]).thumbprint());
/// assert_eq!(keys.wake_at(UnixSeconds(0)), Some(UnixSeconds(29 * day)));
/// # Ok::<(), bot_auth::ScheduleError>(())
/// ```
///
/// Spec: WBA-DIR-8.
#[derive(Debug, Clone)]
pub struct KeySchedule {
    keys: Vec<ScheduledKey>,
    publish_before_secs: u64,
    keep_after_secs: u64,
}

/// Why keys are not a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScheduleError {
    /// No key.
    Empty,
    /// A key that ends before it begins, or begins at another second than the one before it ends: nothing can be signed
    /// in a gap, and with an overlap it is unclear which key should be retired.
    Times,
    /// A key that comes twice: it would not be retired.
    Repeated,
    /// More than 100 keys, which no verifier reads.
    TooMany,
    /// An overlap that is shorter than the lifetime of a signature, or longer than the time of any
    /// key.
    Overlap,
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScheduleError::Empty => "expected at least one key, found none",
            ScheduleError::Times => {
                "expected each key to begin when the one before it ends, found other times"
            }
            ScheduleError::Repeated => "expected each key once, found one again",
            ScheduleError::TooMany => "expected at most 100 keys, found more",
            ScheduleError::Overlap => {
                "expected an old key to stay published as long as its signatures are valid, found less"
            }
        })
    }
}

impl core::error::Error for ScheduleError {}

impl KeySchedule {
    /// Keys in the order in which they sign. Each is published a day before it signs, since verifiers hold a directory
    /// for a day, and an hour after.
    ///
    /// # Errors
    /// [`ScheduleError`].
    pub fn new(keys: impl IntoIterator<Item = ScheduledKey>) -> Result<Self, ScheduleError> {
        let keys: Vec<ScheduledKey> = keys.into_iter().collect();
        if keys.is_empty() {
            return Err(ScheduleError::Empty);
        }
        if keys.len() > MAX_DIRECTORY_KEYS {
            return Err(ScheduleError::TooMany);
        }
        let follows = keys.windows(2).all(|pair| matches!(pair, [one, next] if one.until == next.from));
        if !follows || keys.iter().any(|key| key.until <= key.from) {
            return Err(ScheduleError::Times);
        }
        let thumbprints: std::collections::BTreeSet<_> =
            keys.iter().map(|key| key.key.thumbprint()).collect();
        if thumbprints.len() != keys.len() {
            return Err(ScheduleError::Repeated);
        }
        Ok(KeySchedule { keys, publish_before_secs: MAX_LIFETIME_SECS, keep_after_secs: 3600 })
    }

    /// Sets how long before its time a key is published, and how long after it, in seconds.
    ///
    /// # Errors
    /// [`Overlap`](ScheduleError::Overlap) if an old key would go before the signatures by it have expired:
    /// `lifetime_secs` is that of the signer.
    pub fn overlap(
        mut self,
        publish_before_secs: u64,
        keep_after_secs: u64,
        lifetime_secs: u64,
    ) -> Result<Self, ScheduleError> {
        if keep_after_secs < lifetime_secs {
            return Err(ScheduleError::Overlap);
        }
        (self.publish_before_secs, self.keep_after_secs) = (publish_before_secs, keep_after_secs);
        Ok(self)
    }

    /// The key that signs now; `None` before the first and after the last: a retired key signs nothing.
    #[must_use]
    pub fn signing_key(&self, now: UnixSeconds) -> Option<&SigningKey> {
        self.keys.iter().find(|key| (key.from..key.until).contains(&now)).map(|key| &key.key)
    }

    /// The keys that are published now, each with the second from which on it is not any more.
    pub fn published(&self, now: UnixSeconds) -> impl Iterator<Item = (&SigningKey, UnixSeconds)> {
        self.keys
            .iter()
            .map(|key| (key, key.until.saturating_add(self.keep_after_secs)))
            .filter(move |(key, gone_at)| {
                (key.from.saturating_sub(self.publish_before_secs)..*gone_at).contains(&now)
            })
            .map(|(key, gone_at)| (&key.key, gone_at))
    }

    /// The body of the key directory now. Each key has an `exp`, so that a verifier that holds an old copy drops it in
    /// time.
    ///
    /// Spec: WBA-DIR-4, WBA-DIR-5, WBA-DIR-8.
    #[must_use]
    pub fn directory_body(&self, now: UnixSeconds) -> String {
        let keys = self.published(now).map(|(key, gone_at)| {
            let jwk = key.to_directory_jwk();
            let members = jwk.strip_prefix('{').unwrap_or(&jwk);
            format!("{{\"exp\":{},{members}", gone_at.0)
        });
        format!("{{\"keys\":[{}]}}", keys.collect::<Vec<_>>().join(","))
    }

    /// When the signing key or the directory changes next; `None` after the last change.
    #[must_use]
    pub fn wake_at(&self, now: UnixSeconds) -> Option<UnixSeconds> {
        let times = self.keys.iter().flat_map(|key| {
            let published_at = key.from.saturating_sub(self.publish_before_secs);
            [published_at, key.from, key.until, key.until.saturating_add(self.keep_after_secs)]
        });
        times.filter(|at| *at > now).min()
    }
}
