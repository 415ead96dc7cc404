//! `corpus generate`, `corpus local`, `corpus cluster`, `corpus measure`.

use std::io::{self, Read as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Parser, Subcommand};
use corpus::cluster::{self, Cluster, ExecutorOptions, SchedulerOptions};
use corpus::jobs::{self, DocumentVersion, JOBS, Job};
use corpus::progress::Progress;
use corpus::session::{self, Resources};
use corpus::{functions, generate, measure, run};
use datafusion::prelude::SessionContext;
use url::Url;

/// Where a corpus is written, and read, when no folder is named.
const DATA: &str = "corpus-data";

/// Fingerprints, canonical JSON, robots.txt decisions and extraction over corpora of pages in Parquet.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// End a scheduler or executor with the standard input, whose other side its parent holds
    #[arg(long, global = true, hide = true)]
    until_input_ends: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a corpus as Parquet: two crawls of invented sites from a seed, or a folder of HTML
    Generate(Generate),
    /// Run jobs in this process
    Local(Jobs),
    /// Run jobs on a cluster: a scheduler and executors on loopback, or a running scheduler
    Cluster {
        #[command(flatten)]
        jobs: Jobs,
        /// A running `corpus scheduler`; without it, one is started with its executors
        #[arg(long, value_name = "HOST:PORT")]
        scheduler: Option<String>,
        /// How many executors to start, each for one task at a time
        #[arg(long, value_name = "N", default_value = "2", conflicts_with = "scheduler")]
        executors: NonZero<usize>,
    },
    /// Compare each function with the bare library, on one core
    Measure {
        /// How many pages to measure with
        #[arg(long, value_name = "N", default_value_t = 4_000)]
        pages: u64,
    },
    /// List the functions with their arguments and what they give
    Functions,
    /// Be the scheduler of a cluster
    Scheduler(SchedulerOptions),
    /// Be an executor of a cluster
    Executor(ExecutorOptions),
}

#[derive(Debug, Args)]
struct Generate {
    /// Addresses of the seeded corpus
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pages: u64,
    /// Seed; the same seed writes the same corpus
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A folder of .html files to write instead
    #[arg(long, value_name = "FOLDER")]
    site: Option<PathBuf>,
    /// Address of the folder
    #[arg(long, value_name = "URL", default_value = "https://site.example", requires = "site")]
    base: Url,
    /// Which crawl the folder is; write an earlier state as 1 and a later one as 2
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..=2), requires = "site")]
    crawl: i32,
    /// Where to write
    #[arg(long, value_name = "FOLDER", default_value = DATA)]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct Jobs {
    /// Folder of the corpus; without it `corpus-data`, which is written with 10,000 addresses if it does not exist
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// A job to run, by name; may be repeated. All jobs run when none is named
    #[arg(long, value_name = "NAME")]
    job: Vec<String>,
    /// A file with a query of your own; may be repeated
    #[arg(long, value_name = "FILE")]
    sql: Vec<PathBuf>,
    /// Run the job `documents`, which writes every page's document in this version of AIWebIndex
    #[arg(long, value_name = "VERSION")]
    document_version: Option<DocumentVersion>,
    /// Another table for your queries: its name, and the folder with its Parquet
    #[arg(long, value_name = "NAME=FOLDER")]
    table: Vec<String>,
    /// Folder for the whole answers as Parquet
    #[arg(long, value_name = "FOLDER", default_value = "corpus-results")]
    results: PathBuf,
    /// Memory for the engine in this process, or in each executor that is started
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: usize,
    /// Partitions of a job: what runs side by side; as many as this machine has cores
    #[arg(long, value_name = "N", default_value_t = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN))]
    partitions: NonZero<usize>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = tokio::runtime::Runtime::new().map_err(Into::into).and_then(|runtime| {
        let end =
            async { if cli.until_input_ends { input_ends().await } else { std::future::pending().await } };
        let done = runtime.block_on(command(cli.command, end));
        // A service's threads need not finish what nobody waits for.
        runtime.shutdown_background();
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("corpus: {}", told_once(&error));
            ExitCode::FAILURE
        }
    }
}

/// An error and its causes. The engine's errors repeat their causes' text behind a heading of their own: what was told
/// already is left out.
fn told_once(error: &anyhow::Error) -> String {
    error.chain().skip(1).fold(error.to_string(), |told, cause| {
        let cause = cause.to_string();
        let news = cause.split_once(": ").map_or(cause.as_str(), |(_, news)| news);
        if told.contains(news) { told } else { format!("{told}: {cause}") }
    })
}

/// Does what was asked for; services do it until `end`.
async fn command(command: Command, end: impl Future<Output = ()>) -> Result<()> {
    match command {
        Command::Generate(options) => generate(&options),
        Command::Local(jobs) => {
            let plan = Plan::of(&jobs)?;
            let resources = Resources { memory_bytes: jobs.memory << 20, partitions: jobs.partitions.get() };
            let (session, counts) = session::local(resources)?;
            run_jobs(&session, &plan, || Some(counts.asked())).await?;
            warn(counts.warnings());
            Ok(())
        }
        Command::Cluster { jobs, scheduler: Some(scheduler), .. } => {
            let plan = Plan::of(&jobs)?;
            let session = session::remote(&scheduler, jobs.partitions.get()).await?;
            // Executors that others started keep their counts to themselves.
            run_jobs(&session, &plan, || None).await
        }
        Command::Cluster { jobs, scheduler: None, executors } => {
            let plan = Plan::of(&jobs)?;
            let program = std::env::current_exe().context("finding this program's own file")?;
            let cluster = Cluster::start(&program, executors.get(), jobs.memory as u64).await?;
            println!("scheduler at {}, executors: {executors}", cluster.address());
            let session = session::remote(cluster.address(), jobs.partitions.get()).await?;
            run_jobs(&session, &plan, || Some(cluster.asked())).await?;
            warn(cluster.stop().await?);
            Ok(())
        }
        Command::Measure { pages } => measure(pages).await,
        Command::Functions => {
            functions::signatures().for_each(|signature| println!("{signature}"));
            Ok(())
        }
        Command::Scheduler(options) => tokio::select! {
            done = cluster::run_scheduler(options) => done,
            () = end => Ok(()),
        },
        Command::Executor(options) => cluster::run_executor(options, end).await,
    }
}

