//! A server that does everything a server should not: for crawlers and agents, which must end in bounded time and memory, and
//! say what was wrong.
//!
//! [`answer`] is one fault on one connection, of whatever transport; [`serve`] listens without TLS.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::OnceLock;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// The header field of a page.
const HTML: &str = "content-type: text/html; charset=utf-8\r\n";
/// The page behind the faults that leave one.
pub const PAGE: &[u8] =
    b"<!doctype html><title>A page</title><main><p>With a sentence of its own.</p></main>";

/// Pages without a fault and without end, each with links to three more.
pub const ENDLESS: &str = "endless site";

/// The faults of a start page and of robots.txt, by their names.
pub const NAMES: [&str; 31] = [
    "silent",
    "slow-head",
    "continue",
    "giant-field",
    "many-fields",
    "ssh",
    "two-lengths",
    "giant-chunk",
    "slow-body",
    "stalled",
    "endless",
    "endless-chunks",
    "cut",
    "cut-chunk",
    "long",
    "bomb",
    "hollow",
    "broken-gzip",
    "brotli",
    "loop",
    "redirects",
    "to-file",
    "to-private",
    "broken",
    "busy",
    "robots-silent",
    "robots-endless",
    "robots-loop",
    "endless-sitemap",
    "nested",
    "links",
];

/// 10 MiB of zeros in gzip: one of many members of a bomb.
pub fn bomb() -> &'static [u8] {
    static BOMB: OnceLock<Vec<u8>> = OnceLock::new();
    BOMB.get_or_init(|| gzip(&vec![0; 10 << 20]))
}

/// Listens on a free port of this machine, without TLS; every page is the fault of this name.
///
/// # Errors
/// If no port is free.
pub async fn serve(name: &'static str) -> std::io::Result<SocketAddr> {
    serve_by(Ipv4Addr::LOCALHOST, move |_| name).await
}

/// The same at this address, where each path has the fault that `name_of` gives it: a name of [`NAMES`], or another for a
/// sound page.
///
/// # Errors
/// If no port is free.
pub async fn serve_by<F>(ip: Ipv4Addr, name_of: F) -> std::io::Result<SocketAddr>
where
    F: Fn(&str) -> &'static str + Copy + Send + 'static,
{
    let listener = tokio::net::TcpListener::bind((ip, 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            tokio::spawn(async move {
                while let Some(path) = read_path(&mut connection).await {
                    match answer(name_of(&path), &path, connection).await {
                        Some(open) => connection = open,
                        None => return,
                    }
                }
            });
        }
    });
    Ok(address)
}

async fn read_path<S: AsyncRead + Unpin>(connection: &mut S) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(connection.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?;
    Some(head.split(' ').nth(1).unwrap_or_default().to_owned())
}

/// Answers a request for a path with the fault of this name; the connection, should it stay open.
pub async fn answer<S>(name: &str, path: &str, connection: S) -> Option<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    match (path, name) {
        ("/robots.txt", "robots-silent") => silence(connection).await,
        ("/robots.txt", "robots-endless") => {
            let head = "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /private\n";
            forever(connection, head, b"# and so on\n").await
        }
        ("/robots.txt" | "/robots-again.txt", "robots-loop") => {
            respond(connection, "302 Found", "location: /robots-again.txt\r\n", b"").await
        }
        ("/robots.txt" | "/.well-known/llmindex.json" | "/.well-known/tdmrep.json", _) => {
            respond(connection, "404 Not Found", "", b"").await
        }
        ("/sitemap.json", "endless-sitemap") => {
            let item = br#"{"cUrl":"https://127.0.0.1/a","mUrl":"https://127.0.0.1/a/llm/"},"#;
            forever(connection, "HTTP/1.1 200 OK\r\n\r\n{\"version\":1,\"items\":[", item).await
        }
        (path, _) => misbehave(name, path, connection).await,
    }
}

