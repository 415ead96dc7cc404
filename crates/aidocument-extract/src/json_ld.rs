//! JSON-LD blocks as one collection by schema.org type.

use aidocument::StructuredData;
use serde_json::Value;

use crate::finding::{Finding, FindingKind};

/// Adds the nodes of one block.
///
/// Top-level arrays and `@graph` are flattened; a node with several types is filed under its first of schema.org.
/// Nodes inside others stay there. What is no JSON, or nested deeper than 128 levels, is skipped with a finding.
///
/// Spec: AIWI-DOC-16, AIWI-AMB-21.
pub(crate) fn add(data: &mut StructuredData, findings: &mut Vec<Finding>, text: &str) {
    let text = unwrap(text);
    if text.is_empty() {
        return;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        findings.push(Finding::new(FindingKind::BrokenJsonLd));
        return;
    };
    // Nodes that wait, each with whether its context is schema.org's; the next one last.
    let mut waiting = vec![(value, true)];
    while let Some((value, inherited)) = waiting.pop() {
        match value {
            Value::Array(values) => waiting.extend(values.into_iter().rev().map(|value| (value, inherited))),
            Value::Object(mut node) => {
                let schema = node.get("@context").map_or(inherited, is_schema_context);
                if let Some(graph) = node.remove("@graph") {
                    waiting.push((graph, schema));
                    continue;
                }
                match node.get("@type").and_then(|types| schema_type(types, schema)) {
                    Some(name) => data.push(name, Value::Object(node)),
                    None => findings.push(Finding::new(FindingKind::UntypedJsonLd)),
                }
            }
            _ => findings.push(Finding::new(FindingKind::UntypedJsonLd)),
        }
    }
}

/// The JSON without the comment marks that old browsers needed around scripts.
fn unwrap(text: &str) -> &str {
    let mut text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    for (open, close) in
        [("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"), ("<![CDATA[", "]]>")]
    {
        if let Some(inner) = text.strip_prefix(open).and_then(|inner| inner.strip_suffix(close)) {
            text = inner.trim();
        }
    }
    text
}

fn is_schema_context(context: &Value) -> bool {
    match context {
        Value::String(iri) => strip_host(iri).is_some(),
        Value::Array(all) => all.iter().any(is_schema_context),
        Value::Object(terms) => match terms.get("@vocab") {
            Some(vocab) => is_schema_context(vocab),
            // A context of prefixes alone leaves plain names to the one around it, which is schema.org.
            None => true,
        },
        _ => false,
    }
}

/// What follows schema.org's address in an IRI.
fn strip_host(iri: &str) -> Option<&str> {
    let rest = iri.strip_prefix("https://").or_else(|| iri.strip_prefix("http://"))?;
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let rest =
        rest.get(..10).filter(|host| host.eq_ignore_ascii_case("schema.org")).and_then(|_| rest.get(10..))?;
    match rest.strip_prefix('/') {
        Some(name) => Some(name),
        None => rest.is_empty().then_some(""),
    }
}

/// The first of the types that is one of schema.org, without its address or prefix.
fn schema_type(types: &Value, schema: bool) -> Option<String> {
    let one = |value: &Value| -> Option<String> {
        let name = value.as_str()?.trim();
        let name = match strip_host(name).or_else(|| name.strip_prefix("schema:")) {
            Some(name) => name,
            None if schema && !name.contains(':') => name,
            None => return None,
        };
        (!name.is_empty()).then(|| name.to_owned())
    };
    match types {
        Value::Array(all) => all.iter().find_map(one),
        value => one(value),
    }
}
