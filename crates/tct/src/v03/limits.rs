//! How large a document may be.

use core::cmp::Ordering;

use serde_json::Value;
use tct_canonical_json::{Canonicalizer, JsonDocument, JsonError, JsonKind, JsonReader, Profile};

/// Limits on documents. The defaults are those of the draft's reference implementation.
///
/// ```
/// use tct::v03::{BodyLimits, Identity};
/// use tct_canonical_json::JsonErrorKind;
/// let strict = BodyLimits::default().with_max_depth(1);
/// assert!(Identity::of_json(b"[[]]", &strict).is_ok());
/// let error = Identity::of_json(b"[[0]]", &strict).unwrap_err();
/// assert_eq!(error.kind(), JsonErrorKind::TooDeep.into());
/// ```
///
/// Spec: TCT draft-03; TCT3-LIM-1 to TCT3-LIM-5, TCT3-LIM-9.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BodyLimits {
    /// Bytes of the body, and of its canonical form. Default: 16,777,216.
    pub max_bytes: usize,
    /// Containers around a value. Default: 64. A scalar may be nested in 64 arrays, and so may an empty
    /// array.
    pub max_depth: usize,
    /// Values, each container and the document itself included; names do not count. Default: 100,000.
    pub max_values: usize,
    /// Bytes of a member's name in UTF-8, without escapes. Default: 16,384.
    pub max_name_bytes: usize,
    /// Bytes of a string in UTF-8, without escapes. Default: 4,194,304.
    pub max_string_bytes: usize,
    /// Items of a sitemap that is written. Default: 10,000; `max_values` ends a sitemap near 20,000.
    pub max_items: usize,
}

impl Default for BodyLimits {
    fn default() -> Self {
        BodyLimits {
            max_bytes: 16 << 20,
            max_depth: 64,
            max_values: 100_000,
            max_name_bytes: 16 << 10,
            max_string_bytes: 4 << 20,
            max_items: 10_000,
        }
    }
}

with_each! { BodyLimits
    /// The same limits with another size.
    with_max_bytes: max_bytes: usize;
    /// The same limits with another depth.
    with_max_depth: max_depth: usize;
    /// The same limits with another number of values.
    with_max_values: max_values: usize;
    /// The same limits with another length of names.
    with_max_name_bytes: max_name_bytes: usize;
    /// The same limits with another length of strings.
    with_max_string_bytes: max_string_bytes: usize;
    /// The same limits with another number of items.
    with_max_items: max_items: usize;
}

impl BodyLimits {
    /// The reader of these limits.
    pub(crate) const fn reader(&self) -> JsonReader {
        JsonReader::new()
            .max_bytes(self.max_bytes)
            .max_depth(self.max_open())
            .max_value_depth(self.max_depth)
            .max_values(self.max_values)
            .max_name_bytes(self.max_name_bytes)
            .max_string_bytes(self.max_string_bytes)
    }

    /// The canonicalizer of these limits, for values of the size `max_bytes`.
    pub(super) const fn canonicalizer(&self) -> Canonicalizer {
        Canonicalizer::new(Profile::Rfc8785)
            .max_depth(self.max_open())
            .max_input(self.max_bytes)
            .max_output(self.max_bytes)
    }

    /// Returns true if a flat object of this size is within the limits.
    pub(super) const fn allows_flat(&self, len_bytes: usize) -> bool {
        len_bytes <= self.max_bytes && len_bytes <= JsonReader::LONGEST && self.max_depth > 0
    }

