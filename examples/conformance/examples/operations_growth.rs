//! Time and memory of every operation on hostile input that doubles up to 16 MB.
//!
//! `cargo run --release -p conformance --example operations_growth [MEGABYTES]`
//!
//! Prints, for each operation, its worst input at the largest size, and the worst growth from one doubling to the
//! next; ends with status 1 where time more than triples while it is long enough to be measured, or where an answer
//! is missing. The time is that of the whole request, so reading and printing JSON is in it.

#![allow(clippy::disallowed_methods, reason = "measuring time is what it is for")]

#[path = "../tests/hostile/inputs.rs"]
mod inputs;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::json;

use inputs::{hostile, requests};

/// Shorter than this, a time says nothing about growth on a machine with other work.
const MEASURABLE: Duration = Duration::from_millis(100);

/// Longer than this, a request is told of at once.
const SLOW: Duration = Duration::from_secs(10);

#[derive(Default)]
struct Worst {
    time: Duration,
    input: String,
    growth: f64,
    growth_of: String,
    bytes_per_byte: f64,
}

fn main() -> ExitCode {
    let megabytes = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(16_usize);
    let largest = megabytes << 20;
    let mut worst: BTreeMap<&str, Worst> = BTreeMap::new();
    let mut missing = 0;
    for kind in 0..hostile(1).len() {
        let mut before: Vec<Duration> = Vec::new();
        for size in [largest / 4, largest / 2, largest] {
            let unit = hostile(1_000).get(kind).map_or(1, |input| input.len().div_ceil(1_000));
            let inputs = hostile(size / unit.max(1));
            let Some(input) = inputs.get(kind) else { continue };
            let shown = input.get(..16).unwrap_or(input).escape_ascii().to_string();
            let mut times = Vec::new();
            for (index, (op, request)) in requests(input).into_iter().enumerate() {
                let line = json!({ "id": "g", "op": op, "in": request }).to_string();
                let mut answered = false;
                let mut time = Duration::MAX;
                let mut bytes_max = 0;
                // The first round decides, unless it is short enough to be looked at again.
                for _ in 0..3 {
                    let start = Instant::now();
                    let used = allocation_counter::measure(|| {
                        let answer = conformance::answer(line.as_bytes());
                        answered = answer.starts_with(r#"{"id":"g","ok":"#)
                            || answer.starts_with(r#"{"id":"g","err":"#);
                    });
                    time = time.min(start.elapsed());
                    bytes_max = used.bytes_max;
                    if time > Duration::from_millis(500) {
                        break;
                    }
                }
                missing += u32::from(!answered);
                if time > SLOW {
                    eprintln!("{op} on {shown}: {} bytes in {} ms", line.len(), time.as_millis());
                }
                let entry = worst.entry(op).or_default();
                let per_byte = bytes_max as f64 / line.len() as f64;
                entry.bytes_per_byte = entry.bytes_per_byte.max(per_byte);
                if time > entry.time {
                    (entry.time, entry.input) = (time, format!("{shown} {}", line.len()));
                }
                if let Some(earlier) = before.get(index).filter(|earlier| **earlier >= MEASURABLE) {
                    let growth = time.as_secs_f64() / earlier.as_secs_f64();
                    if growth > entry.growth {
                        (entry.growth, entry.growth_of) = (growth, shown.clone());
                    }
                }
                times.push(time);
            }
            before = times;
        }
    }
    println!("| operation | slowest, ms | on | largest growth by doubling | on | heap by byte of request |");
    println!("|---|---:|---|---:|---|---:|");
    for (op, worst) in &worst {
        println!(
            "| `{op}` | {} | `{}` | {:.2} | `{}` | {:.1} |",
            worst.time.as_millis(),
            worst.input,
            worst.growth,
            worst.growth_of,
            worst.bytes_per_byte
        );
    }
    let is_linear = worst.values().all(|worst| worst.growth < 3.0);
    println!("{missing} answers are missing; growth is {}", if is_linear { "linear" } else { "not linear" });
    if missing == 0 && is_linear { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
