//! The crate's modules stand on floors: each uses only modules of lower ones, so that no import climbs and none goes in a circle.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The floors, from the ground up.
const FLOORS: &[&[&str]] = &[
    &["letters", "named", "outline", "recent", "rules"],
    &["pairs", "words"],
    // The page as text and as a tree.
    &["encoding", "tree"],
    &["selector"],
    // What single elements are.
    &["address", "caption", "embed", "finding", "image", "structure"],
    &["carried", "clues", "json_ld", "source"],
    &["visibility"],
    // Facts of the page.
    &["code", "options", "page"],
    // Which parts are content; then how they are written, with metadata beside.
    &["content"],
    &["markdown", "meta", "shell"],
    &["html", "serialize"],
    // All of it in order, and what callers see.
    &["pipeline"],
    &["extractor"],
    &["detected", "document"],
];

/// The source of a module, its inner modules with it, without tests and comments.
#[expect(clippy::disallowed_methods, reason = "the test reads the crate's source")]
#[expect(clippy::unwrap_used, reason = "a source that cannot be read fails the test")]
fn read(path: &Path, out: &mut String) {
    if path.is_dir() {
        let mut inner: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        inner.sort();
        inner.iter().for_each(|path| read(path, out));
        return;
    }
    let is_code = path.extension().is_some_and(|end| end == "rs");
    if is_code && !path.to_string_lossy().ends_with("tests.rs") {
        let source = fs::read_to_string(path).unwrap();
        let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
        source.lines().filter(|line| !line.trim().starts_with("//")).for_each(|line| {
            out.push_str(line);
            out.push('\n');
        });
    }
}

/// The modules that a source names behind `crate::`.
fn named(source: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut found = Vec::new();
    for behind in source.split("crate::").skip(1) {
        match behind.strip_prefix('{').and_then(|list| list.split_once("};")) {
            Some((list, _)) => found.extend(list.split(',').map(word)),
            None => found.push(word(behind)),
        }
    }
    found
}

#[test]
fn no_module_uses_one_above_it() {
    let floor_of: BTreeMap<&str, usize> = FLOORS
        .iter()
        .enumerate()
        .flat_map(|(floor, names)| names.iter().map(move |name| (*name, floor)))
        .collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut edges = 0;
    for (&name, &floor) in &floor_of {
        let mut text = String::new();
        let file = source.join(format!("{name}.rs"));
        if file.exists() {
            read(&file, &mut text);
        }
        if source.join(name).is_dir() {
            read(&source.join(name), &mut text);
        }
        assert!(!text.is_empty(), "{name}: no such module");
        for used in named(&text).iter().filter(|used| *used != name) {
            if let Some(below) = floor_of.get(used.as_str()) {
                assert!(*below < floor, "{name} uses {used}, which is not below it");
                edges += 1;
            }
        }
    }
    assert!(edges > 100, "{edges} imports are not all");
    // A new module needs a floor.
    for entry in fs::read_dir(&source).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_apart = ["lib", "training", "html5lib_tests"].contains(&name.as_str());
        assert!(is_apart || floor_of.contains_key(name.as_str()), "{name} has no floor");
    }
}
