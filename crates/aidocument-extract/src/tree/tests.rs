use std::fmt::Write as _;

use html5ever::ns;

use super::guard;
use super::tokenizer::Scripts;
use super::{NodeData, NodeId, Tag, Tree};

/// The tree in the notation of html5lib's tree-construction tests, with or without the text of scripts and styles.
pub(super) fn dump(tree: &Tree, scripts: bool) -> String {
    let mut out = String::new();
    for child in tree.children(Tree::ROOT) {
        dump_node(tree, child, 0, scripts, &mut out);
    }
    out
}

fn dump_node(tree: &Tree, id: NodeId, depth: usize, scripts: bool, out: &mut String) {
    let pad = format!("| {}", "  ".repeat(depth));
    let text = |place: u32| &*tree.texts[place as usize];
    match tree.node(id).data {
        NodeData::Document | NodeData::Fragment => {}
        NodeData::Comment(place) => writeln!(out, "{pad}<!-- {} -->", text(place)).unwrap(),
        NodeData::Text(place) => writeln!(out, "{pad}\"{}\"", text(place)).unwrap(),
        NodeData::Doctype(place) => {
            let [name, public, system] = [0, 1, 2].map(|part| text(place + part));
            write!(out, "{pad}<!DOCTYPE {name}").unwrap();
            if !public.is_empty() || !system.is_empty() {
                write!(out, " \"{public}\" \"{system}\"").unwrap();
            }
            out.push_str(">\n");
        }
        NodeData::Element { tag, .. } => {
            let element = tree.element(id).unwrap();
            let space = match element.name.ns {
                ns!(svg) => "svg ",
                ns!(mathml) => "math ",
                _ => "",
            };
            writeln!(out, "{pad}<{space}{}>", element.name.local).unwrap();
            let mut attrs: Vec<String> = tree
                .attributes_of(element)
                .iter()
                .map(|attr| {
                    let space = match attr.name.ns {
                        ns!(xlink) => "xlink ",
                        ns!(xml) => "xml ",
                        ns!(xmlns) => "xmlns ",
                        _ => "",
                    };
                    format!("{pad}  {space}{}=\"{}\"\n", attr.name.local, attr.value)
                })
                .collect();
            attrs.sort();
            out.extend(attrs);
            if let Some(content) = element.template {
                writeln!(out, "{pad}  content").unwrap();
                for child in tree.children(content) {
                    dump_node(tree, child, depth + 2, scripts, out);
                }
            }
            if !scripts && matches!(tag, Tag::Script | Tag::Style) {
                return;
            }
            for child in tree.children(id) {
                dump_node(tree, child, depth + 1, scripts, out);
            }
        }
    }
}

#[test]
fn scripts_are_skipped_only_where_the_tokenizer_reads_them() {
    for html in [
        "<p>a<script>x</script>b<style>y</STYLE >c",
        "<script>'</p>'</scripts></script\n>a",
        "<script>never closed </scrip",
        "<script><!-- <script> </script> --></script>a",
        "<!-- <script> --><p>a<script>b</script>c",
        "<a title='<script>'>a</a><b title='x<style>y'>c",
        "<script data-x='a>b'>if (a<b) c</script>d",
        "<svg><script>a<p>b</script><style>c</style></svg>d",
        "<textarea><script>a</script></textarea>b<title><style></title>c",
        "<noscript><style>a</style>b</noscript>c<template><script>d</script></template>e",
        "<SCRIPT>a</sCript>b<scripty>c</scripty><style/>d</style>e",
        "<plaintext><script>a</script>",
    ] {
        for scripting in [true, false] {
            let kept = guard::parse(html, scripting, Scripts::Kept);
            let skipped = guard::parse(html, scripting, Scripts::Skipped);
            assert_eq!(dump(&skipped, false), dump(&kept, false), "{html}");
        }
    }
    let data = "<script type=' Application/LD+json '>{}</script>";
    assert_eq!(
        dump(&guard::parse(data, true, Scripts::Skipped), true),
        dump(&guard::parse(data, true, Scripts::Kept), true)
    );
}
