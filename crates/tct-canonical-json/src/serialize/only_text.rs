//! Values that have to be texts: map keys, and the fields by which `serde_json` passes texts through serde's data model.

use alloc::string::ToString;
use core::fmt::{self, Display, Write as _};

use serde_core::ser::{self, Impossible, Serialize};

use super::{State, unserializable};
use crate::error::{JsonError, JsonErrorKind as Kind};
use crate::string::write_escaped;

/// What the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// A member's name: any key that has a text form.
    Name,
    /// `RawValue`, a struct with one field of that name: any JSON text.
    RawValue,
    /// `Number`, the same, where some crate of the build has switched on `arbitrary_precision`.
    Number,
}

impl Text {
    /// What a struct of this name holds.
    #[inline]
    pub(super) fn of_struct(name: &'static str) -> Option<Text> {
        if !name.starts_with('$') {
            return None;
        }
        match name {
            "$serde_json::private::RawValue" => Some(Text::RawValue),
            "$serde_json::private::Number" => Some(Text::Number),
            _ => None,
        }
    }
}

/// Writes the text; a name without its closing quote. Says whether a name has escapes.
pub(super) struct TextSerializer<'a, 'w> {
    pub(super) state: &'a mut State<'w>,
    pub(super) text: Text,
}

impl TextSerializer<'_, '_> {
    #[cold]
    fn refused(&self, found: &str) -> JsonError {
        match self.text {
            Text::Name => JsonError::of_value(Kind::NameNotText, "a map key with a text", &found),
            _ => unserializable("a struct of serde_json's name that holds no text"),
        }
    }

    /// Only a name is as good as a text in another form.
    fn for_name(self) -> Result<Self, JsonError> {
        if self.text == Text::Name { Ok(self) } else { Err(self.refused("")) }
    }
}

/// Keys whose `Display` text is the name.
macro_rules! displayed {
    ($($method:ident($type:ty)),*) => {$(
        fn $method(self, value: $type) -> Result<bool, JsonError> {
            self.for_name()?.collect_str(&value)
        }
    )*};
}

/// Everything that has no text form.
macro_rules! refused {
    ($($found:literal: $method:ident($($type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $(_: $type),*) -> Result<$ok, JsonError> {
            Err(self.refused($found))
        }
    )*};
}

impl ser::Serializer for TextSerializer<'_, '_> {
    type Ok = bool;
    type Error = JsonError;
    type SerializeSeq = Impossible<bool, JsonError>;
    type SerializeTuple = Impossible<bool, JsonError>;
    type SerializeTupleStruct = Impossible<bool, JsonError>;
    type SerializeTupleVariant = Impossible<bool, JsonError>;
    type SerializeMap = Impossible<bool, JsonError>;
    type SerializeStruct = Impossible<bool, JsonError>;
    type SerializeStructVariant = Impossible<bool, JsonError>;

    #[inline]
    fn serialize_str(self, value: &str) -> Result<bool, JsonError> {
        match self.text {
            Text::Name => {
                self.state.push(b"\"");
                return Ok(write_escaped(value.as_bytes(), self.state.writer.out));
            }
            Text::RawValue => self.state.json_text(value)?,
            Text::Number => self.state.number_text(value)?,
        }
        Ok(false)
    }

    displayed!(serialize_bool(bool), serialize_char(char));
    displayed!(serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64));
    displayed!(serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64));
    displayed!(serialize_i128(i128), serialize_u128(u128));

    fn serialize_f32(self, value: f32) -> Result<bool, JsonError> {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<bool, JsonError> {
        let Self { state, .. } = self.for_name()?;
        state.push(b"\"");
        state.double(value)?;
        Ok(false)
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<bool, JsonError> {
        if self.text != Text::Name {
            return self.serialize_str(&value.to_string());
        }
        self.state.push(b"\"");
        write_display(value, self.state)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<bool, JsonError> {
        self.for_name()?.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<bool, JsonError> {
        value.serialize(self.for_name()?)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<bool, JsonError> {
        value.serialize(self.for_name()?)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<bool, JsonError> {
        Err(self.refused("an enum with a value"))
    }

    refused! {
        "bytes": serialize_bytes(&[u8]) -> bool;
        "nothing": serialize_none() -> bool;
        "nothing": serialize_unit() -> bool;
        "nothing": serialize_unit_struct(&'static str) -> bool;
        "a sequence": serialize_seq(Option<usize>) -> Self::SerializeSeq;
        "a tuple": serialize_tuple(usize) -> Self::SerializeTuple;
        "a tuple": serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        "an enum with values": serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        "a map": serialize_map(Option<usize>) -> Self::SerializeMap;
        "a struct": serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        "an enum with values": serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}

/// Writes the `Display` text of a value, escaped. Says whether it has escapes.
pub(super) fn write_display<T: Display + ?Sized>(
    value: &T,
    state: &mut State<'_>,
) -> Result<bool, JsonError> {
    struct Escaping<'a, 'w> {
        state: &'a mut State<'w>,
        escaped: bool,
    }

    impl fmt::Write for Escaping<'_, '_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.escaped |= write_escaped(text.as_bytes(), self.state.writer.out);
            Ok(())
        }
    }

    let mut escaping = Escaping { state, escaped: false };
    match write!(escaping, "{value}") {
        Ok(()) => Ok(escaping.escaped),
        Err(_) => Err(unserializable("a text that could not be formatted")),
    }
}
