//! The site as the reference plugin for WordPress serves it, behind a server that compresses as Apache does.
//!
//! What was seen of that plugin in use, and is done here on purpose:
//!
//! | | |
//! |---|---|
//! | pages | permalinks without the final slash; `/kite/` leads to `/kite`; a link to the CMS's own JSON API comes first |
//! | sitemap | at its usual path only, nothing links it; the newest 200; no entity tag; `cUrl` with a final slash |
//! | twins | `canonical` without the final slash; the hash is of the text alone (method B), beside fourteen other members, two of which change by themselves, one of them once a second; `&#038;` in titles, `&#8217;` in texts; that of the homepage has the newest posts |
//! | entity tags | weak; with `-gzip` or `-br` in them when the server compresses, by the coding that it made first, and kept where a cache sends another; a tag in quotes never gets 304, only the bare hash does; no `Vary` and `Link` on 304 |
//! | policy | linked by the twins only |
//! | protected pages | the page asks for a password, the twin has the text |

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, LOCATION, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use serde_json::{Value, json};
use site::documents::POLICY_PATH;
use site::html::read;
use site::publisher::{Coding, PublishedPage, Publisher, Resource, Route, Snapshot};
use url::Url;

/// The page whose readers are asked for a password.
const PROTECTED: &str = "/ledger";
/// The plugin lists no more than these, the homepage counted.
const NEWEST: usize = 200;

#[derive(Debug, Clone)]
struct Plugin {
    publisher: Arc<Publisher>,
    origin: Url,
    /// Whether it was activated just now: the server does not know its rewrite rules yet, and there is no policy.
    is_new: bool,
    /// Requests so far: the plugin counts views.
    views: Arc<AtomicU64>,
}

pub(crate) fn router(publisher: &Arc<Publisher>, origin: &Url, is_new: bool) -> Router {
    let plugin = Plugin {
        publisher: Arc::clone(publisher),
        origin: origin.clone(),
        is_new,
        views: Arc::new(AtomicU64::new(1000)),
    };
    Router::new().fallback(answer).with_state(plugin)
}

async fn answer(State(plugin): State<Plugin>, request: Request) -> Response {
    let (head, _body) = request.into_parts();
    let (method, path, fields) = (head.method, head.uri.path().to_owned(), head.headers);
    let snapshot = plugin.publisher.snapshot();
    if path == "/llm-sitemap.json" {
        return plugin.sitemap(&snapshot, &fields);
    }
    if path == POLICY_PATH && !plugin.is_new {
        let policy = snapshot.route(&path).and_then(|route| snapshot.resource(*route));
        let pretty = policy.and_then(|policy| serde_json::from_slice::<Value>(policy.body()).ok());
        let body = pretty.and_then(|policy| serde_json::to_vec_pretty(&policy).ok()).unwrap_or_default();
        return sent(&method, &fields, Bytes::from(body), json_fields(None));
    }
    if path == "/robots.txt" {
        return "User-agent: *\nDisallow: /wp-admin/\nContent-Signal: search=yes, ai-input=yes, ai-train=no\n"
            .into_response();
    }
    if path.starts_with("/wp-json/") {
        return sent(
            &method,
            &fields,
            Bytes::from_static(b"{\"id\":12,\"slug\":\"post\"}"),
            json_fields(None),
        );
    }
    if let Some(page) = path.strip_suffix("llm/").and_then(|slug| find(&snapshot, slug)) {
        return plugin.twin(&snapshot, page, &method, &fields);
    }
    if path.len() > 1 && path.ends_with('/') && find(&snapshot, &path).is_some() {
        let mut moved = StatusCode::MOVED_PERMANENTLY.into_response();
        let to = HeaderValue::try_from(path.trim_end_matches('/'));
        moved.headers_mut().extend(to.map(|to| (LOCATION, to)));
        return moved;
    }
    if let Some(page) = find(&snapshot, &path) {
        return plugin.page(page, &path, &method, &fields);
    }
    match snapshot.route(&path) {
        Some(Route::Asset(index)) => match snapshot.assets.get(*index).map(|file| (file, file.read())) {
            Some((file, Ok(body))) => Resource::of_file(body.into_owned(), file.media_type(), [])
                .respond(&method, &fields)
                .into_response(),
            _ => StatusCode::NOT_FOUND.into_response(),
        },
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// `/kite.html` is the post `/kite`.
fn slug_of(page: &PublishedPage) -> String {
    page.c_url.as_url().path().trim_end_matches(".html").to_owned()
}

fn find<'a>(snapshot: &'a Snapshot, path: &str) -> Option<&'a PublishedPage> {
    let wanted = if path == "/" { path } else { path.trim_end_matches('/') };
    snapshot.pages.iter().map(Arc::as_ref).find(|page| slug_of(page) == wanted)
}

