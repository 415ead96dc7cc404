//! nginx beside us, on the same machine.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use site::SiteError;
use tempfile::TempDir;

use crate::bench::Protocol;

/// A running nginx; it ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Nginx {
    child: Child,
    pub(crate) address: SocketAddr,
    // Last, so that nginx ends before its folder goes.
    _folder: TempDir,
}

impl Nginx {
    /// Serves one file, with as many processes as there are processors.
    ///
    /// # Errors
    /// Where there is no nginx, or it does not answer.
    #[expect(clippy::disallowed_methods, reason = "a port for another process, and whether it answers")]
    pub(crate) async fn serve_file(name: &str, bytes: &[u8], protocol: Protocol) -> Result<Self, SiteError> {
        let spoken = if protocol == Protocol::Http2 { " http2" } else { "" };
        let refused = |why: String| SiteError::Refused { what: "nginx".to_owned(), why };
        let folder = tempfile::tempdir().map_err(|error| refused(error.to_string()))?;
        // A port that was free a moment ago.
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
        let address = free.map_err(|error| refused(error.to_string()))?;
        write(&folder.path().join(name), bytes)?;
        let root = folder.path().display();
        let configuration = format!(
            "daemon off;\nworker_processes auto;\npid {root}/nginx.pid;\nerror_log stderr warn;\n\
             events {{ worker_connections 1024; }}\n\
             http {{\n access_log off; sendfile on; tcp_nodelay on; keepalive_requests 1000000;\n\
             open_file_cache max=100 inactive=60s; types {{ text/html html; application/json json; }}\n\
             client_body_temp_path {root}/a; proxy_temp_path {root}/b; fastcgi_temp_path {root}/c;\n\
             uwsgi_temp_path {root}/d; scgi_temp_path {root}/e;\n\
             server {{ listen {address}{spoken}; root {root}; }}\n}}\n"
        );
        let file = folder.path().join("nginx.conf");
        write(&file, configuration.as_bytes())?;
        // Its processes are other users: they have to be let in.
        open_to_all(folder.path());
        let child = Command::new("nginx")
            .arg("-p")
            .arg(folder.path())
            .arg("-c")
            .arg(&file)
            .args(["-e", "stderr"])
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| refused(error.to_string()))?;
        let nginx = Nginx { child, address, _folder: folder };
        for _ in 0..200 {
            if TcpStream::connect(address).is_ok() {
                return Ok(nginx);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err(refused(format!("expected an answer at {address}, found none")))
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its master process ends the workers on SIGTERM; a kill would leave them behind.
        let _sent = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ended = self.child.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "what nginx is to serve")]
fn write(path: &Path, bytes: &[u8]) -> Result<(), SiteError> {
    std::fs::write(path, bytes).map_err(|source| SiteError::File {
        action: "write",
        path: path.to_owned(),
        source,
    })
}

fn open_to_all(folder: &Path) {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        let _opened = std::fs::set_permissions(folder, mode);
    }
}
