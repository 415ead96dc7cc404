//! The reference-schema mode: the verdicts of the reference implementation, by JSON Schema 2020-12.
//!
//! The reference is stricter than its own specification: no unknown members at any level, two forms of language
//! tags only, exactly one of price and range. Use this to find out whether such a reader accepts a manifest. The
//! texts are written for this crate and published with `spec-vectors` too.

use alloc::format;
use alloc::string::ToString;

use jsonschema::Validator;
use serde_json::Value as Json;
use web_values::Severity;

use crate::finding::{Code, Findings, ManifestFinding, is_secret_name};
use crate::{LlmindexTextError, LlmindexTextErrorKind, Options, Report};

/// The schema of a manifest, 0.1 and 0.2.
///
/// Spec: llmindex 0.1, reference schema; LLMI-REF-1, LLMI-REF-2.
pub const MANIFEST_SCHEMA: &str = include_str!("../schema/manifest.schema.json");

/// The schema of a product line.
///
/// Spec: llmindex 0.1, reference schema; LLMI-REF-1.
pub const PRODUCT_SCHEMA: &str = include_str!("../schema/product.schema.json");

/// Both schemas, compiled. Build it once: compiling takes far longer than checking.
///
/// ```
/// use llmindex_types::{Options, ReferenceSchema};
/// let reference = ReferenceSchema::new().unwrap();
/// let line = br#"{"id":"1","title":"t","url":"https://a.example","price_range":{"min":1,"max":2,"currency":"EUR"},
///   "price":1,"currency":"EUR","availability":"in_stock","updated_at":"2026-02-15T08:00:00Z"}"#;
/// let report = reference.check_product(line, &Options::for_product()).unwrap();
/// assert!(!report.is_valid()); // one of price and price range, not both
/// ```
///
/// Spec: llmindex 0.1, reference schema; LLMI-REF-1.
#[derive(Debug, Clone)]
pub struct ReferenceSchema {
    manifest: Validator,
    product: Validator,
}

impl ReferenceSchema {
    /// Compiles both schemas; formats are asserted, and nothing is fetched.
    ///
    /// Returns `None` if the `jsonschema` crate refuses a schema; a test shows that it accepts these.
    #[must_use]
    pub fn new() -> Option<Self> {
        let compile = |text| {
            let schema: Json = serde_json::from_str(text).ok()?;
            jsonschema::draft202012::options().should_validate_formats(true).build(&schema).ok()
        };
        Some(ReferenceSchema { manifest: compile(MANIFEST_SCHEMA)?, product: compile(PRODUCT_SCHEMA)? })
    }

    /// Every place of a manifest that the reference schema refuses, as errors; the mode of `options` does not matter.
    ///
    /// # Errors
    /// As [`validate`](crate::validate).
    ///
    /// Spec: llmindex 0.1, reference schema; LLMI-REF-1, LLMI-REF-2.
    pub fn check_manifest(&self, bytes: &[u8], options: &Options) -> Result<Report, LlmindexTextError> {
        check(&self.manifest, bytes, options)
    }

    /// Every place of a product line that the reference schema refuses, as errors.
    ///
    /// # Errors
    /// As [`validate_product_line`](crate::validate_product_line).
    ///
    /// Spec: llmindex 0.1, reference schema; LLMI-REF-1.
    pub fn check_product(&self, line: &[u8], options: &Options) -> Result<Report, LlmindexTextError> {
        check(&self.product, line, options)
    }
}

fn check(validator: &Validator, bytes: &[u8], options: &Options) -> Result<Report, LlmindexTextError> {
    // Limits, and what a tree of values cannot show, are looked at in the text.
    let document = options.limits.reader().read(bytes);
    let document = document.map_err(|error| LlmindexTextError::of_json(error, bytes, 0))?;
    let ambiguous = options.limits.strict_reader().read(bytes).err();
    let mut findings = Findings::new(options.max_findings);
    let mut error = |code, path: &str, message: alloc::string::String| {
        findings.push(ManifestFinding::new(Severity::Error, code, "LLMI-REF-1", path, message));
    };
    if let Some(ambiguous) = ambiguous {
        let ambiguous = LlmindexTextError::of_json(ambiguous, bytes, 0);
        let code = match ambiguous.kind() {
            LlmindexTextErrorKind::DuplicateMember => Code::DuplicateMember,
            _ => Code::LoneSurrogate,
        };
        let message = ambiguous.to_string();
        error(code, "", message);
    } else {
        match serde_json::from_str::<Json>(document.text()) {
            Ok(json) => {
                for fault in validator.iter_errors(&json).take(options.max_findings.saturating_add(1)) {
                    let keyword = fault.kind().keyword();
                    let message =
                        format!("expected a value that `{keyword}` of the schema allows, found another");
                    error(Code::ReferenceSchema, shown(fault.instance_path().as_str()), message);
                }
            }
            // The text is JSON: what is left are numbers beyond a binary64.
            Err(beyond) => error(Code::NumberNotFinite, "", beyond.to_string()),
        }
    }
    Ok(findings.into_report())
}

/// The pointer up to the first name that looks like a secret.
fn shown(pointer: &str) -> &str {
    let mut end = 0;
    for token in pointer.split_inclusive('/') {
        if is_secret_name(token.trim_end_matches('/')) {
            return pointer.get(..end).unwrap_or_default().trim_end_matches('/');
        }
        end += token.len();
    }
    pointer
}
