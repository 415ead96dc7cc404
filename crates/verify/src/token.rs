//! Tokens: secrets that are told to a domain's owner, who publishes them.
//!
//! A token is made of at least 128 bits that the caller supplies, is bound to one domain, and is compared in
//! constant time. Each issuance takes new random bytes: no function issues the same token again, and only
//! [`Token::rebind_on_user_request`] moves it to another domain.
//!
//! ```
//! # #[cfg(feature = "psl")] {
//! use verify::{BundledSuffixes, Domain, Protocol, Token};
//!
//! let domain = Domain::parse(Protocol::AiWebIndex, "example.com", &BundledSuffixes)?;
//! # let (random, more_random) = ([7; 32], [8; 32]);
//! let token = Token::issue(domain.clone(), &random)?; // 32 bytes from a good generator
//! assert_eq!(token.expose().len(), 64);
//!
//! // A stored token is restored with `expect`.
//! let stored = Token::expect(domain, token.expose())?;
//! assert_eq!(stored, token);
//!
//! // Logs do not show it, and the next token is different.
//! assert!(!format!("{token:?}").contains(token.expose()));
//! assert_ne!(token.rotate(&more_random)?, token);
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use core::fmt;
use core::fmt::Write as _;

use subtle::ConstantTimeEq as _;

use crate::{Domain, Protocol};

/// Least number of random bytes: 128 bits.
pub const MIN_ENTROPY_BYTES: usize = 16;

/// Most random bytes that a token can hold: two digits a byte, 128 characters.
pub const MAX_ENTROPY_BYTES: usize = MAX_TOKEN_CHARS / 2;

/// Fewest characters that can hold 128 bits in the alphabet of 64.
pub(crate) const MIN_TOKEN_CHARS: usize = 22;

const MAX_TOKEN_CHARS: usize = 128;

/// Random bytes of [`Token::issue_with`]: the default token has 64 digits.
const DEFAULT_ENTROPY_BYTES: usize = 32;

/// A token or challenge, bound to the domain that it was issued for.
///
/// `Debug` does not print it; [`expose`](Token::expose) does, under that name. `==` takes the same time wherever
/// two tokens of one length differ.
#[derive(Clone)]
pub struct Token {
    domain: Domain,
    text: Box<str>,
}

impl Token {
    /// Issues a token: the random bytes as lower-case hexadecimal digits, so that none of their bits is lost.
    ///
    /// `entropy` is 16 to 64 bytes of a cryptographic generator, never used before; 32 are the usual choice.
    ///
    /// # Errors
    /// [`TooLittleEntropy`](TokenErrorKind::TooLittleEntropy), [`TooMuchEntropy`](TokenErrorKind::TooMuchEntropy).
    ///
    /// Spec: AIWebIndex 1.0, "Security considerations"; AIWI-VER-10, AIWI-VER-11. The token is opaque: AIWI-VER-13.
    pub fn issue(domain: Domain, entropy: &[u8]) -> Result<Self, TokenError> {
        if entropy.len() < MIN_ENTROPY_BYTES {
            return Err(TokenErrorKind::TooLittleEntropy { len_bytes: entropy.len() }.into());
        }
        if entropy.len() > MAX_ENTROPY_BYTES {
            return Err(TokenErrorKind::TooMuchEntropy { len_bytes: entropy.len() }.into());
        }
        Ok(Token { domain, text: hex(entropy) })
    }

    /// Issues a token of 64 digits from the caller's generator.
    pub fn issue_with(domain: Domain, rng: &mut (impl rand_core::CryptoRng + ?Sized)) -> Self {
        let mut entropy = [0; DEFAULT_ENTROPY_BYTES];
        rng.fill_bytes(&mut entropy);
        Token { domain, text: hex(&entropy) }
    }

    /// Issues a token of 64 digits from the operating system's generator.
    ///
    /// # Errors
    /// [`NoSystemRandomness`](TokenErrorKind::NoSystemRandomness).
    #[cfg(feature = "system-rng")]
    pub fn issue_from_system(domain: Domain) -> Result<Self, TokenError> {
        let mut entropy = [0; DEFAULT_ENTROPY_BYTES];
        getrandom::fill(&mut entropy).map_err(|_| TokenErrorKind::NoSystemRandomness)?;
        Ok(Token { domain, text: hex(&entropy) })
    }