/// The faults of the start page.
async fn misbehave<S>(name: &str, path: &str, mut connection: S) -> Option<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let ok = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n";
    match name {
        "silent" => silence(connection).await,
        "slow-head" => trickle(connection, "HTTP/1.1 200 OK\r\nx-slow: ").await,
        "continue" => {
            forever(connection, "", b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n").await
        }
        "giant-field" => forever(connection, &format!("{ok}x-giant: "), &[b'x'; 4096]).await,
        "many-fields" => {
            let fields: String = (0..10_000).map(|number| format!("x-{number}: 1\r\n")).collect();
            respond(connection, "200 OK", &fields, b"").await
        }
        "ssh" => raw(connection, b"SSH-2.0-OpenSSH_9.9\r\n\r\n").await,
        "two-lengths" => {
            let answer = format!("{ok}content-length: 5\r\ncontent-length: 50\r\n\r\nhello");
            raw(connection, answer.as_bytes()).await
        }
        "giant-chunk" => {
            let answer = format!("{ok}transfer-encoding: chunked\r\n\r\n{}\r\nhello", "f".repeat(40));
            raw(connection, answer.as_bytes()).await
        }
        "slow-body" => trickle(connection, &format!("{ok}\r\n")).await,
        "stalled" => {
            let head = format!("{ok}content-length: 5000\r\n\r\n<p>begun");
            connection.write_all(head.as_bytes()).await.ok()?;
            silence(connection).await
        }
        "endless" => forever(connection, &format!("{ok}\r\n"), &[b'x'; 4096]).await,
        "endless-chunks" => {
            let chunk = [b"1000\r\n", &[b'x'; 4096][..], b"\r\n"].concat();
            forever(connection, &format!("{ok}transfer-encoding: chunked\r\n\r\n"), &chunk).await
        }
        "cut" => raw(connection, format!("{ok}content-length: 5000\r\n\r\n<p>begun").as_bytes()).await,
        "cut-chunk" => {
            let answer = format!("{ok}transfer-encoding: chunked\r\n\r\n1000\r\n<p>begun");
            raw(connection, answer.as_bytes()).await
        }
        "long" => {
            let head = format!("{ok}content-length: {}\r\n\r\n", PAGE.len());
            raw(connection, &[head.as_bytes(), PAGE, &[b'x'; 100_000]].concat()).await
        }
        "bomb" => forever(connection, &format!("{ok}content-encoding: gzip\r\n\r\n"), bomb()).await,
        "hollow" => forever(connection, &format!("{ok}content-encoding: gzip\r\n\r\n"), &gzip(b"")).await,
        "broken-gzip" => {
            respond(connection, "200 OK", &format!("{HTML}content-encoding: gzip\r\n"), PAGE).await
        }
        "brotli" => respond(connection, "200 OK", &format!("{HTML}content-encoding: br\r\n"), PAGE).await,
        "loop" => {
            let next = if path == "/start" { "/start/there" } else { "/start" };
            respond(connection, "302 Found", &format!("location: {next}\r\n"), b"").await
        }
        "redirects" => respond(connection, "302 Found", &format!("location: {path}/on\r\n"), b"").await,
        "to-file" => respond(connection, "302 Found", "location: file:///etc/passwd\r\n", b"").await,
        "to-private" => respond(connection, "302 Found", "location: https://169.254.169.254/\r\n", b"").await,
        "broken" => respond(connection, "500 Internal Server Error", "", b"").await,
        "busy" => respond(connection, "429 Too Many Requests", "retry-after: 86400\r\n", b"").await,
        "endless-sitemap" => {
            let link = "link: </sitemap.json>; rel=\"index\"; type=\"application/json\"\r\n";
            respond(connection, "200 OK", &format!("{HTML}{link}"), PAGE).await
        }
        "nested" => respond(connection, "200 OK", HTML, "<div>".repeat(200_000).as_bytes()).await,
        ENDLESS => {
            let number = path.rsplit('/').next().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0);
            let links: String =
                (1..=3).map(|next| format!("<a href=/{}>on</a>", number * 3 + next)).collect();
            let body = format!(
                "<!doctype html><title>{number}</title><main><p>Page {number} of a site without end.</p>{links}"
            );
            respond(connection, "200 OK", HTML, body.as_bytes()).await
        }
        "links" if path == "/start" => {
            let body: String = (0..50_000).map(|number| format!("<a href=s/{number}>")).collect();
            respond(connection, "200 OK", HTML, body.as_bytes()).await
        }
        _ => respond(connection, "200 OK", HTML, PAGE).await,
    }
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _written = encoder.write_all(plain);
    encoder.finish().unwrap_or_default()
}

async fn respond<S>(mut connection: S, status: &str, fields: &str, body: &[u8]) -> Option<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{fields}\r\n", body.len());
    connection.write_all(head.as_bytes()).await.ok()?;
    connection.write_all(body).await.ok()?;
    connection.flush().await.ok()?;
    Some(connection)
}

async fn raw<S: AsyncWrite + Unpin>(mut connection: S, bytes: &[u8]) -> Option<S> {
    connection.write_all(bytes).await.ok()?;
    connection.shutdown().await.ok()?;
    None
}

async fn forever<S: AsyncWrite + Unpin>(mut connection: S, head: &str, piece: &[u8]) -> Option<S> {
    connection.write_all(head.as_bytes()).await.ok()?;
    loop {
        connection.write_all(piece).await.ok()?;
    }
}

async fn trickle<S: AsyncWrite + Unpin>(mut connection: S, head: &str) -> Option<S> {
    connection.write_all(head.as_bytes()).await.ok()?;
    loop {
        connection.write_all(b"x").await.ok()?;
        connection.flush().await.ok()?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn silence<S>(connection: S) -> Option<S> {
    tokio::time::sleep(Duration::from_secs(60)).await;
    drop(connection);
    None
}
