//! Progress bars: on a terminal, and nowhere else.

use indicatif::{ProgressBar, ProgressStyle};

/// Makes bars, or none.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    quiet: bool,
}

/// One bar; perhaps one that nobody sees.
#[derive(Debug, Clone)]
pub struct Bar(ProgressBar);

impl Progress {
    /// No bars.
    pub const QUIET: Progress = Progress { quiet: true };

    /// Bars on standard error, or none at all.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        Progress { quiet }
    }

    /// A bar of that length.
    #[must_use]
    pub fn bar(&self, what: &str, len: u64) -> Bar {
        if self.quiet {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(len).with_message(what.to_owned());
        let style = ProgressStyle::with_template("{msg:18} {bar:40} {pos}/{len} {eta}");
        Bar(style.map_or(bar.clone(), |style| bar.with_style(style)))
    }
}

impl Bar {
    /// One step done.
    pub fn tick(&self) {
        self.0.inc(1);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