impl Plugin {
    fn url(&self, path: &str) -> String {
        self.origin.join(path).map_or_else(|_| path.to_owned(), String::from)
    }

    /// The permalink with a final slash, which readers are led away from.
    fn listed(&self, page: &PublishedPage) -> String {
        self.url(&format!("{}/", slug_of(page).trim_end_matches('/')))
    }

    fn page(&self, page: &PublishedPage, path: &str, method: &Method, fields: &HeaderMap) -> Response {
        let twin = format!("{}llm/", self.listed(page));
        let links = format!(
            "<link rel=\"alternate\" type=\"application/json\" href=\"{}\">\
             <link rel=\"alternate\" type=\"application/json\" href=\"{twin}\">\
             <link rel=\"canonical\" href=\"{}\">",
            self.url("/wp-json/wp/v2/posts/12"),
            self.url(path),
        );
        let html = page.file.html().unwrap_or_default();
        let html = match path == PROTECTED {
            true => format!(
                "<!DOCTYPE html><html><head><title>Protected: {path}</title></head><body><main>\
                 <p>This content is password protected. To view it please enter your password below.</p>\
                 <form method=post><label>Password <input name=post_password type=password></label></form>\
                 </main></body></html>"
            ),
            false => html,
        };
        let html = html.replacen("</head>", &format!("{links}</head>"), 1);
        let shown: HeaderMap =
            HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=UTF-8"))]);
        sent(method, fields, Bytes::from(html), shown)
    }

    /// The newest pages, the homepage first: [`NEWEST`] of them, however many there are.
    fn sitemap(&self, snapshot: &Snapshot, fields: &HeaderMap) -> Response {
        let (home, posts): (Vec<_>, Vec<_>) =
            snapshot.pages.iter().partition(|page| page.c_url.as_url().path() == "/");
        let mut posts = posts;
        posts.sort_by_key(|page| std::cmp::Reverse(page.modified));
        let items = home.into_iter().chain(posts).take(NEWEST).map(|page| {
            let modified = jiff::Timestamp::from_second(i64::try_from(page.modified.0).unwrap_or_default());
            json!({
                "cUrl": self.listed(page),
                "mUrl": format!("{}llm/", self.listed(page)),
                "modified": modified.unwrap_or_default().to_string().replace('Z', "+00:00"),
                "contentHash": hash_of(snapshot, page),
            })
        });
        let body = json!({ "version": 1, "profile": "tct-1", "items": items.collect::<Vec<_>>() });
        let mut response = sent(&Method::GET, fields, Bytes::from(body.to_string()), json_fields(None));
        if self.is_new {
            *response.status_mut() = StatusCode::NOT_FOUND;
        }
        response
    }

    fn twin(
        &self,
        snapshot: &Snapshot,
        page: &PublishedPage,
        method: &Method,
        fields: &HeaderMap,
    ) -> Response {
        let text = page.file.html().ok().and_then(|html| read(&html).ok());
        let Some(text) = text else { return StatusCode::NOT_FOUND.into_response() };
        let (hash, canonical) = (hash_of(snapshot, page), self.url(&slug_of(page)));
        let content = content_of(snapshot, page);
        // In whole seconds: two answers within one are the same.
        let generated = jiff::Timestamp::now().round(jiff::Unit::Second).unwrap_or_default();
        let body = json!({
            "profile": "tct-1",
            "llm_url": format!("{}llm/", self.listed(page)),
            "canonical_url": &canonical,
            "hash": hash,
            "title": format!("{} &#038; more", text.title),
            "content": &content,
            "language": text.language,
            "author": "editor",
            "published": "2026-01-04T08:00:00+00:00",
            "modified": "2026-02-04T08:00:00+00:00",
            "excerpt": Value::Null,
            "word_count": content.split_whitespace().count(),
            "categories": [],
            "tags": Value::Null,
            "featured_image": Value::Null,
            "site_name": "The Quay Notebook",
            "generator": "a plugin",
            "generated_at": generated.to_string(),
            // Nobody has counted anything yet on a new one.
            "views": if self.is_new { 0 } else { self.views.fetch_add(1, Ordering::Relaxed) },
        });
        let mut shown = json_fields(Some(&hash));
        let policy = (self.url(POLICY_PATH), "describedby\"; type=\"application/json");
        let links = [(canonical, "canonical"), (self.url("/terms"), "terms-of-service")];
        // The policy has to be filled in before it is there.
        for (target, rel) in links.into_iter().chain((!self.is_new).then_some(policy)) {
            let link = HeaderValue::try_from(format!("<{target}>; rel=\"{rel}\""));
            shown.extend(link.map(|link| (LINK, link)));
        }
        sent(method, fields, Bytes::from(body.to_string()), shown)
    }
}

