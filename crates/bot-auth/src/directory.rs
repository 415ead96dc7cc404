//! The key directory: the keys of one agent, as they were published.

use core::fmt;
use std::collections::BTreeSet;

use jwk::{Jwk, JwkSet, KeyFault, PublicKey, Thumbprint};
use web_values::{MediaType, UnixSeconds};

use crate::Message;
use crate::agent::{DIRECTORY_PATH, Profile};
use crate::base::write_base;
use crate::component::{Component, Derived};
use crate::digest::{BodyDigests, covers_digest};
use crate::labels::{Found, SignatureFields};
use crate::params::{integer_param, text_param};
use crate::reason::Reason;
use crate::signature::{DEFAULT_SKEW_SECS, check_times};
use crate::target::Target;

/// Largest directory that is read, in bytes after decoding.
pub const MAX_DIRECTORY_BYTES: usize = 64 * 1024;

/// Most entries of a directory that is read.
pub const MAX_DIRECTORY_KEYS: usize = 100;

/// Media type of a key directory.
pub const DIRECTORY_MEDIA_TYPE: &str = "application/http-message-signatures-directory+json";

/// Tag of the signatures with which a directory proves that it has the keys.
pub const DIRECTORY_TAG: &str = "http-message-signatures-directory";

/// HTTP response to the request for a key directory or card.
#[derive(Debug, Clone, Copy)]
pub struct Fetched<'a> {
    /// The URL that the response came from. Redirects must not be followed; a followed one is
    /// detected here.
    pub url: &'a str,
    /// The status.
    pub status: u16,
    /// Header lines in order.
    pub headers: &'a [(&'a str, &'a [u8])],
    /// The body after decoding, at most a byte more than [`MAX_DIRECTORY_BYTES`].
    pub body: &'a [u8],
}

impl Fetched<'_> {
    /// Returns true if the status is a server error, which does not tell whether there is a directory.
    pub(crate) fn is_later(&self) -> bool {
        matches!(self.status, 0 | 408 | 421 | 425 | 429 | 500..)
    }
}

/// A key directory or other JWK Set, with a verdict on each entry.
///
/// Spec: WBA-DIR-1 to WBA-DIR-7, WBA-DISC-3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directory {
    url: Box<str>,
    is_well_known: bool,
    set: JwkSet,
    /// The verdict on each entry of the set: checked once, used for every request.
    checked: Vec<Result<PublicKey, KeyFault>>,
    proved: Vec<Thumbprint>,
}

/// Why a response is not a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum DirectoryError {
    /// A status other than 200, a redirect that was followed, or a URL that keys may not be fetched from.
    Status,
    /// The media type is not that of a key set.
    MediaType,
    /// More than 64 KiB or 100 keys.
    Size,
    /// Not a JSON object with a list `keys`, in UTF-8, each member once.
    Json,
}

impl DirectoryError {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            DirectoryError::Status => "directory-status",
            DirectoryError::MediaType => "directory-type",
            DirectoryError::Size => "directory-size",
            DirectoryError::Json => "directory-json",
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            DirectoryError::Status => "WBA-DISC-3",
            DirectoryError::MediaType => "WBA-DIR-2",
            DirectoryError::Size => "WBA-DIR-6",
            DirectoryError::Json => "WBA-DIR-1",
        }
    }
}

impl fmt::Display for DirectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DirectoryError::Status => "expected status 200 from the url asked for, found another response",
            DirectoryError::MediaType => "expected the media type of a key directory, found another",
            DirectoryError::Size => "expected at most 64 kib and 100 keys, found more",
            DirectoryError::Json => "expected a json object with a list `keys`, found something else",
        })
    }
}

impl core::error::Error for DirectoryError {}

/// Why a key of a directory is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum DirectoryKeyFault {
    /// Its private part was published with it.
    Secret,
    /// Its `kid` is not its thumbprint.
    Kid,
    /// It is not a key for signatures that this build verifies.
    Unusable,
    /// Its `nbf` or `exp` excludes now.
    NotCurrent,
}

impl DirectoryKeyFault {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            DirectoryKeyFault::Secret => "secret",
            DirectoryKeyFault::Kid => "kid",
            DirectoryKeyFault::Unusable => "unusable",
            DirectoryKeyFault::NotCurrent => "not-current",
        }
    }
}

