//! Signatures: of manifests, and of requests by Web Bot Auth.

use bot_auth::{CrawlerSigner, Fetched, Identity, Message, Policy};
use jwk::{Jwk, JwkSet, SigningKey};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use verify::{JwsForm, ManifestVerifier, Origin};
use web_values::UnixSeconds;

use crate::failure::{Class, Failure};
use crate::text::Text;

/// Header lines: pairs of name and value.
type Lines = Vec<(String, Vec<u8>)>;

fn bad_key(error: jwk::JwkError) -> Failure {
    Failure::new(Class::Key, error.code(), error)
}

/// The manifest with a signature of this key.
#[pyfunction]
pub(crate) fn sign_manifest<'py>(
    py: Python<'py>,
    manifest: Text,
    key: Text,
    detached: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let key = SigningKey::from_jwk(key.bytes()).map_err(bad_key)?;
    let form = if detached { JwsForm::Detached } else { JwsForm::Attached };
    let signed = verify::sign_manifest(manifest.bytes(), &key, form)
        .map_err(|error| Failure::new(Class::Signature, error.code(), &error))?;
    Ok(PyBytes::new(py, signed.as_bytes()))
}

/// Whether a manifest's signature holds: verdict, reason, key, caveats.
#[pyfunction]
#[pyo3(signature = (manifest, keys, fetched_from))]
pub(crate) fn verify_manifest(
    manifest: Text,
    keys: Text,
    fetched_from: Option<&str>,
) -> PyResult<(bool, &'static str, Option<String>, Vec<&'static str>)> {
    let keys = JwkSet::parse(keys.bytes()).map_err(bad_key)?;
    let origin = fetched_from.map_or(Origin::Unchecked, Origin::FetchedFrom);
    let report = ManifestVerifier::new(&keys, origin)
        .verify(manifest.bytes())
        .map_err(|error| Failure::new(Class::Signature, error.code(), &error))?;
    let caveats = report.caveats().iter().map(|caveat| caveat.code()).collect();
    Ok((report.is_valid(), report.reason.code(), report.kid.as_ref().map(ToString::to_string), caveats))
}

/// The RFC 7638 thumbprint of a key.
#[pyfunction]
pub(crate) fn thumbprint(key: Text) -> PyResult<String> {
    let key = Jwk::parse(key.bytes()).map_err(bad_key)?;
    let lacks =
        || Failure::new(Class::Key, "bad-key", "expected the required members of a key, found one missing");
    Ok(key.thumbprint().ok_or_else(lacks)?.to_string())
}

fn message<'a>(
    method: &'a str,
    url: &'a str,
    headers: &'a Lines,
    body: Option<&'a [u8]>,
) -> PyResult<Message<'a>> {
    let made = Message::request(method, url)
        .map_err(|error| {
            Failure::new(Class::Signature, "bad-message", error).at(error.offset()).by(error.requirement())
        })?
        .headers(headers.iter().map(|(name, value)| (name.as_str(), value.as_slice())));
    Ok(match body {
        Some(body) => made.body(body),
        None => made,
    })
}

/// The header lines that sign a request.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's part names them")]
pub(crate) fn sign_request(
    method: &str,
    url: &str,
    headers: Lines,
    body: Option<Text>,
    key: Text,
    agent: &str,
    nonce: Text,
    now: u64,
    lifetime: u64,
) -> PyResult<Vec<(String, String)>> {
    let failed = |error: bot_auth::SignError| {
        Failure::new(Class::Signature, error.code(), &error).by(error.requirement())
    };
    let key = SigningKey::from_jwk(key.bytes()).map_err(bad_key)?;
    let signer =
        CrawlerSigner::new(key, agent).and_then(|signer| signer.lifetime_secs(lifetime)).map_err(failed)?;
    let message = message(method, url, &headers, body.as_ref().map(Text::bytes))?;
    let signed = signer.sign(&message, nonce.bytes(), UnixSeconds(now)).map_err(failed)?;
    Ok(signed.lines().map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec())
}

/// The check of a request's signatures: asks for keys, one URL at a time.
#[pyclass(module = "aiweb")]
pub(crate) struct RequestCheck(bot_auth::RequestCheck<'static>);

#[pymethods]
impl RequestCheck {
    #[new]
    fn new(
        method: &str,
        url: &str,
        headers: Lines,
        body: Option<Text>,
        path_alone: bool,
        now: u64,
    ) -> PyResult<Self> {
        let policy = if path_alone { Policy::path_alone() } else { Policy::default() };
        let message = message(method, url, &headers, body.as_ref().map(Text::bytes))?;
        Ok(RequestCheck(bot_auth::RequestCheck::new(&message, &policy, UnixSeconds(now))))
    }

    fn wanted(&self) -> Option<&str> {
        self.0.wanted()
    }

    fn on_response(&mut self, url: &str, status: u16, headers: Lines, body: Text) {
        let headers: Vec<(&str, &[u8])> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_slice())).collect();
        self.0.on_response(&Fetched { url, status, headers: &headers, body: body.bytes() });
    }

    fn on_failure(&mut self) {
        self.0.on_failure();
    }

    fn identity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        let (verdict, reason) = match self.0.identity() {
            Identity::Anonymous => ("anonymous", None),
            Identity::Unverified(reason) => ("unverified", Some(reason.code())),
            Identity::Verified(verified) => {
                told.set_item("agent", verified.agent.to_string())?;
                told.set_item("key", verified.key.to_string())?;
                told.set_item("coverage", verified.coverage.code())?;
                told.set_item("expires", verified.expires)?;
                ("verified", None)
            }
        };
        told.set_item("verdict", verdict)?;
        told.set_item("reason", reason)?;
        Ok(told)
    }
}
