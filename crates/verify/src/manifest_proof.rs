//! The proof that an llmindex manifest announces: its method, its challenge, and the host that both are about.

use core::fmt;

use llmindex_types::{ManifestText, Member, VerifyMethod};
use robots::AiWebIndexAgent;

use crate::{
    Domain, DomainError, Protocol, PublicSuffixes, Token, TokenError, WellKnownCheck, WellKnownError,
};

/// The proof that a manifest announces in `verify`.
///
/// ```
/// # #[cfg(feature = "psl")] {
/// use llmindex_types::{Limits, ManifestText, VerifyMethod};
/// use verify::{ManifestProof, BundledSuffixes};
///
/// let json = br#"{"entity":{"canonical_url":"https://shop.example:8443/en/"},
///     "verify":{"method":"http_file","value":"challenge-value-here"}}"#;
/// let manifest = ManifestText::parse(json, &Limits::MANIFEST)?;
/// let proof = ManifestProof::of(&manifest, "shop.example", &BundledSuffixes)?;
/// assert_eq!(proof.method(), VerifyMethod::HttpFile);
/// assert_eq!(proof.token().expose(), "challenge-value-here");
///
/// // Somebody else's manifest, served from this host, proves nothing.
/// assert!(ManifestProof::of(&manifest, "evil.example", &BundledSuffixes).is_err());
/// # }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestProof {
    method: VerifyMethod,
    token: Token,
    port: Option<u16>,
}

impl ManifestProof {
    /// Reads the proof of a manifest that was fetched from this host.
    ///
    /// # Errors
    /// Each [`ManifestProofErrorKind`] for its reason. A defective `verify` is never taken for an absent one.
    ///
    /// Spec: llmindex 0.1, "Verification"; LLMI-VER-1, LLMI-VER-2, LLMI-VER-4, LLMI-AMB-6, LLMI-AMB-9, LLMI-AMB-17.
    pub fn of(
        manifest: &ManifestText<'_>,
        fetched_from: &str,
        suffixes: &dyn PublicSuffixes,
    ) -> Result<Self, ManifestProofError> {
        let verify = match manifest.verify() {
            Member::Absent => return Err(ManifestProofErrorKind::VerifyMissing.into()),
            Member::Defective => return Err(ManifestProofErrorKind::VerifyDefective.into()),
            Member::Present(verify) => verify,
        };
        let url = manifest.canonical_url().ok_or(ManifestProofErrorKind::NoCanonicalUrl)?;
        let parse = |host: &str| {
            Domain::parse(Protocol::Llmindex, host, suffixes).map_err(ManifestProofErrorKind::Domain)
        };
        let domain = parse(url.comparable_host())?;
        if parse(fetched_from)? != domain {
            return Err(ManifestProofErrorKind::OriginMismatch.into());
        }
        let token = Token::expect(domain, &verify.value).map_err(ManifestProofErrorKind::Token)?;
        Ok(ManifestProof { method: verify.method, token, port: url.as_url().port() })
    }

    /// Where the proof lies.
    #[must_use]
    pub fn method(&self) -> VerifyMethod {
        self.method
    }

    /// The challenge, bound to the manifest's host: what [`evaluate_dns`](crate::evaluate_dns) takes.
    #[must_use]
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// The check of the proof file at the manifest's origin, its port included; whatever path the manifest's URL has,
    /// that of the file is fixed.
    ///
    /// # Errors
    /// As [`WellKnownCheck::new`].
    ///
    /// Spec: LLMI-AMB-17.
    pub fn well_known_check<'s>(
        &self,
        user_agent: &AiWebIndexAgent,
        suffixes: &'s dyn PublicSuffixes,
    ) -> Result<WellKnownCheck<'s>, WellKnownError> {
        let check = WellKnownCheck::new(self.token.clone(), user_agent, suffixes)?;
        Ok(match self.port {
            Some(port) => check.at_port(port),
            None => check,
        })
    }
}

/// Why a manifest announces no proof that can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManifestProofError {
    kind: ManifestProofErrorKind,
}

/// The reasons of a [`ManifestProofError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManifestProofErrorKind {
    /// There is no `verify`.
    VerifyMissing,
    /// `verify` is defective: an unknown method, an empty value.
    VerifyDefective,
    /// `entity.canonical_url` is not an `https` URL without userinfo and fragment.
    NoCanonicalUrl,
    /// The manifest is about another host than the one it was fetched from.
    OriginMismatch,
    /// One of the two hosts cannot be proven.
    Domain(DomainError),
    /// The challenge is not a usable token.
    Token(TokenError),
}

