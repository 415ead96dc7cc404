//! [`Finding`]: one trait for the findings of every crate.
//!
//! Each crate has finding types of its own (a manifest's, a document's, a robots.txt file's), with codes that are
//! enums. They all implement this trait, so that a report or a log treats them alike, and [`FindingRecord`] keeps
//! them in one list.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

/// How much a finding matters. The order is by weight: `Error` is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Severity {
    /// Nothing is wrong; something could be better, or is worth knowing.
    Notice,
    /// Valid, but not as advised, or read by tolerance.
    Warning,
    /// The specification is broken.
    Error,
}

impl Severity {
    /// The word in lower case, such as `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Notice => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The place in the input that a finding is about. Every part is optional; [`Place::default`] is the whole input.
///
/// ```
/// use web_values::Place;
///
/// assert_eq!(Place::named("/headings/0").at_line(3, 7).to_string(), "/headings/0 (line 3, column 7)");
/// assert_eq!(Place::line(3).to_string(), "line 3");
/// assert_eq!(Place::default().to_string(), "");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub struct Place<'a> {
    /// A JSON Pointer, the name of a header field, or a URL; empty if there is none.
    pub name: &'a str,
    /// The offset in bytes from the start of the input.
    pub offset: Option<usize>,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// The column in characters, counted from 1.
    pub column: Option<u32>,
}

impl<'a> Place<'a> {
    /// A place with a name: a JSON Pointer, the name of a header field, a URL.
    #[must_use]
    pub const fn named(name: &'a str) -> Self {
        Place { name, offset: None, line: None, column: None }
    }

    /// A whole line.
    #[must_use]
    pub const fn line(line: u32) -> Self {
        Place { name: "", offset: None, line: Some(line), column: None }
    }

    /// A byte.
    #[must_use]
    pub const fn byte(offset: usize) -> Self {
        Place { name: "", offset: Some(offset), line: None, column: None }
    }

    /// The same place with line and column.
    #[must_use]
    pub const fn at_line(self, line: u32, column: u32) -> Self {
        Place { line: Some(line), column: Some(column), ..self }
    }

    /// The same place with its offset in bytes.
    #[must_use]
    pub const fn at_byte(self, offset: usize) -> Self {
        Place { offset: Some(offset), ..self }
    }

    /// Returns true if no part is known: the finding is about the whole input.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        *self == Place::default()
    }
}

impl fmt::Display for Place<'_> {
    /// Writes the name, and line and column or else the byte; nothing for the whole input.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        let (open, close) = if self.name.is_empty() { ("", "") } else { (" (", ")") };
        match (self.line, self.column, self.offset) {
            (Some(line), Some(column), _) => write!(f, "{open}line {line}, column {column}{close}"),
            (Some(line), None, _) => write!(f, "{open}line {line}{close}"),
            (None, _, Some(offset)) => write!(f, "{open}byte {offset}{close}"),
            (None, _, None) => Ok(()),
        }
    }
}

/// One thing that a check found: how much it matters, what it is, where, by which requirement, and a sentence.
///
/// ```
/// use std::borrow::Cow;
/// use web_values::{Finding, Place, Severity};
///
/// struct LineTooLong(u32);
///
/// impl Finding for LineTooLong {
///     fn severity(&self) -> Severity { Severity::Warning }
///     fn code(&self) -> &'static str { "line-too-long" }
///     fn place(&self) -> Place<'_> { Place::line(self.0) }
///     fn message(&self) -> Cow<'_, str> { "expected at most 120 characters".into() }
/// }
///
/// let record = LineTooLong(7).to_record();
/// assert_eq!(record.to_string(), "warning at line 7: expected at most 120 characters [line-too-long]");
/// ```
pub trait Finding {
    /// How much it matters.
    fn severity(&self) -> Severity;

    /// What it is: a stable name in kebab case, such as `missing-member`.
    fn code(&self) -> &'static str;

