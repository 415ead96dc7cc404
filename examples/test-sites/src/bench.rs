//! The hot path under load, each beside somebody who does the same without the library.
//!
//! | measured | beside |
//! |---|---|
//! | `twin`: the site answers 304 for a twin | a handler by hand: compare one header value, send what was prepared |
//! | `layer-304`: a router behind `tct_tower::TctLayer` answers 304 for a twin | the same |
//! | `layer-html`: a page passes through the layer | the router without it |
//!
//! All answer on ports of their own, in the clear and keep-alive, with the same bytes; `wrk` is a process of its own. They
//! take turns, since whoever comes second may find the machine in another state. The script `beside-nginx` puts the whole
//! server beside nginx.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{Html, Response};
use axum::routing::get;
use http::header::{ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use hyper::body::Incoming;
use site::server::{Answers, Listener, Server};
use site::{Options, SiteError, start};
use tct_tower::{Settings, TctBody, TctLayer, TctService, TwinContent};
use tokio::process::Command;
use url::Url;

use crate::attack::refused;

/// What is put under load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Subject {
    /// The site answers 304 for a twin.
    #[default]
    Twin,
    /// The layer answers 304 for a twin.
    #[value(name = "layer-304")]
    Layer304,
    /// A page passes through the layer.
    LayerHtml,
}

/// How much load, and how often.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Bench {
    /// What is measured
    #[arg(value_enum, default_value_t)]
    pub(crate) subject: Subject,
    /// Rounds; each measures both servers once
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) rounds: usize,
    /// Seconds of load for each measurement
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seconds: u32,
    /// Connections that are kept open
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub(crate) connections: u32,
}

/// What wrk measured.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measured {
    requests_per_second: f64,
    /// The slowest hundredth begins here.
    p99_ms: f64,
    bytes_per_request: f64,
}

/// A server under load: where it is, and the entity tag that it is asked with, if any.
#[derive(Debug, Clone)]
struct Side {
    name: &'static str,
    url: String,
    tag: Option<String>,
    /// Bodies are at least this long; with a tag there are none.
    body_len: usize,
}

/// What has to live as long as the load lasts.
#[derive(Debug, Default)]
struct Running {
    servers: Vec<Server>,
    sites: Vec<site::Running>,
}

/// Measures and writes the table.
///
/// # Errors
/// If a server does not start, or wrk is not there.
pub(crate) async fn run(bench: &Bench, out: &mut (dyn Write + Send)) -> Result<(), SiteError> {
    let mut running = Running::default();
    let (peer, ours) = match bench.subject {
        Subject::Twin => twin(&mut running).await?,
        Subject::Layer304 => layer_304(&mut running).await?,
        Subject::LayerHtml => layer_html(&mut running).await?,
    };
    let mut say = |line: String| {
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|source| SiteError::File {
            action: "write to",
            path: "standard output".into(),
            source,
        })
    };
    say(format!("{} connections: {} beside {}", bench.connections, ours.name, peer.name))?;
    say("round   peer: requests/s  p99 ms   ours: requests/s  p99 ms   ratio".to_owned())?;
    let (mut ratios, mut p99s) = (Vec::new(), Vec::new());
    let mut best = [0.0_f64; 2];
    for round in 1..=bench.rounds {
        let (first, second) = if round % 2 == 0 { (&ours, &peer) } else { (&peer, &ours) };
        let first = load(bench, first).await?;
        let second = load(bench, second).await?;
        let (by_peer, by_us) = if round % 2 == 0 { (second, first) } else { (first, second) };
        let ratio = by_us.requests_per_second / by_peer.requests_per_second;
        say(format!(
            "{round:>5}   {:>16.0}  {:>6.2}   {:>16.0}  {:>6.2}   {ratio:.3}",
            by_peer.requests_per_second, by_peer.p99_ms, by_us.requests_per_second, by_us.p99_ms,
        ))?;
        let [most_by_peer, most_by_us] = best;
        best = [most_by_peer.max(by_peer.requests_per_second), most_by_us.max(by_us.requests_per_second)];
        ratios.push(ratio);
        p99s.push(by_us.p99_ms / by_peer.p99_ms);
    }
    let [by_peer, by_us] = best;
    say(format!("best round: peer {by_peer:.0}, ours {by_us:.0} requests/s, ratio {:.3}", by_us / by_peer))?;
    say(format!("RATIO: throughput {:.3}, p99 {:.3} (medians)", median(&mut ratios), median(&mut p99s)))?;
    for server in running.servers {
        server.stop().await?;
    }
    for site in running.sites {
        site.stop().await?;
    }
    Ok(())
}

