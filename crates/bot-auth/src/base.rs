//! The signature base: the text that is signed, RFC 9421 section 2.5.
//!
//! ```text
//! "@authority": shop.example
//! "signature-agent";key="sig1": "https://bot.example"
//! "@signature-params": ("@authority" "signature-agent";key="sig1");created=1790000000;keyid="6IFk…"
//! ```
//!
//! One line for each component, in the order of the signature's own list; the last one is that list itself, written
//! anew from what was parsed. Any fault is an error. Line breaks and characters outside of ASCII are refused, so
//! that no value can forge a line.

use core::fmt;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sfv::BareItemFromInput as Bare;
use smallvec::SmallVec;

use crate::component::{Component, Derived, How, SortKey, Source};
use crate::message::{combined, unfold};
use crate::structured::{Dictionary, InnerList, dictionary, write_bare, write_canonical};
use crate::target::Target;
use crate::{FieldType, Message};

/// Most components of one signature.
pub const MAX_COMPONENTS: usize = 1000;

/// Why there is no signature base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseError {
    kind: BaseErrorKind,
    component: Option<Box<str>>,
}

/// The reasons of a [`BaseError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum BaseErrorKind {
    /// The parameters are not an inner list of texts, or one of them repeats or is of the wrong type.
    BadParams,
    /// More than 1,000 components.
    TooManyComponents,
    /// A name that is not lower case, or a parameter that is unknown, misplaced, of the wrong type or contradictory.
    BadComponent,
    /// A derived name that is unknown or does not belong to this kind of message.
    UnknownComponent,
    /// The same component twice.
    DuplicateComponent,
    /// The message does not have it: no such field, member, query parameter, request target or answered request.
    MissingComponent,
    /// The value is not allowed in a base: a line break, a control character, not ASCII, not the expected
    /// structured field, or a repeated query parameter.
    BadValue,
}

impl BaseErrorKind {
    /// Stable name, in kebab case.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            BaseErrorKind::BadParams => "bad-params",
            BaseErrorKind::TooManyComponents => "too-many-components",
            BaseErrorKind::BadComponent => "bad-component",
            BaseErrorKind::UnknownComponent => "unknown-component",
            BaseErrorKind::DuplicateComponent => "duplicate-component",
            BaseErrorKind::MissingComponent => "missing-component",
            BaseErrorKind::BadValue => "bad-value",
        }
    }

    /// One clause for people: what was expected, and what was found.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            BaseErrorKind::BadParams => {
                "expected an inner list of texts with typed parameters, found another value"
            }
            BaseErrorKind::TooManyComponents => "expected at most 1000 components, found more",
            BaseErrorKind::BadComponent => "expected a component identifier, found one with a fault",
            BaseErrorKind::UnknownComponent => "expected a component of this kind of message, found another",
            BaseErrorKind::DuplicateComponent => "expected each component once, found it again",
            BaseErrorKind::MissingComponent => {
                "expected the message to have every component, found one missing"
            }
            BaseErrorKind::BadValue => "expected a value that can be signed, found another",
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            BaseErrorKind::BadParams => "SIG9421-PAR-1",
            BaseErrorKind::TooManyComponents => "SIG9421-BASE-3",
            BaseErrorKind::BadComponent => "SIG9421-COMP-3",
            BaseErrorKind::UnknownComponent => "SIG9421-COMP-1",
            BaseErrorKind::DuplicateComponent => "SIG9421-COMP-2",
            BaseErrorKind::MissingComponent => "SIG9421-VAL-2",
            BaseErrorKind::BadValue => "SIG9421-VAL-3",
        }
    }
}

impl BaseError {
    pub(crate) fn at(kind: BaseErrorKind, component: &str) -> Self {
        BaseError { kind, component: Some(component.into()) }
    }

    /// Why.
    #[must_use]
    pub fn kind(&self) -> BaseErrorKind {
        self.kind
    }