fn generate(options: &Generate) -> Result<()> {
    let written = match &options.site {
        Some(site) => generate::folder(site, &options.base, options.crawl, &options.out)?,
        None => seeded(options.pages, options.seed, &options.out)?,
    };
    println!(
        "{}: {} rows, {:.1} MB of HTML in {:.1} MB of Parquet, {} files passed over",
        options.out.display(),
        written.rows,
        written.html_bytes as f64 / 1e6,
        written.file_bytes as f64 / 1e6,
        written.passed_over
    );
    Ok(())
}

fn seeded(pages: u64, seed: u64, out: &Path) -> Result<generate::Written> {
    let work = format!("writing {}", out.display());
    let mut progress = Progress::new(&work, "pages", Some(pages))?;
    generate::seeded(pages, seed, out, |pages| progress.done(Some(pages)))
}

/// What is asked, and of what: made before any work begins, so that a wrong name costs nothing.
struct Plan {
    /// Folder of the corpus; the default corpus where there is none.
    data: Option<PathBuf>,
    /// Names and folders of other tables.
    tables: Vec<(String, PathBuf)>,
    /// Names and queries.
    jobs: Vec<(String, String)>,
    /// Folder for the answers.
    results: PathBuf,
}

impl Plan {
    fn of(options: &Jobs) -> Result<Self> {
        let mut tables = Vec::new();
        for table in &options.table {
            let Some((name, folder)) = table.split_once('=') else {
                bail!("expected --table NAME=FOLDER, found {table:?}");
            };
            tables.push((name.to_owned(), folder.into()));
        }
        let mut jobs = Vec::new();
        for name in &options.job {
            let Some(job) = jobs::find(name) else {
                let names: Vec<&str> = JOBS.iter().map(|job| job.name).collect();
                bail!("expected one of the jobs {}, found {name:?}", names.join(", "));
            };
            jobs.push((job.name.to_owned(), job.sql.to_owned()));
        }
        for path in &options.sql {
            let sql = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
            jobs.push((path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), sql));
        }
        if let Some(version) = options.document_version {
            let job = jobs::documents(version);
            jobs.push((job.name.to_owned(), job.sql.to_owned()));
        }
        if jobs.is_empty() {
            jobs.extend(JOBS.map(|job| (job.name.to_owned(), job.sql.to_owned())));
        }
        Ok(Plan { data: options.data.clone(), tables, jobs, results: options.results.clone() })
    }
}

async fn run_jobs(session: &SessionContext, plan: &Plan, asked: impl Fn() -> Option<u64>) -> Result<()> {
    let data = plan.data.as_deref().unwrap_or(Path::new(DATA));
    // A folder that was named may be misspelt: no other corpus is put in its place.
    if plan.data.is_none() && !data.exists() {
        println!("{DATA} does not exist: writing 10,000 pages to it");
        seeded(10_000, 1, data)?;
    }
    session::register_folder(session, "pages", data).await?;
    for (name, folder) in &plan.tables {
        session::register_folder(session, name, folder).await?;
    }
    for (name, sql) in &plan.jobs {
        let answer = run::run(session, Job { name, sql }, Some(&plan.results), &asked).await?;
        let file = plan.results.join(format!("{name}.parquet"));
        println!("\n{name}, {:.1} s, {}\n{answer}", answer.took.as_secs_f64(), file.display());
    }
    if let Some(megabytes) = peak_memory() {
        println!("\npeak memory of this process: {megabytes} MB");
    }
    Ok(())
}

async fn measure(pages: u64) -> Result<()> {
    let measured = measure::measure(pages).await?;
    println!("| function | rows/s | MB/s | rows/s of the bare library | overhead |\n|---|---|---|---|---|");
    for row in measured {
        let rate = |amount: usize, time: std::time::Duration| amount as f64 / time.as_secs_f64();
        println!(
            "| `{}` | {:.0} | {:.1} | {:.0} | {:.2} |",
            row.function,
            rate(row.rows, row.query),
            rate(row.bytes, row.query) / 1e6,
            rate(row.rows, row.bare),
            row.overhead()
        );
    }
    Ok(())
}

fn warn<N: std::fmt::Display>(warnings: Vec<(N, u64)>) {
    for (function, rows) in warnings {
        println!("warning: {function} gave null for {rows} rows that it could not answer");
    }
}

/// The most memory that this process has had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = peak.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024 / 1_000_000)
}

async fn input_ends() {
    let ended = tokio::task::spawn_blocking(|| {
        let mut bytes = [0; 64];
        while io::stdin().read(&mut bytes).is_ok_and(|read| read > 0) {}
    });
    // However it ended, there is no more input.
    let _ = ended.await;
}
