//! JSON text to values: a flat list of nodes over the text.
//!
//! ```text
//! text    { "a" : [1, "b\n"] , "a" : null }
//! nodes   object  name  array  number  string  end  name  null  end      8 bytes each
//! ```
//!
//! The reader keeps information that a tree of values loses: the source of every value, the order of members, members
//! whose name is repeated, the digits of numbers. Nothing is copied; a string is decoded when it is asked for, and
//! borrowed where it has no escape. One loop reads a text of any depth, and takes linear time, except for sorting the
//! names of objects that have many members, `O(n log n)`.
//!
//! **What is accepted** is exactly the grammar of RFC 8259, in UTF-8, without a byte order mark. On top of it, the
//! reader refuses what two readers may understand in two ways (I-JSON, RFC 7493): repeated member names, half
//! surrogate pairs, numbers beyond the range of a double. Each of the three can be reported instead.

mod fill;
mod node;
mod path;
mod repeated;
mod value;

pub(crate) use node::Tag;
pub use path::LineColumn;
pub use value::{JsonItems, JsonKind, JsonMembers, JsonName, JsonValue};

use alloc::vec::Vec;

use crate::JsonErrorKind as Kind;
use crate::error::JsonError;
use crate::fault::Fault;
use crate::number::read_number;
use crate::scan::valid_part;
use crate::unescape::decoded_len;
use fill::Filler;
use node::Node;

/// The settings of a reader: limits, and whether texts with more than one meaning are refused or
/// reported.
///
/// A new reader is strict: it accepts exactly the texts that [`to_canonical`](crate::to_canonical) accepts, each
/// with only one meaning, and refuses all others with the same error.
///
/// ```
/// use tct_canonical_json::{JsonErrorKind, JsonReader};
///
/// let text = br#"{ "name": "Caf\u00e9", "stars": 4.50, "tags": ["a", "b"] }"#;
/// let document = JsonReader::new().max_depth(10).read(text)?;
/// let root = document.root();
/// assert_eq!(root.get("name").unwrap().as_str().unwrap(), "Café");
/// assert_eq!(root.get("stars").unwrap().number_text(), Some("4.50"));
/// for (name, value) in root.members() {
///     println!("{} at byte {}", name.as_str(), value.span().start);
/// }
/// assert_eq!(document.pointer("/tags/1").unwrap().as_str().unwrap(), "b");
///
/// let error = JsonReader::new().read(br#"{"id":1,"i\u0064":2}"#).unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (JsonErrorKind::DuplicateMember, Some(8)));
/// # Ok::<(), tct_canonical_json::JsonError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonReader {
    max_bytes: usize,
    max_depth: usize,
    max_value_depth: usize,
    max_values: usize,
    max_name_bytes: usize,
    max_string_bytes: usize,
    refuses_repeated_names: bool,
    refuses_lone_surrogates: bool,
    refuses_huge_numbers: bool,
}

impl Default for JsonReader {
    fn default() -> Self {
        Self::new()
    }
}

impl JsonReader {
    /// The length limit of a new reader: 64 MiB.
    pub const DEFAULT_MAX_BYTES: usize = 64 << 20;
    /// The longest text that can be configured: 256 MiB less a byte. A higher limit counts as this one.
    pub const LONGEST: usize = (256 << 20) - 1;
    /// The depth limit of a new reader: 128 arrays and objects, one inside the other.
    pub const DEFAULT_MAX_DEPTH: usize = 128;

    /// A strict reader with the default limits: [`DEFAULT_MAX_BYTES`](Self::DEFAULT_MAX_BYTES) and
    /// [`DEFAULT_MAX_DEPTH`](Self::DEFAULT_MAX_DEPTH); values, names and strings are limited by the text's length.
    #[must_use]
    pub const fn new() -> Self {
        JsonReader {
            max_bytes: Self::DEFAULT_MAX_BYTES,
            max_depth: Self::DEFAULT_MAX_DEPTH,
            max_value_depth: usize::MAX,
            max_values: usize::MAX,
            max_name_bytes: usize::MAX,
            max_string_bytes: usize::MAX,
            refuses_repeated_names: true,
            refuses_lone_surrogates: true,
            refuses_huge_numbers: true,
        }
    }

