//! API catalogue, OAuth metadata, auth.md. Spec: section 8.

use tct_canonical_json::{JsonKind, JsonValue};
use url::Url;

use super::json::{self, Ask as _};
use super::{Look, Page, Sheet};
use crate::exchange::{ANY, Answer, Method, Offer, absolute};
use crate::{Row, Verdict};

/// A document that is not offered or cannot be fetched is skipped. Spec: READY-GEN-6.
pub(super) fn skip_offer(sheet: &mut Sheet, rows: &[Row], offer: &Offer<'_>) {
    let detail = if matches!(offer, Offer::Unknown) { "unknown" } else { "absent" };
    sheet.skip_all(rows, detail);
}

/// The document at the first place; if it is absent, the one at the old place. A place that does not tell hides what is
/// there: nothing is said about the other then.
pub(super) fn present_or_old<'a>(
    look: &Look<'a>,
    place: &str,
    old: &str,
) -> Result<(bool, Answer<'a>), Offer<'a>> {
    match look.reader.offer(&look.at(place), ANY) {
        Offer::Present(answer) => Ok((false, answer)),
        Offer::Unknown => Err(Offer::Unknown),
        Offer::Absent => match look.reader.offer(&look.at(old), ANY) {
            Offer::Present(answer) => Ok((true, answer)),
            other => Err(other),
        },
    }
}

/// The first document that is present.
pub(super) fn first_present<'a>(look: &Look<'a>, paths: &[&str]) -> Result<Answer<'a>, Offer<'a>> {
    let mut missing = Offer::Absent;
    for path in paths {
        match look.reader.offer(&look.at(path), ANY) {
            Offer::Present(answer) => return Ok(answer),
            Offer::Unknown => missing = Offer::Unknown,
            Offer::Absent => {}
        }
    }
    Err(missing)
}

pub(super) fn api(look: &Look<'_>, sheet: &mut Sheet) {
    const ROWS: [Row; 5] = [Row::Api1, Row::Api2, Row::Api3, Row::Api4, Row::Api5];
    const ACCEPT: &str = "application/linkset+json, application/json";
    let url = look.at("/.well-known/api-catalog");
    let answer = match look.reader.offer(&url, ACCEPT) {
        Offer::Present(answer) => answer,
        other => return skip_offer(sheet, &ROWS, &other),
    };
    let document = json::read(&answer.response.body);
    let links = document.as_ref().and_then(|document| document.root().list("linkset"));
    let Some(links) = links.filter(|links| !links.is_empty()) else {
        sheet.fail(Row::Api1, "no list `linkset`, or an empty one");
        return sheet.skip_all(ROWS.get(1..).unwrap_or_default(), "no linkset to read");
    };
    sheet.pass(Row::Api1, format!("{} entries", links.len()));
    match answer.is_type("application/linkset+json") {
        true => sheet.pass(Row::Api2, ""),
        false => sheet.warn(Row::Api2, answer.field("content-type").unwrap_or("no type")),
    }
    let profile = answer.media_type().and_then(|found| found.parameter("profile").map(str::to_owned));
    const PROFILE: &str = "https://www.rfc-editor.org/info/rfc9727";
    match profile.is_some_and(|profile| profile.split_ascii_whitespace().any(|name| name == PROFILE)) {
        true => sheet.pass(Row::Api3, ""),
        false => sheet.warn(Row::Api3, "no such profile"),
    }
    let is_useful = |link: &JsonValue<'_>| {
        ["service-desc", "service-doc", "item"].iter().any(|relation| link.lists(relation))
    };
    match (links.iter().all(is_link_set), links.iter().any(is_useful)) {
        (false, _) => sheet.fail(Row::Api4, "a relation is not a list of objects with `href`"),
        (true, false) => sheet.warn(Row::Api4, "no service-desc, service-doc or item"),
        (true, true) => sheet.pass(Row::Api4, ""),
    }
    let head = look.reader.ask(Method::Head, &url, ACCEPT);
    let has_link = |head: &Answer<'_>| head.link_fields().iter().any(|link| link.has_rel("api-catalog"));
    match head {
        Some(head) if head.is_success() && has_link(&head) => sheet.pass(Row::Api5, ""),
        Some(head) if head.is_success() => sheet.fail(Row::Api5, "no Link field of rel api-catalog"),
        Some(head) => sheet.fail(Row::Api5, format!("status {}", head.status())),
        None => sheet.skip(Row::Api5, "no answer"),
    }
}

/// Spec: RFC 9264, 4.2; READY-API-4.
fn is_link_set(link: &JsonValue<'_>) -> bool {
    let is_target = |item: JsonValue<'_>| item.is_object() && item.has_text("href");
    link.is_object()
        && link.members().all(|(name, value)| match name.is("anchor") {
            true => value.kind() == JsonKind::String,
            false => value.kind() == JsonKind::Array && value.items().all(is_target),
        })
}

/// Whether a text is the origin, a final slash aside.
fn is_origin(look: &Look<'_>, text: Option<String>) -> bool {
    text.is_some_and(|text| text.strip_suffix('/').unwrap_or(&text) == look.origin())
}

