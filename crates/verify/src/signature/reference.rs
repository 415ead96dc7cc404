//! The form that llmindex's reference implementation writes. It looks like a JWS but is not one:
//!
//! ```text
//! header     exactly {"alg":"EdDSA"}, not covered by the signature
//! payload    SHA-256 of the canonical bytes, 32 raw bytes
//! signature  Ed25519 over the canonical bytes alone
//! canonical  the output of Python's json.dumps with sorted keys, no white space and ASCII escapes
//! ```
//!
//! The canonical bytes are not those of RFC 8785: everything outside of ASCII is escaped in lower case, in surrogate
//! pairs where needed; names are sorted by code point; `1.0` stays `1.0`, and integers keep all their digits.
//!
//! The header, `sig.alg` and `sig.kid` are not signed. Such a signature proves less than a JWS, so only a function of
//! its own accepts it.

use core::fmt::Write as _;
use std::borrow::Cow;

use jwk::{Algorithm, PublicKey};
use llmindex_types::{Limits, ManifestText, Member};
use sha2::{Digest as _, Sha256};
use tct_canonical_json::{JsonItems, JsonKind, JsonReader, JsonValue};

use super::jws::{Compact, decode};
use super::{JwsForm, SignatureReason as Reason, SignatureReport, SignedManifestError, parse};
use crate::token::is_equal;

/// base64url of `{"alg":"EdDSA"}`.
const HEADER: &str = "eyJhbGciOiJFZERTQSJ9";

/// Most digits of an integer that Python reads by default; a sign is not one.
const MAX_INTEGER_DIGITS: usize = 4300;

/// Whether a manifest is signed with this key in the reference implementation's own form.
///
/// This is weaker than [`ManifestVerifier`](crate::ManifestVerifier), which never accepts this form: the header is
/// not signed, and `sig.alg` and `sig.kid` can be changed without notice. The caller names the key. Unlike the
/// reference's own verifier, this one requires exactly the header that the reference writes, strict base64url and
/// strict Ed25519.
///
/// # Errors
/// As [`ManifestVerifier::verify`](crate::ManifestVerifier::verify).
///
/// Spec: LLMI-AMB-22.
pub fn verify_reference_form(
    manifest: &[u8],
    key: &PublicKey,
) -> Result<SignatureReport, SignedManifestError> {
    let text = match parse(manifest, &Limits::MANIFEST)? {
        Ok(text) => text,
        Err(reason) => return Ok(SignatureReport::unread(reason)),
    };
    let mut report = SignatureReport::about(&text, manifest);
    report.reason = match check(&text, key, &mut report) {
        Ok(()) => Reason::Valid,
        Err(reason) => reason,
    };
    Ok(report)
}

fn check(text: &ManifestText<'_>, key: &PublicKey, report: &mut SignatureReport) -> Result<(), Reason> {
    let sig = match text.sig() {
        Member::Absent => return Err(Reason::SigMissing),
        Member::Defective => return Err(Reason::SigDefective),
        Member::Present(sig) => sig,
    };
    report.kid = Some(sig.kid.clone().into_owned());
    let canonical = python_canonical(&text.without_sig()).ok_or(Reason::NoCanonicalForm)?;
    let jws = Compact::split(&sig.jws)?;
    if jws.header != HEADER {
        return Err(Reason::NotReferenceForm);
    }
    let digest = decode(jws.payload).ok_or(Reason::PayloadBase64)?;
    if !is_equal(&digest, &Sha256::digest(&canonical)) {
        return Err(Reason::DigestMismatch);
    }
    let signature = jws.signature()?;
    if key.algorithm() != Algorithm::Ed25519 {
        return Err(Reason::KeyType);
    }
    if !key.verifies(canonical.as_bytes(), &signature) {
        return Err(Reason::SignatureMismatch);
    }
    report.form = Some(JwsForm::Reference);
    Ok(())
}

/// What Python's `json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))` prints, or `None` if it
/// would fail or print something that is not JSON. The size and depth of `text` are bounded by the limits of its
/// reader.
fn python_canonical(text: &str) -> Option<String> {
    let reader = JsonReader::new().max_bytes(JsonReader::LONGEST).max_depth(usize::MAX).report_huge_numbers();
    let document = reader.read_str(text).ok()?;
    let mut out = String::with_capacity(text.len());
    print(document.root(), &mut out)?;
    Some(out)
}

