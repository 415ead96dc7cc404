//! The workspace's public API behind a line protocol: one JSON request a line in, one JSON answer a line out.
//!
//! ```text
//! {"id":"1","op":"tct.fingerprint","in":{"text":"Hello World"}}
//! {"id":"1","ok":{"hash":"sha256-b94d…cde9"}}
//! ```
//!
//! Each operation is one call of a public function; the translation stands in [`ops`], a module a crate. No
//! protocol logic lives here.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

pub mod input;
mod op;
pub mod ops;

pub use input::Input;
pub use op::{Op, OpError, kebab, text};

/// Answers every line of `requests` on `answers`; an answer is flushed before the next line is read.
///
/// # Errors
/// Only those of the two streams: a line that is not a request gets an answer of kind `bad-request`.
pub fn run(mut requests: impl BufRead, mut answers: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if requests.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        answers.write_all(answer(&line).as_bytes())?;
        answers.write_all(b"\n")?;
        answers.flush()?;
    }
}

/// The answer to one request line: a JSON text without line end.
pub fn answer(line: &[u8]) -> String {
    let request: Value = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => return failure(&Value::Null, &OpError::new("bad-request", error)),
    };
    let (Some(id), Some(op), Some(input)) = (
        request.get("id").filter(|id| id.is_string()),
        request.get("op").and_then(Value::as_str),
        request.get("in").and_then(Value::as_object),
    ) else {
        let message = "expected an object with the strings `id` and `op` and the object `in`";
        return failure(&Value::Null, &OpError::new("bad-request", message));
    };
    let result = match ops::find(op) {
        Some(run) => run(&Input::new(input)),
        None => Err(OpError::new("unknown-op", format!("expected a known operation, found {op:?}"))),
    };
    match result {
        Ok(ok) => format!(r#"{{"id":{id},"ok":{ok}}}"#),
        Err(error) => failure(id, &error),
    }
}

fn failure(id: &Value, error: &OpError) -> String {
    let error = json!({ "kind": error.kind, "message": error.message });
    format!(r#"{{"id":{id},"err":{error}}}"#)
}

/// The example of the workspace's front page compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;
