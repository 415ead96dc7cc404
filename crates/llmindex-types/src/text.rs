//! A manifest's source text, as the checks of ownership and signature need it.
//!
//! ```text
//! bytes ─parse─▶ ManifestText ─▶ source()  the same bytes
//!                             ├▶ sig(), verify()   present, absent, or there and defective
//!                             ├▶ canonical_host()  the domain that a proof speaks for
//!                             └▶ without_sig(), with_sig()
//! ```
//!
//! This module does not check the manifest as a whole; [`validate`](crate::validate) does. It refuses texts that
//! readers could understand in two ways: a member name that is repeated in its object, at any level, and an escaped
//! surrogate without its other half.

use alloc::borrow::Cow;
use alloc::string::String;

use tct_canonical_json::{JsonDocument, JsonKind, JsonReader, JsonValue, write_string};

use web_values::{Timestamp, WebUrl};

use crate::{Limits, LlmindexTextError, url};

/// A JSON object in its source text, each member name once.
///
/// Spec: llmindex 0.1, "Signature"; LLMI-SIG-1, LLMI-AMB-20, LLMI-AMB-21.
#[derive(Debug, Clone)]
pub struct ManifestText<'a> {
    source: &'a [u8],
    document: JsonDocument<'a>,
}

/// An optional member; a defective one is not treated as absent.
///
/// Spec: llmindex 0.1, "Optional fields"; LLMI-AMB-9.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member<T> {
    /// The manifest has no such member.
    Absent,
    /// The member is there, but some part of it is missing, empty or of the wrong type.
    Defective,
    /// The member is present and complete.
    Present(T),
}

impl<T> Member<T> {
    /// The value, if the member is present and complete.
    #[must_use]
    pub fn present(self) -> Option<T> {
        match self {
            Member::Present(value) => Some(value),
            Member::Absent | Member::Defective => None,
        }
    }
}

/// The member `sig`: three strings, none empty.
///
/// Spec: llmindex 0.1, "Optional fields"; LLMI-MAN-19.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sig<'a> {
    /// Algorithm, `EdDSA` by advice.
    pub alg: Cow<'a, str>,
    /// Name of the key.
    pub kid: Cow<'a, str>,
    /// JWS Compact Serialization, unchecked here.
    pub jws: Cow<'a, str>,
}

/// The member `verify`: how ownership is proved.
///
/// Spec: llmindex 0.1, "Optional fields"; LLMI-MAN-17, LLMI-MAN-18.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Verify<'a> {
    /// Where the proof is published.
    pub method: VerifyMethod,
    /// The required content of the proof; never empty.
    pub value: Cow<'a, str>,
}

/// Where a proof of ownership is published.
///
/// Spec: llmindex 0.1, "Verification"; LLMI-MAN-17.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum VerifyMethod {
    /// `dns_txt`: a TXT record.
    DnsTxt,
    /// `http_file`: a file at a fixed path.
    HttpFile,
}

impl core::fmt::Display for VerifyMethod {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl VerifyMethod {
    /// The value of `verify.method`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            VerifyMethod::DnsTxt => "dns_txt",
            VerifyMethod::HttpFile => "http_file",
        }
    }

    /// The method of that name, spelled just so.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [VerifyMethod::DnsTxt, VerifyMethod::HttpFile].into_iter().find(|method| method.as_str() == name)
    }
}

/// Splits one byte order mark off the start.
pub(crate) fn strip_bom(bytes: &[u8]) -> (bool, &[u8]) {
    match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => (true, rest),
        None => (false, bytes),
    }
}

/// The document in `bytes`, and how many bytes a byte order mark before it takes.
///
/// The mark does not count against `max_bytes`; a text that is too long is refused before anything in it is looked at.
pub(crate) fn open<'a>(
    bytes: &'a [u8],
    reader: &JsonReader,
) -> Result<(usize, JsonDocument<'a>), LlmindexTextError> {
    let (_, rest) = strip_bom(bytes);
    let skipped = bytes.len() - rest.len();
    let document = reader.read(rest).map_err(|error| LlmindexTextError::of_json(error, bytes, skipped))?;
    Ok((skipped, document))
}

