//! The protocols' algorithms as functions of Apache DataFusion, for corpora of any size: in this process, or on a
//! cluster of Ballista executors.
//!
//! ```text
//! seed, or a folder of HTML --generate--> Parquet --session, cluster--> jobs/*.sql over functions --run--> table, Parquet
//! ```
//!
//! [`functions`] is what others may want to take: it registers with any DataFusion session.

pub mod cluster;
pub mod functions;
pub mod generate;
pub mod jobs;
pub mod measure;
pub mod progress;
pub mod run;
pub mod session;
