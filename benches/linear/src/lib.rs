//! Asserts in tests that work grows no faster than its input, on any machine.
//!
//! A slow or busy machine is no defect, so these assertions fail only where the work is unmistakably too much: in each
//! of five attempts, by more than a factor that linear work keeps far below, and by more than a pause ([`SLACK`]) on
//! top. Choose sizes at which quadratic work takes seconds and linear work some milliseconds. `.ci/growth` is the
//! strict measurement; it is no part of CI.
#![expect(clippy::disallowed_methods, reason = "measuring time is what this package is for")]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// What the larger work may take beyond its factor: many steps of the coarsest clock of processor time (16 ms), and
/// what unoptimised code loses to other work on the machine.
pub const SLACK: Duration = Duration::from_millis(if cfg!(debug_assertions) { 300 } else { 100 });

/// Asserts that an input of size `large` takes about `large / small` times as long as one of size `small`.
///
/// What is allowed lies half way to quadratic work: for four times the input eight times as long, which sorting keeps.
/// Gives the times of both.
///
/// # Panics
///
/// If it takes longer.
///
/// ```
/// linear::assert_linear("sum", [10_000, 100_000], |size| {
///     assert_eq!((0..size).sum::<usize>(), size * (size - 1) / 2);
/// });
/// ```
pub fn assert_linear(what: &str, [small, large]: [usize; 2], run: impl Fn(usize)) -> [Duration; 2] {
    assert_at_most(what, allowed(small, large), || run(small), || run(large))
}

fn allowed(small: usize, large: usize) -> f64 {
    (large as f64 / small as f64).powf(1.5)
}

/// Asserts that `work` takes at most `factor` times as long as `base`, and [`SLACK`]. Gives the times of both.
///
/// # Panics
///
/// If it takes longer.
pub fn assert_at_most(what: &str, factor: f64, base: impl Fn(), work: impl Fn()) -> [Duration; 2] {
    let mut all = Vec::new();
    while all.len() < 5 {
        let times = [time(&base), time(&work)];
        if is_within(factor, times) {
            return times;
        }
        all.push(times);
    }
    panic!("{what}: more than {factor:.1} times as long: {all:?}");
}

/// Whether `work` takes at most `factor` times as long as `base`, and [`SLACK`].
#[must_use]
pub fn is_within(factor: f64, [base, work]: [Duration; 2]) -> bool {
    work <= base.mul_f64(factor) + SLACK
}

fn time(run: impl Fn()) -> Duration {
    let start = cpu_time();
    run();
    cpu_time().saturating_sub(start)
}

/// The processor time of this thread where the system tells it, so that other work on the machine does not count; else
/// the time of day.
#[must_use]
pub fn cpu_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

#[test]
fn quadratic_work_is_told_from_linear_work() {
    for (factor, is_expected) in [(4, true), (7, true), (9, false), (16, false)] {
        let base = Duration::from_secs(1);
        assert_eq!(is_within(allowed(1_000, 4_000), [base, base * factor]), is_expected, "{factor}");
    }
    // A clock that stood still during the smaller work proves nothing; the larger work has its pause.
    assert!(is_within(8.0, [Duration::ZERO, Duration::from_millis(16)]));
    assert!(!is_within(8.0, [Duration::ZERO, SLACK * 2]));
}