    /// Whether a document that has been read is its own RFC 8785 form.
    ///
    /// The reader has checked the syntax and the escapes of the text, so strings need no second check.
    pub(crate) fn is_canonical(&self, document: &JsonDocument<'_>) -> bool {
        let (root, text) = (document.root(), document.text());
        if root.kind() != JsonKind::Object || root.span() != (0..text.len()) {
            return self.is_canonical_text(text);
        }
        if !document.has_canonical_escapes() {
            return false;
        }
        let mut at = 1;
        let mut last: Option<tct_canonical_json::JsonName<'_>> = None;
        for (name, value) in root.members() {
            let (name_span, span) = (name.span(), value.span());
            // In front of a name is a comma, except for the first; behind it a colon; and nothing else.
            let is_in_place =
                name_span.start == at + usize::from(last.is_some()) && span.start == name_span.end + 1;
            let rises = last.is_none_or(|last| {
                Profile::Rfc8785.compare_names(&last.as_str(), &name.as_str()) == Ordering::Less
            });
            let is_canonical = match value.kind() {
                JsonKind::String | JsonKind::Null | JsonKind::Bool => true,
                _ => self.is_canonical_text(value.raw()),
            };
            if !(is_in_place && rises && is_canonical) {
                return false;
            }
            at = span.end;
            last = Some(name);
        }
        at + 1 == text.len()
    }

    fn is_canonical_text(&self, text: &str) -> bool {
        self.canonicalizer().check_canonical(text.as_bytes()).is_none()
    }

    /// Returns true if a value in `depth` containers and everything in it is within the limits. Counts the
    /// values.
    pub(super) fn allows_value(&self, value: &Value, depth: usize, values: &mut usize) -> bool {
        let mut open = vec![(value, depth)];
        while let Some((value, depth)) = open.pop() {
            *values += 1;
            let is_within = match value {
                Value::String(text) => text.len() <= self.max_string_bytes,
                Value::Array(items) => {
                    open.extend(items.iter().map(|item| (item, depth + 1)));
                    true
                }
                Value::Object(members) => {
                    open.extend(members.values().map(|member| (member, depth + 1)));
                    members.keys().all(|name| name.len() <= self.max_name_bytes)
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => true,
            };
            if !is_within || depth > self.max_depth || *values > self.max_values {
                return false;
            }
        }
        true
    }

    /// Checks that canonical bytes are within the limits.
    pub(super) fn check(&self, canonical: &[u8]) -> Result<(), JsonError> {
        self.reader().read(canonical).map(|_| ())
    }

    /// One container more than may be around a value, since an empty container is a value too.
    const fn max_open(&self) -> usize {
        self.max_depth.saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A value exactly at each limit (levels, values, bytes of texts and names) is accepted, and
    /// one beyond it is not.
    #[test]
    fn a_value_is_allowed_up_to_each_limit() {
        let limits = BodyLimits {
            max_depth: 2,
            max_values: 4,
            max_string_bytes: 3,
            max_name_bytes: 2,
            ..BodyLimits::default()
        };
        for (value, depth, values) in [
            (json!(null), 2, Some(1)),
            (json!(null), 3, None),
            (json!([[true]]), 0, Some(3)),
            (json!([[[true]]]), 0, None),
            (json!([[]]), 1, Some(2)),
            (json!([[]]), 2, None),
            (json!([1, 2, 3]), 0, Some(4)),
            (json!([1, 2, 3, 4]), 0, None),
            (json!({"a": 1, "b": {"c": 2}}), 0, Some(4)),
            (json!({"a": 1, "b": {"c": 2, "d": 3}}), 0, None),
            (json!("abc"), 0, Some(1)),
            (json!("abcd"), 0, None),
            (json!("éa"), 0, Some(1)),
            (json!("éé"), 0, None),
            (json!({"ab": "abc"}), 0, Some(2)),
            (json!({"abc": 1}), 0, None),
            (json!([{"x": {"abc": 1}}]), 0, None),
        ] {
            let mut counted = 0;
            let is_allowed = limits.allows_value(&value, depth, &mut counted);
            assert_eq!(is_allowed.then_some(counted), values, "{value} in {depth}");
        }
        // Values of several members count together.
        let mut counted = 3;
        assert!(
            limits.allows_value(&json!(1), 0, &mut counted)
                && !limits.allows_value(&json!(1), 0, &mut counted)
        );
    }
}
