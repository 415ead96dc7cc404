//! Long work while it runs: a line that moves on a terminal, a line now and then in a log.

use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{HumanCount, ProgressBar, ProgressFinish, ProgressStyle};

/// How often a terminal shows another number.
const ON_A_TERMINAL: Duration = Duration::from_millis(250);
/// How often a log gets a line.
const IN_A_LOG: Duration = Duration::from_secs(10);

/// Shows on the standard error how far a piece of work is, until it is dropped.
#[derive(Debug)]
pub struct Progress<'a> {
    work: &'a str,
    unit: &'a str,
    total: Option<u64>,
    bar: ProgressBar,
    start: Instant,
    shown: Instant,
}

impl<'a> Progress<'a> {
    /// Of the named work, which counts `unit`s: `total` of them, where that is known.
    ///
    /// # Errors
    /// When the terminal's line has no valid shape.
    pub fn new(work: &'a str, unit: &'a str, total: Option<u64>) -> Result<Self> {
        let (bar, style) = match total {
            Some(total) => (ProgressBar::new(total), "{bar:30} {msg}, {eta} left"),
            None => (ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}"),
        };
        let bar = bar.with_style(ProgressStyle::with_template(style)?).with_finish(ProgressFinish::AndClear);
        bar.set_message(work.to_owned());
        bar.enable_steady_tick(ON_A_TERMINAL / 2);
        let now = Instant::now();
        Ok(Progress { work, unit, total, bar, start: now, shown: now })
    }

    /// Hears how many units are done, or that some are, as often as the work likes to tell.
    pub fn done(&mut self, units: Option<u64>) {
        let in_a_log = self.bar.is_hidden();
        if self.shown.elapsed() < if in_a_log { IN_A_LOG } else { ON_A_TERMINAL } {
            return;
        }
        self.shown = Instant::now();
        let line = self.line(units);
        if in_a_log {
            eprintln!("{line}, {} s", self.start.elapsed().as_secs());
        } else {
            self.bar.set_message(line);
            self.bar.set_position(units.unwrap_or_default());
        }
    }

    fn line(&self, units: Option<u64>) -> String {
        let Progress { work, unit, .. } = self;
        match (units.map(HumanCount), self.total.map(HumanCount)) {
            (Some(units), Some(total)) => format!("{work}: {units} of {total} {unit}"),
            (Some(units), None) => format!("{work}: {units} {unit}"),
            (None, _) => format!("{work}: running"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_known() {
        let line = |total, units| Progress::new("changes", "rows", total).unwrap().line(units);
        assert_eq!(line(Some(10_000), Some(1_024)), "changes: 1,024 of 10,000 rows");
        assert_eq!(line(None, Some(1_024)), "changes: 1,024 rows");
        assert_eq!(line(None, None), "changes: running");
    }
}
