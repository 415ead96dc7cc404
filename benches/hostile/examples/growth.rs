//! Time, memory and output of public functions that take text or bytes, on hostile input: the table of the READMEs.
//!
//! `cargo run --release -p hostile --example growth [LIBRARY] [KILOBYTES]`
//!
//! Each function meets each recipe of `hostile` at three sizes, the largest 256 KB unless told otherwise, and
//! each size four times the one before. For each function it prints the slowest input in nanoseconds of processor time
//! a byte, the worst growth of time from one size to the next (4 is linear, 0 is too fast to tell), and the most memory
//! and output in bytes a byte of input, each beside the bound that the tests assert. Ends with status 1 where a bound is passed or time grows more than tenfold.

#![allow(clippy::print_stdout, reason = "it is what the program is for")]

#[path = "../tests/it/run.rs"]
mod run;
#[path = "../tests/it/table/mod.rs"]
mod table;

use std::process::ExitCode;
use std::time::Duration;

use run::{Case, measure, measure_on_a_small_stack, over_bounds};

/// Below this a time says nothing about growth: the system counts in steps of some milliseconds.
const MEASURABLE: Duration = Duration::from_millis(20);
/// A shorter time is taken for this one.
const STEP: Duration = Duration::from_millis(4);
/// Growth that is measured again before it is believed.
const SUSPECT: f64 = 5.0;

#[derive(Clone, Debug, Default)]
struct Worst {
    nanos_per_byte: f64,
    slowest: String,
    growth: f64,
    memory: f64,
    memory_on: String,
    output: f64,
    over: Vec<String>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let library = arguments.next().unwrap_or_default();
    let largest = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(256_usize) << 10;
    let is_good = measure_on_a_small_stack(move || print_table(&library, largest));
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print_table(library: &str, largest: usize) -> bool {
    let functions: Vec<_> =
        table::all().into_iter().filter(|function| function.library.starts_with(library)).collect();
    let mut worst = vec![Worst::default(); functions.len()];
    for recipe in hostile::recipes() {
        let cases = [largest / 16, largest / 4, largest].map(|size| Case::new(recipe.bytes(size)));
        for (function, worst) in functions.iter().zip(&mut worst) {
            let mut before = None;
            for case in &cases {
                let mut measured = measure(function, case);
                let growth = |now: Duration| {
                    let before = before.filter(|_| now >= MEASURABLE);
                    before.map_or(0.0, |before: Duration| now.as_secs_f64() / before.max(STEP).as_secs_f64())
                };
                for _ in 0..3 {
                    if growth(measured.time) > SUSPECT {
                        measured.time = measured.time.min(measure(function, case).time);
                    }
                }
                let len = case.len() as f64;
                let nanos = measured.time.as_nanos() as f64 / len;
                if nanos > worst.nanos_per_byte && case.len() > largest / 32 {
                    (worst.nanos_per_byte, worst.slowest) = (nanos, recipe.name().to_owned());
                }
                worst.growth = worst.growth.max(growth(measured.time));
                if case.len() > largest / 2 {
                    let memory = measured.memory as f64 / len;
                    if memory > worst.memory {
                        (worst.memory, worst.memory_on) = (memory, recipe.name().to_owned());
                    }
                    worst.output = worst.output.max(measured.output as f64 / len);
                }
                let over = over_bounds(function, case, &measured);
                worst
                    .over
                    .extend(over.map(|over| format!("{}, {} bytes: {over}", recipe.name(), case.len())));
                before = Some(measured.time);
            }
        }
    }
    println!(
        "| function | slowest, ns a byte | on | growth | memory a byte | on | bound | output a byte | bound |"
    );
    println!("|---|---:|---|---:|---:|---|---:|---:|---:|");
    for (function, worst) in functions.iter().zip(&worst) {
        println!(
            "| `{}` {} | {:.0} | {} | {:.1} | {:.1} | {} | {} | {:.1} | {} |",
            function.library,
            function.name,
            worst.nanos_per_byte,
            worst.slowest,
            worst.growth,
            worst.memory,
            worst.memory_on,
            function.memory.per_byte,
            worst.output,
            function.output.per_byte
        );
    }
    let mut is_good = true;
    for (function, worst) in functions.iter().zip(&worst) {
        is_good &= worst.over.is_empty() && worst.growth < 10.0;
        for over in &worst.over {
            println!("{}: {over}", function.name);
        }
    }
    is_good
}
