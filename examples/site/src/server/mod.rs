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
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tower_service::Service;

use crate::SiteError;
use crate::tls::Certificate;

mod connections;
mod frames;
mod io;
mod limits;
mod service;

use connections::{Connection, Connections, Ending, Phase, Place, Polite, UntilTold};
use io::{Spoken, Watched, beginning};
pub use limits::{Limits, PIECE_LEN};
use service::Counted;

/// Clients whose connection the system has made and the server not yet taken; the system's own limit may be less. With the 128
/// of the standard library, a burst of ten thousand overflows it: those who mean well then wait until TCP repeats itself.
const BACKLOG: u32 = 4096;

/// Open connections may finish their requests for this long after a stop.
const GRACE_TIME: Duration = Duration::from_secs(5);

/// A port that is ours, not yet answered on: its number is part of every URL that will be published.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    limits: Limits,
    /// Address and port.
    pub address: SocketAddr,
}

impl Listener {
    /// Takes the port; 0 takes a free one.
    ///
    /// # Errors
    /// [`SiteError::Listen`] if the port is taken.
    pub async fn bind(address: SocketAddr) -> Result<Self, SiteError> {
        let listen = |source| SiteError::Listen { address, source };
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
        let bind = |socket: TcpSocket| {
            // As `TcpListener::bind` does it: a port can be taken again right after a stop.
            #[cfg(unix)]
            socket.set_reuseaddr(true)?;
            socket.bind(address)?;
            socket.listen(BACKLOG)
        };
        let listener = socket.and_then(bind).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(Listener { listener, limits: Limits::default(), address })
    }

    /// What a client may cost, in place of the defaults.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Listener { limits, ..self }
    }

    /// Starts answering: over TLS with a certificate, in the clear without.
    ///
    /// # Errors
    /// [`SiteError::Tls`] if the certificate is refused, [`SiteError::Task`] if the system gives no thread.
    pub fn serve<S, B>(self, service: S, certificate: Option<&Certificate>) -> Result<Server, SiteError>
    where
        S: Answers<B>,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let config = certificate.map(Certificate::server_config).transpose()?;
        let acceptor = config.map(|config| TlsAcceptor::from(Arc::new(config)));
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let connections = Connections::new(self.limits, acceptor.is_some());
        let start = || Worker::start(service.clone(), acceptor.clone(), connections.clone());
        let workers = (0..workers).map(|_| start());
        let workers =
            workers.collect::<Result<Vec<_>, _>>().map_err(|error| SiteError::Task(error.to_string()))?;
        let (stop, stopped) = watch::channel(());
        let (senders, threads): (Vec<_>, Vec<_>) =
            workers.into_iter().map(|worker| (worker.connections, worker.thread)).unzip();
        let task = tokio::spawn(accept(self.listener, senders, connections, stopped));
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
    /// [`SiteError::Task`] if the server had ended before.
    pub async fn stop(self) -> Result<(), SiteError> {
        drop(self.stop);
        let ended = |error: &dyn std::fmt::Display| SiteError::Task(error.to_string());
        self.task.await.map_err(|error| ended(&error))?;
        let join = || self.threads.into_iter().try_for_each(JoinHandle::join);
        let joined = tokio::task::spawn_blocking(join).await.map_err(|error| ended(&error))?;
        joined.map_err(|_| ended(&"a thread that answers has panicked"))
    }
}

/// A connection on its way to a worker.
type Accepted = (std::net::TcpStream, Place);

/// Takes connections and shares them out, until it is time to stop.
async fn accept(
    listener: TcpListener,
    workers: Vec<UnboundedSender<Accepted>>,
    connections: Connections,
    mut stopped: watch::Receiver<()>,
) {
    let watching = tokio::spawn(connections.clone().watch());
    for worker in workers.iter().cycle() {
        let accepted = tokio::select! {
            // The sender never sends: the end of waiting is that it was dropped.
            _ = stopped.changed() => break,
            accepted = async { connections.room().await; listener.accept().await } => accepted,
        };
        match accepted.and_then(|(stream, peer)| Ok((stream.into_std()?, peer))) {
            // Where there is no place, the connection is closed. A worker that has ended takes none.
            Ok((stream, peer)) => {
                let place = connections.admit(peer.ip());
                drop(place.map(|place| worker.send((stream, place))));
            }
            // Out of file handles, or a client that went away: nothing to do but to go on, not at full speed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    watching.abort();
}

/// A thread that answers.
struct Worker {
    connections: UnboundedSender<Accepted>,
    thread: JoinHandle<()>,
}

/// Files are read by this many threads for each worker at most.
const READERS: usize = 16;

impl Worker {
    fn start<S, B>(
        service: S,
        acceptor: Option<TlsAcceptor>,
        connections: Connections,
    ) -> std::io::Result<Self>
    where
        S: Answers<B>,
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let mut runtime = Builder::new_current_thread();
        let runtime: Runtime = runtime.enable_all().max_blocking_threads(READERS).build()?;
        let (sender, taken) = unbounded_channel();
        let thread = std::thread::Builder::new().name("site".to_owned());
        let thread = thread.spawn(move || {
            runtime.block_on(work(taken, service, acceptor, connections));
            // A reader may still be at its file; nobody waits for what it reads.
            runtime.shutdown_background();
        })?;
        Ok(Worker { connections: sender, thread })
    }
}

/// Answers on each connection that comes, until no more come; then lets those that are open end.
async fn work<S, B>(
    mut accepted: UnboundedReceiver<Accepted>,
    service: S,
    acceptor: Option<TlsAcceptor>,
    connections: Connections,
) where
    S: Answers<B>,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    // Every connection has a sender: when there is none any more, all have ended.
    let (is_open, mut all_ended): (Sender<()>, _) = channel(1);
    while let Some((stream, place)) = accepted.recv().await {
        let Ok(stream) = TcpStream::from_std(stream) else { continue };
        // Answers are small and each is written at once.
        let _delayed = stream.set_nodelay(true);
        let connection = Arc::clone(&place.connection);
        let (service, acceptor) = (service.clone(), acceptor.clone());
        let limits = connections.limits().clone();
        let open = (is_open.clone(), place);
        let talk = async move {
            let _open = open;
            // A connection that breaks is the client's business; it will come again.
            let _broken = talk(stream, service, acceptor, limits, connection).await;
        };
        tokio::spawn(talk);
    }
    drop(is_open);
    connections.end();
    let _in_time = tokio::time::timeout(GRACE_TIME, all_ended.recv()).await;
}