/// A container that is being printed.
enum Open<'a> {
    /// The members that are still to be printed, the last one first.
    Object(Vec<(Cow<'a, str>, JsonValue<'a>)>),
    Array(JsonItems<'a>),
}

/// Prints a value. The open containers are on a stack of their own, so that depth needs no recursion.
fn print(root: JsonValue<'_>, out: &mut String) -> Option<()> {
    let (mut open, mut next) = (Vec::new(), Some(root));
    loop {
        if let Some(value) = next.take() {
            match value.kind() {
                JsonKind::Object => {
                    out.push('{');
                    // Rust orders strings by code point, as Python does.
                    let mut members: Vec<_> =
                        value.members().map(|(name, value)| (name.as_str(), value)).collect();
                    members.sort_by(|a, b| b.0.cmp(&a.0));
                    open.push(Open::Object(members));
                }
                JsonKind::Array => {
                    out.push('[');
                    open.push(Open::Array(value.items()));
                }
                JsonKind::String => print_string(&value.as_str()?, out),
                JsonKind::Number => print_number(value.raw(), out)?,
                JsonKind::Null | JsonKind::Bool => out.push_str(value.raw()),
            }
        }
        let Some(container) = open.last_mut() else { return Some(()) };
        let is_first = out.ends_with(['{', '[']);
        match container {
            Open::Object(members) => match members.pop() {
                Some((name, value)) => {
                    if !is_first {
                        out.push(',');
                    }
                    print_string(&name, out);
                    out.push(':');
                    next = Some(value);
                    continue;
                }
                None => out.push('}'),
            },
            Open::Array(items) => match items.next() {
                Some(value) => {
                    if !is_first {
                        out.push(',');
                    }
                    next = Some(value);
                    continue;
                }
                None => out.push(']'),
            },
        }
        open.pop();
    }
}

fn print_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing into a String cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

/// Integers as they are, all others as Python's `repr` of the nearest double.
fn print_number(token: &str, out: &mut String) -> Option<()> {
    if !token.contains(['.', 'e', 'E']) {
        if token.trim_start_matches('-').len() > MAX_INTEGER_DIGITS {
            return None;
        }
        out.push_str(if token == "-0" { "0" } else { token });
        return Some(());
    }
    let number: f64 = token.parse().ok()?;
    if !number.is_finite() {
        return None;
    }
    // Rust and Python agree on the shortest digits and differ in how they are laid out.
    let shortest = format!("{number:e}");
    let (digits, exponent) = shortest.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    // Writing into a String cannot fail.
    let _ = if (-4..16).contains(&exponent) {
        write!(out, "{number:?}")
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(out, "{digits}e{sign}{:02}", exponent.unsigned_abs())
    };
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The right column is what CPython 3.11 prints.
    #[test]
    fn numbers_are_printed_as_python_prints_them() {
        for (token, python) in [
            ("0", "0"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("1.0", "1.0"),
            ("1e2", "100.0"),
            ("0.1", "0.1"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("1.5e-7", "1.5e-07"),
            ("1e15", "1000000000000000.0"),
            ("9999999999999998.0", "9999999999999998.0"),
            ("1e16", "1e+16"),
            ("1.25E+300", "1.25e+300"),
            ("5e-324", "5e-324"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1e-400", "0.0"),
            ("-1e-400", "-0.0"),
        ] {
            let mut out = String::new();
            assert_eq!(print_number(token, &mut out), Some(()), "{token}");
            assert_eq!(out, python, "{token}");
        }
        assert_eq!(print_number("1e400", &mut String::new()), None);
        for sign in ["", "-"] {
            let digits = |count| format!("{sign}{}", "1".repeat(count));
            assert_eq!(print_number(&digits(4300), &mut String::new()), Some(()), "{sign}");
            assert_eq!(print_number(&digits(4301), &mut String::new()), None, "{sign}");
        }
    }

    #[test]
    fn text_is_escaped_to_ascii_and_names_are_sorted_by_code_point() {
        let text = "{ \"\u{ffff}\": 1, \"😀\": [ \"a\\u007f\\/\\b\\f\\n\\r\\t\\u001f\\\"\\\\é\" ], \"b\": {} , \"B\": null}";
        let expected =
            r#"{"B":null,"b":{},"\uffff":1,"\ud83d\ude00":["a\u007f/\b\f\n\r\t\u001f\"\\\u00e9"]}"#;
        assert_eq!(python_canonical(text).as_deref(), Some(expected));
    }
}
