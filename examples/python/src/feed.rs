//! llmindex: manifests, products, feeds.

use llmindex_types::{FeedOptions, FeedReader as Reader, ManifestFinding, Options, Report};
use pyo3::prelude::*;
use pyo3::types::PyList;
use web_values::Finding as _;

use crate::failure::{Class, Failure, finding, kebab};
use crate::text::{Text, detached};

/// A line of a feed: its number, its JSON where it is a product, its findings.
type Line<'py> = (u64, Option<String>, Bound<'py, PyList>);

fn list<'py>(py: Python<'py>, findings: &[ManifestFinding]) -> PyResult<Bound<'py, PyList>> {
    let found: Vec<_> =
        findings.iter().map(|found| finding(py, &found.to_record())).collect::<PyResult<_>>()?;
    PyList::new(py, found)
}

fn verdict<'py>(
    py: Python<'py>,
    report: Result<Report, llmindex_types::LlmindexTextError>,
) -> PyResult<Bound<'py, PyList>> {
    let report = report
        .map_err(|error| Failure::new(Class::Manifest, kebab(&error.kind()), &error).at(error.offset()))?;
    list(py, report.findings())
}

/// The findings of a manifest.
#[pyfunction]
pub(crate) fn validate_manifest<'py>(py: Python<'py>, json: Text) -> PyResult<Bound<'py, PyList>> {
    let bytes = json.bytes();
    verdict(py, detached(py, bytes.len(), || llmindex_types::validate(bytes, &Options::default())))
}

/// The findings of one product.
#[pyfunction]
pub(crate) fn validate_product<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyList>> {
    verdict(py, llmindex_types::validate_product(json, &Options::for_product()))
}

/// Reads a feed piece by piece.
#[pyclass(module = "aiweb.llmindex")]
pub(crate) struct FeedReader(Reader);

#[pymethods]
impl FeedReader {
    #[new]
    fn new(id_key: [u8; 16]) -> Self {
        FeedReader(Reader::new(id_key, FeedOptions::default()))
    }

    fn push<'py>(&mut self, py: Python<'py>, piece: Text) -> PyResult<Vec<Line<'py>>> {
        let mut rest = piece.bytes();
        let mut lines = Vec::new();
        while let Some(line) = self.0.next_line(&mut rest) {
            lines.push((
                line.number(),
                line.product().map(|product| product.json().to_owned()),
                list(py, line.findings())?,
            ));
        }
        Ok(lines)
    }

    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Line<'py>>> {
        self.0
            .last_line()
            .map(|line| {
                Ok((
                    line.number(),
                    line.product().map(|product| product.json().to_owned()),
                    list(py, line.findings())?,
                ))
            })
            .transpose()
    }

    /// Products, bad lines, whether the feed is valid, and the findings of the whole.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<(u64, u64, bool, Bound<'py, PyList>)> {
        let summary = self.0.summary();
        Ok((summary.products(), summary.bad_lines(), summary.is_valid(), list(py, summary.findings())?))
    }
}
