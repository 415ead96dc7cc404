//! A TLS server whose every connection is in the hands of the test, and what both test files do with a crawl.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "each test file takes what it needs, and says what it expects in the plainest way"
)]

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crawler::limits::Limits;
use crawler::progress::Progress;
use crawler::store::Store;
use crawler::{Options, crawl};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use redb::{ReadableTable as _, TableDefinition, TableHandle as _};
use robots::{AiWebIndexAgent, AiWebIndexVersion};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use url::Url;

pub mod twins;

/// An authority that the crawler is told to trust.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub fn der(&self) -> CertificateDer<'static> {
        self.0.der().clone()
    }

    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// A server's certificate for these names, valid unless `change` says otherwise.
    pub fn acceptor(&self, names: &[&str], change: impl FnOnce(&mut CertificateParams)) -> TlsAcceptor {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        TlsAcceptor::from(Arc::new(config))
    }
}

/// A connection, and the paths asked for on it, one at a time.
pub type Connection = TlsStream<TcpStream>;

/// Listens on a free port of this address and hands each request's path and head to `answer`, which writes what it
/// likes and says whether the connection goes on.
pub async fn serve<F, A>(ip: Ipv4Addr, tls: TlsAcceptor, answer: F) -> SocketAddr
where
    F: Fn(String, String, Connection) -> A + Send + Sync + 'static,
    A: Future<Output = Option<Connection>> + Send,
{
    let listener = TcpListener::bind((ip, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (tls, answer) = (tls.clone(), Arc::clone(&answer));
            tokio::spawn(async move {
                let Ok(mut connection) = tls.accept(stream).await else { return };
                while let Some(head) = read_head(&mut connection).await {
                    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                    match answer(path, head, connection).await {
                        Some(open) => connection = open,
                        None => return,
                    }
                }
            });
        }
    });
    address
}

async fn read_head(connection: &mut Connection) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(connection.read_u8().await.ok()?);
    }
    String::from_utf8(head).ok()
}

/// Writes a whole response.
pub async fn respond(
    mut connection: Connection,
    status: &str,
    fields: &str,
    body: &[u8],
) -> Option<Connection> {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{fields}\r\n", body.len());
    connection.write_all(head.as_bytes()).await.ok()?;
    connection.write_all(body).await.ok()?;
    connection.flush().await.ok()?;
    Some(connection)
}

/// Lines that were printed, kept for the test.
#[derive(Debug, Clone, Default)]
pub struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Lines {
    pub fn values(&self) -> Vec<serde_json::Value> {
        let bytes = self.0.lock().unwrap();
        bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    }
}

/// Settings for servers of our own: no pause between requests, small pages.
pub fn options(certificates: Vec<CertificateDer<'static>>) -> Options {
    let builder = AiWebIndexAgent::builder(AiWebIndexVersion::V1).info_url("https://crawler.example/bot");
    Options {
        agent: builder.build().unwrap(),
        verifier: builder.verification(true).build().unwrap(),
        limits: Limits { page_bytes: 1 << 20, ..Limits::default() },
        certificates,
        resolve: std::collections::BTreeMap::new(),
        cooldown: Duration::ZERO,
        parallel: 8,
        max_wait: Duration::from_secs(5),
        retry_secs: 0,
        max_pages: 50,
        depth: 8,
        probe: false,
        purpose: signals::Purpose::AiInput,
        signer: None,
        document_version: crawler::DocumentVersion::V1,
        verify: false,
        tokens: Vec::new(),
        keys: None,
        resolvers: Vec::new(),
        restart: false,
    }
}

/// Crawls with a store in this folder; gives the lines.
pub async fn run(starts: &[Url], folder: &Path, options: Options) -> Vec<serde_json::Value> {
    let lines = Lines::default();
    let store = Store::open(&folder.join("crawl.redb")).unwrap();
    crawl(starts, store, options, Box::new(lines.clone()), Progress::hidden()).await.unwrap();
    lines.values()
}

/// Changes the record of each held text.
pub fn change_entries(store: &Path, change: impl Fn(&mut Value)) {
    const ENTRIES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("entries");
    let database = redb::Database::open(store).unwrap();
    let write = database.begin_write().unwrap();
    {
        let mut table = write.open_table(ENTRIES).unwrap();
        let records: Vec<_> = table
            .iter()
            .unwrap()
            .map(|item| item.map(|(key, value)| (key.value().to_owned(), value.value().to_owned())).unwrap())
            .collect();
        for (key, record) in records {
            let mut value = serde_json::from_slice(&record).unwrap();
            change(&mut value);
            table.insert(key.as_str(), serde_json::to_vec(&value).unwrap().as_slice()).unwrap();
        }
    }
    write.commit().unwrap();
}

/// Everything that the store remembers is of so many seconds later.
pub fn move_times(folder: &Path, secs: i64) {
    fn shift(value: &mut Value, secs: i64) {
        match value {
            Value::Number(number) if number.as_u64().is_some_and(|at| at > 1_600_000_000) => {
                *value = number.as_u64().unwrap().saturating_add_signed(secs).into();
            }
            Value::Array(values) => values.iter_mut().for_each(|value| shift(value, secs)),
            Value::Object(members) => members.values_mut().for_each(|value| shift(value, secs)),
            _ => {}
        }
    }
    let shifted = |json: &[u8]| {
        let mut value = serde_json::from_slice(json).unwrap();
        shift(&mut value, secs);
        serde_json::to_vec(&value).unwrap()
    };
    const SITES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("sites");
    const ENTRIES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("entries");
    const FRONTIER: TableDefinition<'_, (&str, u8, u64), &[u8]> = TableDefinition::new("frontier");
    const PAUSES: TableDefinition<'_, &str, u64> = TableDefinition::new("pauses");
    let database = redb::Database::open(folder.join("crawl.redb")).unwrap();
    let change = database.begin_write().unwrap();
    for definition in [SITES, ENTRIES] {
        let mut table = change.open_table(definition).unwrap();
        let records: Vec<_> = table
            .iter()
            .unwrap()
            .map(|item| item.map(|(key, value)| (key.value().to_owned(), shifted(value.value()))).unwrap())
            .collect();
        assert!(!records.is_empty(), "{}", definition.name());
        for (key, record) in records {
            table.insert(key.as_str(), record.as_slice()).unwrap();
        }
    }
    let mut frontier = change.open_table(FRONTIER).unwrap();
    let mut tasks = Vec::new();
    for item in frontier.iter().unwrap() {
        let (key, value) = item.unwrap();
        let (site, priority, number) = key.value();
        tasks.push((site.to_owned(), priority, number, shifted(value.value())));
    }
    for (site, priority, number, task) in tasks {
        frontier.insert((site.as_str(), priority, number), task.as_slice()).unwrap();
    }
    drop(frontier);
    let mut pauses = change.open_table(PAUSES).unwrap();
    let until: Vec<_> = pauses
        .iter()
        .unwrap()
        .map(|item| item.map(|(host, until)| (host.value().to_owned(), until.value())).unwrap())
        .collect();
    for (host, until) in until {
        pauses.insert(host.as_str(), until.saturating_add_signed(secs)).unwrap();
    }
    drop(pauses);
    change.commit().unwrap();
}
