//! The words that are shown, logged and stored: each is its variant's own name in kebab case, in every form, and each rule that
//! a code names is in the catalogue.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test says what it expects in the plainest way"
)]

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};

use serde::Serialize;
use tct::lint::HeaderFinding;
use tct::open::{Expected, PayloadNote, Problem, ProblemCode, open_response};
use tct::pages::PageKind;
use tct::plan::Recheck;
use tct::policy::PolicyFaultCode;
use tct::sealing::{HashCheck, HashMethod};
use tct::sitemap::{ItemIssue, Sitemap, SkippedItem};
use tct::v03::{BodyKind, Revision, TctFindingCode};
use tct::visit::{Disagreement, Refusal};
use tct::{OpenPolicy, Permission, Purpose, SitemapReader};
use web_values::{Finding, Severity};

/// `SomeName` as `some-name`; a run of capitals is a word a letter, as in `m-url`.
fn kebab(value: &impl Debug) -> String {
    let mut kebab = String::new();
    for letter in format!("{value:?}").chars() {
        if letter.is_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.extend(letter.to_lowercase());
    }
    kebab
}

fn check_all<T: Debug + Serialize + Copy>(values: &[T], name: impl Fn(T) -> &'static str) {
    let mut seen = BTreeSet::new();
    for value in values {
        let expected = match kebab(value).as_str() {
            "v03" => "03".to_owned(),
            // A member of the wrong type.
            "wrong-type" if std::any::type_name::<T>().ends_with("TctFindingCode") => "type".to_owned(),
            kebab => kebab.to_owned(),
        };
        assert_eq!(name(*value), expected, "{value:?}");
        assert_eq!(serde_json::to_value(value).unwrap(), expected, "{value:?}");
        assert!(seen.insert(expected), "{value:?}");
    }
}

fn shown<T: Display + Copy>(values: &[T], name: impl Fn(T) -> &'static str) {
    for value in values {
        assert_eq!(value.to_string(), name(*value));
    }
}

#[test]
fn names() {
    let methods = [HashMethod::A, HashMethod::B];
    check_all(&methods, HashMethod::name);
    shown(&methods, HashMethod::name);
    let permissions = [Permission::Allowed, Permission::Denied, Permission::Unstated];
    check_all(&permissions, Permission::name);
    shown(&permissions, Permission::name);
    let purposes = [Purpose::AiInput, Purpose::AiTrain, Purpose::SearchIndexing];
    check_all(&purposes, Purpose::name);
    shown(&purposes, Purpose::name);
    let kinds = [
        PageKind::Content,
        PageKind::Home,
        PageKind::Category,
        PageKind::Tag,
        PageKind::Date,
        PageKind::Author,
        PageKind::Search,
        PageKind::Paged,
    ];
    check_all(&kinds, PageKind::name);
    shown(&kinds, PageKind::name);
    let bodies = [BodyKind::MUrl, BodyKind::MSitemap, BodyKind::MSitemapIndex];
    check_all(&bodies, BodyKind::name);
    shown(&bodies, BodyKind::name);
    let revisions = [Revision::Legacy, Revision::V03];
    check_all(&revisions, Revision::name);
    shown(&revisions, Revision::name);
    check_all(&[HashCheck::MatchesA, HashCheck::MatchesB, HashCheck::Neither], HashCheck::name);
    let rechecks =
        [Recheck::Changed, Recheck::HashUnusable, Recheck::TooLongUnchecked, Recheck::SitemapTooOld];
    check_all(&rechecks, Recheck::name);
}

