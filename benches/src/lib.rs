//! A small harness for comparing functions that compute the same answer.
//!
//! The machine is shared and noisy, so absolute times mean little. [`Comparison`] runs all contenders in turn,
//! round after round, keeps the fastest time of each and prints ratios of those. Nothing is timed before every
//! contender has given the expected answer.
//!
//! ```
//! let input = vec![1u64; 1000];
//! benches::Comparison::new("sum", "thousand")
//!     .rounds(3)
//!     .ours("fold", || input.iter().fold(0, |a, b| a + b))
//!     .peer("iterator", || input.iter().sum::<u64>())
//!     .run(); // prints `RATIO sum/thousand fold/iterator 1.00`
//! ```

use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Contenders that compute the same answer, timed side by side.
pub struct Comparison<'a, T> {
    bench: &'static str,
    case: String,
    rounds: u32,
    bytes: Option<usize>,
    ours: Vec<Contender<'a, T>>,
    peers: Vec<Contender<'a, T>>,
}

struct Contender<'a, T> {
    name: &'static str,
    run: Box<dyn FnMut() -> T + 'a>,
    /// A limit does less work (such as hashing alone), so its answer is not compared.
    compared: bool,
    fastest: Duration,
}

impl<T> std::fmt::Debug for Comparison<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Comparison({}/{})", self.bench, self.case)
    }
}

impl<'a, T: PartialEq + Debug> Comparison<'a, T> {
    /// A comparison named `<bench>/<case>` in the printed lines.
    pub fn new(bench: &'static str, case: impl Into<String>) -> Self {
        Comparison { bench, case: case.into(), rounds: 60, bytes: None, ours: Vec::new(), peers: Vec::new() }
    }

    /// The least number of runs of each contender; 60 by default.
    #[must_use]
    pub fn rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds;
        self
    }

    /// The size of the input: a `SPEED` line in MB/s (millions of bytes a second) follows for each contender of ours.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = Some(bytes);
        self
    }

    /// Adds one of our implementations. All others must give the same answer as the first one.
    #[must_use]
    pub fn ours(mut self, name: &'static str, run: impl FnMut() -> T + 'a) -> Self {
        self.ours.push(Contender::new(name, run, true));
        self
    }

    /// Adds a peer that gives the same answer.
    #[must_use]
    pub fn peer(mut self, name: &'static str, run: impl FnMut() -> T + 'a) -> Self {
        self.peers.push(Contender::new(name, run, true));
        self
    }

    /// Adds a limit: less work than ours, with another answer.
    #[must_use]
    pub fn limit(mut self, name: &'static str, run: impl FnMut() -> T + 'a) -> Self {
        self.peers.push(Contender::new(name, run, false));
        self
    }

    /// Checks every answer, times the contenders in turn and prints one `RATIO` line a pair of ours and a peer.
    ///
    /// # Panics
    /// When a contender's answer differs from ours.
    pub fn run(mut self) {
        let expected = (self.ours[0].run)();
        for contender in self.ours.iter_mut().skip(1).chain(&mut self.peers) {
            let answer = (contender.run)();
            if contender.compared {
                assert_eq!(answer, expected, "{}/{}: {}", self.bench, self.case, contender.name);
            }
        }
        // A round of a fast contender repeats it until the clock can tell (about 200 µs).
        let mut repeats: Vec<u32> = Vec::new();
        for contender in self.ours.iter_mut().chain(&mut self.peers) {
            let once = time(&mut contender.run, 1).max(Duration::from_nanos(20));
            repeats.push((200_000 / once.as_nanos().max(1)).clamp(1, 100_000) as u32);
        }
        for _ in 0..self.rounds {
            for (contender, &repeat) in self.ours.iter_mut().chain(&mut self.peers).zip(&repeats) {
                let took = time(&mut contender.run, repeat) / repeat;
                contender.fastest = contender.fastest.min(took);
            }
        }
        for ours in &self.ours {
            for peer in &self.peers {
                let ratio = ours.fastest.as_secs_f64() / peer.fastest.as_secs_f64();
                println!("RATIO {}/{} {}/{} {ratio:.3}", self.bench, self.case, ours.name, peer.name);
            }
            if let Some(bytes) = self.bytes {
                let speed = bytes as f64 / ours.fastest.as_secs_f64() / 1e6;
                println!("SPEED {}/{} {} {speed:.0} MB/s", self.bench, self.case, ours.name);
            }
        }
    }
}

impl<'a, T> Contender<'a, T> {
    fn new(name: &'static str, run: impl FnMut() -> T + 'a, compared: bool) -> Self {
        Contender { name, run: Box::new(run), compared, fastest: Duration::MAX }
    }
}

#[expect(clippy::disallowed_methods, reason = "measuring time is what a bench is for")]
fn time<T>(run: &mut dyn FnMut() -> T, repeat: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..repeat {
        black_box(run());
    }
    start.elapsed()
}
