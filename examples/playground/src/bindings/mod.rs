//! The border: what JavaScript calls, and how values cross it.
//!
//! Every argument is a `JsValue` that is looked at here: the code that wasm-bindgen writes for `&str` and numbers takes
//! any value for one of its type, and reads memory by its `length`. Whatever the value, the answer is a result or an
//! `AiwebError` that names the argument.
//!
//! Texts come in as strings or as bytes. A string with half a surrogate pair is refused: the engine would hand
//! over U+FFFD in its place, and the fingerprint of a text that nobody wrote would come out. Structured answers are
//! written as JSON and parsed by the engine, which is faster than setting members one by one.

#[cfg(feature = "checks")]
mod checks;
mod core;
#[cfg(feature = "full")]
mod full;

use js_sys::{ArrayBuffer, Error, JSON, JsString, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;

#[cfg(feature = "checks")]
pub use self::checks::{Robots, llms_txt, validate};
pub use self::core::{canonicalize, check_canonical, fingerprint, normalization_steps, normalize};
#[cfg(feature = "full")]
pub use self::full::{Visit, document, extract, markdown, render_markdown, respond};

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
  /** Stable name in kebab case, such as `duplicate-member`; `bad-argument` for a value of another type. */
  code: string;
  /** The name of the parameter whose value was refused. */
  argument?: string;
  /** The ID of the requirement behind it. */
  requirement?: string;
}

/** Text, or its bytes in UTF-8. */
export type Text = string | ArrayBuffer | ArrayBufferView;
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

    /// Any typed array or `DataView`.
    type View;

    #[wasm_bindgen(method, getter)]
    fn buffer(this: &View) -> JsValue;
    #[wasm_bindgen(method, getter, catch, js_name = byteOffset)]
    fn byte_offset(this: &View) -> Result<f64, JsValue>;
    #[wasm_bindgen(method, getter, catch, js_name = byteLength)]
    fn byte_length(this: &View) -> Result<f64, JsValue>;

    /// Throws for a proxy that was revoked.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> Result<bool, JsValue>;

    /// `new Uint8Array(…)`, which throws for a buffer that was given away.
    #[wasm_bindgen(js_name = Uint8Array)]
    type Bytes;

    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn whole(buffer: &JsValue) -> Result<Bytes, JsValue>;
    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn part(buffer: &JsValue, offset: f64, length: f64) -> Result<Bytes, JsValue>;
}

thread_local! {
    static ENCODER: TextEncoder = TextEncoder::new();
}

/// Code units from which the engine's encoder is faster than the loop over characters that wasm-bindgen brings.
const LONG: u32 = 200;

fn malformed(argument: &str) -> JsValue {
    refused("lone-surrogate", argument, "expected a well-formed string, found half a surrogate pair")
}

/// A value that a parameter does not take.
fn refused(code: &str, argument: &str, message: impl std::fmt::Display) -> JsValue {
    named(&Failure::new(code, format_args!("{argument}: {message}")), argument)
}

/// What a value is, for messages. Never calls code of the caller's.
fn kind_of(value: &JsValue) -> String {
    if value.is_null() {
        return "null".to_owned();
    }
    match value.js_typeof().as_string().as_deref() {
        Some("undefined") => "undefined".to_owned(),
        Some("object") if is_array(value) == Ok(true) => "an array".to_owned(),
        Some("object") => "an object".to_owned(),
        Some(other) => format!("a {other}"),
        None => "another value".to_owned(),
    }
}

fn expected(wanted: &str, argument: &str, value: &JsValue) -> JsValue {
    refused("bad-argument", argument, format_args!("expected {wanted}, found {}", kind_of(value)))
}

/// A string's text.
fn string(value: &JsValue, argument: &str) -> Result<String, JsValue> {
    if !value.is_string() {
        return Err(expected("a string", argument, value));
    }
    String::from_utf8(encoded(value, argument)?).map_err(|_| malformed(argument))
}

/// The text of a string that may be left out, by `undefined` or `null`.
#[cfg(feature = "full")]
fn optional(value: &JsValue, argument: &str) -> Result<Option<String>, JsValue> {
    match value.is_undefined() || value.is_null() {
        true => Ok(None),
        false => string(value, argument).map(Some),
    }
}

