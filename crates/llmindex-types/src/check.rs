//! The checks that manifest and product share: members, strings, URLs, timestamps.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::finding::{Code, Findings, Path, excerpt};
use crate::json::push_token;
use crate::secret::{self, Certainty, Suspicion};
use crate::{Mode, finding::ManifestFinding, url};
use tct_canonical_json::{JsonItems, JsonKind, JsonMembers, JsonName, JsonValue};
use web_values::{Severity, Timestamp, UrlFacts, WebUrlError, WebUrlErrorKind};

/// Collects the findings of a check, and knows its mode.
pub(crate) struct Checker<'f> {
    pub(crate) findings: &'f mut Findings,
    pub(crate) mode: Mode,
    /// Whether strings are searched for secrets: a manifest's are, a product's are not.
    pub(crate) secrets: bool,
}

/// A member of an object, present or absent.
pub(crate) type Slot<'a> = Option<JsonValue<'a>>;

/// The host of a valid `entity.canonical_url`; most other URLs of a manifest have the same host.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CanonicalHost<'h> {
    pub(crate) name: &'h str,
    /// True if the host is public and needs no finding.
    pub(crate) is_public: bool,
}

impl Checker<'_> {
    /// A finding that is an error in the strict mode only.
    #[cold]
    pub(crate) fn unless_strict(
        &mut self,
        path: Path<'_>,
        code: Code,
        requirement: &'static str,
        message: String,
    ) {
        let severity = if self.mode == Mode::Strict { Severity::Error } else { Severity::Warning };
        self.findings.add(severity, path, code, requirement, message);
    }

    #[cold]
    pub(crate) fn wrong_type(
        &mut self,
        path: Path<'_>,
        requirement: &'static str,
        expected: &'static str,
        found: JsonValue<'_>,
    ) {
        let message = format!("expected {expected}, found {}", found.kind().name());
        self.findings.error(path, Code::WrongType, requirement, message);
    }

    /// Whether the value is an object.
    pub(crate) fn is_object(
        &mut self,
        path: Path<'_>,
        value: JsonValue<'_>,
        requirement: &'static str,
    ) -> bool {
        let is_object = value.kind() == JsonKind::Object;
        if !is_object {
            self.wrong_type(path, requirement, "an object", value);
        }
        is_object
    }

    /// The members of these names, in their order. Of a repeated name, the first member counts. Repeated and
    /// unknown names are reported.
    ///
    /// Spec: llmindex 0.1, "Error handling"; LLMI-ERR-3, LLMI-AMB-1.
    #[inline]
    pub(crate) fn members<'a, const N: usize>(
        &mut self,
        path: Path<'_>,
        object: JsonValue<'a>,
        names: [&'static str; N],
    ) -> [Slot<'a>; N] {
        let mut slots = [None; N];
        // Most members come in the order of the specification, so look first at the name after the last one.
        let mut likely = 0;
        for (key, value) in object.members() {
            if key.is_repeated() || key.has_lone_surrogate() {
                self.ambiguous_name(path, key);
                if key.is_repeated() {
                    continue;
                }
            }
            let name = key.as_str();
            let known = match names.get(likely) {
                Some(next) if *next == name => Some(likely),
                _ => names.iter().position(|known| *known == name),
            };
            match known.and_then(|known| Some((known, slots.get_mut(known)?))) {
                Some((known, slot)) => {
                    *slot = Some(value);
                    likely = known + 1;
                }
                None => self.unknown(path, key, value),
            }
        }
        slots
    }

    #[cold]
    fn ambiguous_name(&mut self, path: Path<'_>, key: JsonName<'_>) {
        let name = key.as_str();
        let path = path.name(&name);
        if key.is_repeated() {
            let message = "expected each member once, found the name again";
            self.findings.error(path, Code::DuplicateMember, "LLMI-MAN-1", message);
        } else {
            let message = "expected text, found a lone surrogate in the name";
            self.findings.error(path, Code::LoneSurrogate, "LLMI-AMB-21", message);
        }
    }

    #[cold]
    fn unknown(&mut self, path: Path<'_>, key: JsonName<'_>, value: JsonValue<'_>) {
        let name = key.as_str();
        let path = path.name(&name);
        let message = "expected only members that this version defines, found another".to_string();
        self.unless_strict(path, Code::UnknownMember, "LLMI-ERR-3", message);
        self.secret_in_name(path, &name);
        if self.secrets
            && !matches!(value.kind(), JsonKind::Null | JsonKind::Bool)
            && let Some(suspicion) =
                secret::in_name(&name).filter(|name| name.certainty() == Certainty::Certain)
        {
            self.secret(path, suspicion);
            return;
        }
        self.unknown_value(path, value);
    }

    /// Warns of a member name that looks like a secret.
    pub(crate) fn secret_in_name(&mut self, path: Path<'_>, name: &str) {
        if self.secrets
            && let Some(suspicion) = secret::in_value(name)
        {
            self.secret(path, suspicion);
        }
    }

    /// Checks a value of an unknown member for repeated names, strings that are not text, and secrets. A loop with its
    /// own stack, one entry for each level, so any depth is safe.
    fn unknown_value(&mut self, path: Path<'_>, value: JsonValue<'_>) {
        if let JsonKind::Null | JsonKind::Bool | JsonKind::Number = value.kind() {
            return;
        }
        if self.findings.is_full() {
            return self.findings.omit();
        }
        let (mut pointer, is_whole) = path.to_shown_pointer();
        let mut open: Vec<Open<'_>> = Vec::new();
        self.enter(&mut open, &pointer, !is_whole, value);
        while let Some(innermost) = open.last_mut() {
            if self.findings.is_full() {
                return self.findings.omit();
            }
            pointer.truncate(innermost.pointer);
            let mut hidden = innermost.hidden;
            let value = match &mut innermost.children {
                Children::Members(members) => members.next().map(|(key, value)| (Some(key), value)),
                Children::Items(items) => items.next().map(|value| (None, value)),
            };
            let index = innermost.index;
            innermost.index += 1;
            match value {
                None => {
                    open.pop();
                }
                Some((Some(key), value)) => {
                    hidden |= self.enter_name(&mut pointer, key, hidden);
                    self.enter(&mut open, &pointer, hidden, value);
                }
                Some((None, value)) => {
                    // Only these have something to say at their place.
                    if let JsonKind::String | JsonKind::Array | JsonKind::Object = value.kind() {
                        if !hidden {
                            push_token(&mut pointer, &index.to_string());
                        }
                        self.enter(&mut open, &pointer, hidden, value);
                    }
                }
            }
        }
    }

    /// Checks a name and appends it to the pointer, unless it looks like a secret or the pointer already ends before
    /// one. Returns true if the name looks like a secret.
    fn enter_name(&mut self, pointer: &mut String, key: JsonName<'_>, hidden: bool) -> bool {
        let name = key.as_str();
        let suspicion = secret::in_value(&name);
        if let Some(suspicion) = suspicion.filter(|_| self.secrets) {
            self.secret_at(pointer, suspicion);
        }
        if suspicion.is_none() && !hidden {
            push_token(pointer, &name);
        }
        if key.is_repeated() || key.has_lone_surrogate() {
            self.ambiguous_name_at(pointer, key);
        }
        suspicion.is_some()
    }

    /// Checks a string, or opens a container.
    fn enter<'a>(&mut self, open: &mut Vec<Open<'a>>, pointer: &str, hidden: bool, value: JsonValue<'a>) {
        let children = match value.kind() {
            JsonKind::String => return self.unknown_string(pointer, value),
            JsonKind::Object => Children::Members(value.members()),
            JsonKind::Array => Children::Items(value.items()),
            JsonKind::Null | JsonKind::Bool | JsonKind::Number => return,
        };
        open.push(Open { children, index: 0, pointer: pointer.len(), hidden });
    }

    #[cold]
    fn ambiguous_name_at(&mut self, pointer: &str, key: JsonName<'_>) {
        let (code, requirement, message) = if key.is_repeated() {
            (Code::DuplicateMember, "LLMI-MAN-1", "expected each member once, found the name again")
        } else {
            (Code::LoneSurrogate, "LLMI-AMB-21", "expected text, found a lone surrogate in the name")
        };
        self.findings.push(ManifestFinding::new(Severity::Error, code, requirement, pointer, message));
    }

    fn unknown_string(&mut self, pointer: &str, value: JsonValue<'_>) {
        if value.has_lone_surrogate() {
            let message = "expected text, found a lone surrogate";
            let code = Code::LoneSurrogate;
            self.findings.push(ManifestFinding::new(Severity::Error, code, "LLMI-AMB-21", pointer, message));
        } else if self.secrets {
            let found = value.as_str().and_then(|text| secret::in_value(&text));
            if let Some(suspicion) = found {
                self.secret_at(pointer, suspicion);
            }
        }
    }

    #[cold]
    fn secret_at(&mut self, pointer: &str, suspicion: Suspicion) {
        let (code, message) = secret_message(suspicion);
        self.findings.push(ManifestFinding::new(
            Severity::Warning,
            code,
            SECRET_REQUIREMENT,
            pointer,
            message,
        ));
    }

    #[cold]
    pub(crate) fn missing(&mut self, path: Path<'_>, requirement: &'static str, expected: &str) {
        let message = format!("expected {expected}, found no such member");
        self.findings.error(path, Code::MissingMember, requirement, message);
    }

    #[cold]
    pub(crate) fn secret(&mut self, path: Path<'_>, suspicion: Suspicion) {
        let (code, message) = secret_message(suspicion);
        self.findings.warning(path, code, SECRET_REQUIREMENT, message);
    }

    /// A string's text.
    #[inline(always)]
    pub(crate) fn string<'a>(
        &mut self,
        path: Path<'_>,
        value: JsonValue<'a>,
        requirement: &'static str,
    ) -> Option<Cow<'a, str>> {
        match value.as_str() {
            // Borrowed as it is, so there is no escape that could be half a surrogate pair.
            Some(Cow::Borrowed(text)) => Some(Cow::Borrowed(text)),
            other => self.odd_string(path, value, other, requirement),
        }
    }

    /// The text of a string with escapes; `None` if it is not valid text.
    #[cold]
    fn odd_string<'a>(
        &mut self,
        path: Path<'_>,
        value: JsonValue<'_>,
        text: Option<Cow<'a, str>>,
        requirement: &'static str,
    ) -> Option<Cow<'a, str>> {
        if text.is_none() {
            self.wrong_type(path, requirement, "a string", value);
        } else if value.has_lone_surrogate() {
            let message = "expected text, found a lone surrogate";
            self.findings.error(path, Code::LoneSurrogate, "LLMI-AMB-21", message);
            return None;
        }
        text
    }

    /// The text of a string that must be there.
    #[inline(always)]
    pub(crate) fn required_string<'a>(
        &mut self,
        path: Path<'_>,
        slot: Slot<'a>,
        requirement: &'static str,
        expected: &'static str,
    ) -> Option<Cow<'a, str>> {
        match slot {
            Some(value) => self.string(path, value, requirement),
            None => {
                self.missing(path, requirement, expected);
                None
            }
        }
    }

    /// Returns true if a text is not empty; white space alone gets a warning.
    #[inline]
    pub(crate) fn is_filled(&mut self, path: Path<'_>, text: &str, requirement: &'static str) -> bool {
        // Most texts begin with a letter or digit.
        if text.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric) {
            return true;
        }
        self.is_filled_thorough(path, text, requirement)
    }

    #[cold]
    fn is_filled_thorough(&mut self, path: Path<'_>, text: &str, requirement: &'static str) -> bool {
        if text.is_empty() {
            self.findings.error(path, Code::Empty, requirement, "expected some text, found an empty string");
        } else if text.chars().all(char::is_whitespace) {
            self.findings.warning(
                path,
                Code::Blank,
                requirement,
                "expected some text, found white space only",
            );
        }
        !text.is_empty()
    }

    /// Warns of a secret in a text that is not a URL.
    #[inline]
    pub(crate) fn text_secrets(&mut self, path: Path<'_>, text: &str) {
        if self.secrets
            && let Some(suspicion) = secret::in_value(text)
        {
            self.secret(path, suspicion);
        }
    }

    /// Checks an absolute http(s) URL, with a warning for each departure from the advice.
    ///
    /// Spec: llmindex 0.1, "Required fields"; LLMI-MAN-10, LLMI-SEC-3, LLMI-AMB-8.
    #[inline]
    pub(crate) fn url(
        &mut self,
        path: Path<'_>,
        text: &str,
        requirement: &'static str,
        canonical_host: Option<CanonicalHost<'_>>,
    ) {
        if canonical_host.is_some_and(|host| host.is_public && is_plain_page_of(host.name, text)) {
            return;
        }
        let facts = match url::check(text) {
            Ok(facts) => facts,
            Err(error) => return self.url_error(path, text, error, requirement),
        };
        if !(facts.is_https && facts.is_ascii && facts.is_scheme_lower_case) {
            self.url_remarks(path, &facts);
        }
        match canonical_host {
            Some(canonical) if canonical.is_public && canonical.name == facts.host => {}
            _ => self.other_host(path, &facts, canonical_host),
        }
        if (self.secrets || facts.has_userinfo)
            && facts.has_parameters
            && let Some(suspicion) = secret::in_url(text)
        {
            self.secret(path, suspicion);
        }
    }

    /// Warns of a host that is not public, and of one that is not the canonical one.
    fn other_host(
        &mut self,
        path: Path<'_>,
        facts: &UrlFacts<'_>,
        canonical_host: Option<CanonicalHost<'_>>,
    ) {
        self.is_public_host(path, facts);
        if canonical_host.is_some_and(|canonical| canonical.name != facts.host) {
            let message = "expected the canonical URL's host, found another";
            self.findings.warning(path, Code::UrlOtherHost, "LLMI-REF-3", message);
        }
    }

    /// Warns of a host that is not public, since a manifest could point its readers at private networks.
    ///
    /// Spec: llmindex 0.1; LLMI-AMB-34.
    pub(crate) fn is_public_host(&mut self, path: Path<'_>, facts: &UrlFacts<'_>) -> bool {
        // Products are many, and whoever fetches one asks its URL: `WebUrl::host_kind`.
        if !self.secrets {
            return true;
        }
        let kind = facts.host_kind();
        if !kind.is_public() {
            let message = format!("expected a public host, found {kind}");
            self.findings.warning(path, Code::UrlNotPublic, "LLMI-AMB-34", message);
        }
        kind.is_public()
    }

    #[cold]
    fn url_remarks(&mut self, path: Path<'_>, facts: &UrlFacts<'_>) {
        if !facts.is_https {
            self.findings.warning(path, Code::UrlInsecure, "LLMI-SEC-3", "expected https, found http");
        }
        self.url_spelling(path, facts);
    }

    #[cold]
    pub(crate) fn url_spelling(&mut self, path: Path<'_>, facts: &UrlFacts<'_>) {
        if !facts.is_scheme_lower_case {
            let message = "expected the scheme in lower case, found upper case";
            self.findings.warning(path, Code::UrlUpperCaseScheme, "LLMI-AMB-6", message);
        }
        if !facts.is_ascii {
            let message = "expected ASCII characters, found others, which are read by the URL standard";
            self.findings.warning(path, Code::UrlNotAscii, "LLMI-AMB-8", message);
        }
    }

    #[cold]
    pub(crate) fn url_error(
        &mut self,
        path: Path<'_>,
        text: &str,
        error: WebUrlError,
        requirement: &'static str,
    ) {
        let (code, expected) = match error.kind() {
            WebUrlErrorKind::NotAbsolute if text.is_empty() => (Code::Empty, "an absolute http(s) URL"),
            WebUrlErrorKind::NotAbsolute => (Code::UrlNotAbsolute, "an absolute http(s) URL"),
            WebUrlErrorKind::Scheme => (Code::UrlScheme, "the scheme https or http"),
            WebUrlErrorKind::NoHost => (Code::UrlNoHost, "a host after `//`"),
            WebUrlErrorKind::Character => (Code::UrlCharacter, "only characters that a URL may hold"),
            _ => (Code::UrlMalformed, "a host and port that the URL standard accepts"),
        };
        let found = if text.is_empty() { "an empty string".to_string() } else { excerpt(text) };
        self.findings.error(path, code, requirement, format!("expected {expected}, found {found}"));
    }

    /// A timestamp's meaning.
    ///
    /// Spec: llmindex 0.1, "Required fields"; LLMI-MAN-3, LLMI-AMB-5.
    #[inline]
    pub(crate) fn timestamp(
        &mut self,
        path: Path<'_>,
        text: &str,
        requirement: &'static str,
    ) -> Option<Timestamp> {
        let time = match Timestamp::parse_without_offset(text) {
            Ok(time) => time,
            Err(error) => {
                let message = format!("{error}, found {}", excerpt(text));
                self.findings.error(path, Code::TimestampMalformed, requirement, message);
                return None;
            }
        };
        if time.offset_minutes().is_none() {
            let message = "expected `Z` at the end, found no offset; taken as UTC".to_string();
            self.unless_strict(path, Code::TimestampWithoutOffset, "LLMI-AMB-5", message);
        } else if time.offset_minutes() != Some(0) {
            let message = "expected UTC, found another offset";
            self.findings.warning(path, Code::TimestampNotUtc, requirement, message);
        }
        Some(time)
    }
}

