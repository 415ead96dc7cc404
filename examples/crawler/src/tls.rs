//! Trusted certificates: those of the platform, and those that `--ca` adds. Certificate checks cannot be switched
//! off.
//!
//! Spec: TCT draft-00, "Security Considerations"; TCT-SEC-2.

use std::path::Path;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls_platform_verifier::Verifier;

use crate::CrawlerError;

/// The certificates of a PEM file.
///
/// # Errors
/// [`CrawlerError::File`] if it cannot be read, or holds none.
#[expect(clippy::disallowed_methods, reason = "a program reads files")]
pub fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, CrawlerError> {
    let failed = |why: String| CrawlerError::File { path: path.to_owned(), why };
    let pem = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
    certificates_of(&pem).map_err(failed)
}

/// The certificates of a PEM text.
pub(crate) fn certificates_of(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err("expected a certificate in PEM, found none".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// A client's settings that trust what the platform trusts, and these.
///
/// # Errors
/// [`CrawlerError::Client`] if one of them is not the certificate of an authority, or the platform trusts none.
pub fn client_config(extra: &[CertificateDer<'static>]) -> Result<ClientConfig, CrawlerError> {
    let failed = |error: rustls::Error| CrawlerError::Client(error.to_string());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = Verifier::new_with_extra_roots(extra.iter().cloned(), Arc::clone(&provider));
    let verifier = Arc::new(verifier.map_err(failed)?);
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    // "Dangerous" is any verifier that rustls did not make; this one checks everything, by the platform's rules.
    let config = config.map_err(failed)?.dangerous().with_custom_certificate_verifier(verifier);
    let mut config = config.with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
