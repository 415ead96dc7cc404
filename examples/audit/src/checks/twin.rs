//! Checks one twin: its payload, and its answers to a repeated request, conditional requests, HEAD and
//! content codings.

use std::time::Duration;

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, LAST_MODIFIED, VARY};
use http::{HeaderMap, HeaderName, Method, StatusCode};
use tct::discovery::discover_in_headers;
use tct::held::ContentHash;
use tct::pages::{PageKind, classify_page};
use tct::v03::{Revision, classify};
use tct::{CUrl, MUrl};
use tct_fingerprint::LenientEtag;
use url::Url;

use super::compare::Shown;
use super::payload::{Said, check_document, check_payload, find_reference, object_of};
use super::sitemaps::repeat;
use crate::Context;
use crate::fetch::Answer;
use crate::finding::Check;

/// A twin to check.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// Its page.
    pub(super) page: &'a CUrl,
    /// Its address.
    pub(super) twin: &'a MUrl,
    /// The sitemap's hash of it.
    pub(super) hash: Option<&'a ContentHash>,
}

/// The result for a twin, beside the findings.
#[derive(Debug)]
pub(super) struct Checked {
    /// Bytes of its body as it came in gzip or br.
    pub(super) received: u64,
    /// The policy descriptors that it links.
    pub(super) policies: Vec<Url>,
    /// The twin without content coding.
    pub(super) plain: Answer,
}

/// Longer than a second, the resolution of the time that many servers write.
pub(super) const CLOCK_TICK: Duration = Duration::from_millis(1_100);

/// Checks a twin, with its page if that could be fetched; `None` if there is no twin.
pub(super) async fn check(
    context: &mut Context,
    wanted: &Wanted<'_>,
    page: Option<&Answer>,
) -> Option<Checked> {
    let url = wanted.twin.as_url();
    if !context.may_fetch(url) {
        return None;
    }
    let plain = context.client.send(Method::GET, url, HeaderMap::new(), "identity").await.ok()?;
    let is_exact = matches!(classify(&plain.body), Ok(Some((_, Revision::V03))));
    let said = match is_exact {
        true => check_document(context, wanted, &plain),
        false => check_payload(context, wanted, &plain),
    };
    if plain.status != StatusCode::OK {
        return None;
    }
    if let (Some(said), Some(page)) = (&said, page) {
        compare(context, &plain, said, page);
    }
    check_head(context, &plain).await;
    let policies = discover_in_headers(&plain.url, &plain.headers).policies;
    let coded = context.client.get(&plain.url).await.ok()?;
    check_condition(context, &coded).await;
    if coded.body != plain.body {
        check_bodies(context, &plain, &coded).await;
    } else if is_exact {
        check_exact_tags(context, &plain, &coded);
    } else {
        check_tags(context, &plain, &coded);
    }
    Some(Checked { received: coded.received, policies, plain })
}

/// Checks that a twin is the same when it is requested in another second.
pub(super) async fn check_again(context: &mut Context, plain: &Answer) {
    let Ok(again) = context.client.send(Method::GET, &plain.url, HeaderMap::new(), "identity").await else {
        return;
    };
    let changed = changed_members(plain, &again);
    // A text that changed meanwhile is another twin, not an unstable one.
    let is_edited = changed.iter().any(|name| matches!(name.as_str(), "content" | "title"));
    if !changed.is_empty() && !is_edited {
        let found = format!("others: {}", changed.join(", "));
        let expected = "the same bytes whenever it is asked for";
        context.findings.add(Check::TwinUnstable, plain.url.as_str(), expected, &found);
    }
}

/// Checks that the twin has no text that its page does not have.
fn compare(context: &mut Context, plain: &Answer, said: &Said, page: &Answer) {
    let place = format!("{} (page {})", plain.url, page.url);
    if !page.status.is_success() {
        let found = format!("a twin for everybody of a page with status {}", page.status.as_u16());
        context.findings.add(Check::TwinSaysMore, &place, "a twin that is protected like its page", &found);
        return;
    }
    let is_html = page.content_type().is_some_and(|found| found.contains("html"));
    let Some(shown) = Shown::of(page).filter(|_| is_html) else { return };
    for (member, text) in [("title", &said.title), ("content", &said.content)] {
        // A page about references shows them as they stand.
        if let Some(reference) = find_reference(text).filter(|reference| !shown.has(reference)) {
            let (expected, found) =
                (format!("a {member} in plain text"), format!("a character reference ({reference})"));
            context.findings.add(Check::TwinReferences, plain.url.as_str(), &expected, &found);
        }
    }
    let Some(found) = shown.surplus(&said.content) else { return };
    let place = format!("{place}: {} % is not there, beginning with \"{}\"", found.percent, found.begins);
    let kind = classify_page(&page.url);
    // A list shows the beginnings of what its twin may have in full: nobody is betrayed, but the two are not one page.
    let is_list = kind.is_listing() || kind == PageKind::Home;
    let (check, expected, found) = match (found.is_protected, is_list) {
        (true, _) => (
            Check::TwinSaysMore,
            "a twin that asks for the password that its page asks for",
            "text that the page keeps back",
        ),
        (false, true) => (Check::TwinOfList, "a twin that says what the list shows", "texts of other pages"),
        (false, false) => {
            (Check::TwinSaysMore, "a twin that says what its page says", "text that the page does not show")
        }
    };
    context.findings.add(check, &place, expected, found);
}

