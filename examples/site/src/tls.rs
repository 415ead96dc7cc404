//! The certificate: made when the publisher starts and forgotten when it ends, or read from PEM files.

use std::sync::Arc;

use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::SiteError;

/// A certificate, with those above it, and its key.
#[derive(Clone)]
pub struct Certificate {
    chain: Vec<CertificateDer<'static>>,
    /// The certificate in PEM form: what a client is told to trust.
    pub pem: String,
    /// The private key in PEM form: for a proxy in front of the publisher.
    pub key_pem: String,
}

impl std::fmt::Debug for Certificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key stays out of logs.
        f.debug_struct("Certificate").field("pem", &self.pem).finish_non_exhaustive()
    }
}

impl Certificate {
    /// Makes a new one, signed by itself, for `127.0.0.1`, `::1`, `localhost` and this host.
    ///
    /// # Errors
    /// [`SiteError::Tls`] if the host is no name, or the system gives no randomness.
    pub fn generate(host: &str) -> Result<Self, SiteError> {
        let mut names = vec!["127.0.0.1".to_owned(), "::1".to_owned(), "localhost".to_owned()];
        if !names.iter().any(|name| name == host) {
            names.push(host.to_owned());
        }
        let mut params = CertificateParams::new(names).map_err(tls_error)?;
        params.distinguished_name.push(DnType::CommonName, "aiweb example site");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate().map_err(tls_error)?;
        let certificate = params.self_signed(&key).map_err(tls_error)?;
        Self::from_pem(certificate.pem(), key.serialize_pem())
    }

    /// The certificate and the private key of these texts in PEM form.
    ///
    /// # Errors
    /// [`SiteError::Tls`] if a text holds none.
    pub fn from_pem(pem: String, key_pem: String) -> Result<Self, SiteError> {
        let chain = CertificateDer::pem_slice_iter(pem.as_bytes()).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(tls_error)?;
        if chain.is_empty() {
            return Err(tls_error("expected a certificate in PEM form, found none"));
        }
        PrivateKeyDer::from_pem_slice(key_pem.as_bytes()).map_err(tls_error)?;
        Ok(Certificate { chain, pem, key_pem })
    }

    /// The server's side of TLS, offering HTTP/2 before HTTP/1.1.
    ///
    /// # Errors
    /// [`SiteError::Tls`] if rustls refuses the key.
    pub fn server_config(&self) -> Result<rustls::ServerConfig, SiteError> {
        let key = PrivateKeyDer::from_pem_slice(self.key_pem.as_bytes()).map_err(tls_error)?;
        let mut config = rustls::ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(tls_error)?
            .with_no_client_auth()
            .with_single_cert(self.chain.clone(), key)
            .map_err(tls_error)?;
        config.alpn_protocols = alpn();
        Ok(config)
    }

    /// The client's side of TLS, trusting this certificate and no other.
    ///
    /// # Errors
    /// [`SiteError::Tls`] if rustls refuses the certificate.
    pub fn client_config(&self) -> Result<rustls::ClientConfig, SiteError> {
        let mut roots = rustls::RootCertStore::empty();
        for certificate in &self.chain {
            roots.add(certificate.clone()).map_err(tls_error)?;
        }
        let mut config = rustls::ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(tls_error)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = alpn();
        Ok(config)
    }
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn alpn() -> Vec<Vec<u8>> {
    vec![b"h2".to_vec(), b"http/1.1".to_vec()]
}

fn tls_error(error: impl std::fmt::Display) -> SiteError {
    SiteError::Tls(error.to_string())
}
