//! A bounded window of used signatures, which the caller stores.
//!
//! ```text
//! Verified ── admit ──▶ Fresh | Seen | Full        by key: how many of its signatures are remembered
//!                                                  by id: has it been used
//!                                                  by expiry: what may be forgotten
//! ```

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use jwk::Thumbprint;
use sha2::{Digest as _, Sha256};
use web_values::UnixSeconds;

use crate::identity::Verified;

/// How many signatures a window remembers by default.
pub const DEFAULT_MAX_SIGNATURES: usize = 262_144;

/// How many of them may be by one key.
pub const DEFAULT_MAX_SIGNATURES_OF_KEY: usize = 65_536;

/// Identifies a signature: 16 bytes of a hash over its key and its nonce, or over everything that was signed if there
/// is no nonce. The signature's own bytes are not used, because ECDSA signatures have two forms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReplayId([u8; 16]);

impl ReplayId {
    pub(crate) fn of_nonce(key: Thumbprint, nonce: &str) -> Self {
        Self::of(1, key, nonce.as_bytes())
    }

    pub(crate) fn of_base(key: Thumbprint, base: &str) -> Self {
        Self::of(2, key, base.as_bytes())
    }

    fn of(kind: u8, key: Thumbprint, text: &[u8]) -> Self {
        let hash = Sha256::new().chain_update([kind]).chain_update(key.as_bytes()).chain_update(text);
        let hash: [u8; 32] = hash.finalize().into();
        let mut id = [0; 16];
        id.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
        ReplayId(id)
    }

    /// The bytes, for a store that you keep.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for ReplayId {
    /// Writes 32 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ReplayId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReplayId({self})")
    }
}

/// The signatures that were verified, each until it expires.
///
/// Only a [`Verified`] signature is added, so unverified requests take no room. Each key has a quota, so that one agent
/// cannot take the room of others. When a quota or the window is full, the next signature is refused: forgetting one
/// early would let its replay succeed. `O(log n)` a call, and about 80 bytes a signature.
///
/// The window is a value: keep it, share it between servers, store it. A server that stores none calls
/// [`starting_at`](ReplayWindow::starting_at) when it starts. If the clock jumps back, signatures that were
/// forgotten still count as used, and so do others that were not made after all of them. What is signed from then on is
/// fresh, unless an agent's clock ran ahead too.
///
/// ```
/// # use bot_auth::{CrawlerSigner, DIRECTORY_MEDIA_TYPE, Directory, Fetched, Profile, directory_body};
/// use bot_auth::{Identity, Message, Policy, Replay, ReplayWindow, identify};
/// use web_values::UnixSeconds;
///
/// # let key = jwk::SigningKey::from_secret(&[7; 32]);
/// # let url = "https://bot.example/.well-known/http-message-signatures-directory";
/// # let body = directory_body([&key]);
/// # let headers = [("content-type", DIRECTORY_MEDIA_TYPE.as_bytes())];
/// # let response = Fetched { url, status: 200, headers: &headers, body: body.as_bytes() };
/// # let now = UnixSeconds(1_790_000_000);
/// # let held = Directory::read(url, &response, Profile::Deployed, now)?;
/// # let signed = CrawlerSigner::new(key, "https://bot.example")?
/// #     .sign(&Message::request("GET", "https://shop.example/a")?, &[0; 32], now)?;
/// # let request = Message::request("GET", "https://shop.example/a")?
/// #     .header("Signature-Agent", &signed.signature_agent)
/// #     .header("Signature-Input", &signed.signature_input)
/// #     .header("Signature", &signed.signature);
/// let mut window = ReplayWindow::default();
/// let (identity, _) = identify(&request, |_| Some(&held), &Policy::default(), now);
/// let Identity::Verified(verified) = identity else { panic!("{identity}") };
/// assert_eq!(window.admit(&verified, now), Replay::Fresh);
/// assert_eq!(window.admit(&verified, now), Replay::Seen);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Spec: SIG9421-TIME-2, WBA-NONCE-1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "StoredWindow", into = "StoredWindow")
)]
pub struct ReplayWindow {
    seen: BTreeSet<ReplayId>,
    /// The signatures that expire at each second, each with its `created`.
    expiring: BTreeMap<i64, Vec<(Thumbprint, ReplayId, i64)>>,
    by_key: BTreeMap<Thumbprint, usize>,
    max: usize,
    max_of_key: usize,
    /// The latest `created` and the latest `expires` of what was forgotten. A signature that exceeds neither may have been
    /// used. The time of the clock that made it be forgotten says nothing: it may have been wrong.
    forgotten: (i64, i64),
    /// What was made before may have been used before this window was there. Lowered by a clock that turns out earlier.
    start: i64,
}

/// The form in which a window is stored.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredWindow {
    max: usize,
    max_of_key: usize,
    forgotten: (i64, i64),
    /// Absent where there is none, and in windows of before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<i64>,
    /// Key, signature, `created`, `expires`.
    seen: Vec<(Thumbprint, ReplayId, i64, i64)>,
}

