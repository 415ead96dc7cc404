//! Reads values of a JSON document into typed fields, with a finding for each fault.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use tct_canonical_json::{JsonKind, JsonValue};
use web_values::{SerializedUrl, UrlRules, WebUrl, serialize_url};

use crate::error::{Quoted, ValueError};
use crate::finding::{DocumentFinding, DocumentFindingCode, Findings, Found};
use crate::json::Extra;

/// The path from the document to a value, as a linked list on the readers' stack.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way<'w> {
    outer: Option<&'w Way<'w>>,
    step: Step<'w>,
    /// Where the value begins in the text; for a missing value, the start of the nearest value around
    /// it.
    offset: usize,
}

#[derive(Debug, Clone, Copy)]
enum Step<'w> {
    Document,
    Name(&'w str),
    Index(usize),
}

impl<'w> Way<'w> {
    pub(crate) const DOCUMENT: Way<'static> = Way { outer: None, step: Step::Document, offset: 0 };

    pub(crate) fn member(&'w self, name: &'w str) -> Way<'w> {
        Way { outer: Some(self), step: Step::Name(name), offset: self.offset }
    }

    fn item(&'w self, index: usize) -> Way<'w> {
        Way { outer: Some(self), step: Step::Index(index), offset: self.offset }
    }

    /// The same path, to a value or name at this offset.
    pub(crate) fn at(self, offset: usize) -> Way<'w> {
        Way { offset, ..self }
    }

    fn push(&self, pointer: &mut String) {
        if let Some(outer) = self.outer {
            outer.push(pointer);
        }
        match self.step {
            Step::Document => {}
            Step::Index(index) => {
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
            Step::Name(name) => {
                pointer.push('/');
                push_escaped(pointer, name);
            }
        }
    }

    /// The JSON Pointer (RFC 6901).
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        self.push(&mut pointer);
        pointer
    }
}

/// Appends a member's name as it is in a JSON Pointer.
pub(crate) fn push_escaped(pointer: &mut String, name: &str) {
    match name.contains(['~', '/']) {
        false => pointer.push_str(name),
        true => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
    }
}

/// One value with its path and its requirement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a, 'w> {
    pub(crate) value: JsonValue<'a>,
    pub(crate) way: Way<'w>,
    pub(crate) rule: &'static str,
}

