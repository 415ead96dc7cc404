//! The hot path under load, each beside somebody who does the same without the library.
//!
//! | measured | beside |
//! |---|---|
//! | `twin`: the site answers 304 for a twin | a handler by hand: compare one header value, send what was prepared |
//! | `layer-304`: a router behind `tct_tower::TctLayer` answers 304 for a twin | the same |
//! | `layer-html`: a page passes through the layer | the router without it |
//! | `html`: the site sends a page of 5 kB | nginx sends the same bytes from a file |
//! | `html-304`: the site answers 304 for that page | nginx does |
//! | `twin-200`: the site sends a twin | nginx sends the same bytes from a file |
//! | `twin-304`: the site answers 304 for that twin | nginx does |
//!
//! All answer on ports of their own, in the clear and keep-alive, with the same bytes; `wrk` is a process of its own, and
//! with `--protocol h2` it is `h2load`, which speaks HTTP/2 from the first byte. They take turns, since whoever comes second
//! may find the machine in another state.

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

use crate::nginx::Nginx;

/// What is put under load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Subject {
    /// The site answers 304 for a twin.
    #[default]
    Twin,
    /// The layer answers 304 for a twin.
    #[value(name = "layer-304")]
    Layer304,
    /// A page passes through the layer.
    LayerHtml,
    /// The site sends a page.
    Html,
    /// The site answers 304 for a page.
    #[value(name = "html-304")]
    Html304,
    /// The site sends a twin.
    #[value(name = "twin-200")]
    Twin200,
    /// The site answers 304 for a twin, beside nginx.
    #[value(name = "twin-304")]
    Twin304,
}

/// What is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Protocol {
    /// HTTP/1.1, one request at a time on each connection.
    #[default]
    #[value(name = "http1")]
    Http1,
    /// HTTP/2 in the clear, ten requests at a time on each connection.
    #[value(name = "h2")]
    Http2,
}

/// How much load, and how often.
#[derive(Debug, Clone, clap::Args)]
pub struct Bench {
    /// What is measured
    #[arg(value_enum, default_value_t)]
    pub subject: Subject,
    /// Rounds; each measures both servers once
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub rounds: usize,
    /// Seconds of load for each measurement
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seconds: u32,
    /// Connections that are kept open
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub connections: u32,
    /// What is spoken: wrk measures HTTP/1.1, h2load HTTP/2
    #[arg(long, value_enum, default_value_t)]
    pub protocol: Protocol,
}

/// What wrk measured.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measured {
    requests_per_second: f64,
    /// The slowest hundredth begins here; of h2load, the mean.
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
    nginx: Option<Nginx>,
    // A page is read at its first request.
    folders: Vec<tempfile::TempDir>,
}

