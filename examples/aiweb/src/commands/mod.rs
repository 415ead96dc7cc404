//! One function for each command.

use std::path::Path;

use robots::{Robots, RobotsReason};
use serde_json::json;

use crate::Failure;
use crate::cli::{Format, RobotsCommand};
use crate::input::Input;
use crate::report::{Remark, Report, Where};

pub mod check;
pub mod generate;
pub mod network;
pub mod proof;
pub mod text;

/// `aiweb extract`: the program of that name. Markdown on a terminal and in a pipe; `--format json` asks for the document.
///
/// # Errors
/// If a file cannot be read, or an argument cannot be used.
pub fn extract(arguments: &::extract::cli::Cli, format: Format, report: &mut Report) -> Result<(), Failure> {
    let mut arguments = arguments.clone();
    arguments.json |= format == Format::Json && !arguments.markdown && !arguments.text;
    if let Some(url) = arguments.url_to_fetch() {
        let url = url.parse().map_err(|error| Failure(format!("{url}: {error}")))?;
        return network::extract(&url, arguments, report);
    }
    ::extract::run(&arguments, report).map_err(|error| Failure(error.to_string()))
}

/// `aiweb robots`.
///
/// # Errors
/// If the file cannot be read, or something is neither a path nor a URL.
pub fn robots(command: &RobotsCommand, report: &mut Report) -> Result<(), Failure> {
    match command {
        RobotsCommand::Allowed { crawler, paths, file } => {
            // Nothing is answered before every path is known to be one.
            if let Some(path) = paths.iter().find(|path| is_no_path(path)) {
                return Err(no_path(path));
            }
            let input = Input::read(file.as_deref())?;
            let robots = Robots::parse(&input.bytes);
            for path in paths {
                let decision = robots.decide(crawler.as_str(), path.as_str());
                if decision.is_disallowed() {
                    report.note_finding();
                }
                let rule = decision.rule();
                report.result(
                    &format!("{path}: {decision}"),
                    &[
                        ("file", json!(input.name)),
                        ("crawler", json!(crawler)),
                        ("path", json!(path)),
                        ("allowed", json!(decision.is_allowed())),
                        ("why", json!(decision.reason().to_string())),
                        ("line", json!(rule.map(|rule| rule.line))),
                    ],
                )?;
            }
            Ok(())
        }
        RobotsCommand::Check { file } => {
            let input = Input::read(file.as_deref())?;
            for finding in Robots::parse(&input.bytes).check_lint() {
                let place = Where::line(finding.line() as usize);
                report.remark(&Remark::of(&input.name, &finding, Some(place)), true)?;
            }
            Ok(())
        }
    }
}

/// Whether a text is neither a path nor a URL.
fn is_no_path(text: &str) -> bool {
    Robots::parse(b"").decide("any", text).reason() == RobotsReason::NotAPath
}

/// The failure for such a text, with a hint if it is the name of a file.
fn no_path(text: &str) -> Failure {
    let hint = if Path::new(text).is_file() {
        format!("; for the file, write `--file {text}`")
    } else {
        String::new()
    };
    Failure(format!("{text}: {}{hint}", RobotsReason::NotAPath))
}
