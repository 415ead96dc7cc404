//! What a valid signature does not cover.
//!
//! A signature covers the manifest's canonical form, RFC 8785, without its member `sig`. So it covers neither white
//! space, the order of members and escapes, nor the spelling of numbers. The last one can matter: canonical numbers are
//! doubles, so `9007199254740993` and `9007199254740992` are the same. And of `sig` only `alg`, `kid` and `jws` are
//! checked.

use tct_canonical_json::{JsonKind, JsonReader, JsonValue, Profile, to_canonical};

/// Doubles represent every integer up to this one.
const MAX_EXACT_INTEGER: u64 = 1 << 53;

/// What can be changed in a text without breaking its signature, besides white space, order and
/// escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Uncovered {
    /// An integer past 2^53: another one nearby has the same canonical form.
    pub(super) has_inexact_integers: bool,
    /// A number whose canonical text is another one, such as `1.0`.
    pub(super) has_respelled_numbers: bool,
    /// A member of `sig` besides `alg`, `kid` and `jws`.
    pub(super) has_unknown_sig_members: bool,
}

impl Uncovered {
    /// Inspects a parsed manifest: every value once, without recursion.
    pub(super) fn of(manifest: &[u8]) -> Self {
        let mut found = Uncovered::default();
        let Ok(document) = JsonReader::new().report_huge_numbers().read(manifest) else { return found };
        let root = document.root();
        if let Some(sig) = root.get("sig") {
            let is_known = |name: &str| matches!(name, "alg" | "kid" | "jws");
            found.has_unknown_sig_members = sig.members().any(|(name, _)| !is_known(&name.as_str()));
        }
        let mut open: Vec<JsonValue<'_>> =
            root.members().filter(|(name, _)| !name.is("sig")).map(|(_, value)| value).collect();
        while let Some(value) = open.pop() {
            match value.kind() {
                JsonKind::Object => open.extend(value.members().map(|(_, value)| value)),
                JsonKind::Array => open.extend(value.items()),
                JsonKind::Number => found.look_at(value.raw()),
                _ => {}
            }
        }
        found
    }

    fn look_at(&mut self, number: &str) {
        let digits = number.strip_prefix('-').unwrap_or(number);
        let is_integer = digits.bytes().all(|b| b.is_ascii_digit());
        // Short integers are what they are, and there are many of them.
        if is_integer && digits.len() < 16 && number != "-0" {
            return;
        }
        self.has_inexact_integers |= is_integer && digits.parse().is_ok_and(|n: u64| n > MAX_EXACT_INTEGER);
        self.has_inexact_integers |= is_integer && digits.len() > 19;
        let canonical = to_canonical(number.as_bytes(), Profile::Rfc8785);
        self.has_respelled_numbers |= canonical.is_ok_and(|canonical| canonical != number.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_altered_is_found() {
        let of = |json: &str| {
            let found = Uncovered::of(json.as_bytes());
            (found.has_inexact_integers, found.has_respelled_numbers, found.has_unknown_sig_members)
        };
        for (json, expected) in [
            (r#"{"a":[1,{"b":-20}],"sig":{"alg":"x","kid":"y","jws":"z"}}"#, (false, false, false)),
            (r#"{"a":9007199254740992}"#, (false, false, false)),
            (r#"{"a":9007199254740993}"#, (true, true, false)),
            (r#"{"a":[[-9007199254740994]]}"#, (true, false, false)),
            (r#"{"a":100000000000000000000}"#, (true, false, false)),
            (r#"{"a":1.0}"#, (false, true, false)),
            (r#"{"a":{"b":1e2}}"#, (false, true, false)),
            (r#"{"a":-0}"#, (false, true, false)),
            (r#"{"a":1.5}"#, (false, false, false)),
            (r#"{"sig":{"alg":"x","note":1.0}}"#, (false, false, true)),
            ("[]", (false, false, false)),
        ] {
            assert_eq!(of(json), expected, "{json}");
        }
    }
}
