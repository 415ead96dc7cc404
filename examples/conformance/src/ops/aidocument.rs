//! The crates `aidocument` and `aidocument-extract`.

use aidocument::{Document, Limits};
use serde_json::{Value, json};

use crate::{Input, Op, OpError};

/// Operations of this module.
pub const OPS: &[(&str, Op)] = &[("aidocument.validate", validate)];

fn validate(input: &Input<'_>) -> Result<Value, OpError> {
    let reading = Document::read(&input.bytes("json_b64")?, &Limits::default())
        .map_err(|error| OpError::of(error.kind(), &error))?;
    let errors: Vec<Value> = reading
        .findings()
        .iter()
        .filter(|finding| finding.is_error())
        .map(|finding| json!({ "path": finding.path(), "code": finding.code().as_str() }))
        .collect();
    Ok(json!({ "valid": errors.is_empty(), "errors": errors }))
}
