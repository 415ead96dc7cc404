//! Files that are no pages: sent in pieces from the disk, hashed once for each of their states.
//!
//! A small text is kept with its codings instead, as long as the site's budget of bytes has room.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::future::Future as _;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use axum::body::Bytes;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use sha2::{Digest as _, Sha256};
use tct::{Representation, plan_response};
use tct_fingerprint::Fingerprint;
use tokio::task::JoinHandle;

use super::SentBody;
use crate::server::PIECE_LEN;

/// What tells one state of a file from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) len: u64,
    modified: Option<SystemTime>,
    /// When its inode changed, where the system says so: the time of the bytes can be set to anything, this one not.
    changed: Option<SystemTime>,
    /// Device and file.
    inode: (u64, u64),
}

impl Facts {
    fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok();
        #[cfg(unix)]
        let (changed, inode) = {
            use std::os::unix::fs::MetadataExt as _;
            let since = u64::try_from(metadata.ctime()).ok().zip(u32::try_from(metadata.ctime_nsec()).ok());
            let changed = since.and_then(|(s, ns)| SystemTime::UNIX_EPOCH.checked_add(Duration::new(s, ns)));
            (changed, (metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let (changed, inode) = (modified, (0, 0));
        Facts { len: metadata.len(), modified, changed, inode }
    }

    /// Whether the file may change once more without a change of these: its clock ticks more slowly than it is written. A
    /// change long before the time of the last one, by a clock that was set back, shows as well as one long after.
    fn may_be_of_two_states(&self, now: SystemTime) -> bool {
        let distance = |changed| now.duration_since(changed).unwrap_or_else(|is_ahead| is_ahead.duration());
        self.changed.map(distance).is_none_or(|age| age < Duration::from_secs(2))
    }
}

/// A file that is open, and its state at that moment.
#[derive(Debug)]
pub(crate) struct Opened {
    file: File,
    pub(crate) facts: Facts,
}

impl Opened {
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let facts = Facts::of(&file.metadata()?);
        Ok(Opened { file, facts })
    }

    /// All of it; only for what is small.
    pub(crate) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.facts.len).unwrap_or_default());
        self.file.rewind()?;
        self.file.by_ref().take(self.facts.len).read_to_end(&mut bytes)?;
        self.check()?;
        Ok(bytes)
    }

    /// The SHA-256 of all of it, read in pieces.
    fn hash(&mut self) -> io::Result<Fingerprint> {
        let (mut hash, mut piece) = (Sha256::new(), vec![0; PIECE_LEN]);
        self.file.rewind()?;
        loop {
            match self.file.read(&mut piece)? {
                0 => break,
                read => hash.update(piece.get(..read).unwrap_or_default()),
            }
        }
        self.check()?;
        Ok(Fingerprint::from_digest(hash.finalize().into()))
    }

    /// Fails where the file has changed since it was opened.
    fn check(&self) -> io::Result<()> {
        match Facts::of(&self.file.metadata()?) == self.facts {
            true => Ok(()),
            false => Err(io::Error::other("expected a file that stays the same, found it changed")),
        }
    }
}

/// What is known of files, by their names: at most an entry for each file of the site.
#[derive(Debug)]
pub(super) struct Known<T>(Mutex<HashMap<String, Arc<Slot<T>>>>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known(Mutex::default())
    }
}

/// What is known of one file, locked while it is read, so that requests at one time hash it once. Who waits for that waits
/// without a thread.
pub(super) type Slot<T> = tokio::sync::Mutex<Option<(Facts, T)>>;

/// A [`Slot`] that is locked.
pub(super) type Held<T> = tokio::sync::OwnedMutexGuard<Option<(Facts, T)>>;

impl<T> Known<T> {
    pub(super) fn of(&self, name: &str) -> Arc<Slot<T>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(name) {
            Some(slot) => Arc::clone(slot),
            None => Arc::clone(known.entry(name.to_owned()).or_default()),
        }
    }
}

