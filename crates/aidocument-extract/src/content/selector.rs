//! A small part of CSS selectors: enough to point at the element that holds the content.

use super::marked;
use crate::tree::{NodeId, Tree};

/// Alternatives such as `main, #content, div.post[lang=en]`; no combinators.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Selector<'a> {
    alternatives: Vec<Vec<Part<'a>>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Name(&'a str),
    Id(&'a str),
    Class(&'a str),
    Attribute(&'a str, Option<&'a str>),
}

impl<'a> Selector<'a> {
    /// `None` where the text is no such selector.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let alternatives =
            text.split(',').map(|one| parse_compound(one.trim())).collect::<Option<Vec<_>>>()?;
        Some(Selector { alternatives })
    }

    /// For each node, whether it is in a matching element.
    pub(crate) fn mark(&self, tree: &Tree) -> Vec<bool> {
        marked(tree, |id| self.matches(tree, id))
    }

    fn matches(&self, tree: &Tree, id: NodeId) -> bool {
        self.alternatives.iter().any(|parts| {
            parts.iter().all(|part| match part {
                Part::Name(name) => *name == "*" || tree.name(id).eq_ignore_ascii_case(name),
                Part::Id(value) => tree.attr(id, "id") == Some(value),
                Part::Class(class) => tree
                    .attr(id, "class")
                    .is_some_and(|value| value.split_ascii_whitespace().any(|one| one == *class)),
                Part::Attribute(name, value) => {
                    tree.attr(id, name).is_some_and(|found| value.is_none_or(|value| value == found))
                }
            })
        })
    }
}

fn parse_compound(text: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '[' {
            let (inner, after) = rest.get(1..)?.split_once(']')?;
            parts.push(match inner.split_once('=') {
                None => Part::Attribute(name(inner.trim())?, None),
                Some((key, value)) => {
                    Part::Attribute(name(key.trim())?, Some(value.trim().trim_matches(['"', '\''])))
                }
            });
            rest = after;
            continue;
        }
        let start = usize::from(matches!(first, '#' | '.'));
        let end = rest.get(start..)?.find(['#', '.', '[']).map_or(rest.len(), |at| at + start);
        let word = name(rest.get(start..end)?)?;
        parts.push(match first {
            '#' => Part::Id(word),
            '.' => Part::Class(word),
            _ if parts.is_empty() => Part::Name(word),
            _ => return None,
        });
        rest = rest.get(end..)?;
    }
    (!parts.is_empty()).then_some(parts)
}

fn name(word: &str) -> Option<&str> {
    let valid = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '*' | ':');
    (!word.is_empty() && word.chars().all(valid)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_compounds_and_refuses_the_rest() {
        let parts = Selector::parse("div#a.b[role=main], main").unwrap().alternatives;
        assert_eq!(
            parts[0],
            [Part::Name("div"), Part::Id("a"), Part::Class("b"), Part::Attribute("role", Some("main"))]
        );
        assert_eq!(parts[1], [Part::Name("main")]);
        for bad in ["", "a b", "a > b", ",", "..", "[x", "a:not(.b)"] {
            assert_eq!(Selector::parse(bad), None, "{bad}");
        }
    }
}
