//! Computes the fingerprint of every uploaded text while it streams through: memory is the same for any length.
//! `cargo run -p short --bin fingerprint_middleware`, then `curl --data-binary @book.txt http://127.0.0.1:40001/`

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use tct_fingerprint::Utf8Fingerprinter;

type Polled = Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>>;

/// A body that is hashed while it streams. Bytes that are not UTF-8 pass unchanged, without a fingerprint.
struct Hashed(Body, Option<Utf8Fingerprinter>);

impl http_body::Body for Hashed {
    type Data = Bytes;
    type Error = axum::Error;

    #[expect(clippy::print_stdout, reason = "a real program would store it")]
    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Polled {
        let Hashed(body, hash) = &mut *self;
        let polled = Pin::new(body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(piece) = frame.data_ref()
        {
            *hash = hash.take().and_then(|mut hash| hash.update(piece).ok().map(|()| hash));
        } else if let Poll::Ready(None) = &polled
            && let Some(Ok(fingerprint)) = hash.take().map(Utf8Fingerprinter::finish)
        {
            println!("{fingerprint}");
        }
        polled
    }
}

async fn fingerprint(request: Request, next: Next) -> axum::response::Response {
    next.run(request.map(|body| Body::new(Hashed(body, Some(Utf8Fingerprinter::new()))))).await
}

/// A handler without any code for fingerprints: it counts the bytes, and stores none.
async fn count(mut body: Body) -> String {
    let mut bytes = 0;
    while let Some(Ok(frame)) = body.frame().await {
        bytes += frame.data_ref().map_or(0, Bytes::len);
    }
    format!("{bytes} bytes\n")
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "says where it listens")]
async fn main() -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    let app = axum::Router::new().route("/", axum::routing::post(count)).layer(from_fn(fingerprint));
    axum::serve(listener, app).await
}