/// The text as the plugin's filters leave it: typographic signs as references. The homepage has that of the newest posts.
fn content_of(snapshot: &Snapshot, page: &PublishedPage) -> String {
    let text = |page: &PublishedPage| {
        let text = page.file.html().ok().and_then(|html| read(&html).ok());
        text.map(|text| text.content).unwrap_or_default()
    };
    let content = match slug_of(page) == "/" {
        true => snapshot.pages.iter().skip(1).take(3).map(|page| text(page)).collect::<Vec<_>>().join("\n\n"),
        false => text(page),
    };
    content.replace(['\u{2019}', '\''], "&#8217;")
}

/// The hash of the text alone, as the plugin makes it.
fn hash_of(snapshot: &Snapshot, page: &PublishedPage) -> String {
    tct_fingerprint::fingerprint(&content_of(snapshot, page)).to_string()
}

fn json_fields(hash: Option<&str>) -> HeaderMap {
    let mut fields = HeaderMap::new();
    fields.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=UTF-8"));
    let cache = "max-age=0, must-revalidate, stale-while-revalidate=60, public";
    fields.insert(CACHE_CONTROL, HeaderValue::from_static(cache));
    if let Some(tag) = hash.and_then(|hash| HeaderValue::try_from(format!("W/\"{hash}\"")).ok()) {
        fields.insert(ETAG, tag);
    }
    fields
}

