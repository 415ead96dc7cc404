//! All library crates in one WebAssembly module that runs the published vectors.
//!
//! Built for `wasm32-unknown-unknown`, the module has no imports: there is no socket, clock, file or source of
//! randomness that a library could have reached. Its `main` returns the number of vectors that failed, at most
//! 255. `.ci/wasm` builds it and runs it under Node.

use std::process::ExitCode;

use serde_json::{Value, json};
use spec_vectors::Expected;

fn main() -> ExitCode {
    ExitCode::from(failures())
}

fn failures() -> u8 {
    let mut failed = 0u8;
    for (_, set) in spec_vectors::all() {
        for case in &set.cases {
            let request = json!({ "id": case.id, "op": case.op_in(&set), "in": case.input });
            let answer = conformance::answer(request.to_string().as_bytes());
            let passed = match &case.expected {
                Expected::Ok(ok) => ok
                    .iter()
                    .all(|(name, value)| answer.pointer("/ok").and_then(|a| a.get(name)) == Some(value)),
                Expected::Err(err) => answer.pointer("/err/kind").and_then(Value::as_str) == Some(&err.kind),
            };
            failed = failed.saturating_add(u8::from(!passed));
        }
    }
    failed
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_vector_fails() {
        assert_eq!(super::failures(), 0);
    }
}
