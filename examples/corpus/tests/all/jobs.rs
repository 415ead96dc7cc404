//! The jobs in one process: what they find in a corpus whose truth is known, and what they write.

use std::collections::{HashMap, HashSet};
use std::fs;

use aidocument::AnyDocument;
use corpus::jobs::{self, DocumentVersion, JOBS, Job};
use corpus::{generate, run, session};
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::prelude::SessionContext;

use crate::local;

const PAGES: u64 = 400;

/// All rows of a batch as texts; null is the empty text.
fn rows(batches: &[RecordBatch]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for batch in batches {
        let columns: Vec<_> =
            batch.columns().iter().map(|column| cast(column, &DataType::Utf8).unwrap()).collect();
        for row in 0..batch.num_rows() {
            let cells = columns.iter().map(AsArray::as_string::<i32>);
            rows.push(
                cells
                    .map(|cell| if cell.is_null(row) { String::new() } else { cell.value(row).into() })
                    .collect(),
            );
        }
    }
    rows
}

async fn query(session: &SessionContext, sql: &str) -> Vec<Vec<String>> {
    rows(&session.sql(sql).await.unwrap().collect().await.unwrap())
}

#[test]
fn the_same_seed_writes_the_same_corpus() {
    let [first, again, other] = [3, 3, 4].map(|seed| {
        let folder = tempfile::tempdir().unwrap();
        let written = generate::seeded(50, seed, folder.path(), |_| {}).unwrap();
        assert!(written.rows > 90 && written.html_bytes > 50_000 && written.file_bytes > 1_000);
        [1, 2].map(|crawl| fs::read(folder.path().join(format!("pages-{crawl}.parquet"))).unwrap())
    });
    assert!(first == again && first != other);
}

#[tokio::test]
async fn fingerprints_find_the_editions_under_their_templates() {
    let folder = tempfile::tempdir().unwrap();
    generate::seeded(PAGES, 7, folder.path(), |_| {}).unwrap();
    let session = local(folder.path()).await;
    let pages = query(
        &session,
        "SELECT edition, template, tct_fingerprint_text(text), text \
         FROM (SELECT edition, template, extract_text(html, url) AS text FROM pages)",
    )
    .await;
    let mut prints: HashMap<&str, HashSet<&str>> = HashMap::new();
    let mut editions: HashMap<&str, HashSet<&str>> = HashMap::new();
    let mut templates: HashMap<&str, HashSet<&str>> = HashMap::new();
    for page in &pages {
        let [edition, template, print] = [&page[0], &page[1], &page[2]].map(String::as_str);
        prints.entry(edition).or_default().insert(print);
        editions.entry(print).or_default().insert(edition);
        templates.entry(edition).or_default().insert(template);
    }
    // No two texts have the same fingerprint.
    assert!(editions.values().all(|editions| editions.len() == 1));
    // Most have one fingerprint whatever the template. The others differ by a few words, such as the cell of a table,
    // not by their article: the extractor judges a block by what is around it.
    let several: Vec<&str> =
        templates.iter().filter(|(_, t)| t.len() > 1).map(|(edition, _)| *edition).collect();
    let one = several.iter().filter(|edition| prints[**edition].len() == 1).count();
    assert!(several.len() > 50 && one * 4 >= several.len() * 3, "{one} of {}", several.len());
    for edition in several {
        let texts = pages.iter().filter(|page| page[0] == edition);
        let texts: Vec<HashSet<&str>> = texts.map(|page| page[3].split_whitespace().collect()).collect();
        for text in &texts {
            let (common, all) = (text.intersection(&texts[0]).count(), text.union(&texts[0]).count());
            assert!(common * 10 >= all * 9, "{edition}: {common} of {all} words");
        }
    }
}

#[tokio::test]
async fn the_jobs_agree_with_one_another_and_with_the_corpus() {
    let folder = tempfile::tempdir().unwrap();
    generate::seeded(PAGES, 8, folder.path(), |_| {}).unwrap();
    let session = local(folder.path()).await;
    let results = folder.path().join("results");
    let mut answers: HashMap<&str, Vec<Vec<String>>> = HashMap::new();
    for job in JOBS {
        let answer = run::run(&session, job, Some(&results), || None).await.unwrap();
        session::register_folder(&session, job.name, &results.join(format!("{}.parquet", job.name)))
            .await
            .unwrap();
        let written = query(&session, &format!("SELECT * FROM {}", job.name)).await;
        assert_eq!(written.len(), answer.rows, "{}", job.name);
        assert_eq!(rows(&answer.head), written[..answer.rows.min(run::TABLE_ROWS)], "{}", job.name);
        assert_eq!(answer.to_string().contains("the first 10 of"), answer.rows > 10);
        answers.insert(job.name, written);
    }
    assert_eq!(fs::read_dir(&results).unwrap().count(), JOBS.len(), "nothing is left beside the answers");

    let truth = query(
        &session,
        "SELECT CASE WHEN b.url IS NULL THEN 'gone' WHEN a.url IS NULL THEN 'new' WHEN a.edition = b.edition THEN 'same' \
         ELSE 'changed' END AS change, count(*) FROM (SELECT * FROM pages WHERE crawl = 1) a \
         FULL OUTER JOIN (SELECT * FROM pages WHERE crawl = 2) b ON a.url = b.url GROUP BY 1",
    )
    .await;
    let number = |rows: &[Vec<String>], name: &str| -> u64 {
        rows.iter().find(|row| row[0] == name).map_or(0, |row| row[1].parse().unwrap())
    };
    let changes = &answers["changes"];
    for name in ["gone", "new"] {
        assert_eq!(number(changes, name), number(&truth, name), "{name}");
    }
    // Another text is always another fingerprint; another template only where extraction differs.
    let (changed, expected) = (number(changes, "changed"), number(&truth, "changed"));
    assert!((expected..=expected + PAGES / 100).contains(&changed), "{changed} {expected}");
    assert_eq!(changes.iter().map(|row| row[1].parse::<u64>().unwrap()).sum::<u64>(), PAGES);

    let [pages, skipped, bytes, saved, percent] = answers["savings"][0].clone().try_into().unwrap();
    assert_eq!(skipped.parse::<u64>().unwrap(), number(changes, "unchanged"));
    assert_eq!(pages.parse::<u64>().unwrap(), PAGES - number(changes, "gone"));
    let share: f64 = 100.0 * saved.parse::<f64>().unwrap() / bytes.parse::<f64>().unwrap();
    assert!((share - percent.parse::<f64>().unwrap()).abs() < 0.01 && share > 80.0, "{share} {percent}");

    let allowed = &answers["allowed"];
    assert_eq!(number(allowed, "true") + number(allowed, "false"), pages.parse::<u64>().unwrap());
    assert!(number(allowed, "false") > 0);

    let twice =
        answers["fingerprints"].iter().filter(|row| row[0] == "1").fold(HashMap::new(), |mut map, row| {
            *map.entry(row[2].clone()).or_insert(0_u64) += 1;
            map
        });
    for duplicate in &answers["duplicates"] {
        assert_eq!(twice[&duplicate[0]].to_string(), duplicate[1]);
    }
    assert!(answers["duplicates"].len() > 20);
}

