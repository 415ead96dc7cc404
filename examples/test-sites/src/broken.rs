//! Sites that are not as they should be: what the audit is shown, and what agents are tested against.
//!
//! A broken site is the sound one with every answer spoilt on its way out; nothing of it is known to the publisher.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, VARY,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use serde_json::{Value, json};

use site::documents::POLICY_PATH;
use site::publisher::{Publisher, Resource, Route};

/// What is answered for a page that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// 404.
    NotFound,
    /// The front page, with status 200.
    Page,
}

/// The site with every answer spoilt.
pub(crate) fn spoilt(publisher: &Arc<Publisher>) -> Router {
    publisher.router().layer(from_fn(spoil))
}

/// The site's pages and files, without any protocol.
pub(crate) fn bare(publisher: &Arc<Publisher>, missing: Missing) -> Router {
    let bare = Bare { publisher: Arc::clone(publisher), missing, has_manifest: false };
    Router::new().fallback(answer_bare).with_state(bare)
}

/// The same with what llmindex asks for, and robots.txt.
pub(crate) fn without_tct(publisher: &Arc<Publisher>) -> Router {
    let bare = Bare { publisher: Arc::clone(publisher), missing: Missing::NotFound, has_manifest: true };
    Router::new().fallback(answer_bare).with_state(bare)
}

#[derive(Debug, Clone)]
struct Bare {
    publisher: Arc<Publisher>,
    missing: Missing,
    has_manifest: bool,
}

