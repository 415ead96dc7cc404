//! The checked domain: the one host that a proof is about.
//!
//! A domain is read once and kept in the form that goes into DNS names and URLs: lower case, A-labels, no trailing
//! dot. Unicode input goes through UTS 46 as in browsers, so that a look-alike (`аpple.com` with a Cyrillic `а`)
//! becomes visibly another name, `xn--pple-43d.com`. Refused are: anything that is not a host name (white space,
//! line breaks, `/`, `:`, `@`, `_`, …), IP addresses in every spelling, names of one label, public suffixes, and
//! names so long that the record name would not fit into the DNS.
//!
//! A proof for `example.com` says nothing about `www.example.com`, nor the reverse (AIWI-AMB-27).

use core::fmt;
use std::net::Ipv6Addr;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::{Protocol, PublicSuffixes};

/// Longest input in bytes. A name of 253 octets in A-labels is shorter than this in any spelling that maps to it
/// one to one.
const MAX_INPUT_BYTES: usize = 1024;

/// Longest label in octets.
const MAX_LABEL_BYTES: usize = 63;

/// A host name whose ownership can be proven under one protocol.
///
/// ```
/// # #[cfg(feature = "psl")] {
/// use verify::{Domain, BundledSuffixes, Protocol};
///
/// let domain = Domain::parse(Protocol::AiWebIndex, "Bücher.Example.", &BundledSuffixes)?;
/// assert_eq!(domain.as_str(), "xn--bcher-kva.example");
/// # }
/// # Ok::<(), verify::DomainError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Domain {
    protocol: Protocol,
    ascii: Box<str>,
}

impl Domain {
    /// Parses and normalises a host name: Unicode or A-labels, any case, with or without the dot of the root.
    ///
    /// `O(n)`; input is at most 1,024 bytes.
    ///
    /// # Errors
    /// Each [`DomainErrorKind`] for its reason. `suffixes` is asked last; with [`NoSuffixes`](crate::NoSuffixes)
    /// public suffixes of two labels or more are not recognised.
    ///
    /// ```
    /// # #[cfg(feature = "psl")] {
    /// use verify::{Domain, DomainErrorKind, BundledSuffixes, Protocol};
    ///
    /// let refused = |text: &str| Domain::parse(Protocol::AiWebIndex, text, &BundledSuffixes).unwrap_err().kind();
    /// assert_eq!(refused("example.com\r\nhost: evil.example"), DomainErrorKind::BadCharacter { found: '\r' });
    /// assert_eq!(refused("192.0.2.1"), DomainErrorKind::IpAddress);
    /// assert_eq!(refused("localhost"), DomainErrorKind::SingleLabel);
    /// # }
    /// ```
    ///
    /// Spec: AIWI-AMB-27, LLMI-AMB-17.
    pub fn parse(protocol: Protocol, text: &str, suffixes: &dyn PublicSuffixes) -> Result<Self, DomainError> {
        let fail = |kind, offset| Err(DomainError { kind, offset });
        if text.len() > MAX_INPUT_BYTES {
            return fail(
                DomainErrorKind::TooLong { len_bytes: text.len(), max_bytes: MAX_INPUT_BYTES },
                MAX_INPUT_BYTES,
            );
        }
        if is_ipv6(text) {
            return fail(DomainErrorKind::IpAddress, 0);
        }
        if let Some((offset, found)) = text.char_indices().find(|&(_, c)| !is_name_char(c)) {
            return fail(DomainErrorKind::BadCharacter { found }, offset);
        }
        let mapped =
            Uts46::new().to_ascii(text.as_bytes(), AsciiDenyList::STD3, Hyphens::Allow, DnsLength::Ignore);
        let Ok(mapped) = mapped else { return fail(DomainErrorKind::BadIdna, 0) };
        let ascii = mapped.strip_suffix('.').unwrap_or(&mapped);
        if ascii.is_empty() {
            return fail(DomainErrorKind::Empty, 0);
        }
        let max_bytes = protocol.max_domain_bytes();
        if ascii.len() > max_bytes {
            return fail(DomainErrorKind::TooLong { len_bytes: ascii.len(), max_bytes }, max_bytes);
        }
        let mut offset = 0;
        for label in ascii.split('.') {
            if label.is_empty() {
                return fail(DomainErrorKind::EmptyLabel, offset);
            }
            if label.len() > MAX_LABEL_BYTES {
                return fail(DomainErrorKind::LabelTooLong { len_bytes: label.len() }, offset);
            }
            offset += label.len() + 1;
        }
        if ends_in_number(ascii) {
            return fail(DomainErrorKind::IpAddress, 0);
        }
        if !ascii.contains('.') {
            return fail(DomainErrorKind::SingleLabel, 0);
        }
        if suffixes.public_suffix(ascii) == Some(ascii) {
            return fail(DomainErrorKind::PublicSuffix, 0);
        }
        Ok(Domain { protocol, ascii: ascii.into() })
    }

