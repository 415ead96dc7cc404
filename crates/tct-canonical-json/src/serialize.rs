//! Typed values to canonical bytes: any `serde::Serialize`, without a text or a tree in between.
//!
//! ```
//! use serde::Serialize;
//! use tct_canonical_json::{Profile, serialize};
//!
//! #[derive(Serialize)]
//! struct Page<'a> {
//!     title: &'a str,
//!     rating: f64,
//!     #[serde(rename = "cUrl")]
//!     c_url: &'a str,
//! }
//!
//! let page = Page { title: "Tunnel", rating: 4.0, c_url: "https://example.com/" };
//! let bytes = serialize::to_vec(&page, Profile::Tct)?;
//! assert_eq!(bytes, br#"{"cUrl":"https://example.com/","rating":4,"title":"Tunnel"}"#);
//! # Ok::<(), tct_canonical_json::JsonError>(())
//! ```
//!
//! Values are written in the same shapes as by `serde_json`: enums in each of serde's representations, `Option` as
//! the value or `null`, bytes as an array of numbers, map keys that are characters, integers, floats, booleans or
//! unit variants as text. The differences are values that have no canonical form:
//!
//! - an integer beyond ±(2^53 − 1) is refused (`UnsafeInteger`): a reader's double could not hold it. A double of that
//!   size is printed;
//! - NaN and the infinities are refused (`NotFinite`), not turned into `null`;
//! - an `f32` is printed with the digits of the double of the same value: `0.1f32` is `0.10000000149011612`. The
//!   digits `0.1` would be read as another double;
//! - a name twice in one object is refused (`DuplicateMember`), such as by `#[serde(flatten)]` or an implementation
//!   by hand.
//!
//! # Which fault comes first
//!
//! A typed value has no bytes to count, so the order is that in which `Serialize` passes its parts. The first fault ends the
//! run:
//!
//! - a value's own (`UnsafeInteger`, `NotFinite`, what a `RawValue` is refused for) where it is handed over, and `NameNotText`
//!   where the key is;
//! - `TooDeep` where a container begins, before anything in it;
//! - `TooLarge` behind each element and each member: after a fault in that one, before a fault in the next;
//! - `DuplicateMember` where its object ends: after any other fault in the object, before `TooLarge` of what is around it.
//!
//! In a text, a repeated name counts at its own opening quote, before everything that follows.
//!
//! `serde_json::value::RawValue` is read as a text and becomes canonical like any text. A number of `serde_json` is
//! written alike whether or not some crate of the build has switched on `arbitrary_precision`.
//!
//! `Serialize` implementations call one another, so here nesting uses the stack, as it does everywhere in serde. The
//! depth limit bounds it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;

use serde_core::ser::{self, Serialize};

use crate::arrange::Arrangement;
use crate::canonicalizer::{Canonicalizer, Limits, arrange_in_place};
use crate::error::{JsonError, JsonErrorKind as Kind};
use crate::grammar::Container;
use crate::input::{Typed, sealed::Input};
use crate::number::{print_double, read_number};
use crate::profile::Profile;
use crate::scan::{append, end_with, is_plain_block, push_block, short_block, short_word};
use crate::string::{write_escaped, write_quoted};
use crate::text;
use crate::writer::{Name, Place, Writer};

mod compound;
mod only_text;

use compound::{Compound, Shape};

/// The canonical form of a value, with the default limits.
///
/// # Errors
/// `UnsafeInteger`, `NotFinite`, `NameNotText`, `DuplicateMember`, `TooDeep`, `TooLarge`, or `Unserializable` with the
/// message of a `Serialize` implementation; for a `RawValue`, what its text is refused for. All name the path.
pub fn to_vec<T: Serialize + ?Sized>(value: &T, profile: Profile) -> Result<Vec<u8>, JsonError> {
    Canonicalizer::new(profile).to_canonical(Typed(value))
}

impl<T: Serialize + ?Sized> Input for Typed<'_, T> {
    #[expect(private_interfaces, reason = "nobody else can name this trait")]
    fn append(self, canonicalizer: &Canonicalizer, out: &mut Vec<u8>) -> Result<Arrangement, JsonError> {
        // About what short values need.
        out.reserve(128);
        run(canonicalizer, out, |state| self.0.serialize(ValueSerializer { state }))
    }
}

/// Runs `write` on a fresh state and returns the work left for the last pass.
pub(crate) fn run(
    canonicalizer: &Canonicalizer,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut State<'_>) -> Result<(), JsonError>,
) -> Result<Arrangement, JsonError> {
    let Canonicalizer { profile, limits } = *canonicalizer;
    let base = out.len();
    let mut state = State {
        writer: Writer::new(profile, limits.max_depth, &[], out),
        profile,
        limits,
        base,
        failed: false,
    };
    match write(&mut state).and_then(|()| state.check_size()) {
        Ok(()) if state.failed => {
            Err(unserializable("an error that was passed over").with_path(String::new()))
        }
        Ok(()) => Ok(state.writer.finish(0)),
        Err(error) => Err(state.locate(error)),
    }
}

