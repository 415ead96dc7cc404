//! Documents of AIWebIndex 1.0 and 2.0.

use aidocument::v2::Call;
use aidocument::{AnyDocument, Crawl, CrawlFacts, DocumentFinding, Limits, downgrade, upgrade};
use aidocument_extract::{Options, Snapshot};
use pyo3::prelude::*;
use pyo3::types::PyList;
use web_values::{Finding as _, FindingRecord};

use crate::failure::{Class, Failure, finding};
use crate::page::url_of;
use crate::text::{Text, detached};

fn failed(error: aidocument::DocumentError) -> Failure {
    let failure = Failure::new(Class::Document, error.kind().as_str(), &error);
    match error.offset() {
        Some(offset) => failure.at(offset),
        None => failure,
    }
}

/// A document, and what was found when it was read.
#[pyclass(module = "aiweb", frozen)]
pub(crate) struct Document {
    document: AnyDocument,
    findings: Vec<FindingRecord>,
}

#[pymethods]
impl Document {
    #[staticmethod]
    #[pyo3(signature = (json, version=None))]
    fn from_json(py: Python<'_>, json: Text, version: Option<&str>) -> PyResult<Self> {
        let (findings, document) = read(py, &json, version)?;
        Ok(Document { document: document.map_err(failed)?, findings })
    }

    /// The findings alone, of a document that may be wrong.
    #[staticmethod]
    #[pyo3(signature = (json, version=None))]
    fn check<'py>(py: Python<'py>, json: Text, version: Option<&str>) -> PyResult<Bound<'py, PyList>> {
        let found = read(py, &json, version)?.0;
        let found: Vec<_> = found.iter().map(|found| finding(py, found)).collect::<PyResult<_>>()?;
        PyList::new(py, found)
    }

    fn to_json(&self) -> String {
        self.document.to_json()
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.to_json(),))
    }

    fn model_dump<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)
    }

    #[getter]
    fn version(&self) -> &str {
        self.document.version()
    }

    #[getter]
    fn url(&self) -> String {
        self.document.url().to_string()
    }

    #[getter]
    fn title(&self) -> Option<&str> {
        self.document.title()
    }

    #[getter]
    fn description(&self) -> Option<&str> {
        self.document.description()
    }

    #[getter]
    fn language(&self) -> Option<String> {
        self.document.language().map(ToString::to_string)
    }

    #[getter]
    fn markdown(&self) -> &str {
        self.document.markdown()
    }

    #[getter]
    fn word_count(&self) -> Option<u64> {
        self.document.word_count()
    }

    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found: Vec<_> = self.findings.iter().map(|found| finding(py, found)).collect::<PyResult<_>>()?;
        PyList::new(py, found)
    }

    /// The document in version 2.0, and the members of 1.0 that it cannot hold.
    #[pyo3(signature = (freshness_policy="cache_first", cache_status="miss"))]
    fn upgrade(&self, freshness_policy: &str, cache_status: &str) -> PyResult<(Document, Vec<String>)> {
        let AnyDocument::V1(document) = &self.document else {
            return Err(Failure::new(
                Class::Document,
                "wrong-version",
                "expected a document of 1.0, found one of 2.0",
            )
            .into());
        };
        let converted = upgrade(document.clone(), call(freshness_policy, cache_status)?, None);
        Ok((Document { document: AnyDocument::V2(converted.document), findings: Vec::new() }, converted.lost))
    }

    /// The document in version 1.0, and the members of 2.0 that it cannot hold. What 2.0 lacks comes from the caller.
    #[pyo3(signature = (*, fetched_at=None, status_code=None, user_agent=None, render_mode=None, fetch_duration_ms=None, content_length=None, word_count=None))]
    #[expect(clippy::too_many_arguments, reason = "callers name them")]
    fn downgrade(
        &self,
        fetched_at: Option<&str>,
        status_code: Option<u16>,
        user_agent: Option<&str>,
        render_mode: Option<&str>,
        fetch_duration_ms: Option<u64>,
        content_length: Option<u64>,
        word_count: Option<u64>,
    ) -> PyResult<(Document, Vec<String>)> {
        let AnyDocument::V2(document) = &self.document else {
            return Err(Failure::new(
                Class::Document,
                "wrong-version",
                "expected a document of 2.0, found one of 1.0",
            )
            .into());
        };
        let facts = CrawlFacts {
            fetched_at: time(fetched_at)?,
            status_code: status(status_code)?,
            user_agent: user_agent
                .map(str::parse)
                .transpose()
                .map_err(|error| Failure::argument("user_agent", error))?,
            render_mode: render_mode
                .map(str::parse)
                .transpose()
                .map_err(|error| Failure::argument("render_mode", error))?,
            fetch_duration_ms,
            content_length,
            word_count,
        };
        let converted = downgrade(document.clone(), &facts)
            .map_err(|error| Failure::new(Class::Document, "lacking-facts", error))?;
        Ok((Document { document: AnyDocument::V1(converted.document), findings: Vec::new() }, converted.lost))
    }

    fn __repr__(&self) -> String {
        let document = &self.document;
        format!(
            "<Document {} {:?} {}>",
            document.version(),
            document.title().unwrap_or_default(),
            document.url()
        )
    }
}

