//! All tests in one program: each program that holds the engine is a quarter of a gigabyte large.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a failed test may panic")]

mod cluster;
mod command;
mod functions;
mod jobs;

use std::path::Path;

use corpus::session::{self, Resources};
use datafusion::prelude::SessionContext;

/// The program that the tests start as a process.
const PROGRAM: &str = env!("CARGO_BIN_EXE_corpus");

/// A session in this process over the corpus of a folder.
async fn local(folder: &Path) -> SessionContext {
    let (session, _) = session::local(Resources { memory_bytes: 256 << 20, partitions: 2 }).unwrap();
    session::register_folder(&session, "pages", folder).await.unwrap();
    session
}
