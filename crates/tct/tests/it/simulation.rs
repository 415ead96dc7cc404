//! Lives of an agent in a seeded world, and a test for each invariant of [`docs/invariants.md`](../../docs/invariants.md):
//! `TCT_SEEDS=100000 cargo test --release -p tct --test it simulation` for a long run, `TCT_SEED=17 …` for the story of one.

use std::sync::OnceLock;

use tct_world::Broken;
use tct_world::hand::{live, live_twice};

fn number(name: &str) -> Option<u64> {
    #[expect(clippy::disallowed_methods, reason = "a long run is asked for by hand")]
    std::env::var(name).ok()?.parse().ok()
}

/// What was broken in which life. Each life is five crawls with faults that come and go, kills and clocks that jump, and three
/// crawls in peace. All tests judge the same lives.
#[expect(clippy::print_stdout, reason = "a life that breaks something tells its story")]
fn broken() -> &'static [(u64, Broken)] {
    static BROKEN: OnceLock<Vec<(u64, Broken)>> = OnceLock::new();
    BROKEN.get_or_init(|| {
        let first = number("TCT_SEED");
        let seeds = first.map_or(0..number("TCT_SEEDS").unwrap_or(1000), |seed| seed..seed + 1);
        // Found by long runs, where the seeds above do not come across them: a page in two sitemaps changed and changed back
        // while one of them, then the other, could not be read, and a 304 stood for what the page's state did not follow.
        let failed_once = [62_016, 78_500, 88_689].into_iter().filter(|_| first.is_none());
        let mut broken = Vec::new();
        for seed in seeds.chain(failed_once) {
            let world = live(seed, 5);
            if first.is_some() || (world.broken().is_some() && broken.is_empty()) {
                println!("{}", world.story());
            }
            broken.extend(world.broken().map(|fault| (seed, fault.clone())));
        }
        broken
    })
}

fn never(is_it: fn(&Broken) -> bool) {
    let lives: Vec<_> = broken().iter().filter(|(_, fault)| is_it(fault)).collect();
    assert!(
        lives.is_empty(),
        "{} lives, such as {:?}",
        lives.len(),
        lives.iter().take(5).collect::<Vec<_>>()
    );
}

#[test]
fn no_request_leaves_the_origin() {
    never(|fault| matches!(fault, Broken::LeavesTheOrigin(_)));
}

#[test]
fn a_crawl_ends_with_a_bounded_number_of_requests() {
    never(|fault| matches!(fault, Broken::TooManyRequests(_)));
}

#[test]
fn what_is_unchanged_costs_no_request() {
    never(|fault| matches!(fault, Broken::Needless(_)));
}

#[test]
fn what_is_sound_listed_and_reachable_is_held_as_it_is_now() {
    never(|fault| matches!(fault, Broken::NotHeld(_)));
}

#[test]
fn nothing_is_held_that_its_endpoint_did_not_confirm() {
    never(|fault| matches!(fault, Broken::Unconfirmed(_)));
}

#[test]
fn only_tags_of_stored_bodies_are_asked_about() {
    never(|fault| matches!(fault, Broken::ForeignTag(_)));
}

#[test]
fn a_denial_holds() {
    never(|fault| matches!(fault, Broken::AfterDenial(_)));
}

#[test]
fn a_pause_is_kept() {
    never(|fault| matches!(fault, Broken::TooSoon(_)));
}

#[test]
fn what_is_gone_goes() {
    never(|fault| matches!(fault, Broken::NotGone(_)));
}

#[test]
fn a_crawl_makes_progress_or_names_what_it_waits_for() {
    never(|fault| matches!(fault, Broken::Stuck(_)));
}

#[test]
fn calls_at_the_wrong_time_change_nothing() {
    never(|fault| matches!(fault, Broken::Misled(_)));
}

#[test]
fn what_is_stored_depends_neither_on_the_number_of_requests_nor_on_the_order_of_answers() {
    let seeds = number("TCT_SEED").map_or(0..number("TCT_SEEDS").unwrap_or(1000), |seed| seed..seed + 1);
    let unlike: Vec<_> = seeds
        .map(|seed| (seed, live_twice(seed, 3)))
        .filter_map(|(seed, world)| Some((seed, world.broken()?.clone(), world)))
        .collect();
    let told = unlike.first().map(|(_, _, world)| world.story()).unwrap_or_default();
    let lives: Vec<_> = unlike.iter().take(5).map(|(seed, fault, _)| (seed, fault)).collect();
    assert!(lives.is_empty(), "{} lives, such as {lives:?}\n{told}", unlike.len());
}
