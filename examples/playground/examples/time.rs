//! The native time of one extraction, for the ratio of `test/speed.mjs`: HTML on standard input, milliseconds out.

use std::io::Read as _;
use std::time::{Duration, Instant};

use playground::page::{ExtractOptions, Html, extract};

#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "it measures, and says what it measured")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut html = String::new();
    std::io::stdin().read_to_string(&mut html)?;
    let html = Html::of_text(html);
    let options =
        ExtractOptions { url: Some("https://example.com/article".to_owned()), ..ExtractOptions::default() };
    let mut fastest = Duration::MAX;
    for _ in 0..30 {
        let started = Instant::now();
        // As the module does it: the answer is written as JSON.
        let json = serde_json::to_string(&extract(&html, &options)?)?;
        fastest = fastest.min(started.elapsed());
        assert!(json.len() > 100);
    }
    println!("{}", fastest.as_secs_f64() * 1000.0);
    Ok(())
}
