//! Sockets: a TLS listener that hands every connection to hyper, HTTP/1.1 or HTTP/2 as agreed in the handshake.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::RoundtripError;
use crate::publisher::Certificate;

/// A handshake that takes longer than this is given up.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);
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
    /// [`RoundtripError::Listen`] where the port is taken.
    pub async fn bind(address: SocketAddr) -> Result<Self, RoundtripError> {
        let listen = |source| RoundtripError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(Listener { listener, address })
    }

    /// Starts answering.
    ///
    /// # Errors
    /// [`RoundtripError::Tls`] where the certificate is refused.
    pub fn serve(self, router: Router, certificate: &Certificate) -> Result<Server, RoundtripError> {
        let acceptor = TlsAcceptor::from(Arc::new(certificate.server_config()?));
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
    pub async fn stop(self) {
        drop(self.stop);
        // The task ends by itself; an error would be its panic, which has been printed by then.
        let _ended = self.task.await;
    }
}

async fn accept(
    listener: TcpListener,
    acceptor: TlsAcceptor,
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
        let (acceptor, router, watcher) = (acceptor.clone(), router.clone(), graceful.watcher());
        tokio::spawn(async move {
            // Answers are small and each is written at once.
            let _delayed = stream.set_nodelay(true);
            let Ok(Ok(tls)) = tokio::time::timeout(HANDSHAKE_TIME, acceptor.accept(stream)).await else {
                return;
            };
            let builder = auto::Builder::new(TokioExecutor::new());
            let connection = builder.serve_connection(TokioIo::new(tls), TowerToHyperService::new(router));
            // A connection that breaks is the client's business; it will come again.
            let _broken = watcher.watch(connection.into_owned()).await;
        });
    }
    drop(listener);
    if let Some(graceful) = Arc::into_inner(graceful) {
        let _in_time = tokio::time::timeout(GRACE_TIME, graceful.shutdown()).await;
    }
}