/// What all serializers of one run share.
#[derive(Debug)]
pub(crate) struct State<'w> {
    pub(crate) writer: Writer<'w>,
    profile: Profile,
    limits: Limits,
    /// Length of the output before the run.
    base: usize,
    /// Set when a part could not be written. An implementation that goes on regardless gets no output.
    failed: bool,
}

impl State<'_> {
    #[inline]
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.writer.out.extend_from_slice(bytes);
    }

    pub(crate) fn open(&mut self, container: Container) -> Result<(), JsonError> {
        if self.writer.is_full() {
            return Err(self.writer.too_deep());
        }
        self.writer.open(container, 0);
        self.push(if container == Container::Object { b"{" } else { b"[" });
        Ok(())
    }

    pub(crate) fn close(&mut self, container: Container) -> Result<(), JsonError> {
        if let Err(repeated) = self.writer.close(0) {
            return Err(self.writer.duplicate(repeated));
        }
        self.push(if container == Container::Object { b"}" } else { b"]" });
        Ok(())
    }

    /// Writes a member's name and the colon, after a comma unless it is the `first`.
    ///
    /// Derived implementations name their members by constants: once inlined, the compiler evaluates all but the
    /// last call.
    #[inline(always)]
    pub(crate) fn name(&mut self, name: &str, first: bool) {
        const MOST: usize = 12; // what leaves room in a block for `,"` and `":`
        if name.len() <= MOST {
            let block = short_block(name.as_bytes());
            if is_plain_block(block, name.len()) {
                return self.plain_name(block, name.len(), first);
            }
        }
        self.rare_name(name, first);
    }

    /// Writes a name that is in a block as it is.
    fn plain_name(&mut self, block: u128, len: usize, first: bool) {
        let start = self.writer.out.len() + usize::from(!first);
        let quoted = block << 8 | u128::from(b'"');
        push_block(self.writer.out, if first { quoted } else { quoted << 8 | u128::from(b',') }, 16);
        end_with(self.writer.out, start + 1 + len, b"\":");
        self.writer.name(0, start, Name::new(len, false, Place::Output), block as u64);
    }

    /// The same for a name that is long or holds a character to escape.
    #[inline(never)]
    fn rare_name(&mut self, name: &str, first: bool) {
        let start = self.writer.out.len() + usize::from(!first);
        self.push(if first { b"\"" } else { b",\"" });
        let escaped = write_escaped(name.as_bytes(), self.writer.out);
        self.name_written(start, escaped, short_word(name.as_bytes()));
    }

    /// Ends a name that has been written from `start` on, except for its closing quote.
    #[inline]
    pub(crate) fn name_written(&mut self, start: usize, escaped: bool, first: u64) {
        let len = self.writer.out.len() - start - 1;
        self.push(b"\":");
        self.writer.name(0, start, Name::new(len, escaped, Place::Output), first);
    }

    #[inline]
    pub(crate) fn string(&mut self, text: &str) {
        write_quoted(text, self.writer.out);
    }

    pub(crate) fn integer(
        &mut self,
        integer: impl itoa::Integer + TryInto<i64> + Copy,
    ) -> Result<(), JsonError> {
        let mut buffer = itoa::Buffer::new();
        let digits = buffer.format(integer);
        if !integer.try_into().is_ok_and(|integer| (-MAX_SAFE..=MAX_SAFE).contains(&integer)) {
            let expected = "an integer from -(2^53 - 1) to 2^53 - 1";
            return Err(JsonError::of_value(Kind::UnsafeInteger, expected, &digits));
        }
        self.push(digits.as_bytes());
        Ok(())
    }

    pub(crate) fn double(&mut self, double: f64) -> Result<(), JsonError> {
        if !double.is_finite() {
            return Err(JsonError::of_value(Kind::NotFinite, "a finite number", &double));
        }
        print_double(double, |piece| append(self.writer.out, piece));
        Ok(())
    }

    /// Writes a number that is a text: an integer as the integer types do, all else as the nearest double.
    pub(crate) fn number_text(&mut self, number: &str) -> Result<(), JsonError> {
        if let Ok(integer) = number.parse::<i64>() {
            return self.integer(integer);
        }
        if let Ok(integer) = number.parse::<u64>() {
            return self.integer(integer);
        }
        let read = match read_number(number.as_bytes()) {
            Ok(read) if read.len == number.len() => read,
            _ => return Err(JsonError::of_value(Kind::UnexpectedByte, "a number", &number)),
        };
        let Some(double) = read.double(number.as_bytes()) else {
            let expected = "a number within the range of a double";
            return Err(JsonError::of_value(Kind::NumberOverflow, expected, &number));
        };
        self.double(double)
    }

    /// Writes a JSON text.
    pub(crate) fn json_text(&mut self, json: &str) -> Result<(), JsonError> {
        let limits =
            Limits { max_depth: self.limits.max_depth.saturating_sub(self.writer.depth()), ..self.limits };
        let before = self.writer.out.len();
        let arrangement = text::canonicalize(json.as_bytes(), self.profile, &limits, self.writer.out)
            .map_err(|error| error.inside(self.writer.path()))?;
        arrange_in_place(self.writer.out, before, &arrangement);
        Ok(())
    }

    #[inline]
    pub(crate) fn check_size(&self) -> Result<(), JsonError> {
        if self.writer.out.len() - self.base <= self.limits.max_output {
            return Ok(());
        }
        let expected = alloc::format!("at most {} bytes", self.limits.max_output);
        Err(JsonError::of_value(Kind::TooLarge, expected, &"more"))
    }

    /// The error, with the path of the value that is being written. The run has failed.
    #[cold]
    pub(crate) fn locate(&mut self, error: JsonError) -> JsonError {
        self.failed = true;
        error.with_path(self.writer.path())
    }

    /// The error, with the path of the object whose next member has no name yet. The run has failed.
    #[cold]
    pub(crate) fn locate_name(&mut self, error: JsonError) -> JsonError {
        self.failed = true;
        error.with_path(self.writer.container_path())
    }
}

