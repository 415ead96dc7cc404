//! The files on disk, the list in `src/lib.rs` and the published shape agree.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_file_is_listed_and_reads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut on_disk = BTreeSet::new();
    let others = ["examples", "requirements", "schema", "src", "stories", "target", "tests"];
    for folder in std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap()) {
        let folder = folder.file_name().into_string().unwrap();
        if others.contains(&folder.as_str()) {
            continue;
        }
        let Ok(entries) = std::fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "json") {
                on_disk.insert(format!("{folder}/{}", path.file_stem().unwrap().to_str().unwrap()));
            }
        }
    }
    let listed: Vec<_> = spec_vectors::names().map(str::to_owned).collect();
    assert!(listed.is_sorted(), "the list in src/lib.rs is sorted");
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), on_disk);
    for name in &listed {
        let set: spec_vectors::Set = serde_json::from_str(spec_vectors::text(name).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(Some(set.topic.as_str()), name.split('/').nth(1), "{name}");
    }
}

#[test]
fn ids_are_unique_and_cases_name_an_operation() {
    let mut seen = BTreeSet::new();
    for (name, set) in spec_vectors::all() {
        for case in &set.cases {
            assert!(seen.insert(case.id.clone()), "{name}: id {} stands twice", case.id);
            assert!(!case.op_in(&set).is_empty(), "{name}: {} names no operation", case.id);
            assert!(!case.requirements.is_empty(), "{name}: {} names no requirement", case.id);
        }
    }
}

#[test]
fn every_case_says_what_it_is_about_and_what_it_rests_on() {
    let mut silent = Vec::new();
    for name in spec_vectors::names() {
        let file: serde_json::Value = serde_json::from_str(spec_vectors::text(name).unwrap()).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let comment = case["comment"].as_str().unwrap_or_default();
            if comment.trim().is_empty() || !case["basis"].is_string() {
                silent.push(format!("{name} {}", case["id"]));
            }
        }
    }
    assert!(silent.is_empty(), "{} cases lack `comment` or `basis`:\n{}", silent.len(), silent.join("\n"));
}

#[test]
fn every_story_file_is_listed_and_every_id_is_its_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("stories");
    let on_disk: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let listed: BTreeSet<String> = spec_vectors::stories().map(|set| set.topic).collect();
    assert_eq!(listed, on_disk);
    let known: BTreeSet<String> =
        spec_vectors::catalogues().flat_map(|file| file.requirements).map(|row| row.id).collect();
    let mut seen: BTreeSet<String> =
        spec_vectors::all().flat_map(|(_, set)| set.cases).map(|case| case.id).collect();
    for story in spec_vectors::stories().flat_map(|set| set.stories) {
        assert!(seen.insert(story.id.clone()), "{} stands twice", story.id);
        let unknown: Vec<_> = story.requirements.iter().filter(|id| !known.contains(*id)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", story.id);
    }
}
