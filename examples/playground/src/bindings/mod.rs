//! The border: what JavaScript calls, and how values cross it.
//!
//! Texts come in as strings or as `Uint8Array`. A string with half a surrogate pair is refused: the engine would hand
//! over U+FFFD in its place, and the fingerprint of a text that nobody wrote would come out. Structured answers are
//! written as JSON and parsed by the engine, which is faster than setting members one by one.

mod core;
#[cfg(feature = "full")]
mod full;

use js_sys::{Error, JSON, JsString, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

pub use self::core::{canonicalize, check_canonical, fingerprint, normalize};
#[cfg(feature = "full")]
pub use self::full::{
    Robots, Visit, document, extract, llms_txt, markdown, normalization_steps, render_markdown, respond,
    validate,
};

use crate::Failure;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A place in a text, in every unit that a caller may count by. */
export interface Spot {
  /** Bytes of UTF-8 before it. */
  offset: number;
  /** Index into the JavaScript string. */
  index: number;
  /** Line, from 1. */
  line: number;
  /** Column in characters, from 1. */
  column: number;
}

/** What every function throws where it has no answer. */
export interface AiwebError extends Error, Partial<Spot> {
  name: "AiwebError";
  /** Stable name in kebab case, such as `duplicate-member`. */
  kind: string;
  /** The ID of the requirement behind it. */
  requirement?: string;
}

/** Text, or its bytes. */
export type Text = string | Uint8Array;
"#;

#[wasm_bindgen]
extern "C" {
    /// A string that can say whether it is well-formed UTF-16: Node 20, and browsers since 2023.
    #[wasm_bindgen(js_name = String)]
    type WellFormed;

    #[wasm_bindgen(method, js_name = isWellFormed)]
    fn is_well_formed(this: &WellFormed) -> bool;

    /// The engine's own way from strings to UTF-8.
    type TextEncoder;

    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;

    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsValue) -> Uint8Array;
}

thread_local! {
    static ENCODER: TextEncoder = TextEncoder::new();
}

/// Code units from which the engine's encoder is faster than the loop over characters that wasm-bindgen brings.
const LONG: u32 = 200;

fn malformed() -> JsValue {
    throw(&Failure::new("lone-surrogate", "expected a well-formed string, found half a surrogate pair"))
}

/// A string's text.
fn string(value: &JsValue) -> Result<String, JsValue> {
    if !value.is_string() {
        return Err(throw(&Failure::new("bad-argument", "expected a string")));
    }
    String::from_utf8(encoded(value)?).map_err(|_| malformed())
}

/// The bytes of a string or of a `Uint8Array`.
fn bytes(value: &JsValue) -> Result<Vec<u8>, JsValue> {
    if value.is_string() {
        return encoded(value);
    }
    match value.dyn_ref::<Uint8Array>() {
        Some(bytes) => Ok(bytes.to_vec()),
        None => Err(throw(&Failure::new("bad-argument", "expected a string or a Uint8Array"))),
    }
}

/// A string as UTF-8, unless it has half a surrogate pair.
fn encoded(string: &JsValue) -> Result<Vec<u8>, JsValue> {
    if !string.unchecked_ref::<WellFormed>().is_well_formed() {
        return Err(malformed());
    }
    match string.unchecked_ref::<JsString>().length() < LONG {
        true => Ok(string.as_string().unwrap_or_default().into_bytes()),
        false => Ok(ENCODER.with(|encoder| encoder.encode(string).to_vec())),
    }
}

/// The `Error` of a failure.
fn throw(failure: &Failure) -> JsValue {
    let error = Error::new(&failure.message);
    error.set_name("AiwebError");
    let set = |name: &str, value: JsValue| {
        // An object that was just made takes members.
        let _ = Reflect::set(&error, &name.into(), &value);
    };
    set("kind", failure.kind.as_str().into());
    if let Some(spot) = failure.spot {
        set("offset", spot.offset.into());
        set("index", spot.index.into());
        set("line", spot.line.into());
        set("column", spot.column.into());
    }
    if let Some(requirement) = failure.requirement {
        set("requirement", requirement.into());
    }
    error.into()
}

/// A value as a plain object.
fn object(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let json = serde_json::to_string(value).map_err(|error| throw(&Failure::new("answer", error)))?;
    JSON::parse(&json)
}

/// The JSON text of a caller's object; `{}` for none.
#[cfg(feature = "full")]
fn options<T: for<'de> serde::Deserialize<'de>>(value: &JsValue) -> Result<T, JsValue> {
    let json = match value.is_undefined() || value.is_null() {
        true => "{}".to_owned(),
        false => JSON::stringify(value)?.as_string().unwrap_or_default(),
    };
    serde_json::from_str(&json).map_err(|error| throw(&Failure::new("bad-option", error)))
}