/// The answer as the server in front sends it: compressed where that is asked for, with a mark in the entity tag.
///
/// The mark tells the coding in which the server keeps the answer. A cache that hands it on in another one leaves the mark
/// as it is.
fn sent(method: &Method, request: &HeaderMap, body: Bytes, mut fields: HeaderMap) -> Response {
    let text = |name: HeaderName| request.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let tag = fields.get(ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
    let kept = kept_coding(tag.as_deref().unwrap_or_default());
    let coding = match text(ACCEPT_ENCODING) {
        accepted if kept == Coding::Br && accepted.contains("br") => Coding::Br,
        accepted if accepted.contains("gzip") => Coding::Gzip,
        _ => Coding::Identity,
    };
    if coding != Coding::Identity
        && let Some(tag) = &tag
        && let Ok(marked) = HeaderValue::try_from(format!("{}-{}\"", tag.trim_end_matches('"'), kept.name()))
    {
        fields.insert(ETAG, marked);
    }
    // The plugin compares the field with its hash as they stand: a tag in quotes, as clients send it, is never that.
    let is_held = |tag: &String| tag.trim_start_matches("W/").trim_matches('"') == text(IF_NONE_MATCH);
    if tag.as_ref().is_some_and(is_held) {
        let mut response = StatusCode::NOT_MODIFIED.into_response();
        response.headers_mut().extend(fields.remove(ETAG).map(|tag| (ETAG, tag)));
        return response;
    }
    fields.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    let body = match coding {
        Coding::Identity => body,
        coding => {
            fields.insert(CONTENT_ENCODING, coding.value());
            coding.encode(&body)
        }
    };
    let mut response = Response::new(if method == Method::HEAD { Body::empty() } else { Body::from(body) });
    *response.headers_mut() = fields;
    response
}

/// The coding in which an answer is kept: each has its half.
fn kept_coding(tag: &str) -> Coding {
    match tag.trim_end_matches('"').bytes().next_back() {
        Some(digit) if digit % 2 == 0 => Coding::Br,
        _ => Coding::Gzip,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tower::ServiceExt as _;

    use super::*;

    async fn ask(router: &Router, path: &str, fields: &[(HeaderName, &str)]) -> (HeaderMap, Bytes) {
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = path.parse().unwrap();
        for (name, value) in fields {
            request.headers_mut().insert(name.clone(), value.parse().unwrap());
        }
        let (head, body) = router.clone().oneshot(request).await.unwrap().into_parts();
        (head.headers, axum::body::to_bytes(body, usize::MAX).await.unwrap())
    }

    /// The plugin of a site with so many pages, of which the later ones are newer.
    fn plugin(pages: usize) -> Router {
        let mut site = site::files::Site::default();
        let page = |index: usize| {
            let html = format!("<title>Page {index}</title><p>The text of page {index}, of its own.");
            site::files::SiteFile::in_memory(&[format!("p{index:03}.html").as_str()], html.into_bytes())
        };
        site.pages = (0..pages).map(page).collect();
        let origin = Url::parse("https://quay.example/").unwrap();
        let plan = site::publisher::Plan::new(&site, origin.clone());
        let now = tct::UnixSeconds(1_790_000_000);
        let publisher = Arc::new(Publisher::new(&site, plan, now, &|| ()).unwrap());
        let newer = |(index, page): (usize, &Arc<PublishedPage>)| {
            (index, page.file.clone(), tct::UnixSeconds(1_780_000_000 + index as u64))
        };
        let changed = publisher.snapshot().pages.iter().enumerate().map(newer).collect();
        publisher.republish(changed, now).unwrap();
        router(&publisher, &origin, false)
    }

    #[tokio::test]
    async fn the_sitemap_is_cut_at_exactly_the_newest_two_hundred() {
        for (pages, listed) in [(199, 199), (200, 200), (201, 200), (230, 200)] {
            let (_, body) = ask(&plugin(pages), "/llm-sitemap.json", &[]).await;
            let sitemap: Value = serde_json::from_slice(&body).unwrap();
            let urls: Vec<&str> = sitemap["items"]
                .as_array()
                .unwrap()
                .iter()
                .map(|item| item["cUrl"].as_str().unwrap())
                .collect();
            assert_eq!(urls.len(), listed, "{pages}");
            assert_eq!(urls[0], format!("https://quay.example/p{:03}/", pages - 1), "the newest first");
            assert_eq!(urls[listed - 1], format!("https://quay.example/p{:03}/", pages - listed));
        }
    }

    #[tokio::test]
    async fn compressed_twins_have_a_mark_of_either_coding_in_their_tags() {
        let router = plugin(12);
        let mut marks = BTreeMap::new();
        for index in 0..12 {
            let path = format!("/p{index:03}/llm/");
            let (plain, text) = ask(&router, &path, &[]).await;
            let plain = plain[ETAG].to_str().unwrap().to_owned();
            assert!(plain.starts_with("W/\"sha256-") && !plain.contains("-br") && !plain.contains("-gzip"));
            for accepted in ["gzip", "gzip, br"] {
                let (fields, body) = ask(&router, &path, &[(ACCEPT_ENCODING, accepted)]).await;
                let tag = fields[ETAG].to_str().unwrap();
                let mark = tag.strip_prefix(plain.trim_end_matches('"')).unwrap().trim_end_matches('"');
                let coding = Coding::of_name(fields[CONTENT_ENCODING].to_str().unwrap()).unwrap();
                assert!(accepted.contains(coding.name()), "{accepted}: {coding:?}");
                *marks.entry((mark.to_owned(), coding)).or_insert(0) += 1;
                // The members that count views and name the moment differ.
                let decoded = coding.decode(body, 1 << 20).unwrap();
                assert_eq!(
                    decoded.split(|byte| *byte == b',').next(),
                    text.split(|byte| *byte == b',').next()
                );
                let held = [(ACCEPT_ENCODING, accepted), (IF_NONE_MATCH, tag)];
                assert!(!ask(&router, &path, &held).await.1.is_empty(), "200: {tag}");
                let bare = plain.trim_start_matches("W/").trim_matches('"');
                let held = [(ACCEPT_ENCODING, accepted), (IF_NONE_MATCH, bare)];
                assert!(ask(&router, &path, &held).await.1.is_empty(), "304: {bare}");
            }
        }
        let kinds: Vec<_> = marks.keys().map(|(mark, coding)| (mark.as_str(), *coding)).collect();
        let expected = [("-br", Coding::Gzip), ("-br", Coding::Br), ("-gzip", Coding::Gzip)];
        assert_eq!(kinds, expected, "a cache keeps the mark when it sends another coding: {marks:?}");
    }
}
