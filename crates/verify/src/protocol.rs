//! The two protocols and the differences between their ownership proofs.
//!
//! | | AIWebIndex 1.0 | llmindex 0.1 |
//! | --- | --- | --- |
//! | TXT record name | `_aiwebindex-verify.<domain>` | `_llmindex-challenge.<domain>` |
//! | TXT record value | `aiwi-verify=<token>` | the challenge itself |
//! | file | `/.well-known/aiwebindex-verify.txt` | `/.well-known/llmindex-proof.txt` |
//! | file content | one line is `aiwi-verify=<token>` | the whole body is the challenge |
//! | token | 22 to 128 of `A-Z a-z 0-9 _ -` | any text that is not empty |
//! | redirects | same registrable domain | same host |
//! | longest domain | 234 octets | 233 octets |

/// Which protocol's proof is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Protocol {
    /// AIWebIndex 1.0: the crawler issues a token, the owner publishes it.
    AiWebIndex,
    /// llmindex 0.1: the publisher's manifest names a challenge, `verify.value`, and the publisher repeats it.
    Llmindex,
}

impl Protocol {
    /// First label of the TXT record's name, such as `_aiwebindex-verify`.
    ///
    /// Spec: AIWebIndex 1.0, "DNS TXT record"; AIWI-VER-2. llmindex 0.1, "DNS TXT"; LLMI-VER-1.
    #[must_use]
    pub const fn record_label(self) -> &'static str {
        match self {
            Protocol::AiWebIndex => "_aiwebindex-verify",
            Protocol::Llmindex => "_llmindex-challenge",
        }
    }

    /// Path of the proof file. It is fixed: no member of a manifest changes it.
    ///
    /// Spec: AIWebIndex 1.0, ".well-known file"; AIWI-VER-6. llmindex 0.1, "HTTP file"; LLMI-VER-2.
    #[must_use]
    pub const fn well_known_path(self) -> &'static str {
        match self {
            Protocol::AiWebIndex => "/.well-known/aiwebindex-verify.txt",
            Protocol::Llmindex => "/.well-known/llmindex-proof.txt",
        }
    }

    /// What is before the token in a record or a line: `aiwi-verify=`, or nothing for llmindex.
    #[must_use]
    pub const fn value_prefix(self) -> &'static str {
        match self {
            Protocol::AiWebIndex => "aiwi-verify=",
            Protocol::Llmindex => "",
        }
    }

    /// Octets that a domain may have so that its record name still fits into the 253 of the DNS.
    ///
    /// Spec: AIWI-AMB-27 (234) and LLMI-AMB-17 (233).
    #[must_use]
    pub const fn max_domain_bytes(self) -> usize {
        MAX_NAME_BYTES - self.record_label().len() - 1
    }

    /// Name for people and logs: `AIWebIndex 1.0` or `llmindex 0.1`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::AiWebIndex => "AIWebIndex 1.0",
            Protocol::Llmindex => "llmindex 0.1",
        }
    }
}

/// Longest name of the DNS in its text form, without the dot of the root.
const MAX_NAME_BYTES: usize = 253;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domain_limits_follow_from_the_labels() {
        assert_eq!(Protocol::AiWebIndex.record_label().len(), 18);
        assert_eq!(Protocol::AiWebIndex.value_prefix().len(), 12);
        assert_eq!(Protocol::AiWebIndex.max_domain_bytes(), 234);
        assert_eq!(Protocol::Llmindex.record_label().len(), 19);
        assert_eq!(Protocol::Llmindex.max_domain_bytes(), 233);
    }
}
