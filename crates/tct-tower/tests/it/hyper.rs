//! The example for plain hyper, over a connection in memory.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    dead_code,
    reason = "a test says what it expects in the plainest way; the example's main is not called"
)]

use crate::example;

use bytes::Bytes;
use http::header::{ETAG, HOST, IF_NONE_MATCH};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt as _, Empty};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;

#[tokio::test]
async fn a_handler_of_hyper_gets_twins_and_304() {
    let (here, there) = tokio::io::duplex(64 << 10);
    let service = TowerToHyperService::new(example::service().unwrap());
    let server = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(there), service);
    tokio::spawn(server);
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(here)).await.unwrap();
    tokio::spawn(connection);
    let mut get = async |path: &str, fields: HeaderMap| {
        let mut request = Request::new(Empty::<Bytes>::new());
        *request.uri_mut() = path.parse().unwrap();
        *request.headers_mut() = fields;
        request.headers_mut().insert(HOST, "quay.example".parse().unwrap());
        let (head, body) = sender.send_request(request).await.unwrap().into_parts();
        (head.status, head.headers, body.collect().await.unwrap().to_bytes())
    };

    let (status, fields, twin) = get("/tides/llm/", HeaderMap::new()).await;
    assert_eq!(status, StatusCode::OK);
    assert!(String::from_utf8_lossy(&twin).contains("High water at six"), "{twin:?}");
    let again = HeaderMap::from_iter([(IF_NONE_MATCH, fields[ETAG].clone())]);
    let (status, fields, body) = get("/tides/llm/", again).await;
    assert_eq!((status, body.len()), (StatusCode::NOT_MODIFIED, 0));
    assert!(!fields.contains_key("content-length"), "{fields:?}");
    let (_, fields, page) = get("/tides/", HeaderMap::new()).await;
    assert!(page.starts_with(b"<title>Tides</title>"));
    assert_eq!(tct::link::links(&fields).count(), 2);
    let (_, _, sitemap) = get("/llm-sitemap.json", HeaderMap::new()).await;
    assert!(String::from_utf8_lossy(&sitemap).contains("https://quay.example/tides/llm/"));
    assert_eq!(get("/missing", HeaderMap::new()).await.0, StatusCode::NOT_FOUND);
}
