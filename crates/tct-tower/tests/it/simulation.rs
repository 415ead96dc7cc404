//! The layer in a world that changes, fails and asks: what its front page promises holds for every seed.
//!
//! `SEEDS=100000 cargo test -p tct-tower --release --test it simulation` is a long run, `SEED=17` one seed alone.

#![allow(
    clippy::disallowed_methods,
    reason = "how long a run of a test is says who starts it, by the environment"
)]

use crate::world::{Counts, World};

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn what_the_front_page_promises_holds_whatever_happens() {
    let seeds = match number("SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("SEEDS").unwrap_or(300),
    };
    let is_long = seeds.end - seeds.start >= 300;
    let mut sum = Counts::default();
    for seed in seeds {
        let mut world = World::new(seed);
        for _ in 0..1_500 {
            world.step();
        }
        world.ask_for_all_that_is_listed();
        sum += world.counts();
    }
    // A world in which nothing is served would hold any promise.
    let seen = [sum.twins, sum.unchanged, sum.markdown, sum.sitemaps, sum.listed, sum.pages];
    let least = seen.into_iter().chain([sum.refused, sum.denied]);
    assert!(!is_long || least.min() > Some(300), "{sum:?}");
}
