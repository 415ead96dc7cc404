//! The network between the site and the agent.

use std::collections::BTreeMap;

use http::header::{ETAG, IF_NONE_MATCH, LOCATION, RETRY_AFTER};
use http::{HeaderValue, Request, Response, StatusCode};
use url::Url;

use crate::rng::Rng;
use crate::site::{Resource, Site, url};

/// What goes wrong at one URL during one crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// This status, perhaps with `Retry-After` in seconds.
    Status(u16, Option<u32>),
    /// No answer.
    Silence,
    /// The connection ends in the middle of the body.
    Cut,
    /// A page for people, with status 200.
    Html,
    /// It stands elsewhere on the site: a redirect with this status leads there.
    Moved(u16),
    /// A redirect to another origin.
    Elsewhere,
    /// Another origin's answer: the client followed a redirect by itself.
    Foreign,
    /// A redirect to itself.
    Circle,
    /// The body is broken off, but its end came.
    Broken,
    /// 304, whatever was asked.
    Unchanged,
    /// JSON of a document of draft -03 that has another version.
    OtherVersion,
}

/// What comes back.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A response: from where, and after how many bytes the connection ends, where it does.
    Answer {
        /// The URL that answered.
        from: Url,
        /// The response.
        response: Response<Vec<u8>>,
        /// After how many bytes of the body the connection ends.
        cut: Option<usize>,
    },
    /// No answer.
    Nothing,
}

/// The faults of one crawl.
#[derive(Debug, Clone, Default)]
pub(crate) struct Network {
    /// For each path: what is wrong, and for how many requests more.
    pub(crate) faults: BTreeMap<String, (Fault, usize)>,
    /// For how many they still are.
    left: BTreeMap<String, usize>,
}

const ALIAS: &str = "/elsewhere";

impl Network {
    /// Faults as chance wants them.
    pub(crate) fn new(rng: &mut Rng, site: &Site, weight: usize) -> Self {
        let mut faults = BTreeMap::new();
        let twins = (0..site.pages.len()).flat_map(|page| [Site::twin(page, false), Site::twin(page, true)]);
        let sitemaps = (0..site.sitemaps.len()).map(Site::sitemap);
        let all: Vec<String> =
            twins.chain(sitemaps).chain(["/".to_owned(), "/policy.json".to_owned()]).collect();
        for path in all {
            if !rng.percent(weight) {
                continue;
            }
            let is_sitemap = path.starts_with("/sitemap");
            let fault = match rng.below(if is_sitemap { 17 } else { 14 }) {
                0..3 => Fault::Status(503, None),
                3 => Fault::Status(503, Some(30)),
                4 => Fault::Status(429, Some(5)),
                5 => Fault::Status(404, None),
                6 => Fault::Status(403, None),
                7 => Fault::Silence,
                8 => Fault::Cut,
                9 => Fault::Html,
                10 | 11 => Fault::Moved(rng.pick(&[301, 302, 307, 308]).unwrap_or(302)),
                12 => Fault::Elsewhere,
                13 => rng.pick(&[Fault::Foreign, Fault::Circle]).unwrap_or(Fault::Circle),
                14 => Fault::Broken,
                15 => Fault::OtherVersion,
                _ => Fault::Unchanged,
            };
            let times = if rng.percent(40) { 1 + rng.below(3) } else { usize::MAX };
            faults.insert(path, (fault, times));
        }
        let left = faults.iter().map(|(path, (_, times))| (path.clone(), *times)).collect();
        Network { faults, left }
    }

    /// The path of what a URL stands for, aliases undone.
    #[must_use]
    pub(crate) fn path_of(path: &str) -> &str {
        path.strip_prefix(ALIAS).unwrap_or(path)
    }

    /// Whether a tried and proven agent gets the resource in this crawl: it is sent again twice at most, and a redirect followed.
    #[must_use]
    pub(crate) fn is_reachable(&self, path: &str) -> bool {
        match self.faults.get(path) {
            None => true,
            Some((Fault::Moved(_), _)) => true,
            Some((Fault::Status(429 | 503, _) | Fault::Silence | Fault::Cut, times)) => *times < 3,
            Some(_) => false,
        }
    }

    /// Answers a request.
    pub(crate) fn answer(&mut self, request: &Request<()>, resources: &BTreeMap<String, Resource>) -> Reply {
        let asked = request.uri().path().to_owned();
        let path = Self::path_of(&asked).to_owned();
        let is_alias = path != asked;
        let mut fault = None;
        if let (Some((found, _)), Some(left)) = (self.faults.get(&path), self.left.get_mut(&path))
            && !is_alias
            && *left > 0
        {
            *left = left.saturating_sub(usize::from(*left != usize::MAX));
            fault = Some(*found);
        }
        let (mut from, mut cut) = (url(&asked), None);
        let mut response = serve(request, resources.get(&path));
        let status = |status: u16| {
            let mut response = Response::new(Vec::new());
            *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
            response
        };
        let moved = |code: u16, to: String| {
            let mut response = status(code);
            response.headers_mut().insert(LOCATION, value(&to));
            response
        };
        match fault {
            None => {}
            Some(Fault::Status(code, after)) => {
                response = status(code);
                if let Some(after) = after {
                    response.headers_mut().insert(RETRY_AFTER, value(&after.to_string()));
                }
            }
            Some(Fault::Silence) => return Reply::Nothing,
            Some(Fault::Cut) => cut = Some(response.body().len() / 2),
            Some(Fault::Html) => {
                response = status(200);
                response.headers_mut().insert(http::header::CONTENT_TYPE, value("text/html"));
                response.body_mut().extend_from_slice(b"<html>Welcome to the cafe's network");
            }
            Some(Fault::Moved(code)) => response = moved(code, format!("{ALIAS}{path}")),
            Some(Fault::Elsewhere) => response = moved(302, format!("https://evil.example{path}")),
            Some(Fault::Circle) => response = moved(302, path),
            Some(Fault::Foreign) => from.set_host(Some("evil.example")).unwrap_or_default(),
            Some(Fault::Broken) => {
                let half = response.body().len() / 2;
                response.body_mut().truncate(half);
            }
            Some(Fault::Unchanged) => response = status(304),
            Some(Fault::OtherVersion) => {
                let text = String::from_utf8_lossy(response.body()).replace("\"version\":2", "\"version\":3");
                *response.body_mut() = text.into_bytes();
            }
        }
        Reply::Answer { from, response, cut }
    }
}

fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// What a right server answers.
fn serve(request: &Request<()>, resource: Option<&Resource>) -> Response<Vec<u8>> {
    let mut response = Response::new(Vec::new());
    let Some(resource) = resource else {
        // Pages are deleted for good here.
        let is_twin = request.uri().path().ends_with("m/");
        *response.status_mut() = if is_twin { StatusCode::GONE } else { StatusCode::NOT_FOUND };
        return response;
    };
    for (name, text) in &resource.fields {
        response.headers_mut().append(name.clone(), value(text));
    }
    let asked = request.headers().get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    if !resource.etag.is_empty() {
        response.headers_mut().insert(ETAG, value(&resource.etag));
        if asked.is_some_and(|tags| tags.split(", ").any(|tag| tag == resource.etag)) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response.headers_mut().remove(http::header::LINK);
            response.headers_mut().remove(http::header::CONTENT_TYPE);
            return response;
        }
    }
    response.body_mut().extend_from_slice(&resource.body);
    response
}
