//! Typed access to the members of a request's `in`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::OpError;

/// The members of a request's `in`, or of an object in it. A missing or mistyped one is an error of kind `bad-request`; `null` is
/// absent. Methods that end in `_opt` read members that may be absent.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a>(&'a Map<String, Value>);

impl<'a> Input<'a> {
    /// Wraps the object `in` of a request.
    pub fn new(members: &'a Map<String, Value>) -> Self {
        Input(members)
    }

    /// Reads the members of an object below `in`; `name` is for the message.
    ///
    /// # Errors
    /// `bad-request` where it is not an object.
    pub fn of(value: &'a Value, name: &str) -> Result<Self, OpError> {
        value.as_object().map(Input).ok_or_else(|| bad(name, "an object", Some(value)))
    }

    /// The member with what says "nothing" there; `None` for null.
    ///
    /// # Errors
    /// `bad-request` where it is absent.
    pub fn nullable(&self, name: &str) -> Result<Option<&'a Value>, OpError> {
        self.0
            .get(name)
            .map(|value| Some(value).filter(|value| !value.is_null()))
            .ok_or_else(|| bad(name, "a value", None))
    }

    /// The member, unless it is absent or null.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// The member, whatever its type.
    ///
    /// # Errors
    /// `bad-request` where it is absent.
    pub fn value(&self, name: &str) -> Result<&'a Value, OpError> {
        self.get(name).ok_or_else(|| bad(name, "a value", None))
    }

    /// The string member.
    ///
    /// # Errors
    /// `bad-request` where it is absent or no string.
    pub fn text(&self, name: &str) -> Result<&'a str, OpError> {
        let value = self.value(name)?;
        value.as_str().ok_or_else(|| bad(name, "a string", Some(value)))
    }

    /// The string member, or `None` where it is absent.
    ///
    /// # Errors
    /// `bad-request` where it is not a string.
    pub fn text_opt(&self, name: &str) -> Result<Option<&'a str>, OpError> {
        self.get(name).map(|_| self.text(name)).transpose()
    }

    /// The bytes of a base64 member.
    ///
    /// # Errors
    /// `bad-request` where it is absent or no base64 string.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, OpError> {
        let text = self.text(name)?;
        STANDARD.decode(text).map_err(|error| OpError::new("bad-request", format!("in.{name}: {error}")))
    }

    /// The bytes of a base64 member, or `None` where it is absent.
    ///
    /// # Errors
    /// `bad-request` where it is no base64 string.
    pub fn bytes_opt(&self, name: &str) -> Result<Option<Vec<u8>>, OpError> {
        self.get(name).map(|_| self.bytes(name)).transpose()
    }

    /// The non-negative integer member, or `None` where it is absent.
    ///
    /// # Errors
    /// `bad-request` where it is no such number.
    pub fn u64_opt(&self, name: &str) -> Result<Option<u64>, OpError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_u64().map(Some).ok_or_else(|| bad(name, "a non-negative integer", Some(value)))
    }

    /// The non-negative integer member.
    ///
    /// # Errors
    /// `bad-request` where it is absent or no such number.
    pub fn u64(&self, name: &str) -> Result<u64, OpError> {
        self.u64_opt(name)?.ok_or_else(|| bad(name, "a non-negative integer", None))
    }

    /// A status of a response, or 0 for none.
    ///
    /// # Errors
    /// `bad-request` where it is absent, or no number of at most 999.
    pub fn status(&self, name: &str) -> Result<u16, OpError> {
        let status = u16::try_from(self.u64(name)?).ok().filter(|status| *status <= 999);
        status.ok_or_else(|| bad(name, "an HTTP status", self.get(name)))
    }

    /// The array member's items.
    ///
    /// # Errors
    /// `bad-request` where it is absent or not an array.
    pub fn array(&self, name: &str) -> Result<&'a [Value], OpError> {
        let value = self.value(name)?;
        value.as_array().map(Vec::as_slice).ok_or_else(|| bad(name, "an array", Some(value)))
    }

    /// The objects in an array member.
    ///
    /// # Errors
    /// `bad-request` where it is absent or not an array of objects.
    pub fn objects(&self, name: &str) -> Result<Vec<Input<'a>>, OpError> {
        self.array(name)?.iter().map(|item| Input::of(item, name)).collect()
    }

    /// The members of an object member, or `None` where it is absent.
    ///
    /// # Errors
    /// `bad-request` where it is not an object.
    pub fn object_opt(&self, name: &str) -> Result<Option<&'a Map<String, Value>>, OpError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_object().map(Some).ok_or_else(|| bad(name, "an object", Some(value)))
    }

    /// The members of an object member.
    ///
    /// # Errors
    /// `bad-request` where it is absent or not an object.
    pub fn object(&self, name: &str) -> Result<&'a Map<String, Value>, OpError> {
        self.object_opt(name)?.ok_or_else(|| bad(name, "an object", None))
    }

    /// The strings of an array member.
    ///
    /// # Errors
    /// `bad-request` where it is absent or not an array of strings.
    pub fn texts(&self, name: &str) -> Result<Vec<&'a str>, OpError> {
        let text = |item: &'a Value| item.as_str().ok_or_else(|| bad(name, "strings", Some(item)));
        self.array(name)?.iter().map(text).collect()
    }

    /// The strings of an array member; none where it is absent.
    ///
    /// # Errors
    /// `bad-request` where it is not an array of strings.
    pub fn texts_opt(&self, name: &str) -> Result<Vec<&'a str>, OpError> {
        self.get(name).map_or(Ok(Vec::new()), |_| self.texts(name))
    }

    /// The boolean member.
    ///
    /// # Errors
    /// `bad-request` where it is absent or no boolean.
    pub fn bool(&self, name: &str) -> Result<bool, OpError> {
        self.bool_opt(name)?.ok_or_else(|| bad(name, "a boolean", None))
    }

    /// The boolean member, or `None` where it is absent.
    ///
    /// # Errors
    /// `bad-request` where it is no boolean.
    pub fn bool_opt(&self, name: &str) -> Result<Option<bool>, OpError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| bad(name, "a boolean", Some(value)))
    }

    /// The `[name, value]` pairs of a header list; none where the member is absent.
    ///
    /// # Errors
    /// `bad-request` where it is not an array of pairs of strings.
    pub fn pairs_opt(&self, name: &str) -> Result<Vec<(&'a str, &'a str)>, OpError> {
        self.get(name).map_or(Ok(Vec::new()), |_| self.pairs(name))
    }

    /// The `[name, value]` pairs of a header list.
    ///
    /// # Errors
    /// `bad-request` where it is absent or not an array of pairs of strings.
    pub fn pairs(&self, name: &str) -> Result<Vec<(&'a str, &'a str)>, OpError> {
        self.array(name)?
            .iter()
            .map(|pair| match pair.as_array().map(Vec::as_slice) {
                Some([Value::String(name), Value::String(value)]) => Ok((name.as_str(), value.as_str())),
                _ => Err(bad(name, "pairs of strings", Some(pair))),
            })
            .collect()
    }
}

/// Standard base64 of `bytes`, as the protocol carries them.
pub fn base64(bytes: &[u8]) -> Value {
    Value::String(STANDARD.encode(bytes))
}

fn bad(name: &str, expected: &str, found: Option<&Value>) -> OpError {
    let found = match found {
        None => "nothing",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "a boolean",
        Some(Value::Number(_)) => "a number",
        Some(Value::String(_)) => "a string",
        Some(Value::Array(_)) => "an array",
        Some(Value::Object(_)) => "an object",
    };
    OpError::new("bad-request", format!("in.{name}: expected {expected}, found {found}"))
}
