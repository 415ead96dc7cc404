//! Checks the payload of a twin, or its document of draft -03, and reports what a strict agent would refuse.

use std::collections::BTreeSet;

use tct::lint::{HeaderFinding, check_headers};
use tct::open::{Expected, PayloadNote as Note, ProblemCode, open_response};
use tct::sealing::{HashCheck, check_hash};
use tct::v03::Revision;
use tct::{OpenPolicy, discovery};

use super::twin::Wanted;
use crate::Context;
use crate::fetch::Answer;
use crate::finding::Check;

/// The members that both methods have.
const BASE_MEMBERS: [&str; 5] = ["canonical_url", "content", "hash", "profile", "title"];

/// The twin's text and facts, if it can be read.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    pub(super) title: String,
    pub(super) content: String,
}

/// The checks of draft -03: all that a strict agent would refuse.
pub(super) fn check_document(context: &mut Context, wanted: &Wanted<'_>, plain: &Answer) -> Option<Said> {
    let response = plain.to_response();
    let expected = Expected { page: Some(wanted.page), sitemap_hash: wanted.hash };
    let opened =
        open_response(&plain.url, &response, &expected, &OpenPolicy::strict().for_revision(Revision::V03));
    for problem in opened.problems() {
        // Each fault of the document is named below.
        if matches!(problem.code, ProblemCode::Profile | ProblemCode::Schema) {
            continue;
        }
        let (requirement, sentence) = (problem.requirement(), problem.to_string());
        let place = match problem.code {
            ProblemCode::CanonicalMismatch => mismatch(wanted, plain),
            _ => plain.url.to_string(),
        };
        context.findings.add_sentence(Check::TwinProblem, requirement, &place, &sentence);
    }
    let place = plain.url.as_str();
    for fault in opened.findings() {
        context.findings.add_sentence(Check::TwinProblem, fault.requirement(), place, &fault.to_string());
    }
    text_of(plain)
}

/// The checks of drafts -00 and -01.
pub(super) fn check_payload(context: &mut Context, wanted: &Wanted<'_>, plain: &Answer) -> Option<Said> {
    let response = plain.to_response();
    let expected = Expected { page: Some(wanted.page), sitemap_hash: wanted.hash };
    // A tag that a server has marked is still the payload's: the mark is a remark, and no broken parity beside it.
    let policy = OpenPolicy::strict().for_revision(Revision::Legacy);
    let opened = open_response(&plain.url, &response, &expected, &policy);
    let codes: BTreeSet<ProblemCode> = opened.problems().iter().map(|problem| problem.code).collect();
    for problem in opened.problems() {
        // One cause is one finding: a link to another page is in conflict with the body too, and a tag that is not the
        // payload's is not the sitemap's either.
        let is_consequence = match problem.code {
            ProblemCode::CanonicalConflict => codes.contains(&ProblemCode::CanonicalMismatch),
            ProblemCode::SitemapParity => codes.contains(&ProblemCode::PayloadParity),
            _ => false,
        };
        if is_consequence {
            continue;
        }
        let (expected, found, mend) = describe(problem.code);
        let (found, place) = match (problem.code, problem.field) {
            (ProblemCode::Status, _) => (format!("status {}", plain.status.as_u16()), plain.url.to_string()),
            (ProblemCode::CanonicalMismatch, _) => {
                let found =
                    if is_slash_alone(wanted, plain) { "the same except for its final slash" } else { found };
                (found.to_owned(), mismatch(wanted, plain))
            }
            (_, Some(field)) => (format!("{found} ({field})"), plain.url.to_string()),
            (_, None) => (found.to_owned(), plain.url.to_string()),
        };
        let rule = (problem.code.requirement(), mend);
        context.findings.add_with(Check::TwinProblem, rule, &place, expected, &found);
    }
    if !plain.status.is_success() {
        return None;
    }
    let method = check_hash(&plain.body).ok();
    for note in opened.notes() {
        let (expected, found, requirement) = match note {
            Note::ProfileAbsent => ("the profile tct-1", "none", "TCT-MURL-8"),
            Note::ProfileUnknown => ("the profile tct-1", "another", "TCT-MURL-8"),
            Note::BlankContent => ("a text", "a blank one", "TCT-ERR-3"),
            Note::HashOfNothing => ("the payload's hash", "that of the empty text", "TCT-AMB-12"),
            Note::EtagOfOtherForm => ("the payload's hash as entity tag", "another tag", "TCT-ETAG-4"),
            Note::EtagSuffix => ("the hash alone in the tag", "one with a server's mark", "TCT-AMB-21"),
            // Method B hashes the text, whatever the form of the JSON around it.
            Note::NotCanonical if method == Some(HashCheck::MatchesB) => continue,
            Note::NotCanonical => ("the canonical form in the body", "another", "TCT-MA-2"),
            _ => ("nothing to remark", "a remark of a later version", Check::TwinNote.requirement()),
        };
        context.findings.add_for(Check::TwinNote, requirement, plain.url.as_str(), expected, found);
    }
    match method {
        Some(HashCheck::MatchesB) => check_members(context, plain),
        Some(HashCheck::Neither) => {
            let (expected, found) = ("the hash of the payload, or of its text", "that of something else");
            context.findings.add_for(Check::TwinNote, "TCT-MA-3", plain.url.as_str(), expected, found);
        }
        _ => {}
    }
    check_fields(context, plain, &codes);
    text_of(plain)
}