/// What was found in a document, and the document if it is one. Each version refuses the other by name.
fn read(
    py: Python<'_>,
    json: &Text,
    version: Option<&str>,
) -> PyResult<(Vec<FindingRecord>, Result<AnyDocument, aidocument::DocumentError>)> {
    let (bytes, limits) = (json.bytes(), Limits::default());
    let told = |findings: &[DocumentFinding]| findings.iter().map(|found| found.to_record()).collect();
    match version {
        None => {
            let reading = detached(py, bytes.len(), || AnyDocument::read(bytes, &limits)).map_err(failed)?;
            Ok((told(reading.findings()), reading.into_document()))
        }
        Some("1.0") => {
            let reading =
                detached(py, bytes.len(), || aidocument::Document::read(bytes, &limits)).map_err(failed)?;
            Ok((told(reading.findings()), reading.into_document().map(AnyDocument::V1)))
        }
        Some("2.0") => {
            let reading = detached(py, bytes.len(), || aidocument::v2::Document::read(bytes, &limits))
                .map_err(failed)?;
            Ok((told(reading.findings()), reading.into_document().map(AnyDocument::V2)))
        }
        Some(other) => Err(bad_version(other).into()),
    }
}

fn bad_version(found: &str) -> Failure {
    Failure::argument("version", format!("expected '1.0' or '2.0', found {found:?}"))
}

fn call(freshness_policy: &str, cache_status: &str) -> Result<Call, Failure> {
    Call::of_texts(freshness_policy, cache_status)
        .map_err(|error| Failure::new(Class::Argument, "cache-contradiction", error).by("AIWI2-AMB-11"))
}

fn time(text: Option<&str>) -> Result<Option<aidocument::Timestamp>, Failure> {
    text.map(str::parse).transpose().map_err(|error| Failure::argument("fetched_at", error))
}

fn status(code: Option<u16>) -> Result<Option<aidocument::StatusCode>, Failure> {
    let wrong = || Failure::argument("status_code", "expected a number from 100 to 599");
    code.map(|code| aidocument::StatusCode::new(code).ok_or_else(wrong)).transpose()
}

/// Extracts the document of a page.
#[pyfunction]
#[pyo3(signature = (html, url, version, content_type, fetched_at, status_code, user_agent, freshness_policy, cache_status))]
#[expect(clippy::too_many_arguments, reason = "Python's part names them")]
pub(crate) fn extract_document(
    py: Python<'_>,
    html: Text,
    url: &str,
    version: &str,
    content_type: Option<&str>,
    fetched_at: Option<&str>,
    status_code: Option<u16>,
    user_agent: Option<&str>,
    freshness_policy: &str,
    cache_status: &str,
) -> PyResult<Document> {
    let url = url_of(url)?;
    let (fetched_at, status_code) = (time(fetched_at)?, status(status_code)?);
    let options = Options::default();
    let bytes = html.bytes().len();
    let document = match version {
        "1.0" => {
            let lacks = |name| Failure::argument(name, "a document of 1.0 needs it");
            let agent = user_agent.ok_or_else(|| lacks("user_agent"))?;
            let crawl = Crawl::new(
                fetched_at.ok_or_else(|| lacks("fetched_at"))?,
                status_code.ok_or_else(|| lacks("status_code"))?,
                agent.parse().map_err(|error| Failure::argument("user_agent", error))?,
            );
            detached(py, bytes, || {
                AnyDocument::V1(match &html {
                    Text::Str(text) => {
                        aidocument_extract::extract(&**text, url, content_type, crawl, &options).document
                    }
                    Text::Bytes(bytes) => {
                        aidocument_extract::extract(&**bytes, url, content_type, crawl, &options).document
                    }
                })
            })
        }
        "2.0" => {
            let snapshot = Snapshot { fetched_at, status_code, render_mode: None };
            let call = call(freshness_policy, cache_status)?;
            detached(py, bytes, || {
                AnyDocument::V2(match &html {
                    Text::Str(text) => {
                        aidocument_extract::extract_v2(&**text, url, content_type, snapshot, call, &options)
                            .document
                    }
                    Text::Bytes(bytes) => {
                        aidocument_extract::extract_v2(&**bytes, url, content_type, snapshot, call, &options)
                            .document
                    }
                })
            })
        }
        other => {
            return Err(
                Failure::argument("version", format!("expected '1.0' or '2.0', found {other:?}")).into()
            );
        }
    };
    Ok(Document { document, findings: Vec::new() })
}
