//! Canonical JSON, and where a text is not canonical yet.

use serde::Serialize;
use tct_canonical_json::{DeviationKind, JsonError, Profile, check_canonical, to_canonical};

use crate::failure::{Failure, Spot, kebab};

/// The profile of that name: `tct` (names by code points) or `rfc8785` (by UTF-16 code units).
///
/// # Errors
/// `bad-option` for another name.
pub fn profile(name: Option<&str>) -> Result<Profile, Failure> {
    match name {
        None | Some("tct") => Ok(Profile::Tct),
        Some("rfc8785") => Ok(Profile::Rfc8785),
        Some(other) => Err(Failure::new(
            "bad-option",
            format_args!("profile: expected \"tct\" or \"rfc8785\", found {other:?}"),
        )),
    }
}

/// The canonical form of one JSON text.
///
/// # Errors
/// A text that is not JSON or has no canonical form, with its place.
pub fn canonicalize(json: &[u8], profile: Profile) -> Result<String, Failure> {
    let bytes = to_canonical(json, profile).map_err(|error| failure(json, &error))?;
    // The canonical form of a JSON text is UTF-8; this is the check that turns bytes into a string.
    String::from_utf8(bytes).map_err(|error| Failure::new("invalid-utf8", error))
}

pub(crate) fn failure(json: &[u8], error: &JsonError) -> Failure {
    let place = error.offset().map(|offset| (json, offset));
    Failure::of(&error.kind(), error, place, Some(error.requirement()))
}

/// The first place where a text is not its own canonical form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotCanonical {
    /// `white-space`, `escape`, `number-form`, `member-order`, or the kind of the error of [`canonicalize`].
    pub code: String,
    /// What was expected there.
    pub message: String,
    /// Whether the text has no canonical form at all.
    pub refused: bool,
    /// The place.
    #[serde(flatten)]
    pub spot: Spot,
}

/// Where `json` is not canonical, or `None` where it is.
#[must_use]
pub fn check(json: &[u8], profile: Profile) -> Option<NotCanonical> {
    let deviation = check_canonical(json, profile)?;
    let (code, refused) = match deviation.kind() {
        DeviationKind::Refused(kind) => (kebab(&kind), true),
        kind => (kebab(&kind), false),
    };
    let spot = Spot::of(json, deviation.offset());
    Some(NotCanonical { code, message: deviation.to_string(), refused, spot })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_that_is_not_canonical() {
        let found = check("{\"é\":1, \"a\":2}".as_bytes(), Profile::Tct).unwrap();
        assert_eq!((found.code.as_str(), found.spot.offset, found.spot.index), ("white-space", 8, 7));
        let found = check(b"{\"a\":1,\"a\":2}", Profile::Tct).unwrap();
        assert_eq!((found.code.as_str(), found.refused), ("duplicate-member", true));
        assert_eq!(check(b"{\"a\":1}", Profile::Tct), None);
    }

    #[test]
    fn an_error_has_its_place() {
        let error = canonicalize("{\n \"é\": x}".as_bytes(), Profile::Tct).unwrap_err();
        let spot = error.spot.unwrap();
        assert_eq!((error.code.as_str(), spot.offset, spot.index, spot.line), ("unexpected-byte", 9, 8, 2));
        assert!(profile(Some("jcs")).is_err());
    }
}
