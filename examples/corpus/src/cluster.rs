//! Schedulers and executors of Ballista as processes of this program.
//!
//! A cluster of your own is a scheduler (`corpus scheduler`) and an executor on each machine (`corpus executor`): the
//! stock binaries of Ballista do not know our functions. [`Cluster`] starts both on loopback, each a child process
//! that runs this program, and ends them when it is done.

mod child;
mod report;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::default_config_producer;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use clap::Args;
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::functions;
use crate::session;
use child::Child;

/// How long an executor may be silent before its tasks go to another one.
const EXECUTOR_TIMEOUT_SECONDS: u64 = 6;
const HEARTBEAT_SECONDS: u64 = 2;

/// Where a scheduler listens.
#[derive(Debug, Clone, Args)]
pub struct SchedulerOptions {
    /// Address and port to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:50050")]
    pub listen: SocketAddr,
    /// Name under which executors reach this machine
    #[arg(long, value_name = "NAME", default_value = "127.0.0.1")]
    pub host: String,
}

/// Where an executor works, and for whom.
#[derive(Debug, Clone, Args)]
pub struct ExecutorOptions {
    /// The scheduler to work for
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    pub scheduler: String,
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub listen: String,
    /// Name under which scheduler and executors reach this machine
    #[arg(long, value_name = "NAME", default_value = "127.0.0.1")]
    pub host: String,
    /// Port for the other executors, and for clients
    #[arg(long, value_name = "PORT", default_value_t = 50051)]
    pub port: u16,
    /// Port for the scheduler
    #[arg(long, value_name = "PORT", default_value_t = 50052)]
    pub grpc_port: u16,
    /// Tasks at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub cores: usize,
    /// Memory for the engine, shared by the tasks
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    pub memory: u64,
    /// Folder for what goes from one stage of a job to the next
    #[arg(long, value_name = "FOLDER")]
    pub work: std::path::PathBuf,
}

/// Runs a scheduler until the process ends.
///
/// # Errors
/// When the port is in use or the engine fails.
pub async fn run_scheduler(options: SchedulerOptions) -> Result<()> {
    let mut config = SchedulerConfig::default()
        .with_port(options.listen.port())
        .with_hostname(options.host)
        .with_override_session_builder(Arc::new(session::with_functions));
    config.executor_timeout_seconds = EXECUTOR_TIMEOUT_SECONDS;
    config.expire_dead_executor_interval_seconds = 1;
    config.no_executors_grace_period_seconds = 10 * EXECUTOR_TIMEOUT_SECONDS;
    let cluster = BallistaCluster::new_memory(
        config.scheduler_id.clone(),
        Arc::new(session::with_functions),
        Arc::new(default_config_producer),
    );
    let started = start_server(cluster, options.listen, Arc::new(config)).await;
    started.with_context(|| format!("scheduler on {}", options.listen))
}

/// Runs an executor until `end`, and prints what its functions have done whenever that has changed and at the end.
///
/// # Errors
/// When a port is in use, the scheduler cannot be reached or the engine fails.
pub async fn run_executor(options: ExecutorOptions, end: impl Future<Output = ()>) -> Result<()> {
    let scheduler =
        options.scheduler.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?)));
    let (scheduler_host, scheduler_port) = scheduler
        .with_context(|| format!("expected host:port of a scheduler, found {:?}", options.scheduler))?;
    let (functions, counts) = functions::all();
    let mut registry = BallistaFunctionRegistry::default();
    for function in functions {
        registry.scalar_functions.insert(function.name().to_owned(), function);
    }
    let config = ExecutorProcessConfig {
        bind_host: options.listen,
        external_host: Some(options.host),
        port: options.port,
        grpc_port: options.grpc_port,
        scheduler_host: scheduler_host.to_owned(),
        scheduler_port,
        scheduler_connect_timeout_seconds: 20,
        vcores: options.cores,
        work_dir: Some(options.work.to_str().context("expected a folder whose name is UTF-8")?.to_owned()),
        executor_heartbeat_interval_seconds: HEARTBEAT_SECONDS,
        memory_pool_size: Some(options.memory << 20),
        override_function_registry: Some(Arc::new(registry)),
        ..ExecutorProcessConfig::default()
    };
    let executor = start_executor_process(Arc::new(config));
    tokio::select! {
        ended = executor => ended.with_context(|| format!("executor on port {}", options.port)),
        () = report::print(&counts, end) => Ok(()),
    }
}

/// A scheduler and executors on loopback, which end with this value.
#[derive(Debug)]
pub struct Cluster {
    scheduler: Child,
    executors: Vec<Child>,
    address: String,
    work: TempDir,
}

impl Cluster {
    /// Starts a scheduler and executors, each for one task at a time, on free ports of the loopback interface.
    ///
    /// `program` is the file of the program `corpus`; `memory` is for each executor, in MiB.
    ///
    /// # Errors
    /// When a process cannot be started or does not listen within 30 seconds.
    pub async fn start(program: &Path, executors: usize, memory: u64) -> Result<Self> {
        let work = TempDir::with_prefix("corpus-").context("making a folder for the executors")?;
        let address = format!("127.0.0.1:{}", free_port().await?);
        let scheduler = Child::start(program, &["scheduler", "--listen", &address], &address).await?;
        let mut cluster = Cluster { scheduler, executors: Vec::new(), address, work };
        for index in 0..executors {
            let (port, grpc_port) = (free_port().await?.to_string(), free_port().await?.to_string());
            let folder = cluster.work_folder(index);
            std::fs::create_dir(&folder).with_context(|| format!("creating {}", folder.display()))?;
            let folder = folder.to_str().context("expected a temporary folder whose name is UTF-8")?;
            let memory = memory.to_string();
            let scheduler = cluster.address.as_str();
            #[rustfmt::skip]
            let arguments = [
                "executor", "--scheduler", scheduler, "--port", &port, "--grpc-port", &grpc_port,
                "--memory", &memory, "--work", folder,
            ];
            let child = Child::start(program, &arguments, &format!("127.0.0.1:{port}")).await?;
            cluster.executors.push(child);
        }
        Ok(cluster)
    }

    /// Where the scheduler listens, as `host:port`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Where the executor of that number keeps what it hands to the next stage of a job.
    pub fn work_folder(&self, executor: usize) -> std::path::PathBuf {
        self.work.path().join(executor.to_string())
    }

    /// Kills the last executor without letting it finish anything.
    ///
    /// # Errors
    /// When there is none left or it cannot be killed.
    pub async fn kill_executor(&mut self) -> Result<()> {
        self.executors.pop().context("expected an executor to kill, found none")?.kill().await
    }

    /// Rows that the functions of the living executors were asked about.
    pub fn asked(&self) -> u64 {
        self.executors.iter().map(Child::asked).sum()
    }

    /// Ends all processes, and returns the rows that functions could not answer.
    ///
    /// # Errors
    /// When a process cannot be ended.
    pub async fn stop(self) -> Result<Vec<(String, u64)>> {
        let mut warnings = std::collections::BTreeMap::new();
        for child in self.executors {
            for (function, rows) in child.end().await?.warnings {
                *warnings.entry(function).or_default() += rows;
            }
        }
        self.scheduler.kill().await?;
        Ok(warnings.into_iter().collect())
    }
}

async fn free_port() -> Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").await.context("looking for a free port")?;
    Ok(listener.local_addr()?.port())
}
