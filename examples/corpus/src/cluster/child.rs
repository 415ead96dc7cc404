//! A child process that listens on a port and prints reports.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child as Process, ChildStdout, Command};
use tokio::task::JoinHandle;

use super::report::Report;

/// How long a process may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Child {
    process: Process,
    report: Arc<Mutex<Report>>,
    /// Reads the process's output until it ends.
    reader: Option<JoinHandle<()>>,
}

impl Child {
    /// Starts `program` and waits until something listens on the address. The process ends with this value.
    pub(super) async fn start(program: &Path, arguments: &[&str], address: &str) -> Result<Self> {
        let mut process = Command::new(program)
            .args(arguments)
            .arg("--until-input-ends")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("starting {}", program.display()))?;
        let report = Arc::default();
        let output = process.stdout.take();
        let reader = output.map(|lines| tokio::spawn(read(lines, Arc::clone(&report))));
        for _ in 0..300 {
            if TcpStream::connect(address).await.is_ok() {
                return Ok(Child { process, report, reader });
            }
            if let Some(status) = process.try_wait()? {
                bail!("expected a process that listens on {address}, found one that has ended: {status}");
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        bail!("expected a process that listens on {address} within 30 s");
    }

    pub(super) async fn kill(mut self) -> Result<()> {
        self.process.kill().await.context("ending a process")
    }

    /// Asks the process to end, and returns its last report.
    pub(super) async fn end(mut self) -> Result<Report> {
        drop(self.process.stdin.take());
        if tokio::time::timeout(PATIENCE, self.process.wait()).await.is_err() {
            self.process.kill().await.context("ending a process")?;
        }
        if let Some(reader) = self.reader {
            reader.await.context("reading a process's reports")?;
        }
        Ok(std::mem::take(&mut *self.report.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    pub(super) fn asked(&self) -> u64 {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).asked
    }
}

/// Keeps the last report.
async fn read(output: ChildStdout, report: Arc<Mutex<Report>>) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        // What else a library might print is no report.
        if let Ok(found) = serde_json::from_str(&line) {
            *report.lock().unwrap_or_else(PoisonError::into_inner) = found;
        }
    }
}
