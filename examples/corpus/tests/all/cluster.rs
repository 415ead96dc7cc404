//! The jobs on a cluster of processes: the answers of one process, also when an executor dies in mid-job.

use std::fs;
use std::path::Path;
use std::time::Duration;

use corpus::cluster::Cluster;
use corpus::generate;
use corpus::jobs::{self, JOBS, Job};
use corpus::run;
use corpus::session;
use datafusion::prelude::SessionContext;

use crate::{PROGRAM, local};

/// MiB for each executor.
const MEMORY: u64 = 128;

async fn answer(session: &SessionContext, job: Job<'_>) -> String {
    run::run(session, job, None, || None).await.unwrap().to_string()
}

async fn remote(cluster: &Cluster, folder: &Path, partitions: usize) -> SessionContext {
    let session = session::remote(cluster.address(), partitions).await.unwrap();
    session::register_folder(&session, "pages", folder).await.unwrap();
    session
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_gives_the_answers_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    generate::seeded(300, 5, folder.path(), |_| {}).unwrap();
    let cluster = Cluster::start(Path::new(PROGRAM), 2, MEMORY).await.unwrap();
    let (local, remote) = (local(folder.path()).await, remote(&cluster, folder.path(), 4).await);
    for job in JOBS {
        assert_eq!(answer(&remote, job).await, answer(&local, job).await, "{}", job.name);
    }
    let bad = Job {
        name: "bad",
        sql: "SELECT count(canonical_json(html)) AS json, count(robots_allowed(robots, 'a', template)) AS urls, \
              count(extract_document(html, url, '2026-05-10T12:34:56Z')) AS documents FROM pages",
    };
    let answer = answer(&remote, bad).await;
    let cells: Vec<&str> = answer.lines().nth(3).unwrap().split('|').map(str::trim).collect();
    assert_eq!(cells[1..3], ["0", "0"], "{answer}");
    let documents: u64 = cells[3].parse().unwrap();
    assert!(documents > 550);
    // The executors' counts have come here.
    let warnings = cluster.stop().await.unwrap();
    assert_eq!(
        warnings,
        [("canonical_json".to_owned(), documents), ("robots_allowed".to_owned(), documents)]
    );
}

/// Whether a folder holds a file at any depth.
fn holds_a_file(folder: &Path) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() { holds_a_file(&path) } else { path.metadata().is_ok_and(|file| file.len() > 0) }
    })
}

/// Runs a job over this many pages on two executors and kills one of them, when it has results that only it holds.
/// Whether others were still to come.
async fn killed_in_mid_job(pages: u64, job: Job<'static>) -> bool {
    let folder = tempfile::tempdir().unwrap();
    generate::seeded(pages, 6, folder.path(), |_| {}).unwrap();
    let mut cluster = Cluster::start(Path::new(PROGRAM), 2, MEMORY).await.unwrap();
    let session = remote(&cluster, folder.path(), 8).await;
    let running = tokio::spawn(async move { answer(&session, job).await });
    let work = cluster.work_folder(1);
    while !holds_a_file(&work) && !running.is_finished() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    cluster.kill_executor().await.unwrap();
    let in_mid_job = !running.is_finished();
    assert_eq!(running.await.unwrap(), answer(&local(folder.path()).await, job).await);
    cluster.stop().await.unwrap();
    in_mid_job
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_executor_does_not_change_the_answer() {
    let changes = jobs::find("changes").unwrap();
    // On a busy machine this process may look too late.
    for pages in [1_200, 4_800, 19_200] {
        if killed_in_mid_job(pages, changes).await {
            return;
        }
    }
    panic!("the job was done before the executor was killed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_cannot_start_says_why() {
    let error = Cluster::start(Path::new("/nonexistent/corpus"), 1, MEMORY).await.unwrap_err();
    assert_eq!(error.to_string(), "starting /nonexistent/corpus");
    let error = session::remote("127.0.0.1:1", 1).await.err().unwrap();
    assert_eq!(error.to_string(), "connecting to the scheduler at 127.0.0.1:1");
}
