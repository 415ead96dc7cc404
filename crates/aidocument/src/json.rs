//! JSON values of any content: members of later versions and structured data.
//!
//! They are kept as compact text: a value takes no more memory than its source, numbers keep every digit and
//! members their order, whatever features of serde_json are enabled in the build.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tct_canonical_json::{
    JsonDocument, JsonItems, JsonKind, JsonMembers, JsonName, JsonReader, JsonValue, write_string,
};

use crate::error::{DocumentError, DocumentErrorKind};
use crate::limits::Limits;
use crate::number;
use crate::write::Text;

/// A JSON value, kept as compact text.
///
/// Two values are equal when their texts are: members in the same order, numbers worth the same, strings with the
/// same characters however they were escaped. [`Json::read`] looks inside.
///
/// ```
/// use aidocument::Json;
///
/// let json: Json = r#"{ "name": "Tea\u0021", "grams": [1e2, 0.1] }"#.parse()?;
/// assert_eq!(json.as_str(), r#"{"name":"Tea!","grams":[100.0,0.1]}"#);
/// assert_eq!(json.read().pointer("/grams/1").and_then(|grams| grams.as_f64()), Some(0.1));
/// # Ok::<(), aidocument::DocumentError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Json(pub(crate) Box<str>);

impl Json {
    /// Reads a JSON value that fills the whole text, under the default [`Limits`].
    ///
    /// # Errors
    /// If the text is not valid JSON, names a member twice, or is past a limit.
    pub fn parse(json: &[u8]) -> Result<Self, DocumentError> {
        let document = Limits::default().reader().read(json)?;
        Ok(Json::compacted(document.root()))
    }

    /// Reads a JSON value as [`Json::parse`] does, but takes objects that name a member twice: the last of equal names
    /// counts, as in JavaScript. For JSON blocks in pages.
    ///
    /// # Errors
    /// If the text is not valid JSON, or is past a limit.
    pub fn parse_last_of_repeated(json: &[u8]) -> Result<Self, DocumentError> {
        let document = Limits::default().reader().report_repeated_names().read(json)?;
        Ok(Json::compacted(document.root()))
    }

    /// The value of anything that serde can write as JSON, such as what `serde_json::json!` makes.
    ///
    /// # Errors
    /// If the value cannot be written as JSON, or is past a limit of [`Json::parse`].
    pub fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, DocumentError> {
        match serde_json::to_string(value) {
            Ok(text) => Json::parse(text.as_bytes()),
            Err(error) => Err(DocumentError::malformed(
                0,
                alloc::format!("expected a value that is valid in JSON, found {error}"),
            )),
        }
    }

    /// Copies a value out of a parsed document.
    ///
    /// # Errors
    /// If the compact text is longer than [`JsonReader::LONGEST`], so that it could not be read again. No value of a text
    /// within [`Limits::LONGEST`] is.
    pub fn copy(value: JsonValue<'_>) -> Result<Self, DocumentError> {
        match compact_len(value) {
            len if len > JsonReader::LONGEST => Err(DocumentError::new(
                DocumentErrorKind::TooLong,
                None,
                alloc::format!("expected at most {} bytes of compact text, found {len}", JsonReader::LONGEST),
            )),
            _ => Ok(Json::compacted(value)),
        }
    }

    /// A value of a text that was read within the limits, or of a compact text.
    pub(crate) fn compacted(value: JsonValue<'_>) -> Self {
        let mut text = String::with_capacity(compact_len(value));
        compact(value, &mut |piece| text.push_str(piece));
        Json(text.into())
    }

    /// The compact text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value, read again to look inside. `O(n)`.
    #[must_use]
    pub fn read(&self) -> JsonDocument<'_> {
        read_again(&self.0)
    }
}

/// A JSON object, kept as compact text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct JsonObject(pub(crate) Json);

impl JsonObject {
    /// The value, where it is an object.
    #[must_use]
    pub fn new(json: Json) -> Option<Self> {
        json.as_str().starts_with('{').then_some(JsonObject(json))
    }

