//! The command line.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use url::Url;

use crate::{LlmindexVersion, Options, Revisions, Running, SiteError, start};

/// Serves a folder of HTML or Markdown with TCT, llmindex and AIWebIndex.
#[derive(Debug, Clone, Parser)]
#[command(name = "site", version)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Serve until Ctrl-C
    Serve(Box<Serve>),
    /// Make a key for the manifest's signature, or for a crawler's: the private JWK goes to a new file, the public half is
    /// printed
    Keygen {
        /// The file; it must not exist
        file: PathBuf,
        /// The name of a manifest's key: the https URL at which the site will serve its public half [default: the key's
        /// thumbprint, for a crawler]
        #[arg(long, value_name = "URL")]
        kid: Option<Url>,
    },
}

/// What to publish, and where.
#[derive(Debug, Clone, Args)]
pub struct Serve {
    /// A folder of *.html, *.htm and *.md, perhaps with a site.toml [default: the embedded site]
    pub folder: Option<PathBuf>,
    /// Settings in place of the folder's own
    #[arg(long, value_name = "FILE")]
    pub settings: Option<PathBuf>,
    /// Listen on this address
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub address: IpAddr,
    /// Listen on this port [default: a free one]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// The host in the site's URLs
    #[arg(long, value_name = "NAME", default_value = "127.0.0.1")]
    pub host: String,
    /// The beginning of the site's URLs: the address of a proxy in front
    #[arg(long, value_name = "URL", conflicts_with = "host", value_parser = absolute_url)]
    pub origin: Option<Url>,
    /// The private JWK that signs the manifest [default: a key for this run]
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Use HTTP without TLS, for a proxy in front that does TLS
    #[arg(long)]
    pub plain: bool,
    /// The certificate chain, in PEM form [default: a certificate for this run]
    #[arg(long, value_name = "FILE", requires = "tls_key", conflicts_with = "plain")]
    pub tls_certificate: Option<PathBuf>,
    /// The certificate's private key, in PEM form
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub tls_key: Option<PathBuf>,
    /// Split the sitemap after this many items
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    pub items_per_sitemap: usize,
    /// Publish these drafts of TCT: -00 and -01, -03, or both side by side
    #[arg(long, value_name = "DRAFT", value_enum, default_value_t)]
    pub tct: Revisions,
    /// The private JWK of the crawler that `[bot]` in the settings describes: serves its keys, card and addresses
    #[arg(long, value_name = "FILE")]
    pub bot_key: Option<PathBuf>,
    /// The private JWK that replaces it from the time `next-key-from` of `[bot]` on
    #[arg(long, value_name = "FILE", requires = "bot_key")]
    pub next_bot_key: Option<PathBuf>,
    /// Trust these certificates too when keys of crawlers are fetched
    #[arg(long, value_name = "FILE")]
    pub trust: Option<PathBuf>,
    /// Connect to this address for this host when keys of crawlers are fetched
    #[arg(long, value_name = "HOST=ADDRESS:PORT", value_parser = parse_resolve)]
    pub resolve: Vec<(String, SocketAddr)>,
    /// Publish this version of llmindex
    #[arg(long, value_name = "VERSION", value_enum, default_value_t)]
    pub llmindex: LlmindexVersion,
    /// Read the pages at each request, so that edits are served at once; twins are made on request
    #[arg(long)]
    pub live: bool,
    /// Write the certificate to this file, for `curl --cacert`
    #[arg(long, value_name = "FILE", conflicts_with = "plain")]
    pub write_certificate: Option<PathBuf>,
}

impl Serve {
    /// The same as options of [`start`].
    #[must_use]
    pub fn options(&self) -> Options {
        Options {
            listen: SocketAddr::new(self.address, self.port),
            host: self.host.clone(),
            origin: self.origin.clone(),
            folder: self.folder.clone(),
            settings: self.settings.clone(),
            key: self.key.clone(),
            tls: !self.plain,
            certificate: self.tls_certificate.clone().zip(self.tls_key.clone()),
            items_per_sitemap: self.items_per_sitemap,
            bot_key: self.bot_key.clone(),
            next_bot_key: self.next_bot_key.clone(),
            trust: self.trust.clone(),
            resolve: self.resolve.clone(),
            tct: self.tct,
            llmindex: self.llmindex,
            live: self.live,
            ..Options::default()
        }
    }
}

