//! The command line.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Parser;
use url::Url;

use site::publisher::{Coding, Revisions};

/// Publishes a folder of HTML pages with TCT on loopback, crawls it three times, and shows what that saved.
///
/// First everything is fetched; then nothing has changed, and one request is enough; then some pages have a new text
/// and others a new template, and just the new texts are fetched.
#[derive(Debug, Clone, Parser)]
#[command(name = "roundtrip", version)]
pub struct Cli {
    /// Publish the HTML files of this folder instead of the embedded site
    #[arg(long, value_name = "DIR")]
    pub site: Option<PathBuf>,
    /// Keep what the agent holds in this folder, so that it survives a restart [default: a temporary folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Listen on this port of 127.0.0.1 [default: a free one]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Publish URLs that begin with this one: the address of a proxy in front of the publisher
    #[arg(long, value_name = "URL")]
    pub origin: Option<Url>,
    /// Split the sitemap after this many items
    #[arg(long, value_name = "N", default_value = "50000")]
    pub items_per_sitemap: NonZeroUsize,
    /// Publish these drafts of TCT: -00 and -01, -03, or both side by side
    #[arg(long, value_name = "DRAFT", value_enum, default_value_t)]
    pub tct: Revisions,
    /// Requests that may be under way at a time
    #[arg(long, value_name = "N", default_value = "16")]
    pub parallel: NonZeroUsize,
    /// The content coding that the agent asks for
    #[arg(long, value_enum, default_value_t = Coding::Gzip)]
    pub coding: Coding,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Do not crawl: publish until Ctrl-C
    #[arg(long, conflicts_with_all = ["cache", "json"])]
    pub serve: bool,
    /// Write the certificate to this file, for `curl --cacert` [with --serve, default: a temporary file]
    #[arg(long, value_name = "FILE")]
    pub cert: Option<PathBuf>,
}

impl Cli {
    /// Where the publisher listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.port)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
        let cli = Cli::try_parse_from(["roundtrip"]).unwrap();
        assert_eq!(cli.address().to_string(), "127.0.0.1:0");
        assert!(Cli::try_parse_from(["roundtrip", "--serve", "--json"]).is_err());
        assert!(Cli::try_parse_from(["roundtrip", "--items-per-sitemap", "0"]).is_err());
    }
}