/// The largest integer that a double can distinguish from its neighbours.
const MAX_SAFE: i64 = (1 << 53) - 1;

/// Writes one value.
pub(crate) struct ValueSerializer<'a, 'w> {
    pub(crate) state: &'a mut State<'w>,
}

/// A method for each primitive type, all of which do the same.
macro_rules! forward {
    ($write:ident: $($method:ident($type:ty)),*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<(), JsonError> {
            self.state.$write(value)
        }
    )*};
}

impl<'a, 'w> ser::Serializer for ValueSerializer<'a, 'w> {
    type Ok = ();
    type Error = JsonError;
    type SerializeSeq = Compound<'a, 'w>;
    type SerializeTuple = Compound<'a, 'w>;
    type SerializeTupleStruct = Compound<'a, 'w>;
    type SerializeTupleVariant = Compound<'a, 'w>;
    type SerializeMap = Compound<'a, 'w>;
    type SerializeStruct = Compound<'a, 'w>;
    type SerializeStructVariant = Compound<'a, 'w>;

    forward!(integer: serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64));
    forward!(integer: serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64));
    forward!(integer: serialize_i128(i128), serialize_u128(u128));
    forward!(double: serialize_f64(f64));

    /// Writes the double of the same value: see the module's documentation.
    fn serialize_f32(self, value: f32) -> Result<(), JsonError> {
        self.state.double(f64::from(value))
    }

    fn serialize_bool(self, value: bool) -> Result<(), JsonError> {
        self.state.push(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), JsonError> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), JsonError> {
        self.state.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), JsonError> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), JsonError> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), JsonError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), JsonError> {
        self.state.push(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), JsonError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), JsonError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), JsonError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), JsonError> {
        let mut object = Compound::open(self.state, Shape::Object)?;
        object.member(variant, value)?;
        object.close()
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Compound<'a, 'w>, JsonError> {
        Compound::open(self.state, Shape::Array)
    }

    fn serialize_tuple(self, len: usize) -> Result<Compound<'a, 'w>, JsonError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Compound<'a, 'w>, JsonError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Compound<'a, 'w>, JsonError> {
        Compound::open_variant(self.state, variant, Shape::VariantArray)
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Compound<'a, 'w>, JsonError> {
        Compound::open(self.state, Shape::Object)
    }

    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Compound<'a, 'w>, JsonError> {
        let text = only_text::Text::of_struct(name);
        Compound::open(self.state, text.map_or(Shape::Object, Shape::OnlyText))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Compound<'a, 'w>, JsonError> {
        Compound::open_variant(self.state, variant, Shape::VariantObject)
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), JsonError> {
        self.state.push(b"\"");
        only_text::write_display(value, self.state)?;
        self.state.push(b"\"");
        Ok(())
    }
}

impl ser::Error for JsonError {
    fn custom<T: Display>(message: T) -> Self {
        unserializable(message)
    }
}

#[cold]
fn unserializable(message: impl Display) -> JsonError {
    JsonError::of_value(Kind::Unserializable, "a value that can be serialized", &message)
}
