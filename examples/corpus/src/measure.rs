//! Each function in a query beside the bare library called row by row, on one core and over the same rows.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aidocument::{Crawl, StatusCode, Timestamp, UnixSeconds};
use aidocument_extract::{Extracted, Options, extract};
use anyhow::{Context as _, Result, ensure};
use datafusion::arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch, StringArray};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::DataType;
use datafusion::datasource::MemTable;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::SessionContext;
use futures::StreamExt as _;
use robots::{Matcher, Robots};
use tct_canonical_json::{Profile, to_canonical};
use url::Url;

use crate::functions::AGENT;
use crate::generate;
use crate::session::{self, Resources};

/// How often each side runs at least; the fastest run counts.
const ROUNDS: usize = 7;
/// How long a function is measured at least: a fast one runs hundreds of times, so that other work of the machine is not
/// in its fastest run.
const LEAST: Duration = Duration::from_secs(4);
/// Rows of a batch, as the engine cuts them when it reads a file.
const BATCH_ROWS: usize = 256;

/// One function's figures.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// Name of the function.
    pub function: &'static str,
    /// Rows of the table.
    pub rows: usize,
    /// Bytes of the column that the function works on.
    pub bytes: usize,
    /// Fastest run of the planned query.
    pub query: Duration,
    /// Fastest run of the bare library.
    pub bare: Duration,
}

impl Measured {
    /// The query's time over the library's.
    pub fn overhead(&self) -> f64 {
        self.query.as_secs_f64() / self.bare.as_secs_f64()
    }
}

/// Takes the answer of each row.
type Sink<'s> = &'s mut dyn FnMut(&[u8]);