    /// Returns true for `{}`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.as_str().len() == 2
    }

    /// The compact text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The object, read again to look inside. `O(n)`.
    #[must_use]
    pub fn read(&self) -> JsonDocument<'_> {
        self.0.read()
    }

    /// The object as any value.
    #[must_use]
    pub fn into_json(self) -> Json {
        self.0
    }
}

impl fmt::Display for JsonObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Text for JsonObject {
    fn push_to(&self, out: &mut String) {
        self.0.push_to(out);
    }
}

impl Serialize for JsonObject {
    /// As [`Json`] does.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Reads a text that was written here: valid, without repeated names, and no longer than what can be read. The values are
/// of texts within [`Limits::LONGEST`], [`Json::copy`] and `StructuredData::of` measure theirs.
#[expect(clippy::expect_used, reason = "an answer that is not the text would lose data unseen")]
pub(crate) fn read_again(text: &str) -> JsonDocument<'_> {
    let reader = JsonReader::new().max_bytes(usize::MAX).max_depth(usize::MAX);
    reader.read_str(text).expect("a compact text reads again")
}

impl core::str::FromStr for Json {
    type Err = DocumentError;

    fn from_str(text: &str) -> Result<Self, DocumentError> {
        Json::parse(text.as_bytes())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Text for Json {
    fn push_to(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

enum Level<'a> {
    Object(JsonMembers<'a>),
    /// The last member of each name, for an object that repeats names.
    Listed(alloc::vec::IntoIter<(JsonName<'a>, JsonValue<'a>)>),
    Array(JsonItems<'a>),
}

/// Hands out a value piece by piece in compact form: no blanks, only the escapes that JSON needs, numbers as
/// [`number::normal`] has them. Takes heap, not stack, for a level.
fn compact(value: JsonValue<'_>, out: &mut impl FnMut(&str)) {
    let mut open: Vec<Level<'_>> = Vec::new();
    let (mut next, mut escaped) = (Some(value), String::new());
    loop {
        let mut is_first = false;
        if let Some(value) = next.take() {
            match value.kind() {
                JsonKind::Object => {
                    out("{");
                    let repeats = value.members().any(|(name, _)| name.is_repeated());
                    open.push(if repeats { last_of_each(value) } else { Level::Object(value.members()) });
                    is_first = true;
                }
                JsonKind::Array => {
                    out("[");
                    open.push(Level::Array(value.items()));
                    is_first = true;
                }
                JsonKind::String => {
                    compact_string(value.raw(), || value.as_str().unwrap_or_default(), &mut escaped, out)
                }
                JsonKind::Number => out(&number::normal(value.raw())),
                JsonKind::Bool | JsonKind::Null => out(value.raw()),
            }
        }
        let Some(level) = open.last_mut() else { return };
        let member = match level {
            Level::Object(members) => members.next(),
            Level::Listed(members) => members.next(),
            Level::Array(_) => None,
        };
        let (name, end) = match level {
            Level::Object(_) | Level::Listed(_) => {
                next = member.map(|(_, value)| value);
                (member.map(|(name, _)| name), "}")
            }
            Level::Array(items) => {
                next = items.next();
                (None, "]")
            }
        };
        if next.is_none() {
            out(end);
            open.pop();
            continue;
        }
        if !is_first {
            out(",");
        }
        if let Some(name) = name {
            compact_string(name.raw(), || name.as_str(), &mut escaped, out);
            out(":");
        }
    }
}

#[cold]
fn last_of_each(object: JsonValue<'_>) -> Level<'_> {
    let mut seen = alloc::collections::BTreeSet::new();
    let mut members: Vec<_> = object.members().collect();
    members.reverse();
    members.retain(|(name, _)| seen.insert(name.as_str()));
    members.reverse();
    Level::Listed(members.into_iter())
}

/// A string literal, as it is where it has no escapes.
fn compact_string<'a>(
    raw: &str,
    decoded: impl FnOnce() -> Cow<'a, str>,
    buffer: &mut String,
    out: &mut impl FnMut(&str),
) {
    if !raw.contains('\\') {
        return out(raw);
    }
    buffer.clear();
    write_string(&decoded(), buffer);
    out(buffer);
}

/// An estimate of a value's length in compact form; exact for long values. Only numbers can become longer.
fn compact_len(value: JsonValue<'_>) -> usize {
    const SHORT: usize = 16 << 10;
    let raw = value.raw().len();
    if raw <= SHORT {
        return raw;
    }
    let mut len = 0;
    compact(value, &mut |piece| len += piece.len());
    len
}

/// An object of the given members in the order of their names, as compact text; `None` where there is no member.
pub(crate) fn sorted_object<'a>(
    members: impl Iterator<Item = (JsonName<'a>, JsonValue<'a>)> + Clone,
) -> Option<Box<str>> {
    let (mut count, mut len, mut is_sorted) = (0, 1, true);
    let mut last = Cow::Borrowed("");
    for (name, value) in members.clone() {
        let name_text = name.as_str();
        is_sorted &= last <= name_text;
        last = name_text;
        count += 1;
        len += name.raw().len() + 2 + compact_len(value);
    }
    if count == 0 {
        return None;
    }
    let mut text = String::with_capacity(len);
    // Where each name begins and ends, and its value ends. Texts are at most 256 MiB long.
    let mut places: Vec<(u32, u32, u32)> = Vec::with_capacity(if is_sorted { 0 } else { count });
    let mut buffer = String::new();
    text.push('{');
    for (name, value) in members {
        if text.len() > 1 {
            text.push(',');
        }
        let start = text.len();
        compact_string(name.raw(), || name.as_str(), &mut buffer, &mut |piece| text.push_str(piece));
        let end = text.len();
        text.push(':');
        compact(value, &mut |piece| text.push_str(piece));
        if !is_sorted {
            places.push((start as u32, end as u32, text.len() as u32));
        }
    }
    text.push('}');
    if is_sorted {
        return Some(text.into());
    }
    let part = |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or_default();
    let name_of = |place: &(u32, u32, u32)| match part(place.0, place.1) {
        literal if literal.contains('\\') => {
            Cow::Owned(read_again(literal).root().as_str().unwrap_or_default().into_owned())
        }
        literal => Cow::Borrowed(literal.trim_matches('"')),
    };
    places.sort_unstable_by(|a, b| name_of(a).cmp(&name_of(b)));
    let mut sorted = String::with_capacity(text.len());
    for place in &places {
        sorted.push(if sorted.is_empty() { '{' } else { ',' });
        sorted.push_str(part(place.0, place.2));
    }
    sorted.push('}');
    Some(sorted.into())
}

impl Serialize for Json {
    /// Numbers go through serde as integers or doubles: one that a double cannot hold becomes the nearest. Takes a
    /// stack frame for each level; the reader's depth limit bounds them.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Through(self.read().root()).serialize(serializer)
    }
}

/// A value that is being serialised.
pub(crate) struct Through<'a>(pub(crate) JsonValue<'a>);

impl Serialize for Through<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        match value.kind() {
            JsonKind::Null => serializer.serialize_unit(),
            JsonKind::Bool => serializer.serialize_bool(value.as_bool().unwrap_or_default()),
            JsonKind::String => serializer.serialize_str(&value.as_str().unwrap_or_default()),
            JsonKind::Number => match (value.raw().parse(), value.raw().parse()) {
                (Ok(whole), _) => serializer.serialize_u64(whole),
                (_, Ok(whole)) => serializer.serialize_i64(whole),
                _ => serializer.serialize_f64(value.as_f64().unwrap_or_default()),
            },
            JsonKind::Array => {
                let mut array = serializer.serialize_seq(None)?;
                value.items().try_for_each(|item| array.serialize_element(&Through(item)))?;
                array.end()
            }
            JsonKind::Object => {
                let mut map = serializer.serialize_map(None)?;
                value
                    .members()
                    .try_for_each(|(name, value)| map.serialize_entry(&*name.as_str(), &Through(value)))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    /// Takes a value from any format that describes itself. Depth is bounded as in [`Json::parse`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut text = String::new();
        deserializer.deserialize_any(Transcode { out: &mut text, levels: Limits::DEEPEST })?;
        // Names that repeat and numbers in another form are found by reading.
        Json::parse(text.as_bytes()).map_err(D::Error::custom)
    }
}

/// Writes the values of any serde format as JSON text.
struct Transcode<'a> {
    out: &'a mut String,
    levels: usize,
}

/// The name of the struct in which serde_json passes numbers as text, if the build has its feature
/// `arbitrary_precision`.
const NUMBER: &str = "$serde_json::private::Number";

/// Whether this build's serde_json hands numbers over as text.
fn numbers_are_text() -> bool {
    serde_json::from_str::<serde_json::Number>("0.10")
        .is_ok_and(|number| alloc::format!("{number}") == "0.10")
}

impl Transcode<'_> {
    fn below<E: serde::de::Error>(&mut self) -> Result<Transcode<'_>, E> {
        match self.levels.checked_sub(1) {
            Some(levels) => Ok(Transcode { out: self.out, levels }),
            None => Err(E::custom("expected less nesting, found another level")),
        }
    }
}