    /// The name: lower case, A-labels, no trailing dot.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.ascii
    }

    /// The protocol whose limits were checked.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.ascii)
    }
}

/// Characters that some spelling of a host name can contain: in ASCII letters, digits, hyphen and dot; UTS 46
/// checks the others.
fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || c == '-'
        || c == '.'
        || (!c.is_ascii() && !c.is_control() && !c.is_whitespace())
}

fn is_ipv6(text: &str) -> bool {
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    inner.parse::<Ipv6Addr>().is_ok()
}

/// The rule of the URL standard: a host whose last label is a number is an IPv4 address, valid or not.
fn ends_in_number(ascii: &str) -> bool {
    let last = ascii.rsplit('.').next().unwrap_or(ascii);
    let is_hex = |digits: &str| digits.bytes().all(|b| b.is_ascii_hexdigit());
    last.bytes().all(|b| b.is_ascii_digit()) || last.strip_prefix("0x").is_some_and(is_hex)
}

/// Why a text is not a [`Domain`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DomainError {
    kind: DomainErrorKind,
    offset: usize,
}

/// The reasons to refuse a text as a [`Domain`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DomainErrorKind {
    /// The text is empty.
    Empty,
    /// A character that no host name has: white space, a control, a delimiter of URLs, `_`, …
    BadCharacter {
        /// The first such character.
        found: char,
    },
    /// UTS 46 refuses the name: a broken A-label, a disallowed character, mixed direction.
    BadIdna,
    /// Two dots in a row, or one at the start.
    EmptyLabel,
    /// A label of more than 63 octets.
    LabelTooLong {
        /// Octets of that label.
        len_bytes: usize,
    },
    /// A name whose record name would not fit into 253 octets.
    TooLong {
        /// Octets of the name.
        len_bytes: usize,
        /// Octets that are allowed.
        max_bytes: usize,
    },
    /// An IPv4 or IPv6 address, in any spelling that browsers take for one.
    IpAddress,
    /// A name without a dot.
    SingleLabel,
    /// A name under which others register names, such as `co.uk` or `github.io`.
    PublicSuffix,
}

impl DomainError {
    /// Why the text was refused.
    #[must_use]
    pub fn kind(&self) -> DomainErrorKind {
        self.kind
    }

    /// Where: the byte offset in the text, or in its normalised form for faults of labels and length.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        "AIWI-AMB-27, LLMI-AMB-17"
    }
}

impl fmt::Display for DomainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            DomainErrorKind::Empty => f.write_str("expected a host name, found nothing"),
            DomainErrorKind::BadCharacter { found } => {
                write!(f, "expected a character of a host name at byte {}, found {found:?}", self.offset)
            }
            DomainErrorKind::BadIdna => {
                f.write_str("expected a name that UTS 46 can map, found one it refuses")
            }
            DomainErrorKind::EmptyLabel => {
                write!(f, "expected a label at byte {}, found none between two dots", self.offset)
            }
            DomainErrorKind::LabelTooLong { len_bytes } => {
                write!(
                    f,
                    "expected at most 63 octets in the label at byte {}, found {len_bytes}",
                    self.offset
                )
            }
            DomainErrorKind::TooLong { len_bytes, max_bytes } => {
                write!(f, "expected a name of at most {max_bytes} octets, found {len_bytes}")
            }
            DomainErrorKind::IpAddress => f.write_str("expected a host name, found an ip address"),
            DomainErrorKind::SingleLabel => f.write_str("expected a name of two labels or more, found one"),
            DomainErrorKind::PublicSuffix => {
                f.write_str("expected a name that one owner registered, found a public suffix")
            }
        }
    }
}

