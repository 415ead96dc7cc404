//! robots.txt.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use robots::{Access, Preference, Preferences, RequestPath};
use web_values::Finding as _;

use crate::failure::finding;
use crate::text::Text;

/// A parsed robots.txt, or what its absence says.
#[pyclass(module = "aiweb.robots", frozen)]
pub(crate) struct Robots {
    file: robots::Robots<'static>,
    access: Access,
}

/// The names of a crawler: one, or several.
#[derive(FromPyObject)]
pub(crate) enum Agents {
    One(String),
    Several(Vec<String>),
}

impl Agents {
    fn names(&self) -> Vec<&str> {
        match self {
            Agents::One(name) => vec![name.as_str()],
            Agents::Several(names) => names.iter().map(String::as_str).collect(),
        }
    }
}

impl Robots {
    fn decide(&self, agent: &Agents, path: RequestPath<'_>) -> Decision {
        let decision = self.file.decide(agent.names().as_slice(), path);
        Decision {
            allowed: self.access != Access::DisallowAll && decision.is_allowed(),
            line: decision.rule().map(|rule| rule.line),
            pattern: decision.rule().map(|rule| String::from_utf8_lossy(rule.pattern).into_owned()),
        }
    }
}

#[pymethods]
impl Robots {
    #[new]
    fn new(text: Text) -> Self {
        Robots { file: robots::Robots::parse(text.bytes()).into_owned(), access: Access::Rules }
    }

    #[staticmethod]
    fn of_response(status: u16, body: Text) -> Self {
        let access = Access::from_status(status, Duration::ZERO);
        let text = if access == Access::Rules { body.bytes() } else { b"" };
        Robots { file: robots::Robots::parse(text).into_owned(), access }
    }

    fn allowed(&self, agent: Agents, url: &str) -> Decision {
        self.decide(&agent, RequestPath::new(url))
    }

    /// The same for a URL that may have no scheme, as some of the vectors; its dot segments are kept.
    #[pyo3(name = "_allowed_of_url")]
    fn allowed_of_url(&self, agent: Agents, url: &str) -> Decision {
        self.decide(&agent, RequestPath::of_url(url))
    }

    fn crawl_delay(&self, agent: Agents) -> Option<f64> {
        self.file.crawl_delay(agent.names().as_slice()).map(robots::CrawlDelay::as_secs_f64)
    }

    #[getter]
    fn sitemaps(&self) -> Vec<&str> {
        self.file.sitemaps().collect()
    }

    fn preferences<'py>(&self, py: Python<'py>, agent: Agents, url: &str) -> PyResult<Bound<'py, PyDict>> {
        let found = Preferences::of_robots(&self.file, agent.names().as_slice(), RequestPath::new(url));
        let stated = PyDict::new(py);
        for (label, preference) in found.usages() {
            stated.set_item(label, preference == Preference::Yes)?;
        }
        for (signal, preference) in found.signals() {
            stated.set_item(signal.to_string(), preference == Preference::Yes)?;
        }
        Ok(stated)
    }

    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found: Vec<_> = self
            .file
            .check_lint()
            .iter()
            .map(|found| finding(py, &found.to_record()))
            .collect::<PyResult<_>>()?;
        PyList::new(py, found)
    }
}

/// Whether a URL may be fetched, and the line that decides.
#[pyclass(module = "aiweb.robots", frozen, get_all)]
pub(crate) struct Decision {
    allowed: bool,
    line: Option<u32>,
    pattern: Option<String>,
}

#[pymethods]
impl Decision {
    fn __bool__(&self) -> bool {
        self.allowed
    }

    fn __repr__(&self) -> String {
        let verdict = if self.allowed { "allowed" } else { "disallowed" };
        match (self.line, &self.pattern) {
            (Some(line), Some(pattern)) => format!("<Decision {verdict} by line {line}: {pattern}>"),
            _ => format!("<Decision {verdict}>"),
        }
    }
}
