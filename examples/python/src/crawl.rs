//! A crawl by TCT: requests out, responses in.

use http::{HeaderName, HeaderValue, Response};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pythonize::pythonize;
use std::collections::BTreeMap;
use tct::crawl::{MemoryStore, PageEvent, RequestId, RequestKind, SiteEvent};
use tct::{CUrl, CrawlNext, CrawlPolicy, UnixSeconds};
use url::Url;

use crate::failure::{Class, Failure, kebab};
use crate::text::Text;

/// A crawl of one site, with what is stored of it.
#[pyclass(module = "aiweb.tct")]
pub(crate) struct Crawl {
    crawl: tct::Crawl,
    store: MemoryStore,
    /// Requests that wait for an answer, by the number that Python has.
    asked: BTreeMap<u64, RequestId>,
    count: u64,
}

#[pymethods]
impl Crawl {
    #[new]
    #[pyo3(signature = (start, state, parallel))]
    fn new(start: &str, state: Option<Text>, parallel: usize) -> PyResult<Self> {
        let start =
            CUrl::parse(start).map_err(|error| Failure::new(Class::Url, kebab(&error.kind()), error))?;
        let store: MemoryStore = match &state {
            None => MemoryStore::default(),
            Some(state) => serde_json::from_slice(state.bytes()).map_err(|error| {
                Failure::argument(
                    "state",
                    format!("expected what `Crawl.state()` gave, found other text ({error})"),
                )
            })?,
        };
        let policy = CrawlPolicy::default().with_parallel(parallel);
        let crawl = tct::Crawl::resume(&start, store.site(), policy);
        Ok(Crawl { crawl, store, asked: BTreeMap::new(), count: 0 })
    }

    /// What comes next: a kind, and what belongs to it.
    fn next<'py>(&mut self, py: Python<'py>, now: u64) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
        let now = UnixSeconds(now);
        let told = PyDict::new(py);
        Ok(match self.crawl.next(&self.store, now) {
            CrawlNext::Send(wanted) => {
                self.count += 1;
                self.asked.insert(self.count, wanted.id);
                let headers: Vec<(&str, &str)> = wanted
                    .request
                    .headers()
                    .iter()
                    .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
                    .collect();
                told.set_item("id", self.count)?;
                told.set_item("method", wanted.request.method().as_str())?;
                told.set_item("url", wanted.url.as_str())?;
                told.set_item("headers", headers)?;
                told.set_item("max_bytes", wanted.max_bytes)?;
                told.set_item("kind", kind(&wanted.kind))?;
                ("send", told.into_any())
            }
            CrawlNext::Page(report) => {
                told.set_item("key", &report.key)?;
                let (event, payload) = match &report.event {
                    PageEvent::Visited(outcome) => (
                        outcome.name(),
                        match report.body() {
                            tct::crawl::BodyChange::Store(json) => Some(PyBytes::new(py, json)),
                            _ => None,
                        },
                    ),
                    PageEvent::Unlisted => ("unlisted", None),
                    _ => ("listed", None),
                };
                told.set_item("event", event)?;
                told.set_item("payload", payload)?;
                told.set_item("needs_html", report.needs_html())?;
                self.store.take(*report);
                ("page", told.into_any())
            }
            CrawlNext::Site(event) => {
                told.set_item("code", SiteEvent::code(&event))?;
                told.set_item("detail", pythonize(py, &event)?)?;
                ("site", told.into_any())
            }
            CrawlNext::Wait => {
                let wait = self.crawl.wake_at(now).map(|at| at.0.saturating_sub(now.0));
                told.set_item("seconds", wait)?;
                ("wait", told.into_any())
            }
            CrawlNext::Done => {
                self.store.take_site(self.crawl.site().clone());
                ("done", told.into_any())
            }
            _ => {
                return Err(
                    Failure::new(Class::Crawl, "unknown", "the crawl asks for something unknown").into()
                );
            }
        })
    }

    fn respond(
        &mut self,
        id: u64,
        url: &str,
        status: u16,
        headers: Vec<(String, Vec<u8>)>,
        body: Text,
        now: u64,
    ) -> PyResult<()> {
        let from = Url::parse(url).map_err(|error| Failure::new(Class::Url, "bad-url", error))?;
        let mut response = Response::new(body.bytes().to_vec());
        *response.status_mut() = status.try_into().map_err(|error| Failure::argument("status", error))?;
        for (name, value) in &headers {
            // A header that HTTP does not allow says nothing.
            if let (Ok(name), Ok(value)) =
                (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(value))
            {
                response.headers_mut().append(name, value);
            }
        }
        let id = self.take(id)?;
        Ok(self.crawl.on_response(id, &from, &response, &self.store, UnixSeconds(now)).map_err(failed)?)
    }

    fn fail(&mut self, id: u64, now: u64) -> PyResult<()> {
        let id = self.take(id)?;
        Ok(self.crawl.on_failure(id, UnixSeconds(now)).map_err(failed)?)
    }

    fn withhold(&mut self, id: u64, now: u64) -> PyResult<()> {
        let id = self.take(id)?;
        Ok(self.crawl.on_withheld(id, UnixSeconds(now)).map_err(failed)?)
    }

    fn too_large(&mut self, id: u64, now: u64) -> PyResult<()> {
        let id = self.take(id)?;
        Ok(self.crawl.on_unusable(id, UnixSeconds(now)).map_err(failed)?)
    }

    fn body<'py>(&self, py: Python<'py>, key: &str) -> Option<Bound<'py, PyBytes>> {
        self.store.body(key).map(|body| PyBytes::new(py, body))
    }

    fn keys(&self) -> Vec<&str> {
        self.store.pages().keys().map(String::as_str).collect()
    }

    /// What the next crawl begins with, as JSON.
    fn state(&mut self) -> PyResult<String> {
        self.store.take_site(self.crawl.site_so_far());
        Ok(serde_json::to_string(&self.store).map_err(|error| Failure::new(Class::Crawl, "state", error))?)
    }
}

impl Crawl {
    fn take(&mut self, id: u64) -> Result<RequestId, Failure> {
        let lacks = || {
            Failure::new(
                Class::Crawl,
                "unknown-request",
                format!("expected a request that waits for an answer, found {id}"),
            )
        };
        self.asked.remove(&id).ok_or_else(lacks)
    }
}

fn failed(error: tct::crawl::CrawlError) -> Failure {
    Failure::new(Class::Crawl, "misuse", error)
}

const fn kind(kind: &RequestKind) -> &'static str {
    match kind {
        RequestKind::Start => "start",
        RequestKind::Policy => "policy",
        RequestKind::Sitemap => "sitemap",
        _ => "twin",
    }
}
