//! The hot path under load: conditional requests for a twin, beside the same server without the library.
//!
//! Both answer in this process, on ports of their own, in the clear and keep-alive, with the same bytes and the same
//! header fields; `wrk` is the second process. The baseline is what somebody writes by hand who needs just this one
//! answer: compare one header value, send what was prepared.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use http::header::IF_NONE_MATCH;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use tokio::process::Command;

use site::server::Listener;
use site::{Options, SiteError, start};

/// How much load, and how often.
#[derive(Debug, Clone, clap::Args)]
pub struct Bench {
    /// Rounds; each measures both servers once
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub rounds: usize,
    /// Seconds of load for each measurement
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seconds: u32,
    /// Connections that wrk keeps open
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub connections: u32,
}

/// What wrk measured.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measured {
    requests_per_second: f64,
    p99_ms: f64,
    bytes_per_request: f64,
}

/// Measures and writes the table.
///
/// # Errors
/// Where a server does not start, or wrk is not there.
pub async fn run(bench: &Bench, out: &mut (dyn Write + Send)) -> Result<(), SiteError> {
    let site = start(Options { tls: false, ..Options::default() }).await?;
    let snapshot = site.publisher().snapshot();
    let page = snapshot.pages.first().ok_or_else(|| refused("bench", "a site without pages"))?;
    let tag = HeaderValue::try_from(format!("\"{}\"", page.fingerprint))
        .map_err(|error| refused("bench", error))?;
    let path = page.m_url.as_url().path();

    // The baseline sends what the library would.
    let request = HeaderMap::from_iter([(IF_NONE_MATCH, tag.clone())]);
    let unchanged = page.payload.respond(&Method::GET, &request);
    let whole = page.payload.respond(&Method::GET, &HeaderMap::new());
    let by_hand = ByHand {
        tag: tag.clone(),
        unchanged: unchanged.headers().clone(),
        whole: whole.headers().clone(),
        body: page.payload.body().clone(),
    };
    let router = Router::new().route(path, get(answer_by_hand)).with_state(Arc::new(by_hand));
    let listener = Listener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    let baseline = listener.serve(router, None)?;

    let mut say = |line: String| {
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|source| SiteError::File {
            action: "write to",
            path: "standard output".into(),
            source,
        })
    };
    say(format!("{} requests of {path} that are answered 304", bench.connections))?;
    say("round   by hand: requests/s  p99 ms   site: requests/s  p99 ms   ratio".to_owned())?;
    let (mut ratios, mut p99s) = (Vec::new(), Vec::new());
    let mut best = [0.0_f64; 2];
    for round in 1..=bench.rounds {
        // Whoever comes second may find the machine in another state: they take turns.
        let (first, second) = match round % 2 {
            0 => (site.address(), baseline.address),
            _ => (baseline.address, site.address()),
        };
        let len = page.payload.body().len();
        let first = wrk(bench, first, path, &tag, len).await?;
        let second = wrk(bench, second, path, &tag, len).await?;
        let (by_hand, ours) = if round % 2 == 0 { (second, first) } else { (first, second) };
        let ratio = ours.requests_per_second / by_hand.requests_per_second;
        say(format!(
            "{round:>5}   {:>19.0}  {:>6.2}   {:>16.0}  {:>6.2}   {ratio:.3}",
            by_hand.requests_per_second, by_hand.p99_ms, ours.requests_per_second, ours.p99_ms,
        ))?;
        let [most_by_hand, most_ours] = best;
        best = [most_by_hand.max(by_hand.requests_per_second), most_ours.max(ours.requests_per_second)];
        ratios.push(ratio);
        p99s.push(ours.p99_ms / by_hand.p99_ms);
    }
    let [by_hand, ours] = best;
    say(format!("best round: by hand {by_hand:.0}, site {ours:.0} requests/s, ratio {:.3}", ours / by_hand))?;
    say(format!("median ratio: throughput {:.3}, p99 {:.3}", median(&mut ratios), median(&mut p99s)))?;
    baseline.stop().await?;
    site.stop().await
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

async fn wrk(
    bench: &Bench,
    address: SocketAddr,
    path: &str,
    tag: &HeaderValue,
    page_len: usize,
) -> Result<Measured, SiteError> {
    let failed = |why: String| refused("wrk", why);
    let condition = format!("If-None-Match: {}", tag.to_str().map_err(|error| failed(error.to_string()))?);
    let output = Command::new("wrk")
        .args(["--latency", "--threads", "1", "--connections", &bench.connections.to_string()])
        .args(["--duration", &format!("{}s", bench.seconds), "--header", &condition])
        .arg(format!("http://{address}{path}"))
        .output()
        .await
        .map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || text.contains("Non-2xx or 3xx") || text.contains("Socket errors") {
        return Err(failed(format!("{text}{}", String::from_utf8_lossy(&output.stderr))));
    }
    let measured =
        measured(&text).ok_or_else(|| failed(format!("expected its usual output, found {text:?}")))?;
    // A condition that was lost on the way would show as bodies.
    if measured.bytes_per_request >= page_len as f64 {
        return Err(failed(format!(
            "expected heads alone, found {} bytes a request",
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
