//! The published vectors, each against the public API, by the same translation as the line protocol's: the modules of
//! `examples/conformance` are compiled in here, so that the crate's own tests notice what a vector would. Not in the package.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a failed test may panic, and modules of the adapter are not all used"
)]

#[path = "../../../examples/conformance/src/ops/httpsig.rs"]
mod httpsig;
#[path = "../../../examples/conformance/src/input.rs"]
mod input;
#[path = "../../../examples/conformance/src/op.rs"]
mod op;
#[path = "../../../examples/conformance/src/ops/wba.rs"]
mod wba;

use input::Input;
use op::{Op, OpError, text};
use serde_json::{Value, json};

#[test]
fn every_vector_gets_its_expected_answer() {
    let operations: Vec<(&str, Op)> = [httpsig::OPS, wba::OPS].concat();
    let (mut failed, mut count) = (Vec::new(), 0);
    for name in
        spec_vectors::names().filter(|name| name.starts_with("bot-auth/") || name.starts_with("aiwebindex2/"))
    {
        let set = spec_vectors::set(name).unwrap();
        for case in &set.cases {
            let op = operations.iter().find(|(known, _)| *known == case.op_in(&set));
            let Some((_, op)) = op else { continue };
            let answer = match op(&Input::new(&case.input)) {
                Ok(ok) => json!({ "ok": serde_json::from_str::<Value>(&ok).unwrap() }),
                Err(error) => json!({ "err": { "kind": error.kind } }),
            };
            failed.extend((!case.passes(&answer)).then(|| format!("{}: {answer}", case.id)));
            count += 1;
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(count > 300, "{count}");
}
