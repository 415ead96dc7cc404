//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use tct::UrlPolicy;
use url::{Host, Url};

use crate::CrawlerError;

/// The least pause between two requests to one host, as AIWebIndex has it.
pub const COOLDOWN: Duration = Duration::from_secs(2);

/// Crawls sites politely, and stores their pages in one crash-safe file.
///
/// For each site: robots.txt; then TCT, where the site offers it, so that a page that has not changed costs no
/// request; the llmindex manifest and its feeds; and every other page as an AIDocument. One JSON object is printed
/// for each thing that happened, after it is safely stored. Run the same command again to continue an interrupted
/// crawl.
#[derive(Debug, Clone, Parser)]
#[command(name = "crawler", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// Other commands
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Start URLs; each site is crawled along its own links [default: the site of examples/site, started for this
    /// purpose, crawled twice and not stored]
    #[arg(value_name = "URL")]
    pub start: Vec<String>,
    /// Store everything in this file [default: a temporary one]
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Print the contents of the store as JSON lines, and crawl nothing
    #[arg(long, requires = "store", conflicts_with = "start")]
    pub export: bool,
    /// Drop all remaining tasks, and start a new crawl of each site; stored pages stay
    #[arg(long)]
    pub restart: bool,
    /// The page about this crawler that its User-Agent names
    #[arg(long, value_name = "URL", default_value = env!("CARGO_PKG_REPOSITORY"))]
    pub info_url: String,
    /// Trust the certificates of this PEM file, beside those that this machine trusts
    #[arg(long, value_name = "FILE")]
    pub ca: Vec<PathBuf>,
    /// Connect to this address for this host, as with curl: shop.example=127.0.0.1:8443
    #[arg(long, value_name = "NAME=ADDRESS", value_parser = read_override)]
    pub resolve: Vec<(String, SocketAddr)>,
    /// Concurrent requests to all hosts together; one host never gets two
    #[arg(long, value_name = "N", default_value = "8")]
    pub parallel: usize,
    /// Most pages to fetch from one site in one crawl, not counting those of its TCT sitemaps
    #[arg(long, value_name = "N", default_value = "1000")]
    pub max_pages: u64,
    /// Most links between a start URL and a page
    #[arg(long, value_name = "N", default_value = "8")]
    pub depth: u32,
    /// Seconds between two requests to one host; less than 2 is allowed only for loopback addresses [default: 2,
    /// and 0 for loopback addresses]
    #[arg(long, value_name = "SECONDS")]
    pub cooldown: Option<f64>,
    /// Longest wait for a host, in seconds; a host that requires a longer one is left for a later
    /// run
    #[arg(long, value_name = "SECONDS", default_value = "300")]
    pub max_wait: u64,
    /// Seconds until a failed request is repeated, unless the server sends Retry-After
    #[arg(long, value_name = "SECONDS", default_value = "30")]
    pub retry: u64,
    /// Request TCT sitemaps at their usual paths too if neither a page nor robots.txt names one
    #[arg(long)]
    pub probe: bool,
    /// The purpose of the crawl: search, ai-input, ai-index, ai-train or tdm. Pages whose site refuses this use are not
    /// stored
    #[arg(long, value_name = "PURPOSE", default_value = "ai-input")]
    pub purpose: signals::Purpose,
    /// Check the proof of ownership that an llmindex manifest announces
    #[arg(long)]
    pub verify: bool,
    /// Check that the owner of this domain has published this AIWebIndex token
    #[arg(long, value_name = "DOMAIN=TOKEN")]
    pub token: Vec<String>,
    /// Check signatures of llmindex manifests with this JWK Set
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// Sign each request with the private JWK in this file, by Web Bot Auth
    #[arg(long, value_name = "FILE", requires = "signature_agent")]
    pub key: Option<PathBuf>,
    /// The https URL of the crawler's home, which publishes the key's public half
    #[arg(long, value_name = "URL", requires = "key")]
    pub signature_agent: Option<Url>,
    /// The version of AIWebIndex for stored documents and the User-Agent
    #[arg(long, value_name = "VERSION", default_value = "1.0")]
    pub document_version: DocumentVersion,
    /// Ask this DNS resolver for TXT records [default: three public ones]
    #[arg(long, value_name = "ADDRESS")]
    pub resolver: Vec<SocketAddr>,
}

