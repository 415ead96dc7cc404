//! Extraction: a page, or many pages side by side.

use std::collections::VecDeque;

use aidocument_extract::{Extractor, Focus};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};
use pythonize::pythonize;
use rayon::prelude::*;
use web_values::{Finding as _, WebUrl};

use crate::failure::{Class, Failure, finding};
use crate::text::{Text, detached};

/// How many pages each worker has before it at most.
const PAGES_A_WORKER: usize = 8;

pub(crate) fn url_of(text: &str) -> Result<WebUrl, Failure> {
    text.parse().map_err(|error| Failure::new(Class::Url, "bad-url", error))
}

/// What to extract, as `aiweb.extract` takes it.
fn extractor(
    url: Option<&str>,
    content_type: Option<&str>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Extractor> {
    let mut made = Extractor::new();
    if let Some(url) = url {
        made = made.base_url(url_of(url)?);
    }
    if let Some(content_type) = content_type {
        made = made.content_type(content_type);
    }
    for (name, value) in options {
        let name: String = name.extract()?;
        let wrong = |_| PyTypeError::new_err(format!("{name}: expected a bool"));
        let switch = || value.extract::<bool>().map_err(wrong);
        let number = || {
            value
                .extract::<u32>()
                .map_err(|_| PyTypeError::new_err(format!("{name}: expected an int from 0 to 4294967295")))
        };
        let selector =
            || value.extract::<String>().map_err(|_| PyTypeError::new_err(format!("{name}: expected a str")));
        let bad_selector = |error: aidocument_extract::SelectorError| Failure::argument(&name, error);
        made = match name.as_str() {
            "focus" => made.focus(match value.extract::<String>()?.as_str() {
                "precision" => Focus::Precision,
                "balanced" => Focus::Balanced,
                "recall" => Focus::Recall,
                other => {
                    let message = format!("expected 'precision', 'balanced' or 'recall', found {other:?}");
                    return Err(Failure::argument("focus", message).into());
                }
            }),
            "keep" => made.keep(&selector()?).map_err(bad_selector)?,
            "remove" => made.remove(&selector()?).map_err(bad_selector)?,
            "min_words" => made.min_words(number()?),
            "max_words" => made.max_words(number()?),
            "include_comments" => made.comments(switch()?),
            "comments_apart" => {
                if switch()? {
                    made.comments_apart()
                } else {
                    made
                }
            }
            "include_images" => made.images(switch()?),
            "include_links" => made.links(switch()?),
            "include_tables" => made.tables(switch()?),
            "include_title" => made.title(switch()?),
            "include_hidden" => made.hidden(switch()?),
            "include_collapsed" => made.collapsed(switch()?),
            "repeat_spans" => made.repeat_spans(switch()?),
            "whole_page" => made.whole_page(switch()?),
            other => {
                return Err(PyTypeError::new_err(format!(
                    "extract() got an unexpected keyword argument '{other}'"
                )));
            }
        };
    }
    Ok(made)
}

fn read(extractor: &Extractor, html: &Text) -> aidocument_extract::Content {
    match html {
        Text::Str(text) => extractor.extract(&**text),
        Text::Bytes(bytes) => extractor.extract(&**bytes),
    }
}

/// The content of a page.
#[pyclass(module = "aiweb", frozen)]
pub(crate) struct Content(aidocument_extract::Content);

#[pymethods]
impl Content {
    #[getter]
    fn title(&self) -> &str {
        &self.0.title
    }

    #[getter]
    fn markdown(&self) -> &str {
        &self.0.markdown
    }

    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    #[getter]
    fn html(&self) -> &str {
        &self.0.html
    }

    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.kind)?)
    }

    #[getter]
    fn confidence(&self) -> Option<f32> {
        self.0.confidence
    }

    #[getter]
    fn description(&self) -> Option<&str> {
        self.0.description.as_deref()
    }

    #[getter]
    fn canonical_url(&self) -> Option<String> {
        self.0.canonical_url.as_ref().map(ToString::to_string)
    }

    #[getter]
    fn author(&self) -> Option<String> {
        let names: Vec<&str> = self.0.about.authors.iter().map(|found| found.value.as_str()).collect();
        (!names.is_empty()).then(|| names.join("; "))
    }

    #[getter]
    fn date(&self) -> Option<String> {
        self.0.about.published.as_ref().map(|found| found.value.to_string())
    }

    #[getter]
    fn language(&self) -> Option<String> {
        self.0.about.language.as_ref().map(|found| found.value.to_string())
    }

    #[getter]
    fn site_name(&self) -> Option<&str> {
        self.0.about.site_name.as_ref().map(|found| found.value.as_str())
    }

    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.about)?)
    }

    #[getter]
    fn headings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.headings)?)
    }

    #[getter]
    fn images<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.images)?)
    }

    #[getter]
    fn links(&self) -> Vec<(String, Option<String>)> {
        self.0.links().map(|(url, text)| (url.to_string(), text.map(str::to_owned))).collect()
    }

    #[getter]
    fn structured_data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.structured_data)?)
    }

    #[getter]
    fn comments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.comments)?)
    }

    #[getter]
    fn hidden<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, self.0.hidden())?)
    }

    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found: Vec<_> =
            self.0.findings.iter().map(|found| finding(py, &found.to_record())).collect::<PyResult<_>>()?;
        PyList::new(py, found)
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = pythonize(py, &self.0)?;
        found.del_item("metadata")?; // a document's, which knows the address and counts the words
        found.set_item("hidden", self.hidden(py)?)?;
        found.set_item("links", self.links())?;
        Ok(found)
    }

    fn __repr__(&self) -> String {
        let words = self.0.text.split_whitespace().count();
        let confidence = self.0.confidence.map_or_else(String::new, |sure| format!(" confidence={sure:.2}"));
        format!("<Content {:?}: {words} words{confidence}>", self.0.title)
    }

    fn __str__(&self) -> &str {
        &self.0.markdown
    }
}

