//! One twin: its payload, its fields, and how it answers conditions, HEAD and content codings.

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, LAST_MODIFIED};
use http::{HeaderMap, Method, StatusCode};
use tct::lint::{HeaderFinding, check_headers};
use tct::open::{Expected, PayloadNote as Note, ProblemCode, open_response};
use tct::sitemap::ListedPage;
use tct::v03::{DocumentPolicy, DocumentProblem, ExpectedDocument, Revision, classify, open_document};
use tct::{CUrl, MUrl, OpenPolicy};

use super::tct::repeat;
use crate::Context;
use crate::fetch::Answer;
use crate::finding::Check;

/// Looks at a twin; the bytes of its body as it came in gzip or br, or `None` where it could not be fetched.
pub(super) async fn check(
    context: &mut Context,
    page: &ListedPage,
    c_url: &CUrl,
    m_url: &MUrl,
) -> Option<u64> {
    let url = m_url.as_url();
    if !context.may_fetch(url) {
        return None;
    }
    let plain = context.client.send(Method::GET, url, HeaderMap::new(), "identity").await.ok()?;
    let is_exact = matches!(classify(&plain.body), Ok(Some((_, Revision::V03))));
    if is_exact {
        check_document(context, page, c_url, &plain);
    } else {
        check_payload(context, page, c_url, &plain);
    }
    if plain.status != StatusCode::OK {
        return None;
    }
    if is_exact {
        // The document's own check has looked at the fields of delivery.
        check_condition(context, &plain).await;
        check_head(context, &plain).await;
        return check_exact_coding(context, &plain).await;
    }
    for finding in check_headers(&plain.headers) {
        // The payload's own check has said these already, under their names there.
        let is_known = matches!(
            finding,
            HeaderFinding::EtagAbsent
                | HeaderFinding::EtagWeak
                | HeaderFinding::CanonicalAbsent
                | HeaderFinding::NotJson
        );
        if !is_known {
            let (requirement, sentence) = (finding.requirement(), finding.to_string());
            context.findings.add_sentence(Check::TwinHeaders, requirement, url.as_str(), &sentence);
        }
    }
    check_condition(context, &plain).await;
    check_head(context, &plain).await;
    check_coding(context, &plain).await
}

/// The checks of draft -03: all that a strict agent would refuse.
fn check_document(context: &mut Context, page: &ListedPage, c_url: &CUrl, plain: &Answer) {
    let mut response = http::Response::new(&plain.body);
    *response.status_mut() = plain.status;
    response.headers_mut().clone_from(&plain.headers);
    let expected = ExpectedDocument { page: Some(c_url), hint: page.hash.as_deref() };
    let opened = open_document(&plain.url, &response, &expected, &DocumentPolicy::strict());
    let place = plain.url.as_str();
    for problem in opened.problems() {
        // Each fault of the document is named below.
        let is_named = matches!(problem, DocumentProblem::Profile | DocumentProblem::Schema);
        if !is_named {
            let (requirement, sentence) = (problem.requirement(), problem.to_string());
            context.findings.add_sentence(Check::TwinProblem, requirement, place, &sentence);
        }
    }
    for fault in opened.findings() {
        context.findings.add_sentence(Check::TwinProblem, fault.requirement(), place, &fault.to_string());
    }
}

/// A coded variant of draft -03 is a representation of its own: the same text, under another strong tag or a weak one.
async fn check_exact_coding(context: &mut Context, plain: &Answer) -> Option<u64> {
    let coded = context.client.get(&plain.url).await.ok()?;
    let is_coded = coded.headers.contains_key(CONTENT_ENCODING);
    if coded.body != plain.body {
        let (expected, found) = ("the same bytes in every coding", "others");
        context.findings.add(Check::TwinCodingDiffers, plain.url.as_str(), expected, found);
    } else if is_coded && coded.headers.get(ETAG) == plain.headers.get(ETAG) {
        let (expected, found) = ("a tag of its own for a coded body", "that of the body without coding");
        let requirement = "TCT3-TAG-10";
        context.findings.add_for(Check::TwinCodingDiffers, requirement, plain.url.as_str(), expected, found);
    }
    Some(coded.received)
}