#[cfg(feature = "serde")]
impl TryFrom<StoredWindow> for ReplayWindow {
    type Error = &'static str;

    fn try_from(stored: StoredWindow) -> Result<Self, Self::Error> {
        let mut window = ReplayWindow::new(stored.max, stored.max_of_key);
        for (key, id, created, expires) in stored.seen {
            if window.remember(key, id, (created, expires)) != Replay::Fresh {
                return Err("expected each signature once, within the quotas of the window");
            }
        }
        // At last: what is remembered may be older than some of what was forgotten.
        window.forgotten = stored.forgotten;
        window.start = stored.start.unwrap_or(i64::MIN);
        Ok(window)
    }
}

#[cfg(feature = "serde")]
impl From<ReplayWindow> for StoredWindow {
    fn from(window: ReplayWindow) -> Self {
        let ReplayWindow { expiring, max, max_of_key, forgotten, start, .. } = window;
        let start = (start != i64::MIN).then_some(start);
        let seen = expiring.into_iter().flat_map(|(expires, all)| {
            all.into_iter().map(move |(key, id, created)| (key, id, created, expires))
        });
        StoredWindow { max, max_of_key, forgotten, start, seen: seen.collect() }
    }
}

/// The answer of the window to a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[must_use]
pub enum Replay {
    /// It was not used before and is now remembered.
    Fresh,
    /// It was used, or may have been used before the server started or the clock jumped back, or has expired: refuse the
    /// request.
    Seen,
    /// The window, or the quota of the key, is full: refuse the request.
    Full,
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Replay::Fresh => "the signature was not used before",
            Replay::Seen => "the signature was used before",
            Replay::Full => "no room is left to remember the signature",
        })
    }
}

impl Default for ReplayWindow {
    /// A window for [`DEFAULT_MAX_SIGNATURES`], [`DEFAULT_MAX_SIGNATURES_OF_KEY`] of one key.
    fn default() -> Self {
        ReplayWindow::new(DEFAULT_MAX_SIGNATURES, DEFAULT_MAX_SIGNATURES_OF_KEY)
    }
}

impl ReplayWindow {
    /// A window for at most `max` signatures, and at most `max_of_key` of one key. Both are memory and requests: with
    /// lifetimes of five minutes, 65,536 of a key are 218 requests a second.
    #[must_use]
    pub fn new(max: usize, max_of_key: usize) -> Self {
        ReplayWindow {
            seen: BTreeSet::new(),
            expiring: BTreeMap::new(),
            by_key: BTreeMap::new(),
            max,
            max_of_key,
            forgotten: (i64::MIN, i64::MIN),
            start: i64::MIN,
        }
    }

    /// A window of a server that starts now and does not know what it admitted before it was stopped or killed: signatures
    /// made before this second count as used. Agents whose clocks are late by some seconds are refused for as many seconds.
    ///
    /// If the clock was ahead at the start and is set right, the earlier time counts from then on.
    #[must_use]
    pub fn starting_at(self, now: UnixSeconds) -> Self {
        ReplayWindow { start: i64::try_from(now.0).unwrap_or(i64::MAX), ..self }
    }

    /// Checks whether a verified signature was used, and remembers it until it expires. Amortised
    /// `O(log n)`.
    pub fn admit(&mut self, verified: &Verified, now: UnixSeconds) -> Replay {
        let now = i64::try_from(now.0).unwrap_or(i64::MAX);
        self.forget(now);
        self.start = self.start.min(now);
        if verified.expires <= now || verified.created < self.start {
            return Replay::Seen;
        }
        self.remember(verified.key, verified.id, (verified.created, verified.expires))
    }

    /// Returns true if this signature was admitted and has not expired since.
    #[must_use]
    pub fn has(&self, id: ReplayId) -> bool {
        self.seen.contains(&id)
    }

    /// How many signatures are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Returns true if nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    fn remember(&mut self, key: Thumbprint, id: ReplayId, (created, expires): (i64, i64)) -> Replay {
        let is_forgotten = created <= self.forgotten.0 && expires <= self.forgotten.1;
        if is_forgotten || self.seen.contains(&id) {
            return Replay::Seen;
        }
        let of_key = self.by_key.get(&key).copied().unwrap_or_default();
        if self.seen.len() >= self.max || of_key >= self.max_of_key {
            return Replay::Full;
        }
        self.seen.insert(id);
        self.by_key.insert(key, of_key + 1);
        self.expiring.entry(expires).or_default().push((key, id, created));
        Replay::Fresh
    }

    /// Drops what has expired. Each signature is dropped once.
    fn forget(&mut self, now: i64) {
        while let Some(first) = self.expiring.first_entry().filter(|first| *first.key() <= now) {
            let (expires, all) = first.remove_entry();
            for (key, id, created) in all {
                self.forgotten = (self.forgotten.0.max(created), self.forgotten.1.max(expires));
                self.seen.remove(&id);
                if let Some(left) = self.by_key.get_mut(&key) {
                    *left -= 1;
                    if *left == 0 {
                        self.by_key.remove(&key);
                    }
                }
            }
        }
    }
}
