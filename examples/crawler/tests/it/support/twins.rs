//! A small site with twins, whose answers a test can replace one by one, and which remembers what it was asked.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use crawler::Options;
use crawler::export::export;
use crawler::store::Store;
use http::header::{HeaderName, HeaderValue};
use http::{HeaderMap, Method};
use serde_json::Value;
use tct::link::link_sitemap;
use tct::{
    CUrl, MUrl, Payload, Representation, SitemapBudget, SitemapEntry, UrlPolicy, plan_response,
    write_sitemaps,
};
use url::Url;

use super::{Authority, Connection, options, respond, run, serve};

/// An answer in place of the sound one: status line, header lines, body.
pub type Instead = (&'static str, String, Vec<u8>);

#[derive(Default)]
struct State {
    resources: BTreeMap<String, (Representation, Vec<u8>)>,
    instead: BTreeMap<String, Instead>,
    asked: Vec<String>,
}

/// The site.
pub struct Twins {
    pub origin: Url,
    authority: Authority,
    state: Arc<Mutex<State>>,
    folder: tempfile::TempDir,
}

pub const PAGES: [(&str, &str); 3] =
    [("/a/", "The text of a."), ("/b/", "The text of b."), ("/c/", "The text of c.")];
pub const SITEMAP: &str = "/llm-sitemap.json";

impl Twins {
    /// Starts it with three pages, a sitemap of them, and a front page that links it.
    pub async fn start() -> Self {
        let authority = Authority::new();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let tls = authority.acceptor(&["127.0.0.1"], |_| ());
        let address = serve(Ipv4Addr::LOCALHOST, tls, move |path, head, connection| {
            answer(Arc::clone(&shared), path, head, connection)
        })
        .await;
        let origin = Url::parse(&format!("https://{address}/")).unwrap();
        let site = Twins { origin, authority, state, folder: tempfile::tempdir().unwrap() };
        site.publish(&PAGES);
        site.put_html("/", "Home", vec![link_sitemap(&site.url(SITEMAP))]);
        site
    }

    pub fn url(&self, path: &str) -> Url {
        self.origin.join(path).unwrap()
    }

    pub fn put(&self, path: &str, representation: Representation, body: Vec<u8>) {
        self.state.lock().unwrap().resources.insert(path.to_owned(), (representation, body));
    }

    pub fn put_html(&self, path: &str, title: &str, links: Vec<HeaderValue>) {
        let html = format!(
            "<!doctype html><html lang=en><title>{title}</title><main><h1>{title}</h1><p>The page {path} as people \
             see it, with a sentence of its own.</p></main></html>"
        )
        .into_bytes();
        let page = Representation::of_bytes(&html).with_content_type("text/html".parse().unwrap());
        self.put(path, links.into_iter().fold(page, Representation::with_link), html);
    }

    /// Publishes these pages and no others in the sitemap; what was there stays where it is.
    pub fn publish(&self, pages: &[(&str, &str)]) {
        let twins: Vec<_> = pages.iter().map(|(path, _)| format!("{path}llm/")).collect();
        let pages = pages.iter().zip(&twins).map(|((path, text), twin)| (*path, twin.as_str(), *text));
        self.publish_at(&pages.collect::<Vec<_>>());
    }

    /// The same with the twins' own paths: page, twin, text.
    pub fn publish_at(&self, pages: &[(&str, &str, &str)]) {
        let mut entries = Vec::new();
        for (path, twin, text) in pages {
            let page = CUrl::from_url(self.url(path), &UrlPolicy::default()).unwrap();
            let twin = MUrl::from_url(self.url(twin), &UrlPolicy::default()).unwrap();
            let sealed = Payload::new(&page, *path, *text).seal().unwrap();
            entries.push(SitemapEntry::new(page.clone(), twin.clone(), sealed.fingerprint()));
            self.put(twin.as_url().path(), sealed.representation(&page), sealed.into_body());
            self.put_html(path, path, Vec::new());
        }
        let sitemap = write_sitemaps(entries, SitemapBudget::default()).unwrap().remove(0);
        self.put(SITEMAP, Representation::of_bytes(&sitemap), sitemap);
    }

    /// Answers so from now on; `None`: soundly again.
    pub fn instead(&self, path: &str, answer: Option<Instead>) {
        let mut state = self.state.lock().unwrap();
        match answer {
            Some(answer) => state.instead.insert(path.to_owned(), answer),
            None => state.instead.remove(path),
        };
    }

    /// What is served at this path now.
    pub fn body(&self, path: &str) -> Vec<u8> {
        self.state.lock().unwrap().resources[path].1.clone()
    }

    /// Crawls the site once more; gives the lines, and what was asked for.
    pub async fn crawl(&self) -> (Vec<Value>, Vec<String>) {
        self.crawl_with(options(vec![self.authority.der()])).await
    }

    /// The same with everything that was asked for.
    pub async fn crawl_all(&self, options: Options) -> (Vec<Value>, Vec<String>) {
        self.state.lock().unwrap().asked.clear();
        let lines = run(std::slice::from_ref(&self.origin), self.folder.path(), options).await;
        (lines, std::mem::take(&mut self.state.lock().unwrap().asked))
    }

    pub async fn crawl_with(&self, options: Options) -> (Vec<Value>, Vec<String>) {
        let (lines, mut asked) = self.crawl_all(options).await;
        let beside = ["/robots.txt", "/.well-known/llmindex.json", "/.well-known/tdmrep.json"];
        asked.retain(|path| !beside.contains(&path.as_str()));
        (lines, asked)
    }

    pub fn options(&self) -> Options {
        options(vec![self.authority.der()])
    }

    /// The file of the store.
    pub fn store(&self) -> std::path::PathBuf {
        self.folder.path().join("crawl.redb")
    }

    /// What the store holds, by path.
    pub fn held(&self) -> BTreeMap<String, Value> {
        held(self.folder.path())
    }
}

/// What a store holds, by the paths of the URLs.
pub fn held(folder: &Path) -> BTreeMap<String, Value> {
    let mut out = Vec::new();
    export(&Store::open(&folder.join("crawl.redb")).unwrap(), &mut out).unwrap();
    let lines = String::from_utf8(out).unwrap();
    let values = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    values
        .map(|value| (Url::parse(value["url"].as_str().unwrap()).unwrap().path().to_owned(), value))
        .collect()
}

async fn answer(
    state: Arc<Mutex<State>>,
    path: String,
    head: String,
    connection: Connection,
) -> Option<Connection> {
    let mut lines = head.lines();
    let method: Method = lines.next()?.split(' ').next()?.parse().ok()?;
    let fields = lines.filter_map(|line| line.split_once(':'));
    let request: HeaderMap = fields
        .filter_map(|(name, value)| Some((name.parse::<HeaderName>().ok()?, value.trim().parse().ok()?)))
        .collect();
    let (status, fields, body) = {
        let mut state = state.lock().unwrap();
        state.asked.push(path.clone());
        match (state.instead.get(&path), state.resources.get(&path)) {
            (Some((status, fields, body)), _) => ((*status).to_owned(), fields.clone(), body.clone()),
            (None, Some((representation, body))) => {
                let response = plan_response(&method, &request, representation)
                    .into_http(body.len(), |range| body[range].to_vec());
                let fields = response.headers().iter().filter(|(name, _)| *name != "content-length");
                let fields = fields.map(|(name, value)| format!("{name}: {}\r\n", value.to_str().unwrap()));
                (response.status().to_string(), fields.collect(), response.into_body())
            }
            (None, None) => ("404 Not Found".to_owned(), String::new(), Vec::new()),
        }
    };
    respond(connection, &status, &fields, &body).await
}