    /// The identifier of the component at fault, such as `"x";sf`.
    #[must_use]
    pub fn component(&self) -> Option<&str> {
        self.component.as_deref()
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        self.kind.requirement()
    }
}

impl From<BaseErrorKind> for BaseError {
    fn from(kind: BaseErrorKind) -> Self {
        BaseError { kind, component: None }
    }
}

impl fmt::Display for BaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.message())?;
        match &self.component {
            Some(component) => write!(f, ": `{component}`"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for BaseError {}

/// Appends the signature base of `list` over `message`.
///
/// Spec: SIG9421-BASE-1, SIG9421-BASE-2, SIG9421-BASE-3.
pub(crate) fn write_base(
    message: &Message<'_>,
    list: &InnerList<'_>,
    out: &mut String,
) -> Result<(), BaseError> {
    write_base_with(message, list, &mut Queries::default(), out)
}

/// As [`write_base`], for one of several signatures of a message.
pub(crate) fn write_base_with(
    message: &Message<'_>,
    list: &InnerList<'_>,
    queries: &mut Queries,
    out: &mut String,
) -> Result<(), BaseError> {
    if list.items.len() > MAX_COMPONENTS {
        return Err(BaseErrorKind::TooManyComponents.into());
    }
    let start = out.len();
    let result = Writer::new(message, list, queries).write(list, out);
    if result.is_err() {
        out.truncate(start);
    }
    result
}

/// The queries of one message and of the request that it answers, each read when the first component asks, by name. A name
/// that comes more than once has no value.
#[derive(Debug, Default)]
pub(crate) struct Queries([Option<BTreeMap<String, Option<String>>>; 2]);

/// The parts of a message that several components use, each read once.
struct Writer<'m, 'q> {
    message: &'m Message<'m>,
    queries: &'q mut Queries,
    /// Combined values of the fields that a `key` looks into.
    dictionaries: SmallVec<[(FieldId<'m>, Cow<'m, [u8]>); 2]>,
}

/// The dictionaries that were read, and those that cannot be.
type Parsed<'d> = SmallVec<[Option<Option<Dictionary<'d>>>; 2]>;

/// Up to this many components are compared one by one.
const LINEAR_SEARCH: usize = 16;

/// The components so far.
#[derive(Default)]
struct Seen<'a> {
    few: SmallVec<[Component<'a>; 8]>,
    many: BTreeSet<SortKey<'a>>,
}

impl<'a> Seen<'a> {
    /// Returns true if the component is new.
    fn insert(&mut self, component: Component<'a>) -> bool {
        if self.few.len() < LINEAR_SEARCH {
            let is_new = !self.few.contains(&component);
            self.few.push(component);
            return is_new;
        }
        if self.many.is_empty() {
            self.many.extend(self.few.iter().map(Component::sort_key));
        }
        self.many.insert(component.sort_key())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FieldId<'m> {
    name: &'m str,
    of_trailer: bool,
    of_request: bool,
}

impl<'m, 'q> Writer<'m, 'q> {
    fn new(message: &'m Message<'m>, list: &'m InnerList<'_>, queries: &'q mut Queries) -> Self {
        let mut dictionaries: SmallVec<[(FieldId<'m>, Cow<'m, [u8]>); 2]> = SmallVec::new();
        for item in &list.items {
            let Ok(component) = Component::of(item, message.is_request()) else { continue };
            let Source::Field { name, how: How::Member { .. }, of_trailer } = component.source else {
                continue;
            };
            let is_known = |id: &FieldId<'_>| {
                id.name == name && id.of_trailer == of_trailer && id.of_request == component.of_request
            };
            if dictionaries.iter().any(|(id, _)| is_known(id)) {
                continue;
            }
            let of = if component.of_request { message.answered() } else { Some(message) };
            if let Some(value) = of.and_then(|of| combined(of.lines(name, of_trailer))) {
                let id = FieldId { name, of_trailer, of_request: component.of_request };
                dictionaries.push((id, value));
            }
        }
        Writer { message, queries, dictionaries }
    }

    fn write(mut self, list: &InnerList<'_>, out: &mut String) -> Result<(), BaseError> {
        let combined = core::mem::take(&mut self.dictionaries);
        let mut parsed: Parsed<'_> = combined.iter().map(|_| None).collect();
        let mut seen = Seen::default();
        for item in &list.items {
            let start = out.len();
            item.write(out);
            let identifier = start..out.len();
            let fail =
                |kind, out: &str| BaseError { kind, component: out.get(identifier.clone()).map(Box::from) };
            let component = Component::of(item, self.message.is_request()).map_err(|kind| fail(kind, out))?;
            if !seen.insert(component) {
                return Err(fail(BaseErrorKind::DuplicateComponent, out));
            }
            out.push_str(": ");
            let written = match component.source {
                Source::Field { name, how: How::Member { key }, of_trailer } => {
                    self.write_member(&component, name, key, of_trailer, &combined, &mut parsed, out)
                }
                _ => self.write_value(&component, out),
            };
            written.map_err(|kind| fail(kind, out))?;
            out.push('\n');
        }
        out.push_str("\"@signature-params\": ");
        list.write(out);
        Ok(())
    }

    /// The message that the component refers to.
    fn message_of(&self, component: &Component<'_>) -> Result<&'m Message<'m>, BaseErrorKind> {
        if component.of_request {
            self.message.answered().ok_or(BaseErrorKind::MissingComponent)
        } else {
            Ok(self.message)
        }
    }

    fn write_value(&mut self, component: &Component<'_>, out: &mut String) -> Result<(), BaseErrorKind> {
        let message = self.message_of(component)?;
        match component.source {
            Source::Derived { derived: Derived::QueryParam, name } => {
                let slot = self.queries.0.get_mut(usize::from(component.of_request));
                let target = message.target().ok_or(BaseErrorKind::UnknownComponent)?;
                let params = slot.ok_or(BaseErrorKind::BadValue)?.get_or_insert_with(|| query_params(target));
                let value = params.get(name.unwrap_or_default()).ok_or(BaseErrorKind::MissingComponent)?;
                out.push_str(value.as_deref().ok_or(BaseErrorKind::BadValue)?);
                Ok(())
            }
            Source::Derived { derived, .. } => write_derived(message, derived, out),
            Source::Field { name, how, of_trailer } => write_field(message, name, how, of_trailer, out),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "two borrowed caches that a struct would tie together")]
    fn write_member<'d>(
        &self,
        component: &Component<'_>,
        name: &str,
        key: &str,
        of_trailer: bool,
        combined: &'d [(FieldId<'m>, Cow<'m, [u8]>)],
        parsed: &mut [Option<Option<Dictionary<'d>>>],
        out: &mut String,
    ) -> Result<(), BaseErrorKind> {
        let message = self.message_of(component)?;
        if matches!(message.type_of(name), Some(FieldType::Item | FieldType::List)) {
            return Err(BaseErrorKind::BadValue);
        }
        let at = combined.iter().position(|(id, _)| {
            id.name == name && id.of_trailer == of_trailer && id.of_request == component.of_request
        });
        let (at, value) =
            at.and_then(|at| Some((at, combined.get(at)?))).ok_or(BaseErrorKind::MissingComponent)?;
        let slot = parsed.get_mut(at).ok_or(BaseErrorKind::BadValue)?;
        let members = slot.get_or_insert_with(|| dictionary(&value.1).ok());
        let members = members.as_ref().ok_or(BaseErrorKind::BadValue)?;
        members.get(key).ok_or(BaseErrorKind::MissingComponent)?.write(out);
        Ok(())
    }
}

fn write_derived(message: &Message<'_>, derived: Derived, out: &mut String) -> Result<(), BaseErrorKind> {
    if derived == Derived::Status {
        let status = message.status().ok_or(BaseErrorKind::UnknownComponent)?;
        // Writing into a String cannot fail.
        let _ = write!(out, "{status}");
        return Ok(());
    }
    let target = message.target().ok_or(BaseErrorKind::UnknownComponent)?;
    match derived {
        Derived::Method => out.push_str(message.method().ok_or(BaseErrorKind::UnknownComponent)?),
        Derived::TargetUri => target.write_uri(out),
        Derived::Authority => target.write_authority(out),
        Derived::Scheme => out.push_str(target.scheme.as_str()),
        Derived::Path => out.push_str(target.path()),
        Derived::Query => target.write_query(out),
        Derived::RequestTarget => {
            let text = message.wire_target().ok_or(BaseErrorKind::MissingComponent)?;
            push_ascii(text.as_bytes(), out)?;
        }
        Derived::QueryParam | Derived::Status => return Err(BaseErrorKind::UnknownComponent),
    }
    Ok(())
}

/// Spec: SIG9421-VAL-1 to SIG9421-VAL-3, SIG9421-SF-1, SIG9421-SF-4, SIG9421-SF-5.
pub(crate) fn write_field(
    message: &Message<'_>,
    name: &str,
    how: How<'_>,
    of_trailer: bool,
    out: &mut String,
) -> Result<(), BaseErrorKind> {
    if how == How::Bytes {
        let mut value = Vec::new();
        let mut is_first = true;
        for line in message.lines(name, of_trailer) {
            value.clear();
            unfold(line, &mut value);
            if value.iter().any(|b| matches!(b, b'\r' | b'\n' | 0)) {
                return Err(BaseErrorKind::BadValue);
            }
            out.push_str(if is_first { "" } else { ", " });
            write_bare(&Bare::ByteSequence(core::mem::take(&mut value)), out);
            is_first = false;
        }
        return if is_first { Err(BaseErrorKind::MissingComponent) } else { Ok(()) };
    }
    let value = combined(message.lines(name, of_trailer)).ok_or(BaseErrorKind::MissingComponent)?;
    if how == How::Strict {
        let field_type = message.type_of(name).ok_or(BaseErrorKind::BadValue)?;
        return write_canonical(field_type, &value, out).map_err(|_| BaseErrorKind::BadValue);
    }
    push_ascii(&value, out)
}

/// Appends visible ASCII, spaces and tabs; nothing else is allowed in a base.
fn push_ascii(value: &[u8], out: &mut String) -> Result<(), BaseErrorKind> {
    let is_signable = |b: &u8| matches!(b, b' '..=b'~' | b'\t');
    match core::str::from_utf8(value) {
        Ok(text) if value.iter().all(is_signable) => {
            out.push_str(text);
            Ok(())
        }
        _ => Err(BaseErrorKind::BadValue),
    }
}

/// Names and values of the query, read as form data and encoded again.
///
/// Spec: SIG9421-URL-8.
fn query_params(target: &Target<'_>) -> BTreeMap<String, Option<String>> {
    let mut found = BTreeMap::new();
    for part in target.query.unwrap_or_default().split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let value = Some(reencode(value));
        found.entry(reencode(name)).and_modify(|value| *value = None).or_insert(value);
    }
    found
}

fn reencode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [b'+', rest @ ..] => {
                bytes.push(b' ');
                rest
            }
            [b'%', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                bytes.push(hex_digit(*high) * 16 + hex_digit(*low));
                rest
            }
            [byte, rest @ ..] => {
                bytes.push(*byte);
                rest
            }
            [] => break,
        };
    }
    let text: Cow<'_, str> = String::from_utf8_lossy(&bytes);
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"*-._".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing into a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn hex_digit(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit.wrapping_sub(b'A').wrapping_add(10),
    }
}
