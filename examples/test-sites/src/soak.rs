//! The crawler among servers that do everything a server should not, for as long as an hour; its memory has to stay flat.
//!
//! ```text
//! crawler, one process ──▶ 31 sites of one fault each, and one of each variant
//!                     └──▶ 6 sites without end, on which one page in ten has one of the faults
//! ```
//!
//! Everything is on loopback and ends after the time that was asked for.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::Ipv4Addr;
use std::process::Stdio;
use std::time::Duration;

use clap::ValueEnum as _;
use site::SiteError;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use test_sites::Variant;
use test_sites::faults::{ENDLESS, NAMES, serve_by};

use crate::attack::{memory_kb, refused};

/// For how long.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Soak {
    /// Seconds, at most an hour
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(10..=3_600))]
    pub(crate) seconds: u64,
}

/// Sites without end.
const SITES: usize = 6;
/// One page in so many has a fault.
const SHARE: u64 = 10;
/// So many times is the memory told.
const LOOKS: u64 = 12;

/// The fault of a page on a site without end.
fn fault_of(path: &str) -> &'static str {
    // These are of a start page or of robots.txt, or end the visit of their host.
    const OF_A_SITE: [&str; 4] = ["busy", "endless-sitemap", "links", "redirects"];
    let mut digits = path.split('/').filter_map(|part| part.parse::<u64>().ok());
    let number = digits.next().unwrap_or(0);
    let faults = || NAMES.iter().filter(|name| !name.starts_with("robots") && !OF_A_SITE.contains(name));
    match number % SHARE {
        1 => faults().cycle().nth((number / SHARE) as usize % faults().count()).unwrap_or(&ENDLESS),
        _ => ENDLESS,
    }
}

/// Crawls, and writes what came of it.
///
/// # Errors
/// If a server or the crawler does not start, where the crawler ends early, and where its memory grows.
pub(crate) async fn run(soak: &Soak, out: &mut (dyn Write + Send)) -> Result<(), SiteError> {
    let failed = |error: std::io::Error| refused("soak", error);
    let mut starts = Vec::new();
    // A crawler asks one address after the other: each site has one of its own.
    let mut addresses = (1..).map(|last| Ipv4Addr::new(127, 2, 0, last));
    for (name, address) in NAMES.into_iter().zip(&mut addresses) {
        starts.push(format!("http://{}/start", serve_by(address, move |_| name).await.map_err(failed)?));
    }
    for address in addresses.by_ref().take(SITES) {
        starts.push(format!("http://{}/0", serve_by(address, fault_of).await.map_err(failed)?));
    }
    let mut sites = Vec::new();
    for (variant, address) in Variant::value_variants().iter().zip(&mut addresses) {
        let listen = (address, 0).into();
        let host = address.to_string();
        let options = site::Options { tls: false, listen, host, ..site::Options::default() };
        let site = test_sites::start(options, *variant).await?;
        starts.push(site.url().to_string());
        sites.push(site);
    }
    let mut crawler = std::env::current_exe().map_err(failed)?;
    crawler.set_file_name("crawler");
    let folder = tempfile::tempdir().map_err(failed)?;
    let mut child = Command::new(&crawler)
        .args("--max-pages 1000000 --depth 1000000 --parallel 64 --retry 5 --probe --store".split(' '))
        .arg(folder.path().join("crawl.redb"))
        .args(&starts)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| refused(&crawler.display().to_string(), error))?;
    let process = child.id().unwrap_or_default();
    let lines = child.stdout.take().ok_or_else(|| refused("crawler", "no output"))?;
    let told = tokio::spawn(async move {
        let mut told = BTreeMap::<String, u64>::new();
        let mut lines = BufReader::new(lines).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let line: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
            let text =
                |name: &str| line.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
            let why = if text("event") == "failed" { format!(" {}", text("why")) } else { String::new() };
            *told.entry(text("event") + &why).or_default() += 1;
        }
        told
    });
    let mut say = |line: String| {
        let print = |source| SiteError::File { action: "write to", path: "standard output".into(), source };
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(print)
    };
    say(format!("{} sites, {} s", starts.len(), soak.seconds))?;
    // Of each part of the time, the most; the first part is for what is made once.
    let mut peaks = Vec::new();
    let mut early = None;
    // Ticks that were missed on a busy machine are made up for.
    let mut ticks = tokio::time::interval(Duration::from_millis(100));
    for look in 1..=LOOKS {
        let mut peak = 0;
        for _ in 0..soak.seconds * 10 / LOOKS {
            ticks.tick().await;
            peak = peak.max(memory_kb(process, "VmRSS").unwrap_or(0));
            early = child.try_wait().map_err(failed)?;
            if early.is_some() {
                break;
            }
        }
        peaks.push(peak);
        say(format!("{:>5} s   at most {:>6.1} MB", soak.seconds * look / LOOKS, peak as f64 / 1000.0))?;
        if early.is_some() {
            break;
        }
    }
    let stopped = Command::new("kill").arg("-INT").arg(process.to_string()).status().await;
    let ended = child.wait().await.map_err(failed)?;
    let told = told.await.unwrap_or_default();
    for (event, count) in &told {
        say(format!("{count:>9}  {event}"))?;
    }
    for site in sites {
        site.stop().await?;
    }
    let half = peaks.len() / 2;
    let (first, second) = peaks.split_at(half);
    let most = |peaks: &[u64]| peaks.iter().copied().max().unwrap_or(0);
    let is_flat = most(second) as f64 <= most(first) as f64 * 1.1;
    match (early, is_flat && most(second) > 0) {
        (None, true) if stopped.is_ok_and(|sent| sent.success()) && ended.success() => Ok(()),
        (None, false) => {
            Err(refused("soak", "expected a second half with at most 1.1 of the first half's memory"))
        }
        _ => Err(refused("crawler", format!("expected it to run until it is stopped, found {ended}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sites_without_end_have_every_fault_of_a_page() {
        let found: std::collections::BTreeSet<_> =
            (0..1000).map(|number| fault_of(&format!("/{number}"))).collect();
        assert_eq!(found.len(), NAMES.len() - 3 - 4 + 1, "{found:?}");
    }
}