/// Parses a URL; the error shows what one looks like.
///
/// # Errors
/// A text that is not an absolute URL.
pub fn absolute_url(text: &str) -> Result<Url, String> {
    Url::parse(text).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => {
            "expected a whole URL, such as https://example.com/".to_owned()
        }
        error => error.to_string(),
    })
}

fn parse_resolve(text: &str) -> Result<(String, SocketAddr), String> {
    let (host, address) = text.split_once('=').ok_or("expected HOST=ADDRESS:PORT, found no `=`")?;
    let address = address.parse().map_err(|_| format!("expected ADDRESS:PORT, found `{address}`"))?;
    Ok((host.to_owned(), address))
}

/// Runs the command line; lines for people go to `out`.
///
/// # Errors
/// Whatever ends the run early.
pub async fn run(cli: &Cli, out: &mut (dyn Write + Send)) -> Result<(), SiteError> {
    match &cli.command {
        Command::Serve(serve) => {
            let running = start(serve.options()).await?;
            serve_until_stopped(serve, running, out).await
        }
        Command::Keygen { file, kid } => {
            let key = crate::new_key(kid.as_ref().map_or("", Url::as_str))?;
            write_new(file, key.to_private_jwk().as_bytes(), false)?;
            print(out, &format!("{}\n", key.to_public_jwk_set()))
        }
    }
}

/// Prints what is served, and stops on Ctrl-C.
///
/// # Errors
/// Whatever ends the run early.
pub async fn serve_until_stopped(
    serve: &Serve,
    running: Running,
    out: &mut (dyn Write + Send),
) -> Result<(), SiteError> {
    if let (Some(path), Some(pem)) = (&serve.write_certificate, running.certificate_pem()) {
        write_new(path, pem.as_bytes(), true)?;
    }
    // Listening begins with the first poll, and has to before anybody is told of Ctrl-C.
    let mut stop = std::pin::pin!(stop_signal());
    let early = tokio::select! {
        biased;
        () = &mut stop => true,
        () = std::future::ready(()) => false,
    };
    print(out, &introduction(&running))?;
    if !early {
        stop.await;
    }
    print(out, "stopping\n")?;
    running.stop().await
}

/// Waits for Ctrl-C, or for the signal that service managers send.
async fn stop_signal() {
    let interrupted = async {
        // Without signals nobody can ask: the process is ended in another way.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else { return interrupted.await };
        tokio::select! {
            () = interrupted => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    interrupted.await;
}

fn introduction(running: &Running) -> String {
    let snapshot = running.publisher().snapshot();
    let mut text = format!("{} pages at {}\n", snapshot.pages.len(), running.url());
    let twin = snapshot.pages.first().map_or("", |page| page.m_url.as_url().path());
    let mut paths = vec![("twin", twin.to_owned()), ("sitemap", "/llm-sitemap.json".to_owned())];
    if let Some(second) = snapshot.pages.first().and_then(|page| page.second.as_ref()) {
        paths.push(("twin of draft -03", second.m_url.as_url().path().to_owned()));
        paths.push(("sitemap of draft -03", "/m-sitemap.json".to_owned()));
    }
    paths.extend(snapshot.documents.iter().map(|document| ("", document.path.clone())));
    for (name, path) in paths {
        text.push_str(format!("  {path:<38}{name}").trim_end());
        text.push('\n');
    }
    for item in &snapshot.passed_over {
        text.push_str(&format!("left out: {}: {}\n", item.what, item.why));
    }
    text + "Ctrl-C ends it\n"
}

fn print(out: &mut (dyn Write + Send), text: &str) -> Result<(), SiteError> {
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| SiteError::File { action: "write to", path: "standard output".into(), source })
}

/// Writes a file that only its owner reads; one that is there is kept unless it may be replaced.
fn write_new(path: &Path, bytes: &[u8], replace: bool) -> Result<(), SiteError> {
    let mut open = std::fs::OpenOptions::new();
    open.write(true).create_new(!replace).create(replace).truncate(replace);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    let written = open.open(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|source| SiteError::File { action: "write", path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
        let cli = Cli::try_parse_from(["site", "serve"]).unwrap();
        let Command::Serve(serve) = cli.command else { panic!("{cli:?}") };
        assert_eq!(serve.options().listen.to_string(), "127.0.0.1:0");
        assert!(Cli::try_parse_from(["site", "serve", "--tls-key", "x"]).is_err());
        assert!(Cli::try_parse_from(["site", "serve", "--plain", "--write-certificate", "x"]).is_err());
    }
}