impl<'a> ManifestText<'a> {
    /// Reads the JSON object in `bytes`; one byte order mark before it is passed over and does not count against the
    /// limit, as in [`validate`](crate::validate). `O(n log n)` at worst.
    ///
    /// # Errors
    /// [`NotUtf8`](crate::LlmindexTextErrorKind::NotUtf8), `NotJson` (also if the value is not an object), `TooLong`, `TooDeep`,
    /// `DuplicateMember` and `LoneSurrogate`, each with a byte offset.
    ///
    /// Spec: llmindex 0.1, "Signature"; LLMI-AMB-21, LLMI-AMB-29.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self, LlmindexTextError> {
        let (skipped, document) = open(bytes, &limits.strict_reader())?;
        let root = document.root();
        if root.kind() != JsonKind::Object {
            let offset = root.span().start + skipped;
            return Err(LlmindexTextError::not_an_object(offset, root.kind().name()));
        }
        Ok(ManifestText { source: bytes, document })
    }

    fn root(&self) -> JsonValue<'_> {
        self.document.root()
    }

    /// The bytes that were read, unchanged.
    #[must_use]
    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    /// The JSON text: the source without its byte order mark.
    #[must_use]
    pub fn json(&self) -> &'a str {
        self.document.text()
    }

    /// The text of a top-level string member.
    #[must_use]
    pub fn string(&self, name: &str) -> Option<Cow<'_, str>> {
        self.root().get(name)?.as_str()
    }

    /// The member `sig`.
    #[must_use]
    pub fn sig(&self) -> Member<Sig<'_>> {
        let Some(sig) = self.root().get("sig") else { return Member::Absent };
        let part = |name: &str| sig.get(name)?.as_str().filter(|text| !text.is_empty());
        match (part("alg"), part("kid"), part("jws")) {
            (Some(alg), Some(kid), Some(jws)) => Member::Present(Sig { alg, kid, jws }),
            _ => Member::Defective,
        }
    }

    /// The member `verify`.
    #[must_use]
    pub fn verify(&self) -> Member<Verify<'_>> {
        let Some(verify) = self.root().get("verify") else { return Member::Absent };
        let method = verify.get("method").and_then(|method| VerifyMethod::from_name(&method.as_str()?));
        let value = verify.get("value").and_then(|value| value.as_str()).filter(|text| !text.is_empty());
        match (method, value) {
            (Some(method), Some(value)) => Member::Present(Verify { method, value }),
            _ => Member::Defective,
        }
    }

    /// `entity.canonical_url`, if it is as the specification requires: https, a host, neither userinfo nor a
    /// fragment.
    ///
    /// Spec: llmindex 0.1, "Required fields"; LLMI-MAN-6, LLMI-AMB-6.
    #[must_use]
    pub fn canonical_url(&self) -> Option<WebUrl> {
        let text = self.root().get("entity")?.get("canonical_url")?.as_str()?;
        let facts = url::check(&text).ok()?;
        if !facts.is_https || facts.has_userinfo || facts.has_fragment {
            return None;
        }
        url::parse(&text)
    }

    /// The host of [`ManifestText::canonical_url`]: A-labels, lower case, no final dot, no port.
    ///
    /// Spec: llmindex 0.1, "Verification"; LLMI-VER-4, LLMI-AMB-17.
    #[must_use]
    pub fn canonical_host(&self) -> Option<String> {
        self.canonical_url().map(|url| url.comparable_host().into())
    }

    /// `updated_at`, if it is a timestamp, to be compared with the one seen last.
    ///
    /// Spec: llmindex 0.1, "Required fields"; LLMI-MAN-3, LLMI-AMB-27.
    #[must_use]
    pub fn updated_at(&self) -> Option<Timestamp> {
        Timestamp::parse_without_offset(&self.string("updated_at")?).ok()
    }

    /// The JSON text without its top-level member `sig`, every other byte unchanged: the text that a
    /// signature covers, before it is made canonical.
    ///
    /// ```
    /// use llmindex_types::{Limits, ManifestText};
    /// let text = ManifestText::parse(br#"{"a": 1, "sig": {"sig": 2}, "b": {"sig": 3}}"#, &Limits::MANIFEST).unwrap();
    /// assert_eq!(text.without_sig(), r#"{"a": 1,  "b": {"sig": 3}}"#);
    /// ```
    ///
    /// Spec: llmindex 0.1, "Signature"; LLMI-SIG-1, LLMI-AMB-20.
    #[must_use]
    pub fn without_sig(&self) -> Cow<'a, str> {
        let mut before = None;
        let mut members = self.root().members();
        while let Some((name, value)) = members.next() {
            if !name.is("sig") {
                before = Some(value.span().end);
                continue;
            }
            // With the comma behind it, or with the one before it if it is the last member.
            let range = match (members.next(), before) {
                (Some(_), _) => {
                    let tail = self.json().get(value.span().end..).unwrap_or_default();
                    let comma = tail.find(',').map_or(0, |at| at + 1);
                    name.span().start..value.span().end + comma
                }
                (None, Some(before)) => before..value.span().end,
                (None, None) => name.span().start..value.span().end,
            };
            let mut text = String::with_capacity(self.json().len());
            text.push_str(self.json().get(..range.start).unwrap_or_default());
            text.push_str(self.json().get(range.end..).unwrap_or_default());
            return Cow::Owned(text);
        }
        Cow::Borrowed(self.json())
    }

    /// The JSON text with this `sig` as its last member, in place of the one that it has.
    ///
    /// Spec: llmindex 0.1, "Signature"; LLMI-MAN-19, LLMI-AMB-20.
    #[must_use]
    pub fn with_sig(&self, sig: &Sig<'_>) -> String {
        let mut text = String::from(self.without_sig().trim_end());
        text.pop(); // the object's brace
        let inside = text.trim_end();
        let separator = if inside.ends_with('{') { "" } else { "," };
        text.truncate(inside.len());
        text.push_str(separator);
        text.push_str("\"sig\":{\"alg\":");
        write_string(&sig.alg, &mut text);
        text.push_str(",\"kid\":");
        write_string(&sig.kid, &mut text);
        text.push_str(",\"jws\":");
        write_string(&sig.jws, &mut text);
        text.push_str("}}");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LlmindexTextErrorKind;

    fn parse(text: &str) -> ManifestText<'_> {
        ManifestText::parse(text.as_bytes(), &Limits::MANIFEST).unwrap()
    }

    #[test]
    fn sig_goes_wherever_it_stands() {
        for (text, without) in [
            (r#"{"sig":1}"#, "{}"),
            (r#"{ "sig" : 1 }"#, "{  }"),
            (r#"{"sig":1,"a":2}"#, r#"{"a":2}"#),
            (r#"{"a":2,"sig":1}"#, r#"{"a":2}"#),
            (r#"{"a":2 , "sig":{"x":","} , "b":3}"#, r#"{"a":2 ,  "b":3}"#),
            (r#"{"a":2 , "\u0073ig" : 1 }"#, r#"{"a":2 }"#),
            (r#"{"a":{"sig":1}}"#, r#"{"a":{"sig":1}}"#),
        ] {
            assert_eq!(parse(text).without_sig(), without);
            assert!(ManifestText::parse(without.as_bytes(), &Limits::MANIFEST).is_ok());
        }
    }

    #[test]
    fn sig_is_put_last() {
        let sig = Sig { alg: "EdDSA".into(), kid: "k\"1".into(), jws: "a..b".into() };
        let member = r#""sig":{"alg":"EdDSA","kid":"k\"1","jws":"a..b"}}"#;
        assert_eq!(parse("{}").with_sig(&sig), alloc::format!("{{{member}"));
        assert_eq!(parse("{ \"a\": 1\n}\n").with_sig(&sig), alloc::format!("{{ \"a\": 1,{member}"));
        let signed = parse(r#"{"sig":0,"a":1}"#).with_sig(&sig);
        assert_eq!(signed, alloc::format!("{{\"a\":1,{member}"));
        assert_eq!(parse(&signed).sig(), Member::Present(sig));
    }

    #[test]
    fn defective_members_are_not_absent() {
        for text in
            [r#"{"sig":null}"#, r#"{"sig":{}}"#, r#"{"sig":{"alg":"","kid":"k","jws":"j"}}"#, r#"{"sig":[]}"#]
        {
            assert_eq!(parse(text).sig(), Member::Defective, "{text}");
        }
        assert_eq!(parse("{}").sig(), Member::Absent);
        assert_eq!(parse(r#"{"verify":{"method":"DNS_TXT","value":"v"}}"#).verify(), Member::Defective);
        let verify =
            parse(r#"{"verify":{"method":"dns_txt","value":"v"}}"#).verify().present().map(|v| v.method);
        assert_eq!(verify, Some(VerifyMethod::DnsTxt));
    }

    #[test]
    fn ambiguous_text_is_refused() {
        for (text, kind, offset) in [
            (r#"{"a":1,"a":2}"#, LlmindexTextErrorKind::DuplicateMember, 7),
            (r#"{"x":[{"a":1,"\u0061":2}]}"#, LlmindexTextErrorKind::DuplicateMember, 13),
            (r#"{"a":"\ud800"}"#, LlmindexTextErrorKind::LoneSurrogate, 6),
            ("[]", LlmindexTextErrorKind::NotJson, 0),
            ("\u{feff}[]", LlmindexTextErrorKind::NotJson, 3),
        ] {
            let error = ManifestText::parse(text.as_bytes(), &Limits::MANIFEST).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (kind, offset), "{text}");
        }
        let error = ManifestText::parse(b"{\"a\":\"\xff\"}", &Limits::MANIFEST).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (LlmindexTextErrorKind::NotUtf8, 6));
    }

    #[test]
    fn the_canonical_host_is_the_compared_form() {
        let host = |url: &str| {
            parse(&alloc::format!(r#"{{"entity":{{"canonical_url":"{url}"}}}}"#)).canonical_host()
        };
        assert_eq!(host("https://Müller.example.:8443/shop").as_deref(), Some("xn--mller-kva.example"));
        for bad in ["http://example.com", "https://u@example.com", "https://example.com/#x", "example.com"] {
            assert_eq!(host(bad), None, "{bad}");
        }
    }
}