fn check_payload(context: &mut Context, page: &ListedPage, c_url: &CUrl, plain: &Answer) {
    let mut response = http::Response::new(&plain.body);
    *response.status_mut() = plain.status;
    response.headers_mut().clone_from(&plain.headers);
    let expected = Expected { page: Some(c_url), sitemap_hash: page.hash.as_deref() };
    let opened =
        open_response(&plain.url, &response, &expected, &OpenPolicy::strict().keeping_etag_suffixes());
    for problem in opened.problems() {
        let (expected, found, mend) = describe(problem.code);
        let found = match (problem.code, problem.field) {
            (ProblemCode::Status, _) => format!("status {}", plain.status.as_u16()),
            (_, Some(field)) => format!("{found} ({field})"),
            (_, None) => found.to_owned(),
        };
        let rule = (problem.code.requirement(), mend);
        context.findings.add_with(Check::TwinProblem, rule, plain.url.as_str(), expected, &found);
    }
    for note in opened.notes() {
        let (expected, found, requirement) = match note {
            Note::ProfileAbsent => ("the profile tct-1", "none", "TCT-MURL-8"),
            Note::ProfileUnknown => ("the profile tct-1", "another", "TCT-MURL-8"),
            Note::BlankContent => ("a text", "a blank one", "TCT-ERR-3"),
            Note::HashOfNothing => ("the payload's hash", "that of the empty text", "TCT-AMB-12"),
            Note::EtagOfOtherForm => ("the payload's hash as entity tag", "another tag", "TCT-ETAG-4"),
            Note::EtagSuffix => ("the hash alone in the tag", "one with a suffix", "TCT-AMB-21"),
            Note::NotCanonical => ("the canonical form in the body", "another", "TCT-MA-2"),
            _ => ("nothing to remark", "a remark of a later version", Check::TwinNote.requirement()),
        };
        context.findings.add_for(Check::TwinNote, requirement, plain.url.as_str(), expected, found);
    }
}

/// A problem in the words of a report: what was expected, what was found, how to mend it.
fn describe(code: ProblemCode) -> (&'static str, &'static str, &'static str) {
    const SEAL: &str = "Seal the payload once; send those bytes under that entity tag, and list that hash.";
    const TAG: &str = "Send the hash in quotes as ETag, without W/, and see that no proxy changes it.";
    const LINK: &str = "Send Link: <page>; rel=\"canonical\" with the address that the sitemap has as cUrl.";
    const FIELDS: &str = "Send canonical_url, title, content and hash, each a string.";
    match code {
        ProblemCode::Status => {
            ("status 200", "another", "Publish the twin, or take the entry out of the sitemap.")
        }
        ProblemCode::ContentType => {
            ("Content-Type: application/json", "another", "Send Content-Type: application/json.")
        }
        ProblemCode::EtagMissing => ("an entity tag", "none", TAG),
        ProblemCode::EtagWeak => ("a strong entity tag", "a weak one", TAG),
        ProblemCode::EtagMalformed => ("an entity tag", "other text", TAG),
        ProblemCode::BodyInvalid => ("one JSON object", "something else", FIELDS),
        ProblemCode::BodyOverLimit => ("a body within the limits", "a larger or deeper one", FIELDS),
        ProblemCode::FieldMissing => ("a required field", "none", FIELDS),
        ProblemCode::HashMalformed => ("sha256- and 64 hex digits", "other text", SEAL),
        ProblemCode::PayloadParity => ("the payload's hash as entity tag", "another", SEAL),
        ProblemCode::SitemapParity => ("the sitemap's hash as entity tag", "another", SEAL),
        ProblemCode::CanonicalMissing => ("a canonical link to the page", "none", LINK),
        ProblemCode::CanonicalMismatch => ("a canonical link to this page", "one to another", LINK),
        ProblemCode::CanonicalConflict => ("one canonical page in link and body", "two", LINK),
        ProblemCode::MarkupInContent => {
            ("plain text as content", "markup", "Strip or escape markup before the payload is sealed.")
        }
        _ => ("a twin in order", code.code(), SEAL),
    }
}

async fn check_condition(context: &mut Context, plain: &Answer) {
    let Some(again) = repeat(context, plain).await else { return };
    if again.status != StatusCode::NOT_MODIFIED {
        let found = format!("status {}", again.status.as_u16());
        let expected = "304 to the tag that it came with";
        context.findings.add(Check::TwinNotConditional, plain.url.as_str(), expected, &found);
    }
}

async fn check_head(context: &mut Context, plain: &Answer) {
    let Ok(head) = context.client.send(Method::HEAD, &plain.url, HeaderMap::new(), "identity").await else {
        return;
    };
    for name in [ETAG, LAST_MODIFIED, CACHE_CONTROL] {
        if head.status != plain.status || head.headers.get(&name) != plain.headers.get(&name) {
            let (expected, found) = (format!("the {name} of GET"), "another");
            context.findings.add(Check::TwinHeadDiffers, plain.url.as_str(), &expected, found);
        }
    }
}

async fn check_coding(context: &mut Context, plain: &Answer) -> Option<u64> {
    let coded = context.client.get(&plain.url).await.ok()?;
    if coded.body != plain.body {
        let (expected, found) = ("the same bytes in every coding", "others");
        context.findings.add(Check::TwinCodingDiffers, plain.url.as_str(), expected, found);
    } else if coded.headers.get(ETAG) != plain.headers.get(ETAG) {
        let (expected, found) = ("the same entity tag in every coding", "another");
        context.findings.add(Check::TwinCodingDiffers, plain.url.as_str(), expected, found);
    }
    Some(coded.received)
}
