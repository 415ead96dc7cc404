//! One list of members for each type, written either as JSON text or through serde.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::{Serialize, Serializer, ser::SerializeMap};
use tct_canonical_json::write_string;
use web_values::{Language, Timestamp, WebUrl};

use crate::timestamp;

/// An object of the document: its members in the order in which they are written.
pub(crate) trait Object {
    /// Passes each present member to `out`.
    fn members<O: Out>(&self, out: &mut O) -> Result<(), O::Error>;
}

/// Takes the members of one object.
pub(crate) trait Out {
    /// What can go wrong.
    type Error;

    /// Takes a member.
    fn member<V: Text + ?Sized>(&mut self, name: &str, value: &V) -> Result<(), Self::Error>;

    /// Takes a member that may be absent; then nothing is written.
    fn optional<V: Text>(&mut self, name: &str, value: Option<&V>) -> Result<(), Self::Error> {
        match value {
            Some(value) => self.member(name, value),
            None => Ok(()),
        }
    }

    /// Takes the members that the version does not know.
    fn extra(&mut self, extra: &crate::Extra) -> Result<(), Self::Error>;
}

/// A value that can be written as JSON text and through serde.
pub(crate) trait Text: Serialize {
    /// Appends the compact JSON text.
    fn push_to(&self, out: &mut String);
}

/// The compact JSON text of an object.
pub(crate) fn text_of(object: &impl Object) -> String {
    let mut out = String::new();
    push_object(object, &mut out);
    out
}

/// Appends the compact JSON text of an object.
pub(crate) fn push_object(object: &impl Object, out: &mut String) {
    out.push('{');
    let mut members = AsText { out, is_first: true };
    let Ok(()) = object.members(&mut members);
    out.push('}');
}

struct AsText<'a> {
    out: &'a mut String,
    is_first: bool,
}

impl AsText<'_> {
    fn next(&mut self) {
        if !core::mem::take(&mut self.is_first) {
            self.out.push(',');
        }
    }
}

impl Out for AsText<'_> {
    type Error = core::convert::Infallible;

    fn member<V: Text + ?Sized>(&mut self, name: &str, value: &V) -> Result<(), Self::Error> {
        self.next();
        write_string(name, self.out);
        self.out.push(':');
        value.push_to(self.out);
        Ok(())
    }

    fn extra(&mut self, extra: &crate::Extra) -> Result<(), Self::Error> {
        if !extra.is_empty() {
            self.next();
            self.out.push_str(extra.inner());
        }
        Ok(())
    }
}

/// Writes an object through serde.
pub(crate) fn serialize<S: Serializer>(object: &impl Object, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = AsMap(serializer.serialize_map(None)?);
    object.members(&mut map)?;
    map.0.end()
}

struct AsMap<M>(M);

impl<M: SerializeMap> Out for AsMap<M> {
    type Error = M::Error;

    fn member<V: Text + ?Sized>(&mut self, name: &str, value: &V) -> Result<(), Self::Error> {
        self.0.serialize_entry(name, value)
    }

    fn extra(&mut self, extra: &crate::Extra) -> Result<(), Self::Error> {
        let document = extra.read();
        document.root().members().try_for_each(|(name, value)| {
            self.0.serialize_entry(&*name.as_str(), &crate::json::Through(value))
        })
    }
}

impl Text for str {
    fn push_to(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl Text for String {
    fn push_to(&self, out: &mut String) {
        write_string(self, out);
    }
}

impl Text for bool {
    fn push_to(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Text for u64 {
    fn push_to(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl Text for i64 {
    fn push_to(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl Text for WebUrl {
    fn push_to(&self, out: &mut String) {
        write_string(self.as_str(), out);
    }
}

impl Text for Language {
    fn push_to(&self, out: &mut String) {
        write_string(self.as_str(), out);
    }
}

/// A timestamp in the one form of documents.
pub(crate) struct Instant(pub(crate) Timestamp);

impl Text for Instant {
    fn push_to(&self, out: &mut String) {
        write_string(&timestamp::print(self.0), out);
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&timestamp::print(self.0))
    }
}

impl<T: Text> Text for Vec<T> {
    fn push_to(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.push_to(out);
        }
        out.push(']');
    }
}

/// Implements [`Text`] and `Serialize` for types that are an [`Object`].
macro_rules! objects {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::write::Text for $name {
            fn push_to(&self, out: &mut alloc::string::String) {
                $crate::write::push_object(self, out);
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::write::serialize(self, serializer)
            }
        }
    )+};
}

/// Implements [`Text`] and `Serialize` for types that are written as a text that `as_str` gives.
macro_rules! texts {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::write::Text for $name {
            fn push_to(&self, out: &mut alloc::string::String) {
                tct_canonical_json::write_string(self.as_str(), out);
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )+};
}

pub(crate) use {objects, texts};
