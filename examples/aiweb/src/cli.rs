//! The command line.

use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use site::cli::absolute_url;
use url::Url;

use crate::build::Build;

/// The protocols of the AI-readable web on the command line: TCT, AIWebIndex, llmindex, robots.txt.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "aiweb",
    version,
    after_help = "Files that are not named, or named `-`, are standard input. Results are text on a terminal and JSON \
                  lines in a pipe.\n\nExit status: 0 everything is fine, 1 a check found something or pages of a crawl \
                  failed, 2 the command could not do its work."
)]
pub struct Cli {
    /// How results are printed; by default text on a terminal, JSON lines in a pipe
    #[arg(long, global = true, value_enum, default_value_t, hide_default_value = true)]
    pub format: Format,
    /// Colours in text; by default on a terminal, as `NO_COLOR` and `CLICOLOR_FORCE` say
    #[arg(long, global = true, value_enum, default_value_t, hide_default_value = true, value_name = "WHEN")]
    pub color: ColorChoice,
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// Text on a terminal, JSON lines in a pipe
    #[default]
    Auto,
    /// Text for people
    Text,
    /// One JSON object a line
    Json,
}

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Print the TCT fingerprint of texts
    Fingerprint(Fingerprint),
    /// Normalise a text as TCT does before it is hashed
    Normalize(Normalize),
    /// Write JSON in canonical form (RFC 8785), or report where it is not canonical
    Canonical(Canonical),
    /// Turn HTML into Markdown, plain text or an AIDocument
    Extract(::extract::cli::Cli),
    /// Check a robots.txt file, or ask whether it allows a URL
    Robots(RobotsArguments),
    /// Check an llmindex manifest
    Manifest(CheckArguments),
    /// Check an llmindex product feed
    Feed(CheckArguments),
    /// Check a TCT sitemap
    Sitemap(SitemapArguments),
    /// Make a token that proves who owns a domain, and print how to publish it
    Token(Token),
    /// Make a signing key: the private JWK goes to a new file, the public key set is printed
    Keygen(Keygen),
    /// Sign an llmindex manifest
    Sign(Sign),
    /// Check the signature of an llmindex manifest
    Verify(Verify),
    /// Report which protocols a site offers, their errors, and how to fix them
    Audit(::audit::cli::Cli),
    /// Serve a folder of HTML or Markdown with all three protocols
    Serve(::site::cli::Serve),
    /// Crawl sites politely; run the same command again to continue an interrupted crawl
    Crawl(::crawler::Cli),
    /// Serve web pages to an agent by the Model Context Protocol (MCP)
    Mcp(::mcp::Cli),
    /// Write twins, sitemap, Markdown, llms.txt and header files beside a finished static site
    Build(Build),
    /// Print a script that completes `aiweb` in a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all commands to a folder
    Man {
        /// The folder
        folder: Option<PathBuf>,
    },
}

/// Texts to hash.
#[derive(Debug, Clone, Args)]
pub struct Fingerprint {
    /// Files in UTF-8
    pub files: Vec<PathBuf>,
    /// Hash the bytes as they are, as draft -03 of TCT does, without normalising them
    #[arg(long)]
    pub bytes: bool,
}

/// A text to normalise.
#[derive(Debug, Clone, Args)]
pub struct Normalize {
    /// A file in UTF-8
    pub file: Option<PathBuf>,
    /// Show the text after each step
    #[arg(long)]
    pub steps: bool,
}

/// A JSON text.
#[derive(Debug, Clone, Args)]
pub struct Canonical {
    /// A JSON file
    pub file: Option<PathBuf>,
    /// Sort names by code points, as TCT does, and not by UTF-16 code units
    #[arg(long)]
    pub tct: bool,
    /// Write nothing; report where the text is not canonical
    #[arg(long)]
    pub check: bool,
}

/// `aiweb robots`.
#[derive(Debug, Clone, Args)]
pub struct RobotsArguments {
    /// What to ask
    #[command(subcommand)]
    pub command: RobotsCommand,
}

