//! `tct.*`: the crates `tct-canonical-json`, `tct-fingerprint` and `tct`.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tct_canonical_json::{Profile, to_canonical};

use crate::input::base64;
use crate::{Input, Op, OpError};

/// The operations of this module.
pub const OPS: &[(&str, Op)] =
    &[("tct.canonicalize", canonicalize), ("tct.fingerprint", fingerprint), ("tct.normalize", normalize)];

fn canonicalize(input: &Input<'_>) -> Result<Value, OpError> {
    let profile = match input.text("profile")? {
        "rfc8785" => Profile::Rfc8785,
        "tct" => Profile::Tct,
        other => return Err(OpError::new("bad-request", format!("in.profile: no profile {other:?}"))),
    };
    let bytes =
        to_canonical(&input.bytes("json_b64")?, profile).map_err(|error| OpError::of(error.kind(), error))?;
    let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(json!({ "json_b64": base64(&bytes), "sha256": sha256 }))
}

fn fingerprint(input: &Input<'_>) -> Result<Value, OpError> {
    Ok(json!({ "hash": tct_fingerprint::fingerprint(input.text("text")?).to_string() }))
}

fn normalize(input: &Input<'_>) -> Result<Value, OpError> {
    Ok(json!({ "text": tct_fingerprint::normalize(input.text("text")?) }))
}
