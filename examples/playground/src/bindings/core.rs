//! Fingerprints and canonical JSON.

use tct_canonical_json::Profile;
use wasm_bindgen::prelude::*;

use super::{bytes, expected, named, object, string, throw};
use crate::{canonical, text};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Which order the members of an object take: by code points (TCT), or by UTF-16 code units (RFC 8785). */
export type Profile = "tct" | "rfc8785";

/** The first place where a text is not canonical. */
export interface NotCanonical extends Spot {
  /** `white-space`, `escape`, `number-form`, `member-order`, or the kind of the error that `canonicalize` throws. */
  code: string;
  message: string;
  /** Whether the text has no canonical form at all. */
  refused: boolean;
}

/** One step of the normalisation. */
export interface NormalizationStep {
  name: "decoded" | "composed" | "folded" | "cleaned" | "collapsed" | "trimmed";
  /** The text after the step. */
  text: string;
  /** What it changed: start and end before, start and end after, as indexes into the two strings. */
  changes: [number, number, number, number][];
}

/** The six steps, and the fingerprint of the text after the last. */
export interface NormalizationSteps {
  steps: NormalizationStep[];
  fingerprint: string;
}
"#;

/// The fingerprint of a text: `sha256-` and 64 hex digits, over the text after the six steps of TCT's normalisation.
///
/// # Errors
/// Bytes that are not UTF-8, a string with half a surrogate pair.
#[wasm_bindgen]
pub fn fingerprint(#[wasm_bindgen(unchecked_param_type = "Text")] text: &JsValue) -> Result<String, JsValue> {
    if text.is_string() {
        return Ok(text::fingerprint(&string(text, "text")?));
    }
    let bytes = bytes(text, "text")?;
    match tct_fingerprint::fingerprint_utf8(&bytes) {
        Ok(fingerprint) => Ok(fingerprint.to_string()),
        Err(error) => {
            let place = Some((bytes.as_slice(), error.offset()));
            let kind = tct_canonical_json::JsonErrorKind::InvalidUtf8;
            Err(named(&crate::Failure::of(&kind, error, place, None), "text"))
        }
    }
}

/// The text after the six steps of TCT's normalisation.
///
/// # Errors
/// A string with half a surrogate pair.
#[wasm_bindgen]
pub fn normalize(#[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue) -> Result<String, JsValue> {
    Ok(text::normalize(&string(text, "text")?))
}

/// The profile that a caller names.
fn profile(name: &JsValue) -> Result<Profile, JsValue> {
    let name = match name.is_undefined() || name.is_null() {
        true => None,
        false if name.is_string() => Some(string(name, "profile")?),
        // What `map` passes beside the text is its index.
        false => {
            let wanted = "\"tct\" or \"rfc8785\"; for a list write texts.map((text) => canonicalize(text))";
            return Err(expected(wanted, "profile", name));
        }
    };
    canonical::profile(name.as_deref()).map_err(|failure| named(&failure, "profile"))
}

/// The canonical form of a JSON text: `tct`, which sorts members by code points, unless another profile is asked for.
///
/// # Errors
/// A text that is not JSON, or has no canonical form: with `code`, place and requirement.
#[wasm_bindgen]
pub fn canonicalize(
    #[wasm_bindgen(unchecked_param_type = "Text")] json: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Profile")] profile: &JsValue,
) -> Result<String, JsValue> {
    let profile = self::profile(profile)?;
    canonical::canonicalize(&bytes(json, "json")?, profile).map_err(|failure| throw(&failure))
}

/// The first place where a JSON text is not its own canonical form; `undefined` where it is.
///
/// # Errors
/// An unknown profile, a string with half a surrogate pair.
#[wasm_bindgen(js_name = checkCanonical, unchecked_return_type = "NotCanonical | undefined")]
pub fn check_canonical(
    #[wasm_bindgen(unchecked_param_type = "Text")] json: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Profile")] profile: &JsValue,
) -> Result<JsValue, JsValue> {
    let profile = self::profile(profile)?;
    canonical::check(&bytes(json, "json")?, profile).map_or(Ok(JsValue::UNDEFINED), |found| object(&found))
}

/// The text after each of the six steps, with what each changed. For people; `fingerprint` is many times faster.
///
/// # Errors
/// A string with half a surrogate pair.
#[wasm_bindgen(js_name = normalizationSteps, unchecked_return_type = "NormalizationSteps")]
pub fn normalization_steps(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
) -> Result<JsValue, JsValue> {
    object(&text::steps(&string(text, "text")?))
}
