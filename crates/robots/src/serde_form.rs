//! A parsed file for serde: the bytes that were read, and how.
//!
//! Loading parses the file again, so the loaded rules are always those of a file.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::file::Robots;
use crate::options::{ParseOptions, RobotsMode};

#[derive(Serialize, Deserialize)]
struct Form<'a> {
    mode: RobotsMode,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    truncated: bool,
}

/// Text if the file is UTF-8, as nearly all are; otherwise its bytes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Text<'a> {
    Utf8(Cow<'a, str>),
    Bytes(Cow<'a, [u8]>),
}

impl Serialize for Robots<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = match core::str::from_utf8(self.as_bytes()) {
            Ok(text) => Text::Utf8(Cow::Borrowed(text)),
            Err(_) => Text::Bytes(Cow::Borrowed(self.as_bytes())),
        };
        Form { mode: self.mode(), text, truncated: self.is_truncated() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Robots<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        let bytes: Vec<u8> = match form.text {
            Text::Utf8(text) => String::from(text).into_bytes(),
            Text::Bytes(bytes) => bytes.into_owned(),
        };
        // What was read before was within its limit.
        let options = ParseOptions::default().mode(form.mode).max_bytes(usize::MAX);
        let mut robots = Robots::parse_with(&bytes, options).into_owned();
        robots.truncated = form.truncated;
        Ok(robots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_survives() {
        for file in
            [&b"User-agent: *\nDisallow: /a # \xC3\xA4\n"[..], b"User-agent: *\nDisallow: /\xFF\n", b""]
        {
            for mode in [RobotsMode::Rfc, RobotsMode::Strict, RobotsMode::Google] {
                let robots = Robots::parse_with(file, ParseOptions::default().mode(mode));
                let json = serde_json::to_string(&robots).unwrap();
                assert_eq!(serde_json::from_str::<Robots<'static>>(&json).unwrap(), robots, "{json}");
            }
        }
        let cut = Robots::parse_with(b"a: b\nc: d", ParseOptions::default().max_bytes(6));
        let json = serde_json::to_string(&cut).unwrap();
        let again = serde_json::from_str::<Robots<'static>>(&json).unwrap();
        assert!(again.is_truncated() && again == cut, "{json}");
        let json = serde_json::to_string(&Robots::parse(b"a: b")).unwrap();
        assert_eq!(json, r#"{"mode":"rfc","text":{"utf8":"a: b"}}"#);
    }
}
