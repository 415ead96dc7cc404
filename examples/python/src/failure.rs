//! Exceptions: what the libraries refuse, as `aiweb.AiwebError` and its subclasses, with a code, a place and a requirement.

use pyo3::prelude::*;
use pyo3::types::PyString;

/// The subclass that an exception is of; `aiweb/errors.py` has them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Class {
    Text,
    Json,
    Url,
    Argument,
    Document,
    Manifest,
    Key,
    Signature,
    Crawl,
}

impl Class {
    const fn name(self) -> &'static str {
        match self {
            Class::Text => "TextError",
            Class::Json => "JsonError",
            Class::Url => "UrlError",
            Class::Argument => "ArgumentError",
            Class::Document => "DocumentError",
            Class::Manifest => "ManifestError",
            Class::Key => "KeyMaterialError",
            Class::Signature => "SignatureError",
            Class::Crawl => "CrawlError",
        }
    }
}

/// What is raised.
#[derive(Debug)]
pub(crate) struct Failure {
    class: Class,
    code: String,
    message: String,
    offset: Option<usize>,
    requirement: Option<String>,
}

impl Failure {
    pub(crate) fn new(class: Class, code: impl ToString, message: impl ToString) -> Self {
        Failure {
            class,
            code: code.to_string(),
            message: message.to_string(),
            offset: None,
            requirement: None,
        }
    }

    pub(crate) fn at(mut self, offset: usize) -> Self {
        self.offset = Some(offset);
        self
    }

    pub(crate) fn by(mut self, requirement: impl ToString) -> Self {
        self.requirement = Some(requirement.to_string());
        self
    }

    /// A member of a call that is not what it must be.
    pub(crate) fn argument(name: &str, message: impl ToString) -> Self {
        Failure::new(Class::Argument, "bad-argument", format!("{name}: {}", message.to_string()))
    }

    fn raise(self, py: Python<'_>) -> PyResult<PyErr> {
        let class = py.import("aiweb.errors")?.getattr(self.class.name())?;
        let value =
            class.call1((self.message, PyString::new(py, &self.code), self.offset, self.requirement))?;
        Ok(PyErr::from_value(value))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| failure.raise(py).unwrap_or_else(|error| error))
    }
}

/// A finding of the workspace as `aiweb.Finding`.
pub(crate) fn finding<'py>(
    py: Python<'py>,
    record: &web_values::FindingRecord,
) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("aiweb.errors")?.getattr("Finding")?;
    let record = pythonize::pythonize(py, record)?;
    class.call_method1("_of", (record,))
}

/// The name of a kind of error as the line protocol of the vectors has it: `UnexpectedEnd` is `unexpected-end`.
pub(crate) fn kebab(kind: &impl std::fmt::Debug) -> String {
    let mut kebab = String::new();
    for c in format!("{kind:?}").chars().take_while(char::is_ascii_alphanumeric) {
        if c.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}