/// Faults of the header fields that the payload's own check does not report.
fn check_fields(context: &mut Context, plain: &Answer, codes: &BTreeSet<ProblemCode>) {
    for finding in check_headers(&plain.headers) {
        let is_known = match finding {
            HeaderFinding::EtagAbsent => codes.contains(&ProblemCode::EtagMissing),
            HeaderFinding::EtagWeak => codes.contains(&ProblemCode::EtagWeak),
            HeaderFinding::CanonicalAbsent => codes.contains(&ProblemCode::CanonicalMissing),
            HeaderFinding::NotJson => codes.contains(&ProblemCode::ContentType),
            HeaderFinding::HopByHop => !has_foreign_hop_fields(plain),
            _ => false,
        };
        if !is_known {
            let (requirement, sentence) = (finding.requirement(), finding.to_string());
            context.findings.add_sentence(Check::TwinHeaders, requirement, plain.url.as_str(), &sentence);
        }
    }
}

/// Whether there are fields of another connection than this one. Over HTTP/1.1 any server manages its own with `Connection`
/// and `Keep-Alive`, sends chunks, and offers an upgrade to HTTP/2.
fn has_foreign_hop_fields(plain: &Answer) -> bool {
    ["te", "trailer", "proxy-authenticate", "proxy-authorization", "proxy-connection"]
        .into_iter()
        .any(|name| plain.headers.contains_key(name))
}

/// Members that a hash of the text alone does not cover.
fn check_members(context: &mut Context, plain: &Answer) {
    let Some(members) = object_of(plain) else { return };
    let more: Vec<&str> =
        members.keys().map(String::as_str).filter(|name| !BASE_MEMBERS.contains(name)).collect();
    if more.is_empty() {
        return;
    }
    let shown: Vec<&str> = more.iter().copied().take(4).collect();
    let rest = match more.len() - shown.len() {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    let found = format!("{}{rest} beside a hash of the text (method B)", shown.join(", "));
    let expected = "no member that the hash does not cover";
    context.findings.add(Check::TwinMethod, plain.url.as_str(), expected, &found);
}

pub(super) fn object_of(answer: &Answer) -> Option<serde_json::Map<String, serde_json::Value>> {
    serde_json::from_slice(&answer.body).ok()
}

fn text_of(plain: &Answer) -> Option<Said> {
    let members = object_of(plain)?;
    let text = |name: &str| Some(members.get(name)?.as_str()?.to_owned());
    Some(Said { title: text("title")?, content: text("content")? })
}

/// The first character reference of HTML in a text, such as `&#038;`.
pub(super) fn find_reference(text: &str) -> Option<&str> {
    text.match_indices('&').find_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let end = rest.find(';').filter(|end| (2..=32).contains(end))?;
        let name = rest.get(..end)?;
        let is_reference = match name.strip_prefix('#') {
            Some(number) => match number.strip_prefix(['x', 'X']) {
                Some(hex) => !hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
                None => number.bytes().all(|byte| byte.is_ascii_digit()),
            },
            None => name.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        };
        is_reference.then(|| text.get(at..at + end + 2)).flatten()
    })
}

/// Whether the link names the page, except for its final slash: what permalinks of a CMS do. Agents that fold slashes take it.
fn is_slash_alone(wanted: &Wanted<'_>, plain: &Answer) -> bool {
    let named = discovery::discover_in_headers(&plain.url, &plain.headers).canonical;
    let folding = OpenPolicy::default().with_folded_slashes();
    named.is_some_and(|named| folding.is_same_page(&named, wanted.page.as_url()))
}

/// The twin with the page that its link names, and the one that it should name.
fn mismatch(wanted: &Wanted<'_>, plain: &Answer) -> String {
    let named = discovery::discover_in_headers(&plain.url, &plain.headers).canonical;
    let named = named.map_or_else(|| "none".to_owned(), String::from);
    format!("{} (links {named}, the page is {})", plain.url, wanted.page)
}

/// A problem for the report: what was expected, what was found, how to fix it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_told_from_ampersands() {
        for (text, expected) in [
            ("Tea &#038; cups", Some("&#038;")),
            ("Tea & cups; more", None),
            ("Tea &amp; cups", Some("&amp;")),
            ("&#x26;", Some("&#x26;")),
            ("R&D; a", None),
            ("&#;", None),
            ("AT&T", None),
        ] {
            assert_eq!(find_reference(text), expected, "{text}");
        }
    }
}