/// The other commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Make a key for --key: the private JWK goes to a new file, the public one is printed, for the key directory of the
    /// crawler's home
    Keygen {
        /// The file; it must not exist
        file: PathBuf,
    },
}

/// A version of AIWebIndex.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum DocumentVersion {
    /// 1.0
    #[default]
    #[value(name = "1.0")]
    V1,
    /// 2.0
    #[value(name = "2.0")]
    V2,
}

fn read_override(text: &str) -> Result<(String, SocketAddr), String> {
    let (name, address) = text.split_once('=').ok_or("expected NAME=ADDRESS:PORT")?;
    let address = address.parse().map_err(|error| format!("{error}"))?;
    Ok((name.to_ascii_lowercase(), address))
}

impl Cli {
    /// The start URLs, parsed.
    ///
    /// # Errors
    /// [`CrawlerError::Start`] for the first that is not a URL.
    pub fn starts(&self) -> Result<Vec<Url>, CrawlerError> {
        let parse = |text: &String| {
            UrlPolicy::allowing_http().parse(text).map_err(|_| CrawlerError::Start { text: text.clone() })
        };
        self.start.iter().map(parse).collect()
    }

    /// The cooldown.
    ///
    /// # Errors
    /// [`CrawlerError::Cooldown`] if it is too short for one of the hosts.
    pub fn cooldown(&self, starts: &[Url]) -> Result<Duration, CrawlerError> {
        let is_here = !starts.is_empty() && starts.iter().all(|url| self.is_loopback(url));
        let Some(found_s) = self.cooldown else { return Ok(if is_here { Duration::ZERO } else { COOLDOWN }) };
        let found = Duration::try_from_secs_f64(found_s).unwrap_or(COOLDOWN);
        match found >= COOLDOWN || is_here {
            true => Ok(found),
            false => Err(CrawlerError::Cooldown { found_s }),
        }
    }

    /// Whether the URL leads to this machine, as far as its text and `--resolve` say.
    fn is_loopback(&self, url: &Url) -> bool {
        match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            Some(Host::Domain(name)) => {
                name == "localhost"
                    || self.resolve.iter().any(|(known, address)| known == name && address.ip().is_loopback())
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn cli(arguments: &[&str]) -> Cli {
        Cli::try_parse_from([&["crawler"], arguments].concat()).unwrap()
    }

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
        assert_eq!(cli(&[]).cooldown(&[]).unwrap(), COOLDOWN);
        assert!(Cli::try_parse_from(["crawler", "--export"]).is_err());
        assert!(Cli::try_parse_from(["crawler", "--key", "k.json", "https://example.com/"]).is_err());
        assert!(matches!(cli(&["keygen", "k.json"]).command, Some(Command::Keygen { .. })));
        assert_eq!(cli(&["--document-version", "2.0"]).document_version, DocumentVersion::V2);
        assert!(Cli::try_parse_from(["crawler", "--resolve", "a.example"]).is_err());
        let help = Cli::command().render_long_help().to_string();
        assert!(!help.contains("insecure") && !help.contains("no-check"), "checks cannot be switched off");
    }

    #[test]
    fn a_short_cooldown_is_for_this_machine_alone() {
        let arguments = ["--cooldown", "0.1", "--resolve", "Shop.example=127.0.0.1:8443"];
        for (start, is_fine) in [
            ("https://127.0.0.1:8443/", true),
            ("https://[::1]/", true),
            ("https://localhost/", true),
            ("https://shop.example/", true),
            ("https://example.com/", false),
            ("https://192.168.0.1/", false),
        ] {
            let named = cli(&[&arguments[..], &[start]].concat());
            assert_eq!(named.cooldown(&named.starts().unwrap()).is_ok(), is_fine, "{start}");
            let unnamed = cli(&[&arguments[2..], &[start]].concat());
            let expected = if is_fine { Duration::ZERO } else { COOLDOWN };
            assert_eq!(unnamed.cooldown(&unnamed.starts().unwrap()).unwrap(), expected, "{start}");
        }
    }

    #[test]
    fn start_urls_are_checked() {
        for bad in ["example.com", "ftp://example.com/", "https://a:b@example.com/", "https://exa mple.com/"]
        {
            assert!(cli(&[bad]).starts().is_err(), "{bad}");
        }
        assert_eq!(cli(&["http://example.com"]).starts().unwrap()[0].as_str(), "http://example.com/");
    }
}