impl ManifestProofError {
    /// Why.
    #[must_use]
    pub fn kind(&self) -> ManifestProofErrorKind {
        self.kind
    }

    /// The rule that was broken.
    #[must_use]
    pub fn requirement(&self) -> &'static str {
        match self.kind {
            ManifestProofErrorKind::VerifyMissing | ManifestProofErrorKind::VerifyDefective => "LLMI-MAN-17",
            ManifestProofErrorKind::NoCanonicalUrl => "LLMI-MAN-6",
            ManifestProofErrorKind::OriginMismatch => "LLMI-AMB-6",
            ManifestProofErrorKind::Domain(error) => error.requirement(),
            ManifestProofErrorKind::Token(error) => error.requirement(),
        }
    }
}

impl From<ManifestProofErrorKind> for ManifestProofError {
    fn from(kind: ManifestProofErrorKind) -> Self {
        ManifestProofError { kind }
    }
}

impl fmt::Display for ManifestProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ManifestProofErrorKind::VerifyMissing => f.write_str("expected a member `verify`, found none"),
            ManifestProofErrorKind::VerifyDefective => {
                f.write_str("expected `verify` with a known method and a value, found a defective one")
            }
            ManifestProofErrorKind::NoCanonicalUrl => {
                f.write_str("expected an https url in `entity.canonical_url`, found none")
            }
            ManifestProofErrorKind::OriginMismatch => {
                f.write_str("expected a manifest of the host that it was fetched from, found another's")
            }
            ManifestProofErrorKind::Domain(error) => fmt::Display::fmt(&error, f),
            ManifestProofErrorKind::Token(error) => fmt::Display::fmt(&error, f),
        }
    }
}

impl core::error::Error for ManifestProofError {}

#[cfg(test)]
mod tests {
    use llmindex_types::Limits;
    use robots::AiWebIndexVersion;

    use super::*;
    use crate::{Action, NoSuffixes};

    fn of(url: &str, verify: &str, host: &str) -> Result<ManifestProof, ManifestProofErrorKind> {
        let json = format!(r#"{{"entity":{{"canonical_url":"{url}"}}{verify}}}"#);
        let manifest = ManifestText::parse(json.as_bytes(), &Limits::MANIFEST).unwrap();
        ManifestProof::of(&manifest, host, &NoSuffixes).map_err(|error| error.kind())
    }

    const FILE: &str = r#","verify":{"method":"http_file","value":"x"}"#;

    #[test]
    fn the_file_is_at_the_origin_not_below_the_url() {
        let proof = of("https://Shop.example:8443/en/index.html?x", FILE, "shop.example").unwrap();
        let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V1).verification(true).build().unwrap();
        let check = proof.well_known_check(&agent, &NoSuffixes).unwrap();
        let Action::Send(request) = check.next_action() else { panic!("no request") };
        assert_eq!(request.uri(), "https://shop.example:8443/.well-known/llmindex-proof.txt");
    }

    #[test]
    fn each_fault_has_its_reason() {
        use ManifestProofErrorKind as Kind;
        let good = "https://shop.example/";
        for (url, verify, host, expected) in [
            (good, "", "shop.example", Kind::VerifyMissing),
            (good, r#","verify":null"#, "shop.example", Kind::VerifyDefective),
            (good, r#","verify":{"method":"DNS_TXT","value":"x"}"#, "shop.example", Kind::VerifyDefective),
            (good, r#","verify":{"method":"dns_txt","value":""}"#, "shop.example", Kind::VerifyDefective),
            ("http://shop.example/", FILE, "shop.example", Kind::NoCanonicalUrl),
            ("https://u@shop.example/", FILE, "shop.example", Kind::NoCanonicalUrl),
            (good, FILE, "www.shop.example", Kind::OriginMismatch),
            (good, FILE, "evil.example", Kind::OriginMismatch),
        ] {
            assert_eq!(of(url, verify, host), Err(expected), "{url} {verify} {host}");
        }
        assert!(matches!(of("https://192.0.2.1/", FILE, "192.0.2.1"), Err(Kind::Domain(_))));
        assert!(of(good, FILE, "SHOP.example.").is_ok());
    }
}
