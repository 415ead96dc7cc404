//! Ten thousand clients that are silent, slow or broken, while others are answered.
//!
//! ```text
//! site serve, a process of its own ◀── 10,000 attackers, each of one habit, from addresses in 127.0.0.0/8
//!        ▲                             they come back some seconds after they are closed
//!        └── 1,000 requests a second on a schedule, a quarter of them on new connections
//! ```
//!
//! A request counts from the moment at which it was due, so a server that stalls is not forgiven for what could not be asked
//! meanwhile. Everything is on loopback and ends after the time that was asked for.

use std::io::{BufRead as _, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use site::SiteError;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

/// How many, and for how long.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Attack {
    /// Attackers at a time, at most 10,000
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) attackers: u32,
    /// Requests a second of those who mean well, at most 5,000
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=5_000))]
    pub(crate) requests: u32,
    /// Seconds, at most an hour
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub(crate) seconds: u64,
    /// Attack over TLS too: handshakes that do not end, and garbage
    #[arg(long)]
    pub(crate) tls: bool,
}

/// What an attacker does on each of its connections, until it is closed.
#[derive(Debug, Clone, Copy)]
enum Habit {
    /// Sends this and nothing more.
    Says(&'static [u8]),
    /// Sends a byte of a header each second.
    SlowHeader,
    /// Asks for much and takes a little each second.
    SlowReader,
    /// Sends this, over and over.
    Floods(&'static [u8]),
    /// Sends this and leaves at once.
    Leaves(&'static [u8]),
}

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

const HABITS: [Habit; 12] = [
    Habit::Says(b""),
    Habit::Says(b"G"),
    Habit::Says(b"PRI * HTTP/2"),
    Habit::Says(b"GET / HTTP/1.1\r\nHost: a\r\n"),
    Habit::Says(b"POST /kite.html HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc"),
    Habit::Says(PREFACE),
    Habit::SlowHeader,
    Habit::SlowReader,
    Habit::Floods(b"\0\0\x08\x06\0\0\0\0\x0012345678"),
    Habit::Floods(b"\0\0\0\x04\0\0\0\0\0"),
    Habit::Leaves(b"GET /kite.html HTTP/1.1\r\nHost: a\r\n\r\n"),
    Habit::Leaves(b"\x16\x03\x01\x02\x00garbage\r\n\r\n"),
];

/// The same against a server that expects a handshake.
const TLS_HABITS: [Habit; 4] = [
    Habit::Says(b""),
    Habit::Says(b"\x16"),
    Habit::Says(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    Habit::Leaves(b"GET / HTTP/1.1\r\n\r\n"),
];

/// The server under attack, a process of its own, so that its memory can be told.
#[derive(Debug)]
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _waited = self.child.wait();
    }
}

impl Server {
    fn start(tls: bool) -> Result<Self, SiteError> {
        let program = std::env::current_exe().map_err(|error| refused("this program", error))?;
        let mut command = Command::new(program);
        command.arg("serve").args((!tls).then_some("--plain")).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| refused("test-sites serve", error))?;
        let said = child.stdout.take().ok_or_else(|| refused("test-sites serve", "no output"))?;
        let mut line = String::new();
        let read = BufReader::new(said).read_line(&mut line);
        let address =
            line.rsplit_once("://").and_then(|(_, at)| at.trim().trim_end_matches('/').parse().ok());
        let server = |address| Server { child, address };
        match (read, address) {
            (Ok(_), Some(address)) => Ok(server(address)),
            _ => Err(refused("test-sites serve", format!("expected an address, found {line:?}"))),
        }
    }
}

/// A figure of a process's memory in kB: `VmRSS` now, `VmHWM` at most so far.
#[expect(clippy::disallowed_methods, reason = "what the system knows of the process")]
pub(crate) fn memory_kb(process: u32, figure: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(figure)?.strip_prefix(':'))?;
    value.trim().trim_end_matches(" kB").parse().ok()
}

/// What happened.
#[derive(Debug, Default)]
struct Counts {
    opened: AtomicU64,
    answered: AtomicU64,
    failed: AtomicU64,
}