/// The members of an object by name.
pub(crate) struct Members<'a, 'w, const N: usize> {
    names: [&'static str; N],
    values: [Option<JsonValue<'a>>; N],
    object: JsonValue<'a>,
    pub(crate) way: Way<'w>,
    has_unknown: bool,
}

/// Collects findings, and reads values by the rules of one version.
#[derive(Debug)]
pub(crate) struct Checker {
    pub(crate) findings: Findings,
    /// The expectation for unknown members, and the requirement that allows them.
    unknown: (&'static str, &'static str),
}

impl Checker {
    pub(crate) fn new(max_findings: usize, unknown: (&'static str, &'static str)) -> Self {
        Checker { findings: Findings::new(max_findings), unknown }
    }

    pub(crate) fn report(
        &mut self,
        way: &Way<'_>,
        code: DocumentFindingCode,
        expected: &'static str,
        found: impl Into<Found>,
        requirement: &'static str,
    ) {
        self.findings.add(code.severity(), || {
            DocumentFinding::new(code, way.pointer(), way.offset, expected, found, requirement)
        });
    }

    pub(crate) fn wrong_type<T>(&mut self, field: &Field<'_, '_>, expected: &'static str) -> Option<T> {
        let found = field.value.kind().name();
        self.report(&field.way, DocumentFindingCode::WrongType, expected, found, field.rule);
        None
    }

    /// The members of an object.
    pub(crate) fn object<'a, 'w, const N: usize>(
        &mut self,
        field: Field<'a, 'w>,
        names: [&'static str; N],
    ) -> Option<Members<'a, 'w, N>> {
        if field.value.kind() != JsonKind::Object {
            return self.wrong_type(&field, "an object");
        }
        let (mut values, mut has_unknown) = ([None; N], false);
        // Most documents keep to the order of `names`: the next name is looked for first.
        let mut next = 0;
        for (name, value) in field.value.members() {
            let name = name.as_str();
            let is = |at: usize| names.get(at).is_some_and(|known| **known == *name);
            match (next..N).find(|&at| is(at)).or_else(|| (0..next).find(|&at| is(at))) {
                Some(at) => {
                    next = at + 1;
                    if let Some(slot) = values.get_mut(at) {
                        *slot = Some(value);
                    }
                }
                None => has_unknown = true,
            }
        }
        Some(Members { names, values, object: field.value, way: field.way, has_unknown })
    }

    /// Members unknown to the version: kept and reported.
    pub(crate) fn rest<const N: usize>(&mut self, members: &Members<'_, '_, N>) -> Extra {
        if !members.has_unknown {
            return Extra::default();
        }
        let names = members.names;
        let unknown =
            members.object.members().filter(move |(name, _)| !names.iter().any(|known| name.is(known)));
        let (expected, requirement) = self.unknown;
        for (name, _) in unknown.clone() {
            let (code, text) = (DocumentFindingCode::UnknownMember, name.as_str());
            let way = members.way.member(&text).at(name.span().start);
            self.report(&way, code, expected, "another", requirement);
        }
        Extra::of(unknown)
    }

    /// The items of an array that could be read; those that could not are findings.
    pub(crate) fn array<'a, T>(
        &mut self,
        field: Field<'a, '_>,
        mut read: impl FnMut(&mut Self, Field<'a, '_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        if field.value.kind() != JsonKind::Array {
            return self.wrong_type(&field, "an array");
        }
        // At their exact number, unless the first already tells that there will be no document.
        let mut items = Vec::new();
        for (index, value) in field.value.items().enumerate() {
            let way = field.way.item(index).at(value.span().start);
            let item = read(self, Field { value, way, rule: field.rule });
            if self.findings.errors() > 0 {
                items = Vec::new();
            } else if let Some(item) = item {
                if items.capacity() == 0 {
                    items.reserve_exact(field.value.items().count());
                }
                items.push(item);
            }
        }
        Some(items)
    }

    /// A string, borrowed where it has no escapes.
    pub(crate) fn text<'a>(&mut self, field: Field<'a, '_>) -> Option<Cow<'a, str>> {
        field.value.as_str().or_else(|| self.wrong_type(&field, "a string"))
    }

    /// A string that is kept.
    pub(crate) fn string(&mut self, field: Field<'_, '_>) -> Option<String> {
        self.text(field).map(Cow::into_owned)
    }

    pub(crate) fn boolean(&mut self, field: Field<'_, '_>) -> Option<bool> {
        field.value.as_bool().or_else(|| self.wrong_type(&field, "a boolean"))
    }

    /// A whole number in the range; `1.0` is 1. Spec: AIWI-AMB-14.
    pub(crate) fn integer(
        &mut self,
        field: Field<'_, '_>,
        range: RangeInclusive<u64>,
        expected: &'static str,
    ) -> Option<u64> {
        let number = field.value.as_u64().filter(|number| range.contains(number));
        number.or_else(|| self.no_integer(&field, expected))
    }

    /// A whole number, which may be negative.
    pub(crate) fn signed(&mut self, field: Field<'_, '_>) -> Option<i64> {
        field.value.as_i64().or_else(|| self.no_integer(&field, "an integer"))
    }

    fn no_integer<T>(&mut self, field: &Field<'_, '_>, expected: &'static str) -> Option<T> {
        let Some(number) = field.value.number_text() else { return self.wrong_type(field, expected) };
        let shown: String = number.chars().take(40).collect();
        self.report(&field.way, DocumentFindingCode::OutOfRange, expected, shown, field.rule);
        None
    }

    pub(crate) fn count(&mut self, field: Field<'_, '_>) -> Option<u64> {
        self.integer(field, 0..=u64::MAX, "an integer from 0")
    }

    /// A string parsed into a checked type; a refusal is a finding with this code.
    pub(crate) fn parsed<T>(
        &mut self,
        field: Field<'_, '_>,
        code: DocumentFindingCode,
        parse: impl FnOnce(&str) -> Result<T, ValueError>,
    ) -> Option<T> {
        match parse(&self.text(field)?) {
            Ok(value) => Some(value),
            Err(error) => {
                self.report(&field.way, code, error.expected(), String::from(error.found()), field.rule);
                None
            }
        }
    }

    /// A URL of a link or an image: user information is left out and reported.
    pub(crate) fn link_url<'t>(&mut self, field: &Field<'_, '_>, text: &'t str) -> Option<SerializedUrl<'t>> {
        match serialize_url(text, UrlRules::default().dropping_credentials()) {
            Ok(url) => {
                if url.has_dropped_credentials() {
                    let code = DocumentFindingCode::CredentialsDropped;
                    self.report(&field.way, code, "a URL without user information", "some", "AIWI-DOC-24");
                }
                Some(url)
            }
            Err(_) => {
                let (code, found) = (DocumentFindingCode::BadUrl, Quoted(text).to_string());
                self.report(&field.way, code, "an absolute http or https URL", found, field.rule);
                None
            }
        }
    }

    /// A URL outside the page's own: user information is left out and reported.
    pub(crate) fn web_url(&mut self, field: Field<'_, '_>) -> Option<WebUrl> {
        let text = self.text(field)?;
        let url = self.link_url(&field, &text)?;
        WebUrl::parse(url.as_str()).ok()
    }

    /// The page's own URL: user information in it is an error, since it may be the end user's; a fragment is dropped.
    pub(crate) fn page_url(&mut self, field: Field<'_, '_>) -> Option<WebUrl> {
        let text = self.text(field)?;
        let Ok(url) = WebUrl::parse_with(&text, UrlRules::default().keeping_credentials()) else {
            let (code, found) = (DocumentFindingCode::BadUrl, Quoted(&text).to_string());
            self.report(&field.way, code, "an absolute http or https URL", found, field.rule);
            return None;
        };
        if !url.username().is_empty() || url.password().is_some() {
            let code = DocumentFindingCode::Credentials;
            self.report(&field.way, code, "a URL without user information", "some", "AIWI-DOC-24");
        }
        if url.fragment().is_some() {
            let code = DocumentFindingCode::FragmentDropped;
            self.report(&field.way, code, "a URL without fragment", "one", "AIWI-AMB-10");
        }
        Some(url.without_fragment())
    }
}

impl<'a, 'w, const N: usize> Members<'a, 'w, N> {
    fn value(&self, name: &str) -> Option<JsonValue<'a>> {
        self.names.iter().zip(&self.values).find(|(known, _)| **known == name).and_then(|(_, value)| *value)
    }

    /// The member as `read` gives it; its absence is a finding.
    pub(crate) fn required<T>(
        &self,
        checker: &mut Checker,
        name: &'static str,
        rule: &'static str,
        read: impl FnOnce(&mut Checker, Field<'a, '_>) -> Option<T>,
    ) -> Option<T> {
        let way = self.way.member(name);
        match self.value(name) {
            Some(value) => {
                let way = way.at(value.span().start);
                read(checker, Field { value, way, rule })
            }
            None => {
                let code = DocumentFindingCode::Missing;
                checker.report(&way, code, "a required member", "nothing", rule);
                None
            }
        }
    }

    /// The member as `read` gives it; absent and `null` are the same. Spec: AIWI-AMB-8, AIWI2-AMB-6.
    pub(crate) fn optional<T>(
        &self,
        checker: &mut Checker,
        name: &'static str,
        rule: &'static str,
        read: impl FnOnce(&mut Checker, Field<'a, '_>) -> Option<T>,
    ) -> Option<T> {
        let value = self.value(name).filter(|value| !value.is_null())?;
        let way = self.way.member(name).at(value.span().start);
        read(checker, Field { value, way, rule })
    }
}

/// The text of a finding about something that a document quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("{}", Quoted(text))
}
