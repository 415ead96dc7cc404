//! The owners' web server: axum behind rustls, with a certificate that rcgen makes for their names.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use axum_server::tls_rustls::RustlsConfig;
use http::{HeaderName, HeaderValue, StatusCode};
use rustls::pki_types::PrivateKeyDer;
use rustls::{RootCertStore, ServerConfig};

use crate::Fallible;

/// What one URL answers.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// Status code.
    pub status: u16,
    /// Header fields.
    pub headers: Vec<(&'static str, String)>,
    /// Body.
    pub body: Vec<u8>,
}

/// Pages by `host/path?query`.
pub type Site = HashMap<String, Page>;

/// Serves the site on a free port of the loopback interface. Returns its address, and the store that trusts its
/// certificate, which is valid for `names` and no other.
pub async fn start(site: Site, names: Vec<String>) -> Fallible<(SocketAddr, RootCertStore)> {
    let certificate = rcgen::generate_simple_self_signed(names)?;
    let mut roots = RootCertStore::empty();
    roots.add(certificate.cert.der().clone())?;
    let key = PrivateKeyDer::Pkcs8(certificate.signing_key.serialize_der().into());
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.cert.der().clone()], key)?;
    let router = Router::new().fallback(answer).with_state(Arc::new(site));
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let server = axum_server::from_tcp_rustls(listener, RustlsConfig::from_config(Arc::new(config)))?;
    tokio::spawn(server.serve(router.into_make_service()));
    Ok((address, roots))
}

/// Pages go to clients that say who they are and bring no cookie; all others get 403.
async fn answer(State(site): State<Arc<Site>>, request: Request) -> Response {
    let field = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let is_verifier =
        field("user-agent").is_some_and(|agent| agent.starts_with("AIWebIndex/1.0 verification"));
    if !is_verifier || field("cookie").is_some() || field("authorization").is_some() {
        return StatusCode::FORBIDDEN.into_response();
    }
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let Some(page) = site.get(&format!("{}{path}", field("host").unwrap_or_default())) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut response = page.body.clone().into_response();
    *response.status_mut() = StatusCode::from_u16(page.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().remove("content-type");
    for (name, value) in &page.headers {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().append(HeaderName::from_static(name), value);
        }
    }
    response
}
