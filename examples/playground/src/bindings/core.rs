//! Fingerprints and canonical JSON.

use wasm_bindgen::prelude::*;

use super::{bytes, object, string, throw};
use crate::{canonical, text};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Which order the members of an object take: by code points (TCT), or by UTF-16 code units (RFC 8785). */
export type Profile = "tct" | "rfc8785";

/** The first place where a text is not canonical. */
export interface NotCanonical extends Spot {
  /** `white-space`, `escape`, `number-form`, `member-order`, or the kind of the error that `canonicalize` throws. */
  kind: string;
  message: string;
  /** Whether the text has no canonical form at all. */
  refused: boolean;
}
"#;

/// The fingerprint of a text: `sha256-` and 64 hex digits, over the text after the six steps of TCT's normalisation.
///
/// # Errors
/// Bytes that are not UTF-8, a string with half a surrogate pair.
#[wasm_bindgen]
pub fn fingerprint(#[wasm_bindgen(unchecked_param_type = "Text")] text: &JsValue) -> Result<String, JsValue> {
    if text.is_string() {
        return Ok(text::fingerprint(&string(text)?));
    }
    let bytes = bytes(text)?;
    match tct_fingerprint::fingerprint_utf8(&bytes) {
        Ok(fingerprint) => Ok(fingerprint.to_string()),
        Err(error) => {
            let place = Some((bytes.as_slice(), error.offset()));
            Err(throw(&crate::Failure::of(
                &tct_canonical_json::JsonErrorKind::InvalidUtf8,
                error,
                place,
                None,
            )))
        }
    }
}

/// The text after the six steps of TCT's normalisation.
///
/// # Errors
/// A string with half a surrogate pair.
#[wasm_bindgen]
pub fn normalize(#[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue) -> Result<String, JsValue> {
    Ok(text::normalize(&string(text)?))
}

/// The canonical form of a JSON text: `tct` unless another profile is asked for.
///
/// # Errors
/// A text that is not JSON, or has no canonical form: with `kind`, place and requirement.
#[wasm_bindgen]
pub fn canonicalize(
    #[wasm_bindgen(unchecked_param_type = "Text")] json: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Profile")] profile: Option<String>,
) -> Result<String, JsValue> {
    let profile = canonical::profile(profile.as_deref()).map_err(|failure| throw(&failure))?;
    canonical::canonicalize(&bytes(json)?, profile).map_err(|failure| throw(&failure))
}

/// The first place where a JSON text is not its own canonical form; `undefined` where it is.
///
/// # Errors
/// An unknown profile, a string with half a surrogate pair.
#[wasm_bindgen(js_name = checkCanonical, unchecked_return_type = "NotCanonical | undefined")]
pub fn check_canonical(
    #[wasm_bindgen(unchecked_param_type = "Text")] json: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Profile")] profile: Option<String>,
) -> Result<JsValue, JsValue> {
    let profile = canonical::profile(profile.as_deref()).map_err(|failure| throw(&failure))?;
    canonical::check(&bytes(json)?, profile).map_or(Ok(JsValue::UNDEFINED), |found| object(&found))
}