/// Attacks, and writes what came of it.
///
/// # Errors
/// If the server does not start, and where it did not stand: a request that failed, a slow answer, too much memory.
pub(crate) async fn run(attack: &Attack, out: &mut (dyn Write + Send)) -> Result<(), SiteError> {
    let server = Server::start(attack.tls)?;
    let counts = Arc::new(Counts::default());
    let is_over = Arc::new(AtomicBool::new(false));
    let habits: &'static [Habit] = if attack.tls { &TLS_HABITS } else { &HABITS };
    let address = server.address;
    for (index, habit) in (0..attack.attackers).zip(habits.iter().copied().cycle()) {
        let (counts, is_over) = (Arc::clone(&counts), Arc::clone(&is_over));
        tokio::spawn(async move {
            while !is_over.load(Relaxed) {
                counts.opened.fetch_add(1, Relaxed);
                // One that was refused or closed comes again, five to ten seconds later.
                let _ended =
                    tokio::time::timeout(Duration::from_secs(120), bother(address, index, habit)).await;
                tokio::time::sleep(Duration::from_millis(5_000 + u64::from(index % 5_000))).await;
            }
        });
    }
    let mut times = if attack.tls { Vec::new() } else { ask(attack, address, &counts).await };
    if attack.tls {
        tokio::time::sleep(Duration::from_secs(attack.seconds)).await;
    }
    is_over.store(true, Relaxed);
    times.sort();
    let at = |share: f64| {
        let index = (times.len() as f64 * share) as usize;
        times.get(index.min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    };
    let (half, most) = (at(0.5), at(0.99));
    let (answered, failed) = (counts.answered.load(Relaxed), counts.failed.load(Relaxed));
    let (opened, peak) = (counts.opened.load(Relaxed), memory_kb(server.child.id(), "VmHWM"));
    let report = format!(
        "{} attackers, {opened} connections of theirs, {} s\n{answered} requests answered, {failed} failed\n\
         median {:.1} ms, 99th percentile {:.1} ms\nserver's peak of memory {}\n",
        attack.attackers,
        attack.seconds,
        half.as_secs_f64() * 1000.0,
        most.as_secs_f64() * 1000.0,
        peak.map_or("unknown".to_owned(), |kb| format!("{:.1} MB", kb as f64 / 1000.0)),
    );
    let print = |source| SiteError::File { action: "write to", path: "standard output".into(), source };
    out.write_all(report.as_bytes()).map_err(print)?;
    let stood = failed == 0
        && (attack.tls || answered > 0)
        && most < Duration::from_millis(50)
        && peak.is_none_or(|kb| kb < 64_000);
    match stood {
        true => Ok(()),
        false => Err(refused("attack", "expected no failure, 50 ms and 64 MB at most")),
    }
}

/// One connection of an attacker.
async fn bother(server: SocketAddr, index: u32, habit: Habit) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    let [_, _, third, fourth] = index.to_be_bytes();
    let own = Ipv4Addr::new(127, 1, third, fourth);
    if cfg!(target_os = "linux") {
        socket.bind((own, 0).into())?;
    }
    socket.set_recv_buffer_size(4096)?;
    let mut stream = socket.connect(server).await?;
    let mut taken = [0; 512];
    match habit {
        Habit::Says(bytes) => stream.write_all(bytes).await?,
        Habit::SlowHeader => {
            stream.write_all(b"GET / HTTP/1.1\r\n").await?;
            loop {
                tokio::time::sleep(Duration::from_secs(1)).await;
                stream.write_all(b"x").await?;
            }
        }
        Habit::SlowReader => {
            let request = b"GET /llm-sitemap.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20);
            stream.write_all(&request).await?;
            while stream.read(&mut taken).await? > 0 {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            return Ok(());
        }
        Habit::Floods(frame) => {
            stream.write_all(PREFACE).await?;
            let flood = frame.repeat(50);
            loop {
                stream.write_all(&flood).await?;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Habit::Leaves(bytes) => {
            stream.write_all(bytes).await?;
            return Ok(());
        }
    }
    while stream.read(&mut taken).await? > 0 {}
    Ok(())
}

/// Requests on a schedule; gives back how long each took from the moment at which it was due.
async fn ask(attack: &Attack, server: SocketAddr, counts: &Arc<Counts>) -> Vec<Duration> {
    const CLIENTS: u32 = 50;
    #[expect(clippy::disallowed_methods, reason = "a measurement")]
    let start = Instant::now() + Duration::from_secs(2);
    let each = Duration::from_secs(1) * CLIENTS / attack.requests;
    let asked = u64::from(attack.requests) * attack.seconds / u64::from(CLIENTS);
    let clients = (0..CLIENTS).map(|client| {
        let counts = Arc::clone(counts);
        tokio::spawn(async move {
            let (mut times, mut open) = (Vec::new(), None);
            for request in 0..asked {
                let turn = u32::try_from(request).unwrap_or(u32::MAX);
                let due = start + each * turn + each * client / CLIENTS;
                tokio::time::sleep_until(due.into()).await;
                let is_new = request % 4 == 0;
                let reused = if is_new { None } else { open.take() };
                let answer = tokio::time::timeout(Duration::from_secs(10), get(server, reused)).await;
                match answer {
                    Ok(Ok(stream)) => {
                        counts.answered.fetch_add(1, Relaxed);
                        times.push(due.elapsed());
                        open = Some(stream);
                    }
                    _ => {
                        counts.failed.fetch_add(1, Relaxed);
                    }
                }
            }
            times
        })
    });
    let mut times = Vec::new();
    for client in clients.collect::<Vec<_>>() {
        times.extend(client.await.unwrap_or_default());
    }
    times
}

/// One request, on a connection that is open or a new one. An idle connection may have been closed meanwhile: then once more.
async fn get(server: SocketAddr, open: Option<TcpStream>) -> std::io::Result<TcpStream> {
    if let Some(stream) = open
        && let Ok(stream) = exchange(stream).await
    {
        return Ok(stream);
    }
    exchange(TcpStream::connect(server).await?).await
}

async fn exchange(mut stream: TcpStream) -> std::io::Result<TcpStream> {
    stream.write_all(b"GET /kite.html HTTP/1.1\r\nHost: a\r\n\r\n").await?;
    let mut response = Vec::with_capacity(8192);
    loop {
        if stream.read_buf(&mut response).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let Some(head_len) = response.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(response.get(..head_len).unwrap_or_default()).into_owned();
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        let length = length.filter(|_| head.starts_with("HTTP/1.1 200"));
        let length = length.ok_or_else(|| std::io::Error::other("expected 200 with a length"))?;
        if response.len() >= head_len + 4 + length {
            return Ok(stream);
        }
    }
}

pub(crate) fn refused(what: &str, why: impl ToString) -> SiteError {
    SiteError::Refused { what: what.to_owned(), why: why.to_string() }
}
