//! Sessions of the engine with our functions registered, in this process or against a scheduler.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use ballista::prelude::{SessionConfigExt as _, SessionContextExt as _};
use ballista_core::utils::default_session_builder;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use tokio::net::TcpStream;

use crate::functions::{self, Counts};

/// Rows of a batch. Pages are long: the engine's own 8192 would be a hundred megabytes of HTML at a time.
const BATCH_ROWS: usize = 256;

/// Size of a Parquet file whose row groups are shared out to several partitions.
const SHARED_FILE_BYTES: usize = 16 << 10;

/// How much the engine may take.
#[derive(Debug, Clone, Copy)]
pub struct Resources {
    /// Memory for the engine's operators in bytes; what is over it goes to disk.
    pub memory_bytes: usize,
    /// Partitions that run side by side.
    pub partitions: usize,
}

/// A session in this process, with the counts of its functions.
///
/// # Errors
/// When the engine refuses the configuration.
pub fn local(resources: Resources) -> Result<(SessionContext, Arc<Counts>)> {
    let mut config = SessionConfig::new();
    // A sort-merge join goes to disk when it must, a hash join does not.
    config.options_mut().optimizer.prefer_hash_join = false;
    // What a sort keeps for its last merge; the engine's own 10 MB would be all there is of a small limit.
    let share = resources.memory_bytes / resources.partitions.max(1);
    let execution = &mut config.options_mut().execution;
    execution.sort_spill_reservation_bytes = execution.sort_spill_reservation_bytes.min(share / 8);
    let state = SessionStateBuilder::new()
        .with_config(sized(config, resources.partitions))
        .with_runtime_env(runtime(resources.memory_bytes)?)
        .with_default_features()
        .build();
    let mut session = SessionContext::new_with_state(state);
    let counts = functions::register(&mut session)?;
    Ok((session, counts))
}

/// A session whose jobs run on the executors of the scheduler at `host:port`, in that many partitions.
///
/// # Errors
/// When nothing listens there.
pub async fn remote(scheduler: &str, partitions: usize) -> Result<SessionContext> {
    let connecting = || format!("connecting to the scheduler at {scheduler}");
    // The client itself would connect with the first job, and not say to what.
    TcpStream::connect(scheduler).await.with_context(connecting)?;
    let state = default_session_builder(sized(SessionConfig::new_with_ballista(), partitions))?;
    let session = SessionContext::remote_with_state(&format!("df://{scheduler}"), state).await;
    let mut session = session.with_context(connecting)?;
    functions::register(&mut session)?;
    Ok(session)
}

/// A state that knows our functions, for the scheduler of a cluster.
///
/// # Errors
/// When the engine refuses a function.
pub fn with_functions(config: SessionConfig) -> datafusion::error::Result<SessionState> {
    let mut state = default_session_builder(config)?;
    functions::register(&mut state)?;
    Ok(state)
}

/// Makes the Parquet files of a folder a table.
///
/// The executors of a cluster read the files themselves, under the same absolute path.
///
/// # Errors
/// When the folder holds no Parquet file that the engine can read.
pub async fn register_folder(session: &SessionContext, table: &str, folder: &Path) -> Result<()> {
    let found = || format!("expected Parquet files for the table {table} in {}", folder.display());
    let path = folder.canonicalize().with_context(found)?;
    let path = path.to_str().context("expected a folder whose name is UTF-8")?;
    session.register_parquet(table, path, ParquetReadOptions::default()).await.with_context(found)
}

fn sized(config: SessionConfig, partitions: usize) -> SessionConfig {
    // Extraction is work: small files are worth sharing out too.
    config
        .with_target_partitions(partitions)
        .with_batch_size(BATCH_ROWS)
        .with_repartition_file_min_size(SHARED_FILE_BYTES)
}

fn runtime(memory_bytes: usize) -> Result<Arc<RuntimeEnv>> {
    let disk = DiskManagerBuilder::default().with_mode(DiskManagerMode::OsTmpDirectory);
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(memory_bytes)))
        .with_disk_manager_builder(disk);
    Ok(runtime.build_arc()?)
}
