//! The program as its own process, and requests to it as they are on the wire.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test says what it expects in the plainest way, and opens sockets"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use site::publisher::Coding;

/// A response: its head, and its body without content coding.
pub(crate) fn get(address: &str, path: &str, fields: &str) -> (String, Vec<u8>) {
    ask(address, &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}"))
}

/// The response to a request whose head is this.
pub(crate) fn ask(address: &str, head: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{head}\r\n").unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    let end = response.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    let (head, body) = response.split_at(end);
    let head = String::from_utf8(head.to_vec()).unwrap();
    let coding = field(&head, "content-encoding").and_then(|name| Coding::of_name(&name));
    let body = coding.unwrap_or(Coding::Identity).decode(body.to_vec().into(), 1 << 20).unwrap();
    (head, body.to_vec())
}

/// A running program, ended when it is dropped.
pub(crate) struct Serving(pub(crate) Child, pub(crate) String);

impl Serving {
    pub(crate) fn start(folder: Option<&Path>) -> Self {
        Self::start_with("true", folder)
    }

    /// Started by a shell, after this command.
    pub(crate) fn start_with(before: &str, folder: Option<&Path>) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{before} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_site")]);
        command.arg("serve").args(folder).arg("--plain").stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let first = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        let address = first.rsplit_once("http://").unwrap().1.trim_end_matches('/').to_owned();
        Serving(child, address)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _waited = self.0.wait();
    }
}

pub(crate) fn field(head: &str, name: &str) -> Option<String> {
    head.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(": ")?.to_owned()))
}
