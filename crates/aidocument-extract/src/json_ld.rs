//! JSON-LD blocks as one collection by schema.org type.

use aidocument::{Json, JsonKind, JsonValue, StructuredData};

use crate::finding::{ExtractFinding as Finding, ExtractFindingKind as FindingKind};
use crate::tree::{NodeId, Tree};

/// The JSON-LD of a page.
#[derive(Debug, Default)]
pub(crate) struct LinkedData {
    /// All of it.
    pub(crate) all: StructuredData,
    /// The blocks that are valid JSON as sent, if others were repaired.
    as_sent: Option<StructuredData>,
}

impl LinkedData {
    /// Reads the blocks of a page. `O(n)`.
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>, findings: &mut Vec<Finding>) -> LinkedData {
        let (mut nodes, mut as_sent, mut any_mended) = (Vec::new(), Vec::new(), false);
        for text in texts {
            let start = nodes.len();
            let is_mended = add(&mut nodes, findings, text);
            if is_mended && !any_mended {
                as_sent.extend(nodes.iter().take(start).cloned());
                any_mended = true;
            } else if any_mended && !is_mended {
                as_sent.extend(nodes.iter().skip(start).cloned());
            }
        }
        LinkedData {
            all: StructuredData::of(nodes),
            as_sent: any_mended.then(|| StructuredData::of(as_sent)),
        }
    }

    /// The data for the content model, which was trained without repaired blocks.
    pub(crate) fn for_model(&self) -> &StructuredData {
        self.as_sent.as_ref().unwrap_or(&self.all)
    }
}

/// Adds the nodes of one block, each under its type; returns true if the block was repaired.
///
/// Top-level arrays and `@graph` are flattened; a node with several types is listed under its first schema.org type.
/// Nested nodes stay where they are. A block that is not JSON is repaired: control characters in strings are read as
/// spaces. Of repeated member names the last counts. A block that is still not JSON, or nested deeper than 128 levels,
/// is skipped with a finding.
///
/// Spec: AIWI-DOC-16, AIWI-AMB-21.
fn add(nodes: &mut Vec<(String, Json)>, findings: &mut Vec<Finding>, text: &str) -> bool {
    let text = unwrap(text);
    if text.is_empty() {
        return false;
    }
    let sent = Json::parse_last_of_repeated(text.as_bytes());
    let is_mended = sent.is_err();
    // Line breaks within texts, which JSON does not have, are what most of the broken blocks are broken by.
    let mended =
        || Json::parse_last_of_repeated(text.replace(|c: char| c.is_ascii_control(), " ").as_bytes());
    let Ok(block) = sent.or_else(|_| mended()) else {
        findings.push(Finding::new(FindingKind::BrokenJsonLd));
        return false;
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
                    Some(name) => nodes.push((name, Json::copy(value))),
                    None => findings.push(Finding::new(FindingKind::UntypedJsonLd)),
                }
            }
            _ => findings.push(Finding::new(FindingKind::UntypedJsonLd)),
        }
    }
    is_mended
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
        let is_one = match context.kind() {
            JsonKind::String => context.as_str().is_some_and(|iri| strip_host(&iri).is_some()),
            JsonKind::Array => {
                waiting.extend(context.items());
                false
            }
            JsonKind::Object => match context.get("@vocab") {
                Some(vocab) => {
                    waiting.push(vocab);
                    false
                }
                // A context of prefixes alone leaves plain names to the one around it, which is schema.org.
                None => true,
            },
            _ => false,
        };
        if is_one {
            return true;
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

/// The JSON-LD of a page's scripts.
pub(crate) fn of_page(tree: &Tree, scripts: &[NodeId], findings: &mut Vec<Finding>) -> LinkedData {
    LinkedData::of(scripts.iter().map(|&id| tree.text(id).unwrap_or_default()), findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mended_is_reported_and_kept_from_the_model() {
        let sent = r#"{"@type":"Article","name":"a"}"#;
        let broken = "{\"@type\":\"Article\",\"name\":\"b\nc\"}";
        let read = |texts: &[&str]| {
            let mut findings = Vec::new();
            let linked = LinkedData::of(texts.iter().copied(), &mut findings);
            assert_eq!(findings, []);
            let names = |data: &StructuredData| -> Vec<String> {
                let nodes = data.nodes("Article").into_iter().map(|node| {
                    let node = node.read();
                    node.root().get("name").and_then(|name| name.as_str()).unwrap_or_default().into_owned()
                });
                nodes.collect()
            };
            (names(&linked.all), names(linked.for_model()))
        };
        let of = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        assert_eq!(read(&[sent]), (of(&["a"]), of(&["a"])));
        assert_eq!(read(&[broken]), (of(&["b c"]), of(&[])));
        assert_eq!(read(&[sent, broken, sent]), (of(&["a", "b c", "a"]), of(&["a", "a"])));
        assert_eq!(read(&[broken, sent, broken]), (of(&["b c", "a", "b c"]), of(&["a"])));
    }
}
