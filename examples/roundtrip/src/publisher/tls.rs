//! The certificate, made when the publisher starts and forgotten when it ends.

use std::sync::Arc;

use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::RoundtripError;

/// A self-signed certificate for `127.0.0.1`, `::1` and `localhost`, with its key.
#[derive(Clone)]
pub struct Certificate {
    der: CertificateDer<'static>,
    key_der: Vec<u8>,
    /// The certificate in PEM form: what a client is told to trust.
    pub pem: String,
    /// The private key in PEM form: for a proxy that stands in front of the publisher.
    pub key_pem: String,
}

impl std::fmt::Debug for Certificate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key stays out of logs.
        f.debug_struct("Certificate").field("pem", &self.pem).finish_non_exhaustive()
    }
}

impl Certificate {
    /// Makes a new one.
    ///
    /// # Errors
    /// [`RoundtripError::Tls`] where the system gives no randomness.
    pub fn generate() -> Result<Self, RoundtripError> {
        let names = ["127.0.0.1", "::1", "localhost"].map(str::to_owned);
        let mut params = CertificateParams::new(names).map_err(tls_error)?;
        params.distinguished_name.push(DnType::CommonName, "aiweb roundtrip on loopback");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate().map_err(tls_error)?;
        let certificate = params.self_signed(&key).map_err(tls_error)?;
        Ok(Certificate {
            der: certificate.der().clone(),
            pem: certificate.pem(),
            key_pem: key.serialize_pem(),
            key_der: key.serialize_der(),
        })
    }

    /// The server's side of TLS, offering HTTP/2 before HTTP/1.1.
    ///
    /// # Errors
    /// [`RoundtripError::Tls`] where rustls refuses the key.
    pub fn server_config(&self) -> Result<rustls::ServerConfig, RoundtripError> {
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key_der.clone()));
        let mut config = rustls::ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(tls_error)?
            .with_no_client_auth()
            .with_single_cert(vec![self.der.clone()], key)
            .map_err(tls_error)?;
        config.alpn_protocols = alpn();
        Ok(config)
    }

    /// The client's side of TLS, trusting this certificate and no other.
    ///
    /// # Errors
    /// [`RoundtripError::Tls`] where rustls refuses the certificate.
    pub fn client_config(&self) -> Result<rustls::ClientConfig, RoundtripError> {
        let mut roots = rustls::RootCertStore::empty();
        roots.add(self.der.clone()).map_err(tls_error)?;
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

fn tls_error(error: impl std::fmt::Display) -> RoundtripError {
    RoundtripError::Tls(error.to_string())
}