/// A function, the column it works on, the query, and the same by the bare library.
struct Contest {
    function: &'static str,
    column: usize,
    sql: &'static str,
    bare: fn(&Columns, Sink<'_>) -> Result<()>,
}

const CONTESTS: [Contest; 8] = [
    Contest {
        function: "tct_normalize",
        column: TEXT,
        sql: "SELECT tct_normalize(text) FROM measured",
        bare: |columns, sink| {
            columns.rows(TEXT).for_each(|text| sink(tct_fingerprint::normalize(text).as_bytes()));
            Ok(())
        },
    },
    Contest {
        function: "tct_fingerprint",
        column: TEXT,
        sql: "SELECT tct_fingerprint(text) FROM measured",
        bare: |columns, sink| {
            columns.rows(TEXT).for_each(|text| sink(tct_fingerprint::fingerprint(text).as_bytes()));
            Ok(())
        },
    },
    Contest {
        function: "tct_fingerprint_text",
        column: TEXT,
        sql: "SELECT tct_fingerprint_text(text) FROM measured",
        bare: |columns, sink| {
            let prints = columns.rows(TEXT).map(tct_fingerprint::fingerprint);
            prints.for_each(|print| sink(print.to_string().as_bytes()));
            Ok(())
        },
    },
    Contest {
        function: "canonical_json",
        column: JSON,
        sql: "SELECT canonical_json(json) FROM measured",
        bare: |columns, sink| {
            columns.rows(JSON).try_for_each(|json| {
                sink(&to_canonical(json.as_bytes(), Profile::Rfc8785)?);
                Ok(())
            })
        },
    },
    Contest {
        function: "robots_allowed",
        column: URL,
        sql: "SELECT robots_allowed(robots, 'AIWebIndex', url) FROM measured",
        bare: |columns, sink| {
            let mut last: Option<(&str, Matcher)> = None;
            columns.rows(ROBOTS).zip(columns.rows(URL)).try_for_each(|(robots, url)| {
                let url = Url::parse(url)?;
                let matcher = match &mut last {
                    Some((text, matcher)) if *text == robots => matcher,
                    other => {
                        &mut other.insert((robots, Robots::parse(robots.as_bytes()).matcher("AIWebIndex"))).1
                    }
                };
                sink(&[u8::from(matcher.decide(&url).is_allowed())]);
                Ok(())
            })
        },
    },
    Contest {
        function: "extract_markdown",
        column: HTML,
        sql: "SELECT extract_markdown(html, url) FROM measured",
        bare: |columns, sink| {
            columns.extracted(|page| {
                sink(page.document.markdown().as_bytes());
                Ok(())
            })
        },
    },
    Contest {
        function: "extract_text",
        column: HTML,
        sql: "SELECT extract_text(html, url) FROM measured",
        bare: |columns, sink| {
            columns.extracted(|page| {
                sink(page.text.as_bytes());
                Ok(())
            })
        },
    },
    Contest {
        function: "extract_document",
        column: HTML,
        sql: "SELECT extract_document(html, url) FROM measured",
        bare: |columns, sink| {
            columns.extracted(|page| {
                sink(&serde_json::to_vec(&page.document)?);
                Ok(())
            })
        },
    },
];

/// The table `measured`, in this order of columns.
const TABLE: &str = "SELECT url, robots, html, extract_text(html, url) AS text, extract_document(html, url) AS json \
     FROM pages WHERE crawl = 1";
const URL: usize = 0;
const ROBOTS: usize = 1;
const HTML: usize = 2;
const TEXT: usize = 3;
const JSON: usize = 4;

/// Measures every function over `pages` pages of a generated corpus, having seen that both sides give the same.
///
/// # Errors
/// When the corpus cannot be written or read, or the answers differ.
pub async fn measure(pages: u64) -> Result<Vec<Measured>> {
    let folder = tempfile::tempdir().context("making a temporary folder")?;
    generate::seeded(pages, 1, folder.path(), |_| {})?;
    let (session, _) = session::local(Resources { memory_bytes: 1 << 30, partitions: 1 })?;
    session::register_folder(&session, "pages", folder.path()).await?;
    let columns = Columns::read(&session).await?;
    let mut measured = Vec::new();
    for contest in CONTESTS {
        let mut bare = Vec::new();
        (contest.bare)(&columns, &mut |answer| bare.push(answer.to_vec()))?;
        ensure!(answers(&session, contest.sql).await? == bare, "{}: the answers differ", contest.function);
        let mut fastest = (Duration::MAX, Duration::MAX);
        let begin = Instant::now();
        let mut rounds = 0;
        while rounds < ROUNDS || begin.elapsed() < LEAST {
            rounds += 1;
            let start = Instant::now();
            (contest.bare)(&columns, &mut |answer| {
                black_box(answer);
            })?;
            fastest.0 = fastest.0.min(start.elapsed());
            // A query is planned once, however many rows there are.
            let plan = session.sql(contest.sql).await?.create_physical_plan().await?;
            let start = Instant::now();
            let mut batches = execute_stream(plan, session.task_ctx())?;
            while let Some(batch) = batches.next().await {
                black_box(batch?);
            }
            fastest.1 = fastest.1.min(start.elapsed());
        }
        measured.push(Measured {
            function: contest.function,
            rows: bare.len(),
            bytes: columns.rows(contest.column).map(str::len).sum(),
            bare: fastest.0,
            query: fastest.1,
        });
    }
    Ok(measured)
}

/// The columns of the table `measured`.
struct Columns(Vec<StringArray>);

impl Columns {
    /// Makes the table from `pages`: in memory, in batches, and as the columns that the bare libraries read.
    async fn read(session: &SessionContext) -> Result<Self> {
        let batches = session.sql(TABLE).await?.collect().await?;
        let schema = batches.first().context("expected a corpus, found none")?.schema();
        let all = concat_batches(&schema, &batches)?;
        let slices = (0..all.num_rows()).step_by(BATCH_ROWS);
        let slices = slices.map(|start| all.slice(start, BATCH_ROWS.min(all.num_rows() - start)));
        let table = MemTable::try_new(schema, vec![slices.collect::<Vec<RecordBatch>>()])?;
        session.register_table("measured", Arc::new(table))?;
        let texts = |column: &ArrayRef| Ok(cast(column, &DataType::Utf8)?.as_string::<i32>().clone());
        Ok(Columns(all.columns().iter().map(texts).collect::<Result<_>>()?))
    }

    fn rows(&self, column: usize) -> impl Iterator<Item = &str> {
        self.0.get(column).into_iter().flatten().flatten()
    }

    fn extracted(&self, mut page: impl FnMut(Extracted) -> Result<()>) -> Result<()> {
        let status = StatusCode::new(200).context("expected 200 to be a status")?;
        let crawl = Crawl::new(Timestamp::from(UnixSeconds(0)), status, AGENT.parse()?);
        let options = Options::default();
        self.rows(HTML).zip(self.rows(URL)).try_for_each(|(html, url)| {
            let mut crawl = crawl.clone();
            crawl.content_length = html.len() as u64;
            page(extract(html.as_bytes(), url.parse()?, Some("text/html; charset=utf-8"), crawl, &options))
        })
    }
}

/// The answers of a query with one column, as the bare libraries give them.
async fn answers(session: &SessionContext, sql: &str) -> Result<Vec<Vec<u8>>> {
    let mut answers = Vec::new();
    for batch in session.sql(sql).await?.collect().await? {
        let column = batch.column(0);
        ensure!(column.null_count() == 0, "{sql}: expected an answer for every row, found null");
        match column.data_type() {
            DataType::Boolean => {
                answers.extend(column.as_boolean().iter().flatten().map(|yes| vec![u8::from(yes)]))
            }
            _ => {
                let bytes = cast(column, &DataType::Binary)?;
                answers.extend(bytes.as_binary::<i32>().iter().flatten().map(<[u8]>::to_vec));
            }
        }
    }
    Ok(answers)
}