/// Returns true for `https://`, this host, and a path of letters, digits and `/-._` only. Most URLs of a manifest are of
/// this form and need no further check.
fn is_plain_page_of(host: &str, text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.' | b'_');
    let path = text.strip_prefix("https://").and_then(|rest| rest.strip_prefix(host));
    path.is_some_and(|path| path.starts_with('/') && path.bytes().all(is_plain))
}

/// An object or array that is being checked.
struct Open<'a> {
    children: Children<'a>,
    /// How many children have been checked.
    index: usize,
    /// Length of its pointer.
    pointer: usize,
    /// True if the pointer ends before a name that looks like a secret; everything below has the same
    /// pointer.
    hidden: bool,
}

enum Children<'a> {
    Members(JsonMembers<'a>),
    Items(JsonItems<'a>),
}

const SECRET_REQUIREMENT: &str = "LLMI-SEC-4";

#[cold]
fn secret_message(suspicion: Suspicion) -> (Code, String) {
    match suspicion.certainty() {
        Certainty::Certain => {
            (Code::Secret, format!("found {suspicion}, which looks like a secret; remove it"))
        }
        Certainty::Suspected => {
            (Code::PossibleSecret, format!("found {suspicion}, which may be a secret; remove it if it is"))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn of_a_plain_page_there_is_nothing_to_say(
            host in r"[A-Za-z0-9\u{e9}]{1,4}(\.[a-z0-9-]{1,5}){0,2}\.?(:[0-9]{1,3})?",
            path in "(/[a-zA-Z0-9/._-]{0,8})?[ -~\u{e9}]{0,2}",
        ) {
            let home = format!("https://{host}/");
            prop_assume!(url::check(&home).is_ok());
            let canonical = url::check(&home).unwrap().host.into_owned();
            for text in [format!("https://{host}{path}"), format!("https://{canonical}{path}")] {
                if is_plain_page_of(&canonical, &text) {
                    let facts = url::check(&text).unwrap();
                    prop_assert!(facts.is_https && facts.is_scheme_lower_case && facts.is_ascii);
                    prop_assert!(!facts.has_userinfo && !facts.has_parameters && !facts.has_fragment);
                    prop_assert_eq!(facts.host, canonical.as_str());
                }
            }
        }
    }

    #[test]
    fn plain_pages() {
        let is_plain = |text| is_plain_page_of("shop.example", text);
        assert!(is_plain("https://shop.example/") && is_plain("https://shop.example/llm/a-b_c.html"));
        for other in [
            "https://shop.example",
            "http://shop.example/",
            "https://shop.example.evil.example/",
            "https://shop.example:8443/",
            "https://shop.example/?a",
            "https://shop.example/#a",
            "https://shop.example/a;b",
            "https://shop.example/%20",
            "https://shop.example/\u{e9}",
            "https://a@shop.example/",
        ] {
            assert!(!is_plain(other), "{other}");
        }
    }
}
