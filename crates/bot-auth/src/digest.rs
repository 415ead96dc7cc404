//! `Content-Digest`: whether a body is the one that was signed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256, Sha512};
use smallvec::SmallVec;

use crate::Message;
use crate::component::{Component, How};
use crate::reason::Reason;
use crate::structured::{Entry, InnerList, dictionary};

/// Name of the field.
const FIELD: &str = "content-digest";

/// The value of a `Content-Digest` line for a body, with SHA-256. A signer covers the line where a request has one.
///
/// ```
/// assert_eq!(bot_auth::content_digest(b""), "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:");
/// ```
///
/// Spec: RFC 9530, section 2; WBA-BODY-1.
#[must_use]
pub fn content_digest(body: &[u8]) -> String {
    format!("sha-256=:{}:", STANDARD.encode(Sha256::digest(body)))
}

/// The algorithms that are known.
const KNOWN: [&str; 2] = ["sha-256", "sha-512"];

/// What the `Content-Digest` of the header and that of the trailer say about the body of one message. The body is hashed
/// when the first signature asks, not for each: a request may have a hundred, of nobody.
#[derive(Debug, Default)]
pub(crate) struct BodyDigests([Option<Result<Found, Reason>>; 2]);

/// Which of the known algorithms the field has.
type Found = [bool; KNOWN.len()];

impl BodyDigests {
    /// Compares the body with a covered `Content-Digest`, of the header or of the trailer, where both are there: every digest
    /// of a known algorithm must match, and at least one covered digest must be of a known algorithm. The message is the same
    /// in each call.
    ///
    /// Spec: RFC 9530, section 5; WBA-BODY-1.
    pub(crate) fn check(&mut self, message: &Message<'_>, list: &InnerList<'_>) -> Result<(), Reason> {
        let Some(body) = message.known_body() else { return Ok(()) };
        for (in_trailer, compared) in [false, true].into_iter().zip(&mut self.0) {
            let covered = Covered::of(message, list, in_trailer);
            if !covered.is_some() {
                continue;
            }
            let found = *compared.get_or_insert_with(|| {
                let value = if in_trailer { message.joined_in_trailer(FIELD) } else { message.joined(FIELD) };
                compare(body, &value.unwrap_or_default())
            });
            let is_known = KNOWN.iter().zip(found?).any(|(name, is_there)| is_there && covered.has(name));
            if !is_known {
                return Err(Reason::DigestUnsupported);
            }
        }
        Ok(())
    }
}

/// Returns true if the signature covers the field of the header, whole or in part.
pub(crate) fn covers_digest(message: &Message<'_>, list: &InnerList<'_>) -> bool {
    Covered::of(message, list, false).is_some()
}

/// Which members of the field a signature covers.
#[derive(Default)]
struct Covered<'a> {
    all: bool,
    keys: SmallVec<[&'a str; 2]>,
}

impl<'a> Covered<'a> {
    fn of(message: &Message<'_>, list: &'a InnerList<'_>, in_trailer: bool) -> Self {
        let in_request = message.is_request();
        let mut covered = Covered::default();
        for item in &list.items {
            let component = Component::of(item, in_request).ok();
            match component.and_then(|component| component.covers_lines(FIELD, in_trailer)) {
                Some(How::Member { key }) => covered.keys.push(key),
                Some(How::AsSent | How::Strict | How::Bytes) => covered.all = true,
                None => {}
            }
        }
        covered
    }

    fn is_some(&self) -> bool {
        self.all || !self.keys.is_empty()
    }

    fn has(&self, name: &str) -> bool {
        self.all || self.keys.contains(&name)
    }
}

fn compare(body: &[u8], value: &[u8]) -> Result<Found, Reason> {
    let members = dictionary(value).map_err(|_| Reason::DigestUnsupported)?;
    let fits = |entry: &Entry<'_>, expected: &[u8]| match entry {
        Entry::Item(item) => item.bare.as_byte_sequence().is_some_and(|found| found == expected),
        Entry::Inner(_) => false,
    };
    let [sha256, sha512] = KNOWN.map(|name| members.get(name));
    let is_right = sha256.is_none_or(|entry| fits(entry, &Sha256::digest(body)))
        && sha512.is_none_or(|entry| fits(entry, &Sha512::digest(body)));
    if is_right { Ok([sha256.is_some(), sha512.is_some()]) } else { Err(Reason::DigestMismatch) }
}
