//! `run.py` with an adapter that is right, and with adapters that are wrong in one way each.

#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the vectors of robots.txt with these arguments; `None` without Python.
fn run_with(arguments: &[&str]) -> Option<Output> {
    let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("run.py");
    let run = Command::new("python3").arg(runner).args(["--only", "robots.allowed"]).args(arguments).output();
    if run.is_err() {
        // Past the test harness, which shows nothing of a test that passes.
        std::io::stderr()
            .write_all(b"skipped: python3 is not installed, the runner was not tried\n")
            .unwrap();
    }
    run.ok()
}

fn adapter(mode: &str) -> Option<Output> {
    let adapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/echo_adapter.py");
    run_with(&["python3", adapter.to_str().unwrap(), mode])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn right_answers_pass() {
    for mode in ["right", "more-members"] {
        let Some(run) = adapter(mode) else { return };
        let (said, errors) = (text(&run.stdout), text(&run.stderr));
        assert_eq!(run.status.code(), Some(0), "{mode}: {said}{errors}");
        assert!(said.ends_with(" passed, 0 failed, 0 skipped\n"), "{said}");
        assert!(!said.starts_with("0 passed"), "{said}");
    }
}

#[test]
fn values_of_another_json_type_fail() {
    for mode in ["booleans-as-numbers", "integers-as-floats"] {
        let Some(run) = adapter(mode) else { return };
        assert_eq!(run.status.code(), Some(1), "{mode}: {}", text(&run.stdout));
        assert!(!text(&run.stdout).contains(" 0 failed"), "{mode}: {}", text(&run.stdout));
    }
}

#[test]
fn unknown_operations_are_counted_apart_and_a_missing_answer_fails() {
    let Some(run) = adapter("unknown") else { return };
    assert_eq!(run.status.code(), Some(1));
    assert!(text(&run.stdout).starts_with("0 passed, 0 failed, "), "{}", text(&run.stdout));
    let Some(run) = adapter("one-missing") else { return };
    assert_eq!(run.status.code(), Some(1));
    assert!(text(&run.stdout).contains("no answer\n"), "{}", text(&run.stdout));
}

#[test]
fn a_program_that_does_not_speak_the_protocol_gets_one_clear_line() {
    for (mode, line) in [
        ("stray-print", "run.py: line 2 of the program's output is not JSON: loading the model..."),
        ("not-an-answer", "run.py: line 2 of the program's output is not an answer: {"),
        ("other-id", "run.py: line 2 of the program's output answers an id that was not asked: {"),
        ("twice", "run.py: line 3 of the program's output answers an id a second time: {"),
    ] {
        let Some(run) = adapter(mode) else { return };
        let errors = text(&run.stderr);
        assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), String::new()), "{mode}");
        assert!(errors.starts_with(line) && errors.lines().count() == 1, "{mode}: {errors}");
    }
}

#[test]
fn a_program_that_ends_early_is_told_with_its_case_and_the_rest_is_judged() {
    let Some(run) = adapter("crash") else { return };
    let (said, errors) = (text(&run.stdout), text(&run.stderr));
    assert_eq!((run.status.code(), errors.as_str()), (Some(1), "it broke here\n"), "{said}");
    assert!(
        said.starts_with(
            "robots-matching-order-is-nothing  (robots/matching.json, robots.allowed, basis text)\n"
        ),
        "{said}"
    );
    assert!(said.contains("  found     the program ended with status 3 at this case, after "), "{said}");
    assert!(said.ends_with(" passed, 1 failed, 0 skipped\n"), "{said}");
    assert!(!said.contains("\n0 passed"), "{said}");
}

#[test]
fn a_failure_tells_its_story() {
    let Some(run) = adapter("other-text") else { return };
    let said = text(&run.stdout);
    let story: Vec<&str> = said.lines().take_while(|line| !line.is_empty()).collect();
    let labels: Vec<&str> = story.iter().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    for label in ["why", "input", "expected", "found", "differs", "rule", "where"] {
        assert!(labels.contains(&label), "{label} is not told:\n{}", story.join("\n"));
    }
}

#[test]
fn what_the_specification_leaves_open_does_not_count() {
    let Some(run) = adapter("wrong-readings") else { return };
    let said = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{said}");
    assert!(said.contains("not counted, since the specification does not decide them: "), "{said}");
    assert!(said.ends_with(" passed, 0 failed, 0 skipped\n"), "{said}");
    let adapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/echo_adapter.py");
    let adapter = adapter.to_str().unwrap();
    let all = run_with(&["--count", "all", "python3", adapter, "wrong-readings"]).unwrap();
    assert_eq!(all.status.code(), Some(1));
    assert!(!text(&all.stdout).contains("not counted"), "{}", text(&all.stdout));
}

#[test]
fn other_programs_read_the_verdicts() {
    let adapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/echo_adapter.py");
    let adapter = adapter.to_str().unwrap();
    let Some(tap) = run_with(&["--tap", "python3", adapter, "wrong-readings"]) else { return };
    let said = text(&tap.stdout);
    let plan = said.lines().nth(1).and_then(|line| line.strip_prefix("1..")).unwrap();
    let points = said.lines().filter(|line| line.starts_with("ok ") || line.starts_with("not ok "));
    assert_eq!(points.count().to_string(), plan, "{said}");
    assert!(said.contains(" # TODO rests on a reading of ours"), "{said}");

    let file = std::env::temp_dir().join(format!("spec-vectors-{}.xml", std::process::id()));
    run_with(&["--junit", file.to_str().unwrap(), "python3", adapter, "crash"]).unwrap();
    let counts = "import sys, xml.dom.minidom as m; d = m.parse(sys.argv[1]); \
                  print(len(d.getElementsByTagName('failure')), d.documentElement.getAttribute('failures'))";
    let read = Command::new("python3").args(["-c", counts]).arg(&file).output().unwrap();
    assert_eq!(text(&read.stdout), "1 1\n", "{}", text(&read.stderr));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_case_is_explained_without_a_program() {
    let Some(run) = run_with(&["--explain", "tct-fingerprint-form-feed-joins-words"]) else { return };
    let said = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    assert!(said.contains(r#"  input     {"text": "Hello\fWorld\fTest"}"#), "{said}");
    assert!(said.contains("  rule      TCT-FP-5 (MUST, "), "{said}");
    assert!(
        said.contains("  where     TCT draft-jurkovikj-collab-tunnel-00, “Content Normalization”"),
        "{said}"
    );
    let unknown = run_with(&["--explain", "no-such-case"]).unwrap();
    assert_eq!(text(&unknown.stderr), "run.py: there is no case no-such-case\n");
}

#[test]
fn a_program_that_cannot_run_gets_one_clear_line() {
    let Some(missing) = run_with(&["/no/such/program"]) else { return };
    let expected = "run.py: cannot start /no/such/program: No such file or directory\n";
    assert_eq!((missing.status.code(), text(&missing.stderr).as_str()), (Some(2), expected));
    let Some(none) = run_with(&["--only", "no.such", "python3"]) else { return };
    assert_eq!(text(&none.stderr), "run.py: no operation begins with no.such\n");
    assert_eq!(run_with(&[]).and_then(|run| run.status.code()), Some(2));
    let Some(silent) = adapter("no-output") else { return };
    assert_eq!(silent.status.code(), Some(1));
}
