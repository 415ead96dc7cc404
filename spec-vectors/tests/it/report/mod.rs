//! Where each requirement is implemented and what tests it, read from the sources beside this folder.
//!
//! An ID counts as implemented where a doc comment names it, as tested where a vector names it or a test function
//! carries it in `#[covers("…")]`. In a comment of a test an ID is a fault, since a comment asserts nothing.
//! `AIWI-DOC-8, -9` and `AIWI-DOC-17 to AIWI-DOC-24` in a doc comment name every ID that they stand for.

#![allow(dead_code, reason = "the example writes the pages, the test asks the evidence")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a tool for this repository's own files")]
#![allow(clippy::disallowed_methods, reason = "it reads this repository's files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use spec_vectors::{Level, Requirement, Status};

/// What names a requirement.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// ID to items, each `crate::module::item` with its path from the repository's root.
    items: BTreeMap<String, BTreeSet<(String, String)>>,
    /// ID to test functions, each its file from the repository's root and its name.
    tests: BTreeMap<String, BTreeSet<(String, String)>>,
    /// Lines of tests that name a requirement where it does not count, each with its place.
    faults: Vec<String>,
    /// ID to vector sets with the number of cases.
    vectors: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Evidence {
    /// Reads all vectors and all sources of the workspace.
    pub(crate) fn collect() -> Self {
        let mut evidence = Evidence::default();
        for (name, set) in spec_vectors::all() {
            for case in &set.cases {
                for id in &case.requirements {
                    *evidence.vectors.entry(id.clone()).or_default().entry(name.to_owned()).or_default() += 1;
                }
            }
        }
        for set in spec_vectors::stories() {
            for id in set.stories.iter().flat_map(|story| &story.requirements) {
                let name = format!("stories/{}", set.topic);
                *evidence.vectors.entry(id.clone()).or_default().entry(name).or_default() += 1;
            }
        }
        let root = root();
        let mut files = Vec::new();
        for folder in ["crates", "examples"] {
            rust_files(&root.join(folder), &mut files);
        }
        files.sort();
        for file in files {
            let path = file.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            evidence.read(&path, &std::fs::read_to_string(&file).unwrap_or_default());
        }
        evidence
    }

    fn read(&mut self, path: &str, text: &str) {
        let in_tests = path.contains("/tests/") || path.ends_with("/tests.rs");
        let tests_begin = if in_tests {
            0
        } else {
            text.lines().position(|line| line.trim_start().starts_with("#[cfg(test)]")).unwrap_or(usize::MAX)
        };
        self.read_items(path, text.lines().take(tests_begin));
        self.read_tests(path, text.lines().enumerate().skip(tests_begin));
    }

    /// Doc comments of library code: what is implemented where.
    fn read_items<'a>(&mut self, path: &str, lines: impl Iterator<Item = &'a str>) {
        let mut pending = BTreeSet::new();
        for line in lines {
            let trimmed = line.trim_start();
            if trimmed.starts_with("//!") {
                let module = (module_of(path), path.to_owned());
                for id in ids(trimmed) {
                    self.items.entry(id).or_default().insert(module.clone());
                }
            } else if trimmed.starts_with("//") {
                pending.extend(ids(trimmed));
            } else {
                let inline = ids(line);
                if let Some(name) = item_name(trimmed) {
                    let item = (format!("{}::{name}", module_of(path)), path.to_owned());
                    for id in std::mem::take(&mut pending).into_iter().chain(inline) {
                        self.items.entry(id).or_default().insert(item.clone());
                    }
                } else if !trimmed.starts_with('#') {
                    let module = (module_of(path), path.to_owned());
                    for id in std::mem::take(&mut pending).into_iter().chain(inline) {
                        self.items.entry(id).or_default().insert(module.clone());
                    }
                }
            }
        }
    }

    /// Attributes of test functions: what is tested where.
    fn read_tests<'a>(&mut self, path: &str, lines: impl Iterator<Item = (usize, &'a str)>) {
        // The IDs of the attribute above, whether it is still open, and whether `#[test]` was seen as well.
        let (mut covered, mut open, mut is_test) = (Vec::new(), false, false);
        for (number, line) in lines {
            let trimmed = line.trim_start();
            if let Some((_, comment)) = comment_of(trimmed).filter(|(_, comment)| !ids(comment).is_empty()) {
                self.faults.push(format!("{path}:{}: an ID in a comment of a test: {comment}", number + 1));
            }
            if open || trimmed.starts_with("#[covers(") {
                covered.extend(ids(trimmed));
                open = !trimmed.ends_with(")]");
            } else if trimmed.starts_with("#[") {
                is_test |=
                    ["#[test]", "#[tokio::test"].iter().any(|attribute| trimmed.starts_with(attribute));
            } else if let Some(name) = function_name(trimmed) {
                if !covered.is_empty() && !is_test {
                    self.faults
                        .push(format!("{path}:{}: `{name}` covers requirements and is no test", number + 1));
                }
                for id in covered.drain(..) {
                    self.tests.entry(id).or_default().insert((path.to_owned(), name.to_owned()));
                }
                is_test = false;
            }
        }
    }

    /// What of the tests is not as it should be.
    pub(crate) fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Whether a vector or a test names the requirement.
    pub(crate) fn is_tested(&self, id: &str) -> bool {
        self.vectors.contains_key(id) || self.tests.contains_key(id)
    }

    /// The items whose documentation names the requirement, with their files.
    pub(crate) fn items(&self, id: &str) -> Vec<&(String, String)> {
        self.items.get(id).into_iter().flatten().collect()
    }

    /// All IDs that any source names.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &String> {
        self.items.keys().chain(self.tests.keys())
    }
}

