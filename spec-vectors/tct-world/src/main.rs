//! A long run: `cargo run --release -p tct-world -- 100000` plays so many lives, `-- 5000 5100` those seeds, `-- 17 18` tells the
//! story of one.

use std::collections::BTreeMap;
use std::process::ExitCode;

use tct_world::hand::live;

#[expect(clippy::print_stdout, reason = "a program prints")]
fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let seeds = match numbers.as_slice() {
        [first, end, ..] => *first..*end,
        [end] => 0..*end,
        [] => 0..3000,
    };
    let is_one = seeds.end == seeds.start + 1;
    let count = seeds.end - seeds.start;
    let mut broken = BTreeMap::<String, Vec<u64>>::new();
    for seed in seeds {
        let world = live(seed, 5);
        if is_one {
            println!("{}", world.story());
        }
        if let Some(fault) = world.broken() {
            let text = fault.to_string();
            broken.entry(text.split('(').next().unwrap_or_default().to_owned()).or_default().push(seed);
        }
    }
    for (kind, seeds) in &broken {
        println!("{kind}: {} lives, such as {:?}", seeds.len(), seeds.iter().take(8).collect::<Vec<_>>());
    }
    println!("{count} lives, {} broken", broken.values().map(Vec::len).sum::<usize>());
    if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
