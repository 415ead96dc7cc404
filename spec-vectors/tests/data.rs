//! The files on disk, the list in `src/lib.rs` and the published shape agree.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_file_is_listed_and_reads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut on_disk = BTreeSet::new();
    let others = ["examples", "requirements", "schema", "src", "target", "tests"];
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
