//! The arguments of a function, read in place whatever Arrow type they have.

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, StringArray,
    StringViewArray,
};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{exec_err, plan_err};
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs};
use datafusion::scalar::ScalarValue;

/// What a function takes at one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Argument {
    pub(super) name: &'static str,
    /// Whether the call may leave it out.
    pub(super) optional: bool,
    /// Whether bytes do, beside text.
    bytes: bool,
}

impl Argument {
    pub(super) const fn text(name: &'static str) -> Self {
        Argument { name, optional: false, bytes: false }
    }

    /// A page: text, or bytes of an encoding yet to be found.
    pub(super) const fn page(name: &'static str) -> Self {
        Argument { name, optional: false, bytes: true }
    }

    pub(super) const fn or_none(self) -> Self {
        Argument { optional: true, ..self }
    }

    /// The type in which the kernel gets a value of the type `found`: the same if it can be read in place.
    pub(super) fn coerce(&self, found: &DataType, call: &str) -> Result<DataType> {
        use DataType::{
            Binary, BinaryView, Dictionary, LargeBinary, LargeUtf8, Null, RunEndEncoded, Utf8, Utf8View,
        };
        match found {
            Utf8 | LargeUtf8 | Utf8View => Ok(found.clone()),
            Binary | LargeBinary | BinaryView if self.bytes => Ok(found.clone()),
            Null => Ok(Utf8),
            Dictionary(_, values) => self.coerce(values, call),
            RunEndEncoded(_, values) => self.coerce(values.data_type(), call),
            other => plan_err!("{call}: expected text for `{}`, found {other}", self.name),
        }
    }
}

/// The arguments of one batch of rows.
pub(super) struct Rows<'a>(pub(super) &'a ScalarFunctionArgs);

impl<'a> Rows<'a> {
    /// How many rows the answer must have.
    pub(super) fn len(&self) -> usize {
        self.0.number_rows
    }

    pub(super) fn texts(&self, index: usize) -> Result<Texts<'a>> {
        let Some(argument) = self.0.args.get(index) else {
            return exec_err!("expected an argument at {index}, found none");
        };
        match argument {
            ColumnarValue::Scalar(scalar) => match scalar.try_as_str() {
                Some(text) => Ok(Texts::One(text)),
                None => exec_err!("expected text, found {}", scalar.data_type()),
            },
            ColumnarValue::Array(array) => Texts::of(array),
        }
    }

    /// The argument at `index`, where the call has it.
    pub(super) fn optional_texts(&self, index: usize) -> Result<Option<Texts<'a>>> {
        if index < self.0.args.len() { self.texts(index).map(Some) } else { Ok(None) }
    }

    pub(super) fn pages(&self, index: usize) -> Result<Pages<'a>> {
        match self.0.args.get(index) {
            Some(ColumnarValue::Array(array)) => match array.data_type() {
                DataType::Binary => Ok(Pages::Binary(array.as_binary())),
                DataType::LargeBinary => Ok(Pages::LargeBinary(array.as_binary())),
                DataType::BinaryView => Ok(Pages::BinaryView(array.as_binary_view())),
                _ => Texts::of(array).map(Pages::Texts),
            },
            Some(ColumnarValue::Scalar(
                ScalarValue::Binary(bytes) | ScalarValue::LargeBinary(bytes) | ScalarValue::BinaryView(bytes),
            )) => Ok(Pages::One(bytes.as_deref())),
            _ => self.texts(index).map(Pages::Texts),
        }
    }
}

/// A column of texts, or one text for every row.
#[derive(Clone, Copy)]
pub(super) enum Texts<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
    One(Option<&'a str>),
}

impl<'a> Texts<'a> {
    fn of(array: &'a ArrayRef) -> Result<Self> {
        match array.data_type() {
            DataType::Utf8 => Ok(Texts::Utf8(array.as_string())),
            DataType::LargeUtf8 => Ok(Texts::LargeUtf8(array.as_string())),
            DataType::Utf8View => Ok(Texts::Utf8View(array.as_string_view())),
            other => exec_err!("expected text, found {other}"),
        }
    }

    /// The text of a row, or `None` where it is null.
    #[inline]
    pub(super) fn row(self, row: usize) -> Option<&'a str> {
        match self {
            Texts::Utf8(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::LargeUtf8(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::Utf8View(array) => array.is_valid(row).then(|| array.value(row)),
            Texts::One(text) => text,
        }
    }

    /// How many bytes the rows have together, about.
    pub(super) fn len_bytes(self) -> usize {
        match self {
            Texts::Utf8(array) => array.offsets().lengths().sum(),
            Texts::LargeUtf8(array) => array.offsets().lengths().sum(),
            Texts::Utf8View(array) => array.lengths().map(|length| length as usize).sum(),
            Texts::One(text) => text.map_or(0, str::len),
        }
    }
}

/// A column of pages, as text or as bytes, or one page for every row.
#[derive(Clone, Copy)]
pub(super) enum Pages<'a> {
    Texts(Texts<'a>),
    Binary(&'a BinaryArray),
    LargeBinary(&'a LargeBinaryArray),
    BinaryView(&'a BinaryViewArray),
    One(Option<&'a [u8]>),
}

impl<'a> Pages<'a> {
    /// The page of a row, or `None` where it is null.
    pub(super) fn row(self, row: usize) -> Option<&'a [u8]> {
        match self {
            Pages::Texts(texts) => texts.row(row).map(str::as_bytes),
            Pages::Binary(array) => array.is_valid(row).then(|| array.value(row)),
            Pages::LargeBinary(array) => array.is_valid(row).then(|| array.value(row)),
            Pages::BinaryView(array) => array.is_valid(row).then(|| array.value(row)),
            Pages::One(bytes) => bytes,
        }
    }

    /// The content type that tells the encoding, where it is known: a text column was decoded already, whatever
    /// its pages say of themselves.
    pub(super) fn content_type(self) -> Option<&'static str> {
        matches!(self, Pages::Texts(_)).then_some("text/html; charset=utf-8")
    }
}