/// Measures and writes the table.
///
/// # Errors
/// Where a server does not start, or wrk or nginx is not there.
pub async fn run(bench: &Bench, out: &mut (dyn Write + Send)) -> Result<(), SiteError> {
    let mut running = Running::default();
    let (peer, ours) = match bench.subject {
        Subject::Twin => twin(&mut running).await?,
        Subject::Layer304 => layer_304(&mut running).await?,
        Subject::LayerHtml => layer_html(&mut running).await?,
        Subject::Html => html(&mut running, bench.protocol, false).await?,
        Subject::Html304 => html(&mut running, bench.protocol, true).await?,
        Subject::Twin200 => twin_file(&mut running, bench.protocol, false).await?,
        Subject::Twin304 => twin_file(&mut running, bench.protocol, true).await?,
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

/// The site's page and the same bytes in a file of nginx.
async fn html(running: &mut Running, protocol: Protocol, is_304: bool) -> Result<(Side, Side), SiteError> {
    let file = |source| SiteError::File { action: "make a folder in", path: std::env::temp_dir(), source };
    let folder = tempfile::tempdir().map_err(file)?;
    write(&folder.path().join("tides.html"), page_html().as_bytes())?;
    let site =
        start(Options { tls: false, folder: Some(folder.path().to_owned()), ..Options::default() }).await?;
    let ours = format!("http://{}/tides.html", site.address());
    // What the site serves has the link to the twin in it: nginx gets the same bytes.
    let snapshot = site.publisher().snapshot();
    let page = snapshot.pages.first().ok_or_else(|| refused("bench", "a site without pages"))?;
    let links = tct::link::html_alternate(&page.m_url);
    let served = site::html::with_alternate(&page_html(), &links).map_err(|error| refused("bench", error))?;
    let nginx = Nginx::serve_file("tides.html", served.as_bytes(), protocol).await?;
    let peer = format!("http://{}/tides.html", nginx.address);
    let side = async |name, url: String| {
        let tag = if is_304 { Some(tag_of(&url, protocol).await?) } else { None };
        Ok::<_, SiteError>(Side { name, url, tag, body_len: served.len() })
    };
    let sides = (side("nginx", peer).await?, side("a page by the site", ours).await?);
    running.sites.push(site);
    running.nginx = Some(nginx);
    running.folders.push(folder);
    Ok(sides)
}

/// The site's twin and the same bytes in a file of nginx.
async fn twin_file(
    running: &mut Running,
    protocol: Protocol,
    is_304: bool,
) -> Result<(Side, Side), SiteError> {
    let site = start(Options { tls: false, ..Options::default() }).await?;
    let snapshot = site.publisher().snapshot();
    let page = snapshot.pages.first().ok_or_else(|| refused("bench", "a site without pages"))?;
    let body = page.payload.body();
    let nginx = Nginx::serve_file("twin.json", body, protocol).await?;
    let ours = format!("http://{}{}", site.address(), page.m_url.as_url().path());
    let side = async |name, url: String| {
        let tag = if is_304 { Some(tag_of(&url, protocol).await?) } else { None };
        Ok::<_, SiteError>(Side { name, url, tag, body_len: body.len() })
    };
    let peer = side("nginx", format!("http://{}/twin.json", nginx.address)).await?;
    let sides = (peer, side("a twin by the site", ours).await?);
    running.sites.push(site);
    running.nginx = Some(nginx);
    Ok(sides)
}

/// The entity tag that a server gives to a page.
async fn tag_of(url: &str, protocol: Protocol) -> Result<String, SiteError> {
    // nginx speaks one version at a port in the clear.
    let spoken = ["--http2-prior-knowledge"].into_iter().filter(|_| protocol == Protocol::Http2);
    let output = Command::new("curl").args(["-sI", url]).args(spoken).output().await;
    let output = output.map_err(|error| refused("curl", error))?;
    let head = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = head
        .lines()
        .find_map(|line| Some(line.split_once(':')?).filter(|(name, _)| name.eq_ignore_ascii_case("etag")));
    line.map(|(_, tag)| tag.trim().to_owned()).ok_or_else(|| refused(url, "a page without a tag"))
}

#[expect(clippy::disallowed_methods, reason = "a page for the bench alone")]
fn write(path: &std::path::Path, bytes: &[u8]) -> Result<(), SiteError> {
    std::fs::write(path, bytes).map_err(|source| SiteError::File {
        action: "write",
        path: path.to_owned(),
        source,
    })
}

fn refused(what: &str, why: impl ToString) -> SiteError {
    SiteError::Refused { what: what.to_owned(), why: why.to_string() }
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
    let program = if bench.protocol == Protocol::Http2 { "h2load" } else { "wrk" };
    let failed = |why: String| refused(program, why);
    let condition = side.tag.as_ref().map(|tag| format!("If-None-Match: {tag}"));
    let (connections, seconds) = (bench.connections.to_string(), bench.seconds.to_string());
    let mut command = Command::new(program);
    match bench.protocol {
        Protocol::Http1 => {
            command.args(["--latency", "--threads", "1", "--connections", &connections]);
            command.arg(format!("--duration={seconds}s"));
        }
        Protocol::Http2 => {
            command.args(["--threads=1", "--max-concurrent-streams=10"]);
            command.args([format!("--clients={connections}"), format!("--duration={seconds}")]);
        }
    }
    command.args(condition.iter().map(|condition| format!("--header={condition}"))).arg(&side.url);
    let output = command.output().await.map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || text.contains("Non-2xx or 3xx") || text.contains("Socket errors") {
        return Err(failed(format!("{text}{}", String::from_utf8_lossy(&output.stderr))));
    }
    let measured = match bench.protocol {
        Protocol::Http1 => measured(&text),
        Protocol::Http2 => measured_by_h2load(&text),
    };
    let measured = measured.ok_or_else(|| failed(format!("expected its usual output, found {text:?}")))?;
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

/// The figures in h2load's output. None where an answer was neither 2xx nor 3xx.
fn measured_by_h2load(text: &str) -> Option<Measured> {
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let first = |text: &str, unit: &str| number(text.split_once(unit)?.0.rsplit([' ', ',']).next()?);
    let requests_per_second = first(line("finished in ")?, " req/s")?;
    let codes = line("status codes: ")?;
    if first(codes, " 4xx")? + first(codes, " 5xx")? > 0.0 {
        return None;
    }
    let answered = first(codes, " 2xx")? + first(codes, " 3xx")?;
    // "traffic: 8.02MB (8409088) total, …"
    let traffic = number(line("traffic: ")?.split_once('(')?.1.split_once(')')?.0)?;
    let mut times = line("time for request: ")?.split_whitespace();
    let mean = times.nth(2)?;
    let (mean, in_ms) = match mean {
        mean if mean.ends_with("us") => (mean.trim_end_matches("us"), 0.001),
        mean if mean.ends_with("ms") => (mean.trim_end_matches("ms"), 1.0),
        mean => (mean.trim_end_matches('s'), 1000.0),
    };
    Some(Measured {
        requests_per_second,
        p99_ms: number(mean)? * in_ms,
        bytes_per_request: traffic / answered,
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
        let text = "finished in 1.00s, 41000.00 req/s, 8.02MB/s\n\
                    requests: 41000 total, 41320 started, 41000 done, 41000 succeeded, 0 failed, 0 errored, 0 timeout\n\
                    status codes: 0 2xx, 41000 3xx, 0 4xx, 0 5xx\n\
                    traffic: 8.02MB (8200000) total, 1.10MB (1148000) headers (space savings 92.00%), 0B (0) data\n\
                    time for request:      220us     20.46ms      7.75ms      1.62ms    82.00%\n";
        let expected = Measured { requests_per_second: 41000.0, p99_ms: 7.75, bytes_per_request: 200.0 };
        assert_eq!(measured_by_h2load(text), Some(expected));
        assert_eq!(measured_by_h2load(&text.replace(" 0 5xx", " 3 5xx")), None);
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
    }
}
