//! Media types, as `Content-Type` and `type` attributes carry them.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A media type: type, subtype and parameters, such as `text/html; charset=utf-8`.
///
/// Read as browsers do (the MIME Sniffing Standard): white space around the parts is ignored, type, subtype and
/// parameter names become lower case, quoted values are unquoted, of a parameter given twice the first counts, and a
/// parameter that cannot be read is dropped. Values keep their case. Type and subtype must be tokens.
///
/// ```
/// use web_values::MediaType;
///
/// let found = MediaType::parse("Application/LD+JSON ; Profile=\"a b\"; charset=UTF-8").unwrap();
/// assert_eq!(found.essence(), "application/ld+json");
/// assert_eq!((found.parameter("profile"), found.parameter("charset")), (Some("a b"), Some("UTF-8")));
/// assert!(found.is_json() && !found.is_html());
/// assert_eq!(found.to_string(), "application/ld+json;profile=\"a b\";charset=UTF-8");
/// assert!(MediaType::parse("json").is_none());
/// ```
///
/// Spec: MIME Sniffing Standard, "Parsing a MIME type"; RFC 9110, "Media Type".
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediaType {
    essence: String,
    slash: usize,
    parameters: Vec<(String, String)>,
}

impl MediaType {
    /// Reads a media type; `None` if the text does not begin with `type/subtype`. `O(n)` for the first 64
    /// parameters; later ones are dropped.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(is_blank);
        let (essence, mut rest) = text.split_at_checked(text.find(';').unwrap_or(text.len()))?;
        let essence = essence.trim_end_matches(is_blank);
        let (kind, subtype) = essence.split_once('/')?;
        if !is_token(kind) || !is_token(subtype) {
            return None;
        }
        let slash = kind.len();
        let essence = essence.to_ascii_lowercase();
        let mut parameters: Vec<(String, String)> = Vec::new();
        while let Some(after) = rest.strip_prefix(';') {
            let after = after.trim_start_matches(is_blank);
            let (name, tail) = after.split_at_checked(after.find([';', '=']).unwrap_or(after.len()))?;
            let Some(tail) = tail.strip_prefix('=') else {
                rest = tail;
                continue;
            };
            let (value, tail) = match tail.strip_prefix('"') {
                Some(quoted) => {
                    let (value, tail) = unquote(quoted);
                    // What follows the closing quotation mark is ignored.
                    (value, tail.get(tail.find(';').unwrap_or(tail.len())..).unwrap_or_default())
                }
                None => {
                    let (value, tail) = tail.split_at_checked(tail.find(';').unwrap_or(tail.len()))?;
                    let value = value.trim_end_matches(is_blank);
                    if value.is_empty() {
                        rest = tail;
                        continue;
                    }
                    (value.to_owned(), tail)
                }
            };
            rest = tail;
            let name = name.to_ascii_lowercase();
            let is_new = !parameters.iter().any(|(known, _)| *known == name);
            if is_token(&name)
                && value.chars().all(is_value_char)
                && is_new
                && parameters.len() < MAX_PARAMETERS
            {
                parameters.push((name, value));
            }
        }
        Some(MediaType { essence, slash, parameters })
    }

    /// Reads the `Content-Type` of a response's headers; `None` if it is absent, given more than once with different
    /// values, or cannot be read.
    #[cfg(feature = "http")]
    #[must_use]
    pub fn of(headers: &http::HeaderMap) -> Option<Self> {
        let mut lines = headers.get_all(http::header::CONTENT_TYPE).iter();
        let first = lines.next()?;
        lines.all(|line| line == first).then(|| MediaType::parse(first.to_str().ok()?))?
    }

    /// Type and subtype in lower case, such as `text/html`.
    #[must_use]
    pub fn essence(&self) -> &str {
        &self.essence
    }

    /// The top-level type, such as `text`.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.essence.get(..self.slash).unwrap_or_default()
    }

    /// The subtype, such as `html`.
    #[must_use]
    pub fn subtype(&self) -> &str {
        self.essence.get(self.slash + 1..).unwrap_or_default()
    }

    /// The structured syntax suffix without its `+`, such as `json` in `application/ld+json`.
    #[must_use]
    pub fn suffix(&self) -> Option<&str> {
        self.subtype().rsplit_once('+').map(|(_, suffix)| suffix)
    }

    /// The value of a parameter; its name is compared without case.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The parameters in the order of the text: names in lower case, values unquoted.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The `charset` parameter.
    #[must_use]
    pub fn charset(&self) -> Option<&str> {
        self.parameter("charset")
    }

    /// Returns true for `application/json`, `text/json` and every subtype that ends in `+json`.
    #[must_use]
    pub fn is_json(&self) -> bool {
        matches!(self.essence(), "application/json" | "text/json") || self.suffix() == Some("json")
    }

    /// Returns true for `application/xml`, `text/xml` and every subtype that ends in `+xml` (SVG and XHTML too).
    #[must_use]
    pub fn is_xml(&self) -> bool {
        matches!(self.essence(), "application/xml" | "text/xml") || self.suffix() == Some("xml")
    }

    /// Returns true for `text/html`.
    #[must_use]
    pub fn is_html(&self) -> bool {
        self.essence() == "text/html"
    }
}

