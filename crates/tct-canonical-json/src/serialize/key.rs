//! Map keys: keys with a text form become names.

use core::fmt::{self, Display, Write as _};

use serde_core::ser::{self, Impossible, Serialize};

use super::{State, unserializable};
use crate::error::{JsonError, JsonErrorKind as Kind};
use crate::string::write_escaped;

/// Writes a name, except for its closing quote. Says whether it has escapes.
pub(super) struct KeySerializer<'a, 'w> {
    pub(super) state: &'a mut State<'w>,
}

impl KeySerializer<'_, '_> {
    fn refused(&self, found: &str) -> JsonError {
        JsonError::of_value(Kind::NameNotText, "a map key with a text", &found)
    }
}

/// Keys whose `Display` text is the name.
macro_rules! displayed {
    ($($method:ident($type:ty)),*) => {$(
        fn $method(self, value: $type) -> Result<bool, JsonError> {
            self.collect_str(&value)
        }
    )*};
}

impl ser::Serializer for KeySerializer<'_, '_> {
    type Ok = bool;
    type Error = JsonError;
    type SerializeSeq = Impossible<bool, JsonError>;
    type SerializeTuple = Impossible<bool, JsonError>;
    type SerializeTupleStruct = Impossible<bool, JsonError>;
    type SerializeTupleVariant = Impossible<bool, JsonError>;
    type SerializeMap = Impossible<bool, JsonError>;
    type SerializeStruct = Impossible<bool, JsonError>;
    type SerializeStructVariant = Impossible<bool, JsonError>;

    displayed!(serialize_bool(bool), serialize_char(char));
    displayed!(
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_i128(i128)
    );
    displayed!(
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_u128(u128)
    );

    #[inline]
    fn serialize_str(self, value: &str) -> Result<bool, JsonError> {
        self.state.push(b"\"");
        Ok(write_escaped(value.as_bytes(), self.state.writer.out))
    }

    fn serialize_f32(self, value: f32) -> Result<bool, JsonError> {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<bool, JsonError> {
        self.state.push(b"\"");
        self.state.double(value)?;
        Ok(false)
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<bool, JsonError> {
        self.state.push(b"\"");
        write_display(value, self.state)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<bool, JsonError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<bool, JsonError> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<bool, JsonError> {
        value.serialize(self)
    }

    fn serialize_bytes(self, _value: &[u8]) -> Result<bool, JsonError> {
        Err(self.refused("bytes"))
    }

    fn serialize_none(self) -> Result<bool, JsonError> {
        Err(self.refused("nothing"))
    }

    fn serialize_unit(self) -> Result<bool, JsonError> {
        Err(self.refused("nothing"))
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<bool, JsonError> {
        Err(self.refused("nothing"))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<bool, JsonError> {
        Err(self.refused("an enum with a value"))
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Self::SerializeSeq, JsonError> {
        Err(self.refused("a sequence"))
    }

    fn serialize_tuple(self, _len: usize) -> Result<Self::SerializeTuple, JsonError> {
        Err(self.refused("a tuple"))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeTupleStruct, JsonError> {
        Err(self.refused("a tuple"))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeTupleVariant, JsonError> {
        Err(self.refused("an enum with values"))
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Self::SerializeMap, JsonError> {
        Err(self.refused("a map"))
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Self::SerializeStruct, JsonError> {
        Err(self.refused("a struct"))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeStructVariant, JsonError> {
        Err(self.refused("an enum with values"))
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
