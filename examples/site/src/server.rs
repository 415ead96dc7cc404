//! Sockets: a listener that hands every connection to hyper; with TLS, HTTP/1.1 or HTTP/2 as agreed in the handshake.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::SiteError;
use crate::tls::Certificate;

/// A handshake that takes longer than this is given up.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
/// A client that takes longer than this for the head of a request is given up.
const HEADER_TIME: Duration = Duration::from_secs(60);
/// Open connections may finish their requests for this long after a stop.
const GRACE_TIME: Duration = Duration::from_secs(5);

/// A port that is ours, not yet answered on: its number is part of every URL that will be published.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    /// Address and port.
    pub address: SocketAddr,
}

impl Listener {
    /// Takes the port; 0 takes a free one.
    ///
    /// # Errors
    /// [`SiteError::Listen`] where the port is taken.
    pub async fn bind(address: SocketAddr) -> Result<Self, SiteError> {
        let listen = |source| SiteError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(Listener { listener, address })
    }

    /// Starts answering: over TLS with a certificate, in the clear without.
    ///
    /// # Errors
    /// [`SiteError::Tls`] where the certificate is refused.
    pub fn serve(self, router: Router, certificate: Option<&Certificate>) -> Result<Server, SiteError> {
        let config = certificate.map(Certificate::server_config).transpose()?;
        let acceptor = config.map(|config| TlsAcceptor::from(Arc::new(config)));
        let (stop, stopped) = watch::channel(());
        let task = tokio::spawn(accept(self.listener, acceptor, router, stopped));
        Ok(Server { address: self.address, stop, task })
    }
}

/// A running server.
#[derive(Debug)]
pub struct Server {
    /// Where it answers.
    pub address: SocketAddr,
    stop: watch::Sender<()>,
    task: JoinHandle<()>,
}

impl Server {
    /// Stops taking connections and waits for the open ones, for a few seconds at most.
    ///
    /// # Errors
    /// [`SiteError::Task`] where the server had ended before.
    pub async fn stop(self) -> Result<(), SiteError> {
        drop(self.stop);
        self.task.await.map_err(|error| SiteError::Task(error.to_string()))
    }
}

async fn accept(
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
    router: Router,
    mut stopped: watch::Receiver<()>,
) {
    let graceful = Arc::new(GracefulShutdown::new());
    loop {
        let stream = tokio::select! {
            // The sender never sends: the end of waiting is that it was dropped.
            _ = stopped.changed() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(_) => {
                    // Out of file handles, or a client that went away: nothing to do but to go on, not at full speed.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        // Answers are small and each is written at once.
        let _delayed = stream.set_nodelay(true);
        let (router, watcher) = (router.clone(), graceful.watcher());
        match acceptor.clone() {
            None => {
                tokio::spawn(answer(stream, router, watcher));
            }
            Some(acceptor) => {
                tokio::spawn(async move {
                    let handshake = tokio::time::timeout(HANDSHAKE_TIME, acceptor.accept(stream));
                    if let Ok(Ok(stream)) = handshake.await {
                        answer(stream, router, watcher).await;
                    }
                });
            }
        }
    }
    drop(listener);
    if let Some(graceful) = Arc::into_inner(graceful) {
        let _in_time = tokio::time::timeout(GRACE_TIME, graceful.shutdown()).await;
    }
}

async fn answer<S>(stream: S, router: Router, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // Who connects and says nothing is not waited for.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // A connection that breaks is the client's business; it will come again.
    let _broken = watcher.watch(connection.into_owned()).await;
}