impl fmt::Display for DirectoryKeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DirectoryKeyFault::Secret => "expected a public key, found one with its private part",
            DirectoryKeyFault::Kid => "expected the key's thumbprint as its name, found another text",
            DirectoryKeyFault::Unusable => "expected a key that this build verifies with, found another",
            DirectoryKeyFault::NotCurrent => "expected a key that is current, found one outside of its time",
        })
    }
}

impl Directory {
    /// Reads a response to `GET url`. `asked` is the URL that was asked for.
    ///
    /// # Errors
    /// [`DirectoryError`]. Entries that are not keys are kept as unusable ones.
    ///
    /// Spec: WBA-DISC-3, WBA-DIR-1 to WBA-DIR-3, WBA-DIR-6.
    pub fn read(
        asked: &str,
        response: &Fetched<'_>,
        profile: Profile,
        now: UnixSeconds,
    ) -> Result<Self, DirectoryError> {
        let target = Target::parse(asked).map_err(|_| DirectoryError::Status)?;
        if response.status != 200 || response.url != asked {
            return Err(DirectoryError::Status);
        }
        // As its identity is written: another spelling of the place has the same name, so it has the same rules.
        let is_well_known = target.normal_path() == DIRECTORY_PATH;
        check_media_type(response, is_well_known)?;
        let mut directory = Self::of_set(asked, response.body)?;
        directory.is_well_known = is_well_known;
        directory.proved = directory.proofs(response, profile, now);
        Ok(directory)
    }

    /// The keys of a card, or of any other trusted text with a JWK Set.
    pub(crate) fn of_set(url: &str, json: &[u8]) -> Result<Self, DirectoryError> {
        if json.len() > MAX_DIRECTORY_BYTES {
            return Err(DirectoryError::Size);
        }
        let set = JwkSet::parse_lenient(json, MAX_DIRECTORY_BYTES).map_err(|_| DirectoryError::Json)?;
        if set.keys().len() > MAX_DIRECTORY_KEYS {
            return Err(DirectoryError::Size);
        }
        let checked = set.keys().iter().map(Jwk::public_key).collect();
        Ok(Directory { url: url.into(), is_well_known: false, set, checked, proved: Vec::new() })
    }

    /// The URL that the keys came from.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The entries in order, each with the fault that makes it unusable, if any.
    pub fn keys(&self, now: UnixSeconds) -> impl Iterator<Item = (&Jwk, Option<DirectoryKeyFault>)> {
        self.entries().map(move |(key, checked)| (key, self.fault(key, checked, now)))
    }

    /// Thumbprints of the keys that signed this very response, sorted.
    ///
    /// Spec: WBA-DIR-7, WBA-KEY-3.
    #[must_use]
    pub fn proved(&self) -> &[Thumbprint] {
        &self.proved
    }

    fn entries(&self) -> impl Iterator<Item = (&Jwk, &Result<PublicKey, KeyFault>)> {
        self.set.keys().iter().zip(&self.checked)
    }

    fn fault(
        &self,
        key: &Jwk,
        checked: &Result<PublicKey, KeyFault>,
        now: UnixSeconds,
    ) -> Option<DirectoryKeyFault> {
        if key.has_private_members() {
            Some(DirectoryKeyFault::Secret)
        } else if self.is_well_known && !key.is_named_by_thumbprint() {
            Some(DirectoryKeyFault::Kid)
        } else if checked.is_err() {
            Some(DirectoryKeyFault::Unusable)
        } else if !key.is_current(now.0) {
            Some(DirectoryKeyFault::NotCurrent)
        } else {
            None
        }
    }

    /// The key with this thumbprint, ready to verify. If a set lists one key several times, one usable entry is
    /// enough, unless another one contains the private part.
    ///
    /// # Errors
    /// [`Reason::KeyUnknown`], [`Reason::KeyNotCurrent`], [`Reason::KeyUnusable`].
    ///
    /// Spec: WBA-KEY-1, WBA-KEY-2, WBA-DIR-3 to WBA-DIR-5.
    pub fn key(&self, thumbprint: Thumbprint, now: UnixSeconds) -> Result<&PublicKey, Reason> {
        let mut reason = Reason::KeyUnknown;
        let mut usable = None;
        for (key, checked) in self.entries().filter(|(key, _)| key.thumbprint() == Some(thumbprint)) {
            match self.fault(key, checked, now) {
                Some(DirectoryKeyFault::Secret) => return Err(Reason::KeyUnusable(None)),
                Some(_) if reason != Reason::KeyUnknown => {}
                Some(DirectoryKeyFault::NotCurrent) => reason = Reason::KeyNotCurrent,
                Some(DirectoryKeyFault::Unusable) => {
                    reason = Reason::KeyUnusable(checked.as_ref().err().copied())
                }
                Some(DirectoryKeyFault::Kid) => reason = Reason::KeyUnusable(None),
                None => usable = checked.as_ref().ok(),
            }
        }
        usable.ok_or(reason)
    }