impl fmt::Display for MediaType {
    /// Writes the form that reads back as the same value: no white space, quotation marks where they are needed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.essence)?;
        for (name, value) in &self.parameters {
            write!(f, ";{name}=")?;
            if is_token(value) {
                f.write_str(value)?;
            } else {
                f.write_str("\"")?;
                for part in value.split_inclusive(['"', '\\']) {
                    match part.strip_suffix(['"', '\\']) {
                        Some(plain) => write!(f, "{plain}\\{}", part.get(plain.len()..).unwrap_or_default())?,
                        None => f.write_str(part)?,
                    }
                }
                f.write_str("\"")?;
            }
        }
        Ok(())
    }
}

impl core::str::FromStr for MediaType {
    type Err = MediaTypeError;

    fn from_str(text: &str) -> Result<Self, MediaTypeError> {
        MediaType::parse(text).ok_or(MediaTypeError)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for MediaType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for MediaType {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <alloc::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A text that does not begin with `type/subtype`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediaTypeError;

impl fmt::Display for MediaTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a media type such as text/html")
    }
}

impl core::error::Error for MediaTypeError {}

/// Real types have two or three; more only make comparing names expensive.
const MAX_PARAMETERS: usize = 64;

/// The value up to the closing quotation mark, and the text after it.
fn unquote(quoted: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => value.push(chars.next().map_or('\\', |(_, escaped)| escaped)),
            c => value.push(c),
        }
    }
    (value, "")
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_token(text: &str) -> bool {
    let is_token_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_token_byte)
}

fn is_value_char(c: char) -> bool {
    matches!(c, '\t' | ' '..='~' | '\u{80}'..='\u{ff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn forms() {
        for (text, printed) in [
            ("text/html", "text/html"),
            (" TEXT/HTML ;charset=UTF-8\r\n", "text/html;charset=UTF-8"),
            ("text/html;charset=gbk;charset=utf-8", "text/html;charset=gbk"),
            ("text/html;charset =utf-8", "text/html"),
            ("text/html;charset= utf-8", "text/html;charset=\" utf-8\""),
            ("text/html;charset=\"utf-8\" x ;a=b", "text/html;charset=utf-8;a=b"),
            ("text/html;charset=\"a\\\"b\\", "text/html;charset=\"a\\\"b\\\\\""),
            ("text/html;;;a=;b=\"\";c", "text/html;b=\"\""),
            ("text/html;a=\u{1f600}", "text/html"),
            ("text/html;a=\u{e9}", "text/html;a=\"\u{e9}\""),
            ("x/x;bad name=1;ok=2", "x/x;ok=2"),
            ("image/svg+xml", "image/svg+xml"),
        ] {
            let found = MediaType::parse(text).map(|found| found.to_string());
            assert_eq!(found.as_deref(), Some(printed), "{text:?}");
        }
        for text in [
            "",
            "/",
            "text",
            "text/",
            "/html",
            "te xt/html",
            "text/ht ml",
            "text/html,",
            "a/b/c",
            "*",
            ";a=b",
        ] {
            assert_eq!(MediaType::parse(text), None, "{text:?}");
        }
        assert!("text".parse::<MediaType>().unwrap_err().to_string().contains("text/html"));
    }

    #[test]
    fn families() {
        let of = |text| MediaType::parse(text).unwrap();
        for text in
            ["application/json", "text/json; charset=utf-8", "application/ld+json", "application/feed+JSON"]
        {
            assert!(of(text).is_json(), "{text}");
        }
        for text in ["application/xml", "text/xml", "image/svg+xml", "application/xhtml+xml"] {
            assert!(of(text).is_xml() && !of(text).is_json(), "{text}");
        }
        assert!(!of("application/jsonl").is_json() && !of("application/json5").is_json());
        assert_eq!(
            (of("a/b+c").kind(), of("a/b+c").subtype(), of("a/b+c").suffix()),
            ("a", "b+c", Some("c"))
        );
        assert_eq!(of("a/b; Charset=x").charset(), Some("x"));
        assert_eq!(of("a/b;x=1;y=2").parameters().collect::<Vec<_>>(), [("x", "1"), ("y", "2")]);
    }

    #[test]
    fn many_parameters_are_bounded() {
        let mut text = String::from("a/b");
        for at in 0..20_000 {
            text.push_str(&alloc::format!(";p{at}=1"));
        }
        assert_eq!(MediaType::parse(&text).unwrap().parameters().count(), MAX_PARAMETERS);
    }

    #[cfg(feature = "http")]
    #[test]
    fn header_maps() {
        use http::{HeaderMap, HeaderValue, header};
        let mut headers = HeaderMap::new();
        assert_eq!(MediaType::of(&headers), None);
        headers.append(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
        headers.append(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
        assert!(MediaType::of(&headers).unwrap().is_html());
        headers.append(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        assert_eq!(MediaType::of(&headers), None, "two types contradict each other");
    }
}
