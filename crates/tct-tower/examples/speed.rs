//! What the layer costs, beside the same handler without it: `cargo run --release -p tct-tower --example speed`.
//!
//! Each case is asked 20,000 times in one thread, ten times over, with and without the layer in turn; the fastest of each counts.
//! A line is the ratio of the two. With an argument, the nanoseconds a request, for comparing two builds.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::unreachable,
    reason = "a program that measures has a clock, and prints"
)]

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::{BodyExt as _, Full};
use tct_tower::{Settings, TctLayer, TwinContent};
use tower::{Layer as _, Service};

const ROUNDS: usize = 10;
const REQUESTS: usize = 20_000;

/// A handler with a page of 8 kB that answers 304 to its own tag.
#[derive(Clone)]
struct Handler {
    page: Bytes,
}

impl Service<Request<()>> for Handler {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<()>) -> Self::Future {
        let tag = header::HeaderValue::from_static("\"1\"");
        let is_held = request.headers().get(header::IF_NONE_MATCH) == Some(&tag);
        let body = if is_held { Bytes::new() } else { self.page.clone() };
        let mut response = Response::new(Full::new(body));
        if is_held {
            *response.status_mut() = http::StatusCode::NOT_MODIFIED;
        } else {
            let html = header::HeaderValue::from_static("text/html; charset=utf-8");
            response.headers_mut().insert(header::CONTENT_TYPE, html);
        }
        response.headers_mut().insert(header::ETAG, tag);
        ready(Ok(response))
    }
}

/// Asks once, and reads the answer to its end: the status and the body's length.
fn ask<S, B>(service: &mut S, path: &str, tag: Option<&header::HeaderValue>) -> (u16, usize)
where
    S: Service<Request<()>, Response = Response<B>>,
    B: http_body::Body<Data = Bytes>,
{
    let mut request = Request::builder().uri(path).header(header::HOST, "example.com");
    if let Some(tag) = tag {
        request = request.header(header::IF_NONE_MATCH, tag);
    }
    let request = request.body(()).expect("a request");
    let mut cx = Context::from_waker(Waker::noop());
    let answer = std::pin::pin!(async {
        std::future::poll_fn(|cx| service.poll_ready(cx)).await.ok().expect("ready");
        let response = service.call(request).await.ok().expect("an answer");
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.ok().expect("a body");
        (status, body.to_bytes().len())
    });
    match answer.poll(&mut cx) {
        Poll::Ready(answer) => answer,
        Poll::Pending => unreachable!("nothing here waits"),
    }
}

fn nanos(mut ask: impl FnMut()) -> f64 {
    let begun = Instant::now();
    for _ in 0..REQUESTS {
        ask();
    }
    begun.elapsed().as_nanos() as f64 / REQUESTS as f64
}

fn main() {
    let words = "A sentence of the page that people and machines read. ".repeat(150);
    let html = format!("<!doctype html><title>A page</title><p>{words}</p>");
    let content = |_: &url::Url, _: Option<&str>, html: &[u8]| {
        let html = std::str::from_utf8(html).ok()?;
        let text = html.split_once("<p>")?.1.split_once("</p>")?.0;
        Some(TwinContent::new("A page", text, text))
    };
    let pages: Vec<String> = (0..100).map(|page| format!("/p{page}/")).collect();
    let settings = Settings::new("https://example.com", content).expect("an origin").with_pages(pages);
    let mut bare = Handler { page: html.into() };
    let mut layered = TctLayer::new(settings).layer(bare.clone());
    let mut request = Request::new(());
    *request.uri_mut() = http::Uri::from_static("/p1/llm/");
    let mut cx = Context::from_waker(Waker::noop());
    let answer = std::pin::pin!(layered.call(request)).poll(&mut cx);
    let Poll::Ready(Ok(answer)) = answer else { unreachable!("nothing here waits") };
    let tag = answer.headers().get(header::ETAG).expect("a tag").clone();
    let page_tag = header::HeaderValue::from_static("\"1\"");
    for (name, path, tag, plain_tag, status) in [
        ("page", "/p1/", None, None, 200),
        ("page-304", "/p1/", Some(&page_tag), Some(&page_tag), 304),
        ("twin", "/p1/llm/", None, None, 200),
        ("twin-304", "/p1/llm/", Some(&tag), Some(&page_tag), 304),
    ] {
        let (mut with, mut without) = (f64::MAX, f64::MAX);
        assert_eq!(ask(&mut layered, path, tag).0, status, "{name}");
        for _ in 0..ROUNDS {
            with = with.min(nanos(|| {
                std::hint::black_box(ask(&mut layered, path, tag));
            }));
            without = without.min(nanos(|| {
                std::hint::black_box(ask(&mut bare, "/p1/", plain_tag));
            }));
        }
        match std::env::args().nth(1) {
            Some(_) => println!("{name} {with:.0}"),
            None => println!("RATIO layer/{name} tct-tower/handler {:.2}", with / without),
        }
    }
}
