//! `audit`, `serve`, `crawl`, `mcp`: the programs of those examples, on a runtime.

use std::io::IsTerminal as _;
use std::time::Duration;

use aidocument::{StatusCode, Timestamp};
use indicatif::{ProgressBar, ProgressStyle};
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use serde_json::Value;
use url::Url;

use crate::Failure;
use crate::people::ForPeople;
use crate::report::Report;

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread().enable_all().build()?)
}

/// Audits a site. In a pipe the report is one line of JSON a site.
///
/// # Errors
/// If there is no report.
pub fn audit(arguments: &audit::cli::Cli, report: &mut Report) -> Result<(), Failure> {
    let mut arguments = arguments.clone();
    let as_lines = report.is_json() && !arguments.json;
    arguments.json |= as_lines;
    let waiting = bar("{spinner} {bar:30} {pos}/{len} requests {elapsed}");
    let mut text = Vec::new();
    let bar = waiting.clone();
    let observe = audit::fetch::Observer::new(move |progress| {
        bar.set_length(progress.expected as u64);
        bar.set_position(progress.answered as u64);
    });
    let run = audit::cli::run(&arguments, report.is_coloured(), Some(observe), &mut text);
    let ended = runtime()?.block_on(run);
    waiting.finish_and_clear();
    if !ended? {
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

/// Fetches a page as robots.txt allows, and extracts it.
///
/// # Errors
/// If it cannot be fetched or is not HTML.
pub fn extract(url: &Url, mut arguments: ::extract::cli::Cli, report: &mut Report) -> Result<(), Failure> {
    let agent = AiWebIndexAgent::builder(AiWebIndexVersion::V1)
        .info_url(env!("CARGO_PKG_REPOSITORY"))
        .implementation("extract")
        .build()
        .map_err(|error| Failure(error.to_string()))?;
    let answer = runtime()?.block_on(audit::read_page(url, &agent))?;
    let refused = |why: String| Failure(format!("{}: {why}", answer.url));
    if !answer.status.is_success() {
        return Err(refused(format!("the server answered with status {}", answer.status)));
    }
    let kind = answer.content_type().unwrap_or_default().to_ascii_lowercase();
    if !(kind.starts_with("text/html") || kind.starts_with("application/xhtml+xml")) {
        return Err(refused(format!("expected HTML, found `{kind}`")));
    }
    // What was seen of the fetch, unless the command line tells otherwise.
    arguments.url = arguments.url.or(answer.url.as_str().parse().ok());
    arguments.content_type = arguments.content_type.or_else(|| answer.content_type().map(str::to_owned));
    arguments.status = arguments.status.or(StatusCode::new(answer.status.as_u16()));
    arguments.user_agent = arguments.user_agent.or(agent.as_str().parse().ok());
    arguments.fetched_at = arguments.fetched_at.or_else(now);
    ::extract::page(&answer.body, &arguments, report).map_err(|error| Failure(error.to_string()))
}

#[expect(clippy::disallowed_methods, reason = "a program has a clock")]
fn now() -> Option<Timestamp> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    Timestamp::from_parts(i64::try_from(now.as_secs()).ok()?, now.subsec_nanos())
}

/// Serves a folder until Ctrl-C.
///
/// # Errors
/// If it cannot be served.
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

/// Serves an agent until it closes the connection, or prints what one would get. The exit status is 1 if nothing could be
/// read.
///
/// # Errors
/// If it cannot serve.
pub fn mcp(arguments: &mcp::Cli, report: &mut Report) -> Result<(), Failure> {
    let (mut text, mut log) = (Vec::new(), std::io::stderr());
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        tokio::select! {
            ended = mcp::run(arguments, &mut text, &mut log) => ended,
            Ok(()) = tokio::signal::ctrl_c() => Ok(true),
        }
    });
    // A read of standard input that is under way cannot be ended, and nobody waits for it.
    runtime.shutdown_background();
    if !ended.map_err(|trouble| Failure(trouble.to_string()))? {
        report.note_finding();
    }
    report.write(&text)
}

/// Writes a line to standard error; a closed standard error is ignored.
fn eprintln_line(line: &str) {
    use std::io::Write as _;
    let _closed = writeln!(std::io::stderr(), "aiweb: {line}");
}

/// A bar on standard error while one waits, where that is a terminal.
fn bar(template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(1);
    let bar = ProgressStyle::with_template(template).map_or(bar.clone(), |style| bar.with_style(style));
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
