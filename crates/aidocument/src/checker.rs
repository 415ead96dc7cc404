//! Taking members out of an object and values into typed fields, with a finding for whatever does not fit.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::error::ValueError;
use crate::finding::{Finding, FindingCode};
use crate::web_url::{self, WebUrl};

/// The members of one object that are not yet looked at.
pub(crate) struct Members<'f> {
    object: Map<String, Value>,
    path: String,
    findings: &'f mut Vec<Finding>,
}

pub(crate) fn members<'f>(
    value: Value,
    path: String,
    requirement: &'static str,
    findings: &'f mut Vec<Finding>,
) -> Option<Members<'f>> {
    match value {
        Value::Object(object) => Some(Members { object, path, findings }),
        other => Checker { path, requirement, findings }.wrong_type("an object", &other),
    }
}

impl Members<'_> {
    /// The member as `read` gives it; its absence is a finding.
    pub(crate) fn required<T>(
        &mut self,
        name: &str,
        requirement: &'static str,
        read: impl FnOnce(&mut Checker<'_>, Value) -> Option<T>,
    ) -> Option<T> {
        match self.object.remove(name) {
            Some(value) => read(&mut self.checker(name, requirement), value),
            None => {
                self.report(name, FindingCode::Missing, "a required member", "nothing", requirement);
                None
            }
        }
    }

    /// The member as `read` gives it; absent and `null` are the same. Spec: AIWI-AMB-8.
    pub(crate) fn optional<T>(
        &mut self,
        name: &str,
        requirement: &'static str,
        read: impl FnOnce(&mut Checker<'_>, Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.object.remove(name).filter(|value| !value.is_null())?;
        read(&mut self.checker(name, requirement), value)
    }

    pub(crate) fn checker(&mut self, name: &str, requirement: &'static str) -> Checker<'_> {
        Checker { path: pointer(&self.path, name), requirement, findings: self.findings }
    }

    pub(crate) fn report(
        &mut self,
        name: &str,
        code: FindingCode,
        expected: &'static str,
        found: impl Into<String>,
        requirement: &'static str,
    ) {
        self.findings.push(Finding::new(code, pointer(&self.path, name), expected, found, requirement));
    }

    /// What no rule of 1.0 has taken: kept, and told.
    pub(crate) fn rest(self) -> BTreeMap<String, Value> {
        for name in self.object.keys() {
            let path = pointer(&self.path, name);
            let expected = "a member that 1.0 names";
            self.findings.push(Finding::new(
                FindingCode::UnknownMember,
                path,
                expected,
                "another",
                "AIWI-CONF-2",
            ));
        }
        self.object.into_iter().collect()
    }
}

/// One value on its way into a typed field: knows where it stands and under which rule.
pub(crate) struct Checker<'f> {
    path: String,
    requirement: &'static str,
    findings: &'f mut Vec<Finding>,
}

impl Checker<'_> {
    pub(crate) fn below(&mut self, index: usize) -> Checker<'_> {
        Checker {
            path: format!("{}/{index}", self.path),
            requirement: self.requirement,
            findings: self.findings,
        }
    }

    pub(crate) fn object(&mut self, value: Value) -> Option<Members<'_>> {
        members(value, core::mem::take(&mut self.path), self.requirement, self.findings)
    }

    /// The items that could be read; those that could not are findings.
    pub(crate) fn array<T>(
        &mut self,
        value: Value,
        mut read: impl FnMut(Members<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Value::Array(items) = value else { return self.wrong_type("an array", &value) };
        let mut read_items = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            read_items.extend(self.below(index).object(item).and_then(&mut read));
        }
        Some(read_items)
    }

    /// A whole number in the range; `1.0` is 1. Spec: AIWI-AMB-14.
    pub(crate) fn integer(
        &mut self,
        value: Value,
        range: core::ops::RangeInclusive<u64>,
        expected: &'static str,
    ) -> Option<u64> {
        let Value::Number(number) = &value else { return self.wrong_type(expected, &value) };
        let whole = number.as_u64().or_else(|| {
            // Doubles hold every whole number up to 2^53; above it a fraction can no longer be told.
            number
                .as_f64()
                .filter(|n| *n >= 0.0 && *n <= 9_007_199_254_740_992.0 && n % 1.0 == 0.0)
                .map(|n| n as u64)
        });
        match whole.filter(|number| range.contains(number)) {
            Some(number) => Some(number),
            None => {
                self.report(FindingCode::OutOfRange, expected, number.to_string(), self.requirement);
                None
            }
        }
    }

    pub(crate) fn parsed<T>(&mut self, result: Result<T, ValueError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => self.refuse(&error),
        }
    }

    /// Reports what a checked type refused; the code follows from the rule that the type stands for.
    pub(crate) fn refuse<T>(&mut self, error: &ValueError) -> Option<T> {
        let code = match error.requirement() {
            "AIWI-DOC-14" => FindingCode::BadLanguage,
            "AIWI-DOC-18" => FindingCode::BadTimestamp,
            "AIWI-DOC-23" => FindingCode::BadUserAgent,
            _ => FindingCode::BadUrl,
        };
        self.report(code, error.expected(), error.found(), self.requirement);
        None
    }

    pub(crate) fn wrong_type<T>(&mut self, expected: &'static str, found: &Value) -> Option<T> {
        let found = match found {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        };
        self.report(FindingCode::WrongType, expected, found, self.requirement);
        None
    }

    pub(crate) fn report(
        &mut self,
        code: FindingCode,
        expected: &'static str,
        found: impl Into<String>,
        requirement: &'static str,
    ) {
        self.findings.push(Finding::new(code, self.path.clone(), expected, found, requirement));
    }
}

pub(crate) fn text(at: &mut Checker<'_>, value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        other => at.wrong_type("a string", &other),
    }
}

pub(crate) fn boolean(at: &mut Checker<'_>, value: Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(value),
        other => at.wrong_type("a boolean", &other),
    }
}

pub(crate) fn count(at: &mut Checker<'_>, value: Value) -> Option<u64> {
    at.integer(value, 0..=u64::MAX, "an integer from 0")
}

/// A URL outside the page's own: user information is left out and told.
pub(crate) fn web_url(at: &mut Checker<'_>, value: Value) -> Option<WebUrl> {
    let text = text(at, value)?;
    let Some(url) = web_url::parse_absolute(&text) else { return at.refuse(&web_url::not_web(&text)) };
    if web_url::has_credentials(&url) {
        at.report(FindingCode::CredentialsDropped, "a URL without user information", "some", "AIWI-DOC-24");
    }
    at.parsed(WebUrl::new(url))
}

/// The JSON Pointer (RFC 6901) of a member.
fn pointer(parent: &str, name: &str) -> String {
    match name.contains(['~', '/']) {
        false => format!("{parent}/{name}"),
        true => format!("{parent}/{}", name.replace('~', "~0").replace('/', "~1")),
    }
}
