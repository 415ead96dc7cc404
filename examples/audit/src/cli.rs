//! The command line.

use std::ffi::OsString;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Parser, ValueEnum};
use url::Url;

use crate::fetch::Observer;
use crate::finding::Severity;
use crate::readiness::{Other, Profile};
use crate::report::Report;
use crate::start::{is_here, parse_start};
use crate::{AuditError, Options, audit, demo, folder, forms, page, terminal};

/// Reports which protocols for agents a site offers, their errors, and how to fix them.
///
/// The exit status is 0 if no error was found, 1 if one was, 2 if there is no report. With --demo
/// it is 0, as its sites have errors on purpose.
#[derive(Debug, Clone, Parser)]
#[command(name = "audit", version)]
pub struct Cli {
    /// Where to begin: a host name, the URL of a page, a twin or a sitemap, or the folder of a built site
    #[arg(value_name = "URL|FOLDER", required_unless_present = "demo", conflicts_with = "demo", value_parser = parse_target)]
    pub target: Option<Target>,
    /// Audit eight variants of a built-in test site instead, from correct to without any protocol
    #[arg(long)]
    pub demo: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Print JSON lines: the site, each finding, each check
    #[arg(long, conflicts_with = "json")]
    pub jsonl: bool,
    /// Print the verdicts with the check names of another checker
    #[arg(long, value_name = "CHECKER", value_enum, conflicts_with_all = ["json", "jsonl"])]
    pub compare: Option<Other>,
    /// Write the report as an HTML page; for several sites, an index page and one page each beside
    /// it
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the findings as SARIF, for CI
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write the score as a badge (SVG)
    #[arg(long, value_name = "FILE")]
    pub badge: Option<PathBuf>,
    /// Which checks of agent readiness count
    #[arg(long, value_enum, default_value_t)]
    pub profile: Profile,
    /// The lowest severity that makes the exit status 1
    #[arg(long, value_enum, default_value_t)]
    pub fail_on: FailOn,
    /// The URL at which a folder will be served
    #[arg(long, value_name = "URL", default_value = "https://site.invalid/", value_parser = parse_start)]
    pub origin: Url,
    /// Check this many of the pages that the sitemap lists [default: 10; with --demo, all]
    #[arg(long, value_name = "N")]
    pub pages: Option<usize>,
    /// Keep responses in this folder, and send conditional requests with their validators in the
    /// next run
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// Seconds between two requests; a longer Crawl-delay is respected [default: 2, and 0 for loopback addresses]
    #[arg(long, value_name = "SECONDS")]
    pub cooldown: Option<f64>,
    /// The longest wait for a host before one request, in seconds; where it asks for more, by
    /// Retry-After or Crawl-delay, the request counts as unanswered
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub max_wait: u64,
    /// Check the proof of ownership for the token that an AIWebIndex crawler issued
    #[arg(long, value_name = "TOKEN")]
    pub token: Option<String>,
    /// Trust the certificates in this PEM file too
    #[arg(long, value_name = "FILE")]
    pub ca: Vec<PathBuf>,
    /// Connect to this address for this host, as with curl: shop.example=127.0.0.1:8443
    #[arg(long, value_name = "HOST=ADDRESS:PORT", value_parser = parse_resolve)]
    pub resolve: Vec<(String, SocketAddr)>,
}

/// What to audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A site on the web.
    Site(Url),
    /// The files of one.
    Folder(PathBuf),
}

/// The lowest severity that makes an audit fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum FailOn {
    /// An error was found
    #[default]
    Error,
    /// An error or a warning was found
    Warning,
}

fn parse_target(text: &str) -> Result<Target, String> {
    let path = Path::new(text);
    match path.is_dir() {
        true => Ok(Target::Folder(path.to_owned())),
        false => parse_start(text).map(Target::Site),
    }
}

fn parse_resolve(text: &str) -> Result<(String, SocketAddr), String> {
    let (host, address) = text.split_once('=').ok_or("expected HOST=ADDRESS:PORT, found no `=`")?;
    let address = address.parse().map_err(|_| format!("expected ADDRESS:PORT, found `{address}`"))?;
    Ok((host.to_owned(), address))
}

/// Returns true if text is to be coloured: on a terminal, unless `NO_COLOR` is set, and wherever `CLICOLOR_FORCE` is.
/// <https://no-color.org>, <https://bixense.com/clicolors/>
#[must_use]
pub fn wants_colour(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    let is_forced = is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    is_forced || is_terminal
}

