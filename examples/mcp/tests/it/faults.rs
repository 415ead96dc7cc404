//! The server of faults of the crawler: each ends in an answer or in one sentence, in bounded time.

use std::time::Duration;

use mcp::Options;
use test_sites::faults::{NAMES, serve};

use crate::support::{read, server};

/// The faults that leave a page to read.
const READ: [&str; 5] = ["long", "robots-endless", "robots-loop", "endless-sitemap", "nested"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_ends_in_an_answer_or_in_one_sentence() {
    let mut meetings = tokio::task::JoinSet::new();
    for name in NAMES {
        meetings.spawn(async move {
            let address = serve(name).await.unwrap();
            let mut options = Options { private: vec![address.to_string()], ..Options::default() };
            // The servers that answer may take a long time on a busy machine; the others are waited for.
            let patience = Duration::from_secs(if READ.contains(&name) { 40 } else { 8 });
            (options.limits.head, options.limits.idle) = (patience, patience);
            options.limits.total = patience * 2;
            options.limits.sitemap_bytes = 1 << 20;
            options.max_wait = Duration::from_secs(2);
            let server = server(options);
            let url = format!("http://{address}/start");
            let ended = tokio::time::timeout(Duration::from_secs(120), read(&server, &url)).await;
            (name, ended.unwrap_or_else(|_| panic!("{name} does not end")))
        });
    }
    let mut wrong = Vec::new();
    for (name, ended) in meetings.join_all().await {
        match ended {
            Ok(answer) if READ.contains(&name) || name == "links" => {
                let text = answer["markdown"].as_str().unwrap();
                let expected =
                    if matches!(name, "nested" | "links") { "" } else { "With a sentence of its own." };
                if text != expected {
                    wrong.push(format!("{name}: {text:?}"));
                }
            }
            Ok(answer) => wrong.push(format!("{name}: read, {answer}")),
            Err(error) if READ.contains(&name) => wrong.push(format!("{name}: {error}")),
            Err(error) => {
                if !error.contains(", because ") || error.contains('\n') || !error.ends_with('.') {
                    wrong.push(format!("{name}: {error}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
