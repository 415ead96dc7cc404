//! `serde_json::Value` to canonical bytes, for programs that have one already.
//!
//! A `Value` keeps only one of several members with the same name, and its parser has rounded its numbers. If you
//! have the text, use [`to_canonical`](crate::to_canonical). Integers beyond ±(2^53 − 1) are refused as in any
//! typed value.
//!
//! ```
//! use tct_canonical_json::{Profile, value};
//!
//! let document = serde_json::json!({ "b": [1.0, null], "a": "x" });
//! assert_eq!(value::to_vec(&document, Profile::Tct)?, br#"{"a":"x","b":[1,null]}"#);
//! # Ok::<(), tct_canonical_json::JsonError>(())
//! ```

use alloc::vec::Vec;

use serde_json::{Number, Value};

use crate::arrange::Arrangement;
use crate::canonicalizer::Canonicalizer;
use crate::error::{JsonError, JsonErrorKind as Kind};
use crate::grammar::Container;
use crate::input::sealed::Input;
use crate::profile::Profile;
use crate::serialize::{State, run};

/// The canonical form of a tree, with the default limits. Nesting uses no stack.
///
/// # Errors
/// `UnsafeInteger`, `NumberOverflow`, `TooDeep` or `TooLarge`, with the path.
pub fn to_vec(value: &Value, profile: Profile) -> Result<Vec<u8>, JsonError> {
    Canonicalizer::new(profile).to_canonical(value)
}

impl Input for &Value {
    #[expect(private_interfaces, reason = "nobody else can name this trait")]
    fn append(self, canonicalizer: &Canonicalizer, out: &mut Vec<u8>) -> Result<Arrangement, JsonError> {
        out.reserve(128);
        run(canonicalizer, out, |state| walk(self, state))
    }
}

/// The rest of an open container.
enum Rest<'v> {
    Array(core::slice::Iter<'v, Value>),
    Object(serde_json::map::Iter<'v>),
}

fn walk(root: &Value, state: &mut State<'_>) -> Result<(), JsonError> {
    let mut open: Vec<Rest<'_>> = Vec::new();
    let mut value = root;
    loop {
        let mut first = false;
        match value {
            Value::Null => state.push(b"null"),
            Value::Bool(true) => state.push(b"true"),
            Value::Bool(false) => state.push(b"false"),
            Value::String(text) => state.string(text),
            Value::Number(number) => write_number(number, state)?,
            Value::Array(items) => {
                state.open(Container::Array)?;
                open.push(Rest::Array(items.iter()));
                first = true;
            }
            Value::Object(members) => {
                state.open(Container::Object)?;
                open.push(Rest::Object(members.iter()));
                first = true;
            }
        }
        state.check_size()?;
        // The next value, after closing what has none left.
        value = loop {
            let container = match open.last_mut() {
                None => return Ok(()),
                Some(Rest::Array(items)) => match items.next() {
                    Some(item) => {
                        if !first {
                            state.push(b",");
                            state.writer.item_ended();
                        }
                        break item;
                    }
                    None => Container::Array,
                },
                Some(Rest::Object(members)) => match members.next() {
                    Some((name, member)) => {
                        state.name(name, first);
                        break member;
                    }
                    None => Container::Object,
                },
            };
            state.close(container)?;
            open.pop();
            first = false;
        };
    }
}

fn write_number(number: &Number, state: &mut State<'_>) -> Result<(), JsonError> {
    if let Some(integer) = number.as_i64() {
        state.integer(integer)
    } else if let Some(integer) = number.as_u64() {
        state.integer(integer)
    } else if let Some(double) = number.as_f64() {
        state.double(double)
    } else {
        // Only with serde_json's `arbitrary_precision`.
        let expected = "a number within the range of a double";
        Err(JsonError::of_value(Kind::NumberOverflow, expected, &number))
    }
}
