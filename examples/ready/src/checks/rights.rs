//! Licences and keys. Spec: section 7.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tct_canonical_json::JsonValue;
use url::Url;

use super::discovery::RobotsTxt;
use super::json::{self, Ask as _};
use super::{Look, Sheet};
use crate::exchange::{ANY, Answer, Offer, absolute};
use crate::{Row, xml};

/// A `<link>` element of a page.
pub(super) struct LinkElement {
    rel: String,
    pub(super) media_type: String,
    pub(super) target: Option<Url>,
}

impl LinkElement {
    pub(super) fn has_rel(&self, rel: &str) -> bool {
        self.rel.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(rel))
    }
}

pub(super) fn link_elements(page: &Answer<'_>) -> Vec<LinkElement> {
    if !page.is_html() {
        return Vec::new();
    }
    let tree = page.tree();
    let base = tree.base(&page.url);
    let links = tree.find(tree.within(None), |element| element.name == "link");
    let read = links.map(|(_, link)| {
        let text = |name| link.attribute(name).unwrap_or_default().trim().to_owned();
        let target = link.attribute("href").and_then(|href| base.join(href).ok());
        LinkElement { rel: text("rel"), media_type: text("type"), target }
    });
    read.collect()
}

pub(super) fn licences(look: &Look<'_>, robots: &RobotsTxt, home: &Option<Answer<'_>>, sheet: &mut Sheet) {
    match robots.licences.iter().find(|value| absolute(value).is_none()) {
        _ if robots.licences.is_empty() => sheet.skip(Row::Rsl1, "no License line"),
        Some(value) => sheet.warn(Row::Rsl1, format!("`{value}` is not a full address")),
        None => sheet.pass(Row::Rsl1, ""),
    }
    let is_rsl = |media_type: &str| {
        media_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/rsl+xml")
    };
    let mut of_page: BTreeSet<Url> = BTreeSet::new();
    let mut relative = None;
    let mut unread = None;
    if let Some(home) = home {
        for link in home.link_fields() {
            if link.has_rel("license") && link.media_type.as_deref().is_some_and(is_rsl) {
                if absolute(link.target).is_none() {
                    relative = Some(link.target.to_owned());
                }
                of_page.extend(link.resolve(&home.url));
            }
        }
        for link in
            link_elements(home).into_iter().filter(|link| link.has_rel("license") && is_rsl(&link.media_type))
        {
            match link.target.filter(|url| matches!(url.scheme(), "http" | "https")) {
                Some(url) => drop(of_page.insert(url)),
                None => unread = Some("a <link> without an address".to_owned()),
            }
        }
    }
    match relative.map(|target| format!("`{target}` is not a full address")).or(unread) {
        Some(detail) => sheet.warn(Row::Rsl2, detail),
        None if of_page.is_empty() => sheet.skip(Row::Rsl2, "no licence with the page"),
        None => sheet.pass(Row::Rsl2, ""),
    }
    let of_robots: BTreeSet<Url> = robots.licences.iter().filter_map(|value| absolute(value)).collect();
    let all: BTreeSet<&Url> = of_robots.union(&of_page).collect();
    let is_licence = |url: &Url| {
        let answer = look.reader.get(url).filter(|answer| answer.status() == 200);
        answer.is_some_and(|answer| xml::has_root(answer.text(), "https://rslstandard.org/rsl", "rsl"))
    };
    let missing: Vec<_> = all.iter().filter(|url| !is_licence(url)).collect();
    match (all.is_empty(), missing.first()) {
        (true, _) => sheet.skip(Row::Rsl3, "no licence is named"),
        (_, Some(url)) => sheet.fail(Row::Rsl3, format!("{url} is no RSL document")),
        _ => sheet.pass(Row::Rsl3, ""),
    }
    match (of_robots.is_empty(), of_page.is_empty(), of_page.is_subset(&of_robots)) {
        (true, true, _) => sheet.skip(Row::Rsl4, "no licence is named"),
        (false, false, false) => sheet.warn(Row::Rsl4, "robots.txt and the page name different documents"),
        _ => sheet.pass(Row::Rsl4, ""),
    }
}

pub(super) fn keys(look: &Look<'_>, sheet: &mut Sheet) {
    let url = look.at("/.well-known/http-message-signatures-directory");
    let rest = [Row::Wba2, Row::Wba3];
    let answer = match look.reader.offer(&url, ANY) {
        Offer::Present(answer) => answer,
        other => return super::interfaces::skip_offer(sheet, &[Row::Wba1, Row::Wba2, Row::Wba3], &other),
    };
    let document = json::read(&answer.response.body);
    let keys = document.as_ref().and_then(|document| document.root().list("keys"));
    let Some(keys) = keys.filter(|keys| !keys.is_empty()) else {
        sheet.fail(Row::Wba1, "no list `keys`, or an empty one");
        return sheet.skip_all(&rest, "no keys to read");
    };
    sheet.pass(Row::Wba1, format!("{} keys", keys.len()));
    match answer.is_type("application/http-message-signatures-directory+json") {
        true => sheet.pass(Row::Wba2, ""),
        false => sheet.fail(Row::Wba2, answer.field("content-type").unwrap_or("no type")),
    }
    match (keys.iter().any(|key| key.get("d").is_some()), keys.iter().any(is_usable)) {
        (true, _) => sheet.fail(Row::Wba3, "a private key"),
        (_, false) => sheet.fail(Row::Wba3, "no key that can be used"),
        _ => sheet.pass(Row::Wba3, ""),
    }
}

/// A public key of a known kind, with its numbers in base64url.
fn is_usable(key: &JsonValue<'_>) -> bool {
    let len = |name| Some(URL_SAFE_NO_PAD.decode(key.text(name)?).ok()?.len());
    let (kind, curve) = (key.text("kty").unwrap_or_default(), key.text("crv").unwrap_or_default());
    match (kind.as_str(), curve.as_str()) {
        ("OKP", "Ed25519") => len("x") == Some(32),
        ("OKP", "Ed448") => len("x") == Some(57),
        ("EC", "P-256") => (len("x"), len("y")) == (Some(32), Some(32)),
        ("EC", "P-384") => (len("x"), len("y")) == (Some(48), Some(48)),
        ("EC", "P-521") => (len("x"), len("y")) == (Some(66), Some(66)),
        ("RSA", _) => len("n").is_some_and(|len| len >= 128) && len("e").is_some(),
        _ => false,
    }
}
