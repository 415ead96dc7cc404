//! Sends the requests of a `WellKnownCheck` over TLS. It follows no redirect, keeps no cookie, and stops reading where
//! the check has enough.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Empty, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use verify::{Action, FetchFailure, MAX_BODY_BYTES, WellKnownCheck, WellKnownReport};

use crate::Fallible;

const TIMEOUT: Duration = Duration::from_secs(10);

/// A client that trusts these authorities.
pub struct WebClient {
    tls: TlsConnector,
    /// Where to connect, whatever the host's name: the demonstration's server.
    instead: Option<SocketAddr>,
}

impl WebClient {
    /// A client; `instead` stands for the addresses of all hosts.
    pub fn new(roots: RootCertStore, instead: Option<SocketAddr>) -> Self {
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        WebClient { tls: TlsConnector::from(Arc::new(config)), instead }
    }

    /// Plays a check to its end.
    pub async fn run(&self, mut check: WellKnownCheck<'_>) -> Fallible<WellKnownReport> {
        loop {
            match check.next_action() {
                Action::Done(report) => return Ok(report),
                Action::AskRobots { .. } => check.on_robots(true)?,
                Action::Send(request) => {
                    let exchange = tokio::time::timeout(TIMEOUT, self.send(request)).await;
                    match exchange.unwrap_or(Err(FetchFailure::Timeout)) {
                        Ok(response) => check.on_response(&response)?,
                        Err(failure) => check.on_failure(failure)?,
                    }
                }
            }
        }
    }

    async fn send(&self, request: http::Request<()>) -> Result<http::Response<Vec<u8>>, FetchFailure> {
        let (mut head, ()) = request.into_parts();
        let uri = std::mem::take(&mut head.uri);
        let host = uri.host().ok_or(FetchFailure::Network)?.to_owned();
        let port = uri.port_u16().unwrap_or(443);
        let stream = match self.instead {
            Some(address) => TcpStream::connect(address).await,
            None => TcpStream::connect((host.as_str(), port)).await,
        };
        let stream = stream.map_err(|_| FetchFailure::Network)?;
        let name = ServerName::try_from(host).map_err(|_| FetchFailure::Tls)?;
        let stream = self.tls.connect(name, stream).await.map_err(|_| FetchFailure::Tls)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|_| FetchFailure::Network)?;
        tokio::spawn(connection);

        // HTTP/1.1 wants the path in the first line and the host in a field.
        let authority = uri.authority().ok_or(FetchFailure::Network)?;
        let host = http::HeaderValue::from_str(authority.as_str()).map_err(|_| FetchFailure::Network)?;
        head.headers.insert(http::header::HOST, host);
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        head.uri = path.parse().map_err(|_| FetchFailure::Network)?;
        let request = http::Request::from_parts(head, Empty::<Bytes>::new());
        let (head, body) =
            sender.send_request(request).await.map_err(|_| FetchFailure::Network)?.into_parts();
        let body = match Limited::new(body, MAX_BODY_BYTES).collect().await {
            Ok(body) => body.to_bytes().to_vec(),
            // One byte too many is all that the check needs to know.
            Err(error) if error.is::<LengthLimitError>() => vec![0; MAX_BODY_BYTES + 1],
            Err(_) => return Err(FetchFailure::Network),
        };
        Ok(http::Response::from_parts(head, body))
    }
}
