//! `run.py` with an adapter that is right, and with adapters that are wrong in one way each.

#![allow(clippy::unwrap_used, reason = "a test says what it expects in the plainest way")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the vectors of robots.txt with these arguments; `None` without Python.
fn run(arguments: &[&str]) -> Option<Output> {
    let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("run.py");
    let run = Command::new("python3").arg(runner).args(["--only", "robots."]).args(arguments).output();
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
    run(&["python3", adapter.to_str().unwrap(), mode])
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
    assert!(text(&run.stdout).contains(": no answer\n"), "{}", text(&run.stdout));
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
fn the_programs_own_errors_are_shown() {
    let Some(run) = adapter("crash") else { return };
    let errors = text(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{errors}");
    assert!(
        errors.starts_with("it broke here\nrun.py: the program ended with status 3 after 2 of "),
        "{errors}"
    );
}

#[test]
fn a_program_that_cannot_run_gets_one_clear_line() {
    let Some(missing) = run(&["/no/such/program"]) else { return };
    let expected = "run.py: cannot start /no/such/program: No such file or directory\n";
    assert_eq!((missing.status.code(), text(&missing.stderr).as_str()), (Some(2), expected));
    let Some(none) = run(&["--only", "no.such", "python3"]) else { return };
    assert_eq!(text(&none.stderr), "run.py: no operation begins with no.such\n");
    assert_eq!(run(&[]).and_then(|run| run.status.code()), Some(2));
    let Some(silent) = adapter("no-output") else { return };
    assert_eq!(silent.status.code(), Some(1));
}