#[test]
fn codes_and_the_rules_they_are_about() {
    let mut rules = BTreeSet::new();
    let codes = [
        PolicyFaultCode::NotAnObject,
        PolicyFaultCode::WrongType,
        PolicyFaultCode::BadTimestamp,
        PolicyFaultCode::BadUrl,
        PolicyFaultCode::Negative,
    ];
    check_all(&codes, PolicyFaultCode::code);
    assert_eq!(PolicyFaultCode::WrongType.to_string(), "expected another type of value");
    let codes = [
        ProblemCode::Status,
        ProblemCode::ContentType,
        ProblemCode::EtagMissing,
        ProblemCode::EtagWeak,
        ProblemCode::EtagMalformed,
        ProblemCode::BodyInvalid,
        ProblemCode::BodyOverLimit,
        ProblemCode::FieldMissing,
        ProblemCode::HashMalformed,
        ProblemCode::PayloadParity,
        ProblemCode::SitemapParity,
        ProblemCode::CanonicalMissing,
        ProblemCode::CanonicalMismatch,
        ProblemCode::CanonicalConflict,
        ProblemCode::MarkupInContent,
    ];
    check_all(&codes, ProblemCode::code);
    shown(&codes, ProblemCode::code);
    rules.extend(codes.map(ProblemCode::requirement));
    let codes = [
        TctFindingCode::Missing,
        TctFindingCode::WrongType,
        TctFindingCode::Profile,
        TctFindingCode::Version,
        TctFindingCode::Url,
        TctFindingCode::Language,
        TctFindingCode::MediaType,
        TctFindingCode::Etag,
        TctFindingCode::Timestamp,
        TctFindingCode::Forbidden,
        TctFindingCode::OtherOrigin,
        TctFindingCode::Duplicate,
    ];
    check_all(&codes, TctFindingCode::code);
    shown(&codes, TctFindingCode::code);
    let codes = [
        Disagreement::SitemapAhead,
        Disagreement::SitemapDiffers,
        Disagreement::SitemapBehind,
        Disagreement::Regression,
    ];
    check_all(&codes, Disagreement::code);
    let codes = [
        Refusal::Problems,
        Refusal::Status,
        Refusal::Redirect,
        Refusal::OtherOrigin,
        Refusal::TooManyRedirects,
        Refusal::NotModifiedUnasked,
        Refusal::Body,
    ];
    check_all(&codes, Refusal::code);
    let codes = [
        PayloadNote::ProfileAbsent,
        PayloadNote::ProfileUnknown,
        PayloadNote::BlankContent,
        PayloadNote::HashOfNothing,
        PayloadNote::EtagSuffix,
        PayloadNote::EtagOfOtherForm,
        PayloadNote::NotCanonical,
    ];
    check_all(&codes, PayloadNote::code);
    let codes = [
        ItemIssue::NotAnObject,
        ItemIssue::CUrlMissing,
        ItemIssue::MUrlMissing,
        ItemIssue::CUrlInvalid,
        ItemIssue::MUrlInvalid,
        ItemIssue::Insecure,
        ItemIssue::OtherOrigin,
        ItemIssue::DuplicateMember,
        ItemIssue::BadString,
        ItemIssue::TooLarge,
        ItemIssue::TooDeep,
        ItemIssue::HashMissing,
        ItemIssue::HashMalformed,
        ItemIssue::HashConflict,
        ItemIssue::Duplicate,
        ItemIssue::Ambiguous,
    ];
    check_all(&codes, ItemIssue::code);
    rules.extend(codes.map(ItemIssue::requirement));
    let codes = [
        HeaderFinding::EtagAbsent,
        HeaderFinding::EtagWeak,
        HeaderFinding::CanonicalAbsent,
        HeaderFinding::NotJson,
        HeaderFinding::CacheControlAbsent,
        HeaderFinding::Private,
        HeaderFinding::MustRevalidateAbsent,
        HeaderFinding::VaryAbsent,
        HeaderFinding::VariesOnUserAgent,
        HeaderFinding::VariesOnEverything,
        HeaderFinding::HopByHop,
        HeaderFinding::LastModifiedUnreadable,
        HeaderFinding::WeekdayWrong,
        HeaderFinding::StrongTagOnCoded,
    ];
    for code in codes {
        assert_eq!(HeaderFinding::code(code), kebab(&code));
    }
    rules.extend(codes.map(HeaderFinding::requirement));
    let catalogues = spec_vectors::catalogues().flat_map(|catalogue| catalogue.requirements);
    let catalogue: BTreeSet<String> = catalogues.map(|requirement| requirement.id).collect();
    for rule in rules {
        assert!(catalogue.contains(rule), "{rule}");
    }
}