/// Why the body in a coding is another one: members that change by themselves, or the coding. No coding changes a member's
/// value: where the two differ in one, they were made at two times, and a cache may keep both.
async fn check_bodies(context: &mut Context, plain: &Answer, coded: &Answer) {
    let Ok(again) = context.client.send(Method::GET, &plain.url, HeaderMap::new(), "identity").await else {
        return;
    };
    let place = plain.url.as_str();
    let is_same = again.body == plain.body;
    let changed = changed_members(plain, if is_same { coded } else { &again });
    if is_same && changed.is_empty() {
        let (expected, found) = ("the same bytes in every coding", "others");
        context.findings.add(Check::TwinCodingDiffers, place, expected, found);
        return;
    }
    let found = match changed.as_slice() {
        [] => "others, with the same members".to_owned(),
        members => format!("others: {}", members.join(", ")),
    };
    context.findings.add(Check::TwinUnstable, place, "the same bytes whenever it is asked for", &found);
}

/// The members whose values differ, or that one of the two lacks.
fn changed_members(first: &Answer, second: &Answer) -> Vec<String> {
    let (Some(first), Some(second)) = (object_of(first), object_of(second)) else { return Vec::new() };
    let names = first.keys().chain(second.keys().filter(|name| !first.contains_key(*name)));
    names.filter(|name| first.get(*name) != second.get(*name)).cloned().collect()
}

/// A coded variant of draft -03 is a representation of its own: the same text, under another strong tag or a weak one.
fn check_exact_tags(context: &mut Context, plain: &Answer, coded: &Answer) {
    let is_coded = coded.headers.contains_key(CONTENT_ENCODING);
    if is_coded && coded.headers.get(ETAG) == plain.headers.get(ETAG) {
        let (expected, found) = ("a tag of its own for a coded body", "that of the body without coding");
        let requirement = "TCT3-TAG-10";
        context.findings.add_for(Check::TwinCodingDiffers, requirement, plain.url.as_str(), expected, found);
    }
}

/// The tag of a coded body is that of the body without coding; with a server's mark in it agents still know it.
fn check_tags(context: &mut Context, plain: &Answer, coded: &Answer) {
    let (plain_tag, coded_tag) = (plain.headers.get(ETAG), coded.headers.get(ETAG));
    if plain_tag == coded_tag {
        return;
    }
    let hash = |tag: Option<&http::HeaderValue>| {
        LenientEtag::parse(tag?.as_bytes()).ok().map(|tag| tag.fingerprint())
    };
    let place = plain.url.as_str();
    match (hash(plain_tag), hash(coded_tag)) {
        (Some(plain), Some(coded)) if plain == coded => {
            let (expected, found) = ("the hash alone in the tag", "a server's mark on it when coded");
            context.findings.add_for(Check::TwinNote, "TCT-AMB-21", place, expected, found);
        }
        _ => {
            let (expected, found) = ("the same entity tag in every coding", "another");
            context.findings.add(Check::TwinCodingDiffers, place, expected, found);
        }
    }
}

/// Checks that a conditional request with the response's tag gets a 304 with the fields that a cache needs. A missing tag
/// is reported by the payload's check.
async fn check_condition(context: &mut Context, answer: &Answer) {
    if !answer.headers.contains_key(ETAG) {
        return;
    }
    let Some(again) = repeat(context, answer).await else { return };
    let place = answer.url.as_str();
    if again.status != StatusCode::NOT_MODIFIED {
        let found = format!("status {}", again.status.as_u16());
        let expected = "304 to the tag that it came with";
        context.findings.add(Check::TwinNotConditional, place, expected, &found);
        return;
    }
    let vary = field_names(&answer.headers, &VARY);
    if !vary.is_empty() && field_names(&again.headers, &VARY) != vary {
        let expected = format!("Vary: {} with the 304 too", vary.join(", "));
        context.findings.add(Check::TwinNotModifiedVary, place, &expected, "none, or another");
    }
}

/// The names in a list field, in lower case and sorted.
fn field_names(headers: &HeaderMap, name: &HeaderName) -> Vec<String> {
    let lines = headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
    let items = lines.flat_map(|line| line.split(',')).map(|item| item.trim().to_ascii_lowercase());
    let mut names: Vec<String> = items.filter(|item| !item.is_empty()).collect();
    names.sort();
    names.dedup();
    names
}

async fn check_head(context: &mut Context, plain: &Answer) {
    let Ok(head) = context.client.send(Method::HEAD, &plain.url, HeaderMap::new(), "identity").await else {
        return;
    };
    let place = plain.url.as_str();
    if head.status != plain.status {
        let expected = format!("status {}, as with GET", plain.status.as_u16());
        let found = format!("status {}", head.status.as_u16());
        context.findings.add(Check::TwinHeadDiffers, place, &expected, &found);
        return;
    }
    let names = [ETAG, LAST_MODIFIED, CACHE_CONTROL];
    let differ: Vec<&str> = names
        .iter()
        .filter(|name| head.headers.get(*name) != plain.headers.get(*name))
        .map(HeaderName::as_str)
        .collect();
    if !differ.is_empty() {
        let found = format!("others ({})", differ.join(", "));
        context.findings.add(Check::TwinHeadDiffers, place, "the fields of GET", &found);
    }
}
