//! The structs by which `serde_json` passes texts through serde's data model.

use serde_core::ser::{self, Impossible, Serialize};

use super::{State, unserializable};
use crate::error::JsonError;

/// A struct with one field, whose name is the struct's and whose value is a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// `RawValue`: any JSON text.
    RawValue,
    /// `Number` where some crate of the build has switched on `arbitrary_precision`.
    Number,
}

impl Token {
    #[inline]
    pub(super) fn of(name: &'static str) -> Option<Token> {
        if !name.starts_with('$') {
            return None;
        }
        match name {
            "$serde_json::private::RawValue" => Some(Token::RawValue),
            "$serde_json::private::Number" => Some(Token::Number),
            _ => None,
        }
    }
}

/// Takes the text of a token's field.
pub(super) struct TokenSerializer<'a, 'w> {
    pub(super) state: &'a mut State<'w>,
    pub(super) token: Token,
}

/// Everything that is not text.
macro_rules! refused {
    ($($method:ident($($type:ty),*)),*) => {$(
        fn $method(self, $(_: $type),*) -> Result<(), JsonError> {
            Err(no_text())
        }
    )*};
    ($($method:ident($($type:ty),*) -> $compound:ident),*) => {$(
        fn $method(self, $(_: $type),*) -> Result<Self::$compound, JsonError> {
            Err(no_text())
        }
    )*};
}

impl ser::Serializer for TokenSerializer<'_, '_> {
    type Ok = ();
    type Error = JsonError;
    type SerializeSeq = Impossible<(), JsonError>;
    type SerializeTuple = Impossible<(), JsonError>;
    type SerializeTupleStruct = Impossible<(), JsonError>;
    type SerializeTupleVariant = Impossible<(), JsonError>;
    type SerializeMap = Impossible<(), JsonError>;
    type SerializeStruct = Impossible<(), JsonError>;
    type SerializeStructVariant = Impossible<(), JsonError>;

    fn serialize_str(self, text: &str) -> Result<(), JsonError> {
        match self.token {
            Token::RawValue => self.state.json_text(text),
            Token::Number => self.state.number_text(text),
        }
    }

    refused!(
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_f32(f32),
        serialize_f64(f64),
        serialize_char(char),
        serialize_bytes(&[u8]),
        serialize_none(),
        serialize_unit(),
        serialize_unit_struct(&'static str),
        serialize_unit_variant(&'static str, u32, &'static str)
    );
    refused!(
        serialize_seq(Option<usize>) -> SerializeSeq,
        serialize_tuple(usize) -> SerializeTuple,
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct,
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant,
        serialize_map(Option<usize>) -> SerializeMap,
        serialize_struct(&'static str, usize) -> SerializeStruct,
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant
    );

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), JsonError> {
        Err(no_text())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<(), JsonError> {
        Err(no_text())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), JsonError> {
        Err(no_text())
    }
}

#[cold]
fn no_text() -> JsonError {
    unserializable("a struct of serde_json's name that holds no text")
}
