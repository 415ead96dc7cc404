//! `audit`, `serve`, `crawl`: the programs of those examples, on a runtime.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::ProgressBar;
use serde_json::Value;

use crate::Failure;
use crate::people::ForPeople;
use crate::report::Report;

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// Audits a site. In a pipe the report is one line of JSON a site.
///
/// # Errors
/// Where there is no report.
pub fn audit(arguments: &audit::cli::Cli, report: &mut Report) -> Result<(), Failure> {
    let mut arguments = arguments.clone();
    let as_lines = report.is_json() && !arguments.json;
    arguments.json |= as_lines;
    let waiting = spinner("looking at the site");
    let mut text = Vec::new();
    let ended = runtime()?.block_on(audit::cli::run(&arguments, &mut text));
    waiting.finish_and_clear();
    let is_clean = ended?;
    // The demonstration is there to show findings.
    if !is_clean && !arguments.demo {
        report.note_finding();
    }
    if !as_lines {
        return report.write(&text);
    }
    match serde_json::from_slice(&text)? {
        Value::Array(reports) => reports.iter().try_for_each(|value| report.line(value)),
        value => report.line(&value),
    }
}

/// Serves a folder until Ctrl-C.
///
/// # Errors
/// Where it cannot be served.
pub fn serve(arguments: &site::cli::Serve) -> Result<(), Failure> {
    let cli = site::cli::Cli { command: site::cli::Command::Serve(Box::new(arguments.clone())) };
    Ok(runtime()?.block_on(site::cli::run(&cli, &mut std::io::stdout()))?)
}

/// Crawls; a line for each thing that happened, of text on a terminal and of JSON in a pipe, and a progress bar on a terminal. The exit status is 1 where pages
/// failed.
///
/// # Errors
/// What ends the crawl early.
pub fn crawl(arguments: &crawler::Cli, report: &mut Report) -> Result<(), Failure> {
    let text: &crawler::Output = &|| Box::new(ForPeople::new(std::io::stdout()));
    let json: &crawler::Output = &|| Box::new(std::io::stdout());
    let out = if report.is_json() { json } else { text };
    let ended = runtime()?.block_on(async {
        tokio::select! {
            ended = crawler::run_to(arguments, out) => match ended {
                // A reader that has seen enough, such as `head`, has closed the pipe.
                Err(error) if error.is_broken_pipe() => Ok(crawler::Summary::stopped()),
                ended => ended.map_err(|error| Failure(error.one_line())),
            },
            Ok(()) = tokio::signal::ctrl_c() => Ok(crawler::Summary::stopped()),
        }
    })?;
    if ended.failed > 0 {
        report.note_finding();
    }
    eprintln_line(&ended.text);
    Ok(())
}

/// Writes a line to standard error, where somebody reads it.
fn eprintln_line(line: &str) {
    use std::io::Write as _;
    let _closed = writeln!(std::io::stderr(), "aiweb: {line}");
}

/// Something that turns on standard error while one waits, where that is a terminal.
fn spinner(message: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(120));
    spinner
}
