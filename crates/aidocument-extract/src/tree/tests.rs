use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use html5ever::ns;

use super::guard;
use super::tokenizer::Scripts;
use super::{NodeData, NodeId, Tag, Tree};

/// The tree in the notation of html5lib's tree-construction tests, with or without the text of scripts and styles.
fn dump(tree: &Tree, scripts: bool) -> String {
    let mut out = String::new();
    for child in tree.children(Tree::ROOT) {
        dump_node(tree, child, 0, scripts, &mut out);
    }
    out
}

fn dump_node(tree: &Tree, id: NodeId, depth: usize, scripts: bool, out: &mut String) {
    let pad = format!("| {}", "  ".repeat(depth));
    match &tree.node(id).data {
        NodeData::Document | NodeData::Fragment => {}
        NodeData::Comment(text) => writeln!(out, "{pad}<!-- {text} -->").unwrap(),
        NodeData::Text(text) => writeln!(out, "{pad}\"{text}\"").unwrap(),
        NodeData::Doctype(parts) => {
            let [name, public, system] = &**parts;
            write!(out, "{pad}<!DOCTYPE {name}").unwrap();
            if !public.is_empty() || !system.is_empty() {
                write!(out, " \"{public}\" \"{system}\"").unwrap();
            }
            out.push_str(">\n");
        }
        NodeData::Element(element) => {
            let space = match element.name.ns {
                ns!(svg) => "svg ",
                ns!(mathml) => "math ",
                _ => "",
            };
            writeln!(out, "{pad}<{space}{}>", element.name.local).unwrap();
            let mut attrs: Vec<String> = element
                .attrs
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
            if !scripts && matches!(element.tag, Tag::Script | Tag::Style) {
                return;
            }
            for child in tree.children(id) {
                dump_node(tree, child, depth + 1, scripts, out);
            }
        }
    }
}

/// html5lib's tests stand beside the repository, if anywhere.
fn corpus(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/html5lib").join(folder);
    if !path.is_dir() {
        println!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

struct Case {
    data: String,
    document: String,
    fragment: bool,
    scripting: Option<bool>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut section = "";
    for line in text.split('\n') {
        if line == "#data" {
            cases.push(Case {
                data: String::new(),
                document: String::new(),
                fragment: false,
                scripting: None,
            });
            section = line;
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        match line {
            "#errors" | "#new-errors" | "#document" => section = line,
            "#document-fragment" => {
                case.fragment = true;
                section = line;
            }
            "#script-on" => case.scripting = Some(true),
            "#script-off" => case.scripting = Some(false),
            line if section == "#data" => {
                case.data.push_str(line);
                case.data.push('\n');
            }
            line if section == "#document" => {
                case.document.push_str(line);
                case.document.push('\n');
            }
            _ => {}
        }
    }
    for case in &mut cases {
        case.data.pop();
        case.document.truncate(case.document.trim_end_matches('\n').len());
        case.document.push('\n');
    }
    cases
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads the corpus beside the repository")]
fn html5lib_tree_construction() {
    let Some(folder) = corpus("tree-construction") else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut run, mut failures) = (0, Vec::new());
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "dat")) {
        for case in cases(&std::fs::read_to_string(file).unwrap()) {
            if case.fragment {
                continue;
            }
            for scripting in [true, false] {
                if case.scripting.is_some_and(|only| only != scripting) {
                    continue;
                }
                run += 1;
                let kept = guard::parse(&case.data, scripting, Scripts::Kept);
                let skipped = guard::parse(&case.data, scripting, Scripts::Skipped);
                assert_eq!(dump(&skipped, false), dump(&kept, false), "{}", case.data);
                let found = dump(&kept, true);
                if found != case.document {
                    failures.push(format!(
                        "{} (scripting {scripting})\n{}\nexpected\n{}found\n{found}",
                        file.display(),
                        case.data,
                        case.document
                    ));
                }
            }
        }
    }
    println!("{run} html5lib cases");
    assert!(failures.is_empty(), "{} of {run} failed\n{}", failures.len(), failures.join("\n"));
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
