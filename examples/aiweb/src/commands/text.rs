//! `fingerprint`, `normalize`, `canonical`.

use serde_json::json;
use tct_canonical_json::{Canonicalizer, Profile};
use tct_fingerprint::{Fingerprint, Steps, fingerprint_utf8, normalize_utf8};

use crate::Failure;
use crate::cli;
use crate::input::Input;
use crate::report::{Remark, Report};

/// Prints the hash of each file.
///
/// # Errors
/// Where a file cannot be read.
pub fn fingerprint(arguments: &cli::Fingerprint, report: &mut Report) -> Result<(), Failure> {
    for input in Input::read_all(&arguments.files)? {
        let hash = if arguments.bytes {
            Ok(Fingerprint::hash(&input.bytes))
        } else {
            fingerprint_utf8(&input.bytes)
        };
        match hash {
            Ok(hash) => {
                let members = [("file", json!(input.name)), ("hash", json!(hash.to_string()))];
                report.result(&format!("{hash}  {}", input.name), &members)?;
            }
            Err(error) => not_utf8(&input, &error, report)?,
        }
    }
    Ok(())
}

/// Writes the normalised text, or the text after each step.
///
/// # Errors
/// Where the file cannot be read.
pub fn normalize(arguments: &cli::Normalize, report: &mut Report) -> Result<(), Failure> {
    let input = Input::read(arguments.file.as_deref())?;
    let normalized = match normalize_utf8(&input.bytes) {
        Ok(normalized) => normalized,
        Err(error) => return not_utf8(&input, &error, report),
    };
    if !arguments.steps {
        report.write(normalized.as_bytes())?;
        return report.write(b"\n");
    }
    let text = String::from_utf8_lossy(&input.bytes);
    let steps = Steps::of(&text);
    let mut before = text.as_ref();
    for (number, (step, after)) in steps.iter().enumerate() {
        let name = format!("{step:?}").to_lowercase();
        let changed = before != after;
        let shown = if changed { format!("{after:?}") } else { "(unchanged)".to_owned() };
        let members = [
            ("step", json!(number + 1)),
            ("name", json!(name)),
            ("changed", json!(changed)),
            ("text", json!(after)),
        ];
        report.result(&format!("{} {name:<9} {shown}", number + 1), &members)?;
        before = after;
    }
    let hash = steps.fingerprint().to_string();
    report.result(&format!("{:<11} {hash}", "  hash"), &[("hash", json!(hash))])
}

fn not_utf8(input: &Input, error: &tct_fingerprint::Utf8Error, report: &mut Report) -> Result<(), Failure> {
    let remark =
        Remark::broken(&input.name, &input.bytes, error.offset(), "invalid-utf8", error.requirement(), error);
    report.remark(&remark, true)
}

/// Writes the canonical form, or says where the text is not canonical.
///
/// # Errors
/// Where the file cannot be read.
pub fn canonical(arguments: &cli::Canonical, report: &mut Report) -> Result<(), Failure> {
    let input = Input::read(arguments.file.as_deref())?;
    let profile = if arguments.tct { Profile::Tct } else { Profile::Rfc8785 };
    let canonicalizer = Canonicalizer::new(profile);
    let error = match canonicalizer.to_canonical(&input.bytes) {
        Ok(bytes) if !arguments.check => return report.write(&bytes),
        Ok(_) => {
            let Some(deviation) = canonicalizer.check_canonical(&input.bytes) else {
                let members = [("file", json!(input.name)), ("canonical", json!(true))];
                return report.result(&format!("{}: canonical", input.name), &members);
            };
            let remark =
                Remark::broken(&input.name, &input.bytes, deviation.offset(), "not-canonical", "", deviation);
            return report.remark(&remark, true);
        }
        Err(error) => error,
    };
    let requirement = error.requirement();
    let offset = error.offset().unwrap_or(0);
    let path = error.path().unwrap_or_default();
    let remark = Remark::broken(&input.name, &input.bytes, offset, "not-json", requirement, &error);
    report.remark(&Remark { path, ..remark }, true)
}