/// One connection from its first byte to its end. What costs memory is made when bytes have come.
async fn talk<S, B>(
    stream: TcpStream,
    service: S,
    acceptor: Option<TlsAcceptor>,
    limits: Limits,
    connection: Arc<Connection>,
) -> std::io::Result<()>
where
    S: Answers<B>,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let told = Arc::clone(&connection);
    let work = async move {
        stream.readable().await?;
        match acceptor {
            None => {
                connection.enter(Phase::Head);
                Box::pin(answer(Either::Left(stream), None, service, &limits, connection)).await
            }
            Some(acceptor) => {
                connection.enter(Phase::Handshake);
                let stream = Box::pin(acceptor.accept(stream)).await?;
                connection.enter(Phase::FirstByte);
                let agreed = match stream.get_ref().1.alpn_protocol() {
                    Some(b"h2") => Some(Spoken::Http2),
                    Some(b"http/1.1") => Some(Spoken::Http1),
                    _ => None,
                };
                Box::pin(answer(Either::Right(stream), agreed, service, &limits, connection)).await
            }
        }
    };
    UntilTold::new(told, async move { drop::<std::io::Result<()>>(work.await) }).await;
    Ok(())
}

/// A connection in the clear or over TLS. One type for both: what is above it is large, and compiled for each type anew.
type Stream = Either<TcpStream, TlsStream<TcpStream>>;

async fn answer<S, B>(
    mut stream: Stream,
    agreed: Option<Spoken>,
    service: S,
    limits: &Limits,
    connection: Arc<Connection>,
) -> std::io::Result<()>
where
    S: Answers<B>,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let (spoken, beginning) = match agreed {
        Some(spoken) => (spoken, Vec::new()),
        None => beginning(&mut stream).await?,
    };
    let io = TokioIo::new(Watched::new(stream, beginning, spoken, Arc::clone(&connection)));
    let service = Counted::new(service, Arc::clone(&connection), limits);
    match spoken {
        Spoken::Http1 => {
            let mut builder = http1::Builder::new();
            // Header and time are ours: see `connections`. Who ends its side after the request still gets the response.
            builder
                .header_read_timeout(None)
                .max_header_size(MAX_HEADER)
                .max_buf_size(MAX_BUFFER)
                .half_close(true);
            Polite::new(connection, builder.serve_connection(io, service)).await;
        }
        Spoken::Http2 => {
            let mut builder = http2::Builder::new(TokioExecutor::new());
            builder
                .timer(TokioTimer::new())
                .keep_alive_interval(limits.idle / 2)
                .keep_alive_timeout(limits.write)
                .max_concurrent_streams(limits.streams)
                .max_pending_accept_reset_streams(20)
                .max_local_error_reset_streams(100)
                // h2 takes as many frames of a header as this needs, and no more.
                .max_header_list_size(16 << 10)
                .max_send_buf_size(PIECE_LEN);
            Polite::new(connection, builder.serve_connection(io, service)).await;
        }
        Spoken::Other => {}
    }
    Ok(())
}

/// A request's header is not longer.
const MAX_HEADER: usize = 32 << 10;
/// What is held of a request or a response that is on its way.
const MAX_BUFFER: usize = 128 << 10;

impl<I, S, B> Ending for http1::Connection<I, S>
where
    S: hyper::service::HttpService<Incoming, ResBody = B>,
    S::Error: Into<Box<dyn Error + Send + Sync>>,
    I: hyper::rt::Read + hyper::rt::Write + Unpin,
    B: Body + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    fn end_soon(self: std::pin::Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}

impl<I, S, B, E> Ending for http2::Connection<I, S, E>
where
    S: hyper::service::HttpService<Incoming, ResBody = B>,
    S::Error: Into<Box<dyn Error + Send + Sync>>,
    I: hyper::rt::Read + hyper::rt::Write + Unpin,
    B: Body + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
    E: hyper::rt::bounds::Http2ServerConnExec<S::Future, B>,
{
    fn end_soon(self: std::pin::Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}