impl<'de> serde::de::DeserializeSeed<'de> for Transcode<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Transcode<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.out.push_str("null");
        Ok(())
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        value.push_to(self.out);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        value.push_to(self.out);
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        value.push_to(self.out);
        Ok(())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        match number::print(value).filter(|_| value.is_finite()) {
            Some(text) => {
                self.out.push_str(&text);
                Ok(())
            }
            None => Err(E::custom("expected a finite number, found another")),
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        write_string(value, self.out);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        self.out.push('[');
        let start = self.out.len();
        loop {
            let end = self.out.len();
            if end > start {
                self.out.push(',');
            }
            if items.next_element_seed(self.below()?)?.is_none() {
                self.out.truncate(end);
                self.out.push(']');
                return Ok(());
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        let start = self.out.len();
        while let Some(name) = members.next_key::<Cow<'de, str>>()? {
            if self.out.len() == start && name == NUMBER && numbers_are_text() {
                let number = members.next_value::<Cow<'de, str>>()?;
                self.out.push_str(&number);
                return Ok(());
            }
            self.out.push(if self.out.len() == start { '{' } else { ',' });
            write_string(&name, self.out);
            self.out.push(':');
            members.next_value_seed(self.below()?)?;
        }
        if self.out.len() == start {
            self.out.push('{');
        }
        self.out.push('}');
        Ok(())
    }
}