impl core::error::Error for DomainError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoSuffixes;

    fn parse(text: &str) -> Result<String, DomainErrorKind> {
        Domain::parse(Protocol::AiWebIndex, text, &NoSuffixes)
            .map(|domain| domain.as_str().to_owned())
            .map_err(|error| error.kind())
    }

    #[test]
    fn names_are_normalised() {
        for (text, expected) in [
            ("EXAMPLE.com", "example.com"),
            ("example.com.", "example.com"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("faß.example", "xn--fa-hia.example"),
            ("a--b-.example.com", "a--b-.example.com"),
            ("ｅｘａｍｐｌｅ.com", "example.com"),
            // Cyrillic а: another name, visibly.
            ("аpple.com", "xn--pple-43d.com"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_host_name_is_refused_with_its_own_reason() {
        use DomainErrorKind as Kind;
        for (text, expected) in [
            ("", Kind::Empty),
            (".", Kind::Empty),
            ("example.com..", Kind::EmptyLabel),
            (".example.com", Kind::EmptyLabel),
            ("a..example.com", Kind::EmptyLabel),
            ("example.com\r\nx: y", Kind::BadCharacter { found: '\r' }),
            ("example.com\0", Kind::BadCharacter { found: '\0' }),
            (" example.com", Kind::BadCharacter { found: ' ' }),
            ("https://example.com", Kind::BadCharacter { found: ':' }),
            ("example.com:443", Kind::BadCharacter { found: ':' }),
            ("user@example.com", Kind::BadCharacter { found: '@' }),
            ("example.com/x", Kind::BadCharacter { found: '/' }),
            ("*.example.com", Kind::BadCharacter { found: '*' }),
            ("_dmarc.example.com", Kind::BadCharacter { found: '_' }),
            ("example%2ecom", Kind::BadCharacter { found: '%' }),
            ("example\u{2028}.com", Kind::BadCharacter { found: '\u{2028}' }),
            ("example.com／x", Kind::BadIdna), // a full-width slash maps to one
            ("xn--a.example", Kind::BadIdna),
            ("192.0.2.1", Kind::IpAddress),
            ("192.0.2.1.", Kind::IpAddress),
            ("3221225985", Kind::IpAddress),
            ("0xc0.0.0x201", Kind::IpAddress),
            ("１９２.0.2.１", Kind::IpAddress),
            ("1.2.3.4.5", Kind::IpAddress),
            ("2001:db8::1", Kind::IpAddress),
            ("[2001:db8::1]", Kind::IpAddress),
            ("localhost", Kind::SingleLabel),
            ("com", Kind::SingleLabel),
        ] {
            assert_eq!(parse(text), Err(expected), "{text:?}");
        }
    }

    #[test]
    fn lengths_are_checked_to_the_octet() {
        let name = |len: usize| {
            let mut name = "a".repeat(len % 60) + ".";
            while name.len() < len {
                name = format!("{}.{name}", "b".repeat((len - name.len()).min(61) - 1));
            }
            name
        };
        for (protocol, max) in [(Protocol::AiWebIndex, 234), (Protocol::Llmindex, 233)] {
            let fits = name(max + 1); // one more for the dot of the root
            assert_eq!(Domain::parse(protocol, &fits, &NoSuffixes).unwrap().as_str().len(), max);
            let error = Domain::parse(protocol, &name(max + 2), &NoSuffixes).unwrap_err();
            assert_eq!(error.kind(), DomainErrorKind::TooLong { len_bytes: max + 1, max_bytes: max });
        }
        let label = format!("{}.example.com", "a".repeat(64));
        assert_eq!(parse(&label), Err(DomainErrorKind::LabelTooLong { len_bytes: 64 }));
        assert!(matches!(parse(&"a".repeat(5000)), Err(DomainErrorKind::TooLong { .. })));
    }

    #[cfg(feature = "psl")]
    #[test]
    fn public_suffixes_belong_to_nobody() {
        for text in ["co.uk", "github.io", "GitHub.IO.", "shop.ck"] {
            let error = Domain::parse(Protocol::Llmindex, text, &crate::BundledSuffixes).unwrap_err();
            assert_eq!(error.kind(), DomainErrorKind::PublicSuffix, "{text}");
        }
        for text in ["alice.github.io", "www.ck", "a.shop.ck", "example.test"] {
            assert!(Domain::parse(Protocol::Llmindex, text, &crate::BundledSuffixes).is_ok(), "{text}");
        }
    }
}
