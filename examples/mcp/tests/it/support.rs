//! A web of one server that counts what it is asked, and an agent that may ask it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use mcp::{Agent, Options, Server, Store};
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

/// What a path answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) fields: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn page(content_type: &str, body: impl Into<Vec<u8>>) -> Page {
    Page { status: 200, fields: vec![("content-type", content_type.to_owned())], body: body.into() }
}

pub(crate) fn html(body: &str) -> Page {
    page("text/html; charset=utf-8", body)
}

pub(crate) fn status(status: u16) -> Page {
    Page { status, ..Page::default() }
}

impl Page {
    /// With this field, in place of one of the same name.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.retain(|(known, _)| *known != name);
        self.fields.push((name, value.into()));
        self
    }
}

/// A server whose pages may change, and which knows what it was asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Web {
    pub(crate) address: Option<SocketAddr>,
    pages: Arc<Mutex<BTreeMap<String, Page>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Web {
    pub(crate) async fn start(pages: impl IntoIterator<Item = (&'static str, Page)>) -> Web {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut web = Web { address: Some(listener.local_addr().unwrap()), ..Web::default() };
        for (path, page) in pages {
            web.put(path, page);
        }
        let router = Router::new().fallback(answer).with_state(web.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        web.address = Some(web.address.unwrap());
        web
    }

    pub(crate) fn put(&self, path: &str, page: Page) {
        self.pages.lock().unwrap().insert(path.to_owned(), page);
    }

    /// What the path answers, to be changed and put back.
    pub(crate) fn take(&self, path: &str) -> Page {
        self.pages.lock().unwrap().remove(path).unwrap()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address.unwrap())
    }

    pub(crate) fn host(&self) -> String {
        self.address.unwrap().to_string()
    }

    /// What was asked since the last call of this, as `GET /path 200`.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

async fn answer(State(web): State<Web>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let page = web.pages.lock().unwrap().get(&path).cloned().unwrap_or_else(|| status(404));
    let tag = page.fields.iter().find(|(name, _)| *name == "etag").map(|(_, tag)| tag.clone());
    let asked = request.headers().get("if-none-match").and_then(|value| value.to_str().ok());
    let is_held = page.status == 200 && tag.is_some() && asked == tag.as_deref();
    let code = if is_held { 304 } else { page.status };
    web.asked.lock().unwrap().push(format!("{} {path} {code}", request.method()));
    let mut response = Response::builder().status(code);
    for (name, value) in &page.fields {
        response = response.header(*name, value);
    }
    response.body(if is_held { Body::empty() } else { Body::from(page.body) }).unwrap()
}

/// Options that allow this server.
pub(crate) fn options(web: &Web) -> Options {
    Options { private: vec![web.host()], ..Options::default() }
}

pub(crate) fn server(options: Options) -> Server {
    Server::new(Arc::new(Agent::new(Store::in_memory().unwrap(), options).unwrap()))
}

/// Calls a tool: its answer as fields, or its error's sentence.
pub(crate) async fn call(server: &Server, tool: &str, arguments: Value) -> Result<Value, String> {
    let Value::Object(arguments) = arguments else { panic!("{arguments}") };
    let result = server.call(tool, arguments, None).await.unwrap();
    result.map(|result| result.structured_content.unwrap()).map_err(|trouble| trouble.to_string())
}

/// The text that a model reads.
pub(crate) async fn text(server: &Server, tool: &str, arguments: Map<String, Value>) -> String {
    let result: CallToolResult = server.call(tool, arguments, None).await.unwrap().unwrap();
    result.content[0].as_text().unwrap().text.clone()
}

pub(crate) async fn read(server: &Server, url: &str) -> Result<Value, String> {
    call(server, "read", json!({ "url": url })).await
}

/// A page of an article, with this text in its main part.
pub(crate) fn article(title: &str, main: &str) -> Page {
    html(&format!(
        "<!doctype html><html lang=en><title>{title}</title><nav><a href=/>Home</a></nav><main><h1>{title}</h1>{main}</main>"
    ))
}
