//! `fingerprint`, `normalize`, `canonical`.

use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest as _, Sha256};
use tct_canonical_json::{Canonicalizer, Profile};
use tct_fingerprint::{Fingerprint, Steps, Utf8Error, Utf8Fingerprinter, normalize_utf8};

use crate::Failure;
use crate::cli;
use crate::input::{Input, open};
use crate::report::{Remark, Report, Where};

/// Bytes that are kept to show the line that is not UTF-8; of a longer text only the line's number is
/// printed.
const SHOWN: usize = 16 << 20;

/// Prints the hash of each file, read in pieces: memory stays the same whatever its size.
///
/// # Errors
/// If a file cannot be read.
pub fn fingerprint(arguments: &cli::Fingerprint, report: &mut Report) -> Result<(), Failure> {
    if let [] | [_] = arguments.files.as_slice() {
        return hash_one(arguments.files.first().map(PathBuf::as_path), arguments.bytes)?.tell(report);
    }
    for file in &arguments.files {
        match hash_one(Some(file), arguments.bytes) {
            Ok(hashed) => hashed.tell(report)?,
            Err(why) => report.unreadable(&why)?,
        }
    }
    Ok(())
}

/// A file that was read to its end, or to what is not UTF-8.
struct Hashed {
    name: String,
    hash: Result<Fingerprint, Utf8Error>,
    /// Its beginning, as long as the file is not longer.
    kept: Vec<u8>,
    len: usize,
    lines: usize,
}

fn hash_one(file: Option<&Path>, as_bytes: bool) -> Result<Hashed, Failure> {
    let (name, mut from) = open(file)?;
    let mut piece = vec![0; 1 << 16];
    let (mut digest, mut text) = (Sha256::new(), Utf8Fingerprinter::new());
    let (mut lines, mut kept, mut len) = (1, Vec::new(), 0);
    let mut broken = None;
    loop {
        let read = match from.read(&mut piece) {
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure(format!("cannot read {name}: {error}"))),
        };
        let bytes = piece.get(..read).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        if as_bytes {
            digest.update(bytes);
            continue;
        }
        len += bytes.len();
        if len <= SHOWN {
            kept.extend_from_slice(bytes);
        }
        if let Err(error) = text.update(bytes) {
            let before = error.offset().saturating_sub(len - bytes.len());
            lines += newlines(bytes.get(..before).unwrap_or_default());
            broken = Some(error);
            break;
        }
        lines += newlines(bytes);
    }
    let hash = match (as_bytes, broken) {
        (true, _) => Ok(Fingerprint::from_digest(digest.finalize().into())),
        (false, Some(error)) => Err(error),
        (false, None) => text.finish(),
    };
    Ok(Hashed { name, hash, kept, len, lines })
}

impl Hashed {
    fn tell(self, report: &mut Report) -> Result<(), Failure> {
        let Hashed { name, hash, kept, len, lines } = self;
        match hash {
            Ok(hash) => {
                let members = [("file", json!(name)), ("hash", json!(hash.to_string()))];
                report.result(&format!("{hash}  {name}"), &members)
            }
            Err(error) => {
                let mut remark =
                    Remark::broken(&name, &kept, error.offset(), "invalid-utf8", error.requirement(), error);
                if len > SHOWN {
                    remark.place = Some(Where::line(lines));
                }
                report.remark(&remark, true)
            }
        }
    }
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// Writes the normalised text, or the text after each step.
///
/// # Errors
/// If the file cannot be read.
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

fn not_utf8(input: &Input, error: &Utf8Error, report: &mut Report) -> Result<(), Failure> {
    let remark =
        Remark::broken(&input.name, &input.bytes, error.offset(), "invalid-utf8", error.requirement(), error);
    report.remark(&remark, true)
}

/// Writes the canonical form, or says where the text is not canonical.
///
/// # Errors
/// If the file cannot be read.
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