/// All that a program logs of each finding: how much it matters, its code, where, by which rule, and a sentence. Reviewed like
/// code.
#[test]
fn findings_in_full() {
    fn line(finding: &dyn Finding) -> String {
        let rule = finding.requirement().unwrap_or("no rule");
        format!(
            "{:?} {} at {:?} [{rule}]\n    {}\n",
            finding.severity(),
            finding.code(),
            finding.place().name,
            finding.message()
        )
    }
    let mut all = String::new();
    // One of each, for its type: the fields are set below.
    let file = br#"{"items":[1]}"#;
    let mut skipped: SkippedItem =
        Sitemap::new().read(file, SitemapReader::any_origin()).unwrap().skipped.remove(0);
    let twin = url::Url::parse("https://example.com/llm/").unwrap();
    let opened =
        open_response(&twin, &http::Response::new("{}"), &Expected::default(), &OpenPolicy::default());
    let mut problem: Problem = opened.problems()[0];
    for finding in [
        HeaderFinding::EtagAbsent,
        HeaderFinding::EtagWeak,
        HeaderFinding::CanonicalAbsent,
        HeaderFinding::NotJson,
        HeaderFinding::CacheControlAbsent,
        HeaderFinding::Private,
        HeaderFinding::MustRevalidateAbsent,
        HeaderFinding::VaryAbsent,
        HeaderFinding::VariesOnUserAgent,
        HeaderFinding::VariesOnEverything,
        HeaderFinding::HopByHop,
        HeaderFinding::LastModifiedUnreadable,
        HeaderFinding::WeekdayWrong,
        HeaderFinding::StrongTagOnCoded,
    ] {
        all += &line(&finding);
    }
    for finding in [
        PayloadNote::ProfileAbsent,
        PayloadNote::ProfileUnknown,
        PayloadNote::BlankContent,
        PayloadNote::HashOfNothing,
        PayloadNote::EtagSuffix,
        PayloadNote::EtagOfOtherForm,
        PayloadNote::NotCanonical,
    ] {
        all += &line(&finding);
    }
    for issue in [
        ItemIssue::NotAnObject,
        ItemIssue::CUrlMissing,
        ItemIssue::MUrlMissing,
        ItemIssue::CUrlInvalid,
        ItemIssue::MUrlInvalid,
        ItemIssue::Insecure,
        ItemIssue::OtherOrigin,
        ItemIssue::DuplicateMember,
        ItemIssue::BadString,
        ItemIssue::TooLarge,
        ItemIssue::TooDeep,
        ItemIssue::HashMissing,
        ItemIssue::HashMalformed,
        ItemIssue::HashConflict,
        ItemIssue::Duplicate,
        ItemIssue::Ambiguous,
    ] {
        (skipped.index, skipped.issue) = (7, issue);
        all += &line(&skipped);
    }
    use ProblemCode as P;
    let shared = [P::Status, P::ContentType, P::BodyInvalid, P::EtagMissing, P::EtagWeak, P::EtagMalformed]
        .into_iter()
        .chain([P::CanonicalMissing, P::CanonicalMismatch, P::CanonicalConflict]);
    let legacy = [P::BodyOverLimit, P::FieldMissing, P::HashMalformed, P::PayloadParity, P::SitemapParity]
        .into_iter()
        .chain([P::MarkupInContent]);
    let v03 =
        [P::ContentTypeParameters, P::ContentCoding, P::Profile, P::Schema, P::NotCanonical, P::EtagMismatch]
            .into_iter()
            .chain([
                P::DigestMissing,
                P::DigestMismatch,
                P::LengthMismatch,
                P::VaryMissing,
                P::NoTransformMissing,
            ])
            .chain([P::ProfileLinkMissing, P::HintMismatch]);
    for revision in [Revision::Legacy, Revision::V03] {
        let own: Vec<_> = match revision {
            Revision::V03 => v03.clone().collect(),
            _ => legacy.clone().collect(),
        };
        for code in shared.clone().chain(own) {
            (problem.code, problem.field, problem.is_fatal) = (code, None, true);
            problem.revision = revision;
            all += &line(&problem);
            (problem.field, problem.is_fatal) = (Some("title"), false);
            assert_eq!((problem.severity(), problem.place().name), (Severity::Warning, "title"));
        }
    }
    let (_, faults) = tct::PolicyDescriptor::parse(b"{\n \"effective\": \"soon\"}").unwrap();
    all += &line(&faults[0]);
    assert_eq!(faults[0].place().to_string(), "/effective (line 2, column 15)");
    assert_eq!(faults[0].place().offset, Some(16));
    insta::assert_snapshot!(all);
}