/// Runs the command line. Returns true if no site has an error, and for the demonstration, whose sites have errors on
/// purpose.
///
/// `observe` gets the progress of each site's audit.
///
/// # Errors
/// If there is no report, or it cannot be written.
pub async fn run(
    cli: &Cli,
    colour: bool,
    observe: Option<Observer>,
    out: &mut (dyn Write + Send),
) -> Result<bool, AuditError> {
    // Before the site is asked for anything.
    cli.files().try_for_each(try_to_write)?;
    let reports = match &cli.target {
        Some(Target::Site(url)) => vec![audit(url, cli.options(&observe)?).await?],
        Some(Target::Folder(path)) => {
            let pages = cli.pages.unwrap_or(Options::default().pages);
            vec![folder::report(path, &cli.origin, cli.profile, pages)?]
        }
        None => demo::run(cli.pages.unwrap_or(usize::MAX)).await?,
    };
    let text = if let Some(other) = cli.compare {
        reports.iter().map(|report| forms::comparison(report, other)).collect::<Vec<_>>().join("\n")
    } else if cli.jsonl {
        reports.iter().map(forms::lines).collect()
    } else if cli.json {
        let json = match reports.as_slice() {
            [report] => serde_json::to_string_pretty(report),
            reports => serde_json::to_string_pretty(reports),
        };
        json.map_err(|error| AuditError::Argument(error.to_string()))? + "\n"
    } else {
        reports.iter().map(|report| terminal::render(report, colour)).collect::<Vec<_>>().join("\n\n")
    };
    if let Some(path) = &cli.html {
        page::files(&reports, path).iter().try_for_each(|(path, page)| write_file(path, page))?;
    }
    if let Some(path) = &cli.sarif {
        write_file(path, &forms::sarif(&reports))?;
    }
    if let (Some(path), Some(report)) = (&cli.badge, reports.first()) {
        write_file(path, &forms::badge(report))?;
    }
    // At last: a reader that has seen enough, such as `head`, takes none of the files away.
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| file("write to", Path::new("standard output"), source))?;
    Ok(cli.demo || is_clean(&reports, cli.fail_on))
}

fn is_clean(reports: &[Report], fail_on: FailOn) -> bool {
    let has = |severity| reports.iter().any(|report| report.count(severity) > 0);
    !has(Severity::Error) && (fail_on == FailOn::Error || !has(Severity::Warning))
}

impl Cli {
    /// The files to write.
    fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.html, &self.sarif, &self.badge].into_iter().flatten().map(PathBuf::as_path)
    }

    fn options(&self, observe: &Option<Observer>) -> Result<Options, AuditError> {
        let mut options = Options { token: self.token.clone(), profile: self.profile, ..Options::default() };
        options.pages = self.pages.unwrap_or(options.pages);
        let is_here = matches!(&self.target, Some(Target::Site(url)) if is_here(url));
        let usual = if is_here { 0.0 } else { 2.0 };
        let cooldown = Duration::try_from_secs_f64(self.cooldown.unwrap_or(usual))
            .map_err(|error| AuditError::Argument(format!("--cooldown: {error}")))?;
        options.client.stored.clone_from(&self.cache);
        options.client.observe.clone_from(observe);
        options.client.pacing = options.client.pacing.cooldown(cooldown);
        options.client.max_wait = Duration::from_secs(self.max_wait).max(cooldown);
        for path in &self.ca {
            options.client.trusted_pem.push(read_file(path)?);
        }
        options.client.resolve.extend(self.resolve.iter().cloned());
        Ok(options)
    }
}

#[expect(clippy::disallowed_methods, reason = "a file that was named on the command line")]
fn read_file(path: &Path) -> Result<String, AuditError> {
    std::fs::read_to_string(path).map_err(|source| file("read", path, source))
}

#[expect(clippy::disallowed_methods, reason = "a file that was named on the command line")]
fn write_file(path: &Path, text: &str) -> Result<(), AuditError> {
    std::fs::write(path, text).map_err(|source| file("write", path, source))
}

/// Finds out whether a file can be written, and leaves everything as it was.
fn try_to_write(path: &Path) -> Result<(), AuditError> {
    let is_new = match std::fs::metadata(path) {
        // A pipe would take this for the end of what is written.
        Ok(facts) if !facts.is_file() && !facts.is_dir() => return Ok(()),
        facts => facts.is_err() && path.symlink_metadata().is_err(),
    };
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|source| file("write", path, source))?;
    if is_new {
        std::fs::remove_file(path).map_err(|source| file("write", path, source))?;
    }
    Ok(())
}

fn file(action: &'static str, path: &Path, source: std::io::Error) -> AuditError {
    AuditError::File { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn colour_is_for_terminals_and_for_who_asks() {
        for (is_terminal, no_color, force, expected) in [
            (true, None, None, true),
            (false, None, None, false),
            (true, Some("1"), None, false),
            (true, Some(""), None, true),
            (false, None, Some("1"), true),
            (false, None, Some("0"), false),
            (false, Some("1"), Some("1"), false),
        ] {
            let variable = |name: &str| if name == "NO_COLOR" { no_color } else { force }.map(OsString::from);
            assert_eq!(wants_colour(is_terminal, variable), expected, "{no_color:?} {force:?}");
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
        assert!(Cli::try_parse_from(["audit"]).is_err());
        assert!(Cli::try_parse_from(["audit", "--demo", "https://x.example/"]).is_err());
        let cli = Cli::try_parse_from(["audit", "https://x.example/", "--resolve", "x.example=127.0.0.1:1"]);
        assert_eq!(cli.unwrap().resolve[0].1.port(), 1);
        let bare = Cli::try_parse_from(["audit", "blog.example"]).unwrap();
        assert_eq!(bare.target, Some(Target::Site("https://blog.example/".parse().unwrap())));
        let folder = Cli::try_parse_from(["audit", "."]).unwrap();
        assert_eq!(folder.target, Some(Target::Folder(".".into())));
    }
}
