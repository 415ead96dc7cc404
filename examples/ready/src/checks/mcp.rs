//! MCP server card and AI catalogue. Spec: section 8.

use std::collections::BTreeSet;

use tct_canonical_json::{JsonKind, JsonValue};

use super::interfaces::{first_present, skip_offer};
use super::json::{self, Ask as _};
use super::{Look, Sheet};
use crate::exchange::Answer;
use crate::{Row, Verdict};

const CARD_TYPE: &str = "application/mcp-server-card+json";
const CARD_SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

pub(super) fn checks(look: &Look<'_>, sheet: &mut Sheet) {
    let lists_card = catalogue(look, sheet);
    const ROWS: [Row; 5] = [Row::Mcp1, Row::Mcp2, Row::Mcp3, Row::Mcp4, Row::Mcp5];
    let places =
        ["/.well-known/mcp/server-card.json", "/.well-known/mcp/server-cards.json", "/.well-known/mcp.json"];
    let answer = match first_present(look, &places) {
        Ok(answer) => answer,
        Err(offer) => return skip_offer(sheet, &ROWS, &offer),
    };
    let document = json::read(&answer.response.body);
    let root = document.as_ref().map(|document| document.root());
    let card = root.and_then(|root| match root.kind() {
        JsonKind::Array => root.item(0),
        _ => Some(root),
    });
    let verdict = card.map_or(Verdict::Fail, |card| shape(&card));
    match (verdict, card) {
        (Verdict::Fail, _) | (_, None) => {
            sheet.fail(Row::Mcp1, "no card of a known form");
            return sheet.skip_all(ROWS.get(1..).unwrap_or_default(), "no card to read");
        }
        (Verdict::Warn, _) => sheet.warn(Row::Mcp1, "no endpoint, or no capabilities"),
        _ => sheet.pass(Row::Mcp1, ""),
    }
    match card.filter(|card| ["$schema", "remotes", "name"].iter().any(|name| card.get(name).is_some())) {
        None => sheet.skip_all(&[Row::Mcp2, Row::Mcp3, Row::Mcp4], "a card of the earlier form"),
        Some(card) => new_form(&card, &answer, sheet),
    }
    match lists_card {
        true => sheet.pass(Row::Mcp5, ""),
        false => sheet.warn(Row::Mcp5, "the card is not in a catalogue"),
    }
}

/// Spec: READY-MCP-1.
fn shape(card: &JsonValue<'_>) -> Verdict {
    let is_named = |value: &JsonValue<'_>| value.has_text("name") && value.has_text("version");
    let is_old = card.get("serverInfo").is_some_and(|info| is_named(&info));
    let is_new = is_named(card);
    let has_address = |value: &JsonValue<'_>| value.has_text("endpoint") || value.has_text("url");
    let has_endpoint = has_address(card)
        || card.get("transport").is_some_and(|transport| has_address(&transport))
        || members(card.get("transports")).iter().any(has_address)
        || members(card.get("remotes")).iter().any(|remote| remote.has_text("url"));
    let is_whole =
        is_new && card.lists("remotes") || is_old && has_endpoint && card.get("capabilities").is_some();
    match (is_whole, is_old || is_new) {
        (true, _) => Verdict::Pass,
        (false, true) => Verdict::Warn,
        (false, false) => Verdict::Fail,
    }
}

/// The members of a list or of an object.
fn members<'a>(value: Option<JsonValue<'a>>) -> Vec<JsonValue<'a>> {
    value.map_or(Vec::new(), |value| match value.kind() {
        JsonKind::Object => value.members().map(|(_, member)| member).collect(),
        _ => value.items().collect(),
    })
}