/// A service at a port of its own.
async fn serve<S, B>(running: &mut Running, service: S) -> Result<SocketAddr, SiteError>
where
    S: Answers<B>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let server = listen().await?.serve(service, None)?;
    let address = server.address;
    running.servers.push(server);
    Ok(address)
}

async fn listen() -> Result<Listener, SiteError> {
    Listener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await
}

/// The handler by hand sends what the library would.
fn by_hand(path: &str, tag: &HeaderValue, respond: impl Fn(&HeaderMap) -> (HeaderMap, Bytes)) -> Router {
    let (whole, body) = respond(&HeaderMap::new());
    let (unchanged, _) = respond(&HeaderMap::from_iter([(IF_NONE_MATCH, tag.clone())]));
    let page = ByHand { tag: tag.clone(), unchanged, whole, body };
    Router::new().route(path, get(answer_by_hand)).with_state(Arc::new(page))
}

async fn twin(running: &mut Running) -> Result<(Side, Side), SiteError> {
    let site = start(Options { tls: false, ..Options::default() }).await?;
    let snapshot = site.publisher().snapshot();
    let page = snapshot.pages.first().ok_or_else(|| refused("bench", "a site without pages"))?;
    let tag = format!("\"{}\"", page.fingerprint);
    let value = HeaderValue::try_from(&tag).map_err(|error| refused("bench", error))?;
    let path = page.m_url.as_url().path();
    let respond = |request: &HeaderMap| {
        (page.payload.respond(&Method::GET, request).headers().clone(), page.payload.body().clone())
    };
    let peer = serve(running, by_hand(path, &value, respond)).await?;
    let side = |name, address| Side {
        name,
        url: format!("http://{address}{path}"),
        tag: Some(tag.clone()),
        body_len: page.payload.body().len(),
    };
    let sides = (side("a handler by hand", peer), side("304 of a twin by the site", site.address()));
    running.sites.push(site);
    Ok(sides)
}

/// A page of about 5 kB, as handlers give it.
fn page_html() -> String {
    let paragraph =
        "<p>What the tide brings it takes again, and the table on the wall of the quay says when.</p>\n";
    format!(
        "<!DOCTYPE html><html lang=en><head><title>Tides</title></head><body><main>{}</main></body></html>",
        paragraph.repeat(53)
    )
}

/// A router for the page, and the same behind the layer.
fn layered() -> Result<(Router, TctService<Router>), SiteError> {
    let html = Bytes::from(page_html());
    let pages = Router::new().route("/tides/", get(move || std::future::ready(Html(html.clone()))));
    let content = |_url: &Url, _type: Option<&str>, html: &[u8]| {
        let html = std::str::from_utf8(html).ok()?;
        let main = html.split_once("<main>")?.1.split_once("</main>")?.0;
        let text = main.replace("<p>", "").replace("</p>", "\n");
        Some(TwinContent::new("Tides", text.as_str(), text.as_str()))
    };
    let settings = Settings::new("https://quay.example", content).map_err(|error| refused("bench", error))?;
    let layer = TctLayer::new(settings.with_pages(["/tides/"]));
    let behind = tower_layer::Layer::layer(&layer, pages.clone());
    Ok((pages, behind))
}

/// The layer as a server takes it. A router takes bodies of any kind by itself.
fn served(behind: TctService<Router>) -> impl Answers<TctBody<Body>> {
    tower::ServiceExt::map_request(behind, |request: http::Request<Incoming>| request.map(Body::new))
}

async fn layer_304(running: &mut Running) -> Result<(Side, Side), SiteError> {
    let (_, behind) = layered()?;
    let path = "/tides/llm/";
    let ask = async |request: HeaderMap| {
        let mut asked = http::Request::new(Body::empty());
        *asked.uri_mut() = http::Uri::from_static("/tides/llm/");
        *asked.headers_mut() = request;
        tower::ServiceExt::oneshot(behind.clone(), asked).await.map(|answer| answer.map(Body::new))
    };
    let failed = |error: &dyn std::fmt::Display| refused("bench", error);
    let whole = ask(HeaderMap::new()).await.map_err(|error| failed(&error))?;
    let fields = whole.headers().clone();
    let body = axum::body::to_bytes(whole.into_body(), usize::MAX).await.map_err(|error| failed(&error))?;
    let tag = fields.get(ETAG).cloned().ok_or_else(|| refused("bench", "a twin without a tag"))?;
    let unchanged =
        ask(HeaderMap::from_iter([(IF_NONE_MATCH, tag.clone())])).await.map_err(|error| failed(&error))?;
    let unchanged = unchanged.headers().clone();
    let respond = |request: &HeaderMap| {
        let fields = if request.is_empty() { &fields } else { &unchanged };
        (fields.clone(), body.clone())
    };
    let peer = serve(running, by_hand(path, &tag, respond)).await?;
    let ours = serve(running, served(behind)).await?;
    let tag = tag.to_str().unwrap_or_default().to_owned();
    let side = |name, address| Side {
        name,
        url: format!("http://{address}{path}"),
        tag: Some(tag.clone()),
        body_len: body.len(),
    };
    Ok((side("a handler by hand", peer), side("304 of a twin by the layer", ours)))
}