    /// Sets how many bytes a text may have; at most [`LONGEST`](Self::LONGEST).
    #[must_use]
    pub const fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets how many arrays and objects may be open at the same time: `[]` needs 1, `[[]]` and `[[1]]` need 2.
    #[must_use]
    pub const fn max_depth(mut self, levels: usize) -> Self {
        self.max_depth = levels;
        self
    }

    /// Sets how many arrays and objects may be around a value: `[]` needs 0, `[[]]` and `[1]` need 1, `[[1]]` needs 2.
    ///
    /// For specifications that count this way; a new reader has no such limit. [`max_depth`](Self::max_depth) still
    /// applies.
    #[must_use]
    pub const fn max_value_depth(mut self, levels: usize) -> Self {
        self.max_value_depth = levels;
        self
    }

    /// Sets how many values a text may have: arrays, objects and what they hold, without member names.
    #[must_use]
    pub const fn max_values(mut self, values: usize) -> Self {
        self.max_values = values;
        self
    }

    /// Sets how many bytes of UTF-8 a member name may have once its escapes are undone.
    #[must_use]
    pub const fn max_name_bytes(mut self, bytes: usize) -> Self {
        self.max_name_bytes = bytes;
        self
    }

    /// Sets how many bytes of UTF-8 a string value may have once its escapes are undone.
    #[must_use]
    pub const fn max_string_bytes(mut self, bytes: usize) -> Self {
        self.max_string_bytes = bytes;
        self
    }

    /// Reads objects that name a member twice, and marks the later ones: [`JsonName::is_repeated`].
    ///
    /// Other readers of the same text may then see another value: most keep the last of equal names, some the first.
    #[must_use]
    pub const fn report_repeated_names(mut self) -> Self {
        self.refuses_repeated_names = false;
        self
    }

    /// Reads strings with half a surrogate pair (`"\ud800"`), which is decoded as U+FFFD:
    /// [`JsonValue::has_lone_surrogate`].
    #[must_use]
    pub const fn report_lone_surrogates(mut self) -> Self {
        self.refuses_lone_surrogates = false;
        self
    }

    /// Reads numbers beyond the range of a double (`1e999`), of which [`JsonValue::as_f64`] is `None`.
    #[must_use]
    pub const fn report_huge_numbers(mut self) -> Self {
        self.refuses_huge_numbers = false;
        self
    }