#[tokio::test]
async fn documents_come_in_the_version_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    generate::seeded(20, 9, folder.path(), |_| {}).unwrap();
    let session = local(folder.path()).await;
    let pages = query(&session, "SELECT crawl, url FROM pages ORDER BY crawl, url").await;
    let results = folder.path().join("results");
    for (version, expected) in [(DocumentVersion::V1, "1.0"), (DocumentVersion::V2, "2.0")] {
        let answer = run::run(&session, jobs::documents(version), Some(&results), || None).await.unwrap();
        assert_eq!(answer.rows, pages.len());
        // The table shows how a document begins, the file has all of it.
        assert!(answer.to_string().lines().all(|line| line.chars().count() < 300), "{answer}");
        let name = format!("written_{}", &expected[..1]);
        session::register_folder(&session, &name, &results.join("documents.parquet")).await.unwrap();
        let written = query(&session, &format!("SELECT crawl, url, document FROM {name}")).await;
        assert_eq!(written.len(), pages.len());
        for (row, page) in written.iter().zip(&pages) {
            assert_eq!(row[..2], page[..]);
            let document = AnyDocument::parse(row[2].as_bytes()).unwrap();
            assert_eq!(document.version(), expected);
            assert_eq!(document.url().as_str(), page[1]);
            assert!(!document.markdown().is_empty(), "{}", page[1]);
        }
        // The next version writes the same file.
        session.deregister_table(&name).unwrap();
    }
}

#[tokio::test]
async fn a_folder_of_html_becomes_a_corpus() {
    let site = tempfile::tempdir().unwrap();
    let path = |name: &str| site.path().join(name);
    fs::create_dir(path("a")).unwrap();
    fs::write(path("a/one #1.html"), "<title>One</title><p>One page of many words.</p>").unwrap();
    fs::write(path("two.htm"), b"<meta charset=windows-1252><p>Caf\xe9 and tea.</p>").unwrap();
    fs::write(path("robots.txt"), "User-agent: *\nDisallow: /a/\n").unwrap();
    fs::write(path("notes.txt"), "no page").unwrap();
    let out = tempfile::tempdir().unwrap();
    let base = url::Url::parse("https://e.example/").unwrap();
    let written = generate::folder(site.path(), &base, 1, out.path()).unwrap();
    assert_eq!((written.rows, written.passed_over), (2, 0));
    fs::write(path("two.htm"), "<p>Coffee and tea.</p>").unwrap();
    fs::remove_file(path("a/one #1.html")).unwrap();
    generate::folder(site.path(), &base, 2, out.path()).unwrap();

    let session = local(out.path()).await;
    let found = query(
        &session,
        "SELECT url, extract_text(html, url), robots_allowed(robots, 'AIWebIndex', url) FROM pages WHERE crawl = 1 ORDER BY url",
    )
    .await;
    assert_eq!(found[0], ["https://e.example/a/one%20%231.html", "One page of many words.", "false"]);
    assert_eq!(found[1], ["https://e.example/two.htm", "Caf\u{e9} and tea.", "true"]);
    let changes = query(&session, jobs::find("changes").unwrap().sql).await;
    assert_eq!(changes, [["changed", "1"], ["gone", "1"]]);

    let empty = tempfile::tempdir().unwrap();
    let error = generate::folder(empty.path(), &base, 1, out.path()).unwrap_err();
    assert!(error.to_string().contains("expected .html files in this folder, found none"), "{error}");
}

#[tokio::test]
async fn a_wrong_query_and_a_missing_corpus_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    generate::seeded(5, 1, folder.path(), |_| {}).unwrap();
    let session = local(folder.path()).await;
    let job = Job { name: "mine", sql: "SELECT nothing FROM pages" };
    let error = run::run(&session, job, None, || None).await.unwrap_err();
    assert!(format!("{error:#}").starts_with("planning the job mine: "), "{error:#}");
    let error = session::register_folder(&session, "other", &folder.path().join("none")).await.unwrap_err();
    assert!(error.to_string().starts_with("expected Parquet files for the table other in "), "{error}");
}