/// Members of an object that the document's version does not know, sorted by name; they are kept and written back.
///
/// Spec: AIWebIndex 1.0, "Versioning and evolution"; AIWI-CONF-2, AIWI2-DOC-3.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Extra(Option<Box<str>>);

impl Extra {
    /// The members that none of `known` names.
    pub(crate) fn of<'a>(members: impl Iterator<Item = (JsonName<'a>, JsonValue<'a>)> + Clone) -> Self {
        Extra(sorted_object(members))
    }

    /// Returns true where there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// An object with the members as compact text, `{}` where there are none.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or("{}")
    }

    /// An object with the members, read again to look inside. `O(n)`.
    #[must_use]
    pub fn read(&self) -> JsonDocument<'_> {
        read_again(self.as_str())
    }

    /// The members without the braces around them.
    pub(crate) fn inner(&self) -> &str {
        let text = self.as_str();
        text.get(1..text.len() - 1).unwrap_or_default()
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The allocation has exactly the length of the text: a shorter one would be copied, a longer one waste
    /// memory.
    #[test]
    fn long_texts_are_allocated_at_their_length() {
        for count in [1, 3_276, 3_277, 20_000] {
            let json = alloc::format!("[{}\"\"]", "1e15,".repeat(count));
            let document = JsonReader::new().read_str(&json).unwrap();
            let text = Json::copy(document.root()).unwrap();
            assert_eq!(text.as_str().len(), 19 * count + 4, "{count}");
            let is_short = json.len() <= 16 << 10;
            let expected = if is_short { json.len() } else { text.as_str().len() };
            assert_eq!(compact_len(document.root()), expected, "{count}");
        }
    }
}
