//! The jobs: SQL over the table `pages`, in files that a user can copy and change.

/// A job's name and its SQL.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Name on the command line, and of the answer's file.
    pub name: &'a str,
    /// The query.
    pub sql: &'a str,
}

/// A version of AIWebIndex, as the command line spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DocumentVersion {
    /// AIWebIndex 1.0.
    #[value(name = "1.0")]
    V1,
    /// AIWebIndex 2.0.
    #[value(name = "2.0")]
    V2,
}

/// The jobs of the folder `jobs`, in the order in which they run by default.
pub const JOBS: [Job<'static>; 5] = [
    Job { name: "fingerprints", sql: include_str!("../jobs/fingerprints.sql") },
    Job { name: "duplicates", sql: include_str!("../jobs/duplicates.sql") },
    Job { name: "changes", sql: include_str!("../jobs/changes.sql") },
    Job { name: "savings", sql: include_str!("../jobs/savings.sql") },
    Job { name: "allowed", sql: include_str!("../jobs/allowed.sql") },
];

/// The job `documents`, which writes the document of every page in a version of AIWebIndex.
///
/// It is not one of [`JOBS`]: a corpus of documents is as large as that of the pages, so it is written when asked for.
pub const fn documents(version: DocumentVersion) -> Job<'static> {
    let sql = match version {
        DocumentVersion::V1 => include_str!("../jobs/documents.sql"),
        DocumentVersion::V2 => include_str!("../jobs/documents-2.0.sql"),
    };
    Job { name: "documents", sql }
}

/// The job of that name.
pub fn find(name: &str) -> Option<Job<'static>> {
    JOBS.into_iter().find(|job| job.name == name)
}
