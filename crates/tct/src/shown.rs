//! Output of findings and outcomes: [`Finding`] for reports of several crates, `Display` for logs, `Serialize` for
//! storage.
//!
//! A finding is stored as the object of [`FindingRecord`](web_values::FindingRecord), a verdict as its stable code.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use web_values::{Finding, Place, Severity};

use crate::lint::HeaderFinding;
use crate::open::{PayloadNote, Problem, ProblemCode, ReceivedPayload};
use crate::policy::{PolicyFault, RateHint};
use crate::sitemap::{ItemIssue, SitemapError, SkippedItem};
use crate::v03::{BodyTag, TctFinding, TctFindingCode};

/// Writes types by the word that a method gives.
macro_rules! shown_as {
    ($method:ident: $($type:ty),+) => {
        $(impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.$method())
            }
        })+
        stored_as!($method: $($type),+);
    };
}

macro_rules! stored_as {
    ($method:ident: $($type:ty),+) => {
        $(impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.$method())
            }
        })+
    };
}

/// Stores findings in the one shape that all crates have.
macro_rules! stored_as_finding {
    ($($type:ty),+) => {
        $(impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_record().serialize(serializer)
            }
        })+
    };
}

shown_as!(code: ProblemCode, TctFindingCode);
stored_as!(code: ItemIssue, PayloadNote);
stored_as!(hint: BodyTag);
stored_as!(to_string: SitemapError);
stored_as_finding!(HeaderFinding, PolicyFault, Problem, SkippedItem, TctFinding);

impl fmt::Display for RateHint {
    /// Writes the number, `unlimited` or `unstated`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RateHint::Unstated => f.write_str("unstated"),
            RateHint::Unlimited => f.write_str("unlimited"),
            RateHint::AtMost(rate) => write!(f, "at most {rate}"),
        }
    }
}

impl fmt::Display for PolicyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.code, self.place())
    }
}

impl Finding for HeaderFinding {
    /// Breaking a MUST of the draft is an error, departing from its advice a warning.
    fn severity(&self) -> Severity {
        match self {
            HeaderFinding::EtagAbsent
            | HeaderFinding::EtagWeak
            | HeaderFinding::CanonicalAbsent
            | HeaderFinding::NotJson
            | HeaderFinding::StrongTagOnCoded => Severity::Error,
            _ => Severity::Warning,
        }
    }

    fn code(&self) -> &'static str {
        HeaderFinding::code(*self)
    }

    fn place(&self) -> Place<'_> {
        Place::named(match self {
            HeaderFinding::EtagAbsent | HeaderFinding::EtagWeak | HeaderFinding::StrongTagOnCoded => "etag",
            HeaderFinding::CanonicalAbsent => "link",
            HeaderFinding::NotJson => "content-type",
            HeaderFinding::CacheControlAbsent
            | HeaderFinding::Private
            | HeaderFinding::MustRevalidateAbsent => "cache-control",
            HeaderFinding::VaryAbsent
            | HeaderFinding::VariesOnUserAgent
            | HeaderFinding::VariesOnEverything => "vary",
            HeaderFinding::HopByHop => "",
            HeaderFinding::LastModifiedUnreadable | HeaderFinding::WeekdayWrong => "last-modified",
        })
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(HeaderFinding::requirement(*self))
    }

    fn message(&self) -> Cow<'_, str> {
        self.to_string().into()
    }
}

impl Finding for Problem {
    /// A problem that refuses the response is an error, any other a warning.
    fn severity(&self) -> Severity {
        if self.is_fatal { Severity::Error } else { Severity::Warning }
    }

    fn code(&self) -> &'static str {
        self.code.code()
    }

    fn place(&self) -> Place<'_> {
        Place::named(self.field.unwrap_or_default())
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(Problem::requirement(self))
    }

    fn message(&self) -> Cow<'_, str> {
        self.code.clause().into()
    }
}

impl Finding for PayloadNote {
    fn severity(&self) -> Severity {
        Severity::Notice
    }

    fn code(&self) -> &'static str {
        PayloadNote::code(*self)
    }

    fn place(&self) -> Place<'_> {
        Place::named(match self {
            PayloadNote::ProfileAbsent | PayloadNote::ProfileUnknown => "profile",
            PayloadNote::BlankContent => "content",
            PayloadNote::HashOfNothing => "hash",
            PayloadNote::EtagSuffix | PayloadNote::EtagOfOtherForm => "etag",
            PayloadNote::NotCanonical => "",
        })
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(PayloadNote::requirement(*self))
    }

    fn message(&self) -> Cow<'_, str> {
        self.clause().into()
    }
}

impl Finding for SkippedItem {
    /// An entry that is dropped, or whose hash cannot be relied on, is an error; one that repeats another a notice.
    fn severity(&self) -> Severity {
        match self.issue {
            ItemIssue::Duplicate => Severity::Notice,
            ItemIssue::HashMissing => Severity::Warning,
            _ => Severity::Error,
        }
    }

    fn code(&self) -> &'static str {
        self.issue.code()
    }

    fn place(&self) -> Place<'_> {
        Place::named("/items")
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(self.issue.requirement())
    }

    fn message(&self) -> Cow<'_, str> {
        format!("{} (entry {})", self.issue.clause(), self.index).into()
    }
}

impl Finding for PolicyFault {
    fn severity(&self) -> Severity {
        Severity::Error
    }

    fn code(&self) -> &'static str {
        self.code.code()
    }

    fn place(&self) -> Place<'_> {
        let small = |number| u32::try_from(number).unwrap_or(u32::MAX);
        Place::named(&self.path).at_byte(self.offset).at_line(small(self.at.line), small(self.at.column))
    }

    fn message(&self) -> Cow<'_, str> {
        self.code.to_string().into()
    }
}

impl Serialize for ReceivedPayload {
    /// Writes what identifies the payload: the page, the hash, the profile and the number of bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("ReceivedPayload", 4)?;
        report.serialize_field("page", self.page().as_str())?;
        report.serialize_field("hash", &self.hash())?;
        report.serialize_field("profile", &self.profile())?;
        report.serialize_field("len_bytes", &self.json().len())?;
        report.end()
    }
}
