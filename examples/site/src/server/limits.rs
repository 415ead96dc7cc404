//! `[server]` in `site.toml`: how long a client is waited for, and how many there may be.

use std::time::Duration;

use serde::{Deserialize, Deserializer};

/// What one client may cost. Each has a default; none can be switched off.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Limits {
    /// From the connection to its first byte; over TLS also from the handshake to the first byte of a request.
    #[serde(rename = "first-byte-seconds", deserialize_with = "seconds")]
    pub first_byte: Duration,
    /// For the whole TLS handshake.
    #[serde(rename = "handshake-seconds", deserialize_with = "seconds")]
    pub handshake: Duration,
    /// From the first byte of a request to the end of its header.
    #[serde(rename = "head-seconds", deserialize_with = "seconds")]
    pub head: Duration,
    /// From the header of a request with a body to its response: 408 after that.
    #[serde(rename = "body-seconds", deserialize_with = "seconds")]
    pub body: Duration,
    /// For each piece of a response, of at most [`PIECE_LEN`] bytes.
    #[serde(rename = "write-seconds", deserialize_with = "seconds")]
    pub write: Duration,
    /// Between a response and the next request of the connection.
    #[serde(rename = "idle-seconds", deserialize_with = "seconds")]
    pub idle: Duration,
    /// Open connections. When there are more, the one that has waited longest without a request is closed.
    #[serde(deserialize_with = "at_least_one")]
    pub connections: u32,
    /// Open connections of one IPv4 address, or of one IPv6 network of 64 bits. The default is 128 over TLS, and no limit
    /// in the clear, where a proxy is one address for everybody.
    #[serde(deserialize_with = "some_at_least_one")]
    pub connections_per_address: Option<u32>,
    /// Open requests of one HTTP/2 connection.
    #[serde(deserialize_with = "at_least_one")]
    pub streams: u32,
}

/// Responses are written in pieces of this many bytes.
pub const PIECE_LEN: usize = 64 << 10;

/// The default of [`Limits::connections_per_address`] over TLS.
pub(super) const PER_ADDRESS: u32 = 128;

impl Default for Limits {
    fn default() -> Self {
        Limits {
            first_byte: Duration::from_secs(10),
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            write: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            connections: 1024,
            connections_per_address: None,
            streams: 100,
        }
    }
}

impl Limits {
    /// How many connections there may be: what the settings say, and no more than half of the files that the process may
    /// open, since a connection may hold one file open. The process raises its soft limit first.
    pub(super) fn connections(&self) -> usize {
        let wanted = self.connections as usize;
        let files = open_files(wanted.saturating_mul(2).saturating_add(RESERVED_FILES));
        files.map_or(wanted, |files| wanted.min((files.saturating_sub(RESERVED_FILES) / 2).max(1)))
    }
}

/// Files beside those of connections: standard streams, listener, polls, the folder.
const RESERVED_FILES: usize = 64;

/// How many files the process may open, once it has asked for `wanted`.
#[cfg(unix)]
fn open_files(wanted: usize) -> Option<usize> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = wanted as u64;
    let (Some(current), maximum) = (limit.current, limit.maximum) else { return None };
    if current >= wanted {
        return usize::try_from(current).ok();
    }
    let raised = maximum.map_or(wanted, |maximum| maximum.min(wanted));
    let set = setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum });
    usize::try_from(if set.is_ok() { raised } else { current }).ok()
}

#[cfg(not(unix))]
fn open_files(_wanted: usize) -> Option<usize> {
    None
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let seconds = f64::deserialize(deserializer)?;
    let duration = Duration::try_from_secs_f64(seconds).ok();
    let fits = |span: &Duration| (Duration::from_millis(10)..=Duration::from_secs(86_400)).contains(span);
    duration
        .filter(fits)
        .ok_or_else(|| serde::de::Error::custom(format!("expected 0.01 to 86400 seconds, found {seconds}")))
}

fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        0 => Err(serde::de::Error::custom("expected 1 or more, found 0")),
        number => Ok(number),
    }
}

fn some_at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    at_least_one(deserializer).map(Some)
}
