//! Arrays and objects of typed values.

use serde_core::ser::{self, Serialize};

use super::only_text::{Text, TextSerializer};
use super::{State, ValueSerializer, unserializable};
use crate::error::JsonError;
use crate::grammar::Container;
use crate::invariant::part;
use crate::scan::short_word;
use crate::unescape::decoded_word;

/// An array or object that is being written.
#[derive(Debug)]
pub(crate) struct Compound<'a, 'w> {
    state: &'a mut State<'w>,
    shape: Shape,
    first: bool,
    /// True if a map's key has been written without its value.
    key_waits: bool,
}

/// The brackets that have to be closed at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Array,
    Object,
    /// `{"Variant":[…]}`
    VariantArray,
    /// `{"Variant":{…}}`
    VariantObject,
    /// A private struct with which `serde_json` passes a text through serde.
    OnlyText(Text),
}

impl<'a, 'w> Compound<'a, 'w> {
    #[inline]
    pub(super) fn open(state: &'a mut State<'w>, shape: Shape) -> Result<Self, JsonError> {
        match shape {
            Shape::Array | Shape::VariantArray => state.open(Container::Array)?,
            Shape::Object | Shape::VariantObject => state.open(Container::Object)?,
            Shape::OnlyText(_) => {}
        }
        Ok(Compound { state, shape, first: true, key_waits: false })
    }

    pub(super) fn open_variant(
        state: &'a mut State<'w>,
        variant: &str,
        shape: Shape,
    ) -> Result<Self, JsonError> {
        state.open(Container::Object)?;
        state.name(variant, true);
        Compound::open(state, shape)
    }

    #[inline]
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), JsonError> {
        value
            .serialize(ValueSerializer { state: self.state })
            .and_then(|()| self.state.check_size())
            .map_err(|error| self.state.locate(error))
    }

    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), JsonError> {
        if !core::mem::take(&mut self.first) {
            self.state.push(b",");
            self.state.writer.item_ended();
        }
        self.value(value)
    }

    #[inline]
    pub(super) fn member<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), JsonError> {
        if let Shape::OnlyText(text) = self.shape {
            // A second field would be a second value in one place.
            if !core::mem::take(&mut self.first) {
                return Err(self.state.locate(not_one_field()));
            }
            return value
                .serialize(TextSerializer { state: self.state, text })
                .map(drop)
                .map_err(|error| self.state.locate(error));
        }
        let first = core::mem::take(&mut self.first);
        self.state.name(name, first);
        self.value(value)
    }

    #[inline]
    pub(super) fn close(self) -> Result<(), JsonError> {
        if self.key_waits {
            return Err(self.state.locate_name(unserializable("a map key without a value")));
        }
        match self.shape {
            Shape::Array => self.state.close(Container::Array),
            Shape::Object => self.state.close(Container::Object),
            Shape::VariantArray | Shape::VariantObject => {
                let array = self.shape == Shape::VariantArray;
                self.state.close(if array { Container::Array } else { Container::Object })?;
                self.state.close(Container::Object)
            }
            Shape::OnlyText(_) if self.first => Err(self.state.locate(not_one_field())),
            Shape::OnlyText(_) => Ok(()),
        }
    }
}

#[cold]
fn not_one_field() -> JsonError {
    unserializable("a struct of serde_json's name that does not have exactly one field")
}

/// The methods of serde's compound traits: values without a name are elements, those with one are members.
macro_rules! compounds {
    ($($trait:ident::$method:ident($($name:ident: $type:ty)?) => $write:ident;)*) => {$(
        impl ser::$trait for Compound<'_, '_> {
            type Ok = ();
            type Error = JsonError;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, $($name: $type,)? value: &T) -> Result<(), JsonError> {
                self.$write($($name,)? value)
            }

            #[inline]
            fn end(self) -> Result<(), JsonError> {
                self.close()
            }
        }
    )*};
}

compounds! {
    SerializeSeq::serialize_element() => element;
    SerializeTuple::serialize_element() => element;
    SerializeTupleStruct::serialize_field() => element;
    SerializeTupleVariant::serialize_field() => element;
    SerializeStruct::serialize_field(name: &'static str) => member;
    SerializeStructVariant::serialize_field(name: &'static str) => member;
}

impl ser::SerializeMap for Compound<'_, '_> {
    type Ok = ();
    type Error = JsonError;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), JsonError> {
        if core::mem::replace(&mut self.key_waits, true) {
            return Err(self.state.locate_name(unserializable("a map key without a value")));
        }
        if !core::mem::take(&mut self.first) {
            self.state.push(b",");
        }
        let start = self.state.writer.out.len();
        key.serialize(TextSerializer { state: self.state, text: Text::Name })
            .map(|escaped| {
                let spelled = part(self.state.writer.out, start + 1..);
                let first = if escaped { decoded_word(spelled) } else { short_word(spelled) };
                self.state.name_written(start, escaped, first);
            })
            .map_err(|error| self.state.locate_name(error))
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), JsonError> {
        if !core::mem::take(&mut self.key_waits) {
            return Err(self.state.locate_name(unserializable("a map value without a key")));
        }
        self.value(value)
    }

    #[inline]
    fn end(self) -> Result<(), JsonError> {
        self.close()
    }
}
