//! Name servers for the demonstration: hickory-server in this process, or Debian's knot as its own.

use std::io;
use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use hickory_server::Server;
use hickory_server::proto::rr::rdata::{SOA, TXT};
use hickory_server::proto::rr::{LowerName, Name, RData, Record};
use hickory_server::store::in_memory::InMemoryZoneHandler;
use hickory_server::zone_handler::{AxfrPolicy, Catalog, ZoneType};
use tokio::net::UdpSocket;
use tokio::process::{Child, Command};

use crate::Fallible;

/// The zone that all domains of the demonstration lie in.
pub const ZONE: &str = "example.test";

/// One TXT record: its absolute name, its character-strings.
#[derive(Debug, Clone)]
pub struct Txt {
    /// Name without the root's dot.
    pub name: String,
    /// Character-strings, in order.
    pub strings: Vec<Vec<u8>>,
}

/// A running name server; it stops when this is dropped.
pub struct NameServer(#[expect(dead_code, reason = "held for its end of life")] Running);

enum Running {
    Hickory(#[expect(dead_code, reason = "held for its end of life")] Box<Server<Catalog>>),
    Knot(#[expect(dead_code, reason = "held for its end of life")] Child),
}

/// Serves the records over UDP on a free port of the loopback interface, authoritatively, in this process.
pub async fn start_hickory(records: &[Txt]) -> Fallible<(NameServer, SocketAddr)> {
    let origin = Name::from_ascii(format!("{ZONE}."))?;
    let mut zone: InMemoryZoneHandler =
        InMemoryZoneHandler::empty(origin.clone(), ZoneType::Primary, AxfrPolicy::Deny);
    let soa = SOA::new(origin.clone(), origin.clone(), 1, 3600, 600, 86400, 60);
    zone.upsert_mut(Record::from_rdata(origin.clone(), 300, RData::SOA(soa)), 1);
    for txt in records {
        let data = TXT::from_bytes(txt.strings.iter().map(Vec::as_slice).collect());
        let record = Record::from_rdata(Name::from_ascii(format!("{}.", txt.name))?, 300, RData::TXT(data));
        zone.upsert_mut(record, 1);
    }
    let mut catalog = Catalog::new();
    catalog.upsert(LowerName::new(&origin), vec![Arc::new(zone)]);
    serve(catalog).await
}

/// A name server that knows no zone, and refuses every question.
pub async fn start_refusing() -> Fallible<(NameServer, SocketAddr)> {
    serve(Catalog::new()).await
}

async fn serve(catalog: Catalog) -> Fallible<(NameServer, SocketAddr)> {
    let socket = UdpSocket::bind("127.0.0.1:0").await?;
    let address = socket.local_addr()?;
    let mut server = Server::new(catalog);
    server.register_socket(socket);
    Ok((NameServer(Running::Hickory(Box::new(server))), address))
}

/// The same from `knotd`, where it is installed: the zone is a file of the lines that `verify` writes.
pub async fn start_knot(zone_lines: &[String]) -> Fallible<(NameServer, SocketAddr)> {
    let folder = std::env::temp_dir().join(format!("verify-domain-{}", std::process::id()));
    tokio::fs::create_dir_all(&folder).await?;
    let port = UdpSocket::bind("127.0.0.1:0").await?.local_addr()?.port();
    let at = folder.display();
    let zone = format!(
        "$ORIGIN {ZONE}.\n@ 300 IN SOA ns hostmaster 1 3600 600 86400 60\n@ 300 IN NS ns\nns 300 IN A 127.0.0.1\n{}\n",
        zone_lines.join("\n")
    );
    let config = format!(
        "server:\n    listen: 127.0.0.1@{port}\n    rundir: {at}\ndatabase:\n    storage: {at}\n\
         zone:\n  - domain: {ZONE}.\n    file: {at}/zone\n    zonefile-load: whole\n"
    );
    tokio::fs::write(folder.join("zone"), zone).await?;
    tokio::fs::write(folder.join("knot.conf"), config).await?;
    let child = Command::new("knotd")
        .arg("--config")
        .arg(folder.join("knot.conf"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("knotd: {error}")))?;
    // It answers as soon as it has read the zone; the resolvers' time-out bridges the rest.
    tokio::time::sleep(Duration::from_secs(3)).await;
    Ok((NameServer(Running::Knot(child)), SocketAddr::from(([127, 0, 0, 1], port))))
}
