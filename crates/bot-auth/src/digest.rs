//! `Content-Digest`: whether a body is the one that was signed.

use sha2::{Digest as _, Sha256, Sha512};

use crate::Message;
use crate::component::Component;
use crate::reason::Reason;
use crate::structured::{Entry, InnerList, dictionary};

/// Compares the body with a covered `Content-Digest`, where both are there: every digest that is known must fit, and
/// one must be known.
///
/// Spec: RFC 9530, section 5; WBA-BODY-1.
pub(crate) fn check_body(message: &Message<'_>, list: &InnerList<'_>) -> Result<(), Reason> {
    if covers_digest(message, list) { compare(message) } else { Ok(()) }
}

pub(crate) fn covers_digest(message: &Message<'_>, list: &InnerList<'_>) -> bool {
    let in_request = message.is_request();
    list.items.iter().any(|item| {
        let component = Component::of(item, in_request).ok();
        component.and_then(|component| component.covers_field("content-digest")).is_some()
    })
}

fn compare(message: &Message<'_>) -> Result<(), Reason> {
    let Some(body) = message.known_body() else { return Ok(()) };
    let value = message.joined("content-digest").unwrap_or_default();
    let members = dictionary(&value).map_err(|_| Reason::DigestUnsupported)?;
    let mut is_known = false;
    for (name, entry, _) in members.iter() {
        let expected: &[u8] = match name {
            "sha-256" => &Sha256::digest(body),
            "sha-512" => &Sha512::digest(body),
            _ => continue,
        };
        is_known = true;
        let fits = match entry {
            Entry::Item(item) => item.bare.as_byte_sequence().is_some_and(|found| found == expected),
            Entry::Inner(_) => false,
        };
        if !fits {
            return Err(Reason::DigestMismatch);
        }
    }
    if is_known { Ok(()) } else { Err(Reason::DigestUnsupported) }
}