/// The generated pages with their paths.
pub(crate) fn pages() -> Vec<(PathBuf, String)> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    vec![
        (home.join("CONFORMANCE.md"), conformance()),
        (home.join("DECISIONS.md"), decisions()),
        (root().join("docs/operations.md"), operations()),
    ]
}

/// The value with the members of its objects in order, which a feature of serde_json may have left as they came.
fn sorted(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(members) => {
            let members: BTreeMap<_, _> =
                members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            serde_json::Value::Object(members.into_iter().collect())
        }
        serde_json::Value::Array(items) => serde_json::Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

fn operations() -> String {
    let all = spec_vectors::operations().unwrap();
    let examples: BTreeMap<String, String> = spec_vectors::all()
        .flat_map(|(_, set)| {
            let told = |case: &spec_vectors::Case| {
                let answer = match &case.expected {
                    spec_vectors::Expected::Ok(ok) => sorted(&serde_json::json!({ "id": case.id, "ok": ok })),
                    spec_vectors::Expected::Err(err) => {
                        serde_json::json!({ "id": case.id, "err": { "kind": err.kind } })
                    }
                };
                (case.id.clone(), {
                    let request = case.request_in(&set);
                    format!("{}\n{answer}", sorted(&request))
                })
            };
            set.cases.iter().map(told).collect::<Vec<_>>()
        })
        .collect();
    let mut page = format!(
        "# Operations\n\nThe {} operations of the line protocol and the {} kinds of error that the vectors expect. This \
         page is made from [`operations.json`](../spec-vectors/operations.json) by `cargo run -p spec-vectors --example \
         report`, and every case is checked against that file. How the lines go is in [I test an \
         implementation](implementation.md).\n\nMembers marked `?` may be absent. Members that end in `_b64` are bytes in \
         standard base64, those that end in `_s` seconds. An operation may answer more members than it describes, and \
         every operation answers `bad-request` for input of another form.\n",
        all.operations.len(),
        all.errors.len()
    );
    for one in &all.operations {
        writeln!(page, "\n## {}\n\n{}\n\n| | member | type | |\n|---|---|---|---|", one.op, one.does)
            .unwrap();
        let mut input: Vec<_> = one.input.iter().collect();
        input.sort_by_key(|(_, member)| !member.required);
        for (part, (name, member)) in
            input.into_iter().map(|each| ("in", each)).chain(one.ok.iter().map(|each| ("ok", each)))
        {
            let optional = if part == "in" && !member.required { "?" } else { "" };
            let types: Vec<_> = member.types.names().collect();
            let about = member.about.replace('|', "\\|").replace('<', "&lt;");
            writeln!(page, "| {part} | `{name}`{optional} | {} | {about} |", types.join(" or ")).unwrap();
        }
        if !one.errors.is_empty() {
            let kinds: Vec<_> = one.errors.iter().map(|kind| format!("`{kind}`")).collect();
            writeln!(page, "\nErrors: {}.", kinds.join(", ")).unwrap();
        }
        if let Some(lines) = one.example.as_ref().and_then(|id| examples.get(id)) {
            writeln!(page, "\n```json\n{lines}\n```").unwrap();
        }
    }
    page += "\n## Kinds of error\n\n| kind | means |\n|---|---|\n";
    for (kind, meaning) in &all.errors {
        writeln!(page, "| `{kind}` | {meaning} |").unwrap();
    }
    page
}

fn conformance() -> String {
    let evidence = Evidence::collect();
    let mut page = String::from(
        "# Conformance\n\nEvery requirement of the specifications: how binding it is, whom it binds, where it is \
         implemented and what tests it. This page is made from `requirements/*.json`, the vectors and the sources by `cargo run -p \
         spec-vectors --example report`; a test fails when it is stale.\n",
    );
    let mut cases: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, set) in spec_vectors::all() {
        *cases.entry(name.split('/').next().unwrap()).or_default() += set.cases.len();
    }
    page += "\n## Counts\n\n| specification | rows | MUST and SHOULD | of them tested | duty of others | not applicable |\n|---|---|---|---|---|---|\n";
    for catalogue in spec_vectors::catalogues() {
        let rows = &catalogue.requirements;
        let binding = || rows.iter().filter(|row| row.level.is_binding());
        let with = |status| rows.iter().filter(|row| row.status == status).count();
        let tested = binding().filter(|row| evidence.is_tested(&row.id)).count();
        let (duties, nothing) = (with(Status::DutyOfOthers), with(Status::NotApplicable));
        writeln!(
            page,
            "| {} | {} | {} | {tested} | {duties} | {nothing} |",
            catalogue.spec,
            rows.len(),
            binding().count()
        )
        .unwrap();
    }
    let told = spec_vectors::stories().map(|set| set.stories.len()).sum();
    cases.insert("stories", told);
    page += "\n| vectors | cases |\n|---|---|\n";
    for (folder, count) in cases {
        writeln!(page, "| `{folder}/` | {count} |").unwrap();
    }
    for catalogue in spec_vectors::catalogues() {
        writeln!(page, "\n## {}", catalogue.spec).unwrap();
        let mut section = "";
        for row in &catalogue.requirements {
            if row.section != section {
                section = &row.section;
                writeln!(page, "\n### {section}\n\n| ID | level | bound | requirement | implemented | tested by |\n|---|---|---|---|---|---|")
                    .unwrap();
            }
            let (items, tests) = (item_links(&evidence, row), test_links(&evidence, row));
            let Requirement { id, role, text, .. } = row;
            writeln!(page, "| {id} | {} | {role} | {text} | {items} | {tests} |", row.level.as_str())
                .unwrap();
        }
    }
    page
}

