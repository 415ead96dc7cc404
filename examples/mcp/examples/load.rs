//! How fast the first answers come, and whether memory stays flat: `cargo run --release -p mcp --example load`.
//!
//! A client and a server of the SDK, joined in memory, read pages of a site on loopback: each page once, then from the store,
//! ten thousand times. Printed are the times of the answers and the process's resident memory after each thousand.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp::{Agent, Options, Server, Store};
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};

/// Calls from the store.
const CALLS: usize = 10_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let site = site::start(site::Options { tls: false, ..site::Options::default() }).await?;
    let folder = tempfile::tempdir()?;
    let store = Store::open(&folder.path().join("store.redb"))?;
    let options = Options { private: vec![site.address().to_string()], ..Options::default() };
    let agent = Arc::new(Agent::new(store, options)?);
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        Server::new(agent)
            .serve(theirs)
            .await?
            .waiting()
            .await
            .map_err(Box::<dyn std::error::Error + Send + Sync>::from)
    });
    let client = ().serve(ours).await?;
    let mut out = std::io::stdout().lock();

    let names = [
        "",
        "about.html",
        "acequia.html",
        "azulejo.html",
        "bridge.html",
        "even.html",
        "kite.html",
        "ledger.html",
        "lokum.html",
        "qanat.html",
        "regex-notebook.html",
        "sol.html",
        "tide-tables.html",
        "utf8.html",
    ];
    let urls: Vec<String> = names.iter().map(|name| format!("{}{name}", site.url())).collect();
    let mut fetched = Vec::new();
    for url in &urls {
        fetched.push(read(&client, url).await?);
    }
    report(&mut out, "a page of a site on loopback", &mut fetched)?;
    let (mut held, mut memory) = (Vec::new(), Vec::new());
    for call in 0..CALLS {
        let Some(url) = urls.get(call % urls.len()) else { continue };
        held.push(read(&client, url).await?);
        if (call + 1) % 1_000 == 0 {
            memory.push(resident_kb()?);
        }
    }
    report(&mut out, "a page from the store", &mut held)?;
    writeln!(out, "resident memory after each 1,000 calls, kB: {memory:?}")?;
    client.cancel().await?;
    site.stop().await?;
    Ok(())
}

async fn read(
    client: &RunningService<RoleClient, ()>,
    url: &str,
) -> Result<Duration, Box<dyn std::error::Error>> {
    let arguments = serde_json::json!({ "url": url }).as_object().cloned().unwrap_or_default();
    #[expect(clippy::disallowed_methods, reason = "how long it takes is what is asked")]
    let started = Instant::now();
    let result = client.call_tool(CallToolRequestParams::new("read").with_arguments(arguments)).await?;
    let took = started.elapsed();
    if result.is_error == Some(true) {
        return Err(format!("{url}: {:?}", result.content).into());
    }
    Ok(took)
}

fn report(out: &mut impl std::io::Write, what: &str, times: &mut [Duration]) -> std::io::Result<()> {
    times.sort_unstable();
    let at = |part: usize| {
        times.get((times.len() * part / 100).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    writeln!(
        out,
        "{what}: median {:.2} ms, 99 % {:.2} ms, longest {:.2} ms",
        ms(at(50)),
        ms(at(99)),
        ms(at(100))
    )
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

#[expect(clippy::disallowed_methods, reason = "a program asks its system")]
fn resident_kb() -> std::io::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    Ok(line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default())
}
