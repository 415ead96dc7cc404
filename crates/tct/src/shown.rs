//! How findings and outcomes look to others: [`Finding`] for reports of several crates, `Display` for logs, `Serialize`
//! for what is stored.
//!
//! A finding is stored as the object of [`FindingRecord`](web_values::FindingRecord), a verdict as its stable code, and a
//! report as an object of both. The text of a payload is never part of it: storing it is a step of its own.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use web_values::{Finding, Place, Severity};

use crate::conditional::Precondition;
use crate::discovery::SitemapSource;
use crate::lint::HeaderFinding;
use crate::open::{Opened, PayloadNote, Problem, ProblemCode, ReceivedPayload};
use crate::pages::PageKind;
use crate::plan::Recheck;
use crate::policy::{PolicyFault, PolicyFaultCode, RateHint};
use crate::sealing::{HashCheck, HashMethod};
use crate::sitemap::{ItemIssue, SitemapError, SitemapVersion, SkippedItem};
use crate::v03::{
    BodyKind, BodyTag, DigestCheck, DocumentCheck, DocumentProblem, MSitemapCheck, OpenedDocument,
    ReceivedDocument, Revision, TctFinding, TctFindingCode,
};
use crate::visit::{Disagreement, Refusal};
use crate::{Permission, Purpose};

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

shown_as!(code: PolicyFaultCode, ProblemCode, TctFindingCode);
shown_as!(name: BodyKind, HashMethod, PageKind, Permission, Purpose, Revision, SitemapSource);
stored_as!(code: Disagreement, ItemIssue, PayloadNote, Refusal);
stored_as!(name: DigestCheck, HashCheck, Precondition, Recheck);
stored_as!(hint: BodyTag);
stored_as!(to_string: SitemapError);
stored_as_finding!(DocumentProblem, HeaderFinding, PolicyFault, Problem, SkippedItem, TctFinding);

impl HashMethod {
    /// The method's name: `a` or `b`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            HashMethod::A => "a",
            HashMethod::B => "b",
        }
    }
}

impl HashCheck {
    /// The verdict's name: `matches-a`, `matches-b` or `neither`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            HashCheck::MatchesA => "matches-a",
            HashCheck::MatchesB => "matches-b",
            HashCheck::Neither => "neither",
        }
    }
}

impl Precondition {
    /// The verdict's name: `proceed`, `not-modified` or `failed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Precondition::Proceed => "proceed",
            Precondition::NotModified => "not-modified",
            Precondition::Failed => "failed",
        }
    }
}

impl Permission {
    /// The word: `allowed`, `denied` or `unstated`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Permission::Allowed => "allowed",
            Permission::Denied => "denied",
            Permission::Unstated => "unstated",
        }
    }
}

impl Purpose {
    /// The use's name: `ai-input`, `ai-train` or `search-indexing`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Purpose::AiInput => "ai-input",
            Purpose::AiTrain => "ai-train",
            Purpose::SearchIndexing => "search-indexing",
        }
    }
}

impl PageKind {
    /// The kind's name in lower case, such as `content` or `category`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PageKind::Content => "content",
            PageKind::Home => "home",
            PageKind::Category => "category",
            PageKind::Tag => "tag",
            PageKind::Date => "date",
            PageKind::Author => "author",
            PageKind::Search => "search",
            PageKind::Paged => "paged",
        }
    }
}

impl Recheck {
    /// The reason's name in kebab case, such as `changed` or `too-long-unchecked`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Recheck::Changed => "changed",
            Recheck::HashUnusable => "hash-unusable",
            Recheck::TooLongUnchecked => "too-long-unchecked",
            Recheck::SitemapTooOld => "sitemap-too-old",
        }
    }
}

impl SitemapSource {
    /// The source's name in kebab case, such as `link` or `well-known`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SitemapSource::Configured => "configured",
            SitemapSource::Link => "link",
            SitemapSource::WellKnown => "well-known",
            SitemapSource::Conventional => "conventional",
            SitemapSource::Robots => "robots",
        }
    }
}

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

