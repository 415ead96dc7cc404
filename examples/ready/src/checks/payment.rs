//! Prices and shops. Spec: section 9.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tct_canonical_json::JsonValue;

use super::agents::{first_402, is_number};
use super::interfaces::skip_offer;
use super::json::{self, Ask as _};
use super::{Look, Sheet};
use crate::Row;
use crate::exchange::{ANY, Answer, Offer, absolute};

pub(super) fn checks(look: &Look<'_>, sheet: &mut Sheet) {
    match first_402(look) {
        None => sheet.skip(Row::Pay1, "nothing has a price"),
        Some(answer) if is_x402(&answer) => sheet.pass(Row::Pay1, answer.url.as_str()),
        Some(_) => sheet.warn(Row::Pay1, "a price of another scheme"),
    }
    document(look, Row::Pay2, "/.well-known/acp.json", sheet, |root| {
        let protocol = root.get("protocol");
        let names_acp = protocol.is_some_and(|protocol| {
            protocol.text("name").as_deref() == Some("acp") && protocol.has_text("version")
        });
        let has_base = root.text("api_base_url").is_some_and(|url| absolute(&url).is_some());
        let has_services = root.get("capabilities").is_some_and(|value| value.lists("services"));
        Some(names_acp && has_base && root.lists("transports") && has_services)
    });
    document(look, Row::Pay3, "/.well-known/ucp", sheet, |root| {
        let names = ["protocol_version", "services", "capabilities", "endpoints"];
        Some(names.iter().all(|name| root.get(name).is_some()))
    });
    document(look, Row::Pay4, "/openapi.json", sheet, |root| {
        let paths = root.get("paths")?;
        // OpenAPI 3.2 names these; other members of a path are its parameters, servers and extensions.
        let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
        let operations =
            paths.members().flat_map(|(_, path)| methods.iter().filter_map(move |name| path.get(name)));
        let prices: Vec<JsonValue<'_>> =
            operations.filter_map(|operation| operation.get("x-payment-info")).collect();
        let is_whole = |price: &JsonValue<'_>| {
            matches!(price.text("intent").as_deref(), Some("charge" | "session"))
                && price.has_text("method")
                && price.get("amount").is_some()
        };
        if prices.is_empty() { None } else { Some(prices.iter().any(is_whole)) }
    });
}

/// A document that is complete, incomplete, or about another subject.
fn document(
    look: &Look<'_>,
    row: Row,
    path: &str,
    sheet: &mut Sheet,
    is_whole: impl Fn(JsonValue<'_>) -> Option<bool>,
) {
    let answer = match look.reader.offer(&look.at(path), ANY) {
        Offer::Present(answer) => answer,
        other => return skip_offer(sheet, &[row], &other),
    };
    let document = json::read(&answer.response.body);
    let root = document.as_ref().map(|document| document.root()).filter(super::json::Ask::is_object);
    match root.map(is_whole) {
        None => sheet.fail(row, "no JSON object"),
        Some(None) => sheet.skip(row, "no such member"),
        Some(Some(true)) => sheet.pass(row, ""),
        Some(Some(false)) => sheet.fail(row, "members are missing"),
    }
}

/// Spec: x402 version 2 and version 1; READY-PAY-1.
fn is_x402(answer: &Answer<'_>) -> bool {
    let version = |root: &JsonValue<'_>, version: f64| {
        root.get("x402Version").and_then(|found| found.as_f64()) == Some(version)
    };
    let field =
        answer.field("payment-required").and_then(|field| STANDARD.decode(field).ok()).unwrap_or_default();
    let is_price = |price: &JsonValue<'_>| {
        ["scheme", "network", "amount", "asset", "payTo"].iter().all(|name| price.has_text(name))
            && is_number(price.get("maxTimeoutSeconds"))
    };
    let is_second = json::read(&field).is_some_and(|document| {
        let root = document.root();
        let accepts = root.list("accepts").unwrap_or_default();
        version(&root, 2.0)
            && root.get("resource").is_some_and(|resource| resource.has_text("url"))
            && !accepts.is_empty()
            && accepts.iter().all(is_price)
    });
    let is_first = json::read(&answer.response.body).is_some_and(|document| {
        let root = document.root();
        version(&root, 1.0) && root.lists("accepts")
    });
    is_second || is_first
}