    /// The place that it is about.
    fn place(&self) -> Place<'_>;

    /// The ID of the requirement that is broken, such as `LLMI-MAN-3`, if there is one.
    fn requirement(&self) -> Option<&'static str> {
        None
    }

    /// One clause for people, without place and code: what was expected, and what was found.
    fn message(&self) -> Cow<'_, str>;

    /// Returns true if the severity is [`Severity::Error`].
    fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    /// The same as owned data, to keep findings of different crates in one list.
    fn to_record(&self) -> FindingRecord {
        let place = self.place();
        FindingRecord {
            severity: self.severity(),
            code: Cow::Borrowed(self.code()),
            place: place.name.to_owned(),
            offset: place.offset,
            line: place.line,
            column: place.column,
            requirement: self.requirement().map(Cow::Borrowed),
            message: self.message().into_owned(),
        }
    }
}

/// A finding of any crate as plain data: what [`Finding::to_record`] gives.
///
/// With the feature `serde` it is an object of these members; absent parts are left out.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FindingRecord {
    /// How much it matters.
    pub severity: Severity,
    /// What it is, in kebab case.
    pub code: Cow<'static, str>,
    /// The name of the place: a JSON Pointer, a header field, a URL; empty if there is none.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "String::is_empty"))]
    pub place: String,
    /// The offset in bytes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub offset: Option<usize>,
    /// The line, counted from 1.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub line: Option<u32>,
    /// The column in characters, counted from 1.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub column: Option<u32>,
    /// The ID of the requirement that is broken.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub requirement: Option<Cow<'static, str>>,
    /// One clause for people.
    pub message: String,
}

impl FindingRecord {
    /// The place that it is about.
    #[must_use]
    pub fn place(&self) -> Place<'_> {
        Place { name: &self.place, offset: self.offset, line: self.line, column: self.column }
    }
}

impl fmt::Display for FindingRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FindingRecord { severity, code, requirement, message, .. } = self;
        write!(f, "{severity}")?;
        let place = self.place();
        if !place.is_whole() {
            write!(f, " at {place}")?;
        }
        write!(f, ": {message} [{code}")?;
        if let Some(requirement) = requirement {
            write!(f, ", {requirement}")?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::boxed::Box;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    struct Missing;

    impl Finding for Missing {
        fn severity(&self) -> Severity {
            Severity::Error
        }
        fn code(&self) -> &'static str {
            "missing"
        }
        fn place(&self) -> Place<'_> {
            Place::named("/title").at_byte(4)
        }
        fn requirement(&self) -> Option<&'static str> {
            Some("RULE-1")
        }
        fn message(&self) -> Cow<'_, str> {
            "expected a title".into()
        }
    }

    #[test]
    fn findings_of_all_kinds_in_one_list() {
        let findings: Vec<Box<dyn Finding>> = Vec::from([Box::new(Missing) as Box<dyn Finding>]);
        let [record] =
            findings.iter().map(|finding| finding.to_record()).collect::<Vec<_>>().try_into().unwrap();
        let record: FindingRecord = record;
        assert_eq!(record.to_string(), "error at /title (byte 4): expected a title [missing, RULE-1]");
        assert_eq!(record.place(), Missing.place());
        assert!(
            Missing.is_error() && Severity::Error > Severity::Warning && Severity::Warning > Severity::Notice
        );
    }

    #[cfg(feature = "serde")]
    #[test]
    fn json() {
        let text = serde_json::to_string(&Missing.to_record()).unwrap();
        assert_eq!(
            text,
            "{\"severity\":\"error\",\"code\":\"missing\",\"place\":\"/title\",\"offset\":4,\
             \"requirement\":\"RULE-1\",\"message\":\"expected a title\"}"
        );
        assert_eq!(serde_json::from_str::<FindingRecord>(&text).unwrap(), Missing.to_record());
    }
}