impl fmt::Display for SitemapVersion {
    /// Writes the number, `absent` or `not an integer`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SitemapVersion::Absent => f.write_str("absent"),
            SitemapVersion::Number(version) => version.fmt(f),
            SitemapVersion::NotAnInteger => f.write_str("not an integer"),
        }
    }
}

impl fmt::Display for PolicyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.code.clause(), self.place())
    }
}

impl PolicyFaultCode {
    const fn clause(self) -> &'static str {
        match self {
            PolicyFaultCode::NotAnObject => "expected an object, found another value",
            PolicyFaultCode::WrongType => "expected another type of value",
            PolicyFaultCode::BadTimestamp => "expected an RFC 3339 timestamp, found other text",
            PolicyFaultCode::BadUrl => "expected an absolute https or http URL, found other text",
            PolicyFaultCode::Negative => "expected a number of at least 0, found a negative one",
        }
    }
}

impl Finding for HeaderFinding {
    /// What breaks a MUST of the draft is an error, what departs from its advice a warning.
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
        Some(self.code.requirement())
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

impl Finding for DocumentProblem {
    /// A problem that refuses the response under the lenient policy is an error, any other a warning.
    fn severity(&self) -> Severity {
        match self.is_fatal(crate::open::Strictness::Lenient) {
            true => Severity::Error,
            false => Severity::Warning,
        }
    }

    fn code(&self) -> &'static str {
        DocumentProblem::code(*self)
    }

    fn place(&self) -> Place<'_> {
        Place::default()
    }

    fn requirement(&self) -> Option<&'static str> {
        Some(DocumentProblem::requirement(*self))
    }

    fn message(&self) -> Cow<'_, str> {
        self.to_string().into()
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
        self.code.clause().into()
    }
}

impl Serialize for Opened {
    /// Writes what was found: whether the response is accepted, the problems, the notes and the entity tag.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("Opened", 5)?;
        report.serialize_field("is_accepted", &self.is_accepted())?;
        report.serialize_field("problems", self.problems())?;
        report.serialize_field("notes", self.notes())?;
        report.serialize_field("etag", &self.etag())?;
        report.serialize_field("payload", &self.payload())?;
        report.end()
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

impl Serialize for OpenedDocument {
    /// Writes what was found: whether the response is accepted, the problems, the faults of the document, and the hint
    /// of the bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("OpenedDocument", 5)?;
        report.serialize_field("is_accepted", &self.is_accepted())?;
        report.serialize_field("problems", self.problems())?;
        report.serialize_field("findings", self.findings())?;
        report.serialize_field("hint", &self.tag())?;
        report.serialize_field("document", &self.document())?;
        report.end()
    }
}

impl Serialize for ReceivedDocument {
    /// Writes what identifies the document: the page, the hint and the number of bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("ReceivedDocument", 2)?;
        report.serialize_field("page", self.page().as_str())?;
        report.serialize_field("len_bytes", &self.json().len())?;
        report.end()
    }
}

impl Serialize for DocumentCheck {
    /// Writes the verdict, the faults and the hint of the bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("DocumentCheck", 4)?;
        report.serialize_field("is_valid", &self.is_valid())?;
        report.serialize_field("is_canonical", &self.is_canonical())?;
        report.serialize_field("findings", self.findings())?;
        report.serialize_field("hint", self.tag())?;
        report.end()
    }
}

impl Serialize for MSitemapCheck {
    /// Writes the verdict, the faults, the number of usable items, and the hint of the bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("MSitemapCheck", 6)?;
        report.serialize_field("is_valid", &self.is_valid())?;
        report.serialize_field("is_canonical", &self.is_canonical())?;
        report.serialize_field("is_unsupported_index", &self.is_unsupported_index())?;
        report.serialize_field("findings", self.findings())?;
        report.serialize_field("items", &self.items().len())?;
        report.serialize_field("hint", self.tag())?;
        report.end()
    }
}
