//! The jobs: SQL over the table `pages`, in files that a user can copy and change.

/// A job's name and its SQL.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Name on the command line, and of the answer's file.
    pub name: &'a str,
    /// The query.
    pub sql: &'a str,
}

/// The jobs of the folder `jobs`, in the order in which they run by default.
pub const JOBS: [Job<'static>; 5] = [
    Job { name: "fingerprints", sql: include_str!("../jobs/fingerprints.sql") },
    Job { name: "duplicates", sql: include_str!("../jobs/duplicates.sql") },
    Job { name: "changes", sql: include_str!("../jobs/changes.sql") },
    Job { name: "savings", sql: include_str!("../jobs/savings.sql") },
    Job { name: "allowed", sql: include_str!("../jobs/allowed.sql") },
];

/// The job of that name.
pub fn find(name: &str) -> Option<Job<'static>> {
    JOBS.into_iter().find(|job| job.name == name)
}