fn item_links(evidence: &Evidence, row: &Requirement) -> String {
    const MOST: usize = 4;
    let items = evidence.items(&row.id);
    let mut links: Vec<String> =
        items.iter().take(MOST).map(|(item, path)| format!("[`{item}`](../{path})")).collect();
    if items.len() > MOST {
        links.push(format!("and {} more", items.len() - MOST));
    }
    match (&row.reason, links.is_empty()) {
        (Some(reason), true) => format!("– ({reason})"),
        (Some(reason), false) => format!("documented: {} ({reason})", links.join(", ")),
        (None, _) => links.join(", "),
    }
}

fn test_links(evidence: &Evidence, row: &Requirement) -> String {
    let vectors = evidence.vectors.get(&row.id).into_iter().flatten();
    let vectors = vectors.map(|(set, count)| format!("[{set}]({set}.json) ({count})"));
    let tests = evidence.tests.get(&row.id).into_iter().flatten().map(|(path, name)| {
        let short = path.strip_prefix("crates/").unwrap_or(path);
        format!("[{short}](../{path}) `{name}`")
    });
    vectors.chain(tests).collect::<Vec<_>>().join(", ")
}

fn decisions() -> String {
    let mut page = String::from(
        "# Decisions\n\nWhere a specification is open, contradicts itself or is wrong, and what this project does about \
         it. This page is made from `requirements/*.json` by `cargo run -p spec-vectors --example report`.\n",
    );
    for catalogue in spec_vectors::catalogues() {
        writeln!(page, "\n## {}\n\n| ID | what is open | what we do |\n|---|---|---|", catalogue.spec)
            .unwrap();
        for row in catalogue.requirements.iter().filter(|row| row.level == Level::Decision) {
            let problem = row.problem.as_deref().unwrap_or("A later draft differs.");
            writeln!(page, "| {} | {problem} | {} |", row.id, row.text).unwrap();
        }
    }
    page
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

/// `crates/tct/src/sitemap/reader.rs` is `tct::sitemap::reader`.
fn module_of(path: &str) -> String {
    let parts: Vec<&str> =
        path.trim_end_matches(".rs").split('/').filter(|part| *part != "src").skip(1).collect();
    let parts: Vec<String> = parts
        .iter()
        .filter(|part| !matches!(**part, "lib" | "main" | "mod"))
        .map(|part| part.replace('-', "_"))
        .collect();
    parts.join("::")
}

/// The name that an item's first line declares, if it is one: a function, a type, a constant, a variant or a field.
fn item_name(line: &str) -> Option<&str> {
    let mut rest = line;
    let mut declared = false;
    loop {
        rest = rest.trim_start();
        let word_end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        match &rest[..word_end] {
            "pub" => {
                rest = &rest[word_end..];
                if let Some(inner) = rest.strip_prefix('(') {
                    rest = inner.split_once(')')?.1;
                }
                declared = true;
            }
            "fn" | "struct" | "enum" | "trait" | "const" | "type" | "static" | "mod" => {
                rest = &rest[word_end..];
                declared = true;
            }
            "" => return None,
            word => {
                let variant = word.starts_with(|c: char| c.is_ascii_uppercase());
                return (declared || variant).then_some(word);
            }
        }
    }
}

/// A line's code and the comment behind it, if there is one. `//` inside of quotation marks is no comment.
fn comment_of(line: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    while let Some(at) = line[from..].find("//").map(|at| from + at) {
        if line[..at].matches('"').count().is_multiple_of(2) {
            return Some(line.split_at(at));
        }
        from = at + 2;
    }
    None
}

/// The name of the function that a line declares.
fn function_name(line: &str) -> Option<&str> {
    let rest = ["pub(crate) ", "pub(super) ", "pub "]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line);
    let rest = rest.strip_prefix("async ").unwrap_or(rest).strip_prefix("fn ")?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// All requirement IDs that a line names, with those that it abbreviates.
fn ids(line: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = line;
    while let Some(at) = next_id(rest) {
        let Some((family, number, after)) = full_id(&rest[at..]) else {
            rest = &rest[at + 1..];
            continue;
        };
        let mut last = number.clone();
        found.push(format!("{family}-{number}"));
        rest = after;
        // `, -9`, ` and -9`, ` to -24`, ` to AIWI-DOC-24`
        loop {
            let separators = [", and ", ", ", " and ", " to "];
            let Some(separator) = separators.into_iter().find(|separator| rest.starts_with(separator)) else {
                break;
            };
            let behind = &rest[separator.len()..];
            let next = behind.strip_prefix('-').and_then(number_of).or_else(|| {
                full_id(behind)
                    .filter(|(other, ..)| separator == " to " && *other == family)
                    .map(|(_, n, r)| (n, r))
            });
            let Some((number, after)) = next else { break };
            if separator == " to " {
                let (Ok(from), Ok(to)) = (last.parse::<u32>(), number.parse::<u32>()) else { break };
                found.extend((from + 1..=to).map(|n| format!("{family}-{n}")));
            } else {
                found.push(format!("{family}-{number}"));
            }
            last = number;
            rest = after;
        }
    }
    found
}

/// What the IDs of the catalogues begin with. Those of the second list have no chapter: `RSL-12`.
const SPECS: [&str; 8] = ["AIWI", "AIWI2", "LLMI", "READY", "SIG9421", "TCT", "TCT3", "WBA"];
const FLAT_SPECS: [&str; 6] = ["JAFAR", "PRICE", "RDNS", "RSL", "SIGNAL", "TDM"];

/// Where the next text begins that may be an ID.
fn next_id(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(dash) = text[at..].find('-').map(|dash| at + dash) {
        let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        let start = text[..dash].trim_end_matches(plain).len();
        let follows_a_word = text[..start].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_'));
        if !follows_a_word && SPECS.iter().chain(&FLAT_SPECS).any(|spec| *spec == &text[start..dash]) {
            return Some(start);
        }
        at = dash + 1;
    }
    None
}

/// `AIWI-DOC-24` at the start of a text: `AIWI-DOC`, `24` and what follows.
fn full_id(text: &str) -> Option<(String, String, &str)> {
    let (spec, rest) = text.split_once('-')?;
    if let Some((number, rest)) = number_of(rest).filter(|_| FLAT_SPECS.contains(&spec)) {
        let is_chapter = rest.starts_with('-') && number.starts_with(|c: char| c.is_ascii_uppercase());
        if !is_chapter {
            return Some((spec.to_owned(), number, rest));
        }
    }
    let (chapter, rest) = rest.split_once('-')?;
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    if chapter.is_empty() || !chapter.chars().all(plain) {
        return None;
    }
    let (number, rest) = number_of(rest)?;
    Some((format!("{spec}-{chapter}"), number, rest))
}

/// `24`, `36b` or `A` at the start of a text, and what follows.
fn number_of(text: &str) -> Option<(String, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let end = match (digits, text[digits..].chars().next()) {
        (0, Some(c)) if c.is_ascii_uppercase() => 1,
        (0, _) => return None,
        (n, Some('a'..='z')) if !text[n + 1..].starts_with(|c: char| c.is_alphanumeric()) => n + 1,
        (n, _) => n,
    };
    let rest = &text[end..];
    let whole = !rest.starts_with(|c: char| c.is_alphanumeric());
    whole.then(|| (text[..end].to_owned(), rest))
}

#[test]
fn only_attributes_of_tests_count() {
    let file = r#"
        //! TCT-FP-1 at the head of a file
        /// TCT-FP-2: above the test
        #[test]
        #[covers("TCT-FP-3", "TCT-FP-4")]
        fn one() {
            assert_eq!(a, "TCT-FP-5"); // TCT-FP-6
        }
        #[covers(
            "TCT-FP-7",
            "TCT-FP-8"
        )]
        #[tokio::test]
        async fn two() {}
        #[covers("TCT-FP-9")]
        fn helper() { let url = "https://example.com/TCT-FP-10"; }
    "#;
    let mut evidence = Evidence::default();
    evidence.read("crates/x/tests/y.rs", file);
    let tested: Vec<_> = evidence
        .tests
        .iter()
        .flat_map(|(id, tests)| tests.iter().map(move |(_, name)| format!("{id} {name}")))
        .collect();
    assert_eq!(tested, ["TCT-FP-3 one", "TCT-FP-4 one", "TCT-FP-7 two", "TCT-FP-8 two", "TCT-FP-9 helper"]);
    let lines: Vec<_> = evidence.faults().iter().map(|fault| fault.split(": ").next().unwrap()).collect();
    let y = |line| format!("crates/x/tests/y.rs:{line}");
    assert_eq!(lines, [y(2), y(3), y(7), y(16)]);
}

