//! tct-canonical-json.

use tct_canonical_json::{
    JsonReader, JsonStream, JsonValue, LineColumn, Profile, check_canonical, is_canonical, profiles_agree,
    read_canonical_strings, serialize, to_canonical, write_string,
};

use super::{Function, nothing, row};
use crate::run::Case;

const LIBRARY: &str = "tct-canonical-json";
const NONE: (u64, u64) = (0, 0);
/// An error quotes a few bytes, and holds the path to its place.
const ERROR: (u64, u64) = (3, 1_024);

/// Everything that a value can be asked for, for all values of a text: the bytes of its strings.
fn walk(root: JsonValue<'_>) -> usize {
    let mut bytes = 0;
    let mut todo = vec![root];
    while let Some(value) = todo.pop() {
        bytes += value.as_str().map_or(0, |text| text.len());
        nothing((value.as_f64(), value.as_i64(), value.is_str("a"), value.has_lone_surrogate()));
        todo.extend(value.items());
        todo.extend(value.members().map(|(_, value)| value));
    }
    bytes
}

fn lenient() -> JsonReader {
    JsonReader::new().report_repeated_names().report_lone_surrogates().report_huge_numbers()
}

/// All events of a stream that gets the input in pieces of that length.
fn events(case: &Case, piece_bytes: usize, is_whole: bool) -> usize {
    let mut stream = JsonStream::new(lenient());
    for piece in case.bytes.chunks(piece_bytes) {
        let mut events = stream.push(piece);
        while let Ok(Some(event)) = if is_whole { events.next_whole() } else { events.next() } {
            nothing(event);
        }
    }
    stream.finish().map_or_else(|error| error.to_string().len(), nothing)
}

pub const FUNCTIONS: &[Function] = &[
    row(LIBRARY, "to_canonical, RFC 8785", (32, 4_096), (8, 1_024), |case| {
        match to_canonical(&case.bytes, Profile::Rfc8785) {
            Ok(canonical) => canonical.len(),
            Err(error) => error.to_string().len(),
        }
    }),
    row(LIBRARY, "to_canonical, TCT", (32, 4_096), (8, 1_024), |case| {
        match to_canonical(&case.bytes, Profile::Tct) {
            Ok(canonical) => canonical.len(),
            Err(error) => error.to_string().len(),
        }
    }),
    row(LIBRARY, "check_canonical", (32, 4_096), ERROR, |case| {
        check_canonical(&case.bytes, Profile::Rfc8785).map_or(0, |deviation| format!("{deviation:?}").len())
    }),
    row(LIBRARY, "is_canonical", (32, 4_096), NONE, |case| {
        nothing(is_canonical(&case.bytes, Profile::Rfc8785))
    }),
    row(LIBRARY, "profiles_agree", (40, 4_096), NONE, |case| nothing(profiles_agree(&case.bytes))),
    row(LIBRARY, "JsonReader::read", (40, 8_192), ERROR, |case| match JsonReader::new().read(&case.bytes) {
        Ok(_) => 0,
        Err(error) => error.to_string().len() + error.path().map_or(0, str::len),
    }),
    row(LIBRARY, "JsonReader::read, and every value", (80, 8_192), (2, 1_024), |case| {
        lenient().read(&case.bytes).map_or(0, |document| walk(document.root()))
    }),
    row(LIBRARY, "JsonDocument::pointer", (8, 4_096), NONE, |case| {
        let document = JsonReader::new().read(br#"{"a":[{"b":1}]}"#).expect("it is JSON");
        nothing(document.pointer(&case.text).is_some())
    }),
    row(LIBRARY, "read_canonical_strings, compare_names", (8, 8_192), NONE, |case| {
        nothing(Profile::Rfc8785.compare_names(&case.text, &case.text));
        nothing(read_canonical_strings(&case.bytes, Profile::Tct, |_, _| true))
    }),
    row(LIBRARY, "LineColumn::of", NONE, NONE, |case| nothing(LineColumn::of(&case.bytes, case.bytes.len()))),
    row(LIBRARY, "write_string", (16, 1_024), (6, 2), |case| {
        let mut out = String::new();
        write_string(&case.text, &mut out);
        out.len()
    }),
    row(LIBRARY, "JsonStream, 3 bytes at a time", (40, 8_192), ERROR, |case| events(case, 3, false)),
    row(LIBRARY, "JsonStream, whole values", (40, 8_192), ERROR, |case| events(case, 1 << 12, true)),
    row(LIBRARY, "serialize::to_vec", (16, 4_096), (6, 2), |case| {
        serialize::to_vec(&case.text, Profile::Rfc8785).map_or(0, |json| json.len())
    }),
];