    /// The token to expect: one issued earlier for this domain, or an llmindex manifest's `verify.value`.
    ///
    /// A text too short to hold 128 bits (or, for llmindex, an empty one) is accepted, so that its records can be
    /// explained, but [it proves nothing](Token::proves_nothing): no check of it ever succeeds.
    ///
    /// # Errors
    /// For AIWebIndex [`BadCharacter`](TokenErrorKind::BadCharacter) outside `A-Z a-z 0-9 _ -` and
    /// [`TooLong`](TokenErrorKind::TooLong) past 128 characters; for llmindex, whose challenge is any text, none.
    ///
    /// Spec: AIWI-AMB-28; LLMI-MAN-18.
    pub fn expect(domain: Domain, text: &str) -> Result<Self, TokenError> {
        if domain.protocol() == Protocol::AiWebIndex {
            if let Some((offset, found)) = text.char_indices().find(|&(_, c)| !is_token_char(c)) {
                return Err(TokenErrorKind::BadCharacter { found, offset }.into());
            }
            if text.len() > MAX_TOKEN_CHARS {
                return Err(TokenErrorKind::TooLong { len_bytes: text.len() }.into());
            }
        }
        Ok(Token { domain, text: text.into() })
    }

    /// A new token for the same domain, to replace this one.
    ///
    /// # Errors
    /// Those of [`issue`](Token::issue), and [`NotRotated`](TokenErrorKind::NotRotated) if the bytes are those
    /// of this very token: a generator that repeats itself is broken.
    ///
    /// Spec: AIWI-VER-11.
    pub fn rotate(&self, entropy: &[u8]) -> Result<Self, TokenError> {
        let new = Token::issue(self.domain.clone(), entropy)?;
        if new == *self { Err(TokenErrorKind::NotRotated.into()) } else { Ok(new) }
    }

    /// This token, bound to another domain. Call it only if the user has asked for that.
    ///
    /// # Errors
    /// Those of [`expect`](Token::expect), if the domain is of another protocol that does not allow the token.
    ///
    /// Spec: AIWebIndex 1.0, "Security considerations"; AIWI-VER-12 forbids it otherwise.
    pub fn rebind_on_user_request(self, domain: Domain) -> Result<Self, TokenError> {
        Token::expect(domain, &self.text)
    }

    /// The domain that the token was issued for.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The token's text, to be stored and to be told to the owner.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// Whether the text is too short to prove anything: under 22 characters for AIWebIndex, empty for llmindex.
    #[must_use]
    pub fn proves_nothing(&self) -> bool {
        match self.domain.protocol() {
            Protocol::AiWebIndex => self.text.len() < MIN_TOKEN_CHARS,
            Protocol::Llmindex => self.text.is_empty(),
        }
    }

    /// Returns true for an llmindex challenge that is not 22 or more characters of `A-Z a-z 0-9 _ -`.
    ///
    /// The manifest's author picks the challenge, and may pick a text that the zone happens to have: `v=spf1 -all`
    /// under a wildcard TXT record verifies for everybody. Such a proof says nothing about who controls the zone.
    ///
    /// Spec: LLMI-MAN-18, LLMI-AMB-19.
    #[must_use]
    pub fn is_weak_challenge(&self) -> bool {
        self.domain.protocol() == Protocol::Llmindex
            && (self.text.chars().count() < MIN_TOKEN_CHARS || !self.text.chars().all(is_token_char))
    }

    /// Whether an llmindex challenge reads like the name of a file: a slash, or a dot and a short ending.
    ///
    /// The specification calls `verify.value` a "challenge value or proof file name", and some publishers write a
    /// name. The content of the file must equal the value all the same, and no path is ever built from it.
    ///
    /// Spec: LLMI-AMB-10.
    #[must_use]
    pub fn looks_like_file_name(&self) -> bool {
        let has_ending = self.text.rsplit_once('.').is_some_and(|(name, ending)| {
            !name.is_empty()
                && (1..=5).contains(&ending.len())
                && ending.bytes().all(|b| b.is_ascii_alphanumeric())
        });
        self.domain.protocol() == Protocol::Llmindex && (has_ending || self.text.contains('/'))
    }

    /// The required text of a TXT record or a line: `aiwi-verify=<token>`, or the challenge alone.
    pub(crate) fn published_text(&self) -> String {
        [self.domain.protocol().value_prefix(), &self.text].concat()
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.domain == other.domain && is_equal(self.text.as_bytes(), other.text.as_bytes())
    }
}