    fn proofs(&self, response: &Fetched<'_>, profile: Profile, now: UnixSeconds) -> Vec<Thumbprint> {
        let (Ok(request), Ok(message)) =
            (Message::request("GET", &self.url), Message::response(response.status))
        else {
            return Vec::new();
        };
        let message =
            message.answering(&request).headers(response.headers.iter().copied()).body(response.body);
        let fields = SignatureFields::of(&message);
        let Ok(labels) = fields.read() else { return Vec::new() };
        let mut digests = BodyDigests::default();
        let proved: BTreeSet<Thumbprint> = labels
            .all()
            .iter()
            .filter_map(|found| self.proof(&message, found, profile, &mut digests, now))
            .collect();
        // The text order of base64url is not that of the bytes.
        let mut proved: Vec<Thumbprint> = proved.into_iter().collect();
        proved.sort_by_key(Thumbprint::to_string);
        proved
    }

    /// The key of a signature on the directory response that proves possession of that key.
    ///
    /// Spec: WBA-DIR-7, WBA-AMB-26.
    fn proof(
        &self,
        message: &Message<'_>,
        found: &Found<'_, '_>,
        profile: Profile,
        digests: &mut BodyDigests,
        now: UnixSeconds,
    ) -> Option<Thumbprint> {
        let (list, signature) = found.parts().ok()?;
        let params = &list.params;
        if text_param(params, "tag") != Some(DIRECTORY_TAG) {
            return None;
        }
        let (created, expires) = (integer_param(params, "created")?, integer_param(params, "expires")?);
        if expires <= created {
            return None;
        }
        let is_authority =
            |item| Component::of(item, false).is_ok_and(|it| it.is_derived_of_request(Derived::Authority));
        if !list.items.iter().any(is_authority)
            || (profile == Profile::Ietf01 && !covers_digest(message, list))
        {
            return None;
        }
        check_times(list, DEFAULT_SKEW_SECS, None, now).ok()?;
        let thumbprint: Thumbprint = text_param(params, "keyid")?.parse().ok()?;
        let key = self.key(thumbprint, now).ok()?;
        if text_param(params, "alg").is_some_and(|alg| alg != key.algorithm().http_name()) {
            return None;
        }
        let mut base = String::new();
        write_base(message, list, &mut base).ok()?;
        let is_right = key.verifies(base.as_bytes(), signature) && digests.check(message, list).is_ok();
        is_right.then_some(thumbprint)
    }
}

/// Spec: WBA-DIR-2, WBA-AMB-24.
fn check_media_type(response: &Fetched<'_>, is_well_known: bool) -> Result<(), DirectoryError> {
    let accepted: &[&str] = if is_well_known {
        &[DIRECTORY_MEDIA_TYPE]
    } else {
        &[DIRECTORY_MEDIA_TYPE, "application/jwk-set+json", "application/json"]
    };
    let mut lines = response.headers.iter().filter(|line| line.0.eq_ignore_ascii_case("content-type"));
    let (Some((_, value)), None) = (lines.next(), lines.next()) else {
        return Err(DirectoryError::MediaType);
    };
    let media_type = core::str::from_utf8(value).ok().and_then(MediaType::parse);
    let is_accepted = media_type.is_some_and(|media_type| accepted.contains(&media_type.essence()));
    if is_accepted { Ok(()) } else { Err(DirectoryError::MediaType) }
}

/// The body of a key directory: the public keys in order, each with its thumbprint as `kid`, private parts left out.
///
/// Spec: WBA-DIR-4, WBA-DIR-8.
///
/// [`KeySchedule`](crate::KeySchedule) writes the body of keys that follow one another.
#[must_use]
pub fn directory_body<'a>(keys: impl IntoIterator<Item = &'a jwk::SigningKey>) -> String {
    let keys: Vec<String> = keys.into_iter().map(jwk::SigningKey::to_directory_jwk).collect();
    format!("{{\"keys\":[{}]}}", keys.join(","))
}