    /// Reads one JSON document.
    ///
    /// Takes linear time, and 8 bytes a value, member name and closing bracket: at most 5.4 bytes a byte of text.
    ///
    /// # Errors
    /// The first fault in the order of the text; a repeated name is at its opening quote. A text past `max_bytes` is
    /// refused before it is read. Every kind of [`JsonErrorKind`](crate::JsonErrorKind) that texts can have.
    pub fn read<'t>(&self, json: &'t [u8]) -> Result<JsonDocument<'t>, JsonError> {
        self.document(json, None)
    }

    /// As [`read`](Self::read), for a text that is known to be UTF-8.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_str<'t>(&self, json: &'t str) -> Result<JsonDocument<'t>, JsonError> {
        self.document(json.as_bytes(), Some(json))
    }

    fn document<'t>(&self, json: &'t [u8], text: Option<&'t str>) -> Result<JsonDocument<'t>, JsonError> {
        let mut tape = JsonTape::default();
        let text = self.fill(json, text, &mut tape)?;
        Ok(JsonDocument { text, tape })
    }

    /// Reads one JSON document into a tape, which may have been used before: a series of texts, such as lines,
    /// is read without allocating.
    ///
    /// ```
    /// use tct_canonical_json::{JsonReader, JsonTape};
    ///
    /// let (reader, mut tape) = (JsonReader::new(), JsonTape::default());
    /// let mut sum = 0;
    /// for line in "{\"n\":1}\n{\"n\":2}".lines() {
    ///     sum += reader.read_into(line.as_bytes(), &mut tape)?.get("n").and_then(|n| n.as_u64()).unwrap_or(0);
    /// }
    /// assert_eq!(sum, 3);
    /// # Ok::<(), tct_canonical_json::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read). The tape is then empty.
    pub fn read_into<'a>(&self, json: &'a [u8], tape: &'a mut JsonTape) -> Result<JsonValue<'a>, JsonError> {
        let text = self.fill(json, None, tape)?;
        Ok(JsonValue::root(text, &tape.nodes))
    }

    /// As [`read_into`](Self::read_into), for a text that is known to be UTF-8.
    ///
    /// # Errors
    /// As [`read`](Self::read). The tape is then empty.
    pub fn read_str_into<'a>(
        &self,
        json: &'a str,
        tape: &'a mut JsonTape,
    ) -> Result<JsonValue<'a>, JsonError> {
        let text = self.fill(json.as_bytes(), Some(json), tape)?;
        Ok(JsonValue::root(text, &tape.nodes))
    }

    fn fill<'t>(
        &self,
        json: &'t [u8],
        text: Option<&'t str>,
        tape: &mut JsonTape,
    ) -> Result<&'t str, JsonError> {
        tape.clear();
        let max_bytes = self.longest();
        if json.len() > max_bytes {
            return Err(Fault::beyond(Kind::TooLarge, max_bytes, max_bytes).describe(json, None));
        }
        let checked = text.map_or_else(|| simdutf8::basic::from_utf8(json).ok(), Some);
        let Some(text) = checked else { return Err(self.fault_of_invalid(json, tape)) };
        let filled = Filler::new(self, text, json, tape).fill();
        if let Err(error) = filled {
            tape.clear();
            return Err(error);
        }
        Ok(text)
    }

    /// Reads the value at the start of `text`, if it is complete and the reader accepts it. Returns its length; the
    /// value is the tape's [`first_in`](JsonTape::first_in).
    pub(crate) fn read_first_into(&self, text: &str, tape: &mut JsonTape) -> Option<usize> {
        tape.clear();
        let len = Filler::new(self, text, text.as_bytes(), tape).fill_first().ok()?;
        // A number that is cut is a number too.
        let may_go_on =
            len == text.len() && text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        (len <= self.longest() && !may_go_on).then_some(len)
    }

    /// Checks the limits of a name or of a value that is not a container; it is all of `text`.
    pub(crate) fn check_token(&self, tag: Tag, text: &str) -> Result<(), JsonError> {
        let inside = || decoded_len(text.get(1..text.len().saturating_sub(1)).unwrap_or_default());
        let limited = |kind, limit| match text.len().saturating_sub(2) > limit && inside() > limit {
            true => Err(Fault::beyond(kind, 0, limit).describe(text.as_bytes(), None)),
            false => Ok(()),
        };
        match tag {
            Tag::Name | Tag::EscapedName => limited(Kind::NameTooLong, self.max_name_bytes),
            Tag::String | Tag::EscapedString => limited(Kind::StringTooLong, self.max_string_bytes),
            Tag::Number if self.refuses_huge_numbers => match read_number(text.as_bytes()) {
                Ok(number) if number.overflows(text.as_bytes()) => {
                    Err(Fault::overflow(0, text.len()).describe(text.as_bytes(), None))
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    pub(crate) const fn refuses_lone_surrogates(&self) -> bool {
        self.refuses_lone_surrogates
    }

    pub(crate) const fn depth_limit(&self) -> usize {
        self.max_depth
    }

    /// The length limit.
    pub(crate) const fn longest(&self) -> usize {
        if self.max_bytes < Self::LONGEST { self.max_bytes } else { Self::LONGEST }
    }

    /// The first fault of a text that is not UTF-8: an earlier one, or the byte from which on it is not.
    #[cold]
    fn fault_of_invalid(&self, json: &[u8], tape: &mut JsonTape) -> JsonError {
        let valid = valid_part(json);
        // The end of the valid part is where the first invalid byte is: faults there are that byte's.
        let fault = Fault::unexpected(valid.len(), "the end").describe(json, None);
        let error = Filler::new(self, valid, json, tape).fill().err().unwrap_or(fault);
        tape.clear();
        error
    }
}

/// The nodes of one text; the memory can be reused for the next text without allocating.
#[derive(Debug, Clone, Default)]
pub struct JsonTape {
    nodes: Vec<Node>,
    open: Vec<fill::Frame>,
    names: Vec<repeated::HashedName>,
    /// Indices of the names that are repeated, in order.
    repeated: Vec<u32>,
    /// Whether an escape is not that of the canonical form.
    has_odd_escapes: bool,
}

impl JsonTape {
    /// The value that [`JsonReader::read_first_into`] read.
    pub(crate) fn first_in<'a>(&'a self, text: &'a str) -> JsonValue<'a> {
        JsonValue::root(text, &self.nodes)
    }

    /// A name or a value that is not a container, which is `text` as a whole.
    pub(crate) fn single<'a>(&'a mut self, tag: Tag, text: &'a str) -> JsonValue<'a> {
        self.clear();
        self.nodes.push(Node::new(tag, 0, text.len()));
        JsonValue::root(text, &self.nodes)
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.open.clear();
        self.repeated.clear();
        self.has_odd_escapes = false;
    }
}

/// A document that has been read: the text, borrowed, and its nodes.
#[derive(Debug, Clone)]
pub struct JsonDocument<'t> {
    text: &'t str,
    tape: JsonTape,
}

impl<'t> JsonDocument<'t> {
    /// The document's value.
    #[must_use]
    pub fn root(&self) -> JsonValue<'_> {
        JsonValue::root(self.text, &self.tape.nodes)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns true if every escape in the text is canonical: its names and strings then differ from the canonical
    /// form in order and surrounding white space only.
    ///
    /// ```
    /// use tct_canonical_json::JsonReader;
    ///
    /// assert!(JsonReader::new().read(br#" ["a\n\u001f\""] "#)?.has_canonical_escapes());
    /// assert!(!JsonReader::new().read(br#" ["a\/b"] "#)?.has_canonical_escapes());
    /// # Ok::<(), tct_canonical_json::JsonError>(())
    /// ```
    #[must_use]
    pub fn has_canonical_escapes(&self) -> bool {
        !self.tape.has_odd_escapes
    }

    /// The value at a JSON Pointer (RFC 6901), such as `/items/0/url`; `""` is the root. See [`JsonValue::pointer`].
    #[must_use]
    pub fn pointer(&self, pointer: &str) -> Option<JsonValue<'_>> {
        self.root().pointer(pointer)
    }

    /// Where a person finds the value at a JSON Pointer: its offset in bytes, and its line and column. For a value that is
    /// not there, such as a missing member, this is the place of the nearest value around it.
    ///
    /// ```
    /// use tct_canonical_json::JsonReader;
    ///
    /// let document = JsonReader::new().read(b"{\n  \"entity\": {}\n}")?;
    /// let (offset, place) = document.locate("/entity/name");
    /// assert_eq!((offset, place.to_string().as_str()), (14, "line 2, column 13"));
    /// # Ok::<(), tct_canonical_json::JsonError>(())
    /// ```
    #[must_use]
    pub fn locate(&self, pointer: &str) -> (usize, LineColumn) {
        let mut pointer = pointer;
        let offset = loop {
            match (self.pointer(pointer), pointer.rsplit_once('/')) {
                (Some(value), _) => break value.span().start,
                (None, Some((outer, _))) => pointer = outer,
                (None, None) => break self.root().span().start,
            }
        };
        (offset, self.line_column(offset))
    }

    /// Line and column of a byte offset in the text.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> LineColumn {
        LineColumn::of(self.text.as_bytes(), offset)
    }

    /// The nodes, for reading another text into them.
    #[must_use]
    pub fn into_tape(self) -> JsonTape {
        self.tape
    }
}
