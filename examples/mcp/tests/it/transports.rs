//! Streamable HTTP on loopback: who may speak to it.

use std::sync::Arc;

use mcp::{Agent, Options, Store, serve_http};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

/// Sends `initialize` with these fields; the status, and what came.
async fn ask(address: std::net::SocketAddr, host: &str, more: &str) -> (String, String) {
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\naccept: application/json, \
         text/event-stream\r\nconnection: close\r\n{more}content-length: {}\r\n\r\n{INITIALIZE}",
        INITIALIZE.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    // The stream of events stays open: enough is read to know what it says.
    while let Ok(Ok(length @ 1..)) =
        tokio::time::timeout(std::time::Duration::from_secs(5), stream.read(&mut buffer)).await
    {
        answer.extend_from_slice(&buffer[..length]);
        if String::from_utf8_lossy(&answer).contains("serverInfo") {
            break;
        }
    }
    let answer = String::from_utf8_lossy(&answer).into_owned();
    (answer.split(' ').nth(1).unwrap_or_default().to_owned(), answer)
}

#[tokio::test]
async fn http_answers_programs_of_this_machine_and_no_page_of_a_browser() {
    let agent = Arc::new(Agent::new(Store::in_memory().unwrap(), Options::default()).unwrap());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve_http(agent, listener));
    let (status, answer) = ask(address, &address.to_string(), "").await;
    assert_eq!(status, "200", "{answer}");
    assert!(answer.contains("\"name\":\"aiweb\""), "{answer}");
    let (status, _) = ask(address, "evil.example", "").await;
    assert_eq!(status, "403", "a name that was made to lead here");
    let (status, _) = ask(address, &address.to_string(), "origin: https://evil.example\r\n").await;
    assert_eq!(status, "403", "a page in a browser");
    let (status, _) = ask(address, &address.to_string(), "origin: http://localhost:3000\r\n").await;
    assert_eq!(status, "200", "a page of this machine");
}

#[test]
fn the_command_line_takes_loopback_alone_and_no_pattern() {
    use clap::{Args as _, Command, FromArgMatches as _};
    let parse = |words: &[&str]| {
        let command = mcp::Cli::augment_args(Command::new("mcp").no_binary_name(true));
        command.try_get_matches_from(words).map(|found| mcp::Cli::from_arg_matches(&found).unwrap())
    };
    assert!(parse(&["--http", "127.0.0.1:0"]).is_ok());
    assert!(parse(&["--http", "0.0.0.0:80"]).is_err());
    assert!(parse(&["--own-site", "mine.example"]).is_ok());
    assert!(parse(&["--own-site", "*"]).is_err());
    assert!(parse(&["--private", "*.example"]).is_err());
    assert!(parse(&["--private", "[::1]:80"]).is_ok());
    assert!(parse(&["--pause", "0"]).is_err());
}
