//! A child process that listens on a port and prints reports.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child as Process, ChildStdout, Command};

use super::report::Report;

#[derive(Debug)]
pub(super) struct Child {
    process: Process,
    report: Arc<Mutex<Report>>,
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
        if let Some(lines) = process.stdout.take() {
            tokio::spawn(read(lines, Arc::clone(&report)));
        }
        for _ in 0..300 {
            if TcpStream::connect(address).await.is_ok() {
                return Ok(Child { process, report });
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

    pub(super) fn asked(&self) -> u64 {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).asked
    }

    pub(super) fn warnings(&self) -> Vec<(String, u64)> {
        let report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        report.warnings.iter().map(|(function, rows)| (function.clone(), *rows)).collect()
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
