//! The AI-readable web as an agent's tool: `aiweb mcp`, a server of the Model Context Protocol.
//!
//! ```text
//! client ◀─stdio, HTTP─▶ server ─▶ tools ─▶ reading ─▶ sites ─▶ net ══▶ the web
//!                          │         │         └──────┬──┘
//!                        shown    outline           store
//! ```
//!
//! The libraries apply the protocols: `tct` which twin needs a request and what its answer is worth, `robots` what may be
//! fetched and when, `signals` what a text may be used for, `aidocument-extract` what is on a page and how a long one is cut,
//! `llmindex-types` what a manifest says. The modules here send, wait, store and report:
//!
//! | module | its task |
//! |---|---|
//! | [`options`] | the command line |
//! | [`server`] | the protocol |
//! | [`answers`] | what the tools take and answer: their schemas |
//! | [`tools`] | what each tool does |
//! | [`reading`] | one page: which source, and whether it has to be asked for |
//! | [`sites`] | robots.txt, terms of use, sitemaps |
//! | [`permission`] | the one gate for texts: what a model may have by now |
//! | [`net`] | one way out for all requests |
//! | [`store`] | what is held, in one crash-safe file |
//! | [`shown`] | an answer as a model reads it: what strangers wrote, between marks |
//! | [`resources`], [`explain`](mod@explain), [`tokens`], [`trouble`] | names of pages, the terminal, counting, errors |
//!
//! Guarantees, each with a test in `tests/it`:
//!
//! - No request leaves for a host that is not public, by its name or by what the name resolves to, unless the user named it.
//! - No page is requested that robots.txt closes, and no text, fetched or held, is given that its site, by what is known of it
//!   at that moment, closes or refuses to models, unless the user answers for that site by name; a refused text is forgotten
//!   under all its keys.
//! - What a policy descriptor denies, it denies until another descriptor is read.
//! - No text of a page stands outside of its marks in what a model reads.
//! - A page that was read within the trust window costs no request.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use rmcp::ServiceExt as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

pub mod answers;
pub mod explain;
pub mod net;
pub mod options;
pub mod permission;
pub mod reading;
pub mod resources;
pub mod server;
pub mod shown;
pub mod sites;
pub mod store;
pub mod tokens;
pub mod tools;
pub mod trouble;

pub use net::Agent;
pub use options::{Cli, Options};
pub use server::Server;
pub use store::Store;
pub use trouble::{Trouble, TroubleKind};

/// The path of the HTTP transport.
pub const HTTP_PATH: &str = "/mcp";

/// Runs the command line; returns false if `--explain` found nothing to read. Lines for people go to `log`.
///
/// # Errors
/// If the store cannot be opened, the address is taken, or the transport breaks.
pub async fn run(cli: &Cli, out: &mut dyn Write, log: &mut (dyn Write + Send)) -> Result<bool, Trouble> {
    let agent = Arc::new(Agent::new(open_store(cli, log)?, cli.options()?)?);
    if let Some(url) = &cli.explain {
        return explain::explain(&agent, url, out).await.map_err(broken);
    }
    match cli.http {
        None => stdio(agent).await?,
        Some(address) => {
            let listener = tokio::net::TcpListener::bind(address).await.map_err(broken)?;
            let address = listener.local_addr().map_err(broken)?;
            let _nobody = writeln!(log, "aiweb: serving http://{address}{HTTP_PATH}");
            serve_http(agent, listener).await?;
        }
    }
    Ok(true)
}

/// Serves standard input and output until the client closes them.
async fn stdio(agent: Arc<Agent>) -> Result<(), Trouble> {
    let service = match Server::new(agent).serve(rmcp::transport::stdio()).await {
        Ok(service) => service,
        // A client that goes before it has said anything wants nothing.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(broken(error)),
    };
    service.waiting().await.map(|_| ()).map_err(broken)
}

/// Serves streamable HTTP. Requests that name another host than loopback, or come from a page of another host in a browser,
/// are refused: that is how a web page would reach a local server.
///
/// # Errors
/// If the listener breaks.
pub async fn serve_http(agent: Arc<Agent>, listener: tokio::net::TcpListener) -> Result<(), Trouble> {
    let mut config = StreamableHttpServerConfig::default().enforce_origin_validation();
    config.allowed_origins =
        ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"].map(str::to_owned).to_vec();
    let service = StreamableHttpService::new(
        move || Ok(Server::new(Arc::clone(&agent))),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let router = axum::Router::new().nest_service(HTTP_PATH, service);
    axum::serve(listener, router).await.map_err(broken)
}

/// The store that the command line names, or the user's own; in memory where another process has that open.
fn open_store(cli: &Cli, log: &mut dyn Write) -> Result<Store, Trouble> {
    if let Some(path) = &cli.store {
        return Store::open(path);
    }
    let opened = default_path().and_then(|path| {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).ok()?;
        }
        Some(Store::open(&path))
    });
    match opened {
        Some(Ok(store)) => Ok(store),
        Some(Err(trouble)) => {
            let _nobody = writeln!(log, "aiweb: {trouble} What is read now is held in memory.");
            Store::in_memory()
        }
        None => Store::in_memory(),
    }
}

/// `aiweb/mcp.redb` in the user's cache folder.
fn default_path() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || {
        set("HOME").map(|home| {
            if cfg!(target_os = "macos") { home.join("Library/Caches") } else { home.join(".cache") }
        })
    };
    let cache = if cfg!(windows) { set("LOCALAPPDATA") } else { set("XDG_CACHE_HOME").or_else(home) };
    Some(cache?.join("aiweb").join("mcp.redb"))
}

fn broken(error: impl std::fmt::Display) -> Trouble {
    Trouble::new(TroubleKind::Network, "the server cannot go on", error.to_string(), "start it again")
}