pub(super) fn oauth(look: &Look<'_>, home: &Option<Answer<'_>>, sheet: &mut Sheet) {
    let places = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];
    match first_present(look, &places) {
        Err(offer) => skip_offer(sheet, &[Row::OAuth1, Row::OAuth2], &offer),
        Ok(answer) => {
            let document = json::read(&answer.response.body);
            let root =
                document.as_ref().map(|document| document.root()).filter(|root| root.has_text("issuer"));
            match root {
                None => {
                    sheet.fail(Row::OAuth1, "no issuer");
                    sheet.skip(Row::OAuth2, "no issuer");
                }
                Some(root) => {
                    let names = ["authorization_endpoint", "token_endpoint", "jwks_uri"];
                    match names.iter().find(|name| !root.has_text(name)) {
                        Some(name) => sheet.warn(Row::OAuth1, format!("no {name}")),
                        None => sheet.pass(Row::OAuth1, ""),
                    }
                    match is_origin(look, root.text("issuer")) {
                        true => sheet.pass(Row::OAuth2, ""),
                        false => sheet.fail(Row::OAuth2, root.text("issuer").unwrap_or_default()),
                    }
                }
            }
        }
    }
    match look.reader.offer(&look.at("/.well-known/oauth-protected-resource"), ANY) {
        Offer::Present(answer) => {
            let (verdict, detail, resource) = protected_resource(&answer);
            sheet.set(Row::OAuth3, verdict, detail);
            match (verdict, is_origin(look, resource.clone())) {
                (Verdict::Fail, _) => sheet.skip(Row::OAuth4, "no resource"),
                (_, true) => sheet.pass(Row::OAuth4, ""),
                (_, false) => sheet.fail(Row::OAuth4, resource.unwrap_or_default()),
            }
        }
        other => skip_offer(sheet, &[Row::OAuth3, Row::OAuth4], &other),
    }
    challenge(look, home, sheet);
}

fn protected_resource(answer: &Answer<'_>) -> (Verdict, &'static str, Option<String>) {
    let document = json::read(&answer.response.body);
    let root = document.as_ref().map(|document| document.root());
    let Some((root, resource)) = root.and_then(|root| Some((root, root.text("resource")?))) else {
        return (Verdict::Fail, "no resource", None);
    };
    let servers = root.list("authorization_servers").unwrap_or_default();
    let are_texts = servers.iter().all(|server| server.kind() == JsonKind::String);
    match !servers.is_empty() && are_texts {
        true => (Verdict::Pass, "", Some(resource)),
        false => (Verdict::Warn, "no authorization_servers", Some(resource)),
    }
}

/// Spec: READY-OAUTH-5.
fn challenge(look: &Look<'_>, home: &Option<Answer<'_>>, sheet: &mut Sheet) {
    let Some(home) = home.as_ref().filter(|home| home.status() == 401) else {
        return sheet.skip(Row::OAuth5, "the page asks for no sign-in");
    };
    let challenges = home.fields("www-authenticate").collect::<Vec<_>>().join(", ");
    let named = crate::pattern!(r#"(?i)(?:^|[\s,])resource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))"#)
        .captures(&challenges);
    let Some(named) = named else {
        return match crate::pattern!(r"(?i)(?:^|,\s*)bearer(?:[\s,]|$)").is_match(&challenges) {
            true => sheet.warn(Row::OAuth5, "Bearer without resource_metadata"),
            false => sheet.skip(Row::OAuth5, "another scheme"),
        };
    };
    let url = named.get(1).or_else(|| named.get(2)).and_then(|url| absolute(url.as_str()));
    let serves = |url: &Url| match look.reader.offer(url, ANY) {
        Offer::Present(answer) => protected_resource(&answer).0 != Verdict::Fail,
        _ => false,
    };
    match url {
        Some(url) if serves(&url) => sheet.pass(Row::OAuth5, url.as_str()),
        Some(url) => sheet.fail(Row::OAuth5, format!("no metadata at {url}")),
        None => sheet.fail(Row::OAuth5, "resource_metadata is no address"),
    }
}

pub(super) fn auth_md(look: &Look<'_>, pages: &[Page<'_>], sheet: &mut Sheet) {
    let answer = match look.reader.offer(&look.at("/auth.md"), "text/markdown, text/plain, */*") {
        Offer::Present(answer) => answer,
        other => return skip_offer(sheet, &[Row::AuthMd1], &other),
    };
    let home = pages.first().and_then(Page::markdown);
    // The home page at every address is no answer to this question, whatever its heading.
    if home.is_some_and(|home| home.text().trim() == answer.text().trim()) {
        return sheet.warn(Row::AuthMd1, "the same text as the page");
    }
    match crate::pattern!(r"(?im)^ {0,3}#[ \t].*auth\.md").is_match(answer.text()) {
        true => sheet.pass(Row::AuthMd1, ""),
        false => sheet.fail(Row::AuthMd1, "no heading `# auth.md`"),
    }
}