impl Eq for Token {}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("domain", &self.domain).finish_non_exhaustive()
    }
}

/// Equality in a time that depends on the lengths alone.
pub(crate) fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

fn hex(bytes: &[u8]) -> Box<str> {
    bytes
        .iter()
        .fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            // Writing into a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
        .into_boxed_str()
}

fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// Why there is no [`Token`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenError {
    kind: TokenErrorKind,
}

/// The reasons to refuse random bytes or a text as a [`Token`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenErrorKind {
    /// Fewer than 16 random bytes: the caller's mistake.
    TooLittleEntropy {
        /// Bytes that were passed.
        len_bytes: usize,
    },
    /// More than 64 random bytes, which no token of 128 characters can hold.
    TooMuchEntropy {
        /// Bytes that were passed.
        len_bytes: usize,
    },
    /// A character outside `A-Z a-z 0-9 _ -`.
    BadCharacter {
        /// The first such character.
        found: char,
        /// Its byte offset.
        offset: usize,
    },
    /// More than 128 characters.
    TooLong {
        /// Bytes of the text.
        len_bytes: usize,
    },
    /// The bytes for the new token are those of the old one.
    NotRotated,
    /// The operating system's random generator failed.
    NoSystemRandomness,
}

impl TokenError {
    /// Why the token was refused.
    #[must_use]
    pub fn kind(&self) -> TokenErrorKind {
        self.kind
    }

    /// Where: the byte offset of a bad character.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        match self.kind {
            TokenErrorKind::BadCharacter { offset, .. } => Some(offset),
            _ => None,
        }
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            TokenErrorKind::TooLittleEntropy { .. } | TokenErrorKind::NoSystemRandomness => "AIWI-VER-10",
            TokenErrorKind::NotRotated => "AIWI-VER-11",
            TokenErrorKind::TooMuchEntropy { .. }
            | TokenErrorKind::BadCharacter { .. }
            | TokenErrorKind::TooLong { .. } => "AIWI-AMB-28",
        }
    }
}

impl From<TokenErrorKind> for TokenError {
    fn from(kind: TokenErrorKind) -> Self {
        TokenError { kind }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TokenErrorKind::TooLittleEntropy { len_bytes } => {
                write!(f, "expected at least {MIN_ENTROPY_BYTES} random bytes, found {len_bytes}")
            }
            TokenErrorKind::TooMuchEntropy { len_bytes } => {
                write!(f, "expected at most {MAX_ENTROPY_BYTES} random bytes, found {len_bytes}")
            }
            TokenErrorKind::BadCharacter { found, offset } => {
                write!(f, "expected a letter, a digit, `_` or `-` at byte {offset}, found {found:?}")
            }
            TokenErrorKind::TooLong { len_bytes } => {
                write!(f, "expected at most {MAX_TOKEN_CHARS} characters, found {len_bytes}")
            }
            TokenErrorKind::NotRotated => {
                f.write_str("expected new random bytes, found those of the old token")
            }
            TokenErrorKind::NoSystemRandomness => {
                f.write_str("expected random bytes of the system, found none")
            }
        }
    }
}

