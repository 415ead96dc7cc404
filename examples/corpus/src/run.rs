//! Running a job: progress while it runs, the first rows as a table and all of them as Parquet when it is done.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use datafusion::arrow::array::{ArrayRef, AsArray as _, LargeStringArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::SessionContext;
use futures::StreamExt as _;
use tempfile::NamedTempFile;

use crate::jobs::Job;
use crate::progress::Progress;

/// Rows of an answer that its table shows; its Parquet file has them all.
pub const TABLE_ROWS: usize = 10;

/// Characters of a text that the table shows.
const CELL_CHARACTERS: usize = 100;

/// What a row group of an answer's file may take in memory.
const ROW_GROUP_BYTES: usize = 16 << 20;

/// What a job found.
#[derive(Debug)]
pub struct Answer {
    /// The first rows, at most [`TABLE_ROWS`].
    pub head: Vec<RecordBatch>,
    /// How many rows there are.
    pub rows: usize,
    /// How long the job took.
    pub took: Duration,
}

impl fmt::Display for Answer {
    /// The first rows as a table of text, and how many there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head: Vec<RecordBatch> = self.head.iter().map(shortened).collect();
        let table = pretty_format_batches(&head).map_err(|_| fmt::Error)?;
        write!(f, "{table}")?;
        if self.rows > TABLE_ROWS {
            write!(f, "\nthe first {TABLE_ROWS} of {} rows", self.rows)
        } else {
            Ok(())
        }
    }
}

/// The rows with their long texts cut, such as whole documents.
fn shortened(batch: &RecordBatch) -> RecordBatch {
    let cut = |text: &str| match text.char_indices().nth(CELL_CHARACTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    };
    let columns = batch.columns().iter().map(|column| -> ArrayRef {
        // What functions give that can be long; texts of the corpus come in other types.
        match column.data_type() {
            DataType::LargeUtf8 => {
                let texts = column.as_string::<i64>().iter().map(|text| text.map(cut));
                Arc::new(texts.collect::<LargeStringArray>())
            }
            _ => Arc::clone(column),
        }
    });
    RecordBatch::try_new(batch.schema(), columns.collect()).unwrap_or_else(|_| batch.clone())
}

/// Runs a job and writes its answer to `folder/NAME.parquet` if there is a folder. The rows are never in memory all
/// at once.
///
/// `asked` tells how many rows the functions were asked about since the process began, where that is known; the
/// progress shows it meanwhile.
///
/// # Errors
/// When the query is wrong, the engine fails or the answer cannot be written.
pub async fn run(
    session: &SessionContext,
    job: Job<'_>,
    folder: Option<&Path>,
    asked: impl Fn() -> Option<u64>,
) -> Result<Answer> {
    let start = Instant::now();
    let before = asked();
    let mut progress = Progress::new(job.name, "rows through the functions", None)?;
    let query = session.sql(job.sql).await.with_context(|| format!("planning the job {}", job.name))?;
    let running = || format!("running the job {}", job.name);
    let mut batches = query.execute_stream().await.with_context(running)?;
    let mut file = folder.map(|folder| File::create(folder, batches.schema())).transpose()?;
    let mut answer =
        Answer { head: vec![RecordBatch::new_empty(batches.schema())], rows: 0, took: Duration::ZERO };
    let mut often = tokio::time::interval(Duration::from_millis(250));
    loop {
        let batch = tokio::select! {
            batch = batches.next() => batch,
            _ = often.tick() => {
                progress.done(before.and_then(|before| Some(asked()?.saturating_sub(before))));
                continue;
            }
        };
        let Some(batch) = batch else { break };
        let batch = batch.with_context(running)?;
        if let Some(file) = &mut file {
            file.write(&batch)?;
        }
        let shown = batch.num_rows().min(TABLE_ROWS.saturating_sub(answer.rows));
        // A slice keeps its whole batch.
        if shown > 0 {
            answer.head.push(batch.slice(0, shown));
        }
        answer.rows += batch.num_rows();
    }
    if let (Some(file), Some(folder)) = (file, folder) {
        file.finish(&folder.join(format!("{}.parquet", job.name)))?;
    }
    answer.took = start.elapsed();
    Ok(answer)
}

/// An answer's file, under another name until it is whole.
struct File {
    writer: ArrowWriter<NamedTempFile>,
}

impl File {
    fn create(folder: &Path, schema: SchemaRef) -> Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
        let mut file = tempfile::Builder::new();
        // As any file of this user, not as a temporary one: others may read it.
        #[cfg(unix)]
        file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = file.tempfile_in(folder).with_context(|| format!("writing to {}", folder.display()))?;
        Ok(File { writer: ArrowWriter::try_new(file, Arc::clone(&schema), None)? })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.writer.write(batch)?;
        // A row group is in memory until it is whole.
        if self.writer.memory_size() > ROW_GROUP_BYTES { Ok(self.writer.flush()?) } else { Ok(()) }
    }

    fn finish(self, path: &Path) -> Result<()> {
        self.writer.into_inner()?.persist(path).with_context(|| format!("writing {}", path.display()))?;
        Ok(())
    }
}
