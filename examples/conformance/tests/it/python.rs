//! The runner in Python, which other languages' implementers use, passes with this adapter.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

#[test]
fn the_python_runner_passes() {
    let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec-vectors/run.py");
    let run = Command::new("python3")
        .arg(runner)
        .args(["--count", "all", env!("CARGO_BIN_EXE_conformance")])
        .output();
    let Ok(run) = run else {
        // Past the test harness, which shows nothing of a test that passes.
        std::io::stderr()
            .write_all(b"skipped: python3 is not installed, the runner was not tried\n")
            .expect("standard error is there");
        return;
    };
    let output = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{output}\n{}", String::from_utf8_lossy(&run.stderr));
    assert!(output.trim_end().ends_with(" 0 failed, 0 skipped"), "{output}");
}
