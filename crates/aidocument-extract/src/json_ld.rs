//! JSON-LD blocks as one collection by schema.org type.

use aidocument::{Json, JsonKind, JsonValue, StructuredData};

use crate::finding::{ExtractFinding as Finding, ExtractFindingKind as FindingKind};
use crate::tree::{NodeId, Tree};

/// The JSON-LD in a page's scripts.
pub(crate) fn of_page(tree: &Tree, scripts: &[NodeId], findings: &mut Vec<Finding>) -> StructuredData {
    of(scripts.iter().filter_map(|&id| tree.text(id)), findings)
}

/// Reads the blocks of a page. `O(n)`.
pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>, findings: &mut Vec<Finding>) -> StructuredData {
    let mut nodes = Vec::new();
    texts.for_each(|text| add(&mut nodes, findings, text));
    StructuredData::of(nodes)
}

/// Adds the nodes of one block, each under its type.
///
/// Top-level arrays and `@graph` are flattened; a node with several types is listed under its first schema.org type.
/// Nested nodes stay where they are. A block that is not JSON is repaired: control characters in strings are read as
/// spaces. Of repeated member names the last counts. A block that is still not JSON, or nested deeper than 128 levels,
/// is skipped with a finding.
///
/// Spec: AIWI-DOC-16, AIWI-AMB-21.
fn add(nodes: &mut Vec<(String, Json)>, findings: &mut Vec<Finding>, text: &str) {
    let text = unwrap(text);
    if text.is_empty() {
        return;
    }
    let sent = Json::parse_last_of_repeated(text.as_bytes());
    // Line breaks within texts, which JSON does not have, are what most of the broken blocks are broken by.
    let mended =
        || Json::parse_last_of_repeated(text.replace(|c: char| c.is_ascii_control(), " ").as_bytes());
    let Ok(block) = sent.or_else(|_| mended()) else {
        findings.push(Finding::new(FindingKind::BrokenJsonLd));
        return;
    };
    let block = block.read();
    // Nodes that wait, each with whether its context is schema.org's; the next one last.
    let mut waiting = vec![(block.root(), true)];
    while let Some((value, inherited)) = waiting.pop() {
        match value.kind() {
            JsonKind::Array => {
                let start = waiting.len();
                waiting.extend(value.items().map(|value| (value, inherited)));
                if let Some(added) = waiting.get_mut(start..) {
                    added.reverse();
                }
            }
            JsonKind::Object => {
                let schema = value.get("@context").map_or(inherited, is_schema_context);
                if let Some(graph) = value.get("@graph") {
                    waiting.push((graph, schema));
                    continue;
                }
                match value.get("@type").and_then(|types| schema_type(types, schema)) {
                    // A value of a block that was read is never too long.
                    Some(name) => nodes.extend(Json::copy(value).map(|node| (name, node))),
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

/// Whether a context is schema.org's. Works without recursion, because a hostile context may be
/// nested.
fn is_schema_context(context: JsonValue<'_>) -> bool {
    let mut waiting = vec![context];
    while let Some(context) = waiting.pop() {
        match context.kind() {
            JsonKind::String if context.as_str().is_some_and(|iri| strip_host(&iri).is_some()) => {
                return true;
            }
            JsonKind::Array => waiting.extend(context.items()),
            JsonKind::Object => match context.get("@vocab") {
                Some(vocab) => waiting.push(vocab),
                // A context of prefixes alone leaves plain names to the one around it, which is schema.org.
                None => return true,
            },
            _ => {}
        }
    }
    false
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
fn schema_type(types: JsonValue<'_>, schema: bool) -> Option<String> {
    let one = |value: JsonValue<'_>| -> Option<String> {
        let name = value.as_str()?;
        let name = name.trim();
        let name = match strip_host(name).or_else(|| name.strip_prefix("schema:")) {
            Some(name) => name,
            None if schema && !name.contains(':') => name,
            None => return None,
        };
        (!name.is_empty()).then(|| name.to_owned())
    };
    match types.kind() {
        JsonKind::Array => types.items().find_map(one),
        _ => one(types),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_in_strings_are_read_as_spaces() {
        let mut findings = Vec::new();
        let data = of(["{\"@type\":\"Article\",\"name\":\"b\nc\"}"].into_iter(), &mut findings);
        let [article] = &data.nodes("Article")[..] else { panic!("no article") };
        assert_eq!(article.read().root().get("name").and_then(|name| name.as_str()).as_deref(), Some("b c"));
        assert_eq!(findings, []);
    }
}