#[test]
fn abbreviated_ids_are_found() {
    let all = |line: &str| ids(line).join(" ");
    assert_eq!(
        all("Spec: x; TCT-FP-5, AIWI-AMB-7 to -10, -14, and -20."),
        "TCT-FP-5 AIWI-AMB-7 AIWI-AMB-8 AIWI-AMB-9 AIWI-AMB-10 AIWI-AMB-14 AIWI-AMB-20"
    );
    assert_eq!(
        all("AIWI-DOC-17 to AIWI-DOC-19; TCT-AMB-36b; TCT-VEC-A"),
        "AIWI-DOC-17 AIWI-DOC-18 AIWI-DOC-19 TCT-AMB-36b TCT-VEC-A"
    );
    assert_eq!(all("TCT3-SM-4 to TCT3-SM-6, AIWI2-ID-3"), "TCT3-SM-4 TCT3-SM-5 TCT3-SM-6 AIWI2-ID-3");
    assert_eq!(
        all("RSL-8 to RSL-10; SIGNAL-D-4, -5; SIG9421-URL-1"),
        "RSL-8 RSL-9 RSL-10 SIGNAL-D-4 SIGNAL-D-5 SIG9421-URL-1"
    );
    assert_eq!(all("TCT-FP-* and TCT-draft, WBA-X, X-RSL-1, TDM-rep, tdm-1"), "");
}
