//! Fast path for headings, links and images without findings: most are, and a page may have 100,000 of them.
//!
//! Each function returns the same as the full reader in `read.rs`, or `None` if that might report a finding: a member
//! that is missing, unknown or of another type, a URL in another form, a flag that is wrong.

use alloc::borrow::Cow;
use alloc::string::String;

use tct_canonical_json::{JsonKind, JsonValue};
use web_values::{UrlRules, WebUrl, serialize_url};

use crate::json::Extra;
use crate::parts::{Heading, HeadingLevel, Image, Link};

pub(crate) fn heading(value: JsonValue<'_>) -> Option<Heading> {
    let (mut level, mut text, mut id) = (None, None, None);
    for (name, value) in value.members() {
        match &*name.as_str() {
            "level" => level = Some(level_of(value.number_text()?)?),
            "text" => text = Some(value.as_str()?),
            "id" => id = nullable(value)?,
            _ => return None,
        }
    }
    Some(Heading { level: level?, text: text?.into_owned(), id, extra: Extra::default() })
}

pub(crate) fn link(value: JsonValue<'_>, page: Option<&WebUrl>) -> Option<Link> {
    let (mut url, mut text, mut internal, mut rel) = (None, None, None, None);
    for (name, value) in value.members() {
        match &*name.as_str() {
            "url" => url = Some(value.as_str()?),
            "text" => text = nullable(value)?,
            "internal" => internal = Some(value.as_bool()?),
            "rel" => rel = nullable(value)?,
            _ => return None,
        }
    }
    let (url, internal) = (url?, internal?);
    let url = serialize_url(&url, UrlRules::default()).ok()?;
    if page.is_some_and(|page| (page.host_str() == Some(url.host())) != internal) {
        return None;
    }
    Some(Link { url: url.as_str().into(), internal, text, rel, extra: Extra::default() })
}

pub(crate) fn image(value: JsonValue<'_>) -> Option<Image> {
    let (mut url, mut alt) = (None, None);
    for (name, value) in value.members() {
        match &*name.as_str() {
            "url" => url = Some(value.as_str()?),
            "alt" => alt = nullable(value)?,
            _ => return None,
        }
    }
    let url = url?;
    let url = serialize_url(&url, UrlRules::default()).ok()?;
    Some(Image { url: url.as_str().into(), alt, extra: Extra::default() })
}

/// The text of a member that may be `null`; `None` for any other type.
#[inline]
fn nullable(value: JsonValue<'_>) -> Option<Option<String>> {
    match value.as_str() {
        Some(text) => Some(Some(Cow::into_owned(text))),
        None if value.kind() == JsonKind::Null => Some(None),
        None => None,
    }
}

#[inline]
fn level_of(number: &str) -> Option<HeadingLevel> {
    match number.as_bytes() {
        [digit] => HeadingLevel::new(digit.wrapping_sub(b'0')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use tct_canonical_json::JsonReader;

    use super::*;

    /// The fast path handles plain members; without it the results are the same, but reading takes
    /// twice the time.
    #[test]
    fn what_is_plain_is_read_here() {
        let reads = |json: &str, read: fn(JsonValue<'_>) -> bool| {
            read(JsonReader::new().read_str(json).unwrap().root())
        };
        let is_heading = |json: &str| reads(json, |value| heading(value).is_some());
        let is_link = |json: &str| {
            let page = WebUrl::parse("https://a.example/").unwrap();
            reads(json, |value| {
                let page = WebUrl::parse("https://a.example/").unwrap();
                link(value, Some(&page)).is_some() && link(value, None).is_some()
            }) && page.host_str() == Some("a.example")
        };
        let is_image = |json: &str| reads(json, |value| image(value).is_some());
        for level in 1..=6 {
            assert!(is_heading(&alloc::format!(r#"{{"level":{level},"text":"t"}}"#)), "{level}");
        }
        for id in [r#""i""#, "null"] {
            assert!(is_heading(&alloc::format!(r#"{{"text":"t","level":1,"id":{id}}}"#)));
            assert!(is_image(&alloc::format!(r#"{{"url":"https://a.example/i.png","alt":{id}}}"#)));
            let said = alloc::format!(r#""text":{id},"rel":{id}"#);
            assert!(is_link(&alloc::format!(r#"{{"url":"https://a.example/b",{said},"internal":true}}"#)));
            assert!(is_link(&alloc::format!(r#"{{"internal":false,{said},"url":"https://b.example/"}}"#)));
        }
        assert!(is_image(r#"{"url":"https://a.example/i.png"}"#));
        for other in [r#"{"level":7,"text":"t"}"#, r#"{"level":1}"#, r#"{"level":1,"text":"t","x":1}"#] {
            assert!(!is_heading(other), "{other}");
        }
        assert!(!is_link(r#"{"url":"https://a.example/b","internal":false}"#));
        assert!(!is_image(r#"{"url":"https://a.example/","alt":1}"#));
    }
}
