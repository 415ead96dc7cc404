//! Hostile input for public functions of the libraries that take text or bytes.
//!
//! Each function of the [`table`] is run with each of [`hostile::recipes`] at three sizes, on a stack of
//! 256 KiB: it does not panic, its memory and what it returns stay within the bounds that the table states, and its time
//! grows no faster than its input. An overflow of the stack ends the process without a word: with `HOSTILE_TRACE=1` and
//! `--nocapture` each call is named before it is made. `cargo run --release -p hostile --example growth` prints the table with what was
//! measured.

mod run;
mod table;

use run::{Case, Measured, measure_on_a_small_stack};
use table::Function;

/// Unoptimised code takes about fifty times as long as the release build, on a machine that does other work too.
const SIZES: [usize; 3] = [2 << 10, 8 << 10, 32 << 10];
/// From one size to the next time may grow by this; linear growth is 4, quadratic growth 16.
const MAX_GROWTH: f64 = 10.0;

fn check(library: &str) {
    let is_traced = std::env::var_os("HOSTILE_TRACE").is_some();
    let functions: Vec<Function> =
        table::all().into_iter().filter(|function| function.library == library).collect();
    assert!(!functions.is_empty(), "{library}");
    let failures = measure_on_a_small_stack(move || {
        let mut failures = Vec::new();
        for recipe in hostile::recipes() {
            let cases = SIZES.map(|size| Case::new(recipe.bytes(size)));
            for function in &functions {
                let mut before: Option<Measured> = None;
                for case in &cases {
                    if is_traced {
                        eprintln!("{}, {}, {} bytes", function.name, recipe.name(), case.len());
                    }
                    let mut measured = run::measure(function, case);
                    // A slow answer is asked for again: another process may have had the processor.
                    for _ in 0..4 {
                        if !grows_too_fast(before.as_ref(), &measured) {
                            break;
                        }
                        measured.time = measured.time.min(run::measure(function, case).time);
                    }
                    let what = format!("{} with {} ({} bytes)", function.name, recipe.name(), case.len());
                    if grows_too_fast(before.as_ref(), &measured) {
                        let (before, now) =
                            (before.map_or(0, |before| before.time.as_millis()), measured.time.as_millis());
                        failures.push(format!("{what}: {before} ms became {now} ms"));
                    }
                    failures.extend(
                        run::over_bounds(function, case, &measured).map(|over| format!("{what}: {over}")),
                    );
                    before = Some(measured);
                }
            }
        }
        failures
    });
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

fn grows_too_fast(before: Option<&Measured>, now: &Measured) -> bool {
    before.is_some_and(|before| !linear::is_within(MAX_GROWTH, [before.time, now.time]))
}

macro_rules! libraries {
    ($($test:ident = $library:literal,)+) => {
        $(#[test]
        fn $test() {
            check($library);
        })+

        #[test]
        fn every_library_of_the_table_is_checked() {
            let checked = [$($library,)+];
            assert!(table::all().iter().all(|function| checked.contains(&function.library)));
        }
    };
}

libraries! {
    web_values = "web-values",
    tct_canonical_json = "tct-canonical-json",
    tct_fingerprint = "tct-fingerprint",
    tct = "tct",
    tct_tower = "tct-tower",
    jwk = "jwk",
    robots = "aiweb-robots",
    llmindex_types = "llmindex-types",
    aidocument = "aidocument",
    aidocument_extract = "aidocument-extract",
    verify = "aiweb-verify",
    bot_auth = "aiweb-bot-auth",
    signals = "aiweb-signals",
}

#[test]
fn inputs_at_the_limits_are_answered() {
    measure_on_a_small_stack(|| {
        for (name, bytes) in hostile::at_limits() {
            let case = Case::new(bytes);
            // The long ones are for those that have a limit there.
            let long = case.len() > 70_000;
            for function in
                table::all().iter().filter(|function| !long || function.library == "llmindex-types")
            {
                let measured = run::measure(function, &case);
                let over: Vec<_> = run::over_bounds(function, &case, &measured).collect();
                assert!(over.is_empty(), "{} with {name}: {over:?}", function.name);
            }
        }
    });
}
