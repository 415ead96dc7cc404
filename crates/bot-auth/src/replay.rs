//! Nonces that were seen: a bounded window that the caller stores.

use std::collections::BTreeMap;

use web_values::UnixSeconds;

/// The nonces of verified signatures, each until its signature expires.
///
/// The window is a value: keep it, share it between servers, throw it away. It holds at most as many nonces as it is
/// made for. When it is full nothing is forgotten early; the next signature is refused instead, since a forgotten
/// nonce would be a replay that succeeds.
///
/// ```
/// use bot_auth::{Replay, ReplayWindow};
/// use web_values::UnixSeconds;
///
/// let mut window = ReplayWindow::new(1);
/// let now = UnixSeconds(100);
/// assert_eq!(window.admit("key", "a", 160, now), Replay::Fresh);
/// assert_eq!(window.admit("key", "a", 160, now), Replay::Seen);
/// assert_eq!(window.admit("key", "b", 160, now), Replay::Full);
/// assert_eq!(window.admit("key", "b", 200, UnixSeconds(160)), Replay::Fresh);
/// ```
///
/// Spec: SIG9421-TIME-2, WBA-NONCE-1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "StoredWindow", into = "StoredWindow")
)]
pub struct ReplayWindow {
    /// `expires` by key and nonce.
    seen: BTreeMap<(String, String), i64>,
    max_nonces: usize,
}

/// The form in which a window is stored: in JSON a name of two parts cannot be that of a member.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct StoredWindow {
    max_nonces: usize,
    /// Key, nonce, `expires`.
    seen: Vec<(String, String, i64)>,
}

#[cfg(feature = "serde")]
impl From<StoredWindow> for ReplayWindow {
    fn from(stored: StoredWindow) -> Self {
        let seen = stored.seen.into_iter().map(|(key, nonce, expires)| ((key, nonce), expires)).collect();
        ReplayWindow { seen, max_nonces: stored.max_nonces }
    }
}

#[cfg(feature = "serde")]
impl From<ReplayWindow> for StoredWindow {
    fn from(window: ReplayWindow) -> Self {
        let seen = window.seen.into_iter().map(|((key, nonce), expires)| (key, nonce, expires)).collect();
        StoredWindow { max_nonces: window.max_nonces, seen }
    }
}

/// Whether a nonce may be accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[must_use]
pub enum Replay {
    /// It was not seen before, and is remembered now.
    Fresh,
    /// It was seen: refuse the request.
    Seen,
    /// The window is full: refuse the request, or use a larger window.
    Full,
}

impl core::fmt::Display for Replay {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Replay::Fresh => "the nonce was not seen before",
            Replay::Seen => "the nonce was seen before",
            Replay::Full => "the window of nonces is full",
        })
    }
}

impl ReplayWindow {
    /// A window for at most this many nonces.
    #[must_use]
    pub fn new(max_nonces: usize) -> Self {
        ReplayWindow { seen: BTreeMap::new(), max_nonces }
    }

    /// Asks for the nonce of a *verified* signature, and remembers it. `O(log n)`, or `O(n)` when the window is full.
    pub fn admit(&mut self, keyid: &str, nonce: &str, expires: i64, now: UnixSeconds) -> Replay {
        let name = (keyid.to_owned(), nonce.to_owned());
        let now = i64::try_from(now.0).unwrap_or(i64::MAX);
        if self.seen.get(&name).is_some_and(|expires| *expires > now) {
            return Replay::Seen;
        }
        if self.seen.len() >= self.max_nonces {
            self.seen.retain(|_, expires| *expires > now);
        }
        if self.seen.len() >= self.max_nonces {
            return Replay::Full;
        }
        self.seen.insert(name, expires);
        Replay::Fresh
    }

    /// Nonces that are remembered, with the name of the key.
    pub fn nonces(&self) -> impl Iterator<Item = (&str, &str)> {
        self.seen.keys().map(|(keyid, nonce)| (keyid.as_str(), nonce.as_str()))
    }
}
