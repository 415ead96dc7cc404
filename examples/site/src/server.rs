//! Sockets: a listener that hands every connection to hyper; with TLS, HTTP/1.1 or HTTP/2 as agreed in the handshake; in
//! the clear, HTTP/2 where the client begins with it.
//!
//! ```text
//! listener ── a connection each ──▶ worker 1: a thread with a runtime of its own
//!                                   worker 2: …, as many as there are processors
//! ```
//!
//! A connection stays with its worker. Answers here take microseconds: a runtime that shares tasks among its threads spends
//! as long on waking them.

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::body::Bytes;
use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tower_service::Service;

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
    /// [`SiteError::Tls`] where the certificate is refused, [`SiteError::Task`] where the system gives no thread.
    pub fn serve<S, B>(self, service: S, certificate: Option<&Certificate>) -> Result<Server, SiteError>
    where
        S: Answers<B>,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let config = certificate.map(Certificate::server_config).transpose()?;
        let acceptor = config.map(|config| TlsAcceptor::from(Arc::new(config)));
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = (0..workers).map(|_| Worker::start(service.clone(), acceptor.clone()));
        let workers =
            workers.collect::<Result<Vec<_>, _>>().map_err(|error| SiteError::Task(error.to_string()))?;
        let (stop, stopped) = watch::channel(());
        let (connections, threads): (Vec<_>, Vec<_>) =
            workers.into_iter().map(|worker| (worker.connections, worker.thread)).unzip();
        let task = tokio::spawn(accept(self.listener, connections, stopped));
        Ok(Server { address: self.address, stop, task, threads })
    }
}

/// A service that answers every request: a router, a layer around one, or the publisher's own.
pub trait Answers<B>:
    Service<Request<Incoming>, Response = Response<B>, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

impl<B, S> Answers<B> for S where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// A running server. It ends when it is dropped, too.
#[derive(Debug)]
pub struct Server {
    /// Where it answers.
    pub address: SocketAddr,
    stop: watch::Sender<()>,
    task: tokio::task::JoinHandle<()>,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Stops taking connections and waits for the open ones, for a few seconds at most.
    ///
    /// # Errors
    /// [`SiteError::Task`] where the server had ended before.
    pub async fn stop(self) -> Result<(), SiteError> {
        drop(self.stop);
        let ended = |error: &dyn std::fmt::Display| SiteError::Task(error.to_string());
        self.task.await.map_err(|error| ended(&error))?;
        let join = || self.threads.into_iter().try_for_each(JoinHandle::join);
        let joined = tokio::task::spawn_blocking(join).await.map_err(|error| ended(&error))?;
        joined.map_err(|_| ended(&"a thread that answers has panicked"))
    }
}

/// Takes connections and shares them out, until it is time to stop.
async fn accept(
    listener: TcpListener,
    workers: Vec<UnboundedSender<std::net::TcpStream>>,
    mut stopped: watch::Receiver<()>,
) {
    for worker in workers.iter().cycle() {
        let accepted = tokio::select! {
            // The sender never sends: the end of waiting is that it was dropped.
            _ = stopped.changed() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted.and_then(|(stream, _)| stream.into_std()) {
            // A worker that has ended takes none; the client will come again.
            Ok(stream) => drop(worker.send(stream)),
            // Out of file handles, or a client that went away: nothing to do but to go on, not at full speed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// A thread that answers.
struct Worker {
    connections: UnboundedSender<std::net::TcpStream>,
    thread: JoinHandle<()>,
}

impl Worker {
    fn start<S, B>(service: S, acceptor: Option<TlsAcceptor>) -> std::io::Result<Self>
    where
        S: Answers<B>,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let runtime: Runtime = Builder::new_current_thread().enable_all().build()?;
        let (connections, taken) = unbounded_channel();
        let thread = std::thread::Builder::new().name("site".to_owned());
        let thread = thread.spawn(move || runtime.block_on(work(taken, service, acceptor)))?;
        Ok(Worker { connections, thread })
    }
}

/// Answers on each connection that comes, until no more come; then lets those that are open end.
async fn work<S, B>(
    mut connections: UnboundedReceiver<std::net::TcpStream>,
    service: S,
    acceptor: Option<TlsAcceptor>,
) where
    S: Answers<B>,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let graceful = Arc::new(GracefulShutdown::new());
    while let Some(stream) = connections.recv().await {
        let Ok(stream) = TcpStream::from_std(stream) else { continue };
        // Answers are small and each is written at once.
        let _delayed = stream.set_nodelay(true);
        let (service, watcher) = (service.clone(), graceful.watcher());
        match acceptor.clone() {
            None => {
                tokio::spawn(answer(stream, service, watcher));
            }
            Some(acceptor) => {
                tokio::spawn(async move {
                    let handshake = tokio::time::timeout(HANDSHAKE_TIME, acceptor.accept(stream));
                    if let Ok(Ok(stream)) = handshake.await {
                        answer(stream, service, watcher).await;
                    }
                });
            }
        }
    }
    if let Some(graceful) = Arc::into_inner(graceful) {
        let _in_time = tokio::time::timeout(GRACE_TIME, graceful.shutdown()).await;
    }
}

async fn answer<T, S, B>(stream: T, service: S, watcher: Watcher)
where
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    S: Answers<B>,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // Who connects and says nothing is not waited for.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    // A connection that breaks is the client's business; it will come again.
    let _broken = watcher.watch(connection.into_owned()).await;
}
