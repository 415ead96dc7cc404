//! Tells whether a crawler may fetch a path, and why.
//!
//! ```text
//! $ cargo run -p short --bin check_robots -- AIWebIndex /private/notes < robots.txt
//! disallowed: Disallow: /private/ (line 2)
//! ```
//!
//! The exit status is 0 if the path is allowed, 1 if it is not, 2 if it is not a path.

use std::io::Read as _;
use std::process::ExitCode;

use robots::{Robots, RobotsReason};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program prints its answer")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [crawler, path] = arguments.as_slice() else {
        eprintln!("usage: check_robots CRAWLER PATH-OR-URL < robots.txt");
        return ExitCode::from(2);
    };
    let mut file = Vec::new();
    if let Err(error) = std::io::stdin().lock().read_to_end(&mut file) {
        eprintln!("check_robots: cannot read standard input: {error}");
        return ExitCode::from(2);
    }
    let robots = Robots::parse(&file);
    let decision = robots.decide(crawler.as_str(), path.as_str());
    println!("{decision}");
    for finding in robots.check_lint() {
        eprintln!("{finding}");
    }
    match decision.reason() {
        RobotsReason::NotAPath => ExitCode::from(2),
        _ if decision.is_allowed() => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    }
}
