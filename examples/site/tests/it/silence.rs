//! Clients that say nothing, too little, too much or the wrong thing: each is closed, and others are answered all the while.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and opens sockets"
)]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use site::server::Limits;
use site::{Options, Running};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// A site that waits for a short time.
async fn impatient(tls: bool, change: impl FnOnce(&mut Limits)) -> Running {
    let short = Duration::from_millis(200);
    let mut limits = Limits {
        first_byte: short,
        handshake: short,
        head: short,
        body: short,
        write: short,
        idle: short,
        ..Limits::default()
    };
    change(&mut limits);
    site::start(Options { tls, limits: Some(limits), ..Options::default() }).await.unwrap()
}

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let len = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&len[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// `GET /`, or `POST /`, in HPACK's static table: method, scheme, path, and an authority `a`.
fn head(is_post: bool) -> Vec<u8> {
    vec![if is_post { 0x83 } else { 0x82 }, 0x86, 0x84, 0x01, 1, b'a']
}

/// What the server sends until it closes; fails where it does not.
fn until_closed(mut stream: TcpStream) -> Vec<u8> {
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut sent = Vec::new();
    match stream.read_to_end(&mut sent) {
        Ok(_) => sent,
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => sent,
        Err(error) => panic!("still open: {error}, after {:?}", String::from_utf8_lossy(&sent)),
    }
}

fn open(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

fn status(address: SocketAddr) -> String {
    let sent =
        until_closed(open(address, b"GET /kite.html HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
    String::from_utf8_lossy(sent.get(..12).unwrap_or_default()).into_owned()
}

/// Runs a test's blocking part beside the server.
async fn blocking<T: Send + 'static>(test: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(test).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_keeps_it_waiting_is_closed() {
    let site = impatient(false, |_| ()).await;
    let address = site.address();
    let idle_http2 = PREFACE.to_vec();
    let open_header = [PREFACE, &frame(1, 0, 1, &head(false))].concat();
    let answered = [PREFACE, &frame(1, 5, 1, &head(false))].concat();
    for (name, bytes) in [
        ("nothing", &b""[..]),
        ("one byte", b"G"),
        ("one byte of the preface", b"P"),
        ("half a preface", &PREFACE[..12]),
        ("all of the preface but one byte", &PREFACE[..23]),
        ("half a header", b"GET / HTTP/1.1\r\nHost: a\r\n"),
        ("idle after a response", b"GET /kite.html HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("idle HTTP/2", &idle_http2),
        ("HTTP/2 with half a header", &open_header),
        ("HTTP/2, idle after a response", &answered),
    ] {
        let bytes = bytes.to_vec();
        let sent = blocking(move || until_closed(open(address, &bytes))).await;
        assert_eq!(sent.starts_with(b"HTTP/1.1 200"), name == "idle after a response", "{name}");
    }
    assert_eq!(blocking(move || status(address)).await, "HTTP/1.1 200");
    site.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_header_that_comes_a_byte_at_a_time_ends_all_the_same() {
    let site = impatient(false, |_| ()).await;
    let address = site.address();
    blocking(move || {
        let mut stream = open(address, b"GET / HTTP/1.1\r\n");
        // A server that begins anew with each byte would take all of them.
        let taken = (0..600).take_while(|_| {
            std::thread::sleep(Duration::from_millis(50));
            stream.write_all(b"x").is_ok()
        });
        assert!(taken.count() < 600);
    })
    .await;
    site.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tls_has_its_own_times() {
    let site = impatient(true, |_| ()).await;
    let address = site.address();
    for bytes in
        [&b""[..], b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET / HTTP/1.1\r\n\r\n"]
    {
        let bytes = bytes.to_vec();
        blocking(move || until_closed(open(address, &bytes))).await;
    }
    site.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_that_is_not_taken_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.html"), "<title>A</title><p>Page.").unwrap();
    std::fs::write(folder.path().join("large.bin"), vec![7; 40 << 20]).unwrap();
    let short = Duration::from_millis(300);
    let limits = Limits { write: short, ..Limits::default() };
    let (folder_path, limits) = (Some(folder.path().to_owned()), Some(limits));
    let options = Options { tls: false, folder: folder_path, limits, ..Options::default() };
    let site = site::start(options).await.unwrap();
    let address = site.address();
    blocking(move || {
        let stream = open(address, b"GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n");
        // It reads nothing until the server has closed, which shows as an end before all has come.
        std::thread::sleep(short * 10);
        assert!(until_closed(stream).len() < 40 << 20);
    })
    .await;
    site.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_limited_in_all_and_for_an_address() {
    let long = Duration::from_secs(600);
    let change = |limits: &mut Limits| {
        (limits.connections, limits.connections_per_address) = (32, Some(16));
        (limits.first_byte, limits.head, limits.idle) = (long, long, long);
    };
    let site = impatient(false, change).await;
    let address = site.address();
    blocking(move || {
        // The address is full: the next one is closed at once.
        let silent: Vec<_> = (0..16).map(|_| open(address, b"")).collect();
        // Connections are taken in their order, so the last of these has been judged when one after it has.
        assert!(until_closed(open(address, b"")).is_empty());
        drop(silent);
    })
    .await;
    site.stop().await.unwrap();

    let change = |limits: &mut Limits| {
        (limits.connections, limits.connections_per_address) = (32, None);
        (limits.first_byte, limits.head, limits.idle) = (long, long, long);
    };
    let site = impatient(false, change).await;
    let address = site.address();
    blocking(move || {
        // Far more than there may be: the silent ones make room, and others are answered.
        let silent: Vec<_> = (0..200).map(|_| open(address, b"")).collect();
        assert_eq!(status(address), "HTTP/1.1 200");
        drop(silent);
    })
    .await;
    site.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_that_ask_for_nothing_are_counted() {
    let long = Duration::from_secs(600);
    let site = impatient(false, |limits| (limits.head, limits.idle, limits.write) = (long, long, long)).await;
    let address = site.address();
    let stream = |index: usize| u32::try_from(index * 2 + 1).unwrap();
    let reset = |index| [frame(1, 5, stream(index), &head(false)), frame(3, 0, stream(index), &[0, 0, 0, 8])];
    let continued = [frame(1, 1, 1, &head(false)), (0..2000).flat_map(|_| frame(9, 0, 1, b"")).collect()];
    for (name, flood) in [
        ("pings", (0..2000).flat_map(|_| frame(6, 0, 0, &[0; 8])).collect::<Vec<u8>>()),
        ("settings", (0..2000).flat_map(|_| frame(4, 0, 0, &[])).collect()),
        ("priorities", (0..2000).flat_map(|_| frame(2, 0, 1, &[0, 0, 0, 0, 1])).collect()),
        ("windows", (0..2000).flat_map(|_| frame(8, 0, 0, &[0, 0, 0, 1])).collect()),
        ("large windows", (0..2000).flat_map(|_| frame(8, 0, 0, &[0, 0, 8, 0])).collect()),
        ("resets", (0..2000).flat_map(reset).flatten().collect()),
        ("continuations", continued.concat()),
    ] {
        let bytes = [PREFACE, &flood].concat();
        blocking(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            // The server may have closed before it took all of it.
            let _taken = stream.write_all(&bytes);
            until_closed(stream);
        })
        .await;
        assert_eq!(blocking(move || status(address)).await, "HTTP/1.1 200", "{name}");
    }
    site.stop().await.unwrap();
}

/// Go's client opens the windows of stream and connection again after each 4 KiB.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_opens_its_windows_often_gets_all_of_a_download() {
    const LEN: usize = 16 << 20;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.html"), "<title>A</title><p>Page.").unwrap();
    std::fs::write(folder.path().join("large.bin"), vec![7; LEN]).unwrap();
    let folder_path = Some(folder.path().to_owned());
    let site = site::start(Options { tls: false, folder: folder_path, ..Options::default() }).await.unwrap();
    let address = site.address();
    for step in [16 << 10, 4 << 10, 1 << 10] {
        let taken = blocking(move || {
            let path = [&[0x82, 0x86, 0x04, 10][..], b"/large.bin", &[0x01, 1, b'a']].concat();
            let windows = frame(4, 0, 0, &[0, 4, 0, 0x40, 0, 0]);
            let first =
                [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &windows[..], &frame(8, 0, 0, &[0x40, 0, 0, 0])];
            let mut stream = open(address, &[&first.concat()[..], &frame(1, 5, 1, &path)].concat());
            stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            let (mut taken, mut unsaid) = (0, 0);
            let update = u32::try_from(step).unwrap().to_be_bytes();
            let updates = [frame(8, 0, 0, &update), frame(8, 0, 1, &update)].concat();
            while taken < LEN {
                let mut head = [0; 9];
                if stream.read_exact(&mut head).is_err() {
                    break;
                }
                let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
                if stream.read_exact(&mut payload).is_err() || head[3] == 7 {
                    break;
                }
                if head[3] == 0 {
                    (taken, unsaid) = (taken + payload.len(), unsaid + payload.len());
                    if stream.write_all(&updates.repeat(unsaid / step)).is_err() {
                        break;
                    }
                    unsaid %= step;
                }
            }
            taken
        });
        assert_eq!(taken.await, LEN, "a window opened after each {step} bytes");
    }
    site.stop().await.unwrap();
}

/// Cases of h2spec 2.6 that failed: 3.5/2 and 8.1.2.1/3.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_preface_and_pseudo_header_fields_in_trailers_end_the_connection() {
    let long = Duration::from_secs(600);
    let site = impatient(false, |limits| (limits.head, limits.idle, limits.write) = (long, long, long)).await;
    let address = site.address();
    let sent = blocking(move || until_closed(open(address, b"INVALID CONNECTION PREFACE\r\n\r\n"))).await;
    assert_eq!(sent, b"", "no answer of HTTP/1");
    let trailers = |block: &[u8]| {
        let data = frame(0, 0, 1, b"test");
        [PREFACE, &frame(1, 4, 1, &head(true)), &data, &frame(1, 5, 1, block)].concat()
    };
    let malformed = trailers(b"\x02\x04POST");
    blocking(move || until_closed(open(address, &malformed))).await;
    // Sound trailers harm nobody: the same connection goes on to answer a ping.
    let sound = [trailers(b"\x40\x06x-test\x02ok"), frame(6, 0, 0, b"12345678")].concat();
    let is_answered = blocking(move || {
        let mut stream = open(address, &sound);
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let (mut sent, mut piece) = (Vec::new(), [0; 4096]);
        while !sent.windows(17).any(|window| window == frame(6, 1, 0, b"12345678")) {
            match stream.read(&mut piece) {
                Ok(read) if read > 0 => sent.extend_from_slice(&piece[..read]),
                _ => return false,
            }
        }
        true
    });
    assert!(is_answered.await);
    site.stop().await.unwrap();
}
