//! The layer around a handler of plain hyper, without any framework.
//!
//! `cargo run -p tct-tower --example hyper`, then `curl -i http://127.0.0.1:3000/tides/llm/`.

use std::convert::Infallible;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response, StatusCode};
use http_body_util::{Empty, Full};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tct_tower::{Settings, SettingsError, TctBody, TctLayer, TwinContent};
use tower::{Layer as _, Service, ServiceExt as _, service_fn};

/// The handler as it was before: pages in HTML, and nothing about the protocol.
async fn handle(request: Request<Empty<Bytes>>) -> Result<Response<Full<Bytes>>, Infallible> {
    let page = match request.uri().path() {
        "/" => "<title>The quay</title><p>Boats leave at the full hour.</p>",
        "/tides/" => "<title>Tides</title><p>High water at six, low water at noon.</p>",
        _ => {
            let mut missing = Response::new(Full::from("404 Not Found\n"));
            *missing.status_mut() = StatusCode::NOT_FOUND;
            return Ok(missing);
        }
    };
    let mut response = Response::new(Full::from(page));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    Ok(response)
}

/// Title and text of a page; with the feature `extract`, `ExtractContent` does it for any page.
fn content(_url: &url::Url, _type: Option<&str>, html: &[u8]) -> Option<TwinContent> {
    let html = std::str::from_utf8(html).ok()?;
    let between = |start, end| Some(html.split_once(start)?.1.split_once(end)?.0);
    let (title, text) = (between("<title>", "</title>")?, between("<p>", "</p>")?);
    Some(TwinContent::new(title, text, format!("# {title}\n\n{text}")))
}

/// The handler behind the layer, as hyper takes it. The layer asks for pages by itself, with requests without a body: what a
/// reader's body holds is dropped here, since these pages take none.
pub fn service() -> Result<
    impl Service<Request<Incoming>, Response = Response<TctBody<Full<Bytes>>>, Error = Infallible, Future: Send>
    + Clone
    + Send
    + 'static,
    SettingsError,
> {
    let settings = Settings::new("https://quay.example", content)?.with_pages(["/", "/tides/"]);
    let layered = TctLayer::new(settings).layer(service_fn(handle));
    Ok(layered.map_request(|request: Request<Incoming>| request.map(|_body| Empty::new())))
}

#[tokio::main(flavor = "current_thread")]
#[allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a server has a port, and says where it is"
)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = service()?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    println!("try curl -i http://{}/tides/llm/", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            // A connection that breaks is the client's business; it will come again.
            let _broken = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}
