//! All library crates in one WebAssembly module that runs the published vectors.
//!
//! Built for `wasm32-unknown-unknown`, the module has no imports: there is no socket, clock, file or source of
//! randomness that a library could have reached. Its `main` returns the number of vectors that failed, at most
//! 255. `.ci/wasm` builds it and runs it under Node.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(failures())
}

fn failures() -> u8 {
    let mut failed = 0u8;
    for (_, set) in spec_vectors::all() {
        for case in &set.cases {
            let answer = conformance::answer(case.request_in(&set).to_string().as_bytes());
            let passes = serde_json::from_str(&answer).is_ok_and(|answer| case.passes(&answer));
            failed = failed.saturating_add(u8::from(!passes));
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
