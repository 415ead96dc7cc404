//! A site and an agent's cache in memory, on virtual time.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "each test file uses its own part of the site, and says what it expects in the plainest way"
)]

use std::collections::HashMap;

use http::{HeaderMap, HeaderValue, StatusCode, header};
use tct::plan::SitemapDate;
use tct::{
    CUrl, Fingerprint, HeldPage, MUrl, Outcome, Payload, Plan, PlanPolicy, Planner, Sealed, UnixSeconds,
    Visit, VisitPolicy, VisitStep, plan_response,
};

/// The page that these tests are about.
pub fn page() -> CUrl {
    CUrl::parse("https://example.com/post/").unwrap()
}

/// Its twin.
pub fn twin() -> MUrl {
    MUrl::parse("https://example.com/post/llm/").unwrap()
}

/// A version of the page.
pub fn version(text: &str) -> Sealed {
    Payload::new(&page(), "Title", text).seal().unwrap()
}

/// The hash of a version.
pub fn hash(text: &str) -> Fingerprint {
    version(text).fingerprint()
}

/// What a server answers.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    /// Just a status.
    pub fn status(status: u16) -> Self {
        Answer { status: StatusCode::from_u16(status).unwrap(), headers: HeaderMap::new(), body: Vec::new() }
    }

    /// The answer of an honest server that has this version.
    pub fn of(visit: &Visit, text: &str, modified: Option<u64>) -> Self {
        let sealed = version(text);
        let mut representation = sealed.representation(&page());
        if let Some(modified) = modified {
            representation = representation.with_last_modified(UnixSeconds(modified), UnixSeconds(u64::MAX));
        }
        let request = visit.request();
        let plan = plan_response(request.method(), request.headers(), &representation);
        let body = sealed.body()[plan.body.range(sealed.body().len())].to_vec();
        Answer { status: plan.status, headers: plan.headers, body }
    }

    /// The answer as the `http` crate has it.
    pub fn into_http(self) -> http::Response<Vec<u8>> {
        let mut response = http::Response::new(self.body);
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }

    /// The same answer with another field.
    pub fn with(mut self, name: header::HeaderName, value: &str) -> Self {
        self.headers.insert(name, HeaderValue::from_str(value).unwrap());
        self
    }
}

/// Plays a visit: `answer` is asked for each request, with its number.
pub fn play(mut visit: Visit, now: u64, mut answer: impl FnMut(usize, &Visit) -> Answer) -> (Outcome, usize) {
    let mut number = 0;
    loop {
        number += 1;
        assert!(number < 20, "the visit does not end");
        let reply = answer(number, &visit);
        let url = visit.url().clone();
        match visit.on_response(&url, &reply.into_http(), UnixSeconds(now)) {
            VisitStep::Again(next) => visit = *next,
            VisitStep::Done(outcome) => return (outcome, number),
        }
    }
}

/// A visit for these facts.
pub fn visit(sitemap: Option<Fingerprint>, held: Option<HeldPage>) -> Visit {
    Visit::new(&twin(), &page(), sitemap, held, VisitPolicy::default())
}

/// An agent's cache: what is known of a page beside the body that it is known of.
#[derive(Default)]
pub struct Cache {
    pub pages: HashMap<String, (HeldPage, Vec<u8>)>,
}

impl Cache {
    /// What is known of an M-URL.
    pub fn held(&self, m_url: &str) -> Option<&HeldPage> {
        self.pages.get(m_url).map(|(held, _)| held)
    }

    /// Applies the end of a visit.
    pub fn apply(&mut self, m_url: &str, outcome: Outcome) {
        match outcome {
            Outcome::Store { held, payload, .. } => {
                self.pages.insert(m_url.to_owned(), (held, payload.json().to_vec()));
            }
            Outcome::Keep { held, .. } => {
                self.pages.get_mut(m_url).expect("only held pages are kept").0 = held;
            }
            Outcome::Gone => {
                self.pages.remove(m_url);
            }
            _ => {}
        }
    }

    /// Every held hash must be that of the stored body.
    pub fn check(&self) {
        for (held, body) in self.pages.values() {
            let body: serde_json::Value = serde_json::from_slice(body).unwrap();
            assert_eq!(body["hash"], held.hash.to_string(), "a hash is stored without its body");
        }
    }
}

/// What is planned for the page at this time.
pub fn plan<'a>(cache: &'a Cache, sitemap: Fingerprint, now: u64) -> Plan<'a> {
    let planner = Planner::new(PlanPolicy::default(), SitemapDate(UnixSeconds(now)), UnixSeconds(now));
    planner.plan(Some(sitemap), cache.held(twin().as_str()))
}