async fn answer_bare(State(bare): State<Bare>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let snapshot = bare.publisher.snapshot();
    let file = match snapshot.route(uri.path()) {
        Some(Route::Page(index)) => snapshot.pages.get(*index).map(|page| &page.file),
        Some(Route::Plain(index)) => snapshot.plain.get(*index),
        Some(Route::Asset(index)) => snapshot.assets.get(*index),
        Some(route @ Route::Document(_)) if bare.has_manifest && uri.path() != POLICY_PATH => {
            return match snapshot.resource(*route) {
                Some(resource) if uri.path() == "/robots.txt" => without_sitemaps(resource),
                Some(resource) => resource.respond(&method, &headers).into_response(),
                None => StatusCode::NOT_FOUND.into_response(),
            };
        }
        _ => snapshot.pages.first().map(|page| &page.file).filter(|_| bare.missing == Missing::Page),
    };
    match file.and_then(|file| Some((file.read().ok()?, file.media_type()))) {
        Some((body, media_type)) => {
            Resource::of_file(body.into_owned(), media_type, []).respond(&method, &headers).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// robots.txt of a site that has no sitemap of TCT.
fn without_sitemaps(robots: &Resource) -> Response {
    let text = String::from_utf8_lossy(robots.body());
    let lines = text.lines().filter(|line| !line.starts_with("Sitemap:"));
    lines.collect::<Vec<_>>().join("\n").into_response()
}

/// Answers the request soundly, and spoils the answer.
async fn spoil(mut request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let fields = request.headers_mut();
    let is_coded = fields.get(ACCEPT_ENCODING).is_some_and(|value| value != "identity");
    let edit = edit_of(&path);
    if edit.is_some() || path == "/acequia.html/llm/" {
        fields.remove(IF_NONE_MATCH);
    }
    if edit.is_some() {
        fields.remove(ACCEPT_ENCODING);
    }
    let mut response = next.run(request).await;
    let is_not_modified = response.status() == StatusCode::NOT_MODIFIED;
    let fields = response.headers_mut();
    let mut set = |name, value| fields.insert(name, HeaderValue::from_static(value));
    if is_not_modified && path == "/samovar.html/llm/" {
        fields.remove(VARY);
        return response;
    }
    match path.as_str() {
        "/llm/faq" | "/llms.txt" => return StatusCode::NOT_FOUND.into_response(),
        "/document.json" => return json_response(DOCUMENT),
        "/.well-known/tdmrep.json" => return json_response("{\"location\":\"/\"}"),
        "/about.html/llm/" => weaken(fields),
        "/beekeeping-log.html/llm/" if is_coded => {
            set(ETAG, "\"of-the-coded-bytes\"");
        }
        "/" => {
            // Only the twin's link goes: the sitemap stays known.
            let links: Vec<_> = fields.get_all(LINK).iter().cloned().collect();
            fields.remove(LINK);
            let is_kept = |link: &HeaderValue| !link.to_str().unwrap_or_default().contains("alternate");
            fields.extend(links.into_iter().filter(is_kept).map(|link| (LINK, link)));
        }
        "/azulejo.html/llm/" if method == Method::HEAD => {
            fields.remove(ETAG);
        }
        "/clock-escapement.html/llm/" => {
            set(CACHE_CONTROL, "private, max-age=600");
            set(VARY, "user-agent");
        }
        "/even.html/llm/" => {
            set(LINK, "</about.html>; rel=\"canonical\"");
        }
        llmindex_types::MANIFEST_PATH => {
            set(CONTENT_TYPE, "text/plain");
            fields.remove(CACHE_CONTROL);
        }
        _ => {}
    }
    match edit {
        Some(edit) if method == Method::GET => with_body(response, edit).await,
        _ => response,
    }
}

/// A document of AIWebIndex 2.0 with little of what it needs.
const DOCUMENT: &str = r#"{"schema":{"name":"AIDocument","version":"2.0"},"source":{},"cache":{},"identity":{},
    "content":{"markdown":7},"structure":{},"signals":{}}"#;

fn json_response(body: &'static str) -> Response {
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

fn weaken(fields: &mut HeaderMap) {
    let weak = fields.get(ETAG).map(|tag| [b"W/", tag.as_bytes()].concat());
    if let Some(weak) = weak.and_then(|weak| HeaderValue::from_bytes(&weak).ok()) {
        fields.insert(ETAG, weak);
    }
}

type Edit = fn(String) -> String;

/// What becomes of a body.
fn edit_of(path: &str) -> Option<Edit> {
    Some(match path {
        "/" => |html| {
            let links = "<link rel=\"alternate\" type=\"application/json\" href=\"/document.json\">\
                         <link rel=\"license\" type=\"application/rsl+xml\" href=\"/license.xml\">\
                         <script type=\"application/ld+json\">{\"@type\":</script></head>";
            html.replace("rel=\"alternate\"", "rel=\"related\"").replace("</head>", links)
        },
        "/robots.txt" => |text| format!("{text}\nUser-agent: *\nDisalow: /old/\nDisallow: /kite.html/llm/\n"),
        "/llm-policy.json" => |text| {
            edited(&text, |policy| {
                set(policy, "/purposes/allow_ai_train", json!(true));
                set(policy, "/rate_hints/max_requests_per_second", json!("a few"));
            })
        },
        "/llm-sitemap.json" => spoil_sitemap,
        "/bridge.html/llm/" => |text| {
            edited(&text, |payload| {
                payload.as_object_mut().map(|members| members.remove("profile"));
            })
        },
        llmindex_types::MANIFEST_PATH => |text| {
            edited(&text, |manifest| {
                set(manifest, "/topics", json!([]));
                set(manifest, "/language", json!("en_US"));
                if let Some(members) = manifest.as_object_mut() {
                    members.insert("contact_phone".to_owned(), json!("+31 20 555 0100"));
                }
                let origin = manifest.pointer("/entity/canonical_url").and_then(Value::as_str);
                let offers = format!("{}offers.json", origin.unwrap_or_default());
                if let Some(feeds) = manifest.pointer_mut("/feeds").and_then(Value::as_object_mut) {
                    feeds.insert("offers_json".to_owned(), json!(offers));
                }
            })
        },
        "/products.jsonl" => |text| text.replacen("\"9.50\"", "\"nine\"", 1).replacen("9.50", "\"nine\"", 1),
        "/.well-known/aiwebindex-verify.txt" | "/.well-known/llmindex-proof.txt" => {
            |text| text.to_uppercase()
        }
        _ => return None,
    })
}

/// A sitemap with a list of pages, an entry without a date and one without a hash, cut off before its end.
fn spoil_sitemap(text: String) -> String {
    let text = edited(&text, |sitemap| {
        let Some(items) = sitemap.get_mut("items").and_then(Value::as_array_mut) else { return };
        if let Some(mut list) = items.first().cloned() {
            let home = list.get("cUrl").and_then(Value::as_str).unwrap_or_default().to_owned();
            set(&mut list, "/cUrl", json!(format!("{home}category/crafts/")));
            set(&mut list, "/mUrl", json!(format!("{home}category/crafts/llm/")));
            items.push(list);
        }
        if let Some(item) = items.get_mut(1) {
            set(item, "/contentHash", json!("sha256-unknown"));
            set(item, "/etag", json!("sha256-unknown"));
        }
        if let Some(item) = items.get_mut(2).and_then(Value::as_object_mut) {
            item.remove("modified");
        }
    });
    text.trim_end_matches(['}', ']']).to_owned() + "},"
}

fn edited(text: &str, edit: impl FnOnce(&mut Value)) -> String {
    let mut value = serde_json::from_str(text).unwrap_or_default();
    edit(&mut value);
    value.to_string()
}

fn set(document: &mut Value, pointer: &str, value: Value) {
    if let Some(place) = document.pointer_mut(pointer) {
        *place = value;
    }
}

async fn with_body(response: Response, edit: Edit) -> Response {
    let (mut head, body) = response.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    head.headers.remove(CONTENT_LENGTH);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Response::from_parts(head, Body::from(edit(text)))
}