/// Extracts one page.
#[pyfunction]
#[pyo3(signature = (html, url, content_type, options))]
pub(crate) fn extract(
    py: Python<'_>,
    html: Text,
    url: Option<&str>,
    content_type: Option<&str>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Content> {
    let extractor = extractor(url, content_type, options)?;
    Ok(Content(detached(py, html.bytes().len(), || read(&extractor, &html))))
}

/// The whole page as Markdown, without choosing its content.
#[pyfunction]
#[pyo3(signature = (html, url))]
pub(crate) fn markdown(py: Python<'_>, html: Text, url: Option<&str>) -> PyResult<String> {
    let mut extractor = Extractor::new().whole_page(true);
    if let Some(url) = url {
        extractor = extractor.base_url(url_of(url)?);
    }
    Ok(detached(py, html.bytes().len(), || read(&extractor, &html).markdown))
}

/// Pages of an iterable, extracted side by side, in their order. At most a few pages a worker are in memory.
#[pyclass(module = "aiweb")]
pub(crate) struct Pages {
    source: Option<Py<PyIterator>>,
    extractor: Extractor,
    workers: rayon::ThreadPool,
    count: usize,
    ready: VecDeque<aidocument_extract::Content>,
    /// What the source raised: told when the pages before it are handed out.
    raised: Option<PyErr>,
    process: u32,
}

#[pymethods]
impl Pages {
    #[new]
    #[pyo3(signature = (pages, workers, options))]
    fn new(pages: &Bound<'_, PyAny>, workers: Option<usize>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let extractor = extractor(None, None, options)?;
        let workers = rayon::ThreadPoolBuilder::new()
            .num_threads(workers.unwrap_or(0))
            .thread_name(|n| format!("aiweb-{n}"))
            .build()
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Pages {
            source: Some(pages.try_iter()?.unbind()),
            extractor,
            count: workers.current_num_threads() * PAGES_A_WORKER,
            workers,
            ready: VecDeque::new(),
            raised: None,
            process: std::process::id(),
        })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Content>> {
        if self.ready.is_empty() {
            self.fill(py)?;
        }
        match self.ready.pop_front() {
            Some(content) => Ok(Some(Content(content))),
            None => self.raised.take().map_or(Ok(None), Err),
        }
    }
}

impl Pages {
    /// Extracts the next pages of the source.
    fn fill(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.process != std::process::id() {
            return Err(PyRuntimeError::new_err(
                "extract_many was begun before fork(): its workers are in the parent process",
            ));
        }
        py.check_signals()?;
        let Some(source) = &self.source else { return Ok(()) };
        let mut source = source.bind(py).clone();
        let mut pages = Vec::with_capacity(self.count);
        while pages.len() < self.count {
            match source.next().map(|page| page.and_then(|page| one(&page))) {
                Some(Ok(page)) => pages.push(page),
                Some(Err(error)) => {
                    self.raised = Some(error);
                    self.source = None;
                    break;
                }
                None => {
                    self.source = None;
                    break;
                }
            }
        }
        let (extractor, workers) = (&self.extractor, &self.workers);
        self.ready = py.detach(|| {
            workers.install(|| {
                pages
                    .par_iter()
                    .map(|(html, url)| match url {
                        None => read(extractor, html),
                        Some(url) => read(&extractor.clone().base_url(url.clone()), html),
                    })
                    .collect()
            })
        });
        Ok(())
    }
}

/// A page of the source: its HTML, or a pair of HTML and URL.
fn one(page: &Bound<'_, PyAny>) -> PyResult<(Text, Option<WebUrl>)> {
    if let Ok(html) = page.extract::<Text>() {
        return Ok((html, None));
    }
    let (html, url): (Text, Option<String>) = page.extract().map_err(|_| {
        PyTypeError::new_err("expected str, bytes, or a tuple of one of them and a URL or None")
    })?;
    Ok((html, url.as_deref().map(url_of).transpose()?))
}
