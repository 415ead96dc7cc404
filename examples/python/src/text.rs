//! Fingerprints and canonical JSON.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tct_canonical_json::{JsonError, Profile};
use tct_fingerprint::{Utf8Error, Utf8Fingerprinter};

use crate::failure::{Class, Failure, kebab};

/// Below this many bytes, to let other threads run costs more than it gives.
pub(crate) const DETACH_BYTES: usize = 4096;

/// A text: `str`, or `bytes` in UTF-8, neither copied.
#[derive(FromPyObject)]
pub(crate) enum Text {
    Str(pyo3::pybacked::PyBackedStr),
    Bytes(pyo3::pybacked::PyBackedBytes),
}

impl Text {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }
}

/// Runs `work` without the interpreter's lock where it takes long enough to matter.
pub(crate) fn detached<T: Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    if bytes < DETACH_BYTES { work() } else { py.detach(work) }
}

fn bad_utf8(error: Utf8Error) -> Failure {
    Failure::new(Class::Text, "not-utf8", error).at(error.offset()).by("TCT-FP-8")
}

/// The fingerprint of a text.
#[pyfunction]
pub(crate) fn fingerprint(py: Python<'_>, text: Text) -> PyResult<String> {
    let bytes = text.bytes();
    let found = detached(py, bytes.len(), || tct_fingerprint::fingerprint_utf8(bytes));
    Ok(found.map_err(bad_utf8)?.to_string())
}

/// The text that goes into the fingerprint.
#[pyfunction]
pub(crate) fn normalize(py: Python<'_>, text: Text) -> PyResult<String> {
    let bytes = text.bytes();
    let found =
        detached(py, bytes.len(), || tct_fingerprint::normalize_utf8(bytes).map(|text| text.into_owned()));
    Ok(found.map_err(bad_utf8)?)
}

/// A fingerprint piece by piece, as hashlib's objects have it.
#[pyclass(module = "aiweb")]
#[derive(Default)]
pub(crate) struct Fingerprinter(Utf8Fingerprinter);

#[pymethods]
impl Fingerprinter {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn update(&mut self, py: Python<'_>, data: Text) -> PyResult<()> {
        let bytes = data.bytes();
        let state = &mut self.0;
        Ok(detached(py, bytes.len(), || state.update(bytes)).map_err(bad_utf8)?)
    }

    fn fingerprint(&self) -> PyResult<String> {
        Ok(self.0.clone().finish().map_err(bad_utf8)?.to_string())
    }

    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let found = self.0.clone().finish().map_err(bad_utf8)?;
        Ok(PyBytes::new(py, found.as_ref()))
    }

    fn hexdigest(&self) -> PyResult<String> {
        let text = self.fingerprint()?;
        Ok(text.strip_prefix("sha256-").unwrap_or(&text).to_owned())
    }

    fn copy(&self) -> Self {
        Fingerprinter(self.0.clone())
    }
}

fn profile(order: &str) -> Result<Profile, Failure> {
    match order {
        "utf-16" => Ok(Profile::Rfc8785),
        "code-point" => Ok(Profile::Tct),
        other => {
            Err(Failure::argument("order", format!("expected 'utf-16' or 'code-point', found {other:?}")))
        }
    }
}

fn bad_json(error: JsonError) -> Failure {
    let failure = Failure::new(Class::Json, kebab(&error.kind()), &error);
    match error.offset() {
        Some(offset) => failure.at(offset),
        None => failure,
    }
}

/// JSON text in canonical form.
#[pyfunction]
pub(crate) fn canonicalize<'py>(py: Python<'py>, json: Text, order: &str) -> PyResult<Bound<'py, PyBytes>> {
    let (bytes, profile) = (json.bytes(), profile(order)?);
    let found = detached(py, bytes.len(), || tct_canonical_json::to_canonical(bytes, profile));
    Ok(PyBytes::new(py, &found.map_err(bad_json)?))
}

/// Whether JSON text is in canonical form.
#[pyfunction]
pub(crate) fn is_canonical(py: Python<'_>, json: Text, order: &str) -> PyResult<bool> {
    let (bytes, profile) = (json.bytes(), profile(order)?);
    Ok(detached(py, bytes.len(), || tct_canonical_json::is_canonical(bytes, profile)))
}

/// Where JSON text is not in canonical form: the first byte that differs and a sentence, or `None`.
#[pyfunction]
pub(crate) fn first_difference(py: Python<'_>, json: Text, order: &str) -> PyResult<Option<(usize, String)>> {
    let (bytes, profile) = (json.bytes(), profile(order)?);
    let found = detached(py, bytes.len(), || tct_canonical_json::check_canonical(bytes, profile));
    Ok(found.map(|deviation| (deviation.offset(), deviation.to_string())))
}