async fn layer_html(running: &mut Running) -> Result<(Side, Side), SiteError> {
    let (bare, behind) = layered()?;
    let (peer, ours) = (serve(running, bare).await?, serve(running, served(behind)).await?);
    let side = |name, address| Side {
        name,
        url: format!("http://{address}/tides/"),
        tag: None,
        body_len: page_html().len(),
    };
    Ok((side("the router alone", peer), side("a page through the layer", ours)))
}

/// One page, answered without the library.
struct ByHand {
    tag: HeaderValue,
    unchanged: HeaderMap,
    whole: HeaderMap,
    body: Bytes,
}

async fn answer_by_hand(State(page): State<Arc<ByHand>>, request: HeaderMap) -> Response {
    let is_unchanged = request.get(IF_NONE_MATCH) == Some(&page.tag);
    let (status, headers, body) = match is_unchanged {
        true => (StatusCode::NOT_MODIFIED, &page.unchanged, Body::empty()),
        false => (StatusCode::OK, &page.whole, Body::from(page.body.clone())),
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers.clone();
    response
}

async fn load(bench: &Bench, side: &Side) -> Result<Measured, SiteError> {
    let failed = |why: String| refused("wrk", why);
    let condition = side.tag.as_ref().map(|tag| format!("--header=If-None-Match: {tag}"));
    let mut command = Command::new("wrk");
    command.args(["--latency", "--threads", "1", "--connections", &bench.connections.to_string()]);
    command.arg(format!("--duration={}s", bench.seconds)).args(condition).arg(&side.url);
    let output = command.output().await.map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || text.contains("Non-2xx or 3xx") || text.contains("Socket errors") {
        return Err(failed(format!("{text}{}", String::from_utf8_lossy(&output.stderr))));
    }
    let measured =
        measured(&text).ok_or_else(|| failed(format!("expected its usual output, found {text:?}")))?;
    // A condition that was lost on the way would show as bodies, a page that was not sent as none.
    let has_bodies = measured.bytes_per_request >= side.body_len as f64;
    if has_bodies == side.tag.is_some() {
        let expected = if has_bodies { "heads alone" } else { "bodies" };
        return Err(failed(format!(
            "expected {expected}, found {} bytes a request",
            measured.bytes_per_request
        )));
    }
    Ok(measured)
}

/// The figures in wrk's output.
fn measured(text: &str) -> Option<Measured> {
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.trim_start().strip_prefix(name))?;
        Some(line.trim().to_owned())
    };
    let split = |value: &str| {
        let (number, unit) = value.split_at_checked(value.find(|c: char| c.is_ascii_alphabetic())?)?;
        Some((number.parse::<f64>().ok()?, unit.to_owned()))
    };
    let (p99, unit) = split(&value("99%")?)?;
    let in_ms = match unit.as_str() {
        "us" => 0.001,
        "ms" => 1.0,
        "s" => 1000.0,
        _ => return None,
    };
    let (transfer, unit) = split(&value("Transfer/sec:")?)?;
    let in_bytes = match unit.as_str() {
        "B" => 1.0,
        "KB" => 1024.0,
        "MB" => 1024.0 * 1024.0,
        "GB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let requests_per_second: f64 = value("Requests/sec:")?.parse().ok()?;
    Some(Measured {
        requests_per_second,
        p99_ms: p99 * in_ms,
        bytes_per_request: transfer * in_bytes / requests_per_second,
    })
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_found() {
        let text = "  Latency Distribution\n     50%  353.00us\n     99%    1.18ms\n  8 requests\n\
                    Requests/sec:  16384.00\nTransfer/sec:      4.00MB\n";
        let expected = Measured { requests_per_second: 16384.0, p99_ms: 1.18, bytes_per_request: 256.0 };
        assert_eq!(measured(text), Some(expected));
        assert_eq!(measured("unable to connect"), None);
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
    }
}