/// The bytes of a string, a buffer, or a view of one.
fn bytes(value: &JsValue, argument: &str) -> Result<Vec<u8>, JsValue> {
    if value.is_string() {
        return encoded(value, argument);
    }
    let taken = if ArrayBuffer::is_view(value) {
        // Not by `instanceof`, which another realm's arrays do not pass.
        let view = value.unchecked_ref::<View>();
        let part = |(offset, length)| Bytes::part(&view.buffer(), offset, length);
        view.byte_offset().and_then(|offset| Ok((offset, view.byte_length()?))).and_then(part)
    } else if tag(value).is_some_and(|tag| tag == "ArrayBuffer" || tag == "SharedArrayBuffer") {
        Bytes::whole(value)
    } else {
        return Err(expected("a string, a Uint8Array or an ArrayBuffer", argument, value));
    };
    match taken {
        Ok(bytes) => Ok(bytes.unchecked_into::<Uint8Array>().to_vec()),
        Err(_) => {
            Err(refused("bad-argument", argument, "expected bytes, found a buffer that cannot be read"))
        }
    }
}

/// What an object calls itself, such as `URL`; whichever realm it is from.
fn tag(value: &JsValue) -> Option<String> {
    let tag = Reflect::get(value, &js_sys::Symbol::to_string_tag()).ok()?;
    tag.as_string()
}

/// A string as UTF-8, unless it has half a surrogate pair.
fn encoded(string: &JsValue, argument: &str) -> Result<Vec<u8>, JsValue> {
    if !string.unchecked_ref::<WellFormed>().is_well_formed() {
        return Err(malformed(argument));
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
    set("code", failure.code.as_str().into());
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

/// The same, about an argument.
fn named(failure: &Failure, argument: &str) -> JsValue {
    let error = throw(failure);
    let _ = Reflect::set(&error, &"argument".into(), &argument.into());
    error
}

/// A value as a plain object.
fn object(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let json = serde_json::to_string(value).map_err(|error| throw(&Failure::new("answer", error)))?;
    JSON::parse(&json)
}

/// A path or URL: a string, or a `URL` object.
#[cfg(feature = "checks")]
fn address(value: &JsValue, argument: &str) -> Result<String, JsValue> {
    match value.is_object() && tag(value).as_deref() == Some("URL") {
        true => string(&member(value, "href", argument)?, argument),
        false if value.is_string() => string(value, argument),
        false => Err(expected("a string or a URL", argument, value)),
    }
}

/// A caller's iterator may never end.
#[cfg(feature = "checks")]
const MOST_ITEMS: usize = 10_000;

/// The items of an array, whichever realm it is from; `None` for another value.
#[cfg(feature = "checks")]
fn items(value: &JsValue, argument: &str) -> Result<Option<Vec<JsValue>>, JsValue> {
    match is_array(value) {
        Ok(true) => iterated(value, argument),
        _ => Ok(None),
    }
}

/// What can be iterated; `None` for another value.
#[cfg(feature = "checks")]
fn iterated(value: &JsValue, argument: &str) -> Result<Option<Vec<JsValue>>, JsValue> {
    let unreadable = |_| refused("bad-argument", argument, "its items cannot be read");
    match js_sys::try_iter(value).map_err(unreadable)? {
        Some(items) => items.take(MOST_ITEMS).collect::<Result<_, _>>().map(Some).map_err(unreadable),
        None => Ok(None),
    }
}

/// A member of a caller's object, whose getters may throw.
#[cfg(feature = "checks")]
fn member(object: &JsValue, name: &str, argument: &str) -> Result<JsValue, JsValue> {
    Reflect::get(object, &name.into())
        .map_err(|_| refused("bad-argument", argument, format_args!("{name} cannot be read")))
}

/// A caller's object, by way of its JSON text; `{}` for none.
#[cfg(feature = "full")]
fn options<T: for<'de> serde::Deserialize<'de>>(value: &JsValue, argument: &str) -> Result<T, JsValue> {
    let json = if value.is_undefined() || value.is_null() {
        Some("{}".to_owned())
    } else if !value.is_object() || is_array(value) == Ok(true) {
        return Err(expected("an object", argument, value));
    } else {
        let json = JSON::stringify(value);
        json.map_err(|_| refused("bad-argument", argument, "has no JSON form"))?.as_string()
    };
    serde_json::from_str(&json.unwrap_or_default()).map_err(|error| {
        // The place is one in a text that the caller has never seen.
        let message = error.to_string();
        refused(
            "bad-option",
            argument,
            message.rsplit_once(" at line ").map_or(message.as_str(), |cut| cut.0),
        )
    })
}

/// A number of seconds from zero on.
#[cfg(feature = "full")]
fn seconds(value: &JsValue, argument: &str) -> Result<u64, JsValue> {
    match value.as_f64() {
        // A cast saturates.
        Some(number) if number >= 0.0 => Ok(number as u64),
        Some(number) => {
            Err(refused("bad-argument", argument, format_args!("expected seconds, found {number}")))
        }
        None => Err(expected("a number", argument, value)),
    }
}
