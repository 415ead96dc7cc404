//! One crawl's Parquet file, a batch of rows at a time.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use datafusion::arrow::array::{Int32Array, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::WriterProperties;

use super::Written;

/// Rows of a batch, and of a row group: what a reader holds in memory at a time.
const BATCH_ROWS: usize = 256;

/// A row of the table `pages`.
pub(super) struct Page<'a> {
    pub(super) url: &'a str,
    pub(super) robots: &'a str,
    pub(super) html: &'a str,
    pub(super) template: Option<&'a str>,
    pub(super) edition: Option<&'a str>,
}

pub(super) struct Table {
    crawl: i32,
    schema: SchemaRef,
    writer: ArrowWriter<File>,
    written: Written,
    /// Rows of the batch that is not written yet.
    rows: usize,
    url: StringBuilder,
    robots: StringBuilder,
    html: StringBuilder,
    template: StringBuilder,
    edition: StringBuilder,
}

impl Table {
    pub(super) fn create(folder: &Path, crawl: i32) -> Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
        let path = folder.join(format!("pages-{crawl}.parquet"));
        let file = File::create(&path).with_context(|| format!("writing {}", path.display()))?;
        let text = |name, nullable| Field::new(name, DataType::Utf8, nullable);
        let schema = Arc::new(Schema::new(vec![
            Field::new("crawl", DataType::Int32, false),
            text("url", false),
            text("robots", false),
            text("html", false),
            text("template", true),
            text("edition", true),
        ]));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_max_row_group_row_count(Some(BATCH_ROWS))
            .build();
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))?;
        Ok(Table {
            crawl,
            schema,
            writer,
            written: Written::default(),
            rows: 0,
            url: StringBuilder::new(),
            robots: StringBuilder::new(),
            html: StringBuilder::new(),
            template: StringBuilder::new(),
            edition: StringBuilder::new(),
        })
    }

    pub(super) fn push(&mut self, page: &Page<'_>) -> Result<()> {
        self.url.append_value(page.url);
        self.robots.append_value(page.robots);
        self.html.append_value(page.html);
        self.template.append_option(page.template);
        self.edition.append_option(page.edition);
        self.rows += 1;
        self.written.rows += 1;
        self.written.html_bytes += page.html.len() as u64;
        // A batch of texts holds at most 2 GiB: pages of many megabytes make it full sooner.
        if self.rows == BATCH_ROWS || self.html.values_slice().len() > 1 << 28 {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<()> {
        let batch = RecordBatch::try_new(
            Arc::clone(&self.schema),
            vec![
                Arc::new(Int32Array::from_value(self.crawl, self.rows)),
                Arc::new(self.url.finish()),
                Arc::new(self.robots.finish()),
                Arc::new(self.html.finish()),
                Arc::new(self.template.finish()),
                Arc::new(self.edition.finish()),
            ],
        )?;
        self.rows = 0;
        Ok(self.writer.write(&batch)?)
    }

    pub(super) fn close(mut self) -> Result<Written> {
        self.flush()?;
        self.writer.finish()?;
        Ok(Written { file_bytes: self.writer.bytes_written() as u64, ..self.written })
    }
}
