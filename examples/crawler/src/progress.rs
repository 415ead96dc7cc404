//! A progress bar, shown only on a terminal.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::Counts;

/// The bar, which may be hidden.
#[derive(Debug, Clone)]
pub struct Progress(ProgressBar);

impl Progress {
    /// No bar.
    #[must_use]
    pub fn hidden() -> Self {
        Progress(ProgressBar::hidden())
    }

    /// A bar on standard error, if that is a terminal.
    #[must_use]
    pub fn on_terminal() -> Self {
        if !std::io::stderr().is_terminal() {
            return Progress::hidden();
        }
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}");
        Progress(style.map_or(bar.clone(), |style| bar.with_style(style)))
    }

    /// Shows how far the crawl is.
    pub fn show(&self, counts: &Counts) {
        self.0.set_length(counts.queued);
        self.0.set_position(counts.done);
        self.0.set_message(format!(
            "{} stored, {} unchanged, {} failed",
            counts.stored, counts.unchanged, counts.failed
        ));
    }

    /// Prints something while the bar is out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