/// Spec: SEP-2127; READY-MCP-2 to READY-MCP-4.
fn new_form(card: &JsonValue<'_>, answer: &Answer<'_>, sheet: &mut Sheet) {
    let len = |name| card.text(name).map(|text| text.chars().count());
    let is_name = |name: &str| crate::pattern!(r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$").is_match(name);
    let is_remote = |remote: &JsonValue<'_>| {
        let has_type = matches!(remote.text("type").as_deref(), Some("streamable-http" | "sse"));
        let url = remote.text("url").unwrap_or_default();
        has_type && crate::pattern!(r"^(?:https?://\S|\{[A-Za-z_][A-Za-z0-9_]*\})").is_match(&url)
    };
    let remotes_are_good = match card.get("remotes") {
        None => true,
        Some(remotes) => {
            remotes.kind() == JsonKind::Array && remotes.items().all(|remote| is_remote(&remote))
        }
    };
    let name = card.text("name").unwrap_or_default();
    let rules = [
        ("$schema", card.text("$schema").as_deref() == Some(CARD_SCHEMA)),
        ("name", name.chars().count() <= 200 && is_name(&name)),
        ("version", len("version").is_some_and(|len| len <= 255)),
        ("description", len("description").is_some_and(|len| len <= 100)),
        ("title", card.get("title").is_none() || len("title").is_some_and(|len| len <= 100)),
        ("remotes", remotes_are_good),
    ];
    match rules.iter().find(|(_, holds)| !holds) {
        Some((name, _)) => sheet.fail(Row::Mcp2, format!("`{name}` is missing or wrong")),
        None => sheet.pass(Row::Mcp2, ""),
    }
    match answer.is_type(CARD_TYPE) {
        true => sheet.pass(Row::Mcp3, ""),
        false => sheet.warn(Row::Mcp3, answer.field("content-type").unwrap_or("no type")),
    }
    match answer.field("access-control-allow-origin") {
        Some("*") => sheet.pass(Row::Mcp4, ""),
        _ => sheet.fail(Row::Mcp4, "no `Access-Control-Allow-Origin: *`"),
    }
}

/// The catalogue; whether it lists a server card.
fn catalogue(look: &Look<'_>, sheet: &mut Sheet) -> bool {
    const ROWS: [Row; 4] = [Row::Cat1, Row::Cat2, Row::Cat3, Row::Cat4];
    let answer = match first_present(look, &["/.well-known/ai-catalog.json", "/.well-known/ard.json"]) {
        Ok(answer) => answer,
        Err(offer) => {
            skip_offer(sheet, &ROWS, &offer);
            return false;
        }
    };
    let document = json::read(&answer.response.body);
    let root = document.as_ref().map(|document| document.root());
    let entries = root.filter(|root| root.says("specVersion")).and_then(|root| root.list("entries"));
    let Some(entries) = entries else {
        sheet.fail(Row::Cat1, "no specVersion, or no list `entries`");
        sheet.skip_all(ROWS.get(1..).unwrap_or_default(), "no catalogue to read");
        return false;
    };
    match entries.len() {
        0 => sheet.warn(Row::Cat1, "no entry"),
        len => sheet.pass(Row::Cat1, format!("{len} entries")),
    }
    let verdict = entries.iter().map(entry).max().unwrap_or(Verdict::Pass);
    let detail = match verdict {
        Verdict::Fail => "an entry without identifier, type, or one of url and data",
        Verdict::Warn => "`mediaType` in place of `type`, or no displayName",
        _ => "",
    };
    sheet.set(Row::Cat2, verdict, detail);
    let mut seen = BTreeSet::new();
    let names = entries.iter().filter_map(|entry| Some((entry.text("identifier")?, entry.text("version"))));
    let twice: Vec<_> = names.filter(|name| !seen.insert(name.clone())).collect();
    match twice.first() {
        Some((name, _)) => sheet.fail(Row::Cat3, format!("`{name}` is there twice")),
        None => sheet.pass(Row::Cat3, ""),
    }
    let is_found = |entry: &JsonValue<'_>| {
        let name = entry.text("identifier").unwrap_or_default();
        let questions = entry.list("representativeQueries").map_or(0, |questions| questions.len());
        let is_air = crate::pattern!(
            r"^urn:air:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*:"
        );
        is_air.is_match(&name) && (2..=5).contains(&questions)
    };
    match entries.iter().all(is_found) {
        true => sheet.pass(Row::Cat4, ""),
        false => sheet.warn(Row::Cat4, "an identifier without urn:air, or not two to five questions"),
    }
    entries
        .iter()
        .any(|entry| entry.text("type").or_else(|| entry.text("mediaType")).as_deref() == Some(CARD_TYPE))
}

/// Spec: READY-CAT-2.
fn entry(entry: &JsonValue<'_>) -> Verdict {
    let has_type = entry.has_text("type");
    let has_one = entry.get("url").is_some() != entry.get("data").is_some();
    let is_good = entry.is_object() && entry.has_text("identifier") && has_one;
    match (is_good && (has_type || entry.has_text("mediaType")), has_type && entry.has_text("displayName")) {
        (false, _) => Verdict::Fail,
        (true, false) => Verdict::Warn,
        (true, true) => Verdict::Pass,
    }
}