/// What is known of a file in this state: kept, unless it is so new that it may change unseen.
pub(super) fn remember<T>(held: &mut Option<(Facts, T)>, facts: Facts, known: T) {
    #[expect(clippy::disallowed_methods, reason = "the times of files are the system's")]
    let is_settled = !facts.may_be_of_two_states(SystemTime::now());
    *held = is_settled.then_some((facts, known));
}

/// What the header fields of a file say; reads all of it in pieces.
pub(super) fn describe(opened: &mut Opened, media_type: &'static str) -> io::Result<Representation> {
    let hash = opened.hash()?;
    let representation = Representation::of_fingerprint(&hash, opened.facts.len);
    Ok(representation.with_content_type(HeaderValue::from_static(media_type)))
}

/// The response to a request for it: what of the file is asked for is read while it is sent.
pub(super) fn respond(
    mut opened: Opened,
    representation: &Representation,
    method: &Method,
    request: &HeaderMap,
) -> io::Result<Response<SentBody>> {
    let plan = plan_response(method, request, representation);
    let is_unchanged = plan.status == StatusCode::NOT_MODIFIED;
    let len = usize::try_from(opened.facts.len).map_err(io::Error::other)?;
    let range = plan.body.range(len);
    let left = range.len() as u64;
    opened.file.seek(SeekFrom::Start(range.start as u64))?;
    Ok(plan.into_http(len, |_| match (is_unchanged, left) {
        (true, _) => SentBody::NotModified,
        (false, 0) => SentBody::Bytes(Bytes::new()),
        (false, left) => SentBody::File(Streamed { left, reading: Reading::Idle(Box::new(opened)) }),
    }))
}

/// A part of a file on its way.
#[derive(Debug)]
pub struct Streamed {
    left: u64,
    reading: Reading,
}

#[derive(Debug)]
enum Reading {
    Idle(Box<Opened>),
    Piece(JoinHandle<io::Result<(Box<Opened>, Bytes)>>),
    Ended,
}

impl Streamed {
    /// How many bytes are to come.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            match std::mem::replace(&mut self.reading, Reading::Ended) {
                Reading::Ended => return Poll::Ready(None),
                Reading::Idle(_) if self.left == 0 => return Poll::Ready(None),
                Reading::Idle(opened) => {
                    let left = self.left;
                    self.reading = Reading::Piece(tokio::task::spawn_blocking(move || piece(opened, left)));
                }
                Reading::Piece(mut task) => {
                    let Poll::Ready(read) = Pin::new(&mut task).poll(context) else {
                        self.reading = Reading::Piece(task);
                        return Poll::Pending;
                    };
                    let (opened, bytes) = match read.map_err(io::Error::other).and_then(|read| read) {
                        Ok(read) => read,
                        Err(error) => return Poll::Ready(Some(Err(error))),
                    };
                    self.left -= bytes.len() as u64;
                    self.reading = Reading::Idle(opened);
                    return Poll::Ready(Some(Ok(bytes)));
                }
            }
        }
    }
}

/// The next piece. The last one is given out only if the file is what it was: a response that mixes two states does not end
/// well.
fn piece(mut opened: Box<Opened>, left: u64) -> io::Result<(Box<Opened>, Bytes)> {
    let len = usize::try_from(left).map_or(PIECE_LEN, |left| left.min(PIECE_LEN));
    let mut bytes = vec![0; len];
    opened.file.read_exact(&mut bytes)?;
    if len as u64 == left {
        opened.check()?;
    }
    Ok((opened, bytes.into()))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make files, and look at the clock")]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_settles_whatever_its_time_is_set_to() {
        let folder = tempfile::tempdir().unwrap();
        let (now, hour) = (SystemTime::now(), Duration::from_secs(3600));
        for set in [now + hour * 24 * 365, SystemTime::UNIX_EPOCH, now] {
            let file = File::create(folder.path().join("large.bin")).unwrap();
            file.set_modified(set).unwrap();
            let facts = Facts::of(&file.metadata().unwrap());
            let now = SystemTime::now();
            assert!(facts.may_be_of_two_states(now), "it was made just now");
            assert!(!facts.may_be_of_two_states(now + Duration::from_secs(3)));
            assert!(!facts.may_be_of_two_states(now - hour), "by a clock that was set back");
        }
    }
}