/// What to ask a robots.txt file.
#[derive(Debug, Clone, Subcommand)]
pub enum RobotsCommand {
    /// Tell whether this crawler may fetch these paths or URLs; the exit status is 1 if one is
    /// disallowed
    Allowed {
        /// The crawler's product token, such as `AIWebIndex`
        crawler: String,
        /// Paths that begin with `/`, or URLs of the site
        #[arg(required = true, value_name = "PATH-OR-URL")]
        paths: Vec<String>,
        /// The robots.txt file [default: standard input]
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Print errors and unusual lines of the file
    Check {
        /// The robots.txt file
        file: Option<PathBuf>,
    },
}

/// `aiweb manifest`, `aiweb feed`.
#[derive(Debug, Clone, Args)]
pub struct CheckArguments {
    /// What to do
    #[command(subcommand)]
    pub command: CheckCommand,
}

/// What to do with a manifest or a feed.
#[derive(Debug, Clone, Subcommand)]
pub enum CheckCommand {
    /// Print all errors and warnings; the exit status is 1 if there is an error
    Check(Files),
}

/// Files to check.
#[derive(Debug, Clone, Args)]
pub struct Files {
    /// Files
    pub files: Vec<PathBuf>,
    /// Count warnings as errors
    #[arg(long)]
    pub strict: bool,
}

/// `aiweb sitemap`.
#[derive(Debug, Clone, Args)]
pub struct SitemapArguments {
    /// What to do
    #[command(subcommand)]
    pub command: SitemapCommand,
}

/// What to do with a sitemap.
#[derive(Debug, Clone, Subcommand)]
pub enum SitemapCommand {
    /// Print all errors and warnings; the exit status is 1 if an entry or the file cannot be used
    Check(SitemapFiles),
}

/// Sitemaps to check.
#[derive(Debug, Clone, Args)]
pub struct SitemapFiles {
    /// The files
    #[command(flatten)]
    pub files: Files,
    /// The URL that the sitemap is served at: entries of other origins are errors then
    #[arg(long, value_name = "URL", value_parser = absolute_url)]
    pub url: Option<Url>,
}

/// The protocols that prove who owns a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Protocol {
    /// AIWebIndex
    #[default]
    Aiwebindex,
    /// llmindex
    Llmindex,
}

/// A token for a domain.
#[derive(Debug, Clone, Args)]
pub struct Token {
    /// The domain, such as `example.com`
    pub domain: String,
    /// The protocol
    #[arg(long, value_enum, default_value_t)]
    pub protocol: Protocol,
    /// Print how to publish this token, and make no new one
    #[arg(long, value_name = "TOKEN")]
    pub token: Option<String>,
}

/// A new key.
#[derive(Debug, Clone, Args)]
pub struct Keygen {
    /// The file for the private key; it must not exist
    pub file: PathBuf,
    /// The key's name: the https URL at which the site serves its public half
    #[arg(long, value_name = "URL", value_parser = absolute_url)]
    pub kid: Url,
}

/// A manifest to sign.
#[derive(Debug, Clone, Args)]
pub struct Sign {
    /// The manifest
    pub manifest: Option<PathBuf>,
    /// The private key, as `aiweb keygen` writes it
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// Leave the signed bytes out of the signature, which makes it shorter: readers compute them
    /// from the manifest
    #[arg(long)]
    pub detached: bool,
}

/// A signed manifest.
#[derive(Debug, Clone, Args)]
pub struct Verify {
    /// The manifest
    pub manifest: Option<PathBuf>,
    /// The key set to check with
    #[arg(long, value_name = "FILE")]
    pub keys: PathBuf,
    /// The URL that the manifest came from: a signature for another host is refused
    #[arg(long, value_name = "URL", value_parser = absolute_url, required_unless_present = "any_origin")]
    pub fetched_from: Option<Url>,
    /// Do not check where the manifest came from: a copy of another site's manifest is then
    /// accepted
    #[arg(long, conflicts_with = "fetched_from")]
    pub any_origin: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
        let help = Cli::command().render_long_help().to_string();
        for command in ["fingerprint", "canonical", "build", "serve", "Exit status"] {
            assert!(help.contains(command), "{help}");
        }
        assert!(Cli::try_parse_from(["aiweb", "verify", "--keys", "x"]).is_err(), "the origin is asked for");
    }
}