impl core::error::Error for TokenError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoSuffixes;
    use covers::covers;

    fn domain(protocol: Protocol) -> Domain {
        Domain::parse(protocol, "example.com", &NoSuffixes).unwrap()
    }

    #[test]
    fn a_token_is_the_hexadecimal_form_of_its_bytes() {
        let bytes: Vec<u8> = (0..64).map(|i| i * 4 + 1).collect();
        for len in MIN_ENTROPY_BYTES..=MAX_ENTROPY_BYTES {
            let token = Token::issue(domain(Protocol::AiWebIndex), &bytes[..len]).unwrap();
            let back: Vec<u8> = (0..len)
                .map(|i| u8::from_str_radix(&token.expose()[2 * i..2 * i + 2], 16).unwrap())
                .collect();
            assert_eq!(back, bytes[..len]);
            assert!(Token::expect(domain(Protocol::AiWebIndex), token.expose()).unwrap() == token);
            assert!(!token.proves_nothing());
        }
    }

    #[test]
    fn fifteen_bytes_and_sixty_five_are_refused() {
        let issue =
            |len| Token::issue(domain(Protocol::AiWebIndex), &vec![1; len]).map_err(|error| error.kind());
        assert_eq!(issue(15), Err(TokenErrorKind::TooLittleEntropy { len_bytes: 15 }));
        assert_eq!(issue(0), Err(TokenErrorKind::TooLittleEntropy { len_bytes: 0 }));
        assert_eq!(issue(65), Err(TokenErrorKind::TooMuchEntropy { len_bytes: 65 }));
    }

    #[test]
    fn a_generator_fills_the_default_token() {
        struct Counter(u8);
        impl rand_core::TryRng for Counter {
            type Error = core::convert::Infallible;
            fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
                rand_core::utils::next_word_via_fill(self)
            }
            fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
                rand_core::utils::next_word_via_fill(self)
            }
            fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
                for byte in bytes {
                    *byte = self.0;
                    self.0 += 1;
                }
                Ok(())
            }
        }
        impl rand_core::TryCryptoRng for Counter {}
        let token = Token::issue_with(domain(Protocol::Llmindex), &mut Counter(0));
        assert_eq!(token.expose(), "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    }

    #[test]
    #[covers("AIWI-VER-11")]
    fn a_repeated_token_is_no_rotation() {
        let token = Token::issue(domain(Protocol::AiWebIndex), &[1; 16]).unwrap();
        // A new token at each issuance.
        assert_eq!(token.rotate(&[1; 16]).unwrap_err().kind(), TokenErrorKind::NotRotated);
        let new = token.rotate(&[2; 16]).unwrap();
        assert_ne!(new, token);
        assert_eq!(new.domain(), token.domain());
    }

    #[test]
    #[covers("AIWI-VER-12")]
    fn a_token_of_another_domain_is_another_token() {
        let here = Token::issue(domain(Protocol::AiWebIndex), &[1; 16]).unwrap();
        let other = Domain::parse(Protocol::AiWebIndex, "www.example.com", &NoSuffixes).unwrap();
        let there = here.clone().rebind_on_user_request(other.clone()).unwrap();
        assert_ne!(here, there);
        assert_eq!((there.domain(), there.expose()), (&other, here.expose()));
    }

    #[test]
    fn what_can_be_expected_depends_on_the_protocol() {
        let expect = |text: &str| Token::expect(domain(Protocol::AiWebIndex), text).map_err(|e| e.kind());
        assert_eq!(expect("a b"), Err(TokenErrorKind::BadCharacter { found: ' ', offset: 1 }));
        assert_eq!(expect(&"a".repeat(129)), Err(TokenErrorKind::TooLong { len_bytes: 129 }));
        assert!(expect(&"a".repeat(21)).unwrap().proves_nothing());
        assert!(!expect(&"a".repeat(22)).unwrap().proves_nothing());
        let expect = |text: &str| Token::expect(domain(Protocol::Llmindex), text).unwrap();
        assert!(expect("").proves_nothing());
        assert!(!expect("challenge value here").proves_nothing());
    }

    #[test]
    fn file_names_are_recognised_as_such() {
        let is_name =
            |text: &str| Token::expect(domain(Protocol::Llmindex), text).unwrap().looks_like_file_name();
        for text in ["llmindex-verify.txt", "proof/x", "../x", "a.b"] {
            assert!(is_name(text), "{text}");
        }
        for text in ["llmindex-verify=0123456789abcdef", "a.", ".txt", "1.2.333333", "a. b c", ""] {
            assert!(!is_name(text), "{text}");
        }
    }

    #[cfg(feature = "system-rng")]
    #[test]
    fn the_systems_tokens_differ() {
        let issue = || Token::issue_from_system(domain(Protocol::AiWebIndex)).unwrap();
        assert_ne!(issue(), issue());
    }

    /// Moving an llmindex challenge to AIWebIndex is refused unless it is a valid token there.
    #[test]
    fn a_token_is_not_moved_to_a_protocol_that_has_none_such() {
        let here = |protocol| Domain::parse(protocol, "example.com", &NoSuffixes).unwrap();
        let challenge = Token::expect(here(Protocol::Llmindex), "a challenge").unwrap();
        let error = challenge.rebind_on_user_request(here(Protocol::AiWebIndex)).unwrap_err();
        assert_eq!(error.kind(), TokenErrorKind::BadCharacter { found: ' ', offset: 1 });
        let token = Token::issue(here(Protocol::AiWebIndex), &[7; 16]).unwrap();
        assert!(token.rebind_on_user_request(here(Protocol::Llmindex)).is_ok());
    }
}
